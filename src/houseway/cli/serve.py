"""``houseway serve``: a floor on a database, over HTTP, with what runs by itself."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final

import typer

from houseway.errors import InvalidInputError

DATABASE: Final = "houseway.db"
HIGHEST_PORT: Final = 65_535


def serve_command(
    database: Annotated[
        str, typer.Option("--database", help="A SQLite file, or postgresql://…", metavar="URL")
    ] = DATABASE,
    host: Annotated[str, typer.Option(help="The address to listen at.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="The port to listen at.")] = 8000,
    demo: Annotated[bool, typer.Option("--demo", help="Open a floor of all five games to try.")] = False,
    secure: Annotated[
        bool, typer.Option("--secure", help="People come over HTTPS: cookies are sent over nothing else.")
    ] = False,
) -> None:
    """Serve a floor: tables and shared meters on a database, for people with a browser or a program."""
    import uvicorn  # noqa: PLC0415 - slow, and only this command needs it

    from houseway.service.api import make_app  # noqa: PLC0415
    from houseway.service.demo import demo_floor  # noqa: PLC0415
    from houseway.service.serving import open_floor, serve, sign_up  # noqa: PLC0415

    if not 0 < port <= HIGHEST_PORT:
        raise InvalidInputError("no such port", value=port)
    floor = open_floor(database)
    plan = demo_floor(floor) if demo else None
    for actor, password in sign_up(floor, plan.members if plan else ()):
        print(f"  {actor.shown} ({actor.role}): {password}")
    server = serve(floor, plan.plans if plan else {}, secure=secure)
    print(f"serving {_named(database)} at http://{host}:{port} (API: /api/v1/openapi.json)")
    uvicorn.run(make_app(server), host=host, port=port, log_level="warning", ws="websockets-sansio")
    floor.store.close()


def _named(database: str) -> str:
    """Return what a database is called, without any password in its URL."""
    return database.rpartition("@")[2] if "://" in database else str(Path(database))
