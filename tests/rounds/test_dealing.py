"""The deal as arithmetic, clause by clause."""

from __future__ import annotations

from collections import Counter
from itertools import product

import pytest

from houseway.cards import Deck, parse_cards
from houseway.errors import IllegalError, UnknownNameError
from houseway.games import game
from houseway.houseways import compile_way, decide, house_way
from houseway.ledger import units
from houseway.meters import opened
from houseway.money import cents
from houseway.rounds.dealing import (
    check_deal,
    cut_deck,
    deal_singly,
    deal_zigzag,
    dealing_order,
    dice_in_words,
    dice_total,
    irregularity,
    position_by_button,
    position_by_dice,
    position_by_number,
    seat_by_dice,
    wrong_start,
    zigzag_pile,
)
from houseway.rounds.houseway import display_setting
from houseway.settlement import Area, Bettor, PaymentKind, Showdown, Status, meter_terms, settle
from tests.games.support import rules
from tests.rounds.washington import PLAIN_METER, SAM, awards, claim, jackpot, record, showing

clause = pytest.mark.clause
DECK = Deck.standard().cards
ROLLS = [sum(roll) for roll in product(range(1, 7), repeat=3)]


@pytest.mark.parametrize(
    "game_id",
    [
        pytest.param("pa-575", marks=clause("pa575.5.c.s2")),
        pytest.param("pa-659a", marks=clause("pa659a.5.c.s2")),
    ],
)
def test_the_cards_above_the_cut_go_to_the_bottom(game_id: str) -> None:
    found = game(game_id)
    assert cut_deck(found, DECK, 10) == DECK[10:] + DECK[:10]
    for depth in (9, 53):
        with pytest.raises(IllegalError):
            cut_deck(found, DECK, depth)
    cut_deck(found, DECK, 52)


@clause("pa670a.5.e.s1")
def test_670a_cuts_at_least_ten_from_both_ends() -> None:
    for depth, fine in ((9, False), (10, True), (43, True), (44, False)):
        if fine:
            assert cut_deck(game("pa-670a"), DECK, depth)[0] == DECK[depth]
        else:
            with pytest.raises(IllegalError, match=r"\[pa670a\.5\.e\.s1\]"):
                cut_deck(game("pa-670a"), DECK, depth)


BY_DICE = ["pa575.5.g.1.iii", "pa659a.5.g.1.iii", "pa670a.5.i.1.iii.s1", "pa670a.5.i.1.iii.s2"]
BY_DICE += ["wa.fap.dice.3.total"]
GAMES = {"pa575": "pa-575", "pa659a": "pa-659a", "pa670a": "pa-670a", "wa": "wa-fap", "ca": "ca-fpgp"}


def game_of(law: str) -> str:
    return GAMES[law.split(".", maxsplit=1)[0]]


@pytest.mark.parametrize("law", [pytest.param(c, marks=clause(c)) for c in BY_DICE])
def test_count_every_position_from_the_dealer_until_the_total(law: str) -> None:
    found = game(game_of(law))
    expected = {3: 3, 8: 1, 9: 2, 11: 4, 14: 7, 15: 1, 18: 4}
    assert {total: position_by_dice(found, total) for total in expected} == expected
    ways = Counter(position_by_dice(found, total) for total in ROLLS)
    assert [ways[p] for p in range(1, 8)] == [31] * 6 + [30]
    for total in (2, 19):
        with pytest.raises(IllegalError):
            position_by_dice(found, total)


def test_a_number_of_dice_is_said_as_people_say_it() -> None:
    said = [dice_in_words(number) for number in (1, 2, 3, 4)]
    assert said == ["one die", "two dice", "three dice", "4 dice"]


@clause("pa670a.5.i.1.ii.s2")
def test_670a_the_three_dice_are_totalled() -> None:
    assert dice_total(game("pa-670a"), (5, 4, 2)) == 11
    for roll in ((5, 4), (5, 4, 7), (0, 1, 2), (1, 2, 3, 4)):
        with pytest.raises(IllegalError):
            dice_total(game("pa-670a"), roll)


@pytest.mark.parametrize("game_id", [*GAMES.values()][:4])
def test_a_displayed_number_is_counted_from_the_dealer_as_one(game_id: str) -> None:
    found = game(game_id)
    assert [position_by_number(found, n) for n in range(1, 8)] == list(range(1, 8))
    for number in (0, 8):
        with pytest.raises(IllegalError):
            position_by_number(found, number)


