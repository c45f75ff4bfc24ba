"""The log convicts: whatever is done to the rows of a database behind its back is found and located."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import text

from houseway.cards import Deck
from houseway.errors import IllegalError
from houseway.rng import SealedDeck, SeededEntropy, SystemEntropy
from houseway.store.checkpoints import export_checkpoints, make_checkpoint
from houseway.store.entries import EMPTY, BrokenChainError, next_entry
from houseway.store.log_check import verify_log
from houseway.store.protocol import Batch
from houseway.store.safe import KEY_BYTES, DeckSafe, read_key
from houseway.store.sql import SqlStore
from houseway.store.store_url import open_store
from tests.store.support import DATABASES, Writer, new_store

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)


@pytest.fixture(params=DATABASES)
def log(request: pytest.FixtureRequest) -> Iterator[SqlStore]:
    """A database with three streams of six entries and two checkpoints."""
    with new_store(request.param) as store:
        assert isinstance(store, SqlStore)
        writer = Writer(store)
        for half in (1, 2):
            for _ in range(3):
                writer.add("table/1", "table/2", "meter/m")
            checkpoint(store, NOON + timedelta(hours=half))
        yield store


def checkpoint(store: SqlStore, at: datetime) -> None:
    last = store.checkpoints()
    made = make_checkpoint(store.heads(), last[-1] if last else None, at)
    store.append_batch(Batch(checkpoints=[made]))


def behind_its_back(store: SqlStore, *statements: str) -> None:
    with store.engine.connect() as connection:
        for statement in statements:
            connection.execute(text(statement))


def lines(store: SqlStore) -> list[bytes]:
    return export_checkpoints(store).splitlines()


def test_a_whole_log_is_whole(log: SqlStore) -> None:
    found = verify_log(log, lines(log))
    assert (found.streams, found.entries, found.checkpoints, found.exported) == (3, 18, 2, 2)


def test_a_changed_byte_is_found_and_located(log: SqlStore) -> None:
    behind_its_back(log, "UPDATE entries SET body = 'dOne' WHERE stream = 'table/2' AND version = 4")
    with pytest.raises(BrokenChainError, match="table/2 version 4"):
        verify_log(log)


def test_a_truncated_tail_is_found_by_a_checkpoint(log: SqlStore) -> None:
    behind_its_back(log, "DELETE FROM entries WHERE stream = 'meter/m' AND version > 4")
    with pytest.raises(BrokenChainError, match="missing that a checkpoint saw.*meter/m version 6"):
        verify_log(log)


def test_a_reordered_pair_is_found(log: SqlStore) -> None:
    behind_its_back(
        log,
        "UPDATE entries SET version = 100 WHERE stream = 'table/1' AND version = 2",
        "UPDATE entries SET version = 2 WHERE stream = 'table/1' AND version = 3",
        "UPDATE entries SET version = 3 WHERE stream = 'table/1' AND version = 100",
    )
    with pytest.raises(BrokenChainError, match="table/1 version"):
        verify_log(log)


def test_a_missing_entry_in_the_middle_is_found(log: SqlStore) -> None:
    behind_its_back(log, "DELETE FROM entries WHERE stream = 'table/1' AND version = 2")
    with pytest.raises(BrokenChainError, match="table/1 version 3"):
        verify_log(log)


def test_a_removed_stream_is_found(log: SqlStore) -> None:
    behind_its_back(log, "DELETE FROM entries WHERE stream = 'table/2'")
    with pytest.raises(BrokenChainError, match="table/2 version"):
        verify_log(log)


def test_a_changed_checkpoint_is_found(log: SqlStore) -> None:
    behind_its_back(log, "UPDATE checkpoints SET body = (SELECT body FROM checkpoints WHERE number = 2)")
    with pytest.raises(BrokenChainError, match="checkpoint"):
        verify_log(log)


def test_a_consistent_rewrite_is_found_by_what_was_exported(log: SqlStore) -> None:
    """Somebody who can write everything makes all chains and checkpoints fit again: only the export tells."""
    exported = lines(log)
    entries = [entry for _, entry in log.everything()]
    behind_its_back(log, "DELETE FROM entries", "DELETE FROM checkpoints")
    heads = dict.fromkeys({entry.stream for entry in entries}, EMPTY)
    rewritten = []
    for entry in entries:
        body = b"never happened" if (entry.stream, entry.version) == ("table/1", 2) else entry.body
        rewritten.append(next_entry(heads[entry.stream], entry.stream, entry.command, body, entry.answer))
        heads[entry.stream] = rewritten[-1].head
    log.__dict__["_heads"] = {}
    for half in (1, 2):
        log.append_batch(Batch(entries=rewritten[9 * half - 9 : 9 * half]))
        checkpoint(log, NOON + timedelta(hours=half))
    verify_log(log)
    with pytest.raises(BrokenChainError, match="exported checkpoint"):
        verify_log(log, exported)


# --- sealed decks at rest -----------------------------------------------------------------------------


def sealed() -> SealedDeck:
    return SealedDeck.shuffle(Deck.standard().cards, SeededEntropy("sealed"))


def test_a_locked_deck_tells_nothing_and_opens_to_what_it_was() -> None:
    safe, deck = DeckSafe(bytes(range(KEY_BYTES)), SeededEntropy("safe")), sealed()
    locked = safe.lock("table/1", deck)
    assert b"As" not in locked and deck.nonce not in locked
    assert safe.unlock("table/1", deck.commitment, locked) == deck
    assert safe.lock("table/1", deck) != locked


def test_a_locked_deck_opens_only_with_its_key_for_its_table_and_its_commitment() -> None:
    safe, deck = DeckSafe(bytes(range(KEY_BYTES)), SeededEntropy("safe")), sealed()
    locked = safe.lock("table/1", deck)
    wrong = [
        (DeckSafe(bytes(KEY_BYTES), SeededEntropy("safe")), "table/1", deck.commitment, locked),
        (safe, "table/2", deck.commitment, locked),
        (safe, "table/1", "0" * 64, locked),
        (safe, "table/1", deck.commitment, locked[:-1] + bytes([locked[-1] ^ 1])),
    ]
    for with_, stream, commitment, text_ in wrong:
        with pytest.raises(IllegalError, match="cannot be opened"):
            with_.unlock(stream, commitment, text_)


def test_a_key_is_made_once_and_is_its_owners_only(tmp_path: Path) -> None:
    first = read_key(tmp_path / "floor.db.key", SystemEntropy())
    assert read_key(tmp_path / "floor.db.key", SystemEntropy()) == first and len(first) == KEY_BYTES
    assert (tmp_path / "floor.db.key").stat().st_mode & 0o077 == 0


def test_a_store_is_opened_by_its_url(tmp_path: Path) -> None:
    for url in (f"sqlite:///{tmp_path}/a.db", f"{tmp_path}/b.db"):
        open_store(url).close()
    assert (tmp_path / "a.db").exists() and (tmp_path / "b.db").exists()
    with pytest.raises(ValueError, match="sqlite:///PATH"):
        open_store("mysql://somewhere")
