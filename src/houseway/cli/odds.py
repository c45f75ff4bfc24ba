"""``houseway odds``: exact odds of a game's side wagers, and of its main game under house ways."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from houseway.cli.hands import SubmissionOption, find_rules
from houseway.cli.long_counts import RecountOption, count_main_game
from houseway.cli.output import AsJson, GameArgument, NotesOption, console, emit, table
from houseway.cli.progress import progress
from houseway.cli.published import show_published
from houseway.cli.way_names import commission_of
from houseway.errors import InvalidInputError
from houseway.games import Game, Paytable, Rules, read_own_paytable
from houseway.games.submission import ProgressiveChoice
from houseway.games.terms import number
from houseway.games.ways import ranking_in, way_of
from houseway.houseways import CompiledWay
from houseway.money import cents, dollars
from houseway.odds import SideOdds, side_odds
from houseway.odds.counted import BEST, both_sides
from houseway.odds.doubling import DoublingOdds, double_down
from houseway.odds.maingame import MainGame
from houseway.odds.progressive import ProgressiveOdds, meter_odds
from houseway.odds.sides import OTHERS, envy_odds, listed_tables, percent
from houseway.ranking import Ranking
from houseway.settlement.model import DOUBLE_DOWN, MAIN


def odds_command(
    game_id: GameArgument,
    submission: SubmissionOption = None,
    wager: Annotated[str | None, typer.Option(help="Only this wager; `main` is the main game.")] = None,
    paytable: Annotated[
        str | None, typer.Option(help="A listed paytable, or an own one as a .toml file.")
    ] = None,
    house: Annotated[
        str | None,
        typer.Option("--house-way", help="The dealer's house way; `best`: against the player's."),
    ] = None,
    player: Annotated[
        str | None,
        typer.Option("--player-way", help="The player's, or `best` against it; the dealer's if none."),
    ] = None,
    amount: Annotated[str | None, typer.Option(help="The progressive wager, such as $1.")] = None,
    seed_amount: Annotated[str | None, typer.Option(help="The meter's seed, such as $5,000.")] = None,
    rate: Annotated[str | None, typer.Option(help="The part of a wager that goes to the meter: 21%.")] = None,
    reserve: Annotated[str | None, typer.Option(help="The part that goes to the reserve.")] = None,
    published: Annotated[
        bool, typer.Option("--published", help="Hold the figures that the law prints against the counts.")
    ] = False,
    notes: NotesOption = None,
    afresh: RecountOption = False,
    as_json: AsJson = False,
) -> None:
    """Compute exact odds: side wagers in a moment, the main game over every pair of hands in a minute.

    With a submission: of the wagers on offer, by its paytables, options, readings and house way. Without one:
    of every paytable that the law lists, by our example.
    """
    game, rules = find_rules(game_id, submission)
    if published:
        show_published(game, as_json=as_json)
        return
    order = ranking_in(game, rules)
    filed = submission is not None
    posted = _choose_paytables(game, rules, order, wager, paytable, filed=filed) if rules else []
    sides = [(table, side_odds(by, table.wager, table)) for table, by in posted]
    changed = _MeterFigures(amount, seed_amount, rate, reserve)
    meter = [
        (t, changed.meter(by, t, o)) for (t, by), (_, o) in zip(posted, sides, strict=True) if o.meter_hands
    ]
    envy = [row for table, by in posted if by.offers(table.wager) for row in _envies(by, table)]
    main: MainGame | None = None
    open_way = partial(way_of, game, rules)
    if wager in (None, MAIN):
        sides_set = both_sides(open_way, player, house, commission_of(game))
        main = count_main_game(*sides_set, folder=notes, afresh=afresh, quiet=as_json)
    doubled = None
    if wager in (None, DOUBLE_DOWN) and rules is not None and rules.offers(DOUBLE_DOWN):
        doubled = _count_doubling(open_way, house, player, quiet=as_json)
    if as_json:
        plain = {"sides": [_plain(t, o) for t, o in sides], "main": _plain_main(game, main)}
        plain |= {"progressive": [_plain_meter(t, o) for t, o in meter], "envy": envy}
        emit(plain | ({"double_down": _plain_double(doubled)} if doubled else {}))
        return
    if sides:
        rows = [
            (
                t.wager,
                t.id,
                percent(o.hold),
                percent(o.hit_frequency),
                f"{float(o.variance):.4f}",
                _meter(o),
            )
            for t, o in sides
        ]
        table(
            f"{game.name}: side wagers",
            ["wager", "paytable", "hold", "hit", "variance", "paid by the meter"],
            rows,
        )
    if envy:
        heads = ["wager", "paytable", "stake", *(f"{n} others" for n in OTHERS)]
        table(
            "Envy: what other players' hands are worth to a wager", heads, [tuple(e.values()) for e in envy]
        )
    for of, odds in meter:
        _show_meter(of, odds)
    if main is not None:
        _show_main(game, main)
    if doubled is not None:
        _show_double(doubled)


def _choose_paytables(
    document: Game, rules: Rules, order: Ranking, wager: str | None, chosen: str | None, *, filed: bool
) -> list[tuple[Paytable, Rules]]:
    """Return the paytables of the options, each with the rules of a table that posts it.

    With a submission: those in force; else every listed one, or an operator's own.
    """
    listed = [listing.id for listing in order.document.listing]
    if wager not in (None, MAIN):
        document.wager_terms(wager or "")
    if chosen and chosen.endswith(".toml"):
        own = read_own_paytable(Path(chosen)).as_paytable()
        if own.wager not in listed:
            raise InvalidInputError("no side wager of this game", value=own.wager)
        return [(own, rules)]
    wagers = [side for side in rules.side_wagers if side in listed and wager in (None, side)]
    if filed and not chosen:
        return [(rules.paytable(side), rules) for side in wagers if rules.offers(side)]
    tables = [both for side in wagers for both in listed_tables(rules, side)]
    if chosen:
        tables = [(table, by) for table, by in tables if table.id == chosen]
        if not tables:
            raise InvalidInputError("no such paytable for this wager", value=chosen)
    return tables


@dataclass(frozen=True)
class _MeterFigures:
    """Figures of a meter to try in place of the filed ones."""

    amount: str | None
    seed: str | None
    rate: str | None
    reserve: str | None

    def meter(self, rules: Rules, of: Paytable, odds: SideOdds) -> ProgressiveOdds:
        """Return the odds of a progressive wager by the filed meter with these figures."""
        chosen = rules.submission.progressive or ProgressiveChoice()
        wager = cents(self.amount) if self.amount else chosen.amount or cents("$1")
        tried = chosen.model_copy(update={"amount": wager})
        submission = rules.submission.model_copy(update={"progressive": tried})
        filed = meter_odds(replace(rules, submission=submission), of.wager, odds, of)
        assert filed is not None, "asked of a wager that the meter pays"
        return replace(
            filed,
            seed=cents(self.seed) if self.seed else filed.seed,
            contribution=Fraction(number(self.rate)) if self.rate else filed.contribution,
            reserve=Fraction(number(self.reserve)) if self.reserve else filed.reserve,
        )


def _envies(rules: Rules, table: Paytable) -> list[dict[str, Any]]:
    """Return the average gain of envy wagers with 0 to 5 other players, as a part of the wager."""
    if rules.paytable(table.wager) != table:
        return []
    return [
        {"wager": envy.wager, "paytable": envy.paytable, "stake": dollars(envy.stake)}
        | {str(others): gain for others, gain in envy.gains().items()}
        for envy in envy_odds(rules, table.wager)
    ]


def _show_meter(of: Paytable, odds: ProgressiveOdds) -> None:
    table(
        f"Progressive, paytable {of.id}: {dollars(odds.amount)}, seed {dollars(odds.seed)}",
        ["", ""],
        odds.text_rows(),
    )


def _plain_meter(of: Paytable, odds: ProgressiveOdds) -> dict[str, Any]:
    return {
        "paytable": of.id,
        "amount": dollars(odds.amount),
        "seed": dollars(odds.seed),
        "fixed_return": str(odds.fixed_return),
        "seed_cost": str(odds.seed_cost),
        "contribution": str(odds.contribution),
        "reserve": str(odds.reserve),
        "hold": str(odds.hold),
        "hold_percent": percent(odds.hold),
        "least_hold": str(odds.least_hold),
        "break_even": dollars(odds.break_even) if odds.break_even else None,
        "wagers_to_hit": {hand: str(odds.wagers_to_hit(hand)) for hand in odds.shares},
    }


def _count_doubling(
    open_way: Callable[[str | None], CompiledWay], house: str | None, player: str | None, *, quiet: bool
) -> DoublingOdds:
    dealer = open_way(None if house == BEST else house)
    mine = dealer if player in (None, BEST) else open_way(player)
    with progress("what doubling is worth on every hand", quiet=quiet) as advance:
        return double_down(mine, dealer, tell=advance)


def _show_double(doubling: DoublingOdds) -> None:
    rows = [
        (name.replace("_", " "), f"{hands:,}", percent(Fraction(doubled, hands)))
        for name, (hands, doubled) in doubling.by_category.items()
        if hands
    ]
    table("Double Down: on which high hands doubling pays", ["high hand", "hands", "doubled"], rows)
    worth, how_often = percent(doubling.worth), percent(doubling.share_doubled)
    console().print(f"doubling when it pays, on {how_often} of hands, is worth {worth} of the main wager")


def _plain_double(doubling: DoublingOdds) -> dict[str, Any]:
    return {
        "deals": doubling.deals,
        "hands": doubling.hands,
        "doubled": doubling.doubled,
        "gain": doubling.gain,
        "always": doubling.always,
        "worth": str(doubling.worth),
        "worth_percent": percent(doubling.worth),
        "by_category": {name: list(counts) for name, counts in doubling.by_category.items()},
    }


def _show_main(game: Game, main: MainGame) -> None:
    rows = [(name, f"{n:,}", percent(Fraction(n, main.deals))) for name, n in _results(main).items()]
    table(f"{game.name}: main game, {main.deals:,} deals", ["result", "deals", "share"], rows)
    if game.banked_by == "player_dealer":
        console().print(f"a player loses {percent(main.edge())} of their wager on average")
        console().print(f"a player-dealer gains {percent(main.banker_edge())} of each wager they cover")
        return
    console().print(f"house edge {percent(main.edge(game.commission or Fraction(0)))}")


def _results(main: MainGame) -> dict[str, int]:
    return {"win": main.wins, "push": main.pushes, "lose": main.losses}


def _plain(of: Paytable, odds: SideOdds) -> dict[str, Any]:
    return {
        "wager": of.wager,
        "paytable": of.id,
        "counts": odds.counts,
        "hold": str(odds.hold),
        "hold_percent": percent(odds.hold),
        "hit_frequency": percent(odds.hit_frequency),
        "variance": float(odds.variance),
        "meter_hands": odds.meter_hands,
    }


def _plain_main(game: Game, main: MainGame | None) -> dict[str, Any] | None:
    if main is None:
        return None
    edge = main.edge(game.commission or Fraction(0))
    return _results(main) | {"deals": main.deals, "edge": str(edge), "edge_percent": percent(edge)}


def _meter(odds: SideOdds) -> str:
    return ", ".join(f"{hand} {count:,}" for hand, count in odds.meter_hands.items())
