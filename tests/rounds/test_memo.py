"""The one memo of a table's rules: bounded by the documents, and no rules see what others have kept."""

from __future__ import annotations

from dataclasses import replace

import pytest

from houseway.games import Rules, rules_for
from houseway.games.hands import HAND_NAMES
from houseway.ranking import NONE
from houseway.ranking.held import all_kinds
from houseway.rng import SeededEntropy
from houseway.rounds.auto import auto_round
from tests.games.support import submission

GAMES = ("pa-575", "pa-659a", "pa-670a", "wa-fap", "ca-fpgp")


def played(game: str) -> Rules:
    """Return rules under which a round was played."""
    found = rules_for(submission(game))
    auto_round(found, SeededEntropy("memo"))
    return found


def tables(found: Rules) -> dict[str, dict[object, object]]:
    """Return every table of the memo."""
    return vars(found.memo)


@pytest.mark.parametrize("game", GAMES)
def test_a_memo_holds_no_more_than_the_documents_have_to_ask(game: str) -> None:
    found = played(game)
    memo, order = found.memo, found.ranking()
    wagers, listings = {terms.id for terms in found.game.wager}, {x.id for x in order.document.listing}
    assert memo.ranked.keys() <= {(p.name, kind) for p in order.document.part for kind in all_kinds(p.cards)}
    assert {listing for listing, *_ in memo.categories} | {listing for listing, _ in memo.listed} <= listings
    assert memo.lines.keys() <= {(wager, hand) for wager in wagers for hand in (*HAND_NAMES, NONE, "win")}
    assert memo.enough.keys() <= {qualifier.id for qualifier in order.document.qualifier}
    assert memo.sides.keys() <= wagers
    assert list(memo.house_way) == [found.submission.house_way]
    assert len(memo.meters) <= 1


@pytest.mark.parametrize("game", GAMES)
def test_rules_and_their_ranking_share_one_memo_and_other_rules_have_their_own(game: str) -> None:
    found = played(game)
    assert found.ranking().memo is found.memo
    assert found.memo.ranked
    for other in (rules_for(submission(game)), replace(found, readings=dict(found.readings))):
        assert other == found
        assert not any(tables(other).values())
