"""Cards as people may see them."""

from __future__ import annotations

from houseway.cards import Cards
from houseway.games import Rules
from houseway.law.claims import rest_on
from houseway.law.problems import refuse
from houseway.rounds.actions import Looked, Position, See
from houseway.rounds.chance import Moment
from houseway.rounds.deciding import verify
from houseway.rounds.state import Table
from houseway.rounds.step import Actor, Proposal, law_of


def see(
    rules: Rules,
    table: Table,
    viewer: Actor,
    position: Position | None,
    moment: Moment,
    *,
    what: Looked = Looked.HAND,
) -> Cards:
    """Return the cards at a position as a person may see them, or refuse with the clause that hides them."""
    proposal = Proposal(viewer, See(position, what))
    refuse(proposal.step, verify(rules, table, proposal, moment))
    if position == table.dealer_at:
        rest_on(*law_of(rules, proposal.step, "dealer_open"))
        return table.play.dealer_cards
    return table.play.hands[position or 0].cards
