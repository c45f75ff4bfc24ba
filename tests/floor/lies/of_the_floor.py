"""Lies about meters and what is set up."""

from __future__ import annotations

from collections.abc import Callable

from houseway.floor import house as floor_house
from houseway.floor import shared_meters
from houseway.ledger import units
from houseway.rounds.roles import Role
from houseway.rounds.step import Actor
from houseway.settlement import meter_terms
from tests.floor.lies.edited import Edited, Row
from tests.floor.lies.played import ADA, ANN, DEB, EVA, MAX, Played
from tests.floor.lies.told import by, changed, lie, put

# --- meters -------------------------------------------------------------------------------------------


def adjusted(first: Actor, second: Actor) -> Callable[[Played], object]:
    def act(played: Played) -> None:
        terms = meter_terms(played.floor.table("t1").rules, "link")
        played.floor.on_meter(
            "link",
            lambda now, at: shared_meters.adjust_meter(now, terms, first, second, units(500), "audit", at),
        )

    return act


@lie(r"meter/link version \d: .*no such user")
def a_meter_adjusted_by_nobody(edited: Edited) -> None:
    edited.play(adjusted(Actor("x", Role.MANAGER), Actor("y", Role.MANAGER)))


@lie(r"meter/link version \d: .*never proposed: adjust link 5000000 audit max eva")
def a_meter_adjusted_that_nobody_proposed(edited: Edited) -> None:
    edited.play(adjusted(MAX, EVA))


changed(
    "a meter adjusted by one person",
    r"meter/link version 2: MeterAdjusted: refused",
    "meter_adjusted",
    put(second=by(MAX)),
)
changed(
    "another amount proposed",
    r"adjust link",
    "proposed",
    lambda v: v["task"].update(amount=9_000_000),
    proposal="adjust",
)
changed(
    "a meter that moved more",
    r"meter/link version",
    "meter_turn",
    lambda v: v["after"].update(value=v["after"]["value"] + 1),
)
changed("a reading of something else", r"meter/link version 3: MeterRead", "meter_read", put(expected=1))
changed(
    "a difference that nobody explains",
    r"meter/link version 3: MeterRead: refused",
    "meter_read",
    put(shown=1),
)
changed(
    "a meter opened with more",
    r"floor version \d+: MeterOpened|meter/link version 1",
    "meter_opened",
    lambda v: v["state"].update(value=v["state"]["value"] + 1),
)
changed("a meter moved by somebody else", r"meter/link version 1: ", "meter_turn", put(by=by(MAX)))
changed(
    "a meter moved by somebody else at no step",
    r"meter/link version 1: ",
    "meter_turn",
    lambda v: [v.pop("step"), v.update(by=by(MAX))],
)
changed("a meter moved in another round", r"meter/link version 1: ", "meter_turn", put(round=7))


# --- what is set up -----------------------------------------------------------------------------------

changed(
    "a submission approved by whoever filed it",
    r"floor version \d+: SubmissionApproved: refused: .*another person than",
    "submission_approved",
    put(by=by(MAX)),
)
changed(
    "a submission in effect before it was approved",
    r"floor version \d+: SubmissionApproved: refused",
    "submission_approved",
    put(effective="2025-01-01T00:00:00Z"),
)
changed(
    "a program approved by whoever proposed it",
    r"floor version \d+: ProgramApproved: refused",
    "program_approved",
    put(second=by(MAX)),
)
changed(
    "a program that was never proposed",
    r"confirmed and never done: program max eva",
    "program_approved",
    put(second=by(ADA)),
)
changed(
    "another version of the program",
    r"floor version \d+: the build .* acts as another",
    "program_approved",
    lambda v: v["program"].update(version="9.9"),
)
changed(
    "a table made with another submission",
    r"floor version \d+: TableMade|configuration",
    "table_made",
    lambda v: v["submission"]["wagers"]["main"].update(max="$5,000"),
)
changed(
    "a table made with another fingerprint",
    r"floor version \d+: TableMade",
    "table_made",
    put(rules="00" * 32),
)
changed("a table made by a dealer", r"floor version \d+: TableMade: refused", "table_made", put(by=by(DEB)))
changed("a table whose chips nobody follows", r"table/t1 version 1: ", "table_made", put(chips=False))
changed("a table of typed cards", r"table/t1 version \d+: |floor version", "table_made", put(origin="typed"))
changed(
    "another wager in what was filed",
    r"floor version \d+: ",
    "submission_filed",
    lambda v: v["submission"]["wagers"]["main"].update(max="$5,000"),
)
changed(
    "a link changed by a player", r"floor version \d+: LinkChanged: refused", "link_changed", put(by=by(ANN))
)
changed(
    "a link down twice",
    r"floor version \d+: LinkChanged: refused: .*down already",
    "link_changed",
    put(up=False),
    1,
)
changed(
    "a proposal turned down by a player",
    r"floor version \d+: ProposalClosed",
    "proposal_closed",
    put(by=by(ANN)),
    proposal="again",
)
changed(
    "a proposal turned down without a reason",
    r"floor version \d+: ProposalClosed",
    "proposal_closed",
    put(reason=""),
    proposal="again",
)
changed(
    "a proposal confirmed by its proposer",
    r"floor version \d+: ProposalClosed",
    "proposal_closed",
    put(by=by(MAX)),
    proposal="adjust",
)
changed(
    "a proposal confirmed that was not done",
    r"never done: adjust link",
    "proposal_closed",
    lambda v: [v.update(done=True), v.pop("reason")],
    proposal="again",
)
changed(
    "a proposal by a player",
    r"floor version \d+: Proposed: refused",
    "proposed",
    put(by=by(ANN)),
    proposal="adjust",
)
changed(
    "chips confirmed by another",
    r"floor version \d+: |never done",
    "proposal_closed",
    put(by=by(MAX)),
    number=10,
)


@lie(r"floor version \d+: ProposalClosed: .*no such proposal waits")
def a_proposal_closed_twice(edited: Edited) -> None:
    row = edited.find("proposal_closed", proposal="again")
    place = edited.rows.index(row) + 1
    edited.rows.insert(place, Row("floor", "!floor/0", row.body, b""))
    edited.rename()
    edited.chain()


@lie(r"floor version \d+: MeterOpened: refused: there is a meter of this name")
def a_meter_opened_twice(edited: Edited) -> None:
    row = edited.find("meter_opened")
    row = Row("floor", f"!floor/{len(edited.of('floor')) + 1}", row.body, b"")
    row.change(put(at="2026-01-04T19:00:00Z"))
    edited.rows.append(row)
    edited.chain()


@lie(r"floor version \d+: by max: .*no role|SubmissionEnded: refused")
def a_submission_ended_by_a_player(edited: Edited) -> None:
    def ended(played: Played) -> None:
        rules = next(iter(played.floor.house.effective))
        played.floor.set_up(lambda house, now: [floor_house.end_submission(house, rules, MAX, now, "over")])

    edited.play(ended)
    edited.change("submission_ended", put(by=by(ANN)))
