"""What automated people may do at a table now, and for whom it waits. All pure.

Nobody automated knows a card that their role may not see: a house player asks for the setting of their own
hand, and the dealer sets a hand only where the law hands it to the dealer.
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
from houseway.service.plans import DEVICES, HousePlayer, TablePlan
from houseway.service.upkeep import upkeep
from houseway.settlement.model import DOUBLE_DOWN, MAIN

_BEFORE_DEAL: Final = (Phase.STARTING, Phase.DEALING)
"""Where a round needs its player-dealer: for the dice, and for the pile."""
LEFT_BEHIND: Final = "the player is no longer there: the hand is played the house way"
NO_BANKER: Final = "the player-dealer is no longer there to shake the dice or choose the pile"
Move = Proposal | ChipCommand
"""Something that might be done: a step of the round, or something with chips."""
M = TypeVar("M", bound=Move)


class TableWaits(Struct, frozen=True):
    """Somebody for whom the table waits, what they are to do, and what is done if they do not."""

    person: PersonId
    step: str
    otherwise: Proposal


class TableMoves(Struct, frozen=True):
    """What may be done at a table now."""

    next: Move | None = None
    """What goes on by itself."""
    closing: Proposal | None = None
    """What closes the bets."""
    waits: tuple[TableWaits, ...] = ()
    """People for whom the table waits."""
    bets: bool = False
    """Whether a wager lies on the layout."""
    unbet: frozenset[PersonId] = frozenset()
    """People who sit at the table and have not bet."""
    people: frozenset[PersonId] = frozenset()
    """Everybody who sits at the table and is no house player."""
    leaving: tuple[tuple[PersonId, Proposal], ...] = ()
    """People who may get up now without leaving cards behind, and how."""


def moves_at(
    running: RunningTable, plan: TablePlan, moment: Moment, refused: Callable[[Move], bool], practice: bool
) -> TableMoves:
    """Return what may be done at a table now, without what was refused as it stands."""
    return _Table(running, plan, moment, refused, practice).moves()


def was_closed(table: Table) -> bool:
    """Whether a table was closed, and not just made: whoever closed it wants it so."""
    arrived = table.arrivals + (table.dealer is not None)
    return table.phase is Phase.CLOSED and not table.decks and table.seq > arrived


class _Table:
    """A table, looked at once."""

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
        """Return everything there is to know for now."""
        betting = self.table.phase is Phase.BETTING
        ours, closing, theirs = list[Proposal](), list[Proposal](), list[Proposal]()
        for one in suggestions(self.rules, self.table):
            if one.by.role is Role.PLAYER and not self.plan.is_house(one.by.id):
                theirs.append(one)
            else:
                (closing if betting and one.step in CLOSES_BETS else ours).append(one)
        people = frozenset(seat.person for _, seat in self._people())
        bet = {hand.person for hand in self.table.round.active()} | self._bankers()
        due = upkeep(self.rules, self.table, self.moment.now)
        going: Iterable[Move] = chain(
            self._chips(),
            self._rulings(),
            self._taken(due),
            self._house(),
            self._taken(ours),
            self._wagers(),
        )
        return TableMoves(
            next=self._first(going),
            closing=self._first(self._taken(closing)),
            waits=tuple(self._waits(theirs)),
            bets=bool(self.table.round.active()),
            unbet=people - bet,
            people=people,
            leaving=tuple(self._leaving()),
        )

    def _first(self, among: Iterable[M]) -> M | None:
        return next((one for one in among if self._may(one)), None)

    def _may(self, move: Move) -> bool:
        if self.refused(move):
            return False
        if isinstance(move, ChipCommand):
            return True
        problems = verify(self.rules, self.table, move, self.moment)
        return not any(problem.blocks for problem in problems)

    # --- the house's people and devices ---------------------------------------------------------------

    def _taken(self, suggested: Iterable[Proposal]) -> Iterator[Proposal]:
        """Yield suggestions as somebody automated does them; what a person does is left to the person."""
        for one in suggested:
            if one.by.role is Role.PLAYER:
                yield from self._by_house_player(one)
            else:
                yield from self._by_the_house(one)

    def _by_the_house(self, proposal: Proposal) -> Iterator[Proposal]:
        """Yield what the house is to do, as whoever is automated and may do it: a person or a device."""
        for role in (proposal.by.role, *DEVICES):
            name = self.plan.duties.get(role)
            if name is None or role not in STEPS[proposal.step].roles:
                continue
            here = self.table.dealer == name or isinstance(proposal.action, LogOn)
            if role is not Role.DEALER or here:
                yield with_setting(self.rules, self.table, Proposal(Actor(name, role), proposal.action))

    def _floor(self) -> Actor | None:
        name = self.plan.duties.get(Role.FLOORPERSON)
        return Actor(name, Role.FLOORPERSON) if name is not None and self.plan.rulings else None

    def _rulings(self) -> Iterator[Proposal]:
        """Yield what the automated floorperson rules about people who left; all else waits for a person."""
        this_round, floor = self.table.round, self._floor()
        if floor is None:
            return
        left = [
            hand.position
            for hand in this_round.active()
            if hand.has(HandMark.LEFT) and not hand.has(HandMark.RULED)
        ]
        banker_left = this_round.has(RoundMark.BANKER_LEFT)
        if this_round.stopped and (left or banker_left):
            void = banker_left and self.table.phase in _BEFORE_DEAL
            ruling, why = (Ruling.VOID, NO_BANKER) if void else (Ruling.PLAY_ON, LEFT_BEHIND)
            yield Proposal(floor, RuleRound(ruling, why))
        for at in left:
            yield Proposal(floor, RuleAbandoned(at, lost=False, reason=LEFT_BEHIND))

    # --- house players --------------------------------------------------------------------------------

    def _seated(self) -> Iterator[tuple[int, HousePlayer]]:
        for at, player in sorted(self.plan.players.items()):
            seat = self.table.seats.get(at)
            if seat is not None and seat.person == player.id:
                yield at, player

    def _house(self) -> Iterator[Proposal]:
        """Yield that house players sit down, and double down before they set their hands."""
        seated = {seat.person for seat in self.table.seats.values()}
        for at, player in sorted(self.plan.players.items()):
            if at in positions(self.rules) and at not in self.table.seats and player.id not in seated:
                yield Proposal(player.actor, Sit(at))
        if self.table.phase is Phase.SETTING and self.rules.offers(DOUBLE_DOWN):
            for at, player in self._seated():
                if player.doubles:
                    yield Proposal(player.actor, DoubleDown(at))

    def _by_house_player(self, proposal: Proposal) -> Iterator[Proposal]:
        """Yield what a house player does: the hand set as they may see it, the bank taken where they can."""
        match proposal.action:
            case SetHand(position=at):
                if self._decided(at, proposal.by.id):
                    advice = suggest_setting(self.rules, self.table, proposal.by, at)
                    yield Proposal(proposal.by, SetHand(at, advice.setting))
            case AcceptBank(position=at):
                yield proposal
                hand = self.table.round.hands.get(at)
                if hand is not None:  # nobody banks against a wager of their own
                    yield Proposal(proposal.by, PlaceWagers(at, dict.fromkeys(hand.wagers, NO_MONEY)))
                yield from filter(None, [self._declined(proposal)])
            case _:
                yield proposal

    def _decided(self, at: int, person: PersonId) -> bool:
        """Whether a house player has looked, and doubled down if they ever do."""
        doubles = any(one.doubles for one in self.plan.players.values() if one.id == person)
        open_still = self.rules.offers(DOUBLE_DOWN) and not self.table.round.has(RoundMark.DOUBLE_OFFERED)
        return self.table.round.hands[at].has(HandMark.LOOKED) and not (doubles and open_still)

    def _wagers(self) -> Iterator[Proposal]:
        """Yield the bets of house players: what they usually wager, then the least there is."""
        if self.table.phase is not Phase.BETTING:
            return
        least, _ = self.rules.stakes(MAIN)
        for at, player in self._seated():
            if at in self.table.round.hands or at == self.table.round.bank_seat:
                continue
            usual = dict(player.wagers or usual_wagers(self.rules))
            usual.pop(DOUBLE_DOWN, None)
            for wagers in (usual, {MAIN: usual[MAIN]}, {MAIN: least or usual[MAIN]}):
                yield Proposal(player.actor, PlaceWagers(at, wagers))

    # --- chips ----------------------------------------------------------------------------------------

    def _chips(self) -> Iterator[ChipCommand]:
        """Yield the chips that somebody without any is given, before a round."""
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
        """Return who has put up the bank."""
        seat = self.table.seats.get(self.table.round.bank_seat or 0)
        return {seat.person} if seat is not None and self.table.round.stake else set()

    # --- people ---------------------------------------------------------------------------------------

    def _people(self) -> Iterator[tuple[int, Seat]]:
        """Yield the seats of people: not those of house players, nor second areas."""
        for at, seat in sorted(self.table.seats.items()):
            if not seat.area and not self.plan.is_house(seat.person):
                yield at, seat

    def _up(self, at: int, seat: Seat) -> Proposal:
        return Proposal(Actor(seat.person, Role.PLAYER, seat.name), Leave(at))

    def _leaving(self) -> Iterator[tuple[PersonId, Proposal]]:
        if self.table.phase not in IN_ROUND:
            for at, seat in self._people():
                hand, up = self.table.round.hands.get(at), self._up(at, seat)
                if not (hand and hand.has(HandMark.LEFT)) and not self.refused(up):
                    yield seat.person, up

    def _waits(self, suggested: Iterable[Proposal]) -> Iterator[TableWaits]:
        """Yield for whom the table waits: what they may do now, and what is done if they do not."""
        for one in suggested:
            # of a setting that nobody has told, only what does not depend on it is looked at
            unfilled = frozenset({"setting"}) if isinstance(one.action, SetHand) else frozenset[str]()
            problems = verify(self.rules, self.table, one, self.moment, unfilled)
            silence = self._declined(one)
            if silence is None and not any(problem.blocks for problem in problems):
                silence = self._got_up(one.by.id)
            if silence is not None and not self.refused(silence):
                yield TableWaits(one.by.id, one.step, silence)

    def _declined(self, proposal: Proposal) -> Proposal | None:
        """Return that an offer is declined, if that may be done."""
        if proposal.by.role is not Role.PLAYER:
            return None
        action = STEPS[proposal.step].declined(proposal.action)
        declined = Proposal(proposal.by, action) if action is not None else None
        return declined if declined is not None and self._may(declined) else None

    def _got_up(self, person: PersonId) -> Proposal | None:
        """Return that a person got up from the table."""
        seats = (self._up(at, seat) for at, seat in self._people() if seat.person == person)
        return next(seats, None)
