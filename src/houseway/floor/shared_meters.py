"""A shared meter on the floor, folded from its stream: what it took and paid, and its slips. All pure.

A meter is moved by commands at its tables and adjusted by two people. What it holds is what it was opened
with and every movement since, exactly.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from enum import StrEnum
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from houseway.errors import DataError, IllegalError, UnknownNameError
from houseway.floor.meter_events import (
    MeterAdjusted,
    MeterEntry,
    MeterRead,
    MeterTurn,
    SlipPrinted,
    SlipVoided,
)
from houseway.floor.rights import Duty, check_reason, check_right, check_two
from houseway.floor.setup_events import MeterOpened
from houseway.floor.streams import TableId, meter_stream
from houseway.ledger import AccountKind, Movement, Units, show_units
from houseway.meters import Meter, MeterMove, MeterState, MeterTerms, adjust
from houseway.money import Cents, dollars
from houseway.rounds.codec import decode, encode
from houseway.rounds.outcomes import Moves
from houseway.rounds.state import MeterId, PersonId
from houseway.rounds.step import Actor, AnEvent
from houseway.store.entries import EMPTY, Head
from houseway.store.protocol import Snapshot

WINS_SHOWN: Final = 25
"""How many of the last wins a meter holds; all of them are in the stream."""
BY_HAND: Final = "adjust_meter"
"""The step by which a meter is adjusted at a table."""
_OF_METER: Final = (AccountKind.METER, AccountKind.RESERVE)


class Flow(StrEnum):
    """Why money went into a meter or out of it."""

    CONTRIBUTED = "contributed"
    RESERVED = "put in reserve"
    SEEDED = "seeded by the house"
    PAID = "paid to players"
    TAKEN_BACK = "taken back"
    ADJUSTED = "adjusted by hand"


class Win(Struct, frozen=True, kw_only=True):
    """An award that a meter paid, and its slip."""

    serial: str
    person: PersonId
    amount: Units
    table: TableId
    round: int
    at: datetime
    printed: int = 0
    voided: str = ""
    """Why the slip was voided."""


class SharedMeter(Struct, frozen=True, kw_only=True):
    """A meter as folded from its stream."""

    opened: MeterOpened
    state: MeterState
    head: Head = EMPTY
    totals: Mapping[Flow, Units] = {}
    """What ever went in and out, never set back: the cumulative meters."""
    wins: tuple[Win, ...] = ()
    """The last wins, the latest last."""
    won: int = 0
    """How many wins there were."""
    read: MeterRead | None = None
    """The last reading."""

    @property
    def balance(self) -> Units:
        """What the meter was opened with and every movement since comes to, reserve included."""
        start = self.opened.state.value + self.opened.state.reserve
        return start + sum(self.totals.values())


def open_meter(opened: MeterOpened) -> SharedMeter:
    """Return a meter as it was opened."""
    return SharedMeter(opened=opened, state=opened.state)


def meter_snapshot(now: SharedMeter) -> Snapshot:
    """Return a snapshot of a meter, so that it loads fast."""
    stream = meter_stream(now.opened.meter)
    return Snapshot(stream=stream, version=now.head.version, hash=now.head.hash, body=encode(now))


def load_meter(snapshot: Snapshot) -> SharedMeter:
    """Return the meter in a snapshot, or raise that the snapshot is of another version."""
    meter = decode(SharedMeter, snapshot.body)
    if meter.head != Head(snapshot.version, snapshot.hash):
        raise DataError("the snapshot is of another version", value=snapshot.version, where=snapshot.stream)
    return meter


def movements_of(event: AnEvent, meter: MeterId) -> tuple[Movement, ...]:
    """Return what an event at a table moved into a meter and its reserve, and out of them."""
    outcome = event.outcome
    if not isinstance(outcome, Moves):
        return ()
    every = (*(payment.movement() for payment in outcome.payments), *outcome.movements)
    return tuple(movement for movement in every if _touches(movement, meter) or _is_top_up(movement))


def make_meter_turn(table: TableId, event: AnEvent, move: MeterMove) -> MeterTurn:
    """Return what the stream of a meter says of an event at a table that moved it."""
    return MeterTurn(
        meter=move.meter,
        before=move.before,
        after=move.after,
        table=table,
        seq=event.seq,
        round=event.round,
        step=event.step,
        moved=movements_of(event, move.meter),
        by=event.by,
        at=event.at,
    )


def _touches(movement: Movement, meter: MeterId) -> bool:
    return any(
        account.kind in _OF_METER and account.name == meter for account in (movement.source, movement.to)
    )


def _is_top_up(movement: Movement) -> bool:
    """Whether the house pays what the meter lacks of an award, because a win elsewhere has emptied it."""
    return movement.source.kind is AccountKind.SEED and movement.to.kind is AccountKind.PLAYER


def _signed_units(movement: Movement, meter: MeterId) -> Units:
    """Return what a movement adds to a meter and its reserve taken together."""
    into = movement.to.kind in _OF_METER and movement.to.name == meter
    out = movement.source.kind in _OF_METER and movement.source.name == meter
    return movement.units * (into - out)


def _flow(movement: Movement) -> Flow:
    """Return why something moved, by where it came from and where it went."""
    source, to = movement.source.kind, movement.to.kind
    if to is AccountKind.PLAYER:
        return Flow.PAID
    if to not in _OF_METER or source is AccountKind.PLAYER:
        return Flow.TAKEN_BACK
    if source is AccountKind.SEED:
        return Flow.SEEDED
    return Flow.CONTRIBUTED if to is AccountKind.METER else Flow.RESERVED


def _add_flows(
    totals: Mapping[Flow, Units], meter: MeterId, flows: Iterable[tuple[Flow, Movement]]
) -> dict[Flow, Units]:
    sums = dict(totals)
    for flow, movement in flows:
        amount = _signed_units(movement, meter)
        if amount:
            sums[flow] = sums.get(flow, 0) + amount
    return sums


def flows_of(meter: MeterId, moved: Iterable[Movement], *, by_hand: bool = False) -> Mapping[Flow, Units]:
    """Return what movements add to a meter and its reserve, and why; by hand, it is an adjustment."""
    flows = [(Flow.ADJUSTED if by_hand else _flow(movement), movement) for movement in moved]
    return _add_flows({}, meter, flows)


# --- what two people do to a meter --------------------------------------------------------------------


def adjust_meter(
    now: SharedMeter, terms: MeterTerms, by: Actor, second: Actor, amount: Units, reason: str, at: datetime
) -> MeterAdjusted:
    """Adjust a meter by hand: two people, and a reason."""
    check_two(Duty.ADJUST_METER, by, second)
    check_reason(reason)
    if not amount:
        raise IllegalError("an adjustment changes something", value=show_units(amount))
    before = Meter(terms, now.state.value, now.state.reserve)
    after, moved = adjust(before, amount, reason=reason, first=by.shown, second=second.shown)
    return MeterAdjusted(
        meter=now.opened.meter,
        before=now.state,
        after=after.state,
        second=second,
        reason=reason,
        moved=moved,
        by=by,
        at=at,
    )


def read_meter(now: SharedMeter, by: Actor, shown: Cents, explained: str, at: datetime) -> MeterRead:
    """Record a reading of the display; a difference from what the meter holds is explained."""
    check_right(Duty.READ_METER, by)
    expected = now.state.showing
    if shown != expected and not explained.strip():
        cause = f"the meter holds {dollars(expected)}: the difference is explained"
        raise IllegalError(cause, value=dollars(shown))
    return MeterRead(
        meter=now.opened.meter, shown=shown, expected=expected, explained=explained, by=by, at=at
    )


# --- slips of wins ------------------------------------------------------------------------------------


def serial_of(meter: MeterId, version: int) -> str:
    """Return the serial of the slip of a win: no two wins of a meter have the same.

    >>> serial_of("link", 42)
    'link-000042'
    """
    return f"{meter}-{version:06d}"


def print_slip(now: SharedMeter, serial: str, by: Actor, at: datetime) -> SlipPrinted:
    """Print the slip of a win, marked as a reprint from the second time on."""
    check_right(Duty.PRINT_SLIP, by)
    win = win_of(now, serial)
    if win.voided:
        raise IllegalError("the slip is void", value=serial)
    return SlipPrinted(meter=now.opened.meter, serial=serial, copy=win.printed + 1, by=by, at=at)


def void_slip(
    now: SharedMeter, serial: str, by: Actor, second: Actor, reason: str, at: datetime
) -> SlipVoided:
    """Void the slip of a win: two people, and a reason."""
    check_two(Duty.VOID_SLIP, by, second)
    check_reason(reason)
    if win_of(now, serial).voided:
        raise IllegalError("the slip is void already", value=serial)
    return SlipVoided(meter=now.opened.meter, serial=serial, second=second, reason=reason, by=by, at=at)


def win_of(now: SharedMeter, serial: str) -> Win:
    """Return a win by the serial of its slip."""
    for win in now.wins:
        if win.serial == serial:
            return win
    raise UnknownNameError("no such slip among the last wins of the meter", value=serial)


# --- what becomes of it -------------------------------------------------------------------------------


def evolve_meter(now: SharedMeter, entry: MeterEntry, head: Head) -> SharedMeter:
    """Return a meter after an entry of its stream, which then ends at ``head``."""
    meter = now.opened.meter
    match entry:
        case MeterTurn():
            _check_follows(now, entry.before)
            by_hand = entry.step == BY_HAND
            flows = [(Flow.ADJUSTED if by_hand else _flow(movement), movement) for movement in entry.moved]
            won = _wins_of(entry, head)
            return replace(
                now,
                state=entry.after,
                head=head,
                totals=_add_flows(now.totals, meter, flows),
                wins=(*now.wins, *won)[-WINS_SHOWN:],
                won=now.won + len(won),
            )
        case MeterAdjusted():
            _check_follows(now, entry.before)
            flows = [(Flow.ADJUSTED, movement) for movement in entry.moved]
            return replace(now, state=entry.after, head=head, totals=_add_flows(now.totals, meter, flows))
        case MeterRead():
            return replace(now, read=entry, head=head)
        case SlipPrinted():
            return _with_slip(now, head, entry.serial, printed=entry.copy)
        case SlipVoided():
            return _with_slip(now, head, entry.serial, voided=entry.reason)


def _check_follows(now: SharedMeter, before: MeterState | None) -> None:
    if before != now.state:
        where = f"meter {now.opened.meter}"
        raise IllegalError("a move begins at what the meter holds", value=str(before), where=where)


def _wins_of(turn: MeterTurn, head: Head) -> list[Win]:
    paid: dict[str, Units] = {}
    for movement in turn.moved:
        if _flow(movement) is Flow.PAID:
            paid[movement.to.name] = paid.get(movement.to.name, 0) + movement.units
    return [
        Win(
            serial=serial_of(turn.meter, head.version),
            person=person,
            amount=amount,
            table=turn.table,
            round=turn.round,
            at=turn.at,
        )
        for person, amount in paid.items()
    ]


def _with_slip(now: SharedMeter, head: Head, serial: str, **changes: object) -> SharedMeter:
    wins = tuple(replace(win, **changes) if win.serial == serial else win for win in now.wins)
    return replace(now, wins=wins, head=head)


def check_meter(now: SharedMeter) -> None:
    """Refuse a meter that does not hold what its history comes to."""
    amount = now.state.value + now.state.reserve
    if amount != now.balance:
        cause = f"its history comes to {show_units(now.balance)}"
        raise IllegalError(cause, value=show_units(amount), where=f"meter {now.opened.meter}")
