"""Whole rounds by themselves: everyone bets the same way and sets the house way. For lessons and records."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, time

from houseway.errors import IllegalError
from houseway.games import Rules
from houseway.meters import Meter
from houseway.money import Cents, cents
from houseway.rng import Entropy
from houseway.rounds.dealing import SEATS
from houseway.rounds.record import Record
from houseway.rounds.sitting import EVERYTHING, new_table, perform, proceed
from houseway.rounds.state import Phase, Play, Table
from houseway.rounds.step import Actor, Command, Event, Moment, Role
from houseway.rounds.writing import write_down
from houseway.settlement.model import DOUBLE_DOWN

NAMES = ("Ann", "Bob", "Cleo", "Dan", "Eve", "Finn", "Gus")
NOON = time(12)
CLOSES_BETS = frozenset({"no_more_bets", "press_start", "shake_cup", "coin_in", "collect_fees"})
"""What waits until everybody has bet."""


def auto_round(rules: Rules, entropy: Entropy, round_id: str, meter: Meter | None = None) -> Record:
    """Open a table, play one round on it, and write it all down."""
    seats = range(1 if rules.game.banked_by == "player_dealer" else 2, SEATS + 1)
    bets = dict.fromkeys(seats, usual_wagers(rules))
    moment = Moment(datetime.combine(rules.submission.law_as_of, NOON), entropy)
    _, played = next(play_rounds(new_table(rules, meter=meter), bets, moment))
    return played.record(round_id)


@dataclass(frozen=True)
class Played:
    """A round that was played step by step: what came of it, and every event of it."""

    rules: Rules
    play: Play
    events: tuple[Event, ...]

    def record(self, round_id: str) -> Record:
        """Write the round down."""
        return write_down(self.rules, self.play, self.events, round_id)


Bets = Mapping[int, Mapping[str, Cents]]
"""What lies on each betting area, by position."""


def play_rounds(table: Table, bets: Bets, moment: Moment, rounds: int = 1) -> Iterator[tuple[Table, Played]]:
    """Play rounds through every step of the procedure, with nobody at the table but the names of players."""
    events: list[Event] = []
    for at in sorted(bets):
        if at not in table.seats:
            table, done = perform(table, Command("sit", person_at(table, at), at), moment)
            events += done
    last = table.rounds + rounds
    while table.rounds < last:
        before = table.rounds
        table = _keep(events, proceed(table, moment, EVERYTHING - CLOSES_BETS), table)
        for at, wagers in sorted(bets.items()):
            if at == table.play.bank_seat:
                continue
            first = {w: amount for w, amount in wagers.items() if w != DOUBLE_DOWN}
            table, done = perform(
                table, Command("wager", person_at(table, at), at, {"wagers": first}), moment
            )
            events += done
        table = _keep(events, proceed(table, moment, EVERYTHING - {"set"}), table)
        for at, wagers in sorted(bets.items()):
            if wagers.get(DOUBLE_DOWN) and table.phase is Phase.SETTING:
                table, done = perform(table, Command(DOUBLE_DOWN, person_at(table, at), at), moment)
                events += done
        table = _keep(events, proceed(table, moment, EVERYTHING, before + 1), table)
        if table.rounds == before or table.last is None:
            raise IllegalError("the round does not go on by itself", value=str(table.phase))
        yield table, Played(table.rules, table.last, tuple(events))
        events.clear()


def _keep(events: list[Event], going: Iterator[tuple[Table, Event]], table: Table) -> Table:
    for after, event in going:
        table = after
        events.append(event)
    return table


def person_at(table: Table, position: int) -> Actor:
    """Return who is made to sit at a position."""
    return Actor(NAMES[position - (1 if table.banked else 2)], Role.PLAYER)


def _within(rules: Rules, wager: str, amount: Cents) -> Cents:
    """Return an amount, or the nearest that the table's limits allow."""
    choice = rules.submission.wagers[wager]
    return min(max(amount, choice.min or amount), choice.max or amount)


def usual_wagers(rules: Rules) -> dict[str, Cents]:
    """Return a modest bet on everything the table offers."""
    wagers = {"main": _within(rules, "main", cents("$10"))}
    for terms in rules.game.wager:
        if not rules.offers(terms.id) or terms.id == "main":
            continue
        schedule = rules.schedule()
        least = schedule.table_min if schedule else cents("$5")
        meter = rules.submission.progressive
        special = {"double_down": wagers["main"], "progressive": meter.amount if meter else None}
        wagers[terms.id] = special.get(terms.id) or _within(rules, terms.id, least)
    return wagers
