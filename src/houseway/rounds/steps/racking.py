"""Cards racked so that every hand can be rebuilt, and the end of the round."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Final

from houseway.games import Rules
from houseway.law.claims import rest_on
from houseway.rounds.actions import ClearLammers, CloseRound, Rack
from houseway.rounds.marks import HandMark, RoundMark, TableMark
from houseway.rounds.outcomes import PutAway, RoundClosed
from houseway.rounds.state import Hand, Racked, RackedWhat, Table, changed
from houseway.rounds.step import (
    AnyStep,
    CitedOutcome,
    Clauses,
    Event,
    Guard,
    Proposal,
    Situation,
    Step,
    law_of,
)
from houseway.rounds.steps.common import (
    always,
    dealer_of,
    hand_has_not,
    hand_of,
    if_marked,
    marks_round,
    moot,
    round_has_not,
    sense,
)
from houseway.rounds.steps.ending import ended, seal_of
from houseway.rounds.steps.money import cited, paid, round_of
from houseway.rounds.steps.revealing import COLLECTED, SETTLING
from houseway.rounds.steps.starting import uses
from houseway.rounds.steps.turns import (
    due,
    envy_wagers,
    finished,
    next_hand,
    optional,
    papers_due,
    to_rearrange,
)
from houseway.settlement import Payment, PaymentKind, Status, refunds
from houseway.settlement.bank import close_bank, open_bank
from houseway.settlement.model import PROGRESSIVE

_SURRENDERED: Final = Status.SURRENDERED
_FACE_UP: Final = "an envied hand stays face up until the envy is paid"

# --- a hand -------------------------------------------------------------------------------------------


def _optional_settled(s: Situation, action: Rack) -> bool:
    hand = hand_of(s, action)
    return hand.settled.issuperset(optional(s.rules, hand))


def _nothing_due(s: Situation, action: Rack) -> bool:
    return not due(s.rules, hand_of(s, action))


def _kept_for_bonus(s: Situation, action: Rack) -> bool:
    hand = hand_of(s, action)
    return hand.status is _SURRENDERED or _not_to_rearrange(s, action)


def _kept_after_surrender(s: Situation, action: Rack) -> bool:
    return hand_of(s, action).status is not _SURRENDERED or _not_to_rearrange(s, action)


def _not_to_rearrange(s: Situation, action: Rack) -> bool:
    hand = hand_of(s, action)
    return hand.has(HandMark.REARRANGED) or not to_rearrange(s.rules, s.table, hand)


def _envy_over(s: Situation, action: Rack, *, placed: bool) -> bool:
    """Whether the envy is paid of a hand whose player placed such a wager, or did not."""
    hand, apart = hand_of(s, action), "envy_progressive" in s.rules.game.procedure["rack"]
    owed = [terms.id for terms in s.rules.envied if terms.id in hand.envied - s.round.envy_paid]
    return not any((hand.amount(w) > 0) is placed for w in owed if w != PROGRESSIVE or not apart)


def _envy_over_progressive(s: Situation, action: Rack) -> bool:
    return PROGRESSIVE not in hand_of(s, action).envied or PROGRESSIVE in s.round.envy_paid


def _documented(s: Situation, action: Rack) -> bool:
    return not papers_due(hand_of(s, action))


def _surrendered_counted(s: Situation, action: Rack) -> bool:
    hand = hand_of(s, action)
    return hand.status is not _SURRENDERED or hand.has(HandMark.COUNTED)


def _one_deck(s: Situation, _: Rack) -> bool:
    return s.table.rack_deck in (None, s.round.deck)


def _racking(s: Situation, action: Rack) -> CitedOutcome[PutAway]:
    """Put a hand away as it was set; surrendered cards that nobody has seen are only counted."""
    hand, size, number = hand_of(s, action), s.rules.game.hand_cards, s.round.number
    law = _put_away_by(s.rules, hand)
    rest_on(*law)
    if hand.status is _SURRENDERED and not hand.has(HandMark.REARRANGED):
        unseen = Racked(RackedWhat.SURRENDERED, hand.position, (), size, None, number)
        return CitedOutcome(PutAway((unseen,)), law)
    racked = Racked(RackedWhat.HAND, hand.position, hand.cards, size, hand.setting, number)
    return CitedOutcome(PutAway((racked,)), law)


def _put_away_by(rules: Rules, hand: Hand) -> Clauses:
    """Return the sentence that sends just this hand to the rack, where there is one."""
    if hand.has(HandMark.REARRANGED):
        lost = hand.amount(PROGRESSIVE) and not hand.has(HandMark.PROGRESSIVE_WIN)
        return law_of(rules, "rack", "lost_progressive") if lost else ()
    return law_of(rules, "rack", "without_bonus") if hand.status is Status.PLAYED else ()


def _rack(table: Table, event: Event[Rack, PutAway]) -> Table:
    table = table.mark_hand(event.action.position, HandMark.RACKED)
    return changed(table, rack=(*table.rack, *event.outcome.racked), rack_deck=table.round.deck)


def rebuilt(rack: Iterable[Racked], position: int) -> Racked | None:
    """Find a hand again in the discard rack: its cards and how they were set."""
    return next((one for one in rack if one.position == position and one.cards), None)


# --- the end of the round -----------------------------------------------------------------------------


def _reconciled(s: Situation, _: ClearLammers) -> bool:
    """Every wager on the table is settled, Envy too."""
    done = all(finished(s.rules, s.table, hand) for hand in s.round.playing())
    return done and not envy_wagers(s.rules, s.table)


def _all_racked(table: Table) -> bool:
    return all(hand.has(HandMark.RACKED) for hand in table.round.playing())


def _shaker_back(s: Situation, _: CloseRound) -> bool:
    return not uses(s.rules, "shaker") or s.round.has(RoundMark.SHAKER_BACK)


def _all_ruled(s: Situation, _: CloseRound) -> bool:
    return all(not hand.has(HandMark.LEFT) or hand.has(HandMark.RULED) for hand in s.round.active())


def _lammers_cleared(s: Situation, _: CloseRound) -> bool:
    keeps = "clear_lammers" in s.rules.game.procedure
    return not keeps or not s.round.lammers or s.round.has(RoundMark.LAMMERS_CLEARED)


def _game_over(s: Situation, _: CloseRound) -> bool:
    return not s.round.has(RoundMark.COIN_IN) or s.round.has(RoundMark.GAME_OVER)


def _closing(s: Situation, _: CloseRound) -> CitedOutcome[RoundClosed]:
    this_round, size = s.round, s.rules.game.hand_cards
    cards, setting = this_round.dealer_cards, this_round.dealer_setting
    racked = Racked(RackedWhat.DEALER, s.table.dealer_at, cards, size, setting, this_round.number)
    payments = _bank_closed(s) if s.rules.banked else ()
    return cited(RoundClosed(payments=payments, racked=racked, seal=seal_of(s)))


def _bank_closed(s: Situation) -> tuple[Payment, ...]:
    """Close the bank: what it holds goes back to the player-dealer, fees without action where they do."""
    made, before = round_of(s), s.round.payments
    bank = open_bank(made, before)
    close_bank(bank)
    fees = tuple(payment for payment in before if payment.kind is PaymentKind.FEE)
    return (*bank.payments, *refunds(made, fees, before))


def _close(table: Table, event: Event[CloseRound, RoundClosed]) -> Table:
    table = paid(table, event)
    return ended(changed(table, rack=(*table.rack, event.outcome.racked)))


# --- what is due --------------------------------------------------------------------------------------


def _suggest_rack(rules: Rules, table: Table) -> Iterable[Proposal]:
    for hand in table.round.playing():
        if (
            not hand.has(HandMark.RACKED)
            and finished(rules, table, hand)
            and (hand.has(HandMark.ANNOUNCED) or hand.status is Status.ABANDONED)
        ):
            yield Proposal(dealer_of(table), Rack(hand.position))


def _suggest_clear(_: Rules, table: Table) -> Iterable[Proposal]:
    if table.round.lammers and not table.round.has(RoundMark.LAMMERS_CLEARED):
        yield Proposal(dealer_of(table), ClearLammers())


def _suggest_close(_: Rules, table: Table) -> Iterable[Proposal]:
    if table.round.hands and _all_racked(table):
        yield Proposal(dealer_of(table), CloseRound())


STEPS: Final[tuple[AnyStep, ...]] = (
    Step(
        action=Rack,
        phases=SETTLING,
        guards=(
            moot("the cards are racked already", hand_has_not(HandMark.RACKED)),
            sense("nothing is racked while a wager on it is open", _nothing_due),
            COLLECTED,
            Guard("all_settled", "all of a player's optional wagers are settled first", _optional_settled),
            always("for_bonus", "the cards stay to be rearranged", _kept_for_bonus),
            always("surrendered", "surrendered cards stay for the Envy Bonus", _kept_after_surrender),
            always("envy", _FACE_UP, if_marked(HandMark.HELD, partial(_envy_over, placed=True))),
            always("envy_other", _FACE_UP, if_marked(HandMark.HELD, partial(_envy_over, placed=False))),
            Guard(
                "envy_progressive",
                _FACE_UP,
                _envy_over_progressive,
            ),
            always(
                "documented",
                "the cards stay until the payout's papers are complete",
                _documented,
            ),
            Guard("counted", "surrendered cards are counted first", _surrendered_counted),
            Guard("one_deck", "the rack holds the cards of one deck", _one_deck),
        ),
        outcome=_racking,
        evolve=_rack,
        automatic_next=next_hand,
        suggest=_suggest_rack,
    ),
    Step(
        action=ClearLammers,
        phases=SETTLING,
        guards=(always("reconciled", "the lammers stay until every wager is reconciled", _reconciled),),
        evolve=marks_round(RoundMark.LAMMERS_CLEARED),
        suggest=_suggest_clear,
    ),
    Step(
        action=CloseRound,
        phases=SETTLING,
        guards=(
            always("racked", "every hand is settled and racked first", lambda s, _: _all_racked(s.table)),
            sense("envy is owed", lambda s, _: not envy_wagers(s.rules, s.table)),
            Guard("shaker", "the shaker is covered, shaken once and put back first", _shaker_back),
            always("ruled", "the floor rules about a player who left first", _all_ruled),
            sense("the lammers are cleared first", _lammers_cleared),
            sense("the dealer presses Game Over first", _game_over),
            sense("the key stands at RUN first", lambda s, _: not s.table.has(TableMark.KEY_JPH)),
            sense("the dealer's hand is reset first", round_has_not(RoundMark.DEALER_WRONG)),
        ),
        outcome=_closing,
        evolve=_close,
        suggest=_suggest_close,
    ),
)
