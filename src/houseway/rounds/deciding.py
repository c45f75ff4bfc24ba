"""What is done with a step: ``verify`` says what is wrong with a command, ``decide`` what comes of it,
``evolve`` what the table is afterwards. All pure: time, chance and the people are passed in.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from datetime import datetime
from itertools import chain
from typing import Any, Final

from houseway.cards import Card
from houseway.law.claims import rest_on, standing, watched
from houseway.law.problems import Problem, Severity, refuse
from houseway.rounds.state import NOTHING, Phase, Table
from houseway.rounds.step import (
    Bearing,
    Command,
    Event,
    Guard,
    Holds,
    Marked,
    Moment,
    Role,
    Step,
    all_steps,
    asking,
    law_of,
)

Automation = AbstractSet[str]
"""The duties, by step, that a table performs by itself."""
BY_HAND: Final[Automation] = frozenset()
_steps: Final = all_steps()
_DEALER: Final = Role.DEALER
_MANY: Final = 10_000
"""So many answers are kept of one kind."""


@dataclass(frozen=True)
class Plan:
    """A step as one table's rules have it: the conditions that bind there, and the clauses that order it."""

    step: Step
    guards: tuple[Guard, ...]
    conditions: tuple[Holds, ...]
    kinds: Mapping[str, type | tuple[type, ...]]
    needed: tuple[str, ...]
    by: tuple[Role, ...]
    phases: tuple[Phase, ...]
    law: tuple[str, ...]
    for_hand: bool
    together: dict[tuple[str, ...], tuple[str, ...]] = field(default_factory=dict)

    def cited(self, more: tuple[str, ...]) -> tuple[str, ...]:
        """Return the clauses of the step and, after them, those that decided what came of it."""
        found = self.together.get(more)
        if found is None:
            if len(self.together) >= _MANY:
                self.together.clear()
            found = self.together[more] = tuple(dict.fromkeys((*self.law, *more)))
        return found


def plan_of(table: Table, name: str) -> Plan | None:
    """Return how a table's rules have a step, or nothing if they do not have it."""
    plans: dict[str, Plan] = table.rules.plans
    found = plans.get(name)
    if found is None and name in _steps and name in table.rules.game.procedure:
        step, named = _steps[name], table.rules.game.procedure[name]
        guards = tuple(guard for guard in step.guards if guard.sense or guard.key in named)
        found = plans[name] = Plan(
            step,
            guards,
            _together(guard.holds for guard in guards),
            kinds={detail.removesuffix("?"): kind for detail, kind in step.takes.items()},
            needed=tuple(detail for detail in step.takes if not detail.endswith("?")),
            by=tuple(step.by),
            phases=step.phases,
            law=law_of(table, name, "law"),
            for_hand=step.needs == "hand",
        )
    return found


def _together(conditions: Iterable[Holds]) -> tuple[Holds, ...]:
    """Return the conditions, each once; those about the same marks are one question."""
    once = dict.fromkeys(conditions)
    marked = [one for one in once if isinstance(one, Marked)]
    joined: list[Holds] = [
        asking(
            of,
            frozenset().union(*(one.has for one in marked if one.of == of)),
            frozenset().union(*(one.lacks for one in marked if one.of == of)),
        )
        for of in dict.fromkeys(one.of for one in marked)
    ]
    if bearing := [one for one in once if isinstance(one, Bearing)]:
        marks = frozenset().union(*(one.marks for one in bearing))
        joined.append(Bearing(marks, lambda table, command: all(one(table, command) for one in bearing)))
    return (*joined, *(one for one in once if not isinstance(one, Marked | Bearing)))


def verify(table: Table, command: Command, now: datetime) -> tuple[Problem, ...]:
    """Return everything that is wrong with a command, warnings included; nothing if it may be done."""
    plan = plan_of(table, command.step)
    if plan is None:
        known = command.step in _steps
        reason = f"{table.rules.game.id} has no such step" if known else "no such step"
        return (Problem(command.step, reason),)
    further = plan.step.further
    if plainly_right(table, plan, command):
        return () if further is None else tuple(further(table, command, now))
    problems = _shape(table, plan, command)
    if problems:
        return tuple(problems)
    problems = _judge(table, plan, command)
    return tuple(problems if further is None else (*problems, *further(table, command, now)))


