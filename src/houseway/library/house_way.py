"""A house way to try: set hands by it, read its rules, prove it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from houseway.errors import InvalidInputError
from houseway.houseways import CompiledWay, HouseWay, compile_way, decide, house_way, house_ways
from houseway.library.inputs import GivenCards, read_cards, read_name
from houseway.library.values import HouseWayHand, parts_of
from houseway.ranking import Ranking, describe
from houseway.showing import Row, Rows, html_table, page_part

if TYPE_CHECKING:
    from houseway.houseways.proof import WayReport


def set_by(program: CompiledWay, given: GivenCards, *, explain: bool = False) -> HouseWayHand:
    """Set a hand by a house way."""
    cards = read_cards(given, sum(program.split))
    decision, order = decide(program, cards, explain=explain), program.ranking
    hands = [
        describe(order.rank(n, part)) for n, part in zip(order.part_names, decision.setting, strict=True)
    ]
    parts = parts_of(order.part_names, decision.setting, hands)
    return HouseWayHand(parts, decision.rule, decision.say, decision.clauses, decision.steps)


@dataclass(frozen=True, repr=False)
class OpenWay:
    """A house way, compiled for its own ranking or for another game's."""

    program: CompiledWay

    @property
    def document(self) -> HouseWay:
        """The document, as it was read."""
        return self.program.way

    @property
    def id(self) -> str:
        """Its id."""
        return self.document.id

    def set(self, cards: GivenCards, *, explain: bool = False) -> HouseWayHand:
        """Set a hand; with ``explain`` the answer lists every question the rules asked.

        >>> from houseway.library import way
        >>> str(way("foxwoods").set("Ks Kh 9d 9s 5h 5d 2c"))
        '9s9d5h5d2c / KsKh'
        """
        return set_by(self.program, cards, explain=explain)

    def check(self) -> Rows:
        """Prove it over every hand and return how many each rule decides; raise where it is not sound."""
        report = self._report
        if not report.sound:
            raise InvalidInputError(f"the house way is not sound: {report.faults[0]}", value=self.id)
        rows = [
            {"rule": rule, "hands": hands, "share": hands / report.hands}
            for rule, hands in report.by_rule.items()
        ]
        return Rows(rows, f"{self.id}: {report.hands:,} hands, each decided by one rule, none foul")

    @cached_property
    def _report(self) -> WayReport:
        from houseway.houseways.proof import prove_way  # noqa: PLC0415 - arrays only when they are needed

        return prove_way(self.program)

    def rows(self) -> list[Row]:
        """Return a row for each rule, in their order."""
        return [
            {"rule": rule.id, "the dealer": rule.say, "clauses": ", ".join(rule.clauses)}
            for rule in self.document.rule
        ]

    def __repr__(self) -> str:
        return f"{self.document.title} ({self.id}), {len(self.document.rule)} rules"

    def _repr_html_(self) -> str:
        return page_part(html_table(self.rows(), f"{self.document.title} ({self.id})"))


def open_way(given: object, base: Ranking | None = None) -> OpenWay:
    """Open a house way by id or file, for a ranking if one is given."""
    if isinstance(given, OpenWay):
        return OpenWay(compile_way(given.document, base=base)) if base else given
    return OpenWay(compile_way(house_way(read_name(given, "a house way")), base=base))


def way(given: str | Path) -> OpenWay:
    """Open a house way by its id, or from a .toml file.

    >>> way("foxwoods")
    Foxwoods house way (foxwoods), 21 rules
    """
    return open_way(given)


def ways() -> Rows:
    """List the house ways that come with houseway."""
    rows = [{"id": w.id, "title": w.title, "ranking": w.ranking, "rules": len(w.rule)} for w in house_ways()]
    return Rows(rows, "House ways")
