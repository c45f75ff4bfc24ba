"""Wagers settled in order: main, Double Down, the bonuses after rearranging, envy last."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from houseway.money import Basis
from houseway.rounds.state import Hand, Table
from houseway.rounds.step import (
    BY_DEALER_OR_DEVICE,
    Command,
    Event,
    Guard,
    Moment,
    Step,
    in_law,
    register,
)
from houseway.rounds.steps.common import (
    always,
    dealer_of,
    hand_has_not,
    hand_of,
    sense,
)
from houseway.rounds.steps.money import area_at, paid, paying, round_of
from houseway.rounds.steps.payments import DOUBLE_DOWN, MAIN, fouled, pay_wager
from houseway.rounds.steps.revealing import SETTLING
from houseway.rounds.steps.turns import PROGRESSIVE, due, envy_wagers, optional, to_rearrange, turn
from houseway.settlement import Status
from houseway.settlement.envy import owed
from houseway.settlement.house import pay_envy, settle_progressive
from houseway.settlement.sides import line_for


def _wager_due(table: Table, command: Command) -> bool:
    return command.get("wager") in due(table, hand_of(table, command))


def _next_due(table: Table, command: Command) -> bool:
    left = due(table, hand_of(table, command))
    return bool(left) and left[0] == command.get("wager")


def _after_main(table: Table, command: Command) -> bool:
    return command.get("wager") == MAIN or MAIN in hand_of(table, command).settled


def _double_after_main(table: Table, command: Command) -> bool:
    return command.get("wager") != DOUBLE_DOWN or MAIN in hand_of(table, command).settled


def _announced(table: Table, command: Command) -> bool:
    hand = hand_of(table, command)
    return hand.has("announced") or hand.status is Status.ABANDONED


def _rearranged(table: Table, command: Command) -> bool:
    hand, wager = hand_of(table, command), command.get("wager")
    return wager not in optional(table, hand) or hand.has("rearranged") or hand.status is Status.ABANDONED


def _is_win(table: Table, hand: Hand) -> bool:
    return hand.has("progressive_win")


def _checked(mark: str) -> Any:  # noqa: ANN401 - a condition
    def holds(table: Table, command: Command) -> bool:
        hand = hand_of(table, command)
        return command.get("wager") != PROGRESSIVE or not _is_win(table, hand) or hand.has(mark)

    return holds


def _not_from_inventory(table: Table, command: Command) -> bool:
    hand = hand_of(table, command)
    share = command.get("wager") == PROGRESSIVE and hand.has("progressive_share")
    return not share or command.get("source") != "inventory"


def _settle(table: Table, command: Command, _: Moment) -> Mapping[str, Any]:
    hand, wager = hand_of(table, command), command.get("wager")
    area = area_at(table, hand.position)
    if wager == PROGRESSIVE:
        made = table.play.table or round_of(table)
        payments, meter = settle_progressive(made, area, table.meter, foul=fouled(hand.race))
        return paying(payments, table, meter=meter)
    before = [p for p in table.play.payments if p.position == hand.position and p.wager in hand.settled]
    payments, race = pay_wager(table, area, wager, hand.race, before)
    return paying(payments, table, race=race)


def _settled(table: Table, event: Event) -> Table:
    hand = hand_of(table, event)
    settled = hand.settled | {event.get("wager")}
    return paid(table, event).with_hand(hand.position, settled=settled)


def _main_settled(table: Table, command: Command) -> bool:
    return MAIN in hand_of(table, command).settled


def _rearrange(table: Table, command: Command, _: Moment) -> Mapping[str, Any]:
    """Find the best hand of the dealt cards for each wager that asks, and whether others envy it."""
    hand = hand_of(table, command)
    area = area_at(table, hand.position)
    made: dict[str, str] = {}
    marks = {"rearranged"}
    for wager in optional(table, hand):
        line = line_for(table.rules, wager, area)
        made[wager] = line.hand
        if wager == PROGRESSIVE and line.pays.basis is not Basis.LOSE:
            marks |= {"progressive_win"} | (
                {"progressive_share"} if line.pays.basis is Basis.METER else set()
            )
    envied = [wager for wager in _envied(table, hand) if _acknowledged(table, hand, wager)]
    marks |= {f"envies:{wager}" for wager in envied} | ({"held"} if envied else set())
    return {"made": made, "marks": marks, "envy_announced": tuple(envied)}


def _envied(table: Table, hand: Hand) -> Iterable[str]:
    """Yield the wagers on which somebody is owed an Envy Bonus for this hand."""
    order = table.rules.ranking()
    for terms in table.rules.game.wager:
        envy = terms.envy
        if envy is None or not table.rules.offers(terms.id):
            continue
        if not any(o.amount(terms.id) for o in table.play.playing()) or not order.qualifies(
            envy.qualifier, hand.cards
        ):
            continue
        made = table.play.table or round_of(table)
        if any(one.holder == hand.position for one in owed(made, terms.id)):
            yield terms.id


def _acknowledged(table: Table, hand: Hand, wager: str) -> bool:
    """Whether the dealer says aloud that others envy this hand, and leaves it face up."""
    key = "announces" if hand.amount(wager) else "announces_other"
    if wager == PROGRESSIVE and "announces_progressive" in table.rules.game.procedure["rearrange"]:
        key = "announces_progressive"
    return in_law(table, "rearrange", key)


def _was_rearranged(table: Table, event: Event) -> Table:
    hand = hand_of(table, event)
    made = {**hand.made, **event.get("made")}
    return table.with_hand(hand.position, made=made, marks=hand.marks | event.get("marks"))


def _all_settled(table: Table, command: Command) -> bool:
    wager = command.get("wager")
    return all(not h.amount(wager) or wager in h.settled for h in table.play.playing())


def _all_rearranged(table: Table, _: Command) -> bool:
    return all(
        h.has("rearranged") or h.has("racked") or not to_rearrange(table, h) for h in table.play.playing()
    )


def _envy(table: Table, command: Command, _: Moment) -> Mapping[str, Any]:
    made = table.play.table or round_of(table)
    return paying(pay_envy(made, command.get("wager")), table)


def _envy_paid(table: Table, event: Event) -> Table:
    return paid(table, event).mark_play(f"envy:{event.get('wager')}")


def _suggest_settle(table: Table) -> Iterable[Command]:
    hand = turn(table)
    if hand is None:
        return
    wagers = due(table, hand)
    if wagers and (hand.has("announced") or hand.status is Status.ABANDONED):
        yield Command("settle", dealer_of(table), hand.position, {"wager": wagers[0]})


def _suggest_rearrange(table: Table) -> Iterable[Command]:
    hand = turn(table)
    ready = hand and (MAIN in hand.settled) and not hand.has("rearranged")
    if hand and ready and to_rearrange(table, hand):
        yield Command("rearrange", dealer_of(table), hand.position)


def _suggest_envy(table: Table) -> Iterable[Command]:
    if turn(table) is None:
        for wager in envy_wagers(table):
            yield Command("pay_envy", dealer_of(table), details={"wager": wager})


register(
    Step(
        "rearrange",
        BY_DEALER_OR_DEVICE,
        SETTLING,
        (
            always("after_main", "after the main wager", _main_settled),
            sense("the hand is rearranged", hand_has_not("rearranged")),
            sense("nothing asks for it", lambda t, c: to_rearrange(t, hand_of(t, c))),
        ),
        needs="hand",
        outcome=_rearrange,
        evolve=_was_rearranged,
        suggest=_suggest_rearrange,
    ),
    Step(
        "settle",
        BY_DEALER_OR_DEVICE,
        SETTLING,
        (
            sense("no such wager is open on this hand", _wager_due),
            always("announced", "the result is announced before money moves", _announced),
            Guard("double_after_main", "the Double Down is settled after the main wager", _double_after_main),
            sense("the main wager is settled first", _after_main),
            always("rearranged", "the cards are rearranged first", _rearranged),
            always("in_order", "a player's wagers are settled in the law's order", _next_due),
            Guard("win_verified", "the dealer verifies the winning hand first", _checked("win_verified")),
            Guard("light", "the dealer verifies the lit light first", _checked("light")),
            Guard("validated", "a floorperson validates the payout first", _checked("validated")),
            Guard(
                "source", "a share of the meter is not paid from the table's inventory", _not_from_inventory
            ),
        ),
        takes={"wager": str, "source?": str},
        needs="hand",
        outcome=_settle,
        evolve=_settled,
        suggest=_suggest_settle,
    ),
    Step(
        "pay_envy",
        BY_DEALER_OR_DEVICE,
        SETTLING,
        (
            sense("no envy is owed on it", lambda t, c: c.get("wager") in envy_wagers(t)),
            always("after_all", "after every such wager is settled", _all_settled),
            sense("every hand is rearranged first", _all_rearranged),
        ),
        takes={"wager": str},
        outcome=_envy,
        evolve=_envy_paid,
        suggest=_suggest_envy,
    ),
)
