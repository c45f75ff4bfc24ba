"""The players' part: they look, ask, double, and set their hands once, in the law's order."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from itertools import chain
from typing import Any

from houseway.games.wagers import verify_wagers
from houseway.law.claims import standing
from houseway.law.problems import Problem
from houseway.money import Cents, dollars
from houseway.ranking import verify_setting, verify_split
from houseway.rounds.record import set_dealer
from houseway.rounds.state import NOTHING, Hand, Phase, Source, Table
from houseway.rounds.step import (
    BY_DEALER,
    BY_PLAYER,
    BY_PLAYER_OR_DEALER,
    Command,
    Event,
    Guard,
    Moment,
    Role,
    Step,
    register,
)
from houseway.rounds.steps.common import (
    always,
    dealer_of,
    hand_has,
    hand_has_not,
    hand_of,
    is_playing,
    marks_hand,
    of_marked,
    play_has,
    player_at,
    sense,
)
from houseway.settlement import Status
from houseway.settlement.model import DOUBLE_DOWN

_TYPED = Source.TYPED


def _own(table: Table, command: Command) -> bool:
    return hand_of(table, command).person == command.by.name


def _own_or_dealer(table: Table, command: Command) -> bool:
    return _own(table, command) or command.by.role is Role.DEALER


def beside(table: Table, hand: Hand) -> Hand | None:
    """Return the other hand of a player who has two areas."""
    his = [other for other in table.play.hands.values() if other.person == hand.person]
    if len(his) == 1:
        return None
    return next((other for other in his if other is not hand and other in table.play.playing()), None)


def _larger_first(table: Table, command: Command) -> bool:
    hand = hand_of(table, command)
    other = beside(table, hand)
    return other is None or other.has("placed") or other.amount("main") <= hand.amount("main")


def _lower_first(table: Table, command: Command) -> bool:
    hand = hand_of(table, command)
    other = beside(table, hand)
    if other is None or other.has("placed") or other.amount("main") != hand.amount("main"):
        return True
    return hand.position < other.position


def _own_cards(table: Table, command: Command) -> bool:
    setting = command.details.get("setting")
    return not setting or {*hand_of(table, command).cards}.issuperset(chain.from_iterable(setting))


def _setting_known(table: Table, command: Command) -> bool:
    return (table.source is _TYPED) != bool(command.details.get("setting"))


def _split_problems(table: Table, command: Command, _: datetime) -> Iterable[Problem]:
    """A setting that does not use the dealt cards is refused where the law refuses it; else it is a foul."""
    setting = command.details.get("setting")
    if not setting:
        return ()
    order = table.rules.ranking()
    wrong = verify_split(order, hand_of(table, command).cards, setting)
    if not wrong:
        return verify_setting(order, setting) if table.rules.banked else ()
    if order.document.split.wrong == "refused":
        return wrong
    held = sorted(hand_of(table, command).cards)
    if sorted(card for part in setting for card in part) != held:
        return (Problem("set", "every dealt card is set, once"),)
    return ()


def _set(table: Table, event: Event) -> Table:
    hand = hand_of(table, event)
    marks = hand.marks | ({"placed", "by_dealer"} if event.by.role is Role.DEALER else {"placed"})
    setting = event.details.get("setting")
    given = tuple(map(tuple, setting)) if setting else hand.setting
    return table.with_hand(hand.position, setting=given, marks=marks)


def _all_looked(table: Table, _: Command) -> bool:
    absent = (Status.ABANDONED, Status.SURRENDERED)
    return all(h.has("looked") or h.has("left") or h.status in absent for h in table.play.playing())


def _double_problems(table: Table, command: Command, _: datetime) -> Iterable[Problem]:
    hand = hand_of(table, command)
    amount = command.get("amount", hand.amount("main"))
    if not isinstance(amount, Cents):
        return (Problem("double_down", "an amount of money is needed", repr(amount)),)
    if amount <= 0:
        terms = table.rules.game.wager_terms(DOUBLE_DOWN)
        law = standing([terms.equals_main] if terms.equals_main else [])
        return (Problem("double_down", "must equal the main wager", dollars(amount), law),)
    return verify_wagers(table.rules, {"main": hand.amount("main"), DOUBLE_DOWN: amount})


def _double(table: Table, event: Event) -> Table:
    hand = hand_of(table, event)
    wagers = {**hand.wagers, DOUBLE_DOWN: event.get("amount", hand.amount("main"))}
    return table.with_hand(hand.position, wagers=wagers)


def _advice(table: Table, command: Command, _: Moment) -> Mapping[str, Any]:
    if by_display(table):
        return NOTHING  # shown when everybody else has set
    way, decision = set_dealer(table.rules, hand_of(table, command).cards)
    return {"setting": tuple(part[::-1] for part in decision.setting), "rule": decision.rule, "way": way.id}


def _helped(table: Table, event: Event) -> Table:
    """With a house-way display the request stands: the display sets the hand when its turn comes."""
    return table.mark_hand(event.position or 0, "asked" if by_display(table) else "helped")


def by_display(table: Table) -> bool:
    """Whether a player's house way is shown on the display, and set by it."""
    return table.way == "iverify_hwv"


