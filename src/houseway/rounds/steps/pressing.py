"""Washington's start of a round: the green button, or the dice cup before it; and the house-way display."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from houseway.errors import IllegalError
from houseway.games import Rules
from houseway.law.claims import rest_on
from houseway.law.problems import Problem
from houseway.rounds.actions import (
    Action,
    ExitDisplay,
    PressStart,
    ShakeCup,
    ShakeDice,
    ShowPlayerWay,
    Uncover,
)
from houseway.rounds.dealing import (
    DICE,
    FACES,
    SEATS,
    dice_in_words,
    dice_total,
    position_by_dice,
    position_by_number,
    verify_number,
)
from houseway.rounds.houseway import shown_on_display
from houseway.rounds.marks import HandMark, RoundMark, TableMark
from houseway.rounds.outcomes import CupShaken, RoundStarted, WayShown
from houseway.rounds.state import CardOrigin, Hand, Phase, Table
from houseway.rounds.step import AnyStep, Check, Event, Guard, Proposal, Situation, Step, law_of
from houseway.rounds.steps.betting import bets_closed, closing, deck_ready, not_ordered, rack_clear
from houseway.rounds.steps.chips import accepted
from houseway.rounds.steps.common import (
    always,
    dealer_of,
    hand_has,
    hand_has_not,
    hand_of,
    moot,
    round_has,
    round_has_not,
    sense,
)
from houseway.settlement import Status
from houseway.settlement.model import DEALER

DICE_CUP: Final = "dice_cup"
WITH_DISPLAY: Final = "iverify_hwv"
DEALER_SCREEN: Final = "DEALER HOUSE WAY"
PLAYER_SCREEN: Final = "PLAYER HOUSE WAY"


# --- the dice cup and the green button ----------------------------------------------------------------


def position_of_number(rules: Rules, number: int) -> int:
    """Return the position that a starting number means, by the table's own map of spots."""
    if not rules.submission.table.position_map:
        return number
    named = rules.position_for(number)
    if named == "dealer":
        return DEALER
    try:
        spot = int(named.removeprefix("spot "))
    except ValueError:
        raise IllegalError("a spot is written spot 1 to spot 6, or dealer", value=named) from None
    return SEATS + 1 - spot


def _by_dice(rules: Rules) -> bool:
    return rules.way == DICE_CUP


def dice_in_cup(rules: Rules) -> int:
    """Return how many dice the cup holds: three, or as many as the house's own procedure says."""
    return rules.submission.table.dice or DICE


def dice_problems(s: Situation, action: ShakeCup | ShakeDice | Uncover) -> Iterable[Problem]:
    """Yield what is wrong with the dice that were read, or not read where nothing else shows them."""
    faces, number = action.dice, dice_in_cup(s.rules)
    if faces is None and s.table.source is not CardOrigin.VIRTUAL_DECK:
        yield Problem("dice", "the dice must be read")
    if faces is not None and (len(faces) != number or not all(f in range(1, FACES + 1) for f in faces)):
        yield Problem("dice", f"{dice_in_words(number)}, each showing 1 to 6", str(faces))


def _shaking(s: Situation, action: ShakeCup) -> CupShaken:
    game, number = s.rules.game, dice_in_cup(s.rules)
    faces = action.dice or s.moment.chance.dice(number)
    total = dice_total(game, faces, number)
    start = position_of_number(s.rules, position_by_dice(game, total, number))
    return CupShaken(faces=faces, total=total, start=start, closed=closing(s))


def _shaken(table: Table, event: Event[ShakeCup, CupShaken]) -> Table:
    shown = event.outcome
    table = bets_closed(table, shown.closed)
    return table.with_round(dice=shown.faces, announced=shown.total, due=shown.start, start=shown.start)


def _starting(s: Situation, action: PressStart) -> RoundStarted:
    """The device shows a number from 1 to 7; with the dice cup the start is known already."""
    if _by_dice(s.rules) and s.round.start is not None:
        return RoundStarted(start=s.round.start)
    drawn = action.number or s.moment.chance.number(SEATS)
    start = position_of_number(s.rules, position_by_number(s.rules.game, drawn))
    return RoundStarted(start=start, number=drawn, closed=closing(s))


def _started(table: Table, event: Event[PressStart, RoundStarted]) -> Table:
    start, closed = event.outcome.start, event.outcome.closed
    if closed is not None:
        table = bets_closed(table, closed)
    return table.with_round(start=start, due=start, marks=table.round.marks | {RoundMark.STARTED})


def _number_problems(s: Situation, action: PressStart) -> Iterable[Problem]:
    if action.number is not None:
        yield from verify_number(s.rules.game, action.number)
    elif s.table.source is not CardOrigin.VIRTUAL_DECK and not _by_dice(s.rules):
        yield Problem("number", "the number that the display shows must be given")


def _dice_first(s: Situation, _: PressStart) -> bool:
    return not _by_dice(s.rules) or bool(s.round.dice)


def _right_moment(s: Situation, _: PressStart) -> bool:
    return s.table.phase is (Phase.STARTING if _by_dice(s.rules) else Phase.BETTING)


def _coin_in_done(s: Situation, _: Action) -> bool:
    return not accepted(s.table) or s.round.has(RoundMark.COIN_IN)


