"""The terminal's view of a table: cards, settings with their ranks, races, and money with its law."""

from __future__ import annotations

import io
import re
import textwrap
from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Final

from rich.console import Console
from rich.text import Text

from houseway.cards import SUIT_SYMBOLS, Card
from houseway.cli.output import console
from houseway.law import Problem, cite
from houseway.ledger import Account, AccountKind, Units, player, show_units
from houseway.money import Cents, dollars
from houseway.ranking import Ranking, Setting, describe
from houseway.settlement import Payment, PaymentKind

WIDEST: Final = 88
NARROWEST: Final = 40
NAME: Final = 11
"""The column in which the parts' names stand."""
RED: Final = "dh"
NO_BREAK: Final = "\u00a0"
_TOGETHER: Final = re.compile(r"58 Pa\. Code § |§ |\[lines ")
"""Text that is not broken at the end of a line."""
_LONG: Final = re.compile(
    r"^58 Pa\. Code |^WA Fortune Asia Poker(?= Progressive)? ?,? ?|^CA Casino 99 Fortune Pai Gow Poker, "
    r"| \([^()]*(?:\([^()]*\)[^()]*)*(?:row|table)\)|Rules and Dealing Procedures "
)
"""The parts that a short citation leaves out."""
OUTCOMES: Final = {
    "W": "yours is higher",
    "L": "the {who}'s is higher",
    "T": "a copy, which is the {who}'s",
}
ANNOUNCED: Final = {"win": "you win", "lose": "you lose", "tie": "a tie"}


def short_citation(cited: str) -> str:
    """Return a citation without the name of the law, which a player at its table knows.

    >>> short_citation("58 Pa. Code § 659a.12(b) (Paytable A, Flush row)")
    '§ 659a.12(b)'
    >>> short_citation("CA Casino 99 Fortune Pai Gow Poker, House Way [lines 82-83]")
    'House Way [82-83]'
    """
    return _LONG.sub("", cited).replace("[lines ", "[")


def citations(clauses: Iterable[str]) -> str:
    """Return citations in short: the first one, and the number of others.

    >>> citations(["pa659a.11.f.1.ii"]), citations(["pa659a.11.f.1.ii", "pa659a.11.e.s2"])
    ('§ 659a.11(f)(1)(ii)', '§ 659a.11(f)(1)(ii) and 1 more')
    """
    cited = list(dict.fromkeys(short_citation(cite(clause).cited) for clause in clauses))
    more = f" and {len(cited) - 1} more" if len(cited) > 1 else ""
    return "".join(cited[:1]) + more


def reason(problem: Problem) -> str:
    """Return a refusal in words, with the law where there is one.

    >>> reason(Problem("main", "limits are $5 to $500", "$3"))
    'limits are $5 to $500: $3'
    """
    lies_there = problem.value is None or problem.field == "setting"
    value = "" if lies_there else f": {problem.value}"
    law = f" ({citations(problem.clauses)})" if problem.clauses else ""
    return f"{problem.reason}{value}{law}"


def amounts(least: Cents | None, most: Cents | None) -> str:
    """Return the limits of a wager in words.

    >>> amounts(Cents(500), Cents(50000)), amounts(Cents(100), Cents(100)), amounts(None, None)
    ('$5 to $500', '$1', 'any amount')
    """
    if least is not None and least == most:
        return dollars(least)
    if least is not None and most is not None:
        return f"{dollars(least)} to {dollars(most)}"
    if least is not None:
        return f"{dollars(least)} or more"
    return "any amount" if most is None else f"up to {dollars(most)}"


def word_for(payment: Payment, person: str) -> str:
    """Return a payment in a word, from one person's side: to or from that person, or to or from their bank.

    A lost wager left the person's hand when it was placed; a bank comes back when it is closed.
    """
    if payment.to == player(person):
        return "back" if payment.kind is PaymentKind.RETURN else "paid"
    if payment.source == player(person):
        return "fee"
    bank = Account(AccountKind.BANK, person)
    return {payment.to: "gains", payment.source: "pays"}.get(bank, "taken")


