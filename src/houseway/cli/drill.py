"""``houseway drill``: practice for players and dealers, and the report of their answers."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Final

import typer
from typer.exceptions import Exit

from houseway.cli.drill_session import DealerDrill, Drill, Means, PlayerDrill, percent
from houseway.cli.files import make_folder, verify_file, verify_folder, write_file
from houseway.cli.output import AsJson, GameArgument, console, emit, table
from houseway.cli.progress import progress
from houseway.cli.seat import Asker
from houseway.cli.terminal_view import Screen
from houseway.cli.way_names import commission_of
from houseway.errors import InvalidInputError
from houseway.games import Rules
from houseway.games import game as find_game
from houseway.games.game import Game
from houseway.games.ways import example_rules, way_of
from houseway.houseways import CompiledWay
from houseway.rng import Entropy, SeededEntropy, SystemEntropy
from houseway.settlement.model import DOUBLE_DOWN
from houseway.training import (
    DealerLesson,
    HistoryFile,
    LessonAnswer,
    LessonRole,
    PlayerLesson,
    SettingValuer,
    SpotReport,
    report,
    user_history,
)
from houseway.training.spots import verify_spot

SVG: Final = ".svg"
LONGEST_CLOCK: Final = 3600


def drill_command(
    game_id: GameArgument,
    role: Annotated[LessonRole, typer.Option(help="What you practise to be.")] = LessonRole.PLAYER,
    count: Annotated[int, typer.Option(help="How many questions; 0 until you leave.")] = 0,
    clock: Annotated[float | None, typer.Option(help="Seconds for each; later is scored, and told.")] = None,
    seed: Annotated[str | None, typer.Option(help="With the same history, the same lesson again.")] = None,
    only: Annotated[str | None, typer.Option(help="One spot, rule or kind of question.")] = None,
    show_report: Annotated[bool, typer.Option("--report", help="Say what your answers come to.")] = False,
    plots: Annotated[Path | None, typer.Option(help="Draw them: an .svg file, or a folder.")] = None,
    as_json: AsJson = False,
) -> None:
    """Practise as a player or a dealer: set hands, or say who wins, what is foul, paid, and what follows."""
    game = find_game(game_id)
    if as_json and not show_report:
        raise InvalidInputError("--json is for the report: give --report too", value=game_id)
    history = user_history(game.id)
    if show_report or plots is not None:
        _look_back(history, game, role, plots, shown=show_report, as_json=as_json)
        return
    if count < 0:
        raise InvalidInputError("a number of questions, or 0 until you leave", value=count)
    if clock is not None and not 0 < clock <= LONGEST_CLOCK:
        raise InvalidInputError(f"more than no seconds, and at most {LONGEST_CLOCK}", value=clock)
    entropy: Entropy = SystemEntropy() if seed is None else SeededEntropy(seed)
    means = Means(history, entropy, lambda: datetime.now(UTC), time.monotonic, clock)
    program = way_of(game, example_rules(game))
    code = _open_drill(game, program, role, only, means).run(count)
    if code:
        raise Exit(code)


def _open_drill(game: Game, program: CompiledWay, role: LessonRole, only: str | None, means: Means) -> Drill:
    """Open a lesson for a player or a dealer."""
    screen = Screen()
    with contextlib.suppress(ImportError):
        import readline  # noqa: F401, PLC0415 - lines can then be edited and called back
    asker = Asker(screen)
    if role is LessonRole.DEALER:
        lesson = DealerLesson(program, game.cards(), example_rules(game), only)
        drill: Drill = DealerDrill(screen, asker, means, lesson)
    else:
        if only is not None:
            verify_spot(only)
        values = open_values(game, program, example_rules(game))
        drill = PlayerDrill(screen, asker, means, PlayerLesson(program, game.cards(), values, only))
    screen.title(f"{game.name} ({game.id}), for a {role}")
    before = sum(answer.role is role for answer in drill.answers)
    so_far = f"{before} {'answer' if before == 1 else 'answers'} so far; " if before else ""
    keys = "help lists what can be typed, ? shows the answer, why the law in full, q leaves."
    screen.say(f"{so_far}{keys}", style="dim")
    return drill


def open_values(game: Game, program: CompiledWay, rules: Rules | None) -> SettingValuer:
    """Return the coach against a game's house way; the first call makes its table, which takes a while."""
    from houseway.odds.coach import Coach  # noqa: PLC0415 - only a player's lesson needs it
    from houseway.odds.kept import kept_table  # noqa: PLC0415

    with progress("the dealer's setting of every hand, once") as advance:
        dealers = kept_table(program, advance)
    doubling = rules is not None and rules.offers(DOUBLE_DOWN)
    return Coach(program, commission_of(game), dealers, doubling=doubling)


# --- looking back -----------------------------------------------------------------------------------


def _look_back(
    history: HistoryFile, game: Game, role: LessonRole, where: Path | None, *, shown: bool, as_json: bool
) -> None:
    """Print the report, draw the plots, or both."""
    if where is not None and where.suffix == SVG:
        verify_file(where)
    elif where is not None:
        verify_folder(where)
    answers = history.read()
    written = [] if where is None else _write_plots(answers, role, where)
    rows = report(answers, role)
    if shown and as_json:
        emit({"game": game.id, "role": role, "spots": [row.as_dict() for row in rows]})
        return
    if shown and rows:
        show_report_table(game, role, rows)
    elif shown:
        console().print(f"{game.id}: nothing was answered yet as a {role}", markup=False)
    for path in written:
        console().print(f"written: {path}", markup=False)


def _write_plots(answers: Sequence[LessonAnswer], role: LessonRole, where: Path) -> list[Path]:
    """Draw all plots into one file, or each into its own file of a folder; return the files."""
    from houseway.training.plots import draw_plots, plots  # noqa: PLC0415 - matplotlib only where it is needed

    wanted = plots(answers, role)
    if where.suffix == SVG:
        write_file(where, draw_plots(wanted))
        return [where]
    make_folder(where)
    written = []
    for plot in wanted:
        written.append(where / f"{plot.name}{SVG}")
        write_file(written[-1], draw_plots([plot]))
    return written


def show_report_table(game: Game, role: LessonRole, rows: Sequence[SpotReport]) -> None:
    """Print the report: where most was lost first, everything together last."""
    player = role is LessonRole.PLAYER
    title = f"{game.name}, as a {role}"
    columns = ["spot", "asked", "right", "lost a hand", "trend"] if player else _DEALER_COLUMNS
    cells = []
    for row in rows:
        figures = [percent(row.lost)] if player else [percent(row.errors), f"{row.per_minute or 0:.1f}"]
        cells.append((row.spot, row.answers, row.right, *figures, say_trend(row.trend)))
    table(title, columns, cells)


_DEALER_COLUMNS: Final = ["rule or kind", "asked", "right", "wrong", "a minute", "trend"]


def say_trend(trend: Fraction | None) -> str:
    """Return in words whether the later half of the answers loses less than the earlier.

    >>> say_trend(None), say_trend(Fraction(-1, 50)), say_trend(Fraction(0))
    ('', 'better by 2.00 %', 'as before')
    """
    if trend is None:
        return ""
    if not trend:
        return "as before"
    return f"{'better' if trend < 0 else 'worse'} by {percent(abs(trend))}"
