"""Actions with the deck in play: shuffled, cut, put into the shoe or the hand, and dealt."""

from __future__ import annotations

from collections.abc import Mapping

from houseway.cards import Card
from houseway.rounds.actions.base import Action, OnDeck, Position
from houseway.rounds.actions.choices import DealingHand, Into, ShuffleMethod, SpareCover


class Shuffle(OnDeck, frozen=True, tag="shuffle"):
    """A deck is shuffled."""

    method: ShuffleMethod
    device: str = ""
    cards: int | None = None
    into: Into = Into.STACK


class Square(OnDeck, frozen=True, tag="square"):
    """The shuffled deck is put together in one stack."""


class DirectShuffle(Action, frozen=True, tag="direct_shuffle"):
    """The floor orders a shuffle."""


class ShufflerFault(OnDeck, frozen=True, tag="shuffler_fault"):
    """The shuffler fails with a deck in it."""


class PlaceCover(OnDeck, frozen=True, tag="place_cover"):
    """The stack is laid on a cover card."""


class OfferCut(OnDeck, frozen=True, tag="offer_cut"):
    """The cut is offered to a player."""

    position: Position


class DeclineCut(OnDeck, frozen=True, tag="decline_cut"):
    """A player does not want to cut."""

    position: Position


class Cut(OnDeck, frozen=True, tag="cut"):
    """The deck is cut: so many cards lie above the cover card. Without a position the dealer cuts."""

    depth: int
    position: Position | None = None


class MoveCover(OnDeck, frozen=True, tag="move_cover"):
    """The first cover card goes to the bottom."""


class SpareCoverCard(OnDeck, frozen=True, tag="spare_cover"):
    """The second cover card is racked, or put in near the bottom."""

    spare: SpareCover


class Recut(OnDeck, frozen=True, tag="recut"):
    """The floor orders another cut."""

    reason: str


class Load(OnDeck, frozen=True, tag="load"):
    """The deck is put into the shoe, or taken in the hand."""

    hand: DealingHand | None = None


class RemoveDeck(OnDeck, frozen=True, tag="remove_deck"):
    """A deck is taken off the table."""

    reason: str = ""


class Deal(Action, frozen=True, tag="deal"):
    """Cards are dealt: all that are left to deal, or so many."""

    cards: int | None = None
    first_to: Position | None = None
    read: tuple[Card, ...] = ()
    hand: DealingHand | None = None


class CountStub(Action, frozen=True, tag="count_stub"):
    """The cards left over are counted."""

    left: int | None = None


class CountHands(Action, frozen=True, tag="count_hands"):
    """Every hand is counted."""

    counts: Mapping[Position, int]


class CollectEmpty(Action, frozen=True, tag="collect_empty"):
    """The stub and the hands of empty positions are put away unseen."""


class ChoosePile(Action, frozen=True, tag="choose_pile"):
    """The player-dealer chooses the pile that is handed out first."""

    pile: int


class Distribute(Action, frozen=True, tag="distribute"):
    """The piles are handed out."""
