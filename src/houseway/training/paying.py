"""What a dealer pays: a settled hand with its side wagers, and what each wager is paid."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Final

from houseway.cards import Deck, parse_setting, show_setting
from houseway.errors import HousewayError, InvalidInputError
from houseway.games import Rules
from houseway.houseways import CompiledWay, decide
from houseway.ledger import UNITS_PER_CENT
from houseway.meters import Meter, contribute, opened
from houseway.money import Cents, cents, dollars
from houseway.ranking import Setting
from houseway.ranking.picture import glance
from houseway.rng import Entropy, below
from houseway.settlement import Area, Banker, Bettor, Payment, PaymentKind, Showdown, meter_terms, settle
from houseway.settlement.model import DOUBLE_DOWN, MAIN, PROGRESSIVE
from houseway.settlement.sides import hand_made
from houseway.training.player_lesson import deal
from houseway.training.questions import AGAINST, Kind, Solution

TAKEN: Final = "-"
"""The answer for a wager that is taken, or was taken before and is paid nothing."""
POSITION: Final = 2
PERSON: Final = "the player"
MAIN_STEPS: Final = tuple(cents(text) for text in ("$10", "$25", "$50", "$100"))
SIDE_STEPS: Final = tuple(cents(text) for text in ("$1", "$5", "$10", "$25"))
BANK: Final = cents("$1,000,000")
"""Put up by a player-dealer, so that every wager is covered."""
DEALT: Final = 40
"""Hands dealt for one question; each kind of hand for the first side wager is equally likely."""
_WAGER: Final = re.compile(r"(\w+) (\S+)")


@dataclass(frozen=True)
class WhatIsPaid:
    """Asks what is paid on each wager of a hand: an amount, nothing where it pushes, or that it is taken."""

    rules: Rules
    player: Setting
    dealer: Setting
    wagers: tuple[tuple[str, Cents], ...]
    kind: Kind = Kind.PAYS
    spot: str = Kind.PAYS.value

    @classmethod
    def parse(cls, rules: Rules, text: str) -> WhatIsPaid:
        """Read the question from its stored text."""
        settings, _, placed = text.partition("; ")
        mine, _, theirs = settings.partition(AGAINST)
        wagers = tuple((name, cents(amount)) for name, amount in _WAGER.findall(placed.replace(",", "")))
        split = rules.ranking().split
        return cls(rules, parse_setting(mine, split), parse_setting(theirs, split), wagers)

    @property
    def text(self) -> str:
        """Both settings and the wagers."""
        placed = " ".join(f"{name} {dollars(amount)}" for name, amount in self.wagers)
        return f"{show_setting(self.player)}{AGAINST}{show_setting(self.dealer)}; {placed}"

    def meter(self) -> Meter | None:
        """Return the progressive's meter as the submission opens it, before this hand's wager is in it."""
        return opened(meter_terms(self.rules))[0] if PROGRESSIVE in dict(self.wagers) else None

    def meter_showing(self) -> Cents | None:
        """Return what the meter shows once this hand's wager is in it."""
        meter = self.meter()
        return contribute(meter, dict(self.wagers)[PROGRESSIVE])[0].showing if meter else None

    def payments(self) -> tuple[Payment, ...]:
        """Settle the hand and return every payment of its wagers."""
        cards, theirs = (tuple(chain.from_iterable(setting)) for setting in (self.player, self.dealer))
        area = Area(POSITION, Bettor(PERSON, dict(self.wagers)), cards, self.player)
        banker = Banker("the bank", BANK) if self.rules.banked else None
        action = POSITION if banker else None
        showdown = Showdown(
            self.rules, theirs, self.dealer, (area,), meter=self.meter(), banker=banker, action=action
        )
        return tuple(payment for payment in settle(showdown).payments if payment.person == PERSON)

    def paid(self) -> dict[str, Cents | None]:
        """Return what is paid on each wager besides its stake; nothing at all for one that is taken."""
        amounts: dict[str, Cents | None] = {}
        payments = self.payments()
        for wager, _ in self.wagers:
            moves = [(payment.kind, payment.units) for payment in payments if payment.wager == wager]
            won = sum(units for kind, units in moves if kind is PaymentKind.PAY) // UNITS_PER_CENT
            back = any(kind is PaymentKind.RETURN for kind, _ in moves)
            amounts[wager] = Cents(won) if won or back else None
        return amounts

    def is_right(self, text: str) -> bool:
        """Compare an amount for each wager, in their order."""
        given = text.split()
        if len(given) != len(self.wagers):
            names = ", ".join(name for name, _ in self.wagers)
            raise InvalidInputError(f"an amount or {TAKEN} for each of {names}", value=text)
        amounts = [None if amount == TAKEN else read_amount(amount) for amount in given]
        return amounts == list(self.paid().values())

    def solution(self) -> Solution:
        """Return the amounts, and the reason for what becomes of each wager."""
        answer = " ".join(TAKEN if amount is None else dollars(amount) for amount in self.paid().values())
        reasons, law = [], dict[str, None]()
        moved = (PaymentKind.PAY, PaymentKind.COLLECT, PaymentKind.RETURN)
        for wager, _ in self.wagers:
            moves = [move for move in self.payments() if move.wager == wager and move.kind in moved]
            last = max(moves, key=lambda move: move.kind is PaymentKind.PAY)
            reasons.append(f"{wager.replace('_', ' ')}: {last.reason}")
            law |= dict.fromkeys(last.clauses)
        return Solution(answer, "; ".join(reasons), tuple(law))

    def hints(self) -> Sequence[tuple[str, str]]:
        """Return what can be typed for a wager."""
        names = ", ".join(name.replace("_", " ") for name, _ in self.wagers)
        example = " ".join(("20", TAKEN, "0", TAKEN, TAKEN)[: len(self.wagers)])
        return (
            (example, f"for each of {names}: what you pay besides the stake"),
            ("0", "a push: the stake stays the player's, nothing is paid"),
            (TAKEN, "the wager is taken, or was taken before and wins nothing"),
        )


