"""What automated actors may do at a table now, and whom the table waits for. Pure functions.

Automated actors know no card that their role may not see: a house player asks for the setting of their own
hand, and the dealer sets a hand only where the law leaves it to the dealer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import Final, TypeVar

from msgspec import Struct

from houseway.chips import ChipCommand, chips_of
from houseway.chips.actions import BringChips
from houseway.floor.running import RunningTable
from houseway.games import Rules
from houseway.money import Cents
from houseway.rounds.auto import CLOSES_BETS, usual_wagers
from houseway.rounds.chance import Moment
from houseway.rounds.choices import Ruling
from houseway.rounds.deciding import suggestions, verify
from houseway.rounds.marks import HandMark, RoundMark
from houseway.rounds.roles import Role
from houseway.rounds.state import IN_ROUND, NO_MONEY, PersonId, Phase, Seat, Table
from houseway.rounds.step import Actor, Proposal
from houseway.rounds.steps import STEPS
from houseway.rounds.steps.bank import AcceptBank
from houseway.rounds.steps.common import positions
from houseway.rounds.steps.dealers import LogOn
from houseway.rounds.steps.double_down import DoubleDown
from houseway.rounds.steps.hand import SetHand, with_setting
from houseway.rounds.steps.players import Leave, RuleAbandoned, Sit
from houseway.rounds.steps.ruling import RuleRound
from houseway.rounds.steps.wagers import PlaceWagers
from houseway.rounds.views import suggest_setting
from houseway.service.table_plans import DEVICES, HousePlayer, TablePlan
from houseway.service.table_upkeep import due_upkeep
from houseway.settlement.model import DOUBLE_DOWN, MAIN

_BEFORE_DEAL: Final = (Phase.STARTING, Phase.DEALING)
"""The phases in which a round needs its player-dealer: for the dice, and for the choice of pile."""
LEFT_BEHIND: Final = "the player is no longer there: the hand is played the house way"
NO_BANKER: Final = "the player-dealer is no longer there to shake the dice or choose the pile"
Move = Proposal | ChipCommand
"""A possible move: a step of the round, or a chip action."""
M = TypeVar("M", bound=Move)


class AwaitedStep(Struct, frozen=True):
    """A person's step that the table waits for, and the proposal made in their place if they do not act."""

    person: PersonId
    step: str
    otherwise: Proposal


class TableMoves(Struct, frozen=True):
    """The moves at a table as it stands."""

    next: Move | None = None
    """The next automatic move."""
    closing: Proposal | None = None
    """The move that closes the bets."""
    waits: tuple[AwaitedStep, ...] = ()
    """The steps of people that the table waits for."""
    bets: bool = False
    """Whether a wager lies on the layout."""
    unbet: frozenset[PersonId] = frozenset()
    """People who sit at the table and have not bet."""
    people: frozenset[PersonId] = frozenset()
    """People who sit at the table, house players left out."""
    leaving: tuple[tuple[PersonId, Proposal], ...] = ()
    """People who may leave now without a hand in play, and the proposal by which they do."""


def moves_at(
    running: RunningTable, plan: TablePlan, moment: Moment, refused: Callable[[Move], bool], practice: bool
) -> TableMoves:
    """Return the moves at a table now, without those refused as it stands."""
    return _MoveFinder(running, plan, moment, refused, practice).moves()


def was_closed(table: Table) -> bool:
    """Whether people closed the table, and it was not just created."""
    arrived = table.arrivals + (table.dealer is not None)
    return table.phase is Phase.CLOSED and not table.decks and table.seq > arrived


