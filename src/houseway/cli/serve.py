"""``houseway serve``: a floor on a database, over HTTP, with what runs by itself."""

from __future__ import annotations

import os
import resource
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer
from msgspec.structs import replace

from houseway.cli.system import SystemRuntime
from houseway.errors import InvalidInputError

if TYPE_CHECKING:
    from houseway.floor.core import Floor
    from houseway.service.api import Server
    from houseway.service.server_setup import ServerOptions

DATABASE: Final = "houseway.db"
POSTGRES: Final = ("postgresql://", "postgresql+psycopg://", "postgres://")
HIGHEST_PORT: Final = 65_535
SLOWEST: Final = 100


def serve_command(
    database: Annotated[
        str, typer.Option("--database", help="A SQLite file, or postgresql://…", metavar="URL")
    ] = DATABASE,
    host: Annotated[str, typer.Option(help="The address to listen at.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="The port to listen at.")] = 8000,
    demo: Annotated[bool, typer.Option("--demo", help="Open a floor of all five games to try.")] = False,
    workers: Annotated[
        int, typer.Option(help="Server processes on one port; more than one needs PostgreSQL.", metavar="N")
    ] = 1,
    pace: Annotated[
        float, typer.Option(help="How slowly the demo's dealers go: 2 is half as fast.", metavar="TIMES")
    ] = 1.0,
    json_logs: Annotated[
        bool, typer.Option("--json-logs", help="Log every request, one JSON object a line.")
    ] = False,
    key: Annotated[
        Path | None,
        typer.Option(help="The file of the key of sealed decks; next to a SQLite file by default."),
    ] = None,
    seen: Annotated[
        list[Path] | None,
        typer.Option(
            "--seen",
            help="A signed head that a witness keeps; the log must continue from it. Repeatable.",
        ),
    ] = None,
    secure: Annotated[bool, typer.Option("--secure", help="Send cookies over HTTPS only.")] = False,
    trusted_proxy: Annotated[
        str,
        typer.Option(
            help="Proxies whose X-Forwarded-For and X-Forwarded-Proto are believed.",
            metavar="ADDRESS[,…]",
        ),
    ] = "",
    connections: Annotated[
        int,
        typer.Option(
            "--connections-per-address",
            help="The most connections of one address to each process; a trusted proxy's are not counted.",
            metavar="N",
        ),
    ] = 512,
    sockets: Annotated[
        int,
        typer.Option(
            "--sockets-per-address",
            help="The most live views that go to one address from each process.",
            metavar="N",
        ),
    ] = 256,
) -> None:
    """Serve a floor: tables and shared meters on a database, for people with a browser or a program."""
    from houseway.service.logs import configure_logs  # noqa: PLC0415 - slow, and only this command needs it
    from houseway.service.network_limits import NetworkLimits, parse_proxies  # noqa: PLC0415
    from houseway.service.server_setup import ServerOptions, open_floor, record_floor_key  # noqa: PLC0415
    from houseway.service.workers import Workers, listen_at  # noqa: PLC0415
    from houseway.store.tree_log import Notary  # noqa: PLC0415
    from houseway.web.making import site  # noqa: PLC0415

    _check(database, port, workers, pace)
    network = NetworkLimits(
        trusted_proxies=parse_proxies(trusted_proxy),
        connections_per_address=connections,
        sockets_per_address=sockets,
    )
    configure_logs(json_lines=json_logs)
    options = ServerOptions(
        database=database,
        demo=demo,
        pace=pace,
        key=str(key or ""),
        secure=secure,
        json_logs=json_logs,
        network=network,
    )
    with (
        listen_at(host, port) as listening,
        tempfile.TemporaryDirectory(prefix="houseway-") as metrics_folder,
    ):
        runtime = SystemRuntime()
        _open_as_many_files_as_permitted()
        floor = open_floor(database, runtime, key, [_read(path) for path in seen or ()])
        signed_by = Notary(floor.safe).verifier
        _sign_up(floor, demo=demo)
        record_floor_key(floor)
        floor.store.close()  # each server process opens it for itself, also when it is restarted
        where = f"http://{f'[{host}]' if ':' in host else host}:{port}"
        print(f"  {_place_of_key(database, key)}")
        print(f"  its log is signed by {signed_by}")
        print(f"serving {_named(database)} at {where} (API: /api/v1/openapi.json)", flush=True)
        options = replace(options, metrics_folder=metrics_folder if workers > 1 else "")
        Workers(open_served, site, options, listening, workers, runtime).run()


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise InvalidInputError(f"cannot read the file: {error.strerror}", value=str(path)) from None


def _open_as_many_files_as_permitted() -> None:
    """Let this process and those it begins hold as many connections as the system lets it ask for."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def open_served(options: ServerOptions) -> Server:
    """Open a floor in a server process, with the options that its parent passed."""
    from houseway.service.server_setup import open_server  # noqa: PLC0415

    return open_server(options, SystemRuntime())


def _check(database: str, port: int, workers: int, pace: float) -> None:
    if not 0 < port <= HIGHEST_PORT:
        raise InvalidInputError("no such port", value=port)
    if workers < 1 or (workers > 1 and not database.startswith(POSTGRES)):
        problem = "one process serves a SQLite file: several need --database postgresql://…"
        raise InvalidInputError(problem, value=workers)
    if not 0 <= pace <= SLOWEST:
        raise InvalidInputError(f"a pace is at most {SLOWEST}", value=pace)


def _sign_up(floor: Floor, *, demo: bool) -> None:
    """Add the first users of a new floor, and print their passwords."""
    from houseway.service.administrators import add_first_administrators  # noqa: PLC0415
    from houseway.service.demo import demo_floor  # noqa: PLC0415
    from houseway.service.demo_people import add_demo_people  # noqa: PLC0415
    from houseway.service.server_setup import open_register  # noqa: PLC0415

    register = open_register(floor)
    if demo:
        add_demo_people(register, floor.house)
        demo_floor(floor)
        _print_log_ins()
        return
    for login in add_first_administrators(register, floor.entropy):
        name, password = login.founder.name, login.password
        print(f"  sign in as {name} with the temporary password {password} (shown this once)")
    if len(register.people.administrators) == 1:
        print("  one administrator alone cannot add users: houseway administrator add makes another")


def _print_log_ins() -> None:
    """Print who logs in to the demo, and with which passwords."""
    from houseway.service.demo_people import DEMO_PEOPLE, demo_password  # noqa: PLC0415

    rows = [(actor.shown, str(actor.role), demo_password(actor)) for actor in DEMO_PEOPLE]
    print("A demo: these passwords are public. Keep nothing of value here.\n")
    for name, role, password in (("name", "role", "password"), *rows, ("", "guest", "(none)")):
        print(f"  {name:15}{role:15}{password}")
    print()


def _place_of_key(database: str, key: Path | None) -> str:
    """Return where the key of sealed decks is: with it and the database, decks in play can be opened."""
    from houseway.service.server_setup import KEY_VARIABLE, default_key_path  # noqa: PLC0415

    if os.environ.get(KEY_VARIABLE):
        return f"the key of sealed decks is the one in {KEY_VARIABLE}"
    if key is not None or database.startswith(POSTGRES):
        return f"the key of sealed decks is in {key or default_key_path(database)}"
    place = default_key_path(database)
    return f"the key of sealed decks is next to the database, in {place}; use --key to keep it elsewhere"


def _named(database: str) -> str:
    """Return what a database is called, without any password in its URL."""
    from houseway.store.postgres_url import name_of  # noqa: PLC0415 - slow, and only this command needs it

    return name_of(database) if database.startswith(POSTGRES) else str(Path(database))
