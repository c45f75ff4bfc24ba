"""The deck into the shoe or the hand, two decks in turn, and off the table."""

from __future__ import annotations

from collections.abc import Iterable

from houseway.rounds.state import BEFORE_CARDS, Phase, Place, Table, changed
from houseway.rounds.step import (
    BY_DEALER,
    BY_DEALER_OR_DEVICE,
    FLOOR,
    Command,
    Event,
    Guard,
    Step,
    register,
)
from houseway.rounds.steps.common import (
    always,
    dealer_of,
    deck_has,
    deck_has_not,
    deck_of,
    sense,
    the_deck,
)
from houseway.rounds.steps.cutting import AGAIN, covers_placed, is_cut
from houseway.rounds.steps.shuffling import DECK, alternates, other_in_shuffler, shoe_works


def _hand_named(table: Table, command: Command) -> bool:
    return table.way != "hand" or command.get("hand") in ("left", "right")


def _by_device(table: Table, command: Command) -> bool:
    return table.way != "hand" or deck_of(table, command).shuffled_by == "automated"


def _covers(table: Table, command: Command) -> bool:
    deck = deck_of(table, command)
    return not deck.has("cut") or covers_placed(table, deck)


def _load(table: Table, event: Event) -> Table:
    name = event.get("deck")
    deck = table.decks[name]
    table = table.with_deck(name, marks=deck.marks | {"loaded"}, place=Place.PLAY)
    play = changed(table.play, holding=event.get("hand"))
    if table.phase is Phase.STARTING:  # cut again after bets were closed
        play = changed(play, deck=name, sealed=deck.sealed, order=deck.order)
    return changed(table, deck=name, play=play)


def _suggest_load(table: Table) -> Iterable[Command]:
    deck = the_deck(table)
    if deck is None or not deck.has("squared") or deck.has("loaded") or not is_cut(table, deck):
        return
    extra = {"hand": "left"} if table.way == "hand" else {}
    yield Command("load", dealer_of(table), details={"deck": deck.name, **extra})


def _remove(table: Table, event: Event) -> Table:
    name = event.get("deck")
    table = table.with_deck(name, marks=frozenset({"removed"}), place=Place.REMOVED)
    rack = () if table.rack_deck == name else table.rack
    return changed(
        table,
        deck=None if table.deck == name else table.deck,
        rack=rack,
        rack_deck=None if table.rack_deck == name else table.rack_deck,
    )


register(
    Step(
        "load",
        BY_DEALER_OR_DEVICE,
        AGAIN,
        (
            sense("the deck is shuffled and in one stack first", deck_has("shuffled", "squared")),
            Guard("after_shuffle", "the deck is shuffled first", deck_has("shuffled")),
            Guard("by_device", "dealing from the hand needs an automated shuffle", _by_device),
            Guard("cover", "the cover cards are put in their places first", _covers),
            sense("the deck is cut first", lambda t, c: is_cut(t, deck_of(t, c))),
            sense("the deck is in place already", deck_has_not("loaded", "removed")),
            Guard("other_in_shuffler", "the other deck is in the shuffler meanwhile", other_in_shuffler),
            Guard("alternate", "the two decks are used in turn", alternates),
            Guard("hand", "the dealer takes the deck in the left or the right hand", _hand_named),
            always("shoe", "the automated shoe is out of order", shoe_works),
        ),
        takes={**DECK, "hand?": str},
        needs="deck",
        evolve=_load,
        suggest=_suggest_load,
    ),
    Step(
        "remove_deck",
        BY_DEALER | FLOOR,
        (*BEFORE_CARDS, Phase.OPENING, Phase.IDLE),
        (
            sense("a deck is not removed while it is dealt", lambda t, _: t.phase is not Phase.STARTING),
            sense("the deck is removed already", deck_has_not("removed")),
        ),
        takes={**DECK, "reason?": str},
        needs="deck",
        evolve=_remove,
    ),
)
