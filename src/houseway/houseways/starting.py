"""A new house way to edit, started from an existing one."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import tomli_w

from houseway.errors import InvalidInputError, UnknownNameError
from houseway.houseways.document import HOUSE_WAY_FILES, HouseWay, house_ways
from houseway.law.documents import LARGEST, read_bytes
from houseway.law.toml_lines import statements
from houseway.ranking.ranking import Ranking, ranking

_NOT_COPIED: Final = ("worth",)
"""What was counted for the way it was counted for."""
_OF_ITS_LAW: Final = ("clauses", "cites", "only_if", "unless")
"""What rests on the law of a game, and on its readings."""


def house_way_text(name: str) -> str:
    """Return the document of a house way as it was written, by its id or file."""
    if any(way.id == name for way in house_ways()):
        return (HOUSE_WAY_FILES / f"{name}.toml").read_text(encoding="utf-8")
    if name.endswith(".toml"):
        return read_bytes(Path(name), LARGEST).decode("utf-8", errors="replace")
    raise UnknownNameError("no such house way (`houseway way list` names them; or a .toml file)", value=name)


def begin_way(new_id: str, source: HouseWay, text: str, order: Ranking) -> str:
    """Return a document with the rules of another, for a ranking; for another law without its citations.

    ``text`` is the document of the source. Of another ranking the parts go by place.
    """
    names = source.parts or ranking(source.ranking).part_names
    if len(names) != len(order.part_names):
        raise InvalidInputError(f"{order.id} is not set in {len(names)} parts", value=source.id)
    head = {
        "id": new_id,
        "title": f"{source.title}, changed",
        "ranking": order.id,
        "parts": list(names),
        "about": f"Started from {source.id}.",
    }
    dropped = _NOT_COPIED if order.id == source.ranking else (*_NOT_COPIED, *_OF_ITS_LAW)
    lines = [
        f"# Started from {source.id}. `houseway way check` proves it once it is edited.",
        tomli_w.dumps(head),
    ]
    in_rules = False
    for _, statement in statements(text):
        in_rules = in_rules or statement.startswith("[")
        key = statement.partition("=")[0].strip()
        if in_rules and key not in dropped:
            lines.append(statement)
    return "\n".join(lines).rstrip() + "\n"
