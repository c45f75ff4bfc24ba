"""Reading a house way: everything that is wrong with a document is reported at once, by line and rule."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from pydantic import BaseModel

from houseway.errors import LONGEST_NAME, LONGEST_PLACE, DataError, HousewayError, UnknownNameError, shortened
from houseway.houseways.document import (
    Citation,
    Example,
    HouseWay,
    PartFilter,
    PlainPartFilter,
    Points,
    Rule,
    When,
    house_way_ids,
    included_way,
)
from houseway.houseways.vocabulary import A_PREFERENCE, NO_POINTS, PLAYED, kinds_of_groups, no_such
from houseway.law.documents import LARGEST, DocumentFault, document_or_faults, read_bytes, read_toml
from houseway.law.readings import options_of
from houseway.law.toml_lines import TomlLines
from houseway.ranking.ranking import Ranking, ranking

Steps = tuple[str | int, ...]
MOST_TOLD: Final = 20
"""The most faults that are written out in one message; an exception has them all."""
_TABLES: Final[Mapping[str, type[BaseModel]]] = {
    "rule": Rule,
    "points": Points,
    "example": Example,
    "when": When,
    "unless": When,
    "cites": Citation,
    "not": PlainPartFilter,
    "made": PlainPartFilter,
}
"""What the keys that are tables hold, so that an unknown key is answered with the known ones."""


@dataclass(frozen=True)
class HouseWayFault:
    """One thing wrong with a house way's document."""

    line: int
    place: str
    """The rule or example, and the keys within it."""
    text: str

    def __str__(self) -> str:
        place = f"{shortened(self.place, LONGEST_PLACE)}: " if self.place else ""
        return f"line {self.line}: {place}{self.text}"


class HouseWayFaultsError(DataError):
    """A document that is no house way, for all of these faults."""

    def __init__(self, file: str, faults: Sequence[HouseWayFault]) -> None:
        self.faults = tuple(faults)
        texts = [str(fault) for fault in self.faults[:MOST_TOLD]]
        if len(self.faults) > MOST_TOLD:
            texts.append(f"and {len(self.faults) - MOST_TOLD:,} more")
        super().__init__("; ".join(texts), where=file)

    def __str__(self) -> str:
        return f"{self.where}: {self.cause}"


def house_way(name: str) -> HouseWay:
    """Return a house way by id, or read it from a file."""
    if name in house_way_ids():
        return included_way(name)
    if name.endswith(".toml"):
        return read_house_way(Path(name))
    raise UnknownNameError("no such house way (`houseway way list` names them; or a .toml file)", value=name)


def read_house_way(path: Path) -> HouseWay:
    """Read a house way from a file; the refusal of a bad one tells everything that is wrong with it."""
    data = read_toml(path)
    parsed = document_or_faults(HouseWay, data, path.name)
    faults = [*parsed] if isinstance(parsed, list) else []
    faults += _misfits(data)
    faults = [fault for fault in faults if not _has_closer_fault(fault, faults)]
    if faults or isinstance(parsed, list):
        text = read_bytes(path, LARGEST).decode("utf-8", errors="replace")
        lines = TomlLines(text)
        listed = dict.fromkeys(_fault(fault, data, lines) for fault in faults)
        raise HouseWayFaultsError(path.name, sorted(listed, key=lambda fault: fault.line))
    return parsed


def _has_closer_fault(fault: DocumentFault, faults: Sequence[DocumentFault]) -> bool:
    """Whether a fault of the whole document, or of all its rules, comes only from faults within it."""
    depth = len(fault.path)
    within = [other for other in faults if len(other.path) > depth and other.path[:depth] == fault.path]
    return depth < 2 and bool(within)  # noqa: PLR2004 - nothing, or the name of all the rules


def _fault(fault: DocumentFault, data: Any, lines: TomlLines) -> HouseWayFault:  # noqa: ANN401 - raw TOML
    """Return where a fault is, and list the words that are valid there."""
    path, error = fault
    path = tuple(step for step in path if step != "[key]")
    value = shortened(error.value, LONGEST_NAME) if isinstance(error.value, str) else error.value
    text = str(HousewayError(error.cause, value=value, clauses=error.clauses))
    if error.cause == "unknown key":
        key = shortened(str(path[-1]), LONGEST_NAME)
        text = f"{no_such('key', key, _keys_at(path[:-1]))}: {key!r}"
    sought = path[-1] if error.cause == "unknown key" else error.value
    return HouseWayFault(lines.line_of(path, sought), _place(path, data), text)


