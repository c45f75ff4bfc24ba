"""The round record: it comes back to the letter, is decided again command by command, and tells its story."""

from __future__ import annotations

import json
import re
from datetime import date
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec
import pytest

from houseway.cards import parse_cards
from houseway.cli import main
from houseway.errors import DataError, InvalidInputError
from houseway.games import Submission, example_submission, games, rules_for
from houseway.law.documents import as_document
from houseway.ledger import INVENTORY, player, show_units
from houseway.money import Cents
from houseway.rng import SealedDeck, SeededEntropy
from houseway.rounds.auto import auto_round, noon, play_rounds, usual_wagers
from houseway.rounds.codec import plain
from houseway.rounds.dealing import Voided
from houseway.rounds.deciding import evolve_all
from houseway.rounds.explain import explain
from houseway.rounds.live import LiveTable
from houseway.rounds.record import (
    Record,
    digest_of,
    make_record,
    parse_record,
    read_record,
    write_record,
    written,
)
from houseway.rounds.replay import NotReplayedError, difference, verify_replay
from houseway.rounds.state import Hand
from houseway.rounds.step import AnEvent
from houseway.settlement import Payment, PaymentKind
from tests.games.support import submission
from tests.rounds.table import FLOOR, TestTable
from tests.support.amounts import parse_units

LICENSED = [g.id for g in games() if g.licensed]
EXAMPLE = Path(__file__).parents[2] / "examples" / "round-659a.json"


def played(game_id: str, seed: int = 1) -> Record:
    return auto_round(rules_for(example_submission(game_id)), SeededEntropy(seed))


@pytest.mark.parametrize("game_id", LICENSED)
@pytest.mark.parametrize("seed", range(4))
def test_a_record_comes_back_to_the_letter_and_replays(game_id: str, seed: int, tmp_path: Path) -> None:
    record = played(game_id, seed)
    path = tmp_path / "round.json"
    path.write_text(write_record(record), encoding="utf-8")
    again = read_record(path)
    assert again == record
    assert write_record(again) == path.read_text(encoding="utf-8")
    assert difference(again) is None
    assert verify_replay(again).rounds == 1


@pytest.mark.parametrize("game_id", LICENSED)
def test_the_rounds_of_a_table_begin_where_the_last_one_ended(game_id: str) -> None:
    rules = rules_for(example_submission(game_id))
    table = LiveTable(rules, SeededEntropy("many"), noon(rules.submission.law_as_of))
    bets = dict.fromkeys(range(2, 5), usual_wagers(rules)) | (
        {1: usual_wagers(rules)} if rules.banked else {}
    )
    records = list(play_rounds(table, bets, 4))
    assert [record.id for record in records] == [f"table-{number}" for number in range(1, 5)]
    for one, following in pairwise(records):
        assert verify_replay(one) == following.before


@pytest.mark.parametrize("game_id", LICENSED)
def test_a_submission_written_into_a_record_is_the_submission(game_id: str) -> None:
    submission = example_submission(game_id)
    assert as_document(Submission, submission.document(), game_id) == submission
    assert parse_record(write_record(played(game_id)).encode()).submission == submission


@pytest.mark.parametrize("game_id", LICENSED)
def test_until_the_round_is_over_no_event_tells_the_order_of_the_deck(game_id: str) -> None:
    record = played(game_id, 5)
    events: list[AnEvent] = [event for turn in record.turns for event in turn.events]
    *before, last = events
    seal = last.outcome.seal
    assert seal is not None and len(seal.order) == 53
    told = [event.outcome.cards for event in before if event.step == "deal"]
    dealt = [card for cards in told for card in cards]
    undealt = {str(card) for card in seal.order} - {str(card) for card in dealt}
    assert len(undealt) == 53 - 7 * rules_for(record.submission).game.hand_cards
    for event in before:
        assert undealt.isdisjoint(texts(plain(event))), event.step
    assert undealt.isdisjoint(texts(plain(record.before)))


