"""A seat at a table for tests: the lines typed are given, and what is printed is kept."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable
from typing import Any

from rich.console import Console

from houseway.cli.play import Keeper
from houseway.cli.play_session import PlaySession
from houseway.cli.seat import Asker
from houseway.cli.terminal_view import Screen
from houseway.games import example_submission, games, rules_for
from houseway.rng import SeededEntropy
from houseway.rounds.auto import noon
from houseway.rounds.live import LiveTable, new_table
from houseway.rounds.seat_session import SeatSession
from houseway.training import SettingValuer
from tests.support.amounts import parse_units

GAMES = [game.id for game in games() if game.licensed]
Typed = str | type[BaseException]


def screen(encoding: str = "utf-8") -> Screen:
    """Return a screen of 80 columns that keeps what is printed on it."""
    file = io.TextIOWrapper(io.BytesIO(), encoding=encoding, write_through=True)
    return Screen(Console(file=file, width=80, highlight=False))


def printed(of: Screen) -> str:
    """Return what was printed on a screen."""
    assert isinstance(of.out.file, io.TextIOWrapper) and isinstance(of.out.file.buffer, io.BytesIO)
    return of.out.file.buffer.getvalue().decode()


def typing(typed: Iterable[Typed]) -> Callable[[str], str]:
    """Return a keyboard on which these lines are typed; after the last of them the input ends."""
    left = iter(typed)

    def read(_: str) -> str:
        line = next(left, EOFError)
        if isinstance(line, str):
            return line
        raise UnicodeDecodeError("utf-8", b"\xff", 0, 1, "bad") if line is UnicodeDecodeError else line

    return read


def asker(*typed: Typed) -> Asker:
    """Return an asker to whom these lines are typed."""
    return Asker(screen(), typing(typed))


def seated(
    game: str, seat: int = 2, seed: str = "13", keeper: Keeper | None = None, **changes: Any
) -> SeatSession:
    """Return a seat at the example table of a game, or at one with other choices."""
    rules = rules_for(example_submission(game).model_copy(update=changes))
    table = new_table(rules, name=game)
    table = keeper.continue_numbers(table) if keeper else table
    return SeatSession(LiveTable(rules, SeededEntropy(seed), noon(rules.submission.law_as_of), table), seat)


def session(
    at: SeatSession, *typed: Typed, chips: str = "$500", values: Callable[[], SettingValuer] | None = None
) -> PlaySession:
    """Return a session in which these lines are typed."""
    return session_with(at, typing(typed), chips, values)


def session_with(
    at: SeatSession,
    read: Callable[[str], str],
    chips: str = "$500",
    values: Callable[[], SettingValuer] | None = None,
) -> PlaySession:
    """Return a session in which every prompt is answered by a function."""
    on = screen()
    return PlaySession(at, on, Asker(on, read), parse_units(chips), Keeper("test", None).keep, values)
