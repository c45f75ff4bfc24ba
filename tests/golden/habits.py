"""How people behave at a table: how often otherwise than due, what they do seldom, what goes wrong when."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from houseway.rounds.state import Phase

MANNERS: Sequence[tuple[float, float]] = ((0.05, 0.6), (0.2, 0.5), (0.4, 0.4), (0.3, 0.8))
"""How people play: how often something else than what is due, and how often that is something in vain."""
SELDOM = frozenset(
    {
        "adopt_rules",
        "change_dealing",
        "close_table",
        "direct_shuffle",
        "idle_spread",
        "leave",
        "log_off",
        "receive_deck",
        "record_notice",
        "recut",
        "remove_deck",
        "shoe_fault",
        "shuffler_fault",
        "stop_round",
    }
)
"""What is open nearly always, and would leave no round whole if it were done as often as the rest."""
LIKELY: Mapping[Phase, Sequence[str]] = {
    Phase.CLOSED: ("receive_deck", "log_on", "store_proof", "sit", "set_shuffler"),
    Phase.OPENING: (
        "inspect_deck",
        "spread_deck",
        "shuffle",
        "cut",
        "recut",
        "open_table",
        "tear_joker",
        "log_off",
    ),
    Phase.IDLE: ("swap_decks", "swap_decks", "receive_deck", "resume", "sit"),
    Phase.BETTING: (
        "wager",
        "correct_wager",
        "bet_behind",
        "decline_cut",
        "cut",
        "recut",
        "coin_in",
        "remove_progressive",
        "rule_count",
        "change_dealing",
        "adopt_rules",
        "idle_spread",
        "shuffler_fault",
        "log_off",
        "turn_key",
    ),
    Phase.STARTING: (
        "count_progressive",
        "rule_count",
        "uncover",
        "shake",
        "announce_total",
        "cover_shaker",
        "draw_early",
        "boxed_card",
        "deal",
        "place_lammers",
        "recut",
        "direct_shuffle",
    ),
    Phase.DEALING: (
        "deal",
        "deal",
        "boxed_card",
        "draw_early",
        "expose_card",
        "shoe_fault",
        "count_stub",
        "count_hands",
        "choose_hand",
        "choose_pile",
    ),
    Phase.SETTING: (
        "set",
        "ask_help",
        "show_player_way",
        "exit_display",
        "expose_card",
        "choose_hand",
        "double_down",
        "leave",
        "count_hands",
        "rule_abandoned",
    ),
    Phase.DEALER: ("set_dealer", "set_dealer", "surrender", "enter_hand", "correct_entry", "reset_dealer"),
    Phase.SETTLING: (
        "reveal",
        "settle",
        "surrender",
        "count_surrendered",
        "enter_hand",
        "correct_entry",
        "reopen_entry",
        "reset_dealer",
        "reset_bank",
        "press_hand",
        "acknowledge_claim",
        "verify_jackpot",
        "press_jpot",
        "pay_jackpot",
        "print_win",
        "verify_win",
        "document_win",
        "adjust_meter",
    ),
}
"""What goes otherwise than it is due in a phase, or wrong."""
ODD_HANDED = (Phase.STARTING, Phase.DEALING, Phase.SETTING, Phase.DEALER)
"""The phases in which few things are done: what goes wrong in them must be likely to."""
