"""What the round of play does is what it did when the plays were written down."""

from __future__ import annotations

import random
from collections.abc import Mapping

import pytest

from houseway.games import game as game_named
from houseway.rounds.steps import STEPS
from tests.golden.notes import digest
from tests.golden.store import (
    PARTS,
    PLAYS,
    WHOLE,
    Digests,
    Summary,
    compare_play,
    difference,
    read,
    summarize,
)
from tests.golden.variants import GAMES, variants

SAMPLE = 8
"""So many plays a game are made again in every run besides those that are written down whole."""


def differing(game: str, numbers: Mapping[int, None]) -> list[str]:
    """Make some plays of a game again; return what differs from what is written down."""
    book = read(game)
    return [text for number in numbers for text in compare_play(game, book, summarize(game, number)).values()]


@pytest.mark.parametrize("game", GAMES)
def test_whole_plays_and_a_sample_are_as_they_were_written_down(game: str) -> None:
    whole = map(int, read(game).whole)
    some = random.Random(f"sample of {game}").sample(range(PLAYS), SAMPLE)
    assert differing(game, dict.fromkeys([*whole, *some])) == []


@pytest.mark.exhaustive
@pytest.mark.parametrize("game", GAMES)
def test_every_play_is_as_it_was_written_down(game: str) -> None:
    assert differing(game, dict.fromkeys(range(PLAYS))) == []


@pytest.mark.parametrize("game", GAMES)
def test_every_step_of_a_game_is_taken_in_the_plays_and_refused_where_anybody_may_try_it(game: str) -> None:
    book = read(game)
    assert len(book.plays) == PLAYS <= book.rounds
    assert len(book.whole) == WHOLE
    steps = set(game_named(game).procedure)
    rare = {step for step in steps if not STEPS[step].roles}  # what only follows by law, in some game's plays
    elsewhere = {step for other in GAMES for step in read(other).done}
    assert sorted(steps - set(book.done) - (rare & elsewhere)) == []
    assert sorted(steps - set(book.refused)) == []


@pytest.mark.parametrize("game", GAMES)
def test_every_kind_of_table_is_played_at(game: str) -> None:
    assert {play.variant for play in read(game).plays} == set(variants(game))


@pytest.mark.parametrize("game", GAMES)
def test_what_is_written_down_whole_has_the_digests_that_stand_with_it(game: str) -> None:
    book = read(game)
    for number, parts in book.whole.items():
        digests = book.plays[int(number)]
        assert {part: getattr(digests, part) for part in PARTS} == {
            part: digest(parts[part]) for part in PARTS
        }


def test_a_difference_is_named_by_its_place() -> None:
    assert difference([{"a": [1, 2]}], [{"a": [1, 3]}], "facts") == "facts[0].a[1]: 2 before, 3 now"
    assert difference({"a": 1}, {"a": 1, "b": 2}, "facts") == "facts.b: only now"
    assert difference([1], [1, 2], "facts") == "facts.length: 1 before, 2 now"
    assert difference([True], [1]) == "[0]: true before, 1 now"
    assert difference({"a": [1]}, {"a": [1]}) is None


@pytest.mark.parametrize("part", PARTS)
def test_a_play_that_differs_in_one_part_differs_in_no_other(part: str) -> None:
    game, book = GAMES[0], read(GAMES[0])
    number = int(min(book.whole))
    other = Digests(**{**book.plays[number]._asdict(), part: "another"})
    assert list(compare_play(game, book, Summary(number, other, {}, {}, 1))) == [part]
