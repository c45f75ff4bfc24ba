"""What the steps share: questions about decks, hands and rounds, and the people who usually do things."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from houseway.games import Rules
from houseway.rounds.action import Action, AtPosition, OnDeck, OnHand, step_of
from houseway.rounds.capacities import plain_name
from houseway.rounds.dealing import SEATS, seats_dealt
from houseway.rounds.deck_life import LIFE, NAMES, has_come_to, lies_on_table, marks_after
from houseway.rounds.marks import DeckMark, HandMark, RoundMark
from houseway.rounds.roles import Role
from houseway.rounds.state import Hand, PersonId, Seat, Table, TableDeck, changed
from houseway.rounds.step import A, Actor, AnEvent, Guard, Proposal, Situation
from houseway.settlement import Status

FLOORPERSON: Final = Actor("floor", Role.FLOORPERSON)
_PLAYED: Final = Status.PLAYED
_THE_HOUSE: Final = ("house", "the house")
NOT_HOUSE: Final = "neither the house, its licence holder nor its dealer takes part in the game"


# --- conditions ---------------------------------------------------------------------------------------


def sense(reason: str, holds: Callable[[Situation, A], bool], *about: str) -> Guard[A]:
    """Make a condition that binds in every game, without law."""
    return Guard("sense", reason, holds, sense=True, about=about)


def moot(reason: str, holds: Callable[[Situation, A], bool]) -> Guard[A]:
    """Make a condition without which there is nothing to do: the thing is not there, or it is done.

    It looks at no field of the action but the deck or the position that it is about.
    """
    return Guard("sense", reason, holds, sense=True, moot=True)


def always(key: str, reason: str, holds: Callable[[Situation, A], bool], *about: str) -> Guard[A]:
    """Make a condition that binds in every game, and cites the law where a game names it."""
    return Guard(key, reason, holds, sense=True, about=about)


def deck_has(*marks: DeckMark) -> Callable[[Situation, OnDeck], bool]:
    """Ask whether all of this has been done to the deck."""
    return lambda s, action: deck_of(s, action).marks.issuperset(marks)


def deck_has_not(*marks: DeckMark) -> Callable[[Situation, OnDeck], bool]:
    """Ask whether none of this has been done to the deck."""
    return lambda s, action: deck_of(s, action).marks.isdisjoint(marks)


def life_guards(action: type[OnDeck]) -> tuple[Guard[OnDeck], ...]:
    """Make the conditions of a step that a deck's own life sets: not twice, not too late, where it lies."""
    passage, before = LIFE[step_of(action)], LIFE[step_of(action)].before
    guards = [moot("the deck is off the table", deck_has_not(DeckMark.REMOVED))]
    if before is not None:
        guards.append(
            moot(f"{NAMES[before]} already", lambda s, done: not has_come_to(deck_of(s, done), before))
        )
    if passage.on_table:
        guards.append(
            moot("the cards do not lie on the table", lambda s, done: lies_on_table(deck_of(s, done)))
        )
    return tuple(guards)


def round_has(*marks: RoundMark) -> Callable[[Situation, Action], bool]:
    """Ask whether all of this has been done in the round."""
    return lambda s, _: s.table.round.marks.issuperset(marks)


def round_has_not(*marks: RoundMark) -> Callable[[Situation, Action], bool]:
    """Ask whether none of this has been done in the round."""
    return lambda s, _: s.table.round.marks.isdisjoint(marks)


def hand_has(*marks: HandMark) -> Callable[[Situation, OnHand], bool]:
    """Ask whether all of this has been done with the hand."""
    return lambda s, action: hand_of(s, action).marks.issuperset(marks)


def hand_has_not(*marks: HandMark) -> Callable[[Situation, OnHand], bool]:
    """Ask whether none of this has been done with the hand."""
    return lambda s, action: hand_of(s, action).marks.isdisjoint(marks)


def if_marked(mark: HandMark, holds: Callable[[Situation, A], bool]) -> Callable[[Situation, A], bool]:
    """Ask this only of hands that bear a mark."""
    return lambda s, action: mark not in s.table.round.hands[action.position].marks or holds(s, action)  # type: ignore[attr-defined]


def given(reason: str) -> bool:
    """Whether a reason, or the reference of a paper, says something: it has a letter or a digit."""
    return any(character.isalnum() for character in reason)


# --- what a step does ---------------------------------------------------------------------------------


def deck_goes_on(table: Table, event: AnEvent) -> Table:
    """Return the table with a deck to which a step was done: its mark left, and taken away what it undid."""
    name = event.action.deck
    return table.with_deck(name, marks=marks_after(table.decks[name], event.step))


def marks_round(*marks: RoundMark) -> Callable[[Table, AnEvent], Table]:
    """Return an evolution that only puts marks on the round."""
    return lambda table, _: table.mark_round(*marks)


