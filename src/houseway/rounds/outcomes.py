"""What comes of an action: one frozen struct per kind of outcome, with all that the table's fold needs.

An event is folded without rules, meters or chance; so whatever they decided is written down here.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final, Union

from msgspec import Struct, field

from houseway.cards import Card, Cards
from houseway.errors import InvalidInputError
from houseway.games import Submission
from houseway.ledger import Movement
from houseway.meters import MeterMove, MeterState
from houseway.money import Cents
from houseway.ranking import Race, Setting
from houseway.rounds.actions import Irregularity
from houseway.rounds.dealing import Voided
from houseway.rounds.marks import DeckMark, HandMark, nothing
from houseway.rounds.state import JackpotWin, Racked
from houseway.settlement import Payment

_HEX: Final = re.compile(r"(?:[0-9a-f]{2})+")


class Outcome(
    Struct, frozen=True, gc=False, tag_field="kind", omit_defaults=True, forbid_unknown_fields=True
):
    """What came of an action."""


class Moves(Outcome, frozen=True):
    """An outcome that may move money: stakes on and off the layout, payments, and a meter with them.

    ``movements`` are between the house and a meter alone: nobody's wager has a part in them.
    """

    stakes: tuple[Payment, ...] = ()
    payments: tuple[Payment, ...] = ()
    meter: MeterMove | None = None
    movements: tuple[Movement, ...] = ()


class OpenedSeal(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """A deck's seal, opened when its round is over: what it committed to, the order, the nonce in hex."""

    commitment: str
    order: Cards
    nonce: str

    def __post_init__(self) -> None:
        if _HEX.fullmatch(self.nonce) is None:
            raise InvalidInputError("a nonce is written in hexadecimal digits", value=self.nonce)


class Ends(Moves, frozen=True):
    """An outcome that ends a round: the seal of its deck is opened."""

    seal: OpenedSeal | None = None


# --- the table, its decks and people ------------------------------------------------------------------


class DeckReceived(Outcome, frozen=True, tag="deck_received"):
    """What a deck that came to the table needs no more, and what it committed to if it came shuffled."""

    cards: int
    marks: frozenset[DeckMark] = field(default_factory=nothing)
    commitment: str | None = None


class Shuffled(Outcome, frozen=True, tag="shuffled"):
    """What a shuffle committed to; nothing where the cards are real."""

    commitment: str | None = None


class RulesAdopted(Moves, frozen=True, tag="rules_adopted", kw_only=True):
    """The submission that the table goes on under, and the meter that it opens or comes to share."""

    submission: Submission
    fingerprint: str
    law: str
    shares: str | None = None


class HasLeft(Moves, frozen=True, tag="has_left", kw_only=True):
    """Whether a player left during the round, and what follows for the bank when all have declined it.

    ``returned`` are the wagers of those who stood behind a hand that nobody plays now.
    """

    during_round: bool
    play_stops: bool = False
    returned: Mapping[str, Mapping[str, Cents]] = {}


class Restaked(Moves, frozen=True, tag="restaked"):
    """Stakes that moved, and nothing else."""


class BankDeclined(Outcome, frozen=True, tag="bank_declined"):
    """What follows for the bank when all have declined it."""

    play_stops: bool = False


# --- before the cards ---------------------------------------------------------------------------------


class WagersPlaced(Moves, frozen=True, tag="wagers_placed", kw_only=True):
    """The wagers that lie on the layout now: a progressive chip off its sensor is none.

    ``returned`` are the wagers of those who stood behind a hand that nobody plays now.
    """

    placed: Mapping[str, Cents]
    returned: Mapping[str, Mapping[str, Cents]] = {}


class BetsClosed(Outcome, frozen=True, tag="bets_closed"):
    """The meter as the round finds it, unless it is noted already, and where settling begins at first."""

    meter: MeterState | None = None
    action: int | None = None


class LammersPlaced(Outcome, frozen=True, tag="lammers_placed"):
    """Where the Envy lammers lie."""

    positions: tuple[int, ...]


class ProgressiveTaken(Moves, frozen=True, tag="progressive_taken", kw_only=True):
    """The progressive wagers taken, and what each put into the meter."""

    accepted: int
    taken: Mapping[int, tuple[Movement, ...]] = {}


class Paid(Moves, frozen=True, tag="paid"):
    """Money that moved, and nothing else."""


class Uncovered(Outcome, frozen=True, tag="uncovered"):
    """What the dice show, or that there was no roll."""

    faces: tuple[int, ...] = ()
    no_roll: bool = False


class StartFound(Outcome, frozen=True, tag="start_found"):
    """The position that is due to start, and the one that was announced or drawn."""

    due: int
    start: int
    total: int | None = None
    announced: int | None = None
    number: int | None = None


class CupShaken(Outcome, frozen=True, tag="cup_shaken", kw_only=True):
    """What the dice cup shows and where it starts the deal; shaking it closes the bets."""

    faces: tuple[int, ...]
    total: int
    start: int
    closed: BetsClosed


class RoundStarted(Outcome, frozen=True, tag="round_started", kw_only=True):
    """Where the green button starts the deal, and the bets that it closed."""

    start: int
    number: int | None = None
    closed: BetsClosed | None = None


class DiceShaken(Outcome, frozen=True, tag="dice_shaken", kw_only=True):
    """What the player-dealer's dice show: the seat of the first hand and the Action seat."""

    faces: tuple[int, ...]
    total: int
    first: int
    action: int


