"""Which question a dealer gets: weak kinds and rules come oftener, failed questions come back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import pytest

from houseway.cards import Deck
from houseway.errors import InvalidInputError, UnknownNameError
from houseway.rng import SeededEntropy
from houseway.training import DealerLesson, Kind, LessonAnswer, LessonRole
from tests.training.support import answer, program, rules

SIX = DealerLesson(program("pa-670a"), Deck.standard(), rules("pa-670a"))


def told(spot: str, kind: str, *, right: bool, many: int = 12) -> list[LessonAnswer]:
    lost = "0" if right else "1"
    return [
        answer(
            f"{spot} {n}", spot=spot, kind=kind, lost=lost, role=LessonRole.DEALER, shown=False, right=True
        )
        for n in range(many)
    ]


def kinds(history: Sequence[LessonAnswer]) -> Counter[str]:
    entropy = SeededEntropy("kinds")
    return Counter(SIX.next(history, entropy).kind for _ in range(100))


def test_a_fresh_dealer_is_asked_everything_and_sets_hands_most() -> None:
    found = kinds([])
    assert set(found) == set(Kind) and found.most_common(1)[0][0] == Kind.SET


def test_kinds_that_are_failed_come_oftener() -> None:
    others = [*told("pair", Kind.SET, right=True), *told("copies", Kind.COPIES, right=True)]
    weak, known = (kinds([*others, *told("foul", Kind.FOUL, right=right)])["foul"] for right in (False, True))
    assert weak > 2 * known > 0


def test_rules_that_are_failed_come_oftener() -> None:
    lesson = DealerLesson(program("pa-670a"), Deck.standard(), rules("pa-670a"), Kind.SET)
    counts = []
    for right in (False, True):
        entropy = SeededEntropy("rules")
        history = [*told("no-pair", Kind.SET, right=True), *told("two-pair", Kind.SET, right=right)]
        counts.append(Counter(lesson.next(history, entropy).spot for _ in range(40))["two-pair"])
    assert counts[0] > 1.5 * counts[1] > 0


def test_a_failed_question_comes_back_as_it_was_asked() -> None:
    race = "KsKh9d9s4d / 8c against KcKd9c9h4h / 8s"
    failed = answer(race, right=False, lost="1", spot="copies", kind="copies", role=LessonRole.DEALER)
    history = [failed, *told("pair", Kind.SET, right=True, many=10)]
    found = SIX.next(history, SeededEntropy(1))
    assert (found.kind, found.text, found.solution().answer) == (Kind.COPIES, race, "c c l")
    assert (
        SIX.next([*history, answer(race, kind="copies", role=LessonRole.DEALER)], SeededEntropy(1)).text
        != race
    )


def test_one_rule_or_kind_can_be_practised_alone_and_no_other_name() -> None:
    for only in ("three-of-a-kind", "foul"):
        lesson = DealerLesson(program("pa-670a"), Deck.standard(), rules("pa-670a"), only)
        entropy = SeededEntropy(2)
        assert {lesson.next([], entropy).spot for _ in range(4)} == {only}
    with pytest.raises(UnknownNameError, match="did you mean foul"):
        DealerLesson(program("pa-670a"), Deck.standard(), rules("pa-670a"), "fouls")
    with pytest.raises(UnknownNameError):
        DealerLesson(program("ref-pgp"), Deck.standard(), None, "pays")


def test_what_only_a_law_can_answer_is_not_asked_again_without_one() -> None:
    with pytest.raises(InvalidInputError, match="no law"):
        DealerLesson(program("ref-pgp"), Deck.standard(), None).restore(Kind.IRREGULAR, "shoe_failed")
