"""A floor with people that has played, written in a file, for others to lie about."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any, Final

from houseway.chips import ChipAction, ChipCommand
from houseway.chips.actions import (
    ApproveFill,
    BuyIn,
    CountOpener,
    ReceiveFill,
    RequestFill,
)
from houseway.floor import bookmarks, duties, house
from houseway.floor.access_events import AccessCounted, Accessed, AccessKind, AddressCounts
from houseway.floor.access_log import AccessLog
from houseway.floor.bodies import read_body
from houseway.floor.core import Floor
from houseway.floor.people_events import PeopleEvent
from houseway.floor.readmodels import ReadModels
from houseway.floor.streams import PEOPLE
from houseway.floor.tasks import (
    AddUser,
    ApproveProgram,
    ChangeLink,
    ChangeRoles,
    MeterAdjustment,
    MoveChips,
    PeopleTask,
    ReadMeter,
)
from houseway.games import example_submission, rules_for
from houseway.intake import AUTO
from houseway.ledger import units
from houseway.money import Cents
from houseway.rng import SeededEntropy
from houseway.rounds.action import Action
from houseway.rounds.roles import Role
from houseway.rounds.step import Actor, Command
from houseway.rounds.steps.players import Sit
from houseway.service import people
from houseway.service.people import People, evolve_people
from houseway.service.people_proposals import carry_out
from houseway.store.checkpoints import take_checkpoint
from houseway.store.entries import Entry
from houseway.store.protocol import Store
from houseway.store.safe import KEY_BYTES, DeckSafe
from houseway.store.sqlite import SqliteStore
from tests.chips.support import FLOAT
from tests.floor.support import NOON, next_move
from tests.service.crowd import PASSWORD, hashed

KEY: Final = bytes(range(KEY_BYTES))
ADA, BEA = Actor("ada", Role.ADMINISTRATOR, "Ada"), Actor("bea", Role.ADMINISTRATOR, "Bea")
MAX, EVA = Actor("max", Role.MANAGER, "Max"), Actor("eva", Role.MANAGER, "Eva")
FLO, DEB = Actor("flo", Role.FLOORPERSON, "Flo"), Actor("deb", Role.DEALER, "Deb")
ANN, DAN = Actor("ann", Role.PLAYER, "Ann"), Actor("dan", Role.PLAYER, "Dan")
ROB = Actor("rob", Role.DEALER, "Rob")
"""A dealer who is disabled before long."""
ZOE = Actor("zoe", Role.PLAYER, "Zoe")
"""A player who takes a time-out."""
STAFF: Final = (BEA, MAX, EVA, FLO, DEB, ANN, DAN, ROB, ZOE)
SEATS: Final = {2: ANN, 5: DAN}
LEFT: Final = {100: 100, 500: 200, 2500: 200, 10000: 50}
_numbers = count(1)
Value = dict[str, Any]
Change = Callable[[Entry, Value], object]
"""Changes what an entry says; the value is that of its body."""


class Ticking:
    """A clock that goes on by a few seconds whenever it is looked at."""

    def __init__(self, now: datetime = NOON) -> None:
        self.now = now

    def __call__(self) -> datetime:
        """Return the next moment."""
        self.now += timedelta(seconds=3)
        return self.now


class Played:
    """A floor played on for the sake of its log, by people who are on record."""

    def __init__(self, store: Store, now: datetime = NOON) -> None:
        self.clock = Ticking(now)
        self.floor = Floor(
            store, self.clock, SeededEntropy(f"floor {now}"), DeckSafe(KEY, SeededEntropy("safe"))
        )
        self.people = People()
        for entry in store.tails({PEOPLE: 0}):
            event = read_body(entry)
            assert isinstance(event, PeopleEvent)
            self.people = evolve_people(self.people, event)

    # --- people ---------------------------------------------------------------------------------------

    def record(self, *events: PeopleEvent, closing: Callable[..., Any] = lambda *_: []) -> None:
        """Put on record what becomes of people."""
        self.floor.set_up(closing, lambda: [(PEOPLE, self.floor.store.head(PEOPLE), events)])
        for event in events:
            self.people = evolve_people(self.people, event)

    def by_two(self, task: PeopleTask, by: Actor = ADA, second: Actor = BEA) -> None:
        """Propose something about people and confirm it."""
        name = f"{by.id}/{next(_numbers)}"
        duties.ask(self.floor, task, by, name)
        secret = hashed(PASSWORD) if isinstance(task, AddUser) else ""
        events = carry_out(self.people, task, secret, by, second, self.clock())
        self.record(
            *events, closing=lambda house_now, now: [duties.close(house_now, name, second, now, done=True)]
        )

    def hire(self) -> None:
        """Add everybody: the first by herself, one at the command line, the rest by two."""
        self.record(*people.add_first_administrator(self.people, "ada", "Ada", hashed(), self.clock()))
        self.record(*people.add_administrator(self.people, "bea", "Bea", hashed(), self.clock()))
        for who in STAFF[1:]:
            self.by_two(AddUser(user=who.id, name=who.name, roles=(who.role,), first_half="0" * 64))
        for who in (BEA, ANN):
            self.record(people.set_password(self.people, who.id, hashed(), who, self.clock()))
        self.by_two(ChangeRoles(user="flo", roles=(Role.DEALER, Role.FLOORPERSON)))
        self.record(people.disable_user(self.people, "rob", ADA, self.clock(), "left"))

    # --- tables ---------------------------------------------------------------------------------------

    def approve(self, game: str) -> str:
        """Have a submission filed and approved; return its fingerprint."""
        submission = example_submission(game)
        rules = rules_for(submission).fingerprint
        self.floor.set_up(lambda house_now, now: [house.file_submission(house_now, submission, MAX, now)])
        self.floor.set_up(lambda house_now, now: [house.approve_submission(house_now, rules, EVA, now)])
        return rules

    def make(self, table: str, rules: str, meter: str | None) -> None:
        """Make a table whose chips are followed."""
        self.floor.set_up(
            lambda house_now, now: house.make_table(
                house_now, table, rules, FLO, now, meter=meter, chips=True
            )
        )

    def chips(self, table: str, by: Actor, action: ChipAction, second: Actor | None = None) -> None:
        """Do something with a table's chips."""
        name = f"chips-{next(_numbers)}"
        if second is not None:
            duties.ask(self.floor, MoveChips(table, action), by, name)
            command = duties.command_of_proposal(self.floor, name, second)
            assert command is not None
            self.done(*command)
            duties.close_command(self.floor, name, second)
        else:
            self.done(table, ChipCommand(id=name, by=by, second=second, action=action))

    def done(self, table: str, command: Command | ChipCommand) -> None:
        """Carry a command out."""
        self.floor.submit(table, command)
        (answer,) = self.floor.run()
        assert not answer.refused and not answer.fault, answer

    def say(self, table: str, by: Actor, action: Action) -> None:
        """Command something at a table: people by names of their own, what is automated by its place."""
        running = self.floor.table(table)
        known = by.id in self.people.users
        name = f"c-{next(_numbers)}" if known else f"{AUTO}{running.stream}/{running.head.version + 1}"
        self.done(table, Command(by, action, id=name))

    def sit(self, table: str) -> None:
        """Let two people sit down, with chips."""
        for at, who in SEATS.items():
            self.say(table, Actor(who.id, who.role), Sit(at))
            self.chips(table, who, BuyIn(who.id, Cents(5_000_00)))

    def play(self, table: str, rounds: int, more: int = 0) -> None:
        """Play so many rounds at a table, and some moves of the next."""
        last = self.floor.table(table).table.rounds + rounds
        while self.floor.table(table).table.rounds < last:
            self.move(table)
        for _ in range(more):
            self.move(table)

    def move(self, table: str) -> None:
        """Do what is due."""
        move = next_move(self.floor, table)
        self.say(table, move.by, move.action)

    def shift(self, table: str) -> None:
        """Fill a table, close its shift, and count its drop."""
        self.chips(table, FLO, RequestFill({500: 20}))
        (serial,) = self.floor.table(table).tray.slips
        self.chips(table, MAX, ApproveFill(serial))
        self.chips(table, DEB, ReceiveFill(serial, {500: 20}))


