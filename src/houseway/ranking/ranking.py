"""A rule set's ranking: its parts, listings, order of a legal setting, and who wins, as one document."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache, cached_property
from itertools import chain
from pathlib import Path
from typing import Final, Literal

from pydantic import Field, model_validator

from houseway.cards import JOKER, RANKS, Card, Cards
from houseway.errors import DataError, IllegalError, UnknownNameError
from houseway.law.citations import UNCITED, Cites, strike
from houseway.law.clauses import KnownCites
from houseway.law.documents import Document, Flag, leave_out, read_document
from houseway.law.readings import choose_readings, option_fault
from houseway.ranking.held import AceLow, PartCards, Pick, kind_of, kinds_of
from houseway.ranking.listing import Among, DealtHand, JokerMode, Listing, first_made
from houseway.ranking.memo import Memo, once
from houseway.ranking.order import CardTerms, Category, JokerTerms, Judge, PartOrder, Ranked, Result
from houseway.ranking.picture import Glance, glance

RANKING_FILES: Final = Path(__file__).parent / "data"


class RaceResult(StrEnum):
    """How a player's part compares with the dealer's."""

    HIGHER = "W"
    COPY = "T"
    LOWER = "L"


_HIGHER, _COPY, _LOWER = RaceResult


class OrderRule(Document):
    """One part must not rank below another."""

    higher: str
    lower: str
    clauses: KnownCites = UNCITED


class SplitTerms(Document):
    """What a wrong number of cards in a part is: a foul that loses, or no setting at all."""

    wrong: Literal["foul", "refused"]
    clauses: KnownCites = UNCITED


class ResultRule(Document):
    """When these comparisons come about, the main wager wins, loses or is returned."""

    result: Result
    at_least: dict[str, int] = {}
    parts: tuple[str, ...] = ()
    player_joker: Flag = False
    clauses: KnownCites = UNCITED


class Qualifier(Document):
    """A yes-or-no question about all the dealt cards: do they make this hand, or a better one?"""

    id: str
    listing: str
    at_least: str
    lead: str | None = None
    clauses: KnownCites = UNCITED


class RankingDocument(Document):
    """Everything the law says about what beats what in one game."""

    id: str
    rule_set: str | None = None
    joker: JokerTerms
    cards: CardTerms
    ace_low_straight: AceLow
    ace_low_straight_flush: AceLow
    part: tuple[PartOrder, ...] = Field(min_length=2)
    split: SplitTerms
    setting: tuple[OrderRule, ...]
    foul: KnownCites = UNCITED
    result: tuple[ResultRule, ...]
    listing: tuple[Listing, ...] = ()
    qualifier: tuple[Qualifier, ...] = ()

    @model_validator(mode="after")
    def _leaves_points_to_readings(self) -> RankingDocument:
        for name, choice in self._left_to_readings():
            fault = option_fault(self.rule_set, name, choice)
            if fault:
                raise DataError(fault, value=name if choice is None else f"{name} = {choice}")
        return self

    def _left_to_readings(self) -> Iterator[tuple[str, str | None]]:
        """Yield each reading that the document names, with the choice it asks for."""
        options = (
            self.joker.flush_with_ace_option,
            self.joker.dealer_run_option,
            self.cards.tie_break_option,
        )
        yield from ((name, None) for name in options if name is not None)
        for listing in self.listing:
            yield from listing.best_paying.items()
        lists = [part.category for part in self.part] + [listing.category for listing in self.listing]
        for line in chain.from_iterable(lists):
            yield from (*line.only_if.items(), *line.unless.items())

    @property
    def readings_of_parts(self) -> frozenset[str]:
        """The readings that the strength of a part may depend on."""
        options = (self.joker.flush_with_ace_option, self.cards.tie_break_option)
        lines = [category for part in self.part for category in part.category]
        conditions = (name for line in lines for name in (*line.only_if, *line.unless))
        return frozenset([*(name for name in options if name is not None), *conditions])

    @model_validator(mode="after")
    def _lower_is_shorter(self) -> RankingDocument:
        sizes = {part.name: part.cards for part in self.part}
        for rule in self.setting:
            if sizes[rule.lower] >= sizes[rule.higher]:
                raise DataError(
                    "a part is lower than one of more cards", value=f"{rule.lower}, {rule.higher}"
                )
        return self


@dataclass(frozen=True)
class Ranking:
    """A ranking document under given options and readings."""

    document: RankingDocument
    ace_low_straight: AceLow
    ace_low_straight_flush: AceLow
    readings: Mapping[str, str] = field(default_factory=dict)
    memo: Memo = field(default_factory=Memo, compare=False, repr=False)
    struck: tuple[str, ...] = ()
    """The clauses that are no longer in force."""

    @property
    def id(self) -> str:
        """The document's id."""
        return self.document.id

    @cached_property
    def split(self) -> tuple[int, ...]:
        """The sizes of the parts, high first."""
        return tuple(part.cards for part in self.document.part)

    @cached_property
    def part_names(self) -> tuple[str, ...]:
        """The names of the parts, high first."""
        return tuple(part.name for part in self.document.part)

    @cached_property
    def all_parts(self) -> frozenset[str]:
        """The names of the parts, in no order."""
        return frozenset(self.part_names)

    @cached_property
    def order_rules(self) -> tuple[tuple[OrderRule, int, int], ...]:
        """Which part must not rank below which: the rule, and the places of the lower and the higher part."""
        place = self.part_names.index
        return tuple((rule, place(rule.lower), place(rule.higher)) for rule in self.document.setting)

    @cached_property
    def judges(self) -> dict[str, Judge]:
        """A judge for each part, by name."""
        return {
            part.name: Judge(
                part,
                self.document.joker,
                self.document.cards,
                self.ace_low_straight,
                self.ace_low_straight_flush,
                self.readings,
            )
            for part in self.document.part
        }

    def judge(self, part: str) -> Judge:
        """Return the judge of a part."""
        if part not in self.judges:
            names = ", ".join(self.part_names)
            raise UnknownNameError(f"the parts of {self.id} are {names}", value=part)
        return self.judges[part]

    def rank(self, part: str, cards: Sequence[Card]) -> Ranked:
        """Rank the cards of a part.

        Only ranks, the joker and "one suit or several" count, so each such kind of hand is judged once.
        """
        return self.rank_kind(part, kind_of(cards))

    def rank_kind(self, part: str, kind: int) -> Ranked:
        """Rank a kind of hand."""
        return once(self.memo.ranked, (part, kind), self._judge_kind, part, kind)

    def _judge_kind(self, part: str, kind: int) -> Ranked:
        return self.judge(part).rank(PartCards.of_kind(kind))

    def strength(self, part: str, cards: Sequence[Card]) -> int:
        """Return only the number that orders the hands of a part."""
        return self.rank_kind(part, kind_of(cards)).strength

    def strengths(self, part: str, cards: Cards, subsets: Mapping[int, Pick]) -> dict[int, int]:
        """Return the strengths of several subsets of cards, each a mask and what picks its cards."""
        known = self.memo.ranked
        return {
            mask: (known.get((part, kind)) or self.rank_kind(part, kind)).strength
            for mask, kind in kinds_of(cards, subsets).items()
        }

    def compare(self, part: str, player: Sequence[Card], dealer: Sequence[Card]) -> RaceResult:
        """Compare a player's part with the dealer's; a copy is for the dealer to count."""
        return self.outcome(part, player, self.strength(part, player), self.strength(part, dealer))

    def outcome(self, part: str, player: Sequence[Card], mine: int, theirs: int) -> RaceResult:
        """Compare a player's part with the dealer's by their strengths."""
        joker = self._jokers.get(part)
        if joker is not None and JOKER in player and joker.stands:
            return _HIGHER
        if mine == theirs:
            self.document.cards.copies.require()
            return _COPY
        return _HIGHER if mine > theirs else _LOWER

    @cached_property
    def _jokers(self) -> dict[str, Cites]:
        """The parts that a player's joker wins against any hand of the dealer."""
        return {part.name: part.player_joker for part in self.document.part if part.player_joker}

    def listing(self, listing_id: str) -> Listing:
        """Return the listing of a wager."""
        for listing in self.document.listing:
            if listing.id == listing_id:
                return listing
        names = ", ".join(x.id for x in self.document.listing)
        raise UnknownNameError(f"{self.id} lists the hands of {names}", value=listing_id)

    def bonus(
        self, listing_id: str, cards: Sequence[Card], mode: JokerMode = "semi", among: Among = None
    ) -> str:
        """Return the category that all the dealt cards make for a wager, or ``none``.

        ``among`` names the hands of a posted paytable, where the law leaves the list to the operator.
        """
        return self.category_made(listing_id, glance(cards), mode, among)

    def category_made(
        self, listing_id: str, hand: Glance, mode: JokerMode = "semi", among: Among = None
    ) -> str:
        """Return the category that a hand, already looked at, makes for a wager, or ``none``."""
        if len(hand.cards) != self.dealt_cards:
            raise IllegalError(f"all {self.dealt_cards} dealt cards are looked at", value=len(hand.cards))

        if hand.picture is None:
            return self._made_by(listing_id, hand.cards, mode, among)
        key = (listing_id, hand.picture, mode, among)
        return once(self.memo.categories, key, self._made_by, listing_id, hand.cards, mode, among)

    def _made_by(self, listing_id: str, cards: Cards, mode: JokerMode, among: Among) -> str:
        return first_made(DealtHand(cards, mode), self._listed(listing_id, among))

    def _listed(self, listing_id: str, among: Among = None) -> tuple[Category, ...]:
        """Return the categories of a listing that stand, best first."""
        listing = self.listing(listing_id)
        listing.clauses.require()
        key = (listing_id, among)
        return once(self.memo.listed, key, listing.standing, self.readings, among)

    @cached_property
    def dealt_cards(self) -> int:
        """How many cards a hand has."""
        return sum(self.split)

    def qualifier(self, name: str) -> Qualifier:
        """Return one of the document's questions."""
        qualifier = self._qualifiers.get(name)
        if qualifier is None:
            raise UnknownNameError(f"{self.id} asks no such question", value=name)
        return qualifier

    @cached_property
    def _qualifiers(self) -> dict[str, Qualifier]:
        return {qualifier.id: qualifier for qualifier in self.document.qualifier}

    def qualifies(self, qualifier: str, cards: Sequence[Card]) -> bool:
        """Answer one of the document's questions about all the dealt cards."""
        return self.meets(qualifier, glance(cards))

    def meets(self, qualifier: str, hand: Glance) -> bool:
        """Answer one of the document's questions about a hand already looked at."""
        question = self.qualifier(qualifier)
        category = self.category_made(question.listing, hand)
        if category == question.at_least and question.lead is not None:
            question.clauses.require()
            return _pair_rank(hand.cards) >= RANKS.index(question.lead) + 2
        return category in self.enough(qualifier)

    def enough(self, qualifier: str) -> frozenset[str]:
        """Return the categories that stand as high in their listing as a question asks."""
        return once(self.memo.enough, qualifier, self._enough, self.qualifier(qualifier))

    def _enough(self, question: Qualifier) -> frozenset[str]:
        question.clauses.require()
        names = [category.name for category in self._listed(question.listing)]
        return frozenset(names[: names.index(question.at_least) + 1])


