"""The site of a floor: its pages and static files, next to the HTTP interface."""

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
from houseway.floor.access_events import AccessKind
from houseway.rounds.codec import canonical
from houseway.service.api import Server, make_app
from houseway.service.api.auth import COOKIE, Identity
from houseway.service.api.call import Call
from houseway.service.api.middleware import HEADERS
from houseway.service.api.problem_json import error_response
from houseway.store.store_errors import StoreError
from houseway.web.card_faces import card_sheet
from houseway.web.cards import TEMPLATES
from houseway.web.pages import PAGES, Page, links_for
from houseway.web.texts import text, texts_under

STATIC: Final = Path(__file__).parent / "static"
_STYLE: Final = re.compile(r"<style>(.*?)</style>", re.DOTALL)
Context = dict[str, Any]
Maker = Callable[[Call], Awaitable[Context | Response]]
"""Makes the context of a page's template, or the whole response."""


def make_site(server: Server, makers: Mapping[str, Maker]) -> Starlette:
    """Return the application of a floor: its interface and its pages."""
    routes: list[BaseRoute] = [
        Route(page.path, _endpoint(server, page, makers[page.name])) for page in PAGES.values()
    ]
    return make_app(server, [*routes, Mount("/static", _Static(directory=STATIC))])


class _Static(StaticFiles):
    """Static files with the security headers, revalidated at each load."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_with_headers(message: Any) -> None:  # noqa: ANN401 - a message of ASGI
            if message["type"] == "http.response.start":
                headers = {**HEADERS, "cache-control": "no-cache"}
                message["headers"] += [(key.encode(), value.encode()) for key, value in headers.items()]
            await send(message)

        await super().__call__(scope, receive, send_with_headers)


def _endpoint(server: Server, page: Page, maker: Maker) -> Callable[[Request], Awaitable[Response]]:
    async def endpoint(request: Request) -> Response:
        try:
            identity = await server.auth.find(request.cookies.get(COOKIE, ""))
            response = await _answer(server, page, maker, request, identity)
        except StoreError as error:
            response = error_response(error)
        response.headers.update({**HEADERS, **response.headers})
        return response

    return endpoint


async def _answer(
    server: Server, page: Page, maker: Maker, request: Request, identity: Identity | None
) -> Response:
    if identity is not None:
        server.note_seen(identity.actor.id)
    wanted = request.url.path + (f"?{request.url.query}" if request.url.query else "")
    if identity is not None and identity.must is not None and not page.before_change:
        return RedirectResponse(f"/me?next={quote(wanted, safe='')}", 303)
    if not page.allows(identity.actor.role if identity else None):
        if identity is None:
            return RedirectResponse(f"/sign-in?next={quote(wanted, safe='')}", 303)
        call = Call(server, request, identity)
        server.access.note(AccessKind.REFUSED, identity.actor, call.address, call.now, page.path)
        return render_page("refused", identity, {"role": identity.actor.role}, 403)
    try:
        content = await maker(Call(server, request, identity))
    except UnknownNameError as error:
        return render_page("missing", identity, {"problem": str(error)}, 404)
    except HousewayError as error:
        return render_page("missing", identity, {"problem": str(error)}, 400)
    return content if isinstance(content, Response) else render_page(page.name, identity, content)


def render_page(name: str, identity: Identity | None, context: Context, status: int = 200) -> Response:
    """Return a page of the site: the frame, the page's content, and the data of its scripts."""
    actor = identity.actor if identity else None
    me = {"id": actor.id, "name": actor.shown, "role": actor.role} if actor else None
    boot = {"me": me, "csrf": identity.csrf if identity else "", **context.get("boot", {})}
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
    """Return data for a page's scripts, in a block that is never executed.

    >>> data_block("x", {"a": "</script>"})
    Markup('<script type="application/json" id="x">{"a":"\\\\u003c/script>"}</script>')
    """
    written = canonical(value).decode().replace("<", "\\u003c")
    return Markup('<script type="application/json" id="{}">{}</script>').format(name, Markup(written))


def content_hash(text: str) -> str:
    """Return the source expression by which a policy allows one inline script or style."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def self_contained(page: str, *, plots: bool = False) -> Response:
    """Return a page that carries its own style, with a policy that allows that style and no script."""
    styles = "'unsafe-inline'" if plots else " ".join(map(content_hash, _STYLE.findall(page)))
    policy = f"default-src 'none'; style-src {styles}; img-src data:; frame-ancestors 'none'; base-uri 'none'"
    return HTMLResponse(page, headers={"content-security-policy": policy})
