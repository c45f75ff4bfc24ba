"""The jackpot key and J-POT: wins recorded, the meter adjusted for them, paid and printed."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Annotated, Final

from houseway.games import Rules
from houseway.law.citations import UNCITED, join_cites
from houseway.ledger import CAGE
from houseway.meters.meter import share_of
from houseway.money import Cents, dollars
from houseway.rounds.action import Action, AtPosition, OnHand
from houseway.rounds.annotations import Ask, Shown
from houseway.rounds.asks import Asks, FieldRule
from houseway.rounds.choices import KeyPosition
from houseway.rounds.marks import HandMark, TableMark
from houseway.rounds.outcomes import Outcome, Paid
from houseway.rounds.roles import FLOOR, Role
from houseway.rounds.stage import Stage
from houseway.rounds.state import NO_MONEY, Hand, JackpotWin, Phase, Round, Table, changed
from houseway.rounds.step import AnyStep, CitedOutcome, Event, Panel, Proposal, Situation, Step, Words, law_of
from houseway.rounds.steps.common import FLOORPERSON, always, given, hand_has, hand_of, moot, sense
from houseway.rounds.steps.money import (
    area_at,
    keep_payments,
    law_of_payments,
    round_of,
    standing_payments,
    undo,
)
from houseway.rounds.steps.payments import fouled
from houseway.rounds.steps.turns import SETTLING
from houseway.settlement import Payment
from houseway.settlement.house import settle_progressive
from houseway.settlement.model import PROGRESSIVE, Spot
from houseway.settlement.sides import line_for


class TurnKey(Action, frozen=True, tag="turn_key"):
    """The jackpot key is turned."""

    to: Annotated[KeyPosition, Ask("Turned to")]


class PressJpot(OnHand, frozen=True, tag="press_jpot"):
    """J-POT records a win."""


class PayJackpot(OnHand, frozen=True, tag="pay_jackpot"):
    """A recorded win is paid."""

    reference: Annotated[str, Ask("Reference")]


class PrintWin(OnHand, frozen=True, tag="print_win"):
    """The page of a recorded win is printed."""


class WinRecorded(Outcome, frozen=True, tag="win_recorded"):
    """The win that J-POT recorded."""

    win: Annotated[JackpotWin, Shown("monitor")]


class WinPrinted(Outcome, frozen=True, tag="win_printed"):
    """The page of a recorded win."""

    page: Annotated[str, Shown("page")]


# --- claims -------------------------------------------------------------------------------------------


def win_at(table: Table, position: int) -> JackpotWin | None:
    """Return the win recorded last for a position in this round, if J-POT recorded one."""
    return last_win(table.round, position)


def last_win(this_round: Round, position: int | None) -> JackpotWin | None:
    """Return the win that J-POT recorded last for a position: those before it are backed out."""
    return next((win for win in reversed(this_round.wins) if win.position == position), None)


def is_recorded(s: Situation, action: OnHand) -> bool:
    """Whether J-POT has recorded a win there."""
    return win_at(s.table, action.position) is not None


def not_recorded(s: Situation, action: AtPosition) -> bool:
    """Whether no recorded win stands there: none was, or it is backed out and the right one may follow."""
    win = win_at(s.table, action.position)
    return win is None or win.backed_out is not None


def is_backed_out(table: Table, position: int) -> bool:
    """Whether the award recorded last for a position was backed out."""
    win = win_at(table, position)
    return win is not None and win.backed_out is not None


def has_claim(s: Situation, action: OnHand) -> bool:
    """Whether a hand button is pressed for the hand."""
    return hand_of(s, action).claim is not None


# --- the key and J-POT --------------------------------------------------------------------------------


def _prize(s: Situation, hand: Hand) -> Cents:
    line, meter = line_for(s.rules, PROGRESSIVE, area_at(s, hand.position)), s.meter
    return share_of(meter, line.pays.ratio) if meter else NO_MONEY


def _decide_record(s: Situation, action: PressJpot) -> WinRecorded:
    hand, meter = hand_of(s, action), s.meter
    return WinRecorded(
        JackpotWin(
            position=hand.position,
            person=hand.person,
            hand=hand.claim or "",
            amount=_prize(s, hand),
            meter_before=meter.showing if meter else NO_MONEY,
            supervisor=s.by.id,
            at=s.moment.now,
        )
    )


def _record(table: Table, event: Event[PressJpot, WinRecorded]) -> Table:
    table = table.with_round(wins=(*table.round.wins, event.outcome.win))
    return table.mark_hand(event.action.position, HandMark.JACKPOT)


def _may_be_jackpot(s: Situation, action: TurnKey) -> bool:
    """The key goes to JPH only while a round is settled; nothing goes on until it is back at RUN."""
    return action.to is KeyPosition.RUN or s.table.phase is Phase.SETTLING


def _decide_turn(s: Situation, action: TurnKey) -> CitedOutcome[Paid]:
    """Back to RUN the meter is adjusted for each recorded win, in the order recorded, exactly once.

    A prize that was paid by hand before was the cage's until now.
    """
    law = law_of(s.rules, "turn_key", "run" if action.to is KeyPosition.RUN else "jackpot")
    if action.to is not KeyPosition.RUN:
        return CitedOutcome(Paid(), law)
    showdown, meter = round_of(s), s.meter
    payments: list[Payment] = []
    for win in s.round.wins:
        if not win.adjusted and win.backed_out is None:
            law += s.rules.game.meter.adjusts if s.rules.game.meter else UNCITED
            foul = fouled(s.round.hands[win.position].race)
            area = area_at(s, win.position)
            moved, meter = settle_progressive(showdown, area, meter, foul=foul, prize=win.amount)
            payments += [undo(p, "the meter pays it") for p in paid_by_hand(s.round, win)]
            payments += moved
    done = Paid(payments=tuple(payments), meter=s.moved(meter, payments))
    return CitedOutcome(done, join_cites(law, law_of_payments(payments)))


def _turn(table: Table, event: Event[TurnKey, Paid]) -> Table:
    if event.action.to is KeyPosition.JPH:
        return changed(table, marks=table.marks | {TableMark.KEY_JPH})
    table = keep_payments(table, event)
    for win in table.round.wins:
        hand = table.round.hands[win.position]
        table = table.with_hand(win.position, settled=hand.settled | {PROGRESSIVE})
    wins = tuple(changed(win, adjusted=True) for win in table.round.wins)
    return changed(table.with_round(wins=wins), marks=table.marks - {TableMark.KEY_JPH})


# --- recorded wins ------------------------------------------------------------------------------------


def _unpaid(s: Situation, action: PayJackpot) -> bool:
    win = win_at(s.table, action.position)
    return win is None or win.paid is None


def _stands(s: Situation, action: PayJackpot) -> bool:
    win = win_at(s.table, action.position)
    return win is None or win.backed_out is None


def _decide_payment(s: Situation, action: PayJackpot) -> Paid | None:
    """Pay a prize out of the cage while the meter has not paid it: the key is not back at RUN."""
    win = win_at(s.table, action.position)
    if win is None or win.adjusted:
        return None
    return Paid(
        payments=(
            by_hand(win, f"paid by hand under {action.reference}", law_of(s.rules, "pay_jackpot", "law")),
        )
    )


def by_hand(win: JackpotWin, reason: str, law: Iterable[str]) -> Payment:
    """Return the payment of a prize out of the cage."""
    spot = Spot(win.position, win.person, PROGRESSIVE, NO_MONEY)
    (payment,) = spot.pay(win.amount, CAGE, reason, law)
    return payment


def paid_by_hand(this_round: Round, win: JackpotWin) -> list[Payment]:
    """Return the payment by which the cage has paid a win that the meter has not made good."""
    if win.paid is None or win.adjusted:
        return []
    return [p for p in standing_payments(this_round.payments, win.position) if p.source == CAGE][-1:]


def _pay(table: Table, event: Event[PayJackpot, Paid | None]) -> Table:
    at, reference = event.action.position, event.action.reference
    meant = win_at(table, at)
    wins = tuple(changed(win, paid=reference) if win is meant else win for win in table.round.wins)
    if event.outcome is not None:
        table = keep_payments(table, event)
    return table.with_round(wins=wins).mark_hand(at, HandMark.DOCUMENTED)


def _decide_print(s: Situation, action: PrintWin) -> WinPrinted:
    """Return the win page, an accounting record of the payout: the same facts as the win record."""
    win = win_at(s.table, action.position)
    if win is None:
        return WinPrinted("")
    lines = [
        f"Win at position {win.position}, {win.person}: {win.hand.replace('_', ' ')}",
        f"Prize {dollars(win.amount)}, meter before {dollars(win.meter_before)}",
        f"Recorded {win.at.isoformat()} by {win.supervisor}",
    ]
    if win.backed_out is not None:
        lines.append(f"Backed out: {win.backed_out}")
    return WinPrinted("\n".join(lines))


# --- what is due --------------------------------------------------------------------------------------


def suggest_floor(
    action: Callable[[int], Action], lacks: HandMark, *, after: HandMark | None = None
) -> Callable[[Rules, Table], Iterable[Proposal]]:
    """Suggest that the floor does something for every claim that lacks a mark and has the one before it."""

    def suggest(_: Rules, table: Table) -> Iterable[Proposal]:
        for hand in table.round.playing():
            ready = hand.claim is not None and (after is None or hand.has(after))
            if ready and not hand.has(lacks):
                yield Proposal(FLOORPERSON, action(hand.position))

    return suggest


def _suggest_key(_: Rules, table: Table) -> Iterable[Proposal]:
    waiting = any(
        hand.has(HandMark.JACKPOT_VERIFIED) and not hand.has(HandMark.JACKPOT)
        for hand in table.round.playing()
    )
    if waiting and not table.has(TableMark.KEY_JPH):
        yield Proposal(FLOORPERSON, TurnKey(KeyPosition.JPH))
    elif table.has(TableMark.KEY_JPH) and not waiting:
        yield Proposal(FLOORPERSON, TurnKey(KeyPosition.RUN))


def _suggest_pay(_: Rules, table: Table) -> Iterable[Proposal]:
    for win in table.round.wins:
        if win.paid is None and win.adjusted and win.backed_out is None:
            yield Proposal(FLOORPERSON, PayJackpot(win.position, "hand pay"))


# --- what its fields take -----------------------------------------------------------------------------


def _asks_turn(_: Rules, table: Table, __: int) -> Asks:
    return {"to": FieldRule(default="RUN" if table.has(TableMark.KEY_JPH) else "JPH")}


STEPS: Final[tuple[AnyStep, ...]] = (
    Step(
        action=TurnKey,
        stage=Stage.SETTLE,
        by=(Role.FLOORPERSON, Role.MANAGER, Role.KEY_HOLDER),
        phases=(Phase.SETTLING, Phase.BETTING),
        words=Words(
            "Turn the key",
            follows="At JPH wins can be recorded, and back at RUN the meter is adjusted for those recorded.",
        ),
        guards=(sense("there is no win to record", _may_be_jackpot, "to"),),
        outcome=_decide_turn,
        evolve=_turn,
        suggest=_suggest_key,
        asks=_asks_turn,
        panels=(Panel.JACKPOT,),
    ),
    Step(
        action=PressJpot,
        stage=Stage.SETTLE,
        by=FLOOR,
        phases=SETTLING,
        words=Words(
            "Press J-POT",
            follows=(
                "The win is recorded with its amount, and the meter follows when the key goes back to RUN."
            ),
        ),
        guards=(
            moot("no hand button is pressed there", has_claim),
            moot("the win is recorded already", not_recorded),
            always("acknowledged", "a supervisor is called first", hand_has(HandMark.ACKNOWLEDGED)),
            always("verified", "the win is verified first", hand_has(HandMark.JACKPOT_VERIFIED)),
            always("key", "the key stands at JPH first", lambda s, _: s.table.has(TableMark.KEY_JPH)),
        ),
        outcome=_decide_record,
        evolve=_record,
        suggest=suggest_floor(PressJpot, HandMark.JACKPOT, after=HandMark.JACKPOT_VERIFIED),
        panels=(Panel.JACKPOT,),
    ),
    Step(
        action=PayJackpot,
        stage=Stage.SETTLE,
        by=FLOOR,
        phases=SETTLING,
        words=Words(
            "Pay the jackpot",
            follows="The recorded win is marked as paid under the reference given.",
        ),
        guards=(
            moot("no win is recorded there", is_recorded),
            moot("the win is paid already", _unpaid),
            moot("the award is backed out", _stands),
            sense(
                "the reference of the payment is put on record",
                lambda _, action: given(action.reference),
                "reference",
            ),
        ),
        outcome=_decide_payment,
        evolve=_pay,
        suggest=_suggest_pay,
        panels=(Panel.JACKPOT,),
    ),
    Step(
        action=PrintWin,
        by=FLOOR,
        phases=SETTLING,
        words=Words(
            "Print the win",
            follows="The page of the recorded win is printed, and nothing else changes.",
        ),
        guards=(moot("no win is recorded there", is_recorded),),
        outcome=_decide_print,
        panels=(Panel.JACKPOT,),
    ),
)
