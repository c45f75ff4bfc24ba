"""The library as a person uses it: text in, readable values out, refusals in words."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest

import houseway as hw
from houseway.cards import Deck
from houseway.errors import HousewayError
from houseway.games import example_submission, games, rules_for
from houseway.games.submission import EXAMPLES
from houseway.houseways import compile_way, decide, house_way
from houseway.houseways.proof import WayReport
from houseway.money import cents
from houseway.odds.maingame import MainGame, main_game
from tests.support.hands import cards_of, random_hands

MINE, THEIRS = "KsKh7d4c / Ad9c / Qs", "QhQd8s3s / AcTs / Jh"
HAND = "As Kd 9c 9h 5s 4d 2c"
SMALL = Deck.reduced("AKQJT98", "sh")


def loaded_after(code: str) -> set[str]:
    """Run code in a new process and return which packages it loaded."""
    looked = f"import sys\n{code}\nprint(*sorted({{name.partition('.')[0] for name in sys.modules}}))"
    done = subprocess.run(
        [sys.executable, "-c", looked], capture_output=True, text=True, check=True, timeout=60
    )
    return set(done.stdout.splitlines()[-1].split())


HEAVY = {"numpy", "numba", "typer", "rich", "starlette", "sqlalchemy", "jinja2", "matplotlib"}


def test_the_import_costs_nothing_and_setting_a_hand_needs_no_arrays() -> None:
    assert not loaded_after("import houseway as hw") & {*HEAVY, "pydantic", "msgspec"}
    assert not loaded_after(f"import houseway as hw\nhw.game('pa-659a').set({HAND!r})") & HEAVY


def test_games_are_listed_by_name_whatever_was_imported_before() -> None:
    assert [row["id"] for row in hw.games()] == [found.id for found in games()]
    assert hw.games().rows()[2]["split"] == "4-2-1"
    assert "Six-Card Fortune Pai Gow Poker" in repr(hw.games())
    assert '<td class="word">pa-659a</td>' in hw.games()._repr_html_()


def test_what_the_library_does_not_have_is_said_with_what_it_has() -> None:
    with pytest.raises(AttributeError, match="the library opens with HousewayError, game, games, way, ways"):
        hw.gmae  # type: ignore[attr-defined]  # noqa: B018
    assert {"game", "games", "way", "ways"} <= set(dir(hw))


@pytest.mark.parametrize("game", [found.id for found in games()])
def test_a_hand_is_set_as_the_submission_sets_it(game: str) -> None:
    opened = hw.game(game)
    base = rules_for(example_submission(game)).ranking() if opened.rules else None
    program = compile_way(house_way(opened.way.id), base=base)
    for row in random_hands(5, sum(program.split), 5):
        found = opened.set(cards_of(row))
        assert found.setting == decide(program, cards_of(row)).setting
        assert [part["part"] for part in found.rows()] == list(opened.parts)
        assert str(found) in repr(found)


def test_a_hand_is_set_by_another_way_or_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(
        'id = "mine"\ntitle = "Mine"\nranking = "pa-670a"\nabout = "A test."\n'
        '[[rule]]\nid = "best-high"\nsay = "The best high hand."\nprefer = ["high", "low"]\n',
        encoding="utf-8",
    )
    hand = "Ks Kh 9d 9s 5h 5d"
    mine = hw.way(path)
    assert mine.set(hand).rule == hw.game("pa-670a").set(hand, way=path).rule == "best-high"
    assert hw.game("pa-670a").set(hand, way=mine) == hw.way(str(path)).set(hand)
    assert hw.game("pa-670a").set(hand).rule != "best-high"
    assert [row["rule"] for row in mine.rows()] == ["best-high"]


def test_explaining_keeps_every_question() -> None:
    found = hw.game("pa-670a").set("As Ks 9s 4s 2s Jk", explain=True)
    assert [step.fired for step in found.steps] == [False] * 7 + [True]
    assert "=> six-card-flush: one_suit? yes" in repr(found)


def test_ranked_cards_of_one_part_are_compared_and_of_two_are_not() -> None:
    asia = hw.game("pa-659a")
    flush, pairs = asia.rank("Ks 9s 4s Jk"), asia.rank(["As", "Ah", "Kd", "Kc"])
    assert pairs < flush and max(pairs, flush) is flush
    assert asia.rank("As Ad") >= asia.rank("Ah Ac") and asia.rank("As Ad") <= asia.rank("Ah Ac")
    assert (flush.part, flush.category, str(asia.rank("As Ad"))) == ("high", "flush", "pair of aces")
    with pytest.raises(HousewayError, match="only cards of the same part are compared"):
        assert flush < asia.rank("As Ad")


def test_bonus_hands_come_with_what_they_pay() -> None:
    found = hw.game("pa-659a").bonus("As Ks Qs Js Jk Kh Qh")
    assert dict(found) == {
        "fortune": "royal_flush_royal_match",
        "insurance": "none",
        "progressive": "royal_flush",
    }
    assert [row["pays"] for row in found.rows()] == ["2,000 to 1", "lose", "500 for 1"]
    assert hw.game("pa-670a").bonus("As Ah 9d 7c 4s 3h")["double_down_qualifier"] is True
    assert len(hw.game("ref-pgp").bonus("As Ks Qs Js Jk Kh Qh")) == 0


def test_a_race_takes_texts_hands_that_were_set_and_the_dealers_cards_as_dealt() -> None:
    asia = hw.game("pa-659a")
    found = asia.compare(MINE, THEIRS)
    assert (found.result, [row["higher"] for row in found.rows()]) == ("win", ["player", "dealer", "player"])
    dealt = "Qh Qd 8s 3s Ac Ts Jh"
    assert asia.compare(MINE, dealt) == asia.compare(MINE, asia.set(dealt))
    assert asia.compare([part.split() for part in ("Ks Kh 7d 4c", "Ad 9c", "Qs")], THEIRS) == found


def test_a_hand_wrongly_split_loses_where_that_is_a_foul() -> None:
    found = hw.game("pa-659a").compare("KsKh7d / Ad9c4c / Qs", THEIRS)
    assert (found.result, found.rows(), len(found.fouls)) == ("lose", [], 1)
    assert "split wrongly" in found._repr_html_()


def test_settling_pays_by_the_submission_with_the_clauses() -> None:
    wagers = {"main": "$10", "fortune": "$5", "progressive": "$1"}
    found = hw.game("pa-659a").settle(MINE, THEIRS, wagers)
    assert found.net == "+$4"
    paid = {(row["wager"], row["what"]): row["amount"] for row in found.rows()}
    assert paid["main", "pay"] == "$10" and paid["fortune", "collect"] == "$5"
    assert all(row["clauses"] for row in found.rows() if row["what"] in ("pay", "collect"))
    assert hw.game("pa-659a").settle(THEIRS, MINE, cents("$10")).net == "-$10"
    jackpot = hw.game("pa-659a").settle("AsKsQsTs / JsJk / 9s", THEIRS, wagers, meter="$20,000")
    assert jackpot.net.startswith("+$")


def test_a_fee_is_part_of_what_a_player_wins_where_a_player_banks() -> None:
    banked = hw.game("ca-fpgp")
    cards = ("KsKh7d4c9c / AdQs", "QhQd8s3sJh / AcTs")
    assert banked.settle(*cards, "$10", bank="$100").net == "+$9.50"
    with pytest.raises(HousewayError, match="say what the bank puts up"):
        banked.settle(*cards, "$10")


def test_the_odds_have_the_commission_in_them() -> None:
    way = compile_way(house_way("foxwoods"))
    counted = main_game(way, way, SMALL)
    found = hw.game("ref-pgp").odds(deck=SMALL)
    assert found["main"].edge == counted.edge(Fraction(5, 100)) != counted.edge()
    assert found["main"].pushes == Fraction(counted.pushes, counted.deals)
    (row,) = found.rows()
    assert row["by"] == "player foxwoods, dealer foxwoods" and row["edge"] == float(found["main"].edge)


def test_a_count_of_all_cards_is_kept_where_it_can_be(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept: list[bool] = []

    def count(mine: object, theirs: object, deck: object, tell: object, notes: object) -> MainGame:
        kept.append(notes is not None)
        return MainGame(40, 10, 50)

    monkeypatch.setattr("houseway.library.odds.count_sides", count)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert hw.game("ref-pgp").odds("main")["main"].edge == Fraction(12, 100)
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    assert hw.game("ref-pgp").odds("main")["main"].wins == Fraction(40, 100)
    assert kept == [True, False]


def test_the_variance_of_the_main_wager_is_of_what_a_player_wins() -> None:
    found = hw.game("ref-pgp").odds("main", deck=SMALL)["main"]
    assert found.pushes is not None
    lost = 1 - found.wins - found.pushes
    outcomes = [(found.wins, Fraction(19, 20)), (found.pushes, Fraction(0)), (lost, Fraction(-1))]
    mean = sum((chance * gain for chance, gain in outcomes), Fraction(0))
    assert found.edge == -mean
    squares = (chance * (gain - mean) ** 2 for chance, gain in outcomes)
    assert found.variance == sum(squares, Fraction(0))


def test_the_odds_go_by_the_readings_of_the_submission(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    counts = {"three_pair": 1, "none": 9}
    monkeypatch.setattr("houseway.odds.sides.count_categories", lambda *_, **__: counts)
    monkeypatch.setattr("houseway.odds.sides._COUNTED", {})
    text = (EXAMPLES / "pa-659a" / "example.toml").read_text(encoding="utf-8")
    both = []
    for reading in ("push", "lose"):
        filed = tmp_path / f"{reading}.toml"
        filed.write_text(
            text.replace('paytable = "A"', 'paytable = "C"', 1).replace(
                "[table]", f'[readings]\nthree_pair_paytable_c = "{reading}"\n\n[table]', 1
            ),
            encoding="utf-8",
        )
        played = hw.game(filed)
        assert played.readings["three_pair_paytable_c"] == reading
        both.append(played.odds("fortune")["fortune"])
    assert [odds.edge for odds in both] == [Fraction(9, 10), 1]


REFUSED: dict[str, tuple[Callable[[], object], str]] = {
    "cards that are a number": (lambda: hw.game("pa-659a").set(5), "cards are written as a text"),  # type: ignore[arg-type]
    "a card that is a number": (lambda: hw.game("pa-659a").set([5]), "a card is written as a text"),  # type: ignore[list-item]
    "too few cards": (lambda: hw.game("pa-659a").set("As Ks"), "7 cards needed, 2 given"),
    "no game": (lambda: hw.game("pa-999"), "no such game (there are "),
    "a game that is nothing": (lambda: hw.game(None), "named by its id or by a .toml file"),  # type: ignore[arg-type]
    "no house way": (lambda: hw.way("nobodys"), "no such house way (`houseway way list` names them"),
    "another game's way": (lambda: hw.game("pa-575").set(HAND, way="foxwoods"), "3 parts"),
    "a setting without parts": (
        lambda: hw.game("pa-659a").compare("As", THEIRS),
        "4-2-1 cards with / between",
    ),
    "a setting that is a number": (lambda: hw.game("pa-659a").compare(3, THEIRS), "a setting is written"),
    "the same card on both sides": (lambda: hw.game("pa-659a").compare(MINE, MINE), "the same card twice"),
    "no amount": (lambda: hw.game("pa-659a").settle(MINE, THEIRS, "five"), "not an amount"),
    "an amount that is nothing": (
        lambda: hw.game("pa-659a").settle(MINE, THEIRS, None),
        "an amount is written",
    ),
    "no wager": (lambda: hw.game("pa-659a").settle(MINE, THEIRS, {"nope": "$5"}), "has no such wager"),
    "a wager alone": (
        lambda: hw.game("pa-659a").settle(MINE, THEIRS, {"fortune": "$5"}),
        "needs a main wager",
    ),
    "no part": (lambda: hw.game("pa-659a").rank("As Ks", "front"), "are high, medium, low"),
    "no part of this size": (lambda: hw.game("pa-659a").rank("As Ks Qs"), "high 4, medium 2, low 1"),
    "no side wager": (
        lambda: hw.game("pa-659a").bonus(HAND)["x"],
        "there are fortune, insurance, progressive",
    ),
    "odds of no wager": (lambda: hw.game("pa-659a").odds("x"), "there are main, fortune"),
    "money in the reference game": (lambda: hw.game("ref-pgp").settle(MINE, THEIRS, "$5"), "odds work only"),
    "best against best": (
        lambda: hw.game("ref-pgp").odds("main", player_way="best", house_way="best"),
        "one side sets best",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_is_refused_in_words(name: str) -> None:
    attempt, said = REFUSED[name]
    with pytest.raises(HousewayError) as refusal:
        attempt()
    assert said in str(refusal.value)


def test_in_a_notebook_cards_are_drawn_and_nothing_is_obeyed() -> None:
    asia = hw.game("pa-659a")
    for value in (asia.set(HAND), asia.rank("As Ad"), asia.bonus(HAND), asia.compare(MINE, THEIRS)):
        drawn = value._repr_html_()
        faces = re.findall(r'<use href="#(card-\w+)"', drawn)
        assert faces and all(f'<symbol id="{face}"' in drawn for face in faces)
        assert "<script" not in drawn
    for table in (asia, hw.ways(), hw.way("foxwoods"), asia.settle(MINE, THEIRS, "$10")):
        assert "<table>" in table._repr_html_()
    html = type(hw.games())([{"name": "<b>&", "count": 3}], "<i>")._repr_html_()
    assert "<b>" not in html and "&lt;b&gt;&amp;" in html and "<i>" not in html


def test_a_house_way_is_proven_from_the_library(monkeypatch: pytest.MonkeyPatch) -> None:
    report = WayReport("foxwoods", hands=10, by_rule={"nothing": 4, "pair": 6})
    monkeypatch.setattr("houseway.houseways.proof.prove_way", lambda program: report)
    assert hw.way("foxwoods").check().rows()[1] == {"rule": "pair", "hands": 6, "share": 0.6}
    report.faults.append("no rule decides this hand: As")
    with pytest.raises(HousewayError, match="not sound: no rule decides this hand: As: 'foxwoods'"):
        hw.way("foxwoods").check()
