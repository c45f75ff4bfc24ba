"""The one memo of a table's rules: what is worked out once, because it stays the same as long as they do."""

from __future__ import annotations

from typing import Any, NamedTuple

from houseway.games.paytables import Line
from houseway.houseways import CompiledWay
from houseway.law.problems import Problem
from houseway.money import Cents
from houseway.ranking.listing import Among, JokerMode
from houseway.ranking.memo import Memo


class SideTerms(NamedTuple):
    """How a side wager looks at a hand: what the joker is, and which hands a posted paytable lists."""

    joker: JokerMode
    among: Among


class RulesMemo(Memo):
    """The answers kept for rules and their ranking, made when the rules are opened.

    No table can hold more than the documents have wagers and hands, however long a table runs.
    """

    def __init__(self) -> None:
        super().__init__()
        self.sides: dict[str, SideTerms] = {}
        """How each side wager looks at a hand."""
        self.envied_from: dict[str, Cents] = {}
        """The least wager of each kind that earns Envy Bonuses, or 0 where none does."""
        self.lines: dict[tuple[str, str], Line] = {}
        """The paytable line of a wager that decides a hand, by the hand's name."""
        self.decided: dict[str, str] = {}
        """The hash over all that decides what a wager keeps, by the wager."""
        self.house_way: dict[str, CompiledWay] = {}
        """The house way of the submission, compiled, by its id."""
        self.bound: dict[type, Any] = {}
        """How the step of each action binds: the conditions named for it, with their clauses."""
        self.in_phase: dict[str, Any] = {}
        """The steps that may be taken in each phase of a round."""
        self.dealing: dict[tuple[str, str | None], tuple[Problem, ...]] = {}
        """What the law has against other ways of dealing and of finding the start, by both."""
        self.meters: dict[str, Any] = {}
        """The terms of each meter, by its name."""
