"""Authentication as the routes see it, independent of how sessions are stored."""

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
    """Whether a request comes from one of our pages, or from no page, by the browser's ``Origin``."""
    origin = connection.headers.get("origin")
    return origin is None or origin.partition("://")[2] == connection.headers.get("host")


class Precondition(StrEnum):
    """What a user must do before they may do what they asked for."""

    CODE = "code"
    CHANGE_PASSWORD = "change_password"
    ENROL = "enrol"
    PROVE = "prove"

    @property
    def reason(self) -> str:
        """The reason in words."""
        return {
            Precondition.CODE: "the code of the second factor is needed too",
            Precondition.CHANGE_PASSWORD: "your password is temporary: choose one of your own first",
            Precondition.PROVE: (
                "this needs two people, each of whom has just given their password: give yours again"
            ),
            Precondition.ENROL: "your role needs a second factor: set one up on your own page first",
        }[self]


class SignInError(HousewayError):
    """Sign-in is refused: nothing or not enough was proved, or the user has to wait."""

    def __init__(self, message: str, *, wait: int = 0, must: Precondition | None = None) -> None:
        super().__init__(message)
        self.wait = wait
        """Seconds to wait before trying again; 0 if they may try at once."""
        self.must = must
        """What is still missing, if anything."""


class PreconditionError(HousewayError):
    """The user must do something else first."""

    def __init__(self, must: Precondition) -> None:
        super().__init__(must.reason)
        self.must = must


class Identity(Struct, frozen=True):
    """A signed-in user, and the token that their own pages send along."""

    actor: Actor
    csrf: str
    must: Precondition | None = None
    """What they must do before anything else, if anything."""


class Proof(Struct, frozen=True):
    """How a signed-in user has proved who they are."""

    browser: str
    """A value shared by all sessions begun over one another in a browser."""
    fresh: bool
    """Whether they gave their password within the last minutes."""


class SignInResult(Struct, frozen=True):
    """A new session; its token is sent once, in a cookie."""

    token: str
    identity: Identity
    ends_after: int
    """Seconds until it ends at the latest."""


class Auth(Protocol):
    """Signs people in, knows them by their token, and signs them out."""

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
        """Sign a user in, or refuse; the session of the token ``before``, if any, is replaced.

        With ``code`` None, as after an earlier check, no second factor is asked for.
        """
        ...

    async def sign_in_guest(self, address: str) -> SignInResult:
        """Sign a guest in, or refuse."""
        ...

    async def find(self, token: str) -> Identity | None:
        """Return the identity of a token, or None if its session is over."""
        ...

    async def prove(self, token: str, password: str, address: str) -> None:
        """Check the password of a token's user once more and renew their proof, or refuse."""
        ...

    async def proof(self, token: str) -> Proof | None:
        """Return how recently a token's user has proved who they are, looked up without a cache."""
        ...

    async def sign_out(self, token: str) -> None:
        """End the session of a token."""
        ...
