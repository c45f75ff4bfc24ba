"""Wagers settled in order: main, Double Down, the bonuses after rearranging, envy last."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from msgspec.structs import replace

from houseway.games import Rules
from houseway.games.paytables import AwardSource
from houseway.law.claims import standing
from houseway.ledger import CAGE, INVENTORY
from houseway.money import Basis
from houseway.ranking import ranking
from houseway.ranking.picture import Glance, glance
from houseway.rounds.actions import PaidFrom, PayEnvy, Rearrange, Settle
from houseway.rounds.marks import HandMark
from houseway.rounds.outcomes import Paid, Rearranged, Settled
from houseway.rounds.state import Hand, Table, changed
from houseway.rounds.step import (
    AnyStep,
    CitedOutcome,
    Event,
    Guard,
    Proposal,
    Situation,
    Step,
    in_law,
    law_of,
)
from houseway.rounds.steps.common import always, dealer_of, hand_has_not, hand_of, if_marked, moot, sense
from houseway.rounds.steps.money import (
    cited,
    paid,
    round_of,
    settled_hand,
    standing_payments,
)
from houseway.rounds.steps.payments import fouled, pay_wager
from houseway.rounds.steps.revealing import COLLECTED, SETTLING
from houseway.rounds.steps.turns import (
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
from houseway.settlement import Payment, Status
from houseway.settlement.bank import open_bank, pay_banked_envy, race_bank, settle_banked
from houseway.settlement.envy import owed
from houseway.settlement.house import pay_envy, settle_progressive
from houseway.settlement.model import DOUBLE_DOWN, FORTUNE, MAIN, PROGRESSIVE
from houseway.settlement.sides import hand_made

_ABANDONED: Final = Status.ABANDONED
_ANNOUNCED, _REARRANGED = HandMark.ANNOUNCED, HandMark.REARRANGED
AWAY: Final = (PaidFrom.CAGE, PaidFrom.HAND_PAY)
"""Where an award is paid from that does not come from the table's inventory or the meter."""
ROYAL: Final = "royal_flush"
REVIEW: Final = "the floor reviews a royal flush that the joker completes before it is paid"


# --- settled ------------------------------------------------------------------------------------------


def named(s: Situation, action: Settle) -> list[str]:
    """Return the wagers that an action settles, in order."""
    if action.wager is not None:
        return [action.wager]
    hand = hand_of(s, action)
    left = due(s.rules, hand)
    if not hand.has(_REARRANGED) and hand.status is not _ABANDONED:
        return [one for one in left if one not in s.rules.side_wagers]
    if PROGRESSIVE in left and by_keypad(s.rules, hand):
        left.remove(PROGRESSIVE)
    return left


def _next_due(s: Situation, action: Settle) -> bool:
    hand = hand_of(s, action)
    if action.wager is None:
        return MAIN not in hand.settled or bool(named(s, action))
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


def _checked(mark: HandMark) -> Callable[[Situation, Settle], bool]:
    """Ask whether a progressive win has been verified this way, if it is a win and is settled now."""

    def holds(s: Situation, action: Settle) -> bool:
        return hand_of(s, action).has(mark) or not _pays_progressive(action)

    return if_marked(HandMark.PROGRESSIVE_WIN, holds)


def _not_from_inventory(_: Situation, action: Settle) -> bool:
    return action.source is not PaidFrom.INVENTORY or not _pays_progressive(action)


def _royal_reviewed(s: Situation, action: Settle) -> bool:
    """Whether a royal flush by a reading has been reviewed, if it is paid now."""
    paid_by_it = {FORTUNE, PROGRESSIVE}.intersection(named(s, action))
    return not paid_by_it or hand_of(s, action).has(HandMark.REVIEWED)


def _meter_pays(s: Situation, action: Settle) -> bool:
    """Whether an award that is said to come from the meter is one that the meter pays."""
    if action.source is not PaidFrom.METER or not _pays_progressive(action):
        return True
    hand = hand_of(s, action)
    if not hand.has(HandMark.PROGRESSIVE_WIN) or hand.has(HandMark.PROGRESSIVE_SHARE):
        return True
    return s.rules.award_source(PROGRESSIVE, hand.made[PROGRESSIVE]) is AwardSource.METER


def _paid_away(s: Situation, action: Settle) -> bool:
    """Whether the award is paid from elsewhere than the table, where the law has papers for that."""
    return action.source in AWAY and "document_win" in s.rules.game.procedure


def _games_settled(s: Situation, action: Settle) -> bool:
    """By passes, every game wager is settled before a bonus is looked at."""
    if not by_passes(s.rules) or MAIN in named(s, action):
        return True
    return all(MAIN in hand.settled for hand in s.round.playing())


def _clockwise(s: Situation, action: Settle) -> bool:
    if not s.rules.banked:
        return True
    hand = turn(s.rules, s.table)
    return hand is not None and hand.position == action.position


