"""The end of a round that was played out."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Final

from houseway.games import Rules
from houseway.rounds.action import Action
from houseway.rounds.annotations import Readers
from houseway.rounds.marks import HandMark, RoundMark, TableMark
from houseway.rounds.outcomes import Ends
from houseway.rounds.roles import Role
from houseway.rounds.stage import Stage
from houseway.rounds.state import Racked, RackedWhat, Table, changed
from houseway.rounds.step import AnyStep, CitedOutcome, Event, Guard, Proposal, Situation, Step, Words
from houseway.rounds.steps.common import always, dealer_of, marks_round, moot, round_has_not, sense
from houseway.rounds.steps.keypad import claim_open
from houseway.rounds.steps.lammers import BUTTONS, word_for_buttons
from houseway.rounds.steps.money import cite_payments, keep_payments, round_of, standing
from houseway.rounds.steps.ruling import end_round, seal_of
from houseway.rounds.steps.start import uses
from houseway.rounds.steps.turns import SETTLING, envy_wagers, finished
from houseway.settlement import Payment, PaymentKind, refunds
from houseway.settlement.bank import close_bank, open_bank


class ClearLammers(Action, frozen=True, tag="clear_lammers"):
    """The Envy lammers are taken off the layout."""


class CloseRound(Action, frozen=True, tag="close_round"):
    """The round ends."""


class RoundClosed(Ends, frozen=True, tag="round_closed", kw_only=True):
    """A round that was played out, the dealer's cards racked last."""

    racked: Annotated[Racked, Readers.EVERYBODY]


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


def _decide_close(s: Situation, _: CloseRound) -> CitedOutcome[RoundClosed]:
    this_round, size = s.round, s.rules.game.hand_cards
    cards, setting = this_round.dealer_cards, this_round.dealer_setting
    racked = Racked(RackedWhat.DEALER, s.table.dealer_at, cards, size, setting, this_round.number)
    payments = _close_bank(s) if s.rules.banked else ()
    return cite_payments(RoundClosed(payments=payments, racked=racked, seal=seal_of(s)))


def _close_bank(s: Situation) -> tuple[Payment, ...]:
    """Close the bank: what it holds goes back to the player-dealer, fees without action where they do."""
    showdown, before = round_of(s), standing(s.round.payments)
    bank = open_bank(showdown, before)
    close_bank(bank)
    fees = tuple(payment for payment in before if payment.kind is PaymentKind.FEE)
    return (*bank.payments, *refunds(showdown, fees, before))


def _close(table: Table, event: Event[CloseRound, RoundClosed]) -> Table:
    table = keep_payments(table, event)
    return end_round(changed(table, rack=(*table.rack, event.outcome.racked)))


# --- what is due --------------------------------------------------------------------------------------


def _suggest_clear(_: Rules, table: Table) -> Iterable[Proposal]:
    if table.round.lammers and not table.round.has(RoundMark.LAMMERS_CLEARED):
        yield Proposal(dealer_of(table), ClearLammers())


def _suggest_close(_: Rules, table: Table) -> Iterable[Proposal]:
    if table.round.hands and _all_racked(table):
        yield Proposal(dealer_of(table), CloseRound())


STEPS: Final[tuple[AnyStep, ...]] = (
    Step(
        action=ClearLammers,
        stage=Stage.ENVY,
        by=(Role.DEALER,),
        phases=SETTLING,
        words=Words(
            "Clear the lammers",
            follows="No Envy lammer is left on the layout.",
        ),
        words_in={BUTTONS: Words("Take the Envy buttons", follows="No Envy button is left on the layout.")},
        guards=(
            word_for_buttons(
                moot("the lammers are cleared already", round_has_not(RoundMark.LAMMERS_CLEARED)),
                "the buttons are taken already",
            ),
            word_for_buttons(
                always("reconciled", "the lammers stay until every wager is reconciled", _reconciled),
                "the buttons stay until every wager is reconciled",
            ),
        ),
        evolve=marks_round(RoundMark.LAMMERS_CLEARED),
        suggest=_suggest_clear,
    ),
    Step(
        action=CloseRound,
        stage=Stage.END,
        by=(Role.DEALER,),
        phases=SETTLING,
        words=Words(
            "Close the round",
            done="Said",
            says="Place your bets, please.",
            follows="The last cards are racked, the round is over, and the next one opens for bets.",
        ),
        guards=(
            always("racked", "every hand is settled and racked first", lambda s, _: _all_racked(s.table)),
            sense("envy is owed", lambda s, _: not envy_wagers(s.rules, s.table)),
            Guard("shaker", "the shaker is covered, shaken once and put back first", _shaker_back),
            always("ruled", "the floor rules about a player who left first", _all_ruled),
            word_for_buttons(
                sense("the lammers are cleared first", _lammers_cleared), "the buttons are taken first"
            ),
            always("game_over", "the dealer presses Game Over first", _game_over),
            sense("a claim on the keypad is still open", lambda s, _: not claim_open(s.table)),
            sense("the key stands at RUN first", lambda s, _: not s.table.has(TableMark.KEY_JPH)),
            sense("the dealer's hand is reset first", round_has_not(RoundMark.DEALER_WRONG)),
        ),
        outcome=_decide_close,
        evolve=_close,
        suggest=_suggest_close,
        followed=True,
    ),
)
