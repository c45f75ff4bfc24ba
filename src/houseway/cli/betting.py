"""What a person decides before the cards: a line of wagers, or a bank; nothing lies until they deal."""

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
from houseway.rounds.steps.wagers import PlaceWagers, limits

Bet = dict[str, Cents]
"""Amounts by the wagers they are placed on."""
AGAIN: Final = "Your bet, or Enter for the same again: "
DEAL: Final = "Enter to deal, u to undo: "
UNDO: Final = ("u", "undo", "n", "no")
_BETWEEN: Final = re.compile(r"(?:[\s;=]|,(?!\d{3}))+")
_AMOUNT: Final = re.compile(r"[-$\d.]")
BEFORE_CARDS: Final = "before_no_more_bets"


def read_bet(text: str, offered: Sequence[str]) -> Bet:
    """Read wagers and amounts in turn; an amount at the beginning is the main wager's.

    A wager may be named by as much of its name as tells it from the others; nothing on it leaves it out.

    >>> read_bet("main 5 fortune $1", ["main", "fortune"]) == read_bet("5, f=1", ["main", "fortune"])
    True
    """
    words = [word for word in _BETWEEN.split(text.strip()) if word]
    if words and _AMOUNT.match(words[0]):
        words.insert(0, "main")
    bet: Bet = {}
    for name, amount in zip(words[::2], [*words[1::2], ""], strict=False):
        wager = _wager(name, offered)
        if wager in bet:
            raise InvalidInputError("a wager is named once", value=wager)
        if not amount:
            raise InvalidInputError("an amount is missing after", value=name)
        bet[wager] = _amount(amount)
    return {wager: bet[wager] for wager in offered if bet.get(wager)}


def _wager(name: str, offered: Sequence[str]) -> str:
    known = [wager for wager in offered if wager.startswith(name.lower())]
    if len(known) != 1:
        raise InvalidInputError(f"the wagers are {', '.join(offered)}", value=name)
    return known[0]


def _amount(text: str) -> Cents:
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


class Betting:
    """Asks a person for their bets, or for the stake of a bank, and remembers what they said last."""

    def __init__(self, seat: SeatSession, screen: Screen, asker: Asker) -> None:
        self.seat, self.screen, self.asker = seat, screen, asker
        self._bet: Bet = {}
        self._stake: Cents | None = None

    @property
    def offered(self) -> list[str]:
        """The wagers that are placed before the cards, by name."""
        rules = self.seat.rules
        return [one.id for one in rules.game.wager if rules.offers(one.id) and one.when == BEFORE_CARDS]

    # --- wagers ---------------------------------------------------------------------------------------

    def place_wagers(self, purse: Units) -> None:
        """Ask for one line of wagers; a new line lies only once the person says that cards are dealt."""
        least, _ = limits(self.seat.rules, "main")
        if any(problem.field == "chips" for problem in self._objections({"main": least or Cents(1)}, purse)):
            self.screen.say("Your chips do not reach the smallest wager.")
            raise LeftError
        if not self._bet:
            self.screen.list(self._wagers())
        bet: Bet | None = None
        while bet is None:
            bet = self._asked(purse)
        self._bet = bet
        self.seat.do(PlaceWagers(self.seat.position, bet))

    def _wagers(self) -> Hints:
        """Return the wagers by name, each with its limits and what the game calls it."""
        rules = self.seat.rules
        return [
            (wager, f"{amounts(*limits(rules, wager)):<14}{rules.game.wager_terms(wager).name}")
            for wager in self.offered
        ]

    def _asked(self, purse: Units) -> Bet | None:
        """Return the bet to be dealt for, or nothing where it is to be asked for again."""
        if self._bet:
            self.screen.say(f"Last bet: {show_bet(self._bet)}")
        text = self.asker.ask(AGAIN if self._bet else "Your bet: ", self._hints())
        if not text and self._bet and not self._refused(self._bet, purse):
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
        return None if self._refused(bet, purse) else bet

    def _refused(self, bet: Bet, purse: Units) -> bool:
        problems = self._objections(bet, purse)
        self.screen.refusals(problems)
        return bool(problems)

    def _objections(self, bet: Bet, purse: Units) -> Sequence[Problem]:
        return self.seat.objections(PlaceWagers(self.seat.position, bet), purse=purse)

    def _hints(self) -> Hints:
        least, _ = limits(self.seat.rules, "main")
        sides = [wager for wager in self.offered if wager != "main"]
        one = dollars(least or Cents(500))
        both = f"main {one} {sides[0]} {dollars(limits(self.seat.rules, sides[0])[0] or Cents(500))}"
        return [
            *self._wagers(),
            (one, "the main wager alone"),
            (both if sides else f"main {one}", "wagers by name, or by the beginning of it, on one line"),
            *([("Enter", f"the same again: {show_bet(self._bet)}")] if self._bet else []),
        ]

    # --- the bank -------------------------------------------------------------------------------------

    def take_bank(self, purse: Units, *, held: bool) -> None:
        """Let the person take the bank with a stake, or decline it; one that they hold they put up again."""
        taking: tuple[Action, ...] = () if held else (AcceptBank(self.seat.position),)
        stake = self._stake_held(purse) if held else self._stake_offered(purse, taking)
        if stake is None:
            self.seat.do(DeclineBank(self.seat.position))
            return
        self._stake = stake
        for action in (*taking, PutUp(self.seat.position, stake)):
            self.seat.do(action)

    def _stake_offered(self, purse: Units, taking: tuple[Action, ...]) -> Cents | None:
        """Ask for a stake until one is to be dealt for, or the bank is declined."""
        hints = [*_STAKES, ("Enter", "decline: the bank is offered to the next player")]
        while True:
            stake = self.asker.amount(
                "The bank is offered to you. Your stake, or Enter to decline: ",
                lambda given: self._against(purse, *taking, PutUp(self.seat.position, given)),
                hints,
                declines=UNDO,
            )
            if stake is None or not self._undone(f"You bank the round with {dollars(stake)}."):
                return stake

    def _stake_held(self, purse: Units) -> Cents:
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

    def _undone(self, said: str) -> bool:
        self.screen.say(said)
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
