"""California's deal: fees before any card, the player-dealer's dice, packs or piles to every seat."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from houseway.cards import Cards
from houseway.ledger import COLLECTIONS
from houseway.rounds.deciding import suggestions
from houseway.rounds.state import Phase
from houseway.rounds.step import Proposal
from houseway.rounds.steps.piles import ChoosePile
from tests.games.support import Changes
from tests.rounds.california import MANUAL, Cardroom, banked, clockwise_from, fees, moved, on_schedule, person
from tests.rounds.commands import value_of
from tests.rounds.pennsylvania import stacks
from tests.rounds.table import DEALER, FLOOR, SHUFFLER, order_of

clause = pytest.mark.clause
TWO_BETS = {2: {"main": "$20"}, 4: {"main": "$30"}}
WAYS = [pytest.param({}, id="shuffler"), pytest.param(MANUAL, id="manual")]


def ready_to_deal(
    total: int, bank: int = 6, changes: Changes | None = None, bets: tuple[int, ...] = (2, 4)
) -> Cardroom:
    """Fees taken and the dice shaken."""
    room = Cardroom(changes).banks(bank).bets(*bets, main="$20").closed()
    room.diced(total)
    return room


# --- fees before any card --------------------------------------------------------------------------


SCHEDULES = [
    (1, "$3", {"Finn": "$0.50"}, "ca.fpgp.collect.s1_32.before_cards"),
    (32, "$600", {"Finn": "$10"}, "ca.fpgp.collect.s1_32.before_cards"),
    (33, "$50", {"Bob": "$0.50", "Finn": "$1"}, "ca.fpgp.collect.s33_36.before_cards"),
    (36, "$105", {"Bob": "$2", "Finn": "$2"}, "ca.fpgp.collect.s33_36.before_cards"),
    (37, "$50", {"Bob": "$1", "Finn": "$0.50"}, "ca.fpgp.collect.s37_43.before_cards"),
    (43, "$100", {"Bob": "$1", "Finn": "$1"}, "ca.fpgp.collect.s37_43.before_cards"),
]


@pytest.mark.parametrize("changes", WAYS)
@pytest.mark.parametrize(
    ("number", "wager", "expected", "law"),
    [pytest.param(*row, marks=clause(row[-1]), id=str(row[0])) for row in SCHEDULES],
)
def test_fees_are_taken_before_the_dice_and_any_card(
    number: int, wager: str, expected: dict[str, str], law: str, changes: Changes
) -> None:
    room = Cardroom(on_schedule(number) | changes).banks(6).bets(2, main=wager)
    assert law in room.refused("deal")
    room.do("no_more_bets")
    assert law in room.refused("shake_dice", person(6), 6)
    assert law in room.refused("deal")
    room.do("collect_fees")
    assert fees(room.state.round) == expected
    room.refused("collect_fees")
    room.diced()
    room.do("deal", cards=1)
    this_round = room.finished()
    assert moved(this_round.payments, COLLECTIONS) == moved(
        room.last("collect_fees").outcome.payments, COLLECTIONS
    )


@pytest.mark.parametrize(("number", "wager", "law"), [(row[0], row[1], row[3]) for row in SCHEDULES])
def test_fees_are_due_before_any_card_by_the_law_of_the_tables_schedule_alone(
    number: int, wager: str, law: str
) -> None:
    room = Cardroom(on_schedule(number)).banks(6).bets(2, main=wager)
    room.do("no_more_bets")
    assert [one for one in room.refused("deal") if one.endswith(".before_cards")] == [law]


def test_fees_are_taken_before_any_card_by_plain_sense_too() -> None:
    room = Cardroom(MANUAL, seats=(), opened=False)
    reason = "the collection is taken before any card"
    room.strike("ca.fpgp.collect.s37_43.before_cards")
    assert [one.clauses for one in room.problems("deal") if one.reason == reason] == [()]


@clause("ca.fpgp.deal.bets.before_deal")
@pytest.mark.parametrize("changes", WAYS)
def test_betting_collection_dice_deal_setting_and_settlement_follow_in_that_order(changes: Changes) -> None:
    law = "ca.fpgp.deal.bets.before_deal"
    room = banked("$200", TWO_BETS, changes)
    for early in ("deal", "collect_empty", "turn_over", "set_dealer", "close_round"):
        room.refused(early)
    room.refused("shake_dice", person(6), 6)
    room.refused("collect_fees")
    room.do("no_more_bets")
    assert law in room.refused("shake_dice", person(6), 6)
    assert law in room.do("collect_fees")[0].clauses
    room.finished()
    piles = ["deal", "count_stub", "choose_pile", "shake_dice", "distribute"]
    order = ["no_more_bets", "collect_fees", *(piles if changes == MANUAL else ["shake_dice", "deal"])]
    order += ["collect_empty", "look", "set", "turn_over", "set_dealer", "reveal", "settle", "close_round"]
    first = [room.steps().index(step) for step in order]
    assert first == sorted(first)


# --- the dice --------------------------------------------------------------------------------------


@clause("ca.fpgp.deal.shuffler.dice")
def test_the_player_dealer_shakes_the_dice_before_the_shuffler_deals() -> None:
    law = "ca.fpgp.deal.shuffler.dice"
    room = banked("$200", TWO_BETS).closed()
    assert law in room.refused("deal")
    assert law in room.refused("deal", SHUFFLER)
    room.refused("shake_dice", person(2), 2)
    room.refused("shake_dice", DEALER, 6)
    room.diced(11)
    room.refused("shake_dice", person(6), 6)
    room.do("deal")


@clause("ca.fpgp.deal.dice.three")
def test_three_dice_of_six_faces_are_shaken_and_totalled() -> None:
    room = banked("$200", TWO_BETS).closed()
    for faces in ((2, 3, 7), (2, 3, 0), (2, 3), (2, 3, 6, 1), ()):
        room.refused("shake_dice", person(6), 6, dice=faces)
    event = room.do("shake_dice", person(6), 6, dice=(2, 3, 6))[0]
    assert "ca.fpgp.deal.dice.three" in event.clauses
    assert (value_of(event, "faces"), value_of(event, "total")) == ((2, 3, 6), 11)
    assert room.state.round.dice == (2, 3, 6)


def test_the_virtual_table_shakes_its_own_dice() -> None:
    room = banked("$200", TWO_BETS).closed()
    faces = value_of(room.do("shake_dice", person(6), 6)[0], "faces")
    assert len(faces) == 3 and all(1 <= face <= 6 for face in faces)


@clause("ca.fpgp.deal.dice.pd_first")
@pytest.mark.parametrize(("total", "first"), [(7, 5), (8, 6), (9, 7), (14, 5), (15, 6), (16, 7)])
def test_on_eight_and_fifteen_the_player_dealer_gets_the_first_hand(total: int, first: int) -> None:
    law = "ca.fpgp.deal.dice.pd_first"
    room = Cardroom().banks(6).bets(1, 2, 3, 4, 5, 7, main="$20").closed()
    event = room.diced(total)
    assert value_of(event, "first") == room.state.round.start == first
    assert (law in event.clauses) is (total in (8, 15))
    room.do("deal")
    assert stacks(room)[first] == order_of(room)[:7]
    if total not in (8, 15):
        room = Cardroom().banks(6).bets(1, main="$20").closed()
        assert law in room.diced(8).clauses


@clause("ca.fpgp.deal.dice.pd_action_left")
@pytest.mark.parametrize("total", [8, 15])
def test_and_the_action_button_goes_to_his_left(total: int) -> None:
    law = "ca.fpgp.deal.dice.pd_action_left"
    everybody = Cardroom().banks(6).bets(1, 2, 3, 4, 5, 7, main="$20").closed()
    event = everybody.diced(total)
    assert (value_of(event, "first"), value_of(event, "action")) == (6, 7)
    assert law in event.clauses
    this_round = everybody.state.round
    assert (this_round.start, this_round.action) == (6, 7)
    wraps = Cardroom().banks(7).bets(1, 2, main="$20").closed()
    event = wraps.diced(total)
    assert (value_of(event, "first"), value_of(event, "action")) == (7, 1)


@pytest.mark.parametrize(
    ("total", "first", "action"), [(8, 6, 2), (9, 7, 2), (11, 2, 2), (12, 3, 4), (14, 5, 2)]
)
def test_action_moves_on_to_the_first_seat_with_a_wager(total: int, first: int, action: int) -> None:
    room = ready_to_deal(total)
    assert (room.state.round.start, room.state.round.action) == (first, action)


# --- from the shuffler -----------------------------------------------------------------------------


def given_out(room: Cardroom) -> dict[int, Cards]:
    """Return the cards where they lie: every hand, the player-dealer's too."""
    this_round = room.state.round
    return {at: hand.cards for at, hand in this_round.hands.items()} | {
        this_round.bank_seat or 0: this_round.dealer_cards
    }


