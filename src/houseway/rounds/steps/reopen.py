"""Cards typed in wrongly: a confirmed hand typed in again, and what was settled on it undone.

The dealer's hand is typed in again while nothing is settled by it. Where something is, the hands on which
it was settled are reopened first, each with its own reason, and what they were paid is undone with them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Final

from houseway.rounds.action import AtPosition
from houseway.rounds.annotations import Ask
from houseway.rounds.marks import HandMark, RoundMark
from houseway.rounds.outcomes import Paid
from houseway.rounds.roles import FLOOR
from houseway.rounds.state import Hand, Phase, Racked, Table, changed
from houseway.rounds.step import AnyStep, CitedOutcome, Event, Panel, Situation, Step, Words
from houseway.rounds.steps.common import always, given, moot, sense
from houseway.rounds.steps.jackpot import not_recorded
from houseway.rounds.steps.money import cite_payments, keep_payments, standing, taken_before, undo_all
from houseway.rounds.steps.typed import is_typed
from houseway.settlement import Payment, PaymentKind, Status
from houseway.settlement.model import MAIN


class ReopenEntry(AtPosition, frozen=True, tag="reopen_entry"):
    """The floor lets a confirmed hand be typed in again, a player's or the dealer's."""

    reason: Annotated[str, Ask("Reason")]


_SURRENDERED: Final = Status.SURRENDERED
_BY_THE_CARDS: Final = frozenset(
    {
        HandMark.FOUL,
        HandMark.REARRANGED,
        HandMark.HELD,
        HandMark.JOKER_ROYAL,
        HandMark.REVIEWED,
        HandMark.PROGRESSIVE_WIN,
        HandMark.PROGRESSIVE_SHARE,
        HandMark.WIN_VERIFIED,
        HandMark.LIGHT,
        HandMark.UNLIT,
        HandMark.VALIDATED,
        HandMark.PAID_AWAY,
        HandMark.ACKNOWLEDGED,
        HandMark.JACKPOT_VERIFIED,
        HandMark.JACKPOT,
        HandMark.DOCUMENTED,
        HandMark.RACKED,
    }
)
"""What is done with a hand by the cards that it holds."""
_AT_THE_END: Final = frozenset({RoundMark.LAMMERS_CLEARED, RoundMark.GAME_OVER})
"""What is done when every hand is settled."""
_BY_DEALERS_CARDS: Final = frozenset(
    {RoundMark.DEALER_SET, RoundMark.DEALER_WRONG, RoundMark.RESET, RoundMark.BANK_RESET}
)
"""What is done by the cards of the hand that the others race."""


# --- which hand ---------------------------------------------------------------------------------------


def _is_confirmed(s: Situation, action: ReopenEntry) -> bool:
    if action.position == s.table.dealer_at:
        return bool(s.round.dealer_cards)
    hand = s.round.hands.get(action.position)
    return hand is not None and bool(hand.cards)


def _none_settled_by_it(s: Situation, action: ReopenEntry) -> bool:
    """Whether no hand is settled by the dealer's cards, where it is those that are typed in again.

    A wager that was given up is lost regardless of the dealer's hand.
    """
    others = (hand for hand in s.round.hands.values() if hand.status not in (_SURRENDERED, Status.VOID))
    return action.position != s.table.dealer_at or not any(map(_counted, others))


def _not_recorded_there(s: Situation, action: ReopenEntry) -> bool:
    return action.position == s.table.dealer_at or not_recorded(s, action)


# --- what is undone -----------------------------------------------------------------------------------


def _dependent_payments(s: Situation, at: int) -> Iterator[Payment]:
    """Yield what was settled on a hand and depends on its cards: with a bank, what was settled on every hand.

    What a bank pays one hand it cannot pay the next, so all are settled again in their order. Envy depends on
    every hand.
    """
    given_up = s.round.hands[at].status is _SURRENDERED
    if not _counted(s.round.hands[at]):
        return
    for payment in standing(s.round.payments):
        here = s.rules.banked or payment.position == at
        stands = taken_before(payment) or (given_up and payment.wager == MAIN)
        if payment.kind is PaymentKind.ENVY or (here and not stands):
            yield payment


def _counted(hand: Hand) -> bool:
    """Whether anything was settled, or found for the bonus wagers, by the cards of a hand."""
    by_cards = hand.settled - {MAIN} if hand.status is _SURRENDERED else hand.settled
    return bool(by_cards) or hand.has(HandMark.REARRANGED)


def _decide_reopening(s: Situation, action: ReopenEntry) -> CitedOutcome[Paid | None]:
    if action.position == s.table.dealer_at:
        return CitedOutcome(None, ())
    settled = list(_dependent_payments(s, action.position))
    if not settled:
        return CitedOutcome(None, ())
    back, meter = undo_all(settled, "its cards were typed in wrongly", s.meter)
    return cite_payments(Paid(payments=tuple(back), meter=s.moved(meter, back)))


# --- the hand afterwards ------------------------------------------------------------------------------


def _reopen(table: Table, event: Event[ReopenEntry, Paid | None]) -> Table:
    at = event.action.position
    if at == table.dealer_at:
        return _reopen_dealer(table)
    banked = table.round.bank_seat is not None and _counted(table.round.hands[at])
    if event.outcome is not None:
        table = keep_payments(table, event)
    hands = {other: _unsettle(hand) if banked else hand for other, hand in table.round.hands.items()}
    hands[at] = _turn_face_down(hands[at])
    unracked = set(hands) if banked else {at}
    rack = tuple(entry for entry in table.rack if not _lies_there(table, entry, unracked))
    marks = table.round.marks - _AT_THE_END
    return changed(table, rack=rack).with_round(hands=hands, marks=marks, envy_paid=frozenset())


def _reopen_dealer(table: Table) -> Table:
    """Return the table before the dealer's cards were typed in; hands opened since are opened again."""
    hands = {at: _to_open_again(hand) for at, hand in table.round.hands.items()}
    table = table.with_round(
        dealer_cards=(), dealer_setting=None, marks=table.round.marks - _BY_DEALERS_CARDS, hands=hands
    )
    return changed(table, phase=Phase.DEALER)


