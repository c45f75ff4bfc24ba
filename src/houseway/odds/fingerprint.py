"""What a stored result rests on: its documents and its code, as a hash."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Final

from houseway.houseways import CompiledWay
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
    "odds/setting_values.py",
)
"""The code that decides the value of every setting."""


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
    """Return all that decides what beats what, with the readings taken, as text."""
    options = [order.id, order.ace_low_straight, order.ace_low_straight_flush]
    return json.dumps(options + [f"{name}={choice}" for name, choice in sorted(order.readings.items())])


def way_text(way: CompiledWay) -> str:
    """Return all that decides how a way sets hands, and what they are worth, as text."""
    return json.dumps([way.way.rules_text(), ranking_text(way.ranking)])
