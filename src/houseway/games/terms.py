"""The closed vocabulary in which a game's document says what may and what must be chosen.

A *requirement* reads "when these hold, those must hold too"; a *permit* names the values that may be
chosen at all. Both test fields of a rules submission by dotted path, and both carry the clauses that
order them. There is no expression language: a test is one operator and one operand.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from typing import Any, Final, Generic, TypeVar

from pydantic import BaseModel, Field, model_validator

from houseway.errors import DataError, IllegalError
from houseway.law.citations import UNCITED
from houseway.law.clauses import GroundedCites, KnownCites
from houseway.law.documents import Document, Flag
from houseway.law.problems import Problem, Severity
from houseway.money import PERCENT, Cents, cents, dollars

T = TypeVar("T")
Facts = Callable[[str], Any]
"""Looks a dotted path up in a submission; ``None`` where nothing is given."""


class Cited(Document, Generic[T]):
    """A value the law gives, with the clauses that give it.

    Read it with ``get()``, so that code that relies on the number relies on the law.
    """

    value: T
    clauses: GroundedCites

    def get(self) -> T:
        """Return the value, on the strength of its clauses."""
        if not self.clauses.stands:
            raise IllegalError("no clause in force gives this value", clauses=self.clauses)
        return self.value


class Predicate(Document):
    """One operator and one operand.

    ``is``, ``given``, ``includes``, ``count`` and ``other_than`` look at whether a value is given at
    all; the comparisons say what it must be if it is given, and pass where it is not.
    """

    __test__ = False  # not a test case, in spite of its name

    operator: str
    operand: Any

    @model_validator(mode="before")
    @classmethod
    def _shorthand(cls, data: Any) -> Any:  # noqa: ANN401 - raw TOML
        if isinstance(data, dict) and set(data) != {"operator", "operand"}:
            if len(data) != 1 or not set(data) <= set(_OPERATORS):
                known = ", ".join(_OPERATORS)
                raise DataError(f"a test has one operator of: {known}", value=", ".join(data))
            ((operator, operand),) = data.items()
            return {"operator": operator, "operand": operand}
        if isinstance(data, list):
            return {"operator": "any_of", "operand": data}
        if not isinstance(data, dict):
            return {"operator": "is", "operand": data}
        return data

    @model_validator(mode="after")
    def _operand_fits(self) -> Predicate:
        if self.operator not in _OPERATORS:
            raise DataError("no such operator", value=self.operator)
        kind = "field" if self.operator.endswith("_field") else self.operator
        if not _FITS.get(kind, lambda _: True)(self.operand):
            raise DataError(f"no operand for {self.operator}", value=str(self.operand))
        return self

    def holds(self, value: Any, facts: Facts) -> bool:  # noqa: ANN401 - any field's type
        """Whether a value passes."""
        return _OPERATORS[self.operator](value, self.operand, facts)


Conditions = dict[str, Predicate]


class Requirement(Document):
    """When these hold, those must hold too."""

    say: str
    when: Conditions = {}
    need: Conditions = Field(min_length=1)
    clauses: KnownCites = UNCITED
    severity: Severity = Severity.ERROR

    def paths(self) -> Iterator[str]:
        """Name every field it looks at."""
        for path, test in [*self.when.items(), *self.need.items()]:
            yield path
            if test.operator.endswith("_field"):
                yield test.operand

    def choices_of(self, begins: str) -> Iterator[tuple[str, str | None]]:
        """Yield each field it looks at that begins so, with the one value that it asks for, if it does."""
        for path, test in [*self.when.items(), *self.need.items()]:
            if path.startswith(begins):
                yield path, test.operand if test.operator == "is" else None

    def problems(self, facts: Facts) -> Iterator[Problem]:
        """Yield a problem for each need that does not hold."""
        if not all(test.holds(facts(path), facts) for path, test in self.when.items()):
            return
        law = self.clauses
        if not law.binds:
            return
        for path, test in self.need.items():
            value = facts(path)
            if not test.holds(value, facts):
                yield Problem(path, self.say, show_value(value), law, self.severity)


class Permit(Document):
    """Values that may be chosen for a field; what no permit names may not be chosen."""

    field: str
    values: tuple[str | int | bool, ...] = ()
    any_value: Flag = False
    clauses: KnownCites = UNCITED

    @model_validator(mode="after")
    def _values_or_any(self) -> Permit:
        if bool(self.values) == self.any_value:
            raise DataError("a permit names values, or says any_value = true", value=self.field)
        return self


def forbidden_choices(permits: tuple[Permit, ...], choices: Mapping[str, Any]) -> Iterator[Problem]:
    """Yield a problem for each chosen value that no permit in force names."""
    for path, value in choices.items():
        if not _given(value):
            continue
        of_field = [p for p in permits if p.field == path]
        in_force = [permit for permit in of_field if permit.clauses.binds]
        for choice in value if isinstance(value, tuple) else (value,):
            if any(p.any_value or choice in p.values for p in in_force):
                continue
            may = ", ".join(str(v) for p in in_force for v in p.values)
            law = tuple(c for p in in_force for c in p.clauses)
            reason = f"may be {may}" if may else "this game has no such option"
            yield Problem(path, reason, show_value(choice), law)


def show_value(value: Any) -> str | None:  # noqa: ANN401 - any field's type
    """Write a field's value for a person: ``None`` where nothing was given."""
    if value is None:
        return "nothing given"
    if isinstance(value, Cents):
        return dollars(value)
    if isinstance(value, Fraction):
        return f"{float(value * 100):g}%"
    if isinstance(value, tuple):
        return ", ".join(map(str, value)) or "nothing given"
    if isinstance(value, BaseModel | dict):
        return "something given"
    return str(value)