@clause("pa575.5.g.3.s2")
def test_575_the_button_starts_at_the_dealer_and_moves_clockwise() -> None:
    assert [position_by_button(game("pa-575"), n) for n in (0, 1, 2, 7)] == [1, 7, 6, 1]
    with pytest.raises(IllegalError):
        position_by_button(game("pa-659a"), 0)


@clause("ca.fpgp.deal.dice.sum", "ca.fpgp.deal.dice.pd_numbers", "ca.fpgp.deal.dice.others")
def test_california_counts_seats_clockwise_from_the_player_dealer() -> None:
    found = game("ca-fpgp")
    assert seat_by_dice(found, 11, player_dealer=5) == 1
    assert [seat_by_dice(found, total, 5) for total in (8, 15, 3, 18)] == [5, 5, 7, 1]
    from_one = {9: 2, 16: 2, 3: 3, 10: 3, 17: 3, 4: 4, 11: 4, 18: 4, 5: 5, 12: 5, 6: 6, 13: 6, 7: 7, 14: 7}
    assert {total: seat_by_dice(found, total, 1) for total in from_one} == from_one


@clause("ca.fpgp.deal.manual.pass1", "ca.fpgp.deal.manual.pass2", "ca.fpgp.deal.manual.zigzag")
def test_california_deals_seven_piles_to_and_fro() -> None:
    found = game("ca-fpgp")
    expected = {1: 1, 7: 7, 8: 7, 14: 1, 15: 1, 22: 7, 28: 1, 43: 1, 49: 7}
    assert {card: zigzag_pile(found, card) for card in expected} == expected
    piles = deal_zigzag(found, DECK)
    assert [len(pile) for pile in piles] == [7] * 7
    assert piles[6][:2] == (DECK[6], DECK[7])


@pytest.mark.parametrize(
    "method",
    [
        pytest.param("manual_shoe", marks=clause("pa670a.8.d.s2")),
        pytest.param("hand", marks=clause("pa670a.9.c.s2")),
    ],
)
def test_670a_deals_until_every_position_has_six(method: str) -> None:
    hands = deal_singly(game("pa-670a"), DECK, 4, method)
    assert list(hands) == [4, 3, 2, 1, 7, 6, 5] == list(dealing_order(4))
    assert {len(cards) for cards in hands.values()} == {6}
    assert hands[4][:2] == (DECK[0], DECK[7])


DEALS = [
    ("manual_shoe", "pa670a.8.e.s1", "pa670a.8.f.s2", "pa670a.8.f.s3"),
    ("hand", "pa670a.9.d.s1", "pa670a.9.e.s2", "pa670a.9.e.s3"),
    ("automated_shoe", "pa670a.10.d.s1", "pa670a.10.e.s2", "pa670a.10.e.s3"),
]
FULL = dict.fromkeys(range(1, 8), 6)


@pytest.mark.parametrize(
    ("method", "law"), [pytest.param(m, c, marks=clause(c)) for m, *laws in DEALS for c in laws]
)
def test_670a_eleven_cards_are_left_or_the_round_is_void(method: str, law: str) -> None:
    r = rules("pa-670a", {"table.dealing": method})
    assert check_deal(r, FULL, 11) is None
    for stub in (10, 12):
        short = check_deal(r, FULL, stub)
        assert short is not None and short.deck_removed
        assert law in short.clauses or not law.endswith(".s3")
    wrong = check_deal(r, FULL | {4: 5}, 12)
    assert wrong is not None and wrong.reshuffle
    assert law in wrong.clauses or not law.endswith(".s2")
    assert check_deal(r, FULL, 10, boxed=1) is None


@clause("pa670a.13.h", "pa670a.13.k")
def test_670a_any_wrong_count_voids_the_round_even_at_an_empty_position() -> None:
    for position in (1, 5):
        found = check_deal(rules("pa-670a"), FULL | {position: 7}, 10)
        assert found is not None and {"pa670a.13.h", "pa670a.13.k"} <= set(found.clauses)


def six_card_round(**changes: object) -> Showdown:
    r = rules("pa-670a")
    meter, _ = opened(meter_terms(r))
    one, three, dealer = (
        parse_cards(c) for c in ("As Ah 9d 8c 5s 3h", "Ks Kh Kd 7c 7d 2s", "Qs Qh Jd 8h 6s 4c")
    )
    program = compile_way(house_way("pa-670a"))
    wagers = {"main": cents("$25"), "fortune": cents("$5"), "progressive": cents("$1")}
    areas = (
        Area(2, Bettor("Ann", wagers), one, decide(program, one).setting),
        Area(4, Bettor("Cleo", wagers), three, decide(program, three).setting),
    )
    return Showdown(r, dealer, decide(program, dealer).setting, areas, meter, **changes)  # type: ignore[arg-type]


