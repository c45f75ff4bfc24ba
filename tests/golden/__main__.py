"""``python -m tests.golden record`` writes every play down; ``compare`` makes them again and compares.

``compare [GAME ...]`` takes some games only. Of a play of which only digests are written down the new whole
is put into a file for ``diff`` with the same of an older checkout (``dump GAME NUMBER`` makes that).
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Iterator, Sequence
from functools import partial
from multiprocessing import get_context
from pathlib import Path

from houseway.games import game as game_named
from tests.golden.store import (
    PARTS,
    PLAYS,
    Book,
    Summary,
    compare_play,
    make_whole,
    path_of,
    read,
    summarize,
    write,
)
from tests.golden.variants import GAMES

WORKERS = 2
SHOWN = 5
"""So many differing plays of a game are told in full."""


def main(arguments: Sequence[str]) -> int:
    """Do what is asked on the command line; return what the process ends with."""
    match arguments:
        case ["record", *games]:
            for game in games or GAMES:
                report(game, write(game, every(game)))
            return 0
        case ["compare", *games]:
            return max([compare(game) for game in games or GAMES])
        case ["report", *games]:
            for game in games or GAMES:
                report(game, read(game))
            return 0
        case ["dump", game, number]:
            print(dump(game, int(number)))
            return 0
        case _:
            print(__doc__)
            return 2


def every(game: str) -> Iterator[Summary]:
    """Make every play of a game, on several cores."""
    with get_context("spawn").Pool(WORKERS) as pool:
        yield from pool.imap(partial(summarize, game), range(PLAYS), chunksize=20)


def compare(game: str) -> int:
    """Make every play of a game again and tell what differs; return 1 if anything does."""
    book, counts, shown = read(game), dict.fromkeys(PARTS, 0), 0
    for play in every(game):
        differing = compare_play(game, book, play)
        for part in differing:
            counts[part] += 1
        if differing and shown < SHOWN:
            shown += 1
            print(*differing.values(), sep="\n")
            if str(play.number) not in book.whole:
                print(f"  the play as it is now: {dump(game, play.number)}")
    counted = ", ".join(f"{number} in their {part}" for part, number in counts.items())
    print(f"{game}: of {len(book.plays)} plays differ {counted}")
    return int(any(counts.values()))


def dump(game: str, number: int) -> Path:
    """Write the whole of a play into a file of its own, a line for each entry."""
    path = Path(tempfile.mkdtemp(prefix="golden-")) / f"{game}-{number}.txt"
    parts = make_whole(game, number)
    lines = [
        f"{part} {json.dumps(entry, sort_keys=True, ensure_ascii=False)}"
        for part in PARTS
        for entry in parts[part]
    ]
    path.write_text("\n".join([*lines, ""]), encoding="utf-8")
    return path


def report(game: str, book: Book) -> None:
    """Tell how much is written down, and which steps of the game were never taken, or never tried."""
    steps = set(game_named(game).procedure)
    size = path_of(game).stat().st_size
    never = sorted(step for step in steps if not book.done[step])
    untried = sorted(step for step in never if not book.refused[step])
    print(f"{game}: {len(book.plays)} plays, {book.rounds} rounds, {len(book.whole)} whole, {size:,} bytes")
    print(f"  {book.done.total()} steps taken, {book.refused.total()} refused")
    print(f"  never taken: {', '.join(never) or 'none'}; never tried: {', '.join(untried) or 'none'}")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
