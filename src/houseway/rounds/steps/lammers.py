"""Envy lammers, placed where a wager earns Envy Bonuses."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Annotated, Final

from houseway.games import Rules
from houseway.rounds.action import Action, Position
from houseway.rounds.annotations import Ask, Shown
from houseway.rounds.asks import unprompted
from houseway.rounds.marks import RoundMark
from houseway.rounds.outcomes import Outcome
from houseway.rounds.roles import Role
from houseway.rounds.stage import Stage
from houseway.rounds.state import Phase, Table
from houseway.rounds.step import A, AnyStep, Event, Guard, Proposal, Situation, Step, Words, in_law
from houseway.rounds.steps.common import always, dealer_of, moot, sense


class PlaceLammers(Action, frozen=True, tag="place_lammers"):
    """The Envy lammers are placed."""

    positions: Annotated[tuple[Position, ...] | None, Ask("Positions")] = None


class LammersPlaced(Outcome, frozen=True, tag="lammers_placed"):
    """Where the Envy lammers lie."""

    positions: Annotated[tuple[int, ...], Shown("positions")]


BONUS: Final = "bonus"
"""The family of wagers whose Envy Bonuses have lammers."""


# --- lammers ------------------------------------------------------------------------------------------


def due_lammers(rules: Rules, table: Table) -> tuple[int, ...]:
    """Return the positions whose wager earns Envy Bonuses on a bonus."""
    active = table.round.active()
    bonuses = [terms.id for terms in rules.envied if terms.family == BONUS]
    return tuple(
        sorted(
            {
                hand.position
                for wager in bonuses
                for hand in active
                if wager in hand.wagers and rules.qualifies_for_envy(wager, hand.wagers[wager])
            }
        )
    )


def _right_lammers(s: Situation, action: PlaceLammers) -> bool:
    return action.positions is None or tuple(sorted(action.positions)) == due_lammers(s.rules, s.table)


def _all_in_place(rules: Rules, table: Table) -> bool:
    return table.round.lammers == frozenset(due_lammers(rules, table))


def lammers_placed(s: Situation, _: Action) -> bool:
    """Whether every lammer lies where it belongs, if the table has any; once cards are dealt they stay."""
    return s.round.dealt > 0 or _all_in_place(s.rules, s.table)


def _in_time(s: Situation, _: PlaceLammers) -> bool:
    """Whether the bets are closed, where the law does not have a lammer given with the wager."""
    return s.round.has(RoundMark.NO_MORE_BETS) or in_law(s.rules, "place_lammers", "with_wager")


def _not_yet_placed(s: Situation, _: PlaceLammers) -> bool:
    return not (s.round.has(RoundMark.LAMMERS) and _all_in_place(s.rules, s.table))


def _decide_lammers(s: Situation, _: PlaceLammers) -> LammersPlaced:
    return LammersPlaced(due_lammers(s.rules, s.table))


def _place(table: Table, event: Event[PlaceLammers, LammersPlaced]) -> Table:
    return table.mark_round(RoundMark.LAMMERS).with_round(lammers=frozenset(event.outcome.positions))


# --- what is due --------------------------------------------------------------------------------------


def _suggest_lammers(rules: Rules, table: Table) -> Iterable[Proposal]:
    if table.round.has(RoundMark.NO_MORE_BETS) and not _all_in_place(rules, table):
        yield Proposal(dealer_of(table), PlaceLammers())


# --- in California they are buttons -------------------------------------------------------------------

BUTTONS: Final = "ca-fpgp"
"""The game whose law speaks of Envy buttons."""


def word_for_buttons(guard: Guard[A], reason: str) -> Guard[A]:
    """Return a condition about lammers, with the reason that is given where they are buttons."""
    return replace(guard, reason_in={BUTTONS: reason})


STEPS: Final[tuple[AnyStep, ...]] = (
    Step(
        action=PlaceLammers,
        stage=Stage.CLOSING,
        by=(Role.DEALER,),
        phases=(Phase.BETTING, Phase.STARTING),
        words=Words(
            "Place the lammers",
            follows="Each bonus wager that can earn an Envy Bonus is marked with a lammer.",
        ),
        words_in={
            BUTTONS: Words(
                "Give the Envy buttons",
                follows="Each bonus wager that can earn an Envy Bonus is marked with a button.",
            )
        },
        guards=(
            sense("no more bets is announced first", _in_time),
            word_for_buttons(
                moot("the lammers are placed already", _not_yet_placed), "the buttons are given already"
            ),
            word_for_buttons(
                always("right", "a lammer lies at each qualifying wager and at no other", _right_lammers),
                "a button lies at each qualifying wager and at no other",
            ),
        ),
        outcome=_decide_lammers,
        evolve=_place,
        suggest=_suggest_lammers,
        asks=unprompted("positions"),
    ),
)
