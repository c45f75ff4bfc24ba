"""Players sit and leave; the floor rules about the hand of one who left."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Annotated, Final

from houseway.games import Rules
from houseway.money import Cents
from houseway.rounds.action import Action, AtPosition, OnHand
from houseway.rounds.annotations import Ask, Shown
from houseway.rounds.capacities import has_left
from houseway.rounds.marks import HandMark, RoundMark, TableMark
from houseway.rounds.outcomes import Moves
from houseway.rounds.roles import FLOOR, Role
from houseway.rounds.state import IN_ROUND, NO_MONEY, PersonId, Phase, Seat, Table, TableDeck, changed
from houseway.rounds.step import AnyStep, Event, Guard, Panel, Situation, Step, Words
from houseway.rounds.steps.common import (
    NOT_HOUSE,
    all_declining_stops_play,
    given,
    hand_of,
    moot,
    not_the_house,
    offers_over,
    own_seats,
    positions,
    sense,
)
from houseway.rounds.steps.cut import continuous
from houseway.rounds.steps.dealers import ANY
from houseway.rounds.steps.idle import is_idle
from houseway.rounds.steps.money import banker_of, move_bank, return_stakes, wagers_behind
from houseway.rounds.steps.ruling import StopRound
from houseway.settlement import Status
from houseway.settlement.model import MAIN, PROGRESSIVE


class Sit(AtPosition, frozen=True, tag="sit"):
    """A player sits down."""


class Leave(AtPosition, frozen=True, tag="leave"):
    """A player gets up; where the house says so, the dealer or the floor records that they did."""


class RuleAbandoned(OnHand, frozen=True, tag="rule_abandoned"):
    """The floor rules about the hand of a player who left."""

    lost: Annotated[bool, Ask("The wagers are lost")]
    reason: Annotated[str, Ask("Reason")]


class HasLeft(Moves, frozen=True, tag="has_left", kw_only=True):
    """Whether a player left during the round, and what follows for the bank when all have declined it.

    ``returned`` are the wagers of those who stood behind a hand that no one plays now.
    """

    during_round: Annotated[bool, Shown("left_during_round")]
    play_stops: bool = False
    returned: Annotated[Mapping[str, Mapping[str, Cents]], Shown("returned")] = {}


RECORDS_LEAVING: Final = frozenset({Role.DEALER, *FLOOR})
"""Who records that a player got up who is not to play: a house rule, so the house says when, and for whom."""
READY_FOR: Final = timedelta(hours=1)
"""So long the cards of a table just opened wait for its first player; the law names no time."""


# --- players ------------------------------------------------------------------------------------------


def _is_position(s: Situation, action: Sit) -> bool:
    return action.position in positions(s.rules)


def _free(s: Situation, action: Sit) -> bool:
    return action.position not in s.table.seats


def _spread_first(s: Situation, _: Sit) -> bool:
    """The player who comes first to an open table at which no one plays finds its cards spread.

    No one plays from the moment the last player has left. Cards made ready for a first player who does not
    come are no longer so after a while.
    """
    table = s.table
    if table.seats or table.phase is not Phase.BETTING or continuous(s.rules):
        return True
    return not (lain_too_long(s.rules, table, s.moment.now) or is_idle(s.rules, table))


def lain_too_long(rules: Rules, table: Table, now: datetime) -> bool:
    """Whether cards were made ready for players so long ago that they are spread before anyone plays."""
    if table.ready_since is None or continuous(rules):
        return False
    return now - table.ready_since >= READY_FOR


def _sit(table: Table, event: Event[Sit, None]) -> Table:
    seat = Seat(person=event.by.id, arrived=table.arrivals, name=event.by.name)
    return changed(table, arrivals=table.arrivals + 1, seats={**table.seats, event.action.position: seat})


def _own_seat(s: Situation, action: Leave) -> bool:
    """Whether players leave seats of their own; anyone else who records it names where the player sits."""
    seat = s.table.seats.get(action.position)
    if s.by.role is not Role.PLAYER:
        return seat is not None and not seat.area and not has_left(s.table, action.position)
    return seat is not None and seat.person == s.by.id


def _in_hand(table: Table, position: int) -> bool:
    if position == table.round.bank_seat:
        return table.phase in IN_ROUND
    hand = table.round.hands.get(position)
    if hand is None or not hand.amount(MAIN):
        return False
    booked = table.round.has(RoundMark.COIN_IN) and bool(hand.amount(PROGRESSIVE))
    return table.phase in IN_ROUND or booked


def _areas(table: Table, position: int) -> list[int]:
    """Return the position that a player leaves, and with their only seat the second area they bet on."""
    seat = table.seats.get(position)
    if seat is None or seat.area or len(own_seats(table, seat.person)) > 1:
        return [position]
    more = [at for at, other in table.seats.items() if other.area and other.person == seat.person]
    return [position, *more]


def _stays(s: Situation, action: Leave) -> bool:
    return not any(_in_hand(s.table, at) for at in _areas(s.table, action.position))


def _decide_leave(s: Situation, action: Leave) -> HasLeft:
    """Before the round the wagers and the bank go with the player; during it they stay."""
    at, play_stops = action.position, all_declining_stops_play(s.rules)
    if not _stays(s, action):
        return HasLeft(during_round=True, play_stops=play_stops)
    hand = s.round.hands.get(at)
    stakes = tuple(stake for area in _areas(s.table, at) for stake in return_stakes(s.round.hands.get(area)))
    if s.table.banking.seat == at:
        stakes = (*stakes, *move_bank(banker_of(s.table), None, at))
    returned = wagers_behind(hand)
    return HasLeft(during_round=False, play_stops=play_stops, stakes=stakes, returned=returned)


def _leave(table: Table, event: Event[Leave, HasLeft]) -> Table:
    at = event.action.position
    left = _areas(table, at)
    table = changed(table, decks={name: _withdraw_offer(deck, at) for name, deck in table.decks.items()})
    if event.outcome.during_round:
        for area in left:
            table = _leave_during_round(table, area)
        return table
    hands = {position: hand for position, hand in table.round.hands.items() if position not in left}
    seats = {position: seat for position, seat in table.seats.items() if position not in left}
    banking = table.banking
    if banking.offering == at:
        banking = changed(banking, offering=None)
    table = table.with_round(hands=hands)
    if banking.seat == at:  # the bank is a person's, not a seat's
        banking = changed(banking, seat=None)
        table = table.with_round(bank_seat=None, stake=NO_MONEY)
    open_and_empty = table.phase is Phase.BETTING and not seats
    marks = table.marks | {TableMark.VACATED} if open_and_empty else table.marks
    table = changed(table, seats=seats, banking=banking, marks=marks)
    return offers_over(table, play_stops=event.outcome.play_stops)


def _withdraw_offer(deck: TableDeck, position: int) -> TableDeck:
    """Return a deck whose cut is no longer offered to the player who leaves a position."""
    return changed(deck, offered=None) if deck.offered == position else deck


def _leave_during_round(table: Table, at: int) -> Table:
    if at == table.round.bank_seat:
        return table.mark_round(RoundMark.BANKER_LEFT)
    if at not in table.round.hands:  # the player bet on the second area only
        return changed(
            table, seats={position: seat for position, seat in table.seats.items() if position != at}
        )
    if table.round.hands[at].has(HandMark.RACKED):
        return table.mark_hand(at, HandMark.LEFT, HandMark.RULED)
    return table.mark_hand(at, HandMark.LEFT)


def _stop(s: Situation, event: Event[Leave, HasLeft]) -> Sequence[Action]:
    """Where no clause says what follows when a player leaves their cards, the floor rules."""
    procedure = s.rules.game.procedure
    silent = "stop_round" in procedure and "rule_abandoned" not in procedure
    if silent and event.outcome.during_round:
        return [StopRound(f"the player at {event.action.position} left during the round")]
    return ()


def _left_unruled(s: Situation, action: RuleAbandoned) -> bool:
    hand = hand_of(s, action)
    return hand.has(HandMark.LEFT) and not hand.has(HandMark.RULED)


def _not_opened_if_lost(s: Situation, action: RuleAbandoned) -> bool:
    return not (action.lost and hand_of(s, action).shown)


def _rule(table: Table, event: Event[RuleAbandoned, None]) -> Table:
    at = event.action.position
    marks = table.round.hands[at].marks - {HandMark.CHOOSING}  # who has left chooses nothing
    if not event.action.lost:
        return table.with_hand(at, marks=marks | {HandMark.RULED})
    return table.with_hand(at, marks=marks | {HandMark.RULED, HandMark.PLACED}, status=Status.ABANDONED)


# --- where, and by whom -------------------------------------------------------------------------------


def _free_positions(rules: Rules, table: Table) -> Iterable[int]:
    return (at for at in positions(rules) if at not in table.seats)


def _people_seated(table: Table, _: int | None) -> frozenset[PersonId]:
    """Return who sits at the table already: no one sits down twice."""
    return frozenset(seat.person for seat in table.seats.values())


STEPS: Final[tuple[AnyStep, ...]] = (
    Step(
        action=Sit,
        by=(Role.PLAYER,),
        phases=ANY,
        words=Words(
            "Sit down",
            follows="The position belongs to the player, who can bet there while bets are open.",
        ),
        guards=(
            sense("the table has no such position", _is_position),
            sense("somebody sits there", _free),
            Guard("spread", "nobody played here: the cards are spread first", _spread_first),
            Guard("not_house", NOT_HOUSE, not_the_house),
        ),
        evolve=_sit,
        standing=True,
        places=_free_positions,
        not_for=_people_seated,
        brings=lambda _, by, __: by.id,
        panels=(Panel.SEAT,),
    ),
    Step(
        action=Leave,
        by=(Role.PLAYER, *RECORDS_LEAVING),
        unoffered=RECORDS_LEAVING,
        phases=ANY,
        words=Words(
            "Leave the table",
            follows=(
                "A player without a hand in the round frees the seat and takes any wagers back, "
                "and a hand in the round stays."
            ),
        ),
        guards=(
            sense("the player does not sit there", _own_seat),
            Guard(
                "stays",
                "a player with cards stays until the round ends: the floor is called",
                lambda s, action: s.table.phase is Phase.STARTING or _stays(s, action),
                warns=True,
            ),
            Guard(
                "leaves",
                "a player with a wager leaves during the round: the floor is called",
                lambda s, action: s.table.phase is not Phase.STARTING or _stays(s, action),
                warns=True,
            ),
        ),
        outcome=_decide_leave,
        evolve=_leave,
        consequences=_stop,
        while_stopped=True,
        panels=(Panel.SEAT,),
    ),
    Step(
        action=RuleAbandoned,
        by=FLOOR,
        phases=IN_ROUND,
        words=Words(
            "Rule on abandoned hand",
            follows="The hand of the player who left is played out or loses, as the floor rules.",
        ),
        guards=(
            moot("the player has not left during the round", _left_unruled),
            sense("a hand already opened is played out", _not_opened_if_lost, "lost"),
            sense("the reason is put on record", lambda _, action: given(action.reason), "reason"),
        ),
        evolve=_rule,
        panels=(Panel.RULINGS,),
        foretold=True,
    ),
)
