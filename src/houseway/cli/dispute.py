"""``houseway dispute``: all there is to say about one round of a table, as a page or as JSON."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer
from typer.exceptions import Exit

from houseway.cli.files import already_there, write_new_file
from houseway.cli.output import console
from houseway.errors import InvalidInputError

if TYPE_CHECKING:
    from houseway.floor.packets import Packet

KINDS: Final = (".html", ".json")


def dispute_command(
    url: Annotated[
        str, typer.Argument(metavar="URL", help="The floor's database: a file, or postgresql://…")
    ],
    table: Annotated[str, typer.Argument(metavar="TABLE", help="The table's name.")],
    number: Annotated[int, typer.Argument(metavar="ROUND", help="The number of the round.")],
    out: Annotated[
        Path, typer.Option(help="The file to write: .html to read and print, .json for programs.")
    ],
    running: Annotated[
        bool, typer.Option("--running", help="Also a round in progress, without face-down cards.")
    ] = False,
    four_colour: Annotated[bool, typer.Option("--four-colour", help="Draw a colour for each suit.")] = False,
) -> None:
    """Write the dispute packet of a round: replayed, with the law behind every amount and the chain proof.

    The database is only read, and no file is written over. Exit 1 if the round does not replay or the log is
    not as it was written: the packet says where.
    """
    if out.suffix not in KINDS:
        raise InvalidInputError("a packet is written to a file that ends in .html or .json", value=str(out))
    if out.exists():
        raise already_there(out)
    packet = _packet(url, table, number, running=running)
    _write(packet, out, four_colour=four_colour)
    console().print(f"wrote {out}: {_verdict(packet)}", markup=False)
    if not packet.sound:
        raise Exit(1)


def _packet(url: str, table: str, number: int, *, running: bool) -> Packet:
    from houseway.floor.packets import make_packet  # noqa: PLC0415 - the database only when it is needed
    from houseway.floor.round_search import find_round  # noqa: PLC0415
    from houseway.store.store_url import open_store  # noqa: PLC0415

    store = open_store(url, read_only=True)
    try:
        return make_packet(find_round(store, table, number, running=running), datetime.now(UTC))
    finally:
        store.close()


def _write(packet: Packet, out: Path, *, four_colour: bool) -> None:
    from houseway.floor.packets import write_packet  # noqa: PLC0415
    from houseway.web.packet import packet_page  # noqa: PLC0415

    page = out.suffix == ".html"
    data = packet_page(packet, four_colour=four_colour).encode() if page else write_packet(packet)
    write_new_file(out, data)


def _verdict(packet: Packet) -> str:
    """Return the packet's verdict in one line."""
    faults = [*packet.chain.faults, *([packet.verdict.difference] if packet.verdict.difference else [])]
    if faults:
        return f"NOT proven: {'; '.join(faults)}"
    if not packet.verdict.replayed:
        return "the round is not over, chain intact so far"
    return "replayed, identical; chain intact"
