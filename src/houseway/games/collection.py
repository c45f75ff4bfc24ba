"""California's collection schedules: flat fees by band, taken before any card is dealt.

An amount that no band covers has no rate, and a fee without a posted rate is never charged: the
wager or the round is refused.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping
from enum import StrEnum
from functools import cache, cached_property
from itertools import pairwise
from pathlib import Path
from typing import Final

from pydantic import Field, model_validator

from houseway.errors import DataError, IllegalError, UnknownNameError
from houseway.games.paytables import Dollars
from houseway.law.citations import Cite, join_cites
from houseway.law.clauses import KnownCite
from houseway.law.documents import Document, as_document, read_document
from houseway.law.problems import Problem
from houseway.money import Cents, dollars

_FOLDER: Final = Path(__file__).parent / "data" / "ca-fpgp"
_WHOLE: Final = 100


class FeeBasis(StrEnum):
    """What a fee is counted on."""

    PLAYER_PER_SPOT = "player_per_spot"
    PLAYER_SUM = "player_sum"
    PLAYER_DEALER = "player_dealer"


class NoRateError(IllegalError):
    """No posted rate covers this amount."""


class Band(Document):
    """A flat fee for every whole-dollar amount from ``low`` to ``high``; open above if ``high`` is none."""

    basis: FeeBasis
    low: Dollars
    high: Dollars | None
    fee: Dollars
    note: str = ""

    def covers(self, amount: Cents) -> bool:
        """Whether the amount lies in the band."""
        return self.low <= amount and (self.high is None or amount <= self.high)


class Group(Document):
    """Schedules that share one paragraph of the rules, and its clauses."""

    first: int
    last: int
    under_review: bool
    player_fee: KnownCite
    player_dealer_fee: KnownCite
    total_action: KnownCite
    bonus_any_size: KnownCite
    bonus_in_limits: KnownCite
    predetermined: KnownCite
    posted: KnownCite
    flat_rates: KnownCite
    table_limit: KnownCite
    max_rates: int
    max_rates_clause: KnownCite
    no_percentage: KnownCite


class Schedule(Document):
    """One schedule: the table limit and its bands."""

    number: int
    clause: KnownCite
    table_min: Dollars
    table_max: Dollars
    bands: tuple[Band, ...] = Field(min_length=1)
    group: Group

    @model_validator(mode="after")
    def _lawful(self) -> Schedule:
        for basis in FeeBasis:
            bands = self.bands_of(basis)
            if len(bands) > self.group.max_rates and self.group.max_rates_clause.stands:
                raise DataError(f"at most {self.group.max_rates} rates per table limit", value=len(bands))
            for lower, upper in pairwise(bands):
                if lower.high is None or lower.high >= upper.low:
                    raise DataError("bands overlap or are out of order", value=dollars(upper.low))
        return self

    def bands_of(self, basis: FeeBasis) -> tuple[Band, ...]:
        """Return the bands counted on one basis, lowest first."""
        return self._by_basis[basis]

    @cached_property
    def _by_basis(self) -> dict[FeeBasis, tuple[Band, ...]]:
        return {basis: tuple(band for band in self.bands if band.basis is basis) for basis in FeeBasis}

    def rate(self, basis: FeeBasis, amount: Cents) -> Cents:
        """Return the posted fee for an amount; refuse one that no band covers."""
        if amount % _WHOLE:
            cause, law = "bands are in whole dollars", join_cites(self.group.flat_rates, self.clause)
            raise NoRateError(cause, value=dollars(amount), clauses=law, where=self._name)
        self.clause.require()
        self.group.flat_rates.require()
        for band in self.bands_of(basis):
            if band.covers(amount):
                return band.fee
        raise NoRateError(
            f"no posted {basis.replace('_', ' ')} rate covers this amount",
            value=dollars(amount),
            clauses=self.clause.cites,
            where=self._name,
        )

    def player_dealer_fee(self, wagers: Iterable[Cents]) -> Cents:
        """Return the player-dealer's fee: by the sum of all players' game and bonus wagers."""
        self.group.player_dealer_fee.require()
        self.group.total_action.require()
        return self.rate(FeeBasis.PLAYER_DEALER, Cents(sum(wagers)))

    def player_fee(self, spots: Iterable[Cents]) -> Cents:
        """Return one player's fee for their game and bonus wagers, nothing where players pay nothing."""
        self.group.player_fee.require()
        placed = [spot for spot in spots if spot]
        if self._player_basis is FeeBasis.PLAYER_PER_SPOT:
            return Cents(sum(self.rate(FeeBasis.PLAYER_PER_SPOT, spot) for spot in placed))
        if self._player_basis is FeeBasis.PLAYER_SUM:
            return self.rate(FeeBasis.PLAYER_SUM, Cents(sum(placed)))
        return Cents(0)

    @cached_property
    def _player_basis(self) -> FeeBasis | None:
        """What a player's fee is counted on, if players pay one."""
        both = (FeeBasis.PLAYER_PER_SPOT, FeeBasis.PLAYER_SUM)
        return next((basis for basis in both if self.bands_of(basis)), None)

    def verify_spot(
        self, game: Cents, bonus: Cents, *, posted: bool = True, apart: bool = False
    ) -> tuple[Problem, ...]:
        """Return what the schedule has against one player's game and bonus wagers.

        ``posted`` asks for a printed rate; by one reading a wager without one is taken without a fee.
        ``apart`` asks for one on each wager where by another reading they are not added.
        """
        problems = [*self._limit("main", game, self.group.table_limit)]
        if bonus:
            problems += self._limit("fortune", bonus, self.group.bonus_in_limits)
            problems += self._limit("fortune", bonus, self.group.table_limit)
            if not self.group.bonus_any_size.stands and bonus != game:
                problems.append(Problem("fortune", "must equal the game wager", dollars(bonus)))
        placed = {"main": game, "fortune": bonus}
        problems += [problem for name, amount in placed.items() for problem in self._whole(name, amount)]
        if posted and not problems:
            problems += self._rate_problems(placed, apart=apart)
        return tuple(problems)

    def _rate_problems(self, placed: Mapping[str, Cents], *, apart: bool) -> list[Problem]:
        """Return the wagers, or their sum, that no posted rate covers."""
        singly = apart or bool(self.bands_of(FeeBasis.PLAYER_PER_SPOT))
        charged = {name: [amount] for name, amount in placed.items() if amount}
        problems = []
        for name, spots in (charged if singly else {"main": [*placed.values()]}).items():
            try:
                self.player_fee(spots)
            except NoRateError as error:
                problems.append(Problem(name, f"no fee is posted for {error.value}", None, error.clauses))
        return problems

    def _whole(self, wager: str, amount: Cents) -> list[Problem]:
        """Between whole dollars no rate is posted (reading ca:S7)."""
        if not amount % _WHOLE or not self.group.flat_rates.stands:
            return []
        law = join_cites(self.group.flat_rates, self.clause)
        return [Problem(wager, "whole dollars, as the rates are posted", dollars(amount), law)]

    def _limit(self, wager: str, amount: Cents, clause: Cite) -> list[Problem]:
        if self.table_min <= amount <= self.table_max or not clause.stands:
            return []
        limits = f"table limit is {dollars(self.table_min)} to {dollars(self.table_max)}"
        return [Problem(wager, limits, dollars(amount), clause.cites)]

    @property
    def _name(self) -> str:
        return f"schedule {self.number}"


