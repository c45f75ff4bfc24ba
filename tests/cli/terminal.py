"""A real terminal for a command: what it prints is read to the prompt, what is typed goes in as keys."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import struct
import sys
import termios
import time
from collections.abc import Callable
from pathlib import Path

from houseway.cards import Cards, parse_cards

PATIENCE = 30.0
AGAIN = 3.0
COLUMNS = 80
END_OF_INPUT = "\x04"
INTERRUPT = "\x03"


class Terminal:
    """``houseway`` on a pseudo-terminal of 80 columns, in a folder of its own."""

    def __init__(self, folder: Path, *words: str) -> None:
        self.text = ""
        self._end = 0
        self.code: int | None = None
        self._process, self._keys = pty.fork()
        if self._process == 0:
            os.chdir(folder)
            os.environ.update({"TERM": "dumb", "COLUMNS": str(COLUMNS), "PYTHONIOENCODING": "utf-8"})
            signal.signal(signal.SIGINT, signal.SIG_DFL)  # heard also where the tests run behind other work
            os.execv(sys.executable, [sys.executable, "-m", "houseway", *words])
        fcntl.ioctl(self._keys, termios.TIOCSWINSZ, struct.pack("HHHH", 40, COLUMNS, 0, 0))

    @property
    def fresh(self) -> str:
        """What was printed since the last answer."""
        return self.text[self._end :]

    @property
    def prompt(self) -> str:
        """The line that waits for an answer."""
        return self.text.rsplit("\n", 1)[-1]

    def wait(self, prompt: str) -> str:
        """Read until this prompt waits; return what was printed before it."""
        self._read(lambda: self.prompt.startswith(prompt) and self.prompt.endswith(" "))
        assert self.code is None, f"ended with {self.code} instead of asking {prompt!r}:\n{self.text}"
        return self.fresh

    def answer(self, prompt: str, typed: str) -> None:
        """Type an answer at a prompt."""
        self.wait(prompt)
        self._end = len(self.text)
        keys = typed if typed in (END_OF_INPUT, INTERRUPT) else f"{typed}\n"
        os.write(self._keys, keys.encode())
        again = time.monotonic() + AGAIN
        self._read(lambda: "\n" in self.fresh or (typed == INTERRUPT and time.monotonic() > again))
        if typed == INTERRUPT and self.code is None and "\n" not in self.fresh:
            os.write(self._keys, keys.encode())  # one that comes just before the reading begins is not heard

    def refused(self, prompt: str, typed: str, reason: str) -> None:
        """Type what is no good: the reason is given, and the same is asked again."""
        self.answer(prompt, typed)
        printed = " ".join(self.wait(prompt).split())
        assert reason in printed, f"{typed!r} at {prompt!r}: {printed}"

    def end(self) -> int:
        """Read to the end of the program; return its exit code."""
        self._read(lambda: False)
        assert self.code is not None
        return self.code

    def close(self) -> None:
        """End the program if it still waits for somebody."""
        if self.code is None:
            os.kill(self._process, signal.SIGKILL)
            self._read(lambda: False)

    def _read(self, done: Callable[[], bool]) -> None:
        give_up = time.monotonic() + PATIENCE
        while self.code is None and not done():
            assert time.monotonic() < give_up, f"nothing more is printed:\n{self.text}"
            ready, _, _ = select.select([self._keys], [], [], 0.5)
            if ready:
                self._take()

    def _take(self) -> None:
        try:
            data = os.read(self._keys, 65536)
        except OSError:  # the other end is closed
            data = b""
        if data:
            self.text += data.decode("utf-8", "replace").replace("\r", "")
            return
        os.close(self._keys)
        self.code = os.waitstatus_to_exitcode(os.waitpid(self._process, 0)[1])


def cards_shown(printed: str) -> Cards:
    """Return the numbered cards of a screen."""
    lines = printed.splitlines()
    numbers = next(place for place, line in enumerate(lines) if re.fullmatch(r"( +\d)+", line))
    return parse_cards(lines[numbers + 1])
