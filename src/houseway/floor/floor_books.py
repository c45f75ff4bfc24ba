"""The books of a whole floor, kept from its streams: what every table, meter and player holds.

The streams of a batch may be read in another order than its commands were decided in: a table's events and
the moves of a meter wait for each other, and are posted in an order in which they were done.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from typing import Final

from immutables import Map
from msgspec import Struct
from msgspec.structs import replace

from houseway.chips import ChipTurn, post_chips
from houseway.errors import IllegalError
from houseway.floor.meter_events import MeterAdjusted, MeterTurn
from houseway.floor.running_table import RunningTable
from houseway.floor.setup_events import MeterOpened
from houseway.floor.shared_meters import SharedMeter, make_meter_turn
from houseway.floor.streams import TableId, meter_stream, table_stream
from houseway.ledger import SEED, Account, AccountKind, Ledger, LedgerEntry, Movement, open_wagers, total
from houseway.meters import MeterMove
from houseway.rounds.books import posted
from houseway.rounds.outcomes import Moves
from houseway.rounds.record import ends_round
from houseway.rounds.state import MeterId, Table
from houseway.rounds.step import AnEvent

MOST_WAITING: Final = 20_000
"""No batch is so large that more events than these wait for another stream of it."""


class BooksError(IllegalError):
    """What the streams of a floor say does not fit together; ``where`` is a stream and a version."""


class _Event(Struct, frozen=True):
    """An event of a table, and the version of its entry in the stream."""

    version: int
    event: AnEvent


class _Move(Struct, frozen=True):
    """A move of a meter, and the version of its entry in the stream."""

    version: int
    move: MeterTurn | MeterAdjusted


def place(stream: str, version: int) -> str:
    """Return the name of an entry's place."""
    return f"{stream} version {version}"


