"""The site of a floor: pages and what they load, beside the interface that they ask."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

from markupsafe import Markup
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import Receive, Scope, Send

from houseway import __version__
from houseway.errors import HousewayError, UnknownNameError
from houseway.floor.streams import AccessKind
from houseway.rounds.codec import canonical
from houseway.service.api import Server, make_app
from houseway.service.api.call import Call
from houseway.service.api.gate import COOKIE, Signed
from houseway.service.api.problems import from_error
from houseway.service.api.shield import HEADERS
from houseway.store.outcomes import StoreError
from houseway.web.card_faces import card_sheet
from houseway.web.cards import TEMPLATES
from houseway.web.pages import PAGES, Page, links_for
from houseway.web.texts import text, texts_under

STATIC: Final = Path(__file__).parent / "static"
_STYLE: Final = re.compile(r"<style>(.*?)</style>", re.DOTALL)
Context = dict[str, Any]
Maker = Callable[[Call], Awaitable[Context | Response]]
"""What a page is made of, or another answer."""


def make_site(server: Server, makers: Mapping[str, Maker]) -> Starlette:
    """Return the application of a floor with its pages."""
    routes: list[BaseRoute] = [
        Route(page.path, _endpoint(server, page, makers[page.name])) for page in PAGES.values()
    ]
    return make_app(server, [*routes, Mount("/static", _Static(directory=STATIC))])


class _Static(StaticFiles):
    """Files that never change under one version of the program."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def sent(message: Any) -> None:  # noqa: ANN401 - a message of ASGI
            if message["type"] == "http.response.start":
                kept = {**HEADERS, "cache-control": "no-cache"}
                message["headers"] += [(key.encode(), value.encode()) for key, value in kept.items()]
            await send(message)

        await super().__call__(scope, receive, sent)


def _endpoint(server: Server, page: Page, maker: Maker) -> Callable[[Request], Awaitable[Response]]:
    async def endpoint(request: Request) -> Response:
        try:
            signed = await server.gate.find(request.cookies.get(COOKIE, ""))
            response = await _answered(server, page, maker, request, signed)
        except StoreError as error:
            response = from_error(error)
        response.headers.update({**HEADERS, **response.headers})
        return response

    return endpoint


async def _answered(
    server: Server, page: Page, maker: Maker, request: Request, signed: Signed | None
) -> Response:
    if signed is not None:
        server.seen(signed.actor.id)
    wanted = request.url.path + (f"?{request.url.query}" if request.url.query else "")
    if signed is not None and signed.must is not None and not page.before_change:
        return RedirectResponse(f"/me?next={quote(wanted, safe='')}", 303)
    if not page.allows(signed.actor.role if signed else None):
        if signed is None:
            return RedirectResponse(f"/sign-in?next={quote(wanted, safe='')}", 303)
        call = Call(server, request, signed)
        server.access.note(AccessKind.REFUSED, signed.actor, call.address, call.now, page.path)
        return rendered("refused", signed, {"role": signed.actor.role}, 403)
    try:
        made = await maker(Call(server, request, signed))
    except UnknownNameError as error:
        return rendered("missing", signed, {"said": str(error)}, 404)
    except HousewayError as error:
        return rendered("missing", signed, {"said": str(error)}, 400)
    return made if isinstance(made, Response) else rendered(page.name, signed, made)


def rendered(name: str, signed: Signed | None, context: Context, status: int = 200) -> Response:
    """Return a page of the site: the frame, what the page says, and what its scripts begin with."""
    actor = signed.actor if signed else None
    me = {"id": actor.id, "name": actor.shown, "role": actor.role} if actor else None
    boot = {"me": me, "csrf": signed.csrf if signed else "", **context.get("boot", {})}
    words = texts_under("site", "word", *context.get("texts", (name,)))
    frame: Context = {
        "page": name,
        "t": text,
        "me": actor,
        "links": links_for(actor.role if actor else None),
        "boot": data_block("boot", boot),
        "texts": data_block("texts", words),
        "sheet": card_sheet,
        "version": __version__,
    }
    page = TEMPLATES.get_template(f"site/{name}.html").render({**context, **frame})
    return HTMLResponse(page, status)


def data_block(name: str, value: object) -> Markup:
    """Return data for a page's scripts, in a block that nothing runs.

    >>> data_block("x", {"a": "</script>"})
    Markup('<script type="application/json" id="x">{"a":"\\\\u003c/script>"}</script>')
    """
    written = canonical(value).decode().replace("<", "\\u003c")
    return Markup('<script type="application/json" id="{}">{}</script>').format(name, Markup(written))


def self_contained(page: str, *, plots: bool = False) -> Response:
    """Return a page that carries its own style: a browser is told which, and runs nothing at all."""
    hashes = [
        "'sha256-" + base64.b64encode(hashlib.sha256(style.encode()).digest()).decode() + "'"
        for style in _STYLE.findall(page)
    ]
    styles = "'unsafe-inline'" if plots else " ".join(hashes)
    policy = f"default-src 'none'; style-src {styles}; img-src data:; frame-ancestors 'none'; base-uri 'none'"
    return HTMLResponse(page, headers={"content-security-policy": policy})
