"""Logs of a server: for people, or one JSON object a line. No secret and no card is ever logged.

What is logged is said in our own words. Of an error only its kinds and where it was raised are told: its
message, and what a database says of a statement, may repeat anything that somebody sent or was dealt.
"""

from __future__ import annotations

import logging
import os
import traceback
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Final

import msgspec

FIELDS: Final = ("request", "route", "status", "ms", "table", "step")
"""What a record may carry beside its message."""
CODES: Final = ("strerror", "sqlstate", "sqlite_errorname")
"""What a system or a database calls an error by: its own words, and nobody's data."""
FRAMES: Final = 8
"""So many of the last places of an error are told."""
ExcInfo = tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None]
PLAIN: Final = "%(asctime)s %(process)d %(levelname)s %(name)s: %(message)s"


class TextLines(logging.Formatter):
    """Writes a record as text; an error without its message."""

    def formatException(self, ei: ExcInfo) -> str:  # noqa: N802 - the library's name
        """Return the kinds of an error, and where it was raised."""
        lines = [" from ".join(kinds_of(ei[1])), *(f"at {place}" for place in places_of(ei[1]))]
        return "\n".join(f"  {line}" for line in lines)


class JsonLines(logging.Formatter):
    """Writes a record as one line of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line of a record."""
        line: dict[str, Any] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "process": os.getpid(),
            "message": record.getMessage(),
        }
        line |= {name: field for name in FIELDS if (field := getattr(record, name, None)) is not None}
        if record.exc_info:
            line |= {"error": kinds_of(record.exc_info[1]), "where": places_of(record.exc_info[1])}
        return msgspec.json.encode(line).decode()


def kinds_of(error: BaseException | None) -> list[str]:
    """Return the kind of an error, by its code where it has one, and of each that led to it."""
    kinds: list[str] = []
    while error is not None and len(kinds) < FRAMES:
        known = [str(code) for name in CODES if (code := getattr(error, name, None))]
        kinds.append(": ".join([type(error).__name__, *known]))
        error = error.__cause__ or error.__context__
    return kinds


def places_of(error: BaseException | None) -> list[str]:
    """Return where an error was raised, the innermost place last; no line of code, no value."""
    frames = traceback.extract_tb(error.__traceback__) if error is not None else []
    return [f"{Path(frame.filename).name}:{frame.lineno} {frame.name}" for frame in frames[-FRAMES:]]


def configure_logs(*, json_lines: bool) -> None:
    """Write logs to the standard error: warnings as text, or requests too as JSON lines."""
    handler = logging.StreamHandler()
    handler.setFormatter(JsonLines() if json_lines else TextLines(PLAIN))
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(logging.WARNING)
    logging.getLogger("houseway").setLevel(logging.INFO if json_lines else logging.WARNING)
