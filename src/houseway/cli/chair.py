"""A person's chair at an automated table: his decisions are commands, everybody else plays the house way.

Nothing here asks or prints, and nothing here is a rule: what may be done is answered by ``verify``, what
comes of it by ``perform`` and ``proceed``. The one thing added is a purse, which cannot go below nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from houseway.cards import Cards
from houseway.errors import HousewayError, IllegalError
from houseway.games import Rules
from houseway.law import Problem
from houseway.ledger import AccountKind, Units, player, show_units, units
from houseway.money import Cents
from houseway.ranking import Setting, verify_setting, verify_split
from houseway.rounds.auto import CLOSES_BETS, Played, person_at, usual_wagers
from houseway.rounds.deciding import Automation, suggestions, verify
from houseway.rounds.record import set_dealer
from houseway.rounds.sitting import EVERYTHING, may, options, perform, proceed
from houseway.rounds.state import Hand, Phase, Play, Table
from houseway.rounds.step import Actor, Command, Event, Moment, Role
from houseway.rounds.steps.money import round_of
from houseway.rounds.views import see
from houseway.settlement import Kind, Payment, take_fees
from houseway.settlement.model import DOUBLE_DOWN

YOU: Final = Actor("You", Role.PLAYER)
BANK: Final = frozenset({"accept_bank", "put_up"})
"""What somebody decides who is offered the bank."""
OPENS: Final = frozenset({"reveal"})
NOT_HIS: Final = (Kind.CONTRIBUTION, Kind.SEED)
"""What moves between the house and a meter: nobody at the table wins or loses by it."""


@dataclass(frozen=True)
class Advice:
    """How the house way sets a hand, and the rule of it that fired."""

    setting: Setting
    rule: str
    say: str
    clauses: tuple[str, ...]


@dataclass(frozen=True)
class Accounts:
    """What a round did to a purse: put on the table, taken from the hand as fees, come back."""

    placed: Units
    fees: Units
    back: Units

    @property
    def net(self) -> Units:
        """What the round won, or lost if it is below nothing."""
        return self.back - self.placed - self.fees


class Chair:
    """One position at a table, taken by a person; the others are taken by players of the house way."""

    def __init__(self, table: Table, seat: int, moment: Moment) -> None:
        self.seat, self.moment = seat, moment
        self._now: tuple[Table, tuple[Event, ...]] = (table, ())
        self._goal = table.rounds + 1
        for at in positions(table.rules):
            who = YOU if at == seat else person_at(table, at)
            self.perform(Command("sit", who, at))

    @property
    def table(self) -> Table:
        """The table as it stands."""
        return self._now[0]

    @property
    def rules(self) -> Rules:
        """The rules in force."""
        return self.table.rules

    @property
    def hand(self) -> Hand | None:
        """The hand played here in this round; a player-dealer has none among the players'."""
        return self.table.play.hands.get(self.seat)

    @property
    def banks(self) -> bool:
        """Whether this person is the player-dealer of the round."""
        return self.table.banked and self.table.play.bank_seat == self.seat

    # --- doing ----------------------------------------------------------------------------------------

    def command(self, step: str, **details: object) -> Command:
        """Return what the person wants to do."""
        return Command(step, YOU, self.seat, details)

    def perform(self, command: Command) -> tuple[Event, ...]:
        """Do one thing, or refuse it."""
        table, events = self._now
        table, done = perform(table, command, self.moment)
        self._now = (table, (*events, *done))
        return done

    def refusals(self, command: Command) -> tuple[Problem, ...]:
        """Return every reason why something may not be done now."""
        return tuple(p for p in verify(self.table, command, self.moment.now) if p.blocks)

    def advance(self, automation: Automation = EVERYTHING) -> bool:
        """Do what goes by itself, to the end of the round at most; say whether anything was done."""
        table, events = self._now
        for after, event in proceed(table, self.moment, automation, self._goal):
            events = (*events, event)
            self._now = (after, events)
        return self._now[0] is not table

    def _reach(self, phase: Phase, automation: Automation = EVERYTHING, rounds: int = 0) -> None:
        """Go on to a phase, or refuse with every reason why it does not come to that."""
        self.advance(automation)
        if self.table.phase is phase and self.table.rounds >= rounds:
            return
        blocked = [p for o in options(self.table, self.moment.now) for p in o.problems if p.blocks]
        said = "; ".join(dict.fromkeys(problem.reason for problem in blocked)) or f"it is {self.table.phase}"
        law = tuple(dict.fromkeys(clause for problem in blocked for clause in problem.clauses))
        raise IllegalError(f"the table does not go on by itself: {said}", clauses=law)

    # --- before the cards -----------------------------------------------------------------------------

    def begin(self) -> Literal["offered", "held", "bets"]:
        """Go on until the person decides: about the bank offered to him, the bank he holds, or his bets."""
        self._goal = self.table.rounds + 1
        while True:
            self._reach(Phase.BETTING, EVERYTHING - CLOSES_BETS - BANK)
            banking = self.table.banking
            if not self.table.banked or self.table.play.stake:
                self._now = self._others_bet(*self._now)
                return "bets"
            if banking.offering == self.seat:
                return "offered"
            if banking.offering is None and banking.seat == self.seat:
                return "held"
            if not self.advance(BANK):
                raise IllegalError("nobody takes the bank", value=str(self.table.phase))

    def _others_bet(self, table: Table, events: tuple[Event, ...]) -> tuple[Table, tuple[Event, ...]]:
        """Return the table with the others' usual wagers, or their smallest where those are not taken."""
        usual = {w: amount for w, amount in usual_wagers(table.rules).items() if w != DOUBLE_DOWN}
        least, _ = limits(table.rules, "main")
        for at, seat in sorted(table.seats.items()):
            for wagers in (usual, {"main": least or usual["main"]}):
                command = Command("wager", Actor(seat.person, Role.PLAYER), at, {"wagers": wagers})
                open_area = at != self.seat and at not in table.play.hands
                if open_area and may(table, command, self.moment.now):
                    table, done = perform(table, command, self.moment)
                    events = (*events, *done)
        return table, events

    def objections(self, *commands: Command, purse: Units) -> tuple[Problem, ...]:
        """Return why these things may not be done one after the other: by the law, or by the purse."""
        table = self.table
        for command in commands:
            found = tuple(p for p in verify(table, command, self.moment.now) if p.blocks)
            if found:
                return found
            table, _ = perform(table, command, self.moment)
        try:
            needed = self._committed(table)
        except HousewayError as error:
            return (Problem("collection", error.cause, str(error.value), error.clauses),)
        if needed <= purse:
            return ()
        return (Problem("chips", f"that takes {show_units(needed)} and you have {show_units(purse)}"),)

    def _committed(self, table: Table) -> Units:
        """Return what the person has on the table, with the fees that follow from it."""
        play, fees = table.play, 0
        if table.rules.schedule() is not None and table.phase is Phase.BETTING:
            full, _ = self._others_bet(table, ())
            fees = sum(fee.units for fee in take_fees(round_of(full)) if fee.source == player(YOU.name))
        wagers = sum(play.hands[self.seat].wagers.values()) if self.seat in play.hands else 0
        return fees + units(wagers + (play.stake if play.bank_seat == self.seat else 0))

    # --- with the cards -------------------------------------------------------------------------------

    def deal(self) -> None:
        """Close the bets and deal; everybody looks, and who usually doubles down does."""
        self._reach(Phase.SETTING, EVERYTHING - {"set"})
        for at, seat in sorted(self.table.seats.items()):
            doubles = Command(DOUBLE_DOWN, Actor(seat.person, Role.PLAYER), at)
            if at != self.seat and self.rules.offers(DOUBLE_DOWN) and not self.refusals(doubles):
                self.perform(doubles)

    def cards(self) -> Cards:
        """Return the person's cards as he may see them, the highest first."""
        return self._seen(self.seat)

    def dealer_cards(self) -> Cards:
        """Return the cards of the dealer, or of the player-dealer, as the person may see them."""
        return self._seen(self.table.dealer_at)

    def _seen(self, position: int) -> Cards:
        cards = see(self.table, YOU, position, self.moment.now)
        return tuple(sorted(cards, key=lambda card: (card.rank, card), reverse=True))

    def placing(self, setting: Setting) -> Command:
        """Return the command that sets the person's hand so, the player-dealer's as well as a player's."""
        return self.command("reset_bank" if self.banks else "set", setting=setting)

    def fouls(self, setting: Setting) -> tuple[Problem, ...]:
        """Return why a setting that may be placed is foul all the same."""
        order = self.rules.ranking()
        cards = self.table.play.dealer_cards if self.banks else self.cards()
        return verify_split(order, cards, setting) or verify_setting(order, setting)

    def binding(self) -> tuple[Problem, ...]:
        """Return why the hand could no longer be set by hand once the house way is asked for."""
        placing = next(c for c in suggestions(self.table, {"set"}) if c.position == self.seat)
        after, _ = perform(self.table, self.command("ask_help"), self.moment)
        return tuple(p for p in verify(after, placing, self.moment.now) if p.blocks)

    def ask_help(self) -> Advice | None:
        """Ask the dealer for the house way; nothing is shown yet where a display shows it later."""
        (event,) = self.perform(self.command("ask_help"))
        return self.house_way(self.cards()) if event.get("setting") else None

    def house_way(self, cards: Cards) -> Advice:
        """Return how the house way sets cards that lie open to the person, and by which rule."""
        _, decision = set_dealer(self.rules, cards)
        setting = tuple(part[::-1] for part in decision.setting)
        return Advice(setting, decision.rule, decision.say, decision.clauses)

    def turn_over(self) -> None:
        """Let whoever has not set his hand set it the house way; the dealer's is turned over and set."""
        self._reach(Phase.SETTLING, EVERYTHING - OPENS)

    def next_opening(self) -> Command | None:
        """Settle what is open, and return the command that opens the next hand."""
        self.advance(EVERYTHING - OPENS)
        found = (c for c in suggestions(self.table, OPENS) if not self.refusals(c))
        return None if self.table.rounds >= self._goal else next(found, None)

    def finish(self) -> Played:
        """Play the round to its end the house way, whatever is still undecided, and hand it over."""
        self._reach(Phase.BETTING, rounds=self._goal)
        table, events = self._now
        self._now = (table, ())
        return Played(table.rules, table.last or table.play, events)


