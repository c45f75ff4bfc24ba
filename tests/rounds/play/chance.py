"""What chance decides: choices, shuffles with rare hands in them, and lawful tables of every game."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Protocol, TypeVar

from houseway.cards import Card, Cards, parse_cards
from houseway.games.collection import schedules
from houseway.law.readings import readings_of
from houseway.rng import Entropy, SeededEntropy
from tests.games.support import NOTHING, Changes, accepted
from tests.rounds.california import CA, MANUAL, on_schedule
from tests.rounds.washington import CLOCKWISE, PLAIN_METER
from tests.rounds.washington import WAYS as PROCEDURES

T = TypeVar("T")


class Chance(Protocol):
    """Where the choices come from: a seeded generator, or Hypothesis."""

    def below(self, limit: int) -> int:
        """Return a whole number from 0 up to, not including, the limit."""
        ...


class Seeded:
    """Chance from a seed."""

    def __init__(self, seed: str | int) -> None:
        self._random = random.Random(seed)

    def below(self, limit: int) -> int:
        """Return a whole number from 0 up to, not including, the limit."""
        return self._random.randrange(limit)


def pick(chance: Chance, among: Sequence[T]) -> T:
    """Choose one of several."""
    return among[chance.below(len(among))]


def rarely(chance: Chance, times: int) -> bool:
    """Whether something happens that happens once in so many times."""
    return chance.below(times) == times - 1


def mixed(chance: Chance, cards: Sequence[Card]) -> list[Card]:
    """Return cards in any order."""
    left = list(cards)
    return [left.pop(chance.below(len(left))) for _ in cards]


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
    """Entropy by which the next shuffle of some cards gives a certain order; then it is a seeded one.

    The order is not forced upon a table: the bytes that the shuffle draws are chosen, and everything after
    them is decided, recorded and replayed as with any other bytes.
    """

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


WAYS: tuple[tuple[str, str], ...] = (
    ("manual_shoe", "manual"),
    ("manual_shoe", "automated"),
    ("hand", "automated"),
    ("automated_shoe", "automated"),
    ("automated_shoe", "manual"),
)
"""Pennsylvania's ways of dealing, each with the ways of shuffling that go with it."""
EXTRAS: tuple[Changes, ...] = (
    {},
    {"table.pack_jokers": 2},
    {"table.direct_to_shoe": True},
    {
        "table.reshuffle_device": True,
        "approvals.reshuffle_device": "1",
        "approvals.reshuffle_procedures": "2",
    },
    {"payout_limit": "$50,000"},
    {"table.adjacent_areas": False},
    {"progressive.amount": "$5", "progressive.initial": "$25,000", "progressive.reset": "$25,000"},
    {"wagers.fortune.paytable": "C"},
    {"wagers.bonus.paytable": "B"},
)
"""What else an operator may choose in Pennsylvania, if the game has it."""
OWN_PROGRESSIVE: Changes = {
    "name": "all pays off the meter",
    "wager": "progressive",
    "version": "1",
    "effective": datetime(2016, 1, 1),
    "deducts": "all",
    "lines": [
        {"hand": "seven_card_straight_flush", "pays": "100% of meter"},
        {"hand": "five_aces", "pays": "10% of meter"},
        {"hand": "straight_flush", "pays": "100 for 1", "source": "meter"},
        {"hand": "four_of_a_kind", "pays": "75 for 1", "source": "meter"},
    ],
}
WITHOUT_PROGRESSIVE: Changes = {"wagers.progressive": NOTHING, "progressive": NOTHING}
KEYPAD_EXTRAS: tuple[Changes, ...] = (
    {},
    PLAIN_METER,
    CLOCKWISE,
    {"wagers.progressive.paytable": NOTHING, "wagers.progressive.own_paytable": OWN_PROGRESSIVE},
    {"wagers.insurance": NOTHING},
    {"table.position_map": {str(n): "dealer" if n == 7 else f"spot {n}" for n in range(1, 8)}},
    WITHOUT_PROGRESSIVE,
)
"""What else an operator may choose in Washington."""


def layout(game: str, chance: Chance) -> Changes:
    """Return a lawful submission of a game."""
    keypad = game == "wa-fap"
    changes = _washington(chance) if keypad else _pennsylvania(game, chance)
    chosen = {
        reading.option.name: pick(chance, sorted(reading.option.choices))
        for reading in readings_of(game)
        if reading.option and reading.option.name != "wa_meter_order" and not chance.below(4)
    }
    with_readings = {**changes, "readings": chosen}
    wider = {**with_readings, **pick(chance, KEYPAD_EXTRAS if keypad else EXTRAS)}
    return next(some for some in (wider, with_readings, changes) if accepted(game, some))


def _pennsylvania(game: str, chance: Chance) -> Changes:
    dealing, shuffler = pick(chance, WAYS)
    changes: Changes = {
        "table.dealing": dealing,
        "table.shuffler": shuffler,
        "table.start_methods": [pick(chance, ["rng", "shaker"])],
        "table.adjacent_areas": True,
    }
    if game == "pa-575" and (dealing, shuffler) == WAYS[3] and not chance.below(3):
        changes |= {"table.start_methods": ["button"], "approvals.button": "EX-BUTTON-1"}
    if shuffler == "automated" and not chance.below(2):
        changes |= {"table.decks": 2}
    return changes


def _washington(chance: Chance) -> Changes:
    """One of the four procedures, with one deck or two."""
    return {**PROCEDURES[pick(chance, sorted(PROCEDURES))], "table.decks": pick(chance, [1, 1, 2])}


SETS_OF_READINGS = 12


def some_readings(number: int) -> dict[str, str]:
    """Return one of a few sets of readings: what is worked out by a ranking is kept for each of them."""
    chance = random.Random(f"readings {number}")
    options = [reading.option for reading in readings_of(CA)]
    return {option.name: chance.choice(sorted(option.choices)) for option in options if option and number}


def cardroom_layout(chance: random.Random) -> Changes:
    """Return a lawful table: a way of dealing, a schedule, some readings."""
    readings = some_readings(chance.randrange(SETS_OF_READINGS))
    changes = on_schedule(chance.choice(sorted(schedules())), **readings)
    changes |= MANUAL if chance.random() < 0.5 else {}
    assert accepted(CA, changes)
    return changes
