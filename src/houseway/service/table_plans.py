"""What runs by itself at a table: which duties, which players, at what pace, and how long anybody waits."""

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
"""Every duty of a table that plays by itself, and the name under which each is done."""
_PREPARING: Final = (Phase.CLOSED, Phase.OPENING)


class HousePlayer(Struct, frozen=True, forbid_unknown_fields=True):
    """A player whom the program plays: the same wagers every round, the hand set the house way."""

    id: PersonId
    name: str = ""
    wagers: Mapping[str, Cents] = {}
    """What they wager; nothing is a modest bet on everything the table offers."""
    doubles: bool = False
    """Whether they double down wherever it is offered."""

    @property
    def actor(self) -> Actor:
        """The player, as somebody who acts."""
        return Actor(self.id, Role.PLAYER, self.name)


class Pace(Struct, frozen=True, forbid_unknown_fields=True):
    """How many seconds pass before each automatic step, so that people can follow."""

    step: float = 0.8
    followed: float = 2.5
    """Before a hand is opened or settled, and before a round is over."""
    preparing: float = 0.1
    """Before each step of making the table ready: nobody plays yet."""

    def times(self, factor: float) -> Pace:
        """Return a pace that is slower by a factor, or faster if it is below one."""
        return Pace(self.step * factor, self.followed * factor, self.preparing * factor)

    def before(self, step: str, phase: Phase) -> timedelta:
        """Return how long a table stands as it is before a step."""
        if phase in _PREPARING:
            return timedelta(seconds=self.preparing)
        played = STEPS.get(step)  # what is done with chips is no step of the round
        return timedelta(seconds=self.followed if played is not None and played.followed else self.step)


USUAL: Final = Pace()


class Patience(Struct, frozen=True, forbid_unknown_fields=True):
    """How many seconds a table waits for people. No law names a time: these are the house's."""

    betting: float = 25
    """From the first bet of a round until the bets are closed, unless everybody is ready before."""
    answering: float = 20
    """For an answer to an offer: of the cut, of the bank; and for what only the player-dealer does."""
    setting: float = 90
    """For a hand to be looked at, and to be set."""
    vanished: float = 30
    """From when somebody was last seen until they are taken to have got up."""

    resting: float | None = None
    """From when anybody was last seen on the floor until house players begin no more rounds."""

    def for_step(self, step: str) -> timedelta:
        """Return how long somebody has for a step that the table waits for."""
        return timedelta(seconds=self.setting if STEPS[step].deliberate else self.answering)


class TablePlan(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What runs by itself at one table."""

    duties: Mapping[Role, PersonId] = field(default_factory=lambda: AUTOMATED)
    """The duties that are automated, and under which name; a duty that is missing is a person's."""
    players: Mapping[int, HousePlayer] = {}
    """The house players, by position. A position that somebody else has taken is theirs."""
    pace: Pace = Pace()
    patience: Patience = Patience()
    rulings: bool = False
    """Whether the automated floorperson rules about rounds that are stopped and hands that were left.

    A person's hand is then played the house way, never lost: the law leaves the rest to a floorperson.
    """
    alone: bool = True
    """Whether house players play where nobody else sits."""
    balance: Cents = Cents(0)
    """What chips a house player without any is given, and at a practice table everybody."""

    def is_house(self, person: PersonId) -> bool:
        """Whether a person is a house player of the table."""
        return any(player.id == person for player in self.players.values())
