"""What a person at a table types and sees, and what their seat does with it, without a terminal."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pytest

from houseway.cards import parse_cards, parse_setting
from houseway.cli import main
from houseway.cli.betting import read_bet, show_bet
from houseway.cli.play import Keeper
from houseway.cli.seat import HOUSE_WAY, LONGEST, LeftError, read_setting, setting_hints
from houseway.cli.terminal_view import citations, reason, word_for
from houseway.errors import HousewayError, IllegalError
from houseway.games import example_submission
from houseway.law import Problem, cite
from houseway.ledger import COLLECTIONS, INVENTORY, Account, AccountKind, pending, player
from houseway.money import Cents, cents
from houseway.rounds.seat_session import YOU, accounts_of, payments_of
from houseway.rounds.steps.bank import AcceptBank, PutUp
from houseway.rounds.steps.wagers import PlaceWagers
from houseway.settlement import Payment, PaymentKind
from tests.cli.terminal_session import GAMES, asker, printed, screen, seated
from tests.support.amounts import parse_units

SEVEN = parse_cards("As Ks Qs Js Th Td 9c")
NAMES, SPLIT = ("high", "medium", "low"), (4, 2, 1)


# --- answers ----------------------------------------------------------------------------------------


def test_yes_no_and_choices_are_asked_again_until_they_can_be_read() -> None:
    assert asker("perhaps", " YES ").confirm("Sure?", []) is True
    assert asker("maybe", "").confirm("Sure?", []) is False
    assert asker("N").confirm("Sure?", []) is False
    assert asker("0", "3", "one", "²", "2").choose("Which?", ["a", "b"], []) == "b"
    assert asker("B").choose("Which?", ["a", "b"], []) == "b"


@pytest.mark.parametrize("word", ["?", "help", "HELP"])
def test_help_lists_what_can_be_typed_and_asks_again(word: str) -> None:
    asking = asker(word, "10")
    assert asking.ask("Amount: ", [("10", "ten dollars")]) == "10"
    assert [line.split()[0] for line in printed(asking.screen).splitlines()] == ["10", "why", "help", "q"]


def test_at_a_hand_the_question_mark_asks_for_the_house_way_and_help_still_lists() -> None:
    asking = asker("help", "?")
    assert asking.ask("Your setting: ", [("1", "a card")], HOUSE_WAY) == "?"
    assert "this list" in printed(asking.screen)
    advised: list[str] = []
    assert asker("?", "h", "y").confirm("Double?", [], lambda: advised.append("told")) is True
    assert advised == ["told", "told"]


def test_why_shows_what_was_cited_since_the_last_answer_in_full() -> None:
    asking = asker("why", "1", "why?", "2", "WHY", "3")
    asking.ask("One: ", [])
    asking.screen.show_refusals([Problem("main", "limits are $5 to $10", "$3", ("pa659a.7.e",))])
    asking.ask("Two: ", [])
    asking.ask("Three: ", [])
    shown = " ".join(printed(asking.screen).split())
    assert "No law was cited yet." in shown
    assert "Refused: limits are $5 to $10: $3 (§ 659a.7(e))." in shown
    assert shown.count(f"58 Pa. Code § 659a.7(e): {cite('pa659a.7.e').says}") == 2


def test_leaving_is_asked_about_only_where_it_means_something() -> None:
    with pytest.raises(LeftError) as left:
        asker("Q").ask("Amount: ", [])
    assert not left.value.interrupted
    asking = asker("q", "hm", "n", "quit", "y", "never read")
    asking.leaving = "the house way plays on"
    with pytest.raises(LeftError):
        asking.ask("Amount: ", [])
    assert printed(asking.screen).count("y or n, please.") == 1


@pytest.mark.parametrize(("end", "interrupted"), [(EOFError, False), (KeyboardInterrupt, True)])
def test_the_end_of_input_and_an_interrupt_leave_at_once(end: type[BaseException], interrupted: bool) -> None:
    asking = asker(end)
    asking.leaving = "the house way plays on"
    with pytest.raises(LeftError) as left:
        asking.confirm("Sure?", [])
    assert left.value.interrupted is interrupted


def test_what_is_no_text_or_too_long_is_asked_again() -> None:
    asking = asker(UnicodeDecodeError, "9" * (LONGEST + 1), "9" * LONGEST)
    assert asking.line("Amount: ") == "9" * LONGEST
    assert printed(asking.screen).splitlines() == ["That is not text.", "That is too long to be an answer."]


def test_an_amount_is_asked_again_until_nothing_can_be_said_against_it() -> None:
    def check(given: Cents) -> list[Problem]:
        return [Problem("main", "limits are $5 to $10", "more", ("pa659a.7.e",))] if given > 1000 else []

    asking = asker("", "0", "$", "1e3", "10.005", "11", " $10.00 ")
    assert asking.amount("Amount: ", check, [], needed="It is needed.") == 1000
    said = printed(asking.screen)
    assert (said.count("It is needed."), said.count("An amount such as 10"), said.count("Refused: ")) == (
        2,
        3,
        1,
    )
    assert "limits are $5 to $10: more (§ 659a.7(e))" in said
    assert asker("").amount("Amount: ", check, []) is None
    assert asker("0").amount("Amount: ", check, []) is None
    assert asker("n").amount("Stake: ", check, [], needed="It is needed.", declines=("n",)) is None


# --- bets -------------------------------------------------------------------------------------------

OFFERED = ["main", "fortune", "insurance", "progressive"]


@pytest.mark.parametrize(
    "text",
    ["main 5 fortune 1", "5 fortune 1", "5 f 1", "f $1 m $5", "main=5,fortune=1.00", " MAIN 5; F 1 i 0 "],
)
def test_wagers_are_read_from_one_line_by_name_or_its_beginning(text: str) -> None:
    assert read_bet(text, OFFERED) == {"main": 500, "fortune": 100}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("main", "an amount is missing after: 'main'"),
        ("5 fortune", "an amount is missing after: 'fortune'"),
        ("5 5", "the wagers are main, fortune, insurance, progressive: '5'"),
        ("main five", "an amount such as 10"),
        ("main 1e3", "an amount such as 10"),
        ("5 main 5", "a wager is named once: 'main'"),
        ("5 \x1b[A 3", "the wagers are"),
    ],
)
def test_what_is_no_bet_is_refused_in_one_line(text: str, said: str) -> None:
    with pytest.raises(HousewayError, match=re.escape(said)) as refusal:
        read_bet(text, OFFERED)
    assert "\n" not in str(refusal.value)


def test_a_bet_that_is_shown_can_be_typed_again() -> None:
    bet = {"main": cents("$1,000.50"), "progressive": cents("$1")}
    assert read_bet(show_bet(bet), OFFERED) == bet


# --- settings ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "AsKsQsJs / ThTd / 9c",
        "as ks qs js/10h 10d/9c",
        "1 2 3 4 / 5 6 / 7",
        "5 6 / 7",
        "56/7",
        "5,6 7",
        "567",
        "ThTd / 9c",
        "Th Td 9c",
    ],
)
def test_a_setting_is_read_whole_or_by_its_lower_parts_by_cards_or_by_numbers(text: str) -> None:
    assert read_setting(text, SEVEN, NAMES, SPLIT) == parse_setting("AsKsQsJs / ThTd / 9c")


@pytest.mark.parametrize("text", ["1", "9c", " 1 "])
def test_two_parts_need_only_the_lower_one(text: str) -> None:
    held = parse_cards("9c As Ks Qs Js Th")
    assert read_setting(text, held, ("high", "low"), (5, 1)) == parse_setting("AsKsQsJsTh / 9c")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Zz", "not a card"),
        ("AsKs / As", "the same card twice"),
        ("0 1 / 2", "numbered 1 to 7"),
        ("8 / 1", "numbered 1 to 7"),
        ("5 5 / 7", "the same card twice"),
        ("2c3c / 4c", "not one of your cards"),
        ("1 / 2 / 3 / 4", "name every part, or 2 medium and 1 low, divided by /"),
        ("5 6", "name every part, or 2 medium and 1 low, divided by /"),
        ("5 6 / Td", "not a card: '5'"),
        ("٥ ٦ / ٧", "not a card"),
        ("\x1b[A", "not a card"),
    ],
)
def test_what_is_no_setting_of_these_cards_is_refused_in_one_line(text: str, said: str) -> None:
    with pytest.raises(HousewayError, match=re.escape(said)) as refusal:
        read_setting(text, SEVEN, NAMES, SPLIT)
    assert "\n" not in str(refusal.value)


def test_wrong_sizes_are_read_as_typed_and_left_to_the_law() -> None:
    assert read_setting("5 / 7", SEVEN, NAMES, SPLIT) == parse_setting("AsKsQsJsTd / Th / 9c")
    assert read_setting("//", SEVEN, NAMES, SPLIT) == ((), (), ())


def test_the_hints_are_themselves_read() -> None:
    whole, numbers, lower, *_ = (name for name, _ in setting_hints(SEVEN, NAMES, SPLIT))
    read = {read_setting(text, SEVEN, NAMES, SPLIT) for text in (whole, numbers, lower)}
    assert read == {parse_setting("AsKsQsJs / ThTd / 9c")}


# --- the screen -------------------------------------------------------------------------------------


def test_cards_are_shown_by_symbols_where_the_terminal_has_them() -> None:
    for encoding, shown in (("utf-8", ["A♠", "T♥", "Jk"]), ("ascii", ["As", "Th", "Jk"])):
        on = screen(encoding)
        on.show_cards(parse_cards("As Th Jk"))
        on.say(citations(["pa659a.7.e"]))
        numbers, cards, law = printed(on).splitlines()
        assert (numbers.split(), cards.split()) == (["1", "2", "3"], shown)
        assert law.endswith("659a.7(e)")


def test_much_law_is_cut_short_and_counted() -> None:
    ids = ["pa659a.7.e", "pa659a.7.e", "pa659a.11.f.1.i", "pa659a.11.f.1.ii", "pa659a.11.f.1.iii"]
    assert citations(ids).endswith(" and 3 more")
    assert reason(Problem("setting", "low outranks high", "As / Ks")) == "low outranks high"


def test_a_payment_is_named_by_what_it_does_to_the_person() -> None:
    mine, bank, wager = player("You"), Account(AccountKind.BANK, "You"), pending(2, "You", "main")
    for kind, source, to, word in [
        (PaymentKind.RETURN, wager, mine, "back"),
        (PaymentKind.RETURN, bank, mine, "back"),
        (PaymentKind.PAY, INVENTORY, mine, "paid"),
        (PaymentKind.ENVY, INVENTORY, mine, "paid"),
        (PaymentKind.FEE, mine, COLLECTIONS, "fee"),
        (PaymentKind.COLLECT, wager, INVENTORY, "taken"),
        (PaymentKind.COLLECT, pending(3, "Bob", "main"), bank, "gains"),
        (PaymentKind.PAY, bank, player("Bob"), "pays"),
    ]:
        assert word_for(Payment(kind, 1, source, to, 2, "You", "main", "why"), "You") == word


# --- the seat ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_the_limits_of_a_prompt_are_those_that_are_enforced(game: str) -> None:
    at = seated(game)
    at.begin()
    rich = parse_units("$1,000,000")
    for terms in at.rules.game.wager:
        least, most = at.rules.stakes(terms.id)
        if terms.when != "before_no_more_bets" or least is None or most is None:
            continue
        for amount, lawful in ((least - 1, False), (least, True), (most, True), (most + 1, False)):
            main = {"main": at.rules.stakes("main")[0] or Cents(0)} | {terms.id: Cents(amount)}
            found = at.objections(PlaceWagers(at.position, main), purse=rich)
            assert (found == ()) is lawful, f"{terms.id} {amount}"


def test_the_purse_covers_the_wagers_and_the_collection_to_the_cent() -> None:
    at = seated("ca-fpgp")
    assert at.begin() == "bets"
    wager = PlaceWagers(at.position, {"main": cents("$10"), "fortune": cents("$10")})
    assert at.objections(wager, purse=parse_units("$20.50")) == ()
    (short,) = at.objections(wager, purse=parse_units("$20.49"))
    assert reason(short) == "that takes $20.50 and you have $20.49"
    assert at.hand is None  # nothing was placed by asking


def test_asking_changes_nothing_and_uses_up_no_chance() -> None:
    asking, silent = seated("wa-fap"), seated("wa-fap")
    wager = PlaceWagers(2, {"main": cents("$10")})
    for at in (asking, silent):
        at.begin()
    before = asking.table
    for purse in ("$0", "$10", "$1,000"):
        asking.objections(wager, purse=parse_units(purse))
    assert asking.table is before
    for at in (asking, silent):
        at.do(wager)
        at.deal()
    before = asking.table
    assert asking.binding() != ()
    assert asking.table is before
    assert asking.finish().record == silent.finish().record


def test_the_bank_goes_round_and_is_held_for_two_rounds() -> None:
    at = seated("ca-fpgp", seat=2)
    bankers, turns = [], []
    for _ in range(6):
        turn = at.begin()
        turns.append(turn)
        if turn == "offered":
            at.do(AcceptBank(at.position))
        if turn != "bets":
            at.do(PutUp(at.position, cents("$100")))
            assert at.begin() == "bets"
        if not at.banks:
            at.do(PlaceWagers(at.position, {"main": cents("$10")}))
        bankers.append(at.table.round.bank_seat)
        at.finish()
    assert bankers == [1, 1, 2, 2, 3, 3]
    assert turns == ["bets", "bets", "offered", "held", "bets", "bets"]


def test_others_bet_the_least_that_the_limits_allow() -> None:
    choice = example_submission("pa-575").wagers
    dear = choice | {"main": choice["main"].model_copy(update={"min": cents("$25")})}
    at = seated("pa-575", wagers=dear)
    at.begin()
    assert [dict(hand.wagers) for hand in at.table.round.hands.values()] == [{"main": 2500, "bonus": 500}] * 5


def test_a_table_that_does_not_open_says_why() -> None:
    with pytest.raises(IllegalError, match="the notice is to be acknowledged") as refusal:
        seated("ca-fpgp", collection_schedule=1).begin()
    assert refusal.value.clauses == ("ca.fpgp.collect.review.zero",)


@pytest.mark.parametrize("game", GAMES)
def test_an_undecided_seat_is_played_the_house_way_to_the_end(game: str) -> None:
    at = seated(game)
    at.begin()
    at.do(PlaceWagers(at.position, {"main": cents("$10")}))
    played = at.finish()
    accounts = accounts_of(played.round, YOU.id)
    assert played.round.hands[2].setting is not None
    assert accounts.placed == parse_units("$10")
    assert accounts.net == accounts.back - accounts.placed - accounts.fees
    assert all(payment.person == YOU.id for payment in payments_of(played.round, YOU.id))


# --- the command ------------------------------------------------------------------------------------


def test_records_get_a_number_that_no_other_has(tmp_path: Path) -> None:
    (tmp_path / "pa-575-1.json").write_text("another's")
    keeper = Keeper("pa-575", tmp_path)
    at = seated("pa-575", keeper=keeper)
    at.begin()
    at.do(PlaceWagers(at.position, {"main": cents("$10")}))
    record = at.finish().record
    assert (record.id, keeper.keep(record)) == ("pa-575-2", tmp_path / "pa-575-2.json")
    assert keeper.keep(record) == tmp_path / "pa-575-3.json"
    assert (tmp_path / "pa-575-1.json").read_text() == "another's"


@pytest.mark.parametrize(
    "words",
    [
        ["pa-999"],
        ["ref-pgp"],
        ["pa-575", "--seat", "1"],
        ["pa-575", "--seat", "8"],
        ["ca-fpgp", "--seat", "0"],
        ["pa-575", "--chips", "lots"],
        ["pa-575", "--chips", "0"],
        ["pa-575", "--chips", "9" * 5000],
        ["pa-575", "--rounds", "-1"],
        ["pa-575", "--records", "here", "--no-records"],
        ["pa-575", "--records", str(Path(__file__))],
        ["pa-575", "--records", str(Path(__file__) / "below")],
        ["pa-575", "--submission", "no-such-file.toml"],
    ],
    ids=lambda words: " ".join(words)[:40],
)
def test_bad_options_are_one_clear_line_and_exit_code_2(
    capsys: pytest.CaptureFixture[str], words: list[str]
) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["play", *words])
    out, err = capsys.readouterr()
    assert (stop.value.code, out, err.count("\n")) == (2, "", 1)
    assert err.startswith("houseway: ") and len(err) < 200


def test_without_a_game_and_a_terminal_it_is_the_demonstration(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO())
    shown = []
    for command in ("play", "demo"):
        with pytest.raises(SystemExit) as stop:
            main([command, "--seed", "9"])
        assert stop.value.code == 0
        shown.append(capsys.readouterr().out)
    assert shown[0] == shown[1] != ""


def test_input_from_a_pipe_is_played_and_its_end_finishes_the_round(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("10\n\n?\n"))
    with pytest.raises(SystemExit) as stop:
        main(["play", "pa-575", "--seed", "13", "--records", str(tmp_path / "new" / "folder")])
    assert stop.value.code == 0
    out = capsys.readouterr().out
    assert "The house way plays the rest of the round for you." in out
    assert (tmp_path / "new" / "folder" / "pa-575-1.json").exists()
