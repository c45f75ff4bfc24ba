"""Shuffles that come out with rare hands in them, so that jackpots and envy are met within a few rounds.

The order is not forced upon a table: the bytes that the shuffle draws are chosen, and everything after
them is decided, recorded and replayed as with any other bytes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from houseway.cards import Card, Cards, parse_cards
from houseway.rng import Entropy, SeededEntropy
from tests.rounds.moves import Chance, Seeded, mixed, pick

STACKS = 7
SEVEN = (
    "As Ah Ad Ac Jk 7d 3d",
    "9s 8s 7s 6s 5s 4s 3s",
    "Tc Td Th Ts 6h 4c 2c",
    "Kd Qd Jd 9d 8d 5h 2h",
    "9h 8h 7h 6h 5h Kc 2d",
)
"""Five aces, seven cards of a straight flush, four of a kind, a flush, a straight flush."""
SIX = (
    "As Ah Ad Ac Jk 2d",
    "Tc Jc Qc Kc Ac 2c",
    "5c 5d 5h 5s 8s 2h",
    "Js Ts 9s 8s 7s 2s",
)
"""Five aces, a royal flush, four of a kind, a straight flush."""
RARE: Mapping[int, tuple[str, ...]] = {6: SIX, 7: SEVEN}
"""By the number of cards in a hand; of two that share a card one is dealt."""
ONE_IN = 3
"""So often a shuffle is loaded."""


class Loaded:
    """Entropy by which the next shuffle of some cards gives a certain order; then it is a seeded one."""

    def __init__(self, cards: Sequence[Card], order: Sequence[Card], seed: str) -> None:
        self._draws: list[int] = []
        self._after = SeededEntropy(seed)
        left = list(cards)
        for last in range(len(left) - 1, 0, -1):
            other = left.index(order[last])
            left[last], left[other] = left[other], left[last]
            self._draws.append(other)

    def read(self, count: int) -> bytes:
        """Return the next draw of the shuffle, or fresh bytes once it is over."""
        if count == 1 and self._draws:
            return bytes([self._draws.pop(0)])
        return self._after.read(count)


def some_order(cards: Sequence[Card], size: int, chance: Chance, *, singly: bool) -> Cards:
    """Return the cards in an order by which one to three of seven hands are rare ones."""
    hands: list[list[Card]] = []
    for _ in range(1 + chance.below(3)):
        hand = list(parse_cards(pick(chance, RARE[size])))
        if not any(card in other for card in hand for other in hands):
            hands.append(mixed(chance, hand))
    rest = mixed(chance, [card for card in cards if not any(card in hand for hand in hands)])
    while len(hands) < STACKS:
        hands.insert(chance.below(len(hands) + 1), rest[:size])
        del rest[:size]
    if singly:
        return (*(hand[turn] for turn in range(size) for hand in hands), *rest)
    return (*(card for hand in hands for card in hand), *rest)


def entropy_for_shuffle(
    cards: Sequence[Card], size: int, seed: str, *, singly: bool, one_in: int = ONE_IN
) -> Entropy:
    """Return what a shuffle is made with: chance, or one time in some a loaded order."""
    chance = Seeded(seed)
    if chance.below(one_in):
        return SeededEntropy(seed)
    return Loaded(cards, some_order(cards, size, chance, singly=singly), seed)