def reasons_against(table: Table, plan: Plan, command: Command) -> list[Problem]:
    """Return every reason against a command that lies in its shape, its maker, its time or its conditions."""
    return _shape(table, plan, command) or _judge(table, plan, command)


def plainly_right(table: Table, plan: Plan, command: Command) -> bool:
    """Whether nothing is wrong, found without asking what: nearly every command at a table is lawful.

    ``_shape`` and ``_judge`` ask the same questions and give every reason; a no here only sends them to work.
    """
    step, (who, role), play = plan.step, command.by, table.play
    position, details = command.position, command.details
    if (
        role not in plan.by
        or table.phase not in plan.phases
        or (role is _DEALER and table.dealer != who and not step.takes_over)
        or (play.stopped and not step.while_stopped)
        or position.__class__ not in _POSITIONS
        or (plan.for_hand and position not in play.hands)
    ):
        return False
    if (details or plan.needed) and not _plainly_readable(table, plan, details):
        return False
    for holds in plan.conditions:  # noqa: SIM110 - a generator would cost more than the questions
        if not holds(table, command):
            return False
    return True


def _plainly_readable(table: Table, plan: Plan, details: Mapping[str, Any]) -> bool:
    """Whether a command's details are all there, and each of its kind."""
    kinds = plan.kinds
    for name, value in details.items():
        if value.__class__ is not kinds.get(name) or (name in _INSIDE and not _INSIDE[name](value)):
            return False
    for name in plan.needed:
        if name not in details:
            return False
    return plan.step.needs != "deck" or details.get("deck") in table.decks


def _all_of(*kinds: type) -> Callable[[Any], bool]:
    """Ask whether a detail holds things of these kinds only; a truth value is no number."""
    return lambda value: set(map(type, value)).issubset(kinds)


def _is_setting(value: Any) -> bool:  # noqa: ANN401 - whatever was given
    return _of_parts(value) and _of_cards(chain.from_iterable(value))


_of_parts, _of_cards = _all_of(tuple, list), _all_of(Card)


_POSITIONS: Final = (int, type(None))
_INSIDE: Final[dict[str, Callable[[Any], bool]]] = {
    "setting": _is_setting,
    "checklist": _all_of(str),
    "parts": _all_of(str),
    "positions": _all_of(int),
    "without": _all_of(int),
    "dice": _all_of(int),
    "read": _all_of(Card),
    "wagers": _all_of(str),
    "counts": lambda value: _all_of(int)([*value, *value.values()]),
}
"""What a detail that holds several things must hold."""


def _shape(table: Table, plan: Plan, command: Command) -> list[Problem]:
    """Return what makes a command unreadable: without these no condition can be looked at."""
    step, found = plan.step, []
    for name, value in command.details.items():
        kind = plan.kinds.get(name)
        if kind is None:
            found.append(Problem(step.name, "takes no such detail", name))
        elif not isinstance(value, kind) or (value.__class__ is bool and kind is int):
            found.append(Problem(f"{step.name}.{name}", "is of another kind", repr(value)))
        elif name in _INSIDE and not _INSIDE[name](value):
            found.append(Problem(f"{step.name}.{name}", "holds something of another kind", repr(value)))
    for name in plan.needed:
        if name not in command.details:
            found.append(Problem(f"{step.name}.{name}", "must be given", "nothing given"))
    if command.position.__class__ not in _POSITIONS:
        found.append(Problem(f"{step.name}.position", "is a number, or none", repr(command.position)))
    if found:
        return found
    if step.needs == "deck" and command.get("deck") not in table.decks:
        found.append(Problem(step.name, "no such deck at the table", str(command.get("deck"))))
    if step.needs == "hand" and command.position not in table.play.hands:
        law = standing(law_of(table, step.name, "hand"))
        found.append(Problem(step.name, "no hand is played there", str(command.position), law))
    return found


