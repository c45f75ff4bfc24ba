"""The cut: who is offered it, how deep, and a cut made again by order of the floor."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Final

from houseway.errors import IllegalError
from houseway.games import Rules
from houseway.law.problems import Problem
from houseway.rounds.action import Action, OnDeck, Position
from houseway.rounds.annotations import Ask
from houseway.rounds.asks import Asks, FieldRule
from houseway.rounds.capacities import has_left
from houseway.rounds.choices import ShuffleMethod
from houseway.rounds.dealing import cut_deck
from houseway.rounds.deck_life import marks_after
from houseway.rounds.marks import DeckMark, TableMark
from houseway.rounds.roles import FLOOR, Role
from houseway.rounds.stage import Stage
from houseway.rounds.state import PersonId, Phase, Place, Table, TableDeck, changed
from houseway.rounds.step import AnyStep, Check, Event, Guard, Panel, Proposal, Situation, Step, Words, in_law
from houseway.rounds.steps.common import (
    always,
    dealer_of,
    deck_has,
    deck_of,
    given,
    life_guards,
    moot,
    player_at,
    sense,
    the_deck,
)
from houseway.rounds.steps.shuffle import UNTIL_DEALT


class OfferCut(OnDeck, frozen=True, tag="offer_cut"):
    """The cut is offered to a player."""

    position: Position


class DeclineCut(OnDeck, frozen=True, tag="decline_cut"):
    """A player does not want to cut."""

    position: Position


class Cut(OnDeck, frozen=True, tag="cut"):
    """The deck is cut: ``depth`` cards lie above the cover card. Without a position the dealer cuts."""

    depth: Annotated[int, Ask("Cards above the cut")]
    position: Position | None = None


class Recut(OnDeck, frozen=True, tag="recut"):
    """The floor orders another cut."""

    reason: Annotated[str, Ask("Reason")]


DEALER_CUTS: Final = 0
"""The dealer in the order of those who may cut."""
MIDDLE: Final = 26


# --- whether a deck is cut ----------------------------------------------------------------------------


def continuous(rules: Rules) -> bool:
    """Whether a device reshuffles the cards round by round, so that there is nothing to cut."""
    return rules.submission.table.reshuffle_device


def must_cut(rules: Rules, deck: TableDeck) -> bool:
    """Whether this deck has to be cut before it is dealt."""
    if "cut" not in rules.game.procedure:
        return False
    if continuous(rules) and in_law(rules, "cut", "continuous"):
        return False
    by_device = deck.shuffled_by is ShuffleMethod.AUTOMATED
    if deck.has(DeckMark.PRESHUFFLED):
        if by_device and "by_device" in rules.game.procedure["cut"]:
            return False
        return in_law(rules, "deal", "cut_preshuffled")
    if by_device:
        return not in_law(rules, "deal", "not_cut")
    return in_law(rules, "deal", "cut_manual")


def is_cut(rules: Rules, deck: TableDeck) -> bool:
    """Whether the deck is cut, cover cards in their places, or need not be."""
    return (deck.has(DeckMark.CUT) and covers_placed(rules, deck)) or not must_cut(rules, deck)


def covers_placed(rules: Rules, deck: TableDeck) -> bool:
    """Whether the cover cards lie where they belong after a cut, where the law says where that is."""
    if "move_cover" not in rules.game.procedure:
        return True
    return deck.has(DeckMark.MOVED) and deck.has(DeckMark.SPARED)


# --- who is offered the cut ---------------------------------------------------------------------------


def cut_order(rules: Rules, table: Table) -> list[int]:
    """Return who is offered the cut in turn: the first arrival at a beginning, then counterclockwise.

    A player who has left cuts nothing.
    """
    there = {at: seat for at, seat in table.seats.items() if not has_left(table, at)}
    seated = sorted(at for at, seat in there.items() if not seat.area)
    if table.has(TableMark.BEGUN) or not seated or not in_law(rules, "offer_cut", "first_arrival"):
        return seated
    first = min(seated, key=lambda at: table.seats[at].arrived)
    return [first, *(at for at in seated if at != first)]


def next_offer(rules: Rules, table: Table, deck: TableDeck) -> int:
    """Return whose turn it is to be offered the cut; the dealer's when everyone has declined."""
    return next((at for at in cut_order(rules, table) if at not in deck.declined), DEALER_CUTS)


def recutters(rules: Rules, table: Table, deck: TableDeck) -> set[int]:
    """Return who may cut again: the last cutter, or the next in the order."""
    last, order = deck.cutter or DEALER_CUTS, cut_order(rules, table)
    if last not in order:
        return {DEALER_CUTS}
    after = order[order.index(last) + 1 :]
    return {last, after[0] if after else DEALER_CUTS}


def _not_offered_there(s: Situation, action: OfferCut) -> bool:
    return deck_of(s, action).offered != action.position


