"""The steps of a round, one after the other: who did what when, and how the cards came to lie."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime

from houseway.cards import Cards
from houseway.floor.packets import model
from houseway.floor.round_search import LoggedRound
from houseway.games import Rules
from houseway.law.problems import Problem
from houseway.ranking import Setting
from houseway.rounds.chance import Given, Moment
from houseway.rounds.deciding import evolve
from houseway.rounds.options import label_of
from houseway.rounds.record import Turn
from houseway.rounds.redaction import redact
from houseway.rounds.replay import GivenChance, OpenedDecks, rules_after
from houseway.rounds.sight import is_hidden
from houseway.rounds.state import Table
from houseway.rounds.step import Actor, AnEvent
from houseway.rounds.steps.deal import Dealt
from houseway.rounds.steps.piles import HandedOut
from houseway.rounds.views import NOBODY, Scene
from houseway.rounds.wording import details_of, told_of

_DECK = "off the deck"


@dataclass(frozen=True)
class Happening:
    """An event of the round between the table before it and the table after it."""

    version: int
    command: str
    commanded: bool
    """Whether it is what was commanded, not what followed by law."""
    rules: Rules
    before: Table
    after: Table
    event: AnEvent
    """The event, redacted as the packet shows it."""


def read_happenings(logged: LoggedRound) -> Iterator[Happening]:
    """Yield the events of a round in order; those of one in progress are redacted for the public."""
    rules, table = logged.before.rules, logged.before.table
    for entry, turn in zip(logged.entries, logged.bodies, strict=True):
        if not isinstance(turn, Turn) or entry.version in logged.undone:
            continue  # chips that moved are no part of the round
        for event in turn.events:
            after = evolve(table, event)
            rules = rules_after(rules, (event,))
            shown = event if logged.record else redact(rules, table, event, NOBODY)
            commanded = (event.by, event.action) == (turn.command.by, turn.command.action)
            yield Happening(entry.version, turn.command.id, commanded, rules, table, after, shown)
            table = after


def person(actor: Actor) -> model.Person:
    """Return who acted."""
    return model.Person(id=actor.id, name=actor.shown, role=str(actor.role))


def alert(problem: Problem) -> model.PacketAlert:
    """Return what was alarming."""
    value = f": {problem.value}" if problem.value is not None else ""
    return model.PacketAlert(says=f"{problem.reason}{value}", clauses=problem.clauses)


def step_of(happening: Happening, moves: tuple[int, ...], *, everything: bool) -> model.PacketStep:
    """Return the packet's part for a step; with ``everything``, cards that no one saw at the time too."""
    event = happening.event
    return model.PacketStep(
        number=event.seq,
        version=happening.version,
        command=happening.command,
        at=event.at,
        who=person(event.by),
        step=event.step,
        label=label_of(event.step, happening.rules.game.id),
        by_law=not happening.commanded,
        position=event.position,
        details=details_of_event(event),
        cards=tuple(_changed_cards(happening, everything=everything)),
        moves=moves,
        clauses=event.clauses,
        alerts=tuple(map(alert, event.alerts)),
    )


def details_of_event(event: AnEvent) -> dict[str, str]:
    """Return what was done and what came of it, in words."""
    details = {**details_of(event.action), **told_of(event.outcome)}
    return {name.replace("_", " "): text for name, text in details.items()}


# --- cards as they lie --------------------------------------------------------------------------------


def card_part(cards: Cards, name: str = "") -> model.CardPart:
    """Return cards that lie together."""
    return model.CardPart(cards=tuple(map(str, cards)), name=name)


def parts_of(rules: Rules, cards: Cards, setting: Setting | None) -> tuple[model.CardPart, ...]:
    """Return a hand's cards as they lie: in the parts of its setting, or together."""
    if not setting:
        return (card_part(cards),) if cards else ()
    names = rules.ranking().part_names
    named = names if len(names) == len(setting) else [""] * len(setting)
    return tuple(card_part(part, name) for name, part in zip(named, setting, strict=True))


def _changed_cards(happening: Happening, *, everything: bool) -> Iterator[model.CardsAtPlace]:
    """Yield the cards that lie otherwise than before the event."""
    seen = _all_cards if everything else open_cards
    before, after = (
        seen(happening.rules, table, happening.event.at) for table in (happening.before, happening.after)
    )
    outcome = happening.event.outcome
    if isinstance(outcome, Dealt) and outcome.cards and not outcome.hands:
        yield model.CardsAtPlace(where=_DECK, parts=(card_part(outcome.cards),))
    yield from (lying for where, lying in after.items() if lying != before.get(where))
    if isinstance(outcome, Dealt | HandedOut):
        taken = {*happening.after.round.hands, happening.after.dealer_at}
        for at, cards in sorted(outcome.hands.items()):
            if at not in taken:
                yield model.CardsAtPlace(
                    where=f"position {at}, no wager", position=at, parts=(card_part(cards),)
                )


def _all_cards(rules: Rules, table: Table, _: datetime) -> Mapping[str, model.CardsAtPlace]:
    """Return how all cards of a round lie, face-down ones too."""
    this_round = table.round
    hands = {_where(table, at): (at, hand.cards, hand.setting) for at, hand in this_round.hands.items()}
    hands[_dealer(table)] = (table.dealer_at, this_round.dealer_cards, this_round.dealer_setting)
    return {
        where: model.CardsAtPlace(
            where=where,
            position=None if at == table.dealer_at else at,
            parts=parts_of(rules, cards, setting),
            face_up=not is_hidden(rules, table, NOBODY, at),
        )
        for where, (at, cards, setting) in sorted(hands.items(), key=lambda item: item[1][0])
        if cards or setting
    }


def open_cards(rules: Rules, table: Table, now: datetime) -> Mapping[str, model.CardsAtPlace]:
    """Return how the cards of a round lie for the public: those face down are only counted."""
    nothing_more = Moment(now, GivenChance(Given()), OpenedDecks(iter(())))
    view = Scene(rules, table, nothing_more).view(NOBODY)
    places = {}
    for hand in view.hands:
        where, shown = _where(table, hand.position), tuple(hand.shown.items())
        parts = parts_of(rules, hand.cards, hand.setting) or tuple(card_part(c, n) for n, c in shown)
        places[where] = _cards_with_hidden(where, parts, hand.held, hand.position)
    dealer, where = view.dealer_hand, _dealer(table)
    places[where] = _cards_with_hidden(where, parts_of(rules, dealer.cards, dealer.setting), dealer.held)
    return {where: lying for where, lying in places.items() if lying.parts or lying.hidden}


def _cards_with_hidden(
    where: str, parts: tuple[model.CardPart, ...], count: int, position: int | None = None
) -> model.CardsAtPlace:
    hidden = count - sum(len(part.cards) for part in parts)
    return model.CardsAtPlace(where=where, position=position, parts=parts, hidden=hidden, face_up=bool(parts))


def _where(table: Table, position: int) -> str:
    hand, seat = table.round.hands[position], table.seats.get(position)
    named = seat.name if seat is not None and seat.person == hand.person else ""
    return f"position {position}, {named or hand.person}"


def _dealer(table: Table) -> str:
    banker = table.round.banker
    return f"player-dealer, {banker.person}" if banker else "dealer"
