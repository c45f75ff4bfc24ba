"""What an option holds: whom it is for, what it asks, what it takes for granted, and why not yet."""

from __future__ import annotations

import random
from typing import Any

import pytest
from msgspec import UNSET

from houseway.law.problems import RefusedError
from houseway.rounds.action import step_of
from houseway.rounds.fields import FORMS, TARGETS, FieldKind
from houseway.rounds.live import due_moves
from houseway.rounds.options import Option, offers, options
from houseway.rounds.roles import DEVICES, Role, at_the_table
from houseway.rounds.state import CardOrigin, Phase
from houseway.rounds.step import Actor, Guard, Situation
from houseway.rounds.steps import ACTIONS, STEPS
from houseway.rounds.views import suggest_setting
from tests.games.support import NOTHING, Changes
from tests.rounds.california import Cardroom, person
from tests.rounds.pennsylvania import dealt
from tests.rounds.table import (
    BY_HAND,
    DEALER,
    FLOOR,
    MANUAL,
    SENSOR,
    SHAKER,
    SHOE,
    SHUFFLER,
    TestTable,
    player,
)

GAMES = ("pa-575", "pa-659a", "pa-670a", "wa-fap", "ca-fpgp")


def offered(table: TestTable, viewer: Actor, step: str, at: int | None = None) -> list[Option]:
    """Return the options of a step that a viewer has."""
    found = options(table.rules, table.live.table, viewer, table.live.moment)
    return [option for option in found if option.step == step and at in (None, option.position)]


def test_every_step_has_roles_and_every_field_that_a_form_shows_a_label() -> None:
    steps = {step_of(action) for action in ACTIONS}
    assert set(STEPS) == steps
    commanded = {name for name in steps if STEPS[name].roles}
    bare = {f.name for name in commanded for f in FORMS[name] if f.name not in TARGETS[name] and not f.label}
    assert not bare


def test_a_form_knows_what_kind_of_value_a_field_takes() -> None:
    kinds = {
        ("open_table", "tip_box"): "document",
        ("adopt_rules", "submission"): "document",
        ("put_up", "stake"): "amount",
        ("wager", "wagers"): "amounts",
        ("store_proof", "dated"): "date",
        ("shake", "times"): "number",
        ("uncover", "dice"): "numbers",
        ("uncover", "flat"): "yes_no",
        ("choose_hand", "choice"): "choice",
        ("recut", "reason"): "text",
        ("set", "setting"): "setting",
        ("deal", "read"): "cards",
    }
    asked = {(step, one.name): one.adapt(None, one.default) for step, form in FORMS.items() for one in form}
    assert {key: asked[key].kind for key in kinds} == kinds


def test_what_is_asked_of_a_step_are_fields_that_it_has() -> None:
    table = TestTable("pa-659a").opened().seat((2,)).bet(2, main="$10")
    for name, asking in ((name, step.asks) for name, step in STEPS.items()):
        known = {field.name for field in FORMS[name]}
        assert set(asking(table.rules, table.live.table, 2)) <= known


class Noted:
    """An action that notes which of its fields are looked at."""

    def __init__(self, action: Any) -> None:
        self.action, self.read = action, set[str]()

    def __getattr__(self, name: str) -> Any:
        if name in self.action.__struct_fields__:
            self.read.add(name)
        return getattr(self.action, name)


@pytest.mark.parametrize("game", GAMES)
def test_a_condition_says_which_fields_it_judges(game: str) -> None:
    """Whatever may be left open in an option is judged only by conditions that say so."""
    table = TestTable(game)
    chance = random.Random(game)
    for _ in range(160):
        live = table.live
        moves = [*due_moves(live.rules, live.table)]
        for move in moves:
            left_open = _left_open(table, move.step)
            for guard in STEPS[move.step].guards:
                _reads_what_it_says(table, guard, move, left_open)
        may = [move for move in moves if live.may(move)]
        if not may:
            break
        move = chance.choice(may)
        live.do(move.by, move.action)


def _left_open(table: TestTable, step: str) -> set[str]:
    asked = STEPS[step].asks(table.rules, table.live.table, 2)
    open_ = {field.name for field in FORMS[step] if field.needed and field.name not in TARGETS[step]}
    return open_ | {name for name, ask in asked.items() if ask.needed and ask.default is UNSET}


def _reads_what_it_says(table: TestTable, guard: Guard[Any], move: Any, left_open: set[str]) -> None:
    noted = Noted(move.action)
    situation = Situation(table.rules, table.live.table, table.live.moment, move.by)
    guard.holds(situation, noted)
    read = noted.read - {"position", "deck"} if hasattr(move.action, "deck") else noted.read - {"position"}
    assert read & left_open <= set(guard.about), f"{move.step}: {guard.reason}"
    assert not guard.moot or not guard.about


def test_a_player_is_offered_what_is_theirs_and_nothing_else() -> None:
    table = dealt("pa-659a", {2: "winner", 3: "loser"})
    own = options(table.rules, table.live.table, player(2), table.live.moment)
    assert own and {option.position for option in own if option.step != "sit"} <= {2, None}
    assert all(option.role is Role.PLAYER for option in own)
    assert {option.step for option in own} <= {
        name for name, step in STEPS.items() if Role.PLAYER in step.roles
    }


