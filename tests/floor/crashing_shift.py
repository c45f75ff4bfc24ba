"""A shift opened, closed and dropped; what closes it is killed at every point of its append and sent again.

``python -m tests.floor.crashing_shift URL`` runs each attempt in a process forked from one that has no
database open, so that nothing but the store connects them.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from functools import partial

from houseway.chips import ChipAction, ChipCommand
from houseway.chips.actions import BuyIn, CloseShift, CountCloser, CountDrop, CountOpener, TakeDrop
from houseway.floor.core import Floor
from houseway.games import example_submission
from houseway.money import Cents
from houseway.rounds.step import Actor
from houseway.store.memory import MemoryStore
from houseway.store.protocol import Point
from tests.chips.support import AMY, ART, DEB, FLOAT
from tests.floor.crashing import Killer, open_store
from tests.floor.support import EVA, FLO, make_table, new_floor

LEFT = {100: 100, 500: 200, 2500: 200, 10000: 49}
SHIFT: tuple[tuple[Actor, Actor | None, ChipAction], ...] = (
    (DEB, FLO, CountOpener(FLOAT)),
    (DEB, None, BuyIn("Ann", Cents(100_00), {10000: 1})),
    (DEB, FLO, CountCloser(LEFT)),
    (FLO, None, CloseShift()),
    (FLO, EVA, TakeDrop("B1")),
    (AMY, ART, CountDrop("B1", Cents(100_00))),
)
CLOSES = (CountCloser, CloseShift, TakeDrop, CountDrop)
"""What is interrupted."""


def commands() -> list[ChipCommand]:
    """Return the commands of the shift, each under a name of its own."""
    return [
        ChipCommand(id=f"shift/{number}", by=by, second=second, action=action)
        for number, (by, second, action) in enumerate(SHIFT, start=1)
    ]


def send(url: str, command: ChipCommand, killer: Killer | None) -> None:
    """Send a command to a floor of this process's own, and say what was answered."""
    floor = new_floor(open_store(url, killer))
    floor.submit("t1", command)
    (answer,) = floor.run()
    assert not answer.refused and not answer.fault, answer
    print(answer.command, answer.version, flush=True)


def apart(work: Callable[[], None]) -> int:
    """Do something in a forked process; return the signal that ended it, or 0."""
    child = os.fork()
    if not child:
        work()
        os._exit(0)
    _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status) or os.waitstatus_to_exitcode(status) == 0
    return os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0


def undisturbed() -> Floor:
    """Return a floor in memory after the same commands."""
    floor = new_floor(MemoryStore())
    make_table(floor, "t1", example_submission("pa-659a"), chips=True)
    for command in commands():
        floor.submit("t1", command)
    assert all(answer.version for answer in floor.run())
    return floor


if __name__ == "__main__":
    (url,) = sys.argv[1:]
    undisturbed()  # what these two have to read and import is then there for every process forked
    open_store(url).close()
    for command in commands():
        for point in Point if isinstance(command.action, CLOSES) else ():
            ended = apart(partial(send, url, command, Killer(point, "1")))
            assert ended == signal.SIGKILL, (command.id, point)
        assert apart(partial(send, url, command, None)) == 0