class Screen:
    """A terminal, or a plain stream of text where there is none."""

    def __init__(self, out: Console | None = None) -> None:
        self.out = out or console()
        self.width = max(NARROWEST, min(self.out.width, WIDEST))
        self._cited: list[str] = []
        self._cited_before: list[str] = []
        self.symbols = "utf" in self.out.encoding.lower()
        if not self.symbols and isinstance(self.out.file, io.TextIOWrapper):
            self.out.file.reconfigure(errors="replace")  # the law's § and a name's accent are no accident

    def say(self, text: str = "", *, indent: int = 0, hang: int = 0, style: str = "") -> None:
        """Print a paragraph, wrapped between words; every line after the first hangs further in."""
        lines = textwrap.wrap(
            _TOGETHER.sub(lambda match: match[0].replace(" ", NO_BREAK), text),
            self.width,
            initial_indent=" " * indent,
            subsequent_indent=" " * (indent + hang),
            break_on_hyphens=False,
        )
        for line in lines or [""]:
            self.out.print(line.replace(NO_BREAK, " "), style=style or None, markup=False, emoji=False)

    def title(self, text: str) -> None:
        """Print the heading of a round or a part of it."""
        self.say()
        self.say(text, style="bold")

    def show_list(self, rows: Sequence[tuple[str, str]]) -> None:
        """Print names, each with its meaning."""
        widest = max(len(name) for name, _ in rows)
        for name, meaning in rows:
            self.say(f"{name:<{widest}}  {meaning}", indent=2, hang=widest + 2)

    # --- the law --------------------------------------------------------------------------------------

    def law(self, clauses: Iterable[str]) -> str:
        """Return clauses in short, and remember them for ``show_law``."""
        cited = list(clauses)
        self._cited += cited
        return citations(cited)

    def reason(self, problem: Problem) -> str:
        """Return a refusal in words, and remember its law."""
        self._cited += problem.clauses
        return reason(problem)

    def start_citations(self) -> None:
        """Start a new list of citations: the player has answered."""
        if self._cited:
            self._cited_before, self._cited = self._cited, []

    def show_law(self) -> None:
        """Print the law that was cited last, each clause in our own words."""
        recent = dict.fromkeys(self._cited or self._cited_before)
        if not recent:
            self.say("No law was cited yet.", style="dim")
        for clause in map(cite, recent):
            self.say(f"{clause.cited}: {clause.says}", indent=2, hang=2)

    # --- what is wrong --------------------------------------------------------------------------------

    def show_refusals(self, problems: Iterable[Problem]) -> None:
        """Print problems as refusals."""
        for problem in problems:
            self.say(f"Refused: {self.reason(problem)}.", hang=2, style="yellow")

    def complain(self, text: str) -> None:
        """Print a complaint about the input."""
        self.say(text, hang=2, style="yellow")

    # --- cards ----------------------------------------------------------------------------------------

    def card(self, card: Card) -> Text:
        """Return a card with its suit's symbol and colour, as far as the terminal shows them."""
        if card.is_joker:
            return Text("Jk", style="magenta")
        rank, suit = str(card)[:1], str(card)[1:]
        return Text(rank + (SUIT_SYMBOLS[suit] if self.symbols else suit), style="red" if suit in RED else "")

    def row(self, cards: Sequence[Card]) -> Text:
        """Return cards side by side."""
        return Text(" ").join(self.card(card) for card in cards)

    def show_cards(self, cards: Sequence[Card]) -> None:
        """Print cards under the numbers by which they can be named."""
        self.out.print("  " + "  ".join(f"{n:>2}" for n in range(1, len(cards) + 1)), style="dim")
        self._print(Text("  "), Text("  ").join(self.card(card) for card in cards))

    def show_setting(
        self, order: Ranking, setting: Setting, counting: Setting | None = None, *, ranked: bool = True
    ) -> None:
        """Print the parts of a setting, each with its rank where it has the right number of cards.

        ``counting`` has the cards that the parts count as, if other than those shown; without ``ranked``
        the ranks are left out.
        """
        fits = ranked and tuple(map(len, setting)) == order.split
        space = max(3 * max(map(len, setting)), 3 * max(order.split)) + 1
        names = [*order.part_names, *[""] * (len(setting) - len(order.part_names))]
        for name, cards, worth in zip(names, setting, counting or setting, strict=False):
            row = self.row(cards) if cards else Text("-")
            row.pad_right(space - row.cell_len)
            rank = describe(order.rank(name, worth)) if fits else ""
            self._print(Text(f"  {name:<{NAME}}"), row, Text(rank))

    def show_versus(
        self,
        order: Ranking,
        name: str,
        mine: Sequence[Card],
        theirs: Sequence[Card],
        counting: Sequence[Card],
        who: str,
    ) -> None:
        """Print one part against the other side's, which counts as ``counting``, and which is higher."""
        column = max(len(who), len("you")) + 2
        for label, side, cards, worth in ((name, "you", mine, mine), ("", who, theirs, counting)):
            row = self.row(cards)
            row.pad_right(3 * max(order.split) + 1 - row.cell_len)
            self._print(
                Text(f"  {label:<{NAME}}{side:<{column}}"), row, Text(describe(order.rank(name, worth)))
            )
        outcome = OUTCOMES[order.compare(name, tuple(mine), tuple(counting))].format(who=who)
        self.out.print(" " * (NAME + 2) + outcome, style="bold", markup=False)

    def _print(self, *pieces: Text) -> None:
        self.out.print(Text.assemble(*pieces), no_wrap=True, overflow="ignore", crop=False)

    # --- money ----------------------------------------------------------------------------------------

    def show_payments(self, payments: Sequence[Payment], person: str) -> None:
        """Print every payment with its reason, and the law under each group that shares it."""
        for clauses, group in groupby(payments, key=lambda payment: payment.clauses):
            for payment in group:
                amount = f"{word_for(payment, person):<6}{show_units(payment.units):>9}"
                whose = "" if payment.person == person else f"{payment.person}'s "
                wager = payment.wager.replace("_", " ")
                self.say(f"{amount}  {whose}{wager}: {payment.reason}", indent=2, hang=17)
            if clauses:
                self.say(self.law(clauses), indent=19, style="dim")

    def show_balance(self, before: Units, placed: Units, fees: Units, back: Units) -> None:
        """Print the sum that leads to the present chips."""
        charged = f" - {show_units(fees)} fees" if fees else ""
        after = before - placed - fees + back
        self.say(
            f"Chips: {show_units(before)} - {show_units(placed)} placed{charged} + {show_units(back)} back"
            f" = {show_units(after)}",
            style="bold",
        )
