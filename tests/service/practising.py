"""A practice floor beside a licensed one, on a clock that is set forward, and Pat, who has a table there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from starlette.testclient import TestClient

from houseway.chips import chips_of
from houseway.cli.system import SystemRuntime
from houseway.floor.audit import Audit, FloorVerification
from houseway.floor.audit.entry_judge import EntryJudge
from houseway.floor.core import Floor
from houseway.games import example_submission
from houseway.rng import SeededEntropy
from houseway.rounds.roles import Role
from houseway.rounds.state import Phase
from houseway.rounds.step import Actor
from houseway.rounds.steps.hand import Look
from houseway.rounds.steps.players import Sit
from houseway.service.practice import PLAY_MONEY
from houseway.service.practice_floor import Practice, open_practice
from houseway.store.entries import Entry
from houseway.store.log_check import LogCheck
from houseway.store.practice_storage import MemoryStorage, Storage
from houseway.store.tree_log import TreeVerification
from tests.floor.support import SAFE, in_effect
from tests.service.driving import HERE, PAT, Person, World

GUEST = Actor("guest-1", Role.GUEST)


class Lenient(EntryJudge):
    """Lets everything pass: of practice nobody keeps a record, and rules are copied there by an automat."""

    def report_difference(self, entry: Entry, cause: str) -> None:
        """Say nothing."""


@dataclass
class PracticeWorld(World):
    """A licensed floor without a table, and the practice that belongs to it."""

    storage: Storage = field(default_factory=MemoryStorage)
    game: str = "pa-659a"
    seed: str = "practice"
    """What chance of this process comes from."""
    practice: Practice = field(init=False)
    licensed: Floor = field(init=False)

    def __post_init__(self) -> None:
        self.open()

    def open(self) -> None:
        """Open both floors, knowing nothing but what is stored."""
        self.licensed = Floor(self.store, lambda: self.now, SeededEntropy(f"{self.seed} {self.now}"), SAFE)
        in_effect(self.licensed, example_submission(self.game))
        self.practice = open_practice(self.licensed, SystemRuntime(), self.storage, clock=lambda: self.now)
        self.floor, self.driver = self.practice.loop.floor, self.practice.driver

    def restart(self) -> None:
        """Forget whatever only the process knows."""
        self.close()
        self.open()

    def close(self) -> None:
        """Let go of the practice storage."""
        for close in self.practice.closing:
            close()

    def take(self, person: Actor = PAT) -> PracticeWorld:
        """Let somebody have a table, which is looked at from now on."""
        self.name = self.practice.tables.take(self.game, person)
        self.floor.table(self.name)
        return self

    def verified(self) -> FloorVerification:
        """Read the whole log of practice: it is folded, and what nobody could do elsewhere is let pass."""
        with self.floor.store.picture() as picture:
            check, audit = LogCheck(picture.checkpoints()), Audit(picture, judge=Lenient())
            for _, entry in picture.everything():
                audit.see(check.see(entry))
            return audit.finish(check.finish(), TreeVerification())

    def go_on_served(self, client: TestClient, until: Callable[[], bool]) -> None:
        """Let automated people play while the floor is served, until something is so."""
        assert client.portal is not None
        for _ in range(1500):
            if until():
                return
            assert client.portal.call(self._step_served), "nothing is ever due"
        raise AssertionError(f"it never comes to that: {self.table().phase}")

    async def _step_served(self) -> bool:
        """Do what is due through the loop, or set the clock to when something is, if anything ever is."""
        commands = self.driver.due(self.now)
        if not commands:
            at = self.driver.next_at(self.now)
            if at is None:
                return False
            self.now = at
        for table, command in commands:
            self.driver.answered(await self.practice.loop.command(table, command))
        return True


def practice_world(game: str = "pa-659a", storage: Storage | None = None) -> PracticeWorld:
    """Return a practice floor on which Pat has a table."""
    return PracticeWorld(plans={}, storage=storage or MemoryStorage(), game=game).take()


def seated(world: PracticeWorld) -> PracticeWorld:
    """Let Pat sit down and get chips."""
    world.run(lambda: world.table().phase is Phase.BETTING)
    world.say(PAT, Sit(HERE))
    world.run(lambda: chips_of(world.running().tray, PAT.id) == PLAY_MONEY)
    return world


def to_setting(world: PracticeWorld) -> PracticeWorld:
    """Let Pat bet, and the hand come to be set."""
    person = Person(world, sat=True)
    world.run(lambda: world.table().phase is Phase.SETTING, person.act)
    world.driver.seen(PAT.id, world.now)
    world.say(PAT, Look(HERE))
    return world
