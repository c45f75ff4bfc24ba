"""Random tables of every game, by seed: once as the oracle reads them, once as a round to settle."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import NamedTuple

from houseway.cards import Card, Cards
from houseway.games import Rules, Submission, example_submission, rules_for
from houseway.games.submission import ProgressiveChoice
from houseway.houseways import CompiledWay, compile_way, decide, house_way
from houseway.houseways.proof import Reference
from houseway.meters import Meter
from houseway.money import Cents
from houseway.settlement import Area, Banker, Bettor, Showdown, Status, meter_terms
from tests.settlement.oracle import (
    CENT,
    DECK,
    JOKER,
    RANKS,
    STATUTORY_RATE,
    STATUTORY_SEED,
    SUITS,
    Bet,
    Hand,
    Jackpot,
    Part,
    Table,
    is_foul,
    line_made,
    sizes,
)

GAMES = ("pa-575", "pa-659a", "pa-670a", "wa-fap", "ca-fpgp")
PENNSYLVANIA = GAMES[:3]
CARD = {text: Card(4 * RANKS.index(text[0]) + SUITS.index(text[1])) for text in DECK[:-1]} | {JOKER: Card(52)}
TEXT = {card: text for text, card in CARD.items()}
HANDS = 7


class Dealt(NamedTuple):
    """A table as the oracle reads it, and the same table as a round."""

    table: Table
    round: Showdown


@dataclass(frozen=True)
class Choices:
    """What a submission chose besides the example: paytables, progressive figures, readings."""

    game: str
    paytables: tuple[tuple[str, str], ...] = ()
    payout_limit: int | None = None
    amount: int = 100
    rate: str = ""
    reserve: str = ""
    schedule: int | None = None
    readings: tuple[tuple[str, str], ...] = ()


@cache
def rules_of(choices: Choices) -> Rules:
    """Return the rules of an example submission with these choices, judged lawful."""
    example = example_submission(choices.game)
    wagers = dict(example.wagers)
    for wager, paytable in choices.paytables:
        wagers[wager] = wagers[wager].model_copy(update={"paytable": paytable})
    update: dict[str, object] = {"wagers": wagers, "readings": dict(choices.readings)}
    if choices.game in PENNSYLVANIA:
        update["table"] = example.table.model_copy(update={"adjacent_areas": True})
    if choices.payout_limit:
        update["payout_limit"] = Cents(choices.payout_limit)
    if choices.schedule:
        update["collection_schedule"] = choices.schedule
    if example.progressive:
        update["progressive"] = progressive_of(example.progressive, choices)
    return rules_for(Submission.model_validate(example.model_copy(update=update)))


def progressive_of(progressive: ProgressiveChoice, choices: Choices) -> ProgressiveChoice:
    update: dict[str, object] = {"amount": Cents(choices.amount)}
    if choices.game == "pa-670a":
        seed = Cents(STATUTORY_SEED * choices.amount)
        update |= {"initial": seed, "reset": seed}
    else:
        update |= {"contribution": rate_of(choices.rate), "reserve": rate_of(choices.reserve)}
    return progressive.model_copy(update=update)


def rate_of(percent: str) -> Fraction:
    return Fraction(percent) / 100


@cache
def way_of(game: str) -> tuple[CompiledWay, Reference]:
    rules = rules_of(Choices(game, rate="20", reserve="1"))
    program = compile_way(house_way(rules.submission.house_way or ""), base=rules.ranking())
    return program, Reference(program)


def deal(game: str, seed: int) -> Dealt:
    """Return the table of a game that a seed stands for."""
    chance = random.Random(f"{game} {seed}")
    return deal_california(chance) if game == "ca-fpgp" else deal_house(game, chance)


# --- cards ---------------------------------------------------------------------------------------

Maker = Callable[[random.Random], list[str]]


def of_a_kind(count: int) -> Maker:
    def make(chance: random.Random) -> list[str]:
        rank = chance.choice(RANKS)
        return [rank + suit for suit in chance.sample(SUITS, count)]

    return make


def run_of(length: int, *, top: str | None = None, joker: bool = False) -> Maker:
    """A straight flush; the ace may be low, and the joker may stand for any of its cards."""

    def make(chance: random.Random) -> list[str]:
        ranks = "A" + RANKS
        end = ranks.rindex(top) + 1 if top else chance.randrange(length, len(ranks) + 1)
        suit = chance.choice(SUITS)
        cards = [rank + suit for rank in ranks[end - length : end]]
        if joker:
            cards[chance.randrange(length)] = JOKER
        return cards

    return make


def five_aces(_chance: random.Random) -> list[str]:
    return [*("A" + suit for suit in SUITS), JOKER]


def royal_match(chance: random.Random) -> list[str]:
    royal, other = chance.sample(SUITS, 2)
    cards = [rank + royal for rank in "AKQJT"]
    if chance.random() < 0.5:
        cards[chance.randrange(5)] = JOKER
    return [*cards, "K" + other, "Q" + other]


def groups(*counts: int) -> Maker:
    def make(chance: random.Random) -> list[str]:
        ranks = chance.sample(RANKS, len(counts))
        return [
            r + suit for r, count in zip(ranks, counts, strict=True) for suit in chance.sample(SUITS, count)
        ]

    return make


def eights_and_trips(chance: random.Random) -> list[str]:
    trips = of_a_kind(3)(chance) if chance.random() < 0.5 else [*chance.sample(["Ac", "Ad", "Ah"], 2), JOKER]
    return [*("8" + suit for suit in SUITS), *trips]


def nothing(chance: random.Random) -> list[str]:
    ranks = chance.choice(["9876432", "9875432", "T986432", "T987532", "JT98642", "QJ98643", "KQT8653"])
    return [rank + chance.choice(SUITS) for rank in ranks]


def trips_and_straight(chance: random.Random) -> list[str]:
    low = chance.randrange(9)
    cards = [rank + chance.choice(SUITS) for rank in RANKS[low : low + 5]]
    same = [cards[0][0] + suit for suit in SUITS if cards[0][0] + suit != cards[0]]
    return [*cards, *same[:2]]


def suited(chance: random.Random) -> list[str]:
    suit = chance.choice(SUITS)
    return [rank + suit for rank in chance.sample(RANKS, 5)]


MAKERS: tuple[Maker, ...] = (
    of_a_kind(4),
    of_a_kind(4),
    run_of(5),
    run_of(5, joker=True),
    run_of(5, top="A"),
    run_of(5, top="A"),
    run_of(5, top="A", joker=True),
    five_aces,
    five_aces,
    run_of(7),
    run_of(7),
    run_of(7, joker=True),
    royal_match,
    groups(3, 2),
    groups(2, 2, 2),
    groups(3, 3),
    eights_and_trips,
    nothing,
    nothing,
    trips_and_straight,
    suited,
)
JACKPOTS: tuple[Maker, ...] = (
    run_of(7),
    run_of(7),
    run_of(7, joker=True),
    five_aces,
    run_of(5, top="A"),
    run_of(5, top="A"),
)


def stacks(game: str, chance: random.Random) -> list[Part]:
    """Deal seven stacks from one deck, often with something rare in some of them."""
    size = sum(sizes(game))
    deck = list(DECK)
    chance.shuffle(deck)
    special: list[list[str]] = []
    makers = JACKPOTS if chance.random() < 0.15 else MAKERS
    for _ in range(chance.choice([0, 0, 1, 2, 3, 4, 6])):
        wanted = list(dict.fromkeys(chance.choice(makers)(chance)))[:size]
        if all(card in deck for card in wanted):
            special.append(wanted)
            deck = [card for card in deck if card not in wanted]
    while len(special) < HANDS:
        special.append([])
    chance.shuffle(special)
    dealt = []
    for cards in special:
        missing = size - len(cards)
        dealt.append(tuple(chance.sample([*cards, *deck[:missing]], size)))
        deck = deck[missing:]
    return dealt


def split(cards: Sequence[str], parts: Sequence[int]) -> tuple[Part, ...]:
    areas, at = [], 0
    for size in parts:
        areas.append(tuple(cards[at : at + size]))
        at += size
    return tuple(areas)


def house_set(game: str, cards: Part) -> tuple[Part, ...]:
    program, reference = way_of(game)
    parts = decide(program, in_cards(cards), reference.strength).setting
    return tuple(tuple(TEXT[card] for card in part) for part in parts)


def set_by_player(game: str, cards: Part, chance: random.Random, *, foul: bool) -> tuple[Part, ...]:
    """Set a hand at random, legally or foul; sometimes in the wrong sizes where that is a foul."""
    if foul and game in ("pa-575", "pa-659a") and chance.random() < 0.3:
        return split(cards, chance.choice([(3, 3, 1), (5, 1, 1), (4, 1, 2)]))
    order = list(cards)
    for _ in range(100):
        chance.shuffle(order)
        parts = split(order, sizes(game))
        if is_foul(game, parts) is foul:
            return parts
    return house_set(game, cards)


def in_cards(part: Part) -> Cards:
    return tuple(CARD[card] for card in part)


# --- the house's games ---------------------------------------------------------------------------


def choose(game: str, chance: random.Random) -> Choices:
    """Choose paytables and figures that the law allows."""
    if game == "pa-575":
        limit = chance.choice([None, None, 5_000_000, 7_500_000])
        return Choices(game, (("bonus", chance.choice("ABC")),), payout_limit=limit)
    if game == "pa-659a":
        tables = (("fortune", chance.choice("ABCD")), ("insurance", chance.choice("ABC")))
        rate = chance.choice(["29", "29", "12.5", "33.33"])
        return Choices(game, tables, amount=chance.choice([100, 500]), rate=rate, reserve="0")
    if game == "pa-670a":
        return Choices(game, amount=chance.choice([100, 500]))
    posted = (("fortune", "sample"), ("insurance", "sample"), ("progressive", "example"))
    rate, reserve = chance.choice([("24", "2"), ("20.5", "1.25"), ("24", "0")])
    return Choices(game, posted, amount=chance.choice([100, 500]), rate=rate, reserve=reserve)


def jackpot_of(choices: Choices, chance: random.Random) -> Jackpot:
    if choices.game == "pa-670a":
        value = chance.randrange(100_000, 9_000_000) * CENT
        return Jackpot(value, 0, STATUTORY_RATE, Fraction(0), STATUTORY_SEED * choices.amount)
    reset = 290_000 if choices.game == "pa-659a" else 1_000_000
    reserve = chance.randrange(0, 50_000 * CENT, 2500) if choices.reserve != "0" else 0
    value = chance.randrange(100_000 * CENT, 3_000_000 * CENT, 100)
    return Jackpot(value, reserve, rate_of(choices.rate), rate_of(choices.reserve), reset)


def dollars_between(chance: random.Random, low: int, high: int, *likely: int) -> int:
    return 100 * (chance.choice(likely) if likely and chance.random() < 0.5 else chance.randint(low, high))


def wagers_of(choices: Choices, chance: random.Random, status: str) -> dict[str, int]:
    """Place wagers within the example submission; who surrenders has no optional wager."""
    game = choices.game
    placed = {"main": dollars_between(chance, 5, 200 if game == "wa-fap" else 500, 5, 25)}
    if status == "surrendered":
        return placed
    optional = {
        "double_down": placed["main"],
        "bonus": dollars_between(chance, 5, 100, 5),
        "fortune": dollars_between(chance, 1, 100, 1, 4, 5, 6),
        "insurance": dollars_between(chance, 1, 100, 1, 5),
        "progressive": choices.amount,
    }
    offered = rules_of(choices).submission.wagers
    return placed | {w: cents for w, cents in optional.items() if w in offered and chance.random() < 0.65}


def status_of(game: str, chance: random.Random) -> str:
    statuses = ["played"] * 12 + ["abandoned", "void"]
    if game in ("pa-575", "pa-659a"):
        statuses.append("surrendered")
    return chance.choice(statuses)


def people_at(game: str, positions: list[int], chance: random.Random) -> dict[int, str]:
    """Seat a person at each position; in Pennsylvania one may bet on two adjacent areas."""
    people = {position: f"player {position}" for position in positions}
    if game in PENNSYLVANIA and chance.random() < 0.4:
        for position in positions:
            if position + 1 in people and chance.random() < 0.5:
                people[position + 1] = people[position]
                break
    return people


def deal_house(game: str, chance: random.Random) -> Dealt:
    choices = choose(game, chance)
    dealer, *others = stacks(game, chance)
    positions = sorted(chance.sample(range(2, 8), chance.randint(1, 6)))
    people = people_at(game, positions, chance)
    hands: list[Hand] = []
    for position, cards in zip(positions, others, strict=False):
        status = status_of(game, chance)
        wagers = wagers_of(choices, chance, status)
        parts = set_by_player(game, cards, chance, foul=chance.random() < 0.08)
        hands.append(Hand(position, Bet(people[position], wagers), cards, parts, status))
    chance.shuffle(hands)
    table = Table(
        game,
        dict(choices.paytables),
        dealer,
        house_set(game, dealer),
        tuple(hands),
        jackpot=jackpot_of(choices, chance) if game != "pa-575" else None,
        payout_limit=choices.payout_limit,
        void=chance.random() < 0.05,
    )
    return Dealt(table, as_round(table, rules_of(choices)))


def takes_a_share(game: str, hand: Hand) -> bool:
    """Whether a hand is paid a share of the meter."""
    if not hand.bet.on("progressive") or hand.status != "played":
        return False
    return "meter" in line_made(game, "progressive", None, hand.cards)[1]


# --- California ----------------------------------------------------------------------------------


def bet_in_california(person: str, least: int, chance: random.Random) -> Bet:
    """Place whole dollars within the table limit, and where players pay by the sum, in its bands."""
    placed = {"main": dollars_between(chance, max(5, least), 500, 10, 20, 50, 100)}
    if chance.random() < 0.75:
        placed["fortune"] = dollars_between(chance, least, 60, 10 if least >= 10 else 4, 10)
    return Bet(person, placed)


def deal_california(chance: random.Random) -> Dealt:
    schedule, least = chance.choice([(40, 10), (2, 3)])
    readings = {
        "ca_coverage": chance.choice(["ledger", "net_balance"]),
        "ca_settlement_order": chance.choice(["passes", "seat_by_seat"]),
    }
    choices = Choices("ca-fpgp", schedule=schedule, readings=tuple(readings.items()))
    dealer, *others = stacks("ca-fpgp", chance)
    bank_seat, *seats = chance.sample(range(1, 8), chance.randint(2, 7))
    people = {seat: f"player {seat}" for seat in seats}
    if len(seats) > 1 and chance.random() < 0.3:
        people[seats[1]] = people[seats[0]]
    hands: list[Hand] = []
    for seat, cards in zip(seats, others, strict=False):
        behind = {f"behind {seat}"} if chance.random() < 0.3 else set()
        behind |= {chance.choice([*people.values(), "behind all"])} if chance.random() < 0.3 else set()
        bets = [bet_in_california(person, least, chance) for person in sorted(behind - {people[seat]})]
        seated = bet_in_california(people[seat], least, chance)
        parts = set_by_player("ca-fpgp", cards, chance, foul=False)
        status = "void" if chance.random() < 0.06 else "played"
        hands.append(Hand(seat, seated, cards, parts, status, tuple(bets)))
    table = Table(
        "ca-fpgp",
        {"fortune": "approved"},
        dealer,
        house_set("ca-fpgp", dealer),
        tuple(hands),
        banker="player-dealer",
        bank=dollars_between(chance, 10, 3000, 50, 100, 300, 100_000),
        action=chance.choice([seat for seat in range(1, 8) if seat != bank_seat]),
        schedule=schedule,
        coverage=readings["ca_coverage"],
        order=readings["ca_settlement_order"],
        void=chance.random() < 0.05,
    )
    return Dealt(table, as_round(table, rules_of(choices)))


# --- as rounds -----------------------------------------------------------------------------------


def as_round(table: Table, rules: Rules) -> Showdown:
    """Return the same table for ``houseway.settlement``."""
    jackpot = table.jackpot
    return Showdown(
        rules=rules,
        dealer_cards=in_cards(table.dealer_cards),
        dealer_setting=tuple(map(in_cards, table.dealer)),
        areas=tuple(as_area(hand) for hand in table.hands),
        meter=Meter(meter_terms(rules), jackpot.value, jackpot.reserve) if jackpot else None,
        banker=Banker(table.banker, Cents(table.bank)) if table.banker else None,
        action=table.action if table.banker else None,
        void="a dealer card was exposed" if table.void else None,
    )


def as_area(hand: Hand) -> Area:
    bettor, *behind = (
        Bettor(bet.person, {wager: Cents(cents) for wager, cents in bet.wagers.items()}, backline=index > 0)
        for index, bet in enumerate(hand.bets)
    )
    settled = hand.status in ("surrendered", "abandoned", "void")
    return Area(
        position=hand.position,
        bettor=bettor,
        cards=in_cards(hand.cards),
        setting=None if settled or hand.parts is None else tuple(map(in_cards, hand.parts)),
        status=Status(hand.status),
        behind=tuple(behind),
    )
