"""The words of the steps read as written for people."""

from __future__ import annotations

import pytest

from houseway.rounds.steps import STEPS

LONGEST_LABEL = 32
MOST_WORDS = 4


def test_labels_are_unique() -> None:
    labels = [step.words.button.casefold() for step in STEPS.values()]
    assert sorted(labels) == sorted(set(labels))


@pytest.mark.parametrize("step", STEPS)
def test_a_label_fits_a_button(step: str) -> None:
    label = STEPS[step].words.button
    assert len(label) <= LONGEST_LABEL
    assert 1 <= len(label.split()) <= MOST_WORDS
    assert label[0].isupper()
    assert "_" not in label


@pytest.mark.parametrize("step", STEPS)
def test_what_follows_is_a_plain_sentence(step: str) -> None:
    follows = STEPS[step].words.follows
    assert follows[0].isupper()
    assert follows.endswith(".")
    assert ". " not in follows
    assert "_" not in follows
    for word in (" his ", " him ", " he "):
        assert word not in follows.casefold()


@pytest.mark.parametrize("step", [name for name, step in STEPS.items() if step.words.says])
def test_what_is_said_is_a_whole_sentence(step: str) -> None:
    say = STEPS[step].words.says
    assert say[0].isupper()
    assert say.endswith((".", "!", "?"))
    assert "_" not in say
