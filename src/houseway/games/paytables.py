"""Paytables and envy tables: which hand pays what, by which clause."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from enum import StrEnum
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Literal, TypeVar

from pydantic import (
    AfterValidator,
    BeforeValidator,
    Field,
    PlainValidator,
    Strict,
    ValidationInfo,
    field_validator,
)

from houseway.errors import DataError
from houseway.games.hands import HAND_NAMES
from houseway.law.citations import UNCITED, Cite, Cites
from houseway.law.clauses import KnownCite, KnownCites
from houseway.law.documents import Document, Flag, read_document
from houseway.law.problems import Problem
from houseway.money import PERCENT, Basis, Cents, Odds, cents, dollars


def _percent(data: object) -> object:
    if isinstance(data, Fraction):
        return data
    if isinstance(data, str) and PERCENT.fullmatch(data):
        return Fraction(data[:-1]) / 100
    raise DataError("not a percentage such as 21%", value=data)


def _dollars(data: object, info: ValidationInfo) -> object:
    """Read an amount; a document must write it as dollars, so that no one's 5 becomes five cents."""
    from_document = bool(info.context and info.context.get("document"))
    if isinstance(data, str):
        amount = cents(data)
    elif isinstance(data, int) and not isinstance(data, bool) and not from_document:
        amount = Cents(data)
    else:
        raise DataError('not an amount such as "$5"', value=data)
    if amount < 0:
        raise DataError("an amount is not below nothing", value=data)
    return amount


def _payoff(data: object) -> object:
    if isinstance(data, Odds):
        return data
    if isinstance(data, str):
        return Odds.parse(data)
    raise DataError('not odds such as "25 to 1"', value=data)


def _share(fraction: Fraction) -> Fraction:
    if not 0 <= fraction <= 1:
        raise DataError("not between 0% and 100%", value=f"{float(fraction * 100):g}%")
    return fraction


Dollars = Annotated[Cents, PlainValidator(_dollars)]
Percent = Annotated[Fraction, BeforeValidator(_percent)]
Share = Annotated[Percent, AfterValidator(_share)]
Payoff = Annotated[Odds, BeforeValidator(_payoff)]


class AwardSource(StrEnum):
    """Where a fixed progressive award is paid from."""

    TRAY = "tray"
    METER = "meter"


def _known_hand(hand: str) -> str:
    if hand not in HAND_NAMES:
        raise DataError("no such hand", value=hand)
    return hand


HandName = Annotated[str, AfterValidator(_known_hand)]


def _one_or_more(data: object) -> object:
    return (data,) if isinstance(data, str) else data


class _Line(Document):
    hand: HandName
    clause: Annotated[KnownCites, BeforeValidator(_one_or_more)] = UNCITED

    @property
    def in_force(self) -> bool:
        """Whether every clause behind the line is in force."""
        return self.clause.stands

    @property
    def clauses(self) -> Cites:
        """The clauses behind the line."""
        return self.clause


class Line(_Line):
    """One line of a paytable."""

    pays: Payoff
    source: AwardSource = AwardSource.TRAY

    def worth(self) -> tuple[bool, Fraction]:
        """Return what lines are compared by: a share of the meter, or what comes back of a wager of one."""
        back = self.pays.basis in (Basis.TO, Basis.PUSH)
        return self.pays.basis is Basis.METER, self.pays.ratio + back


class EnvyLine(_Line):
    """One line of an envy table: a fixed sum, never scaled by the wager."""

    pays: Dollars


class Paytable(Document):
    """What each winning hand of one wager pays, the best-paying first."""

    id: str
    wager: str = "main"
    name: str = ""
    clauses: KnownCites = UNCITED
    example: Flag = False
    joker: Literal["semi", "full"] = "semi"
    deducts: Literal["all", "percentage"] = "percentage"
    seed: Dollars | None = None
    contribution: Share | None = None
    lines: tuple[Line, ...] = Field(min_length=1)
    otherwise: KnownCite | None = None

    @field_validator("lines")
    @classmethod
    def _each_hand_once(cls, lines: tuple[Line, ...]) -> tuple[Line, ...]:
        return refuse_repeats(lines)

    def line(self, hand: str) -> Line:
        """Return the line that decides a hand: its own, or the one by which every other hand loses."""
        own = next((x for x in self.lines if x.hand == hand and x.in_force), None)
        if own is not None:
            return own
        return Line(hand=hand, pays=Odds.parse(Basis.LOSE), clause=_resting_on(self.otherwise))

    def shown_lines(self) -> tuple[Line, ...]:
        """Return the winning lines in force, for a page or a sign."""
        return tuple(x for x in winning_lines(self.lines) if x.in_force)

    @property
    def hands_by_pay(self) -> tuple[str, ...]:
        """The hands of its lines, the best-paying first; what pays alike stays in order."""
        return tuple(line.hand for line in sorted(self.lines, key=Line.worth, reverse=True))

    @property
    def best_ratio(self) -> Fraction:
        """The most that one unit of wager can win."""
        won = {Basis.TO: 0, Basis.FOR: 1}
        return max(x.pays.ratio - won[x.pays.basis] for x in self.lines if x.pays.basis in won)

    def inexact_on(self, stake: Cents) -> Line | None:
        """Return a line that pays part of a cent on a stake, if one does."""
        fixed = (line for line in self.lines if line.pays.basis in (Basis.TO, Basis.FOR))
        return next((line for line in fixed if (stake * line.pays.ratio).denominator > 1), None)

    @property
    def largest_fixed_for_one(self) -> Fraction:
        """The largest award on one unit of wager that is no share of the meter."""
        return max(
            (x.pays.ratio for x in self.lines if x.pays.basis in (Basis.TO, Basis.FOR)),
            default=Fraction(0),
        )


