"""Prompts at a table: answers, amounts and settings, asked again until they can be read.

At every prompt ``help`` lists what can be typed, ``why`` shows the law that was cited last, and ``q`` leaves.
The end of input and an interrupt leave too. ``?`` is the house way wherever there is a hand, else the list.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final

from houseway.cards import CardError, Cards, distinct, highest_first, parse_cards, show, show_setting
from houseway.cli.terminal_view import Screen
from houseway.errors import HousewayError, InvalidInputError
from houseway.law import Problem
from houseway.money import Cents, cents
from houseway.ranking import Setting

Hints = Sequence[tuple[str, str]]
Check = Callable[[Cents], Sequence[Problem]]
LONGEST: Final = 200
"""The longest line that is read as an answer."""
YES: Final = ("y", "yes")
NO: Final = ("n", "no")
LEAVE: Final = ("q", "quit")
LIST: Final = ("?", "help")
WHY: Final = ("why", "why?")
HOUSE_WAY: Final = ("?", "h")
WORTH: Final = ("w", "worth")
_NUMBERS: Final = re.compile(r"[0-9\s,/]+")


class LeftError(Exception):
    """The player leaves: by command, at the end of input, or by an interrupt."""

    def __init__(self, *, interrupted: bool = False) -> None:
        self.interrupted = interrupted
        super().__init__("interrupted" if interrupted else "left")


class Asker:
    """Asks the player, one line at a time."""

    def __init__(self, screen: Screen, read: Callable[[str], str] = input) -> None:
        self.screen, self._read = screen, read
        self.leaving = ""
        """What leaving means now; if not empty, the player is asked to confirm."""

    def line(self, prompt: str) -> str:
        """Return one typed line, stripped."""
        while True:
            try:
                text = self._read(prompt).strip()
            except EOFError:
                self.screen.say()
                raise LeftError from None
            except KeyboardInterrupt:
                self.screen.say()
                raise LeftError(interrupted=True) from None
            except UnicodeDecodeError:
                self.screen.complain("That is not text.")
                continue
            if len(text) <= LONGEST:
                return text
            self.screen.complain("That is too long to be an answer.")

    def ask(self, prompt: str, hints: Hints, takes: Sequence[str] = ()) -> str:
        """Return an answer; help, the law and leaving are handled here.

        Answers in ``takes`` are returned to the caller even if they mean something here.
        """
        while True:
            text = self.line(prompt)
            word = text.lower()
            if word in takes or word not in (*LIST, *WHY, *LEAVE):
                self.screen.start_citations()
                return text
            if word in LIST:
                self._list(hints)
            elif word in WHY:
                self.screen.show_law()
            elif not self.leaving or self._sure():
                raise LeftError

    def _list(self, hints: Hints) -> None:
        known = [
            ("why", "the law that was cited last, in full"),
            ("help", "this list"),
            ("q", self.leaving or "leave the table"),
        ]
        self.screen.show_list([*hints, *known])

    def _sure(self) -> bool:
        while True:
            answer = self.line(f"Leave? ({self.leaving}) y or n: ").lower()
            if answer in (*YES, *NO):
                return answer in YES
            self.screen.complain("y or n, please.")

    def confirm(
        self,
        question: str,
        hints: Hints,
        advise: Callable[[], object] | None = None,
        value: Callable[[], object] | None = None,
    ) -> bool:
        """Return yes or no; Enter is no.

        ``?`` calls ``advise`` and ``w`` calls ``value``, if given, and the question is asked again.
        """
        answers = {word: advise for word in HOUSE_WAY if advise} | {word: value for word in WORTH if value}
        while True:
            answer = self.ask(f"{question} y, or Enter for no: ", hints, [*answers]).lower()
            tell = answers.get(answer)
            if tell is not None:
                tell()
                continue
            if answer in YES:
                return True
            if answer in ("", *NO):
                return False
            self.screen.complain("y or n, please.")

    def choose(self, question: str, names: Sequence[str], hints: Hints) -> str:
        """Return one of several names, typed as it is or by its number in the list."""
        while True:
            answer = self.ask(f"{question} ", hints).lower()
            if answer in names:
                return answer
            if answer.isascii() and answer.isdigit() and 1 <= int(answer) <= len(names):
                return names[int(answer) - 1]
            self.screen.complain(f"A number from 1 to {len(names)}, or one of {', '.join(names)}.")

    def amount(
        self, prompt: str, check: Check, hints: Hints, *, needed: str = "", declines: Sequence[str] = ()
    ) -> Cents | None:
        """Return an amount that passes the check; None if it is declined or none is needed."""
        while True:
            text = self.ask(prompt, hints)
            if text.lower() in declines:
                return None
            try:
                given = cents(text) if text else Cents(0)
            except HousewayError:
                self.screen.complain(f"An amount such as 10, $10 or 10.50, please, not {text!r}.")
                continue
            if not given and not needed:
                return None
            if not given:
                self.screen.complain(needed)
                continue
            problems = check(given)
            if not problems:
                return given
            self.screen.show_refusals(problems)


# --- settings ---------------------------------------------------------------------------------------


def read_setting(text: str, cards: Cards, names: Sequence[str], split: Sequence[int]) -> Setting:
    """Return a setting of the cards, typed whole or as the lower parts only, by cards or by numbers.

    The cards of a part may come in any order; the highest is put first.

    >>> cards = parse_cards("As Ks Qs Js Th Td 9c")
    >>> seven = (("high", "medium", "low"), (4, 2, 1))
    >>> read_setting("AsKsQsJs / ThTd / 9c", cards, *seven) == read_setting("5 6 / 7", cards, *seven)
    True
    >>> read_setting("ThTd 9c", cards, *seven) == read_setting("567", cards, *seven)
    True
    """
    lower = tuple(split[1:])
    given = [_read_part(part, cards, text) for part in text.split("/")]
    distinct(card for part in given for card in part)
    if len(given) == 1 and len(given[0]) == sum(lower):
        loose = list(given[0])
        given = [tuple(loose.pop(0) for _ in range(size)) for size in lower]
    parts = tuple(map(highest_first, given))
    if len(parts) == len(split):
        return parts
    if len(parts) != len(lower):
        sizes = " and ".join(f"{n} {name}" for n, name in zip(lower, names[1:], strict=True))
        raise InvalidInputError(f"name every part, or {sizes}, divided by /", value=text)
    used = [card for part in parts for card in part]
    for card in used:
        if card not in cards:
            raise CardError(f"not one of your cards {show(cards)}", value=str(card))
    return (highest_first(card for card in cards if card not in used), *parts)


def _read_part(part: str, cards: Cards, whole: str) -> Cards:
    if not _NUMBERS.fullmatch(whole):
        return parse_cards(part)
    chosen = []
    for digit in re.findall(r"[0-9]", part):
        if not 1 <= int(digit) <= len(cards):
            raise InvalidInputError(f"your cards are numbered 1 to {len(cards)}", value=digit)
        chosen.append(cards[int(digit) - 1])
    return tuple(chosen)


def setting_hints(cards: Cards, names: Sequence[str], split: Sequence[int]) -> Hints:
    """Return examples of how a setting of these cards can be typed."""
    parts, at = [], 0
    for size in split:
        parts.append(cards[at : at + size])
        at += size
    numbers = " / ".join(" ".join(str(cards.index(card) + 1) for card in part) for part in parts[1:])
    lower = " and ".join(names[1:])
    return (
        (show_setting(parts), f"a whole setting: {', '.join(names)}"),
        (numbers, f"the cards of {lower} only, by number; the rest is {names[0]}"),
        (show_setting(parts[1:]), f"the cards of {lower} only, by name"),
        ("Enter", "place the setting shown last"),
        ("?", "the house way, with the rule that fired"),
    )
