"""The words of the steps: every step has them, nothing else does, and they read as written for people."""

from __future__ import annotations

import tomllib
from importlib.resources import files

import pytest

from houseway.rounds.actions import ACTIONS, step_of
from houseway.rounds.steps import STEPS

WORDS = tomllib.loads((files("houseway.rounds") / "data" / "steps.toml").read_text(encoding="utf-8"))
LONGEST_LABEL = 32
MOST_WORDS = 4


def test_every_step_has_its_words_and_no_other_is_there() -> None:
    assert set(WORDS) == set(STEPS)


def test_the_words_stand_in_the_order_of_the_actions() -> None:
    assert list(WORDS) == [step_of(action) for action in ACTIONS]


def test_labels_are_unique() -> None:
    labels = [words["label"].casefold() for words in WORDS.values()]
    assert sorted(labels) == sorted(set(labels))


@pytest.mark.parametrize("step", WORDS)
def test_a_step_has_these_words_and_no_others(step: str) -> None:
    assert {"label", "follows"} <= set(WORDS[step]) <= {"label", "say", "follows"}


@pytest.mark.parametrize("step", WORDS)
def test_a_label_fits_a_button(step: str) -> None:
    label = WORDS[step]["label"]
    assert len(label) <= LONGEST_LABEL
    assert 1 <= len(label.split()) <= MOST_WORDS
    assert label[0].isupper()
    assert "_" not in label


@pytest.mark.parametrize("step", WORDS)
def test_what_follows_is_a_plain_sentence(step: str) -> None:
    follows = WORDS[step]["follows"]
    assert follows[0].isupper()
    assert follows.endswith(".")
    assert ". " not in follows
    assert "_" not in follows
    for word in (" his ", " him ", " he "):
        assert word not in follows.casefold()


@pytest.mark.parametrize("step", [step for step, words in WORDS.items() if "say" in words])
def test_what_is_said_is_a_whole_sentence(step: str) -> None:
    say = WORDS[step]["say"]
    assert say[0].isupper()
    assert say.endswith((".", "!", "?"))
    assert "_" not in say