def marks_hand(*marks: HandMark) -> Callable[[Table, AnEvent], Table]:
    """Return an evolution that only puts marks on a hand."""
    return lambda table, event: table.mark_hand(event.action.position, *marks)


# --- people -------------------------------------------------------------------------------------------


def dealer_of(table: Table) -> Actor:
    """Return the dealer at the table."""
    return Actor(table.dealer or "dealer", Role.DEALER)


def player_at(table: Table, position: int) -> Actor:
    """Return the player who sits at a position."""
    seat = table.seats[position]
    return Actor(seat.person, Role.PLAYER, seat.name)


def not_the_house(s: Situation, action: AtPosition) -> bool:
    """Whether it is a player who acts or is acted for: not the house, its licence holder or its dealer."""
    ours = {
        *_THE_HOUSE,
        plain_name(s.rules.submission.holder),
        *([plain_name(s.table.dealer)] if s.table.dealer else []),
    }
    seat = s.table.seats.get(action.position)
    names = {seat.person, seat.name} if seat is not None else set()
    names |= {s.by.id, s.by.name} if s.by.role is Role.PLAYER else set()
    return ours.isdisjoint(map(plain_name, names))


# --- decks and hands ----------------------------------------------------------------------------------


def deck_of(s: Situation, action: OnDeck) -> TableDeck:
    """Return the deck that an action is about."""
    return s.table.decks[action.deck]


def hand_of(s: Situation, action: OnHand) -> Hand:
    """Return the hand that an action is about."""
    return s.table.round.hands[action.position]


def is_own_hand(s: Situation, action: OnHand) -> bool:
    """Whether it is the player of the hand who acts."""
    return hand_of(s, action).person == s.by.id


def is_playing(s: Situation, action: OnHand) -> bool:
    """Whether the hand is in play: neither surrendered nor abandoned, nor void."""
    return hand_of(s, action).status is _PLAYED


def decks_to(
    table: Table, action: Callable[[str], Action], has: Iterable[DeckMark], lacks: Iterable[DeckMark]
) -> Iterable[Proposal]:
    """Suggest an action for every deck to which these things have been done and those have not."""
    for deck in table.decks.values():
        if deck.marks.issuperset(has) and deck.marks.isdisjoint(lacks):
            yield Proposal(dealer_of(table), action(deck.name))


def the_deck(table: Table) -> TableDeck | None:
    """Return the deck due for the next round: with two, the one that was not used last."""
    usable = [d for d in table.decks.values() if not d.has(DeckMark.REMOVED)]
    if not usable:
        return None
    if len(usable) > 1:
        return next((d for d in usable if d.name != table.last_deck), usable[0])
    return usable[0]


# --- seats --------------------------------------------------------------------------------------------


def positions(rules: Rules) -> range:
    """Return the positions at which players sit; where one of them banks, seat 1 is a player's too."""
    first = 1 if rules.banked else 2
    return range(first, first + rules.submission.table.positions)


def own_seats(table: Table, person: PersonId) -> dict[int, Seat]:
    """Return where a person sits, without a second betting area."""
    return {at: seat for at, seat in table.seats.items() if seat.person == person and not seat.area}


# --- seats where a player banks -----------------------------------------------------------------------


def banked_enough(rules: Rules, table: Table) -> bool:
    """Whether the player-dealer has banked as many rounds running as one player may."""
    terms = rules.game.bank
    if terms is None or table.banking.rounds < terms.most_rounds.value:
        return False
    return bool(terms.most_rounds.clauses)


def seats_at(rules: Rules) -> int:
    """Return how many seats a table has at which a player banks."""
    chosen = rules.submission.table
    return max(SEATS, chosen.seats or chosen.positions)


def seats_in_play(rules: Rules, table: Table) -> tuple[int, ...]:
    """Return the seven seats that get cards in a round that a player banks, clockwise from the bank's."""
    active = [hand.position for hand in table.round.active()]
    return seats_dealt(table.round.bank_seat or 1, seats_at(rules), active)


def all_declining_stops_play(rules: Rules) -> bool:
    """Whether play stops when everyone else has declined the bank (reading ca:C20)."""
    return rules.readings.get("ca_all_decline_bank") == "play_stops"


def offers_over(table: Table, *, play_stops: bool) -> Table:
    """Begin a new round of offers when everyone else has declined the bank, or has left.

    The same player may then bank again, unless play is to stop until another person does.
    """
    banking = table.banking
    if banking.offering is not None or not banking.declined:
        return table
    seats_asked = (banking.seat, *banking.declined)
    if any(at not in seats_asked and seat.person != banking.person for at, seat in table.seats.items()):
        return table
    rounds = banking.rounds if play_stops else 0
    return changed(table, banking=changed(banking, rounds=rounds, declined=()))
