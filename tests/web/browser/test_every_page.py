"""Every page in a real browser: usable by everybody (axe), no error, nothing from elsewhere, fits a phone."""

from __future__ import annotations

from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from houseway.rounds.roles import Role
from houseway.service.demo_people import DEMO_PEOPLE
from houseway.web.pages import PAGES
from tests.web.browser.conftest import Opening
from tests.web.browser.support import ServedFloor

NAMES = {"table": "pa-659a", "meter": "pa-659a-link", "game": "pa-575", "round": "1"}
OF_ONE_ROUND = {"replay", "round_packet", "par"}
"""Pages about something that a floor which was just opened does not have."""
PEOPLE = {actor.role: actor.id for actor in DEMO_PEOPLE}
WHO: dict[str, tuple[Role | None, ...]] = {
    "table": (Role.PLAYER, Role.DEALER, Role.FLOORPERSON, Role.SURVEILLANCE)
}
"""As whom a page is looked at, where one look is not enough."""


def looks() -> list[tuple[str, Role | None]]:
    """Return every page, and as whom it is opened."""
    found: list[tuple[str, Role | None]] = []
    for page in PAGES.values():
        first = next((role for role in (None, *PEOPLE) if page.allows(role)), None)
        if page.name not in OF_ONE_ROUND:
            found += [(page.name, role) for role in WHO.get(page.name, (first,))]
    return found


def serious(page: Page) -> list[dict[str, Any]]:
    """Return what axe finds on a page that keeps somebody from using it."""
    found = Axe().run(page, options={"resultTypes": ["violations"]}).response["violations"]
    return [
        {"rule": one["id"], "where": [node["target"] for node in one["nodes"]][:5]}
        for one in found
        if one["impact"] in ("serious", "critical")
    ]


@pytest.mark.parametrize(("name", "role"), looks(), ids=str)
def test_a_page_is_usable_by_everybody(
    opening: Opening, floor: ServedFloor, name: str, role: Role | None
) -> None:
    path = PAGES[name].path.format(**NAMES)
    page = opening(floor, path, by=PEOPLE[role] if role else None)
    page.wait_for_load_state("networkidle")
    assert serious(page) == []
    page.set_viewport_size({"width": 390, "height": 844})
    page.wait_for_timeout(150)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert serious(page) == []
