"""The rules in force at a table: a game, an operator's lawful choices, and every reading taken."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final, NamedTuple

from houseway.errors import IllegalError
from houseway.games.collection import Schedule, schedule
from houseway.games.fingerprint import fingerprint_of
from houseway.games.game import Game, WagerTerms, followed_game, others_clauses
from houseway.games.memo import RulesMemo, SideTerms
from houseway.games.paytables import (
    AwardSource,
    EnvyTable,
    Line,
    Paytable,
    compare_envy,
    compare_lines,
    winning_lines,
)
from houseway.games.submission import Submission, WagerChoice
from houseway.houseways import house_way
from houseway.law.citations import Cites, strike
from houseway.law.clauses import KnownCite, clauses_of
from houseway.law.readings import choose_readings
from houseway.money import Basis, Cents, Odds, dollars
from houseway.ranking.listing import Among, JokerMode
from houseway.ranking.memo import once
from houseway.ranking.ranking import Ranking, ranking


def matching_paytable(game: Game, choice: WagerChoice, wager: str) -> Paytable | None:
    """Return the listed paytable that an operator's own one equals line by line, envy included."""
    own = choice.own_paytable
    if own is None:
        return None
    for table in game.paytables_of(wager):
        envy = next((e for e in game.envy if e.wager == wager and e.paytable == table.id), None)
        if not compare_lines(table.lines, own.lines, "") and not compare_envy(
            envy.lines if envy else (), own.envy, ""
        ):
            return table
    return None


Stakes = tuple[Cents | None, Cents | None]
"""The least and the most that a wager may be, where there is a bound."""
SMALLEST: Final = Cents(100)
"""The least wager where neither a submission nor a schedule names one."""


class WagerLimits(NamedTuple):
    """What a table takes on a wager: from how much to how much, and where it is just one amount, which."""

    least: Cents | None
    most: Cents | None
    equals_main: KnownCite | None
    posted: Cents | None

    @property
    def span(self) -> Stakes:
        """The least and the most that the submission takes."""
        return (self.least, self.most) if self.posted is None else (self.posted, self.posted)


