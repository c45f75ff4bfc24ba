"""The language page is followed to the letter, and every word on it means what its example shows."""

from __future__ import annotations

import re
import shlex
import tomllib
from pathlib import Path

import numpy as np
import pytest

from houseway.cards import parse_cards, parse_setting
from houseway.cli import main
from houseway.errors import HousewayError
from houseway.houseways import CompiledWay, compile_way, decide, read_house_way, vocabulary, words
from houseway.houseways.batch import set_hands
from houseway.houseways.document import Example, HouseWay, PartFilter, Points, Rule, When
from houseway.houseways.examples import wrong_examples
from houseway.houseways.plain import HandJudgement, part_of
from houseway.houseways.proof import prove_way
from tests.docs.test_documents_run import ROOT, fences, transcripts
from tests.support.hands import Array, random_hands

PAGE = (ROOT / "docs" / "house-way-language.md").read_text(encoding="utf-8")
BLOCKS = [text for kind, title, text in fences(PAGE) if title == "my-way.toml"]


def written(folder: Path, text: str = "".join(BLOCKS)) -> Path:
    path = folder / "my-way.toml"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.fixture
def my_way(tmp_path: Path) -> Path:
    """Return the house way that the page writes, block after block."""
    return written(tmp_path)


def test_the_page_writes_rules_for_two_pair_straights_and_the_wheel_with_examples(my_way: Path) -> None:
    program = compile_way(read_house_way(my_way))
    assert wrong_examples(program) == []
    rules = [decide(program, parse_cards(example.hand)).rule for example in program.way.example]
    assert rules == [
        "two-pair-split",
        "two-pair-kept",
        "two-pair-other",
        "complete",
        "complete",
        "wheel",
        "no-pair",
    ]
    set_hands(program, random_hands(7, 7, 3_000))


def test_each_block_of_the_page_leaves_a_file_that_can_be_read(tmp_path: Path) -> None:
    assert len(BLOCKS) > 5
    for count in range(2, len(BLOCKS) + 1):
        compile_way(read_house_way(written(tmp_path, "".join(BLOCKS[:count]))))


def test_an_example_that_the_rules_do_not_keep_is_told(tmp_path: Path) -> None:
    text = "".join(BLOCKS).replace('pair1 = "A..J"', 'pair1 = "A..T"').replace('lead = "A..K"', 'lead = "A"')
    told = wrong_examples(compile_way(read_house_way(written(tmp_path, text))))
    assert [re.sub(r": .*", "", one.removeprefix("my-way: ")) for one in told] == ["example 2", "example 6"]


@pytest.mark.exhaustive
def test_the_way_of_the_page_is_sound(my_way: Path) -> None:
    assert prove_way(compile_way(read_house_way(my_way))).faults == []


def test_the_commands_of_the_page_print_what_it_says(
    my_way: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(my_way.parent)
    runs = [run for kind, _, text in fences(PAGE) if kind == "console" for run in transcripts(text)]
    assert len(runs) > 1
    for command, output in runs:
        with pytest.raises(SystemExit) as stop:
            main(shlex.split(command)[1:])
        assert (stop.value.code, capsys.readouterr().out.strip()) == (0, output)


# --- the words ----------------------------------------------------------------------------------


def program_of(folder: Path, rule: str) -> CompiledWay:
    head = BLOCKS[0]
    line = f'{head}\n[[rule]]\nid = "asks"\nsay = "Asks."\n{rule}\nprefer = ["high", "low"]\n'
    return compile_way(read_house_way(written(folder, line)))


def is_true(folder: Path, when: str, hand: str) -> bool:
    """Whether a rule with this condition decides a hand, by both interpreters."""
    program = program_of(folder, f"when = {when}")
    cards = parse_cards(hand)
    answer = HandJudgement(program, tuple(sorted(cards)), None).hand_is(program.rules[0].when)
    try:
        set_hands(program, hand_row(hand))
    except HousewayError as error:
        assert answer is False or "ambiguous" in str(error)
    else:
        assert answer
    return answer


def hand_row(hand: str) -> Array:
    return np.array([parse_cards(hand)], dtype=np.uint8)


@pytest.mark.parametrize("shape", vocabulary.SHAPES)
def test_each_shape_is_that_of_its_example_and_of_no_other(shape: str, tmp_path: Path) -> None:
    for other, word in words.SHAPE_WORDS.items():
        assert is_true(tmp_path, f'{{ shape = "{shape}" }}', word.hand) == (other == shape)


@pytest.mark.parametrize("flag", vocabulary.FLAGS)
def test_each_flag_is_true_of_its_example(flag: str, tmp_path: Path) -> None:
    hand = words.FLAG_WORDS[flag].hand
    assert is_true(tmp_path, f"{{ {flag} = true }}", hand)
    assert not is_true(tmp_path, f"{{ {flag} = false }}", hand)
    assert not is_true(tmp_path, f"{{ {flag} = true }}", words.SHAPE_WORDS["no_pair"].hand)


@pytest.mark.parametrize("fact", vocabulary.HAND_RANKS)
def test_each_rank_is_that_of_its_example(fact: str, tmp_path: Path) -> None:
    word = words.RANK_WORDS[fact]
    others = vocabulary.rank_range(word.rank)[0] % 13 + 2
    assert is_true(tmp_path, f'{{ ranks = {{ {fact} = "{word.rank}" }} }}', word.hand)
    other = "23456789TJQKA"[others - 2]
    assert not is_true(tmp_path, f'{{ ranks = {{ {fact} = "{other}" }} }}', word.hand)


PART_WORDS = {**words.PART_WORDS, "wheel": words.WHEEL_EXAMPLE}


@pytest.mark.parametrize("name", PART_WORDS)
def test_each_word_of_a_part_passes_and_fails_its_examples(name: str, tmp_path: Path) -> None:
    word = PART_WORDS[name]
    assert f"{name} = " in word.ask or name == "wheel"
    program = program_of(tmp_path, f"require = {{ {word.ask} }}")
    for text, passes in ((word.passes, True), (word.fails, False)):
        setting = parse_setting(text, program.split)
        cards = tuple(sorted(card for part in setting for card in part))
        judging = HandJudgement(program, cards, None)
        whole = [{*map(frozenset, (part_of(cards, m) for m in masks))} for masks in judging.legal]
        fine = [
            {*map(frozenset, (part_of(cards, m) for m in masks))}
            for masks in judging.allowed(program.rules[0])
        ]
        assert {*map(frozenset, setting)} in whole, f"{text} is not legal"
        assert ({*map(frozenset, setting)} in fine) == passes, text


def test_every_key_of_a_document_and_every_word_is_explained() -> None:
    for model, meanings in (
        (HouseWay, words.WAY_KEYS),
        (Rule, words.RULE_KEYS),
        (When, words.WHEN_KEYS),
        (Points, words.POINTS_KEYS),
        (Example, words.EXAMPLE_KEYS),
        (PartFilter, words.PART_WORDS),
    ):
        assert list(meanings) == [field.alias or name for name, field in model.model_fields.items()]
    assert tuple(words.SHAPE_WORDS) == vocabulary.SHAPES
    assert tuple(words.FLAG_WORDS) == vocabulary.FLAGS
    assert tuple(words.RANK_WORDS) == vocabulary.HAND_RANKS


def test_the_file_on_the_page_is_toml() -> None:
    assert [rule["id"] for rule in tomllib.loads("".join(BLOCKS))["rule"]][3:5] == ["complete", "wheel"]
