"""An open table at which no one plays: the cards spread, looked over, and made ready again."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Final

from houseway.games import Rules
from houseway.rounds.action import Action, OnDeck, step_of
from houseway.rounds.annotations import Ask
from houseway.rounds.asks import MUST, NOT_ASKED, Asks, FieldRule
from houseway.rounds.capacities import plain_name
from houseway.rounds.choices import Face
from houseway.rounds.deck_life import marks_after
from houseway.rounds.marks import DeckMark, TableMark
from houseway.rounds.roles import Role
from houseway.rounds.stage import Stage
from houseway.rounds.state import PersonId, Phase, Place, Table, TableDeck, changed
from houseway.rounds.step import AnyStep, Event, Guard, Proposal, Situation, Step, Words
from houseway.rounds.steps.common import always, dealer_of, deck_has, moot, sense
from houseway.rounds.steps.cut import continuous


class IdleSpread(Action, frozen=True, tag="idle_spread"):
    """The cards are spread at a table at which no one plays."""

    face: Annotated[Face, Ask("Cards lie face")] = Face.DOWN
    asked_by: Annotated[str, Ask("Asked for by")] = ""


class Resume(Action, frozen=True, tag="resume"):
    """An idle table is ready for play again."""


class SwapDecks(OnDeck, frozen=True, tag="swap_decks"):
    """The stacked deck goes into the shuffler and the other one comes out."""

    secure: Annotated[bool, Ask("The deck was kept safe")] = False
    asked: Annotated[bool, Ask("A player asks to see the deck")] = False
    spread: Annotated[bool, Ask("The deck is spread")] = False


SPREAD_OUT: Final = step_of(IdleSpread)
"""What spreading the cards of an idle table does to a deck, whichever step has it spread."""


def _who_may_ask(table: Table) -> tuple[str, ...]:
    """Return the players of a table: who sits there, and who played its last round and may have just got up.

    A table knows no other players: a person who comes to an empty one finds the cards face down, sits down
    and may then ask.
    """
    there = [seat.name or seat.person for _, seat in sorted(table.seats.items())]
    return tuple(dict.fromkeys([*there, *_played_last(table)]))


def _played_last(table: Table) -> list[PersonId]:
    """Return who played the last round, but for those who sit there and are called by a name."""
    called = {seat.person for seat in table.seats.values() if seat.name}
    hands = table.last.hands.values() if table.last is not None else ()
    people = [
        person for hand in hands for person in (hand.person, *(bettor.person for bettor in hand.behind))
    ]
    return [person for person in people if person not in called]


def _asked_for(s: Situation, action: IdleSpread) -> bool:
    """Whether the cards lie face down, or one of the table's players asked; they may be named by their id."""
    if action.face is Face.DOWN and not action.asked_by:
        return True
    ids = (seat.person for seat in s.table.seats.values())
    return plain_name(action.asked_by) in map(plain_name, (*_who_may_ask(s.table), *ids))


def _lies_face_down(s: Situation, _: IdleSpread) -> bool:
    """Whether cards that are spread can still be turned face up: not yet washed, nor stacked."""
    if s.table.phase is Phase.BETTING:
        return True
    gathered = (deck.has(DeckMark.WASHED) or deck.has(DeckMark.STACKED) for deck in _on_the_table(s.table))
    return s.table.spread is Face.DOWN and not any(gathered)


def _on_the_table(table: Table) -> list[TableDeck]:
    decks = table.decks.values()
    return [deck for deck in decks if deck.place is Place.TABLE and not deck.has(DeckMark.REMOVED)]


def _lay_out(deck: TableDeck) -> TableDeck:
    """Return a deck as it lies on an idle table; one in the shuffler or off the table stays there."""
    if deck.place in (Place.SHUFFLER, Place.REMOVED):
        return deck
    if deck.has(DeckMark.REMOVED):
        return changed(deck, place=Place.TABLE, commitment=None, cut_at=0)
    return changed(deck, place=Place.TABLE, marks=marks_after(deck, SPREAD_OUT), commitment=None, cut_at=0)


def _idle(table: Table, event: Event[IdleSpread, None]) -> Table:
    return changed(
        table,
        phase=Phase.IDLE,
        decks={name: _lay_out(deck) for name, deck in table.decks.items()},
        deck=None,
        rack=(),
        rack_deck=None,
        marks=table.marks - {TableMark.BEGUN, TableMark.VACATED},
        spread=event.action.face,
        ready_since=None,
    )


