"""The key by which a floor signs its log: on record from its first start; only that key replaces it.

What is still needed of a former key, to show rounds of its time and to check people's second factors, is in
the entry of the change, encrypted with the new one.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from msgspec import Struct

from houseway.errors import IllegalError
from houseway.floor.bodies import is_of, read_body
from houseway.floor.house import House, evolve_house
from houseway.floor.rights import COMMAND_LINE, check_at_command_line
from houseway.floor.setup_events import FloorKeyChanged, FloorKeyRecorded
from houseway.floor.streams import SETUP
from houseway.store.entries import BrokenChainError
from houseway.store.key_changes import KeyChange, Period
from houseway.store.protocol import Streams, Tree
from houseway.store.safe import DeckSafe
from houseway.store.signed_notes import Signer, Verifier, read_verifier
from houseway.store.tree_log import Notary

KeyEvent = FloorKeyRecorded | FloorKeyChanged


class KeyOnRecord(Struct, frozen=True):
    """An event of the setup stream about the floor's key, and its version."""

    version: int
    event: KeyEvent

    @property
    def verifier(self) -> Verifier:
        """The public half of the key from then on."""
        event = self.event
        return read_verifier(event.key if isinstance(event, FloorKeyRecorded) else event.after)


# --- what is put on record ----------------------------------------------------------------------------


def record_key(house: House, key: str, now: datetime) -> list[FloorKeyRecorded]:
    """Return the event that puts a floor's key on record, none if it is; refuse a key not on record."""
    if not house.keys:
        return [FloorKeyRecorded(key=str(read_verifier(key)), by=COMMAND_LINE, at=now)]
    check_is_key(house.keys[-1], key)
    return []


def check_is_key(recorded: str, key: str) -> None:
    """Refuse a key that is not the one on record."""
    if key != recorded:
        raise IllegalError(
            f"the floor's key is not the one on record: this one signs by {key}, on record is {recorded}. "
            "Serve with the key on record (--key, HOUSEWAY_DECK_KEY), or change it: houseway key change",
        )


def change_key(
    house: House, before: Signer, after: Signer, sealed: str, size: int, operator: str, now: datetime
) -> FloorKeyChanged:
    """Return the event by which another key replaces the one on record, signed by both."""
    change = KeyChange(str(before.verifier), str(after.verifier), size, now, operator, sealed)
    event = FloorKeyChanged(
        before=change.before,
        after=change.after,
        size=size,
        sealed=sealed,
        note=change.sign(before, after).encode().decode(),
        operator=operator,
        by=COMMAND_LINE,
        at=now,
    )
    check_change(house, event)
    return event


def check_change(house: House, event: FloorKeyChanged) -> None:
    """Refuse a change of another key than the one on record, to one that there was, or that is not signed."""
    check_at_command_line(event.by, event.operator)
    if not house.keys:
        raise IllegalError("no key is on record that could be changed", value=event.before)
    if event.before != house.keys[-1]:
        raise IllegalError("it is not the key on record that is changed", value=event.before)
    if event.after in house.keys:
        raise IllegalError("the floor has, or had, this key already", value=event.after)
    change = KeyChange(event.before, event.after, event.size, event.at, event.operator, event.sealed)
    change.check(event.note.encode())


# --- what is on record --------------------------------------------------------------------------------


def keys_on_record(streams: Streams) -> tuple[KeyOnRecord, ...]:
    """Return the events on record of a floor's key; refuse one that the key before did not sign."""
    house, keys = House(), list[KeyOnRecord]()
    for entry in streams.tails({SETUP: 0}):
        if not is_of(entry, FloorKeyRecorded) and not is_of(entry, FloorKeyChanged):
            continue
        event = read_body(entry)
        assert isinstance(event, KeyEvent)
        if isinstance(event, FloorKeyChanged):
            check_change(house, event)
        elif house.keys:
            raise BrokenChainError("a key is on record already", value=event.key)
        house = evolve_house(house, event)
        keys.append(KeyOnRecord(entry.version, event))
    return tuple(keys)


def safe_on_record(keys: Sequence[KeyOnRecord], safe: DeckSafe) -> DeckSafe:
    """Return the safe of a floor with what was handed on of former keys; refuse a key not on record."""
    if not keys:
        return safe
    check_is_key(str(keys[-1].verifier), str(Notary(safe).verifier))
    event = keys[-1].event
    return safe.with_former_keys(event.sealed) if isinstance(event, FloorKeyChanged) else safe


def periods_of(keys: Sequence[KeyOnRecord], tree: Tree) -> tuple[Period, ...]:
    """Return from which leaf on each key signs the heads of a tree; a key in no leaf yet has signed none."""
    periods = list[Period]()
    for key in keys:
        leaf = tree.leaf_of(SETUP, key.version)
        if leaf is None:
            continue
        if isinstance(key.event, FloorKeyChanged) and key.event.size != leaf.number:
            where = f"{key.event.size} leaves, and the change is leaf {leaf.number}"
            raise BrokenChainError("a key was changed at another size of the tree", value=where)
        periods.append(Period(leaf.number, key.verifier))
    return tuple(periods)


def first_key(keys: Sequence[KeyOnRecord], verifier: Verifier | None) -> Verifier | None:
    """Return the key that signed heads made before any key was on record: the first on record.

    ``verifier`` is the key that the caller knows the floor by: a log whose record names only other keys is
    refused. Without it, and with no key on record, those heads are not checked.
    """
    if verifier is None or not keys:
        return verifier
    if verifier not in {key.verifier for key in keys}:
        cause = f"the key on record is {keys[-1].verifier}, and this key never was"
        raise BrokenChainError(cause, value=str(verifier))
    return keys[0].verifier
