"""The dealer's part: cards turned over, entered by hand at a physical table, set, and reset if wrong."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from houseway.cards import Cards
from houseway.law.claims import rest_on
from houseway.law.problems import Problem
from houseway.ranking import Setting, verify_split
from houseway.rounds.dealing import irregularity
from houseway.rounds.record import set_dealer
from houseway.rounds.state import Phase, Source, Table, changed
from houseway.rounds.step import (
    BY_DEALER,
    BY_DEALER_OR_DEVICE,
    FLOOR,
    Command,
    Event,
    Guard,
    Moment,
    Step,
    register,
)
from houseway.rounds.steps.common import always, dealer_of, hand_has_not, hand_of, sense
from houseway.rounds.steps.money import area_at, paid, paying, round_of, standing_payments, the_round, undo
from houseway.rounds.steps.payments import pay_wager
from houseway.rounds.steps.turns import next_hand
from houseway.settlement import Kind, Payment, Status
from houseway.settlement.house import run_race


def house_setting(table: Table) -> Setting:
    """Return how the house way sets the dealer's cards."""
    _, decision = set_dealer(table.rules, table.play.dealer_cards)
    return tuple(part[::-1] for part in decision.setting)


def same_setting(one: Setting | None, other: Setting) -> bool:
    """Whether two settings put the same cards into each part."""
    return one is not None and [set(part) for part in one] == [set(part) for part in other]


def _all_set(table: Table, _: Command) -> bool:
    return all(hand.has("placed") or hand.status is not Status.PLAYED for hand in table.play.playing())


def _double_offered(table: Table, _: Command) -> bool:
    return not table.rules.offers("double_down") or table.play.has("double_offered")


def _none_choosing(table: Table, _: Command) -> bool:
    return not any(hand.has("choosing") for hand in table.play.playing())


def _left_ruled(table: Table, _: Command) -> bool:
    return all(not hand.has("left") or hand.has("ruled") for hand in table.play.playing())


def _cards_known(table: Table, _: Command) -> bool:
    return bool(table.play.dealer_cards)


def _uses_cards(table: Table, command: Command) -> bool:
    setting = command.get("setting")
    if not setting:
        return True
    given = sorted(card for part in setting for card in part)
    sizes = tuple(len(part) for part in setting)
    return given == sorted(table.play.dealer_cards) and sizes == table.rules.game.split


def _setting(table: Table, command: Command, _: Moment) -> Mapping[str, Any]:
    right = house_setting(table)
    given = command.details.get("setting")
    if not given:
        return {"setting": right, "right": True}
    return {"setting": tuple(map(tuple, given)), "right": same_setting(given, right)}


def _dealer_set(table: Table, event: Event) -> Table:
    right, setting = event.outcome["right"], event.outcome["setting"]
    marks = table.play.marks | ({"dealer_set"} if right else {"dealer_set", "dealer_wrong"})
    table = table.with_play(dealer_setting=setting, marks=marks)
    return changed(table, phase=Phase.SETTLING, play=changed(table.play, table=round_of(table)))


def _set_right(table: Table, command: Command) -> bool:
    if not table.play.dealer_cards:
        return True  # nothing to compare with yet; that is refused by itself
    return not command.get("setting") or same_setting(command.get("setting"), house_setting(table))


def _reset(table: Table, _: Command, __: Moment) -> Mapping[str, Any]:
    """Set the dealer's hand anew, and settle anew what was settled on the wrong one."""
    law = irregularity(table.rules, "dealer_set_wrongly").clauses
    rest_on(*law)
    right = house_setting(table)
    again = changed(table, play=changed(table.play, dealer_setting=right, table=None))
    again = again.with_play(table=round_of(again))
    payments: list[Payment] = []
    races = {}
    for hand in table.play.playing():
        old = [p for p in standing_payments(table.play.payments, hand.position) if _by_the_race(p)]
        if hand.race is None and not old:
            continue
        payments += [undo(payment, "the dealer's hand was set wrongly") for payment in reversed(old)]
        area = area_at(again, hand.position)
        new: list[Payment] = []
        race = run_race(the_round(again), area) if hand.race else None
        for terms in table.rules.game.wager:
            if terms.id in hand.settled and terms.family != "progressive":
                more, race = pay_wager(the_round(again), area, terms.id, race, new)
                new += more
        payments += new
        races[hand.position] = race
    return paying(payments, table, setting=right, races=races, clauses=law)


def _by_the_race(payment: Payment) -> bool:
    return payment.kind in (Kind.COLLECT, Kind.RETURN, Kind.PAY) and payment.wager != "progressive"


def _was_reset(table: Table, event: Event) -> Table:
    table = paid(table, event)
    table = table.with_play(
        dealer_setting=event.get("setting"), marks=(table.play.marks - {"dealer_wrong"}) | {"reset"}
    )
    table = table.with_play(table=round_of(table))
    for position, race in event.get("races").items():
        table = table.with_hand(position, race=race)
    return table


def _typed(table: Table, _: Command) -> bool:
    return table.source is not Source.VIRTUAL_DECK


def _enterable(table: Table, command: Command) -> bool:
    """The dealer's cards once turned over; a player's when the hands are opened."""
    if command.position == table.dealer_at:
        return table.phase is Phase.DEALER and not table.play.dealer_cards
    hand = table.play.hands.get(command.position or 0)
    return table.phase is Phase.SETTLING and hand is not None and not hand.cards


def _parts(command: Command) -> Setting:
    return tuple(tuple(part) for part in command.get("setting"))


def _entered_whole(table: Table, command: Command) -> bool:
    cards = [card for part in _parts(command) for card in part]
    return len(cards) == len(set(cards)) == table.rules.game.hand_cards


