"""One person, one capacity: who is kept out of what by what else they are at the table."""

from __future__ import annotations

from typing import Any

import pytest

from houseway.money import cents
from houseway.rounds.capacities import EXCLUSIONS, HOUSE_RULE
from houseway.rounds.options import options
from houseway.rounds.roles import FLOOR as SUPERVISORS
from houseway.rounds.roles import Role
from houseway.rounds.state import Phase, Seat
from houseway.rounds.step import Actor
from houseway.rounds.steps import STEPS
from tests.games.support import Changes
from tests.rounds import washington
from tests.rounds.california import CA, Cardroom, person
from tests.rounds.pennsylvania import house_way
from tests.rounds.table import DEALER, FLOOR, MANUAL, TestTable, by_chapter, money, player
from tests.rounds.test_progressive_wins import checked, due
from tests.rounds.washington import SAM, SUE, claim, jackpot, record

clause = pytest.mark.clause
GAMES = ("pa-575", "pa-659a", "pa-670a", "wa-fap", "ca-fpgp")
PENNSYLVANIA = GAMES[:3]
JOKERS: Changes = {"table.pack_jokers": 2}
MAX = Actor("Max", Role.DEALER)
KIT = Actor("Kit", Role.KEY_HOLDER)


def acting(person: Actor, role: Role) -> Actor:
    """Return the same person in another capacity."""
    return Actor(person.id, role, person.name)


def reasons(table: TestTable, step: str, by: Actor, at: int | None = None, **details: Any) -> list[str]:
    """Return every reason against a command."""
    return [problem.reason for problem in table.problems(step, by, at, **details)]


# --- the dealer on duty does not supervise ------------------------------------------------------------


@pytest.mark.parametrize("role", SUPERVISORS)
@pytest.mark.parametrize("game", GAMES)
def test_the_dealer_on_duty_neither_opens_nor_closes_nor_stops_the_table_as_its_supervisor(
    game: str, role: Role
) -> None:
    dora, rule = acting(DEALER, role), f"the dealer at the table does not supervise it ({HOUSE_RULE})"
    table = TestTable(game).play_on(without=["open_table"])
    assert rule in reasons(table, "open_table", dora)
    table.opened()
    assert rule in reasons(table, "close_table", dora)
    table.refused("close_table", dora)
    assert rule not in reasons(table, "close_table", FLOOR)
    if game not in PENNSYLVANIA:
        assert reasons(table, "stop_round", dora, reason="a word") == [rule]
        table.do("stop_round", DEALER, reason="a word")
        assert reasons(table, "rule_round", dora, ruling="play on", reason="heard") == [rule]


@pytest.mark.parametrize("game", GAMES)
def test_somebody_who_was_relieved_supervises_and_the_new_dealer_does_not(game: str) -> None:
    table = TestTable(game).opened()
    table.do("relieve", MAX, training="on file")
    assert reasons(table, "close_table", acting(MAX, Role.MANAGER)) != []
    table.do("close_table", acting(DEALER, Role.FLOORPERSON))


@by_chapter(pa659a="pa659a.11.h.3.ii.c", pa670a="pa670a.11.h.3.i.b.iii")
def test_the_dealer_has_somebody_else_validate_a_payout(game: str, law: str) -> None:
    table = due(game, "five_aces")
    checked(table, "five_aces", without="validate_win")
    assert table.refused("validate_win", acting(DEALER, Role.FLOORPERSON), 4) == (law,)
    table.do("validate_win", FLOOR, 4)


@by_chapter(pa575="pa575.4.b.s1", pa659a="pa659a.4.b.s1", pa670a="pa670a.4.b.s2")
def test_the_dealer_and_somebody_else_make_sure_of_one_joker(game: str, law: str) -> None:
    table = TestTable(game, JOKERS).play_on(without=["attest_joker"])
    table.do("attest_joker", deck="A")
    assert table.refused("attest_joker", acting(DEALER, Role.FLOORPERSON), deck="A") == (law,)
    table.do("relieve", MAX, training="on file")  # who inspected it is still no second pair of eyes
    assert table.refused("attest_joker", acting(DEALER, Role.FLOORPERSON), deck="A") == (law,)
    table.do("attest_joker", FLOOR, deck="A")


