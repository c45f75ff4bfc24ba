"""What is done with a step: ``verify`` says what is wrong with a command, ``decide`` what comes of it,
``evolve`` what the table is afterwards. All pure: time, chance, meters and the people are passed in.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any

from msgspec import NODEFAULT, Struct
from msgspec.structs import fields

from houseway.errors import IllegalError
from houseway.games import Rules
from houseway.law.citations import UNCITED, Cites
from houseway.law.problems import Problem, Severity, refuse
from houseway.ranking.memo import once
from houseway.rounds.action import Action, OnDeck, OnHand, position_of
from houseway.rounds.annotations import Ask, Readers, notes_of
from houseway.rounds.asks import NOT_ASKED
from houseway.rounds.capacities import Exclusions
from houseway.rounds.chance import Moment
from houseway.rounds.roles import Role, at_the_table
from houseway.rounds.sight import is_hidden
from houseway.rounds.state import PersonId, Table, changed
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
_Condition = tuple[Callable[[Situation, Any], bool], Guard[Any], Cites]
"""What is asked, the guard that asks it, and the clauses named for it."""


class _BoundStep(Struct, frozen=True, gc=False):
    """A step as it binds at a table of some rules: its conditions, each with the clauses named for it."""

    name: str
    step: AnyStep
    in_game: bool
    """Whether the game has the step at all."""
    on_hand: bool
    on_deck: bool
    named: Mapping[str, Cites]
    blanks: Mapping[str, Any]
    """What each field holds that is not filled in."""
    labels: Mapping[str, str]
    law: Cites
    exclusions: Exclusions
    """Who is kept out of it by another capacity of theirs."""
    conditions: tuple[_Condition, ...]
    not_moot: tuple[_Condition, ...]
    """Those left to ask where it is known that there is something to do."""
    cards: frozenset[str]
    """The fields in which a person names cards."""


def _bound_step(rules: Rules, action: type[Action]) -> _BoundStep:
    """Return an action's step as it binds at a table of these rules."""
    bound: _BoundStep = once(rules.memo.bound, action, _bind, rules, action)
    return bound


def _bind(rules: Rules, action: type[Action]) -> _BoundStep:
    name, step = TAKEN_BY[action]
    named = rules.procedure.get(name, {})
    conditions = tuple(
        (guard.holds, guard.in_game(rules.game.id), named.get(guard.key, UNCITED))
        for guard in step.guards
        if guard.sense or guard.key in named
    )
    return _BoundStep(
        name=name,
        step=step,
        in_game=name in rules.procedure,
        on_hand=issubclass(action, OnHand),
        on_deck=issubclass(action, OnDeck),
        named=named,
        blanks={field.name: field.default for field in fields(action) if field.default is not NODEFAULT},
        labels={name: ask.label for name, ask in notes_of(action, Ask).items()},
        law=named.get("law", UNCITED),
        exclusions=Exclusions(step, named),
        conditions=conditions,
        not_moot=tuple(condition for condition in conditions if not condition[1].moot),
        cards=frozenset(notes_of(action, Readers)),
    )


def verify(
    rules: Rules,
    table: Table,
    proposal: Proposal,
    moment: Moment,
    unfilled: AbstractSet[str] = frozenset(),
    *,
    not_moot: bool = False,
) -> tuple[Problem, ...]:
    """Return everything that is wrong with an action, warnings included; nothing if it may be done.

    Fields that are not filled in yet give no reason. Where it is known that there is something to do,
    by ``is_moot``, that is not asked again.
    """
    bound = _bound_step(rules, type(proposal.action))
    s = Situation(rules, table, moment, proposal.by)
    return _verify(s, bound, proposal.action, unfilled, bound.not_moot if not_moot else bound.conditions)


def _verify(
    s: Situation,
    bound: _BoundStep,
    action: Action,
    unfilled: AbstractSet[str],
    conditions: Sequence[_Condition],
) -> tuple[Problem, ...]:
    """Return everything that is wrong with an action in a situation."""
    if not bound.in_game:
        return (Problem(bound.name, f"{s.rules.game.id} has no such step"),)
    missing = _find_missing(s, bound, action)
    if missing is not None:
        return (missing,)
    problems = _who_and_when(s, bound, action)
    problems += _unasked_fields(s, bound, action)
    others = [*problems, *_find_problems(s, bound, action, conditions, unfilled | bound.cards)]
    if not bound.cards or not _judges_cards(s, bound, action, others):
        return tuple(others)
    return (*problems, *_find_problems(s, bound, action, conditions, unfilled))


