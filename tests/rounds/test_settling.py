"""Hands opened, announced, settled and racked in the law's order, and whole rounds to the cent."""

from __future__ import annotations

import pytest

from houseway.ledger import units
from houseway.money import cents
from houseway.rounds.deciding import evolve_all
from houseway.rounds.live import new_table
from houseway.rounds.record import read_record, write_record
from houseway.rounds.replay import difference, verify_replay
from houseway.rounds.state import Phase
from tests.games.support import Changes
from tests.rounds.books import agrees_with_settlement, gained, net
from tests.rounds.commands import value_of
from tests.rounds.pennsylvania import BONUS, Bets, dealt, looked, looks, rebuilt
from tests.rounds.table import (
    AUTOMATED,
    BY_HAND,
    DEALER,
    FLOOR,
    MANUAL,
    TestTable,
    by_chapter,
    player,
    setting,
)

clause = pytest.mark.clause
GAMES = ["pa-575", "pa-659a", "pa-670a"]


def settling(game: str, hands: dict[int, str], bets: Bets | None = None) -> TestTable:
    """Play to the moment the first hand is to be opened."""
    return dealt(game, hands, bets).play_on(Phase.SETTLING)


def set_as(game: str, at: int, cards: str, how: str, bets: dict[str, str] | None = None) -> TestTable:
    """Deal one player cards that he sets his own way, and play until his hand is to be opened."""
    dealer = {"pa-670a": "Qs Qh Jd 8h 6s 4c"}.get(game, "Qs Qh 8d 8h 7c 3d 2c")
    table = TestTable(game).dealt({1: dealer, at: cards}, {at: {"main": "$10"} | (bets or {})})
    looks(table, at).do("set", player(at), at, setting=setting(how))
    return table.play_on(Phase.SETTLING)


@by_chapter(pa575="pa575.11.e.s1", pa659a="pa659a.11.e.s1", pa670a="pa670a.11.e.s1")
@pytest.mark.parametrize("seats", [(2, 4, 7), (2, 4, 6)])
def test_hands_are_opened_from_the_dealers_far_right(game: str, law: str, seats: tuple[int, ...]) -> None:
    table = settling(game, dict(zip(seats, ("loser", "full_house", "quads"), strict=True)))
    for at in seats[1:]:
        assert law in table.refused("reveal", at=at)
    table.do("reveal", at=2)
    table.play_on(rounds=1)
    assert [event.position for event in table.log if event.step == "reveal"] == list(seats)


@by_chapter(pa575="pa575.11.e.s1", pa659a="pa659a.11.e.s1", pa670a="pa670a.11.e.s1")
def test_all_of_a_players_hands_are_opened(game: str, law: str) -> None:
    table = settling(game, {2: "loser", 4: "quads"})
    names = [part.name for part in table.state.rules.game.parts]
    for name in names[:-1]:
        table.do("reveal", at=2, parts=(name,))
        table.hidden(player(4), 2)
        assert value_of(table.last("reveal"), "announced") is None
        assert law in table.refused("reveal", at=4)
    table.refused("reveal", at=2, parts=(names[0],))
    table.do("reveal", at=2, parts=(names[-1],))
    assert table.sees(player(4), 2) == table.state.round.hands[2].cards


@pytest.mark.parametrize("game", GAMES)
def test_a_table_that_plays_by_itself_opens_the_rest_of_a_half_opened_hand(game: str) -> None:
    table = settling(game, {2: "loser"})
    table.do("reveal", at=2, parts=("low",))
    table.play_on(rounds=1)
    assert table.state.rounds == 1


