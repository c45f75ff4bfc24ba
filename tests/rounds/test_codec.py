"""Whatever travels can be written down and read: every action, every event, every table that is reached."""

from __future__ import annotations

import copy
import sys
from collections.abc import Mapping
from datetime import date
from enum import Enum
from pathlib import Path
from types import FrameType
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import houseway
from houseway.cards import Card
from houseway.errors import DataError, IllegalError, has_control_characters
from houseway.games import Submission, example_submission, games, rules_for
from houseway.law.documents import Day, Document
from houseway.law.problems import RefusedError
from houseway.money import Cents
from houseway.rng import SeededEntropy
from houseway.rounds import codec
from houseway.rounds.action import Action, step_of
from houseway.rounds.auto import auto_round
from houseway.rounds.codec import SCHEMA_VERSION, canonical, decode, encode, plain, read_action, schema
from houseway.rounds.deciding import evolve, evolve_all
from houseway.rounds.roles import Role
from houseway.rounds.state import Table
from houseway.rounds.step import LONGEST_CALLED, Actor, Command, Event
from houseway.rounds.steps import ACTIONS, OUTCOMES, STEPS
from tests.rounds.table import TestTable

LICENSED = [g.id for g in games() if g.licensed]
SUBMISSIONS = st.sampled_from([example_submission(game) for game in LICENSED])
NAMES = st.text(max_size=LONGEST_CALLED).filter(lambda text: not has_control_characters(text))
ACTORS = st.builds(Actor, NAMES.filter(bool), st.sampled_from(Role), NAMES)


class Days(Document):
    """A document with days wherever a document may have them."""

    first: Day
    others: tuple[Day, ...]
    named: dict[str, Day]


def test_the_days_of_a_document_are_read_wherever_they_stand() -> None:
    day, next_day = date(2026, 1, 5), date(2026, 1, 6)
    days = Days(first=day, others=(day, next_day), named={"opened": next_day})
    assert codec.from_plain(Days, plain(days)) == days


def values(kind: Any) -> st.SearchStrategy[Any]:
    """Return any values of a field's type."""
    known: dict[Any, st.SearchStrategy[Any]] = {
        int: st.integers(-(2**60), 2**60),
        str: st.text(),
        bool: st.booleans(),
        type(None): st.none(),
        date: st.dates(),
        Card: st.integers(0, 52).map(Card),
        Cents: st.integers(-(2**60), 2**60).map(Cents),
        Submission: SUBMISSIONS,
    }
    if hasattr(kind, "__metadata__"):  # the notes on a field say nothing about its values
        kind = kind.__origin__
    if kind in known:
        return known[kind]
    inner: tuple[Any, ...] = getattr(kind, "__args__", ())
    origin = getattr(kind, "__origin__", None)
    if isinstance(kind, type) and issubclass(kind, Enum):
        return st.sampled_from(kind)
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        return st.builds(kind, **{f.name: values(f.type) for f in msgspec.structs.fields(kind)})
    if origin is tuple:
        return st.lists(values(inner[0]), max_size=4).map(tuple)
    if origin is not None and issubclass(origin, Mapping):
        return st.dictionaries(values(inner[0]), values(inner[1]), max_size=4)
    return st.one_of([values(one) for one in inner])


def actions(kind: type[Action]) -> st.SearchStrategy[Action]:
    """Return any actions of a kind."""
    return st.builds(kind, **{field.name: values(field.type) for field in msgspec.structs.fields(kind)})


@pytest.mark.parametrize("kind", ACTIONS, ids=step_of)
@settings(max_examples=25, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data(), by=ACTORS, name=st.text(min_size=1))
def test_every_action_is_read_as_it_is_written(kind: type[Action], data: Any, by: Actor, name: str) -> None:
    action = data.draw(actions(kind))
    command = Command(by, action, id=name)
    assert decode(Command, encode(command)) == command
    assert encode(decode(Command, encode(command))) == encode(command)
    assert read_action(plain(action)) == action


def test_every_step_has_its_action_and_every_outcome_its_name() -> None:
    assert {step_of(kind) for kind in ACTIONS} == set(STEPS)
    assert len({kind.__struct_config__.tag for kind in OUTCOMES}) == len(OUTCOMES)


@pytest.mark.parametrize("game", LICENSED)
def test_events_read_back_fold_to_the_same_tables(game: str) -> None:
    record = auto_round(rules_for(example_submission(game)), SeededEntropy("folded"))
    table = decode(Table, encode(record.before))
    assert table == record.before
    for event in (event for turn in record.turns for event in turn.events):
        read = decode(Event, encode(event))
        assert read == event and encode(read) == encode(event)
        table = evolve(table, read)
        again = decode(Table, encode(table))
        assert again == table and encode(again) == encode(table)
        table = again
    assert table == evolve_all(record.before, (e for turn in record.turns for e in turn.events))


