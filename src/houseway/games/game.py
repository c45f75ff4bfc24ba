"""A game as a document: everything the law fixes about it, with citations, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, Final, Literal

from pydantic import Field

from houseway.cards import Deck
from houseway.errors import DataError, UnknownNameError
from houseway.games.paytables import Dollars, EnvyTable, Paytable, Percent, Share
from houseway.games.procedure import Steps, clauses_for
from houseway.games.submission import is_path
from houseway.games.terms import Cited, Permit, Requirement
from houseway.law.citations import UNCITED, Cites, join_cites
from houseway.law.clauses import ClauseId, GroundedCites, KnownCite, KnownCites
from houseway.law.documents import Document, Flag, Whole, as_document, leave_out, read_toml
from houseway.law.readings import option_fault
from houseway.law.rule_sets import RuleSet, rule_set, rule_sets
from houseway.money import Cents
from houseway.overview import game_ids

GAME_FILES: Final = Path(__file__).parent / "data"
REFERENCE_WAY: Final = "foxwoods"
"""The house way of the reference game, which no submission names."""


class Part(Document):
    """One of the hands that a setting makes."""

    name: str
    cards: Whole = Field(ge=1)


class DeckTerms(Document):
    """The cards in play."""

    cards: Cited[Whole]
    jokers: Cited[Whole]
    two_joker_packs: KnownCites = UNCITED

    def build(self) -> Deck:
        """Return the deck that the law describes."""
        self.cards.get()
        return Deck.standard(joker=bool(self.jokers.get()))


class MinimumOption(Document):
    """A disputed minimum: the reading that puts another in the place of the one the law defines."""

    name: str
    choice: str
    at_least: Dollars


class Envy(Document):
    """Who earns an Envy Bonus on a wager, and by which question of the ranking a hand gives one."""

    at_least: Cited[Dollars] | None = None
    minimum_option: MinimumOption | None = None
    qualifier: str
    trigger_needs_wager: KnownCites = UNCITED
    trigger_option: str | None = None
    pays: KnownCites = UNCITED
    several: KnownCites = UNCITED
    not_own: KnownCites = UNCITED
    not_dealer: KnownCites = UNCITED
    two_areas_option: str | None = None


class OwnTerms(Document):
    """What the law lets an operator post instead of the printed paytable."""

    clauses: GroundedCites
    joker: KnownCite | None = None
    source: KnownCite | None = None


class WagerTerms(Document):
    """A wager of the game and the conditions on which it may be offered and placed."""

    id: str
    name: str
    family: Literal["main", "bonus", "progressive", "double_down"]
    clauses: KnownCites = UNCITED
    limits: KnownCites = UNCITED
    paytable_clauses: KnownCites = UNCITED
    own_paytable: OwnTerms | None = None
    wins: KnownCites = UNCITED
    loses: KnownCites = UNCITED
    pushes: KnownCites = UNCITED
    stands: KnownCites = UNCITED
    taken: dict[str, KnownCites] = {}
    when: Literal["before_no_more_bets", "after_cards_seen"] = "before_no_more_bets"
    equals_main: KnownCite | None = None
    envy: Envy | None = None


class ProgressiveTerms(Document):
    """What the law fixes about a progressive meter."""

    seed_for_one: Cited[Whole] | None = None
    contribution: Cited[Percent] | None = None
    share: KnownCites = UNCITED
    rounding: KnownCites = UNCITED
    rounding_option: str | None = None
    reseed: KnownCites = UNCITED
    reseed_option: str | None = None
    since_award_option: str | None = None
    """The reading by which what is put in after a whole award was recorded counts towards the seed."""
    seed_cost: KnownCites = UNCITED
    reserve_added: KnownCites = UNCITED
    order: KnownCites = UNCITED
    showing: KnownCites = UNCITED
    adjusts: KnownCites = UNCITED
    least_initial: Cited[Dollars] | None = None
    least_reset: Cited[Dollars] | None = None


class Lives(Document):
    """How long things may stay on a table, in hours."""

    deck_by_hand: Cited[Whole] | None = None
    deck_by_shoe: Cited[Whole] | None = None
    dice: Cited[Whole] | None = None


class Starts(Document):
    """How the first hand is found: what is counted, and which way."""

    numbers: Whole
    direction: Literal["clockwise", "counterclockwise"]
    first: Literal["dealer", "player_dealer"]
    dice_total: KnownCites = UNCITED
    by_dice: KnownCites = UNCITED
    number: KnownCites = UNCITED
    by_number: KnownCites = UNCITED
    by_button: KnownCites = UNCITED


class CutTerms(Document):
    """Where a deck may be cut, and what the cut does."""

    least_above: Whole
    least_below: Whole
    depth: KnownCites = UNCITED
    rotates: KnownCites = UNCITED


class Dealing(Document):
    """What must come of a deal, by the way the cards were dealt."""

    complete: dict[str, KnownCites] = {}
    stub: dict[str, KnownCites] = {}
    misdealt: dict[str, KnownCites] = {}
    short: dict[str, KnownCites] = {}
    zigzag: KnownCites = UNCITED


class IrregularityTerms(Document):
    """Something that went wrong, and what the law makes of it."""

    id: str
    say: str
    consequence: Literal["void_round", "void_hand", "reset_dealer"]
    reshuffle: Flag = False
    ways: tuple[str, ...] = ()
    face_up_too: Flag = False
    clauses: KnownCites = UNCITED


class BankTerms(Document):
    """What binds a player-dealer's bank."""

    cap_loss: KnownCite
    cap_win: KnownCite
    exhausted: KnownCites
    bonus_exhausted: KnownCites
    envy_exhausted: KnownCites
    includes_bonus: KnownCite
    bonus_extent: KnownCite
    envy_extent: KnownCite
    no_interest: KnownCite
    seated_only: KnownCite
    most_rounds: Cited[Whole]
    """The rounds running that one player may bank before the bank is offered on."""


