"""Learnt rules in words that a player can say at a table."""

from __future__ import annotations

from typing import Any, Final

from houseway.cards import ACE, LOWEST, RANK_NAMES, RANKS
from houseway.odds.strategies.grammar import Choice, HandTest, Span, Wanted
from houseway.odds.strategies.pointcards import PointLine

_SHAPES: Final = {
    "no_pair": "no pair",
    "pair": "one pair",
    "two_pair": "two pair",
    "three_pair": "three pair",
    "trips": "three of a kind",
    "full_house": "three of a kind and a pair",
    "two_trips": "twice three of a kind",
    "quads": "four of a kind",
    "five_aces": "five aces",
}
_ABOVE_TRIPS: Final = ("three_pair", "full_house", "two_trips", "quads", "five_aces")
_GROUPS: Final = {
    "pair1": "the pair",
    "pair2": "the second pair",
    "pair3": "the third pair",
    "trip1": "the three of a kind",
    "trip2": "the second three of a kind",
    "quad": "the four of a kind",
    "top1": "the highest card",
    "top2": "the second card",
    "top3": "the third card",
    "joker": "the joker",
}
_CATEGORIES: Final = {
    "high_card": "no pair",
    "pair": "a pair",
    "two_pair": "two pair",
    "three_of_a_kind": "three of a kind",
    "straight": "a straight",
    "flush": "a flush",
    "full_house": "a full house",
    "four_of_a_kind": "four of a kind",
    "straight_flush": "a straight flush",
    "royal_flush": "a royal flush",
    "four_aces": "four aces",
    "five_aces": "five aces",
}


def sentence(test: HandTest, choice: Choice, parts: tuple[str, ...]) -> str:
    r"""Return the sentence of a rule: its hands, what goes where, and what is made as strong as possible.

    >>> keeps = Choice(((0, (("plays", ("pair1",)),)), (1, (("at_least", "K"),))), (1, 0))
    >>> test = HandTest(("pair",), None, (Span("pair1", 2, 9),))
    >>> print(sentence(test, keeps, ("high", "low")).replace("; ", ";\n"))
    One pair, the pair nines or lower: the pair and nothing better high, a king or better low, if that can be;
    low as strong as possible, then high.
    """
    tests = [_shapes(test.shapes)] if test.shapes else []
    if test.complete is not None:
        tests.append("a straight or flush" if test.complete else "no straight or flush")
    tests += [f"{_GROUPS[span.of]} {_span(span)}" for span in test.spans]
    placed = [f"{_part(wanted)} {parts[part]}" for part, wanted in choice.wanted]
    first = ", ".join(tests) or "any hand"
    then = _order(choice, parts)
    middle = f"{', '.join(placed)}, if that can be; " if placed else ""
    return f"{first[0].upper()}{first[1:]}: {middle}{then}."


def points_sentence(line: PointLine, part: str, levels: tuple[str, ...]) -> str:
    """Return the sentence of a line on a card of points; ``levels`` are its categories, the lowest first.

    >>> from houseway.odds.strategies.pointcards import Spans
    >>> levels = ("high_card", "pair", "two_pair", "straight", "flush")
    >>> points_sentence(PointLine(Spans(0, 1, 1, from_lead=8), 10, 1, 8), "high", levels)
    'High, a pair led by an eight or higher: 10 points, and 1 more for each rank above eight.'
    >>> points_sentence(PointLine(Spans(0, 2, 4), 14), "high", levels)
    'High, two pair or better: 14 points.'
    >>> points_sentence(PointLine(Spans(2, 0, 0), 4, -1, 12), "low", ("high_card",))
    'Low: 4 points, and 1 less for each rank above queen.'
    >>> points_sentence(PointLine(Spans(0, 0, 0, 14, 14, 7, 10), 0, 3, 6, second=True), "high", levels)
    'High, no pair led by an ace, a seven to a ten beside: 3 points for each rank beside above six.'
    """
    spans = line.spans
    named = list(dict.fromkeys(_CATEGORIES[name] for name in levels[spans.lowest : spans.highest + 1]))
    is_top, is_all = spans.highest == len(levels) - 1, spans.highest - spans.lowest == len(levels) - 1
    what = f"{named[0]} or better" if is_top and len(named) > 1 else " or ".join(named)
    words = [] if is_all else [what]
    if not spans.every_lead:
        words.append(f"led by {_rank(ranks_text(spans.from_lead, spans.to_lead))}")
    where = [part.capitalize(), *([" ".join(words)] if words else [])]
    if not spans.every_second:
        where.append(f"{_rank(ranks_text(spans.from_second, spans.to_second))} beside")
    return f"{', '.join(where)}: {_points(line)}."


