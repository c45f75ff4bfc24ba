"""Whatever the table says can be read aloud: a fact, once, in words that everybody at it knows."""

from __future__ import annotations

import re
from typing import Any

import pytest

from houseway.games import example_submission, rules_for
from houseway.law.problems import Problem, RefusedError
from houseway.rng import SeededEntropy
from houseway.rounds.auto import auto_round
from houseway.rounds.explain import explain
from houseway.rounds.options import label_of, options
from houseway.rounds.outcomes import Moves
from houseway.rounds.state import Phase
from houseway.rounds.steps import ALL_STEPS
from tests.games.support import rules
from tests.rounds.california import FIVE, WINS, Cardroom, banked, on_schedule
from tests.rounds.pennsylvania import dealt
from tests.rounds.table import (
    AUTOMATED,
    BY_HAND,
    DEALER,
    FLOOR,
    GENERATOR,
    MANUAL,
    SHAKER,
    TestTable,
    money,
    player,
)
from tests.rounds.washington import SUE, bets_down, claim, jackpot, opened_up, record
from tests.rounds.washington import dealt as dealt_in_washington

GAMES = ("pa-575", "pa-659a", "pa-670a", "wa-fap", "ca-fpgp")
REASONS = sorted({guard.reason for step in ALL_STEPS for guard in step.guards})
BAD = {
    "snake_case": re.compile(r"[a-z]+_[a-z]+"),
    "letters for results": re.compile(r"\([WLT]{2,3}\)"),
    "a tail that contradicts": re.compile(r", not \S+$"),
    "he or his": re.compile(r"\b(he|his|him|himself)\b", re.IGNORECASE),
    "a phase's own name": re.compile(r"the table is (dealer|starting|setting|betting)\b"),
    "no hand named": re.compile(r"\bnone:"),
    "twice the same word": re.compile(r"\b(\w+) \1\b"),
}


def faults(text: str) -> list[str]:
    return [what for what, pattern in BAD.items() if pattern.search(text)]


@pytest.mark.parametrize("reason", REASONS)
def test_a_reason_is_a_fact_in_plain_words(reason: str) -> None:
    assert not faults(reason)
    assert reason[:1].islower() or reason.startswith(("COIN IN", "J-POT", "Double"))
    assert not reason.endswith(".")


@pytest.mark.parametrize("game", GAMES)
def test_no_reason_names_the_other_direction_of_play(game: str) -> None:
    found = rules(game).game
    told = {
        guard.reason
        for step in ALL_STEPS
        if step.name in found.procedure
        for guard in step.guards
        if guard.sense or guard.key in found.procedure[step.name]
    }
    assert told and found.starts is not None
    other = {"clockwise": r"counterclockwise|far right", "counterclockwise": r"\bclockwise"}[
        found.starts.direction
    ]
    assert not [reason for reason in told if re.search(other, reason)]


@pytest.mark.parametrize("reason", REASONS)
def test_what_is_done_already_and_what_comes_first_are_told_apart(reason: str) -> None:
    """No reason is the beginning of another that says first, or already."""
    assert not {f"{reason} already", f"{reason} first"} & {*REASONS}


def test_coin_in_is_pressed_first_or_already() -> None:
    table = bets_down({2: {"main": "$10", "progressive": "$1"}})
    assert "COIN IN is pressed first" in said(table, "remove_progressive", chips=1)
    table.do("coin_in")
    assert said(table, "coin_in") == ["COIN IN is pressed already"]
    assert not [reason for reason in said(table, "remove_progressive", chips=1) if "COIN IN" in reason]


def test_a_phase_is_told_in_words() -> None:
    told = [f"not while the table is {phase.words}" for phase in Phase]
    assert not any(map(faults, told)) and len(set(told)) == len(told)


def test_the_value_of_a_refusal_never_contradicts_it() -> None:
    assert str(Problem("deal", "no hand is played there", "3")) == "deal: no hand is played there: 3"


@pytest.mark.parametrize("game", GAMES)
def test_payments_and_explanations_can_be_read_aloud(game: str) -> None:
    for seed in range(4):
        record = auto_round(rules_for(example_submission(game)), SeededEntropy(f"words {seed}"))
        moves: list[Any] = [event.outcome for turn in record.turns for event in turn.events]
        said = [p.reason for done in moves if isinstance(done, Moves) for p in (*done.stakes, *done.payments)]
        wrong = {text: faults(text) for text in (*said, *explain(record)) if faults(text)}
        assert not wrong


# --- what was said wrongly ------------------------------------------------------------------------------


GAMES_OF_PENNSYLVANIA = ("pa-575", "pa-659a", "pa-670a")


