"""Every card example of the clause tables, run against the ranking, the race and the house ways."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import houseway as hw
from houseway.cards import Card, parse_cards
from houseway.games import example_submission
from houseway.library import PlayedGame
from houseway.library.values import ComparedHands
from houseway.ranking import RaceResult, Ranking, verify_split
from tests.rounds.known_rounds import dealt, looking

GOLDEN = Path(__file__).parent / "golden"
RULE_SETS = ("pa-575", "pa-659a", "pa-670a", "wa-fap", "ca-fpgp")
Row = dict[str, str]


def examples() -> Iterator[Any]:
    for rule_set in RULE_SETS:
        with (GOLDEN / f"{rule_set}.csv").open(encoding="utf-8", newline="") as file:
            for number, row in enumerate(csv.DictReader(file), start=2):
                name = f"{row['clause']}:{number}:{row['kind']}"
                marks = pytest.mark.clause(row["clause"]) if proves(row) else ()
                yield pytest.param(rule_set, row, marks=marks, id=name)


def options(row: Row) -> dict[str, str]:
    return dict(pair.split("=") for pair in row["options"].split(";") if pair)


def proves(row: Row) -> bool:
    """Whether this example by itself proves its clause: it fails when the clause is switched off."""
    return row["proves"] == "yes"


def opened(rule_set: str, row: Row) -> PlayedGame:
    """Open the game of an example in the library, with the options and readings that the row names."""
    given, example = options(row), example_submission(rule_set)
    update: dict[str, Any] = {}
    if rule_set == "pa-575":
        update["options"] = {name: text == "true" for name, text in given.items() if name.startswith("a234")}
    else:
        readings = {k: v for k, v in given.items() if k not in ("parts", "foul", "joker", "sides")}
        update["readings"] = {**example.readings, **readings}
    for prefix, table in PROCEDURES.items():
        if row["clause"].startswith(prefix):
            update["table"] = example.table.model_copy(update=table)
    return hw.game(example.model_copy(update=update))


SIDES = {"pa670a.6.c.s2": ("Ah Qs 9s 5c 2s / Jk", "Ks Kh 8c 4s 3h / Ad")}
"""Whole settings for what is only so between a player and the dealer."""
DEALERS = {1: "5s 5h 5d 6s 6h 6d 3c"}
PROCEDURES: dict[str, dict[str, Any]] = {
    "wa.fap.iverify_nohwv.": {"procedure": "iverify"},
    "wa.fap.led.": {"procedure": "led"},
    "wa.fap.dice.": {"procedure": "dice_cup", "start_methods": ("dice_cup",), "dice": 3},
}
"""Washington's other procedures: at a table of each its own clauses are cited."""


def setting(text: str) -> list[tuple[Card, ...]]:
    return [parse_cards(part) for part in text.split("/")]


def category(game: PlayedGame, row: Row) -> None:
    assert game.rank(row["a"], row["part"]).category == row["expect"]


def value(game: PlayedGame, row: Row) -> None:
    ranked, found = game.rank(row["a"], row["part"]), game.ranking.rank(row["part"], parse_cards(row["a"]))
    assert found.value == row["expect"]
    assert (ranked.category, ranked.strength) == (found.category, found.strength)


def beats(game: PlayedGame, row: Row) -> None:
    r = game.ranking
    a, b = parse_cards(row["a"]), parse_cards(row["b"])
    assert r.compare(row["part"], a, b) is RaceResult.HIGHER
    if "sides" in options(row):
        mine, theirs = SIDES[row["clause"]]
        assert (mine.split(" / ")[-1], theirs.split(" / ")[-1]) == (row["a"], row["b"])
        assert game.compare(mine, theirs).race.parts[-1] is RaceResult.HIGHER
    else:
        assert r.compare(row["part"], b, a) is RaceResult.LOWER
        one, other = game.rank(a, row["part"]), game.rank(b, row["part"])
        assert one > other
        lines = {
            clause
            for line in r.judge(row["part"]).part.category
            for clause in (*line.clauses, *line.clauses.struck)
        }
        lines -= set(r.document.cards.tie_break)
        assert row["clause"] not in lines or row["clause"] in one.clauses + other.clauses


def copy(game: PlayedGame, row: Row) -> None:
    a, b = parse_cards(row["a"]), parse_cards(row["b"])
    assert game.ranking.compare(row["part"], a, b) is RaceResult.COPY
    if "sides" not in options(row):
        assert game.rank(a, row["part"]).strength == game.rank(b, row["part"]).strength


def against(game: PlayedGame, shown: str) -> ComparedHands:
    """Compare a setting with the hand that the dealer has of the first cards that are not in it."""
    held = [card for part in setting(shown) for card in part]
    rest = [card for card in game.document.cards().cards if card not in held]
    return game.compare(shown, " ".join(map(str, rest[: len(held)])))


