"""Whole rounds by themselves: everyone bets the same way and sets the house way. For lessons and records."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, date, datetime, time
from typing import Final

from houseway.errors import IllegalError
from houseway.games import Rules
from houseway.money import Cents, cents
from houseway.rng import Entropy
from houseway.rounds.dealing import SEATS
from houseway.rounds.live import EVERYTHING, LiveTable, due_moves, new_table
from houseway.rounds.record import Record
from houseway.rounds.roles import Role
from houseway.rounds.state import Phase
from houseway.rounds.step import Actor
from houseway.rounds.steps import STEPS
from houseway.rounds.steps.double_down import DoubleDown
from houseway.rounds.steps.players import Sit
from houseway.rounds.steps.wagers import PlaceWagers
from houseway.settlement.model import DOUBLE_DOWN

NAMES: Final = ("Ann", "Bob", "Cleo", "Dan", "Eve", "Finn", "Gus")
CLOSES_BETS: Final = frozenset(name for name, step in STEPS.items() if step.after_bets)
"""What waits until everyone has bet."""
Bets = Mapping[int, Mapping[str, Cents]]
"""What lies on each betting area, by position."""


def noon(day: date) -> datetime:
    """Return noon of a day, in universal time."""
    return datetime.combine(day, time(12), UTC)


def auto_round(rules: Rules, entropy: Entropy, name: str = "table") -> Record:
    """Open a table, play one round on it, and write it all down under the table's name."""
    seats = range(1 if rules.banked else 2, SEATS + 1)
    bets = dict.fromkeys(seats, usual_wagers(rules))
    live = LiveTable(rules, entropy, noon(rules.submission.law_as_of), new_table(rules, name=name))
    return next(play_rounds(live, bets))


def play_rounds(table: LiveTable, bets: Bets, rounds: int = 1) -> Iterator[Record]:
    """Play rounds through every step of the procedure, with no one at the table but the names of players."""
    for at in sorted(bets):
        if at not in table.table.seats:
            table.do(person_at(table.rules, at), Sit(at))
    last = table.table.rounds + rounds
    while table.table.rounds < last:
        before = table.table.rounds
        _play_until_done(table.proceed(EVERYTHING - CLOSES_BETS))
        _require_open(table)
        for at, wagers in sorted(bets.items()):
            if at != table.table.round.bank_seat:
                first = {w: amount for w, amount in wagers.items() if w != DOUBLE_DOWN}
                table.do(person_at(table.rules, at), PlaceWagers(at, first))
        _play_until_done(table.proceed(EVERYTHING - {"set"}))
        for at, wagers in sorted(bets.items()):
            if wagers.get(DOUBLE_DOWN) and table.table.phase is Phase.SETTING:
                table.do(person_at(table.rules, at), DoubleDown(at))
        _play_until_done(table.proceed(EVERYTHING, before + 1))
        if table.table.rounds == before or table.record is None:
            raise IllegalError("the round does not go on by itself", value=str(table.table.phase))
        yield table.record


def _require_open(table: LiveTable) -> None:
    """Refuse to go on at a table that could not be opened, for every reason that keeps it closed."""
    if table.table.phase is Phase.OPENING:
        for proposal in due_moves(table.rules, table.table, frozenset({"open_table"})):
            table.do(proposal.by, proposal.action)


def _play_until_done(events: Iterator[object]) -> None:
    for _ in events:
        pass


def person_at(rules: Rules, position: int) -> Actor:
    """Return who is made to sit at a position."""
    return Actor(NAMES[position - (1 if rules.banked else 2)], Role.PLAYER)


def _clamp(rules: Rules, wager: str, amount: Cents) -> Cents:
    """Return an amount, or the nearest that the table's limits allow."""
    choice = rules.submission.wagers[wager]
    return min(max(amount, choice.min or amount), choice.max or amount)


def usual_wagers(rules: Rules) -> dict[str, Cents]:
    """Return a modest bet on everything the table offers."""
    wagers = {"main": _clamp(rules, "main", cents("$10"))}
    for terms in rules.game.wager:
        if not rules.offers(terms.id) or terms.id == "main":
            continue
        schedule = rules.schedule()
        least = schedule.table_min if schedule else cents("$5")
        meter = rules.submission.progressive
        special = {"double_down": wagers["main"], "progressive": meter.amount if meter else None}
        wagers[terms.id] = special.get(terms.id) or _clamp(rules, terms.id, least)
    return wagers
