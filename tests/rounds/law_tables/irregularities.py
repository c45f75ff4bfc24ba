"""What the law makes of each irregularity, in each phase, game and way of dealing: the table, tried.

``python -m tests.rounds.law_tables.irregularities`` writes ``docs/irregularities.md`` anew from the table.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from houseway.law.problems import RefusedError
from houseway.ranking import Setting, all_settings
from houseway.rounds.dealing import SEATS
from houseway.rounds.houseway import house_setting
from houseway.rounds.state import Phase, Place
from houseway.settlement import Status
from tests.games.support import Changes
from tests.rounds.books import void_event
from tests.rounds.commands import value_of
from tests.rounds.table import DEALER, FLOOR, GENERATOR, SHOE, SHUFFLER, TestTable, branched, order_of, player

ROOT = Path(__file__).parents[3]
TABLE = Path(__file__).parents[1] / "golden" / "irregularities.csv"
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
    for phase, words in PHASES.items():
        line = []
        for game in GAMES:
            cells = [cell for cell in section if (cell.phase, cell.game) == (phase, game)]
            line.append("<br>".join(_entries(cells, notes)))
        yield f"| {words} | {' | '.join(line)} |"
    if notes:
        yield ""
        yield from (f"{number}. {reason}" for reason, number in notes.items())


def _entries(cells: Sequence[Cell], notes: dict[str, int]) -> Iterator[str]:
    """Yield what happens, once for all ways of dealing that agree in everything but the clause's section."""
    alike: dict[tuple[str, str], list[Cell]] = {}
    for cell in cells:
        alike.setdefault((cell.consequence, cell.reason), []).append(cell)
    for (consequence, reason), same in alike.items():
        ways = "" if len(alike) == 1 else ", ".join(WAYS[cell.way] for cell in same) + ": "
        laws = " ".join(f"`{law}`" for law in dict.fromkeys(cell.clause for cell in same if cell.clause))
        note = f" ({notes.setdefault(reason, len(notes) + 1)})" if reason else ""
        yield f"{ways}{consequence}{' ' + laws if laws else ''}{note}"


HERE, EMPTY = 3, 6
"""A position with a wager, and one without."""


@dataclass(frozen=True)
class Outcome:
    """What a table made of an irregularity, and by which clauses."""

    consequence: str
    clauses: frozenset[str]


# --- getting there -------------------------------------------------------------------------------


def changes_for(way: str, *, dice: bool, two_decks: bool) -> Changes:
    """Return a table that deals one way, finds its start by dice or by a number, and has one deck or two."""
    by_hand_shuffled = way == "manual_shoe" and not two_decks
    return {
        "table.dealing": way,
        "table.shuffler": "manual" if by_hand_shuffled else "automated",
        "table.start_methods": ["shaker" if dice else "rng"],
        **({"table.decks": 2} if two_decks else {}),
    }


HELD_BACK = {
    "die_not_flat": "uncover",
    "die_out": "uncover",
    "progressive_chips_mismatch": "count_progressive",
}
"""What must still be to do, before the deal, for the irregularity to happen."""


@cache
def brought_to(phase: str, game: str, way: str, *, dice: bool, two_decks: bool, without: str) -> TestTable:
    """Bring a table into a phase; what is held back, before the deal, is still to do."""
    table = TestTable(game, changes_for(way, dice=dice, two_decks=two_decks))
    if phase == "closed":
        return table
    if phase == "opening":
        return table.play_on(without=["open_table"])
    if phase == "idle":
        table.opened().do("idle_spread")
        return table
    wagers = {"main": "$10"} if game == "pa-575" else {"main": "$10", "progressive": "$1"}
    table.betting(2, HERE, **wagers).play_on(without=["no_more_bets"])
    if phase == "betting":
        return table
    table.play_on(Phase.STARTING).play_on(without=["deal", without])
    if phase == "starting":
        return table
    whole = SEATS * table.state.rules.game.hand_cards
    if phase == "mid-deal":
        table.do("deal", cards=whole - 1)
    elif phase == "all dealt":
        table.do("deal")
    else:
        table.play_on(Phase(phase))
    return table


