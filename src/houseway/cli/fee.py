"""``houseway fee``: what a California collection schedule charges."""

from __future__ import annotations

from typing import Annotated

import typer

from houseway.cli.output import AsJson, console, emit
from houseway.games.collection import FeeBasis, NoRateError, schedule
from houseway.money import cents, dollars


def fee_command(
    number: Annotated[int, typer.Argument(metavar="SCHEDULE", help="1 to 43.")],
    amount: Annotated[str, typer.Argument(metavar="AMOUNT", help="Whole dollars, such as 250 or $1,000.")],
    as_json: AsJson = False,
) -> None:
    """Look up an amount in a fee schedule: as total table action, and as a player's wager."""
    fee_schedule, total = schedule(number), cents(amount)
    rates: dict[str, str] = {}
    refusal: NoRateError | None = None
    for basis in FeeBasis:
        if not fee_schedule.bands_of(basis):
            continue
        try:
            rates[basis] = dollars(fee_schedule.rate(basis, total))
        except NoRateError as error:
            refusal = error
    if not rates and refusal is not None:
        raise refusal
    if as_json:
        emit({"schedule": number, "amount": dollars(total), "fees": rates, "clause": fee_schedule.clause})
        return
    limit = f"{dollars(fee_schedule.table_min)} to {dollars(fee_schedule.table_max)}"
    console().print(
        f"Schedule {number}, table limit {limit}, {dollars(total)} [{fee_schedule.clause}]", markup=False
    )
    for basis in FeeBasis:
        if fee_schedule.bands_of(basis):
            console().print(f"  {basis.replace('_', ' ')}: {rates.get(basis, 'no posted rate, refused')}")
    if fee_schedule.group.under_review:
        console().print("  players pay nothing; zero-collection games are under Bureau review")
