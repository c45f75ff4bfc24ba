"""The starting position by a random number or a flat button; and what comes before any start."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Final

from houseway.games import Rules
from houseway.law.problems import Problem
from houseway.rounds.action import Action
from houseway.rounds.annotations import Ask
from houseway.rounds.asks import NOT_ASKED, Asks, FieldRule
from houseway.rounds.dealing import SEATS, position_by_button, position_by_number, verify_number
from houseway.rounds.marks import DeckMark, RoundMark
from houseway.rounds.outcomes import StartFound
from houseway.rounds.roles import Role
from houseway.rounds.stage import Stage
from houseway.rounds.state import CardOrigin, Phase, Table
from houseway.rounds.step import Actor, AnyStep, Check, Event, Guard, Proposal, Situation, Step, Words
from houseway.rounds.steps.common import always, dealer_of, moot, round_has
from houseway.rounds.steps.cut import covers_placed
from houseway.rounds.steps.lammers import lammers_placed
from houseway.rounds.steps.progressive import counted, locked


class DrawNumber(Action, frozen=True, tag="draw_number"):
    """The random number generator names the starting position."""

    number: Annotated[int | None, Ask("Number shown")] = None


class ReadButton(Action, frozen=True, tag="read_button"):
    """The flat button names the starting position."""


GENERATOR: Final = Actor("generator", Role.GENERATOR)


def uses(rules: Rules, method: str) -> bool:
    """Whether the table finds the starting position this way."""
    return method in rules.submission.table.start_methods


def if_used(method: str) -> Guard[Action]:
    """Ask whether the table finds its start this way: else there is nothing to do."""
    return moot(f"the table does not use the {method}", lambda s, _: uses(s.rules, method))


# --- what comes first ---------------------------------------------------------------------------------


def _cover_in_place(s: Situation, _: Action) -> bool:
    deck = s.table.in_play
    return deck is not None and (not deck.has(DeckMark.CUT) or covers_placed(s.rules, deck))


def no_card_dealt(s: Situation, _: Action) -> bool:
    """Whether no card of the round is dealt yet."""
    return not s.round.dealt


def _start_open(s: Situation, _: Action) -> bool:
    return s.round.start is None


PREPARED: Final[tuple[Guard[Action], ...]] = (
    Guard("after_bets", "no more bets is announced first", round_has(RoundMark.NO_MORE_BETS)),
    Guard("cover", "the first cover card goes to the bottom first", _cover_in_place),
    always("lammers", "the Envy lammers are placed first", lammers_placed),
    always("locked", "the progressive is locked first", locked),
    always("counted", "the progressive chips are counted first", counted),
    moot("the first card is dealt already", no_card_dealt),
)
START_OPEN: Final[Guard[Action]] = moot("the starting position is found already", _start_open)


# --- a number or the button ---------------------------------------------------------------------------


def _number_problems(s: Situation, action: DrawNumber) -> Iterable[Problem]:
    if action.number is not None:
        yield from verify_number(s.rules.game, action.number)
    elif s.table.source is not CardOrigin.VIRTUAL_DECK:
        yield Problem("number", "the number that the device shows must be given")


def _decide_number(s: Situation, action: DrawNumber) -> StartFound:
    """Draw a number, or take the one the approved device shows."""
    starts = s.rules.game.starts
    drawn = action.number or s.moment.chance.number(starts.numbers if starts else 0)
    position = position_by_number(s.rules.game, drawn)
    return StartFound(position, position, number=drawn)


def _decide_button(s: Situation, _: ReadButton) -> StartFound:
    position = position_by_button(s.rules.game, s.table.rounds)
    return StartFound(position, position)


def keep_start(table: Table, event: Event[Action, StartFound]) -> Table:
    """Return the table with its starting position."""
    outcome = event.outcome
    return table.with_round(announced=outcome.announced, due=outcome.due, start=outcome.start)


# --- what is due --------------------------------------------------------------------------------------


def _suggest_number(rules: Rules, table: Table) -> Iterable[Proposal]:
    if uses(rules, "rng") and table.round.start is None:
        yield Proposal(GENERATOR, DrawNumber())


def _suggest_button(rules: Rules, table: Table) -> Iterable[Proposal]:
    if uses(rules, "button") and table.round.start is None:
        yield Proposal(dealer_of(table), ReadButton())


# --- what its fields take -----------------------------------------------------------------------------


def _asks_number(_: Rules, table: Table, __: int) -> Asks:
    known = table.source is CardOrigin.VIRTUAL_DECK
    return {"number": NOT_ASKED if known else FieldRule(least=1, most=SEATS, needed=True)}


STEPS: Final[tuple[AnyStep, ...]] = (
    Step(
        action=DrawNumber,
        stage=Stage.START,
        by=(Role.DEALER, Role.GENERATOR),
        phases=(Phase.STARTING,),
        words=Words(
            "Draw the number",
            follows="The number gives the starting position.",
        ),
        guards=(if_used("rng"), *PREPARED, START_OPEN),
        checks=(Check(_number_problems, ("number",)),),
        outcome=_decide_number,
        evolve=keep_start,
        suggest=_suggest_number,
        asks=_asks_number,
    ),
    Step(
        action=ReadButton,
        stage=Stage.START,
        by=(Role.DEALER,),
        phases=(Phase.STARTING,),
        words=Words(
            "Read the flat button",
            follows="The button gives the starting position.",
        ),
        guards=(if_used("button"), *PREPARED, START_OPEN),
        outcome=_decide_button,
        evolve=keep_start,
        suggest=_suggest_button,
    ),
)
