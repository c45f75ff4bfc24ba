"""Washington's table opens, the bets go down and the round is started, clause by clause."""

from __future__ import annotations

from typing import Any

import pytest

from houseway.games.rules import Rules
from houseway.law.checklist import checklist
from houseway.rounds.dealing import dealing_order
from houseway.rounds.live import due_moves
from houseway.rounds.state import CardOrigin, Phase
from tests.games.support import NOTHING, Changes, problems, refused, submission
from tests.rounds.commands import details_of, value_of
from tests.rounds.pennsylvania import house_way
from tests.rounds.table import DEALER, FLOOR, KEYPAD, TestTable, money, player
from tests.rounds.washington import WAYS, by_way, dealt, opened, ready, spot, start, whole

clause = pytest.mark.clause
ASIA, PAI_GOW = "Fortune Asia Poker", "Fortune Pai Gow Poker"
ELSEWHERE: Changes = {f"table.position_map.{n}": "dealer" if n == 7 else f"spot {n}" for n in range(1, 8)}
"""A technician's other map of the numbers: the dealer is 7."""


def closed(way: str, changes: Changes | None = None) -> TestTable:
    """Return a table at which all is ready to open but the shuffler's setting."""
    table = TestTable("wa-fap", {**WAYS[way], **(changes or {})})
    return table.play_on(without=["set_shuffler", "open_table"])


def how_to_open(table: TestTable) -> dict[str, Any]:
    """Return the details with which the table opens, everything else being in order."""
    return details_of(next(due_moves(table.rules, table.live.table, {"open_table"})).action)


# --- opening -----------------------------------------------------------------------------------------


@clause("wa.fap.overview.dealer_house_way")
def test_without_a_house_way_loaded_the_table_does_not_open() -> None:
    law = "wa.fap.overview.dealer_house_way"
    assert refused("wa-fap", {"house_way": NOTHING}, law)
    table = closed("led")
    table.do("set_shuffler", game=ASIA)
    loaded = table.state.rules
    table.play_by(Rules.of(submission("wa-fap", {**WAYS["led"], "house_way": NOTHING})))
    assert law in table.refused("open_table", FLOOR, **how_to_open(table))
    table.play_by(loaded)
    table.do("open_table", FLOOR, **how_to_open(table))


@clause("wa.fap.overview.dealer_house_way")
def test_the_dealer_has_no_choice_the_same_cards_are_always_set_the_same_way() -> None:
    law = "wa.fap.overview.dealer_house_way"
    found = []
    for way in WAYS:
        table = dealt({2: "loser"}, way=way).play_on(Phase.DEALER)
        high, mid, low = house_way(table, 1)
        for other in ((high, low + mid[1:], mid[:1]), (mid + high[2:], high[:2], low)):
            assert law in table.refused("set_dealer", setting=other)
        table.do("set_dealer")
        found.append(table.state.round.dealer_setting)
    assert len(set(found)) == 1 and [len(part) for part in found[0] or ()] == [4, 2, 1]


@pytest.mark.parametrize(
    ("way", "binds"),
    [
        ("iverify_hwv", True),
        ("iverify", True),
        pytest.param("led", False, marks=clause("wa.fap.req.optional_equipment")),
    ],
)
def test_only_a_table_with_the_display_attests_that_surveillance_sees_it(way: str, binds: bool) -> None:
    (law,) = (item.clause for item in checklist("wa-fap") if item.clause.endswith(".req.iii"))
    table = closed(way)
    table.do("set_shuffler", game=ASIA)
    details = how_to_open(table)
    assert (law in details["checklist"]) is binds
    others = [item for item in details["checklist"] if item != law]
    if binds:
        assert law in table.refused("open_table", FLOOR, **{**details, "checklist": others})
    table.do("open_table", FLOOR, **details)
    assert table.state.phase is Phase.BETTING


@by_way(iverify_hwv="wa.fap.iverify.1", iverify="wa.fap.iverify_nohwv.1")
def test_with_the_display_the_shuffler_is_set_to_this_game_and_no_other(way: str, law: str) -> None:
    table = closed(way)
    assert law in table.refused("open_table", FLOOR, **how_to_open(table))
    for game in (PAI_GOW, "Three Card Poker", "", ASIA.lower()):
        assert law in table.refused("set_shuffler", game=game)
    right = table.state
    table.force(shuffler_game=PAI_GOW)
    assert law in table.refused("open_table", FLOOR, **how_to_open(table))
    table.state = right
    table.do("set_shuffler", game=ASIA)
    table.do("open_table", FLOOR, **how_to_open(table))
    assert table.state.phase is Phase.BETTING


