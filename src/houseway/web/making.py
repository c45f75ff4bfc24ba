"""The maker of each page, by the page's name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from starlette.applications import Starlette

from houseway.service.api import Server
from houseway.web import floor_pages, law_pages, office_pages, watch_pages
from houseway.web.site import Maker, make_site

MAKERS: Final[Mapping[str, Maker]] = {
    **floor_pages.MAKERS,
    **watch_pages.MAKERS,
    **office_pages.MAKERS,
    **law_pages.MAKERS,
}


def site(server: Server) -> Starlette:
    """Return the application of a floor: its interface and its pages."""
    return make_site(server, MAKERS)
