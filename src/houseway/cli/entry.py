"""The entry point of the command line: every refusal becomes one line and exit code 2.

The simplest commands are answered here, before option parsing and other modules are loaded.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from typing import Final, NoReturn

from houseway import __version__
from houseway.cli.printing import BAD_INPUT, configure_encoding, report, table
from houseway.errors import HousewayError

INTERRUPTED: Final = 130


def main(arguments: list[str] | None = None) -> NoReturn:
    """Run a command; exit 0 when it succeeds, 1 when a check reports a fault, 2 on bad input.

    With ``--json`` a refusal is JSON too, on the standard error.
    """
    configure_encoding()
    words = sys.argv[1:] if arguments is None else arguments
    as_json = "--json" in words
    try:
        code = _run(words)
        sys.stdout.flush()
    except HousewayError as error:
        _complain(error, as_json=as_json)
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(0)
    except OSError as error:
        if error.filename is not None:  # a file's: the code that opened it should have refused it
            raise
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # drop what is left to print
        _complain(HousewayError(f"cannot print: {error.strerror}"), as_json=as_json)
    sys.exit(code)


def _run(words: Sequence[str]) -> int:
    plain = PLAINEST.get(" ".join(words))
    if plain is None or "_HOUSEWAY_COMPLETE" in os.environ:  # a shell asks for completions
        from houseway.cli.app import run  # noqa: PLC0415 - slow, and the plainest need none of it

        return run(words or ["--help"])
    plain()
    return 0


def _complain(error: HousewayError, *, as_json: bool) -> NoReturn:
    report(error, as_json=as_json)
    sys.exit(BAD_INPUT)


def print_version() -> None:
    """Print the version."""
    print(f"houseway {__version__}")


def print_games() -> None:
    """Print the games as a table."""
    from houseway.overview import games_in_short  # noqa: PLC0415

    rows = games_in_short()
    table("Games", list(rows[0]), [tuple(row.values()) for row in rows])


PLAINEST: Final[dict[str, Callable[[], None]]] = {"--version": print_version, "games": print_games}
"""Command lines that are answered without the application."""
