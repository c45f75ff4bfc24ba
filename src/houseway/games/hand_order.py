"""What a rack card says of the hands: their order by example, the joker, setting, fouls and copies."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from houseway.cards import Cards, parse_cards
from houseway.games.hands import spoken
from houseway.games.rules import Rules
from houseway.law.clauses import cite

EXAMPLES: Final = {
    "five_aces": "As Ah Ad Ac Jk",
    "four_aces": "As Ah Ad Ac",
    "royal_flush": "As Ks Qs Js Ts",
    "straight_flush": "9h 8h 7h 6h 5h",
    "four_of_a_kind": "Qs Qh Qd Qc 7s",
    "full_house": "Js Jh Jd 4c 4s",
    "flush": "Ad Jd 8d 6d 3d",
    "straight": "Ts 9h 8d 7c 6s",
    "three_of_a_kind": "8s 8h 8d Kc 4s",
    "two_pair": "Ks Kh 5d 5c 9s",
    "pair": "Ts Th Ad 8c 3s",
    "high_card": "As Qh 9d 6c 2s",
}
"""A hand of each name; of as many cards as a part has, its first."""
ACE_LOW: Final = {
    "second": "{low} is the second-highest straight, after {high}.",
    "lowest": "{low} is the lowest straight.",
}


def order_data(rules: Rules) -> dict[str, Any]:
    """Return the order of hands and how a hand is set and decided, as plain data with its clauses."""
    ranking = rules.ranking()
    part = ranking.document.part[0]
    standing = dict.fromkeys(
        category.name for category in part.category if category.applies(ranking.readings)
    )
    return {
        "part": part.name,
        "hands": [
            {"hand": spoken(name), "cards": [str(card) for card in example(name, part.cards)]}
            for name in standing
        ],
        "says": [
            _row("Setting", _setting(rules), (c for rule in ranking.document.setting for c in rule.clauses)),
            _row("Foul", _foul(rules), ranking.document.foul),
            _row(
                "Winning", _winning(rules), (c for result in ranking.document.result for c in result.clauses)
            ),
            _row("Straights", _straights(rules), ranking.document.cards.ace_low),
            _joker(rules),
        ],
    }


def example(hand: str, size: int) -> Cards:
    """Return cards that make a hand of this name, and none better.

    >>> [str(card) for card in example("flush", 4)]
    ['Ad', 'Jd', '8d', '6d']
    """
    return parse_cards(EXAMPLES[hand])[:size]


def _row(name: str, text: str, clauses: Iterable[str]) -> dict[str, Any]:
    return {"name": name, "text": text, "clauses": list(dict.fromkeys(clauses))}


def _setting(rules: Rules) -> str:
    parts = ", ".join(f"{part.cards} {part.name}" for part in rules.game.parts)
    if rules.banked:
        parts = " and ".join(f"{part.cards} cards" for part in rules.game.parts)
    order = rules.ranking().document.setting
    verb = "may not rank below" if rules.game.equal_parts_legal else "must rank above"
    higher = " and ".join(f"the {rule.higher} hand {verb} the {rule.lower} hand" for rule in order)
    return f"Set your {rules.game.hand_cards} cards as {parts}. {higher[:1].upper()}{higher[1:]}."


def _foul(rules: Rules) -> str:
    if rules.banked:
        return "A hand set out of order is not accepted: set it again."
    wrong = "or with the wrong number of cards " if rules.ranking().document.split.wrong == "foul" else ""
    return f"A hand set out of order {wrong}is foul, and its main wager loses."


def _winning(rules: Rules) -> str:
    """Return what wins, and who gets a copy: the results of every game's law are of one of two kinds."""
    who = "player-dealer" if rules.banked else "dealer"
    copies = f"A copy, a hand of equal rank, is the {who}'s."
    if rules.game.push_possible:
        return f"You win if both hands rank above the {who}'s; one above and one not is a push. {copies}"
    return f"You win if two of your three hands rank above the {who}'s. {copies}"


def _straights(rules: Rules) -> str:
    size = rules.ranking().split[0]
    low, high = "A-2-3-4-5"[: 2 * size - 1], "A-K-Q-J-10" if size > 4 else "A-K-Q-J"  # noqa: PLR2004 - or four
    text = ACE_LOW[rules.ranking().ace_low_straight].format(low=low, high=high)
    return f"{text} Suits do not rank."


def _joker(rules: Rules) -> dict[str, Any]:
    """Return what the joker is, in the words of the clauses that say it."""
    terms = rules.ranking().document
    low = (c for part in terms.part for c in part.player_joker)
    clauses = list(dict.fromkeys([*terms.joker.completes, *terms.joker.as_ace, *low]))
    return _row("Joker", " ".join(cite(clause).says for clause in clauses), clauses)
