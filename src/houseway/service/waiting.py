"""What waits for a decision on a floor: at tables, with a second person, with whoever approves rules.

What a supervisor is asked for is worked out from the tables as they stand. Only since when a thing waits is
remembered here, from when it was first noticed: a table that goes on meanwhile does not make it younger.
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
from houseway.service.plans import TablePlan

RULINGS: Final = frozenset({"rule_abandoned", "rule_light", "rule_round"})
"""What a floorperson decides that the round does not go on by itself without."""
SUPERVISORS: Final = frozenset({Role.FLOORPERSON, Role.MANAGER, Role.KEY_HOLDER})
Spot = tuple[TableId, str, int | None, str | None]
"""A step at a table, at a position or with a deck."""
LastMoved = Callable[[Iterable[RunningTable]], Mapping[TableId, datetime]]
"""Tells when tables last moved."""


class Waiting(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Something that waits for a decision: a step at a table, a proposal, a slip, or filed rules."""

    kind: str
    name: str
    since: datetime
    table: TableId | None = None
    option: Option | None = None
    proposal: Proposed | None = None
    mine: bool = False
    """Whether whoever looks has asked for it, so that somebody else decides."""
    about: Mapping[str, Any] = {}


class SupervisedTable(Struct, frozen=True, kw_only=True):
    """A table as a supervisor sees it among others."""

    view: TableView
    positions: tuple[int, ...]
    name: str
    split: str
    by_itself: bool
    """Whether its dealer is no person."""
    link_down: str | None
    waiting: int
    to_get_up: tuple[SeatToLeave, ...] = ()
    """Who sits there and is not to play."""


class WaitingList:
    """What waits on a floor, and since when."""

    def __init__(self, floor: Floor, plans: Mapping[TableId, TablePlan] | None = None) -> None:
        self._floor, self._plans = floor, plans or {}
        self._since: dict[Spot, datetime] = {}

    def look(self, viewer: Actor, moved: LastMoved) -> tuple[list[Waiting], list[SupervisedTable]]:
        """Return what waits for somebody, the oldest first, and the licensed tables."""
        floor = self._floor
        found: list[_Looked] = []
        for name in floor.house.licensed_tables:
            running, moment = floor.table(name), floor.moment(name)
            offered = due_offers(running.rules, running.table, moment, SUPERVISORS, RULINGS)
            scene = Scene(running.rules, running.table, moment)
            found.append(_Looked(running, scene, tuple(one for one in offered if self._waits(name, one))))
        self._notice(found, moved)
        at_tables = (item for one in found for item in (*self._steps(viewer, one), *self._slips(viewer, one)))
        waiting = sorted(
            (*at_tables, *_proposals(floor, viewer), *_filed(floor, viewer)), key=lambda one: one.since
        )
        return waiting, [self._told(one, viewer, waiting) for one in found]

    def _waits(self, table: TableId, offer: Offer) -> bool:
        """Whether a step can be taken now, and nobody automatic takes it."""
        option, plan = offer.option, self._plans.get(table)
        by_itself = plan is not None and Role.FLOORPERSON in plan.duties
        return not option.reasons and (option.step in RULINGS or not by_itself)

    def _notice(self, found: Iterable[_Looked], moved: LastMoved) -> None:
        """Remember since when each thing waits: what is new, since its table last moved."""
        spots = {spot: one.running for one in found for spot in one.spots()}
        fresh = {spot: one for spot, one in spots.items() if spot not in self._since}
        at, now = moved(fresh.values()) if fresh else {}, self._floor.clock()
        begun = {spot: at.get(one.table.id, now) for spot, one in fresh.items()}
        self._since = {spot: at for spot, at in (self._since | begun).items() if spot in spots}

    def _steps(self, viewer: Actor, one: _Looked) -> Iterator[Waiting]:
        """Yield the steps at a table that wait for somebody."""
        table = one.running.table
        for option in options_of(one.offered, viewer):
            spot = _spot(table.id, option)
            name = "/".join(str(part) for part in spot if part is not None)
            about = {"stopped": table.round.stopped} if table.round.stopped else {}
            since = self._since[spot]
            yield Waiting(kind="option", name=name, since=since, table=table.id, option=option, about=about)

    def _slips(self, viewer: Actor, one: _Looked) -> Iterator[Waiting]:
        """Yield the fills and credits at a table that nobody has approved yet, for whoever may."""
        table = one.running.table.id
        for serial, slip in one.slips():
            step = "approve_fill" if serial.startswith(FILL) else "approve_credit"
            if viewer.role in CHIP_ROLES[step]:
                mine, since = same_person(slip.requested, viewer), self._since[_slip_spot(table, serial)]
                about = {"step": step, "chips": slip.chips, "by": slip.requested.shown}
                yield Waiting(kind="slip", name=serial, since=since, table=table, mine=mine, about=about)

    def _told(self, one: _Looked, viewer: Actor, waiting: Iterable[Waiting]) -> SupervisedTable:
        rules, table = one.running.rules, one.running.table.id
        plan = self._plans.get(table)
        return SupervisedTable(
            view=one.scene.view(viewer),
            positions=tuple(positions(rules)),
            name=rules.game.name,
            split="-".join(str(part.cards) for part in rules.game.parts),
            by_itself=plan is not None and Role.DEALER in plan.duties,
            link_down=self._floor.house.why_link_down(table),
            waiting=sum(item.table == table for item in waiting),
            to_get_up=self._seats_to_leave(one.running.table) if viewer.role in LEAVING_RECORDERS else (),
        )

    def _seats_to_leave(self, table: Table) -> tuple[SeatToLeave, ...]:
        return seats_to_leave(table, self._floor.barred, self._floor.clock())


