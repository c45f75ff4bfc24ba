"""``houseway play`` on a real terminal: a whole round of each game, with bad input at every prompt."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

import pytest

from houseway.cards import Card, Cards, Deck, show, show_setting
from houseway.cli import main
from houseway.games import example_submission, games, rules_for
from houseway.money import cents
from houseway.ranking import Ranking, Setting, all_settings, legal_settings, verify_setting
from houseway.rounds.action import Action
from houseway.rounds.record import Record, read_record
from houseway.rounds.replay import verify_replay
from houseway.rounds.state import Round
from houseway.rounds.steps.bank import AcceptBank, PutUp
from houseway.rounds.steps.double_down import DoubleDown
from houseway.rounds.steps.hand import AskHelp, SetHand
from houseway.rounds.steps.piles import ResetBank
from houseway.rounds.steps.wagers import PlaceWagers
from tests.cli.terminal import COLUMNS, END_OF_INPUT, INTERRUPT, Terminal, cards_shown
from tests.support.amounts import parse_units

CHIPS = "$60"
SEED = "13"
"""Deals no joker, and cards that can be set foul, at each of the tables."""
BET = "Your bet"
DEAL = "Enter to deal"
SETTING = "Your setting: "
PLACE = "Enter to place it"
FOUL = "y to place this foul hand"
HELD = "Enter to keep it"
OFFERED = "The bank is offered to you"
MAIN = {
    "pa-575": ("Asia Poker Wager", "limits are $5 to $500: $1", "limits are $5 to $500: $501"),
    "pa-659a": ("Fortune Asia Poker Wager", "limits are $5 to $500: $1", ": $501"),
    "pa-670a": ("Six-Card Fortune Pai Gow Poker Wager", "limits are $5 to $500: $1", ": $501"),
    "wa-fap": ("Fortune Asia Poker bet", "limits are $5 to $200: $1", ": $501"),
    "ca-fpgp": ("game wager", "table limit is $10 to $500: $1", "table limit is $10 to $500: $501"),
}
"""What the main wager is called, and how too little and too much are refused."""
SIDES = {
    "pa-575": [("bonus", "Bonus Wager", "4", "limits are $5 to $100: $4", "")],
    "pa-659a": [
        ("fortune", "Fortune Bonus Wager", "0.50", "limits are $1 to $100: $0.50", "5"),
        ("insurance", "Insurance Wager", "101", "limits are $1 to $100: $101", "5"),
        ("progressive", "Progressive Payout Wager", "2", "is $1 here: $2", "1"),
    ],
    "pa-670a": [
        ("fortune", "Fortune Bonus Wager", "0.50", "limits are $1 to $100: $0.50", "5"),
        ("insurance", "Insurance Wager", "101", "limits are $1 to $100: $101", ""),
        ("progressive", "Progressive Payout Wager", "2", "is $1 here: $2", "1"),
    ],
    "wa-fap": [
        ("fortune", "Fortune Bonus bet", "0.50", ": $0.50 (Fortune Bonus Bet [", "5"),
        ("insurance", "Insurance Bonus bet", "101", "limits are $1 to $100: $101", "5"),
        ("progressive", "Fortune Asia Poker Progressive", "2", "is $1 here: $2", "1"),
    ],
    "ca-fpgp": [
        ("fortune", "Fortune Bonus Bet", "9", "table limit is $10 to $500: $9 (Collection Fees [", "10")
    ],
}
"""Each optional wager: its prompt, an amount that is refused and why, and what is then typed."""


Open = Callable[..., Terminal]
A = TypeVar("A", bound=Action)


@pytest.fixture
def sit_down(tmp_path: Path) -> Iterator[Open]:
    """Open terminals in the test's own folder, and close them after it."""
    opened: list[Terminal] = []

    def open_one(*words: str) -> Terminal:
        opened.append(Terminal(tmp_path, "play", *words))
        return opened[-1]

    yield open_one
    for terminal in opened:
        terminal.close()


