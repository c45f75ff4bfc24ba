"""Cards typed in at a physical table: entered, corrected and confirmed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Final

from houseway.cards import Cards
from houseway.games import Rules
from houseway.law.problems import Problem
from houseway.ranking import Setting, verify_split
from houseway.rounds.action import Action, AtPosition
from houseway.rounds.annotations import Ask, Readers
from houseway.rounds.asks import MUST
from houseway.rounds.houseway import house_setting, same_setting
from houseway.rounds.marks import HandMark
from houseway.rounds.roles import Role
from houseway.rounds.state import CardOrigin, Phase, Table
from houseway.rounds.step import AnyStep, Check, Event, Guard, Proposal, Situation, Step, Words
from houseway.rounds.steps.common import dealer_of, given, moot, sense
from houseway.rounds.steps.turns import is_next_open, turn


class EnterHand(AtPosition, frozen=True, tag="enter_hand"):
    """The cards of a hand are typed in."""

    setting: Annotated[Setting, Ask("Setting"), Readers.TYPED]


class CorrectEntry(AtPosition, frozen=True, tag="correct_entry"):
    """What was typed in is corrected."""

    setting: Annotated[Setting, Ask("Setting"), Readers.TYPED]
    reason: Annotated[str, Ask("Reason")]


class ConfirmEntry(AtPosition, frozen=True, tag="confirm_entry"):
    """What was typed in is confirmed."""


Entry = EnterHand | CorrectEntry


# --- typed in -----------------------------------------------------------------------------------------


def is_typed(s: Situation, _: Action) -> bool:
    """Whether the cards of this table are real, and typed in."""
    return s.table.source is not CardOrigin.VIRTUAL_DECK


def _enterable(s: Situation, action: Entry) -> bool:
    """The dealer's cards once turned over; a player's when the hands are opened."""
    if action.position == s.table.dealer_at:
        return s.table.phase is Phase.DEALER and not s.round.dealer_cards
    hand = s.round.hands.get(action.position)
    return s.table.phase is Phase.SETTLING and hand is not None and not hand.cards


def _in_turn(s: Situation, action: Entry) -> bool:
    return action.position == s.table.dealer_at or is_next_open(s.rules, s.table, action.position)


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


def _house_way_if_by_dealer(s: Situation, action: Entry) -> bool:
    """Whether a hand that the dealer set for its player lies as the house way has it."""
    hand, cards = s.round.hands.get(action.position), _cards_of(action)
    if hand is None or not hand.has(HandMark.BY_DEALER) or not _entered_whole(s, action):
        return True
    return same_setting(action.setting, house_setting(s.rules, cards))


def _enter(table: Table, event: Event[Entry, None]) -> Table:
    return table.with_round(typed={**table.round.typed, event.action.position: event.action.setting})


def _is_entered(s: Situation, action: Entry | ConfirmEntry) -> bool:
    return action.position in s.round.typed


def _not_entered(s: Situation, action: EnterHand) -> bool:
    return action.position not in s.round.typed


def _confirm(table: Table, event: Event[ConfirmEntry, None]) -> Table:
    at = event.action.position
    parts = table.round.typed[at]
    cards = tuple(card for part in parts for card in part)
    table = table.with_round(typed={p: setting for p, setting in table.round.typed.items() if p != at})
    if at == table.dealer_at:
        return table.with_round(dealer_cards=cards)
    return table.with_hand(at, cards=cards, setting=parts)


# --- what is due --------------------------------------------------------------------------------------


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


REASON: Final[Guard[CorrectEntry]] = sense(
    "the reason is put on record", lambda _, action: given(action.reason), "reason"
)
ENTRY: Final = (
    moot("the cards of this table are known", is_typed),
    sense("these cards are not open yet", _enterable),
    Guard("in_order", "another hand comes first in the law's order", _in_turn),
    sense("every card of the hand, each once", _entered_whole, "setting"),
    sense("a card that another hand holds", _new_cards, "setting"),
    Guard(
        "sense",
        "the dealer set this hand for its player, and not the house way",
        _house_way_if_by_dealer,
        sense=True,
        warns=True,
        about=("setting",),
    ),
)


STEPS: Final[tuple[AnyStep, ...]] = (
    Step(
        action=EnterHand,
        by=(Role.DEALER,),
        phases=(Phase.DEALER, Phase.SETTLING),
        words=Words(
            "Enter the cards",
            follows="The typed cards wait to be confirmed and can be corrected until then.",
        ),
        guards=(*ENTRY, moot("cards are entered: correct them", _not_entered)),
        checks=(Check(_entry_problems, ("setting",)),),
        evolve=_enter,
        suggest=_suggest_enter,
        asks=lambda *_: {"setting": MUST},
        at_dealer=True,
    ),
    Step(
        action=CorrectEntry,
        by=(Role.DEALER,),
        phases=(Phase.DEALER, Phase.SETTLING),
        exceptional=True,
        words=Words(
            "Correct the entry",
            follows="The corrected cards take the place of those typed before and wait to be confirmed.",
        ),
        guards=(*ENTRY, moot("nothing was entered, or it is confirmed", _is_entered), REASON),
        checks=(Check(_entry_problems, ("setting",)),),
        evolve=_enter,
        at_dealer=True,
    ),
    Step(
        action=ConfirmEntry,
        by=(Role.DEALER,),
        phases=(Phase.DEALER, Phase.SETTLING),
        words=Words(
            "Confirm the entry",
            done="Right",
            follows="The typed cards count as the cards of the hand.",
        ),
        guards=(moot("nothing was entered", _is_entered),),
        evolve=_confirm,
        suggest=_suggest_confirm,
        at_dealer=True,
    ),
)
