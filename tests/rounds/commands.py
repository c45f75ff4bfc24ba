"""What somebody says they do, in plain words as it would come in: a step, a position, details by name.

The table knows only typed actions. Tests say what is done by its name, rightly or wrongly, and this is
where it is read: strictly, as any input is.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from msgspec.structs import FieldInfo, fields

from houseway.games import Rules
from houseway.rounds.action import TAG, Action, step_of
from houseway.rounds.codec import read_action
from houseway.rounds.step import Actor, AnEvent, Proposal
from houseway.rounds.steps import ACTIONS

ACTION_NAMED = {step_of(action): action for action in ACTIONS}


@dataclass(frozen=True)
class NamedStep:
    """A step by its name, who takes it, where, and with which details."""

    step: str
    by: Actor
    position: int | None = None
    details: Mapping[str, Any] = field(default_factory=dict)

    def proposal(self, rules: Rules | None = None) -> Proposal:
        """Return the typed action, or refuse what cannot be read."""
        return Proposal(self.by, as_action(self.step, self.position, self.details, rules))


def as_action(
    step: str, position: int | None, details: Mapping[str, Any], rules: Rules | None = None
) -> Action:
    """Read a step with its details as an action; a position is left out where the step has none."""
    data = {TAG: step, **details}
    kind = ACTION_NAMED.get(step)
    if position is not None and (kind is None or "position" in kind.__struct_fields__):
        data["position"] = position
    if step == "settle" and data.get("wager") == "all":
        del data["wager"]
    return read_action(data, rules)


def proposed(command: NamedStep | Proposal, rules: Rules | None = None) -> Proposal:
    """Return what is proposed, however it was said."""
    return command.proposal(rules) if isinstance(command, NamedStep) else command


def details_of(action: Action) -> dict[str, Any]:
    """Return the details of an action by name, those that were not given left out."""
    values = [
        (info, getattr(action, info.name)) for info in fields_of(type(action)) if info.name != "position"
    ]
    return {info.name: value for info, value in values if info.required or value != info.default}


@cache
def fields_of(kind: type[Action]) -> tuple[FieldInfo, ...]:
    """Return the fields of a kind of action; msgspec reads its annotations anew whenever it is asked."""
    return fields(kind)


def value_of(event: AnEvent, name: str, default: Any = None) -> Any:
    """Return what an event tells under a name: of what came of it, or else of what was done."""
    for part in (event.outcome, event.action):
        if part is not None and hasattr(part, name):
            return getattr(part, name)
    return default
