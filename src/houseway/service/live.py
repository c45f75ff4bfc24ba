"""Live views: whoever watches a table is sent how it looks to them whenever it changes.

A message is the whole view with its version and hash, and the chips that a player has there. Each viewer
has one slot, and is sent the latest when they are ready for it: a slow reader misses older ones and never
holds anybody up. What anybody might do is worked out once per change, and each viewer's own part of it from
that. Whoever asks again and again is answered from what was worked out already.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable, Mapping
from typing import Any, Final

import msgspec

from houseway.chips import chips_of
from houseway.floor.core import Floor
from houseway.floor.exclusion_rule import LEAVING_RECORDERS, seats_to_leave
from houseway.floor.streams import TableId
from houseway.meters import MeterState
from houseway.rounds.codec import canonical
from houseway.rounds.options import Offer, awaited_from_others, offers, options_of
from houseway.rounds.roles import Role, Sees, sees
from houseway.rounds.state import MeterId, PersonId
from houseway.rounds.step import Actor
from houseway.rounds.views import Scene
from houseway.service.practice import player_at

RENEWED: Final = 1.0
"""Seconds after which a table is looked at again for somebody who asks, though nothing was done there."""


class Having(msgspec.Struct, frozen=True):
    """What a viewer says they have."""

    have: int
    hash: str = ""


class SeenTable(msgspec.Struct, frozen=True):
    """How a table looks to somebody: the version, the hash of the view, and the message that says so."""

    version: int
    hash: str
    text: bytes

    @property
    def named(self) -> tuple[int, str]:
        """What tells it from another."""
        return self.version, self.hash

    def confirmed(self) -> SeenTable:
        """Return the short message to somebody who has it already."""
        text = b'{"version":%d,"hash":"%s","same":true}' % (self.version, self.hash.encode())
        return SeenTable(self.version, self.hash, text)


class Looking:
    """A table at one version, for as many viewers as there are."""

    def __init__(self, floor: Floor, table: TableId) -> None:
        running, moment = floor.table(table), floor.moment(table)
        self.version = running.head.version
        self._house, self._table, self._tray = floor.house, table, running.tray if running.chips else None
        self._note = floor.house.why_link_down(table) or ""
        self._to_get_up = seats_to_leave(running.table, floor.barred, moment.now)
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
        if self._to_get_up and player.role in LEAVING_RECORDERS:
            what["to_get_up"] = self._to_get_up
        if self._note:
            what["link_down"] = self._note
        if self._tray is not None and player.role is Role.PLAYER:
            what["chips"] = chips_of(self._tray, player.id)
        body = canonical(what)
        found = hashlib.sha256(body).hexdigest()
        text = b'{"version":%d,"hash":"%s",%s' % (self.version, found.encode(), body[1:])
        return SeenTable(self.version, found, text)


class Subscription:
    """One viewer of one table: a slot for what they are to be sent next, which is always the latest."""

    def __init__(self, viewer: Actor, table: TableId, views: TableViews) -> None:
        self.viewer, self.table = viewer, table
        self.views = views
        self._sent: SeenTable | None = None
        self._having: Having | None = None
        self._wake = asyncio.Event()
        self._wake.set()

    def changed(self) -> None:
        """Take note that the table changed."""
        self._wake.set()

    def ask(self, having: Having) -> None:
        """Take note that the viewer asks whether what they have is up to date; only the last time counts."""
        self._having = having
        self._wake.set()

    async def next(self) -> SeenTable:
        """Return what is to be sent, as soon as there is something; what looks no different is not."""
        while True:
            await self._wake.wait()
            self._wake.clear()
            having, self._having = self._having, None
            seen = self.views.seen_by(self.viewer, renewed=having is not None)
            if having is not None and seen.named == (having.have, having.hash):
                self._sent = seen
                return seen.confirmed()
            if having is not None or self._sent is None or seen.named != self._sent.named:
                self._sent = seen
                return seen


class TableViews:
    """How a table looks to each of its viewers: worked out once for all of them, when one needs it."""

    def __init__(self, look: Callable[[], Looking], monotonic: Callable[[], float]) -> None:
        self.subscriptions: set[Subscription] = set()
        self._look, self._monotonic = look, monotonic
        self._looking: Looking | None = None
        self._looked = 0.0
        self._seen: dict[Actor, SeenTable] = {}

    def changed(self) -> None:
        """Take note that the table changed, and wake whoever watches it."""
        self._looking = None
        for subscription in self.subscriptions:
            subscription.changed()

    def seen_by(self, viewer: Actor, *, renewed: bool = False) -> SeenTable:
        """Return how the table looks to somebody; renewed if it was looked at a while ago.

        What one may do depends on the time too, so that a table that nobody touches looks another way later.
        """
        now = self._monotonic()
        if self._looking is None or (renewed and now - self._looked >= RENEWED):
            self._looking, self._looked, self._seen = self._look(), now, {}
        if viewer not in self._seen:
            self._seen[viewer] = self._looking.seen_by(viewer)
        return self._seen[viewer]


class Hub:
    """Everybody who watches tables."""

    def __init__(
        self,
        floor: Floor,
        monotonic: Callable[[], float],
        look: Callable[[Floor, TableId], Looking] = Looking,
    ) -> None:
        self._floor, self._monotonic, self._look = floor, monotonic, look
        self._views: dict[TableId, TableViews] = {}
        self._meters: Mapping[MeterId, MeterState] = {}

    def watch(self, viewer: Actor, table: TableId) -> Subscription:
        """Begin to watch a table; the first message is how it looks now."""
        views = self._views.get(table)
        if views is None:
            views = self._views[table] = TableViews(lambda: self._look(self._floor, table), self._monotonic)
        subscription = Subscription(viewer, table, views)
        views.subscriptions.add(subscription)
        return subscription

    def leave(self, subscription: Subscription) -> None:
        """Watch no more."""
        views = self._views.get(subscription.table)
        if views is not None:
            views.subscriptions.discard(subscription)
            if not views.subscriptions:
                del self._views[subscription.table]

    def show(self, tables: frozenset[TableId]) -> None:
        """Have everybody who watches these tables sent how they look now."""
        for table in tables & self._floor.house.tables.keys():
            if table in self._views:
                self._views[table].changed()

    def show_meters(self) -> None:
        """Show everybody who watches a table how its meter stands, if others have moved it."""
        before, self._meters = self._meters, self._floor.meters()
        moved = {name for name, state in self._meters.items() if before.get(name) != state}
        made = self._floor.house.tables
        watched = self._views.keys() & made.keys()
        self.show(frozenset(table for table in watched if made[table].meter in moved))

    @property
    def people(self) -> set[PersonId]:
        """Everybody who watches."""
        return {each.viewer.id for views in self._views.values() for each in views.subscriptions}

    @property
    def viewers(self) -> int:
        """How many people watch."""
        return sum(len(views.subscriptions) for views in self._views.values())
