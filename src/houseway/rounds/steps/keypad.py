"""The progressive's keypad at a Washington table: COIN IN, hand buttons, the key, J-POT, Game Over."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

from houseway.law.claims import rest_on
from houseway.ledger import units
from houseway.meters import adjust
from houseway.meters.meter import share_of
from houseway.money import Cents, dollars
from houseway.rounds.state import Hand, JackpotWin, Phase, Table, changed
from houseway.rounds.step import BY_DEALER, FLOOR, Command, Event, Moment, Step, law_of, register
from houseway.rounds.steps.chips import accepted, offered
from houseway.rounds.steps.common import (
    FLOORPERSON,
    always,
    dealer_of,
    hand_has,
    hand_of,
    play_has,
    play_has_not,
    sense,
)
from houseway.rounds.steps.money import area_at, paid, paying, round_of
from houseway.rounds.steps.payments import fouled
from houseway.rounds.steps.turns import by_keypad, due, envy_wagers, finished
from houseway.settlement.house import lock_progressive, settle_progressive
from houseway.settlement.model import PROGRESSIVE
from houseway.settlement.sides import line_for

JPH, RUN = "JPH", "RUN"
SETTLING = (Phase.SETTLING,)


def lights(table: Table) -> dict[int, str]:
    """Return what each sensor shows: a chip detected, or its wager accepted by COIN IN until Game Over."""
    if table.play.has("game_over"):
        return {}
    key = "accepted" if table.play.has("coin_in") else "detected"
    rest_on(*law_of(table, "coin_in", key))
    return {hand.position: key for hand in table.play.active() if hand.amount(PROGRESSIVE)}


def _coin_in(table: Table, _: Command, __: Moment) -> Mapping[str, Any]:
    payments, meter, taken = lock_progressive(round_of(table))
    return paying(payments, table, meter=meter, taken=taken, accepted=accepted(table))


def _booked(table: Table, event: Event) -> Table:
    before = table.meter
    table = paid(table, event).with_play(taken=event.get("taken"), meter_before=before)
    return table.mark_play("coin_in", "locked", "counted")


def _chips_agree(table: Table, command: Command) -> bool:
    return bool(command.get("chips") == accepted(table))


def win_at(table: Table, position: int | None) -> JackpotWin | None:
    """Return the win recorded for a position in this round, if J-POT recorded one."""
    return next((win for win in table.play.wins if win.position == position), None)


def claim_of(hand: Hand) -> str | None:
    """Return the line that a hand button claims for a hand."""
    return hand.made.get("claim")


def _not_recorded(table: Table, command: Command) -> bool:
    return win_at(table, command.position) is None


def _has_a_button(table: Table, command: Command) -> bool:
    if not table.rules.offers(PROGRESSIVE):
        return False
    lines = table.rules.paytable(PROGRESSIVE).shown_lines()
    return any(line.hand == command.get("hand") for line in lines)


def _press_hand(table: Table, event: Event) -> Table:
    """The same button again takes the press back; both are on record."""
    hand = hand_of(table, event)
    made = {key: value for key, value in hand.made.items() if key != "claim"}
    marks = hand.marks - {"acknowledged", "jackpot_verified"}
    if claim_of(hand) != event.get("hand"):
        made["claim"] = event.get("hand")
    return table.with_hand(hand.position, made=made, marks=marks)


def _may_be_jackpot(table: Table, command: Command) -> bool:
    """The key goes to JPH only while a round is settled; nothing goes on until it is back at RUN."""
    return command.get("to") == RUN or table.phase is Phase.SETTLING


def _has_claim(table: Table, command: Command) -> bool:
    return claim_of(hand_of(table, command)) is not None


def _cards_make_it(table: Table, command: Command) -> bool:
    hand = hand_of(table, command)
    return hand.made.get(PROGRESSIVE) == claim_of(hand) and by_keypad(table, hand)


def _prize(table: Table, hand: Hand) -> Cents:
    line = line_for(table.rules, PROGRESSIVE, area_at(table, hand.position))
    share = line.pays.ratio if table.meter else Fraction(0)
    return share_of(table.meter, share) if table.meter else Cents(0)


def _recorded(table: Table, command: Command, moment: Moment) -> Mapping[str, Any]:
    hand = hand_of(table, command)
    showing = table.meter.showing if table.meter else Cents(0)
    win = JackpotWin(
        hand.position,
        hand.person,
        claim_of(hand) or "",
        _prize(table, hand),
        showing,
        command.by.name,
        moment.now,
    )
    return {"win": win, "monitor": dollars(win.amount)}


def _record(table: Table, event: Event) -> Table:
    table = table.with_play(wins=(*table.play.wins, event.get("win")))
    return table.mark_hand(event.position or 0, "jackpot")


def _turned(table: Table, command: Command, _: Moment) -> Mapping[str, Any]:
    """Back to RUN the meter is adjusted for each recorded win, in the order recorded, exactly once."""
    if command.get("to") != RUN:
        return {"payments": ()}
    made = table.play.table or round_of(table)
    payments, meter = [], table.meter
    for win in table.play.wins:
        if not win.adjusted:
            rest_on(*(table.rules.game.meter.adjusts if table.rules.game.meter else ()))
            hand = table.play.hands[win.position]
            area = area_at(table, win.position)
            moved, meter = settle_progressive(made, area, meter, foul=fouled(hand.race))
            payments += moved
    return paying(payments, table, meter=meter)


def _turn(table: Table, event: Event) -> Table:
    if event.get("to") == JPH:
        return changed(table, marks=table.marks | {"key_jph"})
    table = paid(table, event)
    for win in table.play.wins:
        hand = table.play.hands[win.position]
        table = table.with_hand(win.position, settled=hand.settled | {PROGRESSIVE})
    wins = tuple(changed(win, adjusted=True) for win in table.play.wins)
    return changed(table.with_play(wins=wins), marks=table.marks - {"key_jph"})


def _pay(table: Table, event: Event) -> Table:
    wins = tuple(
        changed(win, paid=event.get("reference")) if win.position == event.position else win
        for win in table.play.wins
    )
    return table.with_play(wins=wins).mark_hand(event.position or 0, "documented")


def payables(table: Table) -> tuple[JackpotWin, ...]:
    """Return the wins recorded and not yet paid."""
    rest_on(*law_of(table, "pay_jackpot", "law"))
    return tuple(win for win in table.play.wins if win.paid is None)


def _page(table: Table, command: Command, _: Moment) -> Mapping[str, Any]:
    """Return the win page, an accounting record of the payout: the same facts as the win record."""
    win = win_at(table, command.position)
    if win is None:
        return {"page": ""}
    lines = [
        f"Win at position {win.position}, {win.person}: {win.hand.replace('_', ' ')}",
        f"Prize {dollars(win.amount)}, meter before {dollars(win.meter_before)}",
        f"Recorded {win.at.isoformat()} by {win.supervisor}",
    ]
    return {"page": "\n".join(lines)}


def _key_in_run(table: Table, _: Command) -> bool:
    return not table.has("key_jph") and all(win.adjusted for win in table.play.wins)


def _all_reconciled(table: Table, _: Command) -> bool:
    """Every seat settled, and no claim open that J-POT has not recorded."""
    hands = table.play.playing()
    open_claim = any(claim_of(hand) and not hand.has("jackpot") for hand in hands)
    return not open_claim and not envy_wagers(table) and all(finished(table, hand) for hand in hands)


def _adjusted(table: Table, command: Command, _: Moment) -> Mapping[str, Any]:
    if table.meter is None:
        return {"meter": None}
    by = units(command.get("amount"))
    meter, moved = adjust(
        table.meter,
        by,
        reason=command.get("reason"),
        first=command.by.name,
        second=command.get("second"),
    )
    return {"meter": meter, "movements": moved}


def _two_people(_: Table, command: Command) -> bool:
    names = {command.by.name.strip().casefold(), command.get("second", "").strip().casefold()} - {""}
    return len(names) > 1 and bool(command.get("reason", "").strip())


def _meter_covers(table: Table, command: Command) -> bool:
    """What this round's wagers put in stays in until the round is over: it may yet be void."""
    meter = table.meter
    if meter is None:
        return False
    put_in = sum(m.units for moved in table.play.taken.values() for m in moved if m.to == meter.terms.account)
    return meter.value + units(command.get("amount")) >= put_in


