"""The commands by name: where each is written and what it is for, so that a list of them loads none."""

from __future__ import annotations

from importlib import import_module
from typing import Any, Final, NamedTuple

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command


class Listed(NamedTuple):
    """A command that is loaded when it is named; ``written`` is its module here and its name there."""

    name: str
    written: str
    help: str


SECTIONS: Final[dict[str, tuple[Listed, ...]]] = {
    "Games and law": (
        Listed("games", "games:games_command", "List the games."),
        Listed("rules", "rules:rules_command", "Show a game's rules."),
        Listed("card", "card:card_command", "Make the rack card of a game from the rules in force."),
        Listed("fee", "fee:fee_command", "Look an amount up in a schedule."),
        Listed("submission", "submission:app", "Check and compare rules submissions."),
        Listed("trace", "trace:trace_command", "Trace the clauses of the law to code and tests."),
        Listed(
            "readings",
            "readings:readings_command",
            "List the readings of the law still to be confirmed by a regulator.",
        ),
    ),
    "Hands": (
        Listed("set", "setting:set_command", "Set a hand the house way."),
        Listed("rank", "hands:rank_command", "Rank the cards of one part."),
        Listed(
            "bonus", "hands:bonus_command", "Say which hand of each side wager's list the dealt cards make."
        ),
        Listed("compare", "hands:compare_command", "Race a player's setting against the dealer's."),
        Listed("way", "ways:app", "Show and prove house ways."),
    ),
    "Odds": (
        Listed("odds", "odds:odds_command", "Compute exact odds."),
        Listed("best", "best:best_command", "Find best play against a house way, exactly."),
        Listed("strategy", "strategy:strategy_command", "Learn a short strategy for a player, or judge one."),
        Listed("seeing", "seeing:seeing_command", "Say what seeing one to five other hands adds."),
        Listed("simulate", "simulate:simulate_command", "Play best play out by chance."),
        Listed("coach", "coach:coach_command", "Say what every legal setting of a hand is worth."),
        Listed("par", "par:par_command", "Make the PAR sheet."),
        Listed("prove", "prove:prove_command", "Prove every house way over every suit class."),
        Listed("warmup", "warmup:warmup_command", "Compile the kernels and keep them for the next start."),
    ),
    "Rounds": (
        Listed("play", "play:play_command", "Play in the terminal against the house way."),
        Listed("drill", "drill:drill_command", "Practise as a player or a dealer."),
        Listed("deal", "deal:deal_command", "Play rounds by themselves."),
        Listed("demo", "demo:demo_command", "Play a round of each game."),
        Listed("replay", "records:replay_command", "Decide every command of recorded rounds again."),
        Listed("explain", "records:explain_command", "Say in plain language why each amount moved."),
        Listed("settle", "records:settle_command", "Say who was paid what in a recorded round."),
        Listed("schema", "schema:schema_command", "Print the JSON Schema of commands, events and snapshots."),
    ),
    "The floor": (
        Listed("serve", "serve:serve_command", "Serve a floor."),
        Listed("administrator", "administrator:app", "Make administrators at the command line."),
        Listed("key", "key:app", "Change the key of a floor."),
        Listed("verify-log", "verify_log:verify_log_command", "Decide a whole log again."),
        Listed(
            "witness", "witness:witness_command", "Keep signed heads of a served floor, and sign them too."
        ),
        Listed("receipt", "receipt:app", "Make a receipt of a round, or check one without the floor."),
        Listed("checkpoints", "log:checkpoints_command", "Export every checkpoint."),
        Listed("export", "log:export_command", "Write the log out."),
        Listed(
            "read-models",
            "read_models:read_models_command",
            "Say which entries of a log are missing from what is searched and booked.",
        ),
        Listed("dispute", "dispute:dispute_command", "Write the dispute packet of a round."),
        Listed(
            "backup",
            "backup:backup_command",
            "Copy everything as it stands at one moment into one SQLite file.",
        ),
        Listed(
            "restore",
            "backup:restore_command",
            "Bring a backup into a new SQLite file or an empty PostgreSQL database.",
        ),
    ),
}
COMMANDS: Final = tuple(listed for section in SECTIONS.values() for listed in section)
EXAMPLES: Final = (
    ('houseway set pa-659a "As Kd 9c 9h 5s 4d Jk"', "a hand set the house way, with the rule"),
    ("houseway odds pa-659a --wager insurance", "the exact odds of a wager"),
    ("houseway play pa-659a", "play against the house way"),
    ("houseway serve --demo", "a floor of all five games, in the browser"),
)


class LazyCommand(TyperCommand):
    """A command that is loaded when it is run or asked for its help, and not before."""

    def __init__(self, listed: Listed) -> None:
        super().__init__(name=listed.name, help=listed.help, rich_markup_mode=None)
        self.listed = listed

    def make_context(self, *args: Any, **options: Any) -> Any:  # noqa: ANN401 - as its parent has it
        """Begin to run the command itself, which is loaded now."""
        return load(self.listed).make_context(*args, **options)


class Commands(TyperGroup):
    """Every command, in sections, none of them loaded."""

    def __init__(self, **options: Any) -> None:  # noqa: ANN401 - as its parent has it
        super().__init__(**options)
        for listed in COMMANDS:
            self.add_command(LazyCommand(listed))

    def format_commands(self, ctx: Any, formatter: Any) -> None:  # noqa: ANN401 - as its parent has it
        """Write the sections, then the examples."""
        for title, section in SECTIONS.items():
            with formatter.section(title):
                formatter.write_dl([(listed.name, listed.help) for listed in section])
        with formatter.section("Examples"):
            for command, about in EXAMPLES:
                formatter.write(f"{'':{formatter.current_indent}}{command}\n")
                formatter.write(f"{'':{formatter.current_indent}}    {about}\n")


def load(listed: Listed) -> Any:  # noqa: ANN401 - a command or a group of them
    """Load a command, with all that it needs."""
    module, _, name = listed.written.partition(":")
    found = getattr(import_module(f"houseway.cli.{module}"), name)
    if not isinstance(found, typer.Typer):
        alone = typer.Typer(add_completion=False, rich_markup_mode=None)
        alone.command(listed.name)(found)
        found = alone
    found._add_completion = False  # it is the application that has it
    command = get_command(found)
    command.name = listed.name
    return command
