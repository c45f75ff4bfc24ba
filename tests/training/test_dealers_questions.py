"""A dealer's questions: settings, copies, fouls, payments and irregularities, each worked out by hand."""

from __future__ import annotations

import pytest

from houseway.cards import Deck, parse_setting
from houseway.errors import HousewayError, InvalidInputError
from houseway.games import game
from houseway.law import cite
from houseway.rng import SeededEntropy
from houseway.training import DealerLesson, Kind
from houseway.training.irregular import WhatFollows
from houseway.training.paying import WhatIsPaid
from houseway.training.questions import IsItFoul, SetByHouseWay, WhoWins, draw_foul, draw_race
from tests.training.support import program, rules

GAMES = ("ca-fpgp", "pa-575", "pa-659a", "pa-670a", "wa-fap", "ref-pgp")
DECK = Deck.standard()


def lesson(game_id: str, only: str | None = None) -> DealerLesson:
    return DealerLesson(program(game_id), DECK, rules(game_id) if game(game_id).licensed else None, only)


# --- setting by the house way ---------------------------------------------------------------------


def test_a_setting_is_right_by_the_house_way_alone_and_counted_by_its_rule() -> None:
    # § 670a.11(d)(1): two pair stay together and the higher odd card is the low hand
    question = SetByHouseWay.parse(program("pa-670a"), "Ks Kh 9d 9s 5h 4d")
    assert (question.kind, question.spot, question.text) == (Kind.SET, "two-pair", "Ks Kh 9d 9s 5h 4d")
    assert question.is_right("9s9dKhKs4d / 5h")
    assert not question.is_right("KsKh9d9s5h / 4d")
    assert question.solution().answer == "KsKh9s9d4d / 5h"
    assert question.solution().clauses == ("pa670a.11.d.1.s1", "pa670a.11.d.1.s2")


def test_of_two_like_cards_either_may_be_in_a_part() -> None:
    # a straight with a pair: both nines are as good in it, and as good beside the queen
    question = SetByHouseWay.parse(program("ca-fpgp"), "Jk Qs Jc Td 9c 9d 2c")
    first, other = "JkQsJcTd9c / 9d2c", "JkQsJcTd9d / 9c2c"
    assert question.is_right(first) == question.is_right(other)
    assert question.is_right(question.solution().answer)


def test_a_foul_setting_is_wrong_and_one_of_other_cards_cannot_be_read() -> None:
    question = SetByHouseWay.parse(program("pa-670a"), "As Qh Td 8c 6h 4d")
    assert not question.is_right("QhTd8c6h4d / As")
    for typed in ("AsQhTd8c6h / 4c", "AsQhTd8c / 6h4d", "As"):
        with pytest.raises(HousewayError):
            question.is_right(typed)


# --- copies ---------------------------------------------------------------------------------------

RACES = [
    # 659a.11(f)(1)(i): a copy is the dealer's, and two of three decide
    ("pa-659a", "AsKs9d4c / QhTd / 8c against AdKd9h4s / QcTh / 7c", "c c w l"),
    ("pa-659a", "KsKh7d4c / Ad9c / Qs against QhQd8s3s / AcTs / Jh", "w l w w"),
    ("pa-659a", "AsKs9d4c / QhTd / 8c against AdKd9h4s / JcTh / 7c", "c w w w"),
    ("pa-575", "8s8h5d4c / KdTc / Qs against 7h7d5s3s / KcTs / Kh", "w c l l"),
    ("wa-fap", "8s8h5d4c / KdTc / Qs against 8d8c5s4d / KcTs / Qh", "c c c l"),
    # with two parts one each is a push, and a copy is again the dealer's
    ("ca-fpgp", "AsKs9d4c2c / QhTd against AdKd9h4s2d / Jc8h", "c w p"),
    ("ca-fpgp", "AsKs9d4c2c / QhTd against AdKd9h4s2d / QcTs", "c c l"),
    ("ref-pgp", "KsKh9d4c2c / QhTd against QdQs9h4s2d / QcTs", "w c p"),
    ("ref-pgp", "KsKh9d4c2c / QhTd against QdQs9h4s2d / JcTs", "w w w"),
    # 670a: a player's joker wins the low hand, even against an ace
    ("pa-670a", "KsKh9d9s4d / Jk against AcAd9c9h2s / As", "l w p"),
    ("pa-670a", "KsKh9d9s4d / 8c against KcKd9c9h4h / 8s", "c c l"),
]


