"""A session at a table: round after round, from the wagers to the record, with a person at one position."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

from houseway.cards import Cards
from houseway.cli.chair import YOU, Advice, Chair, accounts_of, limits, payments_of
from houseway.cli.felt import ANNOUNCED, Screen, amounts, citations, reason
from houseway.cli.seat import YES, Asker, LeftError, read_setting, setting_hints
from houseway.errors import HousewayError, InvalidInputError
from houseway.law import Problem, cite
from houseway.ledger import Units, show_units
from houseway.money import Cents, dollars
from houseway.ranking import Race, Setting
from houseway.rounds.auto import Played
from houseway.rounds.record import Record, read_record
from houseway.rounds.replay import differences
from houseway.rounds.state import Play, changed
from houseway.rounds.step import Command
from houseway.settlement import Status
from houseway.settlement.model import DOUBLE_DOWN

Keep = Callable[[Played], tuple[Record, Path | None]]
FINISHED: Final = 0
FAILED: Final = 1
INTERRUPTED: Final = 130
SAYS: Final = {"win": "wins", "lose": "loses", "tie": "ties"}
HELP: Final = ("h", "help")
DECLINE: Final = ("n", "no")


class Session:
    """A person, a purse and a table, until he leaves or his chips are gone."""

    def __init__(self, chair: Chair, screen: Screen, asker: Asker, purse: Units, keep: Keep) -> None:
        self.chair, self.screen, self.asker, self.keep = chair, screen, asker, keep
        self.purse, self.brought, self.rounds = purse, purse, 0
        self._begin(staked=False)

    def _begin(self, *, staked: bool) -> None:
        """Forget the round before; ``staked`` says that money lies on the table."""
        self._open, self._told, self._bound = staked, False, False
        self._advice: Advice | None = None
        self._others: list[str] = []

    def run(self, rounds: int) -> int:
        """Play so many rounds, or until the person leaves; return the exit code."""
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
        rules, screen = self.chair.rules, self.screen
        screen.title(f"{rules.game.name} ({rules.game.id}), law as of {rules.submission.law_as_of}")
        screen.say(rules.game.about)
        names = [seat.person for _, seat in sorted(self.chair.table.seats.items()) if seat.person != YOU.name]
        screen.say(f"You sit at position {self.chair.seat}; {', '.join(names)} play the house way.")
        screen.say("At every prompt ? lists what can be typed, and q leaves.", style="dim")

    def _farewell(self) -> None:
        if self.purse <= 0:
            self.screen.say("Your chips are gone.")
        if self._open:
            self.screen.say("The round is unfinished; what you put on the table is given back.")
        won = self.purse - self.brought
        made = f"{show_units(abs(won))} {'won' if won > 0 else 'lost'}" if won else "neither won nor lost"
        played = "1 round" if self.rounds == 1 else f"{self.rounds} rounds"
        self.screen.title(f"You leave with {show_units(self.purse)}: {made} in {played}.")

    # --- one round ------------------------------------------------------------------------------------

    def _round(self) -> None:
        self.screen.title(f"Round {self.rounds + 1}. Chips: {show_units(self.purse)}")
        self._before_cards()
        self._begin(staked=True)
        self.asker.leaving = "the house way plays the rest of the round for you"
        try:
            self._with_cards()
        except (LeftError, KeyboardInterrupt):
            self.screen.say("The house way plays the rest of the round for you.")
            self._settle()
            raise
        finally:
            self.asker.leaving = ""
        self._settle()

    def _before_cards(self) -> None:
        turn = self.chair.begin()
        self._show_table()
        while turn != "bets":
            self._bank(held=turn == "held")
            turn = self.chair.begin()
        if not self.chair.banks:
            banker = self.chair.table.seats.get(self.chair.table.play.bank_seat or 0)
            if banker:
                stake = dollars(self.chair.table.play.stake)
                self.screen.say(f"{banker.person} banks the round with {stake}.")
            self._wagers()

    def _show_table(self) -> None:
        table = self.chair.table
        if table.in_play and table.in_play.sealed:
            self.screen.say(f"The deck is sealed: {table.in_play.sealed.commitment[:32]}…", style="dim")
        if table.meter:
            self.screen.say(f"The progressive stands at {dollars(table.meter.showing)}.", style="dim")

    def _bank(self, *, held: bool) -> None:
        """Let the person take the bank with a stake, or decline it; one that he holds he puts up again."""
        chair = self.chair
        taking = () if held else (chair.command("accept_bank"),)
        hints = [("200", "bank the round with $200: you can neither win nor lose more")]
        if held:
            self.screen.say("You hold the bank for another round.")
        else:
            hints.append(("n", "decline: the bank is offered to the next player"))
        stake = self.asker.amount(
            "What do you put up? " if held else "The bank is offered to you. Your stake, or n to decline: ",
            lambda given: chair.objections(*taking, chair.command("put_up", stake=given), purse=self.purse),
            hints,
            needed="A stake is needed." if held else "A stake, or n to decline.",
            declines=() if held else DECLINE,
        )
        if stake is None:
            chair.perform(chair.command("decline_bank"))
            return
        for command in (*taking, chair.command("put_up", stake=stake)):
            chair.perform(command)

    def _wagers(self) -> None:
        """Ask for every wager that is placed before the cards, and place them together."""
        chair, rules = self.chair, self.chair.rules
        placed: dict[str, Cents] = {}

        def objections(wager: str, amount: Cents) -> tuple[Problem, ...]:
            wagers = {**placed, wager: amount}
            return chair.objections(chair.command("wager", wagers=wagers), purse=self.purse)

        least, _ = limits(rules, "main")
        if any(problem.field == "chips" for problem in objections("main", least or Cents(1))):
            self.screen.say("Your chips do not reach the smallest wager.")
            raise LeftError
        for terms in rules.game.wager:
            if not rules.offers(terms.id) or terms.when != "before_no_more_bets":
                continue
            main, span = terms.id == "main", amounts(*limits(rules, terms.id))
            amount = self.asker.amount(
                f"{terms.name[:1].upper()}{terms.name[1:]}, {span}{'' if main else ', or Enter for none'}: ",
                lambda given, wager=terms.id: objections(wager, given),  # type: ignore[misc]
                [(span, "the amount, in dollars"), *([] if main else [("Enter", "no such wager")])],
                needed="A main wager is needed to take part; q leaves the table." if main else "",
            )
            if amount is not None:
                placed[terms.id] = amount
        chair.perform(chair.command("wager", wagers=placed))

    def _with_cards(self) -> None:
        chair = self.chair
        chair.deal()
        if not chair.banks:
            cards = chair.cards()
            self.screen.title("Your cards")
            self.screen.numbered(cards)
            self._double_down()
            self._arrange(cards, None)
        chair.turn_over()
        if self._bound and chair.hand is not None and chair.hand.setting:
            self.screen.title("Your hand, set for you")
            self._explain(chair.house_way(chair.hand.cards))
            self.screen.setting(chair.rules.ranking(), chair.hand.setting)
        self._show_dealer(chair.table.play)
        if chair.banks:
            self._arrange(chair.dealer_cards(), chair.table.play.dealer_setting)
        else:
            self._surrender()
        self._openings()

    def _double_down(self) -> None:
        chair = self.chair
        command = chair.command(DOUBLE_DOWN)
        if not chair.rules.offers(DOUBLE_DOWN) or chair.refusals(command):
            return
        terms = chair.rules.game.wager_terms(DOUBLE_DOWN)
        short = chair.objections(command, purse=self.purse)
        if short:
            self.screen.say(f"No {terms.name}: {reason(short[0])}.", style="dim")
            return
        main = dollars(chair.hand.amount("main")) if chair.hand else ""
        hints = [("y", f"put another {main} beside the main wager"), ("Enter", "play without it")]
        if self.asker.confirm(f"{terms.name} of {main}?", hints):
            chair.perform(command)

    def _surrender(self) -> None:
        chair = self.chair
        if "surrender" not in chair.rules.game.procedure:
            return
        command, law = chair.command("surrender"), chair.rules.game.surrender
        refused = chair.refusals(command)
        if refused:
            self.screen.say(f"No surrender: {reason(refused[0])}.", hang=2, style="dim")
            return
        for clause in law:
            self.screen.say(f"{cite(clause).rule} ({citations([clause])})", hang=2, style="dim")
        hints = [("y", "surrender the hand"), ("Enter", "play on")]
        if self.asker.confirm("Do you surrender?", hints):
            chair.perform(command)

    # --- setting the hand -----------------------------------------------------------------------------

    def _arrange(self, cards: Cards, kept: Setting | None) -> None:
        """Ask for a setting until one is placed; ``kept`` is how the hand lies already."""
        chair, order = self.chair, self.chair.rules.ranking()
        names, split = order.part_names, order.split
        hints = setting_hints(cards, names, split)
        shown = kept
        fouls: tuple[Problem, ...] = ()
        while True:
            text = self.asker.ask(_setting_prompt(shown, kept, foul=bool(fouls)), hints)
            if text.lower() in ("", *YES):
                if shown is None:
                    self.screen.complain("Type a setting first; ? shows how.")
                elif fouls and not text:
                    self.screen.complain("The setting is foul: y places it all the same.")
                else:
                    if shown is not kept:
                        chair.perform(chair.placing(shown))
                    return
                continue
            found = self._house_way(cards) if text.lower() in HELP else self._typed(text, cards)
            if found is not None:
                shown, fouls = kept if _same(found, kept) else found, self._judge(found)
            elif self._bound:
                return

    def _typed(self, text: str, cards: Cards) -> Setting | None:
        """Return the setting that was typed, unless it cannot be read or may not be placed."""
        order = self.chair.rules.ranking()
        try:
            setting = read_setting(text, cards, order.part_names, order.split)
        except InvalidInputError as error:
            self.screen.complain(f"{error}")
            return None
        refused = self.chair.refusals(self.chair.placing(setting))
        self.screen.refusals(refused)
        return None if refused else setting

    def _judge(self, setting: Setting) -> tuple[Problem, ...]:
        """Show the parts of a setting and whether it is legal."""
        self.screen.setting(self.chair.rules.ranking(), setting)
        fouls = self.chair.fouls(setting)
        for foul in fouls:
            self.screen.say(f"FOUL: {reason(foul)}.", indent=2, hang=2, style="bold red")
        if not fouls:
            self.screen.say("Legal.", indent=2)
        return fouls

    def _house_way(self, cards: Cards) -> Setting | None:
        """Show how the house way sets the cards; nothing if he will not ask, or may not set them any more."""
        if self._advice is None:
            self._advice = self._asked(cards)
        if self._advice is None:
            return None
        self._explain(self._advice)
        return self._advice.setting

    def _asked(self, cards: Cards) -> Advice | None:
        """Ask for the house way; where that takes the hand out of the person's, ask him first."""
        chair = self.chair
        if chair.banks:
            return chair.house_way(cards)
        binding = chair.binding()
        if binding:
            self.screen.say(f"To ask is final at this table ({reason(binding[0])}).", hang=2)
            hints = [("y", "ask for the house way"), ("Enter", "set the hand yourself")]
            if not self.asker.confirm("Ask for it?", hints):
                return None
        self._bound = bool(binding)
        advice = chair.ask_help()
        return None if self._bound else advice

    def _explain(self, advice: Advice) -> None:
        law = f" ({citations(advice.clauses)})" if advice.clauses else ""
        self.screen.say(f"The house way, {advice.rule}: {advice.say}{law}", hang=2)

    # --- opening and settling -------------------------------------------------------------------------

    @property
    def _who(self) -> str:
        return "bank" if self.chair.table.banked else "dealer"

    def _show_dealer(self, play: Play) -> None:
        """Show the dealer's hand once it is turned over and set."""
        whose = "Your hand, set the house way" if self.chair.banks else f"The {self._who}'s hand"
        self.screen.title(whose)
        self.screen.setting(self.chair.rules.ranking(), play.dealer_setting or ())

    def _openings(self) -> None:
        """Open hand after hand in the law's order, the person's part by part."""
        chair = self.chair
        while (opening := chair.next_opening()) is not None:
            if opening.position == chair.seat:
                self._open_own(opening)
                continue
            person = chair.table.play.hands[opening.position or 0].person
            for event in chair.perform(opening):
                self._others.append(f"{person} {SAYS[event.get('announced')]}")

    def _open_own(self, opening: Command) -> None:
        chair, play = self.chair, self.chair.table.play
        self.screen.title(f"You against the {self._who}")
        for place, name in enumerate(chair.rules.ranking().part_names):
            for event in chair.perform(changed(opening, details={"parts": (name,)})):
                self._show_part(play, place)
                if event.get("announced"):
                    self._announce(event.get("race"))
        self._told = True

    def _show_part(self, play: Play, place: int) -> None:
        """Show one part of the person's hand against the dealer's, if it has the right number of cards."""
        order = self.chair.rules.ranking()
        mine, theirs = play.hands[self.chair.seat].setting or (), play.dealer_setting or ()
        if tuple(map(len, mine)) == order.split:
            self.screen.versus(order, order.part_names[place], mine[place], theirs[place], self._who)

    def _announce(self, race: Race) -> None:
        for foul in race.fouls:
            self.screen.say(f"FOUL: {reason(foul)}.", indent=2, hang=2, style="bold red")
        said = ANNOUNCED["tie" if race.result == "push" else race.result]
        self.screen.say(f"Announced: {said}. ({citations(race.clauses)})", hang=2, style="bold")

    def _settle(self) -> None:
        """End the round: what he has not seen yet, his payments, the chips, and the record."""
        played = self.chair.finish()
        play, before = played.play, self.purse
        accounts = accounts_of(play, YOU.name)
        self.purse, self._open, self.rounds = before + accounts.net, False, self.rounds + 1
        self._tell(play)
        self.screen.title("Your payments")
        self.screen.payments(payments_of(play, YOU.name), YOU.name)
        self.screen.balance(before, accounts.placed, accounts.fees, accounts.back)
        record, path = self.keep(played)
        found = _replayed(record, path)
        for difference in found:
            self.screen.complain(f"Difference: {difference}")
        verdict = "NOT identical" if found else "identical"
        where = f"Record: {path}; replayed: {verdict}." if path else f"Not recorded; replayed: {verdict}."
        self.screen.say(where, hang=2, style="dim")

    def _tell(self, play: Play) -> None:
        """Show the end of a round that the person did not wait for, and what became of the others."""
        hand = play.hands.get(self.chair.seat)
        if hand is not None and hand.status is Status.SURRENDERED:
            self.screen.say("You surrendered the hand.")
        elif hand is not None and hand.race is not None and not self._told:
            self.screen.title(f"You against the {self._who}")
            for place in range(len(self.chair.rules.ranking().part_names)):
                self._show_part(play, place)
            self._announce(hand.race)
        if self._others:
            self.screen.say(f"The others: {', '.join(self._others)}.", hang=2)


def _replayed(record: Record, path: Path | None) -> tuple[str, ...]:
    """Return what does not follow in a record, read again from where it was written."""
    try:
        return differences(read_record(path) if path else record)
    except HousewayError as error:
        return (str(error),)


def _same(one: Setting, other: Setting | None) -> bool:
    return other is not None and [set(part) for part in one] == [set(part) for part in other]


def _setting_prompt(shown: Setting | None, kept: Setting | None, *, foul: bool) -> str:
    if shown is None:
        return "Your setting: "
    if foul:
        return "y to place this foul hand, or another setting: "
    return f"Enter to {'keep' if shown is kept else 'place'} it, or another setting: "
