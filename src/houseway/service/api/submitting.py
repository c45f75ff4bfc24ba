"""Rules submissions: filed as a document, judged by the law, and what became of each."""

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
from houseway.service.api.problems import reasons_of

CREATED = 201
WHERE = "submission"


class Filed(Struct, frozen=True, forbid_unknown_fields=True):
    """A submission as a TOML document or as plain data, to be filed or only judged."""

    toml: str = ""
    submission: dict[str, Any] | None = None
    only_check: bool = False


async def file_submission(call: Call) -> Response:
    """File rules for tables, or only have them judged; what no law permits is refused for every reason."""
    asked, by, floor = await call.body(Filed), call.who.actor, call.server.loop.floor
    found = _read(asked)
    problems = verify_submission(found)
    warnings = reasons_of(problem for problem in problems if not problem.blocks)
    if any(problem.blocks for problem in problems):
        refuse(WHERE, problems)
    if not asked.only_check:
        await call.between(lambda: ask(floor, FileSubmission(found), by, ""))
    told = {
        "submission": found.fingerprint(),
        "reference": found.reference,
        "filed": not asked.only_check,
        "warnings": warnings,
    }
    return json(told, 200 if asked.only_check else CREATED)


def _read(asked: Filed) -> Submission:
    if bool(asked.toml) is (asked.submission is not None):
        raise InvalidInputError("a submission is sent as toml, or as plain data")
    if asked.submission is not None:
        found = from_plain(Submission, asked.submission, WHERE)
    else:
        document = read_plain(parse_toml(asked.toml.encode(), WHERE), "toml")
        found = as_document(Submission, document, WHERE, lines=False)
    check_amounts(found, WHERE)
    return found


async def submissions(call: Call) -> Response:
    """The rules that were filed, and what became of each."""
    return json([_row(call, one) for one in (await _filings(call)).values()])


async def submission(call: Call) -> Response:
    """Rules that were filed, whole, and in what they differ from those filed before for the same game."""
    known, name = await _filings(call), call.named("submission")
    if name not in known:
        raise UnknownNameError("no such submission is filed", value=name)
    one = known[name]
    earlier = [x for x in known.values() if x.submission.game == one.submission.game]
    before = earlier[: earlier.index(one)][-1:]
    changes = [
        {"field": field, "before": old, "after": new}
        for other in before
        for field, old, new in differences(other.submission, one.submission)
    ]
    return json({**_row(call, one), "document": one.submission, "changes": changes})


async def _filings(call: Call) -> dict[str, FiledRules]:
    store = call.server.loop.floor.store
    return filings(await call.between(lambda: setup_events(store)))


def _row(call: Call, one: FiledRules) -> dict[str, Any]:
    return {
        "submission": one.rules,
        "game": one.submission.game,
        "reference": one.submission.reference,
        "holder": one.submission.holder,
        "law_as_of": one.submission.law_as_of,
        "state": one.state(call.server.loop.floor.clock()),
        "filed_by": one.filed_by,
        "filed_at": one.filed_at,
        "approved_by": one.approved_by,
        "approved_at": one.approved_at,
        "effective": one.effective if one.ended_at is None else None,
        "ended_at": one.ended_at,
        "ended_by": one.ended_by,
        "reason": one.reason,
        "tables": one.tables,
    }
