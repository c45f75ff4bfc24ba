"""The floor over HTTP: routes as data, people by their session, refusals as problem+json with clauses."""

from houseway.service.api.app import Server, make_app

__all__ = ["Server", "make_app"]
