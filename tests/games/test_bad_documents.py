"""Submissions and operators' paytables are read strictly, and the unlawful is refused by clause."""

from __future__ import annotations

from datetime import date, datetime
from fractions import Fraction
from pathlib import Path

import pytest

from houseway.errors import DataError, InvalidInputError, UnknownNameError
from houseway.games import (
    Rules,
    example_submission,
    read_own_paytable,
    read_submission,
    rules_for,
    verify_submission,
)
from houseway.games.game import Game, game, games
from houseway.games.hands import spoken
from houseway.law import RefusedError
from houseway.money import Cents, dollars
from tests.games.support import NOTHING, OWN_FORTUNE, Changes, accepted, problems, rules, submission
from tests.support.documents import Bad, check_names, check_refused, each, mended, names_in

BAD = Path(__file__).parent / "bad"
TABLE_A = 'paytable = "A"'
LICENSED = [found.id for found in games() if found.licensed]


def ours(wager: str, year: int = 2012, hand: str = "flush") -> str:
    """Return an operator's own paytable, as a submission has it."""
    return (
        f'own_paytable = {{ name = "ours", wager = "{wager}", version = "1", '
        f'effective = {year}-01-01T00:00:00, lines = [{{ hand = "{hand}", pays = "4 to 1" }}] }}'
    )


# Submissions

SUBMISSIONS = [
    Bad("unknown-key.toml", "houseway = ", "house_way = ", ": houseway", "unknown key: 'houseway-421'"),
    Bad("unknown-table-key.toml", "postions", "positions", ": table.postions", "unknown key: 6"),
    Bad("unknown-wager-key.toml", "payout", "paytable", ": wagers.bonus.payout", "unknown key: 'A'"),
    Bad("missing-reference.toml", "holder", 'reference = "RS-1"\nholder', ": reference", "key is missing"),
    Bad("empty-reference.toml", '""', '"RS-1"', ": reference", ": ''"),
    Bad("missing-game.toml", "reference", 'game = "pa-575"\nreference', ": game", "key is missing"),
    Bad("no-wagers.toml", "[wagers]", f"[wagers.main]\n[wagers.bonus]\n{TABLE_A}", ": wagers", "not 0: '{}'"),
    Bad("bad-date.toml", '"the first of June"', "2012-06-01", ": law_as_of", ": 'the first of June'"),
    Bad("date-as-text.toml", '"2012-06-01"', "2012-06-01", ": law_as_of", ": '2012-06-01'"),
    Bad("date-as-a-number.toml", "86400", "2012-06-01", ": law_as_of", ": 86400"),
    Bad("no-such-day.toml", "2012-06-31", "2012-06-30", "", "(at line 4, column 13)"),
    Bad("bad-amount.toml", "five hundred", "$500", ": wagers.main.max", "and cents: 'five hundred'"),
    Bad("amount-with-part-of-a-cent.toml", ".005", ".05", ": wagers.main.max", "cents: '$500.005'"),
    Bad("amount-in-other-digits.toml", "$٥٠٠", "$500", ": wagers.main.max", "and cents: '$٥٠٠'"),
    Bad("amount-as-a-number.toml", "max = 500", 'max = "$500"', ": wagers.main.max", 'such as "$5": 500'),
    Bad("amount-as-a-fraction.toml", "= 500.0", '= "$500"', ": wagers.main.max", 'such as "$5": 500.0'),
    Bad("amount-as-a-flag.toml", "= true", '= "$500"', ": wagers.main.max", 'such as "$5": True'),
    Bad("amount-below-nothing.toml", "-$500", "$500", ": wagers.main.max", "below nothing: '-$500'"),
    Bad("bad-percentage.toml", "29 percent", "29%", ": progressive.contribution", "21%: '29 percent'"),
    Bad("percentage-of-words.toml", "some%", "29%", ": progressive.contribution", "21%: 'some%'"),
    Bad("percentage-by-nothing.toml", "1/0%", "29%", ": progressive.contribution", "21%: '1/0%'"),
    Bad("percentage-in-other-digits.toml", "٢٩%", "29%", ": progressive.contribution", "21%: '٢٩%'"),
    Bad("percentage-as-a-number.toml", "0.29", '"29%"', ": progressive.contribution", "21%: 0.29"),
    Bad("unknown-shuffler.toml", "by foot", "automated", ": table.shuffler", ": 'by foot'"),
    Bad("positions-in-words.toml", '"six"', "6", ": table.positions", ": 'six'"),
    Bad("positions-as-text.toml", '"6"', "6", ": table.positions", ": '6'"),
    Bad("no-positions.toml", "positions = 0", "positions = 6", ": table.positions", "equal to 1: 0"),
    Bad("no-decks.toml", "decks = 0", "decks = 1", ": table.decks", "equal to 1: 0"),
    Bad("no-seats.toml", "seats = 0", "seats = 6", ": table.seats", "equal to 1: 0"),
    Bad("no-dice.toml", "dice = 0\n", "", ": table.dice", "equal to 1: 0"),
    Bad("cover-cards-below-none.toml", "= -1", "= 2", ": table.cover_cards", "equal to 0: -1"),
    Bad("jokers-below-none.toml", "= -1", "= 1", ": table.pack_jokers", "equal to 0: -1"),
    Bad("larger-as-text.toml", '"yes"', "false", ": table.larger", ": 'yes'"),
    Bad("option-as-text.toml", '"yes"', "true", ": options.a234_straight_low", ": 'yes'"),
    Bad(
        "unknown-hand-in-own-paytable.toml",
        ours("bonus", hand="flash"),
        TABLE_A,
        ": wagers.bonus.own_paytable.lines.0.hand",
        "no such hand: 'flash'",
    ),
    Bad("not-toml.toml", "min = $5", 'min = "$5"', "", "(at line 14, column 7)"),
]


