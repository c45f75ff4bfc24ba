"""A table opens: decks received, inspected, spread, looked over, washed and stacked; the room ready."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from houseway.games import Rules
from houseway.games.opening import Opening, Pack, verify_open
from houseway.law.checklist import checklist, verify_attested
from houseway.law.claims import standing
from houseway.law.problems import Problem
from houseway.rounds.actions import (
    Action,
    AttestJoker,
    Display,
    InspectDeck,
    OnDeck,
    OpenTable,
    ReceiveDeck,
    SetShuffler,
    SpreadDeck,
    Stack,
    TearJoker,
    TurnDown,
    VerifyInspection,
    ViewSpread,
    Wash,
)
from houseway.rounds.dealing import SEATS
from houseway.rounds.marks import READY, DeckMark, TableMark
from houseway.rounds.outcomes import DeckReceived
from houseway.rounds.roles import Role
from houseway.rounds.state import CardOrigin, Phase, Place, Table, TableDeck, changed
from houseway.rounds.step import (
    AnyStep,
    Check,
    Event,
    Guard,
    Holds,
    Proposal,
    Situation,
    Step,
    in_law,
    law_of,
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
    moot,
    sense,
)

OPENING: Final = (Phase.CLOSED, Phase.OPENING, Phase.BETTING, Phase.IDLE)
TWO_JOKERS: Final = 2
CONTAINERS: Final = ("box", "envelope", "container")
NUMBERED: Final = re.compile(r"\S*\d\S*")
CAME_SHUFFLED: Final = READY | {DeckMark.SHUFFLED, DeckMark.SQUARED, DeckMark.PRESHUFFLED}
"""What need not be done to a deck that came inspected and shuffled."""


# --- a deck comes to the table ------------------------------------------------------------------------


def _held(table: Table) -> list[TableDeck]:
    return [deck for deck in table.decks.values() if not deck.has(DeckMark.REMOVED)]


def _room_for(rules: Rules, table: Table) -> bool:
    return len(_held(table)) < rules.submission.table.decks


def _may_come_shuffled(s: Situation, action: ReceiveDeck) -> bool:
    return action.preshuffled is None or in_law(s.rules, "receive_deck", "preinspected")


def _received(s: Situation, action: ReceiveDeck) -> DeckReceived:
    """Where the law has decks come inspected and shuffled, nothing need be done to them before the cut."""
    pack = s.rules.game.cards()
    cards = len(pack) + action.jokers - 1 if action.cards is None else action.cards
    if action.preshuffled is not None and _may_come_shuffled(s, action):
        virtual = s.table.source is CardOrigin.VIRTUAL_DECK
        return DeckReceived(cards, CAME_SHUFFLED, s.moment.cards.shuffle(pack.cards) if virtual else None)
    return DeckReceived(cards, frozenset() if "inspect_deck" in s.rules.game.procedure else READY)


def _receive(table: Table, event: Event[ReceiveDeck, DeckReceived]) -> Table:
    action, came = event.action, event.outcome
    deck = TableDeck(
        name=action.deck,
        received=event.at,
        jokers=action.jokers,
        cards=came.cards,
        marks=came.marks,
        shuffled_by=action.reshuffled_by if DeckMark.PRESHUFFLED in came.marks else None,
        commitment=came.commitment,
    )
    phase = Phase.OPENING if table.phase is Phase.CLOSED else table.phase
    decks = dict(sorted({**table.decks, deck.name: deck}.items()))
    return changed(table, phase=phase, decks=decks)


def _suggest_receive(rules: Rules, table: Table) -> Iterable[Proposal]:
    if table.phase in (Phase.CLOSED, Phase.OPENING):
        yield from next_deck(rules, table)


def next_deck(rules: Rules, table: Table) -> Iterable[Proposal]:
    """Yield that the dealer receives a deck, if one is missing."""
    if _room_for(rules, table):
        name = "AB"[len(table.decks) % 2] + str(len(table.decks) // 2 or "")
        yield Proposal(dealer_of(table), ReceiveDeck(name, rules.submission.table.pack_jokers))


# --- it is inspected ----------------------------------------------------------------------------------


def _inspected(table: Table, event: Event[InspectDeck, None]) -> Table:
    name = event.action.deck
    if event.action.defects:
        removed = frozenset({DeckMark.REMOVED})
        return table.with_deck(name, marks=removed, place=Place.REMOVED, inspected_by=None)
    marks = table.decks[name].marks | {DeckMark.INSPECTED}
    return table.with_deck(name, marks=marks, inspected_by=event.by.id)


def _by_another(s: Situation, action: VerifyInspection) -> bool:
    return deck_of(s, action).inspected_by != s.by.id


def _suggest_verify(_: Rules, table: Table) -> Iterable[Proposal]:
    lacks = [DeckMark.VERIFIED, DeckMark.REMOVED]
    for proposal in decks_to(table, VerifyInspection, [DeckMark.INSPECTED], lacks):
        yield Proposal(FLOORPERSON, proposal.action)


def _two_jokers(s: Situation, action: OnDeck) -> bool:
    return deck_of(s, action).jokers >= TWO_JOKERS


def _if_two_jokers(*marks: DeckMark) -> Holds[OnDeck]:
    """Ask whether all of this has been done to a deck that came with two jokers."""
    return lambda s, action: not _two_jokers(s, action) or deck_of(s, action).marks.issuperset(marks)


def _joker_attested(table: Table, event: Event[AttestJoker, None]) -> Table:
    by_dealer = event.by.role is Role.DEALER
    return table.mark_deck(
        event.action.deck, DeckMark.JOKER_BY_DEALER if by_dealer else DeckMark.JOKER_BY_FLOOR
    )


def _suggest_jokers(_: Rules, table: Table) -> Iterable[Proposal]:
    attesting = ((DeckMark.JOKER_BY_DEALER, dealer_of(table)), (DeckMark.JOKER_BY_FLOOR, FLOORPERSON))
    for deck in table.decks.values():
        if deck.jokers < TWO_JOKERS or not deck.has(DeckMark.INSPECTED):
            continue
        for mark, actor in attesting:
            if not deck.has(mark):
                yield Proposal(actor, AttestJoker(deck.name))


def _put_away(_: Situation, action: TearJoker) -> bool:
    """Whether the box, envelope or container is named, in whatever words, or the number it bears."""
    said = action.container.casefold()
    return any(one in said for one in CONTAINERS) or bool(NUMBERED.fullmatch(said.strip()))


def _suggest_tear(_: Rules, table: Table) -> Iterable[Proposal]:
    for deck in table.decks.values():
        attested = deck.has(DeckMark.JOKER_BY_FLOOR) and not deck.has(DeckMark.TORN)
        if deck.jokers >= TWO_JOKERS and attested:
            yield Proposal(dealer_of(table), TearJoker(deck.name, f"box of {deck.name}"))


# --- it is spread, washed and stacked -----------------------------------------------------------------


def _spread_whole(s: Situation, action: SpreadDeck) -> bool:
    deck = deck_of(s, action)
    seen = deck.cards - deck.has(DeckMark.TORN) if action.seen is None else action.seen
    return seen == len(s.rules.game.cards())


def _washed_or_to_device(s: Situation, action: Stack) -> bool:
    """Cards spread at an idle table that go back into the shuffler are only stacked."""
    idle = s.table.phase is Phase.IDLE and "swap_decks" in s.rules.game.procedure
    into_device = idle and s.rules.submission.table.shuffler == "automated"
    return into_device or deck_of(s, action).has(DeckMark.WASHED)


# --- the shuffler's setting ---------------------------------------------------------------------------


def shuffler_games(rules: Rules) -> tuple[str, ...]:
    """Return the games that the shuffler may be set to at a table."""
    listed = rules.game.shuffler_games.get(rules.way)
    return listed.get() if listed is not None else ()


def _shuffler_set(rules: Rules, table: Table) -> bool:
    """Whether the shuffler is set to a game that the table's procedure allows."""
    return table.shuffler_game in shuffler_games(rules)


