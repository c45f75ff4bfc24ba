"""What is done with a step: ``verify`` says what is wrong with a command, ``decide`` what comes of it,
``evolve`` what the table is afterwards. All pure: time, chance, meters and the people are passed in.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from typing import Any

from houseway.errors import IllegalError
from houseway.games import Rules
from houseway.law.claims import recall, rest_on, standing
from houseway.law.problems import Problem, Severity, refuse
from houseway.rounds.actions import Action, OnDeck, OnHand
from houseway.rounds.chance import Moment
from houseway.rounds.roles import Role, at_the_table
from houseway.rounds.state import Table, changed
from houseway.rounds.step import (
    Actor,
    AnEvent,
    AnyStep,
    CitedOutcome,
    Clauses,
    Command,
    CommandId,
    Event,
    Guard,
    Proposal,
    Situation,
)
from houseway.rounds.steps import STEPS, TAKEN_BY

_DEALER = Role.DEALER


def verify(
    rules: Rules,
    table: Table,
    proposal: Proposal,
    moment: Moment,
    unfilled: AbstractSet[str] = frozenset(),
) -> tuple[Problem, ...]:
    """Return everything that is wrong with an action, warnings included; nothing if it may be done.

    Nothing is said about fields that are not filled in yet.
    """
    action = proposal.action
    name, step = TAKEN_BY[type(action)]
    if name not in rules.procedure:
        return (Problem(name, f"{rules.game.id} has no such step"),)
    s = Situation(rules, table, moment, proposal.by)
    missing = _missing(s, name, action)
    if missing is not None:
        return (missing,)
    problems = _judge(s, name, step, action, unfilled)
    for check in step.checks:
        if unfilled.isdisjoint(check.about):
            problems += check.find(s, action)
    return tuple(problems)


def _missing(s: Situation, name: str, action: Action) -> Problem | None:
    """Return the deck or the hand that is not there: without it no condition can be looked at."""
    if isinstance(action, OnDeck) and action.deck not in s.table.decks:
        return Problem(name, "no such deck at the table", action.deck)
    if isinstance(action, OnHand) and action.position not in s.table.round.hands:
        law = standing(s.rules.procedure[name].get("hand", ()))
        return Problem(name, "no hand is played there", str(action.position), law)
    return None


def _judge(
    s: Situation, name: str, step: AnyStep, action: Action, unfilled: AbstractSet[str]
) -> list[Problem]:
    """Return every condition that does not hold."""
    table, by, named, problems = s.table, s.by, s.rules.procedure[name], []
    if by.role not in step.by:
        who = " or ".join(map(str, sorted(step.by))) or "nobody: it follows by law"
        problems.append(Problem(name, f"is for {who}", str(by), standing(named.get("by", ()))))
    elif not at_the_table(s.rules, by.role):
        problems.append(Problem(name, "no such device is at this table", str(by)))
    if by.role is _DEALER and table.dealer != by.id and not step.takes_over:
        problems.append(Problem(name, "is for the dealer at the table", str(by)))
    if table.round.stopped and not step.while_stopped:
        problems.append(Problem(name, "the round is stopped for a ruling of the floor", table.round.stopped))
    if table.phase not in step.phases:
        law = standing(named.get("when", ()))
        problems.append(Problem(name, f"not while the table is {table.phase.said}", None, law))
    for guard, cited in recall(s.rules.memo.bound, name, lambda: _bound(step, named)):
        if (unfilled and not unfilled.isdisjoint(guard.about)) or guard.holds(s, action):
            continue
        law = standing(cited)
        if law or guard.sense or not cited:
            severity = Severity.WARNING if guard.warns else Severity.ERROR
            problems.append(Problem(name, guard.reason, None, law, severity))
    return problems


def _bound(step: AnyStep, named: Mapping[str, Clauses]) -> tuple[tuple[Guard[Any], Clauses], ...]:
    """Return the conditions of a step that bind a game, each with the clauses that the game names for it."""
    return tuple(
        (guard, named.get(guard.key, ())) for guard in step.guards if guard.sense or guard.key in named
    )


def is_moot(s: Situation, step: AnyStep, action: Action) -> bool:
    """Whether there is nothing to do: what a step is about is not there, or it is done already."""
    if _missing(s, step.name, action) is not None:
        return True
    return any(not guard.holds(s, action) for guard in step.moot)


def decide(rules: Rules, table: Table, command: Command, moment: Moment) -> tuple[AnEvent, ...]:
    """Return what comes of a command, or refuse it for every reason at once; the table is not touched.

    What follows by law, and duties that the table performs by itself, are events like any other.
    """
    if rules.fingerprint != table.submission:
        raise IllegalError("the table plays by another submission", value=rules.submission.reference)
    problems = verify(rules, table, command, moment)
    if problems:
        refuse(command.step, problems)
    going = _Going(rules, table, command.id, moment)
    going.take(command, problems)
    return tuple(going.events)


class _Going:
    """A command being carried out: the table as it goes, and the events so far."""

    def __init__(self, rules: Rules, table: Table, cause: CommandId, moment: Moment) -> None:
        self.rules, self.table, self.cause, self.moment = rules, table, cause, moment
        self.events: list[AnEvent] = []

    def take(self, proposal: Proposal, alerts: tuple[Problem, ...] = ()) -> None:
        """Take a step, then what follows by law, then what the table does by itself."""
        name, step = TAKEN_BY[type(proposal.action)]
        event = self._done(name, step, proposal.by, proposal.action, alerts)
        by_itself = step.automatic_next if self.table.automated else None
        if step.consequences is None and by_itself is None:
            return  # nothing follows: nobody looks at the table afterwards
        self.table = evolve(self.table, event)
        if step.consequences is not None:
            after = Situation(self.rules, self.table, self.moment, proposal.by)
            for action in step.consequences(after, event):
                follows = self._done(*TAKEN_BY[type(action)], proposal.by, action)
                self.table = evolve(self.table, follows)
        if by_itself is not None:
            following = by_itself(self.rules, self.table, event)
            if following is not None and following.step in self.table.automated:
                self.take(following)

    def _done(
        self, name: str, step: AnyStep, by: Actor, action: Action, alerts: tuple[Problem, ...] = ()
    ) -> AnEvent:
        rules, table, moment = self.rules, self.table, self.moment
        law = rules.procedure.get(name, {}).get("law", ())
        if step.by:
            rest_on(*law)
        found = step.outcome(Situation(rules, table, moment, by), action) if step.outcome else None
        outcome, clauses = (found.outcome, found.clauses) if isinstance(found, CitedOutcome) else (found, ())
        event: AnEvent = Event(
            seq=table.seq + 1,
            cause=self.cause,
            round=table.round.number,
            at=moment.now,
            by=by,
            action=action,
            outcome=outcome,
            clauses=_cited(step, law, clauses),
            alerts=alerts,
        )
        self.events.append(event)
        return event


def _cited(step: AnyStep, law: Clauses, clauses: Clauses) -> Clauses:
    """Return what an event cites: its step's law and what decided its outcome.

    What nobody commands cites only what decided it, or its own law where nothing else did.
    """
    if not step.by or not clauses:
        return clauses or law
    return tuple(dict.fromkeys((*law, *clauses)))


def evolve(table: Table, event: AnEvent) -> Table:
    """Return the table after an event. Nothing else is read."""
    if event.seq != table.seq + 1:
        raise IllegalError(f"event {table.seq + 1} comes next", value=event.seq)
    _, step = TAKEN_BY[type(event.action)]
    return changed(step.evolve(table, event), seq=event.seq)


def evolve_all(table: Table, events: Iterable[AnEvent]) -> Table:
    """Return the table after events."""
    for event in events:
        table = evolve(table, event)
    return table


def suggestions(rules: Rules, table: Table, among: AbstractSet[str] | None = None) -> Iterator[Proposal]:
    """Yield what might be done next, in the order of the procedure, lawful or not yet; no setting is told."""
    for name in rules.game.procedure:
        step = STEPS[name]
        if table.phase in step.phases and step.by and (among is None or name in among):
            yield from step.suggest(rules, table)
