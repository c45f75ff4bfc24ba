"""``houseway strategy``: a short list of rules learnt from exact values, and what it gives up."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import tomli_w
import typer

from houseway.cli.files import verify_file, write_file
from houseway.cli.output import AsJson, GameArgument, console, emit, table
from houseway.cli.progress import progress
from houseway.cli.way_names import DealersWay, commission_of, find_way
from houseway.games import game as find_game
from houseway.games.ways import example_rules, way_of
from houseway.houseways import HouseWay

if TYPE_CHECKING:
    from houseway.odds.strategies import Judged, Strategy


def strategy_command(
    game_id: GameArgument,
    rules: Annotated[int, typer.Option(min=1, max=30, help="How many rules at most.")] = 12,
    points: Annotated[
        bool, typer.Option("--points", help="Learn what each part counts for, in place of rules.")
    ] = False,
    hands: Annotated[int, typer.Option(min=1000, help="How many dealt hands to learn from.")] = 24_000,
    judged: Annotated[
        str | None, typer.Option("--judge", metavar="ID|FILE", help="Learn nothing: judge this way.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option(help="Write the list as a house way to this .toml file.")
    ] = None,
    way: DealersWay = None,
    as_json: AsJson = False,
) -> None:
    """Learn a short strategy for a player, or judge one: exactly what it gives up against best play."""
    from houseway.odds import strategies  # noqa: PLC0415 - numba only when it is needed
    from houseway.odds.valued import ValuedSide  # noqa: PLC0415

    game = find_game(game_id)
    dealer, commission = way_of(game, example_rules(game), way), commission_of(game)
    if out is not None:
        verify_file(out)
    curve: list[Strategy] = []
    if judged is None:
        with progress("dealt hands and every choice", quiet=as_json) as advance:
            learn = strategies.learn_point_cards if points else strategies.learn_strategies
            curve += learn(dealer, rules, commission, hands=hands, tell=advance)
    learnt = find_way(judged, as_json=as_json) if judged else curve[-1].way
    sentences = curve[-1].sentences if curve else strategies.sentences(learnt)
    with progress("every setting of every hand", quiet=as_json) as advance:
        side = ValuedSide.against_dealer(dealer, commission, tell=advance)
        learnt = strategies.without_idle_rules(side, learnt) if curve else learnt
        exact = strategies.judge(side, strategies.compiled(side, learnt), advance)
        apart = side.parts_apart().mean
    if out is not None:
        write_file(out, toml_text(learnt))
    if as_json:
        emit(plain_strategy(learnt, sentences, curve, exact) | {"independent_parts": str(apart)})
        return
    show_card(learnt, sentences, curve, exact)
    from houseway.odds.sides import percent  # noqa: PLC0415 - numpy only when it is needed

    console().print(
        f"the formula that takes parts as independent gives up {percent(exact.optimum - apart)}", markup=False
    )


def show_card(learnt: HouseWay, sentences: Sequence[str], curve: list[Strategy], exact: Judged) -> None:
    """Print the rules as a card, the curve of rules against what they give up, and what is exact."""
    from houseway.odds.sides import percent  # noqa: PLC0415 - numpy only when it is needed

    table(learnt.title, ["", "the player"], [*enumerate(sentences, start=1)])
    console().print(f"{learnt.about}\n", markup=False)
    if curve:
        rows = [(len(strategy.sentences), f"{strategy.sampled:.4%}") for strategy in curve]
        table("By how many rules, over the hands it was learnt from", ["rules", "gives up"], rows)
    console().print(
        f"house way {percent(exact.house_way)}, these rules {percent(exact.way)}, best play "
        f"{percent(exact.optimum)} of a wager won on average: {float(exact.closed):.1%} of the gap is "
        f"closed, {percent(exact.gives_up)} given up",
        markup=False,
    )


def plain_strategy(
    learnt: HouseWay, sentences: Sequence[str], curve: list[Strategy], exact: Judged
) -> dict[str, Any]:
    """Return a strategy as plain data, what is exact as fractions."""
    return {
        "way": learnt.model_dump(),
        "said": list(sentences),
        "curve": [{"rules": len(strategy.sentences), "gives_up": strategy.sampled} for strategy in curve],
        "expectation": {
            "house_way": str(exact.house_way),
            "rules": str(exact.way),
            "best": str(exact.optimum),
        },
        "closed": str(exact.closed),
        "gives_up": str(exact.gives_up),
    }


def toml_text(way: HouseWay) -> str:
    """Write a house way as its file."""
    return tomli_w.dumps(way.model_dump(mode="json", by_alias=True, exclude_defaults=True))