def _offered_in_turn(s: Situation, action: OfferCut) -> bool:
    return action.position == next_offer(s.rules, s.table, deck_of(s, action))


def _first_arrival(s: Situation, action: OfferCut) -> bool:
    later = s.table.has(TableMark.BEGUN) or bool(deck_of(s, action).declined)
    return later or _offered_in_turn(s, action)


def _farthest_right(s: Situation, action: OfferCut) -> bool:
    other = not s.table.has(TableMark.BEGUN) or bool(deck_of(s, action).declined)
    return other or _offered_in_turn(s, action)


def _rotating(s: Situation, action: OfferCut) -> bool:
    return not deck_of(s, action).declined or _offered_in_turn(s, action)


def _was_offered(s: Situation, action: DeclineCut) -> bool:
    return deck_of(s, action).offered == action.position


def _decline(table: Table, event: Event[DeclineCut, None]) -> Table:
    name, at = event.action.deck, event.action.position
    return table.with_deck(name, declined=(*table.decks[name].declined, at), offered=None)


def _decline_instead(action: Cut) -> DeclineCut | None:
    return None if action.position is None else DeclineCut(action.deck, action.position)


def _person(table: Table, position: int | None) -> PersonId | None:
    seat = table.seats.get(position or 0)
    return seat.person if seat else None


# --- the cut ------------------------------------------------------------------------------------------


def _may_cut(s: Situation, action: Cut) -> bool:
    """The player offered the cut cuts; the dealer where it is theirs, or when all have declined."""
    deck, role, cutter = deck_of(s, action), s.by.role, action.position or DEALER_CUTS
    if "offer_cut" not in s.rules.game.procedure:
        return True  # no one is offered it
    by_dealer = cutter == DEALER_CUTS and role is Role.DEALER
    by_player = role is Role.PLAYER and s.by.id == _person(s.table, action.position)
    if deck.has(DeckMark.RECUT):
        return cutter in recutters(s.rules, s.table, deck) and (by_dealer or by_player)
    if cutter == DEALER_CUTS:
        return by_dealer and next_offer(s.rules, s.table, deck) == DEALER_CUTS
    return deck.offered == action.position and by_player


def _by_the_dealer(s: Situation, _: Cut) -> bool:
    return "offer_cut" in s.rules.game.procedure or s.by.role is Role.DEALER


def _first_cut_theirs(s: Situation, action: Cut) -> bool:
    return deck_of(s, action).has(DeckMark.RECUT) or _may_cut(s, action)


def _recut_theirs(s: Situation, action: Cut) -> bool:
    return not deck_of(s, action).has(DeckMark.RECUT) or _may_cut(s, action)


def _depth_problems(s: Situation, action: Cut) -> Iterable[Problem]:
    try:
        cut_deck(s.rules.game, s.rules.game.cards().cards, action.depth)
    except IllegalError as error:
        yield Problem("cut.depth", error.cause, str(error.value), error.clauses)


def _cut(table: Table, event: Event[Cut, None]) -> Table:
    action = event.action
    deck = table.decks[action.deck]
    return table.with_deck(
        deck.name,
        marks=marks_after(deck, event.step),
        cut_at=deck.cut_at + action.depth,
        cutter=action.position or DEALER_CUTS,
        offered=None,
    )


def _recut(table: Table, event: Event[Recut, None]) -> Table:
    name = event.action.deck
    table = table.with_deck(name, marks=marks_after(table.decks[name], event.step), place=Place.TABLE)
    return changed(table, deck=None if table.deck == name else table.deck)


# --- what is due --------------------------------------------------------------------------------------


def _suggest_cut(rules: Rules, table: Table) -> Iterable[Proposal]:
    deck = the_deck(table)
    if deck is None or not deck.has(DeckMark.SQUARED) or deck.has(DeckMark.CUT) or not must_cut(rules, deck):
        return
    again = deck.has(DeckMark.RECUT)
    if again and deck.cutter and deck.cutter in cut_order(rules, table):
        yield Proposal(player_at(table, deck.cutter), Cut(deck.name, MIDDLE, deck.cutter))
    elif again or not _offered_on(rules, table, deck):
        yield Proposal(dealer_of(table), Cut(deck.name, MIDDLE))
    elif deck.offered is not None:
        yield Proposal(player_at(table, deck.offered), Cut(deck.name, MIDDLE, deck.offered))


def _offered_on(rules: Rules, table: Table, deck: TableDeck) -> bool:
    """Whether the cut is still to be offered to a player."""
    return "offer_cut" in rules.game.procedure and next_offer(rules, table, deck) != DEALER_CUTS


