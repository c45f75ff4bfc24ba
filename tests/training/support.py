"""What lessons are tested with: a coach with exact small answers, and answers as a history has them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache

from houseway.cards import Card, Cards
from houseway.games import Rules, example_submission, game, rules_for
from houseway.houseways import CompiledWay, compile_way, decide, house_way
from houseway.odds.coach import HandAdvice, SettingOdds
from houseway.ranking import legal_settings, ranking
from houseway.training import Kind, LessonAnswer, LessonRole
from houseway.training.spots import spot_of

NOON = datetime(2020, 6, 1, 12, tzinfo=UTC)
HALF = 5_000
"""Of 10,000 hands of the dealer's."""


@cache
def rules(game_id: str) -> Rules:
    return rules_for(example_submission(game_id))


@cache
def program(game_id: str) -> CompiledWay:
    if not game(game_id).licensed:
        return compile_way(house_way("foxwoods"), base=ranking(game(game_id).ranking))
    played_by = rules(game_id)
    return compile_way(house_way(played_by.submission.house_way or ""), base=played_by.ranking())


@dataclass(frozen=True)
class ExactCoach:
    """Finds the house way's setting worth nothing and all others worse, by ten-thousandths for each spot."""

    program: CompiledWay
    worse: Mapping[str, int]
    otherwise: int = 0
    noted: Callable[[Cards], object] = lambda cards: cards

    def advise(self, cards: Sequence[Card]) -> HandAdvice:
        self.noted(tuple(cards))
        way = decide(self.program, cards)
        lost = self.worse.get(spot_of(self.program, tuple(cards)), self.otherwise)
        best = SettingOdds(way.setting, HALF, 0, HALF)
        wanted = [frozenset(part) for part in way.setting]
        others = [
            SettingOdds(setting, HALF - lost, lost, HALF)
            for setting in legal_settings(self.program.ranking, cards)
            if [frozenset(part) for part in setting] != wanted
        ]
        return HandAdvice((best, *others), best, way.rule)


def answer(
    question: str,
    *,
    right: bool = True,
    spot: str = "pair",
    lost: str = "0",
    role: LessonRole = LessonRole.PLAYER,
    kind: str = Kind.SET,
    seconds: float = 6.0,
    shown: bool = False,
) -> LessonAnswer:
    return LessonAnswer(NOON, role, kind, spot, question, "", right, lost, seconds, shown=shown)
