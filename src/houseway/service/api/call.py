"""One request and what answers it: the server, the caller, and what they sent."""

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
from houseway.service.access_notes import AccessNotes
from houseway.service.api.auth import COOKIE, Auth, Identity, Precondition, PreconditionError, Proof
from houseway.service.api.problem_json import TOO_LARGE, TOO_LATE
from houseway.service.background import BackgroundTask
from houseway.service.coach_process import CoachProcess
from houseway.service.driver import Driver
from houseway.service.health import Health
from houseway.service.live_views import Hub
from houseway.service.loop import FloorLoop
from houseway.service.metrics import Metrics
from houseway.service.model_upkeep import catch_up_models
from houseway.service.network_limits import NetworkLimits
from houseway.service.practice_floor import Practice
from houseway.service.sheets import Sheets
from houseway.service.socket_limits import Sockets
from houseway.service.user_accounts import UserAccounts
from houseway.service.waiting_list import WaitingList
from houseway.store.tree_log import Notary

T = TypeVar("T")
LARGEST_BODY: Final = 64 * 1024
"""The largest request body, in bytes."""
BODY_TIME_LIMIT: Final = 10.0
"""Seconds within which a request must have arrived."""


class UnreadError(Exception):
    """A request is refused before it was read; its connection is closed."""

    def __init__(self, status: int, says: str) -> None:
        super().__init__(says)
        self.status = status


class TableService(Protocol):
    """The parts that serve a table: those of the licensed floor, or of practice."""

    @property
    def loop(self) -> FloorLoop:
        """The loop that carries out commands."""
        ...

    @property
    def hub(self) -> Hub:
        """The live views."""
        ...

    @property
    def driver(self) -> Driver | None:
        """The driver of automated tables, if there are any."""
        ...

    @property
    def note_ready(self) -> Callable[[TableId, PersonId], None]:
        """Called when a person has placed all the bets they want at a table."""
        ...


@dataclass
class Server:
    """What every route works with: the licensed floor, and practice beside it."""

    loop: FloorLoop
    hub: Hub
    auth: Auth
    models: ReadModels
    accounts: UserAccounts
    health: Health
    """The conditions of readiness."""
    driver: Driver | None = None
    """The driver of automated tables, if there are any."""
    tasks: Sequence[BackgroundTask] = ()
    """The background tasks."""
    metrics: Metrics = field(default_factory=Metrics)
    network: NetworkLimits = field(default_factory=NetworkLimits)
    """The limits of addresses and sessions."""
    sheets: Sheets = field(default_factory=Sheets)
    """The sheets that take long to count."""
    coach: CoachProcess = field(default_factory=CoachProcess)
    """The coach's process."""
    note_seen: Callable[[PersonId], None] = lambda _: None
    """Called with each person who makes a request."""
    note_ready: Callable[[TableId, PersonId], None] = lambda *_: None
    """Called when a person has placed all the bets they want at a table."""
    on_close: Sequence[Callable[[], None]] = ()
    """Called in order when the server closes."""
    give_up: Callable[[str], None] = lambda _: None
    """Ends a process that cannot continue; its parent starts another."""
    secure: bool = False
    """Whether cookies are always restricted to HTTPS, even if a request does not tell that it came by it."""
    waiting: WaitingList | None = None
    """The list of waiting decisions, created at the first request for it."""
    practice: Practice | None = None
    """The parts that serve practice tables, if practice is possible."""

    def service_of(self, table: TableId) -> TableService:
        """Return the parts that serve a table, by its name."""
        if not is_practice(table):
            return self
        if self.practice is None:
            raise UnknownNameError("no such table", value=table)
        return self.practice

    @property
    def services(self) -> tuple[TableService, ...]:
        """The parts that serve the licensed floor, and practice if there is any."""
        return (self,) if self.practice is None else (self, self.practice)

    @property
    def runtime(self) -> Runtime:
        """Time, threads and random bytes."""
        return self.loop.runtime

    def __post_init__(self) -> None:
        self.sockets = Sockets(self.network, self.metrics)
        self.metrics.viewers.set_function(lambda: sum(service.hub.viewers for service in self.services))
        self.metrics.waiting.set_function(lambda: sum(service.loop.waiting for service in self.services))
        self.metrics.ready.set_function(lambda: self.health.ready)
        for name in self.health.names:
            self.metrics.conditions.labels(name).set_function(partial(self.health.holds, name))
        for service in self.services:
            service.loop.count_batch = lambda outcome: self.metrics.batches.labels(outcome).inc()

    @property
    def notary(self) -> Notary:
        """The notary that signs the log."""
        return Notary(self.loop.floor.safe)

    @property
    def access(self) -> AccessNotes:
        """The access notes of the server."""
        return self.accounts.access

    def close(self) -> None:
        """Close the database and the connections to other servers."""
        for close in self.on_close:
            close()


