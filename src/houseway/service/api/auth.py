"""Who is at the door: what the routes need to know of a session, however sessions are kept."""

from __future__ import annotations

from enum import StrEnum
from typing import Final, Protocol

from msgspec import Struct
from starlette.requests import HTTPConnection

from houseway.errors import HousewayError
from houseway.rounds.step import Actor

COOKIE: Final = "houseway_session"
CSRF_HEADER: Final = "x-csrf-token"


def same_site(connection: HTTPConnection) -> bool:
    """Whether a page of ours asks, or no page at all: a browser says which page does."""
    origin = connection.headers.get("origin")
    return origin is None or origin.partition("://")[2] == connection.headers.get("host")


class Precondition(StrEnum):
    """What somebody does first, before they may do what they came for."""

    CODE = "code"
    CHANGE_PASSWORD = "change_password"
    ENROL = "enrol"
    PROVE = "prove"

    @property
    def reason(self) -> str:
        """Why, in words."""
        return {
            Precondition.CODE: "the code of the second factor is needed too",
            Precondition.CHANGE_PASSWORD: "your password is temporary: choose one of your own first",
            Precondition.PROVE: (
                "this needs two people, each of whom has just given their password: give yours again"
            ),
            Precondition.ENROL: "your role needs a second factor: set one up on your own page first",
        }[self]


class SignInError(HousewayError):
    """Somebody is not signed in: they proved nothing, or not enough, or have to wait."""

    def __init__(self, message: str, *, wait: int = 0, must: Precondition | None = None) -> None:
        super().__init__(message)
        self.wait = wait
        """Seconds to wait before trying again; nothing if they may try at once."""
        self.must = must
        """What is still missing."""


class PreconditionError(HousewayError):
    """Somebody has something else to do first."""

    def __init__(self, must: Precondition) -> None:
        super().__init__(must.reason)
        self.must = must


class Identity(Struct, frozen=True):
    """Somebody who is signed in: who they are, and the token that their own pages send along."""

    actor: Actor
    csrf: str
    must: Precondition | None = None
    """What they do before anything else is open to them."""


class Proof(Struct, frozen=True):
    """How somebody who is signed in has proved who they are."""

    browser: str
    """The same for all who signed in one over another's session."""
    fresh: bool
    """Whether they have given their password within the last minutes."""


class SignInResult(Struct, frozen=True):
    """A session that begins: its token is told once, in a cookie."""

    token: str
    identity: Identity
    ends_after: int
    """Seconds until it ends at the latest."""


class Auth(Protocol):
    """Lets people in, knows them by their token, and lets them go."""

    async def sign_in(
        self,
        name: str,
        password: str,
        role: str,
        address: str,
        *,
        before: str = "",
        code: str | None = "",
    ) -> SignInResult:
        """Sign somebody in, or refuse; the session of the token before, if any, is over.

        With no code at all, as after an earlier one, none is asked for.
        """
        ...

    async def sign_in_guest(self, address: str) -> SignInResult:
        """Let somebody in as a guest."""
        ...

    async def find(self, token: str) -> Identity | None:
        """Return who a token stands for, if it still does."""
        ...

    async def prove(self, token: str, password: str, address: str) -> None:
        """Take the password of whoever a token stands for once more, or refuse."""
        ...

    async def proof(self, token: str) -> Proof | None:
        """Return how whoever a token stands for has proved who they are, looked up anew."""
        ...

    async def sign_out(self, token: str) -> None:
        """End a session."""
        ...
