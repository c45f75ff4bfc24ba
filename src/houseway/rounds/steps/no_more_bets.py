"""The bets close: a deck is ready, and a person has wagered."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from houseway.games import Rules
from houseway.games.wagers import verify_active
from houseway.law.problems import Problem
from houseway.rounds.action import Action
from houseway.rounds.lives import verify_deck_age
from houseway.rounds.marks import DeckMark, RoundMark
from houseway.rounds.outcomes import BetsClosed
from houseway.rounds.roles import Role
from houseway.rounds.stage import Stage
from houseway.rounds.state import Phase, Table, changed
from houseway.rounds.step import AnyStep, Check, Event, Guard, Proposal, Situation, Step, Words
from houseway.rounds.steps.common import always, banked_enough, dealer_of, sense
from houseway.rounds.steps.cut import is_cut
from houseway.rounds.steps.wagers import CEASED, fee_problems, not_ceased


class NoMoreBets(Action, frozen=True, tag="no_more_bets"):
    """The dealer closes the bets."""


# --- no more bets -------------------------------------------------------------------------------------


def deck_ready(rules: Rules, table: Table) -> bool:
    """Whether a shuffled deck, cut where that is due, is loaded."""
    return deck_loaded(table) and (table.in_play is None or is_cut(rules, table.in_play))


def deck_loaded(table: Table) -> bool:
    """Whether a shuffled deck is loaded, cut or not."""
    return table.in_play is not None and table.in_play.has(DeckMark.LOADED)


def _cut_if_loaded(s: Situation, _: Action) -> bool:
    return not deck_loaded(s.table) or deck_ready(s.rules, s.table)


def not_ordered(table: Table) -> bool:
    """Whether no shuffle is ordered that the deck in play has not had."""
    return table.in_play is None or not table.in_play.has(DeckMark.ORDERED)


def rack_clear(table: Table) -> bool:
    """Whether the rack was emptied before another deck is dealt than the one that lies in it."""
    return table.rack_deck in (None, table.deck)


def _one_banker(s: Situation, _: Action) -> bool:
    return not s.rules.banked or s.round.bank_seat is not None


def _bank_put_up(s: Situation, _: Action) -> bool:
    return not s.rules.banked or (s.round.bank_seat is not None and s.round.stake > 0)


def _not_a_third_round(s: Situation, _: Action) -> bool:
    return not banked_enough(s.rules, s.table)


def _closing_problems(s: Situation, action: NoMoreBets) -> Iterable[Problem]:
    deck = s.table.in_play
    if deck is not None:
        yield from verify_deck_age(s.rules, deck.received, s.moment.now)
    if s.rules.banked and s.round.active() and _bank_put_up(s, action):
        yield from verify_active(s.rules, len(s.round.active()) + 1)
        yield from fee_problems(s)


def decide_closing(s: Situation) -> BetsClosed:
    """Return what closing the bets notes: the meter, and where settling would begin."""
    meter = s.meter if s.round.meter_before is None else None
    state = meter.state if meter else None
    action = s.round.active()[0].position if s.rules.banked else s.round.action
    return BetsClosed(state, action)


def close_bets(table: Table, closed: BetsClosed) -> Table:
    """Return the table with its bets closed and the deck to be dealt noted."""
    deck = table.in_play
    this_round = changed(
        table.round,
        marks=table.round.marks | {RoundMark.NO_MORE_BETS},
        deck=table.deck,
        commitment=deck.commitment if deck else None,
        cut_at=deck.cut_at if deck else 0,
        meter_before=table.round.meter_before or closed.meter,
        action=closed.action,
    )
    return changed(table, phase=Phase.STARTING, round=this_round)


def _close(table: Table, event: Event[NoMoreBets, BetsClosed]) -> Table:
    """Who declined the bank before this round is asked again when it is offered after it."""
    table = changed(table, banking=changed(table.banking, declined=()))
    return close_bets(table, event.outcome)


def _suggest_close(rules: Rules, table: Table) -> Iterable[Proposal]:
    if table.round.active() and deck_ready(rules, table):
        yield Proposal(dealer_of(table), NoMoreBets())


STEPS: Final[tuple[AnyStep, ...]] = (
    Step(
        action=NoMoreBets,
        stage=Stage.CLOSING,
        by=(Role.DEALER,),
        phases=(Phase.BETTING,),
        words=Words(
            "No more bets",
            done="Said",
            says="No more bets, please.",
            follows="The bets are closed, and the table gets ready to find the starting position and deal.",
        ),
        guards=(
            sense("nobody has wagered", lambda s, _: bool(s.round.active())),
            always("banker", "one player banks the round", _one_banker),
            always("stake", "the player-dealer puts up the bank first", _bank_put_up),
            always("offered", "after two rounds the bank is offered on first", _not_a_third_round),
            Guard("ceased", CEASED, not_ceased),
            sense("a deck is shuffled and loaded first", lambda s, _: deck_loaded(s.table)),
            sense("the deck is cut first", _cut_if_loaded),
            sense("the cards in the rack go to the shuffler first", lambda s, _: rack_clear(s.table)),
            sense("a floorperson has ordered a shuffle", lambda s, _: not_ordered(s.table)),
        ),
        checks=(Check(_closing_problems),),
        outcome=lambda s, _: decide_closing(s),
        evolve=_close,
        suggest=_suggest_close,
        after_bets=True,
    ),
)
