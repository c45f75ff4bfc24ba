"""Measures what people wait for, each beside named peers in the same run on the same machine."""

from __future__ import annotations

import gc
import json
import pickle
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from collections.abc import Set as AbstractSet
from functools import cache
from pathlib import Path
from statistics import median
from typing import Any

import eval7
import numpy as np
import phevaluator
import pokerkit
import treys
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from benchmarks.audits import audits
from benchmarks.bestplay import best
from benchmarks.durable import durable, long_history
from benchmarks.edited import edited
from benchmarks.floods import floods
from benchmarks.live_floor import floor, long_floor
from benchmarks.looking import looked_at
from benchmarks.measure import Measure
from benchmarks.painting import painting
from benchmarks.prepare import ROUNDS, SEED, Done, seeded_table
from benchmarks.restarts import restarts
from benchmarks.starting import starting
from houseway.cards import Deck, show
from houseway.games import example_submission, rules_for, verify_submission
from houseway.games import game as game_of
from houseway.houseways import compile_way, decide, house_way
from houseway.houseways.batch import set_hands
from houseway.houseways.proof import prove_way
from houseway.odds import side_odds
from houseway.ranking import ranking
from houseway.ranking.batch import bonus_categories, count_categories, strengths
from houseway.rng import SystemEntropy, shuffled
from houseway.rounds.chance import live
from houseway.rounds.codec import canonical, decode, encode
from houseway.rounds.deciding import act
from houseway.rounds.live import SETTLING, LiveTable
from houseway.rounds.replay import meters_after
from houseway.rounds.step import AnEvent, Command, Event

ALL_HANDS = 154_143_080
TURNS = 25
PEER_HANDS = 6
LINES = 1_000_000
FEW_ROUNDS = 20
PROCESSES = 5
IMPORT_BAR = 0.4
"""Importing what a server needs of the round of play takes less than this, in seconds of the processor."""
RESIDENT_BAR = 100
LOOKING_BAR, SLOW_BAR = 1_000, 4_000
"""A process that plays rounds of all five games holds less than this, in megabytes."""
MICROS = "µs"
BY_HAND: AbstractSet[str] = frozenset()
"""Nothing goes by itself."""


def per_second(
    work: Callable[[], object],
    times: int = 1,
    seconds: float = 1.0,
    clock: Callable[[], float] = time.perf_counter,
) -> float:
    """Return how many things a second the work does, if it does ``times`` at each call."""
    work()
    done, begin = 0, clock()
    while (spent := clock() - begin) < seconds:
        work()
        done += times
    return done / spent


def seconds_for(work: Callable[[], object]) -> float:
    """Return how long the work takes once, warm."""
    work()
    begin = time.perf_counter()
    work()
    return time.perf_counter() - begin


