"""The starting position: shaken dice, a random number or a flat button; the shaker put back."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from houseway.games import Rules
from houseway.law.claims import standing
from houseway.law.problems import Problem
from houseway.rounds.actions import (
    Action,
    AnnounceTotal,
    CoverShaker,
    DrawNumber,
    PlaceDice,
    ReadButton,
    Shake,
    Uncover,
)
from houseway.rounds.dealing import (
    DICE,
    FACES,
    dice_total,
    position_by_button,
    position_by_dice,
    position_by_number,
    verify_number,
)
from houseway.rounds.lives import verify_dice_age
from houseway.rounds.marks import DeckMark, RoundMark
from houseway.rounds.outcomes import StartFound, Uncovered
from houseway.rounds.roles import Role
from houseway.rounds.state import IN_ROUND, CardOrigin, Phase, Table, changed
from houseway.rounds.step import (
    Actor,
    AnyStep,
    Check,
    CitedOutcome,
    Event,
    Guard,
    Proposal,
    Situation,
    Step,
    law_of,
)
from houseway.rounds.steps.chips import counted, lammers_placed, locked
from houseway.rounds.steps.common import (
    always,
    dealer_of,
    marks_round,
    moot,
    round_has,
    round_has_not,
    sense,
)
from houseway.rounds.steps.cutting import covers_placed

LEAST_SHAKES: Final = 3
GENERATOR: Final = Actor("generator", Role.GENERATOR)


def uses(rules: Rules, method: str) -> bool:
    """Whether the table finds the starting position this way."""
    return method in rules.submission.table.start_methods


def _uses(method: str) -> Guard[Action]:
    return moot(f"the table does not use the {method}", lambda s, _: uses(s.rules, method))


# --- what comes first ---------------------------------------------------------------------------------


def _cover_in_place(s: Situation, _: Action) -> bool:
    deck = s.table.in_play
    return deck is not None and (not deck.has(DeckMark.CUT) or covers_placed(s.rules, deck))


def _no_card_dealt(s: Situation, _: Action) -> bool:
    return not s.round.dealt


def _start_open(s: Situation, _: Action) -> bool:
    return s.round.start is None


PREPARED: Final[tuple[Guard[Action], ...]] = (
    Guard("after_bets", "no more bets is announced first", round_has(RoundMark.NO_MORE_BETS)),
    Guard("cover", "the first cover card goes to the bottom first", _cover_in_place),
    always("lammers", "the Envy lammers are placed first", lammers_placed),
    always("locked", "the progressive is locked first", locked),
    always("counted", "the progressive chips are counted first", counted),
    moot("the first card is dealt already", _no_card_dealt),
)
START_OPEN: Final[Guard[Action]] = moot("the starting position is found already", _start_open)


# --- the shaker ---------------------------------------------------------------------------------------


def _dice_problems(s: Situation, _: Shake) -> Iterable[Problem]:
    if s.table.dice_since is None:
        yield Problem("dice", "no dice are in the shaker")
    else:
        yield from verify_dice_age(s.rules, s.table.dice_since, s.moment.now)


def _shaken(table: Table, event: Event[Shake, None]) -> Table:
    return table.mark_round(RoundMark.SHAKEN).with_round(shakes=table.round.shakes + event.action.times)


def _faces_given(s: Situation, action: Uncover) -> bool:
    if action.dice is not None:
        return len(action.dice) == DICE and all(1 <= face <= FACES for face in action.dice)
    return _spoiled(action) or s.table.source is CardOrigin.VIRTUAL_DECK


def _spoiled(action: Uncover) -> bool:
    """Whether a die leans or lies outside."""
    return not action.flat or bool(action.out)


def _uncovering(s: Situation, action: Uncover) -> Uncovered | CitedOutcome[Uncovered]:
    """Show the dice; if one leans or lies outside there is no roll."""
    if _spoiled(action):
        key = "fallen" if action.flat else "leaning"
        law = standing(law_of(s.rules, "uncover", key))
        no_roll = bool(law) or key not in s.rules.game.procedure["uncover"]
        return CitedOutcome(Uncovered(no_roll=no_roll), law)
    return Uncovered(s.moment.chance.dice(DICE) if action.dice is None else action.dice)


def _uncovered(table: Table, event: Event[Uncover, Uncovered]) -> Table:
    if event.outcome.no_roll:
        marks = table.round.marks - {RoundMark.SHAKEN, RoundMark.UNCOVERED}
        return table.with_round(shakes=0, dice=(), marks=marks)
    return table.mark_round(RoundMark.UNCOVERED).with_round(dice=event.outcome.faces)


def _announced_right(s: Situation, action: AnnounceTotal) -> bool:
    return action.total is None or action.total == sum(s.round.dice)


def _total_possible(_: Situation, action: AnnounceTotal) -> bool:
    return action.total is None or DICE <= action.total <= DICE * FACES


def _totalling(s: Situation, action: AnnounceTotal) -> StartFound:
    """Find the position the dice give, and the one that the announced total gives."""
    game = s.rules.game
    total = dice_total(game, s.round.dice)
    said = total if action.total is None else action.total
    due, start = position_by_dice(game, total), position_by_dice(game, said)
    return StartFound(due, start, total=total, announced=said)


# --- a number or the button ---------------------------------------------------------------------------


def _number_problems(s: Situation, action: DrawNumber) -> Iterable[Problem]:
    if action.number is not None:
        yield from verify_number(s.rules.game, action.number)
    elif s.table.source is not CardOrigin.VIRTUAL_DECK:
        yield Problem("number", "the number that the device shows must be given")


def _drawing(s: Situation, action: DrawNumber) -> StartFound:
    """Draw a number, or take the one the approved device shows."""
    starts = s.rules.game.starts
    drawn = action.number or s.moment.chance.number(starts.numbers if starts else 0)
    position = position_by_number(s.rules.game, drawn)
    return StartFound(position, position, number=drawn)


def _reading(s: Situation, _: ReadButton) -> StartFound:
    position = position_by_button(s.rules.game, s.table.rounds)
    return StartFound(position, position)


def _found(table: Table, event: Event[Action, StartFound]) -> Table:
    found = event.outcome
    return table.with_round(announced=found.announced, due=found.due, start=found.start)


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


def _suggest_number(rules: Rules, table: Table) -> Iterable[Proposal]:
    if uses(rules, "rng") and table.round.start is None:
        yield Proposal(GENERATOR, DrawNumber())


def _suggest_button(rules: Rules, table: Table) -> Iterable[Proposal]:
    if uses(rules, "button") and table.round.start is None:
        yield Proposal(dealer_of(table), ReadButton())


def _suggest_cover(rules: Rules, table: Table) -> Iterable[Proposal]:
    dealt, back = table.round.has(RoundMark.COLLECTED), table.round.has(RoundMark.SHAKER_BACK)
    if uses(rules, "shaker") and dealt and not back:
        yield Proposal(dealer_of(table), CoverShaker(at_right=True, times=1))


STEPS: Final[tuple[AnyStep, ...]] = (
    Step(
        action=PlaceDice,
        phases=tuple(Phase),
        guards=(_uses("shaker"),),
        evolve=lambda table, event: changed(table, dice_since=event.at),
        suggest=_suggest_dice,
    ),
    Step(
        action=Shake,
        phases=(Phase.STARTING,),
        guards=(
            _uses("shaker"),
            *PREPARED,
            START_OPEN,
            sense("a shaker is shaken once or more", lambda _, action: action.times >= 1, "times"),
        ),
        checks=(Check(_dice_problems),),
        evolve=_shaken,
        suggest=_suggest_shaker,
    ),
    Step(
        action=Uncover,
        phases=(Phase.STARTING,),
        guards=(
            _uses("shaker"),
            sense("the shaker is shaken first", round_has(RoundMark.SHAKEN)),
            moot("the shaker is uncovered already", round_has_not(RoundMark.UNCOVERED)),
            Guard("shakes", "at least three shakes", lambda s, _: s.round.shakes >= LEAST_SHAKES),
            sense("three dice, each showing 1 to 6, must be read", _faces_given, "dice"),
        ),
        outcome=_uncovering,
        evolve=_uncovered,
        suggest=_suggest_uncover,
    ),
    Step(
        action=AnnounceTotal,
        phases=(Phase.STARTING,),
        guards=(
            _uses("shaker"),
            always("uncovered", "the shaker is uncovered in its place first", round_has(RoundMark.UNCOVERED)),
            Guard("right", "the announced total is not what the dice show", _announced_right, warns=True),
            sense("three dice total 3 to 18", _total_possible),
            moot("the first card is dealt already", _no_card_dealt),
        ),
        outcome=_totalling,
        evolve=_found,
        suggest=_suggest_total,
    ),
    Step(
        action=DrawNumber,
        phases=(Phase.STARTING,),
        guards=(_uses("rng"), *PREPARED, START_OPEN),
        checks=(Check(_number_problems, ("number",)),),
        outcome=_drawing,
        evolve=_found,
        suggest=_suggest_number,
    ),
    Step(
        action=ReadButton,
        phases=(Phase.STARTING,),
        guards=(_uses("button"), *PREPARED, START_OPEN),
        outcome=_reading,
        evolve=_found,
        suggest=_suggest_button,
    ),
    Step(
        action=CoverShaker,
        phases=IN_ROUND,
        guards=(
            _uses("shaker"),
            always(
                "after_deal",
                "the stub is counted and the empty stacks are collected first",
                round_has(RoundMark.COLLECTED),
            ),
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
    ),
)
