"""How a round ends otherwise than by being played out: stopped, ruled about, void; and what ends with it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Final

from houseway.law.citations import UNCITED, join_cites
from houseway.meters import Meter
from houseway.rounds.action import Action, Position
from houseway.rounds.annotations import Ask
from houseway.rounds.choices import Irregularity, Ruling
from houseway.rounds.dealing import Voided, check_deal, irregularity
from houseway.rounds.marks import SHUFFLING, DeckMark, HandMark, RoundMark, TableMark
from houseway.rounds.outcomes import Ends, OpenedSeal
from houseway.rounds.roles import FLOOR, Role
from houseway.rounds.state import IN_ROUND, WITH_CARDS, Hand, Phase, Place, Round, Table, TableDeck, changed
from houseway.rounds.step import AnyStep, CitedOutcome, Event, Panel, Situation, Step, Words, law_of
from houseway.rounds.steps.common import given, moot, sense
from houseway.rounds.steps.money import banker_of, keep_payments, round_of, taken_before, undo_all
from houseway.rounds.steps.stacks import dealt_in_piles, due_by_now
from houseway.settlement import Payment, Status, refunds, settle, take_fees
from houseway.settlement.house import in_order, returns_void_hand, reverses, void_area
from houseway.settlement.model import PROGRESSIVE


class VoidRound(Action, frozen=True, tag="void_round"):
    """The round is void: by an irregularity, by what was counted, or by a ruling of the floor."""

    irregularity: Irregularity | None = None
    counts: Annotated[Mapping[Position, int] | None, Ask("Cards at each position")] = None
    stub: int | None = None
    ruling: Annotated[str | None, Ask("Ruling")] = None


class EndRound(Action, frozen=True, tag="end_round"):
    """A round ends in which no one has a hand left."""


class StopRound(Action, frozen=True, tag="stop_round"):
    """The round stops until the floor rules."""

    reason: Annotated[str, Ask("Reason")]


class RuleRound(Action, frozen=True, tag="rule_round"):
    """The floor rules how a stopped round goes on."""

    ruling: Annotated[Ruling, Ask("Ruling")]
    reason: Annotated[str, Ask("Reason")]


class RoundVoided(Ends, frozen=True, tag="round_voided", kw_only=True):
    """A round that was void, and why."""

    why: Voided
    counts: bool = True
    """Whether it counts among the rounds that one player may bank running."""


class RoundEnded(Ends, frozen=True, tag="round_ended"):
    """A round in which no one had a hand left."""


# --- the floor rules ----------------------------------------------------------------------------------


def _open_fouls(table: Table) -> list[Hand]:
    return [h for h in table.round.playing() if h.has(HandMark.FOUL) and not h.has(HandMark.ANNOUNCED)]


def _fits_the_stop(s: Situation, action: RuleRound) -> bool:
    """A foul is not played on as if it were none, and nothing else loses as a foul."""
    ruling = action.ruling
    return ruling is Ruling.VOID or (ruling is Ruling.FOUL_LOSES) == bool(_open_fouls(s.table))


def _goes_on_alone(s: Situation, action: RuleRound) -> bool:
    """Whether nothing is left that only the player-dealer does, where they have gone."""
    this_round = s.round
    if action.ruling is Ruling.VOID or not this_round.has(RoundMark.BANKER_LEFT):
        return True
    return this_round.start is not None and (not dealt_in_piles(s.rules) or this_round.pile is not None)


def _begun(s: Situation, action: RuleRound) -> bool:
    """A round that a player banks can be void only when its bets are closed."""
    return not s.rules.banked or action.ruling is not Ruling.VOID or s.table.phase is not Phase.BETTING


def _rule(table: Table, event: Event[RuleRound, None]) -> Table:
    """The ruling covers a player who left: the hand is played on, the dealer setting it."""
    table = table.with_round(stopped=None)
    for hand in table.round.active():
        if hand.has(HandMark.LEFT) and not hand.has(HandMark.RULED):
            table = table.mark_hand(hand.position, HandMark.RULED)
    if event.action.ruling is Ruling.FOUL_LOSES:
        for hand in _open_fouls(table):
            marks = hand.marks | {HandMark.ANNOUNCED}
            table = table.with_hand(hand.position, status=Status.FOULED, marks=marks)
    return table


def _after_ruling(_: Situation, event: Event[RuleRound, None]) -> Sequence[Action]:
    return [VoidRound(ruling=event.action.reason)] if event.action.ruling is Ruling.VOID else ()


# --- a void round -------------------------------------------------------------------------------------


def _why_void(s: Situation, action: VoidRound) -> Voided:
    if action.irregularity:
        return irregularity(s.rules, action.irregularity)
    if action.ruling:
        return Voided(f"by ruling of the floor: {action.ruling}", (), reshuffle=True)
    voided = None
    if action.counts is not None and action.stub is not None:
        voided = check_deal(s.rules, action.counts, action.stub, s.round.boxed, due_by_now(s.rules, s.table))
    return voided or Voided("void by order of the floor", ())


def _decide_void(s: Situation, action: VoidRound) -> CitedOutcome[RoundVoided]:
    """Give every wager back, and take back out of the meter what they put into it."""
    why = _why_void(s, action)
    join_cites(why.clauses).require()
    law_of(s.rules, "void_round", "returns").require()
    showdown = changed(round_of(s), void=why.reason, void_law=why.clauses)
    payments, meter = _undo_round(s)
    if s.rules.banked:
        settled = settle(showdown)
        fees = take_fees(showdown) if s.round.has(RoundMark.FEES) else ()
        payments += [*settled.payments, *refunds(showdown, fees, settled.payments)]
        counts = s.rules.readings.get("ca_void_round_of_bank") != "does_not_count"
        voided = RoundVoided(why=why, payments=tuple(payments), seal=seal_of(s), counts=counts)
        return CitedOutcome(voided, why.clauses)
    for area in in_order(showdown):
        if area.status is not Status.VOID or not returns_void_hand(s.rules):
            back, meter = void_area(showdown, area, meter, dict(s.round.taken))
            payments += back
    back_out = s.round.taken and reverses(showdown)
    reversing = law_of(s.rules, "void_round", "reverses") if back_out else UNCITED
    voided = RoundVoided(why=why, payments=tuple(payments), meter=s.moved(meter, payments), seal=seal_of(s))
    return CitedOutcome(voided, join_cites(why.clauses, reversing))


def _undo_round(s: Situation) -> tuple[list[Payment], Meter | None]:
    """Undo what was settled before the round was found void, in the meter too."""
    returned = returns_void_hand(s.rules)
    gone = {hand.position for hand in s.round.active() if hand.status is Status.VOID and returned}
    moved = [p for p in s.round.payments if p.position not in gone and not taken_before(p)]
    settled = [p for p in moved if not _ruled_out(s.round, p)]
    return undo_all(settled, "the round is void", s.meter)


def _ruled_out(this_round: Round, payment: Payment) -> bool:
    """Whether a payment only took back what was booked for a wager whose chips were not there."""
    return payment.wager == PROGRESSIVE and payment.position not in this_round.taken


def _void(table: Table, event: Event[VoidRound, RoundVoided]) -> Table:
    why = event.outcome.why
    table = keep_payments(table, event).with_round(void=why, lammers=frozenset())
    return end_round(table, removed=why.deck_removed, counts=event.outcome.counts)


# --- the end of a round -------------------------------------------------------------------------------


def seal_of(s: Situation) -> OpenedSeal | None:
    """Open the seal of the round's deck; nothing where the cards are real."""
    commitment = s.round.commitment
    if commitment is None:
        return None
    sealed = s.moment.cards.open(commitment)
    return OpenedSeal(commitment, sealed.order, sealed.nonce.hex())


