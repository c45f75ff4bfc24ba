"""The routes of the office, of those who watch, and of people about themselves: what they answer."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import msgspec
import pytest
from starlette.testclient import TestClient

from houseway.chips import ChipCommand
from houseway.chips.actions import CountOpener
from houseway.floor.verification import verify_floor
from houseway.games import example_submission
from houseway.games.submission import EXAMPLES
from houseway.money import Cents
from houseway.rounds.codec import plain
from houseway.rounds.roles import Role
from houseway.service.api import Server
from houseway.store.memory import MemoryStore
from houseway.store.protocol import Batch
from tests.chips.support import DEB, FLOAT
from tests.floor.support import FLO, NOON, make_table, new_floor, play, seat_two, two_tables
from tests.service.support import Person, served

API = "/api/v1"
ENVIED = ((1, 100, 5), (4, 100, 5), (5, 100, 5), (6, 100, 6), (1, 5, 5), (1, 4, 0), (1, 6, 5))


@pytest.fixture
def played() -> Iterator[tuple[TestClient, Server]]:
    floor = two_tables(new_floor(MemoryStore()))
    play(floor, "t1", 2)
    with served(floor) as found:
        yield found


def get(person: Person, path: str, status: int = 200) -> Any:
    answer = person.send("GET", API + path)
    assert answer.status_code == status, answer.text
    return answer.json()


# --- what anybody may ask -----------------------------------------------------------------------------


def test_a_clause_is_told_to_anybody_with_how_it_is_read(played: tuple[TestClient, Server]) -> None:
    client, _ = played
    told = client.get(f"{API}/clauses/pa659a.5.c.s1").json()
    assert (
        told["cite"] == "58 Pa. Code § 659a.5(c), carried over"
        and told["kind"] == "procedure"
        and told["rule"]
    )
    assert client.get(f"{API}/clauses/pa659a.none").status_code == 404
    read = client.get(f"{API}/readings?rule_set=pa-659a").json()
    assert all("pa-659a" in one["rule_sets"] and one["taken"] for one in read)


def test_any_hand_is_set_every_legal_way_and_the_house_way_with_its_rule() -> None:
    with served(new_floor(MemoryStore())) as (client, _):
        asked = {"cards": "As Ah Jk 9c 8d 7h 2s", "setting": "9c8d7h2s / AsAh / Jk"}
        told = client.post(f"{API}/games/pa-659a/hand", json=asked).json()
        assert told["house_way"] == "houseway-421" and len(told["settings"]) == 63
        (way,) = told["ways"]
        assert (way["rule"], [len(part["cards"]) for part in way["parts"]]) == (
            "trips-with-complete",
            [4, 2, 1],
        )
        chosen = [one for one in told["settings"] if one["ways"]]
        assert [part["cards"] for part in chosen[0]["parts"]] == [part["cards"] for part in way["parts"]]
        assert all(part["rank"] for one in told["settings"] for part in one["parts"])
        (foul,) = told["judged"]["fouls"]
        assert "outranks" in foul["reason"] and foul["clauses"]
        for wrong in ("As", "As As Jk 9c 8d 7h 2s", "nonsense", ""):
            assert client.post(f"{API}/games/pa-659a/hand", json={"cards": wrong}).status_code == 400
        assert client.post(f"{API}/games/none/hand", json=asked).status_code == 404


@pytest.mark.parametrize(("size", "status"), [(-1, 400), (0, 200), (1, 409), (2**63 - 1, 409), (2**63, 400)])
def test_the_tree_is_asked_for_by_sizes_that_a_head_may_have(size: int, status: int) -> None:
    with served(new_floor(MemoryStore())) as (client, _):
        assert client.get(f"{API}/tree/consistency?old=0&new={size}").status_code == status
        assert client.get(f"{API}/tree/consistency").json() == {"old": 0, "new": 0, "proof": []}


@pytest.mark.parametrize(("least", "most", "envied"), ENVIED)
def test_a_page_is_told_from_which_wager_on_envy_is_earned(least: int, most: int, envied: int) -> None:
    floor, rules = new_floor(MemoryStore()), example_submission("pa-659a")
    limits = rules.wagers["fortune"].model_copy(update={"min": Cents(100 * least), "max": Cents(100 * most)})
    wagers = {**rules.wagers, "fortune": limits}
    make_table(floor, "t", rules.model_copy(update={"wagers": wagers}))
    with served(floor) as (client, _):
        told = {wager["id"]: wager for wager in client.get(f"{API}/tables/t/rules").json()["wagers"]}
    assert told["fortune"]["envy_from"] == (100 * envied if envied else None)
    assert {told[one]["envy_from"] for one in told.keys() - {"fortune"}} == {None}


def test_the_rules_of_a_table_tell_what_a_page_draws(played: tuple[TestClient, Server]) -> None:
    client, _ = played
    told = client.get(f"{API}/tables/t1/rules").json()
    assert [part["name"] for part in told["parts"]] == ["high", "medium", "low"]
    wagers = {wager["id"]: wager for wager in told["wagers"]}
    main = example_submission("pa-659a").wagers["main"]
    assert (wagers["main"]["least"], wagers["main"]["most"]) == (main.min, main.max)
    assert wagers["fortune"]["paytable"]["lines"][0]["pays"] and not told["practice"]
    games = client.get(f"{API}/games").json()
    for game in games:
        assert client.get(f"{API}/games/{game['game']}").json()["parts"]


def test_a_sign_tells_what_a_meter_shows_and_no_ids(played: tuple[TestClient, Server]) -> None:
    client, server = played
    told = client.get(f"{API}/meters/link/history").json()
    assert told["showing"] == server.loop.floor.meter("link").state.showing == told["shown"][-1]["showing"]
    assert told["tables"] == ["t1", "t2"] and all(
        set(win) == {"name", "amount", "table", "at"} for win in told["wins"]
    )


# --- submissions --------------------------------------------------------------------------------------


def test_a_document_is_judged_filed_approved_and_ended_and_all_of_it_is_told() -> None:
    text = (EXAMPLES / "pa-575" / "example.toml").read_text(encoding="utf-8")
    with served(new_floor(MemoryStore())) as (client, _):
        max_, eva = Person(client, "Max", Role.MANAGER), Person(client, "Eva", Role.MANAGER)
        seen = max_.send("POST", f"{API}/submissions", {"toml": text, "only_check": True})
        assert seen.status_code == 200 and get(max_, "/submissions") == []
        filed = max_.send("POST", f"{API}/submissions", {"toml": text})
        assert filed.status_code == 201, filed.text
        assert (seen.json()["filed"], filed.json()["filed"]) == (False, True)
        name = filed.json()["submission"]
        assert max_.send("POST", f"{API}/submissions", {"toml": text}).status_code == 409
        states = []
        for who, task in (
            (eva, {"duty": "approve_submission", "submission": name}),
            (eva, {"duty": "end_submission", "submission": name, "reason": "superseded"}),
        ):
            states.append(get(max_, f"/submissions/{name}")["state"])
            done = who.send("POST", f"{API}/duties", {"id": f"d{len(states)}", "task": task})
            assert done.status_code == 200, done.text
        told = get(max_, f"/submissions/{name}")
        assert [*states, told["state"]] == ["filed", "effective", "ended"]
        assert told["reason"] == "superseded" and told["document"]["game"] == "pa-575"


@pytest.mark.parametrize(
    ("game", "wager", "law"),
    [
        pytest.param("pa-575", "bonus", "pa575.preamble.paperwork", id="pa-575"),
        pytest.param("pa-659a", "fortune", "pa659a.preamble.paperwork", id="pa-659a"),
    ],
)
def test_another_paytable_needs_another_reference(game: str, wager: str, law: str) -> None:
    rules = plain(example_submission(game))
    with served(new_floor(MemoryStore())) as (client, _):
        max_ = Person(client, "Max", Role.MANAGER)

        def filed(letter: str, reference: str) -> Any:
            wagers = {**rules["wagers"], wager: {**rules["wagers"][wager], "paytable": letter}}
            changed = {**rules, "wagers": wagers, "reference": reference}
            return max_.send("POST", f"{API}/submissions", {"submission": changed})

        assert filed("A", "RS-1").status_code == 201
        silent = filed("B", "RS-1")
        assert silent.status_code == 409, silent.text
        (problem,) = silent.json()["problems"]
        assert (problem["field"], problem["clauses"]) == ("reference", [law])
        assert filed("B", "RS-2").status_code == 201
        assert len(get(max_, "/submissions")) == 2


def test_an_unlawful_document_is_refused_for_every_reason_and_no_file_of_the_server_is_read() -> None:
    with served(new_floor(MemoryStore())) as (client, _):
        max_ = Person(client, "Max", Role.MANAGER)
        rules = plain(example_submission("pa-659a"))
        unlawful = {**rules, "table": {**rules["table"], "positions": 9}}
        answer = max_.send("POST", f"{API}/submissions", {"submission": unlawful})
        assert answer.status_code == 409 and any(one["clauses"] for one in answer.json()["problems"])
        path = {**rules, "house_way": "/etc/passwd.toml"}
        answer = max_.send("POST", f"{API}/submissions", {"submission": path})
        assert answer.status_code == 409 and "named by its id" in answer.text
        bad: list[dict[str, Any]] = [{"toml": "= 1"}, {"toml": ""}, {"toml": 'game = "pa-659a"'}]
        for wrong in (*bad, {"submission": {}}):
            assert max_.send("POST", f"{API}/submissions", wrong).status_code == 400, wrong


# --- those who watch ----------------------------------------------------------------------------------


def test_a_round_is_watched_again_as_each_saw_it(played: tuple[TestClient, Server]) -> None:
    client, server = played
    eye = Person(client, "Eye", Role.SURVEILLANCE)
    path = "/tables/t1/rounds/1/replay"
    as_ann, as_dan = (get(eye, f"{path}?as=player:{name}") for name in ("Ann", "Dan"))
    assert as_ann["identical"] and as_ann["chained"]
    steps = as_ann["steps"]
    assert all(step["label"] and step["at"] and step["who"]["role"] for step in steps)
    assert any(step.get("payments") for step in steps) and all(step.get("clauses") for step in steps[-3:-1])

    def seen_at(told: Any, position: int) -> list[int]:
        """The steps at which the cards of a position could be seen."""
        return [
            at
            for at, step in enumerate(told["steps"])
            for hand in step["view"].get("hands", ())
            if hand["position"] == position and hand.get("cards")
        ]

    assert seen_at(as_ann, 2)[0] < seen_at(as_dan, 2)[0], "Ann looked at her hand before Dan saw it"
    assert server.loop.floor.table("t1").table.rounds == 2
    assert eye.send("GET", f"{API}{path}?as=player:Nobody").status_code == 400
    assert eye.send("GET", f"{API}/tables/t1/rounds/3/replay").status_code in (404, 409)


def test_what_is_watched_again_names_each_part_the_words_said_and_the_clauses(
    played: tuple[TestClient, Server],
) -> None:
    eye = Person(played[0], "Eye", Role.SURVEILLANCE)
    told = get(eye, "/tables/t1/rounds/1/replay")
    last = next(step["view"] for step in reversed(told["steps"]) if step["view"]["round"] == 1)
    for name, part in zip(("high", "medium", "low"), last["dealer_hand"]["setting"], strict=True):
        assert told["ranks"][f"{name}:{''.join(part)}"]
    said = {step["step"]: step.get("say") for step in told["steps"]}
    assert said["no_more_bets"] == "No more bets, please." and said["deal"] is None
    assert told["viewers"]["player:Ann"] == "Ann" and told["viewers"]["dealer"] == "dealer"
    named = {one for step in told["steps"] for one in step.get("clauses", ())}
    assert named <= set(told["cites"]) and "§" in told["cites"]["pa659a.10.a.s2"]
    assert not any(step.get("irregular") for step in told["steps"])


def test_a_player_watches_their_own_rounds_as_they_saw_them_and_no_others(
    played: tuple[TestClient, Server],
) -> None:
    client, _ = played
    path = "/tables/t1/rounds/1/replay"
    ann, eye = Person(client, "Ann", Role.PLAYER), Person(client, "Eye", Role.SURVEILLANCE)
    own, seen = get(ann, path), get(eye, f"{path}?as=player:Ann")
    assert own == get(ann, f"{path}?as=player:Ann") and own["identical"] and own["chained"]
    assert [step["view"] for step in own["steps"]] == [step["view"] for step in seen["steps"]]
    assert list(own["viewers"]) == ["player:Ann"]
    ids = {step["who"]["id"] for step in own["steps"]}
    assert ids == {"Ann", ""}, "nobody else's id is told"
    paid = [one for step in own["steps"] for one in step.get("payments", ())]
    assert paid and {one["person"] for one in paid} == {"Ann"}
    for other in ("surveillance", "dealer", "player:Dan"):
        assert ann.send("GET", f"{API}{path}?as={other}").status_code == 409, other
    assert Person(client, "Nick", Role.PLAYER).send("GET", f"{API}{path}").status_code == 404
    assert Person(client, "Deb", Role.DEALER).send("GET", f"{API}{path}").status_code == 403


def test_whoever_banks_a_round_may_watch_it_again() -> None:
    floor = new_floor(MemoryStore())
    make_table(floor, "t1", example_submission("ca-fpgp"))
    seat_two(floor, "t1")
    play(floor, "t1", 1)
    with served(floor) as (client, _):
        told = get(Person(client, "Eye", Role.SURVEILLANCE), "/tables/t1/rounds/1/replay")
        seats = {seat["person"] for seat in told["steps"][-1]["view"]["seats"]}
        assert {f"player:{person}" for person in seats} <= set(told["viewers"])
        for person in seats:
            assert get(Person(client, person, Role.PLAYER), "/tables/t1/rounds/1/replay")["identical"]


def test_bookmarks_are_ones_own_and_stay(played: tuple[TestClient, Server]) -> None:
    client, server = played
    eye, reg = Person(client, "Eye", Role.SURVEILLANCE), Person(client, "Reg", Role.REGULATOR)
    for note in ("odd cut", "odd cut, twice"):
        assert eye.send("POST", f"{API}/tables/t1/rounds/1/bookmark", {"note": note}).status_code == 200
    (mark,) = get(eye, "/me/bookmarks")
    assert (mark["table"], mark["round"], mark["note"]) == ("t1", 1, "odd cut, twice")
    assert get(reg, "/me/bookmarks") == []
    assert eye.send("POST", f"{API}/tables/t1/rounds/9/bookmark", {}).status_code == 400
    assert reg.send("DELETE", f"{API}/tables/t1/rounds/1/bookmark").status_code == 404
    assert eye.send("DELETE", f"{API}/tables/t1/rounds/1/bookmark").json() == []
    assert verify_floor(server.loop.floor.store).rounds == 2  # type: ignore[arg-type]


def test_adjusting_again_and_again_is_alarming(played: tuple[TestClient, Server]) -> None:
    client, _ = played
    max_, ace = Person(client, "Max", Role.MANAGER), Person(client, "Ace", Role.ACCOUNTING)
    eye = Person(client, "Eye", Role.SURVEILLANCE)
    for number in range(3):
        assert get(eye, "/alerts")["alerts"] == [], number
        task = {"duty": "adjust_meter", "meter": "link", "amount": 10_000, "reason": "audit"}
        name = max_.send("POST", f"{API}/duties", {"id": f"a{number}", "task": task}).json()["proposal"]
        assert ace.send("POST", f"{API}/proposals/{name}", {"done": True}).status_code == 200
    (alert,) = get(eye, "/alerts")["alerts"]
    assert (alert["alert"], alert["about"], alert["count"]) == ("repeated_adjustments", "meter link", 3)
    assert alert["done"][0]["by"] == ["Max", "Ace"]
    later = (NOON + timedelta(hours=25)).isoformat().replace("+00:00", "Z")
    assert get(eye, f"/alerts?at={later}")["alerts"] == []
    assert eye.send("GET", f"{API}/alerts?at=soon").status_code == 400


def test_the_chain_is_told_to_hold_and_the_law_is_traced(played: tuple[TestClient, Server]) -> None:
    client, _ = played
    reg = Person(client, "Reg", Role.REGULATOR)
    for path in ("/chain", "/chain?whole=true"):
        told = get(reg, path)
        assert told["holds"] and told["verified"]["entries"] > 50, told
    sets = get(reg, "/clauses")
    assert {"rule_set", "law"} == set(sets[0])
    traced = get(reg, "/clauses?rule_set=pa-670a")
    assert {one["state"] for one in traced} <= {"done", "checklist", "reason"}
    told = client.get(f"{API}/clauses?rule_set=pa-670a").json()
    assert [one["clause"] for one in told] == [one["clause"] for one in traced]
    assert not {"code", "tests", "state"} & set(told[0]), "where the program applies it is not for everybody"


def test_a_snapshot_that_somebody_has_written_is_told_to_the_regulator() -> None:
    """One who has the database and not the floor's key; and one who has the key too."""
    floor = two_tables(new_floor(MemoryStore()))
    snapshot = floor.table("t1").snapshot()
    other = floor.table("t2").snapshot()
    forged = msgspec.structs.replace(snapshot, body=other.body)
    for written in (forged, floor.safe.snapshots.seal(forged)):
        floor.store.append_batch(Batch(snapshots=[written]))
        with served(floor) as (client, _):
            told = get(Person(client, "Reg", Role.REGULATOR), "/chain?whole=true")
        assert not told["holds"] and "a snapshot is not the table" in told["fault"], told


