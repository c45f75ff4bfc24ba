"""Whole rounds of known cards at a table of any game: what was paid, and every posted line hit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from itertools import permutations
from types import MappingProxyType
from typing import Final, NamedTuple

from houseway.cards import JOKER, SUITS, Card, Cards, parse_cards, parse_setting
from houseway.games import Rules
from houseway.games.paytables import AwardSource, Line
from houseway.ledger import player, show_units, units
from houseway.money import Basis, Cents, cents
from houseway.odds.sides import SideOdds
from houseway.rounds.roles import Role
from houseway.rounds.state import Phase, Round
from houseway.rounds.step import Actor
from houseway.settlement import Payment, PaymentKind
from tests.games.support import Changes
from tests.rounds import washington
from tests.rounds.california import BANKER, CA, Cardroom, banked
from tests.rounds.table import FLOOR, NAMES, TestTable

DEALER: Final = 1
BANK: Final = 6
"""The seat that banks in a cardroom."""
Hands = Mapping[int, str]
"""Cards by position, the dealer's at 1; one written with strokes is set so by its player."""
Bets = Mapping[int, str]
"""Wagers by position, written out: ``{2: "fortune $5, insurance $5"}``; of a main wager nothing is said."""
STAKE: Final = "$10,000"
MAIN: Final = "$20"
"""What everybody with a hand bets on the main wager, unless it is said."""


def placed(hands: Hands, bets: Bets, dealer: int) -> dict[int, dict[str, str]]:
    """Return the wagers of everybody who is dealt a hand and does not deal."""
    return {at: {"main": MAIN} | wagers(bets.get(at, "")) for at in hands if at != dealer}


def wagers(text: str) -> dict[str, str]:
    """Read wagers that are written out: ``main $10, fortune $5``."""
    return dict(wager.split() for wager in text.split(",") if wager)


def played(game: str, hands: Hands, bets: Bets, changes: Changes | None = None) -> Round:
    """Open a table, play a round with these cards to its end and return it."""
    return finished(dealt(game, hands, bets, changes), hands)


def dealt(game: str, hands: Hands, bets: Bets, changes: Changes | None = None) -> TestTable:
    """Open a table and deal these cards; the players may look. In a cardroom seat 6 banks."""
    if game == CA:
        given = {BANK: BANKER, **hands}
        return banked(STAKE, placed(hands, bets, BANK), changes, bank=BANK).deals(given)
    if game == "wa-fap":
        return washington.dealt(without_strokes(hands), placed(hands, bets, DEALER), changes=changes)
    return TestTable(game, changes).dealt(without_strokes(hands), placed(hands, bets, DEALER))


def played_on(table: TestTable, hands: Hands, bets: Bets) -> Round:
    """Play another round with these cards at a table."""
    table.dealt(without_strokes(hands), placed(hands, bets, DEALER))
    return finished(table, hands)


def without_strokes(hands: Hands) -> dict[int, str]:
    """Return hands as they are dealt, however they are to be set."""
    return {at: text.replace("/", " ") for at, text in hands.items()}


def finished(table: TestTable, hands: Hands) -> Round:
    """Play a round to its end, hands that are written with strokes set so by their players."""
    for at, text in hands.items():
        if "/" in text and at in table.state.round.hands:
            table.do("set", looking(table, at), at, setting=parse_setting(text))
    table.play_on(rounds=1)
    last = table.live.table.last
    assert last is not None and last.void is None and table.state.phase is Phase.BETTING
    return last


def looking(table: TestTable, at: int) -> Actor:
    """Return the player at a position, once they have looked at their cards."""
    person = Actor(table.state.seats[at].person, Role.PLAYER)
    table.do("look", person, at)
    return person


def came_to(this_round: Round) -> dict[str, str]:
    """Return what everybody won or lost by position and wager, and Envy Bonuses apart: ``2 fortune envy``."""
    net: Counter[str] = Counter()
    for hand in this_round.active():
        for wager, amount in hand.wagers.items():
            net[f"{hand.position} {wager}"] -= units(amount)
        for payment in this_round.payments:
            if payment.position == hand.position and payment.to == player(hand.person):
                envy = " envy" if payment.kind is PaymentKind.ENVY else ""
                net[f"{hand.position} {payment.wager}{envy}"] += payment.units
    return {name: show_units(amount) for name, amount in net.items()}


