"""``houseway par``: the PAR sheet of a rules submission, one page to sign and file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from houseway.cli.files import verify_file, write_file
from houseway.cli.output import AsJson, GameArgument, console, emit
from houseway.cli.progress import progress
from houseway.errors import InvalidInputError
from houseway.games import example_submission, read_submission, rules_for
from houseway.odds.par import par
from houseway.web.par import par_page


def par_command(
    game_id: GameArgument,
    submission: Annotated[Path | None, typer.Option(help="A rules submission; the example if none.")] = None,
    out: Annotated[Path | None, typer.Option(help="Write the page here instead of printing it.")] = None,
    main: Annotated[bool, typer.Option(help="With the main game, about a minute.")] = True,
    as_json: AsJson = False,
) -> None:
    """Make the PAR sheet: every wager's exact figures, plots, method, clauses, readings, and a hash."""
    verify_file(out)
    chosen = read_submission(submission) if submission else example_submission(game_id)
    if chosen.game != game_id:
        raise InvalidInputError("the submission is for another game", value=chosen.game)
    quiet = as_json or out is None
    with progress("every pair of hands", quiet=quiet) as advance:
        sheet = par(rules_for(chosen), main=main, tell=advance)
    if as_json:
        emit(sheet.figures() | {"sha256": sheet.fingerprint()})
    elif out:
        write_file(out, par_page(sheet))
        console().print(f"wrote {out}, figures sha-256 {sheet.fingerprint()}", markup=False)
    else:
        print(par_page(sheet))
