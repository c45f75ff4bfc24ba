"""``houseway coach``: every legal way to set a hand, with what each is worth, exactly."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from houseway.cards import parse_cards, show_setting
from houseway.cli.hands import CardsArgument, ranking_of
from houseway.cli.output import AsJson, GameArgument, console, emit, table
from houseway.cli.progress import progress
from houseway.cli.way_names import DealersWay, commission_of
from houseway.cli.ways import program_for

if TYPE_CHECKING:
    from houseway.odds.coach import Advice, SettingOdds


def coach_command(
    game_id: GameArgument,
    cards: CardsArgument,
    seen: Annotated[str, typer.Option(help="Other players' cards that were seen.")] = "",
    way: DealersWay = None,
    every: Annotated[
        bool, typer.Option("--every", help="Count settings too that another one beats on every part.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Say what every legal setting of a hand is worth: against the house way, over all unseen cards.

    After `houseway best` the values are looked up, and settings that can never be best are left out.
    """
    from houseway.odds.coach import Coach  # noqa: PLC0415 - numba only when it is needed
    from houseway.odds.kept import kept_table  # noqa: PLC0415
    from houseway.odds.stored import stored_values  # noqa: PLC0415

    found, order = ranking_of(game_id)
    dealer = program_for(found, order, way)
    hand = parse_cards(cards, count=found.hand_cards)
    others = parse_cards(seen) if seen else ()
    stored = None if others or every else stored_values(dealer, commission_of(found))
    advice = stored.advise(hand) if stored else None
    if advice is None:
        with progress("the dealer's setting of every hand, once", quiet=as_json) as told:
            dealers = kept_table(dealer, told)
        advice = Coach(dealer, commission_of(found), dealers).advise(hand, others)
    if as_json:
        emit(plain_advice(advice))
    else:
        show_advice(advice)


def plain_advice(advice: Advice) -> dict[str, Any]:
    """Return advice as plain data, the best setting first."""
    return {
        "best": plain_setting(advice.best),
        "house_way": plain_setting(advice.house_way) | {"rule": advice.rule},
        "price": float(advice.price),
        "settings": [plain_setting(one) for one in advice.settings],
    }


def plain_setting(one: SettingOdds) -> dict[str, Any]:
    """Return one setting with its exact counts."""
    return {
        "setting": show_setting(one.setting),
        "win": one.wins,
        "push": one.pushes,
        "lose": one.losses,
        "expectation": float(one.expectation),
        "exact": str(one.expectation),
    }


def show_advice(advice: Advice) -> None:
    """Print the settings, the best first; of equal worth only the first."""
    rows, told = [], set()
    for one in advice.settings:
        key = (one.wins, one.losses)
        if key in told:
            continue
        told.add(key)
        every = one.wins + one.pushes + one.losses
        shares = [f"{count / every:.2%}" for count in (one.wins, one.pushes, one.losses)]
        mark = "house way" if key == (advice.house_way.wins, advice.house_way.losses) else ""
        rows.append((show_setting(one.setting), *shares, f"{float(one.expectation):+.4f}", mark))
    table(
        "Every legal setting, by what a wager of one wins",
        ["setting", "win", "push", "lose", "worth", ""],
        rows,
    )
    if advice.price:
        console().print(
            f"the house way ({advice.rule}) gives up {float(advice.price):.4f} of a wager", markup=False
        )
    else:
        console().print(f"the house way ({advice.rule}) is best", markup=False)
