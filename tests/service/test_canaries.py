"""Canary cards: over whole rounds of every game nobody is sent a card that they may not see."""

from __future__ import annotations

import pytest

from houseway.service.demo import GAMES
from tests.service.canaries import canary_rounds

FEW, MANY = 20, 200


@pytest.mark.parametrize("game", GAMES)
def test_nobody_is_sent_a_card_that_is_not_theirs_to_see(game: str) -> None:
    met = canary_rounds(game, FEW)
    assert met["cards in live"] > 100 and met["cards in an answer of 200"] > 100, met
    assert (
        met["the log"] > 20 and met["live"] > 500 and met["an answer of 409"] > 20 and met["log lines"] > 500
    ), met


@pytest.mark.exhaustive
@pytest.mark.parametrize("game", GAMES)
def test_nobody_is_sent_a_card_that_is_not_theirs_to_see_over_a_thousand_rounds(game: str) -> None:
    met = canary_rounds(game, MANY, "a thousand")
    assert met["cards in live"] > 1_000 and met["an answer of 409"] > 200, met


def test_the_canary_sings_when_hands_are_not_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("houseway.rounds.views.is_hidden", lambda *_: False)
    with pytest.raises(AssertionError, match="is sent"):
        canary_rounds("pa-659a", 1)
