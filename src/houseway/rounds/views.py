"""A table as one person sees it: an allow-list, complete enough to draw a screen.

Nothing is copied from the table unless it is named here, so that what is added to the table stays hidden
until a person decides who may see it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from houseway.cards import Cards
from houseway.games import Rules
from houseway.money import Cents
from houseway.ranking import Race, Setting, describe, verify_setting, verify_split
from houseway.rounds.chance import Moment
from houseway.rounds.houseway import by_house_way, house_setting
from houseway.rounds.marks import HandMark, RoundMark
from houseway.rounds.roles import Role, Sees, sees
from houseway.rounds.sight import is_hidden, see
from houseway.rounds.state import Hand, MeterId, PersonId, Phase, Place, Table
from houseway.rounds.step import Actor
from houseway.rounds.steps.display import screen
from houseway.rounds.steps.progressive import lights
from houseway.rounds.steps.turns import turn
from houseway.settlement import Payment, PaymentKind, Status

TOLD: Final = frozenset(HandMark) - {HandMark.FOUL, HandMark.HELPED}
"""What everyone may know to have been done with a hand: it is done in sight of all."""


class View(Struct, frozen=True, gc=False, omit_defaults=True):
    """A part of what a person sees."""


class BettorView(View, frozen=True):
    """A person's wagers behind a hand."""

    name: str
    wagers: Mapping[str, Cents]


class SeatView(View, frozen=True):
    """Who sits at a position."""

    position: int
    name: str
    own: bool = False
    person: PersonId | None = None


class HandView(View, frozen=True):
    """A hand: its wagers, and as much of its cards as this person may see."""

    position: int
    name: str
    own: bool = False
    wagers: Mapping[str, Cents] = {}
    behind: tuple[BettorView, ...] = ()
    held: int = 0
    """How many cards lie there, seen or not."""
    cards: Cards = ()
    setting: Setting | None = None
    shown: Mapping[str, Cards] = {}
    """The parts that lie open, by name."""
    status: Status = Status.PLAYED
    marks: frozenset[HandMark] = frozenset()
    race: Race | None = None
    made: Mapping[str, str] = {}
    settled: frozenset[str] = frozenset()
    claim: str | None = None


class DealerView(View, frozen=True):
    """The hand that the others race."""

    position: int
    held: int = 0
    cards: Cards = ()
    setting: Setting | None = None


class DeckView(View, frozen=True):
    """A deck: where it is, and what its shuffle committed to."""

    name: str
    place: Place
    commitment: str | None = None


class MeterView(View, frozen=True):
    """What a meter's display shows."""

    meter: MeterId
    showing: Cents


class ClockView(View, frozen=True):
    """How long something may stay at the table."""

    what: str
    since: datetime
    until: datetime | None = None


class PaymentView(View, frozen=True):
    """An amount that moved, and why; not between which accounts, nor whose id they bear."""

    position: int
    kind: PaymentKind
    wager: str
    units: int
    reason: str
    clauses: tuple[str, ...] = ()
    behind: bool = False
    """Whether it concerns a person who bet behind the hand."""


class TableView(View, frozen=True, kw_only=True):
    """A table as one person sees it."""

    id: str
    game: str
    version: int
    """The number of the last event that it shows."""
    phase: Phase
    round: int
    rounds: int
    way: str
    banked: bool
    """Whether a player banks the game."""
    dealer: str | None = None
    seats: tuple[SeatView, ...] = ()
    hands: tuple[HandView, ...] = ()
    dealer_hand: DealerView
    decks: tuple[DeckView, ...] = ()
    deck: str | None = None
    meter: MeterView | None = None
    clocks: tuple[ClockView, ...] = ()
    marks: frozenset[RoundMark] = frozenset()
    lammers: frozenset[int] = frozenset()
    lights: Mapping[int, str] = {}
    """What the sensors of the progressive show, by position: a chip detected, or its wager accepted."""
    dice: tuple[int, ...] = ()
    start: int | None = None
    dealt: int = 0
    stub: int | None = None
    turn: int | None = None
    """Whose hand is settled now."""
    awaited: tuple[int, ...] = ()
    """The positions that the table waits for."""
    stopped: str | None = None
    void: str | None = None
    display: int | None = None
    screen: str = ""
    """The title on the house-way display."""
    bank_seat: int | None = None
    stake: Cents | None = None
    payments: tuple[PaymentView, ...] = ()
    typed: Mapping[int, Setting] = {}
    """Cards typed in and not confirmed yet, by position."""
    advice: Mapping[int, Setting] = {}
    """How the house way sets the hands whose players asked for it."""
    on_display: Setting | None = None
    """How the display shows the hand of the position that it shows."""


def view(rules: Rules, table: Table, viewer: Actor, moment: Moment) -> TableView:
    """Return a table as a person sees it."""
    return Scene(rules, table, moment).view(viewer)


