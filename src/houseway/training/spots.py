"""The spot that a hand is: how its ranks fall together, and whether it can be a straight or flush too."""

from __future__ import annotations

from typing import Final

from houseway.cards import Cards, distinct
from houseway.errors import UnknownNameError
from houseway.houseways import CompiledWay
from houseway.houseways.plain import HandJudgement, facts_about
from houseway.houseways.vocabulary import FLAGS, SHAPES, no_such

COMPLETE: Final = "-complete"
"""Ends the name of a spot whose first part can be a straight, a flush or both."""
SPOTS: Final = tuple(shape + ending for shape in SHAPES for ending in ("", COMPLETE))
"""Every spot that a player's hand can be."""
_COMPLETE_FLAG: Final = FLAGS.index("complete")


def shape_of_hand(cards: Cards) -> str:
    """Return how the ranks of a hand fall together; quick, because no part is ranked.

    >>> from houseway.cards import parse_cards
    >>> shape_of_hand(parse_cards("Ks Kh 9d 9c 5h 4s 2c"))
    'two_pair'
    """
    return SHAPES[facts_about(distinct(sorted(cards)), complete=False).shape]


def spot_of(program: CompiledWay, cards: Cards) -> str:
    """Return the spot that a hand is for a player: its shape, and whether something complete is there.

    >>> from houseway.cards import parse_cards
    >>> from houseway.houseways import compile_way, house_way
    >>> way = compile_way(house_way("pa-670a"))
    >>> spot_of(way, parse_cards("Ks Kh 9d 9c 5h 4s")), spot_of(way, parse_cards("9s 9h 8d 7c 6h 5s"))
    ('two_pair', 'pair-complete')
    """
    facts = HandJudgement(program, distinct(sorted(cards)), None).facts
    return SHAPES[facts.shape] + (COMPLETE if facts.flags[_COMPLETE_FLAG] else "")


def is_spot(program: CompiledWay, cards: Cards, spot: str) -> bool:
    """Return whether a hand is this spot; the quick shape alone rules out most hands."""
    return shape_of_hand(cards) == spot.removesuffix(COMPLETE) and spot_of(program, cards) == spot


def verify_spot(spot: str, known: tuple[str, ...] = SPOTS) -> str:
    """Return the spot, or refuse an unknown name."""
    if spot not in known:
        raise UnknownNameError(no_such("spot", spot, known), value=spot)
    return spot
