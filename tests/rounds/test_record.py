"""The round record: it comes back to the letter, replays by itself, and shows every tampering."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from houseway.cli import main
from houseway.errors import DataError
from houseway.games import Submission, example_submission, games, rules_for
from houseway.law.documents import as_document
from houseway.ledger import parse_units, show_units
from houseway.rng import SeededEntropy
from houseway.rounds.auto import auto_round
from houseway.rounds.explain import explain
from houseway.rounds.record import Record, read_record, rebuild, settle_record, write_record
from houseway.rounds.replay import differences
from houseway.settlement import Round, all_payments, settle

LICENSED = [g.id for g in games() if g.licensed]
EXAMPLE = Path(__file__).parents[2] / "examples" / "round-659a.toml"


def played(game_id: str, seed: int = 1) -> Record:
    return auto_round(rules_for(example_submission(game_id)), SeededEntropy(seed), f"{game_id}-{seed}")


@pytest.mark.parametrize("game_id", LICENSED)
@pytest.mark.parametrize("seed", range(8))
def test_a_record_comes_back_to_the_letter_and_replays_identically(
    game_id: str, seed: int, tmp_path: Path
) -> None:
    record = played(game_id, seed)
    path = tmp_path / "round.toml"
    path.write_text(write_record(record), encoding="utf-8")
    again = read_record(path)
    assert again == record
    assert write_record(again) == path.read_text(encoding="utf-8")
    assert differences(again) == ()
    assert settle_record(again) == again


@pytest.mark.parametrize("game_id", LICENSED)
def test_a_round_rebuilt_from_its_record_is_the_round_that_was_played(game_id: str) -> None:
    record = played(game_id, 77)
    table = rebuild(record)
    assert isinstance(table, Round)
    assert [str(p.kind) for p in all_payments(table, settle(table))] == [p.kind for p in record.payment]


@pytest.mark.parametrize("game_id", LICENSED)
def test_a_submission_written_into_a_record_is_the_submission(game_id: str) -> None:
    submission = example_submission(game_id)
    assert as_document(Submission, submission.document(), game_id) == submission


def tampered(tmp_path: Path, pattern: str, replacement: str) -> tuple[str, ...]:
    text = write_record(played("pa-659a", 3))
    changed = re.sub(pattern, replacement, text, count=1, flags=re.M)
    assert changed != text
    path = tmp_path / "tampered.toml"
    path.write_text(changed, encoding="utf-8")
    return differences(read_record(path))


@pytest.mark.parametrize(
    ("pattern", "replacement", "said"),
    [
        (r'^submission_fingerprint = "\w\w', 'submission_fingerprint = "zz', "the submission is not the one"),
        (r'^fingerprint = "\w\w', 'fingerprint = "zz', "the house way is not the one"),
        (r'^nonce = "\w\w', 'nonce = "00', "seal does not open"),
        (r'^rule = "[a-z-]+"', 'rule = "nothing-at-all"', "the dealer's rule is"),
        (r'amount = "\$10"', 'amount = "$11"', "payment"),
        (r'(?s)\[meter_after\]\nvalue = "[^"]+"', '[meter_after]\nvalue = "$1"', "the meter ends at"),
        (r'^main = "\$10"', 'main = "$12"', "payment"),
        (r'paytable = "A"', 'paytable = "B"', "the submission is not the one"),
    ],
)
def test_whatever_is_changed_in_a_record_shows(
    tmp_path: Path, pattern: str, replacement: str, said: str
) -> None:
    assert any(said in difference for difference in tampered(tmp_path, pattern, replacement))


@pytest.mark.parametrize("game_id", LICENSED)
def test_a_payment_left_out_or_a_card_dealt_twice_shows(game_id: str) -> None:
    record = played(game_id, 3)
    short = record.model_copy(update={"payment": record.payment[:-1]})
    assert any("payments, not" in d for d in differences(short))
    first = record.area[0].model_copy(update={"cards": record.area[1].cards})
    double = record.model_copy(update={"area": (first, *record.area[1:])})
    assert any("the same card twice" in d for d in differences(double))


@pytest.mark.parametrize(
    ("line", "wrong"),
    [("format =", 'format = "houseway-round/9"'), ("law_as_of =", "law_as_of = 5"), ("game =", "gema = 1")],
)
def test_a_record_that_is_not_one_is_refused_by_file_and_field(tmp_path: Path, line: str, wrong: str) -> None:
    text = write_record(played("pa-575"))
    path = tmp_path / "bad.toml"
    path.write_text(re.sub(rf"^{line}.*$", wrong, text, count=1, flags=re.M), encoding="utf-8")
    with pytest.raises(DataError, match=r"bad\.toml: "):
        read_record(path)


def test_the_story_of_a_seat_names_the_cards_the_amounts_and_the_law() -> None:
    story = "\n".join(explain(played("pa-659a", 3), 4))
    assert "Position 4, Cleo" in story and "Position 5" not in story
    assert "58 Pa. Code § 659a.11" in story
    whole = "\n".join(explain(played("pa-659a", 3)))
    assert all(f"Position {n}" in whole for n in range(2, 8))
    assert "The meter stood at" in whole


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as stop:
        main(list(words))
    printed = capsys.readouterr()
    assert isinstance(stop.value.code, int)
    return stop.value.code, printed.out, printed.err


def test_the_commands_settle_replay_and_explain_a_file(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path, out = tmp_path / "round.toml", tmp_path / "settled.toml"
    record = played("pa-670a", 4)
    path.write_text(write_record(record.model_copy(update={"payment": (), "meter_after": None})))
    assert run(capsys, "replay", str(path))[0] == 1
    code, text, _ = run(capsys, "settle", str(path), "--out", str(out), "--json")
    assert code == 0
    assert len(json.loads(text)) == len(record.payment)
    assert run(capsys, "replay", str(out))[:2] == (0, f"{record.id}: identical\n")
    assert json.loads(run(capsys, "replay", str(out), "--json")[1])["identical"] is True
    assert "Position 2" in run(capsys, "explain", str(out), "--seat", "2")[1]
    assert json.loads(run(capsys, "explain", str(out), "--json")[1])[0].startswith("Six-Card")
    assert "collect" in run(capsys, "settle", str(path))[1]
    for command in ("settle", "replay", "explain"):
        code, _, err = run(capsys, command, str(tmp_path / "nothing.toml"))
        assert (code, err.count("\n")) == (2, 1)


def test_the_example_record_replays() -> None:
    assert differences(read_record(EXAMPLE)) == ()


@pytest.mark.parametrize("amount", [0, 1, 10_000, 1_050_000, 245_000, -245_000, 123_456_789_012])
def test_amounts_are_written_exactly(amount: int) -> None:
    assert parse_units(show_units(amount)) == amount
