"""The coach's process from within: questions in, exact counts out, for all kinds of game on small decks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations

import pytest

from houseway.cards import Deck, parse_cards
from houseway.errors import DataError
from houseway.games import Rules, example_submission, game
from houseway.houseways import compile_way, decide, house_way
from houseway.odds.coach_worker import Coaches, answer_lines
from houseway.ranking import legal_settings, race, ranking
from houseway.rounds.coaching import CoachQuestion, CoachReply, worth_of
from houseway.rounds.codec import decode, encode
from houseway.rounds.houseway import dealer_program

GAMES = [
    pytest.param("pa-670a", "AKQJT98", id="5-1"),
    pytest.param("ref-pgp", "A5432K98", id="5-2, without rules, with a commission"),
    pytest.param("pa-659a", "AKQJT987", id="4-2-1"),
]


def answered(deck: Deck, *questions: CoachQuestion) -> Iterator[CoachReply]:
    """Ask as a server does, a line each, and read the answers."""
    lines = [encode(one) + b"\n" for one in questions]
    for line in answer_lines(lines, Coaches(deck)):
        assert line.count(b"\n") == 1
        yield decode(CoachReply, line)


@pytest.mark.parametrize(("name", "ranks"), GAMES)
def test_every_setting_is_worth_what_racing_every_hand_left_gives(name: str, ranks: str) -> None:
    deck, found = Deck.reduced(ranks, "sh"), game(name)
    submission = example_submission(name) if found.licensed else None
    program = (
        dealer_program(Rules.of(submission))
        if submission
        else compile_way(house_way("foxwoods"), base=ranking(found.ranking))
    )
    cards, size = sorted(deck.cards), found.hand_cards
    hand, seen = (*cards[: size - 1], cards[-1]), (cards[size],)
    left = [card for card in cards if card not in (*hand, *seen)]
    dealers = [decide(program, other).setting for other in combinations(left, size)]
    asked = CoachQuestion(id=7, game=name, cards=hand, seen=seen, submission=submission)
    ((reply),) = answered(deck, asked)
    worth = reply.worth
    assert reply.id == 7 and worth is not None and worth.hands == len(dealers)
    legal = list(legal_settings(program.ranking, hand))
    assert len(worth.settings) == len(legal) and all(worth_of(worth.settings, one) for one in legal)
    kept = 1 - (found.commission or Fraction(0))
    worths = []
    for one in worth.settings:
        results = Counter(race(program.ranking, one.setting, dealer).result for dealer in dealers)
        assert (one.win, one.push, one.lose) == (results["win"], results["push"], results["lose"])
        worths.append((kept * results["win"] - results["lose"]) / len(dealers))
        assert Fraction(one.exact) == worths[-1] and one.expectation == float(worths[-1])
        assert one.gives_up == float(worths[0] - worths[-1])
    assert worths == sorted(worths, reverse=True) and worth.best == worth.settings[0]
    house = decide(program, hand)
    mine = worth_of(worth.settings, house.setting)
    assert mine is not None and worth_of([worth.house_way], house.setting) is worth.house_way
    assert (worth.house_way.exact, worth.price) == (mine.exact, mine.gives_up)
    told = (worth.house_way.way, worth.house_way.rule, worth.house_way.say, worth.house_way.clauses)
    assert told == (program.way.id, house.rule, house.say, house.clauses)


@pytest.mark.parametrize("doubled", [False, True])
def test_the_answer_says_when_to_double_where_the_rules_offer_it(doubled: bool) -> None:
    deck, submission = Deck.reduced("AKQJT98", "sh"), example_submission("pa-670a")
    hand = parse_cards("As Ah Ks Kh Qs Qh")
    without = submission.model_copy(
        update={"wagers": {name: one for name, one in submission.wagers.items() if name != "double_down"}}
    )
    asked = [
        CoachQuestion(id=n, game="pa-670a", cards=hand, submission=rules, doubled=doubled)
        for n, rules in enumerate((submission, without))
    ]
    offered, plain = (reply.worth for reply in answered(deck, *asked))
    assert offered is not None and plain is not None
    assert (offered.doubled, plain.doubled) == (doubled, False)
    for one in offered.settings:
        alone = worth_of(plain.settings, one.setting)
        assert alone is not None and (alone.double, alone.double_adds) == (None, None)
        assert one.double_adds is not None and one.double == (doubled or one.double_adds > 0)
        adds = one.double_adds if one.double else 0
        assert one.expectation == pytest.approx(alone.expectation + adds)
    assert any(one.double for one in offered.settings)


def test_a_question_that_cannot_be_answered_is_refused_and_the_next_is_answered() -> None:
    deck, submission = Deck.reduced("AKQJT98", "sh"), example_submission("pa-670a")
    hand = parse_cards("As Ah Ks Kh Qs Qh")

    def asked(number: int, **other: object) -> CoachQuestion:
        told = {"id": number, "game": "pa-670a", "cards": hand, "submission": submission, **other}
        return CoachQuestion(**told)  # type: ignore[arg-type]

    few = asked(1, cards=hand[:3])
    twice = asked(2, seen=hand[:1])
    wayless = asked(3, submission=submission.model_copy(update={"house_way": None}))
    unknown = asked(4, game="no-such-game", submission=None)
    replies = list(answered(deck, few, twice, wayless, unknown, asked(5)))
    assert [one.id for one in replies] == [1, 2, 3, 4, 5]
    for reply, says in zip(replies, ("6 cards needed", "twice", "", "no-such-game"), strict=False):
        assert reply.worth is None and reply.refused and says in reply.refused
    assert replies[-1].worth is not None and not replies[-1].refused
    with pytest.raises(DataError):
        next(answer_lines([b"{}\n"], Coaches(deck)))


def test_coaches_stay_open_for_the_rules_they_were_opened_for(monkeypatch: pytest.MonkeyPatch) -> None:
    deck, opened = Deck.reduced("AKQJT98", "sh"), Counter[str]()
    coaches, submission = Coaches(deck), example_submission("pa-670a")
    monkeypatch.setattr(
        "houseway.odds.coach_worker.way_of",
        lambda game, rules: opened.update([rules.fingerprint]) or dealer_program(rules),
    )
    other = submission.model_copy(update={"reference": "another"})
    for rules in (submission, other, submission):
        hand = parse_cards("As Ah Ks Kh Qs Qh")
        coaches.advise(CoachQuestion(id=1, game="pa-670a", cards=hand, submission=rules))
    assert sorted(opened.values()) == [1, 1]
