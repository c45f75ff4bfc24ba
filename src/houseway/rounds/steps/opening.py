"""A table opens: decks received, inspected, spread, looked over, washed and stacked; the room ready."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any

from houseway.games.opening import Opening, Pack, verify_open
from houseway.law.checklist import checklist, verify_attested
from houseway.law.claims import standing
from houseway.law.problems import Problem
from houseway.rng import SealedDeck
from houseway.rounds.dealing import SEATS
from houseway.rounds.state import Deck, Phase, Place, Source, Table, changed
from houseway.rounds.step import (
    BY_DEALER,
    BY_PLAYER_OR_DEALER,
    FLOOR,
    Command,
    Event,
    Guard,
    Moment,
    Role,
    Step,
    in_law,
    law_of,
    register,
)
from houseway.rounds.steps.common import (
    FLOORPERSON,
    always,
    dealer_of,
    deck_has,
    deck_has_not,
    deck_of,
    decks_to,
    marks_deck,
    sense,
)

OPENING = (Phase.CLOSED, Phase.OPENING, Phase.BETTING, Phase.IDLE)


READY = ("inspected", "verified", "spread", "viewed", "turned_down", "washed", "stacked")


PREINSPECTED = ("(u)", "(v)")


TWO_JOKERS = 2


def _skips(table: Table, command: Command) -> bool:
    """Whether a deck came inspected and shuffled, so that nothing need be done to it before it is cut."""
    given = str(command.get("preshuffled") or "")
    return given.endswith(PREINSPECTED) and in_law(table, "receive_deck", "preinspected")


def _received(table: Table, command: Command, moment: Moment) -> Mapping[str, Any]:
    skips = _skips(table, command)
    sealed = None
    if skips and table.source is Source.VIRTUAL_DECK:
        sealed = SealedDeck.shuffle(table.rules.game.cards().cards, moment.entropy)
    return {"skips": skips, "sealed": sealed}


def _first_marks(table: Table, *, skips: bool) -> list[str]:
    """Return what is done to a deck when it comes: all of it, or all the law asks for before a shuffle."""
    if skips:
        return [*READY, "shuffled", "squared", "preshuffled"]
    return [] if "inspect_deck" in table.rules.game.procedure else list(READY)


def _receive(table: Table, event: Event) -> Table:
    skips, sealed = event.get("skips"), event.get("sealed")
    jokers = event.get("jokers", 1)
    deck = Deck(
        name=event.get("deck"),
        received=event.at,
        jokers=jokers,
        cards=event.get("cards", len(table.rules.game.cards()) + jokers - 1),
        marks=frozenset(_first_marks(table, skips=skips)),
        shuffled_by=event.get("reshuffled_by", "manual") if skips else None,
        sealed=sealed,
        order=sealed.order if sealed else (),
    )
    phase = Phase.OPENING if table.phase is Phase.CLOSED else table.phase
    return changed(table, phase=phase, decks={**table.decks, deck.name: deck})


def _room_for(table: Table, _: Command) -> bool:
    held = [deck for deck in table.decks.values() if not deck.has("removed")]
    return len(held) < table.rules.submission.table.decks


def _open_problems(table: Table, command: Command, _: datetime) -> Iterator[Problem]:
    """Yield what is not yet ready: packs, the physical things, notices."""
    packs = tuple(
        Pack(cards=deck.cards, jokers=deck.jokers, second_joker_removed=deck.has("torn"))
        for deck in table.decks.values()
        if not deck.has("removed")
    )
    yield from verify_open(table.rules, Opening(packs=packs, notices=table.notices))
    rule_set = table.rules.game.rule_set
    if rule_set:
        yield from verify_attested(rule_set, command.get("checklist", ()), table.rules.spared())
    positions = table.rules.submission.table.positions
    chosen = table.rules.readings.get("fewer_than_six_positions")
    if chosen == "six_required" and positions != SEATS - 1:
        law = standing(law_of(table, "open_table", "positions"))
        yield Problem("table.positions", "seven stacks are dealt: six player positions", str(positions), law)


def _approved(what: str) -> Guard:
    """Ask for the approval of a piece of equipment, where the table uses it."""

    def holds(table: Table, _: Command) -> bool:
        methods = table.rules.submission.table.start_methods
        used = what in methods or what == "layout"
        return not used or bool(table.rules.submission.approvals.get(what))

    return Guard(f"{what}_approved", f"the {what} needs its approval on file", holds)


SHUFFLER_GAMES = {
    "iverify_hwv": ("Fortune Asia Poker",),
    "iverify": ("Fortune Asia Poker",),
    "led": ("Fortune Asia Poker", "Fortune Pai Gow Poker"),
    "dice_cup": ("Fortune Asia Poker", "Fortune Pai Gow Poker"),
}
"""The settings of the shuffler that each procedure allows."""


def shuffler_set(table: Table, _: Command) -> bool:
    """Whether the shuffler is set to a game that the table's procedure allows."""
    return any(table.has(f"shuffler:{game}") for game in SHUFFLER_GAMES.get(table.way, ()))


