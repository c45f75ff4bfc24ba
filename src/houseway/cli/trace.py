"""``houseway trace``: for each clause of the law, where it is implemented and where it is tested."""

from __future__ import annotations

from collections import Counter
from typing import Annotated, Any

import typer

from houseway.cli.output import AsJson, console, emit, table
from houseway.errors import InvalidInputError
from houseway.games import game
from houseway.law import ClauseKind, rule_sets
from houseway.law.tracing import Traced, TraceState, tests_folder, trace


def trace_command(
    game_id: Annotated[str | None, typer.Option("--game", help="Only one game's law.")] = None,
    state: Annotated[TraceState | None, typer.Option(help="List the clauses in this state.")] = None,
    no_door: Annotated[bool, typer.Option("--no-door", help="List the clauses proven from no door.")] = False,
    as_json: AsJson = False,
) -> None:
    """Trace the clauses of the law to code and tests."""
    ids = [_law_of(game_id)] if game_id else [r.id for r in rule_sets()]
    traced = {id_: trace(id_) for id_ in ids}
    if as_json:
        rows = [t for of in traced.values() for t in of if state in (None, t.state)]
        emit([_plain(t) for t in rows])
        return
    table("Clauses of the law", ["rule set", "kind", "all", *TraceState], _summary(traced))
    done = [t for of in traced.values() for t in of if t.state is TraceState.DONE]
    proven = sum(bool(t.doors) for t in done)
    console().print(f"{proven:,} of {len(done):,} clauses that are done are proven from a door.")
    if tests_folder() is None:
        console().print("There are no tests next to this installation: what is tested is not known.")
    if no_door:
        inside = [(t.clause.id, t.clause.rule, " ".join(t.tests)) for t in done if not t.doors]
        table("proven from no door", ["clause", "rule", "tests"], inside)
    for of in traced.values():
        listed = [t for t in of if state is not None and t.state is state]
        if listed:
            table(
                str(state),
                ["clause", "rule", "code"],
                [(t.clause.id, t.clause.rule, " ".join(t.code)) for t in listed],
            )


def _law_of(game_id: str) -> str:
    law = game(game_id).rule_set
    if law is None:
        raise InvalidInputError("this game has no law", value=game_id)
    return law


def _summary(traced: dict[str, tuple[Traced, ...]]) -> list[list[object]]:
    rows: list[list[object]] = []
    for id_, of in traced.items():
        for kind in ClauseKind:
            states = Counter(t.state for t in of if t.clause.kind is kind)
            rows.append([id_, kind, sum(states.values()), *(states[s] or None for s in TraceState)])
    return rows


def _plain(traced: Traced) -> dict[str, Any]:
    return {
        "clause": traced.clause.id,
        "cite": traced.clause.cite,
        "kind": traced.clause.kind,
        "rule": traced.clause.rule,
        "state": traced.state,
        "code": list(traced.code),
        "tests": list(traced.tests),
        "doors": list(traced.doors),
        "reason": traced.reason,
    }
