"""What a dealer is asked about hands: set one by the house way, who wins a race, is a setting foul.

Every question has a text from which it can be asked again; a history stores that text.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Protocol

from houseway.cards import Cards, Deck, highest_first, parse_cards, parse_setting, show, show_setting
from houseway.errors import InvalidInputError
from houseway.houseways import CompiledWay, decide
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
from houseway.training.player_lesson import deal
from houseway.training.scoring import describe_parts

AGAINST: Final = " against "


class Kind(StrEnum):
    """The subject of a question."""

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
    """A question for a dealer; ``text`` is the text from which it can be asked again."""

    @property
    def kind(self) -> Kind:
        """The subject of the question."""
        ...

    @property
    def spot(self) -> str:
        """The name under which its answers are counted."""
        ...

    @property
    def text(self) -> str:
        """The question as the text that a history stores."""
        ...

    def is_right(self, text: str) -> bool:
        """Return whether an answer is right; refuse an unreadable one, which is not counted."""
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

    program: CompiledWay
    cards: Cards
    kind: Kind = Kind.SET

    @classmethod
    def parse(cls, program: CompiledWay, text: str) -> SetByHouseWay:
        """Read the question from its stored text."""
        return cls(program, parse_cards(text, count=sum(program.split)))

    @property
    def spot(self) -> str:
        """The rule of the house way that decides the hand."""
        return decide(self.program, self.cards).rule

    @property
    def text(self) -> str:
        """The cards."""
        return show(self.cards)

    def is_house_way(self, setting: Setting) -> bool:
        """Return whether a setting is the house way's: equal strength in every part, like cards anywhere."""
        order = self.program.ranking
        wrong = verify_split(order, self.cards, setting)
        if wrong:
            raise InvalidInputError(wrong[0].reason, value=wrong[0].value, clauses=wrong[0].clauses)
        way = decide(self.program, self.cards)
        return part_strengths(order, setting) == part_strengths(order, way.setting)

    def is_right(self, text: str) -> bool:
        """Return whether a setting that is written out is the house way's."""
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
    def parse(cls, order: Ranking, text: str) -> WhoWins:
        """Read the question from its stored text."""
        mine, _, theirs = text.partition(AGAINST)
        return cls(order, parse_setting(mine, order.split), parse_setting(theirs, order.split))

    @property
    def text(self) -> str:
        """Both settings."""
        return f"{show_setting(self.player)}{AGAINST}{show_setting(self.dealer)}"

    def is_right(self, text: str) -> bool:
        """Compare letters: w, l or c for each part of the player's, then w, l or p for the wager."""
        typed = re.sub(r"[\s,/]", "", text.lower())
        parts, wager = typed[:-1], typed[-1:]
        if len(parts) != len(self.player) or not set(parts) <= _LETTERS.keys() or wager not in _RESULTS:
            names = ", ".join(self.order.part_names)
            raise InvalidInputError(
                f"w, l or c for each of {names}, then w, l or p for the wager", value=text
            )
        result = race(self.order, self.player, self.dealer)
        answer = [_LETTERS[letter] for letter in parts]
        return (answer, _RESULTS[wager]) == (list(result.parts), result.result)

    def solution(self) -> Solution:
        """Return the letters; a copy rests on its own clause."""
        result = race(self.order, self.player, self.dealer)
        letters = {outcome: letter for letter, outcome in _LETTERS.items()}
        answer = " ".join((*(letters[part] for part in result.parts), result.result[0]))
        copies = self.order.document.cards.copies if RaceResult.COPY in result.parts else ()
        clauses = tuple(dict.fromkeys((*copies, *result.clauses)))
        return Solution(answer, f"{tell_race(self.order, result)}: {result.result}", clauses)

    def hints(self) -> Sequence[tuple[str, str]]:
        """Return the letters."""
        example = " ".join(["c", *"w" * (len(self.player) - 1), "l"])
        return (
            (example, f"a letter for each part ({', '.join(self.order.part_names)}), then one for the wager"),
            ("w, l, c", "the player's part is higher, lower, a copy"),
            ("w, l, p", "the main wager wins, loses, pushes"),
        )


