"""The choices that actions offer: one enum each, in the words of the table."""

from __future__ import annotations

from enum import StrEnum


class ShuffleMethod(StrEnum):
    """Who shuffles: the dealer by hand, or an approved device."""

    MANUAL = "manual"
    AUTOMATED = "automated"


class Into(StrEnum):
    """Where shuffled cards come out."""

    STACK = "stack"
    SHOE = "shoe"


class Preinspection(StrEnum):
    """By which paragraph of the rules on card inspection a deck came inspected and shuffled."""

    U = "(u)"
    V = "(v)"


class Device(StrEnum):
    """A device that may fail and be signed out of order."""

    SHUFFLER = "shuffler"
    SHOE = "shoe"


class SignedHow(StrEnum):
    """How a failed device is taken out of use."""

    COVERED = "covered"
    SIGN = "sign"


class DealingHand(StrEnum):
    """In which hand the dealer holds the deck."""

    LEFT = "left"
    RIGHT = "right"


class SpareCover(StrEnum):
    """Where the second cover card goes after a cut."""

    RACK = "rack"
    FOUR_FROM_BOTTOM = "four_from_bottom"


class Face(StrEnum):
    """How the cards of an idle table are spread."""

    UP = "up"
    DOWN = "down"


class Display(StrEnum):
    """Where players can read the odds or a limit."""

    LAYOUT = "layout"
    SIGN = "sign"


class ShakerKept(StrEnum):
    """Where the shaker is left when its dealer goes."""

    LOCKED_AWAY = "locked away"
    ON_THE_TABLE = "on the table"


class Instrument(StrEnum):
    """What a wager is made with; the law decides which of them are wagers at all."""

    CHIP = "chip"
    PLAQUE = "plaque"
    APPROVED = "approved"
    VOUCHER = "voucher"
    CASH = "cash"
    VERBAL = "verbal"


class HandChoice(StrEnum):
    """What a player makes of a hand of which a card was exposed."""

    PLAY = "play"
    VOID = "void"


class Ruling(StrEnum):
    """What the floor may rule where the documents are silent; the last about a foul, and only about one."""

    VOID = "void"
    PLAY_ON = "play on"
    FOUL_LOSES = "foul loses"


class KeyPosition(StrEnum):
    """How the jackpot key stands."""

    RUN = "RUN"
    JPH = "JPH"


class PaidFrom(StrEnum):
    """Where the dealer means to pay an award from."""

    INVENTORY = "inventory"
    METER = "meter"
    CAGE = "cage"
    HAND_PAY = "hand pay"


class NoticeStatus(StrEnum):
    """What an authority says of a game."""

    UNLAWFUL = "unlawful"
    CEASE = "cease"
    UNDER_REVIEW = "under_review"
    CLEARED = "cleared"


class Irregularity(StrEnum):
    """What may go wrong in a round, as the games' documents name it."""

    WRONG_START = "wrong_start"
    HAND_VOIDED = "hand_voided"
    DEALER_CARD_EXPOSED = "dealer_card_exposed"
    CARDS_FACE_UP = "cards_face_up"
    DEALER_SET_WRONGLY = "dealer_set_wrongly"
    STACK_CARD_EXPOSED = "stack_card_exposed"
    SHOE_FAILED = "shoe_failed"
