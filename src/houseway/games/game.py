"""A game as a document: everything the law fixes about it, with citations, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, Final, Literal

from pydantic import Field

from houseway.cards import Deck
from houseway.errors import DataError, UnknownNameError
from houseway.games.paytables import Dollars, EnvyTable, Paytable, Percent
from houseway.games.submission import check_path
from houseway.games.terms import Cited, Permit, Requirement
from houseway.law.claims import standing
from houseway.law.clauses import all_clauses, looks_like_clause
from houseway.law.documents import Document, as_document, read_toml
from houseway.law.rule_sets import RuleSet, rule_set
from houseway.money import Cents

GAME_FILES: Final = Path(__file__).parent / "data"


class Part(Document):
    """One of the hands that a setting makes."""

    name: str
    cards: int = Field(ge=1)


class DeckTerms(Document):
    """The cards in play."""

    cards: Cited[int]
    jokers: Cited[int]
    two_joker_packs: tuple[str, ...] = ()

    def build(self) -> Deck:
        """Return the deck that the law describes."""
        deck = Deck.standard(joker=bool(self.jokers.get()))
        if len(deck) != self.cards.get():
            raise DataError("no deck has so many cards and jokers", value=self.cards.value)
        return deck


class MinimumOption(Document):
    """A disputed minimum: the reading that puts another in the place of the one the law defines."""

    name: str
    choice: str
    at_least: Dollars


class Envy(Document):
    """Who earns an Envy Bonus on a wager, and from which hands."""

    at_least: Cited[Dollars] | None = None
    minimum_option: MinimumOption | None = None
    from_hand: str
    trigger_needs_wager: bool = False


class OwnTerms(Document):
    """What the law lets an operator post instead of the printed paytable."""

    clauses: tuple[str, ...] = Field(min_length=1)
    joker: str | None = None
    source: str | None = None


class WagerTerms(Document):
    """A wager of the game and the conditions on which it may be offered and placed."""

    id: str
    name: str
    family: Literal["main", "bonus", "progressive", "double_down"]
    clauses: tuple[str, ...] = ()
    limits: tuple[str, ...] = ()
    paytable_clauses: tuple[str, ...] = ()
    own_paytable: OwnTerms | None = None
    when: Literal["before_no_more_bets", "after_cards_seen"] = "before_no_more_bets"
    equals_main: str | None = None
    envy: Envy | None = None


class MeterTerms(Document):
    """What the law fixes about a progressive meter."""

    seed_for_one: Cited[int] | None = None
    contribution: Cited[Percent] | None = None
    least_initial: Cited[Dollars] | None = None
    least_reset: Cited[Dollars] | None = None


class Lives(Document):
    """How long things may stay on a table, in hours."""

    deck_by_hand: Cited[int] | None = None
    deck_by_shoe: Cited[int] | None = None
    dice: Cited[int] | None = None


class Starts(Document):
    """How the first hand is found: what is counted, and which way."""

    numbers: int
    direction: Literal["clockwise", "counterclockwise"]
    first: Literal["dealer", "player_dealer"]


class OpeningTerms(Document):
    """The clauses on a regulator's notices and on the felt, applied when a table opens."""

    cease: str
    no_override: str
    zero_review: str
    felt: str


