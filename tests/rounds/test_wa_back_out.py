"""An award recorded in error: backed out by two people before the key is back at RUN or after, and once."""

from __future__ import annotations

import pytest

from houseway.ledger import Account, AccountKind, Ledger, player, total
from houseway.meters import MeterState
from houseway.money import Cents, cents
from houseway.rounds.books import posted
from houseway.rounds.explain import explain
from houseway.rounds.options import options
from houseway.rounds.replay import difference
from houseway.rounds.state import JackpotWin, Phase
from tests.rounds.books import meters_opened, net
from tests.rounds.commands import value_of
from tests.rounds.table import TestTable
from tests.rounds.washington import (
    PLAIN_METER,
    SAM,
    SUE,
    adjust,
    claim,
    jackpot,
    not_adjusted,
    opened_up,
    payables,
    record,
    showing,
    spot,
    whole,
)

clause = pytest.mark.clause
LAW = "wa.prog.8.i"
SAID = {"second": "Sue", "reason": "the joker was misread"}
HELD = ("five_aces", "seven_card_straight_flush")
WHEN = ("before RUN", "after RUN", "after it was paid")


def recorded(held: str = "five_aces") -> tuple[TestTable, MeterState]:
    """Return a table whose supervisor has just pressed J-POT, and the meter as it stood then."""
    floor = claim(jackpot({4: held}), hand=held)
    record(floor)
    return floor, floor.live.meters["progressive"]


def gone_on(floor: TestTable, when: str) -> TestTable:
    """Let the key go back to RUN, and the prize be paid, if that comes first."""
    if when != "before RUN":
        floor.do("turn_key", SAM, to="RUN")
    if when == "after it was paid":
        floor.do("pay_jackpot", SAM, 4, reference="HP-1")
    return floor


def the_win(floor: TestTable) -> JackpotWin:
    """Return the win of the round in progress, or of the one just over."""
    state = floor.live.table
    played = state.round if state.round.wins else state.last
    assert played is not None
    (win,) = played.wins
    return win


def ledger_of(floor: TestTable) -> Ledger:
    """Return the ledger of everything done at a table."""
    opened = TestTable("wa-fap", dealer=False).live
    ledger = meters_opened(opened)
    for event in floor.log:
        ledger = posted(ledger, floor.live.table.id, event)
    ledger.verify()
    return ledger


def in_step(floor: TestTable) -> bool:
    """Whether the ledger holds what the meter and its reserve hold, and nothing came from nowhere."""
    ledger, held = ledger_of(floor), floor.live.meters["progressive"]
    kept = [ledger.balance(Account(kind, "progressive")) for kind in (AccountKind.METER, AccountKind.RESERVE)]
    return kept == [held.value, held.reserve] and total(ledger) == 0


@clause(LAW)
@pytest.mark.parametrize("held", HELD)
@pytest.mark.parametrize("when", WHEN)
def test_an_award_in_error_is_backed_out_and_its_player_keeps_nothing_of_it(when: str, held: str) -> None:
    floor, meter = recorded(held)
    amount = the_win(floor).amount
    event = adjust(gone_on(floor, when), amount, SAM, win=4, **SAID)
    assert LAW in event.clauses and floor.live.meters["progressive"] == meter
    win = the_win(floor)
    assert win.backed_out and all(word in win.backed_out for word in ("misread", "Sam", "Sue"))
    assert payables(floor) == []
    assert LAW in not_adjusted(floor, amount, SAM, win=4, **SAID)
    assert floor.live.meters["progressive"] == meter
    if when == "before RUN":
        floor.refused("rack", at=4)  # nothing goes on until the key is back at RUN
        floor.do("turn_key", SAM, to="RUN")
    floor.refused("pay_jackpot", SAM, 4, reference="HP-2")
    floor.do("rack", at=4)
    assert whole(floor.play_on(rounds=1)) and floor.live.meters["progressive"] == meter
    assert floor.table.last is not None and in_step(floor)
    assert net(floor.table.last.payments)["player:Cleo"] == 20 * 1_000_000
    assert floor.live.record is not None and difference(floor.live.record) is None


@clause(LAW)
@pytest.mark.parametrize("held", HELD)
@pytest.mark.parametrize("when", WHEN)
def test_a_round_void_after_an_award_was_backed_out_leaves_the_meter_as_it_found_it(
    when: str, held: str
) -> None:
    floor = jackpot({4: held})
    found = floor.table.round.meter_before
    record(claim(floor, hand=held))
    adjust(gone_on(floor, when), the_win(floor).amount, SAM, win=4, **SAID)
    floor.do("stop_round", SAM, reason="a card too many")
    floor.do("rule_round", SAM, ruling="void", reason="a card too many")
    assert floor.live.meters["progressive"] == found and in_step(floor)
    assert ledger_of(floor).balance(player("Cleo")) == 0
    assert LAW in not_adjusted(floor, the_win(floor).amount, SAM, win=4, **SAID)


