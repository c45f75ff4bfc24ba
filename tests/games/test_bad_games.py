"""A game's folder is read strictly: whatever is wrong is refused by folder, file, field and value."""

from __future__ import annotations

from datetime import date
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

import pytest

from houseway.errors import DataError, UnknownNameError
from houseway.games.game import GAME_FILES, Game, game, games, read_game
from houseway.games.submission import DERIVED_FACTS, is_path
from houseway.games.terms import Predicate, number, version
from houseway.law.documents import as_document
from houseway.money import Cents
from tests.support.documents import check_names

TOY = Path(__file__).parent / "bad" / "toy"
GAME, PAYTABLES, RULES = "game.toml", "paytables.toml", "rules.toml"
SOUND = {name: (TOY / name).read_text(encoding="utf-8") for name in (GAME, PAYTABLES, RULES)}


class Broken(NamedTuple):
    """One fault in a sound game: what is put in the place of what, and what the refusal names.

    ``place`` is the field as it follows the file in the refusal; ``value`` is what the refusal ends with.
    """

    right: str
    wrong: str
    place: str = ""
    value: str = ""

    @property
    def file(self) -> str:
        """The one file in which the right text stands, once."""
        (name,) = (name for name, text in SOUND.items() for _ in range(text.count(self.right)))
        return name


