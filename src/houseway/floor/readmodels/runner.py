"""Read models kept up with the log: a page of entries at a time, its rows and its place in one transaction.

The rows are computed first; then the place is locked, checked once more, and
moved with the rows. So whatever stops it, no entry is skipped and none is applied twice. An entry that a
model cannot take is parked, and the model goes on after it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice, takewhile
from typing import Final
from zlib import crc32

from msgspec import Struct
from msgspec.structs import replace
from sqlalchemy import Connection, delete, func, select, update

from houseway.errors import HousewayError, IllegalError, UnknownNameError
from houseway.floor.readmodels.accounting import Accounting
from houseway.floor.readmodels.parked_entry import (
    ParkedEntry,
    is_fault_of_entry,
    park,
    parked_entries,
    reason_of,
)
from houseway.floor.readmodels.read_model import ReadModel
from houseway.floor.readmodels.round_rows import Rounds
from houseway.floor.readmodels.row_writes import Pending, Upsert, Write
from houseway.floor.readmodels.search import Search
from houseway.floor.readmodels.sql_tables import FOLDED, METADATA, PARKED, READ_MODELS
from houseway.floor.readmodels.table_fold import (
    FOLD_EVERY,
    FoldedEntry,
    Folds,
    TableFold,
    read_fold,
    write_fold,
)
from houseway.floor.streams import TableId
from houseway.store.entries import Entry
from houseway.store.protocol import START, Place, Point, PointHook, Store, ignore_point
from houseway.store.sql import SqlStore, in_memory

PAGE: Final = 500
"""The maximum number of entries applied in one transaction."""
_LOCKS: Final = 7_460_302
"""The advisory locks under which one server at a time keeps a model up."""


def every_model() -> tuple[ReadModel, ...]:
    """Return every read model there is."""
    return (Rounds(), Search(), Accounting())


class ModelPlace(Struct, frozen=True):
    """How far a model is, and what wrote its rows."""

    version: int
    settings: str
    place: Place


class PageEntry(Struct, frozen=True):
    """An entry of a page, and what it leaves its table at, or why a model cannot take it."""

    place: Place
    entry: Entry
    seen: FoldedEntry | None = None
    why: str = ""


class _MovedError(Exception):
    """Another process has moved the place of a model meanwhile."""


class ReadModels:
    """The read models of a store. On SQLite only the serving process keeps them up, between batches."""

    def __init__(
        self, store: Store, models: Sequence[ReadModel] | None = None, *, at_point: PointHook = ignore_point
    ) -> None:
        self.store, self._at_point = store, at_point
        self.models = {model.name: model for model in (models or every_model())}
        self.engine = store.engine if isinstance(store, SqlStore) else in_memory(METADATA)
        self.read_only = bool(getattr(store, "read_only", False))
        self._folds = Folds(store, self._load_fold)
        self._written: dict[TableId, int] = {}

    # --- how far they are -----------------------------------------------------------------------------

    def places(self) -> dict[str, ModelPlace]:
        """Return how far each model is."""
        with self.engine.connect() as connection:
            return model_places(connection)

    @contextmanager
    def connect(self) -> Iterator[Connection]:
        """Give a connection for queries of the read models."""
        with self.engine.connect() as connection:
            yield connection

    @contextmanager
    def apart(self) -> Iterator[Connection]:
        """Give a connection of its own, for long reads that must not block writers."""
        if isinstance(self.store, SqlStore):
            with self.store.apart() as connection:
                yield connection
        else:
            with self.connect() as connection:
                yield connection

    # --- keeping up -----------------------------------------------------------------------------------

    def catch_up(self, most: int | None = None) -> int:
        """Apply all new entries, or at most ``most``; return how many. Models of other servers are left."""
        self._check_may_write()
        applied = 0
        with self._lock() as mine:
            self._begin(mine)
            while mine and (most is None or applied < most):
                page = self._page(mine, PAGE if most is None else min(PAGE, most - applied))
                if not page:
                    break
                behind, entries = page
                try:
                    self._take(behind, list(self._fold_entries(entries)))
                except _MovedError:
                    continue
                applied += len(entries)
        return applied

    def behind(self) -> list[str]:
        """Return the models that have not come to the end of the log."""
        entries = {name: self.store.everything(progress.place) for name, progress in self.places().items()}
        return [name for name, left in entries.items() if next(left, None) is not None]

    def parked_entries(self) -> list[ParkedEntry]:
        """Return the entries that the models could not take."""
        with self.connect() as connection:
            return parked_entries(connection)

    def rebuild(self, name: str) -> None:
        """Delete the rows of a model and build them again from the log."""
        if name not in self.models:
            raise UnknownNameError("no such read model", value=name)
        self._check_may_write()
        with self._transaction() as connection:
            self._reset(connection, self.models[name])
        self.catch_up()

    def _check_may_write(self) -> None:
        if self.read_only:
            raise IllegalError("a store opened read-only keeps no read models up")

    def _begin(self, names: Sequence[str]) -> None:
        """Reset the models that have no place yet, and those that another version wrote."""
        places = self.places()
        for model in (self.models[name] for name in names):
            progress = places.get(model.name)
            if progress is None or (progress.version, progress.settings) != (model.version, model.settings):
                with self._transaction() as connection:
                    self._reset(connection, model)

    def _reset(self, connection: Connection, model: ReadModel) -> None:
        """Reset a model to the place before every entry; the folds of tables are written again."""
        _reset(connection, model)
        self._written.clear()

    def _page(
        self, names: Sequence[str], most: int = PAGE
    ) -> tuple[dict[str, Place], list[tuple[Place, Entry]]] | None:
        """Return the models that are furthest behind, and what they apply next, up to the others."""
        places = {name: progress.place for name, progress in self.places().items() if name in names}
        first = min(places.values())
        behind = {name: place for name, place in places.items() if place == first}
        ahead = min((place for place in places.values() if place > first), default=None)
        entries = self.store.everything(first)
        if ahead is not None:
            until = ahead
            entries = takewhile(lambda item: item[0] <= until, entries)
        page = list(islice(entries, most))
        return (behind, page) if page else None

    def _fold_entries(self, entries: list[tuple[Place, Entry]]) -> Iterator[PageEntry]:
        """Yield entries with what they leave their tables at, each folded once."""
        for place, entry in entries:
            try:
                yield PageEntry(place, entry, self._folds.see(entry))
            except Exception as error:
                if not is_fault_of_entry(error):
                    raise
                yield PageEntry(place, entry, why=reason_of(error))

    def _take(self, behind: dict[str, Place], page: list[PageEntry]) -> None:
        """Apply a page; if it cannot be taken whole, look for the entry at fault, and park that one."""
        try:
            self._apply(behind, page)
        except Exception as error:
            if not is_fault_of_entry(error):
                raise
            half = len(page) // 2
            if half:
                self._take(behind, page[:half])
                self._take(dict.fromkeys(behind, page[half - 1].place), page[half:])
            elif len(behind) > 1:
                for name, place in behind.items():
                    self._take({name: place}, page)
            else:
                self._apply(behind, [replace(page[0], why=reason_of(error))])

    def _apply(self, behind: dict[str, Place], page: list[PageEntry]) -> None:
        """Apply a page, all of it or nothing, to models that are all at the same place."""
        pending, folded = Pending(), dict[TableId, TableFold]()
        for item in page:
            pending.gather(write for name in behind for write in self._writes(name, item))
            after = item.seen.after if item.seen is not None and item.seen.over else None
            if after is not None:
                folded[after.table.id] = after
        written = self._gather_folds(pending, folded)
        with self._transaction() as connection:
            self._at_point(Point.BEGUN)
            _move(connection, behind, page[-1].place)
            pending.carry_out(connection)
            self._at_point(Point.WRITTEN)
        self._at_point(Point.COMMITTED)
        self._written |= written

    def _writes(self, name: str, item: PageEntry) -> Iterable[Write]:
        """Return what an entry writes for a model: its rows, or that it is parked."""
        if item.seen is None or item.why:
            return [park(name, item.place, item.entry, item.why)]
        return () if item.seen.practice else self.models[name].apply(item.seen)

    # --- tables folded so far -------------------------------------------------------------------------

    def _gather_folds(self, pending: Pending, folded: dict[TableId, TableFold]) -> dict[TableId, int]:
        """Store folds of tables from time to time, so that a start need not fold all their entries."""
        written: dict[TableId, int] = {}
        for table, fold in folded.items():
            body = write_fold(fold)
            if body is not None and fold.version - self._written.get(table, 0) >= FOLD_EVERY:
                row = {"version": fold.version, "body": body}
                pending.gather([Upsert(FOLDED, {"table_id": table}, row)])
                written[table] = fold.version
        return written

    def _load_fold(self, table: TableId) -> TableFold | None:
        with self.engine.connect() as connection:
            query = select(FOLDED.c.version, FOLDED.c.body).where(FOLDED.c.table_id == table)
            row = connection.execute(query).one_or_none()
        try:
            return read_fold(row[0], bytes(row[1])) if row else None
        except HousewayError:  # what another version wrote: the table is folded from its beginning
            return None

    # --- transactions and locks -----------------------------------------------------------------------

    @contextmanager
    def _transaction(self) -> Iterator[Connection]:
        """Begin a transaction that is stored whole or not at all."""
        if self.engine.dialect.name == "postgresql":
            with self.engine.execution_options(isolation_level="READ COMMITTED").begin() as connection:
                yield connection
            return
        with self.engine.connect() as connection:
            connection.exec_driver_sql("BEGIN IMMEDIATE")
            try:
                yield connection
            except BaseException:
                connection.exec_driver_sql("ROLLBACK")
                raise
            connection.exec_driver_sql("COMMIT")

    @contextmanager
    def _lock(self) -> Iterator[list[str]]:
        """Lock the models that no other server keeps up now; give their names."""
        places = self.places()
        ours = [
            m for m in self.models.values() if m.name not in places or places[m.name].version <= m.version
        ]
        if self.engine.dialect.name != "postgresql":
            yield [model.name for model in ours]
            return
        with self.engine.connect() as connection:
            keys = {model.name: crc32(model.name.encode()) % 2**31 for model in ours}
            taken: list[str] = []
            try:
                for name, key in keys.items():
                    if connection.scalar(select(func.pg_try_advisory_lock(_LOCKS, key))):
                        taken.append(name)
                yield taken
            finally:
                for name in taken:
                    connection.execute(select(func.pg_advisory_unlock(_LOCKS, keys[name])))


def model_places(connection: Connection, names: Sequence[str] | None = None) -> dict[str, ModelPlace]:
    """Return how far each model is, or some of them."""
    query = select(READ_MODELS).order_by(READ_MODELS.c.model)
    if names is not None:
        query = query.where(READ_MODELS.c.model.in_(names)).with_for_update()
    rows = connection.execute(query)
    return {
        name: ModelPlace(version, settings, (first, second))
        for name, version, settings, first, second in rows
    }


def _move(connection: Connection, behind: dict[str, Place], to: Place) -> None:
    """Move the place of models, which must be where they were thought to be."""
    places = model_places(connection, sorted(behind))
    if {name: progress.place for name, progress in places.items()} != behind:
        raise _MovedError
    moved = update(READ_MODELS).where(READ_MODELS.c.model.in_(list(behind)))
    connection.execute(moved.values(transaction=to[0], position=to[1]))


def _reset(connection: Connection, model: ReadModel) -> None:
    """Delete the rows of a model and its parked entries; it begins before every entry.

    The stored folds of tables are deleted too.
    """
    row = {
        "version": model.version,
        "settings": model.settings,
        "transaction": START[0],
        "position": START[1],
    }
    place = Pending()
    place.gather([Upsert(READ_MODELS, {"model": model.name}, row)])
    place.carry_out(connection)
    connection.execute(delete(PARKED).where(PARKED.c.model == model.name))
    connection.execute(delete(FOLDED))
    for table in model.tables:
        connection.execute(delete(table))
