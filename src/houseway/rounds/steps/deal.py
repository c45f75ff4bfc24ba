"""The deal: cards to every position from the starting one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Final

from houseway.cards import Card, Cards
from houseway.games import Rules
from houseway.rounds.action import Action, Position
from houseway.rounds.annotations import Ask, Readers, Shown
from houseway.rounds.asks import NOT_ASKED, UNPROMPTED, Asks, FieldRule
from houseway.rounds.choices import DealingHand, Irregularity
from houseway.rounds.dealing import wrong_start
from houseway.rounds.marks import DeckMark, RoundMark
from houseway.rounds.outcomes import Outcome
from houseway.rounds.roles import Role
from houseway.rounds.stage import Stage
from houseway.rounds.state import CardOrigin, Phase, Table, TableDeck, changed
from houseway.rounds.step import AnyStep, Event, Guard, Proposal, Situation, Step, Words
from houseway.rounds.steps.common import always, dealer_of, round_has, sense, the_deck
from houseway.rounds.steps.cut import covers_placed, is_cut
from houseway.rounds.steps.fees import FEES_FIRST
from houseway.rounds.steps.lammers import lammers_placed, word_for_buttons
from houseway.rounds.steps.progressive import counted, locked
from houseway.rounds.steps.ruling import StopRound, VoidRound
from houseway.rounds.steps.stacks import dealt_in_piles, hands_of, next_cards, places, whole_deal, with_hands


class Deal(Action, frozen=True, tag="deal"):
    """Cards are dealt: all that are left to deal, or a number of them."""

    cards: Annotated[int | None, Ask("Cards")] = None
    first_to: Annotated[Position | None, Ask("First card to position")] = None
    read: Annotated[tuple[Card, ...], Ask("Cards read"), Readers.NOBODY] = ()
    hand: Annotated[DealingHand | None, Ask("Hand")] = None


class Dealt(Outcome, frozen=True, tag="dealt", kw_only=True):
    """The cards that came off the deck, and the hands that they make once the last is dealt."""

    number: Annotated[int, Shown("number")]
    first: Annotated[int | None, Shown("first")]
    cards: Annotated[Cards, Readers.NOBODY] = ()
    complete: bool = False
    hands: Annotated[Mapping[int, Cards], Readers.NOBODY] = {}


READERS: Final = (Role.SHOE, Role.SENSOR)
"""The devices that read cards as they come."""


# --- the deal -----------------------------------------------------------------------------------------


def _deck_to_deal(table: Table) -> TableDeck | None:
    return table.in_play or the_deck(table)


def _shuffled(s: Situation, _: Deal) -> bool:
    deck = _deck_to_deal(s.table)
    return deck is not None and deck.has(DeckMark.SHUFFLED) and not deck.has(DeckMark.PLAYED)


def _first_round_shuffled(s: Situation, action: Deal) -> bool:
    return s.table.rounds > 0 or _shuffled(s, action)


def _shuffled_again(s: Situation, action: Deal) -> bool:
    return s.table.rounds == 0 or _shuffled(s, action)


def _not_ordered(s: Situation, _: Deal) -> bool:
    deck = _deck_to_deal(s.table)
    return deck is None or not deck.has(DeckMark.ORDERED)


def _complete_shuffle(s: Situation, _: Deal) -> bool:
    decks = s.table.decks.values()
    faulted = any(deck.has(DeckMark.FAULTED) for deck in decks if deck.name == s.table.deck)
    return not faulted and (s.table.deck is not None or not any(deck.has(DeckMark.FAULTED) for deck in decks))


def _loaded(s: Situation, _: Deal) -> bool:
    return s.table.in_play is not None and s.table.in_play.has(DeckMark.LOADED)


def _any_deck(s: Situation) -> TableDeck | None:
    return s.table.in_play or next(iter(s.table.decks.values()), None)


def _cut_done_manual(s: Situation, _: Deal) -> bool:
    deck = _any_deck(s)
    return deck is None or deck.has(DeckMark.PRESHUFFLED) or is_cut(s.rules, deck)


def _cut_done_preshuffled(s: Situation, _: Deal) -> bool:
    deck = _any_deck(s)
    return deck is None or not deck.has(DeckMark.PRESHUFFLED) or is_cut(s.rules, deck)


def _cover_in_place(s: Situation, _: Deal) -> bool:
    deck = s.table.in_play
    return deck is None or not deck.has(DeckMark.CUT) or covers_placed(s.rules, deck)


def _start_found(s: Situation, _: Deal) -> bool:
    return s.round.start is not None or dealt_in_piles(s.rules)


def _started(s: Situation, _: Deal) -> bool:
    return "press_start" not in s.rules.game.procedure or s.round.has(RoundMark.STARTED)


def _read_by_device(s: Situation, action: Deal) -> bool:
    return not action.read or s.by.role in READERS


def _by_the_dealer(s: Situation, action: Deal) -> bool:
    """The dealer deals: a device reads the cards as they come, and an automated shoe dispenses them."""
    by_shoe = s.by.role is Role.SHOE and s.rules.way == "automated_shoe"
    return s.by.role is Role.DEALER or by_shoe or (s.by.role in READERS and bool(action.read))


def _from_the_top(s: Situation, action: Deal) -> bool:
    """Only a device is answered: to anyone else the answer would tell of a card that is not dealt."""
    if not action.read or s.by.role not in READERS:
        return True
    due = next_cards(s, len(action.read))
    return not due or tuple(action.read) == due


def _cards_are_read(s: Situation, action: Deal) -> bool:
    return not action.read or s.table.source is not CardOrigin.TYPED


def _read_whole(s: Situation, action: Deal) -> bool:
    """Whether every card that is dealt was read, where the reader is all that knows them."""
    by_reader = s.table.source is CardOrigin.SHOE_READER and bool(action.read)
    return not by_reader or len(action.read) == _number(s, action)


def _read_once(s: Situation, action: Deal) -> bool:
    """Whether cards that a reader names are in the deck, each once in the whole deal."""
    if s.table.source is not CardOrigin.SHOE_READER:
        return True
    known = (*s.round.drawn, *action.read)
    return len(known) == len(set(known)) and set(action.read) <= set(s.rules.game.cards().cards)


def _same_hand(s: Situation, action: Deal) -> bool:
    return s.rules.way != "hand" or action.hand is None or action.hand == s.round.holding


def _number(s: Situation, action: Deal) -> int:
    """Return how many cards are dealt: the number given, or all that are left."""
    return whole_deal(s.rules) - s.round.dealt if action.cards is None else action.cards


def _count_in_range(s: Situation, action: Deal) -> bool:
    return 1 <= _number(s, action) <= whole_deal(s.rules) - s.round.dealt


def _first_goes_to_a_pile(s: Situation, action: Deal) -> bool:
    return action.first_to is None or s.round.start is not None


def _first_named_once(s: Situation, action: Deal) -> bool:
    to = action.first_to
    return to is None or (not s.round.dealt and to in places(s.rules, s.table))


def _decide_deal(s: Situation, action: Deal) -> Dealt:
    """Deal cards off the sealed deck, or as a reader has read them; unread, real cards are typed in later."""
    number = _number(s, action)
    first = s.round.start if action.first_to is None else action.first_to
    cards = action.read if s.table.source is CardOrigin.SHOE_READER else next_cards(s, number)
    complete = s.round.dealt + number == whole_deal(s.rules)
    drawn = (*s.round.drawn, *cards)
    handed = len(drawn) == whole_deal(s.rules) and not dealt_in_piles(s.rules)
    hands = hands_of(s.rules, s.table, drawn, first) if handed else {}
    return Dealt(number=number, first=first, cards=cards, complete=complete, hands=hands)


def _deal(table: Table, event: Event[Deal, Dealt]) -> Table:
    this_round, done = table.round, event.outcome
    marks = this_round.marks | ({RoundMark.DEALT_OUT} if done.complete else set())
    drawn, dealt = (*this_round.drawn, *done.cards), this_round.dealt + done.number
    this_round = changed(this_round, drawn=drawn, dealt=dealt, start=done.first, marks=marks)
    return with_hands(changed(table, phase=Phase.DEALING, round=this_round), done.hands)


def _after_deal(s: Situation, event: Event[Deal, Dealt]) -> Sequence[Action]:
    """A first card to another position than the dice or the number give voids the round."""
    this_round = s.round
    if this_round.dealt != event.outcome.number:
        return ()
    mistaken = this_round.start != this_round.due or (
        this_round.dice and this_round.announced != sum(this_round.dice)
    )
    if mistaken and "stop_round" in s.rules.game.procedure:
        return [StopRound("the first hand went to another position than the start")]
    if mistaken and wrong_start(s.rules, this_round.due or 0, this_round.start or 0):
        return [VoidRound(Irregularity.WRONG_START)]
    return ()


# --- what is due --------------------------------------------------------------------------------------


def _suggest_deal(rules: Rules, table: Table) -> Iterable[Proposal]:
    known = table.round.start is not None or dealt_in_piles(rules)
    if known and table.round.dealt < whole_deal(rules):
        yield Proposal(dealer_of(table), Deal())


# --- what its fields take -----------------------------------------------------------------------------


def _asks_cards(rules: Rules, table: Table, _: int) -> Asks:
    left = whole_deal(rules) - table.round.dealt
    unknown = table.round.dealt or table.round.start is None
    first = NOT_ASKED if unknown else FieldRule(tuple(places(rules, table)))
    hand = FieldRule() if rules.way == "hand" else NOT_ASKED
    return {"cards": FieldRule(least=1, most=left), "first_to": first, "read": UNPROMPTED, "hand": hand}


STEPS: Final[tuple[AnyStep, ...]] = (
    Step(
        action=Deal,
        stage=Stage.DEAL,
        by=(Role.DEALER, Role.SHOE, Role.SHUFFLER, Role.SENSOR),
        phases=(Phase.STARTING, Phase.DEALING),
        words=Words(
            "Deal the cards",
            done="Deal",
            follows="The cards go out in turn, and the deal is over when all seven hands are made.",
        ),
        guards=(
            Guard("after_bets", "no more bets is announced first", round_has(RoundMark.NO_MORE_BETS)),
            word_for_buttons(
                Guard("lammers", "the Envy lammers are placed first", lammers_placed),
                "the Envy buttons are given first",
            ),
            Guard("locked", "the progressive is locked first", locked),
            Guard("counted", "the progressive chips are counted and put away first", counted),
            always("start", "the starting position is found first", _start_found),
            *FEES_FIRST,
            always("started", "the dealer presses the green button first", _started),
            Guard("after_stacking", "stacked cards are shuffled before any deal", _shuffled),
            Guard("first_shuffle", "the cards are shuffled before play begins", _first_round_shuffled),
            Guard("shuffled_again", "the cards are shuffled after each round", _shuffled_again),
            Guard("ordered", "the shuffle that a floorperson ordered comes first", _not_ordered),
            Guard(
                "complete_shuffle", "the shuffler did not finish: the cards are reshuffled", _complete_shuffle
            ),
            Guard("cut_manual", "a deck shuffled by hand is cut first", _cut_done_manual),
            Guard("cut_preshuffled", "a deck that came shuffled is cut first", _cut_done_preshuffled),
            Guard("cover", "the first cover card goes to the bottom first", _cover_in_place),
            always("loaded", "the deck is put into the shoe, or taken in the hand, first", _loaded),
            Guard("dealer", "the dealer deals the cards, no device does", _by_the_dealer),
            sense("only a device reads cards as they come", _read_by_device),
            sense("no reader reads the cards of this table: they are typed in", _cards_are_read, "read"),
            sense("as many cards are read as are dealt", _read_whole, "read", "cards"),
            sense("a card that is not in the deck, or was dealt already", _read_once, "read"),
            always("top", "cards come from the top of the deck", _from_the_top, "read"),
            Guard("holding", "the dealer changed the hand that holds the deck", _same_hand, warns=True),
            sense("that many cards are not left to deal", _count_in_range),
            sense("the cards go to piles: no seat gets one before the dice", _first_goes_to_a_pile),
            sense("the first card is dealt, or there is no such position", _first_named_once),
        ),
        outcome=_decide_deal,
        evolve=_deal,
        consequences=_after_deal,
        suggest=_suggest_deal,
        asks=_asks_cards,
        foretold=True,
    ),
)
