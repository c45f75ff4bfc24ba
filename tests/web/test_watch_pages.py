"""The pages of those who watch: rounds found again, a round replayed, its dispute packet."""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from starlette.testclient import TestClient

from houseway.rounds.roles import Role
from houseway.store.memory import MemoryStore
from houseway.web.making import site
from houseway.web.receipt import receipt_page
from tests.floor.support import new_floor, play, two_tables
from tests.service.support import Person, served


@pytest.fixture
def client() -> Iterator[TestClient]:
    floor = two_tables(new_floor(MemoryStore()))
    play(floor, "t1", 1)
    with served(floor, site) as (found, _):
        yield found


def boot(page: str) -> Any:
    """Return what the scripts of a page begin with."""
    found = re.search(r'<script type="application/json" id="boot">(.*?)</script>', page)
    assert found is not None
    return json.loads(found[1])


def test_rounds_are_searched_by_the_tables_and_steps_that_there_are(client: TestClient) -> None:
    told = boot(Person(client, "Eye", Role.SURVEILLANCE).send("GET", "/rounds").text)
    assert told["tables"] == ["t1", "t2"] and told["games"]["pa-659a"] == "Fortune Asia Poker"
    assert {"step": "no_more_bets", "label": "No more bets"} in told["steps"]


def test_a_replay_begins_with_its_round_and_what_its_table_plays_by(client: TestClient) -> None:
    told = boot(Person(client, "Reg", Role.REGULATOR).send("GET", "/tables/t1/rounds/1").text)
    assert (told["table"], told["round"], told["row"]["ending"]) == ("t1", 1, "played")
    assert [part["name"] for part in told["facts"]["parts"]] == ["high", "medium", "low"]


@pytest.mark.parametrize("path", ["/tables/t1/rounds/2", "/tables/t1/rounds/x", "/tables/none/rounds/1"])
def test_a_round_that_is_not_over_or_not_there_is_said_to_be_missing(client: TestClient, path: str) -> None:
    answer = Person(client, "Eye", Role.SURVEILLANCE).send("GET", path)
    assert answer.status_code == 404 and "no such" in answer.text


def test_a_player_opens_the_replay_of_their_own_round_and_of_no_other(client: TestClient) -> None:
    path = "/tables/t1/rounds/1"
    assert Person(client, "Ann", Role.PLAYER).send("GET", path).status_code == 200
    answer = Person(client, "Nick", Role.PLAYER).send("GET", path)
    assert answer.status_code == 404 and "no such round of yours" in answer.text
    assert Person(client, "Ann", Role.PLAYER).send("GET", f"{path}/packet").status_code == 403


def test_a_dispute_packet_is_a_page_that_carries_its_own_style_and_runs_nothing(client: TestClient) -> None:
    answer = Person(client, "Reg", Role.REGULATOR).send("GET", "/tables/t1/rounds/1/packet")
    assert answer.status_code == 200 and "Table t1, round 1" in answer.text
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy and "script-src" not in policy
    for style in re.findall(r"<style>(.*?)</style>", answer.text, re.DOTALL):
        assert base64.b64encode(hashlib.sha256(style.encode()).digest()).decode() in policy
    assert not re.search(r"<[^>]+ style=|<script", answer.text)


def test_the_page_that_checks_receipts_is_a_file_that_runs_its_own_script_and_loads_nothing(
    client: TestClient,
) -> None:
    client.cookies.clear()
    answer = client.get("/receipt")
    assert answer.status_code == 200 and answer.text == receipt_page()
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy and "unsafe" not in policy
    own = re.search(r'Content-Security-Policy" content="([^"]+)"', answer.text)
    assert own is not None and policy == f"{html.unescape(own[1])}; frame-ancestors 'none'"
    texts = re.findall(r"<style>(.*?)</style>", answer.text, re.DOTALL)
    texts += re.findall(r'<script type="module">(.*?)</script>', answer.text, re.DOTALL)
    assert len(texts) == 2
    for text in texts:
        assert base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() in policy
    assert not re.search(r"""(src|href)=|url\(|@import|https?:|<[^>]+ (style|on\w+)=""", answer.text)
