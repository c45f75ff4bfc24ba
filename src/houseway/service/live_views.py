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
        self._note = floor.house.why_link_down(table) or ""
        self._to_get_up = seats_to_leave(running.table, floor.barred, moment.now)
        self._scene = Scene(running.rules, running.table, moment)
        self._offered: tuple[Offer, ...] = offers(running.rules, running.table, moment)

    def message_for(self, viewer: Actor) -> ViewMessage:
        """Return the message for a viewer."""
        player = actor_at(self._house, self._table, viewer)
        content: dict[str, Any] = {
            "view": self._scene.view(player),
            "options": options_of(self._offered, player),
        }
        if sees(player.role, Sees.PERSONS):
            content["awaits"] = awaited_from_others(self._offered, player)
        if self._to_get_up and player.role in LEAVING_RECORDERS:
            content["to_get_up"] = self._to_get_up
        if self._note:
            content["link_down"] = self._note
        if self._tray is not None and player.role is Role.PLAYER:
            content["chips"] = chips_of(self._tray, player.id)
        body = canonical(content)
        digest = hashlib.sha256(body).hexdigest()
        text = b'{"version":%d,"hash":"%s",%s' % (self.version, digest.encode(), body[1:])
        return ViewMessage(self.version, digest, text)


class Subscription:
    """One viewer of one table, with a slot for the latest message."""

    def __init__(self, viewer: Actor, table: TableId, views: TableViews) -> None:
        self.viewer, self.table = viewer, table
        self.views = views
        self._sent: ViewMessage | None = None
        self._client: ClientVersion | None = None
        self._wake = asyncio.Event()
        self._wake.set()

    def notify(self) -> None:
        """Note that the table changed."""
        self._wake.set()

    def ask(self, client: ClientVersion) -> None:
        """Note that the client asks whether its view is current; only the latest request counts."""
        self._client = client
        self._wake.set()

    async def next(self) -> ViewMessage:
        """Wait for the next message and return it; an unchanged view is skipped unless the client asked."""
        while True:
            await self._wake.wait()
            self._wake.clear()
            client, self._client = self._client, None
            message = self.views.message_for(self.viewer, refresh=client is not None)
            if client is not None and message.key == (client.have, client.hash):
                self._sent = message
                return message.as_unchanged()
            if client is not None or self._sent is None or message.key != self._sent.key:
                self._sent = message
                return message


class TableViews:
    """The views of a table for all its viewers, computed when first needed after a change."""

    def __init__(self, make_view: Callable[[], SharedView], monotonic: Callable[[], float]) -> None:
        self.subscriptions: set[Subscription] = set()
        self._make_view, self._monotonic = make_view, monotonic
        self._shared: SharedView | None = None
        self._computed_at = 0.0
        self._messages: dict[Actor, ViewMessage] = {}

    def invalidate(self) -> None:
        """Drop the computed views."""
        self._shared = None

    def notify(self) -> None:
        """Wake the subscriptions."""
        for subscription in self.subscriptions:
            subscription.notify()

    def message_for(self, viewer: Actor, *, refresh: bool = False) -> ViewMessage:
        """Return the message for a viewer; with ``refresh``, an old view is computed again.

        Options depend on the time too, so that the view of an unchanged table may change later.
        """
        now = self._monotonic()
        if self._shared is None or (refresh and now - self._computed_at >= REFRESH_AFTER):
            self._shared, self._computed_at, self._messages = self._make_view(), now, {}
        if viewer not in self._messages:
            self._messages[viewer] = self._shared.message_for(viewer)
        return self._messages[viewer]


class Hub:
    """The subscriptions to all tables of a floor."""

    def __init__(
        self,
        floor: Floor,
        monotonic: Callable[[], float],
        make_view: Callable[[Floor, TableId], SharedView] = SharedView,
    ) -> None:
        self._floor, self._monotonic, self._make_view = floor, monotonic, make_view
        self._views: dict[TableId, TableViews] = {}
        self._meters: Mapping[MeterId, MeterState] = {}
        self._changed: dict[TableId, None] = {}
        """The tables whose viewers are still to be woken, in the order in which they changed."""

    def watch(self, viewer: Actor, table: TableId) -> Subscription:
        """Subscribe to a table; the first message is its current view."""
        views = self._views.get(table)
        if views is None:
            views = self._views[table] = TableViews(
                lambda: self._make_view(self._floor, table), self._monotonic
            )
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
        """Send the current view of these tables to their viewers, one table in each turn of the loop.

        On a busy floor commands are then heard between two tables, and a table that changes again before
        its turn is shown once.
        """
        shown = tables & self._floor.house.tables.keys() & self._views.keys()
        for table in shown:
            self._views[table].invalidate()
        if shown and not self._changed:
            asyncio.get_running_loop().call_soon(self._notify_next)
        self._changed |= dict.fromkeys(sorted(shown))

    def _notify_next(self) -> None:
        table = next(iter(self._changed))
        del self._changed[table]
        if table in self._views:
            self._views[table].notify()
        if self._changed:
            asyncio.get_running_loop().call_soon(self._notify_next)

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
