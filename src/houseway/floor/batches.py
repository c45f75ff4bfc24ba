"""A batch being prepared: commands decided one after the other, each on the result of the one before."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Final, NamedTuple

from msgspec import Struct

from houseway.chips import ChipCommand, ChipConfig
from houseway.chips.reports import ReportDue
from houseway.errors import HousewayError
from houseway.floor.bodies import entries_after, write_body
from houseway.floor.exclusion_rule import BarCheck, bar_no_one
from houseway.floor.house import House, evolve_house, make_meter_terms_record
from houseway.floor.running_table import RunningTable
from houseway.floor.setup_events import MeterOpened
from houseway.floor.shared_meters import (
    SharedMeter,
    evolve_meter,
    make_meter_turn,
    meter_snapshot,
    open_meter,
)
from houseway.floor.streams import SETUP, TableId, meter_stream
from houseway.floor.turns import Surroundings, TurnDecision, decide_turn
from houseway.law.problems import Problem, RefusedError
from houseway.meters import MeterMove, MeterState
from houseway.rng import Entropy
from houseway.rounds.chance import Vault, live
from houseway.rounds.codec import encode
from houseway.rounds.live import last_seal
from houseway.rounds.outcomes import Moves
from houseway.rounds.record import ends_round
from houseway.rounds.state import MeterId
from houseway.rounds.step import AnEvent, Command
from houseway.store.entries import Entry, Head, StreamId, next_entry
from houseway.store.protocol import Batch, LockedDeck, Snapshot
from houseway.store.safe import DeckSafe
from houseway.store.store_errors import StoreError

SNAPSHOT_EVERY = 200
"""After how many entries of a stream a snapshot is taken, so that it loads fast."""


@dataclass(frozen=True, eq=False)
class WaitingCommand:
    """A command for a table that waits to be decided; sent twice, it waits twice."""

    table: TableId
    command: Command | ChipCommand
    deadline: float = math.inf
    """Until when it may be carried out, in seconds of the monotonic clock."""


class Fault(StrEnum):
    """Why a command was neither carried out nor refused by any rule."""

    MEANINGLESS = "meaningless"
    """There is no such table, or nothing can be made of it."""
    CONFLICT = "conflict"
    """Something else was carried out under its id."""
    LATE = "late"
    """Its time had passed before it was stored: it was not carried out, and never will be."""
    UNKNOWN = "unknown"
    """The database did not answer in time whether it was stored: sent again, it is answered."""
    UNREADABLE = "unreadable"
    """It was carried out before, and what was answered then cannot be read."""
    BROKEN = "broken"
    """The program failed over it, or the database cannot hold it: nothing was changed."""


LATE: Final = "it was not carried out: its time had passed"
UNKNOWN: Final = "it is not known yet whether it was carried out: ask again with this id"
UNREADABLE: Final = "it was carried out before, but the answer cannot be read: look at the table"
BROKEN: Final = "something went wrong here, and nothing was changed"


class FirstUse(Struct, frozen=True):
    """Where a command was carried out: the table, and the version of it that shows it."""

    table: TableId
    version: int


class Answer(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """The answer to a command: the version of its table that shows it, or every reason against it."""

    command: str
    table: TableId
    version: int = 0
    refused: tuple[Problem, ...] = ()
    fault: str = ""
    """Why it could not even be judged."""
    kind: Fault = Fault.MEANINGLESS
    """What kind of fault it is, if there is one."""
    first: FirstUse | None = None
    """What its id stands for instead, if it stands for something else."""
    reports: tuple[ReportDue, ...] = ()
    """The reports of cash or winnings that it makes due."""

    @property
    def done(self) -> bool:
        """Whether it was carried out."""
        return not (self.refused or self.fault)


class Reply(NamedTuple):
    """A command that waited, and its answer."""

    waiting: WaitingCommand
    answer: Answer


def fault_reply(waiting: WaitingCommand, kind: Fault, text: str) -> Reply:
    """Return the reply to a command that is not carried out because of a fault."""
    return Reply(waiting, Answer(command=waiting.command.id, table=waiting.table, fault=text, kind=kind))


@dataclass
class BatchDraft:
    """A batch being prepared. The floor itself is not changed until the batch is stored."""

    now: datetime
    entropy: Entropy
    safe: DeckSafe
    chips: ChipConfig
    house: House
    setup_head: Head
    """Where the stream of setup ends."""
    meters: dict[MeterId, SharedMeter]
    tables: dict[TableId, RunningTable] = field(default_factory=dict)
    vaults: dict[TableId, Vault] = field(default_factory=dict)
    waiting: list[WaitingCommand] = field(default_factory=list)
    replies: list[Reply] = field(default_factory=list)
    defects: list[Exception] = field(default_factory=list)
    """Exceptions that no rule raised, which are mistakes of the program: to be logged."""
    entries: list[Entry] = field(default_factory=list)
    snapshots: list[Snapshot] = field(default_factory=list)
    sealed: list[LockedDeck] = field(default_factory=list)
    opened: list[tuple[StreamId, str]] = field(default_factory=list)
    barred: BarCheck = bar_no_one

    @property
    def batch(self) -> Batch:
        """What is to be stored."""
        snapshots = [self.safe.snapshots.seal(snapshot) for snapshot in self.snapshots]
        return Batch(entries=self.entries, snapshots=snapshots, sealed=self.sealed, opened=self.opened)

    def answer(self, waiting: WaitingCommand, running: RunningTable, vault: Vault) -> None:
        """Carry a command out, or answer why not; ``running`` and ``vault`` are its table's unless begun."""
        running = self.tables.get(waiting.table, running)
        vault = self.vaults.get(waiting.table, vault)
        draft = self._draft()
        try:
            self.replies.append(Reply(waiting, draft._carry_out(waiting, running, vault)))
            self._take_over(draft)
        except RefusedError as error:
            answer = Answer(command=waiting.command.id, table=waiting.table, refused=error.problems)
            self.replies.append(Reply(waiting, answer))
        except StoreError:
            raise
        except HousewayError as error:
            self.replies.append(fault_reply(waiting, Fault.MEANINGLESS, str(error)))
        except Exception as error:  # one command that the program fails over keeps no other from its answer
            self.defects.append(error)
            self.replies.append(fault_reply(waiting, Fault.BROKEN, BROKEN))

    @property
    def deadline(self) -> float:
        """Until when all of it may be stored."""
        return min((waiting.deadline for waiting in self.waiting), default=math.inf)

    def _draft(self) -> BatchDraft:
        """Return a batch of one command, on what this one has come to: nothing of it stays if it fails."""
        return BatchDraft(
            self.now,
            self.entropy,
            self.safe,
            self.chips,
            self.house,
            self.setup_head,
            dict(self.meters),
            barred=self.barred,
        )

    def _take_over(self, draft: BatchDraft) -> None:
        """Add the result of a command."""
        self.house, self.setup_head, self.meters = draft.house, draft.setup_head, draft.meters
        self.tables |= draft.tables
        self.vaults |= draft.vaults
        self.entries += draft.entries
        self.snapshots += draft.snapshots
        self.sealed += draft.sealed
        self.opened += draft.opened

    def _carry_out(self, waiting: WaitingCommand, running: RunningTable, vault: Vault) -> Answer:
        around = Surroundings(self.now, self.house, self.chips, self.barred)
        trial = Vault(self.entropy, vault.sealed)
        moment = live(self.now, self.entropy, trial, self._states())
        decided = decide_turn(running, waiting.command, around, moment)
        answer, after = self._add_turn(waiting, running, decided)
        self._move_meters(waiting, after, decided.events, encode(answer))
        self._keep_decks(after, vault, trial, over=any(map(ends_round, decided.events)))
        self.vaults[waiting.table] = trial
        return answer

    def _add_turn(
        self, waiting: WaitingCommand, running: RunningTable, decided: TurnDecision
    ) -> tuple[Answer, RunningTable]:
        """Add a turn to its table's stream; return the answer and the table after it."""
        version, name = running.head.version + 1, waiting.command.id
        answer = Answer(command=name, table=waiting.table, version=version, reports=decided.reports)
        entry = next_entry(running.head, running.stream, name, write_body(decided.turn), encode(answer))
        after = running.after(decided.turn, entry.head, decided.table)
        self.entries.append(entry)
        self.tables[waiting.table] = after
        if after.head.version % SNAPSHOT_EVERY == 0:
            self.snapshots.append(after.snapshot())
        return answer, after

    def _states(self) -> Mapping[MeterId, MeterState]:
        return {name: meter.state for name, meter in self.meters.items()}

    def _move_meters(
        self, waiting: WaitingCommand, running: RunningTable, events: tuple[AnEvent, ...], answer: bytes
    ) -> None:
        """Add to the streams of meters what events moved, in the same batch."""
        for event in events:
            move = event.outcome.meter if isinstance(event.outcome, Moves) else None
            if not isinstance(move, MeterMove):
                continue
            if move.before is None:
                self._open_meter(running, move, event)
                continue
            turn = make_meter_turn(waiting.table, event, move)
            meter, name = self.meters[move.meter], f"{waiting.command.id}#{event.seq}"
            entry = next_entry(meter.head, meter_stream(move.meter), name, write_body(turn), answer)
            self.entries.append(entry)
            self.meters[move.meter] = evolve_meter(meter, turn, entry.head)
            if entry.version % SNAPSHOT_EVERY == 0:
                self.snapshots.append(meter_snapshot(self.meters[move.meter]))

    def _open_meter(self, running: RunningTable, move: MeterMove, event: AnEvent) -> None:
        """Open the meter that rules adopted at a table bring with them."""
        opened = MeterOpened(
            meter=move.meter,
            state=move.after,
            submission=running.rules.fingerprint,
            terms=make_meter_terms_record(running.rules, move.meter),
            by=event.by,
            at=event.at,
        )
        (entry,) = entries_after(SETUP, self.setup_head, [opened])
        self.entries.append(entry)
        self.setup_head, self.house = entry.head, evolve_house(self.house, opened)
        self.meters[move.meter] = open_meter(opened)

    def _keep_decks(self, after: RunningTable, before: Vault, trial: Vault, *, over: bool) -> None:
        """Store the decks shuffled now, and delete those of rounds that are over."""
        self.sealed += [
            LockedDeck(stream=after.stream, commitment=name, sealed=self.safe.lock(after.stream, deck))
            for name, deck in trial.sealed.items()
            if name not in before.sealed
        ]
        if over:
            needed = {deck.commitment for deck in after.table.decks.values()} | {last_seal(after.table)}
            self.opened += [(after.stream, name) for name in trial.sealed if name not in needed]
            trial.keep_only(needed)
