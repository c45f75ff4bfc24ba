"""The chip configuration of a floor: denominations, start of the gaming day, reporting thresholds."""

from __future__ import annotations

import tomllib
from datetime import date, datetime, timedelta
from functools import cache
from importlib.resources import files
from typing import Any, Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import msgspec
from msgspec import Struct

from houseway.chips.reports import Threshold
from houseway.errors import DataError, HousewayError, InvalidInputError
from houseway.money import Cents, cents

_HOURS: Final = 24


def _zone(name: str) -> ZoneInfo:
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError):
        raise InvalidInputError("no such time zone is known here", value=name) from None


class Denomination(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A denomination: the chip's value, its colour, and the source of both."""

    value: Cents
    colour: str
    source: str

    def __post_init__(self) -> None:
        if self.value <= 0 or not self.colour.strip() or not self.source.strip():
            raise InvalidInputError("a chip has a value, a colour and a source", value=int(self.value))


class GamingDayStart(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The hour of local time at which a gaming day begins."""

    zone: str = "UTC"
    rolls_at: int = 6
    source: str = ""

    def __post_init__(self) -> None:
        if not 0 <= self.rolls_at < _HOURS:
            raise InvalidInputError("a gaming day begins at an hour from 0 to 23", value=self.rolls_at)
        _zone(self.zone)


class ChipConfig(Struct, frozen=True, kw_only=True):
    """The configuration of the chips of a floor."""

    chips: tuple[Denomination, ...]
    thresholds: tuple[Threshold, ...] = ()
    day: GamingDayStart = GamingDayStart()
    self_service: bool = False
    """Whether players buy in and cash out at the table by themselves."""

    @property
    def denominations(self) -> frozenset[int]:
        """The values of the chips in use."""
        return frozenset(int(chip.value) for chip in self.chips)

    def gaming_day(self, now: datetime) -> date:
        """Return the gaming day that a moment falls in."""
        local = now.astimezone(_zone(self.day.zone))
        return local.date() - timedelta(days=local.hour < self.day.rolls_at)


# --- documents ------------------------------------------------------------------------------------------


class _ChipsDocument(Struct, frozen=True, forbid_unknown_fields=True):
    chip: tuple[Denomination, ...]
    day: GamingDayStart = GamingDayStart()


class _ThresholdsDocument(Struct, frozen=True, forbid_unknown_fields=True):
    threshold: tuple[Threshold, ...] = ()


def read_config(chips: str, thresholds: str = "") -> ChipConfig:
    """Read an operator's chip and threshold documents; raise ``DataError`` if they are wrong."""
    document = _read(_ChipsDocument, chips, "chips")
    rows = _read(_ThresholdsDocument, thresholds, "thresholds").threshold
    values = [chip.value for chip in document.chip]
    if not values or len(set(values)) < len(values):
        raise DataError("each chip is named once, and there is at least one", where="chips")
    for row in rows:
        others = [other for other in rows if other.id == row.id and other is not row]
        if any(other.holds_on(row.since) for other in others):
            raise DataError("two rows hold on one day", value=f"{row.id} {row.since}", where="thresholds")
    return ChipConfig(chips=document.chip, thresholds=rows, day=document.day)


@cache
def standard_config() -> ChipConfig:
    """Return the configuration shipped with houseway."""
    data = files(__package__) / "data"
    chips, thresholds = ((data / f"{name}.toml").read_text("utf-8") for name in ("chips", "thresholds"))
    return read_config(chips, thresholds)


def _read(kind: type[Any], text: str, where: str) -> Any:  # noqa: ANN401 - the document of that kind
    try:
        return msgspec.convert(tomllib.loads(text), type=kind, dec_hook=_amount)
    except (msgspec.ValidationError, tomllib.TOMLDecodeError, HousewayError) as error:
        raise DataError(str(error), where=where) from None


def _amount(kind: type[Any], data: Any) -> Any:  # noqa: ANN401 - what msgspec does not know
    if kind is Cents and isinstance(data, str):
        return cents(data)
    raise ValueError(f"{data!r} is no {kind.__name__}")