BONUS_CLAUSES = 'clauses = ["pa575.7.e.s1"]'
ENVY = '[{ hand = "five_aces", pays = "$25" }]'
NEED = '{ "table.positions" = { at_most = 6 } }'
NEEDED, WHEN = "require.0.need.table.positions", "require.0.when.table.decks"
STUB, MOST = "stub = 4", "at_most = 6"
BETS = 'stub = 4\nbonus_bets = {{ value = {}, clauses = ["pa575.7.e.s1"] }}'
LINE, LINE_CLAUSE = "paytable.1.lines.0", '"pa575.12.b.row.fiveaces"'
OPERANDS = [
    ("at_most", "at_most = inf", "inf"),
    ("at_least", "at_least = -inf", "-inf"),
    ("more_than", "more_than = nan", "nan"),
    ("less_than", "less_than = true", "True"),
    ("at_most", "at_most = 2016-01-01", "2016-01-01"),
    ("at_most", 'at_most = "٦"', "٦"),
    ("at_most", 'at_most = "٦%"', "٦%"),
    ("count", 'count = "six"', "six"),
    ("count", "count = true", "True"),
    ("count", "count = 6.0", "6.0"),
    ("given", 'given = "yes"', "yes"),
    ("given", "given = 1", "1"),
    ("any_of", "any_of = 6", "6"),
    ("any_of", 'any_of = "six"', "six"),
    ("is", 'is = "$x"', "$x"),
    ("is_field", "is_field = 6", "6"),
    ("is_not_field", "is_not_field = [6]", "[6]"),
    ("version_is", 'version_is = "١.٠"', "١.٠"),
    ("version_is", 'version_is = "1.0."', "1.0."),
    ("version_at_least", "version_at_least = 1.0", "1.0"),
    ("version_at_least", 'version_at_least = ""', ""),
]
CITED = '{{ value = {}, clauses = ["pa575.7.e.s1"] }}'
WHOLE = [
    ("hand_cards", "hand_cards = 7", "hand_cards = {}"),
    ("parts.2.cards", "cards = 1 ", "cards = {} "),
    ("deck.cards.value", "value = 53", "value = {}"),
    ("deck.jokers.value", "value = 1", "value = {}"),
    ("most_active.value", STUB, f"stub = 4\nmost_active = {CITED}"),
    ("lives.dice.value", STUB, f"stub = 4\nlives = {{{{ dice = {CITED} }}}}"),
    ("meter.seed_for_one.value", STUB, f"stub = 4\nmeter = {{{{ seed_for_one = {CITED} }}}}"),
    (
        "starts.numbers",
        STUB,
        'stub = 4\nstarts = {{ numbers = {}, direction = "clockwise", first = "dealer" }}',
    ),
]
BROKEN = [
    Broken("stub = 4", "stub = 4\nstubs = 5", "stubs", "unknown key: 5"),
    Broken('family = "main"', 'family = "main"\ncolour = "red"', "wager.0.colour", "unknown key: 'red'"),
    Broken("stub = 4", 'stub = "four"', "stub", ": 'four'"),
    Broken("stub = 4", 'stub = "4"', "stub", ": '4'"),
    Broken("stub = 4", "stub = 4.0", "stub", ": 4.0"),
    Broken("stub = 4", "stub = true", "stub", ": True"),
    Broken("push_possible = false", 'push_possible = "no"', "push_possible", ": 'no'"),
    Broken("push_possible = false", "push_possible = 0", "push_possible", ": 0"),
    Broken('family = "bonus"', 'family = "side"', "wager.1.family", ": 'side'"),
    Broken('"low", cards = 1', '"low", cards = 0', "parts.2.cards", "to 1: 0"),
    Broken('"5%"', '"5"', "commission", "not a percentage such as 21%: '5'"),
    Broken('"5%"', '"1/0%"', "commission", "such as 21%: '1/0%'"),
    Broken('"5%"', '"٥%"', "commission", "such as 21%: '٥%'"),
    Broken('"5%"', "0.05", "commission", "such as 21%: 0.05"),
    Broken('53, clauses = ["pa575.3.a.s2"]', "53", "deck.cards.clauses", "key is missing"),
    Broken(
        '53, clauses = ["pa575.3.a.s2"]', "53, clauses = []", "deck.cards.clauses", "validation, not 0: '[]'"
    ),
    Broken("7.e.s1", "7.z", "wager.1.clauses.0", "no such clause: 'pa575.7.z'"),
    Broken('"pa575.7.e.s1"', '"the law"', "wager.1.clauses.0", "clause: 'the law'"),
    Broken(BONUS_CLAUSES, 'clauses = "pa575.7.e.s1"', "wager.1.clauses", ": 'pa575.7.e.s1'"),
    Broken(BONUS_CLAUSES, 'equals_main = "always"', "wager.1.equals_main", "no such clause: 'always'"),
    Broken(
        BONUS_CLAUSES,
        'own_paytable = { clauses = ["pa575.7.e.s1"], joker = "wild" }',
        "wager.1.own_paytable.joker",
        "no such clause: 'wild'",
    ),
    Broken(
        BONUS_CLAUSES,
        "envy = { qualifier = 5 }",
        "wager.1.envy.qualifier",
        "Input should be a valid string: 5",
    ),
    Broken(
        BONUS_CLAUSES,
        'envy = { at_least = { value = 5, clauses = ["pa575.7.e.s1"] }, qualifier = "envy" }',
        "wager.1.envy.at_least.value",
        'not an amount such as "$5": 5',
    ),
    Broken(
        'id = "B"', 'id = "B"\notherwise = "the rest"', "paytable.2.otherwise", "no such clause: 'the rest'"
    ),
    Broken('"flush"', '"flash"', "paytable.1.lines.1.hand", "hand: 'flash'"),
    Broken('"flush"', '"fluſh"', "paytable.1.lines.1.hand", "hand: 'fluſh'"),
    Broken('"flush"', '"five_aces"', "paytable.1.lines", "hand given twice: 'five_aces'"),
    Broken(ENVY, '[{ hand = "six_aces", pays = "$25" }]', "envy.0.lines.0.hand", "no such hand: 'six_aces'"),
    Broken(
        ENVY,
        '[{ hand = "flush", pays = "$25" }, { hand = "flush", pays = "$5" }]',
        "envy.0.lines",
        "hand given twice: 'flush'",
    ),
    Broken(
        '[{ hand = "royal_flush", pays = "10% of meter" }]',
        "[]",
        "paytable.2.lines",
        "validation, not 0: '[]'",
    ),
    Broken('"4 to 1"', '"4 two 1"', "paytable.1.lines.1.pays", ": '4 two 1'"),
    Broken('"4 to 1"', '"0 to 1"', "paytable.1.lines.1.pays", ": '0 to 1'"),
    Broken('"4 to 1"', '", to 1"', "paytable.1.lines.1.pays", ": ', to 1'"),
    Broken('"4 to 1"', "4", "paytable.1.lines.1.pays", '"25 to 1": 4'),
    Broken(
        '"4 to 1"',
        '{ basis = "to", ratio = 4, text = "4 to 1" }',
        "paytable.1.lines.1.pays",
        "\"25 to 1\": {'basis': 'to', 'ratio': 4, 'text': '4 to 1'}",
    ),
    Broken('"10% of', '"101% of', "paytable.2.lines.0.pays", "at most 100%: '101% of meter'"),
    Broken('"$25"', '"$25.005"', "envy.0.lines.0.pays", "cents: '$25.005'"),
    Broken('"$25"', "25", "envy.0.lines.0.pays", 'such as "$5": 25'),
    Broken('"$25"', "25.0", "envy.0.lines.0.pays", 'such as "$5": 25.0'),
    Broken('"$25"', "true", "envy.0.lines.0.pays", 'such as "$5": True'),
    Broken('"$25"', '"-$25"', "envy.0.lines.0.pays", "an amount is not below nothing: '-$25'"),
    Broken(
        'pays = "4 to 1"',
        'pays = "4 to 1", paid = "twice"',
        "paytable.1.lines.1.paid",
        "unknown key: 'twice'",
    ),
    Broken("at_most = 6", "atmost = 6", NEEDED, ": 'atmost'"),
    Broken("at_most = 6", 'operator = "atmost", operand = 6', NEEDED, "no such operator: 'atmost'"),
    Broken("at_most = 6", "at_most = 6, at_least = 1", NEEDED, ": 'at_most, at_least'"),
    Broken("{ at_most = 6 }", "{}", NEEDED, ": ''"),
    Broken("at_most = 6", 'at_most = "six"', NEEDED, "for at_most: 'six'"),
    Broken("at_most = 6", "at_most = [6]", NEEDED, "for at_most: '[6]'"),
    Broken("at_most = 6", 'at_most = "$six"', NEEDED, "for at_most: '$six'"),
    Broken("at_most = 6", 'at_most = "1/0%"', NEEDED, "at_most: '1/0%'"),
    Broken("at_most = 6", 'operator = "at_most", operand = "six"', NEEDED, "no operand for at_most: 'six'"),
    Broken("at_most = 6", "at_most_field = 6", NEEDED, "at_most_field: '6'"),
    Broken("at_most = 6", 'version_is = "new"', NEEDED, "version_is: 'new'"),
    Broken("at_most = 6", "version_at_least = 3", NEEDED, "_at_least: '3'"),
    Broken(
        '"table.decks" = 1',
        '"table.decks" = { at_most_field = 6 }',
        WHEN,
        "no operand for at_most_field: '6'",
    ),
    Broken('"table.decks" = 1', '"table.decks" = { most = 1 }', WHEN, "'most'"),
    Broken(NEED, "{}", "require.0.need", "validation, not 0: '{}'"),
    Broken('"pa575.2.a.s1"', '"six"', "require.0.clauses.0", "clause: 'six'"),
    Broken('"pa575.3.a.s1"', '"one"', "permit.0.clauses.0", "clause: 'one'"),
    Broken("values = [1]", "", "permit.0", "any_value = true: 'table.decks'"),
    Broken(
        "any_value = true",
        'any_value = true\nvalues = ["$5"]',
        "permit.1",
        "any_value = true: 'payout_limit'",
    ),
    Broken("any_value = true", 'any_value = "yes"', "permit.1.any_value", "'yes'"),
    Broken(
        'say = "at most six player positions"',
        'say = "at most six player positions"\nseverity = "mild"',
        "require.0.severity",
        ": 'mild'",
    ),
    # Faults between the parts of a game.
    Broken('id = "toy"', 'id = "joy"', "id", "the folder's name: 'joy'"),
    Broken(
        'name = "Toy Poker"',
        'name = "Toy Poker"\nrule_set = "pa-999"',
        "rule_set",
        "no such rule set: 'pa-999'",
    ),
    Broken("cards = 2", "cards = 3", "parts", "do not add up to the hand: (4, 3, 1)"),
    Broken("hand_cards = 7", "hand_cards = 8", "parts", "the hand: (4, 2, 1)"),
    Broken('id = "bonus"', 'id = "main"', "wager", "wager given twice: 'main'"),
    Broken('id = "B"', 'id = "A"', "paytable", "paytable given twice: 'bonus A'"),
    Broken(
        'id = "B"\nwager = "bonus"',
        'id = "B"\nwager = "side"',
        "paytable",
        "the game has no such wager: 'side'",
    ),
    Broken(
        '[[envy]]\nwager = "bonus"', '[[envy]]\nwager = "side"', "envy", "the game has no such wager: 'side'"
    ),
    Broken('paytable = "A"', 'paytable = "Z"', "envy", "the game has no such paytable: 'Z'"),
    Broken("table.positions", "table.position", "require.0", "field: 'table.position'"),
    Broken("table.positions", "reference.foo", "require.0", "'reference.foo'"),
    Broken("table.positions", "derived.bogus", "require.0", "field: 'derived.bogus'"),
    Broken('when = { "table', 'when = { "tables', "require.0", "field: 'tables.decks'"),
    Broken(
        "derived.best_win_at_minimum",
        "payout_limits",
        "require.1",
        "a submission has no such field: 'payout_limits'",
    ),
    Broken(
        "derived.best_win_at_minimum",
        "derived.bogus",
        "require.1",
        "a submission has no such field: 'derived.bogus'",
    ),
    Broken(
        '"table.decks" = 1',
        '"table.decks" = { at_most_field = "table.deck" }',
        "require.0",
        "a submission has no such field: 'table.deck'",
    ),
    Broken(
        'field = "payout_limit"', 'field = "payout"', "permit.1", "a submission has no such field: 'payout'"
    ),
    Broken('"low"', '"high"', "parts", "parts given twice: 'high'"),
    Broken("value = 53", "value = 54", "deck", "this number of cards and jokers: 54"),
    Broken("value = 53", "value = 52", "deck", "this number of cards and jokers: 52"),
    Broken("value = 1", "value = 0", "deck", "this number of cards and jokers: 53"),
    Broken(STUB, BETS.format('["bonus", "side"]'), "bonus_bets", "wager: 'side'"),
    Broken(STUB, BETS.format('"bonus"'), "bonus_bets.value", ": 'bonus'"),
    Broken(STUB, BETS.format("[5]"), "bonus_bets.value.0", ": 5"),
    # What is left to a reading is left to one that can be chosen.
    Broken(STUB, 'stub = 4\nfoul_option = "no_such"', "foul_option", "no reading to choose: 'no_such'"),
    Broken(
        'when = { "table',
        'when = { "readings.no_such" = "x", "table',
        "require.0",
        "to choose: 'no_such = x'",
    ),
    # Values that are no scalar are shown as text.
    Broken(STUB, "stub = [4]", "stub", "a valid integer: '[4]'"),
    Broken(STUB, "stub = 2016-01-01", "stub", "a valid integer: '2016-01-01'"),
    Broken(STUB, "stub = { a = 1 }", "stub", "a valid integer: \"{'a': 1}\""),
    Broken(STUB, "stub = 4\nstubs = [5]", "stubs", "unknown key: '[5]'"),
    Broken(STUB, "stub = 4\nday = 2016-01-01", "day", "unknown key: '2016-01-01'"),
    Broken('{ name = "low", cards = 1 }', '["low"]', "parts.2", ": \"['low']\""),
    # Lines and the clauses behind them.
    Broken(LINE_CLAUSE, '"row"', f"{LINE}.clause.0", "no such clause: 'row'"),
    Broken(LINE_CLAUSE, f'[{LINE_CLAUSE}, "row"]', f"{LINE}.clause.1", "no such clause: 'row'"),
    Broken(LINE_CLAUSE, "12", f"{LINE}.clause", ": 12"),
    Broken(LINE_CLAUSE, "[12]", f"{LINE}.clause.0", ": 12"),
    Broken(
        'pays = "$25"', 'pays = "$25", clause = "row"', "envy.0.lines.0.clause.0", "no such clause: 'row'"
    ),
    # Shares are from 0% to 100%.
    Broken('"5%"', '"-5%"', "commission", "0% and 100%: '-5%'"),
    Broken('"5%"', '"100.01%"', "commission", "0% and 100%: '100.01%'"),
    Broken(
        'id = "B"',
        'id = "B"\ncontribution = "-1%"',
        "paytable.2.contribution",
        "not between 0% and 100%: '-1%'",
    ),
    Broken(
        'id = "B"',
        'id = "B"\ncontribution = "101%"',
        "paytable.2.contribution",
        "not between 0% and 100%: '101%'",
    ),
    # Operators and operands.
    Broken(MOST, 'bogus_field = "table.seats"', NEEDED, "version_is: 'bogus_field'"),
    Broken(MOST, 'versionx = "1.0"', NEEDED, "version_is: 'versionx'"),
    Broken(
        MOST, 'operator = "bogus_field", operand = "table.seats"', NEEDED, "no such operator: 'bogus_field'"
    ),
    Broken(MOST, "operator = 5, operand = 6", f"{NEEDED}.operator", ": 5"),
    Broken(MOST, f"{MOST}, operand = 6", NEEDED, ": 'at_most, operand'"),
    *(
        Broken(MOST, operand, NEEDED, f"no operand for {operator}: {shown!r}")
        for operator, operand, shown in OPERANDS
    ),
    Broken(f"{{ {MOST} }}", '"$x"', NEEDED, "no operand for is: '$x'"),
    # Whole numbers are whole numbers, wherever they stand.
    *(
        Broken(right, to.format(wrong), place, f"a valid integer: {shown}")
        for place, right, to in WHOLE
        for wrong, shown in [('"7"', "'7'"), ("7.0", "7.0"), ("true", "True"), ("[7]", "'[7]'")]
    ),
]


