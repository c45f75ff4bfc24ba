"""The trace: every id known, every golden id marked, every excuse allowed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from houseway.errors import DataError
from houseway.law import ClauseKind, all_clauses, cite, rule_sets
from houseway.law.tracing import TraceState, read_reasons, scan, trace
from tests.support.clauses import MARKED, TESTS, source_trees
from tests.support.doors import DOORS, read_doors


def test_no_code_data_or_test_names_an_unknown_clause() -> None:
    source, tests = source_trees()
    assert source.unknown == []
    assert tests.unknown == []


def test_the_scanner_finds_an_unknown_id(tmp_path: Path) -> None:
    (tmp_path / "rules.toml").write_text('clauses = ["pa575.99.z"]\n# "pa575.98.z" in a comment\n')
    (tmp_path / "code.py").write_text('RULE = "pa575.9.a.1"\nOTHER = "pa575.97.z"\n')
    (tmp_path / "rows.csv").write_text("clause,hand\npa575.96.z,flush\n")
    tree = scan(tmp_path)
    assert tree.places == {"pa575.9.a.1": ["code.py:1"]}
    assert tree.unknown == [
        "code.py:2: pa575.97.z",
        "rows.csv:2: pa575.96.z",
        "rules.toml:1: pa575.99.z",
    ]


# Files of these tests that name clauses without proving them; an example table says which rows do.
TALK_ONLY = {"test_claims.py", "test_trace.py", "test_documents.py", "clauses.py", "test_commands.py"}
TALK_ONLY |= {f"{rules.id}.csv" for rules in rule_sets()}


def test_every_clause_named_in_the_tests_marks_one_of_them(request: pytest.FixtureRequest) -> None:
    marked = request.config.stash[MARKED]
    if TESTS.resolve() not in (Path(place).resolve() for place in request.config.args):
        pytest.skip("only a whole run collects every mark")
    _, tests = source_trees()
    named = {
        clause
        for clause, places in tests.places.items()
        if any(Path(p.rsplit(":", 1)[0]).name not in TALK_ONLY for p in places)
    }
    assert named <= marked


def test_only_physical_and_definition_rows_may_be_excused(tmp_path: Path) -> None:
    path = tmp_path / "reasons.toml"
    path.write_text('[[reason]]\nreason = "too hard"\nclauses = ["pa575.9.a.1"]\n')
    with pytest.raises(DataError, match="a config clause needs code and a test: 'pa575.9.a.1'"):
        read_reasons(path)
    path.write_text('[[reason]]\nreason = "gone"\nclauses = ["pa575.99.z"]\n')
    with pytest.raises(DataError, match="no such clause: 'pa575.99.z'"):
        read_reasons(path)


@pytest.mark.parametrize("rules", [r.id for r in rule_sets()])
def test_every_config_and_compute_clause_is_done(rules: str) -> None:
    wanted = (ClauseKind.CONFIG, ClauseKind.COMPUTE)
    behind = [t.clause.id for t in trace(rules) if t.clause.kind in wanted and t.state is not TraceState.DONE]
    assert behind == []


@pytest.mark.parametrize("rules", [r.id for r in rule_sets()])
def test_every_paytable_envy_and_schedule_row_is_done(rules: str) -> None:
    row = (".pta.", ".ptb.", ".ptc.", ".ptd.", ".row.", ".pay.", "envy_pay.", "paytable.", "collection.")
    six = re.compile(r"pa670a\.12\.(b\.1|b\.2\.w\d|c|d\.1|d\.4\.w\d)\.[a-z]+")
    behind = [
        t.clause.id
        for t in trace(rules)
        if (any(part in t.clause.id for part in row) or six.fullmatch(t.clause.id))
        and t.state is not TraceState.DONE
    ]
    assert behind == []


def test_physical_rows_are_checklist_items_until_something_more_is_done() -> None:
    states = {t.clause.id: t.state for t in trace("pa-575") if t.clause.kind is ClauseKind.PHYSICAL}
    assert states.pop("pa575.9.a.2.s1") is TraceState.DONE
    assert set(states.values()) == {TraceState.CHECKLIST}


def test_there_are_1377_clauses_and_each_can_be_cited() -> None:
    assert len(all_clauses()) == 1377
    assert cite("pa659a.11.f.1.ii").kind is ClauseKind.COMPUTE


def test_the_doors_of_clauses_are_written_down_for_those_that_tests_are_marked_with() -> None:
    record = read_doors()
    assert set(record) <= set(all_clauses())
    assert {door for doors in record.values() for door in doors} <= set(DOORS)
    done = [t for rules in rule_sets() for t in trace(rules.id) if t.state is TraceState.DONE]
    assert {t.clause.id for t in done if t.doors} == {clause for clause, doors in record.items() if doors}