class _MoveFinder:
    """Finds the moves at one table."""

    def __init__(
        self,
        running: RunningTable,
        plan: TablePlan,
        moment: Moment,
        refused: Callable[[Move], bool],
        practice: bool,
    ) -> None:
        self.running, self.plan, self.moment, self.refused = running, plan, moment, refused
        self.practice = practice
        self.rules: Rules = running.rules
        self.table: Table = running.table

    def moves(self) -> TableMoves:
        """Return all moves for now."""
        betting = self.table.phase is Phase.BETTING
        ours, closing, theirs = list[Proposal](), list[Proposal](), list[Proposal]()
        for proposal in suggestions(self.rules, self.table):
            if proposal.by.role is Role.PLAYER and not self.plan.is_house(proposal.by.id):
                theirs.append(proposal)
            else:
                (closing if betting and proposal.step in CLOSES_BETS else ours).append(proposal)
        people = frozenset(seat.person for _, seat in self._seats_of_people())
        bet = {hand.person for hand in self.table.round.active()} | self._bankers()
        due = due_upkeep(self.rules, self.table, self.moment.now)
        candidates: Iterable[Move] = chain(
            self._chip_moves(),
            self._rulings(),
            self._automate(due),
            self._house_player_moves(),
            self._automate(ours),
            self._bets(),
        )
        return TableMoves(
            next=self._first_possible(candidates),
            closing=self._first_possible(self._automate(closing)),
            waits=tuple(self._waits(theirs)),
            bets=bool(self.table.round.active()),
            unbet=people - bet,
            people=people,
            leaving=tuple(self._people_leaving()),
        )

    def _first_possible(self, candidates: Iterable[M]) -> M | None:
        return next((move for move in candidates if self._is_possible(move)), None)

    def _is_possible(self, move: Move) -> bool:
        if self.refused(move):
            return False
        if isinstance(move, ChipCommand):
            return True
        problems = verify(self.rules, self.table, move, self.moment)
        return not any(problem.blocks for problem in problems)

    # --- the house's actors and devices ---------------------------------------------------------------

    def _automate(self, suggested: Iterable[Proposal]) -> Iterator[Proposal]:
        """Yield suggestions as automated actors take them; a person's own steps are left out."""
        for proposal in suggested:
            if proposal.by.role is Role.PLAYER:
                yield from self._by_house_player(proposal)
            else:
                yield from self._by_the_house(proposal)

    def _by_the_house(self, proposal: Proposal) -> Iterator[Proposal]:
        """Yield a step of the house by each automated person or device that may take it."""
        for role in (proposal.by.role, *DEVICES):
            name = self.plan.duties.get(role)
            if name is None or role not in STEPS[proposal.step].roles:
                continue
            here = self.table.dealer == name or isinstance(proposal.action, LogOn)
            if role is not Role.DEALER or here:
                yield with_setting(self.rules, self.table, Proposal(Actor(name, role), proposal.action))

    def _floorperson(self) -> Actor | None:
        name = self.plan.duties.get(Role.FLOORPERSON)
        return Actor(name, Role.FLOORPERSON) if name is not None and self.plan.rulings else None

    def _rulings(self) -> Iterator[Proposal]:
        """Yield the automated floorperson's rulings about people who left; others wait for a person."""
        this_round, floorperson = self.table.round, self._floorperson()
        if floorperson is None:
            return
        abandoned = [
            hand.position
            for hand in this_round.active()
            if hand.has(HandMark.LEFT) and not hand.has(HandMark.RULED)
        ]
        banker_left = this_round.has(RoundMark.BANKER_LEFT)
        if this_round.stopped and (abandoned or banker_left):
            void = banker_left and self.table.phase in _BEFORE_DEAL
            ruling, reason = (Ruling.VOID, NO_BANKER) if void else (Ruling.PLAY_ON, LEFT_BEHIND)
            yield Proposal(floorperson, RuleRound(ruling, reason))
        for position in abandoned:
            yield Proposal(floorperson, RuleAbandoned(position, lost=False, reason=LEFT_BEHIND))

    # --- house players --------------------------------------------------------------------------------

    def _seated_house_players(self) -> Iterator[tuple[int, HousePlayer]]:
        for at, player in sorted(self.plan.players.items()):
            seat = self.table.seats.get(at)
            if seat is not None and seat.person == player.id:
                yield at, player

    def _house_player_moves(self) -> Iterator[Proposal]:
        """Yield that house players sit down, and that they double down before they set their hands."""
        seated = {seat.person for seat in self.table.seats.values()}
        for at, player in sorted(self.plan.players.items()):
            if at in positions(self.rules) and at not in self.table.seats and player.id not in seated:
                yield Proposal(player.actor, Sit(at))
        if self.table.phase is Phase.SETTING and self.rules.offers(DOUBLE_DOWN):
            for at, player in self._seated_house_players():
                if player.doubles:
                    yield Proposal(player.actor, DoubleDown(at))

    def _by_house_player(self, proposal: Proposal) -> Iterator[Proposal]:
        """Yield what a house player does: set their hand by the suggestion for it, or accept the bank."""
        match proposal.action:
            case SetHand(position=at):
                if self._is_ready_to_set(at, proposal.by.id):
                    advice = suggest_setting(self.rules, self.table, proposal.by, at)
                    yield Proposal(proposal.by, SetHand(at, advice.setting))
            case AcceptBank(position=at):
                yield proposal
                hand = self.table.round.hands.get(at)
                if hand is not None:  # nobody banks against a wager of their own
                    yield Proposal(proposal.by, PlaceWagers(at, dict.fromkeys(hand.wagers, NO_MONEY)))
                yield from filter(None, [self._decline(proposal)])
            case _:
                yield proposal

    def _is_ready_to_set(self, at: int, person: PersonId) -> bool:
        """Whether a house player has looked at their cards, and doubled down if they do that."""
        doubles = any(player.doubles for player in self.plan.players.values() if player.id == person)
        open_still = self.rules.offers(DOUBLE_DOWN) and not self.table.round.has(RoundMark.DOUBLE_OFFERED)
        return self.table.round.hands[at].has(HandMark.LOOKED) and not (doubles and open_still)

    def _bets(self) -> Iterator[Proposal]:
        """Yield the possible bets of house players: the usual wagers, the main one, the least one."""
        if self.table.phase is not Phase.BETTING:
            return
        least, _ = self.rules.stakes(MAIN)
        for at, player in self._seated_house_players():
            if at in self.table.round.hands or at == self.table.round.bank_seat:
                continue
            usual = dict(player.wagers or usual_wagers(self.rules))
            usual.pop(DOUBLE_DOWN, None)
            for wagers in (usual, {MAIN: usual[MAIN]}, {MAIN: least or usual[MAIN]}):
                yield Proposal(player.actor, PlaceWagers(at, wagers))

    # --- chips ----------------------------------------------------------------------------------------

    def _chip_moves(self) -> Iterator[ChipCommand]:
        """Yield chips before a round for house players, and for people at a practice table, who lack them."""
        dealer = self.plan.duties.get(Role.DEALER)
        if not self.running.chips or not self.plan.balance or dealer is None or self.table.phase in IN_ROUND:
            return
        least, _ = self.rules.stakes(MAIN)
        betting = {hand.person for hand in self.table.round.active()} | self._bankers()
        for _, seat in sorted(self.table.seats.items()):
            person, has = seat.person, chips_of(self.running.tray, seat.person)
            house = self.plan.is_house(person)
            enough = self.plan.balance // 2 if house else least or usual_wagers(self.rules)[MAIN]
            if (house or self.practice) and person not in betting and has < enough:
                brought = BringChips(person, Cents(self.plan.balance - has))
                yield ChipCommand(id="", by=Actor(dealer, Role.DEALER), action=brought)

    def _bankers(self) -> set[PersonId]:
        """Return the person who has put up the bank, if any."""
        seat = self.table.seats.get(self.table.round.bank_seat or 0)
        return {seat.person} if seat is not None and self.table.round.stake else set()

    # --- people ---------------------------------------------------------------------------------------

    def _seats_of_people(self) -> Iterator[tuple[int, Seat]]:
        """Yield the seats of people, without house players and second areas."""
        for at, seat in sorted(self.table.seats.items()):
            if not seat.area and not self.plan.is_house(seat.person):
                yield at, seat

    def _leave_seat(self, at: int, seat: Seat) -> Proposal:
        return Proposal(Actor(seat.person, Role.PLAYER, seat.name), Leave(at))

    def _people_leaving(self) -> Iterator[tuple[PersonId, Proposal]]:
        if self.table.phase not in IN_ROUND:
            for at, seat in self._seats_of_people():
                hand, up = self.table.round.hands.get(at), self._leave_seat(at, seat)
                if not (hand and hand.has(HandMark.LEFT)) and not self.refused(up):
                    yield seat.person, up

    def _waits(self, suggested: Iterable[Proposal]) -> Iterator[AwaitedStep]:
        """Yield the people's steps that the table waits for."""
        for proposal in suggested:
            # a setting that is still unknown is left out of the check
            unfilled = frozenset({"setting"}) if isinstance(proposal.action, SetHand) else frozenset[str]()
            problems = verify(self.rules, self.table, proposal, self.moment, unfilled)
            silence = self._decline(proposal)
            if silence is None and not any(problem.blocks for problem in problems):
                silence = self._leave(proposal.by.id)
            if silence is not None and not self.refused(silence):
                yield AwaitedStep(proposal.by.id, proposal.step, silence)

    def _decline(self, proposal: Proposal) -> Proposal | None:
        """Return the proposal that declines an offer, if it is possible."""
        if proposal.by.role is not Role.PLAYER:
            return None
        action = STEPS[proposal.step].declined(proposal.action)
        declined = Proposal(proposal.by, action) if action is not None else None
        return declined if declined is not None and self._is_possible(declined) else None

    def _leave(self, person: PersonId) -> Proposal | None:
        """Return the proposal by which a person leaves the table, if they sit there."""
        seats = (self._leave_seat(at, seat) for at, seat in self._seats_of_people() if seat.person == person)
        return next(seats, None)
