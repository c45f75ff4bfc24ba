"""Passwords and keys: their policy, their hashes, and what is spent on those whom nobody knows."""

from __future__ import annotations

from typing import Any

import pytest
from argon2 import PasswordHasher, extract_parameters
from argon2.low_level import Type

from houseway.errors import InvalidInputError
from houseway.rng import SeededEntropy
from houseway.service.passwords import (
    HashParameters,
    Passwords,
    check_password,
    hash_of_key,
    is_key_hash,
    new_key,
)
from tests.service.crowd import CHEAP, PASSWORD, hashed, passwords


@pytest.mark.parametrize(("length", "good"), [(11, False), (12, True), (13, True)])
def test_a_password_has_twelve_characters_at_least(length: int, good: bool) -> None:
    tried("xk 7 kettle barge"[:length], good)


@pytest.mark.parametrize(("length", "good"), [(199, True), (200, True), (201, False), (10**6, False)])
def test_a_password_has_two_hundred_characters_at_most(length: int, good: bool) -> None:
    tried(("xk 7 kettle barge " + "x" * length)[:length], good)


def tried(password: str, good: bool) -> None:
    if good:
        assert passwords().knows_password(password, passwords().hash(password))
        return
    with pytest.raises(InvalidInputError, match="12 to 200 characters") as error:
        passwords().hash(password)
    assert password not in str(error.value)


@pytest.mark.parametrize("password", ["Annabel Leeson", "ANNABEL LEESON", " annabel leeson "])
def test_a_password_is_not_the_name_of_who_has_it(password: str) -> None:
    with pytest.raises(InvalidInputError, match="must not be the name") as error:
        check_password(password, "annabel", "Annabel Leeson")
    assert "eeson" not in str(error.value).casefold()


def test_the_hash_is_argon2id_and_costs_what_the_constants_say() -> None:
    found = extract_parameters(hashed())
    assert (found.type, found.time_cost, found.memory_cost, found.parallelism) == (Type.ID, 1, 8, 1)
    assert (found.salt_len, found.hash_len) == (16, 32)


def test_a_floor_that_is_served_hashes_as_rfc_9106_recommends_where_memory_is_scarce() -> None:
    served = Passwords(SeededEntropy("served"))
    found = extract_parameters(served.hash_unchecked(PASSWORD))
    assert (found.type, found.time_cost, found.memory_cost, found.parallelism) == (Type.ID, 3, 64 * 1024, 1)
    assert (found.salt_len, found.hash_len) == (16, 32)


@pytest.mark.parametrize(("length", "good"), [(39, True), (40, True), (41, False)])
def test_the_first_forty_characters_of_a_password_are_judged(length: int, good: bool) -> None:
    """Only what comes last is hard to guess here, and just enough of it: no character may be missed."""
    password = "Q7#kvZ".rjust(length, "a")
    if good:
        check_password(password)
        return
    with pytest.raises(InvalidInputError, match="too easy to guess"):
        check_password(password)


def test_one_password_has_another_hash_each_time() -> None:
    assert passwords().hash(PASSWORD) != passwords().hash(PASSWORD)


def test_a_password_is_known_however_a_keyboard_writes_it() -> None:
    assert passwords().knows_password(
        "re\u0301sume\u0301 twelve", passwords().hash("r\u00e9sum\u00e9 twelve")
    )


@pytest.mark.parametrize("wrong", ["", "correct horse", PASSWORD + " ", "\ud800" * 20, "x" * 10_000])
def test_another_password_is_not_known(wrong: str) -> None:
    assert passwords().knows_password(PASSWORD, hashed())
    assert not passwords().knows_password(wrong, hashed())


def test_as_much_is_spent_on_whom_nobody_knows(monkeypatch: pytest.MonkeyPatch) -> None:
    spent: list[Any] = []
    real = PasswordHasher.verify

    def counted(self: PasswordHasher, found: str, password: str) -> bool:
        spent.append(extract_parameters(found))
        return real(self, found, password)

    monkeypatch.setattr(PasswordHasher, "verify", counted)
    key = new_key(SeededEntropy("k"))
    assert passwords().knows_password(PASSWORD, hashed())
    for wrong, found in ((PASSWORD, ""), ("", hashed()), ("x" * 999, hashed()), (PASSWORD, "$argon2id$torn")):
        assert not passwords().knows_password(wrong, found)
    assert passwords().knows_key(key.key, key.hash) and not passwords().knows_key("", key.hash)
    assert len(spent) == 7 and len(set(map(str, spent))) == 1


def test_no_password_is_that_of_nobody() -> None:
    found = Passwords(SeededEntropy("nobody"), CHEAP)
    found._nobodys = found.hash(PASSWORD)
    assert not found.knows_password(PASSWORD, "") and found.knows_password(PASSWORD, hashed())


def test_a_hash_of_other_parameters_is_outdated() -> None:
    dearer = Passwords(SeededEntropy("dear"), HashParameters(passes=2, memory_kib=8, lanes=1))
    assert dearer.is_outdated(hashed()) and dearer.knows_password(PASSWORD, hashed())
    assert not passwords().is_outdated(hashed())
    assert not dearer.is_outdated(dearer.hash_unchecked(PASSWORD)) and not dearer.is_outdated("")


def test_a_key_has_256_random_bits_and_is_kept_as_a_hash() -> None:
    entropy = SeededEntropy("keys")
    keys = [new_key(entropy) for _ in range(3)]
    assert len({one.key for one in keys}) == 3 and all(len(one.key) == 43 for one in keys)
    for one in keys:
        assert is_key_hash(one.hash) and one.hash == hash_of_key(one.key)
        assert one.key not in repr(one) and one.hash not in repr(one) and one.__rich_repr__() == []
