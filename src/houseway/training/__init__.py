"""Practice: the next hand or question, the score of an answer, the report of a person's answers."""

from houseway.training.dealer_lesson import DealerLesson
from houseway.training.history import History, HistoryFile, LessonAnswer, LessonRole, user_history
from houseway.training.player_lesson import HandToSet, PlayerLesson, SettingValuer
from houseway.training.questions import Kind, Question, Solution
from houseway.training.report import SpotReport, report
from houseway.training.scoring import Mark, Score, score

__all__ = [
    "DealerLesson",
    "HandToSet",
    "History",
    "HistoryFile",
    "Kind",
    "LessonAnswer",
    "LessonRole",
    "Mark",
    "PlayerLesson",
    "Question",
    "Score",
    "SettingValuer",
    "Solution",
    "SpotReport",
    "report",
    "score",
    "user_history",
]
