"""Every page of the site and who may open it, read from one table."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from importlib.resources import files
from types import MappingProxyType
from typing import Final

from msgspec import Struct, convert

from houseway.rounds.roles import Role
from houseway.service.api.routes import Allowed, allowed


class Page(Struct, frozen=True, forbid_unknown_fields=True):
    """A page: where it is, and who may open it."""

    name: str
    path: str
    roles: Allowed
    before_change: bool = False
    """Whether it is open to somebody whose password is temporary; any other leads to where it is changed."""
    nav: int = 0
    """Its place among the links at the top; nothing if it has none."""

    def allows(self, role: Role | None) -> bool:
        """Whether somebody in a role, or nobody in particular, may open it."""
        return allowed(self.roles, role)


def _read() -> Mapping[str, Page]:
    text = (files("houseway.web") / "data" / "pages.toml").read_text(encoding="utf-8")
    return MappingProxyType({page.name: page for page in convert(tomllib.loads(text)["page"], list[Page])})


PAGES: Final = _read()


def links_for(role: Role | None) -> list[Page]:
    """Return the pages that somebody finds at the top of every page, in their order."""
    return sorted(
        (page for page in PAGES.values() if page.nav and page.allows(role)), key=lambda page: page.nav
    )


def own_path(path: str) -> str:
    """Return where somebody goes on: a page of ours and nothing else.

    >>> own_path("/tables/t1"), own_path("https://elsewhere.example"), own_path("//elsewhere.example")
    ('/tables/t1', '/', '/')
    """
    plain = path.startswith("/") and not path.startswith(("//", "/\\")) and path.isprintable()
    return path if plain else "/"