# --- accounting and chips -----------------------------------------------------------------------------


def test_accounting_tells_win_and_hold_beside_what_is_theoretical(played: tuple[TestClient, Server]) -> None:
    client, _ = played
    ace = Person(client, "Ace", Role.ACCOUNTING)
    task = {"duty": "read_meter", "meter": "link", "shown": 1, "explained": "display dark"}
    assert ace.send("POST", f"{API}/duties", {"id": "r", "task": task}).status_code == 200
    told = get(ace, f"/accounting?since={NOON.date()}&until={NOON.date()}")
    (book,) = told["tables"]
    assert (book["table"], book["rounds"], book["voids"]) == ("t1", 2, 0)
    wagers = {one["wager"]: one for one in book["wagers"]}
    assert sum(one["win"] for one in wagers.values()) == book["win"]
    assert wagers["main"]["theoretical_hold"] == pytest.approx(0.0492, abs=0.0001)
    (read,) = told["readings"]
    assert read["variance"] == read["shown"] - read["expected"] < 0 and read["explained"] == "display dark"
    assert get(ace, "/accounting?since=2020-01-01&until=2020-01-02")["tables"] == []
    assert ace.send("GET", f"{API}/accounting?since=soon").status_code == 400
    week = get(ace, "/accounting")
    assert (week["since"], week["until"]) == (str(NOON.date() - timedelta(days=6)), str(NOON.date()))
    assert get(ace, "/accounting?until=2026-03-02")["since"] == "2026-02-24"