def positions(rules: Rules) -> range:
    """Return the positions at which players sit; where one of them banks, seat 1 is a player's too."""
    first = 1 if rules.game.banked_by == "player_dealer" else 2
    return range(first, first + rules.submission.table.positions)


def limits(rules: Rules, wager: str) -> tuple[Cents | None, Cents | None]:
    """Return the least and the most that a prompt names for a wager; ``verify`` has the last word."""
    choice, meter, schedule = rules.submission.wagers[wager], rules.submission.progressive, rules.schedule()
    if rules.game.wager_terms(wager).family == "progressive" and meter and meter.amount:
        return meter.amount, meter.amount
    least = [choice.min] if choice.min is not None else []
    most = [choice.max] if choice.max is not None else []
    if schedule is not None:
        least.append(schedule.table_min)
        most.append(schedule.table_max)
    return max(least, default=None), min(most, default=None)


def payments_of(play: Play, person: str) -> list[Payment]:
    """Return the payments that touch a person's hand, wagers or bank, in their order."""
    own = {player(person), *((play.banker.account,) if play.banker and play.banker.person == person else ())}
    return [
        payment
        for payment in play.payments
        if payment.kind not in NOT_HIS
        and (
            own & {payment.source, payment.to}
            or (payment.person == person and payment.source.kind is AccountKind.PENDING)
        )
    ]


def accounts_of(play: Play, person: str) -> Accounts:
    """Return what a round did to a person's purse."""
    account = player(person)
    wagers = sum(sum(hand.wagers.values()) for hand in play.active() if hand.person == person)
    stake = play.banker.stake if play.banker and play.banker.person == person else 0
    return Accounts(
        placed=units(wagers + stake),
        fees=sum(p.units for p in play.payments if p.source == account),
        back=sum(p.units for p in play.payments if p.to == account),
    )
