"""A table of chapters 575, 659a and 670a in every state: an ordinary round, and what may come beside it."""

from __future__ import annotations

from typing import Any

from houseway.rounds.houseway import house_setting
from houseway.rounds.marks import DeckMark
from houseway.rounds.state import CardOrigin, Phase
from houseway.rounds.steps.dealers import shaker_in_use
from tests.games.support import Changes
from tests.rounds.irregular_acts import wrong_setting
from tests.rounds.support import DEALER, FLOOR, SHOE, SHUFFLER, Floor, player
from tests.rounds.sweep.album import (
    AT,
    DECK,
    FIVE_ACES,
    FOUL,
    NOTHING_MUCH,
    OTHER,
    WHY,
    Album,
    States,
    in_turn,
    stack_for_start,
    to_be_opened,
    typed_in,
)
from tests.rounds.ways import EVERY_WAGER

IN_ORDER = (
    ("receive_deck", "received"),
    ("inspect_deck", "inspected"),
    ("verify_inspection", "verified"),
    ("spread_deck", "spread"),
)
MADE_READY = (
    ("view_spread", "viewed"),
    ("turn_down", "turned down"),
    ("wash", "washed"),
    ("stack", "stacked"),
    ("shuffle", "shuffled"),
    ("open_table", "open"),
)
SHUFFLED = (
    ("square", "squared"),
    ("place_cover", "covered"),
    ("offer_cut", "offered"),
    ("cut", "cut"),
    ("move_cover", "moved"),
    ("spare_cover", "spared"),
    ("load", "ready"),
)
FOUND = (
    ("no_more_bets", "bets closed"),
    ("place_lammers", "lammers placed"),
    ("lock_progressive", "locked"),
    ("count_progressive", "chips counted"),
    ("shake", "shaken"),
    ("uncover", "uncovered"),
    ("announce_total", "start found"),
    ("draw_number", "start found"),
)


def pennsylvania(game: str, changes: Changes) -> States:
    """Play a round as it goes, from a table that is closed, and whatever may go beside."""
    table = Album(Floor(game, changes), {}).keep("closed")
    _decks(table)
    _betting(table)
    _start(table, EVERY_WAGER[game])
    _deal(table)
    _setting(table)
    _dealer(table)
    _settling(table)
    _alone(game, changes, table.states)
    _typed(game, changes, table.states)
    _two_jokers(game, changes, table.states)
    return table.states


def _decks(table: Album) -> None:
    in_turn(table, IN_ORDER)
    table.aside().do("remove_deck", FLOOR, deck=DECK, reason=WHY).keep("deck removed")
    table.do("sit", player(AT), AT).keep("first player")
    in_turn(table, MADE_READY)
    in_turn(table, SHUFFLED)
    table.until("no_more_bets")
    if "ready" not in table.states:
        table.keep("ready")


def _two_jokers(game: str, changes: Changes, states: States) -> None:
    table = Album(Floor(game, changes | {"table.pack_jokers": 2}), states)
    table.do("receive_deck", deck=DECK, jokers=2)
    table.until("attest_joker", "tear_joker", "spread_deck").keep("two jokers")
    table.until("tear_joker", "spread_deck").keep("two jokers attested")


def _betting(table: Album) -> None:
    away: dict[str, Any] = {"shaker": "locked away"} if shaker_in_use(table.floor.rules) else {}
    table.aside().do("log_off", **away).keep("no dealer")
    alone = table.aside().do("leave", player(AT), AT).keep("nobody seated")
    alone.do("idle_spread").keep("idle")
    alone.do("sit", player(AT), AT).keep("idle first player")
    alone.do("view_spread", player(AT), deck=DECK).keep("idle viewed")
    alone.after("turn_down", "idle turned down").after("wash", "idle washed").after("stack", "idle stacked")
    table.aside().do("direct_shuffle", FLOOR).keep("shuffle ordered")
    if table.floor.live.table.decks[DECK].has(DeckMark.CUT):
        table.aside().do("recut", FLOOR, deck=DECK, reason=WHY).keep("recut ordered")
    table.floor.seat((OTHER,))


def _start(table: Album, wagers: dict[str, str]) -> None:
    for at in (OTHER, AT):
        table.floor.bet(at, **wagers)
    table.keep("bet")
    gone = table.aside()
    gone.do("leave", player(AT), AT).keep("left before the round")
    in_turn(table, FOUND)
    _faulty(table)


def _faulty(table: Album) -> None:
    """Let a device fail before the deal, where there is one; take it out of use, and let it be mended."""
    if table.floor.rules.way == "automated_shoe":
        table = table.aside().do("shoe_fault", SHOE).keep("device failed")
        table.do("sign_out_of_order", device="shoe", how="sign").keep("device signed")
    elif table.floor.rules.submission.table.shuffler == "automated":
        table = table.aside()
        table.floor.play_on(rounds=1)
        table.until("shuffle")
        table.do("shuffler_fault", SHUFFLER, deck=DECK).keep("device failed")
        table.do("sign_out_of_order", device="shuffler", how="sign").keep("device signed")


