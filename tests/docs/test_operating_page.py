"""Every command of the page for operators is run, on a floor in a folder of its own."""

from __future__ import annotations

import os
import re
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from houseway.cli.entry import main
from tests.docs.test_documents_run import ROOT, fences, transcripts
from tests.floor.test_other_builds import pack
from tests.service.test_serve_command import free_port, started, wait_for
from tests.store.support import fresh_database

PAGE = (ROOT / "docs" / "operating.md").read_text(encoding="utf-8")
EXAMPLE = "postgresql://floor@db.example/floor"
"""The database that the page speaks of, and that a test has another one for."""
STANDBY = "postgresql://floor@db1.example,db2.example/floor?target_session_attrs=read-write"
"""The database and its standby; a test has one server for both."""
SECONDS = 120
COMMANDS = [one for kind, _, text in fences(PAGE) if kind == "console" for one in transcripts(text)]


def pattern_of(line: str) -> str:
    """Return what a line of the page matches: three dots stand for whatever is printed there."""
    return ".*".join(re.escape(part) for part in line.strip().split("…"))


def check_printed(printed: str, expected: str, where: str) -> None:
    for line in filter(None, expected.splitlines()):
        assert re.search(pattern_of(line), printed), f"{where}\nnot printed: {line}\n{printed}"


def environment(folder: Path) -> dict[str, str]:
    return os.environ | {"PYTHONPATH": str(ROOT / "src"), "COLUMNS": "200", "HOME": str(folder)}


def serve(words: list[str], folder: Path, port: int) -> str:
    """Serve until the server is ready, end it as a service is ended, and return what it printed."""
    with subprocess.Popen(
        words,
        cwd=folder,
        env=environment(folder),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as process:
        printed = ""
        assert process.stdout is not None
        for line in process.stdout:
            printed += line
            if line.startswith("serving"):
                break
        try:
            wait_for(port)
        finally:
            process.send_signal(signal.SIGTERM)
            printed += process.communicate(timeout=SECONDS)[0]
        assert process.returncode == 0, printed
    return printed


def twice(url: str) -> str:
    """Return a URL that names its server twice, as if the second were a standby."""
    return f"{url},{url.partition('host=')[2]}&target_session_attrs=read-write"


def run(command: str, folder: Path, url: str, capsys: pytest.CaptureFixture[str]) -> str:
    """Run a command of the page, with a port and a database of the test's own: in this process if it ends."""
    port = free_port()
    command = command.replace(EXAMPLE, url).replace(STANDBY, twice(url)).replace("8000", str(port))
    words = [sys.executable, "-m", *shlex.split(command)]
    if words[3] == "serve":
        return serve(words, folder, port)
    if words[3] == "witness":
        floor = ["serve", "--database", "floor.db", "--port", str(port), "--key", "keys/floor.key"]
        with started([*words[:3], *floor], port, cwd=folder, env=environment(folder)):
            return finished(words[3:], command, capsys)
    return finished(words[3:], command, capsys)


def finished(words: list[str], command: str, capsys: pytest.CaptureFixture[str]) -> str:
    """Run a command that ends, and return what it printed."""
    with pytest.raises(SystemExit) as end:
        main(words)
    printed = "".join(capsys.readouterr())
    assert not end.value.code, f"{command}\n{printed}"
    return printed


def test_the_page_for_operators_is_followed_from_its_first_command_to_its_last(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert len(COMMANDS) > 8
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("COLUMNS", "200")
    with fresh_database() as url:
        shown = url.rpartition("@")[2].partition("?")[0]
        for command, expected in COMMANDS:
            if "--key keys/floor.key" in command and not (tmp_path / "keys").exists():
                (tmp_path / "keys").mkdir()
                (tmp_path / "floor.db.key").rename(tmp_path / "keys" / "floor.key")
            if "--program houseway-1.whl" in command:
                pack(tmp_path / "houseway-1.whl")
            printed = re.sub(r"127\.0\.0\.1:\d+", "127.0.0.1:8000", run(command, tmp_path, url, capsys))
            here = "db1.example,db2.example/floor" if STANDBY in command else "db.example/floor"
            check_printed(printed.replace(shown, here), expected, command)


@pytest.mark.parametrize("name", ["serving", "loop", "storage", "read_models", "clock"])
def test_every_condition_of_readiness_is_explained(name: str) -> None:
    assert f"| `{name}` |" in PAGE
