"""From views and options alone people play whole rounds: every game, way of dealing and procedure.

Nobody here has a table or its rules. What they may do they read from their options, what they hold from
their view; what they say goes back as plain data, as a browser would send it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations, pairwise
from typing import Any

import pytest

from houseway.rng import SeededEntropy
from houseway.rounds.codec import plain, read_action
from houseway.rounds.live import LiveTable, new_table
from houseway.rounds.options import offers, options_of
from houseway.rounds.roles import Role
from houseway.rounds.state import CardOrigin
from houseway.rounds.step import Actor, AnEvent
from houseway.rounds.views import Scene, preview
from tests.games.support import Changes, rules
from tests.rounds.california import MANUAL as PILES
from tests.rounds.table import AUTOMATED, BUTTON, BY_HAND, MANUAL, NOON, SHAKER
from tests.rounds.washington import WAYS

Data = Mapping[str, Any]
ActionData = dict[str, Any]
Judge = Callable[[list[str], list[list[str]]], bool]
"""Whether a setting of these cards would be foul: a question that anybody may ask."""
RANKS = "23456789TJQKA"


def filled(option: Data, values: Mapping[str, Any] | None = None) -> ActionData:
    """Return what somebody says who takes an option: its fields as they are usual, or as given here."""
    action: ActionData = {"step": option["step"]}
    action |= {name: option[name] for name in ("position", "deck") if option.get(name) is not None}
    for field in option.get("fields", ()):
        value = (values or {}).get(field["name"], usual(field))
        if value is not None:
            action[field["name"]] = value
    return action


def usual(field: Data) -> Any:
    """Return a value that a field takes: its default, or something in its limits."""
    return field["default"] if field.get("default") is not None else _in_limits(field)


def _in_limits(field: Data) -> Any:
    if field["kind"] == "amounts":
        return {part["name"]: part.get("least") or 500 for part in field["each"]}
    if field.get("each"):
        return {part["name"]: usual({**part, "needed": True}) for part in field["each"]}
    if not field.get("needed"):
        return None
    choices = field.get("choices", ())
    if field["kind"] == "several":
        return list(choices)
    if choices:
        return choices[0]
    return {"text": "as seen", "yes_no": True, "date": "2026-01-04"}.get(field["kind"], field.get("least", 1))


class Person:
    """Somebody who takes whatever is due for them."""

    def __init__(self, actor: Actor) -> None:
        self.actor = actor

    def act(self, view: Data, options: Sequence[Data], foul: Judge) -> ActionData | None:
        """Return what this person says now, if anything."""
        del view, foul
        due = (option for option in options if option.get("due") and not option.get("reasons"))
        return next((filled(option) for option in due), None)


class Dealer(Person):
    """A dealer, who waits until everybody has bet, and reads real cards where the cards are real."""

    CLOSES = ("no_more_bets", "press_start", "shake_cup", "coin_in", "collect_fees")

    def __init__(self, actor: Actor, real_cards: Iterator[list[list[str]]], left: int) -> None:
        super().__init__(actor)
        self.real_cards, self.left = real_cards, left

    def act(self, view: Data, options: Sequence[Data], foul: Judge) -> ActionData | None:
        """Take the next step, once everybody has bet."""
        bets = {hand["position"] for hand in view.get("hands", ())} | {view.get("bank_seat")}
        waiting = any(seat["position"] not in bets for seat in view.get("seats", ()))
        closes = self.CLOSES if waiting or not view.get("seats") else ()
        mine = [option for option in options if option["step"] not in closes]
        action = super().act(view, mine, foul)
        if action is not None and action["step"] == "enter_hand":
            action["setting"] = next(self.real_cards)
        if action is not None and action.get("left") is not None:
            action["left"] = self.left
        return action


class Player(Person):
    """A player, who sits down, bets the least on everything, and sets their hand so that it is not foul."""

    def __init__(self, actor: Actor, position: int, parts: Sequence[int], *, doubles: bool = False) -> None:
        super().__init__(actor)
        self.position, self.parts, self.doubles = position, parts, doubles

    def act(self, view: Data, options: Sequence[Data], foul: Judge) -> ActionData | None:
        """Sit, bet, look, and set the hand."""
        mine = {
            option["step"]: option
            for option in options
            if not option.get("reasons") and option.get("position") in (None, self.position)
        }
        hand = next((hand for hand in view.get("hands", ()) if hand.get("own")), None)
        if not any(seat.get("own") for seat in view.get("seats", ())):
            return filled(mine["sit"]) if "sit" in mine else None
        if "wager" in mine and hand is None and (not view.get("banked") or view.get("stake")):
            return filled(mine["wager"])
        if "double_down" in mine and self.doubles:
            return filled(mine["double_down"])
        if "set" in mine and mine["set"].get("due") and hand is not None:
            asks = any(field["name"] == "setting" for field in mine["set"].get("fields", ()))
            if not asks:
                return filled(mine["set"])
            if hand.get("cards"):
                return filled(mine["set"], {"setting": self._arranged(hand["cards"], foul)})
        return super().act(view, [option for option in mine.values() if option["step"] != "set"], foul)

    def _arranged(self, cards: list[str], foul: Judge) -> list[list[str]]:
        """Return the first setting that is not foul, the high cards behind."""
        for setting in splits(sorted(cards, key=_height, reverse=True), self.parts):
            if not foul(cards, setting):
                return setting
        raise AssertionError(f"every setting of {cards} is foul")


def _height(card: str) -> int:
    return RANKS.find(card[0]) if card != "Jk" else len(RANKS)


def splits(cards: list[str], sizes: Sequence[int]) -> Iterator[list[list[str]]]:
    """Yield every way to split cards into parts of these sizes."""
    if not sizes:
        yield []
        return
    for part in combinations(cards, sizes[0]):
        rest = [card for card in cards if card not in part]
        for others in splits(rest, sizes[1:]):
            yield [list(part), *others]


class House:
    """A table and the people around it: it shows each of them their part, and does what they say."""

    def __init__(self, live: LiveTable, people: Sequence[Person]) -> None:
        self.live, self.people = live, people
        self.taken: list[tuple[Role, str]] = []

    def play(self, rounds: int, most: int = 2_000) -> None:
        """Let everybody act in turn until so many rounds are over."""
        for _ in range(most):
            if self.live.table.rounds >= rounds:
                return
            if not any(self._one_acts(person) for person in self.people):
                break
        raise AssertionError(f"the round does not go on: {self.live.table.phase}, {self.taken[-5:]}")

    def _one_acts(self, person: Person) -> tuple[AnEvent, ...]:
        live = self.live
        view = plain(Scene(live.rules, live.table, live.moment).view(person.actor))
        options = plain(options_of(offers(live.rules, live.table, live.moment), person.actor))
        action = person.act(view, options, self._foul)
        if action is None:
            return ()
        self.taken.append((person.actor.role, action["step"]))
        return live.do(person.actor, read_action(action, live.rules))

    def _foul(self, cards: list[str], setting: list[list[str]]) -> bool:
        arranged = read_action({"step": "set", "position": 2, "setting": setting}).setting  # type: ignore[attr-defined]
        dealt = tuple(card for part in arranged for card in part)
        return bool(preview(self.live.rules, dealt, arranged).fouls)


DEALT = {"automated shoe": AUTOMATED, "manual shoe": MANUAL, "hand": BY_HAND}
STARTS: dict[str, Changes] = {"number": {}, "shaker": SHAKER, "button": BUTTON}
TABLES: list[tuple[str, Changes, str]] = [
    *(
        (game, {**dealt, **start}, f"{game}, {way}, {method}")
        for game in ("pa-575", "pa-659a", "pa-670a")
        for way, dealt in DEALT.items()
        for method, start in STARTS.items()
        if method != "button" or (game, way) == ("pa-575", "automated shoe")
    ),
    *(("wa-fap", changes, f"wa-fap, {way}") for way, changes in WAYS.items()),
    ("ca-fpgp", {}, "ca-fpgp, shuffler"),
    ("ca-fpgp", PILES, "ca-fpgp, piles"),
]
ROUNDS = 2
STAFF = [
    Actor("Flo", Role.FLOORPERSON),
    *(
        Actor(str(role), role)
        for role in (Role.SHUFFLER, Role.SHOE, Role.GENERATOR, Role.KEYPAD, Role.DISPLAY)
    ),
]


def house(game: str, changes: Changes, source: CardOrigin, seed: str = "outside") -> House:
    """Return a closed table with four players, a dealer, a floorperson and its devices around it."""
    played_by = rules(game, changes)
    live = LiveTable(played_by, SeededEntropy(seed), NOON, new_table(played_by, source))
    split = played_by.game.split
    players = [
        Player(Actor(name, Role.PLAYER), at, split, doubles=at % 2 == 0)
        for at, name in ((2, "Ann"), (3, "Bob"), (5, "Dan"), (6, "Eve"))
    ]
    left = 53 - 7 * sum(split)
    dealer = Dealer(Actor("Dee", Role.DEALER), real_hands(split), left)
    return House(live, [*players, dealer, *map(Person, STAFF)])


def real_hands(split: tuple[int, ...]) -> Iterator[list[list[str]]]:
    """Yield hands of real cards as they lie on the table, none of them foul, no card twice in a round."""
    names = [rank + suit for rank in "AKQJT98765432" for suit in "shdc"]
    while True:
        for first in range(5):
            cards = names[first::5][: sum(split)]
            cuts = [sum(split[:part]) for part in range(len(split) + 1)]
            yield [cards[begin:end] for begin, end in pairwise(cuts)]


@pytest.mark.parametrize(("game", "changes"), [row[:2] for row in TABLES], ids=[row[2] for row in TABLES])
def test_whole_rounds_are_played_from_views_and_options_alone(game: str, changes: Changes) -> None:
    table = house(game, changes, CardOrigin.VIRTUAL_DECK)
    table.play(ROUNDS)
    assert table.live.table.rounds == ROUNDS
    assert table.live.record is not None
    assert {"sit", "wager", "deal", "set", "settle", "close_round"} <= {step for _, step in table.taken}


@pytest.mark.parametrize("game", ["pa-575", "pa-659a", "pa-670a"])
def test_a_dealer_keys_in_real_cards_from_views_and_options_alone(game: str) -> None:
    table = house(game, MANUAL, CardOrigin.TYPED)
    table.play(1)
    assert {"enter_hand", "confirm_entry"} <= {step for _, step in table.taken}
