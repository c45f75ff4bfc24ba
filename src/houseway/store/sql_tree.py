"""The tree over all entries read from a database."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from contextlib import AbstractContextManager

from sqlalchemy import Connection, and_, func, select, tuple_

from houseway.store.entries import StreamId
from houseway.store.protocol import START, Leaf, Place, SignedHead, Tile
from houseway.store.schema import ENTRIES, LEAVES, SIGNED_HEADS, TILES

PAGE = 1_000
"""How many rows are read at a time."""
_SAME = and_(ENTRIES.c.stream == LEAVES.c.stream, ENTRIES.c.version == LEAVES.c.version)


class SqlTree:
    """The tree as tables hold it, on connections that are opened as they are needed."""

    def __init__(self, connect: Callable[[], AbstractContextManager[Connection]]) -> None:
        self._connect = connect

    def size(self) -> int:
        """Return how many leaves there are."""
        with self._connect() as connection:
            last = connection.scalar(select(func.max(LEAVES.c.number)))
        return 0 if last is None else int(last) + 1

    def end(self) -> Place:
        """Return where the entry of the last leaf lies."""
        place = select(ENTRIES.c.transaction, ENTRIES.c.position)
        query = place.select_from(LEAVES.join(ENTRIES, _SAME)).order_by(LEAVES.c.number.desc()).limit(1)
        with self._connect() as connection:
            row = connection.execute(query).one_or_none()
        return (row[0], row[1]) if row else START

    def leaf_of(self, stream: StreamId, version: int) -> Leaf | None:
        """Return the leaf that an entry is, if it is one yet."""
        query = select(LEAVES).where(LEAVES.c.stream == stream, LEAVES.c.version == version)
        with self._connect() as connection:
            row = connection.execute(query).one_or_none()
        return _leaf(*row) if row else None

    def among(self, entries: Sequence[tuple[StreamId, int]]) -> AbstractSet[tuple[StreamId, int]]:
        """Return which of some entries, by stream and version, are leaves already."""
        place = tuple_(LEAVES.c.stream, LEAVES.c.version)
        with self._connect() as connection:
            rows = connection.execute(select(LEAVES.c.stream, LEAVES.c.version).where(place.in_(entries)))
            return {(stream, version) for stream, version in rows}

    def first_outside(self) -> Place | None:
        """Return where the first entry lies that is no leaf, if there is one."""
        place = ENTRIES.c.transaction, ENTRIES.c.position
        query = select(*place).select_from(ENTRIES.outerjoin(LEAVES, _SAME))
        query = query.where(LEAVES.c.number.is_(None)).order_by(*place).limit(1)
        with self._connect() as connection:
            row = connection.execute(query).one_or_none()
        return (row[0], row[1]) if row else None

    def tile(self, level: int, number: int) -> bytes:
        """Return the hashes of a tile, or nothing if it has not begun."""
        query = select(TILES.c.hashes).where(TILES.c.level == level, TILES.c.number == number)
        with self._connect() as connection:
            return bytes(connection.scalar(query) or b"")

    def tiles(self) -> Iterator[Tile]:
        """Yield every tile, level by level."""
        with self._connect() as connection:
            rows = connection.execute(
                select(TILES).order_by(*TILES.primary_key), execution_options={"yield_per": PAGE}
            )
            for level, number, hashes in rows:
                yield Tile(level=level, number=number, hashes=bytes(hashes))

    def last_signed(self) -> SignedHead | None:
        """Return the last head that was signed, if there is one."""
        query = select(SIGNED_HEADS).order_by(SIGNED_HEADS.c.size.desc()).limit(1)
        with self._connect() as connection:
            row = connection.execute(query).one_or_none()
        return SignedHead(size=row[0], at=row[1], note=bytes(row[2])) if row else None

    def signed_heads(self) -> Iterator[SignedHead]:
        """Yield every signed head, the smallest first."""
        query = select(SIGNED_HEADS).order_by(SIGNED_HEADS.c.size)
        with self._connect() as connection:
            for size, at, note in connection.execute(query, execution_options={"yield_per": PAGE}):
                yield SignedHead(size=size, at=at, note=bytes(note))

    def leaves(self) -> Iterator[tuple[Leaf, bytes]]:
        """Yield every leaf in order, with the hash of its entry; nothing where the entry is gone."""
        query = select(LEAVES, ENTRIES.c.hash).select_from(LEAVES.outerjoin(ENTRIES, _SAME))
        with self._connect() as connection:
            rows = connection.execute(query.order_by(LEAVES.c.number), execution_options={"yield_per": PAGE})
            for *row, digest in rows:
                yield _leaf(*row), bytes(digest or b"")


def _leaf(number: int, stream: StreamId, version: int, salt: bytes, parts: bytes) -> Leaf:
    return Leaf(number=number, stream=stream, version=version, salt=bytes(salt), parts=bytes(parts))
