"""What a person is told does not depend on cards that they may not see, in any form of telling.

Two tables that differ only in such cards give them the same views, options, live messages, events, refusals,
answers to guesses, and replays, command after command. Where cards are real the dealer types in what lies
there, sometimes wrongly at first; some players ask for help, and the dealer sets some of their hands
otherwise than the house way has it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

import pytest

from houseway.cards import Cards
from houseway.floor.packets.playback import play_back
from houseway.ranking import Setting, legal_settings
from houseway.rounds import redaction
from houseway.rounds.deciding import suggestions
from houseway.rounds.houseway import house_setting
from houseway.rounds.marks import HandMark
from houseway.rounds.redaction import ALERTS, FIELDS
from houseway.rounds.roles import Role
from houseway.rounds.state import CardOrigin, Phase
from houseway.rounds.step import Actor
from houseway.rounds.steps.hand import Advised
from tests.rounds.california import Cardroom
from tests.rounds.pennsylvania import entered_at_the_table
from tests.rounds.play.chance import Chance, Seeded, mixed, pick, rarely
from tests.rounds.secrecy.tape import CALIFORNIA, GAMES, TapedTable, kept_on_tape, tapes
from tests.rounds.secrecy.twins import Comparison, Round, round_in_log
from tests.rounds.table import FLOOR, TestTable
from tests.rounds.test_typed_entry import SET, enter
from tests.rounds.washington import WAYS
from tests.support.shards import in_parts

SEATS = (2, 3, 4)
BANK_SEAT = 6
BY_HAND = ("ask_help", "set", "turn_over", "enter_hand", "confirm_entry")
"""What is done here one by one."""
STUCK = 30


def typed_tapes(game: str, rounds: int, seed: str) -> Iterator[TapedTable]:
    """Yield tables at which a round of real cards has been played."""
    chance = Seeded(seed)
    for _ in range(rounds):
        table = _with_bets(game)
        live = kept_on_tape(table.live)
        _to_the_setting(table)
        _set_by_whoever(table, chance)
        _typed_in(table, chance)
        yield live


def _with_bets(game: str) -> TestTable:
    """Return a table of real cards at which some have bet."""
    if game == CALIFORNIA:
        return Cardroom(source=CardOrigin.TYPED).banks(BANK_SEAT).bets(*SEATS, main="$20", fortune="$10")
    changes = WAYS["led"] if game == "wa-fap" else None
    bonus = "bonus" if game == "pa-575" else "fortune"
    return TestTable(game, changes, source=CardOrigin.TYPED).betting(*SEATS, main="$20", **{bonus: "$5"})


def _to_the_setting(table: TestTable) -> None:
    """Find the start and deal; what is read off a device or counted by hand is as it should be."""
    if isinstance(table, Cardroom):
        table.closed().diced()
    else:
        table.play_on(without=["draw_number", "press_start", "deal"])
        press = "press_start" in table.rules.procedure
        table.do("press_start" if press else "draw_number", number=1)
    table.play_on(without=["count_stub", *BY_HAND])
    if table.state.phase is not Phase.SETTING:
        table.do("count_stub", left=table.rules.game.stub)
    table.play_on(without=BY_HAND)


def _set_by_whoever(table: TestTable, chance: Chance) -> None:
    """Let each player set their own hand, or ask the dealer to."""
    for at, hand in table.state.round.hands.items():
        player = Actor(hand.person, Role.PLAYER)
        if chance.below(2) and not table.problems("ask_help", player, at):
            table.do("ask_help", player, at)
            table.do("set", at=at)
        else:
            table.do("set", player, at)
    table.play_on(Phase.DEALER, without=["enter_hand"])


def _typed_in(table: TestTable, chance: Chance) -> None:
    """Type in every hand when its turn comes, and play on to the end of the round."""
    hands = _hands(table, chance)
    for _ in range(STUCK):
        due = next(iter(suggestions(table.rules, table.live.table, {"enter_hand"})), None)
        if due is not None and due.position is not None:
            _enter(table, due.position, hands, chance)
        table.play_on(without=["enter_hand"], rounds=1)
        if table.state.rounds:
            return
        if table.state.round.stopped:
            table.do("rule_round", FLOOR, ruling="play on", reason="as seen")
    raise AssertionError(f"the round does not end: {table.state.phase}")


def _hands(table: TestTable, chance: Chance) -> Mapping[int, Cards]:
    """Return what lies at each position, by chance, and under 0 the cards that were not dealt."""
    game, state = table.rules.game, table.live.table
    order, size = mixed(chance, game.cards().cards), game.hand_cards
    places = sorted({*state.round.hands, state.dealer_at})
    hands = {at: tuple(order[n * size : (n + 1) * size]) for n, at in enumerate(places)}
    return hands | {0: tuple(order[len(places) * size :])}


def _enter(table: TestTable, at: int, hands: Mapping[int, Cards], chance: Chance) -> None:
    """Type a hand in and confirm it, at first with a wrong card now and then, or only to type it in again."""
    lying = _lying(table, at, hands[at], chance)
    details: dict[str, Any] = {"setting": lying}
    if rarely(chance, 4):
        misread, seen = hands[0][0], lying[0][0]
        wrong = tuple(tuple(misread if card == seen else card for card in part) for part in lying)
        table.do("enter_hand", at=at, setting=wrong)
        table.do("correct_entry", at=at, reason="misread", **details)
    else:
        table.do("enter_hand", at=at, **details)
    table.do("confirm_entry", at=at)
    if rarely(chance, 6):
        table.do("reopen_entry", FLOOR, at, reason="read once more")


def _lying(table: TestTable, at: int, cards: Cards, chance: Chance) -> Setting:
    """Return how a hand was set: the house way, or any other way that its player or its dealer chose."""
    hand = table.state.round.hands.get(at)
    by_dealer = hand is not None and hand.has(HandMark.BY_DEALER)
    if hand is None or (by_dealer and chance.below(2)):
        return house_setting(table.rules, cards)
    return pick(chance, list(legal_settings(table.rules.ranking(), cards)))


ROUNDS, ALL_ROUNDS, SHARD = 100, 1_000, 100
TYPED = 25


def compared(game: str, rounds: int, seed: str) -> Counter[str]:
    """Play rounds with irregularities, and compare each with one that differs in hidden cards."""
    comparison = Comparison(seed)
    for live in tapes(game, rounds, seed):
        comparison.compare(live)
    return comparison.met


def compared_as_typed(game: str, rounds: int, seed: str) -> Counter[str]:
    """Play rounds of real cards, and compare each with one in which others are typed in."""
    comparison = Comparison(seed)
    for live in typed_tapes(game, rounds, seed):
        comparison.compare(live)
    return comparison.met


@pytest.mark.parametrize("game", GAMES)
def test_hidden_cards_change_nothing_that_anybody_is_told(game: str) -> None:
    met = compared(game, ROUNDS, f"twins {game}")
    assert met["rounds"] > ROUNDS // 2 and met["hidden"] > 5 * met["rounds"], met
    print(sorted(met.items()))


@pytest.mark.parametrize("game", GAMES)
def test_what_is_typed_in_is_told_to_nobody_before_it_lies_open_nor_an_alert_about_it(game: str) -> None:
    met = compared_as_typed(game, TYPED, f"not told as typed {game}")
    assert met["rounds"] > TYPED // 2 and met["alerts"], met


def test_the_comparison_sees_an_alert_that_tells_how_a_hidden_hand_is_set(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert ALERTS
    monkeypatch.setattr(redaction, "ALERTS", {})
    with pytest.raises(AssertionError, match="(enter_hand|correct_entry) event tells .* of hidden cards"):
        for game in GAMES:
            compared_as_typed(game, TYPED, f"not told as typed {game}")


@pytest.mark.parametrize(
    ("viewer", "step"), [("guest", "reveal"), ("surveillance", "reveal"), ("dealer", "enter_hand")]
)
def test_whoever_watches_a_round_again_hears_of_a_hand_set_wrongly_when_they_see_it(
    viewer: str, step: str
) -> None:
    """The dealer set the hand at 4, and typed in that it is not the house way."""
    table = TestTable("pa-659a", source=CardOrigin.TYPED)
    live = kept_on_tape(table.live)
    entered_at_the_table("pa-659a", {4: {}}, helped=4, table=table)
    enter(table, 1, SET["pa-659a"][1]).play_on(without=["enter_hand"])
    enter(table, 4, "AsJd6h5d / AhJh / Kc").play_on(rounds=1)
    played = Round.of_real_cards(live)
    assert played.record is not None
    watched = play_back(round_in_log(live.tape[0].standing, played.record, played.last), viewer)
    alarming = [(one.step, one.position, one.irregular) for one in watched.steps if one.alerts]
    assert alarming == [(step, 4, True)]


def test_the_comparison_sees_a_rule_that_tells_what_kind_of_hand_it_is_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    told = {
        kind: {name: who for name, who in fields.items() if name != "rule"} for kind, fields in FIELDS.items()
    }
    assert told[Advised] != FIELDS[Advised]
    monkeypatch.setattr(redaction, "FIELDS", told)
    with pytest.raises(AssertionError, match="ask_help event tells .* of hidden cards: .*rule"):
        compared("pa-659a", ROUNDS, "not told")


@pytest.mark.exhaustive
@pytest.mark.parted
@pytest.mark.parametrize("game", GAMES)
def test_hidden_cards_change_nothing_in_a_thousand_rounds(
    game: str, capfd: pytest.CaptureFixture[str]
) -> None:
    parts = ALL_ROUNDS // SHARD
    met = in_parts(partial(shard, game), parts, f"{game}: {ALL_ROUNDS:,} rounds side by side", capfd)
    assert met["rounds"] > ALL_ROUNDS // 2


def shard(game: str, index: int) -> Counter[str]:
    """Play one part of the exhaustive run."""
    seed = f"not told {index} of {game}"
    return compared(game, SHARD, seed) + compared_as_typed(game, SHARD // 4, f"{seed}, typed")
