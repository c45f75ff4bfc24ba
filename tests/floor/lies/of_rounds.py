"""Lies about rounds, who acts in them and when, and chips."""

from __future__ import annotations

from collections.abc import Callable

from houseway.chips import ChipCommand
from houseway.chips.actions import BringChips, BuyIn, RequestFill, TakeDrop
from houseway.money import Cents
from houseway.rounds.roles import Role
from houseway.rounds.step import Actor, Command
from houseway.rounds.steps.meter import AdjustMeter
from tests.floor.lies.edited import Edited
from tests.floor.lies.played import DEB, FLO, MAX, ROB, ZOE, Played, Value
from tests.floor.lies.told import (
    KEY,
    NOBODY,
    as_if_by,
    by,
    changed,
    event,
    lie,
    outcome,
    paid_to_another,
    put,
    times_ten,
)

# --- rounds -------------------------------------------------------------------------------------------

changed(
    "a payment times ten",
    r"table/t1 version \d+: table t1, round 1, settle .*units",
    "turn settle",
    outcome(times_ten),
)
changed("a payment of the last round", r"table t3, round 1, settle", "turn settle", outcome(times_ten), -1)
changed("a payment to another", r"table t1, round 1, settle", "turn settle", outcome(paid_to_another))
changed(
    "a payment left out",
    r"table t1, round 1, settle|wager has not ended",
    "turn settle",
    outcome(lambda o: o["payments"].pop()),
)
changed(
    "another reason for a payment",
    r"table t1, round 1, settle .*reason",
    "turn settle",
    outcome(lambda o: o["payments"][0].update(reason="wins")),
)
changed(
    "a hand that won",
    r"table t1, round 1, settle .*race",
    "turn settle",
    outcome(lambda o: o["race"].update(result="win")),
)
changed(
    "another clause",
    r"table t1, round 1, settle .*clauses",
    "turn settle",
    event(lambda e: e["clauses"].pop()),
)
changed("an event less", r"table t1, round 1, settle", "turn settle", lambda v: v["events"].pop())
changed(
    "an event of another number", r"table/t1 version \d+: .*(event|seq)", "turn settle", event(put(seq=999))
)
changed(
    "a card put away in another place",
    r"table t1, round 1, rack",
    "turn rack",
    outcome(lambda o: o["racked"][0]["cards"].reverse()),
)


def swap_hands(value: Value) -> None:
    hands = value["hands"]
    hands["1"][0], hands["2"][0] = hands["2"][0], hands["1"][0]


changed(
    "two dealt cards swapped",
    r"table/t1 version \d+: table t1, round 1, (deal|set) .*cards",
    "turn deal",
    outcome(swap_hands),
)
changed("another number drawn", r"table t1, round 1, draw_number", "turn draw_number", outcome(put(number=1)))
changed(
    "another number given",
    r"table t1, round 1, (draw_number|deal)",
    "turn draw_number",
    lambda v: v["given"].update(number=1),
)


@lie(r"table t3, round 2, deal", *KEY)
def two_cards_swapped_in_a_round_in_progress(edited: Edited) -> None:
    edited.change("turn deal", outcome(swap_hands), -1)


@lie(r"table t1, round 1, (draw_number|deal)")
def another_number_given_and_drawn(edited: Edited) -> None:
    row = edited.find("turn draw_number")
    row.change(outcome(put(number=1)))
    row.change(lambda v: v["given"].update(number=1))
    edited.chain()


@lie(r"table t1, round 1, (settle|reveal|set)")
def a_hand_set_otherwise(edited: Edited) -> None:
    def set_otherwise(value: Value) -> None:
        for action in (value["command"]["action"], value["events"][0]["action"]):
            action["setting"][0][0], action["setting"][1][0] = (
                action["setting"][1][0],
                action["setting"][0][0],
            )

    edited.change("turn set", set_otherwise)


@lie(r"table t1, round 1, (wager|settle|count|place|lock)|less than nothing|has not ended|pending wager")
def a_wager_raised_afterwards(edited: Edited) -> None:
    def raised(value: Value) -> None:
        for action in (value["command"]["action"], value["events"][0]["action"]):
            action["wagers"]["main"] *= 10

    edited.change("turn wager", raised)


