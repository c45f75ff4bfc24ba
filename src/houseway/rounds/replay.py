"""Replay: every command of a record is decided again, and the first difference of any kind is named."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from houseway.cards import CardError, Cards
from houseway.errors import LONGEST_NAME, LONGEST_PLACE, DataError, HousewayError, IllegalError, shortened
from houseway.games import Rules, rules_for
from houseway.law.problems import RefusedError
from houseway.meters import MeterState
from houseway.rng import SealedDeck
from houseway.rounds.chance import Given, Moment, draw_from, noting
from houseway.rounds.codec import canonical, plain
from houseway.rounds.deciding import decide, evolve_all
from houseway.rounds.outcomes import Ends, Moves, Outcome
from houseway.rounds.record import (
    Record,
    Turn,
    digest_of,
    ends_round,
    first_difference,
    make_turn,
    record_id,
    table_hash,
)
from houseway.rounds.state import MeterId, Phase, Round, Table
from houseway.rounds.step import AnEvent, Command
from houseway.rounds.steps.adoption import RulesAdopted

LONGEST_SAID: Final = 80


class StillSealedError(IllegalError):
    """A card is asked for of a deck whose seal no one has opened yet."""


class NotReplayedError(DataError):
    """A record that does not follow from itself; ``cause`` names the first difference."""


def verify_replay(record: Record) -> Table:
    """Return the table after the round, or refuse a record that differs from what its commands decide."""
    reason = difference(record)
    if reason:
        raise NotReplayedError(reason, where=record.id)
    return evolve_all(record.before, (event for turn in record.turns for event in turn.events))


def difference(record: Record, previous: Record | None = None) -> str | None:
    """Return the first difference between a record and what its own commands decide; nothing if it replays.

    With the record of the round before, the table must begin as that round left it.
    """
    if previous is not None and table_hash(record.before) != previous.after:
        return f"the table is not as the round {_name(previous.id)} left it"
    return next(_differences(record), None)


def _differences(record: Record) -> Iterator[str]:
    if record.digest != digest_of(plain(record)):
        yield "the record has been changed since it was written: its digest is another"
    if record.id != record_id(record.before):
        yield f"the round is {_name(record_id(record.before))}, not {_name(record.id)}"
    try:
        rules = rules_for(record.submission)
    except HousewayError as error:
        yield f"the submission is not lawful: {error}"
        return
    if rules.fingerprint != record.before.submission:
        yield "the submission is not the one that the table played by"
    if rules.law_fingerprint != record.before.law:
        laws = f"{record.before.law[:16]}…, not {rules.law_fingerprint[:16]}…"
        yield f"the round was played by another law: {laws}"
    begins = Round(number=record.before.round.number, bank_seat=record.before.round.bank_seat)
    if record.before.round != begins or record.before.phase not in (Phase.CLOSED, Phase.BETTING):
        yield "a record begins between two rounds, and something of this one is done already"
    ids = Counter(turn.command.id for turn in record.turns)
    if ids and max(ids.values()) > 1:
        yield f"two commands have the same name: {_name(ids.most_common(1)[0][0])}"
    ends = [number for number, turn in enumerate(record.turns, start=1) if any(map(ends_round, turn.events))]
    if ends != [len(record.turns)]:
        yield f"a record ends with its round and no other: {ends} of {len(record.turns)} commands end one"
    outcomes: list[Outcome | None] = [event.outcome for turn in record.turns for event in turn.events]
    for seal in (outcome.seal for outcome in outcomes if isinstance(outcome, Ends)):
        if seal is not None and sorted(seal.order) != sorted(rules.game.cards().cards):
            yield "the sealed deck is not the deck of the game"
    yield from _decide_again(record, rules)


def _decide_again(record: Record, rules: Rules) -> Iterator[str]:
    table, meters, last = record.before, dict[MeterId, MeterState](), record.turns[0].at
    cards = OpenedDecks(event.outcome for turn in record.turns for event in turn.events)
    for number, turn in enumerate(record.turns, start=1):
        command = Command(turn.command.by, turn.command.action, id=turn.command.id)
        where = f"command {number}, {command.step}"
        if turn.at < last:
            yield f"{where}: {turn.at} is before the command before it, {last}"
        meters, last = {**meters, **turn.meters}, turn.at
        given = turn.given or Given()
        try:
            recorded = Moment(turn.at, GivenChance(given), cards.giving(given), known_meters(table, meters))
            moment, notes = noting(recorded)
            events = decide(rules, table, command, moment)
        except RefusedError as error:
            yield f"{where}: refused: {error}"
            return
        except (HousewayError, LookupError, ValueError, TypeError) as error:
            yield f"{where}: cannot be decided: {error}"
            return
        yield from compare_turns(where, turn, make_turn(table, command, notes.given, events, moment))
        table = evolve_all(table, events)
        rules, meters = rules_after(rules, events), meters_after(meters, events)
    if table_hash(table) != record.after:
        yield "the table after the round is another than the one recorded"


def known_meters(table: Table, meters: Mapping[MeterId, MeterState]) -> Mapping[MeterId, MeterState]:
    """Return the meters as far as the record tells of them; where it does not, nothing depends on them."""
    return meters if table.meter is None or table.meter in meters else {**meters, table.meter: MeterState(0)}


def compare_turns(where: str, was: Turn, now: Turn) -> Iterator[str]:
    """Name the first difference between what is recorded of a command and what is decided."""
    if len(was.events) != len(now.events):
        yield f"{where}: {len(now.events)} events come of it, and {len(was.events)} are recorded"
    for index, (recorded, decided) in enumerate(zip(was.events, now.events, strict=False), start=1):
        if canonical(recorded) != canonical(decided):
            yield f"{where}: event {index}, {difference_in_words(recorded, decided)}"
    if (was.given, was.meters) != (now.given, now.meters):
        yield f"{where}: {difference_in_words((was.given, was.meters), (now.given, now.meters))}"


def difference_in_words(recorded: object, decided: object) -> str:
    """Return where what is recorded first differs from what is decided."""
    place, was, now = first_difference(plain(recorded), plain(decided)) or ("", recorded, decided)
    return f"{shortened(place, LONGEST_PLACE)}: {_show_value(now)} is decided, {_show_value(was)} is recorded"


def _name(text: str) -> str:
    return shortened(text, LONGEST_NAME)


def _show_value(value: Any) -> str:  # noqa: ANN401 - plain data
    return "nothing" if value is None else shortened(str(value), LONGEST_SAID)


def rules_after(rules: Rules, events: tuple[AnEvent, ...]) -> Rules:
    """Return the rules that a table goes on under after events."""
    for event in events:
        if isinstance(event.outcome, RulesAdopted):
            rules = Rules.of(event.outcome.submission)
    return rules


def meters_after(
    meters: Mapping[MeterId, MeterState], events: tuple[AnEvent, ...]
) -> dict[MeterId, MeterState]:
    """Return meters as events leave them."""
    after = dict(meters)
    for event in events:
        if isinstance(event.outcome, Moves) and event.outcome.meter is not None:
            after[event.outcome.meter.meter] = event.outcome.meter.after
    return after


class GivenChance:
    """Dice and numbers as a record gives them."""

    def __init__(self, given: Given) -> None:
        self._given = given

    def dice(self, count: int) -> tuple[int, ...]:
        """Return the dice that fell."""
        faces = self._given.dice
        if len(faces) != count or not all(1 <= face <= 6 for face in faces):  # noqa: PLR2004 - a die's faces
            raise IllegalError(f"{count} dice fell", value=str(faces))
        return faces

    def number(self, most: int) -> int:
        """Return the number that was drawn."""
        number = self._given.number
        if number is None or not 1 <= number <= most:
            raise IllegalError(f"a number from 1 to {most} was drawn", value=str(number))
        return number


class OpenedDecks:
    """The decks whose seals a record opens: each must be what was committed to before the deal."""

    def __init__(
        self,
        outcomes: Iterable[Any],
        given: Given | None = None,
        sealed: Mapping[str, SealedDeck] | None = None,
    ) -> None:
        self._given = given or Given()
        self._sealed = dict(sealed or {})
        for outcome in outcomes:
            if isinstance(outcome, Ends) and outcome.seal is not None:
                self._keep(outcome.seal.commitment, outcome.seal.order, outcome.seal.nonce)

    def _keep(self, commitment: str, order: Cards, nonce: str) -> None:
        try:
            sealed = SealedDeck(order, bytes.fromhex(nonce))
        except (CardError, HousewayError, ValueError):
            return
        if sealed.opens(commitment):
            self._sealed[commitment] = sealed

    def giving(self, given: Given) -> OpenedDecks:
        """Return the same decks, with what chance gave a shuffle."""
        decks = OpenedDecks((), given)
        decks._sealed = self._sealed
        return decks

    def shuffle(self, _: Cards) -> str:
        """Return what the shuffle committed to."""
        if self._given.commitment is None:
            raise IllegalError("a shuffle commits to an order")
        return self._given.commitment

    def draw(self, commitment: str, at: int, count: int) -> Cards:
        """Return cards of a sealed order, from a place counted round and round."""
        return draw_from(self.open(commitment), at, count)

    def open(self, commitment: str) -> SealedDeck:
        """Return the deck that was committed to."""
        if commitment not in self._sealed:
            raise StillSealedError("no deck that opens this seal is recorded", value=f"{commitment[:16]}…")
        return self._sealed[commitment]