@each(SUBMISSIONS)
def test_a_bad_submission_is_refused_by_file_field_and_value(bad: Bad) -> None:
    check_refused(bad, BAD / "submissions", read_submission)


@each(SUBMISSIONS)
def test_a_bad_submission_is_lawful_once_mended(bad: Bad, tmp_path: Path) -> None:
    assert verify_submission(read_submission(mended(bad, BAD / "submissions", tmp_path))) == ()


@pytest.mark.parametrize(
    "field",
    [
        "payout_limit",
        "wagers.main.min",
        "wagers.main.max",
        "progressive.amount",
        "progressive.initial",
        "progressive.reset",
        "caps.any.amount",
    ],
)
@pytest.mark.parametrize(
    ("value", "cause"),
    [
        (5, 'not an amount such as "$5"'),
        (0, 'not an amount such as "$5"'),
        (-5, 'not an amount such as "$5"'),
        (5.0, 'not an amount such as "$5"'),
        (True, 'not an amount such as "$5"'),
        (False, 'not an amount such as "$5"'),
        (["$5"], 'not an amount such as "$5"'),
        ("-$5", "an amount is not below nothing"),
        ("-0.01", "an amount is not below nothing"),
        ("", "not an amount of dollars and cents"),
        ("$5.005", "not an amount of dollars and cents"),
        ("$٥", "not an amount of dollars and cents"),
    ],
)
def test_money_in_a_document_is_dollars_in_text_and_never_below_nothing(
    field: str, value: object, cause: str
) -> None:
    with pytest.raises(DataError) as refusal:
        submission("pa-659a", {field: value})
    assert str(refusal.value) == f"pa-659a: {field}: {cause}: {value!r}"


