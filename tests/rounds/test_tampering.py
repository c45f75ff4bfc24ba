"""Whatever is changed in a record is named, also by somebody who makes its digest fit again."""

from __future__ import annotations

import copy
import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice, pairwise
from typing import Any

import msgspec
import pytest

from houseway.errors import DataError
from houseway.games import Rules, example_submission, game, rules_for
from houseway.games.fingerprint import fingerprint_of
from houseway.rounds.record import Record, parse_record, write_record
from houseway.rounds.replay import difference
from tests.rounds.books import fitted
from tests.rounds.play.california_drive import Driven
from tests.rounds.play.drive import play_some

Place = tuple[Any, Any]
"""A container of plain data, and the key or index of something in it."""
CARDS = [str(card) for card in game("pa-659a").cards().cards]


def places(data: Any) -> Iterator[Place]:
    """Yield every place in plain data, the digest's left out."""
    if isinstance(data, dict):
        for key in data:
            if key != "digest":
                yield data, key
                yield from places(data[key])
    elif isinstance(data, list):
        for index in range(len(data)):
            yield data, index
            yield from places(data[index])


def tampered(text: str, chance: random.Random) -> tuple[str, dict[str, Any]]:
    """Return the data of a record's text with one edit in it, and what was done."""
    data, before = (msgspec.json.decode(text) for _ in range(2))
    while data == before:
        done = chance.choice(KINDS_OF_EDIT)(data, chance)
    return done, data


# --- edits --------------------------------------------------------------------------------------


def drop(data: Any, chance: random.Random) -> str:
    box, key = chance.choice(list(places(data)))
    del box[key]
    return f"drop {key}"


def a_list(data: Any, chance: random.Random) -> list[Any]:
    """Return some list of two things or more; the turns and their events are met as often as all others."""
    lists = [box[key] for box, key in places(data) if isinstance(box[key], list) and len(box[key]) > 1]
    return data["turns"] if chance.random() < 0.5 else chance.choice(lists)


def swap(data: Any, chance: random.Random) -> str:
    items = a_list(data, chance)
    first, other = chance.sample(range(len(items)), 2)
    items[first], items[other] = items[other], items[first]
    return "swap"


def double(data: Any, chance: random.Random) -> str:
    items = a_list(data, chance)
    index = chance.randrange(len(items))
    items.insert(index, copy.deepcopy(items[index]))
    return "double"


def drop_turn(data: Any, chance: random.Random) -> str:
    del data["turns"][chance.randrange(len(data["turns"]))]
    return "drop a turn"


def drop_event(data: Any, chance: random.Random) -> str:
    turn = chance.choice(data["turns"])
    del turn["events"][chance.randrange(len(turn["events"]))]
    return "drop an event"


def alter(data: Any, chance: random.Random) -> str:
    scalars = [(box, key) for box, key in places(data) if not isinstance(box[key], dict | list)]
    box, key = chance.choice(scalars)
    box[key] = another(box[key], chance)
    return f"alter {key}"


