"""Live views: whoever watches a table is sent how it looks to them whenever it changes.

A message is the whole view with its version and hash, and the chips that a player has there. Each viewer
has one slot that the latest message fills: a slow reader misses older ones and never holds anybody up. What
anybody might do is worked out once per change, and each viewer's own part of it from that.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Mapping
from typing import Any

import msgspec

from houseway.chips import chips_of
from houseway.floor.barring import TOLD, to_get_up
from houseway.floor.core import Floor
from houseway.floor.streams import TableId
from houseway.meters import MeterState
from houseway.rounds.codec import canonical
from houseway.rounds.options import Offer, awaited_from_others, offers, options_of
from houseway.rounds.roles import Role, Sees, sees
from houseway.rounds.state import MeterId, PersonId
from houseway.rounds.step import Actor
from houseway.rounds.views import Scene
from houseway.service.practice import player_at


class SeenTable(msgspec.Struct, frozen=True):
    """How a table looks to somebody: the version, the hash of the view, and the message that says so."""

    version: int
    hash: str
    text: bytes


class Looking:
    """A table at one version, for as many viewers as there are."""

    def __init__(self, floor: Floor, table: TableId) -> None:
        running, moment = floor.table(table), floor.moment(table)
        self.version = running.head.version
        self._house, self._table, self._tray = floor.house, table, running.tray if running.chips else None
        self._note = floor.house.link_down(table) or ""
        self._to_get_up = to_get_up(running.table, floor.barred, moment.now)
        self._scene = Scene(running.rules, running.table, moment)
        self._offered: tuple[Offer, ...] = offers(running.rules, running.table, moment)

    def seen_by(self, viewer: Actor) -> SeenTable:
        """Return how the table looks to somebody."""
        player = player_at(self._house, self._table, viewer)
        what: dict[str, Any] = {
            "view": self._scene.view(player),
            "options": options_of(self._offered, player),
        }
        if sees(player.role, Sees.PERSONS):
            what["awaits"] = awaited_from_others(self._offered, player)
        if self._to_get_up and player.role in TOLD:
            what["to_get_up"] = self._to_get_up
        if self._note:
            what["link_down"] = self._note
        if self._tray is not None and player.role is Role.PLAYER:
            what["chips"] = chips_of(self._tray, player.id)
        body = canonical(what)
        found = hashlib.sha256(body).hexdigest()
        text = b'{"version":%d,"hash":"%s",%s' % (self.version, found.encode(), body[1:])
        return SeenTable(self.version, found, text)


class Watching:
    """One viewer of one table: a slot for the latest message."""

    def __init__(self, viewer: Actor, table: TableId) -> None:
        self.viewer, self.table = viewer, table
        self._slot: SeenTable | None = None
        self._filled = asyncio.Event()

    def put(self, seen: SeenTable) -> None:
        """Fill the slot; what was not read yet is out of date, and what looks no different is not sent."""
        if self._slot is None or (seen.version, seen.hash) != (self._slot.version, self._slot.hash):
            self._slot = seen
            self._filled.set()

    async def next(self) -> SeenTable:
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
        self._meters: Mapping[MeterId, MeterState] = {}

    def watch(self, viewer: Actor, table: TableId) -> Watching:
        """Begin to watch a table; the first message is how it looks now."""
        watching = Watching(viewer, table)
        watching.put(Looking(self._floor, table).seen_by(viewer))
        self._watching.setdefault(watching.table, set()).add(watching)
        return watching

    def leave(self, watching: Watching) -> None:
        """Watch no more."""
        viewers = self._watching.get(watching.table, set())
        viewers.discard(watching)
        if not viewers:
            self._watching.pop(watching.table, None)

    def show(self, tables: frozenset[TableId]) -> None:
        """Send everybody who watches these tables how they look now."""
        for table in tables & self._floor.house.tables.keys():
            viewers = self._watching.get(table)
            if not viewers:
                continue
            looking, known = Looking(self._floor, table), dict[Actor, SeenTable]()
            for watching in viewers:
                if watching.viewer not in known:
                    known[watching.viewer] = looking.seen_by(watching.viewer)
                watching.put(known[watching.viewer])

    def show_meters(self) -> None:
        """Send everybody who watches a table how its meter stands, if others have moved it."""
        before, self._meters = self._meters, self._floor.meters()
        moved = {name for name, state in self._meters.items() if before.get(name) != state}
        made = self._floor.house.tables
        watched = self._watching.keys() & made.keys()
        self.show(frozenset(table for table in watched if made[table].meter in moved))

    @property
    def people(self) -> set[PersonId]:
        """Everybody who watches."""
        return {watching.viewer.id for viewers in self._watching.values() for watching in viewers}

    @property
    def viewers(self) -> int:
        """How many people watch."""
        return sum(map(len, self._watching.values()))
