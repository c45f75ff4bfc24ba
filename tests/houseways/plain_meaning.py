"""What the words of a house way mean, written from the language page over cards and nothing else.

Nothing here is shared with the program that is tested, except the order of categories that a game's law
prints and where it puts the wheel. A hand is a list of cards such as ``As`` or ``Jk``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from typing import Any, NamedTuple

ORDER = "23456789TJQKA"
VALUE = {rank: number for number, rank in enumerate(ORDER, 2)}
Setting = tuple[tuple[str, ...], ...]


class Part(NamedTuple):
    """What a part of a setting is: its category, its leading card, the next, and whether it is the wheel."""

    category: str
    lead: int
    second: int
    wheel: bool = False


def values(cards: Sequence[str]) -> list[int]:
    """Return the ranks of cards, highest first, the joker an ace."""
    return sorted((14 if card == "Jk" else VALUE[card[0]] for card in cards), reverse=True)


def naturals(cards: Sequence[str]) -> list[str]:
    return [card for card in cards if card != "Jk"]


def of_one_suit(cards: Sequence[str]) -> bool:
    return len({card[1] for card in naturals(cards)}) == 1


def sequences(size: int, wheel: str) -> list[list[int]]:
    """Return every run of so many ranks, best first; the ace is the wheel's highest card."""
    runs = [list(range(top, top - size, -1)) for top in range(14, size, -1)]
    runs.insert(1 if wheel == "second" else len(runs), [14, *range(size, 1, -1)])
    return runs


def sequence_of(cards: Sequence[str], wheel: str) -> list[int] | None:
    """Return the best run the cards make, the joker whatever is missing."""
    values = [VALUE[card[0]] for card in naturals(cards)]
    if len(set(values)) < len(values):
        return None
    return next((run for run in sequences(len(cards), wheel) if set(values) <= set(run)), None)


def flush_ranks(cards: Sequence[str]) -> list[int]:
    """Return the ranks of a flush, the joker the highest that is missing."""
    values = [VALUE[card[0]] for card in naturals(cards)]
    if len(values) < len(cards):
        values.append(max(rank for rank in range(2, 15) if rank not in values))
    return sorted(values, reverse=True)


def makes(  # noqa: PLR0911 - one answer for each category
    category: str, cards: Sequence[str], wheel: str, names: Sequence[str]
) -> Part | None:
    """Return the cards of a part as one category, or nothing if they do not make it."""
    groups = sorted(((count, rank) for rank, count in Counter(values(cards)).items()), reverse=True)
    counts, ranks = [count for count, _ in groups], [rank for _, rank in groups]
    if category in ("straight", "straight_flush", "royal_flush"):
        run = sequence_of(cards, wheel)
        is_suited = category == "straight" or of_one_suit(cards)
        is_royal = category != "royal_flush" or (run is not None and run[:2] == [14, 13])
        if run is None or not is_suited or not is_royal:
            return None
        return Part(category, run[0], run[1], run[0] - run[1] > 1)
    if category == "flush":
        lead, second, *_ = flush_ranks(cards)
        return Part("flush", lead, second) if of_one_suit(cards) else None
    if category == "four_of_a_kind" and ranks[0] == 14 and "four_aces" in names:
        return None
    needed = {
        "five_aces": [5],
        "four_aces": [4],
        "four_of_a_kind": [4],
        "full_house": [3, 2],
        "three_of_a_kind": [3],
        "two_pair": [2, 2],
        "pair": [2],
        "high_card": [1],
    }[category]
    if len(counts) < len(needed) or any(have < want for have, want in zip(counts, needed, strict=False)):
        return None
    if category in ("five_aces", "four_aces") and ranks[0] != 14:
        return None
    return Part(category, ranks[0], ranks[1] if len(ranks) > 1 else 0)


@cache
def part_of(cards: tuple[str, ...], names: tuple[str, ...], wheel: str) -> Part:
    """Return what the cards of a part are: the first category on the list that they make."""
    return next(part for name in names if (part := makes(name, cards, wheel, names)))


@lru_cache(maxsize=10_000)
def alike(cards: tuple[str, ...]) -> tuple[str, ...]:
    """Return cards that rank as these do, few for many: the suits only say whether they are one."""
    suits = "s" if of_one_suit(cards) else "sh"
    ordered = sorted(naturals(cards), key=lambda card: VALUE[card[0]])
    named = [card[0] + suits[place % len(suits)] for place, card in enumerate(ordered)]
    return (*named, *(["Jk"] if len(named) < len(cards) else []))


