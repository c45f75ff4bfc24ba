"""The plan of an automated table: its duties, house players, pace and time limits."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Final

from msgspec import Struct, field

from houseway.money import Cents
from houseway.rounds.roles import Role
from houseway.rounds.state import PersonId, Phase
from houseway.rounds.step import Actor
from houseway.rounds.steps import STEPS

DEVICES: Final = (Role.SHUFFLER, Role.SHOE, Role.GENERATOR, Role.KEYPAD, Role.SENSOR, Role.DISPLAY)
AUTOMATED: Final[Mapping[Role, PersonId]] = {
    Role.DEALER: "automatic dealer",
    Role.FLOORPERSON: "automatic floor",
    **{device: f"automatic {device.value}" for device in DEVICES},
}
"""Every duty of a fully automated table, and the name of its actor."""
_PREPARING: Final = (Phase.CLOSED, Phase.OPENING)


class HousePlayer(Struct, frozen=True, forbid_unknown_fields=True):
    """A player whom the program plays: the same wagers every round, hands set the house way."""

    id: PersonId
    name: str = ""
    wagers: Mapping[str, Cents] = {}
    """Their wagers; if empty, a modest bet on everything the table offers."""
    doubles: bool = False
    """Whether they double down whenever it is offered."""

    @property
    def actor(self) -> Actor:
        """The player as an actor."""
        return Actor(self.id, Role.PLAYER, self.name)


class Pace(Struct, frozen=True, forbid_unknown_fields=True):
    """Seconds before each automatic step, so that people can follow."""

    step: float = 0.8
    followed: float = 2.5
    """Before a hand is opened or settled, and before a round is over."""
    preparing: float = 0.1
    """Before each step of opening the table, when nobody plays yet."""

    def times(self, factor: float) -> Pace:
        """Return this pace, slower by a factor, or faster if it is below one."""
        return Pace(self.step * factor, self.followed * factor, self.preparing * factor)

    def before(self, step: str, phase: Phase) -> timedelta:
        """Return how long a table stands before a step."""
        if phase in _PREPARING:
            return timedelta(seconds=self.preparing)
        played = STEPS.get(step)  # chip actions are not steps
        return timedelta(seconds=self.followed if played is not None and played.followed else self.step)


USUAL: Final = Pace()


class Patience(Struct, frozen=True, forbid_unknown_fields=True):
    """Seconds that a table waits for people. No law names a time: these are house rules."""

    betting: float = 25
    """From the first bet of a round until the bets are closed, unless all people are ready before."""
    answering: float = 20
    """For the answer to an offer of the cut or the bank, and for the player-dealer's own steps."""
    setting: float = 90
    """For a hand to be looked at, and to be set."""
    vanished: float = 30
    """From when a person was last seen until they count as gone."""

    resting: float | None = None
    """From when any person was last seen on the floor until house players stop beginning rounds."""

    def for_step(self, step: str) -> timedelta:
        """Return how long a person has for a step."""
        return timedelta(seconds=self.setting if STEPS[step].deliberate else self.answering)


class TablePlan(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What is automated at one table."""

    duties: Mapping[Role, PersonId] = field(default_factory=lambda: AUTOMATED)
    """The automated duties with the names of their actors; other duties are done by people."""
    players: Mapping[int, HousePlayer] = {}
    """The house players, by position; they give way to people who have taken the position."""
    pace: Pace = Pace()
    patience: Patience = Patience()
    rulings: bool = False
    """Whether the automated floorperson rules on stopped rounds and abandoned hands.

    An abandoned hand is then played the house way, never lost; the law leaves the rest to a floorperson.
    """
    alone: bool = True
    """Whether house players play at a table without people."""
    balance: Cents = Cents(0)
    """The chips given to house players who have none, and at a practice table to all players."""

    def is_house(self, person: PersonId) -> bool:
        """Whether a person is a house player of the table."""
        return any(player.id == person for player in self.players.values())
