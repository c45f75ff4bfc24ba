"""Every field of a PAR sheet is traced to the submission: changed there it changes here, and nothing else.

A field of the sheet is named by its section and, within a section of several parts, by the part. What is
traced to no field of the submission is the program's own, or follows from the game alone.
"""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Iterator
from datetime import date
from typing import Any, Final

import pytest

from houseway.games import Rules
from houseway.houseways import CompiledWay
from houseway.odds.doubling import DoublingOdds
from houseway.odds.fingerprint import way_text
from houseway.odds.maingame import MainGame
from houseway.odds.par import par
from houseway.web.par import par_data
from tests.games.support import NOTHING, Changes, accepted, submission

ALL: Final = "every field"
"""The field follows from whatever the submission says."""
RULES: Final = ("game", "readings", "options")
"""What beats what, what is paid, and how hands are set."""
POSTED: Final = ("wagers.paytable", "wagers.own_paytable")
METER: Final = ("progressive.amount", "progressive.initial", "progressive.reset")
RATES: Final = ("progressive.contribution", "progressive.reserve")
LIMITS: Final = ("wagers.min", "wagers.max")
OFFERED: Final = ("wagers.offered",)
WAY: Final = ("house_way",)
TRACED: Final[dict[str, tuple[str, ...]]] = {
    "game": ("game",),
    "holder": ("holder",),
    "reference": ("reference",),
    "submission": (ALL,),
    "law": ("game",),
    "law_as_of": ("law_as_of",),
    "house_way": WAY,
    "program": (),
    "hash": (ALL,),
    "copies": ("game",),
    "main": (*RULES, *WAY),
    "double": (*RULES, *WAY, *OFFERED),
    "best": (*RULES, *WAY, *OFFERED),
    "fees": (*RULES, *WAY, "collection_schedule"),
    "limits": (*RULES, *OFFERED, *LIMITS, *POSTED, "payout_limit"),
    "hourly": (*RULES, *WAY, *OFFERED, *LIMITS, *POSTED, *METER, *RATES, "collection_schedule"),
    "readings": ("game", "readings"),
    "effects": (*RULES, *OFFERED, *LIMITS, *POSTED, *METER, *RATES, "collection_schedule"),
    "cards": (*RULES, *OFFERED, *POSTED, "table.decks"),
    "filed": (ALL,),
    "wagers.id": OFFERED,
    "wagers.name": ("game", *OFFERED),
    "wagers.paytable": POSTED,
    "wagers.total": ("game",),
    "wagers.hold": (*RULES, *POSTED),
    "wagers.hit": (*RULES, *POSTED),
    "wagers.variance": (*RULES, *POSTED),
    "wagers.deviation": (*RULES, *POSTED),
    "wagers.law": (*RULES, *POSTED),
    "wagers.lines": (*RULES, *POSTED),
    "wagers.plots": (*RULES, *POSTED),
    "wagers.envy": (*RULES, *POSTED, *LIMITS, "progressive.amount", "collection_schedule"),
    "wagers.ranges": (*RULES, *POSTED),
    "wagers.permitted": (*RULES, *POSTED, *LIMITS),
    "wagers.meter": (*RULES, *POSTED, *METER, *RATES),
    "wagers.at_meter": (*RULES, *POSTED, *METER),
}
"""For each field of the sheet the fields of the submission that it follows; of a wager's own, its own."""


def traced_to(field: str, path: str) -> bool:
    """Whether a field of the sheet may follow a field of the submission, named by its path.

    >>> traced_to("wagers.hold", "readings.progressive_royal"), traced_to("wagers.hold", "holder")
    (True, False)
    """
    parts = path.split(".")
    plain = ".".join([parts[0], *parts[2:]]) if parts[0] == "wagers" and len(parts) > 2 else path
    offered = path if len(parts) != 2 or parts[0] != "wagers" else "wagers.offered"
    return any(
        source in (ALL, name) or name.startswith(f"{source}.")
        for source in TRACED[field]
        for name in (plain, offered)
    )