def _by_hand(table: Table, command: Command) -> bool:
    """Under the strict reading of wa:W11 the dealer sets by hand for those who may not use the display."""
    strict = table.rules.readings.get("wa_house_way_requests") == "strict"
    return strict and command.by.role is Role.DEALER


def _as_asked(table: Table, command: Command) -> bool:
    """What the dealer sets for somebody who asked for help is the house way and nothing else."""
    hand, given = hand_of(table, command), command.get("setting")
    if not given or not hand.cards:
        return True
    _, decision = set_dealer(table.rules, hand.cards)
    return [set(part) for part in given] == [set(part) for part in decision.setting]


def _not_on_display(table: Table, command: Command) -> bool:
    """Whether the display does not show the house way of this hand just now."""
    screen = table.play.screen
    return not screen or screen.rpartition(" ")[2] != str(command.position)


def _suggest_look(table: Table) -> Iterable[Command]:
    for hand in table.play.playing():
        if not hand.has("looked") and not hand.has("left") and hand.status is Status.PLAYED:
            yield Command("look", player_at(table, hand.position), hand.position)


def _suggest_offer(table: Table) -> Iterable[Command]:
    if table.rules.offers(DOUBLE_DOWN) and not table.play.has("double_offered") and _all_looked(table, None):  # type: ignore[arg-type]
        yield Command("offer_double", dealer_of(table))


def _suggest_set(table: Table) -> Iterable[Command]:
    """Suggest that every player who has not set his hand sets it the house way."""
    for hand in table.play.playing():
        if hand.has("placed") or hand.status is not Status.PLAYED:
            continue
        details = {}
        if hand.cards:
            _, decision = set_dealer(table.rules, hand.cards)
            details = {"setting": tuple(part[::-1] for part in decision.setting)}
        by = dealer_of(table) if hand.has("left") else player_at(table, hand.position)
        yield Command("set", by, hand.position, details)


register(
    Step(
        "look",
        BY_PLAYER,
        (Phase.SETTING,),
        (
            Guard("after_deal", "the cards are looked at when the deal is complete", play_has("collected")),
            always("owner", "only the player and the dealer touch the cards", _own),
            always("choice_first", "the exposed hand is first played or voided", hand_has_not("choosing")),
            sense("the hand is not in play", is_playing),
        ),
        needs="hand",
        evolve=marks_hand("looked"),
        suggest=_suggest_look,
    ),
    Step(
        "ask_help",
        BY_PLAYER,
        (Phase.SETTING,),
        (
            sense("only the player of the hand", _own),
            sense("the hand is set", hand_has_not("placed")),
            sense("the cards are not known here", lambda t, c: bool(hand_of(t, c).cards)),
            sense("the cards are looked at first", hand_has("looked")),
        ),
        needs="hand",
        outcome=_advice,
        evolve=_helped,
    ),
    Step(
        "set",
        BY_PLAYER_OR_DEALER,
        (Phase.SETTING,),
        (
            always("owner", "each player sets his own hand", _own_or_dealer),
            sense("the hand is not in play", is_playing),
            sense("the exposed hand is first played or voided", hand_has_not("choosing")),
            always("once", "a hand set and placed is not changed", hand_has_not("placed")),
            always("untouched", "a placed hand is not touched again", hand_has_not("placed")),
            always("own_cards", "the cards of each area are played separately", _own_cards),
            Guard("larger_first", "the hand with the larger wager is set first", _larger_first),
            Guard("lower_first", "equal wagers: counterclockwise, one hand after the other", _lower_first),
            sense("the house way was asked for: the display sets the hand", of_marked("asked", _by_hand)),
            sense("who asked for the house way gets it", of_marked("asked", _as_asked)),
            sense("the display shows the hand: it is left first", _not_on_display),
            sense("the setting is given, except where the cards are typed in later", _setting_known),
        ),
        takes={"setting?": tuple},
        needs="hand",
        further=_split_problems,
        evolve=_set,
        suggest=_suggest_set,
    ),
    Step(
        "offer_double",
        BY_DEALER,
        (Phase.SETTING,),
        (
            sense("the table does not offer it", lambda t, _: t.rules.offers(DOUBLE_DOWN)),
            sense("it was offered", lambda t, _: not t.play.has("double_offered")),
            Guard("all_looked", "every player has looked at the cards first", _all_looked),
        ),
        evolve=lambda t, _: t.mark_play("double_offered"),
        suggest=_suggest_offer,
    ),
    Step(
        "double_down",
        BY_PLAYER_OR_DEALER,
        (Phase.SETTING,),
        (
            sense("only the player of the hand", _own_or_dealer),
            sense("the hand is not in play", is_playing),
            always("offered", "the dealer offers it once all have looked", play_has("double_offered")),
            sense("the hand is doubled", lambda t, c: not hand_of(t, c).amount(DOUBLE_DOWN)),
        ),
        takes={"amount?": Cents},
        needs="hand",
        further=_double_problems,
        evolve=_double,
    ),
)
