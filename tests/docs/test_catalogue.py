"""The catalogue of the steps' words: whole, each word where it is read, and fit to be translated."""

from __future__ import annotations

from collections.abc import Iterator
from gettext import GNUTranslations
from io import BytesIO

import pytest
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from houseway.games import example_submission, rules_for
from houseway.rng import SeededEntropy
from houseway.rounds.annotations import Ask, notes_of
from houseway.rounds.auto import auto_round
from houseway.rounds.deciding import evolve_all
from houseway.rounds.options import Option, offers
from houseway.rounds.stage import Stage
from houseway.rounds.steps import STEPS
from tests.docs.test_documents_run import ROOT
from tests.rounds.table import TestTable

POT = ROOT / "src" / "houseway" / "rounds" / "locale" / "steps.pot"
GAMES = ("pa-575", "pa-659a", "pa-670a", "wa-fap", "ca-fpgp")


def catalogue(locale: str | None = None) -> Catalog:
    return read_po(BytesIO(POT.read_bytes()), locale=locale)


EVERY_WORD = catalogue()


def in_it(context: str, text: str) -> bool:
    return EVERY_WORD.get(text, context) is not None


def words_of(option: Option) -> Iterator[tuple[str, str]]:
    """Yield what a person reads in an option, with the context it should have."""
    yield "button", option.label
    yield "done", option.done
    yield "follows", option.follows
    if option.say:
        yield "says", option.say
    yield from ((f"field.{field.name}", field.label) for field in option.fields)


def contexts(game: str, step: str, what: str) -> tuple[str, str]:
    """Return where words of a step stand: those of every game, and those that one game says otherwise."""
    return f"{step}.{what}", f"{step}.{what}.{game}"


@pytest.mark.parametrize("game", GAMES)
def test_whatever_people_read_in_the_options_of_a_round_is_in_it(game: str) -> None:
    rules, read = rules_for(example_submission(game)), set[tuple[str, str, str]]()
    record, moment = auto_round(rules, SeededEntropy(game)), TestTable(game, dealer=False).live.moment
    table = record.before
    for turn in record.turns:
        for offer in offers(rules, table, moment):
            read |= {(offer.option.step, what, text) for what, text in words_of(offer.option)}
        table = evolve_all(table, turn.events)
    assert {"sit", "wager", "set", "settle", "rack"} <= {step for step, _, _ in read}
    assert [
        one for one in read if not any(in_it(context, one[2]) for context in contexts(game, *one[:2]))
    ] == []


@pytest.mark.parametrize("step", STEPS)
def test_every_word_of_a_step_is_in_it(step: str) -> None:
    it = STEPS[step]
    words = {"button": it.words.button, "says": it.words.says, "done": it.words.done}
    labels = {f"field.{name}": ask.label for name, ask in notes_of(it.action, Ask).items()}
    for what, text in (words | {"follows": it.words.follows} | labels).items():
        assert not text or in_it(f"{step}.{what}", text)
    for guard in it.guards:
        assert in_it(f"{step}.guard.{guard.key}", guard.reason)


def test_it_names_the_module_of_a_word_and_no_line_and_no_day() -> None:
    text = POT.read_text(encoding="utf-8")
    places = {line.removeprefix("#: ") for line in text.splitlines() if line.startswith("#: ")}
    assert "houseway/rounds/steps/cut.py" in places
    assert [place for place in places if not (ROOT / "src" / place).is_file()] == []
    assert "Creation-Date" not in text


def test_a_stage_has_its_title_in_it() -> None:
    assert [stage for stage in Stage if not in_it(f"stage.{stage.id}", stage.title)] == []


def test_a_translation_is_found_by_the_word_and_where_it_is_read() -> None:
    """A word that stands in two places may be two words in another language."""
    french, text = catalogue("fr"), BytesIO()
    for step, translated in (("cut", "Jeu coupé"), ("offer_cut", "Proposée")):
        word = STEPS[step].words.done
        message = french.get(word, f"{step}.done")
        assert message is not None
        message.string = translated
    write_mo(text, french)
    text.seek(0)
    translations = GNUTranslations(text)
    assert translations.pgettext("cut.done", "Cut") == "Jeu coupé"
    assert translations.pgettext("offer_cut.done", "Offered") == "Proposée"
    assert translations.pgettext("cut.button", "Cut the deck") == "Cut the deck"
