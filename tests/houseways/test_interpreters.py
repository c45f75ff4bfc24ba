"""Two interpreters, one answer: every hand decided once, legally, whatever the order of its cards."""

from __future__ import annotations

import random
from itertools import permutations
from math import comb
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from houseway.cards import Deck, parse_cards, parse_setting, show_setting
from houseway.houseways import (
    CompiledWay,
    UndecidedError,
    compile_way,
    decide,
    house_way,
    house_ways,
    read_house_way,
)
from houseway.houseways.batch import set_hands
from houseway.houseways.proof import Reference, prove_way, shards, suit_classes
from houseway.ranking import ranking, verify_setting
from tests.support.hands import Array, cards_of, random_hands

WAYS = [way.id for way in house_ways()]
HANDS_EACH = 6000 // len(WAYS)
BASES = ["pa-575", "pa-659a", "wa-fap"]
DECK = Deck.standard().cards
patient = settings(deadline=None, max_examples=15)


def a_program(folder: Path, rules: str, ranking_id: str = "pa-670a") -> CompiledWay:
    path = folder / "mine.toml"
    head = f'id = "mine"\ntitle = "Mine"\nranking = "{ranking_id}"\nabout = "For a test."\n'
    path.write_text(head + rules, encoding="utf-8")
    return compile_way(read_house_way(path))


def a_rule(name: str, *lines: str) -> str:
    return "\n".join(["[[rule]]", f'id = "{name}"', f'say = "The {name}."', *lines, ""])


def row_of(cards: str) -> Array:
    return np.array([parse_cards(cards)], dtype=np.uint8)


# --- the two interpreters -----------------------------------------------------------------------


def check_equal_and_legal(program: CompiledWay, hands: Array) -> None:
    found = set_hands(program, hands)
    parts = [found.parts(part) for part in range(len(program.split))]
    reference = Reference(program)
    met = set()
    for row, hand in enumerate(hands):
        cards = cards_of(hand)
        plain = decide(program, cards, reference.strength)
        setting = tuple(cards_of(part[row]) for part in parts)
        assert (setting, program.rules[found.rules[row]].rule.id) == (plain.setting, plain.rule)
        assert verify_setting(program.ranking, setting) == ()
        assert sorted(card for part in setting for card in part) == sorted(cards)
        met.add(plain.rule)
    assert len(met) > len(program.rules) / 2


@pytest.mark.parametrize("way", WAYS)
def test_the_kernel_sets_hands_as_the_plain_interpreter_does(way: str) -> None:
    program = compile_way(house_way(way))
    check_equal_and_legal(program, random_hands(1, sum(program.split), HANDS_EACH))


@pytest.mark.parametrize("base", BASES)
def test_one_house_way_serves_every_421_ranking(base: str) -> None:
    program = compile_way(house_way("houseway-421"), base=ranking(base))
    check_equal_and_legal(program, random_hands(2, 7, 1500))


def test_the_interpreters_agree_where_the_ace_low_straight_is_the_lowest() -> None:
    base = ranking("pa-575", ace_low_straight="lowest", ace_low_straight_flush="lowest")
    check_equal_and_legal(compile_way(house_way("houseway-421"), base=base), random_hands(3, 7, 1500))


@pytest.mark.parametrize("way", WAYS)
@patient
@given(data=st.data())
def test_the_order_in_which_cards_are_given_does_not_matter(way: str, data: st.DataObject) -> None:
    program = compile_way(house_way(way))
    dealt = data.draw(st.permutations(DECK))[: sum(program.split)]
    turned = data.draw(st.permutations(dealt))
    one = decide(program, dealt)
    assert decide(program, turned) == one
    found = set_hands(program, np.array([dealt, turned], dtype=np.uint8))
    for part, cards in enumerate(one.setting):
        assert [cards_of(row) for row in found.parts(part)] == [cards, cards]


def test_no_hands_are_set_without_complaint() -> None:
    found = set_hands(compile_way(house_way("pa-670a")), np.empty((0, 6), dtype=np.uint8))
    assert (len(found.rules), found.parts(0).shape, found.parts(1).shape) == (0, (0, 5), (0, 1))


# --- hands left undecided -----------------------------------------------------------------------

