"""The decisions that wait on a floor: at tables, with a second person, and of filed rules.

Waiting steps are computed from the tables as they stand. Only since when each waits is remembered here, from
when it was first noticed, so that it does not change while the table plays on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any, Final, NamedTuple

from msgspec import Struct

from houseway.chips.actions import Serial
from houseway.chips.rights import DUTY_ROLES as CHIP_ROLES
from houseway.chips.rights import same_person
from houseway.chips.tray import FILL, Slip
from houseway.floor.core import Floor
from houseway.floor.duties import show_proposal
from houseway.floor.exclusion_rule import LEAVING_RECORDERS, SeatToLeave, seats_to_leave
from houseway.floor.rights import DUTY_ROLES, Duty
from houseway.floor.running_table import RunningTable
from houseway.floor.setup_events import Proposed
from houseway.floor.streams import TableId
from houseway.floor.tasks import AdjustAtTable, MoveChips, read_proposed, seconds_of
from houseway.rounds.options import Offer, Option, due_offers, options_of
from houseway.rounds.roles import Role
from houseway.rounds.state import Table
from houseway.rounds.step import Actor
from houseway.rounds.steps.common import positions
from houseway.rounds.views import Scene, TableView
from houseway.service.table_plans import TablePlan

RULINGS: Final = frozenset({"rule_abandoned", "rule_light", "rule_round"})
"""Rulings without which a round does not continue."""
SUPERVISORS: Final = frozenset({Role.FLOORPERSON, Role.MANAGER, Role.KEY_HOLDER})
WaitingPlace = tuple[TableId, str, int | None, str | None]
"""A step at a table, at a position or with a deck."""
LastMoved = Callable[[Iterable[RunningTable]], Mapping[TableId, datetime]]
"""Returns when tables last moved."""


class WaitingItem(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An item that waits for a decision: a step at a table, a proposal, a slip, or filed rules."""

    kind: str
    name: str
    since: datetime
    table: TableId | None = None
    option: Option | None = None
    proposal: Proposed | None = None
    mine: bool = False
    """Whether the viewer asked for it, so that another person must decide."""
    about: Mapping[str, Any] = {}


class SupervisedTable(Struct, frozen=True, kw_only=True):
    """A table in a supervisor's list."""

    view: TableView
    positions: tuple[int, ...]
    name: str
    split: str
    by_itself: bool
    """Whether its dealer is automated."""
    link_down: str | None
    waiting: int
    to_get_up: tuple[SeatToLeave, ...] = ()
    """The people at the table who are barred from play."""


