"""Refusals and errors as problem+json, with every reason and its clauses, and no secret."""

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
from houseway.service.api.auth import PreconditionError, SignInError
from houseway.service.coach_process import NoCoachError
from houseway.service.sign_in_rules import NotProvedError
from houseway.store.store_errors import OutcomeUnknownError, StoreError, UnstorableError

MEDIA: Final = "application/problem+json"
BAD, UNKNOWN, TOO_LATE, REFUSED, TOO_LARGE = 400, 404, 408, 409, 413
NOT_SIGNED_IN, NOT_YOURS, WAIT, BROKEN, STOPPING, NO_ANSWER = 401, 403, 429, 500, 503, 504
LATER: Final = (STOPPING, NO_ANSWER)
"""The statuses of failures that another try may pass."""


def problem_response(status: int, title: str, **more: Any) -> Response:  # noqa: ANN401 - any plain data
    """Return a problem+json response."""
    body = {"type": "about:blank", "status": status, "title": title, **more}
    return Response(msgspec.json.encode(body), status, media_type=MEDIA)


def refusal_response(problems: Iterable[Problem]) -> Response:
    """Return a refusal by the rules of a game or of the floor, with every reason and its clauses."""
    return problem_response(REFUSED, "refused", problems=problem_rows(problems))


def problem_rows(problems: Iterable[Problem]) -> list[dict[str, Any]]:
    """Return problems as they are sent, each with its clauses."""
    return [
        {
            "field": problem.field,
            "reason": problem.reason,
            "value": problem.value,
            "clauses": list(problem.clauses),
        }
        for problem in problems
    ]


_FAULTS: Final = {
    Fault.MEANINGLESS: BAD,
    Fault.BROKEN: BROKEN,
    Fault.UNREADABLE: BROKEN,
    Fault.LATE: STOPPING,
    Fault.UNKNOWN: NO_ANSWER,
}


def answer_response(answer: Answer) -> Response:
    """Return the response for the answer to a command."""
    if answer.refused:
        return refusal_response(answer.refused)
    if answer.kind is Fault.CONFLICT:
        first = {} if answer.first is None else {"first": msgspec.to_builtins(answer.first)}
        return problem_response(REFUSED, answer.fault, field="id", **first)
    if answer.fault:
        status = _FAULTS[answer.kind]
        return (
            retry_response(status, shortened(answer.fault))
            if status in LATER
            else problem_response(status, shortened(answer.fault))
        )
    done = {"command": answer.command, "table": answer.table, "version": answer.version}
    return Response(msgspec.json.encode(done), media_type="application/json")


def retry_response(status: int, title: str, seconds: int = 1) -> Response:
    """Return a response that asks to try again after some seconds."""
    response = problem_response(status, title)
    response.headers["retry-after"] = str(seconds)
    return response


def _store_response(error: StoreError) -> Response:
    """Return the response for a database failure."""
    if isinstance(error, OutcomeUnknownError):
        return retry_response(
            NO_ANSWER, "it is not known yet whether it was done: check before you try again"
        )
    if isinstance(error, UnstorableError):
        return problem_response(BAD, str(error))
    return retry_response(STOPPING, "the database does not answer, and nothing was changed: ask again")


def error_response(error: HousewayError) -> Response:
    """Return the response for an error of ours."""
    if isinstance(error, RefusedError):
        return refusal_response(error.problems)
    if isinstance(error, SignInError | NotProvedError):
        return _sign_in_response(error)
    if isinstance(error, PreconditionError):
        return problem_response(NOT_YOURS, str(error), must=error.must)
    if isinstance(error, NoCoachError | BusyError):
        return retry_response(STOPPING, str(error), error.wait)
    if isinstance(error, StoreError):
        return _store_response(error)
    statuses: Mapping[type[HousewayError], int] = {
        UnknownNameError: UNKNOWN,
        IllegalError: REFUSED,
        InvalidInputError: BAD,
    }
    status = next((status for kind, status in statuses.items() if isinstance(error, kind)), BAD)
    field = {"field": shortened(error.where)} if isinstance(error, IntakeError) and error.where else {}
    return problem_response(status, shortened(str(error)), clauses=list(error.clauses), **field)


def _sign_in_response(error: SignInError | NotProvedError) -> Response:
    """Return the response for a refused sign-in or a refused renewed proof."""
    if isinstance(error, NotProvedError):
        wait, status, must = error.refusal.seconds, REFUSED, None
    else:
        wait, status, must = error.wait, NOT_SIGNED_IN, error.must
    if wait:
        return retry_response(WAIT, str(error), wait)
    return problem_response(status, str(error), **({} if must is None else {"must": must}))
