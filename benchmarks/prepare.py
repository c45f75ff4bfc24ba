"""Plays rounds and writes the commands that people and devices gave: what the benchmark is given to play."""

from __future__ import annotations

import pickle
import sys
from collections import Counter
from datetime import datetime

from houseway.games import example_submission, rules_for
from houseway.houseways.batch import hasten
from houseway.rng import SeededEntropy
from houseway.rounds.auto import play_rounds, usual_wagers
from houseway.rounds.deciding import Automation
from houseway.rounds.record import dealer_program
from houseway.rounds.sitting import new_table, perform
from houseway.rounds.state import Table
from houseway.rounds.step import Command, Moment, all_steps

SEED = 20260101
ROUNDS = 500
NOW = datetime(2026, 1, 1, 12)


def prepared_rounds(game: str) -> tuple[Table, list[Command]]:
    """Play rounds to warm up and as many to measure; return the table before them, and every command."""
    rules = rules_for(example_submission(game))
    hasten(dealer_program(rules))
    bets = dict.fromkeys(range(1 if rules.banked else 2, 8), usual_wagers(rules))
    table, commands = new_table(rules), []
    for _, played in play_rounds(table, bets, Moment(NOW, SeededEntropy(SEED)), 2 * ROUNDS):
        commands += [
            Command(e.step, e.by, e.position, dict(e.details))
            for e in played.events
            if all_steps()[e.step].by
        ]
    return table, commands


def left_over(table: Table, commands: list[Command], automation: Automation) -> list[Command]:
    """Return the commands that are still given where some duties are done by the table itself."""
    moment, done, left = Moment(NOW, SeededEntropy(SEED)), Counter[tuple[str, int | None]](), []
    for command in commands:
        if done[command.step, command.position]:
            done[command.step, command.position] -= 1
            continue
        left.append(command)
        table, events = perform(table, command, moment, automation)
        done.update((event.step, event.position) for event in events[1:] if event.step in automation)
    return left


if __name__ == "__main__":
    found = left_over(*prepared_rounds(sys.argv[1]), frozenset(sys.argv[2:]))
    sys.stdout.buffer.write(pickle.dumps(found))
