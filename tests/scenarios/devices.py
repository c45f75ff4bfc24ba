"""What Washington's display, sensors and keypad show: more sentences of *then*."""

from __future__ import annotations

from houseway.money import Cents, dollars
from houseway.rounds.state import JackpotWin
from houseway.rounds.step import Actor
from tests.rounds.commands import value_of
from tests.rounds.washington import lights, payables, screen
from tests.scenarios.doing import Story
from tests.scenarios.sentences import Grammar

DEVICES = Grammar()


@DEVICES.says('the display reads "{screen}"')
def _reads(story: Story, title: str) -> None:
    shown = screen(story.table)
    assert shown == title, f"the display reads {shown!r}"


@DEVICES.says("the sensor at {at} shows {light}")
def _shows(story: Story, at: int, light: str) -> None:
    shown = lights(story.table).get(at, "nothing")
    assert shown == light, f"the sensor at {at} shows {shown}"


def wins(story: Story) -> tuple[JackpotWin, ...]:
    """Return the wins that J-POT recorded in the round in progress, or in the one that has just ended."""
    table = story.state.state
    return table.round.wins if table.round.hands or table.last is None else table.last.wins


@DEVICES.says("a win of {money} is recorded for {player}")
def _win(story: Story, money: Cents, player: Actor) -> None:
    mine = [win.amount for win in wins(story) if win.person == player.id]
    assert mine == [money], f"recorded for {player.id}: {', '.join(map(dollars, mine)) or 'nothing'}"


@DEVICES.says("no win is recorded for {player}")
def _no_win(story: Story, player: Actor) -> None:
    assert player.id not in {win.person for win in wins(story)}, "a win is recorded"


@DEVICES.says("the monitor shows a prize of {money}")
def _monitor(story: Story, money: Cents) -> None:
    shown = [dollars(event.outcome.win.amount) for event in story.table.log if event.step == "press_jpot"]
    assert shown and shown[-1] == dollars(money), f"the monitor shows {shown[-1:] or 'nothing'}"


@DEVICES.says("a prize of {money} is still to be paid to {player}")
def _to_be_paid(story: Story, money: Cents, player: Actor) -> None:
    owed = {win.person: win.amount for win in payables(story.table)}
    assert owed.get(player.id) == money, f"owed: {owed or 'nothing'}"


@DEVICES.says('the win page says "{words}"')
def _page(story: Story, words: str) -> None:
    pages = [value_of(event, "page") for event in story.table.log if event.step == "print_win"]
    assert pages and words in pages[-1], f"the win page says {pages[-1:] or 'nothing'}"
