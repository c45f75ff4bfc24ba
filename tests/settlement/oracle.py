"""Who gets what, worked out a second time: from the printed paytables and by brute force.

It shares nothing with ``houseway.settlement``, the meters, the ledger or the rankings. A card is its text
(``As``, ``Td``, ``Jk``), a wager is in cents, an answer in ten-thousandths of a cent. The readings are the
default ones; for California both choices of coverage and of order are known.
"""

from __future__ import annotations

import csv
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache, lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import houseway

DATA = Path(houseway.__file__).parent / "games" / "data"
RANKS = "23456789TJQKA"
SUITS = "cdhs"
JOKER = "Jk"
DECK = (*(rank + suit for rank in RANKS for suit in SUITS), JOKER)
ACE = 14
CENT = 10_000
ENVY_MINIMUM = 500
STATUTORY_RATE, STATUTORY_SEED = Fraction(21, 100), 5000

Card = str
Part = tuple[Card, ...]
Line = tuple[str, str]


@dataclass(frozen=True)
class Bet:
    """A person's wagers on one hand, in cents."""

    person: str
    wagers: Mapping[str, int]

    def on(self, wager: str) -> int:
        return self.wagers.get(wager, 0)


@dataclass(frozen=True)
class Hand:
    """A betting area: who sits there, who bets behind, what was dealt and how it was set."""

    position: int
    bet: Bet
    cards: Part
    parts: tuple[Part, ...] | None
    status: str = "played"
    behind: tuple[Bet, ...] = ()

    @property
    def person(self) -> str:
        return self.bet.person

    @property
    def bets(self) -> tuple[Bet, ...]:
        return (self.bet, *self.behind)


@dataclass(frozen=True)
class Jackpot:
    """A meter before the round: its value and reserve, what feeds them, what it restarts at (cents)."""

    value: int
    reserve: int
    to_meter: Fraction
    to_reserve: Fraction
    reset: int


@dataclass(frozen=True)
class Table:
    """A round to be settled."""

    game: str
    paytables: Mapping[str, str]
    dealer_cards: Part
    dealer: tuple[Part, ...]
    hands: tuple[Hand, ...]
    jackpot: Jackpot | None = None
    payout_limit: int | None = None
    banker: str | None = None
    bank: int = 0
    action: int = 1
    schedule: int = 0
    coverage: str = "ledger"
    order: str = "passes"
    void: bool = False


@dataclass
class Answer:
    """What everybody is up or down by, stakes included, and the meter afterwards."""

    people: dict[str, int]
    house: int = 0
    seed: int = 0
    meter: int | None = None
    reserve: int | None = None
    player_dealer: int | None = None


# --- cards ---------------------------------------------------------------------------------------


def rank(card: Card) -> int:
    """The joker, until it completes something, is an ace."""
    return ACE if card == JOKER else RANKS.index(card[0]) + 2


def naturals(cards: Iterable[Card]) -> list[Card]:
    return [card for card in cards if card != JOKER]


@lru_cache(maxsize=50_000)
def strength(cards: Part, *, wheel_lowest: bool) -> tuple[int, ...]:
    """What a part of one, two, four or five cards is worth: its category, then what decides within it."""
    hands = [by_groups(cards)]
    fillers = [c for c in DECK[:-1] if c not in cards] if JOKER in cards else []
    whole = [(*naturals(cards), c) for c in fillers] if JOKER in cards else [cards]
    hands += [sequence for hand in whole for sequence in by_sequence(hand, wheel_lowest=wheel_lowest)]
    return max(hands)


HIGH, PAIR, TWO_PAIR, TRIPS, STRAIGHT, FLUSH, FULL_HOUSE, QUADS, STRAIGHT_FLUSH, FIVE_ACES = range(10)
FOUR_ACES = STRAIGHT_FLUSH + 1
SHAPES = {
    (5,): FIVE_ACES,
    (4, 1): QUADS,
    (4,): QUADS,
    (3, 2): FULL_HOUSE,
    (3, 1, 1): TRIPS,
    (3, 1): TRIPS,
    (2, 2, 1): TWO_PAIR,
    (2, 2): TWO_PAIR,
    (2, 1, 1, 1): PAIR,
    (2, 1, 1): PAIR,
    (2,): PAIR,
}