@by_way(led="wa.fap.led.1", dice_cup="wa.fap.dice.1")
def test_without_the_display_the_shuffler_may_also_be_set_to_the_pai_gow_game(way: str, law: str) -> None:
    for game in (ASIA, PAI_GOW):
        table = closed(way)
        assert law in table.refused("open_table", FLOOR, **how_to_open(table))
        for other in ("Three Card Poker", "", PAI_GOW.upper()):
            assert law in table.refused("set_shuffler", game=other)
        table.do("set_shuffler", FLOOR, game=game)
        table.do("open_table", FLOOR, **how_to_open(table))
        assert value_of(table.last("set_shuffler"), "game") == game
        assert table.state.phase is Phase.BETTING


# --- the bets ----------------------------------------------------------------------------------------


@by_way(
    iverify_hwv="wa.fap.iverify.2.main",
    iverify="wa.fap.iverify_nohwv.2.main",
    led="wa.fap.led.2.main",
    dice_cup="wa.fap.dice.2.main",
)
def test_nobody_is_in_the_round_without_a_main_bet(way: str, law: str) -> None:
    table, at = opened(way).seat((spot(3), spot(1))), spot(3)
    for side in ({"fortune": "$5"}, {"insurance": "$5"}, {"main": "$0", "fortune": "$5"}):
        assert law in table.refused("wager", player(at), at, wagers=money(**side))
    assert at not in table.state.round.hands
    for main, fine in (("$4", False), ("$5", True), ("$200", True), ("$201", False)):
        if fine:
            table.bet(at, main=main)
        else:
            table.refused("wager", player(at), at, wagers=money(main=main))
    table.do("wager", player(at), at, wagers={})
    start(table.bet(spot(1), main="$5").play_on(without=["shake_cup", "press_start"]))
    assert [hand.position for hand in table.state.round.active()] == [spot(1)]


@clause("wa.prog.4.main_first")
def test_a_progressive_wager_alone_is_refused() -> None:
    table = opened().seat((4,))
    for wagers in ({"progressive": "$1"}, {"main": "$0", "progressive": "$1"}):
        assert "wa.prog.4.main_first" in table.refused("wager", player(4), 4, wagers=money(**wagers))
    table.bet(4, main="$10", progressive="$1")
    assert "wa.prog.4.main_first" in table.refused("wager", player(4), 4, wagers=money(progressive="$1"))


@by_way(
    iverify_hwv="wa.fap.iverify.2.optional",
    iverify="wa.fap.iverify_nohwv.2.optional",
    led="wa.fap.led.2.optional",
    dice_cup="wa.fap.dice.2.optional",
)
def test_side_bets_go_beside_a_main_bet_until_the_round_is_started(way: str, law: str) -> None:
    all_three = {"main": "$10", "fortune": "$5", "insurance": "$2"}
    table = opened(way).seat((2, 3, 4)).bet(2, **all_three).bet(3, main="$10")
    assert dict(table.state.round.hands[2].wagers) == money(**all_three)
    table.play_on(without=["shake_cup", "press_start"])
    if way == "dice_cup":
        table.do("shake_cup", dice=(4, 5, 2))
    else:
        table.do("press_start", number=4)
    for at, wagers in ((3, money(**all_three)), (2, money(main="$10")), (2, {}), (4, money(**all_three))):
        assert law in table.refused("wager", player(at), at, wagers=wagers)
        assert law in table.refused("correct_wager", DEALER, at, wagers=wagers, reason="too late")
    assert [dict(hand.wagers) for hand in table.state.round.active()] == [
        money(**all_three),
        money(main="$10"),
    ]


@pytest.mark.parametrize("way", WAYS)
def test_insurance_is_taken_only_where_the_table_offers_it(way: str) -> None:
    table = opened(way, {"wagers.insurance": NOTHING}).seat((3,))
    table.refused("wager", player(3), 3, wagers=money(main="$10", insurance="$2"))
    table.bet(3, main="$10", fortune="$5")


