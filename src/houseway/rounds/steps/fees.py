"""The collection: fees taken before any card where a player banks the game."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from houseway.games import Rules
from houseway.rounds.action import Action
from houseway.rounds.marks import RoundMark
from houseway.rounds.outcomes import Paid
from houseway.rounds.roles import Role
from houseway.rounds.stage import Stage
from houseway.rounds.state import Phase, Table
from houseway.rounds.step import AnyStep, Check, CitedOutcome, Guard, Proposal, Situation, Step, Words
from houseway.rounds.steps.common import always, dealer_of, moot, round_has_not
from houseway.rounds.steps.money import cite_payments, keep_payments, round_of
from houseway.rounds.steps.wagers import fee_problems
from houseway.settlement import take_fees


class CollectFees(Action, frozen=True, tag="collect_fees"):
    """The collection is taken."""


# --- collection ---------------------------------------------------------------------------------------
GROUPS: Final[Mapping[str, range]] = {"s1_32": range(1, 33), "s33_36": range(33, 37), "s37_43": range(37, 44)}


def need_fees(group: str) -> Guard[Action]:
    """Ask for the fees of a group of schedules before any card."""

    def holds(s: Situation, _: Action) -> bool:
        number = s.rules.submission.collection_schedule
        return number not in GROUPS[group] or s.round.has(RoundMark.FEES)

    return always(group, "the collection is taken before any card", holds)


FEES_FIRST: Final[tuple[Guard[Action], ...]] = tuple(need_fees(group) for group in GROUPS)


def _decide_fees(s: Situation, _: CollectFees) -> CitedOutcome[Paid]:
    return cite_payments(Paid(payments=take_fees(round_of(s))))


# --- what is due --------------------------------------------------------------------------------------


def _suggest_fees(_: Rules, table: Table) -> Iterable[Proposal]:
    if not table.round.has(RoundMark.FEES):
        yield Proposal(dealer_of(table), CollectFees())


STEPS: Final[tuple[AnyStep, ...]] = (
    Step(
        action=CollectFees,
        stage=Stage.CLOSING,
        by=(Role.DEALER,),
        phases=(Phase.STARTING,),
        words=Words(
            "Take the collection",
            says="Collection, please.",
            follows="The fees of the round are taken, and the round can go on to its start.",
        ),
        guards=(moot("the collection is taken already", round_has_not(RoundMark.FEES)),),
        checks=(Check(lambda s, _: fee_problems(s)),),
        outcome=_decide_fees,
        evolve=lambda table, event: keep_payments(table, event).mark_round(RoundMark.FEES),
        suggest=_suggest_fees,
        after_bets=True,
    ),
)