class Game(Document):
    """One game: the law's numbers, choices and conditions."""

    id: str
    name: str
    rule_set: str | None = None
    about: str
    hand_cards: int
    parts: tuple[Part, ...]
    stub: int
    banked_by: Literal["house", "player_dealer"] = "house"
    push_possible: bool
    equal_parts_legal: bool
    commission: Percent | None = None
    deck: DeckTerms | None = None
    starts: Starts | None = None
    lives: Lives = Lives()
    wager: tuple[WagerTerms, ...] = ()
    bonus_bets: Cited[tuple[str, ...]] | None = None
    meter: MeterTerms | None = None
    collection: bool = False
    opening: OpeningTerms | None = None
    most_active: Cited[int] | None = None
    no_inscription: tuple[str, ...] = ()
    change_clauses: tuple[str, ...] = ()
    display_gates: Cited[tuple[str, ...]] | None = None
    paytable: tuple[Paytable, ...] = ()
    envy: tuple[EnvyTable, ...] = ()
    permit: tuple[Permit, ...] = ()
    require: tuple[Requirement, ...] = ()

    @property
    def licensed(self) -> bool:
        """Whether a law stands behind the game; one without is never offered at a table."""
        return self.rule_set is not None

    @property
    def law(self) -> RuleSet | None:
        """The rule set the game is played under."""
        return rule_set(self.rule_set) if self.rule_set else None

    @property
    def split(self) -> tuple[int, ...]:
        """The sizes of the parts, high first."""
        return tuple(part.cards for part in self.parts)

    def cards(self) -> Deck:
        """Return the deck in play."""
        return self.deck.build() if self.deck else Deck.standard()

    def wager_terms(self, wager: str) -> WagerTerms:
        """Return the terms of a wager, or refuse with the clauses that list the game's wagers."""
        for terms in self.wager:
            if terms.id == wager:
                return terms
        law = standing(self.bonus_bets.clauses) if self.bonus_bets else ()
        law += tuple(c for terms in self.wager for c in standing(terms.clauses))
        raise UnknownNameError(f"{self.id} has no such wager", value=wager, clauses=law)

    def paytables_of(self, wager: str) -> tuple[Paytable, ...]:
        """Return the paytables that the law lists for a wager."""
        return tuple(table for table in self.paytable if table.wager == wager)

    def find_paytable(self, wager: str, table_id: str) -> Paytable:
        """Return one listed paytable, or refuse with the clause that lists them."""
        terms = self.wager_terms(wager)
        law = standing(terms.paytable_clauses)
        for table in self.paytables_of(wager):
            if table.id == table_id:
                return table
        listed = ", ".join(table.id for table in self.paytables_of(wager)) or "none"
        raise UnknownNameError(f"{wager} paytables are {listed}", value=table_id, clauses=law)

    def envy_table(self, wager: str, paytable: str, stake: Cents) -> EnvyTable | None:
        """Return the envy table for a wager: the one of its paytable, or of its size."""
        tables = [t for t in self.envy if t.wager == wager and t.paytable in (None, paytable)]
        sized = [t for t in tables if t.stake is not None and t.stake <= stake]
        return (
            max(sized, key=lambda t: t.stake or 0)
            if sized
            else next((t for t in tables if t.stake is None), None)
        )

    def bonus_bet_list(self) -> tuple[str, ...]:
        """Return the optional bets that belong to the base game, the progressive not among them."""
        if self.bonus_bets:
            return self.bonus_bets.get()
        return tuple(w.id for w in self.wager if w.family == "bonus")

    def cited(self) -> Iterator[str]:
        """Yield every clause the document claims."""
        yield from _clauses_in(self.model_dump())


@cache
def games() -> tuple[Game, ...]:
    """Return every game that has a folder of documents."""
    folders = sorted(path.parent for path in GAME_FILES.glob("*/game.toml"))
    return tuple(read_game(folder) for folder in folders)


def game(game_id: str) -> Game:
    """Return the game of this id."""
    for found in games():
        if found.id == game_id:
            return found
    known = ", ".join(g.id for g in games())
    raise UnknownNameError(f"no such game (there are {known})", value=game_id)


def read_game(folder: Path) -> Game:
    """Read a game's folder: ``game.toml``, and the paytables and rules beside it."""
    data: dict[str, Any] = {}
    for name in ("game.toml", "paytables.toml", "rules.toml"):
        path = folder / name
        if not path.exists():
            continue
        for key, value in read_toml(path).items():
            if key in data:
                raise DataError("key given in two files", value=key, where=f"{folder.name}/{name}")
            data[key] = value
    found = as_document(Game, data, folder.name)
    _check(found, folder)
    return found


def _check(found: Game, folder: Path) -> None:
    if found.id != folder.name:
        raise DataError("the id must be the folder's name", value=found.id, where=folder.name)
    for clause in found.cited():
        if clause not in all_clauses():
            raise DataError("no such clause", value=clause, where=folder.name)
    if sum(found.split) != found.hand_cards:
        raise DataError("the parts do not add up to the hand", value=found.split, where=folder.name)
    for wager in [t.wager for t in found.paytable] + [t.wager for t in found.envy]:
        found.wager_terms(wager)
    _each_once(found, folder)
    for requirement in found.require:
        for path in requirement.paths():
            if not path.startswith("derived."):
                check_path(path, folder.name)
    for permit in found.permit:
        check_path(permit.field, folder.name)


def _each_once(found: Game, folder: Path) -> None:
    keys = [(t.wager, t.id) for t in found.paytable]
    for key in keys:
        if keys.count(key) > 1:
            raise DataError("paytable given twice", value=" ".join(key), where=folder.name)


def _clauses_in(data: Any) -> Iterator[str]:  # noqa: ANN401 - any document
    if isinstance(data, dict):
        for value in data.values():
            yield from _clauses_in(value)
    elif isinstance(data, list | tuple):
        for value in data:
            yield from _clauses_in(value)
    elif isinstance(data, str) and looks_like_clause(data):
        yield data
