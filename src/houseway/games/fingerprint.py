"""One hash for everything that decides a round, so that a record is replayed by its own law or not at all."""

from __future__ import annotations

import hashlib
import json
from dataclasses import fields, is_dataclass
from typing import Any

from pydantic import BaseModel


def fingerprint_of(**documents: object) -> str:
    """Return the hash over documents by name: every field of every one of them."""
    text = json.dumps(documents, default=_plain, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def _plain(value: Any) -> Any:  # noqa: ANN401 - any part of a document that JSON does not know
    """Return what JSON knows: a document by its fields, a set in order, and text for the rest."""
    if isinstance(value, BaseModel):
        return {name: getattr(value, name) for name in type(value).model_fields}
    if is_dataclass(value):
        return {part.name: getattr(value, part.name) for part in fields(value)}
    if isinstance(value, set | frozenset):
        return sorted(map(str, value))
    return str(value)
