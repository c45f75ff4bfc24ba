"""What people do at a table besides what is due: at any lawful amount, in any order, rightly or wrongly."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from houseway.cards import Card
from houseway.money import Cents
from houseway.ranking import Setting, legal_settings
from houseway.rounds.dealing import expected_stub
from houseway.rounds.houseway import house_setting
from houseway.rounds.roles import Role
from houseway.rounds.state import IN_ROUND, WITH_CARDS, Hand, Phase
from houseway.rounds.step import Actor
from houseway.rounds.steps.dealers import shaker_in_use
from houseway.rounds.steps.stacks import dealt_so_far, whole_deal
from houseway.rounds.steps.turns import due, turn
from houseway.settlement import Status
from tests.rounds.commands import NamedStep
from tests.rounds.play.chance import Chance, mixed, pick, rarely
from tests.rounds.table import FLOOR, SHOE, SHUFFLER, Snapshot


def dealer(table: Snapshot) -> Actor:
    return Actor(table.dealer or "Dora", Role.DEALER)


def person(table: Snapshot, at: int) -> Actor:
    return Actor(table.seats[at].person, Role.PLAYER)


def some_wagers(table: Snapshot, chance: Chance) -> dict[str, Cents]:
    """Return lawful wagers of any lawful amounts."""
    wagers: dict[str, Cents] = {}
    meter = table.rules.submission.progressive
    for terms in table.rules.game.wager:
        if not table.rules.offers(terms.id) or terms.when != "before_no_more_bets":
            continue
        if terms.id != "main" and chance.below(2):
            continue
        choice = table.rules.submission.wagers[terms.id]
        low, high = choice.min or Cents(100), choice.max or Cents(10_000)
        amount = (low, high, Cents(500), Cents(low + chance.below(high - low + 1)))[chance.below(4)]
        wagers[terms.id] = (meter.amount if meter and terms.id == "progressive" else None) or amount
    return wagers


# --- lawful extras --------------------------------------------------------------------------------


Move = Callable[[Snapshot, Chance], "NamedStep | None"]


class Happening(NamedTuple):
    """Something that may happen in some phases, in the games that have a step."""

    phases: tuple[Phase, ...]
    step: str
    move: Move


_moves: dict[str, Happening] = {}
ANY = tuple(Phase)
BETWEEN = (Phase.OPENING, Phase.BETTING)


def move(*phases: Phase, step: str) -> Callable[[Move], Move]:
    """Name something that may happen in these phases, where the game has the step."""

    def keep(function: Move) -> Move:
        _moves[function.__name__] = Happening(phases or ANY, step, function)
        return function

    return keep


def moves(table: Snapshot) -> list[str]:
    """Return the names of what may happen now."""
    known = table.rules.game.procedure
    return [name for name, now in _moves.items() if table.phase in now.phases and now.step in known]


def make(name: str, table: Snapshot, chance: Chance) -> NamedStep | None:
    """Return the command of a move, if there is anything to command."""
    return _moves[name].move(table, chance)


@move(Phase.CLOSED, Phase.OPENING, Phase.BETTING, Phase.IDLE, Phase.SETTING, step="sit")
def sit(table: Snapshot, chance: Chance) -> NamedStep | None:
    free = [at for at in range(2, 8) if at not in table.seats]
    if not free:
        return None
    at = pick(chance, free)
    beside = table.seats.get(at - 1)
    alone = beside and sum(1 for seat in table.seats.values() if seat.person == beside.person) == 1
    if alone and beside and table.rules.submission.table.adjacent_areas and chance.below(2):
        return NamedStep("sit", Actor(beside.person, Role.PLAYER), at)
    return NamedStep("sit", Actor(f"P{table.arrivals}", Role.PLAYER), at)


@move(step="leave")
def leave(table: Snapshot, chance: Chance) -> NamedStep | None:
    if not table.seats or chance.below(2):
        return None
    at = pick(chance, sorted(table.seats))
    return NamedStep("leave", person(table, at), at)


@move(*IN_ROUND, step="rule_abandoned")
def rule_abandoned(table: Snapshot, chance: Chance) -> NamedStep | None:
    left = [h for h in table.round.hands.values() if h.has("left") and not h.has("ruled")]
    if not left:
        return None
    lost = not chance.below(2)
    return NamedStep(
        "rule_abandoned", FLOOR, pick(chance, left).position, {"lost": lost, "reason": "did not come back"}
    )


@move(Phase.BETTING, step="wager")
def wager(table: Snapshot, chance: Chance) -> NamedStep | None:
    if not table.seats:
        return None
    at = pick(chance, sorted(table.seats))
    wagers = some_wagers(table, chance) if chance.below(6) else {}
    return NamedStep("wager", person(table, at), at, {"wagers": wagers})


@move(Phase.BETTING, step="correct_wager")
def correct_wager(table: Snapshot, chance: Chance) -> NamedStep | None:
    if not table.round.hands:
        return None
    at = pick(chance, sorted(table.round.hands))
    details = {"wagers": some_wagers(table, chance), "reason": "typed wrongly"}
    return NamedStep("correct_wager", dealer(table), at, details)


@move(Phase.OPENING, Phase.BETTING, Phase.IDLE, step="remove_deck")
def remove_deck(table: Snapshot, chance: Chance) -> NamedStep | None:
    there = [name for name, deck in table.decks.items() if not deck.has("removed")]
    return NamedStep("remove_deck", FLOOR, details={"deck": pick(chance, there)}) if there else None


@move(Phase.BETTING, Phase.IDLE, step="receive_deck")
def receive_deck(table: Snapshot, chance: Chance) -> NamedStep | None:
    details: dict[str, Any] = {"deck": f"D{len(table.decks)}"}
    how = chance.below(4)
    if how == 3:
        details |= {"preshuffled": "(u)", "reshuffled_by": pick(chance, ["manual", "automated"])}
    elif how == 2:
        details |= {"jokers": 2}
    return NamedStep("receive_deck", dealer(table), details=details)


@move(*BETWEEN, Phase.STARTING, step="direct_shuffle")
def direct_shuffle(_: Snapshot, __: Chance) -> NamedStep | None:
    return NamedStep("direct_shuffle", FLOOR)


@move(*BETWEEN, step="cut")
def shuffle_into_shoe(table: Snapshot, chance: Chance) -> NamedStep | None:
    if not table.decks:
        return None
    how = {"method": "automated", "device": "shuffler", "into": "shoe"}
    return NamedStep("shuffle", SHUFFLER, details={"deck": pick(chance, sorted(table.decks)), **how})


@move(*BETWEEN, Phase.STARTING, step="cut")
def cut(table: Snapshot, chance: Chance) -> NamedStep | None:
    for name, deck in table.decks.items():
        offered = deck.offered or 0
        by = person(table, offered) if offered in table.seats else dealer(table)
        if deck.has("squared") and not deck.has("cut"):
            return NamedStep("cut", by, deck.offered, {"deck": name, "depth": 5 + chance.below(48)})
        if deck.has("cut"):
            return NamedStep("recut", FLOOR, details={"deck": name, "reason": "badly cut"})
    return None


@move(*BETWEEN, step="decline_cut")
def decline_cut(table: Snapshot, _: Chance) -> NamedStep | None:
    for name, deck in table.decks.items():
        if deck.offered in table.seats:
            at = deck.offered or 0
            return NamedStep("decline_cut", person(table, at), at, {"deck": name})
    return None


@move(Phase.BETTING, step="idle_spread")
def idle_spread(table: Snapshot, chance: Chance) -> NamedStep | None:
    there = [seat.person for seat in table.seats.values()]
    details = {"face": "up", "asked_by": pick(chance, there)} if chance.below(2) and there else {}
    return NamedStep("idle_spread", dealer(table), details=details)


@move(Phase.IDLE, step="resume")
def resume(table: Snapshot, _: Chance) -> NamedStep | None:
    return NamedStep("resume", dealer(table))


@move(Phase.BETTING, Phase.OPENING, Phase.IDLE, step="close_table")
def close_table(_: Snapshot, chance: Chance) -> NamedStep | None:
    return NamedStep("close_table", FLOOR, details={"shaker": True}) if rarely(chance, 4) else None


@move(step="relieve")
def change_dealer(table: Snapshot, chance: Chance) -> NamedStep | None:
    how = chance.below(3)
    if table.dealer is None:
        return NamedStep("log_on", Actor("Dirk", Role.DEALER), details={"training": "on file"})
    if how:
        by = Actor(f"Dealer {chance.below(5)}", Role.DEALER)
        shaker = {"shaker": True} if shaker_in_use(table.rules) else {}
        return NamedStep("relieve", by, details={"training": "on file"} | shaker)
    return NamedStep("log_off", dealer(table), details={"shaker": "locked away"})


@move(step="shuffler_fault")
def device_fault(table: Snapshot, chance: Chance) -> NamedStep | None:
    if table.failed:
        device = "shoe" if "shoe" in table.failed else "shuffler"
        if device not in table.signed:
            return NamedStep("sign_out_of_order", dealer(table), details={"device": device, "how": "sign"})
        if device == "shoe" and chance.below(2):
            by_button = table.rules.submission.table.start_methods == ("button",)
            start = {"start": "rng"} if by_button else {}
            return NamedStep("change_dealing", FLOOR, details={"dealing": "manual_shoe", **start})
        return NamedStep("repair", FLOOR, details={"device": device})
    if chance.below(2) or not table.decks:
        return NamedStep("shoe_fault", SHOE)
    return NamedStep("shuffler_fault", SHUFFLER, details={"deck": pick(chance, list(table.decks))})


@move(Phase.BETTING, step="change_dealing")
def change_dealing(_: Snapshot, chance: Chance) -> NamedStep | None:
    way = pick(chance, ["manual_shoe", "hand", "automated_shoe"])
    return NamedStep("change_dealing", FLOOR, details={"dealing": way})


@move(Phase.BETTING, step="adopt_rules")
def adopt_rules(table: Snapshot, chance: Chance) -> NamedStep | None:
    old = table.rules.submission
    most = old.wagers["main"].max or Cents(50_000)
    main = old.wagers["main"].model_copy(update={"max": Cents(most - 100 * chance.below(3))})
    new = old.model_copy(
        update={"wagers": {**old.wagers, "main": main}, "reference": f"{old.reference}x"[:40]}
    )
    return NamedStep("adopt_rules", FLOOR, details={"submission": new})


@move(Phase.IDLE, step="swap_decks")
def swap_decks(table: Snapshot, chance: Chance) -> NamedStep | None:
    there = sorted(name for name, deck in table.decks.items() if not deck.has("removed"))
    if not there:
        return None
    stacked = [name for name in there if table.decks[name].has("stacked")]
    how = pick(chance, [{"secure": True}, {"spread": True}, {"secure": True, "asked": True}])
    return NamedStep("swap_decks", dealer(table), details={"deck": pick(chance, stacked or there), **how})


def parted(cards: Sequence[Card], sizes: Sequence[int]) -> Setting:
    """Part cards into hands of some sizes."""
    parts, taken = [], 0
    for size in sizes:
        parts.append(tuple(cards[taken : taken + size]))
        taken += size
    return tuple(parts)


def some_setting(table: Snapshot, hand: Hand, chance: Chance) -> Setting:
    """Return a setting of a hand: the house way, another legal one, any order at all, or wrong sizes."""
    split = table.rules.game.split
    how = chance.below(8)
    if how < 4:
        return house_setting(table.rules, hand.cards)
    if how == 4:
        return pick(chance, list(legal_settings(table.rules.ranking(), hand.cards)))
    order = mixed(chance, hand.cards)
    if how == 7 and table.rules.ranking().document.split.wrong == "foul":
        return parted(order, (3, 3, 1))
    return parted(order, split)


@move(*WITH_CARDS, step="expose_card")
def expose_card(table: Snapshot, chance: Chance) -> NamedStep | None:
    if chance.below(2):
        return None
    at = pick(chance, [*table.round.hands, 1 + chance.below(7)])
    return NamedStep("expose_card", dealer(table), at)


@move(*IN_ROUND, step="choose_hand")
def choose_hand(table: Snapshot, chance: Chance) -> NamedStep | None:
    choosing = [h for h in table.round.hands.values() if h.has("choosing")]
    if not choosing:
        return None
    hand = pick(chance, choosing)
    choice = pick(chance, ["void", "void", "play"])
    return NamedStep("choose_hand", Actor(hand.person, Role.PLAYER), hand.position, {"choice": choice})


@move(Phase.STARTING, step="count_progressive")
def miscount(table: Snapshot, chance: Chance) -> NamedStep | None:
    placed = [hand.position for hand in table.round.hands.values() if hand.amount("progressive")]
    if not placed:
        return None
    if chance.below(2):
        return NamedStep("count_progressive", dealer(table), details={"chips": len(placed) - 1})
    details = {"without": (pick(chance, placed),), "reason": "no chip lies there"}
    return NamedStep("rule_count", FLOOR, details=details)


@move(Phase.STARTING, step="uncover")
def spoiled_roll(table: Snapshot, chance: Chance) -> NamedStep | None:
    if not table.round.has("shaken"):
        return NamedStep("shake", dealer(table), details={"times": 1 + chance.below(4)})
    spoiled: list[dict[str, Any]] = [{"flat": False}, {"out": 1}, {"flat": False, "out": 2}]
    return NamedStep("uncover", dealer(table), details=pick(chance, spoiled))


@move(Phase.STARTING, step="announce_total")
def announce_wrongly(table: Snapshot, chance: Chance) -> NamedStep | None:
    return NamedStep("announce_total", dealer(table), details={"total": 3 + chance.below(16)})


@move(Phase.STARTING, Phase.DEALING, step="deal")
def deal_some(table: Snapshot, chance: Chance) -> NamedStep | None:
    left = whole_deal(table.rules) - table.round.dealt
    if left < 1:
        return None
    details = {"cards": 1 + chance.below(left)}
    if not table.round.dealt and rarely(chance, 6):
        details |= {"first_to": 1 + chance.below(7)}
    return NamedStep("deal", dealer(table), details=details)


@move(Phase.SETTLING, step="settle")
def settle_one(table: Snapshot, chance: Chance) -> NamedStep | None:
    """Settle the next open wager of the hand whose turn it is, and leave the others for later."""
    hand = turn(table.rules, table.state)
    left = due(table.rules, hand) if hand else []
    if hand is None or not left:
        return None
    return NamedStep("settle", dealer(table), hand.position, {"wager": left[0]})


@move(Phase.STARTING, Phase.DEALING, step="boxed_card")
def face_up_or_early(table: Snapshot, chance: Chance) -> NamedStep | None:
    return NamedStep(pick(chance, ["boxed_card", "draw_early"]), dealer(table))


@move(*WITH_CARDS, step="count_hands")
def count_hands(table: Snapshot, chance: Chance) -> NamedStep | None:
    """Count every hand, rightly or one off."""
    counts = dict.fromkeys(range(1, 8), table.rules.game.hand_cards)
    if not table.round.has("dealt_out"):
        counts = dict(dealt_so_far(table.rules, table.state))
    if rarely(chance, 4):
        counts[1 + chance.below(7)] += pick(chance, [-1, 1])
    return NamedStep("count_hands", dealer(table), details={"counts": counts})


@move(Phase.DEALING, step="count_stub")
def count_stub(table: Snapshot, chance: Chance) -> NamedStep | None:
    """Count the remaining cards, rightly or one off; never so that a wrong remainder looks right."""
    there, off = (
        len(table.rules.game.cards()) - table.round.boxed - table.round.dealt,
        pick(chance, [0, 0, 0, -1, 1]),
    )
    if off and there + off == expected_stub(table.rules, table.round.boxed):
        return None
    return NamedStep("count_stub", dealer(table), details={"left": there + off})


@move(Phase.SETTING, step="set")
def handle_cards(table: Snapshot, chance: Chance) -> NamedStep | None:
    hands = table.round.playing()
    if not hands:
        return None
    hand = pick(chance, hands)
    by = Actor(hand.person, Role.PLAYER)
    how = chance.below(6)
    if how == 1:
        return NamedStep("ask_help", by, hand.position)
    details = {"setting": some_setting(table, hand, chance)}
    return NamedStep("set", dealer(table) if how == 2 else by, hand.position, details)


@move(Phase.SETTING, step="double_down")
def double_down(table: Snapshot, chance: Chance) -> NamedStep | None:
    hands = table.round.playing()
    if not hands or not table.rules.offers("double_down"):
        return None
    hand = pick(chance, hands)
    by = pick(chance, [Actor(hand.person, Role.PLAYER), dealer(table)])
    return NamedStep("double_down", by, hand.position)


@move(Phase.DEALER, step="set_dealer")
def set_dealer_any_way(table: Snapshot, chance: Chance) -> NamedStep | None:
    order = mixed(chance, table.round.dealer_cards)
    details = {"setting": parted(order, table.rules.game.split)}
    return NamedStep("set_dealer", dealer(table), details=details)


@move(Phase.DEALER, Phase.SETTLING, step="surrender")
def surrender(table: Snapshot, chance: Chance) -> NamedStep | None:
    hands = [hand for hand in table.round.playing() if hand.status is Status.PLAYED]
    if not hands or "surrender" not in table.rules.game.procedure:
        return None
    hand = pick(chance, hands)
    return NamedStep("surrender", Actor(hand.person, Role.PLAYER), hand.position)


@move(Phase.SETTLING, step="reveal")
def reveal_one_part(table: Snapshot, chance: Chance) -> NamedStep | None:
    hands = table.round.playing()
    if not hands:
        return None
    part = pick(chance, table.rules.game.parts).name
    return NamedStep("reveal", dealer(table), pick(chance, hands).position, {"parts": (part,)})
