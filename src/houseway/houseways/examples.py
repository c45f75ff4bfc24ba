"""The examples of a house way's document: hands, and how the way sets them."""

from __future__ import annotations

from houseway.cards import Cards, parse_cards, parse_setting, show_setting
from houseway.errors import HousewayError
from houseway.houseways.compiler import CompiledWay
from houseway.houseways.document import Example
from houseway.houseways.plain import decide


def wrong_examples(program: CompiledWay) -> list[str]:
    """Return how the way sets every example that it does not set as written."""
    problems = [
        (number, example, _wrong(program, example)) for number, example in enumerate(program.way.example, 1)
    ]
    return [
        f"{program.way.id}: example {number}: {example.hand}: {problem}"
        for number, example, problem in problems
        if problem
    ]


def _wrong(program: CompiledWay, example: Example) -> str | None:
    """Return what is wrong with an example; settings of equal strength are the same setting."""
    try:
        wanted = parse_setting(example.sets, program.split)
        decision = decide(program, parse_cards(example.hand))
    except HousewayError as error:
        return str(error)
    if _strengths(program, decision.setting) == _strengths(program, wanted):
        return None
    actual, expected = show_setting(decision.setting), show_setting(wanted)
    return f"set as {actual} by rule {decision.rule}, not as {expected}"


def _strengths(program: CompiledWay, setting: tuple[Cards, ...]) -> list[int]:
    names = program.ranking.part_names
    return [program.ranking.strength(name, part) for name, part in zip(names, setting, strict=True)]
