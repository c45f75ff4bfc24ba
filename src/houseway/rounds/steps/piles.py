"""California's deal: the player-dealer's dice, piles or packs to every seat, and the bank's own setting."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated, Final

from houseway.cards import Cards
from houseway.games import Rules
from houseway.law.citations import UNCITED
from houseway.law.problems import Problem
from houseway.ranking import Setting, verify_setting, verify_split
from houseway.rounds.action import Action
from houseway.rounds.annotations import Ask, Readers, Shown
from houseway.rounds.asks import FieldRule
from houseway.rounds.dealing import DICE, SEATS, dice_total, seat_by_dice
from houseway.rounds.marks import RoundMark
from houseway.rounds.outcomes import Outcome
from houseway.rounds.roles import Role
from houseway.rounds.stage import Stage
from houseway.rounds.state import Phase, Table
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
from houseway.rounds.steps.common import (
    always,
    dealer_of,
    moot,
    player_at,
    round_has,
    round_has_not,
    seats_in_play,
    sense,
)
from houseway.rounds.steps.dice import ReadsDice, asks_faces, dice_problems
from houseway.rounds.steps.fees import FEES_FIRST
from houseway.rounds.steps.lammers import lammers_placed
from houseway.rounds.steps.stacks import dealt_in_piles, hands_of, with_hands


class ShakeDice(ReadsDice, frozen=True, tag="shake_dice"):
    """The player-dealer shakes the dice."""


class ChoosePile(Action, frozen=True, tag="choose_pile"):
    """The player-dealer chooses the pile that is handed out first."""

    pile: Annotated[int, Ask("Pile")]


class Distribute(Action, frozen=True, tag="distribute"):
    """The piles are handed out."""


class ResetBank(Action, frozen=True, tag="reset_bank"):
    """The player-dealer sets their own hand after the house way."""

    setting: Annotated[Setting, Ask("Setting"), Readers.EVERYBODY]


class DiceShaken(Outcome, frozen=True, tag="dice_shaken", kw_only=True):
    """What the player-dealer's dice show: the seat of the first hand and the Action seat."""

    faces: Annotated[tuple[int, ...], Shown("faces")]
    total: Annotated[int, Shown("total")]
    first: Annotated[int, Shown("first")]
    action: Annotated[int, Shown("action")]


class HandedOut(Outcome, frozen=True, tag="handed_out"):
    """The hands that the piles make."""

    hands: Annotated[Mapping[int, Cards], Readers.NOBODY] = {}


# --- the deal -----------------------------------------------------------------------------------------


def hand_out(s: Situation, _: Action) -> HandedOut:
    """Return the hands that the piles make."""
    return HandedOut(hands_of(s.rules, s.table, s.round.drawn, s.round.start))


USUAL_PILE: Final = 4


# --- dice and piles -----------------------------------------------------------------------------------


def action_seat(rules: Rules, table: Table, first: int) -> int:
    """Return the seat that gets the Action button: the diced one, or the one left of the player-dealer.

    It moves on clockwise to the first seat with a wager (reading ca:C7); seats rise clockwise.
    """
    seats = seats_in_play(rules, table)
    turn = seats.index(first) or 1
    wagered = {hand.position for hand in table.round.active()}
    return next((seat for seat in (*seats[turn:], *seats[:turn]) if seat in wagered), seats[turn])


def _player_dealer(s: Situation, _: Action) -> bool:
    seat = s.table.seats.get(s.round.bank_seat or 0)
    return seat is not None and seat.person == s.by.id


def _decide_shake(s: Situation, action: ShakeDice) -> CitedOutcome[DiceShaken]:
    rules, table, bank_seat = s.rules, s.table, s.round.bank_seat
    faces = action.dice or s.moment.chance.dice(DICE)
    total = dice_total(rules.game, faces)
    first = seat_by_dice(rules.game, total, bank_seat or 1, seats_in_play(rules, table))
    law = law_of(rules, "shake_dice", "player_dealer_first") if first == bank_seat else UNCITED
    action_at = action_seat(rules, table, first)
    return CitedOutcome(DiceShaken(faces=faces, total=total, first=first, action=action_at), law)


def _shake(table: Table, event: Event[ShakeDice, DiceShaken]) -> Table:
    shown = event.outcome
    return table.with_round(
        dice=shown.faces,
        announced=shown.total,
        due=shown.first,
        start=shown.first,
        action=shown.action,
    )


def _piles_ready(rules: Rules, table: Table) -> bool:
    counted = not table.round.marks.isdisjoint({RoundMark.STUB, RoundMark.STUB_WRONG})
    return dealt_in_piles(rules) and counted


def _distribute(table: Table, event: Event[Distribute, HandedOut]) -> Table:
    return with_hands(table, event.outcome.hands).mark_round(RoundMark.DISTRIBUTED)


# --- the player-dealer's own setting ------------------------------------------------------------------


