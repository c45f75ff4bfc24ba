"""The console for people: control characters in its output are escaped."""

from __future__ import annotations

from typing import Any

from rich.console import Console
from rich.text import Text

from houseway.errors import has_control_characters, printable


class HarmlessConsole(Console):
    """A console that escapes control characters; a closed pipe ends the command without a failure."""

    def on_broken_pipe(self) -> None:
        """Raise the error that ends the command."""
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
