"""A game that players bank: the bank offered clockwise, and put up."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Final

from houseway.games import Rules
from houseway.money import Cents, cents
from houseway.rounds.action import AtPosition
from houseway.rounds.annotations import Ask
from houseway.rounds.asks import FieldRule
from houseway.rounds.outcomes import Outcome, Restaked
from houseway.rounds.roles import Role
from houseway.rounds.stage import Stage
from houseway.rounds.state import NO_MONEY, Banking, Phase, Table, changed
from houseway.rounds.step import AnyStep, Event, Guard, Proposal, Situation, Step, Words
from houseway.rounds.steps.common import (
    NOT_HOUSE,
    all_declining_stops_play,
    always,
    banked_enough,
    dealer_of,
    moot,
    not_the_house,
    offers_over,
    player_at,
    seats_at,
    sense,
)
from houseway.rounds.steps.money import banker_of, move_bank
from houseway.rounds.steps.wagers import CEASED, not_ceased
from houseway.settlement import Banker


class OfferBank(AtPosition, frozen=True, tag="offer_bank"):
    """The bank is offered to a player."""


class AcceptBank(AtPosition, frozen=True, tag="accept_bank"):
    """A player takes the bank."""


class DeclineBank(AtPosition, frozen=True, tag="decline_bank"):
    """A player does not want the bank."""


class PutUp(AtPosition, frozen=True, tag="put_up"):
    """The player-dealer puts up the bank."""

    stake: Annotated[Cents, Ask("Bank")]


class BankDeclined(Outcome, frozen=True, tag="bank_declined"):
    """What follows for the bank when all have declined it."""

    play_stops: bool = False


USUAL_STAKE: Final = cents("$200")


# --- the bank -----------------------------------------------------------------------------------------


def clockwise(rules: Rules, table: Table) -> list[int]:
    """Return the occupied seats clockwise from the one after the player-dealer's, whose own comes last.

    They go on from where the bank was when its player got up, and from the first player asked where no one
    has banked yet.
    """
    banking, seats = table.banking, seats_at(rules)
    start = banking.seat or banking.was_at or (banking.declined[0] - 1 if banking.declined else seats)
    return sorted(table.seats, key=lambda seat: (seat - start - 1) % seats)


def next_offer(rules: Rules, table: Table) -> int | None:
    """Return the seat to which the bank is offered next; after two rounds to no one's who had them."""
    banking = table.banking
    seats_asked = (banking.seat, *banking.declined)
    over = banking.person if banked_enough(rules, table) else None
    around = clockwise(rules, table)
    return next((at for at in around if at not in seats_asked and table.seats[at].person != over), None)


def _in_turn(s: Situation, action: OfferBank) -> bool:
    """Whom the bank is offered to first is free; from there on it goes clockwise."""
    banking = s.table.banking
    if not (banking.seat or banking.was_at or banking.declined):
        return True
    return action.position == next_offer(s.rules, s.table)


def _offered_here(s: Situation, action: AtPosition) -> bool:
    return s.table.banking.offering == action.position


def _own(s: Situation, action: AtPosition) -> bool:
    seat = s.table.seats.get(action.position)
    return seat is not None and seat.person == s.by.id


def _no_own_wagers(s: Situation, action: AcceptBank) -> bool:
    """No one banks against a wager of their own: at this seat, at another, or behind one."""
    person = s.by.id
    return action.position not in s.round.hands and not any(
        hand.person == person or any(bettor.person == person for bettor in hand.behind)
        for hand in s.round.hands.values()
    )


def _another_player(s: Situation, _: AcceptBank) -> bool:
    """After two rounds the bank goes on to another person, not to another seat of the same player."""
    return s.table.banking.person != s.by.id or not banked_enough(s.rules, s.table)


def _offer(table: Table, event: Event[OfferBank, None]) -> Table:
    return changed(table, banking=changed(table.banking, offering=event.action.position))


def _decide_acceptance(s: Situation, action: AcceptBank) -> Restaked:
    at = s.round.bank_seat or action.position
    return Restaked(move_bank(banker_of(s.table), None, at))


def _accept(table: Table, event: Event[AcceptBank, Restaked]) -> Table:
    at, last = event.action.position, table.banking
    person = table.seats[at].person
    rounds = last.rounds if last.person == person else 0
    table = changed(table, banking=Banking(at, person, rounds, was_at=at))
    return table.with_round(bank_seat=at, stake=NO_MONEY)


