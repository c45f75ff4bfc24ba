"""Receipts: of every game, for everybody who may have one; what is changed in one does not pass."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace as replace_dataclass
from functools import cache
from typing import Any

import msgspec
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from houseway.chips.actions import BuyIn
from houseway.errors import IllegalError, UnknownNameError
from houseway.floor.bodies import read_body
from houseway.floor.core import Floor
from houseway.floor.packets.happenings import read_happenings
from houseway.floor.receipts import (
    BrokenReceiptError,
    Receipt,
    ReceiptFindings,
    check_receipt,
    make_receipt,
    read_receipt,
)
from houseway.floor.receipts.model import EntryProof, ShownPart, Viewer, write_receipt
from houseway.floor.round_search import find_round
from houseway.money import Cents
from houseway.rng import SeededEntropy
from houseway.rounds.action import Action
from houseway.rounds.codec import plain, read_action
from houseway.rounds.marks import HandMark
from houseway.rounds.redaction import redact
from houseway.rounds.roles import Role
from houseway.rounds.step import Actor
from houseway.rounds.steps.wagers import PlaceWagers
from houseway.store.body_parts import commitment_to
from houseway.store.memory import MemoryStore
from houseway.store.protocol import Batch
from houseway.store.safe import KEY_BYTES, DeckSafe
from houseway.store.signed_notes import Cosigner, read_note, read_tree_head
from houseway.store.tree_log import Notary, sign_tree
from tests.floor.support import NOON, PEOPLE, SAFE, command, next_move, play, say
from tests.floor.test_chips import done, with_chips
from tests.floor.test_packets import LICENSED, seated
from tests.rounds.secrecy.cards import cards_in, may_know

NOTARY = Notary(SAFE)
OTHER = Notary(DeckSafe(bytes(KEY_BYTES), SeededEntropy("other")))
ANN, DAN = Actor("id-of-Ann", Role.PLAYER, "Ann"), Actor("id-of-Dan", Role.PLAYER, "Dan")
REGULATOR, WATCH, DEALER = (Actor("", role) for role in (Role.REGULATOR, Role.SURVEILLANCE, Role.DEALER))
CARD = re.compile(r"\b(?:[2-9TJQKA][cdhs]|Jk)\b")


@cache
def signed(game: str) -> Floor:
    """Play two rounds, the tree signed after each. Nobody changes it."""
    floor = seated(game, MemoryStore(), {2: ANN, 5: DAN})
    for _ in range(2):
        play(floor, "t1", 1)
        sign_tree(floor.store, NOTARY, NOON)
    return floor


def receipt_of(
    floor: Floor, viewer: Actor = ANN, number: int = 1, *, notary: Notary = NOTARY, size: int | None = None
) -> bytes:
    with floor.store.picture() as picture:
        found = find_round(picture, "t1", number, running=True)
        return make_receipt(picture, found, viewer, notary, size)


@cache
def good(game: str, viewer: Actor = ANN, number: int = 1) -> bytes:
    return receipt_of(signed(game), viewer, number)


# --- good ones ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", [1, 2])
@pytest.mark.parametrize("game", LICENSED)
def test_a_receipt_of_every_game_passes_and_says_what_it_shows(game: str, number: int) -> None:
    player = DAN if game == "ca-fpgp" else ANN  # who banks there
    checked = check_receipt(good(game, player, number), signed_by=NOTARY.verifier)
    said = "\n".join(checked.shown)
    assert f"round {number}, stand in a signed tree of" in said and "none left out" in said
    assert "committed to before it was dealt" in said
    paid = [line for line in checked.shown if line.startswith("decided again")]
    assert any(" ends: " in line for line in paid)
    if game == "ca-fpgp":
        assert not any(" main: " in line for line in paid)
        assert "the bank pays others first" in "".join(checked.not_decided)
    else:
        assert any(" main: " in line and "[" in line for line in paid)
        assert not any("not shown" in line for line in checked.not_decided)


@pytest.mark.parametrize("viewer", [REGULATOR, WATCH])
@pytest.mark.parametrize("game", LICENSED)
def test_whoever_may_see_the_opened_deck_has_it_checked(game: str, viewer: Actor) -> None:
    checked = check_receipt(good(game, viewer))
    assert "the opened order" in said(checked).lower()
    in_order = "come off the opened deck in the order of the deal" in said(checked)
    left = any("That every hand lies in the deck" in line for line in checked.not_decided)
    assert (in_order, left) == ((False, True) if game == "ca-fpgp" else (True, False))


def test_no_other_history_is_said_only_of_a_head_that_a_witness_has_signed() -> None:
    witness = Cosigner("witness", bytes(range(32)))
    data = good("pa-659a")
    receipt, _, _ = read_receipt(data)
    note = read_note(receipt.head.encode())
    head = note.with_signature(witness.sign(read_tree_head(note.text), 1)).encode()
    assert "no other history" not in said(check_receipt(data))
    assert "no other history" not in said(check_receipt(data, head=head))
    assert "no other history" in said(check_receipt(data, head=head, witness=witness.verifier))
    for bad, why in (
        ({"witness": witness.verifier}, "no head that the witness has signed"),
        ({"head": note.encode(), "witness": witness.verifier}, "signed by no key"),
        ({"head": head, "witness": NOTARY.verifier}, "no witness's key"),
        ({"signed_by": OTHER.verifier}, "another key"),
    ):
        with pytest.raises(BrokenReceiptError, match=why):
            check_receipt(data, **bad)


def said(checked: ReceiptFindings) -> str:
    return "\n".join(checked.shown)


def test_a_receipt_is_made_in_the_tree_of_any_size_that_was_signed() -> None:
    floor = signed("pa-575")
    sizes = [head.size for head in floor.store.tree.signed_heads()]
    assert [check_receipt(receipt_of(floor, size=size)).size for size in sizes] == sizes
    with pytest.raises(IllegalError, match="no tree of that size"):
        receipt_of(floor, size=7)
    other = sign_tree(signed("pa-659a").store, NOTARY, NOON)
    assert other is not None
    with pytest.raises(BrokenReceiptError, match="ask for a receipt in the tree of that size"):
        check_receipt(receipt_of(floor), head=other.note)


def test_a_head_of_the_same_size_and_another_root_is_another_history() -> None:
    one, two = signed("pa-575"), seated("pa-575", MemoryStore(), {2: DAN, 5: ANN})
    for _ in range(2):
        play(two, "t1", 1)
        head = sign_tree(two.store, NOTARY, NOON)
    assert head is not None
    with pytest.raises(BrokenReceiptError, match="two histories"):
        check_receipt(receipt_of(one, size=head.size), head=head.note)


def test_where_the_deck_was_shuffled_before_the_round_the_entry_that_committed_to_it_is_there() -> None:
    floor = signed("pa-659a")
    with floor.store.picture() as picture:
        found = find_round(picture, "t1", 1)
        running, at = found.before, 0
        while running.table.round.commitment is None and not any(
            d.commitment for d in running.table.decks.values()
        ):
            running, at = running.after(found.bodies[at], found.entries[at].head), at + 1
        later = replace_dataclass(found, before=running, entries=found.entries[at:], bodies=found.bodies[at:])
        data = make_receipt(picture, later, ANN, NOTARY)
    receipt, _, _ = read_receipt(data)
    assert [entry.version for entry in receipt.committed] == [found.entries[at - 1].version]
    assert "committed to before it was dealt" in said(check_receipt(data))
    assert not any(
        CARD.search(json.dumps(value)) for (version, _), value in shown_in(receipt).items() if version <= at
    )
    after = replace(receipt, committed=receipt.entries[-1:])
    with pytest.raises(BrokenReceiptError, match="not in the order of the log"):
        check_receipt(write_receipt(after, NOTARY.signer))


def test_where_chips_are_followed_their_entries_stand_between_and_show_nothing() -> None:
    floor = with_chips(MemoryStore())
    for name in PEOPLE.values():
        done(floor, Actor(name, Role.PLAYER), BuyIn(name, Cents(10_000)))
    play(floor, "t1", 1)
    sign_tree(floor.store, NOTARY, NOON)
    checked = check_receipt(receipt_of(floor, Actor("Ann", Role.PLAYER)))
    assert any(" main: " in line for line in checked.shown)
    shown = shown_in(checked.receipt)
    chips = {version for (version, path), value in shown.items() if path == "/kind" and value == "chips"}
    assert len(chips) == 1 + len(PEOPLE)
    for version in chips:
        assert {path for at, path in shown if at == version} == {"/build", "/kind", "/schema"}


# --- refused ------------------------------------------------------------------------------------------


def test_a_round_whose_cards_are_out_is_refused() -> None:
    floor = seated("pa-575", MemoryStore(), {2: ANN, 5: DAN})
    sign_tree(floor.store, NOTARY, NOON)
    with pytest.raises(IllegalError, match="its cards are out"):
        receipt_of(floor)


def test_a_round_that_is_in_no_signed_tree_yet_is_to_be_asked_for_in_a_minute() -> None:
    floor = seated("pa-575", MemoryStore(), {2: ANN, 5: DAN})
    play(floor, "t1", 1)
    with pytest.raises(IllegalError, match="in a minute"):
        receipt_of(floor)
    sign_tree(floor.store, NOTARY, NOON)
    check_receipt(receipt_of(floor))
    play(floor, "t1", 1)
    with pytest.raises(IllegalError, match="in a minute"):
        receipt_of(floor, number=2)


def test_nobody_gets_a_receipt_of_a_round_that_they_did_not_play() -> None:
    with pytest.raises(UnknownNameError, match="no such round of yours"):
        receipt_of(signed("pa-575"), Actor("somebody", Role.PLAYER))


# --- nothing is shown that is hidden ------------------------------------------------------------------


def shown_in(receipt: Receipt) -> dict[tuple[int, str], Any]:
    entries = (*receipt.committed, *receipt.entries)
    return {
        (entry.version, part.path): json.loads(part.value)
        for entry in entries
        for part in entry.parts
        if isinstance(part, ShownPart)
    }


@pytest.mark.parametrize("game", LICENSED)
@pytest.mark.parametrize(
    "viewer", [ANN, DAN, REGULATOR, WATCH, Actor("", Role.DEALER), Actor("", Role.GUEST)]
)
def test_a_receipt_shows_no_card_that_the_redacted_events_do_not(game: str, viewer: Actor) -> None:
    for number in (1, 2):
        found = find_round(signed(game).store, "t1", number)
        may = set[tuple[int, str]]()
        for one in read_happenings(found):
            read = json.dumps(plain(redact(one.rules, one.before, one.event, viewer)))
            may |= {(one.version, card) for card in CARD.findall(read)}
        receipt, _, _ = read_receipt(good(game, viewer, number))
        shows = {
            (version, card)
            for (version, _), value in shown_in(receipt).items()
            for card in CARD.findall(json.dumps(value))
        }
        assert shows <= may
        if viewer in (ANN, DAN):
            assert shows
            assert not any("seal" in path or "hands" in path for _, path in shown_in(receipt))


@pytest.mark.parametrize("game", LICENSED)
@pytest.mark.parametrize(("viewer", "other"), [(ANN, DAN), (DAN, ANN)])
def test_a_player_is_told_no_id_of_anybody_else(game: str, viewer: Actor, other: Actor) -> None:
    for number in (1, 2):
        text = good(game, viewer, number).decode()
        assert viewer.id in text and other.id not in text
        receipt, _, _ = read_receipt(text.encode())
        ids = {value for (_, path), value in shown_in(receipt).items() if path.endswith("/by/id")}
        assert ids == {viewer.id}


def test_of_a_step_that_is_hidden_it_is_said_that_it_is_left_out() -> None:
    receipt, _, _ = read_receipt(good("pa-659a"))
    with pytest.raises(BrokenReceiptError, match="a step is left out"):
        check_receipt(write_receipt(hidden("/value/events/0/seq", "turn")(receipt), NOTARY.signer))


def test_a_payment_that_is_hidden_is_not_taken_for_one_that_was_not_due() -> None:
    receipt, _, _ = read_receipt(good("pa-659a"))
    for path, why in (("1", "paid otherwise"), ("1/units", "units")):
        lie = hidden(f"/value/events/0/outcome/payments/{path}", "settled")(receipt)
        with pytest.raises(BrokenReceiptError, match=why):
            check_receipt(write_receipt(lie, NOTARY.signer))


def test_what_is_not_shown_is_only_committed_to() -> None:
    receipt, _, _ = read_receipt(good("pa-659a"))
    hidden = [part for entry in receipt.entries for part in entry.parts if isinstance(part, str)]
    assert hidden and all(re.fullmatch("[0-9a-f]{64}", part) for part in hidden)
    assert len({*hidden}) == len(hidden)


# --- rounds in which something goes wrong -------------------------------------------------------------


DEALING = Actor("dealer", Role.DEALER)
WRONG = {
    "a hand is surrendered": ("pa-575", DAN, {"step": "surrender", "position": 5}),
    "the dealer's card is exposed": ("pa-659a", DEALING, {"step": "expose_card", "position": 1}),
    "a player's card is exposed": ("pa-659a", DEALING, {"step": "expose_card", "position": 5}),
}


@cache
def gone_wrong(story: str) -> Floor:
    """Play a round on main wagers alone, in which something goes wrong as soon as it can."""
    game, by, action = WRONG[story]
    floor = seated(game, MemoryStore(), {2: ANN, 5: DAN})
    done = False
    while floor.table("t1").table.rounds == 0:
        move = next_move(floor, "t1")
        doing: Action = move.action
        if isinstance(doing, PlaceWagers):
            doing = PlaceWagers(doing.position, {"main": Cents(1000)})
        say(floor, "t1", move.by, doing)
        marks = [hand.marks for hand in floor.table("t1").table.round.hands.values()]
        if not done and marks and all(HandMark.LOOKED in one for one in marks):
            floor.submit("t1", command(by, read_action(action)))
            done = not floor.run()[0].refused
    assert done
    sign_tree(floor.store, NOTARY, NOON)
    return floor


@pytest.mark.parametrize("viewer", [ANN, DAN])
@pytest.mark.parametrize("story", WRONG)
def test_of_a_round_that_went_wrong_a_receipt_shows_no_card_that_its_reader_may_not_know(
    story: str, viewer: Actor
) -> None:
    floor = gone_wrong(story)
    checked = check_receipt(receipt_of(floor, viewer))
    may = set[str]()
    for one in read_happenings(find_round(floor.store, "t1", 1)):
        may |= may_know(one.rules, one.before, viewer) | may_know(one.rules, one.after, viewer)
    assert {card for value in shown_in(checked.receipt).values() for card in cards_in(value)} <= may
    whole = viewer is ANN and "dealer" not in story
    assert any(line.startswith("decided again: position 2 main") for line in checked.shown) is whole
    assert bool(checked.not_decided) is not whole


def test_a_surrendered_hand_is_in_nobodys_receipt_but_where_its_player_set_it() -> None:
    floor = gone_wrong("a hand is surrendered")
    found = find_round(floor.store, "t1", 1)
    (hand,) = [
        one.after.round.hands[5].cards for one in read_happenings(found) if one.event.step == "surrender"
    ]
    paths = {
        viewer: {
            path.rpartition("/")[2]
            for (_, path), value in shown_in(read_receipt(receipt_of(floor, viewer))[0]).items()
            if {*cards_in(value)} & {*map(str, hand)}
        }
        for viewer in (ANN, DAN)
    }
    assert paths == {ANN: set(), DAN: {"setting"}}


# --- what is changed does not pass --------------------------------------------------------------------


@given(st.data())
def test_no_receipt_passes_with_any_byte_changed_put_in_or_left_out(draw: st.DataObject) -> None:
    data = good(draw.draw(st.sampled_from(LICENSED)))
    at = draw.draw(st.integers(0, len(data) - 1))
    byte = draw.draw(st.integers(0, 255).filter(lambda value: value != data[at]))
    other = draw.draw(
        st.sampled_from(
            [data[:at] + bytes([byte]) + data[at + 1 :], data[:at] + bytes([byte]) + data[at:], data[:at]]
        )
    )
    with pytest.raises(BrokenReceiptError):
        check_receipt(other)


Change = Callable[[Receipt], Receipt]


def entry_changed(number: int, **fields: Any) -> Change:
    def change(receipt: Receipt) -> Receipt:
        entries = [*receipt.entries]
        entries[number] = replace(entries[number], **fields)
        return replace(receipt, entries=tuple(entries))

    return change


def _index(receipt: Receipt, ending: str) -> tuple[int, int]:
    """Return where the first shown part lies whose path ends so."""
    return next(
        (at, place)
        for at, entry in enumerate(receipt.entries)
        for place, part in enumerate(entry.parts)
        if isinstance(part, ShownPart) and part.path.endswith(ending)
    )


def part_changed(ending: str, **fields: Any) -> Change:
    def change(receipt: Receipt) -> Receipt:
        at, place = _index(receipt, ending)
        parts, part = [*receipt.entries[at].parts], receipt.entries[at].parts[place]
        assert isinstance(part, ShownPart)
        parts[place] = replace(part, **fields)
        return entry_changed(at, parts=tuple(parts))(receipt)

    return change


def hidden(path: str, step: str) -> Change:
    """Put commitments to the parts under a path in their places, in the first entry that shows such."""

    def change(receipt: Receipt) -> Receipt:
        at, entry = next(
            (at, entry)
            for at, entry in enumerate(receipt.entries)
            if any(isinstance(part, ShownPart) and part.path.startswith(path) for part in entry.parts)
            and any(isinstance(part, ShownPart) and part.value == f'"{step}"' for part in entry.parts)
        )
        parts = tuple(
            commitment_to(part, part.salt).hex()
            if not isinstance(part, bytes) and part.path.startswith(path)
            else told
            for part, told in zip(entry.disclosure(), entry.parts, strict=True)
        )
        return entry_changed(at, parts=parts)(receipt)

    return change


def entries_changed(change: Callable[[tuple[EntryProof, ...]], tuple[EntryProof, ...]]) -> Change:
    return lambda receipt: replace(receipt, entries=change(receipt.entries))


LIES: dict[str, Change] = {
    "another table": lambda receipt: replace(receipt, table="t2"),
    "another round": lambda receipt: replace(receipt, round=2),
    "another format": lambda receipt: replace(receipt, format="houseway-receipt/2"),
    "another key": lambda receipt: replace(receipt, signed_by=str(OTHER.verifier)),
    "another head": lambda receipt: replace(receipt, head=receipt.head.replace("\n", "0\n", 1)),
    "another version": entry_changed(3, version=40),
    "another leaf": entry_changed(3, leaf=1),
    "another hash": entry_changed(3, entry="00" * 32),
    "a shorter proof": entry_changed(3, proof=()),
    "another card": part_changed("/action/setting", value='[["As","Ah","Ad","Ac"],["Ks","Kh"],["Qs"]]'),
    "another salt": part_changed("/action/setting", salt="00" * 16),
    "a longer salt": part_changed("/action/setting", salt="00" * 17),
    "another path": part_changed("/action/setting", path="/value/command/action/setting2"),
    "no last entry": entries_changed(lambda entries: entries[:-1]),
    "an entry less": entries_changed(lambda entries: (*entries[:5], *entries[6:])),
    "an entry twice": entries_changed(lambda entries: (*entries[:5], entries[4], *entries[5:])),
    "another order": entries_changed(lambda entries: (entries[1], entries[0], *entries[2:])),
    "nothing": entries_changed(lambda _: ()),
    "no steps": hidden("/value/events/0/seq", "turn"),
    "a hidden round": hidden("/value/events/0/round", "turn"),
    "upper case": entry_changed(3, entry="AB" * 32),
}


@pytest.mark.parametrize("game", ["pa-659a", "wa-fap"])
@pytest.mark.parametrize("lie", LIES)
def test_even_the_floor_cannot_sign_a_receipt_of_what_is_not_in_its_tree(lie: str, game: str) -> None:
    receipt, _, _ = read_receipt(good(game))
    with pytest.raises(BrokenReceiptError):
        check_receipt(write_receipt(LIES[lie](receipt), NOTARY.signer))
    check_receipt(write_receipt(receipt, NOTARY.signer))


JSON = st.none() | st.booleans() | st.integers(-3, 99) | st.sampled_from(["", "00" * 32, "x", "turn"])


@settings(max_examples=60)
@given(st.data())
def test_whatever_else_the_floor_signs_of_its_entries_and_its_head_is_refused(draw: st.DataObject) -> None:
    """Any value anywhere in what the tree binds, with another in its place, or left out."""
    data = msgspec.to_builtins(read_receipt(good("pa-575"))[0])
    bound = ("entries", "head", "signed_by", "table", "round", "format")
    inner, key = data, draw.draw(st.sampled_from(bound))
    while isinstance(inner[key], dict | list) and inner[key] and draw.draw(st.integers(0, 4)):
        inner = inner[key]
        keys = sorted(inner) if isinstance(inner, dict) else range(len(inner))
        key = draw.draw(st.sampled_from(keys))
    other: Any = draw.draw(JSON | st.just([]) | st.just({}))
    if draw.draw(st.booleans()) and inner is not data:
        del inner[key]
    else:
        assume(inner[key] != other)
        inner[key] = other
    with pytest.raises(BrokenReceiptError):
        check_receipt(write_receipt(data, NOTARY.signer))


# --- a floor whose log itself lies --------------------------------------------------------------------


def forged(game: str, change: Callable[[bytes], bytes], viewer: Actor = ANN) -> bytes:
    """Return the receipt of a log in which bodies are changed before the floor signs its tree."""
    found, store = find_round(signed(game).store, "t1", 1), MemoryStore()
    entries = [
        replace(entry, body=change(entry.body)) if entry.stream == "table/t1" else entry
        for _, entry in signed(game).store.everything()
    ]
    assert entries != [entry for _, entry in signed(game).store.everything()]
    store.append_batch(Batch(entries=entries))
    sign_tree(store, NOTARY, NOON)
    mine = [entry for entry in entries if entry.stream == "table/t1"][: len(found.entries)]
    told: Any = tuple(map(read_body, mine))
    with store.picture() as picture:
        lying = replace_dataclass(found, entries=tuple(mine), bodies=told)
        return make_receipt(picture, lying, viewer, NOTARY)


def less_paid(body: bytes) -> bytes:
    """Pay Ann's main wager half of what it wins, everywhere in the log."""
    if b'"kind":"settled"' not in body or b'"kind":"pay"' not in body:
        return body
    data = msgspec.json.decode(body)
    for payment in data["value"]["events"][0]["outcome"]["payments"]:
        if payment["kind"] == "pay":
            payment["units"] //= 2
    return msgspec.json.encode(data, order="sorted")


