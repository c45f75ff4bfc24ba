"""Several tables share one meter: whoever plays in between, meter, ledger and records agree exactly."""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction
from functools import partial

import pytest

from houseway.ledger import SEED, Account, AccountKind, Ledger, open_wagers, player, total, units
from houseway.meters import Meter, MeterMove, MeterState, MeterTerms, contribute, reverse_contribution
from houseway.money import Cents, cents
from houseway.rng import SeededEntropy
from houseway.rounds.auto import noon, usual_wagers
from houseway.rounds.books import posted
from houseway.rounds.choices import Ruling
from houseway.rounds.live import EVERYTHING, LiveTable, new_table
from houseway.rounds.outcomes import Moves
from houseway.rounds.record import ends_round, parse_record, write_record
from houseway.rounds.replay import difference
from houseway.rounds.roles import Role
from houseway.rounds.state import Phase
from houseway.rounds.step import Actor, AnEvent, Proposal
from houseway.rounds.steps.mishaps import ExposeCard
from houseway.rounds.steps.players import Sit
from houseway.rounds.steps.ruling import RuleRound, StopRound
from houseway.rounds.steps.wagers import PlaceWagers
from tests.games.support import NOTHING, Changes, rules, submission
from tests.rounds.books import meters_opened
from tests.rounds.play.chance import entropy_for_shuffle
from tests.rounds.table import DEALER, DEALT_SINGLY, FLOOR, TestTable
from tests.support.shards import in_parts

METER = "progressive"
WAITS = frozenset({"no_more_bets", "coin_in", "press_start", "shake_cup"})


