"""The deal: deck in place, start found, cards clockwise to every position, the rest counted and put away."""

from __future__ import annotations

from typing import Any

import pytest

from houseway.rounds.roles import Role
from houseway.rounds.state import Phase, Place
from houseway.rounds.step import Actor
from tests.games.support import Changes
from tests.rounds.books import dollars, net_of_rounds
from tests.rounds.commands import value_of
from tests.rounds.pennsylvania import EVERY_WAGER, START, by_way, game_of, left_over, stacks
from tests.rounds.table import (
    AUTOMATED,
    BY_HAND,
    DEALER,
    DISPLAY,
    FLOOR,
    GENERATOR,
    KEYPAD,
    MANUAL,
    SENSOR,
    SHAKER,
    SHOE,
    SHUFFLER,
    TestTable,
    by_chapter,
    order_of,
    player,
)

MANAGER = Actor("Max", Role.MANAGER)
EVERYBODY = (player(2), player(3), DEALER, FLOOR, MANAGER, KEYPAD)


def prepared(game: str, changes: Changes, *bets: int) -> TestTable:
    """Play until only the starting position is to be found before the deal."""
    table = TestTable(game, changes).starting(*bets, **EVERY_WAGER[game])
    return table.play_on(without=[*START, "deal"])


def uncounted(game: str, changes: Changes, *bets: int) -> TestTable:
    """Play until every hand is complete and the remaining cards are to be counted."""
    return TestTable(game, changes).starting(*bets, **EVERY_WAGER[game]).play_on(without=["count_stub"])


def full(table: TestTable) -> dict[int, int]:
    """Return the count of a proper deal: every hand complete, the dealer's and the empty positions' too."""
    return dict.fromkeys(range(1, 8), table.state.rules.game.hand_cards)


# --- the deck in its place, the start found ---------------------------------------------------------


@by_way(
    manual_shoe=["pa575.8.a.s2", "pa659a.8.a.s2", "pa670a.8.a.s2"],
    hand=["pa670a.9.a.2.s1"],
    automated_shoe=["pa575.10.a.1", "pa659a.10.a.s1", "pa670a.10.a.1"],
)
def test_the_shuffled_deck_is_put_in_its_place_before_any_card(game: str, changes: Changes, law: str) -> None:
    hand = {"hand": "left"} if changes == BY_HAND else {}
    table = TestTable(game, changes).play_on(without=["shuffle"])
    assert law in table.refused("load", DEALER, None, deck="A", **hand)
    table.opened(without=["load"]).seat((2,)).bet(2, main="$10").play_on(without=["load"])
    assert law in table.refused("deal")
    event = table.do("load", DEALER, None, deck="A", **hand)[0]
    assert law in event.clauses and event.by == DEALER
    assert table.state.decks["A"].place is Place.PLAY
    table.play_on(Phase.DEALING)
    assert table.state.round.dealt


@pytest.mark.clause("pa670a.9.a.2.s1")
def test_six_card_the_dealer_takes_the_deck_in_one_hand_or_the_other() -> None:
    table = TestTable("pa-670a", BY_HAND).betting(2, main="$10").play_on(without=["load"])
    assert "pa670a.9.a.2.s1" in table.refused("load", deck="A")
    assert "pa670a.9.a.2.s1" in table.refused("load", deck="A", hand="both")
    table.do("load", deck="A", hand="right")
    assert table.state.round.holding == "right"


@pytest.mark.parametrize("cards", [-1, 0, 50])
def test_at_least_one_card_is_dealt_and_no_more_than_are_left(cards: int) -> None:
    table = TestTable("pa-659a").starting(2, main="$10").play_on(without=["deal"])
    assert [p.reason for p in table.problems("deal", cards=cards)] == ["that many cards are not left to deal"]
    table.do("deal", cards=49)


@by_chapter(pa575="pa575.9.a.2.s1", pa659a="pa659a.9.a.2.s1")
def test_asia_the_deck_stays_in_the_hand_that_took_it(game: str, law: str) -> None:
    table = TestTable(game, BY_HAND).betting(2, main="$10").play_on(without=["load"])
    assert table.refused("load", deck="A") == (law,)
    table.do("load", deck="A", hand="left")
    table.play_on(without=["deal"])
    alerts = table.do("deal", cards=1, hand="right")[0].alerts
    assert [(alert.clauses, alert.blocks) for alert in alerts] == [((law,), False)]
    assert not table.do("deal", cards=1, hand="left")[0].alerts
    table.play_on(rounds=1).bet(2, main="$10").play_on(without=["load"])
    table.do("load", deck="A", hand="right")
    table.play_on(without=["deal"])
    assert not table.do("deal", cards=1, hand="right")[0].alerts


