"""A person's weak spots, from what they lost there lately, and the questions that come back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from operator import itemgetter
from typing import Final, TypeVar

from houseway.errors import InvalidInputError
from houseway.rng import Entropy, below
from houseway.training.history import LessonAnswer, LessonRole

T = TypeVar("T")
RECENT: Final = 20
"""How many of a spot's latest answers count: what was bad once may be good by now."""
PULL: Final = 4
"""How many average answers are added to those of each spot."""
EXPECTED: Final = {LessonRole.PLAYER: Fraction(1, 100), LessonRole.DEALER: Fraction(1, 4)}
"""What an unknown person loses for each answer."""
LEAST: Final = Fraction(1, 4)
"""However good a person is in a spot, it keeps this part of its share."""
SOONEST, LATEST = 5, 10
"""After how many other questions a failed one comes back."""
_FINENESS: Final = 1_000_000


@dataclass(frozen=True)
class WeakSpots:
    """The loss in each spot as a multiple of the average; 1 where nothing is known."""

    ratios: dict[str, Fraction]

    @classmethod
    def of(cls, answers: Sequence[LessonAnswer], role: LessonRole) -> WeakSpots:
        """Return the weak spots of a person in a role; answers that were only shown do not count."""
        counted = [answer for answer in answers if answer.role is role and not answer.shown]
        by_spot: dict[str, list[Fraction]] = {}
        for answer in reversed(counted):
            shares = by_spot.setdefault(answer.spot, [])
            if len(shares) < RECENT:
                shares.append(answer.share_lost)
        lost = [share for shares in by_spot.values() for share in shares]
        mean = (sum(lost) + PULL * EXPECTED[role]) / (len(lost) + PULL)
        return cls(
            {
                spot: max(LEAST, (sum(shares) + PULL * mean) / (len(shares) + PULL) / mean)
                for spot, shares in by_spot.items()
            }
        )

    def __getitem__(self, spot: str) -> Fraction:
        return self.ratios.get(spot, Fraction(1))


def draw(choices: Sequence[T], weights: Sequence[Fraction], entropy: Entropy) -> T:
    """Return one of several choices, drawn by weights of which none counts less than a millionth."""
    if not choices or len(choices) != len(weights):
        raise InvalidInputError("a draw needs a weight for each choice", value=len(weights))
    whole = [max(1, int(weight * _FINENESS)) for weight in weights]
    at = below(sum(whole), entropy)
    for choice, share in zip(choices, whole, strict=True):
        if at < share:
            return choice
        at -= share
    raise AssertionError("a draw beyond the sum of the weights")


def failed_question(
    answers: Sequence[LessonAnswer], role: LessonRole, entropy: Entropy, only: str | None = None
) -> LessonAnswer | None:
    """Return a failed question that comes back now, the oldest first, or None as usual.

    The chance rises from the fifth question after it to the tenth, when it is certain. A question that
    was answered rightly since then does not come back.
    """
    earlier = [answer for answer in answers if answer.role is role]
    latest = {(answer.kind, answer.asked): (place, answer) for place, answer in enumerate(earlier)}
    for place, answer in sorted(latest.values(), key=itemgetter(0)):
        others = len(earlier) - 1 - place
        if answer.right or others < SOONEST or only not in (None, answer.spot, answer.kind):
            continue
        if below(LATEST - SOONEST + 1, entropy) <= others - SOONEST:
            return answer
    return None
