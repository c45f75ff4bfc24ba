"""A game's procedure as a document: which steps it has, and the clauses behind each of their conditions.

``[procedure.wash]`` says that the game has the step *wash*; its ``law`` names the clauses that order
the step, every other key a condition on it. Where the law says the same thing once for each way of
dealing, the clauses stand under the name of that way. A condition that the document does not name
does not bind the game. A step that is ``like`` another has its conditions too.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import PlainValidator

from houseway.errors import DataError
from houseway.law.citations import UNCITED, Cites
from houseway.law.clauses import find_clause

ByWay = dict[str, Cites]
"""Clauses by the way of dealing."""


def _citations(data: object, where: str) -> Cites:
    if not isinstance(data, list | tuple) or not all(isinstance(name, str) for name in data):
        raise DataError("a list of clauses is needed", value=str(data), where=where)
    for name in data:
        if find_clause(name) is None:
            raise DataError("no such clause", value=name, where=where)
    return Cites(data)


def _condition(data: object, where: str) -> Cites | ByWay:
    if isinstance(data, Mapping):
        return {str(way): _citations(law, f"{where}.{way}") for way, law in data.items()}
    return _citations(data, where)


def _steps(data: object) -> Any:  # noqa: ANN401 - what pydantic asks for
    if not isinstance(data, Mapping):
        raise DataError("steps by name are needed", value=str(data))
    return {str(step): _terms(data, str(step), terms) for step, terms in data.items()}


def _terms(data: Mapping[str, Any], step: str, terms: Mapping[str, Any]) -> dict[str, Cites | ByWay]:
    """Return a step's conditions; ``like`` takes over those of another step."""
    other = terms.get("like")
    if other is not None and other not in data:
        raise DataError("no such step to be like", value=str(other), where=step)
    own = {str(key): _condition(terms[key], f"{step}.{key}") for key in terms if key != "like"}
    return _terms(data, other, data[other]) | own if other is not None else own


Steps = Annotated[dict[str, dict[str, Cites | ByWay]], PlainValidator(_steps)]
"""The steps of a game: for each, its conditions and their clauses."""


def clauses_for(steps: Steps, step: str, condition: str, way: str | None) -> Cites:
    """Return the clauses behind a condition on a step, at a table that deals this way."""
    citation = steps.get(step, {}).get(condition, UNCITED)
    return citation if isinstance(citation, Cites) else citation.get(way or "", UNCITED)
