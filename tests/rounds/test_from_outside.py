"""From views and options alone people play whole rounds: every game, way of dealing and procedure."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import pytest

from houseway.rng import SeededEntropy
from houseway.rounds.live import LiveTable, new_table
from houseway.rounds.roles import Role
from houseway.rounds.state import CardOrigin
from houseway.rounds.step import Actor
from tests.games.support import Changes, rules
from tests.rounds.cardroom import MANUAL as PILES
from tests.rounds.from_outside import Dealer, House, Person, Player
from tests.rounds.support import AUTOMATED, BUTTON, BY_HAND, MANUAL, NOON, SHAKER
from tests.rounds.washington import WAYS

DEALT = {"automated shoe": AUTOMATED, "manual shoe": MANUAL, "hand": BY_HAND}
STARTS: dict[str, Changes] = {"number": {}, "shaker": SHAKER, "button": BUTTON}
TABLES: list[tuple[str, Changes, str]] = [
    *(
        (game, {**dealt, **start}, f"{game}, {way}, {method}")
        for game in ("pa-575", "pa-659a", "pa-670a")
        for way, dealt in DEALT.items()
        for method, start in STARTS.items()
        if method != "button" or (game, way) == ("pa-575", "automated shoe")
    ),
    *(("wa-fap", changes, f"wa-fap, {way}") for way, changes in WAYS.items()),
    ("ca-fpgp", {}, "ca-fpgp, shuffler"),
    ("ca-fpgp", PILES, "ca-fpgp, piles"),
]
ROUNDS = 2
STAFF = [
    Actor("Flo", Role.FLOORPERSON),
    *(
        Actor(str(role), role)
        for role in (Role.SHUFFLER, Role.SHOE, Role.GENERATOR, Role.KEYPAD, Role.DISPLAY)
    ),
]


def house(game: str, changes: Changes, source: CardOrigin, seed: str = "outside") -> House:
    """Return a closed table with four players, a dealer, a floorperson and its devices around it."""
    played_by = rules(game, changes)
    live = LiveTable(played_by, SeededEntropy(seed), NOON, new_table(played_by, source))
    split = played_by.game.split
    players = [
        Player(Actor(name, Role.PLAYER), at, split, doubles=at % 2 == 0)
        for at, name in ((2, "Ann"), (3, "Bob"), (5, "Dan"), (6, "Eve"))
    ]
    left = 53 - 7 * sum(split)
    dealer = Dealer(Actor("Dee", Role.DEALER), real_hands(split), left)
    return House(live, [*players, dealer, *map(Person, STAFF)])


def real_hands(split: tuple[int, ...]) -> Iterator[list[list[str]]]:
    """Yield hands of real cards as they lie on the table, none of them foul, no card twice in a round."""
    names = [rank + suit for rank in "AKQJT98765432" for suit in "shdc"]
    while True:
        for first in range(5):
            cards = names[first::5][: sum(split)]
            cuts = [sum(split[:part]) for part in range(len(split) + 1)]
            yield [cards[begin:end] for begin, end in pairwise(cuts)]


@pytest.mark.parametrize(("game", "changes"), [row[:2] for row in TABLES], ids=[row[2] for row in TABLES])
def test_whole_rounds_are_played_from_views_and_options_alone(game: str, changes: Changes) -> None:
    table = house(game, changes, CardOrigin.VIRTUAL_DECK)
    table.play(ROUNDS)
    assert table.live.table.rounds == ROUNDS
    assert table.live.record is not None
    assert {"sit", "wager", "deal", "set", "settle", "close_round"} <= {step for _, step in table.taken}


@pytest.mark.parametrize("game", ["pa-575", "pa-659a", "pa-670a"])
def test_a_dealer_keys_in_real_cards_from_views_and_options_alone(game: str) -> None:
    table = house(game, MANUAL, CardOrigin.TYPED)
    table.play(1)
    assert {"enter_hand", "confirm_entry"} <= {step for _, step in table.taken}
