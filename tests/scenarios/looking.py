"""Where the sentences of *then* look: the round, its events and its payments, as they are now."""

from __future__ import annotations

from collections.abc import Iterable

from houseway.cards import Cards
from houseway.ledger import AccountKind, show_units, units
from houseway.money import Cents
from houseway.rounds.state import Hand, Round
from houseway.rounds.step import AnEvent
from houseway.settlement import Payment, PaymentKind
from tests.scenarios.doing import Story

BESIDE_THE_WAGERS = ("bank", "collection")
"""What else moves at a table that a player banks: his own wager, and the fees."""


def cited(wanted: Iterable[str], actual: Iterable[str]) -> None:
    """Every clause that is named must be among those that were cited."""
    missing = sorted(set(wanted) - set(actual))
    assert not missing, f"not by {', '.join(missing)}, but by {', '.join(actual) or 'no clause'}"


def last_play(story: Story) -> Round:
    """Return the round in progress, or the one that has just ended."""
    table = story.state.state
    return table.round if table.round.hands or table.last is None else table.last


def hand_at(story: Story, at: int) -> Hand:
    """Return a hand of the round."""
    return last_play(story).hands[at]


def last_event(story: Story, step: str, at: int | None = None) -> AnEvent:
    """Return the last event of a step, at a position if one is given."""
    events = [e for e in story.table.log if e.step == step and (at is None or e.position == at)]
    assert events, "there is no such event"
    return events[-1]


def deck_before(story: Story) -> Cards:
    """Return the deck as it was dealt from before the *when*, without what was found face up by then."""
    this_round, vault = story.before.round, story.table.live.vault
    assert this_round.commitment is not None, "no order of the deck is known"
    gone = this_round.dealt + this_round.boxed
    left = len(vault.open(this_round.commitment).order) - gone
    return (*this_round.drawn, *vault.draw(this_round.commitment, this_round.cut_at + gone, left))


def payments(story: Story) -> tuple[Payment, ...]:
    """Return every payment of the round in progress, or of the one that has just ended."""
    return last_play(story).payments


def amounts(wanted: Cents, actual: int) -> None:
    """The amount must be the one that is named."""
    assert units(wanted) == actual, f"it is {show_units(actual)}"


def who_pays(story: Story) -> AccountKind:
    """Return what wins and pays at this table: the house's inventory, or the bank of a player."""
    return AccountKind.BANK if story.state.banked else AccountKind.INVENTORY


def net(
    story: Story,
    person: str,
    kind: PaymentKind,
    source: AccountKind,
    to: AccountKind,
    wager: str | None = None,
) -> int:
    """Return what moved for a person's wagers, or for one of them, less what was undone."""
    mine = [p for p in payments(story) if p.person == person and p.wager not in BESIDE_THE_WAGERS]
    mine = [payment for payment in mine if wager in (None, payment.wager)]
    undone = [
        p for p in mine if p.kind is PaymentKind.REVERSAL and (p.source.kind, p.to.kind) == (to, source)
    ]
    return sum(p.units for p in mine if p.kind is kind) - sum(p.units for p in undone)
