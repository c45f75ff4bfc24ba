"""The interface described: paths from the routes, commands from the actions of the round of play."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Any

from houseway.rounds.codec import schema
from houseway.service.api.routes import Route

_PARAMETER = re.compile(r"\{(\w+)(?::path)?\}")
_BODIES: Mapping[str, dict[str, Any]] = {
    "sign_in": {
        "type": "object",
        "required": ["name", "password"],
        "additionalProperties": False,
        "properties": {one: {"type": "string"} for one in ("name", "password", "role")},
        "example": {"name": "ann", "password": "correct horse battery", "role": "player"},
    },
    "command": {
        "type": "object",
        "required": ["id", "action"],
        "additionalProperties": False,
        "properties": {
            "id": {"type": "string", "minLength": 1, "maxLength": 100},
            "action": {"$ref": "#/components/schemas/Action"},
        },
        "example": {"id": "0197-click-1", "action": {"step": "sit", "position": 2}},
    },
    **{
        name: {
            "type": "object",
            "required": ["position"],
            "additionalProperties": False,
            "properties": {"position": {"type": "integer"}, "setting": {"type": "string"}},
            "example": {"position": 2, "setting": "KsKh7d4c / Ad9c / Qs"},
        }
        for name in ("preview", "suggestion")
    },
}


def describe(routes: Mapping[str, Route]) -> dict[str, Any]:
    """Return the OpenAPI document."""
    paths: dict[str, dict[str, Any]] = {}
    for route in routes.values():
        if route.method != "WEBSOCKET":
            path = route.path.replace(":path", "")
            paths.setdefault(path, {})[route.method.lower()] = _operation(route)
    return {
        "openapi": "3.1.0",
        "info": {"title": "houseway", "version": "1"},
        "paths": paths,
        "components": {"schemas": _components()},
    }


def _operation(route: Route) -> dict[str, Any]:
    found: dict[str, Any] = {
        "operationId": route.name,
        "summary": route.says,
        "responses": {"200": {"description": "done"}, "4XX": {"description": "a problem, with its reasons"}},
        "parameters": [
            {"name": name, "in": "path", "required": True, "schema": {"type": "string"}}
            for name in _PARAMETER.findall(route.path)
        ],
    }
    if route.name in _BODIES:
        content = {"application/json": {"schema": _BODIES[route.name]}}
        found["requestBody"] = {"required": True, "content": content}
    return found


@cache
def _components() -> dict[str, Any]:
    """Return the schemas of the actions, each under its step."""
    text = schema()
    found = _moved(text["$defs"])
    action = _moved(text["$defs"]["StoredCommand"]["properties"]["action"])
    return {**found, "Action": action}


def _moved(value: Any) -> Any:  # noqa: ANN401 - a part of a schema
    """Return a part of a schema with its references where OpenAPI has them."""
    if isinstance(value, dict):
        return {
            key: item.replace("#/$defs/", "#/components/schemas/")
            if key == "$ref" or (isinstance(item, str) and item.startswith("#/$defs/"))
            else _moved(item)
            for key, item in value.items()
        }
    return [_moved(item) for item in value] if isinstance(value, list) else value
