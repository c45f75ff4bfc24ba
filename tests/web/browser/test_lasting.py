"""What lasts: a round goes on after a reload, after the server ended in its middle, and in many tabs."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.web.browser.conftest import Opening
from tests.web.browser.support import ServedFloor, bet, practise, set_the_house_way, settled

ELEVEN_MORE = """async () => {
  const where = location.href.replace("http", "ws").replace("/tables", "/api/v1/tables") + "/live";
  window.others = Array.from({ length: 11 }, () => new WebSocket(where));
  await Promise.all(window.others.map((one) => new Promise((open) => (one.onmessage = open))));
}"""
"""Opens eleven sockets beside the one that the page has."""


def cards(page: Page) -> list[str]:
    """Return the cards that somebody arranges."""
    expect(page.locator("[data-card]").first).to_be_visible()
    return sorted(page.locator("[data-card]").evaluate_all("all => all.map(one => one.dataset.card)"))


def test_a_reload_and_a_killed_server_in_mid_round_lose_nothing(
    opening: Opening, own_floor: ServedFloor
) -> None:
    page = opening(own_floor)
    practise(page, "pa-659a")
    bet(page, "main", "fortune")
    dealt, purse = cards(page), page.locator(".purse b").inner_text()
    page.reload()
    assert cards(page) == dealt
    page.watched.quiet = True  # type: ignore[attr-defined]
    own_floor.kill()
    expect(page.locator(".banner.bad")).to_be_visible()
    own_floor.start()
    expect(page.locator(".banner.bad")).to_have_count(0)
    assert cards(page) == dealt
    assert page.locator(".purse b").inner_text() == purse
    set_the_house_way(page)
    settled(page)
    own_floor.stop()
    own_floor.start()
    expect(page.locator('[data-spot="main"]')).to_be_visible()
    expect(page.locator(".banner.bad")).to_have_count(0)


def test_eight_tabs_are_live_and_still_answer_a_bet(opening: Opening, floor: ServedFloor) -> None:
    page = opening(floor)
    practise(page, "pa-670a")
    others = [page.context.new_page() for _ in range(7)]
    for one in others:
        one.goto(page.url)
        expect(one.locator('[data-spot="main"]')).to_be_visible()
    bet(page, "main")
    for one in others:
        expect(one.locator(".arranging")).to_be_visible()
    set_the_house_way(others[-1])
    settled(page)


def test_a_tab_too_many_says_so_and_is_live_once_another_is_closed(
    opening: Opening, floor: ServedFloor
) -> None:
    page = opening(floor)
    practise(page, "pa-659a")
    page.evaluate(ELEVEN_MORE)
    crowded = page.context.new_page()
    crowded.clock.install()
    crowded.goto(page.url)
    expect(crowded.locator(".banner.bad")).to_contain_text("Too many tables are open")
    crowded.clock.run_for(31_000)
    expect(crowded.locator(".banner.bad")).to_be_visible()
    page.evaluate("() => window.others.pop().close()")
    for _ in range(3):
        crowded.clock.run_for(31_000)
    expect(crowded.locator('[data-spot="main"]')).to_be_visible()
    expect(crowded.locator(".banner.bad")).to_have_count(0)
