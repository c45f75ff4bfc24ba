"""What each person may do now, with all that a screen needs to offer it, and every reason why not yet.

``offers`` works out once per change what anyone might do; ``options_of`` gives each viewer their part of
it. No option holds a card: how a hand might be set is another question, asked by a viewer who may see it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any, Final

from msgspec import UNSET, Struct
from msgspec.structs import replace

from houseway.games import Rules
from houseway.intake import SYSTEM_ID
from houseway.law.problems import Problem
from houseway.ranking.memo import once
from houseway.rounds.action import Action, AtPosition, OnDeck, OnHand
from houseway.rounds.asks import FieldRule, in_form
from houseway.rounds.chance import Moment
from houseway.rounds.deciding import excluded_people, is_moot, verify
from houseway.rounds.fields import ASKED_FOR, FORMS, Field, is_needed
from houseway.rounds.marks import DeckMark
from houseway.rounds.roles import Role, at_the_table
from houseway.rounds.state import PersonId, Phase, Table
from houseway.rounds.step import Actor, AnyStep, Clauses, Proposal, Situation
from houseway.rounds.steps import STEPS

_FLOOR: Final = (Role.FLOORPERSON, Role.MANAGER, Role.KEY_HOLDER)


ANYBODY: Final = f"{SYSTEM_ID}anybody"
"""Stands for any person: no one has this id."""
Alike = tuple[tuple[Role, frozenset[Role]], ...]


def _alike(roles: AbstractSet[Role]) -> Alike:
    """Return one of the roles that stand alike towards a step, and all of them: the floor goes together."""
    floor = [role for role in _FLOOR if role in roles]
    others = [(role, frozenset({role})) for role in Role if role in roles and role not in floor]
    return ((floor[0], frozenset(floor)), *others) if floor else tuple(others)


_ALIKE: Final = {name: _alike(step.roles - step.unoffered) for name, step in STEPS.items()}


def label_of(step: str, game: str = "") -> str:
    """Return what a step is called where people read it, in the words of a game if one is named."""
    return STEPS[step].words_for(game).button


def said_at(step: str) -> str:
    """Return the words that are spoken aloud at a step; nothing where there are no fixed ones."""
    return STEPS[step].words.says


class Reason(Struct, frozen=True, gc=False, omit_defaults=True):
    """A fact that stands against something, and its law."""

    says: str
    clauses: Clauses = ()


class Option(Struct, frozen=True, gc=False, omit_defaults=True):
    """Something that a person might do now."""

    step: str
    label: str
    role: Role
    """The capacity to do it in."""
    position: int | None = None
    deck: str | None = None
    fields: tuple[Field, ...] = ()
    say: str = ""
    done: str = "Done"
    follows: str = ""
    due: bool = False
    """Whether the round goes on by it; the rest is done if a person wishes it, or if it happens."""
    reasons: tuple[Reason, ...] = ()
    """Every reason why not yet."""
    warnings: tuple[Reason, ...] = ()

    @property
    def open(self) -> bool:
        """Whether it may be done now, the fields filled in rightly."""
        return not self.reasons


class Offer(Struct, frozen=True, gc=False):
    """An option, and to whom it is open: to everyone in these roles, or to one person."""

    option: Option
    roles: AbstractSet[Role]
    person: PersonId | None = None
    not_for: AbstractSet[PersonId] = frozenset()

    def is_open_to(self, person: PersonId) -> bool:
        """Whether a person in one of its roles may be offered it."""
        return (self.person is None or self.person == person) and person not in self.not_for


def options(rules: Rules, table: Table, viewer: Actor, moment: Moment) -> tuple[Option, ...]:
    """Return what a person may do now, and why not yet."""
    return options_of(offers(rules, table, moment), viewer)


def options_of(offered: tuple[Offer, ...], viewer: Actor) -> tuple[Option, ...]:
    """Return the part of the offers that concerns a person, in the capacity in which they look."""
    return tuple(
        offer.option if offer.option.role is viewer.role else replace(offer.option, role=viewer.role)
        for offer in offered
        if viewer.role in offer.roles and offer.is_open_to(viewer.id)
    )


class Awaited(Struct, frozen=True, omit_defaults=True):
    """Something that the table goes on by, and who is to do it."""

    step: str
    label: str
    roles: tuple[Role, ...]
    position: int | None = None
    deck: str | None = None


def awaited_from_others(offered: tuple[Offer, ...], viewer: Actor) -> tuple[Awaited, ...]:
    """Return what the table goes on by that another person is to do, and may do now."""
    awaited = dict[tuple[str, int | None, str | None], Awaited]()
    for offer in offered:
        option = offer.option
        own = viewer.role in offer.roles and offer.is_open_to(viewer.id)
        if option.due and option.open and not own:
            key = (option.step, option.position, option.deck)
            roles = {*(awaited[key].roles if key in awaited else ()), *offer.roles}
            awaited[key] = Awaited(
                option.step, option.label, tuple(sorted(roles)), option.position, option.deck
            )
    return tuple(awaited.values())


def offers(rules: Rules, table: Table, moment: Moment) -> tuple[Offer, ...]:
    """Return what anyone might do at a table now, in the order of the game's procedure."""
    offered: list[Offer] = []
    people: dict[tuple[Role, PersonId | None], Actor] = {}
    for step, roles in once(rules.memo.in_phase, table.phase, _in_phase, rules, table.phase):
        offered += _StepOffers(rules, table, moment, step, roles, people).offers()
    return tuple(offered)


