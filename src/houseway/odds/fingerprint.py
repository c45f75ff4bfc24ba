"""What a stored result rests on: the documents it was made from, and the code that made it."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Final

from houseway.houseways import Program
from houseway.ranking import Ranking

PACKAGE: Final = Path(__file__).parents[1]
INTERPRETERS: Final = ("cards.py", "strength.py", "law/citations.py", "ranking", "houseways", "kernels")
COUNTS: Final = (*INTERPRETERS, "odds/maingame.py", "odds/handspace.py", "odds/best.py")
VALUES: Final = (
    *INTERPRETERS[:-1],
    "kernels/bestplay.py",
    "kernels/classes.py",
    "kernels/dominance.py",
    "kernels/hand_numbers.py",
    "kernels/houseways.py",
    "odds/catalogue.py",
    "odds/handspace.py",
    "odds/maingame.py",
    "odds/values.py",
)
"""What decides what every setting of every hand is worth."""


def fingerprint(*texts: str, code: tuple[str, ...] = INTERPRETERS) -> str:
    """Return a hash of documents and of everything in these files and folders of the package."""
    digest = hashlib.sha256()
    for text in texts:
        digest.update(text.encode())
    for part in code:
        for path in sorted([PACKAGE / part] if part.endswith(".py") else (PACKAGE / part).rglob("*.*")):
            if path.suffix in (".py", ".toml"):
                digest.update(path.read_bytes())
    return digest.hexdigest()


def ranking_text(order: Ranking) -> str:
    """Tell everything that decides what beats what, as the readings are taken."""
    options = [order.id, order.ace_low_straight, order.ace_low_straight_flush]
    return json.dumps(options + [f"{name}={choice}" for name, choice in sorted(order.readings.items())])


def way_text(way: Program) -> str:
    """Tell everything that decides how hands are set by a way, and what they are worth."""
    return json.dumps([way.way.rules_text(), ranking_text(way.ranking)])
