"""Draws, shuffles and sealed decks: exact where a source can be scripted, tested by chance elsewhere."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable
from itertools import combinations, permutations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from houseway.cards import Card, Cards, Deck, DuplicateCardError, SecondJokerError, parse_cards
from houseway.errors import InvalidInputError
from houseway.rng import (
    DIE_FACES,
    NONCE_BYTES,
    SealedDeck,
    SeededEntropy,
    SystemEntropy,
    below,
    dice,
    shuffled,
)

any_time = settings(deadline=None)
DECK = Deck.standard().cards
REJECTED = -1


class OutOfBytesError(Exception):
    """The script is at its end."""


class ScriptedEntropy:
    """Exactly these bytes, and then none."""

    def __init__(self, script: Iterable[int]) -> None:
        self.left = bytes(script)

    def read(self, count: int) -> bytes:
        if len(self.left) < count:
            raise OutOfBytesError
        taken, self.left = self.left[:count], self.left[count:]
        return taken


def outcome(limit: int, script: Iterable[int]) -> int:
    """Return the draw these bytes make, or that they were thrown away."""
    try:
        return below(limit, ScriptedEntropy(script))
    except OutOfBytesError:
        return REJECTED


def chi_square(counts: Counter[int], cells: int) -> float:
    """Return how far the counts are from all being equal."""
    expected = counts.total() / cells
    return sum((counts[cell] - expected) ** 2 / expected for cell in range(cells))


# Draws


def test_seven_outcomes_share_252_bytes_equally_and_the_other_4_are_thrown_away() -> None:
    counts = Counter(outcome(7, [byte]) for byte in range(256))
    assert counts == {**dict.fromkeys(range(7), 36), REJECTED: 4}


def test_every_limit_of_one_byte_gives_each_outcome_equally_many_bytes() -> None:
    for limit in range(1, 257):
        counts = Counter(outcome(limit, [byte]) for byte in range(256))
        each, rest = divmod(256, limit)
        assert counts.pop(REJECTED, 0) == rest
        assert counts == dict.fromkeys(range(limit), each)


def test_a_limit_above_256_gives_each_outcome_equally_many_pairs_of_bytes() -> None:
    counts = Counter(outcome(300, pair) for pair in product(range(256), repeat=2))
    assert counts == {**dict.fromkeys(range(300), 218), REJECTED: 65_536 - 300 * 218}


def test_a_draw_takes_no_more_bytes_than_the_limit_needs() -> None:
    for limit, size in [(1, 1), (2, 1), (256, 1), (257, 2), (65_536, 2), (65_537, 3)]:
        source = ScriptedEntropy([0] * 8)
        assert below(limit, source) == 0
        assert len(source.left) == 8 - size


def test_a_rejected_byte_is_followed_by_a_fresh_one() -> None:
    source = ScriptedEntropy([255, 252, 8, 99])
    assert below(7, source) == 1
    assert source.left == bytes([99])


@any_time
@given(limit=st.integers(1, 2**70), seed=st.integers())
def test_a_draw_is_at_least_0_and_below_its_limit(limit: int, seed: int) -> None:
    assert 0 <= below(limit, SeededEntropy(seed)) < limit


@pytest.mark.parametrize("limit", [1, 2, 6, 7, 53, 256, 257])
def test_every_outcome_of_a_draw_can_be_reached(limit: int) -> None:
    source = SeededEntropy(f"reach {limit}")
    assert {below(limit, source) for _ in range(40 * limit)} == set(range(limit))


@pytest.mark.parametrize("limit", [0, -1])
def test_a_draw_of_nothing_is_refused_by_its_limit(limit: int) -> None:
    with pytest.raises(InvalidInputError, match=f"a draw needs at least one outcome: {limit}"):
        below(limit, SystemEntropy())


def test_70000_seeded_draws_fill_7_cells_evenly() -> None:
    source = SeededEntropy("seven cells")
    counts = Counter(below(7, source) for _ in range(70_000))
    assert chi_square(counts, 7) < 22.46  # the 99.9th percentile with 6 degrees of freedom


def test_a_die_shows_1_to_6_each_equally_often_and_252_to_255_are_thrown_away() -> None:
    shown = Counter(dice(1, ScriptedEntropy([byte])) for byte in range(252))
    assert shown == {(face,): 42 for face in range(1, DIE_FACES + 1)}
    assert dice(3, ScriptedEntropy([255, 0, 252, 5, 10])) == (1, 6, 5)


# Shuffles


def test_each_of_the_24_orders_of_4_items_comes_from_exactly_one_of_the_24_choices() -> None:
    orders = Counter(
        shuffled("abcd", ScriptedEntropy(choices)) for choices in product(range(4), range(3), range(2))
    )
    assert orders == dict.fromkeys(permutations("abcd"), 1)


def test_each_of_the_6_orders_of_3_items_comes_from_equally_many_bytes() -> None:
    orders: Counter[tuple[str, ...]] = Counter()
    rejected = 0
    for script in product(range(256), repeat=2):
        try:
            orders[shuffled("abc", ScriptedEntropy(script))] += 1
        except OutOfBytesError:
            rejected += 1
    assert orders == dict.fromkeys(permutations("abc"), 255 * 256 // 6)
    assert rejected == 256  # a first byte of 255 cannot be shared by three


@any_time
@given(items=st.lists(st.integers()), seed=st.integers())
def test_a_shuffle_loses_nothing_and_adds_nothing(items: list[int], seed: int) -> None:
    before = list(items)
    assert sorted(shuffled(items, SeededEntropy(seed))) == sorted(items)
    assert items == before


@pytest.mark.parametrize("items", [(), ("only",)])
def test_nothing_and_a_single_item_have_one_order_and_need_no_bytes(items: tuple[str, ...]) -> None:
    assert shuffled(items, ScriptedEntropy([])) == items


def test_53000_seeded_shuffles_put_a_card_evenly_into_53_positions() -> None:
    source, joker = SeededEntropy("one card"), len(DECK) - 1
    deck = range(len(DECK))
    counts = Counter(shuffled(deck, source).index(joker) for _ in range(53_000))
    assert chi_square(counts, 53) < 89.27  # the 99.9th percentile with 52 degrees of freedom


# Sources of bytes


@any_time
@given(seed=st.text("aA01: é") | st.integers(), sizes=st.lists(st.integers(0, 3000), max_size=12))
def test_the_same_seed_gives_the_same_bytes_whatever_the_size_of_the_reads(
    seed: str | int, sizes: list[int]
) -> None:
    one, many = SeededEntropy(seed), SeededEntropy(seed)
    assert b"".join(many.read(size) for size in sizes) == one.read(sum(sizes))


def test_a_seed_gives_the_bytes_it_has_always_given() -> None:
    block = hashlib.shake_256(b"houseway:421:0").digest(1024)
    block += hashlib.shake_256(b"houseway:421:1").digest(1024)
    assert SeededEntropy(421).read(2048) == SeededEntropy("421").read(2048) == block
    assert block[:8].hex() == "495f031f5335eb81"


def test_a_seed_deals_the_cards_it_has_always_dealt() -> None:
    assert " ".join(map(str, shuffled(DECK, SeededEntropy(421))[:7])) == "Ks 9h 4h Kh 6d Td Kc"


def test_different_seeds_give_different_bytes() -> None:
    seeds: list[str | int] = [*range(500), "", "a", "A", "a:0", "a:1", " a", "é"]
    assert len({SeededEntropy(seed).read(32) for seed in seeds}) == len(seeds)


@pytest.mark.parametrize("count", [0, 1, 32, 1024, 5000])
def test_every_source_gives_as_many_bytes_as_are_asked_for(count: int) -> None:
    assert len(SystemEntropy().read(count)) == count
    assert len(SeededEntropy("size").read(count)) == count


def test_two_reads_of_the_system_differ() -> None:
    source = SystemEntropy()
    assert source.read(32) != source.read(32)
    assert SystemEntropy().read(32) != SystemEntropy().read(32)


# Sealed decks


def sealed(seed: str | int = "sealed", cards: Cards = DECK) -> SealedDeck:
    return SealedDeck.shuffle(cards, SeededEntropy(seed))


def test_a_sealed_deck_holds_the_cards_given_and_a_fresh_nonce_of_32_bytes() -> None:
    deck = sealed()
    assert sorted(deck.order) == sorted(DECK)
    assert len(deck.nonce) == NONCE_BYTES == 32
    assert deck.nonce != sealed("another").nonce


def test_the_nonce_is_read_after_the_order_and_not_from_it() -> None:
    source = SeededEntropy("sealed")
    order = shuffled(DECK, source)
    assert sealed() == SealedDeck(order, source.read(NONCE_BYTES))


@any_time
@given(seed=st.integers())
def test_a_sealed_deck_opens_its_own_commitment(seed: int) -> None:
    deck = sealed(seed)
    assert deck.opens(deck.commitment)
    assert SealedDeck(deck.order, deck.nonce).opens(deck.commitment)


def test_a_commitment_is_the_sha_256_of_the_nonce_and_a_byte_for_each_card() -> None:
    deck = SealedDeck(parse_cards("2c As Jk"), bytes(range(32)))
    assert deck.commitment == hashlib.sha256(bytes(range(32)) + bytes([0, 51, 52])).hexdigest()


def test_no_swap_of_two_cards_opens_the_commitment() -> None:
    deck = sealed()
    for first, second in combinations(range(len(deck.order)), 2):
        order = list(deck.order)
        order[first], order[second] = order[second], order[first]
        assert not SealedDeck(tuple(order), deck.nonce).opens(deck.commitment)


@any_time
@given(order=st.permutations(DECK))
def test_no_other_order_opens_the_commitment(order: list[Card]) -> None:
    deck = sealed()
    assert SealedDeck(tuple(order), deck.nonce).opens(deck.commitment) == (tuple(order) == deck.order)


@pytest.mark.parametrize("bit", [0, 7, 8, 128, 255])
def test_no_other_nonce_opens_the_commitment(bit: int) -> None:
    deck = sealed()
    other = (int.from_bytes(deck.nonce, "big") ^ (1 << bit)).to_bytes(NONCE_BYTES, "big")
    assert not SealedDeck(deck.order, other).opens(deck.commitment)


def test_neither_fewer_cards_nor_the_reverse_order_opens_the_commitment() -> None:
    deck = sealed()
    for order in (deck.order[:-1], deck.order[1:], deck.order[::-1], ()):
        assert not SealedDeck(order, deck.nonce).opens(deck.commitment)


@pytest.mark.parametrize(
    "text", ["", "0" * 64, "no hash at all", "é", "é" * 64, "٠" * 64, "\0", "\ud800", "\udcff" * 64]
)
def test_what_is_no_commitment_of_the_deck_is_not_opened(text: str) -> None:
    assert not sealed().opens(text)
    assert not sealed().opens(sealed().commitment[:-1])
    assert not sealed().opens(sealed().commitment + text + " ")


@any_time
@given(text=st.text(st.characters(exclude_categories=())))
def test_any_text_at_all_can_be_tried_as_a_commitment(text: str) -> None:
    deck = sealed()
    assert deck.opens(text) == (text == deck.commitment)


@pytest.mark.parametrize("size", [0, 16, 31, 33, 64])
def test_a_nonce_of_other_than_32_bytes_is_refused_by_its_size(size: int) -> None:
    with pytest.raises(InvalidInputError, match=f"a nonce has 32 bytes: {size}"):
        SealedDeck(DECK, bytes(size))


def test_a_deck_with_a_card_twice_is_not_sealed() -> None:
    with pytest.raises(DuplicateCardError, match="'As'"):
        SealedDeck(parse_cards("As Ks") + parse_cards("As"), bytes(NONCE_BYTES))
    with pytest.raises(SecondJokerError):
        sealed(cards=(*DECK, DECK[-1]))


def test_the_same_order_under_another_nonce_has_another_commitment() -> None:
    commitments = {SealedDeck(DECK, bytes([byte] * NONCE_BYTES)).commitment for byte in range(256)}
    assert len(commitments) == 256
