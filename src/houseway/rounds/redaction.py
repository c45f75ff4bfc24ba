"""An event as one person may read it: every card that this person may not see is taken out.

Each field that holds cards says who may read it, where its step is written, and so does one that tells of
them without naming any, as the name of a house-way rule tells what kind of hand it is for. A field that
says nothing may hold no card: a test looks through every action and outcome there is. An alert tells of the
fields that its condition judges, so it goes with them. What else an event tells may not depend on a hidden
card: another test plays tables side by side that differ in nothing else.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any, Final

from msgspec import NODEFAULT, Struct
from msgspec.structs import FieldInfo, fields, replace

from houseway.games import Rules
from houseway.law.problems import Problem
from houseway.rounds.annotations import Readers, notes_of
from houseway.rounds.marks import HandMark
from houseway.rounds.outcomes import PutAway
from houseway.rounds.roles import Role, Sees, sees
from houseway.rounds.sight import lies_open
from houseway.rounds.state import Table
from houseway.rounds.step import Actor, AnEvent
from houseway.rounds.steps import ACTIONS, OUTCOMES, STEPS

FIELDS: Final[Mapping[type[Struct], Mapping[str, Readers]]] = MappingProxyType(
    {kind: notes for kind in (*ACTIONS, *OUTCOMES) if (notes := notes_of(kind, Readers))}
)
"""Every field that holds cards or tells of them, and who may read it."""


def _list_alerts() -> Iterator[tuple[tuple[type[Struct], str], frozenset[Readers]]]:
    for step in STEPS.values():
        listed = FIELDS.get(step.action, {})
        for guard in step.guards:
            readers = frozenset(listed[name] for name in guard.about if name in listed)
            if guard.warns and readers:
                yield from (
                    ((step.action, reason), readers) for reason in (guard.reason, *guard.reason_in.values())
                )


ALERTS: Final[Mapping[tuple[type[Struct], str], frozenset[Readers]]] = MappingProxyType(dict(_list_alerts()))
"""Every alert that tells of such a field, by its action and its words, and who has to be able to read it."""


def redact(rules: Rules, table: Table, event: AnEvent, viewer: Actor) -> AnEvent:
    """Return an event as a person may read it; ``table`` is the one that it happened at, before it.

    Of a hand that lies open there, as it may where a person reads of it later, every alert is shown.
    """
    hand = table.round.hands.get(event.position) if event.position is not None else None
    own = viewer.role is Role.PLAYER and hand is not None and hand.person == viewer.id
    owner = own and hand is not None and hand.has(HandMark.LOOKED)
    acted = (viewer.id, viewer.role) == (event.by.id, event.by.role)
    may: Mapping[Readers, bool] = {
        Readers.NOBODY: False,
        Readers.OWNER: owner or acted,
        Readers.ADVISED: owner or sees(viewer.role, Sees.ADVICE),
        Readers.DISPLAY: owner or sees(viewer.role, Sees.DISPLAY),
        Readers.TYPED: sees(viewer.role, Sees.TYPED),
        Readers.AUDIT: sees(viewer.role, Sees.OPENED_DECK),
        Readers.EVERYBODY: True,
    }
    action, outcome = _without(event.action, may), _without(event.outcome, may)
    is_open = hand is not None and lies_open(rules, hand)
    if isinstance(outcome, PutAway) and hand is not None and not is_open:
        outcome = PutAway(tuple(replace(entry, cards=(), setting=None) for entry in outcome.racked))
    alerts = (
        event.alerts if is_open else tuple(alert for alert in event.alerts if _may_hear(event, alert, may))
    )
    return replace(event, action=action, outcome=outcome, alerts=alerts)


def _may_hear(event: AnEvent, alert: Problem, may: Mapping[Readers, bool]) -> bool:
    """Whether a person may read all the fields that an alert tells of."""
    return all(may[readers] for readers in ALERTS.get((type(event.action), alert.reason), ()))


def _without(value: Any, may: Mapping[Readers, bool]) -> Any:  # noqa: ANN401 - an action or an outcome
    """Return an action or outcome without the fields that a person may not read."""
    listed = FIELDS.get(type(value), {})
    gone = {name: _EMPTY[type(value)][name] for name, readers in listed.items() if not may[readers]}
    return replace(value, **gone) if gone else value


def _empty(kind: type[Struct]) -> dict[str, Any]:
    """Return what fields hold when their cards are taken out: their defaults, or nothing."""
    defaults = {field.name: field for field in fields(kind)}
    return {name: _default(defaults[name]) for name in FIELDS[kind]}


def _default(field: FieldInfo) -> Any:  # noqa: ANN401 - a field's value
    if field.default is not NODEFAULT:
        return field.default
    return field.default_factory() if field.default_factory is not NODEFAULT else None


_EMPTY: Final[Mapping[type[Struct], Mapping[str, Any]]] = {kind: _empty(kind) for kind in FIELDS}
