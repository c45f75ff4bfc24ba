"""One request and what answers it: the server, whoever asks, and what they sent."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final, Protocol, TypeVar

import msgspec
from sqlalchemy import Connection
from starlette.requests import Request
from starlette.responses import Response

from houseway.errors import InvalidInputError, UnknownNameError
from houseway.floor.core import Floor
from houseway.floor.readmodels import ReadModels
from houseway.floor.running import RunningTable
from houseway.floor.streams import TableId, is_practice
from houseway.intake import read_json, read_parameter
from houseway.rounds.codec import canonical
from houseway.rounds.state import PersonId
from houseway.runtime import Runtime
from houseway.service.access import Access
from houseway.service.accounts import Accounts
from houseway.service.api.gate import COOKIE, Gate, Must, MustError, Proof, Signed
from houseway.service.coaching import CoachProcess
from houseway.service.counting import Counts
from houseway.service.driver import Driver
from houseway.service.health import Health
from houseway.service.live import Hub
from houseway.service.loop import FloorLoop
from houseway.service.practice_floor import Practice
from houseway.service.sheets import Sheets
from houseway.service.tasks import Task
from houseway.service.waiting import WaitingList

T = TypeVar("T")
LARGEST: Final = 64 * 1024
"""No request is longer, in bytes."""


class TooLargeError(Exception):
    """More was sent than anything that is asked for."""


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
    counts: Counts = field(default_factory=Counts)
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
    """Whether people come over HTTPS, so that cookies are sent over nothing else."""
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

    @property
    def gauges(self) -> dict[str, float]:
        """What is so at this moment, for whoever measures."""
        return {
            "viewers": sum(served.hub.viewers for served in self.every),
            "waiting": sum(served.loop.waiting for served in self.every),
            "ready": float(self.health.ready),
        }

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
    signed: Signed | None

    @property
    def who(self) -> Signed:
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
        """Return what was sent, read no further than anything that is asked for goes."""
        found = bytearray()
        async for part in self.request.stream():
            found += part
            if len(found) > LARGEST:
                raise TooLargeError
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
            models.catch_up()
            with models.reading() as connection:
                return asked(connection)

        return await self.between(work)


Handler = Callable[[Call], Awaitable[Response]]


def json(value: Any, status: int = 200) -> Response:  # noqa: ANN401 - anything that can be written
    """Return an answer as JSON."""
    return Response(canonical(value), status, media_type="application/json")
