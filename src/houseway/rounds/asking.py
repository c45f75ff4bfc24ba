"""What may be filled into the fields of an action now: choices, the least, the most, what is usual.

Only what depends on the table is written here; the rest follows from the types of the fields. No value
here is a card.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from msgspec import UNSET, Struct

from houseway.games import Rules
from houseway.law.checklist import checklist
from houseway.money import Cents
from houseway.rounds.actions import Device, ShuffleMethod
from houseway.rounds.dealing import DICE, FACES, SEATS
from houseway.rounds.marks import TableMark
from houseway.rounds.state import CardOrigin, Hand, Phase, Table
from houseway.rounds.steps.adjusting import none_to_come, wins_to_back_out
from houseway.rounds.steps.deal import places, whole_deal
from houseway.rounds.steps.opening import shuffler_games
from houseway.rounds.steps.people import needs_training, shaker_in_use
from houseway.rounds.steps.pressing import DICE_CUP, dice_in_cup
from houseway.rounds.steps.shuffling import shuffler_in_use
from houseway.rounds.steps.turns import due, envy_wagers
from houseway.settlement.model import MAIN, PROGRESSIVE


class FieldRule(Struct, frozen=True, gc=False, omit_defaults=True):
    """What a field takes at this table, now."""

    choices: tuple[Any, ...] | None = None
    """What it is chosen from; if that is nothing, there is nothing to do."""
    least: int | None = None
    most: int | None = None
    default: Any = UNSET
    needed: bool | None = None
    """Whether it must be filled in; unless said here, as the action says."""
    each: Mapping[str, FieldRule] = {}
    """The amounts or numbers that it is made of, by name."""


START_METHODS: Final = ("shaker", "rng", "button")
NOT_ASKED: Final = FieldRule(needed=False)
"""A field that is not filled in at this table: chance, or the table itself, gives its value."""
MUST: Final = FieldRule(needed=True)
Asks = Mapping[str, FieldRule]
Asking = Callable[[Rules, Table, int], Asks]
"""The fields that a step asks for, at a position if it has one, or 0."""


def limits(rules: Rules, wager: str) -> tuple[Cents | None, Cents | None]:
    """Return the least and the most that a prompt names for a wager; ``verify`` has the last word."""
    choice, meter, schedule = rules.submission.wagers[wager], rules.submission.progressive, rules.schedule()
    if rules.game.wager_terms(wager).family == "progressive" and meter and meter.amount:
        return meter.amount, meter.amount
    least = [choice.min] if choice.min is not None else []
    most = [choice.max] if choice.max is not None else []
    if schedule is not None:
        least.append(schedule.table_min)
        most.append(schedule.table_max)
    return max(least, default=None), min(most, default=None)


def _virtual(table: Table) -> bool:
    return table.source is CardOrigin.VIRTUAL_DECK


def _if_read(field: str, ask: FieldRule) -> Asking:
    """Ask for what is read off the table, where nothing else tells it."""
    return lambda _, table, __: {field: NOT_ASKED if _virtual(table) else ask}


# --- wagers -------------------------------------------------------------------------------------------


def _amounts(rules: Rules, hand: Hand | None) -> FieldRule:
    each = {}
    for wager in rules.wager_order:
        if rules.offers(wager) and wager not in rules.later_wagers:
            least, most = limits(rules, wager)
            placed = hand.amount(wager) if hand else 0
            each[wager] = FieldRule(least=least, most=most, default=placed, needed=wager == MAIN)
    return FieldRule(each=each, needed=True)


def _wagers(rules: Rules, table: Table, position: int) -> Asks:
    return {"wagers": _amounts(rules, table.round.hands.get(position))}


def _double(_: Rules, table: Table, position: int) -> Asks:
    hand = table.round.hands.get(position)
    main = hand.amount(MAIN) if hand else None
    return {"amount": FieldRule(least=main, most=main, default=main)}


def _settled(rules: Rules, table: Table, position: int) -> Asks:
    hand = table.round.hands.get(position)
    return {"wager": FieldRule(tuple(due(rules, hand)) if hand else ())}


def _lines(rules: Rules, _: Table, __: int) -> Asks:
    listed = rules.paytable(PROGRESSIVE).shown_lines() if rules.offers(PROGRESSIVE) else ()
    return {"hand": FieldRule(tuple(line.hand for line in listed))}


def _booked(_: Rules, table: Table, __: int) -> Asks:
    return {
        "without": FieldRule(
            tuple(hand.position for hand in table.round.active() if hand.amount(PROGRESSIVE))
        )
    }


# --- decks and cards ----------------------------------------------------------------------------------


def _shuffle(rules: Rules, table: Table, _: int) -> Asks:
    automated = shuffler_in_use(rules, table)
    method = ShuffleMethod.AUTOMATED if automated else ShuffleMethod.MANUAL
    device = Device.SHUFFLER.value if automated else ""
    return {"method": FieldRule(default=method), "device": FieldRule(default=device)}


def _cut(rules: Rules, _: Table, __: int) -> Asks:
    terms, size = rules.game.cut, len(rules.game.cards())
    if terms is None:
        return {}
    return {"depth": FieldRule(least=terms.least_above, most=size - terms.least_below, default=size // 2)}


def _deal(rules: Rules, table: Table, _: int) -> Asks:
    left = whole_deal(rules) - table.round.dealt
    unknown = table.round.dealt or table.round.start is None
    first = NOT_ASKED if unknown else FieldRule(tuple(places(rules, table)))
    hand = FieldRule() if rules.way == "hand" else NOT_ASKED
    return {"cards": FieldRule(least=1, most=left), "first_to": first, "read": NOT_ASKED, "hand": hand}


def _stub(rules: Rules, table: Table, _: int) -> Asks:
    known = table.round.commitment is not None
    return {"left": NOT_ASKED if known else FieldRule(least=0, most=len(rules.game.cards()), needed=True)}


def _counts(rules: Rules, table: Table, _: int) -> Asks:
    each = {str(at): FieldRule(least=0, needed=True) for at in places(rules, table)}
    return {"counts": FieldRule(each=each)}


def _set(_: Rules, table: Table, __: int) -> Asks:
    return {"setting": NOT_ASKED if table.source is CardOrigin.TYPED else MUST}


def _parts(rules: Rules, _: Table, __: int) -> Asks:
    return {"parts": FieldRule(rules.ranking().part_names)}


# --- the table ----------------------------------------------------------------------------------------


def items_to_attest(rules: Rules) -> tuple[str, ...]:
    """Return the items of the opening checklist that concern a table."""
    spared = rules.spared()
    every = [item.clause for item in checklist(rules.game.rule_set or "")]
    return tuple(item for item in every if item not in spared)


def _opening(rules: Rules, _: Table, __: int) -> Asks:
    limit = NOT_ASKED if rules.submission.payout_limit is None else MUST
    return {
        "checklist": FieldRule(items_to_attest(rules), needed=True),
        "odds_shown": MUST,
        "limit_shown": limit,
    }


def _shaker_kept(rules: Rules, table: Table, _: int) -> Asks:
    asked = shaker_in_use(rules) and table.phase is not Phase.CLOSED
    return {"shaker": MUST if asked else NOT_ASKED}


def _training(rules: Rules, _: Table, __: int) -> Asks:
    return {"training": MUST if needs_training(rules) else NOT_ASKED}


def _shaker(rules: Rules, _: Table, __: int) -> Asks:
    return {"shaker": MUST if shaker_in_use(rules) else NOT_ASKED}


def _failed(_: Rules, table: Table, __: int) -> Asks:
    return {"device": FieldRule(tuple(sorted(table.failed)))}


def _dealing(rules: Rules, _: Table, __: int) -> Asks:
    approved = tuple(one for one in START_METHODS if rules.submission.approvals.get(one))
    start = FieldRule(approved) if approved else NOT_ASKED
    return {"dealing": FieldRule(default=rules.way), "start": start}


def _shuffler_games(rules: Rules, _: Table, __: int) -> Asks:
    return {"game": FieldRule(shuffler_games(rules))}


def _number(rules: Rules, table: Table, _: int) -> Asks:
    known = _virtual(table) or rules.way == DICE_CUP
    return {"number": NOT_ASKED if known else FieldRule(least=1, most=SEATS, needed=True)}


def _adjusted(rules: Rules, table: Table, _: int) -> Asks:
    won = wins_to_back_out(table)
    return {"win": FieldRule(won, needed=not none_to_come(rules, table)) if won else NOT_ASKED}


def _key(_: Rules, table: Table, __: int) -> Asks:
    return {"to": FieldRule(default="RUN" if table.has(TableMark.KEY_JPH) else "JPH")}


def _envied(rules: Rules, table: Table, __: int) -> Asks:
    return {"wager": FieldRule(tuple(envy_wagers(rules, table)))}


def _nothing(*fields: str) -> Asking:
    """Do not ask for fields that the table knows."""
    return lambda *_: dict.fromkeys(fields, NOT_ASKED)


def _faces(rules: Rules, table: Table, _: int) -> Asks:
    each = {str(die + 1): MUST for die in range(dice_in_cup(rules))}
    return {"dice": NOT_ASKED if _virtual(table) else FieldRule(least=1, most=FACES, needed=True, each=each)}


_TABLE_TOTAL: Final = FieldRule(least=DICE, most=DICE * FACES)
ASKING: Final[Mapping[str, Asking]] = {
    "wager": _wagers,
    "correct_wager": _wagers,
    "bet_behind": _wagers,
    "double_down": _double,
    "settle": _settled,
    "pay_envy": _envied,
    "press_hand": _lines,
    "verify_win": _lines,
    "rule_count": _booked,
    "place_lammers": _nothing("positions"),
    "put_up": lambda *_: {"stake": FieldRule(least=1, needed=True)},
    "shuffle": _shuffle,
    "cut": _cut,
    "load": lambda rules, *_: {"hand": MUST if rules.way == "hand" else NOT_ASKED},
    "deal": _deal,
    "count_stub": _stub,
    "count_hands": _counts,
    "choose_pile": lambda *_: {"pile": FieldRule(least=1, most=SEATS, needed=True)},
    "swap_decks": lambda *_: {"secure": MUST},
    "set": _set,
    "set_dealer": _nothing("setting"),
    "enter_hand": lambda *_: {"setting": MUST},
    "reveal": _parts,
    "shake": lambda *_: {"times": FieldRule(least=1)},
    "cover_shaker": lambda *_: {"times": FieldRule(least=1, most=1, default=1)},
    "uncover": _faces,
    "shake_cup": _faces,
    "shake_dice": _faces,
    "announce_total": lambda *_: {"total": _TABLE_TOTAL},
    "draw_number": _if_read("number", FieldRule(least=1, most=SEATS, needed=True)),
    "press_start": _number,
    "open_table": _opening,
    "close_table": _shaker,
    "log_on": _training,
    "relieve": lambda *at: {**_training(*at), **_shaker(*at)},
    "log_off": _shaker_kept,
    "sign_out_of_order": lambda *at: {**_failed(*at), "how": MUST},
    "repair": _failed,
    "set_shuffler": _shuffler_games,
    "change_dealing": _dealing,
    "turn_key": _key,
    "adjust_meter": _adjusted,
}
"""What each step asks for beyond the types of its fields."""


def asks(rules: Rules, table: Table, step: str, position: int | None) -> Asks:
    """Return what the fields of a step take now."""
    asking = ASKING.get(step)
    return asking(rules, table, position or 0) if asking else {}