class Books:
    """The ledger of a floor: balances and wagers in play; what is over is dropped."""

    def __init__(self) -> None:
        self.ledger = Ledger()
        self.rounds = 0
        """How many rounds are over."""
        self._events: dict[TableId, deque[_Event]] = {}
        self._moves: dict[MeterId, deque[_Move]] = {}

    # --- what is read ---------------------------------------------------------------------------------

    def open_meter(self, opened: MeterOpened) -> None:
        """Post what the house put into a meter."""
        accounts = (AccountKind.METER, opened.state.value), (AccountKind.RESERVE, opened.state.reserve)
        moved = tuple(
            Movement(amount, SEED, Account(kind, opened.meter), "meter opened")
            for kind, amount in accounts
            if amount
        )
        self._post(LedgerEntry(f"{meter_stream(opened.meter)}/0", moved))

    def move_meter(self, version: int, move: MeterTurn | MeterAdjusted) -> None:
        """Take a move of a meter."""
        self._moves.setdefault(move.meter, deque()).append(_Move(version, move))
        self._post_ready()

    def move_chips(self, table: TableId, version: int, turn: ChipTurn) -> None:
        """Post what was done with a table's chips."""
        self.ledger = _prune(post_chips(self.ledger, table, version, turn))

    def take(self, table: TableId, version: int, events: tuple[AnEvent, ...]) -> None:
        """Take the events of a turn at a table."""
        self._events.setdefault(table, deque()).extend(_Event(version, event) for event in events)
        self._post_ready(table)
        waiting = self._events[table]
        if len(waiting) > MOST_WAITING:
            self._raise_unmatched(table, waiting[0])

    # --- in which order it is posted ------------------------------------------------------------------

    def _post_ready(self, table: TableId | None = None) -> None:
        """Post what waits for nothing any more, and what that makes ready at other tables."""
        ready = [table] if table is not None else list(self._events)
        while ready:
            name = ready.pop()
            waiting = self._events.get(name, deque())
            while waiting and self._post_event(name, waiting[0]):
                moved = _move_of(waiting.popleft().event)
                if moved is not None:
                    ready += [other for other in self._events if other != name and self._events[other]]
        for meter, moves in self._moves.items():
            if moves and isinstance(moves[0].move, MeterAdjusted):
                move = moves.popleft()
                self._post(LedgerEntry(f"{meter_stream(meter)}/{move.version}", move.move.moved))
                self._post_ready()

    def _post_event(self, table: TableId, waiting: _Event) -> bool:
        """Post an event, unless it moved a meter whose stream has no entry of that yet."""
        event, move = waiting.event, _move_of(waiting.event)
        where = place(table_stream(table), waiting.version)
        if move is not None and move.before is not None:
            moves = self._moves.get(move.meter)
            if not moves or not isinstance(moves[0].move, MeterTurn):
                return False
            turn = moves[0].move
            if (turn.table, turn.seq) != (table, event.seq):
                return False
            self._check_same(where, event, move, moves.popleft())
        elif move is not None:
            event = replace(event, outcome=replace(event.outcome, movements=()))  # posted as it was opened
        self._take_event(table, event, where)
        return True

    def _take_event(self, table: TableId, event: AnEvent, where: str) -> None:
        """Post an event."""
        try:
            self.ledger = _prune(posted(self.ledger, table, event))
        except IllegalError as error:
            raise BooksError(str(error), where=where) from None
        if ends_round(event):
            self.rounds += 1
            self._check_ended(where, f"{table}/{event.round}")

    def _check_same(self, where: str, event: AnEvent, move: MeterMove, meter_move: _Move) -> None:
        """Refuse a meter's move that is not what its table's event says."""
        turn = meter_move.move
        assert isinstance(turn, MeterTurn)
        same = (turn.before, turn.after) == (move.before, move.after)
        complete = bool(turn.step)  # an older version recorded only what the meter held
        if not same or (complete and turn != make_meter_turn(turn.table, event, move)):
            of_meter = place(meter_stream(move.meter), meter_move.version)
            raise BooksError(f"the meter's move is not that of event {event.seq} of {where}", where=of_meter)

    def _check_ended(self, where: str, of_round: str) -> None:
        left = [str(account) for account in open_wagers(self.ledger) if account.where == of_round]
        if left:
            raise BooksError("the round is over, and a wager has not ended", value=left[0], where=where)

    def _post(self, entry: LedgerEntry) -> None:
        if entry.movements:
            self.ledger = _prune(self.ledger.post(entry))

    def _raise_unmatched(self, table: TableId, waiting: _Event) -> None:
        where = place(table_stream(table), waiting.version)
        raise BooksError(f"no meter's stream has event {waiting.event.seq}", where=where)

    # --- what it comes to -----------------------------------------------------------------------------

    def close(self, tables: Iterable[RunningTable], meters: Iterable[SharedMeter]) -> int:
        """Return the total of the books, or refuse books that are not what tables and meters hold."""
        for name, waiting in self._events.items():
            if waiting:
                self._raise_unmatched(name, waiting[0])
        for meter, moves in self._moves.items():
            if moves:
                where = place(meter_stream(meter), moves[0].version)
                raise BooksError("no event of a table made this move", where=where)
        self.ledger.verify()
        self._check_meters(meters)
        self._check_wagers(tables)
        return total(self.ledger)

    def _check_meters(self, meters: Iterable[SharedMeter]) -> None:
        for now in meters:
            meter = now.opened.meter
            amounts = (AccountKind.METER, now.state.value), (AccountKind.RESERVE, now.state.reserve)
            for kind, amount in amounts:
                if self.ledger.balance(Account(kind, meter)) != amount:
                    where = place(meter_stream(meter), now.head.version)
                    raise BooksError(f"the {kind} is not what the books say", where=where)

    def _check_wagers(self, tables: Iterable[RunningTable]) -> None:
        """Refuse a wager that is pending and lies on no table as it stands."""
        ends, lie = dict[TableId, int](), set[Account]()
        for running in tables:
            ends[running.table.id] = running.head.version
            lie.update(_accounts_on(running.table))
        for account in open_wagers(self.ledger):
            if account not in lie:
                table = account.where.rpartition("/")[0]
                where = place(table_stream(table), ends.get(table, 0))
                raise BooksError("a pending wager does not lie on the table", value=str(account), where=where)


class MeterMoveChecks(Books):
    """Books that only check that the streams of tables and meters agree on what moved the meters."""

    def open_meter(self, opened: MeterOpened) -> None:
        """Post nothing."""

    def move_chips(self, table: TableId, version: int, turn: ChipTurn) -> None:
        """Post nothing."""

    def _take_event(self, table: TableId, event: AnEvent, where: str) -> None:
        """Post nothing."""

    def _post(self, entry: LedgerEntry) -> None:
        """Post nothing."""


def _move_of(event: AnEvent) -> MeterMove | None:
    return event.outcome.meter if isinstance(event.outcome, Moves) else None


def _prune(ledger: Ledger) -> Ledger:
    """Return a ledger without its entries and without wagers that have ended, so that it does not grow."""
    wagers, balances = Map(ledger.wagers).mutate(), Map(ledger.balances).mutate()
    for entry in ledger.entries.values():
        for account in (*entry.ends, *entry.voids):
            wagers.pop(account, None)
        for movement in entry.movements:
            for account in (movement.source, movement.to):
                if account.where and not balances.get(account, 1):
                    balances.pop(account)
    return Ledger(balances=balances.finish(), wagers=wagers.finish())


def _accounts_on(table: Table) -> Iterator[Account]:
    """Yield the accounts of the wagers that lie on a table, or lay on it in this round."""
    where = f"{table.id}/{table.round.number}"
    for at, hand in table.round.hands.items():
        bets = [(hand.person, hand.wagers), *((bettor.person, bettor.wagers) for bettor in hand.behind)]
        for person, wagers in bets:
            for wager in wagers:
                yield Account(AccountKind.PENDING, person, at, wager, where)
