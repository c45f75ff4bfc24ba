"""A house way as a document an operator can read and file."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Annotated, Final

from pydantic import BeforeValidator, Field, model_validator

from houseway.errors import DataError, UnknownNameError
from houseway.houseways.vocabulary import FACTS, FLAGS, KEPT, SHAPES, rank_range
from houseway.law.clauses import ClauseId
from houseway.law.documents import Document, Flag, read_document

HOUSE_WAY_FILES: Final = Path(__file__).parent / "data"


def _several(data: object) -> object:
    return (data,) if isinstance(data, str) else data


Names = Annotated[tuple[str, ...], BeforeValidator(_several)]


class PartFilter(Document):
    """What one part of a setting must be."""

    category: Names = ()
    at_least: str | None = None
    lead: str | None = None
    second: str | None = None
    keeps: Names = ()

    @model_validator(mode="after")
    def _known(self) -> PartFilter:
        for group in self.keeps:
            if group not in KEPT:
                raise DataError(f"no such group (there are {', '.join(KEPT)})", value=group)
        if self.lead is not None and self.lead not in FACTS:
            rank_range(self.lead)
        if self.second is not None:
            rank_range(self.second)
        if self.at_least is not None and len(self.at_least) == 1:
            rank_range(self.at_least)
        return self


SettingFilter = dict[str, PartFilter]


def _alternatives(data: object) -> object:
    return (data,) if isinstance(data, dict) else data


class When(Document):
    """What a hand must be for a rule to decide it."""

    shape: Names = ()
    joker: Flag | None = None
    complete: Flag | None = None
    one_suit: Flag | None = None
    run: Flag | None = None
    ranks: dict[str, str] = {}
    can: SettingFilter = {}

    @model_validator(mode="after")
    def _known(self) -> When:
        for shape in self.shape:
            if shape not in SHAPES:
                raise DataError(f"no such shape (there are {', '.join(SHAPES)})", value=shape)
        for fact, text in self.ranks.items():
            if fact not in FACTS:
                raise DataError(f"no such rank to speak of (there are {', '.join(FACTS)})", value=fact)
            rank_range(text)
        return self

    def flags(self) -> dict[str, bool]:
        """Return the flags it asks for."""
        given = {name: getattr(self, name) for name in FLAGS}
        return {name: value for name, value in given.items() if value is not None}


class Citation(Document):
    """Which hands of a rule some of its clauses are cited for: these decide them, and no others."""

    clauses: tuple[ClauseId, ...] = Field(min_length=1)
    when: When = When()
    unless: Annotated[tuple[When, ...], BeforeValidator(_alternatives)] = ()
    sets: SettingFilter = {}
    """What the setting that was chosen is."""
    choice: Flag | None = None
    """Whether the rule allows settings of different strength."""


class Rule(Document):
    """One rule: when it applies, which settings it allows, and which of those it likes best."""

    id: str = Field(pattern=r"^[a-z0-9][a-z0-9-]*$")
    say: str
    clauses: tuple[ClauseId, ...] = ()
    """Everything it rests on; cited for every hand that it decides, unless a citation says for which."""
    cites: tuple[Citation, ...] = ()
    only_if: dict[str, str] = {}
    unless: dict[str, str] = {}
    when: When = When()
    require: Annotated[tuple[SettingFilter, ...], BeforeValidator(_alternatives)] = ()
    prefer: tuple[str, ...] = Field(min_length=1)
    worth: str | None = Field(default=None, pattern=r"^-?[0-9]+\.[0-9]{4}$")
    """What the rule adds to the house's edge, in points, as ``houseway way worth`` counted it."""

    @model_validator(mode="after")
    def _cites_its_own(self) -> Rule:
        for clause in (c for citation in self.cites for c in citation.clauses):
            if clause not in self.clauses:
                raise DataError("a rule cites only clauses that it rests on", value=clause)
        return self


class HouseWay(Document):
    """A total, deterministic way to set every hand: the first rule that applies decides."""

    id: str
    title: str
    ranking: str
    parts: tuple[str, ...] = ()
    about: str
    ours: Flag = False
    clauses: tuple[ClauseId, ...] = ()
    rule: tuple[Rule, ...] = Field(min_length=1)

    def rules_text(self) -> str:
        """Return all that decides how hands are set, as text: worth, and which hand cites what, do not."""
        return self.model_dump_json(exclude={"rule": {"__all__": {"worth", "cites"}}})

    @model_validator(mode="after")
    def _each_rule_once(self) -> HouseWay:
        names = [rule.id for rule in self.rule]
        for name in names:
            if names.count(name) > 1:
                raise DataError("rule given twice", value=name)
        return self


def read_house_way(path: Path) -> HouseWay:
    """Read a house way from a file."""
    return read_document(HouseWay, path)


@cache
def house_ways() -> tuple[HouseWay, ...]:
    """Return the house ways that come with houseway."""
    return tuple(read_house_way(path) for path in sorted(HOUSE_WAY_FILES.glob("*.toml")))


def house_way(name: str) -> HouseWay:
    """Return a house way by id, or read it from a file."""
    for found in house_ways():
        if found.id == name:
            return found
    if name.endswith(".toml"):
        return read_house_way(Path(name))
    known = ", ".join(w.id for w in house_ways())
    raise UnknownNameError(f"no such house way (there are {known}, or give a .toml file)", value=name)
