"""A whole round by itself: everyone bets the same way and sets the house way. For lessons and records."""

from __future__ import annotations

from collections.abc import Iterator

from houseway.cards import Cards
from houseway.games import Rules
from houseway.houseways import compile_way, decide, house_way
from houseway.meters import Meter, opened
from houseway.money import Cents, cents
from houseway.ranking import Setting
from houseway.rng import Entropy, SealedDeck, below
from houseway.rounds.dealing import SEATS, deal_stacks, dealing_order, position_by_number, seat_by_dice
from houseway.rounds.record import Event, Record, make_record
from houseway.settlement import Area, Banker, Bettor, Round, meter_terms, settle

NAMES = ("Ann", "Bob", "Cleo", "Dan", "Eve", "Finn", "Gus")
BANKER_SEAT = 1


def auto_round(rules: Rules, entropy: Entropy, round_id: str, meter: Meter | None = None) -> Record:
    """Seal a deck, deal it, set every hand the house way, settle, and write it all down."""
    sealed = SealedDeck.shuffle(rules.game.cards().cards, entropy)
    start = position_by_number(rules.game, below(SEATS, entropy) + 1)
    if rules.game.banked_by == "player_dealer":
        table = _player_dealer(rules, sealed, start)
    else:
        table = _house(rules, sealed, start, meter)
    return make_record(round_id, table, settle(table), sealed, tuple(_events(sealed, start)))


def _events(sealed: SealedDeck, start: int) -> Iterator[Event]:
    yield Event(step=f"deck sealed as {sealed.commitment}", actor="device")
    yield Event(step="no more bets", actor="dealer")
    yield Event(step=f"starting position {start}", actor="device")
    yield Event(step="every hand dealt and set the house way", actor="dealer")


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
