"""A step of the round that two people take: the second is whoever confirms it, and no name that is typed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from houseway.games import example_submission
from houseway.ledger import units
from houseway.rounds.roles import Role
from houseway.store.memory import MemoryStore
from tests.floor.support import make_table, new_floor
from tests.service.doors import API, Guarded, Visitor, guarded

ADJUST = {"step": "adjust_meter", "amount": 500, "reason": "the display was reset", "second": "Sue"}


@pytest.fixture
def floor() -> Iterator[Guarded]:
    floor = new_floor(MemoryStore())
    make_table(floor, "w", example_submission("wa-fap"))
    with guarded(floor) as served:
        yield served


def adjust(who: Visitor, name: str = "a", **more: Any) -> Any:
    body = {"id": name, "action": {**ADJUST, **more}}
    return who.send("POST", f"{API}/tables/w/commands", body)


def confirm(who: Visitor, proposal: str, **more: Any) -> Any:
    return who.send("POST", f"{API}/proposals/{proposal}", {"done": True, **more})


def value(floor: Guarded) -> int:
    return floor.floor.meter("w").state.value


def test_nobody_adjusts_a_meter_at_its_table_by_typing_a_second_name(floor: Guarded) -> None:
    before, pit = value(floor), floor.somebody(Role.FLOORPERSON)
    proposed = adjust(pit)
    assert value(floor) == before, "nobody else has seen it"
    assert proposed.status_code == 202, proposed.text
    assert confirm(pit, proposed.json()["proposal"]).status_code == 409 and value(floor) == before


def test_whoever_confirms_is_the_second_on_record(floor: Guarded) -> None:
    before, pit, manager = value(floor), floor.somebody(Role.FLOORPERSON), floor.somebody(Role.MANAGER)
    proposal = adjust(pit).json()["proposal"]
    assert adjust(pit).json()["proposal"] == proposal, "sent again, it is the same"
    for other in (Role.ACCOUNTING, Role.DEALER):
        assert confirm(floor.somebody(other), proposal).status_code == 409
    (item,) = [
        one for one in manager.send("GET", f"{API}/waiting").json()["waiting"] if one["kind"] == "proposal"
    ]
    assert item["table"] == "w" and "second" not in item["proposal"]["task"]["action"]
    assert confirm(manager, proposal).status_code == 200
    assert value(floor) == before + units(500) and not floor.floor.house.proposals
    assert confirm(manager, proposal).status_code == 404 and value(floor) == before + units(500)
    lines = manager.send("GET", f"{API}/tables/w/log").text
    assert "a-manager" in lines and "Sue" not in lines


def test_what_the_rules_refuse_is_not_proposed(floor: Guarded) -> None:
    pit = floor.somebody(Role.FLOORPERSON)
    for wrong in ({"reason": " "}, {"win": 3}):
        refused = adjust(pit, f"w{len(wrong)}", **wrong)
        assert refused.status_code == 409 and refused.json()["problems"][0]["reason"], wrong
    for role in (Role.DEALER, Role.PLAYER, Role.ACCOUNTING):
        assert adjust(floor.somebody(role)).status_code == 409
    assert not floor.floor.house.proposals


def test_it_is_turned_down_by_whoever_might_confirm_it_or_taken_back(floor: Guarded) -> None:
    pit, manager = floor.somebody(Role.FLOORPERSON), floor.somebody(Role.MANAGER)
    for number, who in enumerate((pit, manager)):
        proposal = adjust(pit, f"a{number}").json()["proposal"]
        books = floor.somebody(Role.ACCOUNTING)
        assert confirm(books, proposal, done=False, reason="no").status_code == 409
        assert confirm(who, proposal, done=False, reason="a slip").status_code == 200
    assert not floor.floor.house.proposals
