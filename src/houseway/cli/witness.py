"""``houseway witness``: keep the signed heads of a floor, and sign each that goes on from the last."""

from __future__ import annotations

import json
import os
import time
import urllib.error
import urllib.request
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer
from typer.exceptions import Exit

from houseway.errors import IllegalError, InvalidInputError

if TYPE_CHECKING:
    from houseway.store.signed_notes import Note, TreeHead, Verifier
    from houseway.store.witness import Evidence

TIMEOUT: Final = 10.0
LONGEST: Final = 1 << 20
"""The most bytes that are read of an answer."""
SMALLER, LARGER, PROOF = "evidence-smaller", "evidence-larger", "evidence-proof"
"""Two heads that cannot both be true, and the proof of it."""
KEY, LOG_KEY, LAST, HEAD, REFUSED = "witness.key", "log.key", "last", "head", "refused"
"""The witness's own key, the log's, the last head it saw, the same with both signatures; one it refused."""


def witness_command(
    url: Annotated[str, typer.Argument(metavar="URL", help="Where the floor is served: http://…")],
    folder: Annotated[
        Path, typer.Option("--folder", help="The witness's files, out of reach of the floor's operators.")
    ],
    signed_by: Annotated[
        str,
        typer.Option("--signed-by", help="The floor's key, as it prints it; else the first that it names."),
    ] = "",
    name: Annotated[str, typer.Option("--name", help="The witness's own name.")] = "houseway-witness",
    every: Annotated[float, typer.Option("--every", min=1, help="Seconds between two looks.")] = 60.0,
    once: Annotated[bool, typer.Option("--once", help="Look once.")] = False,
    evidence: Annotated[
        bool, typer.Option("--evidence", help="Check the evidence in the folder, without asking the floor.")
    ] = False,
) -> None:
    """Keep signed heads of a served floor, and sign them too: only those that go on from the last one seen.

    Exit 1 if the floor shows another log than it showed before; both heads are then kept as evidence.
    """
    witness = _Witness(url, folder, name, signed_by)
    if evidence:
        print(witness.check_evidence())
        return
    while True:
        try:
            print(witness.look(), flush=True)
        except _UnreachableError as error:
            if once:
                raise
            print(f"{error}: asked again in {every:g} seconds", flush=True)
        if once:
            return
        time.sleep(every)


class _UnreachableError(IllegalError):
    """A floor that does not answer now."""


