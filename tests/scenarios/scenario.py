"""A scenario file read strictly, and played."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

import pytest
from pydantic import AfterValidator, Field, ValidationInfo, field_validator

from houseway.errors import HousewayError, InvalidInputError
from houseway.games.submission import Submission, TableChoice
from houseway.law import RefusedError, all_clauses
from houseway.law.clauses import clauses_of
from houseway.law.documents import Document, read_document
from houseway.law.readings import readings_of
from tests.games.support import Changes
from tests.rounds.books import disagreement, recorded
from tests.scenarios.doing import DOING, PERMITTED, Story
from tests.scenarios.holding import REFUSALS, THEN
from tests.scenarios.sentences import Grammar, SentenceRead

NOT_HELD = (AssertionError, HousewayError, pytest.fail.Exception)


def _known(clause: str) -> str:
    if clause not in all_clauses():
        raise InvalidInputError("no such clause", value=clause)
    return clause


def _said_in(grammar: Grammar) -> AfterValidator:
    def check(text: str) -> str:
        grammar.read(text)
        return text

    return AfterValidator(check)


def permission(text: str) -> SentenceRead | None:
    """Return a sentence that says by which clauses what happens is permitted, or nothing if it does not."""
    line = DOING.read(text)
    return line if line.sentence.template in PERMITTED else None


def _changed_table(table: dict[str, Any]) -> dict[str, Any]:
    for key in table:
        if key not in TableChoice.model_fields:
            raise InvalidInputError("unknown key", value=key)
    return table


def _changed_rules(rules: dict[str, Any]) -> dict[str, Any]:
    for path in rules:
        first = path.split(".")[0]
        if first == "table" or first not in Submission.model_fields:
            raise InvalidInputError("unknown key", value=path)
    return rules


Happening = Annotated[str, _said_in(DOING)]
Finding = Annotated[str, _said_in(THEN)]


class Scenario(Document):
    """A scenario file: every key of it known, every sentence of it in the grammar."""

    title: str = Field(min_length=1)
    game: Literal["pa-575", "pa-659a", "pa-670a", "wa-fap", "ca-fpgp"]
    readings: tuple[str, ...] = ()
    table: Annotated[dict[str, Any], AfterValidator(_changed_table)] = {}
    rules: Annotated[dict[str, Any], AfterValidator(_changed_rules)] = {}
    given: tuple[Happening, ...] = ()
    when: tuple[Happening, ...] = Field(min_length=1)
    clauses: tuple[Annotated[str, AfterValidator(_known)], ...] = Field(default=(), validate_default=True)
    then: tuple[Finding, ...] = Field(min_length=1)

    @field_validator("readings")
    @classmethod
    def _of_the_game(cls, readings: tuple[str, ...], info: ValidationInfo) -> tuple[str, ...]:
        game = info.data.get("game", "")
        for reading in readings:
            if reading not in {known.id for known in readings_of(game)}:
                raise InvalidInputError(f"not a reading of {game}", value=reading)
        return readings

    @field_validator("clauses")
    @classmethod
    def _of_one_chapter(cls, clauses: tuple[str, ...], info: ValidationInfo) -> tuple[str, ...]:
        game = info.data.get("game", "")
        permits = any(map(permission, info.data.get("when", ())))
        if not (clauses or permits or info.data.get("readings")):
            raise InvalidInputError("it shows a clause, or a reading where the law is silent", value="none")
        law = clauses_of(game) if game else all_clauses()
        for clause in clauses:
            if clause not in law:
                raise InvalidInputError(f"not a clause of {game}", value=clause)
        return clauses

    def sentences(self) -> list[SentenceRead]:
        """Return every sentence, in order."""
        return [*map(DOING.read, (*self.given, *self.when)), *map(THEN.read, self.then)]

    def changes(self) -> Changes:
        """Return what differs from the game's example submission."""
        return {f"table.{key}": value for key, value in self.table.items()} | self.rules


def read_scenario(path: Path) -> Scenario:
    """Read a scenario file, or refuse it by file and sentence."""
    return read_document(Scenario, path)


def play(scenario: Scenario, name: str) -> None:
    """Play a scenario; whatever does not hold is named by file and sentence."""
    story = begin(scenario, name)
    *first, last = map(DOING.read, scenario.when)
    findings = [THEN.read(text) for text in scenario.then]
    for line in first:
        run(story, line, f"{name}: when")
    if any(line.sentence in REFUSALS.sentences for line in findings):
        be_refused(story, last, f"{name}: when")
    else:
        run(story, last, f"{name}: when")
    for line in findings:
        run(story, line, f"{name}: then")
    comes_out_on_paper(story, name)


def begin(scenario: Scenario, name: str, without: tuple[str, ...] = ()) -> Story:
    """Return the story as far as *given* tells it, by the rules without some clauses."""
    story = Story.at(scenario.game, scenario.changes())
    story.table.strike(*without)
    for text in scenario.given:
        run(story, DOING.read(text), f"{name}: given")
    story.before = story.state
    return story


def run(story: Story, line: SentenceRead, where: str) -> None:
    """Do what a sentence says, or find that it holds."""
    try:
        line.sentence.run(story, *line.values)
    except NOT_HELD as error:
        raise AssertionError(f"{where}: {line.text!r}: {error}") from error


def be_refused(story: Story, line: SentenceRead, where: str) -> None:
    """Try what is to be refused; nothing may change by it."""
    before, recorded = story.state, len(story.table.log)
    try:
        line.sentence.run(story, *line.values)
    except RefusedError as error:
        story.refused_by = error.clauses
    except NOT_HELD as error:
        raise AssertionError(f"{where}: {line.text!r}: {error}") from error
    assert story.refused_by is not None, f"{where}: {line.text!r}: it is not refused"
    unchanged = story.state is before and len(story.table.log) == recorded
    assert unchanged, f"{where}: {line.text!r}: it is refused, and yet something changed"


def comes_out_on_paper(story: Story, name: str) -> None:
    """A round that has ended replays from its record, and its steps have paid what the whole round pays."""
    if story.state.last is None:
        return
    try:
        assert story.table.live.record is not None
        recorded(story.table.live.record)
        differences = disagreement(story.state.rules, story.state.last)
        assert not differences, f"its steps and its settlement disagree: {differences}"
    except NOT_HELD as error:
        raise AssertionError(f"{name}: the round cannot be written down: {error}") from error