def build(path: Path) -> None:
    """Play a floor into a file."""
    store = SqliteStore(path)
    path.with_name(f"{path.name}.key").write_text(KEY.hex(), encoding="ascii")
    played = Played(store)
    floor = played.floor
    played.hire()
    duties.ask(floor, ApproveProgram(), MAX, "program")
    duties.confirm(floor, "program", EVA)
    linked, other = played.approve("pa-659a"), played.approve("pa-575")
    for table, rules, meter in (("t1", linked, "link"), ("t2", linked, "link"), ("t3", other, None)):
        played.make(table, rules, meter)
        played.chips(table, DEB, CountOpener(FLOAT), FLO)
        played.sit(table)
    played.play("t1", 1)
    take_checkpoint(store, played.clock())
    played.play("t3", 1, 4)
    duties.ask(floor, MeterAdjustment("link", units(500), "audit"), MAX, "adjust")
    duties.confirm(floor, "adjust", EVA)
    duties.ask(floor, ReadMeter("link", floor.meter("link").state.showing, ""), FLO, "read")
    duties.ask(floor, ChangeLink("link", False, "cable", "t2"), FLO, "down")
    duties.ask(floor, ChangeLink("link", True, "mended", "t2"), FLO, "up")
    duties.ask(floor, MeterAdjustment("link", units(900), "audit"), MAX, "again")
    duties.turn_down(floor, "again", EVA, "not by us")
    now = played.clock()
    bookmarks.record_bookmark(
        store, "ann", lambda marks: bookmarks.bookmark(marks, "t1", 1, "mine", ANN, now)
    )
    AccessLog(store).add(
        [
            Accessed(kind=AccessKind.SIGNED_IN, by=ANN, at=now, address="192.0.2.1"),
            Accessed(kind=AccessKind.REFUSED, by=DAN, at=now, address="192.0.2.1", route="/users", count=2),
            AccessCounted(
                at=now.replace(second=0),
                addresses=(AddressCounts(address="192.0.2.1", failed=2, users={"ann": 2}),),
            ),
        ]
    )
    played.shift("t1")
    played.record(
        people.take_time_out(played.people, ZOE, played.clock(), played.clock() + timedelta(days=1))
    )
    played.play("t1", 0, 12)
    take_checkpoint(store, played.clock())
    played.play("t3", 0, 6)
    ReadModels(store).catch_up()
    store.without_wal()
    store.close()