def _settle(s: Situation, action: Settle) -> CitedOutcome[Settled]:
    hand, wagers = hand_of(s, action), named(s, action)
    if s.rules.banked:
        return cited(_by_the_bank(s, hand, wagers))
    return cited(_one_by_one(s, hand, wagers, away=_paid_away(s, action)))


def _one_by_one(s: Situation, hand: Hand, wagers: list[str], *, away: bool) -> Settled:
    """Settle wager after wager: what one pays may count against a limit, or come off the meter."""
    made = round_of(s, hand)
    (area,) = made.areas
    limited = s.rules.submission.payout_limit is not None
    before = standing_payments(s.round.payments, hand.position) if limited else []
    payments: list[Payment] = []
    awarded: list[Payment] = []
    race, meter = hand.race, s.meter if PROGRESSIVE in wagers else None
    for wager in wagers:
        if wager == PROGRESSIVE:
            new, meter = settle_progressive(made, area, meter, foul=fouled(race))
            new = awarded = [replace(p, source=CAGE) if away and p.source == INVENTORY else p for p in new]
        else:
            new, race = pay_wager(made, area, wager, race, [*before, *payments] if limited else [])
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
    made = round_of(s, hand)
    (area,) = made.areas
    bank, race = open_bank(made, s.round.payments), hand.race or race_bank(made, area)
    for wager in wagers:
        settle_banked(made, bank, area, wager, race)
    return Settled(payments=tuple(bank.payments), wagers=tuple(wagers), race=race)


def _settled(table: Table, event: Event[Settle, Settled]) -> Table:
    hand, ended = table.round.hands[event.action.position], event.outcome.wagers
    claim = None if PROGRESSIVE in ended else hand.claim
    marks = hand.marks | {HandMark.PAID_AWAY} if event.outcome.paid_away else hand.marks
    settled = hand.settled.union(ended)
    return settled_hand(table, event, changed(hand, settled=settled, claim=claim, marks=marks))


# --- rearranged ---------------------------------------------------------------------------------------


def _main_settled(s: Situation, action: Rearrange) -> bool:
    return MAIN in hand_of(s, action).settled


def _double_settled(s: Situation, action: Rearrange) -> bool:
    return DOUBLE_DOWN not in due(s.rules, hand_of(s, action))


def _rearrange(s: Situation, action: Rearrange) -> Rearranged:
    """Find the best hand of the dealt cards for each wager that asks, and whether others envy it."""
    hand = hand_of(s, action)
    seen, order = glance(hand.cards), s.rules.ranking()
    made, marks = _best(s.rules, seen, optional(s.rules, hand))
    if _royal_by_reading(s.rules, seen):
        marks |= {HandMark.JOKER_ROYAL}
    envied = [t.id for t in s.rules.envied if t.envy and order.meets(t.envy.qualifier, seen)]
    if not envied:
        return Rearranged(made=made, marks=marks)
    said = [w for w in envied if _to_be_said(s, w) and _acknowledged(s.rules, hand, w)]
    whole = round_of(s)
    due_on = frozenset(w for w in said if any(one.holder == hand.position for one in owed(whole, w)))
    if due_on:
        marks |= {HandMark.HELD}
    return Rearranged(made=made, marks=marks, envied=due_on, announced=tuple(said))


def _best(rules: Rules, seen: Glance, wagers: list[str]) -> tuple[dict[str, str], frozenset[HandMark]]:
    """Return what cards make for each of these wagers, and the marks of a win."""
    made = {wager: hand_made(rules, wager, seen) for wager in wagers}
    marks = {_REARRANGED}
    if PROGRESSIVE in made:
        basis = rules.line(PROGRESSIVE, made[PROGRESSIVE]).pays.basis
        if basis is not Basis.LOSE:
            marks.add(HandMark.PROGRESSIVE_WIN)
        if basis is Basis.METER:
            marks.add(HandMark.PROGRESSIVE_SHARE)
    return made, frozenset(marks)


def _royal_by_reading(rules: Rules, seen: Glance) -> bool:
    """Whether the cards are a royal flush only by the reading that the joker may be any of its cards."""
    if "review_royal" not in rules.game.procedure or rules.ranking().made(FORTUNE, seen) != ROYAL:
        return False
    strict = ranking(rules.game.ranking, readings={**rules.readings, "six_joker_royal": "listed_only"})
    return strict.made(FORTUNE, seen) != ROYAL


def _to_be_said(s: Situation, wager: str) -> bool:
    """Whether an envied hand is acknowledged: always, or if anybody has placed a wager that earns by it."""
    always_said = wager != PROGRESSIVE and in_law(s.rules, "rearrange", "unasked")
    return always_said or _placed_for_envy(s, wager)


