"""Names that say nothing are listed, and so are classes that share a name."""

from __future__ import annotations

from pathlib import Path

from checks.names import KEPT, empty_names, names_in, shared_classes

MODULE = """
class Hand:
    told: str

def made(one, *, said=1):
    found = [kept for kept in one]
    self.held, number = found, said
    with open(one) as asked:
        return asked, number
"""


def package(folder: Path, **modules: str) -> Path:
    for name, text in modules.items():
        (folder / f"{name}.py").write_text(text, encoding="utf-8")
    return folder


def test_whatever_a_name_is_given_to_is_looked_at(tmp_path: Path) -> None:
    names = [name.name for name in empty_names(package(tmp_path, room=MODULE))]
    assert sorted(names) == ["asked", "found", "held", "kept", "made", "one", "said", "told"]


def test_a_class_that_two_modules_have_is_named_with_both(tmp_path: Path) -> None:
    folder = package(
        tmp_path, first="class Hand: ...\nclass _Own: ...", second="class Hand: ...\nclass _Own: ..."
    )
    assert shared_classes(folder) == {"Hand": ["first.py", "second.py"]}


def test_the_house_keeps_to_it() -> None:
    assert empty_names() == [] and shared_classes() == {}


def test_every_name_that_stays_is_still_there() -> None:
    root = Path(__file__).parents[2] / "src" / "houseway"
    for place, reason in KEPT.items():
        path, _, name = place.partition(":")
        assert reason and name in {entry.name for entry in names_in(root / path)}