def _to_open_again(hand: Hand) -> Hand:
    """Return a hand as it was before it was opened, its cards known."""
    if not hand.shown or hand.status in (_SURRENDERED, Status.VOID):
        return hand
    return changed(
        hand,
        shown=frozenset(),
        race=None,
        status=Status.PLAYED if hand.status is Status.FOULED else hand.status,
        marks=(hand.marks - {HandMark.ANNOUNCED, HandMark.FOUL}) | {HandMark.REOPENED},
    )


def _turn_face_down(hand: Hand) -> Hand:
    """Return a hand as it was before it was opened; what a player gave up stays given up."""
    given_up = hand.status is _SURRENDERED
    marks = hand.marks - _BY_THE_CARDS
    if hand.shown or hand.has(HandMark.REARRANGED):
        marks |= {HandMark.REOPENED}
    return changed(
        hand,
        cards=(),
        setting=None,
        status=Status.PLAYED if hand.status is Status.FOULED else hand.status,
        marks=marks if given_up else marks - {HandMark.ANNOUNCED},
        shown=frozenset(),
        settled=hand.settled & {MAIN} if given_up else frozenset(),
        race=None,
        made={},
        envied=frozenset(),
        claim=None,
    )


def _unsettle(hand: Hand) -> Hand:
    """Return a hand that lies open as before, with everything on it to be settled again."""
    if hand.status is Status.VOID:
        return hand
    return changed(hand, settled=frozenset(), marks=hand.marks - {HandMark.RACKED})


def _lies_there(table: Table, racked: Racked, positions: set[int]) -> bool:
    """Whether these are the cards of one of these hands of the round, put into the rack."""
    hand = table.round.hands.get(racked.position or 0)
    mine = hand is not None and racked.position in positions and hand.status is not Status.VOID
    return mine and racked.round == table.round.number and hand is not None and hand.has(HandMark.RACKED)


STEPS: Final[tuple[AnyStep, ...]] = (
    Step(
        action=ReopenEntry,
        by=FLOOR,
        phases=(Phase.DEALER, Phase.SETTLING),
        exceptional=True,
        words=Words(
            "Reopen the entry",
            follows=(
                "The cards typed for the hand no longer count and have to be typed again, and what was "
                "settled by them is undone."
            ),
        ),
        guards=(
            moot("the cards of this table are known", is_typed),
            moot("nothing is confirmed there", _is_confirmed),
            always("award", "the award recorded there is backed out first", _not_recorded_there),
            sense(
                "a hand is settled by the dealer's cards: its entry is reopened first", _none_settled_by_it
            ),
            sense("the reason is put on record", lambda _, action: given(action.reason), "reason"),
        ),
        outcome=_decide_reopening,
        evolve=_reopen,
        panels=(Panel.RULINGS,),
        at_dealer=True,
    ),
)
