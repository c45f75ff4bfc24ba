"""A lesson in the terminal: question after question until the user leaves, each answer stored at once."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from typing import Final

from houseway.cards import Cards, highest_first, show, show_setting
from houseway.cli.coach import show_advice, tell_doubling
from houseway.cli.seat import Asker, Hints, LeftError, read_setting, setting_hints
from houseway.cli.terminal_view import Screen
from houseway.errors import HousewayError, InvalidInputError
from houseway.houseways import decide
from houseway.money import dollars
from houseway.ranking import Ranking, Setting, verify_setting, verify_split
from houseway.rng import Entropy
from houseway.training import (
    DealerLesson,
    HandToSet,
    History,
    Kind,
    LessonAnswer,
    LessonRole,
    Mark,
    PlayerLesson,
    Question,
    Score,
    score,
)
from houseway.training.irregular import WhatFollows
from houseway.training.paying import WhatIsPaid
from houseway.training.questions import IsItFoul, SetByHouseWay, WhoWins
from houseway.training.report import hands_set, mean, report, scored
from houseway.training.scoring import mark_of, points_of

FINISHED: Final = 0
INTERRUPTED: Final = 130
SHOW: Final = ("?",)
"""Typing this shows the answer, and the question is not scored."""


@dataclass(frozen=True)
class Means:
    """The resources of a lesson: the history, chance, the time of day, a clock, seconds allowed."""

    history: History
    entropy: Entropy
    now: Callable[[], datetime]
    ticks: Callable[[], float]
    allowed: float | None = None


def percent(share: Fraction) -> str:
    """Return a share of a wager in per cent.

    >>> percent(Fraction(1, 80))
    '1.25 %'
    """
    return f"{float(100 * share):.2f} %"


class Drill(ABC):
    """A lesson: questions and answers; the role decides which questions, and how they are put."""

    role: LessonRole
    thing: str

    def __init__(self, screen: Screen, asker: Asker, means: Means) -> None:
        self.screen, self.asker, self.means = screen, asker, means
        self.answers = means.history.read()
        self.known = len(self.answers)

    def run(self, count: int) -> int:
        """Ask ``count`` questions, or until the user leaves if it is 0; return the exit code."""
        code = FINISHED
        number = 0
        try:
            while not count or number < count:
                number += 1
                self.screen.title(f"{self.thing} {number}")
                self.ask()
        except LeftError as left:
            code = INTERRUPTED if left.interrupted else FINISHED
        except KeyboardInterrupt:
            code = INTERRUPTED
        self.summary()
        return code

    @abstractmethod
    def ask(self) -> None:
        """Ask one question and store the answer."""

    @abstractmethod
    def summary(self) -> None:
        """Print the result of the lesson."""

    def keep(self, answer: LessonAnswer) -> None:
        """Store an answer on disk before the next question."""
        self.means.history.add(answer)
        self.answers.append(answer)

    @property
    def lesson(self) -> Sequence[LessonAnswer]:
        """The scored answers of this lesson."""
        return scored(self.answers[self.known :], self.role)

    def late(self, seconds: float) -> bool:
        """Return whether an answer came after its time, and print that."""
        allowed = self.means.allowed
        if allowed is None or seconds <= allowed:
            return False
        self.screen.say(f"Late: {seconds:.1f} s, {allowed:g} s allowed.", indent=2, style="yellow")
        return True

    def read_hand(self, order: Ranking, cards: Cards, *, legal: bool) -> Setting | None:
        """Ask for a setting of the cards until one can be read; None if the user asks for the answer.

        If it must be ``legal`` a foul is printed and asked again.
        """
        hints = _hints(setting_hints(cards, order.part_names, order.split)[:3])
        while True:
            text = self.asker.ask("Your setting: ", hints, SHOW)
            if text in SHOW:
                return None
            try:
                setting = read_setting(text, cards, order.part_names, order.split)
            except InvalidInputError as error:
                self.screen.complain(f"{error}")
                continue
            problems = verify_split(order, cards, setting) or (
                verify_setting(order, setting) if legal else ()
            )
            self.screen.show_refusals(problems)
            if not problems:
                return setting


def _hints(hints: Hints) -> Hints:
    return (*hints, ("?", "the answer, which is then not scored"))


class PlayerDrill(Drill):
    """A player's drill: hands to set, each setting graded by its exact worth."""

    role, thing = LessonRole.PLAYER, "Hand"

    def __init__(self, screen: Screen, asker: Asker, means: Means, lesson: PlayerLesson) -> None:
        super().__init__(screen, asker, means)
        self.player = lesson

    def ask(self) -> None:
        """Ask for a setting of one hand."""
        hand = self.player.next(self.answers, self.means.entropy)
        if hand.again:
            self.screen.say("This one comes back.", style="dim")
        self.screen.show_cards(hand.cards)
        began = self.means.ticks()
        order = self.player.program.ranking
        setting = self.read_hand(order, hand.cards, legal=True)
        seconds = self.means.ticks() - began
        if setting is None:
            show_advice(hand.advice)
            self._keep(hand, None, "?", seconds, late=False)
            return
        graded = score(order, hand.advice, decide(self.player.program, hand.cards), setting)
        late = self.late(seconds)
        self._tell(order, graded)
        self._keep(hand, graded, show_setting(setting), seconds, late=late)

    def _tell(self, order: Ranking, graded: Score) -> None:
        lost = f"gives up {percent(graded.lost)} of the wager"
        if graded.mark is Mark.BEST:
            lost = "nothing is better"
        self.screen.say(
            f"{graded.mark.capitalize()}: {lost}; {graded.points:+d} points.", indent=2, style="bold"
        )
        worth = f"worth {float(graded.given.expectation):+.4f}"
        if graded.mark is not Mark.BEST:
            worth += f", the best {float(graded.best.expectation):+.4f}:"
        self.screen.say(f"Yours is {worth}" if graded.lost else f"It is {worth}.", indent=2)
        if graded.lost:
            self.screen.show_setting(order, tuple(map(highest_first, graded.best.setting)))
        if graded.best.doubling is not None:
            self._tell_doubling(graded)
        law = f" ({self.screen.law(graded.clauses)})" if graded.clauses else ""
        self.screen.say(f"Decided by: {graded.told_by}{law}", indent=2, hang=2)

    def _tell_doubling(self, graded: Score) -> None:
        """Print when to double: with the user's setting, and with the best if that is another."""
        advice = tell_doubling(graded.given)
        self.screen.say(f"{advice[0].upper()}{advice[1:]}.", indent=2, hang=2)
        if graded.lost:
            advice = tell_doubling(graded.best)
            self.screen.say(f"{advice[0].upper()}{advice[1:]}.", indent=2, hang=2)

    def _keep(self, hand: HandToSet, graded: Score | None, given: str, seconds: float, *, late: bool) -> None:
        self.keep(
            LessonAnswer(
                at=self.means.now(),
                role=self.role,
                kind=Kind.SET,
                spot=hand.spot,
                asked=show(hand.cards),
                given=given,
                right=graded is not None and not graded.failed,
                lost=str(graded.lost if graded else 0),
                seconds=round(seconds, 3),
                late=late,
                shown=graded is None,
            )
        )

    def summary(self) -> None:
        """Print how many hands got each mark, and what they gave up."""
        if not self.lesson:
            self.screen.title("No hand was set.")
            return
        lost = [answer.share_lost for answer in self.lesson]
        marks = Counter(map(mark_of, lost))
        listing = ", ".join(f"{marks[mark]} {mark}" for mark in Mark if marks[mark])
        points = sum(map(points_of, lost)) / len(lost)
        many = "1 hand" if len(lost) == 1 else f"{len(lost)} hands"
        self.screen.title(f"{many}: {listing}.")
        self.screen.say(f"Each gives up {percent(mean(lost))} of the wager; {points:+.0f} points.")