def random_hands(count: int, size: int, cards: int = 53) -> np.ndarray[Any, Any]:
    """Return random hands as rows of cards."""
    chance = np.random.default_rng(SEED)
    rows = [
        chance.permuted(np.tile(np.arange(cards, dtype=np.uint8), (10_000, 1)), axis=1)[:, :size]
        for _ in range(count // 10_000)
    ]
    return np.ascontiguousarray(np.concatenate(rows))


def categories() -> list[Measure]:
    """Seven-card categories with the joker in one batch, beside evaluators that have no batch call.

    The ratio is what a Python user gets, not core against core: the peers pay a call for each hand.
    """
    hands, order = random_hands(1_000_000, 7), ranking("pa-659a")
    ours = per_second(lambda: bonus_categories(order, "fortune", hands), len(hands))
    words = [
        [str(c) for c in random.Random(i).sample(Deck.standard(joker=False).cards, 7)] for i in range(5_000)
    ]
    numbers = [[phevaluator.Card(word).id_ for word in hand] for hand in words]
    sevens = [[eval7.Card(word) for word in hand] for hand in words]
    trey = treys.Evaluator()
    boards = [([treys.Card.new(w) for w in h[:5]], [treys.Card.new(w) for w in h[5:]]) for h in words]
    peers = {
        "phevaluator": lambda: [phevaluator.evaluate_cards(*hand) for hand in numbers],
        "eval7": lambda: [eval7.evaluate(hand) for hand in sevens],
        "treys": lambda: [trey.evaluate(board, hand) for board, hand in boards],
    }
    what = "seven-card Fortune categories, a batch, one core"
    return [
        Measure(what, ours, "hands/s", f"{name}, no joker, one call a hand", per_second(work, len(words)))
        for name, work in peers.items()
    ]


def enumeration() -> list[Measure]:
    """Every hand there is, and every hand set by a house way."""
    order = ranking("pa-659a")
    counted = seconds_for(lambda: count_categories(order, "fortune", 7))
    measures = [Measure(f"all {ALL_HANDS:,} seven-card hands categorised", counted, "s")]
    for name in ("houseway-421", "ca-fpgp", "pa-670a"):
        program = compile_way(house_way(name))
        measures.append(
            Measure(f"{name} proven over every hand", seconds_for(lambda p=program: prove_way(p)), "s")
        )
    return measures


def lines() -> list[Measure]:
    """A million lines through the command line, process start included."""
    chance, deck = random.Random(SEED), Deck.standard().cards
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "hands.txt"
        path.write_text("".join(show(chance.sample(deck, 7)) + "\n" for _ in range(LINES)))
        words = [sys.executable, "-m", "houseway", "set", "pa-659a", "-", "--json"]
        begin = time.perf_counter()
        with path.open("rb") as file:
            subprocess.run(words, stdin=file, stdout=subprocess.DEVNULL, check=True)
        spent = time.perf_counter() - begin
    return [Measure(f"{LINES:,} lines through houseway set - --json", LINES / spent, "lines/s")]


def rounds() -> list[Measure]:
    """Whole six-player rounds with every wager, all steps decided and folded, beside a poker library's.

    The players' commands are prepared beforehand, in a process of their own, so that nothing is known of
    any hand; shuffling, the dealer's house way, every condition and every payment are not. No kernel is
    loaded: so does a server play. The first line of a game commands every step; in the second a hand that is
    opened is settled and racked by the table itself, as the peer, with all its automations, plays no-limit
    hold'em: six players calling down to a showdown. Both take turns, twenty rounds to six hands; the middle
    one of the turns is given, by one core's own time. The bar is five times the peer in each of these lines.
    """
    measures = []
    peer = "pokerkit, six players to a showdown"
    for game in ("pa-575", "pa-659a", "pa-670a", "wa-fap", "ca-fpgp"):
        for automated, said in ((BY_HAND, "every step commanded"), (SETTLING, "settling by itself")):
            commands = prepared(game, automated)
            rate, peer_rate = by_turns(game, commands, automated)
            each = len(commands) / (2 * ROUNDS)
            what = f"{game}: six-player rounds, every wager, {said}: {each:.0f} commands"
            measures.append(Measure(what, rate, "rounds/s", peer, peer_rate))
            if automated is BY_HAND:
                measures.append(Measure("  act: a command decided and folded", 1e6 / rate / each, MICROS))
                measures += written_down(game, commands)
                middle, slow = looked_at(game, commands)
                views = "  views and options of ten people after a command"
                measures.append(Measure(views, middle * 1e6, MICROS, "the bar", LOOKING_BAR))
                measures.append(
                    Measure(f"{views}, one in a hundred", slow * 1e6, MICROS, "the bar", SLOW_BAR)
                )
    return measures + serving()


def serving() -> list[Measure]:
    """A fresh process that imports what a server needs, then plays rounds of all five games; the middle
    one of a few such processes.
    """
    words = [sys.executable, "-m", "benchmarks.serve"]
    runs = [
        json.loads(subprocess.run(words, capture_output=True, check=True).stdout) for _ in range(PROCESSES)
    ]
    cpu, resident = (median(run[what] for run in runs) for what in ("import", "resident"))
    return [
        Measure("serving: processor's time to import the round of play", cpu, "s", "the bar", IMPORT_BAR),
        Measure("serving: resident after rounds of five games", resident, "MB", "the bar", RESIDENT_BAR),
    ]


def written_down(game: str, commands: list[Done]) -> list[Measure]:
    """Events of some rounds written as canonical JSON and read again, one at a time."""
    table, events = seeded_table(rules_for(example_submission(game))), list[AnEvent]()
    for by, action in commands:
        events += table.do(by, action)
        if table.table.rounds >= FEW_ROUNDS:
            break
    texts = [encode(event) for event in events]
    encoding = per_second(lambda: [encode(event) for event in events], len(events), clock=time.process_time)
    decoding = per_second(
        lambda: [decode(Event, text) for text in texts], len(events), clock=time.process_time
    )
    size = sum(len(canonical(event)) for event in events) / FEW_ROUNDS
    return [
        Measure("  encode: an event as canonical JSON", 1e6 / encoding, MICROS),
        Measure("  decode: an event read again", 1e6 / decoding, MICROS),
        Measure("  canonical JSON of a round's events", size, "bytes"),
    ]


def by_turns(game: str, commands: list[Done], automated: AbstractSet[str]) -> tuple[float, float]:
    """Return how many rounds a second the commands play, after half of them; and the peer's beside them."""
    rules = rules_for(example_submission(game))
    table, half = seeded_table(rules, automated), len(commands) // 2
    play(table, commands[:half])
    each, rates, peer_rates = half / ROUNDS, [], []
    holdem()
    gc.collect()
    gc.freeze()  # what is loaded stays, as in a service; neither side pays for looking through it
    for turn in range(TURNS):
        left, right = (half + half * end // TURNS for end in (turn, turn + 1))
        begin = time.process_time()
        play(table, commands[left:right])
        between = time.process_time()
        for _ in range(PEER_HANDS):
            holdem()
        rates.append((right - left) / each / (between - begin))
        peer_rates.append(PEER_HANDS / (time.process_time() - between))
    gc.unfreeze()
    return median(rates), median(peer_rates)


def prepared(game: str, automated: AbstractSet[str]) -> list[Done]:
    """Return what is commanded in so many rounds, prepared by a process that then forgets it."""
    words = [sys.executable, "-m", "benchmarks.prepare", game, *sorted(automated)]
    done = subprocess.run(words, capture_output=True, check=True)
    found: list[Done] = pickle.loads(done.stdout)
    return found


def play(at: LiveTable, commands: list[Done]) -> None:
    """Decide and fold commands, with the chance they were prepared with; no record is written."""
    rules, table, meters = at.rules, at.table, dict(at.meters)
    moment = live(at.now, at.entropy, at.vault, meters)
    for by, action in commands:
        events, table = act(rules, table, Command(by, action, id="measured"), moment)
        after = meters_after(meters, events)
        if after != meters:
            meters, moment = after, live(at.now, at.entropy, at.vault, after)
    at.table = table
    at.meters.update(meters)


def holdem() -> None:
    """Play a six-player hand of hold'em with the peer, everybody calling."""
    everything = tuple(pokerkit.Automation)
    state = pokerkit.NoLimitTexasHoldem.create_state(everything, True, 0, (1, 2), 2, 200, 6)
    while state.status:
        state.check_or_call()


def exact() -> list[Measure]:
    """The main game exactly, each from a fresh process with compiled kernels and no stored tables.

    The one published exact analysis of the 5-2 game, of 2013, took two to three months. Racing every pair
    of hands one after another at the rate measured here would take what the second line of each says.
    """
    measures = []
    for game, what in (("ref-pgp", "5-2, Foxwoods"), ("pa-659a", "4-2-1"), ("pa-670a", "5-1")):
        words = [sys.executable, "-m", "houseway", "odds", game, "--wager", "main", "--recount", "--json"]
        begin = time.perf_counter()
        done = subprocess.run(words, capture_output=True, check=True, text=True)
        spent = time.perf_counter() - begin
        deals = json.loads(done.stdout)["main"]["deals"]
        measures.append(Measure(f"{game}: main game exactly ({what}), {deals:,} deals", spent, "s"))
        years = deals / races() / 86_400 / 365
        measures.append(Measure("  the same, racing pair after pair with a kernel", years, "years"))
    for game in ("pa-575", "pa-659a", "pa-670a", "wa-fap", "ca-fpgp"):
        found = game_of(game)
        tables = [table for table in found.paytable if table.wager not in ("main", "double_down")]
        count_categories(ranking("pa-575"), "bonus", 7)  # the kernel is loaded; what it counts is not kept
        begin = time.perf_counter()
        for one in tables:
            side_odds(found, one)
        spent = time.perf_counter() - begin
        measures.append(Measure(f"{game}: all {len(tables)} side paytables exactly", spent, "s"))
    return measures


@cache
def races() -> float:
    """Return how many pairs of hands a second the batch kernels set and compare."""
    program, hands = compile_way(house_way("houseway-421")), random_hands(200_000, 7)
    order = program.ranking

    def race() -> None:
        found = set_hands(program, hands)
        for part, name in enumerate(order.part_names):
            strengths(order, name, found.parts(part))

    return per_second(race, len(hands)) / 2


def single() -> list[Measure]:
    """One thing at a time, as a table asks for it."""
    deck, system, plain = Deck.standard().cards, SystemEntropy(), random.Random(1)
    program, hand = compile_way(house_way("houseway-421")), random.Random(2).sample(deck, 7)
    submission = example_submission("pa-659a")
    return [
        Measure(
            "fair shuffle, operating system's bytes",
            per_second(lambda: shuffled(deck, system)),
            "decks/s",
            "random.sample",
            per_second(lambda: plain.sample(deck, len(deck))),
        ),
        Measure(
            "one hand set and explained, no kernel",
            per_second(lambda: decide(program, hand, explain=True)),
            "hands/s",
        ),
        Measure("rules submission judged", per_second(lambda: verify_submission(submission)), "documents/s"),
    ]


def show_table(measures: list[Measure]) -> None:
    """Print the table."""
    table = Table(
        "what", "houseway", "peer", "the peer", "ratio", title="this machine, this run", title_justify="left"
    )
    for m in measures:
        digits = {"s": 2, MICROS: 1, "ms": 1}.get(m.unit, 0)
        ours = f"{m.rate:,.{digits}f} {m.unit}"
        theirs = f"{m.peer_rate:,.{digits}f} {m.unit}" if m.peer_rate else ""
        table.add_row(m.what, ours, m.peer, theirs, f"{m.rate / m.peer_rate:,.2f}" if m.peer_rate else "")
    Console(width=150).print(table)


def main() -> None:
    """Run every measure but the longest, or those named on the command line, with a bar meanwhile."""
    usual = (
        starting,
        categories,
        enumeration,
        exact,
        edited,
        best,
        lines,
        rounds,
        single,
        durable,
        audits,
        painting,
        floor,
        floods,
        restarts,
    )
    every = {part.__name__: part for part in (*usual, long_floor, long_history)}
    parts = [every[name] for name in sys.argv[1:]] or usual
    with Progress(transient=True) as bar:
        measures = [m for part in bar.track(parts, description="measuring") for m in part()]
    show_table(measures)


if __name__ == "__main__":
    main()
