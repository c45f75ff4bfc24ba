"""Where chance comes from: for each command bytes of its own, and now and then a shuffle with rare hands."""

from __future__ import annotations

import random
from collections.abc import Mapping

from houseway.cards import Card, parse_cards
from houseway.games import Rules
from houseway.rng import Entropy
from tests.rounds.play.chance import Loaded
from tests.rounds.table import DEALT_SINGLY

HANDS = 7
RARE: Mapping[int, tuple[str, ...]] = {
    7: (
        "As Ah Ad Ac Jk 7d 3d",
        "9s 8s 7s 6s 5s 4s 3s",
        "Tc Td Th Ts 6h 4c 2c",
        "Kd Qd Jd 9d 8d 5h 2h",
        "9h 8h 7h 6h 5h Kc 2d",
        "Ks Qs Js Ts As 3h 2h",
        "Kh Kc Kd 7h 7s 9c 4d",
        "8s 8h 8d 8c Qd 5h 2s",
    ),
    6: (
        "As Ah Ad Ac Jk 2d",
        "Tc Jc Qc Kc Ac 2c",
        "Th Jh Qh Ah Jk 3c",
        "5c 5d 5h 5s 8s 2h",
        "Js Ts 9s 8s 7s 2s",
        "Ks Kd Kh 6d 6h 9d",
    ),
}
"""Hands that a progressive or a bonus pays, by the number of cards in a hand."""
CUT = 26
"""Where a deck is cut that is cut as usual."""


def arrange(rules: Rules, chance: random.Random, seed: str) -> Entropy:
    """Return what a shuffle is made with that gives one to four of the seven hands something rare."""
    size, cards = rules.game.hand_cards, rules.game.cards().cards
    hands: list[list[Card]] = []
    for text in chance.sample(RARE[size], chance.randint(1, 4)):
        hand = list(parse_cards(text))
        if not any(card in other for card in hand for other in hands):
            hands.append(hand)
    dealt = {card for hand in hands for card in hand}
    rest = [card for card in cards if card not in dealt]
    chance.shuffle(rest)
    while len(hands) < HANDS:
        hands.insert(chance.randrange(len(hands) + 1), rest[:size])
        del rest[:size]
    if rules.way in DEALT_SINGLY:
        order = [hand[turn] for turn in range(size) for hand in hands]
    else:
        order = [card for hand in hands for card in hand]
    order += rest
    place = -CUT % len(order) if rules.game.cut is not None and rules.way in DEALT_SINGLY else 0
    return Loaded(cards, order[place:] + order[:place], seed)
