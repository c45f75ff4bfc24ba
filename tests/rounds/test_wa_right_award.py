"""After a back-out: the right award entered, a card put right, and a prize paid by hand on the books."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import pytest

from houseway.ledger import CAGE, SEED, player, units
from houseway.meters import MeterState
from houseway.money import cents
from houseway.rounds.explain import explain
from houseway.rounds.state import CardOrigin, Phase
from tests.games.support import NOTHING, Changes
from tests.rounds.books import books_balance, books_closed, ledger_of, net
from tests.rounds.commands import value_of
from tests.rounds.table import FLOOR, TestTable, setting
from tests.rounds.washington import (
    PLAIN_METER,
    SAM,
    WAYS,
    adjust,
    claim,
    dealt,
    jackpot,
    opened_up,
    record,
    showing,
    whole,
)

clause = pytest.mark.clause
LAW = "wa.prog.8.i"
SAID = {"second": "Sue", "reason": "the joker was misread"}
DEALERS = "QsQh3h2s / 8h8c / 7c"
FIVE_ACES = "AsAhAdAc / JkKd / 9c"
FOUR_ACES = "AsAhAdAc / 5sKd / 9c"
STRAIGHT_FLUSH = "9d8d7d6d / 5dKc / 2c"
MOMENTS = ("before RUN", "after RUN", "paid before RUN", "paid after RUN")


def backed_out(table: TestTable, moment: str) -> TestTable:
    """Back the award just recorded at 4 out, at a moment; the key is back at RUN afterwards."""
    if moment == "paid before RUN":
        table.do("pay_jackpot", SAM, 4, reference="HP-1")
    if moment.endswith("after RUN"):
        table.do("turn_key", SAM, to="RUN")
    if moment == "paid after RUN":
        table.do("pay_jackpot", SAM, 4, reference="HP-1")
    adjust(table, table.live.table.round.wins[-1].amount, SAM, win=4, **SAID)
    if not moment.endswith("after RUN"):
        table.do("turn_key", SAM, to="RUN")
    return table


# --- the right award ----------------------------------------------------------------------------------


@clause(LAW)
@pytest.mark.parametrize("held", ["five_aces", "seven_card_straight_flush"])
@pytest.mark.parametrize("moment", MOMENTS)
def test_after_a_back_out_the_award_is_entered_again_and_paid_once(moment: str, held: str) -> None:
    table = claim(jackpot({4: held}), hand=held)
    record(table)
    amount = table.live.table.round.wins[0].amount
    backed_out(table, moment)
    assert books_balance(table)
    claim(table, hand=held)
    table.refused("game_over")
    record(table)
    table.refused("press_jpot", SAM, 4)
    table.do("turn_key", SAM, to="RUN")
    table.do("pay_jackpot", SAM, 4, reference="HP-2")
    table.refused("pay_jackpot", SAM, 4, reference="HP-3")
    first, second = table.live.table.round.wins
    assert (first.backed_out is not None, first.amount, second.backed_out, second.paid) == (
        True,
        amount,
        None,
        "HP-2",
    )
    assert second.amount == amount
    assert "Recorded" in value_of(table.do("print_win", SAM, 4)[0], "page")
    assert whole(table.play_on(rounds=1)) and books_closed(table)
    assert ledger_of(table).balance(player("Cleo")) == units(cents("$9")) + units(amount)
    assert ledger_of(table).balance(CAGE) == 0


def test_the_award_is_claimed_again_before_the_key_is_back_and_only_the_right_one_is_paid() -> None:
    table = claim(jackpot({4: "five_aces"}, PLAIN_METER))
    record(table)
    adjust(table, cents("$1,000"), SAM, win=4, **SAID)
    table.do("press_hand", at=4, hand="five_aces")
    table.do("acknowledge_claim", SAM, 4)
    table.do("verify_jackpot", SAM, 4)
    table.do("press_jpot", SAM, 4)
    (event,) = table.do("turn_key", SAM, to="RUN")
    assert sum(p.units for p in value_of(event, "payments")) == units(cents("$1,000"))
    assert showing(table) == cents("$9,000")
    assert whole(table.play_on(rounds=1)) and books_closed(table)


def test_the_second_award_can_be_backed_out_as_the_first() -> None:
    table = claim(jackpot({4: "five_aces"}, PLAIN_METER))
    record(table)
    backed_out(table, "paid after RUN")
    record(claim(table))
    backed_out(table, "paid before RUN")
    assert showing(table) == cents("$10,000") and books_balance(table)
    assert all(win.backed_out for win in table.live.table.round.wins)
    table.do("rack", at=4)
    assert whole(table.play_on(rounds=1)) and books_closed(table)


def test_a_claim_after_game_over_keeps_the_round_open_until_it_is_recorded() -> None:
    table = claim(jackpot({4: "five_aces"}, PLAIN_METER))
    record(table)
    table.do("turn_key", SAM, to="RUN")
    table.play_on(without=["close_round"])
    adjust(table, cents("$1,000"), SAM, win=4, **SAID)
    table.do("press_hand", at=4, hand="five_aces")
    table.refused("close_round")
    table.do("acknowledge_claim", SAM, 4)
    table.do("verify_jackpot", SAM, 4)
    record(table)
    table.do("turn_key", SAM, to="RUN")
    assert whole(table.play_on(rounds=1)) and showing(table) == cents("$9,000") and books_closed(table)


# --- a card typed in wrongly --------------------------------------------------------------------------


def typed_as(how: str, changes: Changes | None = None) -> TestTable:
    """Play a round of real cards to where the hand at 4 is typed in, opened and rearranged."""
    table = TestTable("wa-fap", {**WAYS["led"], **(changes or PLAIN_METER)}, source=CardOrigin.TYPED)
    table.betting(4, main="$10", progressive="$1").play_on(without=["press_start"])
    table.do("press_start", number=1)
    table.play_on(without=["set_dealer"])
    table.do("enter_hand", at=1, setting=setting(DEALERS))
    table.do("confirm_entry", at=1)
    table.play_on(Phase.SETTLING)
    return opened_up(enter(table, how), 4)


def enter(table: TestTable, how: str) -> TestTable:
    """Type the hand at 4 in."""
    table.do("enter_hand", at=4, setting=setting(how))
    table.do("confirm_entry", at=4)
    return table


@clause(LAW)
@pytest.mark.parametrize("moment", MOMENTS)
def test_a_mistyped_card_is_put_right_after_the_back_out_and_the_line_that_is_held_is_paid(
    moment: str,
) -> None:
    table = claim(typed_as(FIVE_ACES))
    record(table)
    assert LAW in table.refused("reopen_entry", FLOOR, 4, reason="the joker was a five")
    backed_out(table, moment)
    table.do("reopen_entry", FLOOR, 4, reason="the joker was a five")
    assert books_balance(table)
    opened_up(enter(table, FOUR_ACES), 4)
    table.do("settle", at=4, wager="progressive")
    assert whole(table.play_on(rounds=1)) and books_closed(table)
    assert showing(table) == cents("$10,000")
    won = table.rules.line("progressive", "four_of_a_kind").pays.returned(cents("$1"))
    assert table.state.last is not None
    assert net(table.state.last.payments)["player:Cleo"] == units(cents("$20")) + units(won)


@pytest.mark.parametrize("first", [FOUR_ACES, STRAIGHT_FLUSH])
def test_a_share_that_was_typed_in_as_less_is_claimed_when_the_card_is_put_right(first: str) -> None:
    table = typed_as(first)
    table.do("settle", at=4, wager="progressive")
    table.play_on(without=["close_round"])
    table.do("reopen_entry", FLOOR, 4, reason="the five was the joker")
    record(claim(opened_up(enter(table, FIVE_ACES), 4)))
    table.do("turn_key", SAM, to="RUN")
    table.do("pay_jackpot", SAM, 4, reference="HP-1")
    assert whole(table.play_on(rounds=1)) and books_closed(table)
    assert showing(table) == cents("$9,000")


# --- a prize paid by hand -----------------------------------------------------------------------------


BEARS: Changes = {**PLAIN_METER, "readings": {"wa_backed_out_prize": "house_bears"}}


def prize(moment: str, changes: Changes) -> TestTable:
    """Play a round whose award of $1,000 is backed out at a moment."""
    table = claim(jackpot({4: "five_aces"}, changes))
    record(table)
    return backed_out(table, moment)


def test_a_prize_paid_by_hand_is_the_cages_until_the_key_is_back_at_run() -> None:
    table = claim(jackpot({4: "five_aces"}, PLAIN_METER))
    record(table)
    (event,) = table.do("pay_jackpot", SAM, 4, reference="HP-1")
    assert "wa.prog.8.f.house_pay" in event.clauses
    assert ledger_of(table).balance(CAGE) == -units(cents("$1,000")) and books_balance(table)
    assert showing(table) == cents("$10,000")
    table.do("turn_key", SAM, to="RUN")
    assert ledger_of(table).balance(CAGE) == 0 and showing(table) == cents("$9,000")
    assert whole(table.play_on(rounds=1)) and books_closed(table)


def test_a_round_void_between_the_payment_and_the_key_takes_the_prize_back() -> None:
    table = claim(jackpot({4: "five_aces"}, PLAIN_METER))
    record(table)
    table.do("pay_jackpot", SAM, 4, reference="HP-1")
    table.do("stop_round", SAM, reason="a card too many")
    table.do("rule_round", SAM, ruling="void", reason="a card too many")
    assert ledger_of(table).balance(CAGE) == ledger_of(table).balance(player("Cleo")) == 0 and books_closed(
        table
    )


@clause(LAW)
@pytest.mark.parametrize("moment", MOMENTS)
@pytest.mark.parametrize("bears", [False, True])
def test_who_bears_a_prize_that_was_paid_and_backed_out_is_a_reading(moment: str, *, bears: bool) -> None:
    table = prize(moment, BEARS if bears else PLAIN_METER)
    out = units(cents("$1,000")) if bears and moment.startswith("paid") else 0
    assert showing(table) == cents("$10,000") and books_balance(table)
    table.do("rack", at=4)
    assert whole(table.play_on(rounds=1)) and books_closed(table)
    books = ledger_of(table)
    assert (books.balance(CAGE), books.balance(player("Cleo"))) == (-out, units(cents("$9")) + out)
    assert table.live.record is not None
    told = [line for line in explain(table.live.record) if "HP-1" in line or "house bears" in line]
    assert bool(told) == (moment == "paid before RUN" or out > 0)


def test_a_prize_that_the_house_bears_stays_paid_when_the_right_award_follows() -> None:
    for moment in ("paid before RUN", "paid after RUN"):
        table = prize(moment, BEARS)
        record(claim(table))
        table.do("pay_jackpot", SAM, 4, reference="HP-2")
        table.do("turn_key", SAM, to="RUN")
        assert whole(table.play_on(rounds=1)) and books_closed(table)
        assert ledger_of(table).balance(CAGE) == -units(cents("$1,000"))


# --- what is put in after a whole award ---------------------------------------------------------------


HELD = "seven_card_straight_flush"


@clause("wa.prog.3")
@pytest.mark.parametrize(
    ("reading", "from_house", "after"),
    [("fill_the_seed", "$9,999.04", "$10,000"), ("on_top_of_the_seed", "$10,000", "$10,000.96")],
)
def test_what_other_tables_put_in_between_jpot_and_run_is_a_reading(
    reading: str, from_house: str, after: str
) -> None:
    changes = {**PLAIN_METER, "readings": {"wa_contributions_after_award": reading}}
    table = claim(jackpot({4: HELD}, changes), hand=HELD)
    table.live.meters = {"progressive": MeterState(units(cents("$4,321.33")), 0)}
    record(table)
    table.live.meters = {"progressive": MeterState(units(cents("$4,322.29")), 0)}
    (event,) = table.do("turn_key", SAM, to="RUN")
    moved = net(value_of(event, "payments"))
    assert moved["player:Cleo"] == units(cents("$4,321.33"))
    assert moved[str(SEED)] == -units(cents(from_house))
    assert showing(table) == cents(after)
    adjust(table, cents("$4,321.33"), SAM, win=4, **SAID)
    assert showing(table) == cents("$4,322.29")


# --- the source that a dealer names -------------------------------------------------------------------


FROM_METER = {"hand": "four_of_a_kind", "pays": "75 for 1", "source": "meter"}
FROM_TRAY = {"hand": "straight_flush", "pays": "100 for 1", "source": "tray"}


def own_paytable(reading: str) -> Changes:
    """Return a table whose four of a kind is paid off the meter, and whose straight flush from the tray."""
    table = {
        "name": "some pays off the meter",
        "wager": "progressive",
        "version": "1",
        "effective": datetime(2016, 1, 1),
        "deducts": "all",
        "lines": [
            {"hand": "seven_card_straight_flush", "pays": "100% of meter"},
            {"hand": "five_aces", "pays": "10% of meter"},
            FROM_TRAY,
            FROM_METER,
        ],
    }
    return {
        **PLAIN_METER,
        "wagers.progressive.paytable": NOTHING,
        "wagers.progressive.own_paytable": table,
        "readings": {"wa_source_named": reading},
    }


@clause("wa.prog.8.b")
@pytest.mark.parametrize(
    ("held", "required", "other", "pays"),
    [("quads", "meter", "inventory", "$75"), ("straight_flush", "inventory", "meter", "$100")],
)
def test_a_dealer_who_names_another_source_is_refused_or_believed_by_the_reading(
    held: str, required: str, other: str, pays: str
) -> None:
    accounts = {"meter": "meter:progressive", "inventory": "inventory"}
    for reading in ("requirement", "as_named"):
        for source in (None, required, other, "cage", "hand pay"):
            table = dealt({4: held}, {4: {"progressive": "$1"}}, changes=own_paytable(reading))
            opened_up(table.play_on(Phase.SETTLING), 4)
            named: dict[str, Any] = {} if source is None else {"source": source}
            if source in ("cage", "hand pay") or (source == other and reading == "requirement"):
                assert "wa.prog.8.b" in table.refused("settle", at=4, wager="progressive", **named)
                continue
            (event,) = table.do("settle", at=4, wager="progressive", **named)
            paid_from = accounts[source or required]
            assert net(value_of(event, "payments")) == {
                "player:Cleo": units(cents(pays)),
                paid_from: -units(cents(pays)),
            }
            assert whole(table.play_on(rounds=1)) and books_closed(table)
