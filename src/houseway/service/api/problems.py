"""What is said when something is refused: problem+json, with every reason and its clauses, and no secret."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

import msgspec
from starlette.responses import Response

from houseway.errors import HousewayError, IllegalError, InvalidInputError, UnknownNameError, shortened
from houseway.floor.batches import Answer
from houseway.law.problems import Problem, RefusedError
from houseway.service.api.gate import NotLetInError
from houseway.service.coaching import NoCoachError

MEDIA: Final = "application/problem+json"
BAD, UNKNOWN, TOO_LATE, REFUSED, TOO_LARGE = 400, 404, 408, 409, 413
NOT_SIGNED_IN, NOT_YOURS, WAIT, BROKEN, STOPPING = 401, 403, 429, 500, 503


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


def from_answer(answer: Answer) -> Response:
    """Return the answer to a command as it is told."""
    if answer.refused:
        return refused(answer.refused)
    if answer.fault:
        return problem(BAD, shortened(answer.fault))
    told = {"command": answer.command, "table": answer.table, "version": answer.version}
    return Response(msgspec.json.encode(told), media_type="application/json")


def from_error(error: HousewayError) -> Response:
    """Return an error of ours as it is told."""
    if isinstance(error, RefusedError):
        return refused(error.problems)
    if isinstance(error, NotLetInError):
        response = problem(WAIT if error.wait else NOT_SIGNED_IN, str(error))
        response.headers.update({"retry-after": str(error.wait)} if error.wait else {})
        return response
    if isinstance(error, NoCoachError):
        response = problem(STOPPING, str(error))
        response.headers["retry-after"] = str(error.wait)
        return response
    statuses: Mapping[type[HousewayError], int] = {
        UnknownNameError: UNKNOWN,
        IllegalError: REFUSED,
        InvalidInputError: BAD,
    }
    status = next((found for kind, found in statuses.items() if isinstance(error, kind)), BAD)
    return problem(status, shortened(str(error)), clauses=list(error.clauses))