@pytest.mark.parametrize("game", PENNSYLVANIA)
def test_the_dealer_neither_orders_a_shuffle_nor_rules_about_who_left(game: str) -> None:
    dora = acting(DEALER, Role.FLOORPERSON)
    table = TestTable(game).opened().seat((2,))
    assert any(HOUSE_RULE in reason for reason in reasons(table, "direct_shuffle", dora))
    table.bet(2, main="$10").play_on(Phase.SETTING)
    table.do("leave", player(2), 2)
    table.refused("rule_abandoned", dora, 2, lost=False, reason="gone")
    table.do("rule_abandoned", FLOOR, 2, lost=False, reason="gone")


@clause("wa.prog.8.e")
def test_the_supervisor_who_is_called_is_not_the_dealer() -> None:
    table = jackpot()
    table.do("press_hand", at=4, hand="five_aces")
    assert table.refused("acknowledge_claim", acting(DEALER, Role.FLOORPERSON), 4) == ("wa.prog.8.e",)
    table.do("acknowledge_claim", SAM, 4)


@clause("wa.prog.8.f.key")
@pytest.mark.parametrize("role", [*SUPERVISORS, Role.KEY_HOLDER])
def test_the_dealer_does_not_turn_the_key(role: Role) -> None:
    table = claim(jackpot())
    assert table.refused("turn_key", acting(DEALER, role), to="JPH") == ("wa.prog.8.f.key",)
    table.do("turn_key", KIT, to="JPH")


# --- the dealer on duty does not play -----------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_the_dealer_on_duty_does_not_sit_down_and_whoever_sits_does_not_deal(game: str) -> None:
    table = TestTable(game).opened()
    assert reasons(table, "sit", acting(DEALER, Role.PLAYER), 2)
    table.refused("sit", acting(DEALER, Role.PLAYER), 2)
    table.do("sit", player(2), 2)
    ann = acting(player(2), Role.DEALER)
    table.refused("relieve", ann, training="on file", shaker=True)
    table.do("log_off")
    table.refused("log_on", ann, training="on file")
    table.do("log_on", MAX, training="on file")
    table.do("sit", acting(DEALER, Role.PLAYER), 3)  # who no longer deals may play


@pytest.mark.parametrize("game", GAMES)
def test_a_dealer_found_at_her_own_table_can_only_get_up(game: str) -> None:
    table = TestTable(game).opened()
    dora = acting(DEALER, Role.PLAYER)
    table.force(seats={2: Seat("Dora", 0)})
    table.refused("wager", dora, 2, wagers=money(main="$10"))
    table.do("leave", dora, 2)
    assert not table.state.seats


# --- whoever plays does not supervise -----------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_a_floorperson_who_plays_does_not_supervise_the_table_until_they_have_left_it(game: str) -> None:
    table = Cardroom(seats=()) if game == CA else TestTable(game).opened()
    seated = acting(FLOOR, Role.PLAYER)
    table.do("sit", seated, 2)
    rule = f"whoever plays at the table does not supervise it ({HOUSE_RULE})"
    for role in SUPERVISORS:
        assert reasons(table, "close_table", acting(FLOOR, role)) == [rule]
    assert reasons(table, "close_table", SUE) == []
    table.do("leave", seated, 2)
    table.do("close_table", FLOOR)


def test_a_floorperson_with_a_hand_in_the_round_rules_about_nothing_even_after_leaving() -> None:
    table = TestTable("pa-659a").opened().seat((3,)).bet(3, main="$10")
    seated = acting(FLOOR, Role.PLAYER)
    table.do("sit", seated, 2)
    table.do("wager", seated, 2, wagers=money(main="$10"))
    table.play_on(Phase.SETTING)
    table.do("leave", seated, 2)
    table.refused("rule_abandoned", FLOOR, 2, lost=False, reason="gone")
    table.do("rule_abandoned", SUE, 2, lost=False, reason="gone")
    table.play_on(rounds=1)
    table.do("close_table", FLOOR)


