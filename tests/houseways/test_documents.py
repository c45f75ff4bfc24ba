"""House-way documents are read strictly: whatever is wrong is refused by file, place and value."""

from __future__ import annotations

import copy
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import tomli_w

from houseway.errors import DataError, InvalidInputError, UnknownNameError
from houseway.houseways import HouseWayFaultsError, compile_way, house_way, house_ways, read_house_way
from houseway.ranking import ranking
from tests.support.documents import Bad, check_refused, each, mended, names_in

BAD = Path(__file__).parent / "bad"
A_RULE = '[[rule]]\nid = "all"\nsay = "Whatever it is."\nprefer = ["low", "high"]'

BAD_WAYS = [
    Bad("unknown-key.toml", 'remark = "None."\n', "", "line 10: rule pairs: remark", "worth): 'remark'"),
    Bad("missing-key.toml", "ranking =", 'title = "A"\nranking =', "line 1: title", "key is missing"),
    Bad("unknown-question.toml", "jokers =", "joker =", "line 19: rule rest: when.jokers", ": 'jokers'"),
    Bad("flag-as-text.toml", '"no"', "false", "line 19: rule rest: when.joker", "valid boolean: 'no'"),
    Bad(
        "unknown-shape.toml",
        "two_pairs",
        "two_pair",
        "line 12: rule pairs: when.shape",
        "five_aces): 'two_pairs'",
    ),
    Bad("unknown-group.toml", "pair4", "pair1", "line 13: rule pairs: require.high.keeps", "joker): 'pair4'"),
    Bad("unknown-fact.toml", "pair4", "pair1", "line 12: rule pairs: when.ranks.pair4", "top3): 'pair4'"),
    Bad("range-upside-down.toml", "7..T", "T..7", "line 12: rule pairs: when.ranks.pair1", "T..7: '7..T'"),
    Bad("range-of-no-rank.toml", '"1"', '"2"', "line 12: rule pairs: when.ranks.pair1", "such as T..7: '1'"),
    Bad("lead-of-no-rank.toml", "pair4", "pair1", "line 12: rule pairs: when.can.low.lead", "wheel: 'pair4'"),
    Bad(
        "second-upside-down.toml", "3..A", "A..3", "line 13: rule pairs: require.high.second", "T..7: '3..A'"
    ),
    Bad(
        "bad-rule-id.toml", "The pairs", "the-pairs", "line 9: rule The pairs: id", "a-z0-9-]*$': 'The pairs'"
    ),
    Bad(
        "no-rules.toml", "rule = []", A_RULE, "line 7: rule", "at least 1 item after validation, not 0: '[]'"
    ),
    Bad("empty-prefer.toml", "[]", '["low", "high"]', "line 20: rule rest: prefer", "not 0: '[]'"),
    Bad("no-prefer.toml", "false }", 'false }\nprefer = ["low"]', "line 16: rule rest: prefer", "is missing"),
    Bad("unknown-clause.toml", "11.z", "11.d.1.s1", "line 11: rule pairs: clauses", "clause: 'pa670a.11.z'"),
    Bad("unknown-clause-of-the-way.toml", "11.z", "11.d.s2", "line 6: clauses", "clause: 'pa670a.11.z'"),
    Bad(
        "rule-given-twice.toml",
        '"pairs"\nsay = "Every',
        '"rest"\nsay = "Every',
        "line 17: rule pairs: id",
        "rule given twice: 'pairs'",
    ),
    # what only the ranking can show
    Bad("unknown-part.toml", "medium", "high", "line 13: rule pairs: require.medium", "high, low): 'medium'"),
    Bad("unknown-part-in-can.toml", "front", "low", "line 12: rule pairs: when.can.front", "low): 'front'"),
    Bad("unknown-part-in-prefer.toml", "front", "low", "line 14: rule pairs: prefer", "high, low): 'front'"),
    Bad(
        "category-the-part-cannot-make.toml",
        "five_pair",
        "pair",
        "line 13: rule pairs: require.high.category",
        "high_card): 'five_pair'",
    ),
    Bad(
        "pair-of-one-card.toml",
        "low = { category",
        "high = { category",
        "line 12: rule pairs: when.can.low.category",
        "(there are high_card): 'pair'",
    ),
    Bad("unknown-preference.toml", "high.tail", "high.lead", "line 14: rule pairs: prefer", ": 'high.tail'"),
    Bad("one-part-too-many.toml", '"medium", ', "", "line 4: parts", "pa-670a has 2 parts, high, low: 3"),
    Bad(
        "source-without-address.toml",
        "on the wall",
        "https://a.b",
        "line 10: source.address",
        "'on the wall'",
    ),
]
AS_IT_SHOULD_BE = next(bad for bad in BAD_WAYS if bad.file == "unknown-part.toml")
NOT_TOML = Bad("not-toml.toml", '"low"\n', '"low"]\n', "", "Unclosed array (at line 5, column 1)")


@each(BAD_WAYS)
def test_a_bad_house_way_is_refused_by_line_rule_field_and_value(bad: Bad) -> None:
    with pytest.raises(HouseWayFaultsError) as refusal:
        read_house_way(BAD / bad.file)
    (fault,) = refusal.value.faults
    assert str(refusal.value) == f"{bad.file}: {fault}"
    assert str(fault).startswith(f"{bad.place}: ")
    assert str(fault).endswith(bad.value)


def test_a_file_that_is_no_toml_is_refused_by_its_line() -> None:
    check_refused(NOT_TOML, BAD, read_house_way)


