"""Short strategies: what is learnt is what the written rules do, and what it gives up is exact."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import pairwise, product

import numpy as np
import pytest

from houseway.cards import Deck, parse_cards, show_setting
from houseway.errors import InvalidInputError
from houseway.houseways import compile_way, decide, house_way
from houseway.houseways.batch import run_program
from houseway.houseways.plain import setting_masks
from houseway.odds.best import Stake
from houseway.odds.catalogue import catalogue
from houseway.odds.handspace import HandSpace
from houseway.odds.maingame import packed_classes
from houseway.odds.strategies import (
    as_points_way,
    as_way,
    compiled,
    judge,
    learn_point_cards,
    without_idle_rules,
)
from houseway.odds.strategies.grammar import Choice, HandTest, Span, choices, rule_of, way_of
from houseway.odds.strategies.learning import Lesson, ListedRule, prepare
from houseway.odds.strategies.pointcards import Line, PointLesson, from_nothing, learn_cards, prepare_points
from houseway.odds.strategies.rulelists import KindList, allot, learn, merged
from houseway.odds.strategies.sampled import Sampled, sample_hands
from houseway.odds.strategies.wording import sentence
from houseway.odds.valued import ValuedSide
from houseway.odds.values import values
from houseway.ranking import ranking

DECK = Deck.reduced("AKQJT9", "sh")
LOW, HIGH = Choice((), (1, 0)), Choice((), (0, 1))


@cache
def lesson() -> Lesson:
    program = compile_way(house_way("pa-670a"))
    return prepare(sample_hands(program, 400, 7, space=HandSpace(6, DECK)))


def test_every_legal_setting_of_a_sampled_hand_has_its_exact_worth() -> None:
    hands = lesson().hands
    program, space = hands.program, HandSpace(6, DECK)
    own = catalogue(program, space)
    against = packed_classes(program, space, as_player=False)
    found, stake = values(own, against), Stake()
    masks = setting_masks(program.split)
    ((every, _),) = space.classes()
    rows = {tuple(hand): row for row, hand in enumerate(every.tolist())}
    for hand, worth in zip(hands.hands[:40], hands.worth, strict=False):
        row = rows[tuple(hand.tolist())]
        for place in range(own.starts[row], own.starts[row + 1]):
            units = stake.worth(found[place : place + 1], space.opponents)[0]
            assert worth[own.which[place]] >= np.float32(units / space.opponents) - 1e-6, "doubling adds"
        assert len(worth) == len(masks)
    assert hands.counts.sum() == 400


def test_a_list_gives_up_what_the_house_way_it_is_written_as_gives_up() -> None:
    given = lesson()
    lists = list(learn(given, 7))
    lost = [given.mean(found) for found in lists]
    assert [len(found) for found in lists][:3] == [1, 2, 3]
    set_by_dealer = run_program(given.hands.program, given.hands.hands).settings.astype(int)
    assert given.mean([]) == pytest.approx(given.hands.mean(given.hands.lost(set_by_dealer)))
    assert lost == sorted(lost, reverse=True) and lost[-1] < given.mean([]) / 3, "more rules give up less"
    for found in lists[::2]:
        way = as_way(given.hands.program, found)
        program = compile_way(way, base=given.hands.program.ranking)
        settings = run_program(program, given.hands.hands).settings
        assert (settings >= 0).all(), "every hand is decided"
        assert given.hands.mean(given.hands.lost(settings.astype(int))) == pytest.approx(given.mean(found))


def test_the_best_rule_is_the_best_of_all_that_may_be_asked() -> None:
    """Every test of one span on every choice, tried one by one on few hands."""
    few = lesson().hands.first(60)
    small = Lesson(few, lesson().choices[:6], lesson().lost[:60, :6], lesson().otherwise[:60])
    found = small.best_rule(np.ones(60, dtype=bool), small.given_up([]))
    assert found is not None
    tried = []
    spans = [
        Span(of, low, high)
        for of in ("pair1", "top1", "top3")
        for low in range(2, 15)
        for high in range(low, 15)
    ]
    for shapes, complete, span, choice in product(
        small.together, (None, True, False), [None, *spans], small.choices
    ):
        rule = ListedRule(HandTest(shapes, complete, (span,) if span else ()), choice)
        tried.append(small.mean([rule]))
    assert small.mean([found]) <= min(tried) * 1.02 + 1e-9 < small.mean([])


def rule(shape: str, choice: Choice, complete: bool | None = None) -> ListedRule:
    return ListedRule(HandTest((shape,), complete), choice)


def test_rules_go_to_the_kinds_where_they_save_most() -> None:
    one, two, three = (rule("pair", HIGH), rule("pair", LOW), rule("pair", HIGH, True))
    pairs = [KindList((), 10.0), KindList((one,), 9.0), KindList((one, two), 1.0)]
    trips = [KindList((), 5.0), KindList((three,), 3.0)]
    assert [len(chosen.rules) for chosen in allot([pairs, trips], 1)] == [0, 1]
    assert [len(chosen.rules) for chosen in allot([pairs, trips], 2)] == [2, 0]
    assert [len(chosen.rules) for chosen in allot([pairs, trips], 3)] == [2, 1]


def test_rules_that_say_the_same_of_two_shapes_become_one_in_its_place() -> None:
    first, same, after = rule("no_pair", LOW, True), rule("no_pair", HIGH, True), rule("no_pair", LOW)
    other = [rule("pair", HIGH), rule("pair", HIGH, True), rule("pair", LOW, False)]
    found = merged([KindList((first, same, after), 0), KindList(tuple(other), 0)])
    shapes = [(one.test.shapes, one.test.complete) for one in found]
    assert (("no_pair", "pair"), True) in shapes and len(found) == 5
    for kind in ([first, same, after], other):
        places = [
            next(
                i
                for i, one in enumerate(found)
                if set(r.test.shapes) <= set(one.test.shapes)
                and one.choice == r.choice
                and one.test.complete == r.test.complete
            )
            for r in kind
        ]
        assert places == sorted(places), "the order within a shape is kept"


def test_a_way_is_judged_between_the_house_way_and_best_play() -> None:
    program = compile_way(house_way("pa-670a"))
    side = ValuedSide.against_dealer(program, space=HandSpace(6, DECK))
    *_, found = learn(lesson(), 6)
    judged = judge(side, compiled(side, as_way(program, found)))
    assert judged.house_way < judged.way < judged.optimum
    assert judged.gives_up == judged.optimum - judged.way
    assert judged.closed == 1 - judged.gives_up / (judged.optimum - judged.house_way)
    assert judge(side, program).closed == Fraction(0)


@pytest.mark.parametrize("game", ["pa-670a", "ca-fpgp", "pa-659a"])
def test_every_rule_there_can_be_is_written_and_said(game: str) -> None:
    order = ranking(game)
    parts = order.part_names
    plain = rule_of(parts, "plain", "plain", HandTest(), Choice((), tuple(range(len(parts)))))
    said = set()
    every = list(choices(order))
    assert len(set(every)) == len(every)
    for choice in every[:: max(1, len(every) // 150)]:
        test = HandTest(("pair",), False, (Span("pair1", 2, 9), Span("top1", 10, 14)))
        told = sentence(test, choice, order.part_names)
        assert "_" not in told and ".." not in told and told.endswith(".")
        said.add(told)
        compile_way(way_of(order, rule_of(parts, "one", told, test, choice), plain), base=order)
    assert len(said) == len(every[:: max(1, len(every) // 150)]), "no two are said alike"


@pytest.mark.parametrize(
    ("span", "told"),
    [
        (Span("pair1", 9, 9), "the pair nines"),
        (Span("pair1", 2, 6), "the pair sixes or lower"),
        (Span("trip1", 12, 14), "the three of a kind queens or higher"),
        (Span("top2", 10, 12), "the second card queen to ten"),
    ],
)
def test_ranks_are_said_as_people_say_them(span: Span, told: str) -> None:
    assert told in sentence(HandTest(("pair",), None, (span,)), LOW, ("high", "low"))


def test_a_short_list_sets_a_hand_as_it_says() -> None:
    order = ranking("pa-670a")
    keep = Choice(((0, (("plays", ("pair1",)),)), (1, (("lead", "A..K"),))), (1, 0))
    found = [ListedRule(HandTest(("pair",), False), keep)]
    program = compile_way(as_way(compile_way(house_way("pa-670a")), found), base=order)
    decided = decide(program, parse_cards("9s 9h Kd 7c 5h 2d"))
    assert (show_setting(decided.setting), decided.rule) == ("9s9h7c5h2d / Kd", "rule-1")
    assert decided.say.startswith(
        "One pair, no straight or flush: the pair and nothing better high, a king or"
    )
    other = parse_cards("9s 9h Jd 7c 5h 2d")
    theirs = decide(compile_way(house_way("pa-670a")), other)
    assert decide(program, other).setting == theirs.setting and decide(program, other).rule == theirs.rule
    assert theirs.clauses and not decide(program, other).clauses, "a player's rule rests on no clause"


def test_sampled_hands_are_the_same_for_the_same_seed() -> None:
    program, space = compile_way(house_way("pa-670a")), HandSpace(6, DECK)
    one, same, other = (sample_hands(program, 50, seed, space=space) for seed in (1, 1, 2))
    assert (one.hands == same.hands).all() and (one.worth == same.worth).all()
    assert one.hands.shape != other.hands.shape or (one.hands != other.hands).any()
    assert isinstance(one, Sampled)


def test_rules_that_no_hand_comes_to_are_left_out_and_nothing_else_changes() -> None:
    program = compile_way(house_way("pa-670a"))
    side = ValuedSide.against_dealer(program, space=HandSpace(6, DECK))
    whole = as_way(program, [ListedRule(HandTest(), LOW)])
    left = without_idle_rules(side, whole)
    assert [one.rule.id for one in compiled(side, left).rules] == ["rule-1"], "the first is for every hand"
    assert judge(side, compiled(side, left)) == judge(side, compiled(side, whole))


# --- cards of points ----------------------------------------------------------------------------------


@cache
def point_lesson() -> PointLesson:
    return prepare_points(lesson().hands)


@cache
def cards_learnt() -> tuple[tuple[Line, ...], ...]:
    return tuple(learn_cards(point_lesson(), 6))


def test_a_card_gives_up_what_the_house_way_it_is_written_as_gives_up() -> None:
    hands = lesson().hands
    for card in cards_learnt():
        program = compile_way(as_points_way(hands.program, card), base=hands.program.ranking)
        settings = run_program(program, hands.hands).settings.astype(int)
        assert (settings >= 0).all(), "every hand is decided"
        assert hands.mean(hands.lost(settings)) == pytest.approx(point_lesson().mean(card), abs=1e-6)


def test_more_lines_of_points_give_up_less() -> None:
    lost = [point_lesson().mean(card) for card in cards_learnt()]
    assert [len(card) for card in cards_learnt()] == [2, 3, 4, 5, 6]
    assert lost == sorted(lost, reverse=True) and lost[-1] < 0.8 * lost[0]


def test_no_single_number_of_a_card_could_be_a_little_better() -> None:
    """Every line's points one more and one less, by adding up each setting's points in plain Python."""
    card, given = cards_learnt()[2], point_lesson()
    now = given.mean(card)
    for place, line in enumerate(card):
        for step in (-1, 1):
            other = [*card[:place], replace(line, points=line.points + step), *card[place + 1 :]]
            assert plain_mean(given, other) >= 0.995 * now
    assert plain_mean(given, card) == pytest.approx(now)


def plain_mean(given: PointLesson, card: Sequence[Line]) -> float:
    lost = 0.0
    for hand, (first, last) in enumerate(pairwise(given.starts.tolist())):
        counted = []
        for at in range(first, last):
            points = 0
            for line in card:
                level, lead = int(given.levels[line.part][at]), int(given.leads[line.part][at])
                if line.lowest <= level <= line.highest and line.from_lead <= lead <= line.to_lead:
                    points += line.points + line.each * max(0, lead - line.above)
            counted.append(points)
        lost += float(given.lost[first + counted.index(max(counted))] * given.counts[hand])
    return lost / float(given.counts.sum())


def test_the_least_that_a_part_counts_for_is_nothing() -> None:
    card = (Line(0, 0, 0, -7, 0, 2), Line(0, 1, 9, 3, 0, 2), Line(1, 0, 0, 5, -1, 12))
    found = from_nothing(card)
    assert [line.points for line in found] == [0, 10, 2], "an ace is two ranks above a queen"
    assert [line.each for line in found] == [0, 0, -1]


def test_a_line_may_be_cut_between_two_categories_or_two_ranks() -> None:
    halves = list(Line(0, 3, 5, 7, 1, 9).cuts())
    spans = [(one.lowest, one.highest, other.lowest, other.highest) for one, other in halves]
    assert spans[:2] == [(3, 3, 4, 5), (3, 4, 5, 5)]
    ranks = {(one.to_lead, other.from_lead) for one, other in halves if one.to_lead < 14}
    assert (10, 11) in ranks and all(other == one + 1 for one, other in ranks)
    assert all((one.points, one.each, one.above) == (7, 1, 9) for pair in halves for one in pair)


def test_a_card_is_said_and_written_as_a_house_way() -> None:
    program = compile_way(house_way("pa-670a"))
    top = len(program.levels[0]) - 1
    card = (
        Line(0, 0, 0, 0, 1, 8),
        Line(0, 1, top, 12, 0, 2),
        Line(1, 0, 0, 3, 2, 7, from_lead=10, to_lead=13),
    )
    way = as_points_way(program, card)
    assert [line.say for line in way.points] == [
        "High, no pair: 0 points, and 1 more for each rank above eight.",
        "High, a pair or better: 12 points.",
        "Low, led by a ten to a king: 3 points, and 2 more for each rank above seven.",
    ]
    assert way.points[2].made.lead == "K..T" and way.points[1].made.category[-1] == "five_aces"
    decided = decide(compile_way(way), parse_cards("As Kd 9c 8h 4s 2d"))
    assert show_setting(decided.setting) == "As9c8h4s2d / Kd", "ace-high 6, the king 3 and 12"


def test_a_card_has_a_line_for_each_part_and_a_rule() -> None:
    program = compile_way(house_way("pa-670a"))
    with pytest.raises(
        InvalidInputError, match="each of 2 parts needs a line, and one rule takes the most: 2"
    ):
        next(learn_point_cards(program, 2, hands=10))
