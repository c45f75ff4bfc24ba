"""How the command line begins: nothing is loaded that is not used, help, completion, refusals as JSON."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from typing import Any

import pytest
from rich.console import Console

from houseway.cli import main
from houseway.cli.commands import COMMANDS, EXAMPLES, Item, load
from houseway.cli.progress import progress
from houseway.games import games
from houseway.overview import NO_LAW, games_in_short

Capture = pytest.CaptureFixture[str]


def run(capsys: Capture, *words: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as stop:
        main(list(words))
    printed = capsys.readouterr()
    assert isinstance(stop.value.code, int)
    return stop.value.code, printed.out, printed.err


def loaded_by(*words: str) -> set[str]:
    """Run a command in a new process and return what it imported."""
    looked = (
        "import atexit, sys; from houseway.cli import main; "
        "atexit.register(lambda: print(*sys.modules, file=sys.stderr)); main(sys.argv[1:])"
    )
    done = subprocess.run(
        [sys.executable, "-c", looked, *words], capture_output=True, text=True, check=True, timeout=60
    )
    return set(done.stderr.split())


HEAVY = {"typer", "pydantic", "numpy", "numba", "sqlalchemy", "starlette", "jinja2", "houseway.games"}


@pytest.mark.parametrize(("words", "may"), [(["--version"], set()), (["games"], set()), ([], {"typer"})])
def test_the_plainest_questions_load_next_to_nothing(words: list[str], may: set[str]) -> None:
    assert loaded_by(*words) & HEAVY <= may


def test_a_command_loads_no_other_command() -> None:
    loaded = loaded_by("fee", "37", "300")
    assert {name for name in loaded if name.startswith("houseway.cli.")} <= {
        f"houseway.cli.{name}"
        for name in ("entry", "app", "commands", "printing", "harmless", "output", "fee")
    }
    assert not loaded & {"numpy", "numba", "sqlalchemy", "starlette", "houseway.rounds"}


def documents_read_by(*words: str) -> set[str]:
    """Run a command in a new process and return the documents of the house that it opened."""
    watched = (
        "import atexit, sys; opened = []; "
        "sys.addaudithook(lambda name, given: opened.append(str(given[0])) if name == 'open' else None); "
        "from houseway.cli import main; "
        "atexit.register(lambda: print(*opened, sep='\\n', file=sys.stderr)); main(sys.argv[1:])"
    )
    done = subprocess.run(
        [sys.executable, "-c", watched, *words], capture_output=True, text=True, check=True, timeout=60
    )
    paths = [path.partition("/houseway/")[2] for path in done.stderr.splitlines()]
    return {path for path in paths if path.endswith((".toml", ".csv"))}


def test_a_hand_is_set_from_the_documents_of_its_game_alone() -> None:
    others = ("ca-fpgp", "pa-670a", "wa-fap", "ref-pgp", "foxwoods")
    read = documents_read_by("set", "pa-659a", "As Kd 9c 9h 5s 4d Jk")
    assert "games/data/pa-659a/game.toml" in read and "houseways/data/houseway-421.toml" in read
    documents = {path for path in read if not path.startswith("law/")}  # readings are of several games
    assert sorted(path for path in documents if any(other in path for other in others)) == []


def test_one_hand_is_set_without_arrays() -> None:
    assert not loaded_by("set", "pa-659a", "As Kd 9c 9h 5s 4d Jk") & {"numpy", "numba", "starlette"}


@pytest.mark.parametrize("item", COMMANDS, ids=lambda item: item.name)
def test_the_list_of_commands_says_of_each_what_it_says_of_itself(item: Item) -> None:
    whole = " ".join(str(load(item).help).split())
    short = item.help.removesuffix(".")
    assert whole == item.help or whole.startswith(tuple(short + mark for mark in (":", ";", ",")))


def test_the_games_in_short_agree_with_their_documents() -> None:
    def told(found: Any) -> dict[str, str]:
        return {
            "id": found.id,
            "name": found.name,
            "split": "-".join(map(str, found.split)),
            "law": found.law.law if found.law else NO_LAW,
            "wagers": ", ".join(wager.id for wager in found.wager),
        }

    assert games_in_short() == [told(found) for found in games()]


def test_nothing_typed_shows_help_with_every_command_and_examples(capsys: Capture) -> None:
    code, out, err = run(capsys)
    assert (code, err) == (0, "")
    assert all(f"  {item.name}  " in out for item in COMMANDS)
    assert all(command in out for command, _ in EXAMPLES)


@pytest.mark.parametrize("example", [command for command, _ in EXAMPLES])
def test_the_examples_of_the_help_name_commands_and_options_that_there_are(
    capsys: Capture, example: str
) -> None:
    name, *rest = example.split()[1:]
    code, out, _ = run(capsys, name, "--help")
    assert code == 0
    assert all(word in out for word in rest if word.startswith("--"))


def completed(line: str) -> list[str]:
    """Return what a shell is told could follow a line."""
    words = line.split(" ")
    asked = {
        "_HOUSEWAY_COMPLETE": "complete_bash",
        "COMP_WORDS": line,
        "COMP_CWORD": str(len(words) - 1),
    }
    done = subprocess.run(
        [sys.executable, "-m", "houseway"],
        env=os.environ | asked,
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    return done.stdout.split()


def test_a_shell_completes_commands_those_of_a_group_options_and_games() -> None:
    assert completed("houseway ") == [item.name for item in COMMANDS]
    assert completed("houseway re") == ["readings", "replay", "receipt", "read-models", "restore"]
    assert {"list", "show", "check", "diff"} <= set(completed("houseway way "))
    assert completed("houseway set --str") == ["--strict"]
    assert completed("houseway rules pa-6") == ["pa-659a", "pa-670a"]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (
            ["rank", "pa-659a", "low", "Zz"],
            {"cause": "not a card", "value": "Zz", "where": None, "clauses": []},
        ),
        (
            ["fee", "33", "7"],
            {
                "cause": "no posted player dealer rate covers this amount",
                "value": "$7",
                "where": "schedule 33",
                "clauses": ["ca.fpgp.collection.33"],
            },
        ),
        (
            ["games", "--nonsense"],
            {"cause": "No such option: --nonsense", "value": None, "where": None, "clauses": []},
        ),
    ],
    ids=lambda given: " ".join(given) if isinstance(given, list) else "",
)
def test_where_json_is_asked_for_a_refusal_is_json_in_one_shape(
    capsys: Capture, words: list[str], told: dict[str, Any]
) -> None:
    code, out, err = run(capsys, *words, "--json")
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert json.loads(err) == {"errors": [told]}


def test_a_refusal_for_several_reasons_tells_each_as_json(capsys: Capture) -> None:
    code, _, err = run(capsys, "card", "pa-659a", "--submission", "examples/too-many-seats.toml", "--json")
    errors = json.loads(err)["errors"]
    assert (code, len(errors)) == (2, 4)
    assert all(list(one) == ["cause", "value", "where", "clauses"] for one in errors)
    assert {one["where"] for one in errors} == {"table.positions", "table.start_methods"}


def test_a_refusal_as_json_is_short_and_obeyed_by_no_terminal(capsys: Capture) -> None:
    code, _, err = run(capsys, "rules", "\x1b[2J\u202e" + "A" * 20_000, "--json")
    assert (code, len(err) < 600, err.isprintable()) == (2, True, False)
    assert err.removesuffix("\n").isprintable()


def test_a_bar_shows_per_cent_and_time_from_the_start(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = io.StringIO()
    terminal = Console(file=screen, force_terminal=True, width=100)
    monkeypatch.setattr("houseway.cli.progress.console", lambda: terminal)
    with progress("every pair of hands") as told:
        before = screen.getvalue()
        told(2, 8)
    assert "every pair of hands" in before and "  0%" in before and "0:00:00" in before
    assert " 25%" in screen.getvalue()
