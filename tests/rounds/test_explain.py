"""What a round's explanation says: why every stake went where it went, and whose it was."""

from __future__ import annotations

import pytest

from houseway.errors import InvalidInputError
from houseway.ledger import show_units
from houseway.rounds.explain import explain
from houseway.rounds.record import Record
from houseway.rounds.state import Phase
from tests.games.support import Changes
from tests.rounds.california import FIVE, LOSES, PUSHES, QUADS, WINS, banked
from tests.rounds.pennsylvania import dealt, looked
from tests.rounds.table import DEALER, FLOOR, TestTable, player, setting

PROGRESSIVE = {"main": "$10", "progressive": "$1"}
WITH_BONUS = {"main": "$20", "fortune": "$5"}


def told(record: Record | None, position: int | None = None) -> list[str]:
    """Return the lines of a round's explanation, or of one position's."""
    assert record is not None
    return [line.strip() for line in explain(record, position)]


def lost(lines: list[str]) -> list[str]:
    """Return what is said of a progressive wager that brought nothing."""
    return [line for line in lines if line.startswith("progressive") and "was lost" in line]


# --- the progressive --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "hand", "said"),
    [
        ("pa-659a", "loser", "no hand of the paytable. (58 Pa. Code § 659a.11(h)(3)(i))"),
        ("pa-659a", "winner", "no hand of the paytable. (58 Pa. Code § 659a.11(h)(3)(i))"),
        ("pa-670a", "loser", "no hand of the paytable. (58 Pa. Code § 670a.12(d)(1))"),
        ("pa-659a", "full_house", None),
        ("pa-670a", "quads", None),
    ],
)
def test_a_losing_progressive_is_explained_and_a_winning_one_is_paid(
    game: str, hand: str, said: str | None
) -> None:
    table = dealt(game, {2: hand}, {2: PROGRESSIVE}).play_on(rounds=1)
    lines = told(table.live.record, 2)
    assert lost(lines) == ([f"progressive: $1 was lost: {said}"] if said else [])
    paid = [line for line in lines if line.startswith("progressive") and "was paid" in line]
    assert bool(paid) is (said is None)


def test_670a_a_losing_progressive_is_explained_also_where_it_earned_an_envy_bonus() -> None:
    table = dealt("pa-670a", {2: "loser", 3: "quads"}, {2: PROGRESSIVE}).play_on(rounds=1)
    lines = told(table.live.record, 2)
    assert any("envy" in line for line in lines)
    assert lost(lines) == ["progressive: $1 was lost: no hand of the paytable. (58 Pa. Code § 670a.12(d)(1))"]


def test_a_position_without_a_progressive_wager_hears_nothing_of_one() -> None:
    assert lost(told(dealt("pa-659a", {2: "loser"}).play_on(rounds=1).live.record)) == []


def test_a_progressive_of_an_abandoned_hand_is_lost_by_decision_of_the_floor() -> None:
    table = looked("pa-659a", {2: "full_house", 4: "loser"}, {2: PROGRESSIVE})
    table.do("leave", player(2), 2)
    table.do("rule_abandoned", FLOOR, 2, lost=True, reason="walked away")
    table.play_on(rounds=1)
    said = "progressive: $1 was lost: abandoned by decision of the floor. (58 Pa. Code § 659a.7(b))"
    assert lost(told(table.live.record, 2)) == [said]


@pytest.mark.parametrize("choice", ["keeps", "forfeits"])
def test_a_progressive_forfeited_by_a_foul_is_explained_by_it(choice: str) -> None:
    changes: Changes = {"readings.foul_keeps_side_wagers": choice}
    table = looked("pa-659a", {2: "full_house"}, {2: PROGRESSIVE}, changes)
    table.do("set", player(2), 2, setting=setting("9c5s4dKd / KsKh / 9d"))
    table.play_on(rounds=1)
    lines = lost(told(table.live.record, 2))
    told_so = [line.startswith("progressive: $1 was lost: forfeited by the foul. (") for line in lines]
    assert told_so == ([] if choice == "keeps" else [True])
    assert all("§ 659a.11(f)(1)(iii)" in line for line in lines)


@pytest.mark.parametrize("choice", ["returned", "stand"])
def test_a_progressive_of_a_voided_hand_is_lost_only_where_its_wagers_are(choice: str) -> None:
    changes: Changes = {"readings.six_voided_hand_wagers": choice}
    table = dealt("pa-670a", {2: "loser", 4: "winner"}, {2: PROGRESSIVE}, changes)
    table.do("expose_card", DEALER, 2)
    table.do("choose_hand", player(2), 2, choice="void")
    table.play_on(rounds=1)
    said = (
        "progressive: $1 was lost: the hand is void, its wagers are not returned. (58 Pa. Code § 670a.13(d)"
    )
    found = lost(told(table.live.record, 2))
    assert [line.startswith(said) for line in found] == ([] if choice == "returned" else [True])


def test_the_meter_is_told_as_it_stood_before_the_round_and_as_it_stands_after_it() -> None:
    table = dealt("pa-659a", {2: "five_aces", 4: "loser"}, {2: PROGRESSIVE, 4: PROGRESSIVE})
    table.play_on(rounds=1)
    last, meter = table.state.last, table.state.meter
    assert last is not None and last.meter_before is not None and meter is not None
    before, after = show_units(last.meter_before.value), show_units(meter.value)
    said = f"The meter stood at {before} before the round and at {after} after it."
    assert said in told(table.live.record)


