"""A picture decides: hands that look alike at a glance make the same listed hand, in every listing."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations_with_replacement

import pytest

from houseway.cards import JOKER, SUITS, Card, parse_cards
from houseway.ranking import Ranking, ranking
from houseway.ranking.listing import DealtHand, JokerMode, first_made
from houseway.ranking.picture import picture

RANKINGS = ("pa-575", "pa-659a", "pa-670a", "wa-fap", "ca-fpgp")
MODES: tuple[JokerMode, ...] = ("semi", "full")


def unsuited(size: int, *, joker: bool) -> Iterator[tuple[Card, ...]]:
    """Yield a hand of every combination of ranks, its suits spread so that no five are of one."""
    natural = size - joker
    for ranks in combinations_with_replacement(range(13), natural):
        if max(ranks.count(rank) for rank in ranks) > len(SUITS):
            continue
        cards, held = [], [0] * len(SUITS)
        for rank in ranks:
            free = [suit for suit in range(len(SUITS)) if rank * 4 + suit not in cards]
            suit = min(free, key=lambda one: held[one])
            held[suit] += 1
            cards.append(Card(rank * 4 + suit))
        yield (*cards, *([Card(JOKER)] if joker else []))


def disagreements(order: Ranking, every: int) -> list[tuple[str, tuple[Card, ...]]]:
    """Return the hands, one in ``every``, that make by their picture what their cards do not make."""
    size, found = sum(order.split), []
    for joker in (False, True):
        for number, hand in enumerate(unsuited(size, joker=joker)):
            if number % every:
                continue
            assert picture(hand) is not None
            for listing in order.document.listing:
                for mode in MODES if joker else MODES[:1]:
                    made = first_made(DealtHand(hand, mode), listing.standing(order.readings))
                    if order.bonus(listing.id, hand, mode) != made:
                        found.append((listing.id, hand))
    return found


@pytest.mark.parametrize("name", RANKINGS)
def test_hands_that_show_the_same_picture_make_the_same_hand(name: str) -> None:
    assert disagreements(ranking(name), every=17) == []


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", RANKINGS)
def test_every_combination_of_ranks_makes_what_its_picture_makes(name: str) -> None:
    assert disagreements(ranking(name), every=1) == []


def test_a_hand_that_may_hold_a_flush_shows_no_picture() -> None:
    spades = [Card(rank * 4) for rank in (0, 2, 4, 6, 8)]
    others = [Card(rank * 4 + 1) for rank in (1, 3, 5)]
    assert picture((*spades[:4], *others)) is not None
    assert picture((*spades[:3], *others, Card(JOKER))) is not None
    assert picture((*spades[:5], *others[:2])) is None
    assert picture((*spades[:4], *others[:2], Card(JOKER))) is None


def test_a_straight_with_the_joker_does_not_look_like_a_higher_hand_without_one() -> None:
    straight, higher = (parse_cards(text) for text in ("Js Th 9d 8c 4s 2h Jk", "Qs Jh Td 7c 6s 5h Jk"))
    assert picture(straight) != picture(higher)
    order = ranking("pa-659a")
    assert [order.bonus("fortune", hand) == "straight" for hand in (straight, higher)] == [True, False]


@pytest.mark.parametrize("others", ["As Ah Jk", "As Ah 3d", "As 5h Jk"])
def test_four_eights_look_like_four_of_no_other_rank(others: str) -> None:
    eights = picture(parse_cards(f"8s 8h 8d 8c {others}"))
    for rank in "2345679TJQK":
        if rank not in others:
            assert picture(parse_cards(f"{rank}s {rank}h {rank}d {rank}c {others}")) != eights
