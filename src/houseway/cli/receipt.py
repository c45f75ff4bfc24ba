"""``houseway receipt``: the receipt of a round made from a log, and checked without any."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from typer.exceptions import Exit

from houseway.cli.files import write_new_file
from houseway.cli.log import DatabaseArgument, reading
from houseway.cli.output import AsJson, emit
from houseway.errors import printable

if TYPE_CHECKING:
    from houseway.floor.receipts import ReceiptFindings
    from houseway.store.safe import DeckSafe

app = typer.Typer(help="Make a receipt of a round, or check one without the floor.", rich_markup_mode=None)
OutFile = Annotated[Path, typer.Option("--out", help="The file to write; it must not exist.")]


@app.callback()
def _root() -> None:
    """Make a receipt of a round, or check one without the floor."""


@app.command("make")
def make_command(
    url: DatabaseArgument,
    table: Annotated[str, typer.Argument(metavar="TABLE", help="The table's name.")],
    number: Annotated[int, typer.Argument(metavar="ROUND", help="The number of the round.")],
    person: Annotated[
        str, typer.Argument(metavar="PERSON", help="A player's id, or surveillance or regulator.")
    ],
    out: OutFile,
    key: Annotated[
        Path | None, typer.Option("--key", help="The floor's key; next to a SQLite file by default.")
    ] = None,
    size: Annotated[
        int | None,
        typer.Option("--size", help="The size of a signed tree to prove it in; the last one by default."),
    ] = None,
) -> None:
    """Write the receipt of a finished round: what one person may see of it, and its proof.

    The database is only read.
    """
    from houseway.floor.floor_keys import keys_on_record, safe_on_record  # noqa: PLC0415
    from houseway.floor.receipts import make_receipt  # noqa: PLC0415 - the database only when it is needed
    from houseway.floor.round_search import find_round  # noqa: PLC0415
    from houseway.rounds.roles import Role, Sees, sees  # noqa: PLC0415
    from houseway.rounds.step import Actor  # noqa: PLC0415
    from houseway.store.tree_log import Notary  # noqa: PLC0415

    roles = {str(role): role for role in Role if sees(role, Sees.OPENED_DECK)}
    viewer = Actor("", roles[person]) if person in roles else Actor(person, Role.PLAYER)
    safe = _safe(url, key)
    with reading(url) as store, store.picture() as picture:
        notary = Notary(safe_on_record(keys_on_record(picture), safe))
        data = make_receipt(picture, find_round(picture, table, number), viewer, notary, size)
    write_new_file(out, data)
    print(f"wrote {out}: it is checked by houseway receipt check {out}, signed by {notary.verifier}")


def _safe(url: str, key: Path | None) -> DeckSafe:
    from houseway.rng import SystemEntropy  # noqa: PLC0415
    from houseway.service.server_setup import KEY_VARIABLE, default_key_path  # noqa: PLC0415
    from houseway.store.safe import DeckSafe, load_key  # noqa: PLC0415

    given = os.environ.get(KEY_VARIABLE) if key is None else None
    secret = bytes.fromhex(given) if given else load_key(key or default_key_path(url))
    return DeckSafe(secret, SystemEntropy())


@app.command("check")
def check_command(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A receipt.")],
    signed_by: Annotated[
        str, typer.Option("--signed-by", help="The floor's key, as it prints it at a start.")
    ] = "",
    head: Annotated[
        Path | None, typer.Option("--head", help="A signed head that was kept elsewhere.")
    ] = None,
    witness: Annotated[
        str, typer.Option("--witness", help="The key of a witness who has signed that head, too.")
    ] = "",
    as_json: AsJson = False,
) -> None:
    """Check a receipt: signature, place in the log, what it shows, the deck, and what was paid.

    Nothing else is needed, no floor and no network. Exit 1 with the first thing that does not fit.
    """
    from houseway.floor.receipts import BrokenReceiptError, check_receipt  # noqa: PLC0415
    from houseway.floor.receipts.model import LARGEST  # noqa: PLC0415
    from houseway.law.documents import read_bytes  # noqa: PLC0415
    from houseway.store.signed_notes import LONGEST_NOTE, read_verifier  # noqa: PLC0415

    try:
        checked = check_receipt(
            read_bytes(file, LARGEST),
            signed_by=read_verifier(signed_by) if signed_by else None,
            head=read_bytes(head, LONGEST_NOTE) if head else None,
            witness=read_verifier(witness) if witness else None,
        )
    except BrokenReceiptError as error:
        if as_json:
            emit({"holds": False, "fault": str(error)})
        else:
            print(f"does NOT hold: {error}")
        raise Exit(1) from None
    _print(checked, known=bool(signed_by), as_json=as_json)


def _print(checked: ReceiptFindings, *, known: bool, as_json: bool) -> None:
    receipt = checked.receipt
    unknown = () if known else ("Whose key it is: --signed-by says which is the floor's.",)
    if as_json:
        emit({"holds": True, "shown": checked.shown, "not_decided": (*checked.not_decided, *unknown)})
        return
    whose = receipt.viewer.id or str(receipt.viewer.role)
    print(f"holds: round {receipt.round} of {printable(receipt.table)}, as {printable(whose)} may see it")
    for line in checked.shown:
        print(f"  {printable(line)}")
    for line in (*checked.not_decided, *unknown):
        print(f"  not decided: {printable(line)}")


@app.command("page")
def page_command(out: OutFile) -> None:
    """Write the page that checks receipts in a browser: one file, which needs neither network nor floor."""
    from houseway.web.receipt import receipt_page  # noqa: PLC0415

    write_new_file(out, receipt_page().encode())
    print(f"wrote {out}: open it in a browser, and drop a receipt on it")