@pytest.mark.clause("pa670a.9.a.2.s2")
def test_six_card_the_deck_stays_in_that_hand_for_the_round() -> None:
    table = TestTable("pa-670a", BY_HAND).dealing(2, main="$10")
    assert table.state.round.holding == "left"
    assert not table.do("deal", cards=1, hand="left")[0].alerts
    alerts = table.do("deal", cards=1, hand="right")[0].alerts
    assert [(alert.clauses, alert.blocks) for alert in alerts] == [(("pa670a.9.a.2.s2",), False)]
    table.play_on(rounds=1).bet(2, main="$10").play_on(without=["load"])
    table.do("load", deck="A", hand="right")
    table.play_on(without=["deal"])
    assert not table.do("deal", cards=1, hand="right")[0].alerts


@by_way(
    manual_shoe=["pa659a.8.c.s0", "pa670a.8.c"],
    hand=["pa575.9.a.3.s1", "pa659a.9.b.s0", "pa670a.9.b.s2"],
    automated_shoe=["pa659a.10.b.s0", "pa670a.10.b"],
)
def test_the_starting_position_is_found_before_any_card(game: str, changes: Changes, law: str) -> None:
    table = prepared(game, changes, 2)
    assert law in table.refused("deal")
    assert law in table.refused("deal", cards=1, first_to=4)
    table.do("draw_number", GENERATOR, number=4)
    table.do("deal", cards=1)
    assert (table.state.phase, table.state.round.start) == (Phase.DEALING, 4)


@pytest.mark.clause("pa659a.8.c.s0")
@pytest.mark.parametrize("start", ["shaker", "rng"])
def test_fortune_asia_a_start_found_before_no_more_bets_is_none(start: str) -> None:
    table = TestTable("pa-659a", {**MANUAL, "table.start_methods": [start]}).betting(2, main="$10")
    if start == "rng":
        assert "pa659a.8.c.s0" in table.refused("draw_number", GENERATOR, number=4)
    else:
        table.do("place_dice")
        assert "pa659a.8.c.s0" in table.refused("shake", times=3)
    assert table.play_on(Phase.DEALING).state.round.start is not None


# --- who gets which card ------------------------------------------------------------------------------


Start = int | tuple[int, int, int]
FROM_4, FROM_1 = (4, 3, 2, 1, 7, 6, 5), (1, 7, 6, 5, 4, 3, 2)
FROM_6, FROM_2 = (6, 5, 4, 3, 2, 1, 7), (2, 1, 7, 6, 5, 4, 3)
DEALS: list[tuple[Changes, Start, tuple[int, ...], tuple[str, ...]]] = [
    (MANUAL, 4, FROM_4, ("pa575.8.c.s1", "pa659a.8.c.s1")),
    (MANUAL, (5, 4, 2), FROM_4, ("pa670a.8.d.s1",)),
    (BY_HAND, 1, FROM_1, ("pa575.9.b", "pa659a.9.b")),
    (BY_HAND, 2, FROM_2, ("pa670a.9.c.s1",)),
    (AUTOMATED, 6, FROM_6, ("pa575.10.b.s1", "pa659a.10.b.s1")),
    (AUTOMATED, 6, FROM_6, ("pa575.10.b.s2", "pa659a.10.b.s2")),
    (AUTOMATED, (6, 6, 6), FROM_4, ("pa670a.10.c.s1",)),
    (AUTOMATED, (4, 1, 3), FROM_1, ("pa670a.10.c.s2",)),
]


