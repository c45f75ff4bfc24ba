"""The application: reads the options and loads the command that is named."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import typer
from typer.exceptions import Abort, Exit, TyperException

from houseway.cli.commands import Commands
from houseway.cli.entry import INTERRUPTED, print_version
from houseway.errors import InvalidInputError, shortened

LONGEST_TYPED: Final = 200
"""The parser of options repeats what was typed."""

app = typer.Typer(
    name="houseway",
    cls=Commands,
    help="Runs, proves and explains a family of regulated casino table games.",
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


def _version(wanted: bool) -> None:
    if wanted:
        print_version()
        raise Exit


@app.callback()
def _root(
    version: bool = typer.Option(False, "--version", callback=_version, is_eager=True, help="Print it."),
) -> None:
    del version


def run(words: Sequence[str]) -> int:
    """Run a command and return its exit code; what cannot be read is refused."""
    try:
        code = app(args=list(words), prog_name="houseway", standalone_mode=False)
    except TyperException as error:
        raise InvalidInputError(shortened(error.format_message(), LONGEST_TYPED)) from None
    except Exit as exit_:
        return exit_.exit_code
    except Abort:
        return INTERRUPTED
    return code if isinstance(code, int) else 0
