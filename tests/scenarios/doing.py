"""What happens at the table: the sentences of *given* and *when*."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeVar

from houseway.cards import Cards, show
from houseway.money import Cents, dollars
from houseway.rounds.state import CardOrigin, Phase, changed
from houseway.rounds.step import Actor
from tests.games.support import Changes, submission
from tests.rounds import washington
from tests.rounds.california import CA, Cardroom
from tests.rounds.commands import NamedStep
from tests.rounds.table import FLOOR, Snapshot, TestTable
from tests.scenarios.sentences import Grammar, SentenceRead

T = TypeVar("T")

DOING = Grammar()
NOT_YET_OPEN = (Phase.CLOSED, Phase.OPENING)
PERMITTED = (
    "permitted by {clauses} at the earliest: {act}",
    "permitted by {clauses} at the latest: {act}",
    "permitted by {clauses}: {act}",
)
"""What the law permits, at the first and the last moment at which it does; the third has no time to it."""
START_STEPS = ("draw_number", "shake", "uncover", "announce_total", "read_button")


@dataclass
class Story:
    """A table on which a scenario happens, and what is remembered of it."""

    floor: TestTable
    began: Snapshot
    """The table as it was before the first sentence."""
    before: Snapshot
    """The table as it was before the *when*."""
    changes: Changes = field(default_factory=dict)
    """What differs from the game's example submission."""
    arranged: dict[int, str] = field(default_factory=dict)
    refused_by: tuple[str, ...] | None = None
    """The clauses by which the last *when* was refused; ``None`` if it was not."""

    @classmethod
    def at(cls, game: str, changes: Changes) -> Story:
        """Begin a story at a closed table."""
        floor = Cardroom(changes, seats=(), opened=False) if game == CA else TestTable(game, changes)
        return cls(floor, floor.table, floor.table, changes)

    @property
    def table(self) -> Snapshot:
        """The table as it is now."""
        return self.floor.table

    def open(self) -> None:
        """Open the table, if it is not open."""
        if self.table.phase in NOT_YET_OPEN:
            self.floor.opened()

    def seat(self, player: Actor, at: int) -> None:
        """Let a player sit down, at an open table, if nobody sits there."""
        self.open()
        if at not in self.table.seats:
            self.floor.do("sit", player, at)

    def arrange(self) -> None:
        """Put the cards that were asked for where they will be dealt, the dealer's hand first."""
        if not self.arranged:
            return
        if isinstance(self.floor, Cardroom):
            self.floor.awaits(self.arranged)
        elif "press_start" in self.table.rules.game.procedure:
            self._arrange_packs()
        else:
            self.floor.play_on(Phase.STARTING).arranged(self.arranged)
            self.floor.play_on(without=[*START_STEPS, "deal"]).start_at_dealer()
        self.arranged = {}

    def _arrange_packs(self) -> None:
        """Start the round by the green button, if it is not started, and arrange the shuffler's packs."""
        self.floor.play_on(without=["shake_cup", "press_start"])
        if self.table.round.start is None:
            washington.start(self.floor)
        washington.arrange(self.floor, self.arranged)


@DOING.says("the table is open")
def _open(story: Story) -> None:
    story.open()


@DOING.says("the cards are real and typed in when they lie open")
def _typed_in(story: Story) -> None:
    assert story.table.phase is Phase.CLOSED, "it is said before the table opens"
    story.floor.force(source=CardOrigin.TYPED)
    story.floor.live.before = changed(story.floor.live.before, source=CardOrigin.TYPED)


@DOING.says("{player} at {at} banks {money}")
def _banks(story: Story, player: Actor, at: int, money: Cents) -> None:
    story.seat(player, at)
    assert isinstance(story.floor, Cardroom), "the house banks this game"
    story.floor.banks(at, dollars(money))


@DOING.says("{player} at {at} bets {wagers}")
def _bets(story: Story, player: Actor, at: int, wagers: dict[str, Cents]) -> None:
    story.seat(player, at)
    story.floor.do("wager", player, at, wagers=wagers)


@DOING.says("the dealer holds {cards}", "the player-dealer holds {cards}")
def _dealer_holds(story: Story, cards: Cards) -> None:
    story.arranged[story.table.dealer_at] = show(cards)


@DOING.says("{player} at {at} is dealt {cards}")
def _is_dealt(story: Story, _: Actor, at: int, cards: Cards) -> None:
    story.arranged[at] = show(cards)


@DOING.says("{n} cards are dealt", "{n} card is dealt")
def _cards_dealt(story: Story, number: int) -> None:
    story.arrange()
    if not story.table.round.dealt:
        story.floor.play_on(without=["deal"])
    story.floor.do("deal", cards=number)


@DOING.says("all cards are dealt")
def _all_dealt(story: Story) -> None:
    story.arrange()
    if not story.table.round.dealt:
        story.floor.play_on(without=["deal"])
    story.floor.do("deal")


@DOING.says("the round goes on to {phase}")
def _goes_on(story: Story, phase: Phase) -> None:
    story.arrange()
    story.floor.play_on(phase)
    assert story.table.phase is phase, f"the round goes on only to {story.table.phase}"


@DOING.says("everything due is done except {steps}")
def _done_except(story: Story, steps: tuple[str, ...]) -> None:
    story.arrange()
    story.floor.play_on(without=steps)


@DOING.says("the round is played out")
def _played_out(story: Story) -> None:
    story.arrange()
    rounds = story.table.rounds
    story.floor.play_on(rounds=1)
    assert story.table.rounds == rounds + 1, f"the round stops at {story.table.phase}"


@DOING.says("{n} hours pass")
def _hours(story: Story, number: int) -> None:
    story.floor.later(hours=number)


@DOING.says("{n} minutes pass")
def _minutes(story: Story, number: int) -> None:
    story.floor.later(minutes=number)


@DOING.says("the casino files rules with {choices}")
def _files(story: Story, choices: dict[str, str]) -> None:
    reference = f"{story.table.rules.submission.reference}-2"
    filed = submission(story.table.rules.game.id, {"reference": reference, **story.changes, **choices})
    story.floor.do("adopt_rules", FLOOR, submission=filed)
    story.changes |= choices


@DOING.says(*PERMITTED)
def _permitted(story: Story, _: tuple[str, ...], act: SentenceRead) -> None:
    act.sentence.run(story, *act.values)


@DOING.says("{does}")
def _does(story: Story, command: NamedStep) -> None:
    story.floor.do(command.step, command.by, command.position, **command.details)
