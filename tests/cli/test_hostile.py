"""Hostile input: one clear short line that no terminal obeys, exit code 2, nothing written."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from houseway.cli import fee, main
from houseway.cli.output import console, emit, table
from houseway.errors import HousewayError, InvalidInputError, has_control_characters
from houseway.games.submission import EXAMPLES
from houseway.houseways.document import HOUSE_WAY_FILES
from houseway.odds.notes import NotesFile
from houseway.rounds.record import digest_of, written

LONGEST = 400
ORDERS = "\x1b[2J\u202e"
"""Clears a terminal, and turns the direction of writing."""
HUGE = "A" * 20_000
EXAMPLE = (EXAMPLES / "pa-659a" / "example.toml").read_text(encoding="utf-8")
WAY = (HOUSE_WAY_FILES / "houseway-421.toml").read_text(encoding="utf-8")
PAYTABLE = 'wager = "fortune"\nreference = "R"\n[[lines]]\nhand = "flush"\npays = "4 to 1"\n'
ROUND = Path(__file__).parents[2] / "examples" / "round-659a.json"
DEEP = 5_000

Capsys = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def short(value: str) -> str:
    """Name a case by the beginning and the end of its value."""
    text = ascii(value)
    return text if len(text) < 30 else f"{text[:8]}...{text[-8:]}"


def run(capsys: Capsys, *words: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as stop:
        main(list(words))
    printed = capsys.readouterr()
    assert isinstance(stop.value.code, int)
    return stop.value.code, printed.out, printed.err


def refused(capsys: Capsys, *words: str) -> str:
    """Run a command that is to refuse its input as it should, and return what it says."""
    before = sorted(Path().rglob("*"))
    code, out, err = run(capsys, *words)
    assert (code, out) == (2, "")
    assert err.startswith("houseway: ") and err.endswith("\n")
    assert len(err) < LONGEST, len(err)
    assert not has_control_characters(err.removesuffix("\n"))
    assert sorted(Path().rglob("*")) == before
    return err


# --- documents ---------------------------------------------------------------------------------------


def with_game(text: str) -> str:
    return EXAMPLE.replace('game = "pa-659a"', f'game = "{text}"')


def with_positions(text: str) -> str:
    return EXAMPLE.replace("positions = 6", f"positions = {text}")


DOCUMENTS: dict[str, str | bytes] = {
    "lists nested deep": f"{EXAMPLE}\nx = {'[' * DEEP}{']' * DEEP}",
    "tables nested deep": f"{EXAMPLE}\nx = {'{a=' * 3000}1{'}' * 3000}",
    "a key of thousands of steps": f"{EXAMPLE}\n{'.'.join('a' * 4000)} = 1",
    "a table of thousands of steps, twice": f"{EXAMPLE}\n" + f"[{'.'.join('a' * 4000)}]\n" * 2,
    "5,000 digits": with_positions("9" * 5000),
    "4,000 digits": with_positions("9" * 4000),
    "more than 64 bits": with_positions(str(2**63)),
    "not a number": with_positions("nan"),
    "a line of 20 MB": f"{EXAMPLE}\n#{'A' * 20_000_000}",
    "20 MB of lines": EXAMPLE + "\n# a line" * 2_500_000,
    "a long line": f'{EXAMPLE}\nx = "{HUGE}"',
    "a long value": with_game("A" * 9000),
    "a long key": f'{EXAMPLE}\n"{"k" * 9000}" = 1',
    "orders in a value": with_game(r"\u001b[2J"),
    "orders as they are": with_game("\x1b[2J"),
    "orders in a key": f'{EXAMPLE}\n"\\u001b[2J" = "1"',
    "writing turned about": with_game("pa-\u202e659a"),
    "many lines in a value": EXAMPLE.replace('reference = "', r'reference = "for pa-659a: lawful\n'),
    "NUL": f"{EXAMPLE}\0",
    "half a character": with_game(r"\ud800"),
    "a byte order mark": f"\ufeff{EXAMPLE}",
    "no UTF-8": EXAMPLE.encode() + b"# \xff\xfe",
    "UTF-16": EXAMPLE.encode("utf-16"),
    "more money than there is": EXAMPLE.replace('max = "$500"', f'max = "${"9" * 3999}"'),
    "more per cent than there are": EXAMPLE.replace('"29%"', f'"{"9" * 4000}%"'),
}
NOT_A_SUBMISSION = DOCUMENTS["lists nested deep"]


def write(name: str, content: str | bytes) -> str:
    Path(name).write_bytes(content if isinstance(content, bytes) else content.encode())
    return name


@pytest.mark.parametrize("name", DOCUMENTS)
def test_a_submission_that_no_operator_wrote(capsys: Capsys, name: str) -> None:
    refused(capsys, "submission", "check", write("filed.toml", DOCUMENTS[name]))


@pytest.mark.parametrize(
    "words",
    [
        ["submission", "diff", "FILE", "FILE"],
        ["card", "pa-659a", "--submission", "FILE", "--out", "card.html"],
        ["par", "pa-659a", "--submission", "FILE", "--out", "par.html"],
        ["deal", "pa-659a", "--submission", "FILE", "--records", "kept"],
        ["play", "pa-659a", "--submission", "FILE", "--records", "kept"],
        ["way", "show", "FILE"],
        ["way", "check", "FILE"],
        ["way", "diff", "FILE", "foxwoods"],
        ["way", "worth", "FILE", "--notes", "kept"],
        ["prove", "--way", "FILE", "--notes", "kept"],
        ["set", "pa-659a", "As Ks Qs Js Ts 9s 8s", "--house-way", "FILE"],
        ["odds", "pa-659a", "--wager", "main", "--player-way", "FILE", "--notes", "kept"],
        ["odds", "pa-659a", "--paytable", "FILE"],
    ],
    ids=" ".join,
)
@pytest.mark.parametrize("content", [NOT_A_SUBMISSION, DOCUMENTS["a line of 20 MB"]], ids=["deep", "long"])
def test_every_command_that_reads_a_document(capsys: Capsys, words: list[str], content: str) -> None:
    file = write("given.toml", content)
    refused(capsys, *(file if word == "FILE" else word for word in words))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('title = "', r'title = "\u001b[2J'),
        ('say = "', r'say = "\u202e'),
        ('[[rule]]\nid = "', r'[[rule]]' + '\n' + r'id = "A\n'),
        ('prefer = ["', f'prefer = ["{"A" * 3000}'),
        ('shape = "', f'shape = "{"A" * 3000}'),
    ],
    ids=["title", "say", "id", "prefer", "shape"],
)  # fmt: skip
def test_words_of_a_house_way(capsys: Capsys, old: str, new: str) -> None:
    way = write("way.toml", WAY.replace(old, new, 1))
    refused(capsys, "set", "pa-659a", "As Ks Qs Js Ts 9s 8s", "--house-way", way)


@pytest.mark.parametrize("name", ["../../../law/data/pa-659a", HUGE[:3000]], ids=["elsewhere", "long"])
def test_a_house_way_for_a_ranking_that_is_not_ours(capsys: Capsys, name: str) -> None:
    way = write("way.toml", WAY.replace('ranking = "', f'ranking = "{name}', 1))
    assert "no such ranking" in refused(capsys, "way", "check", way)


def test_markup_in_a_house_way_is_printed_as_it_is_written(capsys: Capsys) -> None:
    way = write(
        "way.toml", WAY.replace('title = "', 'title = "[/nope]', 1).replace('say = "', 'say = "[red]', 1)
    )
    code, out, _ = run(capsys, "way", "show", way)
    assert (code, "[/nope]" in out, "[red]" in out) == (0, True, True)


@pytest.mark.parametrize(
    "pays", [f"{'9' * 5000} to 1", f"{'9' * 4000} to 1", f"{'9' * 5000}% of meter", r"\u001b[2J"], ids=short
)
def test_odds_of_an_own_paytable(capsys: Capsys, pays: str) -> None:
    own = write("own.toml", PAYTABLE.replace("4 to 1", pays))
    refused(capsys, "odds", "pa-659a", "--paytable", own)


def test_a_refusal_for_thousands_of_reasons_names_the_first_and_how_many_more(capsys: Capsys) -> None:
    wagers = "\n".join(f'[wagers.w{number}]\nmin = "$1"' for number in range(2000))
    code, _, err = run(capsys, "deal", "pa-659a", "--submission", write("many.toml", f"{EXAMPLE}\n{wagers}"))
    assert (code, err.count("\n")) == (2, 1)
    assert "wagers.w0: " in err and err.endswith("more\n") and len(err) < 5 * LONGEST


# --- records -----------------------------------------------------------------------------------------


BEGINS = b'{"format":"houseway-round/2","x":'
TEXTS: dict[str, bytes] = {
    "nested 500 deep": BEGINS + b"[" * 500 + b"]" * 500 + b"}",
    "nested 990 deep": BEGINS + b"[" * 990 + b"]" * 990 + b"}",
    "nested 1,000,000 deep": BEGINS + b"[" * 1_000_000 + b"]" * 1_000_000 + b"}",
    "5,000 digits": BEGINS + b"9" * 5000 + b"}",
    "300 digits": BEGINS + b"9" * 300 + b"}",
    "not a number": BEGINS + b"NaN}",
    "without end": BEGINS + b"1e999}",
    "half a character": BEGINS + b'"\\ud800"}',
    "half a character as a key": b'{"format":"houseway-round/2","\\ud800":1}',
    "orders for a format": json.dumps({"format": ORDERS + HUGE}).encode(),
    "lists for a format": b'{"format":' + b"[" * 900 + b"]" * 900 + b"}",
    "NUL": b"\0" * 100,
    "UTF-16": '{"format":"houseway-round/2"}'.encode("utf-16"),
    "no UTF-8": b'{"format":"\xff"}',
    "a byte order mark": b"\xef\xbb\xbf" + ROUND.read_bytes(),
    "20 MB": b"A" * 20_000_000,
    "nothing": b"",
    "null": b"null",
}  # fmt: skip


@pytest.mark.parametrize("name", TEXTS)
def test_a_record_that_is_none(capsys: Capsys, name: str) -> None:
    refused(capsys, "replay", write("record.json", TEXTS[name]))


@pytest.mark.parametrize("command", ["replay", "settle", "explain"])
def test_every_command_that_reads_a_record(capsys: Capsys, command: str) -> None:
    refused(capsys, command, write("record.json", TEXTS["nested 1,000,000 deep"]))
    refused(capsys, command, changed(CHANGES["a nonce that is not hexadecimal"]))
    for path in UNREADABLE.values():
        refused(capsys, command, path)


def last_seal(data: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = data["turns"][-1]["events"][0]["outcome"]["seal"]
    return found


CHANGES: dict[str, Callable[[dict[str, Any]], object]] = {
    "an unknown key": lambda data: data.update({ORDERS + HUGE: 1}),
    "an unknown key of a command": lambda data: data["turns"][0]["command"].update({ORDERS + HUGE: 1}),
    "no step": lambda data: data["turns"][0]["command"]["action"].update(step=ORDERS + HUGE),
    "a name": lambda data: data["turns"][0]["command"]["by"].update(name=ORDERS),
    "a long name": lambda data: data["turns"][0]["command"]["by"].update(name=HUGE),
    "no day": lambda data: data["submission"].update(law_as_of=ORDERS + HUGE),
    "no instant": lambda data: data["turns"][0].update(at="9" * 4000),
    "a reference": lambda data: data["submission"].update(reference=ORDERS),
    "a version": lambda data: data.update(schema_version=10**18),
    "a nonce that is not hexadecimal": lambda data: last_seal(data).update(nonce="zz" * 32),
    "a nonce in other digits": lambda data: last_seal(data).update(nonce="\u0661" * 64),
    "an empty nonce": lambda data: last_seal(data).update(nonce=""),
    "no card": lambda data: last_seal(data).update(order=[ORDERS + HUGE]),
}
FORGED: dict[str, Callable[[dict[str, Any]], object]] = {
    "an id": lambda data: data.update(id=ORDERS + HUGE),
    "a table": lambda data: data["before"].update(id=ORDERS + HUGE),
    "a command": lambda data: data["turns"][0]["command"].update(id=ORDERS + HUGE),
    "a commitment": lambda data: last_seal(data).update(commitment=ORDERS + HUGE),
    "a nonce too long": lambda data: last_seal(data).update(nonce="ab" * 20_000),
    "a game": lambda data: data["submission"].update(game="../" + HUGE),
    "a law": lambda data: data["before"].update(law=ORDERS),
}


def changed(change: Callable[[dict[str, Any]], object]) -> str:
    """Write a record that was changed, with a digest that fits."""
    data = json.loads(ROUND.read_text(encoding="utf-8"))
    change(data)
    data["digest"] = digest_of(data)
    return write("changed.json", written(data))


@pytest.mark.parametrize("name", CHANGES)
def test_a_record_changed_with_a_digest_that_fits(capsys: Capsys, name: str) -> None:
    refused(capsys, "replay", changed(CHANGES[name]))


@pytest.mark.parametrize("name", FORGED)
def test_a_record_that_does_not_replay_is_told_without_its_orders(capsys: Capsys, name: str) -> None:
    file = changed(FORGED[name])
    refused(capsys, "settle", file)
    for words in (["replay", file], ["replay", file, "--json"]):
        code, out, err = run(capsys, *words)
        assert (code, err, len(out) < 3 * LONGEST) == (1, "", True)
        assert not has_control_characters(out, lines=True)


# --- paths -------------------------------------------------------------------------------------------


UNREADABLE = {
    "nowhere": "no/such/file.toml",
    "a folder": "folder.toml",
    "in a file": "file/x.toml",
    "too long": f"{HUGE}.toml",
    "NUL": "x\0y.toml",
    "orders": f"{ORDERS}.toml",
    "half a character": "\udcff.toml",
    "half a character that no byte is": "\ud800.toml",
}


@pytest.mark.parametrize("name", UNREADABLE)
@pytest.mark.parametrize(
    "words",
    [
        ["submission", "check"],
        ["replay"],
        ["way", "show"],
        ["prove", "--way"],
        ["deal", "pa-659a", "--submission"],
    ],
    ids=" ".join,
)
def test_a_path_that_cannot_be_read(capsys: Capsys, words: list[str], name: str) -> None:
    Path("folder.toml").mkdir()
    Path("file").touch()
    refused(capsys, *words, UNREADABLE[name])


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="no endless file here")
@pytest.mark.parametrize("words", [["submission", "check"], ["replay"]], ids=" ".join)
def test_a_file_without_end(capsys: Capsys, words: list[str]) -> None:
    assert "longer than" in refused(capsys, *words, "/dev/zero")


@pytest.mark.parametrize("path", ["folder", "no/such/file", "file/x", HUGE, "x\0y", "\ud800"], ids=short)
@pytest.mark.parametrize("words", [["card", "pa-659a"], ["par", "pa-659a"]], ids=" ".join)
def test_an_out_file_that_cannot_be_written(capsys: Capsys, words: list[str], path: str) -> None:
    Path("folder").mkdir()
    Path("file").touch()
    refused(capsys, *words, "--out", path)


@pytest.mark.parametrize("path", ["file", "file/x", HUGE, "x\0y", "\ud800"], ids=short)
@pytest.mark.parametrize(
    "words",
    [
        ["deal", "pa-659a", "--records"],
        ["demo", "--records"],
        ["play", "pa-659a", "--records"],
        ["odds", "pa-659a", "--wager", "main", "--notes"],
        ["odds", "pa-659a", "--wager", "main", "--recount", "--notes"],
        ["way", "worth", "foxwoods", "--notes"],
        ["prove", "--way", "foxwoods", "--notes"],
    ],
    ids=" ".join,
)
def test_a_folder_that_cannot_be_written(capsys: Capsys, words: list[str], path: str) -> None:
    Path("file").write_text("kept", encoding="utf-8")
    refused(capsys, *words, path)
    assert Path("file").read_text(encoding="utf-8") == "kept"


def test_a_record_whose_place_is_taken_by_a_folder(capsys: Capsys) -> None:
    Path("kept/pa-659a-1.json").mkdir(parents=True)
    assert "cannot be written" in refused(capsys, "deal", "pa-659a", "--records", "kept")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no full device here")
def test_a_full_disk(capsys: Capsys) -> None:
    assert "No space left" in refused(capsys, "card", "pa-659a", "--out", "/dev/full")
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        words = [sys.executable, "-m", "houseway", "fee", "1", "10"]
        ended = subprocess.run(words, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert (ended.returncode, ended.stderr) == (2, "houseway: cannot print: No space left on device\n")


def test_notes_that_are_none() -> None:
    for content in ("[" * 100_000, f'[["{ORDERS + HUGE}"]]', "9" * 5000, "\ud800"):
        Path("notes.json").write_bytes(content.encode("utf-8", "surrogatepass"))
        with pytest.raises(HousewayError) as refusal:
            NotesFile(Path("notes.json")).read()
        assert len(str(refusal.value)) < LONGEST and not has_control_characters(str(refusal.value))


# --- arguments ---------------------------------------------------------------------------------------


WORDS = {"orders": f"{ORDERS}{HUGE}\0\udcff", "digits": "9" * 5000}


@pytest.mark.parametrize("name", WORDS)
@pytest.mark.parametrize(
    "words",
    [
        ["WORD"],
        ["games", "--WORD"],
        ["rules", "WORD"],
        ["card", "WORD"],
        ["par", "WORD"],
        ["deal", "WORD"],
        ["play", "WORD"],
        ["odds", "WORD"],
        ["set", "WORD", "As"],
        ["trace", "--game", "WORD"],
        ["trace", "--state", "WORD"],
        ["readings", "--game", "WORD"],
        ["rank", "pa-659a", "WORD", "As"],
        ["rank", "pa-659a", "low", "WORD"],
        ["bonus", "pa-659a", "WORD"],
        ["set", "pa-659a", "WORD"],
        ["set", "pa-659a", "As", "--house-way", "WORD"],
        ["compare", "pa-659a", "--player", "WORD", "--dealer", "WORD"],
        ["fee", "WORD", "10"],
        ["fee", "1", "WORD"],
        ["deal", "pa-659a", "--seats", "WORD"],
        ["deal", "pa-659a", "--wagers", "WORD"],
        ["deal", "pa-659a", "--wagers", "WORD=10"],
        ["deal", "pa-659a", "--wagers", "main=WORD"],
        ["deal", "pa-659a", "--rounds", "WORD"],
        ["deal", "pa-659a", "--method", "WORD"],
        ["deal", "pa-659a", "--start", "WORD"],
        ["play", "pa-659a", "--chips", "WORD"],
        ["play", "pa-659a", "--seat", "WORD"],
        ["demo", "--seat", "WORD"],
        ["explain", "x.json", "--seat", "WORD"],
        ["odds", "pa-659a", "--wager", "WORD"],
        ["odds", "pa-659a", "--wager", "fortune", "--paytable", "WORD"],
        ["odds", "pa-659a", "--wager", "main", "--house-way", "WORD"],
        ["odds", "pa-659a", "--wager", "progressive", "--amount", "WORD"],
        ["odds", "pa-659a", "--wager", "progressive", "--seed-amount", "WORD"],
        ["odds", "pa-659a", "--wager", "progressive", "--rate", "WORD"],
        ["odds", "pa-659a", "--wager", "progressive", "--rate", "WORD%"],
        ["way", "check", "WORD"],
        ["prove", "--workers", "WORD"],
    ],
    ids=" ".join,
)
def test_a_word_that_nobody_means(capsys: Capsys, words: list[str], name: str) -> None:
    refused(capsys, *(word.replace("WORD", WORDS[name]) for word in words))


@pytest.mark.parametrize("command", [["deal", "pa-659a"], ["demo"], ["play", "pa-659a"]], ids=" ".join)
def test_a_seed_that_cannot_be_written_down(capsys: Capsys, command: list[str]) -> None:
    assert "a seed is a text" in refused(capsys, *command, "--seed", "\udcff")


@pytest.mark.parametrize(
    "words",
    [
        ["fee", "1", f"${10**100}"],
        ["fee", str(2**70), "10"],
        ["deal", "pa-659a", "--rounds", str(2**70)],
        ["prove", "--workers", str(2**70)],
        ["deal", "pa-659a", "--seats", str(2**70)],
        ["play", "pa-659a", "--chips", "9" * 150],
    ],
    ids=" ".join,
)
def test_a_number_too_large(capsys: Capsys, words: list[str]) -> None:
    refused(capsys, *words)


@pytest.mark.parametrize(
    "given",
    [
        b"A" * 20_000_000,
        b"As " * 7_000_000,
        b"As" * 300,
        b"\x1b[2J\n",
        b"\xff\xfe\0\n",
        "As Ks Qs Js Ts 9s 8\u202es\n".encode(),
        b" " * 5_000_000 + b"As\n",
    ],
    ids=["20 MB", "20 MB of aces", "aces", "orders", "no text", "turned about", "blanks"],
)
@pytest.mark.parametrize("command", ["set", "bonus"])
def test_a_line_that_is_no_hand(
    capsys: Capsys, monkeypatch: pytest.MonkeyPatch, command: str, given: bytes
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(given)))
    assert "line 1: " in refused(capsys, command, "pa-659a", "-")


# --- what is printed, and what is not caught -----------------------------------------------------------


def test_nothing_that_is_printed_is_obeyed(capsys: Capsys) -> None:
    console().print(f"{ORDERS}one\ntwo", markup=False)
    table(f"title {ORDERS}", ["column"], [(f"{ORDERS}[/cell]",)])
    emit({"name": f"{ORDERS}\x9b\u2028\x7f"})
    out = capsys.readouterr().out
    assert not has_control_characters(out, lines=True)
    assert "\\x1b[2J\\u202eone\ntwo\n" in out and "[/cell]" in out
    assert json.loads(out[out.index("{") :]) == {"name": f"{ORDERS}\x9b\u2028\x7f"}


@pytest.mark.parametrize(
    "defect", [RuntimeError("ours"), KeyError("ours"), FileNotFoundError(2, "gone", "ours")]
)
def test_a_defect_of_ours_stays_loud(monkeypatch: pytest.MonkeyPatch, defect: Exception) -> None:
    def fail(_: int) -> None:
        raise defect

    monkeypatch.setattr(fee, "schedule", fail)
    with pytest.raises(type(defect)):
        main(["fee", "1", "10"])


@pytest.mark.parametrize(
    "value",
    [ORDERS + HUGE, "\U0010ffff" * 119, 10**5000, ["\x1b"] * 1000, b"\x1b" * 5000, None],
    ids=["text", "text that no font has", "number", "list", "bytes", "nothing"],
)
def test_a_refusal_is_one_short_line_whatever_it_is_about(value: object) -> None:
    said = str(InvalidInputError("no such thing", value=value, where=f"{HUGE}.toml"))
    assert len(said) < LONGEST and not has_control_characters(said)