# --- the deal -----------------------------------------------------------------------------------------


class Dealt(Outcome, frozen=True, tag="dealt", kw_only=True):
    """The cards that came off the deck, and the hands that they make once the last is dealt."""

    number: int
    first: int | None
    cards: Cards = ()
    complete: bool = False
    hands: Mapping[int, Cards] = {}


class HandedOut(Outcome, frozen=True, tag="handed_out"):
    """The hands that the piles make."""

    hands: Mapping[int, Cards] = {}


class StubCounted(Outcome, frozen=True, tag="stub_counted"):
    """How many cards are left, and whether that is right."""

    left: int
    right: bool


class PutAway(Outcome, frozen=True, tag="put_away"):
    """What went into the discard rack."""

    racked: tuple[Racked, ...]


class FaceUpFound(Outcome, frozen=True, tag="face_up_found"):
    """The card that was found face up, and what it makes void."""

    card: Card | None = None
    void: Irregularity | None = None


class CardExposed(Outcome, frozen=True, tag="card_exposed"):
    """What follows from an exposed card: the round stops or is void, or its player may choose."""

    stop: str | None = None
    void: Irregularity | None = None
    choice: bool = False


class HandChosen(Moves, frozen=True, tag="hand_chosen", kw_only=True):
    """What became of a hand of which a card was exposed."""

    void_law: tuple[str, ...] = ()
    racked: Racked | None = None


# --- setting ------------------------------------------------------------------------------------------


class Advised(Outcome, frozen=True, tag="advised", kw_only=True):
    """The house way for a player who asked, unless a display shows it later."""

    by_display: bool = False
    setting: Setting | None = None
    rule: str = ""
    way: str = ""


class WayShown(Outcome, frozen=True, tag="way_shown"):
    """The setting that the display shows."""

    setting: Setting


class DealerSet(Outcome, frozen=True, tag="dealer_set", kw_only=True):
    """How the dealer's hand is set, and whether that is the house way."""

    setting: Setting
    right: bool


class DealerReset(Moves, frozen=True, tag="dealer_reset", kw_only=True):
    """The dealer's hand set the house way, and the races run anew."""

    setting: Setting
    races: Mapping[int, Race] = {}


# --- settling -----------------------------------------------------------------------------------------


class Revealed(Outcome, frozen=True, tag="revealed", kw_only=True):
    """The parts that lie open; with the last of them the race and what the dealer says."""

    shown: frozenset[str]
    race: Race | None = None
    announced: str | None = None
    foul: bool = False


class Rearranged(Outcome, frozen=True, tag="rearranged", kw_only=True):
    """What the cards make for the bonus wagers, and whether others envy them."""

    made: Mapping[str, str] = {}
    marks: frozenset[HandMark] = field(default_factory=nothing)
    envied: frozenset[str] = field(default_factory=nothing)
    announced: tuple[str, ...] = ()


class Settled(Moves, frozen=True, tag="settled", kw_only=True):
    """The wagers that were settled."""

    wagers: tuple[str, ...]
    race: Race | None = None
    paid_away: bool = False
    """Whether a progressive award came from elsewhere than the table's inventory: its papers are due."""


class RoundClosed(Ends, frozen=True, tag="round_closed", kw_only=True):
    """A round that was played out, the dealer's cards racked last."""

    racked: Racked


class RoundVoided(Ends, frozen=True, tag="round_voided", kw_only=True):
    """A round that was void, and why."""

    why: Voided


class RoundEnded(Ends, frozen=True, tag="round_ended"):
    """A round in which nobody had a hand left."""


# --- progressive wins ---------------------------------------------------------------------------------


class JackpotVerified(Outcome, frozen=True, tag="jackpot_verified"):
    """The cards that were looked at, and the line that they make."""

    cards: Cards
    line: str


class WinRecorded(Outcome, frozen=True, tag="win_recorded"):
    """The win that J-POT recorded."""

    win: JackpotWin


class WinPrinted(Outcome, frozen=True, tag="win_printed"):
    """The page of a recorded win."""

    page: str


class MeterAdjusted(Moves, frozen=True, tag="meter_adjusted"):
    """A meter that was adjusted by hand."""


OUTCOMES: Final[tuple[type[Outcome], ...]] = (
    Advised,
    BankDeclined,
    BetsClosed,
    CardExposed,
    CupShaken,
    DealerReset,
    DealerSet,
    Dealt,
    DeckReceived,
    DiceShaken,
    FaceUpFound,
    HandChosen,
    HandedOut,
    HasLeft,
    JackpotVerified,
    LammersPlaced,
    MeterAdjusted,
    Paid,
    ProgressiveTaken,
    PutAway,
    Rearranged,
    Restaked,
    Revealed,
    RoundClosed,
    RoundEnded,
    RoundStarted,
    RoundVoided,
    RulesAdopted,
    Settled,
    Shuffled,
    StartFound,
    StubCounted,
    Uncovered,
    WagersPlaced,
    WayShown,
    WinPrinted,
    WinRecorded,
)
"""Every kind of outcome there is."""
AnyOutcome = Union[OUTCOMES]  # type: ignore[valid-type]  # noqa: UP007 - made of the tuple above
"""Any of them, as a decoder reads it."""