@pytest.mark.parametrize("field", ["progressive.contribution", "progressive.reserve"])
@pytest.mark.parametrize("value", [29, 0.29, True, "", "%", "29", "29 %", "1/0%", "1/2%", "1e1%", "٢٩%"])
def test_a_percentage_is_a_plain_figure_and_its_sign(field: str, value: object) -> None:
    with pytest.raises(DataError) as refusal:
        submission("pa-659a", {field: value})
    assert str(refusal.value) == f"pa-659a: {field}: not a percentage such as 21%: {value!r}"


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("reference", 5),
        ("law_as_of", 86400),
        ("law_as_of", "2016-06-01"),
        ("law_effective", 0),
        ("table.positions", "6"),
        ("table.positions", 6.0),
        ("table.positions", True),
        ("table.seats", "6"),
        ("table.seats", 0),
        ("table.decks", 0),
        ("table.decks", "1"),
        ("table.cover_cards", -1),
        ("table.pack_jokers", -1),
        ("table.larger", "yes"),
        ("table.larger", 1),
        ("table.backline", "no"),
        ("table.start_methods", "rng"),
        ("table.position_map_set_on", 86400),
        ("options.any", "yes"),
        ("options.any", 1),
        ("collection_schedule", "3"),
        ("caps.any.dated", 86400),
    ],
)
def test_a_value_of_another_type_or_out_of_range_is_refused_by_field_and_value(
    field: str, value: object
) -> None:
    with pytest.raises(DataError) as refusal:
        submission("pa-659a", {"caps.any.amount": "$5", "caps.any.citation": "any"} | {field: value})
    check_names(refusal.value, f"pa-659a: {field}", f": {value!r}")


@pytest.mark.parametrize(
    ("field", "value", "shown"),
    [
        ("table.positions", [6], "[6]"),
        ("table.positions", {"a": 1}, "{'a': 1}"),
        ("table.positions", date(2016, 6, 1), "2016-06-01"),
        ("law_as_of", datetime(2016, 6, 1), "2016-06-01 00:00:00"),
        ("house_way", ["421"], "['421']"),
        ("wagers", [], "[]"),
        ("houseway", [421], "[421]"),
    ],
)
def test_a_value_that_is_no_scalar_is_shown_as_text(field: str, value: object, shown: str) -> None:
    with pytest.raises(DataError) as refusal:
        submission("pa-659a", {field: value})
    check_names(refusal.value, f"pa-659a: {field}", f": {shown!r}")


@pytest.mark.parametrize(
    ("field", "least", "below"),
    [
        ("table.positions", 1, 0),
        ("table.seats", 1, 0),
        ("table.decks", 1, 0),
        ("table.cover_cards", 0, -1),
        ("table.pack_jokers", 0, -1),
        ("table.dice", 1, 0),
        ("reference", "1", ""),
        ("holder", "H", ""),
    ],
)
def test_the_least_that_a_submission_may_say_is_read_and_anything_below_it_refused(
    field: str, least: object, below: object
) -> None:
    assert submission("pa-575", {field: least}).find(field) == least
    with pytest.raises(DataError):
        submission("pa-575", {field: below})


def test_a_table_of_which_nothing_is_said_has_six_places_one_deck_one_joker_and_two_cover_cards() -> None:
    table = submission("pa-575", {"table": {}}).table
    assert (table.positions, table.decks, table.pack_jokers, table.cover_cards) == (6, 1, 1, 2)
    assert (table.seats, table.dice, table.shuffler) == (None, None, "manual")


def test_a_submission_that_is_not_there_is_refused_by_its_path(tmp_path: Path) -> None:
    path = tmp_path / "nowhere.toml"
    with pytest.raises(InvalidInputError) as refusal:
        read_submission(path)
    assert str(refusal.value) == f"no such file: {str(path)!r}"


def test_a_submission_for_an_unknown_game_is_refused_by_name() -> None:
    with pytest.raises(UnknownNameError, match="no such game .*: 'pa-999'"):
        verify_submission(submission("pa-575", {"game": "pa-999"}))


@pytest.mark.parametrize("game_id", ["ref-pgp", "pa-999"])
def test_a_game_without_an_example_has_none_to_give(game_id: str) -> None:
    with pytest.raises(UnknownNameError, match=f"no example submission for this game: '{game_id}'"):
        example_submission(game_id)


# Lawless submissions: they read well, and the law forbids them.

