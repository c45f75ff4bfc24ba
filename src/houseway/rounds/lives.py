"""How long decks and dice may stay on a table, and whether another round may begin with them."""

from __future__ import annotations

from datetime import datetime, timedelta

from houseway.games import Rules
from houseway.games.terms import Cited
from houseway.law.problems import Problem


def verify_deck_age(rules: Rules, since: datetime, now: datetime) -> tuple[Problem, ...]:
    """Refuse a new round once a deck has reached the life of the way it is dealt.

    A deck is changed *at least every* given number of hours: at the limit itself no round begins, unless
    reading asia:P11 is taken the other way.
    """
    lives = rules.game.lives
    life = lives.deck_by_hand if rules.submission.table.dealing == "hand" else lives.deck_by_shoe
    age = now - since
    if life is None or age < timedelta(hours=life.value):
        return ()
    if age == timedelta(hours=life.value) and rules.readings.get("deck_age_at_limit") == "round_allowed":
        return ()
    return _over(life, "deck", now - since)


def verify_dice_age(rules: Rules, since: datetime, now: datetime) -> tuple[Problem, ...]:
    """Refuse a roll with dice that have outlived their time on the table; at the limit they are in time."""
    life = rules.game.lives.dice
    if life is None or now - since <= timedelta(hours=life.value):
        return ()
    return _over(life, "dice", now - since)


def _over(life: Cited[int], what: str, age: timedelta) -> tuple[Problem, ...]:
    law = life.clauses
    if not law:
        return ()
    return (Problem(what, f"changed at least every {life.value} hours", str(age), law),)