@clause("ca.fpgp.deal.shuffler.one_by_one")
def test_packs_of_seven_go_clockwise_from_the_diced_seat_to_every_seat() -> None:
    room = ready_to_deal(10, bank=1, bets=(2, 3, 4, 5, 6, 7))
    order = order_of(room)
    event = room.do("deal", SHUFFLER)[0]
    assert "ca.fpgp.deal.shuffler.one_by_one" in event.clauses
    packs = {at: order[7 * turn : 7 * turn + 7] for turn, at in enumerate((3, 4, 5, 6, 7, 1, 2))}
    assert given_out(room) == packs
    assert stacks(room) == packs


def test_the_shuffler_has_no_piles_to_choose() -> None:
    room = ready_to_deal(10)
    room.do("deal")
    room.refused("choose_pile", person(6), 6, pile=4)
    room.refused("distribute")
    room.do("collect_empty")


# --- by hand ---------------------------------------------------------------------------------------


def test_cards_for_piles_may_be_shuffled_by_hand_beside_a_machine_but_not_those_it_deals() -> None:
    beside = Cardroom({"table.dealing": "manual", "table.shuffler": "automated"}).play_on(without=["shuffle"])
    beside.do("shuffle", DEALER, deck="A", method="manual")
    from_it = Cardroom().play_on(without=["shuffle"])
    from_it.refused("shuffle", DEALER, deck="A", method="manual")


