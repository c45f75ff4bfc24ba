"""Whatever is changed in a record is named, also by somebody who makes its digest fit again."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice, pairwise

import msgspec
import pytest

from houseway.errors import DataError
from houseway.games import Rules, example_submission, rules_for
from houseway.games.fingerprint import fingerprint_of
from houseway.rounds.record import Record, parse_record, write_record
from houseway.rounds.replay import difference
from tests.rounds.cardroom_drive import Driven
from tests.rounds.drive import play_some
from tests.rounds.tampering import fitted, tampered

GAMES = ("pa-575", "pa-659a", "pa-670a", "wa-fap", "ca-fpgp")
EDITS = 400
RECORDS = 12


def records(game: str) -> Iterator[Record]:
    """Yield records of rounds with irregularities."""
    if game != "ca-fpgp":
        yield from play_some(game, "tampered")
        return
    table = Driven(random.Random("tampered"), "tampered", Counter())
    while True:
        table.play_round(whole_text=False)
        assert table.live.record is not None
        yield table.live.record


def kept(record: Record) -> Record:
    """Return a record without what need not decide anything: what other tables left a meter at."""
    turns = tuple(msgspec.structs.replace(turn, meters={}) for turn in record.turns)
    return msgspec.structs.replace(record, turns=turns, digest="")


@pytest.mark.parametrize("game", GAMES)
def test_every_edit_of_a_record_is_named(game: str) -> None:
    """Four hundred edits a game; each is named, or is proven to decide nothing.

    A record is read with the one before it, which says how the table stood. Proven means: replayed with
    the edit every event, every payment and the table afterwards are the same, and what was edited is the
    value of a meter that no decision of that command depends on.
    """
    chance = random.Random(f"edits {game}")
    real = list(islice(records(game), RECORDS))
    pairs = [
        (one, other, write_record(other)) for one, other in pairwise(real) if other.before.round.number > 1
    ]
    idle = 0
    for _ in range(EDITS):
        previous, record, text = chance.choice(pairs)
        done, data = tampered(text, chance)
        with pytest.raises(DataError):  # as it stands: the digest is another, or it is no record at all
            parse_record(msgspec.json.encode(data))
        try:
            forged = parse_record(fitted(data))
        except DataError:
            continue
        found = difference(forged, previous)
        if found is None:
            assert kept(forged) == kept(record), f"{done} is not named"
            idle += 1
    assert idle <= EDITS // 100


PARTS = ("clauses", "game", "ranking", "house_way", "schedule", "readings")


@pytest.mark.parametrize("game", GAMES)
def test_the_laws_fingerprint_covers_everything_that_decides_a_round(game: str) -> None:
    rules = rules_for(example_submission(game))
    assert rules.law_fingerprint == rules_for(example_submission(game)).law_fingerprint
    for other in other_laws(rules):
        assert other.law_fingerprint != rules.law_fingerprint


def other_laws(rules: Rules) -> Iterator[Rules]:
    """Yield rules that differ in one thing each: a paytable, a procedure, a reading, the house way."""
    found, first = rules.game, rules.game.paytable[0]
    line = first.lines[0]
    lines = (line.model_copy(update={"hand": "another"}), *first.lines[1:])
    tables = (first.model_copy(update={"lines": lines}), *found.paytable[1:])
    yield replace(rules, game=found.model_copy(update={"paytable": tables}))
    step = next(iter(found.procedure))
    steps = {name: terms for name, terms in found.procedure.items() if name != step}
    yield replace(rules, game=found.model_copy(update={"procedure": steps}))
    yield replace(rules, readings={**rules.readings, "another": "reading"})


def test_a_fingerprint_sees_every_document_and_every_field_of_it() -> None:
    base = dict.fromkeys(PARTS, "text")
    hashes = {fingerprint_of(**base)} | {fingerprint_of(**(base | {part: "other"})) for part in PARTS}
    assert len(hashes) == len(PARTS) + 1
