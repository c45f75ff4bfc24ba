"""When each step is lawful in Washington, by the four procedures and the rules of the progressive."""

from __future__ import annotations

from collections.abc import Mapping

from tests.rounds.sweep.row import HOUSE, Row

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
