"""Which reports cash and winnings make due, by cited thresholds that are compared to the cent."""

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
    """The kind of amount that a threshold applies to."""

    CASH_IN = "cash_in"
    CASH_OUT = "cash_out"
    WINNINGS = "winnings"


class Per(StrEnum):
    """The period over which amounts are summed before they are compared."""

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
    """The amount from which a report is due, the period it is summed over, and its source."""

    id: str
    report: str
    counts: ThresholdKind
    per: Per
    since: date
    source: str
    more_than: Cents | None = None
    at_least: Cents | None = None
    times: int = 0
    """The winnings must also be at least this many times the wager."""
    until: date | None = None
    """The first day on which it is no longer in force."""
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
        """Whether an amount is above the threshold, or equal to it for an ``at_least`` threshold."""
        if self.more_than is not None:
            return amount > self.more_than
        return self.at_least is not None and amount >= self.at_least


class ReportDue(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A report that is due: the threshold, the person, the amount and the source."""

    threshold: str
    report: str
    person: PersonId
    amount: Cents
    """The sum that reached the threshold."""
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
    """Return the reports that an amount makes due; a day's sum only when it first reaches the threshold.

    ``before`` is the person's earlier sum of the same kind in the gaming day, ``wager`` the stake.
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
    """What a person won on a wager, beyond the wager itself."""

    person: PersonId
    position: int
    wager: str
    won: Cents
    staked: Cents


def awards_of(table: Table, event: AnEvent) -> tuple[Award, ...]:
    """Return what an event at ``table`` paid beyond the wagers."""
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
        staked = _stake_of(table.round.hands.get(position), person, wager)
        won = Cents(amount // UNITS_PER_CENT - staked)
        if won > 0:
            awards.append(Award(person=person, position=position, wager=wager, won=won, staked=staked))
    return tuple(awards)


def _stake_of(hand: Hand | None, person: PersonId, wager: str) -> Cents:
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