class OpeningTerms(Document):
    """The clauses on a regulator's notices and on the felt, applied when a table opens."""

    cease: KnownCite
    no_override: KnownCite
    zero_review: KnownCite
    felt: KnownCite


class DisplayConditions(Document):
    """What is attested of the house-way display, and the procedures that use that optional equipment."""

    procedures: tuple[str, ...]
    attested: tuple[ClauseId, ...]
    clauses: GroundedCites


class Game(Document):
    """One game: the law's numbers, choices and conditions."""

    id: str
    name: str
    rule_set: str | None = None
    about: str
    ranking: str = ""
    hand_cards: Whole
    parts: tuple[Part, ...]
    stub: Whole
    banked_by: Literal["house", "player_dealer"] = "house"
    push_possible: Flag
    equal_parts_legal: Flag
    commission: Share | None = None
    deck: DeckTerms | None = None
    starts: Starts | None = None
    cut: CutTerms | None = None
    dealing: Dealing = Dealing()
    irregularity: tuple[IrregularityTerms, ...] = ()
    lives: Lives = Lives()
    procedure: Steps = Field(default_factory=dict)
    sight: Steps = Field(default_factory=dict)
    """What hides cards from people: like a procedure, with *cards* as its one step."""
    wager: tuple[WagerTerms, ...] = ()
    bonus_bets: Cited[tuple[str, ...]] | None = None
    meter: ProgressiveTerms | None = None
    collection: Flag = False
    opening: OpeningTerms | None = None
    bank: BankTerms | None = None
    surrender: KnownCites = UNCITED
    surrender_alone: KnownCites = UNCITED
    foul_option: str | None = None
    most_active: Cited[Whole] | None = None
    no_inscription: KnownCites = UNCITED
    procedures: dict[str, str] = {}
    """Where the law tells procedures apart: how the clauses of each begin."""
    shuffler_games: dict[str, Cited[tuple[str, ...]]] = {}
    """The games that the shuffler may be set to under each procedure."""
    checklist_for: dict[ClauseId, tuple[str, ...]] = {}
    """Items of the checklist that only some tables have, by what brings them: procedures, wagers, ways of
    dealing or of finding the start, two decks, a group of schedules, odds on the layout or on a sign.

    An item that nothing brings is asked of no table.
    """
    change_clauses: KnownCites = UNCITED
    display_shows: KnownCites = UNCITED
    display_conditions: DisplayConditions | None = None
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

    def law_of(self, step: str, condition: str, way: str | None) -> Cites:
        """Return the clauses behind a condition on a step of the round, for a way of dealing."""
        return clauses_for(self.procedure, step, condition, way)

    def wager_terms(self, wager: str) -> WagerTerms:
        """Return the terms of a wager, or refuse with the clauses that list the game's wagers."""
        for terms in self.wager:
            if terms.id == wager:
                return terms
        law = join_cites(
            self.bonus_bets.clauses if self.bonus_bets else UNCITED, *(w.clauses for w in self.wager)
        )
        raise UnknownNameError(f"{self.id} has no such wager", value=wager, clauses=law)

    def paytables_of(self, wager: str) -> tuple[Paytable, ...]:
        """Return the paytables that the law lists for a wager."""
        return tuple(table for table in self.paytable if table.wager == wager)

    def find_paytable(self, wager: str, table_id: str) -> Paytable:
        """Return one listed paytable, or refuse with the clause that lists them."""
        terms = self.wager_terms(wager)
        law = terms.paytable_clauses
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


def games() -> tuple[Game, ...]:
    """Return every game that has a folder of documents."""
    return tuple(map(_game, game_ids()))


@cache
def _game(game_id: str) -> Game:
    return read_game(GAME_FILES / game_id)


def others_clauses(game: Game, procedure: str | None) -> tuple[str, ...]:
    """Return how the clauses of the procedures begin that a table does not follow."""
    if procedure is None or procedure not in game.procedures:
        return ()
    return tuple(begins for name, begins in game.procedures.items() if name != procedure)