I_VERIFY, IV_CLAUSE = "components.i_verify", "wa.fap.req.iverify_version"
LAWLESS = [
    Bad("575-seven-positions.toml", "= 7", "= 6", "table.positions", ": 7 [pa575.2.a.s1]"),
    Bad("575-before-it-began.toml", "09-30", "10-01", "law_as_of", ": 2011-09-30 [pa575.order.2]"),
    Bad("575-after-it-lapsed.toml", "10-01", "09-30", "law_as_of", ": 2013-10-01 [pa575.preamble.expiry]"),
    Bad("575-two-ways-to-start.toml", ', "shaker"', "", "table.start_methods", ": rng, shaker [pa575.5.g]"),
    Bad("575-unknown-paytable.toml", '"D"', '"C"', "wagers.bonus.paytable", ": D [pa575.12.b]"),
    Bad("575-own-paytable.toml", ours("bonus"), TABLE_A, "wagers.bonus.own_paytable", ": ours [pa575.12.b]"),
    Bad(
        "575-no-main-wager.toml",
        "[wagers.bonus]",
        "[wagers.main]\n[wagers.bonus]",
        "wagers.main",
        "every game has a main wager: nothing given",
    ),
    Bad("575-small-payout-limit.toml", "49,999.99", "50,000", "payout_limit", ": $49,999.99 [pa575.12.c.s2]"),
    Bad("575-payout-limit-zero.toml", "$0", "$50,000", "payout_limit", ": $0 [pa575.12.c.s2]"),
    Bad(
        "575-no-house-way.toml",
        "[table]",
        'house_way = "houseway-421"\n[table]',
        "house_way",
        ": nothing given [pa575.11.c.s2]",
    ),
    Bad("659a-button.toml", "button", "shaker", "table.start_methods", ": button [pa659a.2.c.3.deleted]"),
    Bad(
        "659a-own-paytable.toml",
        ours("fortune"),
        TABLE_A,
        "wagers.fortune.own_paytable",
        ": ours [pa659a.12.b, pa659a.12.b.x.deleted]",
    ),
    Bad("659a-payout-limit.toml", 'payout_limit = "$50,000"', "", "payout_limit", "[pa659a.12.c.x.deleted]"),
    Bad("659a-payout-limit-zero.toml", 'payout_limit = "$0"', "", "payout_limit", "[pa659a.12.c.x.deleted]"),
    Bad("659a-small-meter.toml", "1,999.99", "2,000", "progressive.reset", ": $1,999.99 [pa659a.12.d.2.s2]"),
    Bad("659a-contribution-below-nothing.toml", "-5%", "5%", "progressive.contribution", "100%: -5%"),
    Bad("659a-contribution-of-nothing.toml", '"0%', '"5%', "progressive.contribution", "100%: 0%"),
    Bad("659a-contribution-above-all.toml", "500%", "5%", "derived.progressive_total_rate", "100%: 500%"),
    Bad("659a-reserve-below-nothing.toml", '"-1%"', '"0%"', "progressive.reserve", "100%: -1%"),
    Bad(
        "659a-no-effective-date.toml",
        "[table]",
        "law_effective = 2016-01-01\n[table]",
        "law_effective",
        ": nothing given [pa659a.order.3]",
    ),
    Bad(
        "659a-low-straight.toml",
        "a234_straight_low = true",
        "",
        "options.a234_straight_low",
        ": True [pa659a.6.b.5.option.deleted]",
    ),
    Bad("670a-seven-positions.toml", "= 7", "= 6", "table.positions", ": 7 [pa670a.2.a.s1]"),
    Bad(
        "670a-two-dollar-progressive.toml",
        '"$2"\ninitial = "$10,000"\nreset = "$10,000"',
        '"$5"\ninitial = "$25,000"\nreset = "$25,000"',
        "progressive.amount",
        ": $2 [pa670a.12.d.2.basis]",
    ),
    Bad("670a-reserve-below-nothing.toml", '"-1%"', '"0%"', "progressive.reserve", "100%: -1%"),
    Bad("wa-version-in-other-digits.toml", "1.0.٠17", "1.0.017", I_VERIFY, f": 1.0.٠17 [{IV_CLAUSE}]"),
    Bad("wa-above-the-cap.toml", "$200.01", "$200", "wagers.main.max", ": $200.01 [wa.fap.req.limit_140]"),
    Bad("wa-old-display.toml", "1.0.016", "1.0.017", I_VERIFY, f": 1.0.016 [{IV_CLAUSE}]"),
    Bad("wa-nonsense-version.toml", "the latest", "1.0.017", I_VERIFY, f": the latest [{IV_CLAUSE}]"),
    Bad(
        "wa-own-and-listed-paytable.toml",
        'paytable = "sample"\nown_paytable',
        "own_paytable",
        "wagers.fortune.paytable",
        "one paytable is chosen, a listed one or an own one: sample",
    ),
    Bad(
        "wa-own-paytable-of-another-wager.toml",
        ours("insurance", 2016),
        ours("fortune", 2016),
        "wagers.fortune.own_paytable.wager",
        "stands under fortune: insurance",
    ),
    Bad("ca-eight-seats.toml", "seats = 8", "seats = 7", "table.seats", ": 8 [ca.fpgp.table.seats]"),
    Bad(
        "ca-no-way-of-dealing.toml",
        "start_methods",
        'dealing = "manual"\nstart_methods',
        "table.dealing",
        ": nothing given [ca.fpgp.deal.method]",
    ),
]


