"""``houseway set`` and ``houseway way``: how hands are set, and whether a house way is sound."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from typer.exceptions import Exit

from houseway.cards import parse_cards, show, show_setting
from houseway.cli.bulk import read_lines, setting_lines
from houseway.cli.hands import CardsArgument, ranking_of
from houseway.cli.output import AsJson, GameArgument, NotesOption, console, emit, table
from houseway.errors import InvalidInputError
from houseway.games import example_submission
from houseway.games.game import Game
from houseway.houseways import Decision, Program, compile_way, decide, house_way, house_ways
from houseway.ranking import Ranking, describe, ranking

if TYPE_CHECKING:
    from houseway.houseways.difference import Difference

app = typer.Typer(help="Show and prove house ways.", rich_markup_mode=None)
WayArgument = Annotated[str, typer.Argument(metavar="ID|FILE", help="A house way's id, or a .toml file.")]


def program_for(found: Game, order: Ranking, name: str | None) -> Program:
    """Compile the named house way for a game, or the one its example submission names."""
    chosen = name or (example_submission(found.id).house_way if found.licensed else "foxwoods")
    if chosen is None:
        raise InvalidInputError("name a house way with --house-way", value=found.id)
    way = house_way(chosen)
    program = compile_way(way, base=order)
    if program.ranking.split != found.split:
        raise InvalidInputError(f"{found.id} is not set this way", value=way.id)
    return program


def set_command(
    game_id: GameArgument,
    cards: CardsArgument,
    way: Annotated[str | None, typer.Option("--house-way", help="An id, or a .toml file.")] = None,
    explain: Annotated[bool, typer.Option(help="Say which rules were asked what.")] = False,
    as_json: AsJson = False,
) -> None:
    """Set a hand the house way."""
    found, order = ranking_of(game_id)
    program = program_for(found, order, way)
    if cards == "-":
        setting_lines(program, read_lines())
        return
    decision = decide(program, parse_cards(cards, count=found.hand_cards), explain=explain)
    if as_json:
        emit(_plain(decision, explain=explain))
    else:
        _show(program, decision)


def _plain(decision: Decision, *, explain: bool) -> dict[str, object]:
    data: dict[str, object] = {
        "parts": [[str(card) for card in part] for part in decision.setting],
        "rule": decision.rule,
        "clause": decision.clauses[0] if decision.clauses else None,
    }
    if explain:
        data["steps"] = [
            {"rule": s.rule, "fired": s.fired, "asked": [{"question": q, "answer": a} for q, a in s.asked]}
            for s in decision.steps
        ]
    return data


def _show(program: Program, decision: Decision) -> None:
    out = console()
    for step in decision.steps:
        asked = "; ".join(f"{question}? {'yes' if answer else 'no'}" for question, answer in step.asked)
        out.print(f"{'=>' if step.fired else '  '} {step.rule}: {asked or 'always'}", markup=False)
    out.print(show_setting(decision.setting), markup=False)
    for name, part in zip(program.ranking.part_names, decision.setting, strict=True):
        out.print(f"  {name}: {describe(program.ranking.rank(name, part))}", markup=False)
    law = f" [{', '.join(decision.clauses)}]" if decision.clauses else ""
    out.print(f"{decision.rule}: {decision.say}{law}", markup=False)


@app.command("list")
def list_command(as_json: AsJson = False) -> None:
    """List the house ways that come with houseway."""
    if as_json:
        emit([{"id": w.id, "title": w.title, "ranking": w.ranking, "ours": w.ours} for w in house_ways()])
        return
    rows = [(w.id, w.title, w.ranking, len(w.rule)) for w in house_ways()]
    table("House ways", ["id", "title", "ranking", "rules"], rows)


@app.command("show")
def show_command(name: WayArgument, as_json: AsJson = False) -> None:
    """Print a house way as a page to file."""
    way = house_way(name)
    if as_json:
        emit(way.model_dump())
        return
    console().print(way.title, style="bold", markup=False, end=" ")
    console().print(f"({way.id})\n{way.about}\n", markup=False)
    if way.ours:
        console().print("This house way is houseway's own. It is no regulator's and no operator's.\n")
    rows = [(i, r.id, r.say, " ".join(r.clauses) or r.worth) for i, r in enumerate(way.rule, start=1)]
    last = "worth, points" if way.ours else "clauses"
    table("The first rule that applies decides", ["", "rule", "the dealer", last], rows)


@app.command("check")
def check_command(name: WayArgument, as_json: AsJson = False) -> None:
    """Prove a house way over every hand: decided by one rule, never foul, no rule shadowed."""
    from houseway.houseways.proof import prove_way  # noqa: PLC0415 - numba only when it is needed

    program = compile_way(house_way(name))
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console(), transient=True, disable=as_json) as bar:
        task = bar.add_task("hands", total=None)
        report = prove_way(program, lambda done, total: bar.update(task, completed=done, total=total))
    if as_json:
        emit(report.as_dict())
    else:
        rows = [(rule, f"{hands:,}", f"{hands / report.hands:.4%}") for rule, hands in report.by_rule.items()]
        table(f"{program.way.id}: {report.hands:,} hands", ["rule", "hands decided", "share"], rows)
        for fault in report.faults:
            console().print(f"fault: {fault}", markup=False)
        console().print("sound" if report.sound else "not sound")
    if not report.sound:
        raise Exit(1)


@app.command("diff")
def diff_command(
    one: WayArgument,
    other: WayArgument,
    edge: Annotated[bool, typer.Option(help="Also the change in the edge, exactly.")] = True,
    as_json: AsJson = False,
) -> None:
    """Say which hands two house ways set differently, by which rules, and what it does to the edge."""
    from houseway.houseways.difference import difference  # noqa: PLC0415 - numba only when it is needed

    order = house_way(one).ranking
    first, second = (compile_way(house_way(name), base=ranking(order)) for name in (one, other))
    with Progress(console=console(), transient=True, disable=as_json) as bar:
        task = bar.add_task("every hand, both ways", total=None)
        told = lambda done, total: bar.update(task, completed=done, total=total)  # noqa: E731 - a callback
        found = difference(first, second, told)
    edges = _edges(first, second, quiet=as_json) if edge and found.set_differently else None
    if as_json:
        emit(_plain_difference(found) | ({"edge": edges} if edges else {}))
        return
    rows = [
        (row.one, row.other, f"{row.hands:,}", f"{row.hands / found.hands:.4%}", show(row.examples[0]))
        for row in found.differing
    ]
    title = f"{first.way.id} against {second.way.id}: {found.set_differently:,} of {found.hands:,} hands"
    table(title, [first.way.id, second.way.id, "hands", "share", "such as"], rows)
    for name, percent in (edges or {}).items():
        console().print(f"{name}: {percent}", markup=False)


def _edges(first: Program, second: Program, *, quiet: bool) -> dict[str, str]:
    """Return the house's edge when the player, or the dealer, changes from one way to the other."""
    from houseway.cli.counting import counted  # noqa: PLC0415 - numba only when it is needed
    from houseway.odds.sides import percent  # noqa: PLC0415

    pairs = {
        f"dealer {first.way.id}, player {first.way.id}": (first, first),
        f"dealer {first.way.id}, player {second.way.id}": (second, first),
        f"dealer {second.way.id}, player {first.way.id}": (first, second),
    }
    return {
        said: percent(counted(player, dealer, quiet=quiet, what=said).edge())
        for said, (player, dealer) in pairs.items()
    }


