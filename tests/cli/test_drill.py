"""``houseway drill`` from the first line to the last, typed by somebody who reads what is printed."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from xml.etree import ElementTree

import pytest

from houseway.cards import Card, Cards, show_setting
from houseway.cli import main
from houseway.houseways import CompiledWay, decide
from houseway.odds.coach import HandAdvice
from houseway.training import HistoryFile, Kind, LessonAnswer, LessonRole
from tests.cli.terminal import cards_shown
from tests.training.support import ExactCoach, answer, program

Reply = Callable[[str], str]
LOSES = 300
"""Ten-thousandths of a wager that every setting but the house way's gives up."""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give the person a folder of their own."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    return tmp_path / "houseway" / "drill"


@pytest.fixture
def _coach(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "houseway.cli.drill.open_values", lambda found, *_: ExactCoach(program(found.id), {}, LOSES)
    )


class Person:
    """Somebody at a keyboard, who types what ``reply`` makes of what was printed since their last line."""

    def __init__(self, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
        self.capsys, self.monkeypatch, self.out, self.err = capsys, monkeypatch, "", ""
        self.reply: Reply = lambda _: ""

    def readline(self) -> str:
        """Answer, as a standard input is asked for a line."""
        fresh = self.capsys.readouterr().out
        self.out += fresh
        typed = self.reply(fresh)
        return f"{typed}\n" if typed else ""

    def drill(self, *words: str, reply: Reply | list[str]) -> int:
        """Run a lesson; a list of replies ends with the end of input."""
        left = list(reply) if isinstance(reply, list) else []
        self.reply = reply if callable(reply) else lambda _: left.pop(0) if left else ""
        self.out, self.err = "", ""
        self.monkeypatch.setattr("sys.stdin", self)
        with pytest.raises(SystemExit) as stop:
            main(["drill", *words])
        rest = self.capsys.readouterr()
        self.out, self.err = self.out + rest.out, rest.err
        assert isinstance(stop.value.code, int)
        return stop.value.code


@pytest.fixture
def person(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, folder: Path) -> Person:
    del folder
    return Person(capsys, monkeypatch)


def kept(folder: Path, game: str) -> list[LessonAnswer]:
    return HistoryFile(folder / f"{game}.jsonl").read()


def by_house_way(game: str) -> Reply:
    """Return somebody who sets every hand by the house way."""
    return lambda printed: show_setting(decide(program(game), cards_shown(printed)).setting)


# --- a player -------------------------------------------------------------------------------------


@pytest.mark.usefixtures("_coach")
@pytest.mark.parametrize("game", ["pa-670a", "pa-659a", "ca-fpgp", "ref-pgp"])
def test_a_player_who_sets_best_is_told_so_and_every_hand_is_kept(
    game: str, person: Person, folder: Path
) -> None:
    assert person.drill(game, "--count", "2", "--seed", "7", reply=by_house_way(game)) == 0
    assert person.out.count("Best: nothing is better; +100 points.") == 2
    assert person.out.count("Decided by: the house way, ") == 2
    assert (
        "2 hands: 2 best." in person.out and "Each gives up 0.00 % of the wager; +100 points." in person.out
    )
    for one in kept(folder, game):
        assert (one.role, one.right, one.lost, one.kind) == (LessonRole.PLAYER, True, "0", Kind.SET)


@pytest.mark.usefixtures("_coach")
def test_a_worse_setting_is_told_with_what_it_gives_up_and_the_best(person: Person, folder: Path) -> None:
    def worse(printed: str) -> str:
        cards = cards_shown(printed)
        low = decide(program("pa-670a"), cards).setting[1][0]
        lowest = sorted(cards)[0] if sorted(cards)[0] != low else sorted(cards)[1]
        return str(lowest)

    assert person.drill("pa-670a", "--count", "1", "--seed", "7", reply=worse) == 0
    assert "Mistake: gives up 3.00 % of the wager; -12 points." in person.out  # 0 at 2 %, -50 at 6 %
    assert "Yours is worth -0.0300, the best +0.0000:" in person.out
    (one,) = kept(folder, "pa-670a")
    assert (one.right, one.lost, one.spot) == (False, "3/100", one.spot) and one.spot


@pytest.mark.usefixtures("_coach")
def test_what_cannot_be_read_or_may_not_be_set_is_asked_again_and_not_scored(
    person: Person, folder: Path
) -> None:
    tried = iter(["", "x", "9", "1 2", "Zz", "Jk As", "help", "why", " " * 300 + "1"])
    right = by_house_way("pa-670a")
    seen: list[str] = []

    def reply(printed: str) -> str:
        seen.append(printed)
        return next(tried, "") or (right(seen[0]) if len(seen) > 1 else " ")

    assert person.drill("pa-670a", "--count", "1", "--seed", "1", reply=reply) == 0
    assert "your cards are numbered 1 to 6" in person.out and "not a card" in person.out
    assert "a whole setting: high, low" in person.out and "No law was cited yet." not in person.out
    assert len(kept(folder, "pa-670a")) == 1 and "1 hand: 1 best." in person.out


@pytest.mark.usefixtures("_coach")
def test_a_foul_is_refused_with_its_law_and_asked_again(person: Person, folder: Path) -> None:
    fouls: list[Cards] = []

    def reply(printed: str) -> str:
        if fouls:
            return "q"
        cards = cards_shown(printed)
        fouls.append(cards)
        return str(cards[0])  # no pair: the highest card alone outranks the rest

    assert person.drill("pa-670a", "--only", "no_pair", "--seed", "2", reply=reply) == 0
    said = " ".join(person.out.split())
    assert "Refused: the low hand outranks the high hand (§ 670a.11(b)" in said
    assert "No hand was set." in said and kept(folder, "pa-670a") == []


@pytest.mark.usefixtures("_coach")
def test_every_setting_can_be_shown_and_is_then_not_scored(person: Person, folder: Path) -> None:
    assert person.drill("pa-670a", "--seed", "7", reply=["?", "q"]) == 0
    assert "Every legal setting" in person.out and "No hand was set." in person.out
    (one,) = kept(folder, "pa-670a")
    assert one.shown and not one.right
    assert person.drill("pa-670a", "--report", reply=[]) == 0
    assert "nothing was answered yet as a player" in person.out


@pytest.mark.usefixtures("_coach")
def test_an_answer_after_the_clock_is_scored_and_called_late(
    person: Person, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    times = iter([10.0, 13.0, 20.0, 23.5])
    monkeypatch.setattr("time.monotonic", lambda: next(times, 99.0))
    words = ("pa-670a", "--count", "2", "--seed", "7", "--clock", "3")
    assert person.drill(*words, reply=by_house_way("pa-670a")) == 0
    assert person.out.count("Late: ") == 1 and "Late: 3.5 s, 3 s allowed." in person.out
    assert [(one.seconds, one.late) for one in kept(folder, "pa-670a")] == [(3.0, False), (3.5, True)]
    assert "2 hands: 2 best." in person.out


@pytest.mark.usefixtures("_coach")
def test_a_seed_brings_the_same_lesson_to_somebody_with_the_same_history(
    person: Person, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    shown = []
    for name, seed in (("a", "7"), ("b", "7"), ("c", "8")):
        monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / name))
        person.drill("pa-670a", "--count", "3", "--seed", seed, reply=by_house_way("pa-670a"))
        shown.append(person.out)
    assert shown[0] == shown[1] != shown[2]


@pytest.mark.usefixtures("_coach")
def test_a_lesson_goes_on_where_the_last_one_ended(person: Person, folder: Path) -> None:
    for count in (2, 3):
        person.drill("pa-670a", "--count", str(count), "--seed", "7", reply=by_house_way("pa-670a"))
    assert "2 answers so far" in person.out and len(kept(folder, "pa-670a")) == 5


@pytest.mark.usefixtures("_coach")
def test_who_interrupts_loses_no_answer(person: Person, folder: Path) -> None:
    right, asked = by_house_way("pa-670a"), []

    def reply(printed: str) -> str:
        asked.append(printed)
        if len(asked) > 1:
            raise KeyboardInterrupt
        return right(printed)

    assert person.drill("pa-670a", "--seed", "7", reply=reply) == 130
    assert len(kept(folder, "pa-670a")) == 1 and "1 hand: 1 best." in person.out


def test_the_coach_is_asked_with_the_dealers_table_the_games_commission_and_the_double_down(
    person: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = []

    def coach(dealer: CompiledWay, commission: Fraction, table: str, *, doubling: bool) -> ExactCoach:
        opened.append((dealer.way.id, commission, table, doubling))
        return ExactCoach(dealer, {}, LOSES)

    monkeypatch.setattr("houseway.odds.kept.kept_table", lambda dealer, _: f"table of {dealer.way.id}")
    monkeypatch.setattr("houseway.odds.coach.Coach", coach)
    for game in ("ref-pgp", "pa-670a"):
        assert person.drill(game, "--count", "1", "--seed", "7", reply=by_house_way(game)) == 0
    assert opened == [
        ("foxwoods", Fraction(1, 20), "table of foxwoods", False),
        ("pa-670a", Fraction(0), "table of pa-670a", True),
    ]


@pytest.mark.parametrize(
    ("net", "says"),
    [(1000, "it adds 0.1000 of a wager."), (-1000, "it would lose 0.1000 of a wager.")],
)
def test_a_player_is_told_when_to_double(
    net: int, says: str, person: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Doubling(ExactCoach):
        def advise(self, cards: Sequence[Card]) -> HandAdvice:
            found = super().advise(cards)
            best, *others = (replace(one, doubling=net) for one in found.settings)
            return HandAdvice((best, *others), best, found.rule)

    monkeypatch.setattr(
        "houseway.cli.drill.open_values", lambda found, *_: Doubling(program(found.id), {}, LOSES)
    )
    assert person.drill("pa-670a", "--count", "1", "--seed", "7", reply=by_house_way("pa-670a")) == 0
    out = " ".join(person.out.split())
    assert says in out and ("Double down with" in out) == (net > 0) and ("Do not double" in out) == (net < 0)


# --- a dealer -------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", list(Kind))
def test_a_dealer_is_told_what_is_right_and_why(
    kind: Kind, person: Person, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    words = ("pa-659a", "--role", "dealer", "--only", kind, "--seed", "5", "--count", "1")
    person.drill(*words, reply=["?"])
    found = re.search(r"The answer: (.+)", person.out)
    assert found and "Nothing was answered." in person.out
    wrong = {"set": None, "copies": "l l l w", "foul": "1 2", "pays": "7 7 7 7", "irregular": "1 2"}[kind]
    for typed, said, counts in ((found[1], "Right.", (1, 0)), (wrong, f"Wrong: {found[1]}", (0, 1))):
        if typed is None:
            continue
        monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / said[:5]))
        assert person.drill(*words, reply=[typed]) == 0
        assert said in person.out
        assert f"1 question: {counts[0]} right, {counts[1]} wrong." in person.out
        (one,) = kept(tmp_path / said[:5] / "houseway" / "drill", "pa-659a")
        assert (one.kind, one.right, one.lost) == (kind, bool(counts[0]), str(counts[1]))


def test_a_dealer_sets_hands_by_the_clock(
    person: Person, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    times = iter([0.0, 4.0, 10.0, 18.0])
    monkeypatch.setattr("time.monotonic", lambda: next(times, 99.0))
    words = ("pa-670a", "--role", "dealer", "--only", "set", "--seed", "5", "--count", "2")
    assert person.drill(*words, reply=by_house_way("pa-670a")) == 0
    assert "2 questions: 2 right, 0 wrong." in person.out and "10.0 hands set in a minute." in person.out
    assert {one.spot for one in kept(folder, "pa-670a")} <= {rule.id for rule in program("pa-670a").way.rule}


def test_a_dealers_typing_errors_are_told_and_not_scored(person: Person, folder: Path) -> None:
    words = ("pa-659a", "--role", "dealer", "--only", "pays", "--seed", "5")
    assert person.drill(*words, reply=["help", "5", "1 2 3 x", "q"]) == 0
    said = " ".join(person.out.split())
    assert "what you pay besides the stake" in said and "an amount or - for each of main, fortune" in said
    assert kept(folder, "pa-659a") == []


# --- looking back ---------------------------------------------------------------------------------


@pytest.fixture
def history(folder: Path) -> HistoryFile:
    """Keep some answers in the six-card game, in both roles."""
    found = HistoryFile(folder / "pa-670a.jsonl")
    for lost in ("1/10", "1/20", "0", "1/100"):
        found.add(answer("x", spot="trips", lost=lost, right=lost in ("0", "1/100")))
    found.add(answer("y", spot="pair-complete", lost="1/50", right=False))
    found.add(answer("z", spot="two-pair", role=LessonRole.DEALER, seconds=6))
    return found


@pytest.mark.usefixtures("history")
def test_the_report_says_where_most_is_lost(person: Person) -> None:
    assert person.drill("pa-670a", "--report", reply=[]) == 0
    rows = [
        re.split(r"\s*[│┃]\s*", line)[1:-1] for line in person.out.splitlines() if line[:1] in "│┃" and line
    ]
    assert rows == [
        ["spot", "asked", "right", "lost a hand", "trend"],
        ["trips", "4", "2", "4.00 %", "better by 7.00 %"],
        ["pair-complete", "1", "0", "2.00 %", ""],
        ["all", "5", "2", "3.60 %", "better by 6.50 %"],
    ]


@pytest.mark.usefixtures("history")
def test_a_dealers_report_has_errors_and_a_pace(person: Person) -> None:
    assert person.drill("pa-670a", "--role", "dealer", "--report", "--json", reply=[]) == 0
    told = json.loads(person.out)
    assert (told["game"], told["role"], [one["spot"] for one in told["spots"]]) == (
        "pa-670a",
        "dealer",
        ["two-pair", "all"],
    )
    assert (told["spots"][0]["asked"], told["spots"][0]["per_minute"]) == (1, 10)
    assert person.drill("pa-670a", "--role", "dealer", "--report", reply=[]) == 0
    assert "two-pair" in person.out and "10.0" in person.out and "0.00 %" in person.out


@pytest.mark.usefixtures("history")
def test_plots_go_into_one_file_or_a_folder(person: Person, tmp_path: Path) -> None:
    assert person.drill("pa-670a", "--plots", str(tmp_path / "all.svg"), reply=[]) == 0
    assert ElementTree.parse(tmp_path / "all.svg").getroot().tag.endswith("svg")
    assert person.drill("pa-670a", "--plots", str(tmp_path / "made"), reply=[]) == 0
    names = sorted(path.name for path in (tmp_path / "made").iterdir())
    assert names == ["lost-by-spot.svg", "lost-over-time.svg"] and person.out.count("written: ") == 2


def test_a_damaged_history_is_refused_before_anything_is_asked(person: Person, history: HistoryFile) -> None:
    history.path.write_bytes(history.path.read_bytes() + b"{}\n")
    for words in (("--report",), ("--role", "dealer")):
        assert person.drill("pa-670a", *words, reply=["q"]) == 2
        assert "pa-670a.jsonl, line 7, in " in person.err and "not an answer of a lesson" in person.err
        assert not person.out


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("pa-670a", "--count", "-1"), "0 until you leave"),
        (("pa-670a", "--clock", "0"), "more than no seconds"),
        (("pa-670a", "--clock", "nan"), "more than no seconds"),
        (("pa-670a", "--only", "two_pairs"), "did you mean two_pair"),
        (("pa-670a", "--role", "dealer", "--only", "trips"), "no such spot"),
        (("pa-670a", "--json"), "--json is for the report"),
        (("pa-670a", "--role", "owner"), "player"),
        (("pa-999",), "no such game"),
        (("pa-670a", "--plots", "/nowhere/at/all.svg"), "cannot be written"),
        (("pa-670a", "--plots", "all.svg"), "there are no answers to plot"),
    ],
)
def test_what_makes_no_lesson_is_refused(words: tuple[str, ...], why: str, person: Person) -> None:
    assert person.drill(*words, reply=["q"]) == 2
    assert why in person.err
