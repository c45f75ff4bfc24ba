"""A table in memory, with all that a decision needs: for the terminal, for lessons, benchmarks and tests.

Every command that is carried out is kept as a turn; when a round is over its record can be written.
"""

from __future__ import annotations

from collections.abc import Iterator, MutableMapping
from collections.abc import Set as AbstractSet
from datetime import datetime
from typing import Final

from houseway.games import Rules
from houseway.law.problems import Problem
from houseway.meters import MeterState, opened
from houseway.rng import Entropy
from houseway.rounds.action import Action
from houseway.rounds.chance import Moment, Vault, live, noting
from houseway.rounds.deciding import act, suggestions, verify
from houseway.rounds.record import Record, Turn, ends_round, make_record, make_turn
from houseway.rounds.replay import meters_after, rules_after
from houseway.rounds.state import CardOrigin, MeterId, Table
from houseway.rounds.step import Actor, AnEvent, Command, Proposal
from houseway.rounds.steps import STEPS
from houseway.rounds.steps.hand import with_setting
from houseway.settlement import meter_terms

EVERYTHING: Final[AbstractSet[str]] = frozenset(STEPS)
"""Every step there is: the table plays by itself."""
SETTLING: Final[AbstractSet[str]] = frozenset({"reveal", "settle", "rearrange", "rack"})
"""What follows by itself, once the dealer's hand is set, at a table where no one handles cards and chips."""
METER: Final = "progressive"


def new_table(
    rules: Rules,
    source: CardOrigin = CardOrigin.VIRTUAL_DECK,
    *,
    name: str = "table",
    meter: MeterId = METER,
    automated: AbstractSet[str] = frozenset(),
) -> Table:
    """Return a closed table that plays by these rules, and shares a meter if it offers a progressive."""
    return Table(
        id=name,
        submission=rules.fingerprint,
        law=rules.law_fingerprint,
        meter=meter if rules.offers("progressive") else None,
        automated=frozenset(automated),
        source=source,
    )


def due_moves(rules: Rules, table: Table, among: AbstractSet[str] = EVERYTHING) -> Iterator[Proposal]:
    """Yield what might be done next to go on, lawful or not yet; hands are set the house way."""
    for proposal in suggestions(rules, table, among):
        yield with_setting(rules, table, proposal)


def fresh_meter(rules: Rules, meter: MeterId = METER) -> MeterState:
    """Return a meter as its submission opens it."""
    return opened(meter_terms(rules, meter))[0].state


def last_seal(table: Table) -> str | None:
    """Return what the deck of the last round committed to."""
    return table.last.commitment if table.last else None


class LiveTable:
    """A table with its rules, its clock, its chance, its sealed decks and the meters it shares."""

    def __init__(
        self,
        rules: Rules,
        entropy: Entropy,
        now: datetime,
        table: Table | None = None,
        meters: MutableMapping[MeterId, MeterState] | None = None,
    ) -> None:
        self.rules, self.entropy, self.now = rules, entropy, now
        self.table = table or new_table(rules)
        self.meters = {} if meters is None else meters
        if self.table.meter is not None and self.table.meter not in self.meters:
            self.meters[self.table.meter] = fresh_meter(rules, self.table.meter)
        self.vault = Vault(entropy)
        self.commands = 0
        self.before, self.began_under = self.table, rules
        self.turns: list[Turn] = []
        self.record: Record | None = None
        """The record of the round that ended last."""

    @property
    def moment(self) -> Moment:
        """What a decision is made with now."""
        return live(self.now, self.entropy, self.vault, self.meters)

    def command(self, by: Actor, action: Action) -> Command:
        """Return a command under a name of its own."""
        self.commands += 1
        return Command(by, action, id=f"{self.table.id}/{self.commands}")

    def do(self, by: Actor, action: Action) -> tuple[AnEvent, ...]:
        """Do something, or refuse it for every reason at once."""
        return self.carry_out(self.command(by, action))

    def carry_out(self, command: Command) -> tuple[AnEvent, ...]:
        """Carry a command out, or refuse it for every reason at once.

        Everything is worked out before anything is kept: an interruption leaves all of it done, or nothing.
        """
        moment, notes = noting(self.moment)
        events, table = act(self.rules, self.table, command, moment)
        rules = rules_after(self.rules, events)
        meters = meters_after(self.meters, events)
        turns = [*self.turns, make_turn(self.table, command, notes.given, events, moment)]
        if not any(map(ends_round, events)):
            self.table, self.rules, self.turns = table, rules, turns
        else:
            record = make_record(self.began_under.submission, self.before, turns, table)
            self.table, self.rules, self.turns = table, rules, []
            self.before, self.began_under, self.record = table, rules, record
            self.vault.keep_only({deck.commitment for deck in table.decks.values()} | {last_seal(table)})
        self.meters.update(meters)
        return events

    def verify(self, by: Actor, action: Action) -> tuple[Problem, ...]:
        """Return everything that is wrong with an action, warnings included."""
        return verify(self.rules, self.table, Proposal(by, action), self.moment)

    def may(self, proposal: Proposal) -> bool:
        """Whether something may be done now."""
        return not any(problem.blocks for problem in self.verify(proposal.by, proposal.action))

    def moves(self, among: AbstractSet[str] = EVERYTHING) -> Iterator[Proposal]:
        """Yield what may be done now to go on, of some steps."""
        return (move for move in due_moves(self.rules, self.table, among) if self.may(move))

    def due(self, among: AbstractSet[str] = EVERYTHING) -> Proposal | None:
        """Return what is due next, of some steps."""
        return next(self.moves(among), None)

    def proceed(
        self, among: AbstractSet[str] = EVERYTHING, until_round: int | None = None
    ) -> Iterator[AnEvent]:
        """Do what is due until nothing more can be done, or ``rounds`` rounds are over."""
        while until_round is None or self.table.rounds < until_round:
            due = self.due(among)
            if due is None:
                return
            yield from self.do(due.by, due.action)
