"""The grammar is closed: what cannot be read is refused by file and sentence, and what is false fails."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from houseway.law.clauses import clauses_of
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
    Bad(
        "unknown-act.toml",
        "permitted by pa575.13.e: the dealer yawns",
        EXPOSE,
        ": when.0",
        "no such sentence: 'permitted by pa575.13.e: the dealer yawns'",
    ),
    Bad("unknown-finding.toml", "Ann is happy", BACK, ": then.1", "no such sentence: 'Ann is happy'"),
    Bad("unknown-person.toml", "Zoe", "Ann", ": then.1", "no such sentence: 'Zoe gets $10 back'"),
    Bad("finding-as-happening.toml", f'main", "{BACK}"', f'main", "{DEALT}"', ": given.1", f"'{BACK}'"),
    Bad("happening-as-finding.toml", f'13.e", "{DEALT}', f'13.e", "{BACK}', ": then.1", f"'{DEALT}'"),
    Bad("unknown-clause.toml", "13.z", "13.e", ": clauses.0", "no such clause: 'pa575.13.z'"),
    Bad(
        "clause-of-another-game.toml",
        "659a.13.e",
        "575.13.e",
        ": clauses",
        "a clause of pa-575: 'pa659a.13.e'",
    ),
    Bad("unknown-clause-in-a-sentence.toml", "13.z", "13.e", ": then.0", "'the round is void by pa575.13.z'"),
    Bad("unknown-step.toml", "swallow", "expose", ": when.0", "'the dealer: swallow card at 1'"),
    Bad("unknown-detail.toml", "deal with gusto 3", "expose card at 1", ": when.0", "with gusto 3'"),
    Bad("bad-value.toml", "deal with cards many", "expose card at 1", ": when.0", "with cards many'"),
    Bad("unknown-key.toml", "givens", "given", ": givens", "are dealt']\""),
    Bad("unknown-table-key.toml", "dealings", "dealing", ": table", "unknown key: 'dealings'"),
    Bad("unknown-game.toml", "pa-999", "pa-575", ": game", ": 'pa-999'"),
    Bad("no-when.toml", "when = []", f'when = ["{EXPOSE}"]', ": when", "not 0: '[]'"),
    Bad("no-then.toml", "then = []", f'then = ["{BACK}"]', ": then", "not 0: '[]'"),
    Bad("no-clauses.toml", "clauses = []", 'clauses = ["pa575.13.e"]', ": clauses", "law is silent: 'none'"),
    Bad(
        "unknown-reading.toml",
        'readings = ["wa:M6"]',
        'clauses = ["pa575.13.e"]',
        ": readings",
        "pa-575: 'wa:M6'",
    ),
    Bad("unknown-rules-key.toml", "payout_limits", "payout_limit", ": rules", "key: 'payout_limits'"),
    Bad("missing-title.toml", "game = ", 'title = "A card exposed"\ngame = ', ": title", "key is missing"),
    Bad("not-toml.toml", "pa-575\n", '"pa-575"\n', "", "(at line 2, column 8)"),
]


@each(UNREADABLE)
def test_a_bad_scenario_is_refused_by_file_and_sentence(bad: Bad) -> None:
    check_refused(bad, BAD, read_scenario)


@each(UNREADABLE)
def test_a_bad_scenario_can_be_played_once_mended(bad: Bad, tmp_path: Path) -> None:
    play(read_scenario(mended(bad, BAD, tmp_path)), bad.file)


def test_every_bad_scenario_is_listed() -> None:
    assert names_in(BAD) == {bad.file for bad in UNREADABLE}


# What is said must hold


class Happened(NamedTuple):
    """What happened, at what table, before something false is said of it."""

    given: tuple[str, ...]
    when: str
    game: str = "pa-659a"
    table: dict[str, Any] = {}


WAGERS = ("Ann at 2 bets $10 main, $5 fortune and $1 progressive", "Cleo at 4 bets $10 main")
VOID = Happened((*WAGERS, "15 cards are dealt"), EXPOSE)
LOOKED = Happened((*WAGERS, "the round goes on to setting"), "Ann: look at 2")
ASKED = Happened((*WAGERS, "the round goes on to setting"), "the dealer: expose card at 2")
SHAKEN = Happened(
    (*WAGERS, "everything due is done except announce total"),
    "the dealer: announce total",
    table={"start_methods": ["shaker"]},
)
PLAYED = Happened(WAGERS, "the round is played out")
ACES = ("Ann at 2 bets $10 main and $1 progressive", "Ann at 2 is dealt As Ah Ad Ac Jk 7d 3d")
JACKPOT = Happened(
    (*ACES, "everything due is done except print win and rack"), "the manager: print win at 2", "wa-fap"
)
BANKED = Happened(
    (
        "Finn at 6 banks $100",
        "Bob at 2 bets $20 main",
        "Bob at 2 is dealt Jc Js 7d 5h 2c Ah 4s",
        "the round goes on to setting",
        "Bob: look at 2",
        "Bob: ask help at 2",
    ),
    "the round is played out",
    "ca-fpgp",
)
HOUSE_WAY = "TcTd9h9s / KcKd / Ah"

FALSE = [
    (VOID, "it is refused by pa659a.13.e"),
    (VOID, "it is refused"),
    (VOID, "now allowed: the dealer: deal"),
    (VOID, "now refused by pa659a.13.e: the dealer: deal"),
    (VOID, "now refused: Ann: leave at 2"),
    (VOID, "the round is void by pa659a.13.j"),
    (PLAYED, "the round is void by pa659a.13.e"),
    (VOID, "the round is not void"),
    (VOID, "the round stands at setting"),
    (LOOKED, "the round is stopped for a ruling of the floor"),
    (LOOKED, "the deck must be shuffled before the next deal"),
    (VOID, "the deck is removed from the table"),
    (SHAKEN, "the starting position is 1"),
    (LOOKED, "no starting position is found"),
    (LOOKED, "card 53 goes to 2"),
    (LOOKED, "a card found face up lies in the discard rack"),
    (PLAYED, f"the dealer's hand is set {HOUSE_WAY}"),
    (LOOKED, "the hand at 2 is to be set before the hand at 4, by pa659a.7.f.s3"),
    (ASKED, "the hand at 2 is to be set before the hand at 4, by pa659a.7.f.s3"),
    (LOOKED, "Ann may play or void the hand at 2"),
    (ASKED, "Cleo may play or void the hand at 2"),
    (LOOKED, "nobody else is asked to play or void a hand"),
    (ASKED, "nobody is asked to play or void a hand"),
    (LOOKED, "a lammer lies at 4"),
    (LOOKED, "no lammer lies at 2"),
    (LOOKED, f"the hand at 2 is set {HOUSE_WAY}"),
    (LOOKED, "the hand at 2 stays on the table face up"),
    (LOOKED, "the hand at 2 is hidden from Ann by pa659a.11.a"),
    (LOOKED, "the hand at 2 is hidden from Cleo by pa659a.11.a"),
    (LOOKED, "the hand at 2 is shown to Cleo"),
    (LOOKED, "the cards left over are racked by pa659a.8.d.s2 and shown to nobody"),
    (PLAYED, 'the dealer announces "tie" at 2'),
    (PLAYED, "the dealer acknowledges the Envy hand at 4 for progressive"),
    (SHAKEN, "the dealer calls no roll, by pa659a.13.a"),
    (VOID, "shoe fault is recorded"),
    (VOID, "void round is recorded by pa659a.13.j"),
    (VOID, "void round is recorded with an alert by pa659a.13.e"),
    (VOID, "Ann gets $15 back"),
    (VOID, "Cleo gets nothing back"),
    (VOID, "Ann wins $10"),
    (VOID, "Ann gets Envy Bonuses of $5"),
    (VOID, "the house takes $10 from Cleo"),
    (VOID, "the meter stands at $2,900.29"),
    (LOOKED, "the meter stands where it stood"),
    (JACKPOT, 'the display reads "PLAYER HOUSE WAY 2"'),
    (JACKPOT, "the sensor at 2 shows detected"),
    (JACKPOT, "a win of $1,000 is recorded for Ann"),
    (JACKPOT, "no win is recorded for Ann"),
    (JACKPOT, "the monitor shows a prize of $1,000"),
    (JACKPOT, "a prize of $1,000.02 is still to be paid to Ann"),
    (JACKPOT, 'the win page says "Bob"'),
    (BANKED, "the first hand goes to 2"),
    (BANKED, "the player-dealer's hand is set JcJs5h2c4s / Ah7d"),
    (BANKED, "an Envy button lies at 2"),
    (LOOKED, "no Envy button lies at 2"),
    (BANKED, "Bob is the player-dealer"),
    (BANKED, "nobody is the player-dealer"),
    (BANKED, "Finn is on record as having declined the bank"),
    (BANKED, "the player-dealer's wager is $200"),
    (BANKED, "the Action button lies at 3"),
    (BANKED, "the cards at 2 are put away unseen"),
    (BANKED, "the dealer shows the house way for the hand at 2: JcJs7d2c4s / Ah5h"),
    (BANKED, "the round is void by a ruling of the floor"),
    (BANKED, "Bob wins $10 on main"),
    (BANKED, "the player-dealer takes $10 from Bob"),
    (BANKED, "the bank closes with $99"),
    (BANKED, "Bob pays a fee of $1"),
    (BANKED, "the house gets $2 in fees and nothing else"),
]


@pytest.mark.parametrize(("happened", "sentence"), FALSE, ids=[sentence for _, sentence in FALSE])
def test_a_false_finding_fails_and_says_where(happened: Happened, sentence: str) -> None:
    scenario = Scenario.model_validate(
        {
            "title": "False",
            "game": happened.game,
            "clauses": (next(iter(clauses_of(happened.game))),),
            "table": happened.table,
            "given": happened.given,
            "when": (happened.when,),
            "then": (sentence,),
        }
    )
    said = happened.when if sentence.startswith("it is refused") else sentence
    with pytest.raises(AssertionError, match=re.escape(said)) as failure:
        play(scenario, "false.toml")
    assert str(failure.value).startswith("false.toml: ")


def test_every_finding_can_be_false() -> None:
    assert {THEN.read(text).sentence.template for _, text in FALSE} == {s.template for s in THEN.sentences}


def test_what_is_refused_changes_nothing_or_the_scenario_fails() -> None:
    scenario = Scenario(
        title="Half done",
        game="pa-659a",
        clauses=("pa659a.7.d",),
        when=("Ann at 2 bets $5 fortune",),
        then=("it is refused by pa659a.7.d",),
    )
    with pytest.raises(AssertionError, match="it is refused, and yet something changed"):
        play(scenario, "half.toml")


# The documents


def test_the_readme_lists_every_sentence_and_no_other() -> None:
    written = (HERE / "README.md").read_text(encoding="utf-8")
    listed = re.findall(r"^- `(.+?)`$", written, re.M)
    assert listed == [s.template for s in (*DOING.sentences, *THEN.sentences)]


def test_every_hole_is_explained() -> None:
    written = (HERE / "sentences.py").read_text(encoding="utf-8")
    used = {name for s in (*DOING.sentences, *THEN.sentences) for name in re.findall(r"{(\w+)}", s.template)}
    assert used == set(HOLES) == set(re.findall(r"^``(\w+)``  ", written, re.M))