LOW_FIRST = 'prefer = ["low", "high"]'
PAIRS_ONLY = a_rule("pairs", 'when = { shape = "pair" }', LOW_FIRST)
NO_SUCH_SETTING = a_rule("quads", 'require = { high = { category = "four_of_a_kind" } }', LOW_FIRST)
LEAD_ALONE = a_rule("lead", 'prefer = ["high.lead"]')
HIGH_ALONE = a_rule("best-high", 'prefer = ["high"]')
UNDECIDED = [
    ("pa-670a", PAIRS_ONLY, "Ks Jh 9d 8s 5h 2d", "mine: no rule decides this hand: '2d 5h 8s 9d Jh Ks"),
    (
        "pa-670a",
        NO_SUCH_SETTING,
        "Ks Jh 9d 8s 5h 2d",
        "mine: rule quads: no setting satisfies the rule: '2d 5h 8s 9d Jh Ks",
    ),
    (
        "pa-670a",
        LEAD_ALONE,
        "Ks Jh 9d 8s 5h 2d",
        "mine: rule lead: the rule is ambiguous: '2d 5h 8s 9d Jh Ks",
    ),
    (
        "pa-659a",
        HIGH_ALONE,
        "Ks Kh Jh 9d 8s 5h 2d",
        "mine: rule best-high: the rule is ambiguous: '2d 5h 8s 9d Jh Kh Ks",
    ),
]


@pytest.mark.parametrize(
    ("ranking_id", "rules", "cards", "said"), UNDECIDED, ids=["no rule", "no setting", "lead", "one part"]
)
def test_a_hand_left_undecided_is_an_error_that_names_rule_and_hand(
    ranking_id: str, rules: str, cards: str, said: str, tmp_path: Path
) -> None:
    program = a_program(tmp_path, rules, ranking_id)
    with pytest.raises(UndecidedError) as plain:
        decide(program, parse_cards(cards))
    with pytest.raises(UndecidedError) as kernel:
        set_hands(program, row_of(cards))
    assert str(plain.value).startswith(said)
    assert str(kernel.value) == said + "'"


def test_an_ambiguous_rule_names_two_settings_it_cannot_choose_between(tmp_path: Path) -> None:
    program = a_program(tmp_path, HIGH_ALONE, "pa-659a")
    with pytest.raises(UndecidedError, match=": .* or ") as refusal:
        decide(program, parse_cards("Ks Kh Jh 9d 8s 5h 2d"))
    told = str(refusal.value.value).split(": ")[1].split(" or ")
    one, other = (parse_setting(text, (4, 2, 1)) for text in told)
    assert one != other
    assert sorted(one[0]) == sorted(other[0])


def test_only_the_first_undecided_hand_of_many_is_named(tmp_path: Path) -> None:
    program = a_program(tmp_path, PAIRS_ONLY)
    hands = np.concatenate(
        [row_of(h) for h in ("Ks Kh 9d 8s 5h 2d", "As Jh 9d 8s 5h 2d", "Qs Jh 9d 8s 5h 2d")]
    )
    with pytest.raises(UndecidedError, match="'2d 5h 8s 9d Jh As'"):
        set_hands(program, hands)


# --- proofs -------------------------------------------------------------------------------------

ANYTHING = a_rule("anything", LOW_FIRST)


def test_a_shadowed_rule_is_a_fault_of_the_way(tmp_path: Path) -> None:
    report = prove_way(a_program(tmp_path, ANYTHING + PAIRS_ONLY))
    assert report.by_rule == {"anything": comb(53, 6), "pairs": 0}
    assert report.faults == ["mine: rule pairs: decides no hand: it is shadowed"]
    assert not report.sound
    alone = prove_way(a_program(tmp_path, PAIRS_ONLY + ANYTHING))
    assert (alone.faults, alone.hands, alone.classes) == ([], 22_957_480, 1_097_447)
    assert sum(alone.by_rule.values()) == alone.hands


def test_undecided_hands_are_faults_of_the_way_and_a_few_are_told(tmp_path: Path) -> None:
    report = prove_way(a_program(tmp_path, PAIRS_ONLY))
    assert 1 <= len(report.faults) <= 3
    assert all("mine: no rule decides this hand: '" in fault for fault in report.faults)
    assert report.by_rule["pairs"] < report.hands
    ambiguous = prove_way(a_program(tmp_path, LEAD_ALONE))
    assert any("mine: rule lead: the rule is ambiguous: '" in fault for fault in ambiguous.faults)


