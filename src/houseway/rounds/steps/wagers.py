"""Wagers of a position, until "no more bets"."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Final

from msgspec.structs import replace

from houseway.errors import HousewayError, UnknownNameError
from houseway.games import Rules
from houseway.games.opening import order_to_cease
from houseway.games.wagers import verify_active, verify_areas, verify_wagers
from houseway.law.problems import Problem, Severity
from houseway.money import Cents, dollars
from houseway.rounds.action import Action, AtPosition, OnHand, WagerId
from houseway.rounds.annotations import Ask, Shown
from houseway.rounds.asks import Asks, FieldRule
from houseway.rounds.choices import Instrument
from houseway.rounds.marks import HandMark, RoundMark
from houseway.rounds.outcomes import Moves
from houseway.rounds.roles import Role
from houseway.rounds.stage import Stage
from houseway.rounds.state import Hand, PersonId, Phase, Seat, Table, changed
from houseway.rounds.step import Actor, AnyStep, Check, Event, Guard, Panel, Situation, Step, Words, in_law
from houseway.rounds.steps.common import (
    NOT_HOUSE,
    always,
    given,
    moot,
    not_the_house,
    own_seats,
    positions,
    sense,
)
from houseway.rounds.steps.for_players import NOTED, PLAYERS_OWN, for_a_player
from houseway.rounds.steps.money import is_more, move_stakes, return_stakes, round_of, wagers_behind
from houseway.settlement.fees import Payer, fees_due, find_unposted, seats_of
from houseway.settlement.model import MAIN, PROGRESSIVE


class PlaceWagers(AtPosition, frozen=True, tag="wager"):
    """The wagers of a position, all of them; an amount of nothing takes a wager back."""

    wagers: Annotated[Mapping[WagerId, Cents], Ask("Wagers")]
    instrument: Annotated[Instrument, Ask("Placed as")] = Instrument.CHIP
    off_sensor: Annotated[bool, Ask("The chip lies off the sensor")] = False


class CorrectWagers(AtPosition, frozen=True, tag="correct_wager"):
    """The dealer corrects what was entered."""

    wagers: Annotated[Mapping[WagerId, Cents], Ask("Wagers")]
    reason: Annotated[str, Ask("Reason")]
    instrument: Annotated[Instrument, Ask("Placed as")] = Instrument.CHIP
    off_sensor: Annotated[bool, Ask("The chip lies off the sensor")] = False


class WagersPlaced(Moves, frozen=True, tag="wagers_placed", kw_only=True):
    """The wagers that lie on the layout now: a progressive chip off its sensor is none.

    ``returned`` are the wagers of those who stood behind a hand that no one plays now.
    """

    placed: Annotated[Mapping[str, Cents], Shown("placed")]
    returned: Annotated[Mapping[str, Mapping[str, Cents]], Shown("returned")] = {}


Wagering = PlaceWagers | CorrectWagers
LAYOUT: Final = (Instrument.CHIP, Instrument.PLAQUE)
"""What may be put on a betting area; cash and words are no wager."""
CEASED: Final = "the Bureau has ordered the game to cease: no further round begins"


# --- wagers -------------------------------------------------------------------------------------------


def _bettor(s: Situation, action: Wagering) -> Seat | None:
    """Return who bets there: whose position it is, or a person seated who takes a free second area."""
    seat = s.table.seats.get(action.position)
    if seat is not None or s.rules.banked or s.by.role is not Role.PLAYER:
        return seat
    return _second_area(s.table, s.by.id) if action.position in positions(s.rules) else None


def _second_area(table: Table, person: PersonId) -> Seat | None:
    own = next(iter(own_seats(table, person).values()), None)
    return None if own is None else changed(own, area=True)


def _seated(s: Situation, action: Wagering) -> bool:
    seat = _bettor(s, action)
    return seat is not None and (seat.person == s.by.id or s.by.role is Role.DEALER)


def _not_left(s: Situation, action: Wagering) -> bool:
    hand = s.round.hands.get(action.position)
    return hand is None or not hand.has(HandMark.LEFT)


def _on_the_layout(s: Situation, action: Wagering) -> bool:
    if action.instrument is Instrument.APPROVED:
        return in_law(s.rules, "wager", "approved")
    return action.instrument in LAYOUT


def _not_verbal(_: Situation, action: Wagering) -> bool:
    return action.instrument is not Instrument.VERBAL


def _open_or_placed(s: Situation, action: Wagering) -> bool:
    if s.table.phase is Phase.BETTING:
        return True
    hand = s.round.hands.get(action.position)
    return hand is not None and set(action.wagers) <= set(hand.wagers)


def _open_or_absent(s: Situation, action: Wagering) -> bool:
    return s.table.phase is Phase.BETTING or action.position not in s.round.hands


def not_the_banker(s: Situation, action: AtPosition) -> bool:
    """The player-dealer bets neither at their own seat nor at another, nor behind a person."""
    banker = s.table.seats.get(s.round.bank_seat or 0)
    seat = s.table.seats.get(action.position)
    seated = [seat.person] if seat and not isinstance(action, OnHand) else []
    return banker is None or banker.person not in {s.by.id, *seated}


def _main_beside(_: Situation, action: Wagering) -> bool:
    return bool(action.wagers.get(MAIN)) or not any(action.wagers.values())


def _not_locked(s: Situation, action: Wagering) -> bool:
    if s.table.phase is not Phase.BETTING:
        return PROGRESSIVE not in action.wagers
    if not s.round.has(RoundMark.COIN_IN):
        return True
    hand = s.round.hands.get(action.position)
    booked = hand.amount(PROGRESSIVE) if hand else 0
    return action.wagers.get(PROGRESSIVE, 0) == booked


def _on_the_sensor(_: Situation, action: Wagering) -> bool:
    return not (action.off_sensor and PROGRESSIVE in action.wagers)


def not_ceased(s: Situation, _: Action) -> bool:
    """Whether no order to cease stands: a round whose bets are closed is played out, and none begins."""
    return order_to_cease(s.table.notices) is None


def _takes_back_or_not_ceased(s: Situation, action: Wagering) -> bool:
    return not any(action.wagers.values()) or not_ceased(s, action)


def _none_there_or_own(s: Situation, action: PlaceWagers) -> bool:
    """Whether nothing of a player's is changed by the dealer."""
    hand = s.round.hands.get(action.position)
    return hand is None or not for_a_player(s)