def test_true_quads_are_not_told_that_the_cards_do_not_make_them() -> None:
    table = dealt_in_washington({4: "quads"}, {4: {"progressive": "$1"}}).play_on(Phase.SETTLING)
    with pytest.raises(RefusedError):
        claim(opened_up(table, 4), hand="four_of_a_kind")
    problems = table.problems("verify_jackpot", FLOOR, 4)
    assert [p.clauses for p in problems if "no share of the meter" in p.reason] == [("wa.prog.7.percentage",)]
    assert not any("do not make" in p.reason for p in problems)


@pytest.mark.parametrize("game", ["pa-575", "pa-659a"])
@pytest.mark.parametrize("again", [False, True])
def test_a_player_is_told_that_the_dealer_cuts(game: str, again: bool) -> None:
    table = TestTable(game, MANUAL).betting(2, main="$10").play_on(without=["cut"])
    if again:
        table = TestTable(game, MANUAL).betting(2, main="$10").play_on(Phase.BETTING)
        table.play_on(without=["no_more_bets"]).do("recut", FLOOR, deck="A", reason="asked for")
    problems = table.problems("cut", player(2), deck="A", depth=20)
    said = [(p.reason, p.clauses) for p in problems if not p.reason.startswith("is for")]
    assert said == [("the dealer cuts the cards, no player does", (f"{game.replace('-', '')}.5.c.s1",))]


def test_a_missing_approval_is_told_as_what_keeps_the_table_closed() -> None:
    changes = {"table.start_methods": ["button"], **AUTOMATED, "approvals": {}}
    with pytest.raises(RefusedError) as refused:
        auto_round(rules("pa-575", changes), SeededEntropy("closed"))
    assert "the button needs its approval on file" in str(refused.value)
    assert "wager" not in str(refused.value) and "pa575.2.c.3" in refused.value.clauses


@pytest.mark.parametrize("game", ["wa-fap", "ca-fpgp"])
def test_a_deck_that_is_said_to_come_shuffled_is_refused_where_no_rule_lets_it(game: str) -> None:
    table = TestTable(game)
    (problem,) = table.problems("receive_deck", deck="A", preshuffled="(u)")
    assert problem.reason == "no rule here lets a deck come inspected and shuffled"
    with pytest.raises(RefusedError, match="preshuffled"):
        table.problems("receive_deck", deck="A", preshuffled="yes")


def said(table: TestTable, step: str, by: Any = DEALER, at: int | None = None, **details: Any) -> list[str]:
    """Return the reasons against a command."""
    return [problem.reason for problem in table.problems(step, by, at, **details)]


def said_twice(
    table: TestTable, step: str, by: Any = DEALER, at: int | None = None, **details: Any
) -> list[str]:
    """Return the reasons that a refusal gives more than once."""
    reasons = said(table, step, by, at, **details)
    return [reason for reason in reasons if reasons.count(reason) > 1]


@pytest.mark.parametrize("game", GAMES_OF_PENNSYLVANIA)
@pytest.mark.parametrize("changes", [MANUAL, AUTOMATED, BY_HAND, SHAKER])
def test_a_reason_is_given_once_with_its_clause(game: str, changes: dict[str, Any]) -> None:
    table = TestTable(game, changes).play_on(without=["shuffle"])
    assert not said_twice(table, "load", deck="A")
    told = [p for p in table.problems("load", deck="A") if "shuffled" in p.reason]
    assert len(told) == 1
    wagers = {"main": "$10"} if game == "pa-575" else {"main": "$10", "fortune": "$5", "progressive": "$1"}
    table = TestTable(game, changes).betting(2, **wagers).play_on(without=["no_more_bets"])
    table.do("no_more_bets")
    start, by = ("shake", DEALER) if changes is SHAKER else ("draw_number", GENERATOR)
    if start == "draw_number" and "rng" not in table.rules.submission.table.start_methods:
        start, by = "shake", DEALER
    details = {"times": 3} if start == "shake" else {}
    first = [p for p in table.problems(start, by, **details) if p.reason.endswith("first")]
    assert all(problem.clauses for problem in first)
    assert len(first) == (0 if game == "pa-575" else 3)


def test_california_says_once_that_the_collection_comes_before_any_card() -> None:
    room = Cardroom(seats=(), opened=False)
    (told,) = [
        one for one in room.problems("deal") if one.reason == "the collection is taken before any card"
    ]
    assert told.clauses == ("ca.fpgp.collect.s37_43.before_cards",)


