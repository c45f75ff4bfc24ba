"""Shuffling: by hand or by a device, which may fail; and the shuffled deck in one stack."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Final

from houseway.games import Rules
from houseway.rounds.action import Action, OnDeck
from houseway.rounds.annotations import Ask
from houseway.rounds.asks import Asks, FieldRule
from houseway.rounds.choices import Device, Into, ShuffleMethod
from houseway.rounds.deck_life import marks_after
from houseway.rounds.marks import DeckMark, RoundMark
from houseway.rounds.outcomes import Outcome
from houseway.rounds.roles import FLOOR, Role
from houseway.rounds.stage import Stage
from houseway.rounds.state import IN_ROUND, WITH_CARDS, CardOrigin, Phase, Place, Table, changed
from houseway.rounds.step import Actor, AnyStep, Event, Guard, Holds, Panel, Proposal, Situation, Step, Words
from houseway.rounds.steps.common import (
    always,
    dealer_of,
    deck_goes_on,
    deck_has,
    deck_has_not,
    deck_of,
    life_guards,
    moot,
    sense,
)


class Shuffle(OnDeck, frozen=True, tag="shuffle"):
    """A deck is shuffled."""

    method: Annotated[ShuffleMethod, Ask("Shuffled")]
    device: Annotated[str, Ask("Device")] = ""
    cards: Annotated[int | None, Ask("Cards")] = None
    into: Annotated[Into, Ask("Comes out into")] = Into.STACK


class Square(OnDeck, frozen=True, tag="square"):
    """The shuffled deck is put together in one stack."""


class DirectShuffle(Action, frozen=True, tag="direct_shuffle"):
    """The floor orders a shuffle."""


class ShufflerFault(OnDeck, frozen=True, tag="shuffler_fault"):
    """The shuffler fails with a deck in it."""


class Shuffled(Outcome, frozen=True, tag="shuffled"):
    """What a shuffle committed to; nothing where the cards are real."""

    commitment: str | None = None


SHUFFLER: Final = Actor("shuffler", Role.SHUFFLER)
SHOES: Final = ("manual_shoe", "automated_shoe")
EITHER_WAY: Final = (*SHOES, "manual")
"""The ways of dealing for which cards may be shuffled by hand though the table has a shuffler."""
BETWEEN: Final = (Phase.OPENING, Phase.BETTING)
ANY_ROUND: Final = (*BETWEEN, *IN_ROUND)
"""One of two decks is shuffled while the other is in play."""
UNTIL_DEALT: Final = (*BETWEEN, Phase.STARTING)
"""Until the first card is dealt the floor may order a shuffle or another cut."""


# --- the shuffle --------------------------------------------------------------------------------------


def _usual(rules: Rules) -> ShuffleMethod:
    return ShuffleMethod(rules.submission.table.shuffler)


def shuffler_in_use(rules: Rules, table: Table) -> bool:
    """Whether the table has a shuffler that is not out of order; one that jammed may be tried again."""
    return _usual(rules) is ShuffleMethod.AUTOMATED and Device.SHUFFLER not in table.signed


def _device_named(_: Situation, action: Shuffle) -> bool:
    return action.method is not ShuffleMethod.AUTOMATED or bool(action.device)


def _by_hands(s: Situation, action: Shuffle) -> bool:
    return action.method is not ShuffleMethod.MANUAL or s.by.role is Role.DEALER


def _shuffler_there(s: Situation, action: Shuffle) -> bool:
    return action.method is not ShuffleMethod.AUTOMATED or shuffler_in_use(s.rules, s.table)


def _may_be_by_hand(s: Situation, action: Shuffle) -> bool:
    """Cards for a shoe or for piles are shuffled either way; others by the device, if one works."""
    if action.method is not ShuffleMethod.MANUAL or s.rules.way in EITHER_WAY:
        return True
    return _usual(s.rules) is ShuffleMethod.MANUAL or Device.SHUFFLER in s.table.failed


def _signed(s: Situation, action: Shuffle) -> bool:
    """A failed shuffler is signed out of order before the cards are shuffled another way."""
    other = action.method is not _usual(s.rules)
    return not (other and Device.SHUFFLER in s.table.failed) or Device.SHUFFLER in s.table.signed


def _whole(s: Situation, action: Shuffle) -> bool:
    return action.cards is None or action.cards == len(s.rules.game.cards())


def other_in_shuffler(s: Situation, action: OnDeck) -> bool:
    """Whether the other deck, if there is one, is in the shuffler."""
    decks = s.table.decks.values()
    others = [d for d in decks if d.name != action.deck and not d.has(DeckMark.REMOVED)]
    return all(deck.place is Place.SHUFFLER for deck in others)


def alternates(s: Situation, action: OnDeck) -> bool:
    """Whether the deck is the one that was not used last, where two are used, or lie there.

    While the shuffler works, a table of two decks waits for another when one is taken out of play; without
    a shuffler the law has it played with one.
    """
    if action.deck == s.round.deck:
        return True  # it was in place for this round already, and was cut or shuffled again
    usable = [d for d in s.table.decks.values() if not d.has(DeckMark.REMOVED)]
    decks = s.rules.submission.table.decks if shuffler_in_use(s.rules, s.table) else len(usable)
    return max(decks, len(usable)) < 2 or action.deck != s.table.last_deck  # noqa: PLR2004 - two decks


def shoe_works(s: Situation, _: Action) -> bool:
    """Whether the shoe that the table deals from is in use; one that jammed may be loaded again."""
    return s.rules.way != "automated_shoe" or Device.SHOE not in s.table.signed


def works_again(table: Table, device: Device) -> Table:
    """Return the table after a device was used that had jammed; one signed out of order was not used."""
    return table if device in table.signed else changed(table, failed=table.failed - {device})


def _if_into_shoe(holds: Holds[Shuffle]) -> Holds[Shuffle]:
    return lambda s, action: action.into is not Into.SHOE or holds(s, action)


def _straight_to_shoe(s: Situation, action: Shuffle) -> bool:
    automated = action.method is ShuffleMethod.AUTOMATED
    return s.rules.way in SHOES and automated and s.rules.submission.table.direct_to_shoe


def _not_dealt(s: Situation, action: OnDeck) -> bool:
    """A deck that a round in progress is played with is no deck to shuffle, nor in the shuffler."""
    return s.table.phase not in IN_ROUND or action.deck not in (s.table.deck, s.round.deck)


def _no_card_of_it(s: Situation, action: OnDeck) -> bool:
    return s.table.phase not in WITH_CARDS or action.deck not in (s.table.deck, s.round.deck)


def _to_be_shuffled(s: Situation, action: Shuffle) -> bool:
    """A deck that is about to be dealt is shuffled again if the floor ordered it."""
    about_to_be = s.table.decks[action.deck].has(DeckMark.ORDERED) and not s.round.dealt
    return _not_dealt(s, action) or about_to_be


def _no_card_yet(s: Situation, _: DirectShuffle) -> bool:
    this_round = s.round
    return not (this_round.dealt or this_round.boxed or this_round.has(RoundMark.DRAWN_EARLY))


def _decide_shuffle(s: Situation, _: Shuffle) -> Shuffled:
    if s.table.source is not CardOrigin.VIRTUAL_DECK:
        return Shuffled()
    return Shuffled(s.moment.cards.shuffle(s.rules.game.cards().cards))


def _shuffle(table: Table, event: Event[Shuffle, Shuffled]) -> Table:
    name, method = event.action.deck, event.action.method
    marks = marks_after(table.decks[name], event.step)
    place = Place.SHUFFLER if method is ShuffleMethod.AUTOMATED else Place.TABLE
    used = None if table.deck == name else table.deck
    if event.action.into is Into.SHOE:
        marks |= {DeckMark.SQUARED, DeckMark.LOADED}
        place, used = Place.PLAY, name
    table = table.with_deck(
        name,
        marks=marks,
        place=place,
        shuffled_by=method,
        commitment=event.outcome.commitment,
        cut_at=0,
        declined=(),
        offered=None,
        cutter=None,
    )
    if method is ShuffleMethod.AUTOMATED:
        table = works_again(table, Device.SHUFFLER)
    if table.round.deck == name:  # ordered after bets were closed: the round has no deck until it is loaded
        table = table.with_round(deck=None, commitment=None, cut_at=0)
    if event.action.into is Into.SHOE:
        table = for_this_round(works_again(table, Device.SHOE), name)
    if table.rack_deck == name:
        return changed(table, rack=(), rack_deck=None, deck=used)
    return changed(table, deck=used)


def for_this_round(table: Table, name: str) -> Table:
    """Return the table with a loaded deck; if bets are closed already, it is the round's."""
    if table.phase is not Phase.STARTING:
        return table
    deck = table.decks[name]
    return table.with_round(deck=name, commitment=deck.commitment, cut_at=deck.cut_at)


