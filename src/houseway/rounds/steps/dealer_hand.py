"""The dealer's hand: turned over, set by the house way, and reset if it was set wrongly."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated, Final

from houseway.games import Rules
from houseway.ranking import Race, Setting
from houseway.rounds.action import Action
from houseway.rounds.annotations import Ask, Readers, Shown
from houseway.rounds.asks import unprompted
from houseway.rounds.choices import Irregularity
from houseway.rounds.dealing import irregularity
from houseway.rounds.houseway import by_house_way, house_setting, same_setting
from houseway.rounds.marks import HandMark, RoundMark
from houseway.rounds.outcomes import Moves, Outcome
from houseway.rounds.roles import FLOOR, Role
from houseway.rounds.stage import Stage
from houseway.rounds.state import Phase, Table, changed
from houseway.rounds.step import AnyStep, CitedOutcome, Event, Guard, Panel, Proposal, Situation, Step, Words
from houseway.rounds.steps.common import always, dealer_of, moot, round_has, sense
from houseway.rounds.steps.money import area_at, keep_payments, round_of, standing_payments, undo
from houseway.rounds.steps.payments import pay_wager
from houseway.rounds.steps.turns import next_hand
from houseway.settlement import Payment, PaymentKind, Status
from houseway.settlement.house import run_race
from houseway.settlement.model import DOUBLE_DOWN, MAIN, PROGRESSIVE


class TurnOver(Action, frozen=True, tag="turn_over"):
    """The dealer's cards are turned over."""


class SetDealer(Action, frozen=True, tag="set_dealer"):
    """The dealer's hand is set, the house way unless said otherwise."""

    setting: Annotated[Setting | None, Ask("Setting"), Readers.EVERYBODY] = None


class ResetDealer(Action, frozen=True, tag="reset_dealer"):
    """A dealer's hand that was set wrongly is set the house way."""


class DealerSet(Outcome, frozen=True, tag="dealer_set", kw_only=True):
    """How the dealer's hand is set, and whether that is the house way."""

    setting: Annotated[Setting, Shown("setting"), Readers.EVERYBODY]
    right: Annotated[bool, Shown("right")]


class DealerReset(Moves, frozen=True, tag="dealer_reset", kw_only=True):
    """The dealer's hand set the house way, and the races run again."""

    setting: Annotated[Setting, Shown("setting"), Readers.EVERYBODY]
    races: Mapping[int, Race] = {}


# --- turned over and set ------------------------------------------------------------------------------


def _all_set(table: Table) -> bool:
    return all(
        hand.has(HandMark.PLACED) or hand.status is not Status.PLAYED for hand in table.round.playing()
    )


def _double_offered(s: Situation, _: TurnOver) -> bool:
    return not s.rules.offers(DOUBLE_DOWN) or s.round.has(RoundMark.DOUBLE_OFFERED)


def _none_choosing(s: Situation, _: Action) -> bool:
    return not any(hand.has(HandMark.CHOOSING) for hand in s.round.playing())


def _left_ruled(s: Situation, _: TurnOver) -> bool:
    return all(not hand.has(HandMark.LEFT) or hand.has(HandMark.RULED) for hand in s.round.playing())


def _cards_known(s: Situation, _: SetDealer) -> bool:
    return bool(s.round.dealer_cards)


def _uses_cards(s: Situation, action: SetDealer) -> bool:
    if not action.setting:
        return True
    cards = sorted(card for part in action.setting for card in part)
    sizes = tuple(len(part) for part in action.setting)
    return cards == sorted(s.round.dealer_cards) and sizes == s.rules.game.split


def _set_right(s: Situation, action: SetDealer) -> bool:
    if not s.round.dealer_cards:
        return True  # nothing to compare with yet; that is refused by itself
    return not action.setting or same_setting(action.setting, house_setting(s.rules, s.round.dealer_cards))


def _decide_setting(s: Situation, action: SetDealer) -> CitedOutcome[DealerSet]:
    """Set the dealer's hand; the house way's rule is cited where it is set by it."""
    decided = by_house_way(s.rules, s.round.dealer_cards)
    setting = action.setting or decided.setting
    right = same_setting(setting, decided.setting)
    return CitedOutcome(DealerSet(setting=setting, right=right), decided.clauses if right else ())


def _set_dealer(table: Table, event: Event[SetDealer, DealerSet]) -> Table:
    done = event.outcome
    marks = {RoundMark.DEALER_SET} if done.right else {RoundMark.DEALER_SET, RoundMark.DEALER_WRONG}
    table = table.with_round(dealer_setting=done.setting, marks=table.round.marks | marks)
    return changed(table, phase=Phase.SETTLING)