@clause("wa.fap.fortune.optional", "wa.fap.insurance.optional", "wa.prog.1", "wa.prog.4.optional")
@pytest.mark.parametrize("way", WAYS)
def test_every_side_wager_is_optional_in_any_combination(way: str) -> None:
    sides = {"fortune": "$5", "insurance": "$2", "progressive": "$1"}
    for chosen in range(8):
        mine = {name: amount for bit, (name, amount) in enumerate(sides.items()) if chosen >> bit & 1}
        table = dealt({4: "two_pair"}, {4: mine}, way)
        assert dict(table.state.round.hands[4].wagers) == money(main="$10", **mine)
        assert "coin_in" in table.steps() or "progressive" not in mine
        table.play_on(rounds=1)
        assert table.state.rounds == 1 and whole(table)
    law = table.last("wager").clauses
    assert {"wa.fap.fortune.optional", "wa.fap.insurance.optional", "wa.prog.1", "wa.prog.4.optional"} == {
        *law
    }


def test_a_round_without_the_progressive_needs_no_key_of_its_keypad() -> None:
    table = dealt({4: "winner"}).play_on(rounds=1)
    assert not {"coin_in", "remove_progressive", "game_over"} & set(table.steps())
    assert table.state.rounds == 1


@clause("wa.fap.fortune.envy_lammer")
@pytest.mark.parametrize("way", WAYS)
def test_a_lammer_lies_at_every_fortune_bet_of_five_dollars_or_more_and_at_no_other(way: str) -> None:
    law = "wa.fap.fortune.envy_lammer"
    amounts = {spot(1): "$4", spot(3): "$6", spot(4): "$5", spot(5): "$3", spot(6): "$25"}
    bets = {at: {"main": "$10", "fortune": amount} for at, amount in amounts.items()}
    right = tuple(sorted((spot(3), spot(4), spot(6))))
    table = start(ready({**bets, spot(2): {"main": "$200"}}, way))
    assert law in table.refused("deal")
    for wrong in ((), right[:2], (*right, spot(5)), (*right, spot(1)), (*right, spot(2)), (spot(5),)):
        assert law in table.refused("place_lammers", positions=wrong)
    (event,) = table.do("place_lammers", positions=right)
    assert event.outcome.positions == right and table.state.round.lammers == set(right)
    table.refused("place_lammers", positions=right)
    table.do("deal")
    none = start(ready({4: {"main": "$10", "fortune": "$4"}}, way))
    none.do("deal")
    assert not none.state.round.lammers


# --- the start ---------------------------------------------------------------------------------------


@by_way(
    iverify_hwv="wa.fap.iverify.3.start",
    iverify="wa.fap.iverify_nohwv.3.start",
    led="wa.fap.led.3.start",
)
def test_the_green_button_closes_the_bets_and_starts_the_round(way: str, law: str) -> None:
    table = opened(way).seat((2, 3)).play_on(without=["press_start"])
    table.refused("press_start", number=4)
    table.bet(2, main="$10")
    assert law in table.refused("deal")
    for by in (player(2), FLOOR, KEYPAD):
        table.refused("press_start", by, number=4)
    for number in (0, 8):
        table.refused("press_start", number=number)
    table.refused("shake_cup", dice=(4, 5, 2))
    (event,) = table.do("press_start", number=4)
    assert law in event.clauses and table.state.phase is Phase.STARTING
    table.refused("press_start", number=5)
    table.refused("wager", player(3), 3, wagers=money(main="$10"))
    table.do("deal")
    assert table.state.round.has("dealt_out")


@pytest.mark.parametrize("way", WAYS)
def test_each_number_means_the_spot_that_the_tables_own_map_says(way: str) -> None:
    for number in range(1, 8):
        table = start(ready({4: {"main": "$10"}}, way), number)
        assert table.state.round.start == (1 if number == 1 else spot(number - 1))
        other = start(ready({4: {"main": "$10"}}, way, ELSEWHERE), number)
        assert other.state.round.start == (1 if number == 7 else spot(number))


@clause("wa.fap.dice.3.shake")
def test_the_casinos_own_dice_procedure_is_known_before_the_table_opens() -> None:
    law = "wa.fap.dice.3.shake"
    none: Changes = {"table.position_map": {}}
    for missing in (none, {"table.dice": NOTHING}):
        assert refused("wa-fap", {**WAYS["dice_cup"], **missing}, law)
    for way in ("led", "dice_cup"):
        other = closed(way, none if way == "led" else None)
        other.do("set_shuffler", game=ASIA)
        other.do("open_table", FLOOR, **how_to_open(other))