_VERSION: Final = re.compile(r"\d{1,9}(\.\d{1,9}){0,9}", re.A)


def number(value: Any) -> Fraction:  # noqa: ANN401 - any field's type
    """Read a figure: a plain number, ``"$2,000"`` in cents, ``"70%"`` as a fraction of one."""
    if isinstance(value, bool):
        raise DataError("not a figure", value=value)
    if isinstance(value, str) and PERCENT.fullmatch(value):
        return Fraction(value[:-1]) / 100
    if isinstance(value, str):
        return Fraction(cents(value))
    return Fraction(value)


def version(text: str) -> tuple[int, ...]:
    """Read a version, so that 3.10 is later than 3.8.

    >>> version("3.10.0") > version("3.8.024"), version("1.3") == version("1.3.0")
    (True, True)
    """
    if not _VERSION.fullmatch(str(text)):
        raise DataError("not a version such as 1.0.017", value=text)
    steps = [int(step) for step in text.split(".")]
    while steps and not steps[-1]:  # 2.0 and 2.0.0 are the same version
        steps.pop()
    return tuple(steps)


def _given(value: Any) -> bool:  # noqa: ANN401
    if value is None or value is False:
        return False
    if isinstance(value, str):
        return bool(value.strip())
    return bool(value) or not isinstance(value, tuple | dict)


def _same(value: Any, operand: Any) -> bool:  # noqa: ANN401
    if isinstance(operand, str) and operand.lstrip("-").startswith("$"):
        return _is_number(value) and number(value) == number(operand)
    return bool(value == operand)


def _is_number(operand: Any) -> bool:  # noqa: ANN401
    try:
        number(operand)
    except (ValueError, TypeError, OverflowError):
        return False
    return True


def _versions(against: Callable[[tuple[int, ...], tuple[int, ...]], bool]) -> Callable[..., bool]:
    def holds(value: Any, operand: str, _: Facts) -> bool:  # noqa: ANN401
        if value is None:
            return True
        try:
            return against(version(str(value)), version(operand))
        except DataError:
            return False

    return holds


def _compare(against: Callable[[Fraction, Fraction], bool]) -> Callable[..., bool]:
    def holds(value: Any, operand: Any, _: Facts) -> bool:  # noqa: ANN401
        return value is None or (_is_number(value) and against(number(value), number(operand)))

    return holds


def _field(against: Callable[[Fraction, Fraction], bool]) -> Callable[..., bool]:
    def holds(value: Any, path: str, facts: Facts) -> bool:  # noqa: ANN401
        other = facts(path)
        if value is None or other is None:
            return True
        return _is_number(value) and _is_number(other) and against(number(value), number(other))

    return holds


def _is_operand(operand: Any) -> bool:  # noqa: ANN401
    return not str(operand).lstrip("-").startswith("$") or _is_number(operand)


def _as_tuple(value: Any) -> tuple[Any, ...]:  # noqa: ANN401
    return value if isinstance(value, tuple) else ()


def _is_version(operand: Any) -> bool:  # noqa: ANN401
    return isinstance(operand, str) and bool(_VERSION.fullmatch(operand))


_FITS: Final[dict[str, Callable[[Any], bool]]] = {
    "field": lambda operand: isinstance(operand, str),
    "count": lambda operand: isinstance(operand, int) and not isinstance(operand, bool),
    "given": lambda operand: isinstance(operand, bool),
    "any_of": lambda operand: isinstance(operand, list | tuple) and all(map(_is_operand, operand)),
    "is": _is_operand,
    **dict.fromkeys(("at_least", "at_most", "more_than", "less_than"), _is_number),
    **dict.fromkeys(("version_at_least", "version_is"), _is_version),
}
_OPERATORS: Final[dict[str, Callable[..., bool]]] = {
    "is": lambda value, operand, _: _same(value, operand),
    "other_than": lambda value, operand, _: _given(value) and value != operand,
    "any_of": lambda value, operand, _: value is None or any(_same(value, option) for option in operand),
    "includes": lambda value, operand, _: operand in _as_tuple(value),
    "excludes": lambda value, operand, _: operand not in _as_tuple(value),
    "count": lambda value, operand, _: len(_as_tuple(value)) == operand,
    "given": lambda value, operand, _: _given(value) == operand,
    "at_least": _compare(lambda value, least: value >= least),
    "at_most": _compare(lambda value, most: value <= most),
    "more_than": _compare(lambda value, least: value > least),
    "less_than": _compare(lambda value, most: value < most),
    "at_least_field": _field(lambda value, least: value >= least),
    "at_most_field": _field(lambda value, most: value <= most),
    "more_than_field": _field(lambda value, least: value > least),
    "is_field": _field(lambda value, other: value == other),
    "is_not_field": _field(lambda value, other: value != other),
    "version_at_least": _versions(lambda value, least: value >= least),
    "version_is": _versions(lambda value, exact: value == exact),
}