@pytest.mark.parametrize("role", [Role.SURVEILLANCE, Role.ACCOUNTING, Role.REGULATOR, Role.GUEST])
def test_who_only_looks_on_is_offered_nothing(role: Role) -> None:
    table = TestTable("pa-659a").opened().seat((2,)).bet(2, main="$10")
    assert options(table.rules, table.live.table, Actor("x", role), table.live.moment) == ()


def test_another_dealer_may_only_take_the_table_over() -> None:
    table = TestTable("pa-659a").opened()
    other = options(table.rules, table.live.table, Actor("Other", Role.DEALER), table.live.moment)
    assert {option.step for option in other} == {"relieve"}


def test_the_amounts_of_a_wager_are_asked_for_within_the_tables_limits() -> None:
    table = TestTable("pa-659a").opened().seat((2,))
    (option,) = offered(table, player(2), "wager")
    (wagers,) = (field for field in option.fields if field.name == "wagers")
    choice = table.rules.submission.wagers["main"]
    main = next(one for one in wagers.each if one.name == "main")
    assert (main.least, main.most, main.needed) == (choice.min, choice.max, True)
    assert {one.name for one in wagers.each} == set(table.rules.submission.wagers)


def test_the_bank_is_asked_for_as_an_amount_of_money() -> None:
    room = Cardroom().banks(6)
    (option,) = offered(room, person(6), "put_up")
    (stake,) = option.fields
    assert (stake.name, stake.kind, stake.needed, stake.least) == ("stake", FieldKind.AMOUNT, True, 1)


def test_dice_are_asked_for_one_by_one() -> None:
    table = TestTable("pa-659a", SHAKER, source=CardOrigin.TYPED).starting(2, main="$10")
    (option,) = offered(table.play_on(without=["uncover"]), DEALER, "uncover")
    dice = next(field for field in option.fields if field.name == "dice")
    assert (dice.kind, dice.least, dice.most) == (FieldKind.NUMBERS, 1, 6)
    assert [(one.name, one.kind, one.needed) for one in dice.each] == [
        (die, FieldKind.NUMBER, True) for die in ("1", "2", "3")
    ]


def test_a_cut_is_asked_for_between_the_least_and_the_most_that_the_law_leaves() -> None:
    table = TestTable("pa-659a", MANUAL).opened(without=["cut", "offer_cut"]).play_on(without=["cut"])
    (option,) = (one for one in offered(table, DEALER, "cut") if one.position is None)
    (depth,) = option.fields
    terms = table.rules.game.cut
    assert terms is not None
    assert (depth.least, depth.most) == (terms.least_above, 53 - terms.least_below)
    early = TestTable("pa-659a", MANUAL).play_on(without=["square"])
    ((usual,),) = (one.fields for one in offered(early, DEALER, "cut"))
    assert depth.default == usual.default == 26


@pytest.mark.parametrize(("changes", "asked"), [(BY_HAND, [("hand", True)]), (MANUAL, [])])
def test_in_which_hand_a_deck_is_held_is_asked_only_where_it_is_dealt_from_the_hand(
    changes: Changes, asked: list[tuple[str, bool]]
) -> None:
    (option,) = offered(TestTable("pa-659a", changes).opened().play_on(without=["load"]), DEALER, "load")
    assert [(field.name, field.needed) for field in option.fields] == asked


def test_a_text_becomes_a_choice_where_the_table_names_what_there_is_to_choose() -> None:
    table = TestTable("wa-fap").play_on(without=["set_shuffler"])
    ((game,),) = (option.fields for option in offered(table, DEALER, "set_shuffler"))
    assert game.choices and game.kind is FieldKind.CHOICE


def test_a_reason_is_a_fact_with_its_clause_and_what_is_moot_is_not_offered() -> None:
    table = TestTable("pa-659a").opened().seat((2,)).bet(2, main="$10").play_on(Phase.SETTING)
    (option,) = offered(table, DEALER, "turn_over")
    assert not option.open
    assert any("pa659a.11.c.s1" in reason.clauses for reason in option.reasons)
    assert not offered(table, DEALER, "shake")  # this table draws a number
    assert not offered(table, FLOOR, "repair")  # nothing has failed


def test_a_shuffle_is_offered_by_the_device_in_use_or_else_by_hand() -> None:
    def usual(table: TestTable) -> dict[str, Any]:
        (option,) = offered(table, DEALER, "shuffle")
        assert option.open and not option.due
        return {field.name: field.default for field in option.fields if field.name in ("method", "device")}

    table = TestTable("pa-659a").opened()
    assert usual(table) == {"method": "automated", "device": "shuffler"}
    table.do("shuffler_fault", SHUFFLER, deck="A")
    table.do("sign_out_of_order", device="shuffler", how="sign")
    table.play_on()
    assert usual(table) == usual(TestTable("pa-659a", MANUAL).opened()) == {"method": "manual", "device": ""}


