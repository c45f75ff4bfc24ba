"""Which house ways are proven, and for what: over every hand, one rule decides and no setting is foul.

A proof takes a while, so it is not made when rules are filed. What was proven is stored with the house
ways, by a key that stands for all that the proof depends on: the way's rules, and the order of hands as
options and readings make it. ``houseway prove --record`` makes the proofs and writes them.
"""

from __future__ import annotations

import csv
import hashlib
import json
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, Final

from houseway.houseways.compiler import CompiledWay
from houseway.houseways.document import HOUSE_WAY_FILES, HouseWay
from houseway.ranking.order import Category
from houseway.ranking.ranking import Ranking

PROOFS: Final = HOUSE_WAY_FILES / "proven.csv"
COLUMNS: Final = ("way", "ranking", "straight", "straight_flush", "readings", "key")


def is_proven(program: CompiledWay) -> bool:
    """Whether a house way is proven for a ranking as it is taken here."""
    return proof_of(program)["key"] in _keys()


def proof_of(program: CompiledWay) -> dict[str, str]:
    """Return the line that says for what a program was proven."""
    order = program.ranking
    readings = readings_chosen(program.way, order)
    return {
        "way": program.way.id,
        "ranking": order.id,
        "straight": order.ace_low_straight,
        "straight_flush": order.ace_low_straight_flush,
        "readings": " ".join(f"{name}={choice}" for name, choice in readings.items()),
        "key": _key(program.way, order, readings),
    }


def readings_chosen(way: HouseWay, order: Ranking) -> dict[str, str]:
    """Return the readings that a way's settings may depend on, as they are taken."""
    names = {*order.document.readings_of_parts, *(name for rule in way.rule for name in _readings(rule))}
    return {name: order.readings.get(name, "") for name in sorted(names)}


def _readings(rule: Any) -> Iterable[str]:  # noqa: ANN401 - a rule
    return (*rule.only_if, *rule.unless)


def _key(way: HouseWay, order: Ranking, readings: dict[str, str]) -> str:
    """Return the hash over what a proof depends on: neither the clauses behind it nor its words."""
    words = {"rule": {"__all__": {"say", "clauses", "cites", "worth"}}, "points": {"__all__": {"say"}}}
    rules = way.model_dump(mode="json", include={"parts", "rule", "points"}, exclude=words)
    document = order.document
    parts = [(part.name, part.cards, [*map(_line, part.category)]) for part in document.part]
    order_rules = [(rule.higher, rule.lower) for rule in document.setting]
    proven = [rules, parts, order_rules, order.ace_low_straight, order.ace_low_straight_flush, readings]
    return hashlib.sha256(json.dumps(proven, sort_keys=True).encode()).hexdigest()


def _line(category: Category) -> list[Any]:
    return [category.name, category.joker, category.only_if, category.unless]


@cache
def _keys() -> frozenset[str]:
    return frozenset(row["key"] for row in read_proofs())


def read_proofs(path: Path = PROOFS) -> Iterator[dict[str, str]]:
    """Yield the lines of the proofs on record."""
    if path.exists():
        with path.open(encoding="utf-8", newline="") as file:
            yield from csv.DictReader(file, strict=True)


def write_proofs(proofs: Iterable[dict[str, str]], path: Path = PROOFS) -> None:
    """Write the proofs on record again."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(proofs)