def _new_cards(table: Table, command: Command) -> bool:
    """No card may be in two hands."""
    known: set[int] = set(table.play.dealer_cards)
    for hand in table.play.hands.values():
        known |= set(hand.cards)
    for at, parts in table.play.typed.items():
        known |= {card for part in parts for card in part} if at != command.position else set()
    return not any(card in known for part in _parts(command) for card in part)


def _entry_problems(table: Table, command: Command, _: datetime) -> Iterable[Problem]:
    """Parts of wrong sizes are refused at once where the law refuses them; elsewhere they are a foul."""
    order = table.rules.ranking()
    if command.position == table.dealer_at or order.document.split.wrong != "refused":
        return ()
    cards = [card for part in _parts(command) for card in part]
    return verify_split(order, cards, _parts(command))


def _reopened(table: Table, event: Event) -> Table:
    at = event.position or 0
    table = table.with_hand(at, cards=(), setting=None)
    return table.with_play(table=round_of(table), whole=None)


def _entered(table: Table, event: Event) -> Table:
    parts = tuple(tuple(part) for part in event.get("setting"))
    return table.with_play(typed={**table.play.typed, event.position or 0: parts})


def _is_entered(table: Table, command: Command) -> bool:
    return command.position in table.play.typed


def _confirmed(table: Table, event: Event) -> Table:
    at = event.position or 0
    parts: Setting = table.play.typed[at]
    cards: Cards = tuple(card for part in parts for card in part)
    typed = {p: s for p, s in table.play.typed.items() if p != at}
    table = table.with_play(typed=typed)
    if at == table.dealer_at:
        return table.with_play(dealer_cards=cards)
    table = table.with_hand(at, cards=cards, setting=parts)
    return table.with_play(table=round_of(table), whole=None)


def _suggest_turn(table: Table) -> Iterable[Command]:
    if _all_set(table, None) and table.play.playing():  # type: ignore[arg-type]
        yield Command("turn_over", dealer_of(table))


def _suggest_set(table: Table) -> Iterable[Command]:
    if table.play.dealer_cards:
        yield Command("set_dealer", dealer_of(table))


def _suggest_reset(table: Table) -> Iterable[Command]:
    if table.play.has("dealer_wrong"):
        yield Command("reset_dealer", dealer_of(table))


ENTRY = (
    sense("the cards of this table are known", _typed),
    sense("these cards are not open yet", _enterable),
    sense("every card of the hand, each once", _entered_whole),
    sense("a card that another hand holds", _new_cards),
)


register(
    Step(
        "turn_over",
        BY_DEALER_OR_DEVICE,
        (Phase.SETTING,),
        (
            Guard("double_offered", "the Double Down is offered first", _double_offered),
            always("all_set", "every player has set and placed his hand first", _all_set),
            sense("a player has still to choose about an exposed card", _none_choosing),
            sense("the floor has still to rule about a player who left", _left_ruled),
        ),
        evolve=lambda t, _: changed(t, phase=Phase.DEALER),
        suggest=_suggest_turn,
    ),
    Step(
        "set_dealer",
        BY_DEALER_OR_DEVICE,
        (Phase.DEALER,),
        (
            sense("the dealer's cards are entered and confirmed first", _cards_known),
            sense("the dealer's own cards, each once, in parts of the game's sizes", _uses_cards),
            sense("a player has still to choose about an exposed card", _none_choosing),
            Guard("house_way", "the dealer's hand is set by the house way and no other", _set_right),
            Guard("right", "not the house way: the hand is to be reset", _set_right, warns=True),
        ),
        takes={"setting?": tuple},
        outcome=_setting,
        evolve=_dealer_set,
        onward=next_hand,
        suggest=_suggest_set,
    ),
    Step(
        "reset_dealer",
        BY_DEALER | FLOOR,
        (Phase.SETTLING,),
        (sense("the dealer's hand is set the house way", lambda t, _: t.play.has("dealer_wrong")),),
        outcome=_reset,
        evolve=_was_reset,
        suggest=_suggest_reset,
    ),
    Step(
        "enter_hand",
        BY_DEALER_OR_DEVICE,
        (Phase.DEALER, Phase.SETTLING),
        (
            *ENTRY,
            sense("cards are entered: correct them", lambda t, c: not _is_entered(t, c)),
        ),
        takes={"setting": tuple},
        further=_entry_problems,
        evolve=_entered,
    ),
    Step(
        "correct_entry",
        BY_DEALER,
        (Phase.DEALER, Phase.SETTLING),
        (
            *ENTRY,
            sense("nothing was entered, or it is confirmed", _is_entered),
        ),
        takes={"setting": tuple, "reason": str},
        further=_entry_problems,
        evolve=_entered,
    ),
    Step(
        "confirm_entry",
        BY_DEALER,
        (Phase.DEALER, Phase.SETTLING),
        (sense("nothing was entered", _is_entered),),
        evolve=_confirmed,
    ),
    Step(
        "reopen_entry",
        FLOOR,
        (Phase.SETTLING,),
        (
            sense("the cards of this table are known", _typed),
            sense("nothing is confirmed there", lambda t, c: bool(hand_of(t, c).cards)),
            sense("the hand is opened", lambda t, c: not hand_of(t, c).shown),
            sense("the hand lies rearranged, or is racked", hand_has_not("rearranged", "racked")),
            sense("the reason is put on record", lambda _, c: bool(c.get("reason", "").strip())),
        ),
        takes={"reason": str},
        needs="hand",
        evolve=_reopened,
    ),
)
