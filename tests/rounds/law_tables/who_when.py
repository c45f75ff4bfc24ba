"""Who may take each step, and when: written out from the regulations, not from the program.

Each row names the roles and the phases, and where that is said: the clause of one chapter that has it, or
``house`` where nobody is named and the house's own papers decide. A dealer puts on record what players do
with chips; whoever is above a floorperson may do what the law gives to "a floorperson or above".
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

ALWAYS = "closed opening idle betting starting dealing setting dealer settling"
CARDS = "dealing setting dealer settling"
ROUND = f"starting {CARDS}"
NO_ROUND = "closed opening idle betting"
FLOOR = "floorperson manager"
HOUSE = "house"


class Row(NamedTuple):
    """Who may take a step, in which phases, and where it is said."""

    roles: str
    phases: str
    source: str


LAW: Mapping[str, Row] = {
    # decks made ready: when they come, and again when decks are changed or lay idle
    "receive_deck": Row("dealer", NO_ROUND, "pa575.4.a.s1"),
    "inspect_deck": Row("dealer", NO_ROUND, "pa575.4.a.s1"),
    "verify_inspection": Row("floorperson", NO_ROUND, "pa575.4.a.s2"),
    "attest_joker": Row("dealer floorperson", NO_ROUND, "pa575.4.b.s1"),
    "tear_joker": Row("dealer", NO_ROUND, "pa575.4.b.s2"),
    "spread_deck": Row("dealer", NO_ROUND, "pa575.4.b.s3"),
    "view_spread": Row("player dealer", NO_ROUND, "pa575.4.c.s1"),
    "turn_down": Row("dealer", NO_ROUND, "pa575.4.c.s2"),
    "wash": Row("dealer", NO_ROUND, "pa575.4.c.s2"),
    "stack": Row("dealer", NO_ROUND, "pa575.4.c.s2"),
    "set_shuffler": Row(f"dealer {FLOOR}", "closed opening betting", "wa.fap.iverify.1"),
    # the table and its people
    "open_table": Row(FLOOR, "opening", HOUSE),
    "close_table": Row(FLOOR, "opening idle betting", HOUSE),
    "adopt_rules": Row(FLOOR, NO_ROUND, HOUSE),
    "change_dealing": Row(FLOOR, NO_ROUND, "pa575.13.n"),
    "record_notice": Row(FLOOR, ALWAYS, "ca.fpgp.collect.review.2"),
    "store_proof": Row(FLOOR, ALWAYS, "ca.fpgp.layout.proof_form"),
    "log_on": Row("dealer", ALWAYS, "pa659a.preamble.training"),
    "relieve": Row("dealer", ALWAYS, "pa659a.2.c.1.s2"),
    "log_off": Row("dealer", NO_ROUND, "pa659a.2.c.1.s2"),
    "sit": Row("player", ALWAYS, "pa575.7.b.s1"),
    "leave": Row("player", ALWAYS, "pa575.7.b.s3"),
    "rule_abandoned": Row(FLOOR, ROUND, "pa575.7.b.s3"),
    # devices that fail, tables that lie idle
    "shuffler_fault": Row("dealer shuffler", f"opening idle betting {ROUND}", "pa575.13.l"),
    "shoe_fault": Row("dealer shoe", "starting dealing", "pa575.13.m"),
    "sign_out_of_order": Row(f"dealer {FLOOR}", ALWAYS, "pa575.13.n"),
    "repair": Row(FLOOR, ALWAYS, "pa575.13.n"),
    "idle_spread": Row("dealer", "betting idle", "pa575.5.e.s1"),
    "resume": Row("dealer", "idle", "pa575.5.e.s2"),
    "swap_decks": Row("dealer", "idle", "pa670a.5.g.2.s1"),
    # the deck shuffled, cut and put in its place
    "shuffle": Row("dealer shuffler", f"opening betting {ROUND}", "pa575.3.b.2"),
    "square": Row("dealer shuffler", f"opening betting {ROUND}", "pa575.3.b.2"),
    "direct_shuffle": Row(FLOOR, "opening betting starting", "pa575.5.a.s3"),
    "place_cover": Row("dealer", "opening betting starting", "pa670a.5.c.s1"),
    "offer_cut": Row("dealer", "opening betting starting", "pa670a.5.c.s2"),
    "decline_cut": Row("player", "opening betting starting", "pa670a.5.d.2.s2"),
    "cut": Row("player dealer", "opening betting starting", "pa670a.5.c.s3"),
    "move_cover": Row("dealer", "opening betting starting", "pa670a.5.e.s3"),
    "spare_cover": Row("dealer", "opening betting starting", "pa670a.5.e.s4"),
    "recut": Row(FLOOR, "opening betting starting", "pa575.5.d"),
    "load": Row("dealer shuffler", "opening betting starting", "pa575.8.a.s2"),
    "remove_deck": Row(f"dealer {FLOOR}", "opening idle betting", "pa575.8.e.s3"),
    # wagers and the bank
    "wager": Row("player dealer", "betting", "pa575.7.c.s1"),
    "correct_wager": Row("dealer", "betting", "pa575.7.c.s1"),
    "bet_behind": Row("player", "betting", "ca.fpgp.table.backline"),
    "no_more_bets": Row("dealer", "betting", "pa659a.8.b"),
    "place_lammers": Row("dealer", "starting", "pa659a.8.b.1"),
    "offer_bank": Row("dealer", "betting", "ca.fpgp.type.offer_clockwise"),
    "accept_bank": Row("player", "betting", "ca.fpgp.type.offer_clockwise"),
    "decline_bank": Row("player", "betting", "ca.fpgp.type.offer_clockwise"),
    "put_up": Row("player", "betting", "ca.fpgp.deal.bets"),
    "collect_fees": Row("dealer", "starting", "ca.fpgp.collect.s1_32.before_cards"),
    # the progressive's chips
    "lock_progressive": Row("dealer keypad", "starting", "pa659a.2.d.2"),
    "count_progressive": Row("dealer", "starting", "pa659a.8.b.2.s2"),
    "rule_count": Row(FLOOR, "starting", "pa659a.8.b.2.s2"),
    "coin_in": Row("dealer", "betting", "wa.prog.5.coin_in"),
    "remove_progressive": Row("dealer", "betting", "wa.prog.5.remove"),
    # the starting position
    "place_dice": Row("dealer", ALWAYS, "pa575.2.c.1.s2"),
    "shake": Row("dealer", "starting", "pa575.5.g.1.i"),
    "uncover": Row("dealer", "starting", "pa575.5.g.1.ii.s1"),
    "announce_total": Row("dealer", "starting", "pa575.5.g.1.ii.s2"),
    "draw_number": Row("dealer generator", "starting", "pa575.5.g.2.s1"),
    "read_button": Row("dealer", "starting", "pa575.5.g.3.s2"),
    "cover_shaker": Row("dealer", CARDS, "pa575.5.g.1.iv"),
    "shake_cup": Row("dealer", "betting", "wa.fap.dice.3.shake"),
    "shake_dice": Row("player", "starting dealing", "ca.fpgp.deal.dice.three"),
    "press_start": Row("dealer", "betting starting", "wa.fap.dice.4.button"),
    # the deal
    "deal": Row("dealer shoe sensor", "starting dealing", "pa575.10.b.s1"),
    "count_stub": Row("dealer", "dealing", "pa575.10.c.s1"),
    "count_hands": Row("dealer", CARDS, "pa575.13.h"),
    "collect_empty": Row("dealer", "dealing", "pa575.8.f"),
    "choose_pile": Row("player", "dealing", "ca.fpgp.deal.pile.select"),
    "distribute": Row("dealer", "dealing", "ca.fpgp.deal.distribute.order"),
    # the players' hands
    "look": Row("player", "setting", "pa575.11.a"),
    "ask_help": Row("player", "setting", "pa575.11.a.1.s2"),
    "set": Row("player dealer", "setting", "pa575.11.a.1.s1"),
    "show_player_way": Row("dealer", "setting", "wa.fap.iverify.7.request"),
    "exit_display": Row("dealer", "setting", "wa.fap.iverify.7.exit"),
    "offer_double": Row("dealer", "setting", "pa670a.11.c"),
    "double_down": Row("player dealer", "setting", "pa670a.11.c"),
    "surrender": Row("player", "settling", "pa575.11.d.s1"),
    # the dealer's hand
    "turn_over": Row("dealer", "setting", "pa575.11.c.s1"),
    "set_dealer": Row("dealer", "dealer", "pa575.11.c.s1"),
    "reset_dealer": Row(f"dealer {FLOOR}", "settling", "pa575.13.i"),
    "reset_bank": Row("player", "settling", "ca.fpgp.pd_set.reset"),
    "enter_hand": Row("dealer", "dealer settling", HOUSE),
    "correct_entry": Row("dealer", "dealer settling", HOUSE),
    "confirm_entry": Row("dealer", "dealer settling", HOUSE),
    "reopen_entry": Row(FLOOR, "dealer settling", HOUSE),
    # hands opened, settled, racked
    "count_surrendered": Row("dealer", "settling", "pa659a.11.d.s6"),
    "reveal": Row("dealer", "settling", "pa575.11.e.s1"),
    "rearrange": Row("dealer", "settling", "pa659a.11.h.s1"),
    "settle": Row("dealer", "settling", "pa659a.11.h.s3"),
    "pay_envy": Row("dealer", "settling", "pa659a.11.h.1.ii.s1"),
    "rack": Row("dealer", "settling", "pa659a.11.g"),
    "clear_lammers": Row("dealer", "settling", "wa.fap.fortune.a.i.hold"),
    "close_round": Row("dealer", "settling", HOUSE),
    # what goes wrong
    "expose_card": Row(f"dealer {FLOOR}", CARDS, "pa575.13.d.s1"),
    "choose_hand": Row("player", CARDS, "pa575.13.d.s1"),
    "boxed_card": Row("dealer", "starting dealing", "pa575.13.f.s1"),
    "draw_early": Row("dealer", "starting dealing", "pa575.13.g"),
    "stop_round": Row(f"dealer {FLOOR}", f"betting {ROUND}", HOUSE),
    "rule_round": Row(FLOOR, f"betting {ROUND}", HOUSE),
    "void_round": Row("", CARDS, "pa575.13.e"),
    "end_round": Row("", CARDS, "pa575.13.d.s1"),
    # progressive wins
    "verify_win": Row("dealer", "settling", "pa659a.11.h.3.ii.a"),
    "verify_light": Row("dealer", "settling", "pa659a.11.h.3.ii.b"),
    "rule_light": Row(FLOOR, "settling", HOUSE),
    "validate_win": Row(FLOOR, "settling", "pa659a.11.h.3.ii.c"),
    "document_win": Row(FLOOR, "settling", "pa659a.11.h.3.ii.d.s3"),
    "review_royal": Row(FLOOR, "settling", "pa670a.6.b.2.s3"),
    "press_hand": Row("dealer", "settling", "wa.prog.8.d"),
    "acknowledge_claim": Row(FLOOR, "settling", "wa.prog.8.e"),
    "verify_jackpot": Row(FLOOR, "settling", "wa.prog.8.f.verify"),
    "turn_key": Row(FLOOR, "betting settling", "wa.prog.8.f.key"),
    "press_jpot": Row(FLOOR, "settling", "wa.prog.8.f.key"),
    "pay_jackpot": Row(FLOOR, "settling", "wa.prog.8.f.house_pay"),
    "print_win": Row(FLOOR, "settling", "wa.prog.8.f.print"),
    "game_over": Row("dealer", "settling", "wa.prog.8.h"),
    "adjust_meter": Row(FLOOR, ALWAYS, "wa.prog.8.i"),
}
OF_ONE_GAME: Mapping[tuple[str, str], Row] = {
    ("pa-575", "cut"): Row("dealer", "opening betting starting", "pa575.5.c.s1"),
    ("pa-659a", "cut"): Row("dealer", "opening betting starting", "pa659a.5.c.s1"),
    ("wa-fap", "shuffle"): Row("dealer shuffler", f"opening betting {ROUND}", HOUSE),
    ("ca-fpgp", "shuffle"): Row("dealer shuffler", f"opening betting {ROUND}", "ca.fpgp.settle.new_round"),
    ("wa-fap", "square"): Row("dealer shuffler", f"opening betting {ROUND}", HOUSE),
    ("ca-fpgp", "square"): Row("dealer shuffler", f"opening betting {ROUND}", HOUSE),
    ("wa-fap", "direct_shuffle"): Row(FLOOR, "opening betting starting", HOUSE),
    ("ca-fpgp", "direct_shuffle"): Row(FLOOR, "opening betting starting", HOUSE),
    ("wa-fap", "load"): Row("dealer", "opening betting starting", HOUSE),
    ("ca-fpgp", "load"): Row("dealer", "opening betting starting", HOUSE),
    ("wa-fap", "deal"): Row("dealer shuffler sensor", "starting dealing", "wa.fap.iverify.4.packs"),
    ("ca-fpgp", "deal"): Row(
        "dealer shuffler sensor", "starting dealing", "ca.fpgp.deal.shuffler.one_by_one"
    ),
    ("wa-fap", "rule_count"): Row(FLOOR, "betting", "wa.prog.5.remove"),
    ("wa-fap", "place_lammers"): Row("dealer", "betting starting", "wa.fap.fortune.envy_lammer"),
    ("ca-fpgp", "place_lammers"): Row("dealer", "betting starting", "ca.fpgp.envy.button"),
}
"""Rows that read otherwise in one game than in the others."""


# --- where the program reads otherwise ----------------------------------------------------------------


REFUSED_IN_WORDS: Mapping[tuple[str, str], str] = {
    ("recut", "dealing"): "a recut comes before the first card",
    ("remove_deck", "starting"): "a deck is not removed while it is dealt",
    ("surrender", "setting"): "after the dealer's hands are set",
    ("surrender", "dealer"): "after the dealer's hands are set",
    ("cover_shaker", "starting"): "the stub is counted and the empty stacks are collected first",
    ("rule_count", "betting"): "the progressive is locked first",
    ("rule_count", "starting"): "the chips are counted already",
    ("place_lammers", "betting"): "no more bets is announced first",
} | {
    (step, phase): f"a deck is not {done} while it is dealt"
    for step, done in (("shuffle", "shuffled"), ("square", "squared"))
    for phase in ROUND.split()
}
"""Phases in which a step is refused by a condition that says why."""
NOT_THEIRS_IN_WORDS: Mapping[tuple[str, str], str] = {
    ("cut", "player"): "the dealer cuts the cards, no player does",
}
"""Roles to which a step is refused by a condition that says why."""
ALSO_BY: Mapping[tuple[str, str], str] = {
    ("verify_inspection", "manager"): "4(a) names the floorperson assigned to the table, not one above",
    ("attest_joker", "manager"): "4(b) names the dealer and a floorperson, not one above",
    ("deal", "shuffler"): "8(c), 9(b), 10(b): the dealer deals, or delivers what the shoe dispenses",
    ("count_stub", "shoe"): "8(d), 9(c), 10(c): the dealer spreads and counts what is left",
    ("verify_light", "sensor"): "11(h)(3): the dealer verifies that the light is lit",
    ("exit_display", "display"): "7 of i-Verify: the dealer presses EXIT",
    **{
        ("leave", role): "a house rule: it is recorded that who is not to play got up"
        for role in ("dealer", "floorperson", "manager")
    },
    ("turn_key", "key_holder"): "8(f), (g): the supervisor turns the key",
}
"""Roles that the program takes though the law gives the step to somebody else."""
NOT_BY: Mapping[tuple[str, str], str] = {
    ("load", "shuffler"): "8(a): the device may place the deck; here by a shuffle straight into the shoe",
}
"""Roles that the law names and the program does not take."""
NOT_IN: Mapping[tuple[str, str], str] = {}
"""Phases that the law allows and the program does not take."""


def row(game: str, step: str) -> Row:
    """Return what the law of a game says about a step."""
    return OF_ONE_GAME.get((game, step), LAW[step])


def taken_by(game: str, step: str) -> set[str]:
    """Return the roles that a game takes a step from, those beyond the law included."""
    return {*row(game, step).roles.split(), *(role for taken, role in ALSO_BY if taken == step)}
