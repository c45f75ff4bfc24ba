"""Who may do what at a table, and who is shown what: one data table for all games, ``data/roles.toml``."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from enum import StrEnum
from importlib.resources import files
from types import MappingProxyType
from typing import Final

from houseway.games import Rules
from houseway.settlement.model import PROGRESSIVE


class Role(StrEnum):
    """In what capacity somebody acts or looks on; the last six are devices."""

    PLAYER = "player"
    DEALER = "dealer"
    FLOORPERSON = "floorperson"
    MANAGER = "manager"
    KEY_HOLDER = "key_holder"
    SURVEILLANCE = "surveillance"
    ACCOUNTING = "accounting"
    REGULATOR = "regulator"
    ADMINISTRATOR = "administrator"
    GUEST = "guest"
    SHUFFLER = "shuffler"
    SHOE = "shoe"
    GENERATOR = "generator"
    KEYPAD = "keypad"
    SENSOR = "sensor"
    DISPLAY = "display"

    def __str__(self) -> str:
        return self.value.replace("_", "-")


DEVICES: Final = frozenset({Role.SHUFFLER, Role.SHOE, Role.GENERATOR, Role.KEYPAD, Role.SENSOR, Role.DISPLAY})
"""The roles of devices; all others are people's."""


class Sees(StrEnum):
    """What is shown to some roles only."""

    OWN_HAND = "own_hand"
    ADVICE = "advice"
    TYPED = "typed"
    DISPLAY = "display"
    OPENED_DECK = "opened_deck"
    PERSONS = "persons"


def _roles(rows: Mapping[str, list[str]]) -> Mapping[str, frozenset[Role]]:
    return MappingProxyType({name: frozenset(map(Role, roles)) for name, roles in rows.items()})


_DATA: Final = tomllib.loads((files(__package__) / "data" / "roles.toml").read_text(encoding="utf-8"))
STEP_ROLES: Final = _roles(_DATA["steps"])
"""Who may take each step."""
SEEN_BY: Final = MappingProxyType({Sees(what): roles for what, roles in _roles(_DATA["sees"]).items()})
"""Who is shown each thing that is not open to all."""


def sees(role: Role, what: Sees) -> bool:
    """Whether somebody in a role is shown something that is not open to all."""
    return role in SEEN_BY[what]


_AT_THE_TABLE: Final[Mapping[Role, Callable[[Rules], bool]]] = {
    Role.SHUFFLER: lambda rules: rules.submission.table.shuffler == "automated",
    Role.SHOE: lambda rules: rules.way == "automated_shoe",
    Role.GENERATOR: lambda rules: "rng" in rules.submission.table.start_methods,
    Role.KEYPAD: lambda rules: rules.offers(PROGRESSIVE),
    Role.DISPLAY: lambda rules: rules.way == "iverify_hwv",
}
"""Which devices a table has; sensors may be fitted to any."""


def at_the_table(rules: Rules, role: Role) -> bool:
    """Whether a table has a device; people may come to any."""
    asked = _AT_THE_TABLE.get(role)
    return asked is None or asked(rules)
