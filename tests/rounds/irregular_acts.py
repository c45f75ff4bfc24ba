"""How each irregularity is tried: a table brought into the phase, the report made, its consequence seen."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from dataclasses import dataclass
from functools import cache
from typing import Any

from houseway.law.problems import RefusedError
from houseway.ranking import Setting, all_settings
from houseway.rng import SeededEntropy
from houseway.rounds.chance import Vault
from houseway.rounds.dealing import SEATS
from houseway.rounds.houseway import house_setting
from houseway.rounds.state import Phase, Place
from houseway.rounds.step import AnEvent
from houseway.settlement import Status
from tests.games.support import Changes
from tests.rounds.irregularity_table import IMPOSSIBLE, Cell
from tests.rounds.said import got
from tests.rounds.support import DEALER, FLOOR, GENERATOR, SHOE, SHUFFLER, Floor, player
from tests.rounds.ways import order_of

HERE, EMPTY = 3, 6
"""A position with a wager, and one without."""


@dataclass(frozen=True)
class Outcome:
    """What a table made of an irregularity, and by which clauses."""

    consequence: str
    clauses: frozenset[str]


# --- getting there -------------------------------------------------------------------------------


def changes_for(way: str, *, dice: bool, two_decks: bool) -> Changes:
    """Return a table that deals one way, finds its start by dice or by a number, and has one deck or two."""
    by_hand_shuffled = way == "manual_shoe" and not two_decks
    return {
        "table.dealing": way,
        "table.shuffler": "manual" if by_hand_shuffled else "automated",
        "table.start_methods": ["shaker" if dice else "rng"],
        **({"table.decks": 2} if two_decks else {}),
    }


HELD_BACK = {
    "die_not_flat": "uncover",
    "die_out": "uncover",
    "progressive_chips_mismatch": "count_progressive",
}
"""What must still be to do, before the deal, for the irregularity to happen."""


@cache
def brought_to(phase: str, game: str, way: str, *, dice: bool, two_decks: bool, without: str) -> Floor:
    """Bring a table into a phase; what is held back, before the deal, is still to do."""
    floor = Floor(game, changes_for(way, dice=dice, two_decks=two_decks))
    if phase == "closed":
        return floor
    if phase == "opening":
        return floor.play_on(without=["open_table"])
    if phase == "idle":
        floor.opened().do("idle_spread")
        return floor
    wagers = {"main": "$10"} if game == "pa-575" else {"main": "$10", "progressive": "$1"}
    floor.betting(2, HERE, **wagers).play_on(without=["no_more_bets"])
    if phase == "betting":
        return floor
    floor.play_on(Phase.STARTING).play_on(without=["deal", without])
    if phase == "starting":
        return floor
    whole = SEATS * floor.table.rules.game.hand_cards
    if phase == "mid-deal":
        floor.do("deal", cards=whole - 1)
    elif phase == "all dealt":
        floor.do("deal")
    else:
        floor.play_on(Phase(phase))
    return floor


def floor_in(irregularity: str, phase: str, game: str, way: str) -> Floor:
    """Return a floor of its own, its table brought into a phase, all ready for the irregularity to happen."""
    return branched(
        brought_to(
            phase,
            game,
            way,
            dice=irregularity.startswith("die"),
            two_decks=irregularity == "shuffler_fault",
            without=HELD_BACK.get(irregularity, "") if phase == "starting" else "",
        )
    )


def branched(floor: Floor) -> Floor:
    """Return a floor of its own on which all is now as on another."""
    found, live, entropy = copy(floor), copy(floor.live), SeededEntropy("irregular")
    live.entropy, live.vault = entropy, Vault(entropy, floor.live.vault.sealed)
    live.meters, live.turns = dict(floor.live.meters), list(floor.live.turns)
    found.live, found.log = live, []
    return found


# --- trying it -----------------------------------------------------------------------------------


def counts(floor: Floor, **wrong: int) -> dict[int, int]:
    """Return a count of every hand, all right but those named."""
    return dict.fromkeys(range(1, SEATS + 1), floor.table.rules.game.hand_cards) | {
        int(at.removeprefix("at")): number for at, number in wrong.items()
    }


def wrong_setting(floor: Floor) -> Setting:
    """Return the dealer's cards, set as the house way does not; a setting of nothing if there are none."""
    this_round, rules = floor.table.round, floor.table.rules
    if not this_round.dealer_cards:
        return ((), ())
    right = {frozenset(part) for part in house_setting(rules, this_round.dealer_cards)}
    every = all_settings(this_round.dealer_cards, rules.game.split)
    return next(setting for setting in every if {frozenset(part) for part in setting} != right)


