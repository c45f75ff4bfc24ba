"""``houseway play``: a player in the terminal at an automated table of any of the games."""

from __future__ import annotations

import contextlib
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer
from typer.exceptions import Exit

from houseway.cli.demo import demo_command
from houseway.cli.files import make_folder, unwritable, verify_folder
from houseway.cli.play_session import PlaySession
from houseway.cli.seat import LONGEST, Asker, LeftError
from houseway.cli.terminal_view import Screen
from houseway.errors import InvalidInputError
from houseway.games import Rules, example_submission, games, read_submission, rules_for
from houseway.games import game as find_game
from houseway.law import rule_set
from houseway.ledger import units
from houseway.money import Cents, cents
from houseway.rng import Entropy, SeededEntropy, SystemEntropy
from houseway.rounds.auto import noon
from houseway.rounds.houseway import dealer_program
from houseway.rounds.live import LiveTable, new_table
from houseway.rounds.record import Record, write_record
from houseway.rounds.seat_session import SeatSession
from houseway.rounds.state import Table
from houseway.rounds.steps.common import positions

if TYPE_CHECKING:
    from houseway.training import SettingValuer

FOLDER: Final = Path("houseway-rounds")
USUAL_SEAT: Final = 2


def play_command(
    game: Annotated[
        str | None, typer.Argument(metavar="GAME", help="A game's id; without it a list is offered.")
    ] = None,
    chips: Annotated[str, typer.Option(help="The chips that you sit down with.")] = "$500",
    seat: Annotated[int | None, typer.Option(help="Your position at the table; else the first.")] = None,
    rounds: Annotated[int, typer.Option(help="How many rounds; 0 until you leave.")] = 0,
    seed: Annotated[str | None, typer.Option(help="Deal the same cards again.")] = None,
    submission: Annotated[Path | None, typer.Option(help="A rules submission; else our example.")] = None,
    records: Annotated[Path | None, typer.Option(help=f"A folder for the records; else {FOLDER}.")] = None,
    no_records: Annotated[bool, typer.Option("--no-records", help="Write no records.")] = False,
) -> None:
    """Play in the terminal against the house way; without a game and a terminal, watch a demonstration."""
    if game is None and submission is None and not sys.stdin.isatty():
        demo_command(seed, seat or USUAL_SEAT, records)
        return
    purse = _purse(chips)
    if rounds < 0:
        raise InvalidInputError("a number of rounds, or 0 until you leave", value=rounds)
    if records and no_records:
        raise InvalidInputError("either --records or --no-records", value=str(records))
    screen = Screen()
    asker = Asker(screen)
    with contextlib.suppress(ImportError):
        import readline  # noqa: F401, PLC0415 - lines can then be edited and called back
    rules = _rules(game, submission, asker)
    known = positions(rules)
    seat = known[0] if seat is None else seat
    if seat not in known:
        raise InvalidInputError(f"the positions are {known[0]} to {known[-1]}", value=seat)
    keeper = Keeper(rules.game.id, None if no_records else records or FOLDER)
    entropy: Entropy = SystemEntropy() if seed is None else SeededEntropy(seed)
    table = keeper.continue_numbers(new_table(rules, name=rules.game.id))
    live = LiveTable(rules, entropy, noon(rules.submission.law_as_of), table)
    at, values = SeatSession(live, seat), partial(_values, rules)
    session = PlaySession(at, screen, asker, units(purse), keeper.keep, values)
    code = session.run(rounds)
    if code:
        raise Exit(code)


def _values(rules: Rules) -> SettingValuer:
    """Return the coach against the table's house way; making it takes a while."""
    from houseway.cli.drill import open_values  # noqa: PLC0415 - arrays only when they are needed

    return open_values(rules.game, dealer_program(rules), rules)


def _purse(text: str) -> Cents:
    if len(text) > LONGEST:
        raise InvalidInputError("not an amount of dollars and cents", value=text)
    amount = cents(text)
    if amount <= 0:
        raise InvalidInputError("sit down with at least one chip", value=text)
    return amount


def _rules(game: str | None, file: Path | None, asker: Asker) -> Rules:
    """Return the rules of the submission, of the named game, or of one chosen from the list."""
    if game is None and file is None:
        game = choose_game(asker)
    chosen = read_submission(file) if file else example_submission(find_game(game or "").id)
    if game is not None and chosen.game != game:
        raise InvalidInputError("the submission is for another game", value=chosen.game)
    rules = rules_for(chosen)
    if not rules.game.procedure:
        raise InvalidInputError("this game is not played step by step", value=rules.game.id)
    return rules


def choose_game(asker: Asker) -> str:
    """Ask which game to play."""
    offered = [game for game in games() if game.licensed and game.procedure]
    asker.screen.title("Which game?")
    rows = [
        (f"{number}  {game.id}", f"{game.name}; {rule_set(game.rule_set or '').law}")
        for number, game in enumerate(offered, start=1)
    ]
    asker.screen.show_list(rows)
    asker.screen.say()
    try:
        return asker.choose("Game:", [game.id for game in offered], [("1", "the first game of the list")])
    except LeftError as left:
        raise Exit(130 if left.interrupted else 0) from None


class Keeper:
    """Writes the rounds' records to a folder, each under a number of its own."""

    def __init__(self, game: str, folder: Path | None) -> None:
        self._game, self._folder = game, folder
        if folder is not None:
            verify_folder(folder)

    def continue_numbers(self, table: Table) -> Table:
        """Return a table whose rounds are numbered on from the folder's last."""
        names = [path.stem for path in self._folder.glob(f"{self._game}-*.json")] if self._folder else []
        ends = [name.removeprefix(f"{self._game}-") for name in names]
        last = max((int(end) for end in ends if end.isascii() and end.isdigit()), default=0)
        return table.with_round(number=last + 1)

    def keep(self, record: Record) -> Path | None:
        """Write a record, and return its file."""
        if self._folder is None:
            return None
        make_folder(self._folder)
        try:
            return self._write(self._folder, record)
        except OSError as error:
            raise unwritable(self._folder, error) from None

    def _write(self, folder: Path, record: Record) -> Path:
        """Write a record under its number, or the next one that another table has not taken meanwhile."""
        number = record.before.round.number
        while True:
            path = folder / f"{self._game}-{number}.json"
            try:
                with path.open("x", encoding="utf-8") as file:
                    file.write(write_record(record))
            except FileExistsError:
                number += 1
                continue
            return path
