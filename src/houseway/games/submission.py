"""The rules submission: what an operator chooses for one game, as a document they can file."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from decimal import Decimal
from enum import StrEnum
from fractions import Fraction
from pathlib import Path
from typing import Any, Final, Literal, get_args, get_origin

from pydantic import BaseModel, Field

from houseway.errors import UnknownNameError
from houseway.games.paytables import Dollars, OwnPaytable, Percent
from houseway.law.documents import Day, Document, Flag, Whole, read_document
from houseway.money import Cents, Odds, dollars

EXAMPLES: Final = Path(__file__).parent / "data"
DERIVED_FACTS: Final = frozenset(
    [
        "best_win_at_minimum",
        "position_map_whole",
        "progressive_total_rate",
        "largest_fixed_award",
        "statutory_seed",
        "statutory_rate",
        "rate_raised",
        "seed_changed",
        "preconfigured_rate",
        "preconfigured_seed",
        "meter_deducts",
    ]
)
"""What follows from a submission and its game; ``houseway.games.verify`` works each of them out."""
Shuffler = Literal["manual", "automated"]


class TableChoice(Document):
    """The table and its equipment."""

    positions: Whole = Field(default=6, ge=1)
    seats: Whole | None = Field(default=None, ge=1)
    larger: Flag = False
    decks: Whole = Field(default=1, ge=1)
    cover_cards: Whole = Field(default=2, ge=0)
    pack_jokers: Whole = Field(default=1, ge=0)
    shuffler: Shuffler = "manual"
    dealing: str | None = None
    start_methods: tuple[str, ...] = ()
    start_marker: str | None = None
    dice: Whole | None = Field(default=None, ge=1)
    direct_to_shoe: Flag = False
    reshuffle_device: Flag = False
    adjacent_areas: Flag = False
    backline: Flag = False
    procedure: str | None = None
    position_map: dict[str, str] = {}
    position_map_set_by: str | None = None
    position_map_set_on: Day | None = None


class WagerChoice(Document):
    """One wager offered at the table."""

    min: Dollars | None = None
    max: Dollars | None = None
    paytable: str | None = None
    own_paytable: OwnPaytable | None = None


class ProgressiveChoice(Document):
    """The progressive meter and the system that keeps it."""

    system: str | None = None
    amount: Dollars | None = None
    initial: Dollars | None = None
    reset: Dollars | None = None
    contribution: Percent | None = None
    reserve: Percent | None = None
    limit: Dollars | None = None
    """What the meter holds at most; what would lift it above goes to the reserve."""
    order_policy: str | None = None
    change_reason: str | None = None


class Cap(Document):
    """A dollar limit of a law that is cited but not held here, entered by the operator."""

    amount: Dollars
    citation: str
    dated: Day


class Submission(Document):
    """An operator's choices for one game."""

    game: str
    reference: str = Field(min_length=1)
    holder: str = Field(min_length=1)
    law_as_of: Day
    law_effective: Day | None = None
    house_way: str | None = None
    table: TableChoice = TableChoice()
    wagers: dict[str, WagerChoice] = Field(min_length=1)
    progressive: ProgressiveChoice | None = None
    options: dict[str, Flag] = {}
    readings: dict[str, str] = {}
    approvals: dict[str, str] = {}
    payout_limit: Dollars | None = None
    collection_schedule: Whole | None = None
    caps: dict[str, Cap] = {}
    components: dict[str, str] = {}
    acknowledged: tuple[str, ...] = ()

    def find(self, path: str) -> Any:  # noqa: ANN401 - any field's type
        """Return the value at a dotted path, ``None`` where nothing is given."""
        value: Any = self
        for step in path.split("."):
            value = value.get(step) if isinstance(value, dict) else getattr(value, step, None)
            if value is None:
                return None
        return value

    def choices(self) -> dict[str, Any]:
        """Return what may be chosen only where a permit names it, by path."""
        table = {
            f"table.{name}": getattr(self.table, name)
            for name in [
                "larger",
                "decks",
                "dealing",
                "start_methods",
                "start_marker",
                "dice",
                "direct_to_shoe",
                "reshuffle_device",
                "adjacent_areas",
                "backline",
                "procedure",
            ]
        }
        options = {f"options.{name}": value for name, value in self.options.items()}
        rest = {
            "payout_limit": self.payout_limit,
            "collection_schedule": self.collection_schedule,
            "progressive.order_policy": self.find("progressive.order_policy"),
        }
        return table | options | rest

    def document(self) -> dict[str, Any]:
        """Return the choices as a document writes them, fit to be read again."""
        return _document(self)  # type: ignore[no-any-return]

    def plain(self) -> dict[str, Any]:
        """Return the choices as plain data, for JSON and for comparing."""
        return _plain(self)  # type: ignore[no-any-return]

    def fingerprint(self) -> str:
        """Return the hash that stands for exactly these choices in every record.

        What is left as it is by default is no part of it: a choice that a later version knows changes no hash
        of those who do not make it.
        """
        canonical = json.dumps(_without_defaults(self), sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(canonical.encode()).hexdigest()


def read_submission(path: Path) -> Submission:
    """Read a rules submission from a TOML file."""
    return read_document(Submission, path, lines=False)


def example_submission(game_id: str) -> Submission:
    """Return our example submission for a licensed game."""
    for path in EXAMPLES.glob("*/example.toml"):
        if path.parent.name == game_id:
            return read_submission(path)
    raise UnknownNameError("no example submission for this game", value=game_id)


def is_path(path: str) -> bool:
    """Whether a submission could have a field of this dotted path."""
    if path.startswith("derived."):
        return path.removeprefix("derived.") in DERIVED_FACTS
    return _leads_somewhere(Submission, path.split("."))


def _leads_somewhere(annotation: Any, steps: list[str]) -> bool:  # noqa: ANN401 - a typing object
    if not steps:
        return True
    for kind in (annotation, *get_args(annotation)):
        if get_origin(kind) is dict:
            return _leads_somewhere(get_args(kind)[1], steps[1:])
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            field = kind.model_fields.get(steps[0])
            return field is not None and _leads_somewhere(field.annotation, steps[1:])
    return False


def differences(before: Submission, after: Submission) -> Iterator[tuple[str, str, str]]:
    """Yield each field in which two submissions differ: its path, and both values."""
    old, new = (dict(_leaves(_plain(s, spoken=True))) for s in (before, after))
    for path in dict.fromkeys([*old, *new]):
        pair = old.get(path, "nothing given"), new.get(path, "nothing given")
        if pair[0] != pair[1]:
            yield path, *pair


def _leaves(data: Any, path: str = "") -> Iterator[tuple[str, str]]:  # noqa: ANN401 - plain data
    if isinstance(data, dict):
        for key, value in data.items():
            yield from _leaves(value, f"{path}.{key}" if path else str(key))
    elif isinstance(data, list) and any(isinstance(value, dict) for value in data):
        for index, value in enumerate(data):
            yield from _leaves(value, f"{path}.{index}")
    elif data not in (None, [], ()):
        yield path, ", ".join(map(str, data)) if isinstance(data, list) else str(data)


def _plain(value: Any, *, spoken: bool = False) -> Any:  # noqa: ANN401 - any field's type
    """Return plain data; amounts as cents, or in dollars for a person."""
    if isinstance(value, BaseModel):
        return {name: _plain(getattr(value, name), spoken=spoken) for name in type(value).model_fields}
    if isinstance(value, dict):
        return {key: _plain(item, spoken=spoken) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item, spoken=spoken) for item in value]
    if spoken and isinstance(value, Cents):
        return dollars(value)
    if value is None or isinstance(value, bool | int | str):
        return value
    return str(value)