def _none_to_come(table: Table, _: Command) -> bool:
    """No wager of this round is still to be paid from the meter."""
    if table.phase is Phase.SETTLING:
        return not any(PROGRESSIVE in due(table, hand) for hand in table.play.playing())
    return not table.play.has("coin_in")


def _win_known(table: Table, command: Command) -> bool:
    plays = [table.play, *([table.last] if table.last else [])]
    wanted = command.get("win")
    return wanted is None or any(win.position == wanted for play in plays for win in play.wins)


def _suggest_coin_in(table: Table) -> Iterable[Command]:
    if offered(table, "progressive") and accepted(table) and not table.play.has("coin_in"):
        yield Command("coin_in", dealer_of(table))


def _suggest_remove(table: Table) -> Iterable[Command]:
    if table.play.has("coin_in") and not table.play.has("removed"):
        yield Command("remove_progressive", dealer_of(table), details={"chips": accepted(table)})


def _suggest_claims(table: Table) -> Iterable[Command]:
    for hand in table.play.playing():
        if by_keypad(table, hand) and claim_of(hand) is None:
            details = {"hand": hand.made[PROGRESSIVE]}
            yield Command("press_hand", dealer_of(table), hand.position, details)


def _suggest_floor(step: str, lacks: str, *, after: str | None = None) -> Any:  # noqa: ANN401 - suggests
    def suggest(table: Table) -> Iterable[Command]:
        for hand in table.play.playing():
            ready = claim_of(hand) is not None and (after is None or hand.has(after))
            if ready and not hand.has(lacks):
                yield Command(step, FLOORPERSON, hand.position)

    return suggest