class Scene:
    """A table looked at once for all: what is open to everyone, and what is added for some."""

    def __init__(self, rules: Rules, table: Table, moment: Moment) -> None:
        self.rules, self.table = rules, table
        self._everybodys = _public(rules, table, moment)
        seats = tuple(_with_person(table, seat) for seat in self._everybodys.seats)
        self._staffs = replace(self._everybodys, seats=seats)

    def view(self, viewer: Actor) -> TableView:
        """Return the table as a person sees it."""
        if sees(viewer.role, Sees.OWN_HAND):
            return self._own(viewer)
        seen = self._staffs if sees(viewer.role, Sees.PERSONS) else self._everybodys
        added = {
            name: build(self.rules, self.table) for what, name, build in _FOR_SOME if sees(viewer.role, what)
        }
        return replace(seen, **added) if any(added.values()) else seen

    def _own(self, viewer: Actor) -> TableView:
        """Return the table as a player sees it, with the seats and hands of their own."""
        table, seen = self.table, self._everybodys
        seats = {at for at, seat in table.seats.items() if seat.person == viewer.id}
        hands = {at for at, hand in table.round.hands.items() if hand.person == viewer.id}
        if not seats and not hands:
            return seen
        return replace(
            seen,
            seats=tuple(_own_seat(table, s) if s.position in seats else s for s in seen.seats),
            hands=tuple(
                _own_hand(self.rules, table, viewer, h) if h.position in hands else h for h in seen.hands
            ),
        )


def _advice(rules: Rules, table: Table) -> Mapping[int, Setting]:
    """Return how the house way sets the hands whose players asked for it and have not set them yet."""
    asking = (hand for hand in table.round.playing() if hand.has(HandMark.HELPED) and hand.cards)
    return {
        hand.position: house_setting(rules, hand.cards) for hand in asking if not hand.has(HandMark.PLACED)
    }


def _on_display(_: Rules, table: Table) -> Setting | None:
    """Return what the display shows of the hand of a player who asked for the house way."""
    at = table.round.display
    return table.round.hands[at].setting if at is not None else None


_FOR_SOME: Final = (
    (Sees.TYPED, "typed", lambda _, table: table.round.typed),
    (Sees.ADVICE, "advice", _advice),
    (Sees.DISPLAY, "on_display", _on_display),
)
"""What some roles are shown besides: the name of the field, and what it holds."""
NOBODY: Final = Actor("", Role.GUEST)
"""A viewer from outside."""


def _public(rules: Rules, table: Table, moment: Moment) -> TableView:
    """Return a table as everyone may see it."""
    this_round, meter = table.round, table.meter
    state = moment.meters.get(meter) if meter else None
    return TableView(
        id=table.id,
        game=rules.game.id,
        version=table.seq,
        phase=table.phase,
        round=this_round.number,
        rounds=table.rounds,
        way=rules.way,
        banked=rules.banked,
        dealer=table.dealer,
        seats=tuple(SeatView(at, seat.name or seat.person) for at, seat in sorted(table.seats.items())),
        hands=tuple(_hand(rules, table, hand) for _, hand in sorted(this_round.hands.items())),
        dealer_hand=_dealer(rules, table),
        decks=tuple(DeckView(deck.name, deck.place, deck.commitment) for deck in table.decks.values()),
        deck=table.deck,
        meter=MeterView(meter, state.showing) if meter and state else None,
        clocks=tuple(clocks(rules, table)),
        marks=this_round.marks,
        lammers=this_round.lammers,
        lights=lights(rules, table),
        dice=this_round.dice,
        start=this_round.start,
        dealt=this_round.dealt,
        stub=this_round.stub,
        turn=_turn(rules, table),
        awaited=tuple(_awaited(table)),
        stopped=this_round.stopped,
        void=this_round.void.reason if this_round.void else None,
        display=this_round.display,
        screen=screen(rules, table),
        bank_seat=this_round.bank_seat,
        stake=this_round.stake or None,
        payments=tuple([payment_view(table, payment) for payment in this_round.payments]),
    )


def payment_view(table: Table, payment: Payment) -> PaymentView:
    """Return an amount that moved as everyone may see it."""
    hand = table.round.hands.get(payment.position)
    behind = hand is not None and payment.person != hand.person
    return PaymentView(
        payment.position, payment.kind, payment.wager, payment.units, payment.reason, payment.clauses, behind
    )


def _with_person(table: Table, seat: SeatView) -> SeatView:
    return replace(seat, person=table.seats[seat.position].person)


def _own_seat(table: Table, seat: SeatView) -> SeatView:
    return replace(seat, own=True, person=table.seats[seat.position].person)


def _name(table: Table, position: int, person: PersonId) -> str:
    seat = table.seats.get(position)
    return seat.name if seat and seat.name and seat.person == person else person


