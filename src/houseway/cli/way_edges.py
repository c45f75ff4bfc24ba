"""``houseway way diff``, ``worth`` and ``watch``: house ways side by side, and what each does to the edge."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import suppress
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer
from typer.exceptions import Exit

from houseway.cards import show, show_setting
from houseway.cli.output import AsJson, NotesOption, console, emit, table
from houseway.cli.progress import progress
from houseway.cli.way_names import GameOption, WayArgument, commission_of, find_way, game_of
from houseway.errors import HousewayError
from houseway.houseways import CompiledWay, compile_way, house_way
from houseway.houseways.examples import wrong_examples

if TYPE_CHECKING:
    from houseway.houseways.difference import Difference
    from houseway.odds.maingame import MainGame
    from houseway.odds.recount import EditedWay

LOOK_EVERY: Final = 0.4
"""Seconds between two looks at a file that is watched."""
SHOWN: Final = 12
"""The most pairs of rules printed when a file is saved."""


def diff_command(
    way: WayArgument,
    other: WayArgument,
    game_id: GameOption = None,
    edge: Annotated[bool, typer.Option(help="Also the four pairings' edges, exactly.")] = True,
    as_json: AsJson = False,
) -> None:
    """Say which hands two house ways set differently, by which rules, and what it does to the edge."""
    from houseway.houseways.difference import difference  # noqa: PLC0415 - numba only when it is needed

    game, order = game_of(find_way(way, as_json=as_json), game_id)
    first, second = (compile_way(find_way(name, as_json=as_json), base=order) for name in (way, other))
    with progress("every hand, both ways", quiet=as_json) as advance:
        differs = difference(first, second, advance)
    edges: dict[str, Fraction] = {}
    if edge and differs.set_differently:
        edges = four_edges(first, second, commission_of(game), quiet=as_json)
    if as_json:
        emit(
            plain_difference(differs)
            | ({"edge": {k: plain_edge(v) for k, v in edges.items()}} if edges else {})
        )
        return
    title = f"{first.way.id} against {second.way.id}: {differs.set_differently:,} of {differs.hands:,} hands"
    show_difference(title, differs, first.way.id, second.way.id)
    show_edges(edges, commission_of(game))


def four_edges(
    first: CompiledWay, second: CompiledWay, commission: Fraction, *, quiet: bool = False
) -> dict[str, Fraction]:
    """Return the house's edge for each of both ways on each side, counted in one pass."""
    from houseway.odds.maingame import main_games  # noqa: PLC0415 - numba only when it is needed

    ways = (first, second)
    with progress("four pairings, every pair of hands", quiet=quiet) as advance:
        games = main_games(ways, ways, tell=advance)
    return {
        f"dealer {dealer.way.id}, player {player.way.id}": games[i][j].edge(commission)
        for j, dealer in enumerate(ways)
        for i, player in enumerate(ways)
    }


def show_difference(title: str, differs: Difference, first: str, other: str, most: int | None = None) -> None:
    """Print the hands that are set differently, by pair of rules, with both settings of an example."""
    rows = [
        (
            row.first,
            row.second,
            f"{row.hands:,}",
            f"{row.hands / differs.hands:.4%}",
            show_setting(row.examples[0].first),
            show_setting(row.examples[0].second),
        )
        for row in differs.differing[:most]
    ]
    columns = [f"rule of {first}", f"rule of {other}", "hands", "share", f"{first} sets", f"{other} sets"]
    table(title, columns, rows)


def show_edges(edges: dict[str, Fraction], commission: Fraction) -> None:
    """Print the house's edges, and the commission in them."""
    from houseway.odds.sides import percent  # noqa: PLC0415 - numpy only when it is needed

    for name, edge in edges.items():
        console().print(f"{name}: {percent(edge)}", markup=False)
    if edges and commission:
        console().print(f"with a commission of {percent(commission)} on wins", markup=False)


def plain_edge(edge: Fraction) -> dict[str, str]:
    """Return an edge exactly, and in per cent."""
    from houseway.odds.sides import percent  # noqa: PLC0415 - numpy only when it is needed

    return {"exact": str(edge), "percent": percent(edge)}


def plain_difference(differs: Difference) -> dict[str, Any]:
    """Return a difference as plain data."""
    return {
        "hands": differs.hands,
        "set_differently": differs.set_differently,
        "by_rule": [
            {
                "one": row.first,
                "other": row.second,
                "hands": row.hands,
                "examples": [
                    {"hand": show(hand), "one": show_setting(first), "other": show_setting(other)}
                    for hand, first, other in row.examples
                ],
            }
            for row in differs.differing
        ],
    }


