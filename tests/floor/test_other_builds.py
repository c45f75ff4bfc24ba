"""What another build decided is decided again by that build, out of its wheel, and by none else."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pytest

from houseway.build import build_in, this_build
from houseway.store.entries import Entry
from houseway.store.sqlite import SqliteStore
from tests.floor.logs import with_change
from tests.floor.support import new_floor, play
from tests.floor.test_operations import done, run

ROOT: Final = Path(__file__).parents[2]
SRC: Final = ROOT / "src"
CHANGED: Final = "houseway/settlement/model.py"
REASON, OTHER_REASON = b'"wager placed"', b'"placed as a wager"'
"""Why a stake moves, by this build and by the other."""
PLAYING: Final = """
import sys
from pathlib import Path
from houseway.store.entries import Entry
from houseway.store.sqlite import SqliteStore
from tests.floor.logs import advance
from tests.floor.support import new_floor, two_tables
store = SqliteStore(Path(sys.argv[1]))
advance(two_tables(new_floor(store)), 14)
store.close()
"""
Capture = pytest.CaptureFixture[str]


def pack(wheel: Path) -> Path:
    """Make a wheel of this program in which stakes move for another reason."""
    with zipfile.ZipFile(wheel, "w") as archive:
        for path in sorted((SRC / "houseway").rglob("*")):
            name = path.relative_to(SRC).as_posix()
            if path.is_file() and "__pycache__" not in name and "/static/" not in name:
                data = path.read_bytes()
                archive.writestr(name, data.replace(REASON, OTHER_REASON) if name == CHANGED else data)
        archive.writestr("houseway-0.dist-info/METADATA", "Name: houseway\n")
    return wheel


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of another build, in which stakes move for another reason."""
    return pack(tmp_path_factory.mktemp("wheels") / "houseway-0-py3-none-any.whl")


@pytest.fixture(scope="module")
def other(wheel: Path) -> str:
    """The name of that build."""
    folder = wheel.with_name("unpacked")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)
    return build_in(folder / "houseway")


@pytest.fixture(scope="module")
def log(wheel: Path, other: str) -> Path:
    """A log that the other build has begun in the middle of a round, which this build plays to its end."""
    assert other != this_build()
    path = wheel.with_name("floor.db")
    paths = os.pathsep.join([str(wheel.with_name("unpacked")), str(ROOT)])
    environment = os.environ | {"PYTHONPATH": paths}
    subprocess.run([sys.executable, "-c", PLAYING, path], env=environment, check=True)
    store = SqliteStore(path)
    play(new_floor(store, "upgraded"), "t1", 1)
    store.close()
    return path


def wagers(log: Path) -> list[str]:
    """Return where the wagers are, whose stakes move for another reason."""
    store = SqliteStore(log, read_only=True)
    places = [f"{one.stream} version {one.version}" for _, one in store.everything() if is_wager(one)]
    store.close()
    assert len(places) == 2
    return places


def is_wager(entry: Entry) -> bool:
    return OTHER_REASON in entry.body


def changed(log: Path, path: Path, change: Callable[[dict[str, Any]], object], table: str = "") -> Path:
    """Write the log anew with the wagers changed, at one table or at both, and all that follows from it."""

    def change_wager(entry: Entry, body: dict[str, Any]) -> bool:
        if is_wager(entry) and entry.stream.endswith(table):
            change(body)
        return False

    store = SqliteStore(log, read_only=True)
    with_change(store, path, change_wager)
    store.close()
    return path


def lie(body: dict[str, Any]) -> None:
    body["value"]["events"][0]["outcome"]["stakes"][0]["reason"] = "nobody ever said so"


def test_entries_of_another_build_are_decided_again_by_its_program(
    capsys: Capture, log: Path, wheel: Path, other: str
) -> None:
    code, said, _ = run(capsys, "verify-log", log)
    assert code == 3 and f"not decided again: 2 entries of {other}" in said
    said = done(capsys, "verify-log", log, "--program", wheel)
    assert said.startswith("whole: ") and f"decided again by build {other}: 2 entries\n" in said
    assert "not decided again" not in said


def test_a_lie_of_another_build_is_named_by_its_program(
    capsys: Capture, log: Path, wheel: Path, other: str, tmp_path: Path
) -> None:
    path = changed(log, tmp_path / "lying.db", lie, "t2")
    assert run(capsys, "verify-log", path)[0] == 3  # by itself, this build cannot tell it from a rule of then
    code, said, _ = run(capsys, "verify-log", path, "--program", wheel)
    assert code == 1 and said.startswith(f"fault: by build {other} itself: {wagers(log)[0]}: ")
    assert "nobody ever said so" in said


def test_what_names_a_build_whose_program_is_not_there_stays_not_decided_again(
    capsys: Capture, log: Path, wheel: Path, other: str, tmp_path: Path
) -> None:
    """It is nobody's: the program of a third build says nothing of it, and its own entries are decided."""
    path = changed(log, tmp_path / "third.db", lambda body: body.update(build="0" * 16), "t1")
    done(capsys, "export", path, "--out", tmp_path / "copy", "--format", "copy")
    code, said, _ = run(capsys, "verify-log", tmp_path / "copy", "--program", wheel, "--json")
    answer = json.loads(said)
    assert code == 3 and not answer["whole"] and answer["build"] == this_build()
    assert answer["decided_by_other_builds"] == {other: 1}
    assert answer["not_decided_again"] == {"0" * 16: 1}


