"""A card typed in wrongly and put right at any moment of the round: what it settled is settled anew."""

from __future__ import annotations

import pytest

from houseway.cards import parse_cards, parse_setting
from houseway.ranking import Setting
from houseway.rounds.deciding import suggestions
from houseway.rounds.replay import difference
from houseway.rounds.state import CardOrigin, Phase
from tests.games.support import Changes
from tests.rounds.books import agrees_with_settlement, books_balance, books_closed, disagreement, gained, net
from tests.rounds.california import (
    BANKER,
    FIVE,
    LOSES,
    PUSHES,
    QUADS,
    REVIEWED,
    STRAIGHT,
    WINS,
    Cardroom,
    results,
)
from tests.rounds.commands import value_of
from tests.rounds.pennsylvania import entered_at_the_table
from tests.rounds.table import DEALER, FLOOR, TestTable, player, setting

WHY = "the joker was an ace"
HANDS = {
    "pa-575": {1: "QsQh3d2c / 8h8d / 7c", 2: "Jc4h3s2h / 9s6c / 8c", 4: "AsAh6h5d / JdJh / Kc"},
    "pa-659a": {1: "QsQh3d2c / 8h8d / 7c", 2: "Jc4h3s2h / 9s6c / 8c", 4: "AsAh6h5d / JdJh / Kc"},
    "pa-670a": {1: "QsQh8h6s4c / Jd", 2: "Th7c4h3d2s / 9d", 4: "AsAh9c6h3h / Kd"},
}
QUAD_ACES = {"pa-659a": "AsAhAdJk / JdJh / Kc", "pa-670a": "AsAhAdJkKc / Kd"}
GAMES = tuple(HANDS)
OFFERED = {
    "pa-575": {"bonus": "$5"},
    "pa-659a": {"fortune": "$5", "progressive": "$1"},
    "pa-670a": {"fortune": "$5", "progressive": "$1"},
}
MOMENTS = ("opened", "settled", "rearranged", "racked", "all racked")


def key_in(table: TestTable, at: int, how: str | Setting) -> TestTable:
    """Type a hand in and confirm it."""
    table.do("enter_hand", at=at, setting=setting(how) if isinstance(how, str) else how)
    table.do("confirm_entry", at=at)
    return table


def mistyped(game: str, moment: str, bets: dict[int, dict[str, str]] | None = None) -> TestTable:
    """Play a round of real cards, a card of the hand at 2 typed in wrongly, as far as a moment."""
    table = entered_at_the_table(game, bets or {2: OFFERED[game], 4: OFFERED[game]})
    key_in(table, 1, HANDS[game][1]).play_on(Phase.SETTLING)
    right = setting(HANDS[game][2])
    wrong = (parse_cards("Kh") + right[0][1:], *right[1:])
    key_in(table, 2, wrong)
    table.do("reveal", at=2)
    if moment == "opened":
        return table
    table.do("settle", at=2, wager="main")
    if moment == "settled":
        return table
    table.do("rearrange", at=2)
    if moment == "rearranged":
        return table
    table.play_on()
    if moment == "all racked":
        key_in(table, 4, HANDS[game][4]).play_on(without=["close_round"])
    return table


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("moment", MOMENTS)
def test_a_card_typed_in_wrongly_is_put_right_until_the_round_is_closed(game: str, moment: str) -> None:
    table = mistyped(game, moment)
    for by in (DEALER, player(2)):
        table.refused("reopen_entry", by, 2, reason=WHY)
    table.refused("reopen_entry", FLOOR, 2, reason=" ")
    table.do("reopen_entry", FLOOR, 2, reason=WHY)
    hand = table.state.round.hands[2]
    assert (hand.cards, hand.setting, hand.settled, hand.shown) == ((), None, frozenset(), frozenset())
    assert net(table.live.table.round.payments).get("player:Ann", 0) == 0 and books_balance(table)
    assert all(racked.position != 2 for racked in table.state.rack if racked.round == 1 and racked.cards)
    table.refused("close_round")
    key_in(table, 2, HANDS[game][2]).play_on(without=["close_round"])
    if not table.state.round.hands[4].cards:
        key_in(table, 4, HANDS[game][4])
    table.play_on(rounds=1)
    assert agrees_with_settlement(table) and books_closed(table)


