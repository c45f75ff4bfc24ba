"""Practice: the next hand or question, the score of an answer, the report of a person's answers."""

from houseway.training.dealer_lesson import DealerLesson
from houseway.training.history import Answer, History, HistoryFile, Role, user_history
from houseway.training.player_lesson import Hand, PlayerLesson, Values
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