def _placed_for_envy(s: Situation, wager: str) -> bool:
    """Whether anybody has placed a wager that earns Envy Bonuses."""
    return any(s.rules.qualifies_for_envy(wager, other.amount(wager)) for other in s.round.playing())


def _acknowledged(rules: Rules, hand: Hand, wager: str) -> bool:
    """Whether the dealer says aloud that others envy this hand, and leaves it face up."""
    key = "announces" if hand.amount(wager) else "announces_other"
    if wager == PROGRESSIVE and "announces_progressive" in rules.game.procedure["rearrange"]:
        key = "announces_progressive"
    law = law_of(rules, "rearrange", key)
    return not law or bool(standing(law))


def _was_rearranged(table: Table, event: Event[Rearrange, Rearranged]) -> Table:
    hand, done = table.round.hands[event.action.position], event.outcome
    return table.with_hand(
        hand.position,
        made={**hand.made, **done.made},
        marks=hand.marks | done.marks,
        envied=hand.envied | done.envied,
    )


# --- envy ---------------------------------------------------------------------------------------------


def _all_settled(s: Situation, action: PayEnvy) -> bool:
    wager = action.wager
    return all(wager in hand.settled or not has_wager(hand, wager) for hand in s.round.playing())


def _all_rearranged(s: Situation, _: PayEnvy) -> bool:
    return all(
        hand.has(_REARRANGED) or hand.has(HandMark.RACKED) or not to_rearrange(s.rules, s.table, hand)
        for hand in s.round.playing()
    )


def _royals_reviewed(s: Situation, action: PayEnvy) -> bool:
    royals = [h for h in s.round.playing() if action.wager in h.envied and h.has(HandMark.JOKER_ROYAL)]
    return all(hand.has(HandMark.REVIEWED) for hand in royals)


def _envy(s: Situation, action: PayEnvy) -> CitedOutcome[Paid]:
    made = round_of(s)
    if not s.rules.banked:
        return cited(Paid(payments=tuple(pay_envy(made, action.wager))))
    bank = open_bank(made, s.round.payments)
    pay_banked_envy(made, bank)
    return cited(Paid(payments=tuple(bank.payments)))


def _envy_paid(table: Table, event: Event[PayEnvy, Paid]) -> Table:
    table = paid(table, event)
    return table.with_round(envy_paid=table.round.envy_paid | {event.action.wager})


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


def _suggest_rearrange(rules: Rules, table: Table) -> Iterable[Proposal]:
    hand = turn(rules, table)
    if hand is None or MAIN not in hand.settled or hand.has(_REARRANGED):
        return
    if to_rearrange(rules, table, hand):
        yield Proposal(dealer_of(table), Rearrange(hand.position))


def _suggest_envy(rules: Rules, table: Table) -> Iterable[Proposal]:
    if turn(rules, table) is None:
        for wager in envy_wagers(rules, table):
            yield Proposal(dealer_of(table), PayEnvy(wager))


STEPS: Final[tuple[AnyStep, ...]] = (
    Step(
        action=Rearrange,
        phases=SETTLING,
        guards=(
            always("after_main", "after the main wager", _main_settled),
            Guard("after_double", "the Double Down is settled first", _double_settled),
            COLLECTED,
            sense("the cards are entered first", lambda s, action: bool(hand_of(s, action).cards)),
            moot("the hand is rearranged already", hand_has_not(HandMark.REARRANGED)),
            moot("nothing asks for it", lambda s, action: to_rearrange(s.rules, s.table, hand_of(s, action))),
        ),
        outcome=_rearrange,
        evolve=_was_rearranged,
        automatic_next=next_of_hand,
        suggest=_suggest_rearrange,
    ),
    Step(
        action=Settle,
        phases=SETTLING,
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
                _checked(HandMark.WIN_VERIFIED),
            ),
            Guard("light", "the dealer verifies the lit light first", _checked(HandMark.LIGHT)),
            Guard("validated", "a floorperson validates the payout first", _checked(HandMark.VALIDATED)),
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
            sense("the meter does not pay a fixed award", _meter_pays, "source"),
            Guard("reviewed", REVIEW, if_marked(HandMark.JOKER_ROYAL, _royal_reviewed)),
        ),
        outcome=_settle,
        evolve=_settled,
        automatic_next=next_of_hand,
        suggest=_suggest_settle,
    ),
    Step(
        action=PayEnvy,
        phases=SETTLING,
        guards=(
            sense(
                "no envy is owed on it",
                lambda s, action: action.wager in envy_wagers(s.rules, s.table),
                "wager",
            ),
            always("after_all", "after every such wager is settled", _all_settled),
            sense("every hand is rearranged first", _all_rearranged),
            Guard("reviewed", REVIEW, _royals_reviewed, about=("wager",)),
        ),
        outcome=_envy,
        evolve=_envy_paid,
        suggest=_suggest_envy,
    ),
)
