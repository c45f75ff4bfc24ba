"""Nothing lies to whoever verifies a log: each edit of a floor's database is named, at the command line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from shutil import copyfile
from typing import Final

import pytest

from houseway.cli.entry import main
from houseway.errors import HousewayError
from houseway.floor import batches
from houseway.floor.audit import DecksOf
from houseway.floor.audit.shares import NO_SHARES, ShareResult, Shares, allot, decide_share
from houseway.floor.core import Floor
from houseway.floor.readmodels import runner
from houseway.floor.verification import decks_in, verify_floor, verify_start
from houseway.rng import SeededEntropy
from houseway.service.people_audit import FloorPersons
from houseway.store.protocol import Picture
from houseway.store.safe import DeckSafe
from houseway.store.sqlite import SqliteStore
from tests.floor.lies import of_entries, of_people, of_rounds, of_storage, of_the_floor
from tests.floor.lies.chance import byte_of_models, draw, free, only_the_tail, same_record
from tests.floor.lies.edited import Edited
from tests.floor.lies.played import KEY, Ticking, build
from tests.floor.lies.told import LIES, MODELS

TOLD: Final = (of_rounds, of_the_floor, of_people, of_entries, of_storage)
"""Who fills the table of lies."""
Capture = pytest.CaptureFixture[str]
EVERY: Final = 2_000
"""So many edits are drawn by chance."""
FEW: Final = 60
AT_ONCE: Final = 97
NOT_AT_A_START: Final = {
    **dict.fromkeys(
        [
            "a submission of $5,000 in a snapshot",
            "somebody else in a snapshot",
            "another law in a snapshot",
            "another table in a snapshot",
            "no chips in a snapshot",
            "a snapshot of another version",
            "a snapshot of another hash",
            "a snapshot of another table",
            "a snapshot of another code",
        ],
        "nobody believes it without the floor's code: the table is folded from its entries",
    ),
    "an answer emptied and not chained": "it lies before the last checkpoint: only the whole log tells",
    "an entry cut out": "it lies before the last checkpoint: only the whole log tells",
}
"""What a start does not notice, and why."""
AFTER_THE_CHECKPOINT: Final = (
    "two cards swapped in a round in progress",
    "chips brought by nobody",
    "chips brought by somebody automated",
    "somebody buys in during a time out",
    "an id of the system typed",
    "a meter adjusted by nobody",
    "a meter adjusted that nobody proposed",
    "a role given past the doors",
    "a password set by one administrator",
    "a sealed deck deleted",
    "a sealed deck that does not open",
    "a stream cut back",
    "a trigger added",
)
"""What a start refuses by itself, with no checkpoint kept elsewhere."""


def run(capsys: Capture, *words: str) -> tuple[int, str]:
    with pytest.raises(SystemExit) as stop:
        main([*words])
    printed = capsys.readouterr()
    assert isinstance(stop.value.code, int) and not printed.err
    return stop.value.code, printed.out


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of a floor that has played; its key lies beside it, and its checkpoints, exported."""
    path = tmp_path_factory.mktemp("lies") / "floor.db"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(batches, "SNAPSHOT_EVERY", 20)
        patch.setattr(runner, "FOLD_EVERY", 1)
        build(path)
    with pytest.raises(SystemExit):
        main(["checkpoints", str(path), "--out", str(exported(path))])
    return path


@pytest.fixture
def edited(floor: Path, tmp_path: Path) -> Iterator[Edited]:
    """A copy of it, to be edited."""
    edited = fresh(floor, tmp_path)
    yield edited
    edited.close()


def fresh(floor: Path, folder: Path) -> Edited:
    copyfile(floor, folder / "floor.db")
    return Edited(folder / "floor.db")


def exported(floor: Path) -> Path:
    return floor.with_name("exported")


def verified(capsys: Capture, floor: Path, copy: Path, *options: str) -> tuple[int, str]:
    """Return the exit code of ``verify-log`` on a copy, and what it says."""
    values = {"--key": [f"{floor}.key"], "--exported": [str(exported(floor))]}
    words = [word for option in options for word in (option, *values.get(option, ()))]
    return run(capsys, "verify-log", str(copy), *words)


def test_what_is_not_edited_is_whole(capsys: Capture, floor: Path, edited: Edited) -> None:
    code, said = verified(capsys, floor, edited.path, "--key", "--exported", "--readmodels")
    assert code == 0 and said.startswith("whole: 8 streams"), said
    assert "not decided again" not in said and "sealed" not in said
    assert not refused(edited.path, exported(floor).read_bytes().splitlines())


