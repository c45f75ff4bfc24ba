"""Practice: which hand or question comes next, what an answer is worth, what a person's answers come to."""

from houseway.training.choosing import Hand, PlayerLesson, Values
from houseway.training.dealers import DealerLesson
from houseway.training.history import Answer, History, HistoryFile, Role, user_history
from houseway.training.questions import Kind, Question, Solution
from houseway.training.report import SpotReport, report
from houseway.training.scoring import Mark, Score, score

__all__ = [
    "Answer",
    "DealerLesson",
    "Hand",
    "History",
    "HistoryFile",
    "Kind",
    "Mark",
    "PlayerLesson",
    "Question",
    "Role",
    "Score",
    "Solution",
    "SpotReport",
    "Values",
    "report",
    "score",
    "user_history",
]
