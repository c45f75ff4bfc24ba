"""Wagers settled in order: main, Double Down, then the bonuses."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Annotated, Final

from msgspec.structs import replace

from houseway.games import Rules
from houseway.games.paytables import AwardSource
from houseway.law.citations import UNCITED, Cites, join_cites
from houseway.ledger import CAGE, INVENTORY
from houseway.ranking import Race
from houseway.rounds.action import OnHand, WagerId
from houseway.rounds.annotations import Ask, Shown
from houseway.rounds.asks import Asks, FieldRule
from houseway.rounds.choices import PaidFrom
from houseway.rounds.marks import HandMark
from houseway.rounds.outcomes import Moves
from houseway.rounds.roles import Role
from houseway.rounds.stage import Stage
from houseway.rounds.state import Hand, Table, changed
from houseway.rounds.step import AnyStep, CitedOutcome, Event, Guard, Proposal, Situation, Step, Words, law_of
from houseway.rounds.steps.common import always, dealer_of, hand_of, if_marked, sense
from houseway.rounds.steps.light import LIGHT_FIRST
from houseway.rounds.steps.money import (
    keep_settled_hand,
    law_of_payments,
    round_of,
    standing,
    standing_payments,
)
from houseway.rounds.steps.payments import fouled, pay_wager
from houseway.rounds.steps.turns import (
    COLLECTED,
    SETTLING,
    by_keypad,
    by_passes,
    due,
    has_wager,
    next_of_hand,
    turn,
)
from houseway.settlement import Payment, PaymentKind, Status
from houseway.settlement.bank import open_bank, race_bank, settle_banked
from houseway.settlement.house import settle_progressive
from houseway.settlement.model import DOUBLE_DOWN, FORTUNE, MAIN, PROGRESSIVE


class Settle(OnHand, frozen=True, tag="settle"):
    """A wager of a hand is settled; without a name all that can be settled now."""

    wager: Annotated[WagerId | None, Ask("Wager", usual="all")] = None
    source: Annotated[PaidFrom | None, Ask("Source")] = None


class Settled(Moves, frozen=True, tag="settled", kw_only=True):
    """The wagers that were settled."""

    wagers: Annotated[tuple[str, ...], Shown("wagers")]
    race: Race | None = None
    paid_away: bool = False
    """Whether a progressive award came from elsewhere than the table's inventory: its papers are due."""


_ABANDONED: Final = Status.ABANDONED
_ANNOUNCED, _REARRANGED = HandMark.ANNOUNCED, HandMark.REARRANGED
AWAY: Final = (PaidFrom.CAGE, PaidFrom.HAND_PAY)
"""Where an award is paid from that does not come from the table's inventory or the meter."""
_FORTUNE_ENDS: Final = {PaymentKind.PAY: "fortune_won", PaymentKind.COLLECT: "fortune_lost"}
"""The clauses that a procedure names for a Fortune wager, by how it ends."""
_SOURCES: Final = {PaidFrom.INVENTORY: AwardSource.TRAY, PaidFrom.METER: AwardSource.METER}
REVIEW: Final = "the floor reviews a royal flush that the joker completes before it is paid"


# --- settled ------------------------------------------------------------------------------------------


def wagers_named(s: Situation, action: Settle) -> list[str]:
    """Return the wagers that an action settles, in order."""
    if action.wager is not None:
        return [action.wager]
    hand = hand_of(s, action)
    left = due(s.rules, hand)
    first_pass = by_passes(s.rules) and MAIN in left  # a hand read again may lie rearranged by then
    if (first_pass or not hand.has(_REARRANGED)) and hand.status is not _ABANDONED:
        return [wager for wager in left if wager not in s.rules.side_wagers]
    if PROGRESSIVE in left and by_keypad(s.rules, hand):
        left.remove(PROGRESSIVE)
    return left


def _next_due(s: Situation, action: Settle) -> bool:
    hand = hand_of(s, action)
    if action.wager is None:
        return MAIN not in hand.settled or bool(wagers_named(s, action))
    left = (w for w in s.rules.wager_order if w not in hand.settled and has_wager(hand, w))
    return action.wager == next(left, None)


def _not_by_key(s: Situation, action: Settle) -> bool:
    return action.wager != PROGRESSIVE or not by_keypad(s.rules, hand_of(s, action))


def _after_main(s: Situation, action: Settle) -> bool:
    return action.wager in (MAIN, None) or MAIN in hand_of(s, action).settled


