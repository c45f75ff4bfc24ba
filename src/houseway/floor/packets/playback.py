"""A round played back step by step: the table as a viewer saw it then, and what was done and paid."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime

from houseway.cards import Cards
from houseway.errors import InvalidInputError
from houseway.floor.packets import model
from houseway.floor.packets.happenings import Happening, alert, details_of_event, person, read_happenings
from houseway.floor.packets.packet_money import moves_of
from houseway.floor.round_search import LoggedRound
from houseway.games import Rules
from houseway.law.clauses import cite
from houseway.law.problems import Problem
from houseway.meters import MeterState
from houseway.ranking import describe
from houseway.rounds.chance import Given, Moment
from houseway.rounds.explain import Story
from houseway.rounds.options import label_of, said_at
from houseway.rounds.outcomes import Moves
from houseway.rounds.redaction import redact
from houseway.rounds.replay import GivenChance, OpenedDecks, difference
from houseway.rounds.roles import Role
from houseway.rounds.state import MeterId
from houseway.rounds.step import Actor
from houseway.rounds.steps import STEPS
from houseway.rounds.steps.money import banker_of
from houseway.rounds.views import DealerView, HandView, Scene, TableView

AS_ROLES = (Role.SURVEILLANCE, Role.DEALER, Role.FLOORPERSON, Role.GUEST)
"""The roles for which a round can be played back, besides its players."""
PLAYER = "player:"
"""The prefix of a viewer who is a player, before their id."""
IRREGULAR = frozenset(name for name, step in STEPS.items() if step.exceptional)
"""Steps that are taken only where something went wrong, or is set right."""


class SeenStep(model.PacketPart, frozen=True, kw_only=True):
    """A step, and the table after it as the viewer saw it."""

    number: int
    version: int
    at: datetime
    who: model.Person
    step: str
    label: str
    say: str = ""
    """The words that are spoken aloud at it."""
    by_law: bool = False
    irregular: bool = False
    """Whether something went wrong, was set right, or was alarming."""
    position: int | None = None
    details: Mapping[str, str] = {}
    """What was done and what came of it, as far as the viewer could read it."""
    clauses: model.ClauseIds = ()
    alerts: tuple[model.PacketAlert, ...] = ()
    payments: tuple[model.Move, ...] = ()
    view: TableView


class Playback(model.PacketPart, frozen=True, kw_only=True):
    """A round as a viewer saw it, and whether its record holds."""

    table: str
    round: int
    viewer: str
    viewers: Mapping[str, str]
    """The viewers for whom it can be played back, and their names."""
    identical: bool
    """Whether every command, decided again, comes out as it is recorded."""
    difference: str = ""
    chained: bool
    """Whether the stream of the table is chained as it was written, and agrees with its checkpoints."""
    faults: tuple[str, ...] = ()
    steps: tuple[SeenStep, ...]
    ranks: Mapping[str, str]
    """The rank of each part that the viewer saw, by its name and cards: ``high:KsKh7d4c``."""
    cites: Mapping[str, str]
    """How the clauses are cited that stand behind the steps and amounts."""


def play_back(logged: LoggedRound, viewer: str = Role.SURVEILLANCE.value) -> Playback:
    """Return a round that is over as a viewer saw it."""
    assert logged.record is not None, "only a round that is over is watched again"
    happenings = list(read_happenings(logged))
    actor = _viewer(viewer, happenings)
    last = logged.after.table.last or logged.after.table.round
    story = Story.of(
        logged.after.rules, last, (happening.event for happening in happenings), logged.before.table
    )
    differs = difference(logged.record)
    steps = tuple(_steps(happenings, story, actor))
    return Playback(
        table=logged.before.table.id,
        round=logged.number,
        viewer=viewer,
        viewers={name: _name_of(name, story) for name in _viewers(happenings)},
        identical=differs is None,
        difference=differs or "",
        chained=not logged.faults,
        faults=logged.faults,
        steps=steps,
        ranks=dict(_ranks(logged.after.rules, steps)),
        cites={name: cite(name).cited for name in _clauses(steps)},
    )


def play_back_own(logged: LoggedRound, player: str) -> Playback:
    """Return a round that is over as one of its players saw it, with nothing that is not theirs to see."""
    own = f"{PLAYER}{player}"
    watched = play_back(logged, own)
    return model.changed(
        watched,
        viewers={own: watched.viewers[own]},
        difference="",
        faults=(),
        steps=tuple(_own(step, player) for step in watched.steps),
    )


def took_part(logged: LoggedRound, player: str) -> bool:
    """Whether a player took part in a round."""
    return f"{PLAYER}{player}" in set(_viewers(list(read_happenings(logged))))


def _own(step: SeenStep, player: str) -> SeenStep:
    """Return a step without ids and amounts of others, and without alerts."""
    who = step.who if step.who.id == player else model.changed(step.who, id="")
    mine = tuple(model.changed(payment, by=who) for payment in step.payments if payment.person == player)
    return model.changed(step, who=who, payments=mine, alerts=(), irregular=step.step in IRREGULAR)


def _viewers(happenings: Iterable[Happening]) -> Iterator[str]:
    yield from (role.value for role in AS_ROLES)
    players: dict[str, None] = {}
    for happening in happenings:
        for hand in happening.after.round.hands.values():
            players |= dict.fromkeys([hand.person, *(bettor.person for bettor in hand.behind)])
        banker = banker_of(happening.after)
        players |= {banker.person: None} if banker else {}
    yield from (f"{PLAYER}{name}" for name in players)


def _name_of(viewer: str, story: Story) -> str:
    return story.name(viewer.removeprefix(PLAYER)) if viewer.startswith(PLAYER) else viewer


def _viewer(viewer: str, happenings: list[Happening]) -> Actor:
    """Return the viewer of a round as an actor."""
    if viewer not in set(_viewers(happenings)):
        raise InvalidInputError("no one in this round was such a viewer", value=viewer)
    if viewer.startswith(PLAYER):
        return Actor(viewer.removeprefix(PLAYER), Role.PLAYER)
    role = Role(viewer)
    dealers = [happening.before.dealer for happening in happenings if happening.before.dealer]
    return Actor(dealers[-1] if role is Role.DEALER and dealers else "", role)


def _ranks(rules: Rules, steps: Iterable[SeenStep]) -> Iterator[tuple[str, str]]:
    """Yield what each part is that could be seen at one of the steps."""
    order = rules.ranking()
    sizes = dict(zip(order.part_names, order.split, strict=True))
    seen: set[tuple[str, Cards]] = set()
    for step in steps:
        hands: tuple[HandView | DealerView, ...] = (step.view.dealer_hand, *step.view.hands)
        seen |= {part for hand in hands for part in _parts(order.part_names, hand)}
    for name, part in seen:
        if len(part) == sizes[name]:
            yield f"{name}:{''.join(map(str, part))}", describe(order.rank(name, part))


def _parts(names: tuple[str, ...], hand: HandView | DealerView) -> Iterator[tuple[str, Cards]]:
    if hand.setting is not None:
        yield from zip(names, hand.setting, strict=False)
    elif isinstance(hand, HandView):
        yield from hand.shown.items()


def _clauses(steps: Iterable[SeenStep]) -> Iterator[str]:
    for step in steps:
        yield from step.clauses
        yield from (name for alarm in step.alerts for name in alarm.clauses)
        yield from (name for payment in step.payments for name in payment.clauses)
        for hand in step.view.hands:
            yield from hand.race.clauses if hand.race else ()


def _steps(happenings: list[Happening], story: Story, viewer: Actor) -> Iterator[SeenStep]:
    meters, paid = _meters_before(happenings), 0
    redacted: list[Happening] = []
    for happening in happenings:
        event = happening.event
        move = event.outcome.meter if isinstance(event.outcome, Moves) else None
        meters |= {move.meter: move.after} if move is not None else {}
        payments = tuple(moves_of(happening, story, paid + 1))
        paid += len(payments)
        moment = Moment(event.at, GivenChance(Given()), OpenedDecks(iter(())), dict(meters))
        read = redact(happening.rules, happening.before, event, viewer)
        alerts = (*read.alerts, *_new_alerts(redacted, happening, viewer))
        if len(read.alerts) < len(event.alerts):
            redacted.append(happening)
        yield SeenStep(
            number=event.seq,
            version=happening.version,
            at=event.at,
            who=person(event.by),
            step=event.step,
            label=label_of(event.step, happening.rules.game.id),
            say=said_at(event.step),
            irregular=bool(alerts) or event.step in IRREGULAR,
            by_law=not happening.commanded,
            position=event.position,
            details=details_of_event(read),
            clauses=event.clauses,
            alerts=tuple(map(alert, alerts)),
            payments=payments,
            view=Scene(happening.rules, happening.after, moment).view(viewer),
        )


def _new_alerts(redacted: list[Happening], now: Happening, viewer: Actor) -> Iterator[Problem]:
    """Yield the alerts of earlier steps whose cards were hidden then and lie open now, each once."""
    for earlier in redacted[:]:
        shown_then = redact(earlier.rules, earlier.before, earlier.event, viewer).alerts
        shown_now = redact(earlier.rules, now.after, earlier.event, viewer).alerts
        if len(shown_now) > len(shown_then):
            redacted.remove(earlier)
            yield from (alarm for alarm in shown_now if alarm not in shown_then)


def _meters_before(happenings: Iterable[Happening]) -> dict[MeterId, MeterState]:
    """Return how the meters stood that the round moved, before it moved them."""
    states: dict[MeterId, MeterState] = {}
    for happening in happenings:
        move = happening.event.outcome.meter if isinstance(happening.event.outcome, Moves) else None
        if move is not None and move.before is not None:
            states.setdefault(move.meter, move.before)
    return states
