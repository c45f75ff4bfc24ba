"""Every page of the site and the roles that may open it, read from one table."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from importlib.resources import files
from types import MappingProxyType
from typing import Final

from msgspec import Struct, convert

from houseway.rounds.roles import Role
from houseway.service.api.routes import Allowed, is_allowed


class Page(Struct, frozen=True, forbid_unknown_fields=True):
    """A page: where it is, and who may open it."""

    name: str
    path: str
    roles: Allowed
    before_change: bool = False
    """Whether it is open to a user whose password is temporary; other pages redirect to the change."""
    nav: int = 0
    """Its place among the links at the top; 0 if it has none."""

    def allows(self, role: Role | None) -> bool:
        """Return whether a user in a role may open it; None is a visitor who has not signed in."""
        return is_allowed(self.roles, role)


def _read() -> Mapping[str, Page]:
    text = (files("houseway.web") / "data" / "pages.toml").read_text(encoding="utf-8")
    return MappingProxyType({page.name: page for page in convert(tomllib.loads(text)["page"], list[Page])})


PAGES: Final = _read()


def links_for(role: Role | None) -> list[Page]:
    """Return the links at the top of every page for a role, in their order."""
    return sorted(
        (page for page in PAGES.values() if page.nav and page.allows(role)), key=lambda page: page.nav
    )


def own_path(path: str) -> str:
    """Return a path on this site to go on to; any other address becomes the lobby.

    >>> own_path("/tables/t1"), own_path("https://elsewhere.example"), own_path("//elsewhere.example")
    ('/tables/t1', '/', '/')
    """
    plain = path.startswith("/") and not path.startswith(("//", "/\\")) and path.isprintable()
    return path if plain else "/"
