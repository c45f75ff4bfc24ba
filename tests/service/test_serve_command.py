"""``houseway serve`` as people run it: a process, a port, a password shown once, and a restart."""

from __future__ import annotations

import json
import re
import signal
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

SECONDS = 60


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port


@contextmanager
def serving(database: Path, port: int) -> Iterator[list[str]]:
    """Serve a floor in a process of its own, and end it as a service is ended."""
    words = [sys.executable, "-m", "houseway", "serve", "--database", str(database), "--port", str(port)]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        said: list[str] = []
        assert process.stdout is not None
        for line in process.stdout:
            said.append(line.rstrip())
            if "serving" in line:
                break
        try:
            wait_for(port)
            yield said
        finally:
            process.send_signal(signal.SIGTERM)
            left = process.communicate(timeout=SECONDS)[0]
        assert process.returncode in (0, -signal.SIGTERM), left


def wait_for(port: int) -> None:
    for _ in range(SECONDS * 20):
        try:
            if ask(port, "/ready") == {"ready": True}:
                return
        except (OSError, urllib.error.URLError):
            pass
        signal.sigtimedwait([], 0.05)
    raise AssertionError("the server does not answer")


def ask(port: int, path: str, body: Any = None, cookie: str = "") -> Any:
    request = urllib.request.Request(
        f"http://127.0.0.1:{port}{path}",
        data=None if body is None else json.dumps(body).encode(),
        headers={"cookie": cookie},
    )
    with urllib.request.urlopen(request, timeout=SECONDS) as answer:
        found = json.loads(answer.read())
        if isinstance(found, dict) and answer.headers.get("set-cookie"):
            found["cookie"] = answer.headers["set-cookie"].partition(";")[0]
        return found


def test_a_floor_is_served_stopped_and_served_again(tmp_path: Path) -> None:
    database, port = tmp_path / "floor.db", free_port()
    with serving(database, port) as said:
        (password,) = (found[1] for line in said if (found := re.search(r"administrator\): (\S+)$", line)))
        login = {"name": "Administrator", "password": password}
        me = ask(port, "/api/v1/session", login)
        assert me["role"] == "administrator"
        assert ask(port, "/api/v1/tables", cookie=me["cookie"]) == []
    with serving(database, port) as said:
        assert not [line for line in said if "):" in line], "a password is shown once"
        assert ask(port, "/api/v1/session", cookie=me["cookie"])["id"] == "administrator", "still signed in"
        assert ask(port, "/api/v1/session", login)["role"] == "administrator"


def test_a_second_server_on_the_file_is_refused_by_name(tmp_path: Path) -> None:
    database, port = tmp_path / "floor.db", free_port()
    with serving(database, port):
        words = [sys.executable, "-m", "houseway", "serve", "--database", str(database), "--port", "1"]
        second = subprocess.run(words, capture_output=True, text=True, check=False, timeout=SECONDS)
        assert second.returncode == 2 and "another process serves this file" in second.stderr