VOIDS = [
    ("wrong_start", "pa670a.13.c"),
    ("dealer_card_exposed", "pa670a.13.e"),
    ("cards_face_up", "pa670a.13.f.s2"),
    ("stack_card_exposed", "pa670a.13.j"),
    ("shoe_failed", "pa670a.13.m.s1"),
]


@pytest.mark.parametrize(("name", "law"), [pytest.param(n, c, marks=clause(c)) for n, c in VOIDS])
def test_670a_a_void_round_returns_every_wager(name: str, law: str) -> None:
    void = irregularity(rules("pa-670a"), name)
    table = six_card_round(void=void.reason, void_law=void.clauses)
    found = settle(table)
    assert found.meter == table.meter
    back = [p for p in found.payments if p.kind is PaymentKind.RETURN]
    assert sum(p.units for p in back if p.person == "Ann") == units(cents("$31"))
    assert all(p.clauses == (law,) for p in back)


@clause("pa670a.13.c")
def test_670a_a_wrong_total_to_the_same_position_does_not_void() -> None:
    r = rules("pa-670a")
    assert wrong_start(r, given=4, dealt_to=4) is None
    found = wrong_start(r, given=4, dealt_to=5)
    assert found is not None and (found.clauses, found.reshuffle) == (("pa670a.13.c",), True)


@clause("pa670a.13.d.x.envy")
def test_670a_a_voided_hand_gets_its_wagers_back_and_neither_gives_nor_earns_envy() -> None:
    law = irregularity(rules("pa-670a"), "hand_voided").clauses
    table = six_card_round()
    voided = Area(4, table.areas[1].bettor, table.areas[1].cards, None, Status.VOID, law)
    found = settle(
        Showdown(table.rules, table.dealer_cards, table.dealer_setting, (table.areas[0], voided), table.meter)
    )
    mine = [p for p in found.payments if p.person == "Cleo" and p.kind is PaymentKind.RETURN]
    assert sum(p.units for p in mine) == units(cents("$31"))
    assert all("pa670a.13.d.x.envy" in p.clauses for p in mine)
    assert not any(p.kind is PaymentKind.ENVY for p in found.payments)
    assert found.meter is not None and table.meter is not None
    assert found.meter.value == table.meter.value + units(21)


@clause("pa670a.13.i")
def test_670a_a_dealer_set_wrongly_is_reset_by_the_house_way() -> None:
    found = irregularity(rules("pa-670a"), "dealer_set_wrongly")
    assert (found.clauses, found.reshuffle) == (("pa670a.13.i",), False)
    right = decide(compile_way(house_way("pa-670a")), parse_cards("Ks Kh Kd 5s 5h 5d")).setting
    assert [card.rank for card in right[1]] == [13]


def test_an_irregularity_that_a_game_does_not_know_is_refused() -> None:
    with pytest.raises(UnknownNameError, match="knows the irregularities"):
        irregularity(rules("pa-670a"), "dog_ate_the_deck")


@clause("wa.fap.iverify.7.display")
def test_washington_the_display_sets_a_players_cards_like_the_dealers() -> None:
    cards = parse_cards("Ks Kh 7d 4c Ad 9c Qs")
    r = rules("wa-fap")
    dealers = decide(compile_way(house_way("houseway-421"), base=r.ranking()), cards).setting
    assert display_setting(r, cards) == dealers


@clause("wa.prog.8.g.meter")
def test_washington_turning_to_run_adjusts_the_meter_once() -> None:
    table = claim(jackpot(changes=PLAIN_METER))
    record(table)
    assert (showing(table), table.state.round.wins[0].adjusted) == (cents("$10,000"), False)
    (event,) = table.do("turn_key", SAM, to="RUN")
    assert (showing(table), len(awards(event.outcome.payments))) == (cents("$9,000"), 1)
    assert table.state.round.wins[0].adjusted
    (again,) = table.do("turn_key", SAM, to="RUN")
    assert (showing(table), again.outcome.payments, again.outcome.meter) == (cents("$9,000"), (), None)
