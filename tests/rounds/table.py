"""A table to try things on: it plays by itself as far as a test wants, then does as it is told."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from copy import copy
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import chain, islice
from typing import Any, TypeVar

import msgspec
import pytest

from houseway.cards import Cards, distinct, parse_cards, parse_setting
from houseway.games import Rules
from houseway.law import Problem
from houseway.law.problems import RefusedError
from houseway.meters import Meter
from houseway.money import Cents, cents
from houseway.ranking import Setting
from houseway.rng import SealedDeck, SeededEntropy
from houseway.rounds.chance import Vault
from houseway.rounds.codec import canonical, from_plain, plain
from houseway.rounds.live import EVERYTHING, LiveTable, new_table
from houseway.rounds.marks import DeckMark
from houseway.rounds.redaction import redact
from houseway.rounds.roles import Role
from houseway.rounds.sight import see
from houseway.rounds.state import CardOrigin, Phase, Round, Table, TableDeck, changed
from houseway.rounds.step import Actor, AnEvent, meter_of
from houseway.rounds.steps.common import positions
from houseway.rounds.views import view
from tests.games.support import Changes, rules
from tests.rounds.commands import as_action
from tests.rounds.secrecy.cards import cards_in


@dataclass(frozen=True)
class Snapshot:
    """A table with its rules and its meter; everything else is the table's own."""

    state: Table
    rules: Rules
    meter: Meter | None = None

    @property
    def way(self) -> str:
        """The way of dealing, or the procedure."""
        return self.rules.way

    @property
    def banked(self) -> bool:
        """Whether a player banks the game."""
        return self.rules.banked

    def __getattr__(self, name: str) -> Any:
        return getattr(self.state, name)


def snapshot(live: LiveTable) -> Snapshot:
    """Look at a table that is running."""
    return Snapshot(live.table, live.rules, meter_of(live.rules, live.table, live.moment))


T = TypeVar("T")
NOON = datetime(2026, 1, 5, 12, tzinfo=UTC)
DEALER = Actor("Dora", Role.DEALER)
FLOOR = Actor("Flo", Role.FLOORPERSON)
SHUFFLER = Actor("shuffler", Role.SHUFFLER)
SHOE = Actor("shoe", Role.SHOE)
GENERATOR = Actor("generator", Role.GENERATOR)
KEYPAD = Actor("keypad", Role.KEYPAD)
SENSOR = Actor("sensor", Role.SENSOR)
VISITOR = Actor("Vera", Role.PLAYER)
"""Who comes first to a table, looks the cards over, and does not stay."""
SPREAD, VIEWED = DeckMark.SPREAD, DeckMark.VIEWED
DISPLAY = Actor("display", Role.DISPLAY)
MANUAL: Changes = {"table.shuffler": "manual", "table.dealing": "manual_shoe"}
BY_HAND: Changes = {"table.shuffler": "automated", "table.dealing": "hand"}
AUTOMATED: Changes = {"table.shuffler": "automated", "table.dealing": "automated_shoe"}
SHAKER: Changes = {"table.start_methods": ["shaker"]}
BUTTON: Changes = {"table.start_methods": ["button"], "approvals.button": "EX-BUTTON-1"}
TWO_DECKS: Changes = {"table.decks": 2, "table.shuffler": "automated"}
DEALT_SINGLY = ("manual_shoe", "hand")
"""The ways of dealing by which a card at a time goes to every position; else a whole hand at a time."""
NAMES = {2: "Ann", 3: "Bob", 4: "Cleo", 5: "Dan", 6: "Eve", 7: "Finn"}


def player(position: int) -> Actor:
    """Return the player who sits at a position."""
    return Actor(NAMES[position], Role.PLAYER)


def clockwise_from(position: int) -> list[int]:
    """Return the positions in the order in which they are dealt to, from one of them: 4, 3, 2, 1, 7, 6, 5."""
    return [(position - 1 - turn) % 7 + 1 for turn in range(7)]


def money(**amounts: str) -> dict[str, Cents]:
    """Return wagers: ``money(main="$10")``."""
    return {wager: cents(amount) for wager, amount in amounts.items()}


def setting(text: str) -> Setting:
    """Read a setting, high first: ``"AsKsQsJs / ThTd / 9c"``."""
    return parse_setting(text)


