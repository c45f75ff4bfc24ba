"""Edits that somebody might make to a record, at any place of it: dropped, swapped, doubled, altered."""

from __future__ import annotations

import copy
import random
from collections.abc import Iterator
from typing import Any

import msgspec

from houseway.games import game
from houseway.rounds.record import digest_of, written

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
        done = chance.choice(EDITS)(data, chance)
    return done, data


def fitted(data: dict[str, Any]) -> bytes:
    """Return the text of a record whose digest was made to fit by somebody who knows how."""
    whole = data | {"digest": digest_of(data)}
    return written(whole).encode() if isinstance(data.get("turns"), list) else msgspec.json.encode(whole)


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
    found = a_list(data, chance)
    one, other = chance.sample(range(len(found)), 2)
    found[one], found[other] = found[other], found[one]
    return "swap"


def double(data: Any, chance: random.Random) -> str:
    found = a_list(data, chance)
    index = chance.randrange(len(found))
    found.insert(index, copy.deepcopy(found[index]))
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
    one, other = chance.sample(CARDS, 2)
    text = msgspec.json.encode(data).decode().replace(f'"{one}"', '"?"').replace(f'"{other}"', f'"{one}"')
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


EDITS = (
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
