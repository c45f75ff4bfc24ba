"""The form of an entry: that it is written as the build it names writes it."""

from __future__ import annotations

import re
from typing import Final

import msgspec

from houseway.build import LENGTH, this_build
from houseway.floor.audit.entry_judge import LieError
from houseway.floor.bodies import SCHEMA, build_of, write_body
from houseway.floor.event_kinds import Body
from houseway.floor.floor_books import place
from houseway.floor.house import this_program
from houseway.floor.setup_events import Program
from houseway.rounds.codec import canonical
from houseway.store.entries import Entry

FIRST_SCHEMA: Final = 3
"""The schema by which entries first said which build had made them."""
_BUILD: Final = re.compile(rf"[0-9a-f]{{{LENGTH}}}")
_PARTS: Final = {"build", "kind", "schema", "value"}


def check_form(entry: Entry, body: Body, *, covers_answer: bool) -> None:
    """Refuse an entry that no program has written in this form, whatever its contents.

    An earlier program named no build and left answers out of its hashes: either both are there, or neither.
    """
    build = build_of(entry)
    if bool(build) is not covers_answer:
        cause = "has not covered its answer" if build else "that covers its answer has not said which it is"
        raise LieError(f"a program {cause}", where=place(entry.stream, entry.version))
    if build == this_build():
        as_written = write_body(body) == entry.body
    else:
        as_written = not build or _is_written(entry, build)
    if not as_written:
        cause = "the entry is not in the form in which a program writes it"
        raise LieError(cause, where=place(entry.stream, entry.version))


def _is_written(entry: Entry, build: str) -> bool:
    """Whether another build may have written an entry: in the one form that its content has."""
    data = msgspec.json.decode(entry.body)
    schema = data.get("schema", 0)
    return (
        _BUILD.fullmatch(build) is not None
        and data.keys() == _PARTS
        and FIRST_SCHEMA <= schema <= SCHEMA
        and canonical(data) == entry.body
    )


class Builds:
    """The program of each build, which must always be the same."""

    def __init__(self) -> None:
        self._programs = {this_build(): this_program()}

    def check_program(self, entry: Entry, program: Program | None) -> None:
        """Note the program that a build has acted as, or raise that it was another before."""
        build = build_of(entry)
        if not build or program is None:
            return
        known = self._programs.setdefault(build, program)
        if known != program:
            cause = (
                f"the build {build} is of version {known.version}, law {known.law[:16]}…, and acts as another"
            )
            raise LieError(cause, value=program.version, where=place(entry.stream, entry.version))
