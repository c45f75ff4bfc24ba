"""``houseway coach``: every legal way to set a hand, with what each is worth, exactly."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from houseway.cards import parse_cards, show_setting
from houseway.cli.hands import CardsArgument, SubmissionOption, find_rules
from houseway.cli.output import AsJson, GameArgument, console, emit, table
from houseway.cli.progress import progress
from houseway.cli.way_names import DealersWay, commission_of
from houseway.games.ways import way_of
from houseway.settlement.model import DOUBLE_DOWN

if TYPE_CHECKING:
    from houseway.odds.coach import HandAdvice, SettingOdds


def coach_command(
    game_id: GameArgument,
    cards: CardsArgument,
    submission: SubmissionOption = None,
    seen: Annotated[str, typer.Option(help="Other players' cards that were seen.")] = "",
    way: DealersWay = None,
    every: Annotated[
        bool, typer.Option("--every", help="Count settings too that another one beats on every part.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Say what every legal setting of a hand is worth: against the house way, over all unseen cards.

    Where a table offers a Double Down a setting is worth what it comes to doubled, if that is more.
    After `houseway best` the values are looked up, and settings that can never be best are left out.
    """
    from houseway.odds.coach import Coach  # noqa: PLC0415 - numba only when it is needed
    from houseway.odds.kept import kept_table  # noqa: PLC0415
    from houseway.odds.stored import stored_values  # noqa: PLC0415

    game, rules = find_rules(game_id, submission)
    dealer = way_of(game, rules, way)
    doubling = rules is not None and rules.offers(DOUBLE_DOWN)
    hand = parse_cards(cards, count=game.hand_cards)
    others = parse_cards(seen) if seen else ()
    stored = None if others or every else stored_values(dealer, commission_of(game), doubling=doubling)
    advice = stored.advise(hand) if stored else None
    if advice is None:
        with progress("the dealer's setting of every hand, once", quiet=as_json) as advance:
            dealers = kept_table(dealer, advance)
        advice = Coach(dealer, commission_of(game), dealers, doubling=doubling).advise(hand, others)
    if as_json:
        emit(plain_advice(advice))
    else:
        show_advice(advice)


def plain_advice(advice: HandAdvice) -> dict[str, Any]:
    """Return advice as plain data, the best setting first."""
    return {
        "best": plain_setting(advice.best),
        "house_way": plain_setting(advice.house_way) | {"rule": advice.rule},
        "price": float(advice.price),
        "settings": [plain_setting(odds) for odds in advice.settings],
    }


def plain_setting(odds: SettingOdds) -> dict[str, Any]:
    """Return one setting with its exact counts."""
    return {
        "setting": show_setting(odds.setting),
        "win": odds.wins,
        "push": odds.pushes,
        "lose": odds.losses,
        "expectation": float(odds.expectation),
        "exact": str(odds.expectation),
        "double": None if odds.doubling is None else odds.doubles,
        "double_adds": None if odds.double_adds is None else str(odds.double_adds),
    }


def say_double(valued: SettingOdds) -> str:
    """Return yes or no to doubling with a setting, and what doubling adds."""
    return f"{'yes' if valued.doubles else 'no'}, {float(valued.double_adds or 0):+.4f}"


def tell_doubling(valued: SettingOdds) -> str:
    """Return a sentence: whether to double with a setting, and what that adds."""
    if valued.placed:
        return (
            f"with {show_setting(valued.setting)} the Double Down adds {float(valued.double_adds or 0):+.4f}"
        )
    if valued.doubles:
        adds = f"{float(valued.double_adds or 0):.4f}"
        return f"double down with {show_setting(valued.setting)}: it adds {adds} of a wager"
    return (
        f"do not double down with {show_setting(valued.setting)}: it would lose"
        f" {-float(valued.double_adds or 0):.4f} of a wager"
    )


def tell_worth(valued: SettingOdds) -> str:
    """Return a sentence: whether to double with a setting, and what the hand is worth then."""
    added = float(valued.double_adds or 0)
    choice = "double" if valued.doubles else "do not double"
    worth = f"the hand is worth {float(valued.expectation):+.4f} with the better choice"
    setting = show_setting(valued.setting)
    return f"{setting}: {choice}. Doubling adds {added:+.4f} of the wager on average; {worth}"


def show_advice(advice: HandAdvice) -> None:
    """Print the settings, the best first; of equal worth only the first."""
    rows, shown = [], set()
    doubling = advice.best.doubling is not None
    for odds in advice.settings:
        key = (odds.wins, odds.losses, odds.doubling)
        if key in shown:
            continue
        shown.add(key)
        every = odds.wins + odds.pushes + odds.losses
        shares = [f"{count / every:.2%}" for count in (odds.wins, odds.pushes, odds.losses)]
        house = advice.house_way
        mark = "house way" if key == (house.wins, house.losses, house.doubling) else ""
        double = (say_double(odds),) if doubling else ()
        rows.append((show_setting(odds.setting), *shares, *double, f"{float(odds.expectation):+.4f}", mark))
    table(
        "Every legal setting, by what a wager of one wins",
        ["setting", "win", "push", "lose", *(["double down"] if doubling else []), "worth", ""],
        rows,
    )
    if doubling:
        console().print(tell_doubling(advice.best), markup=False)
    if advice.price:
        console().print(
            f"the house way ({advice.rule}) gives up {float(advice.price):.4f} of a wager", markup=False
        )
    else:
        console().print(f"the house way ({advice.rule}) is best", markup=False)
