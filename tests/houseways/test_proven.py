"""What is on record as proven: every house way, for every game it may be filed for, however that is read."""

from __future__ import annotations

from pathlib import Path

import pytest

from houseway.cards import parse_cards
from houseway.games.proving import programs_to_prove
from houseway.houseways import compile_way, decide, house_way
from houseway.houseways.compiler import CompiledWay
from houseway.houseways.proof import SHADOWED, prove_way
from houseway.houseways.proven import is_proven, proof_of, read_proofs, write_proofs
from houseway.ranking import ranking

PROGRAMS = list(programs_to_prove())


def name_of(program: CompiledWay) -> str:
    """Return what a program is proven for, short."""
    return " ".join(part for name, part in proof_of(program).items() if name != "key" and part)


def test_the_record_has_a_proof_of_each_and_no_other(tmp_path: Path) -> None:
    proofs = [proof_of(program) for program in PROGRAMS]
    assert [*read_proofs()] == proofs and len({proof["key"] for proof in proofs}) == len(proofs) > 20
    write_proofs(proofs, tmp_path / "proven.csv")
    assert [*read_proofs(tmp_path / "proven.csv")] == proofs


def test_a_way_whose_rules_are_changed_is_not_proven() -> None:
    way = house_way("houseway-421")
    assert is_proven(compile_way(way))
    first, *others = way.rule
    other = way.model_copy(update={"rule": (first.model_copy(update={"prefer": ("low",)}), *others)})
    assert not is_proven(compile_way(other))
    reworded = way.model_copy(update={"rule": (first.model_copy(update={"say": "Otherwise."}), *others)})
    assert is_proven(compile_way(reworded))


def test_a_way_is_not_proven_for_another_ranking_of_its_split() -> None:
    program = compile_way(house_way("foxwoods"), base=ranking("ca-fpgp"))
    assert decide(program, parse_cards("As Ah Kd Kc Qh Jd 9c")).setting and not is_proven(program)


@pytest.mark.exhaustive
@pytest.mark.parametrize("program", PROGRAMS, ids=name_of)
def test_each_proof_on_record_holds(program: CompiledWay) -> None:
    faults = prove_way(program).faults
    assert not [fault for fault in faults if not fault.endswith(SHADOWED)]