def end_round(table: Table, *, removed: bool = False, counts: bool = True) -> Table:
    """Return the table after a round: its deck used, the next round open for bets.

    A round that counts is one of those that the same player may bank running.
    """
    this_round, name = table.round, table.round.deck
    decks, rack, rack_deck = dict(table.decks), table.rack, name or table.rack_deck
    if name in decks:
        decks[name] = _use(decks[name], removed=removed)
    if removed:
        rack, rack_deck = (), None
    seats = {at: seat for at, seat in table.seats.items() if not (seat.area or _gone(this_round, at))}
    marks = {TableMark.BEGUN} if seats else {TableMark.BEGUN, TableMark.VACATED}
    banking = changed(table.banking, rounds=table.banking.rounds + counts)
    if banking.seat not in seats:
        banking = changed(banking, seat=None)
    if banking.offering not in seats:
        banking = changed(banking, offering=None)
    return changed(
        table,
        phase=Phase.BETTING,
        decks=decks,
        deck=None if name else table.deck,
        last_deck=name or table.last_deck,
        rounds=table.rounds + 1,
        marks=table.marks | marks,
        rack=rack,
        rack_deck=rack_deck,
        seats=seats,
        round=Round(number=this_round.number + 1, bank_seat=banking.seat),
        last=changed(this_round, banker=banker_of(table)),
        banking=banking,
    )


