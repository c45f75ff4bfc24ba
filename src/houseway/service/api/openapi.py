"""The OpenAPI description: paths from the routes, bodies from their types, recorded examples."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Any, Final

import msgspec
from msgspec import Struct

from houseway.rounds.codec import schemas
from houseway.rounds.steps import AnyAction
from houseway.service.api.auth import COOKIE, CSRF_HEADER
from houseway.service.api.bodies import BODIES
from houseway.service.api.problem_json import MEDIA
from houseway.service.api.routes import Route

REFUSALS: Final = 400
"""The first status that is a refusal."""
REFERENCES: Final = "#/components/schemas/{name}"
_PARAMETER: Final = re.compile(r"\{(\w+)(?::path)?\}")
_PROBLEM: Final[Mapping[str, Any]] = {
    "type": "object",
    "required": ["type", "status", "title"],
    "properties": {
        "type": {"type": "string"},
        "status": {"type": "integer"},
        "title": {"type": "string"},
        "clauses": {"type": "array", "items": {"type": "string"}},
        "problems": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["field", "reason", "clauses"],
                "properties": {
                    "field": {"type": "string"},
                    "reason": {"type": "string"},
                    "value": {},
                    "clauses": {"type": "array", "items": {"type": "string"}},
                },
            },
        },
    },
}


class RouteExample(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A recorded request and its answer, with long lists shortened."""

    role: str = ""
    path: Mapping[str, str] = {}
    query: Mapping[str, str] = {}
    body: Any = None
    status: int
    media: str = ""
    answer: Any = None


NO_EXAMPLE: Final = RouteExample(status=200)


@cache
def examples() -> Mapping[str, RouteExample]:
    """Return the example of each route, by its name."""
    text = (files("houseway.service") / "data" / "examples.json").read_bytes()
    return msgspec.json.decode(text, type=dict[str, RouteExample])


def described_routes(routes: Mapping[str, Route]) -> Iterator[Route]:
    """Yield the routes that the document describes: all but live views."""
    yield from (route for route in routes.values() if route.method != "WEBSOCKET")


def path_names(path: str) -> list[str]:
    """Return the names of the parameters in a path.

    >>> path_names("/tables/{table}/rounds/{round}")
    ['table', 'round']
    """
    return _PARAMETER.findall(path)


def plain_path(route: Route) -> str:
    """Return a path as OpenAPI writes it."""
    return route.path.replace(":path", "")


def describe(routes: Mapping[str, Route]) -> dict[str, Any]:
    """Return the OpenAPI document."""
    paths: dict[str, dict[str, Any]] = {}
    for route in described_routes(routes):
        paths.setdefault(plain_path(route), {})[route.method.lower()] = _operation(route)
    components = {"schemas": _components()[1], "securitySchemes": _SECURITY}
    return {
        "openapi": "3.1.0",
        "info": {"title": "houseway", "version": "1", "description": ABOUT},
        "paths": paths,
        "components": components,
    }


ABOUT: Final = (
    "A floor over HTTP. Amounts at a table are whole cents, in books ten-thousandths of a cent; cards are "
    "written As, Td, Jk. Refusals are problem+json with every reason and its clauses. What changes "
    f"something sends the token of its session in {CSRF_HEADER}. Live views are at "
    "/api/v1/tables/{table}/live, a WebSocket."
)
_SECURITY: Final[Mapping[str, Any]] = {
    "session": {"type": "apiKey", "in": "cookie", "name": COOKIE},
    "page": {"type": "apiKey", "in": "header", "name": CSRF_HEADER},
}


def _operation(route: Route) -> dict[str, Any]:
    example = examples().get(route.name, NO_EXAMPLE)
    operation: dict[str, Any] = {
        "operationId": route.name,
        "summary": route.says,
        "tags": [route.about],
        "x-roles": roles_of(route),
        "parameters": [*_in_path(route, example), *_in_query(route, example)],
        "responses": _responses(example),
    }
    if not route.open:
        operation["security"] = [{"session": []} if route.method == "GET" else {"session": [], "page": []}]
    if route.name in BODIES:
        content = {"schema": _components()[0][route.name], "example": example.body}
        operation["requestBody"] = {"required": True, "content": {"application/json": content}}
    return operation


def roles_of(route: Route) -> list[str]:
    """Return the roles that may take a route."""
    return [route.roles] if isinstance(route.roles, str) else sorted(role.value for role in route.roles)


def _in_path(route: Route, example: RouteExample) -> Iterator[dict[str, Any]]:
    for name in path_names(route.path):
        kind = {"type": "integer", "minimum": 1} if name == "round" else {"type": "string", "minLength": 1}
        yield {
            "name": name,
            "in": "path",
            "required": True,
            "schema": kind,
            "example": 1 if name == "round" else example.path.get(name, name),
        }


def _in_query(route: Route, example: RouteExample) -> Iterator[dict[str, Any]]:
    for name, says in route.query.items():
        parameter = {"name": name, "in": "query", "description": says, "schema": {"type": "string"}}
        yield {**parameter, "example": example.query[name]} if name in example.query else parameter


def _responses(example: RouteExample) -> dict[str, Any]:
    done: dict[str, Any] = {"description": "done"}
    if example.media:
        done["content"] = {example.media: {"example": example.answer}}
    refused = {
        "description": "refused, with every reason",
        "content": {MEDIA: {"schema": {"$ref": REFERENCES.format(name="Problem")}}},
    }
    status = example.status if example.status < REFUSALS else 200
    return {str(status): done if status == example.status else {"description": "done"}, "4XX": refused}


@cache
def _components() -> tuple[Mapping[str, Any], Mapping[str, Any]]:
    """Return the schema of each body, and the shared schemas that they refer to."""
    kinds = [*BODIES.values(), AnyAction]
    described, parts = schemas(kinds, REFERENCES)
    bodies = dict(zip(BODIES, described, strict=False))
    return bodies, {**parts, "Action": described[-1], "Problem": _PROBLEM}
