"""A floor that runs by itself on a clock that is set forward, and a person who sits at one of its tables."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from houseway.chips import chips_of
from houseway.floor.audit import FloorVerification
from houseway.floor.core import Floor
from houseway.floor.running_table import RunningTable
from houseway.floor.streams import TableId
from houseway.floor.verification import verify_floor
from houseway.games import example_submission
from houseway.rng import SeededEntropy
from houseway.rounds.action import Action
from houseway.rounds.auto import usual_wagers
from houseway.rounds.deciding import verify
from houseway.rounds.live import due_moves
from houseway.rounds.roles import Role
from houseway.rounds.state import Phase, Table
from houseway.rounds.step import Actor, Proposal
from houseway.rounds.steps.players import Sit
from houseway.rounds.steps.wagers import PlaceWagers
from houseway.service.driver import Driver, RefusedStep, queue
from houseway.service.table_plans import HousePlayer, TablePlan
from houseway.store.memory import MemoryStore
from houseway.store.protocol import Store
from tests.floor.support import NOON, SAFE, command, make_table

GAMES = ("pa-575", "pa-659a", "pa-670a", "wa-fap", "ca-fpgp")
PAT = Actor("Pat", Role.PLAYER)
HERE = 4
"""Where Pat sits."""
HOUSE_PLAYERS = {2: HousePlayer("Ann"), 6: HousePlayer("Dan", doubles=True)}
PLAN = TablePlan(players=HOUSE_PLAYERS, rulings=True)


@dataclass
class World:
    """A floor, its driver, and the clock."""

    store: Store = field(default_factory=MemoryStore)
    plans: Mapping[TableId, TablePlan] = field(default_factory=lambda: {"t": PLAN})
    now: datetime = NOON
    name: TableId = "t"
    """The table that is looked at."""
    done: list[tuple[datetime, str, str]] = field(default_factory=list)
    """When each automatic step was taken, at which table, and which."""
    refusals: list[RefusedStep] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.floor = Floor(self.store, lambda: self.now, SeededEntropy("service"), SAFE)
        self.restart()

    def restart(self) -> None:
        """Forget whatever only the process knows."""
        self.floor = Floor(self.store, lambda: self.now, SeededEntropy(str(self.now)), SAFE)
        self.driver = Driver(self.floor, self.plans, lambda: self.now)

    def running(self) -> RunningTable:
        """Return the table as it stands, with its rules and chips."""
        return self.floor.table(self.name)

    def table(self) -> Table:
        """Return the table as it stands."""
        return self.running().table

    def say(self, by: Actor, action: Action, name: TableId | None = None) -> None:
        """Let a person do something, which must be done."""
        self.floor.submit(name or self.name, command(by, action))
        (answer,) = self.floor.run()
        assert not answer.refused and not answer.fault, answer

    def step(self) -> bool:
        """Do what is due, or set the clock to when something is; say whether anything ever is."""
        commands = self.driver.due(self.now)
        if not commands:
            at = self.driver.next_at(self.now)
            if at is None:
                return False
            assert at > self.now
            self.now = at
            return True
        self.done += [(self.now, table, command.action.step) for table, command in commands]
        queue(self.floor, commands)
        self.refusals += filter(None, map(self.driver.take_answer, self.floor.run()))
        return True

    def run(
        self, until: Callable[[], bool], person: Callable[[], object] = lambda: None, most: int = 1500
    ) -> None:
        """Go on until something is so; a person is there who does something each time."""
        for _ in range(most):
            if until():
                return
            person()
            assert self.step(), f"nothing is ever due: {self.table().phase}"
        raise AssertionError(f"it never comes to that: {self.table().phase}, {self.done[-5:]}")

    def verified(self) -> FloorVerification:
        """Read the whole log, and every book of it."""
        with self.store.picture() as picture:
            return verify_floor(picture)


def new_world(game: str, plan: TablePlan = PLAN) -> World:
    """Return a floor of one table."""
    world = World(plans={"t": plan})
    make_table(world.floor, "t", example_submission(game))
    return world


@dataclass
class Person:
    """Somebody who sits down, bets, and sets their hand the house way, as long as they are there."""

    world: World
    there: Callable[[Table], bool] = lambda _: True
    sat: bool = False
    gone: bool = False

    def act(self) -> None:
        """Do what there is to do, and be seen."""
        world, table = self.world, self.world.table()
        self.gone = self.gone or not self.there(table)
        if self.gone:
            return
        world.driver.note_seen(PAT.id, world.now)
        if not self.sat and table.phase is Phase.BETTING:
            self.sat = True
            world.say(PAT, Sit(HERE))
        elif HERE in table.seats:
            self._play()

    def _play(self) -> None:
        running = self.world.running()
        for proposal in self._wanted():
            moment = self.world.floor.moment(self.world.name)
            if not any(problem.blocks for problem in verify(running.rules, running.table, proposal, moment)):
                self.world.say(proposal.by, proposal.action)
                self.world.driver.note_ready(self.world.name, PAT.id)
                return

    def _wanted(self) -> Iterable[Proposal]:
        running = self.world.running()
        table = running.table
        yield from (move for move in due_moves(running.rules, table) if move.by.id == PAT.id)
        bank_up = bool(table.round.stake) or not running.rules.banked  # the bank first, where players hold it
        others = table.round.active() or bank_up
        has_chips = not running.chips or chips_of(running.tray, PAT.id)
        if table.phase is Phase.BETTING and others and has_chips and HERE not in table.round.hands:
            wagers = {
                name: amount for name, amount in usual_wagers(running.rules).items() if name != "double_down"
            }
            yield Proposal(PAT, PlaceWagers(HERE, wagers))
