"""What is said when something is refused: problem+json, with every reason and its clauses, and no secret."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

import msgspec
from starlette.responses import Response

from houseway.errors import HousewayError, IllegalError, InvalidInputError, UnknownNameError, shortened
from houseway.floor.batches import Answer, Fault
from houseway.intake import IntakeError
from houseway.law.problems import Problem, RefusedError
from houseway.runtime import BusyError
from houseway.service.api.gate import MustError, NotLetInError
from houseway.service.coaching import NoCoachError
from houseway.service.signing_in import NotProvedError
from houseway.store.store_errors import OutcomeUnknownError, StoreError, UnstorableError

MEDIA: Final = "application/problem+json"
BAD, UNKNOWN, TOO_LATE, REFUSED, TOO_LARGE = 400, 404, 408, 409, 413
NOT_SIGNED_IN, NOT_YOURS, WAIT, BROKEN, STOPPING, NO_ANSWER = 401, 403, 429, 500, 503, 504
LATER: Final = (STOPPING, NO_ANSWER)
"""What asking again helps against."""


def problem(status: int, title: str, **more: Any) -> Response:  # noqa: ANN401 - any plain data
    """Return a refusal."""
    body = {"type": "about:blank", "status": status, "title": title, **more}
    return Response(msgspec.json.encode(body), status, media_type=MEDIA)


def refused(problems: Iterable[Problem]) -> Response:
    """Return a refusal by the rules of the game or of the floor, every reason with its clauses."""
    return problem(REFUSED, "refused", problems=reasons_of(problems))


def reasons_of(problems: Iterable[Problem]) -> list[dict[str, Any]]:
    """Return reasons as they are told, each with its clauses."""
    return [
        {"field": one.field, "reason": one.reason, "value": one.value, "clauses": list(one.clauses)}
        for one in problems
    ]


_FAULTS: Final = {
    Fault.MEANINGLESS: BAD,
    Fault.BROKEN: BROKEN,
    Fault.UNREADABLE: BROKEN,
    Fault.LATE: STOPPING,
    Fault.UNKNOWN: NO_ANSWER,
}


def from_answer(answer: Answer) -> Response:
    """Return the answer to a command as it is told."""
    if answer.refused:
        return refused(answer.refused)
    if answer.kind is Fault.CONFLICT:
        first = {} if answer.first is None else {"first": msgspec.to_builtins(answer.first)}
        return problem(REFUSED, answer.fault, field="id", **first)
    if answer.fault:
        status = _FAULTS[answer.kind]
        return (
            later(status, shortened(answer.fault))
            if status in LATER
            else problem(status, shortened(answer.fault))
        )
    told = {"command": answer.command, "table": answer.table, "version": answer.version}
    return Response(msgspec.json.encode(told), media_type="application/json")


def later(status: int, title: str, seconds: int = 1) -> Response:
    """Return that asking again helps, and when."""
    response = problem(status, title)
    response.headers["retry-after"] = str(seconds)
    return response


def _from_store(error: StoreError) -> Response:
    """Return what a database did not do, as it is told."""
    if isinstance(error, OutcomeUnknownError):
        return later(NO_ANSWER, "it is not known yet whether it was done: look before you ask again")
    if isinstance(error, UnstorableError):
        return problem(BAD, str(error))
    return later(STOPPING, "the database does not answer, and nothing was changed: ask again")


def from_error(error: HousewayError) -> Response:
    """Return an error of ours as it is told."""
    if isinstance(error, RefusedError):
        return refused(error.problems)
    if isinstance(error, NotLetInError | NotProvedError):
        return _not_proved(error)
    if isinstance(error, MustError):
        return problem(NOT_YOURS, str(error), must=error.must)
    if isinstance(error, NoCoachError | BusyError):
        return later(STOPPING, str(error), error.wait)
    if isinstance(error, StoreError):
        return _from_store(error)
    statuses: Mapping[type[HousewayError], int] = {
        UnknownNameError: UNKNOWN,
        IllegalError: REFUSED,
        InvalidInputError: BAD,
    }
    status = next((found for kind, found in statuses.items() if isinstance(error, kind)), BAD)
    field = {"field": shortened(error.where)} if isinstance(error, IntakeError) and error.where else {}
    return problem(status, shortened(str(error)), clauses=list(error.clauses), **field)


def _not_proved(error: NotLetInError | NotProvedError) -> Response:
    """Return why somebody has not proved who they are: at the door, or once more when they are inside."""
    if isinstance(error, NotProvedError):
        wait, status, must = error.refusal.seconds, REFUSED, None
    else:
        wait, status, must = error.wait, NOT_SIGNED_IN, error.must
    if wait:
        return later(WAIT, str(error), wait)
    return problem(status, str(error), **({} if must is None else {"must": must}))