@pytest.mark.parametrize("name", LIES)
def test_a_lie_is_named(capsys: Capture, floor: Path, edited: Edited, name: str) -> None:
    lie = LIES[name]
    lie.edit(edited)
    code, said = verified(capsys, floor, edited.path, *lie.options)
    assert (code, said.count("\n")) == (1, 1) and said.startswith("fault: "), said
    assert re.search(lie.says, said), said


def test_what_another_build_is_said_to_have_decided_is_never_whole(
    capsys: Capture, floor: Path, edited: Edited
) -> None:
    """This build would decide it otherwise; whether that one did nobody can tell, and it is counted."""
    row = edited.find("turn settle")
    row.change(lambda value: value["events"][0]["outcome"]["payments"][0].update(reason="a gift"))
    row.say(build="0" * 16)
    edited.chain()
    edited.sql("DELETE FROM snapshots")
    code, said = verified(capsys, floor, edited.path)
    assert code == 3 and "not decided again: 1 entry of 0000000000000000" in said
    assert verified(capsys, floor, edited.path, "--exported")[0] == 1


def test_a_floor_that_was_emptied_is_told_by_what_was_exported(
    capsys: Capture, floor: Path, edited: Edited
) -> None:
    """By itself it is one where nothing ever happened."""
    for table in ("entries", "snapshots", "checkpoints", "sealed_decks"):
        edited.sql(f"DELETE FROM {table}")
    assert verified(capsys, floor, edited.path)[0] == 0
    assert verified(capsys, floor, edited.path, "--exported")[0] == 1


def test_a_read_model_that_was_not_compared_is_never_whole(
    capsys: Capture, floor: Path, edited: Edited
) -> None:
    edited.sql("UPDATE account_tables SET win = 0")
    edited.sql("UPDATE read_models SET version = version + 1 WHERE model = 'accounting'")
    code, said = verified(capsys, floor, edited.path, "--readmodels")
    assert code == 3 and "not compared: the read model accounting" in said


def test_read_models_that_lie_are_made_again(capsys: Capture, floor: Path, edited: Edited) -> None:
    edited.sql("UPDATE account_tables SET win = win + 1")
    edited.sql("DELETE FROM search_cards")
    edited.close()
    assert verified(capsys, floor, edited.path, "--readmodels")[0] == 1
    assert run(capsys, "read-models", str(edited.path), "--again", "all") == (0, "nothing is missing\n")
    assert verified(capsys, floor, edited.path, "--readmodels")[0] == 0


# --- since a checkpoint -------------------------------------------------------------------------------


def since(capsys: Capture, floor: Path, copy: Path) -> tuple[int, str]:
    return run(capsys, "verify-log", str(copy), "--since-checkpoint", "--key", f"{floor}.key")


def test_what_came_after_the_last_checkpoint_is_decided_alone(
    capsys: Capture, floor: Path, edited: Edited
) -> None:
    code, text = since(capsys, floor, edited.path)
    assert code == 0 and re.match(r"holds since checkpoint \d+: \d+ entries in 8 streams, [1-9]", text)
    assert not text.startswith("whole") and "earlier entries were not checked" in text


@pytest.mark.parametrize("name", AFTER_THE_CHECKPOINT[:4])
def test_a_lie_after_the_last_checkpoint_is_named_without_looking_further(
    capsys: Capture, floor: Path, edited: Edited, name: str
) -> None:
    LIES[name].edit(edited)
    code, text = since(capsys, floor, edited.path)
    assert code == 1 and re.search(LIES[name].says, text), text


# --- side by side -------------------------------------------------------------------------------------


def test_a_log_decided_side_by_side_comes_to_the_same(capsys: Capture, floor: Path, edited: Edited) -> None:
    alone = verified(capsys, floor, edited.path, "--key", "--json")
    assert alone[0] == 0
    edited.close()
    beside = run(
        capsys, "verify-log", str(edited.path), "--key", f"{floor}.key", "--json", "--processes", "3"
    )
    assert beside == alone


IN_TURNS = [name for name, lie in LIES.items() if lie.options != MODELS]


