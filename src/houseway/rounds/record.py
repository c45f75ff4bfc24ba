"""The round record: one text from which a round can be rebuilt, settled again and explained.

The text is TOML, versioned, and comes back to the letter: writing what was read gives the same text.
``docs/round-record.md`` says what each key means.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Annotated, Any, Final, Literal

import tomli_w
from pydantic import Field, PlainValidator, model_validator

from houseway import __version__
from houseway.cards import Cards, parse_cards, parse_setting, show, show_setting
from houseway.errors import DataError
from houseway.games import Rules, Submission, rules_for
from houseway.games.paytables import Dollars
from houseway.houseways import Decision, HouseWay, Program, compile_way, decide, house_way
from houseway.law.documents import Day, Document, Flag, Whole, as_document, read_toml
from houseway.ledger import Account, parse_units, show_units
from houseway.meters import Meter
from houseway.money import Cents, dollars
from houseway.rng import SealedDeck
from houseway.settlement import (
    Area,
    Banker,
    Bettor,
    Payment,
    Round,
    Settlement,
    Status,
    all_payments,
    meter_terms,
    settle,
)

FORMAT: Final = "houseway-round/1"


class Exact(int):
    """An amount to the ten-thousandth of a cent, as the ledger counts it."""

    __slots__ = ()


def _exact(data: object) -> Exact:
    return data if isinstance(data, Exact) else Exact(parse_units(str(data)))


ExactAmount = Annotated[Exact, PlainValidator(_exact)]


class RecordedBettor(Document):
    """A person's wagers on one hand."""

    person: str
    wagers: dict[str, Dollars]


class RecordedArea(Document):
    """A betting area as it was played."""

    position: Whole
    person: str
    wagers: dict[str, Dollars]
    cards: str
    setting: str | None = None
    status: Status = Status.PLAYED
    void_law: tuple[str, ...] = ()
    behind: tuple[RecordedBettor, ...] = ()


class RecordedHand(Document):
    """The dealer's hand, and the house-way rule that set it."""

    cards: str
    setting: str
    rule: str
    clauses: tuple[str, ...] = ()


class RecordedWay(Document):
    """The house way in force: its name and a hash of its rules."""

    id: str
    fingerprint: str


class CardSource(Document):
    """Where the cards came from; a virtual deck can be opened and checked."""

    kind: Literal["virtual_deck", "typed", "shoe_reader"]
    order: str | None = None
    nonce: str | None = None
    commitment: str | None = None


class RecordedMeter(Document):
    """A meter's value and reserve, to the ten-thousandth of a cent."""

    value: ExactAmount
    reserve: ExactAmount


class RecordedPayment(Document):
    """One amount that moved."""

    position: Whole
    person: str
    wager: str
    kind: str
    amount: ExactAmount
    source: str
    to: str
    reason: str
    clauses: tuple[str, ...] = ()


class RecordedShortfall(Document):
    """What a bank could not pay: nobody's debt, kept for the player's information."""

    position: Whole
    person: str
    wager: str
    owed: Dollars
    paid: Dollars


class RecordedVoid(Document):
    """Why a round was void."""

    reason: str
    clauses: tuple[str, ...] = ()
    uncounted: Flag = False


class RecordedBank(Document):
    """The player-dealer, what he put up, and the Action seat."""

    person: str
    stake: Dollars
    action: Whole


class Event(Document):
    """Something that was done: by whom, when, at which position, with what details, and what was alarming."""

    step: str
    actor: str
    at: str | None = None
    position: Whole | None = None
    details: dict[str, str] = {}
    clauses: tuple[str, ...] = ()
    alerts: tuple[str, ...] = ()


class Record(Document):
    """A round, whole."""

    format: Literal["houseway-round/1"]
    id: str = Field(min_length=1)
    game: str
    law_as_of: Day
    program: str
    submission_fingerprint: str
    house_way: RecordedWay
    source: CardSource
    void: RecordedVoid | None = None
    bank: RecordedBank | None = None
    dealer: RecordedHand
    meter_before: RecordedMeter | None = None
    meter_after: RecordedMeter | None = None
    event: tuple[Event, ...] = ()
    area: tuple[RecordedArea, ...] = ()
    payment: tuple[RecordedPayment, ...] = ()
    shortfall: tuple[RecordedShortfall, ...] = ()
    submission: Submission

    @model_validator(mode="after")
    def _somebody_played(self) -> Record:
        if not self.area and self.void is None:
            raise DataError("nobody has a hand in a round that is not void", value=self.id)
        return self


def fingerprint(way: HouseWay) -> str:
    """Return the hash that stands for exactly these rules of a house way."""
    return hashlib.sha256(way.rules_text().encode()).hexdigest()


def set_dealer(rules: Rules, cards: Cards) -> tuple[HouseWay, Decision]:
    """Set the dealer's hand by the house way of the submission."""
    program = dealer_program(rules)
    return program.way, decide(program, cards)


def dealer_program(rules: Rules) -> Program:
    """Return the house way of the submission, compiled for its ranking."""
    found: Program = rules.memory.recall(
        "house way",
        lambda: compile_way(house_way(rules.submission.house_way or ""), base=rules.ranking()),
    )
    return found


