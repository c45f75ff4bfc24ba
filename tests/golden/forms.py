"""How a form is filled in: a value for each field, by chance, of what the table says that it takes."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from houseway.rounds.codec import plain
from houseway.rounds.fields import Field, FieldKind
from houseway.rounds.options import Option

WRITTEN = "on file"
DICE = "dice"
TIP_BOX = {"approval": "TB-1", "equipment": "the shuffler"}
LARGEST = 10_000
"""The largest amount that somebody thinks of by himself, in cents."""


def fill(option: Option, chance: random.Random, setting: list[list[str]] | None) -> dict[str, Any]:
    """Return the action of an option in plain data, its fields filled in by chance."""
    action: dict[str, Any] = {"step": option.step}
    if option.position is not None:
        action["position"] = option.position
    if option.deck is not None:
        action["deck"] = option.deck
    for field in option.fields:
        value = some_value(field, chance, setting)
        if value is not None:
            action[field.name] = value
    return action


def some_value(field: Field, chance: random.Random, setting: list[list[str]] | None) -> Any:
    """Return a value for a field, or nothing where it may be left as it is."""
    if field.kind is FieldKind.SETTING and setting is not None and chance.random() < 0.6:
        return setting
    if field.default is not None and field.default != () and not field.each and chance.random() < 0.6:
        return plain(field.default)
    if not field.needed and chance.random() < 0.5:
        return None
    return _of_kind(field, chance, setting)


def _of_kind(field: Field, chance: random.Random, setting: list[list[str]] | None) -> Any:
    makers: dict[FieldKind, Callable[[], Any]] = {
        FieldKind.AMOUNT: lambda: _number(field, chance),
        FieldKind.NUMBER: lambda: _number(field, chance),
        FieldKind.TEXT: lambda: WRITTEN,
        FieldKind.YES_NO: lambda: chance.random() < 0.7,
        FieldKind.DATE: lambda: chance.choice(["2026-01-04", "2025-11-30"]),
        FieldKind.CHOICE: lambda: plain(chance.choice(field.choices)) if field.choices else WRITTEN,
        FieldKind.SEVERAL: lambda: _several(field, chance),
        FieldKind.AMOUNTS: lambda: _each(field, chance),
        FieldKind.NUMBERS: lambda: _each(field, chance),
        FieldKind.SETTING: lambda: setting,
        FieldKind.DOCUMENT: lambda: TIP_BOX if field.name == "tip_box" and chance.random() < 0.3 else None,
    }
    maker = makers.get(field.kind)
    return maker() if maker else None


def _number(field: Field, chance: random.Random) -> int:
    least = field.least if field.least is not None else 0
    usual = 200 * 100 if field.kind is FieldKind.AMOUNT and field.name == "stake" else LARGEST
    most = field.most if field.most is not None else max(least, usual if _is_amount(field) else 7)
    some = [least, most, least + chance.randrange(max(1, most - least + 1))]
    if _is_amount(field):
        even = some[2] - some[2] % 100
        some = [least, most, min(most, max(least, 1000)), max(least, even), max(least, even)]
        some += [least + chance.randrange(max(1, most - least + 1))] if chance.random() < 0.1 else []
    return int(chance.choice(some))


def _is_amount(field: Field) -> bool:
    return field.kind is FieldKind.AMOUNT


def _several(field: Field, chance: random.Random) -> list[Any]:
    choices = list(plain(list(field.choices)))
    if chance.random() < 0.85 and field.needed:
        return choices
    return [choice for choice in choices if chance.random() < 0.5]


def _each(field: Field, chance: random.Random) -> Any:
    if field.name == DICE:
        return [chance.randint(1, 6) for _ in field.each or range(3)]
    if not field.each:
        return {} if field.kind is FieldKind.AMOUNTS or field.name == "counts" else []
    return {
        part.name: 7 if field.name == "counts" else _number(part, chance)
        for part in field.each
        if part.needed or chance.random() < 0.6
    }
