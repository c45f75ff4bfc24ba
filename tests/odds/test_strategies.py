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
from houseway.houseways.vocabulary import SHAPES
from houseway.kernels.strategies import measure_slopes
from houseway.odds.best import Stake
from houseway.odds.catalogue import catalogue
from houseway.odds.handspace import HandSpace
from houseway.odds.maingame import packed_classes
from houseway.odds.setting_values import values
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
from houseway.odds.strategies.pointcards import (
    Array,
    PointLesson,
    PointLine,
    Spans,
    drop_idle_lines,
    prepare_points,
)
from houseway.odds.strategies.pointfits import Term, fitted, learn_cards, shorten_terms, starting
from houseway.odds.strategies.rulelists import KindList, allot, kind_lists, learn, merge
from houseway.odds.strategies.sampled import Sample, deal_hands, kinds_of, sample_hands
from houseway.odds.strategies.strategy import worth_learning
from houseway.odds.strategies.wording import sentence
from houseway.odds.valued import ValuedSide
from houseway.ranking import ranking
from tests.support.strategies import begin_with_few_lines

DECK = Deck.reduced("AKQJT9", "sh")
LOW, HIGH = Choice((), (1, 0)), Choice((), (0, 1))


@cache
def lesson() -> Lesson:
    program = compile_way(house_way("pa-670a"))
    return prepare(deal_hands(program, 400, np.random.default_rng(7), space=HandSpace(6, DECK)))


@cache
def few_choices() -> Lesson:
    every = lesson()
    best = np.argsort(np.where(np.isfinite(every.lost), every.lost, 0.5).mean(axis=0))[:30]
    return replace(every, choices=tuple(every.choices[at] for at in best.tolist()), lost=every.lost[:, best])


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
    given = few_choices()
    lists = list(learn(given, 3))
    lost = [given.mean(found) for found in lists]
    assert all(len(found) <= count for count, found in enumerate(lists, start=1))
    set_by_dealer = run_program(given.hands.program, given.hands.hands).settings.astype(int)
    assert given.mean([]) == pytest.approx(given.hands.mean(given.hands.lost(set_by_dealer)))
    assert lost[-1] < lost[0] < given.mean([]) and lost[-1] < given.mean([]) / 2, "more rules give up less"
    for found in lists[::2]:
        way = as_way(given.hands.program, found)
        program = compile_way(way, base=given.hands.program.ranking)
        settings = run_program(program, given.hands.hands).settings
        assert (settings >= 0).all(), "every hand is decided"
        assert given.hands.mean(given.hands.lost(settings.astype(int))) == pytest.approx(given.mean(found))


def test_the_best_rule_is_the_best_of_all_that_may_be_asked() -> None:
    """Every test of one span on every choice, tried one by one on few hands."""
    small = replace(
        lesson().where(np.arange(len(lesson().facts)) < 60),
        choices=lesson().choices[:6],
        lost=lesson().lost[:60, :6],
    )
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
    found = merge([KindList((first, same, after), 0), KindList(tuple(other), 0)])
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
    *_, found = learn(few_choices(), 4)
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
    assert isinstance(one, Sample)


def test_hands_with_more_at_stake_are_valued_oftener_and_stand_for_fewer() -> None:
    program, space = compile_way(house_way("pa-670a")), HandSpace(6, Deck.reduced("AKQJT987", "sh"))
    some, dealt = (
        sample_hands(program, 1500, 3, space=space),
        deal_hands(program, 1500, np.random.default_rng(4), space=space),
    )
    lost = [one.lost(run_program(program, one.hands).settings.astype(int)) for one in (some, dealt)]
    kinds = [kinds_of(program.ranking, one.hands) for one in (some, dealt)]
    common = [kind for kind in range(2 * len(SHAPES)) if dealt.counts[kinds[1] == kind].sum() > 100]
    stake = {kind: np.sqrt((lost[1][kinds[1] == kind] ** 2).mean()) for kind in common}
    most, least = (choose(stake, key=stake.__getitem__) for choose in (max, min))
    assert stake[most] > 2 * stake[least], "the kinds differ"
    for_most, for_least = (some.counts[kinds[0] == kind].mean() for kind in (most, least))
    assert for_most < for_least
    assert some.mean(lost[0]) == pytest.approx(dealt.mean(lost[1]), rel=0.15), "together they are as dealt"
    share, as_dealt = (
        one.counts[of == most].sum() / one.counts.sum() for one, of in zip((some, dealt), kinds, strict=True)
    )
    assert share == pytest.approx(as_dealt, rel=0.4)


