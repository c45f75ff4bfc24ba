"""A floor in a process of its own that is killed at a point of an append: ``python -m tests.floor.crashing``.

It plays at two tables on one meter with decks that are full of jackpots, says on standard output which
commands were answered, and kills itself without a word at the given point of the given append: the third,
say, or the first one that pays an award.
"""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

from houseway.floor.bodies import read_body
from houseway.floor.core import Floor
from houseway.floor.meter_events import MeterTurn
from houseway.ledger import AccountKind
from houseway.rounds.roles import Role
from houseway.rounds.step import Actor
from houseway.rounds.steps.players import Sit
from houseway.store.entries import Entry
from houseway.store.log_check import verify_log
from houseway.store.postgres import PostgresStore
from houseway.store.protocol import Batch, Point, Store
from houseway.store.sqlite import SqliteStore
from tests.floor.sharing import load
from tests.floor.support import PEOPLE, command, new_floor, next_move

AWARD = "award"
JACKPOT = "jackpot 0"
"""A deck that is shuffled with this seed has a jackpot in it for one of those who sit there."""


class Killer:
    """Kills this process at a point of an append: of the one with a number, or the first with an award."""

    def __init__(self, point: str, which: str) -> None:
        self.point, self.which, self.appends, self.award = point, which, 0, False

    def look(self, batch: Batch) -> None:
        """Look at what is about to be stored."""
        self.appends += 1
        self.award = any(pays_award(entry) for entry in batch.entries)

    def __call__(self, point: Point) -> None:
        wanted = self.award if self.which == AWARD else str(self.appends) == self.which
        if wanted and point == self.point:
            os.kill(os.getpid(), signal.SIGKILL)


def pays_award(entry: Entry) -> bool:
    """Whether an entry moves money from a meter to a player."""
    body = read_body(entry)
    return isinstance(body, MeterTurn) and any(m.to.kind is AccountKind.PLAYER for m in body.moved)


def open_store(url: str, killer: Killer | None = None) -> Store:
    """Open a store that tells a killer where its appends are."""
    reached = killer or (lambda _: None)
    kind = PostgresStore if url.startswith("postgresql") else SqliteStore

    class Looking(kind):  # type: ignore[misc, valid-type]
        def append_batch(self, batch: Batch) -> None:
            if killer:
                killer.look(batch)
            super().append_batch(batch)

    where = url if url.startswith("postgresql") else Path(url)
    store: Store = Looking(where, at_point=reached)
    return store


def play_on(floor: Floor, run: str, commands: int) -> None:
    """Go on at both tables, saying which commands were answered."""
    for number in range(commands):
        table = floor.tables[number % 2]
        state = floor.table(table).table
        bare = [at for at in PEOPLE if at not in state.seats]
        if bare:
            by, action = Actor(PEOPLE[bare[0]], Role.PLAYER), Sit(bare[0])
        else:
            move = next_move(floor, table)
            by, action = move.by, move.action  # type: ignore[assignment]
            if move.step == "shuffle":
                load(floor, table, JACKPOT)
        floor.submit(table, command(by, action, f"{run}/{number}"))
        (answer,) = floor.run()
        assert not answer.refused and not answer.fault, answer
        print(answer.command, answer.table, answer.version, flush=True)


if __name__ == "__main__":
    url, run, point, which, commands = sys.argv[1:]
    store = open_store(url, Killer(point, which) if which else None)
    verify_log(store)
    play_on(new_floor(store, run), run, int(commands))
