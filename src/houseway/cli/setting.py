"""``houseway set``: how hands are set the house way."""

from __future__ import annotations

from typing import Annotated

import typer
from typer.exceptions import Exit

from houseway.cards import parse_cards, show_setting
from houseway.cli.hands import CardsArgument, StrictOption
from houseway.cli.output import AsJson, GameArgument, console, emit
from houseway.cli.printing import BAD_INPUT
from houseway.games import game as find_game
from houseway.games.ways import example_rules, way_of
from houseway.houseways import CompiledWay, Decision, decide
from houseway.library.values import cited
from houseway.ranking import describe


def set_command(
    game_id: GameArgument,
    cards: CardsArgument,
    way: Annotated[str | None, typer.Option("--house-way", help="An id, or a .toml file.")] = None,
    explain: Annotated[bool, typer.Option(help="Say which rules were asked what.")] = False,
    strict: StrictOption = False,
    as_json: AsJson = False,
) -> None:
    """Set a hand the house way."""
    game = find_game(game_id)
    program = way_of(game, example_rules(game), way)
    if cards == "-":
        from houseway.cli.bulk import BadLines, read_lines, setting_lines  # noqa: PLC0415 - arrays only here

        bad = BadLines(strict=strict, as_json=as_json)
        setting_lines(program, read_lines(), bad)
        raise Exit(BAD_INPUT if bad.count else 0)
    decision = decide(program, parse_cards(cards, count=game.hand_cards), explain=explain)
    if as_json:
        emit(_plain(program, decision, explain=explain))
    else:
        _show(program, decision)


def _plain(program: CompiledWay, decision: Decision, *, explain: bool) -> dict[str, object]:
    data: dict[str, object] = {
        "parts": {
            name: [str(card) for card in part]
            for name, part in zip(program.ranking.part_names, decision.setting, strict=True)
        },
        "rule": decision.rule,
        "clause": decision.clauses[0] if decision.clauses else None,
    }
    if explain:
        data["steps"] = [
            {"rule": s.rule, "fired": s.fired, "asked": [{"question": q, "answer": a} for q, a in s.answers]}
            for s in decision.steps
        ]
    return data


def _show(program: CompiledWay, decision: Decision) -> None:
    out = console()
    for step in decision.steps:
        questions = "; ".join(f"{question}? {'yes' if answer else 'no'}" for question, answer in step.answers)
        out.print(f"{'=>' if step.fired else '  '} {step.rule}: {questions or 'always'}", markup=False)
    out.print(show_setting(decision.setting), markup=False)
    for name, part in zip(program.ranking.part_names, decision.setting, strict=True):
        out.print(f"  {name}: {describe(program.ranking.rank(name, part))}", markup=False)
    out.print(f"{decision.rule}: {decision.say}{cited(decision.clauses)}", markup=False)
