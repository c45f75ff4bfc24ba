"""Where each field of a PAR sheet comes from: which fields of the submission change it, and no others.

A field of the sheet is named by its section and, within a section of several parts, by the part. What is
traced to no field of the submission is the program's own, or follows from the game alone.
"""

from __future__ import annotations

from typing import Final

ALL: Final = "every field"
"""The field follows from whatever the submission says."""
RULES: Final = ("game", "readings", "options")
"""What beats what, what is paid, and how hands are set."""
POSTED: Final = ("wagers.paytable", "wagers.own_paytable")
METER: Final = ("progressive.amount", "progressive.initial", "progressive.reset")
RATES: Final = ("progressive.contribution", "progressive.reserve")
LIMITS: Final = ("wagers.min", "wagers.max")
OFFERED: Final = ("wagers.offered",)
WAY: Final = ("house_way",)

TRACED: Final[dict[str, tuple[str, ...]]] = {
    "game": ("game",),
    "holder": ("holder",),
    "reference": ("reference",),
    "submission": (ALL,),
    "law": ("game",),
    "law_as_of": ("law_as_of",),
    "house_way": WAY,
    "program": (),
    "hash": (ALL,),
    "copies": ("game",),
    "main": (*RULES, *WAY),
    "double": (*RULES, *WAY, *OFFERED),
    "best": (*RULES, *WAY, *OFFERED),
    "fees": (*RULES, *WAY, "collection_schedule"),
    "limits": (*RULES, *OFFERED, *LIMITS, *POSTED, "payout_limit"),
    "hourly": (*RULES, *WAY, *OFFERED, *LIMITS, *POSTED, *METER, *RATES, "collection_schedule"),
    "readings": ("game", "readings"),
    "effects": (*RULES, *OFFERED, *LIMITS, *POSTED, *METER, *RATES, "collection_schedule"),
    "cards": (*RULES, *OFFERED, *POSTED, "table.decks"),
    "filed": (ALL,),
    "wagers.id": OFFERED,
    "wagers.name": ("game", *OFFERED),
    "wagers.paytable": POSTED,
    "wagers.total": ("game",),
    "wagers.hold": (*RULES, *POSTED),
    "wagers.hit": (*RULES, *POSTED),
    "wagers.variance": (*RULES, *POSTED),
    "wagers.deviation": (*RULES, *POSTED),
    "wagers.law": (*RULES, *POSTED),
    "wagers.lines": (*RULES, *POSTED),
    "wagers.plots": (*RULES, *POSTED),
    "wagers.envy": (*RULES, *POSTED, *LIMITS, "progressive.amount", "collection_schedule"),
    "wagers.ranges": (*RULES, *POSTED),
    "wagers.permitted": (*RULES, *POSTED, *LIMITS),
    "wagers.meter": (*RULES, *POSTED, *METER, *RATES),
    "wagers.at_meter": (*RULES, *POSTED, *METER),
}
"""For each field of the sheet the fields of the submission that it follows; of a wager's own, its own."""


def traced_to(field: str, path: str) -> bool:
    """Whether a field of the sheet may follow a field of the submission, named by its path.

    >>> traced_to("wagers.hold", "readings.progressive_royal"), traced_to("wagers.hold", "holder")
    (True, False)
    """
    parts = path.split(".")
    plain = ".".join([parts[0], *parts[2:]]) if parts[0] == "wagers" and len(parts) > 2 else path
    offered = path if len(parts) != 2 or parts[0] != "wagers" else "wagers.offered"
    return any(
        source in (ALL, name) or name.startswith(f"{source}.")
        for source in TRACED[field]
        for name in (plain, offered)
    )
