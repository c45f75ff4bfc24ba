"""Plays rounds and writes what people and devices did: what the benchmark is given to play."""

from __future__ import annotations

import pickle
import sys
from collections import Counter
from collections.abc import Set as AbstractSet
from datetime import UTC, datetime

from houseway.games import Rules, example_submission, rules_for
from houseway.rng import SeededEntropy
from houseway.rounds.action import Action
from houseway.rounds.auto import Bets, play_rounds, usual_wagers
from houseway.rounds.live import LiveTable, new_table
from houseway.rounds.step import Actor

SEED = 20260101
ROUNDS = 500
NOW = datetime(2026, 1, 1, 12, tzinfo=UTC)
Done = tuple[Actor, Action]
"""Who did what."""


def seeded_table(rules: Rules, automated: AbstractSet[str] = frozenset()) -> LiveTable:
    """Return a closed table, with the chance that everything here is played with."""
    return LiveTable(rules, SeededEntropy(SEED), NOW, new_table(rules, automated=automated))


def bets(rules: Rules) -> Bets:
    """Return a bet on everything at every position of a player."""
    return dict.fromkeys(range(1 if rules.banked else 2, 8), usual_wagers(rules))


def played_table(game: str, rounds: int) -> LiveTable:
    """Return a table at which rounds were played."""
    table = seeded_table(rules_for(example_submission(game)))
    for _ in play_rounds(table, bets(table.rules), rounds):
        pass
    return table


def prepared_rounds(rules: Rules) -> list[Done]:
    """Play rounds to warm up and as many to measure; return everything that was done."""
    turns = (
        turn for record in play_rounds(seeded_table(rules), bets(rules), 2 * ROUNDS) for turn in record.turns
    )
    return [(turn.command.by, turn.command.action) for turn in turns]


def left_over(rules: Rules, done: list[Done], automated: AbstractSet[str]) -> list[Done]:
    """Return what is still commanded where some duties are done by the table itself."""
    table, by_itself, left = seeded_table(rules, automated), Counter[tuple[str, int | None]](), []
    for by, action in done:
        key = action.step, getattr(action, "position", None)
        if by_itself[key]:
            by_itself[key] -= 1
            continue
        left.append((by, action))
        events = table.do(by, action)
        by_itself.update((event.step, event.position) for event in events[1:] if event.step in automated)
    return left


if __name__ == "__main__":
    found = rules_for(example_submission(sys.argv[1]))
    commanded = left_over(found, prepared_rounds(found), frozenset(sys.argv[2:]))
    sys.stdout.buffer.write(pickle.dumps(commanded))
