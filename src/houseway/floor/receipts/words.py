"""What a receipt proves and what it does not, in plain words."""

from __future__ import annotations

from typing import Final

from houseway.rounds.roles import Role, Sees, sees

COMMITTED: Final = "The deck was committed to before it was dealt, where the cards come from a sealed deck."
PROVEN: Final = (
    "What is shown here is what the floor's log says of this round, and the floor has signed that.",
    "No step of the round is left out: they are counted on from its first to its last.",
    COMMITTED,
)
NOT_PROVEN: Final = (
    "That everybody is shown this log and no other: a head that a witness has signed, too, proves it to"
    " whoever verifies the whole log.",
    "That the key is the floor's: compare it with the one that the floor has posted.",
    "What nobody may show you, such as cards of others: commitments stand for it, which tell nothing.",
    "That hidden parts say nothing else of the same thing: whoever verifies the log with the floor's key"
    " sees it.",
    "That the table played by the rules named here: the floor has signed it, and the whole log shows it.",
    "That the shuffle was fair: a commitment says only that the order was not changed afterwards.",
)
ORDER_SHOWN: Final = "The opened order is the one that was committed to, and the cards shown are in it."
ORDER_HIDDEN: Final = (
    "That your cards come off the deck that was committed to: its order tells of hands that nobody may see,"
    " and is opened to surveillance and to the regulator."
)


def words_for(role: Role) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return what a receipt proves to a reader in a role, and what it does not."""
    if sees(role, Sees.OPENED_DECK):
        return (*PROVEN, ORDER_SHOWN), NOT_PROVEN
    return PROVEN, (*NOT_PROVEN, ORDER_HIDDEN)
