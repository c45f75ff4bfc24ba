"""A packet as JSON."""

from __future__ import annotations

import msgspec

from houseway.floor.packets.model import Packet


def write_packet(packet: Packet) -> bytes:
    """Return a packet as JSON that people can read too."""
    return msgspec.json.format(msgspec.json.encode(packet, order="deterministic"), indent=2) + b"\n"