def _find_problems(
    s: Situation,
    bound: _BoundStep,
    action: Action,
    conditions: Sequence[_Condition],
    unfilled: AbstractSet[str],
) -> Iterator[Problem]:
    """Yield what conditions and checks have against an action, but those about fields not filled in."""
    for holds, guard, cited in conditions:
        if unfilled.isdisjoint(guard.about) and not holds(s, action):
            yield from _unmet(bound, guard, cited)
    for check in bound.step.checks:
        if unfilled.isdisjoint(check.about):
            yield from check.find(s, action)


def _judges_cards(s: Situation, bound: _BoundStep, action: Any, problems: Iterable[Problem]) -> bool:  # noqa: ANN401
    """Whether the cards that a person names are looked at: the answer tells which cards lie there.

    They are where nothing else stands against the command, and where those who act may see the hand that it
    is about. A person who only guesses learns why they may not act, and nothing of the cards.
    """
    if not any(problem.blocks for problem in problems):
        return True
    return bound.on_hand and not is_hidden(s.rules, s.table, s.by, action.position)


def _unasked_fields(s: Situation, bound: _BoundStep, action: Action) -> Iterator[Problem]:
    """Yield each field that is filled in though no one fills it in at this table now.

    What chance or a device shows is no one's to say, and what a step does not need is no part of its record.
    """
    position = position_of(action)
    for name, rule in bound.step.asks(s.rules, s.table, position or 0).items():
        if rule is NOT_ASKED and getattr(action, name) != bound.blanks.get(name):
            label = bound.labels.get(name, name)
            yield Problem(f"{bound.name}.{name}", f"“{label}” is not filled in here: nobody asks for it now")


def _find_missing(s: Situation, bound: _BoundStep, action: Any) -> Problem | None:  # noqa: ANN401 - of the step's kind
    """Return the deck or the hand that is not there: without it no condition can be looked at."""
    if bound.on_hand and action.position not in s.table.round.hands:
        law = bound.named.get("hand", ())
        return Problem(bound.name, "no hand is played there", str(action.position), law)
    if bound.on_deck and action.deck not in s.table.decks:
        return Problem(bound.name, "no such deck at the table", action.deck)
    return None


def _who_and_when(s: Situation, bound: _BoundStep, action: Action) -> list[Problem]:
    """Return what is wrong with who acts, in what capacity, and when."""
    problems: list[Problem] = []
    table, by = s.table, s.by
    name, step, named = bound.name, bound.step, bound.named
    if not by.id.strip():
        problems.append(Problem(name, "whoever acts has an id"))
    if by.role not in step.roles:
        who = " or ".join(map(str, sorted(step.roles))) or "nobody: it follows by law"
        problems.append(Problem(name, f"is for {who}", str(by), named.get("by", ())))
    elif not at_the_table(s.rules, by.role):
        problems.append(Problem(name, "no such device is at this table", str(by)))
    if by.role is _DEALER and table.dealer != by.id and not step.takes_over:
        problems.append(Problem(name, "is for the dealer at the table", str(by)))
    problems += bound.exclusions.problems(table, by, action)
    if table.round.stopped and not step.while_stopped:
        problems.append(Problem(name, "the round is stopped for a ruling of the floor", table.round.stopped))
    if table.phase not in step.phases:
        law = named.get("when", ())
        problems.append(Problem(name, f"not while the table is {table.phase.words}", None, law))
    return problems


def _unmet(bound: _BoundStep, guard: Guard[Any], cited: Cites) -> Iterator[Problem]:
    """Yield a condition that does not hold, if it stands: by plain sense, or by a clause that is in force."""
    if cited.binds or guard.sense:
        severity = Severity.WARNING if guard.warns else Severity.ERROR
        yield Problem(bound.name, guard.reason, None, cited, severity)


def excluded_people(rules: Rules, table: Table, role: Role, action: Action) -> frozenset[PersonId]:
    """Return who may not take a step in a role, because of what else they are at the table."""
    return _bound_step(rules, type(action)).exclusions.kept_out(table, role, action)


def is_moot(s: Situation, step: AnyStep, action: Action) -> bool:
    """Whether there is nothing to do: what a step is about is not there, or it is done already."""
    if _find_missing(s, _bound_step(s.rules, type(action)), action) is not None:
        return True
    return any(not guard.holds(s, action) for guard in step.moot)


