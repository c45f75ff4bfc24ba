"""One ``Step``, many uses: what may be done at a table, by whom, when, on which conditions, and what it does.

A step is written once, and ``deciding`` makes of it what is wrong with a command, what comes of it, and
the table afterwards. A game's procedure names the steps it has and the clauses behind their conditions, so
that chapters which share a rule share the object and differ by their citations.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from dataclasses import replace as replace_fields
from datetime import datetime
from enum import StrEnum
from typing import Any, Final, Generic, NamedTuple, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from houseway.errors import InvalidInputError, has_control_characters
from houseway.games import Rules
from houseway.law.citations import Cites
from houseway.law.problems import Problem
from houseway.ledger import Movement
from houseway.meters import Meter, MeterMove
from houseway.ranking.memo import once
from houseway.rounds.action import Action, Position, position_of, step_of
from houseway.rounds.asks import Asking
from houseway.rounds.chance import Moment
from houseway.rounds.outcomes import Outcome
from houseway.rounds.roles import Role
from houseway.rounds.stage import Stage
from houseway.rounds.state import PersonId, Phase, Round, Table
from houseway.settlement import Payment, meter_terms

CommandId = str
"""Made by the caller, so that a command sent twice is known to be the same."""
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
    """What a person might do."""

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
    """What a person wants to do, under a name of its own."""

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
    name, state = table.meter, moment.meters[table.meter]
    terms = once(rules.memo.meters, name, meter_terms, rules, name)
    return Meter(terms, state.value, state.reserve)


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
    reason_in: Mapping[str, str] = field(default_factory=dict, compare=False)
    """The reason in games whose law has another word for the thing, by game."""

    def in_game(self, game: str) -> Guard[Asked_contra]:
        """Return the condition with its reason in the words of a game."""
        reason = self.reason_in.get(game)
        return self if reason is None else replace_fields(self, reason=reason)


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


class Words(Struct, frozen=True):
    """What people read and say at a step: its button, what follows, and the words spoken aloud if fixed."""

    button: str
    follows: str
    says: str = ""
    done: str = "Done"
    """What the dealer presses once it is done, where nothing else is left to say about it."""


class Panel(StrEnum):
    """Where a screen offers a step that is not a part of every round."""

    WRONG = "wrong"
    """The dealer reports that something went wrong."""
    RULINGS = "rulings"
    """The floor rules."""
    JACKPOT = "jackpot"
    """A progressive win is verified and paid."""
    SEAT = "seat"
    """A player's page has a place of its own for it."""
    HAND = "hand"
    """The player is offered it next to the hand."""


class Next(NamedTuple):
    """What a table that does so by itself does next: a step, by its name, with a hand."""

    step: str
    position: Position


@dataclass(frozen=True, kw_only=True)
class Step(Generic[A, O]):
    """Something that may be done at a table, and all that there is to say about it."""

    action: type[A]
    by: Collection[Role]
    """Who takes the step; no one, where it follows from something else by law."""
    phases: tuple[Phase, ...]
    words: Words
    unoffered: frozenset[Role] = frozenset()
    """Those of them to whom no table offers it: the house tells them when it is theirs."""
    stage: Stage | None = None
    """The part of a round to which it belongs, if it belongs to one."""
    guards: Sequence[Guard[A]] = ()
    checks: Sequence[Check[A]] = ()
    outcome: Callable[[Situation, A], O | CitedOutcome[O]] | None = None
    evolve: Callable[[Table, Event[A, O]], Table] = lambda table, _: table
    consequences: Callable[[Situation, Event[A, O]], Sequence[Action]] | None = None
    """What follows by law."""
    automatic_next: Callable[[Rules, Table, Event[A, O]], Next | None] | None = None
    """What a table that does so by itself does next."""
    suggest: Callable[[Rules, Table], Iterable[Proposal]] = lambda _, __: ()

    declined: Callable[[A], Action | None] = lambda _: None
    """What is done instead by a player who does not want what is offered, where it is an offer."""

    brings: Callable[[Table, Actor, A], PersonId | None] = lambda _, __, ___: None
    """Who takes a seat by it, or puts up more than lies there, by any command: whom a house may bar."""

    takes_over: bool = False
    """Whether a dealer who is not at the table may take the step."""
    while_stopped: bool = False
    after_bets: bool = False
    """Whether it waits until everyone has bet."""
    exceptional: bool = False
    """Whether it is taken only where something went wrong, or is set right."""
    words_in: Mapping[str, Words] = field(default_factory=dict, compare=False)
    """The words in games whose law has another word for the thing, by game."""
    choice: bool = False
    """Whether a player decides it, and may want to decide otherwise where that can be undone."""
    deliberate: bool = False
    """Whether a player needs time for it, as for a look at the cards."""
    followed: bool = False
    """Whether people want to follow it: a table that plays by itself does not hurry it."""
    foretold: bool = False
    """Whether its consequences may be shown before: those who may take it know all that they depend on."""

    asks: Asking = lambda *_: {}
    """What its fields take at a table, beyond what their types say."""
    panels: Collection[Panel] = ()
    """Where screens offer it."""
    at_dealer: bool = False
    """Whether it may be about the hand that the others race, too."""
    by_banker: bool = False
    """Whether the player who takes it is the one who banks, wherever they sit."""
    standing: bool = False
    """Whether a player takes it who does not sit there, or not yet."""
    places: Callable[[Rules, Table], Iterable[Position]] | None = None
    """Where it may be taken, unless wherever a person sits or has a hand."""
    guests: Callable[[Rules, Table], Mapping[Position, Sequence[PersonId]]] = lambda _, __: {}
    """Free positions where players who sit elsewhere may take it too, and who they are."""
    not_for: Callable[[Table, Position | None], frozenset[PersonId]] = lambda _, __: frozenset()
    """Whom it is not offered."""

    name: str = field(init=False)
    """The name of the step."""
    roles: frozenset[Role] = field(init=False)
    """Who may take the step, as a set."""
    moot: tuple[Guard[A], ...] = field(init=False)
    """The conditions without which there is nothing to do."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "name", step_of(self.action))
        object.__setattr__(self, "roles", frozenset(self.by))
        object.__setattr__(self, "moot", tuple(guard for guard in self.guards if guard.moot))

    def words_for(self, game: str) -> Words:
        """Return the words of the step in a game."""
        return self.words_in.get(game, self.words)


AnyStep = Step[Any, Any]


def law_of(rules: Rules, step: str, key: str) -> Cites:
    """Return the clauses that a game names for a condition, at a table that deals its way."""
    return rules.game.law_of(step, key, rules.way)


def in_law(rules: Rules, step: str, key: str) -> bool:
    """Whether a game names a condition, and a clause of it is in force."""
    return bool(law_of(rules, step, key))
