"""Dispute packets: all that is on record of one round, checked, with the law behind every amount."""

from houseway.floor.packets.model import FORMAT, Packet, write_packet
from houseway.floor.packets.packet_builder import make_packet

__all__ = ["FORMAT", "Packet", "make_packet", "write_packet"]
