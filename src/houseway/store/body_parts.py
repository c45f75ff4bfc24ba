"""An entry's body taken apart, so that some of it can be shown and proven, and the rest not be guessed.

A part is a path into the JSON of a body, written as RFC 6901 does, and the canonical JSON that lies there::

    /value/command/by/role      "player"
    /value/events/0/outcome/cards      ["Kh","3d","Jh"]

Each part is committed to with a salt of its own: the commitments are the leaves of a tree by RFC 6962, in the
order of their paths, and its root stands for the body. From some parts with their salts, and bare
commitments in place of the others, follows the same root, and nothing else: without its salt a commitment
reveals nothing of its part, however few values that part can have.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import pairwise
from typing import Any, Final

import msgspec
from msgspec import Struct

from houseway.store.tree import HASH_BYTES, BrokenProofError, Hash, leaf_hash, root_over

NO_PARTS: Final[Hash] = bytes(HASH_BYTES)
"""Stands for the parts of an entry that is not taken apart."""
SALT_BYTES: Final = 16
DEPTH: Final = 7
"""The most steps that lead to a part: ``/value/events/0/outcome/payments/3/units`` has all of them."""
SaltOf = Callable[[str], bytes]
"""Returns the salt of a part by its path."""
_LENGTH: Final = 8


class BodyPart(Struct, frozen=True, gc=False):
    """The value at one place of a body."""

    path: str
    value: bytes
    """Canonical JSON."""


class SaltedPart(Struct, frozen=True, gc=False):
    """A part with the salt that goes into its commitment."""

    path: str
    value: bytes
    salt: bytes


Disclosure = tuple[SaltedPart | Hash, ...]
"""Parts in order: each is shown, or committed to and no more."""


def parts_of(body: bytes) -> tuple[BodyPart, ...]:
    """Return the parts of a body, in the order of their paths.

    A body that is no JSON, which no program writes, is one part, so that any entry can be taken apart.
    """
    try:
        data = msgspec.json.decode(body)
        return tuple(sorted(_parts(data, "", DEPTH), key=_order))
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return (BodyPart("", body),)


def _order(part: BodyPart) -> bytes:
    return part.path.encode()


def _parts(data: Any, path: str, depth: int) -> Iterator[BodyPart]:  # noqa: ANN401 - plain data
    if depth and data and isinstance(data, dict):
        for key, value in data.items():
            yield from _parts(value, f"{path}/{_escape(key)}", depth - 1)
    elif depth and data and isinstance(data, list) and all(isinstance(item, dict) for item in data):
        for index, value in enumerate(data):
            yield from _parts(value, f"{path}/{index}", depth - 1)
    else:
        yield BodyPart(path, msgspec.json.encode(data, order="sorted"))


def _escape(key: str) -> str:
    return key.replace("~", "~0").replace("/", "~1")


def commitment_to(part: BodyPart | SaltedPart, salt: bytes) -> Hash:
    """Return the commitment to a part: without the salt it reveals nothing of the part."""
    if len(salt) != SALT_BYTES:  # with another length it could be that of another path
        raise BrokenProofError(f"a salt has {SALT_BYTES} bytes", value=len(salt))
    path = part.path.encode()
    lengths = len(path).to_bytes(_LENGTH, "big"), len(part.value).to_bytes(_LENGTH, "big")
    return leaf_hash(salt + lengths[0] + path + lengths[1] + part.value)


def root_of_body(body: bytes, salt_of: SaltOf) -> Hash:
    """Return the root that stands for a body."""
    return root_over([commitment_to(part, salt_of(part.path)) for part in parts_of(body)])


def disclose(body: bytes, salt_of: SaltOf, paths: AbstractSet[str]) -> Disclosure:
    """Return the parts of a body, those at some paths shown and the others committed to."""
    return tuple(
        SaltedPart(part.path, part.value, salt_of(part.path))
        if part.path in paths
        else commitment_to(part, salt_of(part.path))
        for part in parts_of(body)
    )


def root_of(disclosed: Sequence[SaltedPart | Hash]) -> Hash:
    """Return the root that disclosed parts come to, or refuse parts that ``disclose`` does not return."""
    shown = [part.path.encode() for part in disclosed if isinstance(part, SaltedPart)]
    if not disclosed or any(after <= before for before, after in pairwise(shown)):
        raise BrokenProofError("parts come in the order of their paths, each once")
    if any(not isinstance(part, SaltedPart) and len(part) != HASH_BYTES for part in disclosed):
        raise BrokenProofError(f"a commitment has {HASH_BYTES} bytes")
    return root_over([commitment_to(p, p.salt) if isinstance(p, SaltedPart) else p for p in disclosed])


def values_of(disclosed: Sequence[SaltedPart | Hash]) -> Mapping[str, Any]:
    """Return what is shown, by path."""
    return {part.path: msgspec.json.decode(part.value) for part in disclosed if isinstance(part, SaltedPart)}
