"""One ``Step``, many uses: what may be done at a table, by whom, when, on which conditions, and what it does.

A step is written once, and ``deciding`` makes of it what is wrong with a command, what comes of it, and
the table afterwards. A game's procedure names the steps it has and the clauses behind their conditions, so
that chapters which share a rule share the object and differ by their citations.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final, Generic, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from houseway.errors import InvalidInputError, has_control_characters
from houseway.games import Rules
from houseway.law.claims import recall, standing
from houseway.law.problems import Problem
from houseway.ledger import Movement
from houseway.meters import Meter, MeterMove
from houseway.rounds.actions import Action, Position, position_of, step_of
from houseway.rounds.chance import Moment
from houseway.rounds.outcomes import Outcome
from houseway.rounds.roles import STEP_ROLES, Role
from houseway.rounds.state import PersonId, Phase, Round, Table
from houseway.settlement import Payment, meter_terms

CommandId = str
"""Made by whoever commands, so that a command sent twice is known to be the same."""
LONGEST_CALLED: Final = 200
Clauses = tuple[str, ...]
Fields = tuple[str, ...]
"""Fields of an action, by name."""
A = TypeVar("A", bound=Action)
Asked_contra = TypeVar("Asked_contra", bound=Action, contravariant=True)
O = TypeVar("O", bound=Outcome | None)  # noqa: E741 - an outcome


class Actor(Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """A person, or a device, by its id, and the capacity in which they act; the name is only shown."""

    id: PersonId
    role: Role
    name: str = ""

    def __post_init__(self) -> None:
        for text in (self.id, self.name):
            if len(text) > LONGEST_CALLED:
                raise InvalidInputError(f"a name has at most {LONGEST_CALLED} characters", value=text)
            if has_control_characters(text):
                raise InvalidInputError("no control characters in a name", value=text)

    @property
    def shown(self) -> str:
        """What people call them."""
        return self.name or self.id

    def __str__(self) -> str:
        return f"{self.role} {self.shown}" if self.shown != self.role else str(self.role)


class Proposal(Struct, frozen=True, gc=False):
    """What somebody might do."""

    by: Actor
    action: Action

    @property
    def step(self) -> str:
        """The name of the step."""
        return self.action.step

    @property
    def position(self) -> Position | None:
        """The position that the action names, if it names one."""
        return position_of(self.action)


class Command(Proposal, frozen=True, kw_only=True):
    """What somebody wants to do, under a name of its own."""

    id: CommandId


class Event(
    Struct, Generic[A, O], frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True, kw_only=True
):
    """What was done: by whom, when, in which round, what came of it, by which clauses, what was alarming."""

    seq: int
    cause: CommandId
    round: int
    at: datetime
    by: Actor
    action: A
    outcome: O
    clauses: Clauses = ()
    alerts: tuple[Problem, ...] = ()

    @property
    def step(self) -> str:
        """The name of the step."""
        return self.action.step

    @property
    def position(self) -> Position | None:
        """The position that the action names, if it names one."""
        return position_of(self.action)


AnEvent = Event[Any, Any]


class Situation(Struct, frozen=True, gc=False):
    """What a condition may look at: the rules, the table, the moment, and who acts."""

    rules: Rules
    table: Table
    moment: Moment
    by: Actor

    @property
    def round(self) -> Round:
        """The round in progress."""
        return self.table.round

    @property
    def meter(self) -> Meter | None:
        """The meter that the table contributes to, as it stands now, with the terms of its rules."""
        return meter_of(self.rules, self.table, self.moment)

    def with_table(self, table: Table) -> Situation:
        """Return the situation at another table."""
        return replace(self, table=table)

    def moved(self, meter: Meter | None, by: Iterable[Payment | Movement]) -> MeterMove | None:
        """Return how the meter moved if payments leave it like this; nothing if none of them touched it.

        An award and a reseed may leave it where it was: it moved all the same.
        """
        name = self.table.meter
        if meter is None or name is None:
            return None
        accounts = (meter.terms.account, meter.terms.reserve_account)
        touched = any(moved.source in accounts or moved.to in accounts for moved in by)
        return MeterMove(name, self.moment.meters.get(name), meter.state) if touched else None


def meter_of(rules: Rules, table: Table, moment: Moment) -> Meter | None:
    """Return a table's meter as it stands at a moment."""
    if table.meter is None or not rules.offers("progressive"):
        return None
    name, held = table.meter, moment.meters[table.meter]
    terms = recall(rules.memo.meters, name, meter_terms, rules, name)
    return Meter(terms, held.value, held.reserve)


Holds = Callable[[Situation, A], bool]


@dataclass(frozen=True)
class Guard(Generic[Asked_contra]):
    """A condition on a step: it binds where the game's procedure names it, or always if it is plain sense.

    A procedure may name a condition without a clause: it binds that game by the nature of the thing.
    """

    key: str
    reason: str
    holds: Callable[[Situation, Asked_contra], bool]
    sense: bool = False
    warns: bool = False
    about: Fields = ()
    """The fields whose values it judges: as long as one is not filled in, nothing can be said."""
    moot: bool = False
    """Whether there is nothing to do where it fails: then the step is not even offered."""


@dataclass(frozen=True)
class Check(Generic[Asked_contra]):
    """A condition that finds its own reasons."""

    find: Callable[[Situation, Asked_contra], Iterable[Problem]]
    about: Fields = ()
    """The fields whose values it judges."""


class CitedOutcome(Struct, Generic[O], frozen=True, gc=False):
    """An outcome with the clauses that decided it."""

    outcome: O
    clauses: Clauses


@dataclass(frozen=True, kw_only=True)
class Step(Generic[A, O]):
    """Something that may be done at a table."""

    action: type[A]
    phases: tuple[Phase, ...]
    guards: Sequence[Guard[A]] = ()
    takes_over: bool = False
    """Whether a dealer who is not at the table may take the step."""
    while_stopped: bool = False
    checks: Sequence[Check[A]] = ()
    outcome: Callable[[Situation, A], O | CitedOutcome[O]] | None = None
    evolve: Callable[[Table, Event[A, O]], Table] = lambda table, _: table
    consequences: Callable[[Situation, Event[A, O]], Sequence[Action]] | None = None
    """What follows by law."""
    automatic_next: Callable[[Rules, Table, Event[A, O]], Proposal | None] | None = None
    """What a table that does so by itself does next."""
    suggest: Callable[[Rules, Table], Iterable[Proposal]] = lambda _, __: ()

    name: str = field(init=False)
    """The name of the step."""

    by: frozenset[Role] = field(init=False)
    """Who may take the step; nobody, where it follows from something else by law."""

    moot: tuple[Guard[A], ...] = field(init=False)
    """The conditions without which there is nothing to do."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "name", step_of(self.action))
        object.__setattr__(self, "by", STEP_ROLES[self.name])
        object.__setattr__(self, "moot", tuple(guard for guard in self.guards if guard.moot))


AnyStep = Step[Any, Any]


def law_of(rules: Rules, step: str, key: str) -> Clauses:
    """Return the clauses that a game names for a condition, at a table that deals its way."""
    return rules.game.law_of(step, key, rules.way)


def in_law(rules: Rules, step: str, key: str) -> bool:
    """Whether a game names a condition, and a clause of it is in force."""
    return bool(standing(law_of(rules, step, key)))