def table_in(irregularity: str, phase: str, game: str, way: str) -> TestTable:
    """Return a table of its own, brought into a phase, all ready for the irregularity to happen."""
    return branched(
        brought_to(
            phase,
            game,
            way,
            dice=irregularity.startswith("die"),
            two_decks=irregularity == "shuffler_fault",
            without=HELD_BACK.get(irregularity, "") if phase == "starting" else "",
        )
    )


# --- trying it -----------------------------------------------------------------------------------


def counts(table: TestTable, **wrong: int) -> dict[int, int]:
    """Return a count of every hand, all right but those named."""
    return dict.fromkeys(range(1, SEATS + 1), table.state.rules.game.hand_cards) | {
        int(at.removeprefix("at")): number for at, number in wrong.items()
    }


def wrong_setting(table: TestTable) -> Setting:
    """Return the dealer's cards, set as the house way does not; a setting of nothing if there are none."""
    this_round, rules = table.state.round, table.state.rules
    if not this_round.dealer_cards:
        return ((), ())
    right = {frozenset(part) for part in house_setting(rules, this_round.dealer_cards)}
    every = all_settings(this_round.dealer_cards, rules.game.split)
    return next(setting for setting in every if {frozenset(part) for part in setting} != right)


def expose(at: int) -> Callable[[TestTable], Outcome]:
    def act(table: TestTable) -> Outcome:
        event = table.do("expose_card", DEALER, at)[-1]
        if event.step == "void_round":
            return void(table)
        if not value_of(event, "choice"):
            return racked_unseen(table)
        return chosen(table)

    return act


def chosen(table: TestTable) -> Outcome:
    """See what the player may choose: void, every wager back and the others playing on, or only to play."""
    phase, plays = table.state.phase, branched(table)
    try:
        events = table.do("choose_hand", player(HERE), HERE, choice="void")
    except RefusedError as error:
        assert table.do("choose_hand", player(HERE), HERE, choice="play")
        return Outcome("play on", frozenset(error.clauses))
    hand = table.state.round.hands[HERE]
    assert hand.status is Status.VOID and table.state.phase is phase
    back = sum(p.units for p in events[0].outcome.payments if str(p.to) == f"player:{hand.person}")
    assert back == 10_000 * sum(hand.wagers.values())
    assert plays.do("choose_hand", player(HERE), HERE, choice="play")
    return Outcome("void or play", frozenset(events[0].clauses))


def racked_unseen(table: TestTable) -> Outcome:
    """See that the round goes on, and that the empty position's cards are racked with the rest."""
    table.play_on(Phase.SETTING)
    event = table.last("collect_empty")
    assert [racked for racked in table.state.rack if racked.position == EMPTY and not racked.cards]
    return Outcome("play on", frozenset(event.clauses))


def face_up(times: int) -> Callable[[TestTable], Outcome]:
    def act(table: TestTable) -> Outcome:
        top = order_of(table)[table.state.round.dealt : table.state.round.dealt + 1]
        event = table.do("boxed_card")[-1]
        if times > 1 and event.step != "void_round":
            event = table.do("boxed_card")[-1]
        if event.step == "void_round":
            return void(table)
        table.play_on(Phase.SETTING)
        assert [racked.cards for racked in table.state.rack if racked.what == "found face up"] == [top]
        assert table.state.round.stub == table.state.rules.game.stub - 1
        return Outcome("set aside, play on", frozenset(event.clauses))

    return act


def draw_early(table: TestTable) -> Outcome:
    this_round, order = table.state.round, order_of(table)
    event = table.do("draw_early")[0]
    assert order_of(table) == order
    assert (table.state.round.dealt, table.state.round.drawn) == (this_round.dealt, this_round.drawn)
    return Outcome("next card", frozenset(event.clauses))


def shoe_fault(table: TestTable) -> Outcome:
    table.do("shoe_fault", SHOE)
    return void(table)


def shuffler_fault(table: TestTable) -> Outcome:
    decks = [name for name, deck in table.state.decks.items() if deck.place is Place.SHUFFLER]
    phase, name = table.state.phase, next(iter(decks), "A")
    event = table.do("shuffler_fault", SHUFFLER, deck=name)[0]
    assert table.state.phase is phase and not table.state.decks[name].has("shuffled")
    return Outcome("reshuffle", frozenset(event.clauses))


