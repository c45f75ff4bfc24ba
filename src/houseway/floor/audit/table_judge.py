"""The turns of a table decided again: a round when it is over, since only then its decks are opened."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType
from typing import Final

from houseway.build import this_build
from houseway.chips import ChipCommand, ChipConfig, ChipTurn
from houseway.errors import HousewayError
from houseway.floor.audit.entry_judge import DECIDING_ERRORS, EntryJudge
from houseway.floor.audit.persons import Persons
from houseway.floor.audit.recent_contexts import Context
from houseway.floor.batches import Answer
from houseway.floor.bodies import build_of
from houseway.floor.duties import is_confirmed
from houseway.floor.running_table import RunningTable
from houseway.floor.streams import is_practice
from houseway.floor.turns import Surroundings, TurnDecision, decide_turn
from houseway.intake import AUTO, CONFIRMED, SYSTEM_ID
from houseway.names import is_reserved
from houseway.rng import SealedDeck
from houseway.rounds.chance import Given, Moment
from houseway.rounds.codec import canonical, encode
from houseway.rounds.outcomes import Ends
from houseway.rounds.record import Turn
from houseway.rounds.replay import (
    GivenChance,
    OpenedDecks,
    StillSealedError,
    difference_in_words,
    known_meters,
)
from houseway.rounds.step import Command
from houseway.rounds.steps.meter import AdjustMeter
from houseway.store.entries import Entry

Decks = Mapping[str, SealedDeck]
NO_DECKS: Final[Decks] = MappingProxyType({})


@dataclass(frozen=True)
class TurnCase:
    """A turn of a table, the table before it, and what it was decided in."""

    entry: Entry
    turn: Turn | ChipTurn
    before: RunningTable
    contexts: tuple[Context, ...]
    """How the floor was then, and, where several servers wrote, just before."""

    @property
    def at(self) -> datetime:
        """When it was decided."""
        return self.turn.at


class TableJudge:
    """Decides the turns of one table again."""

    def __init__(self, judge: EntryJudge, chips: ChipConfig, *, decides: bool = True) -> None:
        """Judge the turns of a table; without ``decides``, only follow its rounds."""
        self._judge, self._chips, self._decides = judge, chips, decides
        self._round = list[TurnCase]()

    def see(self, case: TurnCase) -> None:
        """Take the next case; a round that is over is decided again."""
        if isinstance(case.turn, ChipTurn):
            self._decide(case, OpenedDecks(()))
            return
        self._round.append(case)
        if _ends_round(case):
            self._judge_round()

    def decide_all(self) -> None:
        """Decide what can be decided without the seals of the round in progress."""
        self._judge_round()

    def finish(self, sealed: Decks) -> None:
        """Decide what there is of a round in progress, as far as its decks can be opened."""
        self._judge_round(sealed)

    def commitments(self) -> set[str]:
        """Return what shuffles of the round in progress have committed to."""
        given = (case.turn.given for case in self._round if isinstance(case.turn, Turn))
        return {chance.commitment for chance in given if chance is not None and chance.commitment is not None}

    def forget(self) -> None:
        """Drop the round in progress, which was undone at a practice table."""
        self._round.clear()

    def _judge_round(self, sealed: Decks = NO_DECKS) -> None:
        cases, self._round = self._round, []
        played = [case.turn for case in cases if isinstance(case.turn, Turn)]
        outcomes = (event.outcome for turn in played for event in turn.events)
        decks = OpenedDecks(outcomes, sealed=sealed)
        for case in cases:
            self._decide(case, decks)

    def _decide(self, case: TurnCase, decks: OpenedDecks) -> None:
        """Decide a case again on the floor as it was; report why it is not what is recorded."""
        if not self._decides:
            return
        cause = ""
        for context in case.contexts:
            try:
                difference = next(self._differences(case, decks, context), None)
            except StillSealedError as error:
                if not _ends_round(case):
                    self._judge.note_waiting(case.entry)
                    return
                difference = str(error)
            except HousewayError as error:
                difference = f"refused: {error}"
            except DECIDING_ERRORS as error:
                difference = f"cannot be decided: {error}"
            if difference is None:
                self._judge.decided += 1
                return
            cause = cause or difference
        self._judge.report_difference(case.entry, f"{_what(case)}: {cause}")

    def _differences(self, case: TurnCase, decks: OpenedDecks, context: Context) -> Iterator[str]:
        turn = case.turn
        command = _command(case)
        yield from _who_differs(case, command, context)
        program = context.house.program if build_of(case.entry) != this_build() else None
        around = Surroundings(case.at, context.house, self._chips, context.persons.barred, program)
        given = (turn.given if isinstance(turn, Turn) else None) or Given()
        meters = known_meters(case.before.table, turn.meters) if isinstance(turn, Turn) else {}
        moment = Moment(case.at, GivenChance(given), decks.giving(given), meters)
        decided = decide_turn(case.before, command, around, moment)
        if canonical(decided.turn) != canonical(turn):
            yield difference_in_words(turn, decided.turn)
        yield from _answer_differs(case, command, decided)


def _ends_round(case: TurnCase) -> bool:
    return isinstance(case.turn, Turn) and any(isinstance(event.outcome, Ends) for event in case.turn.events)


def _command(case: TurnCase) -> Command | ChipCommand:
    turn = case.turn
    if isinstance(turn, ChipTurn):
        return ChipCommand(id=case.entry.command, by=turn.by, second=turn.second, action=turn.action)
    return Command(turn.command.by, turn.command.action, id=turn.command.id)


def _what(case: TurnCase) -> str:
    """Return a command in words: its table, round, step and id."""
    table, step = case.before.table, _command(case).action.step
    return f"table {table.id}, round {table.round.number}, {step} ({case.entry.command})"


def _answer_differs(case: TurnCase, command: Command | ChipCommand, decided: TurnDecision) -> Iterator[str]:
    """Yield that the recorded answer is not the one that is decided."""
    answer = Answer(
        command=command.id,
        table=case.before.table.id,
        version=case.entry.version,
        reports=decided.reports,
    )
    if encode(answer) != case.entry.answer:
        yield "the answer is not the one that was given"


def _takes_two(case: TurnCase, command: Command | ChipCommand) -> bool:
    """Whether a second person is named in something that is done at a licensed table."""
    if is_practice(case.before.table.id):
        return False
    if isinstance(command, ChipCommand):
        return command.second is not None
    return isinstance(command.action, AdjustMeter)


def _automat_differs(case: TurnCase, command: Command | ChipCommand, persons: Persons) -> Iterator[str]:
    """Yield why an automated actor is unknown to the system, or did what only people may do."""
    if not persons.known or is_practice(case.before.table.id):
        return
    if not is_reserved(command.by.id):
        yield f"no automated player is called {command.by.id}"
    person = getattr(command.action, "person", None)
    if isinstance(command, ChipCommand) and (person is None or persons.is_user(person)):
        yield f"an automated player moves chips of {person or 'the table'}"


def _who_differs(case: TurnCase, command: Command | ChipCommand, context: Context) -> Iterator[str]:
    """Yield why a command has a false id, or why its actor could not give it."""
    entry, persons = case.entry, context.persons
    if command.id != entry.command:
        yield f"the command is {command.id}, not {entry.command}"
    if _takes_two(case, command) and persons.known and not entry.command.startswith(CONFIRMED):
        yield "two people do this: one proposes it, and another confirms"
    if entry.command.startswith(AUTO):
        named = f"{AUTO}{entry.stream}/{entry.version}"
        if entry.command != named and not entry.command.startswith(f"{named}/"):
            yield "an automatic command is named by its place in the stream"
        if not persons.is_user(command.by.id):  # an automated player, who does not sign in
            yield from _automat_differs(case, command, persons)
            return
    if entry.command.startswith(CONFIRMED):
        if not is_confirmed(context.house, case.before.table.id, command):
            yield "nothing of the kind was proposed and waits for a second person"
    elif entry.command.startswith(SYSTEM_ID) and not entry.command.startswith(AUTO):
        yield "only the system makes such an id, and it never made this one"
    if is_practice(case.before.table.id):
        return  # anyone may practise, guests too
    named_second = getattr(command.action, "second", None)
    if persons.known and named_second is not None and not persons.is_user(named_second):
        yield f"the second person is no user here: {named_second}"
    try:
        persons.check_acts(command.by, case.at)
        second = command.second if isinstance(command, ChipCommand) else None
        if second is not None:
            persons.check_acts(second, case.at)
    except HousewayError as error:
        yield f"by {command.by.id}: {error}"