def _double_after_main(s: Situation, action: Settle) -> bool:
    return action.wager != DOUBLE_DOWN or MAIN in hand_of(s, action).settled


def _announced(s: Situation, action: Settle) -> bool:
    hand = hand_of(s, action)
    return hand.has(_ANNOUNCED) or hand.status is _ABANDONED


def _rearranged(s: Situation, action: Settle) -> bool:
    hand = hand_of(s, action)
    if hand.has(_REARRANGED) or hand.status is _ABANDONED:
        return True
    if action.wager is None:
        return MAIN not in hand.settled or DOUBLE_DOWN in due(s.rules, hand)
    return action.wager not in s.rules.side_wagers


def _pays_progressive(action: Settle) -> bool:
    return action.wager in (PROGRESSIVE, None)


def _check(mark: HandMark) -> Callable[[Situation, Settle], bool]:
    """Ask whether a progressive win has been verified this way, if it is a win and is settled now."""

    def holds(s: Situation, action: Settle) -> bool:
        return hand_of(s, action).has(mark) or not _pays_progressive(action)

    return if_marked(HandMark.PROGRESSIVE_WIN, holds)


def _not_from_inventory(_: Situation, action: Settle) -> bool:
    return action.source is not PaidFrom.INVENTORY or not _pays_progressive(action)


def _royal_reviewed(s: Situation, action: Settle) -> bool:
    """Whether a royal flush by a reading has been reviewed, if it is paid now."""
    paid_by_it = {FORTUNE, PROGRESSIVE}.intersection(wagers_named(s, action))
    return not paid_by_it or hand_of(s, action).has(HandMark.REVIEWED)


def _source_holds(s: Situation, action: Settle) -> bool:
    """Whether a fixed award is paid from where the dealer says (reading wa:W30)."""
    hand, source = hand_of(s, action), action.source
    if source is None or not _pays_progressive(action) or not hand.has(HandMark.PROGRESSIVE_WIN):
        return True
    if hand.has(HandMark.PROGRESSIVE_SHARE):
        return True
    if source in AWAY:
        return "document_win" in s.rules.game.procedure
    if s.rules.readings.get("wa_source_named") == "as_named":
        return True
    return _SOURCES[source] is s.rules.award_source(PROGRESSIVE, hand.made[PROGRESSIVE])


def _paid_away(s: Situation, action: Settle) -> bool:
    """Whether the award is paid from elsewhere than the table, where the law has papers for that."""
    return action.source in AWAY and "document_win" in s.rules.game.procedure


def _games_settled(s: Situation, action: Settle) -> bool:
    """By passes, every game wager is settled before a bonus is looked at."""
    if not by_passes(s.rules) or MAIN in wagers_named(s, action):
        return True
    return all(MAIN in hand.settled for hand in s.round.playing())


def _clockwise(s: Situation, action: Settle) -> bool:
    if not s.rules.banked:
        return True
    hand = turn(s.rules, s.table)
    return hand is not None and hand.position == action.position


def _decide_settlement(s: Situation, action: Settle) -> CitedOutcome[Settled]:
    hand, wagers = hand_of(s, action), wagers_named(s, action)
    if s.rules.banked:
        settled = _by_the_bank(s, hand, wagers)
    else:
        source = _SOURCES.get(action.source) if action.source else None
        settled = _one_by_one(s, hand, wagers, away=_paid_away(s, action), source=source)
    return CitedOutcome(
        settled, join_cites(law_of_payments(settled.payments), _fortune_law(s, hand, settled))
    )


def _fortune_law(s: Situation, hand: Hand, settled: Settled) -> Cites:
    """Return what the law says of a Fortune wager that is settled, won or lost by its hand."""
    if FORTUNE not in settled.wagers or hand.status is _ABANDONED:
        return UNCITED
    kinds = {payment.kind for payment in settled.payments if payment.wager == FORTUNE}
    keys = [key for kind, key in _FORTUNE_ENDS.items() if kind in kinds]
    return join_cites(*(law_of(s.rules, "settle", key) for key in ("fortune", *keys)))