def by_groups(cards: Sequence[Card]) -> tuple[int, ...]:
    """Pairs and the like; the joker is one more ace and nothing else."""
    counts = Counter(rank(card) for card in cards)
    groups = sorted(((n, r) for r, n in counts.items()), reverse=True)
    ranks = [r for _, r in groups]
    shape = tuple(n for n, _ in groups)
    if shape == (4,) and ranks == [ACE]:
        return (FOUR_ACES,)
    return (SHAPES.get(shape, HIGH), *ranks)


def by_sequence(cards: Sequence[Card], *, wheel_lowest: bool) -> Iterator[tuple[int, ...]]:
    """Straights and flushes of four or five cards, without a joker."""
    size = len(cards)
    if size < 4:
        return
    ranks = sorted((rank(card) for card in cards), reverse=True)
    flush = len({card[1] for card in cards}) == 1
    top = 0
    if all(high - low == 1 for high, low in pairwise(ranks)):
        top = 2 * ranks[0]
    elif ranks == [ACE, *range(size, 1, -1)]:
        top = 2 * size if wheel_lowest else 2 * ACE - 1
    if top:
        yield (STRAIGHT_FLUSH if flush else STRAIGHT, top)
    elif flush:
        yield (FLUSH, *ranks)


def outranks(shorter: Part, longer: Part) -> bool:
    """Whether a hand is above a longer one, compared by pair and ranks as far as both go."""
    mine, other = (strength(part, wheel_lowest=True) for part in (shorter, longer))
    if mine[0] != other[0]:
        return mine[0] > other[0]
    if mine[0] == PAIR:
        return mine[1] > other[1]
    length = min(len(mine), len(other))
    return mine[:length] > other[:length]


def sizes(game: str) -> tuple[int, ...]:
    return {"pa-670a": (5, 1), "ca-fpgp": (5, 2)}.get(game, (4, 2, 1))


def is_foul(game: str, parts: Sequence[Part]) -> bool:
    """A lower hand above a higher one, or hands of the wrong sizes."""
    if tuple(map(len, parts)) != sizes(game):
        return True
    return any(outranks(lower, higher) for higher, lower in pairwise(parts))


def result(table: Table, hand: Hand) -> str:
    """How the main wager of a played hand ends."""
    parts = hand.parts
    assert parts is not None
    if is_foul(table.game, parts):
        return "lose"
    wheel_lowest = table.game == "ca-fpgp"
    won = 0
    for mine, theirs in zip(parts, table.dealer, strict=True):
        joker_low = table.game == "pa-670a" and mine == (JOKER,)
        worth, against = (strength(part, wheel_lowest=wheel_lowest) for part in (mine, theirs))
        won += joker_low or worth > against
    if len(parts) == 3:
        return "win" if won >= 2 else "lose"
    return ("lose", "push", "win")[won]


# --- all the dealt cards -------------------------------------------------------------------------


class Dealt:
    """Everything a side wager may ask about all the dealt cards."""

    def __init__(self, cards: Part) -> None:
        self.cards = cards
        self.joker = JOKER in cards
        self.plain = naturals(cards)
        self.counts = Counter(rank(card) for card in cards)
        self.groups = sorted(self.counts.values(), reverse=True)

    def run(self, length: int, *, suited: bool, joker: bool, lowest_top: int = 5) -> bool:
        """Whether so many consecutive ranks are held; the joker may stand for one of them."""
        for suit in SUITS if suited else [""]:
            ranks = {rank(c) for c in self.plain if not suit or c[1] == suit}
            ranks |= {1} if ACE in ranks else set()
            for top in range(max(length, lowest_top), ACE + 1):
                missing = sum(r not in ranks for r in range(top - length + 1, top + 1))
                if missing <= (self.joker and joker):
                    return True
        return False

    def straight_flush(self, *, joker: bool = True) -> bool:
        return self.run(5, suited=True, joker=joker)

    def royal(self) -> bool:
        return self.run(5, suited=True, joker=True, lowest_top=ACE)

    def seven_run(self) -> bool:
        return len(self.cards) == 7 and self.run(7, suited=True, joker=True)

    def royal_match(self) -> bool:
        """A royal, the joker allowed, and besides it a king and a queen of one suit."""
        for suit in SUITS:
            pair = ("K" + suit, "Q" + suit)
            if set(pair) <= set(self.cards):
                rest = tuple(card for card in self.cards if card not in pair)
                if len(rest) == 5 and Dealt(rest).royal():
                    return True
        return False

    def flush(self) -> bool:
        return max(Counter(card[1] for card in self.plain).values()) + self.joker >= 5

    def straight(self) -> bool:
        return self.run(5, suited=False, joker=True)

    def full_house(self) -> bool:
        return self.groups[0] >= 3 and self.groups[1] >= 2

    def high_card(self, top: int) -> bool:
        return self.groups[0] == 1 and not (self.straight() or self.flush()) and max(self.counts) == top

    def nine_high_of_575(self) -> bool:
        return set(self.counts) in ({9, 8, 7, 6, 4, 3, 2}, {9, 8, 7, 5, 4, 3, 2})

    def trips_and_four_eights(self) -> bool:
        return self.groups[:2] == [4, 3] and self.counts[8] == 4


