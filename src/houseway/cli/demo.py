"""``houseway demo``: plays a round of each game by itself and explains one seat of it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from houseway.cli.files import make_folder, verify_folder, write_file
from houseway.cli.output import AsJson, console, emit
from houseway.errors import InvalidInputError
from houseway.games import example_submission, games, rules_for
from houseway.rng import Entropy, SeededEntropy, SystemEntropy
from houseway.rounds.auto import auto_round
from houseway.rounds.explain import explain
from houseway.rounds.outcomes import Ends
from houseway.rounds.record import Record, write_record
from houseway.rounds.replay import difference


def demo_command(
    seed: Annotated[str | None, typer.Option(help="Deal the same cards again.")] = None,
    seat: Annotated[int, typer.Option(help="The position to explain, 2 to 7.")] = 2,
    records: Annotated[Path | None, typer.Option(help="A folder to write the round records to.")] = None,
    as_json: AsJson = False,
) -> None:
    """Play a round of each game: sealed deck, house way for everyone, every payment with its clause."""
    if not 2 <= seat <= 7:  # noqa: PLR2004 - the players' positions
        raise InvalidInputError("players sit at positions 2 to 7", value=seat)
    if records is not None:
        verify_folder(records)
    entropy: Entropy = SystemEntropy() if seed is None else SeededEntropy(seed)
    played = [
        auto_round(rules_for(example_submission(game.id)), entropy, name=f"{game.id}-demo")
        for game in games()
        if game.licensed
    ]
    for record in played if records else ():
        _keep(record, records)
    if as_json:
        emit([_as_dict(record, seat) for record in played])
        return
    for record in played:
        for line in explain(record, seat):
            console().print(line, markup=False)
        verdict = "identical" if difference(record) is None else "NOT identical"
        seal = f"sealed deck {_commitment(record)[:16]}…, opened"
        console().print(f"\n{seal}; replayed from its record: {verdict}\n", markup=False)


def _as_dict(record: Record, seat: int) -> dict[str, object]:
    mismatch = difference(record)
    explained = list(explain(record, seat))
    return {"round": record.id, "explained": explained, "differences": [mismatch] if mismatch else []}


def _commitment(record: Record) -> str:
    """Return the deck's commitment, from the seal opened at the end of the round."""
    outcomes: list[object] = [event.outcome for turn in record.turns for event in turn.events]
    seals = [outcome.seal for outcome in outcomes if isinstance(outcome, Ends) and outcome.seal]
    return seals[-1].commitment if seals else ""


def _keep(record: Record, folder: Path | None) -> None:
    if folder is not None:
        make_folder(folder)
        write_file(folder / f"{record.id}.json", write_record(record))
