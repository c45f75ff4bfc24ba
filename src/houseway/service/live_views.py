"""Live views: each viewer of a table is sent their own view of it whenever it changes.

A message is the whole view with its version and hash, and a player's chips there. Each viewer has one slot
and is sent the latest view when ready for it: a slow reader misses older views and delays nobody. The options
at a table are computed once per change, and each viewer's own from these. Repeated requests are answered
from the cache.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable, Mapping
from typing import Any, Final

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
from houseway.service.practice_rules import actor_at

REFRESH_AFTER: Final = 1.0
"""Seconds after which a view is computed again on request, though nothing has happened at the table."""


class ClientVersion(msgspec.Struct, frozen=True):
    """The version and hash of the view that a client has."""

    have: int
    hash: str = ""


class ViewMessage(msgspec.Struct, frozen=True):
    """One viewer's view of a table: its version, its hash, and the message to send."""

    version: int
    hash: str
    text: bytes

    @property
    def key(self) -> tuple[int, str]:
        """The version and hash, which identify the view."""
        return self.version, self.hash

    def as_unchanged(self) -> ViewMessage:
        """Return the short message for a client that has this view already."""
        text = b'{"version":%d,"hash":"%s","same":true}' % (self.version, self.hash.encode())
        return ViewMessage(self.version, self.hash, text)


class SharedView:
    """A table at one version, computed once and shared by all its viewers."""

    def __init__(self, floor: Floor, table: TableId) -> None:
        running, moment = floor.table(table), floor.moment(table)
        self.version = running.head.version
        self._house, self._table, self._tray = floor.house, table, running.tray if running.chips else None
        self._note = floor.house.link_down(table) or ""
        self._to_get_up = to_get_up(running.table, floor.barred, moment.now)
        self._scene = Scene(running.rules, running.table, moment)
        self._offered: tuple[Offer, ...] = offers(running.rules, running.table, moment)

    def message_for(self, viewer: Actor) -> ViewMessage:
        """Return the message for a viewer."""
        player = actor_at(self._house, self._table, viewer)
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
        digest = hashlib.sha256(body).hexdigest()
        text = b'{"version":%d,"hash":"%s",%s' % (self.version, digest.encode(), body[1:])
        return ViewMessage(self.version, digest, text)


class Subscription:
    """One viewer of one table, with a slot for the latest message."""

    def __init__(self, viewer: Actor, table: TableId, views: TableViews) -> None:
        self.viewer, self.table = viewer, table
        self.views = views
        self._sent: ViewMessage | None = None
        self._having: ClientVersion | None = None
        self._wake = asyncio.Event()
        self._wake.set()

    def notify(self) -> None:
        """Note that the table changed."""
        self._wake.set()

    def ask(self, having: ClientVersion) -> None:
        """Note that the client asks whether its view is current; only the latest request counts."""
        self._having = having
        self._wake.set()

    async def next(self) -> ViewMessage:
        """Wait for the next message and return it; an unchanged view is skipped unless the client asked."""
        while True:
            await self._wake.wait()
            self._wake.clear()
            having, self._having = self._having, None
            seen = self.views.message_for(self.viewer, refresh=having is not None)
            if having is not None and seen.key == (having.have, having.hash):
                self._sent = seen
                return seen.as_unchanged()
            if having is not None or self._sent is None or seen.key != self._sent.key:
                self._sent = seen
                return seen


class TableViews:
    """The views of a table for all its viewers, computed when first needed after a change."""

    def __init__(self, look: Callable[[], SharedView], monotonic: Callable[[], float]) -> None:
        self.subscriptions: set[Subscription] = set()
        self._look, self._monotonic = look, monotonic
        self._looking: SharedView | None = None
        self._looked = 0.0
        self._seen: dict[Actor, ViewMessage] = {}

    def invalidate(self) -> None:
        """Drop the computed views and wake the subscriptions."""
        self._looking = None
        for subscription in self.subscriptions:
            subscription.notify()

    def message_for(self, viewer: Actor, *, refresh: bool = False) -> ViewMessage:
        """Return the message for a viewer; with ``refresh``, an old view is computed again.

        Options depend on the time too, so that the view of an unchanged table may change later.
        """
        now = self._monotonic()
        if self._looking is None or (refresh and now - self._looked >= REFRESH_AFTER):
            self._looking, self._looked, self._seen = self._look(), now, {}
        if viewer not in self._seen:
            self._seen[viewer] = self._looking.message_for(viewer)
        return self._seen[viewer]


class Hub:
    """The subscriptions to all tables of a floor."""

    def __init__(
        self,
        floor: Floor,
        monotonic: Callable[[], float],
        look: Callable[[Floor, TableId], SharedView] = SharedView,
    ) -> None:
        self._floor, self._monotonic, self._look = floor, monotonic, look
        self._views: dict[TableId, TableViews] = {}
        self._meters: Mapping[MeterId, MeterState] = {}

    def watch(self, viewer: Actor, table: TableId) -> Subscription:
        """Subscribe to a table; the first message is its current view."""
        views = self._views.get(table)
        if views is None:
            views = self._views[table] = TableViews(lambda: self._look(self._floor, table), self._monotonic)
        subscription = Subscription(viewer, table, views)
        views.subscriptions.add(subscription)
        return subscription

    def leave(self, subscription: Subscription) -> None:
        """End a subscription."""
        views = self._views.get(subscription.table)
        if views is not None:
            views.subscriptions.discard(subscription)
            if not views.subscriptions:
                del self._views[subscription.table]

    def show(self, tables: frozenset[TableId]) -> None:
        """Send the current view of these tables to their viewers."""
        for table in tables & self._floor.house.tables.keys():
            if table in self._views:
                self._views[table].invalidate()

    def show_meters(self) -> None:
        """Send tables whose shared meter has moved to their viewers."""
        before, self._meters = self._meters, self._floor.meters()
        moved = {name for name, state in self._meters.items() if before.get(name) != state}
        tables = self._floor.house.tables
        watched = self._views.keys() & tables.keys()
        self.show(frozenset(table for table in watched if tables[table].meter in moved))

    @property
    def people(self) -> set[PersonId]:
        """The ids of all viewers."""
        return {each.viewer.id for views in self._views.values() for each in views.subscriptions}

    @property
    def viewers(self) -> int:
        """The number of subscriptions."""
        return sum(len(views.subscriptions) for views in self._views.values())