def _points(line: PointLine) -> str:
    count = f"{line.points} point{'' if line.points == 1 else 's'}"
    if not line.each:
        return count
    rank = f"for each rank {'beside ' if line.second else ''}above {RANK_NAMES[line.above - LOWEST]}"
    if not line.points:
        return f"{line.each} point{'' if line.each == 1 else 's'} {rank}"
    return f"{count}, and {abs(line.each)} {'more' if line.each > 0 else 'less'} {rank}"


def ranks_text(low: int, high: int) -> str:
    """Return a span of ranks as a house way writes it.

    >>> ranks_text(10, 13), ranks_text(14, 14)
    ('K..T', 'A')
    """
    names = [RANKS[rank - LOWEST] for rank in (high, low)]
    return names[0] if low == high else "..".join(names)


def shapes_sentence(shapes: tuple[str, ...]) -> str:
    """Return the words of shapes with a capital letter."""
    text = _shapes(shapes)
    return f"{text[0].upper()}{text[1:]}"


def _shapes(shapes: tuple[str, ...]) -> str:
    """Return the words of shapes, those above three of a kind together.

    >>> _shapes(("trips", "three_pair", "full_house", "two_trips", "quads", "five_aces"))
    'three of a kind or three pair or more'
    """
    above = set(shapes).issuperset(_ABOVE_TRIPS)
    words = [_SHAPES[shape] for shape in shapes if not (above and shape in _ABOVE_TRIPS)]
    return " or ".join([*words, "three pair or more"] if above else words)


def _order(choice: Choice, parts: tuple[str, ...]) -> str:
    first, *rest = [parts[part] for part in choice.order]
    if choice.lead_first:
        return f"the highest card to lead {first}, then {' and '.join([*rest, first])} as strong as possible"
    return f"{first} as strong as possible, then {' and '.join(rest)}"


def _span(span: Span) -> str:
    names = [_plural(rank) for rank in (span.highest, span.lowest)]
    if span.of.startswith("top"):
        names = [RANK_NAMES[rank - LOWEST] for rank in (span.highest, span.lowest)]
    if span.lowest == span.highest:
        return names[0]
    if span.highest == ACE:
        return "of any rank" if span.open else f"{names[1]} or higher"
    return f"{names[0]} or lower" if span.lowest == LOWEST else f"{names[0]} to {names[1]}"


def _plural(rank: int) -> str:
    name = RANK_NAMES[rank - LOWEST]
    return f"{name}es" if name == "six" else f"{name}s"


def _part(wanted: Wanted) -> str:
    """Return the words of a part's conditions."""
    words = dict(wanted)
    phrases = []
    if "plays" in words:
        phrases.append(" and ".join(_GROUPS[group] for group in words["plays"]) + " and nothing better")
    if "keeps" in words:
        phrases.append(" and ".join(_GROUPS[group] for group in words["keeps"]) + " together")
    if "category" in words:
        phrases.append(" or ".join(_CATEGORIES[name] for name in words["category"]))
    if "at_least" in words:
        phrases.append(f"{_least(words['at_least'])} or better")
    if "lead" in words:
        phrases.append(f"led by {_rank(words['lead'])}" if phrases else f"{_rank(words['lead'])} leading")
    if "second" in words:
        phrases.append(f"with {_rank(words['second'])} beside")
    return " ".join(phrases)


def _least(name: str) -> str:
    return _CATEGORIES.get(name) or _article(name)


def _rank(text: Any) -> str:  # noqa: ANN401 - a rank, a range or a rank of the hand
    if text in _GROUPS:
        return _GROUPS[text].replace("the pair", "one of the pair").replace("the three", "one of the three")
    high, _, low = text.partition("..")
    return (
        _article(high)
        if not low
        else f"{_article(low)} or higher"
        if high == "A"
        else f"{_article(low)} to {_article(high)}"
    )


def _article(rank: str) -> str:
    name = RANK_NAMES[RANKS.index(rank)]
    return f"{'an' if name[0] in 'ae' else 'a'} {name}"
