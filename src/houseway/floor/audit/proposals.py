"""Matches acts of two people with their proposals: each act was proposed and confirmed, and each was done."""

from __future__ import annotations

from collections import Counter

from houseway.chips import ChipTurn
from houseway.floor.audit.entry_judge import EntryJudge
from houseway.floor.audit.persons import Persons
from houseway.floor.house import House
from houseway.floor.meter_events import MeterAdjusted, MeterEntry, SlipVoided
from houseway.floor.people_events import (
    FactorRemoved,
    KeySet,
    PasswordSet,
    PeopleEvent,
    RolesChanged,
    UserAdded,
    UserEnabled,
    UserEvent,
)
from houseway.floor.setup_events import ProgramApproved, ProposalClosed, SetupEvent
from houseway.floor.tasks import (
    AddUser,
    AdjustAtTable,
    ApproveProgram,
    ChangeRoles,
    EnableUser,
    MeterAdjustment,
    MoveChips,
    PeopleTask,
    ResetSecret,
    Task,
    VoidFactor,
    WinSlipVoid,
    read_proposed,
)
from houseway.intake import CONFIRMED
from houseway.rounds.record import Turn
from houseway.rounds.steps.meter import AdjustMeter
from houseway.store.entries import Entry

Act = tuple[str, ...]
"""What was done, about what, and by which two people."""


class Proposals:
    """Acts of two people, and the proposals that they close, until each is seen with the other."""

    def __init__(self) -> None:
        self._done: Counter[Act] = Counter()
        self._closed: Counter[Act] = Counter()
        self._entries: dict[Act, Entry] = {}
        self._alone: set[Act] = set()
        """Acts that need no proposal: before there are people, one sets up the floor without a second."""

    def set_up(self, house: House, entry: Entry, body: SetupEvent) -> None:
        """Take a setup event."""
        if isinstance(body, ProgramApproved):
            self._act(entry, ("program", body.by.id, body.second.id), needed=False)
        elif isinstance(body, ProposalClosed) and body.done and body.proposal in house.proposals:
            proposed = house.proposals[body.proposal]
            task = read_proposed(proposed.task)
            act = _act_of(task, proposed.by.id, body.by.id, f"{body.proposal}/{proposed.at.isoformat()}")
            self._closed[act] += 1
            self._entries.setdefault(act, entry)

    def meter(self, persons: Persons, entry: Entry, body: MeterEntry) -> None:
        """Take an event of a meter."""
        if isinstance(body, MeterAdjusted):
            amount = str(body.after.value - body.before.value)
            act: Act = ("adjust", body.meter, amount, body.reason, body.by.id, body.second.id)
            self._act(entry, act, needed=persons.known)
        elif isinstance(body, SlipVoided):
            act = ("void", body.meter, body.serial, body.reason, body.by.id, body.second.id)
            self._act(entry, act, needed=persons.known)

    def people(self, persons: Persons, entry: Entry, body: PeopleEvent) -> None:
        """Take an event about a user; the first secret is part of adding them."""
        second = body.second if isinstance(body, UserEvent) else None
        if second is None or not isinstance(body, UserEvent):
            return
        what = next((name for kind, name in _OF_PEOPLE.items() if isinstance(body, kind)), "")
        if what:
            act = (what, body.user, *_details(body), body.by.id, second.id)
            self._act(entry, act, needed=persons.known)

    def turn(self, entry: Entry, turn: Turn | ChipTurn) -> None:
        """Take a command at a table, if it was proposed and confirmed."""
        if entry.command.startswith(CONFIRMED):
            second = turn.second.id if isinstance(turn, ChipTurn) and turn.second else ""
            action = turn.command.action if isinstance(turn, Turn) else None
            if isinstance(action, AdjustMeter):
                second = action.second
            act = ("command", entry.command.removeprefix(CONFIRMED), second)
            self._act(entry, act, needed=False)

    def _act(self, entry: Entry, act: Act, *, needed: bool) -> None:
        self._done[act] += 1
        self._entries.setdefault(act, entry)
        if not needed:
            self._alone.add(act)

    def finish(self, judge: EntryJudge, *, commands: bool = True) -> None:
        """Report acts that were confirmed and not done, or done and never confirmed.

        A server may have stopped between a command at a table and the closing of its proposal: where not all
        of a log is seen, ``commands`` are left out.
        """
        added = {(act[1], *act[-2:]) for act in self._done if act[0] == "add"}
        for act, times in sorted(self._closed.items()):
            if self._done[act] < times and (commands or act[0] != "command"):
                judge.report_difference(self._entries[act], f"confirmed and never done: {' '.join(act)}")
        for act, times in sorted(self._done.items()):
            secret_of_new = act[0] == "secret" and act[1:] in added
            if self._closed[act] < times and act not in self._alone and not secret_of_new:
                judge.report_difference(
                    self._entries[act], f"done by two people and never proposed: {' '.join(act)}"
                )


_OF_PEOPLE = {
    UserAdded: "add",
    RolesChanged: "roles",
    UserEnabled: "enable",
    FactorRemoved: "factor",
    PasswordSet: "secret",
    KeySet: "secret",
}
_OF_TASKS = {
    AddUser: "add",
    ChangeRoles: "roles",
    EnableUser: "enable",
    VoidFactor: "factor",
    ResetSecret: "secret",
}


def _act_of(task: Task, by: str, second: str, name: str) -> Act:
    match task:
        case ApproveProgram():
            return ("program", by, second)
        case MeterAdjustment():
            return ("adjust", task.meter, str(task.amount), task.reason, by, second)
        case WinSlipVoid():
            return ("void", task.meter, task.serial, task.reason, by, second)
        case MoveChips() | AdjustAtTable():
            return ("command", name, second)
        case PeopleTask():
            return (_OF_TASKS[type(task)], task.user, *_details(task), by, second)
    return ("nothing", by, second)


def _details(of: PeopleEvent | PeopleTask) -> Act:
    """Return the details of an act about a user that have to be done as they were proposed."""
    match of:
        case UserAdded() | AddUser():
            return (of.name, *sorted(of.roles))
        case RolesChanged() | ChangeRoles():
            return tuple(sorted(of.roles))
        case UserEnabled() | EnableUser() | FactorRemoved() | VoidFactor():
            return (of.reason,)
    return ()
