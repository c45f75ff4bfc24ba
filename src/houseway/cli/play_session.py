"""A session at a table: round after round, from the wagers to the record, with a player at one position."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final

from houseway.cards import Cards
from houseway.cli.betting import BetPrompt
from houseway.cli.seat import HOUSE_WAY, YES, Asker, LeftError, read_setting, setting_hints
from houseway.cli.terminal_view import ANNOUNCED, Screen
from houseway.errors import HousewayError, InvalidInputError
from houseway.law import Problem, cite
from houseway.ledger import Units, show_units
from houseway.money import dollars
from houseway.ranking import Race, Setting, dealer_valued
from houseway.rounds.action import step_of
from houseway.rounds.houseway import same_setting
from houseway.rounds.record import Record, read_record
from houseway.rounds.replay import difference
from houseway.rounds.seat_session import (
    YOU,
    NextDecision,
    SeatSession,
    accounts_of,
    payments_of,
)
from houseway.rounds.state import Round
from houseway.rounds.step import Proposal
from houseway.rounds.steps.double_down import DoubleDown
from houseway.rounds.steps.reveal import Reveal, Revealed
from houseway.rounds.steps.surrender import Surrender
from houseway.rounds.views import Advice
from houseway.settlement import Status
from houseway.settlement.model import DOUBLE_DOWN

if TYPE_CHECKING:
    from houseway.training import SettingValuer

Keep = Callable[[Record], Path | None]
"""Writes a record and returns its file."""
FINISHED: Final = 0
FAILED: Final = 1
INTERRUPTED: Final = 130
SAYS: Final = {"win": "wins", "lose": "loses", "tie": "ties"}
ADVICE: Final = ("?", "how the house way sets the hand")
VALUED: Final = ("w", "whether to double, counted against every hand the dealer can have")


class PlaySession:
    """A player, a purse and a table, until the player leaves or the chips are gone."""

    def __init__(
        self,
        seat: SeatSession,
        screen: Screen,
        asker: Asker,
        purse: Units,
        keep: Keep,
        values: Callable[[], SettingValuer] | None = None,
    ) -> None:
        self.seat, self.screen, self.asker, self.keep = seat, screen, asker, keep
        self._open_values = values
        """Opens the coach, which takes a while."""
        self._values: SettingValuer | None = None
        self.betting = BetPrompt(seat, screen, asker)
        self.purse, self.brought, self.rounds = purse, purse, 0
        self._begin(staked=False)

    def _begin(self, *, staked: bool) -> None:
        """Forget the last round; ``staked`` means that money lies on the table."""
        self._open, self._own_shown, self._bound = staked, False, False
        self._advice: Advice | None = None
        self._others: list[str] = []

    def run(self, rounds: int) -> int:
        """Play ``rounds`` rounds, or until the player leaves if it is 0; return the exit code."""
        self._welcome()
        code = FINISHED
        try:
            while self.purse > 0 and (not rounds or self.rounds < rounds):
                self._round()
        except LeftError as left:
            code = INTERRUPTED if left.interrupted else FINISHED
        except KeyboardInterrupt:
            code = INTERRUPTED
        except HousewayError as error:
            self.screen.complain(f"The session ends: {error}")
            code = FAILED
        self._farewell()
        return code

    def _welcome(self) -> None:
        rules, screen = self.seat.rules, self.screen
        screen.title(f"{rules.game.name} ({rules.game.id}), law as of {rules.submission.law_as_of}")
        screen.say(rules.game.about)
        seats = sorted(self.seat.table.seats.items())
        names = [seat.person for _, seat in seats if seat.person != YOU.id]
        screen.say(f"You sit at position {self.seat.position}; {', '.join(names)} play the house way.")
        screen.say(
            "help lists what can be typed, ? asks how the house way sets a hand, why shows the law in full,"
            " q leaves.",
            style="dim",
        )

    def _farewell(self) -> None:
        if self.purse <= 0:
            self.screen.say("Your chips are gone.")
        if self._open:
            self.screen.say("The round is unfinished; what you put on the table is given back.")
        won = self.purse - self.brought
        outcome = f"{show_units(abs(won))} {'won' if won > 0 else 'lost'}" if won else "neither won nor lost"
        played = "1 round" if self.rounds == 1 else f"{self.rounds} rounds"
        self.screen.title(f"You leave with {show_units(self.purse)}: {outcome} in {played}.")

    # --- one round ------------------------------------------------------------------------------------

    def _round(self) -> None:
        self.screen.title(f"Round {self.rounds + 1}. Chips: {show_units(self.purse)}")
        self._take_bets()
        self._begin(staked=True)
        self.asker.leaving = "the house way plays the rest of the round for you"
        try:
            self._play_cards()
        except (LeftError, KeyboardInterrupt):
            self.screen.say("The house way plays the rest of the round for you.")
            self._settle()
            raise
        finally:
            self.asker.leaving = ""
        self._settle()

    def _take_bets(self) -> None:
        decision = self.seat.begin()
        self._show_table()
        while decision is not NextDecision.BETS:
            self.betting.take_bank(self.purse, holding=decision is NextDecision.BANK_HELD)
            decision = self.seat.begin()
        if not self.seat.banks:
            banker = self.seat.table.seats.get(self.seat.table.round.bank_seat or 0)
            if banker:
                stake = dollars(self.seat.table.round.stake)
                self.screen.say(f"{banker.person} banks the round with {stake}.")
            self.betting.place_wagers(self.purse)

    def _show_table(self) -> None:
        commitment, meter = self.seat.commitment, self.seat.meter
        if commitment:
            self.screen.say(f"The deck is sealed: {commitment[:32]}…", style="dim")
        if meter:
            self.screen.say(f"The progressive is at {dollars(meter.showing)}.", style="dim")

    def _play_cards(self) -> None:
        seat = self.seat
        seat.deal()
        if not seat.banks:
            cards = seat.cards()
            self.screen.title("Your cards")
            self.screen.show_cards(cards)
            self._double_down()
            self._arrange(cards, None)
        seat.turn_over()
        if self._bound and seat.hand is not None and seat.hand.setting:
            self.screen.title("Your hand, set for you")
            self._explain(seat.house_way())
            self.screen.show_setting(seat.rules.ranking(), seat.hand.setting)
        self._show_dealer(seat.table.round)
        if seat.banks:
            self._arrange(seat.dealer_cards(), seat.table.round.dealer_setting)
        else:
            self._surrender()
        self._open_hands()

    def _double_down(self) -> None:
        seat = self.seat
        action = DoubleDown(seat.position)
        if not seat.rules.offers(DOUBLE_DOWN) or seat.refusals(action):
            return
        terms = seat.rules.game.wager_terms(DOUBLE_DOWN)
        short = seat.objections(action, purse=self.purse)
        if short:
            self.screen.say(f"No {terms.name}: {self.screen.reason(short[0])}.", style="dim")
            return
        main = dollars(seat.hand.amount("main")) if seat.hand else ""
        hints = [("y", f"put another {main} next to the main wager"), ("Enter", "play without it"), ADVICE]
        value = self._value if self._open_values else None
        hints += [VALUED] if value else []
        if self.asker.confirm(f"{terms.name} of {main}?", hints, self._advise, value):
            seat.do(action)

    def _value(self) -> None:
        """Print when to double: with the best setting, and with the house way's if that is another."""
        if self._open_values is not None and self._values is None:
            self._values = self._open_values()
        if self._values is None:
            return
        from houseway.cli.coach import tell_worth  # noqa: PLC0415 - arrays only when they are needed

        advice = self._values.advise(self.seat.cards())
        choices = {"The best setting": advice.best, "The house way": advice.house_way}
        if advice.price == 0:
            del choices["The best setting"]
        for whose, valued in choices.items():
            self.screen.say(f"{whose}, {tell_worth(valued)}.", hang=2)

    def _surrender(self) -> None:
        seat = self.seat
        if step_of(Surrender) not in seat.rules.game.procedure:
            return
        action, law = Surrender(seat.position), seat.rules.game.surrender
        refused = seat.refusals(action)
        if refused:
            self.screen.say(f"No surrender: {self.screen.reason(refused[0])}.", hang=2, style="dim")
            return
        for clause in law:
            self.screen.say(f"{cite(clause).says} ({self.screen.law([clause])})", hang=2, style="dim")
        hints = [("y", "surrender the hand"), ("Enter", "play on")]
        if self.asker.confirm("Do you surrender?", hints):
            seat.do(action)

    # --- setting the hand -----------------------------------------------------------------------------

    def _arrange(self, cards: Cards, current: Setting | None) -> None:
        """Ask for a setting until one is placed; ``current`` is the setting on the table, if any."""
        seat, order = self.seat, self.seat.rules.ranking()
        names, split = order.part_names, order.split
        hints = setting_hints(cards, names, split)
        shown = current
        fouls: tuple[Problem, ...] = ()
        while True:
            text = self.asker.ask(_setting_prompt(shown, current, foul=bool(fouls)), hints, HOUSE_WAY)
            if text.lower() in ("", *YES):
                if shown is None:
                    self.screen.complain("Type a setting first; help shows how.")
                elif fouls and not text:
                    self.screen.complain("The setting is foul: y places it all the same.")
                else:
                    if shown is not current:
                        seat.do(seat.placing(shown))
                    return
                continue
            candidate = self._house_way() if text.lower() in HOUSE_WAY else self._read_typed(text, cards)
            if candidate is not None:
                shown = current if same_setting(current, candidate) else candidate
                fouls = self._judge(candidate)
            elif self._bound:
                return

    def _read_typed(self, text: str, cards: Cards) -> Setting | None:
        """Return the typed setting; None if it cannot be read or may not be placed."""
        order = self.seat.rules.ranking()
        try:
            setting = read_setting(text, cards, order.part_names, order.split)
        except InvalidInputError as error:
            self.screen.complain(f"{error}")
            return None
        refused = self.seat.refusals(self.seat.placing(setting))
        self.screen.show_refusals(refused)
        return None if refused else setting

    def _judge(self, setting: Setting) -> tuple[Problem, ...]:
        """Show the parts of a setting and whether it is legal."""
        self.screen.show_setting(self.seat.rules.ranking(), setting)
        fouls = self.seat.fouls(setting)
        for foul in fouls:
            self.screen.say(f"FOUL: {self.screen.reason(foul)}.", indent=2, hang=2, style="bold red")
        if not fouls:
            self.screen.say("Legal.", indent=2)
        return fouls

    def _house_way(self) -> Setting | None:
        """Print and return the house way's setting; None if the player does not ask or is bound by it."""
        if self._advice is None:
            self._advice = self._ask_advice()
        if self._advice is None:
            return None
        self._explain(self._advice)
        return self._advice.setting

    def _advise(self) -> None:
        """Print the house way's setting."""
        setting = self._house_way()
        if setting is not None:
            self.screen.show_setting(self.seat.rules.ranking(), setting)

    def _ask_advice(self) -> Advice | None:
        """Ask for the house way; where asking is final, let the player confirm first."""
        seat = self.seat
        if seat.banks:
            return seat.house_way()
        binding = seat.binding()
        if binding:
            self.screen.say(f"To ask is final at this table ({self.screen.reason(binding[0])}).", hang=2)
            hints = [("y", "ask for the house way"), ("Enter", "set the hand yourself")]
            if not self.asker.confirm("Ask for it?", hints):
                return None
        self._bound = bool(binding)
        advice = seat.ask_help()
        return None if self._bound else advice

    def _explain(self, advice: Advice) -> None:
        law = f" ({self.screen.law(advice.clauses)})" if advice.clauses else ""
        self.screen.say(f"The house way, {advice.rule}: {advice.say}{law}", hang=2)

    # --- opening and settling -------------------------------------------------------------------------

    @property
    def _who(self) -> str:
        return "bank" if self.seat.rules.banked else "dealer"

    def _show_dealer(self, this_round: Round) -> None:
        """Print the dealer's hand, turned over and set."""
        whose = "Your hand, set the house way" if self.seat.banks else f"The {self._who}'s hand"
        self.screen.title(whose)
        order, setting = self.seat.rules.ranking(), this_round.dealer_setting or ()
        self.screen.show_setting(order, setting, dealer_valued(order, setting))

    def _open_hands(self) -> None:
        """Open the hands in the law's order, the player's own part by part."""
        seat = self.seat
        while (opening := seat.next_opening()) is not None:
            if opening.position == seat.position:
                self._open_own(opening)
                continue
            person = seat.table.round.hands[opening.position or 0].person
            for event in seat.perform(opening):
                if isinstance(event.outcome, Revealed) and event.outcome.announced:
                    self._others.append(f"{person} {SAYS[event.outcome.announced]}")

    def _open_own(self, opening: Proposal) -> None:
        seat, this_round = self.seat, self.seat.table.round
        self.screen.title(f"You against the {self._who}")
        for place, name in enumerate(seat.rules.ranking().part_names):
            for event in seat.perform(Proposal(opening.by, Reveal(seat.position, (name,)))):
                self._show_part(this_round, place)
                if isinstance(event.outcome, Revealed) and event.outcome.race:
                    self._announce(event.outcome.race)
        self._own_shown = True

    def _show_part(self, this_round: Round, place: int) -> None:
        """Print one part of the player's hand against the dealer's, if the hand is split rightly."""
        order = self.seat.rules.ranking()
        mine, theirs = this_round.hands[self.seat.position].setting or (), this_round.dealer_setting or ()
        if tuple(map(len, mine)) == order.split:
            name, counting = order.part_names[place], dealer_valued(order, theirs)
            self.screen.show_versus(order, name, mine[place], theirs[place], counting[place], self._who)

    def _announce(self, race: Race) -> None:
        for foul in race.fouls:
            self.screen.say(f"FOUL: {self.screen.reason(foul)}.", indent=2, hang=2, style="bold red")
        announcement = ANNOUNCED["tie" if race.result == "push" else race.result]
        self.screen.say(f"Announced: {announcement}. ({self.screen.law(race.clauses)})", hang=2, style="bold")

    def _settle(self) -> None:
        """End the round: print what is left to show, the payments and the chips; write the record."""
        played = self.seat.finish()
        this_round, before = played.round, self.purse
        accounts = accounts_of(this_round, YOU.id)
        self.purse, self._open, self.rounds = before + accounts.net, False, self.rounds + 1
        self._tell(this_round)
        self.screen.title("Your payments")
        self.screen.show_payments(payments_of(this_round, YOU.id), YOU.id)
        self.screen.show_balance(before, accounts.placed, accounts.fees, accounts.back)
        path = self.keep(played.record)
        mismatch = _replay(played.record, path)
        if mismatch:
            self.screen.complain(f"Difference: {mismatch}")
        verdict = "NOT identical" if mismatch else "identical"
        where = f"Record: {path}; replayed: {verdict}." if path else f"Not recorded; replayed: {verdict}."
        self.screen.say(where, hang=2, style="dim")

    def _tell(self, this_round: Round) -> None:
        """Print the race if it is not shown yet, and the other players' results."""
        hand = this_round.hands.get(self.seat.position)
        if hand is not None and hand.status is Status.SURRENDERED:
            self.screen.say("You surrendered the hand.")
        elif hand is not None and hand.race is not None and not self._own_shown:
            self.screen.title(f"You against the {self._who}")
            for place in range(len(self.seat.rules.ranking().part_names)):
                self._show_part(this_round, place)
            self._announce(hand.race)
        if self._others:
            self.screen.say(f"The others: {', '.join(self._others)}.", hang=2)


def _replay(record: Record, path: Path | None) -> str | None:
    """Return the first difference of a record, read back from its file and replayed."""
    try:
        return difference(read_record(path) if path else record)
    except HousewayError as error:
        return str(error)


def _setting_prompt(shown: Setting | None, current: Setting | None, *, foul: bool) -> str:
    if shown is None:
        return "Your setting: "
    if foul:
        return "y to place this foul hand, or another setting: "
    return f"Enter to {'keep' if shown is current else 'place'} it, or another setting: "
