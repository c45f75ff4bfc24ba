"""The words of the steps as a catalogue that translators start from, in the form of gettext.

Each word bears the context it is read in, such as ``cut.button`` or ``cut.field.depth``, and the module that
it stands in. The catalogue has no date and no line number: it changes when a word does.
"""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Final, NamedTuple

from babel.messages.catalog import Catalog
from babel.messages.pofile import write_po
from msgspec import Struct

from houseway.rounds.annotations import Ask, Shown, notes_of
from houseway.rounds.stage import Stage
from houseway.rounds.step import AnyStep
from houseway.rounds.steps import ALL_STEPS, OUTCOMES

POT: Final = Path(__file__).parents[1] / "src" / "houseway" / "rounds" / "locale" / "steps.pot"
HEADER: Final = """\
# The words of the steps: made from rounds/steps/ by "make docs".
msgid ""
msgstr ""
"Project-Id-Version: houseway\\n"
"MIME-Version: 1.0\\n"
"Content-Type: text/plain; charset=utf-8\\n"
"Content-Transfer-Encoding: 8bit\\n"

"""
"""What Babel would write here says when, and by which version of it."""


class Word(NamedTuple):
    """Something that people read, where it is read, and the module in which it is written."""

    context: str
    text: str
    module: str


def words() -> str:
    """Return the catalogue."""
    catalogue = Catalog()
    for word in _every_word():
        place = word.module.replace(".", "/") + ".py"
        catalogue.add(word.text, context=word.context, locations=[(place, 0)])
    text = BytesIO()
    write_po(text, catalogue, omit_header=True, include_lineno=False, width=110)
    return HEADER + text.getvalue().decode().rstrip("\n") + "\n"


def _every_word() -> Iterator[Word]:
    """Yield every word: of the stages, of each step in the order of the modules, of the outcomes in logs."""
    for stage in Stage:
        yield Word(f"stage.{stage.id}", stage.title, Stage.__module__)
    for step in ALL_STEPS:
        yield from _words_of(step)
    for kind in OUTCOMES:
        yield from _notes(str(kind.__struct_config__.tag), kind)


def _words_of(step: AnyStep) -> Iterator[Word]:
    """Yield the words of a step: on its button, spoken, beside its fields, and the reasons of its guards."""
    module = step.action.__module__
    for where, words in {"": step.words, **{f".{game}": own for game, own in step.words_in.items()}}.items():
        spoken = {"button": words.button, "says": words.says, "done": words.done, "follows": words.follows}
        for what, text in spoken.items():
            if text:
                yield Word(f"{step.name}.{what}{where}", text, module)
    yield from _notes(step.name, step.action)
    for guard in step.guards:
        yield Word(f"{step.name}.guard.{guard.key}", guard.reason, module)
        for game, reason in guard.reason_in.items():
            yield Word(f"{step.name}.guard.{guard.key}.{game}", reason, module)


def _notes(name: str, kind: type[Struct]) -> Iterator[Word]:
    """Yield the labels of an action's fields, and what logs call those of an action or an outcome."""
    for field, ask in notes_of(kind, Ask).items():
        yield Word(f"{name}.field.{field}", ask.label, kind.__module__)
        if ask.usual:
            yield Word(f"{name}.usual.{field}", ask.usual, kind.__module__)
    for field, shown in notes_of(kind, Shown).items():
        yield Word(f"{name}.shown.{field}", shown.name, kind.__module__)
