"""A table that people deal at: dealer, player, supervisor and surveillance, each in their own browser."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, expect

from houseway.cards import parse_cards, show_setting
from houseway.games import example_submission, rules_for
from houseway.rounds.houseway import house_setting
from houseway.service.demo import BY_HAND
from tests.web.browser.conftest import Opening
from tests.web.browser.support import ServedFloor, has_bet, press

TABLE = f"/tables/{BY_HAND}"
RULES = rules_for(example_submission("pa-659a"))


def typed(page: Page, said: str) -> None:
    """Type a command of a player's."""
    line = page.get_by_label("Type a command")
    line.fill(said)
    line.press("Enter")


def held(page: Page) -> set[str]:
    """Return the cards that a player has to arrange, all at one moment."""
    return set(page.locator("[data-card]").evaluate_all("all => all.map(one => one.dataset.card)"))


def shown(page: Page) -> set[str]:
    """Return the cards that lie face up on a page."""
    drawn = page.locator("svg.card use").evaluate_all("all => all.map(one => one.href.baseVal)")
    return {str(one).removeprefix("#card-") for one in drawn}


def sits_and_bets(page: Page) -> None:
    """Sit down at the first free seat, and bet."""
    page.locator('[data-act="sit"]').click()
    expect(page.locator('[data-spot="main"]')).to_be_visible()
    typed(page, "bet main 10 fortune 5")
    has_bet(page)


def sets(page: Page, cards: set[str]) -> None:
    """Set a hand of these cards the house way."""
    typed(page, f"set {show_setting(house_setting(RULES, parse_cards(' '.join(sorted(cards)))))}")


def deals(page: Page, until: Callable[[], bool], meanwhile: Callable[[], None], most: int = 150) -> None:
    """Do whatever the console says comes next, until something is so."""
    for _ in range(most):
        if until():
            return
        meanwhile()
        press(page, '[data-act="next"]')
        page.wait_for_timeout(80)
    raise AssertionError(f"it never comes to that: {page.locator('main').inner_text()[:600]}")


def test_four_people_at_one_table_each_see_what_is_theirs(opening: Opening, own_floor: ServedFloor) -> None:
    dealer = opening(own_floor, TABLE, by="deb", size=(1180, 820))
    player = opening(own_floor, TABLE, by="pat")
    supervisor = opening(own_floor, TABLE, by="flo")
    surveillance = opening(own_floor, TABLE, by="sam")
    sits_and_bets(player)
    seen: set[str] = set()

    def meanwhile() -> None:
        cards = held(player)
        if cards:
            for page in (dealer, supervisor, surveillance):
                assert not shown(page) & cards, "face-down cards are the player's"
            seen.update(cards)
            sets(player, cards)
        press(supervisor, ".next [data-act]")  # a large win of anybody's waits for a supervisor

    deals(dealer, lambda: player.locator(".last-round").count() > 0, meanwhile)
    assert len(seen) == RULES.game.hand_cards
    assert player.locator(".last-round .lines li").count() >= 2
    expect(surveillance.get_by_text("Close the round").first).to_be_visible()
    expect(supervisor.locator(".felt")).to_be_visible()


def test_a_card_of_the_dealers_is_exposed_the_round_is_void_and_wagers_come_back(
    opening: Opening, own_floor: ServedFloor
) -> None:
    dealer = opening(own_floor, TABLE, by="deb", size=(1180, 820))
    player = opening(own_floor, TABLE, by="pat")
    sits_and_bets(player)
    deals(dealer, lambda: player.locator(".arranging").count() > 0, lambda: None)
    dealer.locator('[data-act="went-wrong"]').click()
    dealer.locator('dialog [data-step="expose_card"]').click()
    dealer.locator('dialog [data-where="expose_card-1"]').click()
    expect(dealer.locator("dialog .consequence")).to_contain_text("Void the round")
    dealer.locator('[data-act="confirm-wrong"]').click()
    deals(dealer, lambda: player.locator(".last-round").count() > 0, lambda: None)
    for line in player.locator(".last-round .lines strong").all_inner_texts():
        assert line in ("push", "returned"), "nothing is won or lost in a void round"


def test_the_dealer_and_the_floor_are_told_at_once_who_is_to_get_up(
    opening: Opening, own_floor: ServedFloor
) -> None:
    dealer = opening(own_floor, TABLE, by="deb", size=(1180, 820))
    supervisor = opening(own_floor, TABLE, by="flo")
    player = opening(own_floor, TABLE, by="pat")
    sits_and_bets(player)
    deals(dealer, lambda: bool(held(player)), lambda: None)
    excluded = player.evaluate(
        """() => fetch("/api/v1/me/exclusion", {
            method: "POST",
            headers: {"x-csrf-token": JSON.parse(document.getElementById("boot").textContent).csrf},
            body: "{}",
        }).then((answer) => answer.status)"""
    )
    assert excluded == 200
    for page in (dealer, supervisor):
        expect(page.get_by_text("leaves the table as soon as the law permits")).to_be_visible()
    dealer.locator('[data-act="got-up"]').click()
    for page in (dealer, supervisor):
        expect(page.get_by_text("leaves the table as soon as the law permits")).to_have_count(0)