def _one_by_one(
    s: Situation, hand: Hand, wagers: list[str], *, away: bool, source: AwardSource | None
) -> Settled:
    """Settle wager after wager: what one pays may count against a limit, or come off the meter."""
    showdown = round_of(s, hand)
    (area,) = showdown.areas
    limited = s.rules.submission.payout_limit is not None
    before = standing_payments(s.round.payments, hand.position) if limited else []
    payments: list[Payment] = []
    awarded: list[Payment] = []
    race, meter = hand.race, s.meter if PROGRESSIVE in wagers else None
    for wager in wagers:
        if wager == PROGRESSIVE:
            new, meter = settle_progressive(showdown, area, meter, foul=fouled(race), source=source)
            new = awarded = [replace(p, source=CAGE) if away and p.source == INVENTORY else p for p in new]
        else:
            new, race = pay_wager(showdown, area, wager, race, [*before, *payments] if limited else [])
        payments += new
    return Settled(
        payments=tuple(payments),
        meter=s.moved(meter, awarded),
        wagers=tuple(wagers),
        race=race,
        paid_away=away and bool(awarded),
    )


def _by_the_bank(s: Situation, hand: Hand, wagers: list[str]) -> Settled:
    """Settle against what the bank has left after the wagers settled before."""
    showdown = round_of(s, hand)
    (area,) = showdown.areas
    bank, race = open_bank(showdown, standing(s.round.payments)), hand.race or race_bank(showdown, area)
    for wager in wagers:
        settle_banked(showdown, bank, area, wager, race)
    return Settled(payments=tuple(bank.payments), wagers=tuple(wagers), race=race)


def _keep_settlement(table: Table, event: Event[Settle, Settled]) -> Table:
    hand, ended = table.round.hands[event.action.position], event.outcome.wagers
    claim = None if PROGRESSIVE in ended else hand.claim
    marks = hand.marks | {HandMark.PAID_AWAY} if event.outcome.paid_away else hand.marks
    settled = hand.settled.union(ended)
    return keep_settled_hand(table, event, changed(hand, settled=settled, claim=claim, marks=marks))


# --- what is due --------------------------------------------------------------------------------------


def _suggest_settle(rules: Rules, table: Table) -> Iterable[Proposal]:
    hand = turn(rules, table)
    if hand is None:
        return
    wagers = due(rules, hand)
    if wagers == [PROGRESSIVE] and by_keypad(rules, hand):
        return
    if wagers and (hand.has(_ANNOUNCED) or hand.status is _ABANDONED):
        yield Proposal(dealer_of(table), Settle(hand.position))


# --- what its fields take -----------------------------------------------------------------------------


def _asks_wager(rules: Rules, table: Table, position: int) -> Asks:
    hand = table.round.hands.get(position)
    return {"wager": FieldRule(tuple(due(rules, hand)) if hand else ())}


STEPS: Final[tuple[AnyStep, ...]] = (
    Step(
        action=Settle,
        stage=Stage.SETTLE,
        by=(Role.DEALER,),
        phases=SETTLING,
        words=Words(
            "Settle the wagers",
            done="Settled",
            follows="Each wager settled is taken, paid or returned.",
        ),
        guards=(
            always("announced", "the result is announced before money moves", _announced),
            COLLECTED,
            Guard("double_after_main", "the Double Down is settled after the main wager", _double_after_main),
            sense("the main wager is settled first", _after_main),
            always("rearranged", "the cards are rearranged first", _rearranged),
            always("in_order", "not the next open wager of this hand", _next_due),
            Guard(
                "win_verified",
                "the dealer verifies the winning hand first",
                _check(HandMark.WIN_VERIFIED),
            ),
            Guard("light", LIGHT_FIRST, _check(HandMark.LIGHT)),
            Guard("validated", "a floorperson validates the payout first", _check(HandMark.VALIDATED)),
            Guard("bonus_after_game", "every game wager is settled before a bonus", _games_settled),
            Guard("clockwise", "from the Action seat clockwise", _clockwise),
            Guard(
                "percentage",
                "a share of the meter goes by the jackpot key",
                if_marked(HandMark.PROGRESSIVE_SHARE, _not_by_key),
            ),
            Guard(
                "source",
                "a share of the meter is not paid from the table's inventory",
                if_marked(HandMark.PROGRESSIVE_SHARE, _not_from_inventory),
            ),
            always("fixed", "this award is not paid from there", _source_holds, "source"),
            Guard("reviewed", REVIEW, if_marked(HandMark.JOKER_ROYAL, _royal_reviewed)),
        ),
        outcome=_decide_settlement,
        evolve=_keep_settlement,
        automatic_next=next_of_hand,
        suggest=_suggest_settle,
        asks=_asks_wager,
        foretold=True,
        followed=True,
    ),
)
