"""Routes of rules submissions: filing or judging one, and the state of each."""

from __future__ import annotations

from typing import Any

from msgspec import Struct
from starlette.responses import Response

from houseway.errors import InvalidInputError, UnknownNameError
from houseway.floor.duties import ask
from houseway.floor.filings import FiledRules, filings, setup_events
from houseway.floor.tasks import FileSubmission
from houseway.games import Submission, differences, verify_submission
from houseway.intake import check_amounts, read_plain
from houseway.law.documents import as_document, parse_toml
from houseway.law.problems import refuse
from houseway.rounds.codec import from_plain
from houseway.service.api.call import Call, json
from houseway.service.api.problem_json import problem_rows

CREATED = 201
WHERE = "submission"


class Filed(Struct, frozen=True, forbid_unknown_fields=True):
    """A submission as a TOML document or as plain data, to be filed or only judged."""

    toml: str = ""
    submission: dict[str, Any] | None = None
    only_check: bool = False


async def file_submission(call: Call) -> Response:
    """File rules for tables, or only judge them; unlawful ones are refused with every reason."""
    body, by, floor = await call.body(Filed), call.caller.actor, call.server.loop.floor
    submitted = _read(body)
    problems = verify_submission(submitted)
    warnings = problem_rows(problem for problem in problems if not problem.blocks)
    if any(problem.blocks for problem in problems):
        refuse(WHERE, problems)
    if not body.only_check:
        await call.between(lambda: ask(floor, FileSubmission(submitted), by, ""))
    outcome = {
        "submission": submitted.fingerprint(),
        "reference": submitted.reference,
        "filed": not body.only_check,
        "warnings": warnings,
    }
    return json(outcome, 200 if body.only_check else CREATED)


def _read(body: Filed) -> Submission:
    if bool(body.toml) is (body.submission is not None):
        raise InvalidInputError("a submission is sent as toml, or as plain data")
    if body.submission is not None:
        submitted = from_plain(Submission, body.submission, WHERE)
    else:
        document = read_plain(parse_toml(body.toml.encode(), WHERE), "toml")
        submitted = as_document(Submission, document, WHERE, lines=False)
    check_amounts(submitted, WHERE)
    return submitted


async def submissions(call: Call) -> Response:
    """Return the filed rules with their states."""
    return json([_row(call, filing) for filing in (await _filings(call)).values()])


async def submission(call: Call) -> Response:
    """Return filed rules in full, with their changes from those filed before for the same game."""
    known, name = await _filings(call), call.path_part("submission")
    if name not in known:
        raise UnknownNameError("no such submission is filed", value=name)
    filing = known[name]
    earlier = [
        other_filing
        for other_filing in known.values()
        if other_filing.submission.game == filing.submission.game
    ]
    before = earlier[: earlier.index(filing)][-1:]
    changes = [
        {"field": field, "before": old, "after": new}
        for other in before
        for field, old, new in differences(other.submission, filing.submission)
    ]
    return json({**_row(call, filing), "document": filing.submission, "changes": changes})


async def _filings(call: Call) -> dict[str, FiledRules]:
    store = call.server.loop.floor.store
    return filings(await call.between(lambda: setup_events(store)))


def _row(call: Call, filing: FiledRules) -> dict[str, Any]:
    return {
        "submission": filing.rules,
        "game": filing.submission.game,
        "reference": filing.submission.reference,
        "holder": filing.submission.holder,
        "law_as_of": filing.submission.law_as_of,
        "state": filing.state(call.server.loop.floor.clock()),
        "filed_by": filing.filed_by,
        "filed_at": filing.filed_at,
        "approved_by": filing.approved_by,
        "approved_at": filing.approved_at,
        "effective": filing.effective if filing.ended_at is None else None,
        "ended_at": filing.ended_at,
        "ended_by": filing.ended_by,
        "reason": filing.reason,
        "tables": filing.tables,
    }
