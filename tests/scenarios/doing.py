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

    table: TestTable
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
        table = Cardroom(changes, seats=(), opened=False) if game == CA else TestTable(game, changes)
        return cls(table, table.state, table.state, changes)

    @property
    def state(self) -> Snapshot:
        """The table as it is now."""
        return self.table.state

    def open(self) -> None:
        """Open the table, if it is not open."""
        if self.state.phase in NOT_YET_OPEN:
            self.table.opened()

    def seat(self, player: Actor, at: int) -> None:
        """Let a player sit down, at an open table, if nobody sits there."""
        self.open()
        if at not in self.state.seats:
            self.table.do("sit", player, at)

    def arrange(self) -> None:
        """Put the cards that were asked for where they will be dealt, the dealer's hand first."""
        if not self.arranged:
            return
        if isinstance(self.table, Cardroom):
            self.table.awaits(self.arranged)
        elif "press_start" in self.state.rules.game.procedure:
            self._arrange_packs()
        else:
            self.table.play_on(Phase.STARTING).arranged(self.arranged)
            self.table.play_on(without=[*START_STEPS, "deal"]).start_at_dealer()
        self.arranged = {}

    def _arrange_packs(self) -> None:
        """Start the round by the green button, if it is not started, and arrange the shuffler's packs."""
        self.table.play_on(without=["shake_cup", "press_start"])
        if self.state.round.start is None:
            washington.start(self.table)
        washington.arrange(self.table, self.arranged)


@DOING.says("the table is open")
def _open(story: Story) -> None:
    story.open()


@DOING.says("the cards are real and typed in when they lie open")
def _typed_in(story: Story) -> None:
    assert story.state.phase is Phase.CLOSED, "it is said before the table opens"
    story.table.force(source=CardOrigin.TYPED)
    story.table.live.before = changed(story.table.live.before, source=CardOrigin.TYPED)


@DOING.says("{player} at {at} banks {money}")
def _banks(story: Story, player: Actor, at: int, money: Cents) -> None:
    story.seat(player, at)
    assert isinstance(story.table, Cardroom), "the house banks this game"
    story.table.banks(at, dollars(money))


@DOING.says("{player} at {at} bets {wagers}")
def _bets(story: Story, player: Actor, at: int, wagers: dict[str, Cents]) -> None:
    story.seat(player, at)
    story.table.do("wager", player, at, wagers=wagers)


@DOING.says("the dealer holds {cards}", "the player-dealer holds {cards}")
def _dealer_holds(story: Story, cards: Cards) -> None:
    story.arranged[story.state.dealer_at] = show(cards)


@DOING.says("{player} at {at} is dealt {cards}")
def _is_dealt(story: Story, _: Actor, at: int, cards: Cards) -> None:
    story.arranged[at] = show(cards)


@DOING.says("{n} cards are dealt", "{n} card is dealt")
def _cards_dealt(story: Story, number: int) -> None:
    story.arrange()
    if not story.state.round.dealt:
        story.table.play_on(without=["deal"])
    story.table.do("deal", cards=number)


@DOING.says("all cards are dealt")
def _all_dealt(story: Story) -> None:
    story.arrange()
    if not story.state.round.dealt:
        story.table.play_on(without=["deal"])
    story.table.do("deal")


@DOING.says("the round goes on to {phase}")
def _goes_on(story: Story, phase: Phase) -> None:
    story.arrange()
    story.table.play_on(phase)
    assert story.state.phase is phase, f"the round goes on only to {story.state.phase}"


@DOING.says("everything due is done except {steps}")
def _done_except(story: Story, steps: tuple[str, ...]) -> None:
    story.arrange()
    story.table.play_on(without=steps)


@DOING.says("the round is played out")
def _played_out(story: Story) -> None:
    story.arrange()
    rounds = story.state.rounds
    story.table.play_on(rounds=1)
    assert story.state.rounds == rounds + 1, f"the round stops at {story.state.phase}"


@DOING.says("{n} hours pass")
def _hours(story: Story, number: int) -> None:
    story.table.later(hours=number)


@DOING.says("{n} minutes pass")
def _minutes(story: Story, number: int) -> None:
    story.table.later(minutes=number)


@DOING.says("the casino files rules with {choices}")
def _files(story: Story, choices: dict[str, str]) -> None:
    reference = f"{story.state.rules.submission.reference}-2"
    filed = submission(story.state.rules.game.id, {"reference": reference, **story.changes, **choices})
    story.table.do("adopt_rules", FLOOR, submission=filed)
    story.changes |= choices


@DOING.says(*PERMITTED)
def _permitted(story: Story, _: tuple[str, ...], act: SentenceRead) -> None:
    act.sentence.run(story, *act.values)


@DOING.says("{does}")
def _does(story: Story, command: NamedStep) -> None:
    story.table.do(command.step, command.by, command.position, **command.details)
