"""Dispute packets: a round told whole, a log that was changed named, and nothing shown too early."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace as replace_dataclass
from datetime import timedelta
from functools import cache
from html.parser import HTMLParser
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from houseway.cards import Card, parse_cards
from houseway.errors import HousewayError, IllegalError, UnknownNameError
from houseway.floor.core import Floor
from houseway.floor.packets import Packet, make_packet, write_packet
from houseway.floor.packets.model import CardsAtPlace
from houseway.floor.round_search import LoggedRound, find_round
from houseway.games import example_submission, games
from houseway.law import cite
from houseway.ledger import Movement, show_units
from houseway.rounds.outcomes import Moves, Outcome
from houseway.rounds.record import parse_record
from houseway.rounds.replay import difference
from houseway.rounds.roles import Role
from houseway.rounds.step import Actor
from houseway.rounds.steps.players import Sit
from houseway.rounds.views import NOBODY, view
from houseway.settlement import Payment
from houseway.store.checkpoints import make_checkpoint, take_checkpoint
from houseway.store.entries import EMPTY, Entry, next_entry
from houseway.store.memory import MemoryStore
from houseway.store.protocol import Batch
from houseway.web.card_faces import card_back, card_face, card_sheet
from houseway.web.packet import packet_page
from tests.floor.support import NOON, PEOPLE, SAFE, make_table, new_floor, next_move, play, say
from tests.store.support import KINDS, new_store
from tests.support.packets import read_packet

LICENSED = [found.id for found in games() if found.licensed]
VOID = frozenset({"meta", "br", "use", "rect", "circle", "path"})
"""Elements that have no end: HTML's own, and those of a drawing, which end themselves."""
CARDS = re.compile(r"(?<![0-9A-Za-z])(?:(?:[2-9TJQKA][cdhs]|Jk)[ /]*)+(?![0-9A-Za-z])")
"""Cards wherever they are written, one by one or in a setting."""
HOSTILE = '<script>alert("x")</script><img src=http://evil.example/ onerror=alert(1)>\'"&'


def seated(game: str, store: MemoryStore, names: dict[int, Actor] | None = None, table: str = "t1") -> Floor:
    """Make a table with people at it."""
    floor = new_floor(store, game)
    make_table(floor, table, example_submission(game), "link")
    for at, who in (names or {at: Actor(name, Role.PLAYER) for at, name in PEOPLE.items()}).items():
        say(floor, table, who, Sit(at))
    return floor


@cache
def played(game: str) -> Floor:
    """Play two rounds at a table, with a checkpoint after the first. Nobody changes it."""
    floor = seated(game, MemoryStore())
    play(floor, "t1", 1)
    floor.store.append_batch(Batch(checkpoints=[make_checkpoint(floor.store.heads(), None, NOON)]))
    play(floor, "t1", 1)
    return floor


def found_in(store: MemoryStore, number: int = 1) -> LoggedRound:
    return find_round(store, "t1", number)


def packet_of(game: str, number: int = 1) -> Packet:
    return make_packet(find_round(played(game).store, "t1", number), NOON)


# --- the round in the log -----------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_a_round_is_found_where_the_one_before_it_ended(kind: str) -> None:
    with new_store(kind) as store:
        floor = new_floor(store)
        make_table(floor, "t1", example_submission("pa-575"))
        say(floor, "t1", Actor("Ann", Role.PLAYER), Sit(2))
        play(floor, "t1", 2)
        first, second = (find_round(store, "t1", number) for number in (1, 2))
        assert first.entries[0].version == 1
        assert second.entries[0].version == first.entries[-1].version + 1
        assert second.entries[-1].version == floor.table("t1").head.version
        assert (second.before.table, second.after.table) == (first.after.table, floor.table("t1").table)
        assert first.record and second.record and not difference(second.record, first.record)
        assert not first.faults and not second.faults


def test_a_round_that_there_is_not_is_refused_and_one_in_progress_unless_asked_for() -> None:
    store = played("pa-575").store
    for table, number, why in (("nowhere", 1, "no such table"), ("t1", 9, "no such round")):
        with pytest.raises(UnknownNameError, match=why):
            find_round(store, table, number)
    floor = seated("pa-575", MemoryStore())
    with pytest.raises(IllegalError, match="not over yet"):
        find_round(floor.store, "t1", 1)
    assert find_round(floor.store, "t1", 1, running=True).record is None


