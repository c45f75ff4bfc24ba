"""Sessions at a table without a terminal: fouls, surrender, the display, the bank, and how they end."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from houseway.cards import Card, show_setting
from houseway.cli.play_session import FAILED, FINISHED, INTERRUPTED
from houseway.games import example_submission, rules_for
from houseway.houseways import CompiledWay, decide
from houseway.ledger import show_units
from houseway.odds.coach import HandAdvice, SettingOdds
from houseway.ranking import legal_settings
from houseway.rounds.houseway import dealer_program
from houseway.rounds.marks import HandMark
from houseway.rounds.record import Record, digest_of, write_record, written
from houseway.rounds.seat_session import SeatSession
from houseway.rounds.steps.common import positions
from tests.cli.terminal_session import GAMES, printed, seated, session, session_with
from tests.support.amounts import parse_units


def test_a_foul_hand_is_placed_only_by_saying_so_and_loses() -> None:
    at = seated("pa-659a")
    playing = session(at, "10", "", "1 / 2", "", "y", "")
    assert playing.run(1) == FINISHED
    text = printed(playing.screen)
    assert "FOUL: parts of 4-2-1 cards needed: 5-1-1 (§ 659a.1" in text
    assert "The setting is foul: y places it all the same." in text
    assert "main: loses (foul)" in text
    assert show_units(playing.purse) == "$490"


def test_a_surrendered_hand_is_not_opened() -> None:
    playing = session(seated("pa-575"), "10", "", "h", "", "y")
    assert playing.run(1) == FINISHED
    text = printed(playing.screen)
    assert "You surrendered the hand." in text and "You against the dealer" not in text
    assert "collects the whole Asia Poker Wager. (§ 575.11(d))" in " ".join(text.split())
    assert show_units(playing.purse) == "$490"


def test_where_the_display_sets_a_hand_whoever_asks_is_warned_and_bound() -> None:
    at = seated("wa-fap")
    playing = session(at, "10", "", "?", "", "?", "y")
    assert playing.run(1) == FINISHED
    text = " ".join(printed(playing.screen).split())
    assert text.count("To ask is final at this table (the house way was asked for: the display sets") == 2
    assert "Your hand, set for you The house way, " in text
    assert at.table.last is not None and at.table.last.hands[2].has(HandMark.BY_DISPLAY)


def test_a_declined_bank_goes_to_the_next_player() -> None:
    playing = session(seated("ca-fpgp", seat=1), "n", "10", "", "h", "")
    assert playing.run(1) == FINISHED
    assert "Bob banks the round with $200." in printed(playing.screen)


def test_enter_declines_the_bank_and_one_that_is_held_is_put_up_again_by_enter() -> None:
    declined = session(seated("ca-fpgp", seat=1), "", "10", "", "?", "")
    assert declined.run(1) == FINISHED
    assert "Bob banks the round with $200." in printed(declined.screen)
    at = seated("ca-fpgp", seat=1)
    playing = session(at, "100", "", "", "", "")
    assert playing.run(2) == FINISHED
    assert at.table.last is not None and at.table.last.banker is not None
    assert (at.table.last.banker.person, at.table.last.banker.stake) == ("You", 10000)


def test_enter_bets_the_same_again_and_deals_at_once() -> None:
    at = seated("pa-659a")
    prompts: list[str] = []
    lines = iter(["main 10 fortune 5", "", "?", "", "", "?", ""])

    def read(prompt: str) -> str:
        prompts.append(prompt)
        return next(lines)

    playing = session_with(at, read)
    assert playing.run(2) == FINISHED
    assert prompts[4].startswith("Your bet, or Enter for the same again")
    assert "Last bet: main $10 fortune $5\n" in printed(playing.screen)
    assert prompts[5].startswith("Your setting")
    assert at.table.last is not None and dict(at.table.last.hands[2].wagers) == {"main": 1000, "fortune": 500}


def test_the_same_again_is_refused_where_the_chips_no_longer_reach_it() -> None:
    playing = session(seated("pa-659a"), "300", "", "1 / 2", "y", "", "", "5", "", "?", "", "", chips="$400")
    assert playing.run(2) == FINISHED
    assert "Refused: that takes $300 and you have $100." in printed(playing.screen)
    assert playing.rounds == 2


def test_an_undone_bet_never_lay_on_the_table() -> None:
    at = seated("pa-575")
    playing = session(at, "50", "u", "10", "", "?", "", "")
    assert playing.run(1) == FINISHED
    assert at.table.last is not None and dict(at.table.last.hands[2].wagers) == {"main": 1000}


def test_the_player_dealer_sets_his_own_hand_another_way() -> None:
    at = seated("ca-fpgp", seat=1)
    prompts: list[str] = []
    wanted: list[str] = []

    def read(prompt: str) -> str:
        prompts.append(prompt)
        if prompt.startswith("The bank"):
            return "100"
        if prompt.startswith("Enter to keep"):
            kept = {frozenset(part) for part in at.table.round.dealer_setting or ()}
            ways = legal_settings(at.rules.ranking(), at.dealer_cards())
            wanted.append(show_setting(next(w for w in ways if {frozenset(part) for part in w} != kept)))
            return wanted[0]
        return ""

    playing = session_with(at, read)
    assert playing.run(1) == FINISHED
    assert prompts[-1].startswith("Enter to place it")
    assert at.table.last is not None
    assert show_setting(at.table.last.dealer_setting or ()) == wanted[0]


def test_chips_that_do_not_reach_the_smallest_wager_end_the_session() -> None:
    playing = session(seated("pa-575"), chips="$4.99")
    assert playing.run(0) == FINISHED
    text = printed(playing.screen)
    assert "Your chips do not reach the smallest wager." in text
    assert "You leave with $4.99: neither won nor lost in 0 rounds." in text


def test_no_double_down_without_the_chips_for_it() -> None:
    playing = session(seated("pa-670a"), "10", "", "h", "", chips="$19.99")
    assert playing.run(1) == FINISHED
    assert "No Double Down Wager: that takes $20 and you have $19.99." in printed(playing.screen)


class Doubling:
    """Values hands so that the house way's setting is best, and doubling adds or loses a tenth of a wager."""

    def __init__(self, program: CompiledWay, net: int) -> None:
        self.program, self.net, self.asked = program, net, 0

    def advise(self, cards: Sequence[Card]) -> HandAdvice:
        self.asked += 1
        way = decide(self.program, cards)
        best = SettingOdds(way.setting, 700, 0, 300, doubling=self.net)
        return HandAdvice((best,), best, way.rule)


