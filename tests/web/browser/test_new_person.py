"""People are who they are, in a browser: a password chosen first, a new person by two administrators."""

from __future__ import annotations

from playwright.sync_api import Locator, Page, Route, expect

from houseway.rounds.roles import Role
from houseway.service.demo_people import DEMO_PEOPLE, demo_password
from tests.web.browser.conftest import Opening
from tests.web.browser.support import ServedFloor

FIRST, SECOND = [actor for actor in DEMO_PEOPLE if actor.role is Role.ADMINISTRATOR]
OWN = "a staple of horses"


def sign_in(page: Page, name: str, password: str) -> None:
    """Sign in by name and password."""
    page.get_by_label("Name").fill(name)
    page.get_by_label("Password").fill(password)
    page.get_by_role("button", name="Sign in").click()


def half_in(page: Page) -> str:
    """Return the half of a secret that a page tells this once, and close what tells it."""
    half = page.locator("dialog [data-secret]").inner_text()
    page.locator("dialog").get_by_role("button", name="Close").click()
    expect(page.locator("dialog")).to_have_count(0)
    return half


def propose(page: Page, name: str, role: str) -> None:
    """Propose to add somebody."""
    section = page.locator(".add-user")
    section.get_by_label("Id").fill(name.lower())
    section.get_by_label("Name").fill(name)
    section.get_by_label(role, exact=True).check()
    section.locator('[data-act="send"]').click()


def proposal_of(page: Page, name: str) -> Locator:
    """Return where a page shows what is proposed for somebody."""
    return page.locator("[data-proposal]").filter(has_text=name)


def ask_for_proof_once(page: Page) -> list[str]:
    """Have the page told once, as after some minutes, that the password is to be given again."""
    asked: list[str] = []

    def answer(route: Route) -> None:
        if asked or route.request.method != "POST":
            route.fallback()
            return
        asked.append(route.request.url)
        body = '{"status":403,"title":"give your password again","must":"prove"}'
        route.fulfill(status=403, content_type="application/problem+json", body=body)

    page.route("**/api/v1/users", answer)
    return asked


def test_a_new_person_is_proposed_by_one_confirmed_by_another_and_chooses_a_password_first(
    opening: Opening, own_floor: ServedFloor
) -> None:
    first = opening(own_floor, "/people", by=FIRST.id)
    second = opening(own_floor, "/people", by=SECOND.id)
    asked = ask_for_proof_once(first)
    propose(first, "Nora", "manager")
    proof = first.locator("dialog form")
    proof.get_by_label("Your password").fill("wrong horse battery")
    proof.get_by_role("button", name="Go on").click()
    expect(proof.get_by_role("alert")).to_contain_text("wrong")
    proof.get_by_label("Your password").fill(demo_password(FIRST))
    proof.get_by_role("button", name="Go on").click()
    one_half = half_in(first)
    assert len(asked) == 1
    expect(proposal_of(first, "Nora")).to_contain_text("Another person must confirm it")
    expect(proposal_of(first, "Nora").locator('[data-act="confirm"]')).to_have_count(0)
    second.reload()
    waiting = proposal_of(second, "Nora")
    expect(waiting).to_contain_text(f"Proposed by {FIRST.shown}")
    expect(waiting).to_contain_text("Manager")
    waiting.locator('[data-act="confirm"]').click()
    other_half = half_in(second)
    expect(second.locator('[data-user="nora"]')).to_contain_text("temporary password")
    nora = opening(own_floor, "/floor")
    sign_in(nora, "Nora", f"{one_half}-{other_half}")
    nora.wait_for_url("**/me?next=%2Ffloor")
    expect(nora.get_by_role("status").filter(has_text="Choose your own")).to_be_visible()
    nora.goto(f"{own_floor.address}/submissions")
    nora.wait_for_url("**/me?next=%2Fsubmissions")
    nora.get_by_label("The password you have").fill(f"{one_half}-{other_half}")
    for label in ("The new password again", "The new password"):
        nora.get_by_label(label, exact=True).fill(OWN)
    nora.locator('[data-act="change-password"]').click()
    nora.wait_for_url("**/submissions")
    expect(nora.get_by_role("heading", name="Submissions", level=1)).to_be_visible()


def test_supervisors_of_people_find_what_waits_on_the_floors_page_too(
    opening: Opening, own_floor: ServedFloor
) -> None:
    first = opening(own_floor, "/people", by=FIRST.id)
    row = first.locator('[data-user="pat"]')
    row.locator('[data-act="reset"]').click()
    row.locator('[data-act="confirm-reset"]').click()
    one_half = half_in(first)
    second = opening(own_floor, "/floor", by=SECOND.id)
    waiting = second.locator('[data-kind="proposal"]')
    expect(waiting).to_contain_text("pat")
    waiting.locator('[data-act="confirm"]').click()
    other_half = half_in(second)
    pat = opening(own_floor, "/sign-in")
    sign_in(pat, "Pat", f"{one_half}-{other_half}")
    pat.wait_for_url("**/me?next=*")
