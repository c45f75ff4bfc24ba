"""A Washington table in every state, and in which of them each step is lawful.

An ordinary round has a jackpot; the law is the four procedures and the rules of the progressive.
"""

from __future__ import annotations

from collections.abc import Mapping

from houseway.rounds.state import CardOrigin
from tests.games.support import Changes
from tests.rounds.law_tables.states import (
    AT,
    DECK,
    FIVE_ACES,
    HOUSE,
    NOTHING_MUCH,
    OTHER,
    WHY,
    Album,
    Row,
    States,
    between_rounds,
    in_turn,
    look_and_ask,
    player_at,
    set_by_players,
    to_be_opened,
    typed_in,
)
from tests.rounds.table import DEALER, FLOOR, TestTable, player

OPENED = (
    ("set_shuffler", "shuffler set"),
    ("receive_deck", "received"),
    ("shuffle", "shuffled"),
    ("open_table", "open"),
)
READY = (("square", "squared"), ("load", "ready"))
STARTED = (
    ("coin_in", "coin in"),
    ("remove_progressive", "chips removed"),
    ("shake_cup", "cup shaken"),
    ("press_start", "started"),
    ("place_lammers", "lammers placed"),
)
JACKPOT = (
    ("press_hand", "hand pressed"),
    ("acknowledge_claim", "acknowledged"),
    ("verify_jackpot", "win verified"),
    ("turn_key", "key turned"),
    ("press_jpot", "win recorded"),
)
WAGERS = {"main": "$10", "fortune": "$5", "insurance": "$5", "progressive": "$1"}


def washington(game: str, changes: Changes) -> States:
    """Play a round as it goes at a table with a keypad, and whatever may go beside."""
    album = Album(TestTable(game, changes), {}).keep("closed")
    album.do("set_shuffler", game="Fortune Asia Poker").keep("shuffler set")
    in_turn(album, OPENED)
    album.aside().do("remove_deck", FLOOR, deck=DECK, reason=WHY).keep("deck removed")
    album.table.seat((OTHER, AT))
    in_turn(album, READY)
    between_rounds(album, player(AT))
    for at in (OTHER, AT):
        album.table.bet(at, **WAGERS)
    album.until("coin_in").keep("bet")
    album.aside().do("leave", player(AT), AT).keep("left before the round")
    in_turn(album, STARTED)
    size = album.table.rules.game.hand_cards
    album.table.arranged({AT: FIVE_ACES[size], OTHER: NOTHING_MUCH[size]})
    album.do("deal", cards=size).keep("deal begun")
    _stopped(album)
    album.do("deal").keep("all dealt")
    in_turn(album, (("collect_empty", "may look"),))
    album.aside().do("expose_card", DEALER, AT).keep("exposed")
    look_and_ask(album)
    set_by_players(album)
    _until_next(album)
    _with_the_keypad(album)
    _typed(game, changes, album.states)
    return album.states


def _stopped(album: Album) -> None:
    """Let a player leave while cards are dealt, which stops the round; let the floor rule."""
    left = album.aside().do("leave", player_at(album, AT), AT).keep("left")
    left.do("rule_round", FLOOR, ruling="play on", reason=WHY).keep("played for who left")


def _until_next(album: Album) -> None:
    album.after("turn_over", "dealer's cards turned").after("set_dealer", "dealer set")
    to_be_opened(album).keep("next")
    album.do("reveal", at=AT).keep("opened")
    album.do("settle", at=AT, wager="main").keep("main settled")
    album.do("rearrange", at=AT).keep("rearranged")


def _with_the_keypad(album: Album) -> None:
    for wager in ("fortune", "insurance"):
        album.do("settle", at=AT, wager=wager)
    album.keep("bonus settled")
    in_turn(album, JACKPOT)
    album.do("pay_jackpot", FLOOR, AT, reference="HP-7").keep("paid by hand")
    back = album.aside()
    amount = back.table.state.round.wins[0].amount
    back.do("adjust_meter", FLOOR, win=AT, amount=amount, reason="misread", second="Max").keep("backed out")
    album.do("turn_key", FLOOR, to="RUN").keep("meter adjusted")
    album.until("pay_envy", "game_over", "rack", "clear_lammers", "close_round").keep("all settled")
    album.after("pay_envy", "envy paid").after("game_over", "game over")
    album.until("clear_lammers", "close_round").keep("all racked")
    album.after("clear_lammers", "lammers cleared")
    album.until("close_round")
    album.do("close_round").keep("round over")