@pytest.mark.parametrize(
    ("net", "says"),
    [
        (100, "double. Doubling adds +0.1000 of the wager on average; the hand is worth +0.5000"),
        (-100, "do not double. Doubling adds -0.1000 of the wager on average; the hand is worth +0.4000"),
    ],
)
def test_the_coach_says_whether_to_double(net: int, says: str) -> None:
    at = seated("pa-670a")
    coach = Doubling(dealer_program(at.rules), net)
    playing = session(at, "10", "", "w", "w", "", "h", "", values=lambda: coach)
    assert playing.run(1) == FINISHED
    text = " ".join(printed(playing.screen).split())
    assert f"{says} with the better choice." in text and text.count("The house way, ") >= 2
    assert coach.asked == 2


def test_a_table_that_cannot_go_on_leaves_the_money_where_it_was() -> None:
    playing = session(seated("ca-fpgp", collection_schedule=1))
    assert playing.run(0) == FAILED
    text = " ".join(printed(playing.screen).split())
    assert "The session ends: the table does not go on by itself: zero-collection games" in text
    assert "You leave with $500" in text


def test_a_record_is_replayed_from_what_was_written(tmp_path: Path) -> None:
    def spoilt(record: Record) -> Path:
        data = json.loads(write_record(record))
        wager = next(turn for turn in data["turns"] if turn["command"]["action"]["step"] == "wager")
        wager["command"]["action"]["wagers"]["main"] = 1100
        data["digest"] = digest_of(data)
        path = tmp_path / "spoilt.json"
        path.write_text(written(data), encoding="utf-8")
        return path

    at = seated("pa-575")
    playing = session(at, "10", "", "h", "", "")
    playing.keep = spoilt
    assert playing.run(1) == FINISHED
    text = printed(playing.screen)
    assert "Difference: command 20, wager: event 1, " in text and "replayed: NOT identical." in " ".join(
        text.split()
    )


def test_an_interrupt_between_prompts_is_like_one_at_a_prompt(monkeypatch: pytest.MonkeyPatch) -> None:
    at = seated("pa-575")

    def interrupted(self: SeatSession) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(SeatSession, "turn_over", interrupted)
    playing = session(at, "10", "", "h", "")
    assert playing.run(0) == INTERRUPTED
    assert "The house way plays the rest of the round for you." in printed(playing.screen)
    assert playing.rounds == 1


LINES = [
    "",
    "y",
    "n",
    "h",
    "?",
    "q",
    "5",
    "10",
    "10",
    "main 10 fortune 10",
    "u",
    "why",
    "help",
    "1",
    "25.50",
    "0",
    "-1",
    "501",
    "1 2 / 3",
    "6",
    "12",
    "\x00",
    "/",
    "AsKs",
    "y",
]


@pytest.mark.parametrize("game", GAMES)
def test_whatever_is_typed_no_round_goes_wrong(game: str) -> None:
    """Random lines for some rounds at each table: the money adds up and every round replays."""
    chance = random.Random(game)

    def read(prompt: str) -> str:
        if prompt.startswith("Leave?"):
            return "n"
        line = chance.choice(LINES)
        return "10" if line == "q" and not playing.asker.leaving else line

    at = seated(game, seat=chance.choice(positions(rules_for(example_submission(game)))))
    playing = session_with(at, read, chips="$5,000")
    assert playing.run(4) == FINISHED
    text = printed(playing.screen)
    assert (playing.rounds, text.count("replayed: identical")) == (4, 4)
    for shown in text.split("Your payments")[1:]:
        found = re.search(r"Chips: (\S+) - (\S+) placed(?: - (\S+) fees)? \+ (\S+) back = (\S+)", shown)
        assert found is not None
        before, staked, fees, back, after = (parse_units(amount or "$0") for amount in found.groups())
        assert after == before - staked - fees + back
        listed = re.findall(r"^  (?:back|paid) +(\S+)  ", shown, re.M)
        assert sum(map(parse_units, listed)) == back
    assert f"You leave with {show_units(playing.purse)}" in text
    assert [line for line in text.splitlines() if len(line) > 80] == []
