"""Amounts read as they are written."""

from __future__ import annotations

import re

from houseway.ledger.accounts import UNITS_PER_CENT, Units


def parse_units(text: str) -> Units:
    """Return the units of an amount such as $1,234.505."""
    match = re.fullmatch(r"(-)?\$([\d,]+)(?:\.(\d{1,6}))?", text)
    assert match, f"not an amount: {text}"
    sign, whole, part = match.groups()
    amount = int(whole.replace(",", "")) * 100 * UNITS_PER_CENT + int((part or "").ljust(6, "0"))
    return -amount if sign else amount
