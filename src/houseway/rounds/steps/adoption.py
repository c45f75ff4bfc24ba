"""Rules adopted: a table goes on under another submission, or deals another way."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Final

from msgspec.structs import replace

from houseway.games import Rules, Submission, rules_for
from houseway.games.changes import reference_problems, round_problems
from houseway.games.verify import verify_submission
from houseway.law.problems import Problem
from houseway.meters import MeterMove, opened
from houseway.ranking.memo import once
from houseway.rounds.action import Action
from houseway.rounds.annotations import Ask
from houseway.rounds.asks import NOT_ASKED, Asks, FieldRule
from houseway.rounds.choices import Device
from houseway.rounds.deck_life import marks_after
from houseway.rounds.outcomes import Moves
from houseway.rounds.roles import FLOOR
from houseway.rounds.state import Phase, Place, Table, TableDeck, changed
from houseway.rounds.step import AnyStep, Check, Event, Guard, Situation, Step, Words
from houseway.rounds.steps.common import always, sense
from houseway.rounds.steps.dealers import BETWEEN_ROUNDS
from houseway.rounds.steps.shuffle import SHOES
from houseway.settlement import meter_terms
from houseway.settlement.model import PROGRESSIVE

CHANGED_AT_THE_TABLE: Final = frozenset({"table.dealing", "table.start_methods"})
"""What ``change_dealing`` changes of the rules under the reference that they have."""


class AdoptRules(Action, frozen=True, tag="adopt_rules"):
    """The table goes on under another submission."""

    submission: Annotated[Submission, Ask("Submission")]


class ChangeDealing(Action, frozen=True, tag="change_dealing"):
    """The table goes on with another way of dealing, or of finding the starting position."""

    dealing: Annotated[str, Ask("Way of dealing")]
    start: Annotated[str | None, Ask("Starting position by")] = None
    """How the starting position is found from now on, if otherwise than before."""


class RulesAdopted(Moves, frozen=True, tag="rules_adopted", kw_only=True):
    """The submission that the table goes on under, and the meter that it opens or comes to share."""

    submission: Submission
    fingerprint: str
    law: str
    shares: str | None = None


def _same_game(s: Situation, action: AdoptRules) -> bool:
    return action.submission.game == s.rules.game.id


def _same_equipment(s: Situation, action: AdoptRules) -> bool:
    """Limits and paytables change between rounds; the table's equipment only while it is closed."""
    return s.table.phase is Phase.CLOSED or action.submission.table == s.rules.submission.table


def _change_problems(s: Situation, action: AdoptRules) -> Iterable[Problem]:
    """Refuse another document under the same reference, and terms that the law fixes for a round."""
    before, after = s.rules.submission, action.submission
    if before.game == after.game:
        yield from reference_problems((before,), after, apart=CHANGED_AT_THE_TABLE)
        if s.table.round.hands or s.table.phase not in BETWEEN_ROUNDS:
            yield from round_problems(before, after)


def _replaced_signed(s: Situation, action: AdoptRules) -> bool:
    """A failed device is signed out of order before rules come that shuffle or deal without it."""
    old, new = s.rules.submission.table, action.submission.table
    otherwise = {Device.SHUFFLER} if new.shuffler != old.shuffler else set()
    otherwise |= {Device.SHOE} if new.dealing != old.dealing else set()
    return otherwise.isdisjoint(s.table.failed - s.table.signed)


def _decide_adoption(s: Situation, action: AdoptRules) -> RulesAdopted:
    """A meter that the new rules bring is shared if it runs already, else opened."""
    rules = rules_for(action.submission)
    adopted = _adopt(rules)
    if s.table.meter is not None or not rules.offers(PROGRESSIVE):
        return adopted
    if PROGRESSIVE in s.moment.meters:
        return changed(adopted, shares=PROGRESSIVE)
    meter, movements = opened(meter_terms(rules, PROGRESSIVE))
    move = MeterMove(PROGRESSIVE, None, meter.state)
    return changed(adopted, shares=PROGRESSIVE, meter=move, movements=movements)


def _adopt(rules: Rules) -> RulesAdopted:
    return RulesAdopted(submission=rules.submission, fingerprint=rules.fingerprint, law=rules.law_fingerprint)


def _take_rules(table: Table, event: Event[AdoptRules, RulesAdopted]) -> Table:
    taken = event.outcome
    meter = taken.shares or table.meter
    return changed(table, submission=taken.fingerprint, law=taken.law, meter=meter)