class _Groups(Document):
    group: tuple[Group, ...]


@cache
def schedules() -> dict[int, Schedule]:
    """Return every schedule by number."""
    groups = read_document(_Groups, _FOLDER / "collection.toml").group
    return read_schedules(_FOLDER / "collection-bands.csv", groups)


def schedule(number: int) -> Schedule:
    """Return one schedule, or refuse."""
    if number not in schedules():
        raise UnknownNameError("there are collection schedules 1 to 43", value=number)
    return schedules()[number]


def read_schedules(path: Path, groups: tuple[Group, ...]) -> dict[int, Schedule]:
    """Read the bands of every schedule, strictly."""
    rows: dict[int, list[dict[str, str]]] = {}
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, strict=True):
            rows.setdefault(int(row["schedule"]), []).append(row)
    return {number: _schedule(number, of, groups, path.name) for number, of in rows.items()}


def check_flat(fee: str, group: Group, where: str) -> None:
    """Refuse a fee entered as a percentage of wagers or winnings."""
    if "%" in fee and group.no_percentage.stands:
        cause = "a collection fee is a flat amount, never a percentage"
        raise DataError(cause, value=fee, clauses=group.no_percentage.cites, where=where)


def _schedule(number: int, rows: list[dict[str, str]], groups: tuple[Group, ...], where: str) -> Schedule:
    (group,) = (g for g in groups if g.first <= number <= g.last)
    columns = ("basis", "low", "high", "fee", "note")
    for row in rows:
        check_flat(row["fee"], group, f"{where}: schedule {number}")
    data = {
        "number": number,
        "clause": rows[0]["clause"],
        "table_min": rows[0]["table_min"],
        "table_max": rows[0]["table_max"],
        "bands": [{name: row[name] or None for name in columns} | {"note": row["note"]} for row in rows],
        "group": group,
    }
    return as_document(Schedule, data, f"{where}: schedule {number}")