def order_of(game: str) -> Ranking:
    return rules_for(example_submission(game)).ranking()


def ask_for_wagers(terminal: Terminal, game: str) -> dict[str, str]:
    """Type bad and then good bets, one of them taken back; return what was accepted."""
    name, too_little, too_much = MAIN[game]
    assert name in terminal.wait(BET)
    for typed, said in [
        ("", "A main wager is needed"),
        ("0", "A main wager is needed"),
        (f"{SIDES[game][0][0]} 5", "A main wager is needed"),
        ("main", "an amount is missing after: 'main'"),
        ("main ten", "an amount such as 10, $10 or 10.50, please, not: 'ten'"),
        ("10 main 5", "a wager is named once: 'main'"),
        ("10 lottery 5", "the wagers are main"),
        ("-10", "an amount of money is needed"),
        ("1", too_little),
        ("501", too_much),
        ("61", "and you have $60"),
        ("?", "the main wager alone"),
    ]:
        terminal.refused(BET, typed, said)
    line, placed = "10", {"main": "$10"}
    for wager, prompt, bad, said, good in SIDES[game]:
        assert prompt in terminal.text
        terminal.refused(BET, f"10 {wager} {bad}", said)
        terminal.refused(BET, f"main=10, {wager}=5000", "Refused: ")
        line += f" {wager} {good}" if good else ""
        placed |= {wager: f"${good}"} if good else {}
    terminal.answer(BET, "20")
    terminal.answer(DEAL, "u")
    terminal.answer(BET, "20")
    assert "Bet: main $20\n" in terminal.wait(DEAL)
    terminal.answer(DEAL, line)
    terminal.answer(DEAL, "")
    return placed


def bad_settings(order: Ranking, cards: Cards) -> Iterator[tuple[str, str]]:
    """Yield what is no setting of these cards at all, with the reason to be given."""
    stranger = next(card for card in Deck.standard().cards if card not in cards)
    parts = next(legal_settings(order, cards))
    yield "nonsense", "not a card: 'nonsense'"
    yield show_setting(parts[1:])[:-2] + "Zz", "not a card"
    yield show((*parts[0][1:], parts[0][1])), "the same card twice"
    yield "8 / 9", "your cards are numbered 1 to"
    yield "1 / 1", "the same card twice"
    yield "1/2/3/4", "name every part, or"
    yield show_setting(((stranger, *parts[0][1:]), *parts[1:])), "Refused: "
    yield "help", "the house way, with the rule that fired"


def foul_setting(order: Ranking, cards: Cards) -> Setting:
    return next(setting for setting in all_settings(cards, order.split) if verify_setting(order, setting))


def numbers(cards: Cards, part: tuple[Card, ...]) -> str:
    return " ".join(str(cards.index(card) + 1) for card in part)


def set_the_hand(terminal: Terminal, game: str, cards: Cards) -> Setting:
    """Type bad, foul and at last legal settings; return the one that was placed."""
    order = order_of(game)
    terminal.refused(SETTING, "", "Type a setting first")
    terminal.refused(SETTING, "y", "Type a setting first")
    for typed, said in bad_settings(order, cards):
        terminal.refused(SETTING, typed, said)
    foul, legal = foul_setting(order, cards), next(legal_settings(order, cards))
    if game == "ca-fpgp":
        terminal.refused(
            SETTING, show_setting(foul), "outranks the five-card hand (Dealing Procedures (setting) ["
        )
    else:
        terminal.answer(SETTING, show_setting(foul))
        assert "FOUL: the " in terminal.wait(FOUL)
        terminal.refused(FOUL, "", "The setting is foul")
        terminal.refused(FOUL, "nonsense", "not a card")
    waiting = terminal.prompt
    terminal.answer(waiting, " / ".join(numbers(cards, part) for part in legal[1:]))
    assert "Legal." in terminal.wait(PLACE)
    if game == "wa-fap":
        terminal.answer(PLACE, "?")
        terminal.refused("Ask for it?", "perhaps", "y or n, please")
        terminal.answer("Ask for it?", "n")
    else:
        terminal.answer(PLACE, "?")
        assert "The house way, " in terminal.wait(PLACE)
        terminal.answer(PLACE, show_setting(legal))
    terminal.answer(PLACE, "")
    return legal


