"""Routes of the tree over all log entries: its signed head, and consistency proofs for witnesses."""

from __future__ import annotations

from starlette.responses import Response

from houseway.errors import IllegalError
from houseway.intake import read_number
from houseway.service.api.call import Call, json
from houseway.store.signed_notes import LARGEST
from houseway.store.tree import Proof
from houseway.store.tree_log import prove_consistency


async def tree_head(call: Call) -> Response:
    """Return the last signed head, the key that signs, and the chain of changes from former keys."""
    floor = call.server.loop.floor
    head = await call.between(floor.store.tree.last_signed)
    return json(
        {
            "signed_by": str(call.server.notary.verifier),
            "size": head.size if head else 0,
            "note": head.note.decode() if head else "",
            "key_changes": [change.note for change in floor.house.key_changes],
        }
    )


async def tree_consistency(call: Call) -> Response:
    """Return the proof that the tree of one size is a prefix of that of another."""
    tree, old, wanted = call.server.loop.floor.store.tree, _size(call, "old") or 0, _size(call, "new")

    def proof() -> tuple[int, Proof]:
        size = tree.size()
        new = size if wanted is None else wanted
        if new > size:
            raise IllegalError("the tree is not as large yet", value=new)
        return new, prove_consistency(tree, old, new)

    new, hashes = await call.between(proof)
    return json({"old": old, "new": new, "proof": [part.hex() for part in hashes]})


def _size(call: Call, name: str) -> int | None:
    """Return a size from the query, if it is given."""
    text = call.query.get(name)
    return read_number(text, name, LARGEST) if text else None
