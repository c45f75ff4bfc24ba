"""Whole rounds by themselves: everyone bets the same way and sets the house way. For lessons and records."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, time

from houseway.cards import Cards
from houseway.errors import IllegalError
from houseway.games import Rules
from houseway.houseways import compile_way, decide, house_way
from houseway.meters import Meter, opened
from houseway.money import Cents, cents
from houseway.ranking import Setting
from houseway.rng import Entropy, SealedDeck, below
from houseway.rounds.dealing import SEATS, deal_stacks, dealing_order, position_by_number, seat_by_dice
from houseway.rounds.record import Event as RecordedEvent
from houseway.rounds.record import Record, make_record
from houseway.rounds.sitting import EVERYTHING, new_table, perform, proceed
from houseway.rounds.state import Phase, Play, Table
from houseway.rounds.step import Actor, Command, Event, Moment, Role
from houseway.rounds.writing import write_down
from houseway.settlement import Area, Banker, Bettor, Round, meter_terms, settle

NAMES = ("Ann", "Bob", "Cleo", "Dan", "Eve", "Finn", "Gus")
BANKER_SEAT = 1
DOUBLE_DOWN = "double_down"
NOON = time(12)
CLOSES_BETS = frozenset({"no_more_bets", "press_start", "shake_cup", "coin_in", "collect_fees"})
"""What waits until everybody has bet."""


def auto_round(rules: Rules, entropy: Entropy, round_id: str, meter: Meter | None = None) -> Record:
    """Open a table, play one round on it, and write it all down."""
    if rules.game.procedure:
        bets = dict.fromkeys(range(2, SEATS + 1), usual_wagers(rules))
        moment = Moment(datetime.combine(rules.submission.law_as_of, NOON), entropy)
        _, played = next(play_rounds(new_table(rules, meter=meter), bets, moment))
        return played.record(round_id)
    sealed = SealedDeck.shuffle(rules.game.cards().cards, entropy)
    start = position_by_number(rules.game, below(SEATS, entropy) + 1)
    if rules.game.banked_by == "player_dealer":
        table = _player_dealer(rules, sealed, start)
    else:
        table = _house(rules, sealed, start, meter)
    return make_record(round_id, table, settle(table), sealed, tuple(_events(sealed, start)))


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
            table, done = perform(table, Command("sit", _person(at), at), moment)
            events += done
    last = table.rounds + rounds
    while table.rounds < last:
        before = table.rounds
        table = _keep(events, proceed(table, moment, EVERYTHING - CLOSES_BETS), table)
        for at, wagers in sorted(bets.items()):
            first = {w: amount for w, amount in wagers.items() if w != DOUBLE_DOWN}
            table, done = perform(table, Command("wager", _person(at), at, {"wagers": first}), moment)
            events += done
        table = _keep(events, proceed(table, moment, EVERYTHING - {"set"}), table)
        for at, wagers in sorted(bets.items()):
            if wagers.get(DOUBLE_DOWN) and table.phase is Phase.SETTING:
                table, done = perform(table, Command(DOUBLE_DOWN, _person(at), at), moment)
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


def _person(position: int) -> Actor:
    return Actor(NAMES[position - 2], Role.PLAYER)


def _events(sealed: SealedDeck, start: int) -> Iterator[RecordedEvent]:
    yield RecordedEvent(step=f"deck sealed as {sealed.commitment}", actor="device")
    yield RecordedEvent(step="no more bets", actor="dealer")
    yield RecordedEvent(step=f"starting position {start}", actor="device")
    yield RecordedEvent(step="every hand dealt and set the house way", actor="dealer")


def _house(rules: Rules, sealed: SealedDeck, start: int, meter: Meter | None) -> Round:
    hands = deal_stacks(rules.game, sealed.order, dealing_order(start))
    if meter is None and rules.offers("progressive"):
        meter, _ = opened(meter_terms(rules))
    areas = tuple(
        Area(at, Bettor(NAMES[at - 2], usual_wagers(rules)), hands[at], _set(rules, hands[at]))
        for at in range(2, SEATS + 1)
    )
    return Round(rules, hands[1], _set(rules, hands[1]), areas, meter)


def _player_dealer(rules: Rules, sealed: SealedDeck, start: int) -> Round:
    first = seat_by_dice(rules.game, start + SEATS, BANKER_SEAT)
    seats = [(first - 1 + turn) % SEATS + 1 for turn in range(SEATS)]
    hands = deal_stacks(rules.game, sealed.order, seats)
    areas = tuple(
        Area(at, Bettor(NAMES[at - 1], usual_wagers(rules)), hands[at], _set(rules, hands[at]))
        for at in range(2, SEATS + 1)
    )
    action = first if first != BANKER_SEAT else BANKER_SEAT + 1
    banker = Banker(NAMES[0], cents("$200"))
    return Round(rules, hands[BANKER_SEAT], _set(rules, hands[BANKER_SEAT]), areas, None, banker, action)


def usual_wagers(rules: Rules) -> dict[str, Cents]:
    """Return a modest bet on everything the table offers."""
    wagers = {"main": cents("$10")}
    for terms in rules.game.wager:
        if not rules.offers(terms.id) or terms.id == "main":
            continue
        schedule = rules.schedule()
        least = schedule.table_min if schedule else cents("$5")
        meter = rules.submission.progressive
        special = {"double_down": wagers["main"], "progressive": meter.amount if meter else None}
        wagers[terms.id] = special.get(terms.id) or least
    return wagers


def _set(rules: Rules, cards: Cards) -> Setting:
    program = compile_way(house_way(rules.submission.house_way or ""), base=rules.ranking())
    return tuple(part[::-1] for part in decide(program, cards).setting)