def decide(rules: Rules, table: Table, command: Command, moment: Moment) -> tuple[AnEvent, ...]:
    """Return what comes of a command, or refuse it for every reason at once; the table is not touched.

    What follows by law, and duties that the table performs by itself, are events like any other.
    """
    return tuple(_carry_out(rules, table, command, moment).events)


def act(rules: Rules, table: Table, command: Command, moment: Moment) -> tuple[tuple[AnEvent, ...], Table]:
    """Return what comes of a command and the table afterwards, or refuse it for every reason at once."""
    execution = _carry_out(rules, table, command, moment)
    return tuple(execution.events), execution.fold()


def _carry_out(rules: Rules, table: Table, command: Command, moment: Moment) -> _Execution:
    if rules.fingerprint != table.submission:
        raise IllegalError("the table plays by another submission", value=rules.submission.reference)
    bound, s = _bound_step(rules, type(command.action)), Situation(rules, table, moment, command.by)
    problems = _verify(s, bound, command.action, frozenset(), bound.conditions)
    if problems:
        refuse(command.step, problems)
    execution = _Execution(s, command.id)
    execution.take(bound, command.by, command.action, problems)
    return execution


class _Execution:
    """A command being carried out: the events so far, and the table as far as they are folded."""

    def __init__(self, s: Situation, cause: CommandId) -> None:
        self.s, self.table, self.cause = s, s.table, cause
        self.events: list[AnEvent] = []
        self._folded = 0

    def fold(self) -> Table:
        """Return the table after all events so far."""
        while self._folded < len(self.events):
            self.table = evolve(self.table, self.events[self._folded])
            self._folded += 1
        return self.table

    def take(self, bound: _BoundStep, by: Actor, action: Action, alerts: tuple[Problem, ...] = ()) -> None:
        """Take a step, then what follows by law, then what the table does by itself."""
        step, event = bound.step, self._record(bound, by, action, alerts)
        by_itself = step.automatic_next if self.table.automated else None
        follows, rules = step.consequences, self.s.rules
        if follows is not None:
            after = Situation(rules, self.fold(), self.s.moment, by)
            for following in follows(after, event):
                self._record(_bound_step(rules, type(following)), by, following)
                self.fold()
        if by_itself is not None:
            following_step = by_itself(rules, self.fold(), event)
            if following_step is not None and following_step.step in self.table.automated:
                taken = STEPS[following_step.step].action
                self.take(_bound_step(rules, taken), by, taken(following_step.position))

    def _record(
        self, bound: _BoundStep, by: Actor, action: Action, alerts: tuple[Problem, ...] = ()
    ) -> AnEvent:
        s, table, step, law = self.s, self.table, bound.step, bound.law
        if step.roles:
            law.require()
        outcome, clauses, find = None, UNCITED, step.outcome
        if find is not None:
            at_first = s.table is table and s.by is by
            outcome = find(s if at_first else Situation(s.rules, table, s.moment, by), action)
            if isinstance(outcome, CitedOutcome):
                outcome, clauses = outcome.outcome, outcome.clauses
                if isinstance(clauses, Cites):
                    clauses.require()
        event: AnEvent = Event(
            seq=table.seq + 1,
            cause=self.cause,
            round=table.round.number,
            at=s.moment.now,
            by=by,
            action=action,
            outcome=outcome,
            clauses=_cite(step, law, clauses),
            alerts=alerts,
        )
        self.events.append(event)
        return event


def _cite(step: AnyStep, law: Clauses, clauses: Clauses) -> Clauses:
    """Return what an event cites: its step's law and what decided its outcome.

    What no one commands cites only what decided it, or its own law where nothing else did.
    """
    if not step.roles or not clauses:
        return tuple(clauses or law)
    return tuple(dict.fromkeys((*law, *clauses)))


def evolve(table: Table, event: AnEvent) -> Table:
    """Return the table after an event. Nothing else is read."""
    if event.seq != table.seq + 1:
        raise IllegalError(f"event {table.seq + 1} comes next", value=event.seq)
    _, step = TAKEN_BY[type(event.action)]
    after = step.evolve
    return changed(after(table, event), seq=event.seq)


def evolve_all(table: Table, events: Iterable[AnEvent]) -> Table:
    """Return the table after events."""
    for event in events:
        table = evolve(table, event)
    return table


def suggestions(rules: Rules, table: Table, among: AbstractSet[str] | None = None) -> Iterator[Proposal]:
    """Yield what might be done next, in the order of the procedure, lawful or not yet, without settings."""
    for name in rules.game.procedure:
        step = STEPS[name]
        if table.phase in step.phases and step.roles and (among is None or name in among):
            yield from step.suggest(rules, table)