def _bets_removed(s: Situation, _: Action) -> bool:
    return not accepted(s.table) or s.round.has(RoundMark.CHIPS_REMOVED)


# --- the display --------------------------------------------------------------------------------------


def screen(rules: Rules, table: Table) -> str:
    """Return what the display shows: the dealer's house way once the unused hands are gone."""
    if table.round.display is not None:
        return f"{PLAYER_SCREEN} {table.round.display}"
    if not table.round.has(RoundMark.COLLECTED):
        return ""
    rest_on(*law_of(rules, "show_player_way", "screen"))
    return DEALER_SCREEN


def _decided(rules: Rules, hand: Hand) -> bool:
    """Whether a seat no longer chooses: set, or waiting on a request it cannot take back (reading wa:W11)."""
    waiting = rules.readings.get("wa_house_way_requests") == "request_counts_as_set"
    placed = hand.has(HandMark.PLACED) or hand.status is not Status.PLAYED
    return placed or (waiting and hand.has(HandMark.ASKED))


def _others_set(s: Situation, action: ShowPlayerWay) -> bool:
    others = [hand for hand in s.round.playing() if hand.position != action.position]
    return all(_decided(s.rules, hand) for hand in others)


def _showing(s: Situation, action: ShowPlayerWay) -> WayShown:
    return WayShown(shown_on_display(s.rules, hand_of(s, action).cards))


def _shown(table: Table, event: Event[ShowPlayerWay, WayShown]) -> Table:
    at = event.action.position
    return table.with_hand(at, setting=event.outcome.setting).with_round(display=at)


def _exit(table: Table, _: Event[ExitDisplay, None]) -> Table:
    at = table.round.display
    if at is None:
        return table
    return table.mark_hand(at, HandMark.PLACED, HandMark.BY_DISPLAY).with_round(display=None)


# --- what is due --------------------------------------------------------------------------------------


def _suggest_cup(rules: Rules, table: Table) -> Iterable[Proposal]:
    if _by_dice(rules) and table.round.active() and deck_ready(rules, table):
        yield Proposal(dealer_of(table), ShakeCup())


def _suggest_press(rules: Rules, table: Table) -> Iterable[Proposal]:
    ready = bool(table.round.active()) and deck_ready(rules, table)
    if ready and not table.round.has(RoundMark.STARTED):
        yield Proposal(dealer_of(table), PressStart())


def _suggest_show(_: Rules, table: Table) -> Iterable[Proposal]:
    for hand in table.round.playing():
        if hand.has(HandMark.ASKED) and not hand.has(HandMark.PLACED):
            yield Proposal(dealer_of(table), ShowPlayerWay(hand.position))


def _suggest_exit(_: Rules, table: Table) -> Iterable[Proposal]:
    if table.round.display is not None:
        yield Proposal(dealer_of(table), ExitDisplay())


READY: Final[tuple[Guard[Action], ...]] = (
    sense("nobody has wagered", lambda s, _: bool(s.round.active())),
    sense("a shuffled and loaded deck is needed first", lambda s, _: deck_ready(s.rules, s.table)),
    sense("the cards in the rack go to the shuffler first", lambda s, _: rack_clear(s.table)),
    sense("a floorperson has ordered a shuffle", lambda s, _: not_ordered(s.table)),
    always("coin_in", "COIN IN is pressed first", _coin_in_done),
    always("removed", "the progressive bets are removed first", _bets_removed),
    always("key", "the key stands at RUN first", lambda s, _: not s.table.has(TableMark.KEY_JPH)),
)

STEPS: Final[tuple[AnyStep, ...]] = (
    Step(
        action=ShakeCup,
        phases=(Phase.BETTING,),
        guards=(
            moot("the table does not start by the dice cup", lambda s, _: _by_dice(s.rules)),
            *READY,
        ),
        checks=(Check(dice_problems, ("dice",)),),
        outcome=_shaking,
        evolve=_shaken,
        suggest=_suggest_cup,
    ),
    Step(
        action=PressStart,
        phases=(Phase.BETTING, Phase.STARTING),
        guards=(
            always("dice", "the dice are shaken first", _dice_first),
            sense("not at this moment", _right_moment),
            moot("the button is pressed already", round_has_not(RoundMark.STARTED)),
            *READY,
        ),
        checks=(Check(_number_problems, ("number",)),),
        outcome=_starting,
        evolve=_started,
        suggest=_suggest_press,
    ),
    Step(
        action=ShowPlayerWay,
        phases=(Phase.SETTING,),
        guards=(
            moot("the table has no house-way display", lambda s, _: s.rules.way == WITH_DISPLAY),
            moot("the player has not asked", hand_has(HandMark.ASKED)),
            moot("the hand is set already", hand_has_not(HandMark.PLACED)),
            sense("another hand is on the display", lambda s, _: s.round.display is None),
            always("others_set", "every other player has set their hand first", _others_set),
            sense("the unused hands are put away first", round_has(RoundMark.COLLECTED)),
        ),
        outcome=_showing,
        evolve=_shown,
        suggest=_suggest_show,
    ),
    Step(
        action=ExitDisplay,
        phases=(Phase.SETTING,),
        guards=(moot("no player's hand is on the display", lambda s, _: s.round.display is not None),),
        evolve=_exit,
        suggest=_suggest_exit,
    ),
)