SEVEN: Final = {
    "seven_card_straight_flush": "9s 8s 7s 6s 5s 4s 3s",
    "seven_card_straight_flush_joker": "9h 8h 7h Jk 5h 4h 3h",
    "royal_flush_royal_match": "As Ks Qs Js Ts Kh Qh",
    "three_of_a_kind_and_four_8s": "8c 8d 8h 8s 5c 5d 5h",
    "five_aces": "As Ah Ad Ac Jk 7d 3d",
    "four_aces": "As Ah Ad Ac 9h 6d 3c",
    "royal_flush": "As Ks Qs Js Ts 7h 2d",
    "straight_flush": "9s 8s 7s 6s 5s Kd 2c",
    "natural_straight_flush": "9s 8s 7s 6s 5s Kd 2c",
    "straight_flush_joker": "9s 8s Jk 6s 5s Kd 2c",
    "four_of_a_kind": "Tc Td Th Ts 6s 4c 2c",
    "full_house": "Kh Ks Kc 7h 7s 4d 2c",
    "flush": "Kd Jd 8d 5d 2d 9s 4h",
    "straight": "9s 8h 7d 6c 5s Kd 2h",
    "three_of_a_kind": "7s 7h 7d Kc Jd 4s 2h",
    "three_pair": "Ks Kc 9h 9c 5s 5d Jh",
    "two_pair": "Ks Kc 9h 9c 5s 4d Jh",
    "pair": "Ks Kc 9h 8c 5s 4d 2h",
    "high_card": "Ks Jc 9h 8c 5s 4d 2h",
    "nine_high": "9s 8h 7d 6c 4s 3h 2d",
    "ten_high": "Ts 9h 8d 7c 5s 4h 2d",
    "jack_high": "Jc 9d 8h 7s 5c 4d 2h",
    "queen_high": "Qs Jh 9d 8c 6s 4h 2d",
    "king_high": "Ks Jh 9d 8c 6s 4h 2d",
    "ace_high": "As Qh 9d 8c 6s 4h 2d",
}
SIX: Final = {
    "five_aces": "As Ah Ad Ac Jk 7d",
    "royal_flush": "As Ks Qs Js Ts 7h",
    "straight_flush": "9s 8s 7s 6s 5s Kd",
    "four_of_a_kind": "Tc Td Th Ts 6s 4c",
    "full_house": "Kh Ks Kc 7h 7s 4d",
    "flush": "Kd Jd 8d 5d 2d 9s",
    "straight": "9s 8h 7d 6c 5s Kd",
    "three_of_a_kind": "7s 7h 7d Kc Jd 4s",
    "eight_high": "8s 7h 6d 5c 3s 2h",
    "nine_high": "9s 8h 7d 6c 4s 3h",
    "ten_high": "Ts 9h 8d 7c 5s 3h",
    "jack_high": "Jc 9d 8h 7s 5c 3d",
    "queen_high": "Qs Jh 9d 8c 6s 4h",
    "king_high": "Ks Jh 9d 8c 6s 4h",
}
"""For each line a hand of which it is the best, whatever is read and however wild the joker is."""
WINS: Final = {6: "As Ah Kd Qc 9h 6h", 7: "As Ah Kd Kc Qh Jd 9c"}
"""Hands that beat the dealer's, set the house way."""
DEALERS: Final = {6: "8c 8h 5c 4d 3h 2s", 7: "Jc 9d 7h 6c 5h 3c 2h"}
"""Low hands; that of six cards is just good enough for a Double Down to play."""
DEEP_BANK: Final = "$1,000,000,000"
ROUNDS_OF_BANK: Final = 2


class Target(NamedTuple):
    """A line of a wager's paytable, and the hand that is to make it."""

    wager: str
    line: Line
    hand: str


class Dealt(NamedTuple):
    """A target with the cards that were found for it."""

    target: Target
    cards: Cards


def targets(rules: Rules) -> Iterator[Target]:
    """Yield every line of every wager that a submission offers."""
    hands = SEVEN if rules.game.hand_cards == 7 else SIX
    for terms in rules.game.wager:
        if rules.offers(terms.id):
            for line in rules.paytable(terms.id).lines:
                yield Target(
                    terms.id, line, WINS[rules.game.hand_cards] if line.hand == "win" else hands[line.hand]
                )


