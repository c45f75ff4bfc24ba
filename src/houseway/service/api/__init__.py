"""The floor over HTTP: routes as data, people by their session, refusals as problem+json with clauses."""

from houseway.service.api.app import make_app
from houseway.service.api.call import Server

__all__ = ["Server", "make_app"]
