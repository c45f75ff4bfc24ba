"""Rounds by the thousand at a cardroom's table: who sits, bets, banks, sets and rules is left to a seed."""

from __future__ import annotations

import random
from collections import Counter

from houseway.errors import HousewayError
from houseway.money import Cents
from houseway.ranking import legal_settings
from houseway.rounds.deciding import evolve_all
from houseway.rounds.houseway import house_setting
from houseway.rounds.live import due_moves
from houseway.rounds.state import Phase
from houseway.rounds.step import Proposal, Situation
from houseway.rounds.steps.bank import next_offer
from houseway.rounds.steps.lammers import due_lammers
from houseway.rounds.steps.money import round_of
from houseway.settlement import take_fees
from tests.rounds.california import BANK, EVERY_SEAT, Cardroom, clockwise_from, somebody
from tests.rounds.commands import NamedStep, value_of
from tests.rounds.play.california_watch import check_cards, check_money, check_record, wagers_of
from tests.rounds.play.chance import cardroom_layout
from tests.rounds.table import DEALER, FLOOR

ROUNDS_AT_A_TABLE = 20
STUCK = 400
"""So many steps in one round are too many."""
CHOSEN = frozenset({*BANK, "no_more_bets", "shake_dice", "choose_pile", "look", "set", "close_round"})
"""What the driver decides itself."""
RARE = (
    "8s 8h 8d 8c Kd 5h 2s",
    "4s 4h 4d 4c Qd 9c 3s",
    "Ks Qs Js Ts 9s 2h 3c",
    "Kh Qh Jh Th 9h 2d 3d",
    "As Ac Ad Ah Jk 7c 6d",
    "7d 7s 7h 6s 6h 6c 2c",
)
"""Hands that share no card: four of a kind, straight flushes, five aces, a full house."""


def drive(rounds: int, seed: str, *, every: int = 1) -> Counter[str]:
    """Play so many rounds and watch each; write one in ``every`` down as text. Return what was met."""
    met: Counter[str] = Counter()
    chance = random.Random(seed)
    while met["rounds"] < rounds:
        table = Driven(chance, f"{seed}/{met['rounds']}", met)
        for _ in range(min(ROUNDS_AT_A_TABLE, rounds - met["rounds"])):
            table.play_round(whole_text=met["rounds"] % every == 0)
            met["rounds"] += 1
    return met