def replayed(capsys: pytest.CaptureFixture[str], path: Path) -> str:
    with pytest.raises(SystemExit) as stop:
        main(["replay", str(path)])
    assert stop.value.code == 0
    return capsys.readouterr().out.strip()


def own_actions(record: Record, kind: type[A]) -> list[A]:
    done = [turn.command.action for turn in record.turns if str(turn.command.by) == "player You"]
    return [action for action in done if isinstance(action, kind)]


def replayed_play(record: Record) -> Round:
    this_round = verify_replay(record).last
    assert this_round is not None
    return this_round


def check_money(terminal: Terminal, record: Record, placed: list[str]) -> None:
    """The payments shown are the record's, and with the stakes they make the balance shown."""
    shown = terminal.text.split("Your payments")[1]
    found = re.search(r"Chips: (\S+) - (\S+) placed(?: - (\S+) fees)? \+ (\S+) back = (\S+)", shown)
    assert found is not None
    before, staked, fees, back, after = (parse_units(text or "$0") for text in found.groups())
    assert before == parse_units(CHIPS)
    assert staked == sum(map(parse_units, placed))
    assert after == before - staked - fees + back
    listed = re.findall(r"^  (back|paid|fee|taken|gains|pays) +(\S+)  ", shown, re.M)
    into_hand = sum(parse_units(amount) for word, amount in listed if word in ("back", "paid"))
    assert (into_hand, sum(parse_units(a) for word, a in listed if word == "fee")) == (back, fees)
    payments = replayed_play(record).payments
    assert back == sum(p.units for p in payments if str(p.to) == "player:You")
    assert fees == sum(p.units for p in payments if str(p.source) == "player:You")
    won = f"You leave with {found[5]}: "
    assert won in terminal.text


def check_screen(terminal: Terminal) -> None:
    assert [line for line in terminal.text.splitlines() if len(line) > COLUMNS] == []
    assert "Traceback" not in terminal.text


@pytest.mark.parametrize("game", sorted(MAIN))
def test_a_whole_round_on_a_terminal_with_bad_input_at_every_prompt(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, sit_down: Open, game: str
) -> None:
    terminal = sit_down(game, "--seat", "2", "--seed", SEED, "--chips", CHIPS, "--rounds", "1")
    wagers = ask_for_wagers(terminal, game)
    doubles, surrenders = game == "pa-670a", game == "pa-575"
    cards = cards_shown(terminal.wait("Double Down Wager of $10?" if doubles else SETTING))
    if doubles:
        terminal.refused("Double Down Wager of $10?", "perhaps", "y or n, please")
        terminal.refused("Double Down Wager of $10?", "help", "put another $10 next to")
        terminal.refused("Double Down Wager of $10?", "?", "The house way, ")
        terminal.answer("Double Down Wager of $10?", "y")
        wagers["double_down"] = "$10"
    legal = set_the_hand(terminal, game, cards)
    if surrenders:
        terminal.refused("Do you surrender?", "perhaps", "y or n, please")
        terminal.answer("Do you surrender?", "")
    assert terminal.end() == 0
    assert ("No surrender: not beside an optional wager" in terminal.text) == (game == "pa-659a")
    assert terminal.text.count(" is higher") + terminal.text.count("a copy, which") == len(legal)
    assert "Announced: " in terminal.text

    path = tmp_path / "houseway-rounds" / f"{game}-1.json"
    assert f"Record: houseway-rounds/{path.name}; replayed: identical." in terminal.text
    assert replayed(capsys, path) == f"{game}-1: identical"
    record = read_record(path)
    (hand,) = (hand for hand in replayed_play(record).active() if hand.person == "You")
    assert hand.setting == legal
    before_cards = {name: cents(amount) for name, amount in wagers.items() if name != "double_down"}
    assert [action.wagers for action in own_actions(record, PlaceWagers)] == [before_cards]
    assert [action.setting for action in own_actions(record, SetHand)] == [legal]
    assert len(own_actions(record, DoubleDown)) == doubles
    assert len(own_actions(record, AskHelp)) == (game != "wa-fap")
    check_money(terminal, record, list(wagers.values()))
    check_screen(terminal)


