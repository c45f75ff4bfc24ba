"""Server processes on one database and one port: started together, restarted if one dies, stopped together.

All of them accept from one listening socket, so that no connection is lost with a process. A process that
stops answers its waiting requests first; one whose parent is gone stops by itself.
"""

from __future__ import annotations

import asyncio
import gc
import logging
import multiprocessing
import os
import signal
import socket
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing.connection import wait
from multiprocessing.context import SpawnProcess
from types import FrameType
from typing import Final

import uvicorn
from starlette.types import ASGIApp

from houseway.errors import HousewayError, IllegalError
from houseway.runtime import Runtime
from houseway.service.api import Server
from houseway.service.connections import Connections
from houseway.service.logs import configure_logs
from houseway.service.server_setup import ServerOptions
from houseway.service.uvicorn_protocols import GRACE, ServerConfig

LOG: Final = logging.getLogger("houseway.service")
BACKLOG: Final = 2048
SWITCH_INTERVAL: Final = 0.001
"""Seconds for which a computing thread keeps other threads waiting; Python's default is five times as long.

A batch is stored in several steps, after each of which its thread waits for those that answer requests.
"""
COLLECTOR_THRESHOLDS: Final = (20_000, 50, 100)
"""The garbage collector's thresholds: young objects are examined rarely, and old ones more rarely."""
SHORTEST_WAIT: Final = 0.5
LONGEST_WAIT: Final = 10.0
"""Seconds before a dead process is restarted; they double each time that it dies young."""
YOUNG: Final = 20.0
PARENT_CHECK_INTERVAL: Final = 1.0
"""Seconds between two checks whether the parent is alive."""
GAVE_UP: Final = 75
"""The exit status of a process that cannot continue."""
_SIGNALS: Final = (signal.SIGTERM, signal.SIGINT)


OpenServer = Callable[[ServerOptions], Server]
"""Opens the floor and returns its server; must be importable by another process."""
MakeApp = Callable[[Server], ASGIApp]
"""Makes the application of a server; must be importable by another process."""


def listen_at(host: str, port: int) -> socket.socket:
    """Return a listening socket, or raise if the address cannot be used."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # with another protocol asyncio would not set TCP_NODELAY
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
    except OSError as error:
        listening.close()
        raise IllegalError(f"cannot listen there: {error.strerror}", value=f"{host}:{port}") from None
    listening.listen(BACKLOG)
    listening.set_inheritable(True)
    return listening


# --- one process --------------------------------------------------------------------------------------


def network_server(server: Server, site: MakeApp) -> uvicorn.Server:
    """Return the uvicorn server of a site, with its connections watched."""
    connections = Connections(server.network, server.metrics, server.runtime.monotonic)
    server.tasks = [*server.tasks, lambda: connections.watch(server.runtime.sleep)]
    return uvicorn.Server(ServerConfig(site(server), server.network, connections))


def run_server(server: Server, site: MakeApp, listening: socket.socket, parent: int | None = None) -> None:
    """Serve until a signal comes, then stop in order; a server that cannot continue exits at once."""
    server.give_up = _give_up
    serving = network_server(server, site)
    _spare_collector()
    sys.setswitchinterval(SWITCH_INTERVAL)

    async def run() -> None:
        orphaned = asyncio.create_task(_stop_with_parent(parent, serving, server.runtime)) if parent else None
        await serving.serve(sockets=[listening])
        if orphaned is not None:
            orphaned.cancel()

    # uvicorn has its own handlers, and raises the signal again at the end
    with _handle_signals(lambda *_: None):
        try:
            asyncio.run(run())
        finally:
            server.close()


def _give_up(why: str) -> None:
    """Exit this process at once; its parent starts another, and nothing acknowledged is lost."""
    LOG.critical("this process gives itself up: %s", why)
    os._exit(GAVE_UP)


def _spare_collector() -> None:
    """Exempt everything that exists at the start from garbage collection.

    Values here hardly ever form reference cycles: examining all tables, rules and law again and again finds
    nothing, and blocks all answers meanwhile.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(*COLLECTOR_THRESHOLDS)


async def _stop_with_parent(parent: int, serving: uvicorn.Server, runtime: Runtime) -> None:
    while os.getppid() == parent:
        await runtime.sleep(PARENT_CHECK_INTERVAL)
    serving.should_exit = True


@contextmanager
def _handle_signals(handler: Callable[[int, FrameType | None], None]) -> Iterator[None]:
    """Handle the signals that stop a service within the context."""
    before = {number: signal.signal(number, handler) for number in _SIGNALS}
    try:
        yield
    finally:
        for number, was in before.items():
            signal.signal(number, was)


# --- several processes --------------------------------------------------------------------------------


def _run_worker(
    opening: OpenServer, site: MakeApp, options: ServerOptions, listening: socket.socket, parent: int
) -> None:
    """Serve in a process of its own."""
    configure_logs(json_lines=options.json_logs)
    try:
        server = opening(options)
    except HousewayError as error:  # such as a database that is away: the parent starts another process later
        LOG.error("this process cannot begin: %s", error)
        sys.exit(GAVE_UP)
    run_server(server, site, listening, parent)


class Workers:
    """The server processes and their supervisor."""

    def __init__(
        self,
        opening: OpenServer,
        site: MakeApp,
        options: ServerOptions,
        listening: socket.socket,
        many: int,
        runtime: Runtime,
    ) -> None:
        self._runtime = runtime
        self._args = opening, site, options, listening, os.getpid()
        self._context = multiprocessing.get_context("spawn")
        self._processes: dict[int, SpawnProcess] = {}
        self._started_at: dict[int, float] = {}
        self._waits = dict.fromkeys(range(many), SHORTEST_WAIT)
        self._due = dict.fromkeys(range(many), 0.0)
        self._stopping = False

    def run(self) -> None:
        """Keep all processes running until a signal comes, then stop them in order."""
        with _handle_signals(self._stop):
            while not self._stopping:
                self._begin_due()
                wait([process.sentinel for process in self._processes.values()], timeout=0.2)
                self._note_deaths()
            self._stop_all()

    def _stop(self, _: int, __: FrameType | None) -> None:
        self._stopping = True

    def _begin_due(self) -> None:
        for number, due in self._due.items():
            if number not in self._processes and self._runtime.monotonic() >= due:
                process = self._context.Process(
                    target=_run_worker, args=self._args, name=f"houseway {number}"
                )
                process.start()
                self._processes[number], self._started_at[number] = process, self._runtime.monotonic()

    def _note_deaths(self) -> None:
        """Note which processes died, and schedule their restart."""
        for number, process in [*self._processes.items()]:
            if process.is_alive():
                continue
            del self._processes[number]
            if self._stopping:
                continue
            young = self._runtime.monotonic() - self._started_at[number] < YOUNG
            waits = min(LONGEST_WAIT, 2 * self._waits[number]) if young else SHORTEST_WAIT
            self._due[number], self._waits[number] = self._runtime.monotonic() + self._waits[number], waits
            LOG.error("server process %s died (%s) and is begun again", process.pid, process.exitcode)

    def _stop_all(self) -> None:
        """Ask every process to stop, wait, and kill those that do not stop in time."""
        processes = [*self._processes.values()]
        for process in processes:
            process.terminate()
        until = self._runtime.monotonic() + 2 * GRACE
        for process in processes:
            process.join(max(0.0, until - self._runtime.monotonic()))
            if process.is_alive():
                process.kill()
                process.join()