def toy(tmp_path: Path, broken: Broken | None = None) -> Path:
    """Return the folder of the toy game, with one thing broken in it."""
    folder = tmp_path / "toy"
    folder.mkdir()
    for name, text in SOUND.items():
        wrong = text.replace(broken.right, broken.wrong) if broken and broken.file == name else text
        (folder / name).write_text(wrong, encoding="utf-8")
    return folder


def test_the_toy_game_is_sound_until_something_is_broken(tmp_path: Path) -> None:
    found = read_game(toy(tmp_path))
    assert (found.id, found.split, len(found.cards()), found.licensed) == ("toy", (4, 2, 1), 53, False)
    assert [table.id for table in found.paytable] == ["main", "A", "B"]
    assert (len(found.permit), len(found.require)) == (2, 2)


@pytest.mark.parametrize("broken", BROKEN, ids=lambda b: f"{b.place} {b.wrong}")
def test_a_broken_game_is_refused_by_folder_file_field_and_value(broken: Broken, tmp_path: Path) -> None:
    with pytest.raises(DataError) as refusal:
        read_game(toy(tmp_path, broken))
    check_names(refusal.value, f"toy/{broken.file}: {broken.place}", broken.value)


@pytest.mark.parametrize("share", ["0%", "0.01%", "5%", "100%"])
def test_a_commission_is_a_share_of_the_wager(share: str, tmp_path: Path) -> None:
    found = read_game(toy(tmp_path, Broken('"5%"', f'"{share}"')))
    assert found.commission == Fraction(share[:-1]) / 100