class EnvyTable(Document):
    """What a qualifying wager earns from another player's hand."""

    wager: str
    paytable: str | None = None
    stake: Dollars | None = None
    lines: tuple[EnvyLine, ...] = Field(min_length=1)
    otherwise: KnownCite | None = None

    @field_validator("lines")
    @classmethod
    def _each_hand_once(cls, lines: tuple[EnvyLine, ...]) -> tuple[EnvyLine, ...]:
        return refuse_repeats(lines)

    def line(self, hand: str) -> EnvyLine:
        """Return the line that decides a hand: its own, or the one by which the others earn nothing."""
        own = next((x for x in self.lines if x.hand == hand and x.in_force), None)
        if own is not None:
            return own
        return EnvyLine(hand=hand, pays=Cents(0), clause=_resting_on(self.otherwise))

    def shown_lines(self) -> tuple[EnvyLine, ...]:
        """Return the lines in force, for a page or a sign."""
        return tuple(x for x in self.lines if x.in_force)


class OwnPaytable(Document):
    """An operator's own paytable: fit for odds work; for a table only where the law lets them post it."""

    name: str
    wager: str
    version: str
    effective: Annotated[datetime, Strict()]
    joker: Literal["semi", "full"] = "semi"
    deducts: Literal["all", "percentage"] = "percentage"
    seed: Dollars | None = None
    contribution: Share | None = None
    lines: tuple[Line, ...] = Field(min_length=1)
    envy: tuple[EnvyLine, ...] = ()

    @field_validator("lines")
    @classmethod
    def _each_hand_once(cls, lines: tuple[Line, ...]) -> tuple[Line, ...]:
        return refuse_repeats(lines)

    @field_validator("envy")
    @classmethod
    def _each_envy_once(cls, lines: tuple[EnvyLine, ...]) -> tuple[EnvyLine, ...]:
        return refuse_repeats(lines)

    def as_paytable(self) -> Paytable:
        """Return it as a paytable, named by its version."""
        return Paytable(
            id=f"own {self.version}",
            wager=self.wager,
            name=self.name,
            joker=self.joker,
            deducts=self.deducts,
            seed=self.seed,
            contribution=self.contribution,
            lines=self.lines,
        )

    def as_envy_table(self) -> EnvyTable | None:
        """Return its envy column, if it has one."""
        return EnvyTable(wager=self.wager, lines=self.envy) if self.envy else None


def read_own_paytable(path: Path) -> OwnPaytable:
    """Read an operator's paytable file."""
    return read_document(OwnPaytable, path)


def winning_lines(lines: Sequence[Line]) -> tuple[Line, ...]:
    """Return the lines that pay or give back something."""
    return tuple(line for line in lines if line.pays.basis is not Basis.LOSE)


def _resting_on(clause: Cite | None) -> Cites:
    law = clause.cites if clause is not None else UNCITED
    law.require()
    return law


L = TypeVar("L", bound=_Line)


def refuse_repeats(lines: tuple[L, ...]) -> tuple[L, ...]:
    """Refuse a table that names a hand twice."""
    names = [line.hand for line in lines]
    for name in names:
        if names.count(name) > 1:
            raise DataError("hand given twice", value=name)
    return lines


def compare_lines(listed: Sequence[Line], printed: Sequence[Line], field: str) -> list[Problem]:
    """Return how a printed table differs from the listed one, hand by hand."""
    return _differences(
        {x.hand: str(x.pays) for x in winning_lines(listed)},
        {x.hand: str(x.pays) for x in winning_lines(printed)},
        field,
    )


def compare_envy(listed: Sequence[EnvyLine], printed: Sequence[EnvyLine], field: str) -> list[Problem]:
    """Return how a printed envy table differs from the listed one, hand by hand."""
    return _differences(
        {x.hand: dollars(x.pays) for x in listed}, {x.hand: dollars(x.pays) for x in printed}, field
    )


def _differences(listed: dict[str, str], printed: dict[str, str], field: str) -> list[Problem]:
    hands = dict.fromkeys([*listed, *printed])
    return [
        Problem(field, f"{hand} pays {listed.get(hand, 'nothing')}", printed.get(hand, "nothing"))
        for hand in hands
        if listed.get(hand) != printed.get(hand)
    ]
