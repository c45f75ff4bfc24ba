"""What a dealer pays: one settled hand with its side wagers, and what becomes of each wager."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from houseway.cards import Deck, parse_setting, show_setting
from houseway.errors import HousewayError, InvalidInputError
from houseway.games import Rules
from houseway.houseways import Program, decide
from houseway.ledger import UNITS_PER_CENT
from houseway.meters import Meter, contribute, opened
from houseway.money import Cents, cents, dollars
from houseway.ranking import Setting
from houseway.ranking.picture import glance
from houseway.rng import Entropy, below
from houseway.settlement import Area, Banker, Bettor, Payment, PaymentKind, Showdown, meter_terms, settle
from houseway.settlement.model import DOUBLE_DOWN, MAIN, PROGRESSIVE
from houseway.settlement.sides import hand_made
from houseway.training.choosing import deal
from houseway.training.questions import AGAINST, Kind, Solution

TAKEN: Final = "-"
"""Typed for a wager that is taken, or was taken before and is paid nothing."""
POSITION: Final = 2
PERSON: Final = "the player"
MAIN_STEPS: Final = tuple(cents(text) for text in ("$10", "$25", "$50", "$100"))
SIDE_STEPS: Final = tuple(cents(text) for text in ("$1", "$5", "$10", "$25"))
BANK: Final = cents("$1,000,000")
"""Put up by a player-dealer, so that every wager is covered."""
DEALT: Final = 40
"""So many hands are dealt, and of what they make for the first side wager each is as likely as any other."""
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
    def again(cls, rules: Rules, asked: str) -> WhatIsPaid:
        """Ask about a hand that was asked about before."""
        settings, _, placed = asked.partition("; ")
        mine, _, theirs = settings.partition(AGAINST)
        wagers = tuple((name, cents(amount)) for name, amount in _WAGER.findall(placed.replace(",", "")))
        split = rules.ranking().split
        return cls(rules, parse_setting(mine, split), parse_setting(theirs, split), wagers)

    @property
    def asked(self) -> str:
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
        cards, theirs = (tuple(card for part in one for card in part) for one in (self.player, self.dealer))
        area = Area(POSITION, Bettor(PERSON, dict(self.wagers)), cards, self.player)
        banker = Banker("the bank", BANK) if self.rules.banked else None
        action = POSITION if banker else None
        shown = Showdown(
            self.rules, theirs, self.dealer, (area,), meter=self.meter(), banker=banker, action=action
        )
        return tuple(one for one in settle(shown).payments if one.person == PERSON)

    def paid(self) -> dict[str, Cents | None]:
        """Return what is paid on each wager besides its stake; nothing at all for one that is taken."""
        found: dict[str, Cents | None] = {}
        payments = self.payments()
        for wager, _ in self.wagers:
            own = [one for one in payments if one.wager == wager]
            won = sum(one.units for one in own if one.kind is PaymentKind.PAY) // UNITS_PER_CENT
            back = any(one.kind is PaymentKind.RETURN for one in own)
            found[wager] = Cents(won) if won or back else None
        return found

    def is_right(self, text: str) -> bool:
        """Judge an amount for each wager, in their order."""
        given = text.split()
        if len(given) != len(self.wagers):
            names = ", ".join(name for name, _ in self.wagers)
            raise InvalidInputError(f"an amount or {TAKEN} for each of {names}", value=text)
        amounts = [None if one == TAKEN else read_amount(one) for one in given]
        return amounts == list(self.paid().values())

    def solution(self) -> Solution:
        """Return the amounts, and the reason for what becomes of each wager."""
        answer = " ".join(TAKEN if one is None else dollars(one) for one in self.paid().values())
        told, law = [], dict[str, None]()
        moved = (PaymentKind.PAY, PaymentKind.COLLECT, PaymentKind.RETURN)
        for wager, _ in self.wagers:
            own = [one for one in self.payments() if one.wager == wager and one.kind in moved]
            last = max(own, key=lambda one: one.kind is PaymentKind.PAY)
            told.append(f"{wager.replace('_', ' ')}: {last.reason}")
            law |= dict.fromkeys(last.clauses)
        return Solution(answer, "; ".join(told), tuple(law))

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


def draw_payment(rules: Rules, program: Program, deck: Deck, entropy: Entropy) -> WhatIsPaid:
    """Deal a hand with every wager on offer; what pays comes oftener than it is dealt."""
    sides = [name for name in rules.side_wagers if rules.offers(name)]
    size = sum(program.split)
    hands = [deal(deck, size, entropy) for _ in range(DEALT)]
    made: dict[str, list[int]] = {}
    for place, cards in enumerate(hands):
        made.setdefault(hand_made(rules, sides[0], glance(cards)), []).append(place)
    name = sorted(made)[below(len(made), entropy)]
    mine = hands[made[name][below(len(made[name]), entropy)]]
    left = tuple(card for card in deck.cards if card not in mine)
    theirs = deal(Deck(left), size, entropy)
    main = MAIN_STEPS[below(len(MAIN_STEPS), entropy)]
    wagers = [(MAIN, main)]
    if rules.offers(DOUBLE_DOWN):
        wagers.append((DOUBLE_DOWN, main))
    wagers += [(name, _stake(rules, name, entropy)) for name in sides]
    return WhatIsPaid(rules, decide(program, mine).setting, decide(program, theirs).setting, tuple(wagers))


def _stake(rules: Rules, wager: str, entropy: Entropy) -> Cents:
    """Return what lies on a side wager: the progressive's fixed amount, else one within the limits."""
    chosen = rules.submission.progressive
    if wager == PROGRESSIVE and chosen is not None and chosen.amount is not None:
        return chosen.amount
    least = rules.submission.wagers[wager].min or Cents(0)
    fitting = [amount for amount in SIDE_STEPS if amount >= least]
    return fitting[below(len(fitting), entropy)]