def test_bonus_bets_that_are_wagers_are_let_pass(tmp_path: Path) -> None:
    found = read_game(toy(tmp_path, Broken(STUB, BETS.format('["bonus"]'))))
    assert found.bonus_bet_list() == ("bonus",)


def test_an_envy_table_given_twice_is_refused_by_wager_and_paytable(tmp_path: Path) -> None:
    again = f'[[envy]]\nwager = "bonus"\npaytable = "A"\nlines = {ENVY}\n\n[[envy]]'
    with pytest.raises(DataError, match=r"^toy/paytables\.toml: envy: envy given twice: 'bonus A"):
        read_game(toy(tmp_path, Broken("[[envy]]", again)))


def test_a_key_in_two_files_is_refused_by_the_second_of_them(tmp_path: Path) -> None:
    again = '[[permit]]\nfield = "table.decks"\nvalues = [1]\n\n[[envy]]'
    with pytest.raises(DataError, match=r"^toy/rules\.toml: key given in two files: 'permit'$"):
        read_game(toy(tmp_path, Broken("[[envy]]", again)))


@pytest.mark.parametrize(
    ("key", "line"),
    [
        ("id", 'id = "toy"\n'),
        ("name", 'name = "Toy Poker"\n'),
        ("hand_cards", "hand_cards = 7\n"),
        ("stub", "stub = 4\n"),
        ("push_possible", "push_possible = false\n"),
    ],
)
def test_a_key_that_is_in_no_file_is_refused_by_the_main_file_and_the_key(
    key: str, line: str, tmp_path: Path
) -> None:
    with pytest.raises(DataError) as refusal:
        read_game(toy(tmp_path, Broken(line, "")))
    assert str(refusal.value) == f"toy/game.toml: {key}: key is missing"


