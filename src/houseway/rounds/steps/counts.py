"""The deal counted: the stub and every hand; empty stacks put away unseen."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Final

from houseway.games import Rules
from houseway.rounds.action import Action, Position
from houseway.rounds.annotations import Ask, Shown
from houseway.rounds.asks import UNPROMPTED, Asks, FieldRule
from houseway.rounds.dealing import check_deal, expected_stub
from houseway.rounds.marks import RoundMark
from houseway.rounds.outcomes import Outcome, PutAway
from houseway.rounds.roles import Role
from houseway.rounds.stage import Stage
from houseway.rounds.state import Phase, Racked, RackedWhat, Table, changed
from houseway.rounds.step import AnyStep, Event, Guard, Panel, Proposal, Situation, Step, Words
from houseway.rounds.steps.common import always, dealer_of, moot, round_has, round_has_not, sense
from houseway.rounds.steps.ruling import StopRound, VoidRound
from houseway.rounds.steps.stacks import MANUAL, due_by_now, in_piles, places, whole_deal


class CountStub(Action, frozen=True, tag="count_stub"):
    """The cards left over are counted."""

    left: Annotated[int | None, Ask("Cards left")] = None


class CountHands(Action, frozen=True, tag="count_hands"):
    """Every hand is counted."""

    counts: Annotated[Mapping[Position, int], Ask("Cards at each position")]


class CollectEmpty(Action, frozen=True, tag="collect_empty"):
    """The stub and the hands of empty positions are put away unseen."""


class StubCounted(Outcome, frozen=True, tag="stub_counted"):
    """How many cards are left, and whether that is right."""

    left: Annotated[int, Shown("left")]
    right: Annotated[bool, Shown("right")]


# --- the stub and the empty positions -----------------------------------------------------------------


def _decide_stub(s: Situation, action: CountStub) -> StubCounted:
    left = action.left
    if left is None:
        left = len(s.rules.game.cards()) - s.round.boxed - s.round.dealt
    return StubCounted(left, left == expected_stub(s.rules, s.round.boxed))


def _stop_on_stub(s: Situation, event: Event[CountStub, StubCounted]) -> Sequence[Action]:
    """Where no clause says what a wrong remainder means, the floor rules."""
    if not event.outcome.right and "stop_round" in s.rules.game.procedure:
        return [StopRound(f"{event.outcome.left} cards are left")]
    return ()


def _stub_known(s: Situation, action: CountStub) -> bool:
    if action.left is None:
        return s.round.commitment is not None
    return 0 <= action.left <= len(s.rules.game.cards())


def _note_stub(table: Table, event: Event[CountStub, StubCounted]) -> Table:
    left, marks = event.outcome.left, table.round.marks
    if not event.outcome.right:
        return table.with_round(stub=left, marks=marks | {RoundMark.STUB_WRONG})
    racked = Racked(RackedWhat.STUB, None, (), left)
    table = table.with_round(stub=left, marks=(marks | {RoundMark.STUB}) - {RoundMark.STUB_WRONG})
    return changed(table, rack=(*table.rack, racked), rack_deck=table.round.deck)


def _at_positions(s: Situation, _: CountHands) -> bool:
    return s.round.has(RoundMark.DEALT_OUT) or not in_piles(s.rules, s.table)


def _all_counted(s: Situation, action: CountHands) -> bool:
    return set(_to_count(s.rules, s.table)) <= set(action.counts) <= set(places(s.rules, s.table))


def _racked_counts(table: Table) -> dict[int, int]:
    """Return how many cards the hands have that lie in the discard rack: no one counts them again."""
    if table.round.marks.isdisjoint({RoundMark.COLLECTED}):
        return {}
    return {entry.position: entry.count for entry in table.rack if entry.position is not None}


def _to_count(rules: Rules, table: Table) -> list[int]:
    """Return where hands lie that are to be counted, the dealer's among them."""
    racked = _racked_counts(table)
    return [at for at in places(rules, table) if at not in racked]


def _after_count(s: Situation, event: Event[CountHands, None]) -> Sequence[Action]:
    this_round = s.round
    counts = _racked_counts(s.table) | dict(event.action.counts)
    stub = this_round.stub if this_round.stub is not None else expected_stub(s.rules, s.round.boxed)
    void = check_deal(s.rules, counts, stub, this_round.boxed, due_by_now(s.rules, s.table))
    if void is None:
        return ()
    if "stop_round" in s.rules.game.procedure:
        return [StopRound(void.reason)]
    return [VoidRound(counts=counts, stub=stub)]


