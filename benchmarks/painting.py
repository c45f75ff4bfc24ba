"""From a click to the painted answer, in a real browser, while ten tables play by themselves."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from statistics import median, quantiles

from playwright.sync_api import Page, sync_playwright

from benchmarks.measure import Measure
from tests.web.browser.conftest import CHROMIUM
from tests.web.browser.support import ServedFloor, practise

CLICKS = 60
BAR = 100
"""Milliseconds from the click to the painted update, at the median."""
MEASURED = """async chips => {
  const purse = () => document.querySelector('.purse b').textContent;
  const button = () => document.querySelector('[data-act="bet"]');
  for (const at of chips) document.querySelector(`[data-spot="${at}"]`).click();
  await new Promise(requestAnimationFrame);
  const before = purse();
  const begun = performance.now();
  button().click();
  await new Promise(done => {
    const look = () => purse() === before ? requestAnimationFrame(look) : requestAnimationFrame(done);
    requestAnimationFrame(look);
  });
  return performance.now() - begun;
}"""
"""Lays chips, presses the button, and waits for a frame that shows what the server has booked."""


def painting() -> Iterator[Measure]:
    """Yield how long a player waits for their bet to be seen to lie."""
    with (
        tempfile.TemporaryDirectory() as folder,
        ServedFloor(Path(folder) / "floor.db", busy=10) as floor,
        sync_playwright() as driver,
    ):
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        page = browser.new_page()
        page.goto(floor.address)
        practise(page, "pa-659a")
        spent = sorted(_clicks(page))
        browser.close()
    yield Measure(f"click to painted update, median of {CLICKS} (bar {BAR})", median(spent), "ms")
    yield Measure("click to painted update, slowest tenth", quantiles(spent, n=10)[-1], "ms")


def _clicks(page: Page) -> Iterator[float]:
    """Bet a little more each time: the bets stay open as long as nobody is ready."""
    page.route("**/ready", lambda route: route.fulfill(json={"ready": True}))
    for _ in range(CLICKS):
        yield page.evaluate(MEASURED, ["main"])
        page.wait_for_timeout(60)
