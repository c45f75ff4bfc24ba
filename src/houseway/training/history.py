"""Every answer of a person, a line of JSON each, appended to a file and never changed."""

from __future__ import annotations

import os
from datetime import datetime
from enum import StrEnum
from fractions import Fraction
from pathlib import Path
from typing import Final, Protocol

import msgspec
from msgspec import Struct

from houseway.errors import DataError

SCHEMA: Final = 1


class LessonRole(StrEnum):
    """The part that a person practises."""

    PLAYER = "player"
    DEALER = "dealer"


class LessonAnswer(Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """A question, how it was answered, and what that gave up.

    ``asked`` is what was asked, in full, so that it can be asked again. ``lost`` is the exact share of a
    wager; a dealer's wrong answer loses one. ``shown`` says that the person looked at the answer instead.
    """

    at: datetime
    role: LessonRole
    kind: str
    spot: str
    asked: str
    given: str
    right: bool
    lost: str
    seconds: float
    late: bool = False
    shown: bool = False
    schema: int = msgspec.field(default=SCHEMA, name="v")

    @property
    def share_lost(self) -> Fraction:
        """The exact share of a wager that the answer gave up."""
        return Fraction(self.lost)


class History(Protocol):
    """A store of answers."""

    def read(self) -> list[LessonAnswer]:
        """Return every answer, the oldest first."""
        ...

    def add(self, answer: LessonAnswer) -> None:
        """Store one more answer, before anything else happens."""
        ...


class HistoryFile:
    """A file of answers; a line that cannot be read is refused with its number, none is skipped."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def read(self) -> list[LessonAnswer]:
        """Return every answer, the oldest first; none if the file is not there yet."""
        try:
            data = self.path.read_bytes()
        except FileNotFoundError:
            return []
        except OSError as error:
            raise DataError(f"cannot be read: {error.strerror}", value=str(self.path)) from None
        lines = data.split(b"\n")
        if lines[-1]:
            raise DataError("the last line has no end", where=self._name_line(len(lines)))
        return [self._decode(line, number) for number, line in enumerate(lines[:-1], start=1)]

    def _name_line(self, number: int) -> str:
        """Name a line, the file before its folder: a refusal cuts a long place off at its end."""
        return f"{self.path.name}, line {number}, in {self.path.parent}"

    def _decode(self, line: bytes, number: int) -> LessonAnswer:
        where = self._name_line(number)
        try:
            answer = msgspec.json.decode(line, type=LessonAnswer)
            verified = answer.share_lost >= 0
        except (msgspec.MsgspecError, ValueError, ZeroDivisionError, RecursionError) as error:
            raise DataError(f"not an answer of a lesson ({error})", where=where) from None
        if answer.schema != SCHEMA:
            raise DataError(f"answers are kept in version {SCHEMA}", value=answer.schema, where=where)
        if not verified:
            raise DataError("a loss is not negative", value=answer.lost, where=where)
        return answer

    def add(self, answer: LessonAnswer) -> None:
        """Write one more line, in one piece, and wait until it is on the disk."""
        line = msgspec.json.encode(answer) + b"\n"
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            handle = os.open(self.path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
            try:
                written = os.write(handle, line)
                os.fsync(handle)
            finally:
                os.close(handle)
        except OSError as error:
            raise DataError(f"cannot be written: {error.strerror}", value=str(self.path)) from None
        if written < len(line):
            raise DataError("cannot be written whole: the last line is cut off", value=str(self.path))


def user_history(game: str) -> HistoryFile:
    """Return the file of a user's answers in one game."""
    data = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")
    return HistoryFile(data / "houseway" / "drill" / f"{game}.jsonl")
