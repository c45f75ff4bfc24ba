"""Washington's house-way display: a player's hand shown, and the display left."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Final

from houseway.games import Rules
from houseway.ranking import Setting
from houseway.rounds.action import Action, OnHand
from houseway.rounds.annotations import Readers, Shown
from houseway.rounds.houseway import display_setting
from houseway.rounds.marks import HandMark, RoundMark
from houseway.rounds.outcomes import Outcome
from houseway.rounds.roles import Role
from houseway.rounds.stage import Stage
from houseway.rounds.state import Hand, Phase, Table
from houseway.rounds.step import AnyStep, Event, Proposal, Situation, Step, Words, in_law
from houseway.rounds.steps.common import (
    always,
    dealer_of,
    hand_has,
    hand_has_not,
    hand_of,
    moot,
    round_has,
    sense,
)
from houseway.settlement import Status


class ShowPlayerWay(OnHand, frozen=True, tag="show_player_way"):
    """The display shows a player's house way."""


class ExitDisplay(Action, frozen=True, tag="exit_display"):
    """The display goes back to the dealer's house way."""


class WayShown(Outcome, frozen=True, tag="way_shown"):
    """The setting that the display shows."""

    setting: Annotated[Setting, Shown("setting"), Readers.DISPLAY]


WITH_DISPLAY: Final = "iverify_hwv"
DEALER_SCREEN: Final = "DEALER HOUSE WAY"
PLAYER_SCREEN: Final = "PLAYER HOUSE WAY"


# --- the display --------------------------------------------------------------------------------------


def screen(rules: Rules, table: Table) -> str:
    """Return the title on the display, if there is one: the dealer's once the unused hands are gone."""
    if table.round.display is not None:
        return f"{PLAYER_SCREEN} {table.round.display}"
    ready = rules.way == WITH_DISPLAY and table.round.has(RoundMark.COLLECTED)
    return DEALER_SCREEN if ready and in_law(rules, "show_player_way", "screen") else ""


def _decided(rules: Rules, hand: Hand) -> bool:
    """Whether a seat no longer chooses: set, or waiting on a request it cannot take back (reading wa:W11)."""
    waiting = rules.readings.get("wa_house_way_requests") == "request_counts_as_set"
    placed = hand.has(HandMark.PLACED) or hand.status is not Status.PLAYED
    return placed or (waiting and hand.has(HandMark.ASKED))


def _others_set(s: Situation, action: ShowPlayerWay) -> bool:
    asker = hand_of(s, action).person
    others = [hand for hand in s.round.playing() if hand.person != asker]
    return all(_decided(s.rules, hand) for hand in others)


def _decide_display(s: Situation, action: ShowPlayerWay) -> WayShown:
    return WayShown(display_setting(s.rules, hand_of(s, action).cards))


def _show(table: Table, event: Event[ShowPlayerWay, WayShown]) -> Table:
    at = event.action.position
    return table.with_hand(at, setting=event.outcome.setting).with_round(display=at)


def _exit(table: Table, _: Event[ExitDisplay, None]) -> Table:
    at = table.round.display
    if at is None:
        return table
    return table.mark_hand(at, HandMark.PLACED, HandMark.BY_DISPLAY).with_round(display=None)


# --- what is due --------------------------------------------------------------------------------------


def _suggest_show(_: Rules, table: Table) -> Iterable[Proposal]:
    for hand in table.round.playing():
        if hand.has(HandMark.ASKED) and not hand.has(HandMark.PLACED):
            yield Proposal(dealer_of(table), ShowPlayerWay(hand.position))


def _suggest_exit(_: Rules, table: Table) -> Iterable[Proposal]:
    if table.round.display is not None:
        yield Proposal(dealer_of(table), ExitDisplay())


STEPS: Final[tuple[AnyStep, ...]] = (
    Step(
        action=ShowPlayerWay,
        stage=Stage.PLAYERS,
        by=(Role.DEALER,),
        phases=(Phase.SETTING,),
        words=Words(
            "Show player house way",
            follows="The display shows the house way for the hand, which becomes its setting.",
        ),
        guards=(
            moot("the table has no house-way display", lambda s, _: s.rules.way == WITH_DISPLAY),
            moot("the player has not asked", hand_has(HandMark.ASKED)),
            moot("the hand is set already", hand_has_not(HandMark.PLACED)),
            sense("another hand is on the display", lambda s, _: s.round.display is None),
            always("others_set", "every other player has set their hand first", _others_set),
            sense("the unused hands are put away first", round_has(RoundMark.COLLECTED)),
        ),
        outcome=_decide_display,
        evolve=_show,
        suggest=_suggest_show,
    ),
    Step(
        action=ExitDisplay,
        stage=Stage.PLAYERS,
        by=(Role.DEALER, Role.DISPLAY),
        phases=(Phase.SETTING,),
        words=Words(
            "Exit the display",
            follows="The hand that was shown is placed, and the display goes back to the dealer's house way.",
        ),
        guards=(moot("no player's hand is on the display", lambda s, _: s.round.display is not None),),
        evolve=_exit,
        suggest=_suggest_exit,
    ),
)
