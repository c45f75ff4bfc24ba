"""Canonical JSON, both ways: whatever travels in or out of the round of play can be written down and read.

Encoding sorts every key and leaves defaults out, so that equal values are equal bytes. Each value is
written with the version of the schema it was written by; an upcaster for each older version brings what
was written then to what is read now.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from datetime import date, datetime
from typing import Any, Final, TypeVar, get_args, get_origin

import msgspec
from msgspec import Struct
from pydantic import BaseModel

from houseway.cards import Card, Deck
from houseway.errors import DataError, HousewayError, shortened
from houseway.games import Rules, Submission
from houseway.law.documents import as_document
from houseway.law.problems import Problem, RefusedError
from houseway.money import Cents
from houseway.rounds.action import TAG, Action
from houseway.rounds.state import Round, Table
from houseway.rounds.step import Actor, AnEvent, Command, CommandId, Event, law_of
from houseway.rounds.steps import STEPS, AnyAction, AnyOutcome

SCHEMA_VERSION: Final = 1
MOST_CENTS: Final = 2**63 - 1
"""No amount that is read is larger: it fits the integers of any store."""
T = TypeVar("T")
Upcaster = Callable[[dict[str, Any]], dict[str, Any]]
UPCASTERS: Final[Mapping[tuple[type, int], Upcaster]] = {}
"""By what is read and the version it was written by: what makes the next version of it."""


class StoredCommand(Struct, frozen=True, forbid_unknown_fields=True):
    """A command as it is written: its action is any that there is."""

    by: Actor
    action: AnyAction
    id: CommandId


StoredEvent = Event[AnyAction, AnyOutcome | None]
_READ_AS: Final[Mapping[Any, Any]] = {Command: StoredCommand, AnEvent: StoredEvent, Event: StoredEvent}
_CARDS: Final[Mapping[str, Card]] = {str(card): card for card in Deck.standard(joker=True).cards}


# --- writing ------------------------------------------------------------------------------------------


def encode(value: Any) -> bytes:  # noqa: ANN401 - a command, an event, a snapshot or what holds them
    """Return a value as canonical JSON, with the version of its schema."""
    return canonical({"schema_version": SCHEMA_VERSION, "value": value})


def canonical(value: Any) -> bytes:  # noqa: ANN401 - anything that can be written
    """Return a value as JSON of which there is only one: what has no order of its own is sorted."""
    builtins = msgspec.to_builtins(value, str_keys=True, enc_hook=_to_writable, order="sorted")
    return msgspec.json.encode(builtins)


def plain(value: Any) -> Any:  # noqa: ANN401 - anything that can be written
    """Return a value as plain data, as its JSON is read: text, numbers, lists and mappings by text."""
    return msgspec.json.decode(canonical(value))


def _to_writable(value: Any) -> Any:  # noqa: ANN401 - what msgspec does not know
    if isinstance(value, Card):
        return str(value)
    if isinstance(value, Cents):
        return int(value)
    if isinstance(value, Submission):
        return _with_text_dates(value.document())
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json")
    raise TypeError(f"{type(value).__name__} cannot be written down")


def _with_text_dates(value: Any) -> Any:  # noqa: ANN401 - a document's data
    if isinstance(value, dict):
        return {key: _with_text_dates(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_with_text_dates(item) for item in value]
    return value.isoformat() if isinstance(value, date | datetime) else value


# --- reading ------------------------------------------------------------------------------------------


def decode(kind: type[T], text: bytes) -> T:
    """Read a value of a kind that ``encode`` wrote, at this version of the schema or an earlier one."""
    try:
        data = msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        raise DataError(f"not JSON: {error}") from None
    if not isinstance(data, dict) or set(data) != {"schema_version", "value"}:
        raise DataError("a value and the version of its schema are read, and nothing else")
    if type(data["schema_version"]) is not int:
        raise DataError("no schema version is given", value=data["schema_version"])
    return from_plain(kind, upcast(kind, data["schema_version"], data.get("value")))


def upcast(kind: type[Any], version: int, data: Any) -> Any:  # noqa: ANN401 - plain data
    """Bring plain data that an earlier version of the schema wrote to this version."""
    while version != SCHEMA_VERSION:
        newer = UPCASTERS.get((kind, version))
        if newer is None:
            known = f"schema version {SCHEMA_VERSION} is read here, and no way leads to it"
            raise DataError(known, value=version)
        version, data = version + 1, newer(data)
    return data


def from_plain(kind: type[T], data: Any, where: str = "") -> T:  # noqa: ANN401 - plain data
    """Read a value of a kind from plain data; ``where`` names the place it came from."""
    try:
        value = msgspec.convert(data, type=_READ_AS.get(kind, kind), dec_hook=_read, str_keys=True)
    except (msgspec.ValidationError, RecursionError) as error:
        raise DataError(f"not a {kind.__name__.lower()}: {_word_error(str(error))}", where=where) from None
    if isinstance(value, StoredCommand):
        return Command(value.by, value.action, id=value.id)  # type: ignore[return-value]
    return value  # type: ignore[no-any-return]


def _word_error(error: str) -> str:
    """Write what msgspec says is wrong; it repeats keys and values whole, and names the place at the end."""
    what, at, place = error.rpartition(" - at `")
    return f"{shortened(what)}{at}{place}" if at else shortened(error)


def _read(kind: type[Any], data: Any) -> Any:  # noqa: ANN401 - what msgspec does not know
    try:
        if kind is Card and data in _CARDS:
            return _CARDS[data]
        if kind is Cents and isinstance(data, int) and not isinstance(data, bool):
            if abs(data) > MOST_CENTS:
                raise ValueError("more money than there is")
            return Cents(data)
        if isinstance(kind, type) and issubclass(kind, BaseModel) and isinstance(data, Mapping):
            return as_document(kind, _with_days(kind, data), kind.__name__, lines=False)
    except HousewayError as error:
        raise ValueError(str(error)) from None
    if isinstance(data, kind):
        return data
    raise ValueError(f"{type(data).__name__} is no {kind.__name__}")


def _with_days(kind: Any, data: Any) -> Any:  # noqa: ANN401 - a type, and plain data
    """Read the days and times of a document, which TOML knows and JSON does not."""
    if isinstance(kind, type) and issubclass(kind, BaseModel) and isinstance(data, Mapping):
        known = {name: field.annotation for name, field in kind.model_fields.items()}
        return {name: _with_days(known.get(name), value) for name, value in data.items()}
    if isinstance(data, str):
        days = [cls for cls in _kinds_in(kind) if issubclass(cls, date)]
        return days[0].fromisoformat(data) if days else data
    inner = get_args(kind)
    if isinstance(data, Mapping) and get_origin(kind) is dict:
        return {name: _with_days(inner[1], value) for name, value in data.items()}
    if isinstance(data, list | tuple):
        return [_with_days(inner[0] if inner else None, value) for value in data]
    models = [cls for cls in _kinds_in(kind) if issubclass(cls, BaseModel)]
    return _with_days(models[0], data) if models and isinstance(data, Mapping) else data


def _kinds_in(kind: Any) -> list[type[Any]]:  # noqa: ANN401 - a type
    """Return the classes that an annotation names, however deep."""
    if isinstance(kind, type) and not get_args(kind):
        return [kind]
    return [cls for part in get_args(kind) for cls in _kinds_in(part)]


# --- actions as they come in --------------------------------------------------------------------------

_AT: Final = re.compile(r"^(?P<what>.*?)(?: - at `(?P<where>[^`]*)`)?$", re.S)
_FIELD: Final = re.compile(r"field `(\w+)`")
_PLACE: Final = re.compile(r"\$\.(?:\[\.\.\.\])?(\w+)")


def read_action(data: Mapping[str, Any], rules: Rules | None = None) -> Action:
    """Read an action from plain data, or refuse it with the field at fault.

    Where the game's procedure has a law about that field, the refusal cites it.
    """
    if not isinstance(data, Mapping):
        problem = Problem("action", "a step and its fields are needed", type(data).__name__)
        raise RefusedError("action", [problem])
    step = str(data.get(TAG))
    if step not in STEPS:
        raise RefusedError(step, [Problem(step, "no such step")])
    try:
        action: Action = msgspec.convert(dict(data), type=STEPS[step].action, dec_hook=_read, str_keys=True)
        canonical(action)
    except msgspec.ValidationError as error:
        raise RefusedError(step, [_problem(step, str(error), rules)]) from None
    except (RecursionError, UnicodeEncodeError, ValueError) as error:
        raise RefusedError(
            step, [Problem(step, f"cannot be written down: {shortened(str(error))}")]
        ) from None
    return action


def _problem(step: str, text: str, rules: Rules | None) -> Problem:
    """Return what is wrong with an action's shape, in plain words."""
    match = _AT.match(text)
    what, where = (match["what"], match["where"] or "") if match else (text, "")
    named, place = _FIELD.search(what), _PLACE.search(where)
    field = (place and place[1]) or (named and named[1]) or ""
    cited = law_of(rules, step, field) if rules is not None and field else ()
    return Problem(f"{step}.{field}" if field else step, what, None, cited)


