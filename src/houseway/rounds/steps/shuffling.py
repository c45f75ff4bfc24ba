"""Shuffling: by hand or by a device, which may fail; and the shuffled deck in one stack."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from houseway.rng import SealedDeck
from houseway.rounds.state import Phase, Place, Source, Table, changed
from houseway.rounds.step import (
    BY_DEALER,
    BY_DEALER_OR_DEVICE,
    FLOOR,
    Command,
    Event,
    Guard,
    Holds,
    Moment,
    Step,
    register,
)
from houseway.rounds.steps.common import (
    DEVICE,
    always,
    dealer_of,
    deck_has,
    deck_has_not,
    deck_of,
    marks_deck,
    sense,
)

BETWEEN = (Phase.OPENING, Phase.BETTING)


DECK = {"deck": str}


SHUFFLING = frozenset(
    {
        "shuffled",
        "squared",
        "covered",
        "cut",
        "moved",
        "spared",
        "loaded",
        "played",
        "preshuffled",
        "faulted",
        "ordered",
    }
)
"""What a new shuffle makes undone."""


def _device_named(_: Table, command: Command) -> bool:
    return command.get("method") != "automated" or bool(command.get("device"))


def _method_allowed(table: Table, command: Command) -> bool:
    usual = table.rules.submission.table.shuffler
    if command.get("method") not in ("manual", "automated"):
        return False
    if command.get("method") == "automated":
        return usual == "automated" and not table.has("shuffler_failed")
    return usual == "manual" or table.has("shuffler_failed")


def _signed(table: Table, command: Command) -> bool:
    """A failed shuffler is signed out of order before the cards are shuffled another way."""
    other = command.get("method") != table.rules.submission.table.shuffler
    return not (other and table.has("shuffler_failed")) or table.has("shuffler_signed")


def _whole(table: Table, command: Command) -> bool:
    cards = command.get("cards")
    return cards is None or bool(cards == len(table.rules.game.cards()))


def other_in_shuffler(table: Table, command: Command) -> bool:
    """Whether the other deck, if there is one, is in the shuffler."""
    others = [d for d in table.decks.values() if d.name != command.get("deck") and not d.has("removed")]
    return all(deck.place is Place.SHUFFLER for deck in others)


def alternates(table: Table, command: Command) -> bool:
    """Whether the deck is the one that was not used last, if there are two."""
    usable = [d for d in table.decks.values() if not d.has("removed")]
    return len(usable) < 2 or command.get("deck") != table.last_deck  # noqa: PLR2004 - two decks


def shoe_works(table: Table, _: Command) -> bool:
    """Whether the shoe that the table deals from is in order."""
    return table.way != "automated_shoe" or not table.has("shoe_failed")


def _if_into_shoe(holds: Holds) -> Holds:
    return lambda table, command: command.get("into", "stack") != "shoe" or holds(table, command)


def _straight_to_shoe(table: Table, command: Command) -> bool:
    if command.get("into", "stack") != "shoe":
        return True
    shoe = table.way in ("manual_shoe", "automated_shoe")
    return shoe and command.get("method") == "automated" and table.rules.submission.table.direct_to_shoe


def _not_dealt(table: Table, command: Command) -> bool:
    """A deck that a round in progress is played with is no deck to shuffle, nor in the shuffler."""
    in_round = table.phase not in (*BETWEEN, Phase.IDLE, Phase.CLOSED)
    return not in_round or command.get("deck") not in (table.deck, table.play.deck)


def _made_ready(table: Table, command: Command) -> bool:
    return deck_of(table, command).has("stacked")


def _shuffled(table: Table, command: Command, moment: Moment) -> Mapping[str, Any]:
    if table.source is not Source.VIRTUAL_DECK:
        return {"sealed": None}
    sealed = SealedDeck.shuffle(table.rules.game.cards().cards, moment.entropy)
    return {"sealed": sealed}


def _shuffle(table: Table, event: Event) -> Table:
    name, sealed = event.get("deck"), event.get("sealed")
    deck = table.decks[name]
    marks = (deck.marks - SHUFFLING) | {"shuffled"}
    automated = event.get("method") == "automated"
    if event.get("into") == "shoe":
        marks |= {"squared", "loaded"}
    place = Place.SHUFFLER if automated and event.get("into") != "shoe" else Place.TABLE
    table = table.with_deck(
        name,
        marks=marks,
        place=Place.PLAY if event.get("into") == "shoe" else place,
        shuffled_by=event.get("method"),
        sealed=sealed,
        order=sealed.order if sealed else (),
        declined=(),
        offered=None,
        cutter=None,
    )
    rack = () if table.rack_deck == name else table.rack
    used = name if event.get("into") == "shoe" else (None if table.deck == name else table.deck)
    return changed(
        table,
        rack=rack,
        rack_deck=None if table.rack_deck == name else table.rack_deck,
        deck=used,
    )


def _ordered(table: Table, _: Event) -> Table:
    """Every deck that could be dealt next has to be shuffled first."""
    decks = {name: changed(deck, marks=deck.marks | {"ordered"}) for name, deck in table.decks.items()}
    return changed(table, decks=decks)


def _suggest_shuffle(table: Table) -> Iterable[Command]:
    method = "manual" if table.has("shuffler_failed") else table.rules.submission.table.shuffler
    by = DEVICE if method == "automated" else dealer_of(table)
    extra = {"device": "shuffler"} if method == "automated" else {}
    for deck in table.decks.values():
        due = deck.has("stacked") and not deck.has("removed")
        if due and (not deck.has("shuffled") or deck.has("played") or deck.has("ordered")):
            yield Command("shuffle", by, details={"deck": deck.name, "method": method, **extra})


def _suggest_square(table: Table) -> Iterable[Command]:
    for deck in table.decks.values():
        if deck.has("shuffled") and not deck.has("squared"):
            yield Command("square", dealer_of(table), details={"deck": deck.name})


def _fault(table: Table, event: Event) -> Table:
    deck = deck_of(table, event)
    table = table.with_deck(
        deck.name, marks=(deck.marks - SHUFFLING) | {"faulted"}, order=(), sealed=None, place=Place.TABLE
    )
    return changed(
        table,
        marks=(table.marks | {"shuffler_failed"}) - {"shuffler_signed"},
        deck=None if table.deck == deck.name else table.deck,
    )


register(
    Step(
        "shuffle",
        BY_DEALER_OR_DEVICE,
        BETWEEN,
        (
            sense("the deck is stacked first, and at the table", _made_ready),
            sense("the deck is off the table", deck_has_not("removed")),
            sense("a deck is not shuffled while it is dealt", _not_dealt),
            Guard("device", "an automated shuffle names its device", _device_named),
            always("method", "the table does not shuffle that way", _method_allowed),
            Guard("alternate", "the two decks are used in turn", _if_into_shoe(alternates)),
            Guard(
                "other_in_shuffler", "the other deck stays in the shuffler", _if_into_shoe(other_in_shuffler)
            ),
            always("shoe", "the automated shoe is out of order", _if_into_shoe(shoe_works)),
            Guard("signed", "the failed shuffler is covered or signed out of order first", _signed),
            always("whole", "the cards in the device go together with those already dealt", _whole),
            always("into_shoe", "only an automated shuffler may load the shoe itself", _straight_to_shoe),
        ),
        takes={**DECK, "method": str, "device?": str, "cards?": int, "into?": str},
        needs="deck",
        outcome=_shuffled,
        evolve=_shuffle,
        suggest=_suggest_shuffle,
    ),
    Step(
        "square",
        BY_DEALER_OR_DEVICE,
        BETWEEN,
        (sense("the deck is not shuffled", deck_has("shuffled")),),
        takes=DECK,
        needs="deck",
        evolve=marks_deck("squared"),
        suggest=_suggest_square,
    ),
    Step(
        "direct_shuffle",
        FLOOR,
        BETWEEN,
        (),
        evolve=_ordered,
    ),
    Step(
        "shuffler_fault",
        BY_DEALER_OR_DEVICE,
        (*BETWEEN, Phase.IDLE, Phase.STARTING, Phase.DEALING, Phase.SETTING, Phase.DEALER, Phase.SETTLING),
        (
            sense("the table has no shuffler", lambda t, _: t.rules.submission.table.shuffler == "automated"),
            sense("the deck is in play, not in the shuffler", _not_dealt),
            sense("the deck is off the table", deck_has_not("removed")),
        ),
        takes=DECK,
        needs="deck",
        evolve=_fault,
    ),
    Step(
        "sign_out_of_order",
        BY_DEALER | FLOOR,
        tuple(Phase),
        (
            sense("no such device has failed", lambda t, c: t.has(f"{c.get('device')}_failed")),
            Guard(
                "how",
                "the device is covered, or a sign is placed",
                lambda _, c: c.get("how") in ("covered", "sign"),
            ),
        ),
        takes={"device": str, "how?": str},
        evolve=lambda t, e: changed(t, marks=t.marks | {f"{e.get('device')}_signed"}),
    ),
    Step(
        "repair",
        FLOOR,
        tuple(Phase),
        (sense("no such device has failed", lambda t, c: t.has(f"{c.get('device')}_failed")),),
        takes={"device": str},
        evolve=lambda t, e: changed(
            t, marks=t.marks - {f"{e.get('device')}_failed", f"{e.get('device')}_signed"}
        ),
    ),
)
