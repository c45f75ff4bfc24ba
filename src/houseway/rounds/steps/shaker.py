"""The shaker: shaken, uncovered, its dice totalled; covered and put back after the deal."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Final

from houseway.games import Rules
from houseway.law.problems import Problem
from houseway.rounds.action import Action
from houseway.rounds.annotations import Ask, Shown
from houseway.rounds.asks import Asks, FieldRule
from houseway.rounds.dealing import DICE, FACES, dice_total, position_by_dice
from houseway.rounds.lives import verify_dice_age
from houseway.rounds.marks import RoundMark
from houseway.rounds.outcomes import Outcome, StartFound
from houseway.rounds.roles import Role
from houseway.rounds.stage import Stage
from houseway.rounds.state import IN_ROUND, CardOrigin, Phase, Table, changed
from houseway.rounds.step import (
    AnyStep,
    Check,
    CitedOutcome,
    Event,
    Guard,
    Proposal,
    Situation,
    Step,
    Words,
    law_of,
)
from houseway.rounds.steps.common import always, dealer_of, marks_round, moot, round_has, round_has_not, sense
from houseway.rounds.steps.dice import ReadsDice, asks_faces
from houseway.rounds.steps.start import PREPARED, START_OPEN, if_used, keep_start, no_card_dealt, uses


class PlaceDice(Action, frozen=True, tag="place_dice"):
    """Fresh dice come to the table."""


class Shake(Action, frozen=True, tag="shake"):
    """The dealer shakes the shaker."""

    times: Annotated[int, Ask("Shakes")]


class Uncover(ReadsDice, frozen=True, tag="uncover"):
    """The dice are uncovered; on a physical table they are read."""

    flat: Annotated[bool, Ask("Every die lies flat")] = True
    out: Annotated[int, Ask("Dice outside the shaker")] = 0


class AnnounceTotal(Action, frozen=True, tag="announce_total"):
    """The dealer announces what the dice total."""

    total: Annotated[int | None, Ask("Total")] = None


class CoverShaker(Action, frozen=True, tag="cover_shaker"):
    """The shaker is covered, shaken and put back."""

    at_right: Annotated[bool, Ask("The shaker stands at the dealer's right")] = False
    times: Annotated[int, Ask("Shakes")] = 0


class Uncovered(Outcome, frozen=True, tag="uncovered"):
    """What the dice show, or that there was no roll."""

    faces: Annotated[tuple[int, ...], Shown("faces")] = ()
    no_roll: Annotated[bool, Shown("no_roll")] = False


LEAST_SHAKES: Final = 3
NOT_UNCOVERED: Final[Guard[Action]] = moot(
    "the shaker is uncovered already", round_has_not(RoundMark.UNCOVERED)
)


# --- the shaker ---------------------------------------------------------------------------------------


def _dice_problems(s: Situation, _: Shake) -> Iterable[Problem]:
    if s.table.dice_since is None:
        yield Problem("dice", "no dice are in the shaker")
    else:
        yield from verify_dice_age(s.rules, s.table.dice_since, s.moment.now)


def _fresh_dice(table: Table, event: Event[PlaceDice, None]) -> Table:
    """Other dice are in the shaker: a roll of those before them counts only if it was announced."""
    table = changed(table, dice_since=event.at)
    return table if table.round.start is not None else _shake_again(table)


def _shake_again(table: Table) -> Table:
    marks = table.round.marks - {RoundMark.SHAKEN, RoundMark.UNCOVERED}
    return table.with_round(shakes=0, dice=(), marks=marks)


def _shake(table: Table, event: Event[Shake, None]) -> Table:
    return table.mark_round(RoundMark.SHAKEN).with_round(shakes=table.round.shakes + event.action.times)


def _faces_given(s: Situation, action: Uncover) -> bool:
    if action.dice is not None:
        return len(action.dice) == DICE and all(1 <= face <= FACES for face in action.dice)
    return _spoiled(action) or s.table.source is CardOrigin.VIRTUAL_DECK


def _dice_outside(_: Situation, action: Uncover) -> bool:
    return 0 <= action.out <= DICE


def _spoiled(action: Uncover) -> bool:
    """Whether a die leans or lies outside."""
    return not action.flat or bool(action.out)


def _decide_uncovering(s: Situation, action: Uncover) -> Uncovered | CitedOutcome[Uncovered]:
    """Show the dice; if one leans or lies outside there is no roll."""
    if _spoiled(action):
        key = "fallen" if action.flat else "leaning"
        law = law_of(s.rules, "uncover", key)
        return CitedOutcome(Uncovered(no_roll=True), law) if law.binds else Uncovered()
    return Uncovered(s.moment.chance.dice(DICE) if action.dice is None else action.dice)


def _uncover(table: Table, event: Event[Uncover, Uncovered]) -> Table:
    if event.outcome.no_roll:
        return _shake_again(table)
    return table.mark_round(RoundMark.UNCOVERED).with_round(dice=event.outcome.faces)


def _announced_right(s: Situation, action: AnnounceTotal) -> bool:
    return action.total is None or action.total == sum(s.round.dice)


def _total_possible(_: Situation, action: AnnounceTotal) -> bool:
    return action.total is None or DICE <= action.total <= DICE * FACES


def _decide_total(s: Situation, action: AnnounceTotal) -> StartFound:
    """Find the position the dice give, and the one that the announced total gives."""
    game = s.rules.game
    total = dice_total(game, s.round.dice)
    announced = total if action.total is None else action.total
    due, start = position_by_dice(game, total), position_by_dice(game, announced)
    return StartFound(due, start, total=total, announced=announced)


# --- what is due --------------------------------------------------------------------------------------


def _suggest_dice(rules: Rules, table: Table) -> Iterable[Proposal]:
    if uses(rules, "shaker") and table.dice_since is None and table.phase is not Phase.CLOSED:
        yield Proposal(dealer_of(table), PlaceDice())


def _suggest_shaker(rules: Rules, table: Table) -> Iterable[Proposal]:
    if uses(rules, "shaker") and table.round.start is None and not table.round.has(RoundMark.SHAKEN):
        yield Proposal(dealer_of(table), Shake(LEAST_SHAKES))


def _suggest_uncover(_: Rules, table: Table) -> Iterable[Proposal]:
    if table.round.has(RoundMark.SHAKEN) and not table.round.has(RoundMark.UNCOVERED):
        yield Proposal(dealer_of(table), Uncover())


def _suggest_total(_: Rules, table: Table) -> Iterable[Proposal]:
    if table.round.has(RoundMark.UNCOVERED) and table.round.start is None:
        yield Proposal(dealer_of(table), AnnounceTotal(sum(table.round.dice)))


def _suggest_cover(rules: Rules, table: Table) -> Iterable[Proposal]:
    dealt, back = table.round.has(RoundMark.COLLECTED), table.round.has(RoundMark.SHAKER_BACK)
    if uses(rules, "shaker") and dealt and not back:
        yield Proposal(dealer_of(table), CoverShaker(at_right=True, times=1))


# --- what its fields take -----------------------------------------------------------------------------


def _asks_roll(rules: Rules, table: Table, position: int) -> Asks:
    return {**asks_faces(rules, table, position), "out": FieldRule(least=0, most=DICE, default=0)}


STEPS: Final[tuple[AnyStep, ...]] = (
    Step(
        action=PlaceDice,
        stage=Stage.START,
        by=(Role.DEALER,),
        phases=tuple(Phase),
        words=Words(
            "Place fresh dice",
            follows="The shaker has fresh dice, and their time in use begins anew.",
        ),
        guards=(if_used("shaker"),),
        evolve=_fresh_dice,
        suggest=_suggest_dice,
    ),
    Step(
        action=Shake,
        stage=Stage.START,
        by=(Role.DEALER,),
        phases=(Phase.STARTING,),
        words=Words(
            "Shake the shaker",
            follows="The dice are shaken, and they can be uncovered once they have been shaken often enough.",
        ),
        guards=(
            if_used("shaker"),
            *PREPARED,
            START_OPEN,
            NOT_UNCOVERED,
            sense("a shaker is shaken once or more", lambda _, action: action.times >= 1, "times"),
        ),
        checks=(Check(_dice_problems),),
        evolve=_shake,
        suggest=_suggest_shaker,
        asks=lambda *_: {"times": FieldRule(least=1)},
    ),
    Step(
        action=Uncover,
        stage=Stage.START,
        by=(Role.DEALER,),
        phases=(Phase.STARTING,),
        words=Words(
            "Uncover the dice",
            follows="Dice that lie right can be totalled, and a roll that does not count is shaken again.",
        ),
        guards=(
            if_used("shaker"),
            sense("the shaker is shaken first", round_has(RoundMark.SHAKEN)),
            NOT_UNCOVERED,
            Guard("shakes", "at least three shakes", lambda s, _: s.round.shakes >= LEAST_SHAKES),
            sense("three dice, each showing 1 to 6, must be read", _faces_given, "dice"),
            sense("as many dice lie outside as there are, at most", _dice_outside, "out"),
        ),
        outcome=_decide_uncovering,
        evolve=_uncover,
        suggest=_suggest_uncover,
        asks=_asks_roll,
    ),
    Step(
        action=AnnounceTotal,
        stage=Stage.START,
        by=(Role.DEALER,),
        phases=(Phase.STARTING,),
        words=Words(
            "Announce the total",
            follows="The announced total gives the starting position.",
        ),
        guards=(
            if_used("shaker"),
            always("uncovered", "the shaker is uncovered in its place first", round_has(RoundMark.UNCOVERED)),
            Guard("right", "the announced total is not what the dice show", _announced_right, warns=True),
            sense("three dice total 3 to 18", _total_possible),
            moot("the first card is dealt already", no_card_dealt),
        ),
        outcome=_decide_total,
        evolve=keep_start,
        suggest=_suggest_total,
        asks=lambda *_: {"total": FieldRule(least=DICE, most=DICE * FACES)},
    ),
    Step(
        action=CoverShaker,
        stage=Stage.DEAL,
        by=(Role.DEALER,),
        phases=IN_ROUND,
        words=Words(
            "Cover the shaker",
            follows="The shaker has been shaken once more and is back in its place for the next round.",
        ),
        guards=(
            if_used("shaker"),
            always(
                "after_deal",
                "the stub is counted and the empty stacks are collected first",
                round_has(RoundMark.COLLECTED),
            ),
            moot("the shaker is in its place already", round_has_not(RoundMark.SHAKER_BACK)),
            Guard(
                "once",
                "the covered shaker is shaken once",
                lambda _, action: action.times == 1,
                about=("times",),
            ),
            Guard(
                "at_right",
                "the shaker stands at the dealer's right",
                lambda _, action: action.at_right,
                warns=True,
            ),
        ),
        evolve=marks_round(RoundMark.SHAKER_BACK),
        suggest=_suggest_cover,
        asks=lambda *_: {"times": FieldRule(least=1, most=1, default=1)},
    ),
)
