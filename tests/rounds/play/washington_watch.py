"""A Washington table under watch: wagers booked by COIN IN before the rest, and a meter that a key moves."""

from __future__ import annotations

from collections.abc import Mapping

from houseway.games import Rules
from houseway.ledger import AccountKind, Units, units
from houseway.meters import Meter
from houseway.rounds.outcomes import Moves
from houseway.rounds.state import Phase, Table, changed
from houseway.rounds.step import AnEvent
from houseway.settlement import Payment
from tests.games.support import Changes
from tests.rounds.books import flows
from tests.rounds.commands import value_of
from tests.rounds.play.watch import Money, Watched
from tests.rounds.table import Snapshot

PROGRESSIVE = "progressive"
SHARES: Mapping[str, int] = {"seven_card_straight_flush": 100, "five_aces": 10}
"""What the example's progressive pays of its meter, in hundredths."""
METER_MOVES = ("coin_in", "rule_count", "turn_key", "adjust_meter", "void_round")
"""The steps that may move a meter which pays nothing but shares."""
UNITS_PER_CENT = 10_000


def moved_off(payments: tuple[Payment, ...]) -> list[tuple[int, Units]]:
    """Return what went from the meter to players, each with its position."""
    kinds = (AccountKind.METER, AccountKind.PLAYER)
    return [(p.position, p.units) for p in payments if (p.source.kind, p.to.kind) == kinds]


