"""The setup of a floor, folded from its stream, and the decisions that change it. All pure."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from functools import cache
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

import houseway
from houseway.errors import IllegalError, UnknownNameError
from houseway.floor.rights import Duty, check_reason, check_right, check_two
from houseway.floor.setup_events import (
    ClockStepped,
    FloorKeyChanged,
    FloorKeyRecorded,
    LinkChanged,
    MeterOpened,
    MeterTermsRecord,
    Program,
    ProgramApproved,
    ProposalClosed,
    Proposed,
    Restored,
    SetupEvent,
    SubmissionApproved,
    SubmissionEnded,
    SubmissionFiled,
    TableBranched,
    TableForgotten,
    TableMade,
    TableTaken,
)
from houseway.floor.streams import BRANCH, PRACTICE, Fingerprint, TableId, is_practice
from houseway.games import Rules, Submission, games, rules_for
from houseway.games.changes import reference_problems
from houseway.games.fingerprint import fingerprint_of
from houseway.law.clauses import clauses_of
from houseway.law.problems import Problem, refuse
from houseway.money import Basis, Cents
from houseway.ranking import ranking
from houseway.rounds.live import fresh_meter
from houseway.rounds.state import CardOrigin, MeterId
from houseway.rounds.step import Actor
from houseway.settlement import meter_terms
from houseway.settlement.model import PROGRESSIVE

SAME_STEP: Final = timedelta(minutes=1)
"""Within this time another step of the wall clock is taken for the same."""
_WHOLE_LINK: Final = ""
"""Stands for every table of a meter."""


class House(Struct, frozen=True):
    """The setup of a floor: its approved program, submissions, tables, meters, links, proposals and keys."""

    program: Program | None = None
    filed: Mapping[Fingerprint, SubmissionFiled] = {}
    effective: Mapping[Fingerprint, datetime] = {}
    """From when on each approved submission is in effect."""
    ended: frozenset[Fingerprint] = frozenset()
    """The submissions that were in effect and are no more."""
    tables: Mapping[TableId, TableMade] = {}
    branches: Mapping[TableId, TableBranched] = {}
    """The branches of practice tables in a log of an earlier version, by their names."""
    taken: Mapping[TableId, TableTaken] = {}
    """Who has each practice table, and since when."""
    meters: Mapping[MeterId, MeterOpened] = {}
    down: Mapping[tuple[MeterId, TableId], str] = {}
    """The links that are down, and why."""
    proposals: Mapping[str, Proposed] = {}
    """What waits for a second person."""
    stepped: ClockStepped | None = None
    """When a wall clock was last found to have been set."""
    restored: tuple[Restored, ...] = ()
    """Every time the log was brought back from a backup."""
    keys: tuple[str, ...] = ()
    """The public half of every key that the log was signed by, the current one last."""
    key_changes: tuple[FloorKeyChanged, ...] = ()

    def submission(self, rules: Fingerprint, now: datetime) -> Submission:
        """Return a submission that is in effect, or raise why it is not."""
        if rules not in self.filed:
            raise UnknownNameError("no such submission is filed", value=rules)
        if rules not in self.effective:
            raise IllegalError("the submission is not approved, or has ended", value=rules)
        if now < self.effective[rules]:
            raise IllegalError("the submission is in effect later", value=str(self.effective[rules]))
        return self.filed[rules].submission

    def why_link_down(self, table: TableId) -> str | None:
        """Return why the link of a table to its meter is down, if it is."""
        row = self.tables.get(table)
        if row is None or row.meter is None:
            return None
        return self.down.get((row.meter, table)) or self.down.get((row.meter, _WHOLE_LINK))

    @property
    def licensed_tables(self) -> list[TableId]:
        """The tables that are not for practice; a log of an earlier version may have practice tables too."""
        return sorted(name for name in self.tables if not is_practice(name))

    def tables_on(self, meter: MeterId) -> list[TableId]:
        """Return the tables that share a meter."""
        return sorted(name for name, row in self.tables.items() if row.meter == meter)


@cache
def this_program() -> Program:
    """Return the program that runs here: its version, and the fingerprint of all its law."""
    law = {
        game.id: (game, ranking(game.ranking).document, clauses_of(game.rule_set) if game.rule_set else None)
        for game in games()
    }
    return Program(houseway.__version__, fingerprint_of(law=law))


def make_meter_terms_record(rules: Rules, meter: MeterId) -> MeterTermsRecord:
    """Return the parameters of a meter and the chance to win it, as a table's rules have them."""
    terms, chosen = meter_terms(rules, meter), rules.submission.progressive
    lines = rules.paytable(PROGRESSIVE).lines
    return MeterTermsRecord(
        seed=terms.seed,
        contribution=str(terms.contribution),
        reserve=str(terms.reserve),
        limit=terms.limit,
        rounding=terms.rounding,
        reseeds=terms.reseeds,
        wager=(chosen and chosen.amount) or Cents(0),
        cards=rules.game.hand_cards,
        joker=rules.joker_mode(PROGRESSIVE),
        shares={line.hand: str(line.pays.ratio) for line in lines if line.pays.basis is Basis.METER},
    )