@lie(r"table/t1 version 19: .*wager")
def a_wager_of_less_than_nothing(edited: Edited) -> None:
    def negative(value: Value) -> None:
        for action in (value["command"]["action"], value["events"][0]["action"]):
            action["wagers"]["main"] = -1000

    edited.change("turn wager", negative)


def last_outcome(change: Callable[[Value], object]) -> Callable[[Value], object]:
    return lambda value: change(value["events"][-1]["outcome"])


def swap_order(value: Value) -> None:
    order = value["seal"]["order"]
    order[0], order[1] = order[1], order[0]


changed(
    "an opened deck in another order",
    r"table t1, round 1, .*(seal|deck)",
    "turn close_round",
    last_outcome(swap_order),
)
changed(
    "a deck that is never opened",
    r"table t1, round 1, .*(seal|deck)",
    "turn close_round",
    last_outcome(lambda o: o.pop("seal")),
)
changed(
    "a nonce of another deck",
    r"table t1, round 1, .*(seal|deck)",
    "turn close_round",
    last_outcome(lambda o: o["seal"].update(nonce="00" * 32)),
)
changed(
    "another commitment",
    r"table t1, round 1, ",
    "turn shuffle",
    lambda v: v["given"].update(commitment="00" * 32),
)


@lie(r"table t1, round 1, (set|close_round) .*")
def another_deck_throughout(edited: Edited) -> None:
    """The cards of the deal are changed, and the seal is not there to tell."""
    edited.find("turn deal").change(outcome(swap_hands))
    edited.find("turn close_round").change(last_outcome(lambda o: o.pop("seal")))
    edited.chain()


# --- who acts -----------------------------------------------------------------------------------------

changed(
    "an unknown user acts",
    r"table t1, round 1, wager .*by mallory: no such user|version 19",
    "turn wager",
    as_if_by(Actor("mallory", Role.PLAYER)),
)
changed(
    "a player acts as a dealer",
    r"table t1, round 1, wager .*",
    "turn wager",
    as_if_by(Actor("ann", Role.DEALER)),
)
changed(
    "somebody under another name",
    r"by max: the user has another name",
    "chips approve_fill",
    put(by={**by(MAX), "name": "Mia"}),
)
changed(
    "a disabled dealer acts",
    r"receive_fill.*by rob: the user is disabled",
    "chips receive_fill",
    put(by=by(ROB)),
)
changed(
    "an actor of the events alone",
    r"table t1, round 1, settle",
    "turn settle",
    event(put(by={"id": "other", "role": "dealer"})),
)
changed(
    "a command under another name",
    r"table t1, round 1, settle|version 36: .*cause",
    "turn settle",
    lambda v: v["command"].update(id="other"),
)
changed(
    "a fill approved by whoever asked",
    r"table t1, round 2, approve_fill .*by another person than its requester",
    "chips approve_fill",
    put(by=by(FLO)),
)
changed(
    "an opener counted by one", r"table t1, round 1, count_opener", "chips count_opener", put(second=by(DEB))
)
changed(
    "an opener with another second",
    r"count_opener .*: ",
    "chips count_opener",
    put(second=by(Actor("zed", Role.FLOORPERSON))),
)


@lie(r"table t1, round 2, bring_chips .*by nobody: no such user")
def chips_brought_by_nobody(edited: Edited) -> None:
    def brought(played: Played) -> None:
        played.done("t1", ChipCommand(id="x", by=NOBODY, action=BringChips("ann", Cents(99_000_00))))

    edited.play(brought)


@lie(r"bring_chips .*(automat|auto|nobody|by)")
def chips_brought_by_somebody_automated(edited: Edited) -> None:
    def brought(played: Played) -> None:
        name = f"!auto/table/t1/{played.floor.table('t1').head.version + 1}"
        played.done("t1", ChipCommand(id=name, by=NOBODY, action=BringChips("ann", Cents(99_000_00))))

    edited.play(brought)