def _with_dealing(rules: Rules, action: ChangeDealing) -> Submission:
    methods = (action.start,) if action.start else rules.submission.table.start_methods
    direct = rules.submission.table.direct_to_shoe and action.dealing in SHOES
    equipment = {"dealing": action.dealing, "start_methods": methods, "direct_to_shoe": direct}
    chosen = rules.submission.table.model_copy(update=equipment)
    return rules.submission.model_copy(update={"table": chosen})


def _dealing_problems(s: Situation, action: ChangeDealing) -> Iterable[Problem]:
    """Yield what the law has against a way of dealing in words that are heard at a table."""
    chosen = (action.dealing, action.start)
    yield from once(s.rules.memo.dealing, chosen, _judge_dealing, s.rules, action)


def _judge_dealing(rules: Rules, action: ChangeDealing) -> tuple[Problem, ...]:
    problems = verify_submission(_with_dealing(rules, action))
    return tuple(replace(problem, reason=problem.reason.replace("_", " ")) for problem in problems)


def _dealing_signed(s: Situation, _: ChangeDealing) -> bool:
    return Device.SHOE not in s.table.failed or Device.SHOE in s.table.signed


def _shoe_in_order(s: Situation, action: ChangeDealing) -> bool:
    return action.dealing != "automated_shoe" or Device.SHOE not in s.table.signed


def _start_approved(what: str) -> Guard[ChangeDealing]:
    """Ask for the approval of what finds the starting position from now on."""

    def holds(s: Situation, action: ChangeDealing) -> bool:
        return action.start != what or bool(s.rules.submission.approvals.get(what))

    return Guard(f"{what}_approved", f"the {what} needs its approval on file", holds, about=("start",))


def _out_of_device(deck: TableDeck, step: str) -> TableDeck:
    """Return a deck that is no longer in the shoe or the hand from which it was to be dealt."""
    place = Place.TABLE if deck.place is Place.PLAY else deck.place
    return changed(deck, marks=marks_after(deck, step), place=place)


def _change_dealing(table: Table, event: Event[ChangeDealing, RulesAdopted]) -> Table:
    decks = {name: _out_of_device(deck, event.step) for name, deck in table.decks.items()}
    taken = event.outcome
    return changed(table, submission=taken.fingerprint, law=taken.law, decks=decks, deck=None)


# --- what its fields take -----------------------------------------------------------------------------
START_METHODS: Final = ("shaker", "rng", "button")


def _asks_dealing(rules: Rules, _: Table, __: int) -> Asks:
    approved = tuple(method for method in START_METHODS if rules.submission.approvals.get(method))
    start = FieldRule(approved) if approved else NOT_ASKED
    return {"dealing": FieldRule(default=rules.way), "start": start}


STEPS: Final[tuple[AnyStep, ...]] = (
    Step(
        action=AdoptRules,
        by=FLOOR,
        phases=BETWEEN_ROUNDS,
        words=Words(
            "Adopt a submission",
            follows="The table plays under the new submission from the next round on.",
        ),
        guards=(
            sense("wagers are on the layout: limits change between rounds", lambda s, _: not s.round.hands),
            sense("the submission is for another game", _same_game, "submission"),
            sense("the equipment changes only while the table is closed", _same_equipment, "submission"),
            Guard(
                "signed",
                "the failed device is covered or signed out of order first",
                _replaced_signed,
                about=("submission",),
            ),
        ),
        checks=(
            Check(lambda _, action: verify_submission(action.submission), ("submission",)),
            Check(_change_problems, ("submission",)),
        ),
        outcome=_decide_adoption,
        evolve=_take_rules,
    ),
    Step(
        action=ChangeDealing,
        by=FLOOR,
        phases=BETWEEN_ROUNDS,
        words=Words(
            "Change the dealing",
            follows=(
                "The table deals and finds the start the new way, and a deck has to be loaded "
                "again before the next deal."
            ),
        ),
        guards=(
            sense("wagers are on the layout", lambda s, _: not s.round.hands),
            Guard("signed", "the failed shoe is covered or signed out of order first", _dealing_signed),
            always("shoe", "the automated shoe is out of order", _shoe_in_order, "dealing"),
            _start_approved("shaker"),
            _start_approved("rng"),
            _start_approved("button"),
        ),
        checks=(Check(_dealing_problems, ("dealing", "start")),),
        outcome=lambda s, action: _adopt(rules_for(_with_dealing(s.rules, action))),
        evolve=_change_dealing,
        asks=_asks_dealing,
    ),
)
