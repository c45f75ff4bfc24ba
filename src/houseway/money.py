"""Money in whole cents, and odds that are exact.

"25 to 1" leaves the stake out, "500 for 1" has it in; "10% of meter" is a share of a jackpot;
"push" gives the stake back, "lose" nothing. Nothing here rounds unless the caller says how.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import Final

from houseway.errors import InvalidInputError


class Cents(int):
    """An amount of money; an ``int`` whose type says what it counts."""

    __slots__ = ()


_WHOLE: Final = r"\d{1,3}(?:,\d{3})+|\d+"
_MONEY: Final = re.compile(rf"(-)?\$?({_WHOLE})(?:\.(\d{{1,2}}))?", re.A)
_ODDS: Final = re.compile(rf"({_WHOLE}) (to|for) ({_WHOLE})", re.A)
_SHARE: Final = re.compile(r"(\d{1,12}(?:\.\d{1,12})?)% of meter", re.A)
PERCENT: Final = re.compile(r"-?\d{1,12}(\.\d{1,12})?%", re.A)
"""A percentage, of no more digits than anyone writes."""


class MoneyError(InvalidInputError):
    """An amount or odds that cannot be read."""


class InexactPaymentError(InvalidInputError):
    """Odds that would need a part of a cent."""


_MOST_DIGITS: Final = 100
"""With its commas, no number of dollars or of odds is longer."""


def cents(text: str) -> Cents:
    """Read an amount of dollars.

    >>> cents("$1,000.50"), cents("5"), cents("-0.25")
    (100050, 500, -25)
    """
    match = _MONEY.fullmatch(text.strip())
    if match is None:
        raise MoneyError("not an amount of dollars and cents", value=text)
    sign, whole, part = match.groups()
    amount = _whole(whole) * 100 + int((part or "0").ljust(2, "0"))
    return Cents(-amount if sign else amount)


def _whole(text: str) -> int:
    """Read a whole number, with or without commas."""
    if len(text) > _MOST_DIGITS:
        raise MoneyError("a number has too many digits", value=text)
    return int(text.replace(",", ""))


def dollars(amount: int) -> str:
    """Write an amount of cents.

    >>> dollars(100050), dollars(500), dollars(-25)
    ('$1,000.50', '$5', '-$0.25')
    """
    sign = "-" if amount < 0 else ""
    whole, part = divmod(abs(amount), 100)
    return f"{sign}${whole:,}" + (f".{part:02d}" if part else "")


class Basis(StrEnum):
    """What the figure of the odds counts."""

    TO = "to"  # winnings, the stake comes back besides
    FOR = "for"  # everything returned, the stake included
    METER = "meter"  # a share of the progressive meter
    PUSH = "push"  # the stake and nothing else
    LOSE = "lose"  # nothing


@dataclass(frozen=True)
class Odds:
    """What one winning line pays.

    >>> Odds.parse("25 to 1").returned(Cents(500)), Odds.parse("500 for 1").returned(Cents(100))
    (13000, 50000)
    >>> Odds.parse("push").won(Cents(500)), str(Odds.parse("8000 to 1"))
    (0, '8,000 to 1')
    """

    basis: Basis
    ratio: Fraction
    text: str

    @classmethod
    def parse(cls, text: str) -> Odds:
        """Read odds as a layout prints them."""
        plain = text.strip()
        if plain in (Basis.PUSH, Basis.LOSE):
            return cls(Basis(plain), Fraction(0), plain)
        if match := _SHARE.fullmatch(plain):
            share = Fraction(match[1]) / 100
            if not 0 < share <= 1:
                raise MoneyError("a share of the meter is more than 0% and at most 100%", value=text)
            return cls(Basis.METER, share, plain)
        if match := _ODDS.fullmatch(plain):
            above, below = (_whole(match[i]) for i in (1, 3))
            if above and below:
                basis = Basis(match[2])
                return cls(basis, Fraction(above, below), f"{above:,} {basis} {below:,}")
        raise MoneyError('not odds such as "25 to 1", "500 for 1", "10% of meter", "push"', value=text)

    def returned(self, stake: Cents) -> Cents:
        """Return everything that goes to the player: winnings, and the stake where it comes back."""
        if self.basis is Basis.METER:
            raise MoneyError("a share of the meter does not depend on the stake", value=self.text)
        above, below = self.ratio.numerator, self.ratio.denominator
        if self.basis in (Basis.TO, Basis.PUSH):
            above += below
        whole, part = divmod(stake * above, below)
        if part:
            raise InexactPaymentError(f"{self} needs part of a cent on this stake", value=dollars(stake))
        return Cents(whole)

    def won(self, stake: Cents) -> Cents:
        """Return the net gain on a stake."""
        return Cents(self.returned(stake) - stake)

    def share(self, meter: int) -> Fraction:
        """Return the exact share of a meter; the payer decides how it is rounded."""
        if self.basis is not Basis.METER:
            raise MoneyError("these odds are paid on the stake", value=self.text)
        return self.ratio * meter

    def __str__(self) -> str:
        return self.text