@clause("ca.fpgp.deal.manual.seven_piles")
def test_by_hand_seven_piles_of_seven_are_made_before_anybody_gets_one() -> None:
    room = ready_to_deal(10, changes=MANUAL)
    assert "ca.fpgp.deal.manual.seven_piles" in room.do("deal", cards=48)[0].clauses
    room.refused("count_stub", left=4)
    room.do("deal", cards=1)
    assert room.state.round.dealt == 49
    room.refused("deal", cards=1)
    assert all(not hand.cards for hand in room.state.round.hands.values())
    assert [len(cards) for cards in stacks(room).values()] == [7] * 7


def test_where_cards_go_to_piles_no_seat_is_named_for_the_first_of_them() -> None:
    room = Cardroom(MANUAL, seats=(), opened=False)
    said = [{one.reason for one in room.problems("deal", first_to=at)} for at in (None, 3)]
    assert said[1] - said[0] == {
        "the cards go to piles: no seat gets one before the dice",
        "“First card to position” is not filled in here: nobody asks for it now",
    }


@clause("ca.fpgp.deal.manual.four_left")
@pytest.mark.parametrize("left", [3, 4, 5])
def test_four_cards_are_left_and_put_away_or_the_deal_is_looked_into(left: int) -> None:
    room = ready_to_deal(10, changes=MANUAL)
    room.do("deal")
    room.refused("choose_pile", person(6), 6, pile=4)
    events = room.do("count_stub", left=left)
    assert "ca.fpgp.deal.manual.four_left" in events[0].clauses
    if left == 4:
        assert [(r.what, r.count) for r in room.state.rack] == [("stub", 4)]
        room.do("choose_pile", person(6), 6, pile=4)
    else:
        assert [event.step for event in events] == ["count_stub", "stop_round"]
        assert room.state.round.stopped and not room.state.rack
        room.refused("choose_pile", person(6), 6, pile=4)


