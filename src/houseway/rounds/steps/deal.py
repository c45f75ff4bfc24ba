"""The deal: cards to every position from the starting one, the stub counted, empty stacks put away unseen."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from houseway.cards import Cards
from houseway.games import Rules
from houseway.rounds.actions import (
    Action,
    CollectEmpty,
    CountHands,
    CountStub,
    Deal,
    Irregularity,
    StopRound,
    VoidRound,
)
from houseway.rounds.dealing import (
    SEATS,
    check_deal,
    deal_singly,
    deal_stacks,
    deal_zigzag,
    dealing_order,
    expected_stub,
    wrong_start,
)
from houseway.rounds.marks import DeckMark, RoundMark
from houseway.rounds.outcomes import Dealt, HandedOut, PutAway, StubCounted
from houseway.rounds.roles import Role
from houseway.rounds.state import Phase, Racked, RackedWhat, Table, TableDeck, changed
from houseway.rounds.step import AnyStep, Event, Guard, Proposal, Situation, Step
from houseway.rounds.steps.banking import FEES_FIRST
from houseway.rounds.steps.chips import counted, lammers_placed, locked
from houseway.rounds.steps.common import (
    always,
    dealer_of,
    moot,
    round_has,
    round_has_not,
    seats_in_play,
    sense,
    the_deck,
)
from houseway.rounds.steps.cutting import covers_placed, is_cut

MANUAL: Final = "manual"
DEALT_SINGLY: Final = ("manual_shoe", "hand")
READERS: Final = (Role.SHOE, Role.SENSOR)
"""The devices that read cards as they come."""


# --- who gets which card ------------------------------------------------------------------------------


def whole_deal(rules: Rules) -> int:
    """Return how many cards a deal takes: seven hands."""
    return SEATS * rules.game.hand_cards


def places(rules: Rules, table: Table) -> tuple[int, ...]:
    """Return the positions that get cards, whether or not anybody bets there."""
    return seats_in_play(rules, table) if rules.banked else tuple(range(1, SEATS + 1))


def hands_of(rules: Rules, table: Table, cards: Cards, start: int | None) -> Mapping[int, Cards]:
    """Return the hands that dealt cards make: of every wager, and the one that the others race."""
    if not cards or start is None:
        return {}
    if rules.banked:
        stacks = _seats_clockwise(rules, table, cards, start)
    elif rules.way in DEALT_SINGLY:
        stacks = deal_singly(rules.game, cards, start, rules.way)
    else:
        stacks = deal_stacks(rules.game, cards, dealing_order(start))
    return {at: stacks[at] for at in sorted({*table.round.hands, table.dealer_at})}


def _seats_clockwise(rules: Rules, table: Table, cards: Cards, start: int) -> Mapping[int, Cards]:
    """Hands to seats clockwise from the diced one: packs from the shuffler, or piles from the marked one."""
    seats = _from_the_start(rules, table, start)
    if rules.way != MANUAL:
        return deal_stacks(rules.game, cards, seats)
    piles = deal_zigzag(rules.game, cards)
    first = table.round.pile or 1
    return {seat: piles[(first - 1 + turn) % SEATS] for turn, seat in enumerate(seats)}


def _from_the_start(rules: Rules, table: Table, start: int) -> tuple[int, ...]:
    """Return the seats that get cards, clockwise from the one that gets the first hand."""
    seats = seats_in_play(rules, table)
    turn = seats.index(start)
    return (*seats[turn:], *seats[:turn])


def dealt_in_piles(rules: Rules) -> bool:
    """Whether the cards are dealt to piles first, which are handed out when the start is known."""
    return "distribute" in rules.game.procedure and rules.way == MANUAL


def in_piles(rules: Rules, table: Table) -> bool:
    """Whether the cards lie in piles that are nobody's yet."""
    return dealt_in_piles(rules) and not table.round.has(RoundMark.DISTRIBUTED)


def dealt_so_far(rules: Rules, table: Table) -> Mapping[int, int]:
    """Return how many cards each position has been dealt by now."""
    dealt, size, start = table.round.dealt, rules.game.hand_cards, table.round.start
    if start is None:
        return dict.fromkeys(places(rules, table), 0)
    order = _from_the_start(rules, table, start) if rules.banked else dealing_order(start)
    if rules.way in DEALT_SINGLY:
        rounds, more = divmod(dealt, SEATS)
        return {at: rounds + (turn < more) for turn, at in enumerate(order)}
    return {at: min(max(dealt - turn * size, 0), size) for turn, at in enumerate(order)}


