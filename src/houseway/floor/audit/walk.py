"""The one walk over a floor's log: each entry folded, decided again, and posted in the books."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection
from datetime import datetime
from functools import partial

from houseway.build import this_build
from houseway.chips import ChipConfig, ChipTurn, standard_config
from houseway.floor.access_events import Accessed, AccessEvent
from houseway.floor.audit.bookmarks_and_access import Marks, check_access
from houseway.floor.audit.entry_form import Builds, check_form
from houseway.floor.audit.entry_judge import EntryJudge, LieError, RefoldError
from houseway.floor.audit.meter_times import MeterTimes
from houseway.floor.audit.persons import ANYBODY, Persons
from houseway.floor.audit.proposals import Proposals
from houseway.floor.audit.recent_contexts import TOGETHER, RecentContexts
from houseway.floor.audit.result import DecksOf, FloorVerification, no_decks
from houseway.floor.audit.setup_decisions import decide_meter, decide_set_up
from houseway.floor.audit.snapshots_and_decks import check_sealed, check_snapshot
from houseway.floor.audit.table_judge import TableJudge, TurnCase
from houseway.floor.bodies import FOLDING_ERRORS, build_of, read_body
from houseway.floor.event_kinds import Body
from houseway.floor.floor_books import Books, BooksError, place
from houseway.floor.house import House, evolve_house
from houseway.floor.meter_events import MeterAdjusted, MeterEntry, MeterTurn
from houseway.floor.people_events import BookmarkEvent, PeopleEvent
from houseway.floor.restores import redecide_restore
from houseway.floor.running_table import RunningTable, branch_table, new_running_table
from houseway.floor.setup_events import (
    MeterOpened,
    ProgramApproved,
    Restored,
    SetupEvent,
    TableBranched,
    TableForgotten,
    TableMade,
)
from houseway.floor.shared_meters import SharedMeter, check_meter, evolve_meter, load_meter, open_meter
from houseway.floor.streams import (
    ACCESS,
    BOOKMARKS,
    METERS,
    PEOPLE,
    SETUP,
    TABLES,
    FloorEvent,
    is_practice,
    meter_stream,
    table_stream,
)
from houseway.floor.table_events import Branched, TableEntry, Undone
from houseway.floor.undo import UNDO_WITHIN
from houseway.intake import SYSTEM_ID
from houseway.meters import MeterTerms
from houseway.rounds.outcomes import Moves
from houseway.rounds.record import Turn
from houseway.rounds.state import MeterId
from houseway.rounds.steps.opening import OpenTable
from houseway.settlement import meter_terms
from houseway.store.entries import Entry, Head, StreamId
from houseway.store.log_check import LogVerification
from houseway.store.protocol import Picture, Snapshot
from houseway.store.safe import Believes
from houseway.store.tree_log import TreeVerification


class Audit:
    """Tables, meters, people and books folded entry by entry, in order; each entry is decided again."""

    def __init__(
        self,
        picture: Picture | None = None,
        persons: Persons = ANYBODY,
        *,
        decks: DecksOf = no_decks,
        chips: ChipConfig | None = None,
        believes: Believes | None = None,
        books: Books | None = None,
        judge: EntryJudge | None = None,
        elsewhere: Collection[StreamId] = (),
    ) -> None:
        """Begin with nothing; the snapshots of a picture are compared with what its entries come to.

        The turns of tables whose streams are ``elsewhere`` are folded here, and decided by another process.
        """
        self._picture, self._decks = picture, decks
        self._chips = chips or standard_config()
        self._believes, self._builds = believes, Builds()
        self._latest: datetime | None = None
        """The latest moment of any entry so far."""
        self._lately = RecentContexts(persons)
        self.tables: dict[StreamId, RunningTable] = {}
        self.meters: dict[StreamId, SharedMeter] = {}
        self.books = books or Books()
        self._judge = judge or EntryJudge()
        self._judges: dict[StreamId, TableJudge] = {}
        self._elsewhere = frozenset(elsewhere)
        self._proposals = Proposals()
        self._times = MeterTimes()
        self._marks = Marks()
        self._last: dict[StreamId, datetime] = {}
        self._ends: dict[StreamId, Head] = {}
        """How the streams end, as far as the walk has come."""
        self._before: Entry | None = None
        """The entry before the current one."""
        self._answers: dict[tuple[str, bytes, str], tuple[int, Entry]] = {}
        snapshots = picture.every_snapshot() if picture is not None else ()
        self._snapshots = {(snapshot.stream, snapshot.version) for snapshot in snapshots}
        """The places of snapshots that were not compared yet; each is read when its entry comes."""
        self._past: dict[StreamId, deque[RunningTable]] = {}
        """How practice tables stood lately: what they can be undone to."""

    @property
    def house(self) -> House:
        """What is set up, as far as the walk has come."""
        return self._lately.now.house

    @property
    def persons(self) -> Persons:
        """Who may do what, as far as the walk has come."""
        return self._lately.now.persons

    # --- entry by entry -------------------------------------------------------------------------------

    def see(self, entry: Entry, *, covers_answer: bool = True) -> None:
        """Fold the next entry and decide it again, or raise that it does not follow."""
        try:
            body = read_body(entry)
            check_form(entry, body, covers_answer=covers_answer)
            self._check_time(entry, body)
            self._fold(entry, body)
            self._ends[entry.stream], self._before = entry.head, entry
        except BooksError:
            raise
        except FOLDING_ERRORS as error:
            cause = str(error) or type(error).__name__
            raise RefoldError(cause, where=place(entry.stream, entry.version)) from None

    def _fold(self, entry: Entry, body: Body) -> None:
        if entry.stream.startswith(TABLES):
            self._turn(entry, body)
        elif entry.stream.startswith(METERS):
            self._move(entry, body)
        else:
            self._check_name(entry)
            self._fold_other(entry, body)

    def _fold_other(self, entry: Entry, body: Body) -> None:
        if entry.stream == SETUP:
            self._set_up(entry, body)
        elif entry.stream == PEOPLE:
            assert isinstance(body, PeopleEvent), "the stream of people holds what became of them"
            self._people(entry, body)
        elif entry.stream.startswith(BOOKMARKS):
            assert isinstance(body, BookmarkEvent), "a stream of bookmarks holds what somebody marked"
            decide = partial(self._marks.decide, entry.stream, body, self.tables)
            self._judge.judge(entry, type(body).__name__, decide, body)
            self._check_acts(entry, body)
            self._marks.take(body)
        elif entry.stream == ACCESS:
            assert isinstance(body, AccessEvent), "the stream of access holds who came and went"
            self._judge.judge(
                entry,
                body.kind if isinstance(body, Accessed) else "counted",
                partial(check_access, body, self.persons),
                None,
            )
        else:
            raise RefoldError("no floor has such a stream", where=place(entry.stream, entry.version))

    def _check_time(self, entry: Entry, body: Body) -> None:
        """Refuse an entry that is before the one before it in its stream, or stored after much later ones.

        What is noted at the door is gathered and written later, by each server in its own time.
        """
        if entry.stream == ACCESS:
            return
        last = self._last.get(entry.stream)
        if last is not None and body.at < last:
            self._judge.report_difference(entry, f"{body.at} is before the entry before it, {last}")
        self._last[entry.stream] = body.at if last is None else max(last, body.at)
        if self._latest is not None and body.at < self._latest - TOGETHER:
            self._judge.report_difference(
                entry, f"it is of {body.at}, and stored after what was done at {self._latest}"
            )
        self._latest = body.at if self._latest is None else max(self._latest, body.at)

    def _check_name(self, entry: Entry) -> None:
        """Refuse an entry of the system's that is not named by its place, or that has an answer."""
        if entry.command != f"{SYSTEM_ID}{entry.stream}/{entry.version}":
            self._judge.report_difference(
                entry, f"such an entry is named by its place, and not {entry.command}"
            )
        if entry.answer:
            self._judge.report_difference(entry, "such an entry has no answer")

    # --- what is set up, and people -------------------------------------------------------------------

    def _set_up(self, entry: Entry, body: Body) -> None:
        assert isinstance(body, SetupEvent), "something else is set up here"
        self._judge.judge(entry, type(body).__name__, lambda: decide_set_up(self.house, body), body)
        if isinstance(body, Restored) and self._picture is not None:
            self._judge.judge(
                entry, "Restored", lambda: redecide_restore(self._ends, self._before, body), body
            )
        if isinstance(body, ProgramApproved):
            self._builds.check_program(entry, body.program)
        self._check_acts(entry, body)
        self._proposals.set_up(self.house, entry, body)
        self._lately.change(body.at, house=evolve_house(self.house, body))
        if isinstance(body, TableMade):
            self.tables[table_stream(body.table)] = new_running_table(body)
        elif isinstance(body, TableForgotten):
            for streams in (self.tables, self._past, self._judges):
                streams.pop(table_stream(body.table), None)
            self.meters.pop(meter_stream(body.table), None)
        elif isinstance(body, TableBranched):
            self.tables[table_stream(body.table)] = self._branch(body)
        elif isinstance(body, MeterOpened):
            self.meters[meter_stream(body.meter)] = open_meter(body)
            self._times.take_state(body.meter, body.at, body.state)
            if not is_practice(body.meter):
                self.books.open_meter(body)

    def _people(self, entry: Entry, body: PeopleEvent) -> None:
        persons = self.persons

        def decide() -> PeopleEvent:
            persons.check(body)
            return body

        self._judge.judge(entry, type(body).__name__, decide, body)
        self._proposals.people(persons, entry, body)
        self._lately.change(body.at, persons=persons.after(body))

    def _check_acts(self, entry: Entry, body: FloorEvent) -> None:
        """Refuse an event by an actor who could not act then."""
        second = getattr(body, "second", None)
        for who in (body.by, *([second] if second is not None else ())):
            reasons = [
                self._judge.difference(partial(context.persons.check_acts, who, body.at), None)
                for context in self._lately.at(body.at)
            ]
            if None not in reasons:
                self._judge.report_difference(entry, f"by {who.id}: {reasons[0]}")

    # --- tables ---------------------------------------------------------------------------------------

    def _branch(self, event: TableBranched) -> RunningTable:
        """Return a table as a branch of it begins, or raise that it never stood so."""
        past = self._past_table(table_stream(event.of), event.version, event.hash)
        if past is None:
            raise RefoldError(
                "a branch begins at a state that its table never had", where=place(event.of, event.version)
            )
        return branch_table(past, event.table)

    def _past_table(self, stream: StreamId, version: int, digest: str) -> RunningTable | None:
        """Return a practice table as it lately stood after a version with this hash, if it did."""
        head = Head(version, bytes.fromhex(digest))
        return next((running for running in self._past.get(stream, ()) if running.head == head), None)

    def _turn(self, entry: Entry, body: Body) -> None:
        assert isinstance(body, TableEntry), "the stream of a table holds its turns"
        where = place(entry.stream, entry.version)
        if entry.stream not in self.tables:
            raise RefoldError("no such table was made", where=where)
        if isinstance(body, Undone):
            past = self._past_table(entry.stream, body.version, body.hash)
            if past is None or past.state() != body.state:
                raise RefoldError("it is undone to a state that the table never had", where=where)
        before = self.tables[entry.stream]
        self._decide_turn(entry, body, before)
        try:
            self._fold_turn(entry, body, before)
        except FOLDING_ERRORS:
            self._judge_of(entry.stream).decide_all()  # a lie says more than the failed fold
            raise

    def _fold_turn(self, entry: Entry, body: TableEntry, before: RunningTable) -> None:
        """Fold a turn into its table, and post it."""
        running = before.after(body, entry.head)
        self.tables[entry.stream] = running
        snapshot = self._snapshot_of(entry)
        if snapshot is not None:
            check_snapshot(running, snapshot, law=build_of(entry) == this_build())
        if is_practice(running.table.id):
            self._past.setdefault(entry.stream, deque(maxlen=UNDO_WITHIN + 1)).append(running)
            return  # play money is in no books
        assert not isinstance(body, Branched | Undone), "only at practice tables anything is undone"
        if isinstance(body, ChipTurn):
            self.books.move_chips(running.table.id, entry.version, body)
        else:
            self.books.take(running.table.id, entry.version, tuple(body.events))

    def _decide_turn(self, entry: Entry, body: TableEntry, before: RunningTable) -> None:
        judge = self._judge_of(entry.stream)
        if not isinstance(body, Turn | ChipTurn):
            judge.forget()
            return
        judge.see(TurnCase(entry, body, before, self._lately.at(body.at)))
        self._proposals.turn(entry, body)
        if isinstance(body, Turn):
            if isinstance(body.command.action, OpenTable) and not is_practice(before.table.id):
                self._builds.check_program(entry, self.house.program)
            for meter, state in body.meters.items():
                self._times.take_claim(meter, body.at, state, entry)
            for event in body.events:
                move = event.outcome.meter if isinstance(event.outcome, Moves) else None
                if move is not None and move.before is not None:
                    self._note_answer(entry, f"{entry.command}#{event.seq}", 1)

    def _judge_of(self, stream: StreamId) -> TableJudge:
        if stream not in self._judges:
            decides = stream not in self._elsewhere
            self._judges[stream] = TableJudge(self._judge, self._chips, decides=decides)
        return self._judges[stream]

    def _note_answer(self, entry: Entry, name: str, times: int) -> None:
        """Note an answer that the streams of a table and of its meter both have, until both are seen."""
        key = (name, entry.answer, build_of(entry))
        seen, _ = self._answers.pop(key, (0, entry))
        if seen + times:
            self._answers[key] = seen + times, entry

    # --- meters ---------------------------------------------------------------------------------------

    def _move(self, entry: Entry, body: Body) -> None:
        assert isinstance(body, MeterEntry), "the stream of a meter holds its moves"
        if entry.stream not in self.meters:
            raise RefoldError("no such meter was opened", where=place(entry.stream, entry.version))
        before = self.meters[entry.stream]
        now = evolve_meter(before, body, entry.head)
        check_meter(now)
        if isinstance(body, MeterTurn):
            self._note_answer(entry, entry.command, -1)
            if build_of(entry) and not body.step:
                raise LieError("a move of a meter names its step", where=place(entry.stream, entry.version))
        else:
            self._check_name(entry)
            self._judge.judge(
                entry,
                type(body).__name__,
                lambda: decide_meter(before, body, self._terms(body.meter)),
                body,
            )
            self._check_acts(entry, body)
            self._proposals.meter(self.persons, entry, body)
        self.meters[entry.stream] = now
        self._times.take_state(body.meter, body.at, now.state)
        snapshot = self._snapshot_of(entry)
        if snapshot is not None and load_meter(snapshot) != now:
            raise RefoldError("a snapshot is not the meter", where=place(snapshot.stream, snapshot.version))
        if isinstance(body, MeterTurn | MeterAdjusted) and not is_practice(body.meter):
            self.books.move_meter(entry.version, body)

    def _terms(self, meter: MeterId) -> MeterTerms | None:
        """Return the terms of a meter by the rules of a table that shares it."""
        sharing = [self.tables[table_stream(table)] for table in self.house.tables_on(meter)]
        return meter_terms(sharing[0].rules, meter) if sharing else None

    def _snapshot_of(self, entry: Entry) -> Snapshot | None:
        """Return the snapshot that was written down at an entry, if there is one."""
        key = entry.stream, entry.version
        if self._picture is None or key not in self._snapshots:
            return None
        self._snapshots.remove(key)
        snapshot = self._picture.snapshot_at(*key)
        if (
            snapshot is not None
            and snapshot.mac
            and self._believes is not None
            and not self._believes(snapshot)
        ):
            raise LieError("a snapshot was not made with the floor's key", where=place(*key))
        return snapshot

    # --- at the end -----------------------------------------------------------------------------------

    def begin(self, house: House, at: datetime) -> None:
        """Begin with the setup of the floor at a moment, without the entries before it."""
        self._lately.change(at, house=house)

    def begin_persons(self, persons: Persons, at: datetime) -> None:
        """Begin with people as they were."""
        self._lately.change(at, persons=persons)

    def mark(self, event: BookmarkEvent) -> None:
        """Begin with a bookmark made before."""
        self._marks.take(event)

    def finish_tail(self, decks: DecksOf) -> int:
        """Decide what is left of a walk that began in the middle; return how much was decided."""
        for stream, table in self._judges.items():
            table.finish(decks(stream))
        self.books.close((), ())
        self._proposals.finish(self._judge, commands=False)
        self._check_answers()
        return self._judge.decided

    def _check_answers(self) -> None:
        for _, entry in self._answers.values():
            cause = "the meter's stream has another answer to the command, or one of another build"
            self._judge.report_difference(entry, cause)

    def finish(self, log: LogVerification, tree: TreeVerification) -> FloorVerification:
        """Return what the whole log comes to, or raise what does not fit."""
        for stream, version in sorted(self._snapshots):
            raise RefoldError("a snapshot is of no entry", where=place(stream, version))
        for stream, table in self._judges.items():
            table.finish(self._decks(stream))
        tables = [running for running in self.tables.values() if not is_practice(running.table.id)]
        meters = [meter for name, meter in self.meters.items() if not is_practice(name.removeprefix(METERS))]
        total = self.books.close(tables, meters)
        if self._picture is not None:
            known = {stream: judge.commitments() for stream, judge in self._judges.items()}
            check_sealed(self._picture, self.tables, known)
        self._times.finish(self._judge)
        self._proposals.finish(self._judge)
        self._check_answers()
        return FloorVerification(
            log=log,
            tree=tree,
            rounds=self.books.rounds,
            tables=len(self.tables),
            meters=len(self.meters),
            total=total,
            decided=self._judge.decided,
            waiting=frozenset(self._judge.waiting),
            undecided={build: frozenset(places) for build, places in self._judge.by_build.items()},
            people=self.persons.known,
        )
