"""The mutation checker: the mistakes it makes, the tests it chooses, what becomes of a mutant."""

from __future__ import annotations

import ast
import importlib
import os
import sys
import time
from functools import partial
from pathlib import Path
from textwrap import dedent

import pytest

from mutants.__main__ import Noticed
from mutants.mutant import (
    Mutant,
    all_members,
    compiled,
    every_mutant,
    judged,
    mutants_of,
    out_of_date,
    sample,
)
from mutants.operators import members_of, sites
from mutants.reach import FEW, Reach, chosen, files_with_tests, shares
from mutants.running import Fate, Job, TookTooLong, fate_of, file_of, in_processes, in_stages, mutated

SOURCE = Path(__file__).parents[1] / "src"
RULES = """
    from enum import Enum

    class Colour(Enum):
        RED = 1
        BLUE = 2

    LIMIT: int = 7

    def may(colour: Colour, amount: int = 3) -> bool:
        "Whether 5 is allowed."
        return colour is Colour.RED and not amount > LIMIT
"""
CONDITIONS = """
    READY: tuple[Guard[int], ...] = (one, two)
    STEP = Step(action=3.5, guards=(*READY, Guard("x", lambda s: s)), phases=(first,))
"""
STEPS = """
    LIMIT = 7

    def ready(number):
        return lambda s: s.number > number

    def _do(s):
        return s

    STEPS = (Step(phases=(Phase.OPEN,), guards=(ready(3),), evolve=_do), Step(phases=(Phase.LATER,)))
"""


def changes(source: str) -> list[tuple[str, str, str]]:
    tree = ast.parse(dedent(source))
    return [(site.operator, site.before, site.after) for site in sites(tree, members_of(tree))]


def project(root: Path, tests: str) -> Path:
    """Write a small package with its tests."""
    (root / "src" / "pack").mkdir(parents=True)
    (root / "tests").mkdir()
    (root / "pytest.ini").write_text("[pytest]\n")
    (root / "src" / "pack" / "__init__.py").write_text("")
    (root / "src" / "pack" / "rules.py").write_text(dedent(RULES))
    (root / "tests" / "test_pack.py").write_text(dedent(tests))
    return root / "src"


def one_of(source: Path, before: str, after: str) -> Mutant:
    every = every_mutant(source, "pack", [""], all_members(source))
    return next(mutant for mutant in every if (mutant.before, mutant.after) == (before, after))


def test_every_kind_of_mistake_is_made_once_and_neither_words_nor_types_are_touched() -> None:
    returned = "return colour is Colour.RED and (not amount > LIMIT)"
    assert sorted(changes(RULES)) == sorted(
        [
            *(("one more", str(n), str(n + 1)) for n in (1, 2, 7, 3)),
            *(("one less", str(n), str(n - 1)) for n in (1, 2, 7, 3)),
            ("always", returned, "return True"),
            ("never", returned, "return False"),
            ("and, or", returned[7:], "colour is Colour.RED or not amount > LIMIT"),
            ("comparison", "colour is Colour.RED", "colour is not Colour.RED"),
            ("member", "Colour.RED", "Colour.BLUE"),
            ("no not", "not amount > LIMIT", "amount > LIMIT"),
            ("comparison", "amount > LIMIT", "amount >= LIMIT"),
        ]
    )
    assert changes("x = max(a, b)") == [("min, max", "max(a, b)", "min(a, b)")]


def test_a_condition_of_a_step_is_left_out() -> None:
    left = [before for operator, before, _ in changes(CONDITIONS) if operator == "left out"]
    assert left == ["one", "two", "*READY", "Guard('x', lambda s: s)", "first"]


def test_what_stands_outside_of_functions_is_run_by_those_it_names_or_else_by_those_of_its_step(
    tmp_path: Path,
) -> None:
    (tmp_path / "steps.py").write_text(dedent(STEPS))
    found = mutants_of(tmp_path, tmp_path / "steps.py", {})
    functions = {(mutant.before, mutant.after): [name for _, name in mutant.functions] for mutant in found}
    assert functions["ready(3)", ""] == ["ready", "<lambda>"]
    assert functions["Phase.OPEN", ""] == ["ready", "<lambda>", "_do"]
    assert functions["7", "8"] == []


def test_a_sample_is_the_same_for_the_same_seed_and_never_has_one_twice(tmp_path: Path) -> None:
    source = project(tmp_path, "")
    every = every_mutant(source, "pack", [""], all_members(source))
    drawn, _ = sample(every, 6, "a")
    assert len(drawn) == 6 and drawn != sample(every, 6, "b")[0]
    assert sample(every[::-1], 6, "a") == (drawn, [])
    assert len(set(sample(every, 1000, "a")[0])) == len(every)
    mutant = one_of(source, "amount > LIMIT", "amount >= LIMIT")
    assert (mutant.module, mutant.line, mutant.within) == ("pack.rules", 12, "may")
    assert mutant.functions == ((10, "may"),)


