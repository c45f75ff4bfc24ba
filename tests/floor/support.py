"""A floor with people who play the house way at its tables, whatever store lies under it."""

from __future__ import annotations

from datetime import UTC, datetime
from itertools import count

from houseway.floor import house
from houseway.floor.batches import Answer
from houseway.floor.core import Floor
from houseway.games import Submission, example_submission, rules_for
from houseway.intake import AUTO
from houseway.rng import SeededEntropy
from houseway.rounds.action import Action
from houseway.rounds.auto import CLOSES_BETS, usual_wagers
from houseway.rounds.deciding import verify
from houseway.rounds.live import EVERYTHING, due_moves
from houseway.rounds.roles import Role
from houseway.rounds.state import Phase
from houseway.rounds.step import Actor, Command, Proposal
from houseway.rounds.steps.players import Sit
from houseway.rounds.steps.wagers import PlaceWagers
from houseway.store.protocol import Store
from houseway.store.safe import KEY_BYTES, DeckSafe

NOON = datetime(2026, 1, 4, 12, tzinfo=UTC)
FLO = Actor("Flo", Role.FLOORPERSON)
MAX, EVA = Actor("Max", Role.MANAGER), Actor("Eva", Role.MANAGER)
PEOPLE = {2: "Ann", 5: "Dan"}
SAFE = DeckSafe(bytes(range(KEY_BYTES)), SeededEntropy("safe"))
_numbers = count(1)


def new_floor(store: Store, seed: str = "floor") -> Floor:
    """Return the floor of a store."""
    return Floor(store, lambda: NOON, SeededEntropy(seed), SAFE)


def approve_program(floor: Floor, first: Actor = MAX, second: Actor = EVA) -> None:
    """Let tables open under this program."""
    floor.set_up(lambda _, now: [house.approve_program(house.this_program(), first, second, now)])


def in_effect(floor: Floor, submission: Submission) -> str:
    """File a submission and have it approved; return its fingerprint."""
    rules = rules_for(submission).fingerprint
    if rules not in floor.house.filed:
        floor.set_up(lambda now_house, now: [house.file_submission(now_house, submission, MAX, now)])
        floor.set_up(lambda now_house, now: [house.approve_submission(now_house, rules, EVA, now)])
    return rules


def make_table(
    floor: Floor, table: str, submission: Submission, meter: str | None = None, *, chips: bool = False
) -> None:
    """Make a table that plays by a submission, which is filed and approved for it."""
    if floor.house.program is None:
        approve_program(floor)
    rules = in_effect(floor, submission)
    floor.set_up(
        lambda house_now, now: house.make_table(house_now, table, rules, FLO, now, meter=meter, chips=chips)
    )


def command(by: Actor, action: Action, name: str | None = None) -> Command:
    """Return a command under a name of its own."""
    return Command(by, action, id=name or f"test-{next(_numbers)}")


def say(floor: Floor, table: str, by: Actor, action: Action) -> Answer:
    """Command something, which must be done."""
    return _done(floor, table, command(by, action))


def _done(floor: Floor, table: str, commanded: Command) -> Answer:
    floor.submit(table, commanded)
    (answer,) = floor.run()
    assert not answer.refused and not answer.fault, answer
    return answer


def seat_two(floor: Floor, table: str) -> None:
    """Let two people sit down at a table."""
    for at, name in PEOPLE.items():
        say(floor, table, Actor(name, Role.PLAYER), Sit(at))


def two_tables(floor: Floor, game: str = "pa-659a") -> Floor:
    """Make two tables on one meter, with two people at each."""
    for table in ("t1", "t2"):
        make_table(floor, table, example_submission(game), "link")
        seat_two(floor, table)
    return floor


def next_move(floor: Floor, table: str) -> Proposal:
    """Return what is to be done next at a table: bets first, then whatever is due."""
    running = floor.table(table)
    state, moment = running.table, floor.moment(table)
    bare = [at for at in sorted(state.seats) if at not in {*state.round.hands, state.round.bank_seat}]
    moves = due_moves(running.rules, state, EVERYTHING - CLOSES_BETS if bare else EVERYTHING)
    for move in moves:
        if not any(problem.blocks for problem in verify(running.rules, state, move, moment)):
            return move
    if state.phase is Phase.OPENING and not state.seats:  # the cards lie spread for a first player
        return Proposal(Actor("Vera", Role.PLAYER), Sit(7))
    assert state.phase is Phase.BETTING and bare, f"nothing can be done: {state.phase}"
    seat = state.seats[bare[0]]
    wagers = {name: amount for name, amount in usual_wagers(running.rules).items() if name != "double_down"}
    return Proposal(Actor(seat.person, Role.PLAYER), PlaceWagers(bare[0], wagers))


def play(floor: Floor, table: str, rounds: int) -> None:
    """Play so many rounds more at a table."""
    last = floor.table(table).table.rounds + rounds
    while floor.table(table).table.rounds < last:
        move, running = next_move(floor, table), floor.table(table)
        name = f"{AUTO}{running.stream}/{running.head.version + 1}"  # as whoever is automated names it
        _done(floor, table, command(move.by, move.action, name))
