"""``houseway read-models``: which entries of a log could not be taken in, and taking them in again."""

from __future__ import annotations

from typing import Annotated

import typer
from typer.exceptions import Exit

from houseway.cli.log import DatabaseArgument, readable, reading


def read_models_command(
    url: DatabaseArgument,
    again: Annotated[
        str,
        typer.Option(
            "--again",
            metavar="MODEL",
            help="Rebuild this read model, or all, from the log. Stop the server of a SQLite file first.",
        ),
    ] = "",
) -> None:
    """List the entries of a log that search and accounting lack; exit 1 if there are any."""
    from houseway.floor.readmodels import ReadModels  # noqa: PLC0415 - slow, and few commands need it

    behind = _rebuild(url, again) if again else []
    with reading(url) as store:
        parked = ReadModels(store).parked_entries()
    for name in behind:
        print(f"{name}: the server of the floor is rebuilding it")
    for entry in parked:
        print(f"{entry.model}: {entry}")
    if parked or behind:
        raise Exit(1)
    print("nothing is missing")


def _rebuild(url: str, name: str) -> list[str]:
    """Rebuild a model, or all, from the log; return those that the running server has to rebuild."""
    from houseway.floor.readmodels import ReadModels  # noqa: PLC0415
    from houseway.store.store_url import open_store  # noqa: PLC0415

    with readable():
        store = open_store(url)
        try:
            models = ReadModels(store)
            for model in models.models if name == "all" else [name]:
                models.rebuild(model)
            return models.behind()
        finally:
            store.close()