def _resumable(s: Situation, _: Resume) -> bool:
    return all(deck.has(DeckMark.VIEWED) for deck in _on_the_table(s.table))


def _resume(table: Table, event: Event[Resume, None]) -> Table:
    return changed(table, phase=Phase.BETTING, spread=None, ready_since=event.at)


def _safe(_: Situation, action: SwapDecks) -> bool:
    """The deck kept in the device may be used as it is: stored safely, and no one asks to see it."""
    return action.spread or (action.secure and not action.asked)


def _swap(table: Table, event: Event[SwapDecks, None]) -> Table:
    """The stacked deck goes into the shuffler; the one inside comes out, to be spread unless kept safe."""
    name, decks = event.action.deck, {}
    for deck in table.decks.values():
        if deck.name == name:
            decks[name] = changed(deck, place=Place.SHUFFLER, marks=marks_after(deck, event.step))
        elif event.action.spread and not deck.has(DeckMark.REMOVED):
            decks[deck.name] = _lay_out(changed(deck, place=Place.TABLE))
        else:
            decks[deck.name] = changed(deck, place=Place.TABLE)
    ready, since = Phase.BETTING, event.at
    return changed(table, decks=decks, last_deck=name, phase=ready, spread=None, ready_since=since)


# --- what is due --------------------------------------------------------------------------------------


def is_idle(rules: Rules, table: Table) -> bool:
    """Whether the last player has left an open table, and its cards are to be spread."""
    empty = table.phase is Phase.BETTING and not table.seats and not table.round.hands
    return empty and table.has(TableMark.VACATED) and not continuous(rules)


def _suggest_spread(rules: Rules, table: Table) -> Iterable[Proposal]:
    if is_idle(rules, table):
        yield Proposal(dealer_of(table), IdleSpread())


def _suggest_resume(_: Rules, table: Table) -> Iterable[Proposal]:
    if table.seats:
        yield Proposal(dealer_of(table), Resume())


# --- what its fields take -----------------------------------------------------------------------------


def _asks_who(_: Rules, table: Table, __: int) -> Asks:
    who = _who_may_ask(table)
    return {"asked_by": FieldRule(who) if who else NOT_ASKED}


STEPS: Final[tuple[AnyStep, ...]] = (
    Step(
        action=IdleSpread,
        by=(Role.DEALER,),
        phases=(Phase.BETTING, Phase.IDLE),
        words=Words(
            "Spread the idle table",
            follows="The table is idle, and no bet is taken until play resumes.",
        ),
        guards=(
            moot("the cards lie face up, or are gathered", _lies_face_down),
            sense(
                "the cards are spread already: they are only turned face up",
                lambda s, action: s.table.phase is Phase.BETTING or action.face is Face.UP,
                "face",
            ),
            sense("there are wagers on the layout", lambda s, _: not s.round.hands),
            Guard(
                "continuous",
                "a device that reshuffles every round holds the cards",
                lambda s, _: not continuous(s.rules),
            ),
            always("asked", "face up only if a player of the table asks", _asked_for, "face", "asked_by"),
        ),
        evolve=_idle,
        suggest=_suggest_spread,
        asks=_asks_who,
    ),
    Step(
        action=Resume,
        stage=Stage.SHUFFLE,
        by=(Role.DEALER,),
        phases=(Phase.IDLE,),
        words=Words(
            "Resume play",
            follows="Bets are open again, and the cards are shuffled before the next deal.",
        ),
        guards=(Guard("after_view", "the first to arrive may look the cards over first", _resumable),),
        evolve=_resume,
        suggest=_suggest_resume,
    ),
    Step(
        action=SwapDecks,
        stage=Stage.SHUFFLE,
        by=(Role.DEALER,),
        phases=(Phase.IDLE,),
        words=Words(
            "Swap the decks",
            follows=(
                "The stacked deck is in the shuffler, the other one is on the table, and bets are open again."
            ),
        ),
        guards=(
            moot("the table has no shuffler", lambda s, _: s.rules.submission.table.shuffler == "automated"),
            sense("the cards are stacked first", deck_has(DeckMark.STACKED)),
            Guard(
                "safe",
                "a deck taken from the device is spread and shuffled, unless kept safe and nobody asks",
                _safe,
                about=("secure",),
            ),
        ),
        evolve=_swap,
        asks=lambda *_: {"secure": MUST},
    ),
)
