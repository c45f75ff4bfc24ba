"""Drives automated tables: dealers, devices and house players at a pace, and people who have left.

The driver does nothing by itself: ``due`` returns the commands of automated actors now and ``next_at`` when
to ask again. The caller carries the commands out and passes back their answers. The driver remembers only
since when it waits: a new driver starts its waits again, and continues with the tables as they stand.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from houseway.chips import ChipCommand
from houseway.floor.batches import Answer
from houseway.floor.core import Clock, Floor
from houseway.floor.streams import TableId
from houseway.intake import AUTO
from houseway.law.problems import Problem
from houseway.rounds.codec import encode
from houseway.rounds.state import PersonId, Phase
from houseway.rounds.step import Command, CommandId, Proposal
from houseway.service.moves import AwaitedStep, Move, TableMoves, moves_at, was_closed
from houseway.service.table_plans import TablePlan

LOOK_AGAIN: Final = timedelta(minutes=1)
"""How long the moves at an unchanged table are cached; time limits of the law may change them."""
AnyCommand = Command | ChipCommand
WaitingSince = dict[tuple[PersonId, str], datetime]
"""Since when the table waits for each person and step."""


class RefusedStep(Struct, frozen=True):
    """An automatic command that was refused; it is not tried again until its table changes."""

    table: TableId
    command: AnyCommand
    problems: tuple[Problem, ...]
    fault: str = ""


@dataclass
class _TableWatch:
    """The driver's view of a table: its moves, whom it waits for, and since when."""

    state: object
    """A key that differs once anything has changed."""
    since: datetime
    looked_at: datetime
    """When the moves were computed."""
    moves: TableMoves
    round: int
    refused: set[bytes] = field(default_factory=set)
    waiting_since: WaitingSince = field(default_factory=dict)
    first_bet: datetime | None = None
    ready: set[PersonId] = field(default_factory=set)
    issued: AnyCommand | None = None
    """The command issued last for the table as it stands."""