def _allowed_setting(s: Situation, action: SetShuffler) -> bool:
    return action.game in shuffler_games(s.rules)


def _set_shuffler(table: Table, event: Event[SetShuffler, None]) -> Table:
    return changed(table, shuffler_game=event.action.game)


def _suggest_setting(rules: Rules, table: Table) -> Iterable[Proposal]:
    if not _shuffler_set(rules, table):
        yield Proposal(dealer_of(table), SetShuffler("Fortune Asia Poker"))


# --- the table opens ----------------------------------------------------------------------------------


def _unattested(s: Situation, action: OpenTable) -> Iterable[Problem]:
    """Find the physical things that nobody has attested."""
    rule_set = s.rules.game.rule_set
    spared = s.rules.spared(action.odds_shown)
    return verify_attested(rule_set, action.checklist, spared) if rule_set else ()


def _open_problems(s: Situation, _: OpenTable) -> Iterator[Problem]:
    """Yield what is not yet ready: packs, positions, notices."""
    rules = s.rules
    packs = tuple(
        Pack(cards=deck.cards, jokers=deck.jokers, second_joker_removed=deck.has(DeckMark.TORN))
        for deck in _held(s.table)
    )
    yield from verify_open(rules, Opening(packs=packs, notices=s.table.notices))
    positions = rules.submission.table.positions
    chosen = rules.readings.get("fewer_than_six_positions")
    if chosen == "six_required" and positions != SEATS - 1:
        law = standing(law_of(rules, "open_table", "positions"))
        yield Problem("table.positions", "seven stacks are dealt: six player positions", str(positions), law)


