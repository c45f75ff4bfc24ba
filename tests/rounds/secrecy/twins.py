"""Two tables side by side that differ only in cards which somebody may not see.

A round is taken from tape and played again, command after command, by a twin whose deck came out otherwise:
cards that somebody had not lawfully seen up to some moment have changed places with each other. As long as
what a person may know is the same at both tables, all that they are told must be the same to the letter.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import msgspec
from msgspec.structs import replace

from houseway.cards import Card, Cards
from houseway.errors import HousewayError
from houseway.floor.exclusion_rule import bar_no_one
from houseway.floor.house import House
from houseway.floor.packets.playback import Playback, play_back, play_back_own, took_part
from houseway.floor.round_search import LoggedRound
from houseway.games import Rules
from houseway.law.problems import RefusedError
from houseway.rng import NONCE_BYTES, SealedDeck, SeededEntropy
from houseway.rounds.action import Action
from houseway.rounds.annotations import Readers, notes_of
from houseway.rounds.chance import Given, Moment, Vault
from houseway.rounds.codec import canonical, plain
from houseway.rounds.deciding import evolve, verify
from houseway.rounds.foresight import foresee
from houseway.rounds.houseway import house_setting
from houseway.rounds.live import LiveTable, due_moves
from houseway.rounds.record import Record, first_difference
from houseway.rounds.redaction import redact
from houseway.rounds.replay import GivenChance
from houseway.rounds.roles import Role
from houseway.rounds.state import CardOrigin, Table
from houseway.rounds.step import Actor, AnEvent, Proposal, Situation
from houseway.rounds.steps import STEPS
from houseway.rounds.steps.deal import READERS, Deal
from houseway.rounds.steps.dealer_hand import SetDealer
from houseway.rounds.steps.hand import SetHand
from houseway.rounds.steps.piles import ResetBank
from houseway.rounds.steps.stacks import next_cards
from houseway.rounds.steps.typed import CorrectEntry, EnterHand
from houseway.rounds.views import Scene
from houseway.service.live_views import SharedView
from houseway.store.entries import EMPTY
from tests.rounds.secrecy.cards import may_know
from tests.rounds.secrecy.tape import Standing, Taped, TapedTable

STAFF = tuple(Actor(f"the {role}", role) for role in Role if role not in (Role.PLAYER, Role.DEALER))
STRANGER = Actor("a stranger", Role.PLAYER)
OPTIONS_EVERY, GUESSES_EVERY, WATCHED_EVERY = 16, 3, 8
"""Every so many looks what is sent live is compared, with all that may be done; every so many commands
somebody guesses at hidden cards; every so many rounds are watched again."""
Swap = Mapping[Card, Card]


# --- the twin -----------------------------------------------------------------------------------------


class GivenVault(Vault):
    """Sealed decks of which each shuffle brings the one that was made for it."""

    def __init__(self, sealed: Mapping[str, SealedDeck], stand_ins: Mapping[str, SealedDeck]) -> None:
        super().__init__(SeededEntropy("never asked"), sealed)
        self.stand_ins, self.given = stand_ins, Given()

    def shuffle(self, cards: object) -> str:
        """Seal the deck that stands for the one shuffled then."""
        assert self.given.commitment is not None
        return self.keep(self.stand_ins[self.given.commitment])

    def keep_only(self, commitments: AbstractSet[str | None]) -> None:
        """Forget none: the table where the round was played is asked too."""


class Twin(LiveTable):
    """A table that goes on from where another stood, by its commands and chance, with decks of its own."""

    def __init__(self, standing: Standing, stand_ins: Mapping[str, SealedDeck]) -> None:
        nothing = SeededEntropy("never asked")
        super().__init__(standing.rules, nothing, standing.now, standing.table, dict(standing.meters))
        self.before, self.began_under = standing.before, standing.began_under
        self.turns = list(standing.turns)
        self.vault: GivenVault = GivenVault(standing.decks, stand_ins)

    @property
    def moment(self) -> Moment:
        """What a decision is stand_ins with now: the chance that the other table was given."""
        return Moment(self.now, GivenChance(self.vault.given), self.vault, self.meters)

    def follow(self, taped: Taped, action: Action) -> tuple[AnEvent, ...]:
        """Do what was done at the other table."""
        self.now, self.vault.given = taped.standing.now, taped.given
        return self.carry_out(replace(taped.command, action=action))


def swapped(action: Action, swap: Swap) -> Action:
    """Return what is done at the twin: the same with its own cards."""
    fields = [name for name in notes_of(type(action), Readers) if getattr(action, name)]
    return (
        replace(action, **{name: _swapped(getattr(action, name), swap) for name in fields})
        if fields
        else action
    )


def _swapped(value: Any, swap: Swap) -> Any:
    if isinstance(value, Card):
        return swap[value]
    if isinstance(value, tuple):
        return tuple(_swapped(item, swap) for item in value)
    return value


# --- which round, whose eyes, which cards -------------------------------------------------------------


@dataclass(frozen=True)
class Round:
    """A round on tape, from the shuffle of its deck to its end."""

    tape: list[Taped]
    deck: SealedDeck

    @property
    def record(self) -> Record | None:
        """The record of the round."""
        return self.tape[-1].record

    @classmethod
    def all_of(cls, live: TapedTable) -> Iterator[Round]:
        """Yield the rounds of a table in which cards were dealt."""
        shuffles: dict[str, int] = {}
        for number, taped in enumerate(live.tape):
            if taped.given.commitment is not None:
                shuffles[taped.given.commitment] = number
            ended = taped.ended
            if ended is not None and ended.dealt and ended.commitment in shuffles:
                begin = shuffles[ended.commitment]
                yield cls(live.tape[begin : number + 1], live.shuffled[ended.commitment])

    @classmethod
    def of_real_cards(cls, live: TapedTable) -> Round:
        """Return the one round of a table where cards are typed in: any order stands for that of its deck."""
        return cls(live.tape, SealedDeck(live.rules.game.cards().cards, bytes(NONCE_BYTES)))

    @property
    def last(self) -> Table:
        """The table when the round is over."""
        return self.tape[-1].after

    def first_card(self) -> int:
        """Return the number of the command by which the first card of the deck came."""
        dealt = (
            n
            for n, taped in enumerate(self.tape)
            if taped.after.round.commitment in (None, self.deck.commitment) and taped.after.round.dealt
        )
        return next(dealt, len(self.tape) - 1)

    def viewers(self) -> tuple[Actor, ...]:
        """Return everybody through whose eyes it is looked at."""
        last = self.last.last
        assert last is not None
        players = {hand.person for hand in last.hands.values()}
        players |= {bettor.person for hand in last.hands.values() for bettor in hand.behind}
        players |= {last.banker.person} if last.banker else set()
        dealers = {taped.after.dealer for taped in self.tape} - {None}
        return (
            *STAFF,
            STRANGER,
            *(Actor(name, Role.PLAYER) for name in sorted(players)),
            *(Actor(name or "", Role.DEALER) for name in sorted(map(str, dealers))),
        )

    def hidden_from(self, viewer: Actor, until: int) -> list[Card]:
        """Return the cards that somebody had not seen up to a moment, and never saw of their own hand."""
        last = self.last.last
        assert last is not None
        known: set[str] = set()
        if viewer.role is Role.PLAYER:
            own = (hand for hand in last.hands.values() if hand.person == viewer.id)
            known |= {str(card) for hand in own for card in hand.cards}
        for taped in self.tape[self.first_card() : until + 1]:
            known |= may_know(taped.standing.rules, taped.after, viewer)
        return [card for card in self.deck.order if str(card) not in known]


def some_swap(hidden: list[Card], deck: SealedDeck, chance: random.Random) -> Swap:
    """Return which card takes the place of which: hidden ones that of hidden ones."""
    others = hidden[:]
    chance.shuffle(others)
    return {card: card for card in deck.order} | dict(zip(hidden, others, strict=True))


# --- side by side -------------------------------------------------------------------------------------


class Comparison:
    """Compares what people are told at two tables, and counts how much of it there was."""

    def __init__(self, seed: str) -> None:
        self.met: Counter[str] = Counter()
        self.chance = random.Random(seed)

    def compare(self, live: TapedTable) -> None:
        """Compare each round of a table with one that differs in cards hidden from somebody."""
        typed = live.table.source is CardOrigin.TYPED
        for played in [Round.of_real_cards(live)] if typed else Round.all_of(live):
            viewers = played.viewers()
            seated = [viewer for viewer in viewers if viewer.role is Role.PLAYER]
            focus = self.chance.choice(seated if self.chance.random() < 0.5 else viewers)
            first, end = played.first_card(), len(played.tape) - 1
            until = end if self.chance.random() < 0.3 else self.chance.randint(first, end)
            hidden = played.hidden_from(focus, until)
            if len(hidden) > 1:
                swap = some_swap(hidden, played.deck, self.chance)
                Pair(self, played, swap, focus, viewers).play()
                self.met["hidden"] += len(hidden)


class Pair:
    """One round, at the table where it was played and at its twin."""

    def __init__(
        self, comparison: Comparison, played: Round, swap: Swap, focus: Actor, viewers: tuple[Actor, ...]
    ) -> None:
        self.met, self.chance = comparison.met, comparison.chance
        self.played, self.swap, self.focus, self.viewers = played, swap, focus, viewers
        self.first_card = played.first_card()
        deck = played.deck
        self.other = SealedDeck(tuple(swap[card] for card in deck.order), deck.nonce)
        self.was, self.now = deck.commitment.encode(), self.other.commitment.encode()
        begins = played.tape[0].standing
        shuffled = {taped.given.commitment for taped in played.tape if taped.given.commitment}
        decks = {name: sealed for taped in played.tape for name, sealed in taped.standing.decks.items()}
        assert shuffled <= {*decks, deck.commitment}
        self.twin = Twin(begins, decks | {deck.commitment: self.other})
        self.twin.vault.keep(deck)  # for what is asked about the table where it was played

    def play(self) -> None:
        """Play the round at the twin, and compare until a hidden card is lawfully opened to everybody."""
        self.met["rounds"] += 1
        for number, taped in enumerate(self.played.tape):
            action = self.twins_action(taped)
            if taped.problems:
                self.refused(taped, action)
                continue
            before = self.twin.table
            events = self.followed(taped, action)
            if events is None or self.opened(taped.after):
                self.met["opened"] += 1
                return
            dealt = number >= self.first_card
            others = (self.chance.choice(self.viewers),) if dealt and number % 2 else ()
            for viewer in (self.focus, *others):
                self.compare_events(viewer, taped, before, events)
            if dealt and not self.chance.randrange(GUESSES_EVERY):
                self.guessed(taped)
        self.met["to the end"] += 1
        if self.met["to the end"] % WATCHED_EVERY == 0:
            self.watched_again()

    def twins_action(self, taped: Taped) -> Action:
        """Return what is done at the twin; its deck may be shuffled while a round goes on with another."""
        action, dealt_from = taped.command.action, taped.standing.table.round.commitment
        return swapped(action, self.swap) if dealt_from in (None, self.played.deck.commitment) else action

    def opened(self, table: Table) -> bool:
        """Whether anybody at all may know a card by which the tables differ, or sees where it lies."""
        return not self.knows_as_much(Actor("", Role.GUEST), (table, self.twin.table))

    def knows_as_much(self, viewer: Actor, *tables: tuple[Table, Table]) -> bool:
        """Whether somebody may know the same cards at one table as at the other, lying in the same places."""
        rules = self.twin.rules
        return all(
            may_know(rules, here, viewer) == may_know(rules, there, viewer)
            and lying(rules, here, viewer) == lying(rules, there, viewer)
            for here, there in tables
        )

    def same(self, what: str, viewer: Actor, here: object, there: object) -> None:
        """See that somebody is told the same at both tables; what a deck committed to tells nothing."""
        self.met[what] += 1
        if here == there:
            return
        first, second = canonical(here), canonical(there).replace(self.now, self.was)
        if first != second:
            differing = first_difference(*map(msgspec.json.decode, (first, second)))
            raise AssertionError(f"{what} tells {viewer} of hidden cards: {differing}")

    # --- doing ---------------------------------------------------------------------------------------

    def followed(self, taped: Taped, action: Action) -> tuple[AnEvent, ...] | None:
        """Do at the twin what was done; nothing if it could not be, once hidden cards were opened."""
        try:
            return self.twin.follow(taped, action)
        except RefusedError as error:
            if isinstance(action, SetHand):  # legal with the cards there, and not with these
                cards = self.twin.table.round.hands[action.position].cards
                return self.twin.follow(taped, replace(action, setting=house_setting(self.twin.rules, cards)))
            raise AssertionError(f"only one of two tables refuses: {error}") from error

    def refused(self, taped: Taped, action: Action) -> None:
        """See that what was refused is refused for the same reasons, unless who acts knows other cards."""
        by, before = taped.command.by, taped.standing.table
        if action != taped.command.action or not self.knows_as_much(by, (before, self.twin.table)):
            return
        self.twin.now, self.twin.vault.given = taped.standing.now, taped.given
        problems = tuple(problem for problem in self.twin.verify(by, action) if problem.blocks)
        self.same("refusals", by, taped.problems, problems)

    # --- telling -------------------------------------------------------------------------------------

    def compare_events(self, viewer: Actor, taped: Taped, before: Table, events: tuple[AnEvent, ...]) -> None:
        """Compare what somebody reads of some events, and how the table looks to them afterwards."""
        here, there = taped.standing.table, self.twin.table
        if not self.knows_as_much(viewer, (here, before), (taped.after, there)):
            return
        if self.acted_otherwise(viewer, taped.events, events) or self.audits(viewer, events):
            return
        rules = taped.standing.rules
        assert len(taped.events) == len(events), f"other events of {taped.command.step}"
        for event, other in zip(taped.events, events, strict=True):
            self.same(
                f"{event.step} event",
                viewer,
                redact(rules, here, event, viewer),
                redact(rules, before, other, viewer),
            )
            here, before = evolve(here, event), evolve(before, other)
        self.met["events"] += len(events)
        self.met["alerts"] += sum(len(event.alerts) for event in (*taped.events, *events))
        self.looks(viewer, taped.after)

    def acted_otherwise(self, viewer: Actor, here: tuple[AnEvent, ...], there: tuple[AnEvent, ...]) -> bool:
        """Whether somebody did something with cards of their own, which they know."""
        pairs = zip(here, there, strict=False)
        return any(viewer.role is event.by.role and event.action != other.action for event, other in pairs)

    def audits(self, viewer: Actor, events: tuple[AnEvent, ...]) -> bool:
        """Whether a deck is opened to somebody once its round is over."""
        opened = any(getattr(event.outcome, "seal", None) for event in events)
        return opened and viewer.role in (Role.SURVEILLANCE, Role.REGULATOR)

    def looks(self, viewer: Actor, table: Table) -> None:
        """Compare how the table looks to somebody, and now and then what they may do."""
        twin = self.twin
        rules, moment = twin.rules, twin.moment
        scenes = [Scene(rules, state, moment).view(viewer) for state in (table, twin.table)]
        self.same("view", viewer, *scenes)
        if self.met["view"] % OPTIONS_EVERY == 0:
            sent = [looking(twin, state).message_for(viewer).text for state in (table, twin.table)]
            messages = [msgspec.json.decode(text) | {"hash": None} for text in sent]
            self.same("live message", viewer, *messages)
            self.foretold(table)

    def foretold(self, table: Table) -> None:
        """Compare what would come of what is due, told to who may do it."""
        twin = self.twin
        due = next((move for move in due_moves(twin.rules, table) if STEPS[move.step].foretold), None)
        if due is None or not self.knows_as_much(due.by, (table, twin.table)):
            return
        answers = []
        for state in (table, twin.table):
            try:
                answers.append(plain(foresee(twin.rules, state, due, twin.moment)))
            except HousewayError as error:
                answers.append(str(error))
        self.same("foresight", due.by, *answers)

    # --- guessing ------------------------------------------------------------------------------------

    def guessed(self, taped: Taped) -> None:
        """Let somebody guess at cards that lie there: the answer is the same, right or wrong."""
        table, twin = taped.after, self.twin
        if not self.knows_as_much(self.focus, (table, twin.table)):
            return
        action = a_guess(twin, table, self.focus, self.chance)
        if action is None:
            return
        proposal = Proposal(self.focus, action)
        answers = [verify(twin.rules, state, proposal, twin.moment) for state in (table, twin.table)]
        self.same(f"a guess by {proposal.step}", self.focus, *answers)
        self.met["guesses"] += 1

    # --- afterwards ----------------------------------------------------------------------------------

    def watched_again(self) -> None:
        """Compare the round as it is watched again, by its player or by those who look on."""
        last, begins = self.played.tape[-1], self.played.tape[-1].standing
        if begins.before.seq < self.played.tape[0].standing.before.seq:
            return
        record, other = self.played.record, self.twin.record
        assert record is not None and other is not None
        rounds = [round_in_log(begins, record, last.after), round_in_log(begins, other, self.twin.table)]
        viewer = self.focus
        if viewer.role is Role.PLAYER and took_part(rounds[0], viewer.id):
            self.same("own replay", viewer, *(alike(play_back_own(seen, viewer.id)) for seen in rounds))
        else:
            self.same("replay", viewer, *(alike(play_back(seen, Role.GUEST)) for seen in rounds))


def lying(rules: Rules, table: Table, viewer: Actor) -> dict[int, list[Cards]]:
    """Return how hands lie that somebody sees, their own or the parts shown: they may be set in many ways."""
    names = [part.name for part in rules.game.parts]
    own = {
        at: viewer.role is Role.PLAYER and viewer.id == hand.person for at, hand in table.round.hands.items()
    }
    return {
        at: [
            part
            for name, part in zip(names, hand.setting or (), strict=False)
            if own[at] or name in hand.shown
        ]
        for at, hand in table.round.hands.items()
        if hand.shown or own[at]
    }


def looking(live: LiveTable, table: Table) -> SharedView:
    """Return a table as those who watch it live are sent it."""
    head = SimpleNamespace(version=table.seq)
    running = SimpleNamespace(rules=live.rules, table=table, head=head, tray=None, chips=False)
    floor: Any = SimpleNamespace(
        house=House(), barred=bar_no_one, table=lambda _: running, moment=lambda _: live.moment
    )
    return SharedView(floor, table.id)


def round_in_log(begins: Standing, record: Record, after: Table) -> LoggedRound:
    """Return a round as it would be found in a log."""
    before: Any = SimpleNamespace(rules=begins.began_under, table=record.before)
    entries: Any = tuple(SimpleNamespace(version=number) for number in range(1, len(record.turns) + 1))
    now: Any = SimpleNamespace(rules=begins.rules, table=after)
    return LoggedRound(
        number=record.before.round.number,
        program=None,
        before=before,
        after=now,
        entries=entries,
        bodies=record.turns,
        record=record,
        head=EMPTY,
    )


def alike(watched: Playback) -> Playback:
    """Return a round watched again that has no reason to look at who watches it."""
    assert watched.identical, watched.difference
    return watched


def a_guess(twin: LiveTable, table: Table, by: Actor, chance: random.Random) -> Action | None:
    """Return a command that names cards which lie at a table, whoever may know them; nothing if none do."""
    rules, this_round = twin.rules, table.round
    hands = [hand for hand in this_round.hands.values() if hand.cards]
    ways = ["set", "enter", "one card", "correct"] if hands else []
    ways += ["dealer", "bank"] if this_round.dealer_cards else []
    ways += ["top"] if this_round.commitment and by.role not in READERS else []  # a device reads cards dealt
    hand, how = chance.choice(hands) if hands else None, chance.choice(ways) if ways else ""
    if how == "top":
        return Deal(cards=1, read=next_cards(Situation(rules, table, twin.moment, by), 1))
    if how in ("dealer", "bank"):
        setting = house_setting(rules, this_round.dealer_cards)
        return SetDealer(setting) if how == "dealer" else ResetBank(setting)
    if hand is None:
        return None
    at, cards = hand.position, hand.cards
    if how == "one card":
        return EnterHand(chance.randint(1, 7), (cards[:1], (), ()))
    if how == "correct":
        return CorrectEntry(at, (cards[:2], (), ()), "typed wrongly")
    return (SetHand if how == "set" else EnterHand)(at, house_setting(rules, cards))
