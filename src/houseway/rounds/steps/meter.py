"""A meter adjusted by hand: two people and a reason; or an award backed out that was recorded in error."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated, Final

from msgspec.structs import replace

from houseway.games import Rules
from houseway.ledger import CAGE, AccountKind, units
from houseway.meters import Meter, adjust, leaves_seed
from houseway.money import Cents
from houseway.rounds.action import Action, Position
from houseway.rounds.annotations import Ask
from houseway.rounds.asks import NOT_ASKED, Asks, FieldRule
from houseway.rounds.marks import HandMark, RoundMark
from houseway.rounds.outcomes import Moves
from houseway.rounds.roles import FLOOR
from houseway.rounds.state import JackpotWin, Phase, Round, Table, changed
from houseway.rounds.step import AnyStep, Event, Panel, Situation, Step, Words, law_of
from houseway.rounds.steps.common import always, given, sense
from houseway.rounds.steps.jackpot import by_hand, last_win, paid_by_hand
from houseway.rounds.steps.money import keep_payments, standing_payments, undo
from houseway.rounds.steps.turns import due
from houseway.settlement import Payment, PaymentKind
from houseway.settlement.model import PROGRESSIVE


class AdjustMeter(Action, frozen=True, tag="adjust_meter"):
    """Two people adjust a meter by hand, for a recorded win where there is one."""

    amount: Annotated[Cents, Ask("Amount")]
    reason: Annotated[str, Ask("Reason")]
    second: Annotated[str, Ask("Second person")]
    win: Annotated[Position | None, Ask("For the win at position")] = None


class AdjustmentMoves(Moves, frozen=True, tag="meter_adjusted"):
    """A meter that was adjusted by hand."""


_OF_CLAIM: Final = frozenset({HandMark.ACKNOWLEDGED, HandMark.JACKPOT_VERIFIED, HandMark.JACKPOT})
"""What is marked on a hand from the claim of a win to its record."""


# --- the win that is backed out -----------------------------------------------------------------------


def _round_of_win(table: Table, at: int | None) -> Round | None:
    """Return the round whose recorded win at a position is meant: this one, or else the one before."""
    plays = (table.round, table.last)
    return next((play for play in plays if play and any(w.position == at for w in play.wins)), None)


def _win_to_back_out(s: Situation, action: AdjustMeter) -> JackpotWin | None:
    """Return the win that an adjustment backs out; nothing where the meter alone is adjusted."""
    played = _round_of_win(s.table, action.win)
    return last_win(played, action.win) if played else None


def wins_to_back_out(table: Table) -> tuple[int, ...]:
    """Return the positions whose recorded win can still be backed out."""
    plays = [play for play in (table.last, table.round) if play]
    meant = {win.position: (play, win) for play in plays for win in play.wins}
    positions = (at for at, (play, win) in meant.items() if play.void is None and win.backed_out is None)
    return tuple(sorted(positions))


def _award(s: Situation, action: AdjustMeter) -> list[Payment]:
    """Return all that the key moved for a win when it went back to RUN, a reseed and the reserve too."""
    played, awarded = _round_of_win(s.table, action.win), (PaymentKind.PAY, PaymentKind.SEED)
    if played is None or action.win is None:
        return []
    moved = standing_payments(played.payments, action.win)
    return [p for p in moved if p.wager == PROGRESSIVE and p.kind in awarded and p.source != CAGE]


def _put_back(award: Iterable[Payment], kind: AccountKind) -> int:
    """Return what the meter or its reserve gets back when an award is backed out."""
    signed = ((payment.units, payment.source, payment.to) for payment in award)
    return sum(amount * ((source.kind is kind) - (to.kind is kind)) for amount, source, to in signed)


def _back_out(s: Situation, action: AdjustMeter, meter: Meter) -> AdjustmentMoves:
    """Take an award back, the prize that was paid by hand too unless the house bears it.

    Before the key has gone back to RUN the meter has paid nothing, and does not move.
    """
    award, why = _award(s, action), f"backed out by {s.by.id} and {action.second}, {action.reason}"
    law = law_of(s.rules, "adjust_meter", "law")
    back = tuple(replace(undo(payment, why), clauses=law) for payment in reversed(award))
    value = meter.value + _put_back(award, AccountKind.METER)
    reserve = meter.reserve + _put_back(award, AccountKind.RESERVE)
    moved = s.moved(replace(meter, value=value, reserve=reserve), back)
    return AdjustmentMoves(payments=(*back, *_resolve_prize(s, action, why)), meter=moved)


def _resolve_prize(s: Situation, action: AdjustMeter, why: str) -> Iterator[Payment]:
    """Yield what becomes of a prize that was paid by hand: given back, or the house's cost (wa:W28)."""
    played, win = _round_of_win(s.table, action.win), _win_to_back_out(s, action)
    if played is None or win is None or win.paid is None:
        return
    law = law_of(s.rules, "adjust_meter", "law")
    bears = s.rules.readings.get("wa_backed_out_prize") == "house_bears"
    if bears and win.adjusted:
        yield by_hand(win, f"the house bears the prize paid by hand, {why}", law)
    elif not bears:
        yield from (replace(undo(p, why), clauses=law) for p in paid_by_hand(played, win))