HIGH_CARDS = ("eight", "nine", "ten", "jack", "queen", "king", "ace")


def makes(dealt: Dealt, hand: str, game: str, wager: str) -> bool:
    """Whether the cards make a hand as a wager's paytable means it."""
    if hand == "nine_high" and game == "pa-575":
        return dealt.nine_high_of_575()
    if hand.endswith("_high"):
        return dealt.high_card(HIGH_CARDS.index(hand.removesuffix("_high")) + 8)
    if hand == "seven_card_straight_flush":
        return dealt.seven_run() and (wager == "progressive" or not dealt.joker)
    answers: dict[str, Callable[[], bool]] = {
        "three_of_a_kind_and_four_8s": dealt.trips_and_four_eights,
        "royal_flush_royal_match": dealt.royal_match,
        "seven_card_straight_flush_joker": lambda: dealt.joker and dealt.seven_run(),
        "five_aces": lambda: dealt.counts[ACE] == 5,
        "royal_flush": dealt.royal,
        "natural_straight_flush": lambda: dealt.straight_flush(joker=False),
        "straight_flush_joker": dealt.straight_flush,
        "straight_flush": dealt.straight_flush,
        "four_of_a_kind": lambda: dealt.groups[0] >= 4,
        "full_house": dealt.full_house,
        "flush": dealt.flush,
        "three_of_a_kind": lambda: dealt.groups[0] >= 3,
        "straight": dealt.straight,
        "three_pair": lambda: dealt.groups[:3] == [2, 2, 2],
    }
    return answers[hand]()


@cache
def printed(game: str) -> dict[str, Any]:
    with (DATA / game / "paytables.toml").open("rb") as file:
        return tomllib.load(file)


@cache
def lines(game: str, wager: str, paytable: str | None) -> tuple[Line, ...]:
    """The lines of a paytable, best first: a hand and what it pays."""
    for table in printed(game)["paytable"]:
        if table["wager"] == wager and paytable in (None, table["id"]):
            return tuple((line["hand"], line["pays"]) for line in table["lines"])
    raise LookupError(wager)


@lru_cache(maxsize=10_000)
def line_made(game: str, wager: str, paytable: str | None, cards: Part) -> Line:
    """The best line that the cards make, or nothing."""
    dealt = Dealt(cards)
    matching = (line for line in lines(game, wager, paytable) if makes(dealt, line[0], game, wager))
    return next(matching, ("nothing", "lose"))


def number(text: str) -> int:
    return int(text.replace(",", "").removeprefix("$"))


def won_on(pays: str, stake: int) -> int | None:
    """What a stake wins beyond itself; nothing on a push, none at all when it is lost."""
    if pays == "lose":
        return None
    if pays == "push":
        return 0
    above, kind, below = pays.split()
    returned = Fraction(stake * number(above), number(below)) + (stake if kind == "to" else 0)
    assert returned.denominator == 1
    return returned.numerator - stake


# --- envy ----------------------------------------------------------------------------------------


@cache
def envy_sums(game: str, wager: str, paytable: str | None, stake: int) -> dict[str, int]:
    """The fixed sums, in cents, that a wager of this size earns for each hand of another player."""
    tables = [e for e in printed(game).get("envy", ()) if e["wager"] == wager]
    tables = [e for e in tables if e.get("paytable") in (None, paytable)]
    if wager == "fortune" and stake < ENVY_MINIMUM:
        return {}
    for table in tables:
        if "stake" not in table or number(table["stake"]) * 100 == (500 if wager == "fortune" else stake):
            return {line["hand"]: number(line["pays"]) * 100 for line in table["lines"]}
    return {}


