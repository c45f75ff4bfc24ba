"""Makes wrong programs by the hundred and runs the tests that reach each: what no test notices is printed."""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from mutants.mutant import (
    PARTS,
    Mutant,
    Told,
    all_members,
    compiled,
    every_mutant,
    judged,
    out_of_date,
    sample,
)
from mutants.operators import Members
from mutants.reach import Reach, Tracer, chosen, files_with_tests, fingerprint, shares, texts
from mutants.running import (
    Fate,
    Job,
    TookTooLong,
    fate_of,
    in_processes,
    run_tests,
    shared_server,
    warm_up,
)

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "src"
PACKAGE = "houseway"
CACHE = ROOT / ".mutants"
NEAR: Mapping[str, tuple[str, ...]] = {
    "rules": (*PARTS["rules"], "law", "houseways", "scenarios", "chips", "floor", "cli"),
    "floor": (*PARTS["floor"], "cli", "web"),
}
"""The folders of tests that are asked about a part; servers and pages reach the rules late and slowly."""
ELSEWHERE = (
    *("tests/web/browser", "tests/cli/test_hostile.py", "tests/cli/test_starting.py"),
    *(
        "tests/service/test_faults.py",
        "tests/service/test_failover.py",
        "tests/service/test_serve_command.py",
    ),
)
"""Tests whose program runs in other processes, where no mistake is made."""
SHARES_PER_PROCESS = 4
HOUR = 3600
SLACK = 20
"""Seconds that a process may take to begin."""


def main() -> int:
    """Sample mutants, run the tests that reach them, print what became of them."""
    asked = _arguments()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that the processes are ended too
    console = Console()
    members = all_members(SOURCE)
    every = every_mutant(SOURCE, PACKAGE, PARTS[asked.part], members)
    wanted = [one for one in every if asked.only in f"{one.file}:{one.line}"]
    equivalent = judged()
    known = [told for told in equivalent if told[0].split("/")[1] in PARTS[asked.part]]
    for stale in out_of_date(known, every):
        console.print(f"[yellow]no such mutant any more, in equivalent.toml:[/] {escape(stale)}")
    mutants, apart = sample(wanted, asked.count, asked.seed, equivalent)
    warm_up()
    tests = asked.tests or tests_near(asked.part)
    with shared_server(), _progress(console) as progress:
        reach = reach_of(tests, asked.jobs, progress)
        kept = Kept(CACHE / f"{_tree(tests)}.fates.jsonl")
        fates = {one: kept.fates[one.name] for one in mutants if one.name in kept.fates}
        try:
            left = [one for one in mutants if one not in fates]
            run(left, members, reach, asked, progress, fates, kept, Noticed(CACHE / "noticed.jsonl"))
        except (KeyboardInterrupt, SystemExit):
            console.print(f"interrupted after {len(fates)} of {len(mutants)}: it goes on from there")
    return report(console, fates, reach, asked.budget, len(apart))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m mutants", description=__doc__)
    parser.add_argument("part", nargs="?", choices=PARTS, default="rules", help="which rooms (rules)")
    parser.add_argument("--count", type=int, default=500, help="how many mutants (500)")
    parser.add_argument("--seed", default="mutants", help="which ones: the same for the same seed")
    parser.add_argument("--only", default="", help="only mutants whose file:line has this in it")
    parser.add_argument("--tests", nargs="*", help="where to look for tests (those of the rooms)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes at a time")
    parser.add_argument("--budget", type=float, default=45.0, help="seconds of tests for each mutant (45)")
    return parser.parse_args()


def _progress(console: Console) -> Progress:
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    return Progress(*columns, console=console)


# --- which test reaches what --------------------------------------------------------------------------


def tests_near(part: str) -> list[str]:
    """Return where the tests stand that are asked about a part, and its own examples."""
    return [
        *(f"tests/{folder}" for folder in NEAR[part]),
        *(f"src/{PACKAGE}/{room}" for room in PARTS[part]),
    ]


def reach_of(places: Sequence[str], jobs: int, progress: Progress) -> Reach:
    """Return which test runs which function; only test files that changed are run for it."""
    elsewhere = [ROOT / place for place in ELSEWHERE]
    files = [
        path
        for place in places
        for path in files_with_tests(ROOT / place)
        if not any(path.is_relative_to(other) for other in elsewhere)
    ]
    marks = {path.relative_to(ROOT).as_posix(): fingerprint([path]) for path in files}
    cache = CACHE / f"{_beside_tests()}.reach.json"
    found = (Reach.read(cache) if cache.exists() else Reach()).still_true(marks)
    parts = shares([ROOT / file for file in marks if file not in found.files], jobs * SHARES_PER_PROCESS)
    bar = progress.add_task("which test runs what", total=len(parts))
    for _, share in in_processes([Job(n, partial(_watch, part), HOUR) for n, part in enumerate(parts)], jobs):
        if share is None or isinstance(share, TookTooLong):
            raise RuntimeError("the tests did not come to an end")
        reach, failed = share
        found.add(reach)
        for test in failed:
            progress.console.print(f"[yellow]fails on the program as it is:[/] {escape(test)}")
        progress.advance(bar)
    found.files = marks
    CACHE.mkdir(exist_ok=True)
    found.write(cache)
    return found