def _decide_adjustment(s: Situation, action: AdjustMeter) -> AdjustmentMoves:
    if s.meter is None:
        return AdjustmentMoves()
    if action.win is not None:
        return _back_out(s, action, s.meter)
    meter, moved = adjust(
        s.meter, units(action.amount), reason=action.reason, first=s.by.id, second=action.second
    )
    return AdjustmentMoves(meter=s.moved(meter, moved), movements=moved)


def _adjust(table: Table, event: Event[AdjustMeter, AdjustmentMoves]) -> Table:
    """Keep a win that was backed out on record as such; its cards need no papers but the adjustment.

    Another win may be claimed for the wager: the line that is really held.
    """
    played, at = _round_of_win(table, event.action.win), event.action.win
    if played is None or at is None:
        return table
    why = f"{event.action.reason} ({event.by.id} and {event.action.second}, {event.at.isoformat()})"
    meant = last_win(played, at)
    wins = tuple(changed(win, backed_out=why) if win is meant else win for win in played.wins)
    if played is table.last:
        payments = (*played.payments, *event.outcome.payments)
        return changed(table, last=changed(played, wins=wins, payments=payments))
    hand = played.hands[at]
    marks = (hand.marks - _OF_CLAIM) | {HandMark.DOCUMENTED}
    table = keep_payments(table, event).with_round(wins=wins)
    return table.with_hand(at, claim=None, marks=marks)


# --- conditions ---------------------------------------------------------------------------------------


def _two_people(s: Situation, action: AdjustMeter) -> bool:
    people = {s.by.id.strip().casefold(), action.second.strip().casefold()} - {""}
    return len(people) > 1 and given(action.reason)


def _meter_covers(s: Situation, action: AdjustMeter) -> bool:
    """What this round's wagers put in stays in until the round is over: it may yet be void."""
    meter = s.meter
    if meter is None:
        return False
    backed_out = action.win is not None
    by = _put_back(_award(s, action), AccountKind.METER) if backed_out else units(action.amount)
    put_in = sum(m.units for moved in s.round.taken.values() for m in moved if m.to == meter.terms.account)
    return by >= 0 or meter.value + by >= put_in


def _leaves_seed(s: Situation, action: AdjustMeter) -> bool:
    """Whether an adjustment that backs out no award leaves the seed in the meter (wa:W31)."""
    return action.win is not None or s.meter is None or leaves_seed(s.meter, units(action.amount))


def none_to_come(rules: Rules, table: Table) -> bool:
    """Whether no wager of this round is still to be paid from the meter."""
    if table.phase is Phase.SETTLING:
        return not any(PROGRESSIVE in due(rules, hand) for hand in table.round.playing())
    return not table.round.has(RoundMark.COIN_IN)


def _none_to_come(s: Situation, action: AdjustMeter) -> bool:
    """An award that is backed out waits only for another that is recorded and not yet paid."""
    if action.win is None:
        return none_to_come(s.rules, s.table)
    recorded = (win for win in s.round.wins if not win.adjusted and win.backed_out is None)
    return all(win == _win_to_back_out(s, action) for win in recorded)


def _win_known(s: Situation, action: AdjustMeter) -> bool:
    return action.win is None or _win_to_back_out(s, action) is not None


def _not_void(s: Situation, action: AdjustMeter) -> bool:
    played = _round_of_win(s.table, action.win)
    return played is None or played.void is None


def _not_yet(s: Situation, action: AdjustMeter) -> bool:
    win = _win_to_back_out(s, action)
    return win is None or win.backed_out is None


def _whole_award(s: Situation, action: AdjustMeter) -> bool:
    win = _win_to_back_out(s, action)
    return win is None or action.amount == win.amount


# --- what its fields take -----------------------------------------------------------------------------


def _asks_win(rules: Rules, table: Table, _: int) -> Asks:
    won = wins_to_back_out(table)
    return {"win": FieldRule(won, needed=not none_to_come(rules, table)) if won else NOT_ASKED}


STEPS: Final[tuple[AnyStep, ...]] = (
    Step(
        action=AdjustMeter,
        by=FLOOR,
        phases=tuple(Phase),
        exceptional=True,
        words=Words(
            "Adjust the meter",
            follows=(
                "The meter moves by the amount given, or the award of a recorded win is backed "
                "out; the reason and both people are on record."
            ),
        ),
        guards=(
            always(
                "two_people",
                "a manual adjustment needs a reason and two people",
                _two_people,
                "second",
                "reason",
            ),
            sense("the meter does not hold so much", _meter_covers, "amount", "win"),
            always("seed", "only an award takes the meter below its seed", _leaves_seed, "amount", "win"),
            sense("a wager of this round is still to be paid from the meter", _none_to_come, "win"),
            always("win", "no such win is recorded", _win_known, "win"),
            always("once", "that award is backed out already", _not_yet, "win"),
            sense("the round of that award was void: it is undone already", _not_void, "win"),
            always(
                "whole",
                "an award is backed out whole: by the amount of the win",
                _whole_award,
                "amount",
                "win",
            ),
        ),
        outcome=_decide_adjustment,
        evolve=_adjust,
        asks=_asks_win,
        panels=(Panel.JACKPOT,),
    ),
)
