"""The pages about the games and the law: any hand, clauses and readings, PAR sheets counted apart."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Iterator, Sequence

import pytest
from starlette.testclient import TestClient

from houseway.games import Submission, example_submission, games
from houseway.law.rule_sets import rule_sets
from houseway.rounds.codec import decode
from houseway.rounds.roles import Role
from houseway.service.api import Server
from houseway.service.sheets import NotCountedError, Sheets, run_command
from houseway.store.memory import MemoryStore
from houseway.web.law_pages import COUNTED_BY
from houseway.web.making import site
from tests.floor.support import make_table, new_floor
from tests.service.support import Person, served
from tests.web.test_watch_pages import boot

SHEET = "<!doctype html><style>p{}</style><p style='width: 3%'>counted"


class Counter:
    """Counts at once, or when it is let; and knows what it was given."""

    def __init__(self) -> None:
        self.given: list[Submission] = []
        self.waits = asyncio.Event()
        self.fails = False

    async def __call__(self, command: Sequence[str], given: bytes) -> str:
        assert command == COUNTED_BY
        self.given.append(decode(Submission, given))
        await self.waits.wait()
        if self.fails:
            raise NotCountedError("the abacus is gone")
        return SHEET


@pytest.fixture
def counter() -> Counter:
    return Counter()


@pytest.fixture
def floor_served(counter: Counter) -> Iterator[tuple[TestClient, Server]]:
    floor = new_floor(MemoryStore())
    filed = example_submission("pa-659a").model_copy(update={"reference": "OURS-1"})
    make_table(floor, "t1", filed, "link")
    with served(floor, site) as (client, server):
        server.sheets = Sheets(counter)
        yield client, server


def until_done(client: TestClient, counter: Counter) -> None:
    """Let what is counted be counted."""
    portal = client.portal
    assert portal is not None
    portal.call(counter.waits.set)
    for _ in range(50):
        portal.call(asyncio.sleep, 0)


def test_any_hand_is_asked_about_in_every_game_by_anybody(
    floor_served: tuple[TestClient, Server],
) -> None:
    told = boot(floor_served[0].get("/hand").text)
    assert [one["game"] for one in told["games"]] == [one.id for one in games()]
    for one in told["games"]:
        assert sum(part["cards"] for part in one["parts"]) == one["hand_cards"] and one["joker"]


def test_the_law_is_open_but_the_chain_and_the_sheets_are_for_some(
    floor_served: tuple[TestClient, Server],
) -> None:
    client, _ = floor_served
    nobodys = boot(client.get("/law").text)
    assert [one["rule_set"] for one in nobodys["laws"]] == [one.id for one in rule_sets()]
    assert (nobodys["chain"], nobodys["games"]) == (False, [])
    regulators = boot(Person(client, "Reg", Role.REGULATOR).send("GET", "/law").text)
    assert regulators["chain"] and len(regulators["games"]) == len([one for one in games() if one.licensed])


def test_a_sheet_is_counted_once_from_the_rules_in_effect_and_then_stays(
    floor_served: tuple[TestClient, Server], counter: Counter
) -> None:
    client, _ = floor_served
    reg = Person(client, "Reg", Role.REGULATOR)
    first = reg.send("GET", "/law/par/pa-659a")
    assert first.status_code == 202 and "Counting every pair" in first.text and "OURS-1" in first.text
    assert reg.send("GET", "/law/par/pa-659a").status_code == 202
    until_done(client, counter)
    done = reg.send("GET", "/law/par/pa-659a")
    assert (done.status_code, done.text) == (200, SHEET)
    assert "style-src 'unsafe-inline'" in done.headers["content-security-policy"]
    assert "default-src 'none'" in done.headers["content-security-policy"]
    assert [one.reference for one in counter.given] == ["OURS-1"]


def test_a_game_that_nobody_filed_is_counted_by_our_example(
    floor_served: tuple[TestClient, Server], counter: Counter
) -> None:
    client, _ = floor_served
    reg = Person(client, "Reg", Role.REGULATOR)
    assert reg.send("GET", "/law/par/pa-575").status_code == 202
    until_done(client, counter)
    assert counter.given == [example_submission("pa-575")]
    for missing in ("none", "ref-pgp"):
        assert reg.send("GET", f"/law/par/{missing}").status_code == 404


def test_a_sheet_that_fails_says_why_and_is_counted_again_when_asked(
    floor_served: tuple[TestClient, Server], counter: Counter
) -> None:
    client, _ = floor_served
    reg = Person(client, "Reg", Role.REGULATOR)
    counter.fails = True
    reg.send("GET", "/law/par/pa-659a")
    until_done(client, counter)
    for _ in range(2):
        assert "the abacus is gone" in reg.send("GET", "/law/par/pa-659a").text
    assert len(counter.given) == 1
    counter.fails = False
    assert reg.send("GET", "/law/par/pa-659a?again=1").status_code == 202
    until_done(client, counter)
    assert reg.send("GET", "/law/par/pa-659a").status_code == 200


def test_one_sheet_is_counted_at_a_time(floor_served: tuple[TestClient, Server], counter: Counter) -> None:
    client, _ = floor_served
    reg = Person(client, "Reg", Role.REGULATOR)
    for game in ("pa-659a", "pa-575", "pa-670a"):
        assert reg.send("GET", f"/law/par/{game}").status_code == 202
    assert len(counter.given) == 1, "the others wait for their turn"
    until_done(client, counter)
    assert len(counter.given) == 3


def test_a_command_is_given_its_input_and_a_failing_one_is_told() -> None:
    shout = (sys.executable, "-c", "import sys; sys.stdout.write(sys.stdin.read().upper())")
    assert asyncio.run(run_command(shout, b"sheet")) == "SHEET"
    fails = (sys.executable, "-c", "import sys; sys.exit('no such thing')")
    with pytest.raises(NotCountedError, match="no such thing"):
        asyncio.run(run_command(fails, b""))


def test_what_counts_a_sheet_reads_a_submission_and_refuses_anything_else() -> None:
    answer = subprocess.run(COUNTED_BY, input=b"{}", capture_output=True, check=False)
    assert answer.returncode and b"Error" in answer.stderr and not answer.stdout


def test_serving_pages_loads_nothing_that_counts() -> None:
    looked = "import sys, houseway.web.making; print(*{'numba', 'numpy', 'matplotlib'} & {*sys.modules})"
    answer = subprocess.run((sys.executable, "-c", looked), capture_output=True, check=True)
    assert answer.stdout.split() == []
