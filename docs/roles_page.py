"""The tables of ``docs/roles.md``: who takes which step, who is shown what, and the clauses of each game."""

from __future__ import annotations

import ast
import inspect
import re
import sys
from collections.abc import Iterable, Mapping
from enum import Enum
from itertools import chain

from houseway.games import games
from houseway.games.procedure import Steps
from houseway.rounds.annotations import Readers
from houseway.rounds.redaction import FIELDS
from houseway.rounds.roles import SEEN_BY, Role, Sees
from houseway.rounds.sight import CARDS, CONCEALED
from houseway.rounds.stage import Stage
from houseway.rounds.step import AnyStep
from houseway.rounds.steps import ALL_STEPS

LICENSED = tuple(game for game in games() if game.licensed)
MARK = "●"
BY_THE_HOUSE = "○"
"""A role that takes a step only when the house says so."""


# --- who takes which step -----------------------------------------------------------------------------


def step_roles() -> str:
    """Return who may take each step, and the clauses that each game cites for it: a table for each family."""
    lines: list[str] = []
    for heading, steps in families().items():
        columns = those_in(step.roles for step in steps)
        rows = ([f"`{step.name}`", *step_marks(step, columns), step_law(step.name)] for step in steps)
        lines += ["", f"### {heading}", "", *role_table(("step", "law"), rows, columns)]
    idle = [str(role) for role in Role if role not in those_in(step.roles for step in ALL_STEPS)]
    return "\n".join([f"No step is for {', '.join(idle[:-1])} or {idle[-1]}.", *lines, ""])


def families() -> Mapping[str, list[AnyStep]]:
    """Return the steps by the heading of their module, in the order in which a dealer comes to them.

    Families that begin without a stage come last; those of the same stage as the procedures name them.
    """
    modules: dict[str, list[AnyStep]] = {}
    for step in ALL_STEPS:
        modules.setdefault(step.action.__module__, []).append(step)
    stages, procedure = [*Stage, None], list(dict.fromkeys(chain(*(game.procedure for game in LICENSED))))

    def place(module: str) -> tuple[int, int]:
        steps = modules[module]
        return stages.index(steps[0].stage), min(procedure.index(step.name) for step in steps)

    return {heading_of(module): modules[module] for module in sorted(modules, key=place)}


def heading_of(module: str) -> str:
    """Return what a family of steps is called: how the first sentence about its module begins."""
    return re.split(r"[:;,.]", inspect.getdoc(sys.modules[module]) or module, maxsplit=1)[0]


def step_law(step: str) -> str:
    """Return what each game that has a step cites for it: who may take it, and that it is taken.

    Where one clause says both it stands once; games that cite nothing of the kind are only named.
    """
    cited: list[str] = []
    silent: list[str] = []
    for game in LICENSED:
        if step not in game.procedure:
            continue
        who, law = (clauses(game.procedure, step, key) for key in ("by", "law"))
        said = [f"who: {who}"] if who else []
        said += [law] if law and law != who else []
        if said:
            cited.append("; ".join(said))
        else:
            silent.append(game.id)
    if len(silent) == len(LICENSED):
        return "*every game*"
    return "<br>".join([*cited, *([f"*{', '.join(silent)}*"] if silent else [])])


def clauses(steps: Steps, step: str, key: str) -> str:
    """Return the clauses that a document cites, by the way of dealing where it tells them apart."""
    found = steps.get(step, {}).get(key, ())
    if isinstance(found, tuple):
        return ", ".join(f"`{clause}`" for clause in found)
    by_way = {way.replace("_", " "): ", ".join(f"`{one}`" for one in cited) for way, cited in found.items()}
    return "; ".join(f"{way}: {cited}" for way, cited in by_way.items())


# --- who is shown what --------------------------------------------------------------------------------


def shown() -> str:
    """Return what is shown to some roles only."""
    columns = those_in(SEEN_BY.values())
    about = meanings(Sees)
    rows = ([f"`{what}`", *marks(roles, columns), about[what.name]] for what, roles in SEEN_BY.items())
    return "\n".join(role_table(("shown", "what it is"), rows, columns))


def hidden() -> str:
    """Return what hides the cards of a position, and the clauses that each game cites for it."""
    reasons = {one.key: one.reason for one in CONCEALED} | {
        "dealer_open": "*not hidden:* the dealer's cards, once they are turned over",
    }
    lines = ["| key | what hides cards | law |", "| --- | --- | --- |"]
    for key, reason in reasons.items():
        law = [clauses(game.sight, CARDS, key) for game in LICENSED]
        lines.append(f"| `{key}` | {reason} | {'<br>'.join(one for one in law if one)} |")
    return "\n".join(lines)


def read_by() -> str:
    """Return the fields of events that hold cards, by who may read them."""
    lines = ["| note | who reads it | fields of actions and outcomes |", "| --- | --- | --- |"]
    about = meanings(Readers)
    for readers in Readers:
        named = [
            f"`{kind.__name__}.{name}`" for kind, of in FIELDS.items() for name in of if of[name] is readers
        ]
        lines.append(f"| `{readers.name}` | {about[readers.name]} | {', '.join(named)} |")
    return "\n".join(lines)


def meanings(kind: type[Enum]) -> Mapping[str, str]:
    """Return what the source says under each member of an enumeration."""
    (tree,) = ast.parse(inspect.getsource(kind)).body
    assert isinstance(tree, ast.ClassDef)
    found = {}
    for member, text in zip(tree.body, tree.body[1:], strict=False):
        if isinstance(member, ast.Assign) and isinstance(text, ast.Expr):
            (name,) = (ast.unparse(target) for target in member.targets)
            found[name] = inspect.cleandoc(ast.literal_eval(text.value)).replace("\n", " ")
    return found


# --- tables -------------------------------------------------------------------------------------------


def role_table(head: Iterable[str], rows: Iterable[Iterable[str]], roles: Iterable[Role]) -> list[str]:
    """Return the lines of a table with a column for each role between its first column and the others."""
    first, *others = head
    columns = [str(role) for role in roles]
    lines = ["| " + " | ".join((first, *columns, *others)) + " |"]
    lines.append("| " + " | ".join(("---", *(":-:" for _ in columns), *("---" for _ in others))) + " |")
    return lines + ["| " + " | ".join(row) + " |" for row in rows]


def marks(roles: Iterable[Role], columns: Iterable[Role]) -> list[str]:
    """Return a mark for each column whose role is among these."""
    found = frozenset(roles)
    return [MARK if role in found else "" for role in columns]


def step_marks(step: AnyStep, columns: Iterable[Role]) -> list[str]:
    """Return the marks of a step, those of the house apart."""
    return [
        BY_THE_HOUSE if role in step.unoffered else MARK if role in step.roles else "" for role in columns
    ]


def those_in(sets: Iterable[Iterable[Role]]) -> list[Role]:
    """Return the roles that occur in any of some sets, in their usual order."""
    found = frozenset(chain(*sets))
    return [role for role in Role if role in found]