class DealerDrill(Drill):
    """A dealer's drill: house-way settings, winners, fouls, payments, and what follows."""

    role, thing = LessonRole.DEALER, "Question"

    def __init__(self, screen: Screen, asker: Asker, means: Means, lesson: DealerLesson) -> None:
        super().__init__(screen, asker, means)
        self.dealer = lesson

    def ask(self) -> None:
        """Ask one question of the kind that is due."""
        question = self.dealer.next(self.answers, self.means.entropy)
        self._show(question)
        began = self.means.ticks()
        given, right = self._answer(question)
        seconds = self.means.ticks() - began
        late = right is not None and self.late(seconds)
        self._tell(question, right)
        self.keep(
            LessonAnswer(
                at=self.means.now(),
                role=self.role,
                kind=question.kind,
                spot=question.spot,
                asked=question.text,
                given=given,
                right=right is True,
                lost="1" if right is False else "0",
                seconds=round(seconds, 3),
                late=late,
                shown=right is None,
            )
        )

    def _answer(self, question: Question) -> tuple[str, bool | None]:
        """Return what was typed and whether it is right; None for the second if the answer was shown."""
        if isinstance(question, SetByHouseWay):
            setting = self.read_hand(self.dealer.program.ranking, question.cards, legal=False)
            return ("?", None) if setting is None else (show_setting(setting), question.is_house_way(setting))
        while True:
            text = self.asker.ask("Your answer: ", _hints(question.hints()), SHOW)
            if text in SHOW:
                return text, None
            try:
                return text, question.is_right(text)
            except HousewayError as error:
                self.screen.complain(f"{error}")

    def _show(self, question: Question) -> None:
        """Print the question, with the choices where there are some."""
        order = self.dealer.program.ranking
        if isinstance(question, SetByHouseWay):
            self.screen.say("Set it by the house way.")
            self.screen.show_cards(question.cards)
        elif isinstance(question, WhoWins):
            letters = f"w, l or c for each of {', '.join(order.part_names)}, then w, l or p for the wager"
            self.screen.say(f"Who wins? Type {letters}.", hang=2)
            self._both(order, question.player, question.dealer)
        elif isinstance(question, IsItFoul):
            self.screen.say("Is it foul?")
            self.screen.show_setting(order, question.setting, ranked=False)
            self.screen.show_list(question.hints())
        elif isinstance(question, WhatIsPaid):
            self.screen.say("What is paid on each wager? 0 for a push, - where it is taken.")
            self._both(order, question.player, question.dealer)
            placed = ", ".join(
                f"{name.replace('_', ' ')} {dollars(amount)}" for name, amount in question.wagers
            )
            self.screen.say(f"Wagers: {placed}", indent=2, hang=2)
            meter = question.meter_showing()
            if meter is not None:
                self.screen.say(f"The progressive shows {dollars(meter)}.", indent=2)
        elif isinstance(question, WhatFollows):
            self.screen.say(f"What follows: {question.say()}?", hang=2)
            self.screen.show_list(question.hints())

    def _both(self, order: Ranking, player: Setting, dealer: Setting) -> None:
        """Show both sides without their ranks, which would give the answer away."""
        for who, setting in (("The player", player), ("The dealer", dealer)):
            self.screen.say(f"{who}:", indent=1)
            self.screen.show_setting(order, setting, ranked=False)

    def _tell(self, question: Question, right: bool | None) -> None:
        """Print whether the answer is right, the right one, why, and by which law."""
        solution = question.solution()
        verdict = "Right." if right else f"{'The answer' if right is None else 'Wrong'}: {solution.answer}"
        self.screen.say(verdict, indent=2, style="bold red" if right is False else "bold")
        law = f" ({self.screen.law(solution.clauses)})" if solution.clauses else ""
        self.screen.say(f"{solution.because}{law}", indent=2, hang=2)

    def summary(self) -> None:
        """Print how many were right and how many hands were set in a minute."""
        if not self.lesson:
            self.screen.title("Nothing was answered.")
            return
        total = report(self.lesson, self.role)[-1]
        many = "1 question" if total.answers == 1 else f"{total.answers} questions"
        self.screen.title(f"{many}: {total.right} right, {total.answers - total.right} wrong.")
        settings = hands_set(self.lesson)
        taken = sum(answer.seconds for answer in settings)
        if taken:
            self.screen.say(f"{60 * len(settings) / taken:.1f} hands set in a minute.")