def _stub_done(rules: Rules, table: Table) -> bool:
    if rules.banked:
        return table.round.has(RoundMark.DISTRIBUTED if rules.way == MANUAL else RoundMark.DEALT_OUT)
    wanted = RoundMark.STUB if "count_stub" in rules.game.procedure else RoundMark.DEALT_OUT
    return table.round.has(wanted)


def _decide_collection(s: Situation, _: CollectEmpty) -> PutAway:
    rules, this_round, racked = s.rules, s.round, []
    if not this_round.has(RoundMark.STUB):
        left = len(rules.game.cards()) - whole_deal(rules) - this_round.boxed
        racked.append(Racked(RackedWhat.STUB, None, (), left, None, this_round.number))
    taken = {*(hand.position for hand in this_round.active()), s.table.dealer_at}
    racked += [
        Racked(RackedWhat.NO_WAGER, at, (), rules.game.hand_cards)
        for at in sorted(places(rules, s.table))
        if at not in taken
    ]
    return PutAway(tuple(racked))


def _collect(table: Table, event: Event[CollectEmpty, PutAway]) -> Table:
    table = table.mark_round(RoundMark.COLLECTED)
    rack = (*table.rack, *event.outcome.racked)
    return changed(table, rack=rack, rack_deck=table.round.deck, phase=Phase.SETTING)


# --- what is due --------------------------------------------------------------------------------------


def _suggest_stub(rules: Rules, table: Table) -> Iterable[Proposal]:
    this_round = table.round
    if rules.banked and rules.way != MANUAL:
        return
    uncounted = this_round.marks.isdisjoint({RoundMark.STUB, RoundMark.STUB_WRONG})
    if this_round.has(RoundMark.DEALT_OUT) and uncounted:
        yield Proposal(dealer_of(table), CountStub())


def _suggest_collect(rules: Rules, table: Table) -> Iterable[Proposal]:
    if _stub_done(rules, table):
        yield Proposal(dealer_of(table), CollectEmpty())


# --- what its fields take -----------------------------------------------------------------------------


def _asks_left(rules: Rules, table: Table, _: int) -> Asks:
    known = table.round.commitment is not None
    return {"left": UNPROMPTED if known else FieldRule(least=0, most=len(rules.game.cards()), needed=True)}


def _asks_counts(rules: Rules, table: Table, _: int) -> Asks:
    each = {str(at): FieldRule(least=0, needed=True) for at in _to_count(rules, table)}
    return {"counts": FieldRule(each=each)}


STEPS: Final[tuple[AnyStep, ...]] = (
    Step(
        action=CountStub,
        stage=Stage.DEAL,
        by=(Role.DEALER, Role.SHOE),
        phases=(Phase.DEALING,),
        words=Words(
            "Count the stub",
            follows="The stub is racked if its number is right, and the round waits if it is wrong.",
        ),
        guards=(
            sense("the deal is not finished", round_has(RoundMark.DEALT_OUT)),
            moot("the stub is counted already", round_has_not(RoundMark.STUB)),
            sense("the cards left are counted and the number given", _stub_known, "left"),
        ),
        outcome=_decide_stub,
        evolve=_note_stub,
        consequences=_stop_on_stub,
        suggest=_suggest_stub,
        asks=_asks_left,
        foretold=True,
    ),
    Step(
        action=CountHands,
        stage=Stage.DEAL,
        by=(Role.DEALER,),
        phases=(Phase.DEALING, Phase.SETTING, Phase.DEALER, Phase.SETTLING),
        words=Words(
            "Count every hand",
            follows=(
                "If the counts show a misdeal the round is void or waits for the floor, and "
                "otherwise it goes on."
            ),
        ),
        guards=(
            sense("the deal to piles is not finished", _at_positions),
            sense(
                "every hand is counted, the dealer's too, but for those in the discard rack",
                _all_counted,
                "counts",
            ),
        ),
        consequences=_after_count,
        asks=_asks_counts,
        panels=(Panel.WRONG,),
        foretold=True,
    ),
    Step(
        action=CollectEmpty,
        stage=Stage.DEAL,
        by=(Role.DEALER,),
        phases=(Phase.DEALING,),
        words=Words(
            "Collect empty positions",
            follows=(
                "The stub and the hands nobody plays are out of the round, and the players can "
                "look at their cards."
            ),
        ),
        guards=(
            always(
                "after_stub",
                "the remaining cards are counted first",
                lambda s, _: _stub_done(s.rules, s.table),
            ),
            Guard("every_spot", "every spot and the dealer get a hand", round_has(RoundMark.DEALT_OUT)),
            Guard(
                "counted_again",
                "every hand is counted when the remainder is wrong",
                round_has_not(RoundMark.STUB_WRONG),
            ),
        ),
        outcome=_decide_collection,
        evolve=_collect,
        suggest=_suggest_collect,
    ),
)
