"""The decision of a command at a table of the floor: when it comes in, and again in a verification.

The law of the game says what may be done in a round. The floor adds what it has: approved programs and rules,
links to meters, chips that people have in front of them, and who is not to play.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from msgspec.structs import replace

from houseway.chips import ChipCommand, ChipConfig, award_reports, chips_of, covers, decide_chips, stakes_of
from houseway.chips.actions import ChipTurn
from houseway.chips.reports import ReportDue
from houseway.floor.exclusion_rule import BarCheck, bar_no_one, exclusion_problems
from houseway.floor.house import House, this_program
from houseway.floor.running_table import RunningTable
from houseway.floor.setup_events import Program
from houseway.floor.table_events import TableEntry
from houseway.law.problems import Problem, refuse
from houseway.money import dollars
from houseway.rounds.action import Action
from houseway.rounds.chance import Moment, noting
from houseway.rounds.choices import Device
from houseway.rounds.deciding import act
from houseway.rounds.record import make_turn
from houseway.rounds.state import CardOrigin, Table
from houseway.rounds.step import AnEvent, Command
from houseway.rounds.steps.adoption import ChangeDealing, RulesAdopted
from houseway.rounds.steps.opening import OpenTable
from houseway.settlement.model import PROGRESSIVE


@dataclass(frozen=True)
class Surroundings:
    """What a decision at a table depends on besides the table, chance and meters."""

    now: datetime
    house: House
    chips: ChipConfig
    barred: BarCheck = bar_no_one
    program: Program | None = None
    """The program that decides, where it is not the one that runs here."""


@dataclass(frozen=True)
class TurnDecision:
    """The decision of a command: the turn as it is stored, its events, and the reports that it makes due."""

    turn: TableEntry
    table: Table
    """The table after the turn."""
    events: tuple[AnEvent, ...] = ()
    reports: tuple[ReportDue, ...] = ()


def decide_turn(
    running: RunningTable, command: Command | ChipCommand, around: Surroundings, moment: Moment
) -> TurnDecision:
    """Return the decision of a command at a table, or refuse it for every reason."""
    refuse(command.action.step, exclusion_problems(running.table, command, around.barred, around.now))
    if isinstance(command, ChipCommand):
        turn = _decide_chips(running, command, around)
        return TurnDecision(turn, running.table, reports=turn.outcome.reports)
    _check_floor(running, command.action, around)
    noted, notes = noting(moment)
    events, table = act(running.rules, running.table, command, noted)
    _check_adopted(running, command.action, events, around)
    _check_covered(running, command.action, events)
    return TurnDecision(
        make_turn(running.table, command, notes.given, events, noted),
        table,
        events,
        _award_reports(running, events, around),
    )


def _decide_chips(running: RunningTable, command: ChipCommand, around: Surroundings) -> ChipTurn:
    """Do something with a table's chips: a table whose cards are virtual is its own cashier."""
    if not running.chips:
        refuse(command.action.step, [Problem("table", "the chips of this table are not followed")])
    virtual = around.house.tables[running.table.id].origin is CardOrigin.VIRTUAL_DECK
    config = replace(around.chips, self_service=virtual)
    return decide_chips(running.tray, command.action, command.by, command.second, around.now, config)


def _award_reports(
    running: RunningTable, events: tuple[AnEvent, ...], around: Surroundings
) -> tuple[ReportDue, ...]:
    """Return the reports that awards make due."""
    rows, day = around.chips.thresholds, around.chips.gaming_day(around.now)
    return tuple(due for event in events for due in award_reports(rows, day, running.table, event))


def _check_floor(running: RunningTable, action: Action, around: Surroundings) -> None:
    """Refuse what the floor does not permit now, whatever the law of the game says."""
    table, house = running.table.id, around.house
    practice, program = house.tables[table].practice, around.program or this_program()
    if isinstance(action, OpenTable) and not practice and house.program != program:
        cause = "no table opens under this program until two people have approved it"
        refuse(action.step, [Problem("program", cause, program.version)])
    why = house.why_link_down(table) if _places_progressive(action) else None
    if why is not None:
        cause = "the link to the meter is down: no progressive wagers are taken"
        refuse(action.step, [Problem("wager.progressive", cause, why)])


def _check_adopted(
    running: RunningTable, action: Action, events: tuple[AnEvent, ...], around: Surroundings
) -> None:
    """Refuse rules for a table that are not in effect on the floor.

    A shoe that failed is replaced at once by another way of dealing: nothing is filed for that.
    """
    if isinstance(action, ChangeDealing) and Device.SHOE in running.table.failed:
        return
    for event in events:
        if isinstance(event.outcome, RulesAdopted):
            around.house.submission(event.outcome.fingerprint, around.now)


def _check_covered(running: RunningTable, action: Action, events: tuple[AnEvent, ...]) -> None:
    """Refuse wagers, banks and fees beyond what people have in front of them, where chips are followed."""
    if not running.chips:
        return
    refuse(
        action.step,
        [
            Problem("chips", f"{person} has {dollars(chips_of(running.tray, person))} here", dollars(amount))
            for person, amount in sorted(stakes_of(events).items())
            if not covers(running.tray, person, amount)
        ],
    )


def _places_progressive(action: Action) -> bool:
    wagers: Mapping[str, int] = getattr(action, "wagers", {})
    return bool(wagers.get(PROGRESSIVE))