SAID = [
    # the second and the third are fouls: medium below low, high below medium
    pytest.param("pa-575", "AsAh6h5d / KcJd / Jh", "WLW", "win", marks=clause("pa575.11.e.s3")),
    pytest.param("pa-575", "AsAhJdJh / 6h5d / Kc", "WLW", "lose", marks=clause("pa575.11.e.s3")),
    pytest.param("pa-575", "JdJh6h5d / AsAh / Kc", "LWW", "lose", marks=clause("pa575.11.e.s3")),
    pytest.param("pa-659a", "AsAh6h5d / KcJd / Jh", "WLW", "win", marks=clause("pa659a.11.e.s3")),
    pytest.param("pa-659a", "KcJd6h5d / AsJh / Ah", "LLW", "lose", marks=clause("pa659a.11.e.s3")),
    pytest.param("pa-670a", "AsAh9c6h3h / Kd", "WW", "win", marks=clause("pa670a.11.e.s3")),
    pytest.param("pa-670a", "AsAhKd9c6h / 3h", "WL", "tie", marks=clause("pa670a.11.e.s3")),
    pytest.param("pa-670a", "AsKd9c6h3h / Ah", "LW", "tie", marks=clause("pa670a.11.e.s3")),
]


@pytest.mark.parametrize(("game", "how", "parts", "said"), SAID)
def test_the_dealer_announces_the_result_before_money_moves(
    game: str, how: str, parts: str, said: str
) -> None:
    law = {"pa-575": "pa575.11.e.s3", "pa-659a": "pa659a.11.e.s3", "pa-670a": "pa670a.11.e.s3"}[game]
    cards = "As Ah Kd 9c 6h 3h" if game == "pa-670a" else "As Ah Jd Jh Kc 6h 5d"
    table = set_as(game, 2, cards, how)
    assert law in table.refused("settle", at=2, wager="main")
    (event,) = table.do("reveal", at=2)
    assert value_of(event, "announced") == said
    assert "".join(value_of(event, "race").parts) == parts
    table.do("settle", at=2, wager="main")
    assert gained(table, 2) == {"win": cents("$20"), "tie": cents("$10"), "lose": 0}[said]


@clause("pa670a.11.e.s3")
def test_670a_a_loss_is_announced() -> None:
    table = settling("pa-670a", {2: "loser"})
    assert "pa670a.11.e.s3" in table.refused("settle", at=2, wager="main")
    assert value_of(table.do("reveal", at=2)[0], "announced") == "lose"


@by_chapter(pa575="pa575.11.f.1", pa659a="pa659a.11.f.1", pa670a="pa670a.11.f.1.s1")
def test_a_losing_wager_is_collected_before_the_next_hand_is_opened(game: str, law: str) -> None:
    table = settling(game, {2: "loser", 3: "winner"}, {2: {"main": "$25"}})
    table.do("reveal", at=2)
    assert law in table.refused("reveal", at=3)
    table.do("settle", at=2, wager="main")
    assert net(table.state.round.payments) == {
        "pending:2/Ann/main": -units(cents("$25")),
        "inventory": units(cents("$25")),
    }
    table.do("reveal", at=3)


@clause("pa575.11.g")
def test_575_without_a_bonus_wager_the_cards_are_racked_after_the_main_wager() -> None:
    table = settling("pa-575", {2: "loser", 3: "full_house"}, {3: {"bonus": "$5"}})
    table.do("reveal", at=2)
    table.refused("rack", at=2)
    table.do("settle", at=2, wager="main")
    table.refused("rearrange", at=2)
    assert "pa575.11.g" in table.do("rack", at=2)[0].clauses
    table.play_on(rounds=1)
    done = [(event.step, event.position) for event in table.log[-9:]]
    assert [step for step, at in done if at == 2] == ["reveal", "settle", "rack"]
    assert [step for step, at in done if at == 3] == ["reveal", "settle", "rearrange", "settle", "rack"]


@clause("pa659a.11.g")
def test_659a_the_cards_are_racked_after_the_main_wager_unless_they_are_kept_for_a_bonus() -> None:
    for stake, stays in (("$4", False), ("$5", True)):
        table = settling("pa-659a", {3: "loser", 5: "winner"}, {5: {"fortune": stake}})
        table.do("reveal", at=3)
        table.do("settle", at=3, wager="main")
        if stays:
            assert "pa659a.11.g" in table.refused("rack", at=3)
            table.do("rearrange", at=3)
        table.do("rack", at=3)
    table = settling("pa-659a", {3: "loser"}, {3: {"insurance": "$1"}})
    table.do("reveal", at=3)
    table.do("settle", at=3, wager="main")
    assert "pa659a.11.g" in table.refused("rack", at=3)


