"""What people do at a cardroom's table besides what is due: they bank, bet, set, err and rule at will."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from houseway.cards import Card
from houseway.games.collection import schedules
from houseway.money import Cents
from houseway.ranking import Setting, legal_settings
from houseway.rounds.choices import Ruling
from houseway.rounds.roles import Role
from houseway.rounds.state import WITH_CARDS, CardOrigin, Hand, Phase
from houseway.rounds.step import Actor
from houseway.rounds.steps.bank import next_offer
from tests.rounds.california import REVIEWED, somebody
from tests.rounds.commands import NamedStep
from tests.rounds.play.chance import Chance, mixed, pick, rarely
from tests.rounds.play.moves import (
    change_dealer,
    close_table,
    deal_some,
    dealer,
    device_fault,
    direct_shuffle,
    leave,
    parted,
    person,
    receive_deck,
    remove_deck,
)
from tests.rounds.table import FLOOR, Snapshot

Move = Callable[[Snapshot, Chance], "NamedStep | None"]
BEHIND = ("Zoe", "Yan", "Xia")
"""Who stands behind the seats."""
SPLIT = (5, 2)
RULINGS = tuple(Ruling)


def seats_of(table: Snapshot) -> list[int]:
    """Return every seat of the table."""
    return list(range(1, table.rules.submission.table.positions + 1))


def clockwise(table: Snapshot, seat: int) -> list[int]:
    """Return every seat, clockwise from one of them."""
    seats = seats_of(table)
    return seats[seat - 1 :] + seats[: seat - 1]


def seats_dealt(table: Snapshot) -> list[int]:
    """Return the seven seats that get cards, clockwise from the player-dealer: all that play, then others."""
    order = clockwise(table, table.round.bank_seat or 1)
    playing = {order[0], *table.round.hands}
    others = [seat for seat in order if seat not in playing][: 7 - len(playing)]
    return [seat for seat in order if seat in playing or seat in others]


def anybody(table: Snapshot, chance: Chance) -> Actor:
    """Return one of the people at the table, seated, standing or dealing."""
    seated = [Actor(seat.person, Role.PLAYER) for seat in table.seats.values()]
    return pick(chance, [*seated, somebody(pick(chance, BEHIND)), dealer(table)])


def banker(table: Snapshot) -> Actor | None:
    """Return the player-dealer, if there is one."""
    seat = table.seats.get(table.banking.seat or 0)
    return somebody(seat.person) if seat else None


def amount(table: Snapshot, chance: Chance) -> Cents:
    """Return an amount within the table limit, low more often than high; whether a rate is posted or not."""
    schedule = table.rules.schedule()
    assert schedule is not None
    low, high = schedule.table_min // 100, schedule.table_max // 100
    return Cents(100 * pick(chance, [low, low, low + chance.below(3), low + chance.below(high - low), high]))


def some_bets(table: Snapshot, chance: Chance) -> dict[str, Cents]:
    """Return a game wager, and perhaps a bonus."""
    bonus = {} if chance.below(2) else {"fortune": amount(table, chance)}
    return {"main": amount(table, chance)} | bonus


# --- people, bank and bets ------------------------------------------------------------------------------


def sit(table: Snapshot, chance: Chance) -> NamedStep | None:
    """Let somebody sit down; once in a while somebody who sits elsewhere already."""
    free = [at for at in seats_of(table) if at not in table.seats]
    if not free:
        return None
    by = anybody(table, chance) if rarely(chance, 5) else somebody(f"P{table.arrivals}")
    return NamedStep("sit", by, pick(chance, free))


def offer(table: Snapshot, chance: Chance) -> NamedStep | None:
    at = next_offer(table.rules, table.state) if chance.below(4) else pick(chance, seats_of(table))
    return NamedStep("offer_bank", dealer(table), at)


def answer(table: Snapshot, chance: Chance) -> NamedStep | None:
    """Take the bank or decline it: who is asked, mostly."""
    at = table.banking.offering or pick(chance, seats_of(table))
    by = person(table, at) if at in table.seats and chance.below(6) else anybody(table, chance)
    return NamedStep(pick(chance, ["accept_bank", "decline_bank", "decline_bank"]), by, at)


def put_up(table: Snapshot, chance: Chance) -> NamedStep | None:
    """Put up a bank that is often too small for the wagers."""
    by = banker(table) if chance.below(6) else anybody(table, chance)
    at = table.banking.seat or pick(chance, seats_of(table))
    stake = Cents(pick(chance, [0, 1, 500, 2_500, 10_000, 100 * chance.below(300), 1_000_000]))
    return NamedStep("put_up", by, at, {"stake": stake}) if by else None


def bet(table: Snapshot, chance: Chance) -> NamedStep | None:
    if not table.seats:
        return None
    at = pick(chance, sorted(table.seats))
    by = pick(chance, [person(table, at), person(table, at), dealer(table), anybody(table, chance)])
    details: dict[str, Any] = {"wagers": some_bets(table, chance) if chance.below(6) else {}}
    if rarely(chance, 4):
        return NamedStep("correct_wager", dealer(table), at, {**details, "reason": "typed wrongly"})
    return NamedStep("wager", by, at, details)


def bet_behind(table: Snapshot, chance: Chance) -> NamedStep | None:
    if not table.round.hands:
        return None
    by = somebody(pick(chance, BEHIND)) if chance.below(5) else anybody(table, chance)
    wagers = some_bets(table, chance) if chance.below(6) else {}
    return NamedStep("bet_behind", by, pick(chance, sorted(table.round.hands)), {"wagers": wagers})


def close_bets(table: Snapshot, _: Chance) -> NamedStep | None:
    return NamedStep("no_more_bets", dealer(table))


def other_schedule(table: Snapshot, chance: Chance) -> NamedStep | None:
    """File rules with another collection schedule."""
    old = table.rules.submission
    new = {"collection_schedule": pick(chance, sorted(schedules())), "acknowledged": (REVIEWED,)}
    filed = old.model_copy(update={**new, "reference": f"{old.reference}x"[:40]})
    return NamedStep("adopt_rules", FLOOR, details={"submission": filed})


# --- dice and cards ---------------------------------------------------------------------------------------


def fees_or_buttons(table: Snapshot, chance: Chance) -> NamedStep | None:
    if chance.below(2):
        return NamedStep("collect_fees", dealer(table))
    positions = tuple(at for at in seats_of(table) if not chance.below(3))
    return NamedStep("place_lammers", dealer(table), details={"positions": positions} if positions else {})


def shake(table: Snapshot, chance: Chance) -> NamedStep | None:
    by = banker(table) if chance.below(4) else anybody(table, chance)
    faces = tuple(1 + chance.below(6 if chance.below(5) else 7) for _ in range(3))
    details = {"dice": faces} if chance.below(3) else {}
    return NamedStep("shake_dice", by, table.banking.seat, details) if by else None


def count(table: Snapshot, chance: Chance) -> NamedStep | None:
    """Count the cards left over, or every hand: rightly, mostly."""
    if chance.below(2):
        return NamedStep("count_stub", dealer(table), details={"left": pick(chance, [4, 4, 4, 3, 5])})
    counts = dict.fromkeys(seats_dealt(table), 7)
    if rarely(chance, 3):
        counts[pick(chance, sorted(counts))] += pick(chance, [-1, 1])
    return NamedStep("count_hands", dealer(table), details={"counts": counts})


def pile(table: Snapshot, chance: Chance) -> NamedStep | None:
    by = banker(table) if chance.below(4) else anybody(table, chance)
    if by is None or not chance.below(4):
        return NamedStep("distribute", dealer(table))
    return NamedStep("choose_pile", by, table.banking.seat, {"pile": chance.below(9)})


def collect_empty(table: Snapshot, _: Chance) -> NamedStep | None:
    return NamedStep("collect_empty", dealer(table))


# --- settings -------------------------------------------------------------------------------------------


def some_setting(table: Snapshot, cards: Sequence[Card], chance: Chance) -> Setting:
    """Return a setting of cards: legal mostly, else anyhow, which may be foul, or of wrong sizes."""
    how = chance.below(6)
    if how < 4 and cards:
        return pick(chance, list(legal_settings(table.rules.ranking(), cards)))
    return parted(mixed(chance, cards), SPLIT if how == 4 else (4, 3))


def some_hand(table: Snapshot, chance: Chance) -> Hand | None:
    hands = table.round.playing()
    return pick(chance, hands) if hands else None


def handle(table: Snapshot, chance: Chance) -> NamedStep | None:
    """Look at a hand, ask for the house way, or set it; its player, mostly."""
    hand = some_hand(table, chance)
    if hand is None:
        return None
    by = somebody(hand.person) if chance.below(5) else anybody(table, chance)
    step = pick(chance, ["look", "ask_help", "set", "set"])
    given = step == "set" and table.source is not CardOrigin.TYPED
    details = {"setting": some_setting(table, hand.cards, chance)} if given else {}
    return NamedStep(step, by, hand.position, details)


def turn_over(table: Snapshot, _: Chance) -> NamedStep | None:
    return NamedStep("turn_over", dealer(table))


def set_bank(table: Snapshot, chance: Chance) -> NamedStep | None:
    details = {"setting": some_setting(table, table.round.dealer_cards, chance)}
    return NamedStep("set_dealer", dealer(table), details=details)


def reset_bank(table: Snapshot, chance: Chance) -> NamedStep | None:
    by = banker(table) if chance.below(6) else anybody(table, chance)
    details = {"setting": some_setting(table, table.round.dealer_cards, chance)}
    return NamedStep("reset_bank", by, table.banking.seat, details) if by else None


def new_hand(table: Snapshot, chance: Chance) -> Setting:
    """Return seven cards that nobody has entered, set somehow; nothing if so many are not left."""
    this_round = table.round
    seen = {*this_round.dealer_cards, *(card for hand in this_round.hands.values() for card in hand.cards)}
    seen |= {card for parts in this_round.typed.values() for part in parts for card in part}
    left = [card for card in table.rules.game.cards().cards if card not in seen]
    cards = mixed(chance, left)[: sum(SPLIT)]
    if len(cards) < sum(SPLIT):
        return ()
    legal = list(legal_settings(table.rules.ranking(), cards))
    return parted(cards, SPLIT) if rarely(chance, 4) else pick(chance, legal)


def key_in(table: Snapshot, chance: Chance) -> NamedStep | None:
    """Enter a hand where cards are typed in, put an entry right, confirm it, or open it again."""
    among = [table.dealer_at] if table.phase is Phase.DEALER else sorted(table.round.hands)
    at = pick(chance, among)
    step = pick(chance, ["enter_hand", "enter_hand", "confirm_entry", "confirm_entry", "correct_entry"])
    if rarely(chance, 8):
        return NamedStep("reopen_entry", FLOOR, at, {"reason": "misread"})
    if step == "confirm_entry":
        return NamedStep(step, dealer(table), at)
    details: dict[str, Any] = {"setting": new_hand(table, chance)}
    if step == "correct_entry":
        details |= {"reason": "mis-keyed"}
    return NamedStep(step, dealer(table), at, details)


# --- settling and rulings -------------------------------------------------------------------------------


def settle(table: Snapshot, chance: Chance) -> NamedStep | None:
    """Open a hand, in part perhaps, look at it for the bonus, settle a wager, or rack it: in any order."""
    hand = some_hand(table, chance)
    if hand is None:
        return None
    step = pick(chance, ["reveal", "rearrange", "settle", "settle", "rack"])
    details: dict[str, Any] = {}
    if step == "settle":
        details = {"wager": pick(chance, ["main", "fortune", "all"])}
    elif step == "reveal" and chance.below(2):
        details = {"parts": (pick(chance, table.rules.game.parts).name,)}
    return NamedStep(step, dealer(table), hand.position, details)


def wind_up(table: Snapshot, chance: Chance) -> NamedStep | None:
    step = pick(chance, ["pay_envy", "clear_lammers", "close_round"])
    return NamedStep(step, dealer(table), details={"wager": "fortune"} if step == "pay_envy" else {})


def expose(table: Snapshot, chance: Chance) -> NamedStep | None:
    return (
        NamedStep("expose_card", dealer(table), pick(chance, seats_of(table))) if rarely(chance, 3) else None
    )


def stop(table: Snapshot, chance: Chance) -> NamedStep | None:
    reason = {"reason": "a quarrel"}
    return NamedStep("stop_round", dealer(table), details=reason) if rarely(chance, 6) else None


def rule(table: Snapshot, chance: Chance) -> NamedStep | None:
    if not table.round.stopped:
        return None
    return NamedStep("rule_round", FLOOR, details={"ruling": pick(chance, RULINGS), "reason": "as seen"})


ANYTIME: tuple[Move, ...] = (sit, leave, change_dealer, device_fault, rule, rule)
BETWEEN: tuple[Move, ...] = (remove_deck, receive_deck, direct_shuffle, close_table, other_schedule)
BY_PHASE: Mapping[Phase, tuple[Move, ...]] = {
    Phase.OPENING: BETWEEN,
    Phase.BETTING: (*BETWEEN, offer, offer, answer, answer, put_up, bet, bet, bet_behind, close_bets),
    Phase.STARTING: (fees_or_buttons, shake, deal_some, stop),
    Phase.DEALING: (deal_some, count, pile, pile, shake, collect_empty, expose, stop),
    Phase.SETTING: (handle, handle, handle, turn_over, count, expose, stop),
    Phase.DEALER: (set_bank, key_in, key_in, stop),
    Phase.SETTLING: (
        reset_bank,
        reset_bank,
        reset_bank,
        key_in,
        settle,
        settle,
        settle,
        wind_up,
        count,
        stop,
    ),
}


def any_move(table: Snapshot, chance: Chance) -> NamedStep | None:
    """Return something that somebody does now, if there is anything to do."""
    now = BY_PHASE.get(table.phase, ANYTIME) if chance.below(4) else ANYTIME
    return pick(chance, now)(table, chance)


def way_out(table: Snapshot, chance: Chance) -> list[NamedStep]:
    """Return what somebody has to do of his own accord where nothing is suggested."""
    first = chance.below(len(RULINGS))
    rulings = [*RULINGS[first:], *RULINGS[:first]]
    ways = [NamedStep("rule_round", FLOOR, details={"ruling": r, "reason": "as seen"}) for r in rulings]
    ways += [NamedStep("set", dealer(table), hand.position) for hand in table.round.playing()]
    if table.phase is Phase.BETTING and table.in_play:  # ready, and yet no round: bets without a rate
        ways += [NamedStep("wager", person(table, at), at, {"wagers": {}}) for at in table.round.hands]
    by = banker(table)
    if table.phase in (Phase.STARTING, Phase.DEALING) and by is not None:
        faces = tuple(1 + chance.below(6) for _ in range(3))
        ways.append(NamedStep("shake_dice", by, table.banking.seat, {"dice": faces}))
    if table.phase in WITH_CARDS and table.source is CardOrigin.TYPED:
        ways.append(NamedStep("count_stub", dealer(table), details={"left": 4}))
        for at in [table.dealer_at, *table.round.hands]:
            ways.append(NamedStep("confirm_entry", dealer(table), at))
            ways.append(NamedStep("enter_hand", dealer(table), at, {"setting": new_hand(table, chance)}))
    return ways