def _pair_rank(cards: Sequence[Card]) -> int:
    """Return the rank of the only pair, the joker an ace."""
    ranks = [card.rank for card in cards]
    return max([rank for rank in ranks if ranks.count(rank) > 1])


def ranking(
    ranking_id: str,
    *,
    ace_low_straight: AceLow | None = None,
    ace_low_straight_flush: AceLow | None = None,
    readings: Mapping[str, str] | None = None,
    leaving: tuple[str, ...] = (),
    memo: Memo | None = None,
    struck: tuple[str, ...] = (),
) -> Ranking:
    """Return a ranking; options and readings that are not given take the document's default.

    ``leaving`` leaves out clauses that begin so: those of procedures that a table does not follow; ``struck``
    names clauses that are no longer in force. ``memo`` keeps what it works out, for rules that have one.

    >>> from houseway.cards import parse_cards
    >>> ranking("pa-659a").rank("high", parse_cards("Ks 9s 4s Jk")).value
    'flush AK94'
    """
    document = ranking_document(ranking_id)
    defaults = choose_readings(document.rule_set, {}) if document.rule_set else {}
    return Ranking(
        strike(leave_out(document, leaving) if leaving else document, struck),
        ace_low_straight or document.ace_low_straight,
        ace_low_straight_flush or document.ace_low_straight_flush,
        defaults | dict(readings or {}),
        memo or Memo(),
        struck,
    )


@cache
def ranking_document(ranking_id: str) -> RankingDocument:
    """Return the ranking document of this id."""
    files = {path.stem: path for path in sorted(RANKING_FILES.glob("*.toml"))}
    if ranking_id not in files:
        raise UnknownNameError(f"no such ranking (there are {', '.join(files)})", value=ranking_id)
    return read_document(RankingDocument, files[ranking_id])