@pytest.mark.parametrize(
    ("changes", "start", "order", "law"),
    [
        pytest.param(changes, start, order, law, marks=pytest.mark.clause(law), id=law)
        for changes, start, order, laws in DEALS
        for law in laws
    ],
)
def test_cards_go_clockwise_from_the_start_to_every_position(
    changes: Changes, start: Start, order: tuple[int, ...], law: str
) -> None:
    table = prepared(game_of(law), changes | (SHAKER if isinstance(start, tuple) else {}), 2, 3)
    if isinstance(start, int):
        table.do("draw_number", GENERATOR, number=start)
    else:
        table.do("shake", times=3)
        table.do("uncover", dice=start)
        table.do("announce_total", total=sum(start))
    deck, size = order_of(table), table.state.rules.game.hand_cards
    first = table.do("deal", cards=1)[0]
    assert law in first.clauses and value_of(first, "first") == order[0]
    table.do("deal")
    singly = changes != AUTOMATED
    expected = {
        at: deck[turn :: len(order)][:size] if singly else deck[turn * size : (turn + 1) * size]
        for turn, at in enumerate(order)
    }
    assert stacks(table) == expected
    assert expected[order[-1]][-1] == deck[7 * size - 1]
    this_round = table.state.round
    assert (this_round.dealt, this_round.dealer_cards) == (7 * size, expected[1])
    assert {at: hand.cards for at, hand in this_round.hands.items()} == {2: expected[2], 3: expected[3]}
    table.refused("deal", cards=1)


DEVICES = (SHUFFLER, SHOE, GENERATOR, KEYPAD, DISPLAY, SENSOR)


@by_way(
    manual_shoe=["pa575.8.c.s1", "pa659a.8.c.s1", "pa670a.8.d.s1"],
    hand=["pa575.9.b", "pa659a.9.b", "pa670a.9.c.s1"],
    automated_shoe=["pa575.10.b.s1", "pa659a.10.b.s1", "pa670a.10.c.s1"],
)
def test_the_dealer_deals_and_no_device_but_the_shoe_that_dispenses(
    game: str, changes: Changes, law: str
) -> None:
    table = TestTable(game, changes).starting(2, main="$10").play_on(without=["deal"])
    others = [one for one in DEVICES if one is not SHOE or changes is not AUTOMATED]
    refused = {one.id: table.refused("deal", one) for one in others}
    assert law in refused["sensor"]
    table.do("deal", SHOE if changes is AUTOMATED else DEALER, cards=1)


BY_THE_DEALER: dict[str, dict[str, Any]] = {
    "no_more_bets": {},
    "deal": {},
    "count_stub": {},
    "collect_empty": {},
    "turn_over": {},
    "set_dealer": {},
    "reveal": {"position": 2},
    "settle": {"position": 2, "wager": "main"},
    "rack": {"position": 2},
    "close_round": {},
}
"""What the law has the dealer do at a table dealt from the hand."""


@pytest.mark.parametrize("game", ["pa-575", "pa-659a", "pa-670a"])
@pytest.mark.parametrize("step", BY_THE_DEALER)
def test_no_device_does_the_dealers_part_at_a_table_dealt_from_the_hand(game: str, step: str) -> None:
    table = TestTable(game, BY_HAND).betting(2, main="$10").play_on(without=[step])
    for device in DEVICES:
        table.refused(step, device, None, **BY_THE_DEALER[step])
    table.do(step, DEALER, None, **BY_THE_DEALER[step])


@pytest.mark.clause("pa575.9.a.3.s2")
def test_asia_cards_from_the_hand_come_off_the_top() -> None:
    table = prepared("pa-575", BY_HAND, 2)
    table.do("draw_number", GENERATOR, number=1)
    top = order_of(table)
    assert "pa575.9.a.3.s2" in table.refused("deal", SENSOR, cards=1, read=(top[1],))
    assert "pa575.9.a.3.s2" in table.refused("deal", SENSOR, cards=1, read=(top[-1],))
    assert "pa575.9.a.3.s2" in table.do("deal", SENSOR, cards=1, read=(top[0],))[0].clauses
    assert "pa575.9.a.3.s2" in table.refused("deal", SENSOR, cards=2, read=(top[2], top[1]))
    table.do("deal", SENSOR, cards=2, read=(top[1], top[2]))


@pytest.mark.parametrize("game", ["pa-659a", "pa-670a"])
def test_no_other_card_than_the_top_one_is_dealt_anywhere(game: str) -> None:
    table = prepared(game, BY_HAND, 2)
    table.do("draw_number", GENERATOR, number=1)
    top = order_of(table)
    table.refused("deal", SENSOR, cards=1, read=(top[1],))
    table.do("deal", SENSOR, cards=1, read=(top[0],))


@by_way(manual_shoe=["pa670a.8.d.s2"], hand=["pa670a.9.c.s2"])
def test_six_card_cards_are_dealt_until_every_position_and_the_dealer_have_six(
    game: str, changes: Changes, law: str
) -> None:
    table = uncounted(game, changes, 2, 5)
    assert {at: len(cards) for at, cards in stacks(table).items()} == dict.fromkeys(range(1, 8), 6), law
    assert table.state.round.dealt == 42


