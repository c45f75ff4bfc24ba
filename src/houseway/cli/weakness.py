"""``houseway way weakness``: what the best player gains against a house way, and on which hands."""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING, Any

from houseway.cards import show_setting
from houseway.cli.output import AsJson, console, emit, table
from houseway.cli.progress import progress
from houseway.cli.way_names import GameOption, WayArgument, commission_of, find_way, game_of
from houseway.houseways import compile_way

if TYPE_CHECKING:
    from houseway.odds.weakness import ShapeWeakness, Weakness


def weakness_command(way: WayArgument, game_id: GameOption = None, as_json: AsJson = False) -> None:
    """Say what the best player gains against a house way, shape by shape, and where it gives most away.

    Some minutes for a way that is new; what was counted before is looked up.
    """
    from houseway.odds.sides import percent  # noqa: PLC0415 - numpy only when it is needed
    from houseway.odds.weakness import find_weakness  # noqa: PLC0415

    named = find_way(way, as_json=as_json)
    game, order = game_of(named, game_id)
    with progress("every setting of every hand", quiet=as_json) as advance:
        weak = find_weakness(compile_way(named, base=order), commission_of(game), tell=advance)
    if as_json:
        emit(plain_weakness(named.id, weak))
        return
    _show("the best player gains, by the player's hand", "the player of the same way sets", weak.player)
    _show("a dealer free to set differently wins back, by the dealer's hand", "the way sets", weak.dealer)
    gain = weak.itself - weak.best
    console().print(
        f"{named.id}: {percent(weak.itself)} against a player of the same way, {percent(weak.best)} against "
        f"the best; the best player gains {percent(gain)}",
        markup=False,
    )


def _show(title: str, now: str, rows: tuple[ShapeWeakness, ...]) -> None:
    from houseway.odds.sides import percent  # noqa: PLC0415 - numpy only when it is needed

    table(
        title[0].upper() + title[1:],
        ["shape", "hands", "set differently", "gain"],
        [
            (row.shape.replace("_", " "), percent(row.share), percent(row.otherwise), percent(row.gain))
            for row in rows
        ],
    )
    worst = sorted((hand for row in rows for hand in row.hands), key=attrgetter("price"), reverse=True)[:10]
    table(
        "The hands that give most away",
        [now, "best", "gives away"],
        [(show_setting(hand.way), show_setting(hand.best), percent(hand.price)) for hand in worst],
    )


def plain_weakness(way: str, weak: Weakness) -> dict[str, Any]:
    """Return a weakness as plain data, fractions exactly."""
    return {
        "way": way,
        "edge": {"same_way": str(weak.itself), "best_player": str(weak.best)},
        "player": [_plain(row) for row in weak.player],
        "dealer": [_plain(row) for row in weak.dealer],
    }


def _plain(row: ShapeWeakness) -> dict[str, Any]:
    return {
        "shape": row.shape,
        "share": str(row.share),
        "set_otherwise": str(row.otherwise),
        "gain": str(row.gain),
        "hands": [
            {"way": show_setting(hand.way), "best": show_setting(hand.best), "gives_away": str(hand.price)}
            for hand in row.hands
        ],
    }
