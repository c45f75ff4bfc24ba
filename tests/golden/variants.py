"""The tables that are played at: lawful submissions of each game, the source of their cards, what they do."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache

from houseway.games import Rules
from houseway.law.readings import readings_of
from houseway.rounds.state import CardOrigin
from tests.games.support import NOTHING, Changes, accepted
from tests.games.support import rules as rules_of
from tests.golden.attempts import ATTEMPTS
from tests.rounds.california import MANUAL as BY_PILES
from tests.rounds.play.chance import OWN_PROGRESSIVE, WITHOUT_PROGRESSIVE
from tests.rounds.table import AUTOMATED, BUTTON, BY_HAND, MANUAL, SHAKER
from tests.rounds.washington import CLOCKWISE, PLAIN_METER
from tests.rounds.washington import WAYS as PROCEDURES

GAMES = ("pa-575", "pa-659a", "wa-fap", "ca-fpgp", "pa-670a")
PENNSYLVANIA = ("pa-575", "pa-659a", "pa-670a")
SETTLING = frozenset({"reveal", "settle", "rearrange", "rack"})
"""What a table may do by itself once the dealer's hand is set."""


@dataclass(frozen=True)
class Variant:
    """A kind of table: what differs from the example submission, and how the table is set up."""

    changes: Changes = field(default_factory=dict)
    source: CardOrigin = CardOrigin.VIRTUAL_DECK
    automated: frozenset[str] = frozenset()

    def rules(self, game: str) -> Rules:
        """Return the rules of the table."""
        return rules_of(game, self.changes)


TWO_DECKS: Changes = {"table.decks": 2}
RESHUFFLER: Changes = {
    "table.reshuffle_device": True,
    "approvals.reshuffle_device": "1",
    "approvals.reshuffle_procedures": "2",
}
DEARER_METER: Changes = {
    "progressive.amount": "$5",
    "progressive.initial": "$25,000",
    "progressive.reset": "$25,000",
}
PIECES: Mapping[str, Changes] = {
    "shoe": AUTOMATED | SHAKER,
    "shoe, two decks": AUTOMATED | TWO_DECKS,
    "shoe, button": AUTOMATED | BUTTON,
    "shoe, shuffled by hand": AUTOMATED | {"table.shuffler": "manual"},
    "hand": BY_HAND,
    "hand, shaker, two decks": BY_HAND | SHAKER | TWO_DECKS,
    "manual": MANUAL,
    "manual, shaker": MANUAL | SHAKER,
    "manual shoe, shuffler": MANUAL | {"table.shuffler": "automated"} | TWO_DECKS,
    "second areas": {"table.adjacent_areas": True},
    "second areas, shaker": MANUAL | SHAKER | {"table.adjacent_areas": True},
    "two jokers": MANUAL | {"table.pack_jokers": 2},
    "straight into the shoe": AUTOMATED | {"table.direct_to_shoe": True},
    "reshuffler": AUTOMATED | RESHUFFLER,
    "reshuffler, two decks": BY_HAND | RESHUFFLER | TWO_DECKS,
    "payout limit": {"payout_limit": "$50,000"},
    "dearer meter": DEARER_METER,
    "no progressive": WITHOUT_PROGRESSIVE,
    "Fortune C": {"wagers.fortune.paytable": "C"},
    "Bonus B": {"wagers.bonus.paytable": "B"},
    "no insurance": {"wagers.insurance": NOTHING},
}
"""What an operator may choose in Pennsylvania, where the game has it."""
WASHINGTON: Mapping[str, Changes] = {
    "": {},
    ", two decks": TWO_DECKS,
    ", plain meter": PLAIN_METER,
    ", clockwise": CLOCKWISE,
    ", own table": {
        "wagers.progressive.paytable": NOTHING,
        "wagers.progressive.own_paytable": OWN_PROGRESSIVE,
    },
    ", no insurance": {"wagers.insurance": NOTHING},
    ", no progressive": WITHOUT_PROGRESSIVE,
}
REVIEWED = {"acknowledged": ["ca.fpgp.collect.review.zero"]}
SCHEDULES = (1, 8, 15, 20, 27, 33, 38, 40, 43)
ANY_ROYAL: Mapping[str, Changes] = {
    "pa-659a": {"readings": {"progressive_royal": "any_joker"}},
    "pa-670a": {"readings": {"six_joker_royal": "any_joker"}},
}


@cache
def variants(game: str) -> Mapping[str, Variant]:
    """Return every table of a game that is lawful, by its name."""
    tables = {name: Variant(changes) for name, changes in _changes(game) if accepted(game, changes)}
    usual = next(iter(tables.values())).changes
    other = next(name for name in ("manual, shaker", "dice_cup", "piles") if name in tables)
    for name, changes in (("", usual), (f", {other}", tables[other].changes)):
        tables[f"typed{name}"] = Variant(changes, CardOrigin.TYPED)
        tables[f"settles by itself{name}"] = Variant(changes, automated=SETTLING)
        tables[f"plays by itself{name}"] = Variant(changes, automated=frozenset(ATTEMPTS))
    tables["shoe reader"] = Variant(usual, CardOrigin.SHOE_READER)
    return tables


def _changes(game: str) -> Iterator[tuple[str, Changes]]:
    if game in PENNSYLVANIA:
        yield from PIECES.items()
        if game in ANY_ROYAL:
            yield "any royal, shoe", AUTOMATED | ANY_ROYAL[game]
            yield "any royal, manual", MANUAL | ANY_ROYAL[game]
        ways: Mapping[str, Changes] = {"shoe": AUTOMATED, "manual": MANUAL | SHAKER}
    elif game == "wa-fap":
        for name, changes in PROCEDURES.items():
            for extra, more in WASHINGTON.items():
                yield name + extra, changes | more
        ways = {"iverify_hwv": {}, "dice_cup": PROCEDURES["dice_cup"]}
    else:
        yield "example", {}
        yield "schedule 1, not reviewed", {"collection_schedule": 1}
        for number in SCHEDULES:
            yield f"schedule {number}", {"collection_schedule": number} | REVIEWED
        yield "piles", BY_PILES
        yield "piles, schedule 20", BY_PILES | {"collection_schedule": 20} | REVIEWED
        yield "no backline", {"table.backline": False}
        yield "no Fortune", {"wagers.fortune": NOTHING}
        ways = {"shuffler": {}, "piles": BY_PILES}
    for way, changes in ways.items():
        for end, readings in (("first", 0), ("last", -1)):
            yield f"{way}, {end} readings", changes | {"readings": _readings(game, readings)}


def _readings(game: str, which: int) -> dict[str, str]:
    """Return the first or the last choice of every reading there is."""
    options = [reading.option for reading in readings_of(game) if reading.option is not None]
    return {
        option.name: sorted(option.choices)[which] for option in options if option.name != "wa_meter_order"
    }
