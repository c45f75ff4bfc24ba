"""Envy Bonuses, paid when every wager that earns them is settled."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Final

from houseway.games import Rules
from houseway.rounds.action import Action, WagerId
from houseway.rounds.annotations import Ask
from houseway.rounds.asks import Asks, FieldRule
from houseway.rounds.marks import HandMark
from houseway.rounds.outcomes import Paid
from houseway.rounds.roles import Role
from houseway.rounds.stage import Stage
from houseway.rounds.state import Table
from houseway.rounds.step import AnyStep, CitedOutcome, Event, Guard, Proposal, Situation, Step, Words
from houseway.rounds.steps.common import always, dealer_of, sense
from houseway.rounds.steps.money import cite_payments, keep_payments, round_of, standing
from houseway.rounds.steps.settle import REVIEW
from houseway.rounds.steps.turns import SETTLING, all_rearranged, all_settled, envy_wagers, turn
from houseway.settlement.bank import open_bank, pay_banked_envy
from houseway.settlement.house import pay_envy


class PayEnvy(Action, frozen=True, tag="pay_envy"):
    """The Envy Bonuses of a wager are paid."""

    wager: Annotated[WagerId, Ask("Wager")]


# --- envy ---------------------------------------------------------------------------------------------


def _royals_reviewed(s: Situation, action: PayEnvy) -> bool:
    royals = [h for h in s.round.playing() if action.wager in h.envied and h.has(HandMark.JOKER_ROYAL)]
    return all(hand.has(HandMark.REVIEWED) for hand in royals)


def _decide_envy(s: Situation, action: PayEnvy) -> CitedOutcome[Paid]:
    showdown = round_of(s)
    if not s.rules.banked:
        return cite_payments(Paid(payments=tuple(pay_envy(showdown, action.wager))))
    bank = open_bank(showdown, standing(s.round.payments))
    pay_banked_envy(showdown, bank)
    return cite_payments(Paid(payments=tuple(bank.payments)))


def _keep_envy(table: Table, event: Event[PayEnvy, Paid]) -> Table:
    table = keep_payments(table, event)
    return table.with_round(envy_paid=table.round.envy_paid | {event.action.wager})


# --- what is due --------------------------------------------------------------------------------------


def _suggest_envy(rules: Rules, table: Table) -> Iterable[Proposal]:
    if turn(rules, table) is None:
        for wager in envy_wagers(rules, table):
            yield Proposal(dealer_of(table), PayEnvy(wager))


# --- what its fields take -----------------------------------------------------------------------------


def _asks_envied(rules: Rules, table: Table, __: int) -> Asks:
    return {"wager": FieldRule(tuple(envy_wagers(rules, table)))}


STEPS: Final[tuple[AnyStep, ...]] = (
    Step(
        action=PayEnvy,
        stage=Stage.ENVY,
        by=(Role.DEALER,),
        phases=SETTLING,
        words=Words(
            "Pay the Envy Bonuses",
            follows="The Envy Bonuses owed on the wager are paid.",
        ),
        guards=(
            sense(
                "no envy is owed on it",
                lambda s, action: action.wager in envy_wagers(s.rules, s.table),
                "wager",
            ),
            always(
                "after_all",
                "after every such wager is settled",
                lambda s, action: all_settled(s.round.playing(), action.wager),
            ),
            sense("every hand is rearranged first", lambda s, _: all_rearranged(s.rules, s.table)),
            Guard("reviewed", REVIEW, _royals_reviewed, about=("wager",)),
        ),
        outcome=_decide_envy,
        evolve=_keep_envy,
        suggest=_suggest_envy,
        asks=_asks_envied,
        foretold=True,
    ),
)
