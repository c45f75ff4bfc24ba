"""What people do at a table besides what is due: at any lawful amount, in any order, rightly or wrongly."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Protocol, TypeVar

from houseway.cards import Card
from houseway.money import Cents
from houseway.rounds.roles import Role
from houseway.rounds.state import IN_ROUND, Phase
from houseway.rounds.step import Actor
from houseway.rounds.steps.dealers import shaker_in_use
from tests.rounds.said import Said
from tests.rounds.seen import Seen

T = TypeVar("T")
FLOOR = Actor("Flo", Role.FLOORPERSON)
SHUFFLER = Actor("shuffler", Role.SHUFFLER)
SHOE = Actor("shoe", Role.SHOE)


class Chance(Protocol):
    """Where the choices come from: a seeded generator, or Hypothesis."""

    def below(self, limit: int) -> int:
        """Return a whole number from 0 up to, not including, the limit."""
        ...


class Seeded:
    """Chance from a seed."""

    def __init__(self, seed: str | int) -> None:
        self._random = random.Random(seed)

    def below(self, limit: int) -> int:
        """Return a whole number from 0 up to, not including, the limit."""
        return self._random.randrange(limit)


def pick(chance: Chance, among: Sequence[T]) -> T:
    """Choose one of several."""
    return among[chance.below(len(among))]


def rarely(chance: Chance, times: int) -> bool:
    """Whether something happens that happens once in so many times."""
    return chance.below(times) == times - 1


def mixed(chance: Chance, cards: Sequence[Card]) -> list[Card]:
    """Return cards in any order."""
    left = list(cards)
    return [left.pop(chance.below(len(left))) for _ in cards]


def dealer(table: Seen) -> Actor:
    return Actor(table.dealer or "Dora", Role.DEALER)


def person(table: Seen, at: int) -> Actor:
    return Actor(table.seats[at].person, Role.PLAYER)


def some_wagers(table: Seen, chance: Chance) -> dict[str, Cents]:
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

Move = Callable[[Seen, Chance], "Said | None"]


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


def moves(table: Seen) -> list[str]:
    """Return the names of what may happen now."""
    known = table.rules.game.procedure
    return [name for name, one in _moves.items() if table.phase in one.phases and one.step in known]


def make(name: str, table: Seen, chance: Chance) -> Said | None:
    """Return the command of a move, if there is anything to command."""
    return _moves[name].move(table, chance)


@move(Phase.CLOSED, Phase.OPENING, Phase.BETTING, Phase.IDLE, Phase.SETTING, step="sit")
def sit(table: Seen, chance: Chance) -> Said | None:
    free = [at for at in range(2, 8) if at not in table.seats]
    if not free:
        return None
    at = pick(chance, free)
    beside = table.seats.get(at - 1)
    alone = beside and sum(1 for seat in table.seats.values() if seat.person == beside.person) == 1
    if alone and beside and table.rules.submission.table.adjacent_areas and chance.below(2):
        return Said("sit", Actor(beside.person, Role.PLAYER), at)
    return Said("sit", Actor(f"P{table.arrivals}", Role.PLAYER), at)


@move(step="leave")
def leave(table: Seen, chance: Chance) -> Said | None:
    if not table.seats or chance.below(2):
        return None
    at = pick(chance, sorted(table.seats))
    return Said("leave", person(table, at), at)


@move(*IN_ROUND, step="rule_abandoned")
def rule_abandoned(table: Seen, chance: Chance) -> Said | None:
    left = [h for h in table.round.hands.values() if h.has("left") and not h.has("ruled")]
    if not left:
        return None
    lost = not chance.below(2)
    return Said(
        "rule_abandoned", FLOOR, pick(chance, left).position, {"lost": lost, "reason": "did not come back"}
    )


@move(Phase.BETTING, step="wager")
def wager(table: Seen, chance: Chance) -> Said | None:
    if not table.seats:
        return None
    at = pick(chance, sorted(table.seats))
    wagers = some_wagers(table, chance) if chance.below(6) else {}
    return Said("wager", person(table, at), at, {"wagers": wagers})


@move(Phase.BETTING, step="correct_wager")
def correct_wager(table: Seen, chance: Chance) -> Said | None:
    if not table.round.hands:
        return None
    at = pick(chance, sorted(table.round.hands))
    details = {"wagers": some_wagers(table, chance), "reason": "typed wrongly"}
    return Said("correct_wager", dealer(table), at, details)


@move(Phase.OPENING, Phase.BETTING, Phase.IDLE, step="remove_deck")
def remove_deck(table: Seen, chance: Chance) -> Said | None:
    held = [name for name, deck in table.decks.items() if not deck.has("removed")]
    return Said("remove_deck", FLOOR, details={"deck": pick(chance, held)}) if held else None


@move(Phase.BETTING, Phase.IDLE, step="receive_deck")
def receive_deck(table: Seen, chance: Chance) -> Said | None:
    details: dict[str, Any] = {"deck": f"D{len(table.decks)}"}
    how = chance.below(4)
    if how == 3:
        details |= {"preshuffled": "(u)", "reshuffled_by": pick(chance, ["manual", "automated"])}
    elif how == 2:
        details |= {"jokers": 2}
    return Said("receive_deck", dealer(table), details=details)


@move(*BETWEEN, Phase.STARTING, step="direct_shuffle")
def direct_shuffle(_: Seen, __: Chance) -> Said | None:
    return Said("direct_shuffle", FLOOR)


@move(*BETWEEN, step="cut")
def shuffle_into_shoe(table: Seen, chance: Chance) -> Said | None:
    if not table.decks:
        return None
    how = {"method": "automated", "device": "shuffler", "into": "shoe"}
    return Said("shuffle", SHUFFLER, details={"deck": pick(chance, sorted(table.decks)), **how})


@move(*BETWEEN, Phase.STARTING, step="cut")
def cut(table: Seen, chance: Chance) -> Said | None:
    for name, deck in table.decks.items():
        offered = deck.offered or 0
        by = person(table, offered) if offered in table.seats else dealer(table)
        if deck.has("squared") and not deck.has("cut"):
            return Said("cut", by, deck.offered, {"deck": name, "depth": 5 + chance.below(48)})
        if deck.has("cut"):
            return Said("recut", FLOOR, details={"deck": name, "reason": "badly cut"})
    return None


@move(*BETWEEN, step="decline_cut")
def decline_cut(table: Seen, _: Chance) -> Said | None:
    for name, deck in table.decks.items():
        if deck.offered in table.seats:
            at = deck.offered or 0
            return Said("decline_cut", person(table, at), at, {"deck": name})
    return None


@move(Phase.BETTING, step="idle_spread")
def idle_spread(table: Seen, chance: Chance) -> Said | None:
    there = [seat.person for seat in table.seats.values()]
    details = {"face": "up", "asked_by": pick(chance, there)} if chance.below(2) and there else {}
    return Said("idle_spread", dealer(table), details=details)


@move(Phase.IDLE, step="resume")
def resume(table: Seen, _: Chance) -> Said | None:
    return Said("resume", dealer(table))


@move(Phase.BETTING, Phase.OPENING, Phase.IDLE, step="close_table")
def close_table(_: Seen, chance: Chance) -> Said | None:
    return Said("close_table", FLOOR, details={"shaker": True}) if rarely(chance, 4) else None


@move(step="relieve")
def change_dealer(table: Seen, chance: Chance) -> Said | None:
    how = chance.below(3)
    if table.dealer is None:
        return Said("log_on", Actor("Dirk", Role.DEALER), details={"training": "on file"})
    if how:
        by = Actor(f"Dealer {chance.below(5)}", Role.DEALER)
        shaker = {"shaker": True} if shaker_in_use(table.rules) else {}
        return Said("relieve", by, details={"training": "on file"} | shaker)
    return Said("log_off", dealer(table), details={"shaker": "locked away"})


@move(step="shuffler_fault")
def device_fault(table: Seen, chance: Chance) -> Said | None:
    if table.failed:
        device = "shoe" if "shoe" in table.failed else "shuffler"
        if device not in table.signed:
            return Said("sign_out_of_order", dealer(table), details={"device": device, "how": "sign"})
        if device == "shoe" and chance.below(2):
            by_button = table.rules.submission.table.start_methods == ("button",)
            start = {"start": "rng"} if by_button else {}
            return Said("change_dealing", FLOOR, details={"dealing": "manual_shoe", **start})
        return Said("repair", FLOOR, details={"device": device})
    if chance.below(2) or not table.decks:
        return Said("shoe_fault", SHOE)
    return Said("shuffler_fault", SHUFFLER, details={"deck": pick(chance, list(table.decks))})


@move(Phase.BETTING, step="change_dealing")
def change_dealing(_: Seen, chance: Chance) -> Said | None:
    way = pick(chance, ["manual_shoe", "hand", "automated_shoe"])
    return Said("change_dealing", FLOOR, details={"dealing": way})


@move(Phase.BETTING, step="adopt_rules")
def adopt_rules(table: Seen, chance: Chance) -> Said | None:
    old = table.rules.submission
    most = old.wagers["main"].max or Cents(50_000)
    main = old.wagers["main"].model_copy(update={"max": Cents(most - 100 * chance.below(3))})
    new = old.model_copy(
        update={"wagers": {**old.wagers, "main": main}, "reference": f"{old.reference}x"[:40]}
    )
    return Said("adopt_rules", FLOOR, details={"submission": new})


@move(Phase.IDLE, step="swap_decks")
def swap_decks(table: Seen, chance: Chance) -> Said | None:
    held = sorted(name for name, deck in table.decks.items() if not deck.has("removed"))
    if not held:
        return None
    stacked = [name for name in held if table.decks[name].has("stacked")]
    how = pick(chance, [{"secure": True}, {"spread": True}, {"secure": True, "asked": True}])
    return Said("swap_decks", dealer(table), details={"deck": pick(chance, stacked or held), **how})
