"""A plain driver: rounds by the thousand from one seed, irregularities mixed in, every one watched."""

from __future__ import annotations

import random
from collections import Counter

from houseway.law.readings import readings_of
from houseway.rounds.state import Phase, Table
from houseway.rounds.step import Actor, Command, Role
from tests.games.support import Changes, accepted
from tests.rounds import mishaps as _mishaps
from tests.rounds.moves import FLOOR, Chance, dealer, make, moves, person, pick, some_wagers
from tests.rounds.unlawful import UNLAWFUL
from tests.rounds.watch import Watched

_KNOWN = (_mishaps,)
GAMES = ("pa-575", "pa-659a", "pa-670a")
WAYS: tuple[tuple[str, str], ...] = (
    ("manual_shoe", "manual"),
    ("manual_shoe", "automated"),
    ("hand", "automated"),
    ("automated_shoe", "automated"),
    ("automated_shoe", "manual"),
)
"""Ways of dealing, each with the ways of shuffling that go with it."""
ROUNDS_AT_A_TABLE = 25
STUCK = 4000
"""So many commands without a round's end are too many."""


class Seeded:
    """Chance from a seed."""

    def __init__(self, seed: str | int) -> None:
        self._random = random.Random(seed)

    def below(self, limit: int) -> int:
        """Return a whole number from 0 up to, not including, the limit."""
        return self._random.randrange(limit)


EXTRAS: tuple[Changes, ...] = (
    {},
    {"table.pack_jokers": 2},
    {"table.direct_to_shoe": True},
    {
        "table.reshuffle_device": True,
        "approvals.reshuffle_device": "1",
        "approvals.reshuffle_procedures": "2",
    },
    {"payout_limit": "$50,000"},
    {"table.adjacent_areas": False},
    {"progressive.amount": "$5", "progressive.initial": "$25,000", "progressive.reset": "$25,000"},
    {"wagers.fortune.paytable": "C"},
    {"wagers.bonus.paytable": "B"},
)
"""What else an operator may choose, if the game has it."""


def layout(game: str, chance: Chance) -> Changes:
    """Return a lawful submission: some way to deal and to find the start, some options, some readings."""
    dealing, shuffler = pick(chance, WAYS)
    changes: Changes = {
        "table.dealing": dealing,
        "table.shuffler": shuffler,
        "table.start_methods": [pick(chance, ["rng", "shaker"])],
        "table.adjacent_areas": True,
    }
    if game == "pa-575" and (dealing, shuffler) == WAYS[3] and not chance.below(3):
        changes |= {"table.start_methods": ["button"], "approvals.button": "EX-BUTTON-1"}
    if shuffler == "automated" and not chance.below(2):
        changes |= {"table.decks": 2}
    chosen = {
        reading.option.name: pick(chance, sorted(reading.option.choices))
        for reading in readings_of(game)
        if reading.option and not reading.option.only_default and not chance.below(4)
    }
    with_readings = {**changes, "readings": chosen}
    wider = {**with_readings, **pick(chance, EXTRAS)}
    return next(some for some in (wider, with_readings, changes) if accepted(game, some))


def drive(game: str, rounds: int, seed: str, *, oddly: int = 12, every: int = 1) -> Counter[str]:
    """Play so many rounds; one command in ``oddly`` is not what is due; write down one round in ``every``.

    Returns how often each step was done, how often a command was refused and how many rounds were void.
    """
    done: Counter[str] = Counter()
    chance = Seeded(seed)
    number = 0
    while done["rounds"] < rounds:
        watched = Watched(game, layout(game, chance), f"{seed}-{number}", twice=False)
        number += 1
        most = min(ROUNDS_AT_A_TABLE, rounds - done["rounds"])
        _play(watched, chance, most, oddly, every)
        watched.refold()
        done += watched.done
        done["rounds"] += watched.rounds
        done["records"] += watched.records
        done["refused"] += watched.refusals
    return done


