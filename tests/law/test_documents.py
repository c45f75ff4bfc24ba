"""Documents of the law are read strictly: whatever is wrong is refused by file, place and value."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from houseway.errors import DataError, InvalidInputError, UnknownNameError
from houseway.law import Clause, ClauseKind, Reading, RuleSet, cite, rule_set, rule_sets
from houseway.law.clauses import CLAUSE_FILES, read_clauses
from houseway.law.documents import Document, as_document, read_document, read_toml
from houseway.law.readings import READING_FILES, read_readings
from houseway.law.rule_sets import RULE_SET_FILES
from tests.support.documents import Bad, check_refused, each, mended, names_in

BAD = Path(__file__).parent / "bad"


def clauses(path: Path) -> dict[str, Clause]:
    return read_clauses(path, rule_set("pa-575"))


def a_rule_set(path: Path) -> RuleSet:
    return read_document(RuleSet, path)


# Clause tables. The bad row is the third, on line 6: the row before it takes three lines.

CLAUSES = [
    Bad("unknown-column.csv", ",remarks", "", ":1", "verify: 'remarks'"),
    Bad("missing-column.csv", "kind,rule", "kind,actor,rule", ":1", "verify: 'actor'"),
    Bad(
        "columns-out-of-order.csv",
        "cite,id",
        "id,cite",
        ":1",
        "verify: 'cite, id, kind, actor, rule, software, verify'",
    ),
    Bad("duplicate-id.csv", "pa575.x.1,§ 575.x(3)", "pa575.x.3,§ 575.x(3)", ":6", "given twice: 'pa575.x.1'"),
    Bad("empty-field.csv", "physical,,", "physical,dealer,", ":6", "stray blanks: 'actor'"),
    Bad("stray-blank.csv", "Show it. ,", "Show it.,", ":6", "stray blanks: 'software'"),
    Bad("unknown-kind.csv", "psychical", "physical", ":6", "kind of clause: 'psychical'"),
    Bad("another-rule-set.csv", "pa659a.x.3,", "pa575.x.3,", ":6", "does not belong to pa-575: 'pa659a.x.3'"),
    Bad("id-with-a-blank.csv", "x 3,", "x.3,", ":6", "does not belong to pa-575: 'pa575.x 3'"),
    Bad("id-in-capitals.csv", "X.3,", "x.3,", ":6", "does not belong to pa-575: 'pa575.X.3'"),
    Bad("id-with-a-step-missing.csv", "x..3", "x.3", ":6", "does not belong to pa-575: 'pa575.x..3'"),
    Bad("id-of-the-prefix-alone.csv", "pa575.,", "pa575.x.3,", ":6", "does not belong to pa-575: 'pa575.'"),
    Bad("field-too-few.csv", "physical,The", "physical,dealer,The", ":6", "7 fields needed: 6"),
    Bad("field-too-many.csv", "third, rule", "third rule", ":6", "7 fields needed: 8"),
    Bad("blank-line.csv", "\n\n", "\n", ":6", "7 fields needed: 0"),
]


@each(CLAUSES)
def test_a_bad_clause_table_is_refused_by_file_line_and_value(bad: Bad) -> None:
    check_refused(bad, BAD / "clauses", clauses)


@each(CLAUSES)
def test_a_bad_clause_table_is_sound_once_mended(bad: Bad, tmp_path: Path) -> None:
    found = clauses(mended(bad, BAD / "clauses", tmp_path))
    assert [clause.kind for clause in found.values()] == [
        ClauseKind.CONFIG,
        ClauseKind.COMPUTE,
        ClauseKind.PHYSICAL,
    ]
    assert list(found) == [clause.id for clause in found.values()]


def test_an_empty_clause_table_has_not_even_columns(tmp_path: Path) -> None:
    path = tmp_path / "empty.csv"
    path.touch()
    with pytest.raises(DataError, match=r"^empty\.csv:1: columns must be id,cite,kind,"):
        clauses(path)


@pytest.mark.parametrize(
    "row",
    [
        'pa575.x.2,"the quote is never closed,config,software,The rule.,Do it.,It is done.\n',
        'pa575.x.2,"the quote is" closed too soon,config,software,The rule.,Do it.,It is done.\n',
    ],
)
def test_a_clause_table_with_a_quote_astray_is_refused_by_file(row: str, tmp_path: Path) -> None:
    path = tmp_path / "quote.csv"
    sound = "id,cite,kind,actor,rule,software,verify\npa575.x.1,§ 1,config,software,Rule.,Do.,Done.\n"
    path.write_text(sound, encoding="utf-8")
    assert len(clauses(path)) == 1
    path.write_text(sound + row, encoding="utf-8")
    with pytest.raises(DataError, match=r"^quote\.csv: cannot be read as a table: "):
        clauses(path)


def test_a_clause_table_that_is_not_utf_8_is_refused_by_file(tmp_path: Path) -> None:
    path = tmp_path / "latin.csv"
    path.write_bytes("id,cite,kind,actor,rule,software,verify\npa575.x.1,§ 1".encode("latin-1"))
    with pytest.raises(DataError, match=r"^latin\.csv: cannot be read as a table: .*0xa7"):
        clauses(path)


def test_a_clause_table_that_is_not_there_is_refused_by_file(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"^nowhere\.csv: cannot be read as a table: ") as refusal:
        clauses(tmp_path / "nowhere.csv")
    assert refusal.value.where == "nowhere.csv"
    assert str(tmp_path / "nowhere.csv") in str(refusal.value)


def test_a_folder_in_the_place_of_a_clause_table_is_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=f"^{tmp_path.name}: cannot be read as a table: "):
        clauses(tmp_path)


def test_a_cell_of_several_lines_is_read_whole(tmp_path: Path) -> None:
    bad = next(b for b in CLAUSES if b.file == "unknown-kind.csv")
    *_, second, _ = clauses(mended(bad, BAD / "clauses", tmp_path)).values()
    assert second.rule.splitlines() == ["The second rule,", "which goes on", "for three lines."]


@pytest.mark.parametrize("rules", rule_sets(), ids=lambda r: str(r.id))
def test_every_clause_table_of_the_law_is_read(rules: RuleSet) -> None:
    found = read_clauses(CLAUSE_FILES / f"{rules.id}.csv", rules)
    assert found
    assert all(cite(name) == clause for name, clause in found.items())


def test_a_clause_that_nothing_bears_is_refused_by_name() -> None:
    with pytest.raises(UnknownNameError, match="no such clause: 'pa575.99.z'"):
        cite("pa575" + ".99.z")


# Readings

READINGS = [
    Bad("unknown-key.toml", "effects", "effect", ": reading.1.effects", "unknown key: 'None.'"),
    Bad("unknown-option-key.toml", 'rival = "third"', "", ": reading.1.option.rival", "unknown key: 'third'"),
    Bad(
        "missing-key.toml",
        'reading = "The first."',
        'reading = "The first."\nbecause = "It comes first."',
        ": reading.1.because",
        "key is missing",
    ),
    Bad("wrong-type.toml", '"perhaps"', "true", ": reading.1.confirm", ": 'perhaps'"),
    Bad("confirm-as-a-number.toml", "confirm = 1", "confirm = true", ": reading.1.confirm", ": 1"),
    Bad("no-rule-set.toml", "[]", '["pa-575"]', ": reading.1.rule_sets", "validation, not 0: '[]'"),
    Bad("unknown-clause.toml", "99.z", "9.a.1", ": reading.1.clauses.0", "no such clause: 'pa575.99.z'"),
    Bad(
        "no-clause-at-all.toml",
        '"the second rule"',
        '"pa575.9.a.1"',
        ": reading.1.clauses.0",
        "no such clause: 'the second rule'",
    ),
    Bad(
        "clauses-as-text.toml",
        '= "pa575.9.a.1"',
        '= ["pa575.9.a.1"]',
        ": reading.1.clauses",
        ": 'pa575.9.a.1'",
    ),
    Bad("default-not-a-choice.toml", '"third"', '"first"', ": reading.1.option", "the choices: 'third'"),
    Bad(
        "only-one-choice.toml",
        '"The first." }',
        '"The first.", second = "The second." }',
        ": reading.1.option.choices",
        "after validation, not 1: \"{'first': 'The first.'}\"",
    ),
    Bad("bad-option-name.toml", "Which one?", "which_one", ": reading.1.option.name", ": 'Which one?'"),
    Bad("not-toml.toml", "= Which is meant?", '= "Which is meant?"', "", "(at line 15, column 12)"),
]
UNKNOWN_RULE_SET = Bad("unknown-rule-set.toml", "pa-999", "pa-575", "", "no such rule set: 'pa-999'")


@each(READINGS)
def test_a_bad_reading_is_refused_by_file_field_and_value(bad: Bad) -> None:
    check_refused(bad, BAD / "readings", read_readings)


def test_a_reading_of_an_unknown_rule_set_is_refused_by_file_and_value() -> None:
    with pytest.raises(DataError) as refusal:
        read_readings(BAD / "readings" / UNKNOWN_RULE_SET.file)
    assert str(refusal.value).startswith(f"{UNKNOWN_RULE_SET.file}: ")
    assert str(refusal.value).endswith(f": {UNKNOWN_RULE_SET.value}")


@each([*READINGS, UNKNOWN_RULE_SET])
def test_a_bad_reading_is_sound_once_mended(bad: Bad, tmp_path: Path) -> None:
    first, second = read_readings(mended(bad, BAD / "readings", tmp_path))
    assert (first.option, second.confirm) == (None, True)
    assert second.option is not None
    assert second.option.default in second.option.choices


def test_every_file_of_readings_is_read() -> None:
    for path in sorted(READING_FILES.glob("*.toml")):
        assert all(isinstance(entry, Reading) for entry in read_readings(path))


# Rule sets

RULE_SETS = [
    Bad("unknown-key.toml", "notes =", "note =", ": notes", "unknown key: 'No law at all.'"),
    Bad("unknown-inner-key.toml", "guessed", "assumed", ": begins.guessed", "unknown key: True"),
    Bad("missing-key.toml", "prefixes", 'law = "58 Pa. Code ch. 1"\nprefixes', ": law", "key is missing"),
    Bad("bad-date.toml", '"next spring"', "2011-10-01", ": begins.date", ": 'next spring'"),
    Bad("date-as-text.toml", '"2011-10-01"', "2011-10-01", ": begins.date", ": '2011-10-01'"),
    Bad("date-as-a-number.toml", "86400", "2011-10-01", ": lapses.published", ": 86400"),
    Bad("no-such-day.toml", "2011-02-30", "2011-10-01", "", "(at line 7, column 24)"),
    Bad("bad-years.toml", '"two"', "2", ": lapses.years", ": 'two'"),
    Bad("years-as-text.toml", '"2"', "2", ": lapses.years", ": '2'"),
    Bad("years-as-a-list.toml", "[2]", "2", ": lapses.years", "a valid integer: '[2]'"),
    Bad("assumed-as-text.toml", '"yes"', "true", ": begins.assumed", "a valid boolean: 'yes'"),
    Bad(
        "assumed-as-a-number.toml", "assumed = 1", "assumed = true", ": begins.assumed", "a valid boolean: 1"
    ),
    Bad("not-toml.toml", '"xx1."', '"xx1."]', "", "(at line 5, column 1)"),
]


@each(RULE_SETS)
def test_a_bad_rule_set_is_refused_by_file_field_and_value(bad: Bad) -> None:
    check_refused(bad, BAD / "rule_sets", a_rule_set)


@each(RULE_SETS)
def test_a_bad_rule_set_is_sound_once_mended(bad: Bad, tmp_path: Path) -> None:
    found = a_rule_set(mended(bad, BAD / "rule_sets", tmp_path))
    assert (found.id, found.assumed, found.last_day_excluded) == ("xx-1", True, date(2013, 10, 1))


def test_every_rule_set_is_found_by_its_id_and_lies_in_a_file_of_that_name() -> None:
    assert {f"{rules.id}.toml" for rules in rule_sets()} == names_in(RULE_SET_FILES)
    assert all(rule_set(rules.id) is rules for rules in rule_sets())


def test_a_rule_set_that_nothing_bears_is_refused_by_name() -> None:
    with pytest.raises(UnknownNameError, match="no such rule set: 'pa-999'"):
        rule_set("pa-999")


# Any document


def test_every_bad_document_is_tried() -> None:
    for folder, cases in {
        "clauses": CLAUSES,
        "readings": [*READINGS, UNKNOWN_RULE_SET],
        "rule_sets": RULE_SETS,
    }.items():
        assert names_in(BAD / folder) == {bad.file for bad in cases}


def test_a_file_that_is_not_there_is_refused_by_its_path(tmp_path: Path) -> None:
    path = tmp_path / "nowhere.toml"
    with pytest.raises(InvalidInputError) as refusal:
        read_toml(path)
    assert str(refusal.value) == f"no such file: {str(path)!r}"


def test_a_folder_in_the_place_of_a_file_is_refused_by_its_path(tmp_path: Path) -> None:
    with pytest.raises(InvalidInputError, match="cannot read the file") as refusal:
        read_toml(tmp_path)
    assert refusal.value.value == str(tmp_path)


def test_a_file_that_is_not_utf_8_is_refused_by_its_path(tmp_path: Path) -> None:
    path = tmp_path / "latin.toml"
    path.write_bytes('note = "§"'.encode("latin-1"))
    with pytest.raises(InvalidInputError, match="cannot read the file") as refusal:
        read_toml(path)
    assert refusal.value.value == str(path)


def test_a_file_that_is_no_toml_is_refused_by_its_name_or_as_it_is_called(tmp_path: Path) -> None:
    path = tmp_path / "any.toml"
    path.write_text("key == 1", encoding="utf-8")
    for where, named in [(None, "any.toml"), ("folder/any.toml", "folder/any.toml")]:
        with pytest.raises(DataError) as refusal:
            read_toml(path, where)
        assert str(refusal.value) == f"{named}: not TOML: Invalid value (at line 1, column 6)"


def test_a_document_cannot_be_changed_once_read() -> None:
    with pytest.raises(ValueError, match="frozen"):
        rule_set("pa-575").note = "changed"  # type: ignore[misc]


def test_a_document_that_is_no_table_at_all_is_refused_by_the_file_alone() -> None:
    class Anything(Document):
        key: str

    assert as_document(Anything, {"key": "value"}, "here").key == "value"
    with pytest.raises(DataError, match=r"^here: Input should be"):
        as_document(Anything, "no table", "here")


def test_a_key_is_named_by_the_file_it_came_from_and_a_missing_one_by_the_whole() -> None:
    class Anything(Document):
        key: str
        other: int

    files = {"key": "here/first.toml", "other": "here/second.toml", "more": "here/third.toml"}
    cases: list[tuple[dict[str, object], str]] = [
        ({"key": 5, "other": 5}, "here/first.toml: key: Input should be a valid string: 5"),
        ({"key": "5", "other": []}, "here/second.toml: other: Input should be a valid integer: '[]'"),
        ({"key": "5", "other": 5, "more": [5]}, "here/third.toml: more: unknown key: '[5]'"),
        ({"key": "5"}, "here: other: key is missing"),
    ]
    for data, refused in cases:
        with pytest.raises(DataError) as refusal:
            as_document(Anything, data, "here", {key: files[key] for key in data})
        assert str(refusal.value) == refused