# --- the remaining cards ------------------------------------------------------------------------------


LEFT = {"pa-575": 4, "pa-659a": 4, "pa-670a": 11}
"""How many cards a proper deal leaves over."""


@by_way(
    manual_shoe=["pa575.8.d.s1", "pa659a.8.d.s1", "pa670a.8.e.s1"],
    hand=["pa575.9.c.s1", "pa659a.9.c.s1", "pa670a.9.d.s1"],
    automated_shoe=["pa575.10.c.s1", "pa659a.10.c.s1", "pa670a.10.d.s1"],
)
def test_four_cards_are_left_or_eleven_or_the_round_does_not_go_on(
    game: str, changes: Changes, law: str
) -> None:
    table = uncounted(game, changes, 2)
    assert law in table.refused("collect_empty")
    for left, right in ((LEFT[game] - 1, False), (LEFT[game] + 1, False), (LEFT[game], True)):
        table.refused("look", player(2), 2)
        event = table.do("count_stub", left=left)[0]
        assert value_of(event, "right") is right
        assert game == "pa-670a" or law in event.clauses
        if not right:
            assert law in table.refused("collect_empty")
    table.do("collect_empty")
    assert table.state.phase is Phase.SETTING
    assert value_of(uncounted(game, changes, 2).do("count_stub")[0], "left") == LEFT[game]


@pytest.mark.parametrize("game", ["pa-575", "pa-659a", "pa-670a"])
def test_the_cards_left_over_are_counted_again_only_where_their_number_was_wrong(game: str) -> None:
    table = uncounted(game, {}, 2)
    table.do("count_stub", left=table.rules.game.stub + 1)
    table.do("count_stub", left=table.rules.game.stub)
    assert "the stub is counted already" in [one.reason for one in table.problems("count_stub")]


@by_way(
    manual_shoe=["pa575.8.d.s2", "pa659a.8.d.s2", "pa670a.8.e.s2"],
    hand=["pa575.9.c.s2", "pa659a.9.c.s2", "pa670a.9.d.s2"],
    automated_shoe=["pa575.10.c.s2", "pa659a.10.c.s2", "pa670a.10.d.s2"],
)
def test_the_cards_left_over_are_racked_and_shown_to_nobody(game: str, changes: Changes, law: str) -> None:
    table = uncounted(game, changes, 2)
    left = set(left_over(table))
    assert not any(left & set(table.shown(by)) for by in EVERYBODY)
    (event,) = table.do("count_stub")
    assert law in event.clauses
    racked = [one for one in table.state.rack if one.what == "stub"]
    assert [(one.cards, one.count) for one in racked] == [((), table.state.rules.game.stub)]
    for phase in (Phase.SETTING, Phase.DEALER, Phase.SETTLING, Phase.BETTING):
        table.play_on(phase)
        assert table.state.phase is phase
        assert not any(left & set(table.shown(by)) for by in EVERYBODY)
    assert len(set(table.shown(player(2)))) >= table.rules.game.hand_cards


@by_way(
    manual_shoe=["pa575.8.e.s1", "pa659a.8.e.s1", "pa670a.8.f.s1"],
    hand=["pa575.9.d.s1", "pa659a.9.d.s1", "pa670a.9.e.s1"],
    automated_shoe=["pa575.10.d.s1", "pa659a.10.d.s1", "pa670a.10.e.s1"],
)
def test_a_wrong_remainder_has_every_hand_counted(game: str, changes: Changes, law: str) -> None:
    at = 5 if game == "pa-670a" else 3
    for misdealt in (True, False):
        table = uncounted(game, changes, 2)
        table.do("count_stub", left=table.state.rules.game.stub + 1)
        assert law in table.refused("collect_empty")
        counts = full(table)
        table.refused("count_hands", counts={at: counts[at] - 1})
        counts[at] -= 1 if misdealt else 0
        assert law in table.do("count_hands", counts=counts)[0].clauses
        why = value_of(table.last("void_round"), "why")
        assert (why.reshuffle, why.deck_removed) == (misdealt, not misdealt)


AT_STAKE = {"pa-575": "$40", "pa-659a": "$46", "pa-670a": "$61"}


def stakes(game: str, changes: Changes) -> TestTable:
    """Play a deal on which each of the wagers is placed once, and another main wager of $25."""
    table = TestTable(game, changes).opened().seat((2, 3))
    table.bet(2, **EVERY_WAGER[game]).bet(3, main="$25")
    return table.play_on(Phase.STARTING).play_on(without=["count_stub"])