@pytest.mark.parametrize(("game_id", "asked", "right"), RACES)
def test_a_race_is_told_part_by_part(game_id: str, asked: str, right: str) -> None:
    question = WhoWins.parse(program(game_id).ranking, asked)
    assert question.text == asked and question.solution().answer == right
    assert question.is_right(right) and question.is_right(right.replace(" ", "").upper())
    for place, letter in enumerate(right):
        for other in "wlcp".replace(letter, ""):
            wrong = right[:place] + other + right[place + 1 :]
            readable = letter != " " and other in ("wlp" if place == len(right) - 1 else "wlc")
            if readable:
                assert not question.is_right(wrong)


def test_a_copy_cites_what_makes_it_one() -> None:
    cited = WhoWins.parse(program("pa-659a").ranking, RACES[0][1]).solution().clauses
    assert cited[:2] == ("pa659a.6.c.s2", "pa659a.1.copy") and "pa659a.11.f.1.i" in cited
    no_copy = WhoWins.parse(program("pa-659a").ranking, RACES[1][1]).solution().clauses
    assert "pa659a.6.c.s2" not in no_copy


@pytest.mark.parametrize("typed", ["", "c", "w l", "c c w", "c c w x", "p c w l", "c c w l l", "c c w c"])
def test_letters_that_mean_nothing_are_refused(typed: str) -> None:
    question = WhoWins.parse(program("pa-659a").ranking, RACES[0][1])
    with pytest.raises(InvalidInputError, match="w, l or c for each of high, medium, low"):
        question.is_right(typed)


@pytest.mark.parametrize("game_id", GAMES)
def test_copies_come_often_and_no_setting_of_a_race_is_foul(game_id: str) -> None:
    entropy, order = SeededEntropy("copies"), program(game_id).ranking
    races = [draw_race(program(game_id), DECK, entropy) for _ in range(60)]
    copies = sum("c" in race.solution().answer.split()[:-1] for race in races)
    assert 25 <= copies <= 55
    for race in races:
        cards = [card for part in (*race.player, *race.dealer) for card in part]
        assert len(set(cards)) == 2 * sum(order.split)
        assert "foul" not in race.solution().because


# --- fouls ----------------------------------------------------------------------------------------

FOULS = [
    ("pa-659a", "As9d7c4h / KsQh / Jd", "1", ()),
    ("pa-659a", "As9d7c4h / KsKh / Qd", "2", ("pa659a.1.high", "pa659a.11.b.s2")),
    ("pa-659a", "AsKs9d4c / QhTd / Kd", "3", ("pa659a.1.medium", "pa659a.1.low")),
    ("pa-659a", "9d7c4h2s / QhTd / Kd", "2 3", ("pa659a.1.high", "pa659a.11.b.s2")),
    # as far as both go they are equal: nothing outranks anything
    ("pa-659a", "AsKs9d4c / AhKh / Ac", "1", ()),
    ("pa-659a", "AsKs9d4c / AhKh / Jk", "1", ()),
    ("ca-fpgp", "QsQh9d4c2c / KhKd", "2", ()),
    ("ca-fpgp", "KsKc9d4c2c / KhQd", "1", ()),
    ("pa-670a", "QhTd8c6h4d / As", "2", ()),
    ("pa-670a", "QhTd8c6h4d / Qs", "1", ()),
]


@pytest.mark.parametrize(("game_id", "asked", "right", "begins"), FOULS)
def test_a_foul_is_told_with_its_reason(
    game_id: str, asked: str, right: str, begins: tuple[str, ...]
) -> None:
    question = IsItFoul.parse(program(game_id).ranking, asked)
    assert question.text == asked
    assert [typed for typed in ("1", "2", "3", "2 3") if _right(question, typed)] == [right]
    assert question.solution().answer == right
    assert question.solution().clauses[: len(begins)] == begins
    assert bool(question.solution().clauses) == (right != "1")


def _right(question: IsItFoul, typed: str) -> bool:
    try:
        return question.is_right(typed)
    except InvalidInputError:
        assert len(question.choices()) == 2
        return False


@pytest.mark.parametrize("typed", ["", "0", "4", "foul", "1.5", "-1"])
def test_a_number_that_is_not_offered_is_refused(typed: str) -> None:
    with pytest.raises(InvalidInputError, match="a number from 1 to 3"):
        IsItFoul.parse(program("pa-659a").ranking, FOULS[0][1]).is_right(typed)


@pytest.mark.parametrize("game_id", ["pa-659a", "ca-fpgp", "pa-670a"])
def test_about_every_other_setting_that_is_asked_about_is_foul(game_id: str) -> None:
    entropy = SeededEntropy("fouls")
    found = [draw_foul(program(game_id).ranking, DECK, entropy).solution().answer != "1" for _ in range(40)]
    assert 10 <= sum(found) <= 30


# --- payments -------------------------------------------------------------------------------------

