"""Setup, and what two people did to meters, decided again."""

from __future__ import annotations

from houseway.chips.rights import same_person
from houseway.errors import IllegalError
from houseway.floor import house as duties
from houseway.floor import shared_meters
from houseway.floor.duties import check_turns_down, close, propose
from houseway.floor.floor_keys import check_change, record_key
from houseway.floor.house import House
from houseway.floor.meter_events import (
    MeterAdjusted,
    MeterEntry,
    MeterRead,
    MeterTurn,
    SlipPrinted,
    SlipVoided,
)
from houseway.floor.rights import check_at_command_line, check_right, check_two
from houseway.floor.setup_events import (
    ClockStepped,
    FloorKeyChanged,
    FloorKeyRecorded,
    LinkChanged,
    MeterOpened,
    ProgramApproved,
    ProposalClosed,
    Proposed,
    Restored,
    SetupEvent,
    SubmissionApproved,
    SubmissionEnded,
    SubmissionFiled,
    TableForgotten,
    TableMade,
    TableTaken,
)
from houseway.floor.shared_meters import SharedMeter
from houseway.floor.tasks import AdjustAtTable, MoveChips, duty_of, read_proposed, seconds_of
from houseway.games import rules_for
from houseway.meters import MeterTerms
from houseway.rounds.live import fresh_meter


def decide_set_up(house: House, event: SetupEvent) -> SetupEvent:  # noqa: PLR0911, PLR0912 - one for each kind
    """Return the event that is decided for what a recorded event asks for; refuse what is not permitted."""
    by, now = event.by, event.at
    match event:
        case ProgramApproved():
            return duties.approve_program(event.program, by, event.second, now)
        case SubmissionFiled():
            return duties.file_submission(house, event.submission, by, now)
        case SubmissionApproved():
            return duties.approve_submission(house, event.submission, by, now, event.effective)
        case SubmissionEnded():
            return duties.end_submission(house, event.submission, by, now, event.reason)
        case TableMade():
            return _decide_table(house, event)
        case TableTaken():
            return duties.take_table(house, event.table, by, now)
        case TableForgotten():
            return duties.forget_table(house, event.table, by, now)
        case MeterOpened():
            return _decide_meter_opening(house, event)
        case LinkChanged():
            return duties.change_link(
                house, event.meter, event.table, by, now, up=event.up, reason=event.reason
            )
        case Proposed():
            return _decide_proposal(house, event)
        case ProposalClosed():
            return _decide_closing(house, event)
        case ClockStepped():
            (stepped,) = duties.note_clock(house, event.expected, event.shown, by, now)
            return stepped
        case Restored():
            check_at_command_line(by, event.operator)
        case FloorKeyRecorded():
            (recorded,) = record_key(house, event.key, now)
            return recorded
        case FloorKeyChanged():
            check_change(house, event)
    return event


def _decide_table(house: House, event: TableMade) -> SetupEvent:
    """Return the table that is made; the meter that it shares was opened just before, or runs already."""
    *opened, table = duties.make_table(
        house,
        event.table,
        event.rules,
        event.by,
        event.at,
        meter=event.meter,
        origin=event.origin,
        automated=event.automated,
        chips=event.chips,
        practice=event.practice,
    )
    if opened:
        raise IllegalError("the meter of the table was never opened", value=event.meter)
    return table


def _decide_meter_opening(house: House, event: MeterOpened) -> MeterOpened:
    """Return a meter as its submission opens it."""
    if event.meter in house.meters:
        raise IllegalError("there is a meter of this name", value=event.meter)
    if event.submission not in house.filed:
        raise IllegalError("no such submission is filed", value=event.submission)
    rules = rules_for(house.filed[event.submission].submission)
    return MeterOpened(
        meter=event.meter,
        state=fresh_meter(rules, event.meter),
        submission=rules.fingerprint,
        terms=duties.make_meter_terms_record(rules, event.meter),
        by=event.by,
        at=event.at,
    )


def _decide_proposal(house: House, event: Proposed) -> Proposed:
    task = read_proposed(event.task)
    if not isinstance(task, MoveChips | AdjustAtTable):
        check_right(duty_of(task), event.by)
    return propose(house, event.proposal, task, event.by, event.at, event.browser)


def _decide_closing(house: House, event: ProposalClosed) -> ProposalClosed:
    """Return the closing of a proposal: confirmed by a second person, or turned down by one who may."""
    proposed = house.proposals.get(event.proposal)
    if proposed is not None and not event.done:
        check_turns_down(proposed, event.by, event.reason)
    elif proposed is not None:
        task = read_proposed(proposed.task)
        if not isinstance(task, MoveChips | AdjustAtTable):
            check_two(duty_of(task), proposed.by, event.by)
        elif event.by.role not in seconds_of(task) or same_person(proposed.by, event.by):
            raise IllegalError("a second person confirms it", value=str(event.by))
    reason = "" if event.done else event.reason
    return close(house, event.proposal, event.by, event.at, done=event.done, reason=reason)


# --- meters -------------------------------------------------------------------------------------------


def decide_meter(now: SharedMeter, entry: MeterEntry, terms: MeterTerms | None) -> MeterEntry:
    """Return the event that is decided for what a recorded entry of a meter asks for.

    What a table's turn moved is compared with that turn by the books; ``terms`` are those of its tables.
    """
    match entry:
        case MeterAdjusted():
            if terms is None:
                raise IllegalError("no table shares the meter", value=entry.meter)
            amount = entry.after.value - entry.before.value
            return shared_meters.adjust_meter(
                now, terms, entry.by, entry.second, amount, entry.reason, entry.at
            )
        case MeterRead():
            return shared_meters.read_meter(now, entry.by, entry.shown, entry.explained, entry.at)
        case SlipPrinted():
            return shared_meters.print_slip(now, entry.serial, entry.by, entry.at)
        case SlipVoided():
            return shared_meters.void_slip(now, entry.serial, entry.by, entry.second, entry.reason, entry.at)
        case MeterTurn():
            return entry
