"""Hands by the line: text in on standard input, one JSON object a line out, a million at a time.

The usual notation, two letters a card and a blank between, is read and written as whole arrays of
bytes; a line in any other notation is parsed alone, and a bad line is reported by its number.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from io import BytesIO
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from houseway.cards import Card, parse_cards
from houseway.cli.printing import report
from houseway.errors import InvalidInputError
from houseway.houseways import CompiledWay, decide
from houseway.ranking import Ranking
from houseway.ranking.listing import Among

Array = NDArray[Any]
BLOCK_BYTES: Final = 1 << 22
LONGEST_LINE: Final = 10_000
"""A longer line is refused and not read to its end."""
_LETTERS: Final = np.array([list(str(Card(index)).encode()) for index in range(53)], dtype=np.uint8)
_NO_CARD: Final = 255


def _codes() -> Array:
    table = np.full((256, 256), _NO_CARD, dtype=np.uint8)
    for card, (first, second) in enumerate(_LETTERS):
        table[first, second] = card
    return table


_CODES: Final = _codes()


def read_lines() -> Iterator[list[bytes]]:
    """Yield the lines of standard input in blocks; blank lines at the end do not count."""
    blank: list[bytes] = []
    source = sys.stdin.buffer
    while text := source.read(BLOCK_BYTES):
        if not text.endswith(b"\n"):
            text += source.readline(LONGEST_LINE)
        cut = not text.endswith(b"\n")
        while cut and (rest := source.readline(BLOCK_BYTES)):
            cut = not rest.endswith(b"\n")
        block, blank = blank + BytesIO(text).readlines(), []
        while block and len(block[-1]) <= LONGEST_LINE and not block[-1].strip():
            blank.append(block.pop())
        if block:
            yield block


class BadLines:
    """Reports the lines that are no hands; with ``strict`` the first one ends the command."""

    def __init__(self, *, strict: bool, as_json: bool) -> None:
        self.strict, self.as_json, self.count = strict, as_json, 0

    def add(self, error: InvalidInputError) -> None:
        """Report a bad line, or raise its error."""
        if self.strict:
            raise error
        report(error, as_json=self.as_json)
        self.count += 1


def parse_block(lines: Sequence[bytes], size: int, first: int, bad: BadLines) -> Array:
    """Return a block of hands, without the bad lines."""
    hands = np.full((len(lines), size), _NO_CARD, dtype=np.uint8)
    width = 3 * size
    usual = np.array([len(line) == width and line.endswith(b"\n") for line in lines])
    text = b"".join(line for line, plain in zip(lines, usual, strict=True) if plain)
    letters = np.frombuffer(text, dtype=np.uint8).reshape(-1, size, 3)
    between = (letters[:, :-1, 2] == ord(" ")).all(axis=1)
    hands[usual] = np.where(between[:, None], _CODES[letters[:, :, 0], letters[:, :, 1]], _NO_CARD)
    ordered = np.sort(hands, axis=1)
    odd = (ordered[:, -1] == _NO_CARD) | (ordered[:, 1:] == ordered[:, :-1]).any(axis=1)
    good = np.ones(len(lines), dtype=bool)
    for row in np.flatnonzero(odd):
        try:
            hands[row] = _parse_line(lines[int(row)], size)
        except InvalidInputError as error:
            error.where = f"line {first + int(row)}"
            bad.add(error)
            good[row] = False
    return hands[good]


def _parse_line(line: bytes, size: int) -> tuple[Card, ...]:
    text = line.decode("utf-8", "replace")
    if len(line) > LONGEST_LINE:
        raise InvalidInputError(f"no hand is longer than {LONGEST_LINE:,} letters", value=text.strip())
    return parse_cards(text, count=size)


def bonus_lines(
    order: Ranking,
    size: int,
    wagers: Mapping[str, Among],
    blocks: Iterator[list[bytes]],
    bad: BadLines,
) -> None:
    """Print the category of every side wager for each hand."""
    from houseway.ranking.batch import bonus_categories  # noqa: PLC0415 - numba only when it is needed

    done = 0
    for lines in blocks:
        hands = parse_block(lines, size, done + 1, bad)
        columns: list[list[str]] = []
        for wager, among in wagers.items():
            names, indices = bonus_categories(order, wager, hands, among=among)
            words = [f'"{wager}": "{name}"' for name in names]
            columns.append([words[i] for i in indices])
        columns += _qualifier_columns(order, hands)
        if not columns:
            sys.stdout.write("{}\n" * len(hands))
        sys.stdout.write("".join("{" + ", ".join(row) + "}\n" for row in zip(*columns, strict=True)))
        done += len(lines)


def _qualifier_columns(order: Ranking, hands: Array) -> list[list[str]]:
    if not any(q.id == "double_down_qualifier" for q in order.document.qualifier):
        return []
    answers = (order.qualifies("double_down_qualifier", [Card(int(c)) for c in hand]) for hand in hands)
    return [[f'"double_down_qualifier": {str(answer).lower()}' for answer in answers]]


def setting_lines(program: CompiledWay, blocks: Iterator[list[bytes]], bad: BadLines) -> None:
    """Print the house-way setting of each hand."""
    from houseway.houseways.batch import set_hands  # noqa: PLC0415 - numba only when it is needed

    split, done = program.ranking.split, 0
    template = _template(program.ranking.part_names, split)
    places = np.flatnonzero(np.frombuffer(template, dtype=np.uint8) == ord("#"))[::2]
    endings = [_ending(rule.rule.id, rule.rule.clauses) for rule in program.rules]
    by_hand = {
        number
        for number, rule in enumerate(program.rules)
        if any(rule.rule.clauses[0] in citation.clauses for citation in rule.cites)
    }
    for lines in blocks:
        hands = parse_block(lines, sum(split), done + 1, bad)
        batch = set_hands(program, hands)
        cards = np.concatenate([batch.parts(part) for part in range(len(split))], axis=1)
        page = np.tile(np.frombuffer(template, dtype=np.uint8), (len(hands), 1))
        page[:, places], page[:, places + 1] = _LETTERS[cards, 0], _LETTERS[cards, 1]
        whole, width = page.tobytes(), len(template)
        rules = batch.rules.tolist()
        rows = [whole[i * width : (i + 1) * width] + endings[r] for i, r in enumerate(rules)]
        for i in (i for i, r in enumerate(rules) if r in by_hand):
            decision = decide(program, [Card(int(card)) for card in hands[i]])
            rows[i] = whole[i * width : (i + 1) * width] + _ending(decision.rule, decision.clauses)
        sys.stdout.buffer.write(b"".join(rows))
        done += len(lines)


def _template(names: Sequence[str], split: Sequence[int]) -> bytes:
    """Return a line up to its rule, with two marks where each card goes."""
    cards = ("[" + ", ".join(['"##"'] * size) + "]" for size in split)
    parts = ", ".join(f'"{name}": {of}' for name, of in zip(names, cards, strict=True))
    return ('{"parts": {' + parts + "}").encode()


def _ending(rule: str, clauses: Sequence[str]) -> bytes:
    clause = f'"{clauses[0]}"' if clauses else "null"
    return f', "rule": "{rule}", "clause": {clause}}}\n'.encode()
