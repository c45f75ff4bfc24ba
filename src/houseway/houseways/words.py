"""What each word of a house way means, with an example: the language page is written from this.

A test holds every example against the interpreters, and every list against the documents' own keys.
"""

from __future__ import annotations

from typing import Final, NamedTuple


class HandWord(NamedTuple):
    """A word about a hand: what it means, and a hand of which it is true."""

    meaning: str
    hand: str


class RankWord(NamedTuple):
    """A rank of a hand that a rule may speak of: what it is, and its value in a hand."""

    meaning: str
    hand: str
    rank: str


class PartWord(NamedTuple):
    """A word about one part of a setting: what it means, an ask, and settings that pass and fail it."""

    meaning: str
    ask: str
    passes: str
    fails: str


WAY_KEYS: Final = {
    "id": "its name, in commands and submissions",
    "title": "its heading",
    "ranking": "the game whose order of hands it is for",
    "parts": "what it calls the parts of a setting, high first; the ranking's own names if left out",
    "about": "a sentence or two",
    "source": "where it was published, each under `[[source]]`: `title`, `address`, `note`",
    "ours": "true for a way of houseway's own",
    "clauses": "clauses of the law that the whole way rests on",
    "rule": "the rules, each under `[[rule]]`, in the order they are asked",
    "points": "what parts count for, each under `[[points]]`, if a rule prefers points",
    "example": "example hands, each under `[[example]]`",
}
RULE_KEYS: Final = {
    "id": "its name: small letters, digits and hyphens",
    "say": "the rule as the dealer would say it",
    "clauses": "the clauses it rests on",
    "cites": "which hands some of the clauses are cited for",
    "only_if": "the rule applies only under these readings of the law",
    "unless": "the rule does not apply under these readings of the law",
    "when": "what the hand must be; every hand if left out",
    "require": "what the setting must be; every legal setting if left out",
    "prefer": "the parts in the order in which they are made as strong as possible, or `points`",
    "worth": "what the rule adds to the edge, as `houseway way worth` counted it",
}
WHEN_KEYS: Final = {
    "shape": "how the cards fall together: one shape, or a list of which one must be true",
    "joker": "true or false, see below",
    "complete": "true or false, see below",
    "one_suit": "true or false, see below",
    "run": "true or false, see below",
    "ranks": 'ranks of the hand, such as `{ pair1 = "A..J" }`; all must be true',
    "can": "some legal setting passes this filter, or one of a list of filters",
    "cannot": "no legal setting passes this filter, nor any of a list of filters",
}
POINTS_KEYS: Final = {
    "say": "the line as a player would say it",
    "part": "the part that counts",
    "made": "what it must be, in the words for a part below, without `not`; anything if left out",
    "points": "what it then counts for; 0 if left out",
    "each": "points added for each rank by which its lead is above another; 0 if left out",
    "of": 'whose rank `each` goes by: its `"lead"`, or the `"second"` after it; the lead if left out',
    "above": "that other rank; the twos if left out",
}
EXAMPLE_KEYS: Final = {
    "hand": "all the cards, `Jk` the joker",
    "sets": "the setting, high part first, with / between; cards of equal rank may be exchanged",
    "say": "what it shows",
}
SHAPE_WORDS: Final = {
    "no_pair": HandWord("no two cards of a rank", "Ks Jh 9d 8s 6h 4d 2c"),
    "pair": HandWord("one pair, nothing more", "8s 8h Kc Qd Js 6d 3h"),
    "two_pair": HandWord("two pairs", "Ts Th 4d 4c As 9h 2c"),
    "three_pair": HandWord("three pairs", "As Ah 9d 9c 4s 4h Kd"),
    "trips": HandWord("three of a rank, and no pair", "Qs Qh Qd Kc 9s 6d 3h"),
    "full_house": HandWord("three of a rank and one pair or two", "Qs Qh Qd 8s 8h 3c 2d"),
    "two_trips": HandWord("twice three of a rank", "Ks Kh Kd 5s 5h 5d 9c"),
    "quads": HandWord("four of a rank, with any other cards", "9s 9h 9d 9c 4s 4h Kd"),
    "five_aces": HandWord("four aces and the joker", "As Ah Ad Ac Jk Qs 9h"),
}
"""The joker counts as an ace."""
FLAG_WORDS: Final = {
    "joker": HandWord("the joker is among the cards", "Jk Ks Jh 8d 6s 5h 2c"),
    "complete": HandWord(
        "a straight, a flush, a straight flush or a royal flush can be the first part", "As 2h 3d 4c 5s Kd Jh"
    ),
    "one_suit": HandWord("all the cards except the joker are of one suit", "As Ks 9s 7s 4s 3s 2s"),
    "run": HandWord("all the cards are in sequence, the joker any of them", "4s 5h 6d 7c 8s 9h Jk"),
}
RANK_WORDS: Final = {
    "quad": RankWord("the four of a rank, or five aces", "9s 9h 9d 9c 4s 4h Kd", "9"),
    "trip1": RankWord("the three of a rank, the higher of two", "Ks Kh Kd 5s 5h 5d 9c", "K"),
    "trip2": RankWord("the lower three of a rank", "Ks Kh Kd 5s 5h 5d 9c", "5"),
    "pair1": RankWord("the pair, the highest of several", "As Ah 9d 9c 4s 4h Kd", "A"),
    "pair2": RankWord("the second pair", "As Ah 9d 9c 4s 4h Kd", "9"),
    "pair3": RankWord("the third pair", "As Ah 9d 9c 4s 4h Kd", "4"),
    "top1": RankWord("the highest card", "Ks Jh 9d 8s 6h 4d 2c", "K"),
    "top2": RankWord(
        "the second highest card; in a pair of the highest rank the same", "Ks Jh 9d 8s 6h 4d 2c", "J"
    ),
    "top3": RankWord("the third highest card, counted in the same way", "Ks Jh 9d 8s 6h 4d 2c", "9"),
}
"""Where a hand has no such group, nothing that is asked of its rank is true."""
PART_WORDS: Final = {
    "category": PartWord(
        "the category the part makes: one, or a list of which it makes one",
        'high = { category = ["flush", "straight"] }',
        "9s8d7c6h5s / KsKh",
        "KsKh9s8d7c / 6h5s",
    ),
    "at_least": PartWord(
        "a category or a better one; or a rank, which every pair and anything better passes, too",
        'low = { at_least = "K" }',
        "8s8hJs6d3h / KcQd",
        "KcJs8s8h3h / Qd6d",
    ),
    "lead": PartWord(
        "the leading card: of a pair, trips or quads their rank; of two pair the higher, of a full house "
        "the trips; of a straight its top card, of the wheel the ace; otherwise the highest card. "
        "Ranks, a rank of the hand (`top1`, `pair2`), or `wheel`",
        'high = { category = "straight", lead = "A..T" }',
        "AsKdQhJcTs / 9d4c",
        "9s8d7c6h5s / KsKh",
    ),
    "second": PartWord(
        "the card after the lead: the lower pair of two pair, the pair of a full house, the highest card "
        "beside a pair, trips or quads; of a straight the next card, of the wheel the 5 (of four cards the "
        "4). Ranks, or a rank of the hand",
        'low = { lead = "A", second = "K..J" }',
        "8s8h9c6d3h / AcQd",
        "8s8hQd6d3h / Ac9c",
    ),
    "keeps": PartWord(
        "all the cards of these groups, or the joker, are in the part; other cards may be too",
        'high = { keeps = "pair1" }',
        "9s9h8d7c6h / KsJd",
        "Ks9s8d7c6h / Jd9h",
    ),
    "plays": PartWord(
        "the part keeps these groups and makes just what they are, nothing better: "
        "a pair, two pair, three of a kind, a full house, four of a kind",
        'high = { plays = ["pair1", "pair2"] }',
        "TsTh4d4c2c / As9h",
        "TsThAs9h2c / 4d4c",
    ),
    "not": PartWord(
        "the part is not this: all of it together; of a list none is true",
        'high = { keeps = "pair1", not = { at_least = "straight" } }',
        "9s9h8d7c2h / KsJd",
        "AsJkKdQhJc / 9d4c",
    ),
}
"""For a part called ``high`` of five cards and one called ``low`` of two."""
WHEEL_EXAMPLE: Final = PartWord(
    "A-2-3-4-5, or A-2-3-4 in a part of four cards, of one suit or not",
    'high = { lead = "wheel" }',
    "As5s4c3d2h / KdJh",
    "AsKdQhJcTs / 9d4c",
)
