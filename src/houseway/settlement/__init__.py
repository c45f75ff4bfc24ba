"""Who is paid what, and why: main wager, side wagers, envy, progressive, and the player-dealer's bank."""

from houseway.settlement.fees import refunds, take_fees
from houseway.settlement.model import (
    Area,
    Banker,
    Bettor,
    Payment,
    PaymentKind,
    Settlement,
    Shortfall,
    Showdown,
    Status,
)
from houseway.settlement.settle import all_payments, meter_terms, settle

__all__ = [
    "Area",
    "Banker",
    "Bettor",
    "Payment",
    "PaymentKind",
    "Settlement",
    "Shortfall",
    "Showdown",
    "Status",
    "all_payments",
    "meter_terms",
    "refunds",
    "settle",
    "take_fees",
]