FLUSH = "Ah9h7h4h / KsQh / Js against TdTc5s3c / 8d6c / 4d"
PAID = [
    # wins 1 to 1; a flush pays 4 to 1 on the Fortune Bonus and nothing elsewhere
    ("pa-659a", f"{FLUSH}; main $25 fortune $5 insurance $1 progressive $1", "$25 $20 - -"),
    # loses; a full house pays 5 to 1, and 4 for 1 on the progressive
    (
        "pa-659a",
        "8s8h8d4c / KsKh / Jd against 9s9h9d9c / AcAd / Qs; main $50 fortune $10 insurance $5 progressive $1",
        "- $50 - $4",
    ),
    # loses; ace-high pays 3 to 1 on the Insurance
    (
        "pa-659a",
        "Ah9c7d4s / KsJd / Tc against 9s9h9d8c / AcAd / Qs; main $10 fortune $1 insurance $10 progressive $1",
        "- - $30 -",
    ),
    # four of a kind pays 25 to 1, and 75 for 1
    (
        "wa-fap",
        "7s7h7d7c / KsQh / Jd against 9s9h9d8c / AcAd / Qs; main $100 fortune $5 insurance $1 progressive $1",
        "- $125 - $75",
    ),
    # one part each is a push; the dealer has less than a pair of eights, so the Double Down stands off
    (
        "pa-670a",
        "KsKh9d9s4d / 5h against QsJh9c7d3c / 8s;"
        " main $25 double_down $25 fortune $5 insurance $1 progressive $1",
        "$0 $0 - - -",
    ),
    # wins both; the dealer's eights let the Double Down play; three of a kind pays 5 to 1
    (
        "pa-670a",
        "KsKhKd9s4d / Ad against 8s8hTc7d3c / Qs;"
        " main $25 double_down $25 fortune $5 insurance $1 progressive $1",
        "$25 $25 $25 - -",
    ),
    # loses both with the Double Down; a straight pays 8 to 1, and 3 for 1
    (
        "pa-670a",
        "9s8h7d6c5h / 3d against AsAhAcTdTs / Qs;"
        " main $10 double_down $10 fortune $10 insurance $1 progressive $1",
        "- - $80 - $3",
    ),
    # a straight pays 2 to 1 on the bonus of chapter 575
    ("pa-575", "9s8h7d6c / KsTh / Qd against 5s4h3d2c / AcAd / Ks; main $10 bonus $5", "- $10"),
    # a push, and three of a kind pays 3 to 1; a player banks
    ("ca-fpgp", "TsThTd4c2c / QhJd against 9d9s8h4s2d / AcKs; main $10 fortune $10", "$0 $30"),
]


@pytest.mark.parametrize(("game_id", "asked", "right"), PAID)
def test_what_is_paid_is_what_the_law_prints(game_id: str, asked: str, right: str) -> None:
    question = WhatIsPaid.parse(rules(game_id), asked)
    assert (question.text, question.solution().answer) == (asked, right)
    assert question.is_right(right) and question.is_right(right.replace("$", ""))
    given = right.split()
    for place in range(len(given)):
        for other in ("-", "0", "7"):
            if other != given[place].replace("$", ""):
                assert not question.is_right(" ".join([*given[:place], other, *given[place + 1 :]]))


def test_a_payment_cites_the_line_that_pays() -> None:
    solution = WhatIsPaid.parse(rules("pa-659a"), PAID[0][1]).solution()
    assert {"pa659a.12.a", "pa659a.12.b.pta.flush", "pa659a.11.h.2.i"} <= set(solution.clauses)
    assert "fortune: flush pays 4 to 1" in solution.because


def test_a_share_of_the_meter_is_of_what_it_shows_with_this_wager_in_it() -> None:
    asked = (
        "JkAsAhAc / AdKs / Qd against 9s9h9d8c / TcTd / 8s; main $10 fortune $1 insurance $1 progressive $1"
    )
    question = WhatIsPaid.parse(rules("pa-659a"), asked)
    # $2,900 and 29 % of a dollar; five aces take a tenth of it, $290.029, and 400 to 1 of a dollar
    assert question.meter_showing() == 290_029
    assert question.solution().answer.split()[1:] == ["$400", "-", "$290.02"]


@pytest.mark.parametrize("typed", ["", "25 20 -", "25 20 - - -", "25 20 - x", "25 -20 - -", "1/2 1 1 1"])
def test_amounts_that_cannot_be_read_are_refused(typed: str) -> None:
    with pytest.raises(InvalidInputError):
        WhatIsPaid.parse(rules("pa-659a"), PAID[0][1]).is_right(typed)


# --- irregularities -------------------------------------------------------------------------------

