"""Builds the dispute packet of a round in the log."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any

import msgspec

from houseway import __version__
from houseway.errors import UnknownNameError
from houseway.floor.packets import model
from houseway.floor.packets.happenings import Happening, person, read_happenings, step_of
from houseway.floor.packets.packet_hands import dealer_of, find_setters, hand_of, open_hands
from houseway.floor.packets.packet_money import meters_of, moves_of, totals_of
from houseway.floor.packets.packet_proof import chain_of, seals_of
from houseway.floor.round_search import LoggedRound
from houseway.law.clauses import cite
from houseway.rounds.explain import Story
from houseway.rounds.record import write_record
from houseway.rounds.replay import difference
from houseway.rounds.state import Round, Table


def make_packet(logged: LoggedRound, now: datetime) -> model.Packet:
    """Return the packet of a round; of one in progress only what the public may know."""
    happenings = list(read_happenings(logged))
    story = Story.of(
        logged.after.rules,
        _this_round(logged),
        (happening.event for happening in happenings),
        logged.before.table,
    )
    moves, steps = _moves_and_steps(happenings, story, everything=logged.record is not None)
    dealer, hands = _hands(logged, story, happenings)
    packet = model.Packet(
        format=model.FORMAT,
        head=_head(logged, now),
        verdict=_verdict(logged, len(happenings)),
        people=tuple(_people(happenings)),
        dealer=dealer,
        hands=hands,
        moves=moves,
        totals=tuple(totals_of(happenings, story)),
        meters=tuple(meters_of(happenings)),
        steps=steps,
        seals=tuple(seals_of(happenings, story.round)),
        chain=chain_of(logged),
        law={},
        record=write_record(logged.record) if logged.record else "",
    )
    return model.changed(packet, law=_law(packet))


def _this_round(logged: LoggedRound) -> Round:
    table: Table = logged.after.table
    return (table.last or table.round) if logged.record else table.round


def _moves_and_steps(
    happenings: Iterable[Happening], story: Story, *, everything: bool
) -> tuple[tuple[model.Move, ...], tuple[model.PacketStep, ...]]:
    moves: list[model.Move] = []
    steps: list[model.PacketStep] = []
    for happening in happenings:
        mine = list(moves_of(happening, story, len(moves) + 1))
        moves += mine
        steps.append(step_of(happening, tuple(move.number for move in mine), everything=everything))
    return tuple(moves), tuple(steps)


def _hands(
    logged: LoggedRound, story: Story, happenings: list[Happening]
) -> tuple[model.PacketHand, tuple[model.PacketHand, ...]]:
    table = logged.after.table
    if logged.record is None:
        return open_hands(story, table, happenings[-1].event.at)
    set_by, last = find_setters(happenings), happenings[-1].before
    dealer = dealer_of(story, last.dealer_at, set_by, last.dealer)
    hands = [hand for _, hand in sorted(story.round.hands.items()) if hand.wagers]
    return dealer, tuple(hand_of(story, hand, set_by) for hand in hands)


def _head(logged: LoggedRound, now: datetime) -> model.PacketHead:
    rules, program = logged.after.rules if logged.record is None else logged.before.rules, logged.program
    submission, game = rules.submission, rules.game
    return model.PacketHead(
        table=logged.before.table.id,
        round=logged.number,
        over=logged.record is not None,
        game=game.id,
        game_name=game.name,
        holder=submission.holder,
        law=game.law.law if game.law else "",
        law_as_of=submission.law_as_of.isoformat(),
        law_fingerprint=rules.law_fingerprint,
        submission=submission.reference,
        submission_fingerprint=rules.fingerprint,
        house_way=submission.house_way or "",
        began=logged.turns[0].at,
        ended=logged.turns[-1].at,
        program=f"houseway {program.version}" if program else "none",
        program_law=program.law if program else "",
        made_by=f"houseway {__version__}",
        made_at=now,
    )


def _verdict(logged: LoggedRound, events: int) -> model.Verdict:
    """Decide every command of the round again."""
    record = logged.record
    if record is None:
        return model.Verdict(replayed=False, commands=len(logged.turns), events=events)
    differs = difference(record)
    return model.Verdict(
        replayed=True,
        identical=differs is None,
        difference=differs or "",
        commands=len(logged.turns),
        events=events,
        digest=record.digest,
    )


def _people(happenings: Iterable[Happening]) -> Iterator[model.Presence]:
    """Yield the people and devices that acted, in the order of their first steps."""
    acted: dict[tuple[str, str], list[Happening]] = {}
    for happening in happenings:
        acted.setdefault((happening.event.by.id, happening.event.by.role), []).append(happening)
    for mine in acted.values():
        yield model.Presence(
            who=person(mine[-1].event.by),
            steps=len(mine),
            first=mine[0].event.at,
            last=mine[-1].event.at,
        )


# --- the law behind it --------------------------------------------------------------------------------


def _law(packet: model.Packet) -> Mapping[str, model.PacketClause]:
    """Return every clause that the packet names, with what it says."""
    return {name: _clause(name) for name in sorted(set(_clause_names(msgspec.to_builtins(packet))))}


def _clause_names(data: Any) -> Iterator[str]:  # noqa: ANN401 - plain data
    if isinstance(data, dict):
        for key, value in data.items():
            yield from value if key == "clauses" else _clause_names(value)
    elif isinstance(data, list | tuple):
        for value in data:
            yield from _clause_names(value)


def _clause(name: str) -> model.PacketClause:
    try:
        clause = cite(name)
    except UnknownNameError:
        return model.PacketClause(cite=name, says="no clause of this name is known to this program")
    return model.PacketClause(cite=clause.cited, says=clause.says)