@each(LAWLESS)
def test_a_lawless_submission_reads_well_and_is_refused_by_field_value_and_clause(bad: Bad) -> None:
    found = verify_submission(read_submission(BAD / "lawless" / bad.file))
    reasons = [str(problem) for problem in found if problem.blocks]
    assert all(reason.startswith(f"{bad.place}: ") for reason in reasons)
    assert any(reason.endswith(bad.value) for reason in reasons)


@each(LAWLESS)
def test_no_table_plays_by_a_lawless_submission(bad: Bad) -> None:
    with pytest.raises(RefusedError, match=r"^submission refused: ") as refusal:
        rules_for(read_submission(BAD / "lawless" / bad.file))
    assert bad.value in str(refusal.value)


@each(LAWLESS)
def test_a_lawless_submission_is_lawful_once_mended(bad: Bad, tmp_path: Path) -> None:
    assert isinstance(rules_for(read_submission(mended(bad, BAD / "lawless", tmp_path))), Rules)


def test_every_reason_is_given_at_once() -> None:
    changes = {"table.positions": 7, "law_as_of": date(2013, 10, 1), "wagers.bonus.paytable": "D"}
    with pytest.raises(RefusedError) as refusal:
        rules_for(submission("pa-575", changes))
    assert {problem.field for problem in refusal.value.problems} == {
        "table.positions",
        "law_as_of",
        "wagers.bonus.paytable",
    }
    assert all(clause in str(refusal.value) for clause in refusal.value.clauses)


@pytest.mark.parametrize("game_id", LICENSED)
def test_no_game_is_offered_without_its_main_wager(game_id: str) -> None:
    found = problems(game_id, {"wagers.main": NOTHING})
    assert "wagers.main: every game has a main wager: nothing given" in map(str, found)
    assert accepted(game_id)


@pytest.mark.parametrize(
    ("contribution", "lawful"),
    [("-5%", False), ("0%", False), ("0.01%", True), ("100%", True), ("100.01%", False), ("500%", False)],
)
def test_659a_a_contribution_is_more_than_nothing_and_at_most_the_wager(
    contribution: str, lawful: bool
) -> None:
    assert accepted("pa-659a", {"progressive.contribution": contribution}) == lawful


@pytest.mark.parametrize(("reserve", "lawful"), [("70.99%", True), ("71%", True), ("71.01%", False)])
def test_659a_contribution_and_reserve_together_are_at_most_the_wager(reserve: str, lawful: bool) -> None:
    assert accepted("pa-659a", {"progressive.reserve": reserve}) == lawful


@pytest.mark.parametrize("game_id", ["pa-659a", "pa-670a"])
@pytest.mark.parametrize(
    ("reserve", "lawful"), [("-1%", False), ("-0.01%", False), ("0%", True), ("1%", True)]
)
def test_a_reserve_is_not_below_nothing(game_id: str, reserve: str, lawful: bool) -> None:
    read = {"readings.six_meter_reserve": "set_aside"} if game_id == "pa-670a" else {}
    found = problems(game_id, {"progressive.reserve": reserve} | read)
    assert [(p.field, p.value) for p in found] == ([] if lawful else [("progressive.reserve", reserve)])