def test_a_wager_that_is_paid_less_than_the_hands_decide_is_named() -> None:
    with pytest.raises(BrokenReceiptError, match="paid otherwise than the hands decide"):
        check_receipt(forged("pa-659a", less_paid))


def test_a_hand_that_does_not_come_off_the_opened_deck_is_named() -> None:
    def exchanged(body: bytes) -> bytes:
        data = msgspec.json.decode(body)
        for event in data["value"]["events"]:
            for racked in (event["outcome"] or {}).get("racked", ()):
                if isinstance(racked, dict) and racked["what"] == "hand":
                    racked["cards"][0], racked["cards"][1] = racked["cards"][1], racked["cards"][0]
        return msgspec.json.encode(data, order="sorted")

    with pytest.raises(BrokenReceiptError, match="were not dealt off the opened deck"):
        check_receipt(forged("pa-659a", exchanged, REGULATOR))


@cache
def swapped_deck() -> bytes:
    """Return a regulator's receipt of a log that opens another deck than was committed to."""
    order = re.compile(rb'("order":\[)("..")(,)("..")')
    return forged("pa-659a", lambda body: order.sub(rb"\1\4\3\2", body), REGULATOR)


def test_an_opened_deck_that_is_not_the_committed_one_is_named() -> None:
    with pytest.raises(BrokenReceiptError, match="not the one that was committed to"):
        check_receipt(swapped_deck())


def test_what_the_viewer_of_a_receipt_is_called_is_signed() -> None:
    receipt, _, _ = read_receipt(good("pa-575"))
    other = write_receipt(replace(receipt, viewer=Viewer(role=Role.PLAYER, id=DAN.id)), OTHER.signer)
    with pytest.raises(BrokenReceiptError):
        check_receipt(other)
