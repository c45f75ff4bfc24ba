"""What each person may do next, what may be reported if it happens, and why not the rest."""

from __future__ import annotations

from dataclasses import dataclass

from msgspec.inspect import type_info

from houseway.games import Rules
from houseway.law.problems import Problem
from houseway.rounds.chance import Moment
from houseway.rounds.codec import read_action
from houseway.rounds.deciding import suggestions, verify
from houseway.rounds.state import Table
from houseway.rounds.step import Actor, AnyStep, Proposal, Role, law_of
from houseway.rounds.steps import STEPS


@dataclass(frozen=True)
class Option:
    """Something that might be done now, and every reason why not yet."""

    proposal: Proposal
    problems: tuple[Problem, ...]

    @property
    def open(self) -> bool:
        """Whether it may be done now."""
        return not any(problem.blocks for problem in self.problems)


def options(rules: Rules, table: Table, moment: Moment) -> tuple[Option, ...]:
    """Return what might be done now, each with the reasons why not yet."""
    return tuple(Option(one, verify(rules, table, one, moment)) for one in suggestions(rules, table))


@dataclass(frozen=True)
class Outlook:
    """What each person may do next, what may be reported if it happens, and why not the rest."""

    next: tuple[Proposal, ...]
    possible: tuple[str, ...]
    not_yet: tuple[tuple[str, Problem], ...]


def outlook(rules: Rules, table: Table, moment: Moment) -> Outlook:
    """Look at every step of the game: may it be done now, and if not, why not."""
    due = options(rules, table, moment)
    may_be_done = tuple(option.proposal for option in due if option.open)
    reasons = {o.proposal.step: o.problems for o in due if not o.open}
    possible: list[str] = []
    not_yet: list[tuple[str, Problem]] = []
    for name in rules.game.procedure:
        step = STEPS[name]
        if not step.by or any(one.step == name for one in may_be_done):
            continue
        problems = reasons.get(name) or _obstacles(rules, table, step, moment)
        blocking = next((problem for problem in problems if problem.blocks), None)
        if blocking is None:
            possible.append(name)
        else:
            not_yet.append((name, blocking))
    return Outlook(may_be_done, tuple(possible), tuple(not_yet))


def _obstacles(rules: Rules, table: Table, step: AnyStep, moment: Moment) -> tuple[Problem, ...]:
    """Return what stands against a step that nobody suggests, as far as can be said without its details."""
    if table.phase not in step.phases:
        law = law_of(rules, step.name, "when")
        return (Problem(step.name, f"not while the table is {table.phase}", None, law),)
    needed = {field.name for field in type_info(step.action).fields if field.required}  # type: ignore[attr-defined]
    if needed - {"deck", "position"}:
        return ()
    deck = table.deck or next(iter(table.decks), None)
    if "deck" in needed and deck is None:
        return (Problem(step.name, "no deck is at the table"),)
    hand = next((hand.position for hand in table.play.playing()), None)
    by = Actor(table.dealer or "dealer", min(step.by, key=list(Role).index))
    if by.role is Role.PLAYER and hand is not None:
        by = Actor(table.play.hands[hand].person, Role.PLAYER)
    fields = {name: {"deck": deck, "position": hand or 0}[name] for name in needed}
    return verify(rules, table, Proposal(by, read_action({"step": step.name, **fields})), moment)
