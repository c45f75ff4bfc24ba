"""The table's own chance, driven through its steps: dice, numbers, shuffles, decks that came shuffled.

The seeds are fixed, so nothing here can fail by bad luck.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping
from datetime import datetime, timedelta, timezone
from fractions import Fraction
from functools import cache
from itertools import combinations, pairwise, product
from typing import Any, TypeVar

import pytest

from houseway.cards import Cards
from houseway.errors import InvalidInputError
from houseway.rng import SeededEntropy
from houseway.rounds.chance import EntropyChance, Moment, Vault
from houseway.rounds.live import LiveTable
from houseway.rounds.state import Phase
from houseway.rounds.step import Actor
from houseway.rounds.steps.shaker import AnnounceTotal
from tests.games.support import Changes, rules
from tests.rounds.california import MANUAL as CARDROOM_MANUAL
from tests.rounds.california import Cardroom, banked
from tests.rounds.commands import as_action
from tests.rounds.table import (
    AUTOMATED,
    BY_HAND,
    DEALER,
    GENERATOR,
    MANUAL,
    SHAKER,
    SHUFFLER,
    TestTable,
    order_of,
)
from tests.rounds.washington import ready

T = TypeVar("T", bound=Hashable)
H = TypeVar("H", bound=Hashable)


def again(table: TestTable, seed: str | int) -> LiveTable:
    """Return the table as it stands, with chance from another seed."""
    return LiveTable(table.rules, SeededEntropy(seed), table.now, table.live.table, dict(table.live.meters))


def by_seed(
    table: TestTable,
    count: int,
    look: Callable[[LiveTable], T],
    step: str,
    by: Actor = DEALER,
    **details: Any,
) -> list[T]:
    """Take a step under so many seeds, always at the same table; return what was found after each."""
    action, outcomes = as_action(step, None, details, table.rules), []
    for seed in range(count):
        live = again(table, seed)
        live.do(by, action)
        outcomes.append(look(live))
    return outcomes


def in_a_row(
    table: TestTable,
    count: int,
    look: Callable[[LiveTable], T],
    step: str,
    by: Actor = DEALER,
    **details: Any,
) -> list[T]:
    """Take a step so often at the same table, chance going on where it stopped, as from round to round."""
    action, outcomes = as_action(step, None, details, table.rules), []
    live = again(table, "in a row")
    state, meters = live.table, dict(live.meters)
    for _ in range(count):
        live.do(by, action)
        outcomes.append(look(live))
        live.table, live.meters, live.turns = state, dict(meters), []
    return outcomes


def start(live: LiveTable) -> int:
    """Return the starting position."""
    assert live.table.round.start is not None
    return live.table.round.start


def dice(live: LiveTable) -> tuple[int, ...]:
    """Return what the dice show."""
    return live.table.round.dice


def order(live: LiveTable) -> Cards:
    """Return the sealed order of the deck at the table."""
    (deck,) = live.table.decks.values()
    assert deck.commitment is not None
    return live.vault.open(deck.commitment).order


# --- whether chance was fair --------------------------------------------------------------------------


def unlikely(seen: Iterable[H], expected: Mapping[H, Fraction]) -> float:
    """Return how far off a sample is: its chi-square less its mean, in standard deviations.

    Six of them or more happen by chance about once in a hundred million samples; nothing but what is
    expected may have been seen.
    """
    counts = Counter(seen)
    assert counts.keys() <= expected.keys()
    total, freedom = counts.total(), len(expected) - 1
    square = sum(
        float((counts[what] - total * part) ** 2 / (total * part)) for what, part in expected.items()
    )
    return (square - freedom) / float((2 * freedom) ** 0.5)


def evenly(outcomes: Iterable[H]) -> dict[H, Fraction]:
    """Return the same part for each outcome."""
    every = list(outcomes)
    return dict.fromkeys(every, Fraction(1, len(every)))


clause = pytest.mark.clause
FAR_OFF = 6.0
"""Standard deviations; see ``unlikely``."""
PENNSYLVANIA = ("pa-575", "pa-659a", "pa-670a")
FACES = range(1, 7)
POSITIONS = range(1, 8)
ROLLS = list(product(FACES, repeat=3))


def marked(*rows: tuple[str, ...]) -> Any:
    """Run a test once for each row of a case and a clause, marked with the clause."""
    return [pytest.param(*row, marks=clause(row[-1]), id=row[-1]) for row in rows]


@pytest.mark.parametrize("hours", [-1, 0, 1])
def test_a_moment_is_one_of_universal_time_by_whatever_name_and_of_no_other(hours: int) -> None:
    entropy = SeededEntropy("moment")
    now = datetime(2026, 1, 5, 12, tzinfo=timezone(timedelta(hours=hours), "here"))
    if hours:
        with pytest.raises(InvalidInputError, match="a moment is an instant of universal time"):
            Moment(now, EntropyChance(entropy), Vault(entropy))
    else:
        assert Moment(now, EntropyChance(entropy), Vault(entropy)).now == now


# --- a number from 1 to 7 -----------------------------------------------------------------------------


NUMBERED = [
    ("pa-575", "manual_shoe", "pa575.5.g.2.s1"),
    ("pa-575", "hand", "pa575.5.g.2.s2"),
    ("pa-659a", "hand", "pa659a.5.g.2.s1"),
    ("pa-659a", "automated_shoe", "pa659a.5.g.2.s2"),
    ("pa-670a", "automated_shoe", "pa670a.5.i.2.s1"),
    ("pa-670a", "manual_shoe", "pa670a.5.i.2.s2"),
    ("wa-fap", "iverify_hwv", "wa.fap.iverify.3.random"),
    ("wa-fap", "iverify_hwv", "wa.fap.iverify.3.position"),
    ("wa-fap", "iverify", "wa.fap.iverify_nohwv.3.random"),
    ("wa-fap", "iverify", "wa.fap.iverify_nohwv.3.position"),
    ("wa-fap", "led", "wa.fap.led.3.random"),
    ("wa-fap", "led", "wa.fap.led.3.position"),
]
DEALT: Mapping[str, Changes] = {"manual_shoe": MANUAL, "hand": BY_HAND, "automated_shoe": AUTOMATED}
BY_THE_MAP = (1, 7, 6, 5, 4, 3, 2)
"""The positions that the numbers mean at Washington's example table: the dealer, then spots 1 to 6."""


