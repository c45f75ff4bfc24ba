"""The exact odds of a game as a submission files it: fractions, with commission and readings applied."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from houseway.errors import UnknownNameError
from houseway.odds.best import Best
from houseway.odds.counted import BEST, both_sides, count_sides, notes_of
from houseway.odds.files import user_folder
from houseway.odds.maingame import MainGame, Told
from houseway.odds.progressive import meter_odds
from houseway.odds.sides import SideOdds, percent, side_odds
from houseway.settlement.model import MAIN
from houseway.showing import Row, html_table, page_part, text_table

if TYPE_CHECKING:
    from houseway.cards import Deck
    from houseway.games import Rules
    from houseway.library.played_game import PlayedGame
    from houseway.odds.counted import Way


@dataclass(frozen=True, repr=False)
class WagerOdds:
    """The odds of one wager: its edge is the part of the wager that is lost on average."""

    wager: str
    by: str
    """The paytable, or for the main wager how the player and the dealer set their hands."""
    edge: Fraction
    wins: Fraction
    pushes: Fraction | None
    variance: Fraction | None
    counted: MainGame | SideOdds

    def row(self) -> Row:
        """Return the figures as numbers, for a data frame."""
        return {
            "wager": self.wager,
            "by": self.by,
            "edge": float(self.edge),
            "wins": float(self.wins),
            "pushes": None if self.pushes is None else float(self.pushes),
            "variance": None if self.variance is None else float(self.variance),
        }

    def text_row(self) -> Row:
        """Return the figures as text."""
        push = None if self.pushes is None else percent(self.pushes)
        return {
            "wager": self.wager,
            "by": self.by,
            "edge": percent(self.edge),
            "wins": percent(self.wins),
            "pushes": push,
            "variance": None if self.variance is None else f"{float(self.variance):.4f}",
        }

    def __repr__(self) -> str:
        return text_table([self.text_row()])

    def _repr_html_(self) -> str:
        return page_part(html_table([self.text_row()]))


class GameOdds(Mapping[str, WagerOdds]):
    """The exact odds of a game's wagers, by wager: ``odds["main"].edge`` is a fraction."""

    def __init__(self, title: str, wagers: dict[str, WagerOdds]) -> None:
        self.title, self._wagers = title, wagers

    def __getitem__(self, wager: str) -> WagerOdds:
        if wager not in self._wagers:
            known = ", ".join(self._wagers)
            raise UnknownNameError(f"not among the wagers that were counted ({known})", value=wager)
        return self._wagers[wager]

    def __iter__(self) -> Any:  # noqa: ANN401 - the names of the wagers
        return iter(self._wagers)

    def __len__(self) -> int:
        return len(self._wagers)

    def __contains__(self, wager: object) -> bool:
        return wager in self._wagers

    def rows(self) -> list[Row]:
        """Return a row for each wager, in numbers."""
        return [odds.row() for odds in self._wagers.values()]

    def _text_rows(self) -> list[Row]:
        return [odds.text_row() for odds in self._wagers.values()]

    def __repr__(self) -> str:
        return text_table(self._text_rows(), self.title)

    def _repr_html_(self) -> str:
        return page_part(html_table(self._text_rows(), self.title))


def game_odds(
    played: PlayedGame,
    wager: str | None,
    player_way: object,
    house_way: object,
    *,
    deck: Deck | None,
    tell: Told | None,
) -> GameOdds:
    """Count the odds of one wager of a game, or of all that are on offer."""
    rules, sides = played.rules, [] if played.rules is None else list(played.rules.side_wagers)
    offered = [side for side in sides if rules is not None and rules.offers(side)]
    if wager is not None and wager not in (MAIN, *offered):
        known = ", ".join([MAIN, *offered])
        raise UnknownNameError(f"no wager whose odds are counted (there are {known})", value=wager)
    wagers: dict[str, WagerOdds] = {}
    if wager in (None, MAIN):
        wagers[MAIN] = _main(played, player_way, house_way, deck, tell)
    if rules is not None:
        wagers |= {side: _side(rules, side) for side in offered if wager in (None, side)}
    return GameOdds(f"{played.name} ({played.id})", wagers)


def _main(
    played: PlayedGame, player_way: object, house_way: object, deck: Deck | None, tell: Told | None
) -> WagerOdds:
    mine, theirs = both_sides(
        lambda given: played.open_way(given).program, player_way, house_way, played.commission
    )
    notes = notes_of(mine, theirs) if deck is None and _can_store() else None
    counted = count_sides(mine, theirs, deck, tell, notes)
    by = f"player {_name_way(mine)}, dealer {_name_way(theirs)}"
    wins, pushes = (Fraction(n, counted.deals) for n in (counted.wins, counted.pushes))
    edge, variance = counted.edge(played.commission), counted.variance(played.commission)
    return WagerOdds(MAIN, by, edge, wins, pushes, variance, counted)


def _can_store() -> bool:
    """Return whether there is a folder to keep counts in; without one each call counts again."""
    try:
        user_folder().mkdir(parents=True, exist_ok=True)
    except OSError:
        return False
    return os.access(user_folder(), os.W_OK)


def _name_way(way: Way) -> str:
    return BEST if isinstance(way, Best) else getattr(getattr(way, "way", None), "id", "own")


def _side(rules: Rules, wager: str) -> WagerOdds:
    odds, table = side_odds(rules, wager), rules.paytable(wager)
    meter = meter_odds(rules, wager, odds)
    edge, variance = (meter.hold, None) if meter else (odds.hold, odds.variance)
    return WagerOdds(wager, f"paytable {table.id}", edge, odds.hit_frequency, None, variance, odds)
