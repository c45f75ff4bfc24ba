"""The coach in a browser: numbers when somebody asks for them, at a practice table and for any hand."""

from __future__ import annotations

import json
import re
from math import comb

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.web.browser.conftest import Opening
from tests.web.browser.support import ServedFloor, bet, practise, settled, tab_to
from tests.web.browser.test_every_page import serious

COLD = 150_000
"""Milliseconds for the first answer of all: the dealer's setting of every hand may have to be counted."""
HAND = "As Ah Kd Qc 7h 2s"


def percents(found: Locator) -> list[float]:
    """Return the percentages that are written somewhere, with their signs."""
    text = " ".join(found.all_inner_texts()).replace("−", "-")
    return [float(one) for one in re.findall(r"([+-]?[\d.]+)\s%", text)]


def worths(page: Page) -> list[float]:
    """Return what each setting shown is worth, exactly."""
    return [float(str(one.get_attribute("data-worth"))) for one in page.locator("[data-worth]").all()]


def usable(page: Page) -> None:
    """See that everybody can use the page, at a desk's and at a phone's size."""
    assert serious(page) == []
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert serious(page) == []
    page.set_viewport_size({"width": 1440, "height": 900})


def test_settings_are_valued_when_asked_for_and_what_was_given_up_is_told_in_the_end(
    opening: Opening, floor: ServedFloor
) -> None:
    page = opening(floor)
    practise(page, "pa-670a")
    bet(page, "main")
    expect(page.locator(".arranging")).to_be_visible()
    expect(page.locator(".coach .worth-row")).to_have_count(0)
    tab_to(page, '.coach [data-act="worth"]')
    page.keyboard.press("Enter")
    rows = page.locator(".coach .worth-row")
    expect(rows.first).to_be_visible(timeout=COLD)
    expect(page.locator("#announcer")).to_contain_text("settings are counted")
    expect(page.locator(".coach .counted")).to_contain_text(f"{comb(47, 6):,}")
    found = worths(page)
    assert 1 < len(found) <= 5 and found == sorted(found, reverse=True)
    for row, worth in zip(rows.all(), found, strict=True):
        shares = percents(row.locator(".odds"))
        assert sum(shares) == pytest.approx(100, abs=0.2)
        plain = shares[0] - shares[-1]  # no commission is kept here; the right to double is worth the rest
        assert 100 * worth >= plain - 0.2
        assert percents(row.locator(".worth-head")) == [pytest.approx(100 * worth, abs=0.06)]
    expect(page.locator(".coach").get_by_text("house way", exact=True)).to_have_count(1)
    rows.last.click()
    expect(rows.last.locator(".yours")).to_be_visible()
    expect(page.locator(".gives-up")).to_contain_text("Your setting gives up")
    given, *_ = percents(page.locator(".gives-up"))
    assert given == pytest.approx(100 * (found[0] - found[-1]), abs=0.06)
    usable(page)
    page.locator('[data-act="set"]').click()
    settled(page)
    expect(page.locator(".gave-up")).to_contain_text("Your setting gave up")
    assert percents(page.locator(".gave-up")) == [given]


def test_every_setting_of_any_hand_is_valued_without_the_cards_that_were_seen(
    opening: Opening, floor: ServedFloor
) -> None:
    page = opening(floor, f"/hand?game=pa-670a&cards={HAND.replace(' ', '')}")
    seen = page.locator("#seen-cards")
    seen.fill("Ks As")
    page.locator('[data-act="worth"]').click()
    expect(page.locator("#seen-said")).to_contain_text("appears twice")
    assert worths(page) == []
    seen.fill("Ks Jk")
    seen.press("Enter")
    expect(page.locator(".all-settings .odds")).to_have_count(6, timeout=COLD)
    expect(page.locator(".all-settings .counted")).to_contain_text(f"{comb(45, 6):,}")
    found = worths(page)
    assert found == sorted(found, reverse=True) and found[0] > found[-1]
    page.locator(".setting").last.click()
    given, *_ = percents(page.locator(".judgement"))
    assert given == pytest.approx(100 * (found[0] - found[-1]), abs=0.06)
    usable(page)
    seen.fill("Ks")
    expect(page.locator('[data-act="worth"]')).to_have_text("Ask again")


def test_where_there_are_no_numbers_the_page_says_so_and_asks_again_when_told(
    opening: Opening, floor: ServedFloor
) -> None:
    page = opening(floor, f"/hand?game=pa-670a&cards={HAND.replace(' ', '')}")
    page.watched.quiet = True  # type: ignore[attr-defined]
    body = json.dumps({"title": "too many questions wait for the coach: ask again", "status": 503})
    page.route("**/hands/coach", lambda route: route.fulfill(status=503, body=body))
    page.locator('[data-act="worth"]').click()
    expect(page.locator(".valuing")).to_contain_text("No figures are available now. Too many questions wait")
    expect(page.locator('[data-act="worth"]')).to_have_text("Ask again")
    assert worths(page) == [] and serious(page) == []
