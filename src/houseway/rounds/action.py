"""What an action is: a frozen struct per step, with named and typed fields.

Actions are all that comes into the round of play. Their tag is the step's name, so that one decoder reads
any of them, and the bodies of an API and its schema are derived from the same structs.
"""

from __future__ import annotations

from typing import Annotated, Final

from msgspec import Struct

from houseway.rounds.annotations import Ask

Position = int
"""A betting position or seat; 1 is the dealer's, or the first seat where a player banks."""
DeckName = str
WagerId = str
ClauseId = str

TAG: Final = "step"


class Action(Struct, frozen=True, gc=False, tag_field=TAG, omit_defaults=True, forbid_unknown_fields=True):
    """Something that may be done at a table."""

    @property
    def step(self) -> str:
        """The name of the step that this action takes."""
        return step_of(type(self))


class AtPosition(Action, frozen=True):
    """Something done at a position."""

    position: Position


class OnHand(AtPosition, frozen=True):
    """Something done with the hand that is played at a position."""


class OnDeck(Action, frozen=True):
    """Something done with a deck at the table."""

    deck: Annotated[DeckName, Ask("Deck")]


def step_of(action: type[Action]) -> str:
    """Return the name of the step that a kind of action takes."""
    return str(action.__struct_config__.tag)


def position_of(action: Action) -> Position | None:
    """Return the position that an action names, if it names one."""
    return getattr(action, "position", None)
