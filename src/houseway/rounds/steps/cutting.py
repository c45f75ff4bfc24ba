"""The cut: who is offered it, how deep, the cover cards, and a cut made again by order of the floor."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from houseway.errors import IllegalError
from houseway.law.problems import Problem
from houseway.rounds.dealing import cut_deck
from houseway.rounds.state import Deck, Phase, Place, Table, changed
from houseway.rounds.step import (
    BY_DEALER,
    BY_PLAYER,
    BY_PLAYER_OR_DEALER,
    FLOOR,
    Command,
    Event,
    Guard,
    Moment,
    Role,
    Step,
    in_law,
    register,
)
from houseway.rounds.steps.common import (
    always,
    dealer_of,
    deck_has,
    deck_has_not,
    deck_of,
    marks_deck,
    player_at,
    sense,
    the_deck,
)
from houseway.rounds.steps.shuffling import BETWEEN, DECK

DEALER_CUTS = 0
"""The dealer in the order of those who may cut."""


MIDDLE = 26


def continuous(table: Table) -> bool:
    """Whether a device reshuffles the cards round by round, so that there is nothing to cut."""
    return table.rules.submission.table.reshuffle_device


def must_cut(table: Table, deck: Deck) -> bool:
    """Whether this deck has to be cut before it is dealt."""
    if "cut" not in table.rules.game.procedure:
        return False
    if continuous(table) and in_law(table, "cut", "continuous"):
        return False
    if deck.has("preshuffled"):
        by_device = deck.shuffled_by == "automated"
        if by_device and "by_device" in table.rules.game.procedure["cut"]:
            return False
        return in_law(table, "deal", "cut_preshuffled")
    if deck.shuffled_by == "automated":
        return not in_law(table, "deal", "not_cut")
    return in_law(table, "deal", "cut_manual")


def is_cut(table: Table, deck: Deck) -> bool:
    """Whether the deck is cut, cover cards in their places, or need not be."""
    return (deck.has("cut") and covers_placed(table, deck)) or not must_cut(table, deck)


def covers_placed(table: Table, deck: Deck) -> bool:
    """Whether the cover cards lie where they belong after a cut, where the law says where that is."""
    return "move_cover" not in table.rules.game.procedure or deck.marks.issuperset(("moved", "spared"))


def cut_order(table: Table) -> list[int]:
    """Return who is offered the cut in turn: the first arrival at a beginning, then counterclockwise."""
    seated = sorted(table.seats)
    if table.has("begun") or not seated or not in_law(table, "offer_cut", "first_arrival"):
        return seated
    first = min(seated, key=lambda at: table.seats[at].arrived)
    return [first, *(at for at in seated if at != first)]


def next_offer(table: Table, deck: Deck) -> int:
    """Return whose turn it is to be offered the cut; the dealer's when everybody has declined."""
    return next((at for at in cut_order(table) if at not in deck.declined), DEALER_CUTS)


def _offered_in_turn(table: Table, command: Command) -> bool:
    return command.position == next_offer(table, deck_of(table, command))


def _first_arrival(table: Table, command: Command) -> bool:
    deck = deck_of(table, command)
    return table.has("begun") or bool(deck.declined) or _offered_in_turn(table, command)


def _farthest_right(table: Table, command: Command) -> bool:
    deck = deck_of(table, command)
    return not table.has("begun") or bool(deck.declined) or _offered_in_turn(table, command)


def _rotating(table: Table, command: Command) -> bool:
    return not deck_of(table, command).declined or _offered_in_turn(table, command)


def _cutter(command: Command) -> int:
    return command.position or DEALER_CUTS


def _may_cut(table: Table, command: Command) -> bool:
    """Whoever the cut was offered to cuts; the dealer where it is his, or when all have declined."""
    deck = deck_of(table, command)
    if "offer_cut" not in table.rules.game.procedure:
        return command.by.role is Role.DEALER
    by_dealer = _cutter(command) == DEALER_CUTS and command.by.role is Role.DEALER
    by_player = command.by.role is Role.PLAYER and command.by.name == _person(table, command.position)
    if deck.has("recut"):
        return _cutter(command) in recutters(table, deck) and (by_dealer or by_player)
    if _cutter(command) == DEALER_CUTS:
        return by_dealer and next_offer(table, deck) == DEALER_CUTS
    return deck.offered == command.position and by_player