def _allowed_setting(table: Table, command: Command) -> bool:
    return command.get("game") in SHUFFLER_GAMES.get(table.way, ())


def _set_shuffler(table: Table, event: Event) -> Table:
    marks = frozenset(mark for mark in table.marks if not mark.startswith("shuffler:"))
    return changed(table, marks=marks | {f"shuffler:{event.get('game')}"})


def _suggest_setting(table: Table) -> Iterable[Command]:
    if not shuffler_set(table, FLOOR_COMMAND):
        yield Command("set_shuffler", dealer_of(table), details={"game": "Fortune Asia Poker"})


def _dice_map(table: Table, _: Command) -> bool:
    return table.way != "dice_cup" or bool(table.rules.submission.table.position_map)


FLOOR_COMMAND = Command("", FLOORPERSON)


def _proof_stored(table: Table, _: Command) -> bool:
    return table.has("proof")


def _odds_shown(_: Table, command: Command) -> bool:
    return command.get("odds_shown") in ("layout", "sign")


def _limit_shown(table: Table, command: Command) -> bool:
    return table.rules.submission.payout_limit is None or command.get("limit_shown") in ("layout", "sign")


def _tip_box(table: Table, command: Command) -> bool:
    other = command.get("tip_box")
    return not other or bool(other.get("approval") and other.get("equipment"))


def _decks_ready(table: Table, _: Command) -> bool:
    held = [deck for deck in table.decks.values() if not deck.has("removed")]
    return bool(held) and all(deck.marks.issuperset(READY) and deck.has("shuffled") for deck in held)


def _opened(table: Table, event: Event) -> Table:
    marks = table.marks | {"open", f"odds_on_{event.get('odds_shown')}"}
    return changed(table, phase=Phase.BETTING, marks=marks)


def _open_command(table: Table) -> Iterable[Command]:
    every = [item.clause for item in checklist(table.rules.game.rule_set or "")]
    items = tuple(item for item in every if item not in table.rules.spared())
    details = {"checklist": items, "odds_shown": "sign", "limit_shown": "sign"}
    return [Command("open_table", FLOORPERSON, details=details)]


def _spread_whole(table: Table, command: Command) -> bool:
    deck = deck_of(table, command)
    return bool(command.get("seen", deck.cards - deck.has("torn")) == len(table.rules.game.cards()))


def _one_joker_seen(table: Table, command: Command) -> bool:
    deck = deck_of(table, command)
    return deck.jokers < TWO_JOKERS or deck.marks.issuperset({"joker_by_dealer", "joker_by_floor"})


def _joker_attested(table: Table, event: Event) -> Table:
    whose = "joker_by_dealer" if event.by.role is Role.DEALER else "joker_by_floor"
    return table.mark_deck(event.get("deck"), whose)


def _tear(table: Table, event: Event) -> Table:
    return table.mark_deck(event.get("deck"), "torn")


def _inspected(table: Table, event: Event) -> Table:
    found = ("inspected", f"by:{event.by.name}")
    if event.get("defects"):
        return table.with_deck(event.get("deck"), marks=frozenset({"removed"}), place=Place.REMOVED)
    return table.mark_deck(event.get("deck"), *found)


def _by_another(table: Table, command: Command) -> bool:
    return f"by:{command.by.name}" not in deck_of(table, command).marks


