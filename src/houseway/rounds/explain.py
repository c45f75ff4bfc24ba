"""Why each amount moved, in plain language: told only of a record that replays."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from houseway.cards import show, show_setting
from houseway.errors import InvalidInputError
from houseway.games import Rules, rules_for
from houseway.law import cite
from houseway.ledger import show_units
from houseway.money import dollars
from houseway.ranking import dealer_valued, describe
from houseway.rounds.actions import AdjustMeter
from houseway.rounds.houseway import by_house_way
from houseway.rounds.outcomes import Moves, Outcome
from houseway.rounds.record import Record
from houseway.rounds.replay import rules_after, verify_replay
from houseway.rounds.state import Hand, Round
from houseway.rounds.step import AnEvent
from houseway.rounds.steps.money import area_of
from houseway.settlement import Payment, Shortfall, Showdown, settle

_DID = {
    "collect": "was taken",
    "return": "came back",
    "pay": "was paid",
    "envy": "was paid as an Envy Bonus",
    "contribution": "went into the progressive",
    "seed": "was put into the meter by the house",
    "fee": "was taken before the deal",
    "reversal": "was taken back",
}


def explain(record: Record, position: int | None = None) -> Iterator[str]:
    """Yield the story of a round, or of one position, line by line, with the law behind each amount."""
    table = verify_replay(record)
    events: list[AnEvent] = [event for turn in record.turns for event in turn.events]
    rules, this_round = rules_after(rules_for(record.submission), tuple(events)), table.last or table.round
    names = {seat.person: seat.name for seat in record.before.seats.values()}
    names |= {event.by.id: event.by.name for event in events}
    hands = this_round.active()
    if position is not None and position not in {hand.position for hand in hands}:
        known = ", ".join(str(hand.position) for hand in hands) or "none"
        raise InvalidInputError(f"nobody played there; the positions played are {known}", value=position)
    yield f"{rules.game.name}, round {record.id}, law as of {rules.submission.law_as_of}."
    yield from _explain_dealer(rules, this_round)
    for hand in hands:
        if position in (None, hand.position):
            yield ""
            yield from _explain_hand(rules, this_round, hand, names.get(hand.person) or hand.person)
    yield from _explain_adjustments(events, position)
    if position is None:
        yield from _explain_rest(record, this_round)


def _explain_dealer(rules: Rules, this_round: Round) -> Iterator[str]:
    if this_round.void:
        yield f"The round was void: {this_round.void.reason}. {_law(this_round.void.clauses)}".rstrip()
    if this_round.dealer_setting:
        rule = by_house_way(rules, this_round.dealer_cards).rule
        cards, setting = show(this_round.dealer_cards), show_setting(this_round.dealer_setting)
        yield f"The dealer held {cards} and set {setting} ({rule})."


def _explain_hand(rules: Rules, this_round: Round, hand: Hand, name: str) -> Iterator[str]:
    cards = f": {show(hand.cards)}" if hand.cards else ", no cards"
    yield f"Position {hand.position}, {name}, {hand.status}{cards}."
    order = rules.ranking()
    if hand.setting and this_round.dealer_setting and tuple(map(len, hand.setting)) == order.split:
        dealers = dealer_valued(order, this_round.dealer_setting)
        for part, mine, theirs in zip(order.part_names, hand.setting, dealers, strict=True):
            mine_said, theirs_said = describe(order.rank(part, mine)), describe(order.rank(part, theirs))
            yield f"  {part}: {mine_said}, against {theirs_said}"
    for payment in this_round.payments:
        if payment.position == hand.position:
            yield f"  {_sentence(payment)}"
    for short in shortfalls(rules, this_round):
        if short.position == hand.position:
            owed, paid = dollars(short.owed), dollars(short.paid)
            yield f"  {short.wager.replace('_', ' ')}: {owed} was won and the bank could pay {paid} of it."


def _explain_adjustments(events: Iterable[AnEvent], position: int | None) -> Iterator[str]:
    """Tell what two people did to the meter by hand, or to the award of a recorded win."""
    for event in events:
        action = event.action
        if not isinstance(action, AdjustMeter) or position not in (None, action.win):
            continue
        did = f"adjusted the meter by {dollars(action.amount)}"
        if action.win is not None:
            did = f"backed out the award of {dollars(action.amount)} at position {action.win}"
        said = f"{event.by.shown} and {action.second} {did} by hand: {action.reason}."
        yield f"{said} {_law(event.clauses)}".rstrip()


def _explain_rest(record: Record, this_round: Round) -> Iterator[str]:
    for payment in this_round.payments:
        if payment.position == 0:
            yield _sentence(payment)
    outcomes: list[Outcome | None] = [event.outcome for turn in record.turns for event in turn.events]
    moves = [one.meter for one in outcomes if isinstance(one, Moves) and one.meter is not None]
    if moves:
        before = moves[0].before
        first, last = show_units(before.value) if before else "nothing", show_units(moves[-1].after.value)
        yield f"The meter stood at {first} before the round and at {last} after it."


def shortfalls(rules: Rules, this_round: Round) -> tuple[Shortfall, ...]:
    """Return what a player's bank could not pay in a finished round."""
    return (
        settle(finished_round(rules, this_round)).shortfalls if rules.banked and not this_round.void else ()
    )


def finished_round(rules: Rules, this_round: Round) -> Showdown:
    """Return a finished round as settlement sees it whole, without a meter."""
    return Showdown(
        rules,
        this_round.dealer_cards,
        this_round.dealer_setting or (),
        tuple(area_of(hand) for hand in this_round.active()),
        banker=this_round.banker,
        action=this_round.action,
        void=this_round.void.reason if this_round.void else None,
        void_law=this_round.void.clauses if this_round.void else (),
    )


def _sentence(payment: Payment) -> str:
    said = f"{payment.wager.replace('_', ' ')}: {show_units(payment.units)} {_DID[payment.kind]}"
    return f"{said}: {payment.reason}. {_law(payment.clauses)}".rstrip()


def _law(clauses: tuple[str, ...]) -> str:
    if not clauses:
        return ""
    return "(" + "; ".join(dict.fromkeys(cite(clause).cite for clause in clauses)) + ")"
