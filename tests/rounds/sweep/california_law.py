"""When each step is lawful in California, where a player banks the round."""

from __future__ import annotations

from collections.abc import Mapping

from tests.rounds.sweep.row import HOUSE, Row

COURSE = (
    "closed, received, shuffled, open, seated, another banks, put up, squared, ready, bet,"
    " bets closed, fees taken,"
    " buttons placed, dice shaken first, deal begun, all dealt, remainder counted, pile chosen,"
    " dice shaken,"
    " handed out, may look, looked,"
    " set, all set, dealer's cards turned, dealer set, next, opened, main settled, first rearranged,"
    " all racked,"
    " buttons taken, round over"
)
"""From a shuffler the dice are shaken first; piles are dealt before one is chosen and the dice are shaken."""
ASIDE = (
    "deck removed, no dealer, nobody seated, shuffle ordered, device failed, device signed,"
    " bank offered, bank taken,"
    " bank declined, left before the round, bank left before the round, bank left, remainder wrong,"
    " exposed, left,"
    " played for who left, help asked, typed turned over, typed next, typed entered,"
    " typed confirmed, typed reopened"
)
"""Bank left, left, exposed and a wrong remainder stop the round until the floor has ruled."""
BEFORE = (
    "closed..bet, round over, deck removed, nobody seated, shuffle ordered, device failed, device signed,"
    " bank offered, bank taken, bank declined, left before the round, bank left before the round"
)
NO_WAGER = f"{BEFORE}, -bet, -left before the round, -bank left before the round"
PLAYED = "bets closed..buttons taken, played for who left, help asked, typed turned over..typed reopened"
STOPPED = "bank left, remainder wrong, exposed, left"
LAW: Mapping[str, Row] = {
    "log_on": Row("no dealer", HOUSE),
    "relieve": Row(f"{BEFORE}, {PLAYED}, {STOPPED}", HOUSE),
    "log_off": Row(BEFORE, HOUSE),
    "record_notice": Row(f"{BEFORE}, no dealer, {PLAYED}, {STOPPED}", "ca.fpgp.collect.review.2"),
    "store_proof": Row(f"{BEFORE}, no dealer, {PLAYED}, {STOPPED}", "ca.fpgp.layout.proof_form"),
    "sit": Row("closed..open, deck removed, nobody seated, left before the round", HOUSE),
    "leave": Row(
        "seated..round over, no dealer, shuffle ordered, device failed, device signed, bank offered,"
        " bank taken,"
        " bank declined, bank left before the round, bank left, remainder wrong, exposed, help asked,"
        " typed turned over..typed reopened",
        HOUSE,
    ),
    "receive_deck": Row("closed, deck removed", HOUSE),
    "remove_deck": Row(f"{BEFORE}, -closed, -deck removed, no dealer", HOUSE),
    "open_table": Row("shuffled", "ca.fpgp.layout.proof_form"),
    "close_table": Row(f"{NO_WAGER}, -closed, no dealer", HOUSE),
    "adopt_rules": Row(f"{NO_WAGER}, no dealer", HOUSE),
    "shuffle": Row(f"{BEFORE}, -closed, -deck removed", "ca.fpgp.settle.new_round"),
    "square": Row("shuffled..put up, shuffle ordered, bank offered..bank declined, nobody seated", HOUSE),
    "load": Row("squared", HOUSE),
    "direct_shuffle": Row(f"{BEFORE}, -closed, no dealer, bets closed..dice shaken first", HOUSE),
    "shuffler_fault": Row("", HOUSE),
    "sign_out_of_order": Row("device failed", HOUSE),
    "repair": Row("device failed, device signed", HOUSE),
    "offer_bank": Row(
        "seated, shuffle ordered, device failed, device signed",
        "ca.fpgp.type.offer_clockwise",
    ),
    "accept_bank": Row("bank offered", "ca.fpgp.type.player_dealer"),
    "decline_bank": Row("bank offered", "ca.fpgp.type.offer_clockwise"),
    "put_up": Row("another banks..bet, left before the round, bank taken, round over", "ca.fpgp.deal.bets"),
    "wager": Row(
        "seated..bet, no dealer, shuffle ordered, device failed, device signed, bank offered,"
        " bank declined,"
        " bank left before the round, round over",
        "ca.fpgp.deal.bets.bonus",
    ),
    "bet_behind": Row("bet, bank left before the round", "ca.fpgp.table.backline"),
    "correct_wager": Row("bet, bank left before the round", "ca.fpgp.deal.bets.bonus"),
    "no_more_bets": Row("bet, left before the round", "ca.fpgp.deal.bets"),
    "collect_fees": Row("bets closed", "ca.fpgp.deal.bets.before_deal"),
    "place_lammers": Row(f"{BEFORE}, -closed..shuffled, bets closed, fees taken", "ca.fpgp.envy.button"),
    "shake_dice": Row("buttons placed, deal begun..pile chosen", "ca.fpgp.deal.dice.three"),
    "deal": Row("buttons placed, deal begun", "ca.fpgp.deal.manual.seven_piles"),
    "count_stub": Row("all dealt", "ca.fpgp.deal.manual.four_left"),
    "count_hands": Row(f"{PLAYED}, -bets closed..deal begun", HOUSE),
    "choose_pile": Row("remainder counted", "ca.fpgp.deal.pile.select"),
    "distribute": Row("dice shaken", "ca.fpgp.deal.distribute.order"),
    "collect_empty": Row("handed out", "ca.fpgp.deal.distribute.collect_unused"),
    "expose_card": Row(
        "deal begun..dealer's cards turned, played for who left, help asked, typed turned over", HOUSE
    ),
    "stop_round": Row(f"{BEFORE}, -closed..shuffled, no dealer, {PLAYED}", HOUSE),
    "rule_round": Row(STOPPED, HOUSE),
    "void_round": Row("", HOUSE),
    "look": Row("may look..all set, help asked", HOUSE),
    "ask_help": Row("may look, looked, help asked", "ca.fpgp.set.house_way_request"),
    "set": Row("may look, looked, help asked, played for who left", "ca.fpgp.set.house_way_request"),
    "turn_over": Row("all set", "ca.fpgp.set.pd_exposed_after"),
    "set_dealer": Row("dealer's cards turned", "ca.fpgp.set.pd_set"),
    "reset_bank": Row("dealer set, next", "ca.fpgp.pd_set.reset"),
    "reveal": Row("dealer set, next, typed confirmed", "ca.fpgp.pd_set.expose_players"),
    "settle": Row("opened, first rearranged", "ca.fpgp.deal.settle.kind_order"),
    "rearrange": Row("main settled", "ca.fpgp.settle.bonus_after_game"),
    "pay_envy": Row("", "ca.fpgp.settle.envy_end"),
    "rack": Row("", HOUSE),
    "clear_lammers": Row("all racked", "ca.fpgp.settle.bonus_paid.envy_stays"),
    "close_round": Row("buttons taken", "ca.fpgp.settle.new_round"),
    "enter_hand": Row("typed next, typed reopened", HOUSE),
    "correct_entry": Row("typed entered", HOUSE),
    "confirm_entry": Row("typed entered", HOUSE),
    "reopen_entry": Row("typed confirmed", HOUSE),
}

OTHERWISE: Mapping[tuple[str, str], Row] = {
    ("shuffler", "shake_dice"): Row("buttons placed", "ca.fpgp.deal.shuffler.dice"),
    ("shuffler", "deal"): Row("dice shaken first, deal begun", "ca.fpgp.deal.shuffler.one_by_one"),
    ("shuffler", "collect_empty"): Row("all dealt", "ca.fpgp.deal.distribute.collect_unused"),
    ("shuffler", "count_hands"): Row(f"{PLAYED}, -bets closed..dice shaken first", HOUSE),
    ("shuffler", "square"): Row(
        "shuffled..put up, shuffle ordered, bank offered..bank declined, no dealer..nobody seated", HOUSE
    ),
    ("shuffler", "shuffle"): Row(f"{BEFORE}, -closed, -deck removed, no dealer", "ca.fpgp.settle.new_round"),
    ("shuffler", "shuffler_fault"): Row(
        f"{BEFORE}, -closed, -deck removed, -device signed, no dealer", HOUSE
    ),
}
"""Rows that read otherwise where the cards come out of a shuffler."""