def _before_cards(s: Situation, action: Wagering) -> bool:
    """Only what is bet before the cards; the Double Down has a moment of its own."""
    return not any(action.wagers.get(later) for later in s.rules.later_wagers)


def _wager_problems(s: Situation, action: Wagering) -> Iterable[Problem]:
    for name, amount in action.wagers.items():
        if amount < 0:
            yield Problem(f"wager.{name}", "an amount of money is needed", dollars(amount))
            return
        if name in s.rules.wager_order:
            continue
        try:
            s.rules.terms(name)
        except UnknownNameError as error:
            yield Problem(f"wager.{name}", error.cause, str(error.value), error.clauses)
            return
    wrong = verify_wagers(s.rules, action.wagers)
    yield from wrong
    seat = _bettor(s, action)
    if seat is not None and s.rules.banked and not wrong:
        yield from rate_problems(s, _seated_hand(s, action), seat.person)
        yield from _seat_problems(s, action)
    if seat is not None and not s.rules.banked and any(action.wagers.values()):
        yield from verify_areas(s.rules, sorted({*_areas_bet_on(s, action, seat), action.position}))


def _areas_bet_on(s: Situation, action: Wagering, seat: Seat) -> set[int]:
    """Return where a person bets already; where they do nowhere, the seat that a second area lies beside."""
    areas = {at for at, hand in s.round.hands.items() if hand.person == seat.person}
    if seat.area and not areas:
        areas = set(sorted(own_seats(s.table, seat.person), key=lambda at: abs(at - action.position))[:1])
    return areas


def _seat_problems(s: Situation, action: Wagering) -> Iterable[Problem]:
    """Find that as many seats bet already as a round has beside the player-dealer's."""
    others = [hand for hand in s.round.active() if hand.position != action.position]
    if action.wagers.get(MAIN):
        for problem in verify_active(s.rules, len(others) + 2):
            yield replace(problem, field=f"seat {action.position}")


