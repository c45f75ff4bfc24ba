"""Read models checked against the log: rebuilt in memory, and compared row by row."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import takewhile, zip_longest
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection, Table, select

from houseway.errors import IllegalError, shortened
from houseway.floor.readmodels.read_model import ReadModel
from houseway.floor.readmodels.runner import ModelPlace, PageEntry, ReadModels, every_model, model_places
from houseway.floor.readmodels.sql_tables import FOLDED, PARKED
from houseway.floor.readmodels.table_fold import write_fold
from houseway.floor.streams import TableId
from houseway.store.entries import Entry
from houseway.store.protocol import START, Place
from houseway.store.sql import SqlStore

LONGEST_SHOWN: Final = 80
NOT_THE_TABLE: Final = "a table that was written down is not what its stream leaves"
Row = Mapping[str, Any]


class ReadModelError(IllegalError):
    """A row of a read model that does not follow from the log."""


class RowComparison(NamedTuple):
    """How many rows were compared, and which models were not."""

    rows: int
    left: tuple[str, ...] = ()
    """The models that are not kept up, or that another version wrote."""


class _LogUntil:
    """A log up to the place that a model has reached; a model rebuilt from it lies in memory."""

    def __init__(self, store: SqlStore, until: Place, on_entry: Callable[[], object]) -> None:
        self._store, self._until, self._on_entry = store, until, on_entry
        self.last = START
        """The place of the last entry that was read."""

    def everything(self, after: Place = START) -> Iterator[tuple[Place, Entry]]:
        """Yield every entry with its place, up to where the model has come."""
        for placed in takewhile(lambda item: item[0] <= self._until, self._store.everything(after)):
            self._on_entry()
            self.last = max(self.last, placed[0])
            yield placed

    @property
    def goes_on(self) -> bool:
        """Whether there are entries after where the model has come."""
        return next(self._store.everything(self._until), None) is not None

    def tails(self, heads: Mapping[str, int], most: int | None = None) -> Iterable[Entry]:
        """Return what was added to each of these streams after a version."""
        return self._store.tails(heads, most)


class _RebuiltModel(ReadModels):
    """A model rebuilt in memory, which compares the stored folds of tables on the way."""

    def __init__(self, log: _LogUntil, model: ReadModel, folds: Mapping[TableId, tuple[int, bytes]]) -> None:
        super().__init__(log, [model])  # type: ignore[arg-type]  # of a store it only reads the log
        self._folds_written = folds
        self.rows = 0
        self.compared = set[TableId]()
        """The tables whose stored fold was compared."""

    def _fold_entries(self, entries: list[tuple[Place, Entry]]) -> Iterator[PageEntry]:
        for item in super()._fold_entries(entries):
            after = item.seen.after if item.seen is not None else None
            if after is not None:
                version, body = self._folds_written.get(after.table.id, (0, b""))
                if after.version == version:
                    self.compared.add(after.table.id)
                    if write_fold(after) != body:
                        raise ReadModelError(NOT_THE_TABLE, value=after.table.id)
            yield item


def check_read_models(store: SqlStore, on_entry: Callable[[], object] = lambda: None) -> RowComparison:
    """Compare every read model with what follows from the log; return what was compared.

    Rows and places are read as of one moment, while the floor may be served.
    """
    with store.apart() as connection:
        places = model_places(connection)
        folds = {row.table_id: (row.version, bytes(row.body)) for row in connection.execute(select(FOLDED))}
        rows, left, compared = 0, list[str](), set[TableId]()
        for model in every_model():
            place = places.get(model.name)
            if place is None or (place.version, place.settings) != (model.version, model.settings):
                left.append(model.name)  # another version wrote it: this one rebuilds it when it serves
                continue
            again = _check_model(store, connection, model, place, folds, on_entry)
            rows, compared = rows + again.rows, compared | again.compared
        for table in sorted(folds.keys() - compared if not left else ()):
            raise ReadModelError(NOT_THE_TABLE, value=table)
    return RowComparison(rows, tuple(left))


def _check_model(
    store: SqlStore,
    connection: Connection,
    model: ReadModel,
    place: ModelPlace,
    folds: Mapping[TableId, tuple[int, bytes]],
    on_entry: Callable[[], object],
) -> _RebuiltModel:
    log = _LogUntil(store, place.place, on_entry)
    again = _RebuiltModel(log, model, folds)
    again.catch_up()
    if place.place > log.last and not log.goes_on:
        raise ReadModelError("it is ahead of the log", value=place.place[1], where=model.name)
    with again.connect() as rebuilt:
        for table in (*model.tables, PARKED):
            rows = _rows(connection, table, model.name)
            for was, follows in zip_longest(rows, _rows(rebuilt, table, model.name)):
                again.rows += 1
                if was != follows:
                    raise _wrong(model, table, was, follows)
    return again


def _rows(connection: Connection, table: Table, model: str) -> Iterator[Row]:
    query = select(table).order_by(*table.primary_key)
    if table is PARKED:
        query = query.where(PARKED.c.model == model)
    yield from (dict(row._mapping) for row in connection.execute(query))


def _wrong(model: ReadModel, table: Table, was: Row | None, follows: Row | None) -> ReadModelError:
    row = was or follows or {}
    key = ", ".join(str(row[column.name]) for column in table.primary_key)
    where = f"{model.name}, {table.name}, {key}"
    if was is None or follows is None:
        return ReadModelError(
            "a row is missing" if was is None else "a row does not follow from the log", where=where
        )
    field = next(name for name in was if was[name] != follows.get(name))
    cause = f"{shortened(str(follows.get(field)), LONGEST_SHOWN)} follows from the log"
    return ReadModelError(cause, value=shortened(str(was[field]), LONGEST_SHOWN), where=f"{where}, {field}")