def before_the_number(game: str, way: str) -> tuple[TestTable, dict[str, Any]]:
    """Return a table where only the number is missing, and the step that shows it."""
    if game == "wa-fap":
        return ready({2: {"main": "$10"}}, way), {"step": "press_start", "by": DEALER}
    table = TestTable(game, DEALT[way]).starting(2, main="$10").play_on(without=["draw_number"])
    return table, {"step": "draw_number", "by": GENERATOR}


@pytest.mark.parametrize(("game", "way", "law"), marked(*NUMBERED))
def test_a_number_from_one_to_seven_names_the_position(game: str, way: str, law: str) -> None:
    table, shown = before_the_number(game, way)
    for number in (0, 8):
        table.refused(**shown, number=number)
    drawn = by_seed(table, 700, start, **shown)
    assert set(drawn) == set(POSITIONS)
    assert unlikely(drawn, evenly(POSITIONS)) < FAR_OFF


@pytest.mark.parametrize(("game", "way"), [row[:2] for row in NUMBERED[::2]])
def test_the_number_of_one_round_says_nothing_about_the_next(game: str, way: str) -> None:
    table, shown = before_the_number(game, way)
    drawn = in_a_row(table, 1500, start, **shown)
    assert unlikely(pairwise(drawn), evenly(product(POSITIONS, repeat=2))) < FAR_OFF


# --- three dice ---------------------------------------------------------------------------------------


