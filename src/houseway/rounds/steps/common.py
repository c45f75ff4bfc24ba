"""What the steps share: questions about decks and rounds, and the people who usually do things."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from houseway.rounds.dealing import SEATS, seats_dealt
from houseway.rounds.state import Banking, Deck, Hand, Table, changed
from houseway.rounds.step import Actor, Bearing, Command, Event, Guard, Holds, Marked, Role
from houseway.settlement import Status

DEVICE = Actor("device", Role.DEVICE)
FLOORPERSON = Actor("floor", Role.FLOORPERSON)
_PLAYED = Status.PLAYED
_THE_HOUSE = ("house", "the house")


def dealer_of(table: Table) -> Actor:
    """Return the dealer at the table."""
    return Actor(table.dealer or "dealer", Role.DEALER)


def player_at(table: Table, position: int) -> Actor:
    """Return the player who sits at a position."""
    return Actor(table.seats[position].person, Role.PLAYER)


def deck_of(table: Table, command: Command | Event) -> Deck:
    """Return the deck that a command names."""
    return table.decks[command.get("deck")]


def hand_of(table: Table, command: Command | Event) -> Hand:
    """Return the hand that a command is about."""
    return table.play.hands[command.position or 0]


def is_playing(table: Table, command: Command) -> bool:
    """Whether the hand is in play: neither surrendered nor abandoned, nor void."""
    return hand_of(table, command).status is _PLAYED


def deck_has(*marks: str) -> Holds:
    """Ask whether all of this has been done to the deck."""
    return Marked("deck", has=frozenset(marks))


def deck_has_not(*marks: str) -> Holds:
    """Ask whether none of this has been done to the deck."""
    return Marked("deck", lacks=frozenset(marks))


def play_has(*marks: str) -> Holds:
    """Ask whether all of this has been done in the round."""
    return Marked("play", has=frozenset(marks))


def play_has_not(*marks: str) -> Holds:
    """Ask whether none of this has been done in the round."""
    return Marked("play", lacks=frozenset(marks))


def hand_has(*marks: str) -> Holds:
    """Ask whether all of this has been done with the hand."""
    return Marked("hand", has=frozenset(marks))


def hand_has_not(*marks: str) -> Holds:
    """Ask whether none of this has been done with the hand."""
    return Marked("hand", lacks=frozenset(marks))


def of_marked(mark: str, holds: Holds) -> Holds:
    """Ask this only of hands that bear a mark."""
    return Bearing(frozenset({mark}), holds)


def marks_deck(*marks: str) -> Callable[[Table, Event], Table]:
    """Say that a step does no more than put marks on a deck."""
    return lambda table, event: table.mark_deck(event.get("deck"), *marks)


def marks_play(*marks: str) -> Callable[[Table, Event], Table]:
    """Say that a step does no more than put marks on the round."""
    return lambda table, _: table.mark_play(*marks)


def marks_hand(*marks: str) -> Callable[[Table, Event], Table]:
    """Say that a step does no more than put marks on a hand."""
    return lambda table, event: table.mark_hand(event.position or 0, *marks)


def decks_to(table: Table, step: str, has: Iterable[str], lacks: Iterable[str]) -> Iterable[Command]:
    """Suggest a step for every deck to which these things have been done and those have not."""
    for deck in table.decks.values():
        if deck.marks.issuperset(has) and deck.marks.isdisjoint(lacks):
            yield Command(step, dealer_of(table), details={"deck": deck.name})


def the_deck(table: Table) -> Deck | None:
    """Return the deck due for the next round: with two, the one that was not used last."""
    usable = [d for d in table.decks.values() if not d.has("removed")]
    if not usable:
        return None
    if len(usable) > 1:
        return next((d for d in usable if d.name != table.last_deck), usable[0])
    return usable[0]


MOST_ROUNDS = 2
"""So many rounds one player may bank before the bank is offered on."""


def seats_at(table: Table) -> int:
    """Return how many seats a table has at which a player banks."""
    chosen = table.rules.submission.table
    return max(SEATS, chosen.seats or chosen.positions)


def seats_in_play(table: Table) -> tuple[int, ...]:
    """Return the seven seats that get cards in a round that a player banks, clockwise from his own."""
    active = [hand.position for hand in table.play.active()]
    return seats_dealt(table.play.bank_seat or 1, seats_at(table), active)


def not_the_house(table: Table, command: Command) -> bool:
    """Whether it is a player who acts or is acted for, and not the house under a player's name."""
    seat = table.seats.get(command.position or 0)
    if seat is not None and seat.person.casefold() in _THE_HOUSE:
        return False
    return command.by.name.casefold() not in _THE_HOUSE


def offers_over(table: Table) -> Table:
    """Begin a new round of offers when everybody else has declined the bank, or has left.

    The same player may then bank again (reading ca:C20), unless play is to stop until somebody else does.
    """
    banking = table.banking
    if banking.offering is not None or not banking.declined:
        return table
    asked = (banking.seat, *banking.declined)
    if any(at not in asked and seat.person != banking.person for at, seat in table.seats.items()):
        return table
    stops = table.rules.readings.get("ca_all_decline_bank") == "play_stops"
    rounds = banking.rounds if stops else 0
    return changed(table, banking=Banking(banking.seat, banking.person, rounds))


def sense(reason: str, holds: Holds) -> Guard:
    """Make a condition that binds whatever the law says."""
    return Guard("sense", reason, holds, sense=True)


def always(key: str, reason: str, holds: Holds) -> Guard:
    """Make a condition that binds whatever the law says, and cites the law where it says so too."""
    return Guard(key, reason, holds, sense=True)
