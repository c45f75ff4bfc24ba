"""People who play knowing only what they are shown: their view and their options, as plain data.

Nobody here has a table or its rules. What they may do they read from their options, what they hold from
their view; what they say goes back as plain data, as a browser would send it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any

from houseway.rounds.codec import plain, read_action
from houseway.rounds.live import LiveTable
from houseway.rounds.options import offers, options_of
from houseway.rounds.roles import Role
from houseway.rounds.step import Actor, AnEvent
from houseway.rounds.views import Scene, preview

Data = Mapping[str, Any]
Said = dict[str, Any]
Judge = Callable[[list[str], list[list[str]]], bool]
"""Whether a setting of these cards would be foul: a question that anybody may ask."""
RANKS = "23456789TJQKA"


def filled(option: Data, values: Mapping[str, Any] | None = None) -> Said:
    """Return what somebody says who takes an option: its fields as they are usual, or as given here."""
    said: Said = {"step": option["step"]}
    said |= {name: option[name] for name in ("position", "deck") if option.get(name) is not None}
    for field in option.get("fields", ()):
        value = (values or {}).get(field["name"], usual(field))
        if value is not None:
            said[field["name"]] = value
    return said


def usual(field: Data) -> Any:
    """Return a value that a field takes: its default, or something in its limits."""
    return field["default"] if field.get("default") is not None else _in_limits(field)


def _in_limits(field: Data) -> Any:
    if field["kind"] == "amounts":
        return {one["name"]: one.get("least") or 500 for one in field["each"]}
    if field.get("each"):
        return {one["name"]: usual({**one, "needed": True}) for one in field["each"]}
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

    def act(self, view: Data, options: Sequence[Data], foul: Judge) -> Said | None:
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

    def act(self, view: Data, options: Sequence[Data], foul: Judge) -> Said | None:
        """Take the next step, once everybody has bet."""
        bets = {hand["position"] for hand in view.get("hands", ())} | {view.get("bank_seat")}
        waiting = any(seat["position"] not in bets for seat in view.get("seats", ()))
        closes = self.CLOSES if waiting or not view.get("seats") else ()
        mine = [option for option in options if option["step"] not in closes]
        said = super().act(view, mine, foul)
        if said is not None and said["step"] == "enter_hand":
            said["setting"] = next(self.real_cards)
        if said is not None and said.get("left") is not None:
            said["left"] = self.left
        return said


class Player(Person):
    """A player, who sits down, bets the least on everything, and sets their hand so that it is not foul."""

    def __init__(self, actor: Actor, position: int, parts: Sequence[int], *, doubles: bool = False) -> None:
        super().__init__(actor)
        self.position, self.parts, self.doubles = position, parts, doubles

    def act(self, view: Data, options: Sequence[Data], foul: Judge) -> Said | None:
        """Sit, bet, look, and set the hand."""
        mine = {
            option["step"]: option
            for option in options
            if not option.get("reasons") and option.get("position") in (None, self.position)
        }
        held = next((hand for hand in view.get("hands", ()) if hand.get("own")), None)
        if not any(seat.get("own") for seat in view.get("seats", ())):
            return filled(mine["sit"]) if "sit" in mine else None
        if "wager" in mine and held is None and (not view.get("banked") or view.get("stake")):
            return filled(mine["wager"])
        if "double_down" in mine and self.doubles:
            return filled(mine["double_down"])
        if "set" in mine and mine["set"].get("due") and held is not None:
            asks = any(field["name"] == "setting" for field in mine["set"].get("fields", ()))
            if not asks:
                return filled(mine["set"])
            if held.get("cards"):
                return filled(mine["set"], {"setting": self._arranged(held["cards"], foul)})
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
        said = person.act(view, options, self._foul)
        if said is None:
            return ()
        self.taken.append((person.actor.role, said["step"]))
        return live.do(person.actor, read_action(said, live.rules))

    def _foul(self, cards: list[str], setting: list[list[str]]) -> bool:
        made = read_action({"step": "set", "position": 2, "setting": setting}).setting  # type: ignore[attr-defined]
        dealt = tuple(card for part in made for card in part)
        return bool(preview(self.live.rules, dealt, made).fouls)
