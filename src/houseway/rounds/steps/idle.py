"""An open table at which nobody plays: the cards spread, looked over, and made ready again."""

from __future__ import annotations

from houseway.rounds.state import Phase, Place, Table, changed
from houseway.rounds.step import BY_DEALER, Command, Event, Guard, Step, register
from houseway.rounds.steps.common import deck_has, sense
from houseway.rounds.steps.cutting import continuous
from houseway.rounds.steps.shuffling import DECK, SHUFFLING


def _asked_for(_: Table, command: Command) -> bool:
    return command.get("face", "down") == "down" or bool(command.get("asked_by"))


def _idle(table: Table, event: Event) -> Table:
    decks = {
        name: changed(deck, marks=(deck.marks - SHUFFLING - {"viewed", "turned_down", "washed", "stacked"}))
        if deck.place is not Place.SHUFFLER and not deck.has("removed")
        else deck
        for name, deck in table.decks.items()
    }
    decks = {
        name: changed(deck, place=Place.TABLE, order=(), sealed=None)
        if deck.place not in (Place.SHUFFLER, Place.REMOVED)
        else deck
        for name, deck in decks.items()
    }
    marks = (table.marks - {"begun"}) | {f"face_{event.get('face', 'down')}"}
    return changed(table, phase=Phase.IDLE, decks=decks, deck=None, rack=(), rack_deck=None, marks=marks)


def _resumable(table: Table, _: Command) -> bool:
    spread = [d for d in table.decks.values() if d.place is Place.TABLE and not d.has("removed")]
    return all(deck.has("viewed") for deck in spread)


def _resume(table: Table, _: Event) -> Table:
    return changed(table, phase=Phase.BETTING, marks=table.marks - {"face_up", "face_down"})


def _swap_ready(table: Table, command: Command) -> bool:
    """The deck kept in the device may be used as it is: stored safely, and nobody asks to see it."""
    return bool(command.get("secure")) and not command.get("asked")


def _swapped(table: Table, event: Event) -> Table:
    """The stacked deck goes into the shuffler; the one inside comes out, to be spread unless kept safe."""
    name = event.get("deck")
    decks = {}
    for deck in table.decks.values():
        if deck.name == name:
            decks[deck.name] = changed(deck, place=Place.SHUFFLER, marks=deck.marks - SHUFFLING | {"stacked"})
        elif event.get("spread") and not deck.has("removed"):
            marks = deck.marks - SHUFFLING - {"viewed", "turned_down", "washed", "stacked"}
            decks[deck.name] = changed(deck, place=Place.TABLE, marks=marks, order=(), sealed=None)
        else:
            decks[deck.name] = changed(deck, place=Place.TABLE)
    table = changed(table, decks=decks, last_deck=name, phase=Phase.BETTING)
    return changed(table, marks=table.marks - {"face_up", "face_down"})


register(
    Step(
        "idle_spread",
        BY_DEALER,
        (Phase.BETTING,),
        (
            sense("there are wagers on the layout", lambda t, _: not t.play.hands),
            Guard(
                "continuous",
                "a device that reshuffles every round holds the cards",
                lambda t, _: not continuous(t),
            ),
            Guard("asked", "face up only if a player asks", _asked_for),
        ),
        takes={"face?": str, "asked_by?": str},
        evolve=_idle,
    ),
    Step(
        "resume",
        BY_DEALER,
        (Phase.IDLE,),
        (Guard("after_view", "the first to arrive may look the cards over first", _resumable),),
        evolve=_resume,
    ),
    Step(
        "swap_decks",
        BY_DEALER,
        (Phase.IDLE,),
        (
            sense("the table has no shuffler", lambda t, _: t.rules.submission.table.shuffler == "automated"),
            sense("the cards are stacked first", deck_has("stacked")),
            Guard(
                "safe",
                "a deck taken from the device is spread and shuffled, unless kept safe and nobody asks",
                lambda t, c: bool(c.get("spread")) or _swap_ready(t, c),
            ),
        ),
        takes={**DECK, "secure?": bool, "asked?": bool, "spread?": bool},
        needs="deck",
        evolve=_swapped,
    ),
)