class LoadedChance(SeededEntropy):
    """Chance of a seed, but for the dice and numbers that a test wants next."""

    def __init__(self, seed: str) -> None:
        super().__init__(seed)
        self._next: list[int] = []

    def load(self, faces: Iterable[int]) -> None:
        """Let chance come out like this next, and no longer."""
        self._next = [face - 1 for face in faces]

    def read(self, count: int) -> bytes:
        """Return the byte by which the next die or number comes out as wanted."""
        return bytes([self._next.pop(0)]) if self._next and count == 1 else super().read(count)


def _number(details: dict[str, Any]) -> list[int]:
    number = details.pop("number", None)
    return [] if number is None else [number]


class TestTable:
    """A table with its people, its clock and its log."""

    __test__ = False  # nothing that pytest collects

    def __init__(
        self,
        game: str | Rules,
        changes: Changes | None = None,
        *,
        source: CardOrigin = CardOrigin.VIRTUAL_DECK,
        seed: str = "floor",
        dealer: bool = True,
    ) -> None:
        played_by = rules(game, changes) if isinstance(game, str) else game
        self.entropy = LoadedChance(seed)
        self.live = LiveTable(played_by, self.entropy, NOON, new_table(played_by, source))
        self._seen = snapshot(self.live)
        self.log: list[AnEvent] = []
        if dealer:
            self.do("log_on", training="on file")

    @property
    def rules(self) -> Rules:
        """The rules that the table plays by."""
        return self.live.rules

    def strike(self, *clauses: str) -> None:
        """Let the table play on by its rules with some clauses less."""
        self.live.rules = self.rules.without(*clauses)

    @property
    def now(self) -> datetime:
        """What the clock says."""
        return self.live.now

    @property
    def state(self) -> Snapshot:
        """The table as it is now."""
        if self._seen.state is not self.live.table or self._seen.rules is not self.live.rules:
            self._seen = snapshot(self.live)
        return self._seen

    @state.setter
    def state(self, state: Table | Snapshot) -> None:
        self.live.table = state.state if isinstance(state, Snapshot) else state

    # --- doing ---------------------------------------------------------------------------------

    def do(self, step: str, by: Actor = DEALER, at: int | None = None, **details: Any) -> tuple[AnEvent, ...]:
        """Do one thing; the test fails if it is refused.

        What dice or a number show is read at a physical table; at a virtual one chance comes out like that.
        """
        if self.live.table.source is CardOrigin.VIRTUAL_DECK:
            self.entropy.load([*(details.pop("dice", None) or ()), *_number(details)])
        return self.say(step, by, at, **details)

    def say(
        self, step: str, by: Actor = DEALER, at: int | None = None, **details: Any
    ) -> tuple[AnEvent, ...]:
        """Command one thing with just these details; the test fails if it is refused."""
        events = self.live.do(by, as_action(step, at, details, self.rules))
        self.log += events
        return events

    def refused(
        self, step: str, by: Actor = DEALER, at: int | None = None, **details: Any
    ) -> tuple[str, ...]:
        """Try something that must be refused; return the clauses it is refused by. Nothing may change."""
        before = self.state
        with pytest.raises(RefusedError) as error:
            self.say(step, by, at, **details)
        assert self.state is before
        return error.value.clauses

    def problems(
        self, step: str, by: Actor = DEALER, at: int | None = None, **details: Any
    ) -> tuple[Problem, ...]:
        """Return everything that is wrong with a command, without trying it."""
        return self.live.verify(by, as_action(step, at, details, self.rules))

    def sees(self, by: Actor, at: int) -> Cards:
        """Return the cards of a position as somebody may see them."""
        return see(self.rules, self.live.table, by, at)

    def hidden(self, by: Actor, at: int) -> tuple[str, ...]:
        """Return the clauses by which somebody may not see the cards."""
        with pytest.raises(RefusedError) as error:
            self.sees(by, at)
        return error.value.clauses

    def shown(self, by: Actor) -> list[str]:
        """Return every card that somebody is shown: in the view, or in an event as they read it."""
        drawn = view(self.rules, self.live.table, by, self.live.moment)
        read = [redact(self.rules, self.live.table, event, by) for event in self.log]
        return cards_in(plain([drawn, *read]))

    def later(self, **span: float) -> TestTable:
        """Let time pass: ``later(hours=4)``."""
        self.live.now += timedelta(**span)
        return self

    # --- getting somewhere ----------------------------------------------------------------------

    def seat(self, positions: Iterable[int] = (2, 3, 4)) -> TestTable:
        """Seat the usual players."""
        for at in positions:
            if at not in self.state.seats:
                self.do("sit", player(at), at)
        return self

    def bet(self, at: int, **amounts: str) -> TestTable:
        """Place the wagers of one position: ``bet(3, main="$10", fortune="$5")``."""
        self.do("wager", player(at), at, wagers=money(**amounts))
        return self

    def play_on(
        self, phase: Phase | None = None, *, without: Iterable[str] = (), rounds: int | None = None
    ) -> TestTable:
        """Let the table do everything that is due, until a phase begins or only ``without`` is left to do.

        Where the cards are spread for a first player and nobody has come, somebody comes, looks and goes.
        """
        self._go_on(phase, without, rounds)
        if "view_spread" not in without and self._looked_over():
            self._go_on(phase, without, rounds)
        return self

    def _looked_over(self) -> bool:
        """Let somebody who arrives look over the cards that are spread for the first player."""
        table = self.live.table
        spread = [name for name, deck in table.decks.items() if deck.has(SPREAD) and not deck.has(VIEWED)]
        if table.phase is not Phase.OPENING or table.seats or not spread:
            return False
        at = positions(self.rules)[-1]
        self.do("sit", VISITOR, at)
        for name in spread:
            self.do("view_spread", VISITOR, deck=name)
        self.do("leave", VISITOR, at)
        return True

    def _go_on(self, phase: Phase | None, without: Iterable[str], rounds: int | None) -> TestTable:
        duties = EVERYTHING - frozenset(without)
        until = None if rounds is None else self.state.rounds + rounds
        if phase is not None and self.state.phase is phase:
            return self
        for event in self.live.proceed(duties, until):
            self.log.append(event)
            if phase is not None and self.state.phase is phase:
                break
        return self

    def opened(self, *, without: Iterable[str] = ()) -> TestTable:
        """Open the table: decks inspected, spread, washed, stacked, shuffled."""
        return self.play_on(Phase.BETTING, without=without)

    def betting(self, *bets: int, **amounts: str) -> TestTable:
        """Open the table, seat players and place the same wagers for each: ``betting(2, 3, main="$10")``."""
        self.opened().seat(bets)
        for at in bets:
            self.bet(at, **amounts)
        return self

    def starting(self, *bets: int, **amounts: str) -> TestTable:
        """Go on to "no more bets"."""
        return self.betting(*bets, **amounts).play_on(Phase.STARTING)

    def dealing(self, *bets: int, cards: int = 1, **amounts: str) -> TestTable:
        """Go on until so many cards are dealt."""
        self.starting(*bets, **amounts).play_on(without=["deal"])
        self.do("deal", cards=cards)
        return self

    def setting(self, *bets: int, **amounts: str) -> TestTable:
        """Go on until the players may look at their cards."""
        return self.starting(*bets, **amounts).play_on(Phase.SETTING)

    def settling(self, *bets: int, **amounts: str) -> TestTable:
        """Go on until the dealer's hand is set and the players' hands are to be opened."""
        return self.starting(*bets, **amounts).play_on(Phase.SETTLING)

    # --- arranging what a test needs ------------------------------------------------------------

    def arranged(self, hands: Mapping[int, str]) -> TestTable:
        """Arrange the deck so that positions get these cards (the dealer is 1), from the start that is found.

        Before a start is found, call it in STARTING and let it be found to be the dealer's.
        """
        game, start = self.rules.game, self.state.round.start or 1
        wanted = {at: parse_cards(text) for at, text in hands.items()}
        used = distinct(card for cards in wanted.values() for card in cards)
        rest = iter([card for card in game.cards().cards if card not in used])
        dealt = [
            wanted[at] if at in wanted else tuple(islice(rest, game.hand_cards))
            for at in clockwise_from(start)
        ]
        singly = self.state.way in DEALT_SINGLY
        cards = chain.from_iterable(zip(*dealt, strict=True) if singly else dealt)
        return self.dealing_from((*cards, *rest))

    def dealing_from(self, order: Cards) -> TestTable:
        """Let the shuffle of the deck in play have come out so that it is dealt in this order."""
        live, deck = self.live, self.live.table.in_play
        assert deck is not None and deck.commitment is not None
        place = -deck.cut_at % len(order)
        sealed = SealedDeck((*order[place:], *order[:place]), live.vault.open(deck.commitment).nonce)
        arranged = live.vault.keep(sealed)
        live.before, live.table = (
            committed(table, deck.commitment, arranged) for table in (live.before, live.table)
        )
        live.turns = [committed(turn, deck.commitment, arranged) for turn in live.turns]
        return self

    def dealt(self, hands: Mapping[int, str], bets: Mapping[int, Mapping[str, str]]) -> TestTable:
        """Play to the moment the players may look, with these cards and these wagers by position."""
        self.opened().seat(bets)
        for at, amounts in bets.items():
            self.bet(at, **amounts)
        self.play_on(Phase.STARTING).arranged(hands)
        self.play_on(without=["draw_number", "shake", "uncover", "announce_total", "read_button", "deal"])
        self.start_at_dealer()
        return self.play_on(Phase.SETTING)

    def start_at_dealer(self) -> TestTable:
        """Find the starting position to be the dealer's, by whatever method the table uses."""
        methods = self.state.rules.submission.table.start_methods
        if "rng" in methods:
            self.do("draw_number", GENERATOR, number=1)
        elif "shaker" in methods:
            if self.state.dice_since is None:
                self.do("place_dice")
            self.do("shake", times=3)
            self.do("uncover", dice=(4, 1, 3))
            self.do("announce_total", total=8)
        else:
            self.do("read_button")
        return self

    def force(self, **changes: Any) -> TestTable:
        """Put the table into a state that play cannot reach, to see that it is refused."""
        self.state = changed(self.live.table, **changes)
        return self

    def play_by(self, rules: Rules) -> TestTable:
        """Let the table go on under other rules, whatever the law says."""
        self.live.rules = rules
        return self.force(submission=rules.fingerprint, law=rules.law_fingerprint)

    # --- looking ---------------------------------------------------------------------------------

    def steps(self) -> list[str]:
        """Return the names of the steps done so far."""
        return [event.step for event in self.log]

    def last(self, step: str) -> AnEvent:
        """Return the last event of a step."""
        return next(event for event in reversed(self.log) if event.step == step)

    def paid_to(self, at: int) -> int:
        """Return what a person got back or was paid, in cents, in the last round and the present one."""
        table = self.live.table
        plays = [table.last, table.round] if table.last else [table.round]
        account = f"player:{NAMES[at]}"
        return (
            sum(p.units for this_round in plays for p in this_round.payments if str(p.to) == account)
            // 10_000
        )