@app.command("worth")
def worth_command(
    way: WayArgument,
    notes: NotesOption = None,
    as_json: AsJson = False,
) -> None:
    """Say what each rule of a house way adds to the edge, exactly: about a minute a rule."""
    from houseway.cli.counting import counted  # noqa: PLC0415 - numba only when it is needed
    from houseway.odds.sides import percent  # noqa: PLC0415
    from houseway.odds.worth import rule_worths  # noqa: PLC0415

    program = compile_way(house_way(way))
    found = list(
        rule_worths(
            program, lambda mine, dealer, what: counted(mine, dealer, folder=notes, quiet=as_json, what=what)
        )
    )
    if as_json:
        emit(
            {
                "way": program.way.id,
                "edge": str(found[0].edge),
                "rules": {one.rule: {"without": str(one.without), "worth": str(one.worth)} for one in found},
            }
        )
        return
    rows = [(one.rule, percent(one.without), percent(one.worth)) for one in found]
    title = f"{program.way.id}: edge {percent(found[0].edge)}, both sides setting by it"
    table(title, ["rule", "edge of a dealer without it", "worth"], rows)


def _plain_difference(found: Difference) -> dict[str, object]:
    return {
        "hands": found.hands,
        "set_differently": found.set_differently,
        "by_rule": [
            {
                "one": row.one,
                "other": row.other,
                "hands": row.hands,
                "examples": [show(cards) for cards in row.examples],
            }
            for row in found.differing
        ],
    }
