"""Where play meets settlement: the round as settlement sees it, and its payments kept in the state."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from msgspec.structs import replace

from houseway.games import Rules
from houseway.ledger import SEED, AccountKind, Units
from houseway.meters import Meter
from houseway.money import Cents
from houseway.rounds.outcomes import Moves
from houseway.rounds.state import NO_MONEY, Hand, Table, changed
from houseway.rounds.step import AnEvent, CitedOutcome, Clauses, O, Situation
from houseway.settlement import Area, Banker, Bettor, Payment, PaymentKind, Showdown
from houseway.settlement.model import PROGRESSIVE, Spot

_NOBODY_PLAYS: Final = "wager back: the seated player takes no part"


def area_of(hand: Hand) -> Area:
    """Return a hand as settlement sees it."""
    bettor = Bettor(hand.person, hand.wagers)
    return Area(
        hand.position,
        bettor,
        hand.cards,
        hand.setting,
        hand.status,
        hand.void_law,
        hand.behind,
        hand.made,
    )


def round_of(s: Situation, hand: Hand | None = None) -> Showdown:
    """Return the round as settlement sees it; with one hand and no meter, if no more is looked at."""
    if hand is None:
        return showdown_of(s.rules, s.table, s.round.active(), s.meter)
    return showdown_of(s.rules, s.table, (hand,))


def showdown_of(rules: Rules, table: Table, hands: Iterable[Hand], meter: Meter | None = None) -> Showdown:
    """Return some hands of the round as settlement sees them."""
    this_round = table.round
    return Showdown(
        rules,
        this_round.dealer_cards,
        this_round.dealer_setting or (),
        tuple([area_of(hand) for hand in hands]),
        meter,
        banker=banker_of(table),
        action=this_round.action,
        void=this_round.void.reason if this_round.void else None,
        void_law=this_round.void.clauses if this_round.void else (),
    )


def banker_of(table: Table) -> Banker | None:
    """Return the player-dealer and what they put up, where a player banks."""
    seat = table.seats.get(table.round.bank_seat or 0)
    return Banker(seat.person, table.round.stake) if seat else None


def area_at(s: Situation, position: int) -> Area:
    """Return the hand at a position as settlement sees it."""
    return area_of(s.round.hands[position])


def move_stakes(before: Hand | None, after: Hand | None) -> tuple[Payment, ...]:
    """Return how stakes move when the wagers of a hand change: taken back, then placed again."""
    old, new = _spots(before), _spots(after)
    back = [payment for spot in old if spot not in new for payment in spot.take_back("wager taken back")]
    down = [payment for spot in new if spot not in old for payment in spot.place()]
    return (*back, *down)


def return_stakes(hand: Hand | None) -> tuple[Payment, ...]:
    """Return the stakes of a hand that no one plays: they go back, to those behind it too."""
    return tuple(
        payment if hand is None or payment.person == hand.person else replace(payment, reason=_NOBODY_PLAYS)
        for payment in move_stakes(hand, None)
    )


def is_more(wagers: Mapping[str, Cents], before: Mapping[str, Cents]) -> bool:
    """Whether any wager is larger than what lies there: to take back or to leave it is no new play."""
    return any(amount > before.get(wager, NO_MONEY) for wager, amount in wagers.items())


def wagers_behind(hand: Hand | None) -> dict[str, Mapping[str, Cents]]:
    """Return the wagers of those who stand behind a hand, by person."""
    return {bettor.person: bettor.wagers for bettor in hand.behind} if hand else {}


def _spots(hand: Hand | None) -> list[Spot]:
    if hand is None:
        return []
    placed = [(hand.person, hand.wagers), *[(bettor.person, bettor.wagers) for bettor in hand.behind]]
    return [
        Spot(hand.position, who, w, amount) for who, wagers in placed for w, amount in sorted(wagers.items())
    ]


def move_bank(banker: Banker | None, after: Banker | None, position: int) -> tuple[Payment, ...]:
    """Return how the bank's stake moves when it is put up, changed or taken back."""
    moved = []
    for bank, reason in ((banker, "bank taken back"), (after, "bank put up")):
        if bank is not None and bank.stake:
            spot = Spot(position, bank.person, "bank", bank.stake)
            ((payment),) = spot.place(reason)
            payment = replace(payment, to=bank.account)
            if bank is banker:
                payment = replace(payment, source=payment.to, to=payment.source)
            moved.append(payment)
    return tuple(moved)


