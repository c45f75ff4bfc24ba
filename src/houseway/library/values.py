"""The library's answers: values that print as text, draw themselves in a notebook and give rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from houseway.cards import Card, Cards, show, show_setting
from houseway.errors import InvalidInputError, UnknownNameError
from houseway.showing import Row, Rows, html_table, page_part, text_table

if TYPE_CHECKING:
    from houseway.houseways.plain import TraceStep
    from houseway.ranking import Race, Setting
    from houseway.settlement import Settlement

Parts = Mapping[str, tuple[Cards, str]]
"""The cards of each part, and their hand in words."""


def cited(clauses: Sequence[str]) -> str:
    """Return clauses in brackets, to stand behind a sentence."""
    return f" [{', '.join(clauses)}]" if clauses else ""


@dataclass(frozen=True, repr=False)
class HouseWayHand:
    """A hand set the house way: its parts, the rule that set it so, and the clauses behind that."""

    parts: Parts
    rule: str
    say: str
    clauses: tuple[str, ...]
    steps: tuple[TraceStep, ...] = ()

    @property
    def setting(self) -> Setting:
        """The cards by part, high first."""
        return tuple(cards for cards, _ in self.parts.values())

    def rows(self) -> list[Row]:
        """Return a row for each part."""
        return [
            {"part": name, "cards": show(cards), "hand": hand} for name, (cards, hand) in self.parts.items()
        ]

    def __str__(self) -> str:
        return show_setting(self.setting)

    def __repr__(self) -> str:
        hands = [f"  {name}: {hand}" for name, (_, hand) in self.parts.items()]
        questions = [
            f"{'=>' if step.fired else '  '} {step.rule}: "
            + ("; ".join(f"{q}? {'yes' if answer else 'no'}" for q, answer in step.answers) or "always")
            for step in self.steps
        ]
        return "\n".join([*questions, str(self), *hands, self._why()])

    def _why(self) -> str:
        return f"{self.rule}: {self.say}{cited(self.clauses)}"

    def _repr_html_(self) -> str:
        from houseway.library.pictures import draw_hands, sentence  # noqa: PLC0415 - only where it is drawn

        return draw_hands([("", self.parts)], sentence(self._why()))


@dataclass(frozen=True, repr=False)
class RankedCards:
    """The rank of one part's cards; values of the same part compare by strength."""

    part: str
    cards: Cards
    category: str
    hand: str
    strength: int
    clauses: tuple[str, ...]

    def rows(self) -> list[Row]:
        """Return one row."""
        return [{"part": self.part, "cards": show(self.cards), "hand": self.hand, "strength": self.strength}]

    def _strength_of(self, other: object) -> int:
        """Return the strength of other cards of the same part."""
        if not isinstance(other, RankedCards) or other.part != self.part:
            raise InvalidInputError("only cards of the same part are compared", value=str(other))
        return other.strength

    def __lt__(self, other: object) -> bool:
        return self.strength < self._strength_of(other)

    def __le__(self, other: object) -> bool:
        return self.strength <= self._strength_of(other)

    def __gt__(self, other: object) -> bool:
        return self.strength > self._strength_of(other)

    def __ge__(self, other: object) -> bool:
        return self.strength >= self._strength_of(other)

    def __str__(self) -> str:
        return self.hand

    def __repr__(self) -> str:
        return f"{show(self.cards)}, {self.part}: {self.hand}{cited(self.clauses)}"

    def _repr_html_(self) -> str:
        from houseway.library.pictures import draw_hands  # noqa: PLC0415 - only where it is drawn

        return draw_hands([("", {self.part: (self.cards, self.hand)})])


class BonusHands(Mapping[str, Any]):
    """The hand of each side wager and what it pays; ``hands["fortune"]`` is the hand."""

    def __init__(self, cards: Cards, rows: Sequence[Row]) -> None:
        self.cards, self._rows = cards, tuple(rows)

    def __getitem__(self, wager: str) -> Any:  # noqa: ANN401 - a hand, or whether the cards qualify
        for row in self._rows:
            if row["wager"] == wager:
                return row["hand"]
        known = ", ".join(self) or "none"
        raise UnknownNameError(f"no such side wager (there are {known})", value=wager)

    def __iter__(self) -> Iterator[str]:
        return iter([row["wager"] for row in self._rows])

    def __len__(self) -> int:
        return len(self._rows)

    def __contains__(self, wager: object) -> bool:
        return wager in list(self)

    def rows(self) -> list[Row]:
        """Return a row for each side wager."""
        return [dict(row) for row in self._rows]

    def __repr__(self) -> str:
        return text_table(self._rows, show(self.cards))

    def _repr_html_(self) -> str:
        from houseway.library.pictures import draw_hands  # noqa: PLC0415 - only where it is drawn

        return draw_hands([("", {"dealt": (self.cards, show(self.cards))})], html_table(self._rows))


@dataclass(frozen=True, repr=False)
class ComparedHands:
    """A race: the player's setting against the dealer's, part by part, and the main wager's result."""

    result: str
    why: str
    player: Parts
    dealer: Parts
    race: Race = field(compare=False)

    @property
    def clauses(self) -> tuple[str, ...]:
        """The clauses that decide it."""
        return self.race.clauses

    @property
    def fouls(self) -> tuple[str, ...]:
        """The fouls of the player's setting, in words."""
        return tuple(map(str, self.race.fouls))

    def rows(self) -> list[Row]:
        """Return a row for each part; none where the cards are split wrongly."""
        words = {"W": "player", "L": "dealer", "T": "copy, dealer"}
        return [
            {
                "part": name,
                "player": self.player[name][1],
                "dealer": self.dealer[name][1],
                "higher": words[side],
            }
            for name, side in zip(self.dealer, self.race.parts, strict=bool(self.race.parts))
        ]

    def __str__(self) -> str:
        return self.result

    def __repr__(self) -> str:
        fouls = [f"foul: {foul}" for foul in self.fouls]
        rows = [text_table(self.rows())] if self.rows() else []
        return "\n".join([*rows, *fouls, f"{self.result}: {self.why}{cited(self.clauses)}"])

    def _repr_html_(self) -> str:
        from houseway.library.pictures import draw_hands, sentence  # noqa: PLC0415 - only where it is drawn

        verdict = f"{self.result}: {self.why}{cited(self.clauses)}"
        return draw_hands([("dealer", self.dealer), ("player", self.player)], sentence(verdict))


@dataclass(frozen=True, repr=False)
class SettledHand:
    """The payments for one hand, each with its reason and clauses."""

    net: str
    payments: Rows
    settlement: Settlement = field(compare=False)

    def rows(self) -> list[Row]:
        """Return a row for each payment."""
        return self.payments.rows()

    def __repr__(self) -> str:
        return f"{self.payments!r}\nplayer {self.net}"

    def _repr_html_(self) -> str:
        return page_part(f"{html_table(self.payments)}<div>player {self.net}</div>")


def parts_of(names: Sequence[str], setting: Sequence[Sequence[Card]], hands: Sequence[str]) -> Parts:
    """Return each part's cards and their hand, by the part's name."""
    return {name: (tuple(cards), hand) for name, cards, hand in zip(names, setting, hands, strict=True)}
