"""Duties that a table performs by itself: lawful one by one, on record, and with the same result."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from datetime import UTC, datetime

import pytest
from msgspec.structs import replace

from houseway.games import Rules, example_submission, rules_for
from houseway.meters import MeterState
from houseway.rng import SeededEntropy
from houseway.rounds.auto import play_rounds, usual_wagers
from houseway.rounds.chance import Moment
from houseway.rounds.deciding import decide, evolve, verify
from houseway.rounds.live import SETTLING, LiveTable, new_table
from houseway.rounds.replay import difference, meters_after
from houseway.rounds.state import MeterId, Round, Table, changed
from houseway.rounds.step import AnEvent, Proposal
from houseway.rounds.steps import STEPS

GAMES = ("pa-575", "pa-659a", "pa-670a", "wa-fap", "ca-fpgp")
ROUNDS = 12
SEED = "automation"
NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)


def a_table(rules: Rules, automated: AbstractSet[str] = frozenset()) -> LiveTable:
    """Return the same table at the same moment, with the same chance, each time."""
    return LiveTable(rules, SeededEntropy(SEED), NOON, new_table(rules, automated=automated))


def by_hand(game: str) -> tuple[Rules, list[Proposal], list[Round]]:
    """Play some rounds step by step: the rules they were played by, every command, and the rounds."""
    rules = rules_for(example_submission(game))
    bets = dict.fromkeys(range(1 if rules.banked else 2, 8), usual_wagers(rules))
    live = a_table(rules)
    commands: list[Proposal] = []
    plays = []
    for record in play_rounds(live, bets, ROUNDS):
        assert all(len([e for e in turn.events if STEPS[e.step].by]) == 1 for turn in record.turns)
        commands += [Proposal(turn.command.by, turn.command.action) for turn in record.turns]
        assert live.table.last is not None
        plays.append(live.table.last)
    return rules, commands, plays


def verified(
    rules: Rules,
    table: Table,
    events: tuple[AnEvent, ...],
    moment: Moment,
    meters: Mapping[MeterId, MeterState],
) -> Table:
    """Ask of every event whether it might have been commanded then, and return the table afterwards."""
    for event in events:
        if STEPS[event.step].by:
            then = replace(moment, meters=meters)
            problems = verify(rules, table, Proposal(event.by, event.action), then)
            assert not any(problem.blocks for problem in problems), event
        table, meters = evolve(table, event), meters_after(meters, (event,))
    return table


@pytest.mark.parametrize("game", GAMES)
def test_what_follows_by_itself_is_lawful_and_pays_the_same(game: str) -> None:
    rules, commands, plays = by_hand(game)
    done: Counter[tuple[str, int | None]] = Counter()
    rounds: list[Round] = []
    live, followed = a_table(rules, SETTLING), 0
    for command in commands:
        key = (command.step, command.position)
        if done[key]:
            done[key] -= 1
            continue
        before, meters = live.table, dict(live.meters)
        events = live.do(command.by, command.action)
        assert verified(rules, before, events, live.moment, meters) == live.table
        followed += len(events) - 1
        done.update((event.step, event.position) for event in events[1:] if event.step in SETTLING)
        if live.table.rounds > len(rounds) and live.table.last is not None:
            rounds.append(live.table.last)
            assert live.record is not None and difference(live.record) is None
    assert followed > 3 * ROUNDS
    assert [paid(this_round) for this_round in rounds] == [paid(this_round) for this_round in plays]


def paid(this_round: Round) -> list[str]:
    """Return every payment of a round, whatever the order they were made in."""
    return sorted(map(repr, this_round.payments))


@pytest.mark.parametrize("game", GAMES)
def test_only_what_is_automated_follows(game: str) -> None:
    rules, commands, _ = by_hand(game)
    live = a_table(rules)
    for proposal in commands:
        if proposal.step != "reveal":
            live.do(proposal.by, proposal.action)
            continue
        for duties, follow in ((set(), []), ({"rack"}, []), ({"settle"}, ["settle"])):
            table = changed(live.table, automated=frozenset(duties))
            events = decide(rules, table, live.command(proposal.by, proposal.action), live.moment)
            assert [event.step for event in events[1:]] == follow
        return
    raise AssertionError("no hand was opened")
