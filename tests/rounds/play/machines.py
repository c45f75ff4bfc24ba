"""State machines for Hypothesis that play a game's tables with anything people do, lawful or not, watched."""

from __future__ import annotations

import random
from typing import ClassVar

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from houseway.money import Cents
from houseway.rounds.roles import Role
from houseway.rounds.state import IN_ROUND, CardOrigin, Phase
from houseway.rounds.step import Actor, Proposal
from houseway.rounds.steps.bank import next_offer
from houseway.rounds.steps.players import Sit
from tests.games.support import Changes
from tests.rounds.california import BANK, CA
from tests.rounds.commands import NamedStep
from tests.rounds.play.california_moves import any_move, banker, bet_behind, some_bets, way_out
from tests.rounds.play.california_moves import sit as somebody_sits
from tests.rounds.play.california_watch import WatchedCardroom
from tests.rounds.play.chance import Chance, Seeded, cardroom_layout, layout, pick
from tests.rounds.play.drive import bet, ways_out
from tests.rounds.play.moves import dealer, make, moves, person, some_wagers
from tests.rounds.play.unlawful import CARDROOM_UNLAWFUL, UNLAWFUL, Unlawful, round_without_bank
from tests.rounds.play.washington_moves import SUPERVISORS
from tests.rounds.play.washington_watch import watch
from tests.rounds.play.watch import Watched

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
    unlawful: ClassVar[tuple[Unlawful, ...]] = UNLAWFUL
    watched: Watched

    @initialize(seed=SEEDS, ahead=st.booleans())
    def begin(self, seed: int, *, ahead: bool) -> None:
        """Set a table up, dealt some way, its start found some way; perhaps open it at once."""
        self.watched = watch(self.game, layout(self.game, Seeded(seed)), f"machine {seed}")
        while ahead and self.watched.table.phase is not Phase.BETTING:
            self._follow(self.watched.next() or Proposal(FIRST, Sit(FIRST_AT)))

    def _follow(self, command: NamedStep | Proposal | None) -> None:
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
        self._happen(self._chance(seed))

    @precondition(lambda self: self.watched.table.phase in IN_ROUND)
    @rule(seed=SEEDS)
    def something_in_the_round(self, seed: int) -> None:
        """Let something happen while a round is played, and do the next thing due."""
        chance = self._chance(seed)
        self._happen(chance)
        for _ in range(chance.below(4)):
            self._follow(self.watched.next())

    def _chance(self, seed: int) -> Seeded:
        return Seeded(seed)

    def _happen(self, chance: Seeded) -> None:
        self._try(make(pick(chance, moves(self.watched.table)), self.watched.table, chance))

    def _try(self, command: NamedStep | None) -> bool:
        return command is not None and bool(self.watched.attempt(command))

    @rule(seed=SEEDS)
    def something_unlawful(self, seed: int) -> None:
        """Try what is unlawful whatever the table."""
        chance = self._chance(seed)
        for unlawful in self.unlawful:
            self._must_refuse(unlawful, chance)

    def _must_refuse(self, unlawful: Unlawful, chance: Chance) -> None:
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


KEYS = ("dealers_keys", "supervisors_keys", "supervisors_keys", "the_key", "back_out")
PATIENCE = 120
"""So many commands are enough from the first wager to the first hand opened."""


class Washington(AnyTable):
    """One table under one of the four procedures, with a progressive or without."""

    game = "wa-fap"

    @precondition(
        lambda self: self.watched.table.phase is Phase.BETTING and not self.watched.table.round.hands
    )
    @rule(seed=SEEDS, until=st.sampled_from([Phase.STARTING, Phase.SETTING, Phase.SETTLING]))
    def a_jackpot_to_come(self, seed: int, until: Phase) -> None:
        """Fill the table, let everybody wager on everything, and deal some rare hands."""
        chance, watched = Seeded(seed), self.watched
        while len(watched.table.seats) < 1 + chance.below(6):
            command = make("sit", watched.table, chance)
            if command is None or not watched.attempt(command):
                break
        offered = watched.table.rules.submission.progressive
        for at in sorted(watched.table.seats):
            wagers = some_wagers(watched.table, chance)
            if offered is not None and offered.amount is not None and chance.below(4):
                wagers["progressive"] = offered.amount
            watched.attempt(NamedStep("wager", person(watched.table, at), at, {"wagers": wagers}))
        watched.attempt(NamedStep("direct_shuffle", pick(chance, SUPERVISORS)))
        watched.rare = 1
        self._play_on(until)

    def _play_on(self, until: Phase) -> None:
        for _ in range(PATIENCE):
            if self.watched.table.phase is until or self.watched.table.round.stopped:
                return
            self._follow(self.watched.next())

    @precondition(lambda self: self.watched.table.phase is Phase.SETTLING)
    @rule(seed=SEEDS, times=st.integers(1, 8))
    def keys_are_pressed(self, seed: int, times: int) -> None:
        """Let the dealer and two supervisors press and turn what they like, and do what is due in between."""
        chance = Seeded(seed)
        for _ in range(times):
            self._move(pick(chance, KEYS), chance)
            if chance.below(2):
                self._follow(self.watched.next())

    @precondition(lambda self: self.watched.table.phase is Phase.SETTING)
    @rule(seed=SEEDS, times=st.integers(1, 8))
    def the_display_is_used(self, seed: int, times: int) -> None:
        """Let players look and ask, and the dealer show what may be shown."""
        chance = Seeded(seed)
        for _ in range(times):
            self._move("at_the_display", chance)

    @precondition(lambda self: self.watched.table.round.stopped is not None)
    @rule(seed=SEEDS)
    def the_floor_rules(self, seed: int) -> None:
        """Let a supervisor rule on a round that is stopped."""
        self._move("rule_round", Seeded(seed))

    def _move(self, name: str, chance: Seeded) -> None:
        self._try(make(name, self.watched.table, chance))


