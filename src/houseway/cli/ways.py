"""``houseway way``: house ways shown and compared, and whether one is sound."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from typer.exceptions import Exit

from houseway.cli.files import verify_file, write_file
from houseway.cli.output import AsJson, console, emit, table
from houseway.cli.progress import progress
from houseway.cli.way_edges import diff_command, watch_command, worth_command
from houseway.cli.way_names import WayArgument, find_way
from houseway.cli.weakness import weakness_command
from houseway.errors import InvalidInputError
from houseway.games import game
from houseway.houseways import compile_way, house_ways
from houseway.houseways.document import Points
from houseway.houseways.examples import wrong_examples
from houseway.houseways.starting import begin_way, house_way_text
from houseway.ranking import ranking

app = typer.Typer(help="Show and prove house ways.", rich_markup_mode=None)
app.command("diff")(diff_command)
app.command("worth")(worth_command)
app.command("watch")(watch_command)
app.command("weakness")(weakness_command)


@app.command("list")
def list_command(as_json: AsJson = False) -> None:
    """List the house ways that come with houseway."""
    if as_json:
        emit([{"id": w.id, "title": w.title, "ranking": w.ranking, "ours": w.ours} for w in house_ways()])
        return
    rows = [(w.id, w.title, w.ranking, len(w.rule)) for w in house_ways()]
    table("House ways", ["id", "title", "ranking", "rules"], rows)


def _points(line: Points) -> str:
    """Return in words what a line of points counts for.

    >>> _points(Points(say="Pairs.", part="low", points=11, each=1)), _points(Points(say="Any.", part="low"))
    ('11, +1 a rank above 2', '0')
    """
    more = f", {line.each:+} a rank above {line.above}" if line.each else ""
    return f"{line.points}{more}"


@app.command("show")
def show_command(
    name: WayArgument,
    as_toml: Annotated[bool, typer.Option("--toml", help="Print the document itself.")] = False,
    as_json: AsJson = False,
) -> None:
    """Print a house way as a page to file."""
    if as_toml:
        console().print(house_way_text(name), markup=False, end="", soft_wrap=True)
        return
    way = find_way(name, as_json=as_json)
    if as_json:
        emit(way.model_dump())
        return
    console().print(way.title, style="bold", markup=False, end=" ")
    console().print(f"({way.id})\n{way.about}\n", markup=False)
    for source in way.source:
        console().print(f"Source: {source.title}, {source.address}. {source.note}".rstrip(), markup=False)
    if way.ours:
        console().print("This house way is houseway's own. It is no regulator's and no operator's.\n")
    rows = [(i, r.id, r.say, " ".join(r.clauses) or r.worth) for i, r in enumerate(way.rule, start=1)]
    last = "worth, points" if way.ours else "clauses"
    table("The first rule that applies decides", ["", "rule", "the dealer", last], rows)
    if way.points:
        table("Points", ["part", "", "points"], [(line.part, line.say, _points(line)) for line in way.points])
    if way.example:
        table("Examples", ["hand", "set as", ""], [(e.hand, e.sets, e.say) for e in way.example])


@app.command("new")
def new_command(
    path: Annotated[Path, typer.Argument(metavar="FILE", help="The .toml file to write.")],
    game_id: Annotated[str | None, typer.Option("--game", help="The game it is for.")] = None,
    source: Annotated[str, typer.Option("--from", help="The house way to begin from.")] = "foxwoods",
) -> None:
    """Write a new house way to edit, with the rules of one that is there."""
    if path.suffix != ".toml":
        raise InvalidInputError("a house way is a .toml file", value=str(path))
    if path.exists():
        raise InvalidInputError("there is such a file already", value=str(path))
    verify_file(path)
    begun = find_way(source)
    order = ranking(game(game_id).ranking if game_id else begun.ranking)
    write_file(path, begin_way(path.stem, begun, house_way_text(source), order))
    console().print(f"{path}: {len(begun.rule)} rules of {begun.id}, for {order.id}", markup=False)


@app.command("check")
def check_command(name: WayArgument, as_json: AsJson = False) -> None:
    """Prove a house way over every hand: decided by one rule, never foul, no rule shadowed.

    Its own examples are checked first.
    """
    from houseway.houseways.proof import prove_way  # noqa: PLC0415 - numba only when it is needed

    program = compile_way(find_way(name, as_json=as_json))
    wrong = wrong_examples(program)
    with progress("every hand", quiet=as_json) as advance:
        report = prove_way(program, advance)
    report.faults[:0] = wrong
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
