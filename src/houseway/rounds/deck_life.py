"""The life of a deck: one path from its box to the deal, and what takes it back.

Each thing that is done to a deck leaves a mark, and is done only until the deck has gone further on its path.
What disturbs a deck takes away the marks of all that it undid: a deck never claims what is no longer so.
The steps ask and use this table, and a document draws it.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from houseway.rounds.marks import SHUFFLING, SPREADING, DeckMark
from houseway.rounds.state import Place, TableDeck

PATH: Final = (
    DeckMark.INSPECTED,
    DeckMark.VERIFIED,
    DeckMark.SPREAD,
    DeckMark.VIEWED,
    DeckMark.TURNED_DOWN,
    DeckMark.WASHED,
    DeckMark.STACKED,
    DeckMark.SHUFFLED,
    DeckMark.SQUARED,
    DeckMark.COVERED,
    DeckMark.CUT,
    DeckMark.MOVED,
    DeckMark.SPARED,
    DeckMark.LOADED,
    DeckMark.PLAYED,
)
"""What is done to a deck, in order. No game does all of it; none does it in another order."""
NAMES: Final[Mapping[DeckMark, str]] = MappingProxyType(
    {
        DeckMark.VERIFIED: "the inspection is verified",
        DeckMark.SPREAD: "the deck is spread",
        DeckMark.TURNED_DOWN: "the cards are turned down",
        DeckMark.STACKED: "the cards are stacked",
        DeckMark.SQUARED: "the deck is in one stack",
        DeckMark.COVERED: "the cover card is placed",
        DeckMark.CUT: "the deck is cut",
        DeckMark.MOVED: "the first cover card is moved",
        DeckMark.SPARED: "the second cover card is placed",
        DeckMark.LOADED: "the deck is loaded",
    }
)
"""What has come about when a deck is as far as a mark."""


class Passage(NamedTuple):
    """One thing that is done to a deck."""

    leaves: DeckMark | None = None
    """The mark that it leaves."""
    before: DeckMark | None = None
    """It is not done any more once the deck is as far as this."""
    undoes: frozenset[DeckMark] = frozenset()
    on_table: bool = False
    """Whether the cards must lie on the table for it, not in a device or a shoe."""


_UNCUT: Final = frozenset({DeckMark.CUT, DeckMark.MOVED, DeckMark.SPARED, DeckMark.LOADED})
LIFE: Final[Mapping[str, Passage]] = MappingProxyType(
    {
        "inspect_deck": Passage(DeckMark.INSPECTED),
        "verify_inspection": Passage(DeckMark.VERIFIED, DeckMark.VERIFIED),
        "attest_joker": Passage(before=DeckMark.SPREAD),
        "tear_joker": Passage(DeckMark.TORN, DeckMark.SPREAD),
        "spread_deck": Passage(DeckMark.SPREAD, DeckMark.SPREAD, on_table=True),
        "view_spread": Passage(DeckMark.VIEWED, DeckMark.TURNED_DOWN, on_table=True),
        "turn_down": Passage(DeckMark.TURNED_DOWN, DeckMark.TURNED_DOWN, on_table=True),
        "wash": Passage(DeckMark.WASHED, DeckMark.STACKED, on_table=True),
        "stack": Passage(DeckMark.STACKED, DeckMark.STACKED, on_table=True),
        "shuffle": Passage(DeckMark.SHUFFLED, undoes=SHUFFLING),
        "square": Passage(DeckMark.SQUARED, DeckMark.SQUARED),
        "place_cover": Passage(DeckMark.COVERED, DeckMark.COVERED),
        "offer_cut": Passage(before=DeckMark.CUT),
        "cut": Passage(DeckMark.CUT, DeckMark.CUT, undoes=frozenset({DeckMark.RECUT})),
        "move_cover": Passage(DeckMark.MOVED, DeckMark.MOVED),
        "spare_cover": Passage(DeckMark.SPARED, DeckMark.SPARED),
        "load": Passage(DeckMark.LOADED, DeckMark.LOADED),
        "recut": Passage(DeckMark.RECUT, undoes=_UNCUT),
        "direct_shuffle": Passage(DeckMark.ORDERED),
        "shuffler_fault": Passage(DeckMark.FAULTED, undoes=SHUFFLING),
        "idle_spread": Passage(undoes=SHUFFLING | SPREADING),
        "change_dealing": Passage(undoes=frozenset({DeckMark.LOADED})),
        "swap_decks": Passage(undoes=SHUFFLING),
    }
)
"""What is done to a deck, by the name of the step that does it."""


def has_come_to(deck: TableDeck, mark: DeckMark) -> bool:
    """Whether a deck is as far on its path as a mark, or farther."""
    return not deck.marks.isdisjoint(PATH[PATH.index(mark) :])


def marks_after(deck: TableDeck, step: str) -> frozenset[DeckMark]:
    """Return the marks of a deck to which a step was done."""
    passage = LIFE[step]
    left = deck.marks - passage.undoes
    return left if passage.leaves is None else left | {passage.leaves}


def lies_on_table(deck: TableDeck) -> bool:
    """Whether the cards of a deck lie on the table, in no one's hand and no device."""
    return deck.place is Place.TABLE
