"""Tables that run by themselves: dealers, devices and house players at a pace, and people who vanish.

The driver does nothing by itself: ``due`` says what automated people command now and ``next_at`` when to ask
again. Whoever runs the floor carries the commands out and tells the driver what became of them. What it
remembers is only since when it waits: a driver that starts anew waits anew, and goes on where tables stand.
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
from houseway.service.moves import Move, TableMoves, TableWaits, moves_at, was_closed
from houseway.service.plans import TablePlan

LOOK_AGAIN: Final = timedelta(minutes=1)
"""So long a table that nobody touches is taken to ask for nothing new: the law's clocks go on meanwhile."""
AnyCommand = Command | ChipCommand
Asked = dict[tuple[PersonId, str], datetime]
"""Since when each person has been waited for, and for which step."""


class RefusedStep(Struct, frozen=True):
    """An automatic command that was refused: it is not tried again until its table changes."""

    table: TableId
    command: AnyCommand
    problems: tuple[Problem, ...]
    fault: str = ""


@dataclass
class _Watch:
    """A table as the driver last saw it, and since when it waits there, and for whom."""

    state: object
    """What tells whether anything has changed."""
    since: datetime
    looked: datetime
    """When it was looked at what may be done."""
    moves: TableMoves
    round: int
    refused: set[bytes] = field(default_factory=set)
    asked: Asked = field(default_factory=dict)
    first_bet: datetime | None = None
    ready: set[PersonId] = field(default_factory=set)
    given: AnyCommand | None = None
    """What was given out last, as the table stands."""


