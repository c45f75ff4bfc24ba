"""The state machine of a Washington table: jackpots made likely; keypad and display in every order."""

from __future__ import annotations

from hypothesis import strategies as st
from hypothesis.stateful import precondition, rule

from houseway.rounds.state import Phase
from tests.rounds.keypad_moves import SUPERVISORS
from tests.rounds.machines import SEEDS, AnyTable
from tests.rounds.moves import Seeded, make, person, pick, some_wagers
from tests.rounds.said import Said

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
            watched.attempt(Said("wager", person(watched.table, at), at, {"wagers": wagers}))
        watched.attempt(Said("direct_shuffle", pick(chance, SUPERVISORS)))
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
            self._try(pick(chance, KEYS), chance)
            if chance.below(2):
                self._follow(self.watched.next())

    @precondition(lambda self: self.watched.table.phase is Phase.SETTING)
    @rule(seed=SEEDS, times=st.integers(1, 8))
    def the_display_is_used(self, seed: int, times: int) -> None:
        """Let players look and ask, and the dealer show what may be shown."""
        chance = Seeded(seed)
        for _ in range(times):
            self._try("at_the_display", chance)

    @precondition(lambda self: self.watched.table.round.stopped is not None)
    @rule(seed=SEEDS)
    def the_floor_rules(self, seed: int) -> None:
        """Let a supervisor rule on a round that is stopped."""
        self._try("rule_round", Seeded(seed))

    def _try(self, name: str, chance: Seeded) -> None:
        command = make(name, self.watched.table, chance)
        if command is not None:
            self.watched.attempt(command)
