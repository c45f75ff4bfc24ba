"""The console that people read: it obeys nothing in what it prints."""

from __future__ import annotations

from typing import Any

from rich.console import Console
from rich.text import Text

from houseway.errors import has_control_characters, printable


class HarmlessConsole(Console):
    """A console that obeys nothing in what it prints, and whose reader may stop reading.

    That somebody stops reading ends the command, and is no failure of it.
    """

    def on_broken_pipe(self) -> None:
        """Let the command end."""
        raise BrokenPipeError

    def print(self, *objects: Any, **options: Any) -> None:  # noqa: ANN401 - as its parent has it
        """Print with every control character written as an escape."""
        super().print(*map(_harmless, objects), **options)


def _harmless(what: object) -> object:
    if isinstance(what, str):
        return printable(what, lines=True)
    if isinstance(what, Text) and has_control_characters(what.plain, lines=True):
        return Text(printable(what.plain, lines=True))
    return what
