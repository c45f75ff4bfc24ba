"""The parts of a packet, each beside the record of its round; and rows of read models, gathered."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from msgspec.structs import replace

from houseway.floor.packets import make_packet
from houseway.floor.packets.model import Packet
from houseway.floor.readmodels.row_writes import Pending, Remove, Upsert
from houseway.floor.readmodels.sql_tables import ROUND_PEOPLE, ROUNDS
from houseway.floor.round_search import LoggedRound, find_round
from houseway.ledger import AccountKind, show_units
from houseway.rounds.outcomes import Moves
from houseway.rounds.step import AnEvent
from tests.floor.support import NOON
from tests.floor.test_packets import LICENSED, packet_of, played


def found(game: str, number: int) -> LoggedRound:
    return find_round(played(game).store, "t1", number)


def events(game: str, number: int) -> list[AnEvent]:
    return [event for turn in found(game, number).turns for event in turn.events]


each_round = pytest.mark.parametrize(("game", "number"), [(game, n) for game in LICENSED for n in (1, 2)])


@each_round
def test_everybodys_sum_is_what_they_put_up_and_got_back(game: str, number: int) -> None:
    out, back = Counter[str](), Counter[str]()
    for event in events(game, number):
        if isinstance(event.outcome, Moves):
            for one in (*event.outcome.stakes, *event.outcome.payments):
                if one.source.kind is AccountKind.PLAYER:
                    out[one.source.name] += one.units
                if one.to.kind is AccountKind.PLAYER:
                    back[one.to.name] += one.units
    totals = packet_of(game, number).totals
    assert [one.person for one in totals] == sorted({*out, *back})
    for total in totals:
        assert total.net_units == back[total.person] - out[total.person]
        assert total.out == show_units(out[total.person]) and total.back == show_units(back[total.person])
        assert total.net == show_units(total.net_units)


@each_round
def test_a_meter_is_told_before_and_after_each_step_that_moved_it(game: str, number: int) -> None:
    expected = []
    for event in events(game, number):
        move = event.outcome.meter if isinstance(event.outcome, Moves) else None
        if move is not None:
            assert move.before is not None
            before, after = move.before, move.after
            expected.append((move.meter, event.seq, before.value, after.value, before.reserve, after.reserve))
    told = packet_of(game, number).meters
    assert [
        (one.meter, one.step, one.before, one.after, one.reserve_before, one.reserve_after) for one in told
    ] == [(meter, step, *map(show_units, held)) for meter, step, *held in expected]


@each_round
def test_steps_moves_and_people_are_those_of_the_events(game: str, number: int) -> None:
    packet, every = packet_of(game, number), events(game, number)
    turns = found(game, number).turns
    assert [step.number for step in packet.steps] == [event.seq for event in every]
    assert [move.number for move in packet.moves] == list(range(1, len(packet.moves) + 1))
    assert [n for step in packet.steps for n in step.moves] == [move.number for move in packet.moves]
    acted = Counter((event.by.id, str(event.by.role)) for event in every)
    assert {(one.who.id, one.who.role): one.steps for one in packet.people} == acted
    for one in packet.people:
        mine = [
            event.at for event in every if (event.by.id, str(event.by.role)) == (one.who.id, one.who.role)
        ]
        assert (one.first, one.last) == (mine[0], mine[-1])
    commanded = {
        (turn.command.by, repr(turn.command.action), event.seq) for turn in turns for event in turn.events
    }
    by_law = {event.seq for event in every if (event.by, repr(event.action), event.seq) not in commanded}
    assert {step.number for step in packet.steps if step.by_law} == by_law
    assert (packet.head.began, packet.head.ended) == (turns[0].at, turns[-1].at)
    assert (packet.verdict.commands, packet.verdict.events) == (len(turns), len(every))
    assert (packet.chain.first, packet.chain.last) == (
        found(game, number).entries[0].version,
        found(game, number).entries[-1].version,
    )


WORDS = {
    AccountKind.INVENTORY: "the table's chips",
    AccountKind.CAGE: "the cage",
    AccountKind.COLLECTIONS: "the collection",
    AccountKind.SEED: "the house, for the meter",
}


@each_round
def test_every_place_of_money_is_said_in_words(game: str, number: int) -> None:
    moved: list[Any] = []
    for event in events(game, number):
        if isinstance(event.outcome, Moves):
            moved += (*event.outcome.stakes, *event.outcome.payments, *event.outcome.movements)
    names = {hand.person: hand.name for hand in packet_of(game, number).hands}
    dealer = packet_of(game, number).dealer
    names[dealer.person] = dealer.name
    for one, told in zip(moved, packet_of(game, number).moves, strict=True):
        for account, said in ((one.source, told.source), (one.to, told.to)):
            match account.kind:
                case AccountKind.PLAYER:
                    assert said == names[account.name]
                case AccountKind.PENDING:
                    assert said.startswith("the layout: ") and said.endswith(f" at {account.position}")
                    assert names[account.name] in said
                case AccountKind.BANK:
                    assert said == f"the bank of {names[account.name]}"
                case AccountKind.METER | AccountKind.RESERVE:
                    assert said == f"the {account.kind} {account.name}"
                case _:
                    assert said == WORDS[account.kind]


@each_round
def test_a_deck_that_was_opened_is_told_with_where_it_was_committed_to(game: str, number: int) -> None:
    (seal,) = packet_of(game, number).seals
    every = events(game, number)
    committed = [
        event.seq for event in every if getattr(event.outcome, "commitment", None) == seal.commitment
    ]
    assert seal.committed == (committed[0] if committed else None) and seal.opens
    last = found(game, number).after.table.last
    assert last is not None and (seal.cut_at, seal.dealt) == (last.cut_at, last.dealt)


@pytest.mark.parametrize("faults", [(), ("a fault",)])
@pytest.mark.parametrize("opens", [True, False])
@pytest.mark.parametrize(
    ("replayed", "identical"), [(True, True), (True, False), (False, True), (False, False)]
)
def test_a_packet_is_sound_where_nothing_that_could_be_checked_is_wrong(
    faults: tuple[str, ...], opens: bool, replayed: bool, identical: bool
) -> None:
    whole = packet_of("pa-575")
    packet: Packet = replace(
        whole,
        chain=replace(whole.chain, faults=faults),
        seals=tuple(replace(seal, opens=opens) for seal in whole.seals),
        verdict=replace(whole.verdict, replayed=replayed, identical=identical),
    )
    assert packet.sound is (not faults and opens and (identical or not replayed))


def test_a_packet_is_of_the_moment_it_is_made() -> None:
    packet = make_packet(found("pa-575", 1), NOON)
    assert packet.head.made_at == NOON and packet.head.over
    assert [hand.position for hand in packet.hands] == sorted(hand.position for hand in packet.hands)


# --- rows gathered ------------------------------------------------------------------------------------


def gathered(*writes: Upsert | Remove) -> list[tuple[dict[str, Any], dict[str, Any], dict[str, Any]]]:
    """Return the rows that are left of some writes: key, what is put, what is added."""
    pending = Pending()
    pending.gather(writes)
    return [
        (dict(row.key), dict(row.put), dict(row.add))
        for rows in pending._rows.values()
        for row in rows.values()
    ]


KEY = {"table_id": "t1", "round": 1}


def test_of_what_befalls_one_row_only_the_sum_is_written() -> None:
    first = Upsert(ROUNDS, KEY, {"game": "a"}, {"wagered": 5})
    second = Upsert(ROUNDS, KEY, {"game": "b", "dealer": "d"}, {"wagered": -2, "house": 3})
    other = Upsert(ROUNDS, {**KEY, "round": 2}, {}, {"house": 1})
    assert gathered(first, second, other) == [
        (KEY, {"game": "b", "dealer": "d"}, {"wagered": 3, "house": 3}),
        ({**KEY, "round": 2}, {}, {"house": 1}),
    ]


def test_rows_that_are_removed_are_gathered_no_more_and_others_stay() -> None:
    rows = [Upsert(ROUNDS, {**KEY, "round": number}, {"game": "a"}) for number in (1, 2)]
    person = Upsert(ROUND_PEOPLE, {**KEY, "person": "Ann"}, {}, {"net": 1})
    left = gathered(*rows, person, Remove(ROUNDS, {"round": 1}))
    assert [key for key, _, _ in left] == [{**KEY, "round": 2}, {**KEY, "person": "Ann"}]
    assert gathered(*rows, Remove(ROUNDS, {"game": "a"})) == []
    assert len(gathered(Remove(ROUNDS, {"round": 1}), *rows)) == 2