@pytest.mark.parametrize(
    "name",
    [
        *IN_TURNS[::8],
        *(pytest.param(n, marks=pytest.mark.exhaustive) for i, n in enumerate(IN_TURNS) if i % 8),
    ],
)
def test_a_lie_is_named_the_same_whoever_decides_its_table(floor: Path, edited: Edited, name: str) -> None:
    LIES[name].edit(edited)
    edited.close()
    store = SqliteStore(edited.path, read_only=True)
    try:
        with store.picture() as picture:
            safe, lines = DeckSafe(KEY, SeededEntropy("safe")), exported(floor).read_bytes().splitlines()
            for everything in (False, True):
                shares = InThisProcess(picture, decks_in(picture, safe), everything=everything)
                ways = [fault_of(picture, lines, safe, shares) for shares in (NO_SHARES, shares)]
                assert ways[0] == ways[1]
    finally:
        store.close()


class InThisProcess:
    """Shares of every second table, or of all, decided without another process."""

    def __init__(self, picture: Picture, decks: DecksOf, *, everything: bool) -> None:
        ends = {stream: head.version for stream, head in picture.heads().items()}
        tables = sorted(share for shares in allot(ends, 1 + len(ends)) for share in shares)
        self.streams = frozenset(tables if everything else tables[::2])
        self._results = [decide_share(picture, self.streams, ends, FloorPersons(), decks)]

    def results(self) -> list[ShareResult]:
        return self._results


def fault_of(picture: Picture, lines: list[bytes], safe: DeckSafe, shares: Shares) -> str:
    """Return the fault that is named, or what a log comes to."""
    try:
        whole = verify_floor(
            picture,
            lines,
            persons=FloorPersons(),
            decks=decks_in(picture, safe),
            believes=safe.snapshots.believes,
            shares=shares,
        )
    except HousewayError as error:
        return str(error)
    return repr(whole)


# --- by chance ----------------------------------------------------------------------------------------


def judged(capsys: Capture, floor: Path, folder: Path, seed: int) -> str:
    """Return what becomes of an edit drawn by chance."""
    edited = fresh(floor, folder)
    family, what = draw(edited, seed)
    edited.close()
    models = ["--readmodels"] if family == byte_of_models.__name__ else []
    code, said = verified(capsys, floor, edited.path, "--key", *models)
    if code == 1:
        return "named"
    if code == 3 and what.endswith("of another build"):
        return "counted, as of another build"
    assert code == 0, (seed, family, what, said)
    if not models and same_record(floor, edited.path):
        return "nothing is changed"
    assert free(family, what), (seed, family, what, said)
    code, said = verified(capsys, floor, edited.path, "--exported")
    if code == 1:
        return "named by what was exported"
    assert only_the_tail(floor, edited.path), (seed, family, what, said)
    return "after what was exported"


def test_edits_by_chance_are_named_or_change_nothing(capsys: Capture, floor: Path, tmp_path: Path) -> None:
    verdicts = [judged(capsys, floor, tmp_path, seed) for seed in range(FEW)]
    assert verdicts.count("named") > FEW * 3 // 4


@pytest.mark.exhaustive
@pytest.mark.parametrize("first", range(FEW, EVERY, AT_ONCE))
def test_many_edits_by_chance(capsys: Capture, floor: Path, tmp_path: Path, first: int) -> None:
    for seed in range(first, min(first + AT_ONCE, EVERY)):
        judged(capsys, floor, tmp_path, seed)


# --- at a start ---------------------------------------------------------------------------------------


def refused(path: Path, lines: list[bytes]) -> str:
    """Return why a start of the floor is refused, with checkpoints that were exported."""
    store = SqliteStore(path)
    try:
        safe = DeckSafe(KEY, SeededEntropy("safe"))
        verify_start(Floor(store, Ticking(), SeededEntropy("start"), safe), FloorPersons(), lines)
    except HousewayError as error:
        return str(error)
    finally:
        store.close()
    return ""


@pytest.mark.parametrize("name", AFTER_THE_CHECKPOINT)
def test_what_came_after_the_last_checkpoint_is_refused_at_a_start(edited: Edited, name: str) -> None:
    LIES[name].edit(edited)
    edited.close()
    assert refused(edited.path, [])


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", [name for name, lie in LIES.items() if lie.options != MODELS])
def test_every_lie_at_a_start(floor: Path, edited: Edited, name: str) -> None:
    """What lies before the last checkpoint needs one that is kept elsewhere."""
    LIES[name].edit(edited)
    edited.close()
    said = refused(edited.path, exported(floor).read_bytes().splitlines())
    assert bool(said) is (name not in NOT_AT_A_START), said