def _first_cut_theirs(table: Table, command: Command) -> bool:
    return deck_of(table, command).has("recut") or _may_cut(table, command)


def _recut_theirs(table: Table, command: Command) -> bool:
    return not deck_of(table, command).has("recut") or _may_cut(table, command)


def _person(table: Table, position: int | None) -> str | None:
    seat = table.seats.get(position or 0)
    return seat.person if seat else None


def recutters(table: Table, deck: Deck) -> set[int]:
    """Return who may cut again: the last cutter, or the next in the order."""
    last, order = deck.cutter or DEALER_CUTS, cut_order(table)
    if last not in order:
        return {DEALER_CUTS}
    after = order[order.index(last) + 1 :]
    return {last, after[0] if after else DEALER_CUTS}


def _depth_problems(table: Table, command: Command, _: object) -> Iterable[Problem]:
    cards = table.rules.game.cards().cards
    try:
        cut_deck(table.rules.game, cards, command.get("depth"))
    except IllegalError as error:
        yield Problem("cut.depth", error.cause, str(error.value), error.clauses)


def _cut_outcome(table: Table, command: Command, _: Moment) -> Mapping[str, Any]:
    deck = deck_of(table, command)
    order = cut_deck(table.rules.game, deck.order, command.get("depth")) if deck.order else ()
    return {"order": order}


def _cut(table: Table, event: Event) -> Table:
    deck = deck_of(table, event)
    marks = (deck.marks - {"recut", "moved", "spared"}) | {"cut"}
    return table.with_deck(
        deck.name,
        marks=marks,
        order=event.get("order"),
        cutter=event.position or DEALER_CUTS,
        offered=None,
    )


def _suggest_cut(table: Table) -> Iterable[Command]:
    deck = the_deck(table)
    if deck is None or not deck.has("squared") or deck.has("cut") or not must_cut(table, deck):
        return
    again = deck.has("recut") and deck.cutter in table.seats
    if again and deck.cutter:
        details = {"deck": deck.name, "depth": MIDDLE}
        yield Command("cut", player_at(table, deck.cutter), deck.cutter, details)
    elif deck.has("recut") or not _offered_on(table, deck):
        yield Command("cut", dealer_of(table), details={"deck": deck.name, "depth": MIDDLE})
    elif deck.offered is not None:
        by = player_at(table, deck.offered)
        yield Command("cut", by, deck.offered, {"deck": deck.name, "depth": MIDDLE})


def _offered_on(table: Table, deck: Deck) -> bool:
    """Whether the cut is still to be offered to a player."""
    return "offer_cut" in table.rules.game.procedure and next_offer(table, deck) != DEALER_CUTS


def _suggest_offer(table: Table) -> Iterable[Command]:
    deck = the_deck(table)
    if deck is None or not deck.has("covered") or deck.has("cut") or deck.offered is not None:
        return
    at = next_offer(table, deck)
    if at != DEALER_CUTS and must_cut(table, deck):
        yield Command("offer_cut", dealer_of(table), at, {"deck": deck.name})


def _suggest_cover(step: str, needs: str, mark: str) -> Any:  # noqa: ANN401 - a suggesting function
    def suggest(table: Table) -> Iterable[Command]:
        deck = the_deck(table)
        if ("place_cover" in table.rules.game.procedure) and (
            deck
            and deck.has(needs)
            and not deck.has(mark)
            and not deck.has("loaded")
            and must_cut(table, deck)
        ):
            extra = {"spare": "rack"} if mark == "spared" else {}
            yield Command(step, dealer_of(table), details={"deck": deck.name, **extra})

    return suggest


def _decline(table: Table, event: Event) -> Table:
    deck = deck_of(table, event)
    return table.with_deck(deck.name, declined=(*deck.declined, event.position), offered=None)


def _no_card_yet(table: Table, _: Command) -> bool:
    return not (table.play.dealt or table.play.boxed)


def _recut(table: Table, event: Event) -> Table:
    deck = deck_of(table, event)
    marks = (deck.marks - {"cut", "moved", "spared", "loaded"}) | {"recut"}
    table = table.with_deck(deck.name, marks=marks, place=Place.TABLE)
    return changed(table, deck=None if table.deck == deck.name else table.deck)


