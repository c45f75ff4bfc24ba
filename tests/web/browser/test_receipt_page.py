"""The page that checks receipts, opened as a file in a real browser that is offline: no floor is served."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest
from msgspec.structs import replace
from playwright.sync_api import Browser, Page, expect

from houseway.floor.core import Floor
from houseway.floor.receipts import check_receipt, read_receipt
from houseway.floor.receipts.model import write_receipt
from houseway.rng import SystemEntropy
from houseway.rounds.roles import Role
from houseway.rounds.step import Actor
from houseway.rounds.steps.players import Sit
from houseway.store.safe import DeckSafe, key_path, load_key
from houseway.store.signed_notes import Verifier
from houseway.store.sqlite import SqliteStore
from houseway.store.tree_log import Notary
from houseway.web.receipt import receipt_page
from tests.floor.support import play, say
from tests.floor.test_packets import LICENSED
from tests.floor.test_receipts import (
    LIES,
    NOTARY,
    OTHER,
    REGULATOR,
    good,
    swapped_deck,
)
from tests.web.browser.conftest import Opening
from tests.web.browser.support import ServedFloor

TABLE = "pa-670a"
DESKTOP, PHONE = (1280, 900), (390, 844)
HOLDS, NOT = "This receipt holds.", "This receipt does NOT hold."


@contextmanager
def opened(browser: Browser, folder: Path, size: tuple[int, int], text: str | None = None) -> Iterator[Page]:
    """Open the page from a file in a browser that has no network; nothing must go wrong in it."""
    file, wrong = folder / "receipt.html", list[str]()
    file.write_text(text or receipt_page(), encoding="utf-8")
    context = browser.new_context(viewport={"width": size[0], "height": size[1]}, offline=True)
    page = context.new_page()
    page.on("console", lambda one: wrong.append(one.text) if one.type in ("error", "warning") else None)
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("request", lambda one: wrong.append(one.url) if one.url != file.as_uri() else None)
    page.goto(file.as_uri())
    yield page
    context.close()
    assert not wrong


def drop(page: Page, data: bytes) -> str:
    """Open a receipt on the page; return its verdict."""
    page.set_input_files("#file", files=[])
    page.locator("#result").evaluate("node => node.replaceChildren()")
    page.set_input_files("#file", {"name": "r.json", "mimeType": "application/json", "buffer": data})
    verdict = page.locator(".verdict")
    expect(verdict).to_be_visible()
    return verdict.inner_text()


def signed_anew(lie: str) -> bytes:
    """Return a receipt that the floor itself signs, although it is not of its log."""
    return write_receipt(LIES[lie](read_receipt(good("pa-659a"))[0]), NOTARY.signer)


def byte_changed(at: int) -> bytes:
    data = good("pa-659a")
    return data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]


def signed_by_another() -> bytes:
    receipt = read_receipt(good("pa-659a"))[0]
    return write_receipt(replace(receipt, round=1), OTHER.signer)


BAD: dict[str, Callable[[], bytes]] = {
    "a byte of the body": lambda: byte_changed(4_000),
    "a byte of the signature": lambda: byte_changed(len(good("pa-659a")) - 20),
    "another signer": signed_by_another,
    "no receipt": lambda: b'{"receipt":1}',
    "cut off": lambda: good("pa-659a")[:-100],
    "another deck": swapped_deck,
    **{
        lie: lambda lie=lie: signed_anew(lie)  # type: ignore[misc]
        for lie in (
            "another card",
            "another salt",
            "an entry less",
            "another order",
            "no steps",
            "no last entry",
            "another leaf",
            "another head",
            "another round",
            "another table",
            "a shorter proof",
        )
    },
}


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_good_receipts_hold_and_bad_ones_do_not(
    browser: Browser, tmp_path: Path, size: tuple[int, int]
) -> None:
    with opened(browser, tmp_path, size) as page:
        for game in LICENSED:
            assert drop(page, good(game)) == HOLDS, page.locator("#result").inner_text()
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert drop(page, good("pa-659a", REGULATOR)) == HOLDS
        assert "The opened order is the one" in page.locator(".yes").inner_text()
        said = set[str]()
        for name, make in BAD.items():
            assert drop(page, make()) == NOT, name
            said.add(page.locator(".what").inner_text())
        assert len(said) > 8  # each is named by what does not fit
        assert drop(page, good("pa-659a")) == HOLDS


def test_the_page_says_what_is_proven_and_what_is_not(browser: Browser, tmp_path: Path) -> None:
    with opened(browser, tmp_path, DESKTOP) as page:
        drop(page, good("pa-659a"))
        yes, no = page.locator(".yes").inner_text(), page.locator(".no").inner_text()
        assert "signatures" in yes and "none is missing" in yes and "committed to before it was dealt" in yes
        assert "That the key is the floor's" in no and "witness" in no and "hands that nobody may see" in no
        assert "no other history" not in yes
        expect(page.locator(".steps")).to_contain_text("wins 1 to 1")
        page.fill("#posted", str(NOTARY.verifier))
        page.locator("#posted").blur()
        expect(page.locator(".yes")).to_contain_text("The key is the one")
        page.fill("#posted", str(OTHER.verifier))
        page.locator("#posted").blur()
        expect(page.locator(".verdict")).to_have_text(NOT)


def test_where_a_browser_knows_no_ed25519_the_signature_is_said_not_to_be_checked(
    browser: Browser, tmp_path: Path
) -> None:
    with opened(browser, tmp_path, DESKTOP) as page:
        page.evaluate("() => { crypto.subtle.importKey = () => Promise.reject(new Error('unknown')); }")
        assert "its signature was not checked" in drop(page, good("pa-575"))
        assert "does not support Ed25519" in page.locator(".no").inner_text()
        assert drop(page, signed_anew("another card")) == NOT


def test_what_a_receipt_says_is_never_taken_for_markup(browser: Browser, tmp_path: Path) -> None:
    receipt = read_receipt(good("pa-575"))[0]
    mark = "<img src=x onerror=document.title='obeyed'>"
    other = replace(receipt, viewer=replace(receipt.viewer, id=mark))
    with opened(browser, tmp_path, DESKTOP) as page:
        assert drop(page, write_receipt(other, NOTARY.signer)) == HOLDS
        assert mark in page.locator("#result").inner_text() and page.title() == "Check a receipt"
        assert page.locator("#result img").count() == 0


# --- from the floor to the page -----------------------------------------------------------------------


def play_one(served: ServedFloor) -> tuple[int, Verifier]:
    """Let Pat play a round while nobody serves the floor; return its number, and who signs for the floor."""
    served.stop()
    store = SqliteStore(served.database)
    safe = DeckSafe(load_key(key_path(served.database)), SystemEntropy())
    floor = Floor(store, lambda: datetime.now(UTC), SystemEntropy(), safe)
    play(floor, TABLE, 1)  # whatever house players have begun
    free = next(at for at in range(2, 8) if at not in floor.table(TABLE).table.seats)
    say(floor, TABLE, Actor("pat", Role.PLAYER, "Pat"), Sit(free))
    play(floor, TABLE, 1)
    last = floor.table(TABLE).table.last
    store.close()
    served.start()
    assert last is not None
    return last.number, Notary(safe).verifier


def test_a_player_saves_a_receipt_and_the_page_and_checks_the_one_by_the_other(
    opening: Opening, browser: Browser, own_floor: ServedFloor, tmp_path: Path
) -> None:
    number, verifier = play_one(own_floor)
    page = opening(own_floor, f"/tables/{TABLE}/rounds/{number}", by="pat")
    with page.expect_download() as saving:
        page.locator('[data-act="receipt"]').click()
    assert saving.value.suggested_filename == f"receipt-{TABLE}-{number}.json"
    receipt = saving.value.path().read_bytes()
    assert check_receipt(receipt, signed_by=verifier).receipt.viewer.id == "pat"
    with page.expect_download() as saving:
        page.locator('[data-act="receipt-page"]').click()
    text = saving.value.path().read_text(encoding="utf-8")
    with opened(browser, tmp_path, PHONE, text) as alone:
        assert drop(alone, receipt) == HOLDS
