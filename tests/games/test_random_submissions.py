"""Submissions at random: a lawful one can be played to its last posted line, an unlawful one is told why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from datetime import date, datetime
from random import Random
from typing import Final

import pytest

from houseway.errors import DataError
from houseway.games import Rules, Submission, rules_for, verify_submission
from houseway.games.collection import schedules
from houseway.law.problems import Problem
from houseway.law.readings import readings_of
from houseway.money import dollars
from houseway.odds.sides import SideOdds, side_odds
from tests.games.support import NOTHING, Changes, submission
from tests.rounds.known_rounds import play_every_line
from tests.support.shards import in_parts

GAMES: Final = ("pa-575", "pa-659a", "pa-670a", "wa-fap", "ca-fpgp")
ZERO_REVIEW: Final = "ca.fpgp.collect.review.zero"
DEPENDENT: Final = {"wa_meter_order", "six_meter_reserve", "fewer_than_six_positions"}
"""Readings that other choices go with: they are drawn together with those."""
LINES: Final[Changes] = {"name": "ours", "version": "1", "effective": datetime(2016, 1, 1)}
FORTUNE_HANDS: Final = (
    "seven_card_straight_flush",
    "royal_flush_royal_match",
    "seven_card_straight_flush_joker",
    "five_aces",
    "royal_flush",
    "straight_flush",
    "four_of_a_kind",
    "full_house",
    "flush",
    "three_of_a_kind",
    "straight",
)
INSURANCE_HANDS: Final = ("nine_high", "ten_high", "jack_high", "queen_high", "king_high", "ace_high")
PROGRESSIVE_HANDS: Final = (
    "seven_card_straight_flush",
    "seven_card_straight_flush_joker",
    "five_aces",
    "royal_flush",
    "straight_flush",
    "four_aces",
    "four_of_a_kind",
    "full_house",
    "flush",
    "straight",
    "three_of_a_kind",
    "two_pair",
    "pair",
    "high_card",
)


def draw(chance: Random) -> tuple[str, Changes]:
    """Return a game, and what a submission changes in its example."""
    game = chance.choice(GAMES)
    changes = {"wa-fap": _washington, "ca-fpgp": _california}.get(game, _pennsylvania(game))(chance)
    changes |= {f"readings.{name}": choice for name, choice in _readings(game, chance).items()}
    while chance.random() < 0.35:
        changes |= chance.choice(WRONG)(chance)
    return game, changes


def _readings(game: str, chance: Random) -> dict[str, str]:
    options = [reading.option for reading in readings_of(game) if reading.option]
    some = [option for option in options if option.name not in DEPENDENT and chance.random() < 0.25]
    return {option.name: chance.choice(sorted(option.choices)) for option in some}


def _limits(chance: Random, wagers: Sequence[str], least: Sequence[int], most: Sequence[int]) -> Changes:
    """Return limits for some wagers."""
    limits: Changes = {}
    for wager in wagers:
        if chance.random() < 0.5:
            limits |= {f"wagers.{wager}.min": f"${chance.choice(least)}"}
            limits |= {f"wagers.{wager}.max": f"${chance.choice(most)}"}
    return limits


def _some(chance: Random, *choices: Changes) -> Changes:
    """Return some of these choices together."""
    together: Changes = {}
    for choice in choices:
        together |= choice if chance.random() < 0.3 else {}
    return together


# --- what may be chosen -------------------------------------------------------------------------------------


def _pennsylvania(game: str) -> Callable[[Random], Changes]:
    return lambda chance: _equipment(game, chance) | _pennsylvania_wagers(game, chance)


def _equipment(game: str, chance: Random) -> Changes:
    dealing, shuffler = chance.choice(
        [
            ("manual_shoe", "manual"),
            ("manual_shoe", "automated"),
            ("hand", "automated"),
            ("automated_shoe", "automated"),
        ]
    )
    changes: Changes = {
        "table.dealing": dealing,
        "table.shuffler": shuffler,
        "table.start_methods": [chance.choice(["rng", "shaker"])],
        "table.adjacent_areas": chance.random() < 0.5,
        "table.pack_jokers": chance.choice([1, 1, 2]),
    }
    if game == "pa-575" and dealing == "automated_shoe":
        changes |= _some(chance, {"table.start_methods": ["button"], "approvals.button": "G-3"})
    if shuffler == "automated":
        changes |= _some(chance, {"table.decks": 2})
        changes |= _some(chance, {"table.direct_to_shoe": True}) if dealing != "hand" else {}
        device = {"table.reshuffle_device": True, "approvals.reshuffle_device": "G-1"}
        procedures = {"approvals.reshuffle_procedures": "G-2"} if game == "pa-575" else {}
        changes |= _some(chance, device | procedures)
    if game == "pa-670a":
        changes |= _some(chance, {"table.positions": chance.randint(1, 6)})
    else:
        fewer = {"readings.fewer_than_six_positions": "missing_are_empty"}
        changes |= _some(chance, fewer | {"table.positions": chance.randint(1, 6)})
    return changes | _some(chance, {"table.start_marker": "brass lion", "approvals.start_marker": "G-4"})


def _pennsylvania_wagers(game: str, chance: Random) -> Changes:
    least, most = (1, 2, 5, 10), (25, 100, 500)
    if game == "pa-575":
        options = _some(chance, {"options.a234_sf_low": True}, {"options.a234_straight_low": True})
        bonus: Changes = {"wagers.bonus.paytable": chance.choice("ABC")}
        limit = _some(chance, {"payout_limit": chance.choice(["$50,000", "$75,000"])})
        return options | bonus | limit | _limits(chance, ["main", "bonus"], least, most)
    if game == "pa-659a":
        meter: Changes = {
            "wagers.fortune.paytable": chance.choice("ABCD"),
            "wagers.insurance.paytable": chance.choice("ABC"),
            "progressive.initial": chance.choice(["$2,000", "$2,900", "$10,000"]),
            "progressive.reset": chance.choice(["$2,000", "$2,900"]),
            "progressive.contribution": chance.choice(["1%", "29%", "33.5%"]),
            "progressive.reserve": chance.choice(["0%", "4%"]),
        }
        return meter | _limits(chance, ["main", "fortune", "insurance"], least, most)
    dear: Changes = {
        "progressive.amount": "$5",
        "progressive.initial": "$25,000",
        "progressive.reset": "$25,000",
    }
    aside: Changes = {"progressive.reserve": "5%", "readings.six_meter_reserve": "set_aside"}
    without: Changes = {"wagers.progressive": NOTHING, "progressive": NOTHING}
    chosen = _some(chance, dear, aside) if chance.random() < 0.8 else without
    return chosen | _limits(chance, ["main", "fortune", "insurance"], least, most)


def _washington(chance: Random) -> Changes:
    changes: Changes = {"table.decks": chance.choice([1, 1, 2])}
    procedure = chance.choice(["iverify_hwv", "iverify", "led", "dice_cup"])
    changes |= {"table.procedure": procedure}
    if procedure == "dice_cup":
        changes |= {"table.start_methods": ["dice_cup"], "table.dice": chance.randint(1, 4)}
    if chance.random() < 0.3:
        first = chance.randrange(7)
        spots = ["dealer", *(f"spot {n}" for n in range(1, 7))]
        changes |= {"table.position_map": {str((n + first) % 7 + 1): spots[n] for n in range(7)}}
    changes |= _some(chance, {"components.game_manager": "1.3", "components.table_controller": "2.0"})
    changes |= _limits(chance, ["fortune", "insurance"], (1, 2, 5), (25, 100))
    if chance.random() < 0.5:
        changes |= posted(chance, "fortune", FORTUNE_HANDS, "to")
    if chance.random() < 0.3:
        changes |= posted(chance, "insurance", INSURANCE_HANDS, "to")
    if chance.random() < 0.2:
        return changes | {"wagers.progressive": NOTHING, "progressive": NOTHING}
    if chance.random() < 0.6:
        changes |= posted(chance, "progressive", PROGRESSIVE_HANDS, "for")
    rates = {"progressive.contribution": chance.choice(["0%", "24%", "80%"])}
    clockwise: Changes = {
        "readings.wa_meter_order": "internal_controls",
        "progressive.order_policy": "clockwise",
        "approvals.order_policy": "IC-7",
    }
    return changes | rates | _some(chance, clockwise, {"progressive.amount": "$5"})


def posted(chance: Random, wager: str, hands: Sequence[str], basis: str) -> Changes:
    """Return an own paytable: some hands in their order, each paying no more than those above it."""
    some = [hand for hand in hands if chance.random() < 0.7] or [hands[0]]
    odds = sorted((chance.randint(1, 900) for _ in some), reverse=True)
    lines = [{"hand": hand, "pays": f"{odd} {basis} 1"} for hand, odd in zip(some, odds, strict=True)]
    table = LINES | {"wager": wager, "lines": lines}
    if wager == "progressive":
        lines[0]["pays"] = chance.choice(["100% of meter", "50% of meter", lines[0]["pays"]])
        lines = [line | ({"source": "meter"} if chance.random() < 0.2 else {}) for line in lines]
        table |= {"lines": lines, "joker": chance.choice(["semi", "full"])}
    return {f"wagers.{wager}.paytable": NOTHING, f"wagers.{wager}.own_paytable": table}


def _california(chance: Random) -> Changes:
    number = chance.choice(sorted(schedules()))
    changes: Changes = {"collection_schedule": number}
    group = schedules()[number].group
    if group.under_review:
        changes |= {"acknowledged": [ZERO_REVIEW]}
    if chance.random() < 0.4:
        changes |= {"table.dealing": "manual", "table.shuffler": chance.choice(["manual", "automated"])}
    changes |= _some(chance, {"table.backline": False}, {"table.decks": 2})
    if chance.random() < 0.3:
        highest = schedules()[number].table_max
        changes |= {"wagers.main.max": dollars(highest), "wagers.fortune.max": dollars(highest)}
    if chance.random() < 0.3:
        own = posted(chance, "fortune", FORTUNE_HANDS, "to")
        changes |= own | {"approvals.fortune_paytable": "BGC-1"}
        del changes["wagers.fortune.paytable"]
    return changes


# --- what nobody may choose ---------------------------------------------------------------------------


WRONG: Final[tuple[Callable[[Random], Changes], ...]] = (
    lambda chance: {"house_way": chance.choice(["nope", "/etc/passwd", "x.toml", "foxwoods", "pa-670a", ""])},
    lambda _: {"house_way": NOTHING},
    lambda chance: {"table.positions": chance.randint(1, 12)},
    lambda chance: {"table.decks": chance.randint(2, 4)},
    lambda chance: {
        "table.dealing": chance.choice(["hand", "manual", "shuffler", "manual_shoe", "by magic"])
    },
    lambda chance: {"table.shuffler": chance.choice(["manual", "automated"])},
    lambda chance: {"table.start_methods": chance.sample(["rng", "shaker", "button", "dice", "dice_cup"], 2)},
    lambda chance: {"table.start_methods": [chance.choice(["button", "device_number", "dice_cup"])]},
    lambda chance: {"table.procedure": chance.choice(["led", "dice_cup", "whistle"])},
    lambda chance: {"table.pack_jokers": chance.randint(0, 3)},
    lambda chance: {"table.cover_cards": chance.randint(0, 3)},
    lambda _: {"table.direct_to_shoe": True},
    lambda _: {"table.reshuffle_device": True},
    lambda _: {"table.backline": True},
    lambda chance: {"table.seats": chance.randint(1, 9)},
    lambda _: {"table.position_map": {"1": "dealer"}},
    lambda chance: {"table.dice": chance.randint(1, 5)},
    lambda chance: {"wagers.main.min": chance.choice(["$0", "$600", "$100,000"])},
    lambda _: {"wagers.main.max": "$0"},
    lambda _: {"wagers.lucky_eight": {}},
    lambda chance: {"wagers.fortune.paytable": chance.choice("AEX")},
    lambda _: {"wagers.insurance": {}},
    lambda _: {"wagers.progressive": NOTHING},
    lambda chance: {"progressive.amount": chance.choice(["$0", "$2", "$500"])},
    lambda chance: {"progressive.initial": chance.choice(["$0", "$1", "$7,777"])},
    lambda chance: {"progressive.contribution": chance.choice(["0%", "-1%", "101%"])},
    lambda chance: {"progressive.reserve": chance.choice(["-1%", "5%", "100%"])},
    lambda _: {"progressive.limit": "$1"},
    lambda _: {"progressive.order_policy": "by age"},
    lambda chance: {"payout_limit": chance.choice(["$1", "$49,999", "$60,000"])},
    lambda chance: {"collection_schedule": chance.randint(40, 50)},
    lambda _: {"approvals.shakker": "G-1"},
    lambda _: {"components.game_manager": "1.2.9"},
    lambda _: {"components.i_dea": "1"},
    lambda _: {"caps.wac_1": {"amount": "$1", "citation": "x", "dated": date(2016, 1, 1)}},
    lambda _: {"options.wild_deuces": True},
    lambda _: {"readings.nobody_reads": "so"},
    lambda _: {"readings.wa_meter_order": "internal_controls"},
    lambda _: {"readings.fewer_than_six_positions": "six_required"},
    lambda _: {"acknowledged": ["xx.1.2"]},
    lambda _: {"law_as_of": date(1999, 1, 1)},
    lambda chance: _scrambled(chance, "fortune", "to"),
    lambda chance: _scrambled(chance, "progressive", "for"),
    lambda chance: _scrambled(chance, "bonus", "to"),
)


def _scrambled(chance: Random, wager: str, basis: str) -> Changes:
    """Return an own paytable with lines from anywhere, in any order, which may pay anything."""
    hands = chance.sample(
        sorted({*FORTUNE_HANDS, *INSURANCE_HANDS, *PROGRESSIVE_HANDS}), chance.randint(1, 5)
    )
    pays = ["3 to 1", f"10 {basis} 1", "1 for 3", "100% of meter", "10% of meter", "push", "lose"]
    lines = [{"hand": hand, "pays": chance.choice(pays)} for hand in hands]
    table = LINES | {"wager": wager, "lines": lines, "joker": chance.choice(["semi", "full"])}
    return {f"wagers.{wager}.paytable": NOTHING, f"wagers.{wager}.own_paytable": table}


EVERY, LAWFUL = 5_000, 2_000
SHARD = 50
"""So many submissions are tried by one process: each paytable that is counted keeps tables in memory."""
SAMPLE = 50
WITH_SHEET = 10
"""In the sample the sheet is made of one submission in so many: it counts every hand."""
NAMED = {*Submission.model_fields, "derived"}
"""What a contradiction is in: a field of the submission, or what follows from several."""


def sheets(rules: Rules) -> dict[str, SideOdds]:
    """Return what the PAR sheet says of each side wager on offer, every hand counted."""
    return {wager: side_odds(rules, wager) for wager in rules.side_wagers if rules.offers(wager)}


def refused_for(problems: Iterable[Problem]) -> bool:
    """Whether a submission is refused; each reason is a clause, or a field that contradicts something."""
    blocking = [problem for problem in problems if problem.blocks]
    for problem in blocking:
        named = problem.field.split(".")[0] in NAMED
        assert problem.reason and (problem.clauses or named), problem
    return bool(blocking)


def try_out(seed: str, *, with_sheet: bool) -> str:
    """Try a submission out; return what became of it."""
    game, changes = draw(Random(seed))
    try:
        drawn = submission(game, changes)
    except DataError as error:  # not a submission at all: the field and the value say why
        assert error.where and error.cause, (seed, changes)
        return "refused"
    if refused_for(verify_submission(drawn)):
        return "refused"
    try:
        rules = rules_for(drawn)
        faults = play_every_line(rules, sheets(rules) if with_sheet else {})
    except Exception as error:
        raise AssertionError(f"{seed}: {game} {changes}") from error
    assert not faults, (seed, game, changes, faults)
    return "lawful"


def test_a_sample_of_submissions_at_random_is_refused_or_played() -> None:
    met = Counter(try_out(f"submission {n}", with_sheet=n % WITH_SHEET == 0) for n in range(SAMPLE))
    assert SAMPLE // 4 < met["lawful"] < SAMPLE


def shard(index: int) -> Counter[str]:
    """Try one part of the submissions out."""
    numbers = range(index * SHARD, (index + 1) * SHARD)
    return Counter(try_out(f"submission {number}", with_sheet=True) for number in numbers)


@pytest.mark.exhaustive
@pytest.mark.parted
def test_five_thousand_submissions_at_random_are_refused_or_played_as_their_sheets_say(
    capfd: pytest.CaptureFixture[str],
) -> None:
    met = in_parts(shard, EVERY // SHARD, f"{EVERY:,} submissions at random", capfd, each=1)
    assert met.total() == EVERY and met["lawful"] >= LAWFUL
