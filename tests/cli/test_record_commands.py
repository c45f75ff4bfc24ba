"""``deal --records``, ``replay``, ``settle``, ``explain`` and ``schema``: records in files, good and bad."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from houseway.cli import main
from houseway.games import games
from houseway.rounds.action import step_of
from houseway.rounds.record import digest_of, read_record, written
from houseway.rounds.replay import verify_replay
from houseway.rounds.steps import ACTIONS

LICENSED = [found.id for found in games() if found.licensed]
BARE = {"format": "houseway-round/2"}


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as stop:
        main(list(words))
    printed = capsys.readouterr()
    assert isinstance(stop.value.code, int)
    return stop.value.code, printed.out, printed.err


@pytest.fixture
def record(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Path:
    """Deal a round and return its record."""
    assert run(capsys, "deal", "pa-659a", "--seed", "5", "--records", str(tmp_path))[0] == 0
    return tmp_path / "pa-659a-1.json"


def forged(path: Path) -> Path:
    """Return a record in which a wager was changed, with a digest that fits."""
    data = json.loads(path.read_text(encoding="utf-8"))
    wager = next(turn for turn in data["turns"] if turn["command"]["action"]["step"] == "wager")
    wager["command"]["action"]["wagers"]["main"] += 100
    data["digest"] = digest_of(data)
    other = path.with_name("forged.json")
    other.write_text(written(data), encoding="utf-8")
    return other


@pytest.mark.parametrize("game", LICENSED)
def test_rounds_that_were_dealt_are_named_by_their_table_and_replay(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, game: str
) -> None:
    code, out, _ = run(capsys, "deal", game, "--seed", "5", "--rounds", "2", "--records", str(tmp_path))
    assert (code, out.count("replay identical")) == (0, 2)
    assert sorted(path.name for path in tmp_path.iterdir()) == [f"{game}-1.json", f"{game}-2.json"]
    for number in (1, 2):
        said = run(capsys, "replay", str(tmp_path / f"{game}-{number}.json"))
        assert said == (0, f"{game}-{number}: identical\n", "")


def test_a_replay_names_the_first_difference_and_exits_1(
    capsys: pytest.CaptureFixture[str], record: Path
) -> None:
    other = str(forged(record))
    code, out, _ = run(capsys, "replay", other)
    difference, verdict = out.splitlines()
    assert (code, verdict) == (1, "pa-659a-1: NOT identical")
    assert difference.startswith("difference: command ") and ", wager: event 1, " in difference
    code, out, _ = run(capsys, "replay", other, "--json")
    named = difference.removeprefix("difference: ")
    assert (code, json.loads(out)) == (1, {"round": "pa-659a-1", "identical": False, "difference": named})
    code, out, _ = run(capsys, "replay", str(record), "--json")
    assert (code, json.loads(out)) == (0, {"round": "pa-659a-1", "identical": True, "difference": None})


def test_rounds_in_their_order_begin_where_the_one_before_ended(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    run(capsys, "deal", "pa-659a", "--seed", "5", "--rounds", "3", "--records", str(tmp_path))
    one, two, three = (str(tmp_path / f"pa-659a-{number}.json") for number in (1, 2, 3))
    lines = [f"pa-659a-{number}: identical\n" for number in (1, 2, 3)]
    assert run(capsys, "replay", one, two, three) == (0, "".join(lines), "")
    code, out, _ = run(capsys, "replay", one, three)
    said = "the table is not as the round pa-659a-1 left it"
    assert (code, out) == (1, f"{lines[0]}difference: {said}\npa-659a-3: NOT identical\n")
    code, out, _ = run(capsys, "replay", one, three, "--json")
    assert (code, json.loads(out)) == (
        1,
        [
            {"round": "pa-659a-1", "identical": True, "difference": None},
            {"round": "pa-659a-3", "identical": False, "difference": said},
        ],
    )


def test_after_a_round_that_differs_the_rest_are_looked_at(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    run(capsys, "deal", "pa-659a", "--seed", "5", "--rounds", "2", "--records", str(tmp_path))
    one, two = tmp_path / "pa-659a-1.json", tmp_path / "pa-659a-2.json"
    code, out, _ = run(capsys, "replay", str(forged(one)), str(two))
    assert (code, out.splitlines()[1:]) == (1, ["pa-659a-1: NOT identical", "pa-659a-2: identical"])
    code, _, err = run(capsys, "replay")
    assert (code, err.count("\n")) == (2, 1)


@pytest.mark.parametrize("command", ["settle", "explain"])
def test_what_does_not_replay_is_neither_settled_nor_explained(
    capsys: pytest.CaptureFixture[str], record: Path, command: str
) -> None:
    code, out, err = run(capsys, command, str(forged(record)))
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert err.startswith("houseway: pa-659a-1: command ")


@pytest.mark.parametrize("seat", ["99", "-1", "1"])
def test_explain_refuses_a_seat_that_nobody_played_by_its_number(
    capsys: pytest.CaptureFixture[str], record: Path, seat: str
) -> None:
    code, out, err = run(capsys, "explain", str(record), "--seat", seat)
    assert (code, out) == (2, "")
    assert re.fullmatch(rf"houseway: nobody played there; the positions played are [2-7, ]+: {seat}\n", err)


def test_settle_prints_the_payments_of_the_replayed_round(
    capsys: pytest.CaptureFixture[str], record: Path
) -> None:
    this_round = verify_replay(read_record(record)).last
    assert this_round is not None
    code, out, _ = run(capsys, "settle", str(record))
    lines = out.splitlines()
    assert (code, len(lines)) == (0, len(this_round.payments))
    assert any(line.startswith("2 main: ") and line.endswith("]") for line in lines)
    code, out, _ = run(capsys, "settle", str(record), "--json")
    rows: list[dict[str, Any]] = json.loads(out)
    assert [(row["wager"], row["source"], row["to"]) for row in rows] == [
        (payment.wager, str(payment.source), str(payment.to)) for payment in this_round.payments
    ]
    assert set(rows[0]) == {
        "position", "person", "wager", "kind", "amount", "source", "to", "reason", "clauses",
    }  # fmt: skip


@pytest.mark.parametrize("command", ["replay", "settle", "explain"])
@pytest.mark.parametrize(
    ("text", "said"),
    [
        (None, "no such file"),
        (b"\xff\x00", "it is not JSON"),
        (b"[" * 100_000, "it is not JSON"),
        (b'format = "houseway-round/1"\n', "older format"),
        (b"[]", "the format houseway-round/2 is read here"),
        (b'{"format": "houseway-round/2"}', "its digest is another"),
        (json.dumps(BARE | {"digest": digest_of(BARE)}).encode(), "not a record"),
    ],
    ids=["nothing", "bytes", "deep", "older", "list", "empty", "bare"],
)
def test_a_file_that_is_no_record_is_one_clear_line_and_exit_code_2(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, command: str, text: bytes | None, said: str
) -> None:
    path = tmp_path / "bad.json"
    if text is not None:
        path.write_bytes(text)
    code, out, err = run(capsys, command, str(path))
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert err.startswith("houseway: ") and said in err


def test_a_folder_and_a_changed_record_are_refused(capsys: pytest.CaptureFixture[str], record: Path) -> None:
    assert run(capsys, "replay", str(record.parent))[0] == 2
    record.write_text(record.read_text(encoding="utf-8").replace('"main":1000', '"main":1100', 1))
    code, out, err = run(capsys, "replay", str(record))
    assert (code, out) == (2, "")
    assert "changed since it was written" in err


def test_the_schema_names_every_step_and_leads_nowhere_else(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "schema")
    found = json.loads(out)
    assert (code, set(found["properties"])) == (0, {"command", "event", "snapshot"})
    known = {f"#/$defs/{name}" for name in found["$defs"]}
    assert set(refs(found)) <= known
    steps = {step for kind in found["$defs"].values() for step in _steps(kind)}
    assert steps == {step_of(action) for action in ACTIONS}


def _steps(kind: dict[str, Any]) -> list[str]:
    return list(kind.get("properties", {}).get("step", {}).get("enum", []))


def refs(data: Any) -> list[str]:
    if isinstance(data, dict):
        own = [data["$ref"]] if isinstance(data.get("$ref"), str) else []
        return own + [ref for value in data.values() for ref in refs(value)]
    return [ref for value in data for ref in refs(value)] if isinstance(data, list) else []


@pytest.mark.parametrize(
    ("game", "wagers", "said"),
    [
        ("pa-659a", "main=$10,main=$20", "a wager is named once: 'main'"),
        ("pa-670a", "main=$10,double_down=$5", "a Double Down equals the main wager"),
        ("pa-670a", "main=$10,double_down=$5", "[pa670a.7.e.1]"),
        ("pa-659a", "main=$10,double_down=$10", "has no such wager: 'double_down' [pa659a.7.e]"),
    ],
)
def test_wagers_that_cannot_be_placed_are_refused_before_the_deal(
    capsys: pytest.CaptureFixture[str], game: str, wagers: str, said: str
) -> None:
    code, out, err = run(capsys, "deal", game, "--wagers", wagers)
    assert code != 0 and said in out + err
