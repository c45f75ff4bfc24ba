"""``houseway read-models``: which entries of a log could not be taken in, and taking them in again."""

from __future__ import annotations

from typing import Annotated

import typer
from typer.exceptions import Exit

from houseway.cli.log import DatabaseArgument, readable, reading


def read_models_command(
    url: DatabaseArgument,
    again: Annotated[
        str, typer.Option("--again", metavar="MODEL", help="Make this model, or all, again from the log.")
    ] = "",
) -> None:
    """Say which entries of the log are missing from what is searched and booked; exit 1 if there are any.

    Only --again writes: a SQLite file must not be served meanwhile. What this program can take in is then no
    longer missing.
    """
    from houseway.floor.readmodels import ReadModels  # noqa: PLC0415 - slow, and few commands need it
    from houseway.store.opening import open_store  # noqa: PLC0415

    if again:
        with readable():
            store = open_store(url)
            try:
                models = ReadModels(store)
                for name in models.models if again == "all" else [again]:
                    models.rebuild(name)
            finally:
                store.close()
    with reading(url) as store:
        parked = ReadModels(store).parked()
    for entry in parked:
        print(f"{entry.model}: {entry}")
    if parked:
        raise Exit(1)
    print("nothing is missing")