def texts(data: Any) -> set[str]:
    """Return every text in plain data."""
    if isinstance(data, dict):
        return {text for value in data.values() for text in texts(value)}
    if isinstance(data, list):
        return {text for value in data for text in texts(value)}
    return {data} if isinstance(data, str) else set()


def edited(record: Record, path: str, value: object) -> Record:
    """Return a record with one value changed, and its digest made to fit."""
    data = json.loads(write_record(record))
    place: Any = data
    *steps, last = [int(step) if step.lstrip("-").isdigit() else step for step in path.split(".")]
    for step in steps:
        place = place[step]
    place[last] = value
    data["digest"] = digest_of(data)
    return parse_record(written(data).encode())


@pytest.mark.parametrize(
    ("path", "value", "said"),
    [
        ("before.law", "0" * 64, "played by another law: 0000000000000000…"),
        ("before.submission", "0" * 64, "the submission is not the one"),
        ("submission.reference", "RS-OTHER", "the submission is not the one"),
        ("id", "table-9", "the round is table-1, not table-9"),
        ("after", "0" * 64, "the table after the round is another"),
        ("turns.0.command.by.id", "Stranger", "event 1, by.id"),
        ("turns.0.events.0.cause", "another", "event 1, cause: table/1 is decided, another is recorded"),
        ("turns.0.events.0.seq", 7, "event 1, seq: 1 is decided, 7 is recorded"),
        ("turns.-1.events.0.clauses", ["pa659a.7.e"], "event 1, clauses: nothing is decided"),
        ("turns.-1.events.0.outcome.seal.nonce", "00" * 32, "no deck that opens this seal is recorded"),
    ],
)
def test_the_first_difference_is_named_even_where_the_digest_was_made_to_fit(
    path: str, value: object, said: str
) -> None:
    found = difference(edited(played("pa-659a", 3), path, value))
    assert found is not None and said in found


def test_a_seal_that_nothing_opens_is_named_by_its_beginning() -> None:
    record = edited(played("pa-659a", 3), "turns.-1.events.0.outcome.seal.nonce", "00" * 32)
    assert re.search(r"this seal is recorded: '[0-9a-f]{16}…'", difference(record) or "")


def test_two_laws_are_told_apart_by_their_beginnings() -> None:
    record = edited(played("pa-659a", 3), "before.law", "0" * 64)
    assert re.search(r"another law: 0{16}…, not [0-9a-f]{16}…$", difference(record) or "")


def test_a_sealed_deck_that_is_not_the_games_is_named() -> None:
    record = played("pa-659a", 3)
    seal = record.turns[-1].events[0].outcome.seal  # type: ignore[attr-defined]
    short = SealedDeck(seal.order[:-1], bytes.fromhex(seal.nonce))
    text = write_record(record).replace(seal.commitment, short.commitment)
    data = json.loads(text)
    data["turns"][-1]["events"][0]["outcome"]["seal"]["order"].pop()
    data["digest"] = digest_of(data)
    assert difference(parse_record(written(data).encode())) == "the sealed deck is not the deck of the game"


def test_what_chance_gave_and_a_meter_told_of_must_have_been_asked_for() -> None:
    record = played("pa-659a", 3)
    found = difference(edited(record, "turns.0.given", {"number": 3}))
    assert found == "command 1, sit: [1]: nothing is decided, {'number': 3} is recorded"
    found = difference(edited(record, "turns.0.meters", {"progressive": {"value": 5, "reserve": 0}}))
    assert found is not None and found.startswith("command 1, sit: [2].progressive")
    other = difference(edited(record, "turns.0.meters", {"other": {"value": 5, "reserve": 0}}))
    assert other is not None and other.startswith("command 1, sit: [2].other")


def test_commands_do_not_go_back_in_time() -> None:
    record = played("pa-659a", 3)
    data = json.loads(write_record(record))
    turn = data["turns"][5]
    for place in (turn, *turn["events"]):
        place["at"] = place["at"].replace("T12", "T11")
    data["digest"] = digest_of(data)
    found = difference(parse_record(written(data).encode()))
    assert found is not None and "is before the command before it" in found


