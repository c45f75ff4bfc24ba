"""Tables folded along the log, without their rules: what each entry leaves them at, and the rounds that end.

A round appears only when it is over, since the cards of a running one lie face down.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from enum import StrEnum
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from houseway.chips import ChipTurn
from houseway.errors import IllegalError, UnknownNameError
from houseway.floor.bodies import read_body
from houseway.floor.event_kinds import Body
from houseway.floor.readmodels.parked_entry import is_fault_of_entry
from houseway.floor.setup_events import TableMade
from houseway.floor.streams import SETUP, TABLES, TableId, is_practice, table_stream
from houseway.floor.table_events import TableSnapshot
from houseway.games import Submission
from houseway.ledger import Movement
from houseway.rounds.codec import decode, encode
from houseway.rounds.deciding import evolve
from houseway.rounds.outcomes import Moves
from houseway.rounds.record import Turn, ends_round
from houseway.rounds.state import PersonId, Round, Table
from houseway.rounds.step import AnEvent
from houseway.rounds.steps.adoption import RulesAdopted
from houseway.rounds.steps.meter import AdjustMeter
from houseway.rounds.steps.round_end import RoundClosed
from houseway.rounds.steps.ruling import RoundVoided
from houseway.settlement import Payment
from houseway.store.entries import Entry, StreamId
from houseway.store.protocol import Store

FOLD_EVERY: Final = 200
"""How many entries of a table pass before its fold is written again."""


class RoundEnding(StrEnum):
    """How a round ended."""

    PLAYED = "played"
    VOID = "void"
    NO_HAND = "no hand left"


class Play(Struct, frozen=True, kw_only=True):
    """What was done since the round before was over."""

    first_version: int
    """The version of the table's stream with which it began."""
    began: datetime | None = None
    """When the first wager was placed."""
    payments: tuple[Payment, ...] = ()
    """Stakes and payments, in order."""
    by_hand: tuple[Payment, ...] = ()
    """Awards of this round that two people backed out."""
    steps: frozenset[str] = frozenset()
    clauses: frozenset[str] = frozenset()
    people: frozenset[PersonId] = frozenset()

    def after(self, event: AnEvent) -> Play:
        """Return the play after an event."""
        payments = payments_of(event)
        stakes = isinstance(event.outcome, Moves) and event.outcome.stakes
        cited = [clause for alert in event.alerts for clause in alert.clauses]
        cited += [clause for payment in payments for clause in payment.clauses]
        return replace(
            self,
            began=self.began or (event.at if stakes else None),
            payments=self.payments + (() if is_by_hand(event) else payments),
            steps=self.steps | {event.step},
            clauses=self.clauses.union(event.clauses, cited),
            people=self.people | {event.by.id},
        )


def payments_of(event: AnEvent) -> tuple[Payment, ...]:
    """Return the stakes and payments that an event moved."""
    return (*event.outcome.stakes, *event.outcome.payments) if isinstance(event.outcome, Moves) else ()


def is_by_hand(event: AnEvent) -> bool:
    """Whether two people adjusted a meter, or backed an award out."""
    return isinstance(event.action, AdjustMeter)


class RoundOver(Struct, frozen=True, kw_only=True):
    """A round that is over, and the event that ended it."""

    table: TableId
    submission: Submission
    round: Round
    play: Play
    dealer: PersonId
    version: int
    event: AnEvent

    @property
    def key(self) -> dict[str, str | int]:
        """What stands for the round in every table of the read models."""
        return {"table_id": self.table, "round": self.round.number}

    @property
    def ending(self) -> RoundEnding:
        """How it ended."""
        if isinstance(self.event.outcome, RoundVoided):
            return RoundEnding.VOID
        return RoundEnding.PLAYED if isinstance(self.event.outcome, RoundClosed) else RoundEnding.NO_HAND


class Aside(Struct, frozen=True):
    """What was moved beside the play of a round: a meter opened, adjusted, or an award backed out."""

    event: AnEvent
    payments: tuple[Payment, ...] = ()
    movements: tuple[Movement, ...] = ()
    round: int | None = None
    """The round that is over already, and whose award was backed out."""


class TableFold(Struct, frozen=True, kw_only=True):
    """A table as some version of its stream leaves it."""

    submission: Submission
    table: Table
    version: int
    play: Play


class FoldedEntry(Struct, frozen=True, kw_only=True):
    """One entry, as read models see it: with the table before and after, and what was over with it."""

    entry: Entry
    body: Body
    before: TableFold | None = None
    after: TableFold | None = None
    over: tuple[RoundOver, ...] = ()
    aside: tuple[Aside, ...] = ()
    practice: bool = False
    """Whether it is about a practice table: of those there are no read models."""


# --- one table ----------------------------------------------------------------------------------------


def new_fold(event: TableMade) -> TableFold:
    """Return the fold of a table as it was made; it needs no rules."""
    table = Table(
        id=event.table,
        submission=event.rules,
        law="",
        meter=event.meter,
        automated=event.automated,
        source=event.origin,
    )
    return TableFold(submission=event.submission, table=table, version=0, play=Play(first_version=1))