def piled(total: int = 10, pile: int | None = None, **more: int) -> Cardroom:
    """Seven piles lie before the dealer, and one is chosen."""
    room = ready_to_deal(total, bank=more.get("bank", 6), changes=MANUAL, bets=(2, 3, 4, 5))
    room.do("deal")
    room.do("count_stub")
    if pile:
        room.do("choose_pile", room.at(room.state.round.bank_seat or 0), pile=pile)
    return room


def piles(room: Cardroom) -> list[Cards]:
    """Return the seven piles, dealt again to and fro."""
    order = order_of(room)
    rows = [order[7 * row : 7 * row + 7] for row in range(7)]
    return [tuple((row[::-1] if n % 2 else row)[at] for n, row in enumerate(rows)) for at in range(7)]


@clause("ca.fpgp.deal.pile.select")
def test_the_player_dealer_chooses_the_first_pile() -> None:
    law = "ca.fpgp.deal.pile.select"
    room = piled()
    assert law in room.refused("distribute")
    for wrong in (0, 8):
        assert law in room.refused("choose_pile", person(6), 6, pile=wrong)
    room.refused("choose_pile", person(2), 2, pile=4)
    room.refused("choose_pile", DEALER, pile=4)
    assert law in room.do("choose_pile", person(6), 6, pile=4)[0].clauses
    room.refused("choose_pile", person(6), 6, pile=5)
    room.do("distribute")
    found = stacks(room)
    assert [piles(room).index(found[at]) + 1 for at in clockwise_from(1)] == [4, 5, 6, 7, 1, 2, 3]
    assert room.state.round.start == 1


def test_the_pile_in_the_middle_is_suggested() -> None:
    room = piled()
    (move,) = suggestions(room.rules, room.live.table, {"choose_pile"})
    assert move == Proposal(person(6), ChoosePile(4))


@clause("ca.fpgp.deal.distribute.order")
@pytest.mark.parametrize(("bank", "total", "first", "pile"), [(1, 10, 3, 6), (6, 8, 6, 7), (6, 15, 6, 1)])
def test_the_piles_go_clockwise_from_the_marked_one_at_the_diced_seat(
    bank: int, total: int, first: int, pile: int
) -> None:
    room = piled(total, pile, bank=bank)
    assert "ca.fpgp.deal.distribute.order" in room.do("distribute")[0].clauses
    room.refused("distribute")
    lie, dealt = given_out(room), piles(room)
    for turn, at in enumerate(clockwise_from(first)):
        if at in lie:
            assert lie[at] == dealt[(pile - 1 + turn) % 7]
    assert set(lie) == {2, 3, 4, 5, bank}


@clause("ca.fpgp.deal.distribute.order", "ca.fpgp.deal.dice.sum")
@pytest.mark.parametrize(("total", "first", "pile"), [(8, 6, 1), (10, 1, 4), (18, 2, 7)])
def test_by_hand_piles_pile_dice_and_distribution_follow_as_printed(
    total: int, first: int, pile: int
) -> None:
    law = {"ca.fpgp.deal.distribute.order", "ca.fpgp.deal.dice.sum"}
    room = Cardroom(MANUAL).banks(6).bets(2, 3, 4, 5, main="$20").closed()
    room.refused("deal", first_to=3)  # the first card goes to a pile
    room.do("deal", cards=10)
    room.do("deal")
    room.do("count_stub")
    assert room.state.round.start is None
    room.refused("shake_dice", person(2), 2)
    room.refused("distribute")
    room.do("choose_pile", person(6), 6, pile=pile)
    assert law <= set(room.refused("distribute"))
    room.refused("collect_empty")
    room.diced(total)
    room.refused("shake_dice", person(6), 6)
    room.do("distribute")
    assert room.state.round.start == first and room.state.round.action == (2 if first == 6 else max(2, first))
    lie, dealt = given_out(room), piles(room)
    for turn, at in enumerate(clockwise_from(first)):
        if at in lie:
            assert lie[at] == dealt[(pile - 1 + turn) % 7]
    assert room.finished().void is None


