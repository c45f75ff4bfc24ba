"""What is told before it is done: the same that comes of it, and no card that lies face down."""

from __future__ import annotations

from typing import Any

import pytest

from houseway.errors import IllegalError
from houseway.law.problems import RefusedError
from houseway.rounds.codec import plain
from houseway.rounds.foresight import Foretold, foresee
from houseway.rounds.outcomes import Moves
from houseway.rounds.state import Phase
from houseway.rounds.step import Actor, Proposal
from houseway.rounds.steps import STEPS
from tests.rounds.commands import as_action
from tests.rounds.pennsylvania import EVERY_WAGER
from tests.rounds.secrecy.cards import cards_in
from tests.rounds.table import AUTOMATED, BY_HAND, DEALER, MANUAL, TestTable

BETS = (2, 3, 4)


def foretold(
    table: TestTable, step: str, by: Actor = DEALER, at: int | None = None, **said: Any
) -> tuple[Foretold, ...]:
    """Return what would come of a step."""
    proposal = Proposal(by, as_action(step, at, said, table.rules))
    return foresee(table.rules, table.live.table, proposal, table.live.moment)


def agrees(table: TestTable, step: str, **said: Any) -> list[str]:
    """Do what was foretold: the same steps come of it, the same payments by the same clauses."""
    before = table.state
    told = foretold(table, step, **said)
    assert table.state is before
    done = table.do(step, **said)
    assert [one.step for one in told] == [event.step for event in done]
    assert [one.clauses for one in told] == [event.clauses for event in done]
    paid = [event.outcome.payments if isinstance(event.outcome, Moves) else () for event in done]
    assert [one.payments for one in told] == paid
    return [one.step for one in told]


@pytest.mark.parametrize("game", ["pa-575", "pa-659a", "pa-670a"])
def test_what_a_hand_is_paid_is_known_before_it_is_paid(game: str) -> None:
    table = TestTable(game, MANUAL).setting(*BETS, **EVERY_WAGER[game]).play_on(Phase.SETTLING)
    table.play_on(without=["settle"])
    agrees(table, "settle", at=2)
    table.play_on(without=["settle"])
    agrees(table, "settle", at=2)


def test_an_exposed_card_of_the_dealers_is_foretold_to_void_the_round() -> None:
    table = TestTable("pa-659a", MANUAL).setting(*BETS, **EVERY_WAGER["pa-659a"])
    told = foretold(table, "expose_card", at=1)
    assert told[1].says == {"why": "a card of the dealer's was exposed before its time"}
    assert agrees(table, "expose_card", at=1) == ["expose_card", "void_round"]


def test_the_first_card_to_a_wrong_position_is_foretold_to_void_the_round() -> None:
    table = TestTable("pa-659a", MANUAL).starting(*BETS, main="$10").play_on(without=["deal"])
    wrong = 2 if table.state.round.start != 2 else 3
    assert [one.step for one in foretold(table, "deal", first_to=wrong)] == ["deal", "void_round"]
    assert [one.step for one in foretold(table, "deal")] == ["deal"]
    assert [event.step for event in table.do("deal", first_to=wrong)] == ["deal", "void_round"]


def test_a_jammed_shoe_is_foretold_to_void_the_round() -> None:
    table = TestTable("pa-659a", AUTOMATED).dealing(*BETS, cards=9, main="$10")
    assert agrees(table, "shoe_fault") == ["shoe_fault", "void_round"]


@pytest.mark.parametrize("ways", [MANUAL, BY_HAND, AUTOMATED])
def test_a_card_found_face_up_is_not_named_before_it_is_taken_off(ways: Any) -> None:
    table = TestTable("pa-659a", ways).dealing(*BETS, cards=9, main="$10")
    assert not cards_in(plain(foretold(table, "boxed_card")))
    assert not cards_in(plain(foretold(table, "deal")))


def test_nothing_is_foretold_that_turns_a_card_over_or_hangs_on_chance() -> None:
    """Whoever could ask what a step would do would see the cards, or the dice, before their time."""
    tells = {"reveal", "rearrange", "turn_over", "set_dealer", "look", "ask_help", "show_player_way"}
    chance = {"uncover", "draw_number", "press_start", "shake_cup", "shake_dice", "shuffle", "receive_deck"}
    assert not [name for name in tells | chance if STEPS[name].foretold]
    table = TestTable("pa-659a", MANUAL).setting(*BETS, main="$10")
    with pytest.raises(IllegalError, match="not told beforehand"):
        foretold(table, "turn_over")


def test_what_would_be_refused_is_refused() -> None:
    table = TestTable("pa-659a", MANUAL).setting(*BETS, main="$10")
    with pytest.raises(RefusedError):
        foretold(table, "settle", at=2)
    with pytest.raises(RefusedError):
        foretold(table, "expose_card", Actor("Sid", DEALER.role), at=2)