def _deal(table: Album) -> None:
    floor = table.floor
    size = floor.rules.game.hand_cards
    stack_for_start(floor, {AT: FIVE_ACES[size], OTHER: NOTHING_MUCH[size]})
    table.do("deal", cards=1).keep("deal begun")
    table.aside().do("boxed_card").keep("one face up") if _plays_on(table, "boxed_card") else None
    table.aside().do("draw_early").keep("drawn early")
    table.aside().do("leave", player(AT), AT).keep("left")
    table.do("deal").keep("all dealt")
    table.aside().do("count_stub", left=floor.rules.game.stub - 1).keep("remainder wrong")
    table.do("count_stub", left=floor.rules.game.stub).keep("remainder counted")
    table.do("collect_empty").keep("may look")
    if floor.table.round.dice:
        table.do("cover_shaker", at_right=True, times=1).keep("shaker back")


def _plays_on(table: Album, step: str) -> bool:
    """Whether the round goes on when this happens."""
    tried = table.aside().do(step).floor
    return (
        tried.table.round.number == table.floor.table.round.number and tried.table.phase is not Phase.BETTING
    )


def _setting(table: Album) -> None:
    floor, size = table.floor, table.floor.rules.game.hand_cards
    exposed = table.aside().do("expose_card", DEALER, AT).keep("exposed")
    exposed.aside().do("choose_hand", player(AT), AT, choice="void").keep("void hand")
    table.do("look", player(AT), AT).keep("looked")
    left = table.aside().do("leave", player(AT), AT).keep("left after looking")
    left.aside().do("rule_abandoned", FLOOR, AT, lost=True, reason=WHY).keep("abandoned")
    left.do("rule_abandoned", FLOOR, AT, lost=False, reason=WHY).keep("played for who left")
    table.aside().do("ask_help", player(AT), AT).keep("help asked")
    foul = table.aside().do("set", player(AT), AT, setting=FOUL[size])
    to_be_opened(foul).do("reveal", at=AT).keep("foul opened")
    if "offer_double" in floor.rules.game.procedure:
        table.until("offer_double", "set").keep("all looked")
        table.do("offer_double").keep("double offered")
    setting = house_setting(floor.rules, floor.table.round.hands[AT].cards)
    table.do("set", player(AT), AT, setting=setting).keep("set")
    table.until("turn_over").keep("all set")


def _dealer(table: Album) -> None:
    table.after("turn_over", "dealer's cards turned")
    wrong = table.aside()
    wrong.do("set_dealer", setting=wrong_setting(wrong.floor)).keep("dealer set wrongly")
    table.after("set_dealer", "dealer set")


def _settling(table: Album) -> None:
    to_be_opened(table).keep("next")
    table.do("reveal", at=AT).keep("opened")
    table.do("settle", at=AT, wager="main").keep("main settled")
    table.do("rearrange", at=AT).keep("rearranged")
    if "verify_win" in table.floor.rules.game.procedure:
        for wager in ("fortune", "insurance"):
            table.do("settle", at=AT, wager=wager)
        table.keep("bonus settled").after("verify_win", "win verified")
        table.aside().do("verify_light", at=AT, lit=False).keep("light not lit")
        table.after("verify_light", "light lit").after("validate_win", "validated")
        table.until("document_win", "pay_envy", "rack", "close_round").keep("all settled")
        table.until("pay_envy", "rack", "close_round").keep("documented")
        table.until("rack", "close_round").keep("envy paid")
    else:
        table.until("rack").keep("all settled")
    table.until("close_round").keep("all racked")
    table.do("close_round").keep("round over")


def _alone(game: str, changes: Changes, states: States) -> None:
    """Play a hand with no wager but the main one."""
    if "surrender" not in Floor(game, changes).rules.game.procedure:
        return
    table = Album(Floor(game, changes).settling(OTHER, AT, main="$10"), states).keep("alone dealer set")
    table.aside().do("surrender", player(AT), AT).keep("surrendered").do(
        "count_surrendered", at=AT, cards=7
    ).keep("surrendered and counted")
    to_be_opened(table).do("reveal", at=AT).keep("alone opened")
    table.do("settle", at=AT).keep("alone settled")


def _typed(game: str, changes: Changes, states: States) -> None:
    """Play a round of real cards, the start found by a number, those that lie open typed in."""
    numbered = changes | {"table.start_methods": ["rng"]}
    table = Album(Floor(game, numbered, source=CardOrigin.TYPED).opened().seat((OTHER, AT)), states)
    for at in (OTHER, AT):
        table.floor.bet(at, main="$10")
    table.until("draw_number", "deal").do("draw_number", number=1).until("count_stub")
    table.do("count_stub", left=table.floor.rules.game.stub)
    typed_in(table, dealer=1)