@pytest.mark.parametrize(
    "nonsense", ["nonsense", "", "1.0.", "1..017", "v1.0.017", "1.0.017-beta", "1,0", "١.٠.٠١٧"]
)
@pytest.mark.parametrize("component", ["i_verify", "i_deal", "game_manager", "table_controller"])
def test_a_version_that_means_nothing_is_a_problem_and_no_accident(component: str, nonsense: str) -> None:
    found = problems("wa-fap", {f"components.{component}": nonsense})
    assert found
    assert {(p.field, p.value) for p in found if p.blocks} == {(f"components.{component}", nonsense)}


def test_a_limit_of_nothing_is_a_limit_given() -> None:
    assert accepted("pa-659a")
    found = submission("pa-659a", {"payout_limit": "$0"})
    assert found.choices()["payout_limit"] == 0
    assert {p.field for p in verify_submission(found)} == {"payout_limit"}


@pytest.mark.parametrize(
    ("game_id", "field", "value"),
    [
        ("pa-575", "payout_limit", "$49,999.99"),
        ("pa-575", "payout_limit", "$0"),
        ("pa-575", "wagers.main.min", "$100,000"),
        ("pa-659a", "payout_limit", "$50,000"),
        ("pa-659a", "progressive.initial", "$1,999"),
        ("pa-670a", "progressive.amount", "$2"),
        ("pa-670a", "progressive.reset", "$4,999.50"),
        ("wa-fap", "wagers.main.max", "$200.01"),
        ("wa-fap", "progressive.initial", "$9,999"),
    ],
)
def test_an_amount_that_is_wrong_is_shown_in_dollars(game_id: str, field: str, value: str) -> None:
    assert {p.value for p in problems(game_id, {field: value}) if p.field == field} == {value}


AMOUNTS = ["payout_limit", "wagers.main.min", "wagers.main.max"]
AMOUNTS += ["progressive.amount", "progressive.initial", "progressive.reset"]


@pytest.mark.parametrize("value", ["$0", "$0.01", "$7", "$1,234,567.89"])
@pytest.mark.parametrize("field", AMOUNTS)
@pytest.mark.parametrize("game_id", LICENSED)
def test_every_problem_with_an_amount_shows_it_in_dollars(game_id: str, field: str, value: str) -> None:
    changed = submission(game_id, {field: value})
    assert type(changed.find(field)) is Cents
    assert {p.value for p in verify_submission(changed) if p.field == field} <= {value}


# Operators' own paytables

