"""A cardroom's collection as a part of wagers: flat fees by band, taken before any card is dealt."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from houseway.games import Rules, Schedule, schedules
from houseway.games.collection import Band, FeeBasis, NoRateError
from houseway.money import Cents


@dataclass(frozen=True)
class FeeEdge:
    """A band of a schedule, and its fee as a part of the least and the most amount of the band."""

    basis: FeeBasis
    low: Cents
    high: Cents | None
    fee: Cents

    @property
    def at_low(self) -> Fraction:
        """The fee as a part of the least amount of the band."""
        return Fraction(self.fee, self.low)

    @property
    def at_high(self) -> Fraction | None:
        """The fee as a part of the most; None for a band that is open above."""
        return None if self.high is None else Fraction(self.fee, self.high)

    @property
    def by_players(self) -> bool:
        """Whether a player pays it, not the player-dealer."""
        return self.basis is not FeeBasis.PLAYER_DEALER


def fee_edges(rules: Rules) -> tuple[FeeEdge, ...]:
    """Return the bands of the schedule in force: the players' fee, then the player-dealer's."""
    schedule = rules.schedule()
    if schedule is None:
        return ()
    return tuple(_edge(band) for basis in FeeBasis for band in schedule.bands_of(basis))


def _edge(band: Band) -> FeeEdge:
    return FeeEdge(band.basis, band.low, band.high, band.fee)


@dataclass(frozen=True)
class ScheduleEdges:
    """A schedule that the law prints: its fees as parts of a game wager, and of the banked action."""

    number: int
    least: Cents
    most: Cents
    in_force: bool
    player: tuple[Fraction | None, Fraction | None]
    """A player's fee as a part of the least game wager and of the most; None where no rate is posted."""
    banker: tuple[Fraction | None, Fraction | None]
    """The player-dealer's fee as a part of that action: one wager of the least, one of the most."""


def schedule_edges(rules: Rules) -> Iterator[ScheduleEdges]:
    """Yield every schedule that may be chosen, side by side; nothing where no collection is taken."""
    chosen = rules.submission.collection_schedule
    if chosen is None:
        return
    for number, schedule in schedules().items():
        least, most = schedule.table_min, schedule.table_max
        yield ScheduleEdges(
            number,
            least,
            most,
            number == chosen,
            (_player(rules, schedule, least), _player(rules, schedule, most)),
            (_banker(schedule, least), _banker(schedule, most)),
        )


def player_fee(rules: Rules, schedule: Schedule, wager: Cents) -> Cents | None:
    """Return what a player pays on a game wager alone; None where no rate is posted for it.

    One reading takes a wager without a rate without a fee.
    """
    try:
        return schedule.player_fee([wager])
    except NoRateError:
        return Cents(0) if rules.readings.get("ca_spot_without_rate") == "no_fee" else None


def _player(rules: Rules, schedule: Schedule, wager: Cents) -> Fraction | None:
    fee = player_fee(rules, schedule, wager)
    return None if fee is None else Fraction(fee, wager)


def _banker(schedule: Schedule, action: Cents) -> Fraction | None:
    try:
        return Fraction(schedule.player_dealer_fee([action]), action)
    except NoRateError:
        return None
