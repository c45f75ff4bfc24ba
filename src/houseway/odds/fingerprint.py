"""What a stored result rests on: the documents it was made from, and the code that made it."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Final

PACKAGE: Final = Path(__file__).parents[1]
INTERPRETERS: Final = ("cards.py", "strength.py", "law/claims.py", "ranking", "houseways", "kernels")
COUNTS: Final = (*INTERPRETERS, "odds/maingame.py", "odds/handspace.py", "odds/best.py")


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