@clause("pa670a.11.g.s1")
def test_670a_the_double_down_is_settled_after_the_main_wager() -> None:
    table = looked("pa-670a", {2: "winner"})
    table.do("double_down", player(2), 2)
    table.play_on(Phase.SETTLING)
    table.do("reveal", at=2)
    assert "pa670a.11.g.s1" in table.refused("settle", at=2, wager="double_down")
    table.do("settle", at=2, wager="main")
    table.refused("rack", at=2)
    table.do("settle", at=2, wager="double_down")
    table.do("rack", at=2)
    assert gained(table, 2) == cents("$40")


@by_chapter(pa659a="pa659a.11.h.s3", pa670a="pa670a.11.h.s3")
def test_optional_wagers_are_settled_fortune_then_insurance_then_progressive(game: str, law: str) -> None:
    wagers = {"fortune": "$5", "insurance": "$5", "progressive": "$1"}
    table = settling(game, {2: "loser"}, {2: wagers})
    table.do("reveal", at=2)
    table.do("settle", at=2, wager="main")
    table.do("rearrange", at=2)
    left = ["fortune", "insurance", "progressive"]
    while left:
        for wager in left[1:]:
            assert law in table.refused("settle", at=2, wager=wager)
        table.do("settle", at=2, wager=left.pop(0))
    assert agrees_with_settlement(table.play_on(rounds=1))
    for by_itself in (table, settling(game, {2: "loser"}, {2: wagers}).play_on(rounds=1)):
        settled = [w for event in by_itself.log if event.step == "settle" for w in value_of(event, "wagers")]
        assert settled == ["main", "fortune", "insurance", "progressive"]


@by_chapter(pa659a="pa659a.11.i", pa670a="pa670a.11.i")
def test_a_hand_is_racked_only_when_all_its_optional_wagers_are_settled(game: str, law: str) -> None:
    table = settling(game, {2: "loser"}, {2: {"fortune": "$5", "insurance": "$5", "progressive": "$1"}})
    table.do("reveal", at=2)
    table.do("settle", at=2, wager="main")
    table.do("rearrange", at=2)
    for wager in ("fortune", "insurance", "progressive"):
        assert law in table.refused("rack", at=2)
        table.do("settle", at=2, wager=wager)
    table.do("rack", at=2)


# --- the rack and the record ----------------------------------------------------------------------------


RECORD = by_chapter(pa575="pa575.11.i", pa659a="pa659a.11.j", pa670a="pa670a.11.j")


@RECORD
def test_every_hand_can_be_rebuilt_from_the_discard_rack(game: str, law: str) -> None:
    table = TestTable(game).setting(2, 4, 7, main="$10")
    table.play_on(rounds=1)
    assert table.state.last is not None
    for at, hand in table.state.last.hands.items():
        found = rebuilt(table, at)
        assert found is not None and (found.cards, found.setting) == (hand.cards, hand.setting)
        assert found.setting is not None and len(found.setting[-1]) == 1
    dealer = rebuilt(table, 1)
    assert dealer is not None and dealer.setting == table.state.last.dealer_setting
    assert [law in event.clauses for event in table.log if event.step == "rack"] == [True] * 3
    assert sum(one.count for one in table.state.rack) == 53


