"""Writes the generated parts of the README anew: ``python docs/generate.py``, or ``make docs``.

A generated part lies between ``<!-- name -->`` and ``<!-- end of name -->``; a test compares it.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from houseway.cli import tracing
from houseway.cli.tracing import State
from houseway.law import rule_sets

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"


def trace() -> str:
    """Return how far the law is in code and tests: one line for each rule set."""
    lines = ["| rule set | clauses | in code and tested | checklist at opening | nothing to compute | open |"]
    lines.append("| --- | ---: | ---: | ---: | ---: | ---: |")
    for rule_set in rule_sets():
        states = Counter(traced.state for traced in tracing.trace(rule_set.id))
        left = states[State.OPEN] + states[State.UNTESTED]
        figures = (states.total(), states[State.DONE], states[State.CHECKLIST], states[State.REASON], left)
        lines.append(f"| `{rule_set.id}` | " + " | ".join(f"{n:,}" for n in figures) + " |")
    return "\n".join(lines)


PARTS: dict[str, Callable[[], str]] = {"trace": trace}


def written(text: str) -> str:
    """Return the README with every generated part as it should be."""
    for name, part in PARTS.items():
        pattern = re.compile(rf"(<!-- {name} -->\n).*?(<!-- end of {name} -->)", re.S)
        body = part() + "\n"
        text = pattern.sub(lambda match, body=body: match[1] + body + match[2], text)
    return text


def main() -> int:
    """Write the README; with ``--check`` only say whether it is up to date."""
    now = README.read_text(encoding="utf-8")
    wanted = written(now)
    if "--check" in sys.argv:
        return int(now != wanted)
    README.write_text(wanted, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
