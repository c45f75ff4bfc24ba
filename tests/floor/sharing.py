"""A server in a process of its own, beside others on one PostgreSQL: ``python -m tests.floor.sharing``.

It plays at its own table with decks that are full of jackpots, and now and then at one that all share, and
says which commands were answered.
"""

from __future__ import annotations

import sys
from itertools import count

from houseway.floor.core import Floor
from houseway.rng import SeededEntropy
from houseway.store.postgres import PostgresStore
from tests.floor.support import command, new_floor, next_move
from tests.rounds.play.chance import entropy_for_shuffle
from tests.rounds.table import DEALT_SINGLY

EVERYBODYS = "t3"


def load(floor: Floor, table: str, seed: str) -> None:
    """Let the next shuffle come out with rare hands."""
    rules = floor.table(table).rules
    singly = rules.way in DEALT_SINGLY
    game = rules.game
    floor.entropy = entropy_for_shuffle(game.cards().cards, game.hand_cards, seed, singly=singly, one_in=1)


def go_on(floor: Floor, table: str, name: str, *, alone: bool) -> None:
    """Do what is due at a table; where others act too, somebody else may have done it already."""
    move = next_move(floor, table)
    if move.step == "shuffle":
        load(floor, table, name)
    floor.submit(table, command(move.by, move.action, name))
    (answer,) = floor.run()
    floor.entropy = SeededEntropy(name)
    assert not answer.fault, answer
    assert not (alone and answer.refused), answer
    if not answer.refused:
        print(answer.command, answer.table, answer.version, flush=True)


def main(url: str, name: str, table: str, rounds: int) -> None:
    """Play so many rounds at a table, and a part of them at everybody's."""
    store = PostgresStore(url)
    floor = new_floor(store, name)
    for number in count():
        if floor.table(table).table.rounds >= rounds:
            break
        go_on(floor, table, f"{name}/{number}", alone=True)
        if number % 3 == 0:
            floor.catch_up([EVERYBODYS])
            go_on(floor, EVERYBODYS, f"{name}/{number}/{EVERYBODYS}", alone=False)
    store.close()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4]))
