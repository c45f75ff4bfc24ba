"""The library for people: ``import houseway as hw`` opens it.

>>> import houseway as hw
>>> hw.game("pa-659a").set("As Kd 9c 9h 5s 4d 2c")
9h9c4d2c / As5s / Kd
  high: pair of nines, four-two
  medium: ace-high, five
  low: king-high
pair: Any other pair: high, and the best singles lead medium and low.

Cards, settings and amounts are given as text. A game knows its operator's submission: commission, paytables
and readings are applied without being asked for. What cannot be is refused by a ``HousewayError`` in words.
"""

from houseway.errors import HousewayError, IllegalError, InvalidInputError, UnknownNameError
from houseway.library.opened import OpenWay, way, ways
from houseway.library.played import PlayedGame, game
from houseway.library.values import BonusHands, ComparedHands, RankedCards, SetHand, SettledHand
from houseway.overview import list_games as games

__all__ = [
    "BonusHands",
    "ComparedHands",
    "HousewayError",
    "IllegalError",
    "InvalidInputError",
    "OpenWay",
    "PlayedGame",
    "RankedCards",
    "SetHand",
    "SettledHand",
    "UnknownNameError",
    "game",
    "games",
    "way",
    "ways",
]