# --- the dealer's hand ---------------------------------------------------------------------------------


BEFORE_PAYMENT = ("confirmed", "set", "typed", "opened")


def dealer_mistyped(game: str, moment: str) -> TestTable:
    """Play a round of real cards, a card of the dealer's typed in wrongly, as far as a moment."""
    table = entered_at_the_table(game, {2: OFFERED[game], 4: OFFERED[game]})
    right = setting(HANDS[game][1])
    key_in(table, 1, (parse_cards("Kh") + right[0][1:], *right[1:]))
    if moment == "confirmed":
        return table
    table.play_on(Phase.SETTLING)
    if moment == "set":
        return table
    key_in(table, 2, HANDS[game][2])
    if moment == "typed":
        return table
    table.do("reveal", at=2)
    if moment == "opened":
        return table
    table.do("settle", at=2, wager="main")
    return table


def typed_rightly(table: TestTable, game: str) -> TestTable:
    """Type in what is missing, the dealer's hand first, and play the round to its end."""
    key_in(table, 1, HANDS[game][1])
    for at in (2, 4):
        table.play_on(without=["close_round"])
        if not table.state.round.hands[at].cards:
            key_in(table, at, HANDS[game][at])
    return table.play_on(rounds=1)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("moment", BEFORE_PAYMENT)
def test_the_dealers_hand_is_typed_in_anew_before_anything_is_paid_by_it(game: str, moment: str) -> None:
    table = dealer_mistyped(game, moment)
    for by in (DEALER, player(2)):
        table.refused("reopen_entry", by, 1, reason=WHY)
    table.refused("reopen_entry", FLOOR, 1, reason=" ")
    (event,) = table.do("reopen_entry", FLOOR, 1, reason=WHY)
    assert (event.by, event.position, event.action.reason) == (FLOOR, 1, WHY)
    this_round = table.state.round
    assert (this_round.dealer_cards, this_round.dealer_setting) == ((), None)
    table.refused("reopen_entry", FLOOR, 1, reason=WHY)
    table.refused("set_dealer")
    table.refused("reveal", at=2)
    typed_rightly(table, game)
    last = table.live.table.last
    assert last is not None and sorted(last.dealer_cards) == sorted(parse_cards(spread(HANDS[game][1])))
    assert agrees_with_settlement(table) and books_closed(table)
    assert table.live.record is not None and difference(table.live.record) is None
    events = [event for turn in table.live.record.turns for event in turn.events]
    assert [value_of(event, "reason") for event in events if event.step == "reopen_entry"] == [WHY]


def spread(how: str) -> str:
    """Return the cards of a setting as they are written one by one."""
    return how.replace("/", " ")


@pytest.mark.parametrize("game", GAMES)
def test_what_was_paid_by_the_dealers_hand_is_undone_before_it_is_typed_in_anew(game: str) -> None:
    table = dealer_mistyped(game, "settled")
    problems = table.problems("reopen_entry", FLOOR, 1, reason=WHY)
    assert ["its entry is reopened first" in problem.reason for problem in problems] == [True]
    table.do("reopen_entry", FLOOR, 2, reason="the dealer's hand was typed in wrongly")
    table.do("reopen_entry", FLOOR, 1, reason=WHY)
    assert books_balance(table)
    typed_rightly(table, game)
    assert agrees_with_settlement(table) and books_closed(table)


@pytest.mark.parametrize("game", GAMES)
def test_a_card_that_a_player_holds_and_the_dealer_was_said_to_hold_is_no_dead_end(game: str) -> None:
    table = entered_at_the_table(game, {2: {}, 4: {}})
    right, players = setting(HANDS[game][1]), setting(HANDS[game][2])
    key_in(table, 1, ((players[0][0], *right[0][1:]), *right[1:])).play_on(Phase.SETTLING)
    table.refused("enter_hand", at=2, setting=players)
    table.do("reopen_entry", FLOOR, 1, reason="a card of the first player's")
    typed_rightly(table, game)
    assert agrees_with_settlement(table) and books_closed(table)


