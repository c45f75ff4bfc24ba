"""The routes and the roles that may take each, read from ``data/routes.toml``."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from importlib.resources import files
from types import MappingProxyType
from typing import Final, Literal

from msgspec import Struct, convert

from houseway.rounds.roles import Role

Method = Literal["GET", "POST", "DELETE", "WEBSOCKET"]


PREFIX: Final = "/api/v1"


Allowed = Literal["all", "signed_in"] | frozenset[Role]
"""Who may do something: everyone, all who are signed in, or some roles."""


def is_allowed(roles: Allowed, role: Role | None) -> bool:
    """Whether a role, or None without a session, is among those allowed."""
    if roles == "all":
        return True
    if role is None:
        return False
    return roles == "signed_in" or role in roles


class Route(Struct, frozen=True, forbid_unknown_fields=True):
    """A route: its method and path, and the roles that may take it."""

    name: str
    method: Method
    path: str
    says: str
    roles: Allowed
    before_change: bool = False
    """Whether it is open to users who must still change a temporary password."""
    before_factor: bool = False
    """Whether it is open to users who must still set up a required second factor."""
    query: dict[str, str] = {}
    """The parameters of its query, each described."""

    @property
    def about(self) -> str:
        """The subject of the route: the first name of its path."""
        return self.path.removeprefix(PREFIX).strip("/").partition("/")[0].partition(".")[0]

    def open_before(self, must: str) -> bool:
        """Whether it is open to users with an unmet precondition."""
        if must == "change_password":
            return self.before_change
        return self.open or self.before_factor

    @property
    def open(self) -> bool:
        """Whether it needs no session."""
        return self.roles == "all"

    def allows(self, role: Role | None) -> bool:
        """Whether a role, or None without a session, may take it."""
        return is_allowed(self.roles, role)


def _read() -> Mapping[str, Route]:
    text = (files("houseway.service") / "data" / "routes.toml").read_text(encoding="utf-8")
    routes = convert(tomllib.loads(text)["route"], list[Route])
    return MappingProxyType({route.name: route for route in routes})


ROUTES: Final = _read()
