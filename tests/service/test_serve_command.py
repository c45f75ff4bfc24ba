"""``houseway serve`` as people run it: a process, a port, a password shown once, and a restart."""

from __future__ import annotations

import json
import re
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from houseway.service.api.auth import CSRF_HEADER

SECONDS = 60


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port


class Served(NamedTuple):
    """A server that runs: its process, and what it printed."""

    pid: int
    said: list[str]


@contextmanager
def serving(database: Path | str, port: int, *more: str) -> Iterator[Served]:
    """Serve a floor in a process of its own, and end it as a service is ended."""
    where = ["--database", str(database), "--port", str(port)]
    with started([sys.executable, "-m", "houseway", "serve", *where, *more], port) as served:
        yield served


@contextmanager
def started(
    words: Sequence[str], port: int, cwd: Path | None = None, env: Mapping[str, str] | None = None
) -> Iterator[Served]:
    """Run a command that serves a floor, and end it as a service is ended."""
    with subprocess.Popen(
        words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=cwd, env=env
    ) as process:
        said: list[str] = []
        assert process.stdout is not None
        for line in process.stdout:
            said.append(line.rstrip())
            if "serving" in line:
                break
        reader = threading.Thread(target=_read_on, args=(process.stdout, said))
        reader.start()  # a pipe that nobody reads is full one day, and whoever logs waits
        try:
            wait_for(port)
            yield Served(process.pid, said)
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(timeout=SECONDS)
            reader.join(SECONDS)
        assert process.returncode == 0, said


def _read_on(lines: Iterable[str], said: list[str]) -> None:
    said.extend(line.rstrip() for line in lines)


def wait_for(port: int) -> None:
    for _ in range(SECONDS * 20):
        try:
            if ask(port, "/ready")["ready"]:
                return
        except (OSError, urllib.error.URLError):
            pass
        time.sleep(0.05)
    raise AssertionError("the server does not answer")


def ask(port: int, path: str, body: Any = None, cookie: str = "", csrf: str = "") -> Any:
    request = urllib.request.Request(
        f"http://127.0.0.1:{port}{path}",
        data=None if body is None else json.dumps(body).encode(),
        headers={"cookie": cookie, CSRF_HEADER: csrf},
    )
    with urllib.request.urlopen(request, timeout=SECONDS) as answer:
        found = json.loads(answer.read())
        if isinstance(found, dict) and answer.headers.get("set-cookie"):
            found["cookie"] = answer.headers["set-cookie"].partition(";")[0]
        return found


def houseway(*words: str) -> subprocess.CompletedProcess[str]:
    """Try to serve something that is refused."""
    command = [sys.executable, "-m", "houseway", "serve", *words]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=SECONDS)


def add_administrator(database: Path, user: str, name: str) -> subprocess.CompletedProcess[str]:
    """Try to add an administrator at the command line."""
    command = [sys.executable, "-m", "houseway", "administrator", "add", "--database", str(database)]
    return subprocess.run(
        [*command, user, name], capture_output=True, text=True, check=False, timeout=SECONDS
    )


def test_a_floor_is_served_stopped_and_served_again(tmp_path: Path) -> None:
    database, port = tmp_path / "floor.db", free_port()
    with serving(database, port) as served:
        printed = re.compile(r"sign in as (.+) with the temporary password (\S+) \(shown this once\)")
        shown = dict(printed.findall("\n".join(served.said)))
        assert sorted(shown) == ["Administrator 1", "Administrator 2"] and len(set(shown.values())) == 2
        login = {"name": "Administrator 1", "password": shown["Administrator 1"]}
        me = ask(port, "/api/v1/session", login)
        assert me["role"] == "administrator" and me["must"] == "change_password"
        with pytest.raises(urllib.error.HTTPError) as refused:
            ask(port, "/api/v1/tables", cookie=me["cookie"])
        assert refused.value.code == 403
        own = {"old": login["password"], "new": "a staple of horses"}
        me = ask(port, "/api/v1/me/password", own, cookie=me["cookie"], csrf=me["csrf"])
        login["password"] = own["new"]
        assert ask(port, "/api/v1/tables", cookie=me["cookie"]) == []
        alone = add_administrator(database, "administrator-3", "Third")
        assert alone.returncode == 2 and "another process serves this file" in alone.stderr
        second = houseway("--database", str(database), "--port", str(free_port()))
        assert second.returncode == 2 and "another process serves this file" in second.stderr
        third = houseway("--database", str(tmp_path / "other.db"), "--port", str(port))
        assert third.returncode == 2 and "cannot listen there" in third.stderr
    with serving(database, port) as served:
        assert not [line for line in served.said if "password" in line], "a password is shown once"
        assert ask(port, "/api/v1/session", cookie=me["cookie"])["id"] == "administrator-1", "still signed in"
        assert "must" not in ask(port, "/api/v1/session", login)
