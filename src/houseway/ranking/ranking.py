"""A rule set's ranking: its parts, listings, order of a legal setting, and who wins, as one document."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache, cached_property, lru_cache, partial
from pathlib import Path
from typing import Any, Final, Literal

from pydantic import Field, model_validator

from houseway.cards import JOKER, RANKS, Card, Cards
from houseway.errors import DataError, IllegalError, UnknownNameError
from houseway.law.claims import Memory, all_standing, rest_on, watched
from houseway.law.clauses import ClauseId
from houseway.law.documents import Document, Flag, leaving_out, read_document
from houseway.law.readings import chosen
from houseway.ranking.held import AceLow, Held, kind_of, kind_of_word, words_of
from houseway.ranking.listing import Among, DealtHand, JokerMode, Listing, first_made
from houseway.ranking.order import CardTerms, Category, JokerTerms, Judge, PartOrder, Ranked
from houseway.ranking.picture import picture

RANKING_FILES: Final = Path(__file__).parent / "data"
Pick = Callable[[Sequence[Any]], Any]
"""Picks what lies at some places of a row: one thing by itself, several as a tuple."""
_LATELY: Final = 4_096
"""So many answers about whole hands are kept."""
Cites = tuple[ClauseId, ...]


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
    clauses: Cites = ()


class SplitTerms(Document):
    """What a wrong number of cards in a part is: a foul that loses, or no setting at all."""

    wrong: Literal["foul", "refused"]
    clauses: Cites = ()


class ResultRule(Document):
    """When these comparisons come about, the main wager wins, loses or is returned."""

    result: Literal["win", "lose", "push"]
    at_least: dict[str, int] = {}
    parts: tuple[str, ...] = ()
    player_joker: Flag = False
    clauses: Cites = ()


class Qualifier(Document):
    """A yes-or-no question about all the dealt cards: do they make this hand, or a better one?"""

    id: str
    listing: str
    at_least: str
    lead: str | None = None
    clauses: Cites = ()


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
    foul: Cites = ()
    result: tuple[ResultRule, ...]
    listing: tuple[Listing, ...] = ()
    qualifier: tuple[Qualifier, ...] = ()

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
        known = self._ranked.get(part)
        if known is None or watched():
            return self._judged(part, kind)
        found = known.get(kind)
        if found is None:
            found = known[kind] = self._judged(part, kind)
        return found

    def _judged(self, part: str, kind: int) -> Ranked:
        found: Ranked = self.memory.recall((part, kind), lambda: self.judge(part).rank(Held.of_kind(kind)))
        return found

    @cached_property
    def _ranked(self) -> dict[str, dict[int, Ranked]]:
        """Of each part every kind of hand seen so far: at most some thousands."""
        return {name: {} for name in self.part_names}

    def strength(self, part: str, cards: Sequence[Card]) -> int:
        """Return only the number that orders the hands of a part."""
        return self.rank_kind(part, kind_of(cards)).strength

    def strengths(self, part: str, cards: Cards, subsets: Mapping[int, Pick]) -> dict[int, int]:
        """Return the strengths of several subsets of sorted cards, each a mask and what picks its cards."""
        single = next(iter(subsets)).bit_count() == 1
        if single:
            return {mask: self.strength(part, (pick(cards),)) for mask, pick in subsets.items()}
        words, rank = words_of(cards), self.rank_kind
        return {mask: rank(part, kind_of_word(sum(pick(words)))).strength for mask, pick in subsets.items()}

    @cached_property
    def memory(self) -> Memory[object, Any]:
        """What was worked out under this ranking and need not be worked out again."""
        return Memory()

    def compare(self, part: str, player: Sequence[Card], dealer: Sequence[Card]) -> RaceResult:
        """Compare a player's part with the dealer's; a copy is for the dealer to count."""
        return self.outcome(part, player, self.strength(part, player), self.strength(part, dealer))

    def outcome(self, part: str, player: Sequence[Card], mine: int, theirs: int) -> RaceResult:
        """Compare a player's part with the dealer's by their strengths."""
        joker = self._jokers.get(part)
        if joker is not None and JOKER in player and all_standing(joker):
            return _HIGHER
        if mine == theirs:
            rest_on(*self.document.cards.copies)
            return _COPY
        return _HIGHER if mine > theirs else _LOWER

    @cached_property
    def _jokers(self) -> dict[str, Cites]:
        """The parts that a player's joker wins, whatever the dealer holds."""
        return {part.name: part.player_joker for part in self.document.part if part.player_joker}

    def listing(self, listing_id: str) -> Listing:
        """Return the listing of a wager."""
        for found in self.document.listing:
            if found.id == listing_id:
                return found
        names = ", ".join(x.id for x in self.document.listing)
        raise UnknownNameError(f"{self.id} lists the hands of {names}", value=listing_id)

    def bonus(
        self, listing_id: str, cards: Sequence[Card], mode: JokerMode = "semi", among: Among = None
    ) -> str:
        """Return the category that all the dealt cards make for a wager, or ``none``.

        ``among`` names the hands of a posted paytable, where the law leaves the list to the operator.
        """
        held = tuple(cards)
        if len(held) != self.dealt_cards:
            raise IllegalError(f"all {self.dealt_cards} dealt cards are looked at", value=len(held))
        seen = picture(held)
        return self._made.recall(
            (listing_id, held if seen is None else seen, mode, among),
            lambda: self._category(listing_id, held, mode, among),
        )

    def _category(self, listing_id: str, held: Cards, mode: JokerMode, among: Among) -> str:
        listing = self.listing(listing_id)
        rest_on(*listing.clauses)
        listed: tuple[Category, ...] = self.memory.recall(
            ("listed", listing_id, among), lambda: listing.standing(self.readings, among)
        )
        return first_made(dealt(held, mode), listed)

    @cached_property
    def dealt_cards(self) -> int:
        """How many cards a hand has."""
        return sum(self.split)

    @cached_property
    def _made(self) -> Memory[object, str]:
        """What each picture makes, and the hands of the last rounds that show none."""
        return Memory(most=10_000)

    def qualifier(self, name: str) -> Qualifier:
        """Return one of the document's questions."""
        for found in self.document.qualifier:
            if found.id == name:
                return found
        raise UnknownNameError(f"{self.id} asks no such question", value=name)

    def qualifies(self, qualifier: str, cards: Sequence[Card]) -> bool:
        """Answer one of the document's questions about all the dealt cards."""
        question, held = self.qualifier(qualifier), tuple(cards)
        seen = picture(held) if question.lead is None else None
        asked = (qualifier, held if seen is None else seen)
        return self._answers.recall(asked, partial(self._qualifies, question, held))

    @cached_property
    def _answers(self) -> Memory[tuple[str, Cards | int], bool]:
        """What was asked lately, of pictures or, where that is not enough, of cards."""
        return Memory(most=_LATELY)

    def _qualifies(self, asked: Qualifier, cards: Cards) -> bool:
        made = self.bonus(asked.listing, cards)
        if made == asked.at_least and asked.lead is not None:
            rest_on(*asked.clauses)
            return _pair_rank(cards) >= RANKS.index(asked.lead) + 2
        enough: bool = self.memory.recall(("enough", asked.id, made), lambda: self._enough(asked, made))
        return enough

    def _enough(self, found: Qualifier, made: str) -> bool:
        """Whether a category stands as high in its listing as a question asks."""
        rest_on(*found.clauses)
        names = [category.name for category in self.listing(found.listing).standing(self.readings)]
        return made in names and names.index(made) <= names.index(found.at_least)


