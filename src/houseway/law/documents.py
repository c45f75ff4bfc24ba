"""Strict reading of TOML documents: an unknown, missing or wrong key is refused by file and field."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from houseway.errors import DataError, HousewayError, InvalidInputError


class Document(BaseModel):
    """A value read from a document: frozen, and every key of it known."""

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)


D = TypeVar("D", bound=BaseModel)


def read_toml(path: Path) -> dict[str, Any]:
    """Read a TOML file, or refuse with its name and the place."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise InvalidInputError("no such file", value=str(path)) from None
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidInputError(f"cannot read the file: {error}", value=str(path)) from None
    except tomllib.TOMLDecodeError as error:
        raise DataError(f"not TOML: {error}", where=path.name) from None


def read_document(model: type[D], path: Path) -> D:
    """Read and check a whole document."""
    return as_document(model, read_toml(path), path.name)


def as_document(model: type[D], data: Any, where: str) -> D:  # noqa: ANN401 - raw TOML
    """Check raw data against a model; the first thing wrong is named by its field."""
    try:
        return model.model_validate(data)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        field = ".".join(str(step) for step in first["loc"])
        cause, value = _cause(first)
        raise DataError(cause, value=value, where=f"{where}: {field}" if field else where) from None
    except HousewayError as error:
        field = f"{where}: {error.where}" if error.where else where
        raise DataError(error.cause, value=error.value, clauses=error.clauses, where=field) from None


def _cause(error: Any) -> tuple[str, object]:  # noqa: ANN401 - pydantic's own untyped shape
    value = error["input"] if isinstance(error["input"], str | int | float | bool) else None
    if error["type"] == "extra_forbidden":
        return "unknown key", value
    if error["type"] == "missing":
        return "key is missing", None
    return str(error["msg"]), value