NOT_CONTINUOUS = Guard(
    "continuous", "a device that reshuffles every round leaves nothing to cut", lambda t, _: not continuous(t)
)


NOT_AUTOMATED = Guard(
    "not_automated", "a deck that a device shuffled is not cut", lambda t, c: must_cut(t, deck_of(t, c))
)
AGAIN = (*BETWEEN, Phase.STARTING)
"""A cut may be ordered again until the first card is dealt."""

register(
    Step(
        "place_cover",
        BY_DEALER,
        BETWEEN,
        (
            NOT_CONTINUOUS,
            sense("the deck is not in one stack", deck_has("squared")),
        ),
        takes=DECK,
        needs="deck",
        evolve=marks_deck("covered"),
        suggest=_suggest_cover("place_cover", "squared", "covered"),
    ),
    Step(
        "offer_cut",
        BY_DEALER,
        BETWEEN,
        (
            NOT_CONTINUOUS,
            NOT_AUTOMATED,
            Guard("covered", "the stack lies on a cover card first", deck_has("covered")),
            sense("the deck is cut", deck_has_not("cut")),
            sense("nobody sits there", lambda t, c: c.position in t.seats),
            Guard("in_turn", "the cut is offered in the law's order", _offered_in_turn),
            Guard("first_arrival", "at a beginning the first to arrive is offered the cut", _first_arrival),
            Guard(
                "farthest_right", "the player farthest to the dealer's right is offered it", _farthest_right
            ),
            Guard("rotating", "after a refusal the next player counterclockwise is offered it", _rotating),
        ),
        takes=DECK,
        needs="deck",
        evolve=lambda t, e: t.with_deck(e.get("deck"), offered=e.position),
        suggest=_suggest_offer,
    ),
    Step(
        "decline_cut",
        BY_PLAYER,
        BETWEEN,
        (
            sense("the cut was not offered there", lambda t, c: deck_of(t, c).offered == c.position),
            sense("is for the player there", lambda t, c: _person(t, c.position) == c.by.name),
        ),
        takes=DECK,
        needs="deck",
        evolve=_decline,
    ),
    Step(
        "cut",
        BY_PLAYER_OR_DEALER,
        AGAIN,
        (
            NOT_CONTINUOUS,
            NOT_AUTOMATED,
            Guard("covered", "the stack lies on a cover card first", deck_has("covered")),
            sense("the deck is not shuffled", deck_has("shuffled")),
            Guard("stacked", "the shuffled deck is in one stack first", deck_has("squared")),
            sense("the deck is cut already", deck_has_not("cut", "loaded")),
            always("dealer_last", "the dealer cuts when no player accepts", _first_cut_theirs),
            always("recutter", "the last cutter cuts again, or the next in turn", _recut_theirs),
        ),
        takes={**DECK, "depth": int},
        needs="deck",
        further=_depth_problems,
        outcome=_cut_outcome,
        evolve=_cut,
        suggest=_suggest_cut,
    ),
    Step(
        "move_cover",
        BY_DEALER,
        AGAIN,
        (sense("the deck is not cut", deck_has("cut")),),
        takes=DECK,
        needs="deck",
        evolve=marks_deck("moved"),
        suggest=_suggest_cover("move_cover", "cut", "moved"),
    ),
    Step(
        "spare_cover",
        BY_DEALER,
        AGAIN,
        (
            sense("the first cover card goes to the bottom first", deck_has("moved")),
            Guard(
                "choice",
                "one cover card is racked, or put in four cards from the bottom",
                lambda _, c: c.get("spare") in ("rack", "four_from_bottom"),
            ),
        ),
        takes={**DECK, "spare": str},
        needs="deck",
        evolve=marks_deck("spared"),
        suggest=_suggest_cover("spare_cover", "moved", "spared"),
    ),
    Step(
        "recut",
        FLOOR,
        (*BETWEEN, Phase.STARTING, Phase.DEALING),
        (
            NOT_CONTINUOUS,
            Guard(
                "no_card",
                "a recut comes before the first card",
                lambda t, _: not (t.play.dealt or t.play.boxed),
            ),
            Guard("after_cut", "only a cut deck can be cut again", deck_has("cut")),
            sense("the reason is put on record", lambda _, c: bool(c.get("reason", "").strip())),
        ),
        takes={**DECK, "reason": str},
        needs="deck",
        evolve=_recut,
    ),
)