def test_in_a_void_round_nothing_is_lost() -> None:
    table = dealt("pa-659a", {2: "loser"}, {2: PROGRESSIVE})
    table.do("expose_card", DEALER, 1)
    assert table.state.last is not None and table.state.last.void is not None
    assert lost(told(table.live.record)) == []


# --- a player's bank --------------------------------------------------------------------------------


@pytest.mark.parametrize(("stake", "paid"), [("$170", "$0"), ("$173", "$3"), ("$175", None)])
def test_an_unpaid_envy_bonus_is_told_as_such_and_not_as_a_wagers_winnings(
    stake: str, paid: str | None
) -> None:
    room = banked(stake, {2: WITH_BONUS, 4: WITH_BONUS}, FIVE).opened_up({2: WINS[2], 4: QUADS})
    room.finished()
    short = [line for line in told(room.live.record) if "the bank could pay" in line]
    law = "(CA Casino 99 Fortune Pai Gow Poker, Envy Bonus [lines 161])"
    said = (
        f"envy bonus: $5 was won and the bank could pay {paid} of it: envy of the four of a kind at 4. {law}"
    )
    assert short == ([said] if paid else [])


def test_the_player_dealers_fee_has_a_name_and_a_seat() -> None:
    room = banked("$200", {2: WITH_BONUS}, FIVE).opened_up({2: WINS[2]})
    room.finished()
    whole, own = told(room.live.record), told(room.live.record, 6)
    assert whole[1].startswith("The player-dealer, Finn, held ")
    at = own.index("Position 6, Finn, the player-dealer.")
    assert own[at + 1].startswith("collection: ") and "was taken before the deal" in own[at + 1]
    assert own[at:] == whole[whole.index(own[at]) :]
    assert not any(line.startswith("collection: ") for line in told(room.live.record, 2))


@pytest.mark.parametrize("position", [99, 0, -1, 5])
def test_a_position_that_nobody_played_is_refused_by_its_number(position: int) -> None:
    room = banked("$200", {2: WITH_BONUS}, FIVE).opened_up({2: WINS[2]})
    room.finished()
    with pytest.raises(InvalidInputError, match=f"the positions played are 2, 6: {position}$"):
        told(room.live.record, position)


def test_money_of_those_behind_a_hand_is_told_under_their_name() -> None:
    room = banked("$25", {2: {"main": "$20"}}, FIVE).behind("Zoe", 2, main="$20")
    room.opened_up({2: WINS[2]}).finished()
    lines = told(room.live.record, 2)
    own = [line for line in lines if line.startswith("main: ")]
    behind = [line for line in lines if line.startswith("Zoe, betting behind: main: ")]
    assert ["came back" in line for line in own] == [True, False] and "$20 was paid" in own[1]
    assert "$20 came back" in behind[0] and "$5 was paid" in behind[1]
    assert "main: $20 was won and the bank could pay $5 of it" in behind[2]


@pytest.mark.parametrize(
    ("stake", "hand", "ends"),
    [
        ("$20", WINS[2], "$0 collected and $20 paid, which exhausted it: $20 was lost. (CA Casino 99"),
        ("$200", WINS[2], "$0 collected and $20 paid: $20 was lost."),
        ("$200", LOSES[2], "$20 collected and $0 paid: $20 was won."),
        ("$200", PUSHES, "$0 collected and $0 paid: neither won nor lost."),
    ],
)
def test_what_a_bank_won_or_lost_is_told_also_where_nothing_comes_back_of_it(
    stake: str, hand: str, ends: str
) -> None:
    room = banked(stake, {2: {"main": "$20"}}, FIVE).opened_up({2: hand})
    room.finished()
    own = told(room.live.record, 6)
    own = own[own.index("Position 6, Finn, the player-dealer.") :]
    (bank,) = (line for line in own if line.startswith("bank: ") and "was put up" in line)
    assert bank.startswith(f"bank: {stake} was put up, {ends}")
    assert any("came back" in line for line in own) == ("exhausted" not in bank)


# --- a reset of the dealer's hand ---------------------------------------------------------------------


@pytest.mark.parametrize("choice", ["reset_and_resettle", "resettle_unsettled_only"])
def test_a_reset_is_told_and_each_hand_against_what_it_was_settled_on(choice: str) -> None:
    table = _settled_wrongly({"readings.missed_dealer_setting": choice})
    table.do("reset_dealer")
    table.play_on(rounds=1)
    lines = told(table.live.record)
    assert "The hand had been set wrongly and was reset. (58 Pa. Code § 659a.13(i), carried over)" in lines
    stands = "Settled before the dealer's hand was reset: that result stands."
    medium = [line for line in lines if line.startswith("medium:")]
    if choice == "reset_and_resettle":
        assert stands not in lines
        assert all(line.endswith("against pair of eights") for line in medium)
    else:
        assert lines.count(stands) == 1
        assert [line.endswith("against seven-high, three") for line in medium] == [True, False]


def _settled_wrongly(changes: Changes) -> TestTable:
    """Settle the first of two hands against a dealer's hand that is not set the house way."""
    table = looked("pa-659a", {2: "loser", 5: "winner"}, changes=changes).play_on(Phase.DEALER)
    table.do("set_dealer", setting=setting("QsQh8d8h / 7c3d / 2c"))
    table.do("reveal", at=2)
    table.do("settle", at=2, wager="main")
    return table