SHAKEN = [
    ("pa-575", "uncover", "pa575.5.g.1.i"),
    ("pa-575", "uncover", "pa575.5.g.1.ii.s1"),
    ("pa-659a", "uncover", "pa659a.5.g.1.i"),
    ("pa-659a", "uncover", "pa659a.5.g.1.ii.s1"),
    ("pa-670a", "uncover", "pa670a.5.i.1.i"),
    ("pa-670a", "uncover", "pa670a.5.i.1.ii.s1"),
    ("wa-fap", "shake_cup", "wa.fap.dice.3.shake"),
    ("ca-fpgp", "shake_dice", "ca.fpgp.deal.dice.three"),
]


def before_the_dice(game: str) -> tuple[TestTable, dict[str, Any]]:
    """Return a table where the dice are to be shown, and the step that shows them."""
    if game == "ca-fpgp":
        room = banked("$200", {2: {"main": "$10"}}).closed()
        return room, {"step": "shake_dice", "by": room.at(6)}
    if game == "wa-fap":
        return ready({2: {"main": "$10"}}, "dice_cup"), {"step": "shake_cup"}
    table = TestTable(game, SHAKER).starting(2, main="$10").play_on(without=["shake"])
    table.refused("uncover")
    table.do("shake", times=3)
    return table, {"step": "uncover"}


@pytest.mark.parametrize(("game", "step", "law"), marked(*SHAKEN))
def test_the_dice_fall_every_way_and_none_more_often(game: str, step: str, law: str) -> None:
    table, shaken = before_the_dice(game)
    assert shaken["step"] == step
    rolls = by_seed(table, 2500, dice, **shaken)
    assert set(rolls) == set(ROLLS)
    assert unlikely(rolls, evenly(ROLLS)) < FAR_OFF
    for die in range(3):
        assert unlikely((roll[die] for roll in rolls), evenly(FACES)) < FAR_OFF


@pytest.mark.parametrize("game", [*PENNSYLVANIA, "wa-fap", "ca-fpgp"])
def test_the_dice_of_one_round_say_nothing_about_the_next(game: str) -> None:
    table, shaken = before_the_dice(game)
    rolls = in_a_row(table, 1500, dice, **shaken)
    for die in range(3):
        faces = [roll[die] for roll in rolls]
        assert unlikely(pairwise(faces), evenly(product(FACES, repeat=2))) < FAR_OFF


DICE_START = [
    ("pa-575", "pa575.5.g.1.iii"),
    ("pa-659a", "pa659a.5.g.1.iii"),
    ("pa-670a", "pa670a.5.i.1.iii.s1"),
    ("pa-670a", "pa670a.5.i.1.iii.s2"),
    ("wa-fap", "wa.fap.dice.3.total"),
    ("ca-fpgp", "ca.fpgp.deal.dice.sum"),
]


@pytest.mark.parametrize(("game", "law"), marked(*DICE_START))
def test_the_dice_start_the_deal_at_every_place_as_often_as_their_totals_fall(game: str, law: str) -> None:
    table, shaken = before_the_dice(game)
    first = 6 if game == "ca-fpgp" else 1  # the player-dealer's seat, or the dealer's position

    def place(total: int) -> int:
        counted = (total - 1) % 7
        return BY_THE_MAP[counted] if game == "wa-fap" else (first - 1 + counted) % 7 + 1

    def look(live: LiveTable) -> tuple[int, int]:
        if shaken["step"] == "uncover":
            live.do(DEALER, AnnounceTotal())
        return sum(dice(live)), start(live)

    found = by_seed(table, 1500, look, **shaken)
    assert all(at == place(total) for total, at in found)
    assert {total for total, _ in found} == set(range(3, 19))
    parts = Counter(place(sum(roll)) for roll in ROLLS)
    expected = {at: Fraction(ways, len(ROLLS)) for at, ways in parts.items()}
    assert unlikely((at for _, at in found), expected) < FAR_OFF


# --- shuffled decks -----------------------------------------------------------------------------------


BY_DEVICE = {"step": "shuffle", "by": SHUFFLER, "deck": "A", "method": "automated", "device": "S-1"}
BY_HAND_OF_DEALER = {"step": "shuffle", "by": DEALER, "deck": "A", "method": "manual"}
CAME_SHUFFLED = {"step": "receive_deck", "by": DEALER, "deck": "A", "preshuffled": "(u)"}
SHUFFLES = 600