def test_by_hand_too_the_envy_buttons_are_given_before_any_card() -> None:
    room = Cardroom(MANUAL).banks(6).bets(2, main="$20", fortune="$10").ready()
    room.do("no_more_bets")
    room.do("collect_fees")
    assert "ca.fpgp.envy.button" in room.refused("deal")
    room.play_on(without=["deal"])
    room.do("deal")


# --- every seat, and what nobody plays ----------------------------------------------------------------


def from_shuffler() -> Cardroom:
    room = ready_to_deal(10)
    room.do("deal", cards=48)
    return room


def by_hand() -> Cardroom:
    room = ready_to_deal(10, changes=MANUAL)
    room.do("deal", cards=48)
    return room


@clause("ca.fpgp.deal.distribute.all_seats")
@pytest.mark.parametrize("dealing", [from_shuffler, by_hand])
def test_all_seven_hands_are_given_out_whoever_plays(dealing: Callable[[], Cardroom]) -> None:
    room = dealing()
    assert "ca.fpgp.deal.distribute.all_seats" in room.refused("collect_empty")
    room.do("deal")
    if room.state.way == "manual":
        room.do("count_stub")
        room.do("choose_pile", person(6), 6, pile=1)
        room.refused("collect_empty")
        room.do("distribute")
    assert sorted(stacks(room)) == [1, 2, 3, 4, 5, 6, 7]
    room.do("collect_empty")
    unused = [r.position or 0 for r in room.state.rack if r.what == "no wager"]
    assert sorted([*unused, *room.state.round.hands, 6]) == [1, 2, 3, 4, 5, 6, 7]


@clause("ca.fpgp.deal.distribute.collect_unused")
@pytest.mark.parametrize("changes", WAYS)
def test_hands_without_a_wager_are_put_away_unseen_before_anybody_sets(changes: Changes) -> None:
    room = Cardroom(changes).banks(6).bets(1, 3, 4, 7, main="$20").closed()
    room.diced(10)
    room.play_on(without=["collect_empty"])
    assert room.state.phase is Phase.DEALING
    room.refused("look", person(3), 3)
    assert "ca.fpgp.deal.distribute.collect_unused" in room.do("collect_empty")[0].clauses
    unused = [(r.position, r.count, r.cards) for r in room.state.rack if r.what == "no wager"]
    assert unused == [(2, 7, ()), (5, 7, ())]
    for at in (2, 5):
        room.hidden(person(at), at)
        room.hidden(FLOOR, at)
    room.do("look", person(3), 3)


@clause("ca.fpgp.settle.new_round")
@pytest.mark.parametrize("changes", WAYS)
def test_cards_are_collected_and_shuffled_before_a_new_round(changes: Changes) -> None:
    law = "ca.fpgp.settle.new_round"
    room = ready_to_deal(10, changes=changes)
    room.play_on(without=["rack"])
    assert law in room.refused("close_round")
    room.do("rack", at=2)
    assert law in room.refused("close_round")
    assert room.state.phase is Phase.SETTLING
    room.play_on(without=["close_round"])
    assert law in room.do("close_round")[0].clauses
    assert sum(r.count for r in room.state.rack) == 53
    room.put_up(6, "$200").bets(2, main="$20").refused("no_more_bets")
    room.ready()
    assert law in room.last("shuffle").clauses and not room.state.rack
    room.do("no_more_bets")
