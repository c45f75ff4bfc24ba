"""``houseway card``: the printable rack card and paytable page of a game."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from houseway.cli.files import verify_file, write_file
from houseway.cli.output import AsJson, GameArgument, console, emit
from houseway.games import Rules, example_submission, game, read_submission, rules_for
from houseway.games.hand_order import order_data
from houseway.games.rack_card import card_data
from houseway.web.cards import card_page


def card_command(
    game_id: GameArgument,
    submission: Annotated[Path | None, typer.Option(help="A rules submission; the example if none.")] = None,
    out: Annotated[Path | None, typer.Option(help="Write the page here instead of printing it.")] = None,
    as_json: AsJson = False,
) -> None:
    """Make the rack card of a game from the rules in force."""
    game(game_id)
    verify_file(out)
    chosen = read_submission(submission) if submission else example_submission(game_id)
    rules: Rules = rules_for(chosen)
    if as_json:
        emit(card_data(rules) | {"order": order_data(rules)})
    elif out:
        write_file(out, card_page(rules))
        console().print(f"wrote {out}", markup=False)
    else:
        print(card_page(rules))
