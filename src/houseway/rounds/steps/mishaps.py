"""When things go wrong: each irregularity reported, and what the law makes of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Annotated, Final

from houseway.cards import Card
from houseway.games import Rules
from houseway.games.game import IrregularityTerms
from houseway.law.citations import UNCITED
from houseway.rounds.action import Action, AtPosition, OnHand
from houseway.rounds.annotations import Ask, Readers, Shown
from houseway.rounds.choices import Device, HandChoice, Irregularity
from houseway.rounds.dealing import irregularity
from houseway.rounds.marks import DeckMark, HandMark, RoundMark
from houseway.rounds.outcomes import Moves, Outcome
from houseway.rounds.roles import FLOOR, Role
from houseway.rounds.stage import Stage
from houseway.rounds.state import WITH_CARDS, Phase, Racked, RackedWhat, Table, changed
from houseway.rounds.step import (
    AnyStep,
    CitedOutcome,
    Event,
    Guard,
    Panel,
    Proposal,
    Situation,
    Step,
    Words,
    law_of,
)
from houseway.rounds.steps.common import hand_has, hand_has_not, hand_of, marks_round, moot, player_at, sense
from houseway.rounds.steps.money import area_of, cite_payments, keep_payments, round_of
from houseway.rounds.steps.ruling import EndRound, StopRound, VoidRound
from houseway.rounds.steps.stacks import dealt_so_far, in_piles, next_cards, whole_deal
from houseway.rounds.steps.turns import turn
from houseway.settlement import Status
from houseway.settlement.house import void_area
from houseway.settlement.model import DEALER, MAIN


class ExposeCard(AtPosition, frozen=True, tag="expose_card"):
    """A card was exposed at a position."""


class ChooseHand(OnHand, frozen=True, tag="choose_hand"):
    """A player plays or voids a hand of which a card was exposed."""

    choice: Annotated[HandChoice, Ask("Choice")]


class BoxedCard(Action, frozen=True, tag="boxed_card"):
    """A card was found face up in the deck."""


class DrawEarly(Action, frozen=True, tag="draw_early"):
    """A card was drawn before its time."""


class ShoeFault(Action, frozen=True, tag="shoe_fault"):
    """The shoe fails during the deal."""


class FaceUpFound(Outcome, frozen=True, tag="face_up_found"):
    """The card that was found face up, and what it makes void."""

    card: Annotated[Card | None, Readers.EVERYBODY] = None
    void: Annotated[Irregularity | None, Shown("void")] = None


class CardExposed(Outcome, frozen=True, tag="card_exposed"):
    """What follows from an exposed card: the round stops or is void, or its player may choose."""

    stop: Annotated[str | None, Shown("stop")] = None
    void: Annotated[Irregularity | None, Shown("void")] = None
    choice: Annotated[bool, Shown("choice")] = False


class HandChosen(Moves, frozen=True, tag="hand_chosen", kw_only=True):
    """What became of a hand of which a card was exposed."""

    void_law: Annotated[tuple[str, ...], Shown("void_law")] = ()
    racked: Annotated[Racked | None, Readers.NOBODY] = None


AUTOMATED_SHOE: Final = "automated_shoe"


# --- cards exposed ------------------------------------------------------------------------------------


def _stack_card_exposed(rules: Rules) -> IrregularityTerms | None:
    """Return what the game makes of an exposed card of a stack, if its documents name it."""
    return next(
        (terms for terms in rules.game.irregularity if terms.id == Irregularity.STACK_CARD_EXPOSED), None
    )


def voids_whole_round(rules: Rules, table: Table) -> bool:
    """Whether a card exposed during this deal voids the round for everyone."""
    terms = _stack_card_exposed(rules)
    if terms is None or table.phase is not Phase.DEALING or table.round.has(RoundMark.DEALT_OUT):
        return False
    wider = rules.readings.get("exposed_card_rule_j") == "also_automated_shoe"
    ways = (*terms.ways, AUTOMATED_SHOE) if wider else terms.ways
    return rules.way in ways and bool(terms.clauses)


def _decide_exposure(s: Situation, action: ExposeCard) -> CardExposed | CitedOutcome[CardExposed]:
    at = action.position
    if "stop_round" in s.rules.game.procedure:
        return CardExposed(stop=f"a card was exposed at {at}")
    if voids_whole_round(s.rules, s.table):
        return _void(s.rules, Irregularity.STACK_CARD_EXPOSED)
    if at == s.table.dealer_at:
        return _void(s.rules, Irregularity.DEALER_CARD_EXPOSED)
    hand = s.round.hands.get(at)
    playing = hand is not None and hand.status is Status.PLAYED and bool(hand.amount(MAIN))
    gone = hand is not None and hand.has(HandMark.RULED)  # no one is there to choose: the hand is played
    law = law_of(s.rules, "choose_hand", "law")
    if hand is None:  # cards that no one plays are put away unseen
        return CitedOutcome(CardExposed(), law_of(s.rules, "collect_empty", "law"))
    choice = playing and not gone and law.binds
    return CitedOutcome(CardExposed(choice=choice), law if choice else UNCITED)


def _void(rules: Rules, what: Irregularity) -> CitedOutcome[CardExposed]:
    return CitedOutcome(CardExposed(void=what), irregularity(rules, what).clauses)


def _expose(table: Table, event: Event[ExposeCard, CardExposed]) -> Table:
    if not event.outcome.choice:
        return table
    return table.mark_hand(event.action.position, HandMark.CHOOSING)


def _after_exposed(_: Situation, event: Event[ExposeCard, CardExposed]) -> Sequence[Action]:
    if event.outcome.stop:
        return [StopRound(event.outcome.stop)]
    return [VoidRound(event.outcome.void)] if event.outcome.void else ()


def _card_there(s: Situation, action: ExposeCard) -> bool:
    """Whether a card lies there: dealt by now, and not put away."""
    at, hand = action.position, s.round.hands.get(action.position)
    if hand is None and at != s.table.dealer_at and s.round.has(RoundMark.COLLECTED):
        return False  # an empty position's cards are put away unseen
    if hand is not None and hand.has(HandMark.RACKED):
        return False
    return in_piles(s.rules, s.table) or dealt_so_far(s.rules, s.table).get(at, 0) > 0


def _face_down(s: Situation, action: ExposeCard) -> bool:
    """Cards that lie open by law are not exposed: the dealer's once turned, a player's once revealed."""
    if action.position == s.table.dealer_at:
        return s.table.phase in (Phase.DEALING, Phase.SETTING)
    hand = s.round.hands.get(action.position)
    open_marks = {HandMark.REARRANGED, HandMark.REOPENED}
    return hand is None or (not hand.shown and hand.marks.isdisjoint(open_marks))


def _before_its_turn(s: Situation, action: ExposeCard) -> bool:
    """Whether the dealer does not open this hand just now."""
    if s.table.phase is not Phase.SETTLING:
        return True
    hand = turn(s.rules, s.table)
    if hand is None or hand.position != action.position:
        return True
    return bool(hand.shown) or hand.status is not Status.PLAYED


def _position_dealt(s: Situation, action: ExposeCard) -> bool:
    last = s.rules.submission.table.positions + (0 if s.rules.banked else 1)
    return DEALER <= action.position <= last


# --- the player's choice ------------------------------------------------------------------------------


def _own_hand(s: Situation, action: ChooseHand) -> bool:
    return hand_of(s, action).person == s.by.id


def _chosen_unseen(s: Situation, action: ChooseHand) -> bool:
    return action.choice is HandChoice.PLAY or not hand_of(s, action).has(HandMark.LOOKED)


def _decide_choice(s: Situation, action: ChooseHand) -> HandChosen | CitedOutcome[HandChosen]:
    if action.choice is not HandChoice.VOID:
        return HandChosen()
    law = irregularity(s.rules, Irregularity.HAND_VOIDED).clauses
    hand = changed(hand_of(s, action), status=Status.VOID, void_law=law)
    payments, meter = void_area(round_of(s), area_of(hand), s.meter, dict(s.round.taken))
    racked = Racked(RackedWhat.VOID_HAND, hand.position, hand.cards, s.rules.game.hand_cards)
    return cite_payments(
        HandChosen(payments=tuple(payments), meter=s.moved(meter, payments), void_law=law, racked=racked)
    )


def _choose(table: Table, event: Event[ChooseHand, HandChosen]) -> Table:
    done, hand = event.outcome, table.round.hands[event.action.position]
    marks = (hand.marks - {HandMark.CHOOSING}) | {HandMark.CHOSEN}
    if done.racked is None:
        return table.with_hand(hand.position, marks=marks)
    table = keep_payments(table, event).with_hand(
        hand.position,
        marks=marks | {HandMark.RACKED},
        status=Status.VOID,
        made={},
        claim=None,
        void_law=done.void_law,
    )
    lammers = table.round.lammers - {hand.position}
    rack = (*table.rack, done.racked)
    return changed(table.with_round(lammers=lammers), rack=rack, rack_deck=table.round.deck)


def _after_choice(s: Situation, event: Event[ChooseHand, HandChosen]) -> Sequence[Action]:
    if event.action.choice is HandChoice.VOID and not s.round.playing():
        return [EndRound()]
    return ()


def _suggest_choice(_: Rules, table: Table) -> Iterable[Proposal]:
    for hand in table.round.playing():
        if hand.has(HandMark.CHOOSING):
            by = player_at(table, hand.position)
            yield Proposal(by, ChooseHand(hand.position, HandChoice.PLAY))


# --- the deal goes wrong ------------------------------------------------------------------------------


def _deal_unfinished(s: Situation, _: Action) -> bool:
    return s.round.dealt < whole_deal(s.rules)


def _decide_discovery(s: Situation, _: BoxedCard) -> FaceUpFound:
    terms, void = _stack_card_exposed(s.rules), None
    if terms and terms.face_up_too and s.rules.way in terms.ways and terms.clauses:
        void = Irregularity.STACK_CARD_EXPOSED
    elif s.round.boxed:
        void = Irregularity.CARDS_FACE_UP
    return FaceUpFound(next(iter(next_cards(s, 1)), None), void)


def _set_aside(table: Table, event: Event[BoxedCard, FaceUpFound]) -> Table:
    card = event.outcome.card
    racked = Racked(RackedWhat.FACE_UP, None, () if card is None else (card,), 1)
    table = table.with_round(boxed=table.round.boxed + 1)
    return changed(table, rack=(*table.rack, racked), rack_deck=table.round.deck)


def _after_boxed(_: Situation, event: Event[BoxedCard, FaceUpFound]) -> Sequence[Action]:
    return [VoidRound(event.outcome.void)] if event.outcome.void else ()


def _fail_shoe(table: Table, _: Event[ShoeFault, None]) -> Table:
    return changed(table, failed=table.failed | {Device.SHOE}, signed=table.signed - {Device.SHOE})


def _deck_to_deal(s: Situation, _: Action) -> bool:
    deck = s.table.in_play
    return deck is not None and not deck.has(DeckMark.ORDERED)


OFF_THE_DECK: Final[tuple[Guard[Action], ...]] = (
    moot("the cards are dealt already", _deal_unfinished),
    sense("no deck is loaded, or it is to be shuffled first", _deck_to_deal),
)


STEPS: Final[tuple[AnyStep, ...]] = (
    Step(
        action=ExposeCard,
        by=(Role.DEALER, *FLOOR),
        phases=(Phase.DEALING, Phase.SETTING, Phase.DEALER, Phase.SETTLING),
        exceptional=True,
        words=Words(
            "Report an exposed card",
            follows=(
                "The exposure is on record, and the player chooses, the floor rules or the round "
                "is void where the game says so."
            ),
        ),
        guards=(
            moot("no cards are dealt to such a position", _position_dealt),
            moot("no card is dealt yet", lambda s, _: s.round.dealt > 0),
            moot("no card lies there", _card_there),
            moot("the card lies open by law", _face_down),
            moot("it is this hand's turn to be opened", _before_its_turn),
        ),
        outcome=_decide_exposure,
        evolve=_expose,
        consequences=_after_exposed,
        panels=(Panel.WRONG, Panel.RULINGS),
        foretold=True,
        at_dealer=True,
    ),
    Step(
        action=ChooseHand,
        stage=Stage.PLAYERS,
        by=(Role.PLAYER,),
        phases=WITH_CARDS,
        exceptional=True,
        words=Words(
            "Play or void",
            follows="The hand is played on, or it is void, its wagers go back and its cards are racked.",
        ),
        guards=(
            moot("no card of this hand was exposed", hand_has(HandMark.CHOOSING)),
            sense("the player has left", hand_has_not(HandMark.LEFT)),
            sense("is for the player of the hand", _own_hand),
            Guard(
                "unseen",
                "the choice is made without looking at the other cards: the floor is called",
                _chosen_unseen,
                about=("choice",),
            ),
        ),
        outcome=_decide_choice,
        evolve=_choose,
        consequences=_after_choice,
        suggest=_suggest_choice,
        foretold=True,
        choice=True,
        deliberate=True,
    ),
    Step(
        action=BoxedCard,
        by=(Role.DEALER,),
        phases=(Phase.STARTING, Phase.DEALING),
        exceptional=True,
        words=Words(
            "Report a boxed card",
            follows="The card is put aside and not dealt, and the round is void where the game says so.",
        ),
        guards=(*OFF_THE_DECK, sense("the deal has not begun", lambda s, _: s.round.start is not None)),
        outcome=_decide_discovery,
        evolve=_set_aside,
        consequences=_after_boxed,
        panels=(Panel.WRONG,),
        foretold=True,
    ),
    Step(
        action=DrawEarly,
        by=(Role.DEALER,),
        phases=(Phase.STARTING, Phase.DEALING),
        exceptional=True,
        words=Words(
            "Report an early card",
            follows="The card stays the next one of the deal, and the deal goes on with it.",
        ),
        guards=OFF_THE_DECK,
        evolve=marks_round(RoundMark.DRAWN_EARLY),
        panels=(Panel.WRONG,),
        foretold=True,
    ),
    Step(
        action=ShoeFault,
        by=(Role.DEALER, Role.SHOE),
        phases=(Phase.STARTING, Phase.DEALING),
        exceptional=True,
        words=Words(
            "Report a shoe fault",
            follows=(
                "The round is void, and the shoe is loaded again or signed out of order before "
                "cards are dealt another way."
            ),
        ),
        guards=(
            moot("the table deals another way", lambda s, _: s.rules.way == AUTOMATED_SHOE),
            moot("the cards are dealt already", _deal_unfinished),
        ),
        evolve=_fail_shoe,
        consequences=lambda _, __: [VoidRound(Irregularity.SHOE_FAILED)],
        panels=(Panel.WRONG,),
        foretold=True,
    ),
)
