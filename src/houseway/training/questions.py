"""What a dealer is asked about hands: set one by the house way, who wins a race, is a setting foul.

Every question is known by a text from which it can be asked again: that is what a history keeps.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Protocol

from houseway.cards import Cards, Deck, highest_first, parse_cards, parse_setting, show, show_setting
from houseway.errors import InvalidInputError
from houseway.houseways import Program, decide
from houseway.ranking import (
    RaceResult,
    Ranking,
    Setting,
    all_settings,
    race,
    tell_race,
    verify_setting,
    verify_split,
)
from houseway.ranking.settings import part_strengths
from houseway.rng import Entropy, below, shuffled
from houseway.training.choosing import deal
from houseway.training.scoring import parts_told

AGAINST: Final = " against "


class Kind(StrEnum):
    """What a question is about."""

    SET = "set"
    COPIES = "copies"
    FOUL = "foul"
    PAYS = "pays"
    IRREGULAR = "irregular"


@dataclass(frozen=True)
class Solution:
    """The right answer as it is typed, why it is right, and the clauses that say so."""

    answer: str
    because: str
    clauses: tuple[str, ...] = ()


class Question(Protocol):
    """Something a dealer is asked; ``asked`` is the text from which it can be asked again."""

    @property
    def kind(self) -> Kind:
        """What it is about."""
        ...

    @property
    def spot(self) -> str:
        """Under which name its answers are counted."""
        ...

    @property
    def asked(self) -> str:
        """The question as a text that is kept."""
        ...

    def is_right(self, text: str) -> bool:
        """Judge an answer; what cannot be read is refused and counts for nothing."""
        ...

    def solution(self) -> Solution:
        """Return the right answer, and why."""
        ...

    def hints(self) -> Sequence[tuple[str, str]]:
        """Return what can be typed, each with what it means."""
        ...


# --- setting a hand by the house way ---------------------------------------------------------------


@dataclass(frozen=True)
class SetByHouseWay:
    """Asks for the house way's setting of a hand; its answers are counted by the rule that decides."""

    program: Program
    cards: Cards
    kind: Kind = Kind.SET

    @classmethod
    def again(cls, program: Program, asked: str) -> SetByHouseWay:
        """Ask for a hand that was asked before."""
        return cls(program, parse_cards(asked, count=sum(program.split)))

    @property
    def spot(self) -> str:
        """The rule of the house way that decides the hand."""
        return decide(self.program, self.cards).rule

    @property
    def asked(self) -> str:
        """The cards."""
        return show(self.cards)

    def is_house_way(self, setting: Setting) -> bool:
        """Judge a setting: equal strength in every part is the same, whichever of two like cards is where."""
        order = self.program.ranking
        wrong = verify_split(order, self.cards, setting)
        if wrong:
            raise InvalidInputError(wrong[0].reason, value=wrong[0].value, clauses=wrong[0].clauses)
        way = decide(self.program, self.cards)
        return part_strengths(order, setting) == part_strengths(order, way.setting)

    def is_right(self, text: str) -> bool:
        """Judge a setting that is written out."""
        return self.is_house_way(parse_setting(text, self.program.split))

    def solution(self) -> Solution:
        """Return the house way's setting with its rule."""
        way = decide(self.program, self.cards)
        return Solution(show_setting(way.setting), f"{way.rule}: {way.say}", way.clauses)

    def hints(self) -> Sequence[tuple[str, str]]:
        """Return how a setting is written out."""
        return (
            (show_setting(next(all_settings(self.cards, self.program.split))), "a setting, high part first"),
        )


# --- copies ----------------------------------------------------------------------------------------

_LETTERS: Final = {"w": RaceResult.HIGHER, "c": RaceResult.COPY, "l": RaceResult.LOWER}
_RESULTS: Final = {"w": "win", "l": "lose", "p": "push"}


@dataclass(frozen=True)
class WhoWins:
    """Asks how a race ends, part by part, and what becomes of the main wager."""

    order: Ranking
    player: Setting
    dealer: Setting
    kind: Kind = Kind.COPIES
    spot: str = Kind.COPIES.value

    @classmethod
    def again(cls, order: Ranking, asked: str) -> WhoWins:
        """Ask for a race that was asked before."""
        mine, _, theirs = asked.partition(AGAINST)
        return cls(order, parse_setting(mine, order.split), parse_setting(theirs, order.split))

    @property
    def asked(self) -> str:
        """Both settings."""
        return f"{show_setting(self.player)}{AGAINST}{show_setting(self.dealer)}"

    def is_right(self, text: str) -> bool:
        """Judge letters: w, l or c for each part of the player's, then w, l or p for the wager."""
        typed = re.sub(r"[\s,/]", "", text.lower())
        parts, wager = typed[:-1], typed[-1:]
        if len(parts) != len(self.player) or not set(parts) <= _LETTERS.keys() or wager not in _RESULTS:
            names = ", ".join(self.order.part_names)
            raise InvalidInputError(
                f"w, l or c for each of {names}, then w, l or p for the wager", value=text
            )
        found = race(self.order, self.player, self.dealer)
        told = [_LETTERS[letter] for letter in parts]
        return (told, _RESULTS[wager]) == (list(found.parts), found.result)

    def solution(self) -> Solution:
        """Return the letters; a copy rests on its own clause."""
        found = race(self.order, self.player, self.dealer)
        letters = {result: letter for letter, result in _LETTERS.items()}
        answer = " ".join((*(letters[part] for part in found.parts), found.result[0]))
        copies = self.order.document.cards.copies if RaceResult.COPY in found.parts else ()
        clauses = tuple(dict.fromkeys((*copies, *found.clauses)))
        return Solution(answer, f"{tell_race(self.order, found)}: {found.result}", clauses)

    def hints(self) -> Sequence[tuple[str, str]]:
        """Return the letters."""
        example = " ".join(["c", *"w" * (len(self.player) - 1), "l"])
        return (
            (example, f"a letter for each part ({', '.join(self.order.part_names)}), then one for the wager"),
            ("w, l, c", "the player's part is higher, lower, a copy"),
            ("w, l, p", "the main wager wins, loses, pushes"),
        )