def count_hands(table: TestTable) -> Outcome:
    size = table.state.rules.game.hand_cards
    table.do("count_hands", counts=counts(table, at2=size - 1, at6=size + 1))
    return void(table)


def count_stub(table: TestTable) -> Outcome:
    assert table.do("count_stub", left=table.state.rules.game.stub - 1)[-1].step == "count_stub"
    table.refused("collect_empty")
    table.do("count_hands", counts=counts(table))
    return void(table)


def uncover(**spoiled: Any) -> Callable[[TestTable], Outcome]:
    def act(table: TestTable) -> Outcome:
        event = table.do("uncover", **spoiled)[0]
        assert value_of(event, "no_roll") and not table.state.round.dice and not table.state.round.shakes
        return Outcome("no roll", frozenset(event.clauses))

    return act


def wrong_start(table: TestTable) -> Outcome:
    due = table.state.round.due or 1
    table.do("deal", cards=1, first_to=due % SEATS + 1)
    return void(table)


def dealer_set(table: TestTable) -> Outcome:
    event = table.do("set_dealer", setting=wrong_setting(table))[0]
    assert not value_of(event, "right")
    table.play_on(without=["reset_dealer", "close_round"])
    table.refused("close_round")
    event = table.do("reset_dealer")[0]
    table.play_on(rounds=1)
    assert table.state.last is not None and table.state.last.void is None
    return Outcome("reset", frozenset(event.clauses))


def leave(table: TestTable) -> Outcome:
    event = table.do("leave", player(HERE), HERE)[0]
    if not value_of(event, "during_round"):
        raise RefusedError("leave", table.problems("rule_abandoned", FLOOR, HERE, lost=True, reason="gone"))
    assert table.state.round.hands[HERE].status is Status.PLAYED
    gone = branched(table)
    ruling = table.do("rule_abandoned", FLOOR, HERE, lost=False, reason="comes back")[0]
    assert table.state.round.hands[HERE].status is Status.PLAYED
    gone.do("rule_abandoned", FLOOR, HERE, lost=True, reason="gone for good")
    assert gone.state.round.hands[HERE].status is Status.ABANDONED
    return Outcome("floor rules", frozenset(ruling.clauses))


def miscount(table: TestTable) -> Outcome:
    placed = sum(1 for hand in table.state.round.hands.values() if hand.amount("progressive"))
    if table.problems("count_progressive", chips=placed):
        table.do("count_progressive", chips=placed - 1)
    clauses = table.refused("count_progressive", chips=placed - 1)
    table.refused("draw_number", GENERATOR)
    table.refused("deal")
    return Outcome("stopped", frozenset(clauses))


def void(table: TestTable) -> Outcome:
    """See that all is done that a void round asks for: wagers back, the house and the meter as before."""
    event, last = void_event(table), table.state.last
    deck = table.state.decks[last.deck or ""]
    assert not deck.has("shuffled")
    consequence = "void round, deck removed" if deck.has("removed") else "void round"
    return Outcome(consequence, frozenset(event.clauses))


ACTS: dict[str, Callable[[TestTable], Outcome]] = {
    "player_card_exposed": expose(HERE),
    "dealer_card_exposed": expose(1),
    "empty_position_card_exposed": expose(EMPTY),
    "one_card_face_up": face_up(1),
    "two_cards_face_up": face_up(2),
    "card_drawn_early": draw_early,
    "shoe_fault": shoe_fault,
    "shuffler_fault": shuffler_fault,
    "wrong_number_of_cards": count_hands,
    "wrong_remainder": count_stub,
    "die_not_flat": uncover(flat=False),
    "die_out": uncover(out=1),
    "wrong_first_position": wrong_start,
    "dealer_set_wrongly": dealer_set,
    "player_leaves": leave,
    "progressive_chips_mismatch": miscount,
}


def try_irregularity(cell: Cell) -> Outcome:
    """Try an irregularity; what is refused, with a reason, cannot happen."""
    table = table_in(*cell.place)
    try:
        return ACTS[cell.irregularity](table)
    except RefusedError as error:
        assert error.problems and all(problem.reason for problem in error.problems)
        return Outcome(IMPOSSIBLE, frozenset(error.clauses))


if __name__ == "__main__":
    PAGE.write_text(rendered(cells()), encoding="utf-8")