def test_chips_are_moved_by_two_people_who_each_sign_in() -> None:
    floor = new_floor(MemoryStore())
    make_table(floor, "t1", example_submission("pa-659a"), chips=True)
    with served(floor) as (client, _):
        deb, flo = Person(client, "Deb", Role.DEALER), Person(client, "Flo", Role.FLOORPERSON)
        max_, ann = Person(client, "Max", Role.MANAGER), Person(client, "Ann", Role.PLAYER)
        chips = {str(kind): count for kind, count in FLOAT.items()}
        opener = {"id": "o", "action": {"step": "count_opener", "chips": chips}}
        proposed = deb.send("POST", f"{API}/tables/t1/chips", opener)
        assert proposed.status_code == 202, proposed.text
        name = proposed.json()["proposal"]
        assert not floor.table("t1").tray.open
        assert deb.send("POST", f"{API}/proposals/{name}", {"done": True}).status_code == 409
        for _ in range(2):
            done = flo.send("POST", f"{API}/proposals/{name}", {"done": True})
            assert done.status_code in (200, 404), done.text
        assert floor.table("t1").tray.open and not floor.house.proposals
        fill = {"id": "f", "action": {"step": "request_fill", "chips": {"500": 10}}}
        assert flo.send("POST", f"{API}/tables/t1/chips", fill).status_code == 200
        approve = {"id": "g", "action": {"step": "approve_fill", "serial": "F-0001"}}
        assert flo.send("POST", f"{API}/tables/t1/chips", approve).status_code == 409, "another approves it"
        assert max_.send("POST", f"{API}/tables/t1/chips", approve).status_code == 200
        receive = {"id": "h", "action": {"step": "receive_fill", "serial": "F-0001", "chips": {"500": 10}}}
        assert deb.send("POST", f"{API}/tables/t1/chips", receive).status_code == 200
        assert get(deb, "/tables/t1/chips")["tray"]["figures"]["fills"] == 5000
        drop = {"id": "d", "action": {"step": "take_drop", "box": "B-1"}}
        assert ann.send("POST", f"{API}/tables/t1/chips", drop).status_code == 409
        turned = deb.send("POST", f"{API}/tables/t1/chips", drop).json()["proposal"]
        assert (
            max_.send("POST", f"{API}/proposals/{turned}", {"done": False, "reason": "too soon"}).status_code
            == 200
        )
        assert not floor.house.proposals


def test_what_is_dropped_is_booked() -> None:
    floor = new_floor(MemoryStore())
    make_table(floor, "t1", example_submission("pa-659a"), chips=True)
    floor.submit("t1", ChipCommand(id="opener", by=DEB, second=FLO, action=CountOpener(FLOAT)))
    floor.run()
    with served(floor) as (client, _):
        ann, ace = Person(client, "Ann", Role.PLAYER), Person(client, "Ace", Role.ACCOUNTING)
        body = {"id": "b", "action": {"step": "buy_in", "person": "Ann", "cash": 5000}}
        assert ann.send("POST", f"{API}/tables/t1/chips", body).status_code == 200
        (book,) = get(ace, f"/accounting?until={NOON.date()}")["tables"]
        assert (book["drop"], book["rounds"], book["hold"]) == (50_000_000, 0, None)
