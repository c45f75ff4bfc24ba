"""What comes of an action: the kinds that several steps share; others stand with their step.

An event is folded without rules, meters or chance; so everything that they decided is in its outcome.
"""

from __future__ import annotations

import re
from typing import Annotated, Final

from msgspec import Struct

from houseway.cards import Cards
from houseway.errors import InvalidInputError
from houseway.ledger import Movement
from houseway.meters import MeterMove, MeterState
from houseway.rounds.annotations import Readers, Shown
from houseway.rounds.state import Racked
from houseway.settlement import Payment

_HEX: Final = re.compile(r"(?:[0-9a-f]{2})+")


class Outcome(
    Struct, frozen=True, gc=False, tag_field="kind", omit_defaults=True, forbid_unknown_fields=True
):
    """What came of an action."""


class Moves(Outcome, frozen=True):
    """An outcome that may move money: stakes on and off the layout, payments, and a meter with them.

    ``movements`` are between the house and a meter alone: no one's wager has a part in them.
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

    seal: Annotated[OpenedSeal | None, Readers.AUDIT] = None


# --- the table, its decks and people ------------------------------------------------------------------


class Restaked(Moves, frozen=True, tag="restaked"):
    """Stakes that moved, and nothing else."""


# --- before the cards ---------------------------------------------------------------------------------


class BetsClosed(Outcome, frozen=True, tag="bets_closed"):
    """The meter as the round finds it, unless it is noted already, and where settling begins at first."""

    meter: MeterState | None = None
    action: int | None = None


class Paid(Moves, frozen=True, tag="paid"):
    """Money that moved, and nothing else."""


class StartFound(Outcome, frozen=True, tag="start_found"):
    """The position that is due to start, and the one that was announced or drawn."""

    due: Annotated[int, Shown("due")]
    start: Annotated[int, Shown("start")]
    total: Annotated[int | None, Shown("total")] = None
    announced: Annotated[int | None, Shown("announced")] = None
    number: Annotated[int | None, Shown("number")] = None


# --- the deal -----------------------------------------------------------------------------------------


class PutAway(Outcome, frozen=True, tag="put_away"):
    """What went into the discard rack."""

    racked: Annotated[tuple[Racked, ...], Readers.EVERYBODY]