def _hand(rules: Rules, table: Table, hand: Hand) -> HandView:
    seen = not is_hidden(rules, table, NOBODY, hand.position)
    return HandView(
        position=hand.position,
        name=_name(table, hand.position, hand.person),
        wagers=hand.wagers,
        behind=tuple(BettorView(bettor.person, bettor.wagers) for bettor in hand.behind),
        held=rules.game.hand_cards if table.round.has(RoundMark.DEALT_OUT) else 0,
        cards=hand.cards if seen else (),
        setting=hand.setting if seen else None,
        shown=_open_parts(rules, hand),
        status=hand.status,
        marks=hand.marks & TOLD,
        race=hand.race,
        made=hand.made if hand.has(HandMark.REARRANGED) else {},
        settled=hand.settled,
        claim=hand.claim,
    )


def _own_hand(rules: Rules, table: Table, viewer: Actor, seen: HandView) -> HandView:
    """Return a hand as its own player sees it."""
    hand = table.round.hands[seen.position]
    if is_hidden(rules, table, viewer, hand.position):
        return replace(seen, own=True)
    return replace(seen, own=True, cards=hand.cards, setting=hand.setting)


def _open_parts(rules: Rules, hand: Hand) -> Mapping[str, Cards]:
    """Return the parts of a hand that were revealed one by one."""
    if hand.setting is None or not hand.shown:
        return {}
    named = zip(rules.ranking().part_names, hand.setting, strict=False)
    return {name: part for name, part in named if name in hand.shown}


def _dealer(rules: Rules, table: Table) -> DealerView:
    this_round, at = table.round, table.dealer_at
    count = rules.game.hand_cards if this_round.has(RoundMark.DEALT_OUT) else 0
    if is_hidden(rules, table, NOBODY, at):
        return DealerView(at, count)
    return DealerView(at, count, this_round.dealer_cards, this_round.dealer_setting)


def _turn(rules: Rules, table: Table) -> int | None:
    hand = turn(rules, table) if table.phase is Phase.SETTLING else None
    return hand.position if hand else None


def _awaited(table: Table) -> Iterator[int]:
    for hand in table.round.playing():
        waits = hand.has(HandMark.LEFT) and not hand.has(HandMark.RULED)
        unset = table.phase is Phase.SETTING and hand.status is Status.PLAYED
        if waits or hand.has(HandMark.CHOOSING) or (unset and not hand.has(HandMark.PLACED)):
            yield hand.position


def clocks(rules: Rules, table: Table) -> Iterator[ClockView]:
    """Yield how long the decks and the dice may still stay at a table."""
    lives = rules.game.lives
    life = lives.deck_by_hand if rules.submission.table.dealing == "hand" else lives.deck_by_shoe
    for deck in table.decks.values():
        if deck.place is not Place.REMOVED:
            until = deck.received + timedelta(hours=life.value) if life else None
            yield ClockView(f"deck {deck.name}", deck.received, until)
    if table.dice_since is not None:
        until = table.dice_since + timedelta(hours=lives.dice.value) if lives.dice else None
        yield ClockView("dice", table.dice_since, until)


# --- a setting looked at before it is placed ----------------------------------------------------------


class PartPreview(View, frozen=True):
    """One part of a setting, and what it is."""

    name: str
    cards: Cards
    rank: str | None


class Preview(View, frozen=True):
    """What a setting would be: each part's rank, and every reason why it is foul or cannot be placed."""

    parts: tuple[PartPreview, ...]
    fouls: tuple[str, ...] = ()


def preview(rules: Rules, cards: Cards, setting: Setting) -> Preview:
    """Name each part of a setting of these cards, and any foul."""
    order = rules.ranking()
    problems = verify_split(order, cards, setting)
    parts = tuple(
        PartPreview(name, part, describe(order.rank(name, part)) if len(part) == size else None)
        for name, size, part in zip(order.part_names, order.split, setting, strict=False)
    )
    if not problems and tuple(map(len, setting)) == order.split:
        problems = verify_setting(order, setting)
    return Preview(parts, tuple(str(problem.reason) for problem in problems))


# --- how a hand might be set --------------------------------------------------------------------------


class Advice(View, frozen=True):
    """How the house way sets a hand, and the rule of it that fired."""

    setting: Setting
    rule: str
    say: str
    clauses: tuple[str, ...] = ()


def suggest_setting(rules: Rules, table: Table, viewer: Actor, position: int) -> Advice:
    """Return how the house way sets the cards at a position, to a person who may see them, or refuse."""
    return advise(rules, see(rules, table, viewer, position))


def advise(rules: Rules, cards: Cards) -> Advice:
    """Return how the house way sets cards, and why."""
    decision = by_house_way(rules, cards)
    return Advice(decision.setting, decision.rule, decision.say, decision.clauses)
