"""The rules submission: what an operator chooses for one game, as a document he can file."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any, Final, Literal, get_args

from pydantic import BaseModel, Field

from houseway.errors import DataError, UnknownNameError
from houseway.games.paytables import Dollars, OwnPaytable, Percent
from houseway.law.documents import Document, read_document

EXAMPLES: Final = Path(__file__).parent / "data"
Shuffler = Literal["manual", "automated"]


class TableChoice(Document):
    """The table and its equipment."""

    positions: int = Field(default=6, ge=1)
    seats: int | None = Field(default=None, ge=1)
    larger: bool = False
    decks: int = 1
    cover_cards: int = 2
    pack_jokers: int = 1
    shuffler: Shuffler = "manual"
    dealing: str | None = None
    start_methods: tuple[str, ...] = ()
    start_marker: str | None = None
    direct_to_shoe: bool = False
    reshuffle_device: bool = False
    adjacent_areas: bool = False
    backline: bool = False
    procedure: str | None = None
    position_map: dict[str, str] = {}
    position_map_set_by: str | None = None
    position_map_set_on: date | None = None


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
    order_policy: str | None = None
    change_reason: str | None = None


class Cap(Document):
    """A dollar limit of a law that is cited but not held here, entered by the operator."""

    amount: Dollars
    citation: str
    dated: date


class Submission(Document):
    """An operator's choices for one game."""

    game: str
    reference: str = Field(min_length=1)
    holder: str = Field(min_length=1)
    law_as_of: date
    law_effective: date | None = None
    house_way: str | None = None
    table: TableChoice = TableChoice()
    wagers: dict[str, WagerChoice] = Field(min_length=1)
    progressive: ProgressiveChoice | None = None
    options: dict[str, bool] = {}
    readings: dict[str, str] = {}
    approvals: dict[str, str] = {}
    payout_limit: Dollars | None = None
    collection_schedule: int | None = None
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

    def plain(self) -> dict[str, Any]:
        """Return the choices as plain data, for JSON and for comparing."""
        return _plain(self)  # type: ignore[no-any-return]

    def fingerprint(self) -> str:
        """Return the hash that stands for exactly these choices in every record."""
        canonical = json.dumps(self.plain(), sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(canonical.encode()).hexdigest()


def read_submission(path: Path) -> Submission:
    """Read a rules submission from a TOML file."""
    return read_document(Submission, path)


def example_submission(game_id: str) -> Submission:
    """Return our example submission for a licensed game."""
    path = EXAMPLES / game_id / "example.toml"
    if not path.exists():
        raise UnknownNameError("no example submission for this game", value=game_id)
    return read_submission(path)


def check_path(path: str, where: str) -> None:
    """Refuse a dotted path that no submission could have."""
    model: Any = Submission
    for step in path.split("."):
        if model is None:  # below a mapping with free keys
            return
        if step not in model.model_fields:
            raise DataError("a submission has no such field", value=path, where=where)
        model = _model_below(model.model_fields[step].annotation)


def _model_below(annotation: Any) -> Any:  # noqa: ANN401 - a typing object
    """Return the model whose fields come next on a path; ``None`` where keys are free or it ends."""
    for found in (annotation, *get_args(annotation)):
        if isinstance(found, type) and issubclass(found, BaseModel):
            return found if annotation is found or "dict" not in str(annotation) else None
    return None


def differences(before: Submission, after: Submission) -> Iterator[tuple[str, str, str]]:
    """Yield each field in which two submissions differ: its path, and both values."""
    old, new = (dict(_leaves(s.plain())) for s in (before, after))
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


def _plain(value: Any) -> Any:  # noqa: ANN401 - any field's type
    if isinstance(value, BaseModel):
        return {name: _plain(getattr(value, name)) for name in type(value).model_fields}
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if value is None or isinstance(value, bool | int | str):
        return value
    return str(value)
