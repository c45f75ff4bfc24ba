"""A floor in a process of its own that is killed at a point of an append: ``python -m tests.floor.crashing``.

It plays at two tables on one meter, says on standard output which commands were answered, and kills itself
without a word at the given point of the given append.
"""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

from houseway.floor.core import Floor
from houseway.rounds.actions import Sit
from houseway.rounds.roles import Role
from houseway.rounds.step import Actor
from houseway.store.postgres import PostgresStore
from houseway.store.protocol import Point, Store
from houseway.store.sqlite import SqliteStore
from houseway.store.verifying import verify_log
from tests.floor.support import PEOPLE, command, new_floor, next_move


class Killer:
    """Kills this process when an append reaches a point for the nth time."""

    def __init__(self, point: str, nth: int) -> None:
        self.point, self.left = point, nth

    def __call__(self, point: Point) -> None:
        self.left -= point == self.point
        if not self.left:
            os.kill(os.getpid(), signal.SIGKILL)


def open_store(url: str, killer: Killer | None = None) -> Store:
    """Open a store that tells a killer where its appends are."""
    reached = killer or (lambda _: None)
    if url.startswith("postgresql"):
        return PostgresStore(url, reached=reached)
    return SqliteStore(Path(url), reached=reached)


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
        floor.submit(table, command(by, action, f"{run}/{number}"))
        (answer,) = floor.run()
        assert not answer.refused and not answer.fault, answer
        print(answer.command, answer.table, answer.version, flush=True)


if __name__ == "__main__":
    url, run, point, nth, commands = sys.argv[1:]
    store = open_store(url, Killer(point, int(nth)) if int(nth) else None)
    verify_log(store)
    play_on(new_floor(store, run), run, int(commands))