def test_the_kind_of_a_hand_is_its_shape_and_whether_it_is_complete() -> None:
    hands = ["As Kd 9c 8h 4s 2d", "9s 8d 7c 6h 5s 2d", "As Ad 9c 8h 4s 2d", "As Ad Ac Ah Jk 2d"]
    found = kinds_of(ranking("pa-670a"), np.array([sorted(parse_cards(hand)) for hand in hands], np.uint8))
    told = [(SHAPES[kind // 2], bool(kind % 2)) for kind in found.tolist()]
    assert told == [("no_pair", False), ("no_pair", True), ("pair", False), ("five_aces", False)]


def test_a_list_is_allotted_by_hands_it_was_not_learnt_from() -> None:
    given = few_choices().only(("no_pair",))
    lists = list(kind_lists(given, 3))
    judged = given.where(np.arange(len(given.facts)) % 3 == 0)
    assert lists[0].rules == () and lists[0].lost == pytest.approx(judged.total([]))
    assert all(len(shorter.rules) <= len(longer.rules) for shorter, longer in pairwise(lists))
    assert given.total(list(lists[-1].rules)) <= given.total(list(lists[1].rules)) < given.total([])


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
def cards_learnt() -> tuple[tuple[PointLine, ...], ...]:
    with pytest.MonkeyPatch.context() as patch:
        begin_with_few_lines(patch)
        return tuple(learn_cards(point_lesson(), 4))


def test_a_card_gives_up_what_the_house_way_it_is_written_as_gives_up() -> None:
    hands = lesson().hands
    for card in cards_learnt():
        program = compile_way(as_points_way(hands.program, card, SHAPES), base=hands.program.ranking)
        settings = run_program(program, hands.hands).settings.astype(int)
        assert (settings >= 0).all(), "every hand is decided"
        assert hands.mean(hands.lost(settings)) == pytest.approx(point_lesson().mean(card), abs=1e-6)


def test_more_lines_of_points_give_up_less() -> None:
    lost = [point_lesson().mean(card) for card in cards_learnt()]
    assert all(len(card) <= 4 for card in cards_learnt())
    assert lost == sorted(lost, reverse=True) and lost[-1] < 0.8 * lost[0]


def test_no_single_number_of_a_card_could_be_a_little_better() -> None:
    """Every line's points one more and one less, by adding up each setting's points in plain Python."""
    card, given = cards_learnt()[-1], point_lesson()
    now = given.mean(card)
    for place, line in enumerate(card):
        for step in (-1, 1):
            other = [*card[:place], replace(line, points=line.points + step), *card[place + 1 :]]
            assert plain_mean(given, other) >= 0.995 * now
    assert plain_mean(given, card) == pytest.approx(now)


def plain_mean(given: PointLesson, card: Sequence[PointLine]) -> float:
    lost = 0.0
    for hand, (first, last) in enumerate(pairwise(given.starts.tolist())):
        counted = []
        for at in range(first, last):
            points = 0
            for line in card:
                spans, made = line.spans, int(given.features[line.spans.part][at])
                level, lead, second = made >> 8, made >> 4 & 15, made & 15
                if (
                    spans.lowest <= level <= spans.highest
                    and spans.from_lead <= lead <= spans.to_lead
                    and (spans.every_second or spans.from_second <= second <= spans.to_second)
                ):
                    points += line.points + line.each * max(0, (second if line.second else lead) - line.above)
            counted.append(points)
        lost += float(given.lost[first + counted.index(max(counted))] * given.counts[hand])
    return lost / float(given.counts.sum())


def test_what_a_part_counts_for_anyway_needs_no_line() -> None:
    beside = PointLine(Spans(0, 0, 0, 14, 14), 0, 2, 9, second=True)
    card = (
        PointLine(Spans(0, 0, 0), -7),
        PointLine(Spans(0, 1, 9), 3),
        beside,
        PointLine(Spans(1, 0, 0, 2, 9), 4, 1, 6),
        PointLine(Spans(1, 0, 0, 10, 14), 5, -1, 12),
    )
    found = drop_idle_lines(card)
    assert found[:2] == (replace(card[1], points=10), beside), "the flat line is nothing"
    assert [line.points for line in found[2:]] == [1, 2], "an ace is two ranks above a queen, and leads for 3"
    assert [line.each for line in found] == [0, 2, 1, -1]


def test_a_line_is_for_spans_of_categories_leads_and_what_is_beside() -> None:
    line = PointLine(Spans(0, 0, 0, 14, 14, 7, 10), 5, 3, 6, second=True)
    pair, ace, ten = 1 << 8, 14 << 4, 10
    assert line.table[ace + ten] == 5 + 3 * 4
    assert line.table[ace + 7] == 5 + 3 and line.table[ace + 6] == 0 and line.table[ace + 11] == 0
    assert line.table[(13 << 4) + ten] == 0 and line.table[pair + ace + ten] == 0
    by_lead = PointLine(Spans(0, 1, 2, 9, 13), 1, 2, 10)
    counted = {lead: int(by_lead.table[pair + (lead << 4) + 3]) for lead in (8, 9, 10, 11, 13, 14)}
    assert counted == {8: 0, 9: 1, 10: 1, 11: 3, 13: 7, 14: 0}


def test_two_lines_beside_each_other_become_one() -> None:
    low, high = Term(Spans(0, 1, 1, 2, 6)), Term(Spans(0, 1, 1, 7, 14))
    flush, better = Term(Spans(0, 5, 5), flat=True), Term(Spans(0, 6, 9), flat=True)
    given = point_lesson()
    joined = {one[0].spans for one in shorten_terms(given, (low, high)) if len(one) == 1}
    assert joined == {Spans(0, 1, 1)}
    assert next(one for one in shorten_terms(given, (flush, better)) if len(one) == 1)[0].spans == Spans(
        0, 5, 9
    )
    assert not list(shorten_terms(given, (low, better))), "a pair of sixes is not beside a full house"


def test_a_joined_line_counts_for_what_its_two_did_where_it_can() -> None:
    """Fours and up count for two more each; the two lines say so with different numbers."""
    low, high = Term(Spans(0, 1, 1, 2, 9), 0.0, 2.0, 4), Term(Spans(0, 1, 1, 10, 14), 12.0, 2.0, 10)
    (whole,) = next(one for one in shorten_terms(point_lesson(), (low, high)) if len(one) == 1)
    for lead in (9, 10, 11, 12, 13, 14):
        number = (1 << 8) + (lead << 4)
        assert whole.table[number] == pytest.approx((low.table + high.table)[number], abs=1e-3)


def test_fitting_gives_up_less() -> None:
    given = point_lesson()
    terms = tuple(replace(term, points=-0.1 * at) for at, term in enumerate(starting(given.program)))
    once = fitted(given, terms, (200, 30.0, 0.02))
    assert given.mean(once) < 0.8 * given.mean(terms)
    assert fitted(given, terms, (200, 30.0, 0.02)) == once, "the same every time"


def test_the_slopes_by_which_points_are_fitted_are_those_of_what_is_given_up() -> None:
    """By one part's points, a little more and a little less, added up in plain Python."""
    given = point_lesson()
    tables = given.tables(cards_learnt()[-1]) / 50
    slopes = np.zeros((3, *tables.shape))
    measure_slopes(given.starts, given.features, tables, 2.0, given.lost, given.counts, slopes)
    number = int(np.bincount(given.features[0]).argmax())
    little = np.zeros_like(tables)
    little[0, number] = 1e-4
    slope = (soft_mean(given, tables - little) - soft_mean(given, tables + little)) / 2e-4
    assert slopes.sum(axis=0)[0, number] == pytest.approx(slope, rel=1e-3) != 0


def soft_mean(given: PointLesson, tables: Array) -> float:
    lost = 0.0
    for hand, (first, last) in enumerate(pairwise(given.starts.tolist())):
        points = sum(tables[part][given.features[part][first:last]] for part in range(len(tables)))
        chances = np.exp(2.0 * points)
        lost += float(chances @ given.lost[first:last] / chances.sum() * given.counts[hand])
    return lost


def test_the_nearest_settings_are_those_that_give_up_least() -> None:
    given = point_lesson()
    near = given.nearest(2)
    assert set(np.diff(near.starts)) == {1, 2} or set(np.diff(near.starts)) == {2}
    for hand in range(30):
        every = np.sort(given.lost[given.starts[hand] : given.starts[hand + 1]])
        kept = np.sort(near.lost[near.starts[hand] : near.starts[hand + 1]])
        assert kept.tolist() == every[: len(kept)].tolist()


def test_a_card_is_said_and_written_as_a_house_way() -> None:
    program = compile_way(house_way("pa-670a"))
    top = len(program.levels[0]) - 1
    card = (
        PointLine(Spans(0, 0, 0), 0, 1, 8),
        PointLine(Spans(0, 1, top), 12),
        PointLine(Spans(0, 0, 0, 14, 14, 2, 12), 0, -2, 9, second=True),
        PointLine(Spans(1, 0, 0, 10, 13), 3, 2, 7),
    )
    way = as_points_way(program, card, ("no_pair", "pair"))
    assert [line.say for line in way.points] == [
        "High, no pair: 1 point for each rank above eight.",
        "High, a pair or better: 12 points.",
        "High, no pair led by an ace, a two to a queen beside: -2 points for each rank beside above nine.",
        "Low, led by a ten to a king: 3 points, and 2 more for each rank above seven.",
    ]
    assert way.points[3].made.lead == "K..T" and way.points[1].made.category[-1] == "five_aces"
    assert (way.points[2].of, way.points[2].made.second) == ("second", "Q..2")
    decided = decide(compile_way(way), parse_cards("As Kd 9c 8h 4s 2d"))
    assert show_setting(decided.setting) == "As9c8h4s2d / Kd", "ace-high 6, the king 3 and 12"
    two_pair = parse_cards("As Ad Tc Th 4s 2d")
    assert decide(compile_way(way), two_pair).setting == decide(program, two_pair).setting, "the house way"
    assert decide(compile_way(way), two_pair).rule != "most-points" == decided.rule
    decided = decide(compile_way(way), parse_cards("As Qd Tc 8h 4s 2d"))
    assert show_setting(decided.setting) == "AsTc8h4s2d / Qd", "ace-high 6 with a ten 2 less, the queen 13"


def test_a_card_is_for_shapes_on_which_the_house_way_gives_up_more_than_a_fiftieth_of_all() -> None:
    """Three shapes, which give up 97, 2 and 3 of 102, and then 96, 2 and 2 of 100."""
    hands = lesson().hands.first(3)
    lost = np.array([[0.97], [0.02], [0.03]])
    for counts, found in (((100, 100, 100), [0, 2]), ((96 / 0.97, 100, 2 / 0.03), [0])):
        given = replace(hands, counts=np.array(counts, float))
        vars(given)["house_way"] = lost[:, 0]
        assert worth_learning(given, np.array([0, 1, 2])).tolist() == found


def test_a_card_has_a_line_for_each_part_and_a_rule() -> None:
    program = compile_way(house_way("pa-670a"))
    with pytest.raises(
        InvalidInputError, match="each of 2 parts needs a line, and one rule takes the most: 2"
    ):
        next(learn_point_cards(program, 2, hands=10))
