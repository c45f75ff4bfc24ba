"""Lawful submissions by chance: some way to deal and to find the start, some options, some readings."""

from __future__ import annotations

from datetime import datetime

from houseway.law.readings import readings_of
from tests.games.support import NOTHING, Changes, accepted
from tests.rounds.moves import Chance, pick
from tests.rounds.washington import CLOCKWISE, PLAIN_METER
from tests.rounds.washington import WAYS as PROCEDURES

WAYS: tuple[tuple[str, str], ...] = (
    ("manual_shoe", "manual"),
    ("manual_shoe", "automated"),
    ("hand", "automated"),
    ("automated_shoe", "automated"),
    ("automated_shoe", "manual"),
)
"""Pennsylvania's ways of dealing, each with the ways of shuffling that go with it."""
EXTRAS: tuple[Changes, ...] = (
    {},
    {"table.pack_jokers": 2},
    {"table.direct_to_shoe": True},
    {
        "table.reshuffle_device": True,
        "approvals.reshuffle_device": "1",
        "approvals.reshuffle_procedures": "2",
    },
    {"payout_limit": "$50,000"},
    {"table.adjacent_areas": False},
    {"progressive.amount": "$5", "progressive.initial": "$25,000", "progressive.reset": "$25,000"},
    {"wagers.fortune.paytable": "C"},
    {"wagers.bonus.paytable": "B"},
)
"""What else an operator may choose in Pennsylvania, if the game has it."""
OWN_PROGRESSIVE: Changes = {
    "name": "all pays off the meter",
    "wager": "progressive",
    "version": "1",
    "effective": datetime(2016, 1, 1),
    "deducts": "all",
    "lines": [
        {"hand": "seven_card_straight_flush", "pays": "100% of meter"},
        {"hand": "five_aces", "pays": "10% of meter"},
        {"hand": "straight_flush", "pays": "100 for 1", "source": "meter"},
        {"hand": "four_of_a_kind", "pays": "75 for 1", "source": "meter"},
    ],
}
WITHOUT_PROGRESSIVE: Changes = {"wagers.progressive": NOTHING, "progressive": NOTHING}
KEYPAD_EXTRAS: tuple[Changes, ...] = (
    {},
    PLAIN_METER,
    CLOCKWISE,
    {"wagers.progressive.paytable": NOTHING, "wagers.progressive.own_paytable": OWN_PROGRESSIVE},
    {"wagers.insurance": NOTHING},
    {"table.position_map": {str(n): "dealer" if n == 7 else f"spot {n}" for n in range(1, 8)}},
    WITHOUT_PROGRESSIVE,
)
"""What else an operator may choose in Washington."""


def layout(game: str, chance: Chance) -> Changes:
    """Return a lawful submission of a game."""
    keypad = game == "wa-fap"
    changes = _washington(chance) if keypad else _pennsylvania(game, chance)
    chosen = {
        reading.option.name: pick(chance, sorted(reading.option.choices))
        for reading in readings_of(game)
        if reading.option and reading.option.name != "wa_meter_order" and not chance.below(4)
    }
    with_readings = {**changes, "readings": chosen}
    wider = {**with_readings, **pick(chance, KEYPAD_EXTRAS if keypad else EXTRAS)}
    return next(some for some in (wider, with_readings, changes) if accepted(game, some))


def _pennsylvania(game: str, chance: Chance) -> Changes:
    dealing, shuffler = pick(chance, WAYS)
    changes: Changes = {
        "table.dealing": dealing,
        "table.shuffler": shuffler,
        "table.start_methods": [pick(chance, ["rng", "shaker"])],
        "table.adjacent_areas": True,
    }
    if game == "pa-575" and (dealing, shuffler) == WAYS[3] and not chance.below(3):
        changes |= {"table.start_methods": ["button"], "approvals.button": "EX-BUTTON-1"}
    if shuffler == "automated" and not chance.below(2):
        changes |= {"table.decks": 2}
    return changes


def _washington(chance: Chance) -> Changes:
    """One of the four procedures, with one deck or two."""
    return {**PROCEDURES[pick(chance, sorted(PROCEDURES))], "table.decks": pick(chance, [1, 1, 2])}
