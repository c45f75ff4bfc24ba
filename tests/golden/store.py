"""Plays as they are written down: digests of every one, the whole of a few, one compressed file a game."""

from __future__ import annotations

import json
import lzma
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from tests.golden.notes import Plain
from tests.golden.player import Player

DATA = Path(__file__).parent / "data"
PLAYS = 1_000
WHOLE = 12
"""So many plays of a game are written down whole."""
PARTS = ("facts", "words", "states")
"""What is compared of a play, in this order: what is done, how it is worded, how the table then stands."""


class Digests(NamedTuple):
    """One play by the table that it was played at and what tells each part of it from any other."""

    variant: str
    facts: str
    words: str
    states: str


class Summary(NamedTuple):
    """One play just made: its digests, and how often each step was done, and refused."""

    number: int
    digests: Digests
    done: dict[str, int]
    refused: dict[str, int]
    rounds: int


class Book(NamedTuple):
    """What is written down of a game."""

    plays: list[Digests]
    whole: dict[str, dict[str, Plain]]
    """Whole plays by their numbers."""
    done: Counter[str]
    refused: Counter[str]
    rounds: int


def summarize(game: str, number: int) -> Summary:
    """Make one play of a game and return what it came to."""
    player = Player(game, number).play()
    digests = Digests(player.variant, **player.notes.digests())
    return Summary(number, digests, player.done, player.refused, player.live.table.rounds)


def make_whole(game: str, number: int) -> dict[str, Plain]:
    """Make one play of a game and return the whole of it, as it is read from a file."""
    parts: dict[str, Plain] = json.loads(msgspec.json.encode(Player(game, number).play().notes.parts))
    return parts


def path_of(game: str) -> Path:
    """Return the file of a game."""
    return DATA / f"{game}.json.xz"


def read(game: str) -> Book:
    """Read what is written down of a game."""
    data = json.loads(lzma.decompress(path_of(game).read_bytes()))
    plays = [Digests(*row) for row in data["plays"]]
    return Book(plays, data["whole"], Counter(data["done"]), Counter(data["refused"]), data["rounds"])


def write(game: str, plays: Iterable[Summary]) -> Book:
    """Write the plays of a game down; return what is written."""
    every = sorted(plays)
    done: Counter[str] = Counter()
    refused: Counter[str] = Counter()
    for play in every:
        done.update(play.done)
        refused.update(play.refused)
    book = Book(
        plays=[play.digests for play in every],
        whole={str(number): make_whole(game, number) for number in choose(every)},
        done=done,
        refused=refused,
        rounds=sum(play.rounds for play in every),
    )
    text = json.dumps(book._asdict(), sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    DATA.mkdir(exist_ok=True)
    path_of(game).write_bytes(lzma.compress(text.encode(), preset=9 | lzma.PRESET_EXTREME))
    return book


def choose(plays: Sequence[Summary]) -> list[int]:
    """Return the numbers of a few plays in which as many steps as possible are done, and refused."""
    chosen: list[int] = []
    met = {play.number: _met(play) for play in plays}
    missing = set[tuple[str, str]]().union(*met.values())
    while met and len(chosen) < WHOLE:
        best = max(met, key=lambda number: (len(missing & met[number]), -number))
        missing -= met.pop(best)
        chosen.append(best)
    return sorted(chosen)


def _met(play: Summary) -> set[tuple[str, str]]:
    done = {("done", step) for step in play.done}
    return done | {("refused", step) for step in play.refused} | {("variant", play.digests.variant)}


def difference(before: Any, now: Any, path: str = "") -> str | None:
    """Return where two pieces of plain data differ first, and how."""
    if isinstance(before, dict) and isinstance(now, dict):
        for name in sorted({*before, *now}):
            if name not in before or name not in now:
                return f"{path}.{name}: only {'now' if name in now else 'before'}"
        pairs = [(before[name], now[name], f"{path}.{name}") for name in sorted(before)]
    elif isinstance(before, list) and isinstance(now, list):
        both = zip(before, now, strict=False)
        pairs = [(value, other, f"{path}[{number}]") for number, (value, other) in enumerate(both)]
        if len(before) != len(now):
            pairs.append((len(before), len(now), f"{path}.length"))
    elif before == now and type(before) is type(now):
        return None
    else:
        return f"{path}: {json.dumps(before)[:300]} before, {json.dumps(now)[:300]} now"
    return next(filter(None, (difference(*pair) for pair in pairs)), None)


def compare_play(game: str, book: Book, play: Summary) -> dict[str, str]:
    """Return what differs in a play from what is written down, by part: where, and how."""
    before, number = book.plays[play.number], play.number
    differing = [part for part in PARTS if getattr(before, part) != getattr(play.digests, part)]
    if before.variant != play.digests.variant:
        return {"facts": f"{game} play {number}: at {play.digests.variant}, before at {before.variant}"}
    if not differing or str(number) not in book.whole:
        return {part: f"{game} play {number}: the digest of its {part} differs" for part in differing}
    whole, now = book.whole[str(number)], make_whole(game, number)
    return {part: f"{game} play {number}: {_place(part, whole, now)}" for part in differing}


def _place(part: str, before: dict[str, Plain], now: dict[str, Plain]) -> str:
    """Return where a part of a play differs, and the command that the place belongs to."""
    where = difference(before[part], now[part], part) or "nothing differs but the digest"
    entry = where.partition("[")[2].partition("]")[0]
    if part == "states" or not entry.isdigit() or int(entry) >= len(now["facts"]):
        return where
    fact = now["facts"][int(entry)]
    return f"{where} (entry {entry}: {json.dumps(fact.get('do') or sorted(fact))[:200]})"