def test_nobody_verifies_records_and_pays_a_jackpot_of_their_own() -> None:
    table = jackpot()
    cleo = acting(player(4), Role.FLOORPERSON)
    table.do("press_hand", at=4, hand="five_aces")
    table.refused("acknowledge_claim", cleo, 4)
    table.do("acknowledge_claim", SAM, 4)
    table.refused("verify_jackpot", cleo, 4)
    table.do("verify_jackpot", SAM, 4)
    table.refused("turn_key", acting(player(4), Role.KEY_HOLDER), to="JPH")
    table.do("turn_key", KIT, to="JPH")
    table.refused("press_jpot", cleo, 4)
    table.do("press_jpot", SAM, 4)
    table.do("turn_key", KIT, to="RUN")
    table.refused("pay_jackpot", cleo, 4, reference="HP-1")
    table.do("pay_jackpot", SAM, 4, reference="HP-1")


def test_who_stands_behind_a_hand_supervises_nothing_there() -> None:
    room = Cardroom({"table.backline": True}).banks(6).bets(2, main="$20")
    room.behind("Flo", 2, main="$20")
    room.refused("stop_round", FLOOR, reason="a dispute")
    room.do("stop_round", SUE, reason="a dispute")


# --- the second person --------------------------------------------------------------------------------


@pytest.mark.parametrize("second", ["Ann", " ann "])
def test_the_second_person_does_not_play_at_the_table(second: str) -> None:
    table = TestTable("wa-fap").opened().seat((2,))
    rule = f"the second person does not play at the table ({HOUSE_RULE})"
    why: dict[str, Any] = {"amount": cents("$1"), "reason": "miscounted"}
    assert reasons(table, "adjust_meter", FLOOR, second=second, **why) == [rule]
    table.do("adjust_meter", FLOOR, second="Sue", **why)
    table.do("leave", player(2), 2)
    table.do("adjust_meter", FLOOR, second="Ann", **why)


def test_nobody_backs_out_a_win_of_their_own_after_the_round() -> None:
    table = claim(jackpot())
    record(table)
    table.do("turn_key", SAM, to="RUN")
    table.play_on(rounds=1)
    table.do("leave", player(4), 4)
    (win,) = table.live.table.last.wins if table.live.table.last else ()
    why: dict[str, Any] = {"amount": win.amount, "reason": "misread", "win": 4}
    table.refused("adjust_meter", acting(player(4), Role.MANAGER), second="Sue", **why)
    table.refused("adjust_meter", SAM, second="Cleo", **why)
    table.do("adjust_meter", SAM, second="Sue", **why)


# --- who has no id, and who is offered what -----------------------------------------------------------


@pytest.mark.parametrize("name", ["", "  "])
def test_nobody_acts_without_an_id(name: str) -> None:
    table = TestTable("pa-659a").opened()
    assert "whoever acts has an id" in reasons(table, "sit", Actor(name, Role.PLAYER), 2)
    table.refused("sit", Actor(name, Role.PLAYER), 2)


def test_nobody_is_offered_what_they_are_kept_out_of() -> None:
    table = TestTable("pa-659a").opened().seat((2,))

    def offered(by: Actor) -> set[str]:
        return {one.step for one in options(table.rules, table.live.table, by, table.live.moment)}

    assert "close_table" in offered(FLOOR)
    assert "close_table" not in offered(acting(DEALER, Role.FLOORPERSON))
    assert "close_table" not in offered(acting(player(2), Role.MANAGER))
    assert "sit" in offered(player(3)) and "sit" not in offered(acting(DEALER, Role.PLAYER))


def test_every_exclusion_has_a_step_to_bind_and_says_why() -> None:
    for exclusion in EXCLUSIONS:
        assert exclusion.reason and exclusion.because
        assert (exclusion.steps | exclusion.spared) <= set(STEPS)


# --- whoever has left does nothing --------------------------------------------------------------------


