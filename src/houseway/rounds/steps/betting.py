"""Wagers until "no more bets", at a position or behind it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from houseway.errors import HousewayError, UnknownNameError
from houseway.games import Rules
from houseway.games.opening import order_to_cease
from houseway.games.wagers import verify_active, verify_areas, verify_bettors, verify_wagers
from houseway.law.problems import Problem
from houseway.money import dollars
from houseway.rounds.actions import (
    Action,
    AtPosition,
    BetBehind,
    CorrectWagers,
    Instrument,
    NoMoreBets,
    PlaceWagers,
)
from houseway.rounds.lives import verify_deck_age
from houseway.rounds.marks import DeckMark, HandMark, RoundMark
from houseway.rounds.outcomes import BetsClosed, Restaked, WagersPlaced
from houseway.rounds.roles import Role
from houseway.rounds.state import Hand, PersonId, Phase, Seat, Table, changed
from houseway.rounds.step import AnyStep, Check, Event, Guard, Proposal, Situation, Step, in_law
from houseway.rounds.steps.common import (
    NOT_HOUSE,
    always,
    banked_enough,
    dealer_of,
    moot,
    not_the_house,
    own_seats,
    positions,
    sense,
)
from houseway.rounds.steps.cutting import is_cut
from houseway.rounds.steps.money import round_of, stakes_changed, stakes_returned, wagers_behind
from houseway.settlement import Bettor
from houseway.settlement.fees import Payer, fees_due, unposted
from houseway.settlement.model import MAIN, PROGRESSIVE

Wagering = PlaceWagers | CorrectWagers
LAYOUT: Final = (Instrument.CHIP, Instrument.PLAQUE)
"""What may be put on a betting area; cash and words are no wager."""
CEASED: Final = "the Bureau has ordered the game to cease: no further round begins"


# --- wagers -------------------------------------------------------------------------------------------


def _bettor(s: Situation, action: Wagering) -> Seat | None:
    """Return who bets there: whose position it is, or somebody seated who takes a free second area."""
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


def _not_the_banker(s: Situation, action: AtPosition) -> bool:
    """The player-dealer bets neither at their own seat nor at another, nor behind somebody."""
    banker = s.table.seats.get(s.round.bank_seat or 0)
    seat = s.table.seats.get(action.position)
    seated = [seat.person] if seat and not isinstance(action, BetBehind) else []
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


def _takes_back_or_not_ceased(s: Situation, action: Wagering | BetBehind) -> bool:
    return not any(action.wagers.values()) or not_ceased(s, action)


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
        yield from _rate_problems(s, _seated_hand(s, action), seat.person)
    if seat is not None and not s.rules.banked and any(action.wagers.values()):
        held = {at for at, hand in s.round.hands.items() if hand.person == seat.person}
        if seat.area:
            held |= own_seats(s.table, seat.person).keys()
        yield from verify_areas(s.rules, sorted({*held, action.position}))


def _rate_problems(s: Situation, hand: Hand, person: str) -> Iterable[Problem]:
    """Ask for a posted rate on what somebody would have at all their seats, or a seat on all its wagers.

    A player with one hand and nobody behind them has been asked already: by what lies on that hand.
    """
    theirs = {at: one for at, one in s.round.hands.items() if one.is_bet_on_by(person)}
    together = {**theirs, hand.position: hand}
    if not hand.wagers or (len(together) == 1 and not hand.behind):
        return  # what is taken back needs none
    with_hand = s.table.with_round(hands=together)
    for payer, error in unposted(round_of(s.with_table(with_hand))):
        if payer.person == person or payer.position == hand.position:
            yield _without_rate(payer, error)


def _without_rate(payer: Payer, error: HousewayError) -> Problem:
    said = f"at seat {payer.position} no fee is posted for the {error.value} of {payer.person}"
    return Problem("collection", said, None, error.clauses)


def _seated_hand(s: Situation, action: Wagering) -> Hand:
    """Return the hand of a seat as its player's wagers would make it, without those that are nothing."""
    placed = {wager: amount for wager, amount in action.wagers.items() if amount}
    before = s.round.hands.get(action.position)
    person = s.table.seats[action.position].person
    return Hand(action.position, person, placed, behind=before.behind if before else ())


