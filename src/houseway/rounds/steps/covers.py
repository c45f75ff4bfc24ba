"""The cover cards: under the stack before the cut, and in their places after it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Annotated, Final

from houseway.games import Rules
from houseway.rounds.action import Action, OnDeck
from houseway.rounds.annotations import Ask
from houseway.rounds.choices import SpareCover
from houseway.rounds.marks import DeckMark
from houseway.rounds.roles import Role
from houseway.rounds.stage import Stage
from houseway.rounds.state import Table
from houseway.rounds.step import AnyStep, Guard, Proposal, Step, Words
from houseway.rounds.steps.common import dealer_of, deck_goes_on, deck_has, life_guards, moot, sense, the_deck
from houseway.rounds.steps.cut import NOT_CONTINUOUS, must_cut
from houseway.rounds.steps.shuffle import UNTIL_DEALT


class PlaceCover(OnDeck, frozen=True, tag="place_cover"):
    """The stack is laid on a cover card."""


class MoveCover(OnDeck, frozen=True, tag="move_cover"):
    """The first cover card goes to the bottom."""


class SpareCoverCard(OnDeck, frozen=True, tag="spare_cover"):
    """The second cover card is racked, or put in near the bottom."""

    spare: Annotated[SpareCover, Ask("The second cover card goes")]


# --- what is due --------------------------------------------------------------------------------------


def _suggest_cover(
    action: Callable[[str], Action], after: DeckMark, mark: DeckMark
) -> Callable[[Rules, Table], Iterable[Proposal]]:
    def suggest(rules: Rules, table: Table) -> Iterable[Proposal]:
        deck = the_deck(table)
        if deck is None or "place_cover" not in rules.game.procedure:
            return
        due = deck.has(after) and not deck.has(mark) and not deck.has(DeckMark.LOADED)
        if due and must_cut(rules, deck):
            yield Proposal(dealer_of(table), action(deck.name))

    return suggest


STEPS: Final[tuple[AnyStep, ...]] = (
    Step(
        action=PlaceCover,
        stage=Stage.SHUFFLE,
        by=(Role.DEALER,),
        phases=UNTIL_DEALT,
        words=Words(
            "Place the cover card",
            follows="The stack lies on a cover card, and the cut can be offered.",
        ),
        guards=(
            *life_guards(PlaceCover),
            NOT_CONTINUOUS,
            sense("the deck is not in one stack", deck_has(DeckMark.SQUARED)),
        ),
        evolve=deck_goes_on,
        suggest=_suggest_cover(PlaceCover, DeckMark.SQUARED, DeckMark.COVERED),
    ),
    Step(
        action=MoveCover,
        stage=Stage.SHUFFLE,
        by=(Role.DEALER,),
        phases=UNTIL_DEALT,
        words=Words(
            "Move the cover card",
            follows=(
                "One cover card lies at the bottom of the deck, and the other one is put in its place next."
            ),
        ),
        guards=(*life_guards(MoveCover), moot("the deck is not cut", deck_has(DeckMark.CUT))),
        evolve=deck_goes_on,
        suggest=_suggest_cover(MoveCover, DeckMark.CUT, DeckMark.MOVED),
    ),
    Step(
        action=SpareCoverCard,
        stage=Stage.SHUFFLE,
        by=(Role.DEALER,),
        phases=UNTIL_DEALT,
        words=Words(
            "Place the spare cover",
            follows="Both cover cards are in their places, and the deck can be loaded.",
        ),
        guards=(
            *life_guards(SpareCoverCard),
            sense("the first cover card goes to the bottom first", deck_has(DeckMark.MOVED)),
            Guard(
                "spare",
                "one cover card is racked, or put in four cards from the bottom",
                lambda _, action: action.spare in (SpareCover.RACK, SpareCover.FOUR_FROM_BOTTOM),
                about=("spare",),
            ),
        ),
        evolve=deck_goes_on,
        suggest=_suggest_cover(
            lambda name: SpareCoverCard(name, SpareCover.RACK), DeckMark.MOVED, DeckMark.SPARED
        ),
    ),
)
