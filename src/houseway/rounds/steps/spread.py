"""The cards of a deck spread, looked over, turned down, washed and stacked."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Annotated, Final

from houseway.games import Rules
from houseway.rounds.action import OnDeck
from houseway.rounds.annotations import Ask
from houseway.rounds.marks import DeckMark
from houseway.rounds.roles import Role
from houseway.rounds.stage import Stage
from houseway.rounds.state import PersonId, Phase, Table
from houseway.rounds.step import (
    AnyStep,
    CitedOutcome,
    Guard,
    Panel,
    Proposal,
    Situation,
    Step,
    Words,
    law_of,
)
from houseway.rounds.steps.common import (
    deck_goes_on,
    deck_has,
    deck_of,
    decks_to,
    life_guards,
    moot,
)
from houseway.rounds.steps.decks import OPENING, if_two_jokers


class SpreadDeck(OnDeck, frozen=True, tag="spread_deck"):
    """The cards are spread face up."""

    seen: Annotated[int | None, Ask("Cards seen")] = None


class ViewSpread(OnDeck, frozen=True, tag="view_spread"):
    """The first player looks the spread cards over."""


class TurnDown(OnDeck, frozen=True, tag="turn_down"):
    """The spread cards are turned face down."""


class Wash(OnDeck, frozen=True, tag="wash"):
    """The cards are mixed on the table."""


class Stack(OnDeck, frozen=True, tag="stack"):
    """The cards are stacked."""


# --- it is spread, washed and stacked -----------------------------------------------------------------


def _spread_whole(s: Situation, action: SpreadDeck) -> bool:
    deck = deck_of(s, action)
    seen = deck.cards - deck.has(DeckMark.TORN) if action.seen is None else action.seen
    return seen == len(s.rules.game.cards())


def _washed_or_to_device(s: Situation, action: Stack) -> bool:
    """Cards spread at an idle table that go back into the shuffler are only stacked."""
    idle = s.table.phase is Phase.IDLE and "swap_decks" in s.rules.game.procedure
    into_device = idle and s.rules.submission.table.shuffler == "automated"
    return into_device or deck_of(s, action).has(DeckMark.WASHED)


def _looked_over_if_idle(s: Situation, action: Stack) -> bool:
    return s.table.phase is not Phase.IDLE or deck_of(s, action).has(DeckMark.VIEWED)


def _law_now(step: str) -> Callable[[Situation, OnDeck], CitedOutcome[None]]:
    """Return what cites a step by the law that has it done now: at an idle table by another than at first."""

    def cite(s: Situation, _: OnDeck) -> CitedOutcome[None]:
        if s.table.phase is not Phase.IDLE:
            return CitedOutcome(None, law_of(s.rules, step, "opening"))
        device = s.rules.submission.table.shuffler == "automated"
        apart = device and "idle_device" in s.rules.game.procedure[step]
        return CitedOutcome(None, law_of(s.rules, step, "idle_device" if apart else "idle"))

    return cite


# --- the first player looks it over -------------------------------------------------------------------


def _first_player(table: Table) -> PersonId | None:
    """Return who arrived first of those who sit there."""
    seats = [seat for seat in table.seats.values() if not seat.area]
    return min(seats, key=lambda seat: seat.arrived).person if seats else None


def _is_first(s: Situation, _: ViewSpread) -> bool:
    return s.by.role is not Role.PLAYER or s.by.id == _first_player(s.table)


def _suggest_view(_: Rules, table: Table) -> Iterable[Proposal]:
    if _first_player(table) is not None:
        yield from decks_to(table, ViewSpread, [DeckMark.SPREAD], [DeckMark.VIEWED])


ARRIVED: Final[Guard[ViewSpread]] = Guard(
    "arrived",
    "a player arrives first, who may look the cards over",
    lambda s, _: _first_player(s.table) is not None,
)
FIRST: Final[Guard[ViewSpread]] = Guard("first", "the first player to arrive looks the cards over", _is_first)


STEPS: Final[tuple[AnyStep, ...]] = (
    Step(
        action=SpreadDeck,
        stage=Stage.SPREAD,
        by=(Role.DEALER,),
        phases=OPENING,
        words=Words(
            "Spread the deck",
            follows="The cards lie face up in a spread and can be looked over.",
        ),
        guards=(
            *life_guards(SpreadDeck),
            Guard("after_inspection", "the dealer inspects the cards first", deck_has(DeckMark.INSPECTED)),
            Guard(
                "after_verification",
                "a floorperson verifies the inspection first",
                deck_has(DeckMark.VERIFIED),
            ),
            Guard(
                "one_joker",
                "dealer and floorperson first make sure of one joker",
                if_two_jokers(DeckMark.JOKER_BY_DEALER, DeckMark.JOKER_BY_FLOOR),
            ),
            Guard(
                "one_joker_dealer",
                "the dealer first makes sure of one joker",
                if_two_jokers(DeckMark.JOKER_BY_DEALER),
            ),
            Guard(
                "one_joker_floor",
                "a floorperson first makes sure of one joker",
                if_two_jokers(DeckMark.JOKER_BY_FLOOR),
            ),
            Guard("torn", "the second joker is torn and put away first", if_two_jokers(DeckMark.TORN)),
            Guard("whole", "every card with the one joker lies in the spread", _spread_whole),
        ),
        evolve=deck_goes_on,
        suggest=lambda _, table: decks_to(
            table, SpreadDeck, [DeckMark.VERIFIED], [DeckMark.SPREAD, DeckMark.REMOVED]
        ),
    ),
    Step(
        action=ViewSpread,
        stage=Stage.SPREAD,
        by=(Role.PLAYER, Role.DEALER),
        phases=OPENING,
        words=Words(
            "Look over the spread",
            follows="The cards have been looked over, and the spread can be taken up again.",
        ),
        guards=(
            *life_guards(ViewSpread),
            moot("the cards are not spread", deck_has(DeckMark.SPREAD)),
            ARRIVED,
            FIRST,
        ),
        outcome=_law_now("view_spread"),
        evolve=deck_goes_on,
        suggest=_suggest_view,
        panels=(Panel.SEAT,),
    ),
    Step(
        action=TurnDown,
        stage=Stage.WASH,
        by=(Role.DEALER,),
        phases=OPENING,
        words=Words(
            "Turn the cards down",
            follows="The cards lie face down and can be washed.",
        ),
        guards=(
            *life_guards(TurnDown),
            Guard("after_view", "the first player may look the cards over first", deck_has(DeckMark.VIEWED)),
            moot("the cards are not spread", deck_has(DeckMark.SPREAD)),
        ),
        outcome=_law_now("turn_down"),
        evolve=deck_goes_on,
        suggest=lambda _, table: decks_to(
            table, TurnDown, [DeckMark.SPREAD, DeckMark.VIEWED], [DeckMark.TURNED_DOWN]
        ),
    ),
    Step(
        action=Wash,
        stage=Stage.WASH,
        by=(Role.DEALER,),
        phases=OPENING,
        words=Words(
            "Wash the cards",
            follows="The cards are mixed and can be stacked.",
        ),
        guards=(
            *life_guards(Wash),
            Guard("after_spread", "the cards are spread face up first", deck_has(DeckMark.SPREAD)),
            Guard("after_view", "the first player may look the cards over first", deck_has(DeckMark.VIEWED)),
            Guard("after_turning", "the cards are turned face down first", deck_has(DeckMark.TURNED_DOWN)),
        ),
        outcome=_law_now("wash"),
        evolve=deck_goes_on,
        suggest=lambda _, table: decks_to(table, Wash, [DeckMark.TURNED_DOWN], [DeckMark.WASHED]),
    ),
    Step(
        action=Stack,
        stage=Stage.WASH,
        by=(Role.DEALER,),
        phases=OPENING,
        words=Words(
            "Stack the cards",
            follows="The cards are in one stack, ready to be shuffled.",
        ),
        guards=(
            *life_guards(Stack),
            Guard("idle_view", "the first player may look the cards over first", _looked_over_if_idle),
            Guard("after_wash", "the cards are washed first", _washed_or_to_device),
        ),
        outcome=_law_now("stack"),
        evolve=deck_goes_on,
        suggest=lambda _, table: decks_to(table, Stack, [DeckMark.WASHED], [DeckMark.STACKED]),
    ),
)
