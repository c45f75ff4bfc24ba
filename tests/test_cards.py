"""Cards, decks and their notation."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from houseway.cards import (
    ACE,
    JOKER,
    RANK_NAMES,
    RANKS,
    SUIT_SYMBOLS,
    SUITS,
    Card,
    CardError,
    Cards,
    Deck,
    DuplicateCardError,
    SecondJokerError,
    UnknownCardError,
    WrongCountError,
    distinct,
    parse_cards,
    parse_setting,
    show,
    show_setting,
)
from houseway.errors import InvalidInputError

ALL = tuple(Card(index) for index in range(53))
any_time = settings(deadline=None)
hands = st.lists(st.sampled_from(ALL), unique=True, max_size=53).map(tuple)


@st.composite
def settings_of_cards(draw: st.DrawFn) -> tuple[Cards, ...]:
    """Draw distinct cards divided into parts, none of them empty."""
    sizes = draw(st.lists(st.integers(1, 7), min_size=1, max_size=4))
    order = iter(draw(st.permutations(ALL)))
    return tuple(tuple(next(order) for _ in range(size)) for size in sizes)


# Notation


def test_a_card_is_its_rank_then_its_suit() -> None:
    ace, ten, two = parse_cards("As Td 2c")
    assert (ace.rank, ten.rank, two.rank) == (14, 10, 2)
    assert (ace.suit, ten.suit, two.suit) == (3, 1, 0)


def test_the_number_of_a_card_counts_by_rank_and_then_by_suit() -> None:
    written = [rank + suit for rank in RANKS for suit in SUITS] + ["Jk"]
    assert [str(card) for card in ALL] == written
    assert [Card.parse(text) for text in written] == list(range(53))


def test_a_rank_and_a_suit_name_the_card() -> None:
    for card in ALL[:52]:
        assert card.suit is not None
        assert Card.of(card.rank, card.suit) == card


def test_ranks_and_suits_have_names_in_the_same_order() -> None:
    assert dict(zip(RANKS, RANK_NAMES, strict=True))["T"] == "ten"
    assert SUIT_SYMBOLS == {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}


@pytest.mark.parametrize("text", ["Ts", "10s", "tS", "10S", "T♠", "10♠", "  ts  "])
def test_a_ten_may_be_written_with_a_letter_or_a_figure(text: str) -> None:
    assert Card.parse(text) == Card.of(10, 3)


@pytest.mark.parametrize("text", ["Jk", "jk", "JK", "jK", "joker", "Joker", "JOKER"])
def test_the_joker_may_be_written_short_or_in_full(text: str) -> None:
    assert Card.parse(text) == JOKER


@pytest.mark.parametrize(
    "text",
    [
        "As Td 2c Jk",
        "AsTd2cJk",
        "as td 2c jk",
        "AS TD 2C JK",
        "As,Td,2c,Jk",
        "As, Td , 2c,Jk",
        " As\tTd\n2c  Jk ",
        "As10d 2c joker",
        "A♠ T♦ 2♣ Jk",
        "a♠10♦2♣JOKER",
    ],
)
def test_blanks_commas_case_and_symbols_make_no_difference(text: str) -> None:
    assert show(parse_cards(text)) == "As Td 2c Jk"


@pytest.mark.parametrize(("letter", "symbol"), SUIT_SYMBOLS.items())
def test_every_suit_has_a_letter_and_a_symbol(letter: str, symbol: str) -> None:
    assert parse_cards(f"Q{symbol}") == parse_cards(f"Q{letter}") == parse_cards(f"q{letter.upper()}")


def test_a_jack_before_a_king_is_no_joker() -> None:
    assert show(parse_cards("JsKs")) == "Js Ks"
    assert show(parse_cards("JkKsJs")) == "Jk Ks Js"


def test_no_text_is_no_cards() -> None:
    assert parse_cards("") == parse_cards(" , ") == ()
    assert show(()) == ""


# Round trips


@pytest.mark.parametrize("card", ALL, ids=str)
def test_every_card_is_read_back_as_it_is_written(card: Card) -> None:
    assert Card.parse(str(card)) == card
    assert repr(card) == str(card)


@any_time
@given(hand=hands, between=st.sampled_from(["", " ", ",", ", ", "\n", " , "]))
def test_every_hand_is_read_back_as_it_is_written(hand: Cards, between: str) -> None:
    text = show(hand, between)
    assert parse_cards(text) == parse_cards(text.upper()) == parse_cards(text.lower()) == hand


@any_time
@given(parts=settings_of_cards())
def test_every_setting_is_read_back_as_it_is_written(parts: tuple[Cards, ...]) -> None:
    sizes = [len(part) for part in parts]
    assert parse_setting(show_setting(parts)) == parts
    assert parse_setting(show_setting(parts), sizes) == parts


# Refusals


@pytest.mark.parametrize(
    ("text", "offender"),
    [
        ("Zz", "Zz"),
        ("1s", "1s"),
        ("11s", "11s"),
        ("Ax", "Ax"),
        ("A", "A"),
        ("s", "s"),
        ("As Kx Qd", "Kx"),
        ("As,Kx,Qd", "Kx"),
        ("AsKdQ", "Q"),
        ("As sK", "sK"),
        ("Jks", "s"),
        ("As / Ks", "/"),
        ("As; Ks", ";"),
        ("As-Ks", "-Ks"),
        ("A s", "A"),
        ("🂡", "🂡"),
        ("Aſ", "Aſ"),
        ("\u212as", "\u212as"),
        ("J\u212a", "J\u212a"),
        ("jo\u212aer", "jo\u212aer"),
        ("٢s", "٢s"),
        ("1٠s", "1٠s"),
        ("As ２c", "２c"),
    ],
)
def test_what_is_no_card_is_refused_by_name(text: str, offender: str) -> None:
    with pytest.raises(UnknownCardError) as refusal:
        parse_cards(text)
    assert refusal.value.value == offender
    assert str(refusal.value) == f"not a card: {offender!r}"


@pytest.mark.parametrize("index", [-1, 53, 256])
def test_a_number_that_no_card_has_is_refused_by_name(index: int) -> None:
    with pytest.raises(UnknownCardError, match=f"no card has this number: {index}"):
        Card(index)


@pytest.mark.parametrize(
    ("rank", "suit"), [(15, 0), (1, 0), (0, 0), (-1, 3), (2, 7), (2, 4), (2, -1), (14, 4), (15, 4)]
)
def test_a_rank_or_a_suit_that_no_card_has_is_refused_by_both(rank: int, suit: int) -> None:
    with pytest.raises(UnknownCardError) as refusal:
        Card.of(rank, suit)
    assert str(refusal.value) == f"no card has this rank and suit: ({rank}, {suit})"


@pytest.mark.parametrize(
    ("text", "offender"), [("As Kd As", "As"), ("ThKd10hKd", "Th"), ("2c 2♣", "2c"), ("as AS", "As")]
)
def test_a_card_given_twice_is_refused_by_name(text: str, offender: str) -> None:
    with pytest.raises(DuplicateCardError, match=f"the same card twice: '{offender}'") as refusal:
        parse_cards(text)
    assert type(refusal.value) is DuplicateCardError


@pytest.mark.parametrize("text", ["Jk Jk", "Jk As joker", "AsjkKdJK"])
def test_a_second_joker_is_refused_by_name(text: str) -> None:
    with pytest.raises(SecondJokerError, match="a deck in play has one joker: 'Jk'"):
        parse_cards(text)


@any_time
@given(hand=hands.filter(bool), data=st.data())
def test_any_card_added_again_to_any_hand_is_refused_by_name(hand: Cards, data: st.DataObject) -> None:
    again = data.draw(st.sampled_from(hand))
    at = data.draw(st.integers(0, len(hand)))
    expected = SecondJokerError if again.is_joker else DuplicateCardError
    with pytest.raises(expected) as refusal:
        distinct((*hand[:at], again, *hand[at:]))
    assert refusal.value.value == str(again)
    assert distinct(hand) == hand


@pytest.mark.parametrize("needed", [1, 2, 4, 6, 7])
def test_one_card_too_few_or_too_many_is_refused_by_both_counts(needed: int) -> None:
    assert len(parse_cards(show(ALL[:needed]), count=needed)) == needed
    for given_ in (needed - 1, needed + 1):
        text = show(ALL[:given_])
        with pytest.raises(WrongCountError) as refusal:
            parse_cards(text, count=needed)
        assert str(refusal.value) == f"{needed} cards needed, {given_} given: {text!r}"


@pytest.mark.parametrize("text", ["", "As Ks"])
def test_a_single_card_is_exactly_one(text: str) -> None:
    with pytest.raises(WrongCountError, match=f"1 cards needed, {len(text.split())} given: '{text}'"):
        Card.parse(text)


def test_every_refusal_of_cards_is_one_of_input_that_means_nothing() -> None:
    for kind in (UnknownCardError, DuplicateCardError, SecondJokerError, WrongCountError):
        assert issubclass(kind, CardError)
        assert issubclass(kind, InvalidInputError)


# Settings


@pytest.mark.parametrize(
    "text",
    [
        "AsKsQsJs / ThTd / 9c",
        "AsKsQsJs/ThTd/9c",
        "As Ks Qs Js / Th Td / 9c",
        "as,ks,qs,js / 10h 10d / 9♣",
    ],
)
def test_a_setting_is_parts_divided_by_slashes_high_first(text: str) -> None:
    parts = parse_setting(text, sizes=(4, 2, 1))
    assert [show(part) for part in parts] == ["As Ks Qs Js", "Th Td", "9c"]
    assert show_setting(parts) == "AsKsQsJs / ThTd / 9c"


@pytest.mark.parametrize(
    ("text", "shape"),
    [
        ("AsKsQs / ThTd / 9c", "3-2-1"),
        ("AsKsQsJs9d / ThTd / 9c", "5-2-1"),
        ("AsKsQsJs / Th / 9c", "4-1-1"),
        ("AsKsQsJs / ThTd9d / 9c", "4-3-1"),
        ("AsKsQsJs / ThTd / ", "4-2-0"),
        ("AsKsQsJs / ThTd / 9c9d", "4-2-2"),
        ("AsKsQsJs / ThTd", "4-2"),
        ("AsKsQsJs / ThTd / 9c / 8c", "4-2-1-1"),
        ("ThTd / AsKsQsJs / 9c", "2-4-1"),
        ("AsKsQsJsThTd9c", "7"),
        ("", "0"),
    ],
)
def test_a_setting_of_other_sizes_is_refused_by_both_shapes(text: str, shape: str) -> None:
    with pytest.raises(WrongCountError) as refusal:
        parse_setting(text, sizes=(4, 2, 1))
    assert str(refusal.value) == f"parts of 4-2-1 cards needed, {shape} given: {text.strip()!r}"


@pytest.mark.parametrize(
    ("text", "offender", "error"),
    [
        ("AsKsQsJs / ThAs / 9c", "As", DuplicateCardError),
        ("AsKsQsJs / ThTd / 10h", "Th", DuplicateCardError),
        ("AsAsQsJs / ThTd / 9c", "As", DuplicateCardError),
        ("JkKsQsJs / ThTd / Jk", "Jk", SecondJokerError),
    ],
)
def test_a_card_in_two_parts_of_a_setting_is_refused_by_name(
    text: str, offender: str, error: type[DuplicateCardError]
) -> None:
    with pytest.raises(error) as refusal:
        parse_setting(text, sizes=(4, 2, 1))
    assert refusal.value.value == offender


def test_what_is_no_card_is_refused_in_any_part_of_a_setting() -> None:
    with pytest.raises(UnknownCardError, match="not a card: 'Xx'"):
        parse_setting("AsKsQsJs / ThTd / Xx")


# The joker


def test_the_joker_ranks_as_an_ace_and_has_no_suit() -> None:
    assert JOKER.rank == ACE == Card.parse("As").rank
    assert JOKER.suit is None


def test_only_the_joker_is_the_joker() -> None:
    assert [card for card in ALL if card.is_joker] == [JOKER]
    assert all(card.suit is not None for card in ALL if card != JOKER)


# Decks


def test_the_standard_deck_has_53_cards_with_the_joker_and_52_without() -> None:
    with_joker, without = Deck.standard(), Deck.standard(joker=False)
    assert (len(with_joker), with_joker.jokers) == (53, 1)
    assert (len(without), without.jokers) == (52, 0)
    assert with_joker.cards == (*without.cards, JOKER) == ALL


def test_a_standard_deck_has_every_rank_in_every_suit() -> None:
    natural = {(card.rank, card.suit) for card in Deck.standard(joker=False).cards}
    assert natural == {(rank, suit) for rank in range(2, 15) for suit in range(4)}


def test_a_reduced_deck_has_the_named_ranks_in_the_named_suits() -> None:
    deck = Deck.reduced("AKQ", "sh")
    assert show(deck.cards) == "Qh Qs Kh Ks Ah As Jk"
    assert (len(deck), deck.jokers) == (7, 1)


def test_a_reduced_deck_is_in_order_however_its_ranks_and_suits_are_written() -> None:
    deck = Deck.reduced("QKA", "hs")
    assert deck == Deck.reduced("AKQ", "sh") == Deck.reduced("akq", "SH") == Deck.reduced("KaQ", "Hs")
    assert list(deck.cards) == sorted(deck.cards)


@pytest.mark.parametrize(
    ("ranks", "suits", "refused"),
    [
        ("AKX", "sh", "no such rank: 'X'"),
        ("1", "s", "no such rank: '1'"),
        ("10", "s", "no such rank: '1'"),
        ("A K", "s", "no such rank: ' '"),
        ("A,K", "s", "no such rank: ','"),
        ("AK/", "s", "no such rank: '/'"),
        ("As", "h", "no such rank: 's'"),
        ("A\u212a", "s", "no such rank: '\u212a'"),
        ("A٣", "s", "no such rank: '٣'"),
        ("AX", "x", "no such rank: 'X'"),
        ("AK", "sx", "no such suit: 'x'"),
        ("AK", "s h", "no such suit: ' '"),
        ("AK", "s,h", "no such suit: ','"),
        ("J", "k", "no such suit: 'k'"),
        ("AK", "ſ", "no such suit: 'ſ'"),
    ],
)
def test_a_reduced_deck_of_ranks_or_suits_that_nothing_bears_is_refused_by_name(
    ranks: str, suits: str, refused: str
) -> None:
    with pytest.raises(UnknownCardError) as refusal:
        Deck.reduced(ranks, suits)
    assert str(refusal.value) == refused


def test_a_reduced_deck_can_leave_the_joker_out() -> None:
    deck = Deck.reduced("2T", "c", joker=False)
    assert (show(deck.cards), deck.jokers) == ("2c Tc", 0)


def test_a_reduced_deck_of_everything_holds_the_standard_cards() -> None:
    assert Deck.reduced(RANKS, SUITS) == Deck.standard()


@pytest.mark.parametrize(("ranks", "suits"), [("AKA", "sh"), ("AK", "ss")])
def test_a_reduced_deck_names_no_rank_or_suit_twice(ranks: str, suits: str) -> None:
    with pytest.raises(DuplicateCardError):
        Deck.reduced(ranks, suits)


def test_no_deck_holds_a_card_twice() -> None:
    with pytest.raises(DuplicateCardError, match="'As'"):
        Deck(parse_cards("As Ks") + parse_cards("As"))
    with pytest.raises(SecondJokerError):
        Deck((*ALL, JOKER))
