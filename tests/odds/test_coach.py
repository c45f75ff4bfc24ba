"""What one hand's settings are worth, on small decks: raced one by one against every hand that is left."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations

import pytest

from houseway.cards import Card, Deck, WrongCountError, parse_cards
from houseway.errors import HousewayError, InvalidInputError
from houseway.houseways import compile_way, decide, house_way
from houseway.odds.coach import Coach
from houseway.odds.doubling import QUALIFIER
from houseway.ranking import legal_settings, race

DECKS = [
    pytest.param("pa-670a", Deck.reduced("AKQJT98", "sh"), id="5-1"),
    pytest.param("ca-fpgp", Deck.reduced("A5432K98", "sh"), id="5-2"),
    pytest.param("houseway-421", Deck.reduced("AKQJT987", "sh"), id="4-2-1"),
]
COMMISSION = Fraction(1, 20)


@pytest.mark.parametrize("seen", [0, 2])
@pytest.mark.parametrize(("way", "deck"), DECKS)
def test_every_legal_setting_is_worth_what_racing_every_hand_left_gives(
    way: str, deck: Deck, seen: int
) -> None:
    program = compile_way(house_way(way))
    coach, size = Coach(program, COMMISSION, deck=deck), sum(program.split)
    cards = sorted(deck.cards)
    hand, others = (*cards[: size - 1], cards[-1]), cards[size : size + seen]
    left = [card for card in cards if card not in hand and card not in others]
    dealers = [decide(program, other).setting for other in combinations(left, size)]
    advice = coach.advise(hand, others)
    assert len(advice.settings) == len(list(legal_settings(program.ranking, hand)))
    for found in advice.settings:
        results = Counter(race(program.ranking, found.setting, dealer).result for dealer in dealers)
        assert (found.wins, found.pushes, found.losses) == (results["win"], results["push"], results["lose"])
    worths = [one.expectation for one in advice.settings]
    assert worths == sorted(worths, reverse=True) and advice.best.expectation == max(worths)
    assert advice.price == advice.best.expectation - advice.house_way.expectation
    house = decide(program, hand)
    assert (advice.rule, advice.house_way) == (house.rule, advice.of(house.setting))


WON = {"win": 1, "push": 0, "lose": -1}


@pytest.mark.parametrize("ranks", ["AKQJT98", "A987652"], ids=["high", "low"])
@pytest.mark.parametrize("seen", [0, 2])
def test_with_a_double_down_a_setting_is_worth_what_it_comes_to_doubled_if_that_is_more(
    ranks: str, seen: int
) -> None:
    """Doubled hands are raced again against every dealer's hand that qualifies: nothing else ends a wager."""
    program, deck = compile_way(house_way("pa-670a")), Deck.reduced(ranks, "sh")
    coach, plain = Coach(program, deck=deck, doubling=True), Coach(program, deck=deck)
    cards = sorted(deck.cards)
    kinds = set()
    for hand in (
        tuple(cards[:6]),
        (*cards[:5], cards[-1]),
        tuple(cards[-6:]),
        (*cards[::3][:5], cards[1]),
    ):
        others = [card for card in cards if card not in hand][:seen]
        left = [card for card in cards if card not in hand and card not in others]
        dealers = [
            (decide(program, other).setting, program.ranking.qualifies(QUALIFIER, other))
            for other in combinations(left, 6)
        ]
        advice, alone = coach.advise(hand, others), plain.advise(hand, others)
        for found in advice.settings:
            raced = [
                (WON[race(program.ranking, found.setting, one).result], doubled) for one, doubled in dealers
            ]
            single = Fraction(sum(won for won, _ in raced), len(raced))
            adds = Fraction(sum(won for won, doubled in raced if doubled), len(raced))
            assert (found.single, found.double_adds) == (single, adds)
            assert (found.expectation, found.doubles) == (single + max(adds, Fraction(0)), adds > 0)
            assert alone.of(found.setting).expectation == single and alone.of(found.setting).doubling is None
            kinds.add(found.doubles)
        assert advice.best.expectation == max(one.expectation for one in advice.settings)
        placed = coach.advise(hand, others, placed=True)
        for found in placed.settings:
            assert found.doubles and found.expectation == found.single + (found.double_adds or 0)
    assert kinds == {True, False}


@pytest.fixture(scope="module")
def coach() -> Coach:
    return Coach(compile_way(house_way("houseway-421")), deck=Deck.reduced("AKQJT987", "sh"))


@pytest.mark.parametrize(
    ("cards", "seen", "error", "says"),
    [
        ("As Ks Qs", "", WrongCountError, "7 cards needed, 3 given"),
        ("As Ks Qs Js Ts 9s 8s", "As", HousewayError, "twice"),
        ("As Ks Qs Js Ts 9s 8s", "7s Ah Kh Qh", InvalidInputError, "too few cards are left"),
    ],
)
def test_cards_that_cannot_be_are_refused(
    coach: Coach, cards: str, seen: str, error: type[HousewayError], says: str
) -> None:
    with pytest.raises(error, match=says):
        coach.advise(parse_cards(cards), parse_cards(seen) if seen else ())


def test_a_setting_that_is_not_legal_is_worth_nothing_known(coach: Coach) -> None:
    advice = coach.advise(parse_cards("As Ks Qs Js Ts 9s 8s"))
    with pytest.raises(InvalidInputError, match="not a legal setting"):
        advice.of(((Card(0),),))
