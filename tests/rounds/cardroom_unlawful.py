"""Commands that no cardroom's table may obey: of the wrong person, out of turn, twice, or of no sense."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from houseway.cards import Cards
from houseway.money import Cents
from houseway.ranking import Setting, legal_settings
from houseway.ranking.settings import all_settings
from houseway.rounds.live import due_moves
from houseway.rounds.roles import Role
from houseway.rounds.state import CardOrigin, Phase
from houseway.rounds.step import Actor
from houseway.rounds.steps.bank import next_offer
from tests.rounds.cardroom import somebody
from tests.rounds.cardroom_moves import SPLIT, anybody, banker, clockwise, seats_of, some_bets
from tests.rounds.moves import Chance, dealer, person, pick
from tests.rounds.said import Said, details_of
from tests.rounds.seen import Seen
from tests.rounds.support import FLOOR
from tests.rounds.unlawful import (
    ODD,
    STRANGER,
    Unlawful,
    any_step,
    details_taken,
    out_of_role,
    out_of_time,
    shaped,
    wrong_number,
    wrong_person,
    wrong_phase,
    wrong_position,
    wrong_step,
)

HOUSE = Actor("House", Role.PLAYER)
WRONG_DICE = ((2, 3, 7), (0, 1, 1), (1, 1), (1, 1, 1, 1), ())


def house_plays(table: Seen, chance: Chance) -> Said | None:
    """The house neither banks nor bets."""
    at = pick(chance, seats_of(table))
    step = pick(chance, ["accept_bank", "wager", "bet_behind"])
    return Said(step, HOUSE, at, {} if step == "accept_bank" else {"wagers": some_bets(table, chance)})


def bank_out_of_turn(table: Seen, chance: Chance) -> Said | None:
    """The bank is offered clockwise and to nobody else, once somebody has been asked."""
    banking = table.banking
    if not (banking.seat or banking.was_at or banking.declined):
        return None
    at = pick(chance, [seat for seat in seats_of(table) if seat != next_offer(table.rules, table.state)])
    return Said("offer_bank", dealer(table), at)


def bank_of_nothing(table: Seen, chance: Chance) -> Said | None:
    """Nobody puts up a bank that is not his, and nobody nothing."""
    by = banker(table)
    if by is None or chance.below(2):
        return Said("put_up", somebody(STRANGER), table.banking.seat, {"stake": Cents(100)})
    return Said("put_up", by, table.banking.seat, {"stake": Cents(-chance.below(2))})


def banker_bets(table: Seen, chance: Chance) -> Said | None:
    """The player-dealer does not bet against himself."""
    by = banker(table)
    if by is None:
        return None
    step, at = pick(chance, [("wager", table.banking.seat), ("bet_behind", pick(chance, seats_of(table)))])
    return Said(step, by, at, {"wagers": some_bets(table, chance)})


def round_without_bank(table: Seen, _: Chance) -> Said | None:
    """No round without a bank, none on nothing, and no third one running."""
    unbanked = banker(table) is None or not table.round.stake or table.banking.rounds >= 2
    return Said("no_more_bets", dealer(table)) if unbanked else None


def cards_before_fees(table: Seen, chance: Chance) -> Said | None:
    """No dice and no card before the collection."""
    if table.round.has("fees"):
        return None
    dice = Said("shake_dice", banker(table) or FLOOR, table.banking.seat)
    return pick(chance, [dice, Said("deal", dealer(table))])


def dice_of_another(table: Seen, chance: Chance) -> Said | None:
    """The player-dealer shakes three dice of six faces."""
    by = banker(table)
    if by is None or chance.below(2):
        return Said("shake_dice", somebody(STRANGER), table.banking.seat, {"dice": (1, 2, 3)})
    return Said("shake_dice", by, table.banking.seat, {"dice": pick(chance, WRONG_DICE)})


def fouls(table: Seen, cards: Cards) -> list[Setting]:
    """Return every foul setting of seven cards."""
    legal = set(legal_settings(table.rules.ranking(), cards))
    return [one for one in all_settings(cards, SPLIT) if one not in legal]


def foul(table: Seen, chance: Chance) -> Said | None:
    """A foul is accepted from no player, nor from the player-dealer."""
    this_round, by = table.round, banker(table)
    if table.phase is Phase.SETTING and table.source is not CardOrigin.TYPED and this_round.playing():
        hand = pick(chance, this_round.playing())
        wrong = [
            Said("set", somebody(hand.person), hand.position, {"setting": setting})
            for setting in fouls(table, hand.cards)
        ]
    elif table.phase is Phase.SETTLING and by is not None:
        wrong = [
            Said("reset_bank", by, table.banking.seat, {"setting": setting})
            for setting in fouls(table, this_round.dealer_cards)
        ]
    else:
        wrong = []
    return pick(chance, wrong) if wrong else None


def out_of_turn(table: Seen, chance: Chance) -> Said | None:
    """Game wagers, then bonuses, are settled clockwise from the Action button, one after another."""
    this_round = table.round
    if table.phase is not Phase.SETTLING or this_round.action is None:
        return None
    hands = [this_round.hands[at] for at in clockwise(table, this_round.action) if at in this_round.hands]
    games = [hand.position for hand in hands if "main" not in hand.settled]
    bonuses = [h.position for h in hands if "fortune" in h.wagers and "fortune" not in h.settled]
    bonuses = [] if table.rules.readings["ca_settlement_order"] == "seat_by_seat" else bonuses
    late = [Said("reveal", dealer(table), at) for at in games[1:]]
    late += [Said("settle", dealer(table), at, {"wager": "main"}) for at in games[1:]]
    for at in bonuses if games else bonuses[1:]:
        late.append(Said("settle", dealer(table), at, {"wager": "fortune"}))
    return pick(chance, late) if late else None


def twice(table: Seen, chance: Chance) -> Said | None:
    """What is taken, settled, set or shaken is so once and for all."""
    this_round, by = table.round, banker(table) or somebody(STRANGER)
    again = [Said("collect_fees", dealer(table))] if this_round.has("fees") else []
    again += [Said("shake_dice", by, table.banking.seat)] if this_round.dice else []
    again += [Said("choose_pile", by, table.banking.seat, {"pile": 1})] if this_round.pile else []
    again += [Said("distribute", dealer(table))] if this_round.has("distributed") else []
    for hand in this_round.hands.values():
        again += [Said("settle", dealer(table), hand.position, {"wager": w}) for w in sorted(hand.settled)]
        again += [Said("rack", dealer(table), hand.position)] if hand.has("racked") else []
        again += [Said("set", dealer(table), hand.position)] if hand.has("placed") else []
    if "fortune" in this_round.envy_paid:
        again.append(Said("pay_envy", dealer(table), details={"wager": "fortune"}))
    return pick(chance, again) if again else None


def too_late(table: Seen, chance: Chance) -> Said | None:
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
    return Said(step, by, at, details[step])


def while_stopped(table: Seen, chance: Chance) -> Said | None:
    """Nothing goes on before the floor has ruled, and only the floor rules, in one of two ways."""
    if not table.round.stopped:
        return Said("rule_round", FLOOR, details={"ruling": "play on", "reason": "nothing is wrong"})
    due = list(due_moves(table.rules, table.state))
    if due and chance.below(2):
        one = pick(chance, due)
        return Said(one.step, one.by, one.position, details_of(one.action))
    by = pick(chance, [FLOOR, dealer(table), anybody(table, chance)])
    foul = any(hand.has("foul") and not hand.has("announced") for hand in table.round.playing())
    unfit = "play on" if foul else "foul loses"
    ruling = "void" if by is not FLOOR else pick(chance, ["deal again", "Void", "", unfit])
    return Said("rule_round", by, details={"ruling": ruling, "reason": "as seen"})


def no_such_seat(table: Seen, chance: Chance) -> Said | None:
    """A step at a seat that a table of seven does not have, or a card to it."""
    wrong = pick(chance, [wrong_position, wrong_number])
    return wrong(table, chance) if len(seats_of(table)) == 7 else None


def spoiled(table: Seen, chance: Chance) -> Said | None:
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


UNLAWFUL: tuple[Unlawful, ...] = (
    house_plays,
    bank_out_of_turn,
    bank_of_nothing,
    banker_bets,
    round_without_bank,
    cards_before_fees,
    dice_of_another,
    foul,
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
