"""``houseway simulate``: best play as it is stored, played out over many deals beside what is exact."""

from __future__ import annotations

from typing import Annotated

import typer

from houseway.cli.output import AsJson, GameArgument, console, emit
from houseway.cli.progress import progress
from houseway.cli.way_names import DealersWay, commission_of
from houseway.games import game as find_game
from houseway.games.ways import example_rules, way_of


def simulate_command(
    game_id: GameArgument,
    deals: Annotated[int, typer.Option(min=10_000, help="How many deals.")] = 100_000_000,
    seed: Annotated[int, typer.Option(help="Which deals.")] = 1,
    way: DealersWay = None,
    as_json: AsJson = False,
) -> None:
    """Play best play out by chance: how far the result is from the exact edge."""
    from houseway.odds.simulation import simulate_best  # noqa: PLC0415 - numba only when it is needed
    from houseway.odds.valued import ValuedSide  # noqa: PLC0415

    game = find_game(game_id)
    commission = commission_of(game)
    with progress("every setting of every hand", quiet=as_json) as advance:
        side = ValuedSide.against_dealer(way_of(game, example_rules(game), way), commission, tell=advance)
    with progress("deals", quiet=as_json) as advance:
        done = simulate_best(side, deals, seed, advance)
    exact, simulated, error = -side.optimum.mean, done.edge(commission), done.error(commission)
    away = (simulated - float(exact)) / error
    if as_json:
        plain = {"deals": done.deals, "edge": simulated, "standard_error": error}
        emit(plain | {"exact": str(exact), "standard_errors_away": away})
        return
    console().print(
        f"{game.name}: best play, exactly {float(exact):.4%}; over {done.deals:,} deals {simulated:.4%}, "
        f"give or take {error:.4%}: {abs(away):.2f} standard errors away",
        markup=False,
    )