def _none_exposed(s: Situation, _: ResetBank) -> bool:
    return not any(hand.shown for hand in s.round.playing())


def _reset_problems(s: Situation, action: ResetBank) -> Iterable[Problem]:
    order = s.rules.ranking()
    wrong = verify_split(order, s.round.dealer_cards, action.setting, name_dealt=False)
    return wrong or verify_setting(order, action.setting)


def _reset(table: Table, event: Event[ResetBank, None]) -> Table:
    marks = table.round.marks | {RoundMark.BANK_RESET}
    return table.with_round(dealer_setting=event.action.setting, marks=marks)


# --- what is due --------------------------------------------------------------------------------------


def _suggest_dice(rules: Rules, table: Table) -> Iterable[Proposal]:
    """Suggest the dice before packs come from the shuffler, or when a pile has been chosen."""
    at, this_round = table.round.bank_seat, table.round
    due = this_round.start is None and (not dealt_in_piles(rules) or this_round.pile is not None)
    if due and at is not None and at in table.seats:
        yield Proposal(player_at(table, at), ShakeDice())


def _suggest_pile(rules: Rules, table: Table) -> Iterable[Proposal]:
    at = table.round.bank_seat
    if at is not None and at in table.seats and _piles_ready(rules, table) and table.round.pile is None:
        yield Proposal(player_at(table, at), ChoosePile(USUAL_PILE))


def _suggest_distribute(_: Rules, table: Table) -> Iterable[Proposal]:
    ready = table.round.pile is not None and table.round.start is not None
    if ready and not table.round.has(RoundMark.DISTRIBUTED):
        yield Proposal(dealer_of(table), Distribute())


STEPS: Final[tuple[AnyStep, ...]] = (
    Step(
        action=ShakeDice,
        stage=Stage.START,
        by=(Role.PLAYER,),
        phases=(Phase.STARTING, Phase.DEALING),
        words=Words(
            "Shake the dice",
            follows=(
                "The total of the dice gives the seat that gets the first hand and the seat "
                "where settling begins."
            ),
        ),
        guards=(
            *FEES_FIRST,
            Guard("lammers", "the Envy buttons are given first", lammers_placed),
            always("by", "the player-dealer shakes the cup", _player_dealer),
            moot("the dice are shaken already", lambda s, _: s.round.start is None),
        ),
        checks=(Check(dice_problems, ("dice",)),),
        outcome=_decide_shake,
        evolve=_shake,
        suggest=_suggest_dice,
        asks=asks_faces,
        by_banker=True,
    ),
    Step(
        action=ChoosePile,
        stage=Stage.DEAL,
        by=(Role.PLAYER,),
        phases=(Phase.DEALING,),
        words=Words(
            "Choose the first pile",
            follows="The piles can be handed out, beginning with the one chosen.",
        ),
        guards=(
            always("by", "the player-dealer chooses the pile", _player_dealer),
            sense(
                "the piles are dealt and the rest counted first",
                lambda s, _: _piles_ready(s.rules, s.table),
            ),
            moot("a pile is chosen already", lambda s, _: s.round.pile is None),
            always("pile", "a pile from 1 to 7", lambda _, action: 1 <= action.pile <= SEATS, "pile"),
        ),
        evolve=lambda table, event: table.with_round(pile=event.action.pile),
        suggest=_suggest_pile,
        asks=lambda *_: {"pile": FieldRule(least=1, most=SEATS, needed=True)},
        by_banker=True,
    ),
    Step(
        action=Distribute,
        stage=Stage.DEAL,
        by=(Role.DEALER,),
        phases=(Phase.DEALING,),
        words=Words(
            "Hand out the piles",
            follows="Every seat in the deal has its hand, and the hands nobody plays can be put away.",
        ),
        guards=(
            always(
                "pile",
                "the player-dealer chooses the first pile first",
                lambda s, _: s.round.pile is not None,
            ),
            always(
                "start", "the player-dealer shakes the dice first", lambda s, _: s.round.start is not None
            ),
            moot("the piles are handed out already", round_has_not(RoundMark.DISTRIBUTED)),
        ),
        outcome=hand_out,
        evolve=_distribute,
        suggest=_suggest_distribute,
    ),
    Step(
        action=ResetBank,
        stage=Stage.SETTLE,
        by=(Role.PLAYER,),
        phases=(Phase.SETTLING,),
        words=Words(
            "Reset the bank's hand",
            follows="The player-dealer's own setting takes the place of the house way for this round.",
        ),
        guards=(
            sense("only the player-dealer", _player_dealer),
            sense("the house way is set first", round_has(RoundMark.DEALER_SET)),
            always("window", "until the first player's hand is exposed", _none_exposed),
        ),
        checks=(Check(_reset_problems, ("setting",)),),
        evolve=_reset,
        by_banker=True,
    ),
)