def keep_payments(table: Table, event: AnEvent) -> Table:
    """Keep an event's payments."""
    return keep_settled_hand(table, event, None)


def keep_settled_hand(table: Table, event: AnEvent, hand: Hand | None) -> Table:
    """Keep an event's payments and, with them, a hand as it is afterwards."""
    this_round = table.round
    hands = this_round.hands if hand is None else {**this_round.hands, hand.position: hand}
    this_round = changed(this_round, payments=(*this_round.payments, *event.outcome.payments), hands=hands)
    return changed(table, round=this_round)


def standing_payments(payments: Iterable[Payment], position: int) -> list[Payment]:
    """Return a position's payments that nothing has taken back."""
    return standing(payment for payment in payments if payment.position == position)


def standing(payments: Iterable[Payment]) -> list[Payment]:
    """Return the payments that nothing has taken back."""
    left: list[Payment] = []
    for payment in payments:
        if payment.kind is not PaymentKind.REVERSAL:
            left.append(payment)
            continue
        undone = (payment.position, payment.units, payment.to, payment.source, payment.wager)
        same = ((p.position, p.units, p.source, p.to, p.wager) for p in left)
        taken_back = next((place for place, key in enumerate(same) if key == undone), None)
        if taken_back is not None:
            del left[taken_back]
    return left


def taken_before(payment: Payment) -> bool:
    """Whether a payment was taken before the deal: a fee, or a progressive wager and its contribution."""
    if payment.kind is PaymentKind.FEE:
        return True
    return payment.wager == PROGRESSIVE and payment.kind in (PaymentKind.COLLECT, PaymentKind.CONTRIBUTION)


def undo(payment: Payment, why: str) -> Payment:
    """Return the payment that takes another one back."""
    reason = f"undone, {why}: {payment.reason}"
    return replace(payment, kind=PaymentKind.REVERSAL, source=payment.to, to=payment.source, reason=reason)


def undo_all(settled: Sequence[Payment], why: str, meter: Meter | None) -> tuple[list[Payment], Meter | None]:
    """Return what takes payments back, the last one first, and the meter as that leaves it."""
    back = [undo(payment, why) for payment in reversed(settled)]
    if meter is None:
        return back, None
    value, reserve = meter.value, meter.reserve
    for payment in settled:
        for account, sign in ((payment.source, 1), (payment.to, -1)):
            value += sign * payment.units if account.kind is AccountKind.METER else 0
            reserve += sign * payment.units if account.kind is AccountKind.RESERVE else 0
    back = list(_make_up(back, AccountKind.METER, max(0, -value)))
    back = list(_make_up(back, AccountKind.RESERVE, max(0, -reserve)))
    return back, replace(meter, value=max(0, value), reserve=max(0, reserve))


def _make_up(back: Iterable[Payment], kind: AccountKind, lacking: Units) -> Iterator[Payment]:
    """Let the house pay what a meter lacks to give back: a winner at another table has taken it since."""
    for payment in back:
        part = min(lacking, payment.units) if payment.source.kind is kind else 0
        lacking -= part
        if part < payment.units:
            yield replace(payment, units=payment.units - part)
        if part and payment.to != SEED:  # what the house would give itself does not move
            yield replace(payment, units=part, source=SEED)


def cite_payments(outcome: O) -> CitedOutcome[O]:
    """Return an outcome with the clauses of its payments."""
    payments = outcome.payments if isinstance(outcome, Moves) else ()
    return CitedOutcome(outcome, law_of_payments(payments))


def law_of_payments(payments: Iterable[Payment]) -> Clauses:
    """Return every clause by which something is paid, each once."""
    return tuple(dict.fromkeys([clause for payment in payments for clause in payment.clauses]))