@pytest.mark.parametrize("game", ["pa-575", "pa-659a"])
def test_what_was_surrendered_stays_surrendered_when_the_dealers_hand_is_typed_in_anew(game: str) -> None:
    table = entered_at_the_table(game, {2: {}, 4: {}})
    right = setting(HANDS[game][1])
    key_in(table, 1, (parse_cards("Kh") + right[0][1:], *right[1:])).play_on(Phase.SETTLING)
    table.do("surrender", player(4), 4)
    lost = gained(table, 4)
    table.do("reopen_entry", FLOOR, 1, reason=WHY)
    table.refused("surrender", player(2), 2)
    key_in(table, 1, HANDS[game][1]).play_on()
    key_in(table, 2, HANDS[game][2]).play_on(rounds=1)
    assert gained(table, 4) == lost and agrees_with_settlement(table) and books_closed(table)


def test_the_banks_hand_is_typed_in_anew_and_its_own_setting_with_it() -> None:
    room = typed(2, 4)
    wrong = parse_setting("Jc Js 7d 5h 2c / Ah 4s")
    room.do("reset_bank", room.at(6), 6, setting=room.state.round.dealer_setting)
    room.do("reopen_entry", FLOOR, 6, reason="misread")
    assert not room.state.round.marks & {"dealer_set", "bank_reset"}
    room.do("enter_hand", at=6, setting=wrong)
    room.do("confirm_entry", at=6)
    room.do("set_dealer")
    room.do("reset_bank", room.at(6), 6, setting=wrong)
    key_in(room, 2, LOSES[0]).play_on()
    room.refused("reopen_entry", FLOOR, 6, reason="misread again")
    key_in(room, 4, LOSES[1])
    room.finished()
    assert books_closed(room)


# --- envy ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", ["pa-659a", "pa-670a"])
def test_envy_that_was_paid_by_a_mistyped_hand_is_undone_with_it(game: str) -> None:
    bets = {2: {"fortune": "$5"}, 4: {"fortune": "$5"}}
    table = entered_at_the_table(game, bets)
    key_in(table, 1, HANDS[game][1]).play_on(Phase.SETTLING)
    key_in(table, 2, HANDS[game][2]).play_on()
    key_in(table, 4, QUAD_ACES[game]).play_on(without=["close_round"])
    assert table.last("pay_envy").outcome.payments
    with_envy = gained(table, 2)
    table.do("reopen_entry", FLOOR, 4, reason=WHY)
    assert gained(table, 2) < with_envy and books_balance(table)
    key_in(table, 4, HANDS[game][4]).play_on(rounds=1)
    assert agrees_with_settlement(table) and books_closed(table)


@pytest.mark.parametrize("game", ["pa-659a", "pa-670a"])
def test_envy_is_paid_by_a_hand_that_turns_out_better_than_it_was_typed(game: str) -> None:
    table = entered_at_the_table(game, {2: {"fortune": "$5"}, 4: {"fortune": "$5"}})
    key_in(table, 1, HANDS[game][1]).play_on(Phase.SETTLING)
    key_in(table, 2, HANDS[game][2]).play_on()
    key_in(table, 4, HANDS[game][4]).play_on(without=["close_round"])
    table.do("reopen_entry", FLOOR, 4, reason=WHY)
    key_in(table, 4, QUAD_ACES[game]).play_on(rounds=1)
    assert "pay_envy" in table.steps()
    assert agrees_with_settlement(table) and books_closed(table)


@pytest.mark.parametrize("game", ["pa-575", "pa-659a"])
def test_a_player_whose_hand_everybody_has_seen_neither_surrenders_nor_voids_it(game: str) -> None:
    table = mistyped(game, "opened", {2: {}, 4: {}})
    table.do("reopen_entry", FLOOR, 2, reason=WHY)
    table.refused("surrender", player(2), 2)
    table.refused("expose_card", at=2)


