"""Exact odds: counts over every hand, and what follows from them. Fractions until they are printed."""

from houseway.odds.sides import SideOdds, published_checks, side_odds

__all__ = ["SideOdds", "published_checks", "side_odds"]