def read_amount(text: str) -> Cents:
    """Read an amount that is paid."""
    try:
        amount = cents(text)
    except HousewayError:
        raise InvalidInputError(f"an amount such as 20 or $12.50, 0, or {TAKEN}", value=text) from None
    if amount < 0:
        raise InvalidInputError("nothing is paid by a negative amount", value=text)
    return amount


def draw_payment(rules: Rules, program: CompiledWay, deck: Deck, entropy: Entropy) -> WhatIsPaid:
    """Deal a hand with every wager on offer; what pays comes oftener than it is dealt."""
    sides = [name for name in rules.side_wagers if rules.offers(name)]
    size = sum(program.split)
    hands = [deal(deck, size, entropy) for _ in range(DEALT)]
    places_by_hand: dict[str, list[int]] = {}
    for place, cards in enumerate(hands):
        places_by_hand.setdefault(hand_made(rules, sides[0], glance(cards)), []).append(place)
    name = sorted(places_by_hand)[below(len(places_by_hand), entropy)]
    mine = hands[places_by_hand[name][below(len(places_by_hand[name]), entropy)]]
    left = tuple(card for card in deck.cards if card not in mine)
    theirs = deal(Deck(left), size, entropy)
    main = MAIN_STEPS[below(len(MAIN_STEPS), entropy)]
    wagers = [(MAIN, main)]
    if rules.offers(DOUBLE_DOWN):
        wagers.append((DOUBLE_DOWN, main))
    wagers += [(name, _draw_stake(rules, name, entropy)) for name in sides]
    return WhatIsPaid(rules, decide(program, mine).setting, decide(program, theirs).setting, tuple(wagers))


def _draw_stake(rules: Rules, wager: str, entropy: Entropy) -> Cents:
    """Return the stake of a side wager: the progressive's fixed amount, else a draw within the limits."""
    progressive = rules.submission.progressive
    if wager == PROGRESSIVE and progressive is not None and progressive.amount is not None:
        return progressive.amount
    least = rules.submission.wagers[wager].min or Cents(0)
    fitting = [amount for amount in SIDE_STEPS if amount >= least]
    return fitting[below(len(fitting), entropy)]
