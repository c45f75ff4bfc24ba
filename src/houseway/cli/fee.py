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
    """Look an amount up in a schedule: as total table action, and as a player's wager."""
    found, asked = schedule(number), cents(amount)
    rates: dict[str, str] = {}
    refusal: NoRateError | None = None
    for basis in FeeBasis:
        if not found.bands_of(basis):
            continue
        try:
            rates[basis] = dollars(found.rate(basis, asked))
        except NoRateError as error:
            refusal = error
    if not rates and refusal is not None:
        raise refusal
    if as_json:
        emit({"schedule": number, "amount": dollars(asked), "fees": rates, "clause": found.clause})
        return
    limit = f"{dollars(found.table_min)} to {dollars(found.table_max)}"
    console().print(
        f"Schedule {number}, table limit {limit}, {dollars(asked)} [{found.clause}]", markup=False
    )
    for basis in FeeBasis:
        if found.bands_of(basis):
            console().print(f"  {basis.replace('_', ' ')}: {rates.get(basis, 'no posted rate, refused')}")
    if found.group.under_review:
        console().print("  players pay nothing; zero-collection games are under Bureau review")