@cache
def followed_game(game_id: str, procedure: str | None) -> Game:
    """Return a game as a table follows it: without the clauses of other procedures."""
    whole = game(game_id)
    others = others_clauses(whole, procedure)
    followed: Game = leave_out(whole, others) if others else whole
    return followed


def game(game_id: str) -> Game:
    """Return the game of this id; its folder alone is read."""
    if game_id not in game_ids():
        raise UnknownNameError(f"no such game (there are {', '.join(game_ids())})", value=game_id)
    return _game(game_id)


def read_game(folder: Path) -> Game:
    """Read a game's folder: ``game.toml``, and the paytables and rules beside it."""
    data: dict[str, Any] = {}
    files: dict[str, str] = {}
    for name in ("game.toml", "paytables.toml", "rules.toml", "procedure.toml"):
        path = folder / name
        label = f"{folder.name}/{name}"
        for key, value in read_toml(path, label).items() if path.exists() else ():
            if key in data:
                raise DataError("key given in two files", value=key, where=label)
            data[key], files[key] = value, label
    document = as_document(Game, data, f"{folder.name}/game.toml", files)
    for fault, value, key in _faults(document, folder):
        raise DataError(fault, value=value, where=f"{files.get(key.split('.')[0], folder.name)}: {key}")
    return document


def _faults(game: Game, folder: Path) -> Iterator[tuple[str, object, str]]:
    """Yield what is wrong between the parts of a document: the cause, the value, the key it is under."""
    if game.id != folder.name:
        yield "the id must be the folder's name", game.id, "id"
    if game.rule_set is not None and game.rule_set not in {r.id for r in rule_sets()}:
        yield "no such rule set", game.rule_set, "rule_set"
    if sum(game.split) != game.hand_cards:
        yield "the parts do not add up to the hand", game.split, "parts"
    yield from _repeated([w.id for w in game.wager], "wager")
    yield from _repeated([f"{t.wager} {t.id}" for t in game.paytable], "paytable")
    yield from _repeated([f"{t.wager} {t.paytable} {t.stake}" for t in game.envy], "envy")
    yield from _dangling(game)
    yield from _unknown_readings(game)
    yield from _repeated([part.name for part in game.parts], "parts")
    for place, requirement in enumerate(game.require):
        for path in requirement.paths():
            if not is_path(path):
                yield "a submission has no such field", path, f"require.{place}"
    for place, permit in enumerate(game.permit):
        if not is_path(permit.field):
            yield "a submission has no such field", permit.field, f"permit.{place}"


def _unknown_readings(game: Game) -> Iterator[tuple[str, object, str]]:
    """Yield what the document leaves to a reading that no one can choose."""
    for key, name, choice in _left_to_readings(game):
        fault = option_fault(game.rule_set, name, choice)
        if fault:
            yield fault, name if choice is None else f"{name} = {choice}", key


def _left_to_readings(game: Game) -> Iterator[tuple[str, str, str | None]]:
    """Yield each reading that the document names: the key, the name, and the choice if it asks for one."""
    if game.foul_option is not None:
        yield "foul_option", game.foul_option, None
    for place, envy in enumerate(terms.envy for terms in game.wager):
        named = (envy.trigger_option, envy.two_areas_option) if envy else ()
        yield from ((f"wager.{place}.envy", name, None) for name in named if name is not None)
        if envy and envy.minimum_option:
            yield f"wager.{place}.envy", envy.minimum_option.name, envy.minimum_option.choice
    meter = (game.meter.rounding_option, game.meter.reseed_option) if game.meter else ()
    yield from (("meter", name, None) for name in meter if name is not None)
    for place, requirement in enumerate(game.require):
        for path, choice in requirement.choices_of("readings."):
            yield f"require.{place}", path.removeprefix("readings."), choice


def _repeated(names: list[str], key: str) -> Iterator[tuple[str, object, str]]:
    for name in names:
        if names.count(name) > 1:
            yield f"{key} given twice", name, key


def _dangling(game: Game) -> Iterator[tuple[str, object, str]]:
    wagers = {w.id for w in game.wager}
    for name in game.bonus_bets.value if game.bonus_bets else ():
        if name not in wagers:
            yield "the game has no such wager", name, "bonus_bets"
    if game.deck and len(Deck.standard(joker=bool(game.deck.jokers.value))) != game.deck.cards.value:
        yield "no deck has so many cards and jokers", game.deck.cards.value, "deck"
    for table in game.paytable:
        if table.wager not in wagers:
            yield "the game has no such wager", table.wager, "paytable"
    for envy in game.envy:
        if envy.wager not in wagers:
            yield "the game has no such wager", envy.wager, "envy"
        elif envy.paytable and envy.paytable not in {t.id for t in game.paytables_of(envy.wager)}:
            yield "the game has no such paytable", envy.paytable, "envy"
