"""Wagers settled in order: main, Double Down, the bonuses after rearranging, envy last."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from houseway.games import Rules
from houseway.law.claims import standing
from houseway.money import Basis
from houseway.ranking.picture import picture
from houseway.rounds.state import Hand, Table, changed
from houseway.rounds.step import (
    BY_DEALER_OR_DEVICE,
    Command,
    Event,
    Guard,
    Holds,
    Moment,
    Step,
    law_of,
    register,
)
from houseway.rounds.steps.common import always, dealer_of, hand_has_not, hand_of, of_marked, sense
from houseway.rounds.steps.money import (
    area_at,
    bank_settlement,
    paid,
    paying,
    settled_hand,
    standing_payments,
    the_round,
)
from houseway.rounds.steps.payments import fouled, pay_wager, plain_end
from houseway.rounds.steps.revealing import SETTLING
from houseway.rounds.steps.turns import (
    ALL,
    by_keypad,
    by_passes,
    due,
    envy_wagers,
    has_wager,
    next_of_hand,
    optional,
    to_rearrange,
    turn,
)
from houseway.settlement import Area, Kind, Payment, Status
from houseway.settlement.envy import owed
from houseway.settlement.house import pay_envy, settle_progressive
from houseway.settlement.model import DOUBLE_DOWN, MAIN, PROGRESSIVE
from houseway.settlement.sides import line_for

_ABANDONED = Status.ABANDONED
_LOSE, _METER = Basis.LOSE, Basis.METER


def named(table: Table, command: Command) -> list[str]:
    """Return the wagers that a command settles, in order."""
    wager = command.details["wager"]
    if wager != ALL:
        return [wager]
    hand = hand_of(table, command)
    left = due(table, hand)
    if "rearranged" not in hand.marks and hand.status is not _ABANDONED:
        return [one for one in left if one not in table.rules.side_wagers]
    if PROGRESSIVE in left and by_keypad(table, hand):
        left.remove(PROGRESSIVE)
    return left


def _next_due(table: Table, command: Command) -> bool:
    hand, wager = hand_of(table, command), command.details["wager"]
    if wager == ALL:
        return MAIN not in hand.settled or bool(named(table, command))
    left = (w for w in table.rules.wager_order if w not in hand.settled and has_wager(hand, w))
    first = next(left, None)
    return first is not None and wager == first


def _not_by_key(table: Table, command: Command) -> bool:
    return command.details["wager"] != PROGRESSIVE or not by_keypad(table, hand_of(table, command))


def _after_main(table: Table, command: Command) -> bool:
    return command.details["wager"] in (MAIN, ALL) or MAIN in hand_of(table, command).settled


def _double_after_main(table: Table, command: Command) -> bool:
    return command.details["wager"] != DOUBLE_DOWN or MAIN in hand_of(table, command).settled


def _announced(table: Table, command: Command) -> bool:
    hand = hand_of(table, command)
    return "announced" in hand.marks or hand.status is _ABANDONED


def _rearranged(table: Table, command: Command) -> bool:
    hand, wager = hand_of(table, command), command.details["wager"]
    if "rearranged" in hand.marks or hand.status is _ABANDONED:
        return True
    if wager == ALL:
        return MAIN not in hand.settled or DOUBLE_DOWN in due(table, hand)
    return wager not in table.rules.side_wagers


def _checked(mark: str) -> Holds:
    """Ask whether a progressive win has been verified this way, if it is a win and is settled now."""

    def holds(table: Table, command: Command) -> bool:
        return hand_of(table, command).has(mark) or command.details["wager"] not in (PROGRESSIVE, ALL)

    return of_marked("progressive_win", holds)


def _not_from_inventory(_: Table, command: Command) -> bool:
    return command.get("source") != "inventory" or command.details["wager"] not in (PROGRESSIVE, ALL)


def _settle(table: Table, command: Command, _: Moment) -> Mapping[str, Any]:
    hand, wagers, rules = hand_of(table, command), named(table, command), table.rules
    if rules.banked:
        return _by_the_bank(table, hand, wagers)
    made, area = the_round(table), area_at(table, hand.position)
    decided = plain_end(made, area, wagers, hand.race)
    if decided is None:
        return _one_by_one(table, hand, area, wagers)
    payments, clauses = rules.payments.recall(decided, lambda: _paid(_one_by_one(table, hand, area, wagers)))
    return {
        "payments": payments,
        "clauses": clauses,
        "meter": table.meter,
        "race": hand.race,
        "wagers": tuple(wagers),
    }


def _paid(outcome: Mapping[str, Any]) -> tuple[tuple[Payment, ...], tuple[str, ...]]:
    return outcome["payments"], outcome["clauses"]


def _one_by_one(table: Table, hand: Hand, area: Area, wagers: list[str]) -> Mapping[str, Any]:
    """Settle wager after wager: what one pays may count against a limit, or come off the meter."""
    made, limited = the_round(table), table.rules.submission.payout_limit is not None
    before = standing_payments(table.play.payments, hand.position) if limited else []
    payments: list[Payment] = []
    race, meter = hand.race, table.meter
    for wager in wagers:
        if wager == PROGRESSIVE:
            new, meter = settle_progressive(made, area, meter, foul=fouled(race))
        else:
            new, race = pay_wager(made, area, wager, race, [*before, *payments] if limited else [])
        payments += new
    return paying(payments, table, meter=meter, race=race, wagers=tuple(wagers))


def _by_the_bank(table: Table, hand: Hand, wagers: list[str]) -> Mapping[str, Any]:
    """Settle against the bank: how far it reaches depends on all that was settled before."""
    whole = bank_settlement(table, hand.position)
    ended = [p for p in whole.payments if p.position == hand.position and p.wager in wagers]
    payments = [p for p in ended if p.kind is not Kind.ENVY]
    return paying(payments, table, race=whole.races.get(hand.position), wagers=tuple(wagers))


def _games_settled(table: Table, command: Command) -> bool:
    """By passes, every game wager is settled before a bonus is looked at."""
    if not by_passes(table) or MAIN in named(table, command):
        return True
    return all(MAIN in hand.settled for hand in table.play.playing())


def _clockwise(table: Table, command: Command) -> bool:
    hand = turn(table)
    return not table.banked or (hand is not None and hand.position == command.position)


def _settled(table: Table, event: Event) -> Table:
    hand, ended = hand_of(table, event), event.outcome["wagers"]
    made = hand.made
    if "claim" in made and PROGRESSIVE in ended:
        made = {key: value for key, value in made.items() if key != "claim"}
    return settled_hand(table, event, changed(hand, settled=hand.settled.union(ended), made=made))


def _main_settled(table: Table, command: Command) -> bool:
    return MAIN in hand_of(table, command).settled


def _rearrange(table: Table, command: Command, _: Moment) -> Mapping[str, Any]:
    """Find the best hand of the dealt cards for each wager that asks, and whether others envy it."""
    hand, rules = hand_of(table, command), table.rules
    wagers = tuple(optional(table, hand))
    seen = picture(hand.cards) if rules.envied_by_picture else None
    found, marks, envied = rules.rearranged.recall(
        (hand.cards if seen is None else seen, wagers),
        lambda: _best(rules, area_at(table, hand.position), wagers),
    )
    made = dict(found)
    if not envied:
        return {"made": made, "marks": marks, "envy_announced": ()}
    said = [w for w in envied if _placed_for_envy(table, w) and _acknowledged(table, hand, w)]
    whole = the_round(table)
    due_on = [w for w in said if any(one.holder == hand.position for one in owed(whole, w))]
    marks |= {f"envies:{wager}" for wager in due_on} | ({"held"} if due_on else set())
    return {"made": made, "marks": marks, "envy_announced": tuple(said)}


def _best(
    rules: Rules, area: Area, wagers: tuple[str, ...]
) -> tuple[tuple[tuple[str, str], ...], frozenset[str], tuple[str, ...]]:
    """Return what cards make for each of these wagers, the marks of a win, and on which others envy them."""
    made: dict[str, str] = {}
    marks = {"rearranged"}
    for wager in wagers:
        line = line_for(rules, wager, area)
        made[wager] = line.hand
        if wager == PROGRESSIVE and line.pays.basis is not _LOSE:
            marks |= {"progressive_win"} | ({"progressive_share"} if line.pays.basis is _METER else set())
    order = rules.ranking()
    envied = [t.id for t in rules.envied if t.envy and order.qualifies(t.envy.qualifier, area.cards)]
    return tuple(made.items()), frozenset(marks), tuple(envied)


def _placed_for_envy(table: Table, wager: str) -> bool:
    """Whether anybody has placed a wager that earns Envy Bonuses."""
    return any(table.rules.qualifies_for_envy(wager, o.amount(wager)) for o in table.play.playing())


def _acknowledged(table: Table, hand: Hand, wager: str) -> bool:
    """Whether the dealer says aloud that others envy this hand, and leaves it face up."""
    key = "announces" if hand.amount(wager) else "announces_other"
    if wager == PROGRESSIVE and "announces_progressive" in table.rules.game.procedure["rearrange"]:
        key = "announces_progressive"
    law = law_of(table, "rearrange", key)
    return not law or bool(standing(law))


def _was_rearranged(table: Table, event: Event) -> Table:
    hand, outcome = hand_of(table, event), event.outcome
    made = {**hand.made, **outcome["made"]}
    return table.with_hand(hand.position, made=made, marks=hand.marks | outcome["marks"])


def _all_settled(table: Table, command: Command) -> bool:
    wager = command.get("wager")
    return all(wager in h.settled or not has_wager(h, wager) for h in table.play.playing())


def _all_rearranged(table: Table, _: Command) -> bool:
    return all(
        h.has("rearranged") or h.has("racked") or not to_rearrange(table, h) for h in table.play.playing()
    )


def _envy(table: Table, command: Command, _: Moment) -> Mapping[str, Any]:
    made = the_round(table)
    if table.banked:
        payments = [p for p in bank_settlement(table).payments if p.kind is Kind.ENVY]
        return paying(payments, table)
    return paying(pay_envy(made, command.get("wager")), table)


def _envy_paid(table: Table, event: Event) -> Table:
    return paid(table, event).mark_play(f"envy:{event.get('wager')}")


def _suggest_settle(table: Table) -> Iterable[Command]:
    hand = turn(table)
    if hand is None:
        return
    wagers = due(table, hand)
    if wagers == [PROGRESSIVE] and by_keypad(table, hand):
        return
    if wagers and (hand.has("announced") or hand.status is _ABANDONED):
        yield Command("settle", dealer_of(table), hand.position, {"wager": ALL})


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
            sense("the cards are entered first", lambda t, c: bool(hand_of(t, c).cards)),
            sense("the hand is rearranged", hand_has_not("rearranged")),
            sense("nothing asks for it", lambda t, c: to_rearrange(t, hand_of(t, c))),
        ),
        needs="hand",
        outcome=_rearrange,
        evolve=_was_rearranged,
        onward=next_of_hand,
        suggest=_suggest_rearrange,
    ),
    Step(
        "settle",
        BY_DEALER_OR_DEVICE,
        SETTLING,
        (
            always("announced", "the result is announced before money moves", _announced),
            Guard("double_after_main", "the Double Down is settled after the main wager", _double_after_main),
            sense("the main wager is settled first", _after_main),
            always("rearranged", "the cards are rearranged first", _rearranged),
            always("in_order", "not the next open wager of this hand", _next_due),
            Guard("win_verified", "the dealer verifies the winning hand first", _checked("win_verified")),
            Guard("light", "the dealer verifies the lit light first", _checked("light")),
            Guard("validated", "a floorperson validates the payout first", _checked("validated")),
            Guard("bonus_after_game", "every game wager is settled before a bonus", _games_settled),
            Guard("clockwise", "from the Action seat clockwise", _clockwise),
            Guard(
                "percentage",
                "a share of the meter goes by the jackpot key",
                of_marked("progressive_share", _not_by_key),
            ),
            Guard(
                "source",
                "a share of the meter is not paid from the table's inventory",
                of_marked("progressive_share", _not_from_inventory),
            ),
        ),
        takes={"wager": str, "source?": str},
        needs="hand",
        outcome=_settle,
        evolve=_settled,
        onward=next_of_hand,
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