def _approved(what: str) -> Guard[Action]:
    """Ask for the approval of a piece of equipment, where the table uses it."""

    def holds(s: Situation, _: Action) -> bool:
        submission = s.rules.submission
        used = what in submission.table.start_methods or what == "layout"
        return not used or bool(submission.approvals.get(what))

    return Guard(f"{what}_approved", f"the {what} needs its approval on file", holds)


def _decks_ready(s: Situation, _: OpenTable) -> bool:
    held = _held(s.table)
    return bool(held) and all(deck.marks >= READY and deck.has(DeckMark.SHUFFLED) for deck in held)


def _odds_shown(_: Situation, action: OpenTable) -> bool:
    return action.odds_shown is not None


def _limit_shown(s: Situation, action: OpenTable) -> bool:
    return s.rules.submission.payout_limit is None or action.limit_shown is not None


def _dice_map(s: Situation, _: OpenTable) -> bool:
    table = s.rules.submission.table
    return s.rules.way != "dice_cup" or bool(table.position_map and table.dice)


def _tip_box(_: Situation, action: OpenTable) -> bool:
    other = action.tip_box
    return other is None or bool(other.approval and other.equipment)


def _opened(table: Table, event: Event[OpenTable, None]) -> Table:
    marks = table.marks | {TableMark.OPEN}
    shown = event.action.odds_shown
    return changed(table, phase=Phase.BETTING, marks=marks, odds_shown=shown, ready_since=event.at)


def _suggest_open(rules: Rules, _: Table) -> Iterable[Proposal]:
    spared = rules.spared(Display.SIGN)
    every = [item.clause for item in checklist(rules.game.rule_set or "")]
    items = tuple(item for item in every if item not in spared)
    yield Proposal(FLOORPERSON, OpenTable(items, Display.SIGN, Display.SIGN))


