"""Commands that no table may obey: of the wrong person, time, place or shape, out of turn, or twice."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import date
from typing import Any

from msgspec.structs import fields

from houseway.cards import Cards
from houseway.money import Cents
from houseway.ranking import Setting, legal_settings
from houseway.ranking.settings import all_settings
from houseway.rounds.action import OnHand
from houseway.rounds.live import due_moves
from houseway.rounds.roles import Role
from houseway.rounds.state import CardOrigin, Phase
from houseway.rounds.step import Actor, AnyStep
from houseway.rounds.steps import STEPS
from houseway.rounds.steps.bank import next_offer
from tests.rounds.california import somebody
from tests.rounds.commands import NamedStep, details_of
from tests.rounds.law_tables.who_when import row, taken_by
from tests.rounds.play.california_moves import SPLIT, anybody, banker, clockwise, seats_of, some_bets
from tests.rounds.play.chance import Chance, pick
from tests.rounds.play.moves import dealer, person
from tests.rounds.table import FLOOR, Snapshot

STRANGER = "Nobody"
OWN = ("look", "choose_hand", "surrender", "ask_help", "leave", "decline_cut")
"""Steps that only one certain player may take."""
PLACED = ("sit", "wager", "correct_wager", "leave", "offer_cut", "expose_card")
"""Steps at a position, whether or not a hand is played there."""
NO_POSITION = (None, 0, -1, 8, 10**9)
HUGE = 10**9


def some_deck(table: Snapshot, chance: Chance) -> str:
    return pick(chance, sorted(table.state.decks) or ["A"])


SOMETHING: Mapping[str, Any] = {
    "wagers": {},
    "setting": (),
    "without": (),
    "counts": {},
    "lost": True,
    "lit": True,
    "method": "manual",
    "device": "shuffler",
    "spare": "rack",
    "choice": "void",
    "ruling": "void",
    "placed": True,
    "to": "RUN",
    "status": "cease",
    "dated": date(2026, 1, 4),
    "stake": Cents(500),
    "amount": Cents(500),
}
"""A value of the right kind for details that are neither words nor numbers."""
NUMBERED = ("depth", "chips", "times", "pile", "cards")


def plausible(table: Snapshot, name: str, chance: Chance) -> Any:
    """Return a value of the right kind for a detail."""
    if name == "deck":
        return some_deck(table, chance)
    if name == "submission":
        return table.rules.submission
    return 1 if name in NUMBERED else SOMETHING.get(name, "sign")


def details_taken(step: AnyStep, *, needed: bool = False) -> list[str]:
    """Return the names of a step's details, or of those that must be given; a position is none."""
    taken = [info for info in fields(step.action) if info.name != "position"]
    return sorted(info.name for info in taken if info.required or not needed)


def shaped(table: Snapshot, step: AnyStep, chance: Chance) -> NamedStep:
    """Return a command of the right shape: a person who may, every detail that must be given."""
    role = pick(chance, sorted(step.by)) if step.by else Role.DEALER
    details = {name: plausible(table, name, chance) for name in details_taken(step, needed=True)}
    at = pick(chance, sorted(table.round.hands) or [3])
    return NamedStep(step.name, Actor("Somebody", role), at, details)


def steps_of(table: Snapshot) -> list[str]:
    """Return the steps of the game."""
    return sorted(table.rules.game.procedure)


def any_step(table: Snapshot, chance: Chance) -> AnyStep:
    return STEPS[pick(chance, steps_of(table))]


Unlawful = Callable[[Snapshot, Chance], "NamedStep | None"]


def wrong_role(table: Snapshot, chance: Chance) -> NamedStep | None:
    step = any_step(table, chance)
    others = sorted(set(Role) - step.roles)
    if not others:
        return None
    command = shaped(table, step, chance)
    return NamedStep(step.name, Actor("Somebody", pick(chance, others)), command.position, command.details)


def out_of_role(table: Snapshot, chance: Chance) -> NamedStep | None:
    """Have what is due done by somebody whose part it is not."""
    due = list(due_moves(table.rules, table.state))
    if not due:
        return None
    command = pick(chance, due)
    others = sorted(set(Role) - taken_by(table.rules.game.id, command.step))
    by = Actor(command.by.id, pick(chance, others))
    return NamedStep(command.step, by, command.position, details_of(command.action))


def out_of_time(table: Snapshot, chance: Chance) -> NamedStep | None:
    """Have something done by the right person at another time."""
    game = table.rules.game.id
    late = [name for name in steps_of(table) if table.phase not in row(game, name).phases.split()]
    command = shaped(table, STEPS[pick(chance, late)], chance)
    hand = table.round.hands.get(command.position or 0)
    if command.by.role is not Role.PLAYER or hand is None:
        return command
    return NamedStep(command.step, Actor(hand.person, Role.PLAYER), command.position, command.details)