def _tree(places: Sequence[str]) -> str:
    """Return what stands for the program and its tests as they are."""
    return fingerprint(texts(SOURCE, ROOT / "tests"), *places)


def _beside_tests() -> str:
    """Return what stands for the program and what its tests use."""
    return fingerprint(path for path in texts(SOURCE, ROOT / "tests") if not path.name.startswith("test_"))


def _watch(paths: Sequence[Path]) -> tuple[Reach, list[str]]:
    tracer = Tracer(SOURCE)
    run_tests(ROOT, [str(path.relative_to(ROOT)) for path in paths], [tracer])
    return tracer.reach, tracer.failed


# --- the mutants --------------------------------------------------------------------------------------

Fates = dict[Mutant, tuple[Fate, str]]


class Kept:
    """What became of mutants of this very tree, kept so that an interrupted run goes on."""

    def __init__(self, path: Path) -> None:
        self._path = path
        lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
        rows = [json.loads(line) for line in lines]
        self.fates = {name: (Fate(fate), by) for name, fate, by in rows}

    def keep(self, mutant: Mutant, fate: Fate, by: str) -> None:
        """Keep what became of a mutant."""
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps([mutant.name, fate, by]) + "\n")


class Noticed:
    """The test that noticed each mutant last, in this tree or an earlier one: the first to try again."""

    def __init__(self, path: Path) -> None:
        self._path = path
        lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
        self._by: dict[Told, str] = {tuple(told): by for told, by in map(json.loads, lines)}

    def first(self, mutant: Mutant, reach: Reach) -> str:
        """Return the test to try first, if it is there and passes on the program as it is."""
        by = self._by.get(mutant.told, "")
        return by if by in reach.tests else ""

    def note(self, mutant: Mutant, by: str) -> None:
        """Note the test that noticed a mutant, if one did."""
        if by and self._by.get(mutant.told) != by:
            self._by[mutant.told] = by
            with self._path.open("a", encoding="utf-8") as file:
                file.write(json.dumps([mutant.told, by]) + "\n")


def run(
    mutants: Sequence[Mutant],
    members: Members,
    reach: Reach,
    asked: argparse.Namespace,
    progress: Progress,
    fates: Fates,
    kept: Kept,
    noticed: Noticed,
) -> None:
    """Run the tests on every mutant; note what became of each, and the test that saw it."""
    bar = progress.add_task("mutants", total=len(mutants))
    jobs = []
    for mutant in mutants:
        tests, _ = chosen(reach, mutant, asked.budget)
        if tests:
            attempt = partial(_try, mutant, members, tests, noticed.first(mutant, reach))
            jobs.append(Job(mutant, attempt, 3 * int(asked.budget) + SLACK))
        else:
            fates[mutant] = Fate.UNREACHED, ""
            progress.advance(bar)
    for mutant, found in in_processes(jobs, asked.jobs):
        if isinstance(found, TookTooLong):
            fates[mutant] = Fate.TIMED_OUT, ""
        else:
            fates[mutant] = found or (Fate.KILLED, "the process died")
        kept.keep(mutant, *fates[mutant])
        noticed.note(mutant, fates[mutant][1])
        killed = sum(fate in (Fate.KILLED, Fate.TIMED_OUT) for fate, _ in fates.values())
        progress.update(bar, advance=1, description=f"mutants: {killed} of {len(fates)} noticed")


def _try(mutant: Mutant, members: Members, tests: Sequence[str], first: str) -> tuple[Fate, str]:
    return fate_of(ROOT, mutant.module, compiled(SOURCE, mutant, members), tests, first)


# --- what is printed ----------------------------------------------------------------------------------


def report(console: Console, fates: Fates, reach: Reach, budget: float, apart: int) -> int:
    """Print the survivors, and the rate with and without known equivalents; return 1 if any survived."""
    unnoticed = {
        mutant: fate for mutant, (fate, _) in fates.items() if fate in (Fate.SURVIVED, Fate.UNREACHED)
    }
    counts = Counter(fate for fate, _ in fates.values())
    for mutant, fate in sorted(unnoticed.items(), key=lambda one: (one[0].file, one[0].line)):
        _, left = chosen(reach, mutant, budget)
        slower = f", {left} slower tests not run" if left else ""
        console.print(
            f"\n[bold]src/{mutant.file}:{mutant.line}[/] {mutant.within} ({mutant.operator}; {fate}{slower})"
        )
        console.print(f"  {escape(mutant.text)}", highlight=False)
        console.print(
            f"[red]- {escape(mutant.before)}[/]\n[green]+ {escape(mutant.after)}[/]", highlight=False
        )
    console.print(f"\n{len(fates)} mutants: {', '.join(f'{n} {fate}' for fate, n in counts.most_common())}")
    if fates:
        noticed = len(fates) - len(unnoticed)
        console.print(f"noticed: {noticed / len(fates):.1%}")
        console.print(
            f"{apart} more were drawn that are known to be equivalent;"
            f" were they counted: {noticed / (len(fates) + apart):.1%}"
        )
    return 1 if unnoticed else 0


if __name__ == "__main__":
    sys.exit(main())