def expose(at: int) -> Callable[[Floor], Outcome]:
    def act(floor: Floor) -> Outcome:
        event = floor.do("expose_card", DEALER, at)[-1]
        if event.step == "void_round":
            return void(floor, event)
        if not got(event, "choice"):
            return racked_unseen(floor)
        return chosen(floor)

    return act


def chosen(floor: Floor) -> Outcome:
    """See what the player may choose: void, every wager back and the others playing on, or only to play."""
    phase, plays = floor.table.phase, branched(floor)
    try:
        events = floor.do("choose_hand", player(HERE), HERE, choice="void")
    except RefusedError as error:
        assert floor.do("choose_hand", player(HERE), HERE, choice="play")
        return Outcome("play on", frozenset(error.clauses))
    hand = floor.table.round.hands[HERE]
    assert hand.status is Status.VOID and floor.table.phase is phase
    back = sum(p.units for p in events[0].outcome.payments if str(p.to) == f"player:{hand.person}")
    assert back == 10_000 * sum(hand.wagers.values())
    assert plays.do("choose_hand", player(HERE), HERE, choice="play")
    return Outcome("void or play", frozenset(events[0].clauses))


def racked_unseen(floor: Floor) -> Outcome:
    """See that the round goes on, and that the empty position's cards are racked with the rest."""
    floor.play_on(Phase.SETTING)
    event = floor.last("collect_empty")
    assert [racked for racked in floor.table.rack if racked.position == EMPTY and not racked.cards]
    return Outcome("play on", frozenset(event.clauses))


def face_up(times: int) -> Callable[[Floor], Outcome]:
    def act(floor: Floor) -> Outcome:
        top = order_of(floor)[floor.table.round.dealt : floor.table.round.dealt + 1]
        event = floor.do("boxed_card")[-1]
        if times > 1 and event.step != "void_round":
            event = floor.do("boxed_card")[-1]
        if event.step == "void_round":
            return void(floor, event)
        floor.play_on(Phase.SETTING)
        assert [racked.cards for racked in floor.table.rack if racked.what == "found face up"] == [top]
        assert floor.table.round.stub == floor.table.rules.game.stub - 1
        return Outcome("set aside, play on", frozenset(event.clauses))

    return act


def draw_early(floor: Floor) -> Outcome:
    this_round, order = floor.table.round, order_of(floor)
    event = floor.do("draw_early")[0]
    assert order_of(floor) == order
    assert (floor.table.round.dealt, floor.table.round.drawn) == (this_round.dealt, this_round.drawn)
    return Outcome("next card", frozenset(event.clauses))


def shoe_fault(floor: Floor) -> Outcome:
    return void(floor, floor.do("shoe_fault", SHOE)[-1])


def shuffler_fault(floor: Floor) -> Outcome:
    decks = [name for name, deck in floor.table.decks.items() if deck.place is Place.SHUFFLER]
    phase, name = floor.table.phase, next(iter(decks), "A")
    event = floor.do("shuffler_fault", SHUFFLER, deck=name)[0]
    assert floor.table.phase is phase and not floor.table.decks[name].has("shuffled")
    return Outcome("reshuffle", frozenset(event.clauses))


def count_hands(floor: Floor) -> Outcome:
    size = floor.table.rules.game.hand_cards
    return void(floor, floor.do("count_hands", counts=counts(floor, at2=size - 1, at6=size + 1))[-1])


def count_stub(floor: Floor) -> Outcome:
    assert floor.do("count_stub", left=floor.table.rules.game.stub - 1)[-1].step == "count_stub"
    floor.refused("collect_empty")
    return void(floor, floor.do("count_hands", counts=counts(floor))[-1])


def uncover(**spoiled: Any) -> Callable[[Floor], Outcome]:
    def act(floor: Floor) -> Outcome:
        event = floor.do("uncover", **spoiled)[0]
        assert got(event, "no_roll") and not floor.table.round.dice and not floor.table.round.shakes
        return Outcome("no roll", frozenset(event.clauses))

    return act


