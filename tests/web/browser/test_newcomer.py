"""A newcomer's path from the lobby to a settled round: by mouse, by keyboard alone, by typing, on a phone."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from houseway.service.demo import GAMES
from tests.web.browser.conftest import Opening
from tests.web.browser.support import (
    ServedFloor,
    amounts,
    bet,
    practise,
    set_the_house_way,
    settled,
    tab_to,
)


@pytest.mark.parametrize("game", GAMES)
def test_a_newcomer_plays_a_round_by_mouse(opening: Opening, floor: ServedFloor, game: str) -> None:
    page = opening(floor)
    practise(page, game)
    bet(page, "main")
    expect(page.locator(".arranging")).to_be_visible()
    set_the_house_way(page)
    settled(page)
    assert amounts(page), "every wager has its line"
    page.locator(".last-round .why").first.click()
    expect(page.locator("dialog .clause").first).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator('[data-act="again"]')).to_be_visible()


@pytest.mark.parametrize("game", GAMES)
def test_a_newcomer_plays_a_round_by_keyboard_alone(opening: Opening, floor: ServedFloor, game: str) -> None:
    page = opening(floor)
    expect(page.locator("[data-practise]").first).to_be_visible()
    tab_to(page, f'[data-practise="{game}"]')
    page.keyboard.press("Enter")
    expect(page.locator('[data-spot="main"]')).to_be_visible()
    tab_to(page, '[data-spot="main"]')
    page.keyboard.press("Enter")
    expect(page.locator('[data-act="bet"]')).to_be_enabled()
    tab_to(page, '[data-act="bet"]')
    page.keyboard.press("Enter")
    expect(page.locator(".arranging")).to_be_visible()
    tab_to(page, "[data-card]")
    page.keyboard.press("1")
    expect(page.locator(".part-box").first.locator("[data-card]")).to_have_count(1)
    page.keyboard.press("ArrowUp")
    expect(page.locator(".part-box [data-card]")).to_have_count(0)
    tab_to(page, '[data-act="house-way"]')
    page.keyboard.press("Enter")
    expect(page.locator('[data-act="set"]')).to_be_enabled()
    tab_to(page, '[data-act="set"]')
    page.keyboard.press("Enter")
    settled(page)


def test_a_round_is_played_by_typing(opening: Opening, floor: ServedFloor) -> None:
    page = opening(floor)
    practise(page, "pa-659a")
    line = page.get_by_label("Type a command")

    def typed(said: str) -> None:
        line.fill(said)
        line.press("Enter")

    typed("bet main 5 fortune 1")
    expect(page.locator(".arranging")).to_be_visible()
    typed("house")
    expect(page.locator('[data-act="set"]')).to_be_enabled()
    typed("set")
    settled(page)
    assert len(amounts(page)) == 2
    typed("fly")
    expect(page.locator("#announcer")).to_contain_text("fly")


def test_a_hand_is_arranged_by_taps_and_a_foul_is_told_before_it_is_set(
    opening: Opening, floor: ServedFloor
) -> None:
    page = opening(floor)
    practise(page, "pa-659a")
    bet(page, "main")
    cards = page.locator(".row [data-card]")
    expect(cards).to_have_count(7)
    # the lowest cards behind: the high hand is outranked, whatever the cards are, unless it is a hand itself
    for _ in range(7):
        cards.last.click()
    expect(page.locator(".row")).to_have_count(0)
    legal = page.locator("#legality")
    expect(legal).to_have_text(re.compile("Foul|Legal"))
    if "Foul" in legal.inner_text():
        expect(page.locator('[data-act="set"]')).to_be_disabled()
    page.get_by_role("button", name="Start over").click()
    expect(cards).to_have_count(7)
    set_the_house_way(page)
    settled(page)


def test_a_card_is_dragged_to_a_part_and_a_full_part_takes_none(opening: Opening, floor: ServedFloor) -> None:
    page = opening(floor)
    practise(page, "pa-575")
    bet(page, "main")
    expect(page.locator(".row [data-card]")).to_have_count(7)
    low = page.locator('.part-box[data-part="2"]')
    first = page.locator(".row [data-card]").first
    card = first.get_attribute("data-card")
    first.drag_to(low)
    expect(low.locator(f'[data-card="{card}"]')).to_have_count(1)
    page.locator(".row [data-card]").first.focus()
    page.keyboard.press("3")
    expect(low.locator("[data-card]")).to_have_count(1)
    expect(page.locator("#announcer")).to_contain_text("full")
    set_the_house_way(page)
    settled(page)


def test_practice_is_undone_and_licensed_tables_have_neither_undo_nor_coach(
    opening: Opening, floor: ServedFloor
) -> None:
    page = opening(floor)
    practise(page, "pa-575")
    bet(page, "main")
    expect(page.locator(".arranging")).to_be_visible()
    before = sorted(page.locator("[data-card]").evaluate_all("all => all.map(one => one.dataset.card)"))
    set_the_house_way(page)
    expect(page.locator(".arranging")).to_have_count(0)
    page.locator('[data-act="undo"]').click()
    expect(page.locator(".row [data-card]")).to_have_count(7)
    after = sorted(page.locator("[data-card]").evaluate_all("all => all.map(one => one.dataset.card)"))
    assert after == before, "the same cards come again"
    set_the_house_way(page)
    settled(page)
    licensed = opening(floor, "/tables/pa-575", by="pat")
    expect(licensed.locator(".felt")).to_be_visible()
    expect(licensed.locator(".coach")).to_have_count(0)
    expect(licensed.locator('[data-act="undo"]')).to_have_count(0)


def test_a_round_on_a_phone_needs_no_sideways_scrolling(opening: Opening, floor: ServedFloor) -> None:
    page = opening(floor, size=(390, 844))

    def fits() -> None:
        width = page.evaluate("document.documentElement.scrollWidth")
        assert width <= 390, page.url

    fits()
    practise(page, "pa-670a")
    fits()
    bet(page, "main")
    expect(page.locator(".arranging")).to_be_visible()
    fits()
    set_the_house_way(page)
    settled(page)
    fits()
