"""Between bets and deal: Envy lammers, the progressive locked, its chips counted against the system."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from houseway.meters import reverse_contribution
from houseway.rounds.state import Phase, Table
from houseway.rounds.step import BY_DEALER, BY_DEALER_OR_DEVICE, FLOOR, Command, Event, Moment, Step, register
from houseway.rounds.steps.common import always, dealer_of, play_has, play_has_not, sense
from houseway.rounds.steps.money import paid, paying, round_of, undo
from houseway.settlement import Payment
from houseway.settlement.house import lock_progressive


def due_lammers(table: Table) -> tuple[int, ...]:
    """Return the positions whose wager earns Envy Bonuses on a bonus."""
    rules, active = table.rules, table.play.active()
    bonuses = [terms.id for terms in rules.envied if terms.family == "bonus"]
    return tuple(
        sorted(
            {
                hand.position
                for wager in bonuses
                for hand in active
                if wager in hand.wagers and rules.qualifies_for_envy(wager, hand.wagers[wager])
            }
        )
    )


def _right_lammers(table: Table, command: Command) -> bool:
    given = command.get("positions")
    return given is None or tuple(sorted(given)) == due_lammers(table)


def accepted(table: Table) -> int:
    """Return how many progressive wagers the system accepted."""
    return len([hand for hand in table.play.active() if hand.wagers.get("progressive")])


def offered(table: Table, family: str) -> bool:
    """Whether the table offers a wager of this family."""
    return family in table.rules.families


def _envy_offered(table: Table) -> bool:
    return any(terms.family == "bonus" for terms in table.rules.envied)


def lammers_placed(table: Table, _: Command) -> bool:
    """Whether every lammer lies where it belongs, if the table has any."""
    return table.play.has("lammers") or not _envy_offered(table) or not due_lammers(table)


def locked(table: Table, _: Command) -> bool:
    """Whether the progressive is locked, if the table has one."""
    return table.play.has("locked") or not offered(table, "progressive")


def counted(table: Table, _: Command) -> bool:
    """Whether the progressive chips are counted, if there are any."""
    return table.play.has("counted") or not offered(table, "progressive") or not accepted(table)


def _count_agrees(table: Table, command: Command) -> bool:
    return bool(command.get("chips") == accepted(table))


def _count(table: Table, command: Command, _: Moment) -> Mapping[str, Any]:
    payments, meter, taken = lock_progressive(round_of(table))
    return paying(payments, table, meter=meter, taken=taken, accepted=accepted(table))


def _counted(table: Table, event: Event) -> Table:
    table = paid(table, event).with_play(taken=event.get("taken"))
    return table.mark_play("counted")


def _unbooked(table: Table, command: Command, _: Moment) -> Mapping[str, Any]:
    """Take back what was booked already for wagers whose chips are not there."""
    payments: list[Payment] = []
    meter = table.meter
    for at in command.get("without"):
        booked = [p for p in table.play.payments if p.position == at and p.wager == "progressive"]
        payments += [undo(payment, "its chips are not there") for payment in reversed(booked)]
        moved = table.play.taken.get(at, ())
        if meter is not None and moved:
            meter, _back = reverse_contribution(meter, moved, "its chips are not there")
    return paying(payments, table, meter=meter)


def _ruled_out(table: Table, event: Event) -> Table:
    """Take out wagers whose chips are not there: nothing was accepted from them."""
    table = paid(table, event)
    taken = {at: moved for at, moved in table.play.taken.items() if at not in event.get("without")}
    table = table.with_play(taken=taken)
    for at in event.get("without"):
        wagers = {w: amount for w, amount in table.play.hands[at].wagers.items() if w != "progressive"}
        table = table.with_hand(at, wagers=wagers)
    return table


def _not_yet_counted(table: Table, _: Command) -> bool:
    done = "removed" if table.play.has("coin_in") else "counted"
    return not table.play.has(done)


def _none_there(table: Table, command: Command) -> bool:
    hands, named = table.play.hands, command.get("without")
    return bool(named) and all(
        isinstance(at, int) and at in hands and hands[at].amount("progressive") for at in named
    )


def _suggest_lammers(table: Table) -> Iterable[Command]:
    if due_lammers(table) and not table.play.has("lammers"):
        yield Command("place_lammers", dealer_of(table))


def _suggest_lock(table: Table) -> Iterable[Command]:
    if offered(table, "progressive") and not table.play.has("locked"):
        yield Command("lock_progressive", dealer_of(table))


def _suggest_count(table: Table) -> Iterable[Command]:
    if table.play.has("locked") and accepted(table) and not table.play.has("counted"):
        yield Command("count_progressive", dealer_of(table), details={"chips": accepted(table)})


register(
    Step(
        "place_lammers",
        BY_DEALER,
        (Phase.STARTING,),
        (
            sense("the lammers are placed", play_has_not("lammers")),
            always("right", "a lammer lies at each qualifying wager and at no other", _right_lammers),
        ),
        takes={"positions?": tuple},
        outcome=lambda t, _, __: {"lammers": due_lammers(t)},
        evolve=lambda t, e: t.with_play(
            lammers=frozenset(e.get("lammers")), marks=t.play.marks | {"lammers"}
        ),
        suggest=_suggest_lammers,
    ),
    Step(
        "lock_progressive",
        BY_DEALER_OR_DEVICE,
        (Phase.STARTING,),
        (sense("the table has no progressive", lambda t, _: offered(t, "progressive")),),
        evolve=lambda t, _: t.mark_play("locked"),
        suggest=_suggest_lock,
    ),
    Step(
        "rule_count",
        FLOOR,
        (Phase.BETTING, Phase.STARTING),
        (
            sense("the progressive is locked first", play_has("locked")),
            sense("the chips are counted", _not_yet_counted),
            sense("no progressive wager is booked there", _none_there),
            sense("the reason is put on record", lambda _, c: bool(c.get("reason", "").strip())),
        ),
        takes={"without": tuple, "reason": str},
        outcome=_unbooked,
        evolve=_ruled_out,
    ),
    Step(
        "count_progressive",
        BY_DEALER,
        (Phase.STARTING,),
        (
            sense("the progressive is locked first", play_has("locked")),
            sense("the chips are counted", play_has_not("counted")),
            always(
                "agrees", "as many chips as the system accepted wagers: the floor is called", _count_agrees
            ),
        ),
        takes={"chips": int},
        outcome=_count,
        evolve=_counted,
        suggest=_suggest_count,
    ),
)
