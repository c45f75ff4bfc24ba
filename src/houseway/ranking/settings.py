"""Settings: every way to split the dealt cards, and every reason one of them is foul."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, combinations

from houseway.cards import JOKER, Card, Cards, show, show_setting
from houseway.law.problems import Problem
from houseway.ranking.held import kind_of, runs
from houseway.ranking.order import Ranked
from houseway.ranking.ranking import Ranking

Setting = tuple[Cards, ...]


def all_settings(cards: Sequence[Card], split: Sequence[int]) -> Iterator[Setting]:
    """Yield every way to split the cards, high part first.

    >>> from houseway.cards import parse_cards
    >>> cards = parse_cards("As Ks Qs Js Ts 9s 8s")
    >>> [sum(1 for _ in all_settings(cards[: sum(s)], s)) for s in ((4, 2, 1), (5, 2), (5, 1))]
    [105, 21, 6]
    """
    if not split:
        yield ()
        return
    for part in combinations(cards, split[0]):
        rest = [card for card in cards if card not in part]
        for others in all_settings(rest, split[1:]):
            yield (part, *others)


def outranks(shorter: Ranked, longer: Ranked) -> bool:
    """Whether the shorter hand is higher; if all it has is matched, the longer one is not below it."""
    return shorter.cross > longer.cross


def rank_parts(ranking: Ranking, setting: Sequence[Sequence[Card]]) -> list[Ranked]:
    """Rank every part of a setting."""
    rank = ranking.rank_kind
    return [rank(name, kind_of(cards)) for name, cards in zip(ranking.part_names, setting, strict=True)]


def part_strengths(ranking: Ranking, setting: Sequence[Sequence[Card]]) -> tuple[int, ...]:
    """Return the strength of every part of a setting."""
    return tuple([ranked.strength for ranked in rank_parts(ranking, setting)])


def dealer_strengths(ranking: Ranking, setting: Sequence[Sequence[Card]]) -> tuple[int, ...]:
    """Return the strength of every part of the dealer's setting."""
    valued = dealer_valued(ranking, setting) if _run_keeps_joker(ranking) else setting
    return part_strengths(ranking, valued)


def _run_keeps_joker(ranking: Ranking) -> bool:
    """Whether reading six:A11 is taken so that the dealer's joker keeps its rank in a run of all cards."""
    option = ranking.document.joker.dealer_run_option
    return option is not None and ranking.readings.get(option) == "as_completed"


def dealer_valued(ranking: Ranking, setting: Sequence[Sequence[Card]]) -> Setting:
    """Return the dealer's setting with the joker as the card it counts for.

    Where no reading says so the joker stays itself and counts at its best, like a player's.
    """
    first, *rest = (tuple(part) for part in setting)
    natural = [card for part in setting for card in part if card != JOKER]
    rank = _missing_rank(natural) if _run_keeps_joker(ranking) and JOKER in first else None
    if rank is None or not _set_as_run(ranking, first, natural):
        return (first, *rest)
    counts_as = Card.of(rank, next(card for card in first if card != JOKER).suit or 0)
    return (tuple(counts_as if card == JOKER else card for card in first), *rest)


def _missing_rank(natural: Sequence[Card]) -> int | None:
    """Return the rank that the joker has in the lowest run that it makes with all the other cards."""
    ranks = {card.rank for card in natural}
    if len(ranks) < len(natural):
        return None
    fitting = [run for run in runs(len(natural) + 1, "lowest") if ranks <= set(run)]
    return next(rank for rank in fitting[-1] if rank not in ranks) if fitting else None


def _set_as_run(ranking: Ranking, first: Sequence[Card], natural: Sequence[Card]) -> bool:
    """Whether the first part is set as part of the run: as a straight, or all cards of one suit."""
    category = ranking.rank(ranking.part_names[0], first).category
    if len({card.suit for card in natural}) == 1:
        return category in ("straight_flush", "royal_flush")
    return category == "straight"


def verify_setting(
    ranking: Ranking, setting: Sequence[Sequence[Card]], ranked: Sequence[Ranked] | None = None
) -> tuple[Problem, ...]:
    """Return every reason a setting of the right sizes is foul; how its parts rank may be given."""
    ranked = ranked or rank_parts(ranking, setting)
    problems = []
    for rule, lower, higher in ranking.order_rules:
        law = rule.clauses
        if law.binds and outranks(ranked[lower], ranked[higher]):
            reason = f"the {rule.lower} hand outranks the {rule.higher} hand"
            problems.append(Problem("setting", reason, show_setting(setting), law))
    return tuple(problems)


def verify_split(
    ranking: Ranking, dealt: Sequence[Card], setting: Sequence[Sequence[Card]], *, name_dealt: bool = True
) -> tuple[Problem, ...]:
    """Return what is wrong with the cards of a setting: sizes, strangers, cards left out or used twice.

    ``name_dealt`` is false where the viewer may not know the dealt cards.
    """
    law = ranking.document.split.clauses
    if not law.binds:
        return ()
    sizes = tuple(map(len, setting))
    placed = list(chain.from_iterable(setting))
    if sizes == ranking.split and sorted(placed) == sorted(dealt):
        return ()
    problems = []
    if sizes != ranking.split:
        need = "-".join(map(str, ranking.split))
        problems.append(Problem("split", f"parts of {need} cards needed", "-".join(map(str, sizes)), law))
    if sorted(placed) != sorted(dealt):
        cards = f"the dealt cards {show(dealt)}" if name_dealt else "the dealt cards"
        reason = f"must be {cards}, each once"
        problems.append(Problem("split", reason, show(placed), law))
    return tuple(problems)


def legal_settings(ranking: Ranking, cards: Sequence[Card]) -> Iterator[Setting]:
    """Yield every setting of the cards that is not foul."""
    for setting in all_settings(cards, ranking.split):
        if not verify_setting(ranking, setting):
            yield setting
