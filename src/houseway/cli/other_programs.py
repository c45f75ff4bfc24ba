"""Other builds of the program, run from their wheels on the entries that this one decides differently.

A wheel is named by its content: this program hashes what is unpacked, and believes no name that it is given.
What could run and is no part of that name (compiled code, other packages) is never unpacked.
"""

from __future__ import annotations

import lzma
import os
import subprocess
import sys
import zipfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from houseway.build import build_in
from houseway.errors import InvalidInputError, shortened
from houseway.floor.audit import FloorVerification
from houseway.floor.bodies import build_of
from houseway.floor.copies import write_copy
from houseway.store.protocol import Picture

_PACKAGE: Final = "houseway"
_COMPILED: Final = (".pyc", ".pyo", ".pyd", ".so")
_UNREADABLE: Final = (OSError, EOFError, RuntimeError, zipfile.BadZipFile, zlib.error, lzma.LZMAError)
"""What reading an archive raises that is damaged, encrypted, or packed in a way that is not known here."""
_LARGEST: Final = 256 * 1024 * 1024
"""The most bytes that a wheel may unpack to."""
_ANSWERS: Final = (0, 1, 3)
"""The exit codes of a program that has read the log."""


class OtherBuild(Struct, frozen=True):
    """A program that was unpacked: where its wheel is, where it lies, and which build it is."""

    wheel: Path
    folder: Path
    build: str


class Elsewhere(Struct, frozen=True):
    """What other programs say of the entries that this one decides differently."""

    undecided: Mapping[str, frozenset[str]]
    """By build, where the entries are that were not decided again."""
    decided: Mapping[str, int] = {}
    """By build, how many entries its own program has decided again as they are recorded."""
    remarks: tuple[str, ...] = ()
    """What became of each program, where it was of no help."""
    fault: str = ""
    where: str = ""


class _Answer(Struct, frozen=True):
    """What ``verify-log --json`` prints, as far as it is asked here."""

    build: str = ""
    fault: str = ""
    where: str = ""
    waiting_for_decks: frozenset[str] = frozenset()


# --- wheels -------------------------------------------------------------------------------------------


@contextmanager
def unpacked(wheels: Sequence[Path]) -> Iterator[list[OtherBuild]]:
    """Unpack programs for as long as they are needed; nothing of them is run yet."""
    with TemporaryDirectory() as place:
        yield [_unpack(wheel, Path(place) / str(number)) for number, wheel in enumerate(wheels)]


def _unpack(wheel: Path, folder: Path) -> OtherBuild:
    """Unpack the package of a wheel, and name its build."""
    try:
        with zipfile.ZipFile(wheel) as archive:
            names = _names(archive, wheel)
            folder.mkdir()
            for name in names:
                archive.extract(name, folder)
    except _UNREADABLE as error:
        why = getattr(error, "strerror", None) or str(error)
        raise InvalidInputError(f"the wheel cannot be read: {why}", value=str(wheel)) from None
    if not (folder / _PACKAGE / "__main__.py").is_file():
        raise InvalidInputError("no program of houseway is in the wheel", value=str(wheel))
    return OtherBuild(wheel, folder, build_in(folder / _PACKAGE))


def _names(archive: zipfile.ZipFile, wheel: Path) -> list[str]:
    """Return which files of a wheel are unpacked; refuse one that reaches out of its folder."""
    members = archive.infolist()
    names = [member.filename for member in members]
    for name in names:
        path = PurePosixPath(name)
        if path.is_absolute() or ".." in path.parts or "\\" in name or ":" in name:
            raise InvalidInputError("a name in the wheel leads out of it", value=name, where=str(wheel))
    if len({*names}) != len(names):
        raise InvalidInputError("the wheel holds two files of one name", value=str(wheel))
    if sum(member.file_size for member in members) > _LARGEST:
        raise InvalidInputError(f"the wheel unpacks to more than {_LARGEST:,} bytes", value=str(wheel))
    return [
        name
        for name in names
        if PurePosixPath(name).parts[:1] == (_PACKAGE,) and not name.lower().endswith((*_COMPILED, "/"))
    ]


# --- asking -------------------------------------------------------------------------------------------


def decide_elsewhere(
    picture: Picture, verified: FloorVerification, programs: Sequence[OtherBuild], key: Path | None
) -> Elsewhere:
    """Have each program decide the entries of its own build again; the first fault ends it.

    Each is given a copy of the log as plain files, so that its tables may be others than this program's.
    """
    elsewhere = Elsewhere(verified.undecided)
    with TemporaryDirectory() as place:
        copy = Path(place) / "copy"
        for program in programs:
            if program.build not in elsewhere.undecided:
                remark = f"of no use here: nothing is left that build {program.build} decided differently"
                elsewhere = replace(elsewhere, remarks=(*elsewhere.remarks, f"{program.wheel}: {remark}"))
                continue
            if not copy.exists():
                write_copy(picture, copy)
            elsewhere = _weighed(picture, elsewhere, program, _ask(program, copy, key))
            if elsewhere.fault:
                break
    return elsewhere


def _ask(program: OtherBuild, copy: Path, key: Path | None) -> _Answer | str:
    """Run a program over a copy of the log; return what it says, or why it says nothing of use."""
    words = [sys.executable, "-m", _PACKAGE, "verify-log", str(copy), "--json"]
    paths = [str(program.folder), *filter(None, [os.environ.get("PYTHONPATH")])]
    run = subprocess.run(
        [*words, *(["--key", str(key.absolute())] if key else [])],
        cwd=program.folder,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
        capture_output=True,
        check=False,
    )
    complaint = (run.stderr.decode(errors="replace").strip().splitlines() or ["it says nothing"])[-1]
    if run.returncode not in _ANSWERS:
        return f"it cannot read the log: {shortened(complaint)}"
    try:
        answer = msgspec.json.decode(run.stdout, type=_Answer)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return f"it cannot read the log: {shortened(complaint)}"
    if answer.build != program.build:
        return f"it says that it is build {shortened(answer.build or 'nothing')}"
    if (run.returncode == 1) is not bool(answer.fault):
        return "it reports both a fault and none"
    return answer


def _weighed(picture: Picture, elsewhere: Elsewhere, program: OtherBuild, answer: _Answer | str) -> Elsewhere:
    """Return what is known once a program has answered."""
    build = program.build
    if isinstance(answer, str):
        return _no_help(elsewhere, program, answer)
    if answer.fault and _is_of(picture, answer.where, build):
        return replace(elsewhere, fault=f"by build {build} itself: {answer.fault}", where=answer.where)
    if answer.fault:
        return _no_help(elsewhere, program, f"it does not read what another build wrote: {answer.fault}")
    left = elsewhere.undecided[build] & answer.waiting_for_decks
    undecided = {name: places for name, places in elsewhere.undecided.items() if name != build}
    decided = {**elsewhere.decided, build: len(elsewhere.undecided[build] - left)}
    return replace(elsewhere, undecided=undecided | ({build: left} if left else {}), decided=decided)


def _no_help(elsewhere: Elsewhere, program: OtherBuild, why: str) -> Elsewhere:
    return replace(elsewhere, remarks=(*elsewhere.remarks, f"{program.wheel}, build {program.build}: {why}"))


def _is_of(picture: Picture, where: str, build: str) -> bool:
    """Whether a place is that of an entry of a build; a fault without an entry concerns the whole log."""
    stream, _, version = where.rpartition(" version ")
    if not stream or not version.isdecimal():
        return True
    entry = next(iter(picture.part(stream, int(version) - 1, int(version))), None)
    return entry is None or build_of(entry) == build
