"""Progressive meter arithmetic: seed, contribution, reserve, limit and pays."""

from houseway.meters.meter import (
    Meter,
    MeterMove,
    MeterState,
    MeterTerms,
    Reseeds,
    adjust,
    award_fixed,
    award_share,
    contribute,
    leaves_seed,
    opened,
    reseed,
    reverse_contribution,
    share_of,
)

__all__ = [
    "Meter",
    "MeterMove",
    "MeterState",
    "MeterTerms",
    "Reseeds",
    "adjust",
    "award_fixed",
    "award_share",
    "contribute",
    "leaves_seed",
    "opened",
    "reseed",
    "reverse_contribution",
    "share_of",
]
