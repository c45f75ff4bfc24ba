"""A coach in a process of its own: ``python -m houseway.odds.coach_worker`` answers a question a line.

A service of tables loads no arrays and compiles nothing; it asks this process, which stays warm.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from fractions import Fraction

from msgspec.structs import asdict

from houseway.cards import Deck
from houseway.errors import HousewayError
from houseway.games import Rules, game
from houseway.games.ways import way_of
from houseway.houseways import CompiledWay, decide
from houseway.odds.coach import Coach, HandAdvice, SettingOdds
from houseway.odds.kept import kept_table
from houseway.rounds.coaching import CoachQuestion, CoachReply, HandWorth, HouseWayWorth, SettingWorth
from houseway.rounds.codec import decode, encode
from houseway.settlement.model import DOUBLE_DOWN


class Coaches:
    """The coaches of one process: each is created at the first question about its rules, and stays."""

    def __init__(self, deck: Deck | None = None) -> None:
        self._deck = deck
        self._open: dict[tuple[str, str], Coach] = {}

    def advise(self, question: CoachQuestion) -> HandWorth:
        """Value every legal setting of a hand, exactly."""
        coach = self._open_coach(question)
        advice = coach.advise(question.cards, question.seen, placed=question.doubled)
        return _describe_worth(question, coach, advice)

    def _open_coach(self, question: CoachQuestion) -> Coach:
        rules = "" if question.submission is None else question.submission.fingerprint()
        key = (question.game, rules)
        if key not in self._open:
            dealer, commission = _dealer(question), game(question.game).commission or Fraction(0)
            table = None if self._deck else kept_table(dealer)
            coach = Coach(dealer, commission, table, self._deck, doubling=_may_double(question))
            self._open[key] = coach
        return self._open[key]


def _dealer(question: CoachQuestion) -> CompiledWay:
    """Return the house way that the dealer sets by, opened as the table opens it."""
    rules = Rules.of(question.submission) if question.submission else None
    return way_of(game(question.game), rules)


def _may_double(question: CoachQuestion) -> bool:
    """Return whether the rules of the question offer a Double Down."""
    return question.submission is not None and DOUBLE_DOWN in question.submission.wagers


def _describe_worth(question: CoachQuestion, coach: Coach, advice: HandAdvice) -> HandWorth:
    """Return advice as the reply has it, with the words of the house way's rule."""
    decision = decide(coach.dealer, question.cards)
    settings = tuple(_worth(option, advice.best) for option in advice.settings)
    house = _worth(advice.house_way, advice.best)
    return HandWorth(
        game=question.game,
        cards=question.cards,
        seen=question.seen,
        commission=str(coach.commission),
        doubled=question.doubled and coach.least is not None,
        hands=house.win + house.push + house.lose,
        best=settings[0],
        house_way=HouseWayWorth(
            **asdict(house),
            way=coach.dealer.way.id,
            rule=decision.rule,
            say=decision.say,
            clauses=decision.clauses,
        ),
        price=float(advice.price),
        settings=settings,
    )


def _worth(option: SettingOdds, best: SettingOdds) -> SettingWorth:
    return SettingWorth(
        setting=option.setting,
        win=option.wins,
        push=option.pushes,
        lose=option.losses,
        expectation=float(option.expectation),
        exact=str(option.expectation),
        gives_up=float(best.expectation - option.expectation),
        double=None if option.doubling is None else option.doubles,
        double_adds=None if option.double_adds is None else float(option.double_adds),
    )


# --- questions and answers ----------------------------------------------------------------------------


def answer_lines(lines: Iterable[bytes], coaches: Coaches) -> Iterator[bytes]:
    """Yield the answer to each question, a line each; what cannot be answered is refused with the reason."""
    for line in lines:
        yield encode(_answer(decode(CoachQuestion, line), coaches)) + b"\n"


def _answer(question: CoachQuestion, coaches: Coaches) -> CoachReply:
    try:
        return CoachReply(id=question.id, worth=coaches.advise(question))
    except HousewayError as error:
        return CoachReply(id=question.id, refused=str(error))


def main() -> None:
    """Answer until the input ends."""
    for answer in answer_lines(sys.stdin.buffer, Coaches()):
        sys.stdout.buffer.write(answer)
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
