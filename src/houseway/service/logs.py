"""Logs of a server: text, or one JSON object a line. No secret and no card is ever logged.

Messages are fixed texts of ours. Of an error only its types and the places where it was raised are logged:
its message, and a database's report on a statement, may contain anything that was sent or dealt.
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
"""The extra fields of a log record."""
CODES: Final = ("strerror", "sqlstate", "sqlite_errorname")
"""Attributes with the error codes of the system or the database, which contain no user data."""
FRAMES: Final = 8
"""The number of innermost frames that are logged of an error."""
ExcInfo = tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None]
PLAIN: Final = "%(asctime)s %(process)d %(levelname)s %(name)s: %(message)s"


class TextLines(logging.Formatter):
    """Formats a record as text; errors appear without their message."""

    def formatException(self, ei: ExcInfo) -> str:  # noqa: N802 - the library's name
        """Return the types of an error and of its causes, and where it was raised."""
        lines = [" from ".join(kinds_of(ei[1])), *(f"at {place}" for place in places_of(ei[1]))]
        return "\n".join(f"  {line}" for line in lines)


class JsonLines(logging.Formatter):
    """Formats a record as one line of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the JSON line of a record."""
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
    """Return the type of an error, with its code if it has one, and of each of its causes."""
    kinds: list[str] = []
    while error is not None and len(kinds) < FRAMES:
        known = [str(code) for name in CODES if (code := getattr(error, name, None))]
        kinds.append(": ".join([type(error).__name__, *known]))
        error = error.__cause__ or error.__context__
    return kinds


def places_of(error: BaseException | None) -> list[str]:
    """Return the frames of an error, the innermost last, without source lines or values."""
    frames = traceback.extract_tb(error.__traceback__) if error is not None else []
    return [f"{Path(frame.filename).name}:{frame.lineno} {frame.name}" for frame in frames[-FRAMES:]]


def configure_logs(*, json_lines: bool) -> None:
    """Log to standard error: warnings as text, or every request as a JSON line."""
    handler = logging.StreamHandler()
    handler.setFormatter(JsonLines() if json_lines else TextLines(PLAIN))
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(logging.WARNING)
    logging.getLogger("houseway").setLevel(logging.INFO if json_lines else logging.WARNING)
