"""From wherever people come, rightly or wrongly, the round is ended by nothing but what is true.

Each game is walked through at random, lawfully and not; from every state the round must come to its end.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from functools import partial

import pytest

import tests.rounds.play.washington_moves  # noqa: F401 - its moves are known once it is imported
from houseway.errors import HousewayError
from houseway.law.problems import RefusedError
from houseway.money import Cents
from houseway.rng import SeededEntropy
from houseway.rounds.live import LiveTable, new_table
from houseway.rounds.roles import Role
from houseway.rounds.state import IN_ROUND, CardOrigin, Phase, Table
from houseway.rounds.step import Actor, Proposal
from houseway.rounds.steps.bank import next_offer
from tests.games.support import rules as rules_of
from tests.rounds.california import CA
from tests.rounds.commands import NamedStep
from tests.rounds.play.california_moves import any_move, some_bets
from tests.rounds.play.california_moves import bet_behind as stands_behind
from tests.rounds.play.california_moves import sit as somebody_sits
from tests.rounds.play.chance import Seeded, cardroom_layout, layout, mixed, pick
from tests.rounds.play.closing import Ahead, Truth, close, true_ways
from tests.rounds.play.moves import dealer, make, moves, person, some_wagers
from tests.rounds.play.true_acts import set_by_the_house
from tests.rounds.table import FLOOR, Snapshot, snapshot
from tests.support.shards import in_parts

GAMES = ("pa-575", "pa-659a", "pa-670a", "wa-fap", CA)
NOON = datetime(2026, 1, 5, 12, tzinfo=UTC)
ENTERED_IN = (Phase.DEALER, Phase.SETTLING)
"""When real cards are typed in."""
AT_A_TABLE = 10
PATIENCE = 400
"""So many acts are enough for a walk through a round."""


class Walk:
    """A table at which chance plays, rightly or wrongly; from wherever it comes the round can be ended."""

    def __init__(self, game: str, seed: str, *, typed: bool = False) -> None:
        self.chance, self.seed = Seeded(seed), seed
        changes = cardroom_layout(random.Random(seed)) if game == CA else layout(game, self.chance)
        rules = rules_of(game, changes)
        source = CardOrigin.TYPED if typed else CardOrigin.VIRTUAL_DECK
        self.live = LiveTable(rules, SeededEntropy(seed), NOON, new_table(rules, source))
        self.truth, self.met = Truth(seed), Counter[str]()
        self.path: list[Table] = []
        self.banked = game == CA

    @property
    def table(self) -> Snapshot:
        """The table as it is now."""
        return snapshot(self.live)

    # --- walking -----------------------------------------------------------------------------------

    def attempt(self, wanted: NamedStep | Proposal) -> bool:
        """Do something if it is lawful, and see that the round can be ended from there."""
        try:
            proposal = wanted if isinstance(wanted, Proposal) else wanted.proposal(self.live.rules)
            before = self.live.table.rounds
            self.live.do(proposal.by, proposal.action)
        except RefusedError:
            return False
        self.met[proposal.step] += 1
        self.met["rounds"] += self.live.table.rounds - before
        self.end_from_here()
        return True

    def end_from_here(self) -> None:
        """End the round at a copy of the table, unless that is known from the state before."""
        if self.path and self.path[0] == self.live.table:
            self.path.pop(0)
            return
        self.path = []
        if self.live.table.phase not in IN_ROUND and not self.live.table.round.hands:
            return
        self.met["closings"] += 1
        ahead = Ahead(self.live, f"{self.seed} {self.live.table.seq}")
        for state in close(ahead, self.truth):
            self.path.append(state.table)
        self.met["acts"] += len(self.path)

    def round(self, oddly: int) -> None:
        """Walk until a round is over."""
        number = self.live.table.rounds
        for _ in range(PATIENCE):
            if self.live.table.rounds > number:
                return
            if not self.chance.below(oddly):
                self._something_else()
            else:
                self._go_on()

    def _something_else(self) -> None:
        if not self.chance.below(12):
            self.live.now += timedelta(minutes=self.chance.below(120))
            self.path = []
            self.end_from_here()
            return
        if self.live.table.source is CardOrigin.TYPED and self.live.table.phase in ENTERED_IN:
            self._mistype()
            return
        command = any_move(self.table, self.chance) if self.banked else self._some_move()
        if command is not None:
            self.attempt(command)

    def _mistype(self) -> None:
        """Type something in that does not lie there, and take it for right as often as not."""
        command = mistyped(self.table, self.chance)
        if self.attempt(command) and self.chance.below(2):
            self.attempt(NamedStep("confirm_entry", dealer(self.table), command.position))

    def _some_move(self) -> NamedStep | None:
        """Return a move of chance; where cards are real, none that would look at them."""
        try:
            return make(pick(self.chance, moves(self.table)), self.table, self.chance)
        except (HousewayError, ValueError):
            assert self.live.table.source is CardOrigin.TYPED
            return None

    def _go_on(self) -> None:
        table = self.table
        if table.phase is Phase.BETTING and not table.round.hands:
            self._bet()
            return
        ways = true_ways(self.live, self.truth)
        lawful = next((way for way in ways if self.live.may(way)), None)
        if lawful is not None:
            self.attempt(lawful)
        else:
            self._open()

    def _open(self) -> None:
        """Make the table ready for a round, where none is played."""
        due = self.live.due()
        if due is not None:
            self.attempt(due)
        elif not self.table.seats:
            self.attempt(NamedStep("sit", Actor(f"P{self.table.arrivals}", Role.PLAYER), 2))
        else:
            for way_out in ready_again(self.table):
                if self.attempt(way_out):
                    return

    def _bet(self) -> None:
        """Let people sit down and bet, and where they do so, one of them bank."""
        sits: Callable[[], NamedStep | None] = (
            (lambda: somebody_sits(self.table, self.chance))
            if self.banked
            else (lambda: make("sit", self.table, self.chance))
        )
        while len(self.table.seats) < 2 + self.chance.below(5):
            command = sits()
            if command is None or not self.attempt(command):
                break
        if self.banked:
            self._bank()
        for at in sorted(self.table.seats):
            wagers = some_bets if self.banked else some_wagers
            placed = {"wagers": wagers(self.table, self.chance)}
            self.attempt(NamedStep("wager", person(self.table, at), at, placed))
        if self.banked and not self.chance.below(3):
            behind = stands_behind(self.table, self.chance)
            if behind is not None:
                self.attempt(behind)
        if not self.table.round.hands:
            self._open()

    def _bank(self) -> None:
        while (at := next_offer(self.live.rules, self.live.table)) is not None:
            if self.table.banking.seat is not None and self.chance.below(3):
                break
            if not self.attempt(NamedStep("offer_bank", dealer(self.table), at)):
                break
            step = "accept_bank" if self.chance.below(2) else "decline_bank"
            if not self.attempt(NamedStep(step, person(self.table, at), at)) or step == "accept_bank":
                break
        seat = self.table.banking.seat
        if seat in self.table.seats:
            stake = Cents(pick(self.chance, [100, 2_500, 20_000, 1_000_000]))
            self.attempt(NamedStep("put_up", person(self.table, seat), seat, {"stake": stake}))


def mistyped(table: Snapshot, chance: Seeded) -> NamedStep:
    """Type cards in that do not lie there, put them otherwise, confirm them, or let them be typed anew."""
    at = table.dealer_at if table.phase is Phase.DEALER else pick(chance, sorted(table.round.hands))
    step = pick(chance, ["enter_hand", "enter_hand", "correct_entry", "confirm_entry", "reopen_entry"])
    if step == "confirm_entry":
        return NamedStep(step, dealer(table), at)
    if step == "reopen_entry":
        return NamedStep(step, FLOOR, at, {"reason": "misread"})
    cards = mixed(chance, table.rules.game.cards().cards)[: table.rules.game.hand_cards]
    reason = {"reason": "mis-keyed"} if step == "correct_entry" else {}
    return NamedStep(step, dealer(table), at, {"setting": set_by_the_house(table, tuple(cards)), **reason})


def ready_again(table: Snapshot) -> Iterator[NamedStep]:
    """Yield what has to be done of somebody's own accord before anybody can bet again."""
    by = dealer(table)
    yield NamedStep("log_on", Actor("Dirk", Role.DEALER), details={"training": "on file"})
    yield NamedStep("resume", by)
    for name, deck in table.decks.items():
        if not deck.has("removed"):
            yield NamedStep("remove_deck", by, details={"deck": name, "reason": "worn"})
    yield NamedStep("receive_deck", by, details={"deck": f"D{len(table.decks)}"})


