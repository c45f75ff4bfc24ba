"""A real browser in front of a real server: Debian's chromium, driven by playwright."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from tests.web.browser.support import HERE, ServedFloor, Watched, open_page

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip what needs a browser where there is none; where the project is judged, that is a failure."""
    if CHROMIUM or os.environ.get("CI"):
        return
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.skip(reason="no chromium here: apt-get install chromium"))


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """Return the browser of all tests here that one process runs in a row.

    Its driver keeps an event loop running in this thread, in which no other test could run a loop of its own.
    """
    assert CHROMIUM, "no chromium here: apt-get install chromium"
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServedFloor]:
    """Return a demo floor that is served."""
    with ServedFloor(tmp_path_factory.mktemp("floor") / "floor.db") as served:
        yield served


@pytest.fixture
def own_floor(tmp_path: Path) -> Iterator[ServedFloor]:
    """Return a demo floor of a test's own, which it may stop and start."""
    with ServedFloor(tmp_path / "floor.db") as served:
        yield served


Opening = Callable[..., Page]


@pytest.fixture
def opening(browser: Browser) -> Iterator[Opening]:
    """Return what opens a page of its own, as somebody; at the end nothing must have gone wrong in any."""
    contexts: list[tuple[BrowserContext, Watched]] = []

    def opened(
        floor: ServedFloor, path: str = "/", *, by: str | None = None, size: tuple[int, int] = (1440, 900)
    ) -> Page:
        page, context, watched = open_page(browser, floor, path, by, size)
        contexts.append((context, watched))
        return page

    yield opened
    wrong = [fault for _, watched in contexts for fault in watched.wrong]
    for context, _ in contexts:
        context.close()
    assert wrong == []
