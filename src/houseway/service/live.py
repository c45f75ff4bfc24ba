"""Live views: whoever watches a table is sent how it looks to them whenever it changes.

A message is the whole view with its version and hash. Each viewer has one slot that the latest message
fills: a slow reader misses older ones and never holds anybody up. What anybody might do is worked out once
per change, and each viewer's own part of it from that.
"""

from __future__ import annotations

import asyncio
import hashlib
from typing import Any

import msgspec

from houseway.floor.core import Floor
from houseway.floor.streams import TableId
from houseway.rounds.codec import canonical
from houseway.rounds.options import Offer, offers, options_of
from houseway.rounds.step import Actor
from houseway.rounds.views import Scene


class Seen(msgspec.Struct, frozen=True):
    """How a table looks to somebody: the version, the hash of the view, and the message that says so."""

    version: int
    hash: str
    text: bytes


class Looking:
    """A table at one version, for as many viewers as there are."""

    def __init__(self, floor: Floor, table: TableId) -> None:
        running, moment = floor.table(table), floor.moment(table)
        self.version = running.head.version
        self._note = floor.house.link_down(table) or ""
        self._scene = Scene(running.rules, running.table, moment)
        self._offered: tuple[Offer, ...] = offers(running.rules, running.table, moment)

    def seen_by(self, viewer: Actor) -> Seen:
        """Return how the table looks to somebody."""
        what: dict[str, Any] = {
            "view": self._scene.view(viewer),
            "options": options_of(self._offered, viewer),
        }
        if self._note:
            what["link_down"] = self._note
        body = canonical(what)
        found = hashlib.sha256(body).hexdigest()
        text = b'{"version":%d,"hash":"%s",%s' % (self.version, found.encode(), body[1:])
        return Seen(self.version, found, text)


class Watching:
    """One viewer of one table: a slot for the latest message."""

    def __init__(self, viewer: Actor, table: TableId) -> None:
        self.viewer, self.table = viewer, table
        self._slot: Seen | None = None
        self._filled = asyncio.Event()

    def put(self, seen: Seen) -> None:
        """Fill the slot; what was not read yet is out of date."""
        self._slot = seen
        self._filled.set()

    async def next(self) -> Seen:
        """Return the latest message, as soon as there is one that was not read."""
        await self._filled.wait()
        self._filled.clear()
        assert self._slot is not None
        return self._slot


class Hub:
    """Everybody who watches tables."""

    def __init__(self, floor: Floor) -> None:
        self._floor = floor
        self._watching: dict[TableId, set[Watching]] = {}

    def watch(self, viewer: Actor, table: TableId) -> Watching:
        """Begin to watch a table; the first message is how it looks now."""
        watching = Watching(viewer, table)
        watching.put(Looking(self._floor, table).seen_by(viewer))
        self._watching.setdefault(table, set()).add(watching)
        return watching

    def leave(self, watching: Watching) -> None:
        """Watch no more."""
        self._watching.get(watching.table, set()).discard(watching)

    def show(self, tables: frozenset[TableId]) -> None:
        """Send everybody who watches these tables how they look now."""
        for table in tables:
            viewers = self._watching.get(table)
            if not viewers:
                continue
            looking, known = Looking(self._floor, table), dict[Actor, Seen]()
            for watching in viewers:
                if watching.viewer not in known:
                    known[watching.viewer] = looking.seen_by(watching.viewer)
                watching.put(known[watching.viewer])

    @property
    def viewers(self) -> int:
        """How many people watch."""
        return sum(map(len, self._watching.values()))
