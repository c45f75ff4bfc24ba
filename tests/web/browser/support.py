"""What tests in a browser use: a served floor, pages that are watched, and the ways people play."""

from __future__ import annotations

import re
import socket
import subprocess
import sys
import time
import urllib.request
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType

from playwright.sync_api import Browser, BrowserContext, Page, expect

from houseway.service.demo_people import DEMO_PEOPLE, demo_password

HERE = Path(__file__).parent
ROOT = HERE.parents[2]
PATIENCE = 20_000
"""Milliseconds to wait for something that comes by itself."""
expect.set_options(timeout=PATIENCE)


def free_port() -> int:
    """Return a port that nobody uses."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port


class ServedFloor:
    """A demo floor in a process of its own; it can be stopped and started again."""

    def __init__(self, database: Path, busy: int = 0) -> None:
        self.database, self.port, self.busy = database, free_port(), busy
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def address(self) -> str:
        """Where it is served."""
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        """Start it, and wait until it answers."""
        given = (str(self.database), str(self.port), str(self.busy))
        command = [sys.executable, "-m", "tests.web.browser.serving", *given]
        self._process = subprocess.Popen(command, cwd=ROOT)
        for _ in range(600):
            try:
                with urllib.request.urlopen(f"{self.address}/ready", timeout=5):
                    return
            except OSError:
                assert self._process.poll() is None, "the server ended"
                time.sleep(0.1)
        raise AssertionError("the server never answered")

    def stop(self) -> None:
        """Stop it as an operator would."""
        assert self._process is not None
        self._process.terminate()
        self._process.wait(30)

    def kill(self) -> None:
        """End it in the middle of whatever it does."""
        assert self._process is not None
        self._process.kill()
        self._process.wait(30)

    def __enter__(self) -> ServedFloor:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.kill()


@dataclass
class Watched:
    """What went wrong in a page: errors in its console, and requests to anybody else."""

    wrong: list[str] = field(default_factory=list)
    quiet: bool = False
    """Whether a server that is stopped on purpose may be missed."""

    def note(self, words: str) -> None:
        """Take note of something, unless it is expected."""
        expected = ("status of 40", "status of 409") if not self.quiet else ("",)
        if not any(words_expected in words for words_expected in expected):
            self.wrong.append(words)


def open_page(
    browser: Browser, floor: ServedFloor, path: str, by: str | None, size: tuple[int, int]
) -> tuple[Page, BrowserContext, Watched]:
    """Open a page in a browser of somebody's own; ``by`` is who of the demo signs in first."""
    context = browser.new_context(viewport={"width": size[0], "height": size[1]}, reduced_motion="reduce")
    context.set_default_timeout(PATIENCE)
    page, watched = context.new_page(), Watched()
    page.on("console", lambda message: watched.note(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: watched.note(str(error)))
    page.on("request", lambda request: _within(request.url, floor, watched))
    page.watched = watched  # type: ignore[attr-defined]
    if by is not None:
        sign_in(page, floor, by)
    page.goto(floor.address + path)
    return page, context, watched


def _within(url: str, floor: ServedFloor, watched: Watched) -> None:
    if not url.startswith((floor.address, floor.address.replace("http", "ws"), "data:", "blob:")):
        watched.note(f"a request left the host: {url}")


def sign_in(page: Page, floor: ServedFloor, person: str) -> None:
    """Sign somebody of the demo in."""
    (actor,) = (somebody for somebody in DEMO_PEOPLE if somebody.id == person)
    page.goto(f"{floor.address}/sign-in")
    page.get_by_label("Name").fill(actor.shown)
    page.get_by_label("Password").fill(demo_password(actor))
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_url(f"{floor.address}/")


# --- how people play ----------------------------------------------------------------------------------


def practise(page: Page, game: str) -> None:
    """Go to a practice table by one press in the lobby; one sits down there by oneself."""
    page.locator(f'[data-practise="{game}"]').click()
    expect(page.locator('[data-spot="main"]')).to_be_visible()
    expect(page.locator(".purse b")).not_to_have_text("$0")


def bet(page: Page, *spots: str) -> None:
    """Lay a chip on each spot and place the bets."""
    for spot in spots:
        page.locator(f'[data-spot="{spot}"]').click()
    page.locator('[data-act="bet"]').click()


def set_the_house_way(page: Page) -> None:
    """Have the house way fill the parts, and set the hand."""
    page.locator('[data-act="house-way"]').click()
    expect(page.locator('[data-act="set"]')).to_be_enabled()
    page.locator('[data-act="set"]').click()


def settled(page: Page) -> str:
    """Wait for the end of the round; return the verdict."""
    expect(page.locator(".verdict")).to_be_visible()
    verdict = page.locator(".verdict").inner_text()
    expect(page.locator(".last-round")).to_be_visible()
    return verdict


def press(page: Page, selector: str) -> str:
    """Press a button if it is there and may be pressed, found and pressed in one moment; return its step.

    Where tables change by themselves, a button that was found may be gone before it is pressed.
    """
    pressed = page.evaluate(
        """wanted => {
            const button = document.querySelector(`${wanted}:enabled`);
            const step = button?.closest("[data-step]")?.dataset.step ?? "";
            button?.click();
            return step;
        }""",
        selector,
    )
    return str(pressed)


def has_bet(page: Page) -> None:
    """Wait until a player's bets are placed."""
    expect(page.locator(".placed-note")).to_contain_text("Your bets are placed")


def tab_to(page: Page, selector: str, most: int = 120) -> None:
    """Go to something by the Tab key alone."""
    for _ in range(most):
        if page.evaluate("wanted => document.activeElement?.matches(wanted)", selector):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"no way to {selector} by Tab")


def amounts(page: Page) -> list[str]:
    """Return the amounts of the last round's lines."""
    return [re.sub(r"\s", "", text) for text in page.locator(".last-round .lines strong").all_inner_texts()]
