"""A Washington table in every state: an ordinary round with a jackpot, and what may come beside it."""

from __future__ import annotations

from houseway.rounds.houseway import house_setting
from houseway.rounds.roles import Role
from houseway.rounds.state import CardOrigin
from houseway.rounds.step import Actor
from tests.games.support import Changes
from tests.rounds.support import DEALER, FLOOR, SHUFFLER, Floor, player
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
    table = Album(Floor(game, changes), {}).keep("closed")
    table.do("set_shuffler", game="Fortune Asia Poker").keep("shuffler set")
    in_turn(table, OPENED)
    table.aside().do("remove_deck", FLOOR, deck=DECK, reason=WHY).keep("deck removed")
    table.floor.seat((OTHER, AT))
    in_turn(table, READY)
    _beside_the_bets(table)
    for at in (OTHER, AT):
        table.floor.bet(at, **WAGERS)
    table.until("coin_in").keep("bet")
    table.aside().do("leave", player(AT), AT).keep("left before the round")
    in_turn(table, STARTED)
    size = table.floor.rules.game.hand_cards
    stack_for_start(table.floor, {AT: FIVE_ACES[size], OTHER: NOTHING_MUCH[size]})
    table.do("deal", cards=size).keep("deal begun")
    _stopped(table)
    table.do("deal").keep("all dealt")
    in_turn(table, (("collect_empty", "may look"),))
    table.aside().do("expose_card", DEALER, AT).keep("exposed")
    asked(table)
    set_by_players(table)
    _until_next(table)
    _with_the_keypad(table)
    _typed(game, changes, table.states)
    return table.states


def _beside_the_bets(table: Album) -> None:
    """Keep what may be so between two rounds: nobody there, a shuffle ordered, a shuffler that fails."""
    table.aside().do("log_off").keep("no dealer")
    table.aside().do("leave", player(AT), AT).keep("nobody seated")
    table.aside().do("direct_shuffle", FLOOR).keep("shuffle ordered")
    failed = table.aside().do("shuffler_fault", SHUFFLER, deck=DECK).keep("device failed")
    failed.do("sign_out_of_order", device="shuffler", how="sign").keep("device signed")


def _stopped(table: Album) -> None:
    """Let a player leave while cards are dealt, which stops the round; let the floor rule."""
    left = table.aside().do("leave", _at(table, AT), AT).keep("left")
    left.do("rule_round", FLOOR, ruling="play on", reason=WHY).keep("played for who left")


def _at(table: Album, seat: int) -> Actor:
    return Actor(table.floor.table.seats[seat].person, Role.PLAYER)


def asked(table: Album) -> None:
    """Let the player look, and ask for the house way where the display shows it."""
    table.do("look", _at(table, AT), AT).keep("looked")
    helped = table.aside()
    if not any(problem.blocks for problem in helped.floor.problems("ask_help", _at(table, AT), AT)):
        helped.do("ask_help", _at(table, AT), AT).keep("help asked")
    if table.floor.rules.way == "iverify_hwv":
        helped.until("show_player_way").keep("help asked last")
        helped.after("show_player_way", "house way shown")


def set_by_players(table: Album) -> None:
    size = table.floor.rules.game.hand_cards
    foul = table.aside()
    if not any(one.blocks for one in foul.floor.problems("set", _at(foul, AT), AT, setting=FOUL[size])):
        foul.do("set", _at(foul, AT), AT, setting=FOUL[size])
        to_be_opened(foul).do("reveal", at=AT).keep("foul opened")
    setting = house_setting(table.floor.rules, table.floor.table.round.hands[AT].cards)
    table.do("set", _at(table, AT), AT, setting=setting).keep("set")
    table.until("turn_over").keep("all set")


def _until_next(table: Album) -> None:
    table.after("turn_over", "dealer's cards turned").after("set_dealer", "dealer set")
    to_be_opened(table).keep("next")
    table.do("reveal", at=AT).keep("opened")
    table.do("settle", at=AT, wager="main").keep("main settled")
    table.do("rearrange", at=AT).keep("rearranged")


def _with_the_keypad(table: Album) -> None:
    for wager in ("fortune", "insurance"):
        table.do("settle", at=AT, wager=wager)
    table.keep("bonus settled")
    in_turn(table, JACKPOT)
    table.do("pay_jackpot", FLOOR, AT, reference="HP-7").keep("paid by hand")
    back = table.aside()
    amount = back.floor.table.round.wins[0].amount
    back.do("adjust_meter", FLOOR, win=AT, amount=amount, reason="misread", second="Max").keep("backed out")
    table.do("turn_key", FLOOR, to="RUN").keep("meter adjusted")
    table.until("pay_envy", "game_over", "rack", "clear_lammers", "close_round").keep("all settled")
    table.after("pay_envy", "envy paid").after("game_over", "game over")
    table.until("clear_lammers", "close_round").keep("all racked")
    table.after("clear_lammers", "lammers cleared")
    table.until("close_round")
    table.do("close_round").keep("round over")


def _typed(game: str, changes: Changes, states: States) -> None:
    """Play a round of real cards, those that lie open typed in."""
    table = Album(Floor(game, changes, source=CardOrigin.TYPED).opened().seat((OTHER, AT)), states)
    for at in (OTHER, AT):
        table.floor.bet(at, main="$10")
    _started_with_real_dice(table)
    typed_in(table, dealer=1)


def _started_with_real_dice(table: Album) -> None:
    table.until("shake_cup", "press_start")
    if table.floor.rules.way == "dice_cup":
        table.do("shake_cup", dice=(6, 1, 1)).do("press_start")
    else:
        table.do("press_start", number=1)