def _order(table: Table, event: Event[DirectShuffle, None]) -> Table:
    """Every deck that could be dealt next has to be shuffled first."""
    decks = {name: changed(deck, marks=marks_after(deck, event.step)) for name, deck in table.decks.items()}
    return changed(table, decks=decks)


# --- devices that fail --------------------------------------------------------------------------------


def _has_shuffler(s: Situation, _: ShufflerFault) -> bool:
    return _usual(s.rules) is ShuffleMethod.AUTOMATED


def _shuffler_in_use(s: Situation, _: ShufflerFault) -> bool:
    return Device.SHUFFLER not in s.table.signed


def _stacked_if_there(s: Situation, action: ShufflerFault) -> bool:
    """Whether the deck was ready to be shuffled; true of a deck off the table, which has its own reason."""
    marks = deck_of(s, action).marks
    return DeckMark.STACKED in marks or DeckMark.REMOVED in marks


def _fault(table: Table, event: Event[ShufflerFault, None]) -> Table:
    name = event.action.deck
    marks = marks_after(table.decks[name], event.step)
    table = table.with_deck(name, marks=marks, commitment=None, cut_at=0, place=Place.TABLE)
    return changed(
        table,
        failed=table.failed | {Device.SHUFFLER},
        signed=table.signed - {Device.SHUFFLER},
        deck=None if table.deck == name else table.deck,
    )