def test_a_folder_without_a_game_misses_the_first_key(tmp_path: Path) -> None:
    with pytest.raises(DataError) as refusal:
        read_game(tmp_path / "empty")
    assert str(refusal.value) == "empty/game.toml: id: key is missing"


@pytest.mark.parametrize(
    ("file", "right", "at"),
    [
        (GAME, STUB, "line 6, column 7"),
        (PAYTABLES, 'id = "B"', "line 15, column 5"),
        (RULES, MOST, "line 13, column 41"),
    ],
)
def test_a_game_that_is_no_toml_is_refused_by_folder_file_line_and_column(
    file: str, right: str, at: str, tmp_path: Path
) -> None:
    wrong = right.replace("=", "==")
    with pytest.raises(DataError) as refusal:
        read_game(toy(tmp_path, Broken(right, wrong)))
    assert str(refusal.value) == f"toy/{file}: not TOML: Invalid value (at {at})"


def test_a_game_in_a_folder_of_another_name_is_refused_by_both_names(tmp_path: Path) -> None:
    folder = toy(tmp_path).rename(tmp_path / "joy")
    with pytest.raises(DataError) as refusal:
        read_game(folder)
    assert str(refusal.value) == "joy/game.toml: id: the id must be the folder's name: 'toy'"


def test_a_game_that_nothing_bears_is_refused_by_name_and_the_known_ones_are_named() -> None:
    with pytest.raises(UnknownNameError) as refusal:
        game("joy")
    assert str(refusal.value).endswith("'joy'")
    assert all(found.id in str(refusal.value) for found in games())


