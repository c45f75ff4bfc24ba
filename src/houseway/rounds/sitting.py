"""Playing on: one command at a time, or as many as may be done without being told.

``Automation`` names the duties that a table performs by itself. An automated step is decided, recorded
and undone by nobody, exactly as if somebody had commanded it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from houseway.games import Rules
from houseway.law.problems import Problem, RefusedError
from houseway.meters import Meter, opened
from houseway.rounds import steps as _steps
from houseway.rounds import views as _views
from houseway.rounds.deciding import Automation, act, decide, evolve, suggestions, verify
from houseway.rounds.state import Source, Table
from houseway.rounds.step import Actor, Command, Event, Moment, Role, Step, all_steps
from houseway.settlement import meter_terms

_KNOWN: Final = (_steps, _views)
EVERYTHING: Final[Automation] = frozenset(all_steps())
"""Every step there is: the table plays by itself."""
SETTLING: Final[Automation] = frozenset({"reveal", "settle", "rearrange", "rack"})
"""What follows by itself, once the dealer's hand is set, at a table where nobody handles cards and chips."""


@dataclass(frozen=True)
class Option:
    """Something that might be done now, and every reason why not yet."""

    command: Command
    problems: tuple[Problem, ...]

    @property
    def open(self) -> bool:
        """Whether it may be done now."""
        return not any(problem.blocks for problem in self.problems)


@dataclass(frozen=True)
class Refused:
    """A command that was refused, kept on record: it changed nothing."""

    command: Command
    at: datetime
    problems: tuple[Problem, ...]


def new_table(rules: Rules, source: Source = Source.VIRTUAL_DECK, meter: Meter | None = None) -> Table:
    """Return a closed table, with a fresh meter if it offers a progressive and none is given."""
    if meter is None and rules.offers("progressive"):
        meter, _ = opened(meter_terms(rules))
    return Table(rules, source, meter=meter)


perform: Final = act
"""Do one thing, or refuse it; automated duties that it leads on to are done with it."""


def attempt(table: Table, command: Command, moment: Moment) -> tuple[Table, tuple[Event, ...] | Refused]:
    """Do one thing, or keep the refusal; either way there is something to put on record."""
    try:
        return perform(table, command, moment)
    except RefusedError as error:
        return table, Refused(command, moment.now, error.problems)


def may(table: Table, command: Command, now: datetime) -> bool:
    """Whether a command may be done now."""
    return not any(problem.blocks for problem in verify(table, command, now))


def options(table: Table, now: datetime) -> tuple[Option, ...]:
    """Return what might be done now, each with the reasons why not yet."""
    return tuple(Option(command, verify(table, command, now)) for command in suggestions(table))


@dataclass(frozen=True)
class Outlook:
    """What each person may do next, what may be reported if it happens, and why not the rest."""

    next: tuple[Command, ...]
    possible: tuple[str, ...]
    not_yet: tuple[tuple[str, Problem], ...]


def outlook(table: Table, now: datetime) -> Outlook:
    """Look at every step of the game: may it be done now, and if not, why not."""
    due = options(table, now)
    may_be_done = tuple(option.command for option in due if option.open)
    reasons = {o.command.step: o.problems for o in due if not o.open}
    possible: list[str] = []
    not_yet: list[tuple[str, Problem]] = []
    for name in table.rules.game.procedure:
        step = all_steps()[name]
        if not step.by or name == "see" or any(command.step == name for command in may_be_done):
            continue
        problems = reasons.get(name) or _obstacles(table, step, now)
        blocking = next((problem for problem in problems if problem.blocks), None)
        if blocking is None:
            possible.append(name)
        else:
            not_yet.append((name, blocking))
    return Outlook(may_be_done, tuple(possible), tuple(not_yet))


def _obstacles(table: Table, step: Step, now: datetime) -> tuple[Problem, ...]:
    """Return what stands against a step that nobody suggests, as far as can be said without its details."""
    if table.phase not in step.phases:
        law = table.rules.game.law_of(step.name, "when", table.way)
        return (Problem(step.name, f"not while the table is {table.phase}", None, law),)
    if {name for name in step.takes if not name.endswith("?")} - {"deck"}:
        return ()
    deck = table.deck or next(iter(table.decks), None)
    if "deck" in step.takes and deck is None:
        return (Problem(step.name, "no deck is at the table"),)
    hand = next((hand.position for hand in table.play.playing()), None)
    by = Actor(table.dealer or "dealer", min(step.by, key=list(Role).index))
    if by.role is Role.PLAYER and hand is not None:
        by = Actor(table.play.hands[hand].person, Role.PLAYER)
    details = {"deck": deck} if "deck" in step.takes else {}
    return verify(table, Command(step.name, by, hand, details), now)


def proceed(
    table: Table, moment: Moment, automation: Automation = EVERYTHING, until_round: int | None = None
) -> Iterator[tuple[Table, Event]]:
    """Do what is automated until nothing more can be done, or so many rounds are over."""
    while until_round is None or table.rounds < until_round:
        found = next((c for c in suggestions(table, automation) if may(table, c, moment.now)), None)
        if found is None:
            return
        for event in decide(table, found, moment):
            table = evolve(table, event)
            yield table, event
