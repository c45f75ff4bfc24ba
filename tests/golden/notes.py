"""What is written down of a play, in plain data: the facts, the words and the states, each by themselves."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import msgspec

from houseway.law.problems import Problem
from houseway.rounds.codec import canonical, plain
from houseway.rounds.options import Offer, Option
from houseway.rounds.step import AnEvent

Plain = Any
WORDS = "…"
"""Stands, among the facts, for a text that is written down with the words."""
SPOKEN = frozenset({"reason", "announced", "page", "say", "says", "label", "follows", "stop"})
"""What holds words wherever it stands."""
GIVEN = {"reason"}
LONG = frozenset({"submission"})
"""What is too long to be written down again and again: its digest is."""


class Words:
    """Takes texts out of plain data, in the order in which they stand there."""

    def __init__(self) -> None:
        self.texts: list[str] = []

    def apart(self, text: str) -> str:
        """Take a text out."""
        self.texts.append(text)
        return WORDS

    def of(self, value: Plain, name: str = "") -> Plain:
        """Return what came of something without its words: every text in which there is a blank."""
        if isinstance(value, str):
            return self.apart(value) if " " in value or name in SPOKEN else value
        if isinstance(value, list):
            return [self.of(item, name) for item in value]
        if isinstance(value, dict):
            return {key: self.of(item, key) for key, item in value.items()}
        return value

    def of_action(self, action: Mapping[str, Plain]) -> Plain:
        """Return an action without its words; what is a choice of a form is none."""
        spoken = GIVEN | {"ruling"} if action.get("step") == "void_round" else GIVEN
        return {
            key: self.apart(value) if key in spoken and isinstance(value, str) else shorten(key, value)
            for key, value in action.items()
        }

    def of_event(self, event: AnEvent) -> Plain:
        """Return an event without its words."""
        data = plain(event)
        action = self.of_action(data.pop("action"))
        alerts = [self.of_problem(problem) for problem in event.alerts]
        data.pop("alerts", None)
        outcome = {key: shorten(key, value) for key, value in (data.pop("outcome", None) or {}).items()}
        outcome.pop("law", None)  # the fingerprint of the law's own documents
        return {**data, "action": action, "outcome": self.of(outcome), "alerts": alerts}

    def of_problem(self, problem: Problem) -> Plain:
        """Return a reason without its words."""
        self.apart(problem.reason)
        return [problem.field, list(problem.clauses), str(problem.severity), problem.value]

    def of_option(self, option: Option) -> Plain:
        """Return an option without its words."""
        data = plain(option)
        data.pop("done", None)  # a button's word, which options did not hold when plays were recorded
        for name in ("label", "say", "follows"):
            self.apart(data.pop(name, ""))
        data["open"] = option.open
        data["fields"] = [self._of_field(field) for field in data.get("fields", [])]
        for name in ("reasons", "warnings"):
            data[name] = [self._of_reason(reason) for reason in data.get(name, [])]
        return data

    def _of_field(self, field: dict[str, Plain]) -> Plain:
        self.apart(field.pop("label", ""))
        each = [self._of_field(part) for part in field.pop("each", [])]
        return {key: shorten(key, value) for key, value in field.items()} | ({"each": each} if each else {})

    def _of_reason(self, reason: dict[str, Plain]) -> Plain:
        self.apart(reason["says"])
        return reason.get("clauses", [])

    def of_offer(self, offer: Offer) -> Plain:
        """Return an offer without its words, its sets in order."""
        return {
            "option": self.of_option(offer.option),
            "roles": sorted(role.value for role in offer.roles),
            "person": offer.person,
            "not_for": sorted(offer.not_for),
        }


def shorten(name: str, value: Plain) -> Plain:
    """Return a value, or the digest of one that is long."""
    return digest(value) if name in LONG and isinstance(value, dict) else value


def digest(value: Plain) -> str:
    """Return what tells plain data from any other."""
    return hashlib.sha256(msgspec.json.encode(value, order="sorted")).hexdigest()


def digest_of(value: object) -> str:
    """Return what tells a value of the round of play from any other."""
    return hashlib.sha256(canonical(value)).hexdigest()


class Notes:
    """What is written down of one play: an entry for each thing done, tried, looked at."""

    def __init__(self) -> None:
        self.facts: list[Plain] = []
        self.words: list[list[str]] = []
        self.states: list[Plain] = []

    def add(self, entry: Callable[[Words], Mapping[str, Plain]]) -> None:
        """Write an entry down, its words apart."""
        words = Words()
        self.facts.append(dict(entry(words)))
        self.words.append(words.texts)

    def stand(self, **digests: Plain) -> None:
        """Write down how things stand after the last entry."""
        self.states.append({"after": len(self.facts), **digests})

    @property
    def parts(self) -> dict[str, Plain]:
        """What is compared, part by part."""
        return {"facts": self.facts, "words": self.words, "states": self.states}

    def digests(self) -> dict[str, str]:
        """Return the digest of each part."""
        return {name: digest(part) for name, part in self.parts.items()}


def refusal(problems: Iterable[Problem], words: Words) -> list[Plain]:
    """Return the reasons of a refusal without their words."""
    return [words.of_problem(problem) for problem in problems]
