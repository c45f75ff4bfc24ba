"""A person's seat at an automated table: their decisions are commands, everyone else plays the house way.

Nothing here asks or prints, and nothing here is a rule: what may be done is answered by ``verify``, what
comes of it by ``decide``. The one thing added is a purse, which cannot go below nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from houseway.cards import Cards, highest_first
from houseway.errors import HousewayError, IllegalError
from houseway.games import Rules
from houseway.law import Problem
from houseway.ledger import AccountKind, Units, player, show_units, units
from houseway.meters import MeterState
from houseway.ranking import Setting, verify_setting, verify_split
from houseway.rng import SystemEntropy
from houseway.rounds.action import Action, step_of
from houseway.rounds.auto import CLOSES_BETS, person_at, usual_wagers
from houseway.rounds.chance import Vault, live
from houseway.rounds.deciding import decide, evolve_all, verify
from houseway.rounds.live import EVERYTHING, LiveTable, due_moves
from houseway.rounds.record import Record
from houseway.rounds.roles import Role
from houseway.rounds.sight import see
from houseway.rounds.state import Hand, Phase, Round, Table
from houseway.rounds.step import Actor, AnEvent, Command, Proposal, Situation
from houseway.rounds.steps.bank import AcceptBank, PutUp
from houseway.rounds.steps.common import player_at, positions
from houseway.rounds.steps.double_down import DoubleDown
from houseway.rounds.steps.hand import Advised, AskHelp, SetHand
from houseway.rounds.steps.money import round_of
from houseway.rounds.steps.piles import ResetBank
from houseway.rounds.steps.players import Sit
from houseway.rounds.steps.reveal import Reveal
from houseway.rounds.steps.wagers import PlaceWagers
from houseway.rounds.views import Advice, suggest_setting
from houseway.settlement import Payment, PaymentKind, take_fees
from houseway.settlement.model import DOUBLE_DOWN

YOU: Final = Actor("You", Role.PLAYER)
BANK: Final = frozenset({step_of(AcceptBank), step_of(PutUp)})
"""What a person decides who is offered the bank."""
OPENS: Final = frozenset({step_of(Reveal)})
SETS: Final = frozenset({step_of(SetHand)})
NOBODYS: Final = (PaymentKind.CONTRIBUTION, PaymentKind.SEED)
"""What moves between the house and a meter: no one at the table wins or loses by it."""


class NextDecision(StrEnum):
    """What the person decides next, before the cards: about a bank offered to them or held, or their bets."""

    BANK_OFFERED = "offered"
    BANK_HELD = "held"
    BETS = "bets"


@dataclass(frozen=True)
class PurseResult:
    """What a round did to a purse: put on the table, taken from the hand as fees, come back."""

    placed: Units
    fees: Units
    back: Units

    @property
    def net(self) -> Units:
        """What the round won, or lost if it is below nothing."""
        return self.back - self.placed - self.fees


@dataclass(frozen=True)
class Played:
    """A round that is over: how it stood at its end, and its record."""

    round: Round
    record: Record


class SeatSession:
    """One position at a table, taken by a person; the others are taken by players of the house way."""

    def __init__(self, live_table: LiveTable, position: int) -> None:
        self._live, self.position = live_table, position
        self._goal = self.table.rounds + 1
        for at in positions(self.rules):
            who = YOU if at == position else person_at(self.rules, at)
            self.perform(Proposal(who, Sit(at)))

    @property
    def table(self) -> Table:
        """The table as it stands."""
        return self._live.table

    @property
    def rules(self) -> Rules:
        """The rules in force."""
        return self._live.rules

    @property
    def hand(self) -> Hand | None:
        """The hand played here in this round; a player-dealer has none among the players'."""
        return self.table.round.hands.get(self.position)

    @property
    def banks(self) -> bool:
        """Whether this person is the player-dealer of the round."""
        return self.rules.banked and self.table.round.bank_seat == self.position

    @property
    def commitment(self) -> str | None:
        """What the deck in play committed to when it was shuffled and sealed."""
        return self.table.in_play.commitment if self.table.in_play else None

    @property
    def meter(self) -> MeterState | None:
        """The progressive as it stands, if the table has one."""
        return self._live.meters[self.table.meter] if self.table.meter else None

    # --- doing ----------------------------------------------------------------------------------------

    def do(self, action: Action) -> tuple[AnEvent, ...]:
        """Do what the person wants, or refuse it."""
        return self.perform(Proposal(YOU, action))

    def perform(self, proposal: Proposal) -> tuple[AnEvent, ...]:
        """Do one thing for any person, or refuse it."""
        return self._live.do(proposal.by, proposal.action)

    def refusals(self, action: Action) -> tuple[Problem, ...]:
        """Return every reason why the person may not do something now."""
        return self._refusals(self.table, Proposal(YOU, action))

    def _refusals(self, table: Table, proposal: Proposal) -> tuple[Problem, ...]:
        problems = verify(self.rules, table, proposal, self._live.moment)
        return tuple(problem for problem in problems if problem.blocks)

    def advance(self, among: AbstractSet[str] = EVERYTHING) -> bool:
        """Do what goes by itself, to the end of the round at most; return whether anything was done."""
        done = False
        for _ in self._live.proceed(among, self._goal):
            done = True
        return done

    def _reach(self, phase: Phase, among: AbstractSet[str] = EVERYTHING, rounds: int = 0) -> None:
        """Go on to a phase, or refuse with every reason why it does not come to that."""
        self.advance(among)
        if self.table.phase is phase and self.table.rounds >= rounds:
            return
        due = due_moves(self.rules, self.table)
        blocked = [problem for proposal in due for problem in self._refusals(self.table, proposal)]
        reasons = (
            "; ".join(dict.fromkeys(problem.reason for problem in blocked)) or f"it is {self.table.phase}"
        )
        law = tuple(dict.fromkeys(clause for problem in blocked for clause in problem.clauses))
        raise IllegalError(f"the table does not go on by itself: {reasons}", clauses=law)

    # --- before the cards -----------------------------------------------------------------------------

    def begin(self) -> NextDecision:
        """Go on until the person decides, and return about what."""
        self._goal = self.table.rounds + 1
        while True:
            self._reach(Phase.BETTING, EVERYTHING - CLOSES_BETS - BANK)
            banking = self.table.banking
            if not self.rules.banked or self.table.round.stake:
                self._others_bet(self.table, self._perform_at)
                return NextDecision.BETS
            if banking.offering == self.position:
                return NextDecision.BANK_OFFERED
            if banking.offering is None and banking.seat == self.position:
                return NextDecision.BANK_HELD
            if not self.advance(BANK):
                raise IllegalError("nobody takes the bank", value=str(self.table.phase))

    def _perform_at(self, _: Table, proposal: Proposal) -> Table:
        """Do something at the table, and return it."""
        self.perform(proposal)
        return self.table

    def _others_bet(self, table: Table, take: Callable[[Table, Proposal], Table]) -> Table:
        """Return the table with the others' usual wagers, or their smallest where those are not taken."""
        usual = {w: amount for w, amount in usual_wagers(self.rules).items() if w != DOUBLE_DOWN}
        least, _ = self.rules.stakes("main")
        for at in sorted(table.seats):
            for wagers in (usual, {"main": least or usual["main"]}):
                proposal = Proposal(player_at(table, at), PlaceWagers(at, wagers))
                open_area = at != self.position and at not in table.round.hands
                if open_area and not self._refusals(table, proposal):
                    table = take(table, proposal)
        return table

    # --- what would be --------------------------------------------------------------------------------

    def _suppose(self, table: Table, proposal: Proposal) -> Table:
        """Return what a table would be after something; nothing is done, and no chance is used up."""
        spare = SystemEntropy()
        meters, now = dict(self._live.meters), self._live.now
        moment = live(now, spare, Vault(spare, self._live.vault.sealed), meters)
        supposed = Command(proposal.by, proposal.action, id="supposed")
        return evolve_all(table, decide(self.rules, table, supposed, moment))

    def objections(self, *actions: Action, purse: Units) -> tuple[Problem, ...]:
        """Return why these things may not be done one after the other: by the law, or by the purse."""
        table = self.table
        for action in actions:
            problems = self._refusals(table, Proposal(YOU, action))
            if problems:
                return problems
            table = self._suppose(table, Proposal(YOU, action))
        try:
            needed = self._commitment(table)
        except HousewayError as error:
            return (Problem("collection", error.cause, str(error.value), error.clauses),)
        if needed <= purse:
            return ()
        return (Problem("chips", f"that takes {show_units(needed)} and you have {show_units(purse)}"),)

    def _commitment(self, table: Table) -> Units:
        """Return what the person has on the table, with the fees that follow from it."""
        this_round, fees = table.round, 0
        if self.rules.schedule() is not None and table.phase is Phase.BETTING:
            full = self._others_bet(table, self._suppose)
            showdown = round_of(Situation(self.rules, full, self._live.moment, YOU))
            fees = sum(fee.units for fee in take_fees(showdown) if fee.source == player(YOU.id))
        wagers = (
            sum(this_round.hands[self.position].wagers.values()) if self.position in this_round.hands else 0
        )
        return fees + units(wagers + (this_round.stake if this_round.bank_seat == self.position else 0))

    def binding(self) -> tuple[Problem, ...]:
        """Return why the hand could no longer be set by its player once the house way is asked for."""
        due = due_moves(self.rules, self.table, SETS)
        placing = next(proposal for proposal in due if proposal.position == self.position)
        after = self._suppose(self.table, Proposal(YOU, AskHelp(self.position)))
        return self._refusals(after, placing)

    # --- with the cards -------------------------------------------------------------------------------

    def deal(self) -> None:
        """Close the bets and deal; everyone looks, and who usually doubles down does."""
        self._reach(Phase.SETTING, EVERYTHING - SETS)
        for at in sorted(self.table.seats):
            doubles = Proposal(player_at(self.table, at), DoubleDown(at))
            wanted = at != self.position and self.rules.offers(DOUBLE_DOWN)
            if wanted and not self._refusals(self.table, doubles):
                self.perform(doubles)

    def cards(self) -> Cards:
        """Return the person's cards as they may see them, the highest first."""
        return self._visible_cards(self.position)

    def dealer_cards(self) -> Cards:
        """Return the cards of the dealer, or of the player-dealer, as the person may see them."""
        return self._visible_cards(self.table.dealer_at)

    def _visible_cards(self, position: int) -> Cards:
        cards = see(self.rules, self.table, YOU, position)
        return highest_first(cards)

    def placing(self, setting: Setting) -> Action:
        """Return the action that sets the person's hand so, the player-dealer's as well as a player's."""
        return ResetBank(setting) if self.banks else SetHand(self.position, setting)

    def fouls(self, setting: Setting) -> tuple[Problem, ...]:
        """Return why a setting that may be placed is foul all the same."""
        order = self.rules.ranking()
        cards = self.table.round.dealer_cards if self.banks else self.cards()
        return verify_split(order, cards, setting) or verify_setting(order, setting)

    def ask_help(self) -> Advice | None:
        """Ask the dealer for the house way; nothing is shown yet where a display shows it later."""
        (event,) = self.do(AskHelp(self.position))
        answered = isinstance(event.outcome, Advised) and event.outcome.setting is not None
        return self.house_way() if answered else None

    def house_way(self) -> Advice:
        """Return how the house way sets the person's cards, and by which rule."""
        return suggest_setting(
            self.rules, self.table, YOU, self.table.dealer_at if self.banks else self.position
        )

    def turn_over(self) -> None:
        """Set the house way each hand that is not set yet; the dealer's is turned over and set."""
        self._reach(Phase.SETTLING, EVERYTHING - OPENS)

    def next_opening(self) -> Proposal | None:
        """Settle what is open, and return what opens the next hand."""
        self.advance(EVERYTHING - OPENS)
        due = due_moves(self.rules, self.table, OPENS)
        openings = (proposal for proposal in due if not self._refusals(self.table, proposal))
        return None if self.table.rounds >= self._goal else next(openings, None)

    def finish(self) -> Played:
        """Play the round to its end the house way, whatever is still undecided, and hand it over."""
        self._reach(Phase.BETTING, rounds=self._goal)
        this_round, record = self.table.last, self._live.record
        if this_round is None or record is None:
            raise IllegalError("no round is over", value=str(self.table.phase))
        return Played(this_round, record)


def payments_of(this_round: Round, person: str) -> list[Payment]:
    """Return the payments that touch a person's hand, wagers or bank, in their order."""
    own = {
        player(person),
        *((this_round.banker.account,) if this_round.banker and this_round.banker.person == person else ()),
    }
    return [
        payment
        for payment in this_round.payments
        if payment.kind not in NOBODYS
        and (
            own & {payment.source, payment.to}
            or (payment.person == person and payment.source.kind is AccountKind.PENDING)
        )
    ]


def accounts_of(this_round: Round, person: str) -> PurseResult:
    """Return what a round did to a person's purse."""
    account = player(person)
    wagers = sum(sum(hand.wagers.values()) for hand in this_round.active() if hand.person == person)
    stake = this_round.banker.stake if this_round.banker and this_round.banker.person == person else 0
    return PurseResult(
        placed=units(wagers + stake),
        fees=sum(p.units for p in this_round.payments if p.source == account),
        back=sum(p.units for p in this_round.payments if p.to == account),
    )
