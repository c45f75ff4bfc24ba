"""Every ask of every house way means what the language page says, on random hands."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from houseway.cards import show
from houseway.houseways import CompiledWay, compile_way, read_house_way
from houseway.houseways.batch import run_program
from houseway.houseways.document import HOUSE_WAY_FILES
from houseway.houseways.plain import HandJudgement, Masks, part_of
from tests.houseways.plain_meaning import Hand, Meaning, Setting
from tests.support.hands import Array, cards_of, random_hands

WAYS = sorted(HOUSE_WAY_FILES.glob("*.toml"))
FEW, MANY = 1_500 // len(WAYS), 100_000
"""Hands for each way, always and when everything is proven."""

EVERY_WORD = """
id = "every-word"
title = "Every word"
ranking = "ref-pgp"
about = "For a test: each rule asks in words that few ways use."
"""
ASKS = [
    'when = { can = { high = { category = "straight", lead = "A" } } }',
    'when = { can = { high = { category = "straight", lead = "Q..9", second = "J..8" } } }',
    'when = { can = { high = { lead = "wheel" } } }',
    'when = { can = { high = { lead = "wheel", category = "straight_flush" } } }',
    'when = { can = [{ high = { lead = "wheel" } }, { low = { category = "pair", lead = "pair1" } }] }',
    'when = { cannot = { high = { at_least = "straight" } } }',
    'when = { cannot = [{ high = { at_least = "flush" } }, { low = { at_least = "A" } }] }',
    'when = { shape = "pair" }\nrequire = { high = { plays = "pair1" } }',
    'when = { shape = "two_pair" }\nrequire = { high = { plays = ["pair1", "pair2"] } }',
    'require = { high = { plays = "trip1" } }',
    'require = { high = { plays = ["trip1", "pair1"] } }',
    'require = { high = { plays = "quad" } }',
    'require = { high = { keeps = "pair1", not = { at_least = "straight" } } }',
    'require = { high = { not = [{ keeps = "joker" }, { category = "pair", lead = "7..2" }] } }',
    'require = { high = { not = { lead = "A", keeps = "pair1" } }, low = { not = { lead = "A" } } }',
    'require = [{ low = { second = "T..2" } }, { high = { category = "flush", second = "top2" } }]',
    'require = { high = { second = "pair2" }, low = { lead = "top2" } }',
    'when = { ranks = { top3 = "Q..8" } }\nrequire = { high = { lead = "top1", second = "top3" } }',
    'when = { ranks = { top2 = "K..9" }, run = false, one_suit = false, joker = true, complete = true }',
]


def asks_of(path: Path) -> tuple[CompiledWay, dict[str, Any], Meaning]:
    """Return a house way as a program, as it stands in its file, and what its words mean."""
    program = compile_way(read_house_way(path))
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    order = program.ranking
    categories = [tuple(c.name for c in part.category) for part in order.document.part]
    parts = data.get("parts") or order.part_names
    return program, data, Meaning(parts, categories, order.ace_low_straight)


def misunderstood(path: Path, hands: Array, program: CompiledWay | None = None) -> list[str]:
    """Return the rules whose conditions or filters are answered otherwise than their words say."""
    compiled, data, meaning = asks_of(path)
    program = program or compiled
    rules = {rule["id"]: rule for rule in data["rule"]}
    by_kernel = run_program(program, hands)
    found = []
    for row, sorted_hand in enumerate(hands):
        cards = cards_of(sorted_hand)
        judging = HandJudgement(program, cards, None)
        texts: dict[Masks, Setting] = {
            masks: tuple(tuple(map(str, part_of(cards, mask))) for mask in masks) for masks in judging.legal
        }
        hand, first = Hand([str(card) for card in cards], list(texts.values())), None
        for number, rule in enumerate(program.rules):
            told = rules[rule.rule.id]
            applies = meaning.hand_is(hand, told.get("when", {}))
            fine = meaning.settings_that_are(hand, told.get("require"))
            allowed = {masks for masks, setting in texts.items() if setting in fine}
            if judging.hand_is(rule.when) != applies:
                found.append(f"{rule.rule.id}: when: {show(cards)}")
            if set(judging.allowed(rule)) != allowed:
                found.append(f"{rule.rule.id}: require: {show(cards)}")
            for asked, cited in zip(rule.cites, told.get("cites", ()), strict=True):
                if judging.hand_is(asked.when) != meaning.hand_is(hand, cited.get("when", {})):
                    found.append(f"{rule.rule.id}: cites: {show(cards)}")
            if applies and first is None:
                first = number
        if by_kernel.rules[row] != (-1 if first is None else first):
            found.append(f"{program.way.id}: the kernel: {show(cards)}")
    return found


def hands_for(path: Path, count: int) -> Array:
    program, _, _ = asks_of(path)
    found = random_hands(19, sum(program.split), count)
    found.sort(axis=1)
    return found


@pytest.mark.parametrize("path", WAYS, ids=[path.stem for path in WAYS])
def test_every_ask_means_what_its_words_say(path: Path) -> None:
    assert misunderstood(path, hands_for(path, FEW)) == []


@pytest.mark.exhaustive
@pytest.mark.parametrize("path", WAYS, ids=[path.stem for path in WAYS])
def test_every_ask_means_what_its_words_say_on_many_hands(path: Path) -> None:
    hands = hands_for(path, MANY)
    for first in range(0, MANY, 5_000):
        assert misunderstood(path, hands[first : first + 5_000]) == []


@pytest.fixture
def every_word(tmp_path: Path) -> Path:
    """Return a house way whose rules ask in the words that the shipped ones seldom use."""
    rules = [
        f'[[rule]]\nid = "ask-{number}"\nsay = "Asks."\n{ask}\nprefer = ["high", "low"]'
        for number, ask in enumerate(ASKS)
    ]
    path = tmp_path / "every-word.toml"
    path.write_text("\n".join([EVERY_WORD, *rules]), encoding="utf-8")
    return path


def test_every_word_means_what_the_page_says(every_word: Path) -> None:
    assert misunderstood(every_word, hands_for(every_word, 200)) == []


@pytest.mark.parametrize("name", ["foxwoods", "houseway-421"])
def test_a_lead_that_is_not_a_card_is_found(name: str) -> None:
    """A straight's strength holds its place among straights where other hands have their leading rank."""
    path = HOUSE_WAY_FILES / f"{name}.toml"
    program, _, _ = asks_of(path)
    vars(program)["straights"] = tuple({} for _ in program.split)
    found = misunderstood(path, hands_for(path, 120), program)
    assert found
    assert {one.split(":")[0] for one in found} <= {"no-pair", "nothing"}
