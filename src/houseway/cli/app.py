"""The application: registers the commands and turns every refusal into one line and exit code 2."""

from __future__ import annotations

import os
import sys
from typing import Final, NoReturn

import typer
from typer.exceptions import Abort, Exit, TyperException

from houseway import __version__
from houseway.cli import (
    backup,
    card,
    deal,
    demo,
    dispute,
    fee,
    games,
    hands,
    log,
    odds,
    par,
    play,
    prove,
    readings,
    records,
    rules,
    schema,
    serve,
    submission,
    trace,
    warmup,
    ways,
)
from houseway.cli.output import speak_plainly
from houseway.errors import HousewayError, shortened

LONGEST_MESSAGE: Final = 2_000
"""A refusal for many reasons is long, but nothing is longer than this."""
LONGEST_TYPED: Final = 200
"""What the options are judged by repeats whatever was typed."""

app = typer.Typer(
    name="houseway",
    help="Runs, proves and explains a family of regulated casino table games.",
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


def _version(wanted: bool) -> None:
    if wanted:
        print(f"houseway {__version__}")
        raise Exit


@app.callback()
def _root(
    version: bool = typer.Option(False, "--version", callback=_version, is_eager=True, help="Print it."),
) -> None:
    del version


app.command("games")(games.games_command)
app.command("rules")(rules.rules_command)
app.command("card")(card.card_command)
app.command("rank")(hands.rank_command)
app.command("set")(ways.set_command)
app.command("bonus")(hands.bonus_command)
app.command("compare")(hands.compare_command)
app.add_typer(ways.app, name="way")
app.command("odds")(odds.odds_command)
app.command("par")(par.par_command)
app.command("prove")(prove.prove_command)
app.command("warmup")(warmup.warmup_command)
app.command("settle")(records.settle_command)
app.command("replay")(records.replay_command)
app.command("explain")(records.explain_command)
app.command("dispute")(dispute.dispute_command)
app.command("trace")(trace.trace_command)
app.command("readings")(readings.readings_command)
app.command("fee")(fee.fee_command)
app.command("deal")(deal.deal_command)
app.command("demo")(demo.demo_command)
app.command("play")(play.play_command)
app.command("schema")(schema.schema_command)
app.command("backup")(backup.backup_command)
app.command("restore")(backup.restore_command)
app.command("verify-log")(log.verify_log_command)
app.command("checkpoints")(log.checkpoints_command)
app.command("export")(log.export_command)
app.command("serve")(serve.serve_command)
app.add_typer(submission.app, name="submission")


def main(arguments: list[str] | None = None) -> NoReturn:
    """Run a command; exit 0 when it did what was asked, 1 when a check found something, 2 on bad input."""
    speak_plainly()
    try:
        code = app(args=arguments, standalone_mode=False)
        sys.stdout.flush()
    except HousewayError as error:
        _complain(str(error))
    except TyperException as error:
        _complain(shortened(error.format_message(), LONGEST_TYPED))
    except Exit as exit_:
        sys.exit(exit_.exit_code)
    except (Abort, KeyboardInterrupt):
        sys.exit(130)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(0)
    except OSError as error:
        if error.filename is not None:  # a file's: whoever opened it should have refused it
            raise
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # what is left to print goes nowhere
        _complain(f"cannot print: {error.strerror}")
    sys.exit(code if isinstance(code, int) else 0)


def _complain(message: str) -> NoReturn:
    print(f"houseway: {shortened(' '.join(message.split()), LONGEST_MESSAGE)}", file=sys.stderr)
    sys.exit(2)