class Driven(Cardroom):
    """A table at which chance plays, and what must hold of every round is looked at."""

    def __init__(self, chance: random.Random, seed: str, met: Counter[str]) -> None:
        super().__init__(cardroom_layout(chance), seats=(), seed=seed)
        self.chance, self.met, self.seed = chance, met, seed
        self.newcomers, self.pile, self.done = 0, 1, 0
        self.piles_first = False
        self.since = self.live.table
        self.running: tuple[str, int] = ("", 0)
        self.asked_all = False

    def play_round(self, *, whole_text: bool) -> None:
        """Play one round from the empty layout to the empty layout."""
        self.log.clear()
        self.pile = self.chance.randint(1, 7)
        self.piles_first = self.state.way == "manual" and self.sometimes(0.5)
        before = self.since = self.live.table
        self.done = 0
        self.people()
        self.rotation()
        self.wagers()
        self.ready().do("no_more_bets")
        self.count_round()
        self.cards()
        assert evolve_all(self.since, self.log[self.done :]) == self.live.table
        this_round = self.live.table.last
        assert this_round is not None and self.state.rounds == before.rounds + 1
        self.met.update(check_money(this_round, self.state.rules))
        check_cards(this_round, self.live)
        check_record(self.live, whole_text=whole_text)
        assert not self.state.round.hands and not self.state.round.stake

    def sometimes(self, share: float) -> bool:
        return self.chance.random() < share

    # --- before the cards -------------------------------------------------------------------------

    def people(self) -> None:
        """Let people come and go; nobody sits down where the player-dealer got up."""
        for at in sorted(self.state.seats):
            if len(self.state.seats) > 3 and self.sometimes(0.08):
                self.do("leave", self.at(at), at)
        wanted = self.chance.randint(2, 7)
        free = [at for at in EVERY_SEAT if at not in self.state.seats and at != self.state.banking.seat]
        self.chance.shuffle(free)
        while len(self.state.seats) < wanted and free:
            self.newcomers += 1
            at = free.pop()
            self.do("sit", somebody(f"P{self.newcomers}"), at)

    def rotation(self) -> None:
        """Offer the bank on where it must be, and sometimes where it need not be."""
        banking = self.state.banking
        vacant = banking.seat not in self.state.seats
        stops = self.state.rules.readings["ca_all_decline_bank"] == "play_stops"
        somebody_must = vacant or (stops and banking.rounds >= 2)
        self.asked_all = False
        if not (vacant or banking.rounds >= 2 or self.sometimes(0.2)):
            return
        at = next_offer(self.rules, self.live.table)
        while at is not None:
            self.do("offer_bank", at=at)
            last = set(self.state.seats) <= {at, banking.seat, *self.state.banking.declined}
            if self.sometimes(0.4) or (somebody_must and last):
                self.do("accept_bank", self.at(at), at)
                self.met["bank taken"] += 1
                return
            self.do("decline_bank", self.at(at), at)
            self.met["bank declined"] += 1
            if self.state.banking.declined == ():
                self.asked_all = not stops
                self.met["all declined"] += 1
                return
            at = next_offer(self.rules, self.live.table)

    def wagers(self) -> None:
        """Place wagers that have a posted rate; put up a bank that is often too small."""
        bank = self.state.banking.seat or 0
        others = [at for at in sorted(self.state.seats) if at != bank]
        betting = self.chance.sample(others, self.chance.randint(1, len(others)))
        for attempt in range(50):
            for at in betting:
                self.bet_somehow(at, modest=attempt > 20)
            if self.posted():
                break
            for at in list(self.state.round.hands):
                self.do("wager", self.at(at), at, wagers={})
        else:
            raise AssertionError(f"no wagers with a rate: {self.state.rules.submission}")
        action = sum(wagers_of(self.state.round).values())
        share = self.chance.choice([0.01, 0.2, 0.5, 0.9, 1.0, 1.5, 4.0, 100.0])
        self.do("put_up", self.at(bank), bank, stake=Cents(max(1, int(action * share))))

    def posted(self) -> bool:
        if not self.state.round.hands:
            return False
        try:
            take_fees(round_of(Situation(self.rules, self.live.table, self.live.moment, DEALER)))
        except HousewayError:
            return False
        return True

    def bet_somehow(self, at: int, *, modest: bool) -> None:
        """Bet at a seat, and perhaps behind it; what the schedule has no rate for is not tried."""
        for name in [None, *(f"Z{n}" for n in range(self.chance.choice([0, 0, 0, 1, 2])))]:
            wagers = {"main": self.amount(modest=modest)}
            if self.sometimes(0.5):
                wagers["fortune"] = self.amount(modest=modest)
            step, by = ("wager", self.at(at)) if name is None else ("bet_behind", somebody(name))
            if self.live.may(NamedStep(step, by, at, {"wagers": wagers}).proposal(self.rules)):
                self.do(step, by, at, wagers=wagers)
                self.met["behind"] += name is not None
            elif name is None:
                return

    def amount(self, *, modest: bool) -> Cents:
        schedule = self.state.rules.schedule()
        assert schedule is not None
        low, high = schedule.table_min // 100, schedule.table_max // 100
        top = low if modest else self.chance.choice([low, low + 2, min(high, 5 * low), high])
        return Cents(100 * max(self.chance.randint(low, top), 5 if modest else 1))

    def count_round(self) -> None:
        """Count how often one person has banked running, by simpler means than the table's own."""
        name = self.state.seats[self.state.banking.seat or 0].person
        taken = any(event.step == "accept_bank" for event in self.log)
        before = 0 if taken or self.asked_all or self.running[0] != name else self.running[1]
        last, reading = self.state.last, self.state.rules.readings["ca_void_round_of_bank"]
        uncounted = last is not None and last.void is not None and reading == "does_not_count"
        self.running = name, before + (not uncounted)
        assert self.running[1] <= 2

    # --- the cards --------------------------------------------------------------------------------

    def dice(self) -> None:
        bank = self.state.round.bank_seat or 0
        event = self.do("shake_dice", self.at(bank), bank)[0]
        first = (bank - 1 + sum(value_of(event, "faces")) - 1) % 7 + 1
        begins = [*clockwise_from(first)[1:], first] if first == bank else clockwise_from(first)
        action = next(at for at in begins if at in self.state.round.hands)
        assert (self.state.round.start, self.state.round.action) == (first, action)

    def rare_hands(self) -> None:
        """Sometimes deal hands that are paid highly, and envied."""
        if self.sometimes(0.3):
            hands = self.chance.sample(RARE, self.chance.randint(1, 2))
            seats = self.chance.sample(EVERY_SEAT, len(hands))
            assert evolve_all(self.since, self.log) == self.live.table
            self.arranged(dict(zip(seats, hands, strict=True)), self.pile)
            self.since, self.done = self.live.table, len(self.log)

    def cards(self) -> None:
        """Play on, one due thing after another, until the round is over; sometimes something goes wrong."""
        number, wrong = self.state.rounds, self.sometimes(0.25)
        for _ in range(STUCK):
            if self.state.rounds > number:
                return
            if wrong and self.sometimes(0.05):
                self.goes_wrong()
            else:
                self.goes_on()
        raise AssertionError(f"the round does not end: {self.state.phase}, {self.state.round}")

    def goes_on(self) -> None:
        table = self.state
        if table.phase is Phase.SETTING and self.set_one():
            return
        bank = table.round.bank_seat or 0
        ready = table.round.has("fees") and (
            table.round.has("lammers") or not due_lammers(self.rules, table.state)
        )
        waits = self.piles_first and table.round.pile is None
        if table.round.start is None and ready and not waits:
            self.dice()
            if not table.round.dealt:
                self.rare_hands()
            return
        counted = table.round.has("stub") or table.round.has("stub_wrong")
        if counted and table.round.pile is None and table.way == "manual":
            self.do("choose_pile", self.at(bank), bank, pile=self.pile)
            return
        untouched = not any(hand.shown for hand in table.round.hands.values())
        if table.phase is Phase.SETTLING and untouched and self.sometimes(0.2):
            among = list(legal_settings(table.rules.ranking(), table.round.dealer_cards))
            self.do("reset_bank", self.at(bank), bank, setting=self.chance.choice(among))
            self.met["reset"] += 1
            return
        due = [move for move in self.suggested() if move.step not in CHOSEN - {"close_round"}]
        due = [move for move in due if self.live.may(move)]
        if not due:
            raise AssertionError(f"nothing can be done: {table.phase}, {table.round}")
        chosen = self.chance.choice(due)
        self.log += self.live.do(chosen.by, chosen.action)

    def suggested(self) -> list[Proposal]:
        """Return what might be done next."""
        return list(due_moves(self.rules, self.live.table))

    def set_one(self) -> bool:
        """Let a player who has not set his hand set it, some way that is legal."""
        unset = [hand for hand in self.state.round.playing() if not hand.has("placed")]
        if not unset:
            return False
        hand = self.chance.choice(unset)
        by = DEALER if hand.has("left") else self.at(hand.position)
        if not hand.has("looked") and by is not DEALER:
            self.do("look", by, hand.position)
        elif by is not DEALER and self.sometimes(0.3):
            setting = value_of(self.do("ask_help", by, hand.position)[0], "setting")
            self.do("set", DEALER, hand.position, setting=setting)
        elif by is DEALER:
            self.do("set", by, hand.position, setting=house_setting(self.rules, hand.cards))
        else:
            among = list(legal_settings(self.state.rules.ranking(), hand.cards))
            self.do("set", by, hand.position, setting=self.chance.choice(among))
        return True

    def goes_wrong(self) -> None:
        """Stop the round somehow, and let the floor rule."""
        table, ruling = self.state, self.chance.choice(["void", "play on"])
        how = self.chance.choice(["stop", "count", "expose", "stub", "leave"])
        if how == "count" and table.round.has("dealt_out"):
            counts = dict.fromkeys(EVERY_SEAT, 7) | {self.chance.choice(EVERY_SEAT): 6}
            self.do("count_hands", counts=counts)
        elif how == "expose" and table.phase in (Phase.DEALING, Phase.SETTING):
            self.do("expose_card", at=self.chance.choice(sorted(table.round.hands)))
        elif (
            how == "stub"
            and table.way == "manual"
            and table.phase is Phase.DEALING
            and table.round.has("dealt_out")
            and not table.round.has("stub")
        ):
            self.do("count_stub", left=self.chance.choice([3, 5]))
        elif how == "leave":
            at = self.chance.choice([*table.round.hands, table.round.bank_seat or 0])
            self.do("leave", self.at(at), at)
        elif table.round.start is not None and not table.round.dealt:
            self.do("deal", first_to=self.chance.choice([s for s in EVERY_SEAT if s != table.round.start]))
        else:
            self.do("stop_round", reason="something went wrong")
        assert self.state.round.stopped
        assert not any(self.live.may(move) for move in self.suggested())
        self.do("rule_round", FLOOR, ruling=ruling, reason="as seen")
        self.met[ruling] += 1