def _play(watched: Watched, chance: Seeded, rounds: int, oddly: int, every: int) -> None:
    last, since = 0, 0
    while watched.rounds < rounds:
        table = watched.table
        if watched.rounds != last:
            last, since = watched.rounds, watched.commands
        assert watched.commands - since < STUCK, f"the round does not end: {table.phase}, {table.play}"
        watched.writing = watched.rounds % every == 0
        if not chance.below(oddly):
            _something_else(watched, chance)
        else:
            _what_is_due(watched, chance)


def _something_else(watched: Watched, chance: Seeded) -> None:
    how = chance.below(8)
    if how == 0:
        watched.later(minutes=chance.below(120))
    elif how == 1:
        for unlawful in UNLAWFUL:
            command = unlawful(watched.table, chance)
            if command is not None:
                watched.must_refuse(command)
    else:
        odd = make(pick(chance, moves(watched.table)), watched.table, chance)
        if odd is not None:
            watched.attempt(odd)


def _what_is_due(watched: Watched, chance: Seeded) -> None:
    table = watched.table
    if table.phase is Phase.BETTING and not table.play.hands:
        bet(watched, chance)
        return
    lawful = watched.lawful() if not chance.below(6) else []
    command = pick(chance, lawful) if lawful else watched.next()
    if command is not None and command.step == "deal" and not chance.below(3):
        command = make("deal_some", table, chance)
    if command is not None:
        assert watched.attempt(command), f"suggested and refused: {command}"
    elif not any(watched.attempt(way_out) for way_out in ways_out(watched.table)):
        raise AssertionError(f"nothing can be done: {watched.table.phase}, {watched.table}")


def bet(watched: Watched, chance: Chance) -> None:
    """Let people sit down, and everybody wager."""
    while len(watched.table.seats) < 1 + chance.below(6):
        command = make("sit", watched.table, chance)
        if command is None or not watched.attempt(command):
            break
    for at in sorted(watched.table.seats):
        wagers = some_wagers(watched.table, chance)
        watched.attempt(Command("wager", person(watched.table, at), at, {"wagers": wagers}))


def ways_out(table: Table) -> list[Command]:
    """Return what somebody has to do of his own accord where nothing is suggested."""
    ways = [
        Command("log_on", Actor("Dirk", Role.DEALER), details={"training": "on file"}),
        Command("resume", dealer(table)),
        Command("shake", dealer(table), details={"times": 3}),
    ]
    ways += [
        Command("rule_abandoned", FLOOR, at, {"lost": False, "reason": "comes back"})
        for at in table.play.hands
    ]
    ways += [
        Command("reveal", dealer(table), hand.position, {"parts": (part.name,)})
        for hand in table.play.playing()
        for part in table.rules.game.parts
        if hand.shown and part.name not in hand.shown
    ]
    if table.play.has("stub_wrong"):
        counts = dict.fromkeys(range(1, 8), table.rules.game.hand_cards)
        ways.append(Command("count_hands", dealer(table), details={"counts": counts}))
    ways += [
        Command("cut", person(table, deck.cutter), deck.cutter, {"deck": name, "depth": 20})
        for name, deck in table.decks.items()
        if deck.has("recut") and deck.cutter and deck.cutter in table.seats
    ]
    for device in ("shuffler", "shoe"):
        if not table.has(f"{device}_signed"):
            how = {"device": device, "how": "sign"}
            ways.append(Command("sign_out_of_order", dealer(table), details=how))
        ways.append(Command("repair", FLOOR, details={"device": device}))
    if table.phase is Phase.STARTING:
        ways.append(Command("place_dice", dealer(table)))
    if table.phase is not Phase.STARTING:
        ways.append(Command("receive_deck", dealer(table), details={"deck": f"D{len(table.decks)}"}))
    ways += [
        Command("remove_deck", FLOOR, details={"deck": name, "reason": "too old"})
        for name, deck in table.decks.items()
        if not deck.has("removed")
    ]
    return ways
