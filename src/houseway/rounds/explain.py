"""Why each amount moved, in plain language, for a player or a regulator."""

from __future__ import annotations

from collections.abc import Iterator

from houseway.cards import parse_setting
from houseway.law import cite
from houseway.ledger import show_units
from houseway.money import dollars
from houseway.ranking import describe, ranking
from houseway.rounds.record import Record, RecordedArea, RecordedPayment, rebuild

_DID = {
    "collect": "was taken",
    "return": "came back",
    "pay": "was paid",
    "envy": "was paid as an Envy Bonus",
    "contribution": "went into the progressive",
    "seed": "was put into the meter by the house",
    "fee": "was taken before the deal",
    "reversal": "was taken out of the progressive again",
}


def explain(record: Record, position: int | None = None) -> Iterator[str]:
    """Yield the story of a round, or of one position, line by line, with the law behind each amount."""
    table = rebuild(record)
    game = table.rules.game
    yield f"{game.name}, round {record.id}, law as of {record.law_as_of}."
    if record.void:
        yield f"The round was void: {record.void.reason}. {_law(record.void.clauses)}"
    if record.dealer.setting:
        yield f"The dealer held {record.dealer.cards} and set {record.dealer.setting} ({record.dealer.rule})."
    for area in record.area:
        if position in (None, area.position):
            yield ""
            yield from _explain_area(record, area, game.ranking)
    if position is None:
        yield from _explain_rest(record)


def _explain_area(record: Record, area: RecordedArea, ranking_id: str) -> Iterator[str]:
    yield f"Position {area.position}, {area.person}, {area.status}: {area.cards}."
    if area.setting and record.dealer.setting:
        order = ranking(ranking_id)
        mine, theirs = parse_setting(area.setting), parse_setting(record.dealer.setting)
        sizes_fit = tuple(map(len, mine)) == order.split
        for name, a, b in zip(order.part_names, mine, theirs, strict=False) if sizes_fit else ():
            yield f"  {name}: {describe(order.rank(name, a))}, against {describe(order.rank(name, b))}"
    for payment in record.payment:
        if payment.position == area.position:
            yield f"  {_sentence(payment)}"
    for short in record.shortfall:
        if short.position == area.position:
            owed, paid = dollars(short.owed), dollars(short.paid)
            yield f"  {short.wager.replace('_', ' ')}: {owed} was won and the bank could pay {paid} of it."


def _explain_rest(record: Record) -> Iterator[str]:
    for payment in record.payment:
        if payment.position == 0:
            yield f"{_sentence(payment)}"
    if record.meter_before and record.meter_after:
        before, after = show_units(record.meter_before.value), show_units(record.meter_after.value)
        yield f"The meter stood at {before} before the round and at {after} after it."


def _sentence(payment: RecordedPayment) -> str:
    said = f"{payment.wager.replace('_', ' ')}: {show_units(payment.amount)} {_DID[payment.kind]}"
    return f"{said}: {payment.reason}. {_law(payment.clauses)}".rstrip()


def _law(clauses: tuple[str, ...]) -> str:
    if not clauses:
        return ""
    return "(" + "; ".join(dict.fromkeys(cite(clause).cite for clause in clauses)) + ")"
