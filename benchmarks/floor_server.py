"""A floor of many tables served in a process of its own, which measures itself until it is told to stop.

Every table of a game is given the same chance, so that the same commands are lawful at all of them.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from collections import Counter
from itertools import islice
from pathlib import Path
from types import FrameType
from typing import TextIO

from benchmarks.floors import FLO, MAX, open_url
from benchmarks.prepare import SEED, bets, seeded_table
from houseway.cli.system import SystemRuntime
from houseway.floor import house
from houseway.floor.batches import BatchDraft, WaitingCommand
from houseway.floor.core import Floor
from houseway.floor.people_events import PeopleEvent
from houseway.games import example_submission, rules_for
from houseway.rng import SeededEntropy, SystemEntropy
from houseway.rounds.auto import play_rounds
from houseway.rounds.codec import plain
from houseway.rounds.roles import DEVICES, Role
from houseway.rounds.step import Actor, Command
from houseway.rounds.steps.opening import OpenTable
from houseway.service.api import make_app
from houseway.service.network_limits import NetworkLimits
from houseway.service.passwords import HashParameters, Passwords, new_key
from houseway.service.people import (
    People,
    add_first_administrator,
    add_user,
    evolve_people,
    set_key,
    set_password,
)
from houseway.service.server_setup import build_server, open_register
from houseway.service.sessions import Sessions
from houseway.service.workers import listen_at, run_server
from houseway.store.protocol import Batch
from houseway.store.safe import KEY_BYTES, DeckSafe

GAMES = ("pa-575", "pa-659a", "pa-670a", "wa-fap", "ca-fpgp")
VIEWERS = 10
RUNTIME = SystemRuntime()
ONE_ADDRESS = NetworkLimits(
    connections_per_address=100_000, unfinished_per_address=100_000, sockets_per_address=100_000
)
"""Everybody comes from this machine."""
SAMPLED = 0.005
"""Seconds between two looks at what every thread does."""
MINUTE = 60.0
IDLE = {"select", "wait", "_worker", "acquire", "get", "_wait_for_tstate_lock", "wait_for"}
_ADMIN = Actor("admin", Role.ADMINISTRATOR, "Admin")
_EVA = Actor("Eva", Role.MANAGER)


class ChanceOfTables:
    """Chance that depends on the table that is decided about, and on nothing else."""

    def __init__(self) -> None:
        self._of: dict[str, SeededEntropy] = {}
        self.table = ""

    def read(self, count: int) -> bytes:
        """Return bytes for the table."""
        return self._of.setdefault(self.table, SeededEntropy(SEED)).read(count)


class MeasuredFloor(Floor):
    """A floor whose tables have chances of their own, and that notes when each entry was durable."""

    def _decide(self, making: BatchDraft, one: WaitingCommand) -> None:
        assert isinstance(self.entropy, ChanceOfTables)
        self.entropy.table = one.table
        super()._decide(making, one)

    def note_commits(self, notes: TextIO) -> None:
        """Write down when each entry is durable; nothing is remembered, so that memory is the floor's."""
        append = self.store.append_batch

        def noted(batch: Batch) -> None:
            append(batch)
            at = time.monotonic()
            notes.writelines(f"{one.stream}#{one.version} {at}\n" for one in batch.entries)

        self.store.append_batch = noted  # type: ignore[method-assign]


class Sampler(threading.Thread):
    """Looks at what the process does, and counts in whose code it is."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.counts: Counter[str] = Counter()
        self.within: Counter[str] = Counter()
        """Which function of ours is at work, itself or by a library."""

    def run(self) -> None:
        """Look again and again."""
        me = threading.get_ident()
        while True:
            time.sleep(SAMPLED)
            for ident, frame in sys._current_frames().items():
                if ident != me:
                    whose = _whose(frame)
                    self.counts[whose] += 1
                    if whose != "idle":
                        self.within[_within(frame)] += 1


def _whose(frame: FrameType) -> str:
    """Return in whose code a thread is: ours, a library's on our behalf, or nowhere."""
    code = frame.f_code
    if code.co_name in IDLE or "selectors" in code.co_filename:
        return "idle"
    path = code.co_filename
    if "/houseway/" in path:
        return "ours"
    return path.split("site-packages/")[-1].split("/")[0] if "site-packages" in path else "python"


def _within(frame: FrameType) -> str:
    """Return the innermost function of ours that a thread is in."""
    at: FrameType | None = frame
    while at is not None:
        code = at.f_code
        if "/houseway/" in code.co_filename:
            return f"{code.co_filename.split('/houseway/')[-1]}:{code.co_name}"
        at = at.f_back
    return "none"


class Weigher(threading.Thread):
    """Weighs the process every minute."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.megabytes: list[float] = []

    def run(self) -> None:
        """Weigh it again and again."""
        while True:
            time.sleep(MINUTE)
            self.megabytes.append(resident())


def resident() -> float:
    """Return how many megabytes the process holds."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def starved() -> float:
    """Return the share of the time in which the process wanted a processor and had none."""
    threads = [path.read_text().split() for path in Path("/proc/self/task").glob("*/schedstat")]
    ran, waited = (sum(int(thread[column]) for thread in threads) for column in (0, 1))
    return waited / max(1, ran + waited)


# --- the floor ----------------------------------------------------------------------------------------


