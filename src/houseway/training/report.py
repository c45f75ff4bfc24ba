"""What a history comes to: for each spot how much was asked, right and lost, and whether it gets better."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

from houseway.training.history import Answer, Role
from houseway.training.questions import Kind

ALL: Final = "all"
"""Stands for every spot together."""
LEAST_FOR_TREND: Final = 4
"""Of fewer answers nobody can say whether they get better."""
MINUTE: Final = 60


@dataclass(frozen=True)
class SpotReport:
    """The answers of one spot; ``trend`` is how much more the later half loses than the earlier."""

    spot: str
    asked: int
    right: int
    late: int
    lost: Fraction
    seconds: float
    trend: Fraction | None

    @property
    def per_minute(self) -> float | None:
        """How many would be answered in a minute."""
        return MINUTE / self.seconds if self.seconds else None

    @property
    def errors(self) -> Fraction:
        """The share of answers that were not right."""
        return 1 - Fraction(self.right, self.asked)

    def as_dict(self) -> dict[str, Any]:
        """Return it as plain data; what is lost both as a number and exactly."""
        return {
            "spot": self.spot,
            "asked": self.asked,
            "right": self.right,
            "late": self.late,
            "lost": float(self.lost),
            "lost_exact": str(self.lost),
            "trend": None if self.trend is None else float(self.trend),
            "per_minute": None if self.per_minute is None else round(self.per_minute, 2),
        }


def scored(answers: Sequence[Answer], role: Role) -> list[Answer]:
    """Return the answers in a role that were given, not only shown."""
    return [one for one in answers if one.role is role and not one.shown]


def report(answers: Sequence[Answer], role: Role) -> tuple[SpotReport, ...]:
    """Report every spot, that where most was lost in all first, and everything together last."""
    counted = scored(answers, role)
    by_spot: dict[str, list[Answer]] = {}
    for one in counted:
        by_spot.setdefault(one.spot, []).append(one)
    spots = [_of(spot, own) for spot, own in by_spot.items()]
    spots.sort(key=lambda one: (-one.lost * one.asked, -one.asked, one.spot))
    return (*spots, _of(ALL, counted)) if counted else ()


def _of(spot: str, answers: Sequence[Answer]) -> SpotReport:
    shares = [one.share_lost for one in answers]
    half = len(shares) // 2
    trend = mean(shares[half:]) - mean(shares[:half]) if len(shares) >= LEAST_FOR_TREND else None
    return SpotReport(
        spot,
        asked=len(answers),
        right=sum(one.right for one in answers),
        late=sum(one.late for one in answers),
        lost=mean(shares),
        seconds=sum(one.seconds for one in answers) / len(answers),
        trend=trend,
    )


def mean(shares: Sequence[Fraction]) -> Fraction:
    """Return the exact mean of shares, of which there is at least one."""
    return sum(shares, Fraction(0)) / len(shares)


def hands_set(answers: Sequence[Answer]) -> list[Answer]:
    """Return the answers of a dealer who set hands by the house way."""
    return [one for one in scored(answers, Role.DEALER) if one.kind == Kind.SET]


def running_mean(values: Sequence[float], window: int) -> list[float]:
    """Return at each place the mean of the latest so many values.

    >>> running_mean([1.0, 3.0, 5.0], 2)
    [1.0, 2.0, 4.0]
    """
    found = []
    for place in range(1, len(values) + 1):
        latest = values[max(0, place - window) : place]
        found.append(sum(latest) / len(latest))
    return found
