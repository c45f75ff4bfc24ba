"""Settle a round, banked by the house or a player, and write it into the ledger."""

from __future__ import annotations

from fractions import Fraction

from houseway.errors import IllegalError
from houseway.games import Rules
from houseway.law.citations import UNCITED, join_cites
from houseway.meters import MeterTerms
from houseway.money import Cents
from houseway.settlement.bank import settle_bank
from houseway.settlement.fees import refunds, take_fees
from houseway.settlement.house import settle_house
from houseway.settlement.model import Payment, Settlement, Showdown


def settle(table: Showdown) -> Settlement:
    """Return every payment of a round."""
    if table.rules.game.banked_by == "player_dealer":
        return settle_bank(table)
    return settle_house(table)


def all_payments(table: Showdown, settlement: Settlement) -> tuple[Payment, ...]:
    """Return every payment of a round: fees before the deal, the settlement, fees given back.

    A fee is taken before any card; a void round gives it back only where reading ca:C23 is taken so.
    """
    fees = take_fees(table) if table.locked else ()
    return (*fees, *settlement.payments, *refunds(table, fees, settlement.payments))


def meter_terms(rules: Rules, name: str = "progressive") -> MeterTerms:
    """Return how a table's meter is kept: the law's terms, the submission's figures, the readings."""
    law, chosen = rules.game.meter, rules.submission.progressive
    if law is None or chosen is None:
        raise IllegalError("no progressive is offered", value=rules.game.id)
    amount = chosen.amount or Cents(100)
    seed = Cents(law.seed_for_one.get() * amount) if law.seed_for_one else chosen.reset or chosen.initial
    rate = law.contribution.get() if law.contribution else chosen.contribution
    readings = rules.readings
    rounding = readings.get(law.rounding_option or "", "down")
    return MeterTerms(
        name=name,
        seed=seed or Cents(0),
        contribution=rate or Fraction(0),
        reserve=chosen.reserve or Fraction(0),
        limit=chosen.limit,
        rounding="half_up" if rounding == "half_up" else "down",
        reseeds="below_seed"
        if readings.get(law.reseed_option or "") == "reseed_below_seed"
        else "on_whole_award",
        on_top=readings.get(law.since_award_option or "") == "on_top_of_the_seed",
        keeps_seed=readings.get("wa_meter_adjusted_down") == "not_below_the_seed",
        rate_clauses=law.contribution.clauses if law.contribution else UNCITED,
        share_clauses=law.share,
        rounding_clauses=law.rounding,
        reseed_clauses=law.reseed,
        reserve_clauses=law.reserve_added,
        seed_clauses=join_cites(law.seed_cost, law.seed_for_one.clauses if law.seed_for_one else UNCITED),
    )
