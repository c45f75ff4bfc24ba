"""What a dealer does when something goes wrong: irregularities of a game's law, and miscounted deals."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Final

from houseway.errors import InvalidInputError
from houseway.games import Rules
from houseway.games.game import IrregularityTerms
from houseway.rng import Entropy, below
from houseway.rounds.dealing import check_deal
from houseway.training.questions import Kind, Solution, read_numbers

COUNTS: Final = "counts"
"""Stands in place of an irregularity's id before the counts of a deal."""
SEATS: Final = range(1, 8)


class Follows(IntEnum):
    """A consequence, by the number under which it is offered."""

    PLAY_ON = 1
    VOID_RESHUFFLE = 2
    VOID_NO_DECK = 3
    VOID_HAND = 4
    RESET_DEALER = 5


CONSEQUENCES: Final = {
    Follows.PLAY_ON: "the round continues",
    Follows.VOID_RESHUFFLE: "the round is void, every wager goes back, the cards are reshuffled",
    Follows.VOID_NO_DECK: "the round is void, every wager goes back, the deck is removed from the table",
    Follows.VOID_HAND: "that hand alone is void and its wagers go back; the round continues",
    Follows.RESET_DEALER: "the dealer's hand is set again by the house way, and the round completed on it",
}
_CONSEQUENCES: Final = {
    "void_round": Follows.VOID_RESHUFFLE,
    "void_hand": Follows.VOID_HAND,
    "reset_dealer": Follows.RESET_DEALER,
}


@dataclass(frozen=True)
class WhatFollows:
    """Asks what follows when something goes wrong; ``text`` is its id, or the counts of a deal."""

    rules: Rules
    text: str
    kind: Kind = Kind.IRREGULAR
    spot: str = Kind.IRREGULAR.value

    def __post_init__(self) -> None:
        self.follows()

    def say(self) -> str:
        """Describe what went wrong."""
        terms = self._find_terms()
        if terms is not None:
            return terms.say
        hands, stub = self._read_counts()
        size = self.rules.game.hand_cards
        odd = [f"{count} to position {at}" for at, count in hands.items() if count != size]
        dealt = f"{size} cards were dealt to each position" + (f" but {', '.join(odd)}" if odd else "")
        way = (self.rules.submission.table.dealing or "").replace("_", " ")
        return f"dealt from the {way}: {dealt}, and {stub} cards are left"

    def follows(self) -> tuple[Follows, str, tuple[str, ...]]:
        """Return what follows, why, and the clauses."""
        terms = self._find_terms()
        if terms is not None:
            return _CONSEQUENCES[terms.consequence], terms.say, terms.clauses
        hands, stub = self._read_counts()
        voided = check_deal(self.rules, hands, stub)
        if voided is None:
            law = self.rules.game.dealing.stub.get(self.rules.submission.table.dealing or "", ())
            return Follows.PLAY_ON, f"every hand is complete and {stub} cards must be left", law
        follows = Follows.VOID_NO_DECK if voided.deck_removed else Follows.VOID_RESHUFFLE
        return follows, voided.reason, voided.clauses

    def _find_terms(self) -> IrregularityTerms | None:
        """Return the irregularity, or None where the question is about a deal."""
        if self.text.startswith(f"{COUNTS} "):
            return None
        matching = [terms for terms in self.rules.game.irregularity if terms.id == self.text]
        if not matching:
            known = ", ".join(terms.id for terms in self.rules.game.irregularity) or "none"
            raise InvalidInputError(f"{self.rules.game.id} knows the irregularities {known}", value=self.text)
        return matching[0]

    def _read_counts(self) -> tuple[dict[int, int], int]:
        """Return how many cards each position was dealt, and how many are left."""
        numbers = [int(number) for number in re.findall(r"[0-9]+", self.text)]
        if len(numbers) != len(SEATS) + 1:
            raise InvalidInputError("the cards of each position, and those left, are needed", value=self.text)
        return dict(zip(SEATS, numbers, strict=False)), numbers[-1]

    def is_right(self, text: str) -> bool:
        """Compare the number of a consequence."""
        return read_numbers(text, len(Follows)) == {self.follows()[0].value}

    def solution(self) -> Solution:
        """Return the number of what follows, and why."""
        follows, why, clauses = self.follows()
        return Solution(str(follows.value), f"{why}: {CONSEQUENCES[follows]}", clauses)

    def hints(self) -> Sequence[tuple[str, str]]:
        """Return the consequences by number."""
        return tuple((str(consequence.value), CONSEQUENCES[consequence]) for consequence in Follows)


def draw_irregularity(rules: Rules, entropy: Entropy) -> WhatFollows:
    """Draw one of the irregularities that the game's law knows, or a deal with its counts."""
    known = [terms.id for terms in rules.game.irregularity]
    at = below(len(known) + 3, entropy)
    if at < len(known):
        return WhatFollows(rules, known[at])
    hands, stub = [rules.game.hand_cards] * len(SEATS), rules.game.stub
    change = below(3, entropy)
    if change == 1:  # one hand has a card too many
        hands[below(len(hands), entropy)] += 1
        stub -= 1
    elif change == 2:  # noqa: PLR2004 - every hand is complete and the deck is not
        stub += (-1, 1)[below(2, entropy)]
    return WhatFollows(rules, " ".join(map(str, (COUNTS, *hands, stub))))