class CountedReads(MemoryStore):
    """Notes which entries of a table's stream are read."""

    def __init__(self) -> None:
        super().__init__()
        self.read: list[int] = []

    def _noted(self, entries: Iterable[Entry]) -> Iterator[Entry]:
        for entry in entries:
            self.read += [entry.version] if entry.stream == "table/t1" else []
            yield entry

    def tails(self, heads: Mapping[str, int], most: int | None = None) -> Iterable[Entry]:
        return self._noted(super().tails(heads, most))

    def part(self, stream: str, after: int, until: int) -> Iterable[Entry]:
        return self._noted(super().part(stream, after, until))


@pytest.fixture
def longer(monkeypatch: pytest.MonkeyPatch) -> Floor:
    """A table of eight rounds, written down whole every ten entries, with a checkpoint after each round."""
    monkeypatch.setattr("houseway.floor.batches.SNAPSHOT_EVERY", 10)
    floor = seated("pa-575", CountedReads())
    for _ in range(8):
        play(floor, "t1", 1)
        take_checkpoint(floor.store, NOON)
    return floor


def test_cards_are_out_only_where_they_are_of_a_later_round() -> None:
    floor = seated("pa-659a", MemoryStore())
    play(floor, "t1", 1)
    while not floor.table("t1").table.round.dealt:
        assert not find_round(floor.store, "t1", 1).cards_out
        move = next_move(floor, "t1")
        say(floor, "t1", move.by, move.action)
    assert find_round(floor.store, "t1", 1).cards_out
    going_on = find_round(floor.store, "t1", 2, running=True)
    assert len(going_on.entries) > 1 and not going_on.cards_out


def lies(found: LoggedRound) -> tuple[int, int]:
    return found.entries[0].version, found.entries[-1].version