VOID, REMOVED, HAND, RESET, ON = "2", "3", "4", "5", "1"
FOLLOWS = [
    ("pa-659a", "wrong_start", VOID, "pa659a.13.c"),
    ("pa-659a", "hand_voided", HAND, "pa659a.13.d.s1"),
    ("pa-659a", "dealer_card_exposed", VOID, "pa659a.13.e"),
    ("pa-659a", "cards_face_up", VOID, "pa659a.13.f.s2"),
    ("pa-659a", "dealer_set_wrongly", RESET, "pa659a.13.i"),
    ("pa-659a", "stack_card_exposed", VOID, "pa659a.13.j"),
    ("pa-659a", "shoe_failed", VOID, "pa659a.13.m"),
    # of 53 cards seven hands of seven leave four
    ("pa-659a", "counts 7 7 7 7 7 7 7 4", ON, "pa659a.10.c.s1"),
    ("pa-659a", "counts 7 7 8 7 7 7 7 3", VOID, "pa659a.13.h"),
    ("pa-659a", "counts 7 7 6 7 7 7 7 5", VOID, "pa659a.13.h"),
    ("pa-659a", "counts 7 7 7 7 7 7 7 3", REMOVED, "pa659a.10.d.s3"),
    ("pa-659a", "counts 7 7 7 7 7 7 7 5", REMOVED, "pa659a.10.d.s3"),
    # of 53 cards seven hands of six leave eleven
    ("pa-670a", "counts 6 6 6 6 6 6 6 11", ON, "pa670a.10.d.s1"),
    ("pa-670a", "counts 6 6 6 6 6 6 6 10", REMOVED, "pa670a.10.e.s3"),
    ("pa-575", "dealer_set_wrongly", RESET, "pa575.13.i"),
]


@pytest.mark.parametrize(("game_id", "asked", "right", "clause"), FOLLOWS)
def test_what_follows_is_told_with_its_clause(game_id: str, asked: str, right: str, clause: str) -> None:
    question = WhatFollows(rules(game_id), asked)
    assert [typed for typed, _ in question.hints() if question.is_right(typed)] == [right]
    assert question.solution().answer == right and clause in question.solution().clauses


def test_a_deal_is_told_by_its_counts() -> None:
    said = WhatFollows(rules("pa-659a"), "counts 7 7 8 7 7 7 7 3").say()
    assert "7 cards were dealt to each position but 8 to position 3, and 3 cards are left" in said


@pytest.mark.parametrize("asked", ["earthquake", "counts 7 7", "counts "])
def test_what_the_game_does_not_know_is_refused(asked: str) -> None:
    with pytest.raises(InvalidInputError):
        WhatFollows(rules("pa-659a"), asked)


# --- every kind, in every game --------------------------------------------------------------------


def test_money_and_irregularities_are_asked_about_where_a_law_says_what_is_right() -> None:
    hands = (Kind.SET, Kind.COPIES, Kind.FOUL)
    assert lesson("ref-pgp").kinds == hands
    assert lesson("ca-fpgp").kinds == lesson("wa-fap").kinds == (*hands, Kind.PAYS)
    for game_id in ("pa-575", "pa-659a", "pa-670a"):
        assert lesson(game_id).kinds == (*hands, Kind.PAYS, Kind.IRREGULAR)


@pytest.mark.parametrize("game_id", GAMES)
def test_every_question_can_be_asked_again_and_its_own_answer_is_right(game_id: str) -> None:
    entropy = SeededEntropy("every")
    for kind in lesson(game_id).kinds:
        for _ in range(8):
            question = lesson(game_id, kind).next([], entropy)
            solution = question.solution()
            assert question.kind is kind and question.is_right(solution.answer)
            again = lesson(game_id).restore(kind, question.text)
            assert (again.text, again.spot, again.solution()) == (question.text, question.spot, solution)
            assert all(cite(clause) for clause in solution.clauses) and question.hints()


def test_what_pays_comes_oftener_than_it_is_dealt() -> None:
    entropy, asking = SeededEntropy("pays"), lesson("pa-659a", Kind.PAYS)
    paid = 0
    for _ in range(30):
        question = asking.next([], entropy)
        assert isinstance(question, WhatIsPaid)
        paid += question.paid()["fortune"] is not None
    assert paid >= 12  # about one hand in five is dealt a straight or better


def test_a_setting_that_is_written_out_is_read_as_it_is_shown() -> None:
    question = SetByHouseWay.parse(program("pa-659a"), "Ah Kd Jh 9h 7s 7h 2d")
    typed = question.hints()[0][0]
    assert tuple(map(len, parse_setting(typed))) == (4, 2, 1)