@dataclass(frozen=True)
class Rules:
    """What a round is played by. Made by ``houseway.games.rules_for``, which refuses the unlawful."""

    game: Game
    submission: Submission
    readings: Mapping[str, str]
    struck: tuple[str, ...] = ()
    """Clauses that are no longer in force."""
    memo: RulesMemo = field(default_factory=RulesMemo, init=False, compare=False, repr=False)

    @classmethod
    def of(cls, submission: Submission) -> Rules:
        """Join a submission to its game without judging it."""
        game = followed_game(submission.game, submission.table.procedure)
        readings = choose_readings(game.rule_set, submission.readings) if game.rule_set else {}
        return cls(game, submission, readings)

    def without(self, *clauses: str) -> Rules:
        """Return the same rules with some clauses less."""
        gone = tuple(dict.fromkeys((*self.struck, *clauses)))
        return Rules(strike(self.game, clauses), self.submission, self.readings, gone)

    def offers(self, wager: str) -> bool:
        """Whether the submission offers a wager."""
        return wager in self.submission.wagers

    def terms(self, wager: str) -> WagerTerms:
        """Return the terms of a wager, or refuse with the clauses that list the game's wagers."""
        return self._terms.get(wager) or self.game.wager_terms(wager)

    @cached_property
    def _terms(self) -> dict[str, WagerTerms]:
        return {terms.id: terms for terms in self.game.wager}

    @cached_property
    def limits(self) -> dict[str, WagerLimits]:
        """What the table takes on each wager that it offers."""
        return {wager: self._limits(wager, choice) for wager, choice in self.submission.wagers.items()}

    def _limits(self, wager: str, choice: WagerChoice) -> WagerLimits:
        terms = self.terms(wager)
        meter = self.submission.progressive if terms.family == "progressive" else None
        return WagerLimits(choice.min, choice.max, terms.equals_main, meter.amount if meter else None)

    def paytable(self, wager: str) -> Paytable:
        """Return the paytable in force for a wager: the operator's own where the law lets them post one."""
        choice = self.submission.wagers.get(wager)
        if choice is None:
            raise IllegalError("the submission does not offer this wager", value=wager)
        terms = self.terms(wager)
        own = choice.own_paytable
        if own and terms.own_paytable and terms.own_paytable.clauses:
            return own.as_paytable()
        if own:
            like = matching_paytable(self.game, choice, wager)
            if like is not None:
                return like
        listed = self.game.paytables_of(wager)
        if choice.paytable is None and len(listed) == 1:
            return listed[0]
        return self.game.find_paytable(wager, choice.paytable or "")

    def envy_table(self, wager: str, stake: Cents) -> EnvyTable | None:
        """Return the envy table that a wager of this size is paid by, if it qualifies."""
        if not self.qualifies_for_envy(wager, stake):
            return None
        choice, table = self.submission.wagers[wager], self.paytable(wager)
        if choice.own_paytable and table.id == choice.own_paytable.as_paytable().id:
            return choice.own_paytable.as_envy_table()
        return self.game.envy_table(wager, table.id, stake)

    def envy_tables(self, wager: str) -> tuple[tuple[Cents, EnvyTable], ...]:
        """Return the envy tables that wagers within the limits are paid by, each with its least wager.

        One that no wager is paid by, here, is not among them.
        """
        if self.terms(wager).envy is None:
            return ()
        least, most = self.stakes(wager)
        least = least or SMALLEST
        sized = (table.stake for table in self.game.envy if table.wager == wager)
        starts = {least, self._envied_from(wager), *(stake for stake in sized if stake)}
        tables: list[tuple[Cents, EnvyTable]] = []
        for stake in sorted(starts):
            if stake < least or (most is not None and stake > most):
                continue
            table = self.envy_table(wager, stake)
            if table is not None and all(table != known for _, known in tables):
                tables.append((stake, table))
        return tuple(tables)

    def stakes(self, wager: str) -> Stakes:
        """Return the least and the most that one wager may be, by the submission and the posted schedule."""
        chosen, schedule = self.limits[wager], self.schedule()
        least, most = chosen.span
        if schedule is None or chosen.posted is not None:
            return least, most
        return max(least or schedule.table_min, schedule.table_min), min(
            most or schedule.table_max, schedule.table_max
        )

    def qualifies_for_envy(self, wager: str, stake: Cents) -> bool:
        """Whether a wager of this size earns Envy Bonuses."""
        return 0 < self.envied_from(wager) <= stake

    def envied_from(self, wager: str) -> Cents:
        """Return the least wager that earns Envy Bonuses, or 0 where none does."""
        return once(self.memo.envied_from, wager, self._envied_from, wager)

    def _envied_from(self, wager: str) -> Cents:
        """Return the least wager that earns Envy Bonuses, or 0 where none does."""
        envy = self.terms(wager).envy
        if envy is None:
            return Cents(0)
        if envy.minimum_option and self.readings[envy.minimum_option.name] == envy.minimum_option.choice:
            return envy.minimum_option.at_least
        return Cents(1) if envy.at_least is None else envy.at_least.get()

    def line(self, wager: str, hand: str) -> Line:
        """Return the paytable line that decides a hand, by the name of what it makes."""
        return once(self.memo.lines, (wager, hand), self._line, wager, hand)

    def _line(self, wager: str, hand: str) -> Line:
        return self.line_of(self.paytable(wager), hand)

    def line_of(self, table: Paytable, hand: str) -> Line:
        """Return the line of a paytable that decides a hand, as this table's readings have it."""
        line = table.line(hand)
        if line.pays.basis is Basis.PUSH and self.readings.get("three_pair_paytable_c") == "lose":
            return line.model_copy(update={"pays": Odds.parse(Basis.LOSE)})
        return line

    def shown_lines(self, wager: str) -> tuple[Line, ...]:
        """Return the winning lines in force as they are paid here, for a page or a sign.

        A line that a reading takes off the list, or by which it lets a hand lose, is left out.
        """
        paid = tuple(self.line(wager, line.hand) for line in self.paytable(wager).shown_lines())
        standing = self._standing(wager)
        return tuple(line for line in winning_lines(paid) if standing is None or line.hand in standing)

    def _standing(self, wager: str) -> frozenset[str] | None:
        """Return the hands that a wager is decided on here; nothing for one that is raced."""
        for listing in self.ranking().document.listing:
            if listing.id == wager:
                listed = listing.standing(self.readings, self.listed_hands(wager))
                return frozenset(category.name for category in listed)
        return None

    def side(self, wager: str) -> SideTerms:
        """Return how a side wager looks at a hand."""
        return once(self.memo.sides, wager, self._side, wager)

    def _side(self, wager: str) -> SideTerms:
        return SideTerms(self.joker_mode(wager), self.listed_hands(wager))

    def listed_hands(self, wager: str) -> Among:
        """Return the hands of a posted paytable, the best-paying first, if the law leaves the list to it."""
        if not self.offers(wager) or self.terms(wager).own_paytable is None:
            return None
        return self.paytable(wager).hands_by_pay

    def joker_mode(self, wager: str) -> JokerMode:
        """Return whether the joker is semi-wild or fully wild for a wager."""
        own = self.terms(wager).own_paytable
        free = own is not None and own.joker is not None and own.joker.stands
        return self.paytable(wager).joker if free else "semi"

    def award_source(self, wager: str, hand: str) -> AwardSource:
        """Return where a fixed award is paid from."""
        line = self.paytable(wager).line(hand)
        own = self.terms(wager).own_paytable
        return line.source if own and own.source and own.source.stands else AwardSource.TRAY

    def ranking(self) -> Ranking:
        """Return what beats what at this table, its options and readings applied."""
        return self._ranking

    @cached_property
    def _ranking(self) -> Ranking:
        return ranking(
            self.game.ranking,
            ace_low_straight="lowest" if self.option("a234_straight_low") else None,
            ace_low_straight_flush="lowest" if self.option("a234_sf_low") else None,
            readings=self.readings,
            leaving=others_clauses(self.game, self.submission.table.procedure),
            memo=self.memo,
            struck=self.struck,
        )

    @cached_property
    def fingerprint(self) -> str:
        """The hash that stands for exactly these choices of the operator."""
        return self.submission.fingerprint()

    @cached_property
    def law_fingerprint(self) -> str:
        """The hash over all that decides a round here besides the submission."""
        way = self.submission.house_way
        return fingerprint_of(
            clauses=clauses_of(self.game.rule_set) if self.game.rule_set else None,
            game=self.game,
            ranking=self.ranking().document,
            house_way=house_way(way).rules_text() if way else None,
            schedule=self.schedule(),
            readings=dict(self.readings),
        )

    @cached_property
    def way(self) -> str:
        """The way of dealing, or the procedure where the law tells procedures apart."""
        chosen = self.submission.table
        return chosen.procedure or chosen.dealing or ""

    @cached_property
    def procedure(self) -> dict[str, dict[str, Cites]]:
        """The steps of the round: for each, its conditions and their clauses, for this way of dealing."""
        return {
            step: {key: self.game.law_of(step, key, self.way) for key in conditions}
            for step, conditions in self.game.procedure.items()
        }

    @cached_property
    def banked(self) -> bool:
        """Whether a player banks the game."""
        return self.game.banked_by == "player_dealer"

    @cached_property
    def wager_order(self) -> tuple[str, ...]:
        """The wagers of the game in the order they are settled."""
        return tuple(terms.id for terms in self.game.wager)

    @cached_property
    def side_wagers(self) -> tuple[str, ...]:
        """The bonus and progressive wagers of the game, in the order they are settled."""
        return tuple(terms.id for terms in self.game.wager if terms.family in ("bonus", "progressive"))

    @cached_property
    def families(self) -> frozenset[str]:
        """The families of wagers on offer."""
        return frozenset(terms.family for terms in self.game.wager if self.offers(terms.id))

    @cached_property
    def later_wagers(self) -> frozenset[str]:
        """The wagers that are placed when the cards are seen."""
        return frozenset(terms.id for terms in self.game.wager if terms.when != "before_no_more_bets")

    @cached_property
    def envied(self) -> tuple[WagerTerms, ...]:
        """The wagers on offer that may earn Envy Bonuses."""
        return tuple(terms for terms in self.game.wager if terms.envy is not None and self.offers(terms.id))

    def schedule(self) -> Schedule | None:
        """Return the collection schedule in force, if the game takes one."""
        number = self.submission.collection_schedule
        return None if number is None else strike(schedule(number), self.struck)

    def option(self, name: str) -> bool:
        """Return an option of the game; off unless the submission turns it on and the law lets it."""
        permitted = any(p.clauses for p in self.game.permit if p.field == f"options.{name}")
        return permitted and self.submission.options.get(name, False)

    def permit_clauses(self, field: str) -> tuple[str, ...]:
        """Return the clauses in force that permit a field to be chosen."""
        return tuple(c for p in self.game.permit if p.field == field for c in p.clauses)

    def internal_controls(self) -> str | None:
        """Return the approved controls by which awards are paid clockwise, if that order is chosen."""
        if self.readings.get("wa_meter_order") != "internal_controls":
            return None
        permitted = self.permit_clauses("progressive.order_policy")
        clockwise = self.submission.find("progressive.order_policy") == "clockwise"
        return self.submission.approvals.get("order_policy") if clockwise and permitted else None

    def spared(self, odds_shown: str | None = None) -> frozenset[str]:
        """Return the items of the opening checklist about things that this table does not have.

        Where the odds stand, on the layout or on a sign, is known when the table is opened.
        """
        table, schedule = self.submission.table, self.schedule()
        has = {table.procedure, table.dealing, *table.start_methods, *self.submission.wagers}
        has |= {"two_decks"} if table.decks > 1 else set()
        has |= {f"schedules_{schedule.group.first}_{schedule.group.last}"} if schedule else set()
        has |= {odds_shown} if odds_shown else {"layout", "sign"}
        spared = frozenset(item for item, of in self.game.checklist_for.items() if has.isdisjoint(of))
        return spared | self._without_display()

    def _without_display(self) -> frozenset[str]:
        """Return what is attested of the house-way display only, at a table that has none."""
        conditions = self.game.display_conditions
        if conditions is None or not conditions.clauses.stands:
            return frozenset()
        uses = self.submission.table.procedure in conditions.procedures
        return frozenset() if uses else frozenset(conditions.attested)

    def position_for(self, number: int) -> str:
        """Return the position that a starting number names, by the table's own map."""
        position = self.submission.table.position_map.get(str(number))
        if position is None:
            raise IllegalError("the position map has no such number", value=number)
        return position

    def inscriptions(self) -> tuple[str, ...]:
        """Return what the layout or the sign must say besides the paytables."""
        limit = self.submission.payout_limit
        if limit is None or self.game.no_inscription:
            return ()
        return (f"Payout limit {dollars(limit)} on a single hand",)
