"""A packet as JSON, both ways."""

from __future__ import annotations

import msgspec

from houseway.errors import DataError
from houseway.floor.packets.model import FORMAT, Packet


def write_packet(packet: Packet) -> bytes:
    """Return a packet as JSON that people can read too."""
    return msgspec.json.format(msgspec.json.encode(packet, order="deterministic"), indent=2) + b"\n"


def read_packet(text: bytes) -> Packet:
    """Read a packet."""
    try:
        found = msgspec.json.decode(text, type=Packet)
    except (msgspec.DecodeError, RecursionError) as error:
        raise DataError(f"not a dispute packet: {error}") from None
    if found.format != FORMAT:
        raise DataError(f"the format {FORMAT} is read here", value=found.format)
    return found
