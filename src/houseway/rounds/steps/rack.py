"""Cards racked so that every hand can be rebuilt."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Final

from houseway.games import Rules
from houseway.law.citations import UNCITED, Cites
from houseway.rounds.action import OnHand
from houseway.rounds.marks import HandMark
from houseway.rounds.outcomes import PutAway
from houseway.rounds.roles import Role
from houseway.rounds.stage import Stage
from houseway.rounds.state import Hand, Racked, RackedWhat, Table, changed
from houseway.rounds.step import (
    AnyStep,
    CitedOutcome,
    Event,
    Guard,
    Proposal,
    Situation,
    Step,
    Words,
    law_of,
)
from houseway.rounds.steps.common import always, dealer_of, hand_has_not, hand_of, if_marked, moot, sense
from houseway.rounds.steps.turns import (
    COLLECTED,
    SETTLING,
    due,
    envy_is_open,
    finished,
    next_hand,
    optional,
    papers_due,
    to_rearrange,
)
from houseway.settlement import Status
from houseway.settlement.model import PROGRESSIVE


class Rack(OnHand, frozen=True, tag="rack"):
    """A hand is put into the discard rack."""


_SURRENDERED: Final = Status.SURRENDERED
_FACE_UP: Final = "an envied hand stays face up until the Envy Bonuses are settled"


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
    """Whether the envy is settled of a hand whose player placed such a wager, or did not."""
    hand, apart = hand_of(s, action), "envy_progressive" in s.rules.game.procedure["rack"]
    earning = [w for w in hand.envied if (w != PROGRESSIVE or not apart) and (hand.amount(w) > 0) is placed]
    return not any(envy_is_open(s.rules, s.table, wager) for wager in earning)


def _envy_over_progressive(s: Situation, action: Rack) -> bool:
    return PROGRESSIVE not in hand_of(s, action).envied or not envy_is_open(s.rules, s.table, PROGRESSIVE)


def _documented(s: Situation, action: Rack) -> bool:
    return not papers_due(hand_of(s, action))


def _surrendered_counted(s: Situation, action: Rack) -> bool:
    hand = hand_of(s, action)
    return hand.status is not _SURRENDERED or hand.has(HandMark.COUNTED)


def _one_deck(s: Situation, _: Rack) -> bool:
    return s.table.rack_deck in (None, s.round.deck)


def _decide_rack(s: Situation, action: Rack) -> CitedOutcome[PutAway]:
    """Put a hand away as it was set; surrendered cards that no one has seen are only counted."""
    hand, size, number = hand_of(s, action), s.rules.game.hand_cards, s.round.number
    law = _put_away_by(s.rules, hand)
    if hand.status is _SURRENDERED and not hand.has(HandMark.REARRANGED):
        unseen = Racked(RackedWhat.SURRENDERED, hand.position, (), size, None, number)
        return CitedOutcome(PutAway((unseen,)), law)
    racked = Racked(RackedWhat.HAND, hand.position, hand.cards, size, hand.setting, number)
    return CitedOutcome(PutAway((racked,)), law)


def _put_away_by(rules: Rules, hand: Hand) -> Cites:
    """Return the sentence that sends just this hand to the rack, where there is one."""
    if hand.has(HandMark.REARRANGED):
        lost = hand.amount(PROGRESSIVE) and not hand.has(HandMark.PROGRESSIVE_WIN)
        return law_of(rules, "rack", "lost_progressive") if lost else UNCITED
    return law_of(rules, "rack", "without_bonus") if hand.status is Status.PLAYED else UNCITED


def _rack(table: Table, event: Event[Rack, PutAway]) -> Table:
    table = table.mark_hand(event.action.position, HandMark.RACKED)
    return changed(table, rack=(*table.rack, *event.outcome.racked), rack_deck=table.round.deck)


# --- what is due --------------------------------------------------------------------------------------


def _suggest_rack(rules: Rules, table: Table) -> Iterable[Proposal]:
    for hand in table.round.playing():
        if (
            not hand.has(HandMark.RACKED)
            and finished(rules, table, hand)
            and (hand.has(HandMark.ANNOUNCED) or hand.status is Status.ABANDONED)
        ):
            yield Proposal(dealer_of(table), Rack(hand.position))


STEPS: Final[tuple[AnyStep, ...]] = (
    Step(
        action=Rack,
        stage=Stage.SETTLE,
        by=(Role.DEALER,),
        phases=SETTLING,
        words=Words(
            "Rack the hand",
            done="Racked",
            follows="The hand lies in the discard rack and is finished for this round.",
        ),
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
        outcome=_decide_rack,
        evolve=_rack,
        automatic_next=next_hand,
        suggest=_suggest_rack,
    ),
)