def _place(path: Steps, data: Any) -> str:  # noqa: ANN401 - raw TOML
    """Write a path as a reader of the document would: ``rule pairs: when.shape``."""
    if len(path) < 2 or path[0] not in ("rule", "points", "example"):  # noqa: PLR2004 - a key, and a table's number
        return ".".join(step for step in path if isinstance(step, str))
    kind, number = str(path[0]), int(path[1])
    tables = data.get(kind)
    table = tables[number] if isinstance(tables, list) and number < len(tables) else {}
    name = table.get("id") if isinstance(table, dict) else None
    keys = ".".join(step for step in path[2:] if isinstance(step, str))
    return f"{kind} {name or number + 1}" + (f": {keys}" if keys else "")


def _keys_at(path: Steps) -> list[str]:
    """Return the keys that a table of the document may have."""
    names = [step for step in path if isinstance(step, str)]
    model: type[BaseModel] = HouseWay
    if names:
        in_a_part = len(names) > 1 and names[-2] in ("can", "cannot", "require", "sets")
        model = PartFilter if in_a_part else _TABLES.get(names[-1], HouseWay)
    return [field.alias or name for name, field in model.model_fields.items()]


# --- what only the ranking can show ---------------------------------------------------------------------


def _misfits(data: Mapping[str, Any]) -> Iterator[DocumentFault]:
    """Yield what does not fit the document's own ranking; whatever has the wrong form is passed over."""
    try:
        order = ranking(str(data.get("ranking")))
    except UnknownNameError as error:
        if isinstance(data.get("ranking"), str):
            yield DocumentFault(("ranking",), DataError(error.cause, value=data["ranking"]))
        return
    names = data.get("parts") or order.part_names
    if not isinstance(names, list | tuple) or len(names) != len(order.part_names):
        cause = f"{order.id} has {len(order.part_names)} parts, {', '.join(order.part_names)}"
        yield DocumentFault(
            ("parts",), DataError(cause, value=len(names) if isinstance(names, list) else None)
        )
        return
    fit = _Fit(order, tuple(map(str, names)), "points" in data)
    names_seen = list[object]()
    for number, rule in enumerate(_tables(data.get("rule"))):
        if rule.get("id") in names_seen:
            yield DocumentFault(("rule", number, "id"), DataError("rule given twice", value=rule["id"]))
        names_seen.append(rule.get("id", names_seen))
        yield from (DocumentFault(("rule", number, *fault.path), fault.error) for fault in fit.rule(rule))
    for number, line in enumerate(_tables(data.get("points"))):
        yield from (DocumentFault(("points", number, *fault.path), fault.error) for fault in fit.points(line))
    for number, example in enumerate(_tables(data.get("example"))):
        yield from (
            DocumentFault(("example", number, *fault.path), fault.error) for fault in fit.example(example)
        )


def _tables(data: object) -> list[dict[str, Any]]:
    """Return the tables of a list, or of one that stands alone; anything else stands for an empty one."""
    several = data if isinstance(data, list | tuple) else [data] if isinstance(data, dict) else []
    return [table if isinstance(table, dict) else {} for table in several]


def _texts(data: object) -> list[str]:
    """Return the texts of a list, or one that stands alone; anything else is passed over."""
    several = data if isinstance(data, list | tuple) else [data]
    return [text for text in several if isinstance(text, str)]


