"""Plots of a PAR sheet as inline SVG, the same bytes for the same figures.

The server never draws one: matplotlib is loaded only in the process that counts.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Sequence
from fractions import Fraction
from math import ceil, floor, log10
from typing import TYPE_CHECKING, Any, Final

from markupsafe import Markup, escape

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Bar = tuple[str, float]
"""The label of a bar and its length."""
WIDTH: Final = 3.7
"""In inches: two plots fit side by side on paper, and one on a telephone."""
ROW: Final = 0.2
LONG_NAME: Final = 24
"""Longer names leave room for fewer ticks."""
MILLION: Final = 1_000_000
INK, QUIET, GREEN, RED, GREY = "#1b1b1f", "#5d6470", "#2f6f5e", "#9c3a32", "#b9bec7"
_LOOK: Final[dict[Any, object]] = {
    "svg.fonttype": "none",
    "font.family": "DejaVu Sans",  # comes with matplotlib, so that every machine measures the same
    "font.size": 7.5,
    "axes.edgecolor": GREY,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "xtick.color": QUIET,
    "ytick.color": INK,
    "xtick.major.width": 0.6,
    "ytick.major.size": 0,
}
_PROLOGUE: Final = re.compile(r"^.*?(?=<svg)", re.DOTALL)
_METADATA: Final = re.compile(r"\s*<metadata>.*?</metadata>", re.DOTALL)
_STYLE: Final = re.compile(r'\s*<defs>\s*<style type="text/css">.*?</style>\s*</defs>', re.DOTALL)
_SIZE: Final = re.compile(r'<svg [^>]*?(viewBox="[^"]*")[^>]*>')


def bars_plot(name: str, title: str, bars: Sequence[Bar], *, scale: str = "linear", axis: str = "") -> Markup:
    """Draw one bar for each name, the first on top; on a logarithmic scale the bars are chances above 0."""

    def draw(axes: Axes) -> None:
        names, lengths = [bar[0] for bar in bars], [bar[1] for bar in bars]
        axes.barh(range(len(bars)), lengths, height=0.66, color=GREEN)
        if scale == "log":
            axes.set_xscale("log")
            axes.set_xlim(min(lengths) / 4, 1)
            ticks = _decades(min(lengths), 2 if max(map(len, names)) > LONG_NAME else 3)
            axes.set_xticks(ticks, [one_in(chance) for chance in ticks])
            axes.set_xticks([], minor=True)
        axes.set_yticks(range(len(bars)), names)
        axes.invert_yaxis()
        axes.set_xlabel(axis, color=QUIET)
        axes.grid(axis="x", color="#e3e6ea", linewidth=0.6)

    return _draw_plot(name, title, draw, 0.62 + ROW * len(bars))


def _decades(least: float, most: int) -> list[float]:
    """Return at most ``most`` powers of ten below one, evenly apart, down to about the least chance."""
    lowest = max(1, floor(-log10(least)))
    apart = ceil(lowest / most)
    return [10.0**-power for power in range(apart, lowest + 1, apart)]


def one_in(chance: float) -> str:
    """Return a chance in words.

    >>> one_in(0.001), one_in(1e-07)
    ('1 in 1,000', '1 in 10m')
    """
    times = round(1 / chance)
    return f"1 in {times // MILLION:,}m" if times >= MILLION else f"1 in {times:,}"


def results_plot(name: str, title: str, chances: dict[str, float]) -> Markup:
    """Draw how often one hand wins, pushes and loses, with each share written at its bar."""
    colours = {"win": GREEN, "push": GREY, "lose": RED}

    def draw(axes: Axes) -> None:
        for place, (result, chance) in enumerate(chances.items()):
            axes.bar(place, 100 * chance, width=0.62, color=colours[result])
            axes.text(place, 100 * chance + 1, f"{100 * chance:.2f}%", ha="center", va="bottom", color=INK)
        axes.set_xticks(range(len(chances)), list(chances))
        axes.set_ylim(0, 115 * max(chances.values()))
        axes.set_ylabel("% of hands", color=QUIET)

    return _draw_plot(name, title, draw, 2.3)


def sums_plot(name: str, title: str, sums: dict[float, float], mean: float, deviation: float) -> Markup:
    """Draw the distribution of a sum of hands, its mean, and one standard deviation about it."""

    def draw(axes: Axes) -> None:
        shown = {x: p for x, p in sums.items() if abs(x - mean) <= 4 * deviation}
        step = min((b - a for a, b in zip(sorted(shown), sorted(shown)[1:], strict=False)), default=1.0)
        axes.axvspan(mean - deviation, mean + deviation, color="#e4eeea", linewidth=0)
        axes.bar(list(shown), [100 * p for p in shown.values()], width=0.9 * step, color=GREEN)
        axes.axvline(mean, color=RED, linewidth=1)
        axes.set_xlabel("won or lost, in wagers", color=QUIET)
        axes.set_ylabel("% of times", color=QUIET)

    return _draw_plot(name, title, draw, 2.3)


def sums_of_hands(hands: int, win: Fraction, chances: dict[str, float]) -> dict[float, float]:
    """Return how often a number of hands gives each sum; a win pays ``win`` and a loss costs one.

    >>> sums_of_hands(2, Fraction(1), {"win": 0.5, "push": 0.0, "lose": 0.5})
    {-2.0: 0.25, 0.0: 0.5, 2.0: 0.25}
    """
    unit = win.denominator
    steps = {"win": win.numerator, "push": 0, "lose": -unit}
    sums = {0: 1.0}
    for _ in range(hands):
        after: dict[int, float] = {}
        for total, chance in sums.items():
            for result, share in chances.items():
                if share:
                    at = total + steps[result]
                    after[at] = after.get(at, 0.0) + chance * share
        sums = after
    return {total / unit: sums[total] for total in sorted(sums)}


def _draw_plot(name: str, title: str, draw: Callable[[Axes], None], height: float) -> Markup:
    from matplotlib import rc_context  # noqa: PLC0415 - loaded only where plots are made
    from matplotlib.figure import Figure  # noqa: PLC0415

    with rc_context({**_LOOK, "svg.hashsalt": name}):
        figure = Figure(figsize=(WIDTH, height), layout="constrained")
        draw(figure.add_subplot())
        out = io.StringIO()
        figure.savefig(out, format="svg", metadata={"Date": None}, transparent=True)
    return _inline(out.getvalue(), name, title)


def _inline(svg: str, name: str, title: str) -> Markup:
    """Return an SVG to stand in a page: without prologue or global style, its ids prefixed."""
    bare = _STYLE.sub("", _METADATA.sub("", _PROLOGUE.sub("", svg)))
    own = re.sub(r'(id="|xlink:href="#|url\(#)', rf"\g<1>{name}-", bare)
    plain = own.replace("xlink:href=", "href=")
    head = f'<svg class="plot" role="img" aria-label="{escape(title)}" stroke-linejoin="round" \\1>'
    return Markup(_SIZE.sub(head, plain, count=1).strip())
