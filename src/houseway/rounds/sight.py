"""Who may see which cards: a seat its own, everyone what lies open by law, no one what is left over.

Looking is no act at the table: it changes nothing and is not on record. What hides a hand is written once
here and cited by each game's own clauses, in its document under *sight*.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from msgspec import Struct

from houseway.cards import Cards
from houseway.games import Rules
from houseway.games.procedure import clauses_for
from houseway.law.citations import Cites
from houseway.law.problems import Problem, refuse
from houseway.rounds.action import Position
from houseway.rounds.marks import HandMark, RoundMark
from houseway.rounds.roles import Role
from houseway.rounds.state import Hand, Phase, Table
from houseway.rounds.step import Actor
from houseway.settlement import Status

CARDS: Final = "cards"


class Sight(Struct, frozen=True, gc=False):
    """A person who looks at the cards of a position, and what lies there."""

    rules: Rules
    table: Table
    viewer: Actor
    position: Position

    @property
    def hand(self) -> Hand | None:
        """The player's hand at the position, if one is played there."""
        return self.table.round.hands.get(self.position)

    @property
    def at_dealer(self) -> bool:
        """Whether the hand lies there that the others race."""
        return self.position == self.table.dealer_at


@dataclass(frozen=True)
class Concealment:
    """Why cards are hidden, and whether they are."""

    key: str
    reason: str
    hides: Callable[[Sight], bool]


def lies_open(rules: Rules, hand: Hand) -> bool:
    """Whether a hand lies open: every part revealed; a surrendered or a void one never does."""
    rearranged = hand.has(HandMark.REARRANGED)
    hidden = hand.status in (Status.SURRENDERED, Status.VOID) and not rearranged
    return not hidden and (len(hand.shown) == len(rules.game.parts) or rearranged)


def _of_somebody_else(sight: Sight) -> bool:
    hand = sight.hand
    if hand is None or hand.status is Status.SURRENDERED:
        return False
    own = hand.person == sight.viewer.id and sight.viewer.role is Role.PLAYER
    return not own and not lies_open(sight.rules, hand)


def _surrendered(sight: Sight) -> bool:
    hand = sight.hand
    return hand is not None and hand.status is Status.SURRENDERED and not lies_open(sight.rules, hand)


def _not_looked(sight: Sight) -> bool:
    hand = sight.hand
    return hand is not None and not hand.has(HandMark.LOOKED) and not lies_open(sight.rules, hand)


def _not_turned(sight: Sight) -> bool:
    return sight.at_dealer and sight.table.phase not in (Phase.DEALER, Phase.SETTLING)


CONCEALED: Final = (
    Concealment(
        "empty",
        "the cards of a position without a wager are shown to nobody",
        lambda sight: not sight.at_dealer and sight.hand is None,
    ),
    Concealment(
        "before_deal",
        "the cards are looked at when the deal is complete",
        lambda sight: not sight.table.round.has(RoundMark.COLLECTED),
    ),
    Concealment("others", "before it is opened only its player looks at a hand", _of_somebody_else),
    Concealment("surrendered", "surrendered cards are shown to nobody", _surrendered),
    Concealment(
        "choosing",
        "the choice about an exposed card comes first",
        lambda sight: sight.hand is not None and sight.hand.has(HandMark.CHOOSING),
    ),
    Concealment("looked", "the player has not looked yet", _not_looked),
    Concealment("dealer", "the dealer's cards are not turned over yet", _not_turned),
)
"""Everything that hides the cards of a position, in the order the law comes to it."""


def hidden_by(rules: Rules, table: Table, viewer: Actor, position: Position) -> tuple[Problem, ...]:
    """Return every reason why a person may not see the cards of a position; nothing if they may."""
    sight = Sight(rules, table, viewer, position)
    return tuple(
        Problem("cards", concealment.reason, None, _law(rules, concealment.key))
        for concealment in CONCEALED
        if concealment.hides(sight)
    )


def is_hidden(rules: Rules, table: Table, viewer: Actor, position: Position) -> bool:
    """Whether a person may not see the cards of a position, for callers that do not ask why."""
    sight = Sight(rules, table, viewer, position)
    return any(concealment.hides(sight) for concealment in CONCEALED)


def see(rules: Rules, table: Table, viewer: Actor, position: Position) -> Cards:
    """Return the cards at a position as a person may see them, or refuse with the clause that hides them."""
    refuse("see", hidden_by(rules, table, viewer, position))
    if position == table.dealer_at:
        _law(rules, "dealer_open").require()
        return table.round.dealer_cards
    return table.round.hands[position].cards


def _law(rules: Rules, key: str) -> Cites:
    return clauses_for(rules.game.sight, CARDS, key, rules.way)