def test_every_fault_of_a_document_is_told_at_once(tmp_path: Path) -> None:
    path = tmp_path / "many.toml"
    path.write_text(MANY_FAULTS, encoding="utf-8")
    with pytest.raises(HouseWayFaultsError) as refusal:
        read_house_way(path)
    told = [(fault.line, fault.place, fault.text.partition(" (")[0]) for fault in refusal.value.faults]
    assert told == [
        (1, "about", "key is missing"),
        (6, "rule one: when.shape", "no such shape"),
        (8, "rule one: require.front", "no such part"),
        (9, "rule one: require.high.category", "no such hand of high"),
        (10, "rule one: require.high.leads", "no such key"),
        (11, "rule one: require.low.not.lead", "not a rank"),
        (13, "rule one: prefer", "no such part"),
        (18, "rule two: when.can.high.plays", "these groups make no hand together"),
        (18, "rule two: when.cannot.low.plays", "no such hand of low"),
        (22, "example 1: sets", "the parts are of 5, 1 cards, with / between: 'KsKh9d9s / 5h5d'"),
        (23, "example 2", "the setting does not hold the cards of the hand: 'KsKh9d9s5h / 4d'"),
    ]


MANY_FAULTS = """id = "many"
title = "Many faults"
ranking = "pa-670a"
[[rule]]
id = "one"
when = { shape = "pairs" }
require = [
  { front = { lead = "A" } },
  { high = { category = "full_hause" } },
  { high = { leads = "A" } },
  { low = { not = { lead = "1" } } },
]
prefer = ["high", "middle"]
say = "One."
[[rule]]
id = "two"
say = "Two."
when = { can = { high = { plays = ["pair1", "pair2", "pair3"] } }, cannot = { low = { plays = "pair1" } } }
prefer = ["high"]
[[example]]
hand = "Ks Kh 9d 9s 5h 5d"
sets = "KsKh9d9s / 5h5d"
[[example]]
hand = "Ks Kh 9d 9s 5h 5d"
sets = "KsKh9d9s5h / 4d"
"""


def test_a_house_way_that_another_ranking_cannot_bear_is_refused_by_rule_and_value() -> None:
    way = house_way("pa-670a")
    with pytest.raises(DataError, match="pa-670a: rule five-aces: no such hand .*: 'five_aces'"):
        compile_way(way.model_copy(update={"parts": ("high", "low", "rest")}), base=ranking("pa-659a"))
    with pytest.raises(DataError, match="pa-670a: pa-659a has 3 parts: 2"):
        compile_way(way.model_copy(update={"parts": ("high", "low")}), base=ranking("pa-659a"))


@each([*BAD_WAYS, NOT_TOML])
def test_a_bad_house_way_is_sound_once_mended(bad: Bad, tmp_path: Path) -> None:
    way = read_house_way(mended(bad, BAD, tmp_path))
    assert [compiled.rule for compiled in compile_way(way).rules] == list(way.rule)


def test_every_bad_house_way_is_tried() -> None:
    assert names_in(BAD) == {bad.file for bad in (*BAD_WAYS, NOT_TOML)}


def test_an_unknown_house_way_is_refused_and_says_what_lists_the_known_ones() -> None:
    with pytest.raises(UnknownNameError, match="no such house way .*way list.*: 'pa-999'$"):
        house_way("pa-999")


def test_a_house_way_is_found_by_id_or_read_from_a_file(tmp_path: Path) -> None:
    assert [house_way(way.id) for way in house_ways()] == list(house_ways())
    path = mended(AS_IT_SHOULD_BE, BAD, tmp_path)
    assert house_way(str(path)).id == "small-way"
    with pytest.raises(InvalidInputError, match="no such file: .*nowhere.toml"):
        house_way(str(tmp_path / "nowhere.toml"))


def test_a_house_way_for_an_unknown_ranking_is_refused(tmp_path: Path) -> None:
    path = mended(AS_IT_SHOULD_BE._replace(wrong='"pa-670a"', right='"pa-999"'), BAD, tmp_path)
    with pytest.raises(DataError, match="line 3: ranking: no such ranking .*: 'pa-999'"):
        read_house_way(path)


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


def places_in(value: object, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """Yield the way to everything in a document."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        yield (*path, key)
        yield from places_in(inner, (*path, key))


def test_whatever_stands_where_something_else_should_is_refused_or_read(tmp_path: Path) -> None:
    path = tmp_path / "odd.toml"
    text = (BAD / "unknown-part.toml").read_text(encoding="utf-8").replace("medium", "high")
    whole = tomllib.loads(text + EXAMPLE_AND_READING)
    refused = 0
    for place in places_in(whole):
        for odd in (5, "x", [], {}, [[1]], {"x": 1}, True, ["x", {"x": ["y"]}]):
            changed = copy.deepcopy(whole)
            inner: Any = changed
            for step in place[:-1]:
                inner = inner[step]
            inner[place[-1]] = odd
            path.write_bytes(tomli_w.dumps(changed).encode())
            try:
                compile_way(read_house_way(path))
            except DataError as error:
                refused += 1
                assert isinstance(error, HouseWayFaultsError) or "too" in str(error)
    assert refused > 200


EXAMPLE_AND_READING = """
only_if = { six_joker_royal = "listed_only" }
cites = []
[[example]]
hand = "Ks Kh 9d 9s 5h 5d"
sets = "KsKh9d9s5h / 5d"
"""


def test_where_a_way_was_published_does_not_change_what_it_decides() -> None:
    way = house_way("foxwoods")
    assert way.source
    assert way.model_copy(update={"source": ()}).rules_text() == way.rules_text()