def due_offers(
    rules: Rules, table: Table, moment: Moment, among: AbstractSet[Role], also: AbstractSet[str] = frozenset()
) -> tuple[Offer, ...]:
    """Return what the round waits for from anyone in some roles, and what may be done of some steps also."""
    due: list[Offer] = []
    for step, everybody in once(rules.memo.in_phase, table.phase, _in_phase, rules, table.phase):
        roles = tuple(alike for alike in everybody if alike[1] & among)
        if roles and (step.name in also or any(step.suggest(rules, table))):
            offered = _StepOffers(rules, table, moment, step, roles, {}).offers()
            due += (offer for offer in offered if offer.option.due or step.name in also)
    return tuple(due)


def _in_phase(rules: Rules, phase: Phase) -> list[tuple[AnyStep, Alike]]:
    """Return the steps of a phase, in the order of the procedure, and who is there to take each."""
    steps = []
    for name in rules.game.procedure:
        roles = tuple(alike for alike in _ALIKE[name] if at_the_table(rules, alike[0]))
        if roles and phase in STEPS[name].phases:
            steps.append((STEPS[name], roles))
    return steps


class _StepOffers:
    """One step, offered to each person who may take it, wherever it may be taken."""

    def __init__(
        self,
        rules: Rules,
        table: Table,
        moment: Moment,
        step: AnyStep,
        roles: Alike,
        people: dict[tuple[Role, PersonId | None], Actor],
    ) -> None:
        self.rules, self.table, self.moment, self.step, self.people = rules, table, moment, step, people
        self.name = step.name
        self.guests = step.guests(rules, table)
        self.roles = roles
        self.seen = Situation(rules, table, moment, self._actor(roles[0][0], None))
        """The table as anyone finds it, for what does not depend on who looks."""

    def offers(self) -> Iterator[Offer]:
        """Yield an offer for each kind of person, deck and position."""
        targets = [target for target in self._targets() if not self._is_moot(*target)]
        if not targets:
            return
        suggested = self.step.suggest(self.rules, self.table)
        due = {_target(proposal): proposal.action for proposal in suggested}
        for deck, position in targets:
            asks = self.step.asks(self.rules, self.table, position or 0)
            if any(ask.choices == () for ask in asks.values()):  # nothing to choose from
                continue
            nobody = self.step.not_for(self.table, position)
            blank = _blank(self.step, deck, position)
            for role, alike in self.roles:
                not_for = nobody | excluded_people(self.rules, self.table, role, blank)
                for person in self._people(role, position):
                    action = due.get((role, deck, position))
                    option = self._option(self._actor(role, person), deck, position, asks, action)
                    yield Offer(option, alike, person, not_for)

    def _is_moot(self, deck: str | None, position: int | None) -> bool:
        """Whether there is nothing to do, no matter who would do it."""
        return bool(self.step.moot) and is_moot(self.seen, self.step, _blank(self.step, deck, position))

    def _actor(self, role: Role, person: PersonId | None) -> Actor:
        """Return a person as whom an option is judged."""
        if (role, person) not in self.people:
            self.people[role, person] = Actor(person or ANYBODY, role)
        return self.people[role, person]

    def _targets(self) -> Iterator[tuple[str | None, int | None]]:
        """Yield the decks and positions that the step might be about."""
        table, action = self.table, self.step.action
        decks: list[str | None] = [None]
        if issubclass(action, OnDeck):
            decks = [deck.name for deck in table.decks.values() if not deck.has(DeckMark.REMOVED)]
        for deck in decks:
            for position in self._positions():
                yield deck, position

    def _positions(self) -> Iterable[int | None]:
        table, action = self.table, self.step.action
        if self.step.places is not None:
            return self.step.places(self.rules, table)
        if issubclass(action, OnDeck):
            return self._positions_over_deck()
        if not issubclass(action, AtPosition):
            return [None]
        if self.step.at_dealer:
            return sorted({*table.round.hands, table.dealer_at})
        if issubclass(action, OnHand):
            return sorted(table.round.hands)
        return sorted({*table.seats, *self.guests})

    def _positions_over_deck(self) -> Iterable[int | None]:
        """Return where a person may do something with a deck; nowhere in particular where none is named."""
        at = next((field for field in FORMS[self.name] if field.name == "position"), None)
        if at is None:
            return [None]
        return [*sorted(self.table.seats), *([] if at.needed else [None])]

    def _people(self, role: Role, position: int | None) -> Sequence[PersonId | None]:
        """Return the people whose step it is, each by themselves."""
        people = self.guests.get(position or 0)
        if people is None:
            return [self._whose(role, position)]
        return people if role is Role.PLAYER else []

    def _whose(self, role: Role, position: int | None) -> PersonId | None:
        """Return the one person whose step it is, in a role and at a position; nothing if it is anyone's."""
        table = self.table
        if role is Role.DEALER and not self.step.takes_over:
            return table.dealer
        if role is not Role.PLAYER or self.step.standing:
            return None
        at = table.round.bank_seat if self.step.by_banker else position
        hand, seat = table.round.hands.get(at or 0), table.seats.get(at or 0)
        return hand.person if hand else seat.person if seat else None

    def _option(
        self,
        actor: Actor,
        deck: str | None,
        position: int | None,
        asks: Mapping[str, FieldRule],
        due: Action | None,
    ) -> Option:
        """Return the option of a person, with every reason why not yet."""
        action, unfilled = _fill(self.step, due, asks, deck, position)
        proposal = Proposal(actor, action)
        problems = verify(self.rules, self.table, proposal, self.moment, unfilled, not_moot=True)
        words = self.step.words_for(self.rules.game.id)
        return Option(
            step=self.name,
            label=words.button,
            role=actor.role,
            position=position,
            deck=deck,
            fields=_form_fields(self.step, action, asks, unfilled),
            say=words.says,
            done=words.done,
            follows=words.follows,
            due=due is not None,
            reasons=tuple([_reason(problem) for problem in problems if problem.blocks]),
            warnings=tuple([_reason(problem) for problem in problems if not problem.blocks]),
        )


