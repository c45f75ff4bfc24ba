"""A table that is played on, with a copy of it kept in each state that the sweep asks about.

Every state is one moment of a table, and about one place: the deck ``A``, the position or seat ``AT``. What
else lies there is as in an ordinary round. A state's name says what was done last, or what went wrong.
"""

from __future__ import annotations

from collections.abc import Mapping

from houseway.cards import parse_cards, parse_setting
from houseway.ranking import Setting
from houseway.rounds.dealing import dealing_order
from houseway.rounds.step import Actor
from tests.rounds.irregular_acts import branched
from tests.rounds.support import DEALER, FLOOR, Floor
from tests.rounds.true_acts import unseen_hand

AT, OTHER, DECK = 3, 2, "A"
"""Where the sweep looks: a hand, another that is opened before it, and the deck."""
States = dict[str, Floor]
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

    def __init__(self, floor: Floor, states: States) -> None:
        self.floor, self.states = floor, states

    def keep(self, name: str) -> Album:
        """Keep the table as it is now under a name."""
        assert name not in self.states, name
        self.states[name] = branched(self.floor)
        return self

    def until(self, *steps: str) -> Album:
        """Do what is due up to the first of some steps, which is still to do."""
        self.floor.play_on(without=steps)
        return self

    def after(self, step: str, name: str) -> Album:
        """Do what is due, one thing after another, until a step is done; nothing if it never is."""
        ahead = branched(self.floor)
        for _ in range(PATIENCE):
            due = ahead.live.due()
            if due is None or due.step in ENDS:
                return self
            ahead.log += ahead.live.do(due.by, due.action)
            if due.step == step:
                self.floor = ahead
                return self.keep(name)
        return self

    def aside(self) -> Album:
        """Go on from here at a copy of the table, while this one stays as it is."""
        return Album(branched(self.floor), self.states)

    def do(self, step: str, by: Actor = DEALER, at: int | None = None, **details: object) -> Album:
        """Do one thing."""
        self.floor.do(step, by, at, **details)
        return self


def in_turn(table: Album, steps: tuple[tuple[str, str], ...]) -> None:
    for step, name in steps:
        if step in table.floor.rules.game.procedure and name not in table.states:
            table.after(step, name)


def stack_for_start(floor: Floor, hands: Mapping[int, str]) -> None:
    """Arrange the deck so that positions get these cards from the start that was found."""
    game, start = floor.rules.game, floor.table.round.start or 1
    wanted = {at: parse_cards(text) for at, text in hands.items()}
    used = {card for cards in wanted.values() for card in cards}
    rest = [card for card in game.cards().cards if card not in used]
    places = dealing_order(start)
    for at in places:
        if at not in wanted:
            wanted[at], rest = tuple(rest[: game.hand_cards]), rest[game.hand_cards :]
    if floor.rules.way in ("manual_shoe", "hand"):
        order = [wanted[at][turn] for turn in range(game.hand_cards) for at in places]
    else:
        order = [card for at in places for card in wanted[at]]
    floor.dealing_from((*order, *rest))


def to_be_opened(table: Album) -> Album:
    """Go on until the hand is the next to be opened."""
    while not _next_is_ours(table):
        due = table.floor.live.due()
        assert due is not None
        table.floor.log += table.floor.live.do(due.by, due.action)
    return table


def _next_is_ours(table: Album) -> bool:
    due = table.floor.live.due({"reveal"})
    return due is not None and due.position == AT


def typed_in(table: Album, dealer: int) -> None:
    """Go on from the deal, the cards that lie open typed in, those of the other hand first."""
    floor = table.floor
    table.until("set_dealer", "set").until("set_dealer").keep("typed turned over")
    key_in(floor, dealer, some_cards(floor))
    table.until("reveal")
    key_in(floor, OTHER, some_cards(floor))
    table.until("enter_hand").keep("typed next")
    table.do("enter_hand", at=AT, setting=some_cards(floor)).keep("typed entered")
    table.do("confirm_entry", at=AT).keep("typed confirmed")
    table.do("reopen_entry", FLOOR, AT, reason=WHY).keep("typed reopened")


def some_cards(floor: Floor) -> Setting:
    return unseen_hand(floor.table, 0)


def key_in(floor: Floor, at: int, setting: Setting) -> None:
    """Type a hand in and confirm it."""
    floor.do("enter_hand", at=at, setting=setting)
    floor.do("confirm_entry", at=at)