class Hand:
    """A hand and its legal settings."""

    def __init__(self, cards: Sequence[str], settings: Sequence[Setting]) -> None:
        self.cards, self.settings = cards, settings
        self.parts = [set(parts) for parts in zip(*settings, strict=True)]
        self.answers: dict[tuple[int, str], set[tuple[str, ...]]] = {}
        counts = Counter(values(cards))
        self.groups: dict[str, list[int]] = {
            kind: sorted((rank for rank, count in counts.items() if count in sizes), reverse=True)
            for kind, sizes in (("quad", (4, 5)), ("trip", (3,)), ("pair", (2,)))
        }

    def shape(self) -> str:
        quads, trips, pairs = (len(self.groups[kind]) for kind in ("quad", "trip", "pair"))
        if quads:
            return "five_aces" if values(self.cards).count(14) == 5 else "quads"
        if trips == 2:
            return "two_trips"
        if trips:
            return "full_house" if pairs else "trips"
        return ["no_pair", "pair", "two_pair", "three_pair"][pairs]

    def rank(self, name: str) -> int | None:
        """Return the rank of ``pair1``, ``quad``, ``top2`` and the like, or nothing if there is none."""
        if name.startswith("top"):
            return values(self.cards)[int(name[3]) - 1]
        kind, number = name.rstrip("123"), int(name[-1]) if name[-1].isdigit() else 1
        groups = self.groups[kind]
        return groups[number - 1] if len(groups) >= number else None

    def group(self, name: str) -> set[str]:
        """Return the cards of a group, or the joker."""
        if name == "joker":
            return {"Jk"} & set(self.cards)
        rank = self.rank(name)
        return {card for card in self.cards if rank is not None and values([card]) == [rank]}


def among(rank: int | None, text: str) -> bool:
    high, _, low = text.partition("..")
    return rank is not None and VALUE[low or high] <= rank <= VALUE[high]


def listed(value: Any) -> list[Any]:
    return [] if value is None else list(value) if isinstance(value, list | tuple) else [value]


class Meaning:
    """The words of one house way, for the categories and the wheel of its game."""

    def __init__(self, parts: Sequence[str], categories: Sequence[tuple[str, ...]], wheel: str) -> None:
        self.parts, self.categories, self.wheel = list(parts), categories, wheel

    def hand_is(self, hand: Hand, when: Mapping[str, Any]) -> bool:
        """Whether a hand is what ``when`` asks for."""
        for word, wanted in when.items():
            if word == "shape":
                fits = hand.shape() in listed(wanted)
            elif word == "ranks":
                fits = all(among(hand.rank(name), text) for name, text in wanted.items())
            elif word in ("can", "cannot"):
                fits = bool(self.settings_that_are(hand, wanted)) == (word == "can")
            else:
                fits = self.flag(hand, word) == wanted
            if not fits:
                return False
        return True

    def flag(self, hand: Hand, word: str) -> bool:
        if word == "joker":
            return "Jk" in hand.cards
        if word == "one_suit":
            return of_one_suit(hand.cards)
        if word == "run":
            return sequence_of(hand.cards, "lowest") is not None
        assert word == "complete"
        return bool(self.parts_that_are(hand, 0, {"category": COMPLETE}))

    def settings_that_are(self, hand: Hand, filters: Any) -> set[Setting]:
        """Return the legal settings that pass one of the alternatives; no alternatives, no condition."""
        settings = set() if listed(filters) else set(hand.settings)
        for chosen in listed(filters):
            wanted = {self.parts.index(name): words for name, words in chosen.items()}
            fitting = [(part, self.parts_that_are(hand, part, words)) for part, words in wanted.items()]
            settings.update(s for s in hand.settings if all(s[part] in fine for part, fine in fitting))
        return settings

    def parts_that_are(self, hand: Hand, part: int, wanted: Mapping[str, Any]) -> set[tuple[str, ...]]:
        """Return what a part can be in some legal setting so that every word is true of it."""
        key = (part, str(wanted))
        if key not in hand.answers:
            hand.answers[key] = {
                cards
                for cards in hand.parts[part]
                if all(self.word_is_true(hand, part, cards, word, value) for word, value in wanted.items())
            }
        return hand.answers[key]

    def part(self, part: int, cards: tuple[str, ...]) -> Part:
        return part_of(alike(cards), self.categories[part], self.wheel)

    def word_is_true(  # noqa: PLR0911 - one answer for each word
        self, hand: Hand, part: int, cards: tuple[str, ...], word: str, value: Any
    ) -> bool:
        hand_part, names = self.part(part, cards), self.categories[part]
        if word == "category":
            return hand_part.category in listed(value)
        if word == "at_least" and len(value) == 1:
            return hand_part.category != "high_card" or hand_part.lead >= VALUE[value]
        if word == "at_least":
            worst = max(place for place, name in enumerate(names) if name == value)
            return names.index(hand_part.category) <= worst
        if word in ("lead", "second"):
            if value == "wheel":
                return hand_part.wheel
            card = hand_part.lead if word == "lead" else hand_part.second
            if value[:3] in ("qua", "tri", "pai", "top"):
                return card == hand.rank(value)
            return among(card, value)
        if word == "keeps":
            return all(hand.group(name) and hand.group(name) <= set(cards) for name in listed(value))
        if word == "plays":
            whole = all(hand.group(name) and hand.group(name) <= set(cards) for name in listed(value))
            return whole and hand_part.category in PLAYED[tuple(sorted(name[:4] for name in listed(value)))]
        assert word == "not"
        return not any(cards in self.parts_that_are(hand, part, denied) for denied in listed(value))


COMPLETE = ["straight", "flush", "straight_flush", "royal_flush"]
PLAYED = {
    ("pair",): ["pair"],
    ("pair", "pair"): ["two_pair"],
    ("trip",): ["three_of_a_kind"],
    ("pair", "trip"): ["full_house"],
    ("quad",): ["four_of_a_kind", "four_aces", "five_aces"],
}
