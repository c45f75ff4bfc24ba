"""A house way as a document an operator can read and file."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Final

from pydantic import (
    AfterValidator,
    BeforeValidator,
    Field,
    SerializerFunctionWrapHandler,
    model_serializer,
    model_validator,
)

from houseway.cards import RANKS, parse_cards, parse_setting
from houseway.errors import DataError
from houseway.houseways.vocabulary import (
    FLAGS,
    GROUPS,
    HAND_RANKS,
    KEPT,
    PLAYED,
    RANKS_THAT_COUNT,
    SHAPES,
    WHEEL,
    kinds_of_groups,
    no_such,
    rank_range,
)
from houseway.law.citations import UNCITED
from houseway.law.clauses import GroundedCites, KnownCites
from houseway.law.documents import Document, Flag, read_document

HOUSE_WAY_FILES: Final = Path(__file__).parent / "data"
_MOST_POINTS: Final = 999


def _one_of(what: str, known: Iterable[str]) -> AfterValidator:
    """Return what refuses a word that is not among the known ones."""
    words = tuple(known)

    def check(word: str) -> str:
        if word not in words:
            raise DataError(no_such(what, word, words), value=word)
        return word

    return AfterValidator(check)


def _ranks(*words: str) -> AfterValidator:
    """Return what refuses a text that is neither ranks nor one of some words."""

    def check(text: str) -> str:
        if text not in words:
            rank_range(text, words)
        return text

    return AfterValidator(check)


def _several(data: object) -> object:
    return (data,) if isinstance(data, str) else data


def _alternatives(data: object) -> object:
    return (data,) if isinstance(data, dict) else data


def _make_a_hand(groups: Groups) -> Groups:
    if groups and kinds_of_groups(groups) not in PLAYED:
        known = ", ".join(" and ".join(kinds) for kinds in PLAYED)
        raise DataError(f"these groups make no hand together (there are {known})", value=" and ".join(groups))
    return groups


def _some(wanted: PlainPartFilter) -> PlainPartFilter:
    if not wanted.model_fields_set:
        raise DataError("nothing is denied: say what the part must not be")
    return wanted


def _rank_or_category(text: str) -> str:
    if len(text) == 1:
        rank_range(text)
    return text


Names = Annotated[tuple[str, ...], BeforeValidator(_several)]
Groups = tuple[str, ...]
Kept = Annotated[str, _one_of("group", KEPT)]
Played = Annotated[str, _one_of("group", GROUPS)]
Shape = Annotated[str, _one_of("shape", SHAPES)]
HandRank = Annotated[str, _one_of("rank to speak of", HAND_RANKS)]
Ranks = Annotated[str, _ranks()]
Lead = Annotated[str, _ranks(*HAND_RANKS, WHEEL)]
Second = Annotated[str, _ranks(*HAND_RANKS)]


class PlainPartFilter(Document):
    """What one part of a setting must be, or in a ``not`` must not be: all of it together."""

    category: Names = ()
    at_least: Annotated[str, AfterValidator(_rank_or_category)] | None = None
    lead: Lead | None = None
    second: Second | None = None
    keeps: Annotated[tuple[Kept, ...], BeforeValidator(_several)] = ()
    plays: Annotated[tuple[Played, ...], BeforeValidator(_several), AfterValidator(_make_a_hand)] = ()

    @model_serializer(mode="wrap")
    def _without_unused(self, plain: SerializerFunctionWrapHandler) -> dict[str, Any]:
        return _leave_out_empty(plain(self), "plays", "denied")


class PartFilter(PlainPartFilter):
    """What one part of a setting must be."""

    denied: Annotated[
        tuple[Annotated[PlainPartFilter, AfterValidator(_some)], ...], BeforeValidator(_alternatives)
    ] = Field(default=(), alias="not")
    """What it must not be; of several none."""


SettingFilter = dict[str, PartFilter]
Alternatives = Annotated[tuple[SettingFilter, ...], BeforeValidator(_alternatives)]
"""Filters of which a setting must pass one; a single one needs no list."""


class When(Document):
    """What a hand must be for a rule to decide it."""

    shape: Annotated[tuple[Shape, ...], BeforeValidator(_several)] = ()
    joker: Flag | None = None
    complete: Flag | None = None
    one_suit: Flag | None = None
    run: Flag | None = None
    ranks: dict[HandRank, Ranks] = {}
    can: Alternatives = ()
    """What some legal setting must be."""
    cannot: Alternatives = ()
    """What no legal setting may be."""

    @model_serializer(mode="wrap")
    def _as_before_there_were_alternatives(self, plain: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """Write a condition without the newer words as it always was: records of rounds hold its hash."""
        data = _leave_out_empty(plain(self), "cannot")
        if "can" in data and len(data["can"]) <= 1:
            data["can"] = data["can"][0] if data["can"] else {}
        return data

    def flags(self) -> dict[str, bool]:
        """Return the flags it asks for."""
        given = {name: getattr(self, name) for name in FLAGS}
        return {name: value for name, value in given.items() if value is not None}


def _leave_out_empty(data: dict[str, Any], *names: str) -> dict[str, Any]:
    return {name: value for name, value in data.items() if name not in names or value}


class Citation(Document):
    """Which hands of a rule some of its clauses are cited for: these decide them, and no others."""

    clauses: GroundedCites
    when: When = When()
    unless: Annotated[tuple[When, ...], BeforeValidator(_alternatives)] = ()
    sets: Alternatives = ()
    """What the setting that was chosen is."""
    choice: Flag | None = None
    """Whether the rule allows settings of different strength."""


class Points(Document):
    """What a part of a setting counts for, if it is made like this: the points of a setting are their sum."""

    say: str
    part: str
    made: PlainPartFilter = PlainPartFilter()
    """What the part must be; anything if left out."""
    points: int = Field(default=0, ge=-_MOST_POINTS, le=_MOST_POINTS)
    each: int = Field(default=0, ge=-_MOST_POINTS, le=_MOST_POINTS)
    """The points more for each rank by which its lead is above another."""
    of: Annotated[str, _one_of("rank that counts", RANKS_THAT_COUNT)] = RANKS_THAT_COUNT[0]
    """Whether it is the rank of its lead that counts, or the one beside it."""
    above: Annotated[str, _one_of("rank", RANKS)] = RANKS[0]
    """That other rank."""


class Rule(Document):
    """One rule: when it applies, which settings it allows, and which of those it likes best."""

    id: str = Field(pattern=r"^[a-z0-9][a-z0-9-]*$")
    say: str
    clauses: KnownCites = UNCITED
    """Everything it rests on; cited for every hand that it decides, unless a citation says for which."""
    cites: tuple[Citation, ...] = ()
    only_if: dict[str, str] = {}
    unless: dict[str, str] = {}
    when: When = When()
    require: Alternatives = ()
    prefer: tuple[str, ...] = Field(min_length=1)
    worth: str | None = Field(default=None, pattern=r"^-?[0-9]+\.[0-9]{4}$")
    """What the rule adds to the house's edge, in points, as ``houseway way worth`` counted it."""

    @model_validator(mode="after")
    def _cites_its_own(self) -> Rule:
        for clause in (c for citation in self.cites for c in citation.clauses):
            if clause not in self.clauses:
                raise DataError("a rule cites only clauses that it rests on", value=clause)
        return self


