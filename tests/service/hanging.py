"""A server whose first process cannot go on: ``python -m tests.service.hanging KIND URL PORT MARK``.

Its loop ``ends``, or ``hangs`` in a thread that never comes back, at the tenth batch. Processes begun after
it find a file at MARK, and do as they should.
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from typing import Any

from houseway.cli.serve import open_served
from houseway.cli.system import SystemRuntime
from houseway.service import health
from houseway.service.api import Server, app
from houseway.service.logs import configure_logs
from houseway.service.server_setup import ServerOptions
from houseway.service.workers import Workers, listen_at
from houseway.web.making import site

KIND, MARK = "HANGING_KIND", "HANGING_MARK"
"""Where processes begun later are options what the first was."""
AT = 10
"""So many batches go well."""


class _EndError(Exception):
    """What no loop outlives."""


def open_hanging(options: ServerOptions) -> Server:
    """Open a floor, and spoil its loop if this is the first process."""
    server, kind, mark = open_served(options), os.environ[KIND], Path(os.environ[MARK])
    health.TURNED_WITHIN, app.STUCK = 1.0, 2.5  # type: ignore[misc]
    if not mark.exists():
        mark.touch()
        (_let_hang if kind == "hangs" else _let_end)(server.loop)
    return server


def _let_hang(loop: Any) -> None:
    prepare, batches = loop.floor.prepare, iter(range(AT))

    def hang(*words: Any) -> Any:
        if next(batches, None) is None:
            time.sleep(3600)
        return prepare(*words)

    loop.floor.prepare = hang


def _let_end(loop: Any) -> None:
    turn, batches = loop._turn, iter(range(AT))

    async def end() -> Any:
        if next(batches, None) is None:
            raise _EndError
        return await turn()

    loop._turn = end


if __name__ == "__main__":
    os.environ[KIND], url, port, os.environ[MARK] = sys.argv[1:]
    configure_logs(json_lines=False)
    with listen_at("127.0.0.1", int(port)) as listening:
        print("serving", flush=True)
        Workers(open_hanging, site, ServerOptions(database=url), listening, 1, SystemRuntime()).run()
