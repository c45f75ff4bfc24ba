"""The deal: cards to every position from the starting one, the stub counted, empty stacks put away unseen."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from houseway.cards import Cards
from houseway.rounds.dealing import (
    SEATS,
    check_deal,
    deal_singly,
    deal_stacks,
    deal_zigzag,
    dealing_order,
    wrong_start,
)
from houseway.rounds.state import Phase, Racked, Table, changed
from houseway.rounds.step import (
    BY_DEALER,
    BY_DEALER_OR_DEVICE,
    Command,
    Consequence,
    Event,
    Guard,
    Moment,
    Step,
    register,
)
from houseway.rounds.steps.banking import FEES_FIRST
from houseway.rounds.steps.chips import counted, lammers_placed, locked
from houseway.rounds.steps.common import (
    FLOORPERSON,
    always,
    dealer_of,
    play_has,
    play_has_not,
    seats_in_play,
    sense,
    the_deck,
)
from houseway.rounds.steps.cutting import covers_placed, is_cut

NOBODY = Command("", FLOORPERSON)
MANUAL = "manual"
DEALT_SINGLY = ("manual_shoe", "hand")


def whole_deal(table: Table) -> int:
    """Return how many cards a deal takes: seven hands."""
    return SEATS * table.rules.game.hand_cards


def places(table: Table) -> tuple[int, ...]:
    """Return the positions that get cards, whether or not anybody bets there."""
    return seats_in_play(table) if table.banked else tuple(range(1, SEATS + 1))


def expected_stub(table: Table) -> int:
    """Return how many cards must be left, less a card found face up and set aside."""
    readings = table.rules.readings
    lenient = readings.get("boxed_card_stub", readings.get("six_boxed_card_stub")) != "always_full"
    return table.rules.game.stub - (table.play.boxed if lenient else 0)


def stacks(table: Table) -> Mapping[int, Cards]:
    """Return the cards of every position, those of the dealer and of empty positions too."""
    play, game = table.play, table.rules.game
    if not play.order or play.start is None:
        return {}
    if table.banked:
        return _seats_clockwise(table)
    if table.way in DEALT_SINGLY:
        return deal_singly(game, play.order, play.start, table.way)
    return deal_stacks(game, play.order, dealing_order(play.start))


def _seats_clockwise(table: Table) -> Mapping[int, Cards]:
    """Hands to seats clockwise from the diced one: packs from the shuffler, or piles from the marked one."""
    play, game = table.play, table.rules.game
    seats = _from_the_start(table)
    if table.way != MANUAL:
        return deal_stacks(game, play.order, seats)
    piles = deal_zigzag(game, play.order)
    first = play.pile or 1
    return {seat: piles[(first - 1 + turn) % SEATS] for turn, seat in enumerate(seats)}


def _from_the_start(table: Table) -> tuple[int, ...]:
    """Return the seats that get cards, clockwise from the one that gets the first hand."""
    seats = seats_in_play(table)
    turn = seats.index(table.play.start) if table.play.start in seats else 0
    return (*seats[turn:], *seats[:turn])


def hands_out(table: Table) -> Table:
    """Return the table with the cards lying where they were dealt."""
    cards, play = stacks(table), table.play
    if cards:
        hands = {at: changed(hand, cards=cards[at]) for at, hand in play.hands.items()}
        play = changed(play, hands=hands, dealer_cards=cards[table.dealer_at])
    return changed(table, play=play)


def position_of_card(table: Table, number: int) -> int:
    """Return which position the n-th card goes to, counted from one."""
    order = _from_the_start(table) if table.banked else dealing_order(table.play.start or 1)
    turn = (number - 1) % SEATS if table.way in DEALT_SINGLY else (number - 1) // table.rules.game.hand_cards
    return order[turn]


def _shuffled(table: Table, _: Command) -> bool:
    deck = table.in_play or the_deck(table)
    return deck is not None and deck.has("shuffled") and not deck.has("played")


def _first_round_shuffled(table: Table, command: Command) -> bool:
    return table.rounds > 0 or _shuffled(table, command)


def _shuffled_again(table: Table, command: Command) -> bool:
    return table.rounds == 0 or _shuffled(table, command)


def _not_ordered(table: Table, _: Command) -> bool:
    deck = table.in_play or the_deck(table)
    return deck is None or not deck.has("ordered")


def _complete_shuffle(table: Table, command: Command) -> bool:
    faulted = any(deck.has("faulted") for deck in table.decks.values() if deck.name == table.deck)
    return not faulted and (table.deck is not None or _not_faulted(table))


def _not_faulted(table: Table) -> bool:
    return not any(deck.has("faulted") for deck in table.decks.values())


def _loaded(table: Table, _: Command) -> bool:
    return table.in_play is not None and table.in_play.has("loaded")


def _cut_done(table: Table, _: Command) -> bool:
    deck = table.in_play or next(iter(table.decks.values()), None)
    return deck is None or is_cut(table, deck)


def _cut_done_manual(table: Table, command: Command) -> bool:
    deck = table.in_play or next(iter(table.decks.values()), None)
    return deck is None or deck.has("preshuffled") or _cut_done(table, command)


def _cut_done_preshuffled(table: Table, command: Command) -> bool:
    deck = table.in_play or next(iter(table.decks.values()), None)
    return deck is None or not deck.has("preshuffled") or _cut_done(table, command)


def _cover_in_place(table: Table, _: Command) -> bool:
    deck = table.in_play
    return deck is None or not deck.has("cut") or covers_placed(table, deck)


def _start_found(table: Table, _: Command) -> bool:
    return table.play.start is not None


def _from_the_top(table: Table, command: Command) -> bool:
    read = command.get("read")
    play = table.play
    return bool(not read or not play.order) or tuple(read) == play.order[play.dealt : play.dealt + len(read)]


def _same_hand(table: Table, command: Command) -> bool:
    return table.way != "hand" or command.get("hand", table.play.holding) == table.play.holding


def _count_in_range(table: Table, command: Command) -> bool:
    left = whole_deal(table) - table.play.dealt
    return bool(1 <= command.get("cards", left) <= left)


def _first_named_once(table: Table, command: Command) -> bool:
    to = command.get("first_to")
    return to is None or (not table.play.dealt and to in places(table))


def _deal_outcome(table: Table, command: Command, _: Moment) -> Mapping[str, Any]:
    number = command.get("cards", whole_deal(table) - table.play.dealt)
    return {"number": number, "first": command.get("first_to", table.play.start)}


def _deal(table: Table, event: Event) -> Table:
    play = table.play
    dealt = play.dealt + event.get("number")
    play = changed(play, dealt=dealt, start=event.get("first"))
    table = changed(table, phase=Phase.DEALING, play=play)
    if dealt < whole_deal(table):
        return table
    table = changed(table, play=changed(play, marks=play.marks | {"dealt_out"}))
    return table if "distribute" in table.rules.game.procedure and table.way == MANUAL else hands_out(table)


def _after_deal(table: Table, event: Event) -> Sequence[Consequence]:
    """A first card to another position than the dice or the number give voids the round."""
    play = table.play
    if play.dealt != event.get("number"):
        return ()
    mistaken = play.start != play.due or (play.dice and play.announced != sum(play.dice))
    if mistaken and "stop_round" in table.rules.game.procedure:
        return [("stop_round", {"reason": "the first hand went to another position than the start"})]
    if mistaken and wrong_start(table.rules, play.due or 0, play.start or 0):
        return [("void_round", {"irregularity": "wrong_start"})]
    return ()


def _stub(table: Table, command: Command, _: Moment) -> Mapping[str, Any]:
    left = command.get("left")
    if left is None:
        left = len(table.play.order) - table.play.dealt
    return {"left": left, "right": left == expected_stub(table)}


def _stops_on_stub(table: Table, event: Event) -> Sequence[Consequence]:
    """Where no clause says what a wrong remainder means, the floor rules."""
    if not event.get("right") and "stop_round" in table.rules.game.procedure:
        return [("stop_round", {"reason": f"{event.get('left')} cards are left"})]
    return ()


def _stub_known(table: Table, command: Command) -> bool:
    left = command.get("left")
    if left is None:
        return bool(table.play.order)
    return bool(0 <= left <= len(table.rules.game.cards()))


def _stub_counted(table: Table, event: Event) -> Table:
    left = event.get("left")
    if not event.get("right"):
        return table.with_play(stub=left, marks=table.play.marks | {"stub_wrong"})
    racked = Racked("stub", None, (), left)
    table = table.with_play(stub=left, marks=(table.play.marks | {"stub"}) - {"stub_wrong"})
    return changed(table, rack=(*table.rack, racked), rack_deck=table.play.deck)


def _all_counted(table: Table, command: Command) -> bool:
    return set(command.get("counts")) == set(places(table))


def _after_count(table: Table, event: Event) -> Sequence[Consequence]:
    counts, play = event.get("counts"), table.play
    stub = play.stub if play.stub is not None else expected_stub(table)
    void = check_deal(table.rules, counts, stub, play.boxed)
    if void is None:
        return ()
    if "stop_round" in table.rules.game.procedure:
        return [("stop_round", {"reason": void.reason})]
    return [("void_round", {"count": counts, "stub": stub})]


def _collect(table: Table, _: Event) -> Table:
    size, rack = table.rules.game.hand_cards, table.rack
    if not table.play.has("stub"):
        left = len(table.rules.game.cards()) - whole_deal(table) - table.play.boxed
        rack = (*rack, Racked("stub", None, (), left, None, table.play.number))
    taken = {hand.position for hand in table.play.active()}
    for at in sorted(places(table)):
        if at not in taken and at != table.dealer_at:
            rack = (*rack, Racked("no wager", at, (), size))
    table = table.mark_play("collected")
    return changed(table, rack=rack, rack_deck=table.play.deck, phase=Phase.SETTING)


def _suggest_deal(table: Table) -> Iterable[Command]:
    if table.play.start is not None and table.play.dealt < whole_deal(table):
        yield Command("deal", dealer_of(table))


def _suggest_stub(table: Table) -> Iterable[Command]:
    play = table.play
    if table.banked and table.way != MANUAL:
        return
    if play.has("dealt_out") and not play.has("stub") and play.order and not play.has("stub_wrong"):
        yield Command("count_stub", dealer_of(table))


def _stub_done(table: Table, _: Command) -> bool:
    if table.banked:
        return table.play.has("distributed" if table.way == MANUAL else "dealt_out")
    wanted = "stub" if "count_stub" in table.rules.game.procedure else "dealt_out"
    return table.play.has(wanted)


def _started(table: Table, _: Command) -> bool:
    return "press_start" not in table.rules.game.procedure or table.play.has("started")


def _suggest_collect(table: Table) -> Iterable[Command]:
    if _stub_done(table, NOBODY):
        yield Command("collect_empty", dealer_of(table))


register(
    Step(
        "deal",
        BY_DEALER_OR_DEVICE,
        (Phase.STARTING, Phase.DEALING),
        (
            Guard("after_bets", "no more bets is announced first", play_has("no_more_bets")),
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
            always("top", "cards come from the top of the deck", _from_the_top),
            Guard("holding", "the dealer changed the hand that holds the deck", _same_hand, warns=True),
            sense("that many cards are not left to deal", _count_in_range),
            sense("the first card is dealt, or there is no such position", _first_named_once),
        ),
        takes={"cards?": int, "first_to?": int, "read?": tuple, "hand?": str},
        outcome=_deal_outcome,
        evolve=_deal,
        then=_after_deal,
        suggest=_suggest_deal,
    ),
    Step(
        "count_stub",
        BY_DEALER_OR_DEVICE,
        (Phase.DEALING,),
        (
            sense("the deal is not finished", play_has("dealt_out")),
            sense("the stub is counted", play_has_not("stub")),
            sense("the cards left are counted and the number given", _stub_known),
        ),
        takes={"left?": int},
        outcome=_stub,
        evolve=_stub_counted,
        then=_stops_on_stub,
        suggest=_suggest_stub,
    ),
    Step(
        "count_hands",
        BY_DEALER,
        (Phase.DEALING, Phase.SETTING, Phase.DEALER, Phase.SETTLING),
        (
            sense("the deal is not finished", play_has("dealt_out")),
            sense("every hand is counted, the dealer's and the empty positions' too", _all_counted),
        ),
        takes={"counts": dict},
        then=_after_count,
    ),
    Step(
        "collect_empty",
        BY_DEALER,
        (Phase.DEALING,),
        (
            always("after_stub", "the remaining cards are counted first", _stub_done),
            Guard("every_spot", "every spot and the dealer get a hand", play_has("dealt_out")),
            Guard(
                "counted_again",
                "every hand is counted when the remainder is wrong",
                play_has_not("stub_wrong"),
            ),
        ),
        evolve=_collect,
        suggest=_suggest_collect,
    ),
)
