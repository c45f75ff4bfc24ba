"""State machines that play a game's tables with anything people do, lawful or not, under watch."""

from __future__ import annotations

from typing import ClassVar

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from houseway.rounds.roles import Role
from houseway.rounds.state import IN_ROUND, Phase
from houseway.rounds.step import Actor, Proposal
from houseway.rounds.steps.players import Sit
from tests.rounds.drive import bet, ways_out
from tests.rounds.keypad_watch import watch
from tests.rounds.layouts import layout
from tests.rounds.moves import Seeded, make, moves, pick
from tests.rounds.said import Said
from tests.rounds.unlawful import UNLAWFUL
from tests.rounds.watch import Watched

USUAL = settings(
    max_examples=45,
    stateful_step_count=80,
    deadline=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
)
"""Few and always the same; the exhaustive run goes wider with other seeds."""


SEEDS = st.integers(0, 2**32 - 1)
"""Where a rule's own choices come from: one draw for each thing done keeps examples long, their log short."""


FIRST, FIRST_AT = Actor("Vera", Role.PLAYER), 2
"""Who comes first, and may look over the cards that lie spread until then."""


class AnyTable(RuleBasedStateMachine):
    """One table of one game, from its opening to wherever it gets."""

    game: ClassVar[str]
    watched: Watched

    @initialize(seed=SEEDS, ahead=st.booleans())
    def begin(self, seed: int, *, ahead: bool) -> None:
        """Set a table up, dealt some way, its start found some way; perhaps open it at once."""
        self.watched = watch(self.game, layout(self.game, Seeded(seed)), f"machine {seed}")
        while ahead and self.watched.table.phase is not Phase.BETTING:
            self._follow(self.watched.next() or Proposal(FIRST, Sit(FIRST_AT)))

    def _follow(self, command: Said | Proposal | None) -> None:
        if command is not None:
            assert self.watched.attempt(command), f"suggested and refused: {command}"

    @rule(seed=SEEDS, times=st.integers(1, 12))
    def what_is_due(self, seed: int, times: int) -> None:
        """Do what is due, a few times, in any lawful order."""
        chance = Seeded(seed)
        for _ in range(times):
            lawful = self.watched.lawful()
            if lawful:
                self._follow(lawful[0] if chance.below(4) else pick(chance, lawful))

    @precondition(
        lambda self: self.watched.table.phase is Phase.BETTING and not self.watched.table.round.hands
    )
    @rule(seed=SEEDS)
    def wagers(self, seed: int) -> None:
        """Let people sit down and wager, and everything be made ready for the deal."""
        bet(self.watched, Seeded(seed))
        while self.watched.table.phase is Phase.BETTING and self.watched.next() is not None:
            self._follow(self.watched.next())

    @rule(seed=SEEDS)
    def something_else(self, seed: int) -> None:
        """Let something happen that nobody suggests; whether it is lawful just now is the table's to say."""
        self._happen(Seeded(seed))

    @precondition(lambda self: self.watched.table.phase in IN_ROUND)
    @rule(seed=SEEDS)
    def something_in_the_round(self, seed: int) -> None:
        """Let something happen while a round is played, and do the next thing due."""
        chance = Seeded(seed)
        self._happen(chance)
        for _ in range(chance.below(4)):
            self._follow(self.watched.next())

    def _happen(self, chance: Seeded) -> None:
        command = make(pick(chance, moves(self.watched.table)), self.watched.table, chance)
        if command is not None:
            self.watched.attempt(command)

    @rule(seed=SEEDS)
    def something_unlawful(self, seed: int) -> None:
        """Try what is unlawful whatever the table."""
        chance = Seeded(seed)
        for unlawful in UNLAWFUL:
            command = unlawful(self.watched.table, chance)
            if command is not None:
                self.watched.must_refuse(command)

    @rule()
    def way_out(self) -> None:
        """Where nothing is due somebody does of his own accord what is needed."""
        if self.watched.next() is None:
            any(self.watched.attempt(command) for command in ways_out(self.watched.table))

    @rule(minutes=st.integers(1, 300))
    def time_passes(self, minutes: int) -> None:
        """Let decks and dice grow old."""
        self.watched.later(minutes=minutes)

    @invariant()
    def holds(self) -> None:
        """Money and cards are whole, whatever was done."""
        if hasattr(self, "watched"):
            self.watched.check()

    def teardown(self) -> None:
        """Fold every event from the beginning."""
        if hasattr(self, "watched"):
            self.watched.refold()