def test_a_mutant_stays_in_the_sample_when_the_source_changes_elsewhere(tmp_path: Path) -> None:
    source = project(tmp_path, "")
    before, _ = sample(every_mutant(source, "pack", [""], all_members(source)), 1000, "a")
    (source / "pack" / "more.py").write_text("MORE = 9\n")
    (source / "pack" / "rules.py").write_text("FIRST = 8\n" + dedent(RULES))
    after, _ = sample(every_mutant(source, "pack", [""], all_members(source)), 1000, "a")
    new = [mutant for mutant in after if mutant.before in ("8", "9")]
    assert [mutant.told for mutant in after if mutant not in new] == [mutant.told for mutant in before]
    assert len(new) == 4


def test_equivalent_mutants_are_set_apart_and_others_drawn_instead(tmp_path: Path) -> None:
    source = project(tmp_path, "")
    every = every_mutant(source, "pack", [""], all_members(source))
    first, *others = sample(every, 6, "a")[0]
    taken, apart = sample(every, 5, "a", {first.told})
    assert (taken, apart) == (others, [first])


def test_a_mutant_is_imported_instead_of_its_module_and_nothing_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = project(tmp_path, "")
    monkeypatch.syspath_prepend(str(source))
    before = {path: path.read_bytes() for path in tmp_path.rglob("*.py")}
    mutant = one_of(source, "amount > LIMIT", "amount >= LIMIT")
    with mutated(mutant.module, compiled(source, mutant, all_members(source))):
        rules = importlib.import_module("pack.rules")
    assert not rules.may(rules.Colour.RED, 7) and rules.may(rules.Colour.RED, 6)
    del sys.modules["pack.rules"]
    rules = importlib.import_module("pack.rules")
    assert rules.may(rules.Colour.RED, 7)
    for name in ("pack.rules", "pack"):
        del sys.modules[name]
    assert {path: path.read_bytes() for path in tmp_path.rglob("*.py")} == before


NOTICES = """
    from pack.rules import Colour, may

    def test_the_limit():
        assert may(Colour.RED, 7) and not may(Colour.RED, 8)

    def test_nothing():
        pass
"""


@pytest.mark.parametrize(
    ("before", "after", "fate"),
    [
        ("amount > LIMIT", "amount >= LIMIT", (Fate.KILLED, "tests/test_pack.py::test_the_limit")),
        ("3", "4", (Fate.SURVIVED, "")),
    ],
)
def test_a_mutant_dies_if_a_test_notices_it(
    tmp_path: Path, before: str, after: str, fate: tuple[Fate, str]
) -> None:
    source = project(tmp_path, NOTICES)
    mutant = one_of(source, before, after)
    code = compiled(source, mutant, all_members(source))
    tests = ["tests/test_pack.py::test_nothing", "tests/test_pack.py::test_the_limit"]
    job = Job("it", partial(fate_of, tmp_path, mutant.module, code, tests), 60)
    assert [*in_processes([job], 1)] == [("it", fate)]


def test_a_mutant_is_run_also_where_its_own_file_is_looked_through_for_tests(tmp_path: Path) -> None:
    """pytest reads such a file itself, and would read it as it was."""
    source = project(tmp_path, NOTICES)
    mutant = one_of(source, "amount > LIMIT", "amount >= LIMIT")
    code = compiled(source, mutant, all_members(source))
    tests = ["src/pack/rules.py::pack.rules", "tests/test_pack.py::test_the_limit"]
    job = Job("it", partial(fate_of, tmp_path, mutant.module, code, tests), 60)
    assert [*in_processes([job], 1)] == [("it", (Fate.KILLED, "tests/test_pack.py::test_the_limit"))]


@pytest.mark.parametrize(
    ("first", "by"), [("test_nothing", "test_zero"), ("test_the_limit", "test_the_limit")]
)
def test_the_test_that_noticed_a_mutant_before_is_tried_first_and_the_others_if_it_does_not(
    tmp_path: Path, first: str, by: str
) -> None:
    source = project(tmp_path, NOTICES + "    def test_zero():\n        assert may(Colour.RED, 7)\n")
    mutant = one_of(source, "amount > LIMIT", "amount >= LIMIT")
    code = compiled(source, mutant, all_members(source))
    tests = [f"tests/test_pack.py::{name}" for name in ("test_zero", "test_nothing", "test_the_limit")]
    first = f"tests/test_pack.py::{first}"
    job = Job("it", partial(fate_of, tmp_path, mutant.module, code, tests, first), 60)
    assert [*in_processes([job], 1)] == [("it", (Fate.KILLED, f"tests/test_pack.py::{by}"))]


def test_who_noticed_a_mutant_is_remembered_wherever_its_line_stands_and_asked_if_it_still_tells(
    tmp_path: Path,
) -> None:
    source = project(tmp_path, "")
    mutant, other = one_of(source, "7", "8"), one_of(source, "3", "4")
    noticed = Noticed(tmp_path / "noticed.jsonl")
    for by in ("early", "late", ""):
        noticed.note(mutant, by)
    (source / "pack" / "rules.py").write_text("\n\nFIRST = 8\n" + dedent(RULES))
    moved = one_of(source, "7", "8")
    again = Noticed(tmp_path / "noticed.jsonl")
    assert moved.name != mutant.name
    assert again.first(moved, Reach(["early", "late"], [1, 1])) == "late"
    assert again.first(moved, Reach(["early"], [1])) == ""
    assert again.first(other, Reach(["early", "late"], [1, 1])) == ""