@lru_cache(maxsize=64)
def dealt(cards: tuple[Card, ...], mode: JokerMode) -> DealtHand:
    """Look at all the cards of a player, once for the several listings that ask about them."""
    return DealtHand(cards, mode)


def _pair_rank(cards: Sequence[Card]) -> int:
    """Return the rank of the only pair, the joker an ace."""
    ranks = [card.rank for card in cards]
    return max(rank for rank in ranks if ranks.count(rank) > 1)


def ranking(
    ranking_id: str,
    *,
    ace_low_straight: AceLow | None = None,
    ace_low_straight_flush: AceLow | None = None,
    readings: Mapping[str, str] | None = None,
    leaving: tuple[str, ...] = (),
) -> Ranking:
    """Return a ranking; options and readings that are not given take the document's default.

    ``leaving`` leaves out clauses that begin so: those of procedures that a table does not follow.

    >>> from houseway.cards import parse_cards
    >>> ranking("pa-659a").rank("high", parse_cards("Ks 9s 4s Jk")).value
    'flush AK94'
    """
    document = ranking_document(ranking_id)
    defaults = chosen(document.rule_set, {}) if document.rule_set else {}
    taken = defaults | dict(readings or {})
    return _ranking(
        ranking_id,
        ace_low_straight or document.ace_low_straight,
        ace_low_straight_flush or document.ace_low_straight_flush,
        tuple(sorted(taken.items())),
        leaving,
    )


@lru_cache(maxsize=64)
def _ranking(
    ranking_id: str,
    straight: AceLow,
    straight_flush: AceLow,
    readings: tuple[tuple[str, str], ...],
    leaving: tuple[str, ...],
) -> Ranking:
    """Return one object for one meaning, so that what it has worked out is shared."""
    document = ranking_document(ranking_id)
    if leaving:
        document = leaving_out(document, leaving)
    return Ranking(document, straight, straight_flush, dict(readings))


@cache
def ranking_document(ranking_id: str) -> RankingDocument:
    """Return the ranking document of this id."""
    path = RANKING_FILES / f"{ranking_id}.toml"
    if not path.exists():
        known = ", ".join(sorted(p.stem for p in RANKING_FILES.glob("*.toml")))
        raise UnknownNameError(f"no such ranking (there are {known})", value=ranking_id)
    return read_document(RankingDocument, path)
