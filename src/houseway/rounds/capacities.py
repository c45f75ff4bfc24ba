"""One person, one capacity: which capacities exclude each other at a table, in a round, and in an act.

``EXCLUSIONS`` is the whole table, and ``docs/capacities.md`` is made from it. Every command is asked about it
in one place, where ``deciding`` asks who acts and when. Where a game's procedure names clauses for an
exclusion, under its key, the refusal cites them. Everywhere else it is a rule of the house and says so:
another person in the house can always take the step.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from houseway.law.citations import UNCITED, Cites
from houseway.law.problems import Problem
from houseway.rounds.action import Action, position_of
from houseway.rounds.marks import HandMark, RoundMark
from houseway.rounds.roles import FLOOR, Role
from houseway.rounds.state import PersonId, Table
from houseway.rounds.step import Actor, AnyStep


class Capacity(StrEnum):
    """What a person is at a table, or does in an act."""

    DEALER = "dealer"
    """The dealer on duty: who is logged on, or is logging on."""
    SUPERVISOR = "supervisor"
    """A floorperson or a manager who acts at the table."""
    KEY_HOLDER = "key holder"
    """Who brings the jackpot key."""
    SECOND = "second person"
    """The second person named in an act that takes two."""
    PLAYER = "player"
    """Who sits at the table, or has a wager in the round: on a hand of their own or behind another's."""
    INSPECTOR = "inspector"
    """Who inspected the deck that the act is about."""
    WINNER = "winner"
    """Whose recorded win the act is about."""
    ABSENT = "absent player"
    """Who has left, in this round, the place that the act is for."""


class Scope(StrEnum):
    """How long one capacity keeps a person out of the other."""

    TABLE = "as long as they are that at the table"
    ROUND = "until the round is over"
    ACT = "in this act"


@dataclass(frozen=True)
class Exclusion:
    """A person who is one thing does not act as another."""

    key: str
    """Under this key a game's procedure names the clauses that say so."""
    acting: Capacity
    holding: Capacity
    scope: Scope
    reason: str
    because: str
    steps: frozenset[str] = frozenset()
    """The steps that it is about; all that are taken in the capacity, if none is named."""
    spared: frozenset[str] = frozenset()
    """The steps that are open all the same, so that no one is caught in two capacities."""
    sense: bool = False
    """Whether it follows from the nature of the thing, and needs neither a clause nor a rule of the house."""


HOUSE_RULE: Final = "house rule"
_SUPERVISES: Final = "a supervisor checks what the dealer does, and cannot check their own dealing"
_INTEREST: Final = "a person with a wager at a table gains or loses by what is ruled, verified and paid there"

EXCLUSIONS: Final = (
    Exclusion(
        "not_dealer",
        Capacity.SUPERVISOR,
        Capacity.DEALER,
        Scope.TABLE,
        "the dealer at the table does not supervise it",
        _SUPERVISES,
    ),
    Exclusion(
        "not_dealer",
        Capacity.KEY_HOLDER,
        Capacity.DEALER,
        Scope.TABLE,
        "the dealer at the table does not turn its key",
        _SUPERVISES,
    ),
    Exclusion(
        "not_player",
        Capacity.SUPERVISOR,
        Capacity.PLAYER,
        Scope.ROUND,
        "whoever plays at the table does not supervise it",
        _INTEREST,
    ),
    Exclusion(
        "not_player",
        Capacity.KEY_HOLDER,
        Capacity.PLAYER,
        Scope.ROUND,
        "whoever plays at the table does not turn its key",
        _INTEREST,
    ),
    Exclusion(
        "another",
        Capacity.SUPERVISOR,
        Capacity.INSPECTOR,
        Scope.ACT,
        "somebody other than the dealer verifies",
        "two people answer for a deck, regardless of who deals it afterwards",
        steps=frozenset({"verify_inspection", "attest_joker"}),
    ),
    Exclusion(
        "not_house",
        Capacity.PLAYER,
        Capacity.DEALER,
        Scope.TABLE,
        "the dealer at the table does not play at it",
        "the dealer handles the cards and the chips of all players",
        spared=frozenset({"leave"}),
    ),
    Exclusion(
        "not_house",
        Capacity.DEALER,
        Capacity.PLAYER,
        Scope.ROUND,
        "whoever plays at the table does not deal it",
        "the dealer handles the cards and the chips of all players",
        steps=frozenset({"log_on", "relieve"}),
    ),
    Exclusion(
        "second_not_player",
        Capacity.SECOND,
        Capacity.PLAYER,
        Scope.ROUND,
        "the second person does not play at the table",
        _INTEREST,
    ),
    Exclusion(
        "not_winner",
        Capacity.SUPERVISOR,
        Capacity.WINNER,
        Scope.ACT,
        "nobody acts on a win of their own",
        "the round of the win may be over, and its winner no longer a player",
    ),
    Exclusion(
        "not_winner",
        Capacity.SECOND,
        Capacity.WINNER,
        Scope.ACT,
        "nobody is the second person for a win of their own",
        "the round of the win may be over, and its winner no longer a player",
    ),
    Exclusion(
        "seated",
        Capacity.PLAYER,
        Capacity.ABSENT,
        Scope.ROUND,
        "the player has left the table",
        "a person who has left takes no further steps there",
        sense=True,
    ),
)
"""Which capacities exclude each other, and why."""

