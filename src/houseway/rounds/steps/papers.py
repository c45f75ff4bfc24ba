"""Papers about a game kept with the table: notices of an authority, and the proof of the layout."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Final

from houseway.games.opening import Notice
from houseway.rounds.action import Action
from houseway.rounds.annotations import Ask
from houseway.rounds.choices import NoticeStatus
from houseway.rounds.marks import TableMark
from houseway.rounds.roles import FLOOR
from houseway.rounds.stage import Stage
from houseway.rounds.state import Phase, Table, changed
from houseway.rounds.step import AnyStep, CitedOutcome, Event, Situation, Step, Words, law_of
from houseway.rounds.steps.common import always, given


class RecordNotice(Action, frozen=True, tag="record_notice"):
    """A notice of an authority about the game is put on record."""

    status: Annotated[NoticeStatus, Ask("Says that the game is")]
    source: Annotated[str, Ask("Source")]
    dated: Annotated[date, Ask("Dated")]


class StoreProof(Action, frozen=True, tag="store_proof"):
    """The proof form of the layout is stored."""

    signer: Annotated[str, Ask("Signed by")]
    dated: Annotated[date, Ask("Dated")]
    width: Annotated[str, Ask("Width")] = ""
    height: Annotated[str, Ask("Height")] = ""
    verdict: Annotated[str, Ask("Verdict")] = ""


_LAW_OF_STATUS: Final = {
    NoticeStatus.UNDER_REVIEW: "review",
    NoticeStatus.CLEARED: "review",
    NoticeStatus.UNLAWFUL: "unlawful",
    NoticeStatus.CEASE: "cease",
}
"""The clauses that a procedure names for a notice, by what it says."""


# --- papers -------------------------------------------------------------------------------------------


def _notice_law(s: Situation, action: RecordNotice) -> CitedOutcome[None]:
    """A notice is kept even when the clause that it rests on is no longer in force."""
    return CitedOutcome(None, tuple(law_of(s.rules, "record_notice", _LAW_OF_STATUS[action.status])))


def _note(table: Table, event: Event[RecordNotice, None]) -> Table:
    action = event.action
    notice = Notice(status=action.status.value, source=action.source, dated=action.dated)
    return changed(table, notices=(*table.notices, notice))


STEPS: Final[tuple[AnyStep, ...]] = (
    Step(
        action=RecordNotice,
        stage=Stage.OPENING,
        by=FLOOR,
        phases=tuple(Phase),
        words=Words(
            "Record a notice",
            follows="The notice is on record and counts whenever the table is to be opened.",
        ),
        guards=(
            always("source", "a notice has its source", lambda _, action: given(action.source), "source"),
        ),
        outcome=_notice_law,
        evolve=_note,
        while_stopped=True,
    ),
    Step(
        action=StoreProof,
        stage=Stage.OPENING,
        by=FLOOR,
        phases=tuple(Phase),
        words=Words(
            "Store the proof form",
            follows="The signed proof form of the layout is on file with the table.",
        ),
        guards=(
            always("signed", "a proof form has its signer", lambda _, action: given(action.signer), "signer"),
        ),
        evolve=lambda table, _: changed(table, marks=table.marks | {TableMark.PROOF}),
        while_stopped=True,
    ),
)