def _without_defaults(value: Any) -> Any:  # noqa: ANN401 - any field's type
    """Return plain data without what is left as it is by default."""
    if isinstance(value, BaseModel):
        given = {name: getattr(value, name) for name in type(value).model_fields}
        defaults = {
            name: field.get_default(call_default_factory=True)
            for name, field in type(value).model_fields.items()
        }
        return {name: _without_defaults(item) for name, item in given.items() if item != defaults[name]}
    if isinstance(value, dict):
        return {key: _without_defaults(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_without_defaults(item) for item in value]
    return _plain(value)


def _document(value: Any) -> Any:  # noqa: ANN401 - any field's type
    """Return what a TOML document says: amounts in dollars, shares in per cent, nothing for nothing."""
    if isinstance(value, BaseModel):
        given = {name: getattr(value, name) for name in type(value).model_fields}
        return {name: _document(item) for name, item in given.items() if item not in (None, (), {})}
    if isinstance(value, dict):
        return {key: _document(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_document(item) for item in value]
    return _spoken(value)


def _spoken(value: Any) -> Any:  # noqa: ANN401 - any field's type
    if isinstance(value, Cents):
        return dollars(value)
    if isinstance(value, Fraction):
        return f"{Decimal(100 * value.numerator) / Decimal(value.denominator):f}%"
    return str(value) if isinstance(value, Odds | StrEnum) else value
