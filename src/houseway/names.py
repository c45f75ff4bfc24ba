"""Names and ids of users: which are valid, which look alike, which are reserved. Pure functions.

People recognise each other by the names on a screen. So a name uses letters of one script, has no invisible
characters, and no two users' names look alike. Users on record keep the names they have.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import Final

from houseway.errors import IllegalError, InvalidInputError

LONGEST: Final = 60
"""The most characters of an id or a name."""
GUESTS: Final = "guest-"
"""The prefix of guests' ids."""
HOUSE_PLAYERS: Final = "house-player-"
"""The prefix of house players' ids."""
AUTOMATIC: Final = "automatic"
"""The prefix of automated actors' names, such as the automatic dealer."""
RESERVED: Final = frozenset(
    {
        *("auto", "dealer", "floor", "generator", "shuffler"),
        *("system", "table", "meter", "people", "houseway"),
    }
)
"""Ids of the system itself, and of its streams."""

_ID: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9 ._\-@']*")
_IGNORED: Final = frozenset(
    {
        *(0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, 0x3164, 0xFFA0),
        *(*range(0x180B, 0x1810), *range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)),
    }
)
"""Invisible characters that Unicode counts as letters, marks or symbols."""
_EAST_ASIAN: Final = {"CJK": "", "HIRAGANA": "KANA", "KATAKANA": "KANA"}
"""Han is mixed with kana or hangul, so it does not determine the script."""
_SHARED: Final = frozenset({"MODIFIER", "KATAKANA-HIRAGANA", "IDEOGRAPHIC"})
"""Letters that belong to no single script, such as the modifier apostrophe."""


def check_id(text: str) -> None:
    """Refuse an invalid id: only ASCII letters, digits and a few signs read the same everywhere."""
    _check_length("an id", text)
    if _ID.fullmatch(text) is None:
        raise InvalidInputError(
            "an id begins with a letter from a to z or a digit, and has only these, spaces and . _ - @ '",
            value=text,
        )


def check_name(text: str) -> None:
    """Refuse an invalid name, such as one with invisible characters or letters of two scripts."""
    _check_length("a name", text)
    for character in text:
        if ord(character) in _IGNORED or unicodedata.category(character)[0] == "C":
            raise InvalidInputError("a name must not have invisible characters", value=text)
        if unicodedata.category(character)[0] not in "LMP" and character != " " and not character.isdecimal():
            raise InvalidInputError("a name is written in letters, digits and punctuation", value=text)
    if not unicodedata.is_normalized("NFC", text):
        raise InvalidInputError("a name is written in composed characters (NFC)", value=text)
    if unicodedata.category(text[0])[0] == "M":
        raise InvalidInputError("a name must not begin with an accent", value=text)
    if not any(character.isalnum() for character in text):
        raise InvalidInputError("a name needs a letter or a digit", value=text)
    scripts = set(_scripts(text))
    if len(scripts) > 1:
        words = " and ".join(sorted(script.lower() for script in scripts))
        raise InvalidInputError(f"a name has letters of one script only, not {words}", value=text)


def _check_length(what: str, text: str) -> None:
    if not 1 <= len(text) <= LONGEST:
        raise InvalidInputError(f"{what} has 1 to {LONGEST} characters", value=text)
    if text != " ".join(text.split()):
        raise InvalidInputError(f"{what} may have single spaces, between words only", value=text)


def _scripts(text: str) -> Iterator[str]:
    """Yield the script of each letter: the first word of its Unicode name."""
    for character in unicodedata.normalize("NFKC", text):
        if unicodedata.category(character)[0] != "L":
            continue
        script = unicodedata.name(character, "UNNAMED").partition(" ")[0]
        script = _EAST_ASIAN.get(script, script)
        if script and script not in _SHARED:
            yield script


# --- how a name looks ---------------------------------------------------------------------------------


def _pairs(these: str, those: str) -> dict[int, str]:
    return {ord(this): that for this, that in zip(these, those, strict=True)}


_CAPITALS: Final = _pairs("АВЕЅІЈКМНОРСТУХԚԜ", "ABESIJKMHOPCTYXQW") | _pairs(
    "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "ABEZHIKMNOPTYX"
)
"""Cyrillic and Greek capitals that look Latin, though their small letters may not."""
_LETTERS: Final = (
    _pairs("авегѕіјкмнорстухһԁԛԝѵӏҫү", "abersljkmhopctyxhdqwvlcy")
    | _pairs("αβγεηικνορτυχω", "abyenlkvoptuxw")
    | _pairs("ɑɡıɩʟ", "aglll")
    | _pairs("01i|", "olll")
    | _pairs("\u2018\u2019\u02bc\u02b9\u02bb\u2032`´", "''''''''")
    | _pairs("\u2010\u2011\u2012\u2013\u2014\u2015\u2212\u30fc", "--------")
)
"""Small letters, digits and signs that look alike, after case folding."""
_DOT: Final = "\u0307"
"""A combining dot above, which i and j have anyway."""


def look_of(text: str) -> str:
    """Return a key of how a text looks: equal for texts that a reader may confuse.

    Case, width and look-alike letters and digits are ignored; accents are not.

    >>> look_of("M1a") == look_of("m\u0456a"), look_of("Zoë") == look_of("Zoe")
    (True, False)
    """
    folded = unicodedata.normalize("NFKD", text).translate(_CAPITALS).casefold()
    digits = "".join(str(unicodedata.digit(char)) if char.isdecimal() else char for char in folded)
    letters = unicodedata.normalize("NFKD", digits).translate(_LETTERS)
    dotless = letters.replace(f"l{_DOT}", "l").replace(f"j{_DOT}", "j")
    return " ".join(dotless.split())


def check_unreserved(text: str) -> None:
    """Refuse a reserved id or name, in any spelling."""
    if is_reserved(text):
        raise IllegalError("the name is reserved for the system itself, or for guests", value=text)


def is_reserved(text: str) -> bool:
    """Whether an id or name is reserved for the system or for guests, in any spelling.

    >>> is_reserved("automatic dealer"), is_reserved("Ann")
    (True, False)
    """
    look = look_of(text)
    joined, dashed = re.sub(r"[ ._'-]", "", look), re.sub(r"[ ._'-]", "-", look)
    automatic = joined.startswith(look_of(AUTOMATIC))
    prefixed = dashed.startswith((look_of(GUESTS), look_of(HOUSE_PLAYERS)))
    return automatic or prefixed or joined in {look_of(name) for name in RESERVED}