OWN_PAYTABLES = [
    Bad("unknown-hand.toml", "flash", "flush", ": lines.1.hand", "no such hand: 'flash'"),
    Bad("look-alike-hand.toml", "fluſh", "flush", ": lines.1.hand", "no such hand: 'fluſh'"),
    Bad(
        "hand-twice.toml", '"royal_flush"\npays = "4', '"flush"\npays = "4', ": lines", "twice: 'royal_flush'"
    ),
    Bad(
        "envy-hand-twice.toml",
        '"royal_flush"\npays = "$25"',
        '"flush"\npays = "$25"',
        ": envy",
        "hand given twice: 'royal_flush'",
    ),
    Bad(
        "no-lines.toml", "[[e", '[[lines]]\nhand = "flush"\npays = "4 to 1"\n[[e', ": lines", "key is missing"
    ),
    Bad("empty-lines.toml", "[]", '[{ hand = "flush", pays = "4 to 1" }]', ": lines", "not 0: '[]'"),
    Bad("bad-odds.toml", "4 two 1", "4 to 1", ": lines.1.pays", ": '4 two 1'"),
    Bad("odds-of-nothing.toml", '"0 to 1"', '"4 to 1"', ": lines.1.pays", ": '0 to 1'"),
    Bad("odds-of-a-comma.toml", '", to 1"', '"4 to 1"', ": lines.1.pays", ": ', to 1'"),
    Bad("odds-with-stray-commas.toml", "1,,0 to 1", "4 to 1", ": lines.1.pays", ": '1,,0 to 1'"),
    Bad("odds-in-other-digits.toml", "٤ to 1", "4 to 1", ": lines.1.pays", ": '٤ to 1'"),
    Bad("odds-as-a-number.toml", "pays = 4", 'pays = "4 to 1"', ": lines.1.pays", '"25 to 1": 4'),
    Bad(
        "odds-as-a-table.toml",
        '{ basis = "to", ratio = 4, text = "4 to 1" }',
        '"4 to 1"',
        ": lines.1.pays",
        "\"25 to 1\": {'basis': 'to', 'ratio': 4, 'text': '4 to 1'}",
    ),
    Bad("more-than-the-meter.toml", "101%", "100%", ": lines.1.pays", "at most 100%: '101% of meter'"),
    Bad("bad-envy-amount.toml", "fifty", "$50", ": envy.0.pays", "dollars and cents: 'fifty'"),
    Bad("seed-as-a-number.toml", "= 1000", '= "$1,000"', ": seed", 'not an amount such as "$5": 1000'),
    Bad("seed-below-nothing.toml", "-$1,000", "$1,000", ": seed", "is not below nothing: '-$1,000'"),
    Bad("bad-percentage.toml", "a fifth", "20%", ": contribution", "such as 21%: 'a fifth'"),
    Bad("percentage-by-nothing.toml", "1/0%", "20%", ": contribution", "such as 21%: '1/0%'"),
    Bad("missing-version.toml", "effective", 'version = "2"\neffective', ": version", "key is missing"),
    Bad("bad-moment.toml", '"new year"', "2016-01-01T06:00:00", ": effective", ": 'new year'"),
    Bad("moment-as-text.toml", '"2016-01-01T06:00:00"', "2016-01-01T06:00:00", ": effective", "06:00:00'"),
    Bad("moment-as-a-number.toml", "1451628000", "2016-01-01T06:00:00", ": effective", ": 1451628000"),
    Bad("moment-as-a-day.toml", "= 2016-01-01", "= 2016-01-01T06:00:00", ": effective", ": '2016-01-01'"),
    Bad("share-below-nothing.toml", "-1%", "0%", ": contribution", "not between 0% and 100%: '-1%'"),
    Bad("share-above-the-wager.toml", "100.01%", "100%", ": contribution", "0% and 100%: '100.01%'"),
    Bad("unknown-clause.toml", '"row"', '"pa575.12.b"', ": lines.1.clause.0", "no such clause: 'row'"),
    Bad("version-as-a-list.toml", '["2"]', '"2"', ": version", "a valid string: \"['2']\""),
    Bad("unknown-key.toml", 'colour = "red"', "", ": colour", "unknown key: 'red'"),
    Bad("unknown-line-key.toml", 'odds = "4 to 1"', "", ": lines.1.odds", "unknown key: '4 to 1'"),
    Bad("bad-joker-mode.toml", "wild", "full", ": joker", ": 'wild'"),
    Bad("bad-source.toml", "purse", "meter", ": lines.1.source", ": 'purse'"),
    Bad("not-toml.toml", "version = ", 'version = "2"', "", "(at line 3, column 11)"),
]


@each(OWN_PAYTABLES)
def test_a_bad_paytable_of_an_operator_is_refused_by_file_field_and_value(bad: Bad) -> None:
    check_refused(bad, BAD / "own_paytables", read_own_paytable)


@each(OWN_PAYTABLES)
def test_a_bad_paytable_of_an_operator_is_sound_once_mended(bad: Bad, tmp_path: Path) -> None:
    own = read_own_paytable(mended(bad, BAD / "own_paytables", tmp_path))
    assert (own.name, own.wager, own.version) == ("Our own Fortune table", "fortune", "2")
    assert own.as_envy_table() is not None


