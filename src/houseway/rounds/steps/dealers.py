"""Dealers come and go, and with the last of them the table closes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Final

from houseway.games import Rules
from houseway.rounds.action import Action
from houseway.rounds.annotations import Ask
from houseway.rounds.asks import MUST, NOT_ASKED, UNPROMPTED, Asks
from houseway.rounds.choices import ShakerKept
from houseway.rounds.outcomes import Restaked
from houseway.rounds.roles import FLOOR, Role
from houseway.rounds.stage import Stage
from houseway.rounds.state import Phase, Round, Table, changed
from houseway.rounds.step import Actor, AnyStep, Event, Guard, Proposal, Situation, Step, Words
from houseway.rounds.steps.common import given, moot, sense
from houseway.rounds.steps.money import banker_of, move_bank


class LogOn(Action, frozen=True, tag="log_on"):
    """A dealer comes to a table without one."""

    training: Annotated[str, Ask("Training record")] = ""


class Relieve(Action, frozen=True, tag="relieve"):
    """A dealer takes over from another."""

    training: Annotated[str, Ask("Training record")] = ""
    shaker: Annotated[bool, Ask("The shaker")] = False


class LogOff(Action, frozen=True, tag="log_off"):
    """The dealer leaves the table."""

    shaker: Annotated[ShakerKept | None, Ask("The shaker")] = None


class CloseTable(Action, frozen=True, tag="close_table"):
    """A floorperson closes the table."""

    shaker: Annotated[bool, Ask("The shaker")] = False


ANY: Final = tuple(Phase)
BETWEEN_ROUNDS: Final = (Phase.CLOSED, Phase.OPENING, Phase.IDLE, Phase.BETTING)
_TRAINED_FOR: Final = frozenset({"fortune", "insurance", "progressive"})
"""The wagers for which a dealer needs training of their own."""


# --- dealers ------------------------------------------------------------------------------------------


def shaker_in_use(rules: Rules) -> bool:
    """Whether the table keeps a shaker, for which its dealer answers."""
    return "shaker" in rules.submission.table.start_methods


def needs_training(rules: Rules) -> bool:
    """Whether a dealer of this table needs a training record."""
    return not _TRAINED_FOR.isdisjoint(rules.submission.wagers)


def _trained(s: Situation, action: LogOn | Relieve) -> bool:
    return not needs_training(s.rules) or given(action.training)


def _handed_over(s: Situation, action: Relieve | CloseTable) -> bool:
    return not shaker_in_use(s.rules) or action.shaker


def _shaker_kept(s: Situation, action: LogOff) -> bool:
    put_away = s.table.phase is Phase.CLOSED or action.shaker is ShakerKept.LOCKED_AWAY
    return not shaker_in_use(s.rules) or put_away


def _take_table(table: Table, event: Event[LogOn, None] | Event[Relieve, None]) -> Table:
    return changed(table, dealer=event.by.id)


def _suggest_log_on(_: Rules, table: Table) -> Iterable[Proposal]:
    if table.dealer is None:
        yield Proposal(Actor("dealer", Role.DEALER), LogOn("on file"))


# --- the table closes ---------------------------------------------------------------------------------


def _decide_close(s: Situation, _: CloseTable) -> Restaked:
    """A bank put up for a round that is not played goes back to its player."""
    return Restaked(move_bank(banker_of(s.table), None, s.table.dealer_at))


def _close(table: Table, _: Event[CloseTable, Restaked]) -> Table:
    """Everything goes off the table; what has failed has still failed, and the meter stands."""
    return Table(
        id=table.id,
        submission=table.submission,
        law=table.law,
        meter=table.meter,
        automated=table.automated,
        source=table.source,
        seq=table.seq,
        dealer=table.dealer,
        failed=table.failed,
        signed=table.signed,
        notices=table.notices,
        round=Round(number=table.round.number),
    )


# --- what its fields take -----------------------------------------------------------------------------


def _asks_where_kept(rules: Rules, table: Table, _: int) -> Asks:
    needed = shaker_in_use(rules) and table.phase is not Phase.CLOSED
    return {"shaker": MUST if needed else NOT_ASKED}


def _asks_training(rules: Rules, _: Table, __: int) -> Asks:
    return {"training": MUST if needs_training(rules) else UNPROMPTED}


def _asks_shaker(rules: Rules, _: Table, __: int) -> Asks:
    return {"shaker": MUST if shaker_in_use(rules) else NOT_ASKED}


STEPS: Final[tuple[AnyStep, ...]] = (
    Step(
        action=LogOn,
        stage=Stage.DEALER_COMES,
        by=(Role.DEALER,),
        phases=ANY,
        words=Words(
            "Log on",
            done="Log on",
            follows="The dealer answers for the table and takes the dealer's steps there.",
        ),
        guards=(
            moot("a dealer is at the table and has to be relieved", lambda s, _: s.table.dealer is None),
            Guard(
                "trained", "the dealer has no training record for this game", _trained, about=("training",)
            ),
        ),
        takes_over=True,
        evolve=_take_table,
        suggest=_suggest_log_on,
        asks=_asks_training,
    ),
    Step(
        action=Relieve,
        by=(Role.DEALER,),
        phases=ANY,
        words=Words(
            "Relieve the dealer",
            follows="The incoming dealer answers for the table in place of the other.",
        ),
        guards=(
            moot("no dealer is at the table; log on", lambda s, _: s.table.dealer is not None),
            sense("the dealer is at the table already", lambda s, _: s.table.dealer != s.by.id),
            Guard(
                "trained", "the dealer has no training record for this game", _trained, about=("training",)
            ),
            Guard(
                "custody",
                "the shaker is handed over to whoever relieves the dealer",
                _handed_over,
                about=("shaker",),
            ),
        ),
        while_stopped=True,
        not_for=lambda table, _: frozenset({table.dealer} if table.dealer else ()),
        takes_over=True,
        evolve=_take_table,
        asks=lambda *at: {**_asks_training(*at), **_asks_shaker(*at)},
    ),
    Step(
        action=LogOff,
        by=(Role.DEALER,),
        phases=BETWEEN_ROUNDS,
        words=Words(
            "Log off",
            follows="The table has no dealer until another one logs on.",
        ),
        guards=(
            moot("another dealer is at the table", lambda s, _: s.table.dealer == s.by.id),
            Guard(
                "custody",
                "the shaker may not be left unattended: hand it over or lock it away",
                _shaker_kept,
                about=("shaker",),
            ),
        ),
        takes_over=True,
        evolve=lambda table, _: changed(table, dealer=None),
        asks=_asks_where_kept,
    ),
    Step(
        action=CloseTable,
        by=FLOOR,
        phases=(Phase.OPENING, Phase.IDLE, Phase.BETTING),
        words=Words(
            "Close the table",
            says="The table is closed.",
            follows="The table is closed, and its decks and seats are cleared.",
        ),
        guards=(
            sense("wagers are on the layout", lambda s, _: not s.round.hands),
            Guard("custody", "the shaker is locked away", _handed_over, about=("shaker",)),
        ),
        outcome=_decide_close,
        evolve=_close,
        asks=_asks_shaker,
    ),
)
