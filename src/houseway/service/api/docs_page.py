"""The page to try the interface: every route with its example, sent with the reader's own session."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from itertools import groupby
from typing import Any, Final

import msgspec
from jinja2 import Environment, StrictUndefined
from starlette.responses import Response

from houseway.service.api.bodies import BODIES
from houseway.service.api.call import Call
from houseway.service.api.openapi import (
    ABOUT,
    NO_EXAMPLE,
    described_routes,
    examples,
    path_names,
    plain_path,
    roles_of,
)
from houseway.service.api.routes import ROUTES, Route

FOR: Final = {"all": "everyone", "signed_in": "all who are signed in"}


async def docs(_: Call) -> Response:
    """Return the page to try the interface."""
    return Response(_page(), media_type="text/html; charset=utf-8")


async def docs_script(_: Call) -> Response:
    """Return the script of the page."""
    return Response(_file("docs.js"), media_type="text/javascript; charset=utf-8")


async def docs_style(_: Call) -> Response:
    """Return the style sheet of the page."""
    return Response(_file("docs.css"), media_type="text/css; charset=utf-8")


@cache
def _page() -> str:
    routes = sorted(described_routes(ROUTES), key=lambda route: route.about)
    groups = [
        {"name": about, "operations": [_operation(route) for route in group]}
        for about, group in groupby(routes, key=lambda route: route.about)
    ]
    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True)
    return environment.from_string(_file("docs.html")).render(about=ABOUT, groups=groups)


def _operation(route: Route) -> dict[str, Any]:
    example = examples().get(route.name, NO_EXAMPLE)
    body = _format(example.body) if route.name in BODIES else ""
    return {
        "name": route.name,
        "method": route.method,
        "path": plain_path(route),
        "says": route.says,
        "roles": [FOR.get(role, role.replace("_", " ")) for role in roles_of(route)],
        "fields": [
            *({"name": n, "place": "path", "value": example.path.get(n, "")} for n in path_names(route.path)),
            *(
                {"name": name, "place": "query", "says": says, "value": example.query.get(name, "")}
                for name, says in route.query.items()
            ),
        ],
        "body": body,
        "rows": min(12, body.count("\n") + 1),
        "status": example.status,
        "answer": "" if example.answer is None else _format(example.answer),
    }


def _format(value: Any) -> str:  # noqa: ANN401 - an example's data
    if isinstance(value, str):
        return value
    return msgspec.json.format(msgspec.json.encode(value), indent=1).decode()


def _file(name: str) -> str:
    return (files("houseway.service") / "data" / name).read_text(encoding="utf-8")
