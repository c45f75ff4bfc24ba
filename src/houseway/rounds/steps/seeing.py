"""Who may see which cards: a seat its own, everybody what lies open by law, nobody what is left over."""

from __future__ import annotations

from typing import Final

from houseway.games import Rules
from houseway.rounds.actions import Looked, See
from houseway.rounds.marks import HandMark, RoundMark
from houseway.rounds.state import WITH_CARDS, Hand, Phase
from houseway.rounds.step import AnyStep, Role, Situation, Step
from houseway.rounds.steps.common import always, sense
from houseway.settlement import Status

EVERYBODY: Final = frozenset(Role)


def _hand(s: Situation, action: See) -> Hand | None:
    return s.play.hands.get(action.position or 0)


def _lies_open(rules: Rules, hand: Hand) -> bool:
    """A hand lies open once every part is revealed; a surrendered or a void one never does."""
    rearranged = hand.has(HandMark.REARRANGED)
    hidden = hand.status in (Status.SURRENDERED, Status.VOID) and not rearranged
    return not hidden and (len(hand.shown) == len(rules.game.parts) or rearranged)


def _not_stub(_: Situation, action: See) -> bool:
    return action.what is not Looked.STUB


def _not_empty(s: Situation, action: See) -> bool:
    if action.what is Looked.STUB or action.position == s.table.dealer_at:
        return True
    return _hand(s, action) is not None


def _dealt(s: Situation, action: See) -> bool:
    return action.what is Looked.STUB or s.play.has(RoundMark.COLLECTED)


def _own_or_open(s: Situation, action: See) -> bool:
    hand = _hand(s, action)
    if hand is None or hand.status is Status.SURRENDERED:
        return True
    own = hand.person == s.by.id and s.by.role is Role.PLAYER
    return own or _lies_open(s.rules, hand)


def _not_surrendered(s: Situation, action: See) -> bool:
    hand = _hand(s, action)
    return hand is None or hand.status is not Status.SURRENDERED or _lies_open(s.rules, hand)


def _choice_made(s: Situation, action: See) -> bool:
    hand = _hand(s, action)
    return hand is None or not hand.has(HandMark.CHOOSING)


def _looked(s: Situation, action: See) -> bool:
    hand = _hand(s, action)
    return hand is None or hand.has(HandMark.LOOKED) or _lies_open(s.rules, hand)


def _dealer_turned(s: Situation, action: See) -> bool:
    return action.position != s.table.dealer_at or s.table.phase in (Phase.DEALER, Phase.SETTLING)


STEPS: Final[tuple[AnyStep, ...]] = (
    Step(
        action=See,
        by=EVERYBODY,
        phases=(*WITH_CARDS, Phase.BETTING, Phase.STARTING),
        guards=(
            always("stub", "the cards left over are shown to nobody", _not_stub),
            always("empty", "the cards of a position without a wager are shown to nobody", _not_empty),
            always("before_deal", "the cards are looked at when the deal is complete", _dealt),
            always("others", "before it is opened only its player looks at a hand", _own_or_open),
            always("surrendered", "surrendered cards are shown to nobody", _not_surrendered),
            always("choosing", "the choice about an exposed card comes first", _choice_made),
            sense("the player has not looked yet", _looked),
            always("dealer", "the dealer's cards are not turned over yet", _dealer_turned),
        ),
    ),
)