def test_a_proof_tells_how_far_it_is(tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []
    prove_way(a_program(tmp_path, ANYTHING), lambda done, total: told.append((done, total)))
    assert told == sorted(told)
    assert told[-1] == (22_957_480, 22_957_480)


# --- explanations -------------------------------------------------------------------------------


@pytest.mark.parametrize("way", WAYS)
def test_an_explanation_lists_every_rule_asked_up_to_the_one_that_fired(way: str) -> None:
    program = compile_way(house_way(way))
    order = [compiled.rule.id for compiled in program.rules]
    for hand in random_hands(4, sum(program.split), 60):
        plain, told = decide(program, cards_of(hand)), decide(program, cards_of(hand), explain=True)
        assert plain.steps == ()
        assert (told.setting, told.rule, told.clauses) == (plain.setting, plain.rule, plain.clauses)
        assert [step.rule for step in told.steps] == order[: order.index(told.rule) + 1]
        assert [step.fired for step in told.steps] == [False] * (len(told.steps) - 1) + [True]
        for step in told.steps:
            answers = [answer for _, answer in step.answers]
            assert answers == [True] * (len(answers) - (not step.fired)) + [False] * (not step.fired)
            assert all(question for question, _ in step.answers)


def test_an_explanation_says_what_was_asked_in_words() -> None:
    told = decide(compile_way(house_way("pa-670a")), parse_cards("As Ks 9s 4s 2s Jk"), explain=True)
    by_rule = {step.rule: step.answers for step in told.steps}
    assert by_rule["five-aces"] == [("the hand is five_aces", False)]
    assert by_rule["six-card-straight-flush"] == [("one_suit", True), ("run", False)]
    assert by_rule["straight-flush"] == [("some setting where high makes straight_flush", False)]
    assert by_rule["six-card-flush"] == [("one_suit", True), ("some setting where high makes flush", True)]
    told = decide(compile_way(house_way("foxwoods")), parse_cards("6s 6h 3d 3c As Qh 9d"), explain=True)
    assert told.steps[-1].answers == [
        ("the hand is two_pair", True),
        ("pair1 is 6 to 3", True),
        ("some setting where high keeps pair1 and high keeps pair2 and low is K-high or better", True),
    ]
    told = decide(compile_way(house_way("houseway-421")), parse_cards("Qs Qh 9d 7c 5s 3h 2d"), explain=True)
    assert told.steps[-1].answers == [
        ("the hand is pair", True),
        ("pair1 is A to Q", True),
        (
            "some setting where high makes high_card and high leads with pair1 "
            "and medium makes high_card and medium leads with pair1",
            True,
        ),
    ]


# --- equal settings -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("way", "cards", "setting"),
    [
        ("pa-670a", "As Ks 9s 4s 2s Jk", "AsKs9s4s2s / Jk"),
        ("pa-670a", "Ks Kh Kd 9s 9h 9d", "KhKd9s9h9d / Ks"),
        ("pa-670a", "Kc Kh 9c 9s 5h 5d", "Kc9s9c5h5d / Kh"),
        ("houseway-421", "As Ah Ad Ac Kd Qh 9c", "AdAcQh9c / AsAh / Kd"),
    ],
)
def test_of_equal_settings_the_later_card_goes_low_and_the_joker_last(
    way: str, cards: str, setting: str
) -> None:
    program = compile_way(house_way(way))
    found = set_hands(program, row_of(cards))
    parts = [cards_of(found.parts(part)[0]) for part in range(len(program.split))]
    assert show_setting(decide(program, parse_cards(cards)).setting) == setting
    assert show_setting(parts) == setting


# --- suit classes -------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def six() -> tuple[Array, Array]:
    blocks = list(suit_classes(6))
    return np.concatenate([hands for hands, _ in blocks]), np.concatenate([each for _, each in blocks])


def numbers_of(hands: Array) -> Array:
    """Number sorted hands so that different hands have different numbers."""
    numbers: Array = hands.astype(np.int64) @ (64 ** np.arange(hands.shape[1], dtype=np.int64))
    return numbers


def test_the_suit_classes_of_six_cards_stand_for_every_hand_once(six: tuple[Array, Array]) -> None:
    hands, weights = six
    assert len(hands) == len(weights) == 1_097_447
    assert int(weights.sum()) == comb(53, 6) == 22_957_480
    assert bool((hands[:, 1:] > hands[:, :-1]).all())
    assert int(hands.max()) == 52
    assert len(np.unique(numbers_of(hands))) == len(hands)


def test_a_class_weighs_as_many_hands_as_its_suits_can_be_changed_into(six: tuple[Array, Array]) -> None:
    hands, weights = six
    stored = set(numbers_of(hands).tolist())
    for row in random.Random(6).sample(range(len(hands)), 300):
        turned = set()
        for suits in permutations(range(4)):
            turned.add(
                tuple(sorted(c if c == 52 else c // 4 * 4 + suits[c % 4] for c in hands[row].tolist()))
            )
        assert len(turned) == weights[row]
        assert len(stored.intersection(numbers_of(np.array(sorted(turned))).tolist())) == 1


def test_the_shards_cover_the_same_classes_exactly_once(six: tuple[Array, Array]) -> None:
    hands, weights = six
    pieces = list(shards(6))
    assert len({piece.name for piece in pieces}) == len(pieces)
    assert all(0 < piece.last - piece.first <= 20_000 for piece in pieces)
    blocks = [piece.classes() for piece in pieces]
    cut, weighed = np.concatenate([b[0] for b in blocks]), np.concatenate([b[1] for b in blocks])
    one, other = np.argsort(numbers_of(hands)), np.argsort(numbers_of(cut))
    assert np.array_equal(hands[one], cut[other])
    assert np.array_equal(weights[one], weighed[other])