def everything_back(table: TestTable, law: str) -> bool:
    """Whether the clause gave every wager back, and neither house nor meter gained or lost."""
    total = dollars(AT_STAKE[table.state.rules.game.id])
    event = table.last("void_round")
    back = [p for p in value_of(event, "payments") if str(p.to).startswith("player:")]
    assert table.state.last is not None
    return (
        law in event.clauses
        and all(law in p.clauses for p in back)
        and sum(p.units for p in back) == total
        and not {"inventory", "meter:progressive"} & net_of_rounds(table).keys()
        and (table.state.meter and table.state.meter.state) == table.state.last.meter_before
    )


@by_way(
    manual_shoe=["pa575.8.e.s2", "pa659a.8.e.s2"],
    hand=["pa575.9.d.s2", "pa659a.9.d.s2", "pa670a.9.e.s2"],
    automated_shoe=["pa575.10.d.s2", "pa659a.10.d.s2"],
)
def test_a_misdeal_gives_every_wager_back(game: str, changes: Changes, law: str) -> None:
    for more in (-1, 1):
        table = stakes(game, changes)
        count = table.rules.game.hand_cards + more
        table.do("count_stub", left=LEFT[game] - more)
        table.do("count_hands", counts=full(table) | {3: count})
        assert everything_back(table, law)
        assert not table.state.decks["A"].has("removed")
        table.bet(2, main="$10").refused("no_more_bets")
        table.play_on(rounds=1)
        assert "shuffle" in table.steps()[table.steps().index("void_round") :]


@by_way(
    manual_shoe=["pa575.8.e.s3", "pa659a.8.e.s3", "pa670a.8.f.s3"],
    hand=["pa575.9.d.s3", "pa659a.9.d.s3", "pa670a.9.e.s3"],
    automated_shoe=["pa575.10.d.s3", "pa659a.10.d.s3"],
)
def test_a_wrong_remainder_without_a_misdeal_takes_the_deck_off_the_table(
    game: str, changes: Changes, law: str
) -> None:
    proper = stakes(game, changes)
    proper.do("count_stub", left=LEFT[game])
    proper.do("count_hands", counts=full(proper))
    proper.do("collect_empty")
    for left in (LEFT[game] - 1, LEFT[game] + 1):
        table = stakes(game, changes)
        table.do("count_stub", left=left)
        table.do("count_hands", counts=full(table))
        assert everything_back(table, law)
        assert table.state.decks["A"].place is Place.REMOVED
        table.bet(2, main="$10").play_on().refused("no_more_bets")
        table.refused("shuffle", deck="A", method=table.state.rules.submission.table.shuffler, device="D1")
        table.refused("load", deck="A", hand="left")
        table.refused("receive_deck", deck="A")
        table.do("receive_deck", deck="B")
        table.play_on(rounds=1)
        assert table.state.last is not None and table.state.last.deck == "B"


@by_way(
    manual_shoe=["pa575.8.f", "pa659a.8.f", "pa670a.8.g"],
    hand=["pa575.9.e", "pa659a.9.e", "pa670a.9.f"],
    automated_shoe=["pa575.10.e", "pa659a.10.e", "pa670a.10.f"],
)
def test_stacks_without_a_wager_are_racked_unseen(game: str, changes: Changes, law: str) -> None:
    empty = (2, 6) if game == "pa-670a" else (3, 5)
    bets = tuple(at for at in range(2, 8) if at not in empty)
    table = TestTable(game, changes).starting(*bets, **EVERY_WAGER[game]).play_on(without=["collect_empty"])
    table.seat(empty)
    size, stub = table.state.rules.game.hand_cards, table.state.rules.game.stub
    assert law in table.do("collect_empty")[0].clauses
    racked = [(one.position, one.cards, one.count) for one in table.state.rack if one.what == "no wager"]
    assert racked == [(at, (), size) for at in empty]
    assert sum(one.count for one in table.state.rack) == stub + 2 * size
    for phase in (Phase.SETTING, Phase.DEALER, Phase.SETTLING, Phase.BETTING):
        table.play_on(phase)
        for at in empty:
            for by in (*EVERYBODY, player(at)):
                assert law in table.hidden(by, at)
    assert table.state.last is not None and set(table.state.last.hands) == set(bets)