def rate_problems(s: Situation, hand: Hand, person: str) -> Iterable[Problem]:
    """Ask for a posted rate on what a person would have at all their seats, or a seat on all its wagers.

    A player with one hand and no one behind them has been asked already: by what lies on that hand. More may
    be put down or taken back while bets are open, so this only warns; without a rate no bets close.
    """
    theirs = {at: other for at, other in s.round.hands.items() if other.is_bet_on_by(person)}
    together = {**theirs, hand.position: hand}
    if not hand.wagers or (len(together) == 1 and not hand.behind):
        return  # what is taken back needs none
    showdown = round_of(s.with_table(s.table.with_round(hands=together)))
    for payer, error in find_unposted(showdown):
        if payer.person == person or payer.position == hand.position:
            yield replace(_without_rate(payer, error), severity=Severity.WARNING)


def _without_rate(payer: Payer, error: HousewayError) -> Problem:
    *others, last = map(str, seats_of(payer))
    where = f"seats {', '.join(others)} and {last}" if others else f"seat {last}"
    reason = f"at {where} no fee is posted for the {error.value} of {payer.person}"
    return Problem("collection", reason, None, error.clauses)


def _seated_hand(s: Situation, action: Wagering) -> Hand:
    """Return the hand of a seat as its player's wagers would make it, without those that are nothing."""
    placed = {wager: amount for wager, amount in action.wagers.items() if amount}
    before = s.round.hands.get(action.position)
    person = s.table.seats[action.position].person
    return Hand(action.position, person, placed, behind=before.behind if before else ())


def _decide_wagers(s: Situation, action: Wagering) -> WagersPlaced:
    """A progressive chip off its sensor is no wager."""
    placed = {wager: amount for wager, amount in action.wagers.items() if amount}
    unseen = not _on_the_sensor(s, action) and not s.round.has(RoundMark.COIN_IN)
    if unseen and in_law(s.rules, "wager", "sensor"):
        placed.pop(PROGRESSIVE, None)
    before = s.round.hands.get(action.position)
    if not placed:
        return WagersPlaced(placed={}, stakes=return_stakes(before), returned=wagers_behind(before))
    seat = _bettor(s, action)
    person = s.by.id if seat is None else seat.person
    after = Hand(action.position, person, placed, behind=before.behind if before else ())
    return WagersPlaced(placed=placed, stakes=move_stakes(before, after))


def _place(table: Table, event: Event[Wagering, WagersPlaced]) -> Table:
    at, placed = event.action.position, event.outcome.placed
    hands = dict(table.round.hands)
    before, seat = hands.pop(at, None), table.seats.get(at) or _second_area(table, event.by.id)
    if seat is None:
        return table.with_round(hands=hands)
    if placed:
        behind = before.behind if before else ()
        hands[at] = Hand(at, seat.person, placed, instrument=event.action.instrument, behind=behind)
    seats = {position: other for position, other in table.seats.items() if position != at}
    if placed or not seat.area:
        seats = {**table.seats, at: seat}
    return changed(table, seats=seats).with_round(hands=hands)


# --- no more bets -------------------------------------------------------------------------------------


def fee_problems(s: Situation) -> Iterable[Problem]:
    """Yield what has no posted rate: a player's wagers, each with the seat, or all the table's action."""
    showdown = round_of(s)
    if s.rules.banked and showdown.banker is None:
        yield Problem("collection", "one player banks the round first")
        return
    try:
        fees_due(showdown)
    except HousewayError as error:
        players = find_unposted(showdown)
        yield from (_without_rate(payer, missing) for payer, missing in players)
        if not players:
            reason = f"no fee is posted for the {error.value} that lie on the table"
            yield Problem("collection", reason, None, error.clauses)


