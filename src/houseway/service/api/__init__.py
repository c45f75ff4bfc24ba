"""The floor over HTTP: routes as data, sessions, and refusals as problem+json with clauses."""

from houseway.service.api.app import make_app
from houseway.service.api.call import Server

__all__ = ["Server", "make_app"]
