"""Strict reading of TOML documents: an unknown, missing or wrong key is refused by file and field."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Annotated, Any, Final, NamedTuple, TypeVar

from pydantic import BaseModel, ConfigDict, Strict, ValidationError

from houseway.errors import DataError, HousewayError, InvalidInputError, has_control_characters, shortened
from houseway.law.citations import Cites

LARGEST: Final = 1_000_000
"""The most bytes a document may have; the largest of ours has a twentieth."""
LONGEST_LINE: Final = 10_000
DEEPEST: Final = 40
LARGEST_WHOLE: Final = 2**63 - 1
"""TOML promises no larger whole number."""

Whole = Annotated[int, Strict()]
Flag = Annotated[bool, Strict()]
Day = Annotated[date, Strict()]


class Document(BaseModel):
    """A value read from a document: frozen, and every key of it known."""

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True, defer_build=True)


D = TypeVar("D", bound=BaseModel)


def read_bytes(path: Path, most: int) -> bytes:
    """Read a file of at most ``most`` bytes, or refuse it by its name."""
    try:
        with path.open("rb") as file:
            data = file.read(most + 1)
    except FileNotFoundError:
        raise InvalidInputError("no such file", value=str(path)) from None
    except (OSError, ValueError) as error:  # a ValueError is a name that no file can have
        why = error.strerror if isinstance(error, OSError) else str(error)
        raise InvalidInputError(f"cannot read the file: {why}", value=str(path)) from None
    if len(data) > most:
        raise InvalidInputError(f"the file is longer than {most:,} bytes", value=str(path))
    return data


def read_toml(path: Path, where: str | None = None) -> dict[str, Any]:
    """Read a TOML file, or refuse with its name and the place."""
    try:
        return parse_toml(read_bytes(path, LARGEST), where or path.name)
    except UnicodeDecodeError as error:
        raise InvalidInputError(f"cannot read the file: {error.reason}", value=str(path)) from None


def parse_toml(raw: bytes, place: str) -> dict[str, Any]:
    """Read a text of TOML, or refuse it by the place it came from."""
    if any(len(line) > LONGEST_LINE for line in raw.splitlines()):
        raise DataError(f"not a document: a line is longer than {LONGEST_LINE:,} bytes", where=place)
    try:
        return tomllib.loads(raw.decode("utf-8"))
    except tomllib.TOMLDecodeError as error:
        what, at, line = str(error).rpartition(" (at ")
        raise DataError(f"not TOML: {shortened(what or line)}{at}{line if at else ''}", where=place) from None
    except RecursionError:
        raise DataError("not a document: nested too deeply", where=place) from None
    except UnicodeDecodeError:
        raise
    except ValueError:  # of a number with thousands of digits, which Python refuses to read
        raise DataError("not TOML: a number has too many digits", where=place) from None


def read_document(model: type[D], path: Path, *, lines: bool = True) -> D:
    """Read and check a whole document; ``lines`` says whether a text in it may have several."""
    return as_document(model, read_toml(path), path.name, lines=lines)


def as_document(
    model: type[D],
    data: Any,  # noqa: ANN401 - raw TOML
    where: str,
    files: Mapping[str, str] | None = None,
    *,
    lines: bool = True,
) -> D:
    """Check raw data against a model; the first thing wrong is named by file and field.

    ``files`` says which file each top-level key came from, where a document has several.
    """
    result = document_or_faults(model, data, where, lines=lines)
    if not isinstance(result, list):
        return result
    first = result[0]
    steps = [str(step) for step in first.path]
    file = (files or {}).get(steps[0] if steps else "", where)
    first.error.where = ": ".join([file, ".".join(steps)] if steps else [file])
    raise first.error


class DocumentFault(NamedTuple):
    """One thing wrong with a document: the keys and places that lead there, and what is wrong."""

    path: tuple[str | int, ...]
    error: DataError


def document_or_faults(
    model: type[D],
    data: Any,  # noqa: ANN401 - raw TOML
    where: str,
    *,
    lines: bool = True,
) -> D | list[DocumentFault]:
    """Check raw data against a model: the document, or everything that is wrong with it."""
    _verify_plain(data, where, lines=lines)
    try:
        return model.model_validate(data, context={"document": True})
    except ValidationError as error:
        return [
            DocumentFault(detail["loc"], _refusal(detail, where))
            for detail in error.errors(include_url=False)
        ]


def _verify_plain(data: Any, where: str, *, lines: bool) -> None:  # noqa: ANN401 - raw TOML
    """Refuse data that is nested too deeply, or has a number too large or orders to a terminal in it."""
    left: list[tuple[Any, int]] = [(data, 0)]
    while left:
        value, depth = left.pop()
        if depth > DEEPEST:
            raise DataError("not a document: nested too deeply", where=where)
        if isinstance(value, str) and has_control_characters(value, lines=lines):
            raise DataError("no control characters in a document", value=value, where=where)
        if isinstance(value, int) and abs(value) > LARGEST_WHOLE:
            raise DataError("a number has too many digits", where=where)
        if isinstance(value, Mapping):
            left += [(key, depth) for key in value]
            left += [(item, depth + 1) for item in value.values()]
        elif isinstance(value, list | tuple):
            left += [(item, depth + 1) for item in value]


def _refusal(error: Any, where: str) -> DataError:  # noqa: ANN401 - pydantic's own untyped shape
    value = error["input"] if isinstance(error["input"], str | int | float | bool) else str(error["input"])
    inner = error.get("ctx", {}).get("error")
    if isinstance(inner, HousewayError):
        return DataError(inner.cause, value=inner.value, clauses=inner.clauses, where=where)
    if error["type"] == "extra_forbidden":
        return DataError("unknown key", value=value, where=where)
    if error["type"] == "missing":
        return DataError("key is missing", where=where)
    return DataError(str(error["msg"]), value=value, where=where)


def leave_out(value: Any, clauses: tuple[str, ...]) -> Any:  # noqa: ANN401 - a document, or part of one
    """Return a document without the clauses that begin so, wherever a list of it names them."""
    if isinstance(value, Document):
        parts = {name: getattr(value, name) for name in type(value).model_fields}
        remaining = {name: leave_out(part, clauses) for name, part in parts.items()}
        return type(value).model_construct(**remaining)  # a copy would bring along what was worked out before
    if isinstance(value, Cites):
        return value.leave_out(clauses)
    if isinstance(value, tuple) and not hasattr(value, "_fields"):
        return tuple(leave_out(part, clauses) for part in value)
    if isinstance(value, dict):
        return {key: leave_out(part, clauses) for key, part in value.items()}
    return value
