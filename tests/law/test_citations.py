"""The clauses in force are a value: documents cite them, and rules can be had with some of them less."""

from __future__ import annotations

import pickle

import pytest

from houseway.errors import IllegalError
from houseway.games import game
from houseway.law import UNCITED, Cite, Cites, join_cites, strike
from tests.games.support import rules

A, B = "pa575.9.a.1", "pa575.5.g"


def test_a_rule_binds_as_long_as_a_clause_of_it_is_in_force() -> None:
    both = Cites((A, B))
    assert both.binds and both.stands
    half = both.without(A)
    assert (tuple(half), half.struck) == ((B,), (A,))
    assert half.binds and not half.stands
    assert not half.without(B).binds


def test_a_rule_that_never_needed_a_clause_binds_whatever_is_struck() -> None:
    assert UNCITED.without(A) is UNCITED
    assert UNCITED.binds and UNCITED.stands


def test_a_computation_has_no_answer_by_a_clause_that_is_struck() -> None:
    Cites((A,)).require()
    with pytest.raises(IllegalError, match=A):
        Cites((A, B)).without(A).require()
    with pytest.raises(IllegalError, match=B):
        Cite(B).without(B).require()


def test_what_is_struck_stays_known_where_rules_are_joined() -> None:
    law = join_cites(Cites((A,)).without(A), Cite(B), Cites((B,)))
    assert (tuple(law), law.struck) == ((B,), (A,))
    assert join_cites(Cite(A).without(A)).struck == (A,)


def test_citations_are_equal_to_their_clauses_and_can_be_sent() -> None:
    law = Cites((A, B)).without(A)
    assert law == (B,)
    assert pickle.loads(pickle.dumps(law)).struck == (A,)


def test_a_document_is_struck_wherever_it_cites_and_the_original_stays() -> None:
    asia = game("pa-659a")
    less = strike(asia, ("pa659a.11.f.1.ii",))
    assert "pa659a.11.f.1.ii" not in str(less)
    assert game("pa-659a") is asia
    assert strike(asia, ("pa575.9.a.1",)) is asia


def test_rules_without_a_clause_are_other_rules_by_the_same_submission() -> None:
    whole = rules("pa-575")
    less = whole.without("pa575.4.c.s3")
    assert less.submission is whole.submission
    assert less.struck == ("pa575.4.c.s3",)
    assert less.without("pa575.5.g").struck == ("pa575.4.c.s3", "pa575.5.g")
    assert less.law_fingerprint != whole.law_fingerprint
    assert whole.without("ca.fpgp.deal.bets.before_deal").law_fingerprint == whole.law_fingerprint
