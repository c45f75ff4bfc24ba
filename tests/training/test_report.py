"""A report counts what was asked, right and lost for each spot; plots draw the same answers."""

from __future__ import annotations

from fractions import Fraction
from xml.etree import ElementTree

import pytest

from houseway.errors import InvalidInputError
from houseway.training import LessonAnswer, LessonRole, report
from houseway.training.plots import draw_plots, plots
from tests.training.support import answer

PLAYED = [
    answer("a", spot="trips", lost="1/10", right=False),
    answer("b", spot="trips", lost="1/20", right=False),
    answer("c", spot="trips"),
    answer("d", spot="trips", lost="1/100"),
    answer("e", spot="pair", lost="1/50", right=False, seconds=12),
    answer("f", spot="pair", shown=True, right=False),
    answer("g", spot="quads", role=LessonRole.DEALER, lost="1", right=False),
]
DEALT = [
    answer("a", spot="two-pair", role=LessonRole.DEALER, seconds=4),
    answer("b", spot="two-pair", role=LessonRole.DEALER, seconds=8, lost="1", right=False),
    answer("c", spot="copies", kind="copies", role=LessonRole.DEALER, seconds=30),
]


def test_each_spot_has_its_counts_what_it_loses_and_whether_it_gets_better() -> None:
    trips, pair, everything = report(PLAYED, LessonRole.PLAYER)
    assert (trips.spot, trips.answers, trips.right, trips.lost) == ("trips", 4, 2, Fraction(4, 100))
    # the later two lose 0.5 % each, the earlier two 7.5 %
    assert trips.trend == Fraction(-7, 100)
    assert (pair.spot, pair.answers, pair.lost, pair.trend) == ("pair", 1, Fraction(1, 50), None)
    assert (everything.spot, everything.answers, everything.lost) == ("all", 5, Fraction(18, 500))


def test_dealers_have_errors_and_a_pace() -> None:
    two_pair, copies, everything = report(DEALT, LessonRole.DEALER)
    assert (two_pair.spot, two_pair.errors, two_pair.per_minute) == ("two-pair", Fraction(1, 2), 10)
    assert (copies.errors, copies.per_minute) == (Fraction(0), 2.0)
    assert everything.errors == Fraction(1, 3)


def test_plain_data_has_what_is_lost_exactly() -> None:
    told = report(PLAYED, LessonRole.PLAYER)[0].as_dict()
    assert (told["lost"], told["lost_exact"], told["trend"]) == (0.04, "1/25", -0.07)


def test_nothing_answered_makes_no_report_and_no_plot() -> None:
    assert report([], LessonRole.PLAYER) == ()
    with pytest.raises(InvalidInputError, match="no answers to plot"):
        plots(PLAYED[-1:], LessonRole.PLAYER)


@pytest.mark.parametrize(
    ("answers", "role", "names", "words"),
    [
        (PLAYED, LessonRole.PLAYER, ["lost-over-time", "lost-by-spot"], ["trips (4)", "% of a wager"]),
        (
            DEALT,
            LessonRole.DEALER,
            ["settings-per-minute", "errors-by-rule"],
            ["two-pair (2)", "% of answers"],
        ),
        (DEALT[2:], LessonRole.DEALER, ["errors-by-rule"], ["copies (1)"]),
    ],
)
def test_plots_are_the_same_svg_for_the_same_answers(
    answers: list[LessonAnswer], role: LessonRole, names: list[str], words: list[str]
) -> None:
    wanted = plots(answers, role)
    assert [one.name for one in wanted] == names
    drawn = draw_plots(wanted)
    assert drawn == draw_plots(wanted)
    assert ElementTree.fromstring(drawn).tag.endswith("svg")
    assert [word for word in words if word not in drawn] == []
