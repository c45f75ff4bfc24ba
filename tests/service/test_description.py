"""The interface described: every route with its body, its example as it runs, and a page to try it."""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec
import pytest
from starlette.testclient import TestClient

from houseway.service.api.bodies import BODIES
from houseway.service.api.openapi import describe, examples, path_names
from houseway.service.api.routes import ROUTES
from houseway.store.memory import MemoryStore
from tests.floor.support import new_floor
from tests.service.examples import make_examples, shape
from tests.service.listening import Listening
from tests.service.support import served

HTTP = {name: route for name, route in ROUTES.items() if route.method != "WEBSOCKET"}


def test_every_route_has_an_example_that_is_answered_as_it_says() -> None:
    kept, made = examples(), make_examples(Listening())
    assert set(kept) == set(made) == set(HTTP)
    for name, one in made.items():
        same = (kept[name].status, kept[name].media, kept[name].body, kept[name].query)
        assert same == (one.status, one.media, one.body, dict(one.query)), name
        assert shape(kept[name].answer) == shape(msgspec.to_builtins(one.answer)), name


def test_examples_hold_no_secret_but_the_one_that_everybody_knows() -> None:
    text = msgspec.json.encode(examples()).decode()
    assert not re.search(r'"(csrf|key)":"(?!told to nobody else)', text)
    assert "argon2" not in text


def test_whatever_is_sent_is_described() -> None:
    told = describe(ROUTES)
    for name, route in HTTP.items():
        operation = told["paths"][route.path.replace(":path", "")][route.method.lower()]
        assert operation["operationId"] == name and operation["summary"] == route.says
        assert [one["name"] for one in operation["parameters"]] == [*path_names(route.path), *route.query]
        assert ("requestBody" in operation) is (name in BODIES)
        assert operation["x-roles"]
        (done,) = operation["responses"].keys() - {"4XX"}
        kept = examples()[name].status
        assert done == (str(kept) if kept < 400 else "200"), name
        assert all(one["example"] == 1 for one in operation["parameters"] if one["name"] == "round")
    text = msgspec.json.encode(told).decode()
    for reference in set(re.findall(r'"#/components/schemas/([^"]+)"', text)):
        assert reference in told["components"]["schemas"]


@pytest.fixture
def client() -> Iterator[TestClient]:
    with served(new_floor(MemoryStore())) as (found, _):
        yield found


def test_the_page_to_try_it_has_a_form_for_every_route_and_nothing_from_elsewhere(client: TestClient) -> None:
    page = client.get("/api/v1/docs")
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    for name, route in HTTP.items():
        assert f'<details id="{name}">' in page.text
        assert f'data-path="{route.path.replace(":path", "")}"' in page.text
    ids = re.findall(r' id="([^"]+)"', page.text)
    assert len(ids) == len(set(ids))
    labels = re.findall(r'<label for="([^"]+)"', page.text)
    assert set(labels) == set(re.findall(r'<(?:input|textarea) id="([^"]+)"', page.text))
    sources = re.findall(r'(?:src|href)="([^"]+)"', page.text)
    assert all(one.startswith(("/api/v1/", "#")) for one in sources)
    assert not re.search(r"<style|style=|<script>|\son\w+=", page.text), "nothing that the policy forbids"
    for path, kind in (("/api/v1/docs.js", "text/javascript"), ("/api/v1/docs.css", "text/css")):
        assert client.get(path).headers["content-type"].startswith(kind)