class _Looked(NamedTuple):
    """A table, how it looks, and which of its steps wait for a supervisor."""

    running: RunningTable
    scene: Scene
    offered: tuple[Offer, ...]

    def slips(self) -> Iterator[tuple[Serial, Slip]]:
        """Yield the slips that nobody has approved yet."""
        return ((serial, slip) for serial, slip in self.running.tray.slips.items() if slip.approved is None)

    def spots(self) -> Iterator[Spot]:
        """Yield all that waits here, whoever for."""
        table = self.running.table.id
        yield from (_spot(table, offer.option) for offer in self.offered)
        yield from (_slip_spot(table, serial) for serial, _ in self.slips())


def _spot(table: TableId, option: Option) -> Spot:
    return table, option.step, option.position, option.deck


def _slip_spot(table: TableId, serial: Serial) -> Spot:
    return table, "slip", None, serial


def _proposals(floor: Floor, viewer: Actor) -> Iterator[Waiting]:
    """Yield what waits for a second person who might be this one, and what this one has proposed."""
    for name, one in floor.house.proposals.items():
        task = read_proposed(one.task)
        at_table = isinstance(task, MoveChips | AdjustAtTable)
        mine = same_person(one.by, viewer)
        if mine or viewer.role in seconds_of(task):
            yield Waiting(
                kind="proposal",
                name=name,
                since=one.at,
                table=one.task.get("table") if at_table else None,
                proposal=show_proposal(one),
                mine=mine,
            )


def _filed(floor: Floor, viewer: Actor) -> Iterator[Waiting]:
    """Yield the rules that nobody has approved yet, for whoever may."""
    house = floor.house
    if viewer.role not in DUTY_ROLES[Duty.APPROVE_SUBMISSION]:
        return
    for rules, one in house.filed.items():
        if rules not in house.effective and rules not in house.ended:
            about = {"reference": one.submission.reference, "game": one.submission.game, "by": one.by.shown}
            mine = same_person(one.by, viewer)
            yield Waiting(kind="submission", name=rules, since=one.at, mine=mine, about=about)
