"""The starting position: shaken dice, a random number or a flat button; the shaker put back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from houseway.law.claims import standing
from houseway.law.problems import Problem
from houseway.rng import below, dice
from houseway.rounds.dealing import (
    DICE,
    FACES,
    dice_total,
    position_by_button,
    position_by_dice,
    position_by_number,
    verify_number,
)
from houseway.rounds.lives import verify_dice_age
from houseway.rounds.state import IN_ROUND, Phase, Source, Table, changed
from houseway.rounds.step import (
    BY_DEALER,
    BY_DEALER_OR_DEVICE,
    Command,
    Event,
    Guard,
    Moment,
    Step,
    law_of,
    register,
)
from houseway.rounds.steps.chips import counted, lammers_placed, locked
from houseway.rounds.steps.common import DEVICE, always, dealer_of, play_has, play_has_not, sense
from houseway.rounds.steps.cutting import covers_placed

LEAST_SHAKES = 3


def uses(table: Table, method: str) -> bool:
    """Whether the table finds the starting position this way."""
    return method in table.rules.submission.table.start_methods


def _uses(method: str) -> Guard:
    return sense(f"the table does not use the {method}", lambda t, _: uses(t, method))


AFTER_BETS = Guard("after_bets", "no more bets is announced first", play_has("no_more_bets"))


def _cover_in_place(table: Table, _: Command) -> bool:
    deck = table.in_play
    return deck is not None and (not deck.has("cut") or covers_placed(table, deck))


PREPARED = (
    AFTER_BETS,
    Guard("cover", "the first cover card goes to the bottom first", _cover_in_place),
    Guard("lammers", "the Envy lammers are placed first", lammers_placed),
    Guard("locked", "the progressive is locked first", locked),
    Guard("counted", "the progressive chips are counted first", counted),
    sense(
        "lammers, lock and count come first",
        lambda t, c: lammers_placed(t, c) and locked(t, c) and counted(t, c),
    ),
    sense("the first card is dealt", lambda t, _: not t.play.dealt),
)


def _dice_problems(table: Table, _: Command, now: datetime) -> Iterable[Problem]:
    if table.dice_since is None:
        yield Problem("dice", "no dice are in the shaker")
    else:
        yield from verify_dice_age(table.rules, table.dice_since, now)


def _uncovered(table: Table, command: Command, moment: Moment) -> Mapping[str, Any]:
    """Show the dice; if one leans or lies outside there is no roll."""
    if not command.get("flat", True) or command.get("out", 0):
        key = "leaning" if not command.get("flat", True) else "fallen"
        law = standing(law_of(table, "uncover", key))
        return {"no_roll": bool(law) or key not in table.rules.game.procedure["uncover"], "clauses": law}
    faces = command.get("dice")
    if faces is None and table.source is Source.VIRTUAL_DECK:
        faces = dice(DICE, moment.entropy)
    return {"faces": tuple(faces)}


def _faces_given(table: Table, command: Command) -> bool:
    spoiled = not command.get("flat", True) or command.get("out", 0)
    faces = command.get("dice")
    if faces is not None:
        return len(faces) == DICE and all(isinstance(f, int) and 1 <= f <= FACES for f in faces)
    return bool(spoiled) or table.source is Source.VIRTUAL_DECK


def _uncover(table: Table, event: Event) -> Table:
    if event.get("no_roll"):
        return table.with_play(shakes=0, dice=(), marks=table.play.marks - {"shaken", "uncovered"})
    faces = event.get("faces") or ()
    return table.with_play(dice=faces, marks=table.play.marks | {"uncovered"})


def _announced_right(table: Table, command: Command) -> bool:
    return bool(command.get("total", sum(table.play.dice)) == sum(table.play.dice))


def _total(table: Table, command: Command, _: Moment) -> Mapping[str, Any]:
    """Find the position the dice give, and the one that the announced total gives."""
    true = dice_total(table.rules.game, table.play.dice)
    said = command.get("total", true)
    return {
        "total": true,
        "announced": said,
        "due": position_by_dice(table.rules.game, true),
        "start": position_by_dice(table.rules.game, said),
    }


def _found(table: Table, event: Event) -> Table:
    play = changed(
        table.play, announced=event.get("announced"), due=event.get("due"), start=event.get("start")
    )
    return changed(table, play=play)


def _number(table: Table, command: Command, moment: Moment) -> Mapping[str, Any]:
    """Draw a number, or take the one the approved device shows."""
    numbers = table.rules.game.starts.numbers if table.rules.game.starts else 0
    drawn = command.get("number") or below(numbers, moment.entropy) + 1
    position = position_by_number(table.rules.game, drawn)
    return {"number": drawn, "due": position, "start": position}


def _number_problems(table: Table, command: Command, _: datetime) -> Iterable[Problem]:
    given = command.get("number")
    if given is not None:
        yield from verify_number(table.rules.game, given)
    if given is None and table.source is not Source.VIRTUAL_DECK:
        yield Problem("number", "the number that the device shows must be given")


def _button(table: Table, _: Command, __: Moment) -> Mapping[str, Any]:
    position = position_by_button(table.rules.game, table.rounds)
    return {"due": position, "start": position}


def _suggest_shaker(table: Table) -> Iterable[Command]:
    if uses(table, "shaker") and table.play.start is None and not table.play.has("shaken"):
        yield Command("shake", dealer_of(table), details={"times": LEAST_SHAKES})


def _suggest_dice(table: Table) -> Iterable[Command]:
    if uses(table, "shaker") and table.dice_since is None and table.phase is not Phase.CLOSED:
        yield Command("place_dice", dealer_of(table))


def _suggest_uncover(table: Table) -> Iterable[Command]:
    if table.play.has("shaken") and not table.play.has("uncovered"):
        yield Command("uncover", dealer_of(table))


def _suggest_total(table: Table) -> Iterable[Command]:
    if table.play.has("uncovered") and table.play.start is None:
        yield Command("announce_total", dealer_of(table), details={"total": sum(table.play.dice)})


def _suggest_device(method: str, step: str) -> Any:  # noqa: ANN401 - a suggesting function
    def suggest(table: Table) -> Iterable[Command]:
        if uses(table, method) and table.play.start is None:
            yield Command(step, DEVICE)

    return suggest


def _put_back(table: Table) -> Iterable[Command]:
    if uses(table, "shaker") and table.play.has("dealt_out") and not table.play.has("shaker_back"):
        yield Command("cover_shaker", dealer_of(table), details={"at_right": True})


register(
    Step(
        "place_dice",
        BY_DEALER,
        tuple(Phase),
        (_uses("shaker"),),
        evolve=lambda t, e: changed(t, dice_since=e.at),
        suggest=_suggest_dice,
    ),
    Step(
        "shake",
        BY_DEALER,
        (Phase.STARTING,),
        (
            _uses("shaker"),
            *PREPARED,
            sense("the starting position is found", lambda t, _: t.play.start is None),
        ),
        takes={"times": int},
        further=_dice_problems,
        suggest=_suggest_shaker,
        evolve=lambda t, e: t.with_play(
            shakes=t.play.shakes + e.get("times"), marks=t.play.marks | {"shaken"}
        ),
    ),
    Step(
        "uncover",
        BY_DEALER,
        (Phase.STARTING,),
        (
            _uses("shaker"),
            sense("the shaker is shaken first", play_has("shaken")),
            sense("the shaker is uncovered", play_has_not("uncovered")),
            Guard("shakes", "at least three shakes", lambda t, _: t.play.shakes >= LEAST_SHAKES),
            sense("three dice, each showing 1 to 6, must be read", _faces_given),
        ),
        takes={"dice?": tuple, "flat?": bool, "out?": int},
        outcome=_uncovered,
        evolve=_uncover,
        suggest=_suggest_uncover,
    ),
    Step(
        "announce_total",
        BY_DEALER,
        (Phase.STARTING,),
        (
            _uses("shaker"),
            always("uncovered", "the shaker is uncovered in its place first", play_has("uncovered")),
            Guard("right", "the announced total is not what the dice show", _announced_right, warns=True),
            sense("three dice total 3 to 18", lambda _, c: DICE <= c.get("total", DICE) <= DICE * FACES),
            sense("the first card is dealt", lambda t, _: not t.play.dealt),
        ),
        takes={"total?": int},
        outcome=_total,
        evolve=_found,
        suggest=_suggest_total,
    ),
    Step(
        "draw_number",
        BY_DEALER_OR_DEVICE,
        (Phase.STARTING,),
        (
            _uses("rng"),
            *PREPARED,
            sense("the starting position is found", lambda t, _: t.play.start is None),
        ),
        takes={"number?": int},
        further=_number_problems,
        outcome=_number,
        evolve=_found,
        suggest=_suggest_device("rng", "draw_number"),
    ),
    Step(
        "read_button",
        BY_DEALER_OR_DEVICE,
        (Phase.STARTING,),
        (
            _uses("button"),
            *PREPARED,
            sense("the starting position is found", lambda t, _: t.play.start is None),
        ),
        outcome=_button,
        evolve=_found,
        suggest=_suggest_device("button", "read_button"),
    ),
    Step(
        "cover_shaker",
        BY_DEALER,
        IN_ROUND,
        (
            _uses("shaker"),
            sense("the deal is not finished", play_has("dealt_out")),
            Guard(
                "at_right",
                "the shaker stands at the dealer's right",
                lambda _, c: bool(c.get("at_right")),
                warns=True,
            ),
        ),
        takes={"at_right?": bool},
        evolve=lambda t, _: t.mark_play("shaker_back"),
        suggest=_put_back,
    ),
)