def _typed(game: str, changes: Changes, states: States) -> None:
    """Play a round of real cards, those that lie open typed in."""
    album = Album(TestTable(game, changes, source=CardOrigin.TYPED).opened().seat((OTHER, AT)), states)
    for at in (OTHER, AT):
        album.table.bet(at, main="$10")
    _started_with_real_dice(album)
    typed_in(album, dealer=1)


def _started_with_real_dice(album: Album) -> None:
    album.until("shake_cup", "press_start")
    if album.table.rules.way == "dice_cup":
        album.do("shake_cup", dice=(6, 1, 1)).do("press_start")
    else:
        album.do("press_start", number=1)


COURSE = (
    "closed, shuffler set, received, shuffled, open, squared, ready, bet, coin in, chips removed,"
    " cup shaken, started,"
    " lammers placed, deal begun, all dealt, may look, looked, set, all set, dealer's cards turned,"
    " dealer set, next,"
    " opened, main settled, rearranged, bonus settled, hand pressed, acknowledged, win verified,"
    " key turned,"
    " win recorded, paid by hand, meter adjusted, all settled, envy paid, game over, all racked,"
    " lammers cleared,"
    " round over"
)
ASIDE = (
    "deck removed, no dealer, nobody seated, shuffle ordered, device failed, device signed,"
    " left before the round,"
    " left, played for who left, exposed, help asked, help asked last, house way shown, foul opened,"
    " backed out, typed turned over,"
    " typed next, typed entered, typed confirmed, typed reopened"
)
"""Left and exposed stop the round: nothing goes on until the floor has ruled."""
BEFORE = (
    "closed..chips removed, round over, deck removed, nobody seated, shuffle ordered, device failed,"
    " device signed,"
    " left before the round"
)
NO_WAGER = (
    "closed..ready, round over, deck removed, nobody seated, shuffle ordered, device failed, device signed"
)
PLAYED = (
    "started..lammers cleared, played for who left, help asked, help asked last, house way shown,"
    " foul opened, backed out,"
    " typed turned over..typed reopened"
)
LAW: Mapping[str, Row] = {
    "log_on": Row("no dealer", HOUSE),
    "relieve": Row(f"{BEFORE}, cup shaken, {PLAYED}, left, exposed", HOUSE),
    "log_off": Row(BEFORE, HOUSE),
    "sit": Row("closed..open, deck removed, nobody seated, left before the round", HOUSE),
    "leave": Row(
        "squared..round over, no dealer, shuffle ordered, device failed, device signed, exposed,"
        " help asked,"
        " help asked last, house way shown, foul opened, backed out, typed turned over..typed reopened",
        HOUSE,
    ),
    "receive_deck": Row("closed, shuffler set, deck removed", HOUSE),
    "remove_deck": Row(f"{BEFORE}, -closed, -shuffler set, -deck removed, no dealer", HOUSE),
    "set_shuffler": Row(f"{BEFORE}, no dealer", "wa.fap.iverify.1"),
    "open_table": Row("shuffled", "wa.fap.iverify.1"),
    "close_table": Row(f"{NO_WAGER}, -closed, -shuffler set, no dealer", HOUSE),
    "adopt_rules": Row(f"{NO_WAGER}, no dealer", HOUSE),
    "shuffle": Row(f"{BEFORE}, -closed, -shuffler set, -deck removed, no dealer", HOUSE),
    "square": Row("shuffled, open", HOUSE),
    "load": Row("squared", HOUSE),
    "direct_shuffle": Row(f"{BEFORE}, -closed, -shuffler set, no dealer, cup shaken..lammers placed", HOUSE),
    "shuffler_fault": Row(
        f"{BEFORE}, -closed, -shuffler set, -deck removed, -device signed, no dealer", HOUSE
    ),
    "sign_out_of_order": Row("device failed", HOUSE),
    "repair": Row("device failed, device signed", HOUSE),
    "wager": Row(
        "squared..chips removed, no dealer, shuffle ordered, device failed, device signed, round over",
        "wa.fap.iverify.2.optional",
    ),
    "correct_wager": Row("bet..chips removed", "wa.fap.iverify.2.optional"),
    "coin_in": Row("bet, left before the round", "wa.prog.5.coin_in"),
    "remove_progressive": Row("coin in", "wa.prog.5.remove"),
    "rule_count": Row("coin in", "wa.prog.5.remove"),
    "shake_cup": Row("", "wa.fap.dice.3.shake"),
    "press_start": Row("chips removed", "wa.fap.iverify.3.start"),
    "place_lammers": Row(
        f"{BEFORE}, -closed..shuffled, cup shaken, started",
        "wa.fap.fortune.envy_lammer",
    ),
    "deal": Row("lammers placed, deal begun, played for who left", "wa.fap.iverify.4.packs"),
    "count_hands": Row(f"{PLAYED}, -started, -lammers placed", "wa.fap.iverify.4.packs"),
    "collect_empty": Row("all dealt", "wa.fap.iverify.5.unused"),
    "expose_card": Row(
        "all dealt..dealer set, help asked, help asked last, house way shown, typed turned over", HOUSE
    ),
    "stop_round": Row(f"{BEFORE}, -closed..shuffled, no dealer, cup shaken, {PLAYED}", HOUSE),
    "rule_round": Row("left, exposed", HOUSE),
    "void_round": Row("", HOUSE),
    "look": Row(
        "may look, looked, set, all set, help asked, help asked last, house way shown",
        "wa.fap.iverify.5.unused",
    ),
    "ask_help": Row(
        "may look, looked, help asked, help asked last, house way shown", "wa.fap.iverify.7.request"
    ),
    "show_player_way": Row("help asked last", "wa.fap.req.i"),
    "exit_display": Row("house way shown", "wa.fap.iverify.7.exit"),
    "set": Row("may look, looked", "wa.fap.iverify.7.request"),
    "turn_over": Row("all set", "wa.fap.iverify.8.reveal"),
    "set_dealer": Row("dealer's cards turned", "wa.fap.iverify.8.press"),
    "reveal": Row("next, typed confirmed", HOUSE),
    "rearrange": Row("main settled", "wa.fap.insurance.timing"),
    "settle": Row("opened, rearranged, foul opened", "wa.fap.insurance.timing"),
    "press_hand": Row("dealer set..key turned, foul opened, backed out", "wa.prog.8.d"),
    "acknowledge_claim": Row("hand pressed..lammers cleared", "wa.prog.8.e"),
    "verify_jackpot": Row("hand pressed..lammers cleared", "wa.prog.8.f.verify"),
    "turn_key": Row(
        f"{BEFORE}, -closed..shuffled, no dealer, dealer set..lammers cleared, foul opened, backed out,"
        " typed next..typed reopened",
        "wa.prog.8.f.key",
    ),
    "press_jpot": Row("key turned", "wa.prog.8.f.record"),
    "pay_jackpot": Row("win recorded", "wa.prog.8.f.house_pay"),
    "print_win": Row("win recorded..lammers cleared, backed out", "wa.prog.8.f.print"),
    "pay_envy": Row("bonus settled..all settled, backed out", "wa.fap.fortune.b.i"),
    "game_over": Row("envy paid", "wa.prog.8.h"),
    "rack": Row("envy paid, game over", HOUSE),
    "clear_lammers": Row("envy paid..all racked", "wa.fap.fortune.a.i.hold"),
    "close_round": Row("lammers cleared", "wa.prog.8.h"),
    "adjust_meter": Row(
        f"{BEFORE}, no dealer, -coin in, -chips removed, win recorded..round over,"
        " typed turned over..typed reopened",
        "wa.prog.8.i",
    ),
    "enter_hand": Row("typed next, typed reopened", HOUSE),
    "correct_entry": Row("typed entered", HOUSE),
    "confirm_entry": Row("typed entered", HOUSE),
    "reopen_entry": Row("typed confirmed", HOUSE),
}
OTHERWISE: Mapping[tuple[str, str], Row] = {
    **{(way, "set"): Row("may look, looked, help asked", HOUSE) for way in ("iverify", "led", "dice_cup")},
    ("dice_cup", "shake_cup"): Row("chips removed", "wa.fap.dice.3.shake"),
    ("dice_cup", "press_start"): Row("cup shaken", "wa.fap.dice.4.button"),
}
"""Rows that read otherwise in the procedures without the house way on the display, and with a dice cup."""
