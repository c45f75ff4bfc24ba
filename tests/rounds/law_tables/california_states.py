"""A California table in every state, and in which of them each step is lawful: a player banks the round."""

from __future__ import annotations

from collections.abc import Mapping

from houseway.rounds.state import CardOrigin
from tests.games.support import Changes
from tests.rounds.california import Cardroom, person
from tests.rounds.law_tables.states import (
    AT,
    DECK,
    HOUSE,
    OTHER,
    WHY,
    Album,
    Row,
    States,
    between_rounds,
    in_turn,
    look_and_ask,
    set_by_players,
    to_be_opened,
    typed_in,
)
from tests.rounds.table import DEALER, FLOOR, TestTable, money

BANK = 6
"""The seat that banks."""
READY = (("square", "squared"), ("load", "ready"))
STARTED = (
    ("no_more_bets", "bets closed"),
    ("collect_fees", "fees taken"),
    ("place_lammers", "buttons placed"),
)


def california(game: str, changes: Changes) -> States:
    """Play a round that a player banks, and whatever may go beside."""
    album = Album(TestTable(game, changes), {}).keep("closed")
    in_turn(album, (("receive_deck", "received"), ("shuffle", "shuffled"), ("open_table", "open")))
    album.aside().do("remove_deck", FLOOR, deck=DECK, reason=WHY).keep("deck removed")
    for at in (OTHER, AT, BANK):
        album.do("sit", person(at), at)
    album.keep("seated")
    _bank(album)
    in_turn(album, READY)
    bet = {"main": "$10", "fortune": "$10"}
    for at in (OTHER, AT):
        album.do("wager", person(at), at, wagers=money(**bet))
    album.keep("bet")
    album.aside().do("leave", person(AT), AT).keep("left before the round")
    album.aside().do("leave", person(BANK), BANK).keep("bank left before the round")
    in_turn(album, STARTED)
    _piles(album)
    in_turn(album, (("collect_empty", "may look"),))
    album.aside().do("expose_card", DEALER, AT).keep("exposed")
    left = album.aside().do("leave", person(AT), AT).keep("left")
    left.do("rule_round", FLOOR, ruling="play on", reason=WHY).keep("played for who left")
    look_and_ask(album)
    set_by_players(album)
    album.after("turn_over", "dealer's cards turned").after("set_dealer", "dealer set")
    _settled_by_the_bank(album)
    _typed_cardroom(game, changes, album.states)
    return album.states


def _bank(album: Album) -> None:
    """Let the bank be offered to the seat and declined, then be taken by another."""
    between_rounds(album, person(AT))
    offered = album.aside().do("offer_bank", at=AT).keep("bank offered")
    offered.aside().do("accept_bank", person(AT), AT).keep("bank taken")
    offered.do("decline_bank", person(AT), AT).keep("bank declined")
    album.do("offer_bank", at=BANK).do("accept_bank", person(BANK), BANK).keep("another banks")
    album.do("put_up", person(BANK), BANK, stake=20_000).keep("put up")


def _piles(album: Album) -> None:
    """Deal, by piles or from the shuffler, with the dice before or after."""
    table = album.table
    if table.rules.way == "manual":
        album.do("deal", cards=7).keep("deal begun")
        album.aside().do("leave", person(BANK), BANK).keep("bank left")
        album.do("deal").keep("all dealt")
        album.aside().do("count_stub", left=3).keep("remainder wrong")
        album.do("count_stub").keep("remainder counted")
        album.after("choose_pile", "pile chosen").after("shake_dice", "dice shaken")
        album.after("distribute", "handed out")
        return
    album.after("shake_dice", "dice shaken first")
    size = table.rules.game.hand_cards
    album.do("deal", cards=size).keep("deal begun")
    album.aside().do("leave", person(BANK), BANK).keep("bank left")
    album.do("deal").keep("all dealt")


def _settled_by_the_bank(album: Album) -> None:
    to_be_opened(album).keep("next")
    album.do("reveal", at=AT).keep("opened")
    album.do("settle", at=AT, wager="main").keep("main settled")
    album.after("rearrange", "first rearranged")
    album.until("clear_lammers").keep("all racked")
    album.after("clear_lammers", "buttons taken")
    album.do("close_round").keep("round over")


def _typed_cardroom(game: str, changes: Changes, states: States) -> None:
    """Play a round of real cards: the first to be opened is the other hand."""
    room = Cardroom(changes, seats=(OTHER, AT, BANK), source=CardOrigin.TYPED)
    album = Album(room.banks(BANK).bets(OTHER, AT, main="$10"), states)
    album.until("shake_dice")
    if room.rules.way == "manual":
        album.do("count_stub", left=4).until("shake_dice")
    album.do("shake_dice", person(BANK), BANK, dice=(1, 1, 2))
    typed_in(album, dealer=BANK)


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