def _decline(table: Table, event: Event[DeclineBank, BankDeclined]) -> Table:
    """When everyone else has declined, the same player may bank again (reading ca:C20)."""
    declined = (*table.banking.declined, event.action.position)
    table = changed(table, banking=changed(table.banking, offering=None, declined=declined))
    return offers_over(table, play_stops=event.outcome.play_stops)


def _is_banker(s: Situation, action: PutUp) -> bool:
    return action.position == s.table.banking.seat and _own(s, action)


def _decide_stake(s: Situation, action: PutUp) -> Restaked:
    after = Banker(s.table.seats[action.position].person, action.stake)
    return Restaked(move_bank(banker_of(s.table), after, action.position))


def _put_up(table: Table, event: Event[PutUp, Restaked]) -> Table:
    return table.with_round(stake=event.action.stake, bank_seat=event.action.position)


# --- what is due --------------------------------------------------------------------------------------


def _suggest_offer(rules: Rules, table: Table) -> Iterable[Proposal]:
    banking = table.banking
    wanted = banking.seat is None or banking.seat not in table.seats or banked_enough(rules, table)
    if not wanted or banking.offering is not None:
        return
    at = next_offer(rules, table)
    if at is not None:
        yield Proposal(dealer_of(table), OfferBank(at))


def _suggest_accept(_: Rules, table: Table) -> Iterable[Proposal]:
    at = table.banking.offering
    if at is not None:
        yield Proposal(player_at(table, at), AcceptBank(at))


def _suggest_stake(_: Rules, table: Table) -> Iterable[Proposal]:
    at = table.banking.seat
    if at is not None and at in table.seats and not table.round.stake:
        yield Proposal(player_at(table, at), PutUp(at, USUAL_STAKE))


OFFERED: Final = (
    moot("the bank is not offered there", _offered_here),
    sense("is for the player there", _own),
)


STEPS: Final[tuple[AnyStep, ...]] = (
    Step(
        action=OfferBank,
        stage=Stage.BANK,
        by=(Role.DEALER,),
        phases=(Phase.BETTING,),
        words=Words(
            "Offer the bank",
            done="Offered",
            says="Would you like the bank?",
            follows="The player who has the offer accepts the bank or declines it.",
        ),
        guards=(
            moot("nobody sits there", lambda s, action: action.position in s.table.seats),
            always("clockwise", "the bank is offered clockwise from the player-dealer", _in_turn),
            sense("another offer is open", lambda s, _: s.table.banking.offering is None),
        ),
        evolve=_offer,
        suggest=_suggest_offer,
    ),
    Step(
        action=AcceptBank,
        stage=Stage.BANK,
        by=(Role.PLAYER,),
        phases=(Phase.BETTING,),
        words=Words(
            "Accept the bank",
            follows="The player is the player-dealer and has to put up the bank.",
        ),
        guards=(
            *OFFERED,
            always("not_house", NOT_HOUSE, not_the_house),
            sense("the same player has banked two rounds", _another_player),
            sense("take the wagers back first", _no_own_wagers),
        ),
        outcome=_decide_acceptance,
        evolve=_accept,
        suggest=_suggest_accept,
        declined=lambda action: DeclineBank(action.position),
        brings=lambda _, by, __: by.id,
    ),
    Step(
        action=DeclineBank,
        stage=Stage.BANK,
        by=(Role.PLAYER,),
        phases=(Phase.BETTING,),
        words=Words(
            "Decline the bank",
            follows=(
                "The bank goes on to the next player, or the offers are over when everybody has declined."
            ),
        ),
        guards=OFFERED,
        outcome=lambda s, _: BankDeclined(all_declining_stops_play(s.rules)),
        evolve=_decline,
    ),
    Step(
        action=PutUp,
        stage=Stage.BANK,
        by=(Role.PLAYER,),
        phases=(Phase.BETTING,),
        words=Words(
            "Put up the bank",
            follows="The bank holds the amount put up and plays against the wagers as far as it reaches.",
        ),
        guards=(
            always("banker", "only the player-dealer puts up the bank", _is_banker),
            Guard("ceased", CEASED, not_ceased),
            always(
                "stake", "the player-dealer's wager is needed", lambda _, action: action.stake > 0, "stake"
            ),
        ),
        outcome=_decide_stake,
        evolve=_put_up,
        suggest=_suggest_stake,
        brings=lambda _, by, __: by.id,
        asks=lambda *_: {"stake": FieldRule(least=1, needed=True)},
    ),
)
