"""California's papers: what the Bureau says of the game, and the proof form of the felt."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from houseway.games import schedule
from houseway.law.checklist import checklist
from houseway.money import cents
from houseway.rounds.codec import plain
from houseway.rounds.roles import Role
from houseway.rounds.state import Phase
from houseway.rounds.step import Actor
from tests.games.support import submission
from tests.rounds.california import CA, LOSES, WINS, Cardroom, banked, on_schedule, person, somebody
from tests.rounds.table import DEALER, FLOOR, TestTable, money

clause = pytest.mark.clause
REVIEW, UNLAWFUL = "ca.fpgp.collect.review.1", "ca.fpgp.collect.review.2"
CEASE = "ca.fpgp.collect.review.3"
PROOF = "ca.fpgp.layout.proof_form"
DAY = date(2026, 1, 4)


@pytest.mark.parametrize(
    ("status", "law"),
    [
        pytest.param("under_review", REVIEW, marks=clause("ca.fpgp.collect.review.1")),
        pytest.param("cleared", REVIEW, marks=clause("ca.fpgp.collect.review.1")),
        pytest.param("unlawful", UNLAWFUL, marks=clause("ca.fpgp.collect.review.2")),
        pytest.param("cease", CEASE, marks=clause("ca.fpgp.collect.review.3")),
    ],
)
def test_a_notice_is_kept_with_its_date_and_source(status: str, law: str) -> None:
    table = TestTable(CA)
    table.refused("record_notice", FLOOR, status=status, source="Bureau of Gambling Control")
    table.refused("record_notice", FLOOR, status=status, dated=DAY)
    for nothing in ("", "  "):
        assert law in table.refused("record_notice", FLOOR, status=status, source=nothing, dated=DAY)
    table.refused("record_notice", FLOOR, status="doubtful", source="Bureau", dated=DAY)
    table.refused("record_notice", person(2), status=status, source="Bureau", dated=DAY)
    table.refused("record_notice", DEALER, status=status, source="Bureau", dated=DAY)
    event = table.do("record_notice", FLOOR, status=status, source="Bureau, letter 12", dated=DAY)[0]
    assert event.clauses == (law,)
    assert [(n.status, n.source, n.dated) for n in table.state.notices] == [
        (status, "Bureau, letter 12", DAY)
    ]
    written = plain(event)
    said = {"status": status, "source": "Bureau, letter 12", "dated": "2026-01-04"}
    assert written["action"] == {"step": "record_notice", **said}
    assert law in written["clauses"]


@clause("ca.fpgp.collect.review.2")
def test_notices_add_up_and_none_takes_another_away() -> None:
    room = banked("$200", {2: {"main": "$20"}, 4: {"main": "$20"}})
    manager = Actor("Max", Role.MANAGER)
    room.do("record_notice", manager, status="under_review", source="first", dated=DAY)
    room.opened_up({2: WINS[0], 4: LOSES[0]})
    event = room.do("record_notice", manager, status="unlawful", source="second", dated=DAY)[0]
    assert UNLAWFUL in event.clauses
    room.finished()
    room.do("record_notice", manager, status="cleared", source="third", dated=DAY)
    assert [notice.source for notice in room.state.notices] == ["first", "second", "third"]
    steps = room.state.rules.game.procedure
    assert not [name for name in steps if "notice" in name and name != "record_notice"]


@pytest.mark.parametrize("status", ["unlawful", "cease"])
def test_a_notice_outlasts_the_closing_of_the_table(status: str) -> None:
    room = Cardroom(seats=())
    room.do("record_notice", FLOOR, status=status, source="Bureau", dated=DAY)
    room.do("close_table", FLOOR)
    assert [notice.status for notice in room.state.notices] == [status]


def test_after_an_order_to_cease_no_table_opens_but_the_round_in_play_is_finished() -> None:
    table = TestTable(CA).play_on(without=["open_table"])
    table.do("record_notice", FLOOR, status="cease", source="Bureau", dated=DAY)
    table.play_on()
    assert table.state.phase is Phase.OPENING
    room = banked("$200", {2: {"main": "$20"}}).closed()
    room.do("record_notice", FLOOR, status="cease", source="Bureau", dated=DAY)
    assert room.finished().void is None


@clause("ca.fpgp.collect.review.3")
def test_after_an_order_to_cease_no_further_round_begins() -> None:
    law = "ca.fpgp.collect.review.3"
    room = banked("$200", {2: {"main": "$20"}}).closed()
    room.do("record_notice", FLOOR, status="cease", source="Bureau", dated=DAY)
    assert room.finished().void is None
    room.ready()
    assert law in room.refused("put_up", person(6), 6, stake=cents("$200"))
    assert law in room.refused("wager", person(2), 2, wagers=money(main="$20"))
    for status in ("under_review", "unlawful"):  # neither lifts the order, whenever it is dated
        room.do("record_notice", FLOOR, status=status, source="Bureau", dated=date(2026, 1, 6))
        assert law in room.refused("put_up", person(6), 6, stake=cents("$200"))
    room.do("record_notice", FLOOR, status="cleared", source="Bureau", dated=DAY)
    room.put_up(6, "$200").bets(2, main="$20").behind("Zoe", 2, main="$20").finished()
    room.do("record_notice", FLOOR, status="cease", source="Bureau", dated=DAY)  # of two of one day the last
    assert law in room.refused("put_up", person(6), 6, stake=cents("$200"))


@clause("ca.fpgp.collect.review.3")
def test_wagers_that_lie_when_the_order_comes_are_taken_back_and_not_played() -> None:
    law = "ca.fpgp.collect.review.3"
    room = banked("$200", {2: {"main": "$20"}, 3: {"main": "$20"}}).ready()
    room.behind("Zoe", 2, main="$20")
    room.do("record_notice", FLOOR, status="cease", source="Bureau", dated=DAY)
    assert law in room.refused("no_more_bets")
    assert law in room.refused("bet_behind", somebody("Yan"), 2, wagers=money(main="$20"))
    room.do("bet_behind", somebody("Zoe"), 2, wagers=money(main="$0"))
    room.do("wager", person(2), 2, wagers=money(main="$0"))
    room.do("leave", person(3), 3)
    room.do("leave", person(6), 6)
    assert not room.state.round.hands
    room.do("close_table", FLOOR)


OPENERS = (FLOOR, Actor("Max", Role.MANAGER))


def ready(number: int, *read: str) -> TestTable:
    """Return a table on a collection schedule that is ready to be opened, with the notices that were read."""
    return TestTable(CA, {"collection_schedule": number, "acknowledged": [*read]}).play_on(
        without=["open_table"]
    )


def papers() -> dict[str, Any]:
    """Return what a floorperson attests who opens a table of California's."""
    return {"checklist": tuple(item.clause for item in checklist(CA)), "odds_shown": "sign"}


