"""The pages of the site: who may open which, and what every page is sent with."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator, Sequence
from itertools import product

import pytest
from starlette.testclient import TestClient

from houseway.rounds.roles import Role
from houseway.service.api.auth import COOKIE
from houseway.service.sheets import Sheets
from houseway.store.memory import MemoryStore
from houseway.web.making import MAKERS, site
from houseway.web.pages import PAGES
from houseway.web.texts import TEXTS
from tests.floor.support import new_floor, play, two_tables
from tests.service.support import Person, served

EVERYBODY = frozenset({*Role, None})
WATCHING = frozenset({Role.SURVEILLANCE, Role.REGULATOR})
SUPERVISES = frozenset({Role.FLOORPERSON, Role.MANAGER, Role.KEY_HOLDER})
OFFICE = frozenset({Role.ACCOUNTING, Role.REGULATOR, Role.ADMINISTRATOR})
PERSONS = SUPERVISES | OFFICE | {Role.PLAYER, Role.DEALER, Role.SURVEILLANCE}
WRITTEN = {
    "lobby": EVERYBODY,
    "sign_in": EVERYBODY,
    "table": frozenset(Role),
    "rack_card": EVERYBODY,
    "rules": EVERYBODY,
    "signage": EVERYBODY,
    "rounds": WATCHING,
    "replay": WATCHING | {Role.PLAYER},
    "packet": WATCHING,
    "receipt": EVERYBODY,
    "history": frozenset({Role.PLAYER}),
    "floor": SUPERVISES | {Role.ADMINISTRATOR},
    "submissions": SUPERVISES | OFFICE,
    "accounting": OFFICE | {Role.MANAGER},
    "people": frozenset({Role.ADMINISTRATOR}),
    "access": WATCHING | {Role.ADMINISTRATOR},
    "me": PERSONS,
    "hand": EVERYBODY,
    "law": EVERYBODY,
    "par": OFFICE | {Role.MANAGER, Role.SURVEILLANCE},
}
"""Who may open each page, written out."""


@pytest.fixture
def client() -> Iterator[TestClient]:
    floor = two_tables(new_floor(MemoryStore()))
    play(floor, "t1", 1)
    with served(floor, site) as (found, server):
        server.sheets = Sheets(never_counted)
        yield found


async def never_counted(command: Sequence[str], given: bytes) -> str:
    del command, given
    await asyncio.Event().wait()
    return ""


def path_of(page: str) -> str:
    return PAGES[page].path.format(table="t1", meter="link", round="1", game="pa-659a")


def opened(client: TestClient, page: str, cookie: str | None) -> int:
    client.cookies.clear()
    headers = {"cookie": f"{COOKIE}={cookie}"} if cookie else {}
    return client.get(path_of(page), headers=headers, follow_redirects=False).status_code


def test_every_page_is_opened_by_those_written_out_here_and_by_nobody_else(client: TestClient) -> None:
    names = {role: "Ann" if role is Role.PLAYER else f"the {role}" for role in Role}
    people = {role: Person(client, names[role], role).cookies[COOKIE] for role in Role}
    assert set(WRITTEN) == set(PAGES) == set(MAKERS)
    for page, role in product(PAGES, [*Role, None]):
        answer = opened(client, page, people[role] if role else None)
        allowed = role in WRITTEN[page]
        expected = 202 if page == "par" else 200  # it is being counted
        assert answer == (expected if allowed else 303 if role is None else 403), (page, role, answer)


def test_pages_run_nothing_but_our_own_scripts_and_hold_no_style_or_handler_of_their_own(
    client: TestClient,
) -> None:
    people = [
        Person(client, name, role)
        for name, role in (("Ann", Role.PLAYER), ("Reg", Role.REGULATOR), ("Ada", Role.ADMINISTRATOR))
    ]
    for page, who in product(set(PAGES) - {"rack_card", "packet", "receipt"}, people):
        if who.role not in WRITTEN[page]:
            continue
        answer = who.send("GET", path_of(page))
        assert "default-src 'self'" in answer.headers["content-security-policy"], page
        assert not re.search(r"<[^>]+ (style|on\w+)=", answer.text), page
        assert not re.search(r"""(src|href)=["'](https?:)?//""", answer.text), page


def test_a_page_that_is_not_there_says_so(client: TestClient) -> None:
    ann = Person(client, "Ann", Role.PLAYER)
    answer = ann.send("GET", "/tables/nowhere")
    assert answer.status_code == 404
    assert "no such table" in answer.text


def test_who_signs_in_goes_on_within_the_site(client: TestClient) -> None:
    for wanted, found in (("/tables/t1", "/tables/t1"), ("//elsewhere.example", "/"), ("https://x", "/")):
        page = client.get("/sign-in", params={"next": wanted}).text
        assert f'"next":"{found}"' in page


def test_every_text_that_a_script_or_template_asks_for_is_in_the_catalogue() -> None:
    from houseway.web.site import STATIC  # noqa: PLC0415

    templates = STATIC.parent / "templates" / "site"
    sources = [*STATIC.rglob("*.js"), *templates.glob("*.html")]
    asked = {
        (file.name, key)
        for file in sources
        for key in re.findall(r"""\bt\(\s*["']([a-z_.0-9]*[a-z_0-9])["']""", file.read_text(encoding="utf-8"))
    }
    assert len(asked) > 50
    assert {(file, key) for file, key in asked if key not in TEXTS} == set()


def test_signage_tells_awards_in_dollars_and_parts_of_the_meter(client: TestClient) -> None:
    page = client.get("/signage/link").text
    rows = dict(re.findall(r'<th scope="row">([^<]+)</th><td>([^<]+)</td>', page))
    assert rows["Five aces"] == "10% of meter"
    assert rows["Royal flush"] == "$500"
    assert not [award for award in rows.values() if not re.fullmatch(r"\$[\d,]+|\d+% of meter", award)]
