"""``houseway warmup``: compiles every kernel once, so that no later command waits for it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np

from houseway.cards import Deck
from houseway.cli.output import AsJson, console, emit
from houseway.cli.progress import progress
from houseway.houseways import compile_way, house_way
from houseway.ranking import ranking


def _listings() -> None:
    from houseway.ranking.batch import bonus_categories, count_categories  # noqa: PLC0415

    bonus_categories(ranking("pa-659a"), "fortune", np.arange(7, dtype=np.uint8).reshape(1, 7))
    count_categories(ranking("pa-659a"), "fortune", 7)
    count_categories(ranking("pa-670a"), "best", 6)


def _house_ways() -> None:
    from houseway.houseways.batch import set_hands, warm_up  # noqa: PLC0415
    from houseway.houseways.proof import suit_classes  # noqa: PLC0415

    set_hands(compile_way(house_way("pa-670a")), np.arange(6, dtype=np.uint8).reshape(1, 6))
    next(suit_classes(6))
    warm_up(compile_way(house_way("pa-670a")))


def _small_deck(game: str) -> Deck:
    return Deck.reduced("AKQJT9" if game == "pa-670a" else "AKQJT98", "sh")


def _main_games() -> None:
    from houseway.odds.doubling import double_down  # noqa: PLC0415
    from houseway.odds.maingame import main_game  # noqa: PLC0415

    six = compile_way(house_way("pa-670a"))
    main_game(six, six, _small_deck("pa-670a"))
    double_down(six, six, _small_deck("pa-670a"))


def _edited_ways() -> None:
    from houseway.odds.recount import EditedWay  # noqa: PLC0415
    from houseway.odds.worth import without  # noqa: PLC0415

    way = house_way("houseway-421")
    program = compile_way(way)
    edited = EditedWay(program, deck=_small_deck("houseway-421"))
    for rule in way.rule[1:]:
        if edited.edit(compile_way(without(way, rule.id), base=program.ranking)):
            break


def _best_play() -> None:
    from houseway.odds.best import Best  # noqa: PLC0415
    from houseway.odds.coach import Coach  # noqa: PLC0415

    deck = _small_deck("pa-670a")
    program = compile_way(house_way("pa-670a"))
    Best(program).play(deck)
    Coach(program, deck=deck).advise(deck.cards[:6])


def _strategies() -> None:
    from houseway.odds.handspace import HandSpace  # noqa: PLC0415
    from houseway.odds.seeing import seeing_gains  # noqa: PLC0415
    from houseway.odds.simulation import simulate_best  # noqa: PLC0415
    from houseway.odds.strategies.pointcards import prepare_points  # noqa: PLC0415
    from houseway.odds.strategies.pointfits import fitted, starting  # noqa: PLC0415
    from houseway.odds.strategies.sampled import sample_hands  # noqa: PLC0415
    from houseway.odds.valued import ValuedSide  # noqa: PLC0415

    program, space = compile_way(house_way("pa-670a")), HandSpace(6, _small_deck("pa-670a"))
    side = ValuedSide.against_dealer(program, space=space)
    side.worth_of(program)
    side.parts_apart()
    simulate_best(side, 100)
    seeing_gains(side, space.by_number(side.against), 0, 2, np.random.default_rng(1))
    lesson = prepare_points(sample_hands(program, 10, 1, space=space))
    lesson.mean(fitted(lesson, starting(program), (1, 1.0, 1.0)))


KERNELS: Final[dict[str, Callable[[], None]]] = {
    "categories of whole hands": _listings,
    "house ways": _house_ways,
    "main games": _main_games,
    "edited ways": _edited_ways,
    "best play": _best_play,
    "strategies": _strategies,
}


def warmup_command(as_json: AsJson = False) -> None:
    """Compile the kernels and keep them for the next start."""
    with progress("compiling", quiet=as_json) as advance:
        for number, compile_kernels in enumerate(KERNELS.values()):
            advance(number, len(KERNELS))
            compile_kernels()
    if as_json:
        emit({"compiled": list(KERNELS)})
    else:
        console().print(f"compiled: {', '.join(KERNELS)}")