def worth_command(
    way: WayArgument,
    game_id: GameOption = None,
    notes: NotesOption = None,
    as_json: AsJson = False,
) -> None:
    """Say what each rule of a house way adds to the edge, exactly: about half a minute a rule."""
    from houseway.cli.long_counts import count_main_game  # noqa: PLC0415 - numba only when it is needed
    from houseway.odds.sides import percent  # noqa: PLC0415
    from houseway.odds.worth import rule_worths  # noqa: PLC0415

    named = find_way(way, as_json=as_json)
    game, order = game_of(named, game_id)
    program = compile_way(named, base=order)

    def count(mine: CompiledWay, dealer: CompiledWay, what: str) -> MainGame:
        return count_main_game(mine, dealer, folder=notes, quiet=as_json, what=what)

    worths = list(rule_worths(program, count, commission_of(game)))
    if as_json:
        rules = {row.rule: {"without": str(row.without), "worth": str(row.worth)} for row in worths}
        emit({"way": program.way.id, "edge": str(worths[0].edge), "rules": rules})
        return
    rows = [(row.rule, percent(row.without), percent(row.worth)) for row in worths]
    title = f"{program.way.id}: edge {percent(worths[0].edge)}, both sides setting by it"
    table(title, ["rule", "edge of a dealer without it", "worth"], rows)


# --- watched while it is edited ------------------------------------------------------------------------


def watch_command(
    path: Annotated[Path, typer.Argument(metavar="FILE", help="The house way that is being edited.")],
    against: Annotated[str, typer.Option(help="The way it is counted against, on either side.")] = "",
    game_id: GameOption = None,
) -> None:
    """Prove a house way at each save, show the hands that changed, and its exact edge."""
    watched = WatchedWay(path, against, game_id)
    try:
        for _ in saves(path):
            watched.report_save()
    except KeyboardInterrupt:
        raise Exit(0) from None


def saves(path: Path) -> Iterator[None]:
    """Yield once at the start, and again whenever the file was written."""
    last: tuple[int, int] | None = None
    while True:
        seen = last
        with suppress(OSError):  # an editor may be putting a new file in its place
            seen = path.stat().st_mtime_ns, path.stat().st_size
        if seen != last or last is None:
            last = seen
            yield
        time.sleep(LOOK_EVERY)


class WatchedWay:
    """A house-way file under edit, with its last sound program."""

    def __init__(self, path: Path, against: str = "", game_id: str | None = None) -> None:
        self.path, self.against, self.game_id = path, against, game_id
        self.program: CompiledWay | None = None
        self.edited: EditedWay | None = None

    def report_save(self) -> None:
        """Print a report of the saved file: faults, proof, changed hands, edges."""
        try:
            self._report()
        except (HousewayError, Exit) as error:
            if isinstance(error, HousewayError):
                console().print(f"{self.path.name}: {error}", style="red", markup=False)
            console().print("correct this to see the rest of the report", style="dim")

    def _report(self) -> None:
        from houseway.houseways.difference import difference  # noqa: PLC0415 - numba when it is needed
        from houseway.houseways.proof import prove_way  # noqa: PLC0415

        way = find_way(str(self.path))
        game, order = game_of(way, self.game_id)
        program = compile_way(way, base=order)
        with progress("every hand") as advance:
            report = prove_way(program, advance)
        faults = [*wrong_examples(program), *report.faults]
        for fault in faults:
            console().print(f"fault: {fault}", style="red", markup=False)
        if faults:
            return
        console().print(f"{way.id}: sound over {report.hands:,} hands", style="green", markup=False)
        if self.program is not None:
            with progress("what changed since the last save") as advance:
                differs = difference(self.program, program, advance)
            title = f"{differs.set_differently:,} of {differs.hands:,} hands are now set differently"
            show_difference(title, differs, "before", "now", SHOWN)
        self.program = program
        show_edges(self._edges(program, commission_of(game)), commission_of(game))

    def _edges(self, program: CompiledWay, commission: Fraction) -> dict[str, Fraction]:
        """Return the edges; only what changed since the last save is counted again."""
        from houseway.odds.recount import EditedWay  # noqa: PLC0415 - numba when it is needed

        with progress("exact edges") as advance:
            if self.edited is None:
                rival = compile_way(house_way(self.against), base=program.ranking) if self.against else None
                self.edited = EditedWay(program, rival, tell=advance)
            else:
                self.edited.edit(program, advance)
        games, own = self.edited.games, program.way.id
        edges = {f"{own} on both sides": games.itself.edge(commission)}
        if games.as_player and games.as_dealer:
            edges[f"dealer {self.against}, player {own}"] = games.as_player.edge(commission)
            edges[f"dealer {own}, player {self.against}"] = games.as_dealer.edge(commission)
        return edges
