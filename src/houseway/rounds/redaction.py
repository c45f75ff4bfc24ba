"""An event as one person may read it: every card that this person may not see is taken out.

What holds cards is listed here, field by field, with who may read it. A field that is not listed may hold
none: a test looks through every action and outcome there is.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum, auto
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from houseway.games import Rules
from houseway.rounds.actions import CorrectEntry, Deal, EnterHand, ResetBank, SetDealer, SetHand
from houseway.rounds.marks import HandMark
from houseway.rounds.outcomes import (
    Advised,
    DealerReset,
    DealerSet,
    Dealt,
    FaceUpFound,
    HandChosen,
    HandedOut,
    JackpotVerified,
    PutAway,
    RoundClosed,
    RoundEnded,
    RoundVoided,
    WayShown,
)
from houseway.rounds.roles import Role, Sees, sees
from houseway.rounds.sight import lies_open
from houseway.rounds.state import Table
from houseway.rounds.step import Actor, AnEvent


class Readers(Enum):
    """Who may read a field that holds cards."""

    NOBODY = auto()
    """Cards that lie face down: whoever may look sees them in a view, when the time has come."""
    OWNER = auto()
    """Only the player of the hand that the event is about, who has looked at it, and whoever acted."""
    ADVISED = auto()
    """The player, and the dealer who sets the hand for them or tells them."""
    DISPLAY = auto()
    """The player, and whoever watches the display: surveillance has it mirrored."""
    TYPED = auto()
    """Cards that the dealer reads off the table and types in; open when they are confirmed."""
    AUDIT = auto()
    """The order of a deck once its round is over: it tells also of hands that were never shown."""
    EVERYBODY = auto()
    """Cards that lie open when the event happens."""


FIELDS: Final[Mapping[type[Struct], Mapping[str, Readers]]] = {
    Deal: {"read": Readers.NOBODY},
    Dealt: {"cards": Readers.NOBODY, "hands": Readers.NOBODY},
    HandedOut: {"hands": Readers.NOBODY},
    SetHand: {"setting": Readers.OWNER},
    Advised: {"setting": Readers.ADVISED},
    WayShown: {"setting": Readers.DISPLAY},
    EnterHand: {"setting": Readers.TYPED},
    CorrectEntry: {"setting": Readers.TYPED},
    HandChosen: {"racked": Readers.NOBODY},
    SetDealer: {"setting": Readers.EVERYBODY},
    DealerSet: {"setting": Readers.EVERYBODY},
    DealerReset: {"setting": Readers.EVERYBODY},
    ResetBank: {"setting": Readers.EVERYBODY},
    FaceUpFound: {"card": Readers.EVERYBODY},
    JackpotVerified: {"cards": Readers.EVERYBODY},
    PutAway: {"racked": Readers.EVERYBODY},
    RoundClosed: {"racked": Readers.EVERYBODY, "seal": Readers.AUDIT},
    RoundVoided: {"seal": Readers.AUDIT},
    RoundEnded: {"seal": Readers.AUDIT},
}
"""Every field that holds cards, and who may read it."""
_EMPTY: Final[Mapping[str, Any]] = {
    "read": (),
    "cards": (),
    "hands": {},
    "setting": None,
    "racked": None,
    "card": None,
    "seal": None,
}


def redact(rules: Rules, table: Table, event: AnEvent, viewer: Actor) -> AnEvent:
    """Return an event as a person may read it; ``table`` is the one that it happened at, before it."""
    hand = table.round.hands.get(event.position) if event.position is not None else None
    own = viewer.role is Role.PLAYER and hand is not None and hand.person == viewer.id
    owner = own and hand is not None and hand.has(HandMark.LOOKED)
    acted = (viewer.id, viewer.role) == (event.by.id, event.by.role)
    may: Mapping[Readers, bool] = {
        Readers.NOBODY: False,
        Readers.OWNER: owner or acted,
        Readers.ADVISED: owner or sees(viewer.role, Sees.ADVICE),
        Readers.DISPLAY: owner or sees(viewer.role, Sees.DISPLAY),
        Readers.TYPED: sees(viewer.role, Sees.TYPED),
        Readers.AUDIT: sees(viewer.role, Sees.OPENED_DECK),
        Readers.EVERYBODY: True,
    }
    action, outcome = _without(event.action, may), _without(event.outcome, may)
    if isinstance(outcome, PutAway) and hand is not None and not lies_open(rules, hand):
        outcome = PutAway(tuple(replace(one, cards=(), setting=None) for one in outcome.racked))
    return replace(event, action=action, outcome=outcome)


def _without(told: Any, may: Mapping[Readers, bool]) -> Any:  # noqa: ANN401 - an action or an outcome
    """Return an action or outcome without the fields that a person may not read."""
    listed = FIELDS.get(type(told), {})
    gone = {name: _EMPTY[name] for name, readers in listed.items() if not may[readers]}
    return replace(told, **gone) if gone else told
