"""The plain interpreter: sets one hand and can say, predicate by predicate, why it is set so."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import combinations
from operator import itemgetter
from typing import Final

from houseway.cards import JOKER, SUITS, Card, Cards, WrongCountError, distinct, show, show_setting
from houseway.errors import DataError
from houseway.houseways.compiler import (
    Alternatives,
    CompiledCitation,
    CompiledRule,
    CompiledWay,
    CompiledWhen,
    Rows,
)
from houseway.houseways.vocabulary import (
    GROUPS,
    LEAD_ONLY,
    NOT,
    NOTHING,
    POINTS,
    SHAPES,
    Row,
    RowQuestion,
    shape_of,
    show_row,
)
from houseway.ranking.held import Pick, runs
from houseway.strength import cross

Masks = tuple[int, ...]
Strength = Callable[[int, Cards], int]
_PAIR = 1
_KIND: Final = {5: "quad", 4: "quad", 3: "trip", 2: "pair"}
"""The names of groups of a rank, by size."""
SINGLE_HAND = "one hand"
"""The kernel that sets one hand, if the program has it: proven to set every hand as the interpreter does."""


class UndecidedError(DataError):
    """A hand that a house way leaves without exactly one setting; names the hand and the rule."""


@dataclass
class TraceStep:
    """A rule that was looked at: what it asked, and the answers."""

    rule: str
    answers: list[tuple[str, bool]] = field(default_factory=list)
    fired: bool = False


@dataclass(frozen=True)
class Decision:
    """How a hand is set, by which rule, on the strength of which clauses.

    A setting is written high part first, and in each part the highest card first.
    """

    setting: tuple[Cards, ...]
    rule: str
    say: str
    clauses: tuple[str, ...]
    steps: tuple[TraceStep, ...] = ()


@cache
def setting_masks(split: tuple[int, ...]) -> tuple[Masks, ...]:
    """Return every setting of a split as masks of card places, a mask for each part.

    >>> [len(setting_masks(split)) for split in ((4, 2, 1), (5, 2), (5, 1))]
    [105, 21, 6]
    """
    places = range(sum(split))

    def ways(left: frozenset[int], sizes: tuple[int, ...]) -> list[Masks]:
        if not sizes:
            return [()]
        settings = []
        for chosen in combinations(sorted(left), sizes[0]):
            mask = sum(1 << place for place in chosen)
            settings += [(mask, *rest) for rest in ways(left - set(chosen), sizes[1:])]
        return settings

    return tuple(ways(frozenset(places), split))


@cache
def part_masks(split: tuple[int, ...]) -> tuple[Masks, ...]:
    """Return, for each part, every set of card places it can hold."""
    every = setting_masks(split)
    return tuple(tuple(dict.fromkeys(masks[part] for masks in every)) for part in range(len(split)))


@dataclass(frozen=True)
class HandFacts:
    """What a hand is, as the rules see it: its shape, the ranks to speak of, flags and groups."""

    shape: int
    ranks: tuple[int, ...]
    groups: tuple[int, ...]
    flags: tuple[bool, ...]


def facts_about(cards: Cards, *, complete: bool) -> HandFacts:
    """Return what the rules may ask about sorted cards; the joker goes with the aces."""
    ranks = [card.rank for card in cards]
    by_rank: dict[int, int] = {}
    for place, rank in enumerate(ranks):
        by_rank[rank] = by_rank.get(rank, 0) | 1 << place
    counts = sorted(((mask.bit_count(), rank) for rank, mask in by_rank.items()), reverse=True)
    named = dict.fromkeys(GROUPS, (NOTHING, 0))
    seen = {"quad": 0, "trip": 0, "pair": 0}
    for count, rank in counts:
        kind = _KIND.get(count)
        if kind:
            seen[kind] += 1
            name = kind if kind == "quad" else f"{kind}{seen[kind]}"
            named.setdefault(name, (NOTHING, 0))
            named[name] = (rank, by_rank[rank])
    hand_ranks = (*[named[name][0] for name in GROUPS], *sorted(ranks, reverse=True)[:3])
    joker = 1 << cards.index(JOKER) if JOKER in cards else 0
    groups = (*[named[name][1] for name in GROUPS], joker)
    shape = SHAPES.index(shape_of([count for count, _ in counts]))
    return HandFacts(shape, hand_ranks, groups, (JOKER in cards, complete, _one_suit(cards), _one_run(cards)))


def _one_suit(cards: Cards) -> bool:
    return len({card % len(SUITS) for card in cards if card != JOKER}) == 1


def _one_run(cards: Cards) -> bool:
    natural = {card.rank for card in cards if card != JOKER}
    if len(natural) + (JOKER in cards) < len(cards):
        return False
    return any(natural.issubset(run) for run in runs(len(cards), "lowest"))


def decide(
    program: CompiledWay, dealt: Sequence[Card], strength: Strength | None = None, *, explain: bool = False
) -> Decision:
    """Set a hand. ``strength`` may give the strength of a part's cards from a table."""
    cards = distinct(sorted(dealt))
    if len(cards) != sum(program.split):
        raise WrongCountError(f"{sum(program.split)} cards needed, {len(cards)} given", value=show(cards))
    steps: list[TraceStep] | None = [] if explain else None
    kernel = program.kernels.get(SINGLE_HAND) if strength is None and steps is None else None
    choice, judge = kernel(cards) if kernel else None, None
    if choice is None:
        judge = HandJudgement(program, cards, strength)
        choice = judge.decide(steps)
    masks, number = choice
    rule = program.rules[number].rule
    law: tuple[str, ...] = rule.clauses
    if program.rules[number].cites:
        law = (judge or HandJudgement(program, cards, strength)).cited_clauses(number, masks)
    parts = tuple(part_of(cards, mask) for mask in masks)
    return Decision(parts, rule.id, rule.say, law, tuple(steps or ()))