def test_an_own_paytable_keeps_everything_it_says_as_a_paytable(tmp_path: Path) -> None:
    bad = next(b for b in OWN_PAYTABLES if b.file == "bad-joker-mode.toml")
    own = read_own_paytable(mended(bad, BAD / "own_paytables", tmp_path))
    table = own.as_paytable()
    assert (table.id, table.wager, table.name) == ("own 2", own.wager, own.name)
    assert (table.joker, table.deducts, table.lines) == ("full", own.deducts, own.lines)
    assert (table.seed, table.contribution) == (100_000, Fraction(21, 100))


def copy_of(found: Game, wager: str, table_id: str) -> Changes:
    """Return a listed paytable as an operator would write it out himself."""
    table = found.find_paytable(wager, table_id)
    envy = [e for e in found.envy if (e.wager, e.paytable) == (wager, table_id)]
    return {
        "name": "written out",
        "wager": wager,
        "version": "1",
        "effective": datetime(2016, 1, 1),
        "lines": [{"hand": x.hand, "pays": str(x.pays)} for x in table.lines],
        "envy": [{"hand": x.hand, "pays": dollars(x.pays)} for e in envy for x in e.lines],
    }


def instead(wager: str, own: Changes) -> Changes:
    """Return the changes that post an own paytable in the place of the listed one."""
    return {f"wagers.{wager}.paytable": NOTHING, f"wagers.{wager}.own_paytable": own}


LISTED = [
    (found.id, table.wager, table.id)
    for found in games()
    if found.id in ("pa-575", "pa-659a")
    for table in found.paytable
    if table.wager in ("bonus", "fortune", "insurance")
]


@pytest.mark.parametrize(("game_id", "wager", "table_id"), LISTED)
def test_an_own_paytable_equal_to_a_listed_one_plays_as_that_one(
    game_id: str, wager: str, table_id: str
) -> None:
    found = game(game_id)
    posted = rules(game_id, instead(wager, copy_of(found, wager, table_id)))
    chosen = rules(game_id, {f"wagers.{wager}.paytable": table_id})
    assert posted.paytable(wager) == chosen.paytable(wager) == found.find_paytable(wager, table_id)
    for stake in (Cents(100), Cents(499), Cents(500), Cents(10_000)):
        assert posted.envy_table(wager, stake) == chosen.envy_table(wager, stake)


@pytest.mark.parametrize(("game_id", "wager", "table_id"), LISTED)
def test_an_own_paytable_is_not_posted_beside_a_listed_one(game_id: str, wager: str, table_id: str) -> None:
    own = copy_of(game(game_id), wager, table_id)
    both = instead(wager, own) | {f"wagers.{wager}.paytable": table_id}
    (problem,) = problems(game_id, both)
    assert (problem.field, problem.value, problem.blocks) == (f"wagers.{wager}.paytable", table_id, True)
    assert accepted(game_id, instead(wager, own))


@pytest.mark.parametrize("other", ["main", "insurance", "no wager at all"])
def test_an_own_paytable_stands_under_the_wager_it_is_for(other: str) -> None:
    own = copy_of(game("pa-659a"), "fortune", "A")
    (problem,) = problems("pa-659a", instead("fortune", own | {"wager": other}))
    assert str(problem) == f"wagers.fortune.own_paytable.wager: stands under fortune: {other}"
    assert problem.blocks


def test_no_paytable_speaks_of_a_high_card_that_no_hand_can_have() -> None:
    def own(hand: str) -> Changes:
        lines = [{"hand": hand, "pays": "4 to 1"}]
        return {"wagers.fortune": {"own_paytable": OWN_FORTUNE | {"lines": lines}}}

    assert submission("pa-659a", own("seven_high")) and spoken("seven_high") == "Seven-high"
    with pytest.raises(DataError, match="no such hand: 'six_high'"):
        submission("pa-659a", own("six_high"))


def test_every_bad_document_is_tried() -> None:
    for folder, cases in {
        "submissions": SUBMISSIONS,
        "lawless": LAWLESS,
        "own_paytables": OWN_PAYTABLES,
    }.items():
        assert names_in(BAD / folder) == {bad.file for bad in cases}
