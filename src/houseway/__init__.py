"""houseway runs, proves and explains a family of regulated casino table games.

``import houseway as hw`` opens the library for people: ``hw.games()``, ``hw.game("pa-659a")``,
``hw.way("foxwoods")``, ``hw.ways()``. Nothing of it is loaded before it is used.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Final

__version__ = "0.1.0"

if TYPE_CHECKING:
    from houseway.library import HousewayError as HousewayError
    from houseway.library import game as game
    from houseway.library import games as games
    from houseway.library import way as way
    from houseway.library import ways as ways

OPEN: Final = ("HousewayError", "game", "games", "way", "ways")
"""What the library opens with."""


if not TYPE_CHECKING:  # a type checker knows the names, and a wrong one

    def __getattr__(name: str) -> object:
        """Load what is asked for; ``games`` is a package that can be called."""
        if name == "games":
            return import_module("houseway.games")
        if name in OPEN:
            return getattr(import_module("houseway.library"), name)
        known = ", ".join(OPEN)
        raise AttributeError(f"houseway has no {name!r}; the library opens with {known}", name=name)


def __dir__() -> list[str]:
    """Name what the library opens with."""
    return sorted({*globals(), *OPEN})
