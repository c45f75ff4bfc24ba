"""``houseway administrator add``: an administrator made with direct access to the database."""

from __future__ import annotations

from typing import Annotated

import typer

app = typer.Typer(help="Make administrators at the command line.", rich_markup_mode=None)


@app.callback()
def _root() -> None:
    """Make administrators at the command line."""


@app.command("add")
def add_command(
    user: Annotated[str, typer.Argument(metavar="ID", help="Letters a to z, digits, spaces and . _ - @ '")],
    name: Annotated[str, typer.Argument(metavar="NAME", help="The name they sign in with.")],
    database: Annotated[
        str, typer.Option("--database", help="A SQLite file, or postgresql://…", metavar="URL")
    ] = "houseway.db",
) -> None:
    """Add an administrator, recorded as added at the command line, and print a temporary password once.

    For a floor with one administrator only, or with none who can sign in. Stop the server of a SQLite
    file first.
    """
    from houseway.cli.system import SystemRuntime  # noqa: PLC0415 - slow, and only this command needs it
    from houseway.floor.verification import verify_since_checkpoint  # noqa: PLC0415
    from houseway.service.administrators import NewAdministrator, add_administrators  # noqa: PLC0415
    from houseway.service.clock import FloorClock, latest_moment  # noqa: PLC0415
    from houseway.service.register import Register  # noqa: PLC0415
    from houseway.service.sessions import Sessions  # noqa: PLC0415
    from houseway.store.store_url import open_store  # noqa: PLC0415

    runtime, store = SystemRuntime(), open_store(database)
    try:
        verify_since_checkpoint(store)
        clock = FloorClock(runtime, latest_moment(store))
        register = Register(store, Sessions(store, runtime.entropy), clock)
        (login,) = add_administrators(register, runtime.entropy, [NewAdministrator(user, name)])
    finally:
        store.close()
    print(f"sign in as {name} with the temporary password {login.password} (shown this once)")