def _decide_reset(s: Situation, _: ResetDealer) -> CitedOutcome[DealerReset]:
    """Set the dealer's hand again, and settle again what was settled on the wrong one.

    Where reading asia:P9 is taken so, what was settled stands and only the rest goes by the proper hand.
    """
    law = irregularity(s.rules, Irregularity.DEALER_SET_WRONGLY).clauses
    right = house_setting(s.rules, s.round.dealer_cards)
    again = s.with_table(s.table.with_round(dealer_setting=right))
    showdown = round_of(again)
    payments: list[Payment] = []
    races: dict[int, Race] = {}
    stands = s.rules.readings.get("missed_dealer_setting") == "resettle_unsettled_only"
    for hand in s.round.playing():
        if stands and MAIN in hand.settled:
            continue
        old = [p for p in standing_payments(s.round.payments, hand.position) if _by_the_race(p)]
        if hand.race is None and not old:
            continue
        payments += [undo(payment, "the dealer's hand was set wrongly") for payment in reversed(old)]
        area = area_at(again, hand.position)
        new: list[Payment] = []
        race = run_race(showdown, area) if hand.race else None
        for terms in s.rules.game.wager:
            if terms.id in hand.settled and terms.family != "progressive":
                more, race = pay_wager(showdown, area, terms.id, race, new)
                new += more
        payments += new
        if race is not None:
            races[hand.position] = race
    return CitedOutcome(DealerReset(payments=tuple(payments), setting=right, races=races), law)


def _by_the_race(payment: Payment) -> bool:
    return (
        payment.kind in (PaymentKind.COLLECT, PaymentKind.RETURN, PaymentKind.PAY)
        and payment.wager != PROGRESSIVE
    )


def _reset(table: Table, event: Event[ResetDealer, DealerReset]) -> Table:
    table = keep_payments(table, event)
    marks = (table.round.marks - {RoundMark.DEALER_WRONG}) | {RoundMark.RESET}
    table = table.with_round(dealer_setting=event.outcome.setting, marks=marks)
    for position, race in event.outcome.races.items():
        table = table.with_hand(position, race=race)
    return table


# --- what is due --------------------------------------------------------------------------------------


def _suggest_turn(_: Rules, table: Table) -> Iterable[Proposal]:
    if _all_set(table) and table.round.playing():
        yield Proposal(dealer_of(table), TurnOver())


def _suggest_set(_: Rules, table: Table) -> Iterable[Proposal]:
    if table.round.dealer_cards:
        yield Proposal(dealer_of(table), SetDealer())


def _suggest_reset(_: Rules, table: Table) -> Iterable[Proposal]:
    if table.round.has(RoundMark.DEALER_WRONG):
        yield Proposal(dealer_of(table), ResetDealer())


STEPS: Final[tuple[AnyStep, ...]] = (
    Step(
        action=TurnOver,
        stage=Stage.DEALER,
        by=(Role.DEALER,),
        phases=(Phase.SETTING,),
        words=Words(
            "Turn the cards over",
            done="Turn over",
            follows="The hand that the others play against lies open and has to be set.",
        ),
        guards=(
            Guard("double_offered", "the Double Down is offered first", _double_offered),
            always(
                "all_set",
                "every player has set and placed their hand first",
                lambda s, _: _all_set(s.table),
            ),
            sense("a player has still to choose about an exposed card", _none_choosing),
            sense("the floor has still to rule about a player who left", _left_ruled),
        ),
        evolve=lambda table, _: changed(table, phase=Phase.DEALER),
        suggest=_suggest_turn,
        followed=True,
    ),
    Step(
        action=SetDealer,
        stage=Stage.DEALER,
        by=(Role.DEALER,),
        phases=(Phase.DEALER,),
        words=Words(
            "Set the dealer's hand",
            done="Set",
            follows=(
                "The hand that the others play against is set, and the players' hands are opened "
                "and settled next."
            ),
        ),
        guards=(
            sense("the dealer's cards are entered and confirmed first", _cards_known),
            sense("the dealer's own cards, each once, in parts of the game's sizes", _uses_cards, "setting"),
            sense("a player has still to choose about an exposed card", _none_choosing),
            Guard(
                "house_way",
                "the dealer's hand is set by the house way and no other",
                _set_right,
                about=("setting",),
            ),
            Guard(
                "right",
                "not the house way: the hand is to be reset",
                _set_right,
                about=("setting",),
                warns=True,
            ),
        ),
        outcome=_decide_setting,
        evolve=_set_dealer,
        automatic_next=next_hand,
        suggest=_suggest_set,
        asks=unprompted("setting"),
        followed=True,
    ),
    Step(
        action=ResetDealer,
        stage=Stage.SETTLE,
        by=(Role.DEALER, *FLOOR),
        phases=(Phase.SETTLING,),
        exceptional=True,
        words=Words(
            "Reset the dealer's hand",
            follows=(
                "The dealer's hand stands by the house way, and what was settled on the wrong "
                "setting is settled anew."
            ),
        ),
        guards=(moot("the dealer's hand is set the house way", round_has(RoundMark.DEALER_WRONG)),),
        outcome=_decide_reset,
        evolve=_reset,
        suggest=_suggest_reset,
        panels=(Panel.RULINGS,),
        foretold=True,
    ),
)