class Example(Document):
    """A hand, and how the house way sets it."""

    hand: str
    sets: str
    say: str = ""

    @model_validator(mode="after")
    def _same_cards(self) -> Example:
        set_cards = [card for part in parse_setting(self.sets) for card in part]
        if sorted(set_cards) != sorted(parse_cards(self.hand)):
            raise DataError("the setting does not hold the cards of the hand", value=self.sets)
        return self


class Source(Document):
    """Where a house way was published."""

    title: str
    address: str = Field(pattern=r"^https?://")
    note: str = ""


class HouseWay(Document):
    """A total, deterministic way to set every hand: the first rule that applies decides."""

    id: str
    title: str
    ranking: str
    parts: tuple[str, ...] = ()
    about: str
    source: tuple[Source, ...] = ()
    ours: Flag = False
    clauses: KnownCites = UNCITED
    rule: tuple[Rule, ...] = Field(min_length=1)
    points: tuple[Points, ...] = ()
    example: tuple[Example, ...] = ()

    @model_serializer(mode="wrap")
    def _as_before_there_were_points(self, plain: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """Write a way without points as it always was: records of rounds hold its hash."""
        return _leave_out_empty(plain(self), "points")

    def rules_text(self) -> str:
        """Return all that decides how hands are set, as text: worth, sources, citations, examples do not."""
        return self.model_dump_json(
            exclude={"source": True, "example": True, "rule": {"__all__": {"worth", "cites"}}}
        )

    @model_validator(mode="after")
    def _each_rule_once(self) -> HouseWay:
        names = [rule.id for rule in self.rule]
        for name in names:
            if names.count(name) > 1:
                raise DataError("rule given twice", value=name)
        return self


@cache
def house_way_ids() -> tuple[str, ...]:
    """Return the ids of the house ways that come with houseway, which are the names of their files."""
    return tuple(sorted(path.stem for path in HOUSE_WAY_FILES.glob("*.toml")))


@cache
def included_way(way_id: str) -> HouseWay:
    """Return a house way that comes with houseway; its file alone is read."""
    return read_document(HouseWay, HOUSE_WAY_FILES / f"{way_id}.toml")


def house_ways() -> tuple[HouseWay, ...]:
    """Return the house ways that come with houseway."""
    return tuple(map(included_way, house_way_ids()))