class Pair:
    """Two tables that share a meter, one ledger of both, and everything that moved the meter."""

    def __init__(self, game: str, changes: Changes, seed: str) -> None:
        self.chance, self.seed = random.Random(seed), seed
        played_by, meters = rules(game, changes), dict[str, MeterState]()
        self.tables = [
            LiveTable(
                played_by,
                SeededEntropy(f"{seed} {name}"),
                noon(played_by.submission.law_as_of),
                new_table(played_by, name=name),
                meters,
            )
            for name in ("north", "south")
        ]
        self.meters = meters
        self.opened = meters[METER]
        self.ledger: Ledger = meters_opened(self.tables[0])
        self.moves: list[MeterMove] = []
        self.met: Counter[str] = Counter()
        self.commands = 0

    def play(self, rounds: int, *, every: int) -> Counter[str]:
        """Play so many rounds at both tables together; replay one record in ``every``."""
        while self.met["rounds"] < rounds:
            table = self.chance.choice(self.tables)
            events = self._next(table)
            for event in events:
                self._look(table, event)
            self._agree()
            if any(map(ends_round, events)):
                self._ended(table, every)
        return self.met

    def _next(self, table: LiveTable) -> tuple[AnEvent, ...]:
        """Do what is due at a table, or now and then something that voids its round."""
        self.commands += 1
        proposal = self._odd(table) or self._bets(table) or table.due(EVERYTHING)
        if proposal is None and not table.table.seats:  # the cards lie spread for the first player to arrive
            proposal = Proposal(Actor("Vera", Role.PLAYER), Sit(7))
        assert proposal is not None, f"nothing is due while {table.table.phase}"
        if proposal.step == "shuffle":
            self._load(table)
        return table.do(proposal.by, proposal.action)

    def _load(self, table: LiveTable) -> None:
        """Let the next shuffle come out with rare hands, one time in two."""
        game, seed = table.rules.game, f"{self.seed}/{self.commands}"
        singly = table.rules.way in DEALT_SINGLY
        table.vault.entropy = entropy_for_shuffle(
            game.cards().cards, game.hand_cards, seed, singly=singly, one_in=2
        )

    def _bets(self, table: LiveTable) -> Proposal | None:
        """Let everybody sit down and wager before anything else is done that closes the bets."""
        state = table.table
        if state.phase is not Phase.BETTING or table.due(EVERYTHING - WAITS):
            return None
        for at in range(2, 6):
            who = Actor(f"{state.id} {at}", Role.PLAYER)
            if at not in state.seats:
                return Proposal(who, Sit(at))
            if at not in state.round.hands:
                wagers = {w: a for w, a in usual_wagers(table.rules).items() if w != "double_down"}
                return Proposal(who, PlaceWagers(at, wagers))
        return None

    def _odd(self, table: LiveTable) -> Proposal | None:
        """Now and then the dealer's card is exposed, which voids the round, or the floor rules it void."""
        state = table.table
        if state.round.stopped:
            return Proposal(FLOOR, RuleRound(Ruling.VOID, "seen on camera"))
        dealer = Actor(state.dealer or DEALER.id, Role.DEALER)
        spoiled = [Proposal(dealer, ExposeCard(1)), Proposal(dealer, StopRound("a card is missing"))]
        odd = self.chance.choice(spoiled)
        known = odd.step in table.rules.game.procedure and not self.chance.randrange(150)
        return odd if known and state.phase is Phase.SETTING and table.may(odd) else None

    def _look(self, table: LiveTable, event: AnEvent) -> None:
        """Post an event, and follow the meter from move to move."""
        self.ledger = posted(self.ledger, table.table.id, event)
        move = event.outcome.meter if isinstance(event.outcome, Moves) else None
        if move is not None:
            before = self.moves[-1].after if self.moves else self.opened
            assert move.before == before, "the meter moves from where it was left, by whichever table"
            self.moves.append(move)
            self.met["moves"] += 1
            self.met["falls"] += move.before is not None and move.after.value < move.before.value

    def _agree(self) -> None:
        """The ledger, the meter and the events agree to the ten-thousandth of a cent."""
        meter = self.meters[METER]
        assert meter == (self.moves[-1].after if self.moves else self.opened)
        for kind, amount in ((AccountKind.METER, meter.value), (AccountKind.RESERVE, meter.reserve)):
            assert self.ledger.balance(Account(kind, METER)) == amount

    def _ended(self, table: LiveTable, every: int) -> None:
        self.met["rounds"] += 1
        self.met["void"] += table.table.last is not None and table.table.last.void is not None
        assert not [a for a in open_wagers(self.ledger) if a.where.startswith(f"{table.table.id}/")]
        if self.met["rounds"] % every == 0:
            assert table.record is not None
            record = parse_record(write_record(table.record).encode())
            assert difference(record) is None, difference(record)
            self.met["replayed"] += 1


LAYOUTS: dict[str, tuple[str, Changes]] = {
    "pa-659a": ("pa-659a", {}),
    "pa-659a, one card at a time": ("pa-659a", {"table.shuffler": "manual", "table.dealing": "manual_shoe"}),
    "pa-670a": ("pa-670a", {}),
    "wa-fap": ("wa-fap", {}),
}
ROUNDS, ALL_ROUNDS, SHARD = 1_000, 10_000, 250


def play(layout: str, rounds: int, seed: str) -> Counter[str]:
    """Play so many rounds at two tables of a layout."""
    pair = Pair(*LAYOUTS[layout], seed)
    met = pair.play(rounds, every=10)
    pair.ledger.verify()
    assert total(pair.ledger) == 0
    return met


