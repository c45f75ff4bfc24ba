"""Rows of plain data that show themselves: as a table of text, and as one of HTML in a notebook."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any, Final

Row = dict[str, Any]
STYLE: Final = """
.houseway table { border-collapse: collapse; margin: .3em 0; font-variant-numeric: tabular-nums; }
.houseway caption { text-align: left; font-weight: 600; padding: .2em 0; }
.houseway th, .houseway td { text-align: left; padding: .2em .7em; border-bottom: 1px solid #8886; }
.houseway .number { text-align: right; } .houseway .word { white-space: nowrap; }
"""
_NUMBER: Final = re.compile(r"[+-]?\$?[\d,]+(\.\d+)?%?")


class Rows(tuple[Row, ...]):
    """Rows that a data frame takes and a person can read.

    >>> Rows([{"wager": "main", "edge": "4.9240%"}], "Fortune Asia Poker")
    Fortune Asia Poker
      wager  edge
      main   4.9240%
    """

    title: str

    def __new__(cls, rows: Iterable[Mapping[str, Any]], title: str = "") -> Rows:
        """Keep the rows, each as a plain dictionary."""
        table = super().__new__(cls, (dict(row) for row in rows))
        table.title = title
        return table

    def rows(self) -> list[Row]:
        """Return the rows as plain dictionaries, for a data frame."""
        return [dict(row) for row in self]

    def __repr__(self) -> str:
        return text_table(self, self.title)

    def _repr_html_(self) -> str:
        return page_part(html_table(self, self.title))


def _cells(rows: Sequence[Mapping[str, Any]]) -> tuple[list[str], list[list[str]]]:
    """Return the columns that hold anything, and each row's cells in them."""
    columns = [
        name
        for name in dict.fromkeys(name for row in rows for name in row)
        if any(row.get(name) not in (None, "") for row in rows)
    ]
    return columns, [["" if row.get(c) is None else str(row.get(c)) for c in columns] for row in rows]


def text_table(rows: Sequence[Mapping[str, Any]], title: str = "") -> str:
    """Write rows as text, a column for each key."""
    columns, cells = _cells(rows)
    widths = [max(map(len, column)) for column in zip(columns, *cells, strict=True)]
    lines = [
        "  " + "  ".join(f"{cell:{width}}" for cell, width in zip(line, widths, strict=True)).rstrip()
        for line in ([columns] if columns else []) + cells
    ]
    return "\n".join([title, *lines] if title else lines)


def html_table(rows: Sequence[Mapping[str, Any]], title: str = "") -> str:
    """Write rows as an HTML table; their text is escaped."""
    columns, cells = _cells(rows)
    kinds = [_kind([line[place] for line in cells]) for place in range(len(columns))]
    head = "".join(map(_cell, ["th"] * len(columns), kinds, columns))
    body = "".join(f"<tr>{''.join(map(_cell, ['td'] * len(line), kinds, line))}</tr>" for line in cells)
    caption = f"<caption>{escape(title)}</caption>" if title else ""
    return f"<table>{caption}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _kind(cells: Sequence[str]) -> str:
    """Return how a column is set: numbers to the right, single words unbroken."""
    if all(_NUMBER.fullmatch(cell) for cell in cells if cell):
        return "number"
    return "word" if not any(" " in cell for cell in cells) else "text"


def _cell(tag: str, kind: str, text: str) -> str:
    return f'<{tag} class="{kind}">{escape(text)}</{tag}>'


def page_part(html: str, style: str = "") -> str:
    """Return a part of a page with the style that it needs and no other part is touched by."""
    return f'<style>{STYLE}{style}</style><div class="houseway">{html}</div>'
