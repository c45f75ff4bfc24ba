"""The lies that are told of a floor: each an edit of its database, and what names it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple

from houseway.rounds.roles import Role
from houseway.rounds.step import Actor
from tests.floor.lies.edited import Edited
from tests.floor.lies.played import Value

NOBODY: Final = Actor("nobody", Role.FLOORPERSON)


class Lie(NamedTuple):
    """An edit, and what is said of it."""

    edit: Callable[[Edited], object]
    says: str
    options: tuple[str, ...] = ()
    """What ``verify-log`` is asked with besides."""


LIES: Final[dict[str, Lie]] = {}
KEY: Final = ("--key",)
EXPORTED: Final = ("--exported",)
MODELS: Final = ("--readmodels",)


def lie(says: str, *options: str) -> Callable[[Callable[[Edited], object]], Callable[[Edited], object]]:
    """Put an edit in the table, under its own name."""

    def put(edit: Callable[[Edited], object]) -> Callable[[Edited], object]:
        LIES[edit.__name__.replace("_", " ")] = Lie(edit, says, options)
        return edit

    return put


def changed(
    name: str, says: str, kind: str, change: Callable[[Value], object], number: int = 0, **value: Any
) -> None:
    """Put a change of one entry in the table."""
    LIES[name] = Lie(lambda edited: edited.change(kind, change, number, **value), says)


def rows_changed(name: str, says: str, statement: str, *options: str) -> None:
    """Put a change of some table's rows in the table; nothing is chained again."""
    LIES[name] = Lie(lambda edited: edited.sql(statement), says, options)


def event(change: Callable[[Value], object]) -> Callable[[Value], object]:
    """Change the first event of a turn."""
    return lambda value: change(value["events"][0])


def outcome(change: Callable[[Value], object]) -> Callable[[Value], object]:
    """Change what came of the first action of a turn."""
    return event(lambda value: change(value["outcome"]))


def put(**fields: Any) -> Callable[[Value], object]:
    """Put something else in some fields."""
    return lambda value: value.update(fields)


def by(who: Actor) -> Value:
    """Write somebody as they stand on record."""
    return {"id": who.id, "role": who.role.value, **({"name": who.name} if who.name else {})}


def as_if_by(who: Actor) -> Callable[[Value], object]:
    """Let somebody else have given a command, in the command and in its events."""

    def change(value: Value) -> None:
        value["command"]["by"] = by(who)
        for event in value["events"]:
            event["by"] = by(who)

    return change


def times_ten(value: Value) -> None:
    value["payments"][0]["units"] *= 10


def paid_to_another(value: Value) -> None:
    value["payments"][0]["person"] = value["payments"][0]["source"]["name"] = "dan"
