"""A coach that counts nothing and remembers what it was asked."""

from __future__ import annotations

from typing import Any

from houseway.cards import Cards
from houseway.games import Submission
from houseway.rounds.coaching import CoachQuestion, HandWorth, HouseWayWorth, SettingWorth
from houseway.service.coach_process import CoachProcess


class Listening(CoachProcess):
    """Stands in for a coach where only what it is asked matters."""

    def __init__(self) -> None:
        super().__init__()
        self.questions: list[CoachQuestion] = []

    async def ask(
        self,
        game: str,
        cards: Cards,
        seen: Cards = (),
        submission: Submission | None = None,
        *,
        doubled: bool = False,
    ) -> HandWorth:
        self.questions.append(
            CoachQuestion(id=1, game=game, cards=cards, seen=seen, submission=submission, doubled=doubled)
        )
        return told_of(self.questions[-1])


def told_of(question: CoachQuestion) -> HandWorth:
    """Return an answer of the right shape, in which nothing is counted."""
    offered = question.submission is not None and "double_down" in question.submission.wagers
    double, adds = (True, 1.0) if offered else (None, None)
    counts: dict[str, Any] = {"win": 1, "push": 0, "lose": 0, "expectation": 1.0, "exact": "1"}
    counts |= {"setting": (question.cards,), "gives_up": 0.0, "double": double, "double_adds": adds}
    best = SettingWorth(**counts)
    house = HouseWayWorth(**counts, way="w", rule="r", say="s", clauses=("pa670a.11.d.1.s1",))
    return HandWorth(
        game=question.game,
        cards=question.cards,
        seen=question.seen,
        commission="0",
        hands=1,
        best=best,
        house_way=house,
        price=0.0,
        settings=(best,),
    )