@pytest.mark.parametrize("game", LICENSED)
def test_what_is_folded_reads_nothing_but_the_table_and_the_event(game: str) -> None:
    """No function of the law, the games, rankings, house ways, settlement or meters runs during a fold."""
    record = auto_round(rules_for(example_submission(game)), SeededEntropy("alone"))
    rooms: set[str] = set()

    def profile(frame: FrameType, _event: str, _argument: object) -> None:
        _, _, inside = frame.f_code.co_filename.replace("\\", "/").rpartition("/houseway/")
        rooms.add(inside.split("/")[0] if inside else "")

    sys.setprofile(profile)
    try:
        after = evolve_all(record.before, (e for turn in record.turns for e in turn.events))
    finally:
        sys.setprofile(None)
    assert after.rounds == record.before.rounds + 1
    assert rooms & {path.name for path in Path(houseway.__file__).parent.iterdir()} == {"rounds"}


@pytest.mark.parametrize("sign", [1, -1])
def test_money_is_read_as_long_as_sixty_four_bits_hold_it(sign: int) -> None:
    most = sign * (2**63 - 1)
    assert codec.from_plain(Cents, most) == most
    with pytest.raises(DataError, match="more money than there is"):
        codec.from_plain(Cents, most + sign)


def test_an_event_out_of_its_order_is_not_folded() -> None:
    table = TestTable("pa-575", dealer=False)
    before = table.live.table
    (first,) = table.do("log_on", training="on file")
    between = table.live.table
    (second,) = table.do("log_off")
    with pytest.raises(IllegalError, match="^event 1 comes next: 2$"):
        evolve(before, second)
    with pytest.raises(IllegalError, match="^event 2 comes next: 1$"):
        evolve(between, first)


@given(st.dictionaries(st.text(), st.integers()), st.randoms())
def test_there_is_one_way_to_write_a_value(mapping: dict[str, int], chance: Any) -> None:
    keys = list(mapping)
    chance.shuffle(keys)
    assert canonical({key: mapping[key] for key in keys}) == canonical(mapping)


def test_equal_values_are_equal_bytes_however_they_were_made() -> None:
    plainly = Table("t", "s", "l")
    said = {field.name: made_anew(getattr(plainly, field.name)) for field in msgspec.structs.fields(Table)}
    assert Table(**said) == plainly and canonical(Table(**said)) == canonical(plainly)


def made_anew(value: Any) -> Any:
    """Return an equal value that is another object, where Python makes one."""
    if isinstance(value, msgspec.Struct):
        return type(value)(
            **{field.name: made_anew(getattr(value, field.name)) for field in msgspec.structs.fields(value)}
        )
    if isinstance(value, Cents):
        return Cents(int(value))
    return type(value)(list(value)) if isinstance(value, frozenset | tuple) else copy.deepcopy(value)


def test_what_an_earlier_version_wrote_is_brought_up_to_this_one(monkeypatch: pytest.MonkeyPatch) -> None:
    command = Command(Actor("Ann", Role.PLAYER), STEPS["look"].action(2), id="c1")
    old = {"schema_version": SCHEMA_VERSION - 1, "value": plain(command)}
    old["value"]["who"] = old["value"].pop("by")
    text = msgspec.json.encode(old)
    with pytest.raises(DataError, match=f"schema version {SCHEMA_VERSION} is read here"):
        decode(Command, text)

    def renamed(value: dict[str, Any]) -> dict[str, Any]:
        return {("by" if key == "who" else key): item for key, item in value.items()}

    monkeypatch.setattr(codec, "UPCASTERS", {(Command, SCHEMA_VERSION - 1): renamed})
    assert decode(Command, text) == command


@pytest.mark.parametrize(
    "text", [b"", b"{}", b"[]", b'{"schema_version":true}', b'{"value":{}}', b"[" * 10**5]
)
def test_what_nobody_wrote_is_refused(text: bytes) -> None:
    with pytest.raises(DataError):
        decode(Command, text)


@pytest.mark.parametrize(
    ("said", "field"),
    [
        ({"step": "wager", "position": 2}, "wager.wagers"),
        ({"step": "wager", "position": 2, "wagers": {"main": 1.5}}, "wager.wagers"),
        ({"step": "look", "position": True}, "look.position"),
        ({"step": "look", "position": 2, "colour": "red"}, "look.colour"),
        ({"step": "turn_key", "to": "OFF"}, "turn_key.to"),
        ({"step": "fly"}, "fly"),
        ({}, "None"),
    ],
)
def test_an_action_that_cannot_be_read_is_refused_by_its_field(said: dict[str, Any], field: str) -> None:
    with pytest.raises(RefusedError) as error:
        read_action(said)
    assert error.value.problems[0].field == field


def test_the_schema_names_every_action_and_outcome() -> None:
    defined = schema()["$defs"]
    names = {kind.__name__ for kind in (*ACTIONS, *OUTCOMES)}
    assert names <= set(defined)
    assert canonical(schema())