def in_suits(text: str, suits: Iterable[str]) -> Cards:
    """Return a hand with its suits exchanged for others."""
    exchanged = dict(zip(SUITS, suits, strict=True))
    cards = parse_cards(text)
    return tuple(
        card if card == JOKER else Card.parse(str(card)[0] + exchanged[str(card)[1]]) for card in cards
    )


def rounds_of(rules: Rules, seats: int) -> Iterator[tuple[Cards, list[Dealt]]]:
    """Yield for each round the dealer's cards, and the targets that fit into one deck beside them."""
    left, dealers = list(targets(rules)), parse_cards(DEALERS[rules.game.hand_cards])
    while left:
        used, chosen = set(dealers), list[Dealt]()
        whole = False
        for target in list(left):
            metered = target.line.pays.basis is Basis.METER or target.line.source is AwardSource.METER
            cards = next((c for c in map(_of(target), permutations(SUITS)) if used.isdisjoint(c)), None)
            if cards is None or len(chosen) == seats or (metered and whole):
                continue
            whole |= metered  # one award off the meter in a round: what it is a share of is then plain
            used |= set(cards)
            chosen.append(Dealt(target, cards))
            left.remove(target)
        assert chosen, left
        yield dealers, chosen


def _of(target: Target) -> Callable[[Iterable[str]], Cards]:
    return lambda suits: in_suits(target.hand, suits)


# --- played -----------------------------------------------------------------------------------------------


Sheets = Mapping[str, SideOdds]
"""What a PAR sheet says of side wagers: what comes back of each hand that can be made."""


