"""Pictures of every screen into docs/screens: ``make screens``. Each is there to be looked at critically."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Browser, Page, expect, sync_playwright
from rich.progress import track

from houseway.service.demo import BY_HAND
from tests.web.browser.conftest import CHROMIUM
from tests.web.browser.support import (
    ROOT,
    ServedFloor,
    bet,
    open_page,
    practise,
    set_the_house_way,
    settled,
)

FOLDER = ROOT / "docs" / "screens"
DESK, PHONE, TABLET, SIGN = (1440, 900), (390, 844), (1180, 820), (1920, 1080)
Size = tuple[int, int]
COUNTED = 180_000
"""Milliseconds in which the dealer's setting of every hand is counted, where it never was."""


@dataclass(frozen=True)
class Screen:
    """A picture: what it is called, who looks at which page, how large, and what is done first."""

    name: str
    path: str = "/"
    by: str | None = None
    size: Size = DESK
    first: Callable[[Page], object] = lambda _: None


def _arranging(page: Page) -> None:
    practise(page, "pa-659a")
    bet(page, "main", "fortune", "progressive")
    expect(page.locator(".arranging")).to_be_visible()
    page.locator('[data-act="house-way"]').click()
    expect(page.locator('[data-act="set"]')).to_be_enabled()


def _coached(page: Page) -> None:
    """Ask what each setting is worth, and lay one that is not the best."""
    _arranging(page)
    page.locator('.coach [data-act="worth"]').click()
    rows = page.locator(".coach .worth-row")
    expect(rows.first).to_be_visible(timeout=COUNTED)
    rows.nth(1).click()
    expect(page.locator(".gives-up")).to_contain_text("gives up")
    page.locator(".coach").evaluate("panel => { if (innerWidth < 720) panel.scrollIntoView(); }")


def _valued(page: Page) -> None:
    """Ask what every setting of a hand is worth, with two cards seen."""
    page.locator("#seen-cards").fill("Qs 7d")
    page.locator('[data-act="worth"]').click()
    expect(page.locator(".all-settings .odds").first).to_be_visible(timeout=COUNTED)
    page.locator(".all-settings").evaluate("list => { list.scrollIntoView(); scrollBy(0, -16); }")


def _betting(page: Page) -> None:
    practise(page, "pa-670a")
    for spot in ("main", "main", "fortune", "progressive"):
        page.locator(f'[data-spot="{spot}"]').click()


def _settled(page: Page) -> None:
    practise(page, "ca-fpgp")
    bet(page, "main")
    set_the_house_way(page)
    settled(page)


def _still(page: Page) -> None:
    page.wait_for_timeout(900)


def _some_rounds(page: Page) -> None:
    """Wait until rounds are over."""
    for _ in range(120):
        if page.locator("[data-round]").count() > 3:
            return
        page.wait_for_timeout(1000)
        page.reload()
        page.wait_for_load_state("networkidle")


def _replayed(page: Page) -> None:
    """Go to the middle of a round's settlement."""
    expect(page.locator("#line")).to_be_visible()
    page.locator("#line").press("End")
    for _ in range(6):
        page.keyboard.press("ArrowLeft")
    _still(page)


HAND = "AsKdKc9h9d7s3c"
SCREENS = (
    Screen("lobby"),
    Screen("lobby-phone", size=PHONE),
    Screen("player-betting", first=_betting),
    Screen("player-betting-phone", first=_betting, size=PHONE),
    Screen("player-arranging", first=_arranging),
    Screen("player-arranging-phone", first=_arranging, size=PHONE),
    Screen("player-coach", first=_coached),
    Screen("player-coach-phone", first=_coached, size=PHONE),
    Screen("player-settled", first=_settled),
    Screen("player-settled-phone", first=_settled, size=PHONE),
    Screen("sign-in", "/sign-in"),
    Screen("rules", "/rules"),
    Screen("signage", "/signage/pa-659a-link", size=SIGN),
    Screen("rack-card", "/tables/pa-659a/card"),
    Screen("any-hand", f"/hand?game=pa-659a&cards={HAND}", first=_still),
    Screen("any-hand-phone", f"/hand?game=pa-659a&cards={HAND}", first=_still, size=PHONE),
    Screen("any-hand-worth", f"/hand?game=pa-659a&cards={HAND}", first=_valued),
    Screen("any-hand-worth-phone", f"/hand?game=pa-659a&cards={HAND}", first=_valued, size=PHONE),
    Screen("law", "/law", "reg", first=_still),
    Screen("dealer", f"/tables/{BY_HAND}", "deb", first=_still, size=TABLET),
    Screen("dealer-phone", f"/tables/{BY_HAND}", "deb", first=_still, size=PHONE),
    Screen("supervise", "/floor", "flo", first=_still),
    Screen("supervise-table", "/tables/pa-659a", "flo", first=_still),
    Screen("surveillance-table", "/tables/wa-fap", "sam", first=_still),
    Screen("rounds", "/rounds", "sam", first=_some_rounds),
    Screen("rounds-phone", "/rounds", "sam", first=_some_rounds, size=PHONE),
    Screen("replay", "/tables/pa-575/rounds/1", "sam", first=_replayed),
    Screen("replay-phone", "/tables/pa-575/rounds/1", "sam", first=_replayed, size=PHONE),
    Screen("dispute-packet", "/tables/pa-575/rounds/1/packet", "reg", first=_still),
    Screen("submissions", "/submissions", "mia", first=_still),
    Screen("people", "/people", "demo-administrator", first=_still),
    Screen("oneself", "/me", "pat", first=_still),
    Screen("accounting", "/accounting", "amy", first=_still),
    Screen("accounting-phone", "/accounting", "amy", first=_still, size=PHONE),
)


def take(browser: Browser, floor: ServedFloor, screen: Screen) -> None:
    """Take one picture."""
    page, context, _ = open_page(browser, floor, screen.path, screen.by, screen.size)
    screen.first(page)
    page.wait_for_load_state("networkidle")
    page.wait_for_timeout(400)
    page.screenshot(path=FOLDER / f"{screen.name}.jpg", type="jpeg", quality=82)
    context.close()


def main() -> None:
    """Take all pictures."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as folder,
        ServedFloor(Path(folder) / "floor.db") as floor,
        sync_playwright() as driver,
    ):
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        for screen in track(SCREENS, "pictures"):
            take(browser, floor, screen)
        browser.close()


if __name__ == "__main__":
    main()
