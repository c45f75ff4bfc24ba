"""The table opened: its shuffler set to the game, packs, papers and the room in order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated, Final

from msgspec import Struct

from houseway.games import Rules
from houseway.games.opening import Opening, Pack, verify_open
from houseway.law.checklist import checklist, verify_attested
from houseway.law.problems import Problem, Severity
from houseway.rounds.action import Action, ClauseId
from houseway.rounds.annotations import Ask
from houseway.rounds.asks import MUST, UNPROMPTED, Asks, FieldRule
from houseway.rounds.choices import Display
from houseway.rounds.marks import READY, DeckMark, TableMark
from houseway.rounds.roles import FLOOR, Role
from houseway.rounds.stage import Stage
from houseway.rounds.state import Phase, Table, changed
from houseway.rounds.step import AnyStep, Check, Event, Guard, Proposal, Situation, Step, Words
from houseway.rounds.steps.common import FLOORPERSON, always, dealer_of, sense
from houseway.rounds.steps.decks import decks_held


class TipBox(Struct, frozen=True, forbid_unknown_fields=True):
    """Another place for the tip box: its approval, and the equipment that makes it necessary."""

    approval: str = ""
    equipment: str = ""


class SetShuffler(Action, frozen=True, tag="set_shuffler"):
    """The shuffler is set to a game."""

    game: Annotated[str, Ask("Game")]


class OpenTable(Action, frozen=True, tag="open_table"):
    """A floorperson opens the table for play."""

    checklist: Annotated[tuple[ClauseId, ...], Ask("Seen and in order")] = ()
    odds_shown: Annotated[Display | None, Ask("The odds stand on")] = None
    limit_shown: Annotated[Display | None, Ask("The payout limit stands on")] = None
    tip_box: Annotated[TipBox | None, Ask("Another place for the tip box")] = None


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
    """Find the physical things that no one has attested."""
    rule_set = s.rules.game.rule_set
    spared = s.rules.spared(action.odds_shown)
    return verify_attested(rule_set, action.checklist, spared) if rule_set else ()


def _open_problems(s: Situation, _: OpenTable) -> Iterator[Problem]:
    """Yield what is not yet ready: packs, notices."""
    rules = s.rules
    packs = tuple(
        Pack(cards=deck.cards, jokers=deck.jokers, second_joker_removed=deck.has(DeckMark.TORN))
        for deck in decks_held(s.table)
    )
    yield from verify_open(rules, Opening(packs=packs, notices=s.table.notices))


def _need_approval(what: str) -> Guard[Action]:
    """Ask for the approval of a piece of equipment, where the table uses it."""

    def holds(s: Situation, _: Action) -> bool:
        submission = s.rules.submission
        used = what in submission.table.start_methods or what == "layout"
        return not used or bool(submission.approvals.get(what))

    return Guard(f"{what}_approved", f"the {what} needs its approval on file", holds)


def _decks_ready(s: Situation, _: OpenTable) -> bool:
    decks = decks_held(s.table)
    return bool(decks) and all(deck.marks >= READY and deck.has(DeckMark.SHUFFLED) for deck in decks)


def _odds_shown(_: Situation, action: OpenTable) -> bool:
    return action.odds_shown is not None


def _limit_shown(s: Situation, action: OpenTable) -> bool:
    return s.rules.submission.payout_limit is None or action.limit_shown is not None


def _limit_inscribed(s: Situation, action: OpenTable) -> Iterator[Problem]:
    """Note a limit that layout or sign states where the law has taken the inscription away, and the limit."""
    law = s.rules.game.no_inscription
    if law and action.limit_shown is not None:
        reason = "no payout limit holds here, and none is inscribed"
        yield Problem("limit_shown", reason, action.limit_shown, law, Severity.WARNING)


def _tip_box(_: Situation, action: OpenTable) -> bool:
    other = action.tip_box
    return other is None or bool(other.approval and other.equipment)


def _open(table: Table, event: Event[OpenTable, None]) -> Table:
    marks = table.marks | {TableMark.OPEN}
    shown = event.action.odds_shown
    return changed(table, phase=Phase.BETTING, marks=marks, odds_shown=shown, ready_since=event.at)


def _suggest_open(rules: Rules, _: Table) -> Iterable[Proposal]:
    spared = rules.spared(Display.SIGN)
    every = [item.clause for item in checklist(rules.game.rule_set or "")]
    items = tuple(item for item in every if item not in spared)
    limit = None if rules.submission.payout_limit is None else Display.SIGN
    yield Proposal(FLOORPERSON, OpenTable(items, Display.SIGN, limit))


# --- what its fields take -----------------------------------------------------------------------------


def items_to_attest(rules: Rules) -> tuple[str, ...]:
    """Return the items of the opening checklist that concern a table."""
    spared = rules.spared()
    every = [item.clause for item in checklist(rules.game.rule_set or "")]
    return tuple(item for item in every if item not in spared)


def _asks_opening(rules: Rules, _: Table, __: int) -> Asks:
    limit = UNPROMPTED if rules.submission.payout_limit is None else MUST
    return {
        "checklist": FieldRule(items_to_attest(rules), needed=True),
        "odds_shown": MUST,
        "limit_shown": limit,
    }


def _asks_games(rules: Rules, _: Table, __: int) -> Asks:
    return {"game": FieldRule(shuffler_games(rules))}


STEPS: Final[tuple[AnyStep, ...]] = (
    Step(
        action=SetShuffler,
        stage=Stage.WASH,
        by=(Role.DEALER, *FLOOR),
        phases=(Phase.CLOSED, Phase.OPENING, Phase.BETTING),
        words=Words(
            "Set the shuffler",
            follows="The shuffler is set to the game named, as it must be before the table opens.",
        ),
        guards=(always("game", "the shuffler is set to another game", _allowed_setting, "game"),),
        evolve=_set_shuffler,
        suggest=_suggest_setting,
        asks=_asks_games,
    ),
    Step(
        action=OpenTable,
        stage=Stage.OPENING,
        by=FLOOR,
        phases=(Phase.OPENING,),
        words=Words(
            "Open the table",
            says="The table is open.",
            follows="The table is open, and players can place their bets.",
        ),
        guards=(
            sense("a dealer must be at the table", lambda s, _: s.table.dealer is not None),
            always("each_deck", "each deck is spread, inspected, mixed and stacked by itself", _decks_ready),
            _need_approval("layout"),
            _need_approval("shaker"),
            _need_approval("rng"),
            _need_approval("button"),
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
                "proof_form",
                "no proof form of the layout is stored",
                lambda s, _: s.table.has(TableMark.PROOF),
                warns=True,
            ),
            Guard("tip_box", "another place for the tip box needs its approval and its reason", _tip_box),
        ),
        checks=(
            Check(_open_problems),
            Check(_unattested, ("checklist",)),
            Check(_limit_inscribed, ("limit_shown",)),
        ),
        evolve=_open,
        suggest=_suggest_open,
        asks=_asks_opening,
    ),
)