def envy(table: Table, wager: str) -> Iterator[tuple[Hand, int]]:
    """Every Envy Bonus: to whose area, and how much in cents."""
    paytable = table.paytables.get("fortune")
    for hand in table.hands:
        if hand.status != "played" or not hand.bet.on(wager):
            continue
        sums = envy_sums(table.game, wager, paytable, hand.bet.on(wager))
        for other in table.hands:
            if other.status == "void" or other.person == hand.person:
                continue
            if table.game == "ca-fpgp" and not other.bet.on("fortune"):
                continue
            line, _ = line_made(table.game, "fortune", paytable, other.cards)
            if line in sums:
                yield hand, sums[line]


# --- the house's games ---------------------------------------------------------------------------


@dataclass
class Meter:
    """A jackpot while it is paid out; everything in ten-thousandths of a cent."""

    jackpot: Jackpot
    half_up: bool
    value: int = 0
    reserve: int = 0
    seed: int = 0

    def __post_init__(self) -> None:
        self.value, self.reserve = self.jackpot.value, self.jackpot.reserve

    def feed(self, stake: int) -> int:
        to_meter, to_reserve = (
            int(rate * stake * CENT) for rate in (self.jackpot.to_meter, self.jackpot.to_reserve)
        )
        self.value += to_meter
        self.reserve += to_reserve
        return to_meter + to_reserve

    def share(self, percent: int) -> int:
        cents = Fraction(self.value * percent, 100 * CENT)
        paid = int(cents + Fraction(1, 2) if self.half_up else cents) * CENT
        self.value -= paid
        if percent == 100:
            self.seed -= self.jackpot.reset * CENT - self.value
            self.value = self.jackpot.reset * CENT + self.reserve
            self.reserve = 0
        return paid


def settle_house(table: Table) -> Answer:
    answer = Answer({hand.person: 0 for hand in table.hands})
    meter = Meter(table.jackpot, half_up=table.game == "pa-670a") if table.jackpot else None
    live = [] if table.void else sorted(table.hands, key=lambda hand: hand.position)
    live = [hand for hand in live if hand.status != "void"]
    for hand in live:
        stake = hand.bet.on("progressive")
        if stake:
            assert meter is not None
            give(answer, hand, -stake * CENT)
            answer.house -= meter.feed(stake)
    for hand in live:
        give(answer, hand, sum(plain_wagers(table, hand)) * CENT)
        if hand.bet.on("progressive") and hand.status == "played":
            assert meter is not None
            progressive(table, hand, answer, meter)
    for wager in ("fortune", "progressive") if live else ():
        for hand, cents in envy(table, wager):
            give(answer, hand, cents * CENT)
    if meter:
        answer.meter, answer.reserve, answer.seed = meter.value, meter.reserve, meter.seed
    return answer


def give(answer: Answer, hand: Hand, units: int) -> None:
    answer.people[hand.person] += units
    answer.house -= units


def plain_wagers(table: Table, hand: Hand) -> Iterator[int]:
    """What every wager but the progressive wins or loses, in cents; a payout limit holds the winnings."""
    placed = {wager: stake for wager, stake in hand.bet.wagers.items() if wager != "progressive"}
    if hand.status != "played":
        yield -sum(placed.values())
        return
    main = result(table, hand)
    on_main = {"win": 1, "push": 0, "lose": -1}[main]
    left = table.payout_limit
    for wager, stake in placed.items():
        if wager == "main":
            won: int | None = on_main * stake
        elif wager == "double_down":
            won = on_main * stake if dealer_has_eights(table.dealer_cards) else 0
        else:
            won = won_on(line_made(table.game, wager, table.paytables.get(wager), hand.cards)[1], stake)
        gain = -stake if won is None else won
        if left is not None and gain > 0:
            gain = min(gain, left)
            left -= gain
        yield gain


def dealer_has_eights(cards: Part) -> bool:
    """A pair of eights or better among the dealer's six cards."""
    dealt = Dealt(cards)
    pairs = [r for r, n in dealt.counts.items() if n >= 2]
    better = dealt.groups[0] >= 3 or len(pairs) >= 2 or dealt.straight() or dealt.flush()
    return better or (bool(pairs) and pairs[0] >= 8)