def test_659a_a_surrendered_hand_that_was_typed_in_wrongly_stays_surrendered() -> None:
    table = entered_at_the_table("pa-659a", {2: {"fortune": "$5"}, 4: {}})
    hands = HANDS["pa-659a"]
    keyed = {1: hands[1], 2: hands[2], 4: "KhTcTd9h / KdAh / Kc"}
    for at, how in keyed.items():
        key_in(table, at, how)
        table.play_on(without=["rack"] if at == 4 else ())
        if at == 1:
            table.do("surrender", player(4), 4)
    assert table.last("rearrange").position == 4
    lost = gained(table, 4)
    table.do("reopen_entry", FLOOR, 4, reason="an ace for the fourth king")
    assert gained(table, 4) == lost and table.state.round.hands[4].settled == {"main"}
    key_in(table, 4, "KhTcTd9h / KdAh / Ac").play_on(rounds=1)
    assert agrees_with_settlement(table) and books_closed(table)


def typed(*seats: int, stake: str = "$200", changes: Changes | None = None, **wagers: str) -> Cardroom:
    """Play a round of real cards to where the players' hands are opened: seat 6 banks."""
    room = Cardroom(changes, source=CardOrigin.TYPED).banks(6, stake)
    room.bets(*seats, **wagers or {"main": "$20"}).closed().diced()
    room.play_on(Phase.DEALER)
    key_in(room, 6, BANKER)
    room.do("set_dealer")
    return room


def test_where_a_player_banks_every_hand_is_settled_again_in_order() -> None:
    """What a bank of $30 has left for seat 4 depends on what it paid at seat 2."""
    room = typed(2, 4, stake="$30")
    key_in(room, 2, WINS[0]).play_on()
    key_in(room, 4, WINS[1]).play_on(without=["close_round"])
    assert results(room.live.table.round) == {"Bob": "$20", "Dan": "$10"}
    room.do("reopen_entry", FLOOR, 2, reason="misread")
    assert books_balance(room)
    key_in(room, 2, PUSHES)
    assert results(room.finished()) == {"Bob": "$0", "Dan": "$20", "Finn": "-$20"} and books_closed(room)


@pytest.mark.parametrize("coverage", ["ledger", "net_balance"])
def test_what_was_undone_uses_up_no_coverage_of_the_bank(coverage: str) -> None:
    readings = {"collection_schedule": 20, "acknowledged": [REVIEWED], "readings": {"ca_coverage": coverage}}
    room = typed(2, 4, changes=readings, main="$100")
    key_in(room, 2, LOSES[0]).play_on()
    for _ in range(2):
        key_in(room, 4, LOSES[1]).play_on(without=["close_round"])
        room.do("reopen_entry", FLOOR, 4, reason="misread")
    key_in(room, 4, LOSES[1])
    assert results(room.finished(), "main") == {"Bob": "-$100", "Dan": "-$100"} and books_closed(room)


# --- the dealer's own cards ---------------------------------------------------------------------------


AT_THE_DEALER = "its jack was keyed as a king"
MISREAD = {"pa-575": "QsQh3d2c / 8h8d / Kd", "pa-659a": "QsQh3d2c / 8h8d / Kd", "pa-670a": "QsQh8h6s4c / Kd"}
SHARES = {"pa-575": "AsKd6h5d / JdJh / Ah", "pa-659a": "AsKd6h5d / JdJh / Ah", "pa-670a": "AsAh9c6h3h / Kd"}
"""A player's hand with the king that the dealer's was said to hold."""