def _suggest_jokers(table: Table) -> Iterable[Command]:
    for deck in table.decks.values():
        if deck.jokers < TWO_JOKERS or not deck.has("inspected"):
            continue
        for mark, actor in (("joker_by_dealer", dealer_of(table)), ("joker_by_floor", FLOORPERSON)):
            if not deck.has(mark):
                yield Command("attest_joker", actor, details={"deck": deck.name})


def _suggest_tear(table: Table) -> Iterable[Command]:
    for deck in table.decks.values():
        if deck.jokers >= TWO_JOKERS and deck.has("joker_by_floor") and not deck.has("torn"):
            details = {"deck": deck.name, "container": f"box of {deck.name}"}
            yield Command("tear_joker", dealer_of(table), details=details)


def _suggest_verify(table: Table) -> Iterable[Command]:
    for command in decks_to(table, "verify_inspection", ["inspected"], ["verified", "removed"]):
        yield Command(command.step, FLOORPERSON, details=command.details)


def _suggest_receive(table: Table) -> Iterable[Command]:
    if table.phase in (Phase.CLOSED, Phase.OPENING) and _room_for(table, Command("", FLOORPERSON)):
        jokers = table.rules.submission.table.pack_jokers
        name = "AB"[len(table.decks) % 2] + str(len(table.decks) // 2 or "")
        yield Command("receive_deck", dealer_of(table), details={"deck": name, "jokers": jokers})


def _washed_or_to_device(table: Table, command: Command) -> bool:
    """Cards spread at an idle table that go back into the shuffler are only stacked."""
    idle = table.phase is Phase.IDLE and "swap_decks" in table.rules.game.procedure
    into_device = idle and table.rules.submission.table.shuffler == "automated"
    return into_device or deck_of(table, command).has("washed")


DECK = {"deck": str}


register(
    Step(
        "receive_deck",
        BY_DEALER,
        OPENING,
        (
            sense("a deck of this name is at the table", lambda t, c: c.get("deck") not in t.decks),
            sense("the table has all its decks", _room_for),
        ),
        takes={
            **DECK,
            "jokers?": int,
            "cards?": int,
            "preshuffled?": str,
            "reshuffled_by?": str,
        },
        outcome=_received,
        evolve=_receive,
        suggest=_suggest_receive,
    ),
    Step(
        "inspect_deck",
        BY_DEALER,
        OPENING,
        (sense("the deck is inspected already", deck_has_not("inspected")),),
        takes={**DECK, "defects?": str},
        needs="deck",
        evolve=_inspected,
        suggest=lambda t: decks_to(t, "inspect_deck", [], ["inspected", "removed"]),
    ),
    Step(
        "verify_inspection",
        FLOOR,
        OPENING,
        (
            Guard("after_inspection", "the dealer inspects first", deck_has("inspected")),
            Guard("another", "somebody other than the dealer verifies", _by_another),
        ),
        takes=DECK,
        needs="deck",
        evolve=marks_deck("verified"),
        suggest=_suggest_verify,
    ),
    Step(
        "attest_joker",
        BY_DEALER | FLOOR,
        OPENING,
        (sense("the pack has one joker", lambda t, c: deck_of(t, c).jokers >= TWO_JOKERS),),
        takes=DECK,
        needs="deck",
        evolve=_joker_attested,
        suggest=_suggest_jokers,
    ),
    Step(
        "tear_joker",
        BY_DEALER,
        OPENING,
        (
            sense("the pack has one joker", lambda t, c: deck_of(t, c).jokers >= TWO_JOKERS),
            sense("a joker is torn already", deck_has_not("torn")),
            Guard(
                "put_away",
                "the torn joker goes back into the deck's own box, envelope or container",
                lambda _, c: c.get("container", "").strip().startswith(("box", "envelope", "container")),
            ),
        ),
        takes={**DECK, "container?": str},
        needs="deck",
        evolve=_tear,
        suggest=_suggest_tear,
    ),
    Step(
        "spread_deck",
        BY_DEALER,
        OPENING,
        (
            sense("the deck is spread already", deck_has_not("spread", "removed")),
            Guard("after_inspection", "the dealer inspects the cards first", deck_has("inspected")),
            Guard("after_verification", "a floorperson verifies the inspection first", deck_has("verified")),
            Guard("one_joker", "dealer and floorperson first make sure of one joker", _one_joker_seen),
            Guard(
                "one_joker_dealer",
                "the dealer first makes sure of one joker",
                lambda t, c: deck_of(t, c).jokers < TWO_JOKERS or deck_of(t, c).has("joker_by_dealer"),
            ),
            Guard(
                "one_joker_floor",
                "a floorperson first makes sure of one joker",
                lambda t, c: deck_of(t, c).jokers < TWO_JOKERS or deck_of(t, c).has("joker_by_floor"),
            ),
            Guard(
                "torn",
                "the second joker is torn and put away first",
                lambda t, c: deck_of(t, c).jokers < TWO_JOKERS or deck_of(t, c).has("torn"),
            ),
            Guard("whole", "every card with the one joker lies in the spread", _spread_whole),
        ),
        takes={**DECK, "seen?": int},
        needs="deck",
        evolve=marks_deck("spread"),
        suggest=lambda t: decks_to(t, "spread_deck", ["verified"], ["spread", "removed"]),
    ),
    Step(
        "view_spread",
        BY_PLAYER_OR_DEALER,
        OPENING,
        (sense("the cards are not spread", deck_has("spread")),),
        takes=DECK,
        needs="deck",
        evolve=marks_deck("viewed"),
        suggest=lambda t: decks_to(t, "view_spread", ["spread"], ["viewed"]),
    ),
    Step(
        "turn_down",
        BY_DEALER,
        OPENING,
        (
            Guard("after_view", "the first player may look the cards over first", deck_has("viewed")),
            sense("the cards are not spread", deck_has("spread")),
        ),
        takes=DECK,
        needs="deck",
        evolve=marks_deck("turned_down"),
        suggest=lambda t: decks_to(t, "turn_down", ["spread", "viewed"], ["turned_down"]),
    ),
    Step(
        "wash",
        BY_DEALER,
        OPENING,
        (
            Guard("after_spread", "the cards are spread face up first", deck_has("spread")),
            Guard("after_view", "the first player may look the cards over first", deck_has("viewed")),
            Guard("after_turning", "the cards are turned face down first", deck_has("turned_down")),
        ),
        takes=DECK,
        needs="deck",
        evolve=marks_deck("washed"),
        suggest=lambda t: decks_to(t, "wash", ["turned_down"], ["washed"]),
    ),
    Step(
        "stack",
        BY_DEALER,
        OPENING,
        (Guard("after_wash", "the cards are washed first", _washed_or_to_device),),
        takes=DECK,
        needs="deck",
        evolve=marks_deck("stacked"),
        suggest=lambda t: decks_to(t, "stack", ["washed"], ["stacked"]),
    ),
    Step(
        "set_shuffler",
        BY_DEALER | FLOOR,
        (Phase.CLOSED, Phase.OPENING, Phase.BETTING),
        (always("game", "the shuffler is set to another game", _allowed_setting),),
        takes={"game": str},
        evolve=_set_shuffler,
        suggest=_suggest_setting,
    ),
    Step(
        "open_table",
        FLOOR,
        (Phase.OPENING,),
        (
            sense("a dealer must be at the table", lambda t, _: t.dealer is not None),
            always("each_deck", "each deck is spread, inspected, mixed and stacked by itself", _decks_ready),
            _approved("layout"),
            _approved("shaker"),
            _approved("rng"),
            _approved("button"),
            Guard("odds_shown", "the odds stand on the layout or on a sign", _odds_shown),
            Guard("limit_shown", "the payout limit's amount stands on the layout or on a sign", _limit_shown),
            Guard("house_way", "the house way is loaded", lambda t, _: bool(t.rules.submission.house_way)),
            Guard("shuffler_set", "the shuffler is set to the game first", shuffler_set),
            Guard("dice_procedure", "the dice procedure says which spot each number means", _dice_map),
            Guard("proof_form", "no proof form of the layout is stored", _proof_stored, warns=True),
            Guard("tip_box", "another place for the tip box needs its approval and its reason", _tip_box),
        ),
        takes={"checklist?": tuple, "odds_shown?": str, "limit_shown?": str, "tip_box?": dict},
        further=_open_problems,
        evolve=_opened,
        suggest=_open_command,
    ),
)
