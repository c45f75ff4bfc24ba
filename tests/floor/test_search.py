"""Rounds are found by whoever may see all: by each filter, by several at once, and never before they end."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import select

from houseway.errors import InvalidInputError
from houseway.floor.bodies import read_body
from houseway.floor.core import Floor
from houseway.floor.readmodels import ReadModels, find_rounds
from houseway.floor.readmodels.sql_tables import METADATA
from houseway.games import example_submission
from houseway.money import Cents
from houseway.rng import SeededEntropy
from houseway.rounds.record import Turn
from houseway.rounds.state import Phase, Round
from houseway.store.memory import MemoryStore
from houseway.store.protocol import Store
from tests.floor.support import SAFE, make_table, next_move, play, say, seat_two
from tests.store.support import DATABASES, new_store

Key = tuple[str, int]
OPENED = datetime(2026, 1, 4, 12, tzinfo=UTC)


class Clock:
    """A clock that goes on by a second whenever it is looked at."""

    def __init__(self) -> None:
        self.now = OPENED

    def __call__(self) -> datetime:
        self.now += timedelta(seconds=1)
        return self.now


class Watched:
    """A floor with two tables, the rounds that ended there, and read models."""

    def __init__(self, floor: Floor) -> None:
        self.floor, self.models = floor, ReadModels(floor.store)
        self.rounds: dict[Key, Round] = {}
        self.ended: dict[Key, datetime] = {}
        self.clauses: dict[Key, set[str]] = {}
        self.steps: dict[Key, set[str]] = {}

    def play(self, table: str) -> None:
        play(self.floor, table, 1)
        last = self.floor.table(table).table.last
        assert last is not None
        self.rounds[table, last.number] = last

    def read(self) -> None:
        """Read the whole log, the plain way."""
        for _, entry in self.floor.store.everything():
            body = read_body(entry)
            for event in body.events if isinstance(body, Turn) else ():
                key = (entry.stream.removeprefix("table/"), event.round)
                self.clauses.setdefault(key, set()).update(event.clauses)
                self.steps.setdefault(key, set()).add(event.step)
                self.ended[key] = event.at

    def found(self, **asked: Any) -> list[Key]:
        with self.models.connect() as connection:
            rounds, _ = find_rounds(connection, **asked)
        return [(one.table_id, one.round) for one in rounds]

    def latest(self, keys: Any) -> list[Key]:
        return sorted(keys, key=lambda key: self.ended[key], reverse=True)


def watch(store: Store, rounds: str) -> Watched:
    """Play rounds at tables a and b in turn, and one more at a until its cards are out."""
    floor = Floor(store, Clock(), SeededEntropy("search"), SAFE)
    for table, game in (("a", "pa-659a"), ("b", "pa-575")):
        make_table(floor, table, example_submission(game))
        seat_two(floor, table)
    made = Watched(floor)
    for table in rounds:
        made.play(table)
    while floor.table("a").table.phase is not Phase.SETTING:
        move = next_move(floor, "a")
        say(floor, "a", move.by, move.action)
    made.models.catch_up()
    made.read()
    return made


@pytest.fixture(scope="module", params=DATABASES)
def watched(request: pytest.FixtureRequest) -> Iterator[Watched]:
    """Five rounds that are over and one that is not; nothing is added."""
    with new_store(request.param) as store:
        yield watch(store, "ababb")


def test_all_rounds_are_found_the_latest_first_and_by_their_table(watched: Watched) -> None:
    assert watched.found() == watched.latest(watched.rounds)
    assert watched.found(table="b") == [("b", 3), ("b", 2), ("b", 1)]
    assert watched.found(table="c") == []


def test_rounds_are_found_by_when_they_ended(watched: Watched) -> None:
    first, last = watched.ended["a", 1], watched.ended["b", 2]
    between = [key for key in watched.rounds if first <= watched.ended[key] < last]
    assert watched.found(since=first, until=last) == watched.latest(between)
    assert ("a", 1) in between and ("b", 2) not in between


def test_rounds_are_found_by_a_card_and_by_who_held_it_where(watched: Watched) -> None:
    (card, *_) = watched.rounds["a", 1].hands[2].cards
    held = [
        key
        for key, one in watched.rounds.items()
        if card in one.dealer_cards or any(card in hand.cards for hand in one.hands.values())
    ]
    assert watched.found(card=str(card)) == watched.latest(held)
    by_ann = [key for key, one in watched.rounds.items() if card in one.hands[2].cards]
    assert watched.found(card=str(card), held_by="Ann") == watched.latest(by_ann)
    assert watched.found(card=str(card), position=2) == watched.latest(by_ann)
    assert ("a", 1) not in watched.found(card=str(card), held_by="Dan")
    (theirs, *_) = watched.rounds["b", 1].dealer_cards
    assert ("b", 1) in watched.found(card=str(theirs), held_by="dealer", position=1)
    with pytest.raises(InvalidInputError, match="with the card"):
        watched.found(held_by="Ann")


def test_rounds_are_found_by_an_amount_that_somebody_wagered_or_got(watched: Watched) -> None:
    most = dict[tuple[Key, str], int]()
    for key, one in watched.rounds.items():
        for hand in one.hands.values():
            got = dict.fromkeys(hand.wagers, 0)
            for payment in one.payments:
                if payment.person == hand.person and payment.to.name == hand.person:
                    got[payment.wager] += payment.units // 10_000
            most[key, hand.person] = max(*hand.wagers.values(), *got.values())
    for amount in {*most.values(), 1, 10**6}:
        for least in (amount, amount + 1):
            everybody = {key for (key, _), found in most.items() if found >= least}
            assert watched.found(amount=Cents(least)) == watched.latest(everybody)
            anns = {key for (key, person), found in most.items() if found >= least and person == "Ann"}
            assert watched.found(amount=Cents(least), person="Ann") == watched.latest(anns)


def test_rounds_are_found_by_a_clause_a_step_and_a_person(watched: Watched) -> None:
    for clause in sorted(watched.clauses["a", 1])[:3]:
        cited = [key for key in watched.rounds if clause in watched.clauses[key]]
        assert watched.found(clause=clause) == watched.latest(cited)
    taken = [key for key in watched.rounds if "log_on" in watched.steps[key]]
    assert watched.found(step="log_on") == watched.latest(taken) == [("b", 1), ("a", 1)]
    assert watched.found(person="dealer") == watched.found(person="Dan") == watched.latest(watched.rounds)
    assert watched.found(person="Nobody") == []


def test_everything_asked_for_must_hold(watched: Watched) -> None:
    (card, *_) = watched.rounds["a", 2].hands[5].cards
    asked = {"person": "Dan", "card": str(card), "held_by": "Dan", "step": "deal", "amount": Cents(1)}
    assert ("a", 2) in watched.found(**asked, table="a")
    assert ("a", 2) not in watched.found(**{**asked, "step": "log_on"}, table="a")
    assert watched.found(**asked, table="a", until=OPENED) == []


def test_a_long_list_is_read_page_by_page(watched: Watched) -> None:
    for asked in ({}, {"person": "Ann"}, {"amount": Cents(1)}, {"step": "deal"}):
        pages: list[Key] = []
        cursor = None
        with watched.models.connect() as connection:
            for _ in range(3):
                found, cursor = find_rounds(connection, cursor=cursor, limit=2, **asked)
                pages += [(one.table_id, one.round) for one in found]
        assert cursor is None and pages == watched.latest(watched.rounds)
    with pytest.raises(InvalidInputError, match="not a place"):
        watched.found(cursor="page 2")


def test_nothing_of_a_running_round_is_found(watched: Watched) -> None:
    running = watched.floor.table("a").table.round
    held = [str(card) for hand in running.hands.values() for card in hand.cards]
    assert running.number == 3 and len(held) == 14
    for card in held:
        assert ("a", 3) not in watched.found(card=card)
    with watched.models.connect() as connection:
        for table in METADATA.tables.values():
            if "round" in table.c:
                asked = select(table).where(table.c.table_id == "a", table.c.round == 3)
                assert connection.execute(asked).all() == []


def test_when_a_round_is_over_its_cards_are_found() -> None:
    watched = watch(MemoryStore(), "")
    card = str(watched.floor.table("a").table.round.hands[2].cards[0])
    assert watched.found(card=card) == []
    watched.play("a")
    assert watched.models.catch_up() > 0
    assert watched.found(card=card, held_by="Ann") == [("a", 1)]