# --- what may be set up -------------------------------------------------------------------------------


def approve_program(program: Program, by: Actor, second: Actor, now: datetime) -> ProgramApproved:
    """Approve a program, so that tables may open under it."""
    check_two(Duty.APPROVE_PROGRAM, by, second)
    return ProgramApproved(program=program, second=second, by=by, at=now)


def file_submission(house: House, submission: Submission, by: Actor, now: datetime) -> SubmissionFiled:
    """File rules for tables; what no law permits is refused for every reason."""
    check_right(Duty.FILE_SUBMISSION, by)
    if rules_for(submission).fingerprint in house.filed:
        raise IllegalError("the submission is filed already", value=submission.reference)
    refuse("submission", reference_problems((filed.submission for filed in house.filed.values()), submission))
    return SubmissionFiled(submission=submission, by=by, at=now)


def approve_submission(
    house: House, rules: Fingerprint, by: Actor, now: datetime, effective: datetime | None = None
) -> SubmissionApproved:
    """Approve rules that another person has filed, from now on or from a later moment."""
    check_right(Duty.APPROVE_SUBMISSION, by)
    filed = house.filed.get(rules)
    if filed is None:
        raise UnknownNameError("no such submission is filed", value=rules)
    if filed.by.id == by.id:
        raise IllegalError(
            "a submission is approved by another person than the one who filed it", value=by.id
        )
    if rules in house.effective:
        raise IllegalError("the submission is approved already", value=filed.submission.reference)
    if effective is not None and effective < now:
        raise IllegalError("a submission is in effect from now on, or later", value=str(effective))
    approved = (house.filed[other].submission for other in {*house.effective, *house.ended})
    refuse("submission", reference_problems(approved, filed.submission))
    return SubmissionApproved(submission=rules, effective=effective or now, by=by, at=now)


def end_submission(
    house: House, rules: Fingerprint, by: Actor, now: datetime, reason: str
) -> SubmissionEnded:
    """End rules: another submission supersedes them, or they are not used any more."""
    check_right(Duty.END_SUBMISSION, by)
    check_reason(reason)
    if rules not in house.effective:
        raise IllegalError("the submission is not in effect", value=rules)
    return SubmissionEnded(submission=rules, reason=reason, by=by, at=now)


def make_table(
    house: House,
    table: TableId,
    rules: Fingerprint,
    by: Actor,
    now: datetime,
    *,
    meter: MeterId | None = None,
    origin: CardOrigin = CardOrigin.VIRTUAL_DECK,
    automated: frozenset[str] = frozenset(),
    chips: bool = False,
    practice: bool = False,
) -> list[SetupEvent]:
    """Make a table that plays by a submission in effect, and open the meter it shares if none runs yet."""
    check_right(Duty.MAKE_TABLE, by)
    _check_name(house, table, meter, practice=practice)
    if practice and (origin is not CardOrigin.VIRTUAL_DECK or not chips):
        raise IllegalError("practice tables have virtual cards and play money", value=table)
    submission = house.submission(rules, now)
    game_rules = rules_for(submission)
    shares = (meter or table) if game_rules.offers(PROGRESSIVE) else None
    events: list[SetupEvent] = []
    if shares is not None:
        events += _share(house, game_rules, shares, by, now)
    event = TableMade(
        table=table,
        submission=submission,
        origin=origin,
        meter=shares,
        automated=automated,
        rules=rules,
        chips=chips,
        practice=practice,
        by=by,
        at=now,
    )
    return [*events, event]


def _check_name(house: House, table: TableId, meter: MeterId | None, *, practice: bool) -> None:
    """Refuse a name that is taken, or that does not fit the kind of table."""
    if not table.strip() or "/" in table or BRANCH in table:
        raise IllegalError(f"a table needs a name, without a slash or a {BRANCH}", value=table)
    if table in house.tables:
        raise IllegalError("there is a table of this name", value=table)
    if is_practice(table) is not practice:
        raise IllegalError(f"practice tables and no others are named {PRACTICE}…", value=table)
    if meter is not None and (meter != table if practice else is_practice(meter)):
        raise IllegalError("a practice table does not share its meter", value=meter)


def take_table(house: House, table: TableId, by: Actor, now: datetime) -> TableTaken:
    """Give a practice table to a person for themselves."""
    _check_practice(house, table)
    return TableTaken(table=table, by=by, at=now)


def forget_table(house: House, table: TableId, by: Actor, now: datetime) -> TableForgotten:
    """Forget a practice table."""
    _check_practice(house, table)
    return TableForgotten(table=table, by=by, at=now)


def _check_practice(house: House, table: TableId) -> None:
    if table not in house.tables:
        raise UnknownNameError("no such table", value=table)
    if not house.tables[table].practice:
        raise IllegalError("a licensed table is never taken or forgotten", value=table)


