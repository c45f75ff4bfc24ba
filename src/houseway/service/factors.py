"""Second factors: codes that change twice a minute, made from a secret on the person's own device.

A secret is stored encrypted, under a key derived from that of the sealed decks. A code is accepted once, in
its own half minute and the two beside it. The decisions about factors are pure functions.
"""

from __future__ import annotations

import hmac
from base64 import b32encode, b64decode, b64encode
from collections.abc import Iterable
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from pyotp.hotp import HOTP
from pyotp.totp import TOTP

from houseway.errors import IllegalError
from houseway.floor.people_events import FactorRemoved, FactorsDemanded, FactorSet
from houseway.floor.rights import Duty, check_reason, check_right
from houseway.rng import Entropy
from houseway.rounds.roles import DEVICES, Role
from houseway.rounds.state import PersonId
from houseway.rounds.step import Actor
from houseway.service.people import People, User, check_acts
from houseway.store.safe import DeckSafe

SECRET_BYTES: Final = 20
"""As RFC 4226 recommends."""
CODE_SECONDS: Final = 30
DRIFT: Final = 1
"""The number of codes before and after the current one that are accepted, since clocks differ."""
CODE_DIGITS: Final = 6
ENROLMENT: Final = timedelta(minutes=15)
"""How long a new secret waits for its first code."""
ISSUER: Final = "houseway"
FACTORS_KEY: Final = "houseway second factors"
"""The purpose for which the factors' key is derived from the floor's key."""
_IV: Final = 12


class FactorSafe:
    """Encrypts the secrets of factors, each bound to its owner."""

    def __init__(self, key: bytes, entropy: Entropy, former: Iterable[bytes] = ()) -> None:
        """Encrypt with a key; decrypt with it or with former ones."""
        self._cipher, self._entropy = AESGCM(key), entropy
        self._ciphers = (self._cipher, *(AESGCM(other) for other in former))

    def lock(self, person: PersonId, secret: str) -> str:
        """Return a secret, encrypted."""
        iv = self._entropy.read(_IV)
        return b64encode(iv + self._cipher.encrypt(iv, secret.encode(), _associated_data(person))).decode()

    def unlock(self, person: PersonId, sealed: str) -> str:
        """Return the decrypted secret of a person; refuse one of another person or key."""
        locked = b64decode(sealed)
        for cipher in self._ciphers:
            with suppress(InvalidTag):
                return cipher.decrypt(locked[:_IV], locked[_IV:], _associated_data(person)).decode()
        raise IllegalError("a second factor cannot be opened with this key", value=person)


def factor_safe(safe: DeckSafe, entropy: Entropy) -> FactorSafe:
    """Return the safe for the factors of a floor."""
    former = [key.key_for(FACTORS_KEY) for key in safe.former]
    return FactorSafe(safe.derive(FACTORS_KEY), entropy, former)


def _associated_data(person: PersonId) -> bytes:
    return f"factor\n{person}".encode()


# --- secrets and codes --------------------------------------------------------------------------------


def new_secret(entropy: Entropy) -> str:
    """Return a random secret, as people type it into their device."""
    return b32encode(entropy.read(SECRET_BYTES)).decode()


def uri_of(secret: str, name: str) -> str:
    """Return the URI by which a device takes up a secret."""
    codes = TOTP(secret, digits=CODE_DIGITS, interval=CODE_SECONDS)
    return codes.provisioning_uri(name=name, issuer_name=ISSUER)


def step_at(now: datetime) -> int:
    """Return the number of the half minute that a moment falls in."""
    return int(now.timestamp()) // CODE_SECONDS


def step_of(secret: str, code: str, now: datetime) -> int | None:
    """Return the half minute that a code belongs to if it is accepted now, or None."""
    digits = "".join(code.split()).encode("utf-8", "replace")
    codes = HOTP(secret, digits=CODE_DIGITS)
    steps = (step_at(now) + drift for drift in range(-DRIFT, DRIFT + 1))
    matching = [step for step in steps if step >= 0 and hmac.compare_digest(codes.at(step).encode(), digits)]
    return max(matching, default=None)


# --- decisions about factors --------------------------------------------------------------------------


def needs_factor(people: People, role: Role) -> bool:
    """Whether people in a role need a second factor."""
    return role in people.factor_roles


def demand_factors(people: People, roles: Iterable[Role], by: Actor, now: datetime) -> FactorsDemanded:
    """Require a second factor of people in these roles, and in no others."""
    _check_manages(people, by, now)
    wanted = frozenset(roles)
    for role in sorted(wanted & (DEVICES | {Role.GUEST})):
        raise IllegalError("devices and guests have no second factor", value=str(role))
    if wanted == people.factor_roles:
        raise IllegalError("these roles already require a second factor")
    return FactorsDemanded(roles=wanted, by=by, at=now)


def check_may_enrol(people: People, by: Actor, now: datetime) -> User:
    """Return the user who may enrol a second factor; refuse a device, or a user who has one."""
    user = check_acts(people, by, now)
    if user.device:
        raise IllegalError("a device has a key, and no second factor", value=by.id)
    if user.factor:
        raise IllegalError("there is a second factor already: remove it first", value=by.id)
    return user


def set_factor(people: People, sealed: str, by: Actor, now: datetime) -> FactorSet:
    """Record the actor's own second factor, encrypted."""
    return FactorSet(user=check_may_enrol(people, by, now).id, sealed=sealed, by=by, at=now)


def remove_factor(people: People, by: Actor, now: datetime) -> FactorRemoved:
    """Remove the actor's own second factor, unless one of their roles requires it."""
    user = check_acts(people, by, now)
    _check_has_factor(user)
    for role in sorted(user.roles & people.factor_roles):
        raise IllegalError("this role requires a second factor", value=str(role))
    return FactorRemoved(user=user.id, by=by, at=now)


def void_factor(people: People, user: PersonId, by: Actor, now: datetime, reason: str) -> FactorRemoved:
    """Void another user's second factor whose device is lost: they are signed out, and may enrol again."""
    _check_manages(people, by, now)
    check_reason(reason)
    if by.id == user:
        raise IllegalError("you cannot void your own second factor: remove it instead", value=user)
    _check_has_factor(people.user(user))
    return FactorRemoved(user=user, reason=reason, by=by, at=now)


def _check_manages(people: People, by: Actor, now: datetime) -> None:
    check_right(Duty.MANAGE_PEOPLE, by)
    check_acts(people, by, now)


def _check_has_factor(user: User) -> None:
    if not user.factor:
        raise IllegalError("there is no second factor", value=user.id)
