"""A game to try: hands set, ranked, raced and settled, and exact odds, all as one submission has it."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from houseway.cards import parse_cards
from houseway.errors import IllegalError, InvalidInputError
from houseway.games import (
    Game,
    Rules,
    Submission,
    example_submission,
    read_submission,
    rules_for,
    verify_submission,
)
from houseway.games import game as game_document
from houseway.games.ways import ranking_in, way_of
from houseway.law.problems import Problem
from houseway.library.hands import bonus_hands, bonus_rows
from houseway.library.house_way import OpenWay, open_way, set_by
from houseway.library.inputs import GivenCards, GivenMoney, read_cards, read_name, read_setting
from houseway.library.values import (
    BonusHands,
    ComparedHands,
    HouseWayHand,
    Parts,
    RankedCards,
    SettledHand,
    parts_of,
)
from houseway.ranking import Ranking, Setting, describe, race, tell_race
from houseway.showing import Row, html_table, page_part, text_table

if TYPE_CHECKING:
    from houseway.cards import Deck
    from houseway.library.odds import GameOdds


@dataclass(frozen=True, repr=False)
class PlayedGame:
    """A game as one submission has it; the reference game has none and is for odds and house ways only."""

    document: Game
    rules: Rules | None = None

    @property
    def id(self) -> str:
        """Its id."""
        return self.document.id

    @property
    def name(self) -> str:
        """Its name."""
        return self.document.name

    @property
    def parts(self) -> dict[str, int]:
        """The parts of a setting, high first, with the number of cards in each."""
        return dict(zip(self.ranking.part_names, self.ranking.split, strict=True))

    @property
    def commission(self) -> Fraction:
        """The part of a win that the house keeps."""
        return self.document.commission or Fraction(0)

    @property
    def readings(self) -> dict[str, str]:
        """How each ambiguous point of the law is taken."""
        return dict(self.rules.readings) if self.rules else {}

    @cached_property
    def warnings(self) -> tuple[Problem, ...]:
        """The law's warnings about its submission, which is lawful."""
        return verify_submission(self.rules.submission) if self.rules else ()

    @cached_property
    def ranking(self) -> Ranking:
        """What beats what, options and readings applied."""
        return ranking_in(self.document, self.rules)

    @cached_property
    def way(self) -> OpenWay:
        """The house way that the submission names."""
        return OpenWay(way_of(self.document, self.rules))

    def open_way(self, given: object = None) -> OpenWay:
        """Return a house way for this game: by id, from a file, or the one of the submission."""
        if given is None:
            return self.way
        opened = open_way(given, self.ranking)
        if opened.program.split != self.document.split:
            raise InvalidInputError(f"{self.id} is not set this way", value=opened.id)
        return opened

    def set(self, cards: GivenCards, *, way: object = None, explain: bool = False) -> HouseWayHand:
        """Set a hand by the game's house way, or by another.

        >>> game("pa-670a").set("As Ks 9s 4s 2s Jk").rows()[0]
        {'part': 'high', 'cards': 'As Ks 9s 4s 2s', 'hand': 'flush, ace-king-nine-four-two'}
        """
        return set_by(self.open_way(way).program, cards, explain=explain)

    def rank(self, cards: GivenCards, part: str | None = None) -> RankedCards:
        """Rank the cards of one part; without a name the number of cards decides which.

        >>> asia = game("pa-659a")
        >>> asia.rank("Ks 9s 4s Jk") > asia.rank("As Ah Kd Kc")
        True
        """
        hand, order = read_cards(cards), self.ranking
        sized = [name for name, size in self.parts.items() if size == len(hand)]
        named = part if part is not None else next(iter(sized), None)
        if named is None:
            sizes = ", ".join(f"{name} {size}" for name, size in self.parts.items())
            raise InvalidInputError(f"no part has so many cards ({sizes})", value=len(hand))
        read_cards(hand, order.judge(named).part.cards)
        ranked = order.rank(named, hand)
        return RankedCards(named, hand, ranked.category, describe(ranked), ranked.strength, ranked.clauses)

    def bonus(self, cards: GivenCards) -> BonusHands:
        """Return the hand of each side wager that the dealt cards make, and what it pays.

        >>> game("pa-659a").bonus("As Ks Qs Js Jk Kh Qh")["fortune"]
        'royal_flush_royal_match'
        """
        dealt = read_cards(cards, self.document.hand_cards)
        answers = bonus_hands(self.document, self.ranking, self.rules, dealt)
        return BonusHands(dealt, bonus_rows(self.rules, answers))

    def compare(self, player: object, dealer: object) -> ComparedHands:
        """Race a player's setting against the dealer's; dealt cards of the dealer are set the house way.

        >>> game("pa-659a").compare("KsKh7d4c / Ad9c / Qs", "QhQd8s3s / AcTs / Jh")
          part    player                     dealer                       higher
          high    pair of kings, seven-four  pair of queens, eight-three  player
          medium  ace-high, nine             ace-high, ten                dealer
          low     queen-high                 jack-high                    player
        win: high wins, medium loses, low wins [pa659a.11.f.2.s1, pa659a.11.e.s2]
        """
        order = self.ranking
        mine, theirs = read_setting(order, player, players=True), self._dealers(dealer)
        parse_cards(" ".join(str(card) for part in (*mine, *theirs) for card in part))
        outcome = race(order, mine, theirs)
        return ComparedHands(
            outcome.result, tell_race(order, outcome), self._parts(mine), self._parts(theirs), outcome
        )

    def _dealers(self, given: object) -> Setting:
        if isinstance(given, str) and "/" not in given:
            return self.set(given).setting
        return read_setting(self.ranking, given)

    def _parts(self, setting: Setting) -> Parts:
        order = self.ranking
        if tuple(map(len, setting)) != order.split:
            return {"cards": (tuple(card for part in setting for card in part), "split wrongly")}
        hands = [
            describe(order.rank(name, part)) for name, part in zip(order.part_names, setting, strict=True)
        ]
        return parts_of(order.part_names, setting, hands)

    def settle(
        self,
        player: object,
        dealer: object,
        wagers: object,
        *,
        meter: GivenMoney | None = None,
        bank: GivenMoney | None = None,
    ) -> SettledHand:
        """Settle one player's wagers: ``meter`` is what the progressive shows, ``bank`` what a bank puts up.

        >>> game("pa-659a").settle("KsKh7d4c / Ad9c / Qs", "QhQd8s3s / AcTs / Jh", "$10").net
        '+$10'
        """
        from houseway.library.settled_hand import settle_hand  # noqa: PLC0415 - only what is used is loaded

        if self.rules is None:
            raise IllegalError("for odds work only: no wager is placed or paid", value=self.id)
        mine = read_setting(self.ranking, player, players=True)
        return settle_hand(self.rules, mine, self._dealers(dealer), wagers, meter=meter, bank=bank)

    def odds(
        self,
        wager: str | None = None,
        *,
        player_way: object = None,
        house_way: object = None,
        deck: Deck | None = None,
        tell: Any = None,  # noqa: ANN401 - a callback: how much is done, of how much
    ) -> GameOdds:
        """Count exact odds, of one wager or of all: commission, paytables and readings are the submission's.

        The main game is counted over every pair of hands, once: half a minute or so, and then it is kept.
        A way may be ``"best"``: every hand set best against the other side's. Only the main game takes a
        smaller ``deck``.
        """
        from houseway.library.odds import game_odds  # noqa: PLC0415 - arrays only when they are needed

        return game_odds(self, wager, player_way, house_way, deck=deck, tell=tell)

    def rows(self) -> list[Row]:
        """Return a row for each wager on offer."""
        if self.rules is None:
            return [{"wager": terms.id, "name": terms.name} for terms in self.document.wager]
        rows = []
        for terms in self.document.wager:
            if not self.rules.offers(terms.id):
                continue
            choice = self.rules.submission.document()["wagers"][terms.id]
            table = self.rules.paytable(terms.id).id if self.document.paytables_of(terms.id) else None
            limits = {"least": choice.get("min"), "most": choice.get("max")}
            rows.append({"wager": terms.id, "name": terms.name, "paytable": table} | limits)
        return rows

    def _title(self) -> str:
        split = "-".join(map(str, self.document.split))
        law = self.document.law.law if self.document.law else "no law: for odds work only"
        return f"{self.name} ({self.id}), {split}: {law}"

    def __repr__(self) -> str:
        return text_table(self.rows(), self._title())

    def _repr_html_(self) -> str:
        return page_part(html_table(self.rows(), self._title()))


def game(given: str | Path | Submission) -> PlayedGame:
    """Open a game by its id, as our example submission files it, or by an operator's submission.

    >>> game("ref-pgp").commission
    Fraction(1, 20)
    """
    if isinstance(given, Submission):
        rules = rules_for(given)
        return PlayedGame(rules.game, rules)
    named = read_name(given, "a game")
    if named.endswith(".toml"):
        return game(read_submission(Path(named)))
    document = game_document(named)
    return game(example_submission(document.id)) if document.licensed else PlayedGame(document)