def play_every_line(rules: Rules, sheets: Sheets = MappingProxyType({})) -> list[str]:
    """Open a table, hit every line, close it; return what was not paid as the paytable and the sheet say."""
    seed = "every line"
    room = Cardroom(rules=rules, seats=(), seed=seed, opened=False) if rules.banked else None
    table = room or TestTable(rules, seed=seed)
    table.opened()
    assert table.state.phase is Phase.BETTING, table.problems("open_table", FLOOR)
    seats = rules.submission.table.positions
    faults: list[str] = []
    if isinstance(table, Cardroom):
        places = list(range(1, min(seats, 7) + 1))
        for at in places:
            table.do("sit", Actor(f"P{at}", Role.PLAYER), at)
    else:
        places = list(range(2, seats + 2))
        table.seat(places)
    for number, (dealers, chosen) in enumerate(rounds_of(rules, len(places) - rules.banked)):
        bank = places[-1 if number // ROUNDS_OF_BANK % 2 else 0] if rules.banked else None
        playing = [at for at in places if at != bank][: len(chosen)]
        last = _played(table, dealers, dict(zip(playing, chosen, strict=True)), bank)
        for at, dealt_here in zip(playing, chosen, strict=True):
            faults += _faults(rules, last, at, dealt_here)
            faults += _not_as_on_sheet(sheets, last, at, dealt_here)
    for at in places:
        table.do("leave", Actor(table.state.seats[at].person, Role.PLAYER), at)
    shaker = {"shaker": True} if "shaker" in rules.submission.table.start_methods else {}
    table.do("close_table", FLOOR, **shaker)
    assert table.live.table.phase is Phase.CLOSED
    return faults


def stakes(rules: Rules, wager: str) -> dict[str, Cents]:
    """Return the wagers with which a line of one of them is tried."""
    main = least(rules, "main")
    wagers = {"main": main, wager: least(rules, wager)}
    wagers.pop("double_down", None)
    return wagers


def least(rules: Rules, wager: str) -> Cents:
    """Return the least that a table takes on a wager, or a modest amount."""
    choice, schedule, meter = rules.submission.wagers[wager], rules.schedule(), rules.submission.progressive
    if wager == "double_down":
        return least(rules, "main")
    if wager == "progressive":
        return (meter.amount if meter else None) or cents("$1")
    if schedule is not None:
        return max(schedule.table_min, choice.min or Cents(0))
    return choice.min or min(cents("$5"), choice.max or cents("$5"))


def _played(table: TestTable, dealers: Cards, chosen: Mapping[int, Dealt], bank: int | None) -> Round:
    """Play a round in which people at these positions are dealt these hands; return it."""
    rules = table.rules
    bets = {at: stakes(rules, hand.target.wager) for at, hand in chosen.items()}
    hands = {at: " ".join(map(str, hand.cards)) for at, hand in chosen.items()}
    house = " ".join(map(str, dealers))
    if isinstance(table, Cardroom) and bank is not None:
        _deal_piles(table, house, hands, bets, bank)
    else:
        table.play_on(Phase.BETTING)
        for at, wagers in bets.items():
            table.do("wager", Actor(NAMES[at], Role.PLAYER), at, wagers=wagers)
        table.play_on(without=["deal"])
        table.arranged({1: house, **hands}).play_on(Phase.SETTING)
    for at, hand in chosen.items():
        if hand.target.wager == "double_down":
            person = Actor(NAMES[at], Role.PLAYER)
            table.play_on(without=["double_down", "set", "turn_over"])
            table.do("double_down", person, at)
    table.play_on(rounds=1)
    last = table.live.table.last
    assert last is not None and table.state.phase is Phase.BETTING
    return last


def _deal_piles(
    table: Cardroom, house: str, hands: Mapping[int, str], bets: Mapping[int, Mapping[str, Cents]], bank: int
) -> None:
    table.play_on(Phase.BETTING)
    table.banks(bank, DEEP_BANK)
    for at, wagers in bets.items():
        table.do("wager", table.at(at), at, wagers=wagers)
    table.closed().awaits({bank: house, **hands}).play_on(Phase.SETTING)


# --- judged -----------------------------------------------------------------------------------------------


def _faults(rules: Rules, last: Round, at: int, hand: Dealt) -> Iterator[str]:
    """Yield in what a line was not paid as it is posted."""
    wager, line, _ = hand.target
    stake = last.hands[at].wagers[wager]
    mine = [payment for payment in last.payments if (payment.position, payment.wager) == (at, wager)]
    paid = sum(payment.units for payment in mine if payment.kind is PaymentKind.PAY)
    wanted = expected(rules, wager, line, stake, last)
    off = abs(paid - wanted)
    cent = units(Cents(1))
    if off >= (cent if line.pays.basis is Basis.METER else 1):
        yield f"{wager} {line.hand} {line.pays} on {stake}: {paid} paid, {wanted} posted, with {hand.cards}"


def _not_as_on_sheet(sheets: Sheets, last: Round, at: int, hand: Dealt) -> Iterator[str]:
    """Yield in what a line did not bring back what a PAR sheet counts for the hand; the meter left aside."""
    wager, line, _ = hand.target
    sheet = sheets.get(wager)
    if sheet is None:
        return
    by_meter = line.hand in sheet.meter_hands
    if by_meter is not (line.pays.basis is Basis.METER):
        yield f"{wager} {line.hand}: {line.pays}, of the meter on the sheet: {by_meter}"
    mine = [payment for payment in last.payments if (payment.position, payment.wager) == (at, wager)]
    came_back = (PaymentKind.PAY, PaymentKind.RETURN)
    back = sum(payment.units for payment in mine if payment.kind in came_back)
    counted = units(last.hands[at].wagers[wager]) * sheet.returns.get(line.hand, Fraction(0))
    if not by_meter and back != counted:
        yield f"{wager} {line.hand} {line.pays}: {back} came back, {counted} on the sheet, with {hand.cards}"


def expected(rules: Rules, wager: str, line: Line, stake: Cents, last: Round) -> Fraction:
    """Return what a line pays, in the ledger's units, by what is posted and nothing else."""
    pays, ratio = line.pays, line.pays.ratio
    if pays.basis in (Basis.LOSE, Basis.PUSH) or not_paid_as_read(rules, wager, line.hand):
        return Fraction(0)
    if pays.basis is Basis.METER:
        before = last.meter_before
        assert before is not None
        fed = sum(p.units for p in last.payments if _feeds_meter(p))
        return ratio * (before.value + fed)
    # What is for 1 has the stake in it; that of the Progressive was taken before the deal, and is gone.
    back = {Basis.TO: 0, Basis.FOR: -1}[pays.basis] + (wager == "progressive")
    return units(stake) * (ratio + back)


def _feeds_meter(payment: Payment) -> bool:
    return payment.kind is PaymentKind.CONTRIBUTION and str(payment.to).startswith("meter:")


def not_paid_as_read(rules: Rules, wager: str, hand: str) -> bool:
    """Whether a reading leaves a printed line unpaid: of ch. 575 those below nine-high."""
    below_nine_high = ("full_house", "flush", "three_of_a_kind", "straight")
    narrow = rules.readings.get("bonus_win_condition") == "nine_high_or_better"
    return narrow and wager == "bonus" and hand in below_nine_high