def _use(deck: TableDeck, *, removed: bool) -> TableDeck:
    if removed:
        marks = frozenset({DeckMark.REMOVED})
        return changed(deck, marks=marks, inspected_by=None, place=Place.REMOVED)
    marks = (deck.marks - SHUFFLING) | {DeckMark.PLAYED}
    return changed(deck, marks=marks, place=Place.RACK, commitment=None, cut_at=0)


def _gone(this_round: Round, position: int) -> bool:
    hand = this_round.hands.get(position)
    if hand is None:
        return position == this_round.bank_seat and this_round.has(RoundMark.BANKER_LEFT)
    return hand.has(HandMark.LEFT)


STEPS: Final[tuple[AnyStep, ...]] = (
    Step(
        action=VoidRound,
        by=(),
        phases=WITH_CARDS,
        exceptional=True,
        words=Words(
            "Void the round",
            says="The round is void.",
            follows="The wagers go back, what was settled is undone, and the next round opens for bets.",
        ),
        outcome=_decide_void,
        evolve=_void,
        followed=True,
    ),
    Step(
        action=EndRound,
        by=(),
        phases=WITH_CARDS,
        exceptional=True,
        words=Words(
            "End the round",
            follows="The round is over with no hand left in it, and the next one opens for bets.",
        ),
        outcome=lambda s, _: RoundEnded(seal=seal_of(s)),
        evolve=lambda table, _: end_round(table),
    ),
    Step(
        action=StopRound,
        by=(Role.DEALER, *FLOOR),
        phases=(Phase.BETTING, *IN_ROUND),
        exceptional=True,
        words=Words(
            "Stop the round",
            says="The round is stopped, please wait.",
            follows="Play waits until the floor rules.",
        ),
        guards=(sense("the reason is put on record", lambda _, action: given(action.reason), "reason"),),
        evolve=lambda table, event: table.with_round(stopped=event.action.reason),
        panels=(Panel.WRONG, Panel.RULINGS),
        foretold=True,
    ),
    Step(
        action=RuleRound,
        by=FLOOR,
        phases=(Phase.BETTING, *IN_ROUND),
        exceptional=True,
        words=Words(
            "Rule on the round",
            follows="The round goes on as the floor rules, or it is void.",
        ),
        guards=(
            moot("the round is not stopped", lambda s, _: s.round.stopped is not None),
            sense("a foul is void or loses; anything else is void or played on", _fits_the_stop, "ruling"),
            sense(
                "nobody is left to shake the dice or choose the pile: it is void", _goes_on_alone, "ruling"
            ),
            sense("before no more bets the wagers are taken back: nothing is void", _begun, "ruling"),
            sense("the reason is put on record", lambda _, action: given(action.reason), "reason"),
        ),
        while_stopped=True,
        evolve=_rule,
        consequences=_after_ruling,
        panels=(Panel.RULINGS,),
        foretold=True,
    ),
)