# --- snapshots ----------------------------------------------------------------------------------------


def schema() -> dict[str, Any]:
    """Return the JSON Schema of commands, events and snapshots."""
    table, event = _describable_types()
    kinds = {"command": StoredCommand, "event": event, "snapshot": table}
    properties, components = schemas(kinds.values(), "#/$defs/{name}")
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "houseway rounds",
        "schema_version": SCHEMA_VERSION,
        "properties": dict(zip(kinds, properties, strict=True)),
        "$defs": components,
    }


def schemas(kinds: Iterable[Any], references: str) -> tuple[tuple[dict[str, Any], ...], dict[str, Any]]:
    """Return the JSON Schemas of types and of what they are made of; ``references`` says where that lies."""
    return msgspec.json.schema_components(kinds, schema_hook=_schema, ref_template=references)


def _describable_types() -> tuple[type[Struct], type[Struct]]:
    """Return the types of a table and an event as msgspec can describe them.

    It writes defaults down by itself and knows no cents, and names a generic type by all that it is made of.
    """
    playing_kind = _describe(Round, ("stake", Cents, msgspec.field(default_factory=Cents)))
    playing = ("round", playing_kind, msgspec.field(default_factory=playing_kind))
    table = _describe(Table, playing, ("last", playing_kind | None, None))
    return table, _describe(Event, ("action", AnyAction), ("outcome", AnyOutcome | None))


def _describe(kind: type[Struct], *fields: tuple[Any, ...]) -> type[Struct]:
    """Return a type of the same name that differs in some fields."""
    doc = {"__doc__": kind.__doc__}
    return msgspec.defstruct(kind.__name__, fields, bases=(kind,), namespace=doc, frozen=True, kw_only=True)


def _schema(kind: type[Any]) -> dict[str, Any]:
    if kind is Card:
        return {"type": "string", "pattern": "^([2-9TJQKA][cdhs]|Jk)$"}
    if kind is Cents:
        return {"type": "integer", "description": "whole cents"}
    if issubclass(kind, BaseModel):
        return {"type": "object", "title": kind.__name__}
    raise NotImplementedError(kind)