LARGER: Changes = {"table.larger": True, "table.positions": 9, "table.seats": 9}


class CardroomTable(AnyTable):
    """A cardroom's table, from its opening to wherever it gets."""

    game = CA
    unlawful = CARDROOM_UNLAWFUL
    watched: WatchedCardroom

    @initialize(seed=SEEDS, ahead=st.booleans())
    def begin(self, seed: int, *, ahead: bool) -> None:
        """Set a table up: some schedule, some readings, dealt some way, its cards perhaps typed in."""
        chance = random.Random(seed)
        source = CardOrigin.TYPED if chance.random() < 0.2 else CardOrigin.VIRTUAL_DECK
        larger = LARGER if chance.random() < 0.2 else {}
        self.watched = WatchedCardroom(cardroom_layout(chance) | larger, "machine", source)
        while (ahead or seed % 3) and self.watched.table.phase is not Phase.BETTING:
            self._follow(self.watched.next())

    @precondition(
        lambda self: self.watched.table.phase is Phase.BETTING and not self.watched.table.round.hands
    )
    @rule(seed=SEEDS)
    def wagers(self, seed: int) -> None:
        """Let people sit down, somebody bank, others wager, and everything be made ready for the deal."""
        chance = self._chance(seed)
        for _ in range(2 + chance.below(6) - len(self.watched.table.seats)):
            self._try(somebody_sits(self.watched.table, chance))
        self._bank(chance)
        for at in sorted(self.watched.table.seats):
            self._bet(at, chance)
        while (ready := self.watched.next_but(*BANK, "no_more_bets")) is not None:
            self._follow(ready)
        self._must_refuse(round_without_bank, chance)
        while self.watched.table.phase is Phase.BETTING and self.watched.next() is not None:
            self._follow(self.watched.next())

    def _bank(self, chance: Chance) -> None:
        """Let the bank go round until somebody takes it, or everybody has declined it."""
        watched = self.watched
        for _ in watched.table.seats:
            at, banking = next_offer(watched.live.rules, watched.live.table), watched.table.banking
            if at is None or (banker(watched.table) and chance.below(4 if banking.rounds < 2 else 2)):
                break
            self._try(NamedStep("offer_bank", dealer(watched.table), at))
            answer = pick(chance, ["accept_bank", "decline_bank"])
            if self._try(NamedStep(answer, person(watched.table, at), at)) and answer == "accept_bank":
                break
            self._try(NamedStep("decline_bank", person(watched.table, at), at))
        by, stake = banker(watched.table), Cents(pick(chance, [100, 2_500, 20_000, 1_000_000]))
        if by is not None:
            self._try(NamedStep("put_up", by, watched.table.banking.seat, {"stake": stake}))

    def _bet(self, at: int, chance: Chance) -> None:
        """Place wagers at a seat, and perhaps behind one."""
        watched = self.watched
        bets = some_bets(watched.table, chance)
        if not self._try(NamedStep("wager", person(watched.table, at), at, {"wagers": bets})):
            return
        if not chance.below(3):
            self._try(bet_behind(watched.table, chance))

    def _chance(self, seed: int) -> Seeded:
        """Return chance that goes on as the table does: the same seed is not the same choice twice."""
        return Seeded(f"{seed} {self.watched.commands}")

    def _happen(self, chance: Seeded) -> None:
        self._try(any_move(self.watched.table, chance))

    @rule(seed=SEEDS, times=st.integers(10, 60))
    def play_goes_on(self, seed: int, times: int) -> None:
        """Play on for a while: what is due in any lawful order, and now and then something else."""
        chance = self._chance(seed)
        for _ in range(times):
            table, lawful = self.watched.table, self.watched.lawful()
            if not chance.below(8):
                self._happen(chance)
            elif not chance.below(8):
                self._must_refuse(pick(chance, CARDROOM_UNLAWFUL), chance)
            elif table.phase is Phase.BETTING and not table.round.hands:
                self.wagers(seed)
            elif lawful:
                self._follow(pick(chance, lawful))
            else:
                self.way_out(seed)
            self.watched.check()

    @rule(seed=SEEDS)
    def way_out(self, seed: int = 0) -> None:
        """Where nothing is due somebody does of his own accord what is needed, until something is."""
        chance = self._chance(seed)
        for _ in range(chance.below(20)):
            table = self.watched.table
            ways = [] if self.watched.next() else [*way_out(table, chance), *ways_out(table)]
            if not any(self._try(command) for command in ways):
                break
