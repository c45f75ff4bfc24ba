"""The deal as arithmetic: the cut, the starting position, who gets which card, what must be left.

Positions count from the dealer as 1. They rise counterclockwise in Pennsylvania and Washington, where
dealing runs clockwise; in California seats rise clockwise and so does everything else.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from msgspec import Struct

from houseway.cards import Card, Cards
from houseway.errors import IllegalError, UnknownNameError
from houseway.games import Game, Rules
from houseway.games.game import Starts
from houseway.law.citations import UNCITED
from houseway.law.problems import Problem

SEATS = 7
DICE = 3
FACES = 6


def cut_deck(game: Game, order: Sequence[Card], depth: int) -> Cards:
    """Cut a stack: the cards above the cover card go to the bottom."""
    terms = game.cut
    if terms is None:
        raise IllegalError("this game's deck is not cut", value=game.id)
    below = len(order) - depth
    law = terms.depth
    if law.binds and (depth < terms.least_above or below < terms.least_below):
        need = f"at least {terms.least_above} cards above the cut and {terms.least_below} below"
        raise IllegalError(need, value=depth, clauses=law)
    terms.rotates.require()
    return (*order[depth:], *order[:depth])


def dice_total(game: Game, dice: Sequence[int], number: int = DICE) -> int:
    """Total the dice of a shaker, three unless a house chose; a die that shows no number is no roll."""
    if len(dice) != number or not all(1 <= die <= FACES for die in dice):
        raise IllegalError(f"{dice_in_words(number)}, each showing 1 to 6", value=str(tuple(dice)))
    if game.starts:
        game.starts.dice_total.require()
    return sum(dice)


def dice_in_words(number: int) -> str:
    """Return how many dice a shaker holds, as people say it."""
    words = {1: "one die", 2: "two dice", 3: "three dice"}
    return words.get(number, f"{number} dice")


def position_by_dice(game: Game, total: int, number: int = DICE) -> int:
    """Return the starting position: count every position, the dealer 1, until the total is reached."""
    starts = _starts(game)
    if not number <= total <= number * FACES:
        raise IllegalError(f"{dice_in_words(number)} total {number} to {number * FACES}", value=total)
    starts.by_dice.require()
    return (total - 1) % starts.numbers + 1


def position_by_number(game: Game, number: int) -> int:
    """Return the starting position that a displayed number names."""
    starts = _starts(game)
    if not starts.number.binds:
        raise IllegalError("no clause lets a number find the start", value=number)
    if not 1 <= number <= starts.numbers:
        raise IllegalError(f"a number from 1 to {starts.numbers}", value=number, clauses=starts.number)
    starts.number.require()
    starts.by_number.require()
    return number


def verify_number(game: Game, number: int) -> tuple[Problem, ...]:
    """Return what is wrong with the number entered for a device."""
    starts = _starts(game)
    if 1 <= number <= starts.numbers:
        return ()
    return (Problem("number", f"a number from 1 to {starts.numbers}", str(number), starts.number),)


def position_by_button(game: Game, rounds_played: int) -> int:
    """Return where the flat button stands: before the dealer first, then clockwise by one each round."""
    starts = _starts(game)
    if not starts.by_button:
        raise IllegalError("this game knows no button", value=game.id)
    starts.by_button.require()
    return (-rounds_played) % starts.numbers + 1


def seats_dealt(player_dealer: int, seats: int = SEATS, active: Collection[int] = ()) -> tuple[int, ...]:
    """Return the seven seats that get cards, clockwise from the player-dealer's.

    Dice and piles know only seven places: at a larger table they are the seats in play and as many free
    ones, clockwise, as make up the seven (reading ca:C21).

    >>> seats_dealt(6), seats_dealt(1, 9, (8, 9))
    ((6, 7, 1, 2, 3, 4, 5), (1, 2, 3, 4, 5, 8, 9))
    """
    around = [(player_dealer - 1 + turn) % max(seats, SEATS) + 1 for turn in range(max(seats, SEATS))]
    playing = {player_dealer, *active}
    free = [seat for seat in around if seat not in playing]
    dealt = playing.union(free[: max(0, SEATS - len(playing))])
    return tuple(seat for seat in around if seat in dealt)


def seat_by_dice(game: Game, total: int, player_dealer: int, seats: Sequence[int] = ()) -> int:
    """Return the seat that gets the first hand, counted clockwise from the player-dealer as 1, 8 and 15."""
    return (seats or seats_dealt(player_dealer))[position_by_dice(game, total) - 1]


def _starts(game: Game) -> Starts:
    if game.starts is None:
        raise IllegalError("this game has no starting position", value=game.id)
    return game.starts


def dealing_order(start: int) -> tuple[int, ...]:
    """Return the positions clockwise from the starting one: 4, 3, 2, 1, 7, 6, 5.

    >>> dealing_order(4)
    (4, 3, 2, 1, 7, 6, 5)
    """
    return tuple((start - 1 - turn) % SEATS + 1 for turn in range(SEATS))


def deal_singly(game: Game, order: Sequence[Card], start: int, method: str) -> dict[int, Cards]:
    """Deal one card at a time to every position, wager or not, until each hand is complete."""
    game.dealing.complete.get(method, UNCITED).require()
    hands: dict[int, list[Card]] = {position: [] for position in dealing_order(start)}
    for card, position in zip(order, dealing_order(start) * game.hand_cards, strict=False):
        hands[position].append(card)
    return {position: tuple(cards) for position, cards in hands.items()}


def deal_stacks(game: Game, order: Sequence[Card], positions: Sequence[int]) -> dict[int, Cards]:
    """Deal a stack at a time to the positions in turn."""
    size = game.hand_cards
    return {at: tuple(order[turn * size : (turn + 1) * size]) for turn, at in enumerate(positions)}


def zigzag_pile(game: Game, number: int) -> int:
    """Return the pile that the n-th card goes to by hand: left to right, then right to left, and so on."""
    if not 1 <= number <= SEATS * game.hand_cards:
        raise IllegalError("no pile is dealt this card", value=number)
    game.dealing.zigzag.require()
    row, column = divmod(number - 1, SEATS)
    return SEATS - column if row % 2 else column + 1


def deal_zigzag(game: Game, order: Sequence[Card]) -> tuple[Cards, ...]:
    """Deal seven piles by hand."""
    piles: list[list[Card]] = [[] for _ in range(SEATS)]
    for number, card in enumerate(order[: SEATS * game.hand_cards], start=1):
        piles[zigzag_pile(game, number) - 1].append(card)
    return tuple(tuple(pile) for pile in piles)


class Voided(Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """Why a round or a hand is void, by which clauses, and what becomes of the deck."""

    reason: str
    clauses: tuple[str, ...]
    reshuffle: bool = False
    deck_removed: bool = False


def expected_stub(rules: Rules, boxed: int) -> int:
    """Return how many cards must be left, less those found face up and set aside."""
    readings = rules.readings
    lenient = readings.get("boxed_card_stub", readings.get("six_boxed_card_stub")) != "always_full"
    return rules.game.stub - (boxed if lenient else 0)


def check_deal(
    rules: Rules, hands: Mapping[int, int], stub: int, boxed: int = 0, due: Mapping[int, int] | None = None
) -> Voided | None:
    """Judge a deal by its counts: every hand complete and the right stub, or the round is void.

    A card found face up and set aside leaves the stub so much smaller (readings asia:P4, six:D5). While
    cards are dealt ``due`` says how many each position has had by then.
    """
    game, method = rules.game, rules.submission.table.dealing or ""
    dealing = game.dealing
    dealing.stub.get(method, UNCITED).require()
    size = game.hand_cards
    if any(count != (size if due is None else due.get(at)) for at, count in hands.items()):
        law = dealing.misdealt.get(method, UNCITED)
        if law.binds:
            return Voided("a hand has a wrong number of cards", tuple(law), reshuffle=True)
    expected = expected_stub(rules, boxed)
    if stub != expected:
        law = dealing.short.get(method, UNCITED)
        if law.binds:
            return Voided(f"{stub} cards are left, not {expected}", tuple(law), deck_removed=True)
    return None


def irregularity(rules: Rules, name: str) -> Voided:
    """Return what the law makes of something that went wrong."""
    terms = next((row for row in rules.game.irregularity if row.id == name), None)
    if terms is None:
        known = ", ".join(row.id for row in rules.game.irregularity) or "none"
        raise UnknownNameError(f"{rules.game.id} knows the irregularities {known}", value=name)
    terms.clauses.require()
    return Voided(terms.say, tuple(terms.clauses), reshuffle=terms.reshuffle)


def wrong_start(rules: Rules, given: int, dealt_to: int) -> Voided | None:
    """Judge a first card dealt by a wrong total: void only if it went to another position."""
    if given == dealt_to and rules.readings.get("wrong_total_same_position", "no_void") == "no_void":
        return None
    return irregularity(rules, "wrong_start")
