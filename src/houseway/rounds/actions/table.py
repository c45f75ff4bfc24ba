"""Actions around a table: it opens and closes, its decks come and go, people arrive and leave."""

from __future__ import annotations

from datetime import date

from msgspec import Struct

from houseway.games import Submission
from houseway.rounds.actions.base import Action, AtPosition, ClauseId, DeckName, OnDeck, OnHand
from houseway.rounds.actions.choices import (
    Device,
    Display,
    Face,
    NoticeStatus,
    Preinspection,
    ShakerKept,
    ShuffleMethod,
    SignedHow,
)

# --- decks made ready ---------------------------------------------------------------------------------


class ReceiveDeck(Action, frozen=True, tag="receive_deck"):
    """A deck comes to the table."""

    deck: DeckName
    jokers: int = 1
    cards: int | None = None
    preshuffled: Preinspection | None = None
    reshuffled_by: ShuffleMethod = ShuffleMethod.MANUAL


class InspectDeck(OnDeck, frozen=True, tag="inspect_deck"):
    """The dealer inspects a deck."""

    defects: str = ""


class VerifyInspection(OnDeck, frozen=True, tag="verify_inspection"):
    """A floorperson verifies the dealer's inspection."""


class AttestJoker(OnDeck, frozen=True, tag="attest_joker"):
    """Somebody makes sure that one joker is in the deck."""


class TearJoker(OnDeck, frozen=True, tag="tear_joker"):
    """The second joker is torn and put away."""

    container: str = ""


class SpreadDeck(OnDeck, frozen=True, tag="spread_deck"):
    """The cards are spread face up."""

    seen: int | None = None


class ViewSpread(OnDeck, frozen=True, tag="view_spread"):
    """The first player looks the spread cards over."""


class TurnDown(OnDeck, frozen=True, tag="turn_down"):
    """The spread cards are turned face down."""


class Wash(OnDeck, frozen=True, tag="wash"):
    """The cards are mixed on the table."""


class Stack(OnDeck, frozen=True, tag="stack"):
    """The cards are stacked."""


class SetShuffler(Action, frozen=True, tag="set_shuffler"):
    """The shuffler is set to a game."""

    game: str


# --- the table ----------------------------------------------------------------------------------------


class TipBox(Struct, frozen=True, forbid_unknown_fields=True):
    """Another place for the tip box: its approval, and the equipment that makes it necessary."""

    approval: str = ""
    equipment: str = ""


class OpenTable(Action, frozen=True, tag="open_table"):
    """A floorperson opens the table for play."""

    checklist: tuple[ClauseId, ...] = ()
    odds_shown: Display | None = None
    limit_shown: Display | None = None
    tip_box: TipBox | None = None


class CloseTable(Action, frozen=True, tag="close_table"):
    """A floorperson closes the table."""

    shaker: bool = False


class AdoptRules(Action, frozen=True, tag="adopt_rules"):
    """The table goes on under another submission."""

    submission: Submission


class ChangeDealing(Action, frozen=True, tag="change_dealing"):
    """The table goes on with another way of dealing, or of finding the starting position."""

    dealing: str
    start: str | None = None
    """How the starting position is found from now on, if otherwise than before."""


class RecordNotice(Action, frozen=True, tag="record_notice"):
    """A notice of an authority about the game is put on record."""

    status: NoticeStatus
    source: str
    dated: date


class StoreProof(Action, frozen=True, tag="store_proof"):
    """The proof form of the layout is stored."""

    signer: str
    dated: date
    width: str = ""
    height: str = ""
    verdict: str = ""


# --- people -------------------------------------------------------------------------------------------


class LogOn(Action, frozen=True, tag="log_on"):
    """A dealer comes to a table without one."""

    training: str = ""


class Relieve(Action, frozen=True, tag="relieve"):
    """A dealer takes over from another."""

    training: str = ""
    shaker: bool = False


class LogOff(Action, frozen=True, tag="log_off"):
    """The dealer leaves the table."""

    shaker: ShakerKept | None = None


class Sit(AtPosition, frozen=True, tag="sit"):
    """A player sits down."""


class Leave(AtPosition, frozen=True, tag="leave"):
    """A player gets up."""


class RuleAbandoned(OnHand, frozen=True, tag="rule_abandoned"):
    """The floor rules about the hand of a player who left."""

    lost: bool
    reason: str


# --- devices and idle tables --------------------------------------------------------------------------


class SignOutOfOrder(Action, frozen=True, tag="sign_out_of_order"):
    """A failed device is covered or signed."""

    device: Device
    how: SignedHow | None = None


class Repair(Action, frozen=True, tag="repair"):
    """A failed device works again."""

    device: Device


class IdleSpread(Action, frozen=True, tag="idle_spread"):
    """The cards are spread at a table at which nobody plays."""

    face: Face = Face.DOWN
    asked_by: str = ""


class Resume(Action, frozen=True, tag="resume"):
    """An idle table is ready for play again."""


class SwapDecks(OnDeck, frozen=True, tag="swap_decks"):
    """The stacked deck goes into the shuffler and the other one comes out."""

    secure: bool = False
    asked: bool = False
    spread: bool = False
