"""Who is paid what, and why: main wager, side wagers, envy, progressive, and the player-dealer's bank."""

from houseway.settlement.bank import collection_fees
from houseway.settlement.model import (
    Area,
    Banker,
    Bettor,
    Kind,
    Payment,
    Round,
    Settlement,
    Shortfall,
    Status,
)
from houseway.settlement.settle import meter_terms, post, settle

__all__ = [
    "Area",
    "Banker",
    "Bettor",
    "Kind",
    "Payment",
    "Round",
    "Settlement",
    "Shortfall",
    "Status",
    "collection_fees",
    "meter_terms",
    "post",
    "settle",
]
