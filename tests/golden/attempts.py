"""What somebody may try with each step, rightly or wrongly, in plain data as it would come in.

Words that begin with ``@`` stand for something of the table: a position, a deck, a setting of cards.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

AT, DECK, SETTING, FILED = "@position", "@deck", "@setting", "@submission"
HUGE = 10**9
Fields = Mapping[str, Any]
HERE: Fields = {"position": AT}
THIS: Fields = {"deck": DECK}
OFFERED: Fields = {"deck": DECK, "position": AT}
PLAIN: Fields = {}
BETS: tuple[Fields, ...] = (
    {"main": 1000},
    {"main": 500, "fortune": 500, "bonus": 500},
    {"main": 2000, "fortune": 100},
    {"main": 1000, "insurance": 500, "progressive": 100},
    {"main": 1, "fortune": 0},
    {"main": -500},
    {"main": 10**12},
    {"main": 2**64},
    {"main": 5.5},
    {"main": "500"},
    {"fortune": 500},
    {"banana": 500},
    {},
)
COUNTS: tuple[Fields, ...] = (
    {str(at): 7 for at in range(1, 8)},
    {str(at): 6 for at in range(1, 8)},
    {},
    {"1": 7},
    {"0": 7},
)
DICE = ([1, 2, 3], [4, 1, 3], [0, 1, 2], [7, 1, 1], [1, 1], [1, 1, 1, 1], "123")
INSTRUMENTS = ("plaque", "approved", "voucher", "cash", "verbal", "promise")
DEVICES = ("shuffler", "shoe", "kettle")

ATTEMPTS: Mapping[str, tuple[Fields, ...]] = {
    # decks made ready
    "receive_deck": (
        {"deck": "A"},
        {"deck": "N1"},
        {"deck": "N2", "jokers": 2},
        {"deck": "N3", "jokers": 0},
        {"deck": "N4", "cards": 52},
        {"deck": "N5", "preshuffled": "(u)"},
        {"deck": "N6", "preshuffled": "(v)", "reshuffled_by": "automated"},
        {"deck": "N7", "preshuffled": "(w)"},
        {"deck": ""},
    ),
    "inspect_deck": (THIS, {**THIS, "defects": "a crimped corner"}),
    "verify_inspection": (THIS,),
    "attest_joker": (THIS,),
    "tear_joker": (THIS, {**THIS, "container": "box 7"}),
    "spread_deck": (THIS, {**THIS, "seen": 53}, {**THIS, "seen": 52}, {**THIS, "seen": -1}),
    "view_spread": (THIS,),
    "turn_down": (THIS,),
    "wash": (THIS,),
    "stack": (THIS,),
    "set_shuffler": tuple(
        {"game": game} for game in ("Fortune Asia Poker", "Fortune Pai Gow Poker", "Three Card Poker", "")
    ),
    # the table
    "open_table": (PLAIN, {"checklist": ["no such clause"], "odds_shown": "sign"}, {"odds_shown": "moon"}),
    "close_table": (PLAIN, {"shaker": True}),
    "adopt_rules": ({"submission": FILED}, {"submission": {}}, {"submission": "none"}),
    "change_dealing": (
        *({"dealing": way} for way in ("manual_shoe", "hand", "automated_shoe", "juggling")),
        {"dealing": "manual_shoe", "start": "rng"},
        {"dealing": "hand", "start": "shaker"},
    ),
    "record_notice": (
        {"status": "cease", "source": "Bureau 12-A", "dated": "2026-01-04"},
        {"status": "unlawful", "source": "Bureau 12-A", "dated": "2026-01-04"},
        {"status": "under_review", "source": "Bureau 12-A", "dated": "2025-12-01"},
        {"status": "cleared", "source": "Bureau 12-A", "dated": "2026-01-05"},
        {"status": "cleared", "source": "Bureau 12-A", "dated": "2027-01-05"},
        {"status": "cease", "source": "Bureau 12-A", "dated": "soon"},
        {"status": "cease", "source": "", "dated": "2026-01-04"},
    ),
    "store_proof": (
        {"signer": "Ann", "dated": "2026-01-04"},
        {"signer": "Ann", "dated": "2026-01-04", "width": "70", "height": "40", "verdict": "as drawn"},
        {"signer": "", "dated": "2027-01-04"},
    ),
    # people
    "log_on": ({"training": "on file"}, PLAIN),
    "relieve": ({"training": "on file", "shaker": True}, {"training": "on file"}, PLAIN),
    "log_off": ({"shaker": "locked away"}, {"shaker": "on the table"}, PLAIN, {"shaker": "gone"}),
    "sit": (HERE, {"position": 0}, {"position": 1}, {"position": 9}),
    "leave": (HERE, {"position": 9}),
    "rule_abandoned": (
        {**HERE, "lost": True, "reason": "did not come back"},
        {**HERE, "lost": False, "reason": "comes back"},
        {**HERE, "lost": True, "reason": " "},
    ),
    # devices and idle tables
    "sign_out_of_order": (
        *({"device": device, "how": "sign"} for device in DEVICES),
        {"device": "shoe"},
        {"device": "shuffler", "how": "covered"},
    ),
    "repair": tuple({"device": device} for device in DEVICES),
    "idle_spread": (PLAIN, {"face": "up", "asked_by": "Ann"}, {"face": "up"}),
    "resume": (PLAIN,),
    "swap_decks": ({**THIS, "secure": True}, {**THIS, "spread": True}, {**THIS, "asked": True}, THIS),
    # the deck in play
    "shuffle": (
        {**THIS, "method": "manual"},
        {**THIS, "method": "automated", "device": "shuffler"},
        {**THIS, "method": "automated", "device": "shuffler", "into": "shoe"},
        {**THIS, "method": "manual", "cards": 52},
        {**THIS, "method": "sorcery"},
        {**THIS, "method": "automated", "device": "kettle"},
    ),
    "square": (THIS,),
    "direct_shuffle": (PLAIN,),
    "shuffler_fault": (THIS,),
    "place_cover": (THIS,),
    "offer_cut": (OFFERED, {**THIS, "position": 9}),
    "decline_cut": (OFFERED,),
    "cut": (
        {**THIS, "depth": 20},
        {**OFFERED, "depth": 30},
        {**THIS, "depth": 0},
        {**OFFERED, "depth": 9},
        {**THIS, "depth": 53},
        {**THIS, "depth": HUGE},
    ),
    "move_cover": (THIS,),
    "spare_cover": ({**THIS, "spare": "rack"}, {**THIS, "spare": "four_from_bottom"}),
    "recut": ({**THIS, "reason": "badly cut"}, {**THIS, "reason": ""}),
    "load": (THIS, {**THIS, "hand": "left"}, {**THIS, "hand": "right"}),
    "remove_deck": ({**THIS, "reason": "too old"}, THIS),
    "deal": (
        PLAIN,
        {"cards": 1},
        {"cards": 7},
        {"cards": 20},
        {"cards": 0},
        {"cards": 50},
        {"cards": 1, "first_to": 3},
        {"first_to": 9},
        {"hand": "left"},
        {"cards": 2, "read": ["As", "Kd"]},
        {"cards": 1, "read": ["Xx"]},
    ),
    "count_stub": (PLAIN, {"left": 4}, {"left": 3}, {"left": 11}, {"left": -1}),
    "count_hands": tuple({"counts": counts} for counts in COUNTS),
    "collect_empty": (PLAIN,),
    "choose_pile": tuple({"pile": pile} for pile in (3, 7, 0, 8)),
    "distribute": (PLAIN,),
    # wagers
    "wager": (
        *({**HERE, "wagers": bets} for bets in BETS),
        *(
            {**HERE, "wagers": {"main": 1000, "fortune": 500}, "instrument": instrument}
            for instrument in INSTRUMENTS
        ),
        {**HERE, "wagers": {"main": 1000, "progressive": 100}, "off_sensor": True},
    ),
    "correct_wager": (
        *({**HERE, "wagers": bets, "reason": "typed wrongly"} for bets in BETS),
        {**HERE, "wagers": {"main": 1000}, "reason": ""},
    ),
    "bet_behind": tuple({**HERE, "wagers": bets} for bets in BETS),
    "no_more_bets": (PLAIN,),
    "place_lammers": (PLAIN, {"positions": [2, 3]}, {"positions": []}, {"positions": [9]}),
    "lock_progressive": (PLAIN,),
    "count_progressive": tuple({"chips": chips} for chips in (0, 1, 2, 3, -1, 7)),
    "rule_count": tuple(
        {"without": without, "reason": "no chip lies there"} for without in ([2], [3], [AT], [], [8], [2, 2])
    ),
    "coin_in": (PLAIN,),
    "remove_progressive": tuple({"chips": chips} for chips in (0, 1, 2, 3, -1, 7)),
    # the bank
    "offer_bank": (HERE, {"position": 0}),
    "accept_bank": (HERE,),
    "decline_bank": (HERE,),
    "put_up": tuple({**HERE, "stake": stake} for stake in (20_000, 1, 0, -100, 10**12)),
    "collect_fees": (PLAIN,),
    # the starting position
    "place_dice": (PLAIN,),
    "shake": tuple({"times": times} for times in (3, 1, 2, 0, 5)),
    "uncover": (PLAIN, {"flat": False}, {"out": 1}, *({"dice": dice} for dice in DICE)),
    "announce_total": (PLAIN, *({"total": total} for total in (8, 9, 3, 18, 2, 19))),
    "draw_number": (PLAIN, *({"number": number} for number in (3, 0, 8))),
    "read_button": (PLAIN,),
    "cover_shaker": (PLAIN, {"at_right": True, "times": 1}, {"at_right": True}, {"times": 1}),
    "shake_cup": (PLAIN, *({"dice": dice} for dice in DICE)),
    "shake_dice": (PLAIN, *({"dice": dice} for dice in DICE)),
    "press_start": (PLAIN, *({"number": number} for number in (3, 0, 8))),
    # the players
    "look": (HERE,),
    "ask_help": (HERE,),
    "set": (
        {**HERE, "setting": SETTING},
        HERE,
        {**HERE, "setting": [["As"], ["As"]]},
        {**HERE, "setting": []},
    ),
    "show_player_way": (HERE,),
    "exit_display": (PLAIN,),
    "offer_double": (PLAIN,),
    "double_down": (HERE, *({**HERE, "amount": amount} for amount in (1000, 1, -500, 10**12))),
    "surrender": (HERE,),
    # the dealer
    "turn_over": (PLAIN,),
    "set_dealer": (PLAIN, {"setting": SETTING}, {"setting": [["As"], ["As"]]}),
    "reset_dealer": (PLAIN,),
    "reset_bank": ({"position": AT, "setting": SETTING}, {"setting": SETTING}, {"setting": []}),
    "enter_hand": ({**HERE, "setting": SETTING}, {**HERE, "setting": [["As", "As"]]}, HERE),
    "correct_entry": ({**HERE, "setting": SETTING, "reason": "mis-keyed"}, {**HERE, "setting": SETTING}),
    "confirm_entry": (HERE,),
    "reopen_entry": ({**HERE, "reason": "misread"}, {**HERE, "reason": ""}),
    # opened, settled, racked
    "count_surrendered": tuple({**HERE, "cards": cards} for cards in (7, 6, 0, 8)),
    "reveal": (HERE, {**HERE, "parts": ["high"]}, {**HERE, "parts": ["low"]}, {**HERE, "parts": ["middle"]}),
    "rearrange": (HERE,),
    "settle": (
        HERE,
        *({**HERE, "wager": wager} for wager in ("main", "fortune", "progressive", "bonus", "banana")),
        *({**HERE, "wager": "progressive", "source": source} for source in ("meter", "inventory", "cage")),
        {**HERE, "source": "hand pay"},
    ),
    "pay_envy": tuple({"wager": wager} for wager in ("fortune", "progressive", "main")),
    "rack": (HERE,),
    "clear_lammers": (PLAIN,),
    "close_round": (PLAIN,),
    # what goes wrong
    "expose_card": (HERE, {"position": 1}, {"position": 9}),
    "choose_hand": tuple({**HERE, "choice": choice} for choice in ("void", "play", "sell")),
    "boxed_card": (PLAIN,),
    "draw_early": (PLAIN,),
    "shoe_fault": (PLAIN,),
    "void_round": (PLAIN, {"irregularity": "wrong_start"}, {"ruling": "because"}),
    "end_round": (PLAIN,),
    "stop_round": ({"reason": "a quarrel"}, {"reason": "  "}),
    "rule_round": (
        *(
            {"ruling": ruling, "reason": "as seen"}
            for ruling in ("play on", "void", "foul loses", "deal again")
        ),
        {"ruling": "void", "reason": ""},
    ),
    # progressive wins
    "verify_win": tuple({**HERE, "hand": hand} for hand in ("five_aces", "straight_flush", "banana")),
    "verify_light": ({**HERE, "lit": True}, {**HERE, "lit": False}),
    "validate_win": (HERE,),
    "document_win": ({**HERE, "reference": "HP-1"}, {**HERE, "reference": ""}),
    "review_royal": (HERE,),
    "press_hand": tuple(
        {**HERE, "hand": hand}
        for hand in ("five_aces", "straight_flush", "seven_card_straight_flush", "full_house", "banana")
    ),
    "acknowledge_claim": (HERE,),
    "verify_jackpot": (HERE,),
    "turn_key": ({"to": "JPH"}, {"to": "RUN"}, {"to": "OFF"}),
    "press_jpot": (HERE,),
    "pay_jackpot": ({**HERE, "reference": "HP-1"}, {**HERE, "reference": ""}),
    "print_win": (HERE,),
    "game_over": (PLAIN,),
    "adjust_meter": (
        {"amount": 100, "reason": "a drop was missed", "second": "Sue"},
        {"amount": -50_000, "reason": "misread", "second": "Max"},
        {"amount": 100_000, "reason": "misread", "second": "Max", "win": AT},
        {"amount": -(10**12), "reason": "misread", "second": "Max"},
        {"amount": 100, "reason": "", "second": ""},
    ),
}
"""Every step there is, each in several ways."""
UNHEARD_OF = ("deal_twice", "", "say_hello")
"""Steps that no table knows."""
