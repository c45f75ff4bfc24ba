"""Players over HTTP who know what they were answered, while whatever lies under the server fails.

Each has a seat of their own, sits down and leaves in turns, and sends a command again under its id until it
is answered for good. So a command that is refused shows that an earlier one became something else than what
was answered.
"""

from __future__ import annotations

import http.client
import json
import random
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Final

from houseway.floor.batches import LATE
from houseway.floor.core import Floor
from houseway.floor.rights import COMMAND_LINE
from houseway.floor.streams import TableId, table_stream
from houseway.floor.verification import verify_floor
from houseway.games import example_submission
from houseway.rng import SystemEntropy
from houseway.rounds.roles import Role
from houseway.rounds.step import Actor
from houseway.service import people
from houseway.service.api.auth import COOKIE, CSRF_HEADER
from houseway.service.people import evolve_people
from houseway.service.register import Register
from houseway.service.sessions import Sessions
from houseway.store.store_url import open_store
from tests.floor.support import SAFE, make_table
from tests.service.crowd import ADA, hashed

TABLES: Final = ("t1", "t2", "t3")
SEATS: Final = (2, 4, 6)
DECK_KEY: Final = bytes(range(32)).hex()
"""The key that the tests' floors lock their decks away with."""
ANSWERED_WITHIN: Final = 15.0
"""Seconds in which a server that lives answers a command: its time of ten, and a little more."""
PATIENCE: Final = 60.0
"""Seconds after which a test gives up waiting for anything."""
PAUSE: Final = 0.01
AGAIN: Final = {503, 504}


@dataclass(frozen=True)
class Player:
    """Somebody signed in, with a seat of their own."""

    table: TableId
    at: int
    token: str
    csrf: str

    @property
    def id(self) -> str:
        return f"{self.table}-{self.at}"


def furnish(url: str) -> list[Player]:
    """Make tables on an empty database, and players who are signed in, one for each seat."""
    store, entropy = open_store(url), SystemEntropy()
    floor = Floor(store, lambda: datetime.now(UTC), entropy, SAFE)
    for table in TABLES:
        make_table(floor, table, example_submission("pa-575"))
    sessions = Sessions(store, entropy)
    names = [(table, at) for table in TABLES for at in SEATS]

    def sign_up(register: people.People, now: datetime) -> Iterator[Any]:
        for event in people.add_first_administrator(register, ADA.id, ADA.name, hashed(), now):
            register = evolve_people(register, event)
            yield event
        for table, at in names:
            player = Actor(f"{table}-{at}", Role.PLAYER, f"Player {table}-{at}")
            added = people.add_user(
                register, player.id, player.name, frozenset({player.role}), COMMAND_LINE, now
            )
            register = evolve_people(register, added)
            yield added
            yield people.set_password(register, player.id, hashed(), player, now)

    Register(store, sessions, floor.clock).record(sign_up)
    players = []
    for table, at in names:
        session = sessions.begin(f"{table}-{at}", Role.PLAYER, "127.0.0.1", floor.clock())
        players.append(Player(table, at, session.token, session.session.csrf))
    store.close()
    return players


@dataclass
class Figures:
    """What became of all commands."""

    versions: dict[tuple[TableId, str], int] = field(default_factory=dict)
    """The version of each command that was carried out, as its sender was answered."""
    given_up: set[tuple[TableId, str]] = field(default_factory=set)
    """What is last known of these is that they were not carried out."""
    counts: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)
    slowest: float = 0.0


