"""The players look at their cards, ask for the house way, and set their hands once, in the law's order."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain
from typing import Annotated, Final

from houseway.games import Rules
from houseway.law.problems import Problem
from houseway.ranking import Setting, verify_setting, verify_split
from houseway.rounds.action import OnHand
from houseway.rounds.annotations import Ask, Readers, Shown
from houseway.rounds.asks import MUST, NOT_ASKED, Asks
from houseway.rounds.houseway import by_house_way, dealer_program, house_setting, same_setting
from houseway.rounds.marks import HandMark, RoundMark
from houseway.rounds.outcomes import Outcome
from houseway.rounds.roles import Role
from houseway.rounds.stage import Stage
from houseway.rounds.state import CardOrigin, Hand, Phase, Table
from houseway.rounds.step import AnyStep, Check, Event, Guard, Panel, Proposal, Situation, Step, Words, in_law
from houseway.rounds.steps.common import (
    always,
    dealer_of,
    hand_has_not,
    hand_of,
    if_marked,
    is_own_hand,
    is_playing,
    marks_hand,
    moot,
    player_at,
    round_has,
    sense,
)
from houseway.settlement import Status
from houseway.settlement.model import MAIN


class Look(OnHand, frozen=True, tag="look"):
    """A player looks at the cards."""


class AskHelp(OnHand, frozen=True, tag="ask_help"):
    """A player asks for the house way."""


class SetHand(OnHand, frozen=True, tag="set"):
    """A hand is set and placed; where cards are typed in later, without saying how."""

    setting: Annotated[Setting | None, Ask("Setting"), Readers.OWNER] = None


class Advised(Outcome, frozen=True, tag="advised", kw_only=True):
    """The house way for a player who asked, unless a display shows it later."""

    by_display: bool = False
    setting: Annotated[Setting | None, Shown("setting"), Readers.ADVISED] = None
    rule: Annotated[str, Shown("rule"), Readers.ADVISED] = ""
    """The rule of the way that fired: its name tells what kind of hand it is."""
    way: Annotated[str, Shown("way")] = ""


_DEALER, _LEFT = Role.DEALER, HandMark.LEFT
_DEALER_SETS: Final = frozenset({HandMark.HELPED, HandMark.ASKED, HandMark.LEFT})
"""A hand so marked is set by the dealer: its player asked for help, or is no longer there to set it."""


# --- whose hand, and which first ----------------------------------------------------------------------


def own_or_dealer(s: Situation, action: OnHand) -> bool:
    """Whether it is the player of the hand who acts, or the dealer."""
    return is_own_hand(s, action) or s.by.role is _DEALER


def _dealer_asked(s: Situation, action: OnHand) -> bool:
    """The dealer sets a hand for a player who asked for help, or is no longer there to set it."""
    return s.by.role is not _DEALER or not hand_of(s, action).marks.isdisjoint(_DEALER_SETS)


def _there(s: Situation, action: OnHand) -> bool:
    """A player who has left the table plays no hand: the dealer does, if the floor lets it be played."""
    return s.by.role is _DEALER or not hand_of(s, action).has(_LEFT)


def beside(table: Table, hand: Hand) -> Hand | None:
    """Return the other hand of a player who has two areas."""
    theirs = [other for other in table.round.hands.values() if other.person == hand.person]
    if len(theirs) == 1:
        return None
    return next((other for other in theirs if other is not hand and other in table.round.playing()), None)


def _larger_first(s: Situation, action: SetHand) -> bool:
    hand = hand_of(s, action)
    other = beside(s.table, hand)
    return other is None or other.has(HandMark.PLACED) or other.amount(MAIN) <= hand.amount(MAIN)


def _lower_first(s: Situation, action: SetHand) -> bool:
    hand = hand_of(s, action)
    other = beside(s.table, hand)
    if other is None or other.has(HandMark.PLACED) or other.amount(MAIN) != hand.amount(MAIN):
        return True
    return hand.position < other.position


# --- set ----------------------------------------------------------------------------------------------


def _looked(s: Situation, action: SetHand) -> bool:
    return s.by.role is _DEALER or hand_of(s, action).has(HandMark.LOOKED)


def _own_cards(s: Situation, action: SetHand) -> bool:
    return {*hand_of(s, action).cards}.issuperset(chain.from_iterable(action.setting or ()))


def _setting_known(s: Situation, action: SetHand) -> bool:
    """A setting is required where the cards are known; cards that were typed in are set already."""
    return bool(hand_of(s, action).cards) == bool(action.setting)


def _split_problems(s: Situation, action: SetHand) -> Iterable[Problem]:
    """A setting that does not use the dealt cards is refused where the law refuses it; else it is a foul."""
    setting, cards = action.setting, hand_of(s, action).cards
    if not setting:
        return ()
    order = s.rules.ranking()
    wrong = verify_split(order, cards, setting, name_dealt=False)
    if not wrong:
        return verify_setting(order, setting) if s.rules.banked else ()
    if order.document.split.wrong == "refused":
        return wrong
    if sorted(card for part in setting for card in part) != sorted(cards):
        return (Problem("set", "every dealt card is set, once"),)
    return ()


def _set(table: Table, event: Event[SetHand, None]) -> Table:
    hand = table.round.hands[event.action.position]
    by_dealer = event.by.role is _DEALER
    marks = {HandMark.PLACED, HandMark.BY_DEALER} if by_dealer else {HandMark.PLACED}
    setting = event.action.setting or hand.setting
    return table.with_hand(hand.position, setting=setting, marks=hand.marks | marks)


# --- the house way for a player -----------------------------------------------------------------------


def by_display(rules: Rules) -> bool:
    """Whether a player's house way is shown on the display, and set by it."""
    return rules.way == "iverify_hwv"