def due_by_now(rules: Rules, table: Table) -> Mapping[int, int] | None:
    """Return how many cards each position must have while they are dealt; nothing when they all are."""
    return None if table.round.has(RoundMark.DEALT_OUT) else dealt_so_far(rules, table)


def with_hands(table: Table, hands: Mapping[int, Cards]) -> Table:
    """Return the table with the cards lying where they were dealt."""
    if not hands:
        return table
    held = {at: changed(hand, cards=hands[at]) for at, hand in table.round.hands.items()}
    return table.with_round(hands=held, dealer_cards=hands[table.dealer_at])


def next_cards(s: Situation, count: int) -> Cards:
    """Return the next cards of the sealed deck; none where cards are real."""
    this_round = s.round
    if this_round.commitment is None:
        return ()
    return s.moment.cards.draw(
        this_round.commitment, this_round.cut_at + this_round.dealt + this_round.boxed, count
    )


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
    """Only a device is answered: to anybody else the answer would tell of a card that is not dealt."""
    if not action.read or s.by.role not in READERS:
        return True
    due = next_cards(s, len(action.read))
    return not due or tuple(action.read) == due


def _same_hand(s: Situation, action: Deal) -> bool:
    return s.rules.way != "hand" or action.hand is None or action.hand == s.round.holding


def _count_in_range(s: Situation, action: Deal) -> bool:
    left = whole_deal(s.rules) - s.round.dealt
    return 1 <= (left if action.cards is None else action.cards) <= left


def _first_goes_to_a_pile(s: Situation, action: Deal) -> bool:
    return action.first_to is None or s.round.start is not None


def _first_named_once(s: Situation, action: Deal) -> bool:
    to = action.first_to
    return to is None or (not s.round.dealt and to in places(s.rules, s.table))


def _dealing(s: Situation, action: Deal) -> Dealt:
    left = whole_deal(s.rules) - s.round.dealt
    number = left if action.cards is None else action.cards
    first = s.round.start if action.first_to is None else action.first_to
    cards = next_cards(s, number)
    complete = number == left
    handed = complete and not dealt_in_piles(s.rules)
    hands = hands_of(s.rules, s.table, (*s.round.drawn, *cards), first) if handed else {}
    return Dealt(number=number, first=first, cards=cards, complete=complete, hands=hands)


def _dealt(table: Table, event: Event[Deal, Dealt]) -> Table:
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


def handed_out(s: Situation, _: Action) -> HandedOut:
    """Return the hands that the piles make."""
    return HandedOut(hands_of(s.rules, s.table, s.round.drawn, s.round.start))


# --- the stub and the empty positions -----------------------------------------------------------------


def _stub(s: Situation, action: CountStub) -> StubCounted:
    left = action.left
    if left is None:
        left = len(s.rules.game.cards()) - s.round.boxed - s.round.dealt
    return StubCounted(left, left == expected_stub(s.rules, s.round.boxed))


def _stops_on_stub(s: Situation, event: Event[CountStub, StubCounted]) -> Sequence[Action]:
    """Where no clause says what a wrong remainder means, the floor rules."""
    if not event.outcome.right and "stop_round" in s.rules.game.procedure:
        return [StopRound(f"{event.outcome.left} cards are left")]
    return ()


def _stub_known(s: Situation, action: CountStub) -> bool:
    if action.left is None:
        return s.round.commitment is not None
    return 0 <= action.left <= len(s.rules.game.cards())


def _stub_counted(table: Table, event: Event[CountStub, StubCounted]) -> Table:
    left, marks = event.outcome.left, table.round.marks
    if not event.outcome.right:
        return table.with_round(stub=left, marks=marks | {RoundMark.STUB_WRONG})
    racked = Racked(RackedWhat.STUB, None, (), left)
    table = table.with_round(stub=left, marks=(marks | {RoundMark.STUB}) - {RoundMark.STUB_WRONG})
    return changed(table, rack=(*table.rack, racked), rack_deck=table.round.deck)


def _at_positions(s: Situation, _: CountHands) -> bool:
    return s.round.has(RoundMark.DEALT_OUT) or not in_piles(s.rules, s.table)


def _all_counted(s: Situation, action: CountHands) -> bool:
    return set(action.counts) == set(places(s.rules, s.table))


def _after_count(s: Situation, event: Event[CountHands, None]) -> Sequence[Action]:
    counts, this_round = event.action.counts, s.round
    stub = this_round.stub if this_round.stub is not None else expected_stub(s.rules, s.round.boxed)
    void = check_deal(s.rules, counts, stub, this_round.boxed, due_by_now(s.rules, s.table))
    if void is None:
        return ()
    if "stop_round" in s.rules.game.procedure:
        return [StopRound(void.reason)]
    return [VoidRound(counts=counts, stub=stub)]


