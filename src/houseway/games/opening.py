"""What must be true before a table opens: its packs of cards, its felt, the regulator's notices."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from typing import Literal

from houseway.errors import InvalidInputError
from houseway.games.paytables import EnvyLine, Line, compare_envy, compare_lines
from houseway.games.rules import Rules
from houseway.law.citations import join_cites
from houseway.law.documents import Document
from houseway.law.problems import Problem, Severity


class Pack(Document):
    """A deck as it comes to the table, before anything is taken out of it."""

    cards: int
    jokers: int
    second_joker_removed: bool = False

    @property
    def jokers_in_play(self) -> int:
        """The jokers left once a second one is torn and put away."""
        return self.jokers - self.second_joker_removed

    @property
    def cards_in_play(self) -> int:
        """The cards left once a second joker is torn and put away."""
        return self.cards - self.second_joker_removed


class Notice(Document):
    """What a regulator has said of a game; kept for ever, never deleted."""

    status: Literal["under_review", "unlawful", "cease", "cleared"]
    source: str
    dated: date


class Felt(Document):
    """The bonus and envy table printed on the felt."""

    lines: tuple[Line, ...]
    envy: tuple[EnvyLine, ...] = ()


class Opening(Document):
    """What is on the table at the moment it is to open."""

    packs: tuple[Pack, ...]
    notices: tuple[Notice, ...] = ()


def verify_open(rules: Rules, opening: Opening) -> tuple[Problem, ...]:
    """Return every reason the table may not open yet, and what must be shown or put on record."""
    return (*_pack_problems(rules, opening), *_notice_problems(rules, opening))


def _pack_problems(rules: Rules, opening: Opening) -> Iterator[Problem]:
    if len(opening.packs) != rules.submission.table.decks:
        need = f"{rules.submission.table.decks} of them by the rules submission"
        yield Problem("packs", need, str(len(opening.packs)))
    terms = rules.game.deck
    if terms is None:
        return
    for index, pack in enumerate(opening.packs):
        path = f"packs.{index}"
        if pack.jokers > 1 and not pack.second_joker_removed:
            law = terms.two_joker_packs
            if law:
                yield Problem(path, "the second joker's removal is not on record", None, law)
        if pack.jokers > 1 and not terms.two_joker_packs:
            yield Problem(path, "nothing lets a pack made with two jokers be used")
        law = terms.jokers.clauses
        if law and (pack.jokers_in_play != terms.jokers.value or pack.cards_in_play != terms.cards.value):
            have = f"{pack.cards_in_play} cards, {pack.jokers_in_play} of them jokers"
            need = f"{terms.cards.value} cards, {terms.jokers.value} of them jokers"
            yield Problem(path, need, have, law)


def order_to_cease(notices: Sequence[Notice]) -> Notice | None:
    """Return the order to cease that is in force: only a later notice that the game is cleared lifts it.

    Of two notices of one day the one recorded last counts.
    """
    orders = [notice for notice in notices if notice.status in ("cease", "cleared")]
    latest = max(reversed(orders), key=lambda notice: notice.dated, default=None)
    return latest if latest is not None and latest.status == "cease" else None


def _notice_problems(rules: Rules, opening: Opening) -> Iterator[Problem]:
    terms = rules.game.opening
    if terms is None:
        return
    order = order_to_cease(opening.notices)
    if order is not None and terms.cease.stands:
        reason = f"ordered to cease by {order.source}, which nobody may override"
        yield Problem("notices", reason, None, join_cites(terms.cease, terms.no_override))
    schedule = rules.schedule()
    if schedule and schedule.group.under_review and terms.zero_review.stands:
        acknowledged = terms.zero_review in rules.submission.acknowledged
        severity = Severity.WARNING if acknowledged else Severity.ERROR
        reason = "zero-collection games are under review: the notice is to be acknowledged"
        yield Problem("acknowledged", reason, None, terms.zero_review.cites, severity)


def verify_felt(rules: Rules, felt: Felt) -> tuple[Problem, ...]:
    """Return in what a felt prints otherwise than the bonus and envy tables in force."""
    terms = rules.game.opening
    if terms is None:
        raise InvalidInputError("its law says nothing of what the felt prints", value=rules.game.id)
    if not terms.felt.stands:
        return ()
    table = rules.paytable("fortune")
    envy = next((e for e in rules.game.envy if e.paytable == table.id), None)
    problems = compare_lines(table.lines, felt.lines, "felt.lines")
    problems += compare_envy(envy.lines if envy else (), felt.envy, "felt.envy")
    return tuple(
        Problem(problem.field, problem.reason, problem.value, terms.felt.cites) for problem in problems
    )