@pytest.mark.parametrize("game", ["pa-575", "pa-659a", "pa-670a", "wa-fap"])
def test_nobody_leaves_twice(game: str) -> None:
    table = (
        washington.looked({4: "winner", 2: "loser"})
        if game == "wa-fap"
        else TestTable(game).setting(2, 4, main="$10")
    )
    table.do("leave", player(4), 4)
    assert "the player has left the table" in reasons(table, "leave", player(4), 4)
    table.refused("leave", player(4), 4)


def test_a_player_dealer_who_has_left_neither_shakes_nor_sets_and_the_floor_rules() -> None:
    room = Cardroom().banks(6).bets(2, main="$20").play_on(without=["shake_dice"])
    assert room.state.round.start is None
    room.do("leave", person(6), 6)
    room.refused("leave", person(6), 6)
    play_on: dict[str, Any] = {"ruling": "play on", "reason": "somebody else shakes"}
    assert any("dice" in reason for reason in reasons(room, "rule_round", SUE, **play_on))
    assert "the player has left the table" in reasons(room, "shake_dice", person(6))
    room.do("rule_round", SUE, ruling="void", reason="nobody is left to shake the dice")
    assert room.state.last is not None and room.state.last.void is not None


def test_a_player_dealer_who_has_left_does_not_set_the_bank_anew() -> None:
    room = Cardroom().banks(6).bets(2, main="$20").play_on(Phase.SETTING)
    room.do("leave", person(6), 6)
    room.do("rule_round", SUE, ruling="play on", reason="the cards are dealt")
    room.play_on(Phase.SETTLING, without=["reveal"])
    setting = room.state.round.dealer_setting
    assert "the player has left the table" in reasons(room, "reset_bank", person(6), setting=setting)
    room.play_on(rounds=1)
    assert room.state.rounds == 1


@pytest.mark.parametrize("game", ["pa-575", "pa-659a", "pa-670a", "wa-fap"])
def test_the_hand_of_an_absent_player_is_set_the_house_way(game: str) -> None:
    if game == "wa-fap":
        table = washington.looked({4: "winner", 2: "loser"})
    else:
        table = TestTable(game).setting(2, 4, main="$10").play_on(without=["set", "turn_over"])
    table.do("leave", player(4), 4)
    if game == "wa-fap":
        table.do("rule_round", FLOOR, ruling="play on", reason="taken ill")
    else:
        table.do("rule_abandoned", FLOOR, 4, lost=False, reason="taken ill")
    way = house_way(table, 4)
    odd = ((way[-1][0], *way[0][1:]), *way[1:-1], (way[0][0],))
    rule = "the hand of a player who has left is set the house way"
    assert rule in reasons(table, "set", DEALER, 4, setting=odd)
    table.play_on(rounds=1)
    assert table.state.rounds == 1


def test_670a_the_cut_goes_past_a_player_who_has_left() -> None:
    table = TestTable("pa-670a", MANUAL).opened(without=["cut"]).seat((2, 3))
    table.bet(2, main="$10").bet(3, main="$10").play_on(Phase.STARTING)
    assert table.state.decks["A"].cutter == 2
    table.do("leave", player(2), 2)
    table.do("recut", FLOOR, deck="A", reason="a card showed")
    why = reasons(table, "cut", player(2), deck="A", depth=20, position=2)
    assert "the player has left the table" in why
    table.do("rule_abandoned", FLOOR, 2, lost=False, reason="gone")
    table.play_on(rounds=1)
    assert table.state.rounds == 1


# --- changed once more --------------------------------------------------------------------------------


def test_a_dealer_does_not_relieve_themself() -> None:
    table = TestTable("pa-659a").opened()
    assert "the dealer is at the table already" in reasons(table, "relieve", DEALER, training="on file")
    table.refused("relieve", DEALER, training="on file")
    table.do("relieve", MAX, training="on file")


@pytest.mark.parametrize("game", ["pa-659a", "pa-670a"])
def test_the_progressive_is_locked_once(game: str) -> None:
    table = TestTable(game).starting(2, main="$10", progressive="$1").play_on(without=["lock_progressive"])
    table.do("lock_progressive")
    table.refused("lock_progressive")
