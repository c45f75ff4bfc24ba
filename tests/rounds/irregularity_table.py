"""What the law makes of each irregularity, in each phase, game and way of dealing: the table and its page.

``python -m tests.rounds.irregularity_table`` writes ``docs/irregularities.md`` anew from the table.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
TABLE = Path(__file__).parent / "golden" / "irregularities.csv"
PAGE = ROOT / "docs" / "irregularities.md"
IMPOSSIBLE = "impossible"
GAMES = {"pa-575": "ch. 575", "pa-659a": "ch. 659a", "pa-670a": "ch. 670a"}
WAYS = {"manual_shoe": "manual shoe", "hand": "hand", "automated_shoe": "automated shoe"}
PHASES = {
    "closed": "closed",
    "opening": "opening",
    "idle": "idle",
    "betting": "betting",
    "starting": "no more bets",
    "mid-deal": "during the deal",
    "all dealt": "all dealt, remainder not counted",
    "setting": "players set",
    "dealer": "dealer's cards turned over",
    "settling": "hands opened and settled",
}
"""The phases of a table; the deal has two, before its last card and after."""
TITLES = {
    "player_card_exposed": "A player's card exposed",
    "dealer_card_exposed": "A card of the dealer's exposed",
    "empty_position_card_exposed": "A card exposed at a position without a wager",
    "one_card_face_up": "One card found face up in the deck",
    "two_cards_face_up": "Two cards found face up in the deck",
    "card_drawn_early": "A card drawn in error, unseen",
    "shoe_fault": "The automated shoe fails",
    "shuffler_fault": "The automated shuffler fails (two decks)",
    "wrong_number_of_cards": "A hand with a wrong number of cards",
    "wrong_remainder": "A wrong number of cards left, every hand right",
    "die_not_flat": "A die does not lie flat",
    "die_out": "A die falls out of the shaker",
    "wrong_first_position": "The first card to a wrong position",
    "dealer_set_wrongly": "The dealer's hand not set the house way",
    "player_leaves": "A player leaves",
    "progressive_chips_mismatch": "Progressive chips and wagers do not agree",
}
CONSEQUENCES = {
    "void round": "every hand is void, every wager goes back, the cards are reshuffled",
    "void round, deck removed": "the same, and the deck leaves the table",
    "void or play": "the player of that hand chooses: void, with every wager on it back, or played",
    "play on": "nothing but the record: the round goes on",
    "set aside, play on": "the card goes to the discard rack unused",
    "next card": "the card is used as the next one",
    "reset": "the dealer's hand is set the house way, and the round completed on it",
    "no roll": "the dice do not count and are shaken again",
    "reshuffle": "the cards in the shuffler are shuffled again before they are dealt",
    "floor rules": "a floorperson decides whether the wagers are lost; the round does not end before",
    "stopped": "no card is dealt until the floor has ruled",
    IMPOSSIBLE: "it cannot happen then",
}


class Cell(NamedTuple):
    """One irregularity at one moment of one game, dealt one way."""

    irregularity: str
    phase: str
    game: str
    way: str
    consequence: str
    clause: str
    reason: str

    @property
    def place(self) -> tuple[str, str, str, str]:
        """Where in the table the cell stands."""
        return self[:4]


def cells() -> tuple[Cell, ...]:
    """Read the table."""
    with TABLE.open(encoding="utf-8", newline="") as file:
        return tuple(Cell(**row) for row in csv.DictReader(file))


def rendered(table: Sequence[Cell]) -> str:
    """Return the table as a page: a section for each irregularity, a line for each phase."""
    return "\n".join(_page(table)) + "\n"


def _page(table: Sequence[Cell]) -> Iterator[str]:
    yield "# Irregularities"
    yield ""
    yield (
        "What follows from each irregularity in a round under 58 Pa. Code chapters 575, 659a and 670a, at"
        " every moment and for every way of dealing. Clauses and readings are named as in"
        " `src/houseway/law/data`."
        " This page is generated from `tests/rounds/golden/irregularities.csv`; a test tries every cell at a"
        " table."
    )
    yield ""
    yield "| word | what happens |"
    yield "| --- | --- |"
    for word, meaning in CONSEQUENCES.items():
        yield f"| {word} | {meaning} |"
    for irregularity, title in TITLES.items():
        yield ""
        yield f"## {title}"
        yield ""
        yield from _section([cell for cell in table if cell.irregularity == irregularity])


def _section(section: Sequence[Cell]) -> Iterator[str]:
    yield f"| when | {' | '.join(GAMES.values())} |"
    yield "| --- | --- | --- | --- |"
    notes: dict[str, int] = {}
    for phase, said in PHASES.items():
        line = []
        for game in GAMES:
            found = [cell for cell in section if (cell.phase, cell.game) == (phase, game)]
            line.append("<br>".join(_entries(found, notes)))
        yield f"| {said} | {' | '.join(line)} |"
    if notes:
        yield ""
        yield from (f"{number}. {reason}" for reason, number in notes.items())


def _entries(found: Sequence[Cell], notes: dict[str, int]) -> Iterator[str]:
    """Yield what happens, once for all ways of dealing that agree in everything but the clause's section."""
    alike: dict[tuple[str, str], list[Cell]] = {}
    for cell in found:
        alike.setdefault((cell.consequence, cell.reason), []).append(cell)
    for (consequence, reason), same in alike.items():
        ways = "" if len(alike) == 1 else ", ".join(WAYS[cell.way] for cell in same) + ": "
        laws = " ".join(f"`{law}`" for law in dict.fromkeys(cell.clause for cell in same if cell.clause))
        note = f" ({notes.setdefault(reason, len(notes) + 1)})" if reason else ""
        yield f"{ways}{consequence}{' ' + laws if laws else ''}{note}"


if __name__ == "__main__":
    PAGE.write_text(rendered(cells()), encoding="utf-8")
