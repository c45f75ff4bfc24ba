"""Words that a good manual does not print are listed, and what is there for a reason stays."""

from __future__ import annotations

from pathlib import Path

import pytest

from checks.words import KEPT, WORDS, every_word, refused_words, words_in

PAGE = """\
# A page

Whoever reads this does it afresh: `nobody` is a name.

```console
$ houseway anew
```

So many of
them, and so many that nobody counts.
"""


TEXTS = """\
[page]
says = "Plain."
[page.more]
all = "Everybody"
"""

HELP = '''\
def one() -> None:
    """Do it.

    Anew.
    """
'''


def project(folder: Path) -> Path:
    for path, text in {
        "README.md": PAGE,
        "docs/deep/page.md": "Somebody's page.\n",
        "src/houseway/web/data/texts/en/page.toml": TEXTS,
        "src/houseway/cli/one.py": HELP,
        "src/houseway/floor/core.py": '"""Whoever looks here: it is no help."""\n',
    }.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
    return folder


def test_documents_pages_and_help_are_looked_at_and_code_is_not(tmp_path: Path) -> None:
    assert {(word.path, word.line, word.word) for word in every_word(project(tmp_path))} == {
        ("README.md", 3, "whoever"),
        ("README.md", 3, "afresh"),
        ("README.md", 9, "so many"),
        ("README.md", 10, "nobody"),
        ("docs/deep/page.md", 1, "somebody"),
        ("src/houseway/web/data/texts/en/page.toml", 4, "everybody"),
        ("src/houseway/cli/one.py", 4, "anew"),
    }


@pytest.mark.parametrize(
    "text", ["so many hands that none is left", "a newer one", "body", "What comes after it."]
)
def test_a_plain_word_is_not_refused(text: str) -> None:
    assert [*words_in(text)] == []


def test_each_refused_word_has_a_replacement_that_is_not_refused() -> None:
    assert [instead for instead in WORDS.values() if not instead or [*words_in(instead)]] == []


def test_the_house_keeps_to_it() -> None:
    assert refused_words() == []


def test_every_word_that_stays_is_still_there() -> None:
    places = {f"{word.path}:{word.word}" for word in every_word()}
    assert all(KEPT.values()) and set(KEPT) - places == set()
