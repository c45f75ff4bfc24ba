"""The commands by name, with module, function and help, so that the list loads none of them."""

from __future__ import annotations

from importlib import import_module
from typing import Any, Final, NamedTuple

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command


class Item(NamedTuple):
    """A command of the list; ``target`` is its module in this folder and its function there."""

    name: str
    target: str
    help: str


SECTIONS: Final[dict[str, tuple[Item, ...]]] = {
    "Games and law": (
        Item("games", "games:games_command", "List the games."),
        Item("rules", "rules:rules_command", "Show a game's rules."),
        Item("card", "card:card_command", "Make the rack card of a game from the rules in force."),
        Item("fee", "fee:fee_command", "Look up an amount in a fee schedule."),
        Item("submission", "submission:app", "Check and compare rules submissions."),
        Item("trace", "trace:trace_command", "Trace the clauses of the law to code and tests."),
        Item(
            "readings",
            "readings:readings_command",
            "List the readings of the law still to be confirmed by a regulator.",
        ),
    ),
    "Hands": (
        Item("set", "setting:set_command", "Set a hand the house way."),
        Item("rank", "hands:rank_command", "Rank the cards of one part."),
        Item(
            "bonus", "hands:bonus_command", "Say which hand of each side wager's list the dealt cards make."
        ),
        Item("compare", "hands:compare_command", "Race a player's setting against the dealer's."),
        Item("way", "ways:app", "Show and prove house ways."),
    ),
    "Odds": (
        Item("odds", "odds:odds_command", "Compute exact odds."),
        Item("best", "best:best_command", "Find best play against a house way, exactly."),
        Item("strategy", "strategy:strategy_command", "Learn a short strategy for a player, or judge one."),
        Item("seeing", "seeing:seeing_command", "Compute what seeing one to five other hands is worth."),
        Item("simulate", "simulate:simulate_command", "Simulate best play over many deals."),
        Item("coach", "coach:coach_command", "Compute what every legal setting of a hand is worth."),
        Item("par", "par:par_command", "Make the PAR sheet."),
        Item("prove", "prove:prove_command", "Prove every house way over every suit class."),
        Item("warmup", "warmup:warmup_command", "Compile the kernels and keep them for the next start."),
    ),
    "Rounds": (
        Item("play", "play:play_command", "Play in the terminal against the house way."),
        Item("drill", "drill:drill_command", "Practise as a player or a dealer."),
        Item("deal", "deal:deal_command", "Play whole rounds automatically."),
        Item("demo", "demo:demo_command", "Play a round of each game."),
        Item("replay", "records:replay_command", "Decide every command of recorded rounds again."),
        Item("explain", "records:explain_command", "Say in plain language why each amount moved."),
        Item("settle", "records:settle_command", "Say who was paid what in a recorded round."),
        Item("schema", "schema:schema_command", "Print the JSON Schema of commands, events and snapshots."),
    ),
    "The floor": (
        Item("serve", "serve:serve_command", "Serve a floor."),
        Item("administrator", "administrator:app", "Make administrators at the command line."),
        Item("key", "key:app", "Change the key of a floor."),
        Item("verify-log", "verify_log:verify_log_command", "Verify a log by deciding all of it again."),
        Item("witness", "witness:witness_command", "Keep signed heads of a served floor, and sign them too."),
        Item("receipt", "receipt:app", "Make a receipt of a round, or check one without the floor."),
        Item("checkpoints", "log:checkpoints_command", "Export every checkpoint."),
        Item("export", "log:export_command", "Export the log."),
        Item(
            "read-models",
            "read_models:read_models_command",
            "List the entries of a log that search and accounting lack.",
        ),
        Item("dispute", "dispute:dispute_command", "Write the dispute packet of a round."),
        Item(
            "backup",
            "backup:backup_command",
            "Copy a floor, as of one moment, into one SQLite file.",
        ),
        Item(
            "restore",
            "backup:restore_command",
            "Restore a backup to a new SQLite file or an empty PostgreSQL database.",
        ),
    ),
}
COMMANDS: Final = tuple(item for section in SECTIONS.values() for item in section)
EXAMPLES: Final = (
    ('houseway set pa-659a "As Kd 9c 9h 5s 4d Jk"', "a hand set the house way, with the rule"),
    ("houseway odds pa-659a --wager insurance", "the exact odds of a wager"),
    ("houseway play pa-659a", "play against the house way"),
    ("houseway serve --demo", "a floor of all five games, in the browser"),
)


class LazyCommand(TyperCommand):
    """A command whose module is loaded when it runs or shows its help."""

    def __init__(self, item: Item) -> None:
        super().__init__(name=item.name, help=item.help, rich_markup_mode=None)
        self.item = item

    def make_context(self, *args: Any, **options: Any) -> Any:  # noqa: ANN401 - as its parent has it
        """Load the command and begin to run it."""
        return load(self.item).make_context(*args, **options)


class Commands(TyperGroup):
    """Every command, in sections, none of them loaded."""

    def __init__(self, **options: Any) -> None:  # noqa: ANN401 - as its parent has it
        super().__init__(**options)
        for item in COMMANDS:
            self.add_command(LazyCommand(item))

    def format_commands(self, ctx: Any, formatter: Any) -> None:  # noqa: ANN401 - as its parent has it
        """Write the sections, then the examples."""
        for title, section in SECTIONS.items():
            with formatter.section(title):
                formatter.write_dl([(item.name, item.help) for item in section])
        with formatter.section("Examples"):
            for command, about in EXAMPLES:
                formatter.write(f"{'':{formatter.current_indent}}{command}\n")
                formatter.write(f"{'':{formatter.current_indent}}    {about}\n")


def load(item: Item) -> Any:  # noqa: ANN401 - a command or a group of them
    """Load the module of a command and return the command."""
    module, _, name = item.target.partition(":")
    loaded = getattr(import_module(f"houseway.cli.{module}"), name)
    if not isinstance(loaded, typer.Typer):
        alone = typer.Typer(add_completion=False, rich_markup_mode=None)
        alone.command(item.name)(loaded)
        loaded = alone
    loaded._add_completion = False  # it is the application that has it
    command = get_command(loaded)
    command.name = item.name
    return command
