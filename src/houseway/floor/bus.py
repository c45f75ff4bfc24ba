"""Hints between the servers of a floor: which streams have something new. A lost one only delays.

Hints go out after the commit, on a connection of their own: NOTIFY inside a transaction would make every
commit of the database wait for the one before it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, Protocol

import psycopg
from msgspec import DecodeError, Struct, ValidationError, json

from houseway.floor.streams import TableId
from houseway.rounds.state import PersonId
from houseway.store.driver_errors import raise_store_errors
from houseway.store.entries import StreamId
from houseway.store.postgres import PATIENCE
from houseway.store.postgres_url import plain_url
from houseway.store.store_errors import StoreError

CHANNEL: Final = "houseway"
NAME: Final = "houseway bus"
"""The application name of its connections."""
MOST_BYTES: Final = 7_500
"""No hint is longer: PostgreSQL takes less than 8,000 bytes."""


class StreamHint(Struct, frozen=True):
    """A stream that was added to, and how long it is now."""

    stream: StreamId
    version: int


class PeopleHint(Struct, frozen=True):
    """The people a server has heard from, and those ready at tables, for the server that drives these."""

    seen: tuple[PersonId, ...] = ()
    ready: tuple[tuple[TableId, PersonId], ...] = ()


Hint = StreamHint | PeopleHint


class Bus(Protocol):
    """Announces to other servers of a floor what has changed."""

    def hint(self, changed: Sequence[StreamHint]) -> None:
        """Announce that streams were added to. The hint may be lost; the call does not wait for readers."""
        ...

    def tell(self, heard: PeopleHint) -> None:
        """Announce who was heard from. The hint may be lost."""
        ...

    def listen(self, timeout: float) -> Iterator[Hint]:
        """Yield the next hints of other servers; nothing if ``timeout`` seconds pass without any."""
        ...

    def close(self) -> None:
        """Close its connections."""
        ...


class NoBus:
    """For a floor that is served by one process alone."""

    def hint(self, changed: Sequence[StreamHint]) -> None:
        """Do nothing."""

    def tell(self, heard: PeopleHint) -> None:
        """Do nothing."""

    def listen(self, timeout: float) -> Iterator[Hint]:
        """Yield nothing."""
        del timeout
        yield from ()

    def close(self) -> None:
        """Do nothing."""


class PostgresBus:
    """Hints by LISTEN and NOTIFY, each on a connection of its own that holds no transaction."""

    def __init__(self, url: str, channel: str = CHANNEL) -> None:
        self._url, self._channel = plain_url(url), channel
        self._sender = self._connect()
        self._listener = self._listen()

    def _connect(self) -> psycopg.Connection:
        with raise_store_errors():
            return psycopg.connect(self._url, autocommit=True, application_name=NAME, **PATIENCE)

    def _listen(self) -> psycopg.Connection:
        connection = self._connect()
        connection.execute(f"LISTEN {self._channel}")
        return connection

    def hint(self, changed: Sequence[StreamHint]) -> None:
        """Announce that streams were added to; a hint that cannot be sent is lost."""
        self._notify(_texts(changed))

    def tell(self, heard: PeopleHint) -> None:
        """Announce who was heard from; a hint that cannot be sent is lost."""
        half = len(heard.seen) // 2
        if len(text := json.encode(heard)) <= MOST_BYTES:
            self._notify([text.decode()])
        elif half:
            self.tell(PeopleHint(heard.seen[:half], heard.ready))
            self.tell(PeopleHint(heard.seen[half:]))

    def _notify(self, texts: Iterable[str]) -> None:
        try:
            if self._sender.closed:
                self._sender = self._connect()
            for text in texts:
                self._sender.execute("SELECT pg_notify(%s, %s)", [self._channel, text])
        except (psycopg.Error, StoreError):
            return

    def listen(self, timeout: float) -> Iterator[Hint]:
        """Yield the next hints of other servers; nothing if ``timeout`` seconds pass without any.

        It stops after the first: on a busy floor hints never cease, and waiting for a pause would block.
        """
        try:
            if self._listener.closed:
                self._listener = self._listen()
            for notice in self._listener.notifies(timeout=timeout, stop_after=1):
                if notice.pid != self._sender.info.backend_pid:
                    yield from _read(notice.payload)
        except (psycopg.Error, StoreError):
            return

    def close(self) -> None:
        """Close its connections."""
        self._sender.close()
        self._listener.close()


def _texts(changed: Sequence[StreamHint]) -> Iterator[str]:
    """Yield hints as texts, as many in each as fit."""
    text = json.encode(changed)
    if len(text) <= MOST_BYTES:
        yield text.decode()
    elif len(changed) > 1:  # a name that is too long by itself is found by the poll
        half = len(changed) // 2
        yield from _texts(changed[:half])
        yield from _texts(changed[half:])


def _read(text: str) -> Sequence[Hint]:
    """Return the hints in a message; a message that is no hint is passed over."""
    try:
        hint = json.decode(text, type=list[StreamHint] | PeopleHint)
    except (DecodeError, ValidationError):
        return []
    return [hint] if isinstance(hint, PeopleHint) else hint
