"""Which reports cash and winnings make due: amounts from cited configuration, compared to the cent."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from enum import StrEnum

from msgspec import Struct

from houseway.errors import InvalidInputError
from houseway.ledger import CAGE, UNITS_PER_CENT, AccountKind
from houseway.money import Cents
from houseway.rounds.outcomes import Moves
from houseway.rounds.state import Hand, PersonId, Table
from houseway.rounds.step import AnEvent
from houseway.settlement import PaymentKind


class ThresholdKind(StrEnum):
    """What a threshold looks at."""

    CASH_IN = "cash_in"
    CASH_OUT = "cash_out"
    WINNINGS = "winnings"


class Per(StrEnum):
    """What is added up before it is compared."""

    TRANSACTION = "transaction"
    GAMING_DAY = "gaming_day"


class Threshold(
    Struct,
    frozen=True,
    forbid_unknown_fields=True,
    omit_defaults=True,
    kw_only=True,
    rename={"since": "from"},
):
    """From which amount on a report is due, in which period, and who says so."""

    id: str
    report: str
    counts: ThresholdKind
    per: Per
    since: date
    source: str
    more_than: Cents | None = None
    at_least: Cents | None = None
    times: int = 0
    """The winnings are also at least so many times the wager."""
    until: date | None = None
    """The first day on which it holds no more."""
    note: str = ""

    def __post_init__(self) -> None:
        if (self.more_than is None) is (self.at_least is None):
            raise InvalidInputError(
                "a threshold is either more than an amount or at least one", value=self.id
            )
        if not self.source.strip():
            raise InvalidInputError("a threshold names its source", value=self.id)
        if self.until is not None and self.until <= self.since:
            raise InvalidInputError("a threshold ends after it begins", value=self.id)

    def holds_on(self, day: date) -> bool:
        """Whether it is in force on a day."""
        return self.since <= day and (self.until is None or day < self.until)

    def reached_by(self, amount: int) -> bool:
        """Whether an amount is over the threshold, or on it where that is enough."""
        if self.more_than is not None:
            return amount > self.more_than
        return self.at_least is not None and amount >= self.at_least


class ReportDue(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A report that somebody has to make, about whom, for which amount, and by which source."""

    threshold: str
    report: str
    person: PersonId
    amount: Cents
    """What was added up."""
    source: str


def reports_due(
    thresholds: Iterable[Threshold],
    day: date,
    counted: ThresholdKind,
    person: PersonId,
    amount: Cents,
    *,
    before: int = 0,
    wager: int = 0,
) -> tuple[ReportDue, ...]:
    """Return the reports that an amount makes due: cash of a day only when its sum first gets there.

    ``before`` is what the person has had of the same kind in the gaming day, ``wager`` what was staked.
    """
    due = []
    for threshold in thresholds:
        if threshold.counts is not counted or not threshold.holds_on(day):
            continue
        earlier = before if threshold.per is Per.GAMING_DAY else 0
        total = Cents(earlier + amount)
        made_already = earlier > 0 and threshold.reached_by(earlier)
        if threshold.reached_by(total) and not made_already and amount >= threshold.times * wager:
            due.append(
                ReportDue(
                    threshold=threshold.id,
                    report=threshold.report,
                    person=person,
                    amount=total,
                    source=threshold.source,
                )
            )
    return tuple(due)


# --- what a round pays ----------------------------------------------------------------------------------

_PAID = (PaymentKind.PAY, PaymentKind.ENVY, PaymentKind.RETURN)


class Award(Struct, frozen=True, kw_only=True):
    """What somebody won on a wager beyond the wager itself."""

    person: PersonId
    position: int
    wager: str
    won: Cents
    staked: Cents


def awards_of(table: Table, event: AnEvent) -> tuple[Award, ...]:
    """Return what an event paid beyond the wagers; ``table`` is the one it happened at."""
    if not isinstance(event.outcome, Moves):
        return ()
    paid: dict[tuple[PersonId, int, str], int] = {}
    for payment in event.outcome.payments:
        if payment.kind in _PAID and payment.to.kind is AccountKind.PLAYER:
            place = (payment.to.name, payment.position, payment.wager)
            paid[place] = paid.get(place, 0) + payment.units
        elif payment.kind is PaymentKind.REVERSAL and payment.to == CAGE:  # it was paid by hand before
            place = (payment.source.name, payment.position, payment.wager)
            paid[place] = paid.get(place, 0) - payment.units
    awards = []
    for (person, position, wager), amount in paid.items():
        staked = _staked(table.round.hands.get(position), person, wager)
        won = Cents(amount // UNITS_PER_CENT - staked)
        if won > 0:
            awards.append(Award(person=person, position=position, wager=wager, won=won, staked=staked))
    return tuple(awards)


def _staked(hand: Hand | None, person: PersonId, wager: str) -> Cents:
    if hand is None:
        return Cents(0)
    if hand.person == person:
        return hand.wagers.get(wager, Cents(0))
    return next((bettor.amount(wager) for bettor in hand.behind if bettor.person == person), Cents(0))


def award_reports(
    thresholds: Iterable[Threshold], day: date, table: Table, event: AnEvent
) -> tuple[ReportDue, ...]:
    """Return the reports that the payments of an event make due."""
    rows = tuple(thresholds)
    return tuple(
        report
        for award in awards_of(table, event)
        for report in reports_due(
            rows, day, ThresholdKind.WINNINGS, award.person, award.won, wager=award.staked
        )
    )
