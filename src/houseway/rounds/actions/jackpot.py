"""Actions about progressive wins: verified by hand, or by the keypad and its key."""

from __future__ import annotations

from houseway.money import Cents
from houseway.rounds.actions.base import Action, OnHand, Position
from houseway.rounds.actions.choices import KeyPosition


class VerifyWin(OnHand, frozen=True, tag="verify_win"):
    """The dealer verifies a progressive win."""

    hand: str


class VerifyLight(OnHand, frozen=True, tag="verify_light"):
    """The dealer looks whether the light of the position is lit."""

    lit: bool


class ValidateWin(OnHand, frozen=True, tag="validate_win"):
    """A floorperson validates the payout."""


class ReviewRoyal(OnHand, frozen=True, tag="review_royal"):
    """A floorperson reviews a royal flush that is one by a reading only, before it is paid."""


class DocumentWin(OnHand, frozen=True, tag="document_win"):
    """The papers of a share of the meter are complete."""

    reference: str


class PressHand(OnHand, frozen=True, tag="press_hand"):
    """The dealer presses the button of a hand on the keypad; the same again takes it back."""

    hand: str


class AcknowledgeClaim(OnHand, frozen=True, tag="acknowledge_claim"):
    """A supervisor has come to a claim."""


class VerifyJackpot(OnHand, frozen=True, tag="verify_jackpot"):
    """A supervisor verifies that the cards make the line that is claimed."""


class TurnKey(Action, frozen=True, tag="turn_key"):
    """The jackpot key is turned."""

    to: KeyPosition


class PressJpot(OnHand, frozen=True, tag="press_jpot"):
    """J-POT records a win."""


class PayJackpot(OnHand, frozen=True, tag="pay_jackpot"):
    """A recorded win is paid."""

    reference: str


class PrintWin(OnHand, frozen=True, tag="print_win"):
    """The page of a recorded win is printed."""


class GameOver(Action, frozen=True, tag="game_over"):
    """The keypad is reset for the next round."""


class AdjustMeter(Action, frozen=True, tag="adjust_meter"):
    """Two people adjust a meter by hand, for a recorded win where there is one."""

    amount: Cents
    reason: str
    second: str
    win: Position | None = None