def test_a_void_round_tells_of_no_cards_where_none_were_dealt() -> None:
    table = TestTable("pa-659a", AUTOMATED).starting(2, main="$10").play_on(without=["deal"])
    table.do("shoe_fault")
    record = table.play_on(rounds=1).live.record
    assert record is not None
    told = list(explain(record))
    assert "Position 2, Ann, played, no cards." in told and not any(": ." in line for line in told)


@pytest.mark.parametrize("line", ["pays", "loses"])
def test_insurance_names_what_it_was_settled_by(line: str) -> None:
    hands = {"loses": "full_house", "pays": "loser"}
    table = dealt("pa-659a", {2: hands[line]}, {2: {"insurance": "$5"}}).play_on(rounds=1)
    last = table.state.last
    assert last is not None
    said = [p.reason for p in last.payments if p.wager == "insurance"]
    assert said and not any("none" in reason for reason in said)


# --- what each game calls things ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "word", "other"), [("ca-fpgp", "button", "lammer"), ("pa-659a", "lammer", "button")]
)
def test_what_marks_an_envy_wager_is_called_as_the_games_own_law_calls_it(
    game: str, word: str, other: str
) -> None:
    wagers = {"main": "$10", "fortune": "$5"}
    if game == "ca-fpgp":
        table: TestTable = Cardroom(FIVE).banks(6).bets(2, **wagers)
        table.do("no_more_bets")
        table.do("collect_fees")
    else:
        table = TestTable(game).starting(2, **wagers)
    offered = {one.step: one for one in options(table.rules, table.live.table, DEALER, table.live.moment)}
    assert word in offered["place_lammers"].label and other not in offered["place_lammers"].follows
    assert word in label_of("place_lammers", game)
    said = [p.reason for p in (*table.problems("place_lammers", positions=(3,)), *table.problems("deal"))]
    assert any(word in reason for reason in said) and not any(other in reason for reason in said)


def test_california_the_buttons_are_taken_when_all_is_reconciled() -> None:
    room = banked("$200", {2: {"main": "$20", "fortune": "$5"}}, FIVE).opened_up({2: WINS[0]})
    said = [problem.reason for problem in room.problems("clear_lammers")]
    assert "the buttons stay until every wager is reconciled" in said
    room.play_on(without=["clear_lammers"])
    assert "the buttons are taken first" in [problem.reason for problem in room.problems("close_round")]


def test_washington_a_progressive_chip_is_taken_by_coin_in() -> None:
    table = dealt_in_washington({4: "loser"}, {4: {"progressive": "$1"}})
    assert table.last("coin_in").outcome.payments[0].reason == "booked by COIN IN"
    table = TestTable("pa-659a").starting(2, main="$10", progressive="$1").play_on(without=["draw_number"])
    assert table.last("count_progressive").outcome.payments[0].reason == "taken at no more bets"


def test_what_went_from_the_reserve_into_the_meter_was_not_put_there_by_the_house() -> None:
    whole = "seven_card_straight_flush"
    table = claim(jackpot({4: whole}), hand=whole)
    record(table)
    table.do("turn_key", SUE, to="RUN")
    table.do("pay_jackpot", SUE, 4, reference="HP-1")
    table.play_on(rounds=1)
    assert table.live.record is not None
    (line,) = (line for line in explain(table.live.record) if "reserve added" in line)
    assert "went from the reserve into the meter" in line and "by the house" not in line


def test_a_bound_that_a_wager_does_not_have_is_not_made_up() -> None:
    room = Cardroom(on_schedule(38) | {"wagers.main.max": "$200"}).banks(6)
    found = [p.reason for p in room.problems("wager", room.at(2), 2, wagers=money(main="$600"))]
    assert found == ["at most $200", "table limit is $10 to $200"]


def test_why_a_round_is_stopped_is_told_whole() -> None:
    room = banked("$200", {2: {"main": "$20"}}, FIVE).closed()
    room.diced()
    room.do("deal", first_to=next(at for at in range(1, 8) if at != room.state.round.start))
    stopped = room.state.round.stopped
    assert stopped is not None and len(stopped) > 50
    told = [str(problem) for problem in room.problems("deal") if "stopped for a ruling" in problem.reason]
    assert told and stopped in told[0]


@pytest.mark.parametrize("game", ["pa-575", "pa-659a", "pa-670a"])
def test_a_deck_that_is_not_ready_is_not_asked_for_a_cut_that_it_does_not_get(game: str) -> None:
    table = TestTable(game, AUTOMATED).play_on(without=["load"]).seat((2,)).bet(2, main="$10")
    said = [problem.reason for problem in table.problems("no_more_bets")]
    assert said == ["a deck is shuffled and loaded first"]
