"""One ``Step``, many uses: what may be done at a table, by whom, when, on which conditions, and what it does.

A step is written once, and ``deciding`` makes of it what is wrong with a command, what comes of it, and
the table afterwards. A game's procedure names the steps it has and the clauses behind their conditions, so
that chapters which share a rule share the object and differ by their citations.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from functools import cached_property
from typing import Any, Final, Literal, NamedTuple

from msgspec import Struct

from houseway.errors import UnknownNameError
from houseway.law.claims import standing
from houseway.law.problems import Problem
from houseway.rng import Entropy
from houseway.rounds.state import NOTHING, Phase, Table


class Role(StrEnum):
    """In what capacity somebody acts."""

    PLAYER = "player"
    DEALER = "dealer"
    FLOORPERSON = "floorperson"
    MANAGER = "manager"
    DEVICE = "device"


FLOOR: Final = frozenset({Role.FLOORPERSON, Role.MANAGER})
"""A floorperson or above."""
BY_DEALER: Final = frozenset({Role.DEALER})
BY_DEALER_OR_DEVICE: Final = frozenset({Role.DEALER, Role.DEVICE})
BY_PLAYER: Final = frozenset({Role.PLAYER})
BY_PLAYER_OR_DEALER: Final = frozenset({Role.PLAYER, Role.DEALER})
BY_LAW: Final[frozenset[Role]] = frozenset()
"""Nobody commands it: it follows from something else."""


class Actor(NamedTuple):
    """A person, or a device, and the capacity in which they act."""

    name: str
    role: Role

    def __str__(self) -> str:
        return f"{self.role} {self.name}" if self.name != self.role else str(self.role)


class Command(Struct, frozen=True):
    """What somebody wants to do."""

    step: str
    by: Actor
    position: int | None = None
    details: Mapping[str, Any] = NOTHING

    def get(self, name: str, default: Any = None) -> Any:  # noqa: ANN401 - any detail's type
        """Return a detail of the command."""
        return self.details.get(name, default)


class Event(Struct, frozen=True):
    """What was done: the command, when, what came of it, by which clauses, and what gave cause for alarm."""

    step: str
    by: Actor
    at: datetime
    position: int | None = None
    details: Mapping[str, Any] = NOTHING
    outcome: Mapping[str, Any] = NOTHING
    clauses: tuple[str, ...] = ()
    alerts: tuple[Problem, ...] = ()

    def get(self, name: str, default: Any = None) -> Any:  # noqa: ANN401 - any detail's type
        """Return a detail of the command, or of what came of it."""
        return self.outcome.get(name, self.details.get(name, default))


@dataclass(frozen=True)
class Moment:
    """What a decision is made with besides the table: the clock and the dice."""

    now: datetime
    entropy: Entropy


Holds = Callable[[Table, Command], bool]
Bearer = Literal["deck", "play", "hand"]
"""What bears marks."""


@dataclass(frozen=True)
class Marked:
    """The commonest condition: what has been done to the deck, in the round or with the hand, and what not.

    All such conditions of a step are asked as one question.
    """

    of: Bearer
    has: frozenset[str] = frozenset()
    lacks: frozenset[str] = frozenset()

    def __call__(self, table: Table, command: Command) -> bool:
        """Look at the marks."""
        return self._question(table, command)

    @cached_property
    def _question(self) -> Holds:
        return asking(self.of, self.has, self.lacks)


def asking(of: Bearer, has: frozenset[str], lacks: frozenset[str]) -> Holds:
    """Return the question whether a deck, the round or a hand bears these marks and none of those."""

    def of_play(table: Table, _: Command) -> bool:
        marks = table.play.marks
        return has <= marks and lacks.isdisjoint(marks)

    def of_hand(table: Table, command: Command) -> bool:
        marks = table.play.hands[command.position or 0].marks
        return has <= marks and lacks.isdisjoint(marks)

    def of_deck(table: Table, command: Command) -> bool:
        marks = table.decks[command.details["deck"]].marks
        return has <= marks and lacks.isdisjoint(marks)

    return {"play": of_play, "hand": of_hand, "deck": of_deck}[of]


@dataclass(frozen=True)
class Bearing:
    """A condition on hands that bear one of these marks. Few do; the others are not asked."""

    marks: frozenset[str]
    holds: Holds

    def __call__(self, table: Table, command: Command) -> bool:
        """Ask, if the hand bears such a mark."""
        marks = table.play.hands[command.position or 0].marks
        return marks.isdisjoint(self.marks) or self.holds(table, command)


Consequence = tuple[str, Mapping[str, Any]]
"""A step that follows from another by law, and what comes of it."""


@dataclass(frozen=True)
class Guard:
    """A condition on a step: it binds where the game's procedure names it, or always if it is plain sense.

    A procedure may name a condition without a clause: it binds that game by the nature of the thing.
    """

    key: str
    reason: str
    holds: Holds
    sense: bool = False
    warns: bool = False


@dataclass(frozen=True)
class Step:
    """Something that may be done at a table."""

    name: str
    by: frozenset[Role]
    phases: tuple[Phase, ...]
    guards: tuple[Guard, ...] = ()
    takes: Mapping[str, type | tuple[type, ...]] = field(default_factory=dict)
    needs: str = ""
    takes_over: bool = False
    while_stopped: bool = False
    outcome: Callable[[Table, Command, Moment], Mapping[str, Any]] | None = None
    evolve: Callable[[Table, Event], Table] = lambda table, _: table
    then: Callable[[Table, Event], Sequence[Consequence]] | None = None
    onward: Callable[[Table, Event], Command | None] | None = None
    further: Callable[[Table, Command, datetime], Iterable[Problem]] | None = None
    suggest: Callable[[Table], Iterable[Command]] = lambda _: ()


_steps: dict[str, Step] = {}


def register(*steps: Step) -> None:
    """Add steps to those that games may have."""
    for step in steps:
        if step.name in _steps:
            raise ValueError(f"the step {step.name} is written twice")
        _steps[step.name] = step


def all_steps() -> Mapping[str, Step]:
    """Return every step that is written, by name."""
    return _steps


def step_named(name: str) -> Step:
    """Return a step by its name."""
    try:
        return _steps[name]
    except KeyError:
        raise UnknownNameError("no such step", value=name) from None


def law_of(table: Table, step: str, key: str) -> tuple[str, ...]:
    """Return the clauses that a table's game names for a condition."""
    return table.rules.game.law_of(step, key, table.way)


def in_law(table: Table, step: str, key: str) -> bool:
    """Whether a table's game names a condition, and a clause of it is in force."""
    return bool(standing(law_of(table, step, key)))