def wrong_step(table: Snapshot, chance: Chance) -> NamedStep | None:
    foreign = sorted(set(STEPS) - set(table.rules.game.procedure))
    name = pick(chance, [*foreign, "deal_twice", "", "void_round", "end_round"])
    return NamedStep(name, Actor("Flo", Role.MANAGER), 3)


def wrong_phase(table: Snapshot, chance: Chance) -> NamedStep | None:
    late = [name for name in steps_of(table) if table.phase not in STEPS[name].phases]
    return shaped(table, STEPS[pick(chance, late)], chance) if late else None


def wrong_person(table: Snapshot, chance: Chance) -> NamedStep | None:
    step = STEPS[pick(chance, OWN)]
    command = shaped(table, step, chance)
    return NamedStep(step.name, Actor(STRANGER, Role.PLAYER), command.position, command.details)


def wrong_position(table: Snapshot, chance: Chance) -> NamedStep | None:
    needy = [name for name in steps_of(table) if issubclass(STEPS[name].action, OnHand)]
    command = shaped(table, STEPS[pick(chance, [*needy, *PLACED[:-1]])], chance)
    return NamedStep(command.step, command.by, pick(chance, NO_POSITION), command.details)


def detail_missing(table: Snapshot, chance: Chance) -> NamedStep | None:
    command = shaped(table, any_step(table, chance), chance)
    if not command.details:
        return None
    gone = pick(chance, sorted(command.details))
    details = {name: value for name, value in command.details.items() if name != gone}
    return NamedStep(command.step, command.by, command.position, details)


def detail_extra(table: Snapshot, chance: Chance) -> NamedStep | None:
    command = shaped(table, any_step(table, chance), chance)
    return NamedStep(command.step, command.by, command.position, {**command.details, "colour": "red"})


ODD: tuple[Any, ...] = (3.5, b"x", object(), float("nan"))
"""Of no kind that any detail has."""


def detail_of_another_kind(table: Snapshot, chance: Chance) -> NamedStep | None:
    step = any_step(table, chance)
    taken = details_taken(step)
    if not taken:
        return None
    command = shaped(table, step, chance)
    name = pick(chance, taken)
    return NamedStep(command.step, command.by, command.position, {**command.details, name: pick(chance, ODD)})


NUMBERS: Mapping[tuple[str, str], tuple[Any, ...]] = {
    ("deal", "cards"): (0, -1, 50, HUGE),
    ("deal", "first_to"): (0, 8, -1, HUGE),
    ("cut", "depth"): (0, 9, 53, -10, HUGE),
    ("draw_number", "number"): (0, 8, -1, HUGE),
    ("announce_total", "total"): (2, 19, -11, HUGE),
    ("uncover", "dice"): ((0, 1, 2), (7, 1, 1), (1, 1), (1, 1, 1, 1)),
    ("count_progressive", "chips"): (-1, 7, HUGE),
    ("count_surrendered", "cards"): (0, -7, 8, HUGE),
    ("shuffle", "cards"): (52, 54, -53, HUGE),
    ("spread_deck", "seen"): (0, 52, 54, HUGE),
    ("double_down", "amount"): (Cents(1), Cents(-500), Cents(10**12)),
    ("wager", "wagers"): (
        {"main": Cents(1)},
        {"main": Cents(-500)},
        {"main": Cents(10**12)},
        {"main": 5.0},
        {"main": "500"},
    ),
    ("count_hands", "counts"): ({}, {1: 7}, dict.fromkeys(range(8), 7)),
    ("press_start", "number"): (0, 8, -1, HUGE),
    ("shake_cup", "dice"): ((0, 1, 2), (7, 1, 1), (1, 1), (1, 1, 1, 1)),
    ("remove_progressive", "chips"): (-1, 7, HUGE),
    ("rule_count", "without"): ((), (1,), (8,), (2, HUGE)),
    ("turn_key", "to"): ("", "OFF", "run"),
    ("adjust_meter", "amount"): (Cents(-(10**12)),),
    ("adjust_meter", "second"): ("", "Somebody", " somebody "),
    ("adjust_meter", "win"): (0, 1, 8, HUGE),
    ("rule_round", "ruling"): ("", "redeal", "VOID"),
    ("stop_round", "reason"): ("", "  "),
}
"""Numbers that no table accepts."""


def wrong_number(table: Snapshot, chance: Chance) -> NamedStep | None:
    name, detail = pick(chance, [key for key in NUMBERS if key[0] in steps_of(table)])
    command = shaped(table, STEPS[name], chance)
    value = pick(chance, NUMBERS[name, detail])
    at, by = command.position or 0, command.by
    if name == "wager" and at in table.seats:
        by = Actor(table.seats[at].person, Role.PLAYER)
    return NamedStep(name, by, at, {**command.details, detail: value})