@clause("wa.fap.dice.3.shake")
def test_the_dice_are_put_on_record_and_close_the_bets() -> None:
    law = "wa.fap.dice.3.shake"
    table = opened("dice_cup").seat((2, 3)).play_on(without=["shake_cup"])
    table.refused("shake_cup", dice=(4, 5, 2))
    table.bet(2, main="$10")
    for dice in ((4, 5), (4, 5, 2, 1), (0, 5, 2), (7, 5, 2)):
        table.refused("shake_cup", dice=dice)
    for by in (player(2), FLOOR, KEYPAD):
        table.refused("shake_cup", by, dice=(4, 5, 2))
    (event,) = table.do("shake_cup", dice=(4, 5, 2))
    assert law in event.clauses and value_of(event, "faces") == (4, 5, 2) == table.state.round.dice
    assert value_of(event, "total") == 11 == table.state.round.announced
    table.refused("shake_cup", dice=(1, 1, 1))
    table.refused("wager", player(3), 3, wagers=money(main="$10"))
    table.refused("wager", player(2), 2, wagers=money(main="$20"))


@clause("wa.fap.dice.3.shake", "wa.fap.dice.3.total")
@pytest.mark.parametrize("number", [1, 2, 4])
def test_the_house_says_how_many_dice_its_cup_holds(number: int) -> None:
    faces = (5, 6, 1, 4)[:number]
    for source in (CardOrigin.VIRTUAL_DECK, CardOrigin.TYPED):
        table = TestTable("wa-fap", {**WAYS["dice_cup"], "table.dice": number}, source=source)
        table.opened().seat((2,)).bet(2, main="$10").play_on(without=["shake_cup"])
        for dice in ((*faces, 1), faces[1:], (7, *faces[1:])):
            table.refused("shake_cup", dice=dice or (0,))
        (event,) = table.do("shake_cup", dice=faces)
        assert "wa.fap.dice.3.shake" in event.clauses and value_of(event, "total") == sum(faces)
        named = (sum(faces) - 1) % 7 + 1
        assert value_of(event, "start") == (1 if named == 1 else spot(named - 1))
    thrown = set()
    for seed in range(60):
        table = TestTable("wa-fap", {**WAYS["dice_cup"], "table.dice": number}, seed=f"cup {seed}")
        table.opened().seat((2,)).bet(2, main="$10").play_on(without=["shake_cup"])
        (event,) = table.do("shake_cup")
        assert len(value_of(event, "faces")) == number
        thrown.update(value_of(event, "faces"))
    assert thrown == {1, 2, 3, 4, 5, 6}


def test_one_player_may_wager_at_two_spots() -> None:
    table = opened("led")
    for at in (2, 5, 7):
        table.do("sit", player(2), at)
        table.do("wager", player(2), at, wagers=money(main="$10", fortune="$5"))
    assert {hand.person for hand in table.state.round.active()} == {"Ann"}
    table.play_on(rounds=1)
    assert table.state.rounds == 1


@clause("wa.fap.dice.4.button")
def test_the_green_button_waits_for_the_dice() -> None:
    law = "wa.fap.dice.4.button"
    table = ready({2: {"main": "$10"}}, "dice_cup")
    assert law in table.refused("press_start")
    assert law in table.refused("press_start", number=4)
    table.do("shake_cup", dice=(4, 5, 2))
    assert law in table.refused("deal")
    (event,) = table.do("press_start")
    assert law in event.clauses and value_of(event, "start") == spot(3)
    table.refused("press_start")
    table.do("deal")
    assert value_of(table.last("deal"), "first") == dealing_order(spot(3))[0] == spot(3)


@pytest.mark.parametrize(
    "wrong",
    [{"1": "dealer", "2": "spot 1"}, {str(n): "spot 9" for n in range(1, 8)}],
    ids=["lacking", "no such spot"],
)
def test_a_map_that_does_not_name_seven_places_is_refused(wrong: dict[str, str]) -> None:
    assert any(p.blocks for p in problems("wa-fap", {"table.position_map": wrong}))
