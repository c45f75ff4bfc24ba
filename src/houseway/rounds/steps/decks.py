"""A deck comes to the table: received, inspected by two people, and down to one joker."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Annotated, Final

from msgspec import field

from houseway.games import Rules
from houseway.rounds.action import Action, DeckName, OnDeck
from houseway.rounds.annotations import Ask
from houseway.rounds.asks import MUST
from houseway.rounds.choices import Preinspection, ShuffleMethod
from houseway.rounds.marks import READY, DeckMark, nothing
from houseway.rounds.outcomes import Outcome
from houseway.rounds.roles import FLOOR, Role
from houseway.rounds.stage import Stage
from houseway.rounds.state import CardOrigin, Phase, Place, Table, TableDeck, changed
from houseway.rounds.step import Actor, AnyStep, Event, Guard, Holds, Proposal, Situation, Step, Words, in_law
from houseway.rounds.steps.common import (
    FLOORPERSON,
    dealer_of,
    deck_goes_on,
    deck_has,
    deck_has_not,
    deck_of,
    decks_to,
    life_guards,
    moot,
    sense,
)


class ReceiveDeck(Action, frozen=True, tag="receive_deck"):
    """A deck comes to the table."""

    deck: Annotated[DeckName, Ask("Deck")]
    jokers: Annotated[int, Ask("Jokers in the pack", usual="1")] = 1
    cards: Annotated[int | None, Ask("Cards")] = None
    preshuffled: Annotated[Preinspection | None, Ask("Came shuffled under")] = None
    reshuffled_by: Annotated[ShuffleMethod, Ask("Was shuffled")] = ShuffleMethod.MANUAL


class InspectDeck(OnDeck, frozen=True, tag="inspect_deck"):
    """The dealer inspects a deck."""

    defects: Annotated[str, Ask("Defects found")] = ""


class VerifyInspection(OnDeck, frozen=True, tag="verify_inspection"):
    """A floorperson verifies the dealer's inspection."""


class AttestJoker(OnDeck, frozen=True, tag="attest_joker"):
    """A person makes sure that one joker is in the deck."""


class TearJoker(OnDeck, frozen=True, tag="tear_joker"):
    """The second joker is torn and put away."""

    container: Annotated[str, Ask("Put away in")] = ""


class DeckReceived(Outcome, frozen=True, tag="deck_received"):
    """What a deck that came to the table needs no more, and what it committed to if it came shuffled."""

    cards: int
    marks: frozenset[DeckMark] = field(default_factory=nothing)
    commitment: str | None = None


OPENING: Final = (Phase.CLOSED, Phase.OPENING, Phase.BETTING, Phase.IDLE)
TWO_JOKERS: Final = 2
CONTAINERS: Final = ("box", "envelope", "container", "carton")
OF_THE_DECK: Final = frozenset(
    ("the", "its", "own", "deck", "deck's", "tuck", "of", "in", "it", "that", "came", "from", "no", "number")
)
"""With these words one says that it is the deck's: any other, unless it is a number, names another thing."""
NUMBERED: Final = re.compile(r"\S*\d\S*")
CAME_SHUFFLED: Final = READY | {DeckMark.SHUFFLED, DeckMark.SQUARED, DeckMark.PRESHUFFLED}
"""What need not be done to a deck that came inspected and shuffled."""


# --- a deck comes to the table ------------------------------------------------------------------------


def decks_held(table: Table) -> list[TableDeck]:
    """Return the decks at a table that are not out of play."""
    return [deck for deck in table.decks.values() if not deck.has(DeckMark.REMOVED)]


def _room_for(rules: Rules, table: Table) -> bool:
    return len(decks_held(table)) < rules.submission.table.decks


def _may_come_shuffled(s: Situation, action: ReceiveDeck) -> bool:
    return action.preshuffled is None or in_law(s.rules, "receive_deck", "preinspected")


