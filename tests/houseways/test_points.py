"""Points: a setting has the sum of what its parts count for, and a rule may take the one with the most."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from houseway.cards import parse_cards, show_setting
from houseway.errors import DataError
from houseway.houseways import HouseWay, compile_way, decide, house_ways, read_house_way
from houseway.houseways.batch import run_program
from houseway.houseways.plain import HandJudgement, part_of
from houseway.houseways.reading import HouseWayFaultsError
from tests.houseways.plain_meaning import VALUE, Hand, Meaning, Setting
from tests.houseways.test_plain_meaning import asks_of, hands_for
from tests.support.hands import cards_of

WAY = """
id = "by-points"
title = "By points"
ranking = "pa-659a"
about = "For a test."

[[rule]]
id = "most"
say = "The most points, then the strongest low hand."
prefer = ["points", "low", "medium", "high"]

[[points]]
say = "A high hand that is no more than a high card counts against it."
part = "high"
made = { category = "high_card" }
points = -3

[[points]]
say = "A straight or better."
part = "high"
made = { at_least = "straight" }
points = 9

[[points]]
say = "A straight, by its highest card."
part = "high"
made = { category = ["straight", "straight_flush"] }
each = 1
above = "9"

[[points]]
say = "The medium hand without a pair."
part = "medium"
made = { category = "high_card" }
each = 2
above = "8"

[[points]]
say = "A pair medium."
part = "medium"
made = { category = "pair" }
points = 10
each = 1

[[points]]
say = "Anything low."
part = "low"
points = 1

[[points]]
say = "The low card, if it is the hand's second."
part = "low"
made = { lead = "top2" }
points = 4
"""
BY_THE_SECOND = (
    WAY
    + """
[[points]]
say = "The medium hand without a pair, by the card beside its lead."
part = "medium"
made = { category = "high_card" }
each = 3
of = "second"
above = "J"

[[points]]
say = "A straight, by the card beside its highest."
part = "high"
made = { category = ["straight", "straight_flush"] }
each = -4
of = "second"
above = "7"

[[points]]
say = "A low card has none beside it."
part = "low"
each = 50
of = "second"
"""
)


def written(folder: Path, text: str = WAY) -> Path:
    path = folder / "by-points.toml"
    path.write_text(text, encoding="utf-8")
    return path


def points_of(meaning: Meaning, lines: list[dict[str, Any]], hand: Hand, setting: Setting) -> int:
    """Add up what the parts of a setting count for, from the words and the cards alone."""
    found = 0
    for line in lines:
        part = meaning.parts.index(line["part"])
        if setting[part] in meaning.parts_that_are(hand, part, line.get("made", {})):
            made = meaning.part(part, setting[part])
            rank = made.second if line.get("of") == "second" else made.lead
            above = rank - VALUE[line.get("above", "2")]
            found += line.get("points", 0) + line.get("each", 0) * max(0, above)
    return found


@pytest.mark.parametrize("text", [WAY, BY_THE_SECOND], ids=["by the lead", "by the second too"])
def test_the_setting_with_the_most_points_is_taken_by_both_interpreters(text: str, tmp_path: Path) -> None:
    program, data, meaning = asks_of(written(tmp_path, text))
    hands = hands_for(written(tmp_path, text), 300)
    by_kernel = run_program(program, hands)
    different = 0
    for row, dealt in enumerate(hands):
        cards = cards_of(dealt)
        judging = HandJudgement(program, cards, None)
        settings: list[Setting] = [
            tuple(tuple(map(str, part_of(cards, mask))) for mask in masks) for masks in judging.legal
        ]
        hand = Hand([str(card) for card in cards], settings)
        counted = {setting: points_of(meaning, data["points"], hand, setting) for setting in settings}
        chosen = decide(program, cards).setting
        plain = tuple(tuple(map(str, part)) for part in chosen)
        assert counted[plain] == max(counted.values()), show_setting(chosen)
        assert by_kernel.setting(row) == chosen
        different += len(set(counted.values())) > 3
    assert different > 200, "the hands put the points to the test"


def test_points_decide_first_and_what_follows_decides_among_equals(tmp_path: Path) -> None:
    program = compile_way(read_house_way(written(tmp_path)))
    # an ace leads medium for 12, an ace low is the hand's second card: 1 and 4; sevens medium would make 16
    decided = decide(program, parse_cards("As Ah Kh 9d 7c 7s 2d"))
    assert show_setting(decided.setting) == "9d7s7c2d / AhKh / As", "of what is left the best medium hand"
    assert (decided.rule, decided.say) == ("most", "The most points, then the strongest low hand.")


def test_only_ranks_above_the_one_named_count(tmp_path: Path) -> None:
    program = compile_way(read_house_way(written(tmp_path)))
    medium = program.points[3]
    assert [medium.of(rank) for rank in (7, 8, 9, 14)] == [0, 0, 2, 12]
    assert [program.points[4].of(rank) for rank in (2, 3, 14)] == [10, 11, 22], (
        "above the twos, if nothing is said"
    )


def test_a_way_without_points_is_written_as_it_always_was() -> None:
    for way in house_ways():
        assert "points" not in way.model_dump() and '"points"' not in way.rules_text()


def test_points_decide_how_hands_are_set_and_stand_in_the_text_of_the_rules(tmp_path: Path) -> None:
    way = read_house_way(written(tmp_path))
    other = HouseWay.model_validate(tomllib.loads(WAY.replace("points = 10", "points = 11")))
    assert way.rules_text() != other.rules_text()
    assert HouseWay.model_validate(way.model_dump()).rules_text() == way.rules_text()


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('part = "medium"\nmade = { category = "pair" }', 'part = "middle"', "points 5: part: no such part"),
        (
            '{ category = "pair" }',
            '{ category = "two_pair" }',
            "points 5: made.category: no such hand of medium",
        ),
        ('above = "8"', 'above = "1"', "points 4: above: no such rank"),
        ('above = "8"', 'of = "third"', "points 4: of: no such rank that counts"),
        ("points = 10", "points = 1000", "points 5: points: Input should be less than or equal to 999"),
        ("points = 10", "point = 10", "points 5: point: no such key (did you mean points?"),
        ('{ lead = "top2" }', '{ not = { lead = "A" } }', "points 7: made.not: no such key"),
        (
            WAY[WAY.index("[[points]]") :],
            "",
            "rule most: prefer: points are preferred, and no [[points]] say",
        ),
    ],
)
def test_bad_points_are_refused_by_line_place_and_value(
    old: str, new: str, said: str, tmp_path: Path
) -> None:
    with pytest.raises(HouseWayFaultsError) as refusal:
        read_house_way(written(tmp_path, WAY.replace(old, new)))
    (fault,) = refusal.value.faults
    assert said in str(fault) and fault.line > 5


def test_a_way_made_without_a_file_is_refused_for_missing_points_too() -> None:
    data = tomllib.loads(WAY)
    del data["points"]
    with pytest.raises(DataError, match="no \\[\\[points\\]\\] say"):
        compile_way(HouseWay.model_validate(data))