def make_floor(url: str, tables: int) -> tuple[MeasuredFloor, dict[str, str]]:
    """Make tables of all games in turn; return the floor, and which game is played at each."""
    safe = DeckSafe(bytes(KEY_BYTES), SystemEntropy())
    floor = MeasuredFloor(open_url(url), RUNTIME.now, ChanceOfTables(), safe)
    floor.set_up(lambda _, at: [house.approve_program(house.this_program(), MAX, _EVA, at)])
    names = {f"t{number}": GAMES[number % len(GAMES)] for number in range(tables)}
    for game in GAMES:
        submission = example_submission(game)
        rules = rules_for(submission).fingerprint
        floor.set_up(lambda found, at, s=submission: [house.file_submission(found, s, MAX, at)])  # type: ignore[misc]
        floor.set_up(lambda found, at, r=rules: [house.approve_submission(found, r, _EVA, at)])  # type: ignore[misc]
        for name in (name for name, played in names.items() if played == game):
            floor.set_up(lambda found, at, n=name, r=rules: house.make_table(found, n, r, FLO, at))  # type: ignore[misc]
    return floor, names


def script(game: str, commands: int) -> list[tuple[Actor, dict[str, object], bool]]:
    """Return what is commanded at a table of a game: by whom, what, and whether it is open by then."""
    table = seeded_table(rules_for(example_submission(game)))
    records = play_rounds(table, bets(table.rules), 1_000)
    turns = (turn.command for record in records for turn in record.turns)
    found, opened = list[tuple[Actor, dict[str, object], bool]](), False
    for command in islice(turns, commands):
        found.append((command.by, json.loads(json.dumps(plain(command.action))), opened))
        opened = opened or isinstance(command.action, OpenTable)
    return found


def open_tables(floor: Floor, names: dict[str, str]) -> None:
    """Carry out what opens each table."""
    for name, game in names.items():
        table = seeded_table(rules_for(example_submission(game)))
        record = next(play_rounds(table, bets(table.rules)))
        for number, turn in enumerate(record.turns):
            by = Actor(f"{turn.command.by.id} {name}", turn.command.by.role)
            floor.submit(name, Command(by, turn.command.action, id=f"open/{name}/{number}"))
            if isinstance(turn.command.action, OpenTable):
                break
    for answer in floor.run():
        if answer.refused or answer.fault:
            raise RuntimeError(str(answer))


def sign_in(floor: Floor, people: dict[str, list[Actor]]) -> dict[str, dict[str, tuple[str, str]]]:
    """Add everybody at each table, and begin their sessions; return the tokens by table and person."""
    entropy, register = SystemEntropy(), open_register(floor)
    passwords = Passwords(entropy, HashParameters(passes=1, memory_kib=8, lanes=1))
    hashed, key = passwords.hash("nobody asks for it"), new_key(entropy)

    def everybody(found: People, at: object) -> list[PeopleEvent]:
        moment = RUNTIME.now()
        events: list[PeopleEvent] = [*add_first_administrator(found, _ADMIN.id, "Admin", hashed, moment)]
        for event in events:
            found = evolve_people(found, event)
        for actor in (one for several in people.values() for one in several if one.role is not Role.GUEST):
            added = add_user(found, actor.id, actor.id, frozenset({actor.role}), _ADMIN, moment)
            found = evolve_people(found, added)
            device = actor.role in DEVICES
            proof = (
                set_key(found, actor.id, key.hash, _ADMIN, moment)
                if device
                else set_password(found, actor.id, hashed, actor, moment)
            )
            found = evolve_people(found, proof)
            events += [added, proof]
        return events

    register.record(everybody)
    sessions, tokens = Sessions(floor.store, entropy), dict[str, dict[str, tuple[str, str]]]()
    for table, several in people.items():
        for actor in several:
            guest = actor.role is Role.GUEST
            begun = (
                sessions.begin_guest("bench", RUNTIME.now())
                if guest
                else sessions.begin(actor.id, actor.role, "bench", RUNTIME.now())
            )
            tokens.setdefault(table, {})[actor.id] = (begun.token, begun.session.csrf)
    return tokens


def main() -> None:
    """Make a floor, write what a generator needs, serve until told to stop, and write what was measured."""
    url, port, tables, seconds, folder = *sys.argv[1:2], *map(int, sys.argv[2:5]), Path(sys.argv[5])
    floor, names = make_floor(str(url), int(tables))
    scripts = {game: script(game, 200 + 2 * int(seconds)) for game in GAMES}
    people = dict[str, list[Actor]]()
    for name, game in names.items():
        acting = {Actor(f"{by.id} {name}", by.role) for by, _, _ in scripts[game]}
        guests = VIEWERS - sum(one.role not in DEVICES for one in acting)
        people[name] = [
            *sorted(acting, key=lambda one: (one.role is not Role.PLAYER, one.id)),
            *(Actor(f"guest {number} {name}", Role.GUEST) for number in range(guests)),
        ]
    tokens = sign_in(floor, people)
    open_tables(floor, names)
    watching = {name: [p.id for p in several if p.role not in DEVICES] for name, several in people.items()}
    told = {
        "tokens": tokens,
        "watching": watching,
        "games": names,
        "scripts": {
            game: [(by.id, action) for by, action, opened in script_ if opened]
            for game, script_ in scripts.items()
        },
    }
    (folder / "told.json").write_text(json.dumps(told), encoding="utf-8")
    server, sampler, weigher = build_server(floor, {}, RUNTIME, network=ONE_ADDRESS), Sampler(), Weigher()
    sampler.start()
    weigher.start()
    begun, busy = time.monotonic(), time.process_time()
    with (folder / "commits.txt").open("w", encoding="utf-8") as notes:
        floor.note_commits(notes)
        run_server(server, make_app, listen_at("127.0.0.1", int(port)))
    measured = {
        "busy": (time.process_time() - busy) / (time.monotonic() - begun),
        "starved": starved(),
        "samples": dict(sampler.counts),
        "within": dict(sampler.within.most_common(20)),
        "megabytes": weigher.megabytes,
    }
    (folder / "measured.json").write_text(json.dumps(measured), encoding="utf-8")


if __name__ == "__main__":
    main()
