"""Validation of texts, amounts and ids from outside: each is normalised once, or refused.

What is recorded cannot be changed, so it is checked where it comes in: requests, live views, the command
line.
Stored data was checked by the program that stored it, and is never refused here.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, date, datetime
from typing import Any, Final

import msgspec
from msgspec import Struct
from pydantic import BaseModel

from houseway.errors import InvalidInputError
from houseway.money import Cents, dollars

LONGEST_ID: Final = 100
LONGEST_TEXT: Final = 1_000
"""The most characters of a one-line text: a reason, a name, a reference."""
LONGEST_PARAMETER: Final = 300
"""The most characters of a path or query parameter; the system's own ids have at most half of that."""
LONGEST_LINES: Final[Mapping[str, int]] = {"note": LONGEST_TEXT, "toml": 65_536}
"""The fields that may have several lines, with the most characters of each."""
DEEPEST: Final = 32
"""The deepest nesting of lists and mappings; no request needs as much."""
LARGEST_NUMBER: Final = 10**15
LARGEST_AMOUNT: Final = Cents(100_000_000_00)
"""The largest amount: in ten-thousandths of a cent, 90,000 of these fit in 64 bits."""
UNITS: Final = 10_000
"""The units of a cent, in which books and meters are kept."""
SYSTEM_ID: Final = "!"
"""The prefix of ids that the system makes; no id from outside may have it."""
AUTO: Final = f"{SYSTEM_ID}auto/"
"""The prefix of command ids of automated actors."""
CONFIRMED: Final = f"{SYSTEM_ID}confirmed/"
"""The prefix of command ids that one person proposed and another confirmed."""
FIRST_DAY, LAST_DAY = date(1970, 1, 1), date(9000, 1, 1)
"""Limits of dates, so that no time zone or added days leave the range of ``date``."""
DIFFERENCES: Final = frozenset({"adjust_meter.amount"})
"""The fields that hold a difference, in cents or units, and may be negative."""
ID_PATTERN: Final = rf"^[A-Za-z0-9._~:-]{{1,{LONGEST_ID}}}$"
_ID: Final = re.compile(ID_PATTERN.strip("^$"))
_REFUSED: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Zl", "Zp"})
"""Unicode categories that are refused: control, format, surrogate, private, line and paragraph separators."""
_LINES: Final = frozenset("\n\r\t")
_JOINERS: Final = frozenset("\u200c\u200d")
"""Joiners, which some scripts and emoji need between two characters."""


class IntakeError(InvalidInputError):
    """Invalid data from outside; ``where`` is the field, as in ``action.reason``."""


# --- texts and ids ------------------------------------------------------------------------------------


def read_text(text: str, field: str, *, most: int = LONGEST_TEXT, lines: bool = False) -> str:
    r"""Return a text in normal form (NFC) or refuse it; with ``lines`` it may have several lines.

    >>> read_text("cafe\u0301", "reason")
    'café'
    >>> read_text("gone\x00", "action.reason")
    Traceback (most recent call last):
    houseway.intake.IntakeError: action.reason: character 5 is a control or format character: 'U+0000'
    """
    if len(text) > most:
        raise IntakeError(f"a text has at most {most:,} characters", value=len(text), where=field)
    for at, char in enumerate(text):
        if not _is_allowed(text, at, char, lines=lines):
            cause = f"character {at + 1} is a control or format character"
            raise IntakeError(cause, value=f"U+{ord(char):04X}", where=field)
    return unicodedata.normalize("NFC", text)


def _is_allowed(text: str, at: int, char: str, *, lines: bool) -> bool:
    if char.isprintable() or (lines and char in _LINES) or unicodedata.category(char) not in _REFUSED:
        return True
    around = text[at - 1 : at] + text[at + 1 : at + 2]
    return char in _JOINERS and len(around) == 2 and all(not c.isascii() and c.isprintable() for c in around)  # noqa: PLR2004 - one on each side


def read_id(text: str, field: str = "id") -> str:
    """Return the id of a sent command, or refuse it.

    >>> read_id("0190-a:b.c_d~1")
    '0190-a:b.c_d~1'
    >>> read_id("td/confirmed")
    Traceback (most recent call last):
    houseway.intake.IntakeError: id: an id has 1 to 100 letters, digits or . _ - ~ :: 'td/confirmed'
    """
    if not _ID.fullmatch(text):
        cause = f"an id has 1 to {LONGEST_ID} letters, digits or . _ - ~ :"
        raise IntakeError(cause, value=text, where=field)
    return text


def read_parameter(text: str, field: str) -> str:
    """Return a path or query parameter, or refuse it; it is not normalised, since it names something."""
    read_text(text, field, most=LONGEST_PARAMETER)
    return text


