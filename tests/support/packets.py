"""Dispute packets read again."""

from __future__ import annotations

import msgspec

from houseway.floor.packets.model import FORMAT, Packet


def read_packet(text: bytes) -> Packet:
    """Return a packet as it was written."""
    packet = msgspec.json.decode(text, type=Packet)
    assert packet.format == FORMAT
    return packet
