"""Hands opened in order and their result announced; surrender before that."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from houseway.rounds.state import Phase, Source, Table, changed
from houseway.rounds.step import (
    BY_DEALER,
    BY_DEALER_OR_DEVICE,
    BY_PLAYER,
    Command,
    Consequence,
    Event,
    Guard,
    Moment,
    Step,
    register,
)
from houseway.rounds.steps.common import always, dealer_of, hand_of, is_playing, marks_hand, sense
from houseway.rounds.steps.money import area_at, bank_settlement, paid, paying, round_of, the_round
from houseway.rounds.steps.payments import pay_wager
from houseway.rounds.steps.turns import due, next_of_hand, turn
from houseway.settlement import Status
from houseway.settlement.bank import waits_for_ruling
from houseway.settlement.house import run_race
from houseway.settlement.model import MAIN

WORDS = {"win": "win", "lose": "lose", "push": "tie"}


def _in_turn(table: Table, command: Command) -> bool:
    hand = turn(table)
    return hand is not None and hand.position == command.position


def _earlier_settled(table: Table, command: Command) -> bool:
    """Every hand opened before has had its main wager settled."""
    for hand in table.play.hands.values():
        opened = hand.shown and hand.status is not Status.VOID
        if opened and MAIN not in hand.settled and hand.position != command.position:
            return False
    return True


def _earlier_closed(table: Table, command: Command) -> bool:
    """Every hand opened before has had all its wagers settled together."""
    for hand in table.play.playing():
        if hand.shown and hand.position != command.position and due(table, hand):
            return False
    return True


def _known(table: Table, command: Command) -> bool:
    hand = hand_of(table, command)
    return bool(hand.cards) and (hand.setting is not None or hand.status is not Status.PLAYED)


def _right_parts(table: Table, command: Command) -> bool:
    left = table.rules.ranking().all_parts - hand_of(table, command).shown
    return bool(left) and left.issuperset(command.details.get("parts") or ())


def _revealed(table: Table, command: Command, _: Moment) -> Mapping[str, Any]:
    """Open a hand's parts; when the last lies open the race is decided and announced."""
    hand, every = hand_of(table, command), table.rules.ranking().all_parts
    parts = command.details.get("parts")
    shown = hand.shown.union(parts) if parts else every
    if shown != every:
        return {"shown": shown}
    whole, made, area = None, the_round(table), area_at(table, hand.position)
    if not table.rules.banked:
        race = run_race(made, area)
    elif waits_for_ruling(made, area):
        return {"shown": shown, "foul": True}
    else:
        settled = bank_settlement(table, hand.position)
        race = settled.races[hand.position]
        whole = settled if table.source is Source.VIRTUAL_DECK else None
    said = WORDS[race.result]
    return {"shown": shown, "race": race, "announced": said, "clauses": race.clauses, "whole": whole}


def _stops_on_foul(_: Table, event: Event) -> Sequence[Consequence]:
    """Where no clause says what a foul costs, the floor rules."""
    return [("stop_round", {"reason": f"the hand at {event.position} is foul"})] if event.get("foul") else ()


def _reveal(table: Table, event: Event) -> Table:
    hand, outcome = hand_of(table, event), event.outcome
    if "announced" not in outcome:
        marks = hand.marks | {"foul"} if outcome.get("foul") else hand.marks
        return table.with_hand(hand.position, shown=outcome["shown"], marks=marks)
    if outcome["whole"] is not table.play.whole:
        table = table.with_play(whole=outcome["whole"])
    marks = hand.marks | {"announced"}
    return table.with_hand(hand.position, shown=outcome["shown"], race=outcome["race"], marks=marks)


def _no_optional(table: Table, command: Command) -> bool:
    hand = hand_of(table, command)
    return not any(amount for wager, amount in hand.wagers.items() if wager != MAIN)


def _surrendered(table: Table, command: Command, _: Moment) -> Mapping[str, Any]:
    hand = changed(hand_of(table, command), status=Status.SURRENDERED)
    hands = {**table.play.hands, hand.position: hand}
    after = table.with_play(hands=hands, table=None)
    after = after.with_play(table=round_of(after))
    payments, _race = pay_wager(the_round(after), area_at(after, hand.position), MAIN, None, [])
    return paying(payments, table)


def _surrender(table: Table, event: Event) -> Table:
    hand = hand_of(table, event)
    table = paid(table, event).with_hand(
        hand.position, status=Status.SURRENDERED, settled=frozenset({MAIN}), marks=hand.marks | {"announced"}
    )
    return table.with_play(table=round_of(table))


def _counted_right(table: Table, command: Command) -> bool:
    return bool(command.get("cards") == table.rules.game.hand_cards)


def _suggest_count(table: Table) -> Iterable[Command]:
    for hand in table.play.playing():
        if hand.status is Status.SURRENDERED and not hand.has("counted"):
            details = {"cards": table.rules.game.hand_cards}
            yield Command("count_surrendered", dealer_of(table), hand.position, details)


def _suggest_reveal(table: Table) -> Iterable[Command]:
    hand = turn(table)
    if hand and hand.status is Status.PLAYED and not hand.has("announced") and hand.cards:
        yield Command("reveal", dealer_of(table), hand.position)


SETTLING = (Phase.SETTLING,)


register(
    Step(
        "surrender",
        BY_PLAYER,
        (Phase.SETTING, Phase.DEALER, Phase.SETTLING),
        (
            sense("only the player of the hand", lambda t, c: hand_of(t, c).person == c.by.name),
            always("after_dealer", "after the dealer's hands are set", lambda t, _: t.play.has("dealer_set")),
            always("alone", "not beside an optional wager", _no_optional),
            always(
                "before_reveal",
                "before any of that player's hands is exposed",
                lambda t, c: not hand_of(t, c).shown,
            ),
            sense("the hand is not in play", is_playing),
        ),
        needs="hand",
        outcome=_surrendered,
        evolve=_surrender,
    ),
    Step(
        "count_surrendered",
        BY_DEALER,
        SETTLING,
        (
            sense("the hand is not surrendered", lambda t, c: hand_of(t, c).status is Status.SURRENDERED),
            always("right", "the surrendered cards are counted face down", _counted_right),
        ),
        takes={"cards": int},
        needs="hand",
        evolve=marks_hand("counted"),
        suggest=_suggest_count,
    ),
    Step(
        "reveal",
        BY_DEALER_OR_DEVICE,
        SETTLING,
        (
            sense("the hand is not in play", is_playing),
            always("in_order", "from the dealer's far right, counterclockwise", _in_turn),
            Guard(
                "earlier_settled", "a main wager is settled before the next hand is opened", _earlier_settled
            ),
            Guard(
                "earlier_closed", "a hand's wagers are all settled before the next is opened", _earlier_closed
            ),
            sense("the cards are entered and confirmed first", _known),
            Guard("key", "the key stands at RUN first", lambda t, _: not t.has("key_jph")),
            sense("no such part, or it lies open", _right_parts),
        ),
        takes={"parts?": tuple},
        needs="hand",
        outcome=_revealed,
        evolve=_reveal,
        then=_stops_on_foul,
        onward=next_of_hand,
        suggest=_suggest_reveal,
    ),
)