def _stub_done(rules: Rules, table: Table) -> bool:
    if rules.banked:
        return table.round.has(RoundMark.DISTRIBUTED if rules.way == MANUAL else RoundMark.DEALT_OUT)
    wanted = RoundMark.STUB if "count_stub" in rules.game.procedure else RoundMark.DEALT_OUT
    return table.round.has(wanted)


def _collecting(s: Situation, _: CollectEmpty) -> PutAway:
    rules, this_round, racked = s.rules, s.round, []
    if not this_round.has(RoundMark.STUB):
        left = len(rules.game.cards()) - whole_deal(rules) - this_round.boxed
        racked.append(Racked(RackedWhat.STUB, None, (), left, None, this_round.number))
    taken = {*(hand.position for hand in this_round.active()), s.table.dealer_at}
    racked += [
        Racked(RackedWhat.NO_WAGER, at, (), rules.game.hand_cards)
        for at in sorted(places(rules, s.table))
        if at not in taken
    ]
    return PutAway(tuple(racked))


def _collect(table: Table, event: Event[CollectEmpty, PutAway]) -> Table:
    table = table.mark_round(RoundMark.COLLECTED)
    rack = (*table.rack, *event.outcome.racked)
    return changed(table, rack=rack, rack_deck=table.round.deck, phase=Phase.SETTING)


# --- what is due --------------------------------------------------------------------------------------


def _suggest_deal(rules: Rules, table: Table) -> Iterable[Proposal]:
    known = table.round.start is not None or dealt_in_piles(rules)
    if known and table.round.dealt < whole_deal(rules):
        yield Proposal(dealer_of(table), Deal())


def _suggest_stub(rules: Rules, table: Table) -> Iterable[Proposal]:
    this_round = table.round
    if rules.banked and rules.way != MANUAL:
        return
    uncounted = this_round.marks.isdisjoint({RoundMark.STUB, RoundMark.STUB_WRONG})
    if this_round.has(RoundMark.DEALT_OUT) and uncounted:
        yield Proposal(dealer_of(table), CountStub())


def _suggest_collect(rules: Rules, table: Table) -> Iterable[Proposal]:
    if _stub_done(rules, table):
        yield Proposal(dealer_of(table), CollectEmpty())


STEPS: Final[tuple[AnyStep, ...]] = (
    Step(
        action=Deal,
        phases=(Phase.STARTING, Phase.DEALING),
        guards=(
            Guard("after_bets", "no more bets is announced first", round_has(RoundMark.NO_MORE_BETS)),
            Guard("lammers", "the Envy lammers are placed first", lammers_placed),
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
            always("top", "cards come from the top of the deck", _from_the_top),
            Guard("holding", "the dealer changed the hand that holds the deck", _same_hand, warns=True),
            sense("that many cards are not left to deal", _count_in_range),
            sense("the cards go to piles: no seat gets one before the dice", _first_goes_to_a_pile),
            sense("the first card is dealt, or there is no such position", _first_named_once),
        ),
        outcome=_dealing,
        evolve=_dealt,
        consequences=_after_deal,
        suggest=_suggest_deal,
    ),
    Step(
        action=CountStub,
        phases=(Phase.DEALING,),
        guards=(
            sense("the deal is not finished", round_has(RoundMark.DEALT_OUT)),
            moot("the stub is counted already", round_has_not(RoundMark.STUB)),
            sense("the cards left are counted and the number given", _stub_known, "left"),
        ),
        outcome=_stub,
        evolve=_stub_counted,
        consequences=_stops_on_stub,
        suggest=_suggest_stub,
    ),
    Step(
        action=CountHands,
        phases=(Phase.DEALING, Phase.SETTING, Phase.DEALER, Phase.SETTLING),
        guards=(
            sense("the deal to piles is not finished", _at_positions),
            sense("every hand is counted, the dealer's and the empty positions' too", _all_counted, "counts"),
        ),
        consequences=_after_count,
    ),
    Step(
        action=CollectEmpty,
        phases=(Phase.DEALING,),
        guards=(
            always(
                "after_stub",
                "the remaining cards are counted first",
                lambda s, _: _stub_done(s.rules, s.table),
            ),
            Guard("every_spot", "every spot and the dealer get a hand", round_has(RoundMark.DEALT_OUT)),
            Guard(
                "counted_again",
                "every hand is counted when the remainder is wrong",
                round_has_not(RoundMark.STUB_WRONG),
            ),
        ),
        outcome=_collecting,
        evolve=_collect,
        suggest=_suggest_collect,
    ),
)