@clause("ca.fpgp.collect.review.4")
@pytest.mark.parametrize("by", OPENERS)
def test_nobody_who_opens_tables_overrides_an_order_to_cease(by: Actor) -> None:
    table = ready(40)
    table.do("record_notice", FLOOR, status="cease", source="Bureau, letter 12", dated=DAY)
    assert table.refused("open_table", by, **papers()) == (CEASE, "ca.fpgp.collect.review.4")
    table.do("record_notice", FLOOR, status="cleared", source="Bureau, letter 13", dated=DAY)
    table.do("open_table", by, **papers())


@clause("ca.fpgp.collect.review.zero")
@pytest.mark.parametrize("number", [1, 7, 32])
def test_on_a_schedule_without_a_players_fee_the_notice_of_review_is_read_and_shown(number: int) -> None:
    law = "ca.fpgp.collect.review.zero"
    assert ready(number).refused("open_table", FLOOR, **papers()) == (law,)
    (event,) = ready(number, law).do("open_table", FLOOR, **papers())
    assert law in {cited for alert in event.alerts for cited in alert.clauses}
    for other in (33, 40):
        (event,) = ready(other).do("open_table", FLOOR, **papers())
        assert law not in {cited for alert in event.alerts for cited in alert.clauses}


@clause("ca.fpgp.layout.proof_form")
def test_the_proof_form_is_stored_with_signer_and_date() -> None:
    table = TestTable(CA)
    table.refused("store_proof", FLOOR, signer="Pat Printer")
    table.refused("store_proof", FLOOR, dated=DAY)
    assert PROOF in table.refused("store_proof", FLOOR, signer=" ", dated=DAY)
    form: dict[str, Any] = {
        "signer": "Pat Printer",
        "dated": DAY,
        "verdict": "OK",
        "width": "70 in",
        "height": "34 in",
    }
    event = table.do("store_proof", FLOOR, **form)[0]
    assert PROOF in event.clauses
    said = {name: str(value) for name, value in form.items()}
    assert plain(event)["action"] == {"step": "store_proof", **said}
    table.play_on(Phase.BETTING)
    assert not table.last("open_table").alerts


@clause("ca.fpgp.layout.proof_form")
def test_without_a_proof_form_the_table_opens_with_a_warning() -> None:
    table = TestTable(CA).play_on(Phase.BETTING)
    assert table.state.phase is Phase.BETTING
    assert [problem.clauses for problem in table.last("open_table").alerts] == [(PROOF,)]
    assert any(PROOF in alert["clauses"] for alert in plain(table.last("open_table"))["alerts"])


# --- the collection schedule ------------------------------------------------------------------------------


PREDETERMINED = [
    ("ca.fpgp.collect.s1_32.predetermined", 7),
    ("ca.fpgp.collect.s33_36.predetermined", 34),
    ("ca.fpgp.collect.s37_43.predetermined", 40),
]


@pytest.mark.parametrize(
    ("law", "number"), [pytest.param(*row, marks=clause(row[0])) for row in PREDETERMINED]
)
def test_the_schedule_does_not_change_while_a_round_is_open(law: str, number: int) -> None:
    other = submission(CA, {**on_schedule(8), "reference": "RS-CA-2"})
    room = Cardroom(on_schedule(number), seats=(2, 4)).banks(2)
    room.do("wager", room.at(4), 4, wagers={"main": schedule(number).table_min})
    assert law in room.refused("adopt_rules", FLOOR, submission=other)
    room.closed()
    assert law in room.refused("adopt_rules", FLOOR, submission=other)
    before = Cardroom(on_schedule(number))
    before.do("adopt_rules", FLOOR, submission=other)
    assert before.rules.submission == other


@pytest.mark.clause("ca.fpgp.collect.review.3")
def test_an_order_to_cease_is_recorded_while_a_round_is_stopped() -> None:
    room = banked("$200", {2: {"main": "$20"}})
    room.do("stop_round", reason="a quarrel about a seat")
    notice: dict[str, Any] = {"source": "Bureau letter 9", "dated": DAY}
    (event,) = room.do("record_notice", FLOOR, status="cease", **notice)
    assert "ca.fpgp.collect.review.3" in event.clauses
    assert room.state.round.stopped


def test_a_proof_is_stored_while_a_round_is_stopped() -> None:
    room = banked("$200", {2: {"main": "$20"}})
    room.do("stop_round", reason="a quarrel about a seat")
    proof: dict[str, Any] = {"signer": "S. Lee", "dated": DAY, "width": "72", "height": "40", "verdict": "ok"}
    assert room.do("store_proof", FLOOR, **proof)