def _looked_where_due(s: Situation, action: AskHelp) -> bool:
    """Whether the player has looked, where the law has every player examine the cards."""
    return hand_of(s, action).has(HandMark.LOOKED) or not in_law(s.rules, "set", "looked")


def _decide_advice(s: Situation, action: AskHelp) -> Advised:
    if by_display(s.rules):
        return Advised(by_display=True)  # shown when everyone else has set
    way, cards = dealer_program(s.rules).way, hand_of(s, action).cards
    if not cards:
        return Advised(way=way.id)  # the cards are real: the dealer tells the way of setting them
    decision = by_house_way(s.rules, cards)
    return Advised(setting=decision.setting, rule=decision.rule, way=way.id)


def _help(table: Table, event: Event[AskHelp, Advised]) -> Table:
    """With a house-way display the request stands: the display sets the hand when its turn comes."""
    mark = HandMark.ASKED if event.outcome.by_display else HandMark.HELPED
    return table.mark_hand(event.action.position, mark)


def _can_be_told(s: Situation, action: AskHelp) -> bool:
    """A display shows only cards that it knows; the dealer can always show the house way."""
    return bool(hand_of(s, action).cards) or not by_display(s.rules)


def _by_hand(s: Situation, _: SetHand) -> bool:
    """Under the strict reading of wa:W11 the dealer sets by hand for those who may not use the display."""
    strict = s.rules.readings.get("wa_house_way_requests") == "strict"
    return strict and s.by.role is _DEALER


def _as_asked(s: Situation, action: SetHand) -> bool:
    """What the dealer sets for a person who asked for help is the house way and nothing else."""
    cards = hand_of(s, action).cards
    return not action.setting or not cards or same_setting(action.setting, house_setting(s.rules, cards))


def _by_dealer_as_asked(s: Situation, action: SetHand) -> bool:
    return s.by.role is not _DEALER or _as_asked(s, action)


def _not_on_display(s: Situation, action: SetHand) -> bool:
    """Whether the display does not show the house way of this hand just now."""
    return s.round.display != action.position


# --- what is due --------------------------------------------------------------------------------------


def _suggest_look(_: Rules, table: Table) -> Iterable[Proposal]:
    for hand in table.round.playing():
        seen = hand.has(HandMark.LOOKED) or hand.has(_LEFT)
        if not seen and hand.status is Status.PLAYED:
            yield Proposal(player_at(table, hand.position), Look(hand.position))


def _suggest_set(_: Rules, table: Table) -> Iterable[Proposal]:
    """Suggest that every hand is set that is not; how, is another question."""
    for hand in table.round.playing():
        if hand.has(HandMark.PLACED) or hand.status is not Status.PLAYED:
            continue
        by = dealer_of(table) if hand.has(_LEFT) else player_at(table, hand.position)
        yield Proposal(by, SetHand(hand.position))


def with_setting(rules: Rules, table: Table, proposal: Proposal) -> Proposal:
    """Return a suggestion that says how the hand is set where it needs to: the house way."""
    action = proposal.action
    if not isinstance(action, SetHand) or action.setting is not None:
        return proposal
    cards = table.round.hands[action.position].cards
    setting = house_setting(rules, cards) if cards else None
    return Proposal(proposal.by, SetHand(action.position, setting))