UNLAWFUL: tuple[Unlawful, ...] = (
    wrong_role,
    out_of_role,
    out_of_time,
    wrong_step,
    wrong_phase,
    wrong_person,
    wrong_position,
    detail_missing,
    detail_extra,
    detail_of_another_kind,
    wrong_number,
)
HOUSE = Actor("House", Role.PLAYER)
WRONG_DICE = ((2, 3, 7), (0, 1, 1), (1, 1), (1, 1, 1, 1), ())


def house_plays(table: Snapshot, chance: Chance) -> NamedStep | None:
    """The house neither banks nor bets."""
    at = pick(chance, seats_of(table))
    step = pick(chance, ["accept_bank", "wager", "bet_behind"])
    return NamedStep(step, HOUSE, at, {} if step == "accept_bank" else {"wagers": some_bets(table, chance)})


def bank_out_of_turn(table: Snapshot, chance: Chance) -> NamedStep | None:
    """The bank is offered clockwise and to nobody else, once somebody has been asked."""
    banking = table.banking
    if not (banking.seat or banking.was_at or banking.declined):
        return None
    at = pick(chance, [seat for seat in seats_of(table) if seat != next_offer(table.rules, table.state)])
    return NamedStep("offer_bank", dealer(table), at)


def bank_of_nothing(table: Snapshot, chance: Chance) -> NamedStep | None:
    """Nobody puts up a bank that is not his, and nobody nothing."""
    by = banker(table)
    if by is None or chance.below(2):
        return NamedStep("put_up", somebody(STRANGER), table.banking.seat, {"stake": Cents(100)})
    return NamedStep("put_up", by, table.banking.seat, {"stake": Cents(-chance.below(2))})


def banker_bets(table: Snapshot, chance: Chance) -> NamedStep | None:
    """The player-dealer does not bet against himself."""
    by = banker(table)
    if by is None:
        return None
    step, at = pick(chance, [("wager", table.banking.seat), ("bet_behind", pick(chance, seats_of(table)))])
    return NamedStep(step, by, at, {"wagers": some_bets(table, chance)})


def round_without_bank(table: Snapshot, _: Chance) -> NamedStep | None:
    """No round without a bank, none on nothing, and no third one running."""
    unbanked = banker(table) is None or not table.round.stake or table.banking.rounds >= 2
    return NamedStep("no_more_bets", dealer(table)) if unbanked else None


def cards_before_fees(table: Snapshot, chance: Chance) -> NamedStep | None:
    """No dice and no card before the collection."""
    if table.round.has("fees"):
        return None
    dice = NamedStep("shake_dice", banker(table) or FLOOR, table.banking.seat)
    return pick(chance, [dice, NamedStep("deal", dealer(table))])


def dice_of_another(table: Snapshot, chance: Chance) -> NamedStep | None:
    """The player-dealer shakes three dice of six faces."""
    by = banker(table)
    if by is None or chance.below(2):
        return NamedStep("shake_dice", somebody(STRANGER), table.banking.seat, {"dice": (1, 2, 3)})
    return NamedStep("shake_dice", by, table.banking.seat, {"dice": pick(chance, WRONG_DICE)})


def fouls(table: Snapshot, cards: Cards) -> list[Setting]:
    """Return every foul setting of seven cards."""
    legal = set(legal_settings(table.rules.ranking(), cards))
    return [setting for setting in all_settings(cards, SPLIT) if setting not in legal]


def foul_setting(table: Snapshot, chance: Chance) -> NamedStep | None:
    """A foul is accepted from no player, nor from the player-dealer."""
    this_round, by = table.round, banker(table)
    if table.phase is Phase.SETTING and table.source is not CardOrigin.TYPED and this_round.playing():
        hand = pick(chance, this_round.playing())
        wrong = [
            NamedStep("set", somebody(hand.person), hand.position, {"setting": setting})
            for setting in fouls(table, hand.cards)
        ]
    elif table.phase is Phase.SETTLING and by is not None:
        wrong = [
            NamedStep("reset_bank", by, table.banking.seat, {"setting": setting})
            for setting in fouls(table, this_round.dealer_cards)
        ]
    else:
        wrong = []
    return pick(chance, wrong) if wrong else None


def out_of_turn(table: Snapshot, chance: Chance) -> NamedStep | None:
    """Game wagers, then bonuses, are settled clockwise from the Action button, one after another."""
    this_round = table.round
    if table.phase is not Phase.SETTLING or this_round.action is None:
        return None
    hands = [this_round.hands[at] for at in clockwise(table, this_round.action) if at in this_round.hands]
    games = [hand.position for hand in hands if "main" not in hand.settled]
    bonuses = [h.position for h in hands if "fortune" in h.wagers and "fortune" not in h.settled]
    bonuses = [] if table.rules.readings["ca_settlement_order"] == "seat_by_seat" else bonuses
    late = [NamedStep("reveal", dealer(table), at) for at in games[1:]]
    late += [NamedStep("settle", dealer(table), at, {"wager": "main"}) for at in games[1:]]
    for at in bonuses if games else bonuses[1:]:
        late.append(NamedStep("settle", dealer(table), at, {"wager": "fortune"}))
    return pick(chance, late) if late else None