def another(value: Any, chance: random.Random) -> Any:
    """Return a value of the same kind that is another."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + chance.choice([-1, 1, 100, 10**6])
    if value in CARDS:
        return chance.choice(CARDS)
    if isinstance(value, str) and value[:4].isdigit() and "T" in value:
        return value.replace("T12", "T13") if "T12" in value else value.replace("20", "21", 1)
    return f"{value}x" if isinstance(value, str) else "x"


def exchange_cards(data: Any, chance: random.Random) -> str:
    """Exchange a card of one hand for a card of another, wherever the record tells of them."""
    card, other = chance.sample(CARDS, 2)
    text = msgspec.json.encode(data).decode().replace(f'"{card}"', '"?"').replace(f'"{other}"', f'"{card}"')
    seal = data["turns"][-1]["events"][-1]["outcome"].get("seal")
    data.update(msgspec.json.decode(text.replace('"?"', f'"{other}"')))
    if seal and chance.random() < 0.5:
        data["turns"][-1]["events"][-1]["outcome"]["seal"] = seal
    return "exchange cards"


def another_deck(data: Any, chance: random.Random) -> str:
    seal = data["turns"][-1]["events"][-1]["outcome"].get("seal")
    if seal:
        chance.shuffle(seal["order"])
    return "another order of the deck"


def another_nonce(data: Any, chance: random.Random) -> str:
    seal = data["turns"][-1]["events"][-1]["outcome"].get("seal")
    if seal:
        seal["nonce"] = chance.randbytes(32).hex()
    return "another nonce"


def another_law(data: Any, chance: random.Random) -> str:
    data["before"]["law"] = chance.randbytes(32).hex()
    return "another law"


def more_money(data: Any, chance: random.Random) -> str:
    """Raise an amount where it is commanded and wherever else the record tells of the very same amount."""
    wagers = [t["command"]["action"]["wagers"] for t in data["turns"] if "wagers" in t["command"]["action"]]
    placed = [(box, key) for box in wagers for key in box if box[key]]
    if placed:
        box, key = chance.choice(placed)
        box[key] = chance.choice([10**15, -box[key], box[key] + 100])
    return "another wager"


KINDS_OF_EDIT = (
    drop,
    drop_turn,
    drop_event,
    swap,
    double,
    alter,
    alter,
    alter,
    exchange_cards,
    another_deck,
    another_nonce,
    another_law,
    more_money,
)
GAMES = ("pa-575", "pa-659a", "pa-670a", "wa-fap", "ca-fpgp")
EDITS = 400
RECORDS = 12


def records(game: str) -> Iterator[Record]:
    """Yield records of rounds with irregularities."""
    if game != "ca-fpgp":
        yield from play_some(game, "tampered")
        return
    table = Driven(random.Random("tampered"), "tampered", Counter())
    while True:
        table.play_round(whole_text=False)
        assert table.live.record is not None
        yield table.live.record


def kept(record: Record) -> Record:
    """Return a record without what need not decide anything: what other tables left a meter at."""
    turns = tuple(msgspec.structs.replace(turn, meters={}) for turn in record.turns)
    return msgspec.structs.replace(record, turns=turns, digest="")


@pytest.mark.parametrize("game", GAMES)
def test_every_edit_of_a_record_is_named(game: str) -> None:
    """Four hundred edits a game; each is named, or is proven to decide nothing.

    A record is read with the one before it, which says how the table stood. Proven means: replayed with
    the edit every event, every payment and the table afterwards are the same, and what was edited is the
    value of a meter that no decision of that command depends on.
    """
    chance = random.Random(f"edits {game}")
    real = list(islice(records(game), RECORDS))
    pairs = [
        (one, other, write_record(other)) for one, other in pairwise(real) if other.before.round.number > 1
    ]
    idle = 0
    for _ in range(EDITS):
        previous, record, text = chance.choice(pairs)
        done, data = tampered(text, chance)
        with pytest.raises(DataError):  # as it stands: the digest is another, or it is no record at all
            parse_record(msgspec.json.encode(data))
        try:
            forged = parse_record(fitted(data))
        except DataError:
            continue
        found = difference(forged, previous)
        if found is None:
            assert kept(forged) == kept(record), f"{done} is not named"
            idle += 1
    assert idle <= EDITS // 100


PARTS = ("clauses", "game", "ranking", "house_way", "schedule", "readings")


@pytest.mark.parametrize("game", GAMES)
def test_the_laws_fingerprint_covers_everything_that_decides_a_round(game: str) -> None:
    rules = rules_for(example_submission(game))
    assert rules.law_fingerprint == rules_for(example_submission(game)).law_fingerprint
    for other in other_laws(rules):
        assert other.law_fingerprint != rules.law_fingerprint


def other_laws(rules: Rules) -> Iterator[Rules]:
    """Yield rules that differ in one thing each: a paytable, a procedure, a reading, the house way."""
    found, first = rules.game, rules.game.paytable[0]
    line = first.lines[0]
    lines = (line.model_copy(update={"hand": "another"}), *first.lines[1:])
    tables = (first.model_copy(update={"lines": lines}), *found.paytable[1:])
    yield replace(rules, game=found.model_copy(update={"paytable": tables}))
    step = next(iter(found.procedure))
    steps = {name: terms for name, terms in found.procedure.items() if name != step}
    yield replace(rules, game=found.model_copy(update={"procedure": steps}))
    yield replace(rules, readings={**rules.readings, "another": "reading"})


def test_a_fingerprint_sees_every_document_and_every_field_of_it() -> None:
    base = dict.fromkeys(PARTS, "text")
    hashes = {fingerprint_of(**base)} | {fingerprint_of(**(base | {part: "other"})) for part in PARTS}
    assert len(hashes) == len(PARTS) + 1
