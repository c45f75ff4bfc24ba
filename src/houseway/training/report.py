"""The report of a history: for each spot the answers, the right ones, what was lost, and the trend."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

from houseway.training.history import LessonAnswer, LessonRole
from houseway.training.questions import Kind

ALL: Final = "all"
"""Stands for every spot together."""
LEAST_FOR_TREND: Final = 4
"""Fewer answers show no trend."""
MINUTE: Final = 60


@dataclass(frozen=True)
class SpotReport:
    """The answers of one spot; ``trend`` is how much more the later half loses than the earlier."""

    spot: str
    answers: int
    right: int
    late: int
    lost: Fraction
    seconds: float
    trend: Fraction | None

    @property
    def per_minute(self) -> float | None:
        """How many are answered in a minute at this pace."""
        return MINUTE / self.seconds if self.seconds else None

    @property
    def errors(self) -> Fraction:
        """The share of answers that were not right."""
        return 1 - Fraction(self.right, self.answers)

    def as_dict(self) -> dict[str, Any]:
        """Return it as plain data; what is lost both as a number and exactly."""
        return {
            "spot": self.spot,
            "asked": self.answers,
            "right": self.right,
            "late": self.late,
            "lost": float(self.lost),
            "lost_exact": str(self.lost),
            "trend": None if self.trend is None else float(self.trend),
            "per_minute": None if self.per_minute is None else round(self.per_minute, 2),
        }


def scored(answers: Sequence[LessonAnswer], role: LessonRole) -> list[LessonAnswer]:
    """Return the answers in a role that were given, not only shown."""
    return [answer for answer in answers if answer.role is role and not answer.shown]


def report(answers: Sequence[LessonAnswer], role: LessonRole) -> tuple[SpotReport, ...]:
    """Return a report for each spot, the greatest total loss first, and for all together last."""
    counted = scored(answers, role)
    by_spot: dict[str, list[LessonAnswer]] = {}
    for answer in counted:
        by_spot.setdefault(answer.spot, []).append(answer)
    rows = [_report_spot(spot, given) for spot, given in by_spot.items()]
    rows.sort(key=lambda row: (-row.lost * row.answers, -row.answers, row.spot))
    return (*rows, _report_spot(ALL, counted)) if counted else ()


def _report_spot(spot: str, answers: Sequence[LessonAnswer]) -> SpotReport:
    shares = [answer.share_lost for answer in answers]
    half = len(shares) // 2
    trend = mean(shares[half:]) - mean(shares[:half]) if len(shares) >= LEAST_FOR_TREND else None
    return SpotReport(
        spot,
        answers=len(answers),
        right=sum(answer.right for answer in answers),
        late=sum(answer.late for answer in answers),
        lost=mean(shares),
        seconds=sum(answer.seconds for answer in answers) / len(answers),
        trend=trend,
    )


def mean(shares: Sequence[Fraction]) -> Fraction:
    """Return the exact mean of shares, of which there is at least one."""
    return sum(shares, Fraction(0)) / len(shares)


def hands_set(answers: Sequence[LessonAnswer]) -> list[LessonAnswer]:
    """Return the answers of a dealer who set hands by the house way."""
    return [answer for answer in scored(answers, LessonRole.DEALER) if answer.kind == Kind.SET]


def running_mean(values: Sequence[float], window: int) -> list[float]:
    """Return at each place the mean of the latest ``window`` values.

    >>> running_mean([1.0, 3.0, 5.0], 2)
    [1.0, 2.0, 4.0]
    """
    means = []
    for place in range(1, len(values) + 1):
        latest = values[max(0, place - window) : place]
        means.append(sum(latest) / len(latest))
    return means
