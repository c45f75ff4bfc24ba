"""Strict reading of TOML documents: an unknown, missing or wrong key is refused by file and field."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, ConfigDict, Strict, ValidationError

from houseway.errors import DataError, HousewayError, InvalidInputError

Whole = Annotated[int, Strict()]
Flag = Annotated[bool, Strict()]
Day = Annotated[date, Strict()]


class Document(BaseModel):
    """A value read from a document: frozen, and every key of it known."""

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True, defer_build=True)


D = TypeVar("D", bound=BaseModel)


def read_toml(path: Path, where: str | None = None) -> dict[str, Any]:
    """Read a TOML file, or refuse with its name and the place."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise InvalidInputError("no such file", value=str(path)) from None
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidInputError(f"cannot read the file: {error}", value=str(path)) from None
    except tomllib.TOMLDecodeError as error:
        raise DataError(f"not TOML: {error}", where=where or path.name) from None


def read_document(model: type[D], path: Path) -> D:
    """Read and check a whole document."""
    return as_document(model, read_toml(path), path.name)


def as_document(
    model: type[D],
    data: Any,  # noqa: ANN401 - raw TOML
    where: str,
    files: Mapping[str, str] | None = None,
) -> D:
    """Check raw data against a model; the first thing wrong is named by file and field.

    ``files`` says which file each top-level key came from, where a document has several.
    """
    try:
        return model.model_validate(data, context={"document": True})
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        steps = [str(step) for step in first["loc"]]
        file = (files or {}).get(steps[0] if steps else "", where)
        place = ": ".join([file, ".".join(steps)] if steps else [file])
        raise _refusal(first, place) from None


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


def leaving_out(value: Any, clauses: tuple[str, ...]) -> Any:  # noqa: ANN401 - a document, or part of one
    """Return a document without the clauses that begin so, wherever a list of it names them."""
    if isinstance(value, Document):
        parts = {name: getattr(value, name) for name in type(value).model_fields}
        kept = {name: leaving_out(part, clauses) for name, part in parts.items()}
        return type(value).model_construct(**kept)  # a copy would bring along what was worked out before
    if isinstance(value, tuple) and not hasattr(value, "_fields"):
        others = [part for part in value if not (isinstance(part, str) and part.startswith(clauses))]
        return tuple(leaving_out(part, clauses) for part in others)
    if isinstance(value, dict):
        return {key: leaving_out(part, clauses) for key, part in value.items()}
    return value
