"""The law as data: clauses, citations, the days they are in force, and how they are read."""

from houseway.law.checklist import ChecklistItem, checklist
from houseway.law.claims import claim, remembered, rest_on, standing, watching
from houseway.law.clauses import Clause, ClauseKind, all_clauses, cite, clauses_of
from houseway.law.problems import Problem, RefusedError, Severity, refuse
from houseway.law.readings import Reading, chosen, options_of, readings, readings_of
from houseway.law.rule_sets import RuleSet, Standing, rule_set, rule_sets

__all__ = [
    "ChecklistItem",
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
    "chosen",
    "cite",
    "claim",
    "clauses_of",
    "options_of",
    "readings",
    "readings_of",
    "refuse",
    "remembered",
    "rest_on",
    "rule_set",
    "rule_sets",
    "standing",
    "watching",
]