def _share(house: House, rules: Rules, meter: MeterId, by: Actor, now: datetime) -> list[SetupEvent]:
    """Open a meter, or join one that runs: its parameters are fixed as long as the link operates."""
    terms, running = make_meter_terms_record(rules, meter), house.meters.get(meter)
    if running is None:
        state = fresh_meter(rules, meter)
        return [
            MeterOpened(meter=meter, state=state, submission=rules.fingerprint, terms=terms, by=by, at=now)
        ]
    problems = meter_differences(running.terms, terms) if running.terms else []
    if problems:
        refuse("meter", problems)
    return []


def meter_differences(running: MeterTermsRecord, wanted: MeterTermsRecord) -> list[Problem]:
    """Return the differences of a table's rules from the meter that it would share."""
    chance = ("cards", "joker", "shares", "wager")
    problems = []
    for name in MeterTermsRecord.__struct_fields__:
        mine, theirs = getattr(wanted, name), getattr(running, name)
        if mine != theirs:
            why = "games of unequal chance are not linked" if name in chance else "fixed while it operates"
            problems.append(Problem(f"meter.{name}", f"the meter has {theirs}: {why}", str(mine)))
    return problems


def change_link(
    house: House, meter: MeterId, table: TableId | None, by: Actor, now: datetime, *, up: bool, reason: str
) -> LinkChanged:
    """Record that a table's link to its meter, or the controller of all of them, went down or came back."""
    check_right(Duty.CHANGE_LINK, by)
    check_reason(reason)
    if meter not in house.meters:
        raise UnknownNameError("no such meter", value=meter)
    if table is not None and house.tables[table].meter != meter:
        raise IllegalError("the table does not share this meter", value=table)
    if up is ((meter, table or _WHOLE_LINK) not in house.down):
        raise IllegalError(f"the link is {'up' if up else 'down'} already", value=table or meter)
    return LinkChanged(meter=meter, table=table, up=up, reason=reason, by=by, at=now)


def note_clock(
    house: House, expected: datetime, shown: datetime, by: Actor, now: datetime
) -> list[ClockStepped]:
    """Put on record that the wall clock was set, once even if several servers of a machine notice it."""
    if house.stepped is not None and now - house.stepped.at < SAME_STEP:
        return []
    return [ClockStepped(expected=expected, shown=shown, by=by, at=now)]


# --- what becomes of it -------------------------------------------------------------------------------


def evolve_house(house: House, event: SetupEvent) -> House:  # noqa: PLR0911, PLR0912 - one for each kind of event
    """Return the floor after something was set up."""
    match event:
        case ProgramApproved():
            return replace(house, program=event.program)
        case SubmissionFiled():
            rules = event.submission.fingerprint()
            return replace(house, filed={**house.filed, rules: event})
        case SubmissionApproved():
            effective = {**house.effective, event.submission: event.effective}
            return replace(house, effective=effective, ended=house.ended - {event.submission})
        case SubmissionEnded():
            left = {rules: at for rules, at in house.effective.items() if rules != event.submission}
            return replace(house, effective=left, ended=house.ended | {event.submission})
        case TableMade():
            return replace(house, tables={**house.tables, event.table: event})
        case TableBranched():
            branch = replace(house.tables[event.of], table=event.table)
            tables, branches = {**house.tables, event.table: branch}, {**house.branches, event.table: event}
            return replace(house, tables=tables, branches=branches)
        case TableTaken():
            return replace(house, taken={**house.taken, event.table: event})
        case TableForgotten():
            return _without(house, event.table)
        case MeterOpened():
            return replace(house, meters={**house.meters, event.meter: event})
        case LinkChanged():
            link = (event.meter, event.table or _WHOLE_LINK)
            others = {name: why for name, why in house.down.items() if name != link}
            return replace(house, down=others if event.up else {**others, link: event.reason})
        case Proposed():
            return replace(house, proposals={**house.proposals, event.proposal: event})
        case ProposalClosed():
            waiting = {name: row for name, row in house.proposals.items() if name != event.proposal}
            return replace(house, proposals=waiting)
        case ClockStepped():
            return replace(house, stepped=event)
        case Restored():
            return replace(house, restored=(*house.restored, event))
        case FloorKeyRecorded():
            return replace(house, keys=(*house.keys, event.key))
        case FloorKeyChanged():
            changes = (*house.key_changes, event)
            return replace(house, keys=(*house.keys, event.after), key_changes=changes)


def _without(house: House, table: TableId) -> House:
    """Return the floor without a practice table, and without its meter."""
    if not is_practice(table):
        raise IllegalError("a licensed table is never forgotten", value=table)
    return replace(
        house,
        tables={name: row for name, row in house.tables.items() if name != table},
        meters={name: opened for name, opened in house.meters.items() if name != table},
        taken={name: taken for name, taken in house.taken.items() if name != table},
    )
