"""``houseway best``: best play against a house way, exactly, and what each side gains by answering."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.exceptions import Exit

from houseway.cli.entry import INTERRUPTED
from houseway.cli.output import AsJson, GameArgument, console, emit, table
from houseway.cli.progress import progress
from houseway.cli.way_names import DealersWay, commission_of
from houseway.games import game as find_game
from houseway.games.ways import example_rules, way_of

if TYPE_CHECKING:
    from houseway.odds.responses import BestAnswer


def best_command(
    game_id: GameArgument,
    way: DealersWay = None,
    answers: Annotated[
        int, typer.Option(min=1, help="How many best answers, the player's and the dealer's in turn.")
    ] = 1,
    as_json: AsJson = False,
) -> None:
    """Find best play against a house way, exactly: in minutes, and interrupted it goes on from there."""
    from houseway.odds.responses import best_answers  # noqa: PLC0415 - numba only when it is needed
    from houseway.odds.sides import percent  # noqa: PLC0415

    game = find_game(game_id)
    program = way_of(game, example_rules(game), way)
    commission = commission_of(game)
    responses: list[BestAnswer] = []
    try:
        with progress("every setting of every hand", quiet=as_json) as tell:
            responses += best_answers(program, commission, answers, tell)
    except KeyboardInterrupt:
        typer.echo("interrupted; the same command goes on where it stopped", err=True)
        raise Exit(INTERRUPTED) from None
    if as_json:
        emit([plain_answer(answer) for answer in responses])
        return
    title = f"{game.name}: best play against {program.way.id}"
    rows = [
        (answer.by, percent(answer.edge), "" if answer.gap is None else percent(answer.gap))
        for answer in responses
    ]
    table(title, ["who sets best", "house edge", "gap"], rows)
    if commission:
        console().print(f"with a commission of {percent(commission)} on wins")


def plain_answer(answer: BestAnswer) -> dict[str, Any]:
    """Return an answer as plain data, its edge exactly and in per cent."""
    from houseway.odds.sides import percent  # noqa: PLC0415 - numpy only when it is needed

    plain = {"by": answer.by, "edge": str(answer.edge), "percent": percent(answer.edge)}
    return plain if answer.gap is None else plain | {"gap": str(answer.gap)}
