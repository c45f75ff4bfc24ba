"""What is let in at the doors of a served floor, and what is not: texts, amounts, ids, from anybody."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from houseway.errors import InvalidInputError
from houseway.floor import duties
from houseway.floor.core import Floor
from houseway.floor.people_events import UserAdded
from houseway.floor.readmodels import ReadModels, readings_of_meters
from houseway.floor.tasks import ReadMeter
from houseway.games import example_submission
from houseway.games.submission import EXAMPLES
from houseway.money import Cents
from houseway.rounds.roles import Role
from houseway.rounds.step import Actor
from houseway.service.api import Server
from houseway.service.api.auth import COOKIE, CSRF_HEADER
from houseway.store.memory import MemoryStore
from tests.floor.support import make_table, new_floor, two_tables
from tests.service.doors import guarded
from tests.service.support import Person, served
from tests.store.support import DATABASES, new_store

API = "/api/v1"
BAD = {
    "NUL": "\x00",
    "escape": "\x1b",
    "end of line": "\n",
    "delete": "\x7f",
    "line separator": "\u2028",
    "bidi override": "\u202e",
    "bidi isolate": "\u2066",
    "zero width space": "\u200b",
    "byte order mark": "\ufeff",
    "tag": "\U000e0041",
    "private": "\ue000",
}
EARLY = quote('["0001-01-01T00:00:00+14:00","t1",1]')
NOWHERE = quote('["2026-01-01T00:00:00Z","\\u0000",1]')
FEW = settings(
    max_examples=60,
    deadline=None,
    database=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
)


@contextmanager
def floor_served() -> Iterator[tuple[TestClient, Server]]:
    with served(two_tables(new_floor(MemoryStore()))) as found:
        yield found


@pytest.fixture
def door() -> Iterator[tuple[TestClient, Server]]:
    with floor_served() as found:
        yield found


def sent(person: Person, path: str, body: bytes) -> Any:
    """Send a body as it is, whatever it is."""
    headers = {CSRF_HEADER: person.csrf, "cookie": f"{COOKIE}={person.cookies[COOKIE]}"}
    person.client.cookies.clear()
    return person.client.post(API + path, content=body, headers=headers)


def reading(shown: object, explained: str = "counted twice") -> dict[str, Any]:
    task = {"duty": "read_meter", "meter": "link", "shown": shown, "explained": explained}
    return {"id": "r1", "task": task}


# --- texts --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("bad", BAD.values(), ids=BAD)
def test_what_obeys_or_hides_is_refused_with_the_field_that_holds_it(
    door: tuple[TestClient, Server], bad: str
) -> None:
    client, server = door
    ace, flo = Person(client, "Ace", Role.ACCOUNTING), Person(client, "Flo", Role.FLOORPERSON)
    heads = server.loop.floor.store.heads()
    explained = ace.send("POST", f"{API}/duties", reading(100, f"gone{bad}"))
    assert (explained.status_code, explained.json()["field"]) == (400, "task.explained")
    reason = flo.do("t1", {"step": "rule_abandoned", "position": 2, "lost": False, "reason": f"a{bad}b"})
    assert (reason.status_code, reason.json()["field"]) == (400, "action.reason")
    assert "character 2" in reason.json()["title"] and bad not in reason.text
    name = flo.do("t1", {"step": "sit", "position": 2, f"pos{bad}": 1})
    assert name.status_code == 400 and name.json()["field"].startswith("action.pos")
    assert server.loop.floor.store.heads() == heads


def test_half_a_character_is_refused(door: tuple[TestClient, Server]) -> None:
    flo = Person(door[0], "Flo", Role.FLOORPERSON)
    for half in (rb"\ud800", rb"\udc00x"):
        text = b'{"id":"x","action":{"step":"stop_round","reason":"' + half + b'"}}'
        assert sent(flo, "/tables/t1/commands", text).status_code == 400


def test_a_text_is_kept_in_normal_form_and_words_of_any_script_are_let_in(
    door: tuple[TestClient, Server],
) -> None:
    client, server = door
    ace = Person(client, "Ace", Role.ACCOUNTING)
    words = "cafe\u0301 Zoë 牌九 می\u200cخواهم \U0001f469\u200d\U0001f680"
    assert ace.send("POST", f"{API}/duties", reading(100, words)).status_code == 200
    found = server.loop.floor.meter("link").read
    assert found is not None and found.explained == words.replace("e\u0301", "é")
    hidden = ace.send("POST", f"{API}/duties", reading(100, "ad\u200dmin"))
    assert (hidden.status_code, hidden.json()["field"]) == (400, "task.explained")


def test_a_text_has_an_end_and_nothing_lies_too_deep(door: tuple[TestClient, Server]) -> None:
    client, _ = door
    ace = Person(client, "Ace", Role.ACCOUNTING)
    assert ace.send("POST", f"{API}/duties", reading(100, "x" * 1000)).status_code == 200
    answer = ace.send("POST", f"{API}/duties", reading(100, "x" * 1001))
    assert (answer.status_code, answer.json()["field"]) == (400, "task.explained")
    for depth in (32, 33, 5000):
        body = b'{"id":"x","task":' + b"[" * depth + b"]" * depth + b"}"
        answer = sent(ace, "/duties", body)
        assert ("deep" in answer.text or "recursion" in answer.text) is (depth > 32), answer.text
        assert answer.status_code == 400


def test_a_document_hides_nothing_behind_its_escapes(door: tuple[TestClient, Server]) -> None:
    text = (EXAMPLES / "pa-575" / "example.toml").read_text(encoding="utf-8")
    max_ = Person(door[0], "Max", Role.MANAGER)
    assert max_.send("POST", f"{API}/submissions", {"toml": text}).status_code == 201
    reference = next(line for line in text.splitlines() if line.startswith("reference"))
    hidden = text.replace(reference, 'reference = "two\\u0000parts"')
    answer = max_.send("POST", f"{API}/submissions", {"toml": hidden})
    assert (answer.status_code, answer.json()["field"]) == (400, "toml.reference")


# --- amounts ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("shown", [-1, 10_000_000_001, 9007199254740992, 2**63, 10**30])
def test_a_reading_that_no_meter_shows_is_refused_with_its_field(
    door: tuple[TestClient, Server], shown: int
) -> None:
    client, server = door
    answer = Person(client, "Ace", Role.ACCOUNTING).send("POST", f"{API}/duties", reading(shown))
    assert (answer.status_code, answer.json()["field"]) == (400, "task.shown")
    assert server.loop.floor.meter("link").read is None


@pytest.mark.parametrize("shown", [0, 9_999_999_999, 10_000_000_000])
def test_a_reading_of_any_amount_there_is_is_taken(door: tuple[TestClient, Server], shown: int) -> None:
    client, server = door
    answer = Person(client, "Ace", Role.ACCOUNTING).send("POST", f"{API}/duties", reading(shown))
    assert answer.status_code == 200, answer.text
    server.models.catch_up()


def test_only_a_difference_is_less_than_nothing(door: tuple[TestClient, Server]) -> None:
    client, server = door
    max_ = Person(client, "Max", Role.MANAGER)

    def adjust(amount: int, name: str) -> Any:
        task = {"duty": "adjust_meter", "meter": "link", "amount": amount, "reason": "a chip was miscounted"}
        return max_.send("POST", f"{API}/duties", {"id": name, "task": task})

    most = 100_000_000_00 * 10_000
    assert [adjust(amount, f"d{amount}").status_code for amount in (-most, most)] == [202, 202]
    for amount in (-most - 1, most + 1):
        answer = adjust(amount, "d")
        assert (answer.status_code, answer.json()["field"]) == (400, "task.amount")
    ann = Person(client, "Ann", Role.PLAYER)
    wager = ann.do("t1", {"step": "wager", "position": 2, "wagers": {"main": -100}})
    assert (wager.status_code, wager.json()["field"]) == (400, "action.wagers.main")
    make_table(server.loop.floor, "t3", example_submission("pa-659a"), "link", chips=True)
    chips = {"id": "c", "action": {"step": "buy_in", "person": "Ann", "cash": 10**10 + 1}}
    answer = Person(client, "Deb", Role.DEALER).send("POST", f"{API}/tables/t3/chips", chips)
    assert (answer.status_code, answer.json()["field"]) == (400, "action.cash")


# --- ids, paths and queries ---------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["", "a/b", "!auto", "a b", "é", "x" * 101, "a\x00", "a#1", "a\n"])
def test_an_id_is_of_plain_letters_and_has_no_slash(door: tuple[TestClient, Server], name: str) -> None:
    client, _ = door
    ann, max_ = Person(client, "Ann", Role.PLAYER), Person(client, "Max", Role.MANAGER)
    for answer in (
        ann.do("t1", {"step": "sit", "position": 3}, name or " "),
        max_.send("POST", f"{API}/duties", {"id": name, "task": {"duty": "approve_program"}}),
    ):
        assert (answer.status_code, answer.json()["field"]) == (400, "id"), answer.text


def test_ids_of_every_letter_that_is_allowed_are_taken(door: tuple[TestClient, Server]) -> None:
    client, _ = door
    for number, name in enumerate(("A-z.0_9~:", "x" * 100), start=3):
        answer = Person(client, f"P{number}", Role.PLAYER).do("t1", {"step": "sit", "position": number}, name)
        assert answer.status_code == 200, answer.text


@pytest.mark.parametrize(
    ("role", "path"),
    [
        (Role.SURVEILLANCE, "/rounds?person=%00"),
        (Role.SURVEILLANCE, "/rounds?person=a%E2%80%AEb"),
        (Role.SURVEILLANCE, "/rounds?%00=a"),
        (Role.SURVEILLANCE, f"/rounds?person={'x' * 301}"),
        (Role.SURVEILLANCE, "/rounds?card=As&position=99999999999999999999"),
        (Role.SURVEILLANCE, "/rounds?amount=99999999999999999999"),
        (Role.SURVEILLANCE, "/rounds?since=0001-01-01T00:00:00%2B14:00"),
        (Role.SURVEILLANCE, "/rounds?until=9999-12-31T23:59:59-14:00"),
        (Role.SURVEILLANCE, f"/rounds?cursor={EARLY}"),
        (Role.SURVEILLANCE, f"/rounds?cursor={NOWHERE}"),
        (Role.PLAYER, f"/me/rounds?cursor={EARLY}"),
        (Role.SURVEILLANCE, "/alerts?at=0001-01-01"),
        (Role.ACCOUNTING, "/accounting?until=0001-01-01"),
        (Role.ACCOUNTING, "/accounting?table=%00"),
        (Role.FLOORPERSON, "/tables/t1/log?after=99999999999999999999"),
        (Role.FLOORPERSON, "/tables/t1%00/log"),
        (Role.FLOORPERSON, "/meters/%E2%80%AE"),
    ],
)
def test_a_path_or_a_query_that_no_store_can_compare_is_refused(
    door: tuple[TestClient, Server], role: Role, path: str
) -> None:
    answer = Person(door[0], "Pat", role).send("GET", API + path)
    assert answer.status_code == 400, answer.text


def test_a_user_of_an_older_floor_is_reached_by_the_id_on_record() -> None:
    with guarded(two_tables(new_floor(MemoryStore()))) as found:
        ada, hidden = found.somebody(Role.ADMINISTRATOR), "ad\u200bmin"
        by, roles = Actor("ada", Role.ADMINISTRATOR), frozenset({Role.PLAYER})
        found.server.accounts._register.record(
            lambda _, now: [UserAdded(user=hidden, name=hidden, roles=roles, by=by, at=now)]
        )
        answer = ada.send("POST", f"{API}/users/{quote(hidden)}/disable", {"reason": "looks like another"})
        assert answer.status_code == 200, answer.text
        nobody = ada.send("POST", f"{API}/users/{quote(hidden + 'x')}/disable", {"reason": "looks like"})
        assert nobody.status_code == 400, nobody.text


def test_a_live_view_hears_only_what_is_let_in(door: tuple[TestClient, Server]) -> None:
    client, _ = door
    ann = Person(client, "Ann", Role.PLAYER)
    headers = {"cookie": f"{COOKIE}={ann.cookies[COOKIE]}"}
    for said in ('{"have":0,"hash":"a\\u0000"}', '{"have":9007199254740992}', "[" * 100):
        with client.websocket_connect(f"{API}/tables/t1/live", headers=headers) as socket:
            socket.receive_text()
            socket.send_text(said)
            with pytest.raises(WebSocketDisconnect):
                socket.receive_text()


# --- whatever anybody thinks of -----------------------------------------------------------------------

PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers(-1000, 1000) | st.text("abc é牌", max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text("xyz", max_size=4), inner, max_size=3)
    ),
    max_leaves=8,
)
SENT = (
    ("/tables/t1/commands", "Ann", Role.PLAYER, {"id": "x", "action": {"step": "sit", "position": 4}}),
    ("/tables/t1/consequences", "Flo", Role.FLOORPERSON, {"action": {"step": "stop_round", "reason": "x"}}),
    ("/tables/t1/chips", "Deb", Role.DEALER, {"id": "x", "action": {"step": "count_opener", "chips": {}}}),
    ("/duties", "Ace", Role.ACCOUNTING, reading(100)),
    ("/submissions", "Max", Role.MANAGER, {"submission": {"game": "pa-575"}}),
    ("/users", "Ada", Role.ADMINISTRATOR, {"id": "new", "name": "New", "roles": ["player"]}),
)


@st.composite
def spoilt(draw: st.DrawFn) -> tuple[int, Any]:
    """Draw which body is sent, with one bad text put in it somewhere, as a value or as a name."""
    which = draw(st.integers(0, len(SENT) - 1))
    bad = draw(st.text("ab", max_size=3)) + draw(st.sampled_from(list(BAD.values()))) + draw(st.text("ab"))
    data: Any = {**SENT[which][3], "more": draw(PLAIN)}

    def spoil(value: Any) -> Any:
        if isinstance(value, dict) and value and draw(st.booleans()):
            name = draw(st.sampled_from(sorted(value)))
            return {**value, name: spoil(value[name])}
        if isinstance(value, list) and value and draw(st.booleans()):
            at = draw(st.integers(0, len(value) - 1))
            return [*value[:at], spoil(value[at]), *value[at + 1 :]]
        if isinstance(value, dict) and draw(st.booleans()):
            return {**value, bad: 1}
        return bad

    return which, spoil(data)


def test_one_bad_text_anywhere_keeps_all_of_it_from_the_floor() -> None:
    with floor_served() as (client, server):
        people = {name: Person(client, name, role) for _, name, role, _ in SENT}
        store = server.loop.floor.store
        heads = store.heads()

        @FEW
        @given(spoilt())
        def ask(drawn: tuple[int, Any]) -> None:
            which, body = drawn
            path, name, _, _ = SENT[which]
            answer = people[name].send("POST", API + path, body)
            assert answer.status_code == 400 and "control or format character" in answer.text, answer.text
            assert store.heads() == heads

        ask()


@pytest.mark.parametrize("kind", DATABASES)
def test_whatever_is_let_in_can_be_stored_and_read_again(kind: str) -> None:
    from houseway.intake import LARGEST_AMOUNT, check_amounts, read_text  # noqa: PLC0415

    with new_store(kind) as store:
        floor = two_tables(new_floor(store))
        models = ReadModels(store)

        @FEW
        @given(st.text(min_size=1), st.integers(0, LARGEST_AMOUNT))
        def record(text: str, shown: int) -> None:
            try:
                words = read_text(text, "explained")
            except InvalidInputError:
                return
            check_amounts(Cents(shown), "shown")
            stored(floor, models, ReadMeter("link", Cents(shown), f"why: {words}"))

        record()


def stored(floor: Floor, models: ReadModels, task: ReadMeter) -> None:
    """Record a reading, and find it where readings are looked up."""
    duties.ask(floor, task, Actor("Ace", Role.ACCOUNTING), "")
    models.catch_up()
    day = floor.clock().date()
    with models.connect() as connection:
        found = readings_of_meters(connection, day, day)
    assert (found[-1]["explained"], found[-1]["shown"]) == (task.explained, int(task.shown) * 10_000)
