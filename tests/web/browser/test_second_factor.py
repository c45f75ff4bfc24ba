"""In a real browser: a second factor set up, asked for at the door, demanded of a role, and read of."""

from __future__ import annotations

from datetime import UTC, datetime

from playwright.sync_api import Page, expect
from pyotp.totp import TOTP

from houseway.service.demo_people import DEMO_PEOPLE, demo_password
from tests.web.browser.conftest import Opening
from tests.web.browser.support import ServedFloor


def code_of(secret: str, later: int = 0) -> str:
    return TOTP(secret).at(datetime.now(UTC), counter_offset=later)


def set_up(page: Page) -> str:
    """Set up a second factor on one's own page; return its secret."""
    page.locator('[data-act="begin-factor"]').click()
    secret = page.locator("[data-secret]").inner_text()
    page.get_by_label("The code that the app shows").fill(code_of(secret))
    page.locator('[data-act="confirm-factor"]').click()
    return secret


def test_a_manager_whose_role_needs_a_factor_sets_one_up_and_signs_in_with_its_code(
    own_floor: ServedFloor, opening: Opening
) -> None:
    office = opening(own_floor, "/access", by="demo-administrator")
    expect(office.locator("#access")).to_contain_text("Who needs a second factor")
    office.get_by_label("Manager").check()
    office.locator('[data-act="demand-factors"]').click()
    expect(office.locator("#notices")).to_contain_text("These roles now require a second factor")

    mia = opening(own_floor, "/", by=None)
    (actor,) = (one for one in DEMO_PEOPLE if one.id == "mia")

    def sign_in() -> None:
        mia.goto(f"{own_floor.address}/sign-in?next=/submissions")
        mia.get_by_label("Name").fill(actor.shown)
        mia.get_by_label("Password").fill(demo_password(actor))
        mia.get_by_role("button", name="Sign in").click()

    sign_in()
    mia.wait_for_url("**/me?next=*")
    expect(mia.locator("#factor")).to_contain_text("Your role requires one")
    secret = set_up(mia)
    mia.wait_for_url("**/submissions")

    mia.get_by_role("button", name="Sign out").click()
    mia.wait_for_url(f"{own_floor.address}/")
    sign_in()
    mia.get_by_label("Code of your second factor").fill(code_of(secret, 1))
    mia.get_by_role("button", name="Sign in").click()
    mia.wait_for_url("**/submissions")

    office.wait_for_timeout(6_000)  # what was noted is written every five seconds
    office.reload()
    expect(office.locator("#access tbody")).to_contain_text("Set up a second factor")
    expect(office.locator("#access tbody")).to_contain_text("Mia, manager")
