"""One seat taken by a person, the others by players of the house way: round by round, and at the bank."""

from __future__ import annotations

from houseway.rng import SeededEntropy
from houseway.rounds.live import LiveTable, new_table
from houseway.rounds.seat_session import YOU, NextDecision, SeatSession
from houseway.rounds.state import Phase
from houseway.rounds.steps.bank import AcceptBank, PutUp
from houseway.rounds.steps.hand import SetHand
from houseway.rounds.steps.wagers import PlaceWagers
from tests.games.support import rules
from tests.rounds.table import NOON, money
from tests.support.amounts import parse_units


def seated(game: str, position: int) -> SeatSession:
    """Return a seat at a game's example table."""
    played_by = rules(game)
    return SeatSession(LiveTable(played_by, SeededEntropy("seat"), NOON, new_table(played_by)), position)


def test_a_person_plays_one_round_after_the_other_each_to_its_end() -> None:
    seat = seated("pa-659a", 3)
    assert seat.table.seats[3].person == YOU.id
    for number in (1, 2):
        assert seat.begin() is NextDecision.BETS
        seat.do(PlaceWagers(3, money(main="$10")))
        seat.deal()
        assert (seat.table.phase, len(seat.cards()), seat.banks) == (Phase.SETTING, 7, False)
        seat.do(SetHand(3, seat.house_way().setting))
        seat.turn_over()
        assert seat.table.phase is Phase.SETTLING and seat.next_opening() is not None
        assert "main" in seat.finish().round.hands[3].settled
        assert (seat.table.rounds, seat.table.phase) == (number, Phase.BETTING)


def test_a_purse_is_wagered_to_its_last_cent_and_no_further() -> None:
    seat = seated("pa-659a", 3)
    seat.begin()
    wager = PlaceWagers(3, money(main="$10"))
    assert seat.objections(wager, purse=parse_units("$10")) == ()
    (short,) = seat.objections(wager, purse=parse_units("$9.99"))
    assert short.reason == "that takes $10 and you have $9.99"


def test_a_person_banks_only_when_the_bank_is_theirs() -> None:
    seat = seated("ca-fpgp", 3)
    while seat.begin() is not NextDecision.BANK_OFFERED:
        assert not seat.banks
        seat.do(PlaceWagers(3, money(main="$20")))
        seat.finish()
    seat.do(AcceptBank(3))
    stake = PutUp(3, money(stake="$200")["stake"])
    (short,) = seat.objections(stake, purse=parse_units("$200.49"))
    assert short.reason == "that takes $200.50 and you have $200.49"  # with the collection
    seat.do(stake)
    assert seat.banks
