"""``houseway seeing``: what it is worth to see other players' hands before setting one's own."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer

from houseway.cli.output import AsJson, GameArgument, emit, table
from houseway.cli.progress import progress
from houseway.cli.way_names import DealersWay, commission_of
from houseway.games import game as find_game
from houseway.games.ways import example_rules, way_of


def seeing_command(
    game_id: GameArgument,
    deals: Annotated[int, typer.Option(min=100, help="Deals for each number of hands seen.")] = 10_000,
    seed: Annotated[int, typer.Option(help="Which deals.")] = 1,
    way: DealersWay = None,
    as_json: AsJson = False,
) -> None:
    """Say what seeing one to five other hands adds: to best play, with its standard error."""
    from houseway.odds.seeing import worth_of_seeing  # noqa: PLC0415 - numba only when it is needed
    from houseway.odds.valued import ValuedSide  # noqa: PLC0415

    game = find_game(game_id)
    dealer = way_of(game, example_rules(game), way)
    with progress("every setting of every hand", quiet=as_json) as advance:
        side = ValuedSide.against_dealer(dealer, commission_of(game), tell=advance)
    with progress("deals, each valued exactly", quiet=as_json) as advance:
        rows = list(worth_of_seeing(side, deals, seed, advance))
    if as_json:
        emit([asdict(row) for row in rows])
        return
    text_rows = [(row.others, f"{row.gain:.4%}", f"{row.error:.4%}", f"{row.otherwise:.2%}") for row in rows]
    heads = ["hands seen", "worth", "standard error", "set otherwise"]
    table(
        f"{game.name}: what seeing other hands adds, of a main wager ({deals:,} deals each)",
        heads,
        text_rows,
    )
