"""What side wagers return, counted apart: every suit class settled as a table under a submission settles it.

``python -m tests.odds.settled [GAME ...]`` writes the counts anew; it settles 29 million hands, one by one,
which takes some five minutes.
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import comb
from pathlib import Path
from typing import Final

from houseway.cards import Card
from houseway.games import Rules, Submission, example_submission, games
from houseway.houseways.proof import suit_classes
from houseway.law.readings import options_of
from houseway.money import Basis, Cents
from houseway.ranking.picture import glance
from houseway.settlement.sides import hand_made

COUNTED: Final = Path(__file__).parent / "golden" / "holds.csv"
PACK: Final = 53
ONE: Final = Cents(10_000)
"""A wager that every line can be paid on to the cent."""
CARDS: Final = tuple(Card(number) for number in range(PACK))


@dataclass(frozen=True)
class Case:
    """A side wager as one submission posts it: its paytable, and the one reading taken otherwise, if any."""

    game: str
    wager: str
    paytable: str
    reading: str

    @property
    def submission(self) -> Submission:
        """The example submission with this paytable and this reading."""
        filed = example_submission(self.game)
        choice = filed.wagers[self.wager]
        if choice.paytable is not None:
            choice = choice.model_copy(update={"paytable": self.paytable})
        name, _, taken = self.reading.partition("=")
        return filed.model_copy(
            update={
                "wagers": filed.wagers | {self.wager: choice},
                "readings": {**filed.readings, **({name: taken} if name else {})},
            }
        )

    @property
    def rules(self) -> Rules:
        """The rules of a table under it."""
        return Rules.of(self.submission)


@cache
def cases() -> tuple[Case, ...]:
    """Return every side wager of every game, by each listed paytable, under each choice of each reading."""
    cases = []
    for game in games():
        if not game.licensed:
            continue
        choices = [
            f"{name}={choice}"
            for name, option in options_of(game.rule_set or "").items()
            for choice in option.choices
            if choice != option.default
        ]
        for wager in Rules.of(example_submission(game.id)).side_wagers:
            cases += [
                Case(game.id, wager, table.id, reading)
                for table in game.paytables_of(wager)
                for reading in ("", *choices)
            ]
    return tuple(cases)


def settles_like(case: Case) -> object:
    """Return what a hand's line depends on: cases that agree here settle every hand alike."""
    rules, wager = case.rules, case.wager
    standing = rules.ranking().listing(wager).standing(rules.readings, rules.listed_hands(wager))
    looked = [
        (hand_line.name, hand_line.joker, hand_line.flush, str(rules.line(wager, hand_line.name).pays))
        for hand_line in standing
    ]
    return case.game, wager, rules.joker_mode(wager), tuple(looked)


def settled(game: str) -> Iterator[tuple[Case, Fraction]]:
    """Yield what each case of a game keeps, the meter left aside: 1 less what comes back of it."""
    mine = [case for case in cases() if case.game == game]
    alike: dict[object, list[Case]] = {}
    for case in mine:
        alike.setdefault(settles_like(case), []).append(case)
    tables = [(group[0].rules, group[0].wager) for group in alike.values()]
    size = tables[0][0].game.hand_cards
    counts: list[dict[str, int]] = [{} for _ in tables]
    for hands, weights in suit_classes(size):
        for row, weight in zip(hands.tolist(), weights.tolist(), strict=True):
            hand = glance(CARDS[number] for number in row)
            for (rules, wager), count in zip(tables, counts, strict=True):
                line = hand_made(rules, wager, hand)
                count[line] = count.get(line, 0) + weight
    for (rules, wager), count, group in zip(tables, counts, alike.values(), strict=True):
        assert sum(count.values()) == comb(PACK, size), "every hand was settled"
        hold = 1 - Fraction(
            sum(many * back(rules, wager, line) for line, many in count.items()), comb(PACK, size)
        )
        yield from ((case, hold) for case in group)


def back(rules: Rules, wager: str, hand: str) -> Fraction:
    """Return what comes back of a wager of one on a hand, the meter left aside."""
    pays = rules.line(wager, hand).pays
    if pays.basis in (Basis.METER, Basis.LOSE):
        return Fraction(0)
    return Fraction(pays.returned(ONE), ONE)


def counted() -> dict[Case, Fraction]:
    """Return what was counted."""
    if not COUNTED.exists():
        return {}
    with COUNTED.open(encoding="utf-8", newline="") as file:
        rows = csv.DictReader(file)
        return {Case(*(row[name] for name in FIELDS[:-1])): Fraction(row["hold"]) for row in rows}


FIELDS: Final = ("game", "wager", "paytable", "reading", "hold")


def write(holds: dict[Case, Fraction]) -> None:
    """Write the counts down, in the order of the cases."""
    with COUNTED.open("w", encoding="utf-8", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(FIELDS)
        for case in cases():
            if case in holds:
                out.writerow((case.game, case.wager, case.paytable, case.reading, str(holds[case])))


if __name__ == "__main__":
    for game in sys.argv[1:] or dict.fromkeys(case.game for case in cases()):
        write(counted() | dict(settled(game)))