def progressive(table: Table, hand: Hand, answer: Answer, meter: Meter) -> None:
    stake = hand.bet.on("progressive")
    _, pays = line_made(table.game, "progressive", table.paytables.get("progressive"), hand.cards)
    if pays.endswith("% of meter"):
        answer.people[hand.person] += meter.share(int(pays.split("%")[0]))
        return
    won = won_on(pays, stake)
    if won is not None:
        give(answer, hand, (won + stake) * CENT)


# --- the player-dealer's bank --------------------------------------------------------------------


@dataclass
class Bank:
    """A player-dealer's wager as it is used up; in cents."""

    stake: int
    net_balance: bool
    collected: int = 0
    paid: int = 0
    people: dict[str, int] = field(default_factory=dict)

    def settle(self, person: str, owed: int) -> None:
        """Pay what a player is owed, or collect what he owes, as far as the wager covers it."""
        if self.net_balance:
            room = self.stake - (self.paid - self.collected) * (1 if owed > 0 else -1)
        else:
            room = self.stake - self.collected - self.paid
        moved = min(abs(owed), room)
        if owed > 0:
            self.paid += moved
        else:
            self.collected += moved
        self.people[person] = self.people.get(person, 0) + (moved if owed > 0 else -moved)


def settle_bank(table: Table) -> Answer:
    bank = Bank(table.bank, table.coverage == "net_balance")
    bank.people = {bet.person: 0 for hand in table.hands for bet in hand.bets}
    seats = {hand.position: hand for hand in table.hands}
    clockwise = [seats[s] for s in (*range(table.action, 8), *range(1, table.action)) if s in seats]
    live = [hand for hand in clockwise if hand.status != "void" and not table.void]
    kinds = ("main", "fortune")
    turns = [(hand, kind) for kind in kinds for hand in live]
    if table.order == "seat_by_seat":
        turns = [(hand, kind) for hand in live for kind in kinds]
    for hand, kind in turns:
        for bet in hand.bets:
            if bet.on(kind):
                bank.settle(bet.person, bank_owes(table, hand, kind, bet.on(kind)))
    due = list(envy(table, "fortune")) if live else []
    for hand in live:
        for cents in (cents for at, cents in due if at is hand):
            bank.settle(hand.person, cents)
    people = {person: cents * CENT for person, cents in bank.people.items()}
    return Answer(people, player_dealer=(bank.collected - bank.paid) * CENT)


def bank_owes(table: Table, hand: Hand, kind: str, stake: int) -> int:
    """What a player is owed for a wager before coverage; below nothing, what he owes."""
    if kind == "main":
        return {"win": stake, "push": 0, "lose": -stake}[result(table, hand)]
    won = won_on(line_made(table.game, kind, table.paytables.get(kind), hand.cards)[1], stake)
    return -stake if won is None else won


@cache
def bands(schedule: int, basis: str) -> tuple[tuple[int, int | None, int], ...]:
    """The bands of a collection schedule in cents: from, to (open above), fee."""
    with (DATA / "ca-fpgp" / "collection-bands.csv").open(encoding="utf-8", newline="") as file:
        rows = [r for r in csv.DictReader(file) if (r["schedule"], r["basis"]) == (str(schedule), basis)]
    return tuple(
        (100 * int(row["low"]), 100 * int(row["high"]) if row["high"] else None, int(100 * float(row["fee"])))
        for row in rows
    )


def flat_fee(schedule: int, basis: str, amount: int) -> int:
    for low, high, fee in bands(schedule, basis):
        if low <= amount and (high is None or amount <= high):
            return fee
    raise LookupError(amount)


def fees(table: Table) -> dict[str, int]:
    """What everybody pays before the deal, in cents: players on all they bet, the player-dealer on it all."""
    placed: Counter[str] = Counter()
    for hand in table.hands:
        for bet in hand.bets:
            placed[bet.person] += sum(bet.wagers.values())
    due = {table.banker or "": flat_fee(table.schedule, "player_dealer", placed.total())}
    if bands(table.schedule, "player_sum"):
        due |= {person: flat_fee(table.schedule, "player_sum", sum_) for person, sum_ in placed.items()}
    return due


def settle_by_hand(table: Table) -> Answer:
    """Work out who gets what."""
    return settle_bank(table) if table.game == "ca-fpgp" else settle_house(table)