def _placing(s: Situation, action: Wagering) -> WagersPlaced:
    """A progressive chip off its sensor is no wager."""
    placed = {wager: amount for wager, amount in action.wagers.items() if amount}
    unseen = not _on_the_sensor(s, action) and not s.round.has(RoundMark.COIN_IN)
    if unseen and in_law(s.rules, "wager", "sensor"):
        placed.pop(PROGRESSIVE, None)
    before = s.round.hands.get(action.position)
    if not placed:
        return WagersPlaced(placed={}, stakes=stakes_returned(before), returned=wagers_behind(before))
    seat = _bettor(s, action)
    person = s.by.id if seat is None else seat.person
    after = Hand(action.position, person, placed, behind=before.behind if before else ())
    return WagersPlaced(placed=placed, stakes=stakes_changed(before, after))


def _placed(table: Table, event: Event[Wagering, WagersPlaced]) -> Table:
    at, placed = event.action.position, event.outcome.placed
    hands = dict(table.round.hands)
    before, seat = hands.pop(at, None), table.seats.get(at) or _second_area(table, event.by.id)
    if seat is None:
        return table.with_round(hands=hands)
    if placed:
        behind = before.behind if before else ()
        hands[at] = Hand(at, seat.person, placed, instrument=event.action.instrument, behind=behind)
    seats = {one: other for one, other in table.seats.items() if one != at}
    if placed or not seat.area:
        seats = {**table.seats, at: seat}
    return changed(table, seats=seats).with_round(hands=hands)


# --- behind a player ----------------------------------------------------------------------------------


def _standing_behind(s: Situation, action: BetBehind) -> bool:
    return s.round.hands[action.position].person != s.by.id


def _behind_problems(s: Situation, action: BetBehind) -> Iterable[Problem]:
    hand = s.round.hands[action.position]
    for name, amount in action.wagers.items():
        if name not in s.rules.wager_order or amount < 0:
            yield Problem(f"wager.{name}", "no such wager, or no amount of money", repr(amount))
            return
    wrong = (*verify_bettors(s.rules, len(hand.behind) + 1), *verify_wagers(s.rules, action.wagers))
    yield from wrong
    if not wrong and any(action.wagers.values()):
        yield from _rate_problems(s, _with_bettor(hand, s.by.id, action), s.by.id)


def _with_bettor(hand: Hand, person: str, action: BetBehind) -> Hand:
    wagers = {name: amount for name, amount in action.wagers.items() if amount}
    others = tuple(bettor for bettor in hand.behind if bettor.person != person)
    bettor = (Bettor(person, wagers, backline=True),) if wagers else ()
    return changed(hand, behind=(*others, *bettor))


def _betting_behind(s: Situation, action: BetBehind) -> Restaked:
    hand = s.round.hands[action.position]
    return Restaked(stakes_changed(hand, _with_bettor(hand, s.by.id, action)))


def _behind(table: Table, event: Event[BetBehind, Restaked]) -> Table:
    hand = _with_bettor(table.round.hands[event.action.position], event.by.id, event.action)
    return table.with_round(hands={**table.round.hands, hand.position: hand})


# --- no more bets -------------------------------------------------------------------------------------


def deck_ready(rules: Rules, table: Table) -> bool:
    """Whether a shuffled deck, cut where that is due, is loaded."""
    deck = table.in_play
    return deck is not None and deck.has(DeckMark.LOADED) and is_cut(rules, deck)


def not_ordered(table: Table) -> bool:
    """Whether no shuffle is ordered that the deck in play has not had."""
    return table.in_play is None or not table.in_play.has(DeckMark.ORDERED)


def rack_clear(table: Table) -> bool:
    """Whether the rack was emptied before another deck is dealt than the one that lies in it."""
    return table.rack_deck in (None, table.deck)


def _one_banker(s: Situation, _: Action) -> bool:
    return not s.rules.banked or s.round.bank_seat is not None


def _bank_put_up(s: Situation, _: Action) -> bool:
    return not s.rules.banked or (s.round.bank_seat is not None and s.round.stake > 0)


def _not_a_third_round(s: Situation, _: Action) -> bool:
    return not banked_enough(s.rules, s.table)


def _closing_problems(s: Situation, action: NoMoreBets) -> Iterable[Problem]:
    deck = s.table.in_play
    if deck is not None:
        yield from verify_deck_age(s.rules, deck.received, s.moment.now)
    if s.rules.banked and s.round.active() and _bank_put_up(s, action):
        yield from verify_active(s.rules, len(s.round.active()) + 1)
        yield from fee_problems(s)


def fee_problems(s: Situation) -> Iterable[Problem]:
    """Yield what has no posted rate: a player's wagers, each with the seat, or all the table's action."""
    made = round_of(s)
    if s.rules.banked and made.banker is None:
        yield Problem("collection", "one player banks the round first")
        return
    try:
        fees_due(made)
    except HousewayError as error:
        players = unposted(made)
        yield from (_without_rate(payer, missing) for payer, missing in players)
        if not players:
            said = f"no fee is posted for the {error.value} that lie on the table"
            yield Problem("collection", said, None, error.clauses)