# --- what is due --------------------------------------------------------------------------------------


def _suggest_shuffle(rules: Rules, table: Table) -> Iterable[Proposal]:
    automated = shuffler_in_use(rules, table)
    for deck in table.decks.values():
        if not deck.has(DeckMark.STACKED) or deck.has(DeckMark.REMOVED):
            continue
        if deck.has(DeckMark.SHUFFLED) and not (deck.has(DeckMark.PLAYED) or deck.has(DeckMark.ORDERED)):
            continue
        if automated:
            yield Proposal(SHUFFLER, Shuffle(deck.name, ShuffleMethod.AUTOMATED, Device.SHUFFLER.value))
        else:
            yield Proposal(dealer_of(table), Shuffle(deck.name, ShuffleMethod.MANUAL))


def _suggest_square(_: Rules, table: Table) -> Iterable[Proposal]:
    for deck in table.decks.values():
        if deck.has(DeckMark.SHUFFLED) and not deck.has(DeckMark.SQUARED):
            yield Proposal(dealer_of(table), Square(deck.name))


# --- what its fields take -----------------------------------------------------------------------------


def _asks_method(rules: Rules, table: Table, _: int) -> Asks:
    automated = shuffler_in_use(rules, table)
    method = ShuffleMethod.AUTOMATED if automated else ShuffleMethod.MANUAL
    device = Device.SHUFFLER.value if automated else ""
    return {"method": FieldRule(default=method), "device": FieldRule(default=device)}