def twice(table: Snapshot, chance: Chance) -> NamedStep | None:
    """What is taken, settled, set or shaken is so once and for all."""
    this_round, by = table.round, banker(table) or somebody(STRANGER)
    again = [NamedStep("collect_fees", dealer(table))] if this_round.has("fees") else []
    again += [NamedStep("shake_dice", by, table.banking.seat)] if this_round.dice else []
    again += [NamedStep("choose_pile", by, table.banking.seat, {"pile": 1})] if this_round.pile else []
    again += [NamedStep("distribute", dealer(table))] if this_round.has("distributed") else []
    for hand in this_round.hands.values():
        again += [
            NamedStep("settle", dealer(table), hand.position, {"wager": w}) for w in sorted(hand.settled)
        ]
        again += [NamedStep("rack", dealer(table), hand.position)] if hand.has("racked") else []
        again += [NamedStep("set", dealer(table), hand.position)] if hand.has("placed") else []
    if "fortune" in this_round.envy_paid:
        again.append(NamedStep("pay_envy", dealer(table), details={"wager": "fortune"}))
    return pick(chance, again) if again else None


def too_late(table: Snapshot, chance: Chance) -> NamedStep | None:
    """After no more bets nobody banks, bets, or changes what lies there."""
    if table.phase is Phase.BETTING or not table.seats:
        return None
    at = pick(chance, sorted(table.seats))
    step = pick(chance, ["wager", "bet_behind", "put_up", "accept_bank", "correct_wager"])
    by = dealer(table) if step == "correct_wager" else person(table, at)
    details: dict[str, dict[str, Any]] = {
        "wager": {"wagers": some_bets(table, chance)},
        "bet_behind": {"wagers": some_bets(table, chance)},
        "correct_wager": {"wagers": some_bets(table, chance), "reason": "late"},
        "put_up": {"stake": Cents(10_000)},
        "accept_bank": {},
    }
    return NamedStep(step, by, at, details[step])


def while_stopped(table: Snapshot, chance: Chance) -> NamedStep | None:
    """Nothing goes on before the floor has ruled, and only the floor rules, in one of two ways."""
    if not table.round.stopped:
        return NamedStep("rule_round", FLOOR, details={"ruling": "play on", "reason": "nothing is wrong"})
    due = list(due_moves(table.rules, table.state))
    if due and chance.below(2):
        move = pick(chance, due)
        return NamedStep(move.step, move.by, move.position, details_of(move.action))
    by = pick(chance, [FLOOR, dealer(table), anybody(table, chance)])
    fouled = any(hand.has("foul") and not hand.has("announced") for hand in table.round.playing())
    unfit = "play on" if fouled else "foul loses"
    ruling = "void" if by is not FLOOR else pick(chance, ["deal again", "Void", "", unfit])
    return NamedStep("rule_round", by, details={"ruling": ruling, "reason": "as seen"})


def no_such_seat(table: Snapshot, chance: Chance) -> NamedStep | None:
    """A step at a seat that a table of seven does not have, or a card to it."""
    wrong = pick(chance, [wrong_position, wrong_number])
    return wrong(table, chance) if len(seats_of(table)) == 7 else None


def spoiled(table: Snapshot, chance: Chance) -> NamedStep | None:
    """A command of a wrong capacity, or with a detail missing, unknown, or of another kind."""
    step = any_step(table, chance)
    command, taken = shaped(table, step, chance), details_taken(step)
    details, how = dict(command.details), chance.below(4)
    others = sorted(set(Role) - step.roles)
    if how == 0 and others:
        return replace(command, by=Actor("Somebody", pick(chance, others)))
    if how == 1 and details:
        del details[pick(chance, sorted(details))]
    elif how == 2 and taken:
        details[pick(chance, taken)] = pick(chance, ODD)
    else:
        details["colour"] = "red"
    return replace(command, details=details)


CARDROOM_UNLAWFUL: tuple[Unlawful, ...] = (
    house_plays,
    bank_out_of_turn,
    bank_of_nothing,
    banker_bets,
    round_without_bank,
    cards_before_fees,
    dice_of_another,
    foul_setting,
    out_of_turn,
    twice,
    too_late,
    while_stopped,
    spoiled,
    out_of_role,
    out_of_time,
    no_such_seat,
    wrong_person,
    wrong_phase,
    wrong_step,
)