def _suggest_key(table: Table) -> Iterable[Command]:
    waiting = any(h.has("jackpot_verified") and not h.has("jackpot") for h in table.play.playing())
    if waiting and not table.has("key_jph"):
        yield Command("turn_key", FLOORPERSON, details={"to": JPH})
    elif table.has("key_jph") and not waiting:
        yield Command("turn_key", FLOORPERSON, details={"to": RUN})


def _suggest_pay(table: Table) -> Iterable[Command]:
    for win in table.play.wins:
        if win.paid is None and win.adjusted:
            yield Command("pay_jackpot", FLOORPERSON, win.position, {"reference": "hand pay"})


def _suggest_over(table: Table) -> Iterable[Command]:
    if table.play.has("coin_in") and not table.play.has("game_over") and _all_reconciled(table, OVER):
        yield Command("game_over", dealer_of(table))


OVER = Command("", FLOORPERSON)

register(
    Step(
        "coin_in",
        BY_DEALER,
        (Phase.BETTING,),
        (
            sense("the table has no progressive", lambda t, _: offered(t, "progressive")),
            sense("COIN IN is pressed", play_has_not("coin_in")),
        ),
        outcome=_coin_in,
        evolve=_booked,
        suggest=_suggest_coin_in,
    ),
    Step(
        "remove_progressive",
        BY_DEALER,
        (Phase.BETTING,),
        (
            sense("COIN IN is pressed first", play_has("coin_in")),
            sense("the bets are removed", play_has_not("removed")),
            always("agrees", "as many chips as COIN IN accepted wagers: the floor is called", _chips_agree),
        ),
        takes={"chips": int},
        evolve=lambda t, _: t.mark_play("removed"),
        suggest=_suggest_remove,
    ),
    Step(
        "press_hand",
        BY_DEALER,
        SETTLING,
        (
            sense("no progressive wager there", lambda t, c: bool(hand_of(t, c).amount(PROGRESSIVE))),
            sense("the wager is settled", lambda t, c: PROGRESSIVE in due(t, hand_of(t, c))),
            sense("the posted paytable has no such line", _has_a_button),
            always("final", "after J-POT only a manual adjustment takes a win back", _not_recorded),
        ),
        takes={"hand": str},
        needs="hand",
        evolve=_press_hand,
        suggest=_suggest_claims,
    ),
    Step(
        "acknowledge_claim",
        FLOOR,
        SETTLING,
        (sense("no hand button is pressed there", _has_claim),),
        needs="hand",
        evolve=lambda t, e: t.mark_hand(e.position or 0, "acknowledged"),
        suggest=_suggest_floor("acknowledge_claim", "acknowledged"),
    ),
    Step(
        "verify_jackpot",
        FLOOR,
        SETTLING,
        (
            sense("no hand button is pressed there", _has_claim),
            always("cards", "the cards do not make the line that is claimed", _cards_make_it),
        ),
        needs="hand",
        outcome=lambda t, c, _: {"cards": hand_of(t, c).cards, "line": claim_of(hand_of(t, c))},
        evolve=lambda t, e: t.mark_hand(e.position or 0, "jackpot_verified"),
        suggest=_suggest_floor("verify_jackpot", "jackpot_verified", after="acknowledged"),
    ),
    Step(
        "turn_key",
        FLOOR,
        (Phase.SETTLING, Phase.BETTING),
        (
            sense("the key turns to JPH or to RUN", lambda _, c: c.get("to") in (JPH, RUN)),
            sense("there is no win to record", _may_be_jackpot),
        ),
        takes={"to": str},
        outcome=_turned,
        evolve=_turn,
        suggest=_suggest_key,
    ),
    Step(
        "press_jpot",
        FLOOR,
        SETTLING,
        (
            sense("no hand button is pressed there", _has_claim),
            sense("the win is recorded", _not_recorded),
            always("acknowledged", "a supervisor is called first", hand_has("acknowledged")),
            always("verified", "the win is verified first", hand_has("jackpot_verified")),
            always("key", "the key stands at JPH first", lambda t, _: t.has("key_jph")),
        ),
        needs="hand",
        outcome=_recorded,
        evolve=_record,
        suggest=_suggest_floor("press_jpot", "jackpot", after="jackpot_verified"),
    ),
    Step(
        "pay_jackpot",
        FLOOR,
        SETTLING,
        (
            sense("no win is recorded there", lambda t, c: win_at(t, c.position) is not None),
            sense("the win is paid", lambda t, c: win_at(t, c.position) in payables(t)),
        ),
        takes={"reference": str},
        needs="hand",
        evolve=_pay,
        suggest=_suggest_pay,
    ),
    Step(
        "print_win",
        FLOOR,
        SETTLING,
        (sense("no win is recorded there", lambda t, c: win_at(t, c.position) is not None),),
        needs="hand",
        outcome=_page,
    ),
    Step(
        "game_over",
        BY_DEALER,
        SETTLING,
        (
            sense("the system is reset", play_has_not("game_over")),
            always("key", "the key stands at RUN first", _key_in_run),
            always("reconciled", "every seat is settled and no claim open first", _all_reconciled),
        ),
        evolve=lambda t, _: t.mark_play("game_over"),
        suggest=_suggest_over,
    ),
    Step(
        "adjust_meter",
        FLOOR,
        tuple(Phase),
        (
            always("two_people", "a manual adjustment needs a reason and two people", _two_people),
            sense("the meter does not hold so much", _meter_covers),
            sense("a wager of this round is still to be paid from the meter", _none_to_come),
            always("win", "no such win is recorded", _win_known),
        ),
        takes={"amount": Cents, "reason": str, "second": str, "win?": int},
        outcome=_adjusted,
        evolve=lambda t, e: changed(t, meter=e.get("meter")),
    ),
)
