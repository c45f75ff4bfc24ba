"""The grammar of scenarios is closed: what cannot be read is refused by file and sentence, nothing holds idly."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.scenarios.doing import DOING
from tests.scenarios.holding import THEN
from tests.scenarios.scenario import Scenario, play, read_scenario
from tests.scenarios.sentences import HOLES
from tests.support.documents import Bad, check_refused, each, mended, names_in

HERE = Path(__file__).parent
BAD = HERE / "bad"
EXPOSE = "the dealer: expose card at 1"
BACK = "Ann gets $10 back"
DEALT = "9 cards are dealt"

UNREADABLE = [
    Bad("unknown-sentence.toml", "the dealer yawns", EXPOSE, ": when.0", "sentence: 'the dealer yawns'"),
    Bad("unknown-finding.toml", "Ann is happy", BACK, ": then.1", "no such sentence: 'Ann is happy'"),
    Bad("unknown-person.toml", "Zoe", "Ann", ": then.1", "no such sentence: 'Zoe gets $10 back'"),
    Bad("finding-as-happening.toml", f'"{BACK}"]\nwhen', f'"{DEALT}"]\nwhen', ": given.1", f"'{BACK}'"),
    Bad("happening-as-finding.toml", f'13.e", "{DEALT}', f'13.e", "{BACK}', ": then.1", f"'{DEALT}'"),
    Bad("unknown-clause.toml", "13.z", "13.e", ": clauses.0", "no such clause: 'pa575.13.z'"),
    Bad("clause-of-another-game.toml", "659a.13.e", "575.13.e", "", "a clause of pa-575: 'pa659a.13.e'"),
    Bad("unknown-clause-in-a-sentence.toml", "13.z", "13.e", ": then.0", "'the round is void by pa575.13.z'"),
    Bad("unknown-step.toml", "swallow", "expose", ": when.0", "'the dealer: swallow card at 1'"),
    Bad("unknown-detail.toml", "deal with gusto 3", "expose card at 1", ": when.0", "with gusto 3'"),
    Bad("bad-value.toml", "deal with cards many", "expose card at 1", ": when.0", "with cards many'"),
    Bad("unknown-key.toml", "givens", "given", ": givens", "unknown key: \"['Ann at 2 bets"),
    Bad("unknown-table-key.toml", "dealings", "dealing", ": table", "unknown key: 'dealings'"),
    Bad("unknown-game.toml", "pa-999", "pa-575", ": game", ": 'pa-999'"),
    Bad("no-when.toml", "when = []", f'when = ["{EXPOSE}"]', ": when", "not 0: '()'"),
    Bad("no-then.toml", "then = []", f'then = ["{BACK}"]', ": then", "not 0: '()'"),
    Bad("no-clauses.toml", "clauses = []", 'clauses = ["pa575.13.e"]', ": clauses", "not 0: '()'"),
    Bad("missing-title.toml", "game = ", 'title = "A card exposed"\ngame = ', ": title", "key is missing"),
    Bad("not-toml.toml", "pa-575\n", '"pa-575"\n', "", "(at line 2, column 8)"),
]
