"""``houseway submission``: is a rules submission lawful, and how do two of them differ?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from typer.exceptions import Exit

from houseway.cli.output import AsJson, console, emit, table
from houseway.games import differences, read_submission, rules_for, verify_submission
from houseway.games.opening import Felt, verify_felt
from houseway.law.documents import read_document

app = typer.Typer(help="Check and compare rules submissions.", rich_markup_mode=None)
SubmissionFile = Annotated[Path, typer.Argument(metavar="FILE", help="A rules submission (TOML).")]


FeltFile = Annotated[
    Path | None, typer.Option(metavar="FILE", help="The bonus and envy tables the felt prints (TOML).")
]


@app.command("check")
def check_command(file: SubmissionFile, felt: FeltFile = None, as_json: AsJson = False) -> None:
    """Judge a submission by the law, and what its felt prints; exit 1 if the law forbids it."""
    submission = read_submission(file)
    problems = verify_submission(submission)
    if felt is not None and not any(p.blocks for p in problems):
        problems += verify_felt(rules_for(submission), read_document(Felt, felt))
    lawful = not any(p.blocks for p in problems)
    if as_json:
        rows = [p.as_dict() for p in problems]
        emit({"lawful": lawful, "fingerprint": submission.fingerprint(), "problems": rows})
    else:
        for problem in problems:
            console().print(f"{problem.severity}: {problem}", markup=False)
        verdict = "lawful" if lawful else "refused"
        console().print(f"{submission.reference} for {submission.game}: {verdict}", markup=False)
    if not lawful:
        raise Exit(1)


@app.command("diff")
def diff_command(
    before: SubmissionFile,
    after: Annotated[Path, typer.Argument(metavar="OTHER", help="The submission to compare it with.")],
    as_json: AsJson = False,
) -> None:
    """Show each field in which two submissions differ."""
    changes = list(differences(read_submission(before), read_submission(after)))
    if as_json:
        emit([{"field": f, "before": old, "after": new} for f, old, new in changes])
    else:
        table(f"{before.name} and {after.name}", ["field", "before", "after"], changes)
