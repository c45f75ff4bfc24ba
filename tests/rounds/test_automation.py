"""Duties that a table performs by itself: lawful one by one, on record, and with the same result."""

from __future__ import annotations

from collections import Counter
from datetime import datetime

import pytest

from houseway.games import example_submission, rules_for
from houseway.rng import SeededEntropy
from houseway.rounds.auto import play_rounds, usual_wagers
from houseway.rounds.deciding import evolve
from houseway.rounds.sitting import SETTLING, may, new_table, perform
from houseway.rounds.state import Play, Table
from houseway.rounds.step import Command, Event, Moment, all_steps

GAMES = ("pa-575", "pa-659a", "pa-670a", "wa-fap", "ca-fpgp")
ROUNDS = 12
SEED = "automation"


def moment() -> Moment:
    """Return the same moment, with the same chance, each time."""
    return Moment(datetime(2026, 1, 1, 12), SeededEntropy(SEED))


def by_hand(game: str) -> tuple[Table, list[Command], list[Play]]:
    """Play some rounds step by step: the table they began at, every command, and the rounds."""
    rules = rules_for(example_submission(game))
    bets = dict.fromkeys(range(1 if rules.banked else 2, 8), usual_wagers(rules))
    table = new_table(rules)
    commands: list[Command] = []
    plays = []
    for _, played in play_rounds(table, bets, moment(), ROUNDS):
        commands += [
            Command(e.step, e.by, e.position, e.details) for e in played.events if all_steps()[e.step].by
        ]
        plays.append(played.play)
    return table, commands, plays


def verified(table: Table, events: tuple[Event, ...], now: datetime) -> Table:
    """Ask of every event whether it might have been commanded then, and return the table afterwards."""
    for event in events:
        if all_steps()[event.step].by:
            command = Command(event.step, event.by, event.position, event.details)
            assert may(table, command, now), event
        table = evolve(table, event)
    return table


@pytest.mark.parametrize("game", GAMES)
def test_what_follows_by_itself_is_lawful_and_pays_the_same(game: str) -> None:
    table, commands, plays = by_hand(game)
    done: Counter[tuple[str, int | None]] = Counter()
    rounds: list[Play] = []
    followed, at = 0, moment()
    for command in commands:
        key = (command.step, command.position)
        if done[key]:
            done[key] -= 1
            continue
        before = table
        table, events = perform(table, command, at, SETTLING)
        assert verified(before, events, at.now) == table
        followed += len(events) - 1
        done.update((event.step, event.position) for event in events[1:] if event.step in SETTLING)
        if table.rounds > len(rounds) and table.last is not None:
            rounds.append(table.last)
    assert followed > 3 * ROUNDS
    assert [sorted(play.payments) for play in rounds] == [sorted(play.payments) for play in plays]


@pytest.mark.parametrize("game", GAMES)
def test_only_what_is_automated_follows(game: str) -> None:
    table, commands, _ = by_hand(game)
    at = moment()
    for command in commands:
        if command.step != "reveal":
            table, _done = perform(table, command, at)
            continue
        for duties, follow in ((set(), []), ({"rack"}, []), ({"settle"}, ["settle"])):
            _, events = perform(table, command, at, duties)
            assert [event.step for event in events[1:]] == follow
        return
    raise AssertionError("no hand was opened")
