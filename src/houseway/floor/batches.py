"""A batch in the making: commands decided one after the other, each on what the one before left."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Final, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from houseway.chips import ChipCommand, ChipConfig, award_reports, chips_of, covers, decide_chips, staked_by
from houseway.chips.reports import ReportDue
from houseway.errors import HousewayError
from houseway.floor.barring import Barred, barred_problems, nobody
from houseway.floor.bodies import entries_after, write_body
from houseway.floor.house import House, evolve_house, meter_terms_kept, this_program
from houseway.floor.meters import MeterNow, evolve_meter, meter_opened, meter_snapshot, moved_by
from houseway.floor.running import RunningTable
from houseway.floor.streams import SETUP, MeterOpened, MeterTurn, TableEntry, TableId, meter_stream
from houseway.law.problems import Problem, RefusedError, refuse
from houseway.meters import MeterMove, MeterState
from houseway.money import dollars
from houseway.rng import Entropy
from houseway.rounds.action import Action
from houseway.rounds.chance import Vault, live, noting
from houseway.rounds.choices import Device
from houseway.rounds.codec import encode
from houseway.rounds.deciding import decide
from houseway.rounds.live import last_seal
from houseway.rounds.outcomes import Moves
from houseway.rounds.record import ends_round, make_turn
from houseway.rounds.state import CardOrigin, MeterId
from houseway.rounds.step import AnEvent, Command
from houseway.rounds.steps.adoption import ChangeDealing, RulesAdopted
from houseway.rounds.steps.opening import OpenTable
from houseway.settlement.model import PROGRESSIVE
from houseway.store.entries import Entry, Head, StreamId, following
from houseway.store.outcomes import StoreError
from houseway.store.protocol import Batch, Sealed, Snapshot
from houseway.store.sealing import DeckSafe

SNAPSHOT_EVERY = 200
"""So many entries a stream goes before its state is written down whole, so that it opens soon."""


@dataclass(frozen=True, eq=False)
class Asked:
    """A command for a table, waiting; sent twice, it waits twice."""

    table: TableId
    command: Command | ChipCommand
    deadline: float = math.inf
    """Until when it may be carried out, in seconds of the clock that only goes forward."""


class Fault(StrEnum):
    """Why a command was neither carried out nor refused by any rule."""

    MEANINGLESS = "meaningless"
    """There is no such table, or nothing can be made of it."""
    CONFLICT = "conflict"
    """Something else was carried out under its id."""
    LATE = "late"
    """Its time had passed before it was stored: it was not carried out, and never will be."""
    UNKNOWN = "unknown"
    """The database did not say in time what became of it: asked again, it is answered."""
    UNREADABLE = "unreadable"
    """It was carried out before, and what was answered then cannot be read."""
    BROKEN = "broken"
    """The program failed over it, or the database cannot hold it: nothing was changed."""


LATE: Final = "it was not carried out: its time had passed"
UNKNOWN: Final = "it is not known yet whether it was carried out: ask again with this id"
UNREADABLE: Final = "it was carried out before, and what was answered then cannot be read: look at the table"
BROKEN: Final = "something went wrong here, and nothing was changed"


class Answer(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """What became of a command: the version of its table that shows it, or every reason against it."""

    command: str
    table: TableId
    version: int = 0
    refused: tuple[Problem, ...] = ()
    fault: str = ""
    """Why it could not even be judged."""
    kind: Fault = Fault.MEANINGLESS
    """What kind of fault it is, if there is one."""
    reports: tuple[ReportDue, ...] = ()
    """The reports of cash or winnings that it makes due."""

    @property
    def done(self) -> bool:
        """Whether it was carried out."""
        return not (self.refused or self.fault)


class Reply(NamedTuple):
    """A command that waited, and its answer."""

    asked: Asked
    answer: Answer


def fault_of(one: Asked, kind: Fault, text: str) -> Reply:
    """Return the answer to a command that no rule refuses and nobody carries out."""
    return Reply(one, Answer(command=one.command.id, table=one.table, fault=text, kind=kind))


@dataclass
class Making:
    """A batch in the making. What it is made from is not touched until the batch is stored."""

    now: datetime
    entropy: Entropy
    safe: DeckSafe
    chips: ChipConfig
    house: House
    set_up: Head
    """Where the stream of what is set up ends."""
    meters: dict[MeterId, MeterNow]
    tables: dict[TableId, RunningTable] = field(default_factory=dict)
    vaults: dict[TableId, Vault] = field(default_factory=dict)
    asked: list[Asked] = field(default_factory=list)
    replies: list[Reply] = field(default_factory=list)
    defects: list[Exception] = field(default_factory=list)
    """What the program failed over: to be logged, for it is a mistake."""
    entries: list[Entry] = field(default_factory=list)
    snapshots: list[Snapshot] = field(default_factory=list)
    sealed: list[Sealed] = field(default_factory=list)
    opened: list[tuple[StreamId, str]] = field(default_factory=list)
    barred: Barred = nobody

    @property
    def batch(self) -> Batch:
        """What is to be stored."""
        return Batch(entries=self.entries, snapshots=self.snapshots, sealed=self.sealed, opened=self.opened)

    def answer(self, one: Asked, running: RunningTable, vault: Vault) -> None:
        """Carry a command out, or answer why not; ``running`` and ``vault`` are its table's unless begun."""
        running = self.tables.get(one.table, running)
        vault = self.vaults.get(one.table, vault)
        draft = self._draft()
        try:
            self.replies.append(Reply(one, draft._carried_out(one, running, vault)))
            self._take_over(draft)
        except RefusedError as error:
            answer = Answer(command=one.command.id, table=one.table, refused=error.problems)
            self.replies.append(Reply(one, answer))
        except StoreError:
            raise
        except HousewayError as error:
            self.replies.append(fault_of(one, Fault.MEANINGLESS, str(error)))
        except Exception as error:  # one command that the program fails over keeps no other from its answer
            self.defects.append(error)
            self.replies.append(fault_of(one, Fault.BROKEN, BROKEN))

    @property
    def deadline(self) -> float:
        """Until when all of it may be stored."""
        return min((one.deadline for one in self.asked), default=math.inf)

    def _draft(self) -> Making:
        """Return a batch of one command, on what this one has come to: nothing of it stays if it fails."""
        return Making(
            self.now,
            self.entropy,
            self.safe,
            self.chips,
            self.house,
            self.set_up,
            dict(self.meters),
            barred=self.barred,
        )

    def _take_over(self, draft: Making) -> None:
        """Add what a command has come to."""
        self.house, self.set_up, self.meters = draft.house, draft.set_up, draft.meters
        self.tables |= draft.tables
        self.vaults |= draft.vaults
        self.entries += draft.entries
        self.snapshots += draft.snapshots
        self.sealed += draft.sealed
        self.opened += draft.opened

    def _carried_out(self, one: Asked, running: RunningTable, vault: Vault) -> Answer:
        refuse(one.command.action.step, barred_problems(running.table, one.command, self.barred, self.now))
        if isinstance(one.command, ChipCommand):
            return self._chips_moved(one, one.command, running)
        trial = Vault(self.entropy, vault.sealed)
        moment, notes = noting(live(self.now, self.entropy, trial, self._states()))
        self._check_floor(one.table, one.command.action)
        events = decide(running.rules, running.table, one.command, moment)
        self._check_adopted(running, one.command.action, events)
        _check_covered(running, one.command.action, events)
        turn = make_turn(running.table, one.command, notes.given, events, moment)
        answer, after = self._added(one, running, turn, self._reports(running, events))
        self._move_meters(one, after, events, encode(answer))
        self._keep_decks(after, vault, trial, over=any(map(ends_round, events)))
        self.vaults[one.table] = trial
        return answer

    def _chips_moved(self, one: Asked, command: ChipCommand, running: RunningTable) -> Answer:
        """Do something with a table's chips: a table whose cards are virtual is its own cashier."""
        if not running.chips:
            refuse(command.action.step, [Problem("table", "the chips of this table are not followed")])
        virtual = self.house.tables[one.table].origin is CardOrigin.VIRTUAL_DECK
        config = replace(self.chips, self_service=virtual)
        turn = decide_chips(running.tray, command.action, command.by, command.second, self.now, config)
        answer, _ = self._added(one, running, turn, turn.outcome.reports)
        return answer

    def _reports(self, running: RunningTable, events: tuple[AnEvent, ...]) -> tuple[ReportDue, ...]:
        """Return the reports that what was won makes due."""
        rows, day = self.chips.thresholds, self.chips.gaming_day(self.now)
        return tuple(due for event in events for due in award_reports(rows, day, running.table, event))

    def _added(
        self, one: Asked, running: RunningTable, turn: TableEntry, reports: tuple[ReportDue, ...]
    ) -> tuple[Answer, RunningTable]:
        """Add a turn to its table's stream; return the answer and the table after it."""
        version = running.head.version + 1
        answer = Answer(command=one.command.id, table=one.table, version=version, reports=reports)
        entry = following(running.head, running.stream, one.command.id, write_body(turn), encode(answer))
        after = running.after(turn, entry.head)
        self.entries.append(entry)
        self.tables[one.table] = after
        if after.head.version % SNAPSHOT_EVERY == 0:
            self.snapshots.append(after.snapshot())
        return answer, after

    def _check_floor(self, table: TableId, action: Action) -> None:
        """Refuse what the floor does not permit now, whatever the law of the game says."""
        practice = self.house.tables[table].practice
        if isinstance(action, OpenTable) and not practice and self.house.program != this_program():
            said = "no table opens under this program until two people have approved it"
            refuse(action.step, [Problem("program", said, this_program().version)])
        why = self.house.link_down(table) if _places_progressive(action) else None
        if why is not None:
            said = "the link to the meter is down: no progressive wagers are taken"
            refuse(action.step, [Problem("wager.progressive", said, why)])

    def _check_adopted(self, running: RunningTable, action: Action, events: tuple[AnEvent, ...]) -> None:
        """Refuse rules for a table that are not in effect on the floor.

        A shoe that failed is replaced at once by another way of dealing: nothing is filed for that.
        """
        if isinstance(action, ChangeDealing) and Device.SHOE in running.table.failed:
            return
        for event in events:
            if isinstance(event.outcome, RulesAdopted):
                self.house.submission(event.outcome.fingerprint, self.now)

    def _states(self) -> Mapping[MeterId, MeterState]:
        return {name: meter.state for name, meter in self.meters.items()}

    def _move_meters(
        self, one: Asked, running: RunningTable, events: tuple[AnEvent, ...], said: bytes
    ) -> None:
        """Add to the streams of meters what events moved, in the same batch."""
        for event in events:
            move = event.outcome.meter if isinstance(event.outcome, Moves) else None
            if not isinstance(move, MeterMove):
                continue
            if move.before is None:
                self._open_meter(running, move, event)
                continue
            turn = MeterTurn(
                meter=move.meter,
                before=move.before,
                after=move.after,
                table=one.table,
                seq=event.seq,
                round=event.round,
                step=event.step,
                moved=moved_by(event, move.meter),
                by=event.by,
                at=event.at,
            )
            meter, name = self.meters[move.meter], f"{one.command.id}#{event.seq}"
            entry = following(meter.head, meter_stream(move.meter), name, write_body(turn), said)
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
            terms=meter_terms_kept(running.rules, move.meter),
            by=event.by,
            at=event.at,
        )
        (entry,) = entries_after(SETUP, self.set_up, [opened])
        self.entries.append(entry)
        self.set_up, self.house = entry.head, evolve_house(self.house, opened)
        self.meters[move.meter] = meter_opened(opened)

    def _keep_decks(self, after: RunningTable, before: Vault, trial: Vault, *, over: bool) -> None:
        """Lock away decks shuffled now, and forget those of rounds that are over."""
        self.sealed += [
            Sealed(stream=after.stream, commitment=name, sealed=self.safe.lock(after.stream, deck))
            for name, deck in trial.sealed.items()
            if name not in before.sealed
        ]
        if over:
            kept = {deck.commitment for deck in after.table.decks.values()} | {last_seal(after.table)}
            self.opened += [(after.stream, name) for name in trial.sealed if name not in kept]
            trial.keep_only(kept)


def _check_covered(running: RunningTable, action: Action, events: tuple[AnEvent, ...]) -> None:
    """Refuse wagers, banks and fees beyond what people have in front of them, where chips are followed."""
    if not running.chips:
        return
    refuse(
        action.step,
        [
            Problem("chips", f"{person} has {dollars(chips_of(running.tray, person))} here", dollars(amount))
            for person, amount in sorted(staked_by(events).items())
            if not covers(running.tray, person, amount)
        ],
    )


def _places_progressive(action: Action) -> bool:
    wagers: Mapping[str, int] = getattr(action, "wagers", {})
    return bool(wagers.get(PROGRESSIVE))
