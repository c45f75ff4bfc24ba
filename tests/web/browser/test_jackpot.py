"""A jackpot at a table of real cards: from COIN IN by keypad, supervisor and key to the printed slip."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.web.browser.conftest import Opening
from tests.web.browser.serving import TYPED
from tests.web.browser.support import ServedFloor, has_bet, press

PLAYERS = "As Ah Ad Ac Jk Kd 3d"
DEALERS = "9s 9h 7d 5c Qs Jd 4c"
STARTS = "1"
WON = ("acknowledge_claim", "verify_jackpot", "turn_key", "press_jpot", "turn_key", "pay_jackpot")
"""What the floor does about a win, in its order."""


def types_cards(page: Page, cards: str) -> None:
    """Type cards on the dealer's keys."""
    for card in cards.split():
        for key in ("Jk",) if card == "Jk" else tuple(card):
            page.locator(f'.next [data-key="{key}"]').click()


def deals_one_step(dealer: Page) -> str:
    """Do what comes next at the dealer's console, filling in what it asks for; return what it was."""
    if done := press(dealer, '.next [data-act="next"]'):
        return done
    step = dealer.locator(".next").get_attribute("data-step") or ""
    asked = dealer.locator(".next h2").inner_text()
    if step == "press_start":
        dealer.locator("#press_start-number").fill(STARTS)
    elif step == "enter_hand":
        types_cards(dealer, DEALERS if "dealer" in asked else PLAYERS)
    done = press(dealer, '.next [data-act="send"]')
    if done:  # nothing is filled in twice: the console asks for something else now
        expect(dealer.locator(".next h2")).not_to_have_text(asked)
    return done


def test_a_share_of_the_meter_is_won_from_coin_in_to_the_slip(
    opening: Opening, own_floor: ServedFloor
) -> None:
    table = f"/tables/{TYPED}"
    dealer = opening(own_floor, table, by="deb", size=(1180, 820))
    player = opening(own_floor, table, by="pat")
    floor = opening(own_floor, table, by="flo")
    player.locator('[data-act="sit"]').click()
    expect(player.locator('[data-spot="main"]')).to_be_visible()
    line = player.get_by_label("Type a command")
    line.fill("bet main 10 progressive 1")
    line.press("Enter")
    has_bet(player)
    dealt, ruled = list[str](), list[str]()
    for _ in range(200):
        if player.locator(".last-round").count():
            break
        press(player, '.asked[data-step="set"] [data-act="send"]')
        if done := press(floor, ".next [data-act]"):
            ruled.append(done)
            floor.wait_for_timeout(150)
        step = deals_one_step(dealer)
        dealt += [step] if step and step not in dealt[-1:] else []
        dealer.wait_for_timeout(100)
    assert [step for step in dealt if step in ("coin_in", "press_hand", "game_over")] == [
        "coin_in",
        "press_hand",
        "game_over",
    ]
    assert tuple(step for n, step in enumerate(ruled) if ruled[n - 1 : n] != [step]) == WON
    won = player.locator(".last-round .lines li", has_text="of the meter")
    expect(won).to_contain_text("+$999.02")  # a tenth of $10,000.24, less the dollar that was wagered
    floor.locator('[data-act="print_slip"]').first.click()
    expect(floor.get_by_text(re.compile("printed", re.IGNORECASE)).first).to_be_visible()
