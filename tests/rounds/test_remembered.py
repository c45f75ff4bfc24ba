"""What was played before under the same rules changes nothing: bets that end otherwise are paid otherwise."""

from __future__ import annotations

from itertools import combinations, product

import pytest

import tests.rounds.table
from houseway.games import Rules, example_submission, rules_for
from houseway.rounds.auto import usual_wagers
from houseway.rounds.state import Phase
from houseway.settlement import Payment
from tests.rounds.books import agrees_with_settlement
from tests.rounds.pennsylvania import HANDS, Bets, looked
from tests.rounds.table import FLOOR, TestTable, player

AT = 2
PAIRS = [(game, one_by_one) for game, one_by_one in product(("pa-575", "pa-659a", "pa-670a"), (False, True))]

ROYALS = combinations(("royal_flush", "joker_royal", "listed_royal"), 2)
ALIKE = {
    "pa-575": {("straight_flush", "seven_card_straight_flush")},
    "pa-670a": {("winner", "ace_queen"), *ROYALS},
}
"""The hands on which every wager ends alike; all others end otherwise, with the same wagers on them."""


def everything(by: Rules) -> Bets:
    """Bet on everything that is bet before the cards."""
    wagers = {w: f"${amount / 100:g}" for w, amount in usual_wagers(by).items() if w not in by.later_wagers}
    return {AT: wagers}


def settled(game: str, by: Rules, name: str, *, one_by_one: bool) -> tuple[Payment, ...]:
    """Deal one hand by name, settle it, and return every payment of the round."""
    table = looked(game, {AT: name}, everything(by))
    assert table.state.rules is by
    if "double_down" in by.submission.wagers:
        table.do("double_down", player(AT), AT)
    table.play_on(Phase.SETTLING)
    if one_by_one:
        wager_by_wager(table)
    table.play_on(rounds=1)
    assert agrees_with_settlement(table)
    last = table.live.table.last
    assert last is not None
    return last.payments


def wager_by_wager(table: TestTable) -> None:
    """Settle every wager but the progressive with a command of its own."""
    table.do("reveal", at=AT)
    order = [w for w in table.state.rules.wager_order if w in table.state.round.hands[AT].wagers]
    for wager in order:
        if wager in table.state.rules.side_wagers and not table.state.round.hands[AT].has("rearranged"):
            table.do("rearrange", at=AT)
        if table.state.round.hands[AT].has("joker_royal") and wager == "fortune":
            table.do("review_royal", FLOOR, AT)
        if wager != "progressive":
            table.do("settle", at=AT, wager=wager)


@pytest.mark.parametrize(("game", "one_by_one"), PAIRS)
def test_hands_that_follow_each_other_are_paid_as_if_they_were_the_first(
    game: str, one_by_one: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    shared = rules_for(example_submission(game))
    names = [name for name in HANDS[game] if name != "dealer"]
    paid: dict[str, tuple[Payment, ...]] = {}
    for name in [*names, *reversed(names)]:
        found = []
        for by in (shared, rules_for(example_submission(game))):
            monkeypatch.setattr(tests.rounds.table, "rules", lambda *_, by=by: by)
            found.append(settled(game, by, name, one_by_one=one_by_one))
        assert found[0] == found[1] == paid.setdefault(name, found[0])
    alike = {pair for pair in combinations(names, 2) if paid[pair[0]] == paid[pair[1]]}
    assert alike == ALIKE.get(game, set())