# --- plain data ---------------------------------------------------------------------------------------


def read_json(text: bytes | str) -> Any:  # noqa: ANN401 - plain data
    """Return the data of a JSON text, each part of it checked."""
    try:
        data = msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError, UnicodeError) as error:
        raise IntakeError(f"not JSON: {error}") from None
    return read_plain(data)


def read_plain(data: Any, field: str = "", depth: int = 0) -> Any:  # noqa: ANN401 - plain data
    """Return plain data with its texts normalised, or refuse it with the field at fault."""
    if depth > DEEPEST:
        raise IntakeError(f"data may be nested at most {DEEPEST} deep", where=field)
    if isinstance(data, str):
        last = field.rpartition(".")[2]
        return read_text(data, field, most=LONGEST_LINES.get(last, LONGEST_TEXT), lines=last in LONGEST_LINES)
    if isinstance(data, Mapping):
        return {
            read_text(name, _within(field, name)): read_plain(value, _within(field, name), depth + 1)
            for name, value in data.items()
        }
    if isinstance(data, list):
        return [read_plain(value, _within(field, str(at)), depth + 1) for at, value in enumerate(data)]
    if isinstance(data, int | float) and abs(data) > LARGEST_NUMBER:
        raise IntakeError(f"no number is larger than {LARGEST_NUMBER:,}", value=data, where=field)
    return data


def _within(field: str, name: str) -> str:
    return f"{field}.{name}" if field else name


# --- amounts and days ---------------------------------------------------------------------------------


def check_amounts(value: object, field: str) -> None:
    """Refuse a value that contains a negative amount of money, or one above the largest.

    >>> check_amounts(Cents(-1), "task.shown")
    Traceback (most recent call last):
    houseway.intake.IntakeError: task.shown: an amount of money is $0 to $100,000,000: '-$0.01'
    """
    for where, amount, signed in _amounts(value, field, ""):
        least = -LARGEST_AMOUNT if signed else 0
        if not least * UNITS <= amount <= LARGEST_AMOUNT * UNITS:
            cause = f"an amount of money is {dollars(least)} to {dollars(LARGEST_AMOUNT)}"
            raise IntakeError(cause, value=dollars(amount // UNITS), where=where)


def _amounts(value: object, field: str, kind: str) -> Iterator[tuple[str, int, bool]]:
    """Yield every amount within a value: its field, its units, and whether it may be negative."""
    if isinstance(value, Cents):
        yield field, value * UNITS, kind in DIFFERENCES
    elif isinstance(value, int) and kind in DIFFERENCES:
        yield field, value, True
    elif isinstance(value, Struct):
        tag = value.__struct_config__.tag
        for name in value.__struct_fields__:
            yield from _amounts(getattr(value, name), _within(field, name), f"{tag}.{name}")
    elif isinstance(value, BaseModel):
        for name in type(value).model_fields:
            yield from _amounts(getattr(value, name), _within(field, name), "")
    elif isinstance(value, Mapping):
        for name, item in value.items():
            yield from _amounts(item, _within(field, str(name)), "")
    elif isinstance(value, Sequence) and not isinstance(value, str | bytes):
        for at, item in enumerate(value):
            yield from _amounts(item, _within(field, str(at)), "")


def check_amount(amount: int, field: str) -> Cents:
    """Return an amount of money, or refuse it."""
    check_amounts(Cents(amount), field)
    return Cents(amount)


def read_number(text: str, field: str, most: int = 2**31 - 1) -> int:
    """Return a whole number from its ASCII digits, or refuse it.

    >>> read_number("42", "position")
    42
    """
    if not (text.isascii() and text.isdecimal() and len(text) <= len(str(most)) and int(text) <= most):
        raise IntakeError(f"a number from 0 to {most:,} is needed", value=text, where=field)
    return int(text)


def read_day(text: str, field: str) -> date:
    """Return a day from its ISO form, such as 2026-01-31, or refuse it."""
    try:
        day = date.fromisoformat(text)
    except ValueError:
        raise IntakeError("not a day", value=text, where=field) from None
    if not FIRST_DAY <= day <= LAST_DAY:
        raise IntakeError(f"a day is {FIRST_DAY} to {LAST_DAY}", value=text, where=field)
    return day


def read_moment(text: str, field: str) -> datetime:
    """Return a moment from its ISO form, in UTC unless it names a zone, or refuse it."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise IntakeError("not a moment", value=text, where=field) from None
    if not FIRST_DAY <= moment.date() <= LAST_DAY:
        raise IntakeError(f"a moment is of {FIRST_DAY} to {LAST_DAY}", value=text, where=field)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
