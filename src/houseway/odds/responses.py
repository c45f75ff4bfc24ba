"""Best answers in turn: a player's to the house way, a dealer's to that, and so on, each exactly."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from houseway.cards import Deck
from houseway.houseways import Program
from houseway.odds.best import Best, BestPlay, Catalogue, Stake, best_play, catalogue, doubles
from houseway.odds.counted import told_by, user_folder
from houseway.odds.fingerprint import COUNTS, fingerprint
from houseway.odds.handspace import HandSpace
from houseway.odds.kept import kept_array
from houseway.odds.maingame import Told, main_game, packed_classes

Array = NDArray[Any]


@dataclass(frozen=True)
class Answer:
    """The house's edge after somebody answered best."""

    by: str
    edge: Fraction
    play: BestPlay | None = None


@dataclass(frozen=True)
class SumsFile:
    """A long count in files: its sums level after level, then its end, each written whole or not at all."""

    path: Path

    def result(self) -> Array | None:
        """Return what the count came to, mapped into memory, if it is at its end."""
        path = self.path.with_name(f"{self.path.name}.npy")
        return np.load(path, mmap_mode="r") if path.exists() else None

    def finish(self, result: Array) -> Array:
        """Keep what the count came to, in place of the sums."""
        found = kept_array(self.path.name, lambda: result, self.path.parent)
        for level in range(10):
            self._of(level).unlink(missing_ok=True)
        return found

    def read(self) -> tuple[int, Array] | None:
        """Return how many levels are counted, and the sums so far; nothing if none is."""
        for level in range(9, 0, -1):
            path = self._of(level)
            if path.exists():
                return level, np.load(path)
        return None

    def write(self, levels: int, sums: Array) -> None:
        """Keep the sums of the first levels; where nothing can be written, nothing is kept."""
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            part = self.path.with_suffix(".part")
            with part.open("wb") as file:
                np.save(file, sums)
            part.replace(self._of(levels))
            self._of(levels - 1).unlink(missing_ok=True)
        except OSError:
            return

    def _of(self, level: int) -> Path:
        return self.path.with_name(f"{self.path.name}-{level}.npy")


def best_answers(
    program: Program,
    commission: Fraction = Fraction(0),
    answers: int = 1,
    tell: Told | None = None,
    deck: Deck | None = None,
) -> Iterator[Answer]:
    """Yield the edge of the house way against itself, then after each best answer to what went before.

    The player answers first. In a game with a Double Down the player also doubles wherever that pays, and the
    law fixes the dealer's way: only the player answers.
    """
    main = main_game(program, program, deck)
    yield Answer(f"nobody: both set by {program.way.id}", main.edge(commission))
    space = HandSpace(sum(program.split), deck)
    sides: dict[bool, Catalogue] = {}
    against = packed_classes(program, space, as_player=False)
    name = fingerprint(told_by(Best(program, True, commission)), code=COUNTS)[:24]
    for number in range(answers):
        as_player = number % 2 == 0
        if as_player not in sides:
            sides[as_player] = catalogue(program, space, as_player=as_player)
        stake = Stake.of(commission, as_player=as_player)
        doubling = program if as_player and doubles(program) else None

        def sums(what: str, turn: int = number) -> SumsFile:
            return SumsFile(user_folder().parent / "values" / f"{name}-{turn}-{what}")

        play = best_play(
            sides[as_player],
            against,
            stake,
            doubling=doubling,
            tell=tell,
            sums=sums if deck is None else None,
        )
        yield Answer("the player" if as_player else "the dealer", play.edge(commission), play)
        if doubling is not None:
            return
        against = play.table
