"""Why each amount moved, in plain language; only for a record that replays."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from houseway.cards import show, show_setting
from houseway.errors import InvalidInputError
from houseway.games import Rules, rules_for
from houseway.law import cite
from houseway.ledger import AccountKind, show_units, units
from houseway.money import Basis, dollars
from houseway.ranking import Setting, dealer_valued, describe
from houseway.rounds.houseway import by_house_way
from houseway.rounds.outcomes import Moves
from houseway.rounds.record import Record
from houseway.rounds.replay import rules_after, verify_replay
from houseway.rounds.state import Hand, Round, Table
from houseway.rounds.step import AnEvent
from houseway.rounds.steps.dealer_hand import DealerReset, DealerSet
from houseway.rounds.steps.meter import AdjustMeter
from houseway.rounds.steps.money import area_of
from houseway.rounds.steps.settle import Settled
from houseway.settlement import Banker, Payment, PaymentKind, Shortfall, Showdown, Status, settle
from houseway.settlement.model import MAIN, PROGRESSIVE
from houseway.settlement.sides import abandonment, line_for, stands_after_foul, tell_line

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
_FROM_RESERVE: Final = "went from the reserve into the meter"
BEFORE_RESET: Final = "Settled before the dealer's hand was reset: that result stands."


def explain(record: Record, position: int | None = None) -> Iterator[str]:
    """Yield the story of a round, or of one position, line by line, with the law behind each amount."""
    table = verify_replay(record)
    events: list[AnEvent] = [event for turn in record.turns for event in turn.events]
    rules = rules_after(rules_for(record.submission), tuple(events))
    story = Story.of(rules, table.last or table.round, events, record.before)
    positions = sorted(hand.position for hand in story.round.active())
    if story.banker_seat is not None:
        positions = sorted([*positions, story.banker_seat])
    if position is not None and position not in positions:
        known = ", ".join(map(str, positions)) or "none"
        raise InvalidInputError(f"nobody played there; the positions played are {known}", value=position)
    yield f"{rules.game.name}, round {record.id}, law as of {rules.submission.law_as_of}."
    yield from _explain_dealer(story)
    for hand in story.round.active():
        if position in (None, hand.position):
            yield ""
            yield from _explain_hand(story, hand)
    if position in (None, story.banker_seat):
        yield from _explain_banker(story)
    yield from _explain_adjustments(story.events, position)
    if position is None:
        yield from _explain_meter(story)


@dataclass(frozen=True)
class Story:
    """A finished round and what is needed to tell it: its rules, its events, and what people are called."""

    rules: Rules
    round: Round
    events: tuple[AnEvent, ...]
    names: Mapping[str, str]

    @classmethod
    def of(cls, rules: Rules, this_round: Round, events: Iterable[AnEvent], before: Table) -> Story:
        """Return the story of a round that began at a table."""
        history = tuple(events)
        names = {seat.person: seat.name for seat in before.seats.values()}
        return cls(rules, this_round, history, names | {event.by.id: event.by.name for event in history})

    def name(self, person: str) -> str:
        """Return what a person is called."""
        return self.names.get(person) or person

    @property
    def banker_seat(self) -> int | None:
        """Where the player-dealer sat, if a player banked the round."""
        return self.round.bank_seat if self.round.banker else None

    def settled_on(self, hand: Hand) -> Setting | None:
        """Return the dealer's setting that a hand was settled against.

        A reset changes it afterwards, unless reading asia:P9 lets what was settled before stand.
        """
        if self.rules.readings.get("missed_dealer_setting") != "resettle_unsettled_only":
            return self.round.dealer_setting
        setting = None
        for event in self.events:
            outcome = event.outcome
            if isinstance(outcome, DealerSet | DealerReset):
                setting = outcome.setting
            elif isinstance(outcome, Settled) and event.position == hand.position and MAIN in outcome.wagers:
                return setting
        return self.round.dealer_setting


def _explain_dealer(story: Story) -> Iterator[str]:
    this_round = story.round
    if this_round.void:
        yield f"The round was void: {this_round.void.reason}. {_law(this_round.void.clauses)}".rstrip()
    if this_round.dealer_setting:
        rule = by_house_way(story.rules, this_round.dealer_cards).rule
        cards, setting = show(this_round.dealer_cards), show_setting(this_round.dealer_setting)
        yield f"The {_dealer(story)} held {cards} and set {setting} ({rule})."
    for event in story.events:
        if isinstance(event.outcome, DealerReset):
            yield f"The hand had been set wrongly and was reset. {_law(event.clauses)}".rstrip()


def _dealer(story: Story) -> str:
    banker = story.round.banker
    return f"player-dealer, {story.name(banker.person)}," if banker else "dealer"


def _explain_hand(story: Story, hand: Hand) -> Iterator[str]:
    cards = f": {show(hand.cards)}" if hand.cards else ", no cards"
    yield f"Position {hand.position}, {story.name(hand.person)}, {hand.status}{cards}."
    order, dealers = story.rules.ranking(), story.settled_on(hand)
    if hand.setting and dealers and tuple(map(len, hand.setting)) == order.split:
        counting = dealer_valued(order, dealers)
        for part, mine, theirs in zip(order.part_names, hand.setting, counting, strict=True):
            mine_said, theirs_said = describe(order.rank(part, mine)), describe(order.rank(part, theirs))
            yield f"  {part}: {mine_said}, against {theirs_said}"
    if dealers != story.round.dealer_setting:
        yield f"  {BEFORE_RESET}"
    for payment in story.round.payments:
        if payment.position == hand.position:
            yield f"  {_behind(story, hand, payment.person)}{sentence(payment)}"
    for note in unpaid(story, hand):
        yield f"  {note}"


def _behind(story: Story, hand: Hand, person: str) -> str:
    """Return whose money it is, before the text about it, where a person bet behind the hand."""
    return "" if person == hand.person else f"{story.name(person)}, betting behind: "


def unpaid(story: Story, hand: Hand) -> Iterator[str]:
    """Yield what no payment says: a progressive wager that brought nothing, and what a bank could not pay."""
    yield from _explain_lost_progressive(story, hand)
    for short in shortfalls(story.rules, story.round):
        if short.position == hand.position:
            yield f"{_behind(story, hand, short.person)}{_write_shortfall(short)}"


def _explain_adjustments(events: Iterable[AnEvent], position: int | None) -> Iterator[str]:
    """Yield what two people did to the meter by hand, or to the award of a recorded win."""
    for event in events:
        action = event.action
        if not isinstance(action, AdjustMeter) or position not in (None, action.win):
            continue
        did = f"adjusted the meter by {dollars(action.amount)}"
        if action.win is not None:
            did = f"backed out the award of {dollars(action.amount)} at position {action.win}"
        text = f"{event.by.shown} and {action.second} {did} by hand: {action.reason}."
        yield f"{text} {_law(event.clauses)}".rstrip()


def _explain_lost_progressive(story: Story, hand: Hand) -> Iterator[str]:
    """Yield why a progressive wager, whose chips are taken before the deal, brought nothing."""
    stake, rules = hand.amount(PROGRESSIVE), story.rules
    back = (PaymentKind.PAY, PaymentKind.RETURN)
    ended = [p for p in story.round.payments if p.position == hand.position and p.kind in back]
    if not stake or story.round.void or any(p.wager == PROGRESSIVE for p in ended):
        return
    text = f"progressive: {dollars(stake)} was lost"
    terms = rules.game.wager_terms(PROGRESSIVE)
    foul = hand.race is not None and bool(hand.race.fouls)
    if hand.status is Status.ABANDONED:
        yield f"{text}: abandoned by decision of the floor. {_law(abandonment(rules))}".rstrip()
    elif hand.status is Status.VOID:
        yield f"{text}: the hand is void, its wagers are not returned. {_law(hand.void_law)}".rstrip()
    elif not stands_after_foul(rules, PROGRESSIVE, foul=foul):
        law = hand.race.clauses if hand.race else ()
        yield f"{text}: forfeited by the foul. {_law(law)}".rstrip()
    elif hand.cards:
        line = line_for(rules, PROGRESSIVE, area_of(hand))
        if line.pays.basis is Basis.LOSE:
            yield f"{text}: {tell_line(line)}. {_law((*terms.loses, *line.clauses))}".rstrip()


def _write_shortfall(short: Shortfall) -> str:
    """Return what the bank could not pay: of a wager's winnings, or of an Envy Bonus."""
    envy = short.kind is PaymentKind.ENVY
    wager = "envy bonus" if envy else short.wager.replace("_", " ")
    text = f"{wager}: {dollars(short.owed)} was won and the bank could pay {dollars(short.paid)} of it"
    text = f"{text}: {short.reason}." if envy else f"{text}."
    return f"{text} {_law(short.clauses)}".rstrip()