def test_the_bank_is_offered_and_the_player_dealer_sets_his_own_hand(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, sit_down: Open
) -> None:
    terminal = sit_down("ca-fpgp", "--seed", SEED, "--chips", CHIPS, "--rounds", "1")
    terminal.wait(OFFERED)
    for typed, said in [
        ("much", "An amount such as 10"),
        ("-5", "the player-dealer's wager is needed (Dealing Procedures"),
        ("61", "that takes $61.50 and you have $60"),
        ("60", "and you have $60"),  # the collection comes on top
        ("?", "you can neither win nor lose more"),
    ]:
        terminal.refused(OFFERED, typed, said)
    terminal.answer(OFFERED, "40")
    terminal.refused(DEAL, "perhaps", "Enter, or u to undo, please")
    terminal.answer(DEAL, "u")
    terminal.answer(OFFERED, "50")
    assert "You bank the round with $50." in terminal.wait(DEAL)
    terminal.answer(DEAL, "")
    printed = terminal.wait(HELD)
    assert "Your hand, set the house way" in printed
    terminal.refused(HELD, "nonsense", "not a card")
    terminal.refused(HELD, "1 2 3", "parts of 5-2 cards needed: 4-3")
    terminal.refused(HELD, "h", "The house way, ")
    terminal.answer(HELD, "")
    assert terminal.end() == 0
    path = tmp_path / "houseway-rounds" / "ca-fpgp-1.json"
    assert replayed(capsys, path) == "ca-fpgp-1: identical"
    record = read_record(path)
    banker = replayed_play(record).banker
    assert banker is not None and (banker.person, banker.stake) == ("You", 5000)
    assert len(own_actions(record, AcceptBank)) == len(own_actions(record, PutUp)) == 1
    assert own_actions(record, ResetBank) == []
    check_money(terminal, record, ["$50"])
    check_screen(terminal)


def test_without_a_game_a_terminal_offers_the_five_games(tmp_path: Path, sit_down: Open) -> None:
    terminal = sit_down("--seed", SEED)
    offered = terminal.wait("Game: ")
    assert all(found.id in offered for found in games() if found.licensed)
    for typed in ("", "0", "6", "ref-pgp", "nonsense", "²"):
        terminal.refused("Game: ", typed, "A number from 1 to 5")
    terminal.answer("Game: ", "2")
    assert "Asia Poker (pa-575)" in terminal.wait(BET)
    terminal.answer(BET, "q")
    assert terminal.end() == 0
    assert "You leave with $500: neither won nor lost in 0 rounds." in terminal.text
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("leaving", "code"), [(["q", "x", "n", "q", "y"], 0), ([END_OF_INPUT], 0), ([INTERRUPT], 130)]
)
def test_who_leaves_during_a_round_has_it_finished_the_house_way(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, sit_down: Open, leaving: list[str], code: int
) -> None:
    terminal = sit_down("pa-575", "--seed", SEED, "--chips", CHIPS)
    terminal.answer(BET, "10")
    terminal.answer(DEAL, "")
    terminal.wait(SETTING)
    for typed in leaving:
        terminal.wait("")
        terminal.answer(terminal.prompt, typed)
    assert terminal.end() == code
    assert "The house way plays the rest of the round for you." in terminal.text
    assert " in 1 round." in terminal.text
    path = tmp_path / "houseway-rounds" / "pa-575-1.json"
    assert replayed(capsys, path) == "pa-575-1: identical"
    check_money(terminal, read_record(path), ["$10"])
    check_screen(terminal)
