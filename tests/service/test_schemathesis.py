"""Whatever is sent to whichever route by whomever: answered, never broken, and no right is exceeded."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import cycle
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from schemathesis import GenerationMode

from houseway.games import example_submission
from houseway.rounds.roles import Role
from houseway.service.api.bodies import BODIES
from houseway.service.api.openapi import describe
from houseway.service.api.routes import ROUTES, Route
from houseway.store.memory import MemoryStore
from tests.floor.support import make_table, new_floor, play, two_tables
from tests.service.doors import Guarded, Visitor, guarded
from tests.service.matrix import NAMES

OURS = {name: route for name, route in ROUTES.items() if route.method != "WEBSOCKET"}
SCHEMA = schemathesis.openapi.from_dict(describe(ROUTES))
PEOPLE: tuple[Role | None, ...] = (None, *Role)
BORNE = {**NAMES, "user": "Dan"}
FEW = settings(
    max_examples=4,
    deadline=None,
    database=None,
    derandomize=True,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)
"""Few and always the same: there are many routes, roles and ways to be wrong."""
RIGHT = [(name, GenerationMode.POSITIVE) for name in OURS]
WRONG = [(name, GenerationMode.NEGATIVE) for name, route in OURS.items() if name in BODIES or route.query]
"""What may be sent, and what may not; where nothing is asked for nothing is wrong."""


@pytest.fixture(scope="module")
def floor() -> Iterator[Guarded]:
    found = two_tables(new_floor(MemoryStore()))
    make_table(found, "t3", example_submission("pa-659a"), "link", chips=True)
    play(found, "t1", 1)
    with guarded(found) as served:
        yield served


@pytest.mark.parametrize(("name", "mode"), RIGHT + WRONG)
def test_nothing_that_is_sent_breaks_a_route_or_exceeds_a_right(
    floor: Guarded, name: str, mode: GenerationMode
) -> None:
    """Every case is sent by somebody who may and somebody who may not, each time by others."""
    route = OURS[name]
    those = cycle([role for role in PEOPLE if route.allows(role)])
    others = cycle([role for role in PEOPLE if not route.allows(role)] or [None])
    asked = SCHEMA[route.path.replace(":path", "")][route.method].as_strategy(generation_mode=mode)

    @FEW
    @given(asked, st.booleans())
    def ask(case: Any, borne: bool) -> None:
        for role in (next(those), next(others)):
            check(route, role, sent(somebody(floor, role, route), case, borne=borne))

    ask()
    people = floor.door.register.people
    floor.door.register.people = replace(people, factor_roles=frozenset())  # nobody must set one up first


def somebody(floor: Guarded, role: Role | None, route: Route) -> Visitor:
    """Return somebody in a role; whoever might bar themselves is somebody else."""
    if role is None:
        return floor.anybody()
    return floor.somebody(role, "Eve" if role is Role.PLAYER and route.about == "me" else "")


def sent(who: Visitor, case: Any, *, borne: bool) -> Any:
    """Send a case; with names that something bears in its path, if so wished."""
    if borne:
        case.path_parameters = {name: BORNE[name] for name in case.path_parameters or {}}
    made = case.as_transport_kwargs(base_url="http://testserver")
    made.pop("cookies", None)
    headers = made.pop("headers", None) or {}
    if "data" in made:
        made["content"] = made.pop("data")
    who.client.cookies.clear()
    return who.client.request(**made, headers={**headers, **who.headers()}, follow_redirects=False)


def check(route: Route, role: Role | None, answer: Any) -> None:
    said = (route.name, role, answer.status_code, answer.text[:300])
    assert answer.status_code < 500, said
    assert answer.headers["x-content-type-options"] == "nosniff", said
    if answer.status_code >= 400:
        assert answer.headers["content-type"] == "application/problem+json", said
    if not route.allows(role):
        assert answer.status_code in (401, 403, 404, 405), said  # a path may be none once it is sent
    elif role not in (None, Role.PLAYER) and route.about != "session":
        assert answer.status_code not in (401, 403), said