def walks(game: str, rounds: int, seed: str, *, typed: bool = False, oddly: int = 4) -> Counter[str]:
    """Walk through so many rounds, and end each from wherever it comes; return what was met."""
    met, tables = Counter[str](), 0
    while met["rounds"] < rounds:
        assert tables < rounds, "the walks come to no end of a round"
        walk = Walk(game, f"{seed} {tables}", typed=typed)
        tables += 1
        for _ in range(min(AT_A_TABLE, rounds - met["rounds"])):
            walk.round(oddly)
        met += walk.met
    return met


ROUNDS, TYPED = 20, 10
ALL_ROUNDS, SHARD = 1_000, 50
EVERYWHERE = ("leave", "relieve", "expose_card", "count_hands", "remove_deck")
SECTION_13 = ("rule_abandoned", "boxed_card", "draw_early")
WENT_WRONG = {
    game: (*EVERYWHERE, *(SECTION_13 if game.startswith("pa") else ("rule_round",))) for game in GAMES
}
"""What must have happened in a long run for it to mean something."""


@pytest.mark.parametrize("game", GAMES)
def test_a_round_is_ended_truly_from_wherever_it_comes(game: str) -> None:
    met = walks(game, ROUNDS, f"no dead end {game}")
    assert met["rounds"] >= ROUNDS and met["closings"] > ROUNDS


@pytest.mark.parametrize("game", GAMES)
def test_a_round_of_real_cards_is_ended_truly_whatever_was_typed_in(game: str) -> None:
    met = walks(game, TYPED, f"typed {game}", typed=True, oddly=2)
    assert met["rounds"] >= TYPED and met["enter_hand"] and met["reopen_entry"] + met["correct_entry"]


def shard(game: str, index: int) -> Counter[str]:
    """Play one part of the exhaustive run: one in five with real cards."""
    return walks(game, SHARD, f"shard {index} of {game}", typed=not index % 5, oddly=2 + index % 4)


@pytest.mark.exhaustive
@pytest.mark.parted
@pytest.mark.parametrize("game", GAMES)
def test_a_thousand_rounds_are_ended_truly_from_wherever_they_come(
    game: str, capfd: pytest.CaptureFixture[str]
) -> None:
    parts = ALL_ROUNDS // SHARD
    met = in_parts(partial(shard, game), parts, f"{game}: {ALL_ROUNDS:,} rounds ended", capfd)
    assert met["rounds"] >= ALL_ROUNDS
    assert [step for step in WENT_WRONG[game] if not met[step]] == []
