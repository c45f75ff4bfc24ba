"""A person's weak spots, from what they lost there lately, and the questions that come back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from operator import itemgetter
from typing import Final, TypeVar

from houseway.errors import InvalidInputError
from houseway.rng import Entropy, below
from houseway.training.history import Answer, Role

T = TypeVar("T")
RECENT: Final = 20
"""So many of a spot's latest answers count: what was bad once may be good by now."""
PULL: Final = 4
"""A spot counts as if so many average answers had been given there."""
EXPECTED: Final = {Role.PLAYER: Fraction(1, 100), Role.DEALER: Fraction(1, 4)}
"""What somebody loses for each answer, as far as nothing is known of them."""
LEAST: Final = Fraction(1, 4)
"""However good somebody is in a spot, it keeps this part of its share."""
SOONEST, LATEST = 5, 10
"""A failed question comes back after so many others."""
_FINENESS: Final = 1_000_000


@dataclass(frozen=True)
class WeakSpots:
    """How much more, or less, each spot is lost than an average one; one where nothing is known."""

    ratios: dict[str, Fraction]

    @classmethod
    def of(cls, answers: Sequence[Answer], role: Role) -> WeakSpots:
        """Find the weak spots of a person in a role; answers that were only shown count for nothing."""
        counted = [one for one in answers if one.role is role and not one.shown]
        by_spot: dict[str, list[Fraction]] = {}
        for one in reversed(counted):
            found = by_spot.setdefault(one.spot, [])
            if len(found) < RECENT:
                found.append(one.share_lost)
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


def drawn(choices: Sequence[T], weights: Sequence[Fraction], entropy: Entropy) -> T:
    """Draw one of several by weight, to a millionth of the unit; none has less than that."""
    if not choices or len(choices) != len(weights):
        raise InvalidInputError("a draw needs a weight for each choice", value=len(weights))
    whole = [max(1, int(weight * _FINENESS)) for weight in weights]
    at = below(sum(whole), entropy)
    for choice, share in zip(choices, whole, strict=True):
        if at < share:
            return choice
        at -= share
    raise AssertionError("a draw beyond the sum of the weights")


def returning(
    answers: Sequence[Answer], role: Role, entropy: Entropy, only: str | None = None
) -> Answer | None:
    """Return a question that was failed and comes back now, the longest ago first; usually there is none.

    The chance rises from the fifth question after it to the tenth, when it is certain. What was answered
    rightly since then rests.
    """
    asked = [one for one in answers if one.role is role]
    last = {(one.kind, one.asked): (place, one) for place, one in enumerate(asked)}
    for place, one in sorted(last.values(), key=itemgetter(0)):
        others = len(asked) - 1 - place
        if one.right or others < SOONEST or only not in (None, one.spot, one.kind):
            continue
        if below(LATEST - SOONEST + 1, entropy) <= others - SOONEST:
            return one
    return None