class Load:
    """Players who carry on until they are stopped, each in a thread of their own."""

    def __init__(self, port: int, players: Sequence[Player]) -> None:
        self._port, self._stopping = port, threading.Event()
        self.figures, self._lock = Figures(), threading.Lock()
        self._threads = [
            threading.Thread(target=self._carry_on, args=(player,), daemon=True) for player in players
        ]

    # --- as a whole -----------------------------------------------------------------------------------

    @property
    def answered(self) -> int:
        """How many commands were carried out."""
        return len(self.figures.versions)

    def begin(self) -> None:
        for thread in self._threads:
            thread.start()

    def end(self) -> Figures:
        """Have every command under way answered for good, and end."""
        self._stopping.set()
        for thread in self._threads:
            thread.join(PATIENCE)
        assert not any(thread.is_alive() for thread in self._threads), "somebody is never answered"
        assert not self.figures.faults, self.figures.faults[:5]
        return self.figures

    def go_on(self, more: int) -> None:
        """Wait until so many commands more are carried out."""
        until(lambda: self.answered >= wanted or bool(self.figures.faults), wanted := self.answered + more)
        assert not self.figures.faults, self.figures.faults[:5]

    # --- one player -----------------------------------------------------------------------------------

    def _carry_on(self, player: Player) -> None:
        chance, sits, number = random.Random(player.id), False, 0
        connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=ANSWERED_WITHIN)
        while not self._stopping.is_set() and not self.figures.faults:
            number += 1
            action = {"step": "leave" if sits else "sit", "position": player.at}
            if self._sent(connection, player, {"id": str(number), "action": action}, chance):
                sits = not sits
            time.sleep(PAUSE)
        connection.close()

    def _sent(
        self,
        connection: http.client.HTTPConnection,
        player: Player,
        body: dict[str, Any],
        chance: random.Random,
    ) -> bool:
        """Send a command until it is answered for good; return whether it was carried out."""
        name = player.table, f"{player.id}/{body['id']}"
        self._count("sent")
        while True:
            status, text = self._asked(connection, player, body)
            if status == 200:
                with self._lock:
                    self.figures.versions[name] = json.loads(text)["version"]
                return True
            late = status == 503 and LATE in text
            self._count("late" if late else str(status or "lost"))
            if status and status not in AGAIN:
                self.figures.faults.append(f"{name} is answered {status} {text[:300]}")
                return False
            if late and chance.random() < 0.3:
                self.figures.given_up.add(name)
                return False
            time.sleep(chance.random() / 4)

    def _asked(
        self, connection: http.client.HTTPConnection, player: Player, body: dict[str, Any]
    ) -> tuple[int, str]:
        """Return the status of an answer and its text, or 0 if there is none."""
        headers = {"cookie": f"{COOKIE}={player.token}", CSRF_HEADER: player.csrf}
        begun = time.monotonic()
        try:
            where = f"/api/v1/tables/{player.table}/commands"
            connection.request("POST", where, json.dumps(body), headers)
            answer = connection.getresponse()
            answered = answer.status, answer.read().decode()
        except TimeoutError:
            self._count("not answered in time")
            connection.close()
            return 0, ""
        except (OSError, http.client.HTTPException):
            connection.close()
            return 0, ""
        with self._lock:
            self.figures.slowest = max(self.figures.slowest, time.monotonic() - begun)
        return answered

    def _count(self, name: str) -> None:
        with self._lock:
            self.figures.counts[name] += 1


@contextmanager
def load(port: int, players: Sequence[Player]) -> Iterator[Load]:
    """Let players command a server meanwhile, and have all that they sent answered in the end."""
    crowd = Load(port, players)
    crowd.begin()
    try:
        yield crowd
    except BaseException:
        crowd._stopping.set()
        raise
    crowd.end()


def until(holds: Callable[[], bool], what: object) -> None:
    """Wait until something is so."""
    for _ in range(round(PATIENCE / 0.02)):
        if holds():
            return
        time.sleep(0.02)
    raise AssertionError(f"it never comes to that: {what}")


def conditions(port: int) -> tuple[int, list[str]]:
    """Return the status of ``/ready``, and which conditions do not hold."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=ANSWERED_WITHIN)
    try:
        connection.request("GET", "/ready")
        answer = connection.getresponse()
        return answer.status, json.loads(answer.read())["failing"]
    except (OSError, http.client.HTTPException):
        return 0, []
    finally:
        connection.close()


def check_log(url: str, figures: Figures) -> Counter[str]:
    """Compare all that was answered with what is stored; return how many commands were lost or doubled."""
    store = open_store(url)
    try:
        for table in TABLES:
            entries = list(store.tails({table_stream(table): 0}))
            stored = {entry.command: entry.version for entry in entries}
            versions = {name: version for (at, name), version in figures.versions.items() if at == table}
            lies = {name for at, name in figures.given_up if at == table} & stored.keys()
            assert len(stored) == len(entries), "a command was carried out twice"
            assert not lies, f"carried out, though it was answered that it was not: {sorted(lies)[:3]}"
            assert stored == versions, set(stored.items()) ^ set(versions.items())
        with store.picture() as picture:
            assert verify_floor(picture).total == 0
    finally:
        store.close()
    answered = len(figures.versions) + len(figures.given_up)
    assert answered == figures.counts["sent"], "a command was never answered for good"
    return figures.counts + Counter(answered=answered)
