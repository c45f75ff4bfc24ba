"""Settle one player's hand: what is paid, to whom, and by which clauses."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from houseway.errors import InvalidInputError
from houseway.games import Rules, verify_wagers
from houseway.law import refuse
from houseway.ledger import show_units, units
from houseway.library.inputs import GivenMoney, read_money, read_wagers
from houseway.library.values import SettledHand
from houseway.meters import Meter
from houseway.money import Cents
from houseway.ranking import Setting
from houseway.settlement import Area, Banker, Bettor, Showdown, all_payments, meter_terms, settle
from houseway.settlement.model import PROGRESSIVE
from houseway.showing import Rows

PLAYER: Final = "player"
BANKER: Final = "player-dealer"
POSITION: Final = 2
"""The first position after the dealer's."""


def settle_hand(
    rules: Rules,
    player: Setting,
    dealer: Setting,
    wagers: object,
    *,
    meter: GivenMoney | None,
    bank: GivenMoney | None,
) -> SettledHand:
    """Settle the wagers on one hand; unlawful wagers are refused with every reason."""
    placed = read_wagers(wagers)
    refuse("the wagers", verify_wagers(rules, placed))
    mine, theirs = (tuple(card for part in setting for card in part) for setting in (player, dealer))
    showdown = Showdown(
        rules,
        theirs,
        dealer,
        (Area(POSITION, Bettor(PLAYER, placed), mine, player),),
        meter=_meter(rules, placed, meter),
        banker=_banker(rules, bank),
        action=POSITION if rules.banked else None,
    )
    settlement = settle(showdown)
    payments = all_payments(showdown, settlement)
    net = replace(settlement, payments=payments).net(PLAYER) - units(sum(placed.values()))
    rows = [
        {
            "wager": payment.wager,
            "what": str(payment.kind),
            "amount": show_units(payment.units),
            "why": payment.reason,
            "clauses": ", ".join(payment.clauses),
        }
        for payment in payments
    ]
    return SettledHand(f"+{show_units(net)}" if net > 0 else show_units(net), Rows(rows), settlement)


def _meter(rules: Rules, placed: dict[str, Cents], given: GivenMoney | None) -> Meter | None:
    if PROGRESSIVE not in placed:
        return None
    terms = meter_terms(rules)
    return Meter(terms, units(terms.seed if given is None else read_money(given)))


def _banker(rules: Rules, given: GivenMoney | None) -> Banker | None:
    if not rules.banked:
        return None
    if given is None:
        raise InvalidInputError("a player banks this game: say what the bank puts up", value="bank")
    return Banker(BANKER, read_money(given))