@pytest.mark.parametrize("found", games(), ids=lambda g: str(g.id))
def test_every_game_we_have_is_read_from_the_folder_of_its_name(found: Game) -> None:
    assert read_game(GAME_FILES / found.id) == found


# The fields that a game may speak of


@pytest.mark.parametrize(
    "path",
    [
        "",
        "foo",
        "reference.foo",
        "law_as_of.year",
        "table.position",
        "table.positions.x",
        "table.shuffler.manual",
        "table.start_methods.0",
        "wagers.main.payable",
        "wagers.main.min.real",
        "wagers.main.own_paytable.envious",
        "progressive.amounts",
        "caps.any.amounts",
        "options.any.more",
        "derived",
        "derived.",
        "derived.bogus",
        "derived.statutory_seed.x",
    ],
)
def test_a_path_that_no_submission_has_is_none(path: str) -> None:
    assert is_path(path) is False


@pytest.mark.parametrize(
    "path",
    [
        "reference",
        "table",
        "table.positions",
        "wagers",
        "wagers.main",
        "wagers.main.paytable",
        "wagers.main.own_paytable.version",
        "progressive.amount",
        "caps.any.amount",
        "options.any",
        "approvals.any",
        *(f"derived.{fact}" for fact in sorted(DERIVED_FACTS)),
    ],
)
def test_a_path_that_a_submission_may_have_is_one(path: str) -> None:
    assert is_path(path) is True


