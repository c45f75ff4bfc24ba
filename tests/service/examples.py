"""The examples of the interface, asked for: ``python -m tests.service.examples`` writes them anew."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from datetime import timedelta
from functools import partial
from importlib.resources import files
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from houseway.chips import ChipCommand
from houseway.chips.actions import BringChips
from houseway.cli.system import SystemRuntime
from houseway.floor.core import Floor
from houseway.floor.streams import is_practice
from houseway.games import example_submission
from houseway.games.submission import EXAMPLES
from houseway.rounds.codec import plain
from houseway.rounds.roles import Role
from houseway.rounds.step import Actor
from houseway.service.api.openapi import RouteExample
from houseway.service.api.routes import ROUTES
from houseway.service.coach_process import CoachProcess
from houseway.service.practice_floor import open_practice
from houseway.service.practice_rules import PLAY_MONEY
from houseway.store.memory import MemoryStore
from houseway.store.tree_log import sign_tree
from tests.chips.support import DEB, FLOAT
from tests.floor.support import in_effect, make_table, new_floor, next_move
from tests.service.crowd import PASSWORD
from tests.service.doors import Guarded, Visitor, guarded
from tests.service.support import step_of

PRACTISED = "pa-670a"
FILE = Path(str(files("houseway.service") / "data" / "examples.json"))
KEPT, LONGEST = 2, 90
SECRET = ("csrf", "half", "secret", "uri")
"""What is told only to one person: an example has something else in its place."""


class Ask(NamedTuple):
    """A request of an example."""

    route: str
    role: Role | None
    path: Mapping[str, str] = {}
    body: Any = None
    query: Mapping[str, str] = {}
    person: str = ""


def every_ask() -> Iterator[Ask]:
    """Yield a request for each route, in an order in which each is answered."""
    t1, player = {"table": "t1"}, Role.PLAYER
    for name in ("health", "ready", "openapi", "docs", "docs_script", "docs_style", "games"):
        yield Ask(name, None)
    yield Ask("sign_in", None, body={"name": "The Ann", "password": PASSWORD, "role": "player"})
    yield Ask("sign_in_guest", None)
    yield Ask("game", None, {"game": "pa-575"})
    yield Ask("hand", None, {"game": "pa-659a"}, {"cards": "As Ah Jk 9c 8d 7h 2s"})
    yield Ask("clause", None, {"clause": "pa659a.5.c.s1"})
    yield Ask("readings", None, query={"rule_set": "pa-659a"})
    yield Ask("table_rules", None, t1)
    yield Ask("meter_history", None, {"meter": "link"})
    for name in ("who_am_i", "me", "tables", "meters", "my_rounds"):
        yield Ask(name, player, person="Ann")
    yield Ask("receipt", player, {"table": "t1", "round": "1"}, person="Ann")
    yield Ask("table", player, t1, person="Ann")
    yield Ask("ready_to_deal", player, t1, person="Ann")
    yield Ask("patience", player, t1, person="Ann")
    for name in ("preview", "suggestion"):
        body = {"position": 2, "setting": "As"} if name == "preview" else {"position": 2}
        yield Ask(name, player, {"table": "t2"}, body, person="Ann")
    yield Ask("coach", player, {"table": "@practised"}, {"position": 2}, person="Ann")
    hand = {"game": "pa-670a", "cards": "As Ah Kd Qc 7h 2s", "seen": "Ks Jk"}
    yield Ask("hand_coach", player, body=hand, person="Ann")
    exposed = {"step": "expose_card", "position": 2}
    yield Ask("consequences", Role.DEALER, {"table": "t2"}, {"action": exposed})
    yield Ask(
        "command", player, t1, {"id": "0197-click-1", "action": {"step": "sit", "position": 3}}, person="Eve"
    )
    yield Ask("practise", player, body={"game": PRACTISED}, person="Ann")
    yield Ask("undo", player, {"table": "@practised"}, person="Ann")
    yield Ask("my_history", player, query={"format": "csv"}, person="Ann")
    yield from _asked_by_those_who_watch()
    yield from _asked_in_the_office()
    yield Ask("change_password", player, body={"old": PASSWORD, "new": "a staple of horses"}, person="Eve")
    yield Ask("begin_factor", player, person="Dan")
    yield Ask("confirm_factor", player, body={"code": "123456"}, person="Dan")
    removed = {"password": PASSWORD, "code": "123456"}
    yield Ask("remove_factor", player, body=removed, person="Dan")
    yield Ask("time_out", player, body={"until": "2026-01-05T12:00:00Z"}, person="Eve")
    yield Ask("exclude", player, body={"until": "2026-07-01T00:00:00Z"}, person="Dan")
    yield Ask("sign_out", player, person="Ann")


def _asked_by_those_who_watch() -> Iterator[Ask]:
    eye, first = Role.SURVEILLANCE, {"table": "t1", "round": "1"}
    for name in ("packet", "replay"):
        yield Ask(name, eye, first, query={"as": "player:Ann"} if name == "replay" else {})
    yield Ask("rounds", eye, query={"person": "Ann", "table": "t1"})
    yield Ask("alerts", eye)
    yield Ask("log", eye, {"table": "t1"})
    yield Ask("bookmark", eye, first, {"note": "look at the cut again"})
    yield Ask("bookmarks", eye)
    yield Ask("remove_bookmark", eye, first)
    yield Ask("chain", Role.REGULATOR)
    yield Ask("tree", None)
    yield Ask("tree_consistency", None, query={"old": "0", "new": "0"})
    yield Ask("access", Role.REGULATOR)
    yield Ask("clauses", Role.REGULATOR)


def _asked_in_the_office() -> Iterator[Ask]:
    manager, books, admin = Role.MANAGER, Role.ACCOUNTING, Role.ADMINISTRATOR
    yield Ask("prove", manager, body={"password": PASSWORD})
    chips = {str(kind): count for kind, count in FLOAT.items()}
    yield Ask(
        "chips", Role.DEALER, {"table": "t3"}, {"id": "o", "action": {"step": "count_opener", "chips": chips}}
    )
    yield Ask("proposals", Role.FLOORPERSON)
    yield Ask("waiting", Role.FLOORPERSON)
    yield Ask("confirm", Role.FLOORPERSON, {"proposal": "a-dealer/o"}, {"done": True})
    yield Ask("tray", Role.DEALER, {"table": "t3"})
    task = {"duty": "read_meter", "meter": "link", "shown": 1, "explained": "display dark"}
    yield Ask("duty", books, body={"id": "r", "task": task})
    yield Ask("meter", books, {"meter": "link"})
    yield Ask("accounting", books, query={"until": "2026-01-04"})
    text = (EXAMPLES / "pa-575" / "example.toml").read_text(encoding="utf-8")
    yield Ask("file_submission", manager, body={"toml": text})
    yield Ask("submissions", manager)
    yield Ask("submission", manager, {"submission": "@filed"})
    for name in ("users", "metrics"):
        yield Ask(name, admin)
    yield Ask("add_user", admin, body={"id": "zoe", "name": "Zoe", "roles": ["player"]})
    yield Ask("change_roles", admin, {"user": "a-player"}, {"roles": ["dealer", "player"]})
    yield Ask("reset_password", admin, {"user": "a-player"})
    yield Ask("disable_user", admin, {"user": "a-player"}, {"reason": "on leave"})
    yield Ask("enable_user", admin, {"user": "a-player"}, {"reason": "back"})
    yield Ask("user_history", admin, {"user": "Ann"})
    yield Ask("demand_factors", admin, body={"roles": ["key_holder"]})
    yield Ask("factor_roles", admin)
    yield Ask("void_factor", admin, {"user": "a-player"}, {"reason": "the device is lost"})


def make_examples(coach: CoachProcess | None = None) -> dict[str, RouteExample]:
    """Ask for everything once, on a floor where two people play; another coach may answer."""
    floor = new_floor(MemoryStore(), "examples")
    for table in ("t1", "t2"):
        make_table(floor, table, example_submission("pa-659a"), "link")
    make_table(floor, "t3", example_submission("pa-659a"), "link", chips=True)
    in_effect(floor, example_submission(PRACTISED))
    practice = open_practice(floor, SystemRuntime())
    practised = practice.tables.take(PRACTISED, Actor("Ann", Role.PLAYER))
    with guarded(floor, practice=practice) as served:
        served.server.coach = coach or served.server.coach
        _play(served, "t1", lambda: floor.table("t1").table.rounds >= 1)
        sign_tree(floor.store, served.server.notary, floor.clock())
        for table in ("t2", practised):
            _play(served, table, partial(_looked, served.server.service_of(table).loop.floor, table))
        examples: dict[str, RouteExample] = {}
        people: dict[tuple[Role, str], Visitor] = {}
        for ask in every_ask():
            if ask.route in ROUTES:
                examples[ask.route] = _answered(served, ask, {"@practised": practised}, examples, people)
        return examples


def _looked(floor: Floor, table: str) -> bool:
    hand = floor.table(table).table.round.hands.get(2)
    return hand is not None and "looked" in hand.marks


def _play(served: Guarded, table: str, until: Any) -> None:
    """Let Ann and Dan sit down and play, over HTTP."""
    for at, name in ((2, "Ann"), (5, "Dan")):
        action = {"step": "sit", "position": at}
        _do(served, table, Role.PLAYER, name, action, f"sit-{at}")
        floor = served.server.service_of(table).loop.floor
        if is_practice(table):
            bring = BringChips(name, PLAY_MONEY)
            floor.submit(table, ChipCommand(id=f"bring-{at}", by=DEB, action=bring))
            floor.run()
    number = 0
    while not until():
        move, number = next_move(floor, table), number + 1
        _do(served, table, move.by.role, move.by.id, step_of(move), f"move-{number}")


def _do(served: Guarded, table: str, role: Role, person: str, action: Any, name: str) -> None:
    known = person if person in ("Ann", "Dan") else ""
    who = served.somebody(role, known)
    answer = who.send("POST", f"/api/v1/tables/{table}/commands", {"id": f"{table}-{name}", "action": action})
    assert answer.status_code == 200, (action, answer.text)


def _answered(
    served: Guarded,
    ask: Ask,
    names: Mapping[str, str],
    examples: Mapping[str, RouteExample],
    people: dict[tuple[Role, str], Visitor],
) -> RouteExample:
    route = ROUTES[ask.route]
    if ask.role is None:
        who = served.anybody()
    else:
        who = people.setdefault((ask.role, ask.person), served.somebody(ask.role, ask.person))
    if ask.route == "access":
        served.clock.now += timedelta(minutes=1)
        served.write_access()
    path = {name: names.get(value) or _named(value, examples) for name, value in ask.path.items()}
    query = "&".join(f"{name}={value}" for name, value in ask.query.items())
    answer = who.send(route.method, f"{route.path.replace(':path', '').format(**path)}?{query}", ask.body)
    assert answer.status_code in (200, 201, 202, 204, 409), (ask, answer.status_code, answer.text)
    media = answer.headers.get("content-type", "")
    body = answer.json() if "json" in media and "jsonl" not in media else answer.text
    if ask.route == "change_password":
        who.keep(answer)
    return RouteExample(
        role=ask.role.value if ask.role else "",
        path=path,
        query=dict(ask.query),
        body=ask.body,
        status=answer.status_code,
        media=media,
        answer=None if ask.route in ("openapi", "docs", "docs_script", "docs_style") else abridged(body),
    )


def _named(value: str, examples: Mapping[str, RouteExample]) -> str:
    return examples["file_submission"].answer["submission"] if value == "@filed" else value


def abridged(value: Any, name: str = "") -> Any:
    """Return an answer with long lists and texts cut short, and no secret in it."""
    if isinstance(value, dict):
        return {key: abridged(item, key) for key, item in value.items()}
    if isinstance(value, list):
        return [abridged(item) for item in value[:KEPT]]
    if isinstance(value, str) and name in SECRET:
        return "told to nobody else"
    return f"{value[:LONGEST]}…" if isinstance(value, str) and len(value) > LONGEST else value


def shape(value: Any) -> Any:
    """Return what an example is made of, whatever its values."""
    if isinstance(value, dict):
        return {key: shape(item) for key, item in value.items()}
    if isinstance(value, list):
        return sorted({json.dumps(shape(item), sort_keys=True) for item in value})
    return type(value).__name__


if __name__ == "__main__":
    FILE.write_bytes(msgspec.json.format(msgspec.json.encode(plain(make_examples())), indent=1) + b"\n")