OWN = {
    "name": "our own",
    "wager": "fortune",
    "version": "1",
    "effective": tomllib.loads("at = 2016-01-01T00:00:00")["at"],
    "lines": [{"hand": "flush", "pays": "4 to 1"}],
}
FIVE: Changes = {"progressive.amount": "$5", "progressive.initial": "$25,000", "progressive.reset": "$25,000"}
CHANGED: list[tuple[str, Changes]] = [
    ("pa-659a", {"reference": "RS-2"}),
    ("pa-659a", {"holder": "Another Casino"}),
    ("pa-659a", {"law_as_of": date(2016, 6, 2)}),
    ("pa-659a", {"house_way": "docs/ways/pa-659a-short.toml"}),
    ("pa-659a", {"wagers.main.min": "$10"}),
    ("pa-659a", {"wagers.main.max": "$50"}),
    ("pa-659a", {"wagers.fortune.min": "$20"}),
    ("pa-659a", {"wagers.fortune.max": "$4"}),
    ("pa-659a", {"wagers.fortune.paytable": "B"}),
    ("pa-659a", {"wagers.insurance.paytable": "C"}),
    ("pa-659a", {"wagers.insurance": NOTHING}),
    ("pa-659a", {"progressive.initial": "$3,000"}),
    ("pa-659a", {"progressive.reset": "$3,000"}),
    ("pa-659a", {"progressive.contribution": "30%"}),
    ("pa-659a", {"progressive.reserve": "1%"}),
    ("pa-659a", {"readings.progressive_royal": "listed_only"}),
    ("pa-659a", {"readings.meter_after_percentage": "reseed_below_seed"}),
    ("pa-659a", {"readings.tie_break": "top_card_only"}),
    ("pa-575", {"readings.bonus_win_condition": "nine_high_or_better"}),
    ("pa-575", {"payout_limit": "$50,000"}),
    ("pa-575", {"options.a234_straight_low": True}),
    ("pa-670a", {"wagers.double_down": NOTHING}),
    ("pa-670a", {"readings.six_joker_royal": "listed_only"}),
    ("pa-670a", {"readings.six_fortune_envy_minimum": "one_dollar"}),
    ("pa-670a", FIVE),
    ("wa-fap", {"wagers.fortune.paytable": NOTHING, "wagers.fortune.own_paytable": OWN}),
    ("wa-fap", {"readings.wa_trips_and_straight": "poker_order"}),
    ("ca-fpgp", {"collection_schedule": 33}),
    ("ca-fpgp", {"readings.ca_trips_and_straight": "poker_order"}),
    ("ca-fpgp", {"readings.ca_trip_aces_with_joker": "three_aces_row"}),
]
"""Lawful submissions, each with one choice made otherwise."""


def stand_in(*ways: CompiledWay) -> int:
    """Return a number that stands for how both sides set their hands, in place of a long count."""
    text = "".join(map(way_text, ways))
    return int(hashlib.sha256(text.encode()).hexdigest()[:6], 16)


@pytest.fixture(autouse=True)
def _no_long_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    def main(player: CompiledWay, dealer: CompiledWay, **_: object) -> MainGame:
        return MainGame(stand_in(player, dealer), 10**6, 10**7)

    def double(player: CompiledWay, dealer: CompiledWay) -> DoublingOdds:
        number = stand_in(player, dealer)
        return DoublingOdds(10**9, 10**8, number, number, 0, {"pair": (10**8, number)})

    monkeypatch.setattr("houseway.odds.par.main_game", main)
    monkeypatch.setattr("houseway.odds.par.double_down", double)


def fields(game: str, changes: Changes | None = None) -> dict[str, Any]:
    """Return the fields of the sheet of a changed example: those of wagers by wager too."""
    sheet = par_data(par(Rules.of(submission(game, changes))), drawn=False)
    wagers = sheet.pop("wagers")
    apart = {f"wagers.{name}|{one['id']}": value for one in wagers for name, value in one.items()}
    return sheet | apart


def differing(game: str, changes: Changes) -> Iterator[str]:
    """Yield the fields of the sheet that a change changes; a wager's own with its name.

    A wager that is offered on one sheet only is no field of the other.
    """
    before, after = fields(game), fields(game, changes)
    for name in {**before, **after}:
        if before.get(name) != after.get(name) and (name in before) == (name in after):
            yield name


def test_every_field_of_the_sheet_is_traced() -> None:
    for game in ("pa-575", "pa-659a", "pa-670a", "wa-fap", "ca-fpgp"):
        assert {name.partition("|")[0] for name in fields(game)} <= {*TRACED}


@pytest.mark.parametrize(("game", "changes"), CHANGED)
def test_a_change_of_the_submission_changes_only_what_is_traced_to_it(game: str, changes: Changes) -> None:
    paths = [*changes]
    assert accepted(game, changes) or paths == ["house_way"], "which way a game may have is not asked here"
    found = [*differing(game, changes)]
    assert {"submission", "hash", "filed"} <= {*found}
    for name in found:
        field, _, wager = name.partition("|")
        assert any(traced_to(field, path) for path in paths), f"{field} changed with {paths}"
        if wager and not any(path.startswith(("readings", "options", "progressive")) for path in paths):
            assert any(path.split(".")[1] == wager for path in paths if path.startswith("wagers.")), name


def test_every_trace_is_met_by_a_change() -> None:
    met: set[str] = set()
    for game, changes in CHANGED:
        met |= {name.partition("|")[0] for name in differing(game, changes)}
    by_game = {"game", "law", "copies", "program", "wagers.total"}
    by_offer = {"wagers.id", "wagers.name"}
    not_drawn = {"wagers.plots"}
    assert {*TRACED} - met == by_game | by_offer | not_drawn