def before_the_shuffle(game: str, how: str) -> tuple[TestTable, dict[str, Any]]:
    """Return a table whose one deck is to be shuffled, or comes shuffled, and the step that does it."""
    if how == "came shuffled":
        return TestTable(game, MANUAL), CAME_SHUFFLED
    if how == "by device":
        return TestTable(game).play_on(without=["shuffle"]), BY_DEVICE
    changes = CARDROOM_MANUAL if game == "ca-fpgp" else MANUAL
    return TestTable(game, changes).play_on(without=["shuffle"]), BY_HAND_OF_DEALER


@cache
def orders_by_seed(game: str, how: str) -> tuple[Cards, ...]:
    """Shuffle the same deck under many seeds."""
    table, shuffled = before_the_shuffle(game, how)
    return tuple(by_seed(table, SHUFFLES, order, **shuffled))


EVERY_SHUFFLE = [(game, how) for game in PENNSYLVANIA for how in ("by device", "by hand", "came shuffled")]
EVERY_SHUFFLE += [("wa-fap", "by device"), ("ca-fpgp", "by device"), ("ca-fpgp", "by hand")]


@pytest.mark.parametrize(("game", "how"), EVERY_SHUFFLE)
def test_every_seed_gives_the_whole_deck_in_an_order_of_its_own(game: str, how: str) -> None:
    factory = rules(game).game.cards().cards
    orders = orders_by_seed(game, how)
    assert all(sorted(one) == sorted(factory) for one in orders)
    assert len({*orders, factory, factory[::-1]}) == SHUFFLES + 2
    for one, other in combinations(orders[:30], 2):
        assert sum(a == b for a, b in zip(one, other, strict=True)) < 10


@pytest.mark.parametrize(("game", "how"), EVERY_SHUFFLE)
def test_a_shuffle_leaves_every_card_anywhere_and_no_neighbours_together(game: str, how: str) -> None:
    factory = rules(game).game.cards().cards
    orders, size = orders_by_seed(game, how), len(factory)
    places = ((card, at) for one in orders for at, card in enumerate(one))
    assert unlikely(places, evenly(product(factory, range(size)))) < FAR_OFF
    follows = dict(pairwise(factory))
    together = sum(follows.get(card) == after for one in orders for card, after in pairwise(one))
    expected = SHUFFLES * (size - 1) / size
    assert abs(together - expected) < FAR_OFF * expected**0.5


INTERMIXED = [
    ("pa-575", "by hand", "pa575.5.a.s4"),
    ("pa-659a", "by hand", "pa659a.5.a.s4"),
    ("pa-670a", "by hand", "pa670a.5.a.s4"),
    ("pa-575", "came shuffled", "pa575.4.e"),
    ("pa-659a", "came shuffled", "pa659a.4.e"),
    ("pa-670a", "came shuffled", "pa670a.4.e"),
]


@pytest.mark.parametrize(("game", "how", "law"), marked(*INTERMIXED))
def test_a_deck_that_is_shuffled_or_came_so_lies_sealed_in_no_factory_order(
    game: str, how: str, law: str
) -> None:
    factory = rules(game).game.cards().cards
    table, shuffled = before_the_shuffle(game, how)
    found = by_seed(table, 20, order, **shuffled)
    assert len({*found, factory}) == 21


@pytest.mark.parametrize("game", [*PENNSYLVANIA, "wa-fap", "ca-fpgp"])
def test_each_round_is_dealt_from_a_new_order(game: str) -> None:
    table = banked("$200", {2: {"main": "$10"}}) if game == "ca-fpgp" else TestTable(game).opened().seat((2,))
    orders = []
    for _ in range(4):
        if game != "ca-fpgp":
            table.bet(2, main="$10")
        table.play_on(Phase.DEALING)
        orders.append(order_of(table))
        table.play_on(rounds=1)
        if isinstance(table, Cardroom):
            table.put_up(table.state.banking.seat, "$200").bets(2, main="$10")
    assert len(set(orders)) == 4
    assert sorted(orders[0]) == sorted(orders[3])
