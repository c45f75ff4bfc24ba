"""Answers about any hand: every legal setting, how each house way sets it, and why."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache

from msgspec import Struct

from houseway.cards import Cards, parse_cards, parse_setting
from houseway.errors import HousewayError
from houseway.games import Rules
from houseway.games.game import Game, game
from houseway.games.hands import spoken
from houseway.games.ways import example_rules, ranking_in, way_of
from houseway.houseways import CompiledWay, decide, house_ways
from houseway.ranking import (
    Ranking,
    Setting,
    describe,
    legal_settings,
    verify_setting,
    verify_split,
)
from houseway.rounds.houseway import same_setting


class PartOfHand(Struct, frozen=True):
    """The cards of one part of a setting, and their rank in words."""

    name: str
    cards: Cards
    rank: str = ""


class LegalSetting(Struct, frozen=True):
    """A legal setting, and the house ways that choose it."""

    parts: tuple[PartOfHand, ...]
    ways: tuple[str, ...] = ()


class CheckedRule(Struct, frozen=True):
    """A rule of a house way that was checked: its questions with their answers."""

    rule: str
    fired: bool
    questions: tuple[tuple[str, bool], ...]


class WayChoice(Struct, frozen=True):
    """How a house way sets a hand: the deciding rule in its own words, and its clauses."""

    way: str
    title: str
    parts: tuple[PartOfHand, ...]
    rule: str
    say: str
    clauses: tuple[str, ...]
    asked: tuple[CheckedRule, ...]


class Foul(Struct, frozen=True):
    """A reason why a setting is not legal."""

    reason: str
    clauses: tuple[str, ...]


class JudgedSetting(Struct, frozen=True):
    """A proposed setting: its parts, and every reason why it is foul."""

    parts: tuple[PartOfHand, ...]
    fouls: tuple[Foul, ...]


class HandAnswer(Struct, frozen=True, kw_only=True):
    """Everything about a hand in a game."""

    game: str
    cards: Cards
    house_way: str | None
    """The house way that the game's own rules name."""
    ways: tuple[WayChoice, ...]
    made: dict[str, str]
    """The hand of each side wager that the cards make, in words."""
    settings: tuple[LegalSetting, ...]
    judged: JudgedSetting | None = None


def answer_hand(game_id: str, cards: str, setting: str = "") -> HandAnswer:
    """Return the answer about cards in a game, with a judgement of ``setting`` if one is given."""
    document = game(game_id)
    rules = example_rules(document)
    order = ranking_in(document, rules)
    hand = parse_cards(cards, count=document.hand_cards)
    judged = _judge(order, hand, parse_setting(setting)) if setting else None
    ways = tuple(_choice(program, hand) for program in _programs(document))
    return HandAnswer(
        game=document.id,
        cards=hand,
        house_way=rules.submission.house_way if rules else None,
        ways=ways,
        made=_bonus_hands(rules, order, hand) if rules else {},
        settings=tuple(_legal_setting(order, legal, ways) for legal in legal_settings(order, hand)),
        judged=judged,
    )


def _programs(document: Game) -> Iterator[CompiledWay]:
    """Yield the house ways that can set the hands of a game."""
    for way in house_ways():
        program = _program(document.id, way.id)
        if program is not None:
            yield program


@cache
def _program(game_id: str, way: str) -> CompiledWay | None:
    """Return a house way compiled for a game, or None if it cannot set the game's hands."""
    document = game(game_id)
    try:
        return way_of(document, example_rules(document), way)
    except HousewayError:
        return None


def _choice(program: CompiledWay, cards: Cards) -> WayChoice:
    decision = decide(program, cards, explain=True)
    return WayChoice(
        way=program.way.id,
        title=program.way.title,
        parts=_parts(program.ranking, decision.setting),
        rule=decision.rule,
        say=decision.say,
        clauses=decision.clauses,
        asked=tuple(CheckedRule(step.rule, step.fired, tuple(step.answers)) for step in decision.steps),
    )


def _legal_setting(order: Ranking, setting: Setting, ways: Iterable[WayChoice]) -> LegalSetting:
    chosen = [way.way for way in ways if same_setting(setting, tuple(part.cards for part in way.parts))]
    return LegalSetting(_parts(order, setting), tuple(chosen))


def _parts(order: Ranking, setting: Setting) -> tuple[PartOfHand, ...]:
    named = zip(order.part_names, setting, strict=True)
    return tuple(PartOfHand(name, part, describe(order.rank(name, part))) for name, part in named)


def _judge(order: Ranking, cards: Cards, setting: Setting) -> JudgedSetting:
    """Return a judgement of a setting, even if its parts have wrong sizes."""
    if tuple(map(len, setting)) == order.split:
        parts = _parts(order, setting)
        problems = verify_split(order, cards, setting) or verify_setting(order, setting)
    else:
        parts = tuple(PartOfHand("", part) for part in setting)
        problems = verify_split(order, cards, setting)
    return JudgedSetting(parts, tuple(Foul(problem.reason, problem.clauses) for problem in problems))


def _bonus_hands(rules: Rules, order: Ranking, cards: Cards) -> dict[str, str]:
    """Return the hand that the cards make for each side wager with a list of hands."""
    listed = {listing.id for listing in order.document.listing}
    return {
        wager: spoken(order.bonus(wager, cards, among=rules.listed_hands(wager)))
        for wager in rules.side_wagers
        if wager in listed
    }
