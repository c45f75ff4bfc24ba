"""A second program, which shares nothing with houseway, sets hands alike and meets the exact counts."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from houseway.cards import Card, parse_cards, show_setting
from houseway.houseways import Decision, compile_way, decide, house_way
from houseway.odds.maingame import main_game
from tests.odds.independent.simulate import (
    GAMES,
    Count,
    hand_size,
    race,
    set_hands,
    simulate,
    sorted_hands,
    weigh,
)
from tests.odds.independent.ways import LOW
from tests.support.hands import Array, cards_of, random_hands

# What `main_game` counts over every pair of hands, each way against itself; the exhaustive test counts anew.
EXACT = {
    "foxwoods": Count(2_402_482_226_669_052, 3_341_113_289_015_576, 2_506_863_515_529_772),
    "ca-fpgp": Count(2_373_933_253_388_564, 3_397_273_324_874_440, 2_479_252_452_951_396),
    "pa-670a": Count(57_893_887_360_048, 115_411_725_419_336, 73_202_004_616_656),
    "houseway-421": Count(3_922_101_295_321_944, 0, 4_328_357_735_892_456),
}
HANDS = 8_000
SHORT = 300_000
LONG = 100_000_000

every_game = pytest.mark.parametrize("game", EXACT)


def decide_all(game: str, seed: int) -> tuple[Array, list[Decision]]:
    """Return random hands, sorted as the second program wants them, and how houseway sets them."""
    program = compile_way(house_way(game))
    hands = sorted_hands(random_hands(seed, hand_size(game), HANDS))
    return hands, [decide(program, cards_of(hand)) for hand in hands]


@cache
def decided(game: str) -> tuple[Array, list[Decision]]:
    """Return the hands that more than one test looks at."""
    return decide_all(game, 23)


def as_masks(hand: Array, decision: Decision) -> int:
    """Write houseway's setting as the second program does."""
    cards: list[int] = hand.tolist()
    front, *last = (sum(1 << cards.index(card) for card in part) for part in decision.setting[1:])
    return front | last[0] << LOW if last else front


def as_cards(hand: Array, setting: int) -> str:
    """Write the second program's setting as houseway does."""
    masks = [setting & (1 << LOW) - 1, setting >> LOW]
    behind = (1 << len(hand)) - 1 & ~(masks[0] | masks[1])
    parts = [[Card(int(card)) for place, card in enumerate(hand) if m >> place & 1] for m in (behind, *masks)]
    return show_setting(part for part in parts if part)


def check_equal_strength(game: str, hands: Array, decisions: list[Decision]) -> None:
    """Compare strengths, not cards: which of two equal cards goes where is not for the documents to say."""
    settings = set_hands(game, hands)
    others = np.array([as_masks(hand, one) for hand, one in zip(hands, decisions, strict=True)])
    mine, theirs = (weigh(game, hands, some, as_player=True) for some in (settings, others))
    differences = [
        f"{as_cards(hands[row], settings[row])} but {show_setting(decisions[row].setting)} "
        f"by {decisions[row].rule}"
        for row in np.flatnonzero((mine != theirs).any(axis=1))
    ]
    assert not differences, f"{len(differences)} hands: " + "; ".join(differences[:10])


@every_game
def test_both_programs_set_hands_of_equal_strength(game: str) -> None:
    check_equal_strength(game, *decided(game))


@pytest.mark.exhaustive
@every_game
def test_both_programs_set_ten_times_as_many_hands_of_equal_strength(game: str) -> None:
    program = compile_way(house_way(game))
    met: set[str] = set()
    for seed in range(100, 110):
        hands, decisions = decide_all(game, seed)
        check_equal_strength(game, hands, decisions)
        met.update(one.rule for one in decisions)
    assert {compiled.rule.id for compiled in program.rules} - met <= {"five-aces-and-kings"}


def test_both_programs_set_five_aces_and_kings_alike() -> None:
    """Six hands of all there are, too few to meet by chance, have a rule of their own."""
    hand = sorted_hands(np.array([[int(card) for card in parse_cards("Jk As Ah Ad Ac Ks Kh")]]))
    decision = decide(compile_way(house_way("foxwoods")), cards_of(hand[0]))
    assert decision.rule == "five-aces-and-kings"
    check_equal_strength("foxwoods", hand, [decision])


@every_game
def test_both_programs_rank_parts_in_the_same_order(game: str) -> None:
    hands, decisions = decided(game)
    found = weigh(game, hands, set_hands(game, hands), as_player=False)
    ranking = compile_way(house_way(game)).ranking
    for part, name in enumerate(ranking.part_names):
        theirs = [ranking.strength(name, one.setting[part]) for one in decisions]
        steps = np.array(sorted(set(zip(theirs, found[:, part].tolist(), strict=True))))
        assert (np.diff(steps, axis=0) > 0).all(), f"{name}: equal here, unequal there, or another order"


@pytest.mark.parametrize(
    ("game", "player", "dealer", "result"),
    [
        ("foxwoods", (7, 7, 0), (6, 6, 0), "win"),
        ("foxwoods", (7, 7, 0), (7, 6, 0), "push"),
        ("ca-fpgp", (7, 7, 0), (6, 7, 0), "push"),
        ("pa-670a", (7, 7, 0), (7, 7, 0), "lose"),
        ("houseway-421", (7, 7, 7), (6, 7, 6), "win"),
        ("houseway-421", (7, 7, 7), (6, 7, 7), "lose"),
    ],
)
def test_a_copy_is_the_dealers(
    game: str, player: tuple[int, ...], dealer: tuple[int, ...], result: str
) -> None:
    found = race(GAMES[game], np.array(player), np.array(dealer))
    assert ("lose", "push", "win")[found] == result


@pytest.mark.parametrize("as_player", [True, False], ids=["player", "dealer"])
def test_only_a_players_low_joker_beats_an_ace(as_player: bool) -> None:
    with_joker, with_ace = (
        sorted_hands(np.array([[int(card) for card in parse_cards(cards)]]))
        for cards in ("Jk 9s 8h 7d 6c 5s", "Ah 9d 8c 7s 6h 5d")
    )
    (_, joker, _), (_, ace, _) = (
        weigh("pa-670a", hand, set_hands("pa-670a", hand), as_player=as_player)[0]
        for hand in (with_joker, with_ace)
    )
    assert (joker > ace) == as_player
    assert as_player or joker == ace


@every_game
def test_a_short_simulation_meets_the_exact_counts(game: str) -> None:
    found = simulate(game, SHORT, seed=1)
    assert found.deals == SHORT
    assert max(map(abs, found.off(EXACT[game]))) < 5


def test_the_counts_do_not_depend_on_the_number_of_threads() -> None:
    one, two = (simulate("pa-670a", 200_000, seed=3, threads=threads) for threads in (1, 2))
    assert one == two
    assert one != simulate("pa-670a", 200_000, seed=4)


@pytest.mark.exhaustive
@every_game
def test_a_long_simulation_meets_the_exact_counts(game: str) -> None:
    program = compile_way(house_way(game))
    exact = main_game(program, program)
    assert EXACT[game] == (exact.wins, exact.pushes, exact.losses)
    found = simulate(game, LONG, seed=2)
    errors = found.off(EXACT[game])
    print(f"{game}: {found}, {errors[0]:+.2f} and {errors[1]:+.2f} standard errors from exact")
    assert max(map(abs, errors)) < 4