@dataclass(frozen=True)
class _Fit:
    """Whether the words of a document fit a ranking whose parts it calls by these names."""

    ranking: Ranking
    names: tuple[str, ...]
    counts_points: bool

    def rule(self, rule: Mapping[str, Any]) -> Iterator[DocumentFault]:
        """Yield what does not fit in a rule."""
        yield from self._when(("when",), rule.get("when"))
        yield from self._filters(("require",), rule.get("require"))
        for number, cited in enumerate(_tables(rule.get("cites"))):
            yield from self._when(("cites", number, "when"), cited.get("when"))
            for other, unless in enumerate(_tables(cited.get("unless"))):
                yield from self._when(("cites", number, "unless", other), unless)
            yield from self._filters(("cites", number, "sets"), cited.get("sets"))
        for number, text in enumerate(_texts(rule.get("prefer"))):
            name, dot, what = text.partition(".")
            if text == "points":
                if not self.counts_points:
                    yield DocumentFault(("prefer", number), DataError(NO_POINTS))
            elif name not in self.names:
                yield self._no_part(("prefer", number), name)
            elif dot and what != "lead":
                cause = f"{A_PREFERENCE} ({self.names[0]} or {self.names[0]}.lead)"
                yield DocumentFault(("prefer", number), DataError(cause, value=text))
        for key in ("only_if", "unless"):
            yield from self._readings(key, rule.get(key))

    def points(self, line: Mapping[str, Any]) -> Iterator[DocumentFault]:
        """Yield what does not fit in a line of points."""
        name, wanted = line.get("part"), line.get("made")
        if isinstance(name, str) and name not in self.names:
            yield self._no_part(("part",), name)
        elif isinstance(name, str) and isinstance(wanted, dict):
            yield from self._part(("made",), self.names.index(name), wanted)

    def example(self, example: Mapping[str, Any]) -> Iterator[DocumentFault]:
        """Yield what does not fit in an example: a part of the wrong size."""
        sets = example.get("sets")
        if isinstance(sets, str):
            sizes = [len(part.replace("10", "T").replace(" ", "")) // 2 for part in sets.split("/")]
            if tuple(sizes) != self.ranking.split:
                cause = f"the parts are of {', '.join(map(str, self.ranking.split))} cards, with / between"
                yield DocumentFault(("sets",), DataError(cause, value=sets))

    def _readings(self, key: str, given: object) -> Iterator[DocumentFault]:
        law = self.ranking.document.rule_set
        known = options_of(law) if law else {}
        for name, choice in given.items() if isinstance(given, dict) else ():
            if name not in known:
                yield DocumentFault(
                    (key, name), DataError(no_such("reading to choose", name, known), value=name)
                )
            elif not isinstance(choice, str) or choice not in known[name].choices:
                cause = no_such("reading to choose", str(choice), known[name].choices)
                yield DocumentFault((key, name), DataError(cause, value=choice))

    def _when(self, path: Steps, when: object) -> Iterator[DocumentFault]:
        if isinstance(when, dict):
            for key in ("can", "cannot"):
                yield from self._filters((*path, key), when.get(key))

    def _filters(self, path: Steps, filters: object) -> Iterator[DocumentFault]:
        for number, wanted in enumerate(_tables(filters)):
            for name, part in wanted.items():
                here = (*path, number, name) if isinstance(filters, list) else (*path, name)
                if name not in self.names:
                    yield self._no_part(here, name)
                elif isinstance(part, dict):
                    yield from self._part(here, self.names.index(name), part)

    def _no_part(self, path: Steps, name: str) -> DocumentFault:
        return DocumentFault(path, DataError(no_such("part", name, self.names), value=name))

    def _part(self, path: Steps, part: int, wanted: Mapping[str, Any]) -> Iterator[DocumentFault]:
        categories = list(dict.fromkeys(c.name for c in self.ranking.document.part[part].category))
        hand = f"hand of {self.names[part]}"
        least = wanted.get("at_least")
        for name in _texts(wanted.get("category")):
            if name not in categories:
                yield DocumentFault(
                    (*path, "category"), DataError(no_such(hand, name, categories), value=name)
                )
        if isinstance(least, str) and len(least) > 1 and least not in categories:
            cause = f"{no_such(hand, least, categories)} and no rank"
            yield DocumentFault((*path, "at_least"), DataError(cause, value=least))
        groups = _texts(wanted.get("plays"))
        kinds = kinds_of_groups(groups)
        if kinds in PLAYED and not set(PLAYED[kinds]).intersection(categories):
            cause = no_such(hand, PLAYED[kinds][0], categories)
            yield DocumentFault((*path, "plays"), DataError(cause, value=" and ".join(groups)))
        for denied in _tables(wanted.get("not")):
            yield from self._part((*path, "not"), part, denied)
