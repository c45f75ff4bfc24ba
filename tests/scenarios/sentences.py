"""The grammar of scenarios: a closed list of sentences, each a regular expression with a few holes.

A sentence is registered under a *template* such as ``"{player} at {at} bets {wagers}"``. The text
outside the braces is read to the letter; what may stand in a hole is said in ``HOLES``:

=============  ==========================================================================================
``player``     ``Ann``, ``Bob``, ``Cleo``, ``Dan``, ``Eve``, ``Finn`` or ``Gus``
``who``        a player, ``the dealer``, ``the floorperson``, ``the manager``, ``the shuffler``,
               ``the shoe``, ``the generator``; ``the house``
               where it tries to play itself
``at``         a position from 1, in Pennsylvania and Washington the dealer's, to 7
``n``          a number
``money``      ``$10``, ``$1,000.50`` or ``nothing``
``wagers``     ``$10 main, $5 fortune and $1 progressive``
``wager``      one of those names
``cards``      ``As Kd Jk``
``setting``    ``AsKsQsJs / ThTd / 9c``, the high hand first
``phase``      ``betting``, ``no more bets``, ``dealing``, ``setting``, ``the dealer's hand``, ``settling``
``result``     ``win``, ``lose`` or ``tie``
``choices``    what an operator chooses, ``Game Manager 1.2.9 and main limit $200``; ``CHOICES`` names it all
``light``      what a sensor shows: ``nothing``, ``detected`` or ``accepted``
``screen``     what a display reads, ``DEALER HOUSE WAY``
``words``      any words
``clauses``    the ids of clauses, joined by ``and``
``step``       the name of a step in words, ``expose card``
``steps``      several of them, joined by ``and``
``does``       anything anybody may do: ``<who>: <step> [at <position>] [with <detail> <value>, ...]``
``act``        a sentence of *given* or *when*
=============  ==========================================================================================

The details of a step are the fields of its action, in words: ``the dealer: deal with cards 3, first to
5``. Their values: a number; ``yes`` or ``no``; an amount; a day, ``2026-01-04``; cards or a setting; words;
dice and positions as numbers side by side; ``counts 7 everywhere but 6 at 2 and 8 at 6``; ``wagers $10 main
and $5 fortune``.

A sentence that fits no template, or names an unknown clause, step or detail, cannot be read. What may be
said of what happens is in ``doing.py``, of what comes of it in ``holding.py``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from enum import Enum
from functools import partial
from types import NoneType
from typing import Annotated, Any, TypeVar, get_args, get_origin

from msgspec.structs import fields

from houseway.cards import Cards, parse_cards, parse_setting
from houseway.errors import HousewayError, InvalidInputError
from houseway.law import all_clauses
from houseway.money import Cents, cents
from houseway.ranking import Setting
from houseway.rounds.roles import Role
from houseway.rounds.state import Phase
from houseway.rounds.step import Actor
from tests.rounds.commands import ACTION_NAMED, NamedStep
from tests.rounds.table import DEALER, FLOOR, GENERATOR, NAMES, SHOE, SHUFFLER

F = TypeVar("F", bound=Callable[..., None])

PEOPLE = {name: Actor(name, Role.PLAYER) for name in (*NAMES.values(), "Gus")}
STAFF = {
    "the dealer": DEALER,
    "the floorperson": FLOOR,
    "the manager": Actor("Max", Role.MANAGER),
    "the shuffler": SHUFFLER,
    "the shoe": SHOE,
    "the generator": GENERATOR,
    "the house": Actor("the house", Role.PLAYER),
}
PHASES = {
    "betting": Phase.BETTING,
    "no more bets": Phase.STARTING,
    "dealing": Phase.DEALING,
    "setting": Phase.SETTING,
    "the dealer's hand": Phase.DEALER,
    "settling": Phase.SETTLING,
}
WAGERS = ("main", "bonus", "fortune", "insurance", "progressive")
CHOICES = {
    "main limit": "wagers.main.max",
    "progressive wager": "progressive.amount",
    "i-Verify": "components.i_verify",
    "i-Deal": "components.i_deal",
    "Game Manager": "components.game_manager",
    "Table Controller": "components.table_controller",
}
"""What an operator chooses, in words, and where it stands in his submission."""

_WHO = "|".join([*PEOPLE, *STAFF])
_AMOUNT = r"\$\d[\d,]*(?:\.\d\d)?"
_STAKE = rf"{_AMOUNT} (?:{'|'.join(WAGERS)})"
_CLAUSE = r"(?:pa|wa|ca)\w*(?:\.\w+)+"
_CHOICE = rf"(?:{'|'.join(CHOICES)}) \S+"
_CARD = r"(?:Jk|[2-9TJQKA][cdhs])"
_WORDS = r"[a-z]+(?: [a-z]+)*?"
_DOES = re.compile(rf"({_WHO}): ({_WORDS})(?: at ([1-7]))?(?: with (.+))?")


def read_actor(text: str) -> Actor:
    """Return the person, or the device, of that name."""
    return STAFF.get(text) or PEOPLE[text]


def read_money(text: str) -> Cents:
    """Read an amount, or "nothing"."""
    return Cents(0) if text == "nothing" else cents(text)


def read_wagers(text: str) -> dict[str, Cents]:
    """Read "$10 main, $5 fortune and $1 progressive"."""
    stakes = [stake.split(" ") for stake in re.split(", | and ", text)]
    if any(len(stake) != 2 or stake[1] not in WAGERS for stake in stakes):
        raise InvalidInputError("not wagers", value=text)
    return {wager: cents(amount) for amount, wager in stakes}


def read_choices(text: str) -> dict[str, str]:
    """Read "Game Manager 1.2.9 and main limit $200", by the places in a submission."""
    chosen = (choice.rpartition(" ") for choice in text.split(" and "))
    return {CHOICES[name]: value for name, _, value in chosen}


def read_clauses(text: str) -> tuple[str, ...]:
    """Read the ids of clauses, each of which must exist."""
    parts = tuple(text.split(" and "))
    for name in parts:
        if name not in all_clauses():
            raise InvalidInputError(f"no such clause as {name}", value=text)
    return parts


def read_step(text: str) -> str:
    """Return the name of a step written in words."""
    name = text.replace(" ", "_")
    if name not in ACTION_NAMED:
        raise InvalidInputError(f"no such step as {text}", value=text)
    return name


def read_steps(text: str) -> tuple[str, ...]:
    """Read several steps."""
    return tuple(read_step(part) for part in text.split(" and "))


def read_counts(text: str) -> dict[int, int]:
    """Read "7 everywhere but 6 at 2 and 8 at 6"."""
    match = re.fullmatch(r"(\d+) everywhere(?: but (.+))?", text)
    if match is None:
        raise InvalidInputError("not a count of every hand", value=text)
    counts = dict.fromkeys(range(1, 8), int(match[1]))
    for part in (match[2] or "").split(" and ") if match[2] else ():
        number, _, at = part.partition(" at ")
        counts[int(at)] = int(number)
    return counts


def read_numbers(text: str) -> tuple[int, ...]:
    """Read numbers side by side."""
    return tuple(int(part) for part in text.split())


def _read_cards(text: str) -> Cards:
    return parse_cards(text)


def _name(text: str) -> str:
    return text.replace(" ", "_")


_NAMED = ("wager", "hand", "dealing")
"""The details that are names, written in words."""
_KINDS: Mapping[Any, Callable[[str], Any]] = {
    int: int,
    bool: lambda text: {"yes": True, "no": False}[text],
    Cents: cents,
    str: str,
    date: date.fromisoformat,
    Cards: _read_cards,
    Setting: parse_setting,
    tuple[int, ...]: read_numbers,
    tuple[str, ...]: lambda text: tuple(text.split(" and ")),
    Mapping[str, Cents]: read_wagers,
    Mapping[int, int]: read_counts,
}
"""How a value of each type is written."""


def read_choice(among: type[Enum], text: str) -> str:
    """Read one of an enum's values in words; one that the enum has not is the table's to refuse."""
    values = {member.value for member in among}
    return _name(text) if _name(text) in values else text


def reader_of(name: str, kind: Any) -> Callable[[str], Any] | None:
    """Return what reads a detail of a type; nothing if it cannot be written in a scenario."""
    if get_origin(kind) is Annotated:
        kind = get_args(kind)[0]
    if NoneType in get_args(kind):
        (kind,) = (argument for argument in get_args(kind) if argument is not NoneType)
    if isinstance(kind, type) and issubclass(kind, Enum):
        return partial(read_choice, kind)
    return _name if kind is str and name in _NAMED else _KINDS.get(kind)


def read_detail(step: str, text: str) -> tuple[str, Any]:
    """Read one detail of a step: its name in words, then its value."""
    takes = {info.name: info.type for info in fields(ACTION_NAMED[step]) if info.name != "position"}
    for name in sorted(takes, key=len, reverse=True):
        words = _name_in_words(name)
        if text.startswith(f"{words} "):
            reader = reader_of(name, takes[name])
            if reader is None:
                raise InvalidInputError(f"{words} cannot be written in a scenario", value=text)
            try:
                return name, reader(text.removeprefix(f"{words} "))
            except (KeyError, ValueError) as error:
                cause = error.cause if isinstance(error, HousewayError) else "not a value"
                raise InvalidInputError(f"{words}: {cause}", value=text) from None
    raise InvalidInputError(f"{_name_in_words(step)} takes no such detail as {text}", value=text)


def _name_in_words(name: str) -> str:
    return name.replace("_", " ")


def read_does(text: str) -> NamedStep:
    """Read what somebody does."""
    match = _DOES.fullmatch(text)
    if match is None:
        raise InvalidInputError("not <who>: <step> [at <position>] [with <details>]", value=text)
    who, words, at, more = match.groups()
    step = read_step(words)
    details = dict(read_detail(step, part) for part in more.split(", ")) if more else {}
    return NamedStep(step, read_actor(who), int(at) if at else None, details)


HOLES: Mapping[str, tuple[str, Callable[[str], Any]]] = {
    "player": ("|".join(PEOPLE), read_actor),
    "who": (_WHO, read_actor),
    "at": ("[1-7]", int),
    "n": (r"\d+", int),
    "money": (rf"{_AMOUNT}|nothing", read_money),
    "wagers": (rf"{_STAKE}(?:(?:, | and ){_STAKE})*", read_wagers),
    "wager": ("|".join(WAGERS), str),
    "cards": (rf"{_CARD}(?: {_CARD})*", _read_cards),
    "setting": (rf"{_CARD}+(?: / {_CARD}+)+", parse_setting),
    "phase": ("|".join(PHASES), PHASES.__getitem__),
    "result": ("win|lose|tie", str),
    "choices": (rf"{_CHOICE}(?: and {_CHOICE})*", read_choices),
    "light": ("nothing|detected|accepted", str),
    "screen": (r"[A-Z]+(?: [A-Z]+)*(?: [2-7])?", str),
    "words": (r'[^"]+', str),
    "clauses": (rf"{_CLAUSE}(?: and {_CLAUSE})*", read_clauses),
    "step": (_WORDS, read_step),
    "steps": (rf"{_WORDS}", read_steps),
    "does": (rf"(?:{_WHO}): .+", read_does),
    "act": (".+", str),
}


@dataclass(frozen=True)
class Sentence:
    """A sentence of the grammar: how it is written and what it does to a story, or finds in it."""

    template: str
    run: Callable[..., None]

    def match(self, text: str) -> list[tuple[str, str]] | None:
        """Return what stands in each hole, or nothing if the text is another sentence."""
        names = re.findall(r"{(\w+)}", self.template)
        pattern = "".join(
            f"({HOLES[part[1:-1]][0]})" if part.startswith("{") else re.escape(part)
            for part in re.split(r"({\w+})", self.template)
        )
        match = re.fullmatch(pattern, text)
        return None if match is None else list(zip(names, match.groups(), strict=True))


@dataclass(frozen=True)
class SentenceRead:
    """A sentence as it was said: the text, the sentence of the grammar, and the values in its holes."""

    text: str
    sentence: Sentence
    values: tuple[Any, ...]


class Grammar:
    """The sentences that may be said in one part of a scenario."""

    def __init__(self, *others: Grammar) -> None:
        self.sentences: list[Sentence] = [sentence for other in others for sentence in other.sentences]

    def says(self, *templates: str) -> Callable[[F], F]:
        """Register what a sentence means, in one or several wordings."""

        def keep(function: F) -> F:
            self.sentences += [Sentence(template, function) for template in templates]
            return function

        return keep

    def read(self, text: str) -> SentenceRead:
        """Read a sentence; one that cannot be read is refused with its words."""
        for sentence in self.sentences:
            holes = sentence.match(text)
            if holes is not None:
                try:
                    return SentenceRead(
                        text, sentence, tuple(self._value(name, value) for name, value in holes)
                    )
                except InvalidInputError as error:
                    raise InvalidInputError(error.cause, value=text) from None
        raise InvalidInputError("no such sentence", value=text)

    def _value(self, hole: str, text: str) -> Any:
        """Read what stands in a hole; an act is a sentence of the same grammar."""
        return self.read(text) if hole == "act" else HOLES[hole][1](text)