# --- programs that cannot be trusted ------------------------------------------------------------------


def answering(folder: Path, answer: str, **more: bytes) -> tuple[Path, str]:
    """Return the wheel of a program that only answers, with more files in it, and the build it is."""
    main = f"import sys\nfrom houseway.build import this_build\nBUILD = this_build()\n{answer}\n"
    files = {"__init__": "", "__main__": main, "build": (SRC / "houseway" / "build.py").read_text("utf-8")}
    (folder / "houseway").mkdir()
    with zipfile.ZipFile(folder / "other.whl", "w") as archive:
        for name, text in files.items():
            (folder / "houseway" / f"{name}.py").write_text(text, encoding="utf-8")
            archive.writestr(f"houseway/{name}.py", text)
        for name, data in more.items():
            archive.writestr(name, data)
    return folder / "other.whl", build_in(folder / "houseway")


def says(code: int, **answer: object) -> str:
    fields = ", ".join(f'"{name}": {value}' for name, value in answer.items())
    return f"import json\nprint(json.dumps({{{fields}}}))\nsys.exit({code})"


@pytest.mark.parametrize(
    ("answer", "code", "said"),
    [
        ("sys.exit('out of order')", 3, "it cannot read the log: "),
        ("sys.exit(2)", 3, "it cannot read the log: it says nothing"),
        ("print('fine')", 3, "it cannot read the log: it says nothing"),
        (says(0, build="'0000'"), 3, "it says that it is build 0000"),
        (says(0), 3, "it says that it is build nothing"),
        (says(0, build="BUILD", fault="'x'"), 3, "it reports both a fault and none"),
        (
            says(1, build="BUILD", fault="'odd'", where="'floor version 1'"),
            3,
            "it does not read what another build wrote: odd",
        ),
        (says(1, build="BUILD", fault="'all of it'"), 1, "itself: all of it"),
        (says(0, build="BUILD", waiting_for_decks="['WAGER']"), 3, "not decided again: 1 entry of BUILD"),
        (says(3, build="BUILD", waiting_for_decks="['table/t1 version 1']"), 0, "by build BUILD: 2 entries"),
    ],
)
def test_what_a_program_answers_makes_a_log_whole_only_where_it_decided_its_own_entries(
    capsys: Capture, log: Path, tmp_path: Path, answer: str, code: int, said: str
) -> None:
    path, build = answering(tmp_path, answer.replace("WAGER", wagers(log)[0]))
    named = changed(log, tmp_path / "named.db", lambda body: body.update(build=build))
    exit_code, out, _ = run(capsys, "verify-log", named, "--program", path)
    assert exit_code == code and said.replace("BUILD", build) in out, out


@pytest.mark.parametrize(
    "name", ["../evil.py", "/evil.py", "houseway/../../evil.py", "houseway\\..\\evil.py"]
)
def test_a_wheel_that_leads_out_of_its_folder_is_refused(
    capsys: Capture, log: Path, tmp_path: Path, name: str
) -> None:
    with zipfile.ZipFile(tmp_path / "bad.whl", "w") as archive:
        archive.writestr("houseway/__main__.py", "")
        archive.writestr(zipfile.ZipInfo(name), "")
    code, _, err = run(capsys, "verify-log", log, "--program", tmp_path / "bad.whl")
    assert code == 2 and "a name in the wheel leads out of it" in err


def test_a_file_that_is_no_wheel_of_this_program_is_refused(
    capsys: Capture, log: Path, tmp_path: Path
) -> None:
    (tmp_path / "text.whl").write_text("no wheel")
    with zipfile.ZipFile(tmp_path / "empty.whl", "w"):
        pass
    damaged, (shown, _) = tmp_path / "damaged.whl", answering(tmp_path, "")
    damaged.write_bytes(shown.read_bytes().replace(b"import sys", b"import syz"))
    for name, said in (
        ("damaged", "Bad CRC"),
        ("none", "cannot be read"),
        ("text", "cannot be read"),
        ("empty", "no program"),
    ):
        code, _, err = run(capsys, "verify-log", log, "--program", tmp_path / f"{name}.whl")
        assert code == 2 and said in err and err.count("\n") == 1


def test_what_no_build_is_named_by_is_not_unpacked(capsys: Capture, log: Path, tmp_path: Path) -> None:
    """Compiled code and other packages are no part of a build's name: neither could run in its place."""
    more = {
        "houseway/build.cpython-311-x86_64-linux-gnu.so": b"no library",
        "houseway/json.pyc": b"no code",
        "sitecustomize.py": b"raise SystemExit(1)",
        "json.py": b"raise SystemExit(1)",
    }
    path, build = answering(tmp_path, says(0, build="BUILD"), **more)
    named = changed(log, tmp_path / "named.db", lambda body: body.update(build=build))
    assert done(capsys, "verify-log", named, "--program", path).startswith("whole")


def test_a_wheel_that_is_of_no_use_is_said_to_be(capsys: Capture, log: Path, tmp_path: Path) -> None:
    path, build = answering(tmp_path, says(0, build="BUILD"))
    code, said, _ = run(capsys, "verify-log", log, "--program", path)
    assert code == 3 and f"{path}: of no use here: nothing is left that build {build}" in said
    named = changed(log, tmp_path / "named.db", lambda body: body.update(build=build))
    said = done(capsys, "verify-log", named, "--program", path, "--program", path)
    assert said.count("of no use here") == 1