def legal(game: PlayedGame, row: Row) -> None:
    r = game.ranking
    parts = setting(row["a"])
    assert verify_split(r, [card for part in parts for card in part], parts) == ()
    assert not against(game, row["a"]).race.fouls


def foul(game: PlayedGame, row: Row) -> None:
    found = against(game, row["a"])
    assert (found.result, bool(found.race.fouls)) == ("lose", True)
    assert row["clause"] in found.race.clauses or not proves(row)


def pair_of_parts(*, foul_expected: bool) -> Callable[[PlayedGame, Row], None]:
    """Check the two lower parts under four of a kind, which no order of parts can object to."""

    def check(game: PlayedGame, row: Row) -> None:
        held = {card.rank for part in setting(row["a"]) for card in part}
        four = next(rank for rank in range(2, 14) if rank not in held)
        high = " ".join(str(Card.of(four, suit)) for suit in range(4))
        found = against(game, f"{high} / {row['a']}").race
        assert bool(found.fouls) is foul_expected
        assert not found.fouls or row["clause"] in found.fouls[0].clauses

    return check


def wrong_split(game: PlayedGame, row: Row) -> None:
    """A setting of wrong sizes or cards is refused at a table, or else it is a foul and loses."""
    parts = tuple(tuple(map(Card.parse, part.split())) for part in row["a"].split("/"))
    cards = parse_cards(row["b"] or row["a"].replace("/", " "))
    found = verify_split(game.ranking, cards, parts)
    assert found and all(row["clause"] in problem.clauses for problem in found)
    if game.ranking.document.split.wrong == "refused":
        hands = (DEALERS if game.id == "wa-fap" else {}) | {2: " ".join(map(str, cards))}
        floor = dealt(game.id, hands, {})
        problems = floor.problems("set", looking(floor, 2), 2, setting=parts)
        assert any(one.blocks and row["clause"] in one.clauses for one in problems)
    elif not row["b"]:
        (foul,) = against(game, row["a"]).race.fouls
        assert row["clause"] in foul.clauses


def result(game: PlayedGame, row: Row) -> None:
    r, given = game.ranking, options(row)
    compared = game.compare(row["a"], row["b"])
    found = compared.race
    assert compared.result == row["expect"]
    assert "".join(found.parts) == given.get("parts", "".join(found.parts))
    assert bool(found.fouls) is (given.get("foul") == "true")
    assert row["clause"] in found.clauses or not proves(row) or row["clause"] in rested_on(r)


def rested_on(r: Ranking) -> set[str]:
    """Clauses that a race rests on without citing: how copies count, how a player's joker does."""
    return {*r.document.cards.copies, *(c for part in r.document.part for c in part.player_joker)}


def bonus(game: PlayedGame, row: Row) -> None:
    r = game.ranking
    cards, part = parse_cards(row["a"]), row["part"]
    if part.startswith("envy") or part == "double_down_qualifier":
        assert str(r.qualifies(part, cards)).lower() == row["expect"]
        return
    mode = options(row).get("joker", "semi")
    listing = "progressive" if part == "progressive_hand" else part
    assert r.bonus(listing, cards, mode) == row["expect"]  # type: ignore[arg-type]
    if "joker" not in options(row):
        assert game.bonus(cards)[listing] == row["expect"]


def set_cards(game: PlayedGame, row: Row) -> None:
    found = game.set(row["a"], way=row["part"])
    assert [set(part) for part in found.setting] == [set(part) for part in setting(row["expect"])]
    assert row["clause"] in found.clauses or not proves(row)


def set_ranks(game: PlayedGame, row: Row) -> None:
    found = game.set(row["a"], way=row["part"])
    shown = " / ".join(_ranks(part) for part in found.setting)
    assert row["expect"] in (shown, shown.replace("*", "A"))


def _ranks(part: tuple[Card, ...]) -> str:
    letters = ["*" if card.is_joker else str(card)[0] for card in part]
    return "".join(sorted(letters, key="*AKQJT98765432".index))


CHECKS: dict[str, Callable[[PlayedGame, Row], None]] = {
    "category": category,
    "value": value,
    "beats": beats,
    "copy": copy,
    "legal": legal,
    "foul": foul,
    "legal_pair": pair_of_parts(foul_expected=False),
    "foul_pair": pair_of_parts(foul_expected=True),
    "wrong_split": wrong_split,
    "result": result,
    "bonus": bonus,
    "set": set_cards,
    "set_ranks": set_ranks,
}


@pytest.mark.parametrize(("rule_set", "row"), list(examples()))
def test_the_example_comes_out_as_the_clause_says(rule_set: str, row: Row) -> None:
    CHECKS[row["kind"]](opened(rule_set, row), row)