def fold(before: TableFold, turn: Turn, entry: Entry) -> FoldedEntry:
    """Return a turn as read models see it."""
    submission, table, play = before.submission, before.table, before.play
    over: list[RoundOver] = []
    beside: list[Aside] = []
    for event in turn.events:
        was, table = table, evolve(table, event)
        if isinstance(event.outcome, RulesAdopted):
            submission = event.outcome.submission
        play = play.after(event)
        aside = _aside(event, was, table)
        if aside is not None:
            beside.append(aside)
            if aside.round is None:
                play = replace(play, by_hand=play.by_hand + aside.payments)
        if ends_round(event) and table.last is not None:
            over.append(
                RoundOver(
                    table=table.id,
                    submission=submission,
                    round=table.last,
                    play=play,
                    dealer=was.dealer or "",
                    version=entry.version,
                    event=event,
                )
            )
            play = Play(first_version=entry.version + 1)
    after = TableFold(submission=submission, table=table, version=entry.version, play=play)
    return FoldedEntry(
        entry=entry, body=turn, before=before, after=after, over=tuple(over), aside=tuple(beside)
    )


def skip_entry(before: TableFold, entry: Entry) -> TableFold:
    """Return a table after an entry that did nothing to the round: its chips moved."""
    return replace(before, version=entry.version)


def _aside(event: AnEvent, before: Table, after: Table) -> Aside | None:
    movements = event.outcome.movements if isinstance(event.outcome, Moves) else ()
    if is_by_hand(event):
        ended = after.last if after.last is not before.last else None
        return Aside(event, payments_of(event), movements, ended.number if ended else None)
    return Aside(event, movements=movements) if movements else None


def write_fold(folded: TableFold) -> bytes | None:
    """Return a table written down, if it is between two rounds."""
    if folded.play != Play(first_version=folded.version + 1):
        return None
    return encode(TableSnapshot(submission=folded.submission, table=folded.table))


def read_fold(version: int, body: bytes) -> TableFold:
    """Return a table as it was written down."""
    snapshot = decode(TableSnapshot, body)
    play = Play(first_version=version + 1)
    return TableFold(submission=snapshot.submission, table=snapshot.table, version=version, play=play)


# --- all of them --------------------------------------------------------------------------------------


def _of_practice(entry: Entry, body: Body) -> bool:
    """Whether an entry is about a practice table, or its meter."""
    if entry.stream != SETUP:
        return is_practice(entry.stream.partition("/")[2])
    named = (getattr(body, "table", None), getattr(body, "meter", None))
    return any(name is not None and is_practice(name) for name in named)


class Folds:
    """The folds of tables along a log; entries that were skipped are read from their streams."""

    def __init__(self, store: Store, load_fold: Callable[[TableId], TableFold | None]) -> None:
        self._store, self._load_fold = store, load_fold
        self._tables: dict[TableId, TableFold] = {}
        self._broken: dict[StreamId, int] = {}
        """The version from which on a table cannot be folded: nothing after it is tried."""

    def see(self, entry: Entry) -> FoldedEntry:
        """Return the next entry as read models see it, or raise what keeps it from being folded."""
        broken = self._broken.get(entry.stream)
        if broken is not None and entry.version > broken:
            raise IllegalError("its table cannot be folded any further", value=f"since version {broken}")
        try:
            seen = self._see(entry)
        except Exception as error:
            if entry.stream.startswith(TABLES) and is_fault_of_entry(error):
                self._broken[entry.stream] = entry.version
            raise
        self._broken.pop(entry.stream, None)
        return seen

    def _see(self, entry: Entry) -> FoldedEntry:
        body, table = read_body(entry), entry.stream.removeprefix(TABLES)
        if _of_practice(entry, body):
            return FoldedEntry(entry=entry, body=body, practice=True)
        if isinstance(body, ChipTurn):
            self._tables[table] = skip_entry(self._at(table, entry.version - 1), entry)
        if not isinstance(body, Turn):
            return FoldedEntry(entry=entry, body=body)
        seen = fold(self._at(table, entry.version - 1), body, entry)
        assert seen.after is not None
        self._tables[table] = seen.after
        return seen

    def _at(self, table: TableId, version: int) -> TableFold:
        """Return a table at a version: from the nearest fold before it, and what came since."""
        known = self._tables.get(table)
        if known is None or known.version > version:
            known = self._load_fold(table)
        folded = known if known and known.version <= version else self._new_fold(table)
        if folded.version == version:
            return folded
        for entry in self._store.tails({table_stream(table): folded.version}):
            if entry.version <= version:
                turn = read_body(entry)
                after = (
                    fold(folded, turn, entry).after if isinstance(turn, Turn) else skip_entry(folded, entry)
                )
                assert after is not None
                folded = after
        return folded

    def _new_fold(self, table: TableId) -> TableFold:
        for entry in list(self._store.tails({SETUP: 0})):
            body = read_body(entry)
            if isinstance(body, TableMade) and body.table == table:
                return new_fold(body)
        raise UnknownNameError("no such table was made", value=table)
