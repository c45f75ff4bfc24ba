"""In what capacity a person is at a table, and who is shown what is not open to all.

Who may take a step stands with the step; the clauses behind both stand with each game, under "by" in its
procedure and under "sight". ``docs/roles.md`` joins them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from houseway.games import Rules
from houseway.settlement.model import PROGRESSIVE


class Role(StrEnum):
    """In what capacity a person acts or looks on; the last six are devices."""

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
FLOOR: Final = (Role.FLOORPERSON, Role.MANAGER)
"""The supervisor of the tables."""


class Sees(StrEnum):
    """What is shown to some roles only."""

    OWN_HAND = "own_hand"
    """Their own cards, from the moment they look."""
    ADVICE = "advice"
    """How the house way sets a hand whose player asked, also shown to that player."""
    TYPED = "typed"
    """Cards typed in and not yet confirmed."""
    DISPLAY = "display"
    """The house-way display."""
    OPENED_DECK = "opened_deck"
    """The order of a deck whose round is over."""
    PERSONS = "persons"
    """Who a person is, not only what they are called."""


SEEN_BY: Final[Mapping[Sees, frozenset[Role]]] = MappingProxyType(
    {
        Sees.OWN_HAND: frozenset({Role.PLAYER}),
        Sees.ADVICE: frozenset({Role.DEALER}),
        Sees.TYPED: frozenset({Role.DEALER}),
        Sees.DISPLAY: frozenset({Role.DEALER, *FLOOR, Role.SURVEILLANCE, Role.DISPLAY}),
        Sees.OPENED_DECK: frozenset({Role.SURVEILLANCE, Role.REGULATOR}),
        Sees.PERSONS: frozenset(Role) - DEVICES - {Role.PLAYER, Role.GUEST},
    }
)
"""Who is shown each thing that is not open to all."""


def sees(role: Role, what: Sees) -> bool:
    """Whether a person in a role is shown something that is not open to all."""
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
    has_device = _AT_THE_TABLE.get(role)
    return has_device is None or has_device(rules)
