"""Ways valued from stored values on small decks: equal to counts and races made in other ways."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from houseway.cards import JOKER, Card, Cards, Deck
from houseway.houseways import CompiledWay, Rule, compile_way, decide, house_way
from houseway.odds.catalogue import ClassIndex
from houseway.odds.coach import Coach
from houseway.odds.files import SumsFile, write_array
from houseway.odds.handspace import HandSpace
from houseway.odds.maingame import main_game, packed_classes
from houseway.odds.seeing import seeing_gains, worth_of_seeing
from houseway.odds.simulation import simulate_best
from houseway.odds.stored import StoredValues, remember_values, stored_values
from houseway.odds.valued import ValuedSide, choose_apart
from houseway.odds.weakness import find_weakness
from houseway.odds.worth import without
from houseway.ranking import legal_settings, race
from houseway.ranking.settings import Setting

COMMISSION = Fraction(1, 20)
DECKS = {
    "ca-fpgp": Deck.reduced("A5432K9", "sh"),
    "houseway-421": Deck.reduced("AKQJT98", "sh"),
    "pa-670a": Deck.reduced("AKQJT9", "sh"),
}
WAYS = pytest.mark.parametrize("way", DECKS)


@cache
def side_of(way: str, commission: Fraction = COMMISSION) -> ValuedSide:
    program = compile_way(house_way(way))
    return ValuedSide.against_dealer(program, commission, HandSpace(sum(program.split), DECKS[way]))


def plain(program: CompiledWay, *prefer: int) -> CompiledWay:
    """Return a way with one rule: the parts as strong as possible in some order."""
    names = program.ranking.part_names
    rule = Rule(id="plain", say="plain", prefer=tuple(names[part] for part in prefer))
    way = program.way.model_copy(update={"id": "plain", "rule": (rule,), "parts": names, "example": ()})
    return compile_way(way, base=program.ranking)


def pairless(program: CompiledWay) -> CompiledWay:
    """Return a way that breaks every pair it can: it is often beaten on every part by another setting."""
    way, names = plain(program, *range(len(program.split))).way, program.ranking.part_names
    broken = {name: {"category": ["high_card"]} for name in names[:2]}
    rule = {"id": "broken", "say": "broken", "when": {"can": broken}, "require": broken, "prefer": names}
    rules = (Rule.model_validate(rule), *way.rule)
    return compile_way(way.model_copy(update={"id": "pairless", "rule": rules}), base=program.ranking)


def others(program: CompiledWay) -> Iterator[CompiledWay]:
    """Yield other ways of the same game: plain ones, a foolish one, and the house way without a rule."""
    parts = range(len(program.split))
    yield plain(program, *parts)
    yield pairless(program)
    yield plain(program, *reversed(parts))
    yield compile_way(without(program.way, program.way.rule[0].id), base=program.ranking)


@pytest.mark.parametrize("way", ["ca-fpgp", "houseway-421"])
def test_a_players_way_comes_to_what_counting_its_main_game_gives(way: str) -> None:
    side = side_of(way)
    some = [side.program, *others(side.program)]
    for player in some:
        counted = main_game(player, side.program, DECKS[way]).edge(COMMISSION)
        assert side.worth_of(player).mean == -counted
    missing = [int((side.places_of(player)[1] < 0).sum()) for player in some]
    assert any(missing), "some way sets a hand as another setting would be better on every part"


@pytest.mark.parametrize("way", ["ca-fpgp", "houseway-421"])
def test_a_dealers_way_comes_to_the_edge_against_the_same_player(way: str) -> None:
    side, space = side_of(way), side_of(way).space
    player = plain(side.program, *range(len(side.program.split)))
    table = packed_classes(player, space, as_player=True)
    dealer = ValuedSide.against_player(side.program, table, COMMISSION, space)
    for other in others(side.program):
        assert dealer.worth_of(other).mean == main_game(player, other, DECKS[way]).edge(COMMISSION)


@WAYS
def test_no_way_is_worth_more_than_best_play(way: str) -> None:
    side = side_of(way)
    best = side.optimum
    for player in (side.program, *others(side.program)):
        assert (side.worth_of(player).units <= best.units).all()
        assert side.worth_of(player).mean < best.mean


def hands_of(side: ValuedSide) -> list[Cards]:
    ((hands, _),) = side.space.classes()
    return [tuple(Card(int(card)) for card in row) for row in hands]


@WAYS
def test_the_formula_takes_each_part_to_win_by_itself(way: str) -> None:
    side = side_of(way)
    hands, order, own = hands_of(side), side.program.ranking, side.best.own
    dealt = [decide(side.program, hand).setting for hand in hands]
    names = order.part_names

    def chance(part: int, setting: Setting) -> Fraction:
        """Return in how many of all the dealer's hands this part is lower."""
        joker = own.as_player and order.document.part[part].player_joker and JOKER in setting[part]
        mine = order.strength(names[part], setting[part])
        below = [joker or order.strength(names[part], theirs[part]) < mine for theirs in dealt]
        return Fraction(sum(below), len(dealt))

    chosen = choose_apart(own, side.against, side.stake)
    for row in range(0, len(hands), len(hands) // 8):
        settings = dict(own.settings_of(hands[row]))

        def worth(place: int, settings: dict[int, Setting] = settings) -> Fraction:
            a, b, *more = (chance(part, settings[place]) for part in range(len(names)))
            if not more:
                return (1 - COMMISSION) * a * b - (1 - a) * (1 - b)
            (c,) = more
            won = a * b * c + a * b * (1 - c) + a * (1 - b) * c + (1 - a) * b * c
            return (1 - COMMISSION) * won - (1 - won)

        assert worth(int(chosen[row])) == max(worth(place) for place in settings)


# --- where a way is weak --------------------------------------------------------------------------------


def test_a_weakness_is_told_by_shape_and_comes_to_what_best_play_gains() -> None:
    program, deck = compile_way(house_way("ca-fpgp")), DECKS["ca-fpgp"]
    found = find_weakness(program, COMMISSION, HandSpace(7, deck))
    assert found.itself == main_game(program, program, deck).edge(COMMISSION)
    assert found.best == -side_of("ca-fpgp").optimum.mean
    assert sum(row.gain for row in found.player) == found.itself - found.best > 0
    assert sum(row.share for row in found.player) == sum(row.share for row in found.dealer) == 1
    assert [row.gain for row in found.player] == sorted((row.gain for row in found.player), reverse=True)
    for rows, as_player in ((found.player, True), (found.dealer, False)):
        worst = [one for row in rows for one in row.hands]
        assert worst and all(one.price > 0 for one in worst)
        if as_player:
            one = max(worst, key=lambda one: one.price)
            assert one.price == raced(program, deck, one.best) - raced(program, deck, one.way)


def raced(program: CompiledWay, deck: Deck, setting: Setting) -> Fraction:
    """Return what a player's setting wins on average, raced against every hand the dealer can have."""
    held = {card for part in setting for card in part}
    left = sorted(card for card in deck.cards if card not in held)
    results = [
        race(program.ranking, setting, decide(program, hand).setting).result
        for hand in combinations(left, len(held))
    ]
    return ((1 - COMMISSION) * results.count("win") - results.count("lose")) / len(results)


# --- chance ---------------------------------------------------------------------------------------------


@WAYS
def test_simulated_deals_come_near_the_exact_edge(way: str) -> None:
    side = side_of(way)
    done = simulate_best(side, 200_000, seed=5)
    assert done.deals == 200_000
    assert abs(done.edge(COMMISSION) + float(side.optimum.mean)) < 4 * done.error(COMMISSION)
    assert done == simulate_best(side, 200_000, seed=5) != simulate_best(side, 200_000, seed=6)
    assert bool(done.doubled_wins) == bool(len(side.best.doubled))


def test_what_is_seen_gains_what_racing_the_unseen_cards_gives() -> None:
    deck = Deck.reduced("AKQJT9", "shd")
    program = compile_way(house_way("pa-670a"))
    side = ValuedSide.against_dealer(program, Fraction(0), HandSpace(6, deck))
    table = side.space.by_number(side.against)
    deals = 12
    found = seeing_gains(side, table, 1, deals, np.random.default_rng(3))
    cards, chance = sorted(deck.cards), np.random.default_rng(3)
    for gain in found:
        dealt = [cards[place] for place in chance.permutation(np.arange(len(cards)))]
        hand, unseen = tuple(dealt[:6]), sorted(dealt[12:])
        theirs = [decide(program, other).setting for other in combinations(unseen, 6)]

        def worth(setting: Setting, against: list[Setting] = theirs) -> int:
            results = [race(program.ranking, setting, other).result for other in against]
            return results.count("win") - results.count("lose")

        left = [card for card in cards if card not in hand]
        blind = dict(side.best.own.settings_of(hand))
        most = max(int(side.best.values[place, 1]) for place in blind)
        best_blind = [s for place, s in blind.items() if int(side.best.values[place, 1]) == most]
        best = max(worth(setting) for setting in legal_settings(program.ranking, hand))
        assert round(gain * len(theirs)) in {best - worth(setting) for setting in best_blind}
        assert len(left) == 13
    (told,) = worth_of_seeing(side, 200, most=1)
    assert told.gain > 0 and 0 < told.otherwise < 1 and told.error > 0


# --- what is stored -------------------------------------------------------------------------------------


@WAYS
def test_stored_values_say_what_the_coach_counts(way: str) -> None:
    side = side_of(way)
    stored = StoredValues(side.program, side.best.own, side.best.values, COMMISSION)
    coach = Coach(side.program, COMMISSION, deck=DECKS[way])
    hands, asked = hands_of(side), 0
    for hand in hands[:: len(hands) // 15]:
        found, counted = stored.advise(hand), coach.advise(hand)
        if found is None:
            continue
        asked += 1
        assert found.best.expectation == counted.best.expectation
        assert found.price == counted.price and found.rule == counted.rule
        assert all(one.expectation == counted.of(one.setting).expectation for one in found.settings)
        assert len(found.settings) <= len(counted.settings)
    assert asked > 5


def test_values_are_found_by_the_dealers_way_they_were_counted_against(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    program = compile_way(house_way("pa-670a"))
    kept = SumsFile(tmp_path / "houseway" / "values" / "values-some")
    assert stored_values(program) is None
    remember_values(program, kept)
    assert stored_values(program) is None, "not before they are counted"
    write_array(kept.path.with_name("values-some.npy"), np.arange(6).reshape(3, 2))
    own = side_of("pa-670a").best.own
    monkeypatch.setattr("houseway.odds.stored.catalogue", lambda *_: own)
    found = stored_values(program)
    assert found is not None and found.values.tolist() == [[0, 1], [2, 3], [4, 5]]
    other = compile_way(without(program.way, program.way.rule[-2].id), base=program.ranking)
    assert stored_values(other) is None


def test_hands_that_differ_only_in_suits_are_of_one_class(tmp_path: Path) -> None:
    space = HandSpace(6)
    index = ClassIndex.of(space, tmp_path)
    chance = np.random.default_rng(2)
    for _ in range(50):
        hand = [Card(int(card)) for card in chance.choice(53, 6, replace=False)]
        turn = chance.permutation(4)
        turned = [card if card == JOKER else Card.of(card.rank, int(turn[card.suit or 0])) for card in hand]
        row, known = index.find(hand)
        other, same = index.find(turned)
        assert row == other and sorted(known) == sorted(hand) and sorted(same) == sorted(turned)
        assert [card.rank for card in known] == [card.rank for card in same]
        stands_for = space.hands_of(np.array([row]))[0]
        assert [Card(int(card)).rank for card in stands_for] == [card.rank for card in known]
    again = ClassIndex.of(space, tmp_path)
    assert (again.keys == index.keys).all() and len(again.rows) == 1_097_447