# What a game's tests do with values they were not made for


def holds(test: dict[str, object], value: object, other: object = None) -> bool:
    """Whether a value passes a test; a field it is compared with has the other value."""
    return as_document(Predicate, test, "toy").holds(value, lambda _: other)


NO_FIGURES = ["text", "", "$x", "٦", "٦%", True, date(2016, 1, 1), (1, 2), {"a": 1}, float("inf")]


@pytest.mark.parametrize("value", NO_FIGURES)
@pytest.mark.parametrize("operator", ["at_least", "at_most", "more_than", "less_than"])
def test_what_is_no_figure_fails_every_comparison_and_breaks_none(operator: str, value: object) -> None:
    assert holds({operator: 6}, value) is False
    assert holds({operator: 6}, None) is True


@pytest.mark.parametrize("value", NO_FIGURES)
@pytest.mark.parametrize(
    "operator", ["at_least_field", "at_most_field", "more_than_field", "is_field", "is_not_field"]
)
def test_what_is_no_figure_compares_with_no_field_and_breaks_none(operator: str, value: object) -> None:
    assert holds({operator: "table.seats"}, value, 6) is holds({operator: "table.seats"}, 6, value) is False
    assert holds({operator: "table.seats"}, None, 6) is holds({operator: "table.seats"}, 6, None) is True


@pytest.mark.parametrize("value", ["text", "", "1.0.", "v1.0", "١.٠", "1.٠", True, date(2016, 1, 1), (1, 0)])
@pytest.mark.parametrize("operator", ["version_at_least", "version_is"])
def test_what_is_no_version_fails_every_comparison_and_breaks_none(operator: str, value: object) -> None:
    assert holds({operator: "1.0"}, value) is False
    assert holds({operator: "1.0"}, "1.0") is holds({operator: "1.0"}, None) is True


@pytest.mark.parametrize("text", ["", "1.", ".1", "1..0", "v1", "1.0 ", "1.0\n", "١.٠", "1.٠", "１.0"])
def test_a_version_is_written_in_plain_figures_and_points(text: str) -> None:
    with pytest.raises(DataError) as refusal:
        version(text)
    assert str(refusal.value) == f"not a version such as 1.0.017: {text!r}"
    assert version("1.0.017") == (1, 0, 17)


@pytest.mark.parametrize("text", ["٦", "٦%", "$٦", "６", "1/2%", "5%\n", "six", "%", ""])
def test_a_figure_is_written_in_plain_figures(text: str) -> None:
    with pytest.raises(ValueError, match="not an amount of dollars and cents"):
        number(text)
    assert [number("70%"), number("$6"), number(6)] == [Fraction(7, 10), Fraction(600), Fraction(6)]


def test_an_amount_that_is_compared_is_whole_cents() -> None:
    amounts = [Cents(500), Cents(5), None]
    assert [holds({"is": "$5"}, amount) for amount in amounts] == [True, False, False]
    assert [holds({"at_least": "$5"}, amount) for amount in amounts] == [True, False, True]