def draw_race(program: CompiledWay, deck: Deck, entropy: Entropy) -> WhoWins:
    """Deal the dealer a hand, and a player one that often has a part of the same ranks, whole or nearly."""
    order = program.ranking
    theirs = decide(program, deal(deck, sum(program.split), entropy)).setting
    dealers = {card for part in theirs for card in part}
    for _ in range(20):
        part = below(len(theirs), entropy)
        rest = list(shuffled([card for card in deck.cards if card not in dealers], entropy))
        wanted = [card.rank for card in theirs[part]][: len(theirs[part]) - (below(3, entropy) == 0)]
        alike = []
        for rank in wanted:
            card = next((card for card in rest if card.rank == rank and not card.is_joker), None)
            if card is not None:
                alike.append(card)
                rest.remove(card)
        mine = []
        for place, size in enumerate(program.split):
            cards = [*alike] if place == part else []
            while len(cards) < size:
                cards.append(rest.pop())
            mine.append(highest_first(cards))
        if not verify_setting(order, tuple(mine)):
            return WhoWins(order, tuple(mine), theirs)
    left = [card for card in deck.cards if card not in dealers]
    return WhoWins(order, decide(program, deal(Deck(tuple(left)), len(dealers), entropy)).setting, theirs)


# --- fouls -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class IsItFoul:
    """Asks whether a setting is foul, and which part outranks which."""

    order: Ranking
    setting: Setting
    kind: Kind = Kind.FOUL
    spot: str = Kind.FOUL.value

    @classmethod
    def parse(cls, order: Ranking, text: str) -> IsItFoul:
        """Read the question from its stored text."""
        return cls(order, parse_setting(text, order.split))

    @property
    def text(self) -> str:
        """The setting."""
        return show_setting(self.setting)

    def choices(self) -> tuple[str, ...]:
        """Return the choices: not foul, or foul for each reason that the law names."""
        pairs = [(rule.lower, rule.higher) for rule, _, _ in self.order.order_rules]
        fouls = (f"foul: the {lower} hand outranks the {higher} hand" for lower, higher in pairs)
        return ("not foul", *fouls)

    def is_right(self, text: str) -> bool:
        """Compare the numbers of the choices that apply."""
        return read_numbers(text, len(self.choices())) == self._right_numbers()

    def _right_numbers(self) -> set[int]:
        """Return the numbers of the choices that apply."""
        reasons = {f"foul: {foul.reason}" for foul in verify_setting(self.order, self.setting)}
        choices = enumerate(self.choices(), start=1)
        return {place for place, choice in choices if choice in (reasons or {self.choices()[0]})}

    def solution(self) -> Solution:
        """Return the numbers, and how every part ranks."""
        fouls = verify_setting(self.order, self.setting)
        reason = describe_parts(self.order, self.setting)
        law = dict.fromkeys(clause for foul in fouls for clause in foul.clauses)
        cited = (*law, *(self.order.document.foul if fouls else ()))
        return Solution(" ".join(map(str, sorted(self._right_numbers()))), reason, tuple(cited))

    def hints(self) -> Sequence[tuple[str, str]]:
        """Return the choices by number."""
        return tuple((str(place), choice) for place, choice in enumerate(self.choices(), start=1))


def read_numbers(text: str, most: int) -> set[int]:
    """Read the numbers of choices, at least one."""
    words = re.findall(r"[0-9]+", text)
    if not words or re.sub(r"[0-9\s,]", "", text) or not all(1 <= int(word) <= most for word in words):
        raise InvalidInputError(f"a number from 1 to {most}", value=text)
    return {int(word) for word in words}


def draw_foul(order: Ranking, deck: Deck, entropy: Entropy) -> IsItFoul:
    """Set a dealt hand as a close case: foul every other time, and never very clearly."""
    want_foul = below(2, entropy) == 1
    while True:
        cards = deal(deck, sum(order.split), entropy)
        candidates = [
            (part_strengths(order, setting)[1:], setting, bool(verify_setting(order, setting)))
            for setting in all_settings(cards, order.split)
        ]
        fitting = sorted((row for row in candidates if row[2] is want_foul), reverse=not want_foul)
        if fitting:
            near = fitting[: max(1, len(fitting) // 3)]
            chosen = near[below(len(near), entropy)][1]
            return IsItFoul(order, tuple(map(highest_first, chosen)))