LEFT: Final[Guard[OnHand]] = always("seated", "the player has left the table", _there)


# --- what its fields take -----------------------------------------------------------------------------


def _asks_setting(_: Rules, table: Table, position: int) -> Asks:
    hand = table.round.hands.get(position)
    known = bool(hand.cards) if hand else table.source is not CardOrigin.TYPED
    return {"setting": MUST if known else NOT_ASKED}


STEPS: Final[tuple[AnyStep, ...]] = (
    Step(
        action=Look,
        stage=Stage.PLAYERS,
        by=(Role.PLAYER,),
        phases=(Phase.SETTING,),
        words=Words(
            "Look at the cards",
            follows="The player has seen the cards and can set the hand.",
        ),
        guards=(
            Guard(
                "after_deal",
                "the cards are looked at when the deal is complete",
                round_has(RoundMark.COLLECTED),
            ),
            always("owner", "only the player and the dealer touch the cards", is_own_hand),
            LEFT,
            Guard("untouched", "a placed hand is not touched again", hand_has_not(HandMark.PLACED)),
            always(
                "choice_first",
                "the exposed hand is first played or voided",
                hand_has_not(HandMark.CHOOSING),
            ),
            moot("the hand is not in play", is_playing),
        ),
        evolve=marks_hand(HandMark.LOOKED),
        suggest=_suggest_look,
        deliberate=True,
        panels=(Panel.SEAT,),
    ),
    Step(
        action=AskHelp,
        stage=Stage.PLAYERS,
        by=(Role.PLAYER,),
        phases=(Phase.SETTING,),
        words=Words(
            "Ask for house way",
            follows="The player gets the house way for the hand, at once or on the display.",
        ),
        guards=(
            sense("only the player of the hand", is_own_hand),
            LEFT,
            moot("the hand is set already", hand_has_not(HandMark.PLACED)),
            moot("the display does not know the cards", _can_be_told),
            sense("the cards are looked at first", _looked_where_due),
        ),
        outcome=_decide_advice,
        evolve=_help,
        choice=True,
        panels=(Panel.SEAT,),
    ),
    Step(
        action=SetHand,
        stage=Stage.PLAYERS,
        by=(Role.PLAYER, Role.DEALER),
        phases=(Phase.SETTING,),
        words=Words(
            "Set the hand",
            follows="The hand is placed, and its player does not touch it again.",
        ),
        guards=(
            always("owner", "each player sets their own hand", own_or_dealer),
            always("asked", "the player has not asked the dealer for help", _dealer_asked),
            LEFT,
            Guard("looked", "the player looks at the cards first", _looked),
            moot("the hand is not in play", is_playing),
            sense("the exposed hand is first played or voided", hand_has_not(HandMark.CHOOSING)),
            Guard(
                "once",
                "a hand set and placed is not changed",
                hand_has_not(HandMark.PLACED),
                sense=True,
                moot=True,
            ),
            always("untouched", "a placed hand is not touched again", hand_has_not(HandMark.PLACED)),
            always("own_cards", "the cards of each area are played separately", _own_cards, "setting"),
            Guard("larger_first", "the hand with the larger wager is set first", _larger_first),
            Guard("lower_first", "equal wagers: counterclockwise, one hand after the other", _lower_first),
            sense(
                "the house way was asked for: the display sets the hand",
                if_marked(HandMark.ASKED, _by_hand),
            ),
            sense("who asked for the house way gets it", if_marked(HandMark.ASKED, _as_asked), "setting"),
            Guard(
                "house_way",
                "who asked for the house way gets it",
                if_marked(HandMark.HELPED, _by_dealer_as_asked),
                about=("setting",),
            ),
            sense(
                "the hand of a player who has left is set the house way",
                if_marked(_LEFT, _by_dealer_as_asked),
                "setting",
            ),
            sense("the display shows the hand: it is left first", _not_on_display),
            sense(
                "the setting is given, except where the cards are typed in later", _setting_known, "setting"
            ),
        ),
        checks=(Check(_split_problems, ("setting",)),),
        evolve=_set,
        suggest=_suggest_set,
        asks=_asks_setting,
        choice=True,
        deliberate=True,
        panels=(Panel.SEAT,),
    ),
)