def test_the_award_of_a_void_round_is_undone_already() -> None:
    floor, _ = recorded()
    gone_on(floor, "after RUN")
    floor.do("stop_round", SAM, reason="a card too many")
    floor.do("rule_round", SAM, ruling="void", reason="a card too many")
    amount = the_win(floor).amount
    found = floor.problems("adjust_meter", SAM, None, amount=amount, win=4, **SAID)
    assert any("was void" in problem.reason for problem in found)


@clause(LAW)
def test_an_award_of_the_last_round_is_backed_out_whatever_happens_to_this_one() -> None:
    floor, meter = recorded()
    amount = the_win(floor).amount
    floor.play_on(rounds=1)
    floor.bet(4, main="$10").play_on(Phase.SETTING)
    event = adjust(floor, amount, SAM, win=4, **SAID)
    assert LAW in event.clauses and floor.live.meters["progressive"] == meter
    floor.do("stop_round", SAM, reason="a card too many")
    floor.do("rule_round", SAM, ruling="void", reason="a card too many")
    assert floor.live.meters["progressive"] == meter and in_step(floor)
    assert floor.live.record is not None and difference(floor.live.record) is None
    assert any("backed out the award of $1,000.02" in line for line in explain(floor.live.record))


@clause(LAW)
def test_an_award_is_backed_out_whole() -> None:
    for when in WHEN:
        floor, _ = recorded()
        amount = the_win(floor).amount
        for other in (Cents(amount - 1), Cents(amount + 1), Cents(-amount), Cents(0)):
            assert LAW in not_adjusted(gone_on(floor, "before RUN"), other, SAM, win=4, **SAID)
        adjust(gone_on(floor, when), amount, SAM, win=4, **SAID)


@clause(LAW)
@pytest.mark.parametrize("when", WHEN)
def test_the_story_of_the_round_tells_who_backed_an_award_out_and_why(when: str) -> None:
    floor, _ = recorded()
    adjust(gone_on(floor, when), the_win(floor).amount, SAM, win=4, **SAID)
    (page,) = floor.do("print_win", SUE, 4)
    assert "Backed out: the joker was misread" in value_of(page, "page")
    floor.play_on(rounds=1)
    assert floor.live.record is not None
    for story in (list(explain(floor.live.record)), list(explain(floor.live.record, 4))):
        (said,) = (line for line in story if line.startswith("Sam and Sue backed out"))
        assert "$1,000.02 at position 4" in said and "the joker was misread" in said and "8.i" in said
        back = [line for line in story if "$1,000.02 was taken back" in line]
        assert len(back) == (when != "before RUN")
    told = list(explain(floor.live.record))
    assert told[-1] == "The meter stood at $10,000 before the round and at $10,000.24 after it."


def test_one_award_is_not_backed_out_between_the_record_and_the_key_of_another() -> None:
    first, second = spot(5), spot(2)
    floor = jackpot({first: "five_aces", second: "seven_card_straight_flush"}, PLAIN_METER)
    record(claim(floor, first), first)
    floor.do("turn_key", SAM, to="RUN")
    floor.do("pay_jackpot", SAM, first, reference="HP-1")
    floor.do("rack", at=first)
    record(claim(opened_up(floor, second), second, "seven_card_straight_flush"), second)
    not_adjusted(floor, cents("$1,000"), SAM, win=first, **SAID)
    floor.do("turn_key", SAM, to="RUN")
    adjust(floor, cents("$1,000"), SAM, win=first, **SAID)
    assert showing(floor) == cents("$11,000")
    assert floor.live.table.round.wins[1].amount == cents("$9,000")


def test_where_only_an_award_can_be_adjusted_the_option_asks_which() -> None:
    floor, _ = recorded()
    live = floor.live
    (option,) = (
        one for one in options(live.rules, live.table, SAM, live.moment) if one.step == "adjust_meter"
    )
    (asked,) = (field for field in option.fields if field.name == "win")
    assert option.open and asked.needed and asked.choices == (4,)
    adjust(floor, the_win(floor).amount, SAM, win=4, **SAID)
    (option,) = (
        one for one in options(live.rules, live.table, SAM, live.moment) if one.step == "adjust_meter"
    )
    assert "win" not in {field.name for field in option.fields}


@clause("wa.prog.8.g.meter")
@pytest.mark.parametrize(("since", "from_house"), [("$10,005", 0), ("$400", 9_600), ("$0", 10_000)])
def test_the_key_pays_what_jpot_recorded_whatever_other_tables_did_since(since: str, from_house: int) -> None:
    held = "seven_card_straight_flush"
    floor = claim(jackpot({4: held}, PLAIN_METER), hand=held)
    record(floor)
    floor.live.meters = {"progressive": MeterState(cents(since) * 10_000, 0)}
    (event,) = floor.do("turn_key", SAM, to="RUN")
    prize = [p for p in value_of(event, "payments") if p.to == player("Cleo")]
    assert sum(p.units for p in prize) == cents("$10,000") * 10_000
    assert sum(p.units for p in prize if p.source.kind is AccountKind.SEED) == from_house * 1_000_000
    assert showing(floor) == cents("$10,000")  # reseeded
