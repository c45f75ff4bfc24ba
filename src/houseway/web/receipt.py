"""The page that checks receipts: one self-contained file that loads nothing."""

from __future__ import annotations

import re
from typing import Final

from markupsafe import Markup

from houseway.cards import Deck
from houseway.floor.receipts.model import FORMAT
from houseway.floor.receipts.receipt_check import ENDS
from houseway.floor.receipts.words import COMMITTED, NOT_PROVEN, ORDER_HIDDEN, ORDER_SHOWN
from houseway.rounds.codec import canonical
from houseway.rounds.options import label_of
from houseway.rounds.steps import STEPS
from houseway.web.cards import TEMPLATES
from houseway.web.packet import PAYMENT_KINDS
from houseway.web.site import STATIC, content_hash

_TOKENS: Final = re.compile(r":root \{.*?\n\}", re.DOTALL)


def receipt_page() -> str:
    """Return the page as one self-contained HTML file."""
    return TEMPLATES.get_template("receipt.html").render(
        policy=receipt_policy(),
        style=Markup(_style()),
        script=Markup(_script()),
        given=Markup(_given()),
    )


def receipt_policy() -> str:
    """Return the page's content security policy: only its own script and style, and no requests."""
    scripts, styles = content_hash(_script()), content_hash(_style())
    return (
        f"default-src 'none'; script-src {scripts}; style-src {styles}; base-uri 'none'; form-action 'none'"
    )


def _style() -> str:
    tokens = _TOKENS.search(_static("css/frame.css"))
    assert tokens is not None, "the frame of every page begins with the tokens"
    return f"{tokens[0]}\n{_static('css/receipt.css')}"


def _script() -> str:
    return _static("js/receipt.js")


def _static(name: str) -> str:
    return (STATIC / name).read_text(encoding="utf-8")


def _given() -> str:
    """Return the data of the page's script: the words and labels."""
    given = {
        "format": FORMAT,
        "ends": sorted(ENDS),
        "cards": {str(card): int(card) for card in Deck.standard(joker=True).cards},
        "steps": {step: label_of(step) for step in STEPS},
        "kinds": PAYMENT_KINDS,
        "words": {
            "committed": COMMITTED,
            "opened": ORDER_SHOWN,
            "order_hidden": ORDER_HIDDEN,
            "not_proven": [line for line in NOT_PROVEN if "the key is the floor's" not in line],
        },
    }
    return canonical(given).decode().replace("<", "\\u003c")