class _Witness:
    """A witness of one floor, with its files in a folder of its own."""

    def __init__(self, url: str, folder: Path, name: str, signed_by: str) -> None:
        from houseway.rng import SystemEntropy  # noqa: PLC0415 - not loaded for the help text
        from houseway.store.safe import read_key  # noqa: PLC0415
        from houseway.store.signed_notes import Cosigner, read_verifier  # noqa: PLC0415

        if not url.startswith(("http://", "https://")):
            raise InvalidInputError(
                "the address of a served floor begins with http:// or https://", value=url
            )
        folder.mkdir(parents=True, exist_ok=True)
        self._url, self._folder = url.rstrip("/"), folder
        self._cosigner = Cosigner(name, read_key(folder / KEY, SystemEntropy()))
        if signed_by:
            _write(folder / LOG_KEY, str(read_verifier(signed_by)).encode())

    def look(self) -> str:
        """Fetch, check and sign the floor's head once; return the result in words."""
        from houseway.store.signed_notes import read_note, read_tree_head  # noqa: PLC0415
        from houseway.store.tree import BrokenProofError  # noqa: PLC0415
        from houseway.store.witness import ForkedTreeError, cosign  # noqa: PLC0415

        answer = self._ask("/api/v1/tree")
        if not answer["note"]:
            return "the floor has signed nothing yet"
        keys = self._keys(answer["signed_by"], answer.get("key_changes", ()))
        note = read_note(answer["note"].encode())
        last = self._last()
        try:
            proof = self._proof(last, read_tree_head(note.text))
            signed = cosign(keys, self._cosigner, last, note, proof, datetime.now(UTC))
        except ForkedTreeError as error:
            self._keep_evidence(error.evidence)
            print(f"fault: {error}; both heads are in {self._folder}")
            raise Exit(1) from None
        except BrokenProofError as error:
            _write(self._folder / REFUSED, note.encode())
            print(f"fault: the floor does not prove that its log continues: {error}")
            raise Exit(1) from None
        _write(self._folder / LAST, signed.last.encode())
        _write(self._folder / HEAD, signed.last.with_signature(signed.signature).encode())
        head = read_tree_head(note.text)
        return f"{head.size:,} entries, root {head.root.hex()[:16]}…, signed by {head.origin}: signed too"

    def _keys(self, shown: str, changes: Sequence[str]) -> tuple[Verifier, ...]:
        """Return the floor's keys: the one that was given or seen first, and those it made way for."""
        from houseway.store.key_changes import follow_changes  # noqa: PLC0415
        from houseway.store.signed_notes import read_verifier  # noqa: PLC0415

        path = self._folder / LOG_KEY
        if not path.exists():
            _write(path, str(read_verifier(shown)).encode())
            print(f"the floor signs by {shown}, which is believed from now on")
        known = self._known_keys()
        keys = follow_changes(known, [change.encode() for change in changes])
        for key in keys[len(known) :]:
            print(f"the floor has changed its key, as the former one has signed: it signs by {key}")
        _write(path, "\n".join(str(key) for key in keys).encode())
        return keys

    def _known_keys(self) -> list[Verifier]:
        """Return the keys that are believed, one on each line of their file."""
        from houseway.store.signed_notes import read_verifier  # noqa: PLC0415

        text = (self._folder / LOG_KEY).read_text(encoding="utf-8")
        return [read_verifier(line) for line in text.split()]

    def _last(self) -> Note | None:
        from houseway.store.signed_notes import read_note  # noqa: PLC0415

        path = self._folder / LAST
        return read_note(path.read_bytes()) if path.exists() else None

    def _proof(self, last: Note | None, head: TreeHead) -> list[bytes]:
        """Return the floor's proof that its log goes on from the last head; empty if none is needed."""
        from houseway.store.signed_notes import read_tree_head  # noqa: PLC0415

        before = read_tree_head(last.text).size if last else 0
        if not 0 < before < head.size:
            return []
        answer = self._ask(f"/api/v1/tree/consistency?old={before}&new={head.size}")
        return [bytes.fromhex(part) for part in answer["proof"]]

    def _keep_evidence(self, evidence: Evidence) -> None:
        for name, text in ((SMALLER, evidence.smaller), (LARGER, evidence.larger)):
            _write(self._folder / name, text)
        _write(self._folder / PROOF, json.dumps([part.hex() for part in evidence.proof]).encode())

    def check_evidence(self) -> str:
        """Return in words how the two heads in the folder contradict each other, by the floor's own key."""
        from houseway.store.witness import Evidence, check_evidence  # noqa: PLC0415

        try:
            smaller, larger = ((self._folder / name).read_bytes() for name in (SMALLER, LARGER))
            proof = [bytes.fromhex(part) for part in json.loads((self._folder / PROOF).read_bytes())]
            keys = self._known_keys()
        except (OSError, ValueError, TypeError) as error:
            raise InvalidInputError("there is no evidence", value=f"{self._folder}: {error}") from None
        return f"{check_evidence(keys, Evidence(smaller, larger, tuple(proof)))}: signed by {keys[-1]}"

    def _ask(self, path: str) -> Any:  # noqa: ANN401 - JSON
        try:
            with urllib.request.urlopen(f"{self._url}{path}", timeout=TIMEOUT) as answer:
                return json.loads(answer.read(LONGEST))
        except (urllib.error.URLError, OSError, ValueError) as error:
            raise _UnreachableError(f"the floor does not answer: {error}", value=self._url) from None


def _write(path: Path, text: bytes) -> None:
    """Replace a file atomically and durably."""
    fresh = path.with_name(f".{path.name}.{os.getpid()}")
    with fresh.open("wb") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    fresh.replace(path)