WAGER_GUARDS: Final = (
    Guard(
        "layout",
        "wagers are chips or plaques, each on its own area of the layout",
        _on_the_layout,
        sense=True,
        reason_in={
            "pa-670a": "wagers are chips, plaques or other instruments that the Board approved, each on its "
            "own area of the layout"
        },
    ),
    Guard("no_cash", "verbal wagers with cash are not accepted", _not_verbal),
    always("seated", "only a player seated there may wager", _seated),
    sense("the player has left: the wagers stand, or as the floor rules", _not_left),
    Guard("open", "every wager is placed before no more bets", _open_or_placed, about=("wagers",)),
    Guard("unchanged", "after no more bets nothing is made, increased or withdrawn", _open_or_absent),
    Guard("main", "a main wager is needed to take part", _main_beside, about=("wagers",)),
    Guard(
        "sensor",
        "off the sensor a progressive chip is no wager",
        _on_the_sensor,
        warns=True,
        about=("wagers",),
    ),
    Guard(
        "lock_out", "the progressive is locked: its wagers stay as they are", _not_locked, about=("wagers",)
    ),
    Guard("not_house", NOT_HOUSE, not_the_house),
    Guard("not_banker", "the player-dealer places no wager against their own bank", not_the_banker),
    Guard("ceased", CEASED, _takes_back_or_not_ceased, about=("wagers",)),
    sense("this wager has its own moment, after the cards are seen", _before_cards, "wagers"),
)


CORRECTED: Final[Guard[PlaceWagers]] = sense(
    "what a player has placed is changed by a correction, with its reason", _none_there_or_own, "wagers"
)


# --- what its fields take -----------------------------------------------------------------------------


def _amounts(rules: Rules, hand: Hand | None) -> FieldRule:
    each = {}
    for wager in rules.wager_order:
        if rules.offers(wager) and wager not in rules.later_wagers:
            least, most = rules.stakes(wager)
            placed = hand.amount(wager) if hand else 0
            each[wager] = FieldRule(least=least, most=most, default=placed, needed=wager == MAIN)
    return FieldRule(each=each, needed=True)


def _bringer(table: Table, by: Actor, action: Wagering) -> PersonId | None:
    """Return who bets more than lies at a position: its player, or one who takes it as a second area."""
    seat, hand = table.seats.get(action.position), table.round.hands.get(action.position)
    if not is_more(action.wagers, hand.wagers if hand else {}):
        return None
    return seat.person if seat else by.id


def asks_wagers(rules: Rules, table: Table, position: int) -> Asks:
    """Ask for an amount on each wager that is placed before the cards."""
    return {"wagers": _amounts(rules, table.round.hands.get(position))}


# --- where, and by whom -------------------------------------------------------------------------------


def _beside(rules: Rules, table: Table) -> Mapping[int, Sequence[PersonId]]:
    """Return the free areas on which a person who sits beside may bet too, and who that is."""
    if not rules.submission.table.adjacent_areas:
        return {}
    everybody = [seat.person for seat in table.seats.values()]
    areas: dict[int, Sequence[PersonId]] = {}
    for at in positions(rules):
        neighbours = [table.seats[place].person for place in (at - 1, at + 1) if place in table.seats]
        people = [person for person in neighbours if everybody.count(person) == 1]
        if people and at not in table.seats:
            areas[at] = people
    return areas


STEPS: Final[tuple[AnyStep, ...]] = (
    Step(
        action=PlaceWagers,
        stage=Stage.BETS,
        by=(Role.PLAYER, Role.DEALER),
        phases=(Phase.BETTING,),
        words=Words(
            "Place wagers",
            follows="The wagers of the position are on record until they are changed or the bets close.",
        ),
        guards=(*WAGER_GUARDS, PLAYERS_OWN, CORRECTED, NOTED),
        checks=(Check(_wager_problems, ("wagers",)),),
        outcome=_decide_wagers,
        evolve=_place,
        brings=_bringer,
        asks=asks_wagers,
        guests=_beside,
        choice=True,
        panels=(Panel.SEAT,),
    ),
    Step(
        action=CorrectWagers,
        by=(Role.DEALER,),
        phases=(Phase.BETTING,),
        exceptional=True,
        words=Words(
            "Correct the wagers",
            follows="The corrected wagers of the position take the place of those entered before.",
        ),
        guards=(
            *WAGER_GUARDS,
            moot("nothing was entered there", lambda s, action: action.position in s.round.hands),
            sense("the reason is put on record", lambda _, action: given(action.reason), "reason"),
            PLAYERS_OWN,
        ),
        checks=(Check(_wager_problems, ("wagers",)),),
        outcome=_decide_wagers,
        evolve=_place,
        brings=_bringer,
        asks=asks_wagers,
        panels=(Panel.WRONG,),
    ),
)
