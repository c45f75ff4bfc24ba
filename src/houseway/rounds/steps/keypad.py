"""The progressive's keypad at a Washington table: hand buttons, claims and Game Over."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Final

from houseway.cards import Cards
from houseway.games import Rules
from houseway.rounds.action import Action, OnHand
from houseway.rounds.annotations import Ask, Readers, Shown
from houseway.rounds.marks import HandMark, RoundMark, TableMark
from houseway.rounds.outcomes import Outcome
from houseway.rounds.roles import FLOOR, Role
from houseway.rounds.stage import Stage
from houseway.rounds.state import Table
from houseway.rounds.step import AnyStep, Event, Panel, Proposal, Situation, Step, Words
from houseway.rounds.steps.common import (
    always,
    dealer_of,
    hand_of,
    marks_hand,
    marks_round,
    moot,
    round_has_not,
    sense,
)
from houseway.rounds.steps.jackpot import has_claim, is_backed_out, not_recorded, suggest_floor
from houseway.rounds.steps.progressive import asks_lines
from houseway.rounds.steps.turns import SETTLING, by_keypad, due, envy_wagers, finished
from houseway.settlement.model import PROGRESSIVE


class PressHand(OnHand, frozen=True, tag="press_hand"):
    """The dealer presses the button of a hand on the keypad; the same again takes it back."""

    hand: Annotated[str, Ask("Hand")]


class AcknowledgeClaim(OnHand, frozen=True, tag="acknowledge_claim"):
    """A supervisor has come to a claim."""


class VerifyJackpot(OnHand, frozen=True, tag="verify_jackpot"):
    """A supervisor verifies that the cards make the line that is claimed."""


class GameOver(Action, frozen=True, tag="game_over"):
    """The keypad is reset for the next round."""


class JackpotVerified(Outcome, frozen=True, tag="jackpot_verified"):
    """The cards that were looked at, and the line that they make."""

    cards: Annotated[Cards, Shown("cards"), Readers.EVERYBODY]
    line: Annotated[str, Shown("line")]


# --- claims -------------------------------------------------------------------------------------------


def _has_a_button(s: Situation, action: PressHand) -> bool:
    if not s.rules.offers(PROGRESSIVE):
        return False
    return any(line.hand == action.hand for line in s.rules.paytable(PROGRESSIVE).shown_lines())


def _unpaid(s: Situation, action: PressHand) -> bool:
    """Whether the wager is still to be settled, or its award is backed out and the right one may follow."""
    return PROGRESSIVE in due(s.rules, hand_of(s, action)) or is_backed_out(s.table, action.position)


def _press_hand(table: Table, event: Event[PressHand, None]) -> Table:
    """The same button again takes the press back; both are on record."""
    hand, pressed = table.round.hands[event.action.position], event.action.hand
    marks = hand.marks - {HandMark.ACKNOWLEDGED, HandMark.JACKPOT_VERIFIED}
    claim = None if hand.claim == pressed else pressed
    return table.with_hand(hand.position, claim=claim, marks=marks)


def _cards_make_it(s: Situation, action: VerifyJackpot) -> bool:
    hand = hand_of(s, action)
    return hand.made.get(PROGRESSIVE) == hand.claim


def _shares_meter(s: Situation, action: VerifyJackpot) -> bool:
    return not _cards_make_it(s, action) or by_keypad(s.rules, hand_of(s, action))


def _decide_verification(s: Situation, action: VerifyJackpot) -> JackpotVerified:
    hand = hand_of(s, action)
    return JackpotVerified(hand.cards, hand.claim or "")


# --- Game Over ----------------------------------------------------------------------------------------


def _key_in_run(s: Situation, _: GameOver) -> bool:
    return not s.table.has(TableMark.KEY_JPH) and all(win.adjusted for win in s.round.wins)


def claim_open(table: Table) -> bool:
    """Whether a hand button is pressed for a win that J-POT has not recorded."""
    return any(hand.claim and not hand.has(HandMark.JACKPOT) for hand in table.round.playing())


def _all_reconciled(rules: Rules, table: Table) -> bool:
    """Every seat settled, and no claim open that J-POT has not recorded."""
    hands = table.round.playing()
    if claim_open(table):
        return False
    return not envy_wagers(rules, table) and all(finished(rules, table, hand) for hand in hands)


# --- what is due --------------------------------------------------------------------------------------


def _suggest_claims(rules: Rules, table: Table) -> Iterable[Proposal]:
    for hand in table.round.playing():
        open_here = PROGRESSIVE in due(rules, hand) and not is_backed_out(table, hand.position)
        if open_here and by_keypad(rules, hand) and hand.claim is None:
            yield Proposal(dealer_of(table), PressHand(hand.position, hand.made[PROGRESSIVE]))


def _suggest_over(rules: Rules, table: Table) -> Iterable[Proposal]:
    pressed = table.round.has(RoundMark.COIN_IN) and not table.round.has(RoundMark.GAME_OVER)
    if pressed and _all_reconciled(rules, table):
        yield Proposal(dealer_of(table), GameOver())


STEPS: Final[tuple[AnyStep, ...]] = (
    Step(
        action=PressHand,
        stage=Stage.SETTLE,
        by=(Role.DEALER,),
        phases=SETTLING,
        words=Words(
            "Press the hand button",
            says="Supervisor, please.",
            follows=(
                "The hand is claimed on the keypad, or the claim is taken back if the same "
                "button was pressed before."
            ),
        ),
        guards=(
            moot(
                "no progressive wager there", lambda s, action: bool(hand_of(s, action).amount(PROGRESSIVE))
            ),
            moot("the wager is settled already", _unpaid),
            sense("the posted paytable has no such line", _has_a_button, "hand"),
            always("final", "after J-POT only a manual adjustment takes a win back", not_recorded),
        ),
        evolve=_press_hand,
        suggest=_suggest_claims,
        asks=asks_lines,
    ),
    Step(
        action=AcknowledgeClaim,
        stage=Stage.SETTLE,
        by=FLOOR,
        phases=SETTLING,
        words=Words(
            "Acknowledge the claim",
            follows="A supervisor is at the claim and can verify it.",
        ),
        guards=(moot("no hand button is pressed there", has_claim),),
        evolve=marks_hand(HandMark.ACKNOWLEDGED),
        suggest=suggest_floor(AcknowledgeClaim, HandMark.ACKNOWLEDGED),
        panels=(Panel.JACKPOT,),
    ),
    Step(
        action=VerifyJackpot,
        stage=Stage.SETTLE,
        by=FLOOR,
        phases=SETTLING,
        words=Words(
            "Verify the jackpot",
            follows="The claim is verified, and the win can be recorded while the key stands at JPH.",
        ),
        guards=(
            moot("no hand button is pressed there", has_claim),
            always("cards", "the cards do not make the line that is claimed", _cards_make_it),
            always(
                "percentage", "the line is no share of the meter: it is paid without the key", _shares_meter
            ),
        ),
        outcome=_decide_verification,
        evolve=marks_hand(HandMark.JACKPOT_VERIFIED),
        suggest=suggest_floor(VerifyJackpot, HandMark.JACKPOT_VERIFIED, after=HandMark.ACKNOWLEDGED),
        panels=(Panel.JACKPOT,),
    ),
    Step(
        action=GameOver,
        stage=Stage.END,
        by=(Role.DEALER,),
        phases=SETTLING,
        words=Words(
            "Press Game Over",
            follows="The keypad is reset for the next round.",
        ),
        guards=(
            moot("the system is reset already", round_has_not(RoundMark.GAME_OVER)),
            always("key", "the key stands at RUN first", _key_in_run),
            always(
                "reconciled",
                "every seat is settled and no claim open first",
                lambda s, _: _all_reconciled(s.rules, s.table),
            ),
        ),
        evolve=marks_round(RoundMark.GAME_OVER),
        suggest=_suggest_over,
    ),
)