def _target(proposal: Proposal) -> tuple[Role, str | None, int | None]:
    action = proposal.action
    return proposal.by.role, action.deck if isinstance(action, OnDeck) else None, proposal.position


def _reason(problem: Problem) -> Reason:
    return Reason(problem.reason, problem.clauses)


_BLANK: Final = {name: {field.name: None for field in form} for name, form in FORMS.items()}


def _blank(step: AnyStep, deck: str | None, position: int | None) -> Action:
    """Return an action that says what it is about and nothing more."""
    blank: dict[str, Any] = _BLANK[step.name].copy()
    if position is not None:
        blank["position"] = position
    if deck is not None:
        blank["deck"] = deck
    action: Action = step.action(**blank)
    return action


def _fill(
    step: AnyStep, due: Action | None, asks: Mapping[str, FieldRule], deck: str | None, position: int | None
) -> tuple[Action, frozenset[str]]:
    """Return an action with what is usual, and the fields that a person has still to fill in."""
    values: dict[str, Any] = {}
    unfilled: set[str] = set()
    for field in FORMS[step.name]:
        name, ask = field.name, asks.get(field.name)
        if name == "position" or (name == "deck" and deck is not None):
            values[name] = deck if name == "deck" else position
            continue
        default = _default(name, ask, due)
        if default is not UNSET:
            values[name] = default
        elif is_needed(field, ask):
            unfilled.add(name)
            values[name] = None
    return step.action(**values), frozenset(unfilled)


def _default(name: str, ask: FieldRule | None, due: Action | None) -> Any:  # noqa: ANN401 - a field's value
    """Return what a field holds unless a person says otherwise; nothing where it must be said."""
    if ask is not None and ask.needed and ask.default is UNSET:
        return UNSET
    if due is not None:
        return getattr(due, name)
    return ask.default if ask is not None else UNSET


def _form_fields(
    step: AnyStep, action: Action, asks: Mapping[str, FieldRule], unfilled: AbstractSet[str]
) -> tuple[Field, ...]:
    """Return the fields that a form shows, with what they take now."""
    shown = []
    for field in ASKED_FOR[step.name]:
        ask = asks.get(field.name)
        if in_form(ask):
            default = None if field.name in unfilled else getattr(action, field.name)
            shown.append(field.adapt(ask, default))
    return tuple(shown)
