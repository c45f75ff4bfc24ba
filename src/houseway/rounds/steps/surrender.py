"""A hand surrendered after the dealer's is set, and its cards counted face down."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Final

from houseway.games import Rules
from houseway.rounds.action import OnHand
from houseway.rounds.annotations import Ask
from houseway.rounds.marks import HandMark, RoundMark
from houseway.rounds.outcomes import Paid
from houseway.rounds.roles import Role
from houseway.rounds.stage import Stage
from houseway.rounds.state import CardOrigin, Phase, Table
from houseway.rounds.step import AnyStep, CitedOutcome, Event, Panel, Proposal, Situation, Step, Words
from houseway.rounds.steps.common import (
    always,
    dealer_of,
    hand_has_not,
    hand_of,
    is_own_hand,
    is_playing,
    marks_hand,
    moot,
    round_has,
    sense,
)
from houseway.rounds.steps.money import area_at, cite_payments, keep_payments, round_of
from houseway.rounds.steps.payments import pay_wager
from houseway.rounds.steps.turns import SETTLING
from houseway.settlement import Status
from houseway.settlement.model import MAIN


class Surrender(OnHand, frozen=True, tag="surrender"):
    """A player surrenders the hand."""


class CountSurrendered(OnHand, frozen=True, tag="count_surrendered"):
    """Surrendered cards are counted face down."""

    cards: Annotated[int, Ask("Cards")]


# --- surrendered --------------------------------------------------------------------------------------


def _unexposed(s: Situation, action: Surrender) -> bool:
    """Whether the dealer has read none of the hand: cards that are typed in have been turned over."""
    hand, typed = hand_of(s, action), s.table.source is CardOrigin.TYPED
    read = typed and (hand.cards or action.position in s.round.typed or hand.has(HandMark.REOPENED))
    return not (hand.shown or read)


def _no_optional(s: Situation, action: Surrender) -> bool:
    return not any(amount for wager, amount in hand_of(s, action).wagers.items() if wager != MAIN)


def _decide_surrender(s: Situation, action: Surrender) -> CitedOutcome[Paid]:
    after = s.with_table(s.table.with_hand(action.position, status=Status.SURRENDERED))
    payments, _ = pay_wager(round_of(after), area_at(after, action.position), MAIN, None, [])
    return cite_payments(Paid(payments=tuple(payments)))


def _surrender(table: Table, event: Event[Surrender, Paid]) -> Table:
    hand = table.round.hands[event.action.position]
    return keep_payments(table, event).with_hand(
        hand.position,
        status=Status.SURRENDERED,
        settled=frozenset({MAIN}),
        marks=(hand.marks - {HandMark.CHOOSING}) | {HandMark.ANNOUNCED},
    )


def _counted_right(s: Situation, action: CountSurrendered) -> bool:
    return action.cards == s.rules.game.hand_cards


# --- what is due --------------------------------------------------------------------------------------


def _suggest_count(rules: Rules, table: Table) -> Iterable[Proposal]:
    for hand in table.round.playing():
        if hand.status is Status.SURRENDERED and not hand.has(HandMark.COUNTED):
            yield Proposal(dealer_of(table), CountSurrendered(hand.position, rules.game.hand_cards))


STEPS: Final[tuple[AnyStep, ...]] = (
    Step(
        action=Surrender,
        stage=Stage.PLAYERS,
        by=(Role.PLAYER,),
        phases=(Phase.SETTING, Phase.DEALER, Phase.SETTLING),
        words=Words(
            "Surrender the hand",
            follows="The hand does not race, and its whole main wager is lost.",
        ),
        guards=(
            sense("only the player of the hand", is_own_hand),
            always("seated", "the player has left the table", hand_has_not(HandMark.LEFT)),
            always("after_dealer", "after the dealer's hands are set", round_has(RoundMark.DEALER_SET)),
            always("alone", "not beside an optional wager", _no_optional),
            always(
                "before_reveal",
                "before any of that player's hands is exposed",
                _unexposed,
            ),
            moot("the hand is not in play", is_playing),
        ),
        outcome=_decide_surrender,
        evolve=_surrender,
        choice=True,
        panels=(Panel.SEAT, Panel.HAND),
    ),
    Step(
        action=CountSurrendered,
        stage=Stage.SETTLE,
        by=(Role.DEALER,),
        phases=SETTLING,
        words=Words(
            "Count surrendered cards",
            follows="It is on record that the surrendered hand is complete.",
        ),
        guards=(
            moot(
                "the hand is not surrendered",
                lambda s, action: hand_of(s, action).status is Status.SURRENDERED,
            ),
            moot("the surrendered cards are counted already", hand_has_not(HandMark.COUNTED)),
            always("right", "the surrendered cards are counted face down", _counted_right, "cards"),
        ),
        evolve=marks_hand(HandMark.COUNTED),
        suggest=_suggest_count,
    ),
)