def test_the_files_with_most_of_the_tests_are_run_first() -> None:
    tests = [f"tests/test_{name}.py::test_{n}" for n, name in enumerate("abcdefabcdab")]
    first, rest = in_stages(tests)
    assert [file_of(test) for test in rest] == ["tests/test_e.py", "tests/test_f.py"]
    assert sorted([*first, *rest]) == sorted(tests) and first[0] == tests[0]
    assert in_stages(tests[:2]) == [tests[:2]]
    assert in_stages(tests[:2], tests[1]) == [[tests[1]], tests[:2]]


def test_a_job_gives_what_it_found_unless_its_process_dies_or_takes_too_long() -> None:
    jobs: list[Job[str, object]] = [
        Job("seven", lambda: 7, 60),
        Job("dies", partial(os._exit, 1), 60),
        Job("waits", partial(time.sleep, 600), 60, patience=0.2),
    ]
    found = dict(in_processes(jobs, 2))
    assert (found["seven"], found["dies"]) == (7, None)
    assert isinstance(found["waits"], TookTooLong)


def test_the_quickest_tests_that_run_a_function_are_chosen_then_those_of_its_module(tmp_path: Path) -> None:
    source = project(tmp_path, "")
    reach = Reach(
        tests=["slow", "quick", "other", "long"],
        seconds=[5.0, 0.1, 0.2, 60.0],
        runs={("pack/rules.py", 10, "may"): {0, 1, 3}, ("pack/rules.py", 1, "else"): {2}},
    )
    inside = one_of(source, "amount > LIMIT", "amount >= LIMIT")
    assert chosen(reach, inside, 10.0) == (["quick", "slow"], 2)
    assert chosen(reach, inside, 0.0) == (["quick"], 3)
    assert chosen(reach, inside, 70.0) == (["quick", "slow", "long", "other"], 0)
    at_the_top = one_of(source, "7", "8")
    assert chosen(reach, at_the_top, 10.0) == (["quick", "other", "slow"], 1)


def test_where_many_tests_run_a_function_no_others_are_chosen(tmp_path: Path) -> None:
    inside = one_of(project(tmp_path, ""), "amount > LIMIT", "amount >= LIMIT")
    names = [f"test_{number}" for number in range(FEW + 1)]
    may, other = ("pack/rules.py", 10, "may"), ("pack/rules.py", 1, "else")
    many = Reach(names, [0.1] * len(names), {may: {*range(FEW)}, other: {FEW}})
    assert chosen(many, inside, 60.0) == (names[:FEW], 0)
    few = Reach(names, [0.1] * len(names), {may: {*range(FEW - 1)}, other: {FEW}})
    assert chosen(few, inside, 60.0) == ([*names[: FEW - 1], names[FEW]], 0)


def test_what_tests_run_is_written_down_and_put_together(tmp_path: Path) -> None:
    one = Reach(["a"], [0.5], {("f.py", 1, "f"): {0}}, {"a": "1"})
    one.add(Reach(["b", "c"], [1.0, 2.0], {("f.py", 1, "f"): {1}, ("f.py", 9, "g"): {0}}, {"b": "2"}))
    assert one.tests == ["a", "b", "c"] and one.files == {"a": "1", "b": "2"}
    assert one.runs == {("f.py", 1, "f"): {0, 2}, ("f.py", 9, "g"): {1}}
    one.write(tmp_path / "reach.json")
    assert Reach.read(tmp_path / "reach.json") == one


def test_what_a_test_file_runs_stays_true_until_the_file_changes() -> None:
    f, g = ("f.py", 1, "f"), ("f.py", 9, "g")
    tests = ["a.py::one", "b.py::two", "c.py::three"]
    reach = Reach(tests, [1.0, 2.0, 3.0], {f: {0, 1}, g: {1, 2}}, {"a.py": "1", "b.py": "2", "c.py": "3"})
    known = reach.still_true({"b.py": "2", "c.py": "changed", "new.py": "4"})
    assert known == Reach(["b.py::two"], [2.0], {f: {0}, g: {0}}, {"b.py": "2"})


def test_test_files_are_dealt_out_in_shares_of_about_one_size(tmp_path: Path) -> None:
    for name, size in (("test_a.py", 90), ("test_b.py", 50), ("test_c.py", 40), ("helper.py", 99)):
        (tmp_path / name).write_text("#" * size)
    dealt = shares(files_with_tests(tmp_path), 2)
    assert [[path.name for path in share] for share in dealt] == [["test_a.py"], ["test_b.py", "test_c.py"]]


def test_what_was_judged_equivalent_has_its_reason_and_is_still_there() -> None:
    known = judged()
    members = all_members(SOURCE) if known else {}
    files = {file for file, *_ in known}
    every = [mutant for file in files for mutant in mutants_of(SOURCE, SOURCE / file, members)]
    assert out_of_date(known, every) == []
