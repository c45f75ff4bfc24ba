"""``houseway key change``: another key in the place of a floor's, on record as the former one signs it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from houseway.errors import IllegalError

app = typer.Typer(help="Change the key of a floor.", rich_markup_mode=None)


@app.callback()
def _root() -> None:
    """Change the key of a floor."""


@app.command("change")
def change_command(
    new_key: Annotated[
        Path, typer.Option("--new-key", help="The file of the new key; made if it does not exist.")
    ],
    database: Annotated[
        str, typer.Option("--database", help="A SQLite file, or postgresql://…", metavar="URL")
    ] = "houseway.db",
    key: Annotated[
        Path | None,
        typer.Option("--key", help="The file of the present key; next to a SQLite file by default."),
    ] = None,
    by: Annotated[
        str,
        typer.Option("--by", help="Who changes it, for the record.", metavar="NAME"),
    ] = "",
) -> None:
    """Change the key of a floor. Stop every server of the floor first.

    Sealed decks are encrypted with the new key, and the former key signs the change.
    """
    from houseway.cli.system import SystemRuntime  # noqa: PLC0415 - slow, and only this command needs it
    from houseway.floor.rights import COMMAND_LINE, check_at_command_line  # noqa: PLC0415
    from houseway.service.key_change import change_floor_key  # noqa: PLC0415
    from houseway.service.leader import lock_out_servers  # noqa: PLC0415
    from houseway.service.server_setup import open_floor  # noqa: PLC0415
    from houseway.store.safe import DeckSafe, load_key, read_key  # noqa: PLC0415
    from houseway.store.sqlite import SqliteStore  # noqa: PLC0415
    from houseway.store.store_url import POSTGRES, SQLITE  # noqa: PLC0415
    from houseway.store.tree_log import Notary, write_head_file  # noqa: PLC0415

    if not database.startswith(POSTGRES) and not Path(database.removeprefix(SQLITE)).exists():
        raise IllegalError("no such database", value=database)
    check_at_command_line(COMMAND_LINE, by)
    if key is not None:
        load_key(key)
    runtime = SystemRuntime()
    with lock_out_servers(database):
        floor = open_floor(database, runtime, key)
        try:
            safe = DeckSafe(read_key(new_key, runtime.entropy), runtime.entropy)
            head = change_floor_key(floor, safe, by)
            if head is not None and isinstance(floor.store, SqliteStore):
                write_head_file(floor.store.path, head)
        finally:
            floor.store.close()
    print(f"the floor signed by {Notary(floor.safe).verifier}")
    print(f"from now on it signs by {Notary(safe).verifier}")
    print(f"serve it with --key {new_key}; earlier backups need the former key: keep it")
