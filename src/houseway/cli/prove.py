"""``houseway prove``: the exhaustive checks, resumable, on every core.

Progress is written piece by piece, so that an interrupted proof goes on where it stopped; a proof of another
document, or by another version of the interpreters, begins again.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from functools import cache
from itertools import islice
from multiprocessing import get_context
from pathlib import Path
from typing import Annotated, Any, Final

import typer
from typer.exceptions import Exit

from houseway.cli.files import make_folder
from houseway.cli.output import AsJson, console, emit
from houseway.cli.progress import progress
from houseway.errors import InvalidInputError
from houseway.games.proving import programs_to_prove
from houseway.houseways import compile_way, house_way, house_ways
from houseway.houseways.proof import SHADOWED, Comparison, Shard, prove_way, shards
from houseway.houseways.proven import COLUMNS, proof_of, read_proofs, write_proofs
from houseway.odds.fingerprint import fingerprint

MOST_WORKERS: Final = 1_000


def prove_command(
    way: Annotated[list[str] | None, typer.Option(help="Only this house way; may be repeated.")] = None,
    workers: Annotated[int, typer.Option(help="Processes to use.")] = os.cpu_count() or 1,
    notes: Annotated[Path, typer.Option(help="Where progress is kept.")] = Path(".prove"),
    limit: Annotated[int | None, typer.Option(help="Stop after this many pieces of each proof.")] = None,
    record: Annotated[
        bool,
        typer.Option(
            "--record", help="Prove each way for every game it may be filed for, and write it down."
        ),
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Prove every house way over every suit class: sound, and the two interpreters equal."""
    if not 1 <= workers <= MOST_WORKERS:
        raise InvalidInputError(f"from one worker to {MOST_WORKERS:,}", value=workers)
    if limit is not None and limit < 0:
        raise InvalidInputError("no fewer than no pieces", value=limit)
    if record:
        _record(quiet=as_json)
        return
    programs = {name: compile_way(house_way(name)) for name in way or [w.id for w in house_ways()]}
    make_folder(notes)
    reports: list[dict[str, Any]] = []
    for name, program in programs.items():
        report = prove_way(program)
        difference, done, pieces = _interpreters_equal(name, workers, notes, limit, quiet=as_json)
        row = report.as_dict() | {"pieces": pieces, "pieces_proven": done, "difference": difference}
        reports.append(row)
        if not as_json:
            _print_report(name, row)
    if as_json:
        emit(reports)
    if any(not r["sound"] or r["difference"] for r in reports):
        raise Exit(1)


def _record(*, quiet: bool) -> None:
    """Prove each house way for every game it may be filed for, and write the record of proofs."""
    known = {proof["key"]: proof for proof in read_proofs()}
    proofs: list[dict[str, str]] = []
    faults: list[str] = []
    for program in programs_to_prove():
        proof = proof_of(program)
        report = None if proof["key"] in known else prove_way(program)
        # A rule that decides nothing under one reading may decide hands under another: it is no fault here.
        unsound = [fault for fault in report.faults if not fault.endswith(SHADOWED)] if report else []
        faults += unsound
        proofs += [] if unsound else [proof]
        if not quiet:
            label = " ".join(proof[name] for name in COLUMNS[:-1] if proof[name])
            console().print(f"{label}: {'; '.join(unsound) or 'sound'}", markup=False)
    write_proofs(proofs)
    if faults:
        raise Exit(1)


def _print_report(name: str, report: dict[str, Any]) -> None:
    out = console()
    for fault in [*report["faults"], *([report["difference"]] if report["difference"] else [])]:
        out.print(f"{name}: {fault}", markup=False)
    proven = f"{report['pieces_proven']} of {report['pieces']} pieces"
    verdict = "sound" if report["sound"] and not report["difference"] else "NOT sound"
    out.print(f"{name}: {report['hands']:,} hands {verdict}; interpreters equal on {proven}", markup=False)


def _interpreters_equal(
    name: str, workers: int, notes: Path, limit: int | None, *, quiet: bool
) -> tuple[str | None, int, int]:
    """Compare the interpreters piece by piece; return a difference, the pieces proven and all pieces."""
    every = list(shards(sum(compile_way(house_way(name)).split)))
    path = notes / f"{Path(name).stem}-{fingerprint(house_way(name).rules_text())[:16]}.txt"
    proven = set(path.read_text(encoding="utf-8").split()) if path.exists() else set()
    left = [shard for shard in every if shard.name not in proven][:limit]
    with (
        progress(name, quiet=quiet, total=len(every), done=len(proven)) as advance,
        path.open("a", encoding="utf-8") as file,
    ):
        for shard, difference in _compare_shards(name, left, workers):
            if difference:
                return difference, len(proven), len(every)
            proven.add(shard.name)
            file.write(shard.name + "\n")
            file.flush()
            advance(len(proven), len(every))
    return None, len(proven), len(every)


def _compare_shards(name: str, left: list[Shard], workers: int) -> Iterator[tuple[Shard, str | None]]:
    """Yield each piece with its difference; the pool holds few at once, so that stopping is quick."""
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        queue = iter(left)
        running = {pool.submit(compare_shard, name, shard): shard for shard in islice(queue, 2 * workers)}
        while running:
            ready, _ = wait(running, return_when=FIRST_COMPLETED)
            for future in ready:
                yield running.pop(future), future.result()
                upcoming = next(queue, None)
                if upcoming is not None:
                    running[pool.submit(compare_shard, name, upcoming)] = upcoming


@cache
def _comparison(name: str) -> Comparison:
    return Comparison(compile_way(house_way(name)))


def compare_shard(name: str, shard: Shard) -> str | None:
    """Compare the interpreters on one piece, in a worker process that keeps its comparison."""
    return _comparison(name).first_difference(shard.classes()[0])