def wrong_start(floor: Floor) -> Outcome:
    due = floor.table.round.due or 1
    return void(floor, floor.do("deal", cards=1, first_to=due % SEATS + 1)[-1])


def dealer_set(floor: Floor) -> Outcome:
    event = floor.do("set_dealer", setting=wrong_setting(floor))[0]
    assert not got(event, "right")
    floor.play_on(without=["reset_dealer", "close_round"])
    floor.refused("close_round")
    event = floor.do("reset_dealer")[0]
    floor.play_on(rounds=1)
    assert floor.table.last is not None and floor.table.last.void is None
    return Outcome("reset", frozenset(event.clauses))


def leave(floor: Floor) -> Outcome:
    event = floor.do("leave", player(HERE), HERE)[0]
    if not got(event, "during_round"):
        raise RefusedError("leave", floor.problems("rule_abandoned", FLOOR, HERE, lost=True, reason="gone"))
    assert floor.table.round.hands[HERE].status is Status.PLAYED
    gone = branched(floor)
    kept = floor.do("rule_abandoned", FLOOR, HERE, lost=False, reason="comes back")[0]
    assert floor.table.round.hands[HERE].status is Status.PLAYED
    gone.do("rule_abandoned", FLOOR, HERE, lost=True, reason="gone for good")
    assert gone.table.round.hands[HERE].status is Status.ABANDONED
    return Outcome("floor rules", frozenset(kept.clauses))


def miscount(floor: Floor) -> Outcome:
    placed = sum(1 for hand in floor.table.round.hands.values() if hand.amount("progressive"))
    if floor.problems("count_progressive", chips=placed):
        floor.do("count_progressive", chips=placed - 1)
    clauses = floor.refused("count_progressive", chips=placed - 1)
    floor.refused("draw_number", GENERATOR)
    floor.refused("deal")
    return Outcome("stopped", frozenset(clauses))


def void(floor: Floor, event: AnEvent) -> Outcome:
    """See that all is done that a void round asks for: wagers back, the house and the meter as before."""
    last = floor.table.last
    assert event.step == "void_round" and last is not None and last.void is not None
    gained: dict[str, int] = {}
    for payment in last.payments:
        gained[str(payment.to)] = gained.get(str(payment.to), 0) + payment.units
        gained[str(payment.source)] = gained.get(str(payment.source), 0) - payment.units
    for hand in last.hands.values():
        gained[f"player:{hand.person}"] -= 10_000 * sum(hand.wagers.values())
    assert not any(amount for account, amount in gained.items() if not account.startswith("pending"))
    assert (floor.table.meter and floor.table.meter.state) == last.meter_before
    assert floor.table.phase is Phase.BETTING
    deck = floor.table.decks[last.deck or ""]
    assert not deck.has("shuffled")
    consequence = "void round, deck removed" if deck.has("removed") else "void round"
    return Outcome(consequence, frozenset(event.clauses))


ACTS: dict[str, Callable[[Floor], Outcome]] = {
    "player_card_exposed": expose(HERE),
    "dealer_card_exposed": expose(1),
    "empty_position_card_exposed": expose(EMPTY),
    "one_card_face_up": face_up(1),
    "two_cards_face_up": face_up(2),
    "card_drawn_early": draw_early,
    "shoe_fault": shoe_fault,
    "shuffler_fault": shuffler_fault,
    "wrong_number_of_cards": count_hands,
    "wrong_remainder": count_stub,
    "die_not_flat": uncover(flat=False),
    "die_out": uncover(out=1),
    "wrong_first_position": wrong_start,
    "dealer_set_wrongly": dealer_set,
    "player_leaves": leave,
    "progressive_chips_mismatch": miscount,
}


def tried(cell: Cell) -> Outcome:
    """Try an irregularity; what is refused, with a reason, cannot happen."""
    floor = floor_in(*cell.place)
    try:
        return ACTS[cell.irregularity](floor)
    except RefusedError as error:
        assert error.problems and all(problem.reason for problem in error.problems)
        return Outcome(IMPOSSIBLE, frozenset(error.clauses))
