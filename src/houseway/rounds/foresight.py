"""The consequences of an action before it is taken: what is paid, and what an irregularity costs.

Only steps are foretold that leave nothing to chance and turn no card over. They are tried as if the cards
were real: no card is drawn, no seal is opened, and nothing follows by itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NoReturn

from msgspec import Struct

from houseway.errors import IllegalError
from houseway.games import Rules
from houseway.rounds.chance import Moment
from houseway.rounds.deciding import decide
from houseway.rounds.options import Reason, label_of
from houseway.rounds.outcomes import Moves
from houseway.rounds.state import Table, changed
from houseway.rounds.step import AnEvent, Clauses, Command, Proposal
from houseway.rounds.steps import STEPS
from houseway.rounds.steps.ruling import RoundVoided
from houseway.rounds.wording import details_of, told_of
from houseway.settlement import Payment


class Foretold(Struct, frozen=True, omit_defaults=True):
    """Something that would be done: the step itself, or what follows from it by law."""

    step: str
    label: str
    position: int | None = None
    says: Mapping[str, str] = {}
    payments: tuple[Payment, ...] = ()
    clauses: Clauses = ()
    warnings: tuple[Reason, ...] = ()


def foresee(rules: Rules, table: Table, proposal: Proposal, moment: Moment) -> tuple[Foretold, ...]:
    """Return what would come of an action, or refuse it as it would be refused."""
    if not STEPS[proposal.step].foretold:
        raise IllegalError("what comes of this step is not told beforehand", value=proposal.step)
    face_down = changed(table.with_round(commitment=None, drawn=()), automated=frozenset())
    without_chance = Moment(moment.now, _NoChance(), _NoChance(), moment.meters)
    command = Command(proposal.by, proposal.action, id="foretold")
    return tuple(
        _foretell(event, rules.game.id) for event in decide(rules, face_down, command, without_chance)
    )


def _foretell(event: AnEvent, game: str) -> Foretold:
    says, outcome = {**details_of(event.action), **told_of(event.outcome)}, event.outcome
    if isinstance(outcome, RoundVoided):
        says = {"why": outcome.why.reason}
    return Foretold(
        step=event.step,
        label=label_of(event.step, game),
        position=event.position,
        says=says,
        payments=outcome.payments if isinstance(outcome, Moves) else (),
        clauses=event.clauses,
        warnings=tuple(Reason(alert.reason, alert.clauses) for alert in event.alerts),
    )


class _NoChance:
    """Chance and cards that give nothing away beforehand."""

    def dice(self, count: int) -> NoReturn:
        """Roll no dice."""
        raise _refuse_chance(str(count))

    def number(self, most: int) -> NoReturn:
        """Draw no number."""
        raise _refuse_chance(str(most))

    def shuffle(self, cards: object) -> NoReturn:
        """Shuffle nothing."""
        raise _refuse_chance(str(cards))

    def draw(self, commitment: str, at: int, count: int) -> NoReturn:
        """Draw no card."""
        raise _refuse_chance(f"{commitment} {at} {count}")

    def open(self, commitment: str) -> NoReturn:
        """Open no seal."""
        raise _refuse_chance(commitment)


def _refuse_chance(value: str) -> IllegalError:
    return IllegalError("what chance gives is not told beforehand", value=value)