STEPS: Final[tuple[AnyStep, ...]] = (
    Step(
        action=Shuffle,
        stage=Stage.SHUFFLE,
        by=(Role.DEALER, Role.SHUFFLER),
        phases=ANY_ROUND,
        words=Words(
            "Shuffle the deck",
            done="Shuffled",
            follows="The cards are in a new order and go into one stack, or straight into the shoe.",
        ),
        guards=(
            sense("the deck is stacked first, and at the table", deck_has(DeckMark.STACKED)),
            moot("the deck is off the table", deck_has_not(DeckMark.REMOVED)),
            sense("a deck is not shuffled while it is dealt", _to_be_shuffled),
            Guard("device", "an automated shuffle names its device", _device_named, about=("method",)),
            always("by_hands", "a device does not shuffle by hand", _by_hands, "method"),
            sense("no shuffler is in use at the table", _shuffler_there, "method"),
            always("method", "the cards are shuffled by the device here", _may_be_by_hand, "method"),
            Guard("alternate", "the two decks are used in turn", _if_into_shoe(alternates)),
            Guard(
                "other_in_shuffler", "the other deck stays in the shuffler", _if_into_shoe(other_in_shuffler)
            ),
            always("shoe", "the automated shoe is out of order", _if_into_shoe(shoe_works)),
            Guard(
                "signed",
                "the failed shuffler is covered or signed out of order first",
                _signed,
                about=("method",),
            ),
            always("whole", "the cards in the device go together with those already dealt", _whole),
            always(
                "into_shoe",
                "only an automated shuffler may load the shoe itself",
                _if_into_shoe(_straight_to_shoe),
                "method",
            ),
        ),
        outcome=_decide_shuffle,
        evolve=_shuffle,
        suggest=_suggest_shuffle,
        asks=_asks_method,
    ),
    Step(
        action=Square,
        stage=Stage.SHUFFLE,
        by=(Role.DEALER, Role.SHUFFLER),
        phases=ANY_ROUND,
        words=Words(
            "Square the deck",
            follows="The deck is in one stack, to be cut where a cut is due, and then loaded.",
        ),
        guards=(
            *life_guards(Square),
            moot("the deck is not shuffled", deck_has(DeckMark.SHUFFLED)),
            moot("a deck is not squared while it is dealt", _no_card_of_it),
        ),
        evolve=deck_goes_on,
        suggest=_suggest_square,
    ),
    Step(
        action=DirectShuffle,
        by=FLOOR,
        phases=UNTIL_DEALT,
        words=Words(
            "Order a shuffle",
            says="Shuffle the cards, please.",
            follows="Every deck at the table has to be shuffled before it is dealt.",
        ),
        guards=(moot("a card has come off the deck already", _no_card_yet),),
        evolve=_order,
        panels=(Panel.RULINGS,),
    ),
    Step(
        action=ShufflerFault,
        by=(Role.DEALER, Role.SHUFFLER),
        phases=(*BETWEEN, Phase.IDLE, *IN_ROUND),
        words=Words(
            "Report a shuffler fault",
            follows=(
                "The deck that was in the shuffler is shuffled again: by the shuffler, or "
                "otherwise once it is signed out of order."
            ),
        ),
        guards=(
            moot("the table has no shuffler", _has_shuffler),
            moot("the shuffler is signed out of order", _shuffler_in_use),
            moot("the deck is in play, not in the shuffler", _not_dealt),
            moot("the deck is off the table", deck_has_not(DeckMark.REMOVED)),
            sense("the deck is stacked first, and at the table", _stacked_if_there),
        ),
        evolve=_fault,
        panels=(Panel.WRONG,),
        foretold=True,
    ),
)
