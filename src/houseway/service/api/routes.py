"""Every route and who may take it, read from one table."""

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
"""Who may do something: everybody, whoever is signed in, or people in some roles."""


def allowed(roles: Allowed, role: Role | None) -> bool:
    """Whether somebody in a role, or nobody in particular, is among those who may."""
    if roles == "all":
        return True
    if role is None:
        return False
    return roles == "signed_in" or role in roles


class Route(Struct, frozen=True, forbid_unknown_fields=True):
    """A method and a path, and who may take it."""

    name: str
    method: Method
    path: str
    says: str
    roles: Allowed
    before_change: bool = False
    """Whether it is open to somebody whose password is temporary, and who has not changed it yet."""
    before_factor: bool = False
    """Whether it is open to somebody whose role needs a second factor, and who has not set one up yet."""
    query: dict[str, str] = {}
    """What may be asked for besides, each in words."""

    @property
    def about(self) -> str:
        """What the route is about: the first name of its path."""
        return self.path.removeprefix(PREFIX).strip("/").partition("/")[0].partition(".")[0]

    def open_before(self, must: str) -> bool:
        """Whether it is open to somebody who has something else to do first."""
        if must == "change_password":
            return self.before_change
        return self.open or self.before_factor

    @property
    def open(self) -> bool:
        """Whether nobody has to sign in for it."""
        return self.roles == "all"

    def allows(self, role: Role | None) -> bool:
        """Whether somebody in a role, or nobody in particular, may take it."""
        return allowed(self.roles, role)


def _read() -> Mapping[str, Route]:
    text = (files("houseway.service") / "data" / "routes.toml").read_text(encoding="utf-8")
    routes = convert(tomllib.loads(text)["route"], list[Route])
    return MappingProxyType({route.name: route for route in routes})


ROUTES: Final = _read()