def _decide_receipt(s: Situation, action: ReceiveDeck) -> DeckReceived:
    """Where the law has decks come inspected and shuffled, nothing need be done to them before the cut."""
    pack = s.rules.game.cards()
    cards = len(pack) + action.jokers - 1 if action.cards is None else action.cards
    if action.preshuffled is not None and _may_come_shuffled(s, action):
        virtual = s.table.source is CardOrigin.VIRTUAL_DECK
        return DeckReceived(cards, CAME_SHUFFLED, s.moment.cards.shuffle(pack.cards) if virtual else None)
    return DeckReceived(cards, frozenset() if "inspect_deck" in s.rules.game.procedure else READY)


def _receive(table: Table, event: Event[ReceiveDeck, DeckReceived]) -> Table:
    action, came = event.action, event.outcome
    deck = TableDeck(
        name=action.deck,
        received=event.at,
        jokers=action.jokers,
        cards=came.cards,
        marks=came.marks,
        shuffled_by=action.reshuffled_by if DeckMark.PRESHUFFLED in came.marks else None,
        commitment=came.commitment,
    )
    phase = Phase.OPENING if table.phase is Phase.CLOSED else table.phase
    decks = dict(sorted({**table.decks, deck.name: deck}.items()))
    return changed(table, phase=phase, decks=decks)


def _suggest_receive(rules: Rules, table: Table) -> Iterable[Proposal]:
    if table.phase in (Phase.CLOSED, Phase.OPENING):
        yield from next_deck(rules, table)


