"""Prompts before the cards: a line of wagers, or a bank; nothing is placed until the player deals."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final

from houseway.cli.seat import Asker, Hints, LeftError
from houseway.cli.terminal_view import Screen, amounts
from houseway.errors import HousewayError, InvalidInputError
from houseway.law import Problem
from houseway.ledger import Units
from houseway.money import Cents, cents, dollars
from houseway.rounds.action import Action
from houseway.rounds.seat_session import SeatSession
from houseway.rounds.steps.bank import AcceptBank, DeclineBank, PutUp
from houseway.rounds.steps.wagers import PlaceWagers

Bet = dict[str, Cents]
"""Amounts by wager."""
AGAIN: Final = "Your bet, or Enter for the same again: "
DEAL: Final = "Enter to deal, u to undo: "
UNDO: Final = ("u", "undo", "n", "no")
_BETWEEN: Final = re.compile(r"(?:[\s;=]|,(?!\d{3}))+")
_AMOUNT: Final = re.compile(r"[-$\d.]")
BEFORE_CARDS: Final = "before_no_more_bets"


def read_bet(text: str, offered: Sequence[str]) -> Bet:
    """Read wagers and amounts in turn; an amount at the beginning is the main wager's.

    The beginning of a wager's name is enough if no other begins so; an amount of 0 leaves the wager out.

    >>> read_bet("main 5 fortune $1", ["main", "fortune"]) == read_bet("5, f=1", ["main", "fortune"])
    True
    """
    words = [word for word in _BETWEEN.split(text.strip()) if word]
    if words and _AMOUNT.match(words[0]):
        words.insert(0, "main")
    bet: Bet = {}
    for name, amount in zip(words[::2], [*words[1::2], ""], strict=False):
        wager = _read_wager(name, offered)
        if wager in bet:
            raise InvalidInputError("a wager is named once", value=wager)
        if not amount:
            raise InvalidInputError("an amount is missing after", value=name)
        bet[wager] = _read_amount(amount)
    return {wager: bet[wager] for wager in offered if bet.get(wager)}


def _read_wager(name: str, offered: Sequence[str]) -> str:
    known = [wager for wager in offered if wager.startswith(name.lower())]
    if len(known) != 1:
        raise InvalidInputError(f"the wagers are {', '.join(offered)}", value=name)
    return known[0]


def _read_amount(text: str) -> Cents:
    try:
        return cents(text)
    except HousewayError:
        raise InvalidInputError("an amount such as 10, $10 or 10.50, please, not", value=text) from None


def show_bet(bet: Mapping[str, Cents]) -> str:
    """Write wagers so that they can be read again.

    >>> show_bet({"main": Cents(500), "fortune": Cents(100)})
    'main $5 fortune $1'
    """
    return " ".join(f"{wager} {dollars(amount)}" for wager, amount in bet.items())


class BetPrompt:
    """Asks a player for bets, or for the stake of a bank, and offers the last answer again."""

    def __init__(self, seat: SeatSession, screen: Screen, asker: Asker) -> None:
        self.seat, self.screen, self.asker = seat, screen, asker
        self._bet: Bet = {}
        self._stake: Cents | None = None

    @property
    def offered(self) -> list[str]:
        """The wagers that are placed before the cards, by name."""
        rules = self.seat.rules
        wagers = [terms.id for terms in rules.game.wager if terms.when == BEFORE_CARDS]
        return [wager for wager in wagers if rules.offers(wager)]

    # --- wagers ---------------------------------------------------------------------------------------

    def place_wagers(self, purse: Units) -> None:
        """Ask for one line of wagers, and place it once the player confirms the deal."""
        least, _ = self.seat.rules.stakes("main")
        if any(problem.field == "chips" for problem in self._objections({"main": least or Cents(1)}, purse)):
            self.screen.say("Your chips do not reach the smallest wager.")
            raise LeftError
        if not self._bet:
            self.screen.show_list(self._wagers())
        bet: Bet | None = None
        while bet is None:
            bet = self._ask(purse)
        self._bet = bet
        self.seat.do(PlaceWagers(self.seat.position, bet))

    def _wagers(self) -> Hints:
        """Return the wagers by name, each with its limits and what the game calls it."""
        rules = self.seat.rules
        return [
            (wager, f"{amounts(*rules.stakes(wager)):<14}{rules.game.wager_terms(wager).name}")
            for wager in self.offered
        ]

    def _ask(self, purse: Units) -> Bet | None:
        """Return the confirmed bet, or None to ask again."""
        if self._bet:
            self.screen.say(f"Last bet: {show_bet(self._bet)}")
        text = self.asker.ask(AGAIN if self._bet else "Your bet: ", self._hints())
        if not text and self._bet and not self._show_refusals(self._bet, purse):
            return self._bet
        while text:
            bet = self._read(text, purse)
            if bet is None:
                return None
            self.screen.say(f"Bet: {show_bet(bet)}")
            text = self.asker.ask(DEAL, _CONFIRM)
            if not text:
                return bet
            if text.lower() in UNDO:
                return None
        if not self._bet:
            self.screen.complain("A main wager is needed to take part, such as main 10; q leaves the table.")
        return None

    def _read(self, text: str, purse: Units) -> Bet | None:
        try:
            bet = read_bet(text, self.offered)
        except HousewayError as error:
            self.screen.complain(f"{error}")
            return None
        if "main" not in bet:
            self.screen.complain("A main wager is needed to take part, such as main 10; q leaves the table.")
            return None
        return None if self._show_refusals(bet, purse) else bet

    def _show_refusals(self, bet: Bet, purse: Units) -> bool:
        problems = self._objections(bet, purse)
        self.screen.show_refusals(problems)
        return bool(problems)

    def _objections(self, bet: Bet, purse: Units) -> Sequence[Problem]:
        return self.seat.objections(PlaceWagers(self.seat.position, bet), purse=purse)

    def _hints(self) -> Hints:
        least, _ = self.seat.rules.stakes("main")
        sides = [wager for wager in self.offered if wager != "main"]
        amount = dollars(least or Cents(500))
        both = f"main {amount} {sides[0]} {dollars(self.seat.rules.stakes(sides[0])[0] or Cents(500))}"
        return [
            *self._wagers(),
            (amount, "the main wager alone"),
            (both if sides else f"main {amount}", "wagers by name, or by the beginning of it, on one line"),
            *([("Enter", f"the same again: {show_bet(self._bet)}")] if self._bet else []),
        ]

    # --- the bank -------------------------------------------------------------------------------------

    def take_bank(self, purse: Units, *, holding: bool) -> None:
        """Let the player take the bank with a stake, or decline it; ``holding`` is a second round of it."""
        taking: tuple[Action, ...] = () if holding else (AcceptBank(self.seat.position),)
        stake = self._ask_next_stake(purse) if holding else self._ask_first_stake(purse, taking)
        if stake is None:
            self.seat.do(DeclineBank(self.seat.position))
            return
        self._stake = stake
        for action in (*taking, PutUp(self.seat.position, stake)):
            self.seat.do(action)

    def _ask_first_stake(self, purse: Units, taking: tuple[Action, ...]) -> Cents | None:
        """Ask for a stake until one is confirmed, or the bank is declined."""
        hints = [*_STAKES, ("Enter", "decline: the bank is offered to the next player")]
        while True:
            stake = self.asker.amount(
                "The bank is offered to you. Your stake, or Enter to decline: ",
                lambda given: self._against(purse, *taking, PutUp(self.seat.position, given)),
                hints,
                declines=UNDO,
            )
            if stake is None or not self._takes_back(f"You bank the round with {dollars(stake)}."):
                return stake

    def _ask_next_stake(self, purse: Units) -> Cents:
        self.screen.say("You hold the bank for another round.")
        usual = self._stake
        if usual and self._against(purse, PutUp(self.seat.position, usual)):
            usual = None
        again = f", or Enter for {dollars(usual)} again" if usual else ""
        stake = self.asker.amount(
            f"What do you put up{again}? ",
            lambda given: self._against(purse, PutUp(self.seat.position, given)),
            _STAKES,
            needed="" if usual else "A stake is needed.",
        )
        return stake or usual or Cents(0)

    def _against(self, purse: Units, *actions: Action) -> Sequence[Problem]:
        return self.seat.objections(*actions, purse=purse)

    def _takes_back(self, summary: str) -> bool:
        self.screen.say(summary)
        while True:
            text = self.asker.ask(DEAL, _CONFIRM[:2]).lower()
            if text in ("", *UNDO):
                return bool(text)
            self.screen.complain("Enter, or u to undo, please.")


_CONFIRM: Final = [
    ("Enter", "deal the cards"),
    ("u", "take it back: nothing lies on the table yet"),
    ("main 10", "another bet instead"),
]
_STAKES: Final = [("200", "bank the round with $200: you can neither win nor lose more")]