FAKE = Payment(PaymentKind.PAY, 10**9, INVENTORY, player("Mallory"), 2, "Mallory", "main", "wins", ())


@pytest.mark.parametrize(
    "begun",
    [
        {"payments": (FAKE,)},
        {"drawn": parse_cards("As Ac Ad Ah Jk Ks Kc"), "dealt": 7},
        {"hands": {7: Hand(7, "Ghost", {"main": Cents(2_000_000)})}},
        {"void": Voided("the dealer cheated", ())},
    ],
    ids=["payments", "cards", "hands", "void"],
)
def test_a_record_begins_between_two_rounds_with_nothing_done(begun: dict[str, Any]) -> None:
    record = played("pa-659a", 3)
    before = record.before.with_round(**begun)
    after = evolve_all(before, (event for turn in record.turns for event in turn.events))
    found = difference(make_record(record.submission, before, record.turns, after))
    assert found == "a record begins between two rounds, and something of this one is done already"


def test_a_record_of_the_last_command_alone_is_none() -> None:
    record = played("pa-659a", 3)
    events = [event for turn in record.turns for event in turn.events]
    before = evolve_all(record.before, events[:-1])
    forged = make_record(record.submission, before, record.turns[-1:], verify_replay(record))
    assert "a record begins between two rounds" in str(difference(forged))


def test_every_command_has_a_name_of_its_own() -> None:
    data = json.loads(write_record(played("pa-575")))
    for turn in data["turns"][:2]:
        turn["command"]["id"] = "one"
        for event in turn["events"]:
            event["cause"] = "one"
    data["digest"] = digest_of(data)
    assert difference(parse_record(written(data).encode())) == "two commands have the same name: one"


@pytest.mark.parametrize("at", ["2011-06-01T12:00:00", "2011-06-02T02:00:00+14:00"])
def test_an_instant_is_written_in_universal_time(at: str) -> None:
    data = json.loads(write_record(played("pa-575")))
    for turn in data["turns"]:
        turn["at"] = at
    data["digest"] = digest_of(data)
    found = difference(parse_record(written(data).encode()))
    assert found is not None and "a moment is an instant of universal time" in found
    events = json.loads(write_record(played("pa-575")))
    for turn in events["turns"]:
        for event in turn["events"]:
            event["at"] = event["at"].replace("T12:00:00Z", "T14:00:00+02:00")
    events["digest"] = digest_of(events)
    assert "event 1, at" in str(difference(parse_record(written(events).encode())))


def test_a_key_twice_or_another_order_of_keys_is_refused() -> None:
    text = write_record(played("pa-575"))
    for changed in (text.replace('"turns":[', '"turns":[],"turns":[', 1), json.dumps(json.loads(text))):
        with pytest.raises(DataError, match="not written as a record is written"):
            parse_record(changed.encode())


def test_a_record_that_was_changed_is_refused_before_anything_is_decided() -> None:
    text = write_record(played("pa-575")).replace('"position":2', '"position":3', 1)
    with pytest.raises(DataError, match="has been changed since it was written"):
        parse_record(text.encode())


def test_an_older_record_is_refused_by_name(tmp_path: Path) -> None:
    path = tmp_path / "old.toml"
    path.write_text('format = "houseway-round/1"\nid = "pa-659a-1"\n')
    with pytest.raises(DataError, match=r"old\.toml: a record of the older format houseway-round/1"):
        read_record(path)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (b"", "not JSON"),
        (b"[]", "the format houseway-round/2 is read here"),
        (b'{"format":"houseway-round/9"}', "the format houseway-round/2 is read here: 'houseway-round/9'"),
        (b'{"format":"houseway-round/2"}', "has been changed since it was written"),
        (b"[" * 100_000, "not JSON"),
    ],
)
def test_what_is_no_record_is_refused(text: bytes, said: str) -> None:
    with pytest.raises(DataError) as error:
        parse_record(text)
    assert said in str(error.value)