def decide_places(program: CompiledWay, cards: Cards, strength: Strength | None = None) -> tuple[Masks, int]:
    """Set sorted cards: the places of each part, and the number of the rule that decided."""
    return HandJudgement(program, cards, strength).decide()


def part_of(cards: Cards, mask: int) -> Cards:
    """Return the part that holds these places of sorted cards, the highest card first."""
    return tuple([cards[place] for place in _places(mask)])


@cache
def _subsets(masks: tuple[int, ...]) -> dict[int, Pick]:
    return {mask: itemgetter(*_places(mask)) for mask in masks}


@cache
def _places(mask: int) -> tuple[int, ...]:
    """Return the places of a mask, the highest first."""
    return tuple(place for place in reversed(range(mask.bit_length())) if mask >> place & 1)


class HandJudgement:
    """One hand under judgement: what it is, its legal settings and the strengths of their parts."""

    def __init__(self, program: CompiledWay, cards: Cards, strength: Strength | None) -> None:
        self.program, self.cards = program, cards
        masks = setting_masks(program.split)
        self.strengths: list[dict[int, int]] = [
            {mask: strength(part, part_of(cards, mask)) for mask in of_part}
            if strength
            else program.ranking.strengths(name, cards, _subsets(of_part))
            for part, (name, of_part) in enumerate(
                zip(program.ranking.part_names, part_masks(program.split), strict=True)
            )
        ]
        levels = program.complete_levels
        complete = any(levels >> (s >> 20) & 1 for s in self.strengths[0].values())
        self.facts = facts_about(cards, complete=complete)
        self.legal = self._legal(masks)

    def _legal(self, settings: Sequence[Masks]) -> list[Masks]:
        """Return the settings in which no part outranks the longer one before it."""
        left = list(settings)
        for part, ranks in enumerate(self.program.split[1:]):
            longer, shorter = (
                {mask: cross(strength, ranks) for mask, strength in of_part.items()}
                for of_part in self.strengths[part : part + 2]
            )
            left = [m for m in left if shorter[m[part + 1]] <= longer[m[part]]]
        return left

    def decide(self, steps: list[TraceStep] | None = None) -> tuple[Masks, int]:
        """Return the places of each part, and the number of the rule that decided; note how, if asked to."""
        for number, rule in enumerate(self.program.rules):
            step = None
            if steps is not None:
                step = TraceStep(rule.rule.id)
                steps.append(step)
            if self._applies(rule, step):
                return self._choose(rule), number
        raise UndecidedError("no rule decides this hand", value=show(self.cards), where=self.program.way.id)

    def _applies(self, rule: CompiledRule, step: TraceStep | None) -> bool:
        """Whether the rule decides this hand; notes every question and answer when asked to explain."""
        if step is None:
            return self.hand_is(rule.when)
        for row in rule.when.tests:
            step.answers.append((self._show([row]), hand_passes(row, self.facts)))
            if not step.answers[-1][1]:
                return False
        for which, some, wanted in (("some", rule.when.can, True), ("no", rule.when.cannot, False)):
            if some:
                alternatives = ", or ".join(map(self._show, some))
                step.answers.append((f"{which} setting where {alternatives}", self._can(some) == wanted))
                if not step.answers[-1][1]:
                    return False
        step.fired = True
        return True

    def _show(self, rows: Sequence[Row]) -> str:
        names, levels = self.program.ranking.part_names, self.program.levels
        return " and ".join(show_row(row, names, levels) for row in rows)

    def cited_clauses(self, number: int, chosen: Masks) -> tuple[str, ...]:
        """Return the clauses that decide how the hand is set by a rule, in its order."""
        rule = self.program.rules[number]
        left_out = {c for cite in rule.cites if not self._cites(rule, cite, chosen) for c in cite.clauses}
        return tuple(clause for clause in rule.rule.clauses if clause not in left_out)

    def _cites(self, rule: CompiledRule, citation: CompiledCitation, chosen: Masks) -> bool:
        """Whether a citation of the rule is for this hand, set like this."""
        if not self.hand_is(citation.when) or any(map(self.hand_is, citation.unless)):
            return False
        if citation.sets and all(chosen not in self._passing(rows) for rows in citation.sets):
            return False
        if citation.choice is None:
            return True
        return citation.choice == (len({self._strength(m) for m in self.allowed(rule)}) > 1)

    def hand_is(self, when: CompiledWhen) -> bool:
        """Whether the hand is what a condition asks for."""
        for row in when.tests:
            if not hand_passes(row, self.facts):
                return False
        return (not when.can or self._can(when.can)) and not (when.cannot and self._can(when.cannot))

    def _can(self, alternatives: Alternatives) -> bool:
        """Whether some legal setting passes one of the alternatives."""
        return any(self._passing(rows) for rows in alternatives)

    def _strength(self, masks: Masks) -> Masks:
        return tuple(self.strengths[part][mask] for part, mask in enumerate(masks))

    def allowed(self, rule: CompiledRule) -> list[Masks]:
        """Return the settings that the rule allows."""
        if len(rule.require) == 1:
            return self._passing(rule.require[0])
        some = {m for rows in rule.require for m in self._passing(rows)}
        return [m for m in self.legal if m in some]

    def _choose(self, rule: CompiledRule) -> Masks:
        """Return the best of the settings that the rule allows."""
        left = self.allowed(rule)
        where = f"{self.program.way.id}: rule {rule.rule.id}"
        if not left:
            raise UndecidedError("no setting satisfies the rule", value=show(self.cards), where=where)
        for preference in rule.prefer:
            liked = self._liking(preference)
            best = max(map(liked, left))
            left = [m for m in left if liked(m) == best]
        if len({self._strength(m) for m in left}) > 1:
            two = " or ".join(show_setting(part_of(self.cards, x) for x in m) for m in left[:2])
            raise UndecidedError("the rule is ambiguous", value=f"{show(self.cards)}: {two}", where=where)
        return max(left, key=lambda m: m[::-1])

    def _liking(self, preference: int) -> Callable[[Masks], int]:
        """Return what a preference looks at in a setting: the more, the better."""
        if preference == POINTS:
            points = self._points()
            return lambda m: sum(of_part[mask] for of_part, mask in zip(points, m, strict=True))
        part, shift = (preference - LEAD_ONLY, 16) if preference >= LEAD_ONLY else (preference, 0)
        return lambda m: self.strengths[part][m[part]] >> shift

    def _points(self) -> list[dict[int, int]]:
        """Return the points of every set of cards that a part can hold."""
        points = [dict.fromkeys(of_part, 0) for of_part in self.strengths]
        for line in self.program.points:
            passing = [self._that_pass(row) for row in line.rows]
            for mask, strength in self.strengths[line.part].items():
                if all(mask in some for some in passing):
                    points[line.part][mask] += line.of(self._card(line.part, strength, line.place))
        return points

    def _passing(self, rows: Rows) -> list[Masks]:
        """Return the legal settings that pass every row; a row looks at one part, so at few sets of cards."""
        left = self.legal
        for row in rows:
            part, passing = row[1], self._that_pass(row)
            left = [masks for masks in left if masks[part] in passing]
        return left

    def _that_pass(self, row: Row) -> set[int]:
        """Return the sets of cards of one part that pass a row."""
        kind, part, a, b = row
        if kind >= NOT:
            return self.strengths[part].keys() - self._that_pass((kind - NOT, part, a, b))
        strengths = self.strengths[part].items()
        if kind == RowQuestion.KEEPS:
            group = self.facts.groups[a]
            return {mask for mask, _ in strengths if mask & group == group} if group else set()
        if kind == RowQuestion.LEVEL_IN:
            return {mask for mask, s in strengths if a >> (s >> 20) & 1}
        if kind == RowQuestion.TOP_AT_LEAST:
            return {mask for mask, s in strengths if s >> 20 >= _PAIR or s >> 16 & 15 >= a}
        return self._with_cards(row)

    def _with_cards(self, row: Row) -> set[int]:
        """Return the sets of cards of one part whose lead or second card passes a row."""
        kind, part, a, b = row
        straights, strengths = self.program.straights[part], self.strengths[part].items()
        if kind == RowQuestion.WHEEL:
            return {mask for mask, s in strengths if (run := straights.get(s >> 16)) and run.wheel}
        if kind in (RowQuestion.LEAD_IS, RowQuestion.SECOND_IS):
            a = b = self.facts.ranks[a]
            if a == NOTHING:
                return set()
        place = 0 if kind in (RowQuestion.LEAD_IN, RowQuestion.LEAD_IS) else 1
        return {mask for mask, s in strengths if a <= self._card(part, s, place) <= b}

    def _card(self, part: int, strength: int, place: int) -> int:
        """Return the rank of a part's lead, or of its second card."""
        run = self.program.straights[part].get(strength >> 16)
        return run[place] if run else strength >> 16 - 4 * place & 15


def hand_passes(row: Row, facts: HandFacts) -> bool:
    """Answer a row that asks something of the hand."""
    kind, a, b, c = row
    if kind == RowQuestion.SHAPE_IN:
        return bool(b >> facts.shape & 1)
    if kind == RowQuestion.RANK_IN:
        return b <= facts.ranks[a] <= c
    return facts.flags[a] == bool(b)
