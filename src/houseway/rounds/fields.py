"""The fields of an action as a form shows them: what kind of value, which choices, what must be filled in."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum, StrEnum
from types import MappingProxyType
from typing import Any, Final

from msgspec import NODEFAULT, UNSET, Struct, inspect
from msgspec.structs import replace

from houseway.cards import Card
from houseway.games import Submission
from houseway.money import Cents
from houseway.rounds.action import Action, OnDeck, step_of
from houseway.rounds.annotations import Ask, notes_of
from houseway.rounds.asks import FieldRule
from houseway.rounds.steps import ACTIONS


class FieldKind(StrEnum):
    """What kind of value a field takes."""

    AMOUNT = "amount"
    NUMBER = "number"
    TEXT = "text"
    YES_NO = "yes_no"
    DATE = "date"
    CHOICE = "choice"
    SEVERAL = "several"
    """Some of the choices."""
    AMOUNTS = "amounts"
    """An amount for each name."""
    NUMBERS = "numbers"
    """A number for each name, or a row of them."""
    SETTING = "setting"
    CARDS = "cards"
    DOCUMENT = "document"


class Field(Struct, frozen=True, gc=False, omit_defaults=True):
    """Something to be filled in."""

    name: str
    label: str
    kind: FieldKind
    needed: bool = False
    choices: tuple[Any, ...] = ()
    least: int | None = None
    most: int | None = None
    default: Any = None
    each: tuple[Field, ...] = ()

    def adapt(self, ask: FieldRule | None, default: Any) -> Field:  # noqa: ANN401 - a field's value
        """Return the field as a table asks for it now."""
        if ask is None:
            return self if default == self.default else replace(self, default=default)
        kind = _CHOSEN.get(self.kind, self.kind) if ask.choices is not None else self.kind
        return replace(
            self,
            kind=kind,
            needed=is_needed(self, ask),
            default=default,
            choices=self.choices if ask.choices is None else ask.choices,
            least=ask.least,
            most=ask.most,
            each=tuple(_each(self, name, rule) for name, rule in ask.each.items()),
        )


def is_needed(field: Field, ask: FieldRule | None) -> bool:
    """Whether a field must be filled in at a table."""
    return field.needed if ask is None or ask.needed is None else ask.needed


_CHOSEN: Final = {
    FieldKind.TEXT: FieldKind.CHOICE,
    FieldKind.NUMBER: FieldKind.CHOICE,
    FieldKind.NUMBERS: FieldKind.SEVERAL,
}
"""What a kind of value becomes where the table names the choices."""


def _each(field: Field, name: str, ask: FieldRule) -> Field:
    kind = FieldKind.AMOUNT if field.kind is FieldKind.AMOUNTS else FieldKind.NUMBER
    default = None if ask.default is UNSET else ask.default
    needed = bool(ask.needed)
    return Field(name, name.replace("_", " "), kind, needed, (), ask.least, ask.most, default)


def _field(field: inspect.Field, label: str) -> Field:
    kind, choices = _kind(field.type)
    default = None if field.default is NODEFAULT else field.default
    return Field(field.name, label, kind, field.required, choices, default=default)


def _kind(kind: inspect.Type) -> tuple[FieldKind, tuple[Any, ...]]:
    """Return what kind of value a type is, and the choices that it has."""
    if isinstance(kind, inspect.UnionType):
        (kind,) = (variant for variant in kind.types if not isinstance(variant, inspect.NoneType))
    if isinstance(kind, inspect.EnumType):
        return FieldKind.CHOICE, tuple(member.value for member in _members(kind.cls))
    if isinstance(kind, inspect.CustomType):
        return {Cents: FieldKind.AMOUNT, Submission: FieldKind.DOCUMENT}[kind.cls], ()
    if isinstance(kind, inspect.DictType):
        amounts = isinstance(kind.value_type, inspect.CustomType)
        return FieldKind.AMOUNTS if amounts else FieldKind.NUMBERS, ()
    if isinstance(kind, inspect.VarTupleType):
        return _row(kind.item_type), ()
    return _PLAIN[type(kind)], ()


def _members(kind: type[Enum]) -> list[Enum]:
    return list(kind)


def _row(item: inspect.Type) -> FieldKind:
    if isinstance(item, inspect.VarTupleType):
        return FieldKind.SETTING
    if isinstance(item, inspect.CustomType) and item.cls is Card:
        return FieldKind.CARDS
    return FieldKind.SEVERAL if isinstance(item, inspect.StrType) else FieldKind.NUMBERS


_PLAIN: Final[dict[type[inspect.Type], FieldKind]] = {
    inspect.IntType: FieldKind.NUMBER,
    inspect.StrType: FieldKind.TEXT,
    inspect.BoolType: FieldKind.YES_NO,
    inspect.DateType: FieldKind.DATE,
    inspect.StructType: FieldKind.DOCUMENT,
}


def _form(action: type[Action]) -> tuple[Field, ...]:
    info, asks = inspect.type_info(action), notes_of(action, Ask)
    if not isinstance(info, inspect.StructType):
        return ()
    return tuple(_field(field, asks[field.name].label if field.name in asks else "") for field in info.fields)


FORMS: Final[Mapping[str, tuple[Field, ...]]] = MappingProxyType(
    {step_of(action): _form(action) for action in ACTIONS}
)
"""The fields of each step."""
TARGETS: Final[Mapping[str, frozenset[str]]] = MappingProxyType(
    {
        step_of(action): frozenset({"position", "deck"} if issubclass(action, OnDeck) else {"position"})
        for action in ACTIONS
    }
)
"""The fields of each step that say what it is about: no form asks for them."""
ASKED_FOR: Final[Mapping[str, tuple[Field, ...]]] = MappingProxyType(
    {name: tuple(field for field in form if field.name not in TARGETS[name]) for name, form in FORMS.items()}
)
"""The fields of each step that a form may ask for."""
