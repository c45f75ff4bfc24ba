"""Figures that others have published, met to the last digit."""

from __future__ import annotations

import pytest

from houseway.odds import published_checks
from houseway.odds.sides import PublishedCheck

CLAUSES = {
    "pa659a.preamble.hold.insurance",
    "pa659a.preamble.hold.progressive",
    "pa659a.12.b.x.hold",
    "pa575.12.b.x.hold",
    "pa670a.12.b.x.hold",
    "pa670a.12.d.x.hold",
}


def test_each_figure_is_checked_once() -> None:
    assert {check.clause for check in published_checks()} == CLAUSES


@pytest.mark.parametrize(
    "check", [pytest.param(c, marks=pytest.mark.clause(c.clause), id=c.clause) for c in published_checks()]
)
def test_the_published_figure_comes_out(check: PublishedCheck) -> None:
    assert check.computed() == check.expected()