_ACTING: Final[Mapping[Role, Capacity]] = {
    **dict.fromkeys(FLOOR, Capacity.SUPERVISOR),
    Role.KEY_HOLDER: Capacity.KEY_HOLDER,
    Role.DEALER: Capacity.DEALER,
    Role.PLAYER: Capacity.PLAYER,
}
"""The capacity of an act, by the role that it is done in; devices have none."""


class Exclusions:
    """What keeps people out of one step, at a table of some rules."""

    def __init__(self, step: AnyStep, named: Mapping[str, Cites]) -> None:
        self.step = step
        self._rules = [
            (exclusion, named.get(exclusion.key, UNCITED))
            for exclusion in EXCLUSIONS
            if bears_on(exclusion, step) and not _asks_itself(step, exclusion.key, named)
        ]

    def problems(self, table: Table, by: Actor, action: Action) -> Iterator[Problem]:
        """Yield what a person is at the table, or in the act, that does not go with what they do."""
        acting = _ACTING.get(by.role)
        for exclusion, law in self._rules:
            if exclusion.acting is acting:
                out = by.id in self._holders(exclusion.holding, table, action)
            elif exclusion.acting is Capacity.SECOND:
                out = self._is_second(exclusion.holding, table, action)
            else:
                continue
            if out:
                yield _problem(self.step.name, exclusion, law)

    def kept_out(self, table: Table, role: Role, action: Action) -> frozenset[PersonId]:
        """Return who is kept out of the step in a role: it is not offered them."""
        acting = _ACTING.get(role)
        rules = (exclusion for exclusion, _ in self._rules if exclusion.acting is acting)
        return frozenset().union(*(self._holders(rule.holding, table, action) for rule in rules))

    def _holders(self, capacity: Capacity, table: Table, action: Action) -> frozenset[PersonId]:
        """Return who is something at a table, or in an act."""
        match capacity:
            case Capacity.DEALER:
                return frozenset({table.dealer} if table.dealer is not None else ())
            case Capacity.PLAYER:
                return players(table)
            case Capacity.INSPECTOR:
                deck = table.decks.get(getattr(action, "deck", ""))
                return frozenset({deck.inspected_by} if deck and deck.inspected_by is not None else ())
            case Capacity.WINNER:
                return frozenset(_winners(table, getattr(action, "win", None)))
            case Capacity.ABSENT:
                place = table.round.bank_seat if self.step.by_banker else position_of(action)
                return frozenset(_absent(table, place))
        return frozenset()

    def _is_second(self, capacity: Capacity, table: Table, action: Action) -> bool:
        """Whether the second person is something; they are named in writing, by their id or their name."""
        ids = self._holders(capacity, table, action)
        called = {seat.name for seat in table.seats.values() if seat.person in ids}
        second = plain_name(getattr(action, "second", None) or "")
        return bool(second) and second in map(plain_name, ids | called)


def bears_on(exclusion: Exclusion, step: AnyStep) -> bool:
    """Whether a step is taken in the capacity that an exclusion is about, and is not left open by it."""
    if exclusion.acting is Capacity.SECOND:
        taken = "second" in step.action.__struct_fields__
    else:
        taken = any(_ACTING.get(role) is exclusion.acting for role in step.roles)
    return taken and step.name not in exclusion.spared and step.name in (exclusion.steps or {step.name})


def _asks_itself(step: AnyStep, key: str, named: Mapping[str, Cites]) -> bool:
    """Whether a step has a condition of its own under a key, which binds and asks as much or more."""
    own = (guard for guard in step.guards if guard.key == key)
    return any(guard.sense or (key in named and named[key].binds) for guard in own)


def _problem(step: str, exclusion: Exclusion, law: Cites) -> Problem:
    if law or exclusion.sense:
        return Problem(step, exclusion.reason, None, law)
    return Problem(step, f"{exclusion.reason} ({HOUSE_RULE})")


# --- who is what --------------------------------------------------------------------------------------


def players(table: Table) -> frozenset[PersonId]:
    """Return who plays at a table: each person who sits there, banks, or has a wager in the round."""
    hands = table.round.hands.values()
    seated = (seat.person for seat in table.seats.values())
    behind = (bettor.person for hand in hands for bettor in hand.behind)
    return frozenset((*seated, *behind, *(hand.person for hand in hands)))


def has_left(table: Table, position: int) -> bool:
    """Whether the player of a place has left it during the round."""
    this_round = table.round
    hand = this_round.hands.get(position)
    banker_gone = position == this_round.bank_seat and this_round.has(RoundMark.BANKER_LEFT)
    return banker_gone or (hand is not None and hand.has(HandMark.LEFT))


def _absent(table: Table, place: int | None) -> Iterable[PersonId]:
    if place is not None and has_left(table, place):
        hand, seat = table.round.hands.get(place), table.seats.get(place)
        yield from (item.person for item in (hand, seat) if item is not None)


def _winners(table: Table, position: int | None) -> Iterable[PersonId]:
    """Yield whose win an act names: of this round, or else of the one before."""
    for played in (table.round, table.last):
        won = [win.person for win in played.wins if win.position == position] if played else []
        if won:
            return won
    return ()


def plain_name(name: str) -> str:
    """Return a name in a form for comparison: without case and with single spaces."""
    return " ".join(name.split()).casefold()
