"""Actions before the cards: wagers, the bank, the progressive's chips, and the starting position."""

from __future__ import annotations

from collections.abc import Mapping

from houseway.money import Cents
from houseway.rounds.actions.base import Action, AtPosition, OnHand, Position, WagerId
from houseway.rounds.actions.choices import Instrument

# --- wagers -------------------------------------------------------------------------------------------


class PlaceWagers(AtPosition, frozen=True, tag="wager"):
    """The wagers of a position, all of them; an amount of nothing takes a wager back."""

    wagers: Mapping[WagerId, Cents]
    instrument: Instrument = Instrument.CHIP
    off_sensor: bool = False


class CorrectWagers(AtPosition, frozen=True, tag="correct_wager"):
    """The dealer corrects what was entered."""

    wagers: Mapping[WagerId, Cents]
    reason: str
    instrument: Instrument = Instrument.CHIP
    off_sensor: bool = False


class BetBehind(OnHand, frozen=True, tag="bet_behind"):
    """Somebody bets on another player's hand."""

    wagers: Mapping[WagerId, Cents]


class NoMoreBets(Action, frozen=True, tag="no_more_bets"):
    """The dealer closes the bets."""


class PlaceLammers(Action, frozen=True, tag="place_lammers"):
    """The Envy lammers are placed."""

    positions: tuple[Position, ...] | None = None


# --- the progressive's chips --------------------------------------------------------------------------


class LockProgressive(Action, frozen=True, tag="lock_progressive"):
    """The progressive takes no more wagers."""


class CountProgressive(Action, frozen=True, tag="count_progressive"):
    """The progressive's chips are counted against the system."""

    chips: int


class RuleCount(Action, frozen=True, tag="rule_count"):
    """The floor rules that wagers whose chips are not there were not placed."""

    without: tuple[Position, ...]
    reason: str


class CoinIn(Action, frozen=True, tag="coin_in"):
    """COIN IN books the progressive wagers."""


class RemoveProgressive(Action, frozen=True, tag="remove_progressive"):
    """The booked chips are taken off the layout."""

    chips: int


# --- the bank -----------------------------------------------------------------------------------------


class OfferBank(AtPosition, frozen=True, tag="offer_bank"):
    """The bank is offered to a player."""


class AcceptBank(AtPosition, frozen=True, tag="accept_bank"):
    """A player takes the bank."""


class DeclineBank(AtPosition, frozen=True, tag="decline_bank"):
    """A player does not want the bank."""


class PutUp(AtPosition, frozen=True, tag="put_up"):
    """The player-dealer puts up the bank."""

    stake: Cents


class CollectFees(Action, frozen=True, tag="collect_fees"):
    """The collection is taken."""


# --- the starting position ----------------------------------------------------------------------------


class PlaceDice(Action, frozen=True, tag="place_dice"):
    """Fresh dice come to the table."""


class Shake(Action, frozen=True, tag="shake"):
    """The dealer shakes the shaker."""

    times: int


class Uncover(Action, frozen=True, tag="uncover"):
    """The dice are uncovered; on a physical table they are read."""

    dice: tuple[int, ...] | None = None
    flat: bool = True
    out: int = 0


class AnnounceTotal(Action, frozen=True, tag="announce_total"):
    """The dealer announces what the dice total."""

    total: int | None = None


class DrawNumber(Action, frozen=True, tag="draw_number"):
    """The random number generator names the starting position."""

    number: int | None = None


class ReadButton(Action, frozen=True, tag="read_button"):
    """The flat button names the starting position."""


class CoverShaker(Action, frozen=True, tag="cover_shaker"):
    """The shaker is covered, shaken and put back."""

    at_right: bool = False
    times: int = 0


class ShakeCup(Action, frozen=True, tag="shake_cup"):
    """The dealer shakes the dice cup."""

    dice: tuple[int, ...] | None = None


class ShakeDice(Action, frozen=True, tag="shake_dice"):
    """The player-dealer shakes the dice."""

    dice: tuple[int, ...] | None = None


class PressStart(Action, frozen=True, tag="press_start"):
    """The dealer presses the green button."""

    number: int | None = None
