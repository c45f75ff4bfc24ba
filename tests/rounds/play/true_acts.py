"""Every step as somebody at the table could take it and say nothing but what is so.

Cards are what they are, counts are right, a light is lit or it is not. Where the truth leaves a choice, as
the floor's ruling does, each choice is an act of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import date
from typing import Any

from houseway.errors import HousewayError
from houseway.money import Cents
from houseway.ranking import Setting
from houseway.rounds.dealing import SEATS
from houseway.rounds.deciding import suggestions
from houseway.rounds.houseway import house_setting
from houseway.rounds.roles import Role
from houseway.rounds.step import Actor, Proposal
from houseway.rounds.steps import STEPS
from houseway.rounds.steps.hand import with_setting
from houseway.rounds.steps.stacks import dealt_so_far
from tests.rounds.commands import as_action
from tests.rounds.law_tables.who_when import taken_by
from tests.rounds.play.moves import dealer
from tests.rounds.table import FLOOR, GENERATOR, KEYPAD, SENSOR, SHOE, SHUFFLER, Snapshot

Details = Mapping[str, Any]
NEWCOMER = Actor("Nora", Role.PLAYER)
BEHIND = Actor("Zoe", Role.PLAYER)
RELIEF = Actor("Drew", Role.DEALER)
DEVICES = {
    "shuffler": SHUFFLER,
    "shoe": SHOE,
    "generator": GENERATOR,
    "keypad": KEYPAD,
    "sensor": SENSOR,
}
TEN, TWENTY_FIVE, BANK = Cents(1_000), Cents(2_500), Cents(20_000)
DAY = date(2026, 1, 4)
BY_BANKER = ("put_up", "shake_dice", "choose_pile", "reset_bank")


# --- what is so ---------------------------------------------------------------------------------------


def chips_wagered(table: Snapshot) -> int:
    """Return how many progressive wagers lie on the table."""
    return sum(1 for hand in table.round.active() if hand.amount("progressive"))


def cards_left(table: Snapshot) -> int:
    """Return how many cards are left when those dealt and those set aside are gone."""
    there: int = len(table.rules.game.cards()) - table.round.boxed - table.round.dealt
    return there


def cards_at(table: Snapshot) -> dict[int, int]:
    """Return how many cards lie at each position that a count goes over."""
    return dict(dealt_so_far(table.rules, table.state)) or dict.fromkeys(range(1, SEATS + 1), 0)


def set_by_the_house(table: Snapshot, cards: tuple[Any, ...]) -> Setting:
    """Return how the house would set cards; nothing if there are none."""
    return house_setting(table.rules, cards) if cards else ()


def unseen_hand(table: Snapshot, at: int) -> Setting:
    """Return a hand of cards that nobody else holds, set by the house: what may lie there of real cards."""
    this_round, game = table.round, table.rules.game
    typed = [
        card for where, parts in this_round.typed.items() if where != at for part in parts for card in part
    ]
    known = {*this_round.dealer_cards, *typed}
    known |= {card for hand in this_round.hands.values() for card in hand.cards}
    left = [card for card in game.cards().cards if card not in known]
    return set_by_the_house(table, tuple(left[: game.hand_cards]))


def progressive_line(table: Snapshot, at: int) -> str:
    """Return the line of the progressive that a hand makes."""
    hand = table.round.hands.get(at)
    return (hand.made.get("progressive") if hand else None) or "five_aces"


def refiled(table: Snapshot) -> Any:
    """Return the submission of a table, filed again under another reference."""
    old = table.rules.submission
    return old.model_copy(update={"reference": f"{old.reference}x"[:40]})


def open_wins(table: Snapshot, at: int) -> list[Any]:
    """Return the wins recorded at a position in this round and the last."""
    rounds = [this_round for this_round in (table.round, table.last) if this_round]
    return [win for this_round in rounds for win in this_round.wins if win.position == at]


# --- what is filled in --------------------------------------------------------------------------------


def _hand_cards(table: Snapshot, at: int) -> tuple[Any, ...]:
    hand = table.round.hands.get(at)
    return hand.cards if hand else ()


def _adjustments(table: Snapshot, at: int) -> Iterator[Details]:
    yield {"amount": Cents(100), "reason": "a drop was missed", "second": "Max"}
    for win in open_wins(table, at):
        yield {"amount": win.amount, "reason": "misread", "second": "Max", "win": at}


def _wagers(table: Snapshot, at: int) -> Iterator[Mapping[str, Cents]]:
    """Yield the main wager alone, and another one beside whatever lies there."""
    hand = table.round.hands.get(at)
    yield {"main": TEN}
    yield {**(hand.wagers if hand else {}), "main": TWENTY_FIVE}


Filled = Callable[[Snapshot, int], Iterable[Details]]
WHY: Details = {"reason": "as seen"}
FILLED: Mapping[str, Filled] = {
    "receive_deck": lambda _, __: [{"deck": "N"}, {"deck": "N", "jokers": 2}],
    "tear_joker": lambda _, __: [{"container": "the box it came in"}],
    "set_shuffler": lambda _, __: [{"game": "Fortune Asia Poker"}],
    "adopt_rules": lambda t, _: [{"submission": refiled(t)}],
    "change_dealing": lambda _, __: [{"dealing": w} for w in ("manual_shoe", "hand", "automated_shoe")],
    "record_notice": lambda _, __: [{"status": "under_review", "source": "letter 7", "dated": DAY}],
    "store_proof": lambda _, __: [
        {"signer": "S. Lee", "dated": DAY, "width": "72", "height": "40", "verdict": "ok"}
    ],
    "log_on": lambda _, __: [{"training": "on file"}],
    "relieve": lambda _, __: [{"training": "on file"}, {"training": "on file", "shaker": True}],
    "log_off": lambda _, __: [{}, {"shaker": "locked away"}],
    "close_table": lambda _, __: [{}, {"shaker": True}],
    "rule_abandoned": lambda _, __: [{"lost": False} | {**WHY}, {"lost": True} | {**WHY}],
    "sign_out_of_order": lambda _, __: [{"device": device, "how": "sign"} for device in ("shuffler", "shoe")],
    "repair": lambda _, __: [{"device": device} for device in ("shuffler", "shoe")],
    "swap_decks": lambda _, __: [{"secure": True}, {"spread": True}],
    "shuffle": lambda t, _: [
        {"method": method, "device": device, "into": into, **cards}
        for method, device in (("manual", ""), ("automated", "shuffler"))
        for into in ("stack", "shoe")
        for cards in ({}, {"cards": len(t.rules.game.cards())})
    ],
    "cut": lambda _, __: [{"depth": 20}],
    "spare_cover": lambda _, __: [{"spare": "rack"}],
    "recut": lambda _, __: [WHY],
    "load": lambda _, __: [{}, {"hand": "left"}],
    "remove_deck": lambda _, __: [WHY],
    "wager": lambda t, at: [{"wagers": wagers} for wagers in _wagers(t, at)],
    "correct_wager": lambda t, at: [{"wagers": wagers} | {**WHY} for wagers in _wagers(t, at)],
    "bet_behind": lambda _, __: [{"wagers": {"main": TEN}}],
    "put_up": lambda _, __: [{"stake": BANK}],
    "count_progressive": lambda t, _: [{"chips": chips_wagered(t)}],
    "remove_progressive": lambda t, _: [{"chips": chips_wagered(t)}],
    "rule_count": lambda _, at: [{"without": (at,)} | {**WHY}],
    "shake": lambda _, __: [{"times": 3}],
    "announce_total": lambda t, _: [{"total": sum(t.round.dice)}, {}],
    "cover_shaker": lambda _, __: [{"at_right": True, "times": 1}],
    "deal": lambda _, __: [{}, {"hand": "left"}],
    "count_stub": lambda t, _: [{}, {"left": cards_left(t)}],
    "count_hands": lambda t, _: [{"counts": cards_at(t)}],
    "choose_pile": lambda _, __: [{"pile": 1}],
    "set": lambda t, at: [{"setting": set_by_the_house(t, _hand_cards(t, at))}, {}],
    "set_dealer": lambda t, _: [{"setting": set_by_the_house(t, t.round.dealer_cards)}, {}],
    "reset_bank": lambda t, _: [{"setting": set_by_the_house(t, t.round.dealer_cards)}],
    "count_surrendered": lambda t, _: [{"cards": t.rules.game.hand_cards}],
    "verify_win": lambda t, at: [{"hand": progressive_line(t, at)}],
    "verify_light": lambda _, __: [{"lit": True}],
    "settle": lambda t, _: [
        {},
        *({"wager": wager.id} for wager in t.rules.game.wager if t.rules.offers(wager.id)),
    ],
    "rule_light": lambda _, __: [{"placed": True} | {**WHY}, {"placed": False} | {**WHY}],
    "document_win": lambda _, __: [{"reference": "W-7"}],
    "press_hand": lambda t, at: [{"hand": progressive_line(t, at)}],
    "turn_key": lambda _, __: [{"to": "JPH"}, {"to": "RUN"}],
    "pay_jackpot": lambda _, __: [{"reference": "HP-7"}],
    "adjust_meter": _adjustments,
    "pay_envy": lambda t, _: [{"wager": w.id} for w in t.rules.game.wager if t.rules.offers(w.id)],
    "enter_hand": lambda t, at: [{"setting": unseen_hand(t, at)}],
    "correct_entry": lambda t, at: [{"setting": unseen_hand(t, at)} | {**WHY}],
    "reopen_entry": lambda _, __: [WHY],
    "choose_hand": lambda _, __: [{"choice": "play"}, {"choice": "void"}],
    "stop_round": lambda _, __: [WHY],
    "rule_round": lambda _, __: [
        {"ruling": ruling} | {**WHY} for ruling in ("play on", "void", "foul loses")
    ],
}
"""What is filled in besides a position and a deck, by step; nothing where a step is not named."""


def _nothing(_: Snapshot, __: int) -> Iterable[Details]:
    return [{}]


# --- who acts -----------------------------------------------------------------------------------------


def actors(table: Snapshot, step: str, at: int) -> Iterator[Actor]:
    """Yield those who may take a step by the law, as they sit and stand at this table."""
    if step == "relieve":
        yield RELIEF
        return
    for role in sorted(taken_by(table.rules.game.id, step)):
        if role == "player":
            yield from _players(table, step, at)
        elif role == "dealer":
            yield dealer(table)
        elif role == "floorperson":
            yield FLOOR
        elif role in DEVICES:
            yield DEVICES[role]


def _players(table: Snapshot, step: str, at: int) -> Iterator[Actor]:
    if step == "sit":
        yield NEWCOMER
    elif step == "bet_behind":
        yield BEHIND
    else:
        where = table.banking.seat if step in BY_BANKER else at
        seat = table.seats.get(where or 0)
        if seat is not None:
            yield Actor(seat.person, Role.PLAYER)


# --- the acts -----------------------------------------------------------------------------------------


def true_acts(table: Snapshot, step: str, at: int, deck: str) -> Iterator[Proposal]:
    """Yield a step as it could be taken truly, of one position and one deck."""
    taken = STEPS[step].action.__struct_fields__
    place: dict[str, Any] = {"deck": deck} if "deck" in taken and step != "receive_deck" else {}
    where = (table.banking.seat or at) if step in BY_BANKER else at
    positions: list[int | None] = [where] if "position" in taken else [None]
    if step == "cut":
        positions.append(None)
    for by in actors(table, step, at):
        for details in FILLED.get(step, _nothing)(table, at):
            for position in positions:
                yield Proposal(by, as_action(step, position, {**place, **details}, table.rules))
    yield from _suggested(table, step, at, deck)


def _suggested(table: Snapshot, step: str, at: int, deck: str) -> Iterator[Proposal]:
    """Yield what the table itself suggests of a step, of this position and this deck."""
    if table.phase not in STEPS[step].phases:
        return
    for proposal in suggestions(table.rules, table.state, {step}):
        about = getattr(proposal.action, "deck", deck)
        if proposal.position in (None, at, table.banking.seat) and about == deck:
            try:
                yield with_setting(table.rules, table.state, proposal)
            except HousewayError:
                yield proposal
