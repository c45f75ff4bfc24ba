"""Tables decided again beside the walk, by other processes: each has a share of the tables.

Deciding takes most of the time of a walk, and a table is decided by nothing but its own turns, what was set
up and who was there. So other processes read those alone; the walk folds and posts everything, and decides
what is left to it. What is named is what one process would name: the first fault in the order of the log.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final, Protocol

from msgspec import Struct
from msgspec.structs import replace

from houseway.chips import ChipConfig, ChipTurn, standard_config
from houseway.errors import HousewayError
from houseway.floor.audit.entry_judge import EntryJudge, LieError, RefoldError
from houseway.floor.audit.persons import Persons
from houseway.floor.audit.recent_contexts import RecentContexts
from houseway.floor.audit.result import DecksOf, FloorVerification
from houseway.floor.audit.table_judge import TableJudge, TurnCase
from houseway.floor.bodies import FOLDING_ERRORS, read_body
from houseway.floor.house import evolve_house
from houseway.floor.people_events import PeopleEvent
from houseway.floor.running_table import RunningTable, new_running_table
from houseway.floor.setup_events import SetupEvent, TableMade
from houseway.floor.streams import PEOPLE, SETUP, TABLES, is_practice, table_stream
from houseway.floor.table_events import TableEntry
from houseway.rounds.record import Turn
from houseway.store.entries import Entry, StreamId
from houseway.store.protocol import Picture, Place

AT_THE_END: Final[Place] = (2**63, 0)
"""Stands for the position of what is noticed only once every entry was seen."""
FOLDING_SHARE: Final = 0.5
"""What a walk does beside deciding, as a part of deciding everything; it only shares work out evenly."""


class ShareFault(Struct, frozen=True):
    """The first fault of a share, and the position of the entry at which it was noticed."""

    position: Place
    cause: str
    value: object
    where: str


class ShareResult(Struct, frozen=True):
    """What came of a share: how much was decided, or the first fault."""

    decided: int = 0
    waiting: frozenset[str] = frozenset()
    undecided: Mapping[str, frozenset[str]] = {}
    fault: ShareFault | None = None


class Shares(Protocol):
    """Tables that are decided elsewhere, and what comes of it."""

    @property
    def streams(self) -> Collection[StreamId]:
        """The streams of these tables."""
        ...

    def results(self) -> Sequence[ShareResult]:
        """Return what came of every share; it waits for the last one."""
        ...


class NoShares:
    """Everything is decided by the walk itself."""

    streams: Collection[StreamId] = frozenset()

    def results(self) -> Sequence[ShareResult]:
        """Return nothing."""
        return ()


NO_SHARES: Final = NoShares()


def allot(sizes: Mapping[StreamId, int], processes: int) -> list[frozenset[StreamId]]:
    """Return the tables of each further process, so that all of them and the walk take about as long.

    The largest tables are given away first, each to the process with the least work; the walk has its own.
    """
    tables = {
        stream: size
        for stream, size in sizes.items()
        if stream.startswith(TABLES) and not is_practice(stream.removeprefix(TABLES))
    }
    loads = [FOLDING_SHARE * sum(sizes.values()), *([0.0] * (processes - 1))]
    shares: list[set[StreamId]] = [set() for _ in loads]
    for stream, size in sorted(tables.items(), key=lambda item: (-item[1], item[0])):
        least = loads.index(min(loads))
        loads[least] += size
        shares[least].add(stream)
    return [frozenset(share) for share in shares[1:] if share]


# --- in a process of its own --------------------------------------------------------------------------


def decide_share(
    picture: Picture,
    streams: Collection[StreamId],
    ends: Mapping[StreamId, int],
    persons: Persons,
    decks: DecksOf,
) -> ShareResult:
    """Decide the turns of some tables again, as far as the log went when the walk began (``ends``)."""
    share = _Share(streams, persons, standard_config())
    for position, entry in picture.everything():
        if entry.version > ends.get(entry.stream, 0):
            continue
        try:
            going_on = share.see(entry)
        except LieError as error:
            return share.result(_fault(position, error))
        if not going_on:
            return share.result(None)  # what does not follow is named by the walk, at the same place
    try:
        share.finish(decks)
    except HousewayError as error:
        return share.result(_fault(AT_THE_END, error))
    return share.result(None)


def _fault(position: Place, error: HousewayError) -> ShareFault:
    return ShareFault(position, error.cause, error.value, error.where)


class _Share:
    """Folds what is set up, people and some tables, and judges the turns of these tables."""

    def __init__(self, streams: Collection[StreamId], persons: Persons, chips: ChipConfig) -> None:
        self._streams, self._chips = frozenset(streams), chips
        self._lately, self._judge = RecentContexts(persons), EntryJudge()
        self._tables: dict[StreamId, RunningTable] = {}
        self._judges: dict[StreamId, TableJudge] = {}

    def see(self, entry: Entry) -> bool:
        """Take the next entry; return whether it follows from those before it."""
        if entry.stream not in self._streams and entry.stream not in (SETUP, PEOPLE):
            return True
        try:
            body = read_body(entry)
            if isinstance(body, PeopleEvent):
                self._lately.change(body.at, persons=self._lately.now.persons.after(body))
            elif isinstance(body, SetupEvent):
                self._set_up(body)
            else:
                assert isinstance(body, TableEntry)
                self._turn(entry, body)
        except LieError:
            raise
        except FOLDING_ERRORS:
            if entry.stream in self._judges:
                self._judges[entry.stream].decide_all()  # a lie says more than what came of it
            return False
        return True

    def _set_up(self, body: SetupEvent) -> None:
        self._lately.change(body.at, house=evolve_house(self._lately.now.house, body))
        if isinstance(body, TableMade) and table_stream(body.table) in self._streams:
            stream = table_stream(body.table)
            self._tables[stream] = new_running_table(body)
            self._judges[stream] = TableJudge(self._judge, self._chips)

    def _turn(self, entry: Entry, body: TableEntry) -> None:
        before, judge = self._tables[entry.stream], self._judges[entry.stream]
        if isinstance(body, Turn | ChipTurn):
            judge.see(TurnCase(entry, body, before, self._lately.at(body.at)))
        else:
            judge.forget()
        self._tables[entry.stream] = before.after(body, entry.head)

    def finish(self, decks: DecksOf) -> None:
        """Decide what there is of rounds in progress."""
        for stream, judge in self._judges.items():
            judge.finish(decks(stream))

    def result(self, fault: ShareFault | None) -> ShareResult:
        """Return what came of it."""
        judge = self._judge
        undecided = {build: frozenset(places) for build, places in judge.by_build.items()}
        return ShareResult(judge.decided, frozenset(judge.waiting), undecided, fault)


# --- put together -------------------------------------------------------------------------------------


def raise_first(shares: Shares, position: Place, error: HousewayError | None = None) -> None:
    """Raise the first fault of a share, unless the walk has noticed its own before it.

    Of one entry the walk checks how it is written and chained before it is decided, and folds it last.
    """
    faults = [result.fault for result in shares.results() if result.fault is not None]
    first = min(faults, key=lambda fault: fault.position, default=None)
    before_folding = error is not None and not isinstance(error, RefoldError)
    if first is None or first.position > position or (first.position == position and before_folding):
        return
    raise LieError(first.cause, value=first.value, where=first.where) from error


def add_results(verified: FloorVerification, results: Iterable[ShareResult]) -> FloorVerification:
    """Return what a walk came to, with what was decided elsewhere."""
    undecided, waiting, decided = dict(verified.undecided), verified.waiting, verified.decided
    for result in results:
        decided, waiting = decided + result.decided, waiting | result.waiting
        for build, places in result.undecided.items():
            undecided[build] = undecided.get(build, frozenset()) | places
    return replace(verified, decided=decided, waiting=waiting, undecided=undecided)