def closing(s: Situation) -> BetsClosed:
    """Return what closing the bets notes: the meter, and where settling would begin."""
    meter = s.meter if s.round.meter_before is None else None
    found = meter.state if meter else None
    action = s.round.active()[0].position if s.rules.banked else s.round.action
    return BetsClosed(found, action)


def bets_closed(table: Table, closed: BetsClosed) -> Table:
    """Return the table with its bets closed and the deck to be dealt noted."""
    deck = table.in_play
    this_round = changed(
        table.round,
        marks=table.round.marks | {RoundMark.NO_MORE_BETS},
        deck=table.deck,
        commitment=deck.commitment if deck else None,
        cut_at=deck.cut_at if deck else 0,
        meter_before=table.round.meter_before or closed.meter,
        action=closed.action,
    )
    return changed(table, phase=Phase.STARTING, round=this_round)


def _closed(table: Table, event: Event[NoMoreBets, BetsClosed]) -> Table:
    """Who declined the bank before this round is asked again when it is offered after it."""
    table = changed(table, banking=changed(table.banking, declined=()))
    return bets_closed(table, event.outcome)


def _suggest_close(rules: Rules, table: Table) -> Iterable[Proposal]:
    if table.round.active() and deck_ready(rules, table):
        yield Proposal(dealer_of(table), NoMoreBets())


WAGER_GUARDS: Final = (
    Guard("layout", "wagers are chips or plaques on their own area of the layout", _on_the_layout),
    sense("not a wager on the layout", _on_the_layout),
    Guard("no_cash", "verbal wagers with cash are not accepted", _not_verbal),
    Guard("seated", "only a player seated there may wager", _seated),
    sense("only a player seated there may wager", _seated),
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
    Guard("lock_out", "the progressive is locked after no more bets", _not_locked, about=("wagers",)),
    Guard("not_house", NOT_HOUSE, not_the_house),
    Guard("not_banker", "the player-dealer places no wager against their own bank", _not_the_banker),
    Guard("ceased", CEASED, _takes_back_or_not_ceased, about=("wagers",)),
    sense("this wager has its own moment, after the cards are seen", _before_cards, "wagers"),
)


STEPS: Final[tuple[AnyStep, ...]] = (
    Step(
        action=PlaceWagers,
        phases=(Phase.BETTING,),
        guards=WAGER_GUARDS,
        checks=(Check(_wager_problems, ("wagers",)),),
        outcome=_placing,
        evolve=_placed,
    ),
    Step(
        action=BetBehind,
        phases=(Phase.BETTING,),
        guards=(
            sense("no other player's hand is there to bet behind", _standing_behind),
            Guard("not_house", NOT_HOUSE, not_the_house),
            sense("the player-dealer places no wager against their own bank", _not_the_banker),
            Guard("open", "wagers are placed before the deal", lambda s, _: s.table.phase is Phase.BETTING),
            Guard("ceased", CEASED, _takes_back_or_not_ceased, about=("wagers",)),
        ),
        checks=(Check(_behind_problems, ("wagers",)),),
        outcome=_betting_behind,
        evolve=_behind,
    ),
    Step(
        action=CorrectWagers,
        phases=(Phase.BETTING,),
        guards=(
            *WAGER_GUARDS,
            moot("nothing was entered there", lambda s, action: action.position in s.round.hands),
        ),
        checks=(Check(_wager_problems, ("wagers",)),),
        outcome=_placing,
        evolve=_placed,
    ),
    Step(
        action=NoMoreBets,
        phases=(Phase.BETTING,),
        guards=(
            sense("nobody has wagered", lambda s, _: bool(s.round.active())),
            always("banker", "one player banks the round", _one_banker),
            always("stake", "the player-dealer puts up the bank first", _bank_put_up),
            always("offered", "after two rounds the bank is offered on first", _not_a_third_round),
            Guard("ceased", CEASED, not_ceased),
            sense(
                "a shuffled, cut and loaded deck is needed first", lambda s, _: deck_ready(s.rules, s.table)
            ),
            sense("the cards in the rack go to the shuffler first", lambda s, _: rack_clear(s.table)),
            sense("a floorperson has ordered a shuffle", lambda s, _: not_ordered(s.table)),
        ),
        checks=(Check(_closing_problems),),
        outcome=lambda s, _: closing(s),
        evolve=_closed,
        suggest=_suggest_close,
    ),
)