def _explain_banker(story: Story) -> Iterator[str]:
    """Yield what the player-dealer paid and got as such, apart from any hand."""
    banker = story.round.banker
    own = [payment for payment in story.round.payments if payment.position == 0]
    if banker is None:
        yield from map(sentence, own)
        return
    yield ""
    seat = f"Position {story.banker_seat}, " if story.banker_seat is not None else ""
    yield f"{seat}{story.name(banker.person)}, the player-dealer."
    back = [payment for payment in own if payment.source == banker.account]
    yield from (f"  {sentence(payment)}" for payment in own if payment not in back)
    yield f"  {_explain_bank(story, banker)}"
    yield from (f"  {sentence(payment)}" for payment in back)


def _explain_bank(story: Story, banker: Banker) -> str:
    """Return what the bank collected and paid, and what the player-dealer won or lost by it."""
    played = [payment for payment in story.round.payments if payment.position]
    won = sum(payment.units for payment in played if payment.to == banker.account)
    paid = sum(payment.units for payment in played if payment.source == banker.account)
    put_up, gain = units(banker.stake), won - paid
    result = "neither won nor lost"
    if gain:
        result = f"{show_units(abs(gain))} was {'won' if gain > 0 else 'lost'}"
    text = f"bank: {show_units(put_up)} was put up, {show_units(won)} collected and {show_units(paid)} paid"
    terms = story.rules.game.bank
    if terms is None or gain != -put_up:
        return f"{text}: {result}."
    return f"{text}, which exhausted it: {result}. {_law(terms.cap_loss.cites)}"


def _explain_meter(story: Story) -> Iterator[str]:
    outcomes = [event.outcome for event in story.events]
    moves = [
        outcome.meter for outcome in outcomes if isinstance(outcome, Moves) and outcome.meter is not None
    ]
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


def sentence(payment: Payment) -> str:
    """Return a payment in words: what was done with which amount, why, and by which law."""
    did = _FROM_RESERVE if payment.source.kind is AccountKind.RESERVE else _DID[payment.kind]
    text = f"{payment.wager.replace('_', ' ')}: {show_units(payment.units)} {did}"
    return f"{text}: {payment.reason}. {_law(payment.clauses)}".rstrip()


def _law(clauses: tuple[str, ...]) -> str:
    if not clauses:
        return ""
    return "(" + "; ".join(dict.fromkeys(cite(clause).cited for clause in clauses)) + ")"
