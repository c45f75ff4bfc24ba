"""A California table in every state: a round that a player banks, and what may come beside it."""

from __future__ import annotations

from houseway.rounds.state import CardOrigin
from tests.games.support import Changes
from tests.rounds.cardroom import Cardroom, person
from tests.rounds.support import DEALER, FLOOR, SHUFFLER, Floor, money
from tests.rounds.sweep.album import AT, DECK, OTHER, WHY, Album, States, in_turn, to_be_opened, typed_in
from tests.rounds.sweep.keypad import asked, set_by_players

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
    table = Album(Floor(game, changes), {}).keep("closed")
    in_turn(table, (("receive_deck", "received"), ("shuffle", "shuffled"), ("open_table", "open")))
    table.aside().do("remove_deck", FLOOR, deck=DECK, reason=WHY).keep("deck removed")
    for at in (OTHER, AT, BANK):
        table.do("sit", person(at), at)
    table.keep("seated")
    _bank(table)
    in_turn(table, READY)
    bet = {"main": "$10", "fortune": "$10"}
    for at in (OTHER, AT):
        table.do("wager", person(at), at, wagers=money(**bet))
    table.keep("bet")
    table.aside().do("leave", person(AT), AT).keep("left before the round")
    table.aside().do("leave", person(BANK), BANK).keep("bank left before the round")
    in_turn(table, STARTED)
    _piles(table)
    in_turn(table, (("collect_empty", "may look"),))
    table.aside().do("expose_card", DEALER, AT).keep("exposed")
    left = table.aside().do("leave", person(AT), AT).keep("left")
    left.do("rule_round", FLOOR, ruling="play on", reason=WHY).keep("played for who left")
    asked(table)
    set_by_players(table)
    table.after("turn_over", "dealer's cards turned").after("set_dealer", "dealer set")
    _settled_by_the_bank(table)
    _typed_cardroom(game, changes, table.states)
    return table.states


def _bank(table: Album) -> None:
    """Let the bank be offered to the seat and declined, then be taken by another."""
    table.aside().do("log_off").keep("no dealer")
    table.aside().do("leave", person(AT), AT).keep("nobody seated")
    table.aside().do("direct_shuffle", FLOOR).keep("shuffle ordered")
    failed = table.aside().do("shuffler_fault", SHUFFLER, deck=DECK) if _has_shuffler(table) else None
    if failed is not None:
        failed.keep("device failed")
        failed.do("sign_out_of_order", device="shuffler", how="sign").keep("device signed")
    offered = table.aside().do("offer_bank", at=AT).keep("bank offered")
    offered.aside().do("accept_bank", person(AT), AT).keep("bank taken")
    offered.do("decline_bank", person(AT), AT).keep("bank declined")
    table.do("offer_bank", at=BANK).do("accept_bank", person(BANK), BANK).keep("another banks")
    table.do("put_up", person(BANK), BANK, stake=20_000).keep("put up")


def _has_shuffler(table: Album) -> bool:
    return table.floor.rules.submission.table.shuffler == "automated"


def _piles(table: Album) -> None:
    """Deal, by piles or from the shuffler, with the dice before or after."""
    floor = table.floor
    if floor.rules.way == "manual":
        table.do("deal", cards=7).keep("deal begun")
        table.aside().do("leave", person(BANK), BANK).keep("bank left")
        table.do("deal").keep("all dealt")
        table.aside().do("count_stub", left=3).keep("remainder wrong")
        table.do("count_stub").keep("remainder counted")
        table.after("choose_pile", "pile chosen").after("shake_dice", "dice shaken")
        table.after("distribute", "handed out")
        return
    table.after("shake_dice", "dice shaken first")
    size = floor.rules.game.hand_cards
    table.do("deal", cards=size).keep("deal begun")
    table.aside().do("leave", person(BANK), BANK).keep("bank left")
    table.do("deal").keep("all dealt")


def _settled_by_the_bank(table: Album) -> None:
    to_be_opened(table).keep("next")
    table.do("reveal", at=AT).keep("opened")
    table.do("settle", at=AT, wager="main").keep("main settled")
    table.after("rearrange", "first rearranged")
    table.until("clear_lammers").keep("all racked")
    table.after("clear_lammers", "buttons taken")
    table.do("close_round").keep("round over")


def _typed_cardroom(game: str, changes: Changes, states: States) -> None:
    """Play a round of real cards: the first to be opened is the other hand."""
    room = Cardroom(changes, seats=(OTHER, AT, BANK), source=CardOrigin.TYPED)
    table = Album(room.banks(BANK).bets(OTHER, AT, main="$10"), states)
    table.until("shake_dice")
    if room.rules.way == "manual":
        table.do("count_stub", left=4).until("shake_dice")
    table.do("shake_dice", person(BANK), BANK, dice=(1, 1, 2))
    typed_in(table, dealer=BANK)