def draw_race(program: Program, deck: Deck, entropy: Entropy) -> WhoWins:
    """Deal the dealer a hand, and a player one that often has a part of the same ranks, whole or nearly."""
    order = program.ranking
    theirs = decide(program, deal(deck, sum(program.split), entropy)).setting
    held = {card for part in theirs for card in part}
    for _ in range(20):
        part = below(len(theirs), entropy)
        rest = list(shuffled([card for card in deck.cards if card not in held], entropy))
        wanted = [card.rank for card in theirs[part]][: len(theirs[part]) - (below(3, entropy) == 0)]
        like = []
        for rank in wanted:
            card = next((one for one in rest if one.rank == rank and not one.is_joker), None)
            if card is not None:
                like.append(card)
                rest.remove(card)
        mine = []
        for place, size in enumerate(program.split):
            cards = [*like] if place == part else []
            while len(cards) < size:
                cards.append(rest.pop())
            mine.append(highest_first(cards))
        if not verify_setting(order, tuple(mine)):
            return WhoWins(order, tuple(mine), theirs)
    left = [card for card in deck.cards if card not in held]
    return WhoWins(order, decide(program, deal(Deck(tuple(left)), len(held), entropy)).setting, theirs)


# --- fouls -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class IsItFoul:
    """Asks whether a setting is foul, and which part outranks which."""

    order: Ranking
    setting: Setting
    kind: Kind = Kind.FOUL
    spot: str = Kind.FOUL.value

    @classmethod
    def again(cls, order: Ranking, asked: str) -> IsItFoul:
        """Ask about a setting that was asked about before."""
        return cls(order, parse_setting(asked, order.split))

    @property
    def asked(self) -> str:
        """The setting."""
        return show_setting(self.setting)

    def choices(self) -> tuple[str, ...]:
        """Return what it can be: not foul, or foul for each reason that the law knows."""
        rules = [rule for rule, _, _ in self.order.order_rules]
        return ("not foul", *(f"foul: the {one.lower} hand outranks the {one.higher} hand" for one in rules))

    def is_right(self, text: str) -> bool:
        """Judge the numbers of the choices that hold."""
        return read_numbers(text, len(self.choices())) == self._right()

    def _right(self) -> set[int]:
        """Return the numbers of the choices that hold."""
        reasons = {f"foul: {foul.reason}" for foul in verify_setting(self.order, self.setting)}
        choices = enumerate(self.choices(), start=1)
        return {place for place, choice in choices if choice in (reasons or {self.choices()[0]})}

    def solution(self) -> Solution:
        """Return the numbers, and how every part ranks."""
        fouls = verify_setting(self.order, self.setting)
        told = parts_told(self.order, self.setting)
        law = dict.fromkeys(clause for foul in fouls for clause in foul.clauses)
        cited = (*law, *(self.order.document.foul if fouls else ()))
        return Solution(" ".join(map(str, sorted(self._right()))), told, tuple(cited))

    def hints(self) -> Sequence[tuple[str, str]]:
        """Return the choices by number."""
        return tuple((str(place), choice) for place, choice in enumerate(self.choices(), start=1))


def read_numbers(text: str, most: int) -> set[int]:
    """Read the numbers of choices, at least one."""
    found = re.findall(r"[0-9]+", text)
    if not found or re.sub(r"[0-9\s,]", "", text) or not all(1 <= int(one) <= most for one in found):
        raise InvalidInputError(f"a number from 1 to {most}", value=text)
    return {int(one) for one in found}


def draw_foul(order: Ranking, deck: Deck, entropy: Entropy) -> IsItFoul:
    """Set a dealt hand so that one must look: every other time foul, and neither very clearly."""
    want_foul = below(2, entropy) == 1
    while True:
        cards = deal(deck, sum(order.split), entropy)
        ranked = [
            (part_strengths(order, setting)[1:], setting, bool(verify_setting(order, setting)))
            for setting in all_settings(cards, order.split)
        ]
        fitting = sorted((one for one in ranked if one[2] is want_foul), reverse=not want_foul)
        if fitting:
            near = fitting[: max(1, len(fitting) // 3)]
            chosen = near[below(len(near), entropy)][1]
            return IsItFoul(order, tuple(map(highest_first, chosen)))
