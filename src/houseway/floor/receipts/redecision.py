"""What a receipt's player was paid, decided again from the hands that are shown and the rules named."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import Struct

from houseway.errors import HousewayError
from houseway.floor.receipts.model import Receipt
from houseway.floor.receipts.shown_events import SeenEvent, setting_in
from houseway.games import Rules, Submission, rules_for
from houseway.ledger import units
from houseway.money import Cents
from houseway.ranking import Race, Setting, tell_race
from houseway.rounds.codec import from_plain
from houseway.rounds.options import label_of
from houseway.rounds.roles import Role
from houseway.rounds.steps import STEPS
from houseway.rounds.steps.payments import pay_wager
from houseway.settlement import Area, Bettor, Payment, Showdown
from houseway.settlement.model import PROGRESSIVE


class NotPaidSoError(HousewayError):
    """A wager is paid otherwise than the hands and the rules decide."""


class Findings(Struct, frozen=True):
    """What was decided again, and what was not, in words."""

    decided: tuple[str, ...] = ()
    not_decided: tuple[str, ...] = ()


def decide_again(receipt: Receipt, events: Sequence[SeenEvent]) -> Findings:
    """Settle the wagers of the receipt's player again, as far as what is shown decides them."""
    viewer = receipt.viewer
    if viewer.role is not Role.PLAYER:
        return Findings((), ("Who was paid what: a player's receipt decides it for their own wagers.",))
    rules = rules_of(receipt)
    settled = [event for event in events if event.kind == "settled" and _own(event, viewer.id)]
    if any(event.kind == "round_voided" for event in events):
        return Findings((), ("What was paid back: the round was void.",))
    decided, left = list[str](), list[str]()
    unpaid = _why_not_paid(rules)
    left += [f"What was paid: {unpaid}."] if unpaid else []
    for event in settled:
        try:
            decided += _settle_again(rules, viewer.id, events, event, paid=not unpaid)
        except _NotShownError as error:
            left.append(str(error))
    ended = {(event.position, wager) for event in settled for wager in event.outcome.get("wagers", ())}
    for at in {event.position for event in events if event.position is not None}:
        open_still = sorted(w for w in _wagers(events, at, viewer.id) if (at, w) not in ended)
        if open_still:
            left.append(f"How {', '.join(open_still)} at position {at} ended: it was not settled as usual.")
    if not settled:
        left.append("What was paid: no wager of this player was settled in the usual way.")
    if any(PROGRESSIVE in event.outcome.get("wagers", ()) for event in settled):
        left.append("What a progressive wager won: it depends on a meter that other tables share.")
    return Findings(tuple(dict.fromkeys(decided)), tuple(dict.fromkeys(left)))


def rules_of(receipt: Receipt) -> Rules:
    """Return the rules that a receipt names."""
    rules = rules_for(from_plain(Submission, receipt.rules, "rules"))
    if rules.game.id != receipt.game:
        raise NotPaidSoError("the rules are of another game", value=rules.game.id)
    return rules


def _why_not_paid(rules: Rules) -> str:
    """Return why the payments depend on more than the hands, if they do."""
    if rules.banked:
        return "the bank pays others first, whose hands are not here"
    if rules.submission.payout_limit is not None:
        return "a payout limit counts all that the hand was paid"
    return ""


class _NotShownError(HousewayError):
    """What something depends on is not shown."""


def _own(event: SeenEvent, person: str) -> bool:
    return any(payment.get("person") == person for payment in event.items_of("payments"))


def _settle_again(
    rules: Rules, person: str, events: Sequence[SeenEvent], event: SeenEvent, *, paid: bool
) -> Iterator[str]:
    """Yield how each wager ends that an event settles, or refuse what was paid otherwise."""
    at = event.position
    if at is None:
        raise NotPaidSoError("a wager was settled without a hand")
    before = [
        earlier
        for earlier in events
        if earlier.seq is not None and event.seq is not None and earlier.seq < event.seq
    ]
    wagers, mine, theirs = _wagers(before, at, person), _set(events, at), _dealers(before)
    odd = next(
        (earlier.step for earlier in before if earlier.position in (at, None) and earlier.step in _IRREGULAR),
        "",
    )
    if mine is None or theirs is None or odd:
        why = f"after the step “{label_of(odd)}”" if odd else "a hand that it depends on is not shown"
        raise _NotShownError(f"What position {at} was paid: {why}.")
    cards = tuple(card for part in mine for card in part)
    dealer_cards = tuple(card for part in theirs for card in part)
    area = Area(at, Bettor(person, wagers), cards, mine)
    showdown = Showdown(rules, dealer_cards, theirs, (area,))
    shown = [from_plain(Payment, payment, "payment") for payment in event.items_of("payments") if paid]
    races = [
        item.outcome["race"] for item in (*before, event) if item.position == at and item.outcome.get("race")
    ]
    recorded = from_plain(Race, races[-1], "race") if races else None
    race: Race | None = showdown.raced_by(mine)
    for wager in event.outcome.get("wagers", ()):
        if wager == PROGRESSIVE or not paid:
            continue
        payments, race = pay_wager(showdown, area, wager, race, [])
        was = [payment for payment in shown if payment.wager == wager]
        if payments != was:
            cause = f"the {wager} wager at position {at} is paid otherwise than the hands decide"
            raise NotPaidSoError(
                cause, clauses=tuple(clause for payment in payments for clause in payment.clauses)
            )
        yield from (f"decided again: position {payment}" for payment in payments)
    if recorded is None or race is None:
        return
    ends = f"{race.result} ({tell_race(rules.ranking(), race)})"
    if race != recorded:
        raise NotPaidSoError(f"the hand at position {at} ends otherwise: {ends}", clauses=race.clauses)
    law = f" [{', '.join(race.clauses)}]" if race.clauses else ""
    yield f"decided again: position {at} ends: {ends}{law}"


_IRREGULAR = frozenset({"surrender", *(name for name, step in STEPS.items() if step.exceptional)})
"""Steps after which a hand may be settled by more than its cards."""


def _wagers(events: Sequence[SeenEvent], at: int, person: str) -> dict[str, Cents]:
    """Return a person's wagers on a hand, by the stakes that moved."""
    on = dict[str, int]()
    for event in events:
        for stake in event.items_of("stakes"):
            if stake.get("person") == person and stake.get("position") == at and _on_hand(stake):
                sign = 1 if _is_pending(stake.get("to")) else -1
                on[stake["wager"]] = on.get(stake["wager"], 0) + sign * int(stake["units"])
    cent = units(Cents(1))
    return {wager: Cents(amount // cent) for wager, amount in on.items() if amount}


def _on_hand(stake: Any) -> bool:  # noqa: ANN401 - plain data
    """Whether a stake is a wager on a hand, and not what a player banks with."""
    return _is_pending(stake.get("to")) or _is_pending(stake.get("source"))


def _is_pending(account: Any) -> bool:  # noqa: ANN401 - plain data
    return isinstance(account, dict) and account.get("kind") == "pending"


def _set(events: Sequence[SeenEvent], at: int) -> Setting | None:
    """Return how a hand was set, as it went into the rack, where that is shown."""
    for event in events:
        for racked in event.items_of("racked"):
            if racked.get("position") == at and racked.get("what") == "hand":
                return setting_in(racked.get("setting"))
    return None


def _dealers(events: Sequence[SeenEvent]) -> Setting | None:
    settings = [
        event.outcome.get("setting") for event in events if event.kind in ("dealer_set", "dealer_reset")
    ]
    return setting_in(settings[-1]) if settings else None
