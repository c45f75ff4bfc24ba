"""The mechanism by which code and data claim clauses."""

from __future__ import annotations

import pytest

from houseway.errors import IllegalError
from houseway.law import claim, remembered, rest_on, standing, watching
from houseway.law.claims import recall

A, B = "pa575.9.a.1", "pa575.5.g"


def test_in_service_every_clause_is_in_force() -> None:
    assert claim(A)
    assert standing((A, B)) == (A, B)
    rest_on(A, B)


def test_a_watch_sees_what_ran_and_nothing_else() -> None:
    with watching() as watch:
        claim(A)
    claim(B)
    assert watch.ran == {A}


def test_a_clause_switched_off_is_not_in_force_but_is_seen_to_run() -> None:
    with watching(off=[A]) as watch:
        assert standing((A, B)) == (B,)
        with pytest.raises(IllegalError, match=A):
            rest_on(A)
    assert watch.ran == {A, B}


def test_watches_nest_and_the_outer_one_comes_back() -> None:
    with watching(off=[A]) as outer:
        with watching() as inner:
            assert claim(A)
        assert not claim(A)
    assert inner.ran == outer.ran == {A}


def test_a_remembered_result_shows_its_clauses_again_and_is_made_anew_when_one_is_off() -> None:
    calls = []

    @remembered
    def answer(x: int) -> int:
        calls.append(x)
        return x if claim(A) else -x

    assert answer(3) == 3
    with watching() as watch:
        assert answer(3) == 3
    assert calls == [3]
    assert watch.ran == {A}
    with watching(off=[A]):
        assert answer(3) == -3
    assert answer(3) == 3
    assert calls == [3, 3]


def test_while_somebody_watches_nothing_is_looked_up_and_nothing_kept() -> None:
    table: dict[str, int] = {}

    def answer() -> int:
        return 1 if claim(A) else -1

    with watching(off=[A]):
        assert recall(table, "key", answer) == -1
    with watching() as watch:
        assert recall(table, "key", answer) == 1
    assert watch.ran == {A}
    assert table == {}
    assert recall(table, "key", answer) == 1
    assert table == {"key": 1}
    with watching(off=[A]):
        assert recall(table, "key", answer) == -1
    assert recall(table, "key", lambda: 7) == 1
