"""Who may see which cards: a seat its own, everybody what lies open by law, nobody what is left over."""

from __future__ import annotations

from datetime import datetime

from houseway.cards import Cards
from houseway.law.claims import rest_on
from houseway.law.problems import refuse
from houseway.rounds.deciding import verify
from houseway.rounds.state import WITH_CARDS, Hand, Phase, Table
from houseway.rounds.step import Actor, Command, Role, Step, law_of, register
from houseway.rounds.steps.common import always, sense
from houseway.settlement import Status

STUB = "stub"
EVERYBODY = frozenset(Role)


def see(table: Table, viewer: Actor, position: int | None, now: datetime, *, what: str = "hand") -> Cards:
    """Return the cards at a position as a person may see them, or refuse with the clause that hides them."""
    command = Command("see", viewer, position, {"what": what})
    refuse("see", verify(table, command, now))
    if position == table.dealer_at:
        rest_on(*law_of(table, "see", "dealer_open"))
        return table.play.dealer_cards
    return table.play.hands[position or 0].cards


def _hand(table: Table, command: Command) -> Hand | None:
    return table.play.hands.get(command.position or 0)


def _lies_open(table: Table, hand: Hand) -> bool:
    """A hand lies open once every part is revealed; a surrendered or a void one never does."""
    hidden = hand.status in (Status.SURRENDERED, Status.VOID) and not hand.has("rearranged")
    return not hidden and (len(hand.shown) == len(table.rules.game.parts) or hand.has("rearranged"))


def _not_stub(_: Table, command: Command) -> bool:
    return bool(command.get("what") != STUB)


def _not_empty(table: Table, command: Command) -> bool:
    return (
        command.get("what") == STUB
        or command.position == table.dealer_at
        or _hand(table, command) is not None
    )


def _dealt(table: Table, command: Command) -> bool:
    return command.get("what") == STUB or table.play.has("collected")


def _own_or_open(table: Table, command: Command) -> bool:
    hand = _hand(table, command)
    if hand is None or hand.status is Status.SURRENDERED:
        return True
    own = hand.person == command.by.name and command.by.role is Role.PLAYER
    return own or _lies_open(table, hand)


def _not_surrendered(table: Table, command: Command) -> bool:
    hand = _hand(table, command)
    return hand is None or hand.status is not Status.SURRENDERED or _lies_open(table, hand)


def _choice_made(table: Table, command: Command) -> bool:
    hand = _hand(table, command)
    return hand is None or not hand.has("choosing")


def _looked(table: Table, command: Command) -> bool:
    hand = _hand(table, command)
    return hand is None or hand.has("looked") or _lies_open(table, hand)


def _dealer_turned(table: Table, command: Command) -> bool:
    return command.position != table.dealer_at or table.phase in (Phase.DEALER, Phase.SETTLING)


register(
    Step(
        "see",
        EVERYBODY,
        (*WITH_CARDS, Phase.BETTING, Phase.STARTING),
        (
            always("stub", "the cards left over are shown to nobody", _not_stub),
            always("empty", "the cards of a position without a wager are shown to nobody", _not_empty),
            always("before_deal", "the cards are looked at when the deal is complete", _dealt),
            always("others", "before it is opened only its player looks at a hand", _own_or_open),
            always("surrendered", "surrendered cards are shown to nobody", _not_surrendered),
            always("choosing", "the choice about an exposed card comes first", _choice_made),
            sense("the player has not looked yet", _looked),
            always("dealer", "the dealer's cards are not turned over yet", _dealer_turned),
        ),
        takes={"what?": str},
    )
)
