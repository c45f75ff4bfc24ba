"""Hands by the line: text in on standard input, one JSON object a line out, a million at a time."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from houseway.cards import RANKS, SUITS, Card, parse_cards
from houseway.errors import InvalidInputError
from houseway.houseways import Program
from houseway.ranking import Ranking

Array = NDArray[Any]
BLOCK: Final = 200_000
_NAMES: Final = [str(Card(index)) for index in range(53)]
_QUOTED: Final = [f'"{name}"' for name in _NAMES]


def read_lines() -> Iterator[list[str]]:
    """Yield the lines of standard input in blocks; blank lines at the end do not count."""
    block: list[str] = []
    for line in sys.stdin:
        block.append(line)
        if len(block) == BLOCK:
            yield block
            block = []
    while block and not block[-1].strip():
        block.pop()
    if block:
        yield block


_CODES: Final = {
    **{f"{r}{s}": i for i, (r, s) in enumerate((r, s) for r in RANKS for s in SUITS)},
    "Jk": 52,
}


def parse_block(lines: Sequence[str], size: int, first: int) -> Array:
    """Read a block of hands; a bad line is refused by its number."""
    hands = np.empty((len(lines), size), dtype=np.uint8)
    for row, line in enumerate(lines):
        tokens = line.split()
        try:
            codes = [_CODES[token] for token in tokens]
        except KeyError:
            codes = []
        if len(codes) != size or len(set(codes)) != size:
            codes = [int(card) for card in _carefully(line, size, first + row)]
        hands[row] = codes
    return hands


def _carefully(line: str, size: int, number: int) -> tuple[Card, ...]:
    try:
        return parse_cards(line, count=size)
    except InvalidInputError as error:
        error.where = f"line {number}"
        raise


def bonus_lines(order: Ranking, size: int, blocks: Iterator[list[str]]) -> None:
    """Print the category of every side wager for each hand."""
    from houseway.ranking.batch import bonus_categories  # noqa: PLC0415 - numba only when it is needed

    done = 0
    for lines in blocks:
        hands = parse_block(lines, size, done + 1)
        columns: list[list[str]] = []
        for listing in order.document.listing:
            names, found = bonus_categories(order, listing.id, hands)
            words = [f'"{listing.id}": "{name}"' for name in names]
            columns.append([words[i] for i in found])
        columns += _qualifier_columns(order, hands)
        sys.stdout.write("".join("{" + ", ".join(row) + "}\n" for row in zip(*columns, strict=True)))
        done += len(lines)


def _qualifier_columns(order: Ranking, hands: Array) -> list[list[str]]:
    if not any(q.id == "double_down_qualifier" for q in order.document.qualifier):
        return []
    answers = (order.qualifies("double_down_qualifier", [Card(int(c)) for c in hand]) for hand in hands)
    return [[f'"double_down_qualifier": {str(answer).lower()}' for answer in answers]]


def setting_lines(program: Program, blocks: Iterator[list[str]]) -> None:
    """Print the house-way setting of each hand."""
    from houseway.houseways.batch import set_hands  # noqa: PLC0415 - numba only when it is needed

    size, done = sum(program.ranking.split), 0
    endings = [_ending(rule.rule.id, rule.rule.clauses) for rule in program.rules]
    for lines in blocks:
        found = set_hands(program, parse_block(lines, size, done + 1))
        columns = [_part_words(found.parts(part)) for part in range(len(program.ranking.split))]
        columns.append([endings[rule] for rule in found.rules])
        sys.stdout.write(
            "".join('{"parts": [' + ", ".join(row[:-1]) + row[-1] for row in zip(*columns, strict=True))
        )
        done += len(lines)


def _part_words(cards: Array) -> list[str]:
    quoted = _QUOTED
    rows: list[list[int]] = cards[:, ::-1].tolist()
    write: Callable[[list[int]], str] = lambda row: "[" + ", ".join([quoted[c] for c in row]) + "]"  # noqa: E731
    return [write(row) for row in rows]


def _ending(rule: str, clauses: Sequence[str]) -> str:
    clause = f'"{clauses[-1]}"' if clauses else "null"
    return f'], "rule": "{rule}", "clause": {clause}}}\n'
