"""Rounds played with irregularities and kept on tape: every command, lawful or refused, and its table."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime

from houseway.games import Rules
from houseway.law.problems import Problem, RefusedError
from houseway.meters import MeterState
from houseway.rng import SealedDeck
from houseway.rounds.chance import Given
from houseway.rounds.live import LiveTable
from houseway.rounds.record import Record, Turn, ends_round
from houseway.rounds.roles import Role
from houseway.rounds.state import Round, Table
from houseway.rounds.step import AnEvent, Command, Proposal
from houseway.rounds.steps.hand import AskHelp
from tests.rounds.commands import NamedStep, proposed
from tests.rounds.play import drive
from tests.rounds.play.california_drive import Driven
from tests.rounds.play.chance import Seeded
from tests.rounds.play.watch import ROUND_ENDS, Watched

CALIFORNIA = "ca-fpgp"
GAMES = (*drive.GAMES, CALIFORNIA)
ODDLY = 4
"""One command in so many is not what is due."""
HELPED = 4
"""One player in so many asks for the house way."""


@dataclass(frozen=True)
class Standing:
    """A table as it stands before a command, with all that is needed to go on from there."""

    table: Table
    rules: Rules
    now: datetime
    meters: Mapping[str, MeterState]
    before: Table
    began_under: Rules
    turns: list[Turn]
    decks: Mapping[str, SealedDeck]


@dataclass(frozen=True)
class Taped:
    """A command, the table before it, and what came of it: events, or the reasons of a refusal."""

    command: Command
    standing: Standing
    after: Table
    given: Given
    events: tuple[AnEvent, ...] = ()
    problems: tuple[Problem, ...] = ()
    record: Record | None = None
    """The record of the last round that was over then."""

    @property
    def ended(self) -> Round | None:
        """The round that it ended, if it ended one."""
        return self.after.last if any(map(ends_round, self.events)) else None


class TapedTable(LiveTable):
    """A table that keeps on tape what is done there, and every deck that is shuffled."""

    tape: list[Taped]
    shuffled: dict[str, SealedDeck]

    def carry_out(self, command: Command) -> tuple[AnEvent, ...]:
        """Carry a command out and keep it, or keep why it is refused."""
        standing = Standing(
            self.table,
            self.rules,
            self.now,
            dict(self.meters),
            self.before,
            self.began_under,
            self.turns,
            dict(self.vault.sealed),
        )
        try:
            events = super().carry_out(command)
        except RefusedError as error:
            self.tape.append(Taped(command, standing, self.table, Given(), problems=error.problems))
            raise
        self.shuffled |= self.vault.sealed
        last = self.turns[-1] if self.turns else None
        given = last.given if last else self.record and self.record.turns[-1].given
        self.tape.append(Taped(command, standing, self.table, given or Given(), events, record=self.record))
        return events


def kept_on_tape(live: LiveTable) -> TapedTable:
    """Keep on tape what is done at a table from now on."""
    live.__class__ = TapedTable
    assert isinstance(live, TapedTable)
    live.tape, live.shuffled = [], dict(live.vault.sealed)
    return live


def tapes(game: str, rounds: int, seed: str) -> Iterator[TapedTable]:
    """Yield tables at which rounds have been played, so many in all."""
    if game == CALIFORNIA:
        yield from _cardroom(rounds, seed)
        return
    chance = Seeded(f"help {seed}")
    before: TapedTable | None = None
    for played in drive.tables(game, rounds, seed, oddly=ODDLY, watched_by=Unwatched):
        if before is not None:
            yield before
        assert isinstance(played, Unwatched)
        played.helping = chance
        before = kept_on_tape(played.live)
    if before is not None:
        yield before


class Unwatched(Watched):
    """A table that is driven and kept on tape; what holds of every round is looked at elsewhere."""

    helping: Seeded

    def attempt(self, wanted: NamedStep | Proposal) -> tuple[AnEvent, ...]:
        """Do something if it is lawful."""
        seed = f"{self.seed}/{self.commands}"
        self.commands += 1
        try:
            what = proposed(wanted, self.live.rules)
            self.live.entropy = self.live.vault.entropy = self._entropy(what.step, seed)
            events = self.live.do(what.by, what.action)
        except RefusedError:
            return ()
        self.rounds += any(event.step in ROUND_ENDS for event in events)
        return events

    def next(self) -> Proposal | None:
        """Return what is due, or that a player asks for help before setting a hand."""
        due = super().next()
        if due is None or due.step != "set" or due.by.role is not Role.PLAYER or self.helping.below(HELPED):
            return due
        asking = Proposal(due.by, AskHelp(due.position or 0))
        return asking if self.live.may(asking) else due

    def refold(self) -> None:
        """Leave the events as they are: nothing of them was kept."""


class Cardrooms(Driven):
    """A cardroom's table that is driven without looking at each round."""

    def rare_hands(self) -> None:
        """Leave the cards as they were shuffled: what is on tape is what was dealt."""

    def play_round(self, *, whole_text: bool = False) -> None:
        """Play one round from the empty layout to the empty layout."""
        self.log.clear()
        self.pile = self.chance.randint(1, 7)
        self.piles_first = self.state.way == "manual" and self.sometimes(0.5)
        self.people()
        self.rotation()
        self.wagers()
        self.ready().do("no_more_bets")
        self.count_round()
        self.cards()


def _cardroom(rounds: int, seed: str) -> Iterator[TapedTable]:
    chance, played = random.Random(seed), 0
    while played < rounds:
        table = Cardrooms(chance, f"{seed}/{played}", Counter())
        live = kept_on_tape(table.live)
        for _ in range(min(drive.ROUNDS_AT_A_TABLE, rounds - played)):
            table.play_round()
            played += 1
        yield live