@pytest.mark.parametrize("layout", LAYOUTS)
def test_two_tables_on_one_meter_keep_it_the_ledger_and_the_records_in_step(layout: str) -> None:
    met = play(layout, ROUNDS // len(LAYOUTS), f"usual {layout}")
    assert met["moves"] > ROUNDS // len(LAYOUTS)
    assert met["falls"] and met["void"] and met["replayed"]


def shard(layout: str, index: int) -> Counter[str]:
    """Play one part of the exhaustive run."""
    return play(layout, SHARD, f"shard {index} of {layout}")


@pytest.mark.exhaustive
@pytest.mark.parted
@pytest.mark.parametrize("layout", LAYOUTS)
def test_ten_thousand_interleaved_rounds_agree_to_the_ten_thousandth_of_a_cent(
    layout: str, capfd: pytest.CaptureFixture[str]
) -> None:
    parts = ALL_ROUNDS // len(LAYOUTS) // SHARD
    met = in_parts(partial(shard, layout), parts, f"{layout}: {parts * SHARD:,} rounds on one meter", capfd)
    assert met["rounds"] >= ALL_ROUNDS // len(LAYOUTS)


WITHOUT: Changes = {"wagers.progressive": NOTHING, "progressive": NOTHING}


@pytest.mark.parametrize("running", [True, False])
def test_new_rules_share_the_meter_that_runs_and_open_one_only_where_none_does(running: bool) -> None:
    table = TestTable("pa-659a", WITHOUT)
    assert table.live.table.meter is None
    if running:
        table.live.meters["progressive"] = MeterState(123_456_789, 5)
    (event,) = table.do("adopt_rules", FLOOR, submission=submission("pa-659a", {"reference": "RS-2"}))
    held = table.live.meters["progressive"]
    assert table.live.table.meter == "progressive"
    if running:
        assert event.outcome.meter is None and held == MeterState(123_456_789, 5)
    else:
        assert event.outcome.meter.before is None and event.outcome.meter.after == held
        assert sum(movement.units for movement in event.outcome.movements) == held.value > 0


def test_a_void_gives_back_what_a_winner_elsewhere_has_taken_since() -> None:
    terms = MeterTerms("progressive", Cents(0), Fraction(1, 2), Fraction(1, 4))
    filled, taken = contribute(Meter(terms, 0), Cents(100))
    assert reverse_contribution(filled, taken, "void")[0] == Meter(terms, 0)
    won = Meter(terms, filled.value - 1)
    left, back = reverse_contribution(won, taken, "void")
    assert left == Meter(terms, 0)
    assert sum(movement.units for movement in back) == sum(movement.units for movement in taken)
    assert sum(m.units for m in back if m.source == SEED) == 1 + filled.reserve


def washington(name: str, meters: dict[str, MeterState]) -> TestTable:
    """Return a Washington table with wagers down that shares a meter, which two people may empty."""
    table = TestTable("wa-fap", {"readings.wa_meter_adjusted_down": "to_nothing"})
    table.live.meters = meters
    table.force(id=name)
    table.live.before = table.live.table
    table.live.turns.clear()
    return table.betting(2, 3, main="$10", progressive="$1")


def test_a_round_whose_booked_wagers_were_ruled_out_replays_whatever_the_other_table_did() -> None:
    meters = {"progressive": MeterState(100_000_000, 0)}
    one, other = washington("one", meters), washington("other", meters)
    one.do("coin_in")
    one.do("rule_count", FLOOR, without=(2, 3), reason="no chips lie there")
    other.do("coin_in")
    one.play_on(rounds=1)
    assert one.live.record is not None and difference(one.live.record) is None


def test_what_is_ruled_out_comes_back_whole_from_a_meter_that_was_lowered_since() -> None:
    meters = {"progressive": MeterState(0, 0)}
    one, other = washington("one", meters), washington("other", meters)
    (booked,) = one.do("coin_in")
    in_meter = meters["progressive"].value
    lowered = Cents(-(in_meter // 10_000))
    other.do("adjust_meter", FLOOR, amount=lowered, reason="misread", second="Max")
    (event,) = one.do("rule_count", FLOOR, without=(2, 3), reason="no chips lie there")
    ledger = Ledger()
    for table, done in (("one", booked), ("other", other.log[-1]), ("one", event)):
        if table == "one" and done is booked:
            for bet in [e for e in one.log if e.step == "wager"]:
                ledger = posted(ledger, "one", bet)
        ledger = posted(ledger, table, done)
    assert ledger.balance(Account(AccountKind.METER, "progressive")) == meters["progressive"].value
    assert ledger.balance(player("Ann")) == ledger.balance(player("Bob")) == -units(cents("$10"))
