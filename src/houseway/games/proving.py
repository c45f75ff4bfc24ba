"""Which house ways are to be proven: each for every game it may be filed for, however that is read."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from houseway.errors import HousewayError
from houseway.games.game import Game, games
from houseway.houseways import CompiledWay, HouseWay, compile_way, house_ways
from houseway.houseways.proven import readings_chosen
from houseway.law.readings import options_of
from houseway.ranking.held import AceLow
from houseway.ranking.ranking import Ranking, ranking

_LOWEST: AceLow = "lowest"


def programs_to_prove() -> Iterator[CompiledWay]:
    """Yield every house way of every licensed game, once for each way the order of hands may be taken."""
    for game in games():
        for way in house_ways() if game.licensed else ():
            if _may_be_filed(game, way):
                for order in _orders(game, way):
                    yield compile_way(way, base=order)


def _may_be_filed(game: Game, way: HouseWay) -> bool:
    """Whether a game leaves the way to the operator, or prints this one, and its hands are set by it."""
    for requirement in game.require:
        printed = requirement.need.get("house_way")
        if printed is not None and printed.operator == "is" and printed.operand != way.id:
            return False
    try:
        compile_way(way, base=ranking(game.ranking))
    except HousewayError:
        return False
    return True


def _orders(game: Game, way: HouseWay) -> Iterator[Ranking]:
    """Yield the order of hands as each option and reading that a proof depends on may be taken."""
    usual = ranking(game.ranking)
    known = options_of(game.rule_set) if game.rule_set else {}
    names = list(readings_chosen(way, usual))
    permitted = {permit.field for permit in game.permit}
    straights = _aces(usual.ace_low_straight, permitted, "options.a234_straight_low")
    straight_flushes = _aces(usual.ace_low_straight_flush, permitted, "options.a234_sf_low")
    for straight, straight_flush in product(straights, straight_flushes):
        for choices in product(*(known[name].choices for name in names)):
            yield ranking(
                game.ranking,
                ace_low_straight=straight,
                ace_low_straight_flush=straight_flush,
                readings=dict(zip(names, choices, strict=True)),
            )


def _aces(usual: AceLow, permitted: set[str], option: str) -> list[AceLow]:
    return [usual, _LOWEST] if option in permitted and usual != _LOWEST else [usual]
