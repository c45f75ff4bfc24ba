"""Inputs of the library: cards, settings and amounts as text, or as values of an earlier answer."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from houseway.cards import (
    Card,
    Cards,
    WrongCountError,
    distinct,
    parse_cards,
    parse_setting,
    show,
    show_setting,
)
from houseway.errors import InvalidInputError
from houseway.money import Cents, cents
from houseway.ranking import Ranking, Setting

GivenCards = str | Iterable[Card | str]
GivenMoney = str | int


def read_cards(given: GivenCards, count: int | None = None) -> Cards:
    """Read cards: a text such as ``As Kd Jk``, or a list of cards or of their names.

    >>> read_cards("As Kd"), read_cards(["As", "Kd"])
    ((As, Kd), (As, Kd))
    """
    if isinstance(given, str):
        return parse_cards(given, count=count)
    if not isinstance(given, Iterable):
        raise InvalidInputError("cards are written as a text such as 'As Kd Jk'", value=given)
    cards = distinct(_card(card) for card in given)
    if count is not None and len(cards) != count:
        raise WrongCountError(f"{count} cards needed, {len(cards)} given", value=show(cards))
    return cards


def _card(given: object) -> Card:
    if isinstance(given, Card):
        return given
    if isinstance(given, str):
        return Card.parse(given)
    raise InvalidInputError("a card is written as a text such as 'As'", value=given)


def read_setting(order: Ranking, given: Any, *, players: bool = False) -> Setting:  # noqa: ANN401 - judged here
    """Read a setting: a text such as ``AsKsQsJs / ThTd / 9c``, a hand that was set, or a list of parts.

    A player may split cards wrongly where the game calls that a foul; the race says so.
    """
    setting = getattr(given, "setting", given)
    if not isinstance(setting, str):
        setting = show_setting(_parts(setting))
    if "/" not in setting:
        expected = f"a setting is {'-'.join(map(str, order.split))} cards with / between the parts"
        raise InvalidInputError(expected, value=setting.strip())
    parts = parse_setting(setting)
    whole = sum(map(len, parts)) == order.dealt_cards
    if players and whole and order.document.split.wrong == "foul":
        return parts
    return parse_setting(setting, order.split)


def _parts(given: object) -> list[Cards]:
    if not isinstance(given, Iterable):
        raise InvalidInputError("a setting is written as a text such as 'AsKsQsJs / ThTd / 9c'", value=given)
    return [read_cards(part) for part in given]


def read_money(given: object) -> Cents:
    """Read an amount: a text such as ``$5``, whole dollars, or cents of an earlier answer.

    >>> read_money("$2.50"), read_money(5)
    (250, 500)
    """
    if isinstance(given, Cents):
        return given
    if isinstance(given, str):
        return cents(given)
    if isinstance(given, int) and not isinstance(given, bool):
        return Cents(100 * given)
    raise InvalidInputError("an amount is written as a text such as '$5'", value=given)


def read_wagers(given: object) -> dict[str, Cents]:
    """Read wagers: an amount for each, or one amount for the main wager.

    >>> read_wagers({"main": "$10", "fortune": "$5"}), read_wagers("$10")
    ({'main': 1000, 'fortune': 500}, {'main': 1000})
    """
    if not isinstance(given, Mapping):
        return {"main": read_money(given)}
    return {str(wager): read_money(amount) for wager, amount in given.items()}


def read_name(given: object, what: str) -> str:
    """Read the id of something, or the path of its file."""
    if isinstance(given, str | Path):
        return str(given)
    raise InvalidInputError(f"{what} is named by its id or by a .toml file", value=given)
