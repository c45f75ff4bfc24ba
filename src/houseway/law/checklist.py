"""What only a person's eyes can see to: physical clauses, ticked off when a table opens."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from houseway.law.clauses import ClauseKind, clauses_of
from houseway.law.problems import Problem


@dataclass(frozen=True)
class ChecklistItem:
    """One thing to look at before a table is ready."""

    clause: str
    cite: str
    text: str


def checklist(rule_set_id: str) -> tuple[ChecklistItem, ...]:
    """Return the items of a rule set, in the order of the text.

    >>> checklist("wa-fap")[0].clause
    'wa.fap.req.iii'
    """
    rows = clauses_of(rule_set_id).values()
    return tuple(ChecklistItem(c.id, c.cite, c.rule) for c in rows if c.kind is ClauseKind.PHYSICAL)


def verify_attested(
    rule_set_id: str, attested: Collection[str], spared: Collection[str] = ()
) -> tuple[Problem, ...]:
    """Return an error for each item that no one has attested, and for each unknown one.

    Items that are spared are about things that the table does not have.
    """
    items = {item.clause: item for item in checklist(rule_set_id)}
    missing = [
        Problem("checklist", f"not attested: {item.text}", None, (item.clause,))
        for item in items.values()
        if item.clause not in attested and item.clause not in spared
    ]
    unknown = [Problem("checklist", "no such item", name) for name in attested if name not in items]
    return tuple(missing + unknown)
