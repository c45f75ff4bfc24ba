"""The deck into the shoe or the hand, two decks in turn, and off the table."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Final

from houseway.games import Rules
from houseway.law.citations import UNCITED
from houseway.rounds.action import OnDeck
from houseway.rounds.annotations import Ask
from houseway.rounds.asks import MUST, NOT_ASKED
from houseway.rounds.choices import DealingHand, Device, ShuffleMethod
from houseway.rounds.deck_life import marks_after
from houseway.rounds.marks import DeckMark
from houseway.rounds.roles import FLOOR, Role
from houseway.rounds.stage import Stage
from houseway.rounds.state import BEFORE_CARDS, Phase, Place, Table, changed
from houseway.rounds.step import (
    AnyStep,
    CitedOutcome,
    Event,
    Guard,
    Panel,
    Proposal,
    Situation,
    Step,
    Words,
    law_of,
)
from houseway.rounds.steps.common import (
    always,
    dealer_of,
    deck_has,
    deck_has_not,
    deck_of,
    life_guards,
    moot,
    sense,
    the_deck,
)
from houseway.rounds.steps.cut import covers_placed, is_cut
from houseway.rounds.steps.shuffle import (
    UNTIL_DEALT,
    alternates,
    for_this_round,
    other_in_shuffler,
    shoe_works,
    works_again,
)


class Load(OnDeck, frozen=True, tag="load"):
    """The deck is put into the shoe, or taken in the hand."""

    hand: Annotated[DealingHand | None, Ask("Hand")] = None


class RemoveDeck(OnDeck, frozen=True, tag="remove_deck"):
    """A deck is taken off the table."""

    reason: Annotated[str, Ask("Reason")] = ""


def _hand_named(s: Situation, action: Load) -> bool:
    return s.rules.way != "hand" or action.hand is not None


def _by_device(s: Situation, action: Load) -> bool:
    return s.rules.way != "hand" or deck_of(s, action).shuffled_by is ShuffleMethod.AUTOMATED


def _for_the_button(s: Situation, action: Load) -> bool:
    """The flat button is for cards that a device shuffled, unless the deck came shuffled."""
    deck = deck_of(s, action)
    by_hand = deck.shuffled_by is ShuffleMethod.MANUAL and not deck.has(DeckMark.PRESHUFFLED)
    return not by_hand or s.rules.submission.table.start_methods != ("button",)


def _covers(s: Situation, action: Load) -> bool:
    deck = deck_of(s, action)
    return not deck.has(DeckMark.CUT) or covers_placed(s.rules, deck)


def _squared_if_shuffled(s: Situation, action: Load) -> bool:
    deck = deck_of(s, action)
    return deck.has(DeckMark.SQUARED) or not deck.has(DeckMark.SHUFFLED)


def _cut_manual(s: Situation, action: Load) -> bool:
    deck = deck_of(s, action)
    return deck.has(DeckMark.PRESHUFFLED) or is_cut(s.rules, deck)


def _cut_preshuffled(s: Situation, action: Load) -> bool:
    deck = deck_of(s, action)
    return not deck.has(DeckMark.PRESHUFFLED) or is_cut(s.rules, deck)


def _decide_load(s: Situation, action: Load) -> CitedOutcome[None]:
    """A deck that was cut goes into place by the rule on the cut stack too."""
    law = law_of(s.rules, "load", "after_cut") if deck_of(s, action).has(DeckMark.CUT) else UNCITED
    return CitedOutcome(None, law)


def _load(table: Table, event: Event[Load, None]) -> Table:
    name = event.action.deck
    table = table.with_deck(name, marks=marks_after(table.decks[name], event.step), place=Place.PLAY)
    table = for_this_round(table.with_round(holding=event.action.hand), name)
    return works_again(changed(table, deck=name), Device.SHOE)


def _suggest_load(rules: Rules, table: Table) -> Iterable[Proposal]:
    deck = the_deck(table)
    if deck is None or not deck.has(DeckMark.SQUARED) or deck.has(DeckMark.LOADED):
        return
    if is_cut(rules, deck):
        hand = DealingHand.LEFT if rules.way == "hand" else None
        yield Proposal(dealer_of(table), Load(deck.name, hand))


def _remove(table: Table, event: Event[RemoveDeck, None]) -> Table:
    name = event.action.deck
    table = table.with_deck(name, marks=frozenset({DeckMark.REMOVED}), place=Place.REMOVED)
    table = changed(table, deck=None if table.deck == name else table.deck)
    return changed(table, rack=(), rack_deck=None) if table.rack_deck == name else table


STEPS: Final[tuple[AnyStep, ...]] = (
    Step(
        action=Load,
        stage=Stage.SHUFFLE,
        by=(Role.DEALER,),
        phases=UNTIL_DEALT,
        words=Words(
            "Load the deck",
            done="Loaded",
            follows="The deck is in place to be dealt.",
        ),
        guards=(
            always("after_shuffle", "the deck is shuffled first", deck_has(DeckMark.SHUFFLED)),
            sense("the shuffled deck is in one stack first", _squared_if_shuffled),
            Guard("by_device", "dealing from the hand needs an automated shuffle", _by_device),
            Guard("button", "with the flat button the cards are shuffled by a device", _for_the_button),
            Guard("cover", "the cover cards are put in their places first", _covers),
            always("cut_manual", "the deck is cut first", _cut_manual),
            always("cut_preshuffled", "a deck that came shuffled is cut first", _cut_preshuffled),
            *life_guards(Load),
            Guard("other_in_shuffler", "the other deck is in the shuffler meanwhile", other_in_shuffler),
            Guard("alternate", "the two decks are used in turn", alternates),
            Guard(
                "hand",
                "the dealer takes the deck in the left or the right hand",
                _hand_named,
                about=("hand",),
            ),
            always("shoe", "the automated shoe is out of order", shoe_works),
        ),
        outcome=_decide_load,
        evolve=_load,
        suggest=_suggest_load,
        asks=lambda rules, *_: {"hand": MUST if rules.way == "hand" else NOT_ASKED},
    ),
    Step(
        action=RemoveDeck,
        by=(Role.DEALER, *FLOOR),
        phases=(*BEFORE_CARDS, Phase.OPENING, Phase.IDLE),
        words=Words(
            "Remove the deck",
            follows="The deck is off the table and out of play.",
        ),
        guards=(
            sense(
                "a deck is not removed while it is dealt", lambda s, _: s.table.phase is not Phase.STARTING
            ),
            moot("the deck is removed already", deck_has_not(DeckMark.REMOVED)),
        ),
        evolve=_remove,
        panels=(Panel.WRONG,),
        foretold=True,
    ),
)
