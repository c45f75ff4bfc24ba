"""The commands about hands and house ways: what they print, by the hand, by the line and as JSON."""

from __future__ import annotations

import importlib
import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest
from numba.core.dispatcher import Dispatcher

from houseway.cards import parse_cards, show
from houseway.cli import main, prove
from houseway.cli.hands import ranking_of
from houseway.houseways import compile_way, decide, house_way, house_ways, proof
from houseway.houseways.document import HOUSE_WAY_FILES
from houseway.houseways.proof import Shard, WayReport, shards
from tests.support.hands import cards_of, random_hands

Capture = pytest.CaptureFixture[str]
GAMES = {"ca-fpgp": 7, "pa-575": 7, "pa-659a": 7, "pa-670a": 6, "wa-fap": 7, "ref-pgp": 7}
SEVEN, SIX = "As Ks Qs Js Ts 9s 8s", "As Ks 9s 4s 2s Jk"


def run(capsys: Capture, *words: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as stop:
        main(list(words))
    printed = capsys.readouterr()
    assert isinstance(stop.value.code, int)
    return stop.value.code, printed.out, printed.err


def run_json(capsys: Capture, *words: str) -> Any:
    code, out, err = run(capsys, *words, "--json")
    assert (code, err) == (0, "")
    return json.loads(out)


class Lines:
    """Runs a command that reads hands by the line."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
        self.monkeypatch = monkeypatch
        self.capsys = capsys

    def run(self, text: str | bytes, *words: str) -> tuple[int, str, str]:
        data = text if isinstance(text, bytes) else text.encode()
        self.monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data), encoding="utf-8"))
        return run(self.capsys, *words)

    def json(self, text: str | bytes, *words: str) -> list[Any]:
        code, out, err = self.run(text, *words)
        assert (code, err) == (0, "")
        return [json.loads(line) for line in out.splitlines()]


@pytest.fixture
def lines(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> Lines:
    return Lines(monkeypatch, capsys)


def some_hands(game: str, count: int = 40) -> list[str]:
    return [show(cards_of(hand)) for hand in random_hands(21, GAMES[game], count)]


@pytest.fixture
def broken_way(tmp_path: Path) -> Path:
    """Return the six-card way without its last rule, which decides no-pair hands."""
    path = tmp_path / "broken.toml"
    whole = (HOUSE_WAY_FILES / "pa-670a.toml").read_text(encoding="utf-8")
    path.write_text(whole.rsplit("[[rule]]", 1)[0], encoding="utf-8")
    return path


# --- bad input ----------------------------------------------------------------------------------

BAD = {
    "rank: unknown game": ["rank", "pa-999", "high", "As Ks Qs Js"],
    "rank: unknown part": ["rank", "pa-659a", "front", "As Ks"],
    "rank: too few cards": ["rank", "pa-659a", "high", "As Ks"],
    "rank: no card": ["rank", "pa-659a", "low", "Zz"],
    "rank: card twice": ["rank", "pa-659a", "medium", "As As"],
    "rank: nothing": ["rank", "pa-659a"],
    "set: unknown game": ["set", "pa-999", SEVEN],
    "set: too many cards": ["set", "pa-670a", SEVEN],
    "set: card twice": ["set", "pa-659a", "As As Qs Js Ts 9s 8s"],
    "set: joker twice": ["set", "pa-659a", "Jk Qs Js Ts 9s 8s jk"],
    "set: unknown house way": ["set", "pa-659a", SEVEN, "--house-way", "nobodys"],
    "set: house way of another game": ["set", "pa-659a", SEVEN, "--house-way", "foxwoods"],
    "set: house way of another split": ["set", "ca-fpgp", SEVEN, "--house-way", "pa-670a"],
    "set: no such file": ["set", "pa-659a", SEVEN, "--house-way", "nowhere.toml"],
    "bonus: unknown game": ["bonus", "pa-999", SEVEN],
    "bonus: too few cards": ["bonus", "pa-659a", SIX],
    "bonus: no card": ["bonus", "pa-659a", "As Ks Qs Js Ts 9s 8x"],
    "bonus: unknown option": ["bonus", "pa-659a", SEVEN, "--house-way", "foxwoods"],
    "compare: no dealer": ["compare", "pa-659a", "--player", "AsKsQsJs / ThTd / 9c"],
    "compare: wrong parts": ["compare", "pa-670a", "--player", "AsKsQsJs/Th", "--dealer", "AhKhQhJhTd/9c"],
    "compare: no card": ["compare", "pa-670a", "--player", "AsKsQsJs9x/Th", "--dealer", "AhKhQhJhTd/9c"],
    "way: nothing": ["way"],
    "way show: unknown": ["way", "show", "nobodys"],
    "way new: no document": ["way", "new", "mine.txt"],
    "way new: there already": ["way", "new", str(HOUSE_WAY_FILES / "foxwoods.toml")],
    "way new: unknown game": ["way", "new", "mine.toml", "--game", "pa-999"],
    "way new: unknown way": ["way", "new", "mine.toml", "--from", "nobodys"],
    "way new: other parts": ["way", "new", "mine.toml", "--game", "pa-659a", "--from", "foxwoods"],
    "way check: unknown": ["way", "check", "nobodys"],
    "way check: no such file": ["way", "check", "nowhere.toml"],
    "way list: too much": ["way", "list", "pa-670a"],
    "prove: unknown": ["prove", "--way", "nobodys"],
    "prove: no number": ["prove", "--way", "pa-670a", "--limit", "some"],
    "warmup: too much": ["warmup", "pa-670a"],
}


@pytest.mark.parametrize("words", BAD.values(), ids=BAD)
def test_bad_input_is_one_clear_line_and_exit_code_2(capsys: Capture, words: list[str]) -> None:
    code, out, err = run(capsys, *words)
    assert (code, out) == (2, "")
    assert err.startswith("houseway: ")
    assert err.count("\n") == 1


BAD_LINES = [
    ("Ks Kh 9d 8s 5h 2x", "not a card: '2x'"),
    ("Ks Kh 9d 8s 5h", "6 cards needed, 5 given: 'Ks Kh 9d 8s 5h'"),
    ("Ks Kh 9d 8s 5h 2d 3d", "6 cards needed, 7 given: 'Ks Kh 9d 8s 5h 2d 3d'"),
    ("Ks Kh 9d 8s 5h Ks", "the same card twice: 'Ks'"),
    ("Jk Kh 9d 8s 5h jk", "a deck in play has one joker: 'Jk'"),
    ("", "6 cards needed, 0 given: ''"),
    ("Ks/Kh/9d/8s/5h/2d", "not a card: '/Kh/9d/8s/5h/2d'"),
]


@pytest.mark.parametrize("command", ["set", "bonus"])
@pytest.mark.parametrize(("line", "said"), BAD_LINES)
def test_a_bad_line_is_told_by_its_number_and_the_others_are_answered(
    lines: Lines, command: str, line: str, said: str
) -> None:
    _, alone, _ = lines.run(f"{SIX}\n", command, "pa-670a", "-")
    code, out, err = lines.run(f"{SIX}\n{line}\n{SIX}\n", command, "pa-670a", "-")
    assert (code, out, err) == (2, alone * 2, f"houseway: line 2: {said}\n")


@pytest.mark.parametrize("command", ["set", "bonus"])
def test_strictly_the_first_bad_line_ends_it(lines: Lines, command: str) -> None:
    code, out, err = lines.run(f"{SIX}\nAs\n{SIX}\nKs\n", command, "pa-670a", "-", "--strict")
    assert (code, out, err) == (2, "", "houseway: line 2: 6 cards needed, 1 given: 'As'\n")


@pytest.mark.parametrize("command", ["set", "bonus"])
def test_bad_lines_are_json_where_json_is_asked_for(lines: Lines, command: str) -> None:
    code, out, err = lines.run(f"Zz\n{SIX}\nAs\n", command, "pa-670a", "-", "--json")
    told = [json.loads(line)["errors"] for line in err.splitlines()]
    assert (code, out.count("\n")) == (2, 1)
    assert [(one["where"], one["value"]) for (one,) in told] == [("line 1", "Zz"), ("line 3", "As")]


@pytest.mark.parametrize("command", ["set", "bonus"])
def test_a_line_too_long_to_read_is_one_bad_line(lines: Lines, command: str) -> None:
    _, alone, _ = lines.run(f"{SIX}\n", command, "pa-670a", "-")
    endless = b"As " * 3_000_000
    code, out, err = lines.run(endless + f"\n{SIX}\n".encode(), command, "pa-670a", "-")
    assert (code, out) == (2, alone)
    assert (
        err.startswith("houseway: line 1: no hand is longer than 10,000 letters: ") and err.count("\n") == 1
    )


def test_a_line_that_is_no_text_at_all_is_refused_by_its_number(lines: Lines) -> None:
    code, _, err = lines.run(SIX.encode() + b"\n\xff\xfe\xfd\n", "set", "pa-670a", "-")
    assert code == 2
    assert err.startswith("houseway: line 2: not a card: ")


# --- rank ---------------------------------------------------------------------------------------


def test_rank_says_what_a_part_is_worth_and_by_which_clause(capsys: Capture) -> None:
    code, out, _ = run(capsys, "rank", "pa-659a", "high", "Ks 9s 4s jk")
    assert (code, out.startswith("flush, ace-king-nine-four [pa659a.")) == (0, True)
    found = run_json(capsys, "rank", "pa-659a", "high", "Ks9s4sJk")
    assert list(found) == ["category", "description", "value", "strength", "clauses"]
    assert (found["category"], found["value"]) == ("flush", "flush AK94")
    assert found["clauses"]
    reference = run_json(capsys, "rank", "ref-pgp", "low", "As Jk")
    assert (reference["description"], reference["clauses"]) == ("pair of aces", [])
    assert run(capsys, "rank", "ref-pgp", "low", "As Jk")[1] == "pair of aces\n"


# --- set ----------------------------------------------------------------------------------------


def test_set_prints_the_setting_the_hands_and_the_rule(capsys: Capture) -> None:
    code, out, _ = run(capsys, "set", "pa-670a", SIX)
    assert code == 0
    assert out.splitlines()[:3] == [
        "AsKs9s4s2s / Jk",
        "  high: flush, ace-king-nine-four-two",
        "  low: ace-high",
    ]
    assert out.splitlines()[3].startswith("six-card-flush: Six-card flush: ")
    assert out.endswith(" [pa670a.11.d.2.flush]\n")


@pytest.mark.parametrize("game", GAMES)
def test_set_as_json_has_named_parts_rule_and_clause(capsys: Capture, game: str) -> None:
    order = ranking_of(game)[1]
    sizes = dict(zip(order.part_names, order.split, strict=True))
    for hand in some_hands(game, 4):
        found = run_json(capsys, "set", game, hand)
        assert list(found) == ["parts", "rule", "clause"]
        assert {name: len(part) for name, part in found["parts"].items()} == sizes
        assert sorted(card for part in found["parts"].values() for card in part) == sorted(hand.split())


def test_set_explains_itself(capsys: Capture) -> None:
    code, out, _ = run(capsys, "set", "pa-670a", SIX, "--explain")
    asked = out.splitlines()[:8]
    assert code == 0
    assert asked[0] == "   five-aces: the hand is five_aces? no"
    assert asked[1] == "   six-card-straight-flush: one_suit? yes; run? no"
    assert asked[7].startswith("=> six-card-flush: one_suit? yes; ")
    found = run_json(capsys, "set", "pa-670a", SIX, "--explain")
    assert list(found) == ["parts", "rule", "clause", "steps"]
    assert [step["fired"] for step in found["steps"]] == [False] * 7 + [True]
    assert found["steps"][1]["asked"] == [
        {"question": "one_suit", "answer": True},
        {"question": "run", "answer": False},
    ]


def test_set_goes_by_a_named_house_way_or_a_file(capsys: Capture, tmp_path: Path) -> None:
    hand = "Ks Kh 9d 9s 5h 5d 2c"
    for game, name in (("ca-fpgp", "ca-fpgp"), ("wa-fap", "houseway-421"), ("ref-pgp", "foxwoods")):
        named = run_json(capsys, "set", game, hand, "--house-way", name, "--explain")
        assert named["steps"][0]["rule"] == house_way(name).rule[0].id
        assert {key: named[key] for key in ("parts", "rule", "clause")} == run_json(capsys, "set", game, hand)
    path = tmp_path / "mine.toml"
    path.write_text(
        'id = "mine"\ntitle = "Mine"\nranking = "pa-670a"\nabout = "A test."\n'
        '[[rule]]\nid = "best-high"\nsay = "The best high hand."\nprefer = ["high", "low"]\n',
        encoding="utf-8",
    )
    found = run_json(capsys, "set", "pa-670a", "Ks Kh 9d 9s 5h 5d", "--house-way", str(path))
    parts = {"high": ["Ks", "Kh", "9s", "9d", "5d"], "low": ["5h"]}
    assert found == {"parts": parts, "rule": "best-high", "clause": None}


def test_an_undecided_hand_is_refused_by_rule_and_hand(
    capsys: Capture, lines: Lines, broken_way: Path
) -> None:
    words = ["set", "pa-670a", "Ks Jh 9d 8s 5h 2d", "--house-way", str(broken_way)]
    said = "houseway: pa-670a: no rule decides this hand: '2d 5h 8s 9d Jh Ks'\n"
    assert run(capsys, *words) == (2, "", said)
    assert lines.run(words[2] + "\n", "set", "pa-670a", "-", "--house-way", str(broken_way)) == (2, "", said)


@pytest.mark.parametrize("game", GAMES)
def test_hands_by_the_line_are_set_as_one_by_one(lines: Lines, game: str) -> None:
    hands = some_hands(game)
    name = "foxwoods" if game == "ref-pgp" else "houseway-421" if ranking_of(game)[1].split[0] == 4 else game
    program = compile_way(house_way(name), base=ranking_of(game)[1])
    found = lines.json("\n".join(hands) + "\n", "set", game, "-")
    for hand, line in zip(hands, found, strict=True):
        decision = decide(program, parse_cards(hand))
        named = zip(program.ranking.part_names, decision.setting, strict=True)
        assert line == {
            "parts": {name: [str(card) for card in part] for name, part in named},
            "rule": decision.rule,
            "clause": decision.clauses[0] if decision.clauses else None,
        }
    assert list(found[0]) == ["parts", "rule", "clause"]


@pytest.mark.parametrize("game", ["pa-659a", "pa-670a"])
def test_a_line_is_set_as_the_same_hand_alone(capsys: Capture, lines: Lines, game: str) -> None:
    hands = some_hands(game, 6)
    found = lines.json("\n".join(hands) + "\n", "set", game, "-")
    assert found == [run_json(capsys, "set", game, hand) for hand in hands]


ODD = [
    "as ks 9s 4s 2s jk",
    "AsKs9s4s2sJk",
    "As, Ks, 9s, 4s, 2s, Jk",
    "As,Ks,9s,4s,2s,Jk",
    "  As Ks 9s  4s 2s joker  ",
    "A♠ K♠ 9♠ 4♠ 2♠ Jk",
    "AS KS 9S 4S 2S JK",
    "Jk 2s 4s 9s Ks As\r",
]


@pytest.mark.parametrize("command", ["set", "bonus"])
def test_lines_may_be_in_any_notation_and_mixed(lines: Lines, command: str) -> None:
    usual = lines.json(SIX + "\n", command, "pa-670a", "-")
    mixed = [line for odd in ODD for line in (SIX, odd)]
    found = lines.json("\n".join(mixed) + "\n", command, "pa-670a", "-")
    assert found == usual * len(mixed)


def test_ten_may_be_written_with_two_digits(lines: Lines) -> None:
    assert lines.json("Ks 10h 10d 8s 5h 2d\n", "set", "pa-670a", "-") == lines.json(
        "Ks Th Td 8s 5h 2d\n", "set", "pa-670a", "-"
    )


@pytest.mark.parametrize("command", ["set", "bonus"])
@pytest.mark.parametrize("ending", ["", "\n", "\n\n", "\n \n\t\n", "\r\n"])
def test_blank_lines_at_the_end_do_not_count(lines: Lines, command: str, ending: str) -> None:
    assert len(lines.json(f"{SIX}\n{SIX}{ending}", command, "pa-670a", "-")) == 2


@pytest.mark.parametrize("command", ["set", "bonus"])
def test_no_lines_give_no_lines(lines: Lines, command: str) -> None:
    assert lines.json("", command, "pa-670a", "-") == []
    assert lines.json("\n\n", command, "pa-670a", "-") == []


# --- bonus --------------------------------------------------------------------------------------

WAGERS = {
    "pa-575": ["bonus"],
    "pa-659a": ["fortune", "insurance", "progressive"],
    "pa-670a": ["best", "fortune", "insurance", "progressive", "double_down_qualifier"],
    "wa-fap": ["fortune", "insurance", "progressive"],
    "ca-fpgp": ["fortune"],
}


@pytest.mark.parametrize("game", WAGERS)
def test_bonus_names_the_hand_of_every_side_wager(capsys: Capture, game: str) -> None:
    hand = some_hands(game, 1)[0]
    found = run_json(capsys, "bonus", game, hand)
    assert list(found) == WAGERS[game]
    code, out, _ = run(capsys, "bonus", game, hand)
    assert code == 0
    assert all(wager in out and str(made) in out for wager, made in found.items())


@pytest.mark.parametrize("game", WAGERS)
def test_hands_by_the_line_are_named_as_one_by_one(capsys: Capture, lines: Lines, game: str) -> None:
    hands = some_hands(game, 12)
    found = lines.json("\n".join(hands) + "\n", "bonus", game, "-")
    assert found == [run_json(capsys, "bonus", game, hand) for hand in hands]
    assert all(list(line) == WAGERS[game] for line in found)


def test_bonus_knows_known_hands(capsys: Capture) -> None:
    royal = run_json(capsys, "bonus", "pa-659a", "As Ks Qs Js Ts Kh Qh")
    assert royal == {
        "fortune": "royal_flush_royal_match",
        "insurance": "none",
        "progressive": "royal_flush",
    }
    low = run_json(capsys, "bonus", "pa-659a", "9s 8h 7d 6c 4s 3h 2d")
    assert low == {"fortune": "none", "insurance": "nine_high", "progressive": "none"}
    pair = run_json(capsys, "bonus", "pa-670a", "As Ah 9d 7c 4s 3h")
    assert (pair["best"], pair["fortune"], pair["double_down_qualifier"]) == ("pair", "none", True)
    small = run_json(capsys, "bonus", "pa-670a", "2s 2h 9d 7c 4s 3h")
    assert (small["best"], small["double_down_qualifier"]) == ("pair", False)


# --- compare ------------------------------------------------------------------------------------

RACES = [
    ("pa-659a", "9s9h4d2c / Kd8c / Qh", "8s8h5d3c / Ks7c / Kc", "win", "WWL"),
    ("pa-659a", "7s7h4d2c / Kd8c / Qh", "8s8h5d3c / Ks7c / Kc", "lose", "LWL"),
    ("pa-670a", "KsKh9d5c2h / Qs", "QdQc9h5s2d / Jd", "win", "WW"),
    ("pa-670a", "KsKh9d5c2h / Js", "QdQc9h5s2d / Ad", "push", "WL"),
    ("pa-670a", "QdQc9h5s2d / Js", "KsKh9d5c2h / Ad", "lose", "LL"),
    ("ca-fpgp", "KsKh9d5c2h / As3d", "QdQc9h5s2d / AhJd", "push", "WL"),
]


@pytest.mark.parametrize(("game", "player", "dealer", "result", "parts"), RACES)
def test_compare_says_who_wins_and_by_which_clause(
    capsys: Capture, game: str, player: str, dealer: str, result: str, parts: str
) -> None:
    words = ["compare", game, "--player", player, "--dealer", dealer]
    found = run_json(capsys, *words)
    assert list(found) == ["result", "parts", "fouls", "dealer_fouls", "clauses"]
    assert (found["result"], "".join(found["parts"].values())) == (result, parts)
    assert tuple(found["parts"]) == ranking_of(game)[1].part_names
    assert (found["fouls"], found["dealer_fouls"]) == ([], [])
    code, out, _ = run(capsys, *words)
    assert (code, out.splitlines()[-1]) == (0, f"{result} [{', '.join(found['clauses'])}]")


def test_compare_names_a_foul_with_its_clause(capsys: Capture) -> None:
    words = ["compare", "pa-659a", "--player", "AsKs5s3d / 9h9d / 8c", "--dealer", "8s8h5d3c / Kh7c / Kc"]
    found = run_json(capsys, *words)
    (foul,) = found["fouls"]
    assert (found["result"], foul["reason"]) == ("lose", "the medium hand outranks the high hand")
    assert any(clause.startswith("pa659a.11.b.") for clause in foul["clauses"])
    _, out, _ = run(capsys, *words)
    assert "foul: setting: the medium hand outranks the high hand: AsKs5s3d / 9h9d / 8c [pa659a." in out


def test_compare_names_a_foul_of_the_dealer(capsys: Capture) -> None:
    words = ["compare", "pa-659a", "--player", "8s8h5d3c / Kh7c / Kc", "--dealer", "AsKs5s3d / 9h9d / 8c"]
    found = run_json(capsys, *words)
    assert (len(found["fouls"]), len(found["dealer_fouls"])) == (0, 1)


@pytest.mark.parametrize("game", ["pa-575", "pa-659a"])
@pytest.mark.parametrize("split", ["AsAh5s / 3d9h9d / 8c", "AsAh5s3d9h / 9d / 8c", "AsAh5s3d / 9h9d8c"])
def test_compare_answers_wrongly_split_cards_as_a_foul(capsys: Capture, game: str, split: str) -> None:
    words = ["compare", game, "--player", split, "--dealer", "8s8h5d3c / Kh7c / Kc"]
    found = run_json(capsys, *words)
    (foul,) = found["fouls"]
    law = f"{game.replace('-', '')}.11.f.1.v"
    assert (found["result"], found["parts"], foul["reason"]) == ("lose", {}, "parts of 4-2-1 cards needed")
    assert law in foul["clauses"] and law in found["clauses"]
    code, out, _ = run(capsys, *words)
    assert code == 0 and out.startswith("foul: split: parts of 4-2-1 cards needed")


def test_compare_refuses_cards_that_are_not_all_set_or_that_the_game_takes_for_no_setting(
    capsys: Capture,
) -> None:
    short = ["compare", "pa-575", "--player", "AsAh5s / 9h9d / 8c", "--dealer", "8s8h5d3c / Kh7c / Kc"]
    assert run(capsys, *short)[0] == 2
    dealers = ["compare", "pa-575", "--player", "8s8h5d3c / Kh7c / Kc", "--dealer", "AsAh5s / 3d9h9d / 8c"]
    assert run(capsys, *dealers)[0] == 2
    six = ["compare", "pa-670a", "--player", "AsAh5s3d / 9h9d", "--dealer", "8s8h5d3cKh / Kc"]
    assert run(capsys, *six)[0] == 2


def test_compare_refuses_a_card_that_both_hold(capsys: Capture) -> None:
    words = ["compare", "pa-670a", "--player", "KsKh9d5c2h / Qs", "--dealer", "QdQc9h5s2d / Ks"]
    assert run(capsys, *words) == (2, "", "houseway: the same card twice: 'Ks'\n")
    jokers = ["compare", "pa-670a", "--player", "KsKh9d5c2h / Jk", "--dealer", "QdQc9h5s2d / Jk"]
    assert run(capsys, *jokers) == (2, "", "houseway: a deck in play has one joker: 'Jk'\n")


# --- house ways ---------------------------------------------------------------------------------


def test_way_list_and_way_show(capsys: Capture) -> None:
    listed = run_json(capsys, "way", "list")
    assert [way["id"] for way in listed] == [way.id for way in house_ways()]
    assert [way["id"] for way in listed if way["ours"]] == ["houseway-421"]
    assert all(way.id in run(capsys, "way", "list")[1] for way in house_ways())
    for way in house_ways():
        code, out, _ = run(capsys, "way", "show", way.id)
        flat = "".join(out.split())
        assert code == 0
        assert all(rule.id.split("-", maxsplit=1)[0] in flat for rule in way.rule)
        assert ("houseway's own. It is no regulator's" in out) == way.ours
        shown = run_json(capsys, "way", "show", way.id)
        assert [rule["id"] for rule in shown["rule"]] == [rule.id for rule in way.rule]


def test_way_check_counts_every_hand_of_the_six_card_way(capsys: Capture) -> None:
    found = run_json(capsys, "way", "check", "pa-670a")
    assert (found["sound"], found["faults"], found["hands"]) == (True, [], 22_957_480)
    counts = found["by_rule"]
    assert sum(counts.values()) == 22_957_480
    assert counts["five-aces"] == 48
    assert counts["six-card-straight-flush"] == 220
    assert counts["no-pair"] == 7_183_140
    code, out, _ = run(capsys, "way", "check", "pa-670a")
    assert (code, out.endswith("\nsound\n")) == (0, True)
    assert "7,183,140" in out


def test_way_check_of_a_broken_way_exits_1_and_names_a_hand(capsys: Capture, broken_way: Path) -> None:
    code, out, err = run(capsys, "way", "check", str(broken_way), "--json")
    found = json.loads(out)
    assert (code, err, found["sound"]) == (1, "", False)
    assert found["faults"][0].startswith("pa-670a: no rule decides this hand: '")
    assert sum(found["by_rule"].values()) == 22_957_480 - 7_183_140
    code, out, _ = run(capsys, "way", "check", str(broken_way))
    assert (code, out.endswith("\nnot sound\n")) == (1, True)
    assert "fault: pa-670a: no rule decides this hand: '" in out


# --- warmup and prove ---------------------------------------------------------------------------


def test_warmup_compiles_every_kernel(capsys: Capture) -> None:
    parts = [
        "categories of whole hands",
        "house ways",
        "main games",
        "edited ways",
        "best play",
        "strategies",
    ]
    assert run_json(capsys, "warmup") == {"compiled": parts}
    code, out, _ = run(capsys, "warmup")
    assert (code, out.splitlines()[-1]) == (0, f"compiled: {', '.join(parts)}")
    for name in ("listings", "houseways", "pairs", "recount", "bestplay", "unseen"):
        kernels = vars(importlib.import_module(f"houseway.kernels.{name}")).values()
        entries = [one for one in kernels if isinstance(one, Dispatcher) and "nogil" in one.targetoptions]
        assert [one.py_func.__name__ for one in entries if not one.signatures] == []


def _small_pieces(size: int) -> list[Shard]:
    return list(shards(size, 1000))


def test_prove_goes_on_where_it_stopped(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(prove, "shards", _small_pieces)
    notes = tmp_path / "notes"
    words = ["prove", "--way", "pa-670a", "--limit", "1", "--workers", "1", "--notes", str(notes)]
    (first,) = run_json(capsys, *words)
    assert (first["sound"], first["difference"], first["pieces_proven"]) == (True, None, 1)
    assert first["pieces"] == len(_small_pieces(6))
    code, out, _ = run(capsys, *words)
    assert code == 0
    assert out.splitlines()[-1] == (
        f"pa-670a: 22,957,480 hands sound; interpreters equal on 2 of {first['pieces']} pieces"
    )
    (path,) = notes.iterdir()
    proven = path.read_text(encoding="utf-8").split()
    assert proven == [piece.name for piece in _small_pieces(6)[:2]]


def test_prove_of_a_broken_way_exits_1(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, broken_way: Path
) -> None:
    monkeypatch.setattr(prove, "shards", _small_pieces)
    words = ["prove", "--way", str(broken_way), "--limit", "0", "--workers", "1"]
    code, out, _ = run(capsys, *words, "--notes", str(tmp_path / "notes"))
    assert code == 1
    assert "no rule decides this hand: '" in out
    assert "22,957,480 hands NOT sound" in out


# --- documents of house ways --------------------------------------------------------------------


def test_every_fault_of_a_document_is_a_line_of_its_own(capsys: Capture) -> None:
    code, out, err = run(capsys, "way", "show", str(Path(__file__).parents[2] / "pyproject.toml"))
    first, *faults = err.splitlines()
    assert (code, out) == (2, "")
    assert first == f"houseway: pyproject.toml: {len(faults)} faults"
    assert all(line.startswith("  line ") for line in faults)
    assert any("project: no such key (there are id, title, ranking, " in line for line in faults)


@pytest.mark.parametrize(
    ("game", "source"), [("ca-fpgp", "foxwoods"), ("ref-pgp", "ca-fpgp"), ("wa-fap", "houseway-421")]
)
def test_a_new_house_way_has_the_rules_and_examples_of_another(
    capsys: Capture, tmp_path: Path, game: str, source: str
) -> None:
    path = tmp_path / "mine.toml"
    code, out, _ = run(capsys, "way", "new", str(path), "--game", game, "--from", source)
    begun, old = house_way(str(path)), house_way(source)
    assert (code, out) == (0, f"{path}: {len(old.rule)} rules of {source}, for {begun.ranking}\n")
    assert (begun.id, begun.ranking, begun.example) == ("mine", ranking_of(game)[1].id, old.example)
    assert [rule.id for rule in begun.rule] == [rule.id for rule in old.rule]
    assert [rule.when for rule in begun.rule] == [rule.when for rule in old.rule]
    assert not any(rule.clauses or rule.worth for rule in begun.rule)
    compile_way(begun)
    assert run(capsys, "way", "new", str(path))[0] == 2


def test_the_document_of_a_house_way_is_printed_as_it_was_written(capsys: Capture) -> None:
    for way in house_ways():
        wanted = (HOUSE_WAY_FILES / f"{way.id}.toml").read_text(encoding="utf-8")
        assert run(capsys, "way", "show", way.id, "--toml") == (0, wanted, "")


def test_examples_are_shown_and_a_wrong_one_is_a_fault(
    capsys: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(proof, "prove_way", lambda program, _: WayReport(program.way.id, hands=1))
    code, out, _ = run(capsys, "way", "show", "pa-670a")
    assert (code, "9s9h9d6s3d / Kc" in out) == (0, True)
    path = tmp_path / "wrong.toml"
    text = (HOUSE_WAY_FILES / "pa-670a.toml").read_text(encoding="utf-8")
    path.write_text(
        text.replace("9s9h9d6s3d / Kc", "9s9h9dKc3d / 6s").replace("8s8hQd6s3d / Kc", "KcQd8s6s3d / 8h"),
        encoding="utf-8",
    )
    code, out, _ = run(capsys, "way", "check", str(path))
    faults = [line for line in out.splitlines() if line.startswith("fault: ")]
    assert (code, out.endswith("not sound\n")) == (1, True)
    assert faults == [
        "fault: pa-670a: example 16: 9s 9h 9d Kc 6s 3d: set as 9s9h9d6s3d / Kc by rule three-of-a-kind, "
        "not as 9s9h9dKc3d / 6s",
        "fault: pa-670a: example 19: 8s 8h Kc Qd 6s 3d: set as Qd8s8h6s3d / Kc by rule pair, "
        "not as KcQd8s6s3d / 8h",
    ]
