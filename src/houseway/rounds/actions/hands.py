"""Actions with the hands: looked at, set, opened, settled, racked, and what goes wrong with them."""

from __future__ import annotations

from collections.abc import Mapping

from houseway.money import Cents
from houseway.ranking import Setting
from houseway.rounds.actions.base import Action, AtPosition, OnHand, Position, WagerId
from houseway.rounds.actions.choices import HandChoice, Irregularity, PaidFrom, Ruling

# --- the players --------------------------------------------------------------------------------------


class Look(OnHand, frozen=True, tag="look"):
    """A player looks at the cards."""


class AskHelp(OnHand, frozen=True, tag="ask_help"):
    """A player asks for the house way."""


class SetHand(OnHand, frozen=True, tag="set"):
    """A hand is set and placed; where cards are typed in later, without saying how."""

    setting: Setting | None = None


class ShowPlayerWay(OnHand, frozen=True, tag="show_player_way"):
    """The display shows a player's house way."""


class ExitDisplay(Action, frozen=True, tag="exit_display"):
    """The display goes back to the dealer's house way."""


class OfferDouble(Action, frozen=True, tag="offer_double"):
    """The dealer offers the Double Down."""


class DoubleDown(OnHand, frozen=True, tag="double_down"):
    """A player doubles down, by the amount of the main wager unless another is named."""

    amount: Cents | None = None


class Surrender(OnHand, frozen=True, tag="surrender"):
    """A player surrenders the hand."""


# --- the dealer ---------------------------------------------------------------------------------------


class TurnOver(Action, frozen=True, tag="turn_over"):
    """The dealer's cards are turned over."""


class SetDealer(Action, frozen=True, tag="set_dealer"):
    """The dealer's hand is set, the house way unless said otherwise."""

    setting: Setting | None = None


class ResetDealer(Action, frozen=True, tag="reset_dealer"):
    """A dealer's hand that was set wrongly is set the house way."""


class ResetBank(Action, frozen=True, tag="reset_bank"):
    """The player-dealer sets their own hand after the house way."""

    setting: Setting


class EnterHand(AtPosition, frozen=True, tag="enter_hand"):
    """The cards of a hand are typed in."""

    setting: Setting


class CorrectEntry(AtPosition, frozen=True, tag="correct_entry"):
    """What was typed in is corrected."""

    setting: Setting
    reason: str


class ConfirmEntry(AtPosition, frozen=True, tag="confirm_entry"):
    """What was typed in is confirmed."""


class ReopenEntry(OnHand, frozen=True, tag="reopen_entry"):
    """The floor lets a confirmed hand be typed in anew."""

    reason: str


# --- opened, settled, racked --------------------------------------------------------------------------


class CountSurrendered(OnHand, frozen=True, tag="count_surrendered"):
    """Surrendered cards are counted face down."""

    cards: int


class Reveal(OnHand, frozen=True, tag="reveal"):
    """A hand is opened, whole or part by part."""

    parts: tuple[str, ...] = ()


class Rearrange(OnHand, frozen=True, tag="rearrange"):
    """A hand is rearranged into the best that it makes for the bonus wagers."""


class Settle(OnHand, frozen=True, tag="settle"):
    """A wager of a hand is settled; without a name all that can be settled now."""

    wager: WagerId | None = None
    source: PaidFrom | None = None


class PayEnvy(Action, frozen=True, tag="pay_envy"):
    """The Envy Bonuses of a wager are paid."""

    wager: WagerId


class Rack(OnHand, frozen=True, tag="rack"):
    """A hand is put into the discard rack."""


class ClearLammers(Action, frozen=True, tag="clear_lammers"):
    """The Envy lammers are taken off the layout."""


class CloseRound(Action, frozen=True, tag="close_round"):
    """The round ends."""


# --- what goes wrong ----------------------------------------------------------------------------------


class ExposeCard(AtPosition, frozen=True, tag="expose_card"):
    """A card was exposed at a position."""


class ChooseHand(OnHand, frozen=True, tag="choose_hand"):
    """A player plays or voids a hand of which a card was exposed."""

    choice: HandChoice


class BoxedCard(Action, frozen=True, tag="boxed_card"):
    """A card was found face up in the deck."""


class DrawEarly(Action, frozen=True, tag="draw_early"):
    """A card was drawn before its time."""


class ShoeFault(Action, frozen=True, tag="shoe_fault"):
    """The shoe fails during the deal."""


class VoidRound(Action, frozen=True, tag="void_round"):
    """The round is void: by an irregularity, by what was counted, or by a ruling of the floor."""

    irregularity: Irregularity | None = None
    counts: Mapping[Position, int] | None = None
    stub: int | None = None
    ruling: str | None = None


class EndRound(Action, frozen=True, tag="end_round"):
    """A round ends in which nobody has a hand left."""


class StopRound(Action, frozen=True, tag="stop_round"):
    """The round stops until the floor rules."""

    reason: str


class RuleRound(Action, frozen=True, tag="rule_round"):
    """The floor rules how a stopped round goes on."""

    ruling: Ruling
    reason: str