def committed(value: T, was: str, now: str) -> T:
    """Return a table or a turn in which a shuffle committed to something else."""
    text = canonical(value).replace(was.encode(), now.encode())
    return from_plain(type(value), msgspec.json.decode(text))


def by_chapter(**chapters: str) -> Any:
    """Run a test once for each chapter, marked with its clause: ``by_chapter(pa575="pa575.4.a.s1", ...)``."""
    games = {"pa575": "pa-575", "pa659a": "pa-659a", "pa670a": "pa-670a"}
    return pytest.mark.parametrize(
        ("game", "law"),
        [
            pytest.param(games[chapter], law, marks=pytest.mark.clause(law), id=law)
            for chapter, law in chapters.items()
        ],
    )


def order_of(table: TestTable, deck: str | None = None) -> Cards:
    """Return the order that a deck lies in, as it was cut: a deck by its name, or the one in the round."""
    place: TableDeck | Round = table.live.table.decks[deck] if deck else table.live.table.round
    if place.commitment is None:
        return ()
    order = table.live.vault.sealed[place.commitment].order
    at = place.cut_at % len(order)
    return (*order[at:], *order[:at])


def branched(table: TestTable) -> TestTable:
    """Return a table of its own at which all is now as at another; its log is empty."""
    branch, live, entropy = copy(table), copy(table.live), SeededEntropy("irregular")
    live.entropy, live.vault = entropy, Vault(entropy, table.live.vault.sealed)
    live.meters, live.turns = dict(table.live.meters), list(table.live.turns)
    branch.live, branch.log = live, []
    return branch
