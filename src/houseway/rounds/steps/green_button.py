"""Washington's start of a round: the green button, or the dice cup before it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Final

from houseway.errors import IllegalError
from houseway.games import Rules
from houseway.law.problems import Problem
from houseway.rounds.action import Action
from houseway.rounds.annotations import Ask, Shown
from houseway.rounds.asks import NOT_ASKED, Asks, FieldRule
from houseway.rounds.dealing import SEATS, dice_total, position_by_dice, position_by_number, verify_number
from houseway.rounds.marks import RoundMark, TableMark
from houseway.rounds.outcomes import BetsClosed, Outcome
from houseway.rounds.roles import Role
from houseway.rounds.stage import Stage
from houseway.rounds.state import CardOrigin, Phase, Table
from houseway.rounds.step import AnyStep, Check, Event, Guard, Proposal, Situation, Step, Words
from houseway.rounds.steps.common import always, dealer_of, moot, round_has_not, sense
from houseway.rounds.steps.dice import DICE_CUP, ReadsDice, asks_faces, dice_in_cup, dice_problems
from houseway.rounds.steps.no_more_bets import close_bets, decide_closing, deck_ready, not_ordered, rack_clear
from houseway.rounds.steps.progressive import count_accepted
from houseway.settlement.model import DEALER


class ShakeCup(ReadsDice, frozen=True, tag="shake_cup"):
    """The dealer shakes the dice cup."""


class PressStart(Action, frozen=True, tag="press_start"):
    """The dealer presses the green button."""

    number: Annotated[int | None, Ask("Number shown")] = None


class CupShaken(Outcome, frozen=True, tag="cup_shaken", kw_only=True):
    """What the dice cup shows and where it starts the deal; shaking it closes the bets."""

    faces: Annotated[tuple[int, ...], Shown("faces")]
    total: Annotated[int, Shown("total")]
    start: Annotated[int, Shown("start")]
    closed: BetsClosed


class RoundStarted(Outcome, frozen=True, tag="round_started", kw_only=True):
    """Where the green button starts the deal, and the bets that it closed."""

    start: Annotated[int, Shown("start")]
    number: Annotated[int | None, Shown("number")] = None
    closed: BetsClosed | None = None


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


def _decide_shake(s: Situation, action: ShakeCup) -> CupShaken:
    game, number = s.rules.game, dice_in_cup(s.rules)
    faces = action.dice or s.moment.chance.dice(number)
    total = dice_total(game, faces, number)
    start = position_of_number(s.rules, position_by_dice(game, total, number))
    return CupShaken(faces=faces, total=total, start=start, closed=decide_closing(s))


def _shake(table: Table, event: Event[ShakeCup, CupShaken]) -> Table:
    shown = event.outcome
    table = close_bets(table, shown.closed)
    return table.with_round(dice=shown.faces, announced=shown.total, due=shown.start, start=shown.start)


def _decide_start(s: Situation, action: PressStart) -> RoundStarted:
    """The device shows a number from 1 to 7; with the dice cup the start is known already."""
    if _by_dice(s.rules) and s.round.start is not None:
        return RoundStarted(start=s.round.start)
    drawn = action.number or s.moment.chance.number(SEATS)
    start = position_of_number(s.rules, position_by_number(s.rules.game, drawn))
    return RoundStarted(start=start, number=drawn, closed=decide_closing(s))


def _start(table: Table, event: Event[PressStart, RoundStarted]) -> Table:
    start, closed = event.outcome.start, event.outcome.closed
    if closed is not None:
        table = close_bets(table, closed)
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
    return not count_accepted(s.table) or s.round.has(RoundMark.COIN_IN)


def _bets_removed(s: Situation, _: Action) -> bool:
    return not count_accepted(s.table) or s.round.has(RoundMark.CHIPS_REMOVED)


# --- what is due --------------------------------------------------------------------------------------


def _suggest_cup(rules: Rules, table: Table) -> Iterable[Proposal]:
    if _by_dice(rules) and table.round.active() and deck_ready(rules, table):
        yield Proposal(dealer_of(table), ShakeCup())


def _suggest_press(rules: Rules, table: Table) -> Iterable[Proposal]:
    ready = bool(table.round.active()) and deck_ready(rules, table)
    if ready and not table.round.has(RoundMark.STARTED):
        yield Proposal(dealer_of(table), PressStart())


READY: Final[tuple[Guard[Action], ...]] = (
    sense("nobody has wagered", lambda s, _: bool(s.round.active())),
    sense("a shuffled and loaded deck is needed first", lambda s, _: deck_ready(s.rules, s.table)),
    sense("the cards in the rack go to the shuffler first", lambda s, _: rack_clear(s.table)),
    sense("a floorperson has ordered a shuffle", lambda s, _: not_ordered(s.table)),
    always("coin_in", "COIN IN is pressed first", _coin_in_done),
    always("removed", "the progressive bets are removed first", _bets_removed),
    always("key", "the key stands at RUN first", lambda s, _: not s.table.has(TableMark.KEY_JPH)),
)


# --- what its fields take -----------------------------------------------------------------------------


def _asks_number(rules: Rules, table: Table, _: int) -> Asks:
    known = table.source is CardOrigin.VIRTUAL_DECK or rules.way == DICE_CUP
    return {"number": NOT_ASKED if known else FieldRule(least=1, most=SEATS, needed=True)}


STEPS: Final[tuple[AnyStep, ...]] = (
    Step(
        action=ShakeCup,
        stage=Stage.START,
        by=(Role.DEALER,),
        phases=(Phase.BETTING,),
        words=Words(
            "Shake the dice cup",
            follows="The bets are closed, and the total of the dice gives the starting position.",
        ),
        guards=(
            moot("the table does not start by the dice cup", lambda s, _: _by_dice(s.rules)),
            *READY,
        ),
        checks=(Check(dice_problems, ("dice",)),),
        outcome=_decide_shake,
        evolve=_shake,
        suggest=_suggest_cup,
        asks=asks_faces,
        after_bets=True,
    ),
    Step(
        action=PressStart,
        stage=Stage.START,
        by=(Role.DEALER,),
        phases=(Phase.BETTING, Phase.STARTING),
        words=Words(
            "Press the green button",
            done="Press",
            follows="The bets are closed, the starting position is known, and the deal can follow.",
        ),
        guards=(
            always("dice", "the dice are shaken first", _dice_first),
            sense("not at this moment", _right_moment),
            moot("the button is pressed already", round_has_not(RoundMark.STARTED)),
            *READY,
        ),
        checks=(Check(_number_problems, ("number",)),),
        outcome=_decide_start,
        evolve=_start,
        suggest=_suggest_press,
        asks=_asks_number,
        after_bets=True,
    ),
)
