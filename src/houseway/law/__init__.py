"""The law as data: clauses, citations, the days they are in force, and how they are read."""

from houseway.law.checklist import ChecklistItem, checklist
from houseway.law.citations import UNCITED, Cite, Cites, join_cites, strike
from houseway.law.clauses import Clause, ClauseKind, all_clauses, cite, clauses_of
from houseway.law.problems import Problem, RefusedError, Severity, refuse
from houseway.law.readings import Reading, choose_readings, options_of, readings, readings_of
from houseway.law.rule_sets import RuleSet, Standing, rule_set, rule_sets

__all__ = [
    "UNCITED",
    "ChecklistItem",
    "Cite",
    "Cites",
    "Clause",
    "ClauseKind",
    "Problem",
    "Reading",
    "RefusedError",
    "RuleSet",
    "Severity",
    "Standing",
    "all_clauses",
    "checklist",
    "choose_readings",
    "cite",
    "clauses_of",
    "join_cites",
    "options_of",
    "readings",
    "readings_of",
    "refuse",
    "rule_set",
    "rule_sets",
    "strike",
]
