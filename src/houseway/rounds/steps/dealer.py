"""The dealer's part: cards turned over, entered by hand at a physical table, set, and reset if wrong."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from houseway.cards import Cards
from houseway.games import Rules
from houseway.law.claims import rest_on
from houseway.law.problems import Problem
from houseway.ranking import Race, verify_split
from houseway.rounds.actions import (
    Action,
    ConfirmEntry,
    CorrectEntry,
    EnterHand,
    Irregularity,
    ReopenEntry,
    ResetDealer,
    SetDealer,
    TurnOver,
)
from houseway.rounds.dealing import irregularity
from houseway.rounds.houseway import by_house_way, house_setting, same_setting
from houseway.rounds.marks import HandMark, RoundMark
from houseway.rounds.outcomes import DealerReset, DealerSet
from houseway.rounds.state import CardOrigin, Phase, Table, changed
from houseway.rounds.step import AnyStep, Check, CitedOutcome, Event, Guard, Proposal, Situation, Step
from houseway.rounds.steps.common import (
    always,
    dealer_of,
    given,
    hand_has_not,
    hand_of,
    moot,
    round_has,
    sense,
)
from houseway.rounds.steps.money import area_at, paid, round_of, standing_payments, undo
from houseway.rounds.steps.payments import pay_wager
from houseway.rounds.steps.turns import next_hand, turn
from houseway.settlement import Payment, PaymentKind, Status
from houseway.settlement.house import run_race
from houseway.settlement.model import DOUBLE_DOWN, MAIN, PROGRESSIVE

Entry = EnterHand | CorrectEntry


# --- turned over and set ------------------------------------------------------------------------------


def _all_set(table: Table) -> bool:
    return all(
        hand.has(HandMark.PLACED) or hand.status is not Status.PLAYED for hand in table.round.playing()
    )


def _double_offered(s: Situation, _: TurnOver) -> bool:
    return not s.rules.offers(DOUBLE_DOWN) or s.round.has(RoundMark.DOUBLE_OFFERED)


def _none_choosing(s: Situation, _: Action) -> bool:
    return not any(hand.has(HandMark.CHOOSING) for hand in s.round.playing())


def _left_ruled(s: Situation, _: TurnOver) -> bool:
    return all(not hand.has(HandMark.LEFT) or hand.has(HandMark.RULED) for hand in s.round.playing())


def _cards_known(s: Situation, _: SetDealer) -> bool:
    return bool(s.round.dealer_cards)


def _uses_cards(s: Situation, action: SetDealer) -> bool:
    if not action.setting:
        return True
    cards = sorted(card for part in action.setting for card in part)
    sizes = tuple(len(part) for part in action.setting)
    return cards == sorted(s.round.dealer_cards) and sizes == s.rules.game.split


def _set_right(s: Situation, action: SetDealer) -> bool:
    if not s.round.dealer_cards:
        return True  # nothing to compare with yet; that is refused by itself
    return not action.setting or same_setting(action.setting, house_setting(s.rules, s.round.dealer_cards))


def _setting(s: Situation, action: SetDealer) -> CitedOutcome[DealerSet]:
    """Set the dealer's hand; the house way's rule is cited where it is set by it."""
    decided = by_house_way(s.rules, s.round.dealer_cards)
    setting = action.setting or decided.setting
    right = same_setting(setting, decided.setting)
    return CitedOutcome(DealerSet(setting=setting, right=right), decided.clauses if right else ())


def _dealer_set(table: Table, event: Event[SetDealer, DealerSet]) -> Table:
    done = event.outcome
    marks = {RoundMark.DEALER_SET} if done.right else {RoundMark.DEALER_SET, RoundMark.DEALER_WRONG}
    table = table.with_round(dealer_setting=done.setting, marks=table.round.marks | marks)
    return changed(table, phase=Phase.SETTLING)


def _reset(s: Situation, _: ResetDealer) -> CitedOutcome[DealerReset]:
    """Set the dealer's hand anew, and settle anew what was settled on the wrong one.

    Where reading asia:P9 is taken so, what was settled stands and only the rest goes by the proper hand.
    """
    law = irregularity(s.rules, Irregularity.DEALER_SET_WRONGLY).clauses
    rest_on(*law)
    right = house_setting(s.rules, s.round.dealer_cards)
    again = s.with_table(s.table.with_round(dealer_setting=right))
    made = round_of(again)
    payments: list[Payment] = []
    races: dict[int, Race] = {}
    stands = s.rules.readings.get("missed_dealer_setting") == "resettle_unsettled_only"
    for hand in s.round.playing():
        if stands and MAIN in hand.settled:
            continue
        old = [p for p in standing_payments(s.round.payments, hand.position) if _by_the_race(p)]
        if hand.race is None and not old:
            continue
        payments += [undo(payment, "the dealer's hand was set wrongly") for payment in reversed(old)]
        area = area_at(again, hand.position)
        new: list[Payment] = []
        race = run_race(made, area) if hand.race else None
        for terms in s.rules.game.wager:
            if terms.id in hand.settled and terms.family != "progressive":
                more, race = pay_wager(made, area, terms.id, race, new)
                new += more
        payments += new
        if race is not None:
            races[hand.position] = race
    return CitedOutcome(DealerReset(payments=tuple(payments), setting=right, races=races), law)


def _by_the_race(payment: Payment) -> bool:
    return (
        payment.kind in (PaymentKind.COLLECT, PaymentKind.RETURN, PaymentKind.PAY)
        and payment.wager != PROGRESSIVE
    )


def _was_reset(table: Table, event: Event[ResetDealer, DealerReset]) -> Table:
    table = paid(table, event)
    marks = (table.round.marks - {RoundMark.DEALER_WRONG}) | {RoundMark.RESET}
    table = table.with_round(dealer_setting=event.outcome.setting, marks=marks)
    for position, race in event.outcome.races.items():
        table = table.with_hand(position, race=race)
    return table


# --- typed in -----------------------------------------------------------------------------------------


def _typed(s: Situation, _: Action) -> bool:
    return s.table.source is not CardOrigin.VIRTUAL_DECK


def _enterable(s: Situation, action: Entry) -> bool:
    """The dealer's cards once turned over; a player's when the hands are opened."""
    if action.position == s.table.dealer_at:
        return s.table.phase is Phase.DEALER and not s.round.dealer_cards
    hand = s.round.hands.get(action.position)
    return s.table.phase is Phase.SETTLING and hand is not None and not hand.cards


def _cards_of(action: Entry) -> Cards:
    return tuple(card for part in action.setting for card in part)


def _entered_whole(s: Situation, action: Entry) -> bool:
    cards = _cards_of(action)
    return len(cards) == len(set(cards)) == s.rules.game.hand_cards


def _new_cards(s: Situation, action: Entry) -> bool:
    """No card may be in two hands."""
    known = set(s.round.dealer_cards)
    for hand in s.round.hands.values():
        known |= set(hand.cards)
    for at, parts in s.round.typed.items():
        known |= {card for part in parts for card in part} if at != action.position else set()
    return known.isdisjoint(_cards_of(action))


def _entry_problems(s: Situation, action: Entry) -> Iterable[Problem]:
    """Parts of wrong sizes are refused at once where the law refuses them; elsewhere they are a foul."""
    order = s.rules.ranking()
    if action.position == s.table.dealer_at or order.document.split.wrong != "refused":
        return ()
    return verify_split(order, _cards_of(action), action.setting)


def _entered(table: Table, event: Event[Entry, None]) -> Table:
    return table.with_round(typed={**table.round.typed, event.action.position: event.action.setting})


def _is_entered(s: Situation, action: Entry | ConfirmEntry) -> bool:
    return action.position in s.round.typed


def _not_entered(s: Situation, action: EnterHand) -> bool:
    return action.position not in s.round.typed


def _confirmed(table: Table, event: Event[ConfirmEntry, None]) -> Table:
    at = event.action.position
    parts = table.round.typed[at]
    cards = tuple(card for part in parts for card in part)
    table = table.with_round(typed={p: setting for p, setting in table.round.typed.items() if p != at})
    if at == table.dealer_at:
        return table.with_round(dealer_cards=cards)
    return table.with_hand(at, cards=cards, setting=parts)


def _reopened(table: Table, event: Event[ReopenEntry, None]) -> Table:
    return table.with_hand(event.action.position, cards=(), setting=None)


# --- what is due --------------------------------------------------------------------------------------


def _suggest_turn(_: Rules, table: Table) -> Iterable[Proposal]:
    if _all_set(table) and table.round.playing():
        yield Proposal(dealer_of(table), TurnOver())


def _suggest_set(_: Rules, table: Table) -> Iterable[Proposal]:
    if table.round.dealer_cards:
        yield Proposal(dealer_of(table), SetDealer())


def _suggest_enter(rules: Rules, table: Table) -> Iterable[Proposal]:
    """Suggest that cards are typed in which lie open; which they are, only the dealer can say."""
    hand = turn(rules, table) if table.phase is Phase.SETTLING else None
    known = bool(hand.cards) if hand else bool(table.round.dealer_cards)
    at = hand.position if hand else table.dealer_at
    if table.source is not CardOrigin.VIRTUAL_DECK and not known and at not in table.round.typed:
        yield Proposal(dealer_of(table), EnterHand(at, ()))


def _suggest_confirm(_: Rules, table: Table) -> Iterable[Proposal]:
    for at in table.round.typed:
        yield Proposal(dealer_of(table), ConfirmEntry(at))


def _suggest_reset(_: Rules, table: Table) -> Iterable[Proposal]:
    if table.round.has(RoundMark.DEALER_WRONG):
        yield Proposal(dealer_of(table), ResetDealer())


ENTRY: Final = (
    moot("the cards of this table are known", _typed),
    sense("these cards are not open yet", _enterable),
    sense("every card of the hand, each once", _entered_whole, "setting"),
    sense("a card that another hand holds", _new_cards, "setting"),
)


STEPS: Final[tuple[AnyStep, ...]] = (
    Step(
        action=TurnOver,
        phases=(Phase.SETTING,),
        guards=(
            Guard("double_offered", "the Double Down is offered first", _double_offered),
            always(
                "all_set",
                "every player has set and placed their hand first",
                lambda s, _: _all_set(s.table),
            ),
            sense("a player has still to choose about an exposed card", _none_choosing),
            sense("the floor has still to rule about a player who left", _left_ruled),
        ),
        evolve=lambda table, _: changed(table, phase=Phase.DEALER),
        suggest=_suggest_turn,
    ),
    Step(
        action=SetDealer,
        phases=(Phase.DEALER,),
        guards=(
            sense("the dealer's cards are entered and confirmed first", _cards_known),
            sense("the dealer's own cards, each once, in parts of the game's sizes", _uses_cards),
            sense("a player has still to choose about an exposed card", _none_choosing),
            Guard("house_way", "the dealer's hand is set by the house way and no other", _set_right),
            Guard("right", "not the house way: the hand is to be reset", _set_right, warns=True),
        ),
        outcome=_setting,
        evolve=_dealer_set,
        automatic_next=next_hand,
        suggest=_suggest_set,
    ),
    Step(
        action=ResetDealer,
        phases=(Phase.SETTLING,),
        guards=(moot("the dealer's hand is set the house way", round_has(RoundMark.DEALER_WRONG)),),
        outcome=_reset,
        evolve=_was_reset,
        suggest=_suggest_reset,
    ),
    Step(
        action=EnterHand,
        phases=(Phase.DEALER, Phase.SETTLING),
        guards=(*ENTRY, moot("cards are entered: correct them", _not_entered)),
        checks=(Check(_entry_problems, ("setting",)),),
        evolve=_entered,
        suggest=_suggest_enter,
    ),
    Step(
        action=CorrectEntry,
        phases=(Phase.DEALER, Phase.SETTLING),
        guards=(*ENTRY, moot("nothing was entered, or it is confirmed", _is_entered)),
        checks=(Check(_entry_problems, ("setting",)),),
        evolve=_entered,
    ),
    Step(
        action=ConfirmEntry,
        phases=(Phase.DEALER, Phase.SETTLING),
        guards=(moot("nothing was entered", _is_entered),),
        evolve=_confirmed,
        suggest=_suggest_confirm,
    ),
    Step(
        action=ReopenEntry,
        phases=(Phase.SETTLING,),
        guards=(
            moot("the cards of this table are known", _typed),
            moot("nothing is confirmed there", lambda s, action: bool(hand_of(s, action).cards)),
            sense("the hand is opened", lambda s, action: not hand_of(s, action).shown),
            moot(
                "the hand lies rearranged, or is racked", hand_has_not(HandMark.REARRANGED, HandMark.RACKED)
            ),
            sense("the reason is put on record", lambda _, action: given(action.reason), "reason"),
        ),
        evolve=_reopened,
    ),
)