@lie(r"buy_in .*by zoe: not to play")
def somebody_buys_in_during_a_time_out(edited: Edited) -> None:
    edited.play(
        lambda played: played.done("t1", ChipCommand(id="x", by=ZOE, action=BuyIn("zoe", Cents(1_00))))
    )


@lie(r"(request_fill|table t1).*only the system makes such an id")
def an_id_of_the_system_typed(edited: Edited) -> None:
    edited.play(lambda played: played.done("t1", ChipCommand(id="!x", by=FLO, action=RequestFill({500: 2}))))


@lie(r"request_fill .*nothing of the kind was proposed")
def a_command_confirmed_that_was_never_proposed(edited: Edited) -> None:
    name = "!confirmed/chips/2026-01-04T12:02:27+00:00"
    edited.play(lambda played: played.done("t1", ChipCommand(id=name, by=FLO, action=RequestFill({500: 2}))))


@lie(r"request_fill .*by its place")
def a_command_of_an_automat_out_of_its_place(edited: Edited) -> None:
    name = "!auto/table/t1/1"
    edited.play(lambda played: played.done("t1", ChipCommand(id=name, by=FLO, action=RequestFill({500: 2}))))


@lie(r"request_fill .*by its place")
def a_command_of_an_automat_at_a_longer_place(edited: Edited) -> None:
    def approve_own(played: Played) -> None:
        name = f"!auto/table/t1/{played.floor.table('t1').head.version + 1}0"
        played.done("t1", ChipCommand(id=name, by=FLO, action=RequestFill({500: 2})))

    edited.play(approve_own)


@lie(r"adjust_meter .*two people")
def a_meter_adjusted_at_its_table_by_an_automat(edited: Edited) -> None:
    def adjusted(played: Played) -> None:
        played.make("t4", played.approve("wa-fap"), None)
        action = AdjustMeter(amount=Cents(500_00), reason="reset", second="max")
        by = Actor("automatic floor", Role.FLOORPERSON)
        played.done("t4", Command(by, action, id="!auto/table/t4/1"))

    edited.play(adjusted)


@lie(r"take_drop .*two people")
def a_second_person_who_confirmed_nothing(edited: Edited) -> None:
    taken = ChipCommand(id="x", by=FLO, second=MAX, action=TakeDrop("B1"))
    edited.play(lambda played: played.done("t3", taken))


# --- times --------------------------------------------------------------------------------------------


def at(moment: str) -> Callable[[Value], object]:
    def change(value: Value) -> None:
        value["at"] = moment
        for item in value.get("events", ()):
            item["at"] = moment

    return change


changed(
    "a turn before the one before it",
    r"table/t1 version 36: .*is before the entry before it",
    "turn settle",
    at("2026-01-04T12:00:00Z"),
)
changed(
    "a turn after the next one",
    r"table/t1 version 37: .*is before the entry before it",
    "turn settle",
    at("2026-01-04T18:00:00Z"),
)
changed(
    "a turn and its event at two moments",
    r"table t1, round 1, settle .*at:",
    "turn settle",
    lambda v: v["events"][0].update(at=v["events"][0]["at"].replace("Z", ".5Z")),
)
changed(
    "a filing before the one before it",
    r"floor version \d+: .*is before the entry before it",
    "submission_filed",
    put(at="2026-01-04T12:00:00Z"),
)


# --- chips --------------------------------------------------------------------------------------------

changed(
    "cash times ten",
    r"table t1, round 1, buy_in",
    "chips buy_in",
    lambda v: v["action"].update(cash=50_000_00),
)
changed(
    "negative chips",
    r"table t1, round 2, request_fill .*number of chips",
    "chips request_fill",
    lambda v: v["action"].update(chips={"500": -20}),
)
changed(
    "more chips in the opener",
    r"table t1, round 1, count_opener",
    "chips count_opener",
    lambda v: v["action"].update(chips={"10000": 5000}),
)
changed(
    "a report that is not due",
    r"table t1, round 1, buy_in",
    "chips buy_in",
    lambda v: v["outcome"].pop("reports"),
)
changed(
    "chips moved elsewhere",
    r"table t1, round 1, buy_in|less than",
    "chips buy_in",
    lambda v: v["outcome"]["moved"][1]["to"].update(name="zoe"),
)