@pytest.mark.parametrize("game", GAMES)
def test_the_dealers_cards_typed_in_wrongly_are_put_right_when_a_player_holds_one_of_them(game: str) -> None:
    table = entered_at_the_table(game, {2: OFFERED[game], 4: OFFERED[game]})
    key_in(table, 1, MISREAD[game]).play_on(Phase.SETTLING)
    key_in(table, 2, HANDS[game][2]).play_on(without=["close_round"])
    table.refused("enter_hand", at=4, setting=setting(SHARES[game]))
    table.refused("reopen_entry", FLOOR, 1, reason=AT_THE_DEALER)
    table.do("reopen_entry", FLOOR, 2, reason=AT_THE_DEALER)
    for by in (DEALER, player(2)):
        table.refused("reopen_entry", by, 1, reason=AT_THE_DEALER)
    table.do("reopen_entry", FLOOR, 1, reason=AT_THE_DEALER)
    this_round = table.state.round
    assert table.state.phase is Phase.DEALER and not this_round.dealer_cards
    assert this_round.dealer_setting is None and books_balance(table)
    key_in(table, 1, HANDS[game][1]).play_on(Phase.SETTLING)
    key_in(table, 2, HANDS[game][2]).play_on(without=["close_round"])
    key_in(table, 4, SHARES[game]).play_on(rounds=1)
    assert agrees_with_settlement(table) and books_closed(table)


@pytest.mark.parametrize("game", GAMES)
def test_the_dealers_cards_are_typed_in_anew_before_they_are_set(game: str) -> None:
    table = entered_at_the_table(game, {2: OFFERED[game]})
    table.refused("reopen_entry", FLOOR, 1, reason=AT_THE_DEALER)
    key_in(table, 1, MISREAD[game])
    table.do("reopen_entry", FLOOR, 1, reason=AT_THE_DEALER)
    table.refused("reopen_entry", FLOOR, 1, reason=AT_THE_DEALER)
    key_in(table, 1, HANDS[game][1]).play_on(Phase.SETTLING)
    key_in(table, 2, HANDS[game][2]).play_on(rounds=1)
    assert agrees_with_settlement(table) and books_closed(table)


def test_the_banks_cards_are_typed_in_anew_and_every_hand_settled_on_them() -> None:
    room = typed(2, 4)
    key_in(room, 2, WINS[0]).play_on()
    room.refused("reopen_entry", FLOOR, 6, reason=AT_THE_DEALER)
    room.do("reopen_entry", FLOOR, 2, reason=AT_THE_DEALER)
    room.do("reopen_entry", FLOOR, 6, reason=AT_THE_DEALER)
    assert books_balance(room) and room.state.phase is Phase.DEALER
    key_in(room, 6, BANKER)
    room.do("set_dealer")
    key_in(room, 2, WINS[0]).play_on()
    key_in(room, 4, LOSES[0]).play_on(rounds=1)
    last = room.live.table.last
    assert last is not None and results(last) == {"Bob": "$20", "Dan": "-$20", "Finn": "$0"}


def test_after_a_hand_is_read_again_every_game_wager_is_settled_before_a_bonus() -> None:
    """The other hands lie rearranged by then: a bonus on them waits for its own pass all the same (ca:C3)."""
    hands = {6: BANKER, 2: QUADS, 3: STRAIGHT}
    room = Cardroom(FIVE, seats=(2, 3, 6), source=CardOrigin.TYPED).banks(6, "$60")
    room.bets(2, 3, main="$20", fortune="$10").closed().diced(8)
    room.play_on(without=["enter_hand", "reveal"])

    def key_in_what_is_due() -> None:
        due = next(iter(suggestions(room.rules, room.live.table, {"enter_hand"})), None)
        if due is not None and due.position is not None:
            key_in(room, due.position, parse_setting(hands[due.position]))

    key_in(room, 6, parse_setting(BANKER))
    for _ in hands:
        key_in_what_is_due()
        room.play_on(without=["enter_hand", "rack", "close_round", "clear_lammers", "pay_envy"])
    assert all({"main", "fortune"} <= hand.settled for hand in room.state.round.hands.values())
    room.do("reopen_entry", FLOOR, 3, reason=WHY)
    again = len(room.log)
    for _ in hands:
        key_in_what_is_due()
        room.play_on(without=["enter_hand"], rounds=1)
    settled = [
        payment.wager
        for event in room.log[again:]
        if event.step == "settle"
        for payment in event.outcome.payments
        if payment.wager != "collection"
    ]
    assert settled == sorted(settled, key=["main", "fortune"].index)
    last = room.live.table.last
    assert last is not None and disagreement(room.rules, last) == ""
