"""Plots of a history as SVG files, equal bytes for equal answers; only this module imports matplotlib."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from houseway.errors import InvalidInputError
from houseway.training.history import LessonAnswer, LessonRole
from houseway.training.report import ALL, MINUTE, SpotReport, hands_set, report, running_mean, scored

if TYPE_CHECKING:
    from matplotlib.axes import Axes

WINDOW: Final = 20
"""Each point of a line over time is the mean of this many answers."""
WIDTH: Final = 7.0
ROW: Final = 0.22
INK, QUIET, GREEN, GREY = "#1b1b1f", "#5d6470", "#2f6f5e", "#e3e6ea"
_STYLE: Final[dict[Any, object]] = {
    "svg.fonttype": "none",
    "svg.hashsalt": "houseway drill",
    "font.family": "DejaVu Sans",  # comes with matplotlib, so that every machine measures the same
    "font.size": 8,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
}


@dataclass(frozen=True)
class Plot:
    """One plot: the name of its file, its title, how high it is in inches, and how it is drawn."""

    name: str
    title: str
    height: float
    draw: Callable[[Axes], None]


def plots(answers: Sequence[LessonAnswer], role: LessonRole) -> tuple[Plot, ...]:
    """Return the plots of a person's answers in a role; refuse a history without any."""
    spots = [row for row in report(answers, role) if row.spot != ALL]
    if not spots:
        raise InvalidInputError("there are no answers to plot yet", value=role)
    if role is LessonRole.PLAYER:
        lost = [100 * float(answer.share_lost) for answer in scored(answers, role)]
        return (
            _over_time("lost-over-time", f"Lost for each hand, mean of {WINDOW}", lost, "% of a wager"),
            _by_spot("lost-by-spot", "Lost for each hand, by spot", spots, "% of a wager", _percent_lost),
        )
    settings = [answer.seconds for answer in hands_set(answers) if answer.seconds]
    pace = [MINUTE / seconds for seconds in running_mean(settings, WINDOW)]
    title = "Wrong answers, by rule or kind"
    errors = _by_spot("errors-by-rule", title, spots, "% of answers", _percent_wrong)
    if not pace:
        return (errors,)
    title = f"Hands set in a minute, mean of {WINDOW}"
    return (_over_time("settings-per-minute", title, pace, "in a minute", smooth=False), errors)


def _percent_lost(row: SpotReport) -> float:
    return 100 * float(row.lost)


def _percent_wrong(row: SpotReport) -> float:
    return 100 * float(row.errors)


def _over_time(name: str, title: str, values: Sequence[float], axis: str, *, smooth: bool = True) -> Plot:
    def draw(axes: Axes) -> None:
        line = running_mean(values, WINDOW) if smooth else list(values)
        axes.plot(range(1, len(line) + 1), line, color=GREEN, marker="o", markersize=2.5, linewidth=1)
        axes.set_ylim(bottom=0)
        axes.set_xlabel("answers", color=QUIET)
        axes.set_ylabel(axis, color=QUIET)
        axes.grid(color=GREY, linewidth=0.6)

    return Plot(name, title, 2.4, draw)


def _by_spot(
    name: str, title: str, spots: Sequence[SpotReport], axis: str, length: Callable[[SpotReport], float]
) -> Plot:
    def draw(axes: Axes) -> None:
        names = [f"{row.spot} ({row.answers})" for row in spots]
        axes.barh(range(len(spots)), [length(row) for row in spots], height=0.66, color=GREEN)
        axes.set_yticks(range(len(spots)), names)
        axes.invert_yaxis()
        axes.set_xlim(left=0)
        axes.set_xlabel(axis, color=QUIET)
        axes.grid(axis="x", color=GREY, linewidth=0.6)

    return Plot(name, title, 0.9 + ROW * len(spots), draw)


def draw_plots(wanted: Sequence[Plot]) -> str:
    """Draw plots under each other as one SVG file."""
    from matplotlib import rc_context  # noqa: PLC0415 - loaded only where plots are made
    from matplotlib.figure import Figure  # noqa: PLC0415

    heights = [plot.height for plot in wanted]
    with rc_context(_STYLE):
        figure = Figure(figsize=(WIDTH, sum(heights)), layout="constrained")
        places = figure.subplots(len(wanted), 1, squeeze=False, height_ratios=heights)
        for plot, axes in zip(wanted, places[:, 0], strict=True):
            plot.draw(axes)
            axes.set_title(plot.title, loc="left", color=INK)
        out = io.StringIO()
        figure.savefig(out, format="svg", metadata={"Date": None})
    return out.getvalue()