def _judge(table: Table, plan: Plan, command: Command) -> list[Problem]:
    """Return every condition that does not hold."""
    step, problems = plan.step, []
    role = command.by.role
    if role not in plan.by:
        who = " or ".join(sorted(step.by)) or "nobody: it follows by law"
        law = standing(law_of(table, step.name, "by"))
        problems.append(Problem(step.name, f"is for {who}", str(command.by), law))
    if role is Role.DEALER and table.dealer != command.by.name and not step.takes_over:
        problems.append(Problem(step.name, "is for the dealer at the table", str(command.by)))
    if table.play.stopped and not step.while_stopped:
        problems.append(
            Problem(step.name, "the round is stopped for a ruling of the floor", table.play.stopped)
        )
    if table.phase not in step.phases:
        law = standing(law_of(table, step.name, "when"))
        problems.append(Problem(step.name, f"not while the table is {table.phase}", None, law))
    for guard in plan.guards:
        if not guard.holds(table, command):
            cited = law_of(table, step.name, guard.key)
            law = standing(cited)
            if law or guard.sense or not cited:
                severity = Severity.WARNING if guard.warns else Severity.ERROR
                problems.append(Problem(step.name, guard.reason, None, law, severity))
    return problems


def decide(
    table: Table, command: Command, moment: Moment, automation: Automation = BY_HAND
) -> tuple[Event, ...]:
    """Return what comes of a command, or refuse it for every reason at once; the table is not touched."""
    return act(table, command, moment, automation)[1]


def act(
    table: Table, command: Command, moment: Moment, automation: Automation = BY_HAND
) -> tuple[Table, tuple[Event, ...]]:
    """Do what is commanded, or refuse it for every reason at once: the table afterwards, and what was done.

    Duties that are automated follow at once where a step leads on to them, and are events like any other.
    """
    plan = table.rules.plans.get(command.step)
    problems: tuple[Problem, ...] = ()
    if plan is None or not plainly_right(table, plan, command):
        problems = verify(table, command, moment.now)
        refuse(command.step, problems)
        plan = table.rules.plans[command.step]
    elif plan.step.further is not None:
        problems = tuple(plan.step.further(table, command, moment.now))
        if problems:
            refuse(command.step, problems)
    event = _event(table, plan, command, moment, problems)
    step = plan.step
    table = step.evolve(table, event)
    follows = step.then(table, event) if step.then is not None else ()
    if not follows and (step.onward is None or not automation):
        return table, (event,)
    events = [event]
    for name, details in follows:
        table = _followed(table, events, Command(name, event.by, event.position, details), moment)
    onward = step.onward
    while automation and onward is not None:
        due = onward(table, events[-1])
        if due is None or due.step not in automation:
            break
        table = _followed(table, events, due, moment)
        onward = _steps[due.step].onward
    return table, tuple(events)


def _event(table: Table, plan: Plan, command: Command, moment: Moment, alerts: tuple[Problem, ...]) -> Event:
    clauses, outcome = plan.law, NOTHING
    if watched():
        rest_on(*clauses)
    if plan.step.outcome is not None:
        outcome = plan.step.outcome(table, command, moment)
        if more := outcome.get("clauses"):
            clauses = plan.cited(more)
    return Event(
        command.step, command.by, moment.now, command.position, command.details, outcome, clauses, alerts
    )


def _followed(table: Table, events: list[Event], command: Command, moment: Moment) -> Table:
    """Do what follows from something else, and note it."""
    step = _steps[command.step]
    plan = plan_of(table, command.step)
    if plan is not None and step.by:
        event = _event(table, plan, command, moment, ())
    else:  # nobody commands it: what came of it, or its own law, is all it cites
        outcome = step.outcome(table, command, moment) if step.outcome else NOTHING
        law = outcome.get("clauses", law_of(table, step.name, "law"))
        event = Event(step.name, command.by, moment.now, command.position, command.details, outcome, law)
    events.append(event)
    return step.evolve(table, event)


def evolve(table: Table, event: Event) -> Table:
    """Return the table after an event."""
    return _steps[event.step].evolve(table, event)


def evolve_all(table: Table, events: Iterable[Event]) -> Table:
    """Return the table after events."""
    for event in events:
        table = _steps[event.step].evolve(table, event)
    return table


def suggestions(table: Table, among: AbstractSet[str] | None = None) -> Iterator[Command]:
    """Yield what might be done next, in the order of the procedure: whole commands, lawful or not yet."""
    for name in table.rules.game.procedure:
        step = _steps[name]
        if table.phase in step.phases and step.by and (among is None or name in among):
            yield from step.suggest(table)
