"""What each step waits for: the reasons told in an ordinary round, and when, are those written out.

A round is played twice at each table. The second time whatever is done in it, and whatever else its game
knows, is asked for at every moment; each reason against it is noted with the step since which it is told,
and the step until which it is. ``python -m tests.rounds.test_waiting`` writes the table anew: read what
changed.
"""

from __future__ import annotations

import csv
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import pytest

from houseway.rounds.live import LiveTable
from houseway.rounds.roles import Role
from houseway.rounds.state import Phase
from houseway.rounds.step import Actor, Proposal
from houseway.rounds.steps import STEPS
from tests.games.support import Changes
from tests.rounds.california import CA, person
from tests.rounds.california import MANUAL as PILES
from tests.rounds.commands import as_action
from tests.rounds.pennsylvania import EVERY_WAGER
from tests.rounds.play.chance import Seeded
from tests.rounds.play.unlawful import details_taken, plausible
from tests.rounds.secrecy.cards import cards_in, may_know
from tests.rounds.table import AUTOMATED, BUTTON, BY_HAND, DEALER, MANUAL, SHAKER, TestTable, money, player
from tests.rounds.test_words import faults
from tests.rounds.washington import WAYS

TABLE = Path(__file__).parent / "golden" / "waiting.csv"
TABLES: Mapping[str, tuple[str, Changes]] = {
    **{f"{game} manual": (game, MANUAL | SHAKER) for game in EVERY_WAGER},
    **{f"{game} hand": (game, BY_HAND) for game in EVERY_WAGER},
    "pa-575 automated": ("pa-575", AUTOMATED | BUTTON),
    "pa-659a automated": ("pa-659a", AUTOMATED),
    "pa-670a automated": ("pa-670a", AUTOMATED),
    **{f"wa-fap {way}": ("wa-fap", changes) for way, changes in WAYS.items()},
    f"{CA} shuffler": (CA, {}),
    f"{CA} manual": (CA, PILES),
}
"""Every game, dealt in every way, the start found in every way."""
AT, BANK = 3, 6
NOT_HERE = ("not while the table is", "is for ")
"""How reasons begin that are written out elsewhere: who may take a step, and in which phases."""


class Row(NamedTuple):
    """A reason against a step: told since a step, or from the start, until another, or to the end."""

    step: str
    reason: str
    since: str
    until: str
    pauses: str
    """Whether it is not told all the time between."""
    tables: str


# --- a round ------------------------------------------------------------------------------------------


def moments(table: TestTable) -> Iterator[str]:
    """Play a round, from a closed table to its end; yield the name of each step that was taken."""
    yield table.log[-1].step
    while table.state.phase is not Phase.BETTING:
        yield _go_on(table)
    for step, by, at, details in _bets(table.rules.game.id):
        if step != "sit" or at not in table.state.seats:
            table.do(step, by, at, **details)
            yield step
    while not table.state.rounds:
        yield _go_on(table)


def _go_on(table: TestTable) -> str:
    due = table.live.due()
    if due is None and not table.state.seats:  # the cards lie spread for the first player to arrive
        table.do("sit", player(AT), AT)
        return "sit"
    assert due is not None
    table.log += table.live.do(due.by, due.action)
    return due.step


def _bets(game: str) -> Iterator[tuple[str, Actor, int, dict[str, object]]]:
    """Yield how two players come to the table and bet; in a game that players bank a third is the bank."""
    who = person if game == CA else player
    wagers = money(**EVERY_WAGER.get(game, EVERY_WAGER["pa-659a"]))
    if game == CA:
        wagers = money(main="$10", fortune="$10")
        yield "sit", who(BANK), BANK, {}
        yield "offer_bank", DEALER, BANK, {}
        yield "accept_bank", who(BANK), BANK, {}
        yield "put_up", who(BANK), BANK, {"stake": money(main="$200")["main"]}
    for at in (AT, 2):
        yield "sit", who(at), at, {}
    for at in (AT, 2):
        yield "wager", who(at), at, {"wagers": wagers}


# --- what is asked for --------------------------------------------------------------------------------


def played(game: str, changes: Changes) -> list[Proposal]:
    """Return what is done in the round, once for each step."""
    table = TestTable(game, changes)
    for _ in moments(table):
        pass
    done = {
        event.step: Proposal(event.by, event.action) for event in reversed(table.log) if STEPS[event.step].by
    }
    return list(done.values())


def thought_of(table: TestTable) -> Iterator[Proposal]:
    """Yield every step of the game as somebody who may take it could think of it now."""
    who = person if table.rules.game.id == CA else player
    for step in table.rules.game.procedure:
        chance = Seeded(step)
        details = {
            name: plausible(table.state, name, chance) for name in details_taken(STEPS[step], needed=True)
        }
        roles = STEPS[step].by
        if Role.DEALER in roles or not roles:
            by = DEALER
        else:
            by = who(AT) if Role.PLAYER in roles else Actor("Somebody", min(roles))
        yield Proposal(by, as_action(step, AT, details, table.rules))


def reasons(live: LiveTable, proposal: Proposal) -> Iterator[str]:
    """Yield why something cannot be done now; no reason names a card that whoever asks may not know."""
    for problem in live.verify(proposal.by, proposal.action):
        if cards := set(cards_in(problem.reason)):
            assert cards <= may_know(live.rules, live.table, proposal.by), problem
        if not problem.reason.startswith(NOT_HERE):
            yield problem.reason


def waits_of(name: str) -> list[Row]:
    """Play a round at a table and return what each step waits for in it."""
    game, changes = TABLES[name]
    done, table, steps = played(game, changes), TestTable(game, changes), list[str]()
    places_of: dict[tuple[str, str], list[int]] = defaultdict(list)
    for step in moments(table):
        if step in steps:
            continue
        for proposal in (*done, *thought_of(table)):
            for reason in reasons(table.live, proposal):
                places_of[proposal.step, reason].append(len(steps))
        steps.append(step)
    rows = []
    for (step, reason), places in places_of.items():
        first, last = places[0], places[-1]
        since, until = steps[first] if first else "", steps[last + 1] if last + 1 < len(steps) else ""
        pauses = "" if len(set(places)) == last - first + 1 else "at times"
        rows.append(Row(step, reason, since, until, pauses, name))
    return sorted(rows)


# --- the table ----------------------------------------------------------------------------------------


def rows_of(name: str) -> list[Row]:
    """Return what the table says of one of the tables."""
    with TABLE.open(encoding="utf-8", newline="") as file:
        rows = [Row(**row) for row in csv.DictReader(file)]
    return sorted(row._replace(tables=name) for row in rows if name in row.tables.split("; "))


def write() -> None:
    """Write the table anew."""
    tables: dict[Row, list[str]] = defaultdict(list)
    for name in TABLES:
        for row in waits_of(name):
            tables[row._replace(tables="")].append(name)
    with TABLE.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(Row._fields)
        writer.writerows(row._replace(tables="; ".join(names)) for row, names in sorted(tables.items()))


@pytest.mark.parametrize("name", TABLES)
def test_a_step_is_refused_in_a_round_for_the_reasons_and_as_long_as_is_written_out(name: str) -> None:
    assert waits_of(name) == rows_of(name)


def test_whatever_is_told_in_a_round_can_be_read_aloud() -> None:
    rows = [row for name in TABLES for row in rows_of(name)]
    assert {row.step for row in rows} <= set(STEPS)
    assert not {row.reason: faults(row.reason) for row in rows if faults(row.reason)}


if __name__ == "__main__":
    write()
