"""Steps in words, for viewers of a round step by step: who does what, where, and what comes of it."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

from msgspec import NODEFAULT
from msgspec.structs import fields

from houseway.cards import Card, show, show_setting
from houseway.games import Submission
from houseway.money import Cents, dollars
from houseway.rounds.action import Action
from houseway.rounds.annotations import Ask, Shown, notes_of
from houseway.rounds.outcomes import Outcome
from houseway.rounds.state import JackpotWin
from houseway.rounds.step import AnEvent, Proposal
from houseway.rounds.steps import OUTCOMES
from houseway.rounds.steps.opening import OpenTable

UNSAID: Final = frozenset({"position", "checklist"})
"""Fields of an action that are written elsewhere, or are too long."""
TOLD: Final[Mapping[type[Outcome], Mapping[str, str]]] = MappingProxyType(
    {kind: {name: note.name for name, note in notes_of(kind, Shown).items()} for kind in OUTCOMES}
)
"""The fields of an outcome that are shown, and their names; the record of the round has everything else."""


def words(step: str) -> str:
    """Write the name of a step."""
    return step.replace("_", " ")


def proposed(proposal: Proposal) -> str:
    """Write what a person might do."""
    where = f" at {proposal.position}" if proposal.position else ""
    details = "every item attested" if isinstance(proposal.action, OpenTable) else _list(proposal.action)
    return f"{proposal.by}: {words(proposal.step)}{where}  {details}"


def _list(action: Action) -> str:
    return ", ".join(f"{name} {text}" for name, text in details_of(action).items())


def happened(event: AnEvent) -> str:
    """Write what was done, what came of it, by which law, and what was alarming."""
    where = f" at {event.position}" if event.position else ""
    facts = {**details_of(event.action), **told_of(event.outcome)}
    details = "; ".join(f"{name} {text}" for name, text in facts.items())
    law = f" [{', '.join(event.clauses)}]" if event.clauses else ""
    alarms = "".join(f" ! {alert}" for alert in event.alerts)
    return f"{event.by}: {words(event.step)}{where} {details}{law}{alarms}"


def details_of(action: Action) -> dict[str, str]:
    """Return the details of an action in words, by their names: what is usual is mostly left out."""
    asks = notes_of(type(action), Ask)
    details: dict[str, str] = {}
    for field in fields(action):
        name, value = field.name, getattr(action, field.name)
        as_usual = field.default is not NODEFAULT and value == field.default
        text = _usual(asks.get(name)) if as_usual else value_in_words(value)
        if text and name not in UNSAID:
            details[name] = text
    return details


def _usual(ask: Ask | None) -> str:
    """Return the text of a field whose value is the usual one."""
    return ask.usual if ask is not None else ""


def told_of(outcome: Outcome | None) -> dict[str, str]:
    """Return what came of an action in words, as far as it is shown."""
    named = TOLD.get(type(outcome), {}) if outcome is not None else {}
    texts = {called: value_in_words(getattr(outcome, name)) for name, called in named.items()}
    return {called: text for called, text in texts.items() if text}


def value_in_words(value: Any) -> str:  # noqa: ANN401 - any field's value
    """Write a value as a person reads it; nothing for what is not so.

    >>> [value_in_words(value) for value in ({"main": Cents(1000)}, (3, 2), True, None)]
    ['main $10', '2, 3', 'yes', '']
    """
    if isinstance(value, bool) or value is None:
        return "yes" if value else ""
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {value_in_words(item)}" for key, item in value.items())
    if isinstance(value, tuple | list | frozenset | set):
        return _list_in_words(list(value))
    if isinstance(value, Submission):
        return value.reference
    if isinstance(value, JackpotWin):
        return dollars(value.amount)
    return dollars(value) if isinstance(value, Cents) else str(value)


def _list_in_words(items: list[Any]) -> str:
    if items and all(isinstance(item, Card) for item in items):
        return show(items)
    if items and all(isinstance(item, tuple) for item in items):
        return show_setting(items)
    return ", ".join(sorted(value_in_words(item) for item in items))