class Driver:
    """Says what automated people do at the tables that have a plan."""

    def __init__(self, floor: Floor, plans: Mapping[TableId, TablePlan], clock: Clock) -> None:
        self.floor, self.plans, self.clock = floor, dict(plans), clock
        self._started = clock()
        self._seen: dict[PersonId, datetime] = {}
        self._watched: dict[TableId, _Watch] = {}
        self._opening: set[TableId] = set()

    # --- what the driver is told ----------------------------------------------------------------------

    def seen(self, person: PersonId, now: datetime) -> None:
        """Take note that a person is there."""
        self._seen[person] = max(now, self._seen.get(person, now))

    def ready(self, table: TableId, person: PersonId) -> None:
        """Take note that a person has bet what they want in this round."""
        if table in self.plans:
            self._watch(table, self.clock()).ready.add(person)

    def open(self, table: TableId) -> None:
        """Let a table that people have closed be opened again."""
        self._opening.add(table)
        self._watched.pop(table, None)

    def answered(self, answer: Answer) -> RefusedStep | None:
        """Take what became of a command; return what is to be reported, if it was an automatic one."""
        table = answer.table
        watch = self._watched.get(table)
        if watch is None or watch.given is None or watch.given.id != answer.command:
            return None
        if answer.done:
            return None
        refusal = RefusedStep(table, watch.given, answer.refused, answer.fault)
        watch.refused.add(_key(watch.given))
        watch.given = None
        watch.moves = self._moves(table, watch)
        return refusal

    # --- what is due ----------------------------------------------------------------------------------

    def due(self, now: datetime) -> list[tuple[TableId, AnyCommand]]:
        """Return what automated people do now, one thing at a table; asked twice, the same by one name."""
        found = ((table, self.due_at(table, now)) for table in sorted(self.plans))
        return [(table, command) for table, command in found if command is not None]

    def due_at(self, table: TableId, now: datetime) -> AnyCommand | None:
        """Return what automated people do now at one table."""
        watch = self._watch(table, now)
        planned = self._next(table, watch)
        if planned is None or planned[0] > now:
            return None
        watch.given = self._command(table, watch, planned[1])
        return watch.given

    def next_at(self, now: datetime) -> datetime | None:
        """Return when something is due next, if nothing else happens before; nothing if it never is."""
        planned = [self._next(table, self._watch(table, now)) for table in self.plans]
        return min((max(now, at) for at, _ in filter(None, planned)), default=None)

    def waits_until(self, table: TableId, person: PersonId, now: datetime) -> datetime | None:
        """Return until when the table waits for a person: for what they are to do, or for their bets."""
        if table not in self.plans:
            return None
        watch = self._watch(table, now)
        asked = [self._given_up(table, watch, one) for one in watch.moves.waits if one.person == person]
        if asked:
            return min(asked)
        if watch.moves.closing is not None and person in watch.moves.people:
            return self._bets_closed(table, watch)
        return None

    def _next(self, table: TableId, watch: _Watch) -> tuple[datetime, Move] | None:
        """Return what is done next at a table as it stands, and when."""
        moves, now = watch.moves, self.clock()
        barred = (up for person, up in moves.leaving if self.floor.barred(person, now) is not None)
        choices: list[tuple[datetime, Move]] = [(watch.since, up) for up in barred]
        if moves.next is not None and not self._rests(table, watch, moves.next):
            choices.append((self._paced(table, watch, moves.next), moves.next))
        elif moves.closing is not None:
            at = max(self._paced(table, watch, moves.closing), self._bets_closed(table, watch))
            choices.append((at, moves.closing))
        for waits in moves.waits:
            paced = self._paced(table, watch, waits.otherwise)
            choices.append((max(paced, self._given_up(table, watch, waits)), waits.otherwise))
        for person, up in moves.leaving:
            choices.append((max(self._paced(table, watch, up), self._gone_at(table, person)), up))
        return min(choices, key=lambda one: one[0], default=None)

    def _paced(self, table: TableId, watch: _Watch, move: Move) -> datetime:
        phase = self.floor.table(table).table.phase
        return watch.since + self.plans[table].pace.before(move.action.step, phase)

    def _rests(self, table: TableId, watch: _Watch, move: Move) -> bool:
        """Whether a house player begins no round: nobody sits here, or has been on the floor for long."""
        plan = self.plans[table]
        resting = plan.patience.resting
        if move.action.step != "wager" or watch.moves.people or (plan.alone and resting is None):
            return False
        if not plan.alone or resting is None:
            return True
        last = max(self._seen.values(), default=self._started)
        return self._paced(table, watch, move) > max(last, self._started) + timedelta(seconds=resting)

    def _bets_closed(self, table: TableId, watch: _Watch) -> datetime:
        """Return when the bets are closed: everybody has bet and is ready, or has had the time for it."""
        moves = watch.moves
        if moves.people <= watch.ready and not moves.unbet:
            return watch.since
        window = timedelta(seconds=self.plans[table].patience.betting)
        return (watch.first_bet or watch.since) + window

    def _gone_at(self, table: TableId, person: PersonId) -> datetime:
        """Return when a person is taken to have got up, unless they are seen before."""
        last = max(self._seen.get(person, self._started), self._started)
        return last + timedelta(seconds=self.plans[table].patience.vanished)

    def _given_up(self, table: TableId, watch: _Watch, waits: TableWaits) -> datetime:
        """Return when a person has had the time for what the table waits for, or is gone."""
        asked = watch.asked[waits.person, waits.step]
        patient = asked + self.plans[table].patience.for_step(waits.step)
        return min(patient, max(asked, self._gone_at(table, waits.person)))

    def _command(self, table: TableId, watch: _Watch, move: Move) -> AnyCommand:
        """Return a move under the name that it has as long as the table stands so."""
        running = self.floor.table(table)
        tries = f"/{len(watch.refused)}" if watch.refused else ""
        name: CommandId = f"{AUTO}{running.stream}/{running.head.version + 1}{tries}"
        if isinstance(move, ChipCommand):
            return replace(move, id=name)
        return Command(move.by, move.action, id=name)

    # --- what is remembered ---------------------------------------------------------------------------

    def _watch(self, table: TableId, now: datetime) -> _Watch:
        """Return what is known of a table, looked at anew if it has changed."""
        running, house = self.floor.table(table), self.floor.house
        state = (running.stream, running.head.version, house.program, house.why_link_down(table))
        before = self._watched.get(table)
        if before is not None and before.state == state:
            if now - before.looked >= LOOK_AGAIN:
                self._look(table, before, before.asked, now)
            return before
        watch = _Watch(state, now, now, TableMoves(), round=running.table.round.number)
        if before is not None and before.round == watch.round:
            watch.first_bet, watch.ready = before.first_bet, before.ready
        self._look(table, watch, before.asked if before else {}, now)
        self._watched[table] = watch
        return watch

    def _look(self, table: TableId, watch: _Watch, asked: Asked, now: datetime) -> None:
        """Look at what may be done at a table, and for whom it waits since when."""
        watch.looked, watch.moves = now, self._moves(table, watch)
        if watch.moves.bets and watch.first_bet is None:
            watch.first_bet = now
        watch.asked = {
            (one.person, one.step): asked.get((one.person, one.step), now) for one in watch.moves.waits
        }

    def _moves(self, table: TableId, watch: _Watch) -> TableMoves:
        running, moment, plan = self.floor.table(table), self.floor.moment(table), self.plans[table]
        if running.table.phase is not Phase.CLOSED:
            self._opening.discard(table)
        elif was_closed(running.table) and table not in self._opening:
            return TableMoves()
        practice = self.floor.house.tables[table].practice
        return moves_at(running, plan, moment, lambda move: _key(move) in watch.refused, practice)


def _key(move: Move | AnyCommand) -> bytes:
    """Return what tells one thing from another, whatever it is named."""
    if isinstance(move, ChipCommand):
        return encode(replace(move, id=""))
    return encode(Proposal(move.by, move.action))


def queue(floor: Floor, commands: Iterable[tuple[TableId, AnyCommand]]) -> None:
    """Queue commands at their tables, whether they are about the round or about chips."""
    for table, command in commands:
        floor.submit(table, command)