@dataclass(frozen=True)
class Call:
    """One request, by a caller who may make it."""

    server: Server
    request: Request
    identity: Identity | None

    @property
    def caller(self) -> Identity:
        """The signed-in caller; routes that are open to all must not use it."""
        assert self.identity is not None
        return self.identity

    @property
    def address(self) -> str:
        """The address that the request comes from."""
        return self.request.client.host if self.request.client else ""

    async def proof(self) -> Proof:
        """Return the caller's proof; if it is old, refuse until they give their password again."""
        proof = await self.server.auth.proof(self.request.cookies.get(COOKIE, ""))
        if proof is None or not proof.fresh:
            raise PreconditionError(Precondition.PROVE)
        return proof

    @property
    def now(self) -> datetime:
        """The time of the floor's clock."""
        return self.server.loop.floor.clock()

    @property
    def secure(self) -> bool:
        """Whether the request came over HTTPS, to this server or to a trusted proxy."""
        return self.server.secure or self.request.url.scheme == "https"

    def path_part(self, name: str) -> str:
        """Return a parameter of the path."""
        return read_parameter(str(self.request.path_params[name]), name)

    @property
    def user(self) -> PersonId:
        """The user whom the path names; recorded ids are accepted even if new ones would be refused."""
        name = str(self.request.path_params["user"])
        return name if name in self.server.accounts.people.users else self.path_part("user")

    @property
    def query(self) -> Mapping[str, str]:
        """The parameters of the query."""
        sent = self.request.query_params
        return {read_parameter(name, "query"): read_parameter(text, name) for name, text in sent.items()}

    async def body(self, kind: type[T]) -> T:
        """Return the body as a value of this type, or refuse it with the field at fault."""
        data = read_json(await self._read_body() or b"null")
        try:
            return msgspec.convert(data, type=kind, str_keys=True)
        except (msgspec.ValidationError, RecursionError) as error:
            raise InvalidInputError(f"the request body is invalid: {error}"[:200]) from None

    async def _read_body(self) -> bytes:
        """Return the raw body, if it arrives in time."""
        reading = asyncio.create_task(self._read_stream())
        waiting = asyncio.create_task(self.server.runtime.sleep(BODY_TIME_LIMIT))
        try:
            await asyncio.wait((reading, waiting), return_when=asyncio.FIRST_COMPLETED)
            if not reading.done():
                raise UnreadError(TOO_LATE, f"the request must arrive within {BODY_TIME_LIMIT:g} seconds")
            return reading.result()
        except ClientDisconnect:
            raise InvalidInputError("the connection ended in the middle of the request") from None
        finally:
            reading.cancel()
            waiting.cancel()

    async def _read_stream(self) -> bytes:
        """Return the raw body; refuse it as soon as it exceeds the limit."""
        body = bytearray()
        async for part in self.request.stream():
            body += part
            if len(body) > LARGEST_BODY:
                raise UnreadError(TOO_LARGE, f"a request has at most {LARGEST_BODY} bytes")
        return bytes(body)

    @property
    def service(self) -> TableService:
        """The parts that serve the table of the path."""
        return self.server.service_of(self.path_part("table"))

    @property
    def floor(self) -> Floor:
        """The floor of the table of the path."""
        return self.service.loop.floor

    async def table(self) -> RunningTable:
        """Return the table of the path, or refuse an unknown one."""
        name = self.path_part("table")
        if name not in self.floor.house.tables:
            raise UnknownNameError("no such table", value=name)
        if self.server.practice is not None and is_practice(name):
            self.server.practice.tables.touch(name)
        return await self.service.loop.table(name)

    async def between(self, work: Callable[[], T]) -> T:
        """Run work with the floor or its database between two batches."""
        return await self.server.loop.between(work)

    async def ask_models(self, query: Callable[[Connection], T]) -> T:
        """Query the read models once they are up to date."""
        models = self.server.models

        def work() -> T:
            with models.connect() as connection:
                return query(connection)

        await catch_up_models(models, self.server.loop)
        return await self.between(work)

    async def run_slowly(self, work: Callable[[], T]) -> T:
        """Run slow work beside the floor, with database connections of its own."""
        return await self.server.runtime.in_thread(Pool.SLOW, work)

    async def ask_models_slowly(self, query: Callable[[Connection], T]) -> T:
        """Run a slow query of the read models once they are up to date."""
        models = self.server.models

        def work() -> T:
            with models.apart() as connection:
                return query(connection)

        await catch_up_models(models, self.server.loop)
        return await self.run_slowly(work)


Handler = Callable[[Call], Awaitable[Response]]


def json(value: Any, status: int = 200) -> Response:  # noqa: ANN401 - anything that can be written
    """Return a JSON response."""
    return Response(canonical(value), status, media_type="application/json")
