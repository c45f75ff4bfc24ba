"""One request and what answers it: the server, whoever asks, and what they sent."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from typing import Any, Final, Protocol, TypeVar

import msgspec
from sqlalchemy import Connection
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from houseway.errors import InvalidInputError, UnknownNameError
from houseway.floor.core import Floor
from houseway.floor.readmodels import ReadModels
from houseway.floor.running_table import RunningTable
from houseway.floor.streams import TableId, is_practice
from houseway.intake import read_json, read_parameter
from houseway.rounds.codec import canonical
from houseway.rounds.state import PersonId
from houseway.runtime import Pool, Runtime
from houseway.service.access import Access
from houseway.service.accounts import Accounts
from houseway.service.api.gate import COOKIE, Gate, Identity, Must, MustError, Proof
from houseway.service.api.problems import TOO_LARGE, TOO_LATE
from houseway.service.coaching import CoachProcess
from houseway.service.driver import Driver
from houseway.service.health import Health
from houseway.service.live import Hub
from houseway.service.loop import FloorLoop
from houseway.service.metrics import Metrics
from houseway.service.model_upkeep import caught_up
from houseway.service.network import Network
from houseway.service.practice_floor import Practice
from houseway.service.sheets import Sheets
from houseway.service.sockets import Sockets
from houseway.service.tasks import Task
from houseway.service.waiting import WaitingList
from houseway.store.tree_log import Notary

T = TypeVar("T")
LARGEST: Final = 64 * 1024
"""No request is longer, in bytes."""
IN_TIME: Final = 10.0
"""Seconds for all of a request to come."""


class UnreadError(Exception):
    """The rest of a request is not read: it is refused, and its connection ends."""

    def __init__(self, status: int, says: str) -> None:
        super().__init__(says)
        self.status = status


class Served(Protocol):
    """What serves a table: the licensed floor, or practice."""

    @property
    def loop(self) -> FloorLoop:
        """Carries commands out."""
        ...

    @property
    def hub(self) -> Hub:
        """Everybody who watches."""
        ...

    @property
    def driver(self) -> Driver | None:
        """What runs tables by themselves, if any do."""
        ...

    @property
    def said_ready(self) -> Callable[[TableId, PersonId], None]:
        """Is told of everybody who has bet what they want at a table."""
        ...


@dataclass
class Server:
    """What every route works with: the licensed floor, and practice beside it."""

    loop: FloorLoop
    hub: Hub
    gate: Gate
    models: ReadModels
    accounts: Accounts
    health: Health
    """Whether the server can do its work."""
    driver: Driver | None = None
    """What runs tables by themselves, if any do."""
    tasks: Sequence[Task] = ()
    """What is done besides answering."""
    metrics: Metrics = field(default_factory=Metrics)
    network: Network = field(default_factory=Network)
    """What one address or one session may take of the network."""
    sheets: Sheets = field(default_factory=Sheets)
    """What takes long to count, counted once."""
    coach: CoachProcess = field(default_factory=CoachProcess)
    """Who says what settings are worth."""
    seen: Callable[[PersonId], None] = lambda _: None
    """Is told of everybody who is heard of."""
    said_ready: Callable[[TableId, PersonId], None] = lambda *_: None
    """Is told of everybody who has bet what they want at a table."""
    closing: Sequence[Callable[[], None]] = ()
    """What is let go of in the end."""
    give_up: Callable[[str], None] = lambda _: None
    """Ends the process, which its parent begins again: it cannot go on."""
    secure: bool = False
    """Whether people come over HTTPS, though nobody says so here: cookies are then sent over nothing else."""
    waiting: WaitingList | None = None
    """What waits for a decision, once somebody has asked."""
    practice: Practice | None = None
    """What serves practice tables, if anybody may practise here."""

    def of(self, table: TableId) -> Served:
        """Return what serves a table: its name tells."""
        if not is_practice(table):
            return self
        if self.practice is None:
            raise UnknownNameError("no such table", value=table)
        return self.practice

    @property
    def every(self) -> tuple[Served, ...]:
        """What serves tables."""
        return (self,) if self.practice is None else (self, self.practice)

    @property
    def runtime(self) -> Runtime:
        """Time, threads and chance."""
        return self.loop.runtime

    def __post_init__(self) -> None:
        self.sockets = Sockets(self.network, self.metrics)
        self.metrics.viewers.set_function(lambda: sum(served.hub.viewers for served in self.every))
        self.metrics.waiting.set_function(lambda: sum(served.loop.waiting for served in self.every))
        self.metrics.ready.set_function(lambda: self.health.ready)
        for name in self.health.names:
            self.metrics.conditions.labels(name).set_function(partial(self.health.holds, name))
        for served in self.every:
            served.loop.count_batch = lambda outcome: self.metrics.batches.labels(outcome).inc()

    @property
    def notary(self) -> Notary:
        """What signs the log."""
        return Notary(self.loop.floor.safe)

    @property
    def access(self) -> Access:
        """What is noted of who comes and goes."""
        return self.accounts.access

    def close(self) -> None:
        """Let go of the database and of other servers; nothing is answered any more."""
        for close in self.closing:
            close()


@dataclass(frozen=True)
class Call:
    """One request, by somebody who may make it."""

    server: Server
    request: Request
    signed: Identity | None

    @property
    def who(self) -> Identity:
        """Whoever is signed in; a route that asks is never taken by anybody else."""
        assert self.signed is not None
        return self.signed

    @property
    def address(self) -> str:
        """Where the request comes from."""
        return self.request.client.host if self.request.client else ""

    async def proof(self) -> Proof:
        """Return how whoever asks has proved who they are; if that is long ago, they prove it again."""
        proof = await self.server.gate.proof(self.request.cookies.get(COOKIE, ""))
        if proof is None or not proof.fresh:
            raise MustError(Must.PROVE)
        return proof

    @property
    def now(self) -> datetime:
        """This moment."""
        return self.server.loop.floor.clock()

    @property
    def secure(self) -> bool:
        """Whether it came over HTTPS, to this server or to a proxy that it trusts."""
        return self.server.secure or self.request.url.scheme == "https"

    def named(self, name: str) -> str:
        """Return a part of the path."""
        return read_parameter(str(self.request.path_params[name]), name)

    @property
    def user(self) -> PersonId:
        """The user whom the path names; whoever is on record is reached by the id on record."""
        name = str(self.request.path_params["user"])
        return name if name in self.server.accounts.people.users else self.named("user")

    @property
    def query(self) -> Mapping[str, str]:
        """What is asked for besides the path."""
        sent = self.request.query_params
        return {read_parameter(name, "query"): read_parameter(text, name) for name, text in sent.items()}

    async def body(self, kind: type[T]) -> T:
        """Read what was sent, or refuse it with the field at fault."""
        data = read_json(await self._sent() or b"null")
        try:
            return msgspec.convert(data, type=kind, str_keys=True)
        except (msgspec.ValidationError, RecursionError) as error:
            raise InvalidInputError(f"not what is asked for: {error}"[:200]) from None

    async def _sent(self) -> bytes:
        """Return what was sent, if all of it comes in time."""
        reading = asyncio.create_task(self._read())
        waiting = asyncio.create_task(self.server.runtime.sleep(IN_TIME))
        try:
            await asyncio.wait((reading, waiting), return_when=asyncio.FIRST_COMPLETED)
            if not reading.done():
                raise UnreadError(TOO_LATE, f"a request comes whole within {IN_TIME:g} seconds")
            return reading.result()
        except ClientDisconnect:
            raise InvalidInputError("the connection ended in the middle of the request") from None
        finally:
            reading.cancel()
            waiting.cancel()

    async def _read(self) -> bytes:
        """Return what was sent, read no further than anything that is asked for goes."""
        found = bytearray()
        async for part in self.request.stream():
            found += part
            if len(found) > LARGEST:
                raise UnreadError(TOO_LARGE, f"a request has at most {LARGEST} bytes")
        return bytes(found)

    @property
    def served(self) -> Served:
        """What serves the table that the path names."""
        return self.server.of(self.named("table"))

    @property
    def floor(self) -> Floor:
        """The floor of the table that the path names."""
        return self.served.loop.floor

    async def table(self) -> RunningTable:
        """Return the table that the path names, if there is one."""
        name = self.named("table")
        if name not in self.floor.house.tables:
            raise UnknownNameError("no such table", value=name)
        if self.server.practice is not None and is_practice(name):
            self.server.practice.tables.touch(name)
        return await self.served.loop.table(name)

    async def between(self, work: Callable[[], T]) -> T:
        """Do something with the floor or its database between two batches."""
        return await self.server.loop.between(work)

    async def from_models(self, asked: Callable[[Connection], T]) -> T:
        """Ask the read models once they have caught up."""
        models = self.server.models

        def work() -> T:
            with models.connect() as connection:
                return asked(connection)

        await caught_up(models, self.server.loop)
        return await self.between(work)

    async def slowly(self, work: Callable[[], T]) -> T:
        """Do something that takes long, beside the floor: it reads on connections of its own."""
        return await self.server.runtime.in_thread(Pool.SLOW, work)

    async def slowly_from_models(self, asked: Callable[[Connection], T]) -> T:
        """Ask the read models for much, once they have caught up."""
        models = self.server.models

        def work() -> T:
            with models.apart() as connection:
                return asked(connection)

        await caught_up(models, self.server.loop)
        return await self.slowly(work)


Handler = Callable[[Call], Awaitable[Response]]


def json(value: Any, status: int = 200) -> Response:  # noqa: ANN401 - anything that can be written
    """Return an answer as JSON."""
    return Response(canonical(value), status, media_type="application/json")
