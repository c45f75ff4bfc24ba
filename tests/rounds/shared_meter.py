"""Two tables on one meter, played command by command in any order: money is looked at after each."""

from __future__ import annotations

import random
from collections import Counter

from houseway.ledger import Account, AccountKind, Ledger, open_wagers
from houseway.meters import MeterMove, MeterState
from houseway.rng import SeededEntropy
from houseway.rounds.auto import noon, usual_wagers
from houseway.rounds.books import posted
from houseway.rounds.choices import Ruling
from houseway.rounds.live import EVERYTHING, LiveTable, new_table
from houseway.rounds.outcomes import Moves
from houseway.rounds.record import ends_round, parse_record, write_record
from houseway.rounds.replay import difference
from houseway.rounds.roles import Role
from houseway.rounds.state import Phase
from houseway.rounds.step import Actor, AnEvent, Proposal
from houseway.rounds.steps.mishaps import ExposeCard
from houseway.rounds.steps.players import Sit
from houseway.rounds.steps.ruling import RuleRound, StopRound
from houseway.rounds.steps.wagers import PlaceWagers
from tests.games.support import Changes, rules
from tests.rounds.loaded import entropy_for_shuffle
from tests.rounds.support import DEALER, FLOOR
from tests.rounds.watch import DEALT_SINGLY, meters_opened

METER = "progressive"
WAITS = frozenset({"no_more_bets", "coin_in", "press_start", "shake_cup"})


class Pair:
    """Two tables that share a meter, one ledger of both, and everything that moved the meter."""

    def __init__(self, game: str, changes: Changes, seed: str) -> None:
        self.chance, self.seed = random.Random(seed), seed
        played_by, meters = rules(game, changes), dict[str, MeterState]()
        self.tables = [
            LiveTable(
                played_by,
                SeededEntropy(f"{seed} {name}"),
                noon(played_by.submission.law_as_of),
                new_table(played_by, name=name),
                meters,
            )
            for name in ("north", "south")
        ]
        self.meters = meters
        self.opened = meters[METER]
        self.ledger: Ledger = meters_opened(self.tables[0])
        self.moves: list[MeterMove] = []
        self.met: Counter[str] = Counter()
        self.commands = 0

    def play(self, rounds: int, *, every: int) -> Counter[str]:
        """Play so many rounds at both tables together; replay one record in ``every``."""
        while self.met["rounds"] < rounds:
            table = self.chance.choice(self.tables)
            events = self._next(table)
            for event in events:
                self._look(table, event)
            self._agree()
            if any(map(ends_round, events)):
                self._ended(table, every)
        return self.met

    def _next(self, table: LiveTable) -> tuple[AnEvent, ...]:
        """Do what is due at a table, or now and then something that voids its round."""
        self.commands += 1
        proposal = self._odd(table) or self._bets(table) or table.due(EVERYTHING)
        if proposal is None and not table.table.seats:  # the cards lie spread for the first player to arrive
            proposal = Proposal(Actor("Vera", Role.PLAYER), Sit(7))
        assert proposal is not None, f"nothing is due while {table.table.phase}"
        if proposal.step == "shuffle":
            self._load(table)
        return table.do(proposal.by, proposal.action)

    def _load(self, table: LiveTable) -> None:
        """Let the next shuffle come out with rare hands, one time in two."""
        game, seed = table.rules.game, f"{self.seed}/{self.commands}"
        singly = table.rules.way in DEALT_SINGLY
        table.vault.entropy = entropy_for_shuffle(
            game.cards().cards, game.hand_cards, seed, singly=singly, one_in=2
        )

    def _bets(self, table: LiveTable) -> Proposal | None:
        """Let everybody sit down and wager before anything else is done that closes the bets."""
        state = table.table
        if state.phase is not Phase.BETTING or table.due(EVERYTHING - WAITS):
            return None
        for at in range(2, 6):
            who = Actor(f"{state.id} {at}", Role.PLAYER)
            if at not in state.seats:
                return Proposal(who, Sit(at))
            if at not in state.round.hands:
                wagers = {w: a for w, a in usual_wagers(table.rules).items() if w != "double_down"}
                return Proposal(who, PlaceWagers(at, wagers))
        return None

    def _odd(self, table: LiveTable) -> Proposal | None:
        """Now and then the dealer's card is exposed, which voids the round, or the floor rules it void."""
        state = table.table
        if state.round.stopped:
            return Proposal(FLOOR, RuleRound(Ruling.VOID, "seen on camera"))
        dealer = Actor(state.dealer or DEALER.id, Role.DEALER)
        spoiled = [Proposal(dealer, ExposeCard(1)), Proposal(dealer, StopRound("a card is missing"))]
        odd = self.chance.choice(spoiled)
        known = odd.step in table.rules.game.procedure and not self.chance.randrange(150)
        return odd if known and state.phase is Phase.SETTING and table.may(odd) else None

    def _look(self, table: LiveTable, event: AnEvent) -> None:
        """Post an event, and follow the meter from move to move."""
        self.ledger = posted(self.ledger, table.table.id, event)
        move = event.outcome.meter if isinstance(event.outcome, Moves) else None
        if move is not None:
            before = self.moves[-1].after if self.moves else self.opened
            assert move.before == before, "the meter moves from where it was left, by whichever table"
            self.moves.append(move)
            self.met["moves"] += 1
            self.met["falls"] += move.before is not None and move.after.value < move.before.value

    def _agree(self) -> None:
        """The ledger, the meter and the events agree to the ten-thousandth of a cent."""
        held = self.meters[METER]
        assert held == (self.moves[-1].after if self.moves else self.opened)
        for kind, amount in ((AccountKind.METER, held.value), (AccountKind.RESERVE, held.reserve)):
            assert self.ledger.balance(Account(kind, METER)) == amount

    def _ended(self, table: LiveTable, every: int) -> None:
        self.met["rounds"] += 1
        self.met["void"] += table.table.last is not None and table.table.last.void is not None
        assert not [a for a in open_wagers(self.ledger) if a.where.startswith(f"{table.table.id}/")]
        if self.met["rounds"] % every == 0:
            assert table.record is not None
            record = parse_record(write_record(table.record).encode())
            assert difference(record) is None, difference(record)
            self.met["replayed"] += 1
