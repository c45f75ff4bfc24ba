"""A coach's process that counts nothing and starts at once: what it does hangs on the card it is asked about.

A spade is answered, a heart refused, on a diamond it ends, on a club it never answers; the joker is answered
with what is no answer, and the queen of spades with another's.
"""

from __future__ import annotations

import json
import os
import sys
import time
from typing import Any


def answer(question: dict[str, Any]) -> dict[str, Any]:
    """Return an answer that tells which question it is to, and from which process."""
    if question["cards"][0].endswith("h"):
        return {"id": question["id"], "refused": "no hearts here"}
    setting = {"setting": [], "win": question["id"], "push": 0, "lose": 0}
    setting |= {"expectation": 1.0, "exact": "1", "gives_up": 0.0}
    house = {**setting, "way": "w", "rule": "r", "say": "s", "clauses": []}
    worth = {"game": question["game"], "cards": [], "seen": [], "commission": "0", "hands": os.getpid()}
    worth |= {"best": setting, "house_way": house, "price": 0.0, "settings": [setting]}
    return {"id": question["id"], "worth": worth}


def main() -> None:
    """Answer until nobody asks any more."""
    for line in sys.stdin:
        message = json.loads(line)
        card = message["value"]["cards"][0]
        suit = card[1]
        if suit == "d":
            sys.exit(1)
        if suit == "c":
            time.sleep(60)
        if card == "Qs":
            message["value"]["id"] -= 1
        print(
            "nonsense" if card == "Jk" else json.dumps({**message, "value": answer(message["value"])}),
            flush=True,
        )


if __name__ == "__main__":
    main()