class Driver:
    """Decides what automated actors do at the tables that have a plan."""

    def __init__(self, floor: Floor, plans: Mapping[TableId, TablePlan], clock: Clock) -> None:
        self.floor, self.plans, self.clock = floor, dict(plans), clock
        self._started = clock()
        self._seen: dict[PersonId, datetime] = {}
        self._watched: dict[TableId, _TableWatch] = {}
        self._opening: set[TableId] = set()

    # --- input ----------------------------------------------------------------------------------------

    def note_seen(self, person: PersonId, now: datetime) -> None:
        """Note that a person is present."""
        self._seen[person] = max(now, self._seen.get(person, now))

    def note_ready(self, table: TableId, person: PersonId) -> None:
        """Note that a person has placed all the bets they want in this round."""
        if table in self.plans:
            self._watch(table, self.clock()).ready.add(person)

    def open(self, table: TableId) -> None:
        """Allow a table that people have closed to be opened again."""
        self._opening.add(table)
        self._watched.pop(table, None)

    def take_answer(self, answer: Answer) -> RefusedStep | None:
        """Take the answer to a command; return the refusal if it was an automatic command."""
        table = answer.table
        watch = self._watched.get(table)
        if watch is None or watch.issued is None or watch.issued.id != answer.command:
            return None
        if answer.done:
            return None
        refusal = RefusedStep(table, watch.issued, answer.refused, answer.fault)
        watch.refused.add(_key(watch.issued))
        watch.issued = None
        watch.moves = self._moves(table, watch)
        return refusal

    # --- what is due ----------------------------------------------------------------------------------

    def due(self, now: datetime) -> list[tuple[TableId, AnyCommand]]:
        """Return the commands due now, one for each table; repeated calls return the same ids."""
        commands = ((table, self.due_at(table, now)) for table in sorted(self.plans))
        return [(table, command) for table, command in commands if command is not None]

    def due_at(self, table: TableId, now: datetime) -> AnyCommand | None:
        """Return the command due now at one table, if any."""
        watch = self._watch(table, now)
        planned = self._next(table, watch)
        if planned is None or planned[0] > now:
            return None
        watch.issued = self._command(table, watch, planned[1])
        return watch.issued

    def next_at(self, now: datetime) -> datetime | None:
        """Return when the next command is due if nothing else happens; None if none ever is."""
        planned = [self._next(table, self._watch(table, now)) for table in self.plans]
        return min((max(now, at) for at, _ in filter(None, planned)), default=None)

    def waits_until(self, table: TableId, person: PersonId, now: datetime) -> datetime | None:
        """Return until when the table waits for a person's step or bets, if it does."""
        if table not in self.plans:
            return None
        watch = self._watch(table, now)
        ends = [self._given_up_at(table, watch, step) for step in watch.moves.waits if step.person == person]
        if ends:
            return min(ends)
        if watch.moves.closing is not None and person in watch.moves.people:
            return self._bets_close_at(table, watch)
        return None

    def _next(self, table: TableId, watch: _TableWatch) -> tuple[datetime, Move] | None:
        """Return the next move at a table as it stands, and when it is due."""
        moves, now = watch.moves, self.clock()
        barred = (up for person, up in moves.leaving if self.floor.barred(person, now) is not None)
        choices: list[tuple[datetime, Move]] = [(watch.since, up) for up in barred]
        if moves.next is not None and not self._rests(table, watch, moves.next):
            choices.append((self._earliest(table, watch, moves.next), moves.next))
        elif moves.closing is not None:
            at = max(self._earliest(table, watch, moves.closing), self._bets_close_at(table, watch))
            choices.append((at, moves.closing))
        for waits in moves.waits:
            paced = self._earliest(table, watch, waits.otherwise)
            choices.append((max(paced, self._given_up_at(table, watch, waits)), waits.otherwise))
        for person, up in moves.leaving:
            choices.append((max(self._earliest(table, watch, up), self._gone_at(table, person)), up))
        return min(choices, key=lambda choice: choice[0], default=None)

    def _earliest(self, table: TableId, watch: _TableWatch, move: Move) -> datetime:
        phase = self.floor.table(table).table.phase
        return watch.since + self.plans[table].pace.before(move.action.step, phase)

    def _rests(self, table: TableId, watch: _TableWatch, move: Move) -> bool:
        """Whether house players hold back their bets: no person sits here, or was seen for long."""
        plan = self.plans[table]
        resting = plan.patience.resting
        if move.action.step != "wager" or watch.moves.people or (plan.alone and resting is None):
            return False
        if not plan.alone or resting is None:
            return True
        last = max(self._seen.values(), default=self._started)
        return self._earliest(table, watch, move) > max(last, self._started) + timedelta(seconds=resting)

    def _bets_close_at(self, table: TableId, watch: _TableWatch) -> datetime:
        """Return when the bets are closed: at once if all people are ready, else after the time for bets."""
        moves = watch.moves
        if moves.people <= watch.ready and not moves.unbet:
            return watch.since
        window = timedelta(seconds=self.plans[table].patience.betting)
        return (watch.first_bet or watch.since) + window

    def _gone_at(self, table: TableId, person: PersonId) -> datetime:
        """Return when a person counts as gone, unless they are seen before."""
        last = max(self._seen.get(person, self._started), self._started)
        return last + timedelta(seconds=self.plans[table].patience.vanished)

    def _given_up_at(self, table: TableId, watch: _TableWatch, waits: AwaitedStep) -> datetime:
        """Return when the wait for a person's step ends: their time is up, or they count as gone."""
        since = watch.waiting_since[waits.person, waits.step]
        patient = since + self.plans[table].patience.for_step(waits.step)
        return min(patient, max(since, self._gone_at(table, waits.person)))

    def _command(self, table: TableId, watch: _TableWatch, move: Move) -> AnyCommand:
        """Return a move as a command; its id stays the same while the table does not change."""
        running = self.floor.table(table)
        tries = f"/{len(watch.refused)}" if watch.refused else ""
        name: CommandId = f"{AUTO}{running.stream}/{running.head.version + 1}{tries}"
        if isinstance(move, ChipCommand):
            return replace(move, id=name)
        return Command(move.by, move.action, id=name)

    # --- the watch of a table -------------------------------------------------------------------------

    def _watch(self, table: TableId, now: datetime) -> _TableWatch:
        """Return the watch of a table, computed again if the table has changed or it is old."""
        running, house = self.floor.table(table), self.floor.house
        state = (running.stream, running.head.version, house.program, house.why_link_down(table))
        before = self._watched.get(table)
        if before is not None and before.state == state:
            if now - before.looked_at >= LOOK_AGAIN:
                self._look(table, before, before.waiting_since, now)
            return before
        watch = _TableWatch(state, now, now, TableMoves(), round=running.table.round.number)
        if before is not None and before.round == watch.round:
            watch.first_bet, watch.ready = before.first_bet, before.ready
        self._look(table, watch, before.waiting_since if before else {}, now)
        self._watched[table] = watch
        return watch

    def _look(self, table: TableId, watch: _TableWatch, since_before: WaitingSince, now: datetime) -> None:
        """Compute the moves at a table, and since when it waits for whom."""
        watch.looked_at, watch.moves = now, self._moves(table, watch)
        if watch.moves.bets and watch.first_bet is None:
            watch.first_bet = now
        watch.waiting_since = {
            (step.person, step.step): since_before.get((step.person, step.step), now)
            for step in watch.moves.waits
        }

    def _moves(self, table: TableId, watch: _TableWatch) -> TableMoves:
        running, moment, plan = self.floor.table(table), self.floor.moment(table), self.plans[table]
        if running.table.phase is not Phase.CLOSED:
            self._opening.discard(table)
        elif was_closed(running.table) and table not in self._opening:
            return TableMoves()
        practice = self.floor.house.tables[table].practice
        return moves_at(running, plan, moment, lambda move: _key(move) in watch.refused, practice)


def _key(move: Move | AnyCommand) -> bytes:
    """Return a key of a move, the same under any command id."""
    if isinstance(move, ChipCommand):
        return encode(replace(move, id=""))
    return encode(Proposal(move.by, move.action))


def queue(floor: Floor, commands: Iterable[tuple[TableId, AnyCommand]]) -> None:
    """Submit commands to their tables, both round steps and chip actions."""
    for table, command in commands:
        floor.submit(table, command)
