"""A coach in a process of its own: ``python -m houseway.odds.coach_worker`` answers a question a line.

Whoever serves tables has no arrays and compiles nothing; it asks here, and the process stays warm.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import cached_property

from msgspec.structs import asdict

from houseway.cards import Deck
from houseway.errors import HousewayError
from houseway.games import Rules, game
from houseway.houseways import Program, decide
from houseway.odds.coach import Advice, Coach, SettingOdds
from houseway.odds.kept import kept_table
from houseway.rounds.coaching import CoachQuestion, CoachReply, HandWorth, HouseWayWorth, SettingWorth
from houseway.rounds.codec import decode, encode
from houseway.rounds.houseway import dealer_program, reference_program
from houseway.settlement.model import DOUBLE_DOWN


class Coaches:
    """The coaches of one process: each is opened when its rules are first asked about, and stays open."""

    def __init__(self, deck: Deck | None = None) -> None:
        self._deck = deck
        self._open: dict[tuple[str, str], OpenCoach] = {}

    def advise(self, asked: CoachQuestion) -> HandWorth:
        """Value every legal setting of a hand, exactly."""
        opened = self._opened(asked)
        return _told(asked, opened, opened.coach.advise(asked.cards, asked.seen, placed=asked.doubled))

    def _opened(self, asked: CoachQuestion) -> OpenCoach:
        rules = "" if asked.submission is None else asked.submission.fingerprint()
        key = (asked.game, rules)
        if key not in self._open:
            commission = game(asked.game).commission or Fraction(0)
            self._open[key] = OpenCoach(_dealer(asked), commission, self._deck, doubling=_may_double(asked))
        return self._open[key]


class OpenCoach:
    """A dealer's way, and the coach who counts against it."""

    def __init__(
        self, dealer: Program, commission: Fraction, deck: Deck | None, *, doubling: bool = False
    ) -> None:
        self.dealer, self.commission, self._deck = dealer, commission, deck
        self.doubling = doubling
        """Whether players may double."""

    @cached_property
    def coach(self) -> Coach:
        """The coach, with the dealer's setting of every hand."""
        table = None if self._deck else kept_table(self.dealer)
        return Coach(self.dealer, self.commission, table, self._deck, doubling=self.doubling)


def _dealer(asked: CoachQuestion) -> Program:
    """Return the house way that the dealer sets by, opened as the table opens it."""
    if asked.submission is None:
        return reference_program(game(asked.game))
    return dealer_program(Rules.of(asked.submission))


def _may_double(asked: CoachQuestion) -> bool:
    """Whether the rules that are asked about offer a Double Down."""
    return asked.submission is not None and DOUBLE_DOWN in asked.submission.wagers


def _told(asked: CoachQuestion, coach: OpenCoach, advice: Advice) -> HandWorth:
    """Return advice as it is told, with the words of the house way's rule."""
    decision = decide(coach.dealer, asked.cards)
    settings = tuple(_worth(one, advice.best) for one in advice.settings)
    house = _worth(advice.house_way, advice.best)
    return HandWorth(
        game=asked.game,
        cards=asked.cards,
        seen=asked.seen,
        commission=str(coach.commission),
        doubled=asked.doubled and coach.doubling,
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


def _worth(one: SettingOdds, best: SettingOdds) -> SettingWorth:
    return SettingWorth(
        setting=one.setting,
        win=one.wins,
        push=one.pushes,
        lose=one.losses,
        expectation=float(one.expectation),
        exact=str(one.expectation),
        gives_up=float(best.expectation - one.expectation),
        double=None if one.doubling is None else one.doubles,
        double_adds=None if one.double_adds is None else float(one.double_adds),
    )


# --- questions and answers ----------------------------------------------------------------------------


def answers(lines: Iterable[bytes], coaches: Coaches) -> Iterator[bytes]:
    """Yield the answer to each question, a line each; what cannot be answered is refused in plain words."""
    for line in lines:
        yield encode(_answered(decode(CoachQuestion, line), coaches)) + b"\n"


def _answered(asked: CoachQuestion, coaches: Coaches) -> CoachReply:
    try:
        return CoachReply(id=asked.id, worth=coaches.advise(asked))
    except HousewayError as error:
        return CoachReply(id=asked.id, refused=str(error))


def main() -> None:
    """Answer until nobody asks any more."""
    for answer in answers(sys.stdin.buffer, Coaches()):
        sys.stdout.buffer.write(answer)
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