def test_an_unknown_field_anywhere_is_refused() -> None:
    data = json.loads(write_record(played("pa-575")))
    data["turns"][0]["events"][0]["weather"] = "fine"
    data["digest"] = digest_of(data)
    with pytest.raises(DataError, match="weather"):
        parse_record(written(data).encode())


def test_a_record_of_a_schema_that_nobody_knows_is_refused() -> None:
    data = json.loads(write_record(played("pa-575")))
    data["schema_version"] = 0
    data["digest"] = digest_of(data)
    with pytest.raises(DataError, match="schema version 1 is read here, and no way leads to it: 0"):
        parse_record(written(data).encode())


def test_nothing_is_told_or_settled_of_a_record_that_does_not_replay() -> None:
    record = edited(played("pa-659a", 3), "after", "0" * 64)
    with pytest.raises(NotReplayedError, match="table-1: the table after the round is another"):
        list(explain(record))
    with pytest.raises(NotReplayedError):
        verify_replay(record)
    broken = msgspec.structs.replace(played("pa-659a", 3), digest="0" * 64)
    assert "its digest is another" in str(difference(broken))


def test_the_story_of_a_seat_names_the_cards_the_amounts_and_the_law() -> None:
    story = "\n".join(explain(played("pa-659a", 3), 4))
    assert "Position 4, Cleo" in story and "Position 5" not in story
    assert "58 Pa. Code § 659a.11" in story
    whole = "\n".join(explain(played("pa-659a", 3)))
    assert all(f"Position {n}" in whole for n in range(2, 8))
    assert "The meter stood at" in whole
    with pytest.raises(InvalidInputError, match="nobody played there; the positions played are 2, 3, 4"):
        list(explain(played("pa-659a", 3), 99))


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as stop:
        main(list(words))
    printed = capsys.readouterr()
    assert isinstance(stop.value.code, int)
    return stop.value.code, printed.out, printed.err


def test_the_commands_settle_replay_and_explain_a_file(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path, forged = tmp_path / "round.json", tmp_path / "forged.json"
    record = played("pa-670a", 4)
    path.write_text(write_record(record))
    forged.write_text(write_record(edited(record, "after", "0" * 64)))
    code, out, _ = run(capsys, "replay", str(forged))
    assert code == 1 and "difference: the table after the round" in out and "NOT identical" in out
    for command in ("settle", "explain"):
        assert run(capsys, command, str(forged))[0] == 2
    code, out, _ = run(capsys, "settle", str(path), "--json")
    last = verify_replay(record).last
    assert code == 0 and last is not None and len(json.loads(out)) == len(last.payments)
    assert run(capsys, "replay", str(path))[:2] == (0, f"{record.id}: identical\n")
    assert json.loads(run(capsys, "replay", str(path), "--json")[1])["identical"] is True
    assert "Position 2" in run(capsys, "explain", str(path), "--seat", "2")[1]
    assert json.loads(run(capsys, "explain", str(path), "--json")[1])[0].startswith("Six-Card")
    assert "collect" in run(capsys, "settle", str(path))[1]
    for command in ("settle", "replay", "explain"):
        code, _, err = run(capsys, command, str(tmp_path / "nothing.json"))
        assert (code, err.count("\n")) == (2, 1)


def test_the_example_record_replays() -> None:
    assert difference(read_record(EXAMPLE)) is None


@pytest.mark.parametrize("amount", [0, 1, 10_000, 1_050_000, 245_000, -245_000, 123_456_789_012])
def test_amounts_are_written_exactly(amount: int) -> None:
    assert parse_units(show_units(amount)) == amount


def test_a_round_is_explained_by_the_rules_that_were_adopted_for_it() -> None:
    table = TestTable("pa-659a")
    newer = submission("pa-659a", {"law_as_of": date(2026, 1, 1), "reference": "RS-NEW"})
    table.do("adopt_rules", FLOOR, submission=newer)
    table.betting(2, main="$10").play_on(rounds=1)
    assert table.live.record is not None and table.live.record.submission.reference != "RS-NEW"
    assert "law as of 2026-01-01" in next(iter(explain(table.live.record)))
