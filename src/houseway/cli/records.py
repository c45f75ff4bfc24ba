"""``houseway settle``, ``replay`` and ``explain``: what a round record says, and whether it is so."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from typer.exceptions import Exit

from houseway.cli.output import AsJson, console, emit
from houseway.ledger import show_units
from houseway.rounds.explain import explain
from houseway.rounds.record import read_record, settle_record, write_record
from houseway.rounds.replay import differences

RecordFile = Annotated[Path, typer.Argument(metavar="FILE", help="A round record (TOML).")]


def settle_command(
    file: RecordFile,
    out: Annotated[Path | None, typer.Option(help="Write the settled record here.")] = None,
    as_json: AsJson = False,
) -> None:
    """Settle a recorded round: who is paid what, by which clause."""
    record = settle_record(read_record(file))
    if out:
        out.write_text(write_record(record), encoding="utf-8")
    if as_json:
        emit([p.model_dump() | {"amount": show_units(p.amount)} for p in record.payment])
        return
    for payment in record.payment:
        law = f" [{', '.join(payment.clauses)}]" if payment.clauses else ""
        moved = f"{payment.kind} {show_units(payment.amount)}, {payment.source} to {payment.to}"
        console().print(f"{payment.position} {payment.wager}: {moved}: {payment.reason}{law}", markup=False)


def replay_command(file: RecordFile, as_json: AsJson = False) -> None:
    """Rebuild a recorded round from its own text and report any difference; exit 1 if there is one."""
    record = read_record(file)
    found = differences(record)
    if as_json:
        emit({"round": record.id, "identical": not found, "differences": list(found)})
    else:
        for difference in found:
            console().print(f"difference: {difference}", markup=False)
        console().print(f"{record.id}: {'identical' if not found else 'NOT identical'}", markup=False)
    if found:
        raise Exit(1)


def explain_command(
    file: RecordFile,
    seat: Annotated[int | None, typer.Option(help="Only this position.")] = None,
    as_json: AsJson = False,
) -> None:
    """Say in plain language why each amount moved."""
    lines = list(explain(read_record(file), seat))
    if as_json:
        emit(lines)
    else:
        print("\n".join(lines))