def make_record(
    round_id: str,
    table: Round,
    settlement: Settlement,
    source: SealedDeck | None = None,
    events: tuple[Event, ...] = (),
) -> Record:
    """Write a settled round down."""
    submission = table.rules.submission
    way = house_way(submission.house_way or "")
    return Record(
        format=FORMAT,
        id=round_id,
        game=table.rules.game.id,
        law_as_of=submission.law_as_of,
        program=f"houseway {__version__}",
        submission_fingerprint=submission.fingerprint(),
        house_way=RecordedWay(id=way.id, fingerprint=fingerprint(way)),
        source=_source(source),
        void=_void(table),
        bank=_bank(table),
        dealer=_dealer(table),
        meter_before=_meter(table.meter),
        meter_after=_meter(settlement.meter),
        event=events,
        area=tuple(_area(area) for area in table.areas),
        payment=tuple(_payment(payment) for payment in all_payments(table, settlement)),
        shortfall=_shortfalls(settlement),
        submission=submission,
    )


def _shortfalls(settlement: Settlement) -> tuple[RecordedShortfall, ...]:
    return tuple(
        RecordedShortfall(position=s.position, person=s.person, wager=s.wager, owed=s.owed, paid=s.paid)
        for s in settlement.shortfalls
    )


def _void(table: Round) -> RecordedVoid | None:
    if table.void is None:
        return None
    return RecordedVoid(reason=table.void, clauses=table.void_law, uncounted=not table.locked)


def _dealer(table: Round) -> RecordedHand:
    """Write the dealer's hand; a void round may have ended before it was dealt or set."""
    cards, setting = show(table.dealer_cards), show_setting(table.dealer_setting)
    if len(table.dealer_cards) != table.rules.game.hand_cards:
        return RecordedHand(cards=cards, setting=setting, rule="")
    _, decision = set_dealer(table.rules, table.dealer_cards)
    return RecordedHand(cards=cards, setting=setting, rule=decision.rule, clauses=decision.clauses)


def _source(sealed: SealedDeck | None) -> CardSource:
    if sealed is None:
        return CardSource(kind="typed")
    return CardSource(
        kind="virtual_deck",
        order=show(sealed.order),
        nonce=sealed.nonce.hex(),
        commitment=sealed.commitment,
    )


def _bank(table: Round) -> RecordedBank | None:
    if table.banker is None or table.action is None:
        return None
    return RecordedBank(person=table.banker.person, stake=table.banker.stake, action=table.action)


def _meter(meter: Meter | None) -> RecordedMeter | None:
    if meter is None:
        return None
    return RecordedMeter(value=Exact(meter.value), reserve=Exact(meter.reserve))


def _area(area: Area) -> RecordedArea:
    return RecordedArea(
        position=area.position,
        person=area.person,
        wagers=dict(area.bettor.wagers),
        cards=show(area.cards),
        setting=None if area.setting is None else show_setting(area.setting),
        status=area.status,
        void_law=area.void_law,
        behind=tuple(RecordedBettor(person=b.person, wagers=dict(b.wagers)) for b in area.behind),
    )


def _payment(payment: Payment) -> RecordedPayment:
    return RecordedPayment(
        position=payment.position,
        person=payment.person,
        wager=payment.wager,
        kind=str(payment.kind),
        amount=Exact(payment.units),
        source=str(payment.source),
        to=str(payment.to),
        reason=payment.reason,
        clauses=payment.clauses,
    )


def write_record(record: Record) -> str:
    """Return the record as text."""
    return tomli_w.dumps(_plain(record), multiline_strings=False)


def _plain(value: Any) -> Any:  # noqa: ANN401 - any field's type
    if isinstance(value, Submission):
        return value.document()
    if isinstance(value, Document):
        given = {name: getattr(value, name) for name in type(value).model_fields}
        return {
            n: _plain(item) for n, item in given.items() if item is not False and item not in (None, (), {})
        }
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    return _scalar(value)


def _scalar(value: Any) -> Any:  # noqa: ANN401 - any field's type
    if isinstance(value, Exact):
        return show_units(value)
    if isinstance(value, Cents):
        return dollars(value)
    return str(value) if isinstance(value, Status) else value


def read_record(path: Path) -> Record:
    """Read a record from a file."""
    return as_document(Record, read_toml(path), path.name)


def rebuild(record: Record) -> Round:
    """Make the round again from its record."""
    rules = rules_for(record.submission)
    if record.submission.game != record.game:
        raise DataError("the submission is for another game", value=record.submission.game, where=record.id)
    meter = None
    if record.meter_before is not None:
        meter = Meter(meter_terms(rules), record.meter_before.value, record.meter_before.reserve)
    return Round(
        rules=rules,
        dealer_cards=parse_cards(record.dealer.cards),
        dealer_setting=parse_setting(record.dealer.setting) if record.dealer.setting else (),
        areas=tuple(_rebuilt(area) for area in record.area),
        meter=meter,
        banker=Banker(record.bank.person, record.bank.stake) if record.bank else None,
        action=record.bank.action if record.bank else None,
        void=record.void.reason if record.void else None,
        void_law=record.void.clauses if record.void else (),
        locked=not (record.void and record.void.uncounted),
    )


def _rebuilt(area: RecordedArea) -> Area:
    return Area(
        position=area.position,
        bettor=Bettor(area.person, area.wagers),
        cards=parse_cards(area.cards),
        setting=None if area.setting is None else parse_setting(area.setting),
        status=area.status,
        void_law=area.void_law,
        behind=tuple(Bettor(b.person, b.wagers, backline=True) for b in area.behind),
    )


def settle_record(record: Record) -> Record:
    """Settle a recorded round anew: payments and the meter afterwards are written over."""
    table = rebuild(record)
    settlement = settle(table)
    return record.model_copy(
        update={
            "meter_after": _meter(settlement.meter),
            "payment": tuple(_payment(payment) for payment in all_payments(table, settlement)),
            "shortfall": _shortfalls(settlement),
        }
    )


def accounts(payment: RecordedPayment) -> tuple[Account, Account]:
    """Return the accounts of a recorded payment."""
    return Account.parse(payment.source), Account.parse(payment.to)
