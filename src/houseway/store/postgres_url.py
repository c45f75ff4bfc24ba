"""URLs of PostgreSQL databases, as its own library reads them: of several hosts, with any option."""

from __future__ import annotations

from typing import Any, Final

import psycopg
from psycopg.conninfo import conninfo_to_dict

from houseway.errors import InvalidInputError

_PLAIN: Final = "postgresql://"
_OTHERS: Final = ("postgresql+psycopg://", "postgres://")


def plain_url(url: str) -> str:
    """Return a URL as the library reads it.

    >>> plain_url("postgresql+psycopg://floor@db.example/floor")
    'postgresql://floor@db.example/floor'
    """
    for other in _OTHERS:
        url = url.replace(other, _PLAIN, 1) if url.startswith(other) else url
    return url


def parts_of(url: str) -> dict[str, Any]:
    """Return what a URL says, each part under the name by which the library takes it."""
    try:
        return dict(conninfo_to_dict(plain_url(url)))
    except psycopg.ProgrammingError:
        raise InvalidInputError("not the URL of a database", value=name_of(url)) from None


def name_of(url: str) -> str:
    """Return a URL as it may be shown: where the database is, and nothing that is secret.

    >>> name_of("postgresql://floor:secret@db1:5432,db2:5432/floor?target_session_attrs=read-write")
    'db1:5432,db2:5432/floor'
    """
    return plain_url(url).removeprefix(_PLAIN).rpartition("@")[2].partition("?")[0]
