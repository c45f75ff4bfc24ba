"""``houseway settle``, ``replay`` and ``explain``: the contents of round records, replayed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated

import typer
from typer.exceptions import Exit

from houseway.cli.output import AsJson, console, emit
from houseway.errors import LONGEST_CAUSE, LONGEST_NAME, printable, shortened
from houseway.ledger import show_units
from houseway.rounds.explain import explain
from houseway.rounds.record import read_record
from houseway.rounds.replay import difference, verify_replay
from houseway.settlement import Payment

RecordFile = Annotated[Path, typer.Argument(metavar="FILE", help="A round record (JSON).")]
RecordFiles = Annotated[
    list[Path],
    typer.Argument(metavar="FILE", help="Round records (JSON): several in the order they were played."),
]


def settle_command(file: RecordFile, as_json: AsJson = False) -> None:
    """Say who was paid what in a recorded round, and by which clause; refuse one that does not replay."""
    table = verify_replay(read_record(file))
    payments = table.last.payments if table.last else ()
    if as_json:
        emit([_as_dict(payment) for payment in payments])
        return
    for payment in payments:
        law = f" [{', '.join(payment.clauses)}]" if payment.clauses else ""
        moved = f"{payment.kind} {show_units(payment.units)}, {payment.source} to {payment.to}"
        console().print(f"{payment.position} {payment.wager}: {moved}: {payment.reason}{law}", markup=False)


def _as_dict(payment: Payment) -> dict[str, object]:
    return {
        "position": payment.position,
        "person": payment.person,
        "wager": payment.wager,
        "kind": payment.kind,
        "amount": show_units(payment.units),
        "source": str(payment.source),
        "to": str(payment.to),
        "reason": payment.reason,
        "clauses": payment.clauses,
    }


def replay_command(files: RecordFiles, as_json: AsJson = False) -> None:
    """Decide every command of recorded rounds again; report the first difference of each and exit 1 on one.

    Of several rounds of a table, each must begin as the one before left the table.
    """
    rows = []
    for name, mismatch in _replay(files):
        rows.append({"round": name, "identical": mismatch is None, "difference": mismatch})
        if as_json:
            continue
        if mismatch is not None:
            console().print(f"difference: {mismatch}", markup=False)
        verdict = "identical" if mismatch is None else "NOT identical"
        console().print(f"{name}: {verdict}", markup=False)
    if as_json:
        emit(rows if len(rows) > 1 else rows[0])
    if not all(row["identical"] for row in rows):
        raise Exit(1)


def _replay(files: Sequence[Path]) -> Iterator[tuple[str, str | None]]:
    """Yield the name of each round, and the first difference if there is one."""
    previous = None
    for file in files:
        record = read_record(file)
        mismatch = difference(record, previous)
        yield shortened(record.id, LONGEST_NAME), mismatch and shortened(mismatch, LONGEST_CAUSE)
        previous = record


def explain_command(
    file: RecordFile,
    seat: Annotated[int | None, typer.Option(help="Only this position.")] = None,
    as_json: AsJson = False,
) -> None:
    """Say in plain language why each amount moved; refuse a record that does not replay."""
    lines = list(explain(read_record(file), seat))
    if as_json:
        emit(lines)
    else:
        print("\n".join(map(printable, lines)))
