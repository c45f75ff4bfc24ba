"""House-way documents are read strictly: whatever is wrong is refused by file, place and value."""

from __future__ import annotations

from pathlib import Path

import pytest

from houseway.errors import DataError, InvalidInputError, UnknownNameError
from houseway.houseways import compile_way, house_way, house_ways, read_house_way
from houseway.ranking import ranking
from tests.support.documents import Bad, check_names, check_refused, each, mended, names_in

BAD = Path(__file__).parent / "bad"
A_RULE = '[[rule]]\nid = "all"\nsay = "Whatever it is."\nprefer = ["low", "high"]'

# Faults of the document itself, named by file and field.

READING = [
    Bad("unknown-key.toml", 'remark = "None."\n', "", ": rule.0.remark", "unknown key: 'None.'"),
    Bad("missing-key.toml", "ranking =", 'title = "A"\nranking =', ": title", "key is missing"),
    Bad("unknown-question.toml", "jokers =", "joker =", ": rule.1.when.jokers", "unknown key: False"),
    Bad("flag-as-text.toml", '"no"', "false", ": rule.1.when.joker", "valid boolean: 'no'"),
    Bad("unknown-shape.toml", "two_pairs", "two_pair", ": rule.0.when", "five_aces): 'two_pairs'"),
    Bad("unknown-group.toml", "pair4", "pair1", ": rule.0.require.0.high", "joker): 'pair4'"),
    Bad("unknown-fact.toml", "pair4", "pair1", ": rule.0.when", "top2): 'pair4'"),
    Bad("range-upside-down.toml", "7..T", "T..7", ": rule.0.when", "higher rank first, such as T..7: '7..T'"),
    Bad("range-of-no-rank.toml", '"1"', '"2"', ": rule.0.when", "not a rank or a range such as T..7: '1'"),
    Bad("lead-of-no-rank.toml", "pair4", "pair1", ": rule.0.when.can.low", "such as T..7: 'pair4'"),
    Bad("second-upside-down.toml", "3..A", "A..3", ": rule.0.require.0.high", "such as T..7: '3..A'"),
    Bad("bad-rule-id.toml", "The pairs", "the-pairs", ": rule.0.id", "a-z0-9-]*$': 'The pairs'"),
    Bad("no-rules.toml", "rule = []", A_RULE, ": rule", "at least 1 item after validation, not 0: '[]'"),
    Bad("empty-prefer.toml", "[]", '["low", "high"]', ": rule.1.prefer", "after validation, not 0: '[]'"),
    Bad("no-prefer.toml", "false }", 'false }\nprefer = ["low"]', ": rule.1.prefer", "key is missing"),
    Bad("unknown-clause.toml", "11.z", "11.d.1.s1", ": rule.0.clauses.0", "no such clause: 'pa670a.11.z'"),
    Bad("unknown-clause-of-the-way.toml", "11.z", "11.d.s2", ": clauses.0", "no such clause: 'pa670a.11.z'"),
    Bad("not-toml.toml", '"low"\n', '"low"]\n', "", "Unclosed array (at line 5, column 1)"),
]
TWICE = Bad(
    "rule-given-twice.toml", '"pairs"\nsay = "Every', '"rest"\nsay = "Every', "", "given twice: 'pairs'"
)

# Faults that only the ranking can show, named by house way and rule.

COMPILING = [
    Bad("unknown-part.toml", "medium", "high", ": rule pairs", "the parts are high, low: 'medium'"),
    Bad("unknown-part-in-can.toml", "front", "low", ": rule pairs", "the parts are high, low: 'front'"),
    Bad("unknown-part-in-prefer.toml", "front", "low", ": rule pairs", "the parts are high, low: 'front'"),
    Bad("category-the-part-cannot-make.toml", "five_pair", "pair", ": rule pairs", "such hand: 'five_pair'"),
    Bad("pair-of-one-card.toml", "low = { category", "high = { category", ": rule pairs", "hand: 'pair'"),
    Bad("unknown-preference.toml", "high.tail", "high.lead", ": rule pairs", "part's lead: 'high.tail'"),
    Bad("one-part-too-many.toml", '"medium", ', "", "", "pa-670a has 2 parts: 3"),
]