class KeypadWatched(Watched):
    """A table whose progressive goes by a keypad and a key; each recorded win must move the meter once."""

    def __init__(self, game: str, changes: Changes, seed: str, *, twice: bool = True) -> None:
        super().__init__(game, changes, seed, twice=twice)
        self.stands = self.table.meter
        self.closed = False
        self.recorded: dict[int, Units] = {}
        self.adjusted: list[int] = []
        self.backed_out: list[tuple[int, bool]] = []
        self.given_up: dict[tuple[int, int], Units] = {}

    # --- the wagers ----------------------------------------------------------------------------------

    def _take(self, rules: Rules, before: Table, events: tuple[AnEvent, ...]) -> None:
        super()._take(rules, before, events)
        assert self.stands == self.table.meter, "the events tell where the meter stands"

    def _follow(self, before: Snapshot, after: Snapshot, event: AnEvent) -> None:
        stood, self.stands = self.stands, self._moved(event)
        if event.step == "coin_in":
            self._booked(stood)
        elif event.step == "adjust_meter":
            self._adjusted(stood, event)
        elif event.step == "close_table":
            self._forget()
        shut = before.phase is Phase.BETTING and after.phase is Phase.STARTING
        if shut or (event.step == "void_round" and not self.closed):
            self._bets_closed(before, after, stood)
        if event.step == "rule_count":
            self._ruled_out(before, event)
        elif event.step == "adjust_meter":
            self._backed_out(before, after, event)
        elif event.step in ("wager", "correct_wager"):
            self._wagered(before, event)
        else:
            super()._follow(before, after, event)
        if event.step == "leave" and event.position not in after.round.hands:
            self.bets.pop(event.position or 0, None)
        self._meter(before, stood, event)

    def _wagered(self, before: Snapshot, event: AnEvent) -> None:
        """A progressive chip that does not lie on its sensor is no wager, unless COIN IN has booked it."""
        at, beside = (
            event.position or 0,
            value_of(event, "off_sensor", False) and not before.round.has("coin_in"),
        )
        placed = {name: int(amount) for name, amount in event.action.wagers.items() if amount}
        if beside:
            placed.pop(PROGRESSIVE, None)
        self.bets.pop(at, None)
        if placed:
            self.bets[at] = before.seats[at].person, placed

    def _booked(self, meter: Meter | None) -> None:
        """COIN IN books the progressive wagers and no others."""
        assert self.money is None, "booked twice"
        only = {
            at: (person, {PROGRESSIVE: wagers[PROGRESSIVE]})
            for at, (person, wagers) in self.bets.items()
            if PROGRESSIVE in wagers
        }
        self.money = Money(only, meter)

    def _bets_closed(self, before: Snapshot, after: Snapshot, meter: Meter | None) -> None:
        """The start, or the end of a round that never started, takes up what COIN IN did not."""
        self.closed = True
        this_round = before.round
        assert {at: (h.person, dict(h.wagers)) for at, h in this_round.hands.items()} == self.bets
        if self.money is None:
            booked = any(PROGRESSIVE in wagers for _, wagers in self.bets.values())
            assert not booked or after.phase is not Phase.STARTING, "started before COIN IN"
            self.money = Money(self.bets, meter)
            return
        for at, (person, wagers) in self.bets.items():
            for wager, amount in wagers.items():
                if wager != PROGRESSIVE:
                    self.money.place(at, person, wager, amount)

    def _ruled_out(self, before: Snapshot, event: AnEvent) -> None:
        """A wager whose chip is not there goes out of the books again, and out of the meter."""
        assert self.money is not None
        for payment in event.outcome.payments:
            self.money.pay(payment)
        for at in event.action.without:
            person, wagers = self.bets[at]
            self.money.withdraw(at, person, PROGRESSIVE)
            self.bets[at] = person, {w: amount for w, amount in wagers.items() if w != PROGRESSIVE}

    # --- the meter -----------------------------------------------------------------------------------

    def _moved(self, event: AnEvent) -> Meter | None:
        """Return the meter as an event leaves it; the event tells of it as the one before left it."""
        meter, move = self.table.meter, event.outcome.meter if isinstance(event.outcome, Moves) else None
        if meter is None or move is None:
            return self.stands
        assert move.before == (self.stands.state if self.stands else None)
        return Meter(meter.terms, move.after.value, move.after.reserve)

    def _adjusted(self, stood: Meter | None, event: AnEvent) -> None:
        """An adjustment by hand comes from outside the round, and moves the meter by what it says."""
        if event.action.win is not None:
            return
        assert stood is not None and self.stands is not None
        by = units(event.action.amount)
        assert self.stands.value == stood.value + by
        if self.money is not None and self.money.meter is not None:
            self.money.meter = changed(self.money.meter, value=self.money.meter.value + by)

    def _backed_out(self, before: Snapshot, after: Snapshot, event: AnEvent) -> None:
        """An award is backed out once, and its player keeps nothing of it, whichever round it was of."""
        at, payments = event.action.win, event.outcome.payments
        if at is None:
            assert not payments
            return
        of_this = at in self.recorded
        this_round = after.round if of_this else after.last
        assert this_round is not None and (of_this or before.last is not None)
        win = [win for win in this_round.wins if win.position == at][-1]
        assert win.backed_out and win.amount == event.action.amount
        assert (at, of_this) not in self.backed_out, "backed out twice"
        self.backed_out.append((at, of_this))
        award = sum(units for where, units in moved_off(this_round.payments) if where == at)
        given_up = sum(p.units for p in payments if p.source.kind is AccountKind.PLAYER)
        before_that = self.given_up.get((this_round.number, at), 0)
        assert award == before_that + given_up
        self.given_up[this_round.number, at] = award
        if of_this:
            for payment in payments:
                assert self.money is not None
                self.money.pay(payment)
        elif self.money is not None and self.money.meter is not None:
            assert self.stands is not None
            came = flows(payments)
            meter, terms = self.money.meter, self.stands.terms
            value = meter.value + came.get(terms.account, 0)
            reserve = meter.reserve + came.get(terms.reserve_account, 0)
            self.money.meter = changed(meter, value=value, reserve=reserve)

    def _meter(self, before: Snapshot, stood: Meter | None, event: AnEvent) -> None:
        stands = self.stands
        if stood is None or stands is None:
            return
        if event.step == "press_jpot":
            self._recorded(before, stood, event)
        shares_only = before.rules.submission.wagers[PROGRESSIVE].own_paytable is None
        if event.step not in METER_MOVES and shares_only:
            assert (stands.value, stands.reserve) == (stood.value, stood.reserve), event.step
        if event.step == "turn_key":
            due = [at for at in self.recorded if at not in self.adjusted]
            due = due if event.action.to == "RUN" else []
            paid = [at for at in due if (at, True) not in self.backed_out]
            assert moved_off(event.outcome.payments) == [(at, self.recorded[at]) for at in paid]
            self.adjusted += due

    def _recorded(self, before: Snapshot, meter: Meter, event: AnEvent) -> None:
        """J-POT records a win once, for as much of the meter as the line says; after a back-out once more."""
        at = event.position or 0
        if (at, True) in self.backed_out:
            self.backed_out.remove((at, True))
            del self.recorded[at]
            self.adjusted = [other for other in self.adjusted if other != at]
        assert at not in self.recorded, f"recorded twice at {at}"
        line = before.round.hands[at].made[PROGRESSIVE]
        if before.rules.submission.wagers[PROGRESSIVE].own_paytable is None:
            share = meter.value * SHARES[line] // 100 // UNITS_PER_CENT
            assert value_of(event, "win").amount == share
        self.recorded[at] = units(value_of(event, "win").amount)

    def _ended(self, event: AnEvent) -> None:
        this_round = self.table.last
        assert this_round is not None
        last_first = dict.fromkeys(win.position for win in reversed(this_round.wins))
        assert list(last_first)[::-1] == list(self.recorded)
        if event.step == "close_round":
            won = [hand.position for hand in this_round.active() if hand.has("progressive_share")]
            assert sorted(won) == sorted(self.recorded) == sorted(self.adjusted)
            assert all(win.adjusted and (win.paid or win.backed_out) for win in this_round.wins)
            assert not self.table.has("key_jph")
        super()._ended(event)
        self._forget()

    def _forget(self) -> None:
        self.closed, self.recorded, self.adjusted = False, {}, []
        self.backed_out = [(at, False) for at, of_this in self.backed_out if of_this]
        self.bets, self.money, self.deal = {}, None, None


def watch(game: str, changes: Changes, seed: str, *, twice: bool = True) -> Watched:
    """Watch a table of a game."""
    kind = KeypadWatched if game == "wa-fap" else Watched
    return kind(game, changes, seed, twice=twice)