class WaitingList:
    """The waiting items of a floor, and since when each waits."""

    def __init__(self, floor: Floor, plans: Mapping[TableId, TablePlan] | None = None) -> None:
        self._floor, self._plans = floor, plans or {}
        self._since: dict[WaitingPlace, datetime] = {}

    def look(self, viewer: Actor, moved: LastMoved) -> tuple[list[WaitingItem], list[SupervisedTable]]:
        """Return the items that wait for a viewer, the oldest first, and the licensed tables."""
        floor = self._floor
        looks: list[_TableLook] = []
        for name in floor.house.licensed_tables:
            running, moment = floor.table(name), floor.moment(name)
            offered = due_offers(running.rules, running.table, moment, SUPERVISORS, RULINGS)
            scene = Scene(running.rules, running.table, moment)
            looks.append(
                _TableLook(running, scene, tuple(offer for offer in offered if self._waits(name, offer)))
            )
        self._notice(looks, moved)
        at_tables = (
            item for look in looks for item in (*self._steps(viewer, look), *self._slips(viewer, look))
        )
        waiting = sorted(
            (*at_tables, *_proposals(floor, viewer), *_unapproved_rules(floor, viewer)),
            key=lambda item: item.since,
        )
        return waiting, [self._supervised_table(look, viewer, waiting) for look in looks]

    def _waits(self, table: TableId, offer: Offer) -> bool:
        """Whether a step is possible now and left to people."""
        option, plan = offer.option, self._plans.get(table)
        by_itself = plan is not None and Role.FLOORPERSON in plan.duties
        return not option.reasons and (option.step in RULINGS or not by_itself)

    def _notice(self, looks: Iterable[_TableLook], moved: LastMoved) -> None:
        """Remember since when items wait; a new one since its table last moved."""
        places = {place: look.running for look in looks for place in look.places()}
        fresh = {place: running for place, running in places.items() if place not in self._since}
        at, now = moved(fresh.values()) if fresh else {}, self._floor.clock()
        begun = {place: at.get(running.table.id, now) for place, running in fresh.items()}
        self._since = {place: at for place, at in (self._since | begun).items() if place in places}

    def _steps(self, viewer: Actor, look: _TableLook) -> Iterator[WaitingItem]:
        """Yield the steps at a table that wait for the viewer."""
        table = look.running.table
        for option in options_of(look.offered, viewer):
            place = _option_place(table.id, option)
            name = "/".join(str(part) for part in place if part is not None)
            about = {"stopped": table.round.stopped} if table.round.stopped else {}
            since = self._since[place]
            yield WaitingItem(
                kind="option", name=name, since=since, table=table.id, option=option, about=about
            )

    def _slips(self, viewer: Actor, look: _TableLook) -> Iterator[WaitingItem]:
        """Yield the unapproved fills and credits at a table, if the viewer may approve them."""
        table = look.running.table.id
        for serial, slip in look.slips():
            step = "approve_fill" if serial.startswith(FILL) else "approve_credit"
            if viewer.role in CHIP_ROLES[step]:
                mine, since = same_person(slip.requested, viewer), self._since[_slip_place(table, serial)]
                about = {"step": step, "chips": slip.chips, "by": slip.requested.shown}
                yield WaitingItem(kind="slip", name=serial, since=since, table=table, mine=mine, about=about)

    def _supervised_table(
        self, look: _TableLook, viewer: Actor, waiting: Iterable[WaitingItem]
    ) -> SupervisedTable:
        rules, table = look.running.rules, look.running.table.id
        plan = self._plans.get(table)
        return SupervisedTable(
            view=look.scene.view(viewer),
            positions=tuple(positions(rules)),
            name=rules.game.name,
            split="-".join(str(part.cards) for part in rules.game.parts),
            by_itself=plan is not None and Role.DEALER in plan.duties,
            link_down=self._floor.house.why_link_down(table),
            waiting=sum(item.table == table for item in waiting),
            to_get_up=self._seats_to_leave(look.running.table) if viewer.role in LEAVING_RECORDERS else (),
        )

    def _seats_to_leave(self, table: Table) -> tuple[SeatToLeave, ...]:
        return seats_to_leave(table, self._floor.barred, self._floor.clock())


class _TableLook(NamedTuple):
    """A table, its scene, and the steps there that wait for a supervisor."""

    running: RunningTable
    scene: Scene
    offered: tuple[Offer, ...]

    def slips(self) -> Iterator[tuple[Serial, Slip]]:
        """Yield the slips that are not approved yet."""
        return ((serial, slip) for serial, slip in self.running.tray.slips.items() if slip.approved is None)

    def places(self) -> Iterator[WaitingPlace]:
        """Yield the places of everything that waits at the table."""
        table = self.running.table.id
        yield from (_option_place(table, offer.option) for offer in self.offered)
        yield from (_slip_place(table, serial) for serial, _ in self.slips())


def _option_place(table: TableId, option: Option) -> WaitingPlace:
    return table, option.step, option.position, option.deck


def _slip_place(table: TableId, serial: Serial) -> WaitingPlace:
    return table, "slip", None, serial


def _proposals(floor: Floor, viewer: Actor) -> Iterator[WaitingItem]:
    """Yield the proposals that the viewer may confirm or has made."""
    for name, proposed in floor.house.proposals.items():
        task = read_proposed(proposed.task)
        at_table = isinstance(task, MoveChips | AdjustAtTable)
        mine = same_person(proposed.by, viewer)
        if mine or viewer.role in seconds_of(task):
            yield WaitingItem(
                kind="proposal",
                name=name,
                since=proposed.at,
                table=proposed.task.get("table") if at_table else None,
                proposal=show_proposal(proposed),
                mine=mine,
            )


def _unapproved_rules(floor: Floor, viewer: Actor) -> Iterator[WaitingItem]:
    """Yield the filed rules that are not approved yet, if the viewer may approve them."""
    house = floor.house
    if viewer.role not in DUTY_ROLES[Duty.APPROVE_SUBMISSION]:
        return
    for rules, event in house.filed.items():
        if rules not in house.effective and rules not in house.ended:
            about = {
                "reference": event.submission.reference,
                "game": event.submission.game,
                "by": event.by.shown,
            }
            mine = same_person(event.by, viewer)
            yield WaitingItem(kind="submission", name=rules, since=event.at, mine=mine, about=about)