def test_the_deal_is_due_until_every_card_of_it_is_dealt() -> None:
    table = TestTable("pa-659a", MANUAL).starting(2, main="$10").play_on(without=["deal"])
    for cards, left in ((1, 49), (47, 48), (1, 1)):
        (option,) = offered(table, DEALER, "deal")
        assert option.due and option.open
        number = next(field for field in option.fields if field.name == "cards")
        assert (number.least, number.most) == (1, left)
        table.do("deal", cards=cards)
    (option,) = offered(table, DEALER, "deal")
    assert not option.due and not option.open


def test_the_shaker_is_covered_with_one_shake_and_no_other_number() -> None:
    table = TestTable("pa-659a", SHAKER).starting(2, main="$10").play_on(without=["cover_shaker"])
    (option,) = offered(table, DEALER, "cover_shaker")
    times = next(field for field in option.fields if field.name == "times")
    assert (times.least, times.most, times.default) == (1, 1, 1)


def test_a_deck_is_squared_once_it_is_shuffled() -> None:
    table = TestTable("pa-659a", MANUAL).play_on(without=["shuffle"])
    assert not offered(table, DEALER, "square")
    assert "the deck is not shuffled" in [one.reason for one in table.problems("square", deck="A")]
    table.do("shuffle", deck="A", method="manual")
    assert offered(table, DEALER, "square")


def test_the_double_down_is_due_to_be_offered_when_every_player_has_looked() -> None:
    table = dealt("pa-670a", {2: "winner", 3: "loser"})
    for at in (2, 3):
        (option,) = offered(table, DEALER, "offer_double")
        assert not option.due and not option.open
        table.do("look", player(at), at)
    (option,) = offered(table, DEALER, "offer_double")
    assert option.due and option.open
    table.do("offer_double")
    assert not offered(table, DEALER, "offer_double")


def test_coin_in_is_offered_only_at_a_table_with_a_progressive() -> None:
    assert offered(TestTable("wa-fap").opened(), DEALER, "coin_in")
    plain: Changes = {"wagers.progressive": NOTHING, "progressive": NOTHING}
    assert not offered(TestTable("wa-fap", plain).opened(), DEALER, "coin_in")


def test_a_device_is_offered_its_duties_only_where_the_table_has_it() -> None:
    table = TestTable("pa-659a").opened().starting(2, main="$10").play_on(without=["deal"])
    assert offered(table, SHOE, "deal") and not offered(table, SHOE, "turn_over")
    by_hand = TestTable("pa-659a", MANUAL).opened().starting(2, main="$10").play_on(without=["deal"])
    assert not offered(by_hand, SHOE, "deal") and offered(by_hand, SENSOR, "deal")


def test_only_devices_are_lacking_at_a_table_and_people_may_come_to_any() -> None:
    things = {Role.SHUFFLER, Role.SHOE, Role.GENERATOR, Role.KEYPAD, Role.SENSOR, Role.DISPLAY}
    assert things == DEVICES
    bare = TestTable("pa-575", {**MANUAL, **SHAKER}).rules
    assert {role for role in Role if not at_the_table(bare, role)} == things - {Role.SENSOR}


def test_how_a_hand_might_be_set_is_told_only_to_whoever_may_see_it() -> None:
    table = dealt("pa-659a", {2: "winner", 3: "loser"})
    table.do("look", player(2), 2)
    told = suggest_setting(table.rules, table.live.table, player(2), 2)
    assert {card for part in told.setting for card in part} == set(table.state.round.hands[2].cards)
    for other in (player(3), DEALER, FLOOR):
        with pytest.raises(RefusedError):
            suggest_setting(table.rules, table.live.table, other, 2)


@pytest.mark.parametrize(("game", "step"), [("pa-659a", "draw_number"), ("wa-fap", "press_start")])
def test_the_starting_number_is_asked_for_at_a_table_of_real_cards_only(game: str, step: str) -> None:
    virtual = TestTable(game).betting(2, main="$10").play_on(without=[step])
    (option,) = offered(virtual, DEALER, step)
    assert option.fields == ()
    real = TestTable(game, source=CardOrigin.TYPED).betting(2, main="$10").play_on(without=[step])
    (asked,) = offered(real, DEALER, step)
    (number,) = asked.fields
    assert number.needed and (number.least, number.most) == (1, 7)


def test_everything_that_is_due_is_among_the_offers() -> None:
    table = TestTable("pa-659a").opened().seat((2, 3)).bet(2, main="$10").bet(3, main="$10")
    for _ in range(40):
        due = {(move.by.role, move.step, move.position) for move in table.live.moves()}
        found = {
            (role, offer.option.step, offer.option.position)
            for offer in offers(table.rules, table.live.table, table.live.moment)
            for role in offer.roles
            if offer.option.due and offer.option.open
        }
        assert due <= found
        if table.live.due() is None or table.state.rounds:
            break
        move = table.live.due()
        assert move is not None
        table.live.do(move.by, move.action)