def next_deck(rules: Rules, table: Table) -> Iterable[Proposal]:
    """Yield that the dealer receives a deck, if one is missing."""
    if _room_for(rules, table):
        name = "AB"[len(table.decks) % 2] + str(len(table.decks) // 2 or "")
        yield Proposal(dealer_of(table), ReceiveDeck(name, rules.submission.table.pack_jokers))


# --- it is inspected ----------------------------------------------------------------------------------


def _inspect(table: Table, event: Event[InspectDeck, None]) -> Table:
    name = event.action.deck
    if event.action.defects:
        removed = frozenset({DeckMark.REMOVED})
        return table.with_deck(name, marks=removed, place=Place.REMOVED, inspected_by=None)
    marks = table.decks[name].marks | {DeckMark.INSPECTED}
    return table.with_deck(name, marks=marks, inspected_by=event.by.id)


def _suggest_verify(_: Rules, table: Table) -> Iterable[Proposal]:
    lacks = [DeckMark.VERIFIED, DeckMark.REMOVED]
    for proposal in decks_to(table, VerifyInspection, [DeckMark.INSPECTED], lacks):
        yield Proposal(FLOORPERSON, proposal.action)


def _two_jokers(s: Situation, action: OnDeck) -> bool:
    return deck_of(s, action).jokers >= TWO_JOKERS


def if_two_jokers(*marks: DeckMark) -> Holds[OnDeck]:
    """Ask whether all of this has been done to a deck that came with two jokers."""
    return lambda s, action: not _two_jokers(s, action) or deck_of(s, action).marks.issuperset(marks)


def _attestation_mark(by: Actor) -> DeckMark:
    """Return what is marked when a person attests the one joker: the dealer does, and the floor."""
    return DeckMark.JOKER_BY_DEALER if by.role is Role.DEALER else DeckMark.JOKER_BY_FLOOR


def _unattested(s: Situation, action: AttestJoker) -> bool:
    return not deck_of(s, action).has(_attestation_mark(s.by))


def _attest_joker(table: Table, event: Event[AttestJoker, None]) -> Table:
    return table.mark_deck(event.action.deck, _attestation_mark(event.by))


def _suggest_jokers(_: Rules, table: Table) -> Iterable[Proposal]:
    attesting = ((DeckMark.JOKER_BY_DEALER, dealer_of(table)), (DeckMark.JOKER_BY_FLOOR, FLOORPERSON))
    for deck in table.decks.values():
        if deck.jokers < TWO_JOKERS or not deck.has(DeckMark.INSPECTED):
            continue
        for mark, actor in attesting:
            if not deck.has(mark):
                yield Proposal(actor, AttestJoker(deck.name))


def _put_away(_: Situation, action: TearJoker) -> bool:
    """Whether it is the box, envelope or container of this very deck, or the number that it bears."""
    words = action.container.casefold().split()
    others = {word for word in words if word not in {*CONTAINERS, *OF_THE_DECK, action.deck.casefold()}}
    numbered = all(NUMBERED.fullmatch(word) for word in others)
    return bool(others or not set(CONTAINERS).isdisjoint(words)) and numbered


def _suggest_tear(_: Rules, table: Table) -> Iterable[Proposal]:
    for deck in table.decks.values():
        attested = deck.has(DeckMark.JOKER_BY_FLOOR) and not deck.has(DeckMark.TORN)
        if deck.jokers >= TWO_JOKERS and attested:
            yield Proposal(dealer_of(table), TearJoker(deck.name, f"box of {deck.name}"))


STEPS: Final[tuple[AnyStep, ...]] = (
    Step(
        action=ReceiveDeck,
        stage=Stage.INSPECTION,
        by=(Role.DEALER,),
        phases=OPENING,
        words=Words(
            "Receive a deck",
            follows="The deck is at the table, and the work of making it ready for play can begin.",
        ),
        guards=(
            sense(
                "a deck of this name is at the table",
                lambda s, action: action.deck not in s.table.decks,
                "deck",
            ),
            moot("the table has all its decks", lambda s, _: _room_for(s.rules, s.table)),
            sense("no rule here lets a deck come inspected and shuffled", _may_come_shuffled, "preshuffled"),
        ),
        outcome=_decide_receipt,
        evolve=_receive,
        suggest=_suggest_receive,
    ),
    Step(
        action=InspectDeck,
        stage=Stage.INSPECTION,
        by=(Role.DEALER,),
        phases=OPENING,
        words=Words(
            "Inspect the deck",
            follows=(
                "A sound deck waits for a floorperson to verify the inspection, and a defective "
                "one is out of play."
            ),
        ),
        guards=(
            *life_guards(InspectDeck),
            moot("the deck is inspected already", deck_has_not(DeckMark.INSPECTED)),
        ),
        evolve=_inspect,
        suggest=lambda _, table: decks_to(table, InspectDeck, [], [DeckMark.INSPECTED, DeckMark.REMOVED]),
    ),
    Step(
        action=VerifyInspection,
        stage=Stage.INSPECTION,
        by=FLOOR,
        phases=OPENING,
        words=Words(
            "Verify the inspection",
            follows="The inspection is confirmed, and the deck can be spread once it is down to one joker.",
        ),
        guards=(
            *life_guards(VerifyInspection),
            Guard("after_inspection", "the dealer inspects first", deck_has(DeckMark.INSPECTED)),
        ),
        evolve=deck_goes_on,
        suggest=_suggest_verify,
    ),
    Step(
        action=AttestJoker,
        stage=Stage.INSPECTION,
        by=(Role.DEALER, *FLOOR),
        phases=OPENING,
        words=Words(
            "Attest one joker",
            follows="It is on record who made sure that the deck plays with one joker.",
        ),
        guards=(
            *life_guards(AttestJoker),
            moot("the pack has one joker", _two_jokers),
            sense("the one joker is attested already", _unattested),
        ),
        evolve=_attest_joker,
        suggest=_suggest_jokers,
    ),
    Step(
        action=TearJoker,
        stage=Stage.INSPECTION,
        by=(Role.DEALER,),
        phases=OPENING,
        words=Words(
            "Tear the second joker",
            follows="The deck holds one joker, and the torn one is kept out of play.",
        ),
        guards=(
            *life_guards(TearJoker),
            moot("the pack has one joker", _two_jokers),
            moot("a joker is torn already", deck_has_not(DeckMark.TORN)),
            Guard(
                "put_away",
                "the torn joker goes back into the deck's own box, envelope or container",
                _put_away,
                about=("container",),
            ),
        ),
        evolve=deck_goes_on,
        suggest=_suggest_tear,
        asks=lambda *_: {"container": MUST},
    ),
)
