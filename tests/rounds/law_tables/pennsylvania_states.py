"""A table of ch. 575, 659a and 670a in every state, and in which of them each step is lawful.

The law is cited by ch. 659a where it has it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from houseway.rounds.houseway import house_setting
from houseway.rounds.marks import DeckMark
from houseway.rounds.state import CardOrigin, Phase
from houseway.rounds.steps.dealers import shaker_in_use
from tests.games.support import Changes
from tests.rounds.law_tables.irregularities import wrong_setting
from tests.rounds.law_tables.states import (
    AT,
    DECK,
    FIVE_ACES,
    FOUL,
    HOUSE,
    NEVER,
    NOTHING_MUCH,
    OTHER,
    WHY,
    Album,
    Row,
    States,
    in_turn,
    to_be_opened,
    typed_in,
)
from tests.rounds.pennsylvania import EVERY_WAGER
from tests.rounds.table import DEALER, FLOOR, SHOE, SHUFFLER, TestTable, player

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
    album = Album(TestTable(game, changes), {}).keep("closed")
    _decks(album)
    _betting(album)
    _start(album, EVERY_WAGER[game])
    _deal(album)
    _setting(album)
    _dealer(album)
    _settling(album)
    _alone(game, changes, album.states)
    _typed(game, changes, album.states)
    _two_jokers(game, changes, album.states)
    return album.states


def _decks(album: Album) -> None:
    in_turn(album, IN_ORDER)
    album.aside().do("remove_deck", FLOOR, deck=DECK, reason=WHY).keep("deck removed")
    album.do("sit", player(AT), AT).keep("first player")
    in_turn(album, MADE_READY)
    in_turn(album, SHUFFLED)
    album.until("no_more_bets")
    if "ready" not in album.states:
        album.keep("ready")


def _two_jokers(game: str, changes: Changes, states: States) -> None:
    album = Album(TestTable(game, changes | {"table.pack_jokers": 2}), states)
    album.do("receive_deck", deck=DECK, jokers=2)
    album.until("attest_joker", "tear_joker", "spread_deck").keep("two jokers")
    album.until("tear_joker", "spread_deck").keep("two jokers attested")


def _betting(album: Album) -> None:
    away: dict[str, Any] = {"shaker": "locked away"} if shaker_in_use(album.table.rules) else {}
    album.aside().do("log_off", **away).keep("no dealer")
    alone = album.aside().do("leave", player(AT), AT).keep("nobody seated")
    alone.do("idle_spread").keep("idle")
    alone.do("sit", player(AT), AT).keep("idle first player")
    alone.do("view_spread", player(AT), deck=DECK).keep("idle viewed")
    alone.after("turn_down", "idle turned down").after("wash", "idle washed").after("stack", "idle stacked")
    album.aside().do("direct_shuffle", FLOOR).keep("shuffle ordered")
    if album.table.live.table.decks[DECK].has(DeckMark.CUT):
        album.aside().do("recut", FLOOR, deck=DECK, reason=WHY).keep("recut ordered")
    album.table.seat((OTHER,))


def _start(album: Album, wagers: dict[str, str]) -> None:
    for at in (OTHER, AT):
        album.table.bet(at, **wagers)
    album.keep("bet")
    gone = album.aside()
    gone.do("leave", player(AT), AT).keep("left before the round")
    in_turn(album, FOUND)
    _faulty(album)


def _faulty(album: Album) -> None:
    """Let a device fail before the deal, where there is one; take it out of use, and let it be mended."""
    if album.table.rules.way == "automated_shoe":
        album = album.aside().do("shoe_fault", SHOE).keep("device failed")
        album.do("sign_out_of_order", device="shoe", how="sign").keep("device signed")
    elif album.table.rules.submission.table.shuffler == "automated":
        album = album.aside()
        album.table.play_on(rounds=1)
        album.until("shuffle")
        album.do("shuffler_fault", SHUFFLER, deck=DECK).keep("device failed")
        album.do("sign_out_of_order", device="shuffler", how="sign").keep("device signed")


def _deal(album: Album) -> None:
    table = album.table
    size = table.rules.game.hand_cards
    table.arranged({AT: FIVE_ACES[size], OTHER: NOTHING_MUCH[size]})
    album.do("deal", cards=1).keep("deal begun")
    album.aside().do("boxed_card").keep("one face up") if _plays_on(album, "boxed_card") else None
    album.aside().do("draw_early").keep("drawn early")
    album.aside().do("leave", player(AT), AT).keep("left")
    album.do("deal").keep("all dealt")
    album.aside().do("count_stub", left=table.rules.game.stub - 1).keep("remainder wrong")
    album.do("count_stub", left=table.rules.game.stub).keep("remainder counted")
    album.do("collect_empty").keep("may look")
    if table.state.round.dice:
        album.do("cover_shaker", at_right=True, times=1).keep("shaker back")


def _plays_on(album: Album, step: str) -> bool:
    """Whether the round goes on when this happens."""
    tried = album.aside().do(step).table
    return (
        tried.state.round.number == album.table.state.round.number and tried.state.phase is not Phase.BETTING
    )


def _setting(album: Album) -> None:
    table, size = album.table, album.table.rules.game.hand_cards
    exposed = album.aside().do("expose_card", DEALER, AT).keep("exposed")
    exposed.aside().do("choose_hand", player(AT), AT, choice="void").keep("void hand")
    album.do("look", player(AT), AT).keep("looked")
    left = album.aside().do("leave", player(AT), AT).keep("left after looking")
    left.aside().do("rule_abandoned", FLOOR, AT, lost=True, reason=WHY).keep("abandoned")
    left.do("rule_abandoned", FLOOR, AT, lost=False, reason=WHY).keep("played for who left")
    album.aside().do("ask_help", player(AT), AT).keep("help asked")
    foul = album.aside().do("set", player(AT), AT, setting=FOUL[size])
    to_be_opened(foul).do("reveal", at=AT).keep("foul opened")
    if "offer_double" in table.rules.game.procedure:
        album.until("offer_double", "set").keep("all looked")
        album.do("offer_double").keep("double offered")
    setting = house_setting(table.rules, table.state.round.hands[AT].cards)
    album.do("set", player(AT), AT, setting=setting).keep("set")
    album.until("turn_over").keep("all set")


def _dealer(album: Album) -> None:
    album.after("turn_over", "dealer's cards turned")
    wrong = album.aside()
    wrong.do("set_dealer", setting=wrong_setting(wrong.table)).keep("dealer set wrongly")
    album.after("set_dealer", "dealer set")


def _settling(album: Album) -> None:
    to_be_opened(album).keep("next")
    album.do("reveal", at=AT).keep("opened")
    album.do("settle", at=AT, wager="main").keep("main settled")
    album.do("rearrange", at=AT).keep("rearranged")
    if "verify_win" in album.table.rules.game.procedure:
        for wager in ("fortune", "insurance"):
            album.do("settle", at=AT, wager=wager)
        album.keep("bonus settled").after("verify_win", "win verified")
        album.aside().do("verify_light", at=AT, lit=False).keep("light not lit")
        album.after("verify_light", "light lit").after("validate_win", "validated")
        album.until("document_win", "pay_envy", "rack", "close_round").keep("all settled")
        album.until("pay_envy", "rack", "close_round").keep("documented")
        album.until("rack", "close_round").keep("envy paid")
    else:
        album.until("rack").keep("all settled")
    album.until("close_round").keep("all racked")
    album.do("close_round").keep("round over")


def _alone(game: str, changes: Changes, states: States) -> None:
    """Play a hand with no wager but the main one."""
    if "surrender" not in TestTable(game, changes).rules.game.procedure:
        return
    album = Album(TestTable(game, changes).settling(OTHER, AT, main="$10"), states).keep("alone dealer set")
    album.aside().do("surrender", player(AT), AT).keep("surrendered").do(
        "count_surrendered", at=AT, cards=7
    ).keep("surrendered and counted")
    to_be_opened(album).do("reveal", at=AT).keep("alone opened")
    album.do("settle", at=AT).keep("alone settled")


def _typed(game: str, changes: Changes, states: States) -> None:
    """Play a round of real cards, the start found by a number, those that lie open typed in."""
    numbered = changes | {"table.start_methods": ["rng"]}
    album = Album(TestTable(game, numbered, source=CardOrigin.TYPED).opened().seat((OTHER, AT)), states)
    for at in (OTHER, AT):
        album.table.bet(at, main="$10")
    album.until("draw_number", "deal").do("draw_number", number=1).until("count_stub")
    album.do("count_stub", left=album.table.rules.game.stub)
    typed_in(album, dealer=1)


COURSE = (
    "closed, received, inspected, verified, spread, first player, viewed, turned down, washed,"
    " stacked, shuffled,"
    " open, squared, covered, offered, cut, moved, spared, ready, bet, bets closed, lammers placed, locked,"
    " chips counted, shaken, uncovered, start found, deal begun, all dealt, remainder counted, may look,"
    " shaker back, looked, all looked, double offered, set, all set, dealer's cards turned,"
    " dealer set, next,"
    " opened, main settled, rearranged, bonus settled, win verified, light lit, validated, all settled,"
    " documented, envy paid, all racked, round over"
)
"""An ordinary round, from a closed table on: the hand has every wager, and five aces."""
ASIDE = (
    "deck removed, two jokers, two jokers attested, no dealer, nobody seated, idle,"
    " idle first player, idle viewed,"
    " idle turned down, idle washed, idle stacked, shuffle ordered, recut ordered, left before the round,"
    " device failed, device signed, one face up, drawn early, left, remainder wrong, exposed, void hand,"
    " left after looking, abandoned, played for who left, help asked, foul opened,"
    " dealer set wrongly, light not lit,"
    " alone dealer set, surrendered, surrendered and counted, alone opened, alone settled,"
    " typed turned over,"
    " typed next, typed entered, typed confirmed, typed reopened"
)
"""What may come beside it. Alone: only the main wager. Typed: real cards, those that lie open typed in."""
BEFORE = (
    "closed..bet, round over, deck removed, two jokers, two jokers attested, nobody seated, idle,"
    " idle first player,"
    " idle viewed, idle turned down, idle washed, idle stacked, shuffle ordered, recut ordered,"
    " left before the round, device failed, device signed"
)
"""No round is played."""
NO_WAGER = f"{BEFORE}, -bet, -left before the round"
IN_ROUND = (
    "bets closed..all racked, one face up, drawn early, left, remainder wrong, exposed, void hand,"
    " left after looking, abandoned, played for who left, help asked, foul opened,"
    " dealer set wrongly, light not lit,"
    " alone dealer set, surrendered, surrendered and counted, alone opened, alone settled,"
    " typed turned over,"
    " typed next, typed entered, typed confirmed, typed reopened"
)
LAW: Mapping[str, Row] = {
    # people
    "log_on": Row("no dealer", HOUSE),
    "relieve": Row(f"{BEFORE}, {IN_ROUND}", HOUSE),
    "log_off": Row(BEFORE, "pa659a.2.c.1.s2"),
    "sit": Row(
        "closed..spread, deck removed, two jokers, two jokers attested, idle, left before the round",
        "pa659a.5.e.s1",
    ),
    "leave": Row(
        "first player..round over, no dealer, idle first player..idle stacked, shuffle ordered,"
        " recut ordered,"
        " device failed, device signed, one face up, drawn early, remainder wrong, exposed,"
        " void hand, help asked,"
        " foul opened, dealer set wrongly, light not lit, alone dealer set, surrendered,"
        " surrendered and counted,"
        " alone opened, alone settled, typed turned over..typed reopened",
        "pa659a.7.b.s2",
    ),
    "rule_abandoned": Row("left, left after looking", "pa659a.7.b.s3"),
    # decks
    "receive_deck": Row("closed, deck removed", "pa659a.3.a.s1"),
    "inspect_deck": Row("received", "pa659a.4.a.s1"),
    "verify_inspection": Row("inspected", "pa659a.4.a.s2"),
    "attest_joker": Row("two jokers", "pa659a.4.b.s1"),
    "tear_joker": Row("two jokers, two jokers attested", "pa659a.4.b.s2"),
    "spread_deck": Row("verified", "pa659a.4.b.s3"),
    "view_spread": Row("first player, viewed, idle first player, idle viewed", "pa659a.4.c.s1"),
    "turn_down": Row("viewed, idle viewed", "pa659a.4.c.s2"),
    "wash": Row("turned down, washed, idle turned down, idle washed", "pa659a.4.c.s2"),
    "stack": Row("washed, idle washed", "pa659a.4.c.s2"),
    "shuffle": Row(
        "stacked..ready, bet, nobody seated, shuffle ordered, recut ordered, round over,"
        " left before the round",
        "pa659a.5.a.s1",
    ),
    "square": Row("shuffled, open", "pa659a.5.a.s5"),
    "direct_shuffle": Row(
        "received..start found, round over, deck removed..nobody seated, shuffle ordered..device signed",
        "pa659a.5.a.s3",
    ),
    "place_cover": Row("squared", "pa670a.5.c.s1"),
    "offer_cut": Row("covered", "pa670a.5.c.s2"),
    "decline_cut": Row("offered", "pa670a.5.d.2.s2"),
    "cut": Row("squared, offered, recut ordered", "pa659a.5.c.s1"),
    "move_cover": Row("cut", "pa670a.5.e.s3"),
    "spare_cover": Row("moved", "pa670a.5.e.s4"),
    "recut": Row(
        "cut..start found, no dealer, nobody seated, shuffle ordered, left before the round", "pa659a.5.d"
    ),
    "load": Row("cut, spared", "pa659a.8.a.s2"),
    "remove_deck": Row(f"{BEFORE}, -closed, -deck removed, no dealer", HOUSE),
    "idle_spread": Row(
        "open..ready, nobody seated, shuffle ordered, recut ordered, round over, device failed,"
        " device signed",
        "pa659a.5.e.s1",
    ),
    "resume": Row("idle viewed..idle stacked", "pa659a.5.e.s2"),
    "swap_decks": Row("", "pa670a.5.g.2.s1"),
    # table and devices
    "open_table": Row("shuffled", HOUSE),
    "close_table": Row(f"{NO_WAGER}, -closed, no dealer", "pa659a.2.c.1.s2"),
    "adopt_rules": Row(f"{NO_WAGER}, no dealer", HOUSE),
    "change_dealing": Row(f"{NO_WAGER}, no dealer", HOUSE),
    "shuffler_fault": Row("", "pa659a.13.l"),
    "sign_out_of_order": Row("device failed", "pa659a.13.n"),
    "repair": Row("device failed, device signed", HOUSE),
    # wagers
    "wager": Row(
        "open..bet, no dealer, shuffle ordered, recut ordered, round over, device failed, device signed",
        "pa659a.7.c.s1",
    ),
    "correct_wager": Row("bet", "pa659a.7.c.s1"),
    "no_more_bets": Row("bet, left before the round", "pa659a.8.b"),
    "place_lammers": Row("bets closed", "pa659a.8.b.1"),
    "lock_progressive": Row("bets closed, lammers placed", "pa659a.8.b.2.s1"),
    "count_progressive": Row("locked", "pa659a.8.b.2.s2"),
    "rule_count": Row("locked", "pa659a.8.b.2.s2"),
    # the start
    "place_dice": Row(f"{BEFORE}, {IN_ROUND}, -typed turned over..typed reopened", "pa659a.2.c.1.i.s3"),
    "shake": Row("chips counted, shaken", "pa659a.5.g.1.i"),
    "uncover": Row("shaken", "pa659a.5.g.1.ii.s1"),
    "announce_total": Row("uncovered, start found", "pa659a.5.g.1.ii.s2"),
    "draw_number": Row("chips counted", "pa659a.5.g.2.s1"),
    "read_button": Row("", "pa575.5.g.3.s2"),
    "cover_shaker": Row("may look", "pa659a.5.g.1.iv"),
    # the deal
    "deal": Row("start found, deal begun, one face up, drawn early, left", "pa659a.8.c.s1"),
    "count_stub": Row("all dealt, remainder wrong", "pa659a.8.d.s1"),
    "count_hands": Row(
        "deal begun..all racked, one face up..typed reopened",
        "pa659a.13.h",
    ),
    "collect_empty": Row("remainder counted", "pa659a.8.f"),
    # irregularities
    "expose_card": Row(
        "all dealt..dealer set, remainder wrong, exposed, left after looking, abandoned,"
        " played for who left,"
        " help asked, dealer set wrongly, alone dealer set, surrendered, surrendered and counted,"
        " typed turned over",
        "pa659a.13.d.s1",
    ),
    "choose_hand": Row("exposed", "pa659a.13.d.s1"),
    "boxed_card": Row("start found, deal begun, one face up, drawn early, left", "pa659a.13.f.s1"),
    "draw_early": Row("bets closed..deal begun, one face up, drawn early, left", "pa659a.13.g"),
    "shoe_fault": Row("", "pa659a.13.m"),
    "void_round": Row("", HOUSE),
    "end_round": Row("", HOUSE),
    # the hand
    "look": Row("may look, shaker back, looked, all looked, double offered, help asked", "pa659a.11.a"),
    "ask_help": Row("looked, all looked, double offered, help asked", "pa659a.11.a.1.s2"),
    "set": Row(
        "looked, all looked, double offered, help asked, left after looking, played for who left",
        "pa659a.11.a.1.s1",
    ),
    "offer_double": Row("all looked", "pa670a.11.c"),
    "double_down": Row("double offered, set, all set", "pa670a.11.c"),
    "turn_over": Row("all set", "pa659a.11.c.s1"),
    "set_dealer": Row("dealer's cards turned", "pa659a.11.c.s3"),
    "reset_dealer": Row("dealer set wrongly", "pa659a.13.i"),
    "surrender": Row("alone dealer set, typed next, typed reopened", "pa659a.11.d.s1"),
    "count_surrendered": Row("surrendered", "pa659a.11.d.s6"),
    # settled
    "reveal": Row("next, typed confirmed", "pa659a.11.e.s1"),
    "settle": Row("opened, rearranged, validated, foul opened, alone opened", "pa659a.11.f.1"),
    "rearrange": Row("main settled", "pa659a.11.h.s1"),
    "verify_win": Row("rearranged, bonus settled", "pa659a.11.h.3.ii.a"),
    "verify_light": Row("win verified, light lit, validated", "pa659a.11.h.3.ii.b"),
    "rule_light": Row("light not lit", HOUSE),
    "validate_win": Row("light lit", "pa659a.11.h.3.ii.c"),
    "document_win": Row("all settled", "pa659a.11.h.3.ii.d.s3"),
    "review_royal": Row("", "pa670a.6.b.2.s3"),
    "pay_envy": Row("bonus settled..documented, light not lit", "pa659a.11.h.1.ii.s1"),
    "rack": Row("envy paid, alone settled, surrendered and counted", "pa659a.11.i"),
    "close_round": Row("all racked", HOUSE),
    # real cards
    "enter_hand": Row("typed next, typed reopened", HOUSE),
    "correct_entry": Row("typed entered", HOUSE),
    "confirm_entry": Row("typed entered", HOUSE),
    "reopen_entry": Row("typed confirmed", HOUSE),
}
SHAKER = ("place_dice", "shake", "uncover", "announce_total", "cover_shaker")
CUTTING = ("cut", "recut")
BY_DEVICE = (
    "stacked..ready, bet, no dealer, nobody seated, shuffle ordered, round over,"
    " left before the round, device failed,"
    " device signed"
)
OTHERWISE: Mapping[tuple[str, str], Row] = {
    # cards shuffled by a device are not cut, though a cover card under them harms nothing; a number is drawn
    **{(way, step): NEVER for way in ("hand", "automated") for step in (*SHAKER, *CUTTING)},
    **{(way, "shuffle"): Row(BY_DEVICE, "pa659a.5.a.s1") for way in ("hand", "automated")},
    ("hand", "load"): Row("squared", "pa659a.9.a.2.s1"),
    ("automated", "load"): Row("squared", "pa659a.10.a.s1"),
    ("hand", "shuffler_fault"): Row(f"{BY_DEVICE}, -device signed, idle stacked", "pa659a.13.l"),
    ("automated", "shuffler_fault"): Row(f"{BY_DEVICE}, idle stacked", "pa659a.13.l"),
    ("automated", "shoe_fault"): Row(
        "bets closed..deal begun, one face up, drawn early, left", "pa659a.13.m"
    ),
    ("automated", "change_dealing"): Row(f"{NO_WAGER}, no dealer, -device failed", "pa659a.13.n"),
    # a shaker finds the start
    ("shoe", "draw_number"): NEVER,
    # ch. 575 has neither lammers nor a progressive, nor an Envy Bonus
    ("pa-575", "shake"): Row("bets closed, shaken", "pa575.5.g.1.i"),
    ("pa-575", "draw_number"): Row("bets closed", "pa575.5.g.2.s1"),
    ("pa-575", "rack"): Row("all settled, alone settled, surrendered and counted", "pa575.11.h.2"),
    # in ch. 670a cover cards go into the deck for the cut, which players are offered
    ("pa-670a", "cut"): Row("offered, recut ordered", "pa670a.5.c.s3"),
    ("pa-670a", "offer_cut"): Row("covered, recut ordered", "pa670a.5.f.s2"),
    ("pa-670a", "load"): Row("spared", "pa670a.5.e.s4"),
    # ... and idle cards go into a shuffler without a wash
    **{
        (f"pa-670a {way}", step): Row(states, "pa670a.5.g.2.s1")
        for way in ("hand", "automated")
        for step, states in (("swap_decks", "idle stacked"), ("stack", "washed, idle viewed..idle washed"))
    },
}
"""Rows that read otherwise for a way of dealing, or in a chapter."""
