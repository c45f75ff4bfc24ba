"""The progressive's keypad at a Washington table: COIN IN, hand buttons, the key, J-POT, Game Over."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Final

from houseway.games import Rules
from houseway.law.claims import rest_on
from houseway.meters.meter import share_of
from houseway.money import Cents, dollars
from houseway.rounds.actions import (
    AcknowledgeClaim,
    Action,
    CoinIn,
    GameOver,
    KeyPosition,
    OnHand,
    PayJackpot,
    PressHand,
    PressJpot,
    PrintWin,
    RemoveProgressive,
    TurnKey,
    VerifyJackpot,
)
from houseway.rounds.marks import HandMark, RoundMark, TableMark
from houseway.rounds.outcomes import (
    JackpotVerified,
    Paid,
    ProgressiveTaken,
    WinPrinted,
    WinRecorded,
)
from houseway.rounds.state import NO_MONEY, Hand, JackpotWin, Phase, Table, changed
from houseway.rounds.step import AnyStep, CitedOutcome, Event, Proposal, Situation, Step, law_of
from houseway.rounds.steps.chips import accepted, chips_agree, offered, taking
from houseway.rounds.steps.common import (
    FLOORPERSON,
    always,
    dealer_of,
    hand_has,
    hand_of,
    marks_hand,
    marks_round,
    moot,
    round_has,
    round_has_not,
    sense,
)
from houseway.rounds.steps.money import area_at, law_of_payments, paid, round_of
from houseway.rounds.steps.payments import fouled
from houseway.rounds.steps.turns import by_keypad, due, envy_wagers, finished
from houseway.settlement import Payment
from houseway.settlement.house import settle_progressive
from houseway.settlement.model import PROGRESSIVE
from houseway.settlement.sides import line_for

SETTLING: Final = (Phase.SETTLING,)


# --- COIN IN ------------------------------------------------------------------------------------------


def lights(rules: Rules, table: Table) -> Mapping[int, str]:
    """Return what each sensor shows: a chip detected, or its wager accepted by COIN IN until Game Over."""
    if table.round.has(RoundMark.GAME_OVER):
        return {}
    key = "accepted" if table.round.has(RoundMark.COIN_IN) else "detected"
    rest_on(*law_of(rules, "coin_in", key))
    return {hand.position: key for hand in table.round.active() if hand.amount(PROGRESSIVE)}


def _booked(table: Table, event: Event[CoinIn, ProgressiveTaken]) -> Table:
    done = event.outcome
    before = done.meter.before if done.meter else None
    table = paid(table, event).with_round(taken=done.taken, meter_before=before)
    return table.mark_round(RoundMark.COIN_IN, RoundMark.LOCKED, RoundMark.COUNTED)


# --- claims -------------------------------------------------------------------------------------------


def win_at(table: Table, position: int) -> JackpotWin | None:
    """Return the win recorded for a position in this round, if J-POT recorded one."""
    return next((win for win in table.round.wins if win.position == position), None)


def _recorded(s: Situation, action: OnHand) -> bool:
    return win_at(s.table, action.position) is not None


def _not_recorded(s: Situation, action: OnHand) -> bool:
    return not _recorded(s, action)


def _has_a_button(s: Situation, action: PressHand) -> bool:
    if not s.rules.offers(PROGRESSIVE):
        return False
    return any(line.hand == action.hand for line in s.rules.paytable(PROGRESSIVE).shown_lines())


def _press_hand(table: Table, event: Event[PressHand, None]) -> Table:
    """The same button again takes the press back; both are on record."""
    hand, pressed = table.round.hands[event.action.position], event.action.hand
    marks = hand.marks - {HandMark.ACKNOWLEDGED, HandMark.JACKPOT_VERIFIED}
    claim = None if hand.claim == pressed else pressed
    return table.with_hand(hand.position, claim=claim, marks=marks)


def _has_claim(s: Situation, action: OnHand) -> bool:
    return hand_of(s, action).claim is not None


def _cards_make_it(s: Situation, action: VerifyJackpot) -> bool:
    hand = hand_of(s, action)
    return hand.made.get(PROGRESSIVE) == hand.claim


def _shares_meter(s: Situation, action: VerifyJackpot) -> bool:
    return not _cards_make_it(s, action) or by_keypad(s.rules, hand_of(s, action))


def _verifying(s: Situation, action: VerifyJackpot) -> JackpotVerified:
    hand = hand_of(s, action)
    return JackpotVerified(hand.cards, hand.claim or "")


# --- the key and J-POT --------------------------------------------------------------------------------


def _prize(s: Situation, hand: Hand) -> Cents:
    line, meter = line_for(s.rules, PROGRESSIVE, area_at(s, hand.position)), s.meter
    return share_of(meter, line.pays.ratio) if meter else NO_MONEY


def _recording(s: Situation, action: PressJpot) -> WinRecorded:
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


def _turning(s: Situation, action: TurnKey) -> CitedOutcome[Paid]:
    """Back to RUN the meter is adjusted for each recorded win, in the order recorded, exactly once."""
    law = law_of(s.rules, "turn_key", "run" if action.to is KeyPosition.RUN else "jackpot")
    rest_on(*law)
    if action.to is not KeyPosition.RUN:
        return CitedOutcome(Paid(), law)
    made, meter = round_of(s), s.meter
    payments: list[Payment] = []
    for win in s.round.wins:
        if not win.adjusted and win.backed_out is None:
            adjusts = s.rules.game.meter.adjusts if s.rules.game.meter else ()
            rest_on(*adjusts)
            law = (*law, *adjusts)
            foul = fouled(s.round.hands[win.position].race)
            area = area_at(s, win.position)
            moved, meter = settle_progressive(made, area, meter, foul=foul, prize=win.amount)
            payments += moved
    done = Paid(payments=tuple(payments), meter=s.moved(meter, payments))
    return CitedOutcome(done, tuple(dict.fromkeys((*law, *law_of_payments(payments)))))


def _turn(table: Table, event: Event[TurnKey, Paid]) -> Table:
    if event.action.to is KeyPosition.JPH:
        return changed(table, marks=table.marks | {TableMark.KEY_JPH})
    table = paid(table, event)
    for win in table.round.wins:
        hand = table.round.hands[win.position]
        table = table.with_hand(win.position, settled=hand.settled | {PROGRESSIVE})
    wins = tuple(changed(win, adjusted=True) for win in table.round.wins)
    return changed(table.with_round(wins=wins), marks=table.marks - {TableMark.KEY_JPH})


# --- recorded wins ------------------------------------------------------------------------------------


def payables(rules: Rules, table: Table) -> tuple[JackpotWin, ...]:
    """Return the wins recorded and not yet paid: those backed out are not to be."""
    rest_on(*law_of(rules, "pay_jackpot", "law"))
    return tuple(win for win in table.round.wins if win.paid is None and win.backed_out is None)


def _unpaid(s: Situation, action: PayJackpot) -> bool:
    win = win_at(s.table, action.position)
    return win is None or win.paid is None


def _stands(s: Situation, action: PayJackpot) -> bool:
    win = win_at(s.table, action.position)
    return win is None or win.backed_out is None


def _pay(table: Table, event: Event[PayJackpot, None]) -> Table:
    at, reference = event.action.position, event.action.reference
    wins = tuple(changed(win, paid=reference) if win.position == at else win for win in table.round.wins)
    return table.with_round(wins=wins).mark_hand(at, HandMark.DOCUMENTED)


def _printing(s: Situation, action: PrintWin) -> WinPrinted:
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


# --- Game Over ----------------------------------------------------------------------------------------


def _key_in_run(s: Situation, _: GameOver) -> bool:
    return not s.table.has(TableMark.KEY_JPH) and all(win.adjusted for win in s.round.wins)


def _all_reconciled(rules: Rules, table: Table) -> bool:
    """Every seat settled, and no claim open that J-POT has not recorded."""
    hands = table.round.playing()
    if any(hand.claim and not hand.has(HandMark.JACKPOT) for hand in hands):
        return False
    return not envy_wagers(rules, table) and all(finished(rules, table, hand) for hand in hands)


# --- what is due --------------------------------------------------------------------------------------


def _suggest_coin_in(rules: Rules, table: Table) -> Iterable[Proposal]:
    if offered(rules, PROGRESSIVE) and accepted(table) and not table.round.has(RoundMark.COIN_IN):
        yield Proposal(dealer_of(table), CoinIn())


def _suggest_remove(_: Rules, table: Table) -> Iterable[Proposal]:
    if table.round.has(RoundMark.COIN_IN) and not table.round.has(RoundMark.CHIPS_REMOVED):
        yield Proposal(dealer_of(table), RemoveProgressive(accepted(table)))


def _suggest_claims(rules: Rules, table: Table) -> Iterable[Proposal]:
    for hand in table.round.playing():
        if by_keypad(rules, hand) and hand.claim is None:
            yield Proposal(dealer_of(table), PressHand(hand.position, hand.made[PROGRESSIVE]))


def _suggest_floor(
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


def _suggest_over(rules: Rules, table: Table) -> Iterable[Proposal]:
    pressed = table.round.has(RoundMark.COIN_IN) and not table.round.has(RoundMark.GAME_OVER)
    if pressed and _all_reconciled(rules, table):
        yield Proposal(dealer_of(table), GameOver())


STEPS: Final[tuple[AnyStep, ...]] = (
    Step(
        action=CoinIn,
        phases=(Phase.BETTING,),
        guards=(
            moot("the table has no progressive", lambda s, _: offered(s.rules, PROGRESSIVE)),
            moot("COIN IN is pressed already", round_has_not(RoundMark.COIN_IN)),
        ),
        outcome=taking,
        evolve=_booked,
        suggest=_suggest_coin_in,
    ),
    Step(
        action=RemoveProgressive,
        phases=(Phase.BETTING,),
        guards=(
            moot("COIN IN is pressed first", round_has(RoundMark.COIN_IN)),
            moot("the bets are removed already", round_has_not(RoundMark.CHIPS_REMOVED)),
            always(
                "agrees",
                "as many chips as COIN IN accepted wagers: the floor is called",
                chips_agree,
                "chips",
            ),
        ),
        evolve=marks_round(RoundMark.CHIPS_REMOVED),
        suggest=_suggest_remove,
    ),
    Step(
        action=PressHand,
        phases=SETTLING,
        guards=(
            moot(
                "no progressive wager there", lambda s, action: bool(hand_of(s, action).amount(PROGRESSIVE))
            ),
            moot(
                "the wager is settled already",
                lambda s, action: PROGRESSIVE in due(s.rules, hand_of(s, action)),
            ),
            sense("the posted paytable has no such line", _has_a_button, "hand"),
            always("final", "after J-POT only a manual adjustment takes a win back", _not_recorded),
        ),
        evolve=_press_hand,
        suggest=_suggest_claims,
    ),
    Step(
        action=AcknowledgeClaim,
        phases=SETTLING,
        guards=(moot("no hand button is pressed there", _has_claim),),
        evolve=marks_hand(HandMark.ACKNOWLEDGED),
        suggest=_suggest_floor(AcknowledgeClaim, HandMark.ACKNOWLEDGED),
    ),
    Step(
        action=VerifyJackpot,
        phases=SETTLING,
        guards=(
            moot("no hand button is pressed there", _has_claim),
            always("cards", "the cards do not make the line that is claimed", _cards_make_it),
            always(
                "percentage", "the line is no share of the meter: it is paid without the key", _shares_meter
            ),
        ),
        outcome=_verifying,
        evolve=marks_hand(HandMark.JACKPOT_VERIFIED),
        suggest=_suggest_floor(VerifyJackpot, HandMark.JACKPOT_VERIFIED, after=HandMark.ACKNOWLEDGED),
    ),
    Step(
        action=TurnKey,
        phases=(Phase.SETTLING, Phase.BETTING),
        guards=(sense("there is no win to record", _may_be_jackpot, "to"),),
        outcome=_turning,
        evolve=_turn,
        suggest=_suggest_key,
    ),
    Step(
        action=PressJpot,
        phases=SETTLING,
        guards=(
            moot("no hand button is pressed there", _has_claim),
            moot("the win is recorded already", _not_recorded),
            always("acknowledged", "a supervisor is called first", hand_has(HandMark.ACKNOWLEDGED)),
            always("verified", "the win is verified first", hand_has(HandMark.JACKPOT_VERIFIED)),
            always("key", "the key stands at JPH first", lambda s, _: s.table.has(TableMark.KEY_JPH)),
        ),
        outcome=_recording,
        evolve=_record,
        suggest=_suggest_floor(PressJpot, HandMark.JACKPOT, after=HandMark.JACKPOT_VERIFIED),
    ),
    Step(
        action=PayJackpot,
        phases=SETTLING,
        guards=(
            moot("no win is recorded there", _recorded),
            moot("the win is paid already", _unpaid),
            moot("the award is backed out", _stands),
        ),
        evolve=_pay,
        suggest=_suggest_pay,
    ),
    Step(
        action=PrintWin,
        phases=SETTLING,
        guards=(moot("no win is recorded there", _recorded),),
        outcome=_printing,
    ),
    Step(
        action=GameOver,
        phases=SETTLING,
        guards=(
            moot("the system is reset already", round_has_not(RoundMark.GAME_OVER)),
            always("key", "the key stands at RUN first", _key_in_run),
            always(
                "reconciled",
                "every seat is settled and no claim open first",
                lambda s, _: _all_reconciled(s.rules, s.table),
            ),
        ),
        evolve=marks_round(RoundMark.GAME_OVER),
        suggest=_suggest_over,
    ),
)