STEPS: Final[tuple[AnyStep, ...]] = (
    Step(
        action=ReceiveDeck,
        phases=OPENING,
        guards=(
            sense(
                "a deck of this name is at the table",
                lambda s, action: action.deck not in s.table.decks,
                "deck",
            ),
            moot("the table has all its decks", lambda s, _: _room_for(s.rules, s.table)),
            sense("no rule here lets a deck come inspected and shuffled", _may_come_shuffled, "preshuffled"),
        ),
        outcome=_received,
        evolve=_receive,
        suggest=_suggest_receive,
    ),
    Step(
        action=InspectDeck,
        phases=OPENING,
        guards=(moot("the deck is inspected already", deck_has_not(DeckMark.INSPECTED)),),
        evolve=_inspected,
        suggest=lambda _, table: decks_to(table, InspectDeck, [], [DeckMark.INSPECTED, DeckMark.REMOVED]),
    ),
    Step(
        action=VerifyInspection,
        phases=OPENING,
        guards=(
            Guard("after_inspection", "the dealer inspects first", deck_has(DeckMark.INSPECTED)),
            Guard("another", "somebody other than the dealer verifies", _by_another),
        ),
        evolve=marks_deck(DeckMark.VERIFIED),
        suggest=_suggest_verify,
    ),
    Step(
        action=AttestJoker,
        phases=OPENING,
        guards=(moot("the pack has one joker", _two_jokers),),
        evolve=_joker_attested,
        suggest=_suggest_jokers,
    ),
    Step(
        action=TearJoker,
        phases=OPENING,
        guards=(
            moot("the pack has one joker", _two_jokers),
            moot("a joker is torn already", deck_has_not(DeckMark.TORN)),
            Guard(
                "put_away",
                "the torn joker goes back into the deck's own box, envelope or container",
                _put_away,
                about=("container",),
            ),
        ),
        evolve=marks_deck(DeckMark.TORN),
        suggest=_suggest_tear,
    ),
    Step(
        action=SpreadDeck,
        phases=OPENING,
        guards=(
            moot("the deck is spread already", deck_has_not(DeckMark.SPREAD, DeckMark.REMOVED)),
            Guard("after_inspection", "the dealer inspects the cards first", deck_has(DeckMark.INSPECTED)),
            Guard(
                "after_verification",
                "a floorperson verifies the inspection first",
                deck_has(DeckMark.VERIFIED),
            ),
            Guard(
                "one_joker",
                "dealer and floorperson first make sure of one joker",
                _if_two_jokers(DeckMark.JOKER_BY_DEALER, DeckMark.JOKER_BY_FLOOR),
            ),
            Guard(
                "one_joker_dealer",
                "the dealer first makes sure of one joker",
                _if_two_jokers(DeckMark.JOKER_BY_DEALER),
            ),
            Guard(
                "one_joker_floor",
                "a floorperson first makes sure of one joker",
                _if_two_jokers(DeckMark.JOKER_BY_FLOOR),
            ),
            Guard("torn", "the second joker is torn and put away first", _if_two_jokers(DeckMark.TORN)),
            Guard("whole", "every card with the one joker lies in the spread", _spread_whole),
        ),
        evolve=marks_deck(DeckMark.SPREAD),
        suggest=lambda _, table: decks_to(
            table, SpreadDeck, [DeckMark.VERIFIED], [DeckMark.SPREAD, DeckMark.REMOVED]
        ),
    ),
    Step(
        action=ViewSpread,
        phases=OPENING,
        guards=(moot("the cards are not spread", deck_has(DeckMark.SPREAD)),),
        evolve=marks_deck(DeckMark.VIEWED),
        suggest=lambda _, table: decks_to(table, ViewSpread, [DeckMark.SPREAD], [DeckMark.VIEWED]),
    ),
    Step(
        action=TurnDown,
        phases=OPENING,
        guards=(
            Guard("after_view", "the first player may look the cards over first", deck_has(DeckMark.VIEWED)),
            moot("the cards are not spread", deck_has(DeckMark.SPREAD)),
        ),
        evolve=marks_deck(DeckMark.TURNED_DOWN),
        suggest=lambda _, table: decks_to(
            table, TurnDown, [DeckMark.SPREAD, DeckMark.VIEWED], [DeckMark.TURNED_DOWN]
        ),
    ),
    Step(
        action=Wash,
        phases=OPENING,
        guards=(
            Guard("after_spread", "the cards are spread face up first", deck_has(DeckMark.SPREAD)),
            Guard("after_view", "the first player may look the cards over first", deck_has(DeckMark.VIEWED)),
            Guard("after_turning", "the cards are turned face down first", deck_has(DeckMark.TURNED_DOWN)),
        ),
        evolve=marks_deck(DeckMark.WASHED),
        suggest=lambda _, table: decks_to(table, Wash, [DeckMark.TURNED_DOWN], [DeckMark.WASHED]),
    ),
    Step(
        action=Stack,
        phases=OPENING,
        guards=(Guard("after_wash", "the cards are washed first", _washed_or_to_device),),
        evolve=marks_deck(DeckMark.STACKED),
        suggest=lambda _, table: decks_to(table, Stack, [DeckMark.WASHED], [DeckMark.STACKED]),
    ),
    Step(
        action=SetShuffler,
        phases=(Phase.CLOSED, Phase.OPENING, Phase.BETTING),
        guards=(always("game", "the shuffler is set to another game", _allowed_setting, "game"),),
        evolve=_set_shuffler,
        suggest=_suggest_setting,
    ),
    Step(
        action=OpenTable,
        phases=(Phase.OPENING,),
        guards=(
            sense("a dealer must be at the table", lambda s, _: s.table.dealer is not None),
            always("each_deck", "each deck is spread, inspected, mixed and stacked by itself", _decks_ready),
            _approved("layout"),
            _approved("shaker"),
            _approved("rng"),
            _approved("button"),
            Guard(
                "odds_shown", "the odds stand on the layout or on a sign", _odds_shown, about=("odds_shown",)
            ),
            Guard(
                "limit_shown",
                "the payout limit's amount stands on the layout or on a sign",
                _limit_shown,
                about=("limit_shown",),
            ),
            Guard("house_way", "the house way is loaded", lambda s, _: bool(s.rules.submission.house_way)),
            Guard(
                "shuffler_set",
                "the shuffler is set to the game first",
                lambda s, _: _shuffler_set(s.rules, s.table),
            ),
            Guard(
                "dice_procedure",
                "the dice procedure says how many dice are shaken and which spot each number means",
                _dice_map,
            ),
            Guard(
                "proof_form",
                "no proof form of the layout is stored",
                lambda s, _: s.table.has(TableMark.PROOF),
                warns=True,
            ),
            Guard("tip_box", "another place for the tip box needs its approval and its reason", _tip_box),
        ),
        checks=(Check(_open_problems), Check(_unattested, ("checklist",))),
        evolve=_opened,
        suggest=_suggest_open,
    ),
)