@RECORD
def test_a_round_replayed_from_its_events_and_its_record_is_the_same(
    game: str, law: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    side = {"bonus": "$5"} if game == "pa-575" else {"fortune": "$5", "insurance": "$5", "progressive": "$1"}
    table = TestTable(game).setting(2, 4, 7, main="$10", **side).play_on(rounds=1)
    again = evolve_all(new_table(table.rules), table.log)
    assert again == table.live.table
    record = table.live.record
    assert record is not None and agrees_with_settlement(table)
    path = tmp_path_factory.mktemp("records") / "one.json"
    path.write_text(write_record(record), encoding="utf-8")
    assert read_record(path) == record
    assert difference(read_record(path)) is None
    assert verify_replay(record) == again
    assert law in {c for event in table.log for c in event.clauses}


# --- whole rounds ----------------------------------------------------------------------------------------


WAYS: list[Changes] = [MANUAL, BY_HAND, AUTOMATED]


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("changes", WAYS)
def test_rounds_played_step_by_step_move_what_settlement_moves(game: str, changes: Changes) -> None:
    sides = [{}, {"bonus": "$5"}] if game == "pa-575" else [{}, {"fortune": "$5"}, {"fortune": "$1"}]
    if game != "pa-575":
        sides += [{"insurance": "$5"}, {"progressive": "$1"}, {"fortune": "$5", "progressive": "$1"}]
    table = TestTable(game, changes, seed=f"{game}{changes}").opened().seat(range(2, 8))
    for turn in range(6):
        for at in range(2, 8):
            table.bet(at, main="$10", **sides[(at + turn) % len(sides)])
        table.play_on(rounds=1)
        assert agrees_with_settlement(table)
    assert table.state.rounds == 6


@pytest.mark.parametrize("game", GAMES)
def test_a_player_ruled_to_have_lost_loses_when_the_ruling_comes_before_the_dealer(game: str) -> None:
    table = looked(game, {2: "winner", 3: "loser"}, {2: {BONUS[game]: "$5"}})
    table.do("leave", player(2), 2)
    table.do("rule_abandoned", FLOOR, 2, lost=True, reason="walked away from the table")
    table.play_on(rounds=1)
    assert gained(table, 2) == 0 and agrees_with_settlement(table)


@pytest.mark.parametrize("game", GAMES)
def test_a_player_ruled_to_have_lost_loses_when_the_ruling_comes_after_the_dealer(game: str) -> None:
    table = settling(game, {2: "winner", 3: "loser"})
    table.do("leave", player(2), 2)
    table.do("rule_abandoned", FLOOR, 2, lost=True, reason="walked away from the table")
    table.play_on(rounds=1)
    assert gained(table, 2) == 0


def test_670a_an_abandoned_hand_gives_progressive_envy_as_settlement_says() -> None:
    table = looked("pa-670a", {2: "winner", 3: "quads"}, {2: {"progressive": "$1"}})
    table.do("leave", player(3), 3)
    table.do("rule_abandoned", FLOOR, 3, lost=True, reason="walked away from the table")
    table.play_on(rounds=1)
    assert agrees_with_settlement(table)


def test_nothing_is_settled_twice_and_nothing_that_was_not_wagered() -> None:
    table = settling("pa-659a", {2: "loser", 3: "winner"}, {2: {"fortune": "$5"}})
    table.do("reveal", at=2)
    table.refused("settle", at=2, wager="insurance")
    table.do("settle", at=2, wager="main")
    table.refused("settle", DEALER, 2, wager="main")
    table.refused("close_round")


@pytest.mark.parametrize("game", GAMES)
def test_settling_everything_at_once_keeps_the_same_order(game: str) -> None:
    table = settling(game, {2: "loser", 3: "full_house"}, {2: {BONUS[game]: "$5"}})
    table.refused("settle", at=2, wager="all")
    table.do("reveal", at=2)
    assert value_of(table.do("settle", at=2, wager="all")[0], "wagers") == ("main",)
    table.refused("settle", at=2, wager="all")
    table.do("rearrange", at=2)
    assert value_of(table.do("settle", at=2, wager="all")[0], "wagers") == (BONUS[game],)
    table.refused("settle", at=2, wager="all")
    assert agrees_with_settlement(table.play_on(rounds=1))