def _suggest_offer(rules: Rules, table: Table) -> Iterable[Proposal]:
    deck = the_deck(table)
    if deck is None or not deck.has(DeckMark.COVERED) or deck.has(DeckMark.CUT) or deck.offered is not None:
        return
    at = next_offer(rules, table, deck)
    if at != DEALER_CUTS and must_cut(rules, deck):
        yield Proposal(dealer_of(table), OfferCut(deck.name, at))


NOT_CONTINUOUS: Final[Guard[Action]] = Guard(
    "continuous",
    "a device that reshuffles every round leaves nothing to cut",
    lambda s, _: not continuous(s.rules),
)
NOT_AUTOMATED: Final[Guard[OnDeck]] = Guard(
    "not_automated",
    "a deck that a device shuffled is not cut",
    lambda s, action: must_cut(s.rules, deck_of(s, action)),
)


# --- what its fields take -----------------------------------------------------------------------------


def _asks_depth(rules: Rules, _: Table, __: int) -> Asks:
    terms, size = rules.game.cut, len(rules.game.cards())
    if terms is None:
        return {}
    return {"depth": FieldRule(least=terms.least_above, most=size - terms.least_below, default=size // 2)}


STEPS: Final[tuple[AnyStep, ...]] = (
    Step(
        action=OfferCut,
        stage=Stage.SHUFFLE,
        by=(Role.DEALER,),
        phases=UNTIL_DEALT,
        words=Words(
            "Offer the cut",
            done="Offered",
            says="Would you like to cut the cards?",
            follows="The player who has the offer cuts the deck or declines.",
        ),
        guards=(
            NOT_CONTINUOUS,
            NOT_AUTOMATED,
            Guard("covered", "the stack lies on a cover card first", deck_has(DeckMark.COVERED)),
            *life_guards(OfferCut),
            moot("nobody sits there", lambda s, action: action.position in s.table.seats),
            moot("the cut is offered there already", _not_offered_there),
            Guard("in_turn", "the cut is offered in the law's order", _offered_in_turn),
            Guard("first_arrival", "at a beginning the first to arrive is offered the cut", _first_arrival),
            Guard(
                "farthest_right", "the player farthest to the dealer's right is offered it", _farthest_right
            ),
            Guard("rotating", "after a refusal the next player counterclockwise is offered it", _rotating),
        ),
        evolve=lambda table, event: table.with_deck(event.action.deck, offered=event.action.position),
        suggest=_suggest_offer,
    ),
    Step(
        action=DeclineCut,
        stage=Stage.SHUFFLE,
        by=(Role.PLAYER,),
        phases=UNTIL_DEALT,
        words=Words(
            "Decline the cut",
            follows="The cut goes on to the next player, or to the dealer when every player has declined.",
        ),
        guards=(
            moot("the cut was not offered there", _was_offered),
            sense("is for the player there", lambda s, action: _person(s.table, action.position) == s.by.id),
        ),
        evolve=_decline,
    ),
    Step(
        action=Cut,
        stage=Stage.SHUFFLE,
        by=(Role.PLAYER, Role.DEALER),
        phases=UNTIL_DEALT,
        words=Words(
            "Cut the deck",
            done="Cut",
            follows="The cards above the cut go below the rest, and the deck can be made ready to deal.",
        ),
        guards=(
            NOT_CONTINUOUS,
            NOT_AUTOMATED,
            Guard("covered", "the stack lies on a cover card first", deck_has(DeckMark.COVERED)),
            moot("the deck is not shuffled", deck_has(DeckMark.SHUFFLED)),
            Guard("stacked", "the shuffled deck is in one stack first", deck_has(DeckMark.SQUARED)),
            *life_guards(Cut),
            always("dealer_cuts", "the dealer cuts the cards, no player does", _by_the_dealer),
            always("dealer_last", "the dealer cuts when no player accepts", _first_cut_theirs),
            always("recutter", "the last cutter cuts again, or the next in turn", _recut_theirs),
        ),
        checks=(Check(_depth_problems, ("depth",)),),
        evolve=_cut,
        suggest=_suggest_cut,
        declined=_decline_instead,
        asks=_asks_depth,
    ),
    Step(
        action=Recut,
        by=FLOOR,
        phases=(*UNTIL_DEALT, Phase.DEALING),
        exceptional=True,
        words=Words(
            "Order another cut",
            says="Please cut the deck again.",
            follows="The cut no longer counts, and the deck is cut again before it is dealt.",
        ),
        guards=(
            NOT_CONTINUOUS,
            Guard(
                "no_card",
                "a recut comes before the first card",
                lambda s, _: not (s.round.dealt or s.round.boxed),
            ),
            Guard("after_cut", "only a cut deck can be cut again", deck_has(DeckMark.CUT)),
            sense("the reason is put on record", lambda _, action: given(action.reason), "reason"),
        ),
        evolve=_recut,
        panels=(Panel.RULINGS,),
    ),
)