@pytest.mark.parametrize("number", range(1, 9))
def test_a_round_is_read_from_the_snapshot_before_it_to_the_checkpoint_after_it(
    longer: Floor, number: int
) -> None:
    store = longer.store
    assert isinstance(store, CountedReads)
    plain = find_round(store, "t1", number)
    ends = lies(plain)
    store.read.clear()
    found = find_round(store, "t1", number, versions=ends, believes=SAFE.snapshots.believes)
    assert replace_dataclass(found, folded_after=0) == plain and not found.faults
    assert found.folded_after == (ends[0] - 1) // 10 * 10
    end = longer.table("t1").head.version
    of_the_round = {*range(max(1, found.folded_after - 1), ends[1] + 1)}
    since_a_snapshot = {*range(end // 10 * 10 + 1, end + 1)}  # whether cards are out now
    assert set(store.read) == of_the_round | since_a_snapshot | {end}


def test_a_round_that_lies_elsewhere_is_found_all_the_same(longer: Floor) -> None:
    store = longer.store
    plain = find_round(store, "t1", 5)
    first, last = lies(plain)
    middle = first // 10 * 10 + 10
    assert first < middle < last, "there is a snapshot within the round"
    for wrong in (
        (first, last - 1),
        (first - 1, last),
        (first, last + 1),
        (middle + 1, last),
        (900, 990),
        (5, 4),
    ):
        found = find_round(store, "t1", 5, versions=wrong)
        assert found == plain, wrong
    found = find_round(store, "t1", 5, versions=lies(find_round(store, "t1", 4)))
    assert found == plain


def test_no_snapshot_is_believed_that_is_of_no_entry_or_no_table(longer: Floor) -> None:
    store = longer.store
    plain = find_round(store, "t1", 5)
    kept = store.snapshot_at("table/t1", plain.entries[0].version - 1)
    assert kept is not None
    for wrong in (replace(kept, hash=bytes(32)), replace(kept, body=b"of another version")):
        for snapshot in (wrong, SAFE.snapshots.seal(wrong)):
            store.append_batch(Batch(snapshots=[snapshot]))
            found = find_round(store, "t1", 5, versions=lies(plain), believes=SAFE.snapshots.believes)
            assert replace_dataclass(found, folded_after=0) == plain


def test_a_round_read_in_part_is_checked_against_chain_and_checkpoints(
    longer: Floor,
) -> None:
    store = longer.store
    assert isinstance(store, MemoryStore)
    plain = find_round(store, "t1", 5)
    ends, end = lies(plain), longer.table("t1").head.version
    (at,) = (n for n, one in enumerate(store._entries) if (one.stream, one.version) == ("table/t1", ends[1]))
    kept = store._entries[at]
    store._entries[at] = replace(kept, command="another")
    (fault,) = find_round(store, "t1", 5, versions=ends).faults
    assert f"table/t1 version {ends[1]}" in fault
    store._entries[at] = kept
    assert store._entries[-1].version == end and store._entries.pop()
    (fault,) = find_round(store, "t1", 5, versions=ends).faults
    assert "missing that a checkpoint saw" in fault and f"version {end}" in fault


# --- the packet ---------------------------------------------------------------------------------------


def test_a_packet_cites_a_section_that_is_carried_over_as_such_and_says_it_once() -> None:
    law = packet_of("pa-659a").law
    assert law["pa659a.4.a.s1"].cite == "58 Pa. Code § 659a.4(a), carried over"
    assert not [clause for clause in law.values() if "carried over" in clause.says]


@pytest.mark.parametrize("number", [1, 2])
@pytest.mark.parametrize("game", LICENSED)
def test_a_packet_has_every_payment_of_its_round_with_its_clauses_and_replays(game: str, number: int) -> None:
    found = find_round(played(game).store, "t1", number)
    packet = make_packet(found, NOON)
    assert packet.sound and packet.verdict.identical
    outcomes: list[Outcome | None] = [event.outcome for turn in found.turns for event in turn.events]
    payments: list[Payment | Movement] = []
    for one in outcomes:
        payments += (*one.stakes, *one.payments, *one.movements) if isinstance(one, Moves) else ()
    moved = [(payment.units, payment.reason, payment.clauses) for payment in payments]
    assert [(move.units, move.reason, move.clauses) for move in packet.moves] == moved != []
    assert all(move.amount == show_units(move.units) for move in packet.moves)
    for name in {clause for _, _, clauses in moved for clause in clauses}:
        assert (packet.law[name].cite, packet.law[name].says) == (cite(name).cited, cite(name).says)
    steps = {step.number: step for step in packet.steps}
    assert all(move.number in steps[move.step].moves for move in packet.moves)
    assert sum(total.net_units for total in packet.totals) == sum(
        move.units * ((move.to in PEOPLE.values()) - (move.source in PEOPLE.values()))
        for move in packet.moves
    )


@pytest.mark.parametrize("game", LICENSED)
def test_a_packet_reads_back_from_its_json_and_its_record_replays(game: str) -> None:
    packet = packet_of(game, 2)
    text = write_packet(packet)
    assert read_packet(text) == packet
    assert json.loads(text)["format"] == "houseway-dispute/1"
    assert difference(parse_record(packet.record.encode())) is None


@pytest.mark.parametrize("game", LICENSED)
def test_every_hand_is_told_with_its_setting_the_rule_that_fires_and_who_set_it(game: str) -> None:
    packet = packet_of(game, 2)
    for hand in (packet.dealer, *packet.hands):
        assert hand.house_way and hand.house_way.says and hand.set_by
        assert sorted(hand.cards) == sorted(card for part in hand.setting for card in part.cards)
        assert all(part.rank for part in hand.setting)
        assert hand.house_way.followed  # everybody at these tables sets the house way
        assert [asked.rule for asked in hand.house_way.asked if asked.fired] == [hand.house_way.rule]
    assert all(hand.race and part.against and part.result for hand in packet.hands for part in hand.setting)
    shown = {card for step in packet.steps for lying in step.cards if lying.face_up for card in _cards(lying)}
    assert shown >= {card for hand in (packet.dealer, *packet.hands) for card in hand.cards}


def _cards(lying: CardsAtPlace) -> list[str]:
    return [card for part in lying.parts for card in part.cards]


def test_the_first_checkpoint_that_covers_a_round_is_named() -> None:
    first, second = packet_of("pa-659a", 1).chain, packet_of("pa-659a", 2).chain
    assert first.checkpoint and first.checkpoint.stream_hash == first.entries[-1].hash
    assert second.checkpoint is None and second.head_hash == second.entries[-1].hash
    assert second.before == first.entries[-1].hash


def test_the_recipes_of_a_packet_check_its_chain_and_its_seal(tmp_path: Path) -> None:
    packet = packet_of("pa-659a", 2)
    file, program = tmp_path / "packet.json", "\n".join(packet.chain.recipe)
    file.write_bytes(write_packet(packet))
    run = [sys.executable, "-S", "-c", program, str(file)]
    assert subprocess.run(run, capture_output=True, text=True, check=True).stdout == "the chain holds\n"
    first, *others = packet.chain.entries
    forged = replace(packet.chain, entries=(replace(first, body=first.body.replace("A", "B")), *others))
    file.write_bytes(write_packet(replace(packet, chain=forged)))
    said = subprocess.run(run, capture_output=True, text=True, check=False)
    assert said.returncode and f"entry {first.version} " in said.stderr
    (seal,) = packet.seals
    (line,) = seal.recipe
    assert re.fullmatch(r"printf [0-9a-f]+ \| xxd -r -p \| sha256sum", line)
    assert seal.opens and len(seal.order) == len(set(seal.order))


# --- a log that was changed ---------------------------------------------------------------------------


def changed(
    store: MemoryStore, version: int, change: Callable[[bytes], bytes], *, whole: bool
) -> MemoryStore:
    """Return a store with a changed entry; ``whole`` if all that follows is chained to it anew."""
    other, head = MemoryStore(), EMPTY
    other._checkpoints, other._snapshots = list(store._checkpoints), dict(store._snapshots)
    for entry in store._entries:
        if entry.stream == "table/t1":
            body = change(entry.body) if entry.version == version else entry.body
            chained = next_entry(head, entry.stream, entry.command, body, entry.answer)
            entry = chained if whole else replace(entry, body=body)  # noqa: PLW2901
            head = entry.head
        other._entries.append(entry)
    return other


def paid_entry(store: MemoryStore) -> Entry:
    """Return an entry of the first round that pays a wager."""
    return next(e for e in found_in(store).entries if b'"kind":"settled"' in e.body and b'"units"' in e.body)


def more(body: bytes) -> bytes:
    """Change an amount that was paid."""
    return re.sub(rb'"units":(\d)', rb'"units":9\1', body, count=1)


def test_a_changed_entry_is_named_by_chain_and_replay() -> None:
    store = played("pa-659a").store
    assert isinstance(store, MemoryStore)
    version = paid_entry(store).version
    packet = make_packet(found_in(changed(store, version, more, whole=False)), NOON)
    assert not packet.sound and not packet.verdict.identical
    assert f"table/t1 version {version}" in packet.chain.faults[0]
    assert "units" in packet.verdict.difference
    page = packet_page(packet)
    assert "This round is not proven" in page and f"table/t1 version {version}" in page


def test_a_log_written_anew_consistently_is_named_by_its_checkpoint() -> None:
    store = played("pa-659a").store
    assert isinstance(store, MemoryStore)
    found = found_in(changed(store, paid_entry(store).version, more, whole=True))
    assert [fault for fault in found.faults if "rewritten since a checkpoint" in fault]


def test_a_log_cut_off_is_named_by_its_checkpoint() -> None:
    floor = seated("pa-575", MemoryStore())
    play(floor, "t1", 2)
    store = floor.store
    assert isinstance(store, MemoryStore)
    store.append_batch(Batch(checkpoints=[make_checkpoint(store.heads(), None, NOON)]))
    store._entries.pop()
    assert "missing that a checkpoint saw" in found_in(store).faults[0]


def test_an_entry_that_cannot_be_read_is_refused_with_its_place() -> None:
    store = played("pa-659a").store
    assert isinstance(store, MemoryStore)
    with pytest.raises(HousewayError, match="table/t1 version 3"):
        found_in(changed(store, 3, lambda body: body[:-9], whole=True))


# --- a round in progress ------------------------------------------------------------------------------


@pytest.mark.parametrize("game", LICENSED)
def test_a_round_in_progress_hides_what_lies_face_down_what_is_undealt_and_every_hash(game: str) -> None:
    floor, seen = seated(game, MemoryStore()), set[Card]()
    while True:
        move = next_move(floor, "t1")
        say(floor, "t1", move.by, move.action)
        running = floor.table("t1")
        if running.table.rounds:
            break
        if not running.table.round.dealt:
            continue
        look = view(running.rules, running.table, NOBODY, floor.moment("t1"))
        parts = [part for hand in look.hands for part in hand.shown.values()]
        seen |= {card for hand in look.hands for card in hand.cards}
        seen |= {card for part in (look.dealer_hand.cards, *parts) for card in part}
        found = find_round(floor.store, "t1", 1, running=True)
        packet = make_packet(found, NOON)
        said = msgspec.json.encode(replace(packet, law={})).decode()
        told = {card for row in CARDS.findall(said) for card in parse_cards(row.replace("/", " "))}
        assert told <= seen, f"{move.step}: {told - seen}"
        assert not any(entry.hash.hex() in said for entry in found.entries)
        assert packet.sound and not packet.record and not packet.seals and not packet.verdict.replayed
    assert len(seen) >= 2 * running.rules.game.hand_cards  # what was opened on the table is told


def test_no_hash_of_a_later_round_in_progress_is_told() -> None:
    floor = seated("pa-659a", MemoryStore())
    play(floor, "t1", 1)
    while not floor.table("t1").table.round.dealt:
        assert make_packet(find_round(floor.store, "t1", 1), NOON).chain.head_hash
        move = next_move(floor, "t1")
        say(floor, "t1", move.by, move.action)
    floor.store.append_batch(Batch(checkpoints=[make_checkpoint(floor.store.heads(), None, NOON)]))
    packet = make_packet(find_round(floor.store, "t1", 1), NOON)
    assert packet.sound and packet.chain.checkpoint and not packet.chain.head_hash
    assert floor.table("t1").head.hash.hex() not in packet_page(packet)
    assert floor.table("t1").head.hash.hex() not in write_packet(packet).decode()


def test_the_page_of_a_round_in_progress_draws_backs() -> None:
    floor = seated("pa-659a", MemoryStore())
    while not floor.table("t1").table.round.dealt:
        move = next_move(floor, "t1")
        say(floor, "t1", move.by, move.action)
    page = packet_page(make_packet(find_round(floor.store, "t1", 1, running=True), NOON))
    assert "The round is not over" in page and 'href="#card-back"' in page
    assert not re.search(r'(?:id="|href="#)card-(?!back|hatch)', page)


# --- the page -----------------------------------------------------------------------------------------


class Page(HTMLParser):
    """A page read strictly: every element ends where it must, every name is used once."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.elements: set[str] = set()
        self.text = ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.add(tag)
        found = dict(attrs)
        assert not {"src", "onerror", "onload", "onclick"} & set(found)
        self.ids += [found["id"] or ""] if "id" in found else []
        self.links += [found["href"] or ""] if "href" in found else []
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


@pytest.mark.parametrize("game", LICENSED)
def test_the_page_is_well_formed_and_asks_for_nothing_from_elsewhere(game: str) -> None:
    packet = packet_of(game)
    text = packet_page(packet, four_colour=True)
    page = Page(text)
    assert not page.open and len(page.ids) == len(set(page.ids))
    assert all(link.startswith("#") and link[1:] in page.ids for link in page.links)
    assert not re.search(r"https?:|//[a-z]|@import|url\((?!#)", text)
    assert not page.elements & {"script", "img", "link", "iframe", "object", "embed", "form"}
    for move in packet.moves:
        assert move.reason in page.text
    for clause in packet.law.values():
        assert clause.says in page.text


def test_hostile_names_are_written_as_text() -> None:
    names = {2: Actor("ann", Role.PLAYER, HOSTILE), 5: Actor(HOSTILE.replace("/", "|"), Role.PLAYER)}
    table = "<b>T&1"
    floor = seated("pa-659a", MemoryStore(), names, table)
    play(floor, table, 1)
    packet = make_packet(find_round(floor.store, table, 1), NOON)
    text = packet_page(packet)
    page = Page(text)
    assert not page.open and not page.elements & {"script", "img", "b>t"}
    assert HOSTILE in page.text and table in page.text
    assert "<script" not in text and "<img" not in text


def test_cards_are_drawn_once_for_a_page_and_named_in_words() -> None:
    sheet = Page(str(card_sheet()))
    assert not sheet.open and len(sheet.ids) == 55  # every card, the back, and its hatching
    assert 'aria-label="ten of hearts"' in card_face("Th") and "#card-Th" in card_face("Th")
    assert "#card-back" in card_back()
    with pytest.raises(HousewayError):
        card_face("<script>")


def test_times_are_told_to_the_millisecond() -> None:
    packet = packet_of("pa-575")
    late = replace(packet, head=replace(packet.head, ended=NOON + timedelta(milliseconds=1007)))
    assert "12:00:01.007 UTC" in packet_page(late)
