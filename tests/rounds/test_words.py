"""Whatever the table says can be read aloud: a fact, once, in words that everybody at it knows."""

from __future__ import annotations

import re
from typing import Any

import pytest

from houseway.games import example_submission, rules_for
from houseway.law.problems import Problem
from houseway.rng import SeededEntropy
from houseway.rounds.auto import auto_round
from houseway.rounds.explain import explain
from houseway.rounds.outcomes import Moves
from houseway.rounds.state import Phase
from houseway.rounds.steps import ALL_STEPS

GAMES = ("pa-575", "pa-659a", "pa-670a", "wa-fap", "ca-fpgp")
REASONS = sorted({guard.reason for step in ALL_STEPS for guard in step.guards})
BAD = {
    "snake_case": re.compile(r"[a-z]+_[a-z]+"),
    "letters for results": re.compile(r"\([WLT]{2,3}\)"),
    "a tail that contradicts": re.compile(r", not \S+$"),
    "he or his": re.compile(r"\b(he|his|him|himself)\b", re.IGNORECASE),
    "a phase's own name": re.compile(r"the table is (dealer|starting|setting|betting)\b"),
    "no hand named": re.compile(r"\bnone:"),
    "twice the same word": re.compile(r"\b(\w+) \1\b"),
}


def faults(text: str) -> list[str]:
    return [what for what, pattern in BAD.items() if pattern.search(text)]


@pytest.mark.parametrize("reason", REASONS)
def test_a_reason_is_a_fact_in_plain_words(reason: str) -> None:
    assert not faults(reason)
    assert reason[:1].islower() or reason.startswith(("COIN IN", "J-POT", "Double"))
    assert not reason.endswith(".")


def test_a_phase_is_told_in_words() -> None:
    told = [f"not while the table is {phase.said}" for phase in Phase]
    assert not any(map(faults, told)) and len(set(told)) == len(told)


def test_the_value_of_a_refusal_never_contradicts_it() -> None:
    assert str(Problem("deal", "no hand is played there", "3")) == "deal: no hand is played there: 3"


@pytest.mark.parametrize("game", GAMES)
def test_payments_and_explanations_can_be_read_aloud(game: str) -> None:
    for seed in range(4):
        record = auto_round(rules_for(example_submission(game)), SeededEntropy(f"words {seed}"))
        moves: list[Any] = [event.outcome for turn in record.turns for event in turn.events]
        said = [p.reason for done in moves if isinstance(done, Moves) for p in (*done.stakes, *done.payments)]
        wrong = {text: faults(text) for text in (*said, *explain(record)) if faults(text)}
        assert not wrong
