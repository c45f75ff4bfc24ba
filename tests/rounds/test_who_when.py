"""Every step of every game in every other role and every other phase, by a table written from the law."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import pytest

from houseway.games import game as game_named
from houseway.law import all_clauses
from houseway.rounds.chance import Moment
from houseway.rounds.deciding import verify
from houseway.rounds.roles import Role
from houseway.rounds.state import Phase, changed
from houseway.rounds.step import Actor, Proposal
from houseway.rounds.steps import STEPS
from tests.games.support import Changes
from tests.rounds.california import Cardroom
from tests.rounds.commands import as_action
from tests.rounds.law_tables.who_when import (
    ALSO_BY,
    HOUSE,
    LAW,
    NOT_BY,
    NOT_IN,
    NOT_THEIRS_IN_WORDS,
    OF_ONE_GAME,
    REFUSED_IN_WORDS,
    row,
)
from tests.rounds.pennsylvania import EVERY_WAGER
from tests.rounds.play.chance import Seeded
from tests.rounds.play.unlawful import details_taken, plausible
from tests.rounds.table import AUTOMATED, DEALER, Snapshot, TestTable

GAMES = ("pa-575", "pa-659a", "pa-670a", "wa-fap", "ca-fpgp")
EVERY_STEP = [(game, step) for game in GAMES for step in game_named(game).procedure]
WITHOUT_HANDS = (Phase.CLOSED, Phase.OPENING, Phase.IDLE)
AT = 3
"""A position where a hand is played."""


def played(game: str) -> TestTable:
    """Return a table with every wager down, a device for every duty, and nothing closed yet."""
    if game == "ca-fpgp":
        return Cardroom().banks(6).bets(2, 3, main="$10", fortune="$10")
    changes: Changes = {} if game == "wa-fap" else AUTOMATED
    return TestTable(game, changes).betting(2, 3, **EVERY_WAGER.get(game, EVERY_WAGER["pa-659a"]))


@cache
def moments(game: str) -> Mapping[Phase, tuple[Snapshot, Moment]]:
    """Return a table of a game in every phase: played there, or put where no hands would lie."""
    table = played(game)
    bets_down, meters = table.state, dict(table.live.meters)
    moment = Moment(table.now, table.live.moment.chance, table.live.vault, meters)
    found = {
        phase: (Snapshot(changed(bets_down.state, phase=phase), table.rules, bets_down.meter), moment)
        for phase in (*WITHOUT_HANDS, Phase.BETTING)
    }
    for _ in table.live.proceed(until_round=1):
        if table.state.phase not in found:
            now = Moment(table.now, moment.chance, moment.cards, dict(table.live.meters))
            found[table.state.phase] = table.state, now
    return found


def reasons(game: str, step: str, role: Role, phase: Phase) -> list[str]:
    """Return why a step is refused to somebody in a role, in a phase."""
    table, moment = moments(game)[phase]
    chance = Seeded(step)
    details = {name: plausible(table, name, chance) for name in details_taken(STEPS[step], needed=True)}
    action = as_action(step, AT, details, table.rules)
    by = Actor(DEALER.id if role is Role.DEALER else "Somebody", role)
    return [problem.reason for problem in verify(table.rules, table.state, Proposal(by, action), moment)]


def by_role(step: str, found: list[str]) -> bool:
    """Whether a step is refused because of the role: it is for others, or no such device is there."""
    named = " or ".join(map(str, sorted(STEPS[step].by))) or "nobody: it follows by law"
    return f"is for {named}" in found or "no such device is at this table" in found


def by_phase(phase: Phase, found: list[str]) -> bool:
    """Whether a step is refused because of the phase."""
    return f"not while the table is {phase.words}" in found


def test_the_table_has_every_step_and_cites_clauses_that_exist() -> None:
    assert set(LAW) == set(STEPS)
    known = {HOUSE, *all_clauses()}
    assert [row.source for row in (*LAW.values(), *OF_ONE_GAME.values()) if row.source not in known] == []
    words = {step: {*row.roles.split(), *row.phases.split()} for step, row in LAW.items()}
    assert set().union(*words.values()) <= {one.value for one in (*Role, *Phase)}


@pytest.mark.parametrize("game", GAMES)
def test_there_is_a_table_of_each_game_in_every_phase(game: str) -> None:
    found = moments(game)
    assert set(found) == set(Phase)
    assert all(table.phase is phase and AT in table.round.hands for phase, (table, _) in found.items())


@pytest.mark.parametrize(("game", "step"), EVERY_STEP)
def test_a_step_is_taken_by_those_the_law_names_and_by_nobody_else(game: str, step: str) -> None:
    named = row(game, step).roles.split()
    for role in Role:
        case, found = (step, role.value), reasons(game, step, role, Phase.SETTLING)
        if role.value in named:
            assert by_role(step, found) is (case in NOT_BY), role
        elif case in NOT_THEIRS_IN_WORDS:
            assert NOT_THEIRS_IN_WORDS[case] in found, role
        else:
            assert by_role(step, found) or case in ALSO_BY, role


@pytest.mark.parametrize(("game", "step"), EVERY_STEP)
def test_a_step_is_taken_in_the_phases_the_law_gives_it_and_in_no_other(game: str, step: str) -> None:
    lawful = row(game, step).phases.split()
    by = Role((row(game, step).roles.split() or ["dealer"])[0])
    for phase in Phase:
        case, found = (step, phase.value), reasons(game, step, by, phase)
        if phase.value in lawful:
            assert by_phase(phase, found) is (case in NOT_IN), phase
        elif case in REFUSED_IN_WORDS:
            assert REFUSED_IN_WORDS[case] in found, phase
        else:
            assert by_phase(phase, found), phase


@pytest.mark.parametrize(("step", "role"), ALSO_BY)
def test_what_is_listed_as_taken_beyond_the_law_still_is(step: str, role: str) -> None:
    games = [game for game, one in EVERY_STEP if one == step and role not in row(game, step).roles.split()]
    assert not all(by_role(step, reasons(game, step, Role(role), Phase.SETTLING)) for game in games)