@each(READING)
def test_a_bad_house_way_is_refused_by_file_field_and_value(bad: Bad) -> None:
    check_refused(bad, BAD, read_house_way)


def test_a_rule_given_twice_is_refused_by_file_and_rule() -> None:
    with pytest.raises(DataError) as refusal:
        read_house_way(BAD / TWICE.file)
    check_names(refusal.value, TWICE.file, TWICE.value)


@each(COMPILING)
def test_a_house_way_that_its_ranking_cannot_bear_is_refused_by_rule_and_value(bad: Bad) -> None:
    way = read_house_way(BAD / bad.file)
    with pytest.raises(DataError) as refusal:
        compile_way(way)
    check_names(refusal.value, f"{way.id}{bad.place}", bad.value)


@each([*READING, TWICE, *COMPILING])
def test_a_bad_house_way_is_sound_once_mended(bad: Bad, tmp_path: Path) -> None:
    way = read_house_way(mended(bad, BAD, tmp_path))
    assert [compiled.rule for compiled in compile_way(way).rules] == list(way.rule)


def test_every_bad_house_way_is_tried() -> None:
    assert names_in(BAD) == {bad.file for bad in (*READING, TWICE, *COMPILING)}


def test_an_unknown_house_way_is_refused_with_the_known_ones() -> None:
    with pytest.raises(UnknownNameError, match="no such house way .*: 'pa-999'$") as refusal:
        house_way("pa-999")
    assert all(way.id in str(refusal.value) for way in house_ways())


def test_a_house_way_is_found_by_id_or_read_from_a_file(tmp_path: Path) -> None:
    assert [house_way(way.id) for way in house_ways()] == list(house_ways())
    path = mended(COMPILING[0], BAD, tmp_path)
    assert house_way(str(path)).id == "small-way"
    with pytest.raises(InvalidInputError, match="no such file: .*nowhere.toml"):
        house_way(str(tmp_path / "nowhere.toml"))


def test_a_house_way_for_an_unknown_ranking_is_refused(tmp_path: Path) -> None:
    path = mended(COMPILING[0]._replace(wrong='"pa-670a"', right='"pa-999"'), BAD, tmp_path)
    with pytest.raises(UnknownNameError, match="no such ranking .*: 'pa-999'"):
        compile_way(read_house_way(path))


def test_one_name_is_as_good_as_a_list_of_one_and_one_filter_as_good_as_a_list() -> None:
    ours = {rule.id: rule for rule in house_way("houseway-421").rule}
    kept = ours["trips-kept"]
    assert kept.when.shape == ("trips",)
    assert len(kept.require) == 1
    assert kept.require[0]["high"].keeps == ("trip1",)
    assert ours["complete-sparing-the-top"].when.shape == ("pair", "no_pair")
    foxwoods = {rule.id: rule for rule in house_way("foxwoods").rule}
    assert foxwoods["two-pairs-low-kept"].require[0]["high"].keeps == ("pair1", "pair2")


def test_a_rule_is_left_out_where_its_reading_is_not_chosen(tmp_path: Path) -> None:
    text = (BAD / "unknown-part.toml").read_text(encoding="utf-8").replace("medium", "high")
    path = tmp_path / "read.toml"
    for key, kept in (("only_if", ["rest"]), ("unless", ["pairs", "rest"])):
        chosen = f'{key} = {{ six_joker_royal = "listed_only" }}\nwhen = {{ shape'
        path.write_text(text.replace("when = { shape", chosen), encoding="utf-8")
        way = read_house_way(path)
        assert [r.rule.id for r in compile_way(way).rules] == kept
        turned = compile_way(way, readings={"six_joker_royal": "listed_only"})
        assert len(turned.rules) == 3 - len(kept)


def test_the_parts_of_a_house_way_go_by_place_so_that_one_way_serves_several_rankings() -> None:
    way = house_way("houseway-421")
    assert ranking("wa-fap").part_names != way.parts
    one, other = compile_way(way), compile_way(way, base=ranking("wa-fap"))
    assert [rule.prefer for rule in one.rules] == [rule.prefer for rule in other.rules]
