"""``houseway readings``: how ambiguous law is read, and what a regulator has still to confirm."""

from __future__ import annotations

from typing import Annotated

import typer

from houseway.cli.output import AsJson, emit, table
from houseway.games import game
from houseway.law import Reading, readings, readings_of


def readings_command(
    game_id: Annotated[str | None, typer.Option("--game", help="Only one game's.")] = None,
    everything: Annotated[bool, typer.Option("--all", help="Also those that need no confirmation.")] = False,
    as_json: AsJson = False,
) -> None:
    """List the readings of the law still to be confirmed by a regulator."""
    listed = readings_of(game(game_id).rule_set or "") if game_id else readings()
    wanted = [r for r in listed if everything or r.confirm]
    if as_json:
        emit([r.model_dump() for r in wanted])
        return
    title = "All readings" if everything else "Readings still to be confirmed by a regulator"
    rows = [(r.id, ", ".join(r.rule_sets), r.title, _option(r), r.reading) for r in wanted]
    table(title, ["id", "law", "point", "option = default", "reading taken"], rows)


def _option(reading: Reading) -> str:
    return f"{reading.option.name} = {reading.option.default}" if reading.option else ""
