"""The states of a table that the sweep asks about, and the rows that say in which of them a step is lawful.

Every state is one moment of a table, and about one place: the deck ``A``, the position or seat ``AT``. What
else lies there is as in an ordinary round. A state's name says what was done last, or what went wrong.

A row names the states in which somebody may take the step, about the deck, the position or the seat that the
sweep looks at; in every other state nobody may. ``a..b`` are the states from one to another in the order of
an ordinary round, and ``-a`` takes one out again. A row cites the clause that says when, or ``house`` where
no regulation speaks and plain sense does: what is not there is not handled, what is done is not done again.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from houseway.cards import parse_setting
from houseway.ranking import Setting
from houseway.rounds.houseway import house_setting
from houseway.rounds.roles import Role
from houseway.rounds.step import Actor
from tests.rounds.play.true_acts import unseen_hand
from tests.rounds.table import DEALER, FLOOR, SHUFFLER, TestTable, branched

HOUSE = "house"


class Row(NamedTuple):
    """The states in which a step may be taken, and where it is said."""

    states: str
    source: str


NEVER = Row("", HOUSE)


def split(names: str) -> list[str]:
    """Return names one by one."""
    return [name.strip() for name in names.split(",") if name.strip()]


def named(states: str, course: Sequence[str]) -> frozenset[str]:
    """Return the states that a row names, in the order in which they come."""
    wanted: set[str] = set()
    for word in split(states):
        first, _, last = word.removeprefix("-").partition("..")
        between = set(course[course.index(first) : course.index(last or first) + 1])
        wanted = wanted - between if word.startswith("-") else wanted | between
    return frozenset(wanted)


AT, OTHER, DECK = 3, 2, "A"
"""Where the sweep looks: a hand, another that is opened before it, and the deck."""
States = dict[str, TestTable]
FIVE_ACES = {7: "As Ac Ad Ah Jk 7c 6d", 6: "As Ac Ad Ah Jk 7c"}
NOTHING_MUCH = {7: "Jc 9d 7h 6c 5h 3c 2h", 6: "Jc 9d 7h 6c 4h 2c"}
FOUL = {
    7: parse_setting("Jk7c6dAs / AcAd / Ah"),
    6: parse_setting("AcAdAhJk7c / As"),
}
WHY = "as seen"
PATIENCE = 30
"""So many things are due, at most, before a step that is still to come in its part of the round."""
ENDS = ("close_round", "close_table")


class Album:
    """A table that is played on, and a copy of it in each state that was asked for."""

    def __init__(self, table: TestTable, states: States) -> None:
        self.table, self.states = table, states

    def keep(self, name: str) -> Album:
        """Keep the table as it is now under a name."""
        assert name not in self.states, name
        self.states[name] = branched(self.table)
        return self

    def until(self, *steps: str) -> Album:
        """Do what is due up to the first of some steps, which is still to do."""
        self.table.play_on(without=steps)
        return self

    def after(self, step: str, name: str) -> Album:
        """Do what is due, one thing after another, until a step is done; nothing if it never is."""
        ahead = branched(self.table)
        for _ in range(PATIENCE):
            due = ahead.live.due()
            if due is None or due.step in ENDS:
                return self
            ahead.log += ahead.live.do(due.by, due.action)
            if due.step == step:
                self.table = ahead
                return self.keep(name)
        return self

    def aside(self) -> Album:
        """Go on from here at a copy of the table, while this one stays as it is."""
        return Album(branched(self.table), self.states)

    def do(self, step: str, by: Actor = DEALER, at: int | None = None, **details: object) -> Album:
        """Do one thing."""
        self.table.do(step, by, at, **details)
        return self


def in_turn(album: Album, steps: tuple[tuple[str, str], ...]) -> None:
    for step, name in steps:
        if step in album.table.rules.game.procedure and name not in album.states:
            album.after(step, name)


def to_be_opened(album: Album) -> Album:
    """Go on until the hand is the next to be opened."""
    while not _next_is_ours(album):
        due = album.table.live.due()
        assert due is not None
        album.table.log += album.table.live.do(due.by, due.action)
    return album


def _next_is_ours(album: Album) -> bool:
    due = album.table.live.due({"reveal"})
    return due is not None and due.position == AT


def typed_in(album: Album, dealer: int) -> None:
    """Go on from the deal, the cards that lie open typed in, those of the other hand first."""
    table = album.table
    album.until("set_dealer", "set").until("set_dealer").keep("typed turned over")
    key_in(table, dealer, some_cards(table))
    album.until("reveal")
    key_in(table, OTHER, some_cards(table))
    album.until("enter_hand").keep("typed next")
    album.do("enter_hand", at=AT, setting=some_cards(table)).keep("typed entered")
    album.do("confirm_entry", at=AT).keep("typed confirmed")
    album.do("reopen_entry", FLOOR, AT, reason=WHY).keep("typed reopened")


def some_cards(table: TestTable) -> Setting:
    return unseen_hand(table.state, 0)


def key_in(table: TestTable, at: int, setting: Setting) -> None:
    """Type a hand in and confirm it."""
    table.do("enter_hand", at=at, setting=setting)
    table.do("confirm_entry", at=at)


def player_at(album: Album, seat: int) -> Actor:
    return Actor(album.table.state.seats[seat].person, Role.PLAYER)


def between_rounds(album: Album, person: Actor) -> None:
    """Keep what may be so between two rounds: nobody there, a shuffle ordered, a shuffler that fails."""
    album.aside().do("log_off").keep("no dealer")
    album.aside().do("leave", person, AT).keep("nobody seated")
    album.aside().do("direct_shuffle", FLOOR).keep("shuffle ordered")
    if album.table.rules.submission.table.shuffler == "automated":
        failed = album.aside().do("shuffler_fault", SHUFFLER, deck=DECK).keep("device failed")
        failed.do("sign_out_of_order", device="shuffler", how="sign").keep("device signed")


def look_and_ask(album: Album) -> None:
    """Let the player look, and ask for the house way where the display shows it."""
    album.do("look", player_at(album, AT), AT).keep("looked")
    helped = album.aside()
    if not any(problem.blocks for problem in helped.table.problems("ask_help", player_at(album, AT), AT)):
        helped.do("ask_help", player_at(album, AT), AT).keep("help asked")
    if album.table.rules.way == "iverify_hwv":
        helped.until("show_player_way").keep("help asked last")
        helped.after("show_player_way", "house way shown")


def set_by_players(album: Album) -> None:
    size = album.table.rules.game.hand_cards
    foul = album.aside()
    if not any(
        problem.blocks for problem in foul.table.problems("set", player_at(foul, AT), AT, setting=FOUL[size])
    ):
        foul.do("set", player_at(foul, AT), AT, setting=FOUL[size])
        to_be_opened(foul).do("reveal", at=AT).keep("foul opened")
    setting = house_setting(album.table.rules, album.table.state.round.hands[AT].cards)
    album.do("set", player_at(album, AT), AT, setting=setting).keep("set")
    album.until("turn_over").keep("all set")
